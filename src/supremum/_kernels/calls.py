"""From a kernel to what a plan calls: with the casts that come before it."""

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

#: Elements beyond which an operand is not cast into a temporary of its size.
_LARGE = 8192


def call_of_one(kernel: Kernel, cast: np.dtype[Any] | None) -> Kernel:
    """Return what computes from one buffer as it is."""
    return kernel if cast is None else lambda data: kernel(data.astype(cast))


def call_of_two(
    kernel: Kernel, casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None], compute: Node, result: Node
) -> Kernel:
    """Return what computes from two buffers as they are."""
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
