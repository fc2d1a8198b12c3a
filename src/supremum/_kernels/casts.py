"""Casts between dtypes with the same result on every platform: floats saturate to integers and NaN becomes 0, as in JAX.

Casts to narrow dtypes round once: numbers that float32 cannot represent are not rounded to float32 first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import DtypeError, without_function_name
from supremum._base.native import native
from supremum._base.silence import call_without_float_warnings
from supremum._kernels.narrow_casts import narrow, widen
from supremum.promotion._nodes import KEY, NODES, Node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPLEX64: Final = np.dtype(np.complex64)
_COMPLEX128: Final = NODES["complex128"]
_FLOAT32: Final = np.dtype(np.float32)


def cast(data: Buffer, node: Node, *, copy: bool = False) -> Buffer:
    """Cast a buffer to the dtype of `node`; return the buffer itself if it has the dtype and `copy` is false."""
    target, dtype = node.dtype, data.dtype
    if dtype is target:
        return data.astype(target, copy=True) if copy else data
    function = _functions.get((dtype, target)) or _find(dtype, node)
    found = call_without_float_warnings(function, data)
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
        return lambda data: np.asarray(data.astype(target))
    _functions[dtype, target] = found = _make(source, target, NODES[target.name])
    return found


def _make(source: Node, dtype: np.dtype[Any], target: Node) -> Callable[[Buffer], Buffer]:
    """Make the function that casts from one node to another, whose dtype is `dtype`."""
    if native is not None and native.casts(source.dtype, dtype):
        return lambda data: np.asarray(native.cast(data, dtype))
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


def _plain(data: Buffer, dtype: np.dtype[Any]) -> Buffer:
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
