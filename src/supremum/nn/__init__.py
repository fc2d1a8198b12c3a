"""Activation functions and their companions, as ``jax.nn`` has them."""

from typing import TYPE_CHECKING

from supremum._base.boundary import missing_from
from supremum.nn import activations, attention, initializers as initializers, normalization, scaled
from supremum.nn.activations import *
from supremum.nn.attention import *
from supremum.nn.normalization import *
from supremum.nn.scaled import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (activations, attention, normalization, scaled) for name in module.__all__]
    __getattr__ = missing_from(__name__)
