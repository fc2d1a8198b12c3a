"""The binomial distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._kernels import special
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np, times_log, times_log1p

__all__ = ["logpmf", "pmf"]


def _log_mass(k: Buffer, n: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = k - loc
    ways = special.log_gamma(n + 1) - special.log_gamma(y + 1) - special.log_gamma(n - y + 1)
    terms = times_log(y, p) + times_log1p(n - y, -p)
    value = np.where(((y == 0) & (n == 0)) | (terms == 0), 0.0, ways + terms)
    return np.where((k >= loc) & (k < loc + n + 1), value, -np.inf)


def logpmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of trials.
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
    >>> from supremum.scipy.stats import binom
    >>> binom.logpmf(2, 4, 0.5)
    Array(-0.98082924, dtype=float32, weak_type=True)
    """
    return compute("binom.logpmf", _log_mass, k, n, p, loc)


def pmf(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the binomial distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    n : array_like
        The number of trials.
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
    >>> from supremum.scipy.stats import binom
    >>> binom.pmf(2, 4, 0.5)
    Array(0.375, dtype=float32, weak_type=True)
    """
    return compute("binom.pmf", exp_of(_log_mass), k, n, p, loc)


publish(__name__)
