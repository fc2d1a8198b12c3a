"""Softmax and its logarithm, which `nn` and `scipy.special` have under their own signatures."""

from __future__ import annotations

import math
from typing import Any

from supremum._core.array import Array, ArrayLike, Axis
from supremum._core.conversion import as_integers, operand
from supremum._functions import where as choosing
from supremum._functions._rounding import rounded_once
from supremum._functions.elementwise.exponential import exp, log
from supremum._functions.statistical import reductions as statistical


@rounded_once
def softmax(x: ArrayLike, axis: Axis, where: ArrayLike | None = None) -> Array:
    """Return the exponentials divided by their sum."""
    x = operand(x, "softmax")
    kept = x if where is None else choosing.where(where, x, -math.inf)
    powers = exp(kept - largest("softmax", x, axis, where))
    shares = powers / total(powers, axis, where)
    return shares if where is None else choosing.where(where, shares, 0)


@rounded_once
def log_softmax(x: ArrayLike, axis: Axis, where: ArrayLike | None = None) -> Array:
    """Return the logarithms of the exponentials divided by their sum."""
    x = operand(x, "log_softmax")
    kept = x if where is None else choosing.where(where, x, -math.inf)
    shifted = kept - largest("log_softmax", x, axis, where)
    logs = shifted - log(total(exp(shifted), axis, where))
    return logs if where is None else choosing.where(where, logs, -math.inf)


def largest(function: str, x: Array, axis: Any, where: Any) -> Array:
    """Return the largest elements, or -∞ where there are none."""
    if not x.ndim and axis is not None and as_integers(axis, "axis", function):
        raise ValueError(f"{function}: a 0-d array has no axis {axis!r}; pass axis=None")
    if where is None and x.size:  # the engine's fast path knows no other arguments
        return statistical.max(x, axis=axis, keepdims=True)
    return statistical.max(x, axis=axis, where=where, initial=-math.inf, keepdims=True)


def total(powers: Array, axis: Any, where: Any) -> Array:
    """Return the sums of elements."""
    return statistical.sum(powers, axis=axis, keepdims=True, **({} if where is None else {"where": where}))
