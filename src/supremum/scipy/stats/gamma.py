"""The gamma distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy._incomplete import gamma_lower, gamma_upper
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, clip_at_zero, compute, exp_of, k, log_of, np, times_log

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _log_density(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    inside = x >= loc
    y = np.where(inside, (x - loc) / scale, 1.0)
    return np.where(inside, times_log(a - 1, y) - y - k.log_gamma(a) - np.log(scale), -np.inf)


def _distribution(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return gamma_lower(a, clip_at_zero((x - loc) / scale))


def _survival(x: Buffer, a: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y = (x - loc) / scale
    return np.where(y < 0, 1.0, gamma_upper(a, y))


def logpdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the gamma distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.logpdf(1.0, 2.0)
    Array(-1., dtype=float32, weak_type=True)
    """
    return compute("gamma.logpdf", _log_density, x, a, loc, scale)


def pdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the gamma distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.pdf(1.0, 2.0)
    Array(0.36787945, dtype=float32, weak_type=True)
    """
    return compute("gamma.pdf", exp_of(_log_density), x, a, loc, scale)


def cdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the gamma distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.cdf(1.0, 2.0)
    Array(0.26424113, dtype=float32, weak_type=True)
    """
    return compute("gamma.cdf", _distribution, x, a, loc, scale)


def logcdf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the gamma distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.logcdf(1.0, 2.0)
    Array(-1.3308933, dtype=float32, weak_type=True)
    """
    return compute("gamma.logcdf", log_of(_distribution), x, a, loc, scale)


def sf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the gamma distribution, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.sf(1.0, 2.0)
    Array(0.7357589, dtype=float32, weak_type=True)
    """
    return compute("gamma.sf", _survival, x, a, loc, scale)


def logsf(x: ArrayLike, a: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the gamma distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import gamma
    >>> gamma.logsf(1.0, 2.0)
    Array(-0.30685282, dtype=float32, weak_type=True)
    """
    return compute("gamma.logsf", log_of(_survival), x, a, loc, scale)


publish(__name__)
