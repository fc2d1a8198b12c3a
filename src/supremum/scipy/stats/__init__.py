"""Probability distributions and statistics of samples, of ``jax.scipy.stats``.

A distribution is a module, whose functions compute in float64 and round once. Parameters broadcast and promote.
"""

from typing import TYPE_CHECKING

from supremum.scipy.stats import _continuous, _density_estimation, _discrete, _samples
from supremum.scipy.stats._continuous import *
from supremum.scipy.stats._density_estimation import *
from supremum.scipy.stats._discrete import *
from supremum.scipy.stats._samples import *

if not TYPE_CHECKING:  # type checkers follow the imports
    _modules = _continuous, _density_estimation, _discrete, _samples
    __all__ = [name for module in _modules for name in module.__all__ if name != "ModeResult"]
