"""Distinct elements and membership, by sorting."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import order as order
from supremum.promotion._nodes import Node

#: Number of comparisons up to which all elements are compared with all others.
_PAIRS: Final = 4096


class Groups(NamedTuple):
    """Groups of equal elements: the first position of each group, the group of each element, the sizes of the groups."""

    first: Buffer
    inverse: Buffer
    counts: Buffer


def values(data: Buffer, node: Node, *, equal_nan: bool) -> Buffer:
    """Return the distinct elements of a vector in ascending order."""
    if not data.size:
        return data
    found = _tallied(data, node, equal_nan=equal_nan)
    if found is not None:
        return data[found[0]]
    ordered = order.sort(data, node, 0)
    return ordered[starts(ordered, node, equal_nan=equal_nan)]


def counted(data: Buffer, node: Node, *, equal_nan: bool) -> tuple[Buffer, Buffer]:
    """Return the distinct elements of a vector in ascending order, and their numbers."""
    ordered = order.sort(data, node, 0)
    places = starts(ordered, node, equal_nan=equal_nan).nonzero()[0]
    return ordered[places], _lengths(places, len(ordered))


def _lengths(places: Buffer, length: int) -> Buffer:
    """Return the lengths of the runs that begin at these places."""
    lengths = np.empty_like(places)
    np.subtract(places[1:], places[:-1], out=lengths[:-1])
    lengths[-1:] = length - places[-1:]
    return lengths


def groups(data: Buffer, node: Node, *, equal_nan: bool) -> Groups:
    """Group equal parts along the first axis, in ascending order."""
    length = len(data)
    if data.ndim > 1 and data.size:
        data = data.reshape(length, -1)
        data = data if data.shape[1] > 1 else data[:, 0]
    if not data.size:  # any parts without elements are equal
        return Groups(np.zeros(min(length, 1), np.intp), np.zeros(length, np.intp), np.full(min(length, 1), length))
    if data.ndim == 1:
        found = _tallied(data, node, equal_nan=equal_nan)
        if found is not None:
            return Groups(found[0], _inverse(data, found[0], node, equal_nan=equal_nan), found[1])
        permutation = order.argsort(data, node, 0)
    else:
        columns = [(np.ascontiguousarray(data[:, i]), node) for i in range(data.shape[1] - 1, -1, -1)]
        permutation = order.lexsort(columns, 0)
    new = starts(data[permutation], node, equal_nan=equal_nan)
    firsts = new.nonzero()[0]
    inverse = np.empty(length, np.intp)
    inverse[permutation] = new.cumsum() - 1
    return Groups(permutation[firsts], inverse, _lengths(firsts, length))


def _tallied(data: Buffer, node: Node, *, equal_nan: bool) -> tuple[Buffer, Buffer] | None:
    """Return where the distinct elements of a vector are first, and their numbers; None where sorting is faster."""
    found = order.tally(data, node)
    if found is None or equal_nan or node.kind != "f":
        return found
    first, counts = found
    nan = np.flatnonzero(_is_nan(data, node)) if _is_nan(data[first[-1:]], node).any() else first[:0]
    if not nan.size:
        return found
    return np.concatenate([first[:-1], nan]), np.concatenate([counts[:-1], np.ones_like(nan)])


def _inverse(data: Buffer, first: Buffer, node: Node, *, equal_nan: bool) -> Buffer:
    """Return the group of each element of a vector."""
    inverse = order.search(data[first], data, node)
    if not equal_nan and node.kind == "f":
        nan = np.flatnonzero(_is_nan(data, node))
        inverse[nan] += np.arange(nan.size)
    return inverse


def _is_nan(data: Buffer, node: Node) -> Buffer:
    return np.isnan(order.comparable(data, node))


def starts(ordered: Buffer, node: Node, *, equal_nan: bool) -> Buffer:
    """Return a mask of the elements, or rows, of a sorted buffer that differ from the one before."""
    native = order.comparable(ordered, node)
    mask = np.empty(len(native), np.bool_)
    mask[:1] = True
    before, after = native[:-1], native[1:]
    equal_nan = equal_nan and node.kind in "fc"
    differ = after != before
    # Of sorted real numbers, NaN is last.
    if equal_nan and (native.ndim > 1 or node.kind == "c" or (differ.size and native[-1] != native[-1])):
        differ &= ~(np.isnan(after) & np.isnan(before))
    mask[1:] = differ if differ.ndim == 1 else differ.any(axis=1)
    return mask


# -- two sets -----------------------------------------------------------------------------------------------------------------


def contained(wanted: Buffer, others: Buffer, *, distinct: bool = False) -> Buffer:
    """Return a mask of the numbers that are equal to one of the others; NaN equals nothing."""
    if wanted.size * others.size <= _PAIRS:
        return np.asarray(np.logical_or.reduce(wanted[..., None] == others.reshape(-1), -1))
    return np.asarray(np.isin(wanted, others, assume_unique=distinct))


def both(first: Buffer, second: Buffer, node: Node) -> Buffer:
    """Return the elements of the first of two sets of distinct elements that are in the second, in ascending order."""
    merged = order.sort(np.concatenate((first, second)), node, 0)
    return merged[:-1][~starts(merged, node, equal_nan=False)[1:]]


def apart(first: Buffer, second: Buffer, node: Node) -> Buffer:
    """Return the elements that are in one of two sets of distinct elements, in ascending order."""
    merged = order.sort(np.concatenate((first, second)), node, 0)
    new = np.ones(merged.size + 1, np.bool_)
    new[:-1] = starts(merged, node, equal_nan=False)
    return merged[new[1:] & new[:-1]]
