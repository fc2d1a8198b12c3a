"""Small tables for notebooks, which inherit the colors of the page, light or dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

#: Inline, because notebooks remove style sheets from documents that are not trusted, and have rules for cells of their own.
_TABLE: Final = "border-collapse:collapse;margin:.3rem 0;font-variant-numeric:tabular-nums"
_CELL: Final = "text-align:{};padding:.1rem .6rem;border:0;white-space:pre-wrap;vertical-align:top;{}"


def table(
    rows: Iterable[Sequence[str]],
    head: Sequence[str] = (),
    *,
    caption: str = "",
    right: bool = False,
    shades: Sequence[Sequence[float]] = (),
) -> str:
    """Return a table as HTML.

    Parameters
    ----------
    rows : iterable of sequences of str
        The cells, as text.
    head : sequence of str
        The titles of the columns.
    caption : str
        A line of text above.
    right : bool
        Whether cells are aligned to the right.
    shades : sequence of sequences of float
        How strongly each cell is shaded, from 0 to 1.
    """
    from html import escape  # where a table is shown: it takes as long as a tenth of the package

    side = "right" if right else "left"
    lines = [f'<div style="overflow-x:auto"><code>{escape(caption)}</code>' if caption else '<div style="overflow-x:auto">']
    lines.append(f'<table style="{_TABLE}">')
    if head:
        bold = _CELL.format(side, "font-weight:bold;border-bottom:1px solid #8888")
        lines.append("<tr>" + "".join(f'<th style="{bold}">{escape(cell)}</th>' for cell in head) + "</tr>")
    for i, row in enumerate(rows):
        colors = [f"background:rgba(66,133,244,{shades[i][j]:.2f})" if shades else "" for j in range(len(row))]
        cells = [f'<td style="{_CELL.format(side, c)}">{escape(cell)}</td>' for cell, c in zip(row, colors, strict=True)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "".join([*lines, "</table></div>"])
