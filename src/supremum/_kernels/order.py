"""Sorting and ranking of elements of every dtype, with NaN last and zeros of both signs equal.

NumPy has vectorised sorts for native integers and floats; narrow floats are sorted as float32. The extension module sorts
elements of 8 and 16 bits in linear time (`native/loops/order.c`), and so finds stable orders of wider ones, by their digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.key_dtype import refuse_keys
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

#: Number of elements that NumPy's stable sort orders as they are.
_SMALL: Final = 256
#: Number of elements along an axis up to which all are sorted for a few, and of these few.
_SHORT: Final = 1000
_FEW: Final = 16
#: Number of elements from which threads share the rows that are sorted.
_SHARED: Final = 1 << 18
#: Number of elements along an axis, by item size, from which counting them is faster than comparing them.
_MANY: Final = {1: 1 << 13, 2: 1 << 14}
#: Number of elements along an axis, for each byte of their keys, from which digits are sorted.
_DIGITS: Final = 1 << 10
#: Number of wider integers from which those that are near each other are counted; `native/ordering.c` knows it.
_COUNTED: Final = 1 << 16
_CODES: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}
_SIGNED: Final[dict[int, np.dtype[Any]]] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}


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


def _near_each_other(data: Buffer, node: Node, length: int) -> tuple[Buffer, Any] | None:
    """Return many integers of which the greatest and the least differ by less than 2^16 as their distances from the least."""
    if native is None or node.kind not in "iu" or data.itemsize <= 2 or length < _COUNTED or not data.size:
        return None
    least = data.min()
    if int(data.max()) - int(least) >= 1 << 16:
        return None
    return np.subtract(data, least, dtype=data.dtype).astype(np.uint16), least


def _by_rows(function: Callable[..., Any], data: Buffer, axis: int, *arguments: Any) -> Any:
    """Apply a function of the extension module along an axis, which it needs last in a contiguous, aligned buffer."""
    moves = axis not in (-1, data.ndim - 1)
    rows = np.moveaxis(data, axis, -1) if moves else data
    if not (rows.flags.c_contiguous and rows.flags.aligned):
        rows = np.require(rows, requirements=["C", "A"])
    found = function(rows, *arguments)
    return np.moveaxis(found, -1, axis) if moves and np.ndim(found) == data.ndim else found


def _by_engine(name: str, data: Buffer, node: Node, axis: int) -> Buffer | None:
    """Sort numbers of 32 or 64 bits by a fast path of the engine; None if it has none for them."""
    if native is None or not node.native or data.size <= _SMALL or not 4 <= data.itemsize <= (8 if name == "sort" else 4):
        return None
    return _by_rows(lambda rows: getattr(_FAST[name](native.wrap(rows, node)), "_data", None), data, axis)


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
    if near := _near_each_other(data, node, data.shape[axis]):
        return np.add(sort(near[0], NODES["uint16"], axis), near[1], dtype=data.dtype)
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


def put_in_place(rows: Buffer, *places: Any) -> None:
    """Move to each of these places along the last axis what a sort would; a sort it is where that takes less time."""
    if rows.shape[-1] > _SHORT and len(wanted := np.unique(np.concatenate(places, axis=None))) <= _FEW:
        rows.partition(wanted, -1)
    else:
        sort_in_place(rows, -1)


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
    if not descending and (quick := _by_engine("argsort", data, node, axis)) is not None:
        return quick
    if node.kind == "f" and data.size <= _SMALL and not descending:
        found = comparable(data, node)
        return (found.copy() if found is data else found).argsort(axis, kind="stable")  # see `order_keys`
    keys = _parts(data, node)
    return _order_of([~key for key in keys] if descending else keys, axis)


def _order_of(keys: list[Buffer], axis: int) -> Buffer:
    """Return the stable order by integers, the last ones most important.

    Of many elements it is the order by digits of 16 bits, one after the other; digits that are all equal change nothing.
    """
    if native is None or keys[0].shape[axis] < _DIGITS * sum([key.itemsize for key in keys]) or not keys[0].size:
        if len(keys) > 1:
            return np.lexsort(keys, axis)
        found = _by_engine("argsort", keys[0], NODES[keys[0].dtype.name], axis)
        return keys[0].argsort(axis, kind="stable") if found is None else found
    order: Any = None
    for key in keys:
        unsigned = np.ascontiguousarray(key).view(f"u{key.itemsize}")
        if key.dtype.kind == "i":
            unsigned = unsigned ^ unsigned.dtype.type(1 << (8 * key.itemsize - 1))
        node = NODES["uint8" if key.itemsize == 1 else "uint16"]
        by = _native_order(node.dtype, node)
        digits = np.moveaxis(unsigned.view(node.dtype).reshape(*key.shape, -1), -1, 0)
        for digit in digits if np.little_endian else digits[::-1]:
            if order is None:
                order = _by_rows(native.argsort_narrow, digit, axis, by, False)
            elif digit.min() < digit.max():
                order = _taken(order, _by_rows(native.argsort_narrow, _taken(digit, order, axis), axis, by, False), axis)
    return np.asarray(order)


def first_in_order(data: Buffer, node: Node, count: int, axis: int, *, descending: bool = False) -> Buffer:
    """Return the first positions of the stable order along an axis."""
    if data.ndim > 1 or data.size <= _SMALL or not 0 < count <= data.size // 8 * 5:
        return argsort(data, node, axis, descending=descending)[(slice(None),) * axis + (slice(count),)]
    keys = order_keys(data, node)
    if descending:
        keys = ~keys
    least = np.flatnonzero(keys <= np.partition(keys, count - 1)[count - 1])  # of equal ones perhaps too many
    return least[_order_of([keys[least]], 0)[:count]]


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
    return _order_of([part for data, node in keys for part in _parts(data, node)], axis)


def _parts(data: Buffer, node: Node) -> list[Buffer]:
    """Return the sort keys of numbers, the last one most important: one for real numbers, two for complex ones."""
    if node.kind != "c":
        return [order_keys(data, node)]
    wide = comparable(data, node)
    return [order_keys(np.ascontiguousarray(part), node.wide.real) for part in (wide.imag, wide.real)]


# -- counting and searching ---------------------------------------------------------------------------------------------------


def tally(data: Buffer, node: Node) -> tuple[Buffer, Buffer] | None:
    """Return where the distinct elements of a vector are first, in ascending order, and how many of each there are.

    All NaN are equal here. None is returned where sorting is faster.
    """
    if near := _near_each_other(data, node, data.size):
        data, node = near[0], NODES["uint16"]
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
