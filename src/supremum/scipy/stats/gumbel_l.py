"""The Gumbel distribution of minima."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, log_less_one, np, where_positive

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    return where_positive(scale, -np.log(scale) + z - np.exp(z))


def _log_survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, -np.exp((x - loc) / scale))


def _log_distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, log_less_one(np.exp((x - loc) / scale)))


def _distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return where_positive(scale, -np.expm1(-np.exp((x - loc) / scale)))


def _quantile(p: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((p > 0) & (p < 1), loc + scale * np.log(-np.log1p(-p)), np.nan)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the Gumbel distribution of minima.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.logpdf(0.5)
    Array(-1.1487212, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the Gumbel distribution of minima.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.pdf(0.5)
    Array(0.31704193, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the Gumbel distribution of minima, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.cdf(0.5)
    Array(0.8077043, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.cdf", _distribution, x, loc, scale)


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the Gumbel distribution of minima.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.logcdf(0.5)
    Array(-0.21355918, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.logcdf", _log_distribution, x, loc, scale)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the Gumbel distribution of minima, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.sf(0.5)
    Array(0.19229564, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.sf", exp_of(_log_survival), x, loc, scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the Gumbel distribution of minima.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.logsf(0.5)
    Array(-1.6487212, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.logsf", _log_survival, x, loc, scale)


def ppf(p: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the Gumbel distribution of minima, the inverse of `cdf`.

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
    >>> from supremum.scipy.stats import gumbel_l
    >>> gumbel_l.ppf(0.5)
    Array(-0.36651292, dtype=float32, weak_type=True)
    """
    return compute("gumbel_l.ppf", _quantile, p, loc, scale)


publish(__name__)
