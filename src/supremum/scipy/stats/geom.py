"""The geometric distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np, times_log1p

__all__ = ["logpmf", "pmf"]


def _log_mass(k: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    x = k - loc
    return np.where(x <= 0, -np.inf, times_log1p(x - 1, -p) + np.log(p))


def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the geometric distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    p : array_like
        The probability of success.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import geom
    >>> geom.logpmf(2, 0.5)
    Array(-1.3862944, dtype=float32, weak_type=True)
    """
    return compute("geom.logpmf", _log_mass, k, p, loc)


def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the geometric distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    p : array_like
        The probability of success.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import geom
    >>> geom.pmf(2, 0.5)
    Array(0.25, dtype=float32, weak_type=True)
    """
    return compute("geom.pmf", exp_of(_log_mass), k, p, loc)


publish(__name__)
