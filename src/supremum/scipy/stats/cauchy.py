"""The Cauchy distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, log_of, np

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    return -(np.log(np.pi * scale) + np.log1p(z * z))


def _distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    # arctan(z) + pi / 2 is arctan(-1 / z) for negative z, without cancellation.
    return np.where(z.real < 0, np.arctan(-1 / z) / np.pi, 0.5 + np.arctan(z) / np.pi)


def _survival(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return _distribution(-x, -loc, scale)


def _cotangent(q: Buffer) -> Buffer:
    """Compute the cotangent of ``pi * q``, without cancellation for probabilities near 0 and 1."""
    below, above = 1 / np.tan(np.pi * q), -1 / np.tan(np.pi * (1 - q))
    return np.where(q <= 0.25, below, np.where(q >= 0.75, above, np.tan(np.pi / 2 - np.pi * q)))


def _quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return loc - _cotangent(q) * scale


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the Cauchy distribution.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.logpdf(0.5)
    Array(-1.3678734, dtype=float32, weak_type=True)
    """
    return compute("cauchy.logpdf", _log_density, x, loc, scale, kinds="fc")


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the Cauchy distribution.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.pdf(0.5)
    Array(0.2546479, dtype=float32, weak_type=True)
    """
    return compute("cauchy.pdf", exp_of(_log_density), x, loc, scale, kinds="fc")


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the Cauchy distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.cdf(0.5)
    Array(0.6475836, dtype=float32, weak_type=True)
    """
    return compute("cauchy.cdf", _distribution, x, loc, scale, kinds="fc")


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the Cauchy distribution.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.logcdf(0.5)
    Array(-0.43450734, dtype=float32, weak_type=True)
    """
    return compute("cauchy.logcdf", log_of(_distribution), x, loc, scale, kinds="fc")


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the Cauchy distribution, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.sf(0.5)
    Array(0.3524164, dtype=float32, weak_type=True)
    """
    return compute("cauchy.sf", _survival, x, loc, scale, kinds="fc")


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the Cauchy distribution.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.logsf(0.5)
    Array(-1.0429419, dtype=float32, weak_type=True)
    """
    return compute("cauchy.logsf", log_of(_survival), x, loc, scale, kinds="fc")


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the Cauchy distribution, the inverse of `cdf`.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.ppf(0.5)
    Array(0., dtype=float32, weak_type=True)
    """
    return compute("cauchy.ppf", _quantile, q, loc, scale, kinds="fc")


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the inverse of the survival function of the Cauchy distribution.

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
    >>> from supremum.scipy.stats import cauchy
    >>> cauchy.isf(0.5)
    Array(0., dtype=float32, weak_type=True)
    """
    return compute("cauchy.isf", lambda q, loc, scale: _cotangent(q) * scale + loc, q, loc, scale, kinds="fc")


publish(__name__)
