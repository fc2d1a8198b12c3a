"""Elementwise functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403 - each module's __all__ is the list of what it gives

from supremum.elementwise import (
    _ufunc,
    arithmetic,
    bits,
    comparison,
    complex_parts,
    exponential,
    floating,
    rounding,
    trigonometry,
)
from supremum.elementwise._ufunc import *
from supremum.elementwise.arithmetic import *
from supremum.elementwise.bits import *
from supremum.elementwise.comparison import *
from supremum.elementwise.complex_parts import *
from supremum.elementwise.exponential import *
from supremum.elementwise.floating import *
from supremum.elementwise.rounding import *
from supremum.elementwise.trigonometry import *

_MODULES = (_ufunc, arithmetic, bits, comparison, complex_parts, exponential, floating, rounding, trigonometry)
__all__ = sorted(name for module in _MODULES for name in module.__all__)  # noqa: PLE0605 - a list all the same
