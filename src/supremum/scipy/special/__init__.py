"""Special functions of ``jax.scipy.special``."""

from typing import TYPE_CHECKING

from supremum.scipy.special import _gamma_functions, _integrals, _logarithms, _series
from supremum.scipy.special._gamma_functions import *
from supremum.scipy.special._integrals import *
from supremum.scipy.special._logarithms import *
from supremum.scipy.special._series import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (_gamma_functions, _integrals, _logarithms, _series) for name in module.__all__]
