"""Sorting and ranking of elements of every dtype, with NaN last and zeros of both signs equal.

NumPy has vectorised sorts for native integers and floats; narrow floats are sorted as float32. Stable orders of 32-bit numbers
come from sorting (key, position) pairs packed into 64 bits, which is ten times faster than NumPy's merge sort. The extension
module sorts elements of 8 and 16 bits in linear time (`native/loops/order.c`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.key_dtype import refuse_keys
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

#: Number of elements along an axis up to which NumPy's stable sort is faster than packing.
_SMALL: Final = 256
#: Number of elements from which threads share the rows that are sorted.
_SHARED: Final = 1 << 18
#: Number of elements along an axis, by item size, from which counting them is faster than comparing them.
_MANY: Final = {1: 1 << 13, 2: 1 << 14}
_CODES: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}
_SIGNED: Final[dict[int, np.dtype[Any]]] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
_LOW_HALF: Final = np.uint64((1 << 32) - 1)


def comparable(data: Buffer, node: Node) -> Buffer:
    """Cast a buffer to the native dtype that NumPy computes in, ``node.wide``; native buffers are returned unchanged."""
    refuse_keys(node.kind)
    return data if node.native else cast(data, node.wide)


# -- keys ---------------------------------------------------------------------------------------------------------------------


def order_keys(data: Buffer, node: Node) -> Buffer:
    """Return native integers with the order of real numbers: NaN last and all equal, -0.0 equal to 0.0.

    They are in a buffer of their own, because NumPy's sorts of positions write out of bounds where keys change meanwhile.
    """
    found = comparable(data, node)
    if node.kind != "f":
        keys = found.copy() if found is data else found
        return keys.view(np.uint8) if node.kind == "b" else keys
    data = found
    bits = data.view(_SIGNED[data.dtype.itemsize])
    # Turn sign and magnitude into two's complement.
    keys = bits >> bits.dtype.type(8 * bits.itemsize - 1)
    keys &= np.iinfo(bits.dtype).max
    keys ^= bits
    np.add(keys, keys == -1, out=keys)
    keys[np.isnan(data)] = np.iinfo(keys.dtype).max
    return keys


def _native_order(dtype: np.dtype[Any], node: Node) -> bytes | int:
    """Return the order of 8- or 16-bit elements as the extension module wants it.

    It is the rank of every byte; or -1 for unsigned integers, -2 for signed ones, and the code of infinity for floats.
    """
    if dtype.itemsize == 2:
        return {"u": -1, "i": -2}[node.kind] if node.kind != "f" else int(np.array(np.inf).astype(dtype).view(np.uint16))
    found = _byte_orders.get(dtype)
    if found is None:
        # NaN is last; all NaN have one rank, and so have zeros of both signs.
        ranks = np.unique(comparable(_every_code(dtype), node), return_inverse=True)[1]
        found = _byte_orders[dtype] = ranks.astype(np.uint8).tobytes()
    return found


_byte_orders: Final[dict[np.dtype[Any], bytes]] = {}


def _every_code(dtype: np.dtype[Any]) -> Buffer:
    """Return the elements of all bit patterns of 8 or 16 bits."""
    return np.arange(1 << (8 * dtype.itemsize)).astype(_CODES[dtype.itemsize]).view(dtype)


def _is_small(data: Buffer, node: Node) -> bool:
    """Return whether the extension module sorts elements of a dtype."""
    return native is not None and data.itemsize <= 2 and node.kind in "buif" and data.dtype.isnative


def _by_rows(function: Callable[..., Buffer], data: Buffer, axis: int, *arguments: Any) -> Buffer:
    """Apply a function of the extension module along an axis, which it needs last in a contiguous, aligned buffer."""
    moves = axis not in (-1, data.ndim - 1)
    rows = np.moveaxis(data, axis, -1) if moves else data
    if not (rows.flags.c_contiguous and rows.flags.aligned):
        rows = np.require(rows, requirements=["C", "A"])
    found = function(rows, *arguments)
    return np.moveaxis(found, -1, axis) if moves and found.ndim == data.ndim else found


def _by_engine(name: str, data: Buffer, node: Node, axis: int) -> Buffer | None:
    """Sort numbers of 32 or 64 bits along the last axis by a fast path of the engine; None if it has none for them."""
    if native is None or not node.native or data.itemsize < 4 or axis not in (-1, data.ndim - 1) or data.size <= _SMALL:
        return None
    found = _FAST[name](native.wrap(data, node))
    return None if found is None else found._data


def _without_definition(name: str) -> Any:
    """Return a function that has a fast path and no definition."""
    return None if native is None else native.Function(lambda _: None, name)


_FAST: Final = {name: _without_definition(name) for name in ("sort", "argsort")}


# -- sorting ------------------------------------------------------------------------------------------------------------------


def sort(data: Buffer, node: Node, axis: int, *, stable: bool = True) -> Buffer:
    """Sort along an axis; NaN may become other NaN."""
    if data.size <= _SMALL and node.native and node.kind in "biuf":
        out = data.copy()
        out.sort(axis, kind="stable")
        return out
    refuse_keys(node.kind)
    if _is_small(data, node) and data.shape[axis] >= _MANY[data.itemsize] and (node.kind == "f" or node.bits >= 8):
        return _by_rows(native.sort_narrow, data, axis, _native_order(data.dtype, node))
    if node.kind == "c":
        in_order = np.isnan(comparable(data, node)).any() or node.bits < 64
        return _taken(data, argsort(data, node, axis), axis) if in_order else np.sort(data, axis, kind="stable")
    found = _by_engine("sort", data, node, axis)
    if found is not None:
        return found
    out = comparable(data, node)
    out = out.copy() if out is data else out
    if node.kind != "f":
        # Radix sort is the fastest for bytes, a vectorised quicksort for all others.
        sort_in_place(out, axis, "stable" if out.dtype.itemsize == 1 else None)
        return out.astype(data.dtype, copy=False)
    sort_in_place(out, axis)
    if stable and _has_both_zeros(data, out, node):
        return _taken(data, argsort(data, node, axis), axis)
    return out if out.dtype == data.dtype else cast(out, node)


def sort_in_place(out: Buffer, axis: int, kind: Literal["stable"] | None = None) -> None:
    """Sort numbers of NumPy's along an axis, by several threads if there are many rows."""
    rows = kind is None and out.size >= _SHARED and axis in (-1, out.ndim - 1) and out.ndim > 1
    engine = native if rows and out.flags.carray and out.dtype.isnative else None
    if engine is None or not engine.sort_in_rows(out):
        out.sort(axis, kind=kind)


def _has_both_zeros(data: Buffer, out: Buffer, node: Node) -> bool:
    """Return whether there are zeros of both signs, whose order a sort of values would not keep.

    NumPy's vectorised sorts keep the number of zeros, but not their signs. `out` is sorted, so zeros are quickly counted.
    """
    zero = out.dtype.type(0)
    if out.ndim == 1 and out.searchsorted(zero, "right") - out.searchsorted(zero) < 2:
        return False
    data = comparable(data, node)
    zeros = data[data == 0]
    return bool(0 < np.count_nonzero(np.signbit(zeros)) < zeros.size)


def _taken(data: Buffer, order: Buffer, axis: int) -> Buffer:
    return np.take_along_axis(data, order, axis)


def argsort(data: Buffer, node: Node, axis: int, *, descending: bool = False) -> Buffer:
    """Return the stable order along an axis, as integers of any width.

    Equal elements keep their order in a descending order too. NaN is first then.
    """
    refuse_keys(node.kind)
    if _is_small(data, node) and data.shape[axis] > (_SMALL if node.kind == "f" else _MANY[2]):
        return _by_rows(native.argsort_narrow, data, axis, _native_order(data.dtype, node), descending)
    if node.kind == "c":
        parts = _parts(data, node)
        return np.lexsort([~part for part in parts] if descending else parts, axis)
    if not descending and (quick := _by_engine("argsort", data, node, axis)) is not None:
        return quick
    if node.kind == "f" and data.size <= _SMALL and not descending:
        found = comparable(data, node)
        return (found.copy() if found is data else found).argsort(axis, kind="stable")  # see `order_keys`
    keys = order_keys(data, node)
    if descending:
        keys = ~keys
    return _argsort_keys(keys, axis)


def _argsort_keys(keys: Buffer, axis: int) -> Buffer:
    if keys.dtype.itemsize <= 2 or keys.shape[axis] <= _SMALL:
        return keys.argsort(axis, kind="stable")
    return _argsort_packed(keys, axis) if keys.dtype.itemsize == 4 else _argsort_wide(keys, axis)


def first_in_order(data: Buffer, node: Node, count: int, axis: int, *, descending: bool = False) -> Buffer:
    """Return the first positions of the stable order along an axis."""
    if data.ndim > 1 or data.size <= _SMALL or not 0 < count <= data.size // 8 * 5:
        return argsort(data, node, axis, descending=descending)[(slice(None),) * axis + (slice(count),)]
    keys = order_keys(data, node)
    if descending:
        keys = ~keys
    least = np.flatnonzero(keys <= np.partition(keys, count - 1)[count - 1])  # of equal ones perhaps too many
    return least[_argsort_keys(keys[least], 0)[:count]]


def partition(data: Buffer, node: Node, kth: int, axis: int) -> Buffer:
    """Sort along an axis: ascending up to a position, and descending after it, as in JAX."""
    out = sort(data, node, axis)
    rows = out if out.ndim == 1 else out.swapaxes(axis, -1)
    rows[..., kth + 1 :] = rows[..., :kth:-1]
    return out


def argpartition(data: Buffer, node: Node, kth: int, axis: int) -> Buffer:
    """Return the stable order along an axis up to a position, and after it the rest of the positions in ascending order."""
    if data.ndim > 1 or data.size <= _SMALL:
        order = argsort(data, node, axis).astype(np.int32, copy=False)
        order.swapaxes(axis, -1)[..., kth + 1 :].sort(axis=-1)
        return order
    first, others = first_in_order(data, node, kth + 1, axis), np.ones(data.size, np.bool_)
    others[first] = False
    return np.concatenate((first, others.nonzero()[0]), dtype=np.int32, casting="same_kind")


def lexsort(keys: list[tuple[Buffer, Node]], axis: int) -> Buffer:
    """Return the stable order by several keys, the last one most important."""
    if len(keys) == 1:
        return argsort(*keys[0], axis)
    return np.lexsort([part for data, node in keys for part in _parts(data, node)], axis)


def _parts(data: Buffer, node: Node) -> list[Buffer]:
    """Return the sort keys of numbers, the last one most important: one for real numbers, two for complex ones."""
    if node.kind != "c":
        return [order_keys(data, node)]
    wide = comparable(data, node)
    return [order_keys(np.ascontiguousarray(part), node.wide.real) for part in (wide.imag, wide.real)]


def _argsort_packed(keys: Buffer, axis: int) -> Buffer:
    """Return the stable order of 32-bit keys by sorting (key, position) pairs."""
    unsigned = keys.view(np.uint32)
    packed = np.moveaxis(unsigned ^ np.uint32(1 << 31) if keys.dtype.kind == "i" else unsigned, axis, -1).astype(np.uint64)
    packed <<= np.uint64(32)
    packed |= np.arange(packed.shape[-1], dtype=np.uint64)
    return _positions(packed, axis)


def _argsort_wide(keys: Buffer, axis: int) -> Buffer:
    """Return the stable order of 64-bit keys: sort in any order, then sort the positions within runs of equal keys."""
    order = np.argsort(keys, axis)
    along = np.moveaxis(_taken(keys, order, axis), axis, -1)
    new = along[..., 1:] != along[..., :-1]
    if new.all():
        return order
    packed = np.zeros(along.shape, np.uint64)
    np.cumsum(new, axis=-1, out=packed[..., 1:])
    packed <<= np.uint64(32)
    packed |= np.moveaxis(order, axis, -1).astype(np.uint64)
    return _positions(packed, axis)


def _positions(packed: Buffer, axis: int) -> Buffer:
    sort_in_place(packed, -1)
    packed &= _LOW_HALF
    return np.moveaxis(packed.view(np.int64), -1, axis)


# -- counting and searching ---------------------------------------------------------------------------------------------------


def tally(data: Buffer, node: Node) -> tuple[Buffer, Buffer] | None:
    """Return where the distinct elements of a vector are first, in ascending order, and how many of each there are.

    All NaN are equal here. None is returned where sorting is faster.
    """
    if not _is_small(data, node) or data.size < _MANY[data.itemsize]:
        return None
    order = _native_order(data.dtype, node)
    first, counts = native.tally_narrow(np.require(data, requirements=["C", "A"]), order)
    present = np.flatnonzero(counts)
    return first[present], counts[present]


def search(ordered: Buffer, wanted: Buffer, node: Node, side: Literal["left", "right"] = "left") -> Buffer:
    """Return the places in a sorted vector at which elements can be inserted."""
    ordered = comparable(ordered, node)
    if wanted.itemsize > 2 or node.kind == "c" or wanted.size < 1 << (8 * wanted.itemsize):
        return np.asarray(ordered.searchsorted(comparable(wanted, node), side))
    # There are no more elements than these.
    places = ordered.searchsorted(comparable(_every_code(wanted.dtype), node), side)
    return places.take(wanted.view(_CODES[wanted.itemsize]))


def search_extreme(data: Buffer, node: Node, axis: int | None, *, greatest: bool) -> Buffer | None:
    """Return the places of the first extremes along an axis, or of the first NaN; None where NumPy finds them."""
    if native is None or node.kind != "f" or not 8 <= node.bits <= 16 or not data.size or not data.dtype.isnative:
        return None
    flat = data.reshape(-1) if axis is None else data
    return np.asarray(_by_rows(native.argextreme_narrow, flat, -1 if axis is None else axis, greatest))
