"""Rules for derivatives: samplers, by their parameters, which they apply to numbers that do not depend on them."""

from __future__ import annotations

from typing import Any

import numpy as np

import supremum as xp
from supremum.jax._slopes import jax, pushes
from supremum.jax._slopes_parts import parts_of, still
from supremum.promotion._nodes import KEY
from supremum.random import keys

_random: Any = xp.random


@parts_of("random.truncated_normal")
def _truncated_normal(xp: Any, key: Any, lower: Any, upper: Any, shape: Any, dtype: Any, **_: Any) -> Any:
    special, root = xp.scipy.special, 2.0**0.5
    low, high = special.erf(lower / root), special.erf(upper / root)
    lengths = np.broadcast_shapes(np.shape(lower), np.shape(upper)) if shape is None else shape
    draw = keys.of_many(_random.uniform) if key.ndim > (key._node is not KEY) else _random.uniform
    u = low + (high - low) * draw(key, shape=lengths, dtype=dtype)
    zero = still(0 * u)
    least, most = (xp.nextafter(still(x) + zero, zero + end) for x, end in ((lower, np.inf), (upper, -np.inf)))
    return xp.clip(root * special.erfinv(u), least, most)


@pushes("random.uniform")
def _uniform(function: Any, _y: Any, given: dict[str, Any]) -> dict[str, Any]:
    u = function(given["key"], shape=given["shape"], dtype=given["dtype"])
    return {"minval": (lambda t: t * (1 - u), lambda ct: ct * (1 - u)), "maxval": (lambda t: t * u, lambda ct: ct * u)}


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
