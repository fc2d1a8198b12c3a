"""The report of a lens as a page: the source with a heat margin, and what was found at a line that is clicked."""

from __future__ import annotations

import json
import linecache
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np

from supremum.lens._formats import LOWEST, format_named
from supremum.lens._report import MEANINGS, is_clean, number, place, summary, text, verdict
from supremum.lens._rows import Row
from supremum.promotion._nodes import NODES
from supremum.promotion._trace import short

_FOLDER: Final = Path(__file__).parent
#: Longer files are shown around the lines that were followed.
_LONG: Final = 800
_AROUND: Final = 6
#: How many of the worst rows are listed first.
_WORST: Final = 10


def page(lens: Any) -> str:
    """Return the page."""
    rows = lens.rows
    style, script = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("_page.css", "_page.js"))
    data = json.dumps([_data(row) for row in rows], separators=(",", ":")).replace("<", "\\u003c")
    head, *notes = summary(lens)
    body = [
        '<header><h1><span class="mark">&#8835;</span> Precision lens</h1>',
        '<button type="button" class="quiet" id="theme" aria-label="light or dark">&#9680;</button>',
        f'<p class="lead">{escape(head)}</p>',
        "".join(f'<p class="note">{escape(note)}</p>' for note in notes),
        "</header>",
        '<main class="split"><div><section class="worst" aria-label="the worst lines">',
        *_worst(rows),
        '</section><div class="files">',
        *(part for file in dict.fromkeys(row.file for row in rows) for part in _file(file, rows)),
        '</div></div><aside id="panel" aria-live="polite"><p class="hint">Click a line with a mark to see what was found',
        "there.</p></aside></main>",
        f"<footer><details><summary>The report as text</summary><pre>{escape(text(lens))}</pre></details>",
        f"<dl>{''.join(f'<dt>{kind}</dt><dd>{escape(what)}</dd>' for kind, what in MEANINGS.items())}</dl></footer>",
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Precision lens</title>'
        f"<style>\n{style}</style></head>\n<body>\n" + "\n".join(body) + f'\n<script id="rows" type="application/json">{data}'
        f"</script>\n<script>\n{script}</script>\n</body></html>\n"
    )


def _data(row: Row) -> dict[str, Any]:
    form, node = format_named(row.dtype), NODES.get(row.dtype)
    span = None
    if form is not None and node is not None:
        span = [int(np.floor(np.log2(x))) for x in (form.smallest, form.normal, form.largest)]
    return {
        **{name: getattr(row, name) for name in ("file", "line", "function", "dtype", "promotes", "count", "growth", "unit")},
        **{name: number(getattr(row, name)) for name in ("introduced", "inherited", "last")},
        **{name: list(getattr(row, name)) for name in ("operands", "shape")},
        "place": place(row),
        "ulps": f"{row.ulps:.3g}",
        "heat": round(row.lost, 3),
        "digits": round(row.digits, 1),
        "kinds": [[kind, row.counts[kind]] for kind in row.kinds],
        "history": [[one.call, min(one.introduced, 1e300), min(one.inherited, 1e300)] for one in row.history],
        "ranges": {
            name: {
                "lowest": f"{one.lowest:.3g}",
                "highest": f"{one.highest:.3g}",
                "zeros": one.counts.get(LOWEST, 0),
                "counts": [[exponent, count] for exponent, count in one.counts.items() if exponent > LOWEST],
            }
            for name, one in row.ranges.items()
        },
        "span": span,
    }


def _worst(rows: list[Row]) -> Iterator[str]:
    """Yield the list of the rows that lose most."""
    yield "<h2>Where most is lost</h2>"
    yield '<p class="legend"><span class="bar"><i></i></span>the share of the digits of the dtype that were lost; new'
    yield "infinities and NaN come first</p><ol>"
    for i, row in enumerate(rows[:_WORST]):
        cells = [
            f'<span class="bar"><i style="width:{max(row.lost, 0.02 * bool(row.growth)):.0%}"></i></span>',
            f'<span class="where">{escape(place(row))}</span>',
            f"<code>{escape(row.function)}</code>",
            f'<span class="dtype">{escape(row.dtype)}</span>',
            f'<span class="{"calm" if is_clean(row) else "loss"}">{escape(verdict(row))}</span>',
        ]
        yield f'<li><button type="button" data-row="{i}">{"".join(cells)}</button></li>'
    yield "</ol>"


def _file(file: str, rows: list[Row]) -> Iterator[str]:
    """Yield the source of a file, with marks at the lines that were followed."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        if row.file == file:
            found.setdefault(row.line, []).append(row)
    source = [line.rstrip("\n") for line in linecache.getlines(file)]
    yield f'<section class="file"><h2>{escape(short(file))}</h2><div class="source">'
    previous = 0
    for line in _lines(len(source), found):
        if line > previous + 1:
            yield '<div class="gap">&#8942;</div>'
        previous = line
        code = escape(source[line - 1] if line <= len(source) else "") or " "
        here = found.get(line)
        if here is None:
            yield f'<div class="line"><span class="n">{line}</span><span class="heat"></span><code>{code}</code></div>'
            continue
        worst = max(row.lost for row in here)
        kinds = dict.fromkeys(kind for row in here for kind in row.kinds if kind != "rounding")
        tags = "".join(f'<b class="kind {kind}">{kind}</b>' for kind in kinds)
        yield (
            f'<button type="button" class="line" data-file="{escape(file)}" data-line="{line}"><span class="n">{line}</span>'
            f'<span class="heat" style="--heat:{worst:.2f}"></span><code>{code}</code>'
            f'<span class="tags">{tags}</span></button>'
        )
    yield "</div></section>"


def _lines(count: int, found: dict[int, list[Row]]) -> list[int]:
    """Return the numbers of the lines to show."""
    if count <= _LONG:
        return sorted({*range(1, count + 1), *found})
    return sorted({n for line in found for n in range(max(line - _AROUND, 1), min(line + _AROUND, count) + 1)} | set(found))
