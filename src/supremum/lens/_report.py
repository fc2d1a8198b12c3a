"""The report of a lens as text."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from supremum._base import html
from supremum._base.tables import aligned
from supremum.lens._rows import Row
from supremum.promotion._trace import short

#: The report of a lens that has seen nothing.
EMPTY: Final = "the lens has seen no floating result"

#: What the kinds of loss mean.
MEANINGS: Final = {
    "nan": "NaN was made of numbers",
    "overflow": "finite numbers became infinite, or NaN in dtypes without infinity",
    "cancellation": "nearly equal numbers were subtracted, and earlier errors or rounding remained",
    "flip": "a comparison, a choice, an order or an integer came out otherwise than in the reference",
    "absorption": "a summand was too small to change the other one",
    "underflow": "small numbers became zero, or lost digits as subnormal numbers",
    "range": "integers are beyond those that the dtype holds exactly",
    "rounding": "results were rounded",
}
#: How many rows the text has.
_ROWS: Final = 10


def number(x: float) -> str:
    """Return an error as text."""
    return "0" if not x else "inf" if x == float("inf") else f"{x:.1e}"


def place(row: Row) -> str:
    """Return the file and the line of a row."""
    return f"{short(row.file)}:{row.line}"


def is_clean(row: Row) -> bool:
    """Whether a row has no loss beyond rounding to the dtype."""
    return set(row.kinds) <= {"rounding"} and row.growth <= 4 * row.unit


def verdict(row: Row) -> str:
    """Return the kinds of loss in a row, with the digits that one call lost."""
    digits = f" ({row.digits:.1f} digits)" if row.digits >= 0.05 else ""
    lost = [f"{kind}{digits}" if kind == "cancellation" else kind for kind in row.kinds]
    return ", ".join(lost) or "exact"


def summary(lens: Any) -> list[str]:
    """Return what to know first: how much was seen, where NaN and infinities came up, and the error at the end."""
    rows, last = lens.rows, lens.final
    losses = sum(not is_clean(row) for row in rows)
    calls = sum(row.count for row in rows)
    counted = f"{many(len(rows), 'place')} with {many(calls, 'result')}, reference {lens.reference}"
    lines = [f"{counted}: {f'{losses} with losses beyond rounding' if losses else 'no loss beyond rounding'}"]
    for what, row in (("NaN", lens.first_nan), ("infinity", lens.first_infinity)):
        if row is not None:
            lines.append(f"the first {what} came up in {row.function} at {place(row)}")
    if last is not None:
        lines.append(
            f"the last result, {last.function} of {last.dtype} at {place(last)}, has a relative error of {number(last.last)}"
        )
    casts = [row for row in rows if row.casts and row.operands and row.kinds and set(row.kinds) <= {"rounding", "underflow"}]
    if casts:
        worst = max(casts, key=lambda row: row.introduced)
        meant = f"supremum.quantized(x, '{worst.dtype}')"
        lines.append(f"the cast to {worst.dtype} at {place(worst)} counts as a loss; if it is meant, write {meant}")
    if lens.unfollowed:
        lines.append(f"not followed: {', '.join(f'{name} ({why})' for name, why in lens.unfollowed.items())}")
    return lines


def many(count: int, noun: str) -> str:
    """Return a number of things, as in "1 row" and "2,014 rows"."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def table(rows: list[Row]) -> list[tuple[str, ...]]:
    """Return the cells of the rows that lose most, after the titles of the columns."""
    head = ("where", "function", "dtype", "count", "introduced", "inherited", "ulps", "what is lost")
    cells = [
        (
            place(row), row.function, f"{', '.join(row.operands)} -> {row.dtype}" if row.promotes else row.dtype,
            f"{row.count:,}", number(row.introduced), number(row.inherited), f"{row.ulps:.3g}", verdict(row),
        )
        for row in rows[:_ROWS]
    ]  # fmt: skip
    return [head, *cells]


def more(rows: list[Row]) -> list[str]:
    """Return how many rows the table leaves out, if it does."""
    return [f"and {len(rows) - _ROWS} more, in lens.rows"] if len(rows) > _ROWS else []


def text(lens: Any) -> str:
    """Return the report: the summary, and the lines that lose most."""
    rows = lens.rows
    if not rows:
        return EMPTY
    return "\n".join([*summary(lens), "", *aligned(table(rows), right=range(3, 7)), *more(rows)])


def notebook(lens: Any) -> str:
    """Return the report as HTML for a notebook: each row is shaded by the share of the digits that were lost."""
    rows = lens.rows
    if not rows:
        return f"<p>{EMPTY}</p>"
    head, *cells = table(rows)
    shades = [[0.0] * (len(head) - 1) + [0.4 * row.lost] for row in rows]
    last = "lens.save('report.html') writes the report with the source"
    above, below = ("<br>".join(map(escape, lines)) for lines in (summary(lens), [*more(rows), last]))
    return f"<p>{above}</p>{html.table(cells, head, shades=shades)}<p>{below}</p>"
