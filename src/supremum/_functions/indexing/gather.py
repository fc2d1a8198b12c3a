"""Gathering elements by arrays of indices, and choosing among arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import DtypeError, shown, whole
from supremum._base.key_dtype import keys_of_word
from supremum._core.arguments import Buffer, as_arrays, in_dtype, meet, normalize_axis, promoted, refuse_out, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands
from supremum._core.indexing import countable
from supremum._functions.searching import truth
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

__all__ = ["choose", "compress", "extract", "select", "take", "take_along_axis"]


def take(
    a: Any,
    indices: Any,
    axis: int | None = None,
    out: None = None,
    mode: str | None = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: Any = None,
) -> Array:
    """Take elements along an axis.

    Parameters
    ----------
    a : Array
        The array.
    indices : Array
        Indices of any shape; negative ones count from the end.
    axis : int, optional
        The axis; the flattened array is indexed if left out.
    out : None
        Not supported.
    mode : {"fill", "clip", "wrap"}, optional
        What indices out of range mean: a fill value (the default), the nearest element (negative ones are out of range, too),
        or a count that starts again.
    unique_indices, indices_are_sorted : bool
        Accepted for JAX's sake.
    fill_value : scalar, optional
        What to give for indices out of range; NaN for floating dtypes, the least integer, the greatest unsigned one, or True.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.take(xp.asarray([10, 20, 30]), xp.asarray([2, 0]))
    Array([30, 10], dtype=int32)
    """
    del unique_indices, indices_are_sorted
    refuse_out(out, "take")
    x, chosen = operands("take", a, indices)
    index = index_buffer(chosen, "take")
    data = x._data.reshape(-1) if axis is None else x._data
    along = 0 if axis is None else normalize_axis(axis, x.ndim, "take")
    length = data.shape[along]
    if not length and index.size:
        raise IndexError(f"take: axis {along} of an array of shape {x.shape} is empty and has no elements to take")
    if mode == "clip" and chosen._node.kind == "b":
        raise DtypeError("take: with mode='clip' indices are integers, got dtype bool")
    if mode == "wrap":  # NumPy's own way takes as many steps as the index is beyond the length
        return wrap(data.take(index % length if length else index, along), x._node)
    if mode == "clip":
        return wrap(data.take(index, along, mode="clip"), x._node)
    if mode == "raise":
        raise NotImplementedError("take: mode='raise' is not supported; use x[indices], which raises")
    if mode not in (None, "fill"):
        raise ValueError(f"take: mode is 'fill', 'clip' or 'wrap', got {mode!r}")
    try:
        return wrap(np.asarray(data.take(index, along)), x._node)
    except IndexError:
        inside, outside = wrapped(index, length)
        found = data.take(inside, along)
        outside = outside.reshape(outside.shape + (1,) * (data.ndim - along - 1))
        return wrap(np.where(outside, fill_for(x._node, fill_value, "take"), found), x._node)


def take_along_axis(
    arr: Any,
    indices: Any,
    axis: int | None = -1,
    mode: str | None = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """Take elements along an axis by indices of their own at every position.

    Parameters
    ----------
    arr : Array
        The array.
    indices : Array
        Indices, with as many dimensions as `arr`; the axes other than `axis` are broadcast.
    axis : int, optional
        The axis; None indexes the flattened array with a vector.
    mode : {"fill", "clip", "promise_in_bounds", "one_hot"}, optional
        What indices out of range mean: a fill value (the default) or the nearest element.
    fill_value : scalar, optional
        As in `take`.
    wrap_negative_indices : bool, optional
        Whether negative indices count from the end; they do if left out, but for ``mode="promise_in_bounds"``.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.asarray([[3, 1, 2]])
    >>> xp.take_along_axis(x, xp.argsort(x))
    Array([[1, 2, 3]], dtype=int32)
    """
    x, chosen = operands("take_along_axis", arr, indices)
    if chosen._node.kind not in "iu":
        raise TypeError(f"take_along_axis: indices are integers, got dtype {chosen.dtype}")
    if axis is None and chosen.ndim != 1:
        raise ValueError(f"take_along_axis: with axis=None the indices are a vector, got shape {chosen.shape}")
    if mode not in (None, "fill", "clip", "promise_in_bounds", "one_hot"):
        raise ValueError(f"take_along_axis: mode is 'fill', 'clip' or 'promise_in_bounds', got {mode!r}")
    data = x._data.reshape(-1) if axis is None else x._data
    if data.ndim != chosen.ndim:
        raise ValueError(f"take_along_axis: array and indices have the same ndim, got shapes {x.shape} and {chosen.shape}")
    along = 0 if axis is None else normalize_axis(axis, data.ndim, "take_along_axis")
    index = index_buffer(chosen, "take_along_axis")
    shape = _along_shape(data.shape, index.shape, along)
    if not data.shape[along] or 0 in shape:
        return wrap(np.zeros(shape, x.dtype), x._node)
    if mode in (None, "fill") and wrap_negative_indices in (None, True):
        try:
            return wrap(np.take_along_axis(data, index, along), x._node)
        except IndexError:
            pass  # filled below
    negative = mode != "promise_in_bounds" if wrap_negative_indices is None else wrap_negative_indices
    inside, outside = wrapped(index, data.shape[along], negative=negative)
    found = np.take_along_axis(data, inside, along)
    if mode in (None, "fill"):
        found = np.where(outside, fill_for(x._node, fill_value, "take_along_axis"), found)
    elif mode == "one_hot":
        found = np.where(outside, np.zeros((), x.dtype), found)
    return wrap(found, x._node)


def _along_shape(shape: tuple[int, ...], index: tuple[int, ...], axis: int) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes((*shape[:axis], 1, *shape[axis + 1 :]), index)
    except ValueError:
        raise ValueError(f"take_along_axis: shapes {shape} and {index} do not fit but for axis {axis}") from None


# -- what gathers and scatters share ------------------------------------------------------------------------------------------


def index_buffer(indices: Array, function: str) -> Buffer:
    """Give the buffer of an array of indices as NumPy takes it."""
    kind = indices._node.kind
    if kind not in "iub" and indices.size:
        raise DtypeError(f"{function}: indices are integers, got dtype {indices.dtype}")
    return countable(indices._data).astype(np.intp, copy=False)


def wrapped(index: Buffer, length: int, *, negative: bool = True) -> tuple[Buffer, Buffer]:
    """Give indices brought into range and where they were out of it; negative ones count from the end."""
    if negative:
        index = np.where(index < 0, index + length, index)
    outside = (index < 0) | (index >= length)
    return np.clip(index, 0, length - 1), outside


def fill_for(node: Node, fill_value: Any, function: str) -> Buffer:
    """Give the 0-d buffer of what stands for elements out of range."""
    if node.kind == "k" and not (isinstance(fill_value, Array) and fill_value._node is node):
        return keys_of_word(fill_for(NODES["uint32"], fill_value, function))
    if fill_value is not None:
        return in_dtype(fill_value, operand(fill_value, function, 7), node)
    if node.kind in "fc":
        return np.array(np.nan).astype(node.dtype)
    if node.kind == "b":
        return np.array(True)
    extreme = -(1 << (node.bits - 1)) if node.kind == "i" else (1 << node.bits) - 1
    return np.array(extreme).astype(node.dtype) if node.bits < 8 else np.array(extreme, node.dtype)


# -- choosing -----------------------------------------------------------------------------------------------------------------


def choose(a: Any, choices: Any, out: None = None, mode: str = "raise") -> Array:
    """Choose at each position the element of one of several arrays.

    Parameters
    ----------
    a : Array
        Which array: integers.
    choices : sequence of Array
        The arrays; their dtypes meet.
    out : None
        Not supported.
    mode : {"raise", "wrap", "clip"}
        What numbers out of range mean: an error, a count that starts again, or the nearest.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.choose(xp.asarray([1, 0]), [xp.asarray([10, 20]), xp.asarray([30, 40])])
    Array([30, 20], dtype=int32)
    """
    refuse_out(out, "choose")
    which = operand(a, "choose", 0)
    node, buffers = meet(as_arrays(choices, "choose"))
    if which._node.kind not in "iu":
        raise DtypeError(f"choose: the first argument holds integers, got dtype {which.dtype}")
    index, count = index_buffer(which, "choose"), len(buffers)
    if mode == "raise" and ((index < 0) | (index >= count)).any():
        raise ValueError(f"choose: there are {count} choices, and a number is out of range; see mode=")
    if mode == "wrap":
        index = index % count
    elif mode == "clip":
        index = np.clip(index, 0, count - 1)
    elif mode != "raise":
        raise ValueError(f"choose: mode is 'raise', 'wrap' or 'clip', got {mode!r}")
    try:
        index, *options = np.broadcast_arrays(index, *buffers)
    except ValueError:
        shapes = ", ".join(str(data.shape) for data in buffers)
        raise ValueError(f"choose: the shapes {which.shape} and {shapes} cannot be broadcast together") from None
    found = np.take_along_axis(np.stack(options), index[None], 0)[0]
    return wrap(np.asarray(found), strong(node))


def compress(
    condition: Any,
    a: Any,
    axis: int | None = None,
    *,
    size: int | None = None,
    fill_value: Any = 0,
    out: None = None,
) -> Array:
    """Keep the positions along an axis where a condition holds.

    Parameters
    ----------
    condition : Array
        A vector of truth values; positions beyond its end are left out.
    a : Array
        The array.
    axis : int, optional
        The axis; the array is flattened if left out.
    size : int, optional
        How many positions to give: those beyond are left out, missing ones are filled.
    fill_value : scalar
        What to fill with.
    out : None
        Not supported.

    Returns
    -------
    Array
        What is kept.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.compress(xp.asarray([True, False, True]), xp.asarray([5, 6, 7]))
    Array([5, 7], dtype=int32)
    """
    keep, x, fill = operands("compress", condition, a, fill_value)
    refuse_out(out, "compress")
    if keep.ndim != 1:
        raise ValueError(f"compress: the condition is a vector, got shape {keep.shape}")
    data = x._data.reshape(-1) if axis is None else np.moveaxis(x._data, normalize_axis(axis, x.ndim, "compress"), 0)
    length = len(data)
    chosen = np.flatnonzero(truth(keep))
    if size is None:
        if chosen.size and chosen[-1] >= length:
            raise ValueError(f"compress: the condition holds at {chosen[-1]}, beyond the length {length} of the axis")
        found = data[chosen]
    else:
        count = whole(size, "size")
        longest = min(length, keep.size)
        if not 0 <= count <= longest:
            raise ValueError(f"compress: size lies between 0 and {longest}, the positions that there are, got {count}")
        found = np.empty((count, *data.shape[1:]), x.dtype)
        chosen = chosen[chosen < length][:count]
        found[: len(chosen)] = data[chosen]
        found[len(chosen) :] = cast(fill._data, x._node)
    return wrap(np.moveaxis(found, 0, 0 if axis is None else axis), x._node)


def extract(condition: Any, arr: Any, *, size: int | None = None, fill_value: Any = 0) -> Array:
    """Give the elements where a condition holds.

    Parameters
    ----------
    condition : Array
        Truth values.
    arr : Array
        The array; both are flattened.
    size : int, optional
        How many elements to give: those beyond are left out, missing ones are filled.
    fill_value : scalar
        What to fill with.

    Returns
    -------
    Array
        A vector.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.extract(xp.asarray([[True], [False]]), xp.asarray([[5], [6]]))
    Array([5], dtype=int32)
    """
    keep, x = operands("extract", condition, arr)
    flat = wrap(keep._data.reshape(-1), keep._node)
    return compress(flat, wrap(x._data.reshape(-1), x._node), size=size, fill_value=fill_value)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Array:
    """Choose at each position the element of the first array whose condition holds.

    Parameters
    ----------
    condlist : sequence of Array
        Conditions.
    choicelist : sequence of Array
        An array for each condition; their dtypes and that of `default` meet.
    default : Array
        What to give where no condition holds.

    Returns
    -------
    Array
        The elements.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.arange(4)
    >>> xp.select([x < 1, x < 3], [x, 10 * x], 99)
    Array([ 0, 10, 20, 99], dtype=int32)
    """
    if not all(isinstance(given, list | tuple) or np.ndim(getattr(given, "_data", 0)) for given in (condlist, choicelist)):
        raise TypeError(f"select: condlist and choicelist are lists, got {shown(condlist)} and {shown(choicelist)}")
    if len(condlist) != len(choicelist):
        raise ValueError(f"select: there is a choice for each condition, got {len(choicelist)} for {len(condlist)}")
    if not len(condlist):
        raise ValueError("select: need at least one condition")
    conditions = [truth(x) for x in operands("select", *condlist)]
    node, (other, *choices) = promoted("select", default, *choicelist)
    try:
        shape = np.broadcast_shapes(other.shape, *[data.shape for data in (*conditions, *choices)])
    except ValueError:
        shapes = ", ".join(str(data.shape) for data in (*conditions, *choices, other))
        raise ValueError(f"select: the shapes {shapes} cannot be broadcast together") from None
    out = np.empty(shape, node.dtype)
    out[...] = other
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        np.copyto(out, choice, where=condition)
    return wrap(out, node)


publish(__name__)
