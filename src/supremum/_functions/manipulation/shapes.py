"""Broadcasting, reshaping, and axes of length 1."""

from __future__ import annotations

import math
from typing import Any, Final, Literal, overload

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, check_shape, describe, shape_error
from supremum._core.array import Array, ArrayLike, Axis, Shape, wrap
from supremum._core.conversion import as_integers, normalize_axes, operand, operands

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "expand_dims",
    "ravel", "reshape", "resize", "squeeze",
]  # fmt: skip


@public
def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """Return the shape that arrays of several shapes are broadcast to.

    Parameters
    ----------
    *shapes : tuple of int
        Shapes; an integer means a shape of one axis.

    Returns
    -------
    tuple of int
        The shape.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    given = [as_integers(shape, "a shape", "broadcast_shapes") for shape in shapes]
    if any(length < 0 for shape in given for length in shape):
        raise ValueError(f"broadcast_shapes: a shape must have no negative lengths, got {given}")
    try:
        return np.broadcast_shapes(*given)
    except ValueError:
        raise ValueError(f"broadcast_shapes: the shapes {', '.join(map(str, given))} cannot be broadcast together") from None


@public(moving=True)
def broadcast_arrays(*args: ArrayLike) -> tuple[Array, ...]:
    """Broadcast arrays against one another; each keeps its dtype.

    Parameters
    ----------
    *args : array_like
        Arrays.

    Returns
    -------
    tuple of Array
        An array of the common shape for each argument; those that are broadcast are read-only views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.broadcast_arrays(xp.ones((2, 1)), xp.ones(3))]
    [(2, 3), (2, 3)]
    """
    arrays = operands("broadcast_arrays", *args)
    shape = broadcast_shapes(*[x.shape for x in arrays])
    return tuple([x if x.shape == shape else wrap(np.broadcast_to(x._data, shape), x._node) for x in arrays])


@public(fast="broadcast_to", moving=True)
def broadcast_to(array: ArrayLike, shape: Shape, *, out_sharding: object = None) -> Array:
    """Broadcast an array to a shape.

    Parameters
    ----------
    array : array_like
        The array.
    shape, out_sharding

    Returns
    -------
    Array
        A read-only view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.broadcast_to(xp.arange(2), (2, 2))
    Array([[0, 1],
           [0, 1]], dtype=int32)
    """
    x = operand(array, "broadcast_to")
    lengths = as_integers(shape, "shape", "broadcast_to")
    try:
        return wrap(np.broadcast_to(x._data, lengths), x._node)
    except ValueError:
        if min(lengths, default=0) < 0:
            raise ShapeError(f"broadcast_to: a shape must have no negative lengths, got {lengths}") from None
        if x.ndim <= len(lengths) and all(m in (1, n) for m, n in zip(x.shape[::-1], lengths[::-1], strict=False)):
            raise shape_error("broadcast_to", lengths) from None
        raise ShapeError(f"broadcast_to: an array of shape {x.shape} cannot be broadcast to shape {lengths}") from None


@public(fast="reshape", moving=True)
def reshape(
    a: ArrayLike, shape: Shape, order: Literal["C", "F"] = "C", *, copy: bool | None = None, out_sharding: object = None
) -> Array:
    """Change the shape of an array without changing its elements.

    Parameters
    ----------
    a : array_like
        The array.
    shape : int or tuple of int
        The shape; one length may be -1 and follows from the others.
    order : {"C", "F"}
        Whether the index of the last or of the first axis changes fastest.
    copy : bool, optional
        True always copies, False never copies and raises an error if a copy is needed, None copies if needed.
    out_sharding

    Returns
    -------
    Array
        The array, a view if possible.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.reshape(xp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
    x = operand(a, "reshape")
    _check_order(order)
    lengths = _whole_shape(x, as_integers(shape, "shape", "reshape"))
    try:
        data = x._data.reshape(lengths, order=order, copy=copy)
    except ValueError:
        raise ValueError(f"reshape: shape {x.shape} cannot become {lengths} without a copy (copy=False)") from None
    return wrap(data, x._node)


def _check_order(order: object) -> None:
    """Refuse orders that `reshape` does not support."""
    if not isinstance(order, str) or order not in ("C", "F"):
        if isinstance(order, str) and order == "A":
            raise NotImplementedError(
                "reshape: order='A' depends on the memory layout, which is not specified; use 'C' or 'F'"
            )
        hint = "; lengths are one tuple, as in reshape(x, (2, 3))" if isinstance(order, int) else ""
        raise ValueError(f"reshape: order must be 'C' or 'F', got {describe(order)}{hint}")


def _whole_shape(x: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Replace a length of -1 by what is missing and check that the shape holds the elements of `x`."""
    unknown = [position for position, length in enumerate(shape) if length < 0]
    if len(unknown) > 1 or any(shape[position] != -1 for position in unknown):
        raise ShapeError(f"reshape: at most one length may be -1 and none below it, got {shape}")
    known = math.prod([length for length in shape if length >= 0])
    if unknown and known and x.size % known == 0:
        return tuple([x.size // known if length == -1 else length for length in shape])
    if unknown or known != x.size:
        raise ShapeError(f"reshape: an array of shape {x.shape} ({x.size} elements) cannot have shape {shape}")
    return shape


@public(fast="expand_dims", moving=True)
def expand_dims(a: ArrayLike, axis: Shape) -> Array:
    """Insert axes of length 1.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int
        The positions of the new axes in the result.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.expand_dims(xp.ones(3), axis=(0, -1)).shape
    (1, 3, 1)
    """
    x = operand(a, "expand_dims")
    given = as_integers(axis, "axis", "expand_dims")
    axes = normalize_axes(given, x.ndim + len(given), "expand_dims")
    lengths = iter(x.shape)
    return wrap(x._data.reshape([1 if i in axes else next(lengths) for i in range(x.ndim + len(axes))]), x._node)


@public(fast="squeeze", moving=True)
def squeeze(a: ArrayLike, axis: Axis = None) -> Array:
    """Remove axes of length 1.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        The axes to remove; by default all that have length 1.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.squeeze(xp.ones((1, 3, 1)), axis=0).shape
    (3, 1)
    """
    x = operand(a, "squeeze")
    if axis is None:
        return wrap(x._data.squeeze(), x._node)
    axes = normalize_axes(axis, x.ndim, "squeeze")
    for i in axes:
        if x.shape[i] != 1:
            raise ValueError(f"squeeze: only axes of length 1 can be removed, got axis {i} of shape {x.shape}")
    return wrap(x._data.squeeze(axes), x._node)


@public(plain=Plain(lambda x: x.reshape(-1), errors=None), moving=True)
def ravel(a: ArrayLike, order: Literal["C", "F"] = "C", *, out_sharding: object = None) -> Array:
    """Flatten an array.

    Parameters
    ----------
    a : Array
        The array.
    order : {"C", "F"}
        Whether the index of the last or of the first axis changes fastest.
    out_sharding

    Returns
    -------
    Array
        A vector, a view if possible.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ravel(xp.ones((2, 2))).shape
    (4,)
    """
    x = operand(a, "ravel")
    if order == "C":
        return wrap(x._data.reshape(-1), x._node)
    _refuse_layout(order)
    return reshape(x, (x.size,), order, out_sharding=out_sharding)


def _refuse_layout(order: object) -> None:
    """Refuse the order of `ravel` that depends on the memory layout."""
    if order == "K":
        raise NotImplementedError("ravel: order='K' depends on the memory layout, which is not specified; use 'C' or 'F'")


@public(moving=True, operands="a")
def resize(a: ArrayLike, new_shape: Shape) -> Array:
    """Change the shape of an array; repeat or cut its elements to fill it.

    Parameters
    ----------
    a : Array
        The array.
    new_shape : int or tuple of int
        The shape.

    Returns
    -------
    Array
        The array of the new shape.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.resize(xp.arange(3), (2, 2))
    Array([[0, 1],
           [2, 0]], dtype=int32)
    """
    x = operand(a, "resize")
    shape = as_integers(new_shape, "new_shape", "resize")
    if any(length < 0 for length in shape):
        raise ValueError(f"resize: a shape must have no negative lengths, got {shape}")
    size = math.prod(shape)
    check_shape("resize", shape, x._data.itemsize)
    if not x.size:
        return wrap(np.zeros(shape, x._data.dtype), x._node)
    # NumPy's function makes a list of as many arrays as there are repetitions.
    out, done = np.empty(size, x._data.dtype), min(size, x.size)
    out[:done] = x._data.reshape(-1)[:done]
    while done < size:
        more = min(done, size - done)
        out[done : done + more] = out[:more]
        done += more
    return wrap(out.reshape(shape), x._node)


# -- least dimensions ---------------------------------------------------------------------------------------------------------

#: For each function, and each number of dimensions that is too small, the index that adds the missing axes.
_ADDING_AXES: Final[dict[str, dict[int, tuple[Any, ...]]]] = {
    "atleast_1d": {0: (None,)},
    "atleast_2d": {0: (None, None), 1: (None,)},
    "atleast_3d": {0: (None, None, None), 1: (None, slice(None), None), 2: (..., None)},
}


def _at_least(function: str, arys: tuple[object, ...]) -> Array | list[Array]:
    """Add axes by a row of the table; return one array for one argument, else a list."""
    keys = _ADDING_AXES[function]
    out = []
    for position, item in enumerate(arys):
        x = operand(item, function, position)
        out.append(x[keys[x.ndim]] if x.ndim in keys else x)
    return out[0] if len(arys) == 1 else out


@overload
def atleast_1d(ary: ArrayLike, /) -> Array: ...
@overload
def atleast_1d(*arys: ArrayLike) -> Array | list[Array]: ...
@public(moving=True, composed=True)
def atleast_1d(*arys: ArrayLike) -> Array | list[Array]:
    """View arrays as arrays of at least one dimension.

    Parameters
    ----------
    *arys

    Returns
    -------
    Array or list of Array
        Views; one array for one argument.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atleast_1d(3).shape
    (1,)
    """
    return _at_least("atleast_1d", arys)


@overload
def atleast_2d(ary: ArrayLike, /) -> Array: ...
@overload
def atleast_2d(*arys: ArrayLike) -> Array | list[Array]: ...
@public(moving=True, composed=True)
def atleast_2d(*arys: ArrayLike) -> Array | list[Array]:
    """View arrays as arrays of at least two dimensions.

    Parameters
    ----------
    *arys

    Returns
    -------
    Array or list of Array
        Views, with new axes in front; one array for one argument.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atleast_2d(xp.ones(3)).shape
    (1, 3)
    """
    return _at_least("atleast_2d", arys)


@overload
def atleast_3d(ary: ArrayLike, /) -> Array: ...
@overload
def atleast_3d(*arys: ArrayLike) -> Array | list[Array]: ...
@public(moving=True, composed=True)
def atleast_3d(*arys: ArrayLike) -> Array | list[Array]:
    """View arrays as arrays of at least three dimensions.

    Parameters
    ----------
    *arys

    Returns
    -------
    Array or list of Array
        Views: vectors get a new first and last axis, matrices a new last one; one array for one argument.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atleast_3d(xp.ones(3)).shape
    (1, 3, 1)
    """
    return _at_least("atleast_3d", arys)
