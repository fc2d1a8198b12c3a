"""Elementwise functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403 - a module exports what it defines
# mypy: no-implicit-reexport
from typing import TYPE_CHECKING

from supremum._functions.elementwise._ufunc import *
from supremum._functions.elementwise.angles import *
from supremum._functions.elementwise.arithmetic import *
from supremum._functions.elementwise.bits import *
from supremum._functions.elementwise.comparison import *
from supremum._functions.elementwise.complex_parts import *
from supremum._functions.elementwise.exponential import *
from supremum._functions.elementwise.floating import *
from supremum._functions.elementwise.rounding import *
from supremum._functions.elementwise.trigonometry import *

if not TYPE_CHECKING:  # a type checker follows the imports
    __all__ = [name for name in sorted(vars()) if callable(globals()[name])]
