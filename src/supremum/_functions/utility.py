"""Utility functions of the standard: all, any and diff."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.errors import shown, whole
from supremum._core.arguments import Buffer, normalize_axis, promoted
from supremum._core.array import Array, binary, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand
from supremum._core.plans import BINARY
from supremum._core.reductions import REDUCTIONS, Plans, quick, reduction

__all__ = ["all", "any", "diff"]

_ALL, _ANY = Plans(REDUCTIONS["all"]), Plans(REDUCTIONS["any"])


def all(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
    """Whether all elements are true over axes; NaN is true.

    Parameters
    ----------
    a : array_like
        Input array.
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.
    where : array_like of bool, optional
        Elements to include; all by default.

    Returns
    -------
    Array
        Truth values; True of no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.all(xp.asarray([[1, 2], [0, 4]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    if where is None and out is None:
        result = quick(_ALL, a, axis, keepdims)
        if result is not None:
            return result
    return reduction(_ALL.rule, a, axis, keepdims, out=out, where=where)


def any(a: ArrayLike, axis: Axis = None, out: None = None, keepdims: bool = False, *, where: ArrayLike | None = None) -> Array:
    """Whether any element is true over axes; NaN is true.

    Parameters
    ----------
    a : array_like
        Input array.
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : None
        Not supported.
    keepdims : bool
        Whether to keep the reduced axes, with length 1.
    where : array_like of bool, optional
        Elements to include; all by default.

    Returns
    -------
    Array
        Truth values; False of no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.any(xp.asarray([[1, 2], [0, 0]]), axis=1)
    Array([ True, False], dtype=bool)
    """
    if where is None and out is None:
        result = quick(_ANY, a, axis, keepdims)
        if result is not None:
            return result
    return reduction(_ANY.rule, a, axis, keepdims, out=out, where=where)


def diff(a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None) -> Array:
    """Differences of neighbours along an axis.

    Parameters
    ----------
    a : array_like
        An array of one dimension or more.
    n : int
        How many times to take differences.
    axis : int
        Axis to accumulate along.
    prepend, append : array_like, optional
        What to put before and after the array first.

    Returns
    -------
    Array
        The differences: of truth values, whether neighbours differ.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.diff(xp.asarray([1, 4, 9, 16]))
    Array([3, 5, 7], dtype=int32)
    >>> xp.diff(xp.asarray([1, 4, 9, 16]), n=2)
    Array([2, 2], dtype=int32)
    """
    x = operand(a, "diff")
    if not hasattr(n, "__index__"):
        msg = f"diff: n must be an integer, got {shown(n)}"
        raise TypeError(msg)
    times = whole(n, "n")
    if times == 0:
        return x
    if times < 0:
        msg = f"diff: n must not be negative, got {n}"
        raise ValueError(msg)
    if not x.ndim:
        msg = "diff needs an array of at least 1 dimension, got a 0-d array"
        raise ValueError(msg)
    position = normalize_axis(axis, x.ndim, "diff")
    x = _joined(x, prepend, append, position)
    before = (slice(None),) * position
    operation = BINARY["not_equal" if x._node.kind == "b" else "subtract"]
    for _ in range(min(times, x.shape[position])):  # more find nothing left
        data = x._data
        x = binary(operation, wrap(data[*before, 1:], x._node), wrap(data[*before, :-1], x._node))
    return x


def _joined(x: Array, prepend: Any, append: Any, axis: int) -> Array:
    """Put arrays, or numbers, before and after an array."""
    if prepend is None and append is None:
        return x
    node, buffers = promoted("diff", *[part for part in (prepend, x, append) if part is not None])
    edge = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
    shaped: list[Buffer] = [buffer if buffer.ndim else np.broadcast_to(buffer, edge) for buffer in buffers]
    try:
        return wrap(np.concatenate(shaped, axis), node)
    except ValueError:
        shapes = [buffer.shape for buffer in shaped]
        msg = f"diff: prepend, the array and append must have the same shape but for axis {axis}, got {shapes}"
        raise ValueError(msg) from None


publish(__name__)
