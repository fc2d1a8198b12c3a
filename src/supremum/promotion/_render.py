"""Promotion tables as text, HTML, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Final

from supremum._base.exceptions import describe
from supremum._base.tables import aligned
from supremum.promotion._nodes import COMMON, Node, as_node
from supremum.promotion._typing import NodeLike, Promoting

_BOLD, _GREEN, _GREY, _END = "\x1b[1m", "\x1b[30;42m", "\x1b[90m", "\x1b[0m"

_STYLE: Final = Path(__file__).with_suffix(".css")


class Table:
    """A promotion table; cells that differ from a second system are highlighted.

    Attributes
    ----------
    system : PromotionSystem
        The system.
    vs : PromotionSystem or None
        The system that it is compared with.
    nodes : tuple of Node
        The types in rows and columns.
    """

    __slots__ = ("nodes", "system", "vs")

    def __init__(
        self, system: Promoting, *, vs: Promoting | None = None, nodes: str | Iterable[NodeLike] | None = None
    ) -> None:
        self.system: Promoting = system
        self.vs: Promoting | None = vs
        if nodes is None:
            self.nodes: tuple[Node, ...] = system.nodes
        elif isinstance(nodes, str) and nodes == "common":
            self.nodes = tuple(node for node in system.nodes if node.name in COMMON or node.weak or node.dtype is None)
        elif isinstance(nodes, Iterable):
            self.nodes = tuple(self._known(node) for node in ([nodes] if isinstance(nodes, str) else nodes))
        else:
            raise TypeError(f"table: nodes must be a sequence of dtypes or their names, got {describe(nodes)}")

    def _known(self, spec: NodeLike) -> Node:
        node = as_node(spec)
        if node not in self.system:
            raise ValueError(f"promotion system {self.system.name!r} has no {node}")
        return node

    def _differs(self, a: Node, b: Node) -> bool:
        """Return whether the second system has both types and another result."""
        if self.vs is None or a not in self.vs or b not in self.vs:
            return False
        return self.system.lookup(a, b) is not self.vs.lookup(a, b)

    def __str__(self) -> str:
        return self.to_text(color=False)

    def __repr__(self) -> str:
        against = f" against {self.vs.name!r}" if self.vs else ""
        return f"<table of {self.system.name!r}{against}: {len(self.nodes)} types>"

    def to_text(self, *, color: bool | None = None) -> str:
        """Return an aligned matrix of short codes, in which ``-`` is an error.

        Parameters
        ----------
        color : bool, optional
            Whether to colour it for a terminal. Without colour, cells that differ from the second system end in ``!``.
            Default: True if the output is a terminal and ``NO_COLOR`` is not set.

        Returns
        -------
        str
            The table.
        """
        if color is None:
            color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        mark = "" if color else "!"
        cells = [[self._cell(a, b) + (mark if self._differs(a, b) else "") for b in self.nodes] for a in self.nodes]
        width = max([len(node.code) for node in self.nodes] + [len(cell) for row in cells for cell in row], default=0)
        codes = [node.code.ljust(width) for node in self.nodes]
        lines = [(" " * max(map(len, codes), default=0) + "  " + " ".join(codes)).rstrip()]
        if color:
            lines[0] = f"{_BOLD}{lines[0]}{_END}"
        for a, code, row in zip(self.nodes, codes, cells, strict=True):
            padded = [cell.ljust(width) for cell in row]
            if color:
                padded = [self._colored(a, b, cell) for b, cell in zip(self.nodes, padded, strict=True)]
            head = f"{_BOLD}{code}{_END}" if color else code
            lines.append(f"{head}  {' '.join(padded)}".rstrip())
        if self.vs is not None:
            sign = f"{_GREEN}green{_END}" if color else "!"
            lines.append(f"{sign} differs from {self.vs.name}")
        return "\n".join(lines)

    def legend(self) -> str:
        """Return what the short codes mean, in lines of up to 100 characters."""
        results = [common for a in self.nodes for b in self.nodes if (common := self.system.lookup(a, b)) is not None]
        entries = [f"{node.code} {node.name}" for node in dict.fromkeys((*self.nodes, *results)) if node.code != node.name]
        weak = ["* is weak, as Python scalars are"] if any(node.weak for node in self.nodes) else []
        error = ["- is an error"] if len(results) < len(self.nodes) ** 2 else []
        return fill(", ".join([*entries, *weak, *error]).replace(" ", "\0").replace(",\0", ", "), 100).replace("\0", " ")

    def _cell(self, a: Node, b: Node) -> str:
        common = self.system.lookup(a, b)
        return "-" if common is None else common.code

    def _colored(self, a: Node, b: Node, text: str) -> str:
        if self._differs(a, b):
            return f"{_GREEN}{text}{_END}"
        return f"{_GREY}{text}{_END}" if self.system.lookup(a, b) is None else text

    def to_html(self) -> str:
        """Return an HTML table that is readable on light and dark pages."""
        head = "".join(f"<th{_weak(node)} title='{escape(node.name)}'>{escape(node.code)}</th>" for node in self.nodes)
        against = f", highlighted where it differs from {escape(self.vs.name)}" if self.vs else ""
        lines = [
            f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>",
            "<table class='supremum-table'>",
            f"<caption>{escape(self.system.name)}: {escape(self.system.data.title)}{against}</caption>",
            f"<tr><th></th>{head}</tr>",
        ]
        for a in self.nodes:
            cells = "".join(self._html_cell(a, b) for b in self.nodes)
            lines.append(f"<tr><th{_weak(a)} title='{escape(a.name)}'>{escape(a.code)}</th>{cells}</tr>")
        return "\n".join([*lines, "</table>"])

    def _html_cell(self, a: Node, b: Node) -> str:
        common = self.system.lookup(a, b)
        title = f"{a} + {b}: {common or 'error'}"
        classes = ["error"] if common is None else ["weak"] if common.weak else []
        if self.vs is not None and self._differs(a, b):
            classes.append("differs")
            title += f" ({self.vs.name}: {self.vs.lookup(a, b) or 'error'})"
        style = f" class='{' '.join(classes)}'" if classes else ""
        return f"<td{style} title='{escape(title)}'>{'–' if common is None else escape(common.code)}</td>"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.to_html()}</div>'

    def to_json(self) -> str:
        """Return a JSON object with the names of types and results, where ``null`` is an error."""
        data = self.system.data
        found: dict[str, object] = {
            "system": self.system.name,
            **{name: getattr(data, name) for name in ("title", "package", "version", "date", "notes")},
            "types": [node.name for node in self.nodes],
            "table": {a.name: {b.name: _name(self.system.lookup(a, b)) for b in self.nodes} for a in self.nodes},
        }
        if self.vs is not None:
            pairs = [(a, b) for a in self.nodes for b in self.nodes if self._differs(a, b)]
            found["vs"] = self.vs.name
            found["differs"] = [[a.name, b.name, _name(self.vs.lookup(a, b))] for a, b in pairs]
        return json.dumps(found, indent=1)

    def to_csv(self) -> str:
        """Return the names as comma-separated values; an empty cell is an error."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["", *(node.name for node in self.nodes)])
        for a in self.nodes:
            writer.writerow([a.name, *(_name(self.system.lookup(a, b)) or "" for b in self.nodes)])
        return out.getvalue()


def _name(node: Node | None) -> str | None:
    return None if node is None else node.name


def _weak(node: Node) -> str:
    return " class='weak'" if node.weak else ""


def lines_of_systems(systems: Mapping[str, Promoting]) -> str:
    """Return a line for each system: its name, the number of its types, its form, its source and its title."""
    rows = []
    for name, system in systems.items():
        data = system.data
        same = "" if system.name == name else f"the same as {system.name}: "
        form = "lattice" if system.lattice else "table"
        rows.append((name, f"{len(system.nodes)} types", form, f"{data.package} {data.version}", same + data.title))
    return "\n".join(aligned(rows))
