"""Reductions of large arrays in blocks that stay in the cache: narrow dtypes are widened block by block, never as a whole."""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast
from supremum._kernels.extremes import Extreme
from supremum.promotion._nodes import Node

__all__ = ["LARGE", "fold_all", "sum_of_squares"]


#: Elements from which blocks pay.
LARGE: Final = 1 << 16
_BLOCK: Final = 1 << 16
#: Elements of a run: what the BLAS sums up one after another, few enough to be as exact as NumPy's sums.
_RUN: Final = 1 << 10


def fold_all(ufunc: np.ufunc | Extreme, data: Buffer, wide: Node) -> Buffer:
    """Reduce all elements of a contiguous buffer in a wider dtype."""
    flat = data.reshape(-1)
    if data.dtype == wide.dtype:
        whole: Buffer = ufunc.reduce(flat, out=...)
        return whole
    partial = np.empty(-(-flat.size // _BLOCK), wide.dtype)
    for i in range(partial.size):
        ufunc.reduce(cast(flat[i * _BLOCK : (i + 1) * _BLOCK], wide), out=partial[i, ...])
    folded: Buffer = ufunc.reduce(partial, out=...)
    return folded


def sum_of_squares(data: Buffer, center: Buffer, wide: Node) -> Buffer:
    """Sum the squares of what the elements of a contiguous buffer of real numbers are beyond a center, in a wide dtype."""
    flat = data.reshape(-1)
    count = -(-flat.size // _BLOCK)
    room = np.empty(_BLOCK, wide.dtype)
    runs = room.reshape(-1, _RUN)
    partial = np.empty((count, len(runs)), wide.dtype)
    for i in range(count):
        block = flat[i * _BLOCK : (i + 1) * _BLOCK]
        np.subtract(cast(block, wide), center, out=room[: block.size])
        room[block.size :] = 0
        np.vecdot(runs, runs, out=partial[i])
    total: Buffer = np.add.reduce(partial, None, out=...)
    return total
