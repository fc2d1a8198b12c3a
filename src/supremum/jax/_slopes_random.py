"""Rules for derivatives: samplers, by their parameters, which they apply to numbers that do not depend on them."""

from __future__ import annotations

from typing import Any

import numpy as np

import supremum as xp
from supremum.jax._slopes import jax, moving, pushes, rows
from supremum.jax._slopes_parts import parts_of

_random: Any = xp.random


def _shape(shape: Any, *parameters: Any) -> Any:
    """Return the shape of samples, by default that of the parameters, broadcast."""
    return np.broadcast_shapes(*[np.shape(x) for x in parameters]) if shape is None else shape


@parts_of("random.uniform")
def _uniform(xp: Any, key: Any, shape: Any, dtype: Any, minval: Any, maxval: Any, **_: Any) -> Any:
    return minval + (maxval - minval) * _random.uniform(key, shape, dtype)


@parts_of("random.lognormal")
def _lognormal(xp: Any, key: Any, sigma: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    return xp.exp(sigma * _random.normal(key, _shape(shape, sigma), dtype))


@parts_of("random.pareto")
def _pareto(xp: Any, key: Any, b: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    return xp.exp(_random.exponential(key, _shape(shape, b), dtype) / b)


@parts_of("random.rayleigh")
def _rayleigh(xp: Any, key: Any, scale: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    return scale * _random.rayleigh(key, 1.0, _shape(shape, scale), dtype)


@parts_of("random.weibull_min")
def _weibull_min(xp: Any, key: Any, scale: Any, concentration: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    return scale * _random.weibull_min(key, 1.0, 1.0, shape, dtype) ** (1.0 / concentration)


@parts_of("random.double_sided_maxwell")
def _double_sided_maxwell(xp: Any, key: Any, loc: Any, scale: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    batch = np.broadcast_shapes(np.shape(loc), np.shape(scale))
    return loc + scale * _random.double_sided_maxwell(key, xp.zeros(batch), xp.ones(batch), shape, dtype)


@parts_of("random.triangular")
def _triangular(xp: Any, key: Any, left: Any, mode: Any, right: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    u = _random.uniform(key, _shape(shape, left, mode, right), dtype)
    rising = left + xp.sqrt(u * (right - left) * (mode - left))
    falling = right - xp.sqrt((1 - u) * (right - left) * (right - mode))
    return xp.where(u < (mode - left) / (right - left), rising, falling)


@parts_of("random.truncated_normal")
def _truncated_normal(xp: Any, key: Any, lower: Any, upper: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    special, root = xp.scipy.special, 2.0**0.5
    low, high = special.erf(lower / root), special.erf(upper / root)
    u = low + (high - low) * _random.uniform(key, _shape(shape, lower, upper), dtype)
    return root * special.erfinv(u)


@parts_of("random.wald")
def _wald(xp: Any, key: Any, mean: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    first, second = _random.split(key)
    lengths = _shape(shape, mean)
    y, u = xp.square(_random.normal(first, lengths, dtype)), _random.uniform(second, lengths, dtype)
    square = mean * mean
    x = mean + square * y / 2 - mean / 2 * xp.sqrt(4 * mean * y + square * y * y)
    return xp.where(u <= mean / (mean + x), x, square / x)


@parts_of("random.multivariate_normal")
def _multivariate_normal(xp: Any, key: Any, mean: Any, cov: Any, shape: Any, dtype: Any, method: str, **_: Any) -> Any:
    lengths = np.broadcast_shapes(np.shape(mean)[:-1], np.shape(cov)[:-2]) if shape is None else tuple(shape)
    n = np.shape(mean)[-1]
    numbers = _random.normal(key, (*lengths, n), dtype or xp.result_type(mean, cov, 1.0))
    if method == "cholesky":
        root = xp.linalg.cholesky(cov)
    elif method == "eigh":
        values, vectors = xp.linalg.eigh(cov)
        root = vectors * xp.sqrt(values)[..., None, :]
    else:
        left, values, _right = xp.linalg.svd(cov)
        root = left * xp.sqrt(values)[..., None, :]
    return mean + xp.matmul(root, numbers[..., None])[..., 0]


# -- by gamma numbers: as the parameter grows, the number keeps its probability -----------------------------------------------


@pushes("random.gamma")
def _gamma(_function: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
    slope = jax().lax.random_gamma_grad(xp.broadcast_to(xp.astype(given["a"], y.dtype), y.shape), y)
    return {"a": (lambda t: t * slope, lambda ct: ct * slope)}


@pushes("random.loggamma")
def _loggamma(_function: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
    number = xp.exp(y)
    number = xp.where(number == 0, xp.finfo(y.dtype).tiny, number)
    slope = jax().lax.random_gamma_grad(xp.broadcast_to(xp.astype(given["a"], y.dtype), y.shape), number) / number
    return {"a": (lambda t: t * slope, lambda ct: ct * slope)}


@parts_of("random.beta")
def _beta(xp: Any, key: Any, a: Any, b: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    first, second = _random.split(key)
    lengths = _shape(shape, a, b)
    x, y = _random.loggamma(first, a, lengths, dtype), _random.loggamma(second, b, lengths, dtype)
    return xp.scipy.special.expit(x - y)


@parts_of("random.dirichlet")
def _dirichlet(xp: Any, key: Any, alpha: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    lengths = np.shape(alpha)[:-1] if shape is None else tuple(shape)
    return xp.nn.softmax(_random.loggamma(key, alpha, (*lengths, np.shape(alpha)[-1]), dtype), axis=-1)


@parts_of("random.chisquare")
def _chisquare(xp: Any, key: Any, df: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    return 2 * xp.exp(_random.loggamma(key, df / 2, _shape(shape, df), dtype))


@parts_of("random.f")
def _f(xp: Any, key: Any, dfnum: Any, dfden: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    below, above = _random.split(key)  # the first key is the denominator's
    lengths = _shape(shape, dfnum, dfden)
    numerator = _random.chisquare(above, dfnum, lengths, dtype) / dfnum
    return numerator / (_random.chisquare(below, dfden, lengths, dtype) / dfden)


@parts_of("random.t")
def _t(xp: Any, key: Any, df: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    first, second = _random.split(key)
    lengths = _shape(shape, df)
    return _random.normal(first, lengths, dtype) * xp.sqrt(df / 2 / _random.gamma(second, df / 2, lengths, dtype))


rows(moving, "random.permutation random.choice")
