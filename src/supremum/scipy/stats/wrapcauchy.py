"""The wrapped Cauchy distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import LOG_TWO_PI, Array, ArrayLike, Buffer, compute, exp_of, np

__all__ = ["logpdf", "pdf"]


def _log_density(x: Buffer, c: Buffer) -> Buffer:
    value = np.log1p(-c * c) - LOG_TWO_PI - np.log(1 + c * c - 2 * c * np.cos(x))
    value = np.where((x >= 0) & (x <= 2 * np.pi), value, -np.inf)
    return np.where((c > 0) & (c < 1), value, np.nan)


def logpdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Compute the logarithm of the density of the wrapped Cauchy distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    c : array_like
        The shape parameter, between 0 and 1.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import wrapcauchy
    >>> wrapcauchy.logpdf(0.5, 0.25)
    Array(-1.4303437, dtype=float32, weak_type=True)
    """
    return compute("wrapcauchy.logpdf", _log_density, x, c)


def pdf(x: ArrayLike, c: ArrayLike) -> Array:
    """Compute the density of the wrapped Cauchy distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    c : array_like
        The shape parameter, between 0 and 1.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import wrapcauchy
    >>> wrapcauchy.pdf(0.5, 0.25)
    Array(0.23922667, dtype=float32, weak_type=True)
    """
    return compute("wrapcauchy.pdf", exp_of(_log_density), x, c)


publish(__name__)
