"""Sorting, searching, sets and counting.

Positions are found in copies: NumPy writes out of bounds where another thread changes elements meanwhile.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.native import native
from supremum._kernels import bounds

__all__ = [
    "argpartition", "argsort", "argwhere", "digitize", "flatnonzero", "intersect1d", "isin", "nonzero",
    "partition", "setdiff1d", "setxor1d", "sort", "sort_complex", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse",
]  # fmt: skip

#: Number of elements up to which NumPy's stable sorts are used.
_SMALL: Final = 256
#: Number of comparisons up to which all elements are compared with all others.
_PAIRS: Final = 4096
_INT64: Final = np.dtype(np.int64)
_COMPLEX: Final = {np.dtype(np.float32): np.dtype(np.complex64), np.dtype(np.float64): np.dtype(np.complex128)}


def sort(x: Buffer, axis: int | None = -1) -> Any:
    """Sort a few elements."""
    if x.size > _SMALL:
        return NotImplemented
    out = x.flatten() if axis is None else x.copy()
    out.sort(-1 if axis is None else axis, kind="stable")
    return out


def argsort(x: Buffer, axis: int | None = -1) -> Any:
    """Return the stable order of a few elements."""
    return x.copy().argsort(axis, kind="stable") if x.size <= _SMALL else NotImplemented


def partition(x: Buffer, kth: int) -> Any:
    """Sort a vector up to a position, and the rest in descending order."""
    if x.ndim != 1 or not 0 <= kth < x.size <= _SMALL:
        return NotImplemented
    out = x.copy()
    out.sort(kind="stable")
    out[kth + 1 :] = out[:kth:-1]
    return out


def argpartition(x: Buffer, kth: int) -> Any:
    """Return the stable order of a vector up to a position, and the rest of the positions in ascending order."""
    if x.ndim != 1 or not 0 <= kth < x.size <= _SMALL:
        return NotImplemented
    order = x.copy().argsort(kind="stable").astype(np.int32)
    order[kth + 1 :].sort()
    return order


def sort_complex(x: Buffer) -> Any:
    """Sort a few real numbers, as complex ones."""
    return sort(x).astype(_COMPLEX[x.dtype]) if x.size <= _SMALL else NotImplemented


#: Return the indices of nonzero elements along each axis.
nonzero: Final[Any] = bounds.nonzero if native is None else native.nonzero


# -- positions ----------------------------------------------------------------------------------------------------------------


def flatnonzero(x: Buffer) -> Buffer:
    """Return the positions of nonzero elements."""
    return bounds.nonzero(x.reshape(-1))[0]


def argwhere(x: Buffer) -> Buffer:
    """Return the indices of nonzero elements, one row per element."""
    found = bounds.nonzero(x)
    return found[0][:, None] if len(found) == 1 else np.array(found).T.copy()


def digitize(x: Buffer, bins: Buffer) -> Any:
    """Return the index of the ascending bin that each element lies in."""
    if bins.ndim != 1 or not bins[-1] >= bins[0]:
        return NotImplemented
    return bins.searchsorted(x, "right").astype(np.int32)


# -- sets ---------------------------------------------------------------------------------------------------------------------


def _starts(ordered: Buffer) -> Buffer:
    """Return a mask of the elements of a sorted vector that differ from the one before."""
    mask = np.empty(ordered.size, np.bool_)
    mask[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=mask[1:])
    return mask


def _has_nan(ordered: Buffer) -> bool:
    """Whether a sorted vector has NaN, which is last."""
    last = ordered[-1]
    return bool(last != last)  # noqa: PLR0124 - NaN


def unique(x: Buffer) -> Any:
    """Return the distinct elements in ascending order, unless there is NaN."""
    if x.size > _SMALL:
        return NotImplemented
    ordered = x.flatten()
    ordered.sort(kind="stable")
    return NotImplemented if _has_nan(ordered) else ordered[_starts(ordered)]


def _groups(x: Buffer) -> Any:
    """Return the values, first positions, groups and sizes of the distinct elements."""
    if x.size > _SMALL or x.dtype == _INT64:  # whose values would be taken for indices
        return NotImplemented
    flat = x.flatten()
    order = flat.argsort(kind="stable")
    ordered = flat[order]
    if _has_nan(ordered):
        return NotImplemented
    starts = _starts(ordered)
    inverse = np.empty(x.size, np.intp)
    inverse[order] = starts.cumsum() - 1
    places = starts.nonzero()[0]
    counts = np.empty_like(places)
    np.subtract(places[1:], places[:-1], out=counts[:-1])
    counts[-1] = x.size - places[-1]
    return ordered[places], order[places], inverse.reshape(x.shape), counts


def unique_all(x: Buffer) -> Any:
    """Return the distinct elements, their first positions, the group of each element and the sizes of the groups."""
    return _groups(x)


def unique_inverse(x: Buffer) -> Any:
    """Return the distinct elements and the group of each element."""
    values, _, inverse, _ = _groups(x)
    return values, inverse


def unique_counts(x: Buffer) -> Any:
    """Return the distinct elements and the sizes of their groups."""
    if x.size > _SMALL and x.dtype.kind in "iu" and x.dtype != _INT64:
        ordered = x.flatten()
        ordered.sort(kind="stable" if x.dtype.itemsize == 1 else None)
        places = _starts(ordered).nonzero()[0]
        counts = np.empty_like(places)
        np.subtract(places[1:], places[:-1], out=counts[:-1])
        counts[-1] = x.size - places[-1]
        return ordered[places], counts
    values, _, _, counts = _groups(x)
    return values, counts


def union1d(x: Buffer, y: Buffer) -> Any:
    """Return the union of two sets."""
    return unique(np.concatenate((x.reshape(-1), y.reshape(-1))))


def _both(x: Buffer, y: Buffer) -> Buffer:
    """Return the elements of two sets in one ascending order; NaN is refused."""
    both = np.concatenate((unique(x), unique(y)))
    both.sort(kind="stable")
    return both


def intersect1d(x: Buffer, y: Buffer) -> Any:
    """Return the intersection of two sets."""
    both = _both(x, y)
    return both[:-1][both[1:] == both[:-1]]


def setxor1d(x: Buffer, y: Buffer) -> Any:
    """Return the symmetric difference of two sets."""
    both = _both(x, y)
    alone = np.ones(both.size + 1, np.bool_)
    np.not_equal(both[1:], both[:-1], out=alone[1:-1])
    return both[alone[1:] & alone[:-1]]


def isin(x: Buffer, y: Buffer) -> Any:
    """Return a mask of the elements that are equal to one of the others."""
    if x.size * y.size > _PAIRS:
        return NotImplemented
    return np.logical_or.reduce(x[..., None] == y.reshape(-1), -1)


def setdiff1d(x: Buffer, y: Buffer) -> Any:
    """Return the elements of one set that are not in another."""
    values = unique(x)
    return values[~isin(values, y)]
