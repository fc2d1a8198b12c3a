"""Derivatives of the incomplete gamma function by its parameter, and of samples of the gamma distribution; in float64."""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.special_functions import digamma, gammaln

_EPSILON: Final = 2.0**-54
_MOST_STEPS: Final = 20_000


def _density(a: Buffer, x: Buffer) -> Buffer:
    """Compute ``x**a * exp(-x) / gamma(a + 1)``."""
    return np.asarray(np.exp(a * np.log(x) - x - gammaln(a + 1)))


def _lower_slope_over_density(a: Buffer, x: Buffer) -> Buffer:
    """Compute the derivative of the lower function by `a`, over ``x**a * exp(-x) / gamma(a + 1)``, by the series."""
    total, term, divisor = np.ones_like(x), np.ones_like(x), a.copy()
    slope, harmonic = np.zeros_like(x), np.zeros_like(x)
    for _ in range(_MOST_STEPS):
        divisor += 1
        term *= x / divisor
        harmonic += 1 / divisor
        total += term
        slope -= term * harmonic
        if not (term * (1 + harmonic) > total * _EPSILON).any():
            break
    return (np.log(x) - digamma(a + 1)) * total + slope


def _upper_slope_over_density(a: Buffer, x: Buffer) -> Buffer:
    """Compute the derivative of the upper function by `a`, over ``x**a * exp(-x) / gamma(a)``, by the fraction."""
    # The convergents and their derivatives by `a`, scaled together.
    b, by = x + 1 - a, np.full_like(x, -1.0)
    p0, q0, p1, q1 = np.zeros_like(x), np.ones_like(x), np.ones_like(x), b.copy()
    dp0, dq0, dp1, dq1 = np.zeros_like(x), np.zeros_like(x), np.zeros_like(x), by.copy()
    value, slope = p1 / q1, -dq1 / q1**2
    for n in range(1, _MOST_STEPS):
        factor, b = -n * (n - a), b + 2
        p2, q2 = b * p1 + factor * p0, b * q1 + factor * q0
        dp2 = b * dp1 - p1 + factor * dp0 + n * p0
        dq2 = b * dq1 - q1 + factor * dq0 + n * q0
        new = p2 / q2
        new_slope = (dp2 - new * dq2) / q2
        done = not (
            (np.abs(new - value) > 1e-15 * np.abs(new)) | (np.abs(new_slope - slope) > 1e-14 * np.abs(new_slope))
        ).any()
        value, slope = new, new_slope
        scale = 1 / np.abs(q2)
        p0, q0, p1, q1 = p1 * scale, q1 * scale, p2 * scale, q2 * scale
        dp0, dq0, dp1, dq1 = dp1 * scale, dq1 * scale, dp2 * scale, dq2 * scale
        if done:
            break
    return slope + value * (np.log(x) - digamma(a))


def gamma_sample_slope(a: Buffer, x: Buffer) -> Buffer:
    """Compute the derivative by `a` of a sample of the gamma distribution."""
    # It is minus the derivative of the distribution function by `a`, over the density.
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    out = np.full(a.shape, np.nan)
    inside = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    near = inside & (x < a + 1)
    far = inside & ~near
    p, z = a[near], x[near]
    out[near] = -_lower_slope_over_density(p, z) * z / p
    p, z = a[far], x[far]
    out[far] = _upper_slope_over_density(p, z) * z
    out[(a > 0) & (x == 0)] = 0
    return out


def gamma_lower_slope(a: Buffer, x: Buffer) -> Buffer:
    """Compute the derivative of the lower incomplete gamma function by `a`."""
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    positive = np.where((a > 0) & (x > 0), a, np.nan)
    safe = np.where(np.isfinite(x), x, np.nan)
    out = np.where(safe > 0, -gamma_sample_slope(positive, safe) * _density(positive, safe) * positive / safe, np.nan)
    return np.where((a > 0) & (x == 0), 0.0, out)
