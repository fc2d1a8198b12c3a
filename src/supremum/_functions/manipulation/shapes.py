"""Shapes: broadcasting, reshaping, axes of length 1."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._core.arguments import as_integers, normalize_axes
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand, operands

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "expand_dims",
    "ravel", "reshape", "resize", "squeeze",
]  # fmt: skip


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """Give the shape that arrays of several shapes are broadcast to.

    Parameters
    ----------
    *shapes : tuple of int
        Shapes; an integer stands for a shape of one axis.

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
        raise ValueError(f"broadcast_shapes: a shape has no negative lengths, got {given}")
    try:
        return np.broadcast_shapes(*given)
    except ValueError:
        raise ValueError(f"broadcast_shapes: the shapes {', '.join(map(str, given))} cannot be broadcast together") from None


def broadcast_arrays(*args: Any) -> tuple[Array, ...]:
    """Broadcast arrays against one another; each keeps its dtype.

    Parameters
    ----------
    *args : Array
        Arrays.

    Returns
    -------
    tuple of Array
        An array of the common shape for each; those that had to grow are read-only views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.broadcast_arrays(xp.ones((2, 1)), xp.ones(3))]
    [(2, 3), (2, 3)]
    """
    arrays = operands("broadcast_arrays", *args)
    shape = broadcast_shapes(*[x.shape for x in arrays])
    return tuple([x if x.shape == shape else wrap(np.broadcast_to(x._data, shape), x._node) for x in arrays])


def broadcast_to(array: Any, shape: Any, *, out_sharding: Any = None) -> Array:  # noqa: ARG001 - there is one device
    """Broadcast an array to a shape.

    Parameters
    ----------
    array : Array
        The array.
    shape : int or tuple of int
        The shape.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
        raise ShapeError(f"broadcast_to: an array of shape {x.shape} cannot be broadcast to shape {lengths}") from None


def reshape(a: Any, shape: Any, order: Any = "C", *, copy: bool | None = None, out_sharding: Any = None) -> Array:  # noqa: ARG001 - there is one device
    """Give an array's elements another shape.

    Parameters
    ----------
    a : Array
        The array.
    shape : int or tuple of int
        The shape; one length may be -1, which is then worked out.
    order : {"C", "F"}
        Whether the last or the first axis runs fastest.
    copy : bool, optional
        True always copies, False never does (and raises where it must), None copies where it must.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

    Returns
    -------
    Array
        The array, a view where that is possible.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.reshape(xp.arange(6), (2, -1))
    Array([[0, 1, 2],
           [3, 4, 5]], dtype=int32)
    """
    x = a if type(a) is Array else operand(a, "reshape")
    try:
        if copy is None and order == "C" and isinstance(shape, tuple):
            data = x._data.reshape(shape)
            if data.shape == shape or -1 in shape:  # NumPy takes any negative length for -1
                return wrap(data, x._node)
    except (TypeError, ValueError):
        pass  # what is wrong is found out below
    if not isinstance(order, str) or order not in ("C", "F"):
        if isinstance(order, str) and order == "A":
            raise NotImplementedError("reshape: order='A' has no meaning where layout has none; use 'C' or 'F'")
        raise ValueError(f"reshape: order is 'C' or 'F', got {shown(order)}")
    lengths = _whole_shape(x, as_integers(shape, "shape", "reshape"))
    try:
        data = x._data.reshape(lengths, order=order, copy=copy)  # type: ignore[call-overload]  # order is one of two literals
    except ValueError:
        raise ValueError(f"reshape: shape {x.shape} cannot become {lengths} without a copy (copy=False)") from None
    return wrap(data, x._node)


def _whole_shape(x: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Work out the length that is -1 and check that the shape holds the elements of `x`."""
    unknown = [position for position, length in enumerate(shape) if length < 0]
    if len(unknown) > 1 or any(shape[position] != -1 for position in unknown):
        raise ShapeError(f"reshape: at most one length may be -1 and none below it, got {shape}")
    known = math.prod([length for length in shape if length >= 0])
    if unknown and known and x.size % known == 0:
        return tuple([x.size // known if length == -1 else length for length in shape])
    if unknown or known != x.size:
        raise ShapeError(f"reshape: an array of shape {x.shape} ({x.size} elements) cannot have shape {shape}")
    return shape


def expand_dims(a: Any, axis: Any) -> Array:
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
    x = a if type(a) is Array else operand(a, "expand_dims")
    given = as_integers(axis, "axis", "expand_dims")
    axes = normalize_axes(given, x.ndim + len(given), "expand_dims")
    lengths = iter(x.shape)
    return wrap(x._data.reshape([1 if i in axes else next(lengths) for i in range(x.ndim + len(axes))]), x._node)


def squeeze(a: Any, axis: Any = None) -> Array:
    """Remove axes of length 1.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        The axes to remove; all that have length 1 if left out.

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
    x = a if type(a) is Array else operand(a, "squeeze")
    if axis is None:
        return wrap(x._data.squeeze(), x._node)
    axes = normalize_axes(axis, x.ndim, "squeeze")
    for i in axes:
        if x.shape[i] != 1:
            raise ValueError(f"squeeze: only axes of length 1 can be removed, got axis {i} of shape {x.shape}")
    return wrap(x._data.squeeze(axes), x._node)


def ravel(a: Any, order: str = "C", *, out_sharding: Any = None) -> Array:
    """Flatten an array.

    Parameters
    ----------
    a : Array
        The array.
    order : {"C", "F"}
        Whether the last or the first axis runs fastest.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

    Returns
    -------
    Array
        A vector, a view where that is possible.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ravel(xp.ones((2, 2))).shape
    (4,)
    """
    x = operand(a, "ravel")
    if order == "C":
        return wrap(x._data.reshape(-1), x._node)
    if order == "K":
        raise NotImplementedError("ravel: order='K' has no meaning where layout has none; use 'C' or 'F'")
    return reshape(x, (x.size,), order, out_sharding=out_sharding)


def resize(a: Any, new_shape: Any) -> Array:
    """Repeat or cut the elements of an array until they fill a shape.

    Parameters
    ----------
    a : Array
        The array.
    new_shape : int or tuple of int
        The shape.

    Returns
    -------
    Array
        The array.

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
        raise ValueError(f"resize: a shape has no negative lengths, got {shape}")
    return wrap(np.resize(x._data, shape) if x.size else np.zeros(shape, x.dtype), x._node)


# -- least dimensions ---------------------------------------------------------------------------------------------------------


def _at_least(function: str, key: dict[int, Any], arys: tuple[Any, ...]) -> Any:
    """Add axes by the key for each number of dimensions; one array for one argument, else a list."""
    out = []
    for position, item in enumerate(arys):
        x = operand(item, function, position)
        out.append(wrap(x._data[key[x.ndim]], x._node) if x.ndim in key else x)
    return out[0] if len(arys) == 1 else out


def atleast_1d(*arys: Any) -> Any:
    """Give arrays at least one dimension.

    Parameters
    ----------
    *arys : Array
        Arrays.

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
    return _at_least("atleast_1d", {0: (None,)}, arys)


def atleast_2d(*arys: Any) -> Any:
    """Give arrays at least two dimensions.

    Parameters
    ----------
    *arys : Array
        Arrays.

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
    return _at_least("atleast_2d", {0: (None, None), 1: (None,)}, arys)


def atleast_3d(*arys: Any) -> Any:
    """Give arrays at least three dimensions.

    Parameters
    ----------
    *arys : Array
        Arrays.

    Returns
    -------
    Array or list of Array
        Views: a vector gets an axis on either side, a matrix one behind; one array for one argument.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atleast_3d(xp.ones(3)).shape
    (1, 3, 1)
    """
    return _at_least("atleast_3d", {0: (None, None, None), 1: (None, slice(None), None), 2: (..., None)}, arys)


publish(__name__, without=("reshape",))
