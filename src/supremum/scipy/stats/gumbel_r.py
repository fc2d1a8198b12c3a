"""The Gumbel distribution of maxima."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, log_less_one, np, where_positive

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (loc - x) / scale
    return where_positive(scale, -np.log(scale) + z - np.exp(z))


def _log_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, -np.exp((loc - x) / scale))


def _log_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, log_less_one(np.exp((loc - x) / scale)))


def _survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, -np.expm1(-np.exp((loc - x) / scale)))


def _quantile(p: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), loc - scale * np.log(-np.log(p)), np.nan)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the Gumbel distribution of maxima.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.logpdf(0.5)
    Array(-1.1065307, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the Gumbel distribution of maxima.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.pdf(0.5)
    Array(0.3307043, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the Gumbel distribution of maxima, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.cdf(0.5)
    Array(0.5452392, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.cdf", exp_of(_log_distribution), x, loc, scale)


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the Gumbel distribution of maxima.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.logcdf(0.5)
    Array(-0.60653067, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.logcdf", _log_distribution, x, loc, scale)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the Gumbel distribution of maxima, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.sf(0.5)
    Array(0.4547608, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.sf", _survival, x, loc, scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the Gumbel distribution of maxima.

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
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.logsf(0.5)
    Array(-0.7879837, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.logsf", _log_survival, x, loc, scale)


def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the Gumbel distribution of maxima, the inverse of `cdf`.

    Parameters
    ----------
    p : array_like
        The probabilities.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The quantiles.

    Examples
    --------
    >>> from supremum.scipy.stats import gumbel_r
    >>> gumbel_r.ppf(0.5)
    Array(0.36651292, dtype=float32, weak_type=True)
    """
    return compute("gumbel_r.ppf", _quantile, p, loc, scale)


publish(__name__)
