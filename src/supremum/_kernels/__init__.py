"""What NumPy lacks or gets wrong, made of NumPy calls: kernels take plain ndarrays of one compute dtype and know no `Array`."""
