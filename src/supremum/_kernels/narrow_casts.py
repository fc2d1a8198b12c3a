"""Casts between narrow floats and wider numbers, which round once.

The extension module has them for contiguous elements (`native/loops/narrow.h`, `casts.c`); here is their definition. A number
that float32 cannot represent is first rounded to the neighbour with an odd code ("round to odd"): rounding it to nearest might
produce a tie that the number is not.
"""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.native import native

_FLOAT32: Final = np.dtype(np.float32)
_FLOAT64: Final = np.dtype(np.float64)
_POWERS: Final = np.dtype(ml_dtypes.float8_e8m0fnu)


def widen(data: Buffer) -> Buffer:
    """Cast narrow floats to float32, which is exact."""
    if native is not None and native.casts(data.dtype, _FLOAT32):
        return np.asarray(native.cast(data, _FLOAT32))
    return np.asarray(data.astype(_FLOAT32))


def narrow(data: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Round real numbers of any native dtype to a narrow float dtype, once."""
    if native is not None and native.casts(data.dtype, dtype):
        return np.asarray(native.cast(data, dtype))
    if data.dtype != _FLOAT32:
        data = _rounded_to_odd(data)
    if not rounds_well(dtype):
        bits = data.view(np.uint32)
        halfway = (bits & 0x7FFFFF == 0x400000) & (bits > 0x7FFFFF)
        data = np.bitwise_or(bits, halfway, dtype=np.uint32).view(np.float32)
    return np.asarray(data.astype(dtype))


#: ml_dtypes 0.5.0 rounds halfway between powers of two to the even exponent; later versions round up, as JAX does.
_EVEN_POWERS: Final = bool(np.float32(3).astype(_POWERS) != 4)


def rounds_well(dtype: np.dtype[Any]) -> bool:
    """Return whether ml_dtypes rounds float32 numbers to this dtype as JAX does."""
    return not _EVEN_POWERS or dtype != _POWERS


# -- rounding to odd ---------------------------------------------------------------------------------------------------------


def _rounded_to_odd(data: Buffer) -> Buffer:
    """Round to float32, inexact numbers to the neighbour with an odd code, so that a second rounding is correct."""
    if data.dtype.kind in "biu":
        if data.dtype.itemsize <= 2:
            return data.astype(_FLOAT32)
        data = _sticky(data) if data.dtype.itemsize == 8 else data
    exact = data.astype(_FLOAT64)
    near = exact.astype(_FLOAT32)
    back = near.astype(_FLOAT64)
    wrong = (back != exact) & (exact == exact)  # noqa: PLR0124 - NaN
    if wrong.any():
        bits = near.view(np.int32)
        step = np.where(np.abs(back) < np.abs(exact), np.int32(1), np.int32(-1))
        np.add(bits, step, out=bits, where=wrong & (bits & 1 == 0))
    return near


def _sticky(integers: Buffer) -> Buffer:
    """Set the lowest bit of large integers that float64 can represent if any lower bit is set, and clear those."""
    beyond = integers & 0x7FF
    large = np.abs(integers.astype(_FLOAT64)) >= 2.0**53
    return np.where(large, (integers - beyond) | ((beyond != 0) * integers.dtype.type(0x800)), integers)
