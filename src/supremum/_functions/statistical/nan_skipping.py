"""Reductions that leave NaN out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._core.argument_types import ArrayLike, Axis, DTypeLike
from supremum._core.arguments import normalize_axes
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.reduction_rows import Reduced, accumulator, nan_mask, reducing, reduction, rule_of, without_nan
from supremum._functions.statistical._reducing import (
    accumulate_flat,
    count_elements,
    general_mean,
    masked_sum,
    mean_node,
    quotient,
    reduction_arguments,
    spreading,
    variance,
)
from supremum._functions.statistical.reductions import max, mean as plain_mean, min, prod, sum
from supremum._kernels import extremes
from supremum._kernels.casts import cast

__all__ = [
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar",
]  # fmt: skip


def _with(number: float, name: str) -> Callable[..., Any]:
    """Return the parts of a function: the reduction of a name, with a number in place of NaN."""
    return lambda xp, a, *args, **kwargs: getattr(xp, name)(xp.where(xp.isnan(a), number, a), *args, **kwargs)


# -- sums, products and extremes ----------------------------------------------------------------------------------------------


@reducing("biufc", Reduced.WIDENED, np.add, 0, skips_nan=True, axis="axis", none="all", sums=True, parts=_with(0, "sum"))
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
    return _skip_nan(nansum, sum, a, axis, keepdims, out, initial, where, dtype)


@reducing("biufc", Reduced.WIDENED, np.multiply, 1, skips_nan=True, axis="axis", none="all", parts=_with(1, "prod"))
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
    return _skip_nan(nanprod, prod, a, axis, keepdims, out, initial, where, dtype)


@reducing(
    "biufc",
    Reduced.SAME,
    extremes.maximum,
    -np.inf,
    has_identity=False,
    skips_nan=True,
    axis="axis",
    none="all",
    parts=_with(-np.inf, "max"),
)
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
    return _skip_nan(nanmax, max, a, axis, keepdims, out, initial, where)


@reducing(
    "biufc",
    Reduced.SAME,
    extremes.minimum,
    np.inf,
    has_identity=False,
    skips_nan=True,
    axis="axis",
    none="all",
    parts=_with(np.inf, "min"),
)
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
    return _skip_nan(nanmin, min, a, axis, keepdims, out, initial, where)


def _skip_nan(
    function: Any,
    with_nan: Callable[..., Array],
    a: ArrayLike,
    axis: Axis,
    keepdims: bool,
    out: object,
    initial: ArrayLike | None,
    where: ArrayLike | None,
    dtype: DTypeLike | None = None,
) -> Array:
    """Reduce all elements, by the function that does not skip NaN and has a fast path, and without NaN if a result is NaN."""
    rule = rule_of(function)
    name = rule.name
    if dtype is None:
        if type(a) is Array and a._node.kind == "f" and axis is out is initial is where is None:
            found = with_nan(a, keepdims=keepdims)
        else:
            found = reduction(function, a, axis, keepdims, out=out, initial=initial, where=where, skip_nan=False)
        if not _has_nan(found):
            return found
    result = reduction(function, a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where)
    if rule.has_identity or initial is not None or result._node.kind not in "fc":
        return result
    # An extreme of NaN alone is NaN.
    x = operand(a, name)
    empty = np.logical_and.reduce(nan_mask(x), normalize_axes(axis, x.ndim, name), out=..., keepdims=bool(keepdims))
    return wrap(np.where(empty, cast(np.asarray(np.nan), result._node), result._data), result._node)


def _has_nan(x: Array) -> bool:
    return x._node.kind in "fc" and bool(nan_mask(x).any())


# -- means and variances ------------------------------------------------------------------------------------------------------


def _nanmean_parts(
    xp: Any, a: Any, axis: Any = None, dtype: Any = None, out: None = None,  # noqa: ARG001 - others are refused
    keepdims: bool = False, where: Any = None,
) -> Any:  # fmt: skip
    known = ~xp.isnan(a) if where is None else xp.logical_and(~xp.isnan(a), where)
    return xp.mean(xp.where(known, a, 0), axis, dtype, keepdims=keepdims, where=known)


@reducing("biufc", Reduced.INEXACT, np.add, 0, skips_nan=True, axis="axis", none="all", sums=True, parts=_nanmean_parts)
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
    x, axes, mask = reduction_arguments("nanmean", a, axis, out, where)
    is_inexact = x._node.kind in "fc"
    if dtype is None and mask is None:
        found = plain_mean(x, None if axis is None else axes, keepdims=keepdims)
        if not is_inexact or not _has_nan(found):
            return found
    if not is_inexact:
        return general_mean(nanmean, x, axes, mask, dtype, keepdims)
    node = mean_node(nanmean, x, dtype)
    fold = accumulator(node)
    included = ~nan_mask(x)
    if mask is not None:
        included = included & mask
    data = cast(cast(without_nan(x, rule_of(nanmean))._data, node), fold)  # zeros instead of NaN
    total = masked_sum(data, axes, fold, mask, keepdims)
    return quotient(total, count_elements("nanmean", included.shape, axes, included, keepdims), fold, node)


def _nanvar_parts(
    xp: Any, a: Any, axis: Any = None, dtype: Any = None, out: None = None,  # noqa: ARG001 - others are refused
    ddof: Any = 0, keepdims: bool = False, where: Any = None, mean: Any = None,
) -> Any:  # fmt: skip
    known = ~xp.isnan(a) if where is None else xp.logical_and(~xp.isnan(a), where)
    return xp.var(xp.where(known, a, 0), axis, dtype, None, ddof, keepdims, mean=mean, where=known)


@spreading(skips_nan=True, parts=_nanvar_parts)
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
    found, node = variance("nanvar", a, axis, dtype, out, ddof, keepdims, where, mean, skip_nan=True)
    return wrap(cast(found, node), node)


def _nanstd_parts(xp: Any, *args: Any, **kwargs: Any) -> Any:
    return xp.sqrt(_nanvar_parts(xp, *args, **kwargs))


@spreading(skips_nan=True, parts=_nanstd_parts)
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
    found, node = variance("nanstd", a, axis, dtype, out, ddof, keepdims, where, mean, skip_nan=True)
    return wrap(cast(np.sqrt(found, out=found), node), node)


# -- cumulative sums and products ---------------------------------------------------------------------------------------------


@reducing("biufc", Reduced.COUNTED, np.add, 0, skips_nan=True, axis="axis", none="flat", parts=_with(0, "cumsum"))
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
    return accumulate_flat(nancumsum, a, axis, dtype, out)


@reducing("biufc", Reduced.COUNTED, np.multiply, 1, skips_nan=True, axis="axis", none="flat", parts=_with(1, "cumprod"))
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
    return accumulate_flat(nancumprod, a, axis, dtype, out)
