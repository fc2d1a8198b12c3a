"""Report measurements as ratios: a Markdown table for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bars import bar_for

OURS = "supremum"
SHORT = 30  # rows of a section that is shown whole


@dataclass(eq=False)
class Measurement:
    """The measurement of one case at one size: our time, the times of the others, and errors."""

    section: str
    case: str
    size: int
    costs: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def ratios(self) -> dict[str, float]:
        """The ratios of our time to each other's."""
        ours = self.costs.get(OURS)
        return {name: ours / cost for name, cost in self.costs.items() if name != OURS} if ours else {}

    def flag(self, against: str, *, engine: str) -> tuple[float | None, bool]:
        """Return the bar of the ratio to another library, and whether it is met; an absent function misses its bar."""
        bar = bar_for(self.section, self.case, self.size, against, engine=engine)
        ratio = self.ratios.get(against)
        return bar, bar is None or (ratio is not None and ratio <= bar) or (ratio is None and OURS in self.costs)


def number(ratio: float) -> str:
    """Format a ratio with three significant figures."""
    return f"{ratio:.3f}" if ratio < 0.1 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def cell(measurement: Measurement, against: str, *, engine: str) -> str:
    """Format one ratio with its bar and whether it is met."""
    bar, holds = measurement.flag(against, engine=engine)
    ratio = measurement.ratios.get(against)
    text = number(ratio) if ratio is not None else "absent" if OURS not in measurement.costs else "–"
    if bar is None or text == "–":
        return text
    return f"{text} {'ok' if holds else 'MISS'} (≤ {number(bar)})"


def table(measurements: Iterable[Measurement], *, engine: str) -> list[str]:
    """Format the measurements of one section as a Markdown table with a column for each library."""
    rows = list(measurements)
    others = list(dict.fromkeys(name for row in rows for name in row.costs if name != OURS))
    notes = any(row.note for row in rows)
    grid = [["case", "size", *others, *(["note"] if notes else [])]]
    for row in rows:
        cells = [cell(row, other, engine=engine) for other in others]
        grid.append([row.case, f"{row.size:,}" if row.size else "", *cells, *([row.note] if notes else [])])
    widths = [max(len(line[i]) for line in grid) for i in range(len(grid[0]))]
    lines = ["| " + " | ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)) + " |" for line in grid]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


def block(measurements: list[Measurement], about: dict[str, Any], titles: dict[str, str]) -> list[str]:
    """Return a block of the page of results: of a section of many rows those that miss a bar, and of a short one all."""
    engine = about["engine"]
    lines = [", ".join(f"{name} {value}" for name, value in about["versions"].items()) + "."]
    lines += [f"The engine was the {engine} one. {bars_line(measurements, engine=engine)}"]
    for section, title in titles.items():
        rows = [row for row in measurements if row.section == section]
        shown = rows if len(rows) <= SHORT else list(dict.fromkeys([row for row, _ in missed(rows, engine=engine)]))
        if rows:
            said = [f"{spread(rows)} {bars_line(rows, engine=engine)}", ""] if len(rows) > 2 else []
            lines += ["", f"### {title}", "", *said, *(table(shown, engine=engine) if shown else ())]
    return lines


def spread(rows: list[Measurement]) -> str:
    """Return a sentence with the middle and the greatest ratios to each library."""
    others = dict.fromkeys(name for row in rows for name in row.costs if name != OURS)
    found = {other: [row.ratios[other] for row in rows if other in row.ratios] for other in others}
    parts = [f"{number(median(each))} of {other}, at most {number(max(each))}" for other, each in found.items() if each]
    return f"Medians: {'; '.join(parts)}."


def missed(measurements: list[Measurement], *, engine: str) -> list[tuple[Measurement, str]]:
    """Return the measurements that miss a bar, each with the library that the bar is against."""
    others = dict.fromkeys(name for row in measurements for name in row.costs)
    return [(row, other) for row in measurements for other in others if not row.flag(other, engine=engine)[1]]


def bars_line(measurements: list[Measurement], *, engine: str) -> str:
    """Return a sentence that counts the bars that are met."""
    others = dict.fromkeys(name for row in measurements for name in row.costs)
    judged = []
    for row in measurements:
        met = others if OURS not in row.costs else row.costs  # an absent function misses each of its bars
        flags = [row.flag(other, engine=engine) for other in met]
        judged += [holds for bar, holds in flags if bar is not None]
    return f"{sum(judged)} of {len(judged)} ratios are at most what bars.py asks for."


def as_json(measurements: list[Measurement], about: dict[str, Any]) -> str:
    """Return the ratios as JSON."""
    engine = about["engine"]
    rows = []
    for row in measurements:
        bars = {other: row.flag(other, engine=engine)[0] for other in row.ratios}
        ratios = {other: float(f"{ratio:.4g}") for other, ratio in row.ratios.items()}
        rows.append({"section": row.section, "case": row.case, "size": row.size, "ratios": ratios})
        rows[-1] |= {"bars": held} if (held := {other: bar for other, bar in bars.items() if bar is not None}) else {}
        rows[-1] |= {"note": row.note} if row.note else {}
    return json.dumps({**about, "measurements": rows}, indent=1) + "\n"
