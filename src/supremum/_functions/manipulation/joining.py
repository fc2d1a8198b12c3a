"""Joining arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, describe, is_nameless
from supremum._base.functions import takes_over
from supremum._core.array import Array, ArrayLike, DTypeLike, NestedArrayLike, wrap
from supremum._core.conversion import Buffer, as_array, as_arrays, keep_float64_scalars, normalize_axis, operands, refuse_out
from supremum._core.dtype_objects import requested
from supremum._core.settings import state
from supremum._functions.manipulation import shapes
from supremum._kernels import bounds
from supremum._kernels.casts import cast
from supremum._kernels.plain import moving as plain
from supremum.promotion._nodes import Node

__all__ = ["append", "block", "column_stack", "concat", "concatenate", "dstack", "hstack", "stack", "vstack"]

#: Several arrays: a sequence of them, or one array, which is split along its first axis.
Arrays: TypeAlias = Sequence[ArrayLike] | Array | np.ndarray[Any, Any]


@public(fast="concat", axis="axis", none="flat", moving=True)
def concat(arrays: Arrays, /, *, axis: int | None = 0) -> Array:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays of the same shape except for the axis; their dtypes promote.
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
    return _concatenated(arrays, axis, None, "concat")


@public(
    plain=Plain(np.concatenate, arrays=0, keywords=("axis",), errors=None),
    fast="concatenate",
    axis="axis",
    none="flat",
    moving=True,
)
def concatenate(arrays: Arrays, axis: int | None = 0, dtype: DTypeLike | None = None) -> Array:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays of the same shape except for the axis; a single array is split along its first axis.
    axis : int, optional
        The axis; None flattens the arrays first.
    dtype : dtype, optional
        The dtype of the result; by default the one that the arrays promote to.

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


def _concatenated(arrays: object, axis: object, dtype: object, function: str) -> Array:
    """Join arrays along an existing axis."""
    given = as_arrays(arrays, function)
    along = axis if axis is None or (type(axis) is int and not axis) else normalize_axis(axis, given[0].ndim, function)
    node, buffers = _prepared(given, dtype, function)
    try:
        return _join(buffers, along, node)
    except ValueError as error:
        if is_nameless(error):
            raise
        if not given[0].ndim:
            raise ValueError(f"{function}: 0-d arrays have no axis to be joined along; use stack") from None
        shapes = ", ".join(str(x.shape) for x in given)
        raise ShapeError(f"{function}: the shapes must be the same but for axis {along}, got {shapes}") from None


def _join(buffers: list[Buffer], axis: int | None, node: Node) -> Array:
    """Join buffers; NumPy casts those that `_prepared` did not."""
    return wrap(bounds.concatenate(buffers, axis, node.dtype), node)


def _prepared(arrays: list[Array], dtype: object, function: str) -> tuple[Node, list[Buffer]]:
    """Return the node of a joined array and the buffers, cast to its dtype unless NumPy can do that itself."""
    if dtype is not None:
        node = requested(dtype, function)
        return node, [cast(x._data, node) for x in arrays]
    node = arrays[0]._node
    if all([x._node is node for x in arrays]):
        return node, [x._data for x in arrays]
    node = state().join_arrays(arrays, function)
    return node, [x._data if _widens(x._node, node) else cast(x._data, node) for x in arrays]


def _widens(given: Node, node: Node) -> bool:
    """Whether a cast between native dtypes neither overflows nor loses a part."""
    return given.native and node.native and (given.kind in "biu" or given.bits <= node.bits)


@public(fast="stack", moving=True)
def stack(arrays: Arrays, axis: int = 0, out: None = None, dtype: DTypeLike | None = None) -> Array:
    """Join arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of Array
        The arrays; their dtypes promote.
    axis : int
        The position of the new axis in the result.
    out
    dtype : dtype, optional
        The dtype of the result; by default the one that the arrays promote to.

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
    refuse_out(out, "stack")
    given = as_arrays(arrays, "stack")
    shape = given[0].shape
    for x in given:
        if x.shape != shape:
            raise ValueError(f"stack: all arrays must have the same shape, got {shape} and {x.shape}")
    position = normalize_axis(axis, len(shape) + 1, "stack")
    node, buffers = _prepared(given, dtype, "stack")
    key = (slice(None),) * position + (None,)
    return _join([data[key] for data in buffers], position, node)


_Stacking = TypeVar("_Stacking", bound=Callable[..., Array])
#: The functions that join arrays after adding axes to them: how axes are added, and the axis to join along.
_STACKS: Final[dict[str, tuple[Callable[[Any], Any], int]]] = {
    "hstack": (shapes.atleast_1d, 1),  # vectors along their only axis
    "vstack": (shapes.atleast_2d, 0),
    "dstack": (shapes.atleast_3d, 2),
    "column_stack": (lambda x: x if x.ndim > 1 else shapes.reshape(x, (-1, 1)), 1),
}


def _stacked(function: str, tup: object, dtype: DTypeLike | None = None) -> Array:
    add_axes, axis = _STACKS[function]
    arrays = list(map(add_axes, as_arrays(tup, function)))
    return concatenate(arrays, min(axis, arrays[0].ndim - 1), dtype)


def _stacking(kernel: Callable[[list[Buffer]], Buffer]) -> Callable[[_Stacking], _Stacking]:
    """Decorate the function of the table that has the name of a kernel."""
    return public(plain=Plain(kernel, arrays=0, keywords=("axis",), errors=None), moving=True, composed=True)


@_stacking(plain.hstack)
def hstack(tup: Arrays, dtype: DTypeLike | None = None) -> Array:
    """Join arrays along the second axis; vectors along the first.

    Parameters
    ----------
    tup
    dtype : dtype, optional
        The dtype of the result; by default the one that the arrays promote to.

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
    return _stacked("hstack", tup, dtype)


@_stacking(plain.vstack)
def vstack(tup: Arrays, dtype: DTypeLike | None = None) -> Array:
    """Join arrays along the first axis; vectors are rows.

    Parameters
    ----------
    tup
    dtype : dtype, optional
        The dtype of the result; by default the one that the arrays promote to.

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
    return _stacked("vstack", tup, dtype)


@_stacking(plain.dstack)
def dstack(tup: Arrays, dtype: DTypeLike | None = None) -> Array:
    """Join arrays along the third axis.

    Parameters
    ----------
    tup
    dtype : dtype, optional
        The dtype of the result; by default the one that the arrays promote to.

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
    return _stacked("dstack", tup, dtype)


@_stacking(plain.column_stack)
def column_stack(tup: Arrays) -> Array:
    """Join arrays along the second axis; vectors are columns.

    Parameters
    ----------
    tup

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
    return _stacked("column_stack", tup)


@public(plain=Plain(plain.append, arrays=2, errors=None), moving=True, operands="arr values")
def append(arr: ArrayLike, values: ArrayLike, axis: int | None = None) -> Array:
    """Append values to an array.

    Parameters
    ----------
    arr, values : Array
        The arrays; their dtypes promote.
    axis : int, optional
        The axis to join along; by default both are flattened.

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


@public(moving=True, composed=True)
def block(arrays: NestedArrayLike) -> Array:
    """Join nested lists of arrays: the innermost along the last axis, the next ones along the axis before it, and so on.

    Parameters
    ----------
    arrays : (nested) list of Array
        The blocks; their dtypes promote.

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
    joined = _blocked(arrays)[0]
    if takes_over(joined):
        return joined
    return joined if isinstance(arrays, list) else wrap(joined._data.copy(), joined._node)


#: The levels of nested lists, which is how many axes arrays can have.
_MAX_DEPTH: Final = 64


def _blocked(item: object, level: int = 0) -> tuple[Array, int]:
    """Join the arrays of a nested list; return the result and the depth of the list, counting from 1."""
    if isinstance(item, tuple):
        raise ValueError(f"block: blocks are nested in lists, got the tuple {describe(item)}")  # noqa: TRY004 - as JAX's
    if not isinstance(item, list):
        return as_array(item), 1
    if not item:
        raise ValueError("block: a list of blocks must not be empty")
    if level == _MAX_DEPTH:
        raise ValueError("block: the lists of blocks are nested too deeply, or contain themselves")
    parts = [_blocked(part, level + 1) for part in item]
    depth = parts[0][1]
    if any(other != depth for _, other in parts):
        raise ValueError("block: all blocks must be nested equally deep")
    blocks = keep_float64_scalars(item, [x for x, _ in parts])
    rank = max(depth, *[x.ndim for x in blocks])
    whole = [x if x.ndim == rank else x.reshape((1,) * (rank - x.ndim) + x.shape) for x in blocks]
    if any(map(takes_over, whole)) or all(x.shape == whole[0].shape for x in whole):
        return concatenate(whole, axis=-depth), depth + 1
    return _concatenated(whole, -depth, None, "block"), depth + 1
