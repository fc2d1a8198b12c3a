"""The specification of tapes: operands of functions that are differentiated, and records of how results depend on them.

The engine in C also records the elementwise operations whose `Operation` has `factors`; this one leaves them to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final


class Level:
    """One derivative that is being computed."""

    __slots__ = ("copies", "kinds", "memory", "number", "tangents", "tape")

    #: The order among guests.
    number: int
    #: In reverse mode the records, in the order of the calls.
    tape: list[Record] | None
    #: The kinds of results that move.
    kinds: str
    #: What makes copies of arrays, where that is all that the memory does; else None.
    copies: Any
    #: What takes the place of rules.
    memory: Any
    tangents: bool

    def taped(self, y: Any, parents: Sequence[tuple[Record, Any]], /) -> Any:
        """Return a result that is recorded, of the class of operands that a derived class has."""
        record = Record(parents, y.shape, y._node)
        self.tape.append(record)  # type: ignore[union-attr]  # in reverse mode
        return self.operand(self, y, record)  # type: ignore[attr-defined]  # of derived classes


class Record:
    """A value on a tape: the records that it depends on, each with the factor or pull that carries back.

    Cotangents are fitted to the shape and the node of the value, if the record has them.
    """

    __slots__ = ("cotangent", "node", "parents", "shape")

    def __init__(self, parents: Sequence[tuple[Record, Any]] = (), shape: Any = None, node: Any = None) -> None:
        self.parents = parents
        self.shape = shape
        self.node = node
        self.cotangent: Any = None

    def add(self, cotangent: Any, /) -> None:
        """Add a cotangent."""
        self.cotangent = cotangent if self.cotangent is None else self.cotangent + cotangent


class Dual:
    """An operand with a tangent, or with a record."""

    __slots__ = ("level", "primal", "tangent")

    def __init__(self, level: Any, primal: Any, tangent: Any, /) -> None:
        self.level: Final = level
        self.primal: Final = primal
        self.tangent: Final = tangent

    __supremum_level__ = property(lambda self: self.level.number)
    node: Any = property(lambda self: self.primal._node, doc="The dtype and whether it is weak.")
    _node = node
    shape: Any = property(lambda self: self.primal.shape, doc="The lengths of the axes.")


def backward(tape: list[Record], fit: Callable[..., Any], times: Callable[[Any, Any], Any], /) -> None:
    """Carry the cotangents of the records of a tape back, those of the last ones first.

    What is carried is changed by `fit` to what a parent takes, and multiplied by `times` where a factor is 0 or no number.
    """
    for record in reversed(tape):
        if record.cotangent is None:
            continue
        cotangent = record.cotangent if type(record) is Record else record.cotangents()  # type: ignore[attr-defined]  # of several results
        record.cotangent = None
        for parent, pull in record.parents:
            found = _pulled(pull, cotangent, times)
            if parent.node is not None:
                found = fit(found, parent, pull, record, cotangent)
            if parent.cotangent is None:
                parent.cotangent = found
            else:
                parent.add(found)


def _pulled(pull: Any, cotangent: Any, times: Callable[[Any, Any], Any]) -> Any:
    if type(pull) in (int, float) and pull != 0:
        return cotangent if pull == 1 else -cotangent if pull == -1 else cotangent * pull
    return pull(cotangent) if callable(pull) else times(cotangent, pull)


def stripped(level: Any, x: Any, /) -> Any:
    """Replace the operands of a level by their values, also in lists, tuples and dictionaries."""
    kind = type(x)
    if isinstance(x, Dual):
        return x.primal if x.level is level else x
    if kind is dict:
        return {key: stripped(level, item) for key, item in x.items()}
    return kind([stripped(level, item) for item in x]) if kind is list or kind is tuple else x


def hold_tapes(change: int, /) -> None:
    """Leave calls of operands to Python, or no longer: all are, here."""
