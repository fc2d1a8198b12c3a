"""Kernels for what NumPy lacks or gets wrong. They take NumPy arrays, mostly of one dtype, and know no `Array`."""
