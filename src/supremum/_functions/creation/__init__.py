"""Creation functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403, F405 - each module's __all__ is the list of what it gives; a test compares this one with them

from supremum._core.arguments import check_device as check_device
from supremum._functions.creation.conversion import *
from supremum._functions.creation.filled import *
from supremum._functions.creation.grids import *
from supremum._functions.creation.matrices import *
from supremum._functions.creation.ranges import *
from supremum._functions.creation.windows import *

__all__ = [
    "arange", "array", "asarray", "bartlett", "blackman", "c_", "copy", "diag", "diagflat", "diagonal", "empty", "empty_like",
    "eye", "from_dlpack", "frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "full", "full_like", "geomspace",
    "hamming", "hanning", "identity", "index_exp", "indices", "ix_", "kaiser", "linspace", "logspace", "meshgrid", "mgrid",
    "ogrid", "ones", "ones_like", "r_", "s_", "tri", "tril", "triu", "vander", "zeros", "zeros_like",
]  # fmt: skip
