"""The multivariate normal distribution."""

from __future__ import annotations

from supremum._base.boundary import publish
from supremum._functions.linear_algebra._matrices import robust
from supremum._kernels import lapack
from supremum.scipy._triangular import substitute
from supremum.scipy.stats._evaluation import LOG_TWO_PI, Array, ArrayLike, Buffer, compute_as_promoted, exp_of, np

__all__ = ["logpdf", "pdf"]


def _log_density(x: Buffer, mean: Buffer, cov: Buffer) -> Buffer:
    deviation = x - mean
    if not mean.ndim:
        return -(deviation * deviation / cov + LOG_TWO_PI + np.log(cov)) / 2
    n = mean.shape[-1]
    if not cov.ndim:
        return -((deviation * deviation).sum(-1) / cov + n * (LOG_TWO_PI + np.log(cov))) / 2
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError(f"multivariate_normal.logpdf: the covariance must have shape (..., {n}, {n}), got {cov.shape}")
    lower = np.tril(robust(lapack.cholesky, cov, finite=False))
    y = substitute(lower, deviation[..., None], lower=True)[..., 0]
    log_determinant = 2 * np.log(lower.diagonal(axis1=-2, axis2=-1)).sum(-1)
    return -((y * y).sum(-1) + n * LOG_TWO_PI + log_determinant) / 2


def logpdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike, allow_singular: None = None) -> Array:
    """Compute the logarithm of the density of the multivariate normal distribution.

    Parameters
    ----------
    x : array_like
        Where to evaluate; the last axis has the components.
    mean : array_like
        The mean, a vector or a number.
    cov : array_like
        The covariance, a matrix or a number.
    allow_singular : None
        Must be None, as in JAX.

    Returns
    -------
    Array
        The logarithms; NaN if the covariance is not positive definite.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import multivariate_normal
    >>> multivariate_normal.logpdf(xp.asarray([1.0, 2.0]), xp.zeros(2), xp.eye(2))
    Array(-4.3378773, dtype=float32)
    """
    if allow_singular is not None:
        raise NotImplementedError("multivariate_normal.logpdf: allow_singular is not supported; leave it out")
    return compute_as_promoted("multivariate_normal.logpdf", _log_density, x, mean, cov, kinds="fc")


def pdf(x: ArrayLike, mean: ArrayLike, cov: ArrayLike) -> Array:
    """Compute the density of the multivariate normal distribution.

    Parameters
    ----------
    x, mean, cov
        As for `logpdf`.

    Returns
    -------
    Array
        The densities.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.scipy.stats import multivariate_normal
    >>> multivariate_normal.pdf(xp.asarray([1.0, 2.0]), xp.zeros(2), xp.eye(2))
    Array(0.01306423, dtype=float32)
    """
    return compute_as_promoted("multivariate_normal.pdf", exp_of(_log_density), x, mean, cov, kinds="fc")


publish(__name__)
