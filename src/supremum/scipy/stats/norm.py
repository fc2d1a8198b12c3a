"""The normal distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._core.array import wrap
from supremum._core.conversion import operand
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.scipy.stats._evaluation import (
    LOG_TWO_PI,
    Array,
    ArrayLike,
    Buffer,
    compute,
    compute_strong,
    compute_wide,
    exp_of,
    log_ndtr,
    ndtr,
    ndtri,
    np,
)

__all__ = ["cdf", "isf", "logcdf", "logpdf", "logsf", "pdf", "ppf", "sf"]


def _log_density(x: Buffer, loc: Buffer, scale: Buffer) -> Buffer:
    z = (x - loc) / scale
    # The square of a complex scale has another logarithm than its magnitude.
    log_variance = np.log(scale * scale) if scale.dtype.kind == "c" else 2 * np.log(np.abs(scale))
    return -(LOG_TWO_PI + log_variance + z * z) / 2


def _quantiles(function: str, q: ArrayLike, loc: ArrayLike, scale: ArrayLike, sign: int) -> Array:
    """Return quantiles in the default float dtype, as JAX does."""
    given = operand(q, function)
    if given._node.kind != "f" or given._node.bits < 32:
        raise TypeError(f"{function}: q must have dtype float32 or float64, got {given.dtype}; cast it first")
    found = compute_strong(function, lambda p, a, b: a + sign * ndtri(p) * b, given, loc, scale)
    node = state().float_
    return wrap(cast(found._data, node), node)


def logpdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the density of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logpdf(1.0)
    Array(-1.4189385, dtype=float32, weak_type=True)
    """
    return compute("norm.logpdf", _log_density, x, loc, scale, kinds="fc")


def pdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the density of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.pdf(1.0)
    Array(0.24197072, dtype=float32, weak_type=True)
    """
    return compute("norm.pdf", exp_of(_log_density), x, loc, scale, kinds="fc")


def cdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the distribution function of the normal distribution, the probability of values up to ``x``.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.cdf(1.0)
    Array(0.8413448, dtype=float32)
    """
    return compute_wide("norm.cdf", lambda x, loc, scale: ndtr((x - loc) / scale), x, loc, scale)


def logcdf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the distribution function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logcdf(1.0)
    Array(-0.17275378, dtype=float32)
    """
    return compute_wide("norm.logcdf", lambda x, loc, scale: log_ndtr((x - loc) / scale), x, loc, scale)


def sf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the survival function of the normal distribution, the probability of values above ``x``.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.sf(1.0)
    Array(0.15865526, dtype=float32)
    """
    return compute_wide("norm.sf", lambda x, loc, scale: ndtr((loc - x) / scale), x, loc, scale)


def logsf(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the logarithm of the survival function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.logsf(1.0)
    Array(-1.8410217, dtype=float32)
    """
    return compute_wide("norm.logsf", lambda x, loc, scale: log_ndtr((loc - x) / scale), x, loc, scale)


def ppf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the quantiles of the normal distribution, the inverse of `cdf`.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.ppf(0.975)
    Array(1.9599644, dtype=float32)
    """
    return _quantiles("norm.ppf", q, loc, scale, 1)


def isf(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Array:
    """Compute the inverse of the survival function of the normal distribution.

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
    >>> from supremum.scipy.stats import norm
    >>> norm.isf(0.025)
    Array(1.959964, dtype=float32)
    """
    return _quantiles("norm.isf", q, loc, scale, -1)


publish(__name__)
