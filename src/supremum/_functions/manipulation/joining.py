"""Joining arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._base.silence import silent
from supremum._core.arguments import Buffer, as_arrays, normalize_axis, refuse_out
from supremum._core.array import Array, joined, wrap
from supremum._core.conversion import as_array, keep_float64_scalars, operands
from supremum._core.dtypes import requested
from supremum._core.settings import state
from supremum._functions.manipulation.shapes import atleast_1d, atleast_2d, atleast_3d
from supremum._kernels.casts import cast
from supremum._kernels.direct import concatenate as numpy_concatenate
from supremum.promotion._nodes import Node

__all__ = ["append", "block", "column_stack", "concat", "concatenate", "dstack", "hstack", "stack", "vstack"]


@silent
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
        quick = joined(numpy_concatenate, arrays, axis)
        if quick is not None:
            return quick
    except (OverflowError, ValueError):
        pass  # shapes that do not fit: the long way says which
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
    given = as_arrays(arrays, function)
    if axis is not None and (type(axis) is not int or axis):
        axis = normalize_axis(axis, given[0].ndim, function)
    node, buffers = _prepared(given, dtype, function)
    try:
        return _join(buffers, axis, node)
    except ValueError:
        if not given[0].ndim:
            raise ValueError(f"{function}: 0-d arrays have no axis to be joined along; use stack") from None
        shapes = ", ".join(str(x.shape) for x in given)
        raise ShapeError(f"{function}: the shapes must be the same but for axis {axis}, got {shapes}") from None


def _join(buffers: list[Buffer], axis: int | None, node: Node) -> Array:
    """Join buffers, casting those whose cast is left to NumPy on their way into the result."""
    return wrap(numpy_concatenate(buffers, axis, dtype=node.dtype, casting="unsafe"), node)


def _prepared(arrays: list[Array], dtype: Any, function: str) -> tuple[Node, list[Buffer]]:
    """Give the node of a joined array and buffers in its dtype, or in one that NumPy casts as well as we do."""
    if dtype is not None:
        node = requested(dtype, function)
        return node, [cast(x._data, node) for x in arrays]
    node = arrays[0]._node
    if all(x._node is node for x in arrays):
        return node, [x._data for x in arrays]
    node = state().join_arrays(arrays, function)
    return node, [x._data if _widens(x._node, node) else cast(x._data, node) for x in arrays]


def _widens(given: Node, node: Node) -> bool:
    """Whether a cast between native dtypes neither overflows nor loses a part."""
    return given.native and node.native and (given.kind in "biu" or given.bits <= node.bits)


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
    if out is dtype is None and type(axis) is int and 0 <= axis < _MOST:
        try:
            quick = joined(_joined_anew, arrays, axis)
            if quick is not None:
                return quick
        except (IndexError, ValueError):
            pass  # an axis or shapes that do not fit: the long way says which
    refuse_out(out, "stack")
    given = as_arrays(arrays, "stack")
    shape = given[0].shape
    for x in given:
        if x.shape != shape:
            raise ValueError(f"stack: all arrays have the same shape, got {shape} and {x.shape}")
    position = normalize_axis(axis, len(shape) + 1, "stack")
    node, buffers = _prepared(given, dtype, "stack")
    key = (slice(None),) * position + (None,)
    return _join([data[key] for data in buffers], position, node)


#: The axes that NumPy's arrays have at most.
_MOST: Final = 64


def _joined_anew(buffers: list[Buffer], axis: int) -> Any:
    """Join buffers along an axis that they do not have yet."""
    key = (slice(None),) * axis + (None,)
    return numpy_concatenate([data[key] for data in buffers], axis)


def _stacked(tup: Any, function: str, shape: Callable[[Array], Array], axis: Callable[[int], int], dtype: Any) -> Array:
    """Join arrays along an axis after each got the shape that this takes."""
    arrays = [shape(x) for x in as_arrays(tup, function)]
    return _concatenated(arrays, axis(arrays[0].ndim), dtype, function)


def hstack(tup: Any, dtype: Any = None) -> Array:
    """Join arrays along the second axis; vectors along the first.

    Parameters
    ----------
    tup : sequence of Array
        The arrays; their dtypes meet.
    dtype : dtype, optional
        The dtype of the result.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.hstack([xp.ones(2), xp.zeros(1)])
    Array([1., 1., 0.], dtype=float32)
    """
    return _stacked(tup, "hstack", atleast_1d, lambda ndim: 0 if ndim == 1 else 1, dtype)


def vstack(tup: Any, dtype: Any = None) -> Array:
    """Join arrays along the first axis; vectors are rows.

    Parameters
    ----------
    tup : sequence of Array
        The arrays; their dtypes meet.
    dtype : dtype, optional
        The dtype of the result.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.vstack([xp.ones(2), xp.zeros(2)])
    Array([[1., 1.],
           [0., 0.]], dtype=float32)
    """
    return _stacked(tup, "vstack", atleast_2d, lambda _: 0, dtype)


def dstack(tup: Any, dtype: Any = None) -> Array:
    """Join arrays along the third axis.

    Parameters
    ----------
    tup : sequence of Array
        The arrays; their dtypes meet.
    dtype : dtype, optional
        The dtype of the result.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.dstack([xp.ones(2), xp.zeros(2)]).shape
    (1, 2, 2)
    """
    return _stacked(tup, "dstack", atleast_3d, lambda _: 2, dtype)


def column_stack(tup: Any) -> Array:
    """Join vectors as the columns of a matrix; matrices as they are.

    Parameters
    ----------
    tup : sequence of Array
        The arrays; their dtypes meet.

    Returns
    -------
    Array
        The matrix.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.column_stack([xp.arange(2), xp.ones(2, dtype="int8")])
    Array([[0, 1],
           [1, 1]], dtype=int32)
    """

    def column(x: Array) -> Array:
        return wrap(x._data.reshape(-1, 1), x._node) if x.ndim < 2 else x

    return _stacked(tup, "column_stack", column, lambda _: 1, None)


def append(arr: Any, values: Any, axis: int | None = None) -> Array:
    """Join values to the end of an array.

    Parameters
    ----------
    arr, values : Array
        The arrays; their dtypes meet.
    axis : int, optional
        The axis to join along; both are flattened if left out.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.append(xp.arange(2), 5)
    Array([0, 1, 5], dtype=int32)
    """
    return _concatenated(operands("append", arr, values), axis, None, "append")


def block(arrays: Any) -> Array:
    """Join nested lists of arrays: the innermost along the last axis, the next along the one before it, and so on.

    Parameters
    ----------
    arrays : (nested) list of Array
        The blocks; their dtypes meet.

    Returns
    -------
    Array
        The joined array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.block([[xp.ones((1, 1)), xp.zeros((1, 1))], [5, 6]])
    Array([[1., 0.],
           [5., 6.]], dtype=float32)
    """
    try:
        joined = _blocked(arrays)[0]
    except RecursionError:
        raise ValueError("block: the lists of blocks are nested too deeply, or contain themselves") from None
    return joined if isinstance(arrays, list) else wrap(joined._data.copy(), joined._node)


def _blocked(item: Any) -> tuple[Array, int]:
    """Give the joined array of an item and how deep it is nested, counting from 1."""
    if isinstance(item, tuple):
        raise ValueError(f"block: blocks are nested in lists, got the tuple {shown(item)}")  # noqa: TRY004 - as JAX's
    if not isinstance(item, list):
        return as_array(item), 1
    if not item:
        raise ValueError("block: there are no empty lists of blocks")
    parts = [_blocked(part) for part in item]
    depth = parts[0][1]
    if any(other != depth for _, other in parts):
        raise ValueError("block: all blocks are nested equally deep")
    rank = max(depth, *[x.ndim for x, _ in parts])
    blocks = keep_float64_scalars(item, [x for x, _ in parts])
    whole = [wrap(x._data.reshape((1,) * (rank - x.ndim) + x.shape), x._node) for x in blocks]
    return _concatenated(whole, -depth, None, "block"), depth + 1


publish(__name__, without=("concat",))
