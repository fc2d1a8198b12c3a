"""Creation functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403, F405 - each module's __all__ is the list of what it gives; a test compares this one with them

from supremum._arguments import check_device as check_device
from supremum.creation.conversion import *
from supremum.creation.filled import *
from supremum.creation.grids import *
from supremum.creation.matrices import *
from supremum.creation.ranges import *
from supremum.creation.windows import *

__all__ = [
    "arange", "array", "asarray", "bartlett", "blackman", "c_", "copy", "diag", "diagflat", "diagonal", "empty", "empty_like",
    "eye", "from_dlpack", "frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "full", "full_like", "geomspace",
    "hamming", "hanning", "identity", "index_exp", "indices", "ix_", "kaiser", "linspace", "logspace", "meshgrid", "mgrid",
    "ogrid", "ones", "ones_like", "r_", "s_", "tri", "tril", "triu", "vander", "zeros", "zeros_like",
]  # fmt: skip
