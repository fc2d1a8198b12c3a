"""Arrays filled with one value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, describe
from supremum._base.key_dtype import keys_of_word
from supremum._core.array import Array, ArrayLike, Device, DTypeLike, Shape, wrap
from supremum._core.conversion import Buffer, as_integers, check_device, operand
from supremum._core.dtype_objects import requested
from supremum._core.settings import State, state
from supremum._kernels import pointwise as kernels
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KEY, NODES, Node, node_of_dtype

__all__ = ["empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"]


def shape_of(shape: object, function: str) -> tuple[int, ...]:
    """Convert a `shape` argument to a tuple of lengths."""
    lengths = as_integers(shape, "a shape", function)
    if min(lengths, default=0) < 0:
        raise ShapeError(f"{function}: a shape must have no negative lengths, got {lengths}")
    return lengths


#: Makes a buffer of a shape and a dtype.
_Maker = Callable[[Any, Any], Buffer]


def _filled(maker: _Maker, shape: object, dtype: object, device: object, function: str) -> Array:
    """Make an array of a given shape by a function of buffers."""
    if device is not None:
        check_device(device, function)
    settings = state()
    node = settings.float_ if dtype is None else requested(dtype, function, settings)
    lengths = shape_of(shape, function)
    try:
        return wrap(maker(lengths, node.dtype), node)
    except ValueError as error:
        raise ValueError(f"{function}: no array has the shape {describe(lengths)}: {error}") from None


def _filled_like(maker: _Maker, model: object, dtype: object, shape: object, device: object, function: str) -> Array:
    """Make an array with the shape and dtype of another one by a function of buffers."""
    lengths, node = _like(model, dtype, shape, device, function)
    return wrap(maker(lengths, node.dtype), node)


def _plain_like(maker: _Maker) -> Plain:
    """Return the plain call of a function that makes an array like another one."""
    return Plain(lambda x: maker(x.shape, x.dtype), least=0, errors=None, positional=1)


def _ones(shape: Any, dtype: Any) -> Buffer:
    """Return ones; NumPy's function takes three times as long."""
    out = np.empty(shape, dtype)
    out.fill(1)
    return out


@public(fast="zeros", constant="lengths")
def zeros(shape: Shape, dtype: DTypeLike | None = None, *, device: Device | None = None, out_sharding: object = None) -> Array:
    """Return an array of zeros.

    Parameters
    ----------
    shape, dtype, device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.zeros(3, dtype="bfloat16")
    Array([0, 0, 0], dtype=bfloat16)
    """
    return _filled(kernels.zeros, shape, dtype, device, "zeros")


@public(fast="ones", constant="lengths")
def ones(shape: Shape, dtype: DTypeLike | None = None, *, device: Device | None = None, out_sharding: object = None) -> Array:
    """Return an array of ones.

    Parameters
    ----------
    shape, dtype, device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ones((2, 2), dtype="int8")
    Array([[1, 1],
           [1, 1]], dtype=int8)
    """
    return _filled(_ones, shape, dtype, device, "ones")


@public(fast="empty", constant="lengths", own="result")
def empty(shape: Shape, dtype: DTypeLike | None = None, *, device: Device | None = None, out_sharding: object = None) -> Array:
    """Return an array without specified values; they are zeros.

    Parameters
    ----------
    shape, dtype, device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.empty((2, 3)).shape
    (2, 3)
    """
    return _filled(kernels.zeros, shape, dtype, device, "empty")


def _full_parts(xp: Any, shape: Any, fill_value: Any, dtype: Any = None, **_options: Any) -> Any:
    return xp.broadcast_to(fill_value if dtype is None else xp.astype(fill_value, dtype), shape)


@public(fast="full", parts=_full_parts)
def full(
    shape: Shape,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Return an array of one value; weakly typed if the value is and no dtype is given.

    Parameters
    ----------
    shape
    fill_value : scalar or Array
        The value, broadcast to the shape.
    dtype : dtype, optional
        The dtype; that of the value by default.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.full(2, 7, dtype="uint8")
    Array([7, 7], dtype=uint8)
    """
    if device is not None:
        check_device(device, "full")
    settings = state()
    value = _value(fill_value, None if dtype is None else requested(dtype, "full", settings), settings, "full")
    return wrap(_spread(value, shape_of(shape, "full"), "full"), value._node)


def _value(fill_value: Any, node: Node | None, settings: State, function: str) -> Array:
    """Convert a fill value to an array of `node`, or of its own node if that is None.

    Python integers that the dtype cannot hold wrap around; without 64-bit dtypes they do so for the default integer, too.
    """
    kind = type(fill_value)
    if node is KEY and not (isinstance(fill_value, Array) and fill_value._node is KEY):
        return wrap(keys_of_word(_value(fill_value, NODES["uint32"], settings, function)._data), KEY)
    if kind is int and (node is not None or settings.x64 == "off"):
        node = settings.int_.weak_form if node is None else node
        data = np.array(fill_value, np.int64 if fill_value < 1 << 63 else np.uint64)
    elif kind in (float, complex) and node is not None:
        if kind is complex and node.kind not in "bc":
            raise TypeError(f"{function}: the complex number {fill_value} cannot become {node.dtype}; take its .real first")
        data = np.array(fill_value)
    else:
        value = operand(fill_value, function, 1)
        node, data = node or value._node, value._data
    return wrap(cast(data, node), node)


def _spread(value: Array, shape: tuple[int, ...], function: str) -> Buffer:
    """Copy a value into a new buffer of a shape."""
    out = np.empty(shape, value._data.dtype)
    try:
        out[...] = value._data
    except ValueError:
        raise ValueError(f"{function}: a fill value of shape {value.shape} cannot be broadcast to {shape}") from None
    return out


def _like(model: Any, dtype: object, shape: object, device: object, function: str) -> tuple[tuple[int, ...], Node]:
    """Return the shape and the node of an array like another one."""
    check_device(device, function)
    lengths, node = _description(model, function)
    if shape is not None:
        lengths = shape_of(shape, function)
    return lengths, node if dtype is None else requested(dtype, function)


def _description(model: Any, function: str) -> tuple[tuple[int, ...], Node]:
    """Return the shape and the node of a model; the elements of an object with both attributes are not read."""
    if type(model) is not Array and isinstance(getattr(model, "dtype", None), np.dtype) and hasattr(model, "shape"):
        node = node_of_dtype(model.dtype)
        if node is not None:
            return shape_of(model.shape, function), state().truncate(node)
    x = operand(model, function)
    return x.shape, x._node


@public(plain=_plain_like(kernels.zeros), constant="shapes")
def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Shape | None = None,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Return zeros with the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype : dtype, optional
        The dtype; by default the model's.
    shape : int or tuple of int, optional
        The shape; by default the model's.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.zeros_like(xp.ones(2, dtype="int16"))
    Array([0, 0], dtype=int16)
    """
    return _filled_like(kernels.zeros, a, dtype, shape, device, "zeros_like")


@public(plain=_plain_like(_ones), constant="shapes")
def ones_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Shape | None = None,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Return ones with the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype : dtype, optional
        The dtype; by default the model's.
    shape : int or tuple of int, optional
        The shape; by default the model's.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.ones_like(xp.zeros(2))
    Array([1., 1.], dtype=float32)
    """
    return _filled_like(_ones, a, dtype, shape, device, "ones_like")


@public(plain=_plain_like(kernels.zeros), constant="shapes", own="result")
def empty_like(
    prototype: ArrayLike, dtype: DTypeLike | None = None, shape: Shape | None = None, *, device: Device | None = None
) -> Array:
    """Return an array without specified values, with the shape and dtype of an array; the values are zeros.

    Parameters
    ----------
    prototype : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype : dtype, optional
        The dtype; by default the model's.
    shape : int or tuple of int, optional
        The shape; by default the model's.
    device

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.empty_like(xp.zeros(2)).shape
    (2,)
    """
    return _filled_like(kernels.zeros, prototype, dtype, shape, device, "empty_like")


def _full_like_parts(xp: Any, a: Any, fill_value: Any, dtype: Any = None, shape: Any = None, **_options: Any) -> Any:
    found = xp.broadcast_to(fill_value, xp.shape(a) if shape is None else shape)
    weak = dtype is None and not xp.ndim(fill_value) and a.weak_type
    return xp.jax.lax.convert_element_type(found, a.dtype if dtype is None else dtype, weak)


@public(parts=_full_like_parts)
def full_like(
    a: ArrayLike,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    shape: Shape | None = None,
    *,
    device: Device | None = None,
    out_sharding: object = None,
) -> Array:
    """Return an array of one value with the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    fill_value : array_like
        The value, broadcast to the shape.
    dtype : dtype, optional
        The dtype; by default the model's.
    shape : int or tuple of int, optional
        The shape; by default the model's.
    device, out_sharding

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.full_like(xp.zeros(2, dtype="int8"), 3)
    Array([3, 3], dtype=int8)
    """
    if (
        type(a) is Array
        and type(fill_value) is float
        and dtype is None
        and shape is None
        and device is None
        and a._node.kind == "f"
        and a._node.native
    ):
        return wrap(np.full(a._data.shape, fill_value, a._node.dtype), a._node)
    lengths, node = _like(a, dtype, shape, device, "full_like")
    value = _value(fill_value, node, state(), "full_like")
    if value.ndim:
        node = node.strong  # only a scalar leaves the model weak, as in JAX
    return wrap(_spread(value, lengths, "full_like"), node)
