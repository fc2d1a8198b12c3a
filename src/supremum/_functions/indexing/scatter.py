"""Functions that write elements by arrays of indices, into a copy or, as in NumPy, into the given array.

JAX's arrays are immutable, so that its functions only return copies and demand ``inplace=False``.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import Buffer, check_in_place, normalize_axis, operands, store_or_return
from supremum._core.index_keys import index_buffer, refuse_outside
from supremum._core.settings import state
from supremum._functions.searching import truth
from supremum._kernels.bounds import nonzero

__all__ = ["fill_diagonal", "place", "put", "put_along_axis"]


@public
def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: Literal["clip", "wrap"] | None = None, *, inplace: bool = True
) -> Array:
    """Write values at flat indices.

    Parameters
    ----------
    a : array_like
        The array.
    ind : array_like
        Indices into the flattened array.
    v : array_like
        The values, repeated if there are too few and cast to the dtype of `a`.
    mode : {"clip", "wrap"}, optional
        What indices out of range mean: the nearest element, or the element at the index modulo the size. By default negative
        indices count from the end, and those out of range are an IndexError or, if `config.out_of_range` is ``"clip"``, mean
        the nearest element.
    inplace

    Returns
    -------
    Array
        The array itself, or the copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.put(xp.zeros(3), xp.asarray([0, 2]), 5, inplace=False)
    Array([5., 0., 5.], dtype=float32)
    >>> x = xp.zeros(3)
    >>> xp.put(x, xp.asarray([1]), 7) is x
    True
    >>> x
    Array([0., 7., 0.], dtype=float32)
    """
    check_in_place("put", a, inplace)
    x, where, values = operands("put", a, ind, v)
    _check_mode(mode)
    if not where.size or not values.size or (not x.size and (mode is not None or state().out_of_range == "clip")):
        return store_or_return("put", a, wrap(x._data.copy(), x._node), inplace)
    index = index_buffer(where, "put").reshape(-1)
    if mode == "wrap":
        index = index % x.size
    elif mode is None:
        given, index = index, np.where(index < 0, index + x.size, index)
        refuse_outside("put", given, (index < 0) | (index >= x.size), x.size, mode="clip")
    return store_or_return("put", a, _written(x, np.clip(index, 0, x.size - 1), values), inplace)


def _check_mode(mode: object) -> None:
    """Refuse modes that `put` does not have."""
    if mode == "raise":
        raise NotImplementedError("put: mode='raise' is not supported; leave it out: indices out of range raise by default")
    if mode is not None:
        check_choice(mode, "mode", ("clip", "wrap"), "put")


def _written(x: Array, index: Buffer, values: Array) -> Array:
    """Return a copy with values, repeated if there are too few, at flat indices."""
    repeated = wrap(np.resize(values._data, index.shape), values._node)
    flat = wrap(x._data.reshape(-1), x._node).at[index].set(repeated)
    return wrap(flat._data.reshape(x.shape), flat._node)


@public
def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None,
    inplace: bool = True,
    *,
    mode: Literal["drop", "fill", "clip", "promise_in_bounds"] | None = None,
) -> Array:
    """Write values along an axis by indices that differ from position to position.

    Parameters
    ----------
    arr : Array
        The array.
    indices : Array
        Indices, with as many dimensions as `arr`; the axes other than `axis` are broadcast.
    values : Array
        The values, broadcast to `indices` and cast to the dtype of `arr`.
    axis : int, optional
        The axis; None writes into the flattened array.
    inplace
    mode : {"drop", "fill", "clip", "promise_in_bounds"}, optional
        What to do for indices out of range: nothing, or write to the nearest element. By default they are an IndexError or,
        if `config.out_of_range` is ``"clip"``, nothing is written.

    Returns
    -------
    Array
        The array itself, or the copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.put_along_axis(xp.zeros((1, 3)), xp.asarray([[2]]), 5, axis=1, inplace=False)
    Array([[0., 0., 5.]], dtype=float32)
    """
    check_in_place("put_along_axis", arr, inplace)
    x, chosen, given = operands("put_along_axis", arr, indices, values)
    flat = wrap(x._data.reshape(-1), x._node) if axis is None else x
    if flat.ndim != chosen.ndim:
        raise ValueError(f"put_along_axis: array and indices must have the same ndim, got shapes {x.shape} and {chosen.shape}")
    along = 0 if axis is None else normalize_axis(axis, flat.ndim, "put_along_axis")
    index = index_buffer(chosen, "put_along_axis")
    try:
        new = wrap(np.broadcast_to(given._data, index.shape), given._node)
    except ValueError:
        raise ValueError(f"put_along_axis: values of shape {given.shape} cannot be broadcast to {index.shape}") from None
    if mode is None:
        length = flat.shape[along]
        refuse_outside("put_along_axis", index, (index < -length) | (index >= length), length, mode="drop")
    if not flat.size:
        return store_or_return("put_along_axis", arr, wrap(x._data.copy(), x._node), inplace)
    grid: list[Any] = list(np.indices(flat.shape, sparse=True))
    grid[along] = index
    out: Array = flat.at[tuple(grid)].set(new, mode=mode)
    return store_or_return("put_along_axis", arr, wrap(out._data.reshape(x.shape), out._node), inplace)


@public
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """Write values where a mask holds.

    Parameters
    ----------
    arr : Array
        The array.
    mask : Array
        Truth values, as many as `arr` has elements.
    vals : Array
        The values, repeated if there are too few and cast to the dtype of `arr`.
    inplace

    Returns
    -------
    Array
        The array itself, or the copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.place(xp.zeros(3), xp.asarray([True, False, True]), xp.asarray([7, 8]), inplace=False)
    Array([7., 0., 8.], dtype=float32)
    """
    x, where, values = operands("place", arr, mask, vals)
    check_in_place("place", arr, inplace)
    if x.size != where.size:
        raise ValueError(f"place: array and mask must have as many elements, got shapes {x.shape} and {where.shape}")
    if not values.size:
        raise ValueError("place: need at least one value")
    (chosen,) = nonzero(truth(where).reshape(-1))
    return store_or_return(
        "place", arr, _written(x, chosen, values) if chosen.size else wrap(x._data.copy(), x._node), inplace
    )


@public
def fill_diagonal(a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True) -> Array:
    """Write values on the diagonal.

    Parameters
    ----------
    a : Array
        An array with at least two axes; more than two have equal lengths.
    val : Array
        The values, repeated if there are too few and cast to the dtype of `a`.
    wrap : bool
        Must be False.
    inplace

    Returns
    -------
    Array
        The array itself, or the copy.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fill_diagonal(xp.zeros((2, 2)), 5, inplace=False)
    Array([[5., 0.],
           [0., 5.]], dtype=float32)
    """
    check_in_place("fill_diagonal", a, inplace, NotImplementedError)
    if wrap:
        raise NotImplementedError("fill_diagonal: wrap=True is not supported")
    x, values = operands("fill_diagonal", a, val)
    if x.ndim < 2:
        raise ValueError(f"fill_diagonal: the array must have at least 2 axes, got shape {x.shape}")
    if x.ndim > 2 and len(set(x.shape)) != 1:
        raise ValueError(f"fill_diagonal: more than 2 axes must have equal lengths, got shape {x.shape}")
    length = min(x.shape)
    if values.ndim:
        values = _wrap(np.resize(values._data, length), values._node)
    out: Array = x.at[(np.arange(length),) * x.ndim].set(values)
    return store_or_return("fill_diagonal", a, out, inplace)


_wrap = wrap  # `wrap` is an argument of fill_diagonal
