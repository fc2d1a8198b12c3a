"""Kernels of the Schur decomposition, in double precision, as LAPACK's xGEES: what is isolated, Hessenberg form, QR algorithm.

LAPACK has another algorithm for more than 75 rows, with several shifts and early deflation; there the order of the eigenvalues
can differ.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum.promotion._nodes import Node
from supremum.scipy.linalg import _schur_complex, _schur_real
from supremum.scipy.linalg._reflections import hessenberg

__all__ = ["complex_schur", "epsilon_of", "real_schur", "to_complex"]

_EPSILON: Final = 2.0**-52


def epsilon_of(node: Node) -> float:
    """Return the relative magnitude below which JAX, which computes in the dtype of a node, drops elements.

    With that of double precision for float32, the steps would be others, and so would the order of the eigenvalues.
    """
    return _EPSILON if node.real.bits == 64 else 2.0**-23


def complex_schur(a: Buffer, epsilon: float = _EPSILON) -> tuple[Buffer, Buffer]:
    """Return the triangular t and the unitary z of ``a = z @ t @ z^H``; NaN if the algorithm does not converge."""
    return _schur(a.astype(np.complex128), epsilon)


def real_schur(a: Buffer, epsilon: float = _EPSILON) -> tuple[Buffer, Buffer]:
    """Return t with blocks of one and two rows on its diagonal, and the orthogonal z of ``a = z @ t @ z.T``."""
    return _schur(a, epsilon)


def _schur(a: Buffer, epsilon: float) -> tuple[Buffer, Buffer]:
    iterate, below = (_schur_complex.iterate, 0) if a.dtype.kind == "c" else (_schur_real.iterate, -1)
    if np.isfinite(a).all():
        order, low, high = _isolated(a)
        h, q = hessenberg(a[np.ix_(order, order)], low, high)
        if iterate(h, q, low, high, epsilon):
            z = np.empty_like(q)
            z[order] = q
            return np.triu(h, below), z
    return np.full_like(a, np.nan), np.full_like(a, np.nan)


def _isolated(a: Buffer) -> tuple[list[int], int, int]:
    """Return an order of rows and columns in which the first and the last ones are triangular, and the bounds of the others.

    They are found and exchanged in the order of LAPACK's xGEBAL.
    """
    n = len(a)
    linked = a != 0
    np.fill_diagonal(linked, False)
    order = list(range(n))
    low, high = 0, n - 1

    def exchange(i: int, j: int) -> None:
        order[i], order[j] = order[j], order[i]

    found = True
    while found and high > 0:  # rows that are zero but for the diagonal go to the end
        found = False
        for i in range(high, -1, -1):
            if not linked[order[i], order[: high + 1]].any():
                exchange(i, high)
                found, high = True, high - 1
                if high <= 0:
                    break
    found = True
    while found and low < high:  # columns go to the beginning
        found = False
        for j in range(low, high + 1):
            if not linked[order[low : high + 1], order[j]].any():
                exchange(j, low)
                found, low = True, low + 1
    return order, low, max(high, low)


def _rotation(x: complex, y: complex) -> Buffer:
    """Return the rotation that turns ``(x, y)`` into ``(r, 0)``, for a real y."""
    r = math.hypot(abs(x), abs(y))
    return np.array([[np.conj(x) / r, y / r], [-y / r, x / r]])


def to_complex(t: Buffer, z: Buffer) -> tuple[Buffer, Buffer]:
    """Return the complex Schur form of a real one, with the rotations of SciPy's `rsf2csf`."""
    t, z = t.astype(np.complex128), z.astype(np.complex128)
    n = len(t)
    for m in range(n - 1, 0, -1):
        if abs(t[m, m - 1]) > _EPSILON * (abs(t[m - 1, m - 1]) + abs(t[m, m])):
            value = np.linalg.eigvals(t[m - 1 : m + 1, m - 1 : m + 1])[0]
            g = _rotation(value - t[m, m], t[m, m - 1])
            t[m - 1 : m + 1, m - 1 :] = g @ t[m - 1 : m + 1, m - 1 :]
            t[: m + 1, m - 1 : m + 1] = t[: m + 1, m - 1 : m + 1] @ g.conj().T
            z[:, m - 1 : m + 1] = z[:, m - 1 : m + 1] @ g.conj().T
        t[m, m - 1] = 0
    return t, z
