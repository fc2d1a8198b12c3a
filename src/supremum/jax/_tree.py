"""Trees: nested containers whose leaves are arrays, taken apart and put together again, as in `jax.tree_util`.

A registry has a `Handler` for each class of containers. `PyTreeDef` is the structure of a tree without its leaves.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from supremum import Array

Children = Iterable[Any]
IsLeaf = Callable[..., bool] | None
Path = tuple[Any, ...]


# -- keys of paths ------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """The position of a child in a list or tuple."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclasses.dataclass(frozen=True)
class DictKey:
    """The key of a child in a dictionary."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """The name of the attribute that a child is."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclasses.dataclass(frozen=True)
class FlattenedIndexKey:
    """The number of a child of a container that does not name its children."""

    key: int

    def __hash__(self) -> int:  # in JAX another one than those of other keys
        return hash((FlattenedIndexKey, self.key))

    def __str__(self) -> str:
        return f"[<flat index {self.key!r}>]"


# -- the registry -------------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Handler:
    """How containers of one class are taken apart and put together again."""

    flatten: Callable[[Any], Any]
    unflatten: Callable[[Any, Any], Any]
    #: Returns the keys of the children, if the class has any.
    keys: Callable[[Any], list[Any]] | None = None
    #: Whether the class is one of Python's, which print as they are written.
    builtin: bool = False


def _sorted_keys(tree: Any) -> list[Any]:
    try:
        return sorted(tree)
    except TypeError:
        raise ValueError("Comparator raised exception while sorting pytree dictionary keys.") from None


def _flatten_dict(tree: Any) -> tuple[Children, Any]:
    keys = _sorted_keys(tree)
    return [tree[key] for key in keys], tuple(keys)


def _positions(tree: Any) -> list[Any]:
    return [SequenceKey(i) for i in range(len(tree))]


def _dict_keys(tree: Any) -> list[Any]:
    return [DictKey(key) for key in _sorted_keys(tree)]


def _pairs(keys: Any, children: Any) -> Any:
    return zip(keys, children, strict=True)


REGISTRY: Final[dict[type, Handler]] = {
    type(None): Handler(lambda _: ((), None), lambda _d, _c: None, lambda _: [], builtin=True),
    tuple: Handler(lambda tree: (tree, None), lambda _, children: tuple(children), _positions, builtin=True),
    list: Handler(lambda tree: (tree, None), lambda _, children: list(children), _positions, builtin=True),
    dict: Handler(_flatten_dict, lambda keys, children: dict(_pairs(keys, children)), _dict_keys, builtin=True),
    collections.OrderedDict: Handler(
        lambda tree: (tree.values(), tuple(tree)),
        lambda keys, children: collections.OrderedDict(_pairs(keys, children)),
        lambda tree: [DictKey(key) for key in tree],
    ),
    collections.defaultdict: Handler(
        lambda tree: (_flatten_dict(tree)[0], (tree.default_factory, tuple(_sorted_keys(tree)))),
        lambda data, children: collections.defaultdict(data[0], _pairs(data[1], children)),
        _dict_keys,
    ),
}  # fmt: skip


#: Classes that are none of containers: Python's numbers, and those of this package that were seen.
_LEAVES: Final[set[type]] = {Array, bool, int, float, complex}
#: The classes of arrays and of operands, which are leaves: the modules of operands add theirs. `isinstance` is slow for these.
ARRAYS: Final[set[type]] = {Array}


@functools.cache
def _of_namedtuple(kind: Any) -> Handler:
    return Handler(
        lambda tree: (tree, None),
        lambda _, children: kind(*children),
        lambda tree: [GetAttrKey(name) for name in tree._fields],
    )


def handler_of(tree: Any) -> Handler | None:
    """Return the handler of the class of an object; None if the object is a leaf."""
    kind: Any = type(tree)
    if kind in _LEAVES:
        return None
    found = REGISTRY.get(kind)
    if found is None and isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return _of_namedtuple(type(tree))
    if found is None and str(kind.__module__).startswith("supremum."):
        if not hasattr(kind, "tree_flatten"):
            _LEAVES.add(kind)
        else:  # a container of this package, such as `scipy.stats.gaussian_kde`: registered when it is first found
            found = REGISTRY[kind] = Handler(lambda tree: tree.tree_flatten(), kind.tree_unflatten)
    return found


def register(kind: type, handler: Handler) -> None:
    """Register a class of containers; raise ValueError if it is registered already."""
    if not isinstance(kind, type):
        raise TypeError(f"register_pytree_node: expected a class, got {kind!r}")
    if kind in REGISTRY:
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {kind!r}.")
    REGISTRY[kind] = handler
    _LEAVES.discard(kind)


def one_level(tree: Any, handler: Handler) -> tuple[list[Any], Any]:
    """Return the children and the data of a container."""
    given = handler.flatten(tree)
    if not (isinstance(given, tuple) and len(given) == 2):
        raise ValueError(
            f"The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple, got {given!r}"
        )
    try:
        return list(given[0]), given[1]
    except TypeError:
        raise ValueError(
            f"The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple "
            f"where 'children' is "
            f"iterable, got {given!r}"
        ) from None


def child_keys(tree: Any, handler: Handler, count: int) -> list[Any]:
    """Return the keys of the children of a container."""
    return [FlattenedIndexKey(i) for i in range(count)] if handler.keys is None else handler.keys(tree)


def static(**options: Any) -> Any:
    """Declare a field of a dataclass that is part of the structure, for `register_dataclass`."""
    metadata = options.pop("metadata", None) or {}
    return dataclasses.field(**options, metadata={"static": True, **metadata})


# -- structures ---------------------------------------------------------------------------------------------------------------


class PyTreeDef:
    """The structure of a tree: what it is made of, without its leaves."""

    __slots__ = ("_children", "_data", "_hash", "_kind", "_shallow", "_shared", "num_leaves", "num_nodes")

    def __init__(self, kind: type | None, data: Any, children: tuple[PyTreeDef, ...]) -> None:
        #: The class of the container; None for a leaf.
        self._kind = kind
        self._data = data
        self._children = children
        self.num_leaves: int = 1 if kind is None else sum(child.num_leaves for child in children)
        self.num_nodes: int = 1 + sum(child.num_nodes for child in children)
        #: Whether the tree is a tuple or list of leaves, which is put together by its class alone.
        self._shallow: bool = (kind is tuple or kind is list) and self.num_leaves == len(children) == self.num_nodes - 1
        self._hash = hash((kind, children))  # as in JAX, whose data need not be hashable
        #: Whether all equal structures that `flatten` returns are this object.
        self._shared = kind is None

    @classmethod
    def from_node_data_and_children(cls, _registry: Any, node_data: Any, children: Iterable[PyTreeDef]) -> PyTreeDef:
        """Make a structure of the class and the data of a container and its children's structures."""
        if node_data is None:
            return LEAF
        kind, data = node_data
        return cls(kind, tuple(data) if kind is dict else data, tuple(children))

    def node_data(self) -> tuple[type, Any] | None:
        """Return the class and the data of the outermost container; None for a leaf."""
        if self._kind is None:
            return None
        return (self._kind, list(self._data) if self._kind is dict else self._data)

    def children(self) -> list[PyTreeDef]:
        """Return the structures of the children."""
        return list(self._children)

    def _handler(self) -> Handler:
        kind: Any = self._kind
        return REGISTRY[kind] if kind in REGISTRY else _of_namedtuple(kind)

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self._kind is None:
            return next(leaves)
        if self._shallow:
            return self._kind(itertools.islice(leaves, len(self._children)))
        children = [child._build(leaves) for child in self._children]
        if self._kind is list or self._kind is tuple:
            return self._kind(children)
        return self._handler().unflatten(self._data, tuple(children))

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Put a tree together from its leaves."""
        given = leaves if type(leaves) is list else list(leaves)
        if len(given) != self.num_leaves:
            if len(given) < self.num_leaves:
                raise ValueError(f"Too few leaves for PyTreeDef; expected {self.num_leaves}, got {len(given)}")
            raise ValueError(f"Too many leaves for PyTreeDef; expected {self.num_leaves}.")
        if self._kind is None:
            return given[0]
        return self._kind(given) if self._shallow else self._build(iter(given))

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """Return the subtrees of a tree that are where this structure has leaves."""
        out: list[Any] = []
        self._flatten_up_to(tree, out)
        return out

    def _flatten_up_to(self, tree: Any, out: list[Any]) -> None:
        if self._kind is None:
            out.append(tree)
            return
        if type(tree) is not self._kind:
            if self._kind is type(None):
                raise ValueError(
                    f"Expected None, got {tree!r}.\n\nIn previous releases of JAX, flatten-up-to used to "
                    f"consider None to be a tree-prefix of any value."
                )
            raise ValueError(f"Expected {self._kind.__name__}, got {tree!r}.")
        children, data = one_level(tree, self._handler())
        if len(children) != len(self._children):
            raise ValueError(
                f"{self._kind.__name__} arity mismatch: {len(children)} != {len(self._children)}; "
                f"{self._kind.__name__}: {tree!r}."
            )
        if data != self._data:
            what = "dict key" if issubclass(self._kind, dict) else "custom node data"
            raise ValueError(f"Mismatch {what}: expected {self._data!r}, got {data!r}; value: {tree!r}.")
        for expected, child in zip(self._children, children, strict=True):
            expected._flatten_up_to(child, out)

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """Return the structure that has `inner` in place of each leaf."""
        if self._kind is None:
            return inner
        return PyTreeDef(self._kind, self._data, tuple([child.compose(inner) for child in self._children]))

    def walk(self, f_node: Callable[..., Any], f_leaf: Callable[..., Any] | None, leaves: Iterable[Any]) -> Any:
        """Apply a function to the leaves, and one to the children and data of each container, innermost first."""
        given = iter(leaves)

        def visit(node: PyTreeDef) -> Any:
            if node._kind is None:
                leaf = next(given)
                return leaf if f_leaf is None else f_leaf(leaf)
            data = None if (found := node.node_data()) is None else found[1]
            return f_node(tuple([visit(child) for child in node._children]), data)

        return visit(self)

    def from_iterable_tree(self, tree: Any) -> Any:
        """Make a tree of this structure from one of nested iterables."""
        if self._kind is None:
            return tree
        children = [child.from_iterable_tree(part) for child, part in zip(self._children, tree, strict=True)]
        return self._handler().unflatten(self._data, tuple(children))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PyTreeDef):
            return NotImplemented
        if self._kind is not other._kind:
            return False
        try:
            same = bool(self._data == other._data)
        except Exception as error:
            msg = (
                "Exception raised while checking equality of metadata fields of pytree. Make sure that "
                "metadata fields are hashable"
            )
            raise ValueError(f"{msg} and have simple equality semantics.") from error
        return same and self._children == other._children

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        return (PyTreeDef, (self._kind, self._data, self._children))

    def _text(self) -> str:
        kind = self._kind
        if kind is None:
            return "*"
        parts = [child._text() for child in self._children]
        if kind is type(None):
            return "None"
        if kind is tuple:
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
        if kind is list:
            return f"[{', '.join(parts)}]"
        if kind is dict:
            return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(self._data, parts, strict=True)) + "}"
        name = f"namedtuple[{kind.__name__}]" if kind not in REGISTRY else f"{kind.__name__}[{self._data}]"
        return f"CustomNode({name}, [{', '.join(parts)}])"

    def __repr__(self) -> str:
        return f"PyTreeDef({self._text()})"


#: The structure of a leaf.
LEAF: Final = PyTreeDef(None, None, ())


def flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], PyTreeDef]:
    """Return the leaves of a tree and its structure."""
    leaves: list[Any] = []
    return leaves, _structure(tree, is_leaf, leaves)


def mapped(fun: Callable[[Any], Any], tree: Any) -> Any:
    """Return a tree with what a function makes of its leaves."""
    leaves, structure = flatten(tree)
    return structure.unflatten([fun(x) for x in leaves])


def _structure(tree: Any, is_leaf: IsLeaf, leaves: list[Any]) -> PyTreeDef:
    kind: Any = type(tree)
    if is_leaf is None and (kind is tuple or kind is list):  # as most are
        if ARRAYS.issuperset(map(type, tree)):
            leaves += tree
            return _of_leaves(kind, len(tree))
        found = tuple([_structure(child, None, leaves) for child in tree])
        return _shared(kind, None, found) if False not in [child._shared for child in found] else PyTreeDef(kind, None, found)
    handler = None if is_leaf is not None and is_leaf(tree) else handler_of(tree)
    if handler is None:
        leaves.append(tree)
        return LEAF
    given: Any = (tree, None) if kind is tuple or kind is list else one_level(tree, handler)
    children, data = given
    found = tuple([_structure(child, is_leaf, leaves) for child in children])
    if (
        handler.builtin
        and False not in [child._shared for child in found]
        and (kind is not dict or {*map(type, data)} <= _NAMES)
    ):
        return _shared(kind, data, found)
    return PyTreeDef(kind, data, found)


#: The types of keys that may be those of an equal structure.
_NAMES: Final = {str}


@functools.lru_cache(maxsize=1024)
def _shared(kind: type, data: Any, children: tuple[PyTreeDef, ...]) -> PyTreeDef:
    """Return the structure of a container of Python's; the same object for equal ones."""
    found = PyTreeDef(kind, data, children)
    found._shared = True
    return found


@functools.lru_cache(maxsize=1024)
def _of_leaves(kind: type, count: int) -> PyTreeDef:
    """Return the structure of a list or tuple of leaves."""
    return _shared(kind, None, (LEAF,) * count)


def flatten_with_path(
    tree: Any, is_leaf: IsLeaf = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[Path, Any]], PyTreeDef]:
    """Return the leaves of a tree, each with its path, and the structure."""
    pairs: list[tuple[Path, Any]] = []

    def visit(node: Any, path: Path) -> PyTreeDef:
        stop = is_leaf is not None and (is_leaf(path, node) if is_leaf_takes_path else is_leaf(node))
        handler = None if stop else handler_of(node)
        if handler is None:
            pairs.append((path, node))
            return LEAF
        children, data = one_level(node, handler)
        keys = child_keys(node, handler, len(children))
        return PyTreeDef(type(node), data, tuple([visit(c, (*path, k)) for k, c in zip(keys, children, strict=True)]))

    return pairs, visit(tree, ())


def prefix_errors(name: str, prefix: Any, full: Any, is_leaf: IsLeaf = None, path: Path = ()) -> Iterator[ValueError]:
    """Yield an error for each place where one tree is no prefix of another."""
    handler = None if is_leaf is not None and is_leaf(prefix) else handler_of(prefix)
    if handler is None:
        return
    if error := _mismatch(prefix, full, handler, f"{name}{''.join(map(str, path))}", name):
        yield ValueError(f"pytree structure error: different {error}")
        return
    mine, other = (one_level(tree, handler)[0] for tree in (prefix, full))
    for key, a, b in zip(child_keys(prefix, handler, len(mine)), mine, other, strict=True):
        yield from prefix_errors(name, a, b, is_leaf, (*path, key))


def _mismatch(prefix: Any, full: Any, handler: Handler, path: str, name: str) -> str:
    """Return what differs between two containers at a path; nothing if they are of one structure."""
    where = f"at key path\n    {path}\nAt that key path, the prefix pytree {name} has a subtree of type"
    if type(prefix) is not type(full):
        return (
            f"types {where}\n    {type(prefix)}\n"
            f"but at the same key path the full pytree has a subtree of different type\n    {type(full)}."
        )
    (mine, data), (other, other_data) = one_level(prefix, handler), one_level(full, handler)
    kind = type(prefix).__name__
    if len(mine) != len(other) and isinstance(prefix, list | tuple):
        return (
            f"lengths of {kind} {where} {kind} of length {len(mine)}, but the full pytree has a subtree of the same type but "
            f"of length {len(other)}."
        )
    if len(mine) != len(other):
        pairs = [(prefix, mine), (full, other)]
        keys = [" ".join(str(getattr(k, "key", k)) for k in child_keys(t, handler, len(c))) for t, c in pairs]
        return (
            f"numbers of pytree children {where}\n    {type(prefix)}\nwith {len(mine)} child keys\n    {keys[0]}\n"
            "but at the same key path the full pytree has a subtree of the same type but with "
            f"{len(other)} child keys\n    {keys[1]}\n"
        )
    if data == other_data:
        return ""
    return (
        f"pytree metadata {where}\n    {type(prefix)}\nwith metadata\n    {data}\n"
        f"but at the same key path the full pytree has a subtree of the same type but with metadata\n    {other_data}\n"
    )
