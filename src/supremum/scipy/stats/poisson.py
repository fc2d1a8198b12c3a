"""The Poisson distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._kernels import special
from supremum.scipy._incomplete import gamma_upper
from supremum.scipy.stats._evaluation import (
    Array,
    ArrayLike,
    Buffer,
    compute,
    compute_as_promoted,
    compute_strong,
    exp_of,
    np,
    times_log,
)

__all__ = ["cdf", "entropy", "logpmf", "pmf"]


def _log_mass(k: Buffer, mu: Buffer, loc: Buffer) -> Buffer:
    x = k - loc
    return np.where((x < 0) | (np.round(k) != k), -np.inf, times_log(x, mu) - special.log_gamma(x + 1) - mu)


def _distribution(k: Buffer, mu: Buffer, loc: Buffer) -> Buffer:
    x = k - loc
    return np.where(x < 0, 0.0, gamma_upper(np.floor(1 + x), mu))


def _entropy(mu: Buffer, loc: Buffer) -> Buffer:
    flat = np.where((mu > 0) & (mu < 100), mu, 1.0).reshape(-1)
    counts = np.arange(250.0)[:, None]
    masses = _log_mass(counts, flat, np.zeros(()))
    by_sum = -(np.exp(masses) * np.where(np.isfinite(masses), masses, 0.0)).sum(0).reshape(mu.shape)
    by_expansion = np.log(2 * np.pi * np.e * mu) / 2 - 1 / (12 * mu)
    value = np.where(mu == 0, 0.0, np.where((mu > 0) & (mu < 100), by_sum, by_expansion))
    return np.broadcast_to(value, np.broadcast_shapes(mu.shape, loc.shape)).copy()


def logpmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the logarithm of the probabilities of the Poisson distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    mu : array_like
        The mean.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> from supremum.scipy.stats import poisson
    >>> poisson.logpmf(2, 3.0)
    Array(-1.4959226, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("poisson.logpmf", _log_mass, k, mu, loc)


def pmf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the probabilities of the Poisson distribution.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    mu : array_like
        The mean.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import poisson
    >>> poisson.pmf(2, 3.0)
    Array(0.2240418, dtype=float32, weak_type=True)
    """
    return compute_as_promoted("poisson.pmf", exp_of(_log_mass), k, mu, loc)


def cdf(k: ArrayLike, mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the distribution function of the Poisson distribution, the probability of values up to ``k``.

    Parameters
    ----------
    k : array_like
        The numbers to evaluate at.
    mu : array_like
        The mean.
    loc : array_like
        The shift.

    Returns
    -------
    Array
        The probabilities.

    Examples
    --------
    >>> from supremum.scipy.stats import poisson
    >>> poisson.cdf(2, 3.0)
    Array(0.4231901, dtype=float32, weak_type=True)
    """
    return compute("poisson.cdf", _distribution, k, mu, loc)


def entropy(mu: ArrayLike, loc: ArrayLike = 0) -> Array:
    """Compute the entropy of the Poisson distribution, in nats.

    Parameters
    ----------
    mu : array_like
        The mean.
    loc : array_like
        The shift, which the entropy does not depend on.

    Returns
    -------
    Array
        The entropies.

    Examples
    --------
    >>> from supremum.scipy.stats import poisson
    >>> poisson.entropy(3.0)
    Array(1.9314702, dtype=float32)
    """
    return compute_strong("poisson.entropy", _entropy, mu, loc)


publish(__name__)
