"""SciPy's LAPACK for one matrix, in the dtype given, and the loop over stacks of matrices.

Results for matrices that are not finite, or for which LAPACK fails, are NaN, as JAX's.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._functions.linear_algebra._matrices import adjoint
from supremum._kernels.lapack import is_finite
from supremum.scipy._evaluation import Library

_BLAS: Final = Library("scipy.linalg.blas")
_LAPACK: Final = Library("scipy.linalg.lapack")
_LINALG: Final = Library("scipy.linalg")
_LETTERS: Final = {np.dtype(char): letter for char, letter in zip("fdFD", "sdcz", strict=True)}
#: Routines that have another name for complex numbers.
_COMPLEX: Final = {"orgqr": "ungqr", "orghr": "unghr", "sytrd": "hetrd"}


def over_stack(function: Callable[..., tuple[Buffer, ...]], *stacks: Buffer) -> tuple[Buffer, ...]:
    """Apply a function of matrices, which returns a tuple, to each matrix of stacks that broadcast."""
    if all(x.ndim == 2 for x in stacks):
        return function(*stacks)
    batch = np.broadcast_shapes(*[x.shape[:-2] for x in stacks])
    given = [np.broadcast_to(x, (*batch, *x.shape[-2:])).reshape(prod(batch), *x.shape[-2:]) for x in stacks]
    results = [function(*matrices) for matrices in zip(*given, strict=True)]
    if not results:  # an empty stack has the shapes and dtypes of the results for a stack of one
        sample = function(*[np.zeros(x.shape[-2:], x.dtype) for x in given])
        return tuple([np.zeros((*batch, *part.shape), part.dtype) for part in sample])
    return tuple([np.stack(parts).reshape(*batch, *parts[0].shape) for parts in zip(*results, strict=True)])


def _routine(name: str, x: Buffer) -> Any:
    letter = _LETTERS[x.dtype]
    return getattr(_LAPACK, letter + (_COMPLEX.get(name, name) if letter in "cz" else name))


def _workspace(x: Buffer) -> int:
    """Return the length of a scratch buffer that lets LAPACK work by blocks of up to 64 columns."""
    return 65 * (max(x.shape) + 65)


def _nan(*parts: Buffer) -> tuple[Buffer, ...]:
    return tuple([np.full_like(part, np.nan) for part in parts])


def substitute(a: Buffer, b: Buffer, *, lower: bool, trans: int = 0, unit: bool = False) -> tuple[Buffer]:
    """Solve ``op(a) @ x = b``: `trans` is 1 for the transpose of the triangular `a`, 2 for its conjugate transpose."""
    if not b.size:
        return (b,)
    # The transposes of buffers in C's order are in Fortran's: x^T op(a)^T = b^T needs no copy of the matrix.
    solve = getattr(_BLAS, _LETTERS[a.dtype] + "trsm")
    return (solve(1, a.T, b.T, side=1, lower=not lower, trans_a=trans, diag=unit).T,)


def factor_lu(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return both factors of Gaussian elimination in one matrix, and the row that each step exchanged."""
    if not a.size:
        return a, np.zeros(min(a.shape), np.int32)
    factors, pivots, _ = _routine("getrf", a)(a)
    return factors, pivots


def permutation(pivots: Buffer, size: int) -> Buffer:
    """Return the orders of rows that exchanges of rows lead to."""
    orders = []
    for row in pivots.reshape(prod(pivots.shape[:-1]), pivots.shape[-1]).tolist():
        order = list(range(size))
        for k, p in enumerate(row):
            order[k], order[p] = order[p], order[k]
        orders.append(order)
    return np.array(orders, pivots.dtype).reshape(*pivots.shape[:-1], size)


def solve_lu(factors: Buffer, pivots: Buffer, b: Buffer, trans: int) -> tuple[Buffer]:
    """Solve with the results of `factor_lu`, the exchanged rows as a matrix of one row."""
    return (_routine("getrs", factors)(factors, pivots[0], b, trans)[0] if b.size else b,)


def solve_cholesky(factor: Buffer, b: Buffer, lower: bool) -> tuple[Buffer]:
    """Solve with a Cholesky factor."""
    return (_routine("potrs", factor)(factor, b, lower)[0] if b.size else b,)


def solve_positive(a: Buffer, b: Buffer, lower: bool) -> tuple[Buffer, ...]:
    """Solve with a positive-definite matrix, of which one triangle is read."""
    if not b.size:
        return (b,)
    _, found, info = _routine("posv", a)(a, b, lower)
    return _nan(found) if info else (found,)


def solve_tridiagonal(lower: Buffer, middle: Buffer, upper: Buffer, b: Buffer, perturb: bool) -> tuple[Buffer, ...]:
    """Solve with three diagonals, each as a matrix of one row: the first of `lower` and the last of `upper` are not read.

    With `perturb`, pivots below the smallest number of the dtype are replaced by its epsilon times the greatest element of
    the factors, so that all solutions are finite. Without it, the solutions of singular systems are NaN.
    """
    if not b.size:
        return (b,)
    n = middle.shape[-1]
    if n < 3:  # which the routines do not take: append equations x = 0
        zeros, ones = np.zeros((1, 3 - n), b.dtype), np.ones((1, 3 - n), b.dtype)
        lower, middle = np.append(lower, zeros, 1), np.append(middle, ones, 1)
        upper = np.append(upper[:, : n - 1], np.zeros((1, 4 - n), b.dtype), 1)
        b = np.append(b, np.zeros((3 - n, b.shape[1]), b.dtype), 0)
    below, pivots, above, second, order, info = _routine("gttrf", b)(lower[0, 1:], middle[0], upper[0, :-1])
    if perturb:
        limits = np.finfo(b.dtype)
        greatest = max(np.abs(part).max(initial=0) for part in (pivots, above, second))
        least = limits.eps * greatest or limits.smallest_normal
        pivots = np.where(np.abs(pivots) < limits.smallest_normal, np.where(pivots.real < 0, -least, least), pivots)
    found = _routine("gttrs", b)(below, pivots.astype(b.dtype), above, second, order, b)[0][:n]
    return _nan(found) if info and not perturb else (found,)


def reflections(vectors: Buffer, factors: Buffer) -> Buffer:
    """Return the first columns of a product of reflections, whose vectors are below the diagonal of a matrix."""
    return _routine("orgqr", vectors)(vectors, factors, lwork=_workspace(vectors))[0] if vectors.size else vectors


def factor_qr(a: Buffer, *, full: bool = False, pivoting: bool = False) -> tuple[Buffer, Buffer, Buffer]:
    """Return q and r of the QR decomposition, and the order of the columns."""
    q, r, *order = _LINALG.qr(a, mode="full" if full else "economic", pivoting=pivoting, check_finite=False)
    return q, r, order[0] if order else np.arange(a.shape[1], dtype=np.int32)


def reduce_hessenberg(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return the Hessenberg form with the vectors of the reflections below it, and their factors."""
    if len(a) < 2:
        return a, np.zeros(max(len(a) - 1, 0), a.dtype)
    form, scales, _ = _routine("gehrd", a)(a, lwork=_workspace(a))
    return form, scales


def hessenberg(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return the Hessenberg form h and the unitary q of ``a = q @ h @ q^H``."""
    h, q = _LINALG.hessenberg(a, calc_q=True, check_finite=False)
    return h, q


def reduce_tridiagonal(a: Buffer, *, lower: bool) -> tuple[Buffer, ...]:
    """Reduce a Hermitian matrix to three diagonals: the matrix with the vectors of reflections, the diagonals, the factors."""
    if not a.size:
        real = a.real.ravel()
        return a, real, real, a.ravel()
    return tuple(_routine("sytrd", a)(a, lower=lower, lwork=_workspace(a))[:4])


def schur(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return t and the unitary z of ``a = z @ t @ z^H``; t of a real matrix has blocks of one and two rows."""
    t, z, _ = _schur(a)
    return t, z


def _schur(a: Buffer) -> tuple[Buffer, Buffer, Buffer]:
    """Return the Schur form and the eigenvalues."""
    if not a.size:
        return a, a, a[0:0]
    if is_finite(a) or np.isfinite(a).all():
        t, _, *values, z, _, info = _routine("gees", a)(lambda *_value: None, a, lwork=_workspace(a))
        if not info:
            return t, z, values[0] if len(values) == 1 else values[0] + 1j * values[1]
    return (*_nan(a, a), np.full(len(a), np.nan))  # type: ignore[return-value]  # three of them


def to_complex(t: Buffer, z: Buffer) -> Any:
    """Return the complex Schur form of a real one."""
    if np.isfinite(t).all() and np.isfinite(z).all():
        return _LINALG.rsf2csf(t, z, check_finite=False)
    return _nan(*[x.astype(np.result_type(t, z, np.complex64)) for x in (t, z)])


def solve_sylvester(a: Buffer, b: Buffer, c: Buffer, tol: float) -> tuple[Buffer, ...]:
    """Solve ``a @ x + x @ b = c``; the result is NaN if a sum of eigenvalues is less than `tol`."""
    if not c.size:
        return (c,)
    r, u, first = _schur(a)
    s, v, second = _schur(b)
    if not (np.abs(first[:, None] + second) >= tol).all():
        return _nan(c)
    return (u @ solve_triangular_sylvester(r, s, adjoint(u) @ c @ v) @ adjoint(v),)


def solve_triangular_sylvester(a: Buffer, b: Buffer, c: Buffer) -> Buffer:
    """Solve ``a @ x + x @ b = c`` with Schur forms."""
    found, scale, _ = _routine("trsyl", c)(a, b, c)
    return found if scale == 1 else found / scale
