"""`vmap`: a function is called once, with operands that hold the values of all positions along the mapped axes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum._base.functions import takes_over
from supremum._core import engine
from supremum._core.array import wrap
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum._functions.functional import vectorized_by
from supremum.jax import (
    _batch_indexing as _batch_indexing,
    _batch_products as _batch_products,
    _batch_random as _batch_random,
    _tree,
)
from supremum.jax._batching import DONE, Batched, MappedAxis, axes_in_force, call_each, enter, leave
from supremum.jax._refs import batched, check_distinct
from supremum.jax._values import as_leaf, is_float0, is_ref, wraps
from supremum.jax.errors import ConcretizationTypeError, TracerArrayConversionError
from supremum.jax.tree_util import broadcast_prefix


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
        if type(axes) is not int and not all(_is_axis(leaf) for leaf in _tree.flatten(axes)[0]):
            raise TypeError(
                f"vmap {name} must be an int, None, or (nested) container with those types as leaves, "
                f"but got {describe(axes)}."
            )

    first = type(out_axes) is int and out_axes == 0
    trees = axis_size is not None

    @wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        made = None if kwargs or trees else engine.map_arrays(MappedAxis, Batched, axis_name, new_level(), in_axes, args)
        if made is None:
            axis, operands, kwargs = _of_trees(axis_name, axis_size, in_axes, args, kwargs)
        else:
            axis, operands = made
        token = enter((*axes_in_force(), axis))
        try:
            out = fun(*operands, **kwargs) if kwargs else fun(*operands)
        except (ConcretizationTypeError, TracerArrayConversionError):
            if not axis.one_by_one:
                raise
            out = call_each(axis, fun, operands, kwargs)
        finally:
            leave(token)
            axis.position = DONE
        if made is not None and first:
            found = engine.own_values(out, axis, args)
            if found is not None:
                return found
        results, structure = _tree.flatten(out)
        places = _axes_of_results(out_axes, structure)
        return structure.unflatten([_placed(axis, x, at) for x, at in zip(results, places, strict=True)])

    return mapped


def _of_trees(
    name: Any, axis_size: int | None, in_axes: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[MappedAxis, Any, Any]:
    """Make batches of the leaves of arguments: return the axis, the operands, and those by name."""
    if isinstance(in_axes, tuple) and len(in_axes) != len(args):
        raise ValueError(
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the "
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
    axis = MappedAxis(name, _size(leaves, axes, axis_size), new_level())
    check_distinct([x for x in leaves if is_ref(x)], "the function that vmap maps")
    given = [x if number is None else _operand(axis, x, number) for x, number in zip(leaves, axes, strict=True)]
    return axis, structure.unflatten(given[:count]), structure_of_words.unflatten(given[count:])


def _axes_of_arguments(in_axes: Any, args: tuple[Any, ...], kwargs: Any, structure: _tree.PyTreeDef) -> list[Any]:
    """Return the axis of each leaf of the positional arguments."""
    if type(in_axes) is int:
        return [in_axes] * structure.num_leaves
    if type(in_axes) is tuple and structure.num_leaves == len(args) == structure.num_nodes - 1:
        axes = list(in_axes)  # one for each argument, which are leaves
        if all(axis is None or type(axis) is int for axis in axes):
            return axes
    return _axes_of_leaves("in_axes", (in_axes, 0), (args, kwargs))[: structure.num_leaves]


def _axes_of_leaves(name: str, axes: Any, full: Any) -> list[Any]:
    """Return the axis of each leaf of a tree."""
    try:
        return broadcast_prefix(axes, full, is_leaf=lambda x: x is None)
    except ValueError as error:
        raise ValueError(f"vmap {name} specification must be a tree prefix of the corresponding value: {error}") from None


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


def _operand(axis: MappedAxis, leaf: Any, number: Any) -> Any:
    """Return a leaf as an operand; derivatives of integers, without elements, are the same at all positions."""
    if is_float0(leaf):
        return np.zeros(np.delete(leaf.shape, number), leaf.dtype)
    return batched(leaf, axis, operator.index(number)) if is_ref(leaf) else Batched(axis, _first(leaf, number))


def _first(leaf: Any, number: Any) -> Any:
    """Return a leaf with an axis in front."""
    x = leaf if takes_over(leaf) else xp.asarray(leaf)
    if type(x) is not Array or state().watchers:
        return xp.moveaxis(x, operator.index(number), 0) if number else x
    return wrap(np.moveaxis(x._data, operator.index(number), 0), x._node) if number else x


def _axes_of_results(out_axes: Any, structure: _tree.PyTreeDef) -> list[Any]:
    """Return the axis of each leaf of the results."""
    if type(out_axes) is int:
        return [out_axes] * structure.num_leaves
    return _axes_of_leaves("out_axes", out_axes, structure.unflatten([0] * structure.num_leaves))


def _placed(axis: MappedAxis, leaf: Any, number: Any) -> Any:
    """Return a result with the mapped axis where it belongs; one that does not depend on the position is repeated."""
    if type(leaf) is Batched and leaf.axis is axis:
        if number is None:
            raise ValueError("vmap has mapped output but out_axes is None")
        _check_axis(number, leaf.ndim + 1)
        found = leaf.value if not number else xp.moveaxis(leaf.value, 0, operator.index(number))
        return xp.copy(found) if type(found) is Array and state().mutable else found  # operands are not written to
    x = leaf if type(leaf) is Array else _result(leaf)
    if number is None:
        return leaf if isinstance(leaf, int | float | complex) else x
    _check_axis(number, x.ndim + 1)
    shape = list(x.shape)
    shape.insert(operator.index(number) % (x.ndim + 1), axis.size)
    if is_float0(x):
        return np.zeros(shape, x.dtype)
    return xp.copy(xp.broadcast_to(xp.expand_dims(x, operator.index(number)), tuple(shape)))


def _check_axis(number: Any, ndim: int) -> None:
    if not -ndim <= number < ndim:
        raise ValueError(f"vmap: out_axes {number} is out of bounds for a result of {ndim} dimensions")


def _result(part: Any) -> Any:
    try:
        return part if is_float0(part) else xp.asarray(part)
    except (TypeError, ValueError):
        raise TypeError(
            f"Output from batched function {describe(part)} with type {type(part)} is not a valid JAX type"
        ) from None


def vectorize(
    pyfunc: Callable[..., Any],
    *,
    excluded: Sequence[int | str] | frozenset[int | str] = frozenset(),
    signature: str | None = None,
) -> Callable[..., Any]:
    """Make a function of arrays of a function of their elements, or of their core axes.

    `supremum.vectorize` takes the same arguments, and calls the function for each element.

    Parameters
    ----------
    pyfunc : callable
        Takes arrays without axes, or arrays with the core axes that `signature` names.
    excluded : set of int or str
        Positions and names of arguments that are passed on as they are.
    signature : str, optional
        The core axes of arguments and results, as in ``"(n),(n)->()"``.

    Returns
    -------
    callable
        The function, whose results have the other axes of the arguments, broadcast, in front.
    """
    return vectorized_by(_by_vmap, pyfunc, excluded, signature)


def _by_vmap(
    call: Callable[[Sequence[Any]], Any], arrays: list[Any], shape: tuple[int, ...], inputs: list[tuple[str, ...]]
) -> Any:
    if not shape:
        return _tree.mapped(as_leaf, call(arrays))
    count = math.prod(shape)
    axes: list[int | None] = []
    given = []
    for x, core in zip(arrays, inputs, strict=True):
        outer, inner = x.shape[: x.ndim - len(core)], x.shape[x.ndim - len(core) :]
        axes.append(None if math.prod(outer) == 1 else 0)
        given.append(
            xp.reshape(
                x if axes[-1] is None else xp.broadcast_to(x, shape + inner), inner if axes[-1] is None else (count, *inner)
            )
        )
    out = vmap(lambda *parts: call(parts), tuple(axes), axis_size=count)(*given)
    return _tree.mapped(lambda leaf: xp.reshape(leaf, shape + leaf.shape[1:]), out)
