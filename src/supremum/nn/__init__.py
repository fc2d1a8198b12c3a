"""Activation functions and their companions, as ``jax.nn`` has them."""

from typing import TYPE_CHECKING

from supremum.nn import activations, normalization
from supremum.nn.activations import *
from supremum.nn.normalization import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (activations, normalization) for name in module.__all__]
