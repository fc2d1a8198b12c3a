"""Nodes: the interned points that promotion systems are made of.

A node represents a dtype (``int16``, ``bfloat16``), a *weak* Python scalar (``int*``, ``float*``, ``complex*``) or, in
systems that have them, for a dtype that no buffer can hold (``index``, ``tensor_float32``). Nodes are compared with ``is`` and
hashed by identity. The buffer of a weak array has a definite width, so each abstract weak node also has concrete forms
(``int32*``, ``float64*``): the same point of every system (``node.family``), with a width.

What is known of a dtype (its limits, the wider dtype that it is computed in, its strong and weak forms, its rank among kinds)
is an attribute of its node, set when the nodes are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import ml_dtypes
import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import describe, nearest
from supremum._base.key_dtype import KEY_DTYPE, KEY_WORDS
from supremum._base.silence import call_user_code
from supremum._base.tables import read_table

#: The kinds of numbers by rank: an array of a kind can hold numbers of those before it, if it is wide enough.
KINDS: Final = "buifc"


def _limits(kind: str, bits: int) -> tuple[int, int]:
    """Return the least and the greatest integer of a kind and width."""
    if kind == "b":
        return 0, 1
    if not bits or kind not in "iu":
        return 0, -1
    low = -(1 << (bits - 1)) if kind == "i" else 0
    return low, low + (1 << bits) - 1


@public
class Node:
    """One point of a promotion system; interned, so that ``is`` compares and identity hashes.

    Attributes
    ----------
    name : str
        ``"int16"``, ``"float*"``, ``"int32*"``.
    code : str
        The short code that tables print: ``i2``, ``f*``.
    kind : str
        ``"b"`` bool, ``"i"`` signed, ``"u"`` unsigned, ``"f"`` real floating, ``"c"`` complex, ``"k"`` keys, ``"?"`` symbolic
        only.
    rank : int
        The position of the kind in `KINDS`; symbolic nodes rank with signed integers, keys above all others.
    bits : int
        Width of an element; 0 for the abstract weak nodes.
    low, high : int
        The least and the greatest integer of an integer dtype, 0 and 1 for bool. Other nodes have 0 and -1: an empty range.
    weak : bool
        Whether the node defers to strong operands of its kind.
    dtype : numpy.dtype or None
        The dtype of buffers; None for abstract weak and symbolic nodes.
    public : object
        The value of `Array.dtype`: `dtype`, or for keys, whose buffers hold pairs of integers, the dtype of keys.
    family : Node
        The node that systems know: itself, or ``int*`` for ``int32*``.
    strong : Node
        The strong node of the same dtype: itself, or ``int32`` for ``int32*``. An abstract weak node has no dtype and stays.
    weak_form : Node
        The concrete weak node of the same dtype: ``int32*`` for ``int32``; itself if there is none, as for bool and keys.
    wide : Node
        The node that NumPy computes in: itself if `native`, else ``float32``, ``complex64``, ``int8`` or ``uint8`` by kind;
        itself too for keys.
    real : Node
        The node of a complex node's parts, weak if it is weak; other nodes, ``complex*`` among them, stay.
    index : int
        The place of the node in `ARRAY_NODES`; nodes that no array can have are beyond it.
    native : bool
        Whether NumPy itself computes in the dtype, well enough for every operation.
    """

    __slots__ = (
        "bits", "code", "dtype", "family", "high", "index", "kind", "low", "name", "native", "public", "rank", "real",
        "strong", "weak", "weak_form", "wide",
    )  # fmt: skip

    name: Final[str]
    code: Final[str]
    kind: Final[str]
    rank: Final[int]
    bits: Final[int]
    low: Final[int]
    high: Final[int]
    weak: Final[bool]
    dtype: Final[Any]  # NumPy's, or None of what has no width
    public: Final[Any]
    index: Final[int]
    native: Final[bool]
    # Other nodes: those made after this one are set at the end of the module.
    family: Node
    strong: Node
    weak_form: Node
    wide: Node
    real: Node

    def __init__(
        self,
        name: str,
        code: str,
        kind: str,
        bits: int,
        dtype: np.dtype[Any] | None,
        *,
        weak: bool = False,
        strong: Node | None = None,
        family: Node | None = None,
        index: int = 1_000_000,
        public: Any = None,
    ) -> None:
        self.name = name
        self.code = code
        self.kind = kind
        self.rank = KINDS.index("i" if kind == "?" else kind) if kind != "k" else len(KINDS)
        self.bits = bits
        self.low, self.high = _limits(kind, bits)
        self.dtype = dtype
        self.public = dtype if public is None else public
        self.weak = weak
        self.index = index
        # NumPy's float16 is slow and rounds after every step; 8- and 16-bit integers and bool are as good as wider ones.
        self.native = kind == "b" or (kind != "k" and bits >= {"f": 32, "c": 64}.get(kind, 8))
        self.family = self if family is None else family
        self.strong = self if strong is None else strong
        self.weak_form = self.wide = self.real = self

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<node {self.name}>"

    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        return as_node, (KEY_DTYPE if self.kind == "k" else self.name,)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Node:
        return self


class Row(NamedTuple):
    """A row of `dtypes.txt`, which says what its columns are."""

    name: str
    code: str
    kind: str
    dlpack: str
    safetensors: str

    @property
    def bits(self) -> int:
        """The number of bits of an element."""
        return int((re.search(r"\d+", self.name) or ["8"])[0])

    @property
    def is_common(self) -> bool:
        """Whether nearly every library has it: at least 8 bits, but of floats 16, and of complex numbers 64."""
        return self.bits >= {"f": 16, "c": 64}.get(self.kind[0], 8)


#: The rows, by name.
ROWS: Final = {name: Row(name, *rest) for name, *rest in read_table(__name__, "dtypes.txt")["dtypes"]}


def _catalogue() -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    for name, row in ROWS.items():
        scalar = np.bool_ if row.kind == "b" else getattr(ml_dtypes, name, None) or getattr(np, name, None)
        if scalar is not None:
            nodes[name] = Node(name, row.code, row.kind[0], row.bits, np.dtype(scalar), index=len(nodes))
    return nodes


#: Every dtype that a buffer can hold, by name, in the order tables print them.
NODES: Final[dict[str, Node]] = _catalogue()

#: Names and codes of the dtypes that a newer ml_dtypes has and the installed one lacks; tables leave them out.
ABSENT: Final[frozenset[str]] = frozenset(word for row in ROWS.values() if row.name not in NODES for word in row[:2])

#: The dtypes that nearly every library has.
COMMON: Final[frozenset[str]] = frozenset(name for name, row in ROWS.items() if row.is_common)

#: The abstract weak nodes, by name.
WEAK: Final[dict[str, Node]] = {
    "int*": Node("int*", "i*", "i", 0, None, weak=True),
    "float*": Node("float*", "f*", "f", 0, None, weak=True),
    "complex*": Node("complex*", "c*", "c", 0, None, weak=True),
}
_WEAK_OF_KIND: Final = {"i": WEAK["int*"], "u": WEAK["int*"], "f": WEAK["float*"], "c": WEAK["complex*"]}

_symbolic: dict[str, Node] = {}


def _weak_forms() -> list[Node]:
    """Make the concrete weak form of every dtype but bool."""
    forms: list[Node] = []
    for node in NODES.values():
        if node.kind != "b":
            name, code, index = f"{node.name}*", f"{node.code}*", len(NODES) + len(forms)
            family = _WEAK_OF_KIND[node.kind]
            form = Node(name, code, node.kind, node.bits, node.dtype, weak=True, strong=node, family=family, index=index)
            node.weak_form = form
            forms.append(form)
    return forms


_concrete_weak: Final[list[Node]] = _weak_forms()
#: The node of keys, which no promotion system knows: keys promote with keys and nothing else.
KEY: Final = Node(KEY_DTYPE.name, "key", "k", 64, KEY_WORDS, index=len(NODES) + len(_concrete_weak), public=KEY_DTYPE)
#: The nodes that arrays can have, by index.
ARRAY_NODES: Final = (*NODES.values(), *_concrete_weak, KEY)

_WIDE: Final = {"f": NODES["float32"], "c": NODES["complex64"], "i": NODES["int8"], "u": NODES["uint8"]}


def _relate() -> None:
    """Set the attributes of nodes that are nodes made later."""
    for node in (*NODES.values(), *_concrete_weak, *WEAK.values()):
        if not node.native:
            node.wide = _WIDE[node.kind]
        if node.kind == "c" and node.dtype is not None:
            part = NODES[ROWS[node.strong.name].kind[2:]]
            node.real = part.weak_form if node.weak else part


_relate()
#: The nodes of NumPy's own dtypes: the hashes of others may change, see `_restored`.
_by_dtype: Final[dict[np.dtype[Any], Node]] = {node.dtype: node for node in NODES.values() if node.dtype.isbuiltin != 2}
#: The nodes of ml_dtypes' dtypes by scalar type, with the dtype objects and their state.
_by_scalar: Final[dict[type, tuple[Node, np.dtype[Any], Any]]] = {
    node.dtype.type: (node, node.dtype, node.dtype.__reduce__()[2]) for node in NODES.values() if node.dtype.isbuiltin == 2
}
_by_name: Final[dict[str, Node]] = {
    **NODES,
    **WEAK,
    **{word: node for node in _concrete_weak for word in (node.name, node.code)},
    **{node.code: node for node in (*NODES.values(), *WEAK.values())},
}
_numpys_dtype: Final[Callable[[Any], np.dtype[Any]]] = np.dtype
#: The nodes of Python scalars; bool comes first because it is a subclass of int.
PYTHON_SCALARS: Final = {bool: NODES["bool"], int: WEAK["int*"], float: WEAK["float*"], complex: WEAK["complex*"]}
_BY_TYPE: Final[dict[type, Node]] = {**{node.dtype.type: node for node in NODES.values()}, **PYTHON_SCALARS}


def symbolic(name: str, code: str, bits: int, kind: str = "?") -> Node:
    """Intern a node for a dtype that no NumPy buffer can hold, such as Mojo's ``index``."""
    node = _symbolic.get(name)
    if node is None:
        node = _symbolic.setdefault(name, Node(name, code, kind, bits, None))
    _by_name.setdefault(name, node)  # also if the node existed: another thread may have made it and not yet done this
    return node


def node_of_dtype(dtype: np.dtype[Any]) -> Node | None:
    """Return the strong node of a NumPy dtype in any byte order, or None if it has none."""
    node = _by_dtype.get(dtype)
    if node is not None:
        return node
    if dtype.isbuiltin == 0 and dtype.kind in "iufcb" and dtype.names is None:
        return _by_dtype.get(dtype.newbyteorder("="))
    return _restored(dtype.type)


def _restored(scalar: type) -> Node | None:
    """Return the node of a scalar type of ml_dtypes, and restore its dtype object if that was changed.

    Unpickling an ndarray sets the flags of its dtype object, of which each type of ml_dtypes has one. If another version of
    ml_dtypes wrote other flags, the object's hash changes: dictionaries of this module and of ml_dtypes no longer find it, and
    NumPy no longer knows what a cast needs. So the flags are set back.
    """
    if (found := _by_scalar.get(scalar)) is None:
        return None
    node, dtype, state = found
    if dtype.flags != state[-1]:
        dtype.__setstate__(state)  # type: ignore[attr-defined]  # NumPy's types leave pickling out
    return node


@public(wrap=False)
def as_node(spec: object) -> Node:
    """Return the node that `spec` names.

    Parameters
    ----------
    spec : Node, str, dtype, or type
        A node, a name or code, a NumPy dtype or what converts to one, an object with a dtype, or a Python scalar type
        (weak, except bool).

    Returns
    -------
    Node
        The node; its ``str()`` is its name.
    """
    if isinstance(spec, Node):
        return spec
    if spec is KEY_DTYPE:
        return KEY
    if isinstance(spec, str):
        node = _by_name.get(spec)
        if node is not None:
            return node
    elif isinstance(spec, type) and spec in _BY_TYPE:
        return _BY_TYPE[spec]
    dtype = call_user_code(getattr, spec, "dtype", None)
    try:
        # Dtypes, scalar types, "<f4" and the like are left to NumPy, whose deprecated "a" means bytes.
        structured = isinstance(spec, list | tuple | dict) or (isinstance(spec, str) and spec.startswith("a"))
        found: Any = dtype if isinstance(dtype, np.dtype) or structured else call_user_code(_numpys_dtype, spec)  # pyright: ignore[reportArgumentType]  # others raise
        node = None if structured else node_of_dtype(found)
    except (TypeError, ValueError):
        node = None
    if node is None or spec is None:
        hint = nearest(spec, NODES) if isinstance(spec, str) else ""
        use = hint or "; use a name such as 'int16', 'bfloat16' or 'float*', or a dtype"
        raise TypeError(f"as_node: {describe(spec)} names no dtype that promotion knows{use}")
    return node
