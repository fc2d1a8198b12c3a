"""`ravel_pytree`, under the name of `jax.flatten_util`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import supremum as xp
from supremum import Array
from supremum.jax.tree_util import tree_flatten

__all__ = ["ravel_pytree"]


def ravel_pytree(pytree: Any) -> tuple[Array, Callable[[Array], Any]]:
    """Return the elements of all leaves of a tree as one vector, and the function that makes a tree of such a vector."""
    leaves, structure = tree_flatten(pytree)
    arrays = [xp.asarray(leaf) for leaf in leaves]
    if not arrays:
        return xp.zeros(0, dtype="float32"), lambda _: structure.unflatten([])
    flat = xp.concatenate([x.ravel() for x in arrays])
    same = all(x.dtype == flat.dtype for x in arrays)
    ends = [0]
    for x in arrays:
        ends.append(ends[-1] + x.size)

    def unravel(vector: Array) -> Any:
        if xp.shape(vector) != flat.shape:
            raise ValueError(f"unravel_pytree: expected an array of shape {flat.shape}, got one of shape {xp.shape(vector)}")
        if same:
            return structure.unflatten([vector[a:b].reshape(x.shape) for a, b, x in zip(ends, ends[1:], arrays, strict=False)])
        if vector.dtype != flat.dtype:
            raise TypeError(f"unravel function given array of dtype {vector.dtype}, but expected dtype {flat.dtype}")
        parts = [vector[a:b].reshape(x.shape).astype(x.dtype) for a, b, x in zip(ends, ends[1:], arrays, strict=False)]
        return structure.unflatten(parts)

    return flat, unravel
