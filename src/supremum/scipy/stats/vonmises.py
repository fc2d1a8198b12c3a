"""The von Mises distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import LOG_TWO_PI, Array, ArrayLike, Buffer, compute, exp_of, k, np, where_positive

__all__ = ["logpdf", "pdf"]


def _log_density(x: Buffer, kappa: Buffer) -> Buffer:
    return where_positive(kappa, kappa * (np.cos(x) - 1) - LOG_TWO_PI - np.log(k.i0e(kappa)))


def logpdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Compute the logarithm of the density of the von Mises distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    kappa : array_like
        The concentration.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import vonmises
    >>> vonmises.logpdf(0.5, 2.0)
    Array(-0.9067055, dtype=float32, weak_type=True)
    """
    return compute("vonmises.logpdf", _log_density, x, kappa)


def pdf(x: ArrayLike, kappa: ArrayLike) -> Array:
    """Compute the density of the von Mises distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    kappa : array_like
        The concentration.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import vonmises
    >>> vonmises.pdf(0.5, 2.0)
    Array(0.40385252, dtype=float32, weak_type=True)
    """
    return compute("vonmises.pdf", exp_of(_log_density), x, kappa)


publish(__name__)
