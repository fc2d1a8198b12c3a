"""The uniform distribution on ``loc`` to ``loc + scale``."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute_as_promoted, compute_strong, exp_of, np

__all__ = ["cdf", "logpdf", "pdf", "ppf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((x > loc + scale) | (x < loc), -np.inf, -np.log(scale))


def _distribution(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    inside = np.where((x >= loc) & (x <= loc + scale), (x - loc) / scale, 0.0)
    return np.where(x < loc, 0.0, np.where(x > loc + scale, 1.0, inside))


def _quantile(q: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    return np.where((q >= 0) & (q <= 1), loc + scale * q, np.nan)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the uniform distribution.

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
    >>> from supremum.scipy.stats import uniform
    >>> uniform.logpdf(0.25, 0.0, 2.0)
    Array(-0.6931472, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("uniform.logpdf", _log_density, x, loc, scale)


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the uniform distribution.

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
    >>> from supremum.scipy.stats import uniform
    >>> uniform.pdf(0.25, 0.0, 2.0)
    Array(0.5, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("uniform.pdf", exp_of(_log_density), x, loc, scale)


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the uniform distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import uniform
    >>> uniform.cdf(0.25, 0.0, 2.0)
    Array(0.125, dtype=float32)
    """
    return compute_strong("uniform.cdf", _distribution, x, loc, scale)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the uniform distribution, the inverse of `cdf`.

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
    >>> from supremum.scipy.stats import uniform
    >>> uniform.ppf(0.25, 0.0, 2.0)
    Array(0.5, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("uniform.ppf", _quantile, q, loc, scale, kinds="fc")


publish(__name__)
