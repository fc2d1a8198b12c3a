"""Functions of trees, under the names of `jax.tree_util`."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

from supremum.jax import _tree
from supremum.jax._tree import REGISTRY, DictKey, FlattenedIndexKey, GetAttrKey, Handler, IsLeaf, PyTreeDef, SequenceKey

__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "Partial", "PyTreeDef", "SequenceKey", "all_leaves",
    "default_registry", "flatten_one_level", "flatten_one_level_with_keys", "is_tree_node", "keystr", "register_dataclass",
    "register_pytree_node", "register_pytree_node_class", "register_pytree_with_keys", "register_pytree_with_keys_class",
    "register_static", "tree_all", "tree_broadcast", "tree_flatten", "tree_flatten_with_path", "tree_leaves",
    "tree_leaves_with_path", "tree_map", "tree_map_with_path", "tree_reduce", "tree_reduce_associative", "tree_structure",
    "tree_transpose", "tree_unflatten", "treedef_children", "treedef_is_leaf", "treedef_tuple",
]  # fmt: skip

C = TypeVar("C", bound=type[Any])
KeyEntry: TypeAlias = Any
KeyPath: TypeAlias = tuple[KeyEntry, ...]
#: Returns the children of a container, or pairs of keys and children, and its data.
_Flatten: TypeAlias = Callable[[Any], tuple[Iterable[Any], Any]]
_MISSING: Final = object()

# -- taking apart and putting together ----------------------------------------------------------------------------------------


tree_flatten = _tree.flatten


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """Put a tree together from its structure and leaves."""
    return treedef.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the leaves of a tree."""
    return _tree.flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: IsLeaf = None) -> PyTreeDef:
    """Return the structure of a tree."""
    return _tree.flatten(tree, is_leaf)[1]


tree_flatten_with_path = _tree.flatten_with_path


def tree_leaves_with_path(tree: Any, is_leaf: IsLeaf = None, is_leaf_takes_path: bool = False) -> list[tuple[KeyPath, Any]]:
    """Return the leaves of a tree, each with its path."""
    return _tree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


def all_leaves(iterable: Iterable[Any], is_leaf: IsLeaf = None) -> bool:
    """Return whether all elements of an iterable are leaves."""
    return all((is_leaf is not None and is_leaf(item)) or _tree.handler_of(item) is None for item in iterable)


def is_tree_node(typ: type) -> bool:
    """Return whether objects of a class are containers in trees."""
    return typ in REGISTRY or (issubclass(typ, tuple) and hasattr(typ, "_fields"))


def _level(tree: Any) -> tuple[list[Any], list[Any], Any]:
    """Return the keys and the children of a container, and its data."""
    handler = _tree.handler_of(tree)
    if handler is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    children, data = _tree.one_level(tree, handler)
    return _tree.child_keys(tree, handler, len(children)), children, data


def flatten_one_level(tree: Any) -> tuple[Iterable[Any], Any]:
    """Return the children of a container and its data."""
    return _level(tree)[1:]


def flatten_one_level_with_keys(tree: Any) -> tuple[Iterable[Any], Any]:
    """Return the children of a container, each with its key, and the container's data."""
    keys, children, data = _level(tree)
    return list(zip(keys, children, strict=True)), data


def treedef_tuple(treedefs: Iterable[PyTreeDef]) -> PyTreeDef:
    """Return the structure of a tuple of trees of given structures."""
    return PyTreeDef(tuple, None, tuple(treedefs))


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """Return the structures of the children."""
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Return whether a structure is that of a leaf, or has no leaves at its top."""
    return treedef.num_nodes == 1


# -- mapping and reducing -----------------------------------------------------------------------------------------------------


def _up_to(structure: PyTreeDef, name: str, tree: Any, other: Any, is_leaf: IsLeaf) -> list[Any]:
    try:
        return structure.flatten_up_to(other)
    except ValueError as error:
        raise next(_tree.prefix_errors(name, tree, other, is_leaf), error) from None


def tree_map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf = None) -> Any:
    """Apply a function to each leaf of a tree, and to what other trees have in its place."""
    leaves, structure = _tree.flatten(tree, is_leaf)
    columns = [leaves, *[_up_to(structure, "tree_map tree", tree, other, is_leaf) for other in rest]]
    return structure.unflatten([f(*row) for row in zip(*columns, strict=True)])


def tree_map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: IsLeaf = None, is_leaf_takes_path: bool = False
) -> Any:
    """Apply a function to the path and the value of each leaf of a tree, and to what other trees have in its place."""
    pairs, structure = _tree.flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns = [structure.flatten_up_to(other) for other in rest]
    return structure.unflatten([f(path, leaf, *row) for (path, leaf), *row in zip(pairs, *columns, strict=True)])


def tree_reduce(function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _MISSING, is_leaf: IsLeaf = None) -> Any:
    """Combine the leaves of a tree from left to right."""
    start = () if initializer is _MISSING else (initializer,)
    return functools.reduce(function, tree_leaves(tree, is_leaf), *start)


def tree_reduce_associative(
    operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = _MISSING, is_leaf: IsLeaf = None
) -> Any:
    """Combine the leaves of a tree by an associative function, in pairs."""
    leaves = tree_leaves(tree, is_leaf)
    if not leaves:
        if identity is _MISSING:
            raise TypeError("tree_reduce_associative() of an empty tree needs an identity")
        return identity
    while len(leaves) > 1:
        pairs = [operation(a, b) for a, b in zip(leaves[::2], leaves[1::2], strict=False)]
        leaves = pairs + leaves[len(pairs) * 2 :]
    return leaves[0]


def tree_all(tree: Any, *, is_leaf: IsLeaf = None) -> bool:
    """Return whether all leaves of a tree are true."""
    return all(tree_leaves(tree, is_leaf))


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf = None) -> Any:
    """Repeat the leaves of a tree so that it has the structure of another, of which it is a prefix."""
    return tree_structure(full_tree).unflatten(broadcast_prefix(prefix_tree, full_tree, is_leaf))


def broadcast_prefix(prefix_tree: Any, full_tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """Return the leaves of a prefix of a tree, each as often as there are leaves in its place."""
    leaves, structure = _tree.flatten(prefix_tree, is_leaf)
    subtrees = _up_to(structure, "broadcast_prefix prefix_tree", prefix_tree, full_tree, is_leaf)
    return [leaf for leaf, subtree in zip(leaves, subtrees, strict=True) for _ in tree_leaves(subtree)]


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """Exchange the outer and the inner structure of a tree of trees."""
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    inner, outer = inner_treedef.num_leaves, outer_treedef.num_leaves
    leaves, structure = _tree.flatten(pytree_to_transpose)
    if structure.num_leaves != inner * outer:
        raise TypeError(f"Mismatch\n{structure}\n != \n{outer_treedef.compose(inner_treedef)}")
    rows = [leaves[i : i + inner] for i in range(0, len(leaves), inner)]
    return inner_treedef.unflatten([outer_treedef.unflatten(column) for column in zip(*rows, strict=True)])


# -- paths --------------------------------------------------------------------------------------------------------------------


def keystr(keys: KeyPath, *, simple: bool = False, separator: str = "") -> str:
    """Return a path as text."""
    return separator.join([_simple(key) if simple else str(key) for key in keys])


def _simple(key: Any) -> str:
    names = {SequenceKey: "idx", DictKey: "key", GetAttrKey: "name", FlattenedIndexKey: "key"}
    return str(getattr(key, names[type(key)]) if type(key) in names else key)


# -- classes of containers ----------------------------------------------------------------------------------------------------


def register_pytree_node(
    nodetype: type,
    flatten_func: _Flatten,
    unflatten_func: Callable[[Any, Any], Any],
    flatten_with_keys_func: _Flatten | None = None,
) -> None:
    """Register a class of containers by the functions that take them apart and put them together."""
    if not all(map(callable, (flatten_func, unflatten_func))):
        raise TypeError(f"register_pytree_node: expected functions, got {flatten_func!r} and {unflatten_func!r}")
    keys = None if flatten_with_keys_func is None else lambda tree: [key for key, _ in flatten_with_keys_func(tree)[0]]
    _tree.register(nodetype, Handler(flatten_func, unflatten_func, keys))


def register_pytree_node_class(cls: C) -> C:
    """Register a class with the methods ``tree_flatten`` and ``tree_unflatten``; a decorator."""
    kind: Any = cls
    register_pytree_node(cls, lambda tree: tree.tree_flatten(), kind.tree_unflatten)
    return cls


def register_pytree_with_keys(
    nodetype: type,
    flatten_with_keys: _Flatten,
    unflatten_func: Callable[[Any, Any], Any],
    flatten_func: _Flatten | None = None,
) -> None:
    """Register a class of containers whose children have keys."""

    def without_keys(tree: Any) -> tuple[Iterable[Any], Any]:
        pairs, data = flatten_with_keys(tree)
        return [child for _, child in pairs], data

    register_pytree_node(nodetype, flatten_func or without_keys, unflatten_func, flatten_with_keys)


def register_pytree_with_keys_class(cls: C) -> C:
    """Register a class with the methods ``tree_flatten_with_keys`` and ``tree_unflatten``; a decorator."""
    kind: Any = cls
    plain = (lambda tree: tree.tree_flatten()) if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, lambda tree: tree.tree_flatten_with_keys(), kind.tree_unflatten, plain)
    return cls


def register_dataclass(
    nodetype: Any,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    drop_fields: Sequence[str] = (),
) -> Any:
    """Register a class whose fields are children (`data_fields`) or part of the structure (`meta_fields`).

    Both follow from a dataclass: a field with ``metadata={"static": True}`` is part of the structure.
    """
    if data_fields is None or meta_fields is None:
        if (data_fields is None) != (meta_fields is None):
            raise TypeError("register_dataclass: data_fields and meta_fields must both be specified when either is specified.")
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError(
                "register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass. "
                f"Got {nodetype!r}."
            )
        fields = [field for field in dataclasses.fields(nodetype) if field.init]
        data_fields = [field.name for field in fields if not field.metadata.get("static", False)]
        meta_fields = [field.name for field in fields if field.metadata.get("static", False)]
        drop_fields = ()
    data, meta = tuple(data_fields), tuple(meta_fields)
    cls: Any = nodetype  # which the checks of dataclasses would make an instance of one, for type checkers
    if both := set(data) & set(meta):
        raise ValueError(f"data_fields and meta_fields must not overlap. Overlapping fields: {both}")
    if dataclasses.is_dataclass(nodetype):
        known = {field.name for field in dataclasses.fields(nodetype) if field.init} - set(drop_fields)
        if set(data) | set(meta) != known:
            extra, lacking = sorted((set(data) | set(meta)) - known), sorted(known - set(data) - set(meta))
            text = f"Unexpected extra fields: {extra}. " * bool(extra) + f"Missing fields: {lacking}. " * bool(lacking)
            raise ValueError(
                f"data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them. {text}"
            )

    def take_apart(tree: Any) -> tuple[Iterable[Any], Any]:
        return [getattr(tree, name) for name in data], tuple([getattr(tree, name) for name in meta])

    def put_together(values: Any, children: Any) -> Any:
        return cls(**dict(zip(meta, values, strict=True)), **dict(zip(data, children, strict=True)))

    _tree.register(cls, Handler(take_apart, put_together, lambda _: [GetAttrKey(name) for name in data]))
    return nodetype


def register_static(cls: C) -> C:
    """Register a class whose objects are part of the structure and have no leaves; a decorator."""
    _tree.register(cls, Handler(lambda tree: ((), tree), lambda tree, _: tree, lambda _: []))
    return cls


class _Boxed:
    """A `functools.partial` that another one does not merge with itself, because it is part of a tree's structure."""

    def __init__(self, func: functools.partial[Any]) -> None:
        self.inner = func

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.inner(*args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return bool(self.inner == (other.inner if isinstance(other, _Boxed) else other))

    def __hash__(self) -> int:
        return hash(self.inner)

    def __repr__(self) -> str:
        return repr(self.inner)


class Partial(functools.partial):  # type: ignore[type-arg]  # a subclass cannot name its parameter and stay callable
    """A `functools.partial` that is a container in trees: its arguments are its children."""

    def __new__(cls, func: Callable[..., Any], /, *args: Any, **kw: Any) -> Any:
        """Bind arguments to a function."""
        return super().__new__(cls, _Boxed(func) if isinstance(func, functools.partial) else func, *args, **kw)


register_pytree_node(Partial, lambda p: ((p.args, p.keywords), p.func), lambda func, xs: Partial(func, *xs[0], **xs[1]))


class _Registry:
    """The registry of containers as an object, as JAX's has methods."""

    flatten = staticmethod(_tree.flatten)
    flatten_with_path = staticmethod(_tree.flatten_with_path)
    register_node = staticmethod(register_pytree_node)

    def flatten_one_level(self, tree: Any) -> tuple[Iterable[Any], Any] | None:
        """Return the children of a container and its data; None for a leaf."""
        handler = _tree.handler_of(tree)
        return None if handler is None else _tree.one_level(tree, handler)

    def is_node(self, tree: Any) -> bool:
        """Return whether an object is a container."""
        return _tree.handler_of(tree) is not None


default_registry: Final = _Registry()
