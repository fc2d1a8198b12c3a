"""Probability distributions and statistics of samples, of ``jax.scipy.stats``.

A distribution is a module, whose functions compute in float64 and round once. Parameters broadcast and promote.
"""

from typing import TYPE_CHECKING

from supremum.scipy.stats import _continuous, _density_estimation, _discrete, _samples
from supremum.scipy.stats._continuous import *
from supremum.scipy.stats._density_estimation import *
from supremum.scipy.stats._discrete import *
from supremum.scipy.stats._samples import *
from supremum.scipy.stats._samples import ModeResult as ModeResult

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (_continuous, _density_estimation, _discrete, _samples) for name in module.__all__]
