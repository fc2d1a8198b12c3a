"""Indexing functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403, F405 - each module's __all__ is the list of what it gives; a test compares this one with them

from supremum._functions.indexing.gather import *
from supremum._functions.indexing.positions import *
from supremum._functions.indexing.scatter import *

__all__ = [
    "choose", "compress", "diag_indices", "diag_indices_from", "extract", "fill_diagonal", "mask_indices", "place", "put",
    "put_along_axis", "ravel_multi_index", "select", "take", "take_along_axis", "tril_indices", "tril_indices_from",
    "triu_indices", "triu_indices_from", "unravel_index",
]  # fmt: skip
