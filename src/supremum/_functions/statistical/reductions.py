"""Statistical functions of the standard: sums, products, extremes, moments and cumulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import flag, shown
from supremum._base.silence import silent
from supremum._core.arguments import Buffer, normalize_axes, normalize_axis, refuse_out, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import real_of, requested, to_inexact
from supremum._core.reductions import (
    REDUCTIONS,
    Plans,
    Reduction,
    accumulator,
    in_dtype,
    mean_accumulator,
    operand_data,
    quick,
    quick_fold,
    reduction,
    result_node,
    where_of,
    without_nan,
)
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum._kernels.reductions import LARGE, fold_all, sum_of_squares
from supremum.promotion._nodes import Node

__all__ = [
    "amax", "amin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std", "sum",
    "var",
]  # fmt: skip

_SUM, _PROD, _MAX, _MIN, _MEAN = (Plans(REDUCTIONS[name]) for name in ("sum", "prod", "max", "min", "mean"))


@silent
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: bool = True,
) -> Array:
    """Sum of the elements over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to sum over; everything by default.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool and integers narrower than the default integer
        widen to its width.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        A number to add.
    where : Array of bool, optional
        Which elements to include.
    promote_integers : bool
        Whether integers widen when no dtype is given.

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
    if dtype is None and where is None and initial is None and out is None and promote_integers is True:
        result = quick(_SUM, a, axis, keepdims)
        if result is not None:
            return result
    widen = flag(promote_integers, "promote_integers", "sum")
    return reduction(_SUM.rule, a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where, promote=widen)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
    promote_integers: bool = True,
) -> Array:
    """Product of the elements over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to multiply over; everything by default.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool and integers narrower than the default integer
        widen to its width.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        A number to multiply with.
    where : Array of bool, optional
        Which elements to include.
    promote_integers : bool
        Whether integers widen when no dtype is given.

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
    if dtype is None and where is None and initial is None and out is None and promote_integers:
        result = quick(_PROD, a, axis, keepdims)
        if result is not None:
            return result
    widen = flag(promote_integers, "promote_integers", "prod")
    return reduction(_PROD.rule, a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where, promote=widen)


@silent
def max(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Array:
    """Largest element over axes; NaN where there is one.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        The least that the answer can be; needed where there are no elements and with `where`.
    where : Array of bool, optional
        Which elements to include.

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
    if where is None and initial is None and out is None:
        result = quick(_MAX, a, axis, keepdims)
        if result is not None:
            return result
    return reduction(_MAX.rule, a, axis, keepdims, out=out, initial=initial, where=where)


@silent
def min(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Array:
    """Smallest element over axes; NaN where there is one.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to look through; everything by default.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        The most that the answer can be; needed where there are no elements and with `where`.
    where : Array of bool, optional
        Which elements to include.

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
    if where is None and initial is None and out is None:
        result = quick(_MIN, a, axis, keepdims)
        if result is not None:
            return result
    return reduction(_MIN.rule, a, axis, keepdims, out=out, initial=initial, where=where)


amax = max
amin = min

# -- moments ------------------------------------------------------------------------------------------------------------------


@silent
def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = None) -> Array:
    """Arithmetic mean over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to average over; everything by default.
    dtype : dtype, optional
        The result's dtype. By default bool and integers give a floating-point mean.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    where : Array of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The means; NaN of no elements.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.mean(xp.asarray([1, 2, 4], dtype="int8"))
    Array(2.3333333, dtype=float32)
    """
    if dtype is None and where is None and out is None:
        found = quick_fold(_MEAN, a, axis, keepdims)
        if found is not None:
            total, plan = found
            divide_in_place(total, a._data.size // (total.size or 1))
            return wrap(total if plan.rounded is None else cast(total, plan.rounded), plan.node)
    refuse_out(out, "mean")
    x = operand(a, "mean")
    mask = where_of(where, "mean")
    axes = normalize_axes(axis, x.ndim, "mean")
    result = mean_node(_MEAN.rule, x, dtype)
    fold = mean_accumulator(x._node, result)
    keepdims = flag(keepdims, "keepdims", "mean")
    total = _total(operand_data(x, result, fold), axes, fold, mask, keepdims)
    count = _count(x.shape, axes, mask, keepdims)
    if fold.kind in "fc":
        divide_in_place(total, count)
        return wrap(cast(total, result), result)
    return wrap(integer_quotient(total, count, result), result)


def mean_node(rule: Reduction, x: Array, dtype: Any) -> Node:
    """Give the node of a mean."""
    node = result_node(rule, x, dtype, state())
    if node.kind == "b":
        msg = f"{rule.name}: dtype must be a dtype of numbers, got bool"
        raise TypeError(msg)
    return node


def divide_in_place(total: Buffer, count: Any) -> None:
    """Divide in place; of complex numbers each part by itself, as the standard's special cases want it."""
    if total.dtype.kind == "c":
        for part in (total.real, total.imag):
            np.divide(part, count, out=part, casting="unsafe")
    else:
        np.divide(total, count, out=total, casting="unsafe")


def integer_quotient(total: Buffer, count: Any, node: Node) -> Buffer:
    """Divide integers as JAX does, towards zero; a division by zero gives -1."""
    count = np.asarray(count)
    safe = np.where(count == 0, 1, count)
    magnitude = np.asarray(np.abs(total.astype(np.int64)) // safe)
    quotient = np.where(count == 0, -1, np.where(total < 0, -magnitude, magnitude))
    return cast(quotient, node)


def _total(data: Buffer, axes: tuple[int, ...], fold: Node, mask: Buffer | None, keepdims: Any) -> Buffer:
    if mask is not None:
        data = np.where(mask, data, np.zeros((), data.dtype))
    total: Buffer = np.add.reduce(data, axes, fold.dtype, out=..., keepdims=flag(keepdims, "keepdims"))
    return total


def _count(shape: tuple[int, ...], axes: tuple[int, ...], mask: Buffer | None, keepdims: Any) -> Any:
    """Count the elements that a reduction includes."""
    if mask is None:
        count = 1
        for i in axes:
            count *= shape[i]
        return count
    try:
        among = np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(f"where of shape {mask.shape} does not broadcast to {shape}") from None
    return np.add.reduce(among, axes, np.int64, out=..., keepdims=flag(keepdims, "keepdims"))


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: float | None = None,
) -> Array:
    """Variance over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to take the variance over; everything by default.
    dtype : dtype, optional
        The dtype to compute in and to return.
    out : None
        Not supported.
    ddof : int
        NumPy's name of `correction`.
    keepdims : bool
        Whether the axes stay, with length 1.
    where : Array of bool, optional
        Which elements to include.
    mean : Array, optional
        The means, where they are known already, with the axes kept.
    correction : int or float, optional
        What to subtract from the number of elements before the division by it.

    Returns
    -------
    Array
        The variances; NaN where no more elements are included than `correction` says.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.var(xp.asarray([1.0, 3.0]), correction=1)
    Array(2., dtype=float32)
    """
    spread, node = _variance("var", a, axis, dtype, out, ddof, keepdims, where, mean, correction)
    return wrap(cast(spread, node), node)


def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = None,
    mean: Any = None,
    correction: float | None = None,
) -> Array:
    """Standard deviation over axes; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to take the standard deviation over; everything by default.
    dtype : dtype, optional
        The dtype to compute in and to return.
    out : None
        Not supported.
    ddof : int
        NumPy's name of `correction`.
    keepdims : bool
        Whether the axes stay, with length 1.
    where : Array of bool, optional
        Which elements to include.
    mean : Array, optional
        The means, where they are known already, with the axes kept.
    correction : int or float, optional
        What to subtract from the number of elements before the division by it.

    Returns
    -------
    Array
        The standard deviations; NaN where no more elements are included than `correction` says.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.std(xp.asarray([1.0, 3.0]))
    Array(1., dtype=float32)
    """
    spread, node = _variance("std", a, axis, dtype, out, ddof, keepdims, where, mean, correction)
    return wrap(cast(np.sqrt(spread, spread), node), node)


def _variance(
    name: str,
    a: Any,
    axis: Any,
    dtype: Any,
    out: object,
    ddof: Any,
    keepdims: Any,
    where: Any,
    mean: Any,
    correction: Any,
) -> tuple[Buffer, Node]:
    """Give the variances in the dtype that they accumulate in, and the node of the result."""
    if correction is None:
        correction = ddof
    elif not isinstance(ddof, int) or ddof != 0:
        msg = f"{name}: ddof and correction are two names of one thing, got {shown(ddof)} and {shown(correction)}"
        raise ValueError(msg)
    refuse_out(out, name)
    x = operand(a, name)
    mask = where_of(where, name)
    axes = normalize_axes(axis, x.ndim, name)
    compute, node = variance_nodes(name, x, dtype)
    fold = accumulator(compute)
    middle = None if mean is None else in_dtype(mean, operand(mean, name), fold)

    data = operand_data(x, compute, fold)
    if mask is None and len(axes) == x.ndim and data.size > LARGE and data.flags.c_contiguous and fold.kind == "f":
        center = np.divide(fold_all(np.add, data, fold), data.size, dtype=fold.dtype) if middle is None else middle
        if center.size == 1:
            total = sum_of_squares(data, center.reshape(()), fold).reshape((1,) * x.ndim if keepdims else ())
            return _free_mean(total, data.size, correction), node
    data = data.astype(fold.dtype, copy=False)
    center = _mean(data, axes, fold, mask) if middle is None else middle
    total = _squares(np.subtract(data, center, out=...), axes, mask, keepdims)
    return _free_mean(total, _count(x.shape, axes, mask, keepdims), correction), node


def _mean(data: Buffer, axes: tuple[int, ...], fold: Node, mask: Buffer | None) -> Buffer:
    """Give means with the axes kept."""
    center = _total(data, axes, fold, mask, keepdims=True)
    divide_in_place(center, _count(data.shape, axes, mask, keepdims=True))
    return center


def _correction(given: Any) -> float:
    """Give the number that a correction of another type is."""
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"correction is a real number, got {shown(given)}") from None


def _free_mean(total: Buffer, count: Any, correction: Any) -> Buffer:
    """Divide sums of squares by the degrees of freedom; NaN where there are none."""
    if not isinstance(correction, int | float):
        correction = _correction(correction)
    free = np.subtract(count, correction, dtype=total.dtype)
    np.divide(total, free, out=total)
    if free.ndim or not free > 0:
        np.copyto(total, np.nan, where=~(free > 0))
    return total


def _squares(centered: Buffer, axes: tuple[int, ...], mask: Buffer | None, keepdims: Any) -> Buffer:
    """Give the sums of squared magnitudes; the numbers are overwritten."""
    if centered.dtype.kind == "c":
        parts = np.square(centered.real)
        parts += np.square(centered.imag)
    else:
        parts = np.multiply(centered, centered, out=centered)
    if mask is not None:
        parts = np.where(mask, parts, np.zeros((), parts.dtype))
    total: Buffer = np.add.reduce(parts, axes, out=..., keepdims=flag(keepdims, "keepdims"))
    return total


def variance_nodes(name: str, x: Array, dtype: Any) -> tuple[Node, Node]:
    """Give the nodes that a variance is computed in and returned in."""
    here = state()
    given = strong(here.truncate(x._node))
    if dtype is None:
        compute = to_inexact(given)
        return compute, real_of(compute)
    wanted = requested(dtype, name, here)
    if wanted.kind != "c" and given.kind == "c":
        msg = f"{name}: a real dtype ({wanted.dtype}) of a complex array is ambiguous; give no dtype, or the array's own"
        raise ValueError(msg)
    if wanted.kind not in "fc":
        kind = ValueError if name == "std" else TypeError  # JAX's classes
        raise kind(f"{name}: dtype must be a floating-point dtype, got {wanted.dtype}")
    return wanted, wanted


# -- cumulations --------------------------------------------------------------------------------------------------------------


def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Sums of the elements up to each one; narrow floats accumulate in float32.

    Parameters
    ----------
    x : Array
        An array of one dimension or more.
    axis : int, optional
        The axis to go along; needed where there are several.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool and integers narrower than the default integer
        widen to its width.
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
    return _cumulation(REDUCTIONS["cumulative_sum"], x, axis, dtype, include_initial=include_initial)


def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Array:
    """Products of the elements up to each one; narrow floats accumulate in float32.

    Parameters
    ----------
    x : Array
        An array of one dimension or more.
    axis : int, optional
        The axis to go along; needed where there are several.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool and integers narrower than the default integer
        widen to its width.
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
    return _cumulation(REDUCTIONS["cumulative_prod"], x, axis, dtype, include_initial=include_initial)


def _cumulation(rule: Reduction, x: Any, axis: Any, dtype: Any, *, include_initial: bool) -> Array:
    """Check what the standard's cumulations check."""
    a = operand(x, rule.name)
    if not a.ndim:
        msg = f"{rule.name} needs an array of at least 1 dimension, got a 0-d array"
        raise ValueError(msg)
    if axis is None and a.ndim > 1:
        msg = f"{rule.name}: give the axis; it may be left out for 1-d arrays only, and this one has shape {a.shape}"
        raise ValueError(msg)
    return accumulate(
        rule, a, normalize_axis(0 if axis is None else axis, a.ndim, rule.name), dtype, include_initial=include_initial
    )


def accumulate(rule: Reduction, a: Array, axis: int, dtype: Any, *, include_initial: bool = False) -> Array:
    """Accumulate along one axis."""
    result = result_node(rule, a, dtype, state())
    # Running counts of truth values are integers on their way, whatever they are returned as.
    fold = state().int_ if result.kind == "b" else accumulator(result)

    data = cast(operand_data(a, result if dtype is not None else None, fold), fold)
    if not include_initial:
        return wrap(cast(rule.ufunc.accumulate(data, axis, fold.dtype), result), result)
    whole = np.empty((*a.shape[:axis], a.shape[axis] + 1, *a.shape[axis + 1 :]), fold.dtype)
    before = (slice(None),) * axis
    whole[*before, :1] = rule.identity
    rule.ufunc.accumulate(data, axis, fold.dtype, out=whole[*before, 1:])
    return wrap(cast(whole, result), result)


def cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Array:
    """Sums of the elements up to each one, in the array's own dtype; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array; flattened where no axis is given.
    axis : int, optional
        The axis to go along.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool becomes the default integer.
    out : None
        Not supported.

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
    return flat_cumulation(REDUCTIONS["cumsum"], a, axis, dtype, out)


def cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Array:
    """Products of the elements up to each one, in the array's own dtype; narrow floats accumulate in float32.

    Parameters
    ----------
    a : Array
        The array; flattened where no axis is given.
    axis : int, optional
        The axis to go along.
    dtype : dtype, optional
        The result's dtype, to which elements are cast first. By default bool becomes the default integer.
    out : None
        Not supported.

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
    return flat_cumulation(REDUCTIONS["cumprod"], a, axis, dtype, out)


def flat_cumulation(rule: Reduction, a: Any, axis: Any, dtype: Any, out: Any) -> Array:
    """Accumulate along an axis, or along all elements where none is given."""
    refuse_out(out, rule.name)
    x = operand(a, rule.name)
    if rule.skips_nan:
        x = wrap(cast(without_nan(x, rule)._data, x._node), x._node)
    if axis is None or not x.ndim:
        x = wrap(x._data.reshape(-1), x._node)
    return accumulate(rule, x, normalize_axis(0 if axis is None else axis, x.ndim, rule.name), dtype)


publish(__name__, without=("sum", "mean", "max", "min"))
