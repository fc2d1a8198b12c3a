"""The Bernoulli distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, np, times_log, times_log1p

__all__ = ["cdf", "logpmf", "pmf", "ppf"]


def _log_mass(k: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    x = k - loc
    return np.where((x < 0) | (x > 1), -np.inf, times_log(x, p) + times_log1p(1 - x, -p))


def _distribution(k: Buffer, p: Buffer) -> Buffer:
    value = np.where(k < 0, 0.0, np.where(k < 1, 1 - p, 1.0))
    return np.where(~np.isnan(k) & (p >= 0) & (p <= 1), value, np.nan)


def _quantile(q: Buffer, p: Buffer) -> Buffer:
    value = np.where(q <= 1 - p, 0.0, 1.0)
    return np.where((p >= 0) & (p <= 1) & (q >= 0) & (q <= 1), value, np.nan)


def logpmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the Bernoulli distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    p : array_like
        The probability of 1.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import bernoulli
    >>> bernoulli.logpmf(1, 0.25)
    Array(-1.3862944, dtype=float32, weak_type=True)
    """
    return compute("bernoulli.logpmf", _log_mass, k, p, loc)


def pmf(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the Bernoulli distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    p : array_like
        The probability of 1.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import bernoulli
    >>> bernoulli.pmf(1, 0.25)
    Array(0.25, dtype=float32, weak_type=True)
    """
    return compute("bernoulli.pmf", exp_of(_log_mass), k, p, loc)


def cdf(k: ArrayLike, p: ArrayLike) -> Array:
    """Compute the distribution function of the Bernoulli distribution, the probability of values up to ``k``.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    p : array_like
        The probability of 1.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import bernoulli
    >>> bernoulli.cdf(1, 0.25)
    Array(1., dtype=float32, weak_type=True)
    """
    return compute("bernoulli.cdf", _distribution, k, p)


def ppf(q: ArrayLike, p: ArrayLike) -> Array:
    """Compute the quantiles of the Bernoulli distribution, the inverse of `cdf`.

    Parameters
    ----------
    q : array_like
        The probabilities.
    p : array_like
        The probability of 1.

    Returns
    -------
    Array
        The quantiles.

    Examples
    --------
    >>> from supremum.scipy.stats import bernoulli
    >>> bernoulli.ppf(1, 0.25)
    Array(1., dtype=float32, weak_type=True)
    """
    return compute("bernoulli.ppf", _quantile, q, p)


publish(__name__)
