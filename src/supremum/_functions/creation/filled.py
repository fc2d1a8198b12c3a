"""Arrays of one value, or of none in particular."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._base.key_dtype import keys_of_word
from supremum._core.arguments import Buffer, as_integers, check_device, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import requested
from supremum._core.settings import State, state
from supremum._kernels import elementwise as kernels
from supremum._kernels.casts import cast
from supremum.promotion._nodes import KEY, NODES, Node, concrete_weak, node_of_dtype

__all__ = ["empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"]


def shape_of(shape: Any, function: str) -> tuple[int, ...]:
    """Give the shape that a `shape=` argument means."""
    lengths = as_integers(shape, "a shape", function)
    if min(lengths, default=0) < 0:
        raise ShapeError(f"{function}: a shape has no negative lengths, got {lengths}")
    return lengths


#: Types of shapes that NumPy reads as we do.
_PLAIN: Final = frozenset({int, tuple})


def _filled(maker: Any, shape: Any, dtype: Any, device: Any, function: str) -> Array:
    if device is not None:
        check_device(device, function)
    here = state()
    node = here.float_ if dtype is None else requested(dtype, function, here)
    try:
        return wrap(maker(shape, node.dtype), node)
    except (TypeError, ValueError):
        lengths = shape_of(shape, function)
    try:
        return wrap(maker(lengths, node.dtype), node)
    except ValueError as error:
        raise ValueError(f"{function}: no array has the shape {shown(lengths)}: {error}") from None


def zeros(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:  # noqa: ARG001 - one device
    """Make an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    if dtype is None and device is None and type(shape) in _PLAIN:
        try:
            node = state().float_
            return wrap(np.zeros(shape, node.dtype), node)
        except (TypeError, ValueError):
            pass  # what is wrong is found out below
    return _filled(kernels.zeros, shape, dtype, device, "zeros")


def ones(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:  # noqa: ARG001 - one device
    """Make an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    if dtype is None and device is None and type(shape) in _PLAIN:
        try:
            node = state().float_
            return wrap(np.ones(shape, node.dtype), node)
        except (TypeError, ValueError):
            pass  # what is wrong is found out below
    return _filled(np.ones, shape, dtype, device, "ones")


def empty(shape: Any, dtype: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:  # noqa: ARG001 - one device
    """Make an array of unspecified values: zeros.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating dtype if left out.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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


def full(
    shape: Any,
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Make an array of one value; weakly typed if the value is and no dtype is given.

    Parameters
    ----------
    shape : int or tuple of int
        The shape.
    fill_value : scalar or Array
        The value, broadcast to the shape.
    dtype : dtype, optional
        The dtype; that of the value if left out.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    here = state()
    if type(fill_value) is float and dtype is None:
        out = np.empty(shape_of(shape, "full"), here.float_.dtype)
        out.fill(fill_value)
        return wrap(out, concrete_weak(here.float_))
    value = _value(fill_value, None if dtype is None else requested(dtype, "full", here), here, "full")
    return wrap(_spread(value, shape_of(shape, "full"), "full"), value._node)


def _value(fill_value: Any, node: Node | None, here: State, function: str) -> Array:
    """Give the array of a fill value in a node, or in its own; integers wrap, and do so without 64-bit dtypes as well."""
    kind = type(fill_value)
    if node is KEY and not (isinstance(fill_value, Array) and fill_value._node is KEY):
        return wrap(keys_of_word(_value(fill_value, NODES["uint32"], here, function)._data), KEY)
    if kind is int and (node is not None or here.x64 == "off"):
        node = concrete_weak(here.int_) if node is None else node
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
    out = np.empty(shape, value._data.dtype)
    try:
        out[...] = value._data
    except ValueError:
        raise ValueError(f"{function}: a fill value of shape {value.shape} cannot be broadcast to {shape}") from None
    return out


def _like(a: Any, dtype: Any, shape: Any, device: Any, function: str) -> tuple[tuple[int, ...], Node]:
    """Give the shape and the node of an array like another one."""
    check_device(device, function)
    lengths, node = _description(a, function)
    if shape is not None:
        lengths = shape_of(shape, function)
    return lengths, node if dtype is None else requested(dtype, function)


def _description(a: Any, function: str) -> tuple[tuple[int, ...], Node]:
    """Return the shape and the node of a model: of an object with both attributes without a look at its elements."""
    if type(a) is not Array and isinstance(getattr(a, "dtype", None), np.dtype) and hasattr(a, "shape"):
        node = node_of_dtype(a.dtype)
        if node is not None:
            return shape_of(a.shape, function), state().truncate(node)
    model = operand(a, function)
    return model.shape, model._node


def zeros_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Make zeros of the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    del out_sharding
    lengths, node = _like(a, dtype, shape, device, "zeros_like")
    return wrap(kernels.zeros(lengths, node.dtype), node)


def ones_like(a: Any, dtype: Any = None, shape: Any = None, *, device: Any = None, out_sharding: Any = None) -> Array:
    """Make ones of the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    del out_sharding
    lengths, node = _like(a, dtype, shape, device, "ones_like")
    return wrap(np.ones(lengths, node.dtype), node)


def empty_like(prototype: Any, dtype: Any = None, shape: Any = None, *, device: Any = None) -> Array:
    """Make an array of unspecified values, zeros, with the shape and dtype of an array.

    Parameters
    ----------
    prototype : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.

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
    lengths, node = _like(prototype, dtype, shape, device, "empty_like")
    return wrap(kernels.zeros(lengths, node.dtype), node)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    shape: Any = None,
    *,
    device: Any = None,
    out_sharding: Any = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Make an array of one value with the shape and dtype of an array.

    Parameters
    ----------
    a : array_like
        The model: an array, a scalar, or any object with a ``shape`` and a NumPy ``dtype``.
    fill_value : scalar or Array
        The value, broadcast to the shape.
    dtype, shape : optional
        What to have instead of the model's.
    device : optional
        ``"cpu"``.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

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
    lengths, node = _like(a, dtype, shape, device, "full_like")
    value = _value(fill_value, node, state(), "full_like")
    if value.ndim:
        node = strong(node)  # only a scalar leaves the model weak, as in JAX
    return wrap(_spread(value, lengths, "full_like"), node)


publish(__name__)
