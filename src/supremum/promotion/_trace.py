"""Records of implicit promotions: the operands, the line of user code, the count and the memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

from supremum._base import html
from supremum._base.exceptions import TypePromotionError
from supremum._base.locks import LOCK
from supremum._base.tables import aligned
from supremum.promotion._nodes import Node
from supremum.promotion._system import PromotionSystem

_PACKAGE: Final = __name__.partition(".")[0]
#: The lines of instructions, by the identity of the code and the offset: Python counts them from the start of a function.
_lines: Final[dict[tuple[int, int], tuple[CodeType, int]]] = {}
#: How many lines are kept at most, with their code.
_KEPT: Final = 4096


class Event(NamedTuple):
    """A promotion at a line of code: the key by which occurrences are counted."""

    file: str
    line: int
    operation: str
    operands: tuple[Node, ...]
    result: Node


@dataclass(frozen=True, slots=True)
class PromotionRecord:
    """One implicit promotion of a trace.

    Attributes
    ----------
    operation : str
        The function or operator.
    operands : tuple of str
        The names of the operands' nodes.
    result : str
        The name of their common node.
    file : str
        The file of the user's code.
    line : int
        The line in the file.
    count : int
        The number of occurrences.
    nbytes : int
        Bytes of all results in the promoted dtype, as far as their sizes were known.
    hazards : tuple of str
        Possible effects of the promotion on values and memory.
    """

    operation: str
    operands: tuple[str, ...]
    result: str
    file: str
    line: int
    count: int
    nbytes: int
    hazards: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.operation}({', '.join(self.operands)}) -> {self.result}"


def user_line(within: int = 1) -> tuple[str, int, str]:
    """Return the file and line of the innermost frame outside this package, and the function of the package that it called.

    So many calls are known to be `within` the package, this one included.
    """
    frame = sys._getframe(within)
    called = frame.f_code.co_name
    while (outer := frame.f_back) is not None and _is_own(frame.f_globals.get("__name__", "")):
        name = frame.f_code.co_name
        if not name.startswith("_") or name.startswith("__"):
            called = name  # the last one is the outermost public function or operator
        frame = outer
    code = frame.f_code
    key = id(code), frame.f_lasti
    found = _lines.get(key)
    if found is None:
        if len(_lines) >= _KEPT:
            _lines.clear()
        found = _lines[key] = code, frame.f_lineno
    return code.co_filename, found[1], called.strip("_")


@cache
def _is_own(module: str) -> bool:
    return module.partition(".")[0] == _PACKAGE


def is_promotion(operands: tuple[Node, ...], result: Node) -> bool:
    """Return whether the dtype of an array among the operands changes; Python scalars, without a dtype, do not count."""
    return any(node.dtype is not None and node.dtype != result.dtype for node in operands)


class PromotionLog:
    """The implicit promotions of a ``with trace_promotions()`` block; a sequence of `PromotionRecord`, printing as a table.

    Attributes
    ----------
    records : list of PromotionRecord
        The promotions, those that cost the most bytes first.
    overflows : dict
        What wrapped first, and how often, by file, line, operation and dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.trace_promotions() as log:
    ...     y = xp.arange(1000) * xp.ones(1000, dtype="bfloat16") + xp.ones(1000)
    >>> [(record.operands, record.result, record.nbytes) for record in log]
    [(('bfloat16', 'float32'), 'float32', 4000), (('int32', 'bfloat16'), 'bfloat16', 2000)]
    """

    def __init__(self, system: PromotionSystem, *, everything: bool = False) -> None:
        self._system = system
        #: Whether what keeps its dtype is recorded too.
        self.everything = everything
        #: Whether the program called a public function at all.
        self.called = False
        self._counts: dict[Event, list[int]] = {}
        #: The lines at which integers overflowed, with what happened first and how often.
        self.overflows: dict[tuple[str, int, str, str], tuple[str, int]] = {}

    def saw(self, operation: str | None, operands: tuple[Node, ...], result: Node, size: int | None) -> None:
        """Count one promotion."""
        if not self.everything and not is_promotion(operands, result):
            return
        file, line, called = user_line()
        event = Event(file, line, operation or called, operands, result)
        with LOCK:
            entry = self._counts.setdefault(event, [0, 0])
            entry[0] += 1
            entry[1] += (size or 0) * (result.dtype.itemsize if result.dtype is not None else 0)

    def wrapped(self, operation: str, dtype: str, exact: float, given: int) -> None:
        """Count one overflow of integers."""
        file, line, _ = user_line()
        with LOCK:
            key = (file, line, operation, dtype)
            text, count = self.overflows.get(key, (f"{exact:.17g} became {given}", 0))
            self.overflows[key] = text, count + 1

    @property
    def events(self) -> list[Event]:
        """All promotions, in the order of first occurrence."""
        return list(self._counts)

    @property
    def records(self) -> list[PromotionRecord]:
        """The promotions, those that cost the most bytes first."""
        from supremum.promotion._explain import hazards_of

        with LOCK:
            counted = [(event, count, nbytes) for event, (count, nbytes) in self._counts.items()]
        records = []
        for (file, line, operation, operands, result), count, nbytes in counted:
            names = tuple(node.name for node in operands)
            hazards = tuple(dict.fromkeys(hazard.text for hazard in hazards_of(operands, result, self._system)))
            records.append(PromotionRecord(operation, names, result.name, file, line, count, nbytes, hazards))
        return sorted(records, key=lambda record: (-record.nbytes, record.file, record.line, record.operation))

    def __len__(self) -> int:
        return len(self._counts)

    def __iter__(self) -> Iterator[PromotionRecord]:
        return iter(self.records)

    def __getitem__(self, index: int) -> PromotionRecord:
        return self.records[index]

    def __repr__(self) -> str:
        return f"<{self._counted()}>"

    def _counted(self) -> str:
        return f"{len(self)} implicit promotion{'s' * (len(self) != 1)}"

    def _repr_html_(self) -> str:
        head = ("bytes", "count", "operands", "result", "where", "operation", "hazards")
        records = self.records
        rows = [(*row, "\n".join(r.hazards)) for r, row in zip(records, _rows(records), strict=True)]
        found = html.table(rows, head, caption=self._counted())
        wraps = [
            (f"{file}:{line}", name, dtype, *map(str, what)) for (file, line, name, dtype), what in self.overflows.items()
        ]
        return found + (html.table(wraps, caption="overflows of integers") if wraps else "")

    def __str__(self) -> str:
        records = self.records
        wraps = [
            f"{file}:{line}: {operation} overflows {dtype}: {text} ({count:,} time{'s' * (count != 1)})"
            for (file, line, operation, dtype), (text, count) in self.overflows.items()
        ]
        if not records:
            return "\n".join(["no implicit promotions", *wraps])
        head = ("bytes", "count", "operands", "result", "where", "operation")
        titles, *rows = aligned([head, *_rows(records)], right=(0, 1))
        lines, margin = [titles], " " * titles.index("operands")
        for row, record in zip(rows, records, strict=True):
            lines += [row, *[f"{margin}! {hazard}" for hazard in record.hazards]]
        return "\n".join([*lines, *wraps])


def _rows(records: list[PromotionRecord]) -> list[tuple[str, ...]]:
    return [
        (f"{r.nbytes:,}", f"{r.count:,}", ", ".join(r.operands), r.result, f"{r.file}:{r.line}", r.operation) for r in records
    ]


class Forbidding:
    """An observer that raises TypePromotionError for promotions to forbidden dtypes."""

    def __init__(self, nodes: tuple[Node, ...] | None) -> None:
        self._nodes = None if nodes is None else frozenset(nodes)

    def saw(self, operation: str | None, operands: tuple[Node, ...], result: Node, size: int | None) -> None:
        """Raise if operands promote to a forbidden dtype; to any other dtype if all are forbidden."""
        del size
        if not is_promotion(operands, result):
            return
        strong = result if not result.weak or result.dtype is None else None
        forbidden = self._nodes is None or any(node.dtype == result.dtype for node in self._nodes) or strong in self._nodes
        if not forbidden:
            return
        file, line, called = user_line()
        names = tuple(node.name for node in operands)
        raise TypePromotionError(
            f"{file}:{line}: {operation or called} of {' and '.join(names)} promotes to {result.name}, which is forbidden "
            f"here; if it is intended, cast explicitly, e.g. with x.astype('{result.dtype}')."
        )


def short(file: str) -> str:
    """Return a file relative to the current directory, if it is in there."""
    try:
        return str(Path(file).resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file
