"""The beta distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy._incomplete import beta_log, beta_regularized
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, log_of, np, times_log, times_log1p

__all__ = ["cdf", "logcdf", "logpdf", "logsf", "pdf", "sf"]


def _log_density(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y = (x - loc) / scale
    value = times_log(a - 1, y) + times_log1p(b - 1, -y) - beta_log(a, b) - np.log(scale)
    value = np.where((x > loc + scale) | (x < loc), -np.inf, value)
    return np.where((a <= 0) | (b <= 0) | (scale <= 0), np.nan, value)


def _distribution(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return beta_regularized(a, b, np.clip((x - loc) / scale, 0, 1))


def _survival(x: Buffer, a: Buffer, b: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return beta_regularized(b, a, 1 - np.clip((x - loc) / scale, 0, 1))


def logpdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the beta distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.logpdf(0.25, 2.0, 3.0)
    Array(0.52324814, dtype=float32, weak_type=True)
    """
    return compute("beta.logpdf", _log_density, x, a, b, loc, scale)


def pdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the beta distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.pdf(0.25, 2.0, 3.0)
    Array(1.6875, dtype=float32, weak_type=True)
    """
    return compute("beta.pdf", exp_of(_log_density), x, a, b, loc, scale)


def cdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the beta distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.cdf(0.25, 2.0, 3.0)
    Array(0.26171875, dtype=float32, weak_type=True)
    """
    return compute("beta.cdf", _distribution, x, a, b, loc, scale, refusal=ValueError)


def logcdf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the beta distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.logcdf(0.25, 2.0, 3.0)
    Array(-1.3404849, dtype=float32, weak_type=True)
    """
    return compute("beta.logcdf", log_of(_distribution), x, a, b, loc, scale, refusal=ValueError)


def sf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the beta distribution, the probability of values above ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.sf(0.25, 2.0, 3.0)
    Array(0.73828125, dtype=float32, weak_type=True)
    """
    return compute("beta.sf", _survival, x, a, b, loc, scale, refusal=ValueError)


def logsf(x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the beta distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import beta
    >>> beta.logsf(0.25, 2.0, 3.0)
    Array(-0.30343044, dtype=float32, weak_type=True)
    """
    return compute("beta.logsf", log_of(_survival), x, a, b, loc, scale, refusal=ValueError)


publish(__name__)
