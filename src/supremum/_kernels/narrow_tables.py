"""Tables of 256 or 65,536 answers: what a function of 8 or 16 bits gives for each of its operands.

A table is filled by the function that it stands for, so large and small arrays have the same answers. It is filled only once
as many elements have passed as it holds, which keeps the cost of filling below that of the work it follows; and all tables
together stay within a budget of memory: the oldest one goes when it is exceeded.
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


#: Bytes that all tables together may take.
BUDGET: Final = 1 << 24
#: Elements up to which the function itself is faster than a look-up, by the bytes of an element and for pairs.
_SMALL: Final = {1: 64, 2: 256}
_SMALL_PAIRS: Final = 256

_CODES: Final[dict[int, np.dtype[Any]]] = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16)}


class Table:
    """An array that is filled when it is worth it and may be dropped at any time."""

    __slots__ = ("_array", "_fill", "_seen", "_worth")

    def __init__(self, fill: Callable[[], Buffer], worth: int) -> None:
        self._fill = fill
        self._worth = worth
        self._seen = 0
        self._array: Buffer | None = None

    def get(self, size: int) -> Buffer | None:
        """Return the array, or None as long as fewer elements than are worth it were asked for, `size` more now."""
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
    """Return one element for each of the 256 or 65,536 patterns of bits, in their order."""
    return np.arange(1 << (8 * dtype.itemsize), dtype=_CODES[dtype.itemsize]).view(dtype)


def _look_up(table: Buffer, codes: Buffer) -> Buffer:
    """Return the table's entries at `codes`, block by block: NumPy widens indices to eight bytes each."""
    if codes.size <= 4 * BLOCK:
        return np.asarray(table.take(codes, mode="wrap"))
    out = np.empty(codes.shape, table.dtype)
    for there, part in blocks(out, codes, size=4 * BLOCK):
        table.take(part, out=there, mode="wrap")
    return out


def unary(function: Callable[[Buffer], Any], dtype: np.dtype[Any]) -> Callable[[Buffer], Any]:
    """Have a function of one operand of `dtype` look up its answers for large arrays."""
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
    """Have a function of two operands of an 8-bit `dtype` look up its answers for large arrays."""
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
    for there, first, second in blocks(out, a, b):
        codes = np.multiply(first, 256, dtype=np.uint16)
        table.take(np.bitwise_or(codes, second, out=codes), out=there, mode="wrap")
    return out
