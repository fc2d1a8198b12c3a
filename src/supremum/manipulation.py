"""The standard's manipulation functions: new shapes, new orders of axes, joining, repeating."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from supremum._arguments import Buffer, arrays_of, axes_of, axis_of, meet, no_out, numbers_of
from supremum._array import Array, wrap
from supremum._conversion import operand, operands
from supremum._errors import ShapeError
from supremum._kernels.casts import cast
from supremum._types import requested

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "concatenate", "expand_dims", "flip", "matrix_transpose",
    "moveaxis", "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "swapaxes", "tile", "transpose", "unstack",
]  # fmt: skip


# -- broadcasting -------------------------------------------------------------------------------------------------------------


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
    given = [numbers_of(shape, "a shape", "broadcast_shapes") for shape in shapes]
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
    lengths = numbers_of(shape, "shape", "broadcast_to")
    try:
        return wrap(np.broadcast_to(x._data, lengths), x._node)
    except ValueError:
        raise ValueError(f"broadcast_to: an array of shape {x.shape} cannot be broadcast to shape {lengths}") from None


# -- shapes -------------------------------------------------------------------------------------------------------------------


def reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None, out_sharding: Any = None) -> Array:  # noqa: ARG001 - there is one device
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
    if copy is None and order == "C" and type(shape) is tuple:
        try:
            return wrap(x._data.reshape(shape), x._node)
        except (TypeError, ValueError):
            pass  # what is wrong is found out below
    if order not in ("C", "F"):
        if order in ("A", "K"):
            raise NotImplementedError(f"reshape: order={order!r} has no meaning where layout has none; use 'C' or 'F'")
        raise ValueError(f"reshape: order is 'C' or 'F', got {order!r}")
    lengths = _whole_shape(x, numbers_of(shape, "shape", "reshape"))
    try:
        data = x._data.reshape(lengths, order=order, copy=copy)  # type: ignore[call-overload]  # order is one of two literals
    except ValueError:
        raise ValueError(f"reshape: shape {x.shape} cannot become {lengths} without a copy (copy=False)") from None
    return wrap(data, x._node)


def _whole_shape(x: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Work out the length that is -1 and check that the shape holds the elements of `x`."""
    unknown = [position for position, length in enumerate(shape) if length < 0]
    if len(unknown) > 1 or any(shape[position] != -1 for position in unknown):
        raise ValueError(f"reshape: at most one length may be -1 and none below it, got {shape}")
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
    given = numbers_of(axis, "axis", "expand_dims")
    axes = axes_of(given, x.ndim + len(given), "expand_dims")
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
    axes = axes_of(axis, x.ndim, "squeeze")
    for i in axes:
        if x.shape[i] != 1:
            raise ValueError(f"squeeze: only axes of length 1 can be removed, got axis {i} of shape {x.shape}")
    return wrap(x._data.squeeze(axes), x._node)


# -- orders of axes and of elements -------------------------------------------------------------------------------------------


def permute_dims(a: Any, /, axes: Any) -> Array:
    """Permute the axes.

    Parameters
    ----------
    a : Array
        The array.
    axes : tuple of int
        For each axis of the result the axis of `a` it is.

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
    x = a if type(a) is Array else operand(a, "permute_dims")
    return wrap(_permuted(x._data, axes, "permute_dims"), x._node)


def transpose(a: Any, axes: Any = None) -> Array:
    """Permute the axes; reverse them if `axes` is left out.

    Parameters
    ----------
    a : Array
        The array.
    axes : tuple of int, optional
        For each axis of the result the axis of `a` it is.

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
    x = a if type(a) is Array else operand(a, "transpose")
    return wrap(x._data.T if axes is None else _permuted(x._data, axes, "transpose"), x._node)


def _permuted(data: Buffer, axes: Any, function: str) -> Buffer:
    try:
        return data.transpose(axes)
    except (TypeError, ValueError):
        pass  # what is wrong is found out below
    if not np.iterable(axes):
        raise TypeError(f"{function}: axes is a sequence of integers, got {axes!r}")
    order = numbers_of(axes, "axes", function)
    if sorted([number + data.ndim if number < 0 else number for number in order]) != list(range(data.ndim)):
        raise ShapeError(f"{function}: axes={axes!r} is no permutation of the axes of an array of shape {data.shape}")
    return data.transpose(order)


def matrix_transpose(x: Any, /) -> Array:
    """Exchange the last two axes.

    Parameters
    ----------
    x : Array
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


def swapaxes(a: Any, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Parameters
    ----------
    a : Array
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
    return wrap(x._data.swapaxes(axis_of(axis1, x.ndim, "swapaxes"), axis_of(axis2, x.ndim, "swapaxes")), x._node)


def moveaxis(a: Any, source: Any, destination: Any) -> Array:
    """Move axes to other positions; the others keep their order.

    Parameters
    ----------
    a : Array
        The array.
    source, destination : int or tuple of int
        Where the axes are and where they go.

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
    sources = axes_of(source, x.ndim, "moveaxis")
    targets = axes_of(destination, x.ndim, "moveaxis")
    if len(sources) != len(targets):
        raise ValueError(f"moveaxis: source and destination have the same length, got {source!r} and {destination!r}")
    order = [i for i in range(x.ndim) if i not in sources]
    for target, origin in sorted(zip(targets, sources, strict=True)):
        order.insert(target, origin)
    return wrap(x._data.transpose(order), x._node)


def flip(m: Any, axis: Any = None) -> Array:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    m : Array
        The array.
    axis : int or tuple of int, optional
        The axes; all if left out.

    Returns
    -------
    Array
        A view.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.flip(xp.arange(3))
    Array([2, 1, 0], dtype=int32)
    """
    x = operand(m, "flip")
    axes = axes_of(axis, x.ndim, "flip")
    backwards = slice(None, None, -1)
    data = x._data[tuple([backwards if i in axes else slice(None) for i in range(x.ndim)])] if axes else x._data
    return wrap(data, x._node)


def roll(a: Any, shift: Any, axis: Any = None) -> Array:
    """Shift elements along axes; those that leave at one end come back at the other.

    Parameters
    ----------
    a : Array
        The array.
    shift : int or tuple of int
        How far, for each axis.
    axis : int or tuple of int, optional
        The axes; the flattened array is shifted if left out.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.roll(xp.arange(5), 2)
    Array([3, 4, 0, 1, 2], dtype=int32)
    """
    x = operand(a, "roll")
    shifts = numbers_of(shift, "shift", "roll")
    if axis is None:
        return wrap(_rolled(x._data.reshape(-1), sum(shifts), 0).reshape(x.shape), x._node)
    axes = axes_of(axis, x.ndim, "roll", repeated=True)
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise ValueError(f"roll: shift and axis have the same length, got shift={shift!r} and axis={axis!r}")
    pairs = max(len(axes), len(shifts))
    by_axis: dict[int, int] = {}
    for i, step in zip(axes * (pairs // len(axes or (0,))), shifts * (pairs // len(shifts or (0,))), strict=True):
        by_axis[i] = by_axis.get(i, 0) + step
    data = x._data
    for i, step in by_axis.items():
        data = _rolled(data, step, i)
    return wrap(data, x._node)


def _rolled(data: Buffer, shift: int, axis: int) -> Buffer:
    length = data.shape[axis]
    if not length:
        return data.copy()
    shift %= length
    out = np.empty(data.shape, data.dtype)
    before = (slice(None),) * axis
    out[(*before, slice(shift, None))] = data[(*before, slice(None, length - shift))]
    out[(*before, slice(None, shift))] = data[(*before, slice(length - shift, None))]
    return out


# -- joining and taking apart -------------------------------------------------------------------------------------------------


def concat(arrays: Any, /, *, axis: int | None = 0) -> Array:
    """Join arrays along an axis they have.

    Parameters
    ----------
    arrays : sequence of Array
        Arrays of the same shape but for the axis; their dtypes meet.
    axis : int, optional
        The axis; None flattens the arrays first.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.concat([xp.ones(2, dtype="int8"), xp.zeros(1)])
    Array([1., 1., 0.], dtype=float32)
    """
    try:
        # Arrays of one node and an axis that is there: nothing to judge.
        node = arrays[0]._node
        buffers = [x._data for x in arrays if x._node is node]
        if len(buffers) == len(arrays) and type(axis) is int:
            return wrap(np.concatenate(buffers, axis), node)
    except (AttributeError, IndexError, TypeError, ValueError):
        pass
    return _concatenated(arrays, axis, None, "concat")


def concatenate(arrays: Any, axis: int | None = 0, dtype: Any = None) -> Array:
    """Join arrays along an axis they have.

    Parameters
    ----------
    arrays : sequence of Array
        Arrays of the same shape but for the axis; one array is taken apart along its first axis.
    axis : int, optional
        The axis; None flattens the arrays first.
    dtype : dtype, optional
        The dtype of the result; that the arrays meet at if left out.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.concatenate([xp.ones((1, 2)), xp.zeros((1, 2))], axis=1)
    Array([[1., 1., 0., 0.]], dtype=float32)
    """
    return _concatenated(arrays, axis, dtype, "concatenate")


def _concatenated(arrays: Any, axis: Any, dtype: Any, function: str) -> Array:
    given = arrays_of(arrays, function)
    if axis is None:
        node, buffers = _cast_all(given, dtype, function)
        return wrap(np.concatenate(buffers, axis=None), node)
    axis = axis if type(axis) is int and not axis else axis_of(axis, given[0].ndim, function)
    node, buffers = _cast_all(given, dtype, function)
    try:
        return wrap(np.concatenate(buffers, axis), node)
    except ValueError:
        if not given[0].ndim:
            raise ValueError(f"{function}: 0-d arrays have no axis to be joined along; use stack") from None
        shapes = ", ".join(str(x.shape) for x in given)
        raise ShapeError(f"{function}: the shapes must be the same but for axis {axis}, got {shapes}") from None


def _cast_all(arrays: list[Array], dtype: Any, function: str) -> Any:
    """Give the node of a joined array and the buffers in its dtype."""
    if dtype is None:
        return meet(arrays)
    node = requested(dtype, function)
    return node, [cast(x._data, node) for x in arrays]


def stack(arrays: Any, axis: int = 0, out: None = None, dtype: Any = None) -> Array:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of Array
        The arrays; their dtypes meet.
    axis : int
        The position of the new axis in the result.
    out : None
        Not supported.
    dtype : dtype, optional
        The dtype of the result; that the arrays meet at if left out.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.stack([xp.arange(2), xp.arange(2)], axis=1)
    Array([[0, 0],
           [1, 1]], dtype=int32)
    """
    no_out(out, "stack")
    given = arrays_of(arrays, "stack")
    shape = given[0].shape
    for x in given:
        if x.shape != shape:
            raise ValueError(f"stack: all arrays have the same shape, got {shape} and {x.shape}")
    position = axis_of(axis, len(shape) + 1, "stack")
    node, buffers = _cast_all(given, dtype, "stack")
    key = (slice(None),) * position + (None,)
    return wrap(np.concatenate([data[key] for data in buffers], position), node)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Take an array apart along an axis.

    Parameters
    ----------
    x : Array
        The array.
    axis : int
        The axis, which the parts do not have.

    Returns
    -------
    tuple of Array
        The parts, as views.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unstack(xp.asarray([[1, 2], [3, 4]]), axis=1)
    (Array([1, 3], dtype=int32), Array([2, 4], dtype=int32))
    """
    given = operand(x, "unstack")
    if not given.ndim:
        raise ValueError("unstack: a 0-d array has no axis to be taken apart along")
    parts = np.moveaxis(given._data, axis_of(axis, given.ndim, "unstack"), 0)
    return tuple([wrap(parts[i, ...], given._node) for i in range(len(parts))])


# -- repeating ----------------------------------------------------------------------------------------------------------------


def tile(A: Any, reps: Any) -> Array:
    """Repeat a whole array along axes.

    Parameters
    ----------
    A : Array
        The array.
    reps : int or tuple of int
        How often along each axis; missing axes are put in front.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tile(xp.arange(2), (2, 2))
    Array([[0, 1, 0, 1],
           [0, 1, 0, 1]], dtype=int32)
    """
    x = operand(A, "tile")
    times = numbers_of(reps, "reps", "tile")
    if any(n < 0 for n in times):
        raise ValueError(f"tile: repetitions are not negative, got {reps!r}")
    return wrap(np.tile(x._data, times), x._node)


def repeat(
    a: Any,
    repeats: Any,
    axis: int | None = None,
    *,
    total_repeat_length: int | None = None,
    out_sharding: Any = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Repeat each element along an axis.

    Parameters
    ----------
    a : Array
        The array.
    repeats : int or Array of int
        How often; one number, or one for each position along the axis.
    axis : int, optional
        The axis; the array is flattened if left out.
    total_repeat_length : int, optional
        The length of the result along the axis: more elements are cut off, and the last one fills up what is missing.
    out_sharding : optional
        Accepted for JAX's sake; there is one device.

    Returns
    -------
    Array
        The array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.repeat(xp.arange(3), xp.asarray([1, 0, 2]))
    Array([0, 2, 2], dtype=int32)
    """
    x = operand(a, "repeat")
    data = x._data.reshape(-1) if axis is None or not x.ndim else x._data
    position = 0 if axis is None else axis_of(axis, data.ndim, "repeat")
    length = data.shape[position]
    times = _repeats(repeats, length)
    out = np.repeat(data, times if total_repeat_length is None else np.broadcast_to(times, (length,)), position)
    if total_repeat_length is not None:
        out = _fitted(out, operator.index(total_repeat_length), position, data)
    return wrap(out, x._node)


def _repeats(repeats: Any, length: int) -> Buffer:
    """Check how often the elements along an axis are repeated."""
    times = operand(repeats, "repeat", 1)
    if times._node.kind not in "iub":
        raise TypeError(f"repeat: repeats are integers, got dtype {times.dtype}")
    numbers = times._data.reshape(-1).astype(np.int64)
    if numbers.size not in (1, length):
        raise ValueError(f"repeat: repeats has one number or {length}, one for each position, got shape {times.shape}")
    if (numbers < 0).any():
        raise ValueError("repeat: repeats are not negative")
    return numbers


def _fitted(out: Buffer, length: int, axis: int, data: Buffer) -> Buffer:
    """Cut `out` to a length along an axis, or fill it up with the last position of `data`."""
    before = (slice(None),) * axis
    if out.shape[axis] >= length or not data.shape[axis]:
        return out[(*before, slice(None, length))]
    last = data[(*before, slice(-1, None))]
    return np.concatenate([out, np.repeat(last, length - out.shape[axis], axis)], axis)


