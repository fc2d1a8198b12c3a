"""Layered drawings of lattices: nodes in rows by height, the least at the bottom, edges as curves that lead up.

The usual four steps (Sugiyama): rows by longest path, intermediate points for edges that skip a row, an order in each
row with few crossings (barycentres), and positions that keep edges straight (least squares under the order).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from supremum.promotion._typing import Ordered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHARACTER, _FONT, _HEIGHT, _GAP, _MARGIN = 8.0, 13, 26, 22, 8
#: The distance of neighbours in a row as `layout` has it, and the height of a line of the caption.
_LANE, _LINE_HEIGHT = 36, 18
# Fill colours by prefix of the name. Opaque boxes with dark text and grey lines are readable on light and dark pages.
_FILLS: Final = (
    ("bool", "#e3e6ea"), ("uint", "#c3ecdf"), ("int", "#cfeecb"), ("float", "#c9e0fb"), ("bfloat", "#c9e0fb"),
    ("tensor_float", "#c9e0fb"), ("complex", "#e3d4fa"), ("bcomplex", "#e3d4fa"),
)  # fmt: skip
_MONOSPACE: Final = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"
#: On dark pages the boxes are tints, and the text is light.
_DARK: Final = "@media (prefers-color-scheme: dark) { rect { fill-opacity: .22 } text { fill: #e6edf3 } }"
_FILL, _TEXT, _LINE, _WEAK, _STRONG = "#e3e6ea", "#17202a", "#8a949e", "#4d5863", "#e8590c"


class Box(NamedTuple):
    """A drawn node; `x` and `y` are its centre."""

    name: str
    x: float
    y: float
    width: float
    weak: bool
    lit: bool


class Curve(NamedTuple):
    """A drawn edge: from the top of one box, through intermediate points, to the bottom of another."""

    points: tuple[tuple[float, float], ...]
    lit: bool


class Drawing:
    """Boxes and curves, which can be written as SVG or plotted."""

    __slots__ = ("boxes", "caption", "curves", "height", "width")

    def __init__(self, boxes: list[Box], curves: list[Curve], caption: list[str]) -> None:
        self.boxes = boxes
        self.curves = curves
        self.caption = caption
        self.width = max((box.x + box.width / 2 for box in boxes), default=0) + _MARGIN
        self.width = max(self.width, max(map(len, caption), default=0) * 6.6 + 2 * _MARGIN)
        self.height = max((box.y + _HEIGHT / 2 for box in boxes), default=0) + _MARGIN + _LINE_HEIGHT * len(caption)

    def to_svg(self) -> str:
        """Return the drawing as a self-contained SVG image."""
        size = f'width="{self.width:.0f}" height="{self.height:.0f}" viewBox="0 0 {self.width:.0f} {self.height:.0f}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<style>{_DARK}</style>",
            '<g fill="none" stroke-linecap="round">',
            *(_svg_curve(curve) for curve in sorted(self.curves, key=lambda curve: curve.lit)),
            "</g>",
            f'<g font-family="{_MONOSPACE}" font-size="{_FONT}" text-anchor="middle" fill="{_TEXT}">',
            *(_svg_box(box) for box in self.boxes),
            "</g>",
        ]
        for i, line in enumerate(reversed(self.caption)):
            place = f'x="{_MARGIN}" y="{self.height - 8 - i * _LINE_HEIGHT:.0f}"'
            style = f'font-family="system-ui, sans-serif" font-size="12" fill="{_LINE}"'
            lines.append(f"<text {place} {style}>{escape(line)}</text>")
        return "\n".join([*lines, "</svg>\n"])

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the drawing with matplotlib and return the axes."""
        try:
            import matplotlib.pyplot as plt
            from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
            from matplotlib.path import Path
        except ImportError:
            raise ImportError(
                "plot needs matplotlib: pip install 'supremum[plot]'; to_svg() and .svg files do without it"
            ) from None
        axes: Axes = plt.subplots(figsize=(self.width / 90, self.height / 90))[1] if ax is None else ax
        for curve in self.curves:
            vertices, codes = [curve.points[0]], [Path.MOVETO]
            for (x0, y0), (x1, y1) in pairwise(curve.points):
                middle = (y0 + y1) / 2
                vertices += [(x0, middle), (x1, middle), (x1, y1)]
                codes += [Path.CURVE4] * 3
            color, width, order = (_STRONG, 2.2, 2) if curve.lit else (_LINE, 1, 1)
            arrow = FancyArrowPatch(
                path=Path(vertices, codes), arrowstyle="-|>", mutation_scale=9, color=color, linewidth=width, zorder=order
            )
            axes.add_patch(arrow)
        for box in self.boxes:
            corner = (box.x - box.width / 2 + 4, box.y - _HEIGHT / 2 + 4)
            patch = FancyBboxPatch(
                corner, box.width - 8, _HEIGHT - 8, boxstyle="round,pad=4", facecolor=_fill(box.name), zorder=3,
                edgecolor=_STRONG if box.lit else _LINE, linestyle="--" if box.weak else "-", linewidth=2 if box.lit else 1,
            )  # fmt: skip
            axes.add_patch(patch)
            slant = "italic" if box.weak else "normal"
            axes.text(box.x, box.y, box.name, ha="center", va="center", fontsize=8, family="monospace", style=slant, zorder=4)
        axes.set(xlim=(0, self.width), ylim=(self.height, 0), aspect="equal")
        axes.set_axis_off()
        if self.caption:
            axes.set_title("\n".join(self.caption), fontsize=8, color=_LINE, y=-0.02, va="top")
        return axes


def _fill(name: str) -> str:
    return next((fill for start, fill in _FILLS if name.startswith(start)), _FILL)


def _svg_curve(curve: Curve) -> str:
    (x, y), *_ = curve.points
    parts = [f"M{x:.1f} {y:.1f}"]
    for (x0, y0), (x1, y1) in pairwise(curve.points):
        middle = (y0 + y1) / 2
        parts.append(f"C{x0:.1f} {middle:.1f} {x1:.1f} {middle:.1f} {x1:.1f} {y1:.1f}")
    x, y = curve.points[-1]
    color, width = (_STRONG, 2.4) if curve.lit else (_LINE, 1.2)
    head = f'<path d="M{x - 3.5:.1f} {y + 7:.1f}L{x:.1f} {y:.1f}L{x + 3.5:.1f} {y + 7:.1f}Z" fill="{color}" stroke="none"/>'
    return f'<path d="{"".join(parts)}" stroke="{color}" stroke-width="{width}"/>{head}'


def _svg_box(box: Box) -> str:
    left, top = box.x - box.width / 2, box.y - _HEIGHT / 2
    stroke = f'stroke="{_STRONG}" stroke-width="2.4"' if box.lit else f'stroke="{_WEAK if box.weak else _LINE}"'
    dashes = ' stroke-dasharray="4 2.5"' if box.weak else ""
    place = f'x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{_HEIGHT}" rx="6"'
    shape = f'<rect {place} fill="{_fill(box.name)}" {stroke}{dashes}/>'
    style = ' font-style="italic"' if box.weak else ""
    return f'{shape}<text x="{box.x:.1f}" y="{box.y + 4.5:.1f}"{style}>{escape(box.name)}</text>'


# -- layout ---------------------------------------------------------------------------------------------------------------


class Spot:
    """A node, or an intermediate point of an edge, in a column of the layout, which is a row of the drawing."""

    __slots__ = ("above", "below", "column", "name", "node", "weak", "width", "y")

    def __init__(self, node: Hashable, column: int, name: str = "") -> None:
        self.node = node
        self.column = column
        self.name = name
        self.weak = name.endswith("*")
        self.width = len(name) * _CHARACTER + 18 if name else 0.0
        self.y = 0.0
        self.above: list[Spot] = []
        self.below: list[Spot] = []


def layout(lattice: Ordered) -> tuple[dict[Any, Spot], list[list[Spot]], dict[tuple[Any, Any], list[Spot]]]:
    """Return where the nodes of a lattice are, the columns of those of equal height, and the spots along each edge."""
    spots, columns, chains = _place(lattice)
    _order(columns)
    _straighten(columns)
    return spots, columns, chains


def draw(lattice: Ordered, nodes: Iterable[Any] | None, join: tuple[Any, ...], path: tuple[Any, ...]) -> Drawing:
    """Lay out a lattice, or some of its nodes, and highlight the paths to a join or between two nodes."""
    shown = lattice if nodes is None else lattice.restricted(nodes)
    paths = _paths(lattice, shown, join, path)
    lit_nodes = {node for one in paths for node in one}
    lit_edges = {edge for one in paths for edge in pairwise(one)}
    spots, columns, chains = layout(shown)
    widest = max((spot.width for spot in spots.values()), default=0)
    scale, first = (widest + 9) / _LANE, min((spot.y for column in columns for spot in column), default=0)

    def centre(spot: Spot) -> tuple[float, float]:
        row = len(columns) - 1 - spot.column  # promotion goes up
        return _MARGIN + widest / 2 + (spot.y - first) * scale, _MARGIN + _HEIGHT / 2 + row * (_HEIGHT + _GAP)

    boxes = [Box(spot.name, *centre(spot), spot.width, spot.weak, spot.node in lit_nodes) for spot in spots.values()]
    curves = [Curve(_points([*map(centre, chain)]), edge in lit_edges) for edge, chain in chains.items()]
    return Drawing(boxes, curves, _caption(lattice, boxes, join))


def _paths(lattice: Ordered, shown: Ordered, join: tuple[Any, ...], path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the paths to highlight."""
    if path and len(path) != 2:
        raise ValueError(f"a path to highlight has two ends, not {len(path)}")
    ends = [(path[0], path[1])] if path else []
    if join:
        top = lattice.join(*join)
        ends += [(node, top) for node in join]
    return [shown.path(a, b) for a, b in ends]


def _caption(lattice: Ordered, boxes: list[Box], join: tuple[Any, ...]) -> list[str]:
    parts = [f"{' + '.join(map(str, join))} is {lattice.join(*join)}"] if join else []
    if any(box.weak for box in boxes):
        parts.append("dashed: weak types, which Python scalars have")
    return parts


def _place(lattice: Ordered) -> tuple[dict[Any, Spot], list[list[Spot]], dict[tuple[Any, Any], list[Spot]]]:
    """Put nodes into columns, with intermediate points for edges that skip a column."""
    covers = lattice.covers
    level = dict.fromkeys(lattice.nodes, 0)
    for node in sorted(lattice.nodes, key=lambda one: -len(lattice.upper_bounds(one))):
        for above in covers[node]:
            level[above] = max(level[above], level[node] + 1)
    reached = {above for node in lattice.nodes for above in covers[node]}
    for node in lattice.nodes:
        if node not in reached and covers[node]:  # a source comes just before its first successor
            level[node] = min(level[above] for above in covers[node]) - 1
    spots = {node: Spot(node, level[node], str(node)) for node in lattice.nodes}
    columns: list[list[Spot]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for spot in spots.values():
        columns[spot.column].append(spot)
    chains = {}
    for node in lattice.nodes:
        for above in covers[node]:
            between = [Spot(None, i) for i in range(level[node] + 1, level[above])]
            for spot in between:
                columns[spot.column].append(spot)
            chain = [spots[node], *between, spots[above]]
            for low, high in pairwise(chain):
                low.above.append(high)
                high.below.append(low)
            chains[node, above] = chain
    return spots, columns, chains


def _crossings(columns: list[list[Spot]]) -> int:
    count = 0
    for column, following in pairwise(columns):
        rank = {id(spot): i for i, spot in enumerate(following)}
        ends = [sorted(rank[id(high)] for high in spot.above) for spot in column]
        count += sum(b < a for i, first in enumerate(ends) for second in ends[i + 1 :] for a in first for b in second)
    return count


def _order(columns: list[list[Spot]]) -> None:
    """Sort each column by the positions of its neighbours, back and forth; keep the order with the fewest crossings."""
    best, fewest = [list(column) for column in columns], _crossings(columns)
    for sweep in range(24):
        forward = sweep % 2 == 0
        for i in range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1):
            rank = {id(spot): k for k, spot in enumerate(columns[i - 1 if forward else i + 1])}
            position = {id(spot): float(k) for k, spot in enumerate(columns[i])}
            for spot in columns[i]:
                near = spot.below if forward else spot.above
                if near:
                    position[id(spot)] = sum(rank[id(other)] for other in near) / len(near)
            columns[i].sort(key=lambda spot: position[id(spot)])
        now = _crossings(columns)
        if now < fewest:
            best, fewest = [list(column) for column in columns], now
    columns[:] = best


def _straighten(columns: list[list[Spot]]) -> None:
    """Move each spot to the height of its neighbours as nearly as its column allows."""
    for column in columns:
        _settle(column, [0.0] * len(column))
    for sweep in range(40):
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            wanted = []
            for spot in column:
                near = [*spot.below, *spot.above]
                wanted.append(sum(other.y for other in near) / len(near) if near else spot.y)
            _settle(column, wanted)


def _settle(column: Sequence[Spot], wanted: list[float]) -> None:
    """Move spots to the wanted heights in least squares, in order and with gaps (pool adjacent violators)."""
    offsets = [0.0]
    for low, high in pairwise(column):
        offsets.append(offsets[-1] + (_LANE if low.name and high.name else 25 if low.name or high.name else 14))
    pools: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=False):
        mean, count = want - offset, 1
        while pools and pools[-1][0] > mean:
            other, size = pools.pop()
            mean, count = (mean * count + other * size) / (count + size), count + size
        pools.append((mean, count))
    heights = [mean for mean, count in pools for _ in range(count)]
    for spot, height, offset in zip(column, heights, offsets, strict=False):
        spot.y = height + offset


def _points(centres: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the points of an edge: straight within a row, so that it bends between rows and crosses no box."""
    points = []
    for (x0, y0), (x1, y1) in pairwise(centres):
        points += [(x0, y0 - _HEIGHT / 2), (x1, y1 + _HEIGHT / 2)]
    return tuple(points)
