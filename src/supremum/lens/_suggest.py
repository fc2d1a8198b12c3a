"""What was seen, judged for other dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from supremum._base import html
from supremum._base.tables import aligned
from supremum._core.dtype_objects import requested
from supremum.lens._formats import LOWEST, Format, format_named, format_of
from supremum.lens._rows import Row
from supremum.promotion._trace import short


@dataclass(frozen=True)
class Suggestion:
    """The verdicts on a line.

    Attributes
    ----------
    file : str
        The file.
    line : int
        The line.
    function : str
        The function or operator.
    dtype : str
        The dtype of its results now.
    verdicts : dict
        For each dtype, why it would not do; an empty text if it would.
    """

    file: str
    line: int
    function: str
    dtype: str
    verdicts: dict[str, str]

    @property
    def fits(self) -> tuple[str, ...]:
        """The dtypes that would do."""
        return tuple(dtype for dtype, verdict in self.verdicts.items() if not verdict)


class Suggestions(Sequence[Suggestion]):
    """The verdicts on all lines, in the order of the program; prints as a table.

    Attributes
    ----------
    dtypes : tuple of str
        The dtypes.
    """

    def __init__(self, dtypes: tuple[str, ...], found: list[Suggestion]) -> None:
        self.dtypes = dtypes
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def __getitem__(self, index: Any) -> Any:
        return self._found[index]

    @property
    def fits(self) -> tuple[str, ...]:
        """The dtypes that would do at every line."""
        return tuple(dtype for dtype in self.dtypes if all(not one.verdicts[dtype] for one in self))

    def __repr__(self) -> str:
        lines = f"all {len(self)} lines" if len(self) != 1 else "the only line"
        return f"<suggestions: {', '.join(self.fits) or 'none of the dtypes'} would do at {lines}>"

    def _table(self) -> list[tuple[str, ...]]:
        rows = [("where", "function", "now", *self.dtypes)]
        rows += [
            (f"{short(one.file)}:{one.line}", one.function, one.dtype, *(one.verdicts[name] or "fits" for name in self.dtypes))
            for one in self
        ]
        return rows

    def _repr_html_(self) -> str:
        head, *cells = self._table()
        shades = [[0.0] * 3 + [0.3 * bool(one.verdicts[name]) for name in self.dtypes] for one in self]
        return html.table(cells, head, caption=repr(self)[1:-1], shades=shades)

    def __str__(self) -> str:
        return "\n".join(aligned(self._table()))


def suggest(rows: list[Row], dtypes: tuple[Any, ...], tolerance: float) -> Suggestions:
    """Judge rows for other dtypes; implements `Lens.suggest`."""
    nodes = [requested(dtype, "suggest") for dtype in dtypes]
    wrong = next((node for node in nodes if node.kind != "f"), None)
    if wrong is not None or not nodes:
        got = "none" if wrong is None else str(wrong)
        raise ValueError(f"suggest: expected real floating dtypes, such as 'bfloat16', got {got}")
    if not tolerance > 0:
        raise ValueError(f"suggest: tolerance must be positive, got {tolerance}")
    formats = [format_of(node) for node in nodes]
    found = [
        Suggestion(
            row.file, row.line, row.function, row.dtype, {form.name: _verdict(row, form, tolerance) for form in formats}
        )
        for row in sorted(rows, key=lambda row: row.first)
        if format_named(row.dtype) is not None
    ]
    return Suggestions(tuple(form.name for form in formats), found)


def _verdict(row: Row, form: Format, tolerance: float) -> str:
    """Return why a dtype would not do for a row; an empty text if it would."""
    highest = max(one.highest for one in row.ranges.values())
    if highest > form.limit:
        return f"overflow: {highest:.2g} is above {form.largest:.2g}"
    vanish = max(_vanishing(one.counts, form) for one in row.ranges.values())
    if vanish > tolerance:
        return f"underflow: {vanish:.0%} become 0"
    error = form.unit
    if row.precision > row.unit:
        error = max(error, row.precision * form.unit / row.unit)
    if error > tolerance:
        return f"precision: error {'above 1' if error > 1 else f'about {error:.1g}'}"
    return ""


def _vanishing(counts: dict[int, int], form: Format) -> float:
    """Return the share of numbers that would become zero."""
    total = sum(count for exponent, count in counts.items() if exponent > LOWEST)
    lost = sum(count for exponent, count in counts.items() if exponent > LOWEST and 2.0**exponent < form.smallest / 2)
    return lost / total if total else 0.0
