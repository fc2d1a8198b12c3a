"""Promotion systems: data (the edges of a lattice, or a matrix of short codes) compiled to a table over nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from supremum._base.boundary import name_errors, public
from supremum._base.exceptions import TypePromotionError, describe
from supremum.promotion._fold import reduce_as_numpy
from supremum.promotion._lattice import Lattice, LatticeError
from supremum.promotion._nodes import ABSENT, ARRAY_NODES, COMMON, NODES, WEAK, Node, as_node, symbolic
from supremum.promotion._roles import Roles

if TYPE_CHECKING:
    from supremum.promotion._laws import LawReport
    from supremum.promotion._render import Table
    from supremum.promotion._typing import NodeLike

_CONCRETE_WEAK: Final = tuple(node.weak_form for node in NODES.values() if node.kind != "b")
_ORDER: Final = {node: i for i, node in enumerate((*NODES.values(), *_CONCRETE_WEAK, *WEAK.values()))}


@public
class SystemData(NamedTuple):
    """The definition of a promotion system, as plain data.

    Either `edges` or `matrix` has the rules. The other fields have their source, and policies besides promotion that apply
    when the system is used for arrays.
    """

    #: Upper bounds of each node, by name; the table is their joins.
    edges: Mapping[str, Iterable[str]] | None = None
    #: An aligned matrix of short codes: a line of column codes, then for each row its code and its cells; ``-`` is an error.
    matrix: str | None = None
    #: A title of one line.
    title: str = ""
    #: The source: the package, its version, and the date of the measurement or the document.
    package: str = ""
    version: str = ""
    date: str = ""
    #: Remarks: deviations from documents, oddities.
    notes: str = ""
    #: Whether a pair of nodes without an upper bound is allowed, and whether one with several minimal ones is.
    partial: bool = False
    unlawful: bool = False
    #: How Python scalars promote: "weak" (by its kind, never its value), "range" (and must fit, as in NEP 50), "exact"
    #: (and must be representable) or "none" (it must be cast).
    scalars: str = "weak"
    #: The dtype that a weak node means, by kind ("i", "f", "c"); None leaves it to the configuration.
    defaults: Mapping[str, str] | None = None
    #: How more than two operands promote: "left" (pairwise, from the left), "join" (all at once) or "numpy" (its reduction).
    fold: str = "left"
    #: Ranks of operands, highest first, where a lower rank counts only if its kind is higher; empty for a single rank.
    tiers: tuple[str, ...] = ()
    #: Further tables of the same package for special cases, by name, as matrices: "ufunc" for elementwise functions,
    #: "function" for those whose rule begins with "elementwise", "zero_dim" for arrays without dimensions.
    variants: Mapping[str, str] = {}
    #: The nodes that abstract weak nodes mean, in a system whose weak nodes have widths.
    aliases: Mapping[str, str] = {}
    #: Dtypes that no buffer can hold: name, code, bits and kind.
    symbols: tuple[tuple[str, str, int, str], ...] = ()
    #: Result dtypes of the division of bools and integers, by name; "*" is for all others, "-" an error; empty if unknown.
    inexact: Mapping[str, str] = {}
    #: What one operand becomes, and what results are given as, by functions or their roles: rules of `promotion._roles`.
    operands: Mapping[str, str] = {}
    results: Mapping[str, str] = {}
    #: The end of an error's first sentence, after "... have no available implicit dtype promotion path".
    refusal: str = "."
    #: The reason that errors state, if the system has one of its own.
    reason: str = ""
    #: Pairs that do not promote, whatever the edges or the matrix say.
    forbidden: tuple[tuple[str, str], ...] = ()


@public
@name_errors
class PromotionSystem:
    """The rule that determines the common dtype of operands.

    Build one with `from_lattice` or `from_matrix`, or take one from ``promotion.systems``.

    Attributes
    ----------
    name : str
        The name in `systems` and in messages.
    nodes : tuple of Node
        The dtypes and weak types of the system, in the order of tables.
    lattice : Lattice or None
        The lattice over the names of nodes whose joins are the table; None for a matrix.
    data : SystemData
        The definition; its fields are attributes of the system as well.

    Examples
    --------
    >>> from supremum.promotion import systems
    >>> str(systems["jax"].promote("int8", "uint8"))
    'int16'
    >>> str(systems["jax"].promote("int32", float))
    'float*'
    """

    __slots__ = ("_own", "_refusals", "_rows", "_variants", "data", "lattice", "name", "nodes", "roles")

    #: All systems by name; set by `promotion.systems`, a higher module.
    known: ClassVar[Mapping[str, PromotionSystem]]

    name: str
    nodes: tuple[Node, ...]
    lattice: Lattice[str] | None
    data: SystemData
    #: What functions make of one operand; None where that is not different from JAX.
    roles: Roles | None

    def __init__(self, name: str, data: SystemData) -> None:
        if (data.edges is None) == (data.matrix is None):
            raise ValueError(f"promotion system {name!r}: give either edges or a matrix")
        self.name = name
        self.data = data
        self._variants: dict[str, PromotionSystem] = {}
        self._refusals: bytes | None = None
        self.roles = Roles(data.operands, data.results) if data.operands or data.results else None
        symbols = {code: symbolic(full, code, bits, kind) for full, code, bits, kind in data.symbols}
        if data.edges is not None:
            self.lattice, self._rows = _compile_edges(name, data)
        else:
            self.lattice, self._rows = None, _parse_matrix(name, data.matrix or "", symbols)
        for pair in data.forbidden:
            a, b = map(as_node, pair)
            self._rows[a][b] = self._rows[b][a] = None
        self.nodes = tuple(self._rows)
        self._own: dict[Node, Node] = {node: node for node in self.nodes}
        for weak, concrete in data.aliases.items():
            self._own.setdefault(as_node(weak), as_node(concrete))
        for node in _CONCRETE_WEAK:
            if node not in self._own and node.family in self._own:
                self._own[node] = self._own[node.family]

    @classmethod
    def from_lattice(
        cls, name: str, edges: Mapping[str, Iterable[str]] | Lattice[str], *, partial: bool = False, **facts: Any
    ) -> PromotionSystem:
        """Return a system whose rule is the join on a lattice.

        Parameters
        ----------
        name : str
            The name of the system.
        edges : mapping of str to iterable of str, or Lattice
            The dtypes directly above each dtype, by name or code.
        partial : bool, optional
            Whether pairs without any upper bound are allowed; promoting them is an error.
        **facts
            Further fields of `SystemData`.

        Returns
        -------
        PromotionSystem
            The system.

        Raises
        ------
        LatticeError
            If the edges form a cycle, or a pair has no least upper bound; the message has a counterexample.

        Examples
        --------
        >>> narrow = PromotionSystem.from_lattice("narrow", {"bool": ["int8"], "int8": ["float16"]})
        >>> str(narrow.promote("bool", "float16"))
        'float16'
        """
        edges = edges.edges if isinstance(edges, Lattice) else edges
        if not isinstance(edges, Mapping):
            raise TypeError(
                f"from_lattice: edges must be a mapping of dtypes to those directly above them, got {describe(edges)}"
            )
        return cls(name, SystemData(edges=edges, partial=partial, **facts))

    @classmethod
    def from_matrix(cls, name: str, matrix: str, **facts: Any) -> PromotionSystem:
        """Return a system whose rule is a matrix of short codes or names, in which ``-`` is an error.

        Parameters
        ----------
        name : str
            The name of the system.
        matrix : str
            A line with the codes of the columns, then for each row its code and its cells.
        **facts
            Further fields of `SystemData`.

        Returns
        -------
        PromotionSystem
            The system.

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
            raise TypeError(f"from_matrix: matrix must be a string, got {describe(matrix)}")
        unknown = ", ".join(facts.keys() - SystemData._fields)
        if unknown:
            raise TypeError(f"from_matrix: unknown field {unknown}; the fields are {', '.join(SystemData._fields)}")
        return cls(name, SystemData(matrix=matrix, **facts))

    def __repr__(self) -> str:
        return f"<promotion system {self.name!r}: {len(self.nodes)} types>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.data)

    def __contains__(self, spec: object) -> bool:
        try:
            return as_node(spec) in self._own
        except TypeError:
            return False

    def __getattr__(self, attribute: str) -> Any:
        # The fields of `data` are attributes: system.notes, system.scalars, system.fold ...
        if attribute in SystemData._fields:
            return getattr(self.data, attribute)
        raise AttributeError(f"a promotion system has no attribute {attribute!r}")

    # -- the rule -------------------------------------------------------------------------------------------------------

    def own_node(self, node: Node) -> Node | None:
        """Return the node of this system for `node`, such as ``int*`` for ``int32*``; None if the system lacks the type."""
        return self._own.get(node)

    def lookup(self, a: Node, b: Node) -> Node | None:
        """Return the common node of `a` and `b`, or None if they do not promote; weak nodes may have any width."""
        row = self._rows.get(self._own.get(a, a))
        return None if row is None else row.get(self._own.get(b, b))

    def refusals(self) -> bytes:
        """Return a byte for each node of arrays, with a bit for each operand with which such an array does not keep its node.

        The bits are of a Python bool, int, float and complex number, and of an array of the same node. Keys keep their node.
        """
        if self._refusals is None:
            scalars = (NODES["bool"], WEAK["int*"], WEAK["float*"], WEAK["complex*"])
            self._refusals = bytes(
                sum((self.lookup(node, other) is not node.family) << bit for bit, other in enumerate((*scalars, node)))
                if node.kind != "k"
                else 0
                for node in ARRAY_NODES
            )
        return self._refusals

    def promote(self, *operands: NodeLike) -> Node:
        """Return the common node of operands.

        Parameters
        ----------
        *operands : str, dtype, type, or Node
            Names, dtypes, nodes, or Python scalar types.

        Returns
        -------
        Node
            The node; its ``str()`` is its name.

        Raises
        ------
        TypePromotionError
            If they have no common node.

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
        """Return the common node of one or more nodes by the system's own fold, or None if they do not promote."""
        if self.data.fold == "numpy" and len(nodes) > 2:
            known = all(node in self._own for node in nodes)
            return reduce_as_numpy([self._own[node] for node in nodes], self.lookup) if known else None
        if self.data.fold == "join" and self.lattice is not None and not self.data.forbidden:
            return self._join([self._own.get(node) for node in nodes])
        result = self._own.get(next(iter(nodes)))
        for node in nodes[1:]:
            if result is None:
                return None
            result = self.lookup(result, node)
        return result

    def _join(self, nodes: list[Node | None]) -> Node | None:
        """Join all at once, which may succeed in an unlawful lattice if folding does not."""
        names = [node.name for node in nodes if node is not None]
        if self.lattice is None or len(names) < len(nodes):
            return None
        found = self.lattice.minimal_upper_bounds(*names)
        return as_node(found[0]) if len(found) == 1 else None

    def error(self, *nodes: Node) -> TypePromotionError:
        """Return the exception that says why `nodes` do not promote and which cast helps."""
        names = tuple(node.name for node in nodes)
        message = f"Input dtypes {names} have no available implicit dtype promotion path{self.data.refusal}"
        return TypePromotionError(f"{message} Promotion system {self.name!r}: {self._why(nodes)}. {self._remedy(nodes)}")

    def _why(self, nodes: tuple[Node, ...]) -> str:
        unknown = [node.name for node in nodes if node not in self._own]
        if unknown:
            return f"it has no {' and no '.join(dict.fromkeys(unknown))}"
        a, b = self._first_failure(nodes)
        if any({a, b} == {as_node(x), as_node(y)} for x, y in self.data.forbidden):
            return f"{a} with {b} is forbidden"
        if self.data.reason:
            return self.data.reason
        if self.lattice is None:
            return f"its table has no entry for {a} with {b}"
        why = self.lattice.why_no_join(a.name, b.name)
        narrow = [node.name for node in (a, b) if 0 < node.bits < 8 or (node.kind == "f" and node.bits == 8)]
        return f"{why}; types as narrow as {narrow[0]} do not promote implicitly" if narrow else why

    def _first_failure(self, nodes: tuple[Node, ...]) -> tuple[Node, Node]:
        """Return the first pair that does not promote in the fold of `nodes`."""
        common = self._own[nodes[0]]
        for node in nodes[1:]:
            result = self.lookup(common, node)
            if result is None:
                return common, self._own[node]
            common = result
        return common, common

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
        """Check the laws of promotion on all pairs and triples of types.

        Returns
        -------
        LawReport
            Each law, with counterexamples if it is broken.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> systems["numpy"].laws().associativity.counterexample
        '(int8 + uint8) + float16 is float32, but int8 + (uint8 + float16) is float16'
        """
        from supremum.promotion._laws import check_laws

        return check_laws(self)

    def table(self, *, vs: str | PromotionSystem | None = None, nodes: str | Iterable[NodeLike] | None = None) -> Table:
        """Return the promotion table, which renders as text, HTML, JSON or CSV.

        Parameters
        ----------
        vs : str or PromotionSystem, optional
            Another system; cells that differ from it are highlighted.
        nodes : iterable of str, dtype, type, or Node, or "common", optional
            The types to show; ``"common"`` leaves out the narrow ones. Default: all.

        Returns
        -------
        Table
            The table; it prints as text and displays as HTML in notebooks.

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

        return Table(self, vs=self.known[vs] if isinstance(vs, str) else vs, nodes=nodes)

    def _repr_html_(self) -> str:
        return self.table(nodes="common")._repr_html_()

    def _diagram(self) -> tuple[Lattice[str], list[str]]:
        """Return the lattice and its common types; raise LatticeError for a system that is only a table."""
        if self.lattice is None:
            raise LatticeError(f"promotion system {self.name!r} is a table, not a lattice: there is nothing to draw")
        return self.lattice, [name for name in self.lattice.nodes if name in COMMON or name not in NODES]

    def path(self, a: NodeLike, b: NodeLike) -> tuple[str, ...]:
        """Return the names of the types on the path from `a` up to its join with `b`, both ends included.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> systems["jax"].path("int8", "uint8")
        ('int8', 'int16')
        """
        start, other = as_node(a), as_node(b)
        lattice, _ = self._diagram()
        return lattice.path(start.family.name, self.promote(start, other).family.name)

    def svg(self, *, nodes: Iterable[NodeLike] | None = None, join: Iterable[NodeLike] = ()) -> str:
        """Return the lattice of a system as an SVG image: of its common types by default.

        Parameters
        ----------
        nodes : iterable of str, dtype, type, or Node, optional
            The types to draw.
        join : iterable of str, dtype, type, or Node, optional
            Types whose join is highlighted, with the paths to it.

        Returns
        -------
        str
            A self-contained image.
        """
        lattice, common = self._diagram()
        drawn = common if nodes is None else _names("svg", "nodes", nodes)
        return lattice.to_svg(nodes=drawn, join=_names("svg", "join", join))

    def draw(self, ax: Any = None, *, nodes: Iterable[NodeLike] | None = None, join: Iterable[NodeLike] = ()) -> Any:
        """Draw the lattice of a system with matplotlib, as `svg` does, into axes or a new figure; return the axes."""
        if ax is not None and not hasattr(ax, "annotate"):
            raise TypeError(f"draw: ax must be the axes of a figure of matplotlib, got {describe(ax)}")
        lattice, common = self._diagram()
        drawn = common if nodes is None else _names("draw", "nodes", nodes)
        return lattice.plot(ax, nodes=drawn, join=_names("draw", "join", join))

    # -- other systems made from this one ---------------------------------------------------------------------------------

    def variant(self, name: str) -> PromotionSystem:
        """Return the system of a special case of the package, such as ``systems["torch"].variant("zero_dim")``."""
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
        """Return a new system whose lattice has additional edges.

        Parameters
        ----------
        edges : mapping of str to iterable of str
            For each dtype the further dtypes that it may be promoted to.
        partial : bool, optional
            Whether pairs may have no upper bound. Default: as in this system.
        unlawful : bool, optional
            Whether to accept pairs with several minimal upper bounds. They have no result.
        name : str, optional
            The name of the new system.

        Returns
        -------
        PromotionSystem
            The new system.

        Raises
        ------
        LatticeError
            If the system is not a lattice, or a law is broken; the message has the counterexample.

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
            raise TypeError(
                f"with_edges: edges must be a mapping of dtypes to those directly above them, got {describe(edges)}"
            )
        for node, above in edges.items():
            merged.setdefault(as_node(node).name, []).extend(as_node(name).name for name in above)
        data = self.data._replace(
            edges=merged, partial=self.data.partial if partial is None else partial, unlawful=unlawful, variants={}
        )
        return PromotionSystem(name or f"{self.name}+edges", data)

    def forbid(self, a: NodeLike, b: NodeLike, *, name: str | None = None) -> PromotionSystem:
        """Return a new system in which `a` and `b` do not promote.

        Parameters
        ----------
        a, b : str, dtype, type, or Node
            The pair.
        name : str, optional
            The name of the new system.

        Returns
        -------
        PromotionSystem
            The new system.

        Examples
        --------
        >>> from supremum.promotion import systems
        >>> systems["jax"].forbid("uint64", "int64").promote("uint64", "int64")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        supremum.promotion.TypePromotionError: Input dtypes ('uint64', 'int64') have no available ...
        """
        pair = (as_node(a), as_node(b))
        if not isinstance(name, str | None):
            raise TypeError(f"forbid: name must be a string, got {describe(name)}")
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
        row = cells.get(code)
        if row is not None:
            rows[row] = {column: cells.get(cell) for column, cell in zip(map(cells.get, columns), line, strict=True) if column}
    if [cells.get(code) for code in columns if code in cells] != list(rows):
        raise ValueError(
            f"from_matrix: promotion system {name!r}: the matrix names other types in its rows than in its columns"
        )
    return rows


def _common_cast(nodes: tuple[Node, ...]) -> Node:
    """Return a dtype to suggest as a common cast: of the highest kind of `nodes`, and no narrower than any of them."""
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


def _names(function: str, argument: str, nodes: Iterable[NodeLike]) -> list[str]:
    """Return the names of the nodes of an argument."""
    if isinstance(nodes, str) or not isinstance(nodes, Iterable):
        raise TypeError(f"{function}: {argument} must be a sequence of dtypes or their names, got {describe(nodes)}")
    return [as_node(one).name for one in nodes]
