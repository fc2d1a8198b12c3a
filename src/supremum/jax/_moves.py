"""Where elements come from that a function only moves: found by calling it with the numbers of elements in place of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from supremum import Array
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum.jax._abstract import filled, key_of
from supremum.jax._programs import JaxprEqn
from supremum.promotion._nodes import NODES, Node

#: The most runs of elements in which a function moves them.
_MOST_RUNS: Final = 1 << 10
#: A number that is added to the numbers of elements, to see whether a function depends on them.
_SHIFT: Final = 1 << 22
#: What was found, and how many of it are kept.
_moves: Final[dict[Any, Any]] = {}
_KEPT: Final = 1 << 12
#: What becomes of an integer that is out of range: the nearest one, no update, or the function's error.
CLIP, DROP, REFUSE, _UNKNOWN = 0, -1, -2, -3


class Positions(NamedTuple):
    """An integer that moves a window, or integers that move as many windows: their node and shape."""

    node: Node
    shape: tuple[int, ...]


def moved(equation: JaxprEqn, given: list[Any], shapes: list[tuple[int, ...]]) -> list[tuple[Any, str]] | None:
    """Return for each result where elements come from, and how they lie: in C's order, in rows, turned, strided, or loose.

    Rows are those of another array; a matrix that is turned is the transpose of what is in C's order.

    The former are (operand, first element, elements apart, number), or () where they are not known; None if nothing is. A
    filler is the element of an operand behind the last one.
    """
    found = [_numbers(equation, given, shapes, shift) for shift in (0, _SHIFT)]
    if found[0] is None or found[1] is None:
        return None
    starts = _starts(given)
    own = [(x, shifted, _layout(x)) for x, shifted in zip(*found, strict=True)]
    return [(_runs(x.T, y.T, starts) if how == "turned" else _runs(x, y, starts), how) for x, y, how in own]


def windowed(
    equation: JaxprEqn, like: list[Any], writes: bool, shape: tuple[int, ...]
) -> tuple[tuple[Any, ...], tuple[Any, ...]] | None:
    """Return the runs of elements that a function moves from a window, or to one, and what moves the window; else None.

    A run is that of `moved`, and the first element and elements apart that it becomes, and the number of its window. Integers
    that move the windows are `Positions` among what is given, the first of which is the shape of the whole array. Of each it
    is returned which it is, by how many elements it moves the window, the most, the length from which negative ones count,
    and what becomes of others. All of that is found by calls.
    """
    places = [i for i, x in enumerate(like) if type(x) is Positions]
    starts, whole = _starts(like), np.arange(math.prod(like[0]))
    count = max([math.prod(like[i].shape) for i in places])

    def elements(numbers: Sequence[Any], shift: int = 0) -> Any:
        """Return the elements that the result has; REFUSE for an error, or _UNKNOWN."""
        given = list(like)
        for i, number in zip(places, numbers, strict=True):
            node, lengths = like[i]
            values = np.reshape(number, lengths) if np.ndim(number) else np.full(lengths, number, node.dtype)
            given[i] = wrap(values.astype(node.dtype), node)
        found = _numbers(equation, given, [shape], shift)
        if found is None or not np.isfinite(found[0]).all():
            return REFUSE if found is None else _UNKNOWN
        return found[0].astype(np.int64).ravel() - shift

    def window(numbers: Sequence[Any], shift: int = 0) -> Any:
        """Return the elements of the windows, and which ones they become or come from, or what `elements` has of errors."""
        index = elements(numbers, shift)
        if isinstance(index, int) or not writes:
            return index if isinstance(index, int) else (index, np.arange(index.size))
        inside = np.flatnonzero(index != whole)
        inside = inside[np.argsort(index[inside], kind="stable")]
        return inside, index[inside]

    def shift(*numbers: int) -> int:
        """Return by how many elements integers move the window, or what becomes of them."""
        found = window(numbers)
        if type(found) is int or not found[0].size:
            return found if type(found) is int else DROP
        by = found[0][:1] - first[0][:1]
        same = np.array_equal(found[1], first[1]) and (found[0] - first[0] == by).all()
        return int(by[0]) if same and by >= 0 else _UNKNOWN

    def fits(apart: int) -> bool:
        """Return whether windows at several positions are where they are expected."""
        several = np.arange(1, count + 1) * apart
        numbers = [several % (n + 1) if like[i].shape else n for i, n in zip(places, most, strict=True)]
        by = sum([x * row[0] for x, row in zip(numbers, positions, strict=True)])
        expected = first[0] + np.broadcast_to(by, count)[owners]
        if writes:
            at, expected = expected, whole.copy()
            expected[at] = first[1]
        return np.array_equal(elements(numbers), expected)

    zeros = (0,) * len(places)
    first, again = window(zeros), window(zeros, _SHIFT)
    if type(first) is int or not first[0].size or type(again) is int or not all(map(np.array_equal, first, again)):
        return None
    if first[0].max() >= whole.size or first[0].min() < 0 or (writes and first[1].min() < whole.size):
        return None
    positions = [
        _position(cache(lambda i, k=k: shift(*zeros[:k], i, *zeros[k + 1 :])), like[place].node, sorted({*like[0]}))
        for k, place in enumerate(places)
    ]
    most = [min(row[1], like[place].node.high) if row else 0 for place, row in zip(places, positions, strict=True)]
    if None in positions or shift(*most) != sum([row[0] * i for row, i in zip(positions, most, strict=True)]):
        return None
    owners = _owners(window, first, [like[i].shape for i in places])
    if owners is None or not all(map(fits, (1, 2, 5)[: 3 * (count > 1)])):
        return None
    runs = _joined(first[1] if writes else first[0], first[0] if writes else first[1], starts, owners)
    return (runs, tuple([(place, *row) for place, row in zip(places, positions, strict=True)])) if runs else None


def _owners(window: Any, first: Any, shapes: list[tuple[int, ...]]) -> Any:
    """Return for each element of windows which of them it is of; None if that is not known."""
    count, found = max(map(math.prod, shapes)), np.zeros(first[0].size, np.int64)
    for bit in range((count - 1).bit_length()):  # by which the windows move whose numbers have it
        moved = window([np.arange(count) >> bit & 1 if shape else 0 for shape in shapes])
        if type(moved) is int or not np.array_equal(moved[1], first[1]):
            return None
        found += (moved[0] != first[0]).astype(np.int64) << bit
    return None if (np.bincount(found, minlength=count) * count != found.size).any() else found


def _position(shift: Any, node: Node, lengths: list[int]) -> Any:
    """Return how an integer moves a window: see `windowed`; None if it is not known."""
    apart, far = max(shift(1), 0), shift(node.high)
    for length, beyond, wraps in product(lengths, (CLIP, DROP, REFUSE), (1, 0)):
        most = length - 1 if beyond != CLIP else far // apart if apart else 0

        def expected(i: int) -> int:
            i += length * wraps * (i < 0)  # noqa: B023 - called here
            return beyond if beyond != CLIP and not 0 <= i <= most else min(max(i, 0), most) * apart  # noqa: B023 - as above

        near = [i + j for i in (node.low, -length, most - length, 0, most, length, node.high) for j in (-1, 0, 1)]
        if all(shift(i) == expected(i) for i in near if node.low <= i <= node.high):
            return apart, most, length * wraps, -beyond
    return None


def _starts(given: list[Any]) -> Any:
    """Return the number of the first element of each operand."""
    return np.cumsum([0, *[math.prod(one) if type(one) is tuple else 0 for one in given]])


def _numbers(equation: JaxprEqn, given: list[Any], shapes: list[tuple[int, ...]], shift: int) -> list[Any] | None:
    """Return what a function makes of the numbers of elements, which are shifted; None if it makes no arrays like these."""
    node = NODES["float32"]  # by whose elements no function decides what it moves, as it may by those of integers
    numbers = [
        wrap(np.arange(start + shift, start + shift + math.prod(one), dtype=np.float32).reshape(one), node)
        if type(one) is tuple
        else one
        for start, one in zip(_starts(given)[:-1], given, strict=True)
    ]
    try:
        out = equation.function(*filled(equation.call[0], numbers), **filled(equation.call[1], numbers))
    except Exception:  # noqa: BLE001 - of any kind: then it is called with elements
        return None
    results = out if type(out) in (tuple, list) else [out]
    if [type(x) is Array and (x.shape, x._node) for x in results] != [(shape, node) for shape in shapes]:
        return None
    return [x._data for x in results]


def _layout(x: np.ndarray[Any, Any]) -> str:
    steps = [step for step, length in zip(x.strides, x.shape, strict=True) if length > 1]
    if x.flags.c_contiguous:
        return "C"
    if x.ndim == len("ij") and x.flags.f_contiguous:
        return "turned"
    rows = steps[-1] == x.itemsize and steps == sorted(steps, reverse=True)
    return "rows" if rows else "strided" if x.ndim == 1 else "loose"


def _runs(numbers: np.ndarray[Any, Any], shifted: np.ndarray[Any, Any], starts: Any) -> tuple[tuple[int, ...], ...]:
    """Return the runs of elements of which these are the numbers, unless they are others; () if those are unknown."""
    if _layout(numbers) == "loose" or not numbers.size:
        return ()
    numbers, shifted = numbers.ravel(), shifted.ravel()
    fills = (numbers == shifted) | (np.isnan(numbers) & np.isnan(shifted))
    if len({*map(str, numbers[fills].tolist())}) > 1:
        return ()
    index = np.where(fills, starts[-1], numbers).astype(np.int64)
    if index.min() < 0 or index.max() >= starts[-1] + fills.any() or (shifted - index != _SHIFT)[~fills].any():
        return ()
    return tuple([run[:4] for run in _joined(index, np.arange(index.size), starts)])


def of_one(numbers: np.ndarray[Any, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the runs of elements of an array of which these are the numbers; () if there are too many."""
    starts = np.array([0, numbers.max() + 1])
    return tuple([run[1:4] for run in _joined(numbers.ravel(), np.arange(numbers.size), starts)])


def _joined(index: Any, targets: Any, starts: Any, windows: Any = 0) -> tuple[tuple[int, ...], ...]:
    """Return runs of elements with these numbers, which become those of other numbers; () if there are too many."""
    owners, windows = np.searchsorted(starts, index, side="right") - 1, np.broadcast_to(windows, index.shape)
    apart, spread = np.diff(index), np.diff(targets)
    joins = (np.diff(owners) == 0) & (np.diff(windows) == 0)
    ends = np.flatnonzero((np.diff(apart) != 0) | (np.diff(spread) != 0) | ~joins[1:]) + 1
    runs: list[tuple[int, ...]] = []
    first = 0
    while first < index.size:
        if len(runs) == _MOST_RUNS:
            return ()
        last, row = first + 1, (owners[first], index[first] - starts[owners[first]], 1, 1, targets[first], 1, windows[first])
        if last < index.size and joins[first]:
            last = [*(ends[np.searchsorted(ends, last) :][:1] + 1), index.size][0]
            row = *row[:2], apart[first], last - first, targets[first], spread[first], windows[first]
        runs.append(tuple(map(int, row)))
        first = last
    return tuple(runs)


def kept(equation: JaxprEqn, like: list[Any], find: Callable[[], Any]) -> Any:
    """Return what is found of a call with operands like these, which is kept."""
    key = key_of((equation.call[0], tuple(equation.call[1].items())))
    if key is None or Array in map(type, like):
        return find()
    key = (equation.function, state(), tuple(like), key)
    if key not in _moves:
        if len(_moves) >= _KEPT:
            _moves.clear()
        _moves[key] = find()
    return _moves[key]
