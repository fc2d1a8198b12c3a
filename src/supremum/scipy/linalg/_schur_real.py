"""The QR algorithm with double shifts on real Hessenberg matrices (J. Francis), with the decisions of LAPACK's xLAHQR.

LAPACK decides which elements count as zero, which shifts are used, and how a block of two rows is standardized. With the same
decisions the eigenvalues have the same order, and the vectors the same signs.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer

__all__ = ["EXCEPTIONAL_EVERY", "SMALLEST", "bands", "iterate", "most_steps"]

SMALLEST: Final = float(np.finfo(np.float64).tiny)
#: After so many steps without a new eigenvalue the shifts are exceptional ones, which break cycles.
EXCEPTIONAL_EVERY: Final = 10


def most_steps(n: int) -> int:
    """Return the number of steps for one eigenvalue after which the algorithm counts as one that does not converge."""
    return 30 * max(10, n)


def iterate(h: Buffer, z: Buffer, low: int, high: int, epsilon: float) -> bool:
    """Make rows `low` to `high` of a Hessenberg matrix quasi-triangular, in place; return whether that converged.

    `z` is multiplied from the right by the orthogonal matrix that does it.
    """
    n = len(h)
    both = np.concatenate([z, h])  # columns of both are combined in one step
    work = both[n:]
    tiny = SMALLEST * ((high - low + 1) / epsilon)
    last = high
    converged = True
    while converged and last >= low:
        first, converged = _isolate(work, both, low, last, high, epsilon, tiny)
        if first == last - 1:
            _standardize(work, both, first, epsilon)
        last = first - 1
    z[...], h[...] = both[:n], work
    return converged


def _isolate(h: Buffer, both: Buffer, low: int, last: int, high: int, epsilon: float, tiny: float) -> tuple[int, bool]:
    """Make steps until the block of one or two rows that ends at `last` separates; return where it begins."""
    first = low
    for step in range(1, most_steps(high - low + 1) + 2):
        diagonals = bands(h)
        first = _begin_of_block(*diagonals, first, last, low, high, epsilon, tiny)
        if first > low:
            h[first, first - 1] = 0
        if first >= last - 1:
            return first, True
        shifts = _shifts(h, first, last, step)
        _step(h, both, *_begin_of_bulge(*diagonals, first, last, shifts, epsilon), first, last)
    return first, False


def bands(h: Buffer) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the diagonals below, on and above the main one."""
    return h.diagonal(-1).tolist(), h.diagonal().tolist(), h.diagonal(1).tolist()


def _begin_of_block(
    below: list[float], main: list[float], above: list[float], first: int, last: int, low: int, high: int,
    epsilon: float, tiny: float,
) -> int:  # fmt: skip
    """Return the first row of the block that ends at `last` and has no zero beside its diagonal (Ahues and Tisseur 1997)."""
    for k in range(last, first, -1):
        beside = abs(below[k - 1])
        if beside <= tiny:
            return k
        before, here = main[k - 1], main[k]
        size = abs(before) + abs(here)
        if size == 0:
            size += abs(below[k - 2]) if k - 2 >= low else 0.0
            size += abs(below[k]) if k + 1 <= high else 0.0
        if beside <= epsilon * size:
            other = abs(above[k - 1])
            ab, ba = max(beside, other), min(beside, other)
            aa, bb = max(abs(here), abs(before - here)), min(abs(here), abs(before - here))
            s = aa + ab
            if ba * (ab / s) <= max(tiny, epsilon * (bb * (aa / s))):
                return k
    return first


def _shifts(h: Buffer, first: int, last: int, step: int) -> tuple[float, float, float]:
    """Return the real parts of two shifts, and the imaginary part of the first, whose negative is that of the second."""
    if step % EXCEPTIONAL_EVERY == 0:
        top, corner = (last - 2, last) if step % (2 * EXCEPTIONAL_EVERY) == 0 else (first, first)
        s = abs(float(h[top + 1, top])) + abs(float(h[top + 2, top + 1]))
        a = d = 0.75 * s + float(h[corner, corner])
        b, c = -0.4375 * s, s
    else:
        (a, b), (c, d) = h[last - 1 : last + 1, last - 1 : last + 1].tolist()
    s = abs(a) + abs(b) + abs(c) + abs(d)
    if s == 0:
        return 0.0, 0.0, 0.0
    a, b, c, d = a / s, b / s, c / s, d / s
    mean = (a + d) / 2
    determinant = (a - mean) * (d - mean) - b * c
    root = math.sqrt(abs(determinant))
    if determinant >= 0:
        return mean * s, mean * s, root * s
    nearer = mean + root if abs(mean + root - d) <= abs(mean - root - d) else mean - root
    return nearer * s, nearer * s, 0.0


def _begin_of_bulge(
    below: list[float], main: list[float], above: list[float], first: int, last: int,
    shifts: tuple[float, float, float], epsilon: float,
) -> tuple[int, list[float]]:  # fmt: skip
    """Return the row where a step may begin because of two small elements beside the diagonal, and its first column."""
    real, other, imaginary = shifts
    m = last - 2
    while True:
        here, after, beside = main[m], main[m + 1], below[m]
        s = abs(here - other) + abs(imaginary) + abs(beside)
        beside /= s
        x = beside * above[m] + (here - real) * ((here - other) / s) + imaginary * (imaginary / s)
        y = beside * (here + after - real - other)
        w = beside * below[m + 1]
        s = abs(x) + abs(y) + abs(w)
        x, y, w = x / s, y / s, w / s
        if m == first:
            return m, [x, y, w]
        size = abs(main[m - 1]) + abs(here) + abs(after)
        if abs(below[m - 1]) * (abs(y) + abs(w)) <= epsilon * abs(x) * size:
            return m, [x, y, w]
        m -= 1


def _step(h: Buffer, both: Buffer, begin: int, column: list[float], first: int, last: int) -> None:
    """Chase the bulge of a double step, which begins with a column, down to the last row."""
    n = len(h)
    for k in range(begin, last):
        end = min(k + 3, last + 1)
        if k > begin:
            column = h[k:end, k - 1].tolist()
        beta, reflection = _reflection(column)
        if k > begin:
            h[k:end, k - 1] = 0
            h[k, k - 1] = beta
        elif k > first:
            h[k, k - 1] *= reflection[0, 0]
        rows = h[k:end, k:]
        rows[...] = reflection @ rows
        columns = both[: n + min(k + 3, last) + 1, k:end]
        columns[...] = columns @ reflection


def _reflection(x: list[float]) -> tuple[float, Buffer]:
    """Return what becomes of the first element, and the matrix of the reflection that zeroes the one or two others."""
    first = x[0]
    size = math.hypot(*x[1:])
    if size == 0:
        return first, np.eye(len(x))
    beta = -math.copysign(math.hypot(first, size), first)
    tau = (beta - first) / beta
    v = x[1] / (first - beta)
    if len(x) == 2:
        return beta, np.array([[1 - tau, -tau * v], [-tau * v, 1 - tau * v * v]])
    w = x[2] / (first - beta)
    tv, tw, tvw = tau * v, tau * w, tau * v * w
    return beta, np.array([[1 - tau, -tv, -tw], [-tv, 1 - tv * v, -tvw], [-tw, -tvw, 1 - tw * w]])


def _standardize(h: Buffer, both: Buffer, k: int, epsilon: float) -> None:
    """Make a block of two rows triangular if its eigenvalues are real, else make its diagonal elements equal."""
    (a, b), (c, d) = h[k : k + 2, k : k + 2].tolist()
    block, cos, sin = _standard_block(a, b, c, d, epsilon)
    g = np.array([[cos, sin], [-sin, cos]])
    h[k : k + 2, k + 2 :] = g @ h[k : k + 2, k + 2 :]
    above = both[: len(h) + k, k : k + 2]
    above[...] = above @ g.T
    h[k : k + 2, k : k + 2] = block


def _standard_block(a: float, b: float, c: float, d: float, epsilon: float) -> tuple[list[list[float]], float, float]:
    """Return the standard form of ``[[a, b], [c, d]]``, and the cosine and the sine of the rotation that leads to it."""
    sign = math.copysign
    if c == 0:
        return [[a, b], [c, d]], 1.0, 0.0
    if b == 0:
        return [[d, -c], [0.0, a]], 0.0, 1.0
    if a == d and sign(1, b) != sign(1, c):
        return [[a, b], [c, d]], 1.0, 0.0
    difference = a - d
    p = difference / 2
    greater, less = max(abs(b), abs(c)), min(abs(b), abs(c)) * sign(1, b) * sign(1, c)
    scale = max(abs(p), greater)
    discriminant = p / scale * p + greater / scale * less
    if discriminant >= 4 * epsilon:  # two real eigenvalues
        root = p + sign(math.sqrt(scale) * math.sqrt(discriminant), p)
        size = math.hypot(c, root)
        return [[d + root, b - c], [0.0, d - greater / root * less]], root / size, c / size
    # Complex eigenvalues, or real ones that are nearly equal: make the diagonal elements equal.
    total = b + c
    size = math.hypot(total, difference)
    cos = math.sqrt((1 + abs(total) / size) / 2)
    sin = -(p / (size * cos)) * sign(1, total)
    aa, bb, cc, dd = a * cos + b * sin, -a * sin + b * cos, c * cos + d * sin, -c * sin + d * cos
    a, b, c, d = aa * cos + cc * sin, bb * cos + dd * sin, -aa * sin + cc * cos, -bb * sin + dd * cos
    mean = (a + d) / 2
    if c == 0:
        return [[mean, b], [0.0, mean]], cos, sin
    if b == 0:
        return [[mean, -c], [0.0, mean]], -sin, cos
    if sign(1, b) != sign(1, c):
        return [[mean, b], [c, mean]], cos, sin
    # The eigenvalues are real: rotate once more.
    up, down, scale = math.sqrt(abs(b)), math.sqrt(abs(c)), 1 / math.sqrt(abs(b + c))
    offset = sign(up * down, c)
    cos1, sin1 = up * scale, down * scale
    return [[mean + offset, b - c], [0.0, mean - offset]], cos * cos1 - sin * sin1, cos * sin1 + sin * cos1
