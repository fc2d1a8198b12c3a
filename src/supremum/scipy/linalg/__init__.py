"""Linear algebra of ``jax.scipy.linalg``, beyond `supremum.linalg`.

NumPy's LAPACK computes what `supremum.linalg` has too, SciPy's the rest, in float32, float64 and their complex dtypes.
Matrices of narrow floats are computed in float32 and rounded once.
"""

from typing import TYPE_CHECKING

from supremum.scipy.linalg import (
    _factorizations as _decompositions,
    _linear_systems as _solving,
    _matrix_functions,
    _special_matrices,
)
from supremum.scipy.linalg._factorizations import *
from supremum.scipy.linalg._linear_systems import *
from supremum.scipy.linalg._matrix_functions import *
from supremum.scipy.linalg._special_matrices import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (_decompositions, _matrix_functions, _solving, _special_matrices) for name in module.__all__]
