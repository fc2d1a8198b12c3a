"""The chi-squared distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy._incomplete import gamma_lower, gamma_upper
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, clip_at_zero, compute, exp_of, k, log_of, np

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _log_density(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y, half = (x - loc) / scale, df / 2
    value = (half - 1) * np.log(y) - y / 2 - k.log_gamma(half) - half * np.log(2) - np.log(scale)
    return np.where(x < loc, -np.inf, value)


def _distribution(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return gamma_lower(df / 2, clip_at_zero((x - loc) / (2 * scale)))


def _survival(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return gamma_upper(df / 2, clip_at_zero((x - loc) / (2 * scale)))


def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the chi-squared distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.logpdf(1.0, 2.0)
    Array(-1.1931472, dtype=float32, weak_type=True)
    """
    return compute("chi2.logpdf", _log_density, x, df, loc, scale)


def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the chi-squared distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.pdf(1.0, 2.0)
    Array(0.30326533, dtype=float32, weak_type=True)
    """
    return compute("chi2.pdf", exp_of(_log_density), x, df, loc, scale)


def cdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the chi-squared distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.cdf(1.0, 2.0)
    Array(0.39346933, dtype=float32, weak_type=True)
    """
    return compute("chi2.cdf", _distribution, x, df, loc, scale)


def logcdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the chi-squared distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.logcdf(1.0, 2.0)
    Array(-0.93275213, dtype=float32, weak_type=True)
    """
    return compute("chi2.logcdf", log_of(_distribution), x, df, loc, scale)


def sf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the chi-squared distribution, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.sf(1.0, 2.0)
    Array(0.60653067, dtype=float32, weak_type=True)
    """
    return compute("chi2.sf", _survival, x, df, loc, scale)


def logsf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the chi-squared distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import chi2
    >>> chi2.logsf(1.0, 2.0)
    Array(-0.5, dtype=float32, weak_type=True)
    """
    return compute("chi2.logsf", log_of(_survival), x, df, loc, scale)


publish(__name__)
