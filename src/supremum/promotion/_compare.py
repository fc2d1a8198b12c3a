"""Comparison of two promotion systems, and the common type of two operands (MAX's implicit cast, document 004)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

from supremum._base import html
from supremum._base.boundary import public
from supremum._base.exceptions import TypePromotionError, with_function_name
from supremum._base.tables import aligned
from supremum.promotion._nodes import COMMON, Node, as_node
from supremum.promotion._system import PromotionSystem
from supremum.promotion._typing import NodeLike
from supremum.promotion.systems import SYSTEMS

if TYPE_CHECKING:
    from supremum.promotion._render import Table


def as_system(spec: str | PromotionSystem) -> PromotionSystem:
    """Return the promotion system of a name; a system is returned as it is."""
    return spec if isinstance(spec, PromotionSystem) else SYSTEMS[spec]


@public
class Difference(NamedTuple):
    """A pair of types that two systems promote differently; None means an error."""

    a: Node
    b: Node
    first: Node | None
    second: Node | None


@public
class Comparison:
    """The differences of two promotion systems, among the types that both have.

    Attributes
    ----------
    first, second : PromotionSystem
        The systems.
    differences : tuple of Difference
        The cells that differ. A pair is listed once if both orders differ alike.
    only_first, only_second : tuple of Node
        The types that only one of them has.
    """

    __slots__ = ("differences", "first", "only_first", "only_second", "second", "shared")

    def __init__(self, first: PromotionSystem, second: PromotionSystem, only: Container[str] | None = None) -> None:
        self.first: PromotionSystem = first
        self.second: PromotionSystem = second
        mine, beyond = (
            [node for node in one.nodes if only is None or node.weak or node.name in only] for one in (first, second)
        )
        self.shared: tuple[Node, ...] = tuple(node for node in mine if node in second)
        self.only_first: tuple[Node, ...] = tuple(node for node in mine if node not in second)
        self.only_second: tuple[Node, ...] = tuple(node for node in beyond if node not in first)
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
        if self.differences:
            lines += [f"  {line}" for line in aligned([("", one, two), *self._rows()])]
        for name, only in ((one, self.only_first), (two, self.only_second)):
            if only:
                lines.append(f"only {name} has {', '.join(node.name for node in only)}")
        return "\n".join(lines)

    def _rows(self) -> list[tuple[str, str, str]]:
        return [(f"{d.a} + {d.b}", _text(d.first), _text(d.second)) for d in self]

    def __repr__(self) -> str:
        return f"<comparison of {self.first.name!r} and {self.second.name!r}: {len(self)} differences>"

    def table(self) -> Table:
        """Return the first system's table with highlighted differences."""
        return self.first.table(vs=self.second, nodes=self.shared)

    def _repr_html_(self) -> str:
        summary, *_ = str(self).splitlines()
        listed = html.table(self._rows(), ("", self.first.name, self.second.name))
        folded = [("pairs", listed), ("table", self.table()._repr_html_())]
        parts = [f"<details><summary>{name}</summary>{body}</details>" for name, body in folded]
        return f"<p>{summary}</p>{''.join(parts)}"


def _text(node: Node | None) -> str:
    return "error" if node is None else node.name


@public
def compare(
    first: str | PromotionSystem, second: str | PromotionSystem, *, nodes: Literal["common"] | None = None
) -> Comparison:
    """Find the pairs of types that two promotion systems promote differently.

    Parameters
    ----------
    first, second : str or PromotionSystem
        The systems, or their names.
    nodes : "common", optional
        Leave out the narrow types. Default: all types.

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
    return Comparison(as_system(first), as_system(second), None if nodes is None else frozenset(COMMON))


@public
def implicit_cast_type(a: NodeLike, b: NodeLike, *, system: str | PromotionSystem = "jax") -> Node:
    """Return the least type that both operands may be promoted to.

    Parameters
    ----------
    a, b : str, dtype, type, or Node
        Names, dtypes, nodes, or Python scalar types.
    system : str or PromotionSystem, optional
        The promotion system.

    Returns
    -------
    Node
        The type; its ``str()`` is its name, its ``dtype`` the NumPy dtype, or None if no NumPy dtype exists.

    Raises
    ------
    TypePromotionError
        If one of them does not promote in the system, or they have no common type.

    Examples
    --------
    >>> str(implicit_cast_type("int16", "float32", system="max_graph"))
    'float32'
    """
    try:
        return as_system(system).promote(as_node(a), as_node(b))
    except TypePromotionError as error:
        raise with_function_name(error, "implicit_cast_type") from None
