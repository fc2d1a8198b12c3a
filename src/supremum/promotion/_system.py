"""Promotion systems: data (edges of a lattice, or a matrix of short codes) compiled to one dense table over nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from supremum._base.errors import shown
from supremum.promotion._errors import LatticeError, TypePromotionError
from supremum.promotion._fold import reduce_as_numpy
from supremum.promotion._lattice import Lattice
from supremum.promotion._nodes import ABSENT, NODES, WEAK, Node, as_node, symbolic

if TYPE_CHECKING:
    from supremum.promotion._laws import LawReport
    from supremum.promotion._render import Table

__all__ = ["PromotionSystem", "SystemData"]

_CONCRETE_WEAK: Final = tuple(node.weak_form for node in NODES.values() if node.kind != "b")
_ORDER: Final = {node: i for i, node in enumerate((*NODES.values(), *_CONCRETE_WEAK, *WEAK.values()))}


class SystemData(NamedTuple):
    """Everything that makes a promotion system, as plain data.

    Either `edges` or `matrix` holds the rules. The other fields say where they come from, and name the policies that are
    not promotion, for whoever applies the system to arrays.
    """

    #: Upper bounds of each node, by name; the table is their joins.
    edges: Mapping[str, Iterable[str]] | None = None
    #: An aligned matrix of short codes: a line of column codes, then for each row its code and its cells; ``-`` is an error.
    matrix: str | None = None
    #: One line that says what it is.
    title: str = ""
    #: Where the facts come from: the package, its version, and when they were measured or written.
    package: str = ""
    version: str = ""
    date: str = ""
    #: What a reader should know: deviations from documents, oddities.
    notes: str = ""
    #: Whether a pair of nodes without an upper bound is allowed, and whether one with several minimal ones is.
    partial: bool = False
    unlawful: bool = False
    #: How a Python scalar joins in: "weak" (by its kind, never its value), "range" (and must fit, as in NEP 50), "exact"
    #: (and must be representable) or "none" (it must be cast).
    scalars: str = "weak"
    #: The dtype that a weak node stands for, by kind ("i", "f", "c"); None leaves it to the configuration.
    defaults: Mapping[str, str] | None = None
    #: How more than two operands meet: "left" (pairwise, from the left), "join" (all at once) or "numpy" (its reduction).
    fold: str = "left"
    #: Ranks of operands, highest first, where a lower rank counts only if its kind is higher; empty for a single rank.
    tiers: tuple[str, ...] = ()
    #: Further tables of the same package for special cases, by name, as matrices.
    variants: Mapping[str, str] = {}
    #: What abstract weak nodes stand for in a system whose weak nodes have widths.
    aliases: Mapping[str, str] = {}
    #: Dtypes that no buffer can hold: name, code, bits and kind.
    symbols: tuple[tuple[str, str, int, str], ...] = ()
    #: What division makes of bool and integers, by name, with "*" for all others and "-" for an error; empty if unknown.
    inexact: Mapping[str, str] = {}
    #: How the first sentence of an error goes on, after "... have no available implicit dtype promotion path".
    refusal: str = "."
    #: Why there is no path where there is none, if the system has a reason of its own.
    reason: str = ""
    #: Pairs without a path whatever the edges or the matrix say.
    forbidden: tuple[tuple[str, str], ...] = ()


class PromotionSystem:
    """The rule that says which dtype two operands meet at, or that they do not.

    Build one with `from_lattice` or `from_matrix`, or take one from ``promotion.systems``.

    Attributes
    ----------
    name : str
        What `systems` and messages call it.
    nodes : tuple of Node
        The dtypes and weak types it knows, in the order tables print them.
    lattice : Lattice or None
        The lattice whose joins the table holds, over the nodes' names; None for a matrix.
    data : SystemData
        What it was built from; its fields are attributes of the system as well.

    Examples
    --------
    >>> from supremum.promotion import systems
    >>> str(systems["jax"].promote("int8", "uint8"))
    'int16'
    >>> str(systems["jax"].promote("int32", float))
    'float*'
    """

    __slots__ = ("_rows", "_seat", "_variants", "data", "lattice", "name", "nodes")

    #: All systems by name; `systems`, which stands above this module, sets it.
    known: ClassVar[Mapping[str, PromotionSystem]]

    name: str
    nodes: tuple[Node, ...]
    lattice: Lattice[str] | None
    data: SystemData

    def __init__(self, name: str, data: SystemData) -> None:
        if (data.edges is None) == (data.matrix is None):
            raise ValueError(f"promotion system {name!r}: give either edges or a matrix")
        self.name = name
        self.data = data
        self._variants: dict[str, PromotionSystem] = {}
        symbols = {code: symbolic(full, code, bits, kind) for full, code, bits, kind in data.symbols}
        if data.edges is not None:
            self.lattice, self._rows = _compile_edges(name, data)
        else:
            self.lattice, self._rows = None, _parse_matrix(name, data.matrix or "", symbols)
        for pair in data.forbidden:
            a, b = map(as_node, pair)
            self._rows[a][b] = self._rows[b][a] = None
        self.nodes = tuple(self._rows)
        self._seat: dict[Node, Node] = {node: node for node in self.nodes}
        for weak, stands_for in data.aliases.items():
            self._seat[as_node(weak)] = as_node(stands_for)
        for node in _CONCRETE_WEAK:
            if node not in self._seat and node.family in self._seat:
                self._seat[node] = self._seat[node.family]

    @classmethod
    def from_lattice(
        cls, name: str, edges: Mapping[str, Iterable[str]] | Lattice[str], *, partial: bool = False, **facts: Any
    ) -> PromotionSystem:
        """Build a system whose rule is the join on a lattice.

        Parameters
        ----------
        name : str
            What to call it.
        edges : mapping or Lattice
            For each dtype (by name or code) the ones directly above it.
        partial : bool
            Whether pairs without any upper bound are allowed; promoting them is an error.
        **facts
            Further fields of `SystemData`.

        Examples
        --------
        >>> narrow = PromotionSystem.from_lattice("narrow", {"bool": ["int8"], "int8": ["float16"]})
        >>> str(narrow.promote("bool", "float16"))
        'float16'
        """
        edges = edges.edges if isinstance(edges, Lattice) else edges
        if not isinstance(edges, Mapping):
            raise TypeError(f"from_lattice: edges are a mapping of a dtype to the next ones, got {shown(edges)}")
        return cls(name, SystemData(edges=edges, partial=partial, **facts))

    @classmethod
    def from_matrix(cls, name: str, matrix: str, **facts: Any) -> PromotionSystem:
        """Build a system from an aligned matrix of short codes (or names), in which ``-`` is an error.

        Parameters
        ----------
        name : str
            What to call it.
        matrix : str
            A line with the codes of the columns, then for each row its code and its cells.
        **facts
            Further fields of `SystemData`.

        Examples
        --------
        >>> two = PromotionSystem.from_matrix("two", '''
        ...         b1  f4
        ...     b1  b1  f4
        ...     f4  f4  f4
        ... ''')
        >>> str(two.promote("bool", "float32"))
        'float32'
        """
        if not isinstance(matrix, str):
            raise TypeError(f"from_matrix: the matrix is a table written as one string, got {shown(matrix)}")
        unknown = ", ".join(facts.keys() - SystemData._fields)
        if unknown:
            raise TypeError(f"from_matrix: there is no fact {unknown}; there are {', '.join(SystemData._fields)}")
        return cls(name, SystemData(matrix=matrix, **facts))

    def __repr__(self) -> str:
        return f"<promotion system {self.name!r}: {len(self.nodes)} types>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.data)

    def __contains__(self, spec: object) -> bool:
        try:
            return as_node(spec) in self._seat
        except TypeError:
            return False

    def __getattr__(self, attribute: str) -> Any:
        # The facts in `data` read as attributes: system.notes, system.scalars, system.fold ...
        if attribute in SystemData._fields:
            return getattr(self.data, attribute)
        raise AttributeError(f"a promotion system has no attribute {attribute!r}")

    # -- the rule -------------------------------------------------------------------------------------------------------

    def seat(self, node: Node) -> Node | None:
        """Give the node of this system that stands for `node`, such as ``int*`` for ``int32*``; None if it has none."""
        return self._seat.get(node)

    def lookup(self, a: Node, b: Node) -> Node | None:
        """Give the node where `a` and `b` meet, or None where they do not; weak nodes of any width are understood."""
        row = self._rows.get(self._seat.get(a, a))
        return None if row is None else row.get(self._seat.get(b, b))

    def promote(self, *operands: object) -> Node:
        """Give the node where the operands meet.

        Parameters
        ----------
        *operands
            Names, dtypes, nodes, or Python scalar types.

        Returns
        -------
        Node
            Its ``str()`` is its name.

        Raises
        ------
        TypePromotionError
            If they do not meet.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> str(systems["jax"].promote("uint8", "int8", "float16"))
        'float16'
        """
        nodes = tuple(as_node(operand) for operand in operands)
        if not nodes:
            raise TypeError("promote needs at least one operand")
        result = self.lookup_all(nodes)
        if result is None:
            raise self.error(*nodes)
        return result

    def lookup_all(self, nodes: tuple[Node, ...]) -> Node | None:
        """Give the node where one or more nodes meet by the system's own way of folding, or None."""
        if self.data.fold == "numpy" and len(nodes) > 2:
            known = all(node in self._seat for node in nodes)
            return reduce_as_numpy([self._seat[node] for node in nodes], self.lookup) if known else None
        if self.data.fold == "join" and self.lattice is not None and not self.data.forbidden:
            return self._join([self._seat.get(node) for node in nodes])
        result = self._seat.get(nodes[0])
        for node in nodes[1:]:
            if result is None:
                return None
            result = self.lookup(result, node)
        return result

    def _join(self, nodes: list[Node | None]) -> Node | None:
        """Join all at once, which may succeed in an unlawful lattice where folding does not."""
        names = [node.name for node in nodes if node is not None]
        if self.lattice is None or len(names) < len(nodes):
            return None
        found = self.lattice.minimal_upper_bounds(*names)
        return as_node(found[0]) if len(found) == 1 else None

    def error(self, *nodes: Node) -> TypePromotionError:
        """Make the error that says why `nodes` do not meet and which cast would mend it."""
        names = tuple(node.name for node in nodes)
        message = f"Input dtypes {names} have no available implicit dtype promotion path{self.data.refusal}"
        return TypePromotionError(f"{message} Promotion system {self.name!r}: {self._why(nodes)}. {self._remedy(nodes)}")

    def _why(self, nodes: tuple[Node, ...]) -> str:
        strangers = [node.name for node in nodes if node not in self._seat]
        if strangers:
            return f"it has no {' and no '.join(dict.fromkeys(strangers))}"
        a, b = self._first_gap(nodes)
        if any({a, b} == {as_node(x), as_node(y)} for x, y in self.data.forbidden):
            return f"{a} with {b} is forbidden"
        if self.data.reason:
            return self.data.reason
        if self.lattice is None:
            return f"its table has no entry for {a} with {b}"
        why = self.lattice.why_no_join(a.name, b.name)
        narrow = [node.name for node in (a, b) if 0 < node.bits < 8 or (node.kind == "f" and node.bits == 8)]
        return f"{why}, for types as narrow as {narrow[0]} widen only on request" if narrow else why

    def _first_gap(self, nodes: tuple[Node, ...]) -> tuple[Node, Node]:
        """Give the pair at which folding `nodes` fails."""
        met = self._seat[nodes[0]]
        for node in nodes[1:]:
            result = self.lookup(met, node)
            if result is None:
                return met, self._seat[node]
            met = result
        return met, met

    def _remedy(self, nodes: tuple[Node, ...]) -> str:
        target = _common_cast(nodes)
        if target not in self._rows:
            known = [node for node in nodes if node in self._rows and not node.weak]
            if not known:
                return f"Cast to one of {', '.join(node.name for node in self.nodes)}."
            target = max(known, key=lambda node: (node.rank, node.bits))
        return f"Cast explicitly, e.g. with x.astype({target.name!r})."

    # -- views ----------------------------------------------------------------------------------------------------------

    def laws(self) -> LawReport:
        """Try which laws the table keeps, on all pairs and triples, and give counterexamples of those it breaks.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> systems["numpy"].laws().associativity.counterexample
        '(int8 + uint8) + float16 is float32, but int8 + (uint8 + float16) is float16'
        """
        from supremum.promotion._laws import check_laws

        return check_laws(self)

    def table(self, *, vs: str | PromotionSystem | None = None, nodes: str | Iterable[object] | None = None) -> Table:
        """Give the table to look at: as text, HTML, JSON or CSV.

        Parameters
        ----------
        vs : str or PromotionSystem, optional
            Another system; cells that differ from it are highlighted.
        nodes : iterable or "common", optional
            The types to show, by default all; ``"common"`` leaves out the narrow ones.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> print(systems["array_api"].table(nodes=["int8", "uint8", "int16", "uint64"]).to_text(color=False))
            i1 u1 i2 u8
        i1  i1 i2 i2 -
        u1  i2 u1 i2 u8
        i2  i2 i2 i2 -
        u8  -  u8 -  u8
        """
        from supremum.promotion._render import Table

        return Table(self, vs=vs, nodes=nodes)

    def _repr_html_(self) -> str:
        return self.table(nodes="common").to_html()

    # -- other systems made from this one ---------------------------------------------------------------------------------

    def variant(self, name: str) -> PromotionSystem:
        """Give the table that the package uses in a special case, as a system: ``systems["torch"].variant("zero_dim")``."""
        found = self._variants.get(name)
        if found is None:
            if name not in self.data.variants:
                has = ", ".join(self.data.variants) or "none"
                raise ValueError(f"promotion system {self.name!r} has no variant {name!r}; it has {has}")
            data = self.data._replace(edges=None, matrix=self.data.variants[name], variants={})
            found = self._variants.setdefault(name, PromotionSystem(f"{self.name}:{name}", data))
        return found

    def with_edges(
        self,
        edges: Mapping[str, Iterable[str]],
        *,
        partial: bool | None = None,
        unlawful: bool = False,
        name: str | None = None,
    ) -> PromotionSystem:
        """Give a new system whose lattice has more edges.

        Parameters
        ----------
        edges : mapping
            For each dtype the further ones that it may become.
        partial : bool, optional
            Whether pairs may have no upper bound; as in this system if left out.
        unlawful : bool
            Whether to accept pairs with several minimal upper bounds. They have no result.
        name : str, optional
            What to call the new system.

        Raises
        ------
        LatticeError
            If the system is no lattice, or a law breaks; the message has the counterexample.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> system = systems["jax"].with_edges({"float8_e4m3fn": ["bfloat16", "float16"]})
        >>> str(system.promote("float8_e4m3fn", "bfloat16"))
        'bfloat16'
        """
        if self.lattice is None:
            raise LatticeError(f"promotion system {self.name!r} is a matrix, not a lattice: it has no edges to add to")
        merged = {node: list(above) for node, above in self.lattice.edges.items()}
        if not isinstance(edges, Mapping):
            raise TypeError(f"with_edges: edges are a mapping of a dtype to the next ones, got {shown(edges)}")
        for node, above in edges.items():
            merged.setdefault(as_node(node).name, []).extend(as_node(name).name for name in above)
        data = self.data._replace(
            edges=merged,
            partial=self.data.partial if partial is None else partial,
            unlawful=unlawful,
            variants={},
        )
        return PromotionSystem(name or f"{self.name}+edges", data)

    def forbid(self, a: object, b: object, *, name: Any = None) -> PromotionSystem:
        """Give a new system in which `a` and `b` do not meet.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> systems["jax"].forbid("uint64", "int64").promote("uint64", "int64")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        supremum.promotion.TypePromotionError: Input dtypes ('uint64', 'int64') have no available ...
        """
        pair = (as_node(a), as_node(b))
        if name is not None and not isinstance(name, str):
            raise TypeError(f"forbid: name is a string, got {shown(name)}")
        for node in pair:
            if node not in self._rows:
                raise ValueError(f"forbid: promotion system {self.name!r} has no {node.name} to forbid")
        data = self.data._replace(forbidden=(*self.data.forbidden, (pair[0].name, pair[1].name)))
        return PromotionSystem(name or f"{self.name}-{pair[0].name}-{pair[1].name}", data)


# -- compilation --------------------------------------------------------------------------------------------------------


def _compile_edges(name: str, data: SystemData) -> tuple[Lattice[str], dict[Node, dict[Node, Node | None]]]:
    edges = {
        as_node(node).name: [as_node(one).name for one in above if one not in ABSENT]
        for node, above in (data.edges or {}).items()
        if node not in ABSENT
    }
    try:
        lattice = Lattice(edges, partial=data.partial, unlawful=data.unlawful)
    except LatticeError as broken:
        raise LatticeError(f"promotion system {name!r}: {broken}", broken.violations) from None
    nodes = [as_node(node) for node in lattice.nodes]
    order = sorted(range(len(nodes)), key=lambda i: _ORDER.get(nodes[i], len(_ORDER) + i))
    of_name: dict[str | None, Node | None] = {None: None, **{node.name: node for node in nodes}}
    table = lattice.table()
    return lattice, {nodes[i]: {nodes[j]: of_name[table[i][j]] for j in order} for i in order}


def _parse_matrix(name: str, matrix: str, symbols: dict[str, Node]) -> dict[Node, dict[Node, Node | None]]:
    lines = [line.split() for line in matrix.splitlines() if line.strip()]
    cells: dict[str, Node | None] = {"-": None, **symbols}
    for word in {word for line in lines for word in line} - ABSENT:
        if word not in cells:
            cells[word] = as_node(word)
    if not lines:
        raise ValueError(f"from_matrix: promotion system {name!r} has an empty matrix; its first line names the types")
    columns = lines[0]
    rows: dict[Node, dict[Node, Node | None]] = {}
    for code, *line in lines[1:]:
        if len(line) != len(columns):
            cells_ = f"row {code} of the matrix has {len(line)} cells, not {len(columns)}"
            raise ValueError(f"from_matrix: promotion system {name!r}: {cells_}")
        node = cells.get(code)
        if node is not None:
            rows[node] = {seat: cells.get(cell) for seat, cell in zip(map(cells.get, columns), line, strict=True) if seat}
    if [cells.get(code) for code in columns if code in cells] != list(rows):
        raise ValueError(
            f"from_matrix: promotion system {name!r}: the matrix names other types in its rows than in its columns"
        )
    return rows


def _common_cast(nodes: tuple[Node, ...]) -> Node:
    """Choose a dtype worth casting all of `nodes` to: of the highest kind, and no narrower than any of them."""
    kinds = {node.kind for node in nodes}
    bits = max(node.bits for node in nodes)
    if "c" in kinds:
        wide = any(node.bits > (64 if node.kind == "c" else 32) for node in nodes if node.kind in "fc")
        return NODES["complex128" if wide else "complex64"]
    if "f" in kinds:
        wide = any(node.bits == 64 for node in nodes if node.kind == "f")
        return NODES["float64" if wide else "float32"]
    if kinds <= {"u", "b"}:
        return NODES[f"uint{max(8, bits)}"]
    needed = max(node.bits * 2 if node.kind == "u" else node.bits for node in nodes)
    return NODES[f"int{min(64, max(32, needed))}"]
