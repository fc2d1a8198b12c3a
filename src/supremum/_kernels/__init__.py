"""What NumPy lacks or gets wrong, made of NumPy calls: kernels take ndarrays of one compute dtype and know no `Array`."""
