"""Composition of a kernel with the casts of its operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.mixed import apply_mixed

if TYPE_CHECKING:
    from supremum.promotion._nodes import Node

__all__ = ["call_of_one", "call_of_two"]

Kernel = Callable[..., Any]

#: Number of elements above which an operand is not cast into a temporary of its size.
_LARGE = 8192


def call_of_one(kernel: Kernel, cast: np.dtype[Any] | None) -> Kernel:
    """Return a function that casts one buffer and applies the kernel."""
    return kernel if cast is None else lambda data: kernel(data.astype(cast))


def call_of_two(
    kernel: Kernel, casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None], compute: Node, result: Node
) -> Kernel:
    """Return a function that casts two buffers and applies the kernel; None stands for no cast."""
    first, second = casts
    ufunc = kernel if isinstance(kernel, np.ufunc) else None
    if first is None and second is None:
        return kernel

    def call(a: Buffer, b: Buffer) -> Any:
        if first is not None:
            if a.size > _LARGE and ufunc is not None:
                return apply_mixed(ufunc, a, b, compute, result)
            a = a.astype(first)
        if second is not None:
            if b.size > _LARGE and ufunc is not None:
                return apply_mixed(ufunc, a, b, compute, result)
            b = b.astype(second)
        return kernel(a, b)

    return call
