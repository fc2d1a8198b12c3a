"""`vmap`: a function is called once for each position along the mapped axes, and the results are stacked.

A function with a rule of its own for `vmap` (`custom_batching.custom_vmap`) is called once for all positions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.errors import describe
from supremum._core.array import wrap
from supremum._core.settings import copied, state
from supremum.jax import _tree
from supremum.jax._lanes import Lane, Lanes
from supremum.jax._values import as_leaf, wraps
from supremum.jax.tree_util import broadcast_prefix

__all__ = ["stacked", "vmap"]


def _is_none(x: object) -> bool:
    return x is None


def vmap(
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> Callable[..., Any]:
    """Return a function that maps `fun` over an axis of its arguments.

    Parameters
    ----------
    fun : callable
        The function; it takes and returns trees of arrays.
    in_axes : int, None, or tree of those
        The axis of each argument to map over; None for arguments that are passed whole. Keyword arguments are mapped over
        axis 0.
    out_axes : int, None, or tree of those
        Where the mapped axis is in the results; None for results that do not depend on the position.
    axis_name : hashable, optional
        A name by which collective functions of `lax` refer to the axis.
    axis_size : int, optional
        The length of the axis; needed if nothing is mapped.
    spmd_axis_name, sum_match : optional
        Ignored.

    Returns
    -------
    callable
        The mapped function.
    """
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {describe(fun)}")
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (type(in_axes) in (tuple, *_tree.REGISTRY) or _is_axis(in_axes)):
        raise TypeError(
            f"vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
            f"arguments, got {describe(in_axes)}."
        )
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if not all(_is_axis(leaf) for leaf in _tree.flatten(axes)[0]):
            raise TypeError(
                f"vmap {name} must be an int, None, or (nested) container with those types as leaves, "
                f"but got {describe(axes)}."
            )

    @wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
                "arguments passed to the "
                f"function, but got {len(in_axes)=}, {len(args)=}"
            )
        leaves, structure = _tree.flatten(args)
        count = len(leaves)
        words, structure_of_words = _tree.flatten(kwargs)
        leaves += words
        axes = _axes_of_arguments(in_axes, args, kwargs, structure) + [0] * len(words)
        if not leaves and axis_size is None:
            raise ValueError(
                "vmap wrapped function must be passed at least one argument containing an array, got empty *args and **kwargs"
            )
        size = _size(leaves, axes, axis_size)
        mapped_leaves = [axis is not None for axis in axes]
        rule = getattr(type(fun), "call_batched", None)
        if rule is not None and any(mapped_leaves):
            batches = [x if axis is None else _with_axis_first(x, axis) for x, axis in zip(leaves, axes, strict=True)]
            given, flags = (
                (structure.unflatten(tree[:count]), structure_of_words.unflatten(tree[count:]))
                for tree in (batches, mapped_leaves)
            )
            out, batched, shape = Lanes(fun, size, axis_name, mapped_leaves).call_rule(rule, fun, size, given, flags)
            return _placed(out, batched, shape, size, out_axes)
        split = [(_split(leaf, axis), axis is not None) for leaf, axis in zip(leaves, axes, strict=True)]

        def call(lane: Lane, position: int) -> tuple[list[Any], _tree.PyTreeDef]:
            lane.parts = parts = [part(position) if is_mapped else part for part, is_mapped in split]
            if not kwargs:
                return _tree.flatten(fun(*structure.unflatten(parts)))
            return _tree.flatten(fun(*structure.unflatten(parts[:count]), **structure_of_words.unflatten(parts[count:])))

        return _joined(Lanes(call, size or 1, axis_name, mapped_leaves).run(), size, out_axes)

    return mapped


def _axes_of_arguments(in_axes: Any, args: tuple[Any, ...], kwargs: Any, structure: _tree.PyTreeDef) -> list[Any]:
    """Return the axis of each leaf of the positional arguments."""
    if type(in_axes) is int:
        return [in_axes] * structure.num_leaves
    if type(in_axes) is tuple and structure.num_leaves == len(args) == structure.num_nodes - 1:
        axes = list(in_axes)  # one for each argument, which are leaves
        if all(axis is None or type(axis) is int for axis in axes):
            return axes
    try:
        return broadcast_prefix((in_axes, 0), (args, kwargs), is_leaf=_is_none)[: structure.num_leaves]
    except ValueError as error:
        raise ValueError(f"vmap in_axes specification must be a tree prefix of the corresponding value: {error}") from None


def _is_axis(x: object) -> bool:
    return x is None or (hasattr(type(x), "__index__") and not isinstance(x, bool))


def _size(leaves: list[Any], axes: list[Any], axis_size: int | None) -> int:
    """Return the length of the mapped axis."""
    sizes = set() if axis_size is None else {operator.index(axis_size)}
    for leaf, axis in zip(leaves, axes, strict=True):
        if axis is None:
            continue
        shape = leaf.shape if hasattr(leaf, "shape") else as_leaf(leaf).shape
        if not -len(shape) <= axis < len(shape):
            raise ValueError(
                f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
                f"{axis + 1 if axis >= 0 else -axis}, but is only {len(shape)} (its shape is {tuple(shape)})"
            )
        sizes.add(shape[axis])
    if not sizes:
        raise ValueError("vmap must have at least one non-None value in in_axes")
    if len(sizes) > 1:
        raise ValueError(f"vmap got inconsistent sizes for array axes to be mapped: {sorted(sizes)}")
    return int(sizes.pop())


def _with_axis_first(leaf: Any, axis: Any) -> Array:
    x = xp.asarray(leaf)
    data = np.moveaxis(x._data, operator.index(axis), 0)
    return wrap(data.copy() if state().mutable else data, x._node)


def _split(leaf: Any, axis: Any) -> Any:
    """Return a function from positions to the parts of a leaf; for an axis of None, the leaf as an Array if it is one."""
    if axis is None:
        return leaf
    x = xp.asarray(leaf)
    first = np.moveaxis(x._data, operator.index(axis), 0) if axis else x._data
    if not len(first):  # the shape of the results is that for zeros
        return lambda _: wrap(np.zeros(first.shape[1:], first.dtype), x._node)
    if not state().mutable:
        return lambda position: wrap(first[position, ...], x._node)
    if not state().watchers:
        return lambda position: wrap(first[position, ...].copy(), x._node)

    def part(position: int) -> Array:
        data = first[position, ...].copy()
        copied(data, first[position, ...])
        return wrap(data, x._node)

    return part


def _joined(results: list[tuple[list[Any], _tree.PyTreeDef]], size: int, out_axes: Any) -> Any:
    structure = results[0][1]
    if any(other is not structure and other != structure for _, other in results):
        raise TypeError("vmap: the function returns trees of different structures for different positions")
    if type(out_axes) is int and structure is _tree.LEAF:
        return stacked([leaves[0] for leaves, _ in results], size, out_axes)
    axes = _axes_of_results(out_axes, structure)
    columns = zip(*[leaves for leaves, _ in results], strict=True)
    return structure.unflatten([stacked(list(parts), size, axis) for parts, axis in zip(columns, axes, strict=True)])


def _axes_of_results(out_axes: Any, structure: _tree.PyTreeDef) -> list[Any]:
    try:
        return broadcast_prefix(out_axes, structure.unflatten([0] * structure.num_leaves), is_leaf=_is_none)
    except ValueError as error:
        raise ValueError(f"vmap out_axes specification must be a tree prefix of the corresponding value: {error}") from None


def _placed(leaves: list[Any], batched: list[bool], structure: _tree.PyTreeDef, size: int, out_axes: Any) -> Any:
    """Move the first axis of batched results to where it belongs; repeat other results along it."""
    made = []
    for leaf, has_axis, axis in zip(leaves, batched, _axes_of_results(out_axes, structure), strict=True):
        if axis is None:
            if has_axis:
                raise ValueError("vmap has mapped output but out_axes is None")
            made.append(leaf)
            continue
        x = xp.asarray(leaf)
        data = x._data if has_axis else np.broadcast_to(x._data, (size, *x.shape))
        _check_axis(axis, data.ndim)
        made.append(wrap(np.array(np.moveaxis(data, 0, operator.index(axis))), x._node))
    return structure.unflatten(made)


def _check_axis(axis: Any, ndim: int) -> None:
    if not -ndim <= axis < ndim:
        raise ValueError(f"vmap: out_axes {axis} is out of bounds for a result of {ndim} dimensions")


def stacked(parts: list[Any], size: int, axis: Any) -> Any:
    """Join the results of all positions."""
    arrays = [part if type(part) is Array else _result(part) for part in parts]
    shapes = {x.shape for x in arrays}
    if len(shapes) > 1:
        raise ValueError(f"vmap: the function returns arrays of different shapes for different positions: {sorted(shapes)}")
    node = arrays[0]._node
    if axis is None:
        if any(x._node is not node or x._data.tobytes() != arrays[0]._data.tobytes() for x in arrays):
            raise ValueError("vmap has mapped output but out_axes is None")
        return parts[0] if isinstance(parts[0], int | float | complex) else arrays[0]
    ndim = arrays[0].ndim + 1
    _check_axis(axis, ndim)
    if any(x._node is not node for x in arrays):
        return xp.stack(arrays, axis=operator.index(axis))
    if not size:
        shape = list(arrays[0].shape)
        shape.insert(axis % ndim, 0)
        return wrap(np.zeros(shape, arrays[0]._data.dtype), node)
    buffers = [x._data for x in arrays]
    data = np.stack(buffers, operator.index(axis)) if axis else np.array(buffers, buffers[0].dtype)
    if state().watchers:
        first = np.moveaxis(data, axis, 0) if axis else data
        for i, one in enumerate(buffers):
            copied(first[i, ...], one)
    return wrap(data, node)


def _result(part: Any) -> Array:
    try:
        return xp.asarray(part)
    except (TypeError, ValueError):
        raise TypeError(
            f"Output from batched function {describe(part)} with type {type(part)} is not a valid JAX type"
        ) from None
