"""Repeating elements and arrays."""

from __future__ import annotations

from itertools import zip_longest
from typing import Final

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, as_integer, check_shape, describe
from supremum._core.array import Array, ArrayLike, Shape, wrap
from supremum._core.conversion import Buffer, as_integers, normalize_axis, operand
from supremum._core.index_keys import countable
from supremum._kernels import bounds
from supremum._kernels.plain import moving as plain

__all__ = ["repeat", "tile"]

#: Number of repetitions up to which an array is joined with itself.
_FEW: Final = 64


@public(moving=True)
def tile(A: ArrayLike, reps: Shape) -> Array:
    """Repeat an array along axes.

    Parameters
    ----------
    A : array_like
        The array.
    reps : int or tuple of int
        The number of repetitions along each axis; missing axes are added in front.

    Returns
    -------
    Array
        The repeated array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tile(xp.arange(2), (2, 2))
    Array([[0, 1, 0, 1],
           [0, 1, 0, 1]], dtype=int32)
    """
    x = operand(A, "tile")
    times = as_integers(reps, "reps", "tile")
    if any(n < 0 for n in times):
        raise ValueError(f"tile: repetitions must not be negative, got {describe(reps)}")
    if len(times) == 1 and 0 < times[0] <= _FEW and x.ndim:
        return wrap(np.concatenate([x._data] * times[0], -1), x._node)
    axes = zip_longest(x.shape[::-1], times[::-1], fillvalue=1)
    # NumPy repeats one axis after the other, and does not check how long they become.
    check_shape("tile", tuple([length * n for length, n in axes][::-1]), x._data.itemsize)
    return wrap(np.tile(x._data, times), x._node)


@public(plain=Plain(plain.repeat, errors=None), axis="axis", none="flat", operands="a", moving=True)
def repeat(
    a: ArrayLike,
    repeats: ArrayLike,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: object = None,
) -> Array:
    """Repeat each element along an axis.

    Parameters
    ----------
    a : array_like
        The array.
    repeats : array_like
        The number of repetitions: one integer, or one for each position along the axis.
    axis : int, optional
        The axis; by default the array is flattened.
    total_repeat_length : int, optional
        The length of the result along the axis: further elements are cut off, and missing ones are copies of the last.
    out_sharding

    Returns
    -------
    Array
        The array with repeated elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.repeat(xp.arange(3), xp.asarray([1, 0, 2]))
    Array([0, 2, 2], dtype=int32)
    """
    x = operand(a, "repeat")
    data = x._data if axis is not None and x._data.ndim else x._data.reshape(-1)
    position = 0 if axis is None else normalize_axis(axis, data.ndim, "repeat")
    times = repeats if type(repeats) is int else _repeats(repeats, data.shape[position])
    if type(times) is int and times < 0:
        raise ShapeError(f"repeat: repeats must not be negative, got {times}")
    if total_repeat_length is None:
        return wrap(bounds.repeat(data, times, position), x._node)
    out = bounds.repeat(data, times, position)
    return wrap(_fitted(out, as_integer(total_repeat_length, "total_repeat_length"), position, data), x._node)


def _repeats(repeats: object, length: int) -> Buffer:
    """Check the numbers of repetitions of so many elements."""
    times = operand(repeats, "repeat", 1)
    if times._node.kind not in "iub":
        raise TypeError(f"repeat: repeats must be integers, got dtype {times.dtype}")
    numbers = times._data.reshape(-1).astype(np.int64)
    if numbers.size not in (1, length):
        raise ValueError(f"repeat: repeats must have one number or {length}, one for each position, got shape {times.shape}")
    if (numbers < 0).any():
        raise ShapeError("repeat: repeats are not negative")
    return countable(numbers)


def _fitted(out: Buffer, length: int, axis: int, data: Buffer) -> Buffer:
    """Cut `out` to a length along an axis, or extend it with copies of the last position of `data`."""
    before = (slice(None),) * axis
    if out.shape[axis] >= length or not data.shape[axis]:
        return out[(*before, slice(None, length))]
    last = data[(*before, slice(-1, None))]
    return np.concatenate([out, np.repeat(last, length - out.shape[axis], axis)], axis)
