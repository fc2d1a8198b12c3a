"""Casts between dtypes with one answer on every platform: floats saturate into integers and NaN becomes 0, as in JAX."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum.promotion._nodes import Node, node_of_dtype

__all__ = ["cast"]

_SILENT: Final = np.errstate(all="ignore")


def cast(data: np.ndarray[Any, Any], node: Node, *, copy: bool = False) -> np.ndarray[Any, Any]:
    """Cast a buffer to the dtype of `node`; the same buffer where nothing changes and `copy` is false."""
    target = node.dtype
    source = node_of_dtype(data.dtype)
    assert target is not None  # noqa: S101 - arrays never have a node without a dtype
    if source is None or data.dtype == target:
        return data.astype(target, copy=copy)
    with np.errstate(all="ignore"):
        if source.kind == "c" and node.kind not in "cb":
            data = data.real if source.bits >= 64 else data.astype(np.complex64).real
            source = node_of_dtype(data.dtype)
        if source is not None and source.kind == "f" and node.kind in "iu":
            return _float_to_int(data, node)
        if node.kind == "b" and source is not None and source.bits < 32:
            return data.astype(np.complex64 if source.kind == "c" else np.float32).astype(target)
        if source is not None and "c" in (source.kind, node.kind) and min(source.bits, node.bits) < 64 and source.kind != "b":
            return data.astype(np.complex64).astype(target)
        if source is not None and node.kind in "iu" and node.bits < 8:
            return _wrap(data, node)
        return np.asarray(data.astype(target))


def _wrap(data: np.ndarray[Any, Any], node: Node) -> np.ndarray[Any, Any]:
    """Keep the low bits of integers, sign-extended: what a cast to a sub-byte integer means."""
    low = data.astype(np.int8)
    shift = np.int8(8 - node.bits)
    low = np.asarray(low << shift)
    return np.asarray((low if node.kind == "i" else low.view(np.uint8)) >> shift).astype(node.dtype)


def _float_to_int(data: np.ndarray[Any, Any], node: Node) -> np.ndarray[Any, Any]:
    """Truncate towards zero, saturate at the limits, and make NaN 0."""
    if data.dtype not in (np.float32, np.float64):
        data = data.astype(np.float32)
    low = -(1 << (node.bits - 1)) if node.kind == "i" else 0
    high = (1 << (node.bits - (node.kind == "i"))) - 1
    via = np.dtype(np.int8 if node.kind == "i" else np.uint8) if node.bits < 8 else node.dtype
    # Compare in the float's own dtype with `high + 1`, a power of two and so exact: `high` itself may round up out of range.
    over = data >= np.asarray(high + 1, data.dtype)
    under = data <= np.asarray(low, data.dtype)
    out = np.where(over | under | np.isnan(data), np.asarray(0, data.dtype), data).astype(via)
    out[over] = high
    out[under] = low
    return out.astype(node.dtype, copy=False)
