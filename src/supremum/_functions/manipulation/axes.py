"""Permuting axes, and reversing and shifting elements along them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, SupportsIndex

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Axis, Shape, wrap
from supremum._core.conversion import Buffer, as_integers, normalize_axes, normalize_axis, operand
from supremum._kernels.plain import moving as plain

__all__ = [
    "flip", "fliplr", "flipud", "matrix_transpose", "moveaxis", "permute_dims", "roll", "rollaxis", "rot90", "swapaxes",
    "transpose",
]  # fmt: skip

_BACKWARDS: Final = slice(None, None, -1)


@public(fast="permute_dims", moving=True)
def permute_dims(a: ArrayLike, /, axes: Sequence[SupportsIndex]) -> Array:
    """Permute the axes.

    Parameters
    ----------
    a : array_like
        The array.
    axes : tuple of int
        For each axis of the result, the axis of `a`.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.permute_dims(xp.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    x = operand(a, "permute_dims")
    return wrap(_permuted(x._data, axes, "permute_dims"), x._node)


@public(plain=Plain(np.ndarray.transpose, least=2, errors=None, positional=2), moving=True)
def transpose(a: ArrayLike, axes: Sequence[SupportsIndex] | None = None) -> Array:
    """Permute the axes; reverse them by default.

    Parameters
    ----------
    a : array_like
        The array.
    axes : tuple of int, optional
        For each axis of the result, the axis of `a`.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.transpose(xp.ones((2, 3, 4))).shape
    (4, 3, 2)
    """
    x = operand(a, "transpose")
    return wrap(x._data.T if axes is None else _permuted(x._data, axes, "transpose"), x._node)


def _permuted(data: Buffer, axes: Sequence[SupportsIndex], function: str) -> Buffer:
    """Return a view of a buffer with its axes permuted."""
    if not call_user_code(np.iterable, axes):
        raise TypeError(f"{function}: axes must be a sequence of integers, got {describe(axes)}")
    order = as_integers(axes, "axes", function)
    if sorted([number + data.ndim if number < 0 else number for number in order]) != list(range(data.ndim)):
        raise ShapeError(f"{function}: axes={describe(axes)} is no permutation of the axes of an array of shape {data.shape}")
    return data.transpose(order)


@public(plain=Plain(lambda x: x.mT, least=2, errors=None), last=2, moving=True)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchange the last two axes.

    Parameters
    ----------
    x : array_like
        A matrix or a stack of them.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.matrix_transpose(xp.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    given = operand(x, "matrix_transpose")
    if given.ndim < 2:
        raise ValueError(f"matrix_transpose: the argument must have at least 2 dimensions, got shape {given.shape}")
    return wrap(given._data.mT, given._node)


@public(plain=Plain(np.ndarray.swapaxes, errors=None), axis="axis1 axis2", moving=True)
def swapaxes(a: ArrayLike, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Parameters
    ----------
    a : array_like
        The array.
    axis1, axis2 : int
        The axes.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.swapaxes(xp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    x = operand(a, "swapaxes")
    return wrap(
        x._data.swapaxes(normalize_axis(axis1, x.ndim, "swapaxes"), normalize_axis(axis2, x.ndim, "swapaxes")), x._node
    )


@public(axis="source destination", moving=True)
def moveaxis(a: ArrayLike, source: Shape, destination: Shape) -> Array:
    """Move axes to other positions; the others keep their order.

    Parameters
    ----------
    a : array_like
        The array.
    source, destination : int or tuple of int
        The axes, and their positions in the result.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.moveaxis(xp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = operand(a, "moveaxis")
    sources = normalize_axes(source, x.ndim, "moveaxis")
    targets = normalize_axes(destination, x.ndim, "moveaxis")
    if len(sources) != len(targets):
        raise ValueError(
            f"moveaxis: source and destination must have the same length, got {describe(source)} and {describe(destination)}"
        )
    order = [i for i in range(x.ndim) if i not in sources]
    for target, origin in sorted(zip(targets, sources, strict=True)):
        order.insert(target, origin)
    return wrap(x._data.transpose(order), x._node)


@public(fast="flip", axis="axis", none="every", moving=True)
def flip(m: ArrayLike, axis: Axis = None) -> Array:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    m
    axis : int or tuple of int, optional
        The axes; all by default.

    Returns
    -------
    Array
        A view; a copy of a 0-d array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.flip(xp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
    x = operand(m, "flip")
    ndim = x._data.ndim
    if not ndim and (axis is None or not normalize_axes(axis, ndim, "flip")):
        return wrap(x._data.copy(), x._node)
    if axis is None:
        return wrap(x._data[(_BACKWARDS,) * ndim + (...,)], x._node)
    axes = normalize_axes(axis, ndim, "flip")
    return wrap(x._data[(*[_BACKWARDS if i in axes else slice(None) for i in range(ndim)], ...)], x._node)


@public(moving=True)
def roll(a: ArrayLike, shift: Shape, axis: Axis = None) -> Array:
    """Shift elements along axes; those shifted beyond the last position reappear at the first.

    Parameters
    ----------
    a : array_like
        The array.
    shift : int or tuple of int
        The number of positions, for each axis.
    axis : int or tuple of int, optional
        The axes; by default the flattened array is shifted.

    Returns
    -------
    Array
        The shifted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.roll(xp.arange(5), 2)
    Array([3, 4, 0, 1, 2], dtype=int32)
    """
    x = operand(a, "roll")
    shifts = as_integers(shift, "shift", "roll")
    if axis is None:
        return wrap(plain.rolled(x._data.reshape(-1), sum(shifts), 0).reshape(x.shape), x._node)
    axes = normalize_axes(axis, x.ndim, "roll", repeated=True)
    if not axes:
        return wrap(x._data.copy(), x._node)
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ValueError(
            f"roll: shift and axis must have the same length, got shift={describe(shift)} and axis={describe(axis)}"
        )
    pairs = max(len(axes), len(shifts))
    by_axis: dict[int, int] = {}
    for i, step in zip(axes * (pairs // len(axes or (0,))), shifts * (pairs // len(shifts or (0,))), strict=True):
        by_axis[i] = by_axis.get(i, 0) + step
    data = x._data
    for i, step in by_axis.items():
        data = plain.rolled(data, step, i)
    return wrap(data, x._node)


@public(composed=True, plain=Plain(plain.rollaxis, errors=None), moving=True)
def rollaxis(a: ArrayLike, axis: int, start: int = 0) -> Array:
    """Move an axis to the position before another one.

    Parameters
    ----------
    a : array_like
        The array.
    axis : int
        The axis to move.
    start : int
        The axis to move it before; the number of dimensions moves it to the end.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.rollaxis(xp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    x = operand(a, "rollaxis")
    origin = normalize_axis(axis, x.ndim, "rollaxis")
    (target,) = as_integers(start, "start", "rollaxis")
    if not -x.ndim <= target <= x.ndim:
        raise ValueError(f"rollaxis: start must be between {-x.ndim} and {x.ndim}, got {target}")
    target += x.ndim if target < 0 else 0
    return moveaxis(x, origin, target - (target > origin))


@public(composed=True, moving=True)
def fliplr(m: ArrayLike) -> Array:
    """Reverse the order of elements along the second axis.

    Parameters
    ----------
    m

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fliplr(xp.asarray([[1, 2], [3, 4]]))
    Array([[2, 1],
           [4, 3]], dtype=int32)
    """
    return flip(operand(m, "fliplr"), 1)


@public(composed=True, moving=True)
def flipud(m: ArrayLike) -> Array:
    """Reverse the order of elements along the first axis.

    Parameters
    ----------
    m

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.flipud(xp.asarray([[1, 2], [3, 4]]))
    Array([[3, 4],
           [1, 2]], dtype=int32)
    """
    return flip(operand(m, "flipud"), 0)


@public(axis="axes", moving=True)
def rot90(m: ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Array:
    """Rotate by right angles in the plane of two axes.

    Parameters
    ----------
    m
    k : int
        The number of right angles, from the first axis towards the second.
    axes : tuple of int
        The plane.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.rot90(xp.asarray([[1, 2], [3, 4]]))
    Array([[2, 4],
           [1, 3]], dtype=int32)
    """
    x = operand(m, "rot90")
    if x.ndim < 2:
        raise ValueError(f"rot90: the argument must have at least 2 dimensions, got shape {x.shape}")
    plane = normalize_axes(axes, x.ndim, "rot90")
    if len(plane) != 2:
        raise ValueError(f"rot90: axes must be two different axes, got {describe(axes)}")
    (turns,) = as_integers(k, "k", "rot90")
    return wrap(np.rot90(x._data, turns, plane), x._node)
