"""Reductions that leave NaN out."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike
from supremum._core.conversion import operand, refuse_out
from supremum._core.dtype_objects import requested
from supremum._core.reduction_rows import nan_mask
from supremum._functions._rounding import node_of
from supremum._functions.elementwise.bits import bitwise_and
from supremum._functions.elementwise.comparison import equal
from supremum._functions.elementwise.complex_parts import real
from supremum._functions.elementwise.floating import isnan
from supremum._functions.statistical.reductions import any, cumprod, cumsum, max, mean as plain_mean, min, prod, std, sum, var
from supremum._functions.where import where as choose

__all__ = [
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar",
]  # fmt: skip


# -- sums, products and extremes ----------------------------------------------------------------------------------------------


@public(role="total", axis="axis", none="all", sums=True, composed=True)
def nansum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Sum the elements that are not NaN over axes.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, initial, where
        As for `sum`.

    Returns
    -------
    Array
        The sums; 0 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nansum(xp.asarray([2.0, xp.nan, 3.0]))
    Array(5., dtype=float32)
    """
    return _reduced(sum, a, axis, keepdims, out, where, dtype=dtype, initial=initial)


@public(role="total", axis="axis", none="all", composed=True)
def nanprod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Multiply the elements that are not NaN over axes.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, initial, where
        As for `prod`.

    Returns
    -------
    Array
        The products; 1 where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanprod(xp.asarray([2.0, xp.nan, 3.0]))
    Array(6., dtype=float32)
    """
    return _reduced(prod, a, axis, keepdims, out, where, dtype=dtype, initial=initial)


@public(axis="axis", none="all", composed=True)
def nanmax(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Return the largest element that is not NaN over axes.

    Parameters
    ----------
    a, axis, out, keepdims, initial, where
        As for `max`.

    Returns
    -------
    Array
        The largest elements; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmax(xp.asarray([2.0, xp.nan, 3.0]))
    Array(3., dtype=float32)
    """
    return _reduced(max, a, axis, keepdims, out, where, -np.inf, initial=initial)


@public(axis="axis", none="all", composed=True)
def nanmin(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Return the smallest element that is not NaN over axes.

    Parameters
    ----------
    a, axis, out, keepdims, initial, where
        As for `min`.

    Returns
    -------
    Array
        The smallest elements; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmin(xp.asarray([2.0, xp.nan, 3.0]))
    Array(2., dtype=float32)
    """
    return _reduced(min, a, axis, keepdims, out, where, np.inf, initial=initial)


def _known(x: Array, where: Any) -> Any:
    """Return the mask of what counts; None for all."""
    if node_of(x).kind not in "fc":
        return where
    return equal(x, x) if where is None else bitwise_and(equal(x, x), where)


def _reduced(
    reduce: Any, a: Any, axis: Axis, keepdims: bool, out: object, where: Any, worst: float | None = None, dtype: Any = None,
    initial: Any = None,
) -> Array:  # fmt: skip
    """Reduce all elements, by a fast path, and without NaN if a result is NaN; of NaN alone the worst element is NaN."""
    if type(a) is Array and out is where is dtype is initial is None:
        found: Array = reduce(a, axis=axis, keepdims=keepdims)
        if found._node.kind not in "fc" or not nan_mask(found).any():
            return found
    refuse_out(out, f"nan{reduce.name}")
    x = operand(a, f"nan{reduce.name}")
    if worst is not None and initial is where is None and (known := _known(x, None)) is not None:
        found = reduce(x, axis=axis, keepdims=keepdims, where=known, initial=worst)
        return choose(any(known, axis, keepdims=keepdims), found, np.nan)
    if worst is None or initial is not None:  # else the reduction refuses a mask
        where = _known(x, where)
    given = {name: value for name, value in (("dtype", dtype), ("initial", initial)) if value is not None}
    return reduce(x, axis=axis, keepdims=keepdims, where=where, **given)


# -- means and variances ------------------------------------------------------------------------------------------------------


@public(role="mean", axis="axis", none="all", sums=True, composed=True)
def nanmean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    where: ArrayLike | None = None,
) -> Array:
    """Compute the arithmetic mean of the elements that are not NaN.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, where
        As for `mean`.

    Returns
    -------
    Array
        The means; NaN where all elements are NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmean(xp.asarray([2.0, xp.nan, 3.0]))
    Array(2.5, dtype=float32)
    """
    return _reduced(plain_mean, a, axis, keepdims, out, where, dtype=dtype)


@public(role="mean", axis="axis", none="all", aligned="mean", composed=True)
def nanvar(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Compute the variance of the elements that are not NaN.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, where, mean
        As for `var`.
    ddof : int or float
        The `correction` of `var`.

    Returns
    -------
    Array
        The variances; NaN where the number of elements is at most `ddof`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanvar(xp.asarray([1.0, xp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    return _spread(var, a, axis, dtype, out, ddof, keepdims, where, mean)


@public(role="mean", axis="axis", none="all", aligned="mean", composed=True)
def nanstd(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
) -> Array:
    """Compute the standard deviation of the elements that are not NaN.

    Parameters
    ----------
    a, axis, dtype, out, keepdims, where, mean
        As for `std`.
    ddof : int or float
        The `correction` of `std`.

    Returns
    -------
    Array
        The standard deviations; NaN where the number of elements is at most `ddof`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanstd(xp.asarray([1.0, xp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    return _spread(std, a, axis, dtype, out, ddof, keepdims, where, mean)


def _spread(
    function: Any, a: Any, axis: Axis, dtype: Any, out: Any, ddof: float, keepdims: bool, where: Any, mean: Any
) -> Array:
    refuse_out(out, f"nan{function.name}")
    x = operand(a, f"nan{function.name}")
    kind = node_of(x).kind
    if function is std and dtype is not None and kind != "c":
        wanted = requested(dtype, "nanstd")
        if wanted.kind not in "fc":
            raise TypeError(f"nanstd: dtype must be a floating-point dtype, got {wanted.dtype}")  # as in JAX, unlike std
        dtype = wanted.dtype
    known = _known(x, None)
    filled = x if known is None else choose(known, x, 0)
    where = known if where is None else _known(x, where)
    found: Array = function(filled, axis, dtype, None, ddof, keepdims, where=where, mean=mean)
    return real(found) if kind == "c" and dtype is None else found  # which is complex by a rule of Keras for `var`


# -- cumulative sums and products ---------------------------------------------------------------------------------------------


@public(role="total", axis="axis", none="flat", composed=True)
def nancumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Compute the cumulative sum along an axis, with NaN as 0.

    Parameters
    ----------
    a, axis, dtype, out
        As for `cumsum`.

    Returns
    -------
    Array
        The cumulative sums.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nancumsum(xp.asarray([2.0, xp.nan, 3.0]))
    Array([2., 2., 5.], dtype=float32)
    """
    return _accumulated(cumsum, a, axis, dtype, out, 0)


@public(role="total", axis="axis", none="flat", composed=True)
def nancumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Compute the cumulative product along an axis, with NaN as 1.

    Parameters
    ----------
    a, axis, dtype, out
        As for `cumprod`.

    Returns
    -------
    Array
        The cumulative products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nancumprod(xp.asarray([2.0, xp.nan, 3.0]))
    Array([2., 2., 6.], dtype=float32)
    """
    return _accumulated(cumprod, a, axis, dtype, out, 1)


def _accumulated(function: Any, a: Any, axis: int | None, dtype: DTypeLike | None, out: object, number: int) -> Array:
    refuse_out(out, f"nan{function.name}")
    x = operand(a, f"nan{function.name}")
    return function(x if node_of(x).kind not in "fc" else choose(isnan(x), number, x), axis, dtype)
