"""Student"s t distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, k, np

__all__ = ["logpdf", "pdf"]


def _log_density(x: Buffer, df: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    y, half = (x - loc) / scale, df / 2
    front = k.log_gamma(half + 0.5) - k.log_gamma(half) - np.log(scale * scale * np.pi * df) / 2
    return front - (half + 0.5) * np.log1p(y * y / df)


def logpdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of Student's t distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import t
    >>> t.logpdf(1.0, 3.0)
    Array(-1.5762529, dtype=float32, weak_type=True)
    """
    return compute("t.logpdf", _log_density, x, df, loc, scale)


def pdf(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of Student's t distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate.
    df : array_like
        The degrees of freedom.
    loc, scale : array_like
        The shift and the scale.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> from supremum.scipy.stats import t
    >>> t.pdf(1.0, 3.0)
    Array(0.20674834, dtype=float32, weak_type=True)
    """
    return compute("t.pdf", exp_of(_log_density), x, df, loc, scale)


publish(__name__)
