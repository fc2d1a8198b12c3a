"""Lattices: the join (least upper bound) of any nodes of a directed acyclic graph.

An edge ``a -> b`` means that a may be promoted to b. The upper set of each node is kept as a bit mask, and no two nodes of an
acyclic graph have the same one. The common upper bounds of two nodes are the intersection of their masks, so their join is the
node, if any, whose own mask is that intersection: one lookup, without a search and without ties.

Associativity needs no check of its own. If every pair with upper bounds has a least one, ``(a + b) + c`` and ``a + (b + c)``
are both the least upper bound of the three, or both missing. If a pair has two minimal upper bounds ``x`` and ``y`` instead,
``(a + b) + x`` is missing but ``a + (b + x)`` is ``x``. So joins are associative if and only if least upper bounds are unique.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from supremum._base.boundary import name_errors, public

if TYPE_CHECKING:
    from matplotlib.axes import Axes

T = TypeVar("T", bound=Hashable)

_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@public
@name_errors
class Lattice(Generic[T]):
    """The joins of a directed acyclic graph; its laws are proven on construction.

    Parameters
    ----------
    edges : mapping of node to iterable of node
        The nodes directly above each node. Nodes are any hashable objects; a node without edges need not be a key.
    partial : bool, optional
        Whether pairs without any upper bound are allowed. They have no join.
    unlawful : bool, optional
        Whether pairs with several minimal upper bounds are allowed too. They have no join either, and ``violations``
        names them.

    Raises
    ------
    LatticeError
        If the graph has a cycle, or a pair of nodes has no join and is not allowed to have none. The message has a
        counterexample for each violated law.

    Examples
    --------
    >>> python = Lattice({"int": ["float"], "float": ["complex"]})
    >>> python.join("int", "complex")
    'complex'
    >>> Lattice({"A": ["C", "D"], "B": ["C", "D"], "C": ["E"], "D": ["E"]})
    Traceback (most recent call last):
    supremum.promotion.LatticeError: A and B have two minimal upper bounds: C, D
    """

    __slots__ = ("_above", "_by_upper", "_covers", "_index", "_upper", "edges", "nodes", "violations")

    def __init__(self, edges: Mapping[T, Iterable[T]], *, partial: bool = False, unlawful: bool = False) -> None:
        self.edges: dict[T, tuple[T, ...]] = {node: tuple(above) for node, above in edges.items()}
        for above in list(self.edges.values()):
            for node in above:
                self.edges.setdefault(node, ())
        self.nodes: tuple[T, ...] = tuple(self.edges)
        self._index: dict[T, int] = {node: i for i, node in enumerate(self.nodes)}
        self._above = [[self._index[node] for node in self.edges[below]] for below in self.nodes]
        self._upper = self._upper_sets()
        self._by_upper = {mask: i for i, mask in enumerate(self._upper)}
        self._covers: dict[T, tuple[T, ...]] | None = None
        unbounded, ambiguous = self._failures()
        self.violations: tuple[str, ...] = (*unbounded[:1], *ambiguous[:1])
        refused = [*(() if partial else unbounded[:1]), *(() if unlawful else ambiguous[:1])]
        if refused:
            raise LatticeError("; ".join(refused), tuple(refused))

    # -- construction ---------------------------------------------------------------------------------------------------

    def _upper_sets(self) -> list[int]:
        """Return the upper set of each node (itself and all above it) as a bit mask; raise if there is a cycle."""
        masks = [0] * len(self.nodes)
        for start in range(len(self.nodes)):
            stack = [(start, iter(self._above[start]))]
            trail = [start]
            while stack and not masks[start]:
                node, remaining = stack[-1]
                above = next(remaining, None)
                if above is None:
                    mask = 1 << node
                    for parent in self._above[node]:
                        mask |= masks[parent]
                    masks[node] = mask
                    stack.pop()
                    trail.pop()
                elif above in trail:
                    cycle = [*trail[trail.index(above) :], above]
                    raise LatticeError("the edges form a cycle: " + " -> ".join(str(self.nodes[i]) for i in cycle))
                elif not masks[above]:
                    stack.append((above, iter(self._above[above])))
                    trail.append(above)
        return masks

    def _failures(self) -> tuple[list[str], list[str]]:
        """Describe the pairs without an upper bound and the pairs with several minimal ones."""
        unbounded: list[tuple[int, int]] = []
        ambiguous: list[tuple[int, int]] = []
        by_upper, upper = self._by_upper, self._upper
        for i, mine in enumerate(upper):
            for j in range(i):
                common = mine & upper[j]
                if common not in by_upper:
                    (ambiguous if common else unbounded).append((j, i))
        return _describe(self, sorted(unbounded)), _describe(self, sorted(ambiguous))

    def _members(self, mask: int) -> list[int]:
        return [i for i in range(len(self.nodes)) if mask >> i & 1]

    def _at(self, node: T) -> int:
        try:
            return self._index[node]
        except (KeyError, TypeError):
            known = ", ".join(map(str, self.nodes))
            raise LatticeError(f"{node!r} is not a node of this lattice, which has {known}") from None

    # -- queries --------------------------------------------------------------------------------------------------------

    def __contains__(self, node: object) -> bool:
        return node in self._index

    def __len__(self) -> int:
        return len(self.nodes)

    def __repr__(self) -> str:
        return f"<Lattice of {len(self.nodes)} nodes{'' if self.is_lattice else ', partial'}>"

    @property
    def is_lattice(self) -> bool:
        """Whether every pair of nodes has a join."""
        return not self.violations

    @property
    def commutative(self) -> bool:
        """Whether joins do not depend on order: always True, as for any intersection of sets."""
        return True

    @property
    def associative(self) -> bool:
        """Whether joins do not depend on grouping, that is, whether each pair with upper bounds has a least one."""
        return all(self.minimal_upper_bounds(a, b)[1:] == () for a in self.nodes for b in self.nodes)

    @property
    def covers(self) -> dict[T, tuple[T, ...]]:
        """The edges of the Hasse diagram: those that no path of other edges implies."""
        if self._covers is None:
            covers = {}  # assigned to the attribute when it is complete, because other threads may read that
            for node, above in zip(self.nodes, self._above, strict=True):
                beyond = 0
                for i in above:
                    beyond |= self._upper[i] & ~(1 << i)
                covers[node] = tuple(self.nodes[i] for i in dict.fromkeys(above) if not beyond >> i & 1)
            self._covers = covers
        return self._covers

    def upper_bounds(self, node: T) -> tuple[T, ...]:
        """Return `node` and all nodes above it: those that it may be promoted to.

        Examples
        --------
        >>> Lattice({"int": ["float"], "float": ["complex"]}).upper_bounds("float")
        ('float', 'complex')
        """
        return tuple(self.nodes[i] for i in self._members(self._upper[self._at(node)]))

    def minimal_upper_bounds(self, *nodes: T) -> tuple[T, ...]:
        """Return the minimal common upper bounds of `nodes`; a single one is their join.

        Examples
        --------
        >>> lattice = Lattice({"A": ["C", "D"], "B": ["C", "D"]}, partial=True, unlawful=True)
        >>> lattice.minimal_upper_bounds("A", "B")
        ('C', 'D')
        """
        members = self._members(self._common(nodes))
        return tuple(self.nodes[i] for i in members if not any(j != i and self._upper[j] >> i & 1 for j in members))

    def _common(self, nodes: tuple[T, ...]) -> int:
        if not nodes:
            raise LatticeError("a join needs at least one node")
        common = -1
        for node in nodes:
            common &= self._upper[self._at(node)]
        return common

    def join(self, *nodes: T) -> T:
        """Return the least upper bound of one or more nodes.

        Raises
        ------
        LatticeError
            If they have no upper bound, or several minimal ones.

        Examples
        --------
        >>> integers = Lattice({"int8": ["int16"], "uint8": ["int16", "uint16"]}, partial=True)
        >>> integers.join("int8", "uint8")
        'int16'
        >>> integers.join("int8", "uint16")
        Traceback (most recent call last):
        supremum.promotion.LatticeError: int8 and uint16 have no upper bound
        """
        found = self._by_upper.get(self._common(nodes))
        if found is not None:
            return self.nodes[found]
        raise LatticeError(self.why_no_join(*nodes))

    def why_no_join(self, *nodes: T) -> str:
        """Return a sentence that says why `nodes` have no join."""
        minimal = self.minimal_upper_bounds(*nodes)
        names = " and ".join(str(node) for node in nodes)
        if not minimal:
            return f"{names} have no upper bound"
        return f"{names} have {_COUNTS.get(len(minimal), len(minimal))} minimal upper bounds: {', '.join(map(str, minimal))}"

    def path(self, a: T, b: T) -> tuple[T, ...]:
        """Return the shortest path up from `a` to `b` in the Hasse diagram, both included.

        Raises
        ------
        LatticeError
            If `b` is not an upper bound of `a`.

        Examples
        --------
        >>> Lattice({"int": ["float"], "float": ["complex"]}).path("int", "complex")
        ('int', 'float', 'complex')
        """
        if not self._upper[self._at(a)] >> self._at(b) & 1:
            raise LatticeError(f"there is no path from {a} up to {b}")
        came_from: dict[T, T] = {}
        queue = deque([a])
        while b not in came_from and a != b:
            node = queue.popleft()
            for above in self.covers[node]:
                if above not in came_from:
                    came_from[above] = node
                    queue.append(above)
        found = [b]
        while found[-1] != a:
            found.append(came_from[found[-1]])
        return tuple(reversed(found))

    def restricted(self, nodes: Iterable[T]) -> Lattice[T]:
        """Return the lattice of some of the nodes, in the same order; joins that are other nodes are lost.

        Examples
        --------
        >>> Lattice({"int": ["float"], "float": ["complex"]}).restricted(["int", "complex"]).covers
        {'int': ('complex',), 'complex': ()}
        """
        kept = list(dict.fromkeys(nodes))
        edges = {node: [one for one in self.upper_bounds(node) if one in kept and one != node] for node in kept}
        return Lattice(edges, partial=True, unlawful=True)

    # -- pictures -------------------------------------------------------------------------------------------------------

    def to_svg(self, *, nodes: Iterable[T] | None = None, join: Iterable[T] = (), path: Iterable[T] = ()) -> str:
        """Return the Hasse diagram as SVG; promotion goes up.

        Parameters
        ----------
        nodes : iterable of node, optional
            The nodes to draw. Default: all.
        join : iterable of node, optional
            Nodes whose join is highlighted, with the paths to it.
        path : iterable of node, optional
            Two nodes; the path between them is highlighted.

        Returns
        -------
        str
            A self-contained SVG image.
        """
        from supremum.promotion._drawing import draw

        return draw(self, nodes, tuple(join), tuple(path)).to_svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def plot(
        self, ax: Axes | None = None, *, nodes: Iterable[T] | None = None, join: Iterable[T] = (), path: Iterable[T] = ()
    ) -> Axes:
        """Draw the Hasse diagram with matplotlib (the extra ``plot``).

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axes to draw into. Default: those of a new figure.
        nodes, join, path : iterable of node, optional
            As in `to_svg`.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from supremum.promotion._drawing import draw

        return draw(self, nodes, tuple(join), tuple(path)).plot(ax)

    def table(self) -> list[list[T | None]]:
        """Return the joins of all pairs, row by row in the order of ``nodes``; None for a missing join."""
        nodes, find, upper = self.nodes, self._by_upper.get, self._upper
        found: dict[int | None, T | None] = {None: None, **dict(enumerate(nodes))}
        return [[found[find(mine & theirs)] for theirs in upper] for mine in upper]


def _describe(lattice: Lattice[T], pairs: list[tuple[int, int]]) -> list[str]:
    """Return the counterexample of the first pair, with the number of others; an empty list without pairs."""
    if not pairs:
        return []
    i, j = pairs[0]
    others = f" (and {len(pairs) - 1} more such {'pairs' if len(pairs) > 2 else 'pair'})" if len(pairs) > 1 else ""
    return [lattice.why_no_join(lattice.nodes[i], lattice.nodes[j]) + others]


class LatticeError(ValueError):
    """A graph of types breaks a law of promotion; the message has a counterexample for each broken law.

    Attributes
    ----------
    violations : tuple of str
        One sentence for each violated law.
    """

    __module__ = "supremum.promotion"

    def __init__(self, message: str, violations: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.violations: tuple[str, ...] = violations or (message,)

    def __reduce__(self) -> tuple[type[LatticeError], tuple[str, tuple[str, ...]]]:
        return type(self), (str(self), self.violations)
