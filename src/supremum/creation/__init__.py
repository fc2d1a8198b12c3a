"""Creation functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403 - each module's __all__ is the list of what it gives

from supremum._arguments import check_device as check_device
from supremum.creation import conversion, filled, grids, matrices, ranges, windows
from supremum.creation.conversion import *
from supremum.creation.filled import *
from supremum.creation.grids import *
from supremum.creation.matrices import *
from supremum.creation.ranges import *
from supremum.creation.windows import *

_MODULES = (conversion, filled, grids, matrices, ranges, windows)
__all__ = sorted(name for module in _MODULES for name in module.__all__)  # noqa: PLE0605 - a list all the same
