"""Shapes, joining, gathering, editing, sorting and searching."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import check_count
from supremum._kernels import bounds
from supremum._kernels.pointwise import zeros

#: Number of elements up to which masks of triangles are kept.
_FEW: Final = 4096
#: Number of repetitions that is multiplied by a length without a check; arrays have no more elements here.
_MANY: Final = (1 << 31) - 1


def rollaxis(x: Buffer, axis: int, start: int = 0) -> Any:
    """Move an axis to the position before another one."""
    if not 0 <= axis < x.ndim or not 0 <= start <= x.ndim:
        return NotImplemented
    order = [i for i in range(x.ndim) if i != axis]
    order.insert(start - (start > axis), axis)
    return x.transpose(order)


def unstack(x: Buffer) -> tuple[Buffer, ...]:
    """Split along the first axis."""
    check_count("unstack", len(x), "arrays")
    return tuple(x) if x.ndim > 1 else tuple([x[i, ...] for i in range(len(x))])


def rolled(x: Buffer, shift: int, axis: int) -> Buffer:
    """Shift along an axis."""
    place = -shift % max(x.shape[axis], 1)
    before: tuple[Any, ...] = (slice(None),) * axis
    return np.concatenate((x[(*before, slice(place, None))], x[(*before, slice(None, place))]), axis)


def roll_halves(x: Buffer, sign: int) -> Buffer:
    """Shift all axes by half of their lengths."""
    for axis in range(x.ndim):
        x = rolled(x, sign * (x.shape[axis] // 2), axis)
    return x


# -- joining ------------------------------------------------------------------------------------------------------------------


def append(x: Buffer, y: Buffer) -> Buffer:
    """Join two flattened arrays."""
    return np.concatenate((x.reshape(-1), y.reshape(-1)))


def hstack(arrays: list[Buffer]) -> Buffer:
    """Join along the second axis; vectors along the first."""
    return np.concatenate(arrays, 1 if arrays[0].ndim > 1 else 0)


def vstack(arrays: list[Buffer]) -> Buffer:
    """Join along the first axis; vectors are rows."""
    return np.concatenate([x[None] if x.ndim == 1 else x for x in arrays])


def column_stack(arrays: list[Buffer]) -> Buffer:
    """Join along the second axis; vectors are columns."""
    return np.concatenate([x[:, None] if x.ndim == 1 else x for x in arrays], 1)


def dstack(arrays: list[Buffer]) -> Buffer:
    """Join along the third axis."""
    return np.concatenate([x[None, :, None] if x.ndim == 1 else x[..., None] if x.ndim == 2 else x for x in arrays], 2)


# -- gathering ----------------------------------------------------------------------------------------------------------------


def take_along_axis(x: Buffer, indices: Buffer, axis: int = -1) -> Any:
    """Take elements of a vector, or along the last axis of a matrix."""
    if indices.dtype.kind not in "iu" or indices.ndim != x.ndim or x.ndim > 2 or axis not in (-1, x.ndim - 1):
        return NotImplemented
    if x.ndim == 1:
        return x.take(indices)
    own = indices.astype(np.intp)  # which no other thread writes to: NumPy reads them twice
    return x[_rows(x.shape[0]), own] if len(own) == len(x) else NotImplemented


@lru_cache(maxsize=64)
def _rows(count: int) -> Buffer:
    """Return a column of indices."""
    return np.arange(count)[:, None]


def compress(condition: Buffer, x: Buffer) -> Any:
    """Return the elements of a vector where a condition holds."""
    return x.take(nonzero(condition)[0]) if condition.shape == x.shape and x.ndim == 1 else NotImplemented


def extract(condition: Buffer, x: Buffer) -> Any:
    """Return the elements where a condition holds."""
    return x.ravel().take(nonzero(condition.reshape(-1))[0]) if condition.shape == x.shape else NotImplemented


def diagonal(x: Buffer, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return a copy of a diagonal."""
    # NumPy takes the offset as a C int, and reads beyond the array where that overflows.
    return x.diagonal(offset, axis1, axis2).copy() if abs(offset) < _FEW else NotImplemented


def diag(x: Buffer, k: int = 0) -> Any:
    """Return a copy of a diagonal of a matrix."""
    return diagonal(x, k) if x.ndim == 2 else NotImplemented


def diagonal_of_last(x: Buffer) -> Any:
    """Return a copy of the diagonals of matrices."""
    return x.diagonal(0, -2, -1).copy()


def triangle(height: int, width: int, k: int) -> Buffer:
    """Return a mask of the elements on and below a diagonal, which is not to be changed."""
    return (_few_of_triangle if height * width <= _FEW else _triangle)(height, width, k)


def _triangle(height: int, width: int, k: int) -> Buffer:
    return np.tri(height, width, k, np.bool_)


_few_of_triangle: Final = lru_cache(maxsize=64)(_triangle)


def tril(x: Buffer, k: int) -> Any:
    """Return the lower triangle of matrices."""
    return np.where(triangle(x.shape[-2], x.shape[-1], k), x, zeros((), x.dtype))


def triu(x: Buffer, k: int) -> Any:
    """Return the upper triangle of matrices."""
    return np.where(triangle(x.shape[-2], x.shape[-1], k - 1), zeros((), x.dtype), x)


# -- editing ------------------------------------------------------------------------------------------------------------------


def delete(x: Buffer, index: int) -> Any:
    """Delete a position of a vector."""
    if x.ndim != 1 or not 0 <= index < x.size:
        return NotImplemented
    out = np.empty(x.size - 1, x.dtype)
    out[:index] = x[:index]
    out[index:] = x[index + 1 :]
    return out


def insert(x: Buffer, index: int, value: float) -> Any:
    """Insert a number before a position of a vector of floats."""
    if x.ndim != 1 or not 0 <= index <= x.size or type(value) is not float:
        return NotImplemented
    out = np.empty(x.size + 1, x.dtype)
    out[:index] = x[:index]
    out[index] = value
    out[index + 1 :] = x[index:]
    return out


def repeat(x: Buffer, repeats: int, axis: int | None = None) -> Any:
    """Repeat each element."""
    return x.repeat(repeats, axis) if type(repeats) is int and 0 <= repeats <= _MANY else NotImplemented


# -- flat indices -------------------------------------------------------------------------------------------------------------


def unravel_index(indices: Buffer, shape: int | tuple[int, ...]) -> Any:
    """Convert flat indices to one index for each axis, of the same dtype; those out of range are refused."""
    if min(shape if isinstance(shape, tuple) else (shape,), default=0) < 0:
        return NotImplemented
    return tuple([part.astype(indices.dtype) for part in np.unravel_index(indices, shape)])


def ravel_multi_index(indices: list[Buffer], dims: tuple[int, ...]) -> Any:
    """Convert an index for each axis to flat indices of the same dtype; those out of range are refused."""
    dtype = indices[0].dtype
    if dtype.itemsize < 4 or math.prod(dims) > 1 << 31 or min(dims, default=0) < 0:
        return NotImplemented
    return np.ravel_multi_index(tuple(indices), dims).astype(dtype)


# -- sorting and searching ----------------------------------------------------------------------------------------------------


# Positions are found in copies: NumPy writes out of bounds where another thread changes elements meanwhile.


def lexsort(keys: list[Buffer], axis: int = -1) -> Buffer:
    """Return the stable order by several keys, the last one most important."""
    return np.lexsort([key.copy() for key in keys], axis)


#: Return the indices of nonzero elements along each axis.
nonzero: Final[Any] = bounds.nonzero if native is None else native.nonzero


def flatnonzero(x: Buffer) -> Buffer:
    """Return the positions of nonzero elements."""
    return nonzero(x.reshape(-1))[0]


def argwhere(x: Buffer) -> Buffer:
    """Return the indices of nonzero elements, one row per element."""
    found = nonzero(x)
    return found[0][:, None] if len(found) == 1 else np.array(found).T.copy()


def digitize(x: Buffer, bins: Buffer) -> Any:
    """Return the index of the ascending bin that each element lies in."""
    if bins.ndim != 1 or not bins[-1] >= bins[0]:
        return NotImplemented
    return bins.searchsorted(x, "right").astype(np.int32)
