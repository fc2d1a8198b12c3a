"""Utility functions of the standard: all, any and diff."""

from __future__ import annotations

from supremum._base.boundary import public
from supremum._base.exceptions import as_count
from supremum._core.array import Array, ArrayLike, Axis
from supremum._core.conversion import normalize_axis, operand, operands
from supremum._core.reduction_rows import FOLDS, reducing, reduction
from supremum._functions.elementwise.arithmetic import subtract
from supremum._functions.elementwise.comparison import not_equal
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import broadcast_to

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


@public(composed=True, axis="axis", linear="a")
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
    before = (slice(None),) * position
    if not prepend is append is None:
        given = operands("diff", *[x if part is ... else part for part in (prepend, ..., append) if part is not None])
        edge = (*x.shape[:position], 1, *x.shape[position + 1 :])
        x = concatenate([part if part.ndim else broadcast_to(part, edge) for part in given], position)
    combined = not_equal if x.dtype.kind == "b" else subtract
    for _ in range(min(times, x.shape[position])):  # then the array is empty
        x = combined(x[(*before, slice(1, None))], x[(*before, slice(None, -1))])
    return x
