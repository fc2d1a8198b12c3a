"""The Pareto distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, compute_as_promoted, exp_of, log_of, np

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    value = -(np.log(scale / b) + (b + 1) * np.log((x - loc) / scale))
    return np.where(x < loc + scale, -np.inf, value)


def _log_survival(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where(x < loc + scale, 0.0, -b * np.log((x - loc) / scale))


def _distribution(x: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return -np.expm1(_log_survival(x, b, loc, scale))


def _quantile(q: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc + scale * np.power(1 - q, -1 / b), np.nan)


def logpdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the Pareto distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.logpdf(2.0, 3.0)
    Array(-1.6739764, dtype=float32, weak_type=True)
    """
    return compute("pareto.logpdf", _log_density, x, b, loc, scale)


def pdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the Pareto distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.pdf(2.0, 3.0)
    Array(0.1875, dtype=float32, weak_type=True)
    """
    return compute("pareto.pdf", exp_of(_log_density), x, b, loc, scale)


def cdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the Pareto distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.cdf(2.0, 3.0)
    Array(0.875, dtype=float32, weak_type=True)
    """
    return compute("pareto.cdf", _distribution, x, b, loc, scale)


def logcdf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the Pareto distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.logcdf(2.0, 3.0)
    Array(-0.13353139, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("pareto.logcdf", log_of(_distribution), x, b, loc, scale)


def sf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the Pareto distribution, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.sf(2.0, 3.0)
    Array(0.125, dtype=float32, weak_type=True)
    """
    return compute("pareto.sf", exp_of(_log_survival), x, b, loc, scale)


def logsf(x: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the Pareto distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.logsf(2.0, 3.0)
    Array(-2.0794415, dtype=float32, weak_type=True)
    """
    return compute("pareto.logsf", _log_survival, x, b, loc, scale)


def ppf(q: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the Pareto distribution, the inverse of `cdf`.

    Parameters
    ----------
    q : array_like
        The probabilities.
    b : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The quantiles.

    Examples
    --------
    >>> from supremum.scipy.stats import pareto
    >>> pareto.ppf(0.5, 3.0)
    Array(1.2599211, dtype=float32, weak_type=True)
    """
    return compute("pareto.ppf", _quantile, q, b, loc, scale, kinds="fc")


publish(__name__)
