"""The QR algorithm with single shifts on complex Hessenberg matrices, with the decisions of LAPACK's xLAHQR.

The elements below the diagonal are kept real, as there, so that the vectors have the same phases.
"""

from __future__ import annotations

import cmath
import math

import numpy as np

from supremum._base.buffers import Buffer
from supremum.scipy.linalg._schur_real import EXCEPTIONAL_EVERY, SMALLEST, bands, most_steps

__all__ = ["iterate"]


def iterate(h: Buffer, z: Buffer, low: int, high: int, epsilon: float) -> bool:
    """Make rows `low` to `high` of a Hessenberg matrix triangular, in place; return whether that converged.

    `z` is multiplied from the right by the unitary matrix that does it.
    """
    n = len(h)
    both = np.concatenate([z, h])  # columns of both are combined in one step
    work = both[n:]
    for i in range(low + 1, high + 1):
        beside = complex(work[i, i - 1])
        if beside.imag != 0:
            turn = beside.conjugate() / abs(beside)
            work[i, i - 1] = abs(beside)
            work[i, i:] *= turn
            both[: n + min(n, i + 2), i] *= turn.conjugate()
    tiny = SMALLEST * ((high - low + 1) / epsilon)
    last = high
    converged = True
    while converged and last >= low:
        last, converged = _isolate(work, both, low, last, high, epsilon, tiny)
        last -= 1
    z[...], h[...] = both[:n], work
    return converged


def _size(x: complex) -> float:
    """Return the sum of the magnitudes of the parts, by which LAPACK compares complex numbers."""
    return abs(x.real) + abs(x.imag)


def _isolate(h: Buffer, both: Buffer, low: int, last: int, high: int, epsilon: float, tiny: float) -> tuple[int, bool]:
    """Make steps until the last row separates; return its number."""
    first = low
    for step in range(1, most_steps(high - low + 1) + 2):
        diagonals = bands(h)
        first = _begin_of_block(*diagonals, first, last, low, high, epsilon, tiny)
        if first > low:
            h[first, first - 1] = 0
        if first >= last:
            return first, True
        shift = _shift(h, first, last, step)
        _step(h, both, *_begin_of_bulge(*diagonals[:2], first, last, shift, epsilon), first, last)
    return first, False


def _begin_of_block(
    below: list[complex], main: list[complex], above: list[complex], first: int, last: int, low: int, high: int,
    epsilon: float, tiny: float,
) -> int:  # fmt: skip
    """Return the first row of the block that ends at `last` and has no zero beside its diagonal (Ahues and Tisseur 1997)."""
    for k in range(last, first, -1):
        beside = _size(below[k - 1])
        if beside <= tiny:
            return k
        before, here = main[k - 1], main[k]
        size = _size(before) + _size(here)
        if size == 0:
            size += abs(below[k - 2].real) if k - 2 >= low else 0.0
            size += abs(below[k].real) if k + 1 <= high else 0.0
        if abs(below[k - 1].real) <= epsilon * size:
            other = _size(above[k - 1])
            ab, ba = max(beside, other), min(beside, other)
            aa, bb = max(_size(here), _size(before - here)), min(_size(here), _size(before - here))
            s = aa + ab
            if ba * (ab / s) <= max(tiny, epsilon * (bb * (aa / s))):
                return k
    return first


def _shift(h: Buffer, first: int, last: int, step: int) -> complex:
    """Return the eigenvalue of the last block of two rows that is nearer to its last element (J. Wilkinson)."""
    if step % (2 * EXCEPTIONAL_EVERY) == 0:
        return complex(h[last, last] + 0.75 * abs(h[last, last - 1].real))
    if step % EXCEPTIONAL_EVERY == 0:
        return complex(h[first, first] + 0.75 * abs(h[first + 1, first].real))
    (a, b), (c, d) = h[last - 1 : last + 1, last - 1 : last + 1].tolist()
    product = cmath.sqrt(b) * cmath.sqrt(c)
    if product == 0:
        return complex(d)
    half = (a - d) / 2
    s = max(_size(product), _size(half))
    root = s * cmath.sqrt((half / s) ** 2 + (product / s) ** 2)
    if half.real * root.real + half.imag * root.imag < 0:
        root = -root
    return complex(d - product * (product / (half + root)))


def _begin_of_bulge(
    below: list[complex], main: list[complex], first: int, last: int, shift: complex, epsilon: float
) -> tuple[int, list[complex]]:
    """Return the row where a step may begin because of two small elements beside the diagonal, and its first column."""
    m = last - 1
    while True:
        here, after = main[m], main[m + 1]
        offset, beside = here - shift, below[m].real
        s = _size(offset) + abs(beside)
        offset, beside = offset / s, beside / s
        if m == first or abs(below[m - 1].real) * abs(beside) <= epsilon * (_size(offset) * (_size(here) + _size(after))):
            return m, [offset, beside]
        m -= 1


def _step(h: Buffer, both: Buffer, begin: int, column: list[complex], first: int, last: int) -> None:
    """Chase the bulge of a step, which begins with a column, down to the last row."""
    n = len(h)
    for k in range(begin, last):
        if k > begin:
            column = h[k : k + 2, k - 1].tolist()
        beta, reflection = _reflection(*column)
        if k > begin:
            h[k, k - 1], h[k + 1, k - 1] = beta, 0
        rows = h[k : k + 2, k:]
        rows[...] = reflection.conj().T @ rows
        columns = both[: n + min(k + 2, last) + 1, k : k + 2]
        columns[...] = columns @ reflection
        if k == begin > first:
            _turn_rest(h, both, begin, last, complex(reflection[0, 0]))
    beside = complex(h[last, last - 1])
    if beside.imag != 0:
        turn = beside / abs(beside)
        h[last, last - 1] = abs(beside)
        h[last, last + 1 :] *= turn.conjugate()
        both[: n + last, last] *= turn


def _turn_rest(h: Buffer, both: Buffer, m: int, last: int, turn: complex) -> None:
    """Make the element to the left of row `m` real again, after a step that began there."""
    n = len(h)
    turn /= abs(turn)
    h[m + 1, m] *= turn.conjugate()
    if m + 2 <= last:
        h[m + 2, m + 1] *= turn
    for j in range(m, last + 1):
        if j != m + 1:
            h[j, j + 1 :] *= turn
            both[: n + j, j] *= turn.conjugate()


def _reflection(first: complex, second: complex) -> tuple[float, Buffer]:
    """Return what becomes of the first of two elements, and the matrix of the reflection whose adjoint zeroes the other."""
    if second == 0 and first.imag == 0:
        return first.real, np.eye(2, dtype=np.complex128)
    beta = -math.copysign(math.hypot(first.real, first.imag, abs(second)), first.real)
    v, tau = second / (first - beta), (beta - first) / beta
    turned = tau * v.conjugate()
    return beta, np.array([[1 - tau, -turned], [-tau * v, 1 - turned * v]])
