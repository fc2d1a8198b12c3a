"""The generalized normal distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy._incomplete import gamma_lower
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, k, np

__all__ = ["cdf", "logpdf", "pdf"]


def _log_density(x: Buffer, beta: Buffer) -> Buffer:
    return np.log(beta / 2) - k.log_gamma(1 / beta) - np.abs(x) ** beta


def _distribution(x: Buffer, beta: Buffer) -> Buffer:
    return (1 + np.sign(x) * gamma_lower(1 / beta, np.abs(x) ** beta)) / 2


def logpdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Compute the logarithm of the density of the generalized normal distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    beta : array_like
        The shape parameter.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import gennorm
    >>> gennorm.logpdf(0.5, 2.0)
    Array(-0.8223649, dtype=float32, weak_type=True)
    """
    return compute("gennorm.logpdf", _log_density, x, beta)


def pdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Compute the density of the generalized normal distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    beta : array_like
        The shape parameter.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import gennorm
    >>> gennorm.pdf(0.5, 2.0)
    Array(0.4393913, dtype=float32, weak_type=True)
    """
    return compute("gennorm.pdf", exp_of(_log_density), x, beta)


def cdf(x: ArrayLike, beta: ArrayLike) -> Array:
    """Compute the distribution function of the generalized normal distribution, the probability of values up to ``x``.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    beta : array_like
        The shape parameter.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import gennorm
    >>> gennorm.cdf(0.5, 2.0)
    Array(0.7602499, dtype=float32, weak_type=True)
    """
    return compute("gennorm.cdf", _distribution, x, beta)


publish(__name__)
