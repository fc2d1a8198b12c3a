"""Utility functions of the standard: all, any and diff."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_count, is_nameless
from supremum._core.argument_types import ArrayLike, Axis
from supremum._core.arguments import Buffer, normalize_axis, promote_operands
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.operators import OPERATIONS, binary
from supremum._core.reduction_rows import FOLDS, reducing, reduction
from supremum._kernels.bounds import concatenate

__all__ = ["all", "any", "diff"]


@reducing(FOLDS["all"], fast="reduce")
def all(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
    """Test whether all elements over axes are true; NaN is true.

    Parameters
    ----------
    a, axis, out, keepdims, where

    Returns
    -------
    Array
        The truth values; True if there are no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.all(xp.asarray([[1, 2], [0, 4]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    return reduction(all, a, axis, keepdims, out=out, where=where)


@reducing(FOLDS["any"], fast="reduce")
def any(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
    """Test whether any element over axes is true; NaN is true.

    Parameters
    ----------
    a, axis, out, keepdims, where

    Returns
    -------
    Array
        The truth values; False if there are no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.any(xp.asarray([[1, 2], [0, 0]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    return reduction(any, a, axis, keepdims, out=out, where=where)


def _diff_parts(xp: Any, a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    axis %= xp.ndim(a)
    lengths = [1 if i == axis else length for i, length in enumerate(xp.shape(a))]
    ends = [None if x is None else x if xp.ndim(x) else xp.broadcast_to(x, lengths) for x in (prepend, append)]
    if n and (given := [x for x in (ends[0], a, ends[1]) if x is not None])[1:]:
        a = xp.concatenate(given, axis=axis)
    before = (slice(None),) * axis
    for _ in range(n):
        a = a[(*before, slice(1, None))] - a[(*before, slice(None, -1))]
    return a


@public(axis="axis", linear="a", parts=_diff_parts)
def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Compute the differences of neighbouring elements along an axis.

    Parameters
    ----------
    a : array_like
        Input array of at least one dimension.
    n : int
        Number of times to take differences.
    axis : int
        Axis to take differences along.
    prepend, append : array_like, optional
        Arrays or numbers to put before and after `a` first.

    Returns
    -------
    Array
        The differences; for bool, whether neighbours differ.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diff(xp.asarray([1, 4, 9, 16]))
    Array([3, 5, 7], dtype=int32)
    >>> xp.diff(xp.asarray([1, 4, 9, 16]), n=2)
    Array([2, 2], dtype=int32)
    """
    x = operand(a, "diff")
    times = as_count(n, "n", "diff")
    if times == 0:
        return x
    if not x.ndim:
        raise ValueError("diff needs an array of at least 1 dimension, got a 0-d array")
    position = normalize_axis(axis, x.ndim, "diff")
    x = _joined(x, prepend, append, position)
    before = (slice(None),) * position
    operation = OPERATIONS["not_equal" if x._node.kind == "b" else "subtract"]
    for _ in range(min(times, x.shape[position])):  # then the array is empty
        data = x._data
        x = binary(operation, wrap(data[*before, 1:], x._node), wrap(data[*before, :-1], x._node))
    return x


def _joined(x: Array, prepend: ArrayLike | None, append: ArrayLike | None, axis: int) -> Array:
    """Concatenate an array with the arrays or numbers before and after it."""
    if prepend is None and append is None:
        return x
    node, buffers = promote_operands("diff", *[part for part in (prepend, x, append) if part is not None])
    edge = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    shaped: list[Buffer] = [buffer if buffer.ndim else np.broadcast_to(buffer, edge) for buffer in buffers]
    try:
        return wrap(concatenate(shaped, axis), node)
    except ValueError as error:
        if is_nameless(error):
            raise
        shapes = [buffer.shape for buffer in shaped]
        raise ValueError(
            f"diff: prepend, the array and append must have the same shape except along axis {axis}, got {shapes}"
        ) from None
