"""Linear algebra: the standard's extension, and the further names of `jax.numpy.linalg`.

Narrow floats are computed in float32 and rounded once. Matrices that LAPACK cannot decompose become NaN, without
an exception; `LinAlgError` is NumPy's, for ``except`` clauses.
"""

from typing import TYPE_CHECKING

from supremum._base.boundary import missing_from
from supremum.linalg import _decompositions, _norms, _products, _solving
from supremum.linalg._decompositions import *
from supremum.linalg._norms import *
from supremum.linalg._products import *
from supremum.linalg._solving import *

if not TYPE_CHECKING:  # type checkers follow the imports
    __all__ = [name for module in (_decompositions, _norms, _products, _solving) for name in module.__all__]
    __getattr__ = missing_from(__name__)
