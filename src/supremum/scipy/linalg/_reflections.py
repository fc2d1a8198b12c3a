"""Kernels made of Householder reflections: the Hessenberg form and the QR decomposition with pivots, in double precision.

A reflection is ``1 - tau * outer(v, conj(v))`` with a vector whose first element is 1. Signs are LAPACK's.
"""

from __future__ import annotations

import math

import numpy as np

from supremum._base.buffers import Buffer

__all__ = ["decompose", "hessenberg", "hessenberg_factors", "product", "tridiagonal_factors"]


def _reflection(x: Buffer) -> tuple[complex, Buffer, complex]:
    """Return what becomes of the first element, and the vector and the factor of the reflection that zeroes the others."""
    first, rest = x[0], x[1:]
    size = float(np.linalg.norm(rest))
    v = np.zeros_like(x)
    v[0] = 1
    if size == 0 and first.imag == 0:
        return first, v, 0.0
    beta = -math.copysign(math.hypot(first.real, first.imag, size), first.real)
    v[1:] = rest / (first - beta)
    return beta, v, (beta - first) / beta


def _from_left(a: Buffer, v: Buffer, tau: complex) -> None:
    """Multiply a matrix by the adjoint of a reflection, in place."""
    a -= np.conj(tau) * np.outer(v, v.conj() @ a)


def _from_right(a: Buffer, v: Buffer, tau: complex) -> None:
    """Multiply a matrix by a reflection from the right, in place."""
    a -= tau * np.outer(a @ v, v.conj())


def hessenberg_factors(a: Buffer, low: int = 0, high: int | None = None) -> tuple[Buffer, Buffer]:
    """Return the Hessenberg form of a matrix with the vectors of the reflections below it, and their factors.

    The rows before `low` and after `high` are triangular already.
    """
    a = a.copy()
    n = len(a)
    end = n if high is None else high + 1
    taus = np.zeros(max(n - 1, 0), a.dtype)
    for i in range(low, end - 1):
        beta, v, tau = _reflection(a[i + 1 : end, i])
        _from_right(a[:end, i + 1 : end], v, tau)
        _from_left(a[i + 1 : end, i + 1 :], v, tau)
        a[i + 1, i] = beta
        a[i + 2 : end, i] = v[1:]
        taus[i] = tau
    return a, taus


def product(vectors: Buffer, taus: Buffer, columns: int) -> Buffer:
    """Return the first columns of the product of reflections, whose vectors are below the diagonal of a matrix."""
    rows = len(vectors)
    out = np.eye(rows, columns, dtype=vectors.dtype)
    for i in range(len(taus) - 1, -1, -1):
        v = np.zeros(rows, vectors.dtype)
        v[i] = 1
        v[i + 1 :] = vectors[i + 1 :, i]
        out -= taus[i] * np.outer(v, v.conj() @ out)
    return out


def hessenberg(a: Buffer, low: int = 0, high: int | None = None) -> tuple[Buffer, Buffer]:
    """Return the Hessenberg form h and the unitary q of ``a = q @ h @ q^H``; `low` and `high` as in `hessenberg_factors`."""
    n = len(a)
    factors, taus = hessenberg_factors(a, low, high)
    q = np.eye(n, dtype=a.dtype)
    if n > 1:
        q[1:, 1:] = product(factors[1:, :-1], taus, n - 1)
    return np.triu(factors, -1), q


def decompose(a: Buffer, *, pivoting: bool = False) -> tuple[Buffer, Buffer, Buffer]:
    """Return the QR decomposition as LAPACK stores it: r with the vectors below it, the factors, the order of the columns."""
    a = a.copy()
    rows, columns = a.shape
    order = np.arange(columns, dtype=np.int32)
    taus = np.zeros(min(rows, columns), a.dtype)
    for i in range(min(rows, columns)):
        if pivoting:
            p = i + int(np.argmax(np.linalg.norm(a[i:, i:], axis=0)))
            a[:, [i, p]] = a[:, [p, i]]
            order[[i, p]] = order[[p, i]]
        beta, v, tau = _reflection(a[i:, i])
        _from_left(a[i:, i + 1 :], v, tau)
        a[i, i] = beta
        a[i + 1 :, i] = v[1:]
        taus[i] = tau
    return a, taus, order


def tridiagonal_factors(a: Buffer, *, lower: bool) -> tuple[Buffer, Buffer, Buffer, Buffer]:
    """Reduce a Hermitian matrix to three diagonals: the matrix with the vectors, the two diagonals, the factors.

    One triangle is read, without the imaginary parts of the diagonal; the other one is returned as it is.
    """
    if not lower:  # reflections begin at the last column
        turned, diagonal, beside, taus = tridiagonal_factors(a[::-1, ::-1], lower=True)
        return turned[::-1, ::-1].copy(), diagonal[::-1].copy(), beside[::-1].copy(), taus[::-1].copy()
    triangle = np.tril(a, -1)
    factors, taus = hessenberg_factors(triangle + np.diag(np.real(np.diag(a))) + triangle.conj().T)
    diagonal, beside = np.real(np.diag(factors)).copy(), np.real(np.diag(factors, -1)).copy()
    return np.tril(factors, -1) + np.diag(diagonal) + np.triu(a, 1), diagonal, beside, taus
