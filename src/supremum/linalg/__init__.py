"""Linear algebra: the standard's extension, and the further names of `jax.numpy.linalg`.

Narrow floats are computed in float32 and rounded once. Matrices that LAPACK cannot decompose become NaN, without
an exception.
"""

from supremum._functions.manipulation import matrix_transpose
from supremum.linalg._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from supremum.linalg._norms import cond, matrix_norm, norm, vector_norm
from supremum.linalg._products import cross, diagonal, matmul, multi_dot, outer, tensordot, trace, vecdot
from supremum.linalg._solving import (
    det,
    inv,
    lstsq,
    matrix_power,
    matrix_rank,
    pinv,
    slogdet,
    solve,
    tensorinv,
    tensorsolve,
)

__all__ = [
    "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet",
    "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip
