"""The Dirichlet distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum.scipy.stats._evaluation import Array, ArrayLike, Buffer, compute, exp_of, k, np, times_log

__all__ = ["logpdf", "pdf"]


def _log_density(x: Buffer, alpha: Buffer) -> Buffer:
    if alpha.ndim != 1:
        raise ValueError(f"dirichlet: alpha must be one-dimensional, got shape {alpha.shape}")
    if not x.ndim or len(x) not in (len(alpha), len(alpha) - 1):
        raise ValueError(f"dirichlet: x must have as many entries as alpha or one fewer, got shapes {x.shape}, {alpha.shape}")
    if len(x) != len(alpha):
        x = np.concatenate([x, 1 - x.sum(0, keepdims=True)])
    normalization = k.log_gamma(alpha).sum() - k.log_gamma(np.asarray(alpha.sum()))
    powers = alpha.reshape(-1, *[1] * (x.ndim - 1)) - 1
    value = times_log(powers, x).sum(0) - normalization
    is_simplex = (x > 0).all(0) & (np.abs(x.sum(0) - 1) < 1e-6)
    return np.where(is_simplex, value, -np.inf)


def logpdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Compute the logarithm of the density of the Dirichlet distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate: numbers that sum to 1 along the first axis; the last of them may be left out.
    alpha : array_like
        The concentrations, of one axis.

    Returns
    -------
    Array
        The logarithms.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import dirichlet
    >>> dirichlet.logpdf(xp.asarray([0.25, 0.75]), xp.asarray([2.0, 3.0]))
    Array(0.52324814, dtype=float32)
    """
    return compute("dirichlet.logpdf", _log_density, x, alpha)


def pdf(x: ArrayLike, alpha: ArrayLike) -> Array:
    """Compute the density of the Dirichlet distribution.

    Parameters
    ----------
    x, alpha
        As for `logpdf`.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import dirichlet
    >>> dirichlet.pdf(xp.asarray([0.25, 0.75]), xp.asarray([2.0, 3.0]))
    Array(1.6875, dtype=float32)
    """
    return compute("dirichlet.pdf", exp_of(_log_density), x, alpha)


publish(__name__)
