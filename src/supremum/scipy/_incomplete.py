"""Kernels of the incomplete gamma and beta functions, in float64."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import special as k

__all__ = ["beta_log", "beta_regularized", "gamma_lower", "gamma_lower_slope", "gamma_sample_slope", "gamma_upper"]

_EPSILON: Final = 2.0**-54
_TINY: Final = 1e-300
#: From here on the gamma functions are computed by their expansion for large `a`.
_LARGE: Final = 1e5
#: Corrections of Stirling's formula for the logarithm of the gamma function, in odd powers of 1/a.
_STIRLING: Final = (-1 / 360, 1 / 12)
_MOST_STEPS: Final = 20_000


def _log1p_less_x(x: Buffer) -> Buffer:
    """Compute ``log1p(x) - x`` without cancellation near 0."""
    # log1p(x) = 2 atanh(s) for s = x / (2 + x), and 2 s - x = -x s.
    s = x / (2 + x)
    square = s * s
    series = np.zeros_like(square)
    for odd in range(43, 1, -2):
        series = series * square + 1 / odd
    near = -x * s + 2 * s * square * series
    return np.where(np.abs(x) < 0.5, near, np.log1p(x) - x)


def _log_gamma_correction(a: Buffer) -> Buffer:
    """Compute log gamma(a) less Stirling's ``(a - 1/2) log(a) - a + log(2 pi)/2``, for a of 10 or more."""
    square = 1 / (a * a)
    return np.polyval((1 / 1188, -1 / 1680, 1 / 1260, *_STIRLING), square) / a


def _density(a: Buffer, x: Buffer) -> Buffer:
    """Compute ``x**a * exp(-x) / gamma(a + 1)``."""
    large = a >= 10
    big = np.where(large, a, 10.0)
    ratio = (x - big) / big
    far = np.exp(big * _log1p_less_x(ratio) - _log_gamma_correction(big)) / np.sqrt(2 * math.pi * big)
    small = np.where(large, 1.0, a)
    near = np.exp(small * np.log(x) - x - k.log_gamma(small + 1))
    return np.where(large, far, near)


def _series(a: Buffer, x: Buffer) -> Buffer:
    """Compute the sum of ``x**n / ((a + 1) ... (a + n))``."""
    total, term, divisor = np.ones_like(x), np.ones_like(x), a.copy()
    for _ in range(_MOST_STEPS):
        divisor += 1
        term *= x / divisor
        total += term
        if not (term > total * _EPSILON).any():
            break
    return total


def _fraction(a: Buffer, x: Buffer) -> Buffer:
    """Compute the continued fraction of the upper function over ``x**a * exp(-x)``, by Lentz's method."""
    b = x + 1 - a
    c, d = np.full_like(b, 1 / _TINY), 1 / b
    value = d.copy()
    for n in range(1, _MOST_STEPS):
        factor = -n * (n - a)
        b += 2
        d = factor * d + b
        d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
        c = b + factor / c
        c = np.where(np.abs(c) < _TINY, _TINY, c)
        step = c * d
        value *= step
        if not (np.abs(step - 1) > _EPSILON * 4).any():
            break
    return value


def _expansion(a: Buffer, x: Buffer, sign: int) -> Buffer:
    """Compute the lower (-1) or upper (1) function by Temme's expansion for large `a`."""
    ratio = (x - a) / a
    eta = np.copysign(np.sqrt(np.maximum(-2 * _log1p_less_x(ratio), 0)), ratio)
    near = -1 / 3 + eta * (1 / 12 + eta * (-2 / 135 + eta * (1 / 864 + eta / 2835)))
    with np.errstate(all="ignore"):
        correction = np.where(np.abs(eta) < 0.01, near, 1 / ratio - 1 / eta)
    rest = np.exp(-a * eta * eta / 2) / np.sqrt(2 * math.pi * a) * correction
    return k.erfc(sign * eta * np.sqrt(a / 2)) / 2 + sign * rest


def _incomplete_gamma(a: Buffer, x: Buffer, *, upper: bool) -> Buffer:
    a, x = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    out = np.full(a.shape, np.nan)
    inside = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    large = inside & (a > _LARGE)
    by_series = inside & ~large & (x < np.maximum(a + 1, 1.5))
    by_fraction = inside & ~large & ~by_series
    out[large] = _expansion(a[large], x[large], 1 if upper else -1)
    low = _series(a[by_series], x[by_series]) * _density(a[by_series], x[by_series])
    out[by_series] = 1 - low if upper else low
    p, q = a[by_fraction], x[by_fraction]
    high = _fraction(p, q) * _density(p, q) * p
    out[by_fraction] = high if upper else 1 - high
    nothing, everything = (1.0, 0.0) if upper else (0.0, 1.0)
    out[(a > 0) & ((x == 0) | ((a == np.inf) & (x >= 0)))] = nothing
    out[((a >= 0) & (x == np.inf)) | ((a == 0) & (x > 0))] = everything
    return out


def gamma_lower(a: Buffer, x: Buffer) -> Buffer:
    """Compute the regularized lower incomplete gamma function."""
    return _incomplete_gamma(a, x, upper=False)


def gamma_upper(a: Buffer, x: Buffer) -> Buffer:
    """Compute the regularized upper incomplete gamma function."""
    return _incomplete_gamma(a, x, upper=True)


def _digamma(x: Buffer) -> Buffer:
    return k.digamma(x)


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
    return (np.log(x) - _digamma(a + 1)) * total + slope


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
    return slope + value * (np.log(x) - _digamma(a))


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


def beta_log(a: Buffer, b: Buffer) -> Buffer:
    """Compute the logarithm of the absolute beta function."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    small, big = np.minimum(a, b), np.maximum(a, b)
    plain = k.log_gamma(a) + k.log_gamma(b) - k.log_gamma(a + b)
    # For large arguments the differences are of corrections of Stirling's formula.
    high = np.where(big >= 10, big, 10.0)
    low = np.where(small >= 10, small, 10.0)
    both = high + low
    correction = _log_gamma_correction(high) - _log_gamma_correction(both)
    share = low / high
    far = (
        0.5 * math.log(2 * math.pi) - 0.5 * np.log(high) + _log_gamma_correction(low) + correction
        + (low - 0.5) * np.log(share / (1 + share)) - high * np.log1p(share)
    )  # fmt: skip
    rest = np.where((small > 0) & (small < 10), small, 1.0)
    total = high + rest
    one_far = (
        k.log_gamma(rest) + _log_gamma_correction(high) - _log_gamma_correction(total)
        - (high - 0.5) * np.log1p(rest / high) + rest - rest * np.log(total)
    )  # fmt: skip
    out = np.where(small >= 10, far, np.where((big >= 10) & (small > 0), one_far, plain))
    return np.where(np.isfinite(a) & np.isfinite(b), out, plain)


def beta_regularized(a: Buffer, b: Buffer, x: Buffer) -> Buffer:
    """Compute the regularized incomplete beta function."""
    a, b, x = np.broadcast_arrays(*[np.asarray(part, np.float64) for part in (a, b, x)])
    out = np.full(a.shape, np.nan)
    inside = (a > 0) & (b > 0) & (x > 0) & (x < 1) & np.isfinite(a) & np.isfinite(b)
    p, q, z = a[inside], b[inside], x[inside]
    swap = z > (p + 1) / (p + q + 2)
    p, q, z, rest = np.where(swap, q, p), np.where(swap, p, q), np.where(swap, 1 - z, z), np.where(swap, z, 1 - z)
    front = np.exp(p * np.log(z) + q * np.log(rest) - beta_log(p, q)) / p
    value = np.minimum(front * _beta_fraction(p, q, z), 1)
    out[inside] = np.where(swap, 1 - value, value)
    between = (a >= 0) & (b >= 0) & (x >= 0) & (x <= 1)
    at_zero = between & ((a == 0) | (b == np.inf)) & (b != 0) & (a != np.inf)  # all of the distribution is at 0
    at_one = between & ((b == 0) | (a == np.inf)) & (a != 0) & (b != np.inf)
    finite = between & (a > 0) & (b > 0) & ~((a == np.inf) & (b == np.inf))
    out[(at_zero | (finite & ~at_one)) & (x == 0)] = 0
    out[at_zero & (x > 0)] = 1
    out[at_one & (x < 1)] = 0
    out[(at_one | (finite & ~at_zero)) & (x == 1)] = 1
    return out


def _beta_fraction(a: Buffer, b: Buffer, x: Buffer) -> Buffer:
    c, d = np.ones_like(x), 1 - (a + b) * x / (a + 1)
    d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
    value, step = d.copy(), d
    for m in range(1, _MOST_STEPS):
        even = a + 2 * m
        for factor in (m * (b - m) * x / ((even - 1) * even), -(a + m) * (a + b + m) * x / (even * (even + 1))):
            d = 1 + factor * d
            d = 1 / np.where(np.abs(d) < _TINY, _TINY, d)
            c = 1 + factor / c
            c = np.where(np.abs(c) < _TINY, _TINY, c)
            step = c * d
            value *= step
        if not (np.abs(step - 1) > _EPSILON * 4).any():
            break
    return value
