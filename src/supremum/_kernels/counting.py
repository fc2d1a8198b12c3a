"""Counts of elements by value and in bins, sums of weights, and packed bits.

The loops of the extension module (`native/loops/counting.c`, `packing.c`) take NumPy's own dtypes; the rest, and all without
it, is done by NumPy. Sums of weights are accumulated in float64, in the order of the elements.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import check_shape
from supremum._kernels.casts import cast
from supremum._kernels.order import comparable
from supremum.promotion._nodes import Node


def bincount(x: Buffer, least: int, length: int | None, node: Node) -> Buffer:
    """Count integers; negative ones count as 0, and those from `length` on do not.

    The result has `length` elements, or as many as the greatest integer needs and at least `least`.
    """
    if native is not None and (length is None or length >= 0):
        found: Buffer | None = native.bincount(
            np.ascontiguousarray(x), least, -1 if length is None else length, node.bits == 64
        )
        if found is not None:
            return found
    values = np.maximum(x.astype(np.int64), 0)
    count = max(least, int(values.max(initial=-1)) + 1) if length is None else length
    return cast(np.bincount(values[values < count], minlength=count), node)


def weight_sums(indices: Buffer, weights: Buffer, count: int) -> Buffer:
    """Sum real weights for each index below `count`, in float64; there are no negative ones."""
    if native is not None:
        parts = weights if weights.dtype in (np.float32, np.float64) else weights.astype(np.float64)
        found: Buffer | None = native.sum_weights(np.ascontiguousarray(indices), np.ascontiguousarray(parts), count)
        if found is not None:
            return found
    inside = indices < count
    return np.bincount(indices[inside], weights[inside].astype(np.float64), count)


def next_edges(x: Buffer, edges: Buffer, node: Node, *, uniform: bool) -> Buffer:
    """Return the index of the edge after each element; the last bin includes the last edge.

    Elements before the first edge have index 0, and those behind the last one that or ``len(edges)``. Uniform edges have equal
    distances but for their rounding.
    """
    wanted, ordered = comparable(x, node), comparable(edges, node)
    if native is not None:
        bins: Buffer | None = native.find_bins(np.ascontiguousarray(wanted), np.ascontiguousarray(ordered), uniform)
        if bins is not None:
            bins += 1
            return bins
    return np.where(wanted == ordered[-1:], len(ordered) - 1, np.searchsorted(ordered, wanted, "right"))


def packed(x: Buffer, axis: int | None = None, order: Literal["big", "little"] = "big") -> Buffer:
    """Pack whether integers are not zero into the bits of bytes."""
    lengths, truths = _lengths(x, axis), x if x.dtype.kind == "b" else x != 0
    if native is not None and lengths is not None and x.shape[-1:] != (0,):
        found: Buffer | None = native.convert_bits(np.ascontiguousarray(truths), x.size, order == "big", True)
        if found is not None:
            return found if x.ndim == 1 else found.reshape(lengths)
    return np.packbits(truths, axis, order)


def unpacked(x: Buffer, axis: int | None, count: int | None, order: Literal["big", "little"]) -> Buffer:
    """Unpack the bits of bytes, up to a number of them, of which a negative one says how many are left out."""
    if not x.size and count is not None and count > 0:  # NumPy leaves these bits as it finds them in memory
        return np.zeros(count if axis is None else (*x.shape[:axis], count, *x.shape[axis + 1 :]), np.uint8)
    bits = 8 * x.size
    check_shape("unpackbits", (bits,), 1)  # NumPy computes it modulo 2**64
    number = bits if count is None else count if count >= 0 else bits + count
    if native is not None and (axis is None or (count is None and axis == x.ndim - 1)):
        found: Buffer | None = (
            native.convert_bits(np.ascontiguousarray(x), number, order == "big", False) if 0 <= number <= bits else None
        )
        if found is not None:
            return found if axis is None else found.reshape(*x.shape[:-1], 8 * x.shape[-1])
    return np.unpackbits(x, axis, count, order)


def _lengths(x: Buffer, axis: int | None) -> tuple[int, ...] | None:
    """Return the shape of packed bits where they are those of the flat buffer: along the last axis, in whole bytes."""
    if axis is None or x.ndim == 1:
        return (-1,)
    if axis == x.ndim - 1 and x.shape[-1] % 8 == 0:
        return (*x.shape[:-1], x.shape[-1] // 8)
    return None
