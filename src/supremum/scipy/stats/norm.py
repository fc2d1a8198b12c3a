"""The normal distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import LOG_TWO_PI, Array, ArrayLike, Buffer, compute, exp_of, log_ndtr, ndtr, ndtri, np

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    return -(LOG_TWO_PI + 2 * np.log(np.abs(scale)) + z * z) / 2


def _quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return ndtri(q) * scale + loc


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logpdf(1.0)
    Array(-1.4189385, dtype=float32, weak_type=True)
    """
    return compute("norm.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.pdf(1.0)
    Array(0.24197072, dtype=float32, weak_type=True)
    """
    return compute("norm.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the normal distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.cdf(1.0)
    Array(0.8413448, dtype=float32, weak_type=True)
    """
    return compute("norm.cdf", lambda x, loc, scale: ndtr((x - loc) / scale), x, loc, scale)


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logcdf(1.0)
    Array(-0.17275378, dtype=float32, weak_type=True)
    """
    return compute("norm.logcdf", lambda x, loc, scale: log_ndtr((x - loc) / scale), x, loc, scale)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the normal distribution, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.sf(1.0)
    Array(0.15865526, dtype=float32, weak_type=True)
    """
    return compute("norm.sf", lambda x, loc, scale: ndtr((loc - x) / scale), x, loc, scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logsf(1.0)
    Array(-1.8410217, dtype=float32, weak_type=True)
    """
    return compute("norm.logsf", lambda x, loc, scale: log_ndtr((loc - x) / scale), x, loc, scale)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the normal distribution, the inverse of `cdf`.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.ppf(0.975)
    Array(1.9599644, dtype=float32, weak_type=True)
    """
    return compute("norm.ppf", _quantile, q, loc, scale)


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the inverse of the survival function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.isf(0.025)
    Array(1.959964, dtype=float32, weak_type=True)
    """
    return compute("norm.isf", lambda q, loc, scale: ndtri(1 - q) * scale + loc, q, loc, scale)


publish(__name__)
