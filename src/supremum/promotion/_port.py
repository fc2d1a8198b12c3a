"""What differs between two runs of a program under two promotion systems: dtypes, shapes and values, line by line."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from html import escape
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from ml_dtypes import finfo

from supremum._base.buffers import Buffer
from supremum._base.functions import without_float_warnings
from supremum._base.tables import aligned
from supremum.promotion._nodes import Node
from supremum.promotion._trace import short, user_line

#: How many elements of an array are kept for the comparison; of larger arrays as many, evenly spaced.
_KEPT: Final = 4096
#: How many units in the last place floating results may differ by, which are due to rounding alone.
_ULPS: Final = 64


class Step(NamedTuple):
    """An array that a line of the program made."""

    file: str
    line: int
    operation: str
    operands: tuple[Node, ...]
    result: Node
    shape: tuple[int, ...]
    #: The elements, or some of them.
    values: Buffer
    #: Whether a dtype can be requested in the operation.
    takes_dtype: bool = False


class Recorder:
    """A record of what every public function and operator made."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def made(self, operation: str, operands: tuple[Node, ...], node: Node, data: Buffer, takes_dtype: bool = False) -> None:
        """Keep one result."""
        file, line, _ = user_line()
        flat = np.asarray(data).reshape(-1)
        every = -(-flat.size // _KEPT) or 1
        values = flat[::every].copy()
        self.steps.append(Step(file, line, operation, operands, node, np.shape(data), values, takes_dtype))


class Change(NamedTuple):
    """A line of the program that makes something else under the second system.

    Attributes
    ----------
    file, line, operation, operands
        What was done where; the dtypes of operands under both systems are separated by ``|`` if they differ.
    first, second : str
        The dtypes of the results; "error" or "nothing" where there is none. With the shape, if the shapes differ.
    values : str
        The first values that differ beyond rounding, of the first and the second run; empty if none do.
    times : int
        How often the line did this.
    is_cause : bool
        Whether the operands were the same under both systems, so that the difference begins here.
    advice : str
        What to write to keep the result of the first system; empty if the change follows from an earlier one.
    """

    file: str
    line: int
    operation: str
    operands: str
    first: str
    second: str
    values: str = ""
    times: int = 1
    is_cause: bool = True
    advice: str = ""


class PortReport:
    """The result of `promotion.port`: the lines that differ, and the outcomes under both systems; prints as a table.

    Attributes
    ----------
    names : tuple of str
        The two systems.
    changes : list of Change
        The lines whose dtypes, shapes or values differ, in the order of execution, so the first cause is the first.
    outcomes : tuple
        The return value of the function, or the exception it raised, under each system.
    called : bool
        Whether the function called a function of this package at all.
    """

    def __init__(
        self, names: tuple[str, str], changes: list[Change], outcomes: tuple[Any, Any], *, called: bool = True
    ) -> None:
        self.names = names
        self.changes = changes
        self.outcomes = outcomes
        self.called = called

    def __len__(self) -> int:
        return len(self.changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __repr__(self) -> str:
        return f"<port from {self.names[0]} to {self.names[1]}: {len(self)} lines differ>"

    def __str__(self) -> str:
        first, second = self.names
        if not self.called:
            why = "ended with an error before it called" if self.errors else "never calls"
            return "\n".join([f"the function {why} supremum, so there is nothing to compare", *self.errors])
        if not self.changes:
            return "\n".join([f"no line differs between {first} and {second}", *self.errors])
        rows = [("where", "operation", "operands", first, second, "")]
        rows += [(_place(c), c.operation, c.operands, c.first, c.second, _note(c)) for c in self.changes]
        lines = aligned(rows)
        lines += dict.fromkeys(f"{_place(change)}: {change.advice}" for change in self.changes if change.advice)
        return "\n".join([*lines, *self.errors])

    @property
    def errors(self) -> list[str]:
        """The exceptions with which the program ended, as lines of text."""
        pairs = zip(self.names, self.outcomes, strict=True)
        return [f"{name}: {type(one).__name__}: {one}" for name, one in pairs if isinstance(one, Exception)]

    def to_html(self) -> str:
        """Return a page with the source of the program, and the changes next to its lines."""
        return _page(self)

    def _repr_html_(self) -> str:
        return _body(self)


# -- comparison ---------------------------------------------------------------------------------------------------------------


def changes_of(runs: tuple[list[Step], list[Step]], outcomes: tuple[Any, Any]) -> list[Change]:
    """Return the changes between two runs, in the order in which the lines were first executed."""
    lines: dict[tuple[str, int], tuple[list[Step], list[Step]]] = {}
    for which, run in enumerate(runs):
        for step in run:
            lines.setdefault((step.file, step.line), ([], []))[which].append(step)
    failed = [isinstance(outcome, Exception) for outcome in outcomes]
    ends = [_end(outcome) if isinstance(outcome, Exception) else None for outcome in outcomes]
    found: dict[Change, int] = {}
    for place, pair in lines.items():
        together = list(zip_longest(*pair))
        for steps, following in zip_longest(together, together[1:]):
            missing = None if None not in steps else steps.index(None)
            if missing is not None and failed[missing] and ends[missing] != place:
                break  # the run had ended
            change = _change(steps, "error" if missing is not None and failed[missing] else "nothing")
            if change is not None and not _is_cast_back(steps, following):
                found[change] = found.get(change, 0) + 1
            if missing is not None:
                break
    merged: dict[tuple[Any, ...], Change] = {}
    for change, count in found.items():  # the values are those of the first time
        key = change._replace(values="")
        merged[key] = merged[key]._replace(times=merged[key].times + count) if key in merged else change._replace(times=count)
    return list(merged.values())


def _is_cast_back(steps: tuple[Step | None, Step | None], following: tuple[Step | None, Step | None] | None) -> bool:
    """Return whether the line casts a result to one dtype under both systems, as the advice has it."""
    if following is None or _change(following, "") is not None:
        return False
    pairs = list(zip(steps, following, strict=True))
    return all(
        one is not None and then is not None and then.operation == "astype" and then.operands == (one.result,)
        for one, then in pairs
    )


def _end(error: Exception) -> tuple[str, int] | None:
    """Return the innermost line outside of this package at which an exception was raised."""
    package = __name__.partition(".")[0]
    trace, found = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__", "").partition(".")[0] != package:
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found


def _change(steps: tuple[Step | None, Step | None], absent: str) -> Change | None:
    """Return what differs between the results of one operation; None if they are the same."""
    first, second = steps
    known = first or second
    assert known is not None  # noqa: S101 - one of them exists
    operands = " | ".join(dict.fromkeys(", ".join(map(str, one.operands)) for one in steps if one is not None))
    change = Change(known.file, known.line, known.operation, operands, "", "")
    if first is None or second is None:
        given, other = (absent if one is None else one.result.name for one in steps)
        cast = f"cast an operand first, with .astype('{known.result.strong}')"
        advice = cast if absent == "error" else "see where the program branches"
        return change._replace(first=given, second=other, advice=advice)
    same_shape = first.shape == second.shape
    values = first_difference(first, second) if same_shape else ""
    if first.result.strong is second.result.strong and same_shape and not values:
        return None
    names = [one.result.name if same_shape else f"{one.result}{list(one.shape)}" for one in (first, second)]
    alike = [node.strong for node in first.operands] == [node.strong for node in second.operands]
    change = change._replace(first=names[0], second=names[1], values=values, is_cause=alike)
    return change._replace(advice=_advice(change, first, second)) if alike else change


def _advice(change: Change, first: Step, second: Step) -> str:
    """Return what to write to keep the result of the first run."""
    kept, operation = first.result.strong, change.operation
    if first.shape != second.shape:
        return f"the shapes of {operation} differ: it depends on values that an earlier line made"
    if kept is second.result.strong:
        return f"{operation} computes other values of the same dtypes: compare its operands"
    if first.takes_dtype or not first.operands:
        return f"to keep {kept}, write dtype='{kept}' in {operation}"
    if kept.kind in "biu":
        return f"to keep {kept}, write .astype('{kept}') after {operation}"
    return f"to keep {kept}, write .astype('{kept}') after an operand of {operation}"


@without_float_warnings
def first_difference(first: Step, second: Step) -> str:
    """Return the first values of two results that differ beyond rounding, as text; empty if none do."""
    kinds = first.result.kind + second.result.kind
    if not first.values.size or "k" in kinds:
        return ""
    if set(kinds) <= set("biu"):
        a, b = first.values.astype(object), second.values.astype(object)
        differs = np.asarray(a != b, bool)
    else:
        wide = np.complex128 if "c" in kinds else np.float64
        a, b = first.values.astype(wide), second.values.astype(wide)
        ulps = max(_eps(one.result) for one in (first, second)) * _ULPS
        near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= ulps * np.maximum(np.abs(a), np.abs(b)))
        differs = ~(near | (a == b) | (np.isnan(a) & np.isnan(b)))
    where = np.flatnonzero(differs)
    if not where.size:
        return ""
    i = int(where[0])
    index = np.unravel_index(i * (-(-int(np.prod(first.shape)) // _KEPT) or 1), first.shape or (1,))
    at = f"[{', '.join(map(str, index))}] " if first.shape else ""
    return f"{at}{first.values[i]} and {second.values[i]}"


def _eps(node: Node) -> float:
    return 0.0 if node.kind in "biu" or node.dtype is None else float(finfo(node.real.dtype).eps)


# -- text and HTML ------------------------------------------------------------------------------------------------------------


def _place(change: Change) -> str:
    return f"{short(change.file)}:{change.line}"


def _note(change: Change) -> str:
    parts = [f"values: {change.values}"] if change.values else []
    parts += [f"{change.times} times"] if change.times > 1 else []
    return "; ".join(parts if change.is_cause else ["follows", *parts])


_STYLE: Final = Path(__file__).with_suffix(".css")


def _page(report: PortReport) -> str:
    title = f"From {report.names[0]} to {report.names[1]}"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    html = '<!doctype html>\n<html lang="en" style="color-scheme: light dark">'
    return f"{html}<head>{head}</head>\n<body>{_body(report)}</body></html>\n"


def _body(report: PortReport) -> str:
    first, second = map(escape, report.names)
    causes = sum(change.is_cause for change in report.changes)
    count = f"{len(report)} {'difference' if len(report) == 1 else 'differences'}"
    lines = [
        f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>",
        '<div class="port">',
        f"<h1>From {first} to {second}</h1>",
    ]
    lines.append(f"<p>{count} in dtypes, shapes or values, {first} \u2192 {second}. {causes} of them begin where they are")
    lines.append("shown; the others, in grey, follow from operands that differ already. A wide bar marks other values.</p>")
    lines += [f"<p><code>{escape(error)}</code></p>" for error in report.errors]
    for file in dict.fromkeys(change.file for change in report.changes):
        lines += [f"<h2>{escape(short(file))}</h2>", "<table>", *_rows(report, file), "</table>"]
    return "\n".join([*lines, "</div>"])


def _rows(report: PortReport, file: str) -> Iterator[str]:
    """Yield a row for each line of a file, with what changes there."""
    by_line: dict[int, list[Change]] = {}
    for change in report.changes:
        if change.file == file:
            by_line.setdefault(change.line, []).append(change)
    source = [text.rstrip("\n") for text in linecache.getlines(file)]
    numbers = range(1, len(source) + 1) if len(source) <= 2000 else sorted(by_line)
    for number in numbers or sorted(by_line):
        text = source[number - 1] if number <= len(source) else ""
        notes = "".join(_html_of(change) for change in by_line.get(number, ()))
        kind = ' class="differs"' if notes else ""
        cells = f'<td class="number">{number}</td><td class="source">{escape(text)}</td><td class="note">{notes}</td>'
        yield f"<tr{kind}>{cells}</tr>"


def _html_of(change: Change) -> str:
    call = f"{change.operation}({change.operands})" if change.is_cause and change.operands else change.operation
    parts = [f"<code>{escape(call)}</code> {escape(change.first)} \u2192 {escape(change.second)}"]
    parts += ["follows"] if not change.is_cause else []
    parts += [f"{change.times} times"] if change.times > 1 else []
    values = f'<br><b class="values">other values: {escape(change.values)}</b>' if change.values else ""
    advice = f'<br><span class="advice">{escape(change.advice)}</span>' if change.advice else ""
    kinds = f"change{' cause' if change.is_cause else ''}{' wrong' if change.values else ''}"
    return f'<div class="{kinds}">{", ".join(parts)}{values}{advice}</div>'
