"""The normal distribution between two bounds."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import (
    LOG_TWO_PI,
    Array,
    ArrayLike,
    Buffer,
    compute_wide,
    exp_of,
    log_less_one,
    log_ndtr,
    ndtr,
    np,
)

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _log_difference(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``log(exp(x) - exp(y))``."""
    return np.where(x == y, -np.inf, x + log_less_one(np.where(x > y, x - y, np.nan)))


def _log_mass_between(a: Buffer, b: Buffer) -> Buffer:
    """Compute the logarithm of the probability that a standard normal number is between two bounds."""
    low, high = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
    tails = _log_difference(log_ndtr(high), log_ndtr(low))
    return np.where((b > 0) & (a <= 0), np.log1p(-ndtr(a) - ndtr(-b)), tails)


def _log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    value = -(LOG_TWO_PI + 2 * np.log(np.abs(scale)) + z * z) / 2 - _log_mass_between(a, b)
    return np.where(a >= b, np.nan, np.where((z < a) | (z > b), -np.inf, value))


def _log_distribution(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z, a, b = np.broadcast_arrays((x - loc) / scale, a, b)
    total = _log_mass_between(a, b)
    below, above = _log_mass_between(a, z) - total, _log_mass_between(z, b) - total
    value = np.where(below > -0.1, np.log1p(-np.exp(above)), np.where(z > a, below, 0.0))
    return np.where(a >= b, np.nan, np.where(z >= b, 0.0, np.where(z <= a, -np.inf, value)))


def _log_survival(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _log_distribution(-x, -b, -a, -loc, scale)


def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the normal distribution between two bounds.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.logpdf(0.5, -1.0, 2.0)
    Array(-0.84377223, dtype=float32)
    """
    return compute_wide("truncnorm.logpdf", _log_density, x, a, b, loc, scale)


def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the normal distribution between two bounds.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.pdf(0.5, -1.0, 2.0)
    Array(0.43008506, dtype=float32)
    """
    return compute_wide("truncnorm.pdf", exp_of(_log_density), x, a, b, loc, scale)


def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the normal distribution between two bounds, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.cdf(0.5, -1.0, 2.0)
    Array(0.6508804, dtype=float32)
    """
    return compute_wide("truncnorm.cdf", exp_of(_log_distribution), x, a, b, loc, scale)


def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the normal distribution between two bounds.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.logcdf(0.5, -1.0, 2.0)
    Array(-0.42942935, dtype=float32)
    """
    return compute_wide("truncnorm.logcdf", _log_distribution, x, a, b, loc, scale)


def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the normal distribution between two bounds, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.sf(0.5, -1.0, 2.0)
    Array(0.34911957, dtype=float32)
    """
    return compute_wide("truncnorm.sf", exp_of(_log_survival), x, a, b, loc, scale)


def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the normal distribution between two bounds.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The lower bound, in units of the scale from the shift.
    b : array_like
        The upper bound, likewise.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import truncnorm
    >>> truncnorm.logsf(0.5, -1.0, 2.0)
    Array(-1.0523407, dtype=float32)
    """
    return compute_wide("truncnorm.logsf", _log_survival, x, a, b, loc, scale)


publish(__name__)
