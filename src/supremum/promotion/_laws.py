"""The laws of promotion: which ones a system satisfies, with counterexamples for the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from supremum._base import html
from supremum.promotion._nodes import COMMON, Node
from supremum.promotion._typing import Promoting

_KINDS = "biufc?"
# Types that break a law, and a sentence that says how.
_Case = tuple[tuple[Node, ...], str]


class Law(NamedTuple):
    """One law, and whether a system satisfies it."""

    name: str
    #: The law as a sentence.
    statement: str
    #: The number of pairs or triples that break it.
    broken: int
    #: The simplest counterexample, as a sentence; empty if the law holds.
    counterexample: str
    #: All counterexamples, as tuples of names.
    cases: tuple[tuple[str, ...], ...]

    @property
    def holds(self) -> bool:
        """Whether the law has no counterexample."""
        return not self.broken


class LawReport:
    """The laws of a promotion system; prints as a table, and each law is an attribute.

    Attributes
    ----------
    existence, idempotence, commutativity, associativity, grouping, monotonicity : Law
        Every pair has a result; a type with itself is itself; the order does not matter; the grouping does not matter if
        both groupings have a result; if one grouping has a result, so has the other; if a promotes to b, then a + c promotes
        to b + c.
    """

    __slots__ = ("associativity", "commutativity", "existence", "grouping", "idempotence", "monotonicity", "system")

    def __init__(self, system: str, laws: dict[str, Law]) -> None:
        self.system: str = system
        self.existence: Law = laws["existence"]
        self.idempotence: Law = laws["idempotence"]
        self.commutativity: Law = laws["commutativity"]
        self.associativity: Law = laws["associativity"]
        self.grouping: Law = laws["grouping"]
        self.monotonicity: Law = laws["monotonicity"]

    def __iter__(self) -> Iterator[Law]:
        return iter(
            (self.existence, self.idempotence, self.commutativity, self.associativity, self.grouping, self.monotonicity)
        )

    def __str__(self) -> str:
        lines = [f"laws of {self.system}"]
        for law in self:
            lines.append(f"  {'holds ' if law.holds else 'BROKEN'}  {law.name:13}  {law.statement}")
            if not law.holds:
                lines.append(f"{'':10}{law.counterexample}{f' ({law.broken} cases)' if law.broken > 1 else ''}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [("holds" if law.holds else "BROKEN", law.name, law.statement, law.counterexample or "") for law in self]
        return html.table(rows, ("", "law", "", "counterexample"), caption=f"laws of {self.system}")

    def __repr__(self) -> str:
        broken = [law.name for law in self if not law.holds]
        return f"<laws of {self.system!r}: {'broken: ' + ', '.join(broken) if broken else 'all hold'}>"


def _simplicity(nodes: tuple[Node, ...]) -> tuple[object, ...]:
    # Common types come first.
    rare = sum(node.name not in COMMON for node in nodes)
    return rare, sum(node.bits for node in nodes), tuple(_KINDS.index(node.kind) for node in nodes)


def _law(name: str, statement: str, cases: list[_Case]) -> Law:
    simplest = min(cases, key=lambda case: _simplicity(case[0]))[1] if cases else ""
    return Law(name, statement, len(cases), simplest, tuple(tuple(node.name for node in nodes) for nodes, _ in cases))


def check_laws(system: Promoting) -> LawReport:
    """Check the laws on all pairs and triples of a system's types."""
    nodes = system.nodes
    number: dict[Node | None, int] = {node: i for i, node in enumerate(nodes)}
    # Rows and columns are numbers of nodes; -1 means an error.
    table = [[number.get(system.lookup(a, b), -1) for b in nodes] for a in nodes]
    every = range(len(nodes))

    def name(i: int) -> str:
        return "an error" if i < 0 else nodes[i].name

    missing: list[_Case] = []
    unstable: list[_Case] = []
    unordered: list[_Case] = []
    regrouped: list[_Case] = []
    one_sided: list[_Case] = []
    shrinking: list[_Case] = []
    for i, j in product(every, repeat=2):
        a, b, common, row, other = nodes[i], nodes[j], table[i][j], table[i], table[j]
        if common < 0:
            missing.append(((a, b), f"{a} + {b} is an error"))
        if i == j != common:
            unstable.append(((a,), f"{a} + {a} is {name(common)}"))
        if common != other[i]:
            unordered.append(((a, b), f"{a} + {b} is {name(common)}, but {b} + {a} is {name(other[i])}"))
        first = table[common] if common >= 0 else [-1] * len(nodes)
        for k, c in enumerate(nodes):
            left, right = first[k], row[other[k]] if other[k] >= 0 else -1
            if left != right:
                text = f"({a} + {b}) + {c} is {name(left)}, but {a} + ({b} + {c}) is {name(right)}"
                (one_sided if min(left, right) < 0 else regrouped).append(((a, b, c), text))
            if common == j and row[k] >= 0 and other[k] >= 0 and table[row[k]][other[k]] != other[k]:
                text = f"{a} becomes {b}, but {a} + {c} is {name(row[k])}, which does not become {b} + {c}, {name(other[k])}"
                shrinking.append(((a, b, c), text))
    laws = [
        _law("existence", "every two types have a result", missing),
        _law("idempotence", "a type with itself is itself", unstable),
        _law("commutativity", "a + b is b + a", unordered),
        _law("associativity", "(a + b) + c is a + (b + c) where both have a result", regrouped),
        _law("grouping", "if (a + b) + c has a result, a + (b + c) has one", one_sided),
        _law("monotonicity", "if a becomes b, a + c becomes b + c", shrinking),
    ]
    return LawReport(system.name, {law.name: law for law in laws})
