"""Functions of buffers with plain arguments, for plain calls: see `supremum._base.functions.Plain`.

They give, bit for bit, what the functions of the namespace give, with less work before and after NumPy's calls. What they do
not take, they refuse by an exception or by NotImplemented, and the general function does it.
"""
