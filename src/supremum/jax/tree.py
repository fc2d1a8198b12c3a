"""Functions of trees, under the names of `jax.tree`."""

from __future__ import annotations

import dataclasses
from typing import Any

from supremum.jax import tree_util as _util

__all__ = [
    "all", "broadcast", "flatten", "flatten_with_path", "leaves", "leaves_with_path", "map", "map_with_path", "reduce",
    "reduce_associative", "static", "structure", "transpose", "unflatten",
]  # fmt: skip

all = _util.tree_all
broadcast = _util.tree_broadcast
flatten = _util.tree_flatten
flatten_with_path = _util.tree_flatten_with_path
leaves = _util.tree_leaves
leaves_with_path = _util.tree_leaves_with_path
map = _util.tree_map
map_with_path = _util.tree_map_with_path
reduce = _util.tree_reduce
reduce_associative = _util.tree_reduce_associative
structure = _util.tree_structure
transpose = _util.tree_transpose
unflatten = _util.tree_unflatten


def static(**options: Any) -> Any:
    """Declare a field of a dataclass that is part of the structure, for `register_dataclass`."""
    metadata = {"static": True, **(options.pop("metadata", None) or {})}
    return dataclasses.field(**options, metadata=metadata)
