"""The logistic distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._kernels.complex_numbers import logaddexp
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, compute_as_promoted, exp_of, k, np

__all__ = ["cdf", "isf", "logpdf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    half = (x - loc) / scale / 2
    total = logaddexp(half, -half) if half.dtype.kind == "c" else np.logaddexp(half, -half)
    return -2 * total - np.log(scale)


def _log_odds(p: Buffer) -> Buffer:
    return np.log(p / (1 - p))


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the logistic distribution.

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
    >>> from supremum.scipy.stats import logistic
    >>> logistic.logpdf(0.25)
    Array(-1.4018788, dtype=float32, weak_type=True)
    """
    return compute("logistic.logpdf", _log_density, x, loc, scale, kinds="fc")


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the logistic distribution.

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
    >>> from supremum.scipy.stats import logistic
    >>> logistic.pdf(0.25)
    Array(0.24613409, dtype=float32, weak_type=True)
    """
    return compute("logistic.pdf", exp_of(_log_density), x, loc, scale, kinds="fc")


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the logistic distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import logistic
    >>> logistic.cdf(0.25)
    Array(0.5621765, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("logistic.cdf", lambda x, loc, scale: k.logistic((x - loc) / scale), x, loc, scale, kinds="fc")


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the logistic distribution, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import logistic
    >>> logistic.sf(0.25)
    Array(0.4378235, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("logistic.sf", lambda x, loc, scale: k.logistic((loc - x) / scale), x, loc, scale, kinds="fc")


def ppf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the logistic distribution, the inverse of `cdf`.

    Parameters
    ----------
    x : array_like
        The probabilities.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The quantiles.

    Examples
    --------
    >>> from supremum.scipy.stats import logistic
    >>> logistic.ppf(0.25)
    Array(-1.0986123, dtype=float32, weak_type=True)
    """
    return compute("logistic.ppf", lambda x, loc, scale: _log_odds(x) * scale + loc, x, loc, scale, kinds="fc")


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the inverse of the survival function of the logistic distribution.

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
    >>> from supremum.scipy.stats import logistic
    >>> logistic.isf(0.25)
    Array(1.0986123, dtype=float32, weak_type=True)
    """
    return compute("logistic.isf", lambda q, loc, scale: -_log_odds(q) * scale + loc, q, loc, scale, kinds="fc")


publish(__name__)
