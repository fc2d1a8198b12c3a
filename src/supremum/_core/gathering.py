"""Indices in arrays, those out of their range, and what elements there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import DtypeError, OutOfRangeError, describe
from supremum._base.key_dtype import keys_of_word
from supremum._core.array import Array
from supremum._core.conversion import in_dtype, operand
from supremum._core.index_keys import countable
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node


def index_buffer(indices: Array, function: str) -> Buffer:
    """Return a copy of the buffer of an array of indices, as intp."""
    kind = indices._node.kind
    if kind not in "iub" and indices.size:
        raise DtypeError(f"{function}: indices must be integers, got dtype {indices.dtype}")
    return countable(indices._data)


def wrapped(index: Buffer, length: int, *, negative: bool = True) -> tuple[Buffer, Buffer]:
    """Clip indices to their range; return these and a mask of those that were out of range."""
    if negative:
        index = np.where(index < 0, index + length, index)
    outside = (index < 0) | (index >= length)
    return np.clip(index, 0, length - 1), outside


def refuse_outside(function: str, index: Buffer, outside: Buffer, length: int, *, mode: str = "") -> None:
    """Raise OutOfRangeError for the first index out of range, unless `config.out_of_range` says what JAX does.

    A function with a `mode` that does what JAX does names it.
    """
    if state().out_of_range == "raise" and outside.any():
        place = f"index {index[outside].flat[0]} is out of bounds for length {length}"
        remedy = f"pass mode={mode!r}, or use" if mode else "use"
        raise OutOfRangeError(f"{function}: {place}; for JAX's result {remedy} config.out_of_range = 'clip'")


def fill_for(node: Node, value: Any, function: str) -> Buffer:
    """Return the 0-d buffer for elements out of range: of a given value, or of the default one of the dtype."""
    if node.kind == "k" and not (isinstance(value, Array) and value._node is node):
        return keys_of_word(fill_for(NODES["uint32"], value, function))
    if type(value) is int:
        return _fill_of_integer(node, value, function)
    if value is not None:
        return in_dtype(value, operand(value, function, 7), node)
    if node.kind in "iu":
        return _integer_buffer(node.low if node.kind == "i" else node.high, node)
    return np.array(node.kind == "b" or np.nan).astype(node.dtype)


def _integer_buffer(value: int, node: Node) -> Buffer:
    """Return the 0-d buffer of an integer that an integer dtype holds."""
    return np.array(value, None if node.bits < 8 else node.dtype).astype(node.dtype)  # NumPy cannot fill those of ml_dtypes


def _fill_of_integer(node: Node, value: int, function: str) -> Buffer:
    """Return the fill value of a Python integer; 64-bit integers wrap around in narrower integer dtypes, larger ones raise."""
    if -(1 << 63) <= value < 1 << 64:
        return cast(np.asarray(value), node)
    if node.kind in "iu":
        raise OverflowError(f"{function}: the fill_value {value} is too large for a 64-bit integer and for {node.dtype}")
    try:
        return cast(np.asarray(float(value)), node)
    except OverflowError:
        raise OverflowError(f"{function}: the fill_value {describe(value)} is too large for {node.dtype}") from None
