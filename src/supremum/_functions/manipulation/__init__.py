"""Manipulation functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403, F405 - each module's __all__ is the list of what it gives; a test compares this one with them

from supremum._functions.manipulation.axes import *
from supremum._functions.manipulation.editing import *
from supremum._functions.manipulation.joining import *
from supremum._functions.manipulation.padding import *
from supremum._functions.manipulation.repeating import *
from supremum._functions.manipulation.shapes import *
from supremum._functions.manipulation.splitting import *

__all__ = [
    "append", "array_split", "atleast_1d", "atleast_2d", "atleast_3d", "block", "broadcast_arrays", "broadcast_shapes",
    "broadcast_to", "column_stack", "concat", "concatenate", "delete", "dsplit", "dstack", "expand_dims", "flip", "fliplr",
    "flipud", "hsplit", "hstack", "insert", "matrix_transpose", "moveaxis", "pad", "permute_dims", "ravel", "repeat",
    "reshape", "resize", "roll", "rollaxis", "rot90", "split", "squeeze", "stack", "swapaxes", "tile", "transpose",
    "trim_zeros", "unstack", "vsplit", "vstack",
]  # fmt: skip
