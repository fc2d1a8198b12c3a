"""Deleting, inserting and trimming elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import DtypeError, OutOfRangeError, as_integer, describe
from supremum._core.array import Array, ArrayLike, Axis, wrap
from supremum._core.conversion import Buffer, as_array, in_dtype, normalize_axes, normalize_axis, operand
from supremum._core.index_keys import refuse_outside
from supremum._functions.searching import truth
from supremum._kernels.plain import moving as plain

__all__ = ["delete", "insert", "trim_zeros"]


def _line(x: Array, axis: int | None, function: str) -> tuple[Buffer, int]:
    """Return the buffer and the axis to edit; for ``axis=None`` the flattened buffer."""
    return (x._data.reshape(-1), 0) if axis is None else (x._data, normalize_axis(axis, x.ndim, function))


@public(plain=Plain(plain.delete, errors=None), moving=True, operands="arr")
def delete(arr: ArrayLike, obj: ArrayLike | slice, axis: int | None = None, *, assume_unique_indices: bool = False) -> Array:
    """Delete positions along an axis.

    Parameters
    ----------
    arr : Array
        The array.
    obj : int, slice or Array
        The positions: indices, or truth values along the axis.
    axis : int, optional
        The axis; by default the array is flattened.
    assume_unique_indices : bool
        Accepted for compatibility with JAX; as there, True also means that indices out of range are ignored.

    Returns
    -------
    Array
        A copy without these positions.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.delete(xp.asarray([5, 6, 7]), 1)
    Array([5, 7], dtype=int32)
    """
    x = operand(arr, "delete")
    data, along = _line(x, axis, "delete")
    length = data.shape[along]
    keep = np.ones(length, np.bool_)
    if isinstance(obj, slice):
        keep[obj] = False
    else:
        keep[_deleted(obj, length, lenient=assume_unique_indices)] = False
    return wrap(data.compress(keep, along), x._node)


def _deleted(obj: object, length: int, *, lenient: bool) -> int | Buffer:
    """Convert the `obj` of `delete` to an index of the positions to delete."""
    try:
        number = as_integer(obj, "obj")
    except TypeError:
        pass  # not an integer
    else:
        if -length <= number < length:
            return number
        raise _out_of_bounds(number, length)
    chosen = operand(obj, "delete", 1)
    if chosen._node.kind == "b":
        if chosen.shape != (length,):
            raise ValueError(f"delete: truth values have the shape ({length},) of the axis, got {chosen.shape}")
        return chosen._data
    if chosen._node.kind not in "iu":
        raise DtypeError(f"delete: positions must be integers or truth values, got dtype {chosen.dtype}")
    index = chosen._data.reshape(-1).astype(np.int64)
    inside = (index >= -length) & (index < length)
    if not lenient and not inside.all():
        raise _out_of_bounds(index[~inside][0], length)
    return index[inside]


def _out_of_bounds(index: int, length: int) -> IndexError:
    return OutOfRangeError(f"delete: index {index} is out of bounds for an axis of length {length}")


@public(plain=Plain(plain.insert, kinds="f", errors=None), moving=True, operands="arr values")
def insert(arr: ArrayLike, obj: ArrayLike | slice, values: ArrayLike, axis: int | None = None) -> Array:
    """Insert values before positions along an axis.

    Parameters
    ----------
    arr
    obj : int, slice or array_like
        The positions, counted before the insertion; those out of range are an IndexError or, if `config.out_of_range` is
        ``"clip"``, become the nearest.
    values : array_like
        The values, cast to the dtype of `arr` and broadcast.
    axis : int, optional
        The axis; by default the array is flattened.

    Returns
    -------
    Array
        A copy with the values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.insert(xp.asarray([5, 6, 7]), 1, 9)
    Array([5, 9, 6, 7], dtype=int32)
    """
    x, given = operand(arr, "insert", 0), operand(values, "insert", 2)
    data, along = _line(x, axis, "insert")
    length = data.shape[along]
    index = _insertions(obj, length)
    new = np.array(in_dtype(values, given, x._node), ndmin=data.ndim)
    if index.size == 1:
        if not index.ndim:
            new = np.moveaxis(new, 0, along)
        index = np.full(new.shape[along], index.reshape(-1)[0])
    try:
        (count,) = np.broadcast_shapes(index.shape, (new.shape[along],))
        index = np.broadcast_to(index, (count,))
        new = np.broadcast_to(new, (*data.shape[:along], count, *data.shape[along + 1 :]))
    except ValueError:
        shapes = f"{given.shape} at {index.size} positions of an array of shape {data.shape}"
        raise ValueError(f"insert: values of shape {shapes} do not fit along axis {along}") from None
    if index.size:
        refuse_outside("insert", index, (index < -length) | (index > length), length)
    index = np.clip(np.where(index < 0, index + length, index), 0, length)
    order = np.argsort(index, kind="stable")
    places = index.copy()
    places[order] += np.arange(count)
    old = np.ones(length + count, np.bool_)
    old[places] = False
    out = np.empty((*data.shape[:along], length + count, *data.shape[along + 1 :]), data.dtype)
    before: tuple[Any, ...] = (slice(None),) * along
    out[(*before, places)] = new
    out[(*before, old)] = data
    return wrap(out, x._node)


def _insertions(obj: object, length: int) -> Buffer:
    """Convert the `obj` of `insert` to positions: a vector or a 0-d array."""
    if isinstance(obj, slice):
        return np.arange(*obj.indices(length))
    chosen = operand(obj, "insert", 1)
    if chosen.ndim > 1:
        raise ValueError(f"insert: positions must be one integer or a vector of them, got shape {chosen.shape}")
    if chosen._node.kind not in "iu":
        raise DtypeError(f"insert: positions must be integers, got dtype {chosen.dtype}")
    return chosen._data.astype(np.int64)


def _trimmed(x: Array, trim: object, axis: Axis) -> tuple[Any, ...]:
    """Return the key of what is left of an array without the zeros at its ends."""
    axes = normalize_axes(axis, x.ndim, "trim_zeros")
    ends = _ends(trim)
    if not axes or not ("f" in ends or "b" in ends):
        return (...,)
    found = truth(x)
    key: list[slice] = []
    for i in range(x.ndim):
        if i not in axes:
            key.append(slice(None))
            continue
        filled = np.flatnonzero(found.any(axis=tuple([j for j in range(x.ndim) if j != i])))
        if filled.size:
            key.append(slice(int(filled[0]) if "f" in ends else None, int(filled[-1]) + 1 if "b" in ends else None))
        else:
            key.append(slice(0, 0))
    return tuple(key)


def _trim_parts(xp: Any, filt: Any, trim: str = "fb", axis: Axis = None) -> Any:
    values = xp.jax.lax.stop_gradient(filt)
    return filt[_trimmed(values, trim, axis)] if type(values) is Array else NotImplemented


@public(parts=_trim_parts, operands="filt")
def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: Axis = None) -> Array:
    """Remove the zeros at the ends of an array.

    Parameters
    ----------
    filt : Array
        The array.
    trim : str
        ``"f"`` for the front, ``"b"`` for the back, or both.
    axis : int or tuple of int, optional
        The axes to trim along; all by default.

    Returns
    -------
    Array
        A view without the zeros.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.trim_zeros(xp.asarray([0, 0, 3, 0, 4, 0]))
    Array([3, 0, 4], dtype=int32)
    """
    x = as_array(operand(filt, "trim_zeros"))
    return wrap(x._data[_trimmed(x, trim, axis)], x._node)


def _ends(trim: object) -> str:
    """Check the `trim` of `trim_zeros`."""
    if not isinstance(trim, str):
        raise TypeError(f"trim_zeros: trim must be 'f', 'b' or 'fb', got {describe(trim)}")
    return trim.lower()
