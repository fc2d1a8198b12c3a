"""Functions of buffers with plain arguments, for direct calls: see `supremum._core.fast_paths.add_direct_calls`.

They give, bit for bit, what the functions of the namespace give, with less work before and after NumPy's calls. What they do
not take, they refuse by an exception or by NotImplemented, and the general function does it.
"""
