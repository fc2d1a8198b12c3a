"""The negative binomial distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._kernels import special
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np, times_log

__all__ = ["logpmf", "pmf"]


def _log_mass(k: Buffer, n: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = k - loc
    ways = special.log_gamma(y + n) - special.log_gamma(n) - special.log_gamma(y + 1)
    return np.where(k < loc, -np.inf, ways + times_log(n, p) + times_log(y, 1 - p))


def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the negative binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of successes.
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
    >>> from supremum.scipy.stats import nbinom
    >>> nbinom.logpmf(2, 4, 0.5)
    Array(-1.856298, dtype=float32, weak_type=True)
    """
    return compute("nbinom.logpmf", _log_mass, k, n, p, loc)


def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the negative binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of successes.
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
    >>> from supremum.scipy.stats import nbinom
    >>> nbinom.pmf(2, 4, 0.5)
    Array(0.15625, dtype=float32, weak_type=True)
    """
    return compute("nbinom.pmf", exp_of(_log_mass), k, n, p, loc)


publish(__name__)
