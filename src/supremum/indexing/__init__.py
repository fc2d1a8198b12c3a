"""Indexing functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403 - each module's __all__ is the list of what it gives

from supremum.indexing import gather, positions, scatter
from supremum.indexing.gather import *
from supremum.indexing.positions import *
from supremum.indexing.scatter import *

_MODULES = (gather, positions, scatter)
__all__ = sorted(name for module in _MODULES for name in module.__all__)  # noqa: PLE0605 - a list all the same
