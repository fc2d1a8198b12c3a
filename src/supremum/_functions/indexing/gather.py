"""Gathering elements by arrays of indices, and choosing among arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import DtypeError, as_integer, check_choice, describe, shape_error
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import (
    Buffer,
    as_arrays,
    normalize_axis,
    operand,
    operands,
    promote_arrays,
    promote_operands,
    refuse_out,
)
from supremum._core.index_keys import fill_for, index_buffer, refuse_outside, wrapped
from supremum._functions.searching import truth
from supremum._kernels.bounds import nonzero
from supremum._kernels.casts import cast
from supremum._kernels.plain import moving as plain

__all__ = ["choose", "compress", "extract", "select", "take", "take_along_axis"]


@public(fast="take", moving=True, operands="a indices")
def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: int | None = None,
    out: None = None,
    mode: Literal["fill", "clip", "wrap"] | None = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: ArrayLike | None = None,
) -> Array:
    """Take elements along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    indices : array_like
        Indices of any shape; negative ones count from the end.
    axis : int, optional
        The axis; by default the flattened array is indexed.
    out
    mode : {"fill", "clip", "wrap"}, optional
        What indices out of range select: a fill value, the nearest element (negative indices are out of range, too), or the
        element at the index modulo the length. By default they are an IndexError or, if `config.out_of_range` is ``"clip"``
        or there is a `fill_value`, select that.
    unique_indices, indices_are_sorted : bool
        Accepted for compatibility with JAX; they have no effect.
    fill_value : scalar, optional
        The value for indices out of range; by default NaN, the least signed integer, the greatest unsigned one, or True.

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
        raise DtypeError("take: with mode='clip' indices must be integers, got dtype bool")
    if mode == "wrap":  # NumPy's own mode takes time in proportion to the index
        return wrap(data.take(index % length if length else index, along), x._node)
    if mode == "clip":
        return wrap(data.take(index, along, mode="clip"), x._node)
    if mode is not None:
        _check_mode(mode)
    try:
        return wrap(np.asarray(data.take(index, along)), x._node)
    except IndexError:
        inside, outside = wrapped(index, length)
        if mode is None and fill_value is None:
            refuse_outside("take", index, outside, length, mode="fill")
        found = data.take(inside, along)
        outside = outside.reshape(outside.shape + (1,) * (data.ndim - along - 1))
        return wrap(np.where(outside, fill_for(x._node, fill_value, "take"), found), x._node)


def _check_mode(mode: object) -> None:
    """Refuse modes that `take` does not have."""
    if mode == "raise":
        raise NotImplementedError("take: mode='raise' is not supported; leave it out: indices out of range raise by default")
    check_choice(mode, "mode", ("fill", "clip", "wrap"), "take")


@public(
    plain=Plain(plain.take_along_axis, arrays=2, mixed=True, keywords=("axis",), errors=None),
    axis="axis",
    none="flat",
    operands="arr indices",
    linear="arr",
    moving=True,
)
def take_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    axis: int | None = -1,
    mode: Literal["fill", "drop", "clip", "promise_in_bounds", "one_hot"] | None = None,
    fill_value: ArrayLike | None = None,
    *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """Take elements along an axis by indices that differ from position to position.

    Parameters
    ----------
    arr
    indices : array_like
        Indices, with as many dimensions as `arr`; the axes other than `axis` are broadcast.
    axis : int, optional
        The axis; None indexes the flattened array with a vector.
    mode : {"fill", "drop", "clip", "promise_in_bounds", "one_hot"}, optional
        What indices out of range select: a fill value, the nearest element, or with ``"one_hot"`` zero. By default as in
        `take`.
    fill_value : scalar, optional
        As in `take`.
    wrap_negative_indices : bool, optional
        Whether negative indices count from the end; by default they do, except for ``mode="promise_in_bounds"``.

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
        raise TypeError(f"take_along_axis: indices must be integers, got dtype {chosen.dtype}")
    if axis is None and chosen.ndim != 1:
        raise ValueError(f"take_along_axis: with axis=None the indices must be a vector, got shape {chosen.shape}")
    check_choice(mode, "mode", (None, "fill", "drop", "clip", "promise_in_bounds", "one_hot"), "take_along_axis")
    data = x._data.reshape(-1) if axis is None else x._data
    if data.ndim != chosen.ndim:
        raise ValueError(
            f"take_along_axis: array and indices must have the same ndim, got shapes {x.shape} and {chosen.shape}"
        )
    along = 0 if axis is None else normalize_axis(axis, data.ndim, "take_along_axis")
    index = index_buffer(chosen, "take_along_axis")
    shape = _along_shape(data.shape, index.shape, along)
    strict = mode is None and fill_value is None
    if not data.shape[along] or 0 in shape:
        if strict and not data.shape[along]:
            refuse_outside("take_along_axis", index, np.ones(index.shape, np.bool_), 0, mode="fill")
        return wrap(np.zeros(shape, x.dtype), x._node)
    if mode in (None, "fill", "drop") and wrap_negative_indices in (None, True):
        try:
            return wrap(np.take_along_axis(data, index, along), x._node)
        except IndexError:
            pass  # the general path fills
    negative = mode != "promise_in_bounds" if wrap_negative_indices is None else wrap_negative_indices
    inside, outside = wrapped(index, data.shape[along], negative=negative)
    if strict:
        refuse_outside("take_along_axis", index, outside, data.shape[along], mode="fill")
    found = np.take_along_axis(data, inside, along)
    if mode in (None, "fill", "drop"):
        found = np.where(outside, fill_for(x._node, fill_value, "take_along_axis"), found)
    elif mode == "one_hot":
        found = np.where(outside, np.zeros((), x.dtype), found)
    return wrap(found, x._node)


def _along_shape(shape: tuple[int, ...], index: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Return the shape of what indices of a shape take along an axis."""
    try:
        return np.broadcast_shapes((*shape[:axis], 1, *shape[axis + 1 :]), index)
    except ValueError:
        raise ValueError(f"take_along_axis: shapes {shape} and {index} do not fit but for axis {axis}") from None


# -- choosing -----------------------------------------------------------------------------------------------------------------


@public(moving=True, operands="choices")
def choose(
    a: ArrayLike,
    choices: Sequence[ArrayLike] | Array | np.ndarray[Any, Any],
    out: None = None,
    mode: Literal["raise", "wrap", "clip"] = "raise",
) -> Array:
    """Choose the element of one of several arrays at each position.

    Parameters
    ----------
    a : Array
        The numbers of the arrays: integers.
    choices : sequence of Array
        The arrays; their dtypes promote.
    out
    mode : {"raise", "wrap", "clip"}
        What numbers out of range mean: an error, the number modulo the number of arrays, or the nearest number.

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
    node, buffers = promote_arrays(as_arrays(choices, "choose"))
    if which._node.kind not in "iu":
        raise DtypeError(f"choose: the first argument must hold integers, got dtype {which.dtype}")
    index = _numbers_of_choices(index_buffer(which, "choose"), len(buffers), mode)
    try:
        if len(buffers) <= _NUMPYS_CHOICES:
            found = np.choose(index, buffers, mode="clip")  # no number is out of range, and nothing is buffered in this mode
        else:
            index, *options = np.broadcast_arrays(index, *buffers)
            found = np.take_along_axis(np.stack(options), index[None], 0)[0]
    except ValueError:
        raise shape_error("choose", which.shape, *[data.shape for data in buffers]) from None
    return wrap(np.asarray(found), node.strong)


#: The number of choices that NumPy's own function takes.
_NUMPYS_CHOICES: Final = 31


def _numbers_of_choices(index: Buffer, count: int, mode: object) -> Buffer:
    """Bring the numbers of choices into range by the mode of `choose`."""
    check_choice(mode, "mode", ("raise", "wrap", "clip"), "choose")
    if mode == "raise":
        if index.size and not 0 <= index.min() <= index.max() < count:
            raise ValueError(f"choose: a number is out of range for {count} choices; see mode=")
        return index
    return np.asarray(index % count) if mode == "wrap" else np.clip(index, 0, count - 1)


@public(plain=Plain(plain.compress, arrays=2, kinds="b", mixed=True, errors=None), moving=True, operands="condition a")
def compress(
    condition: ArrayLike,
    a: ArrayLike,
    axis: int | None = None,
    *,
    size: int | None = None,
    fill_value: ArrayLike = 0,
    out: None = None,
) -> Array:
    """Select the positions along an axis where a condition holds.

    Parameters
    ----------
    condition : Array
        A vector of truth values; positions beyond its end are not selected.
    a : Array
        The array.
    axis : int, optional
        The axis; by default the array is flattened.
    size : int, optional
        The number of positions to return: further ones are cut off, missing ones are filled.
    fill_value : scalar
        The value of missing positions.
    out

    Returns
    -------
    Array
        The selected positions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.compress(xp.asarray([True, False, True]), xp.asarray([5, 6, 7]))
    Array([5, 7], dtype=int32)
    """
    keep, x, fill = operands("compress", condition, a, fill_value)
    refuse_out(out, "compress")
    if keep.ndim != 1:
        raise ValueError(f"compress: the condition must be a vector, got shape {keep.shape}")
    data = x._data.reshape(-1) if axis is None else np.moveaxis(x._data, normalize_axis(axis, x.ndim, "compress"), 0)
    length = len(data)
    (chosen,) = nonzero(truth(keep))
    if size is None:
        if chosen.size and chosen[-1] >= length:
            raise ValueError(f"compress: the condition holds at {chosen[-1]}, beyond the length {length} of the axis")
        found = data.take(chosen, 0)
    else:
        count = as_integer(size, "size")
        longest = min(length, keep.size)
        if not 0 <= count <= longest:
            raise ValueError(f"compress: size must be between 0 and {longest}, the number of positions, got {count}")
        found = np.empty((count, *data.shape[1:]), x.dtype)
        chosen = chosen[chosen < length][:count]
        found[: len(chosen)] = data[chosen]
        found[len(chosen) :] = cast(fill._data, x._node)
    return wrap(np.moveaxis(found, 0, 0 if axis is None else axis), x._node)


@public(plain=Plain(plain.extract, arrays=2, kinds="b", mixed=True, errors=None), moving=True, operands="condition arr")
def extract(condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0) -> Array:
    """Return the elements where a condition holds.

    Parameters
    ----------
    condition : Array
        Truth values.
    arr : Array
        The array; both are flattened.
    size : int, optional
        The number of elements to return: further ones are cut off, missing ones are filled.
    fill_value : scalar
        The value of missing elements.

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


@public(moving=True, operands="condlist choicelist default")
def select(
    condlist: Sequence[ArrayLike] | Array | np.ndarray[Any, Any],
    choicelist: Sequence[ArrayLike] | Array | np.ndarray[Any, Any],
    default: ArrayLike = 0,
) -> Array:
    """Choose the element of the first array whose condition holds at each position.

    Parameters
    ----------
    condlist : sequence of Array
        Conditions.
    choicelist : sequence of Array
        An array for each condition; their dtypes and that of `default` promote.
    default : Array
        The value where no condition holds.

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
        raise TypeError(f"select: condlist and choicelist must be lists, got {describe(condlist)} and {describe(choicelist)}")
    if len(condlist) != len(choicelist):
        raise ValueError(f"select: need one choice for each condition, got {len(choicelist)} for {len(condlist)}")
    if not len(condlist):
        raise ValueError("select: need at least one condition")
    conditions = [truth(x) for x in operands("select", *condlist)]
    node, (other, *choices) = promote_operands("select", default, *choicelist)
    try:
        shape = np.broadcast_shapes(other.shape, *[data.shape for data in (*conditions, *choices)])
    except ValueError:
        raise shape_error("select", *[data.shape for data in (*conditions, *choices, other)]) from None
    out = np.empty(shape, node.dtype)
    out[...] = other
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        np.copyto(out, choice, where=condition)
    return wrap(out, node)
