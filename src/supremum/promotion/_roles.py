"""What functions of a system make of one operand: data besides its table, by the role of a function or by its name.

Without them a function's own rule holds, which is JAX's: ``sin`` of int8 computes in float32. A rule of a system says what an
operand becomes before that, for example float16: then the function's own rule leaves it so. The roles of functions are named
by the tables of rules and, for functions without a row, by `supremum._core.roles`.

A rule is a text of cases, of which the first that fits counts: ``"b iu8: float16, iu16: float32, iu: float64"``. A case has
dtypes by name, or by the letters of their kinds (b, i, u, f, c) with the greatest width if there is one; ``*`` is all. The
first word of a rule may say what the cases are of:

* ``same``: the function computes in the operand's own dtype, or in what the cases make of it;
* ``each``: each of two operands becomes another dtype before they promote, if NumPy knows both dtypes;
* ``join``: all operands become what the cases make of the dtype to which they promote;
* ``elementwise``: as ``join``, where operands promote by the system's variant of its table for such functions;
* ``first``: as ``each``, for all dtypes;
* ``alike``: as ``join``, if all operands have one dtype;
* ``of``, for results: the cases are of the dtype to which the operands promote, and ``own`` is that dtype.

Rules for several results are separated by semicolons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from supremum.promotion._nodes import ABSENT, NODES, Node

#: What the kinds of rules, by their attributes, say of several operands.
_WHEN: Final = {
    "each": ", each operand before they promote",
    "first": ", each operand before they promote",
    "elementwise": ", and operands promote by the system's table for such functions",
    "alike": ", if all operands have one dtype",
    "join": ", where this is the dtype to which operands promote",
}
_KIND_WORDS: Final = {"b": "bool", "i": "signed integers", "u": "unsigned integers", "f": "floats", "c": "complex numbers"}
_PREFIXES: Final = frozenset({"same", "each", "first", "join", "elementwise", "alike", "of"})


class Rule:
    """One parsed rule.

    Parameters
    ----------
    text : str
        The rule as it is written.
    truncate : callable, optional
        Returns the node that replaces one of a rule's dtypes, if the settings do not have them all.

    Attributes
    ----------
    text : str
        The rule as it is written.
    same : bool
        Whether the function computes in the dtype of its operand.
    each : bool
        Whether operands become another dtype before they promote.
    join, alike : bool
        Whether operands become what the cases make of the dtype to which they promote; and only if they have one dtype.
    elementwise : bool
        Whether operands promote by the variant "function" or "ufunc" of the system's table.
    first : bool
        Whether operands become another dtype before they promote, whatever they are.
    of : bool
        Whether the cases are of the operands, where the rule is one for results.
    """

    __slots__ = ("_cases", "_found", "_truncate", "alike", "each", "elementwise", "first", "join", "of", "same", "text")

    def __init__(self, text: str, truncate: Callable[[Node], Node] | None = None) -> None:
        self.text: Final = text
        self._truncate: Final = truncate
        first, _, rest = text.partition(" ")
        self.same: Final = first == "same"
        self.each: Final = first == "each"
        self.first: Final = first == "first"
        self.alike: Final = first == "alike"
        self.elementwise: Final = first == "elementwise"
        self.join: Final = first == "join" or self.alike or self.elementwise
        self.of: Final = first == "of"
        cases = rest if first in _PREFIXES else text
        self._cases: Final = [
            (pattern, target.strip())
            for case in cases.split(",")
            if case
            for patterns, _, target in [case.partition(":")]
            for pattern in patterns.split()
        ]
        for pattern, target in self._cases:
            if target not in NODES and target not in ABSENT and not (self.of and target == "own"):
                raise ValueError(f"rule {text!r}: {target!r} is no dtype")
            if pattern not in NODES and pattern not in ABSENT and pattern != "*" and not _is_kinds(pattern):
                raise ValueError(f"rule {text!r}: {pattern!r} is neither a dtype nor letters of kinds with a width")
        self._found: Final[dict[Node, Node | None]] = {}

    @property
    def words(self) -> str:
        """The rule as a sentence, such as "bool and integers become float64"; empty if it says nothing."""
        clauses, seen = [], ""
        for target, group in groupby(self._cases, key=itemgetter(1)):
            patterns = [pattern for pattern, _ in group]
            words = [word for pattern in patterns for word in _words_of(pattern, seen)]
            seen += "".join(pattern for pattern in patterns if pattern not in NODES)
            singular = len(words) == 1 and words[0] in NODES
            own = "its own dtype" if singular else "their own dtype"
            verb = ("gives" if singular else "give") if self.of else ("becomes" if singular else "become")
            clauses.append(f"{_listed(words)} {verb} {own if target == 'own' else target}")
        if self.same:
            own = "computed in their own dtype"
            clauses.append(f"all others are {own}" if clauses else f"operands are {own}")
        when = next((words for kind, words in _WHEN.items() if getattr(self, kind)), "")
        return f"{'; '.join(clauses) or 'no dtype is changed'}{when}" if clauses or when else ""

    def follow(self, node: Node) -> Node:
        """Return what a node becomes; weak ones stay weak."""
        return self.case(node) or node

    def case(self, node: Node) -> Node | None:
        """Return what the first case that fits makes of a node; None if none fits."""
        if node not in self._found:
            self._found[node] = self._look_up(node)
        return self._found[node]

    def result(self, result: Node, common: Node | None) -> Node:
        """Return what a rule for results makes of one; `common` is the node to which the operands promote, if they do."""
        if not self.of:
            return self.follow(result)
        return result if common is None else self.case(common) or result

    def _look_up(self, node: Node) -> Node | None:
        for pattern, target in self._cases:
            if pattern in ("*", node.strong.name) or _fits(pattern, node):
                strong = node.strong if target == "own" else NODES.get(target)
                if strong is not None:
                    target_node = strong.weak_form if node.weak else strong
                    return target_node if self._truncate is None else self._truncate(target_node)
        return None


def _words_of(pattern: str, seen: str) -> list[str]:
    """Return the types that a pattern represents, in words; earlier patterns have the kinds in `seen`."""
    letters = pattern.rstrip("0123456789")
    if pattern == "*" or pattern in NODES or not _is_kinds(pattern):
        return ["all types" if pattern == "*" else pattern]
    width = pattern[len(letters) :]
    kinds = [_KIND_WORDS[letter] for letter in letters]
    if {"i", "u"} <= set(letters):
        kinds = [*(kind for kind in kinds if "integers" not in kind), "integers"]
    if not width and "iu" in letters and "iu" in seen:
        return [f"other {kind}" if kind == "integers" else kind for kind in kinds]
    return [f"{kind} of up to {width} bits" if width and kind != "bool" else kind for kind in kinds]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _is_kinds(pattern: str) -> bool:
    letters = pattern.rstrip("0123456789")
    return bool(letters) and _KIND_WORDS.keys() >= set(letters)


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
    truncate : callable, optional
        As of `Rule`.
    """

    __slots__ = ("_operands", "_results")

    def __init__(
        self, operands: Mapping[str, str], results: Mapping[str, str], truncate: Callable[[Node], Node] | None = None
    ) -> None:
        rules = {text: Rule(text, truncate) for text in operands.values()}
        several = {text: tuple(Rule(one.strip(), truncate) for one in text.split(";")) for text in results.values()}
        self._operands: Final = {name: rules[text] for name, text in operands.items()}
        self._results: Final = {name: several[text] for name, text in results.items()}

    def operand_rule(self, function: str, role: str) -> Rule | None:
        """Return the rule for operands of a function: its own, or that of its role."""
        return self._operands.get(function) or self._operands.get(role)

    def result_rules(self, function: str, role: str) -> tuple[Rule, ...]:
        """Return the rules for results of a function, one for all or one for each: its own, or those of its role."""
        return self._results.get(function) or self._results.get(role) or ()
