"""Two promotion systems side by side, and casting as document 004 has it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from supremum._base.boundary import publish
from supremum._base.errors import named
from supremum.promotion._errors import TypePromotionError
from supremum.promotion._nodes import Node, as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion.systems import SYSTEMS

__all__ = ["Comparison", "Difference", "as_system", "compare", "implicit_cast_type"]


def as_system(spec: str | PromotionSystem) -> PromotionSystem:
    """Give the promotion system of a name, or the system itself."""
    return spec if isinstance(spec, PromotionSystem) else SYSTEMS[spec]


class Difference(NamedTuple):
    """A pair of types that two systems treat differently; None is an error."""

    a: Node
    b: Node
    first: Node | None
    second: Node | None


class Comparison:
    """Where two promotion systems differ, among the types that both have.

    Attributes
    ----------
    first, second : PromotionSystem
        The systems.
    differences : tuple of Difference
        The cells that differ. A pair is listed once where both orders differ alike.
    only_first, only_second : tuple of Node
        The types that only one of them has.
    """

    __slots__ = ("differences", "first", "only_first", "only_second", "second", "shared")

    def __init__(self, first: PromotionSystem, second: PromotionSystem) -> None:
        self.first: PromotionSystem = first
        self.second: PromotionSystem = second
        self.shared: tuple[Node, ...] = tuple(node for node in first.nodes if node in second)
        self.only_first: tuple[Node, ...] = tuple(node for node in first.nodes if node not in second)
        self.only_second: tuple[Node, ...] = tuple(node for node in second.nodes if node not in first)
        found: dict[tuple[Node, Node], Difference] = {}
        for a, b in product(self.shared, repeat=2):
            ours, theirs = first.lookup(a, b), second.lookup(a, b)
            if ours is not theirs and found.get((b, a), ())[2:] != (ours, theirs):
                found[a, b] = Difference(a, b, ours, theirs)
        self.differences: tuple[Difference, ...] = tuple(found.values())

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.differences)

    def __len__(self) -> int:
        return len(self.differences)

    def __str__(self) -> str:
        one, two = self.first.name, self.second.name
        pairs = len(self.shared) * (len(self.shared) + 1) // 2
        lines = [f"{one} and {two} differ in {len(self)} of the {pairs} pairs of the {len(self.shared)} types both have"]
        width = max([len(f"{d.a} + {d.b}") for d in self], default=0)
        middle = max([len(one), *(len(_say(d.first)) for d in self)])
        if self.differences:
            lines.append(f"  {'':{width}}  {one:{middle}}  {two}")
        lines += [f"  {f'{d.a} + {d.b}':{width}}  {_say(d.first):{middle}}  {_say(d.second)}" for d in self]
        for name, only in ((one, self.only_first), (two, self.only_second)):
            if only:
                lines.append(f"only {name} has {', '.join(node.name for node in only)}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<comparison of {self.first.name!r} and {self.second.name!r}: {len(self)} differences>"

    def table(self) -> Any:
        """Give the first system's table with the cells that differ highlighted; it prints and renders."""
        return self.first.table(vs=self.second, nodes=self.shared)

    def _repr_html_(self) -> str:
        return str(self.table().to_html())


def _say(node: Node | None) -> str:
    return "error" if node is None else node.name


def compare(first: str | PromotionSystem, second: str | PromotionSystem) -> Comparison:
    """Find the pairs of types that two promotion systems treat differently.

    Parameters
    ----------
    first, second : str or PromotionSystem
        The systems.

    Returns
    -------
    Comparison
        Iterates over the differences, prints as a list, and displays as a highlighted table.

    Examples
    --------
    >>> print(compare("jax", "jax_x32"))
    jax and jax_x32 differ in 3 of the ... pairs of the ... types both have
                      jax    jax_x32
      uint32 + int8   int64  int32
      uint32 + int16  int64  int32
      uint32 + int32  int64  int32
    """
    return Comparison(as_system(first), as_system(second))


def implicit_cast_type(a: object, b: object, *, system: str | PromotionSystem = "jax") -> Node:
    """Give the smallest type that both operands may be promoted to.

    Parameters
    ----------
    a, b
        Names, dtypes, nodes, or Python scalar types.
    system : str or PromotionSystem
        Whose rules.

    Returns
    -------
    Node
        The type; its ``str()`` is its name, and its ``dtype`` is what a buffer of it has, if it can have one.

    Raises
    ------
    TypePromotionError
        If one of them takes no part in promotion, or there is no such type.

    Examples
    --------
    >>> str(implicit_cast_type("int16", "float32", system="max_graph"))
    'float32'
    """
    try:
        return as_system(system).promote(as_node(a), as_node(b))
    except TypePromotionError as error:
        raise named(error, "implicit_cast_type") from None


publish(__name__, without=("as_system",))
