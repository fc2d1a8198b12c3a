"""What functions of a system make of one operand: data beside its table, by the role of a function or by its name.

Without them a function's own rule holds, which is JAX's: ``sin`` of int8 computes in float32. A rule of a system says what an
operand becomes before that, for example float16: then the function's own rule leaves it so. The roles of functions are named
by the tables of rules and, for functions without a row, by `supremum._core.roles`.

A rule is a text of cases, of which the first that fits counts: ``"b iu8: float16, iu16: float32, iu: float64"``. A case has
dtypes by name, or by the letters of their kinds (b, i, u, f, c) with the greatest width if there is one; ``*`` is all. A rule
that begins with ``same`` has the function compute in the operand's own dtype; one that begins with ``each`` holds for each of
two operands before they meet, if NumPy knows both dtypes, else for what they meet at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from supremum.promotion._nodes import ABSENT, NODES, Node

__all__ = ["Roles", "Rule"]

_KINDS: Final = frozenset("biufc")


class Rule:
    """One parsed rule.

    Attributes
    ----------
    text : str
        The rule as it is written.
    same : bool
        Whether the function computes in the dtype of its operand.
    each : bool
        Whether operands become another dtype before they meet.
    """

    __slots__ = ("_cases", "_found", "each", "same", "text")

    def __init__(self, text: str) -> None:
        self.text: Final = text
        first, _, rest = text.partition(" ")
        self.same: Final = first == "same"
        self.each: Final = first == "each"
        cases = rest if self.same or self.each else text
        self._cases: Final = [
            (pattern, target.strip())
            for case in cases.split(",")
            if case
            for patterns, _, target in [case.partition(":")]
            for pattern in patterns.split()
        ]
        for pattern, target in self._cases:
            if target not in NODES and target not in ABSENT:
                raise ValueError(f"rule {text!r}: {target!r} is no dtype")
            if pattern not in NODES and pattern not in ABSENT and pattern != "*" and not _is_kinds(pattern):
                raise ValueError(f"rule {text!r}: {pattern!r} is neither a dtype nor letters of kinds with a width")
        self._found: Final[dict[Node, Node]] = {}

    def follow(self, node: Node) -> Node:
        """Return what a node becomes; weak ones stay weak."""
        found = self._found.get(node)
        if found is None:
            found = self._found[node] = self._look_up(node)
        return found

    def _look_up(self, node: Node) -> Node:
        for pattern, target in self._cases:
            if pattern in ("*", node.strong.name) or _fits(pattern, node):
                strong = NODES.get(target)
                if strong is not None:
                    return strong.weak_form if node.weak else strong
        return node


def _is_kinds(pattern: str) -> bool:
    letters = pattern.rstrip("0123456789")
    return bool(letters) and _KINDS.issuperset(letters)


def _fits(pattern: str, node: Node) -> bool:
    """Return whether a node is of the kinds of a pattern, and no wider than it says."""
    if pattern in NODES or not _is_kinds(pattern):
        return False
    letters = pattern.rstrip("0123456789")
    width = pattern[len(letters) :]
    return node.kind in letters and (not width or node.kind == "b" or node.bits <= int(width))


class Roles:
    """The rules of a system: what operands become, and what dtypes of results are given as.

    Parameters
    ----------
    operands, results : mapping of str to str
        Rules by the names of functions and of roles.
    """

    __slots__ = ("_operands", "_results")

    def __init__(self, operands: Mapping[str, str], results: Mapping[str, str]) -> None:
        rules = {text: Rule(text) for text in (*operands.values(), *results.values())}
        self._operands: Final = {name: rules[text] for name, text in operands.items()}
        self._results: Final = {name: rules[text] for name, text in results.items()}

    def operand_rule(self, function: str, role: str) -> Rule | None:
        """Return the rule for operands of a function: its own, or that of its role."""
        return self._operands.get(function) or self._operands.get(role)

    def result_rule(self, function: str, role: str) -> Rule | None:
        """Return the rule for results of a function: its own, or that of its role."""
        return self._results.get(function) or self._results.get(role)
