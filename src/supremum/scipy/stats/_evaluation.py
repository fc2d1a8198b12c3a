"""What the functions of all distributions share: promotion, computation in float64, rounding."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.arguments import promote_operands
from supremum._core.array import Array, wrap
from supremum._core.dtypes import to_inexact
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node
from supremum.scipy._normal import normal_quantile

__all__ = [
    "LOG_TWO_PI", "Array", "ArrayLike", "Buffer", "clip_at_zero", "compute", "exp_of", "k", "log_less_one", "log_ndtr",
    "log_of", "ndtr", "ndtri", "np", "times_log", "times_log1p", "where_positive",
]  # fmt: skip

LOG_TWO_PI: Final = math.log(2 * math.pi)
Kernel = Callable[..., Buffer]


def compute(function: str, kernel: Kernel, *xs: ArrayLike) -> Array:
    """Return what a kernel computes in float64, rounded once to the inexact dtype that the arguments promote to."""
    node, data = in_double(function, *xs)
    return wrap(cast(np.asarray(kernel(*data)), node), node)


def in_double(function: str, *xs: ArrayLike) -> tuple[Node, list[Buffer]]:
    """Return the inexact node that the arguments promote to, and their buffers in float64."""
    node, buffers = promote_operands(function, *xs)
    node = to_inexact(node)
    if node.kind == "c":
        raise TypeError(f"{function}: complex numbers are not accepted, got dtype {node.dtype}")
    return node, [cast(data, node).astype(np.float64) for data in buffers]


def exp_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the exponential of what a kernel computes."""
    return lambda *xs: np.exp(kernel(*xs))


def log_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the logarithm of what a kernel computes."""
    return lambda *xs: np.log(kernel(*xs))


def times_log(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``x * log(y)``, 0 where x is 0."""
    return k.times(x, np.log(y))


def times_log1p(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``x * log(1 + y)``, 0 where x is 0."""
    return k.times(x, np.log1p(y))


def where_positive(scale: Buffer, value: Buffer) -> Buffer:
    """Return values, and NaN where a parameter is not positive."""
    return np.where(scale > 0, value, np.nan)


def clip_at_zero(x: Buffer) -> Buffer:
    """Return numbers, and 0 for negative ones."""
    return np.maximum(x, 0)


def ndtr(x: Buffer) -> Buffer:
    """Compute the distribution function of the standard normal distribution."""
    return k.erfc(np.asarray(-x * math.sqrt(0.5))) / 2


def log_ndtr(x: Buffer) -> Buffer:
    """Compute the logarithm of `ndtr`."""
    return k.log_ndtr(np.asarray(x))


def ndtri(p: Buffer) -> Buffer:
    """Compute the inverse of `ndtr`."""
    return normal_quantile(p)


def log_less_one(x: Buffer) -> Buffer:
    """Compute ``log(1 - exp(-x))`` of positive numbers."""
    return np.where(x > math.log(2), np.log1p(-np.exp(-x)), np.log(-np.expm1(-x)))
