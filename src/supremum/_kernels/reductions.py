"""Reductions of large arrays in blocks that fit the cache; narrow dtypes are widened block by block."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.casts import cast
from supremum._kernels.extremes import Extreme
from supremum.promotion._nodes import Node

__all__ = ["LARGE", "fold_all", "sum_of_squares"]


#: Number of elements from which blocks are faster.
LARGE: Final = 1 << 16
_BLOCK: Final = 1 << 16
#: Number of elements of a run, which the BLAS sums sequentially: few enough to be as exact as NumPy's sums.
_RUN: Final = 1 << 10


def fold_all(ufunc: np.ufunc | Extreme, data: Buffer, wide: Node, **start: Any) -> Buffer:
    """Reduce all elements of a contiguous buffer in a wider dtype."""
    flat = data.reshape(-1)
    if data.dtype == wide.dtype:
        whole: Buffer = ufunc.reduce(flat, out=...)
        return whole
    partial = np.empty(-(-flat.size // _BLOCK), wide.dtype)
    for i in range(partial.size):
        ufunc.reduce(cast(flat[i * _BLOCK : (i + 1) * _BLOCK], wide), out=partial[i, ...])
    folded: Buffer = ufunc.reduce(partial, out=..., **start)
    return folded


def sum_of_squares(data: Buffer, center: Buffer, wide: Node) -> Buffer:
    """Sum the squares of the differences of the elements of a contiguous real buffer from a center, in a wide dtype."""
    flat = data.reshape(-1)
    count = -(-flat.size // _BLOCK)
    scratch = np.empty(_BLOCK, wide.dtype)
    runs = scratch.reshape(-1, _RUN)
    partial = np.empty((count, len(runs)), wide.dtype)
    for i in range(count):
        block = flat[i * _BLOCK : (i + 1) * _BLOCK]
        np.subtract(cast(block, wide), center, out=scratch[: block.size])
        scratch[block.size :] = 0
        np.vecdot(runs, runs, out=partial[i])
    total: Buffer = np.add.reduce(partial, None, out=...)
    return total
