"""The beta-binomial distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy._incomplete import beta_log
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np

__all__ = ["logpmf", "pmf"]


def _log_mass(k: Buffer, n: Buffer, a: Buffer, b: Buffer, loc: Buffer) -> Buffer:
    y = np.floor(k) - loc
    ways = -np.log1p(n) - beta_log(n - y + 1, y + 1)
    value = np.where((y == 0) & (n == 0), 0.0, ways + beta_log(y + a, n - y + b) - beta_log(a, b))
    value = np.where((y < -loc) | (y > n) | (y + a <= 0), -np.inf, value)
    return np.where((n < 0) | (a <= 0) | (b <= 0), np.nan, value)


def logpmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the beta-binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of trials.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import betabinom
    >>> betabinom.logpmf(2, 4, 2.0, 3.0)
    Array(-1.3581235, dtype=float32, weak_type=True)
    """
    return compute("betabinom.logpmf", _log_mass, k, n, a, b, loc)


def pmf(k: ArrayLike, n: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the beta-binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of trials.
    a : array_like
        The first shape parameter.
    b : array_like
        The second shape parameter.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import betabinom
    >>> betabinom.pmf(2, 4, 2.0, 3.0)
    Array(0.25714287, dtype=float32, weak_type=True)
    """
    return compute("betabinom.pmf", exp_of(_log_mass), k, n, a, b, loc)


publish(__name__)
