"""Sorting, searching, sets and counting.

Positions are found in copies: NumPy writes out of bounds where another thread changes elements meanwhile.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.native import native
from supremum._kernels import bounds, distinct, order
from supremum.promotion._nodes import Node, node_of_dtype

__all__ = [
    "argpartition", "argsort", "argwhere", "digitize", "flatnonzero", "intersect1d", "lexsort", "nonzero",
    "partition", "setdiff1d", "setxor1d", "sort", "sort_complex", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values",
]  # fmt: skip

_INT64: Final = np.dtype(np.int64)
_COMPLEX: Final = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}


def _node(x: Buffer) -> Node:
    """Return the node of a buffer of NumPy's dtypes."""
    node = node_of_dtype(x.dtype)
    assert node is not None  # noqa: S101 - plain calls have no others
    return node


def sort(x: Buffer, axis: int | None = -1) -> Any:
    """Sort along an axis, or the flattened buffer."""
    return order.sort(x.reshape(-1), _node(x), 0) if axis is None else order.sort(x, _node(x), axis)


def argsort(x: Buffer, axis: int | None = -1) -> Any:
    """Return the stable order along an axis, or of the flattened buffer, as 64-bit integers."""
    found = order.argsort(x.reshape(-1), _node(x), 0) if axis is None else order.argsort(x, _node(x), axis)
    return found.astype(_INT64, copy=False)


def partition(x: Buffer, kth: int) -> Any:
    """Sort a vector up to a position, and the rest in descending order."""
    return order.partition(x, _node(x), kth, 0) if x.ndim == 1 and 0 <= kth < x.size else NotImplemented


def argpartition(x: Buffer, kth: int) -> Any:
    """Return the stable order of a vector up to a position, and the rest of the positions in ascending order."""
    if x.ndim != 1 or not 0 <= kth < x.size:
        return NotImplemented
    return order.argpartition(x, _node(x), kth, 0)


def lexsort(keys: list[Buffer], axis: int = -1) -> Buffer:
    """Return the stable order by several keys, the last one most important."""
    return np.lexsort([key.copy() for key in keys], axis)


def sort_complex(x: Buffer) -> Any:
    """Sort real numbers, as complex ones."""
    return sort(x).astype(_COMPLEX[x.dtype])


#: Return the indices of nonzero elements along each axis.
nonzero: Final[Any] = bounds.nonzero if native is None else native.nonzero


# -- positions ----------------------------------------------------------------------------------------------------------------


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


# -- sets ---------------------------------------------------------------------------------------------------------------------


def unique(x: Buffer, *, equal_nan: bool = True) -> Any:
    """Return the distinct elements in ascending order."""
    return distinct.values(x.reshape(-1), _node(x), equal_nan=equal_nan)


#: The same, where each NaN is distinct.
unique_values: Final[Any] = partial(unique, equal_nan=False)


def _groups(x: Buffer) -> Any:
    """Return the values, first positions, groups and sizes of the distinct elements."""
    if x.dtype == _INT64:  # whose values would be taken for indices
        return NotImplemented
    flat = x.reshape(-1)
    first, inverse, counts = distinct.groups(flat, _node(x), equal_nan=False)
    return flat[first], first, inverse.reshape(x.shape), counts


def unique_all(x: Buffer) -> Any:
    """Return the distinct elements, their first positions, the group of each element and the sizes of the groups."""
    return _groups(x)


def unique_inverse(x: Buffer) -> Any:
    """Return the distinct elements and the group of each element."""
    values, _, inverse, _ = _groups(x)
    return values, inverse


def unique_counts(x: Buffer) -> Any:
    """Return the distinct elements and the sizes of their groups."""
    return NotImplemented if x.dtype == _INT64 else distinct.counted(x.reshape(-1), _node(x), equal_nan=False)


def union1d(x: Buffer, y: Buffer) -> Any:
    """Return the union of two sets."""
    return unique(np.concatenate((x.reshape(-1), y.reshape(-1))))


def intersect1d(x: Buffer, y: Buffer) -> Any:
    """Return the intersection of two sets."""
    return distinct.both(unique(x), unique(y), _node(x))


def setxor1d(x: Buffer, y: Buffer) -> Any:
    """Return the symmetric difference of two sets."""
    return distinct.apart(unique(x), unique(y), _node(x))


def setdiff1d(x: Buffer, y: Buffer) -> Any:
    """Return the elements of one set that are not in another."""
    values = unique(x)
    return values[~distinct.contained(values, unique(y), distinct=True)]
