"""Tracing of implicit promotions: record them, forbid them, and compare programs under two promotion systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from supremum._base.boundary import relocate
from supremum._base.silence import call_user_code
from supremum._core.settings import config, state
from supremum._core.typing import DTypeLike
from supremum.promotion._nodes import as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS as systems  # noqa: N811  # its public name

if TYPE_CHECKING:
    from supremum.promotion._trace import Event, PromotionLog

__all__ = ["forbid", "trace_promotions"]


@contextmanager
def trace_promotions() -> Iterator[PromotionLog]:
    """Record every implicit promotion within a ``with`` block.

    An implicit promotion is a change of an array's dtype that nobody asked for, by another operand or by the function itself,
    as in ``mean`` of integers. A Python scalar has no dtype: it is no promotion itself, but the array beside it may be
    promoted, as in ``arange(4) * 1.5``. A ``dtype=`` argument, `astype`, positions, counts and truth values are none.

    Yields
    ------
    PromotionLog
        The promotions with operands, result, file and line, count, bytes and hazards; prints as a table.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.trace_promotions() as log:
    ...     y = xp.ones(3, dtype="int8") + xp.ones(3)
    >>> print(log[0].operands, log[0].result, log[0].count)
    ('int8', 'float32') float32 1
    """
    from supremum.promotion._trace import PromotionLog

    log = PromotionLog(state().system)
    with config.use(observer=log):
        yield log


@contextmanager
def forbid(*dtypes: DTypeLike) -> Iterator[None]:
    """Raise an error on implicit promotion to any of the given dtypes within a ``with`` block.

    Parameters
    ----------
    *dtypes : dtype
        The forbidden dtypes; without arguments, every implicit promotion is forbidden.

    Raises
    ------
    TypePromotionError
        At the line of the first forbidden promotion.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.ones(2)
    >>> with xp.forbid("float64"):
    ...     y = x * 2.5
    >>> with xp.forbid("float64"):
    ...     y = x * xp.ones(2, dtype="float64")
    Traceback (most recent call last):
    supremum.promotion.TypePromotionError: ...multiply of float32 and float64 promotes to float64, which is forbidden here...
    """
    from supremum.promotion._trace import Forbidding

    nodes = tuple(as_node(dtype) for dtype in dtypes)
    with config.use(observer=Forbidding(nodes or None)):
        yield


class DtypeChange(NamedTuple):
    """A line of the caller's code whose dtypes differ between two systems."""

    file: str
    line: int
    operation: str
    operands: str
    first: str
    second: str


class PortReport:
    """The result of `promotion.port`: the changed dtypes by line, and the outcomes under both systems; prints as a table.

    Attributes
    ----------
    changes : list of DtypeChange
        The lines where a dtype changes, in the order of execution.
    outcomes : tuple
        The return value of the function, or the exception it raised, under each system.
    """

    def __init__(self, names: tuple[str, str], changes: list[DtypeChange], outcomes: tuple[Any, Any]) -> None:
        self.names = names
        self.changes = changes
        self.outcomes = outcomes

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[DtypeChange]:
        return iter(self.changes)

    def __repr__(self) -> str:
        return f"<port from {self.names[0]} to {self.names[1]}: {len(self)} lines change a dtype>"

    def __str__(self) -> str:
        first, second = self.names
        if not self.changes:
            return f"no line changes a dtype between {first} and {second}"
        rows = [("where", "operation", "operands", first, second)]
        rows += [(f"{c.file}:{c.line}", c.operation, c.operands, c.first, c.second) for c in self.changes]
        widths = [max(len(row[column]) for row in rows) for column in range(5)]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows)


def compare_runs(
    source: str | PromotionSystem, target: str | PromotionSystem, fn: Callable[..., Any], args: tuple[Any, ...]
) -> PortReport:
    """Run a function under two systems and compare the dtypes; implements `supremum.promotion.port`."""
    chosen = [spec if isinstance(spec, PromotionSystem) else systems[spec] for spec in (source, target)]
    runs = [_observed(system, fn, args) for system in chosen]
    changes: list[DtypeChange] = []
    lines = list(dict.fromkeys(line for run, _ in runs for line in run))
    for line in lines:
        first, second = (run.get(line, []) for run, _ in runs)
        for i in range(max(len(first), len(second))):
            pair = [events[i] if i < len(events) else None for events in (first, second)]
            results = ["error" if event is None else event.result.name for event in pair]
            if results[0] == results[1]:
                continue
            event = pair[0] or pair[1]
            assert event is not None  # noqa: S101 - the results differ, so one of them exists
            operands = " | ".join(dict.fromkeys(", ".join(map(str, each.operands)) for each in pair if each is not None))
            changes.append(DtypeChange(*line, event.operation, operands, results[0], results[1]))
    return PortReport((chosen[0].name, chosen[1].name), changes, (runs[0][1], runs[1][1]))


def _observed(
    system: PromotionSystem, fn: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[dict[tuple[str, int], list[Event]], Any]:
    """Run a function under a system; return the promotions by line, and the result or the exception."""
    from supremum.promotion._trace import PromotionLog

    log = PromotionLog(system, everything=True)
    outcome: Any
    with config.use(promotion=system, observer=log):
        try:
            outcome = call_user_code(fn, *args)
        except Exception as error:  # noqa: BLE001 - an exception under one system is part of the report
            outcome = error
    by_line: dict[tuple[str, int], list[Event]] = {}
    for event in log.events:
        by_line.setdefault((event.file, event.line), []).append(event)
    return by_line, outcome


relocate("supremum", forbid, trace_promotions)
