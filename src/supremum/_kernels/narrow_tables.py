"""Lookup tables of 256 or 65,536 results, of a function for all operands of 8 or 16 bits.

A table is filled by the function itself, so large and small arrays have the same results. It is filled after as many elements
were computed as it has entries, so that filling never costs more than the work before it. All tables together stay within a
memory budget; the oldest one is dropped if it is exceeded.
"""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.blocks import BLOCK, blocks

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BUDGET", "Table", "every_code", "pairs", "unary"]


#: Memory budget of all tables, in bytes.
BUDGET: Final = 1 << 24
#: Number of elements up to which the function itself is faster than a lookup, by item size and for pairs.
_SMALL: Final = {1: 64, 2: 256}
_SMALL_PAIRS: Final = 256

_CODES: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}


class Table:
    """An array that is filled after enough use and may be dropped at any time."""

    __slots__ = ("_array", "_fill", "_seen", "_worth")

    def __init__(self, fill: Callable[[], Buffer], worth: int) -> None:
        self._fill = fill
        self._worth = worth
        self._seen = 0
        self._array: Buffer | None = None

    def get(self, size: int) -> Buffer | None:
        """Count `size` elements; return the array, or None if too few elements were counted to fill it."""
        array = self._array
        if array is None:
            self._seen += size
            if self._seen < self._worth:
                return None
            array = self._fill()
            self._keep(array)
        return array

    def _keep(self, array: Buffer) -> None:
        with _lock:
            if self._array is None:
                self._array = array
                _held.append(self)
            while sum(table._bytes() for table in _held) > BUDGET and len(_held) > 1:
                _held.popleft()._array = None

    def _bytes(self) -> int:
        return 0 if self._array is None else self._array.nbytes


_held: Final[deque[Table]] = deque()
_lock: Final = Lock()


def every_code(dtype: np.dtype[Any]) -> Buffer:
    """Return the elements of all 256 or 65,536 bit patterns, in order."""
    return np.arange(1 << (8 * dtype.itemsize), dtype=_CODES[dtype.itemsize]).view(dtype)


def _look_up(table: Buffer, codes: Buffer) -> Buffer:
    """Return the entries at `codes`, block by block because NumPy widens indices to eight bytes each."""
    if codes.size <= 4 * BLOCK:
        return np.asarray(table.take(codes, mode="wrap"))
    out = np.empty(codes.shape, table.dtype)
    for block, part in blocks(out, codes, size=4 * BLOCK):
        table.take(part, out=block, mode="wrap")
    return out


def unary(function: Callable[[Buffer], Any], dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    """Wrap a function of one operand of `dtype` to look up its results for large arrays."""
    table = Table(lambda: np.asarray(function(every_code(dtype))), 1 << (8 * dtype.itemsize))
    small = _SMALL[dtype.itemsize]
    codes = _CODES[dtype.itemsize]

    def kernel(x: Buffer) -> Any:
        if x.size <= small:
            return function(x)
        answers = table.get(x.size)
        return function(x) if answers is None else _look_up(answers, x.view(codes))

    return kernel


def pairs(function: Callable[[Buffer, Buffer], Any], dtype: np.dtype[Any]) -> Callable[[Buffer, Buffer], Any]:
    """Wrap a function of two operands of an 8-bit `dtype` to look up its results for large arrays."""
    every = every_code(dtype)
    table = Table(lambda: np.asarray(function(np.repeat(every, 256), np.tile(every, 256))), 1 << 16)

    def kernel(a: Buffer, b: Buffer) -> Any:
        if a.size <= _SMALL_PAIRS and b.size <= _SMALL_PAIRS:
            return function(a, b)
        answers = table.get(max(a.size, b.size))
        return function(a, b) if answers is None else _look_up_pairs(answers, a.view(np.uint8), b.view(np.uint8))

    return kernel


def _look_up_pairs(table: Buffer, a: Buffer, b: Buffer) -> Buffer:
    if not a.ndim:
        return _look_up(table.reshape(256, 256)[a], b)
    if not b.ndim:
        return _look_up(table.reshape(256, 256)[:, b].copy(), a)
    out = np.empty(np.broadcast(a, b).shape, table.dtype)
    for block, first, second in blocks(out, a, b):
        codes = np.multiply(first, 256, dtype=np.uint16)
        table.take(np.bitwise_or(codes, second, out=codes), out=block, mode="wrap")
    return out
