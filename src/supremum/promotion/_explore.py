"""The explorer: one HTML page on promotion systems, without a server or a network.

The page is `_explore.html` with `_explore.css`, `_explore_model.js` and `_explore_views.js` in it, and data as JSON, which
this module takes from the systems themselves: their tables, lattices, drawings, hazards and errors. The results of functions
need arrays, so a higher module finds them and passes them on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

from supremum._version import __version__
from supremum.promotion._drawing import layout
from supremum.promotion._explain import hazards_of
from supremum.promotion._lattice import Lattice
from supremum.promotion._nodes import COMMON, NODES, WEAK, Node, as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS

_HERE: Final = Path(__file__).parent
#: The hazards of one operand; those of a result as a whole depend on the other operands too.
_OF_OPERAND: Final = frozenset(("component", "magnitude", "precision"))


class Texts:
    """Texts and other values that occur many times, each stored once and known by its position."""

    def __init__(self) -> None:
        self._positions: dict[Any, int] = {}

    def position(self, value: Any) -> int:
        """Return the position of a hashable value, which is added if it is new."""
        return self._positions.setdefault(value, len(self._positions))

    def values(self) -> list[Any]:
        """Return the values in the order of their positions."""
        return list(self._positions)


def explorer_page(functions: Mapping[str, Any]) -> str:
    """Return the page as HTML; `functions` are the results of functions, as `supremum._cli.exploring` finds them."""
    data = {"version": __version__, **systems_data(), "functions": functions}
    # In a script element nothing but "</script" and "<!--" would end or change the text.
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    script = _read("_explore_model.js") + "\n" + _read("_explore_views.js")
    parts = {"version": escape(__version__), "style": _read("_explore.css"), "script": script, "data": text}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _read("_explore.html"))


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def system_names() -> dict[str, list[str]]:
    """Return the name of each system with its other names."""
    names: dict[str, list[str]] = {}
    for name, system in SYSTEMS.items():
        names.setdefault(system.name, []).extend([name] if name != system.name else [])
    return names


def _types() -> list[Node]:
    """Return every type of every system, those of arrays first."""
    found = dict.fromkeys((*NODES.values(), *WEAK.values()))
    for name in system_names():
        found |= dict.fromkeys(SYSTEMS[name].nodes)
    return list(found)


def systems_data() -> dict[str, Any]:
    """Return the types, the systems with their tables and lattices, and the hazards of casts, as plain data."""
    types = _types()
    place = {node: i for i, node in enumerate(types)}
    hazards = Texts()
    return {
        "types": [
            {name: getattr(node, name) for name in ("name", "code", "kind", "bits", "weak")}
            | {"common": node.name in COMMON or node.name not in NODES}
            for node in types
        ],
        "systems": [_system(SYSTEMS[name], others, place, hazards) for name, others in system_names().items()],
        "hazards": hazards.values(),
    }


def _system(system: PromotionSystem, others: list[str], place: dict[Node, int], hazards: Texts) -> dict[str, Any]:
    data, refusals = system.data, Texts()
    cells = [[_cell(system, a, b, place, refusals) for b in system.nodes] for a in system.nodes]
    return {
        "name": system.name,
        "others": others,
        "source": f"{data.package} {data.version}".strip(),
        **{name: getattr(data, name) for name in ("title", "date", "notes", "scalars")},
        "types": [place[node] for node in system.nodes],
        # The types that others represent, such as int64* for int*.
        "own": {place[node]: place[own] for node in place if (own := system.own_node(node)) is not None and own is not node},
        # A cell is the position of a type, or for an error -1 minus the position of its text in `refusals`.
        "cells": cells,
        "refusals": refusals.values(),
        "hazards": _hazards(system, place, hazards),
        "broken": _broken_law(system),
        "layouts": None if system.lattice is None else _layouts(system.lattice, place),
    }


def _cell(system: PromotionSystem, a: Node, b: Node, place: dict[Node, int], refusals: Texts) -> int:
    common = system.lookup(a, b)
    if common is not None:
        return place[common]
    text = str(system.error(a, b))
    reason = text[text.index(": ", text.index("Promotion system ")) + 2 :]
    return -1 - refusals.position(template_of(reason, a=a.name, b=b.name))


def template_of(text: str, **words: str) -> str:
    """Return a text with words replaced by their names in braces, so that it is the same for many types."""
    for name, word in words.items():
        text = re.sub(rf"(?<![\w.*]){re.escape(word)}(?![\w*])", f"{{{name}}}", text)
    return text


def _hazards(system: PromotionSystem, place: dict[Node, int], hazards: Texts) -> dict[str, list[int]]:
    """Return the hazards of the casts that a system makes, by the positions of operand and result."""
    found = {}
    for a in system.nodes:
        for result in dict.fromkeys(system.lookup(a, b) for b in system.nodes):
            if a.dtype is None or result is None:
                continue
            texts = [
                f"{hazard.kind}: {hazard.text}" for hazard in hazards_of((a,), result, system) if hazard.kind in _OF_OPERAND
            ]
            if texts:
                found[f"{place[a]} {place[result]}"] = [hazards.position(text) for text in texts]
    return found


def _broken_law(system: PromotionSystem) -> str:
    """Return a counterexample of associativity or of another law, for systems that are no lattices."""
    if system.lattice is not None:
        return ""
    laws = system.laws()
    broken = next((law for law in (laws.associativity, laws.monotonicity, *laws) if not law.holds), None)
    return "" if broken is None else str(broken.counterexample)


def _layouts(lattice: Lattice[str], place: dict[Node, int]) -> dict[str, Any]:
    """Return the drawings of the whole lattice and of its common types."""
    common = [name for name in lattice.nodes if name in COMMON or name not in NODES]
    return {"all": _layout(lattice, place), "common": _layout(lattice.restricted(common), place)}


def _layout(lattice: Lattice[str], place: dict[Node, int]) -> dict[str, Any]:
    """Return where boxes and the turns of edges are: how high, and in which place of that height; the page draws them."""
    spots, _, chains = layout(lattice)
    return {
        "boxes": [[place[as_node(spot.name)], spot.column, round(spot.y, 1)] for spot in spots.values()],
        "edges": [
            [place[as_node(low)], place[as_node(high)], [[spot.column, round(spot.y, 1)] for spot in chain]]
            for (low, high), chain in chains.items()
        ],
    }
