"""Casts between narrow floats and wider ones, which round once and are faster than the scalar loops of NumPy and ml_dtypes.

* float16 is cast to float32 and back by integer arithmetic on blocks.
* 8-bit floats are cast to float32 two at a time, with a table of pairs.
* float32 is cast to an 8-bit float with a table of its sixteen high bits. The last of them is set if any lower bit is ("round
  to odd"), so that the rounding of the table is correct.
* float64 and wide integers are cast to narrow floats through a float32 that is also rounded to odd; rounding it to nearest
  might produce a tie that the number is not.

For bfloat16 to float32 and back, ml_dtypes has a vectorised loop.

Lookups are limited by NumPy, which widens every index to eight bytes: a third of the time. Arithmetic on the bits takes as
long, because each of its calls goes through the cache. Neither is ten times faster than ml_dtypes' loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ml_dtypes
import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.blocks import BLOCK, blocks
from supremum._kernels.narrow_tables import Table, every_code

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SMALL", "narrow", "rounds_well", "widen"]


_FLOAT16: Final = np.dtype(np.float16)
_FLOAT32: Final = np.dtype(np.float32)
_FLOAT64: Final = np.dtype(np.float64)
_BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)
_POWERS: Final = np.dtype(ml_dtypes.float8_e8m0fnu)
#: Number of elements up to which NumPy's own casts are faster.
SMALL: Final = 1024


def widen(data: Buffer) -> Buffer:
    """Cast narrow floats to float32, which is exact."""
    dtype = data.dtype
    if data.size <= SMALL or dtype == _BFLOAT16:  # equal dtypes need not be identical
        return np.asarray(data.astype(_FLOAT32))
    if dtype == _FLOAT16:
        return _by_blocks(_from_half, data, _FLOAT32)
    pairs = _pairs_of(dtype).get(data.size)
    return np.asarray(data.astype(_FLOAT32)) if pairs is None else _from_bytes(pairs, data)


def narrow(data: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Round real numbers of any native dtype to a narrow float dtype, once."""
    if data.dtype != _FLOAT32 and (data.dtype != _FLOAT64 or dtype != _FLOAT16):
        data = _rounded_to_odd(data)
    if data.size <= SMALL or dtype == _BFLOAT16 or data.dtype == _FLOAT64:
        return _plain(data, dtype)
    if dtype == _FLOAT16:
        return _by_blocks(_to_half, data, dtype)
    table = _table_of(dtype).get(data.size)
    if table is None:
        return _plain(data, dtype)
    scratch = np.empty(min(data.size, BLOCK), np.uint32)
    return _by_blocks(lambda single, out: _to_bytes(table, single, out, scratch), data, dtype)


#: ml_dtypes 0.5.0 rounds halfway between powers of two to the even exponent; later versions round up, as JAX does.
_EVEN_POWERS: Final = bool(np.float32(3).astype(_POWERS) != 4)


def rounds_well(dtype: np.dtype[Any]) -> bool:
    """Return whether ml_dtypes rounds float32 numbers to this dtype as JAX does."""
    return not _EVEN_POWERS or dtype != _POWERS


def _plain(data: Buffer, dtype: np.dtype[Any]) -> Buffer:
    if not rounds_well(dtype):
        bits = data.view(np.uint32)
        halfway = (bits & 0x7FFFFF == 0x400000) & (bits > 0x7FFFFF)
        data = np.bitwise_or(bits, halfway, dtype=np.uint32).view(np.float32)
    return np.asarray(data.astype(dtype))


def _by_blocks(step: Callable[[Buffer, Buffer], None], data: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Fill an array of `dtype` block by block."""
    out = np.empty(data.shape, dtype)
    for block, part in blocks(out, data):
        step(part, block)
    return out


# -- float16 -----------------------------------------------------------------------------------------------------------------

_HALF_NAN: Final = 0x7E00
_HALF_INFINITY: Final = 0x7C00
_SINGLE_INFINITY: Final = 0x7F800000
#: The bit that is set in a quiet float32 NaN and not in a signalling one.
_QUIET: Final = 0x400000
#: The ratio of the exponent biases, by which a float16 shifted to float32's bit positions is too small.
_SCALE: Final = np.float32(2.0**112)


def _from_half(half: Buffer, out: Buffer) -> None:
    """Shift sign, exponent and fraction to float32's positions and scale, which normalises subnormal numbers."""
    codes, bits = half.view(np.int16), out.view(np.uint32)
    np.copyto(out.view(np.int32), codes)
    np.left_shift(bits, 13, out=bits)
    np.bitwise_and(bits, 0x8FFFE000, out=bits)
    np.multiply(out, _SCALE, out=out)
    magnitudes = np.bitwise_and(codes, 0x7FFF)
    if magnitudes.max() >= _HALF_INFINITY:
        beyond = np.greater_equal(magnitudes, _HALF_INFINITY)
        np.bitwise_or(bits, np.multiply(beyond, _SINGLE_INFINITY, dtype=np.uint32), out=bits)
        is_nan = np.greater(magnitudes, _HALF_INFINITY)
        np.bitwise_or(bits, np.multiply(is_nan, _QUIET, dtype=np.uint32), out=bits)


def _to_half(single: Buffer, out: Buffer) -> None:
    """Round by adding a power of two whose last place is float16's at that magnitude; the excess of the sum is the code."""
    bits, codes = single.view(np.int32), out.view(np.uint16)
    magnitude = np.bitwise_and(bits, 0x7FFFFFFF)
    has_nan = magnitude.max() > _SINGLE_INFINITY
    # Numbers beyond 65536 are infinite. (NumPy's minimum is vectorised for two arrays and not for an array and a scalar.)
    np.minimum(magnitude, np.full_like(magnitude, (16 + 127) << 23), out=magnitude)
    power = np.bitwise_and(magnitude, _SINGLE_INFINITY)
    np.maximum(power, np.full_like(power, (-14 + 127) << 23), out=power)
    np.add(power, 13 << 23, out=power)
    total = magnitude.view(np.float32)
    np.add(total, power.view(np.float32), out=total)
    np.subtract(magnitude, power, out=magnitude)
    np.right_shift(power, 13, out=power)
    np.add(magnitude, power, out=magnitude)
    np.copyto(codes, magnitude, casting="unsafe")
    np.subtract(codes, ((-14 + 127 + 13) << 10) & 0xFFFF, out=codes)
    if has_nan:
        np.bitwise_or(codes, np.multiply(np.isnan(single), _HALF_NAN, dtype=np.uint16), out=codes)
    np.right_shift(bits, 16, out=power)
    signs = power.astype(np.uint16)
    np.bitwise_and(signs, 0x8000, out=signs)
    np.bitwise_or(codes, signs, out=codes)


# -- floats of a byte --------------------------------------------------------------------------------------------------------

_pair_tables: Final[dict[np.dtype[Any], Table]] = {}
_byte_tables: Final[dict[np.dtype[Any], Table]] = {}


def _pairs_of(dtype: np.dtype[Any]) -> Table:
    """Return the table of the two float32 numbers of each pair of bytes."""
    table = _pair_tables.get(dtype)
    return _pair_tables.setdefault(dtype, Table(lambda: _fill_pairs(dtype), 1 << 16)) if table is None else table


def _fill_pairs(dtype: np.dtype[Any]) -> Buffer:
    values = every_code(dtype).astype(_FLOAT32)
    neighbours = np.arange(1 << 16, dtype=np.uint16).view(np.uint8)
    return values.take(neighbours).view(np.uint64)


def _from_bytes(pairs: Buffer, data: Buffer) -> Buffer:
    out = np.empty(data.shape, _FLOAT32)
    flat, into = np.ascontiguousarray(data).reshape(-1).view(np.uint8), out.reshape(-1)
    even = flat.size & ~1
    codes, twos = flat[:even].view(np.uint16), into[:even].view(np.uint64)
    for start in range(0, codes.size, BLOCK // 2):
        pairs.take(codes[start : start + BLOCK // 2], out=twos[start : start + BLOCK // 2], mode="wrap")
    into[even:] = flat[even:].view(data.dtype)
    return out


def _table_of(dtype: np.dtype[Any]) -> Table:
    """Return the table of the bytes of float32 numbers by their sixteen high bits."""
    table = _byte_tables.get(dtype)
    return _byte_tables.setdefault(dtype, Table(lambda: _fill_bytes(dtype), 1 << 16)) if table is None else table


def _fill_bytes(dtype: np.dtype[Any]) -> Buffer:
    high = every_code(_BFLOAT16).astype(_FLOAT32)
    return _plain(high, dtype).view(np.uint8)


def _to_bytes(table: Buffer, single: Buffer, out: Buffer, scratch: Buffer) -> None:
    """Round float32 numbers to odd at 16 bits and look up their bytes."""
    bits = single.view(np.uint32)
    odd = np.bitwise_and(bits, 0xFFFF, out=scratch[: bits.size])
    np.add(odd, 0xFFFF, out=odd)
    np.bitwise_or(odd, bits, out=odd)
    np.right_shift(odd, 16, out=odd)
    table.take(odd.view(np.int32), out=out.view(np.uint8), mode="wrap")


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
