"""The table of discrete distributions, and of distributions of vectors: as that of continuous ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.functions import takes_over
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import promote_operands
from supremum._functions.linear_algebra._matrices import robust
from supremum._kernels import lapack
from supremum._kernels.casts import cast
from supremum.scipy._evaluation import promoted
from supremum.scipy.stats._distributions import (
    LOG_TWO_PI,
    PROMOTED,
    SHARED,
    STRONG,
    Kernel,
    distribution,
    exp_of,
    kernels as k,
    library,
)

__all__ = [
    "bernoulli", "betabinom", "binom", "dirichlet", "geom", "multinomial", "multivariate_normal", "nbinom", "poisson",
]  # fmt: skip


def _bernoulli_log_mass(x: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    return np.where((y < 0) | (y > 1), -np.inf, k.xlogy(y, p) + k.xlog1py(1 - y, -p))


def _bernoulli_distribution(x: Buffer, p: Buffer) -> Buffer:
    value = np.where(x < 0, 0.0, np.where(x < 1, 1 - p, 1.0))
    return np.where(~np.isnan(x) & (p >= 0) & (p <= 1), value, np.nan)


def _bernoulli_quantile(q: Buffer, p: Buffer) -> Buffer:
    value = np.where(q <= 1 - p, 0.0, 1.0)
    return np.where((p >= 0) & (p <= 1) & (q >= 0) & (q <= 1), value, np.nan)


bernoulli = distribution(
    "bernoulli", "the Bernoulli distribution", "p, loc=0", "1, 0.25",
    [
        ("logpmf pmf", SHARED, _bernoulli_log_mass, "-1.3862944 | 0.25"),
        ("cdf", SHARED, _bernoulli_distribution, "1.", {"first": "k", "parameters": "p"}),
        ("ppf", SHARED, _bernoulli_quantile, "1.", {"parameters": "p"}),
    ],
    described={"p": "The probability of 1."},
)  # fmt: skip


def _betabinom_log_mass(x: Buffer, n: Buffer, a: Buffer, b: Buffer, loc: Buffer) -> Buffer:
    y, log_beta = np.floor(x) - loc, library.betaln
    log_count = -np.log1p(n) - log_beta(n - y + 1, y + 1)
    value = np.where((y == 0) & (n == 0), 0.0, log_count + log_beta(y + a, n - y + b) - log_beta(a, b))
    value = np.where((y < -loc) | (y > n) | (y + a <= 0), -np.inf, value)
    return np.where((n < 0) | (a <= 0) | (b <= 0), np.nan, value)


betabinom = distribution(
    "betabinom", "the beta-binomial distribution", "n, a, b, loc=0", "2, 4, 2.0, 3.0",
    [("logpmf pmf", SHARED, _betabinom_log_mass, "-1.3581235 | 0.25714287")],
    described={"n": "The number of trials.", "a": "The first shape parameter.", "b": "The second shape parameter."},
)  # fmt: skip


def _binom_log_mass(x: Buffer, n: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    log_count = k.gammaln(n + 1) - k.gammaln(y + 1) - k.gammaln(n - y + 1)
    terms = k.xlogy(y, p) + k.xlog1py(n - y, -p)
    value = np.where(((y == 0) & (n == 0)) | (terms == 0), 0.0, log_count + terms)
    return np.where((x >= loc) & (x < loc + n + 1), value, -np.inf)


binom = distribution(
    "binom", "the binomial distribution", "n, p, loc=0", "2, 4, 0.5",
    [("logpmf pmf", PROMOTED, _binom_log_mass, "-0.98082924 | 0.375")],
    described={"n": "The number of trials.", "p": "The probability of success."},
)  # fmt: skip


def _geom_log_mass(x: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    return np.where(y <= 0, -np.inf, k.xlog1py(y - 1, -p) + np.log(p))


geom = distribution(
    "geom", "the geometric distribution", "p, loc=0", "2, 0.5",
    [("logpmf pmf", SHARED, _geom_log_mass, "-1.3862944 | 0.25")],
    described={"p": "The probability of success."},
)  # fmt: skip


def _nbinom_log_mass(x: Buffer, n: Buffer, p: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    log_count = k.gammaln(y + n) - k.gammaln(n) - k.gammaln(y + 1)
    return np.where(x < loc, -np.inf, log_count + k.xlogy(n, p) + k.xlogy(y, 1 - p))


nbinom = distribution(
    "nbinom", "the negative binomial distribution", "n, p, loc=0", "2, 4, 0.5",
    [("logpmf pmf", SHARED, _nbinom_log_mass, "-1.856298 | 0.15625")],
    described={"n": "The number of successes.", "p": "The probability of success."},
)  # fmt: skip


def _poisson_log_mass(x: Buffer, mu: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    return np.where((y < 0) | (np.round(x) != x), -np.inf, k.xlogy(y, mu) - k.gammaln(y + 1) - mu)


def _poisson_distribution(x: Buffer, mu: Buffer, loc: Buffer) -> Buffer:
    y = x - loc
    return np.where(y < 0, 0.0, library.gammaincc(np.floor(1 + y), mu))


def _poisson_entropy(mu: Buffer, loc: Buffer) -> Buffer:
    flat = np.where((mu > 0) & (mu < 100), mu, 1.0).reshape(-1)
    masses = _poisson_log_mass(np.arange(250.0)[:, None], flat, np.zeros(()))
    by_sum = -(np.exp(masses) * np.where(np.isfinite(masses), masses, 0.0)).sum(0).reshape(mu.shape)
    by_expansion = np.log(2 * np.pi * np.e * mu) / 2 - 1 / (12 * mu)
    value = np.where(mu == 0, 0.0, np.where((mu > 0) & (mu < 100), by_sum, by_expansion))
    return np.broadcast_to(value, np.broadcast_shapes(mu.shape, loc.shape)).copy()


poisson = distribution(
    "poisson", "the Poisson distribution", "mu, loc=0", "2, 3.0",
    [
        ("logpmf pmf", PROMOTED, _poisson_log_mass, "-1.4959226 | 0.2240418"),
        ("cdf", SHARED, _poisson_distribution, "0.4231901", {"first": "k"}),
        ("entropy", STRONG, _poisson_entropy, "3.0 -> 1.9314702", {"first": ""}),
    ],
    described={"mu": "The mean."},
)  # fmt: skip


# -- distributions of vectors -------------------------------------------------------------------------------------------------


def _dirichlet_log_density(x: Buffer, alpha: Buffer) -> Buffer:
    if alpha.ndim != 1:
        raise ValueError(f"dirichlet.logpdf: alpha must be one-dimensional, got shape {alpha.shape}")
    if not x.ndim or len(x) not in (len(alpha), len(alpha) - 1):
        raise ValueError(f"dirichlet.logpdf: x must be as long as alpha or one shorter, got shapes {x.shape}, {alpha.shape}")
    if len(x) != len(alpha):
        x = np.concatenate([x, 1 - x.sum(0, keepdims=True)])
    normalization = k.gammaln(alpha).sum() - k.gammaln(alpha.sum(keepdims=True))[0]
    powers = alpha.reshape(-1, *[1] * (x.ndim - 1)) - 1
    value = k.xlogy(powers, x).sum(0) - normalization
    is_simplex = (x > 0).all(0) & (np.abs(x.sum(0) - 1) < 1e-6)
    return np.where(is_simplex, value, -np.inf)


dirichlet = distribution(
    "dirichlet", "the Dirichlet distribution", "alpha", "xp.asarray([0.25, 0.75]), xp.asarray([2.0, 3.0])",
    [("logpdf pdf", SHARED, _dirichlet_log_density, "Array(0.52324814, dtype=float32) | Array(1.6875, dtype=float32)")],
    described={
        "x": "Where to evaluate: numbers that sum to 1 along the first axis; the last of them may be left out.",
        "alpha": "The concentrations, of one axis.",
    },
    kind="opaque",
)  # fmt: skip


def _of_counts(function: str, kernel: Kernel, x: ArrayLike, n: ArrayLike, p: ArrayLike) -> Array:
    """Return what the kernel makes of counts and probabilities, in the dtype of the probabilities."""
    node, counts = promote_operands(function, x, n)
    if node.kind not in "iu":
        raise ValueError(f"{function}: x and n must be integers, got {node.dtype}")
    result, (probabilities,) = promoted(function, p)
    found = kernel(*[data.astype(np.float64) for data in counts], probabilities)
    return wrap(cast(np.asarray(found), result), result)


def _multinomial_log_mass(x: Buffer, n: Buffer, p: Buffer) -> Buffer:
    value = k.gammaln(n + 1) + (k.xlogy(x, p) - k.gammaln(x + 1)).sum(-1)
    return np.where(x.sum() == n, value, -np.inf)


multinomial = distribution(
    "multinomial", "the multinomial distribution", "n, p", "xp.asarray([1, 2]), 3, xp.asarray([0.25, 0.75])",
    [("logpmf pmf", _of_counts, _multinomial_log_mass, "-0.8630462 | 0.421875", {"first": "x", "kind": "opaque"})],
    described={
        "x": "How often each outcome occurred, along the last axis.", "n": "The number of trials.",
        "p": "The probabilities of the outcomes.",
    },
)  # fmt: skip


def _multivariate_normal_log_density(x: Buffer, mean: Buffer, cov: Buffer) -> Any:
    deviation = x - mean
    if not mean.ndim:
        return -(deviation * deviation / cov + LOG_TWO_PI + np.log(cov)) / 2
    n = mean.shape[-1]
    if not cov.ndim:
        return -((deviation * deviation).sum(-1) / cov + n * (LOG_TWO_PI + np.log(cov))) / 2
    if cov.ndim < 2 or cov.shape[-2:] != (n, n):
        raise ValueError(f"multivariate_normal.logpdf: the covariance must have shape (..., {n}, {n}), got {cov.shape}")
    lower: Any = np.linalg.cholesky(cov) if takes_over(cov) else np.tril(robust(lapack.cholesky, cov, finite=False))
    y = np.linalg.solve(lower, deviation[..., None])[..., 0]
    log_determinant = 2 * np.log(lower.diagonal(axis1=-2, axis2=-1)).sum(-1)
    return -((y * y).sum(-1) + n * LOG_TWO_PI + log_determinant) / 2


def _not_singular(function: str, kernel: Kernel, *xs: Any, **options: Any) -> Array:
    *arguments, allow_singular = xs
    if allow_singular is not None:
        raise NotImplementedError(f"{function}: allow_singular is not supported; leave it out")
    return PROMOTED(function, kernel, *arguments, **options)


multivariate_normal = distribution(
    "multivariate_normal", "the multivariate normal distribution", "mean, cov", "xp.ones(2), xp.zeros(2), xp.eye(2)",
    [
        (
            "logpdf", _not_singular, _multivariate_normal_log_density, "-2.837877",
            {"parameters": "mean, cov, allow_singular=None"},
        ),
        ("pdf", PROMOTED, exp_of(_multivariate_normal_log_density), "Array(0.05854983, dtype=float32)"),
    ],
    described={
        "x": "Where to evaluate; the last axis has the components.", "mean": "The mean, a vector or a number.",
        "cov": "The covariance, a matrix or a number; if it is not positive definite, the result is NaN.",
        "allow_singular": "Must be None, as in JAX.",
    },
    kinds="fc", kind="opaque",
)  # fmt: skip
