"""The Laplace distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np

__all__ = ["cdf", "logpdf", "pdf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return -(np.abs(x - loc) / scale + np.log(2 * scale))


def _distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    tail = np.exp(-np.abs(z)) / 2
    return np.where(z <= 0, tail, 1 - tail)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the Laplace distribution.

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
    >>> from supremum.scipy.stats import laplace
    >>> laplace.logpdf(0.5)
    Array(-1.1931472, dtype=float32, weak_type=True)
    """
    return compute("laplace.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the Laplace distribution.

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
    >>> from supremum.scipy.stats import laplace
    >>> laplace.pdf(0.5)
    Array(0.30326533, dtype=float32, weak_type=True)
    """
    return compute("laplace.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the Laplace distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import laplace
    >>> laplace.cdf(0.5)
    Array(0.69673467, dtype=float32, weak_type=True)
    """
    return compute("laplace.cdf", _distribution, x, loc, scale)


publish(__name__)
