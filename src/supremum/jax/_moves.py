"""Where elements come from that a function only moves: found by calling it with the numbers of elements in place of them."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum import Array
from supremum._core.array import wrap
from supremum.jax._programs import JaxprEqn, filled
from supremum.promotion._nodes import NODES

#: The most runs of elements in which a function moves them.
_MOST_RUNS: Final = 1 << 10
#: A number that is added to the numbers of elements, to see whether a function depends on them.
_SHIFT: Final = 1 << 22


def moved(equation: JaxprEqn, given: list[Any], shapes: list[tuple[int, ...]]) -> list[tuple[Any, str]] | None:
    """Return for each result where elements come from, and how they lie: in C's order, in rows of another array, or loose.

    The former are (operand, first element, elements apart, number), or () where they are not known; None if nothing is.
    """
    sizes = [math.prod(one) if type(one) is tuple else 0 for one in given]
    starts = np.cumsum([0, *sizes])
    node = NODES["float32"]  # by whose elements no function decides what it moves, as it may by those of integers
    found = []
    for shift in (0, _SHIFT):
        numbers = [
            wrap(np.arange(start + shift, start + shift + size, dtype=np.float32).reshape(one), node)
            if type(one) is tuple
            else one
            for start, size, one in zip(starts[:-1], sizes, given, strict=True)
        ]
        try:
            out = equation.primitive(*filled(equation.call[0], numbers), **filled(equation.call[1], numbers))
        except Exception:  # noqa: BLE001 - of any kind: then it is called with elements
            return None
        results = out if type(out) in (tuple, list) else [out]
        if [(type(x), x.shape, x._node) for x in results] != [(Array, shape, node) for shape in shapes]:
            return None
        found.append([x._data for x in results])
    return [(_runs(x, shifted, starts), _layout(x)) for x, shifted in zip(*found, strict=True)]


def _layout(x: np.ndarray[Any, Any]) -> str:
    steps = [step for step, length in zip(x.strides, x.shape, strict=True) if length > 1]
    if x.flags.c_contiguous:
        return "C"
    return "rows" if steps[-1] == x.itemsize and steps == sorted(steps, reverse=True) else "loose"


def _runs(numbers: np.ndarray[Any, Any], shifted: np.ndarray[Any, Any], starts: Any) -> tuple[tuple[int, ...], ...]:
    """Return the runs of elements of which these are the numbers, unless they are others; () if those are unknown."""
    index = numbers.astype(np.int64).ravel()
    if _layout(numbers) == "loose" or not index.size or (shifted.ravel() - index != _SHIFT).any():
        return ()
    if index.min() < 0 or index.max() >= starts[-1]:
        return ()
    owners = np.searchsorted(starts, index, side="right") - 1
    runs: list[tuple[int, ...]] = []
    first = 0
    while first < index.size:
        if len(runs) == _MOST_RUNS:
            return ()
        last, apart = first + 1, 1
        if last < index.size and owners[last] == owners[first]:
            apart = int(index[last] - index[first])
            breaks = (np.diff(index[first:]) != apart) | (np.diff(owners[first:]) != 0)
            last = first + 1 + int(np.argmax(breaks)) if breaks.any() else index.size
        runs.append((int(owners[first]), int(index[first] - starts[owners[first]]), apart, last - first))
        first = last
    return tuple(runs)
