"""Rules for derivatives: samplers, by their parameters, which they apply to numbers that do not depend on them."""

from __future__ import annotations

from typing import Any

import numpy as np

import supremum as xp
from supremum.jax._slopes import jax, moving, pushes, rows
from supremum.jax._slopes_parts import parts_of, still
from supremum.random import combined

_random: Any = xp.random


@parts_of("random.uniform")
def _uniform(xp: Any, key: Any, shape: Any, dtype: Any, minval: Any, maxval: Any, **_: Any) -> Any:
    return minval + (maxval - minval) * _random.uniform(key, shape, dtype)


@parts_of("random.truncated_normal")
def _truncated_normal(xp: Any, key: Any, lower: Any, upper: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    special, root = xp.scipy.special, 2.0**0.5
    low, high = special.erf(lower / root), special.erf(upper / root)
    lengths = np.broadcast_shapes(np.shape(lower), np.shape(upper)) if shape is None else shape
    u = low + (high - low) * _random.uniform(key, lengths, dtype)
    zero = still(0 * u)
    least, most = (xp.nextafter(still(x) + zero, zero + end) for x, end in ((lower, np.inf), (upper, -np.inf)))
    return xp.clip(root * special.erfinv(u), least, most)


@parts_of("random.multivariate_normal")
def _multivariate_normal(xp: Any, key: Any, mean: Any, cov: Any, shape: Any, dtype: Any, method: str, **_: Any) -> Any:
    lengths = np.broadcast_shapes(np.shape(mean)[:-1], np.shape(cov)[:-2]) if shape is None else tuple(shape)
    numbers = _random.normal(key, (*lengths, np.shape(mean)[-1]), dtype or xp.result_type(mean, cov, 1.0))
    return mean + xp.matmul(combined.root_of(cov, method), numbers[..., None])[..., 0]


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


rows(moving, "random.permutation random.choice")
