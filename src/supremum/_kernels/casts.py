"""Casts between dtypes with the same result on every platform: floats saturate to integers and NaN becomes 0, as in JAX.

Casts to narrow floats round once. The extension module has them for contiguous elements (`native/loops/narrow.h`, `casts.c`);
here is their definition. A number that float32 cannot represent is first rounded to the neighbour with an odd code ("round to
odd"): rounding it to nearest might produce a tie that the number is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import DtypeError, without_function_name
from supremum._base.functions import call_without_float_warnings
from supremum._base.silence import ERRORS, SILENT
from supremum.promotion._nodes import KEY, NODES, Node, node_of_dtype

_COMPLEX64: Final = np.dtype(np.complex64)
_COMPLEX128: Final = NODES["complex128"]
_BOOL: Final = np.dtype(np.bool_)
_FLOAT32: Final = np.dtype(np.float32)
_FLOAT64: Final = np.dtype(np.float64)
_POWERS: Final = np.dtype(ml_dtypes.float8_e8m0fnu)
Kernel = Callable[..., Any]


def cast(data: Buffer, node: Node, *, copy: bool = False) -> Buffer:
    """Cast a buffer to the dtype of `node`; return the buffer itself if it has the dtype and `copy` is false."""
    target, dtype = node.dtype, data.dtype
    if dtype is target:
        return data.astype(target, copy=True) if copy else data
    function = _functions.get((dtype, target)) or _find(dtype, node)
    found = function(data)
    return found.copy() if copy and found is data else found


_functions: Final[dict[tuple[np.dtype[Any], np.dtype[Any] | None], Callable[[Buffer], Buffer]]] = {}


def _find(dtype: np.dtype[Any], node: Node) -> Callable[[Buffer], Buffer]:
    """Return the function that casts from a dtype to that of a node, and cache it."""
    source, target = node_of_dtype(dtype), node.dtype
    if dtype == target:  # equal dtypes need not be identical
        return _functions.setdefault((dtype, target), lambda data: data)
    if node is KEY or dtype == KEY.dtype:
        given = KEY if dtype == KEY.dtype else dtype
        msg = f"cannot cast {given} to {node}: keys cannot be cast to or from numbers; use random.key_data or wrap_key_data"
        raise without_function_name(DtypeError(msg))
    if not dtype.isnative:  # the casts of narrow floats look at bits
        own = dtype.newbyteorder("=") if source is None else source.dtype
        return _functions.setdefault((dtype, target), lambda data: cast(data.astype(own), node))
    if source is None:
        return lambda data: _silently(_plain, data, target)
    if native is not None and native.casts(source.dtype, target):
        return _functions.setdefault((dtype, target), lambda data: native.cast(data, target))
    function = _make(source, target, NODES[target.name])
    return _functions.setdefault((dtype, target), lambda data: _silently(function, data))


def _silently(function: Callable[..., Buffer], *args: Any) -> Buffer:
    """Call a function without floating-point warnings, as most callers do already."""
    return function(*args) if ERRORS.get() is SILENT else call_without_float_warnings(function, *args)


def _make(source: Node, dtype: np.dtype[Any], target: Node) -> Callable[[Buffer], Buffer]:
    """Make the function that casts from one node to another, whose dtype is `dtype`."""
    if "c" in source.kind + target.kind:
        return _make_complex(source, dtype, target)
    if target.kind in "iu" and source.kind == "f":
        return lambda data: _float_to_int(data, target)
    if source.kind in "iu" and source.bits < 8:
        return lambda data: cast(np.asarray(data.astype(np.int8)), target)
    if target.kind in "iu" and target.bits < 8:
        return lambda data: np.asarray(data.astype(np.int8)).astype(dtype)
    if _is_narrow(source):
        return widen if dtype == _FLOAT32 else lambda data: cast(widen(data), target)
    if _is_narrow(target):
        return lambda data: narrow(data, dtype)
    return lambda data: _plain(data, dtype)


def _is_narrow(node: Node) -> bool:
    return (node.kind == "f" and node.bits <= 16) or (node.kind == "c" and node.bits < 64)


def _plain(data: Buffer, dtype: np.dtype[Any] | None) -> Buffer:
    return np.asarray(data.astype(dtype))


def _make_complex(source: Node, dtype: np.dtype[Any], target: Node) -> Callable[[Buffer], Buffer]:
    """Make the function that casts from or to complex numbers; narrow ones are pairs of narrow floats."""
    if _is_narrow(source):
        if source.kind == "c":
            return lambda data: cast(_plain(data, _COMPLEX64), target)
        return lambda data: cast(widen(data), target)
    if target.kind not in "bc":
        # The real part is a view; the result must not share the operand's memory.
        own = target.kind == "f" and 2 * target.bits == source.bits
        return lambda data: data.real.copy() if own else cast(data.real, target)
    if _is_narrow(target):
        return lambda data: _narrow_complex(data, target.real.dtype, dtype)
    return lambda data: _plain(data, dtype)


def _narrow_complex(data: Buffer, part: np.dtype[Any], dtype: np.dtype[Any]) -> Buffer:
    wide = data if data.dtype.kind == "c" else cast(data, _COMPLEX128)
    parts = np.ascontiguousarray(wide).reshape(-1).view(wide.real.dtype)
    return narrow(parts, part).view(dtype).reshape(data.shape)


def _float_to_int(data: Buffer, node: Node) -> Buffer:
    """Truncate towards zero, saturate at the limits, and make NaN 0."""
    if data.dtype not in (np.float32, np.float64):
        data = widen(data)
    low, high, via = node.low, node.high, node.wide.dtype
    # Two passes check whether all elements are in range; NaN fails the comparisons. The bounds are exact: powers of two.
    if data.size and np.minimum.reduce(data, None) >= low and np.maximum.reduce(data, None) < high + 1:
        return np.asarray(data.astype(via)).astype(node.dtype, copy=False)
    # Compare in the float's own dtype with `high + 1`, a power of two and so exact: `high` itself may round up.
    over = data >= np.asarray(high + 1, data.dtype)
    under = data <= np.asarray(low, data.dtype)
    out = np.where(over | under | np.isnan(data), np.asarray(0, data.dtype), data).astype(via)
    out[over] = high
    out[under] = low
    return out.astype(node.dtype, copy=False)


# -- narrow floats ------------------------------------------------------------------------------------------------------------


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


# -- kernels with casts -------------------------------------------------------------------------------------------------------


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
