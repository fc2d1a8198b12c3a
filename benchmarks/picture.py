"""Draw the benchmark: the time of each library for the same work, in units of NumPy's, on a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from report import OURS, Measurement, number

#: Heading of a group → its rows: (section, case, size, label).
ROWS: dict[str, list[tuple[str, str, int, str]]] = {
    "Operators on four elements": [
        ("operators", "a + b, float32", 4, "a + b"),
        ("operators", "a + 2.0", 4, "a + 2.0"),
        ("operators", "a > 0", 4, "a > 0"),
        ("operators", "int32 + float32", 4, "int32 + float32"),
    ],
    "Functions on four elements": [
        ("functions", "sin", 4, "sin"),
        ("functions", "sum", 4, "sum"),
        ("functions", "reshape", 4, "reshape"),
        ("functions", "where", 4, "where"),
    ],
    "A million elements": [
        ("operators", "a + b, float32", 1_000_000, "a + b, float32"),
        ("operators", "int32 + float32", 1_000_000, "int32 + float32"),
        ("narrow", "bfloat16 add", 1_000_000, "bfloat16 a + b"),
        ("narrow", "bfloat16 exp", 1_000_000, "bfloat16 exp"),
        ("narrow", "bfloat16 sum", 1_000_000, "bfloat16 sum"),
        ("narrow", "bfloat16 sort", 1_000_000, "bfloat16 sort"),
        ("narrow", "float16 matmul", 512 * 512, "float16 matmul, 512²"),
        ("narrow", "int8 matmul", 512 * 512, "int8 matmul, 512²"),
    ],
    "Whole programs": [
        ("programs", "Lotka-Volterra", 0, "Lotka–Volterra"),
        ("programs", "MLP step, float32", 0, "MLP step, float32"),
        ("programs", "MLP step, bfloat16", 0, "MLP step, bfloat16"),
        ("programs", "k-means", 0, "k-means"),
        ("programs", "heat stencil", 0, "heat stencil"),
        ("programs", "Mandelbrot, complex64", 0, "Mandelbrot, complex64"),
    ],
}
#: Library → the class of its marks in the SVG, and their outline around (0, 0).
MARKS = {
    "array_api_strict": ("strict", "M0-5.5 5.5 0 0 5.5-5.5 0Z"),
    "jax.numpy": ("jax", "M-4.5-4.5h9v9h-9Z"),
    "torch": ("torch", "M0-5.5 5.5 4.5h-11Z"),
    OURS: ("ours", "M-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0Z"),
}
LEFT, RIGHT, TOP, LINE, HEADING, FIGURES = 226, 800, 62, 22, 34, 55
#: Marks that are closer than this are drawn so far from each other.
TOUCHING, ASIDE = 11, 9
STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
.soft { fill: #59636e; } .head { font-weight: 600; } .end { text-anchor: end; } .mid { text-anchor: middle; }
.grid { stroke: #d1d9e0; } .one { stroke: #59636e; stroke-dasharray: 4 3; } .row { stroke: #d1d9e0; stroke-opacity: .6; }
.ours { fill: #0969da; } .jax { fill: #bc4c00; } .torch { fill: #8250df; } .strict { fill: #7d8590; }
.value { font-weight: 600; fill: #0969da; text-anchor: end; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .soft { fill: #9198a1; } .grid, .row { stroke: #3d444d; } .one { stroke: #9198a1; }
  .ours, .value { fill: #58a6ff; } .jax { fill: #f0883e; } .torch { fill: #bc8cff; } .strict { fill: #8b949e; }
}
"""


def relative(measurement: Measurement) -> dict[str, float]:
    """Return each library's time in units of NumPy's."""
    base = measurement.costs.get("numpy")
    return {name: cost / base for name, cost in measurement.costs.items() if name in MARKS} if base else {}


def apart(places: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Return where marks are on a line, and how far above or below it, so that none hides another."""
    groups: list[list[str]] = []
    for name in sorted(places, key=lambda name: places[name]):
        if groups and places[name] - places[groups[-1][-1]] < TOUCHING:
            groups[-1].append(name)
        else:
            groups.append([name])
    return {
        name: (places[name], (i - (len(group) - 1) / 2) * min(ASIDE, 2 * ASIDE / max(len(group) - 1, 1)))
        for group in groups
        for i, name in enumerate(group)
    }


def draw(measurements: Iterable[Measurement]) -> str:
    """Draw the measurements that have a row in the picture, as an SVG."""
    known = {(each.section, each.case, each.size): relative(each) for each in measurements}
    groups: dict[str, list[tuple[str, dict[str, float]]]] = {}
    for heading, lines in ROWS.items():
        for section, case, size, label in lines:
            found = known.get((section, case, size), {})
            if OURS in found:
                groups.setdefault(heading, []).append((label, found))
    values = [value for rows in groups.values() for _, found in rows for value in found.values()] or [1.0]
    low, high = math.floor(math.log10(min(*values, 0.5))), math.ceil(math.log10(max(*values, 2)))

    def x(value: float) -> float:
        return LEFT + (math.log10(value) - low) / (high - low) * (RIGHT - LEFT)

    height = TOP + sum(HEADING + LINE * len(rows) for rows in groups.values()) + 34
    body = [*_legend(name for name in MARKS if any(name in found for rows in groups.values() for _, found in rows))]
    for power in range(low, high + 1):
        kind = "one" if power == 0 else "grid"
        body.append(f'<path class="{kind}" d="M{x(10.0**power):.1f} {TOP - 14}V{height - 30}"/>')
        text = "NumPy" if power == 0 else f"{10**power:,}×" if power > 0 else f"{10.0**power:g}×"
        body.append(f'<text class="soft mid" x="{x(10.0**power):.1f}" y="{height - 12}">{text}</text>')
    y = TOP
    for heading, rows in groups.items():
        body.append(f'<text class="head" x="12" y="{y + 12}">{escape(heading)}</text>')
        y += HEADING
        for label, found in rows:
            body.append(f'<path class="row" d="M{LEFT} {y}H{RIGHT}"/>')
            body.append(f'<text class="soft end" x="{LEFT - 14}" y="{y + 4}">{escape(label)}</text>')
            places = apart({name: x(found[name]) for name in MARKS if name in found})
            body += [
                f'<path class="{MARKS[name][0]}" transform="translate({at:.1f} {y + aside:g})" d="{MARKS[name][1]}">'
                f"<title>{name}: {number(found[name])} × NumPy</title></path>"
                for name, (at, aside) in ((name, places[name]) for name in MARKS if name in found)
            ]
            body.append(f'<text class="value" x="{RIGHT + FIGURES}" y="{y + 4}">{number(found[OURS])}</text>')
            y += LINE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {RIGHT + FIGURES + 12} {height}" role="img">'
    title = "<title>Time of supremum and its peers in units of NumPy's, logarithmic; further left is faster</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *body, "</svg>", ""])


def _legend(names: Iterable[str]) -> list[str]:
    """Return the legend, ours first."""
    parts = ['<text x="12" y="24">Time, NumPy being 1</text>', '<text class="soft" x="12" y="42">left is faster</text>']
    at = LEFT + 8.0
    for name in reversed(list(names)):
        kind, mark = MARKS[name]
        parts.append(f'<path class="{kind}" transform="translate({at:.0f} 20)" d="{mark}"/>')
        parts.append(f'<text x="{at + 12:.0f}" y="24">{name}</text>')
        at += 44 + 7.4 * len(name)
    return [*parts, f'<text class="value" x="{RIGHT + FIGURES}" y="24">ours</text>']
