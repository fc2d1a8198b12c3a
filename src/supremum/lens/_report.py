"""The report of a lens as text."""

from __future__ import annotations

from typing import Any, Final

from supremum.lens._rows import Row
from supremum.promotion._trace import short

__all__ = ["MEANINGS", "is_clean", "number", "place", "summary", "text", "verdict"]

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
#: Functions that cast on request.
_CASTS: Final = ("astype", "convert_element_type")
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
    lost = [f"{kind} ({row.digits:.1f} digits)" if kind == "cancellation" else kind for kind in row.kinds]
    return ", ".join(lost) or "exact"


def summary(lens: Any) -> list[str]:
    """Return what to know first: how much was seen, where NaN and infinities came up, and the error at the end."""
    rows, last = lens.rows, lens.final
    losses = sum(not is_clean(row) for row in rows)
    calls = sum(row.count for row in rows)
    counted = f"{len(rows)} {'place' if len(rows) == 1 else 'places'} with {calls:,} results, reference {lens.reference}"
    lines = [f"{counted}: {f'{losses} with losses beyond rounding' if losses else 'no loss beyond rounding'}"]
    for what, row in (("NaN", lens.first_nan), ("infinity", lens.first_infinity)):
        if row is not None:
            lines.append(f"the first {what} came up in {row.function} at {place(row)}")
    if last is not None:
        lines.append(
            f"the last result, {last.function} of {last.dtype} at {place(last)}, has a relative error of {number(last.last)}"
        )
    casts = [row for row in rows if row.function.rpartition(".")[2] in _CASTS and row.kinds == ("rounding",)]
    if casts:
        worst = max(casts, key=lambda row: row.introduced)
        meant = f"supremum.quantized(x, '{worst.dtype}')"
        lines.append(f"the cast to {worst.dtype} at {place(worst)} counts as a loss; if it is meant, write {meant}")
    if lens.unfollowed:
        lines.append(f"not followed: {', '.join(f'{name} ({why})' for name, why in lens.unfollowed.items())}")
    return lines


def text(lens: Any) -> str:
    """Return the report: the summary, and the lines that lose most."""
    rows = lens.rows
    if not rows:
        return "the lens has seen no floating result"
    table = [("where", "function", "dtype", "count", "introduced", "inherited", "ulps", "what is lost")]
    table += [
        (
            place(row), row.function, f"{', '.join(row.operands)} -> {row.dtype}" if row.promotes else row.dtype,
            f"{row.count:,}", number(row.introduced), number(row.inherited), f"{row.ulps:.3g}", verdict(row),
        )
        for row in rows[:_ROWS]
    ]  # fmt: skip
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    pads = (str.ljust, str.ljust, str.ljust, str.rjust, str.rjust, str.rjust, str.rjust, str.ljust)
    lines = ["  ".join(pad(cell, width) for pad, cell, width in zip(pads, row, widths, strict=True)).rstrip() for row in table]
    more = len(rows) - _ROWS
    lines += [f"and {more} more, in lens.rows"] if more > 0 else []
    return "\n".join([*summary(lens), "", *lines])
