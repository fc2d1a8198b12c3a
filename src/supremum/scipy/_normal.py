"""The kernel of the quantiles of the normal distribution, in float64."""

from __future__ import annotations

import math

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import special as k

__all__ = ["normal_quantile"]


def normal_quantile(p: Buffer) -> Buffer:
    """Compute the inverse of the normal distribution function.

    Newton's method on its logarithm, which is nearly a parabola below 0 and has no cancellation there, begins with the inverse
    error function, or far below 0 with the first terms of the asymptotic series.
    """
    p = np.asarray(p, np.float64)
    tail = np.minimum(p, 1 - p)
    inside = tail > 0
    safe = np.where(inside, tail, 0.25)
    size = np.sqrt(-2 * np.log(safe))
    far = -size + np.log(size * math.sqrt(2 * math.pi)) / size
    x = np.where(safe > 1e-6, math.sqrt(2.0) * k.erfinv(2 * safe - 1), far)
    for _ in range(4):
        value = k.log_ndtr(x)
        slope = np.exp(-x * x / 2 - value) / math.sqrt(2 * math.pi)
        x = x - (value - np.log(safe)) / slope
    out = np.where(inside, np.where(p < 0.5, x, -x), np.nan)
    return np.where(p == 0, -np.inf, np.where(p == 1, np.inf, np.where(p == 0.5, 0.0, out)))
