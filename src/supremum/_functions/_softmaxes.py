"""Softmax and its logarithm, which `nn` and `scipy.special` have under their own signatures."""

from __future__ import annotations

import math
from typing import Any

from supremum._core.array import Array
from supremum._core.conversion import operand
from supremum._core.typing import ArrayLike, Axis
from supremum._functions import where as choosing
from supremum._functions._rounding import rounded_once
from supremum._functions.elementwise.exponential import exp, log
from supremum._functions.statistical import reductions as statistical

__all__ = ["log_softmax", "softmax"]


@rounded_once
def softmax(x: ArrayLike, axis: Axis, where: ArrayLike | None = None) -> Array:
    """Return the exponentials divided by their sum."""
    x = operand(x, "softmax")
    kept = x if where is None else choosing.where(where, x, -math.inf)
    powers = exp(kept - _largest("softmax", x, axis, where))
    shares = powers / statistical.sum(powers, axis=axis, where=where, keepdims=True)
    return shares if where is None else choosing.where(where, shares, 0)


@rounded_once
def log_softmax(x: ArrayLike, axis: Axis, where: ArrayLike | None = None) -> Array:
    """Return the logarithms of the exponentials divided by their sum."""
    x = operand(x, "log_softmax")
    kept = x if where is None else choosing.where(where, x, -math.inf)
    shifted = kept - _largest("log_softmax", x, axis, where)
    logs = shifted - log(statistical.sum(exp(shifted), axis=axis, where=where, keepdims=True))
    return logs if where is None else choosing.where(where, logs, -math.inf)


def _largest(function: str, x: Array, axis: Any, where: Any) -> Array:
    if axis is not None and not x.ndim:
        raise ValueError(f"{function}: a 0-d array has no axis {axis!r}; pass axis=None")
    return statistical.max(x, axis=axis, where=where, initial=-math.inf, keepdims=True)
