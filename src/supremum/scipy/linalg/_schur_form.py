"""Kernels of the Schur decomposition: the shifted QR algorithm on the Hessenberg form, in double precision."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum.scipy.linalg._reflections import hessenberg

__all__ = ["complex_schur", "real_schur", "to_complex"]

_EPSILON: Final = 2.0**-52
#: Steps for one eigenvalue before the matrix counts as one that does not converge.
_MOST_STEPS: Final = 60


def _all_nan(a: Buffer) -> tuple[Buffer, Buffer]:
    out = np.full_like(a, np.nan)
    return out, out.copy()


def _is_small(h: Buffer, k: int) -> bool:
    """Whether the element beside the diagonal counts as zero."""
    size = abs(h[k - 1, k - 1]) + abs(h[k, k])
    return bool(abs(h[k, k - 1]) <= _EPSILON * (size or np.abs(h).max(initial=0.0)))


def _active_block(h: Buffer, high: int) -> int:
    """Return where the block that ends at `high` begins, and zero the element that separates it."""
    low = high
    while low > 0:
        if _is_small(h, low):
            h[low, low - 1] = 0
            break
        low -= 1
    return low


def _rotate(h: Buffer, z: Buffer, k: int, g: Buffer) -> None:
    """Apply a rotation of the rows and columns k and k + 1."""
    h[k : k + 2, max(k - 1, 0) :] = g @ h[k : k + 2, max(k - 1, 0) :]
    h[: k + 3, k : k + 2] = h[: k + 3, k : k + 2] @ g.conj().T
    z[:, k : k + 2] = z[:, k : k + 2] @ g.conj().T


def _rotation(x: complex, y: complex) -> Buffer:
    """Return the rotation that turns ``(x, y)`` into ``(r, 0)``."""
    r = math.hypot(abs(x), abs(y))
    if r == 0:
        return np.eye(2, dtype=np.result_type(x, y))
    return np.array([[np.conj(x) / r, np.conj(y) / r], [-y / r, x / r]])


def complex_schur(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return the triangular t and the unitary z of ``a = z @ t @ z^H``; NaN if the algorithm does not converge."""
    a = a.astype(np.complex128)
    if not np.isfinite(a).all():
        return _all_nan(a)
    h, z = hessenberg(a)
    high, steps = len(a) - 1, 0
    while high > 0:
        low = _active_block(h, high)
        if low == high:
            high, steps = high - 1, 0
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return _all_nan(a)
        shift = _shift(h[high - 1 : high + 1, high - 1 : high + 1])
        if steps % 10 == 0:  # an exceptional shift breaks cycles
            shift = h[high, high] + abs(h[high, high - 1])
        x, y = h[low, low] - shift, h[low + 1, low]
        for k in range(low, high):
            _rotate(h, z, k, _rotation(x, y))
            if k < high - 1:
                x, y = h[k + 1, k], h[k + 2, k]
    return np.triu(h), z


def _shift(block: Buffer) -> complex:
    """Return the eigenvalue of a matrix of two rows that is nearer to its last element."""
    (a, b), (c, d) = block
    half = (a - d) / 2
    root = np.sqrt(half * half + b * c)
    mean = (a + d) / 2
    return complex(min(mean + root, mean - root, key=lambda value: abs(value - d)))


def real_schur(a: Buffer) -> tuple[Buffer, Buffer]:
    """Return t with blocks of one and two rows on its diagonal, and the orthogonal z of ``a = z @ t @ z.T``."""
    if not np.isfinite(a).all():
        return _all_nan(a)
    h, z = hessenberg(a)
    high, steps = len(a) - 1, 0
    while high > 0:
        low = _active_block(h, high)
        if low >= high - 1:
            if low == high - 1:
                _standardize(h, z, low)
            high, steps = low - 1, 0
            continue
        steps += 1
        if steps > _MOST_STEPS:
            return _all_nan(a)
        _double_step(h, z, low, high, exceptional=steps % 10 == 0)
    return np.triu(h, -1), z


def _double_step(h: Buffer, z: Buffer, low: int, high: int, *, exceptional: bool) -> None:
    """Make one step with two shifts, which are real or a pair of conjugates (J. Francis)."""
    trace = h[high - 1, high - 1] + h[high, high]
    determinant = h[high - 1, high - 1] * h[high, high] - h[high - 1, high] * h[high, high - 1]
    if exceptional:
        size = abs(h[high, high - 1]) + abs(h[high - 1, high - 2])
        trace, determinant = 1.5 * size, size * size
    column = np.array(
        [
            h[low, low] ** 2 + h[low, low + 1] * h[low + 1, low] - trace * h[low, low] + determinant,
            h[low + 1, low] * (h[low, low] + h[low + 1, low + 1] - trace),
            h[low + 1, low] * h[low + 2, low + 1],
        ]
    )
    for k in range(low, high):
        rows = slice(k, min(k + 3, high + 1))
        vector = column[: rows.stop - rows.start].copy()
        size = np.linalg.norm(vector)
        if size != 0:
            vector[0] += math.copysign(size, vector[0])
            vector *= math.sqrt(2) / np.linalg.norm(vector)
            left = h[rows, max(k - 1, low) :]
            left -= np.outer(vector, vector @ left)
            right = h[: min(k + 4, high + 1), rows]
            right -= np.outer(right @ vector, vector)
            right = z[:, rows]
            right -= np.outer(right @ vector, vector)
        if k > low:
            h[k + 1 : rows.stop, k - 1] = 0
        column = h[k + 1 : min(k + 4, high + 1), k]


def _standardize(h: Buffer, z: Buffer, k: int) -> None:
    """Make a block of two rows triangular if its eigenvalues are real, else make its diagonal elements equal."""
    a, b, c, d = h[k, k], h[k, k + 1], h[k + 1, k], h[k + 1, k + 1]
    if c == 0:
        return
    half = (a - d) / 2
    discriminant = half * half + b * c
    if discriminant >= 0:
        root = math.sqrt(discriminant)
        # (value - d, c) is an eigenvector, of the eigenvalue without cancellation.
        offset = half + math.copysign(root, half)
        g = _rotation(offset, c)
    else:
        g = _equalizing(a, b, c, d)
    h[k : k + 2, k:] = g @ h[k : k + 2, k:]
    h[: k + 2, k : k + 2] = h[: k + 2, k : k + 2] @ g.T
    z[:, k : k + 2] = z[:, k : k + 2] @ g.T
    if discriminant >= 0:
        h[k + 1, k] = 0
    else:
        h[k, k] = h[k + 1, k + 1] = (h[k, k] + h[k + 1, k + 1]) / 2


def _equalizing(a: float, b: float, c: float, d: float) -> Buffer:
    """Return the rotation that makes the diagonal elements of a block equal."""
    # With cos and sin of t, the new difference is (a - d) cos(2 t) + (b + c) sin(2 t).
    t = 0.5 * math.atan2(d - a, b + c)
    return np.array([[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]])


def to_complex(t: Buffer, z: Buffer) -> tuple[Buffer, Buffer]:
    """Return the complex Schur form of a real one."""
    t, z = t.astype(np.complex128), z.astype(np.complex128)
    n = len(t)
    for m in range(n - 1, 0, -1):
        if abs(t[m, m - 1]) > _EPSILON * (abs(t[m - 1, m - 1]) + abs(t[m, m])):
            block = t[m - 1 : m + 1, m - 1 : m + 1]
            mean, half = (block[0, 0] + block[1, 1]) / 2, (block[0, 0] - block[1, 1]) / 2
            value = mean + np.sqrt(half * half + block[0, 1] * block[1, 0])
            g = _rotation(value - t[m, m], t[m, m - 1])
            t[m - 1 : m + 1, m - 1 :] = g @ t[m - 1 : m + 1, m - 1 :]
            t[: m + 1, m - 1 : m + 1] = t[: m + 1, m - 1 : m + 1] @ g.conj().T
            z[:, m - 1 : m + 1] = z[:, m - 1 : m + 1] @ g.conj().T
        t[m, m - 1] = 0
    return t, z
