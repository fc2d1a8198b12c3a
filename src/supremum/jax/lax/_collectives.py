"""Collective functions of `lax`: operations along an axis that `vmap` has named."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum.jax import _tree
from supremum.jax._batching import Batched, MappedAxis, mapped_axis, unbound, with_node
from supremum.jax._dual import Dual, Level, Record
from supremum.jax._modules import named


def _axes(axis_name: Any) -> list[MappedAxis]:
    return [mapped_axis(name) for name in (axis_name if isinstance(axis_name, tuple | list) else (axis_name,))]


def axis_index(axis_name: Any) -> Any:
    """Return the position along a named axis."""
    index: Any = 0
    for axis in _axes(axis_name):
        if axis.in_rule:
            raise unbound(axis.name)
        positions = xp.arange(axis.size, dtype="int32")
        index = index * axis.size + (Batched(axis, positions) if axis.position is None else positions[axis.position])
    return index


def axis_size(axis_name: Any) -> int:
    """Return the length of a named axis."""
    return math.prod([axis.size for axis in _axes(axis_name)])


def _along(axis: MappedAxis, x: Any, compute: Callable[[Any, int], Any], *, symmetric: bool = False) -> Any:
    """Call a function with the values of all positions along the first axis, and the number of axes of inner `vmap`s.

    A `symmetric` function is a linear one of which the cotangents are the same at all positions.
    """
    if axis.position is not None and axis.size > 1:
        raise NotImplementedError(
            f"vmap: a collective function along axis {axis.name!r} is called by a function that is called for each position"
        )
    inner = []
    while type(x) is Batched and x.axis.level > axis.level:
        inner.append(x.axis)
        x = x.value
    result = _computed(axis, x, lambda values: compute(values, len(inner)), symmetric)
    if axis.position is not None and type(result) is Batched and result.axis is axis:
        result = result.part()
    for one in reversed(inner):
        result = Batched(one, result)
    return result


def _values(axis: MappedAxis, x: Any) -> Any:
    """Return the values of all positions along the first axis."""
    return x.value if type(x) is Batched and x.axis is axis else xp.broadcast_to(x, (axis.size, *x.shape))


def _computed(axis: MappedAxis, x: Any, compute: Callable[[Any], Any], symmetric: bool) -> Any:
    """Call a function with the values of all positions; within a derivative, with their tangents."""
    if type(x) is not Dual or x.level.number < axis.level:
        return compute(_values(axis, x))
    result, taped = _computed(axis, x.primal, compute, symmetric), x.level.tape is not None
    level, start = Level(taped=taped), Record()
    values = _values(axis, x.primal)
    found = compute(Dual(level, values, start if taped else _values(axis, x.tangent)))
    moved = _values(axis, found)
    if not taped:
        return Dual(x.level, result, Batched(axis, moved.tangent))

    def pull(cotangent: Any) -> Any:
        level.backward([moved], [_values(axis, cotangent)])
        gradient, start.cotangent = start.cotangent, None
        return gradient[0] if symmetric else Batched(axis, gradient)

    return x.level.taped(result, [(x.tangent, pull)])


def _groups(groups: Any, axis: MappedAxis) -> list[list[int]]:
    """Return which positions exchange values."""
    found = [list(range(axis.size))] if groups is None else [list(group) for group in groups]
    if sorted(i for group in found for i in group) != list(range(axis.size)):
        raise ValueError(f"axis_index_groups must cover all indices of the axis of length {axis.size} once, got {groups}")
    return found


def _in_groups(axis: MappedAxis, given: Any, values: Any, compute: Callable[[Any], list[Any]]) -> Any:
    """Return what a function makes of the values of each group of positions, one for each position, as a batch."""
    groups = _groups(given, axis)
    found = {i: x for group in groups for i, x in zip(group, compute(values[np.array(group)]), strict=True)}
    return Batched(axis, xp.stack([found[i] for i in range(axis.size)]))


def _reduced(x: Any, axis_name: Any, groups: Any, combine: Callable[[Any], Any], linear: bool) -> Any:
    leaves, structure = _tree.flatten(x)
    arrays = [xp.asarray(leaf) for leaf in leaves]
    for axis in _axes(axis_name):
        total = functools.partial(_totals, axis, groups, combine)
        arrays = [_along(axis, a, total, symmetric=linear and groups is None) for a in arrays]
    return structure.unflatten(arrays)


def _totals(axis: MappedAxis, given: Any, combine: Callable[[Any], Any], values: Any, _inner: int) -> Any:
    def total(part: Any) -> Any:
        found = combine(part)
        return with_node(found, found._node.weak_form) if part._node.weak and not found._node.weak else found

    return total(values) if given is None else _in_groups(axis, given, values, lambda part: [total(part)] * len(part))


def _reducing(name: str, words: str, combine: Callable[[Any], Any], *, linear: bool = False) -> Callable[..., Any]:
    def function(x: Any, axis_name: Any, *, axis_index_groups: Any = None) -> Any:
        return _reduced(x, axis_name, axis_index_groups, combine, linear)

    return named(function, "jax.lax", name, f"Return the {words} over the positions along a named axis.")


psum = _reducing("psum", "sum", lambda s: xp.sum(s, axis=0, dtype=s.dtype if s.dtype != "bool" else None), linear=True)
pmean = _reducing("pmean", "mean", lambda s: xp.mean(s, axis=0), linear=True)
pmax = _reducing("pmax", "maximum", lambda s: xp.max(s, axis=0))
pmin = _reducing("pmin", "minimum", lambda s: xp.min(s, axis=0))


def _exchanged(x: Any, axis_name: Any, compute: Callable[[MappedAxis, Any, int], Any]) -> Any:
    leaves, structure = _tree.flatten(x)
    axis = mapped_axis(axis_name[0] if isinstance(axis_name, tuple) else axis_name)
    return structure.unflatten([_along(axis, xp.asarray(leaf), lambda v, k: compute(axis, v, k)) for leaf in leaves])


def _place(number: int, ndim: int, inner: int) -> int:
    """Return an axis of one position, counted from the axes of inner `vmap`s on."""
    if not -ndim <= number < ndim:
        raise ValueError(f"axis {number} is out of bounds for array of dimension {ndim}")
    return number % ndim + inner


def all_gather(
    x: Any, axis_name: Any, *, axis_index_groups: Any = None, axis: int = 0, tiled: bool = False, to: str = "varying"
) -> Any:
    """Return the values of all positions along a named axis, stacked or joined."""

    def compute(mapped: MappedAxis, values: Any, inner: int) -> Any:
        place = _place(axis, values.ndim - 1 - inner + (not tiled), inner)

        def joined(part: Any) -> Any:
            return xp.concatenate(list(part), axis=place) if tiled else xp.moveaxis(part, 0, place)

        if axis_index_groups is None:
            return joined(values)
        return _in_groups(mapped, axis_index_groups, values, lambda part: [joined(part)] * len(part))

    return _exchanged(x, axis_name, compute)


def ppermute(x: Any, axis_name: Any, perm: Any) -> Any:
    """Return the value of the position that `perm`, pairs of source and target, sends here; zeros if none does."""

    def compute(axis: MappedAxis, values: Any, _inner: int) -> Any:
        sources = np.full(axis.size, -1)
        for source, target in perm:
            sources[target] = source
        here = xp.asarray((sources >= 0).reshape((-1,) + (1,) * (values.ndim - 1)))
        return Batched(axis, xp.where(here, values[sources], xp.zeros_like(values)))

    return _exchanged(x, axis_name, compute)


def pshuffle(x: Any, axis_name: Any, perm: Any) -> Any:
    """Return the value of the position that `perm` lists here."""
    return _exchanged(x, axis_name, lambda axis, values, _: Batched(axis, values[np.array(list(perm))]))


def pbroadcast(x: Any, axis_name: Any, source: int) -> Any:
    """Return the value of one position."""
    return _exchanged(x, axis_name, lambda _axis, values, _: values[source])


def all_to_all(
    x: Any, axis_name: Any, split_axis: int, concat_axis: int, *, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """Exchange a named axis with an axis of the values."""

    def compute(axis: MappedAxis, values: Any, inner: int) -> Any:
        count, ndim = len(_groups(axis_index_groups, axis)[0]), values.ndim - 1 - inner
        split, joined = _place(split_axis, ndim, inner), _place(concat_axis, ndim, inner)
        length = values.shape[split + 1]
        if tiled and length % count:
            raise ValueError(f"all_to_all: the size {length} of split_axis is no multiple of that of {axis_name}, {count}")
        if not tiled and length != count:
            raise ValueError(
                "all_to_all requires the size of the mapped axis axis_name to equal x.shape[split_axis], but they are "
                f"{count} and {length} respectively."
            )
        if axis_index_groups is None and not tiled:
            return Batched(axis, xp.moveaxis(xp.moveaxis(values, split + 1, 0), 1, joined + 1))

        def exchanged(of_group: Any) -> list[Any]:
            parts = zip(*[xp.split(one, count, axis=split) for one in of_group], strict=True)
            if tiled:
                return [xp.concatenate(part, axis=joined) for part in parts]
            return [xp.stack([xp.squeeze(one, axis=split) for one in part], axis=joined) for part in parts]

        return _in_groups(axis, axis_index_groups, values, exchanged)

    return _exchanged(x, axis_name, compute)


def pswapaxes(x: Any, axis_name: Any, axis: int, *, axis_index_groups: Any = None) -> Any:
    """Exchange a named axis with an axis of the values."""
    return all_to_all(x, axis_name, axis, axis, axis_index_groups=axis_index_groups)


def psum_scatter(
    x: Any, axis_name: Any, *, scatter_dimension: int = 0, axis_index_groups: Any = None, tiled: bool = False
) -> Any:
    """Return this position's part of the sum over a named axis."""

    def compute(axis: MappedAxis, values: Any, inner: int) -> Any:
        place = _place(scatter_dimension, values.ndim - 1 - inner, inner)

        def scattered(of_group: Any) -> list[Any]:
            parts = xp.split(xp.sum(of_group, axis=0, dtype=values.dtype), len(of_group), axis=place)
            return [part if tiled else xp.squeeze(part, axis=place) for part in parts]

        return _in_groups(axis, axis_index_groups, values, scattered)

    return _exchanged(x, axis_name, compute)
