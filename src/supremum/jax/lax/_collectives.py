"""Collective functions of `lax`: they exchange values along an axis that `vmap` has named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from supremum.jax import _tree
from supremum.jax._lanes import Lane, lane_of
from supremum.jax.lax._operands import Array, wrap, xp

__all__ = [
    "all_gather", "all_to_all", "axis_index", "axis_size", "pbroadcast", "pmax", "pmean", "pmin", "ppermute", "pshuffle",
    "psum", "psum_scatter", "pswapaxes",
]  # fmt: skip


def _lanes(axis_name: Any) -> list[Lane]:
    return [lane_of(name) for name in (axis_name if isinstance(axis_name, tuple | list) else (axis_name,))]


def axis_index(axis_name: Any) -> Array:
    """Return the position along a named axis."""
    index = 0
    for lane in _lanes(axis_name):
        index = index * lane.size + lane.position
    return xp.asarray(index, dtype="int32")


def axis_size(axis_name: Any) -> int:
    """Return the length of a named axis."""
    size = 1
    for lane in _lanes(axis_name):
        size *= lane.size
    return size


def _groups(groups: Any, lane: Lane) -> list[int]:
    """Return the positions that exchange values with this one."""
    if groups is None:
        return list(range(lane.size))
    return next(list(group) for group in groups if lane.position in group)


def _reduced(x: Any, axis_name: Any, groups: Any, combine: Callable[[Array], Array]) -> Any:
    leaves, structure = _tree.flatten(x)
    arrays = [xp.asarray(leaf) for leaf in leaves]
    for lane in _lanes(axis_name):
        columns = [lane.exchange(a) for a in arrays]
        arrays = [_as_weak(combine(xp.stack([column[i] for i in _groups(groups, lane)])), column) for column in columns]
    return structure.unflatten(arrays)


def _as_weak(result: Array, column: list[Array]) -> Array:
    """Return a result that is weak if the operands were."""
    node = result._node
    return wrap(result._data, node.weak_form) if all(x._node.weak for x in column) and not node.weak else result


def psum(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the sum over the positions along a named axis."""
    return _reduced(x, axis_name, axis_index_groups, lambda s: xp.sum(s, axis=0, dtype=s.dtype if s.dtype != "bool" else None))


def pmean(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the mean over the positions along a named axis."""
    return _reduced(x, axis_name, axis_index_groups, lambda s: xp.mean(s, axis=0))


def pmax(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the maximum over the positions along a named axis."""
    return _reduced(x, axis_name, axis_index_groups, lambda s: xp.max(s, axis=0))


def pmin(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
    """Return the minimum over the positions along a named axis."""
    return _reduced(x, axis_name, axis_index_groups, lambda s: xp.min(s, axis=0))


def _exchanged(x: Any, axis_name: Any, choose: Callable[[Lane, list[Array]], Array]) -> Any:
    leaves, structure = _tree.flatten(x)
    lane = lane_of(axis_name[0] if isinstance(axis_name, tuple) else axis_name)
    return structure.unflatten([choose(lane, lane.exchange(xp.asarray(leaf))) for leaf in leaves])


def all_gather(
    x: Any,
    axis_name: Any,
    *,
    axis_index_groups: Any = None,
    axis: int = 0,
    tiled: bool = False,
    to: str = "varying",
) -> Any:
    """Return the values of all positions along a named axis, stacked or joined."""
    join = xp.concatenate if tiled else xp.stack
    return _exchanged(x, axis_name, lambda lane, all_: join([all_[i] for i in _groups(axis_index_groups, lane)], axis=axis))


def ppermute(x: Any, axis_name: Any, perm: Any) -> Any:
    """Return the value of the position that `perm`, pairs of source and target, sends here; zeros if none does."""

    def choose(lane: Lane, values: list[Array]) -> Array:
        source = next((a for a, b in perm if b == lane.position), None)
        return xp.zeros_like(values[0]) if source is None else values[source]

    return _exchanged(x, axis_name, choose)


def pshuffle(x: Any, axis_name: Any, perm: Any) -> Any:
    """Return the value of the position that `perm` lists here."""
    return _exchanged(x, axis_name, lambda lane, values: values[list(perm)[lane.position]])


def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """Return the value of one position."""
    return _exchanged(x, axis_name, lambda _, values: values[source])


def all_to_all(
    x: Any, axis_name: Any, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """Exchange a named axis with an axis of the values."""

    def choose(lane: Lane, values: list[Array]) -> Array:
        group = _groups(axis_index_groups, lane)
        here = group.index(lane.position)
        length = values[0].shape[split_axis]
        if tiled and length % len(group):
            raise ValueError(
                f"The size of all_to_all split_axis ({length}) has to be divisible by the size of the named axis {axis_name} "
                f"({len(group)})"
            )
        if not tiled and length != len(group):
            raise ValueError(
                "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
                f"{len(group)} and {length} respectively."
            )
        parts = [xp.split(values[i], len(group), axis=split_axis)[here] for i in group]
        if tiled:
            return xp.concatenate(parts, axis=concat_axis)
        return xp.stack([xp.squeeze(part, axis=split_axis) for part in parts], axis=concat_axis)

    return _exchanged(x, axis_name, choose)


def pswapaxes(x: Any, axis_name: Any, axis: int, *, axis_index_groups: Any = None) -> Any:
    """Exchange a named axis with an axis of the values."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def psum_scatter(
    x: Any, axis_name: Any, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """Return this position's part of the sum over a named axis."""

    def choose(lane: Lane, values: list[Array]) -> Array:
        group = _groups(axis_index_groups, lane)
        total = xp.sum(xp.stack([values[i] for i in group]), axis=0, dtype=values[0].dtype)
        part = xp.split(total, len(group), axis=scatter_dimension)[group.index(lane.position)]
        return part if tiled else xp.squeeze(part, axis=scatter_dimension)

    return _exchanged(x, axis_name, choose)
