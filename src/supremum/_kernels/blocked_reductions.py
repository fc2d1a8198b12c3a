"""Reductions of large arrays in blocks that fit the cache; narrow dtypes are widened block by block."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._kernels.casts import cast
from supremum._kernels.extremes import Extreme
from supremum.promotion._nodes import Node

#: Number of elements from which blocks are faster.
LARGE: Final = 1 << 16
_BLOCK: Final = 1 << 16
#: Number of squares that are added before others, and the blocks of the extension module.
_RUN: Final = 1 << 13


def fold_all(ufunc: np.ufunc | Extreme, data: Buffer, wide: Node, **start: Any) -> Buffer:
    """Reduce all elements of a contiguous buffer in a wider dtype."""
    flat = data.reshape(-1)
    if data.dtype == wide.dtype:
        whole: Buffer | None = native.sum_all(flat) if native is not None and ufunc is np.add else None
        return ufunc.reduce(flat, out=...) if whole is None else whole
    partial = np.empty(-(-flat.size // _BLOCK), wide.dtype)
    for i in range(partial.size):
        ufunc.reduce(cast(flat[i * _BLOCK : (i + 1) * _BLOCK], wide), out=partial[i, ...])
    return ufunc.reduce(partial, out=..., **start)


def sum_of_squares(data: Buffer, center: Buffer, wide: Node) -> Buffer:
    """Sum the squares of the differences of the elements of a contiguous real buffer from a center, in a wide dtype.

    The order of additions is NumPy's, which is the same on every processor; that of a BLAS is not.
    """
    flat = data.reshape(-1)
    found = None if native is None or wide.dtype != np.float32 else native.sum_squares(flat, center.item())
    if found is None:
        found = np.empty(-(-flat.size // _RUN), wide.dtype)
        scratch = np.empty(_BLOCK, wide.dtype)
        for i in range(0, flat.size, _BLOCK):
            block = flat[i : i + _BLOCK]
            squares = scratch[: block.size]
            np.subtract(cast(block, wide), center, out=squares)
            np.multiply(squares, squares, out=squares)
            whole = squares.size // _RUN * _RUN
            sums = found[i // _RUN :]
            np.add.reduce(squares[:whole].reshape(-1, _RUN), 1, out=sums[: whole // _RUN])
            if whole < squares.size:
                np.add.reduce(squares[whole:], out=sums[-1, ...])
    return np.add.reduce(found, out=...)


def divide_in_place(total: Buffer, count: Any) -> None:
    """Divide in place; the parts of complex numbers separately, as the special cases of the standard require."""
    if total.dtype.kind == "c":
        for part in (total.real, total.imag):
            np.divide(part, count, out=part, casting="unsafe")
    else:
        np.divide(total, count, out=total, casting="unsafe")


def squares(
    centered: Buffer, axes: int | tuple[int, ...] | None, mask: Buffer | None = None, keepdims: bool = False
) -> Buffer:
    """Return the sums of squared magnitudes; `centered` is overwritten."""
    if centered.dtype.kind == "c":
        parts = np.square(centered.real, out=...)
        parts += np.square(centered.imag)
    else:
        parts = np.multiply(centered, centered, out=centered)
    if mask is not None and mask.shape == parts.shape:
        np.copyto(parts, 0, where=~mask)
    elif mask is not None:
        parts = np.where(mask, parts, np.zeros((), parts.dtype))
    return np.add.reduce(parts, axes, out=..., keepdims=keepdims)
