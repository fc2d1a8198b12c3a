"""Distinct elements and membership, by sorting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels import order
from supremum.promotion._nodes import Node

__all__ = ["Groups", "contained", "groups", "order", "starts", "values"]


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
    return ordered[starts(ordered[:, None], node, equal_nan=equal_nan)]


def counted(data: Buffer, node: Node, *, equal_nan: bool) -> tuple[Buffer, Buffer]:
    """Return the distinct elements of a vector in ascending order, and their numbers."""
    ordered = order.sort(data, node, 0)
    new = starts(ordered[:, None], node, equal_nan=equal_nan)
    places = np.append(new, True).nonzero()[0]
    return ordered[new], places[1:] - places[:-1]


def groups(data: Buffer, node: Node, *, equal_nan: bool) -> Groups:
    """Group equal parts along the first axis, in ascending order."""
    length = len(data)
    rows = data.reshape(length, -1) if data.size else np.zeros((length, 0), data.dtype)
    if not length:
        return Groups(np.zeros(0, np.intp), np.zeros(0, np.intp), np.zeros(0, np.intp))
    if not rows.shape[1]:
        return Groups(np.zeros(1, np.intp), np.zeros(length, np.intp), np.full(1, length))
    found = _tallied(rows[:, 0], node, equal_nan=equal_nan) if rows.shape[1] == 1 else None
    if found is not None:
        return Groups(found[0], _inverse(rows[:, 0], found[0], node, equal_nan=equal_nan), found[1])
    columns = [(np.ascontiguousarray(rows[:, i]), node) for i in range(rows.shape[1] - 1, -1, -1)]
    permutation = order.lexsort(columns, 0)
    new = starts(rows[permutation], node, equal_nan=equal_nan)
    firsts = np.flatnonzero(new)
    inverse = np.empty(length, np.intp)
    inverse[permutation] = np.cumsum(new) - 1
    return Groups(permutation[firsts], inverse, np.diff(firsts, append=length))


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


def starts(rows: Buffer, node: Node, *, equal_nan: bool) -> Buffer:
    """Return a mask of the sorted rows that differ from the row before."""
    if not len(rows):
        return np.zeros(0, np.bool_)
    native = order.comparable(rows, node)
    before, after = native[:-1], native[1:]
    differ = after != before
    if equal_nan and node.kind in "fc":
        differ &= ~(np.isnan(after) & np.isnan(before))
    return np.concatenate([np.ones(1, np.bool_), differ.any(axis=1)])


def contained(wanted: Buffer, others: Buffer) -> Buffer:
    """Return a mask of the numbers that are equal to one of the others; NaN equals nothing."""
    return np.asarray(np.isin(wanted, others))
