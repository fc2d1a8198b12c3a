"""The engine in Python: recorded calls, which it makes one after the other; see `_reference`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from supremum._base.functions import hooks


class Chain:
    """Elementwise calls on arrays of one shape, which an engine may compute block by block.

    Parameters
    ----------
    shape : tuple of int
        The shape of the arrays.
    values : tuple
        For each value its node, whether it is one element, and the scratch block that it is in, or -1.
    links : tuple
        For each call its plan; its operands, values or numbers in tuples of their own; and the value of its result.
    inputs, outputs : tuple of int
        The values that are given and returned.
    fallback : callable
        Calls the functions one after the other.
    """

    def __init__(self, shape: Any, values: Any, links: Any, inputs: Any, outputs: Any, fallback: Callable[..., Any]) -> None:
        del shape, values, links, inputs, outputs
        self._fallback = fallback

    def __call__(self, *arrays: Any) -> Any:
        """Return the results as a list."""
        return self._fallback(*arrays)


class Program:
    """Recorded calls that run one after the other.

    Parameters
    ----------
    slots : tuple
        For each value its node, its shape, and the place of its elements in bytes, which this engine does not need.
    steps : tuple
        For each call the function; its arguments, with None where operands go; the names of the last ones, or None; pairs of
        an argument and a slot; the slots of the results; the slots that are not used afterwards; and what makes the call
        superfluous in an engine that computes itself: a plan; or one and the bits of axes, over which elements are combined
        with the result; or one, or "argmax" or "argmin" of rows, the sizes of a product, and the bytes between elements along
        the axes of both operands and of the result; or runs of elements that are moved, integers that move the
        window that they come from, and whether they go to that window instead; or True of a selection by a condition; or the
        length of a loop or -1, whether it is reversed, and programs: that of its steps, or those of a choice, whose operands
        are one after the other, behind the integer that chooses; or None.
    inputs, outputs : tuple of int
        The slots of operands and of results.
    carried, columns : int
        How many of the last operands are carried from step to step of a loop, as the first results are, and how many, behind
        them, have a row for each step.
    test, split : int
        The slot of the condition of a loop, and the step at which its body begins.
    part : bool
        Whether it is a step of another program.
    """

    def __init__(
        self,
        slots: tuple[Any, ...],
        steps: tuple[Any, ...],
        inputs: Sequence[int],
        outputs: Sequence[int],
        carried: int = 0,
        columns: int = 0,
        test: int = -1,
        split: int = 0,
        part: bool = False,
    ) -> None:
        del part
        self._slots, self._steps, self._inputs, self._outputs = slots, steps, inputs, outputs
        self._carried, self._columns, self._test, self._split = carried, columns, test, split

    @property
    def calls(self) -> int:
        """How many steps call functions."""
        return len(self._steps)

    def run(self, operands: tuple[Any, ...], length: int | None = None, reverse: bool = False, /) -> Any:
        """Return the results as a list, or NotImplemented where arrays are not like those that were recorded.

        An engine that computes itself returns the slot of an array that a call returned in another order than C's.
        """
        values: list[Any] = [None] * len(self._slots)
        first = len(self._inputs) - self._columns
        columns = self._inputs[first:]
        for slot, x in zip(self._inputs[:first], operands, strict=False):
            if not self._fits(slot, x):
                return NotImplemented
            values[slot] = x
        if length is None and self._test < 0:
            return [values[slot] for slot in self._outputs] if self._run(values, self._steps) else NotImplemented
        carried = self._inputs[first - self._carried : first]
        rows: list[list[Any]] = [[] for _ in self._outputs[self._carried :]]
        done = 0
        while done != length:
            if self._test >= 0:
                if not self._run(values, self._steps[: self._split]):
                    return NotImplemented
                if not values[self._test]._data:
                    break
            else:
                position = length - 1 - done if reverse else done  # type: ignore[operator]  # not None, without a condition
                for slot, x in zip(columns, operands[first:], strict=True):
                    values[slot] = hooks["wrap"](x._data[position, ...], x._node)
            if not self._run(values, self._steps[self._split :]):
                return NotImplemented
            for column, slot in zip(rows, self._outputs[self._carried :], strict=True):
                column.append(values[slot]._data)
            new = [values[slot] for slot in self._outputs[: self._carried]]
            for slot, x in zip(carried, new, strict=True):
                values[slot] = x
            done += 1
        return [
            *[values[slot] for slot in carried],
            *map(self._stacked, rows, self._outputs[self._carried :], [reverse] * len(rows)),
        ]

    def _stacked(self, rows: list[Any], slot: int, reverse: bool) -> Any:
        node, shape, _ = self._slots[slot]
        out = np.empty((len(rows), *shape), node.dtype)
        for i, row in enumerate(reversed(rows) if reverse else rows):
            out[i] = row
        return hooks["wrap"](out, node)

    def _fits(self, slot: int, x: Any) -> bool:
        node, shape, _ = self._slots[slot]
        return x._node is node and x.shape == shape

    def _run(self, values: list[Any], steps: tuple[Any, ...]) -> bool:
        """Run steps; return whether their results are like those that were recorded."""
        for function, given, names, places, outs, drops, _ in steps:
            args = list(given)
            for place, slot in places:
                args[place] = values[slot]
            count = len(args) - len(names or ())
            found: list[Any] = []
            _collect(function(*args[:count], **dict(zip(names or (), args[count:], strict=True))), found)
            if len(found) != len(outs):
                return False
            for slot, x in zip(outs, found, strict=True):
                if not self._fits(slot, x):
                    return False
                values[slot] = x
            for slot in drops:
                values[slot] = None
        return True


def _collect(x: Any, found: list[Any]) -> None:
    """Append the arrays of a result to a list."""
    if isinstance(x, tuple | list):
        for item in x:
            _collect(item, found)
    elif hasattr(x, "_node"):
        found.append(x)
