"""Sums, products, extremes, truths, means, variances and cumulative sums and products."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.reduction_rows import FOLDS, Reduced, reducing, reduction
from supremum._functions.statistical._reducing import (
    accumulate,
    accumulate_flat,
    general_mean,
    merged_correction,
    reduction_arguments,
    spreading,
    variance,
)
from supremum._kernels.casts import cast

__all__ = [
    "all", "amax", "amin", "any", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod",
    "std", "sum", "var",
]  # fmt: skip


@reducing(FOLDS["sum"], fast="total", linear="a", sums=True)
def sum(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Sum elements over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool and integers narrower than the default
        integer widen to its width.
    out, keepdims
    initial : scalar, optional
        Start value of the sum.
    where
    promote_integers : bool
        Whether integers widen if no dtype is given.

    Returns
    -------
    Array
        The sums.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sum(xp.ones(1000, dtype="bfloat16"))
    Array(1000, dtype=bfloat16)
    >>> xp.sum(xp.asarray([[1, 2], [3, 4]], dtype="uint8"), axis=0)
    Array([4, 6], dtype=uint32)
    """
    return reduction(sum, a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where, promote=promote_integers)


@reducing(FOLDS["prod"], fast="total")
def prod(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
    promote_integers: bool = True,
) -> Array:
    """Multiply elements over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool and integers narrower than the default
        integer widen to its width.
    out, keepdims
    initial : scalar, optional
        Start value of the product.
    where
    promote_integers : bool
        Whether integers widen if no dtype is given.

    Returns
    -------
    Array
        The products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.prod(xp.asarray([100, 100], dtype="int8"))
    Array(10000, dtype=int32)
    """
    return reduction(prod, a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where, promote=promote_integers)


@reducing(FOLDS["max"], fast="reduce")
def max(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Return the largest element over axes; NaN if there is one.

    Parameters
    ----------
    a, axis, out, keepdims
    initial : scalar, optional
        Lower bound of the result; required for no elements and with `where`.
    where

    Returns
    -------
    Array
        The largest elements, in the array's dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.max(xp.asarray([[1, 5], [7, 2]], dtype="int8"), axis=1)
    Array([5, 7], dtype=int8)
    """
    return reduction(max, a, axis, keepdims, out=out, initial=initial, where=where)


@reducing(FOLDS["min"], fast="reduce")
def min(
    a: ArrayLike,
    axis: Axis = None,
    out: None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
    where: ArrayLike | None = None,
) -> Array:
    """Return the smallest element over axes; NaN if there is one.

    Parameters
    ----------
    a, axis, out, keepdims
    initial : scalar, optional
        Upper bound of the result; required for no elements and with `where`.
    where

    Returns
    -------
    Array
        The smallest elements, in the array's dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.min(xp.asarray([[1, 5], [7, 2]], dtype="int8"), axis=1)
    Array([1, 2], dtype=int8)
    """
    return reduction(min, a, axis, keepdims, out=out, initial=initial, where=where)


amax = max
amin = min

# -- truth values -------------------------------------------------------------------------------------------------------------


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


# -- means and variances ------------------------------------------------------------------------------------------------------


@reducing(FOLDS["mean"], fast="mean", linear="a", sums=True)
def mean(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
) -> Array:
    """Compute the arithmetic mean over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    dtype : dtype, optional
        Dtype of the result. By default, the mean of bool and integers is floating-point.
    out, keepdims, where

    Returns
    -------
    Array
        The means; NaN if there are no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.mean(xp.asarray([1, 2, 4], dtype="int8"))
    Array(2.3333333, dtype=float32)
    """
    x, axes, mask = reduction_arguments("mean", a, axis, out, where)
    return general_mean(mean, x, axes, mask, dtype, keepdims)


def _var_parts(
    xp: Any, a: Any, axis: Any = None, dtype: Any = None, out: None = None,  # noqa: ARG001 - others are refused
    ddof: Any = 0, keepdims: bool = False, *, mean: Any = None, where: Any = None, correction: Any = None,
) -> Any:  # fmt: skip
    center = xp.mean(a, axis, dtype, keepdims=True, where=where) if mean is None else mean
    apart = a - center
    squares = xp.real(apart * xp.conj(apart)) if xp.iscomplexobj(apart) else xp.square(apart)
    total = xp.sum(squares, axis, keepdims=keepdims, where=where)
    count = xp.sum(xp.broadcast_to(True if where is None else where, xp.shape(a)), axis, keepdims=keepdims)
    count = count - (ddof if correction is None else correction)
    return xp.where(count > 0, total / xp.where(count > 0, count, 1), xp.nan)


@spreading(parts=_var_parts, exact=True)
def var(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> Array:
    """Compute the variance over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    dtype : dtype, optional
        Dtype to compute in and of the result.
    out
    ddof : int or float
        NumPy's name of `correction`.
    keepdims, where
    mean : array_like, optional
        The means with the reduced axes kept, if they are known.
    correction : int or float, optional
        Number to subtract from the number of elements, which the sum of squares is divided by.

    Returns
    -------
    Array
        The variances; NaN where the number of elements is at most `correction`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.var(xp.asarray([1.0, 3.0]), correction=1)
    Array(2., dtype=float32)
    """
    number = merged_correction("var", ddof, correction)
    found, node = variance("var", a, axis, dtype, out, number, keepdims, where, mean)
    return wrap(cast(found, node), node)


@spreading(parts=lambda xp, *args, **kwargs: xp.sqrt(_var_parts(xp, *args, **kwargs)), exact=True)
def std(
    a: ArrayLike,
    axis: Axis = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: ArrayLike | None = None,
    mean: ArrayLike | None = None,
    correction: float | None = None,
) -> Array:
    """Compute the standard deviation over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a, axis
    dtype : dtype, optional
        Dtype to compute in and of the result.
    out
    ddof : int or float
        NumPy's name of `correction`.
    keepdims, where
    mean : array_like, optional
        The means with the reduced axes kept, if they are known.
    correction : int or float, optional
        Number to subtract from the number of elements, which the sum of squares is divided by.

    Returns
    -------
    Array
        The standard deviations; NaN where the number of elements is at most `correction`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.std(xp.asarray([1.0, 3.0]))
    Array(1., dtype=float32)
    """
    number = merged_correction("std", ddof, correction)
    found, node = variance("std", a, axis, dtype, out, number, keepdims, where, mean)
    return wrap(cast(np.sqrt(found, found), node), node)


# -- cumulative sums and products ---------------------------------------------------------------------------------------------


def _cumulative_parts(
    accumulate: str, identity: int, xp: Any, x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: bool = False
) -> Any:
    axis = 0 if axis is None else axis
    found = getattr(xp, accumulate)(x, axis, dtype)
    if not include_initial:
        return found
    shape = (*found.shape[:axis], 1, *found.shape[axis:][1:])
    return xp.concatenate([xp.full_like(found, identity, shape=shape), found], axis=axis)


_cumulative: Final = partial(reducing, "biufc", Reduced.WIDENED, fast="accumulate", none="only")


@_cumulative(np.add, 0, linear="x", sums=True, parts=partial(_cumulative_parts, "cumsum", 0))
def cumulative_sum(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Array:
    """Compute the cumulative sum along an axis; narrow floats accumulate in float32.

    Parameters
    ----------
    x : array_like
        Input array of at least one dimension.
    axis : int, optional
        Axis to accumulate along; may be left out for 1-d arrays only.
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool and integers narrower than the default
        integer widen to its width.
    include_initial : bool
        Whether the result starts with 0.

    Returns
    -------
    Array
        The cumulative sums.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cumulative_sum(xp.asarray([1, 2, 3]), include_initial=True)
    Array([0, 1, 3, 6], dtype=int32)
    """
    return accumulate(cumulative_sum, x, axis, dtype, include_initial=include_initial)


@_cumulative(np.multiply, 1, parts=partial(_cumulative_parts, "cumprod", 1))
def cumulative_prod(
    x: ArrayLike, /, *, axis: int | None = None, dtype: DTypeLike | None = None, include_initial: bool = False
) -> Array:
    """Compute the cumulative product along an axis; narrow floats accumulate in float32.

    Parameters
    ----------
    x : array_like
        Input array of at least one dimension.
    axis : int, optional
        Axis to accumulate along; may be left out for 1-d arrays only.
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool and integers narrower than the default
        integer widen to its width.
    include_initial : bool
        Whether the result starts with 1.

    Returns
    -------
    Array
        The cumulative products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cumulative_prod(xp.asarray([1, 2, 3]))
    Array([1, 2, 6], dtype=int32)
    """
    return accumulate(cumulative_prod, x, axis, dtype, include_initial=include_initial)


@reducing("biufc", Reduced.COUNTED, np.add, 0, fast="accumulate", linear="a", sums=True)
def cumsum(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Compute the cumulative sum along an axis, in the array's own dtype; narrow floats accumulate in float32.

    Parameters
    ----------
    a : array_like
        Input array; flattened if no axis is given.
    axis : int, optional
        Axis to accumulate along.
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool becomes the default integer.
    out

    Returns
    -------
    Array
        The cumulative sums.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cumsum(xp.asarray([[1, 2], [3, 4]], dtype="int8"))
    Array([ 1,  3,  6, 10], dtype=int8)
    """
    return accumulate_flat(cumsum, a, axis, dtype, out)


@reducing("biufc", Reduced.COUNTED, np.multiply, 1, fast="accumulate")
def cumprod(a: ArrayLike, axis: int | None = None, dtype: DTypeLike | None = None, out: None = None) -> Array:
    """Compute the cumulative product along an axis, in the array's own dtype; narrow floats accumulate in float32.

    Parameters
    ----------
    a : array_like
        Input array; flattened if no axis is given.
    axis : int, optional
        Axis to accumulate along.
    dtype : dtype, optional
        Dtype of the result, to which elements are cast first. By default, bool becomes the default integer.
    out

    Returns
    -------
    Array
        The cumulative products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cumprod(xp.asarray([[1, 2], [3, 4]]))
    Array([ 1,  2,  6, 24], dtype=int32)
    """
    return accumulate_flat(cumprod, a, axis, dtype, out)
