"""Ratios of gamma functions and what follows from them, in float64."""

from __future__ import annotations

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import special as k
from supremum.scipy._incomplete import beta_log
from supremum.scipy._series import zeta

__all__ = ["beta", "combinations", "combinations_with_repetition", "derivative_of_digamma", "gamma_sign", "rising"]


def gamma_sign(x: Buffer) -> Buffer:
    """Compute the sign of the gamma function; NaN at the poles."""
    whole = np.floor(x)
    sign = np.where(((x < 0) & (whole % 2 != 0)) | ((x == 0) & np.signbit(x)), -1.0, 1.0)
    return np.where(((x < 0) & (x == whole)) | np.isnan(x), np.nan, sign)


def beta(a: Buffer, b: Buffer) -> Buffer:
    """Compute the beta function."""
    return gamma_sign(a) * gamma_sign(b) * gamma_sign(a + b) * np.exp(beta_log(a, b))


def combinations(n: Buffer, m: Buffer) -> Buffer:
    """Compute binomial coefficients; whole ones are exact below 2**52."""
    valid = (m <= n) & (n >= 0) & (m >= 0)
    n, m = np.where(valid, n, 0.0), np.where(valid, m, 0.0)
    value = np.exp(-np.log1p(n) - beta_log(n - m + 1, m + 1))
    whole = (n == np.floor(n)) & (m == np.floor(m)) & (value < 2.0**52)
    return np.where(valid, np.where(whole, np.rint(value), value), 0.0)


def combinations_with_repetition(n: Buffer, m: Buffer) -> Buffer:
    """Count the selections of `m` out of `n` with repetition."""
    return np.where((m == 0) & (n >= 0), 1.0, combinations(n + m - 1, m))


def rising(z: Buffer, m: Buffer) -> Buffer:
    """Compute Pochhammer's symbol, ``gamma(z + m) / gamma(z)``."""
    direct = k.gamma(z + m) / k.gamma(z)
    large = (z > 0) & (z + m > 0) & (np.maximum(z, z + m) > 20)
    safe_z, safe_sum = np.where(large, z, 1.0), np.where(large, z + m, 1.0)
    return np.where(m == 0, 1.0, np.where(large, np.exp(k.log_gamma(safe_sum) - k.log_gamma(safe_z)), direct))


def derivative_of_digamma(n: Buffer, x: Buffer) -> Buffer:
    """Compute the derivatives of the digamma function."""
    n, x = np.broadcast_arrays(n, x)
    order = np.where(n == 0, 1.0, n)
    value = np.where(order % 2 == 0, -1.0, 1.0) * k.gamma(order + 1) * zeta(order + 1, x)
    valid = (n >= 0) & (n == np.floor(n))
    return np.where(n == 0, k.digamma(x), np.where(valid, value, np.nan))
