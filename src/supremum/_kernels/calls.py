"""Composition of a kernel with the casts of its operands; and a call of NumPy's that needs aligned operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum.promotion._nodes import NODES

Kernel = Callable[..., Any]
_BOOL: Final = np.dtype(np.bool_)


def call_of_one(kernel: Kernel, cast: np.dtype[Any] | None) -> Kernel:
    """Return a function that casts one buffer and applies the kernel."""
    return kernel if cast is None else lambda data: kernel(_cast(data, cast))


def call_of_two(kernel: Kernel, casts: tuple[np.dtype[Any] | None, np.dtype[Any] | None]) -> Kernel:
    """Return a function that casts two buffers and applies the kernel; None means no cast."""
    first, second = casts
    if first is None and second is None:
        return kernel

    def call(a: Buffer, b: Buffer) -> Any:
        return kernel(a if first is None else _cast(a, first), b if second is None else _cast(b, second))

    return call


def vdot(a: Buffer, b: Buffer) -> Any:
    """Return NumPy's `vdot`, which gives unaligned numbers to the BLAS, whose loops for some processors crash."""
    if not (a.flags.aligned and b.flags.aligned):
        a, b = a.copy(), b.copy()
    return np.vdot(a, b)


def _cast(data: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Cast as NumPy does; between narrow dtypes of which ml_dtypes has no cast, through a dtype that holds both."""
    if dtype == _BOOL:
        return np.asarray(data != 0)  # the casts of narrow complex dtypes drop the imaginary part
    try:
        return data.astype(dtype)
    except TypeError:
        kinds = {NODES[each.name].kind for each in (data.dtype, dtype)}
        return np.asarray(data.astype(np.int8 if kinds <= {"i", "u"} else np.float32)).astype(dtype)
