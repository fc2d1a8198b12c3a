"""What the modules of distributions share: names, rules for weak types, pieces of formulas."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.array import Array
from supremum._core.typing import ArrayLike
from supremum._kernels import special as k
from supremum.scipy._evaluation import evaluate, promoted
from supremum.scipy._normal import normal_quantile

__all__ = [
    "LOG_TWO_PI",
    "Array",
    "ArrayLike",
    "Buffer",
    "clip_at_zero",
    "compute",
    "compute_as_promoted",
    "compute_strong",
    "compute_wide",
    "exp_of",
    "k",
    "log_less_one",
    "log_ndtr",
    "log_of",
    "ndtr",
    "ndtri",
    "np",
    "promoted",
    "times_log",
    "times_log1p",
    "where_positive",
]  # fmt: skip

LOG_TWO_PI: Final = math.log(2 * math.pi)
Kernel = Callable[..., Buffer]


#: The three rules of JAX's functions for weak types, and that of functions that it has for float32 and float64 alone.
compute: Final = partial(evaluate, weak="shared")
compute_as_promoted: Final = partial(evaluate, weak="promoted")
compute_strong: Final = partial(evaluate, weak="never")
compute_wide: Final = partial(evaluate, weak="never", least_bits=32)


def exp_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the exponential of what a kernel computes."""
    return lambda *xs: np.exp(kernel(*xs))


def log_of(kernel: Kernel) -> Kernel:
    """Return the kernel of the logarithm of what a kernel computes."""
    return lambda *xs: np.log(kernel(*xs))


def times_log(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``x * log(y)``, 0 where x is 0."""
    return np.where(x == 0, 0.0, x * np.log(y))


def times_log1p(x: Buffer, y: Buffer) -> Buffer:
    """Compute ``x * log(1 + y)``, 0 where x is 0."""
    return np.where(x == 0, 0.0, x * np.log1p(y))


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
