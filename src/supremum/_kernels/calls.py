"""Composition of a kernel with the casts of its operands; and a call of NumPy's that needs aligned operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.buffers import Buffer

__all__ = ["call_of_one", "call_of_two", "vdot"]

Kernel = Callable[..., Any]


def call_of_one(kernel: Kernel, cast: np.dtype[Any] | None) -> Kernel:
    """Return a function that casts one buffer and applies the kernel."""
    return kernel if cast is None else lambda data: kernel(data.astype(cast))


def call_of_two(kernel: Kernel, casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None]) -> Kernel:
    """Return a function that casts two buffers and applies the kernel; None stands for no cast."""
    first, second = casts
    if first is None and second is None:
        return kernel

    def call(a: Buffer, b: Buffer) -> Any:
        return kernel(a if first is None else a.astype(first), b if second is None else b.astype(second))

    return call


def vdot(a: Buffer, b: Buffer) -> Any:
    """Return NumPy's `vdot`, which gives unaligned numbers to the BLAS, whose loops for some processors crash."""
    if not (a.flags.aligned and b.flags.aligned):
        a, b = a.copy(), b.copy()
    return np.vdot(a, b)
