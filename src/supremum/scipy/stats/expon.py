"""The exponential distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute_as_promoted, exp_of, log_of, np

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc, -np.inf, -((x - loc) / scale + np.log(scale)))


def _log_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc, 0.0, (loc - x) / scale)


def _distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return -np.expm1(_log_survival(x, loc, scale))


def _quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc - scale * np.log1p(-q), np.nan)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the exponential distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.logpdf(0.5)
    Array(-0.5, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the exponential distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.pdf(0.5)
    Array(0.60653067, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the exponential distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.cdf(0.5)
    Array(0.39346933, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.cdf", _distribution, x, loc, scale)


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the exponential distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.logcdf(0.5)
    Array(-0.93275213, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.logcdf", log_of(_distribution), x, loc, scale)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the exponential distribution, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.sf(0.5)
    Array(0.60653067, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.sf", exp_of(_log_survival), x, loc, scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the exponential distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.logsf(0.5)
    Array(-0.5, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.logsf", _log_survival, x, loc, scale)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the exponential distribution, the inverse of `cdf`.

    Parameters
    ----------
    q : array_like
        The probabilities.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The quantiles.

    Examples
    --------
    >>> from supremum.scipy.stats import expon
    >>> expon.ppf(0.5)
    Array(0.6931472, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("expon.ppf", _quantile, q, loc, scale, kinds="fc")


publish(__name__)
