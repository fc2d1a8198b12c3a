"""What the functions of this folder share: checked arguments, means, variances and cumulation."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, Final

import numpy as np

from supremum._base.exceptions import as_bool, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.conversion import Buffer, in_dtype, normalize_axes, normalize_axis, operand, refuse_out
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.reduction_rows import (
    Reduced,
    Reduction,
    accumulator,
    fold_axes,
    mean_accumulator,
    operand_data,
    reducing,
    result_node,
    rule_of,
    where_mask,
)
from supremum._core.settings import state
from supremum._kernels.blocked_reductions import LARGE, divide_in_place as divide_in_place, fold_all, squares, sum_of_squares
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node


def reduction_arguments(
    function: str, a: ArrayLike, axis: Axis, out: object, where: ArrayLike | None
) -> tuple[Array, tuple[int, ...], Buffer | None]:
    """Return the array, the axes and the mask of a reduction, checked."""
    refuse_out(out, function)
    x = operand(a, function)
    return x, normalize_axes(axis, x.ndim, function), where_mask(where, function)


# -- means --------------------------------------------------------------------------------------------------------------------


def general_mean(
    function: Any, x: Array, axes: tuple[int, ...], mask: Buffer | None, dtype: DTypeLike | None, keepdims: object
) -> Array:
    """Return means of all elements, or of those that a mask includes."""
    keepdims = as_bool(keepdims, "keepdims", name := rule_of(function).name)
    node = mean_node(function, x, dtype)
    fold = mean_accumulator(x._node, node)
    # All elements are summed without a cast to the dtype of the mean, which may not hold the integers.
    wanted = None if dtype is None and mask is None else node
    total = masked_sum(operand_data(x, wanted, fold), axes, fold, mask, keepdims)
    return quotient(total, count_elements(name, x.shape, axes, mask, keepdims), fold, node)


def mean_node(function: Any, x: Array, dtype: DTypeLike | None) -> Node:
    """Return the node of the result of a mean."""
    rule = rule_of(function)
    node = result_node(rule, x, dtype, state())
    if node.kind == "b":
        raise TypeError(f"{rule.name}: dtype must be a numeric dtype, got bool")
    return node


def _integer_quotient(total: Buffer, count: Any, node: Node) -> Buffer:
    """Divide integers as JAX does: towards zero, and to -1 by zero."""
    count = np.asarray(count)
    safe = np.where(count == 0, 1, count)
    magnitude = np.asarray(np.abs(total.astype(np.int64)) // safe)
    quotient = np.where(count == 0, -1, np.where(total < 0, -magnitude, magnitude))
    return cast(quotient, node)


def quotient(total: Buffer, count: Any, fold: Node, node: Node) -> Array:
    """Divide sums, which accumulated in `fold`, by counts and round the means to `node`."""
    if fold.kind not in "fc":
        return wrap(_integer_quotient(total, count, node), node)
    divide_in_place(total, count)
    return wrap(cast(total, node), node)


def masked_sum(data: Buffer, axes: tuple[int, ...], fold: Node, mask: Buffer | None, keepdims: object) -> Buffer:
    """Sum the elements that a mask includes."""
    if mask is not None:
        data = np.where(mask, data, np.zeros((), data.dtype))
    return fold_axes(np.add, data, axes, fold, as_bool(keepdims, "keepdims"))


def count_elements(
    function: str, shape: tuple[int, ...], axes: tuple[int, ...], mask: Buffer | None, keepdims: object
) -> int | Buffer:
    """Count the elements that a reduction includes."""
    if mask is None:
        return math.prod([shape[i] for i in axes])
    try:
        included = np.broadcast_to(mask, shape)
    except ValueError:
        raise ValueError(f"{function}: where of shape {mask.shape} does not broadcast to {shape}") from None
    return np.add.reduce(included, axes, np.int64, out=..., keepdims=as_bool(keepdims, "keepdims"))


# -- variances ----------------------------------------------------------------------------------------------------------------


def merged_correction(function: str, ddof: Any, correction: Any) -> Any:
    """Return the correction, which has two names."""
    if correction is None:
        return ddof
    if not isinstance(ddof, int) or ddof != 0:
        given = f"{describe(ddof)} and {describe(correction)}"
        raise ValueError(f"{function}: ddof and correction are two names of one argument, got {given}")
    return correction


#: Decorates functions of the squares of distances from the mean.
spreading: Final = partial(reducing, "biufc", Reduced.SPREAD, np.add, 0, axis="axis", none="all", aligned="mean")


def variance(
    function: str,
    a: ArrayLike,
    axis: Axis,
    dtype: DTypeLike | None,
    out: object,
    correction: Any,
    keepdims: bool,
    where: ArrayLike | None,
    mean: ArrayLike | None,
) -> tuple[Buffer, Node]:
    """Return the variances in the dtype that they accumulate in, and the node of the result."""
    x, axes, mask = reduction_arguments(function, a, axis, out, where)
    compute, node = _variance_nodes(function, x, dtype)
    fold = accumulator(compute)
    center = None if mean is None else in_dtype(mean, operand(mean, function), fold)
    data = operand_data(x, compute, fold)
    if data.size > LARGE and mask is None and len(axes) == x.ndim and data.flags.c_contiguous and fold.kind == "f":
        middle = np.divide(fold_all(np.add, data, fold), data.size, dtype=fold.dtype) if center is None else center
        if middle.size == 1:
            total = sum_of_squares(data, middle.reshape(()), fold).reshape((1,) * x.ndim if keepdims else ())
            return _divide_squares(function, total, data.size, correction), node
    data = cast(data, fold)
    if center is None:
        center = masked_sum(data, axes, fold, mask, keepdims=True)
        divide_in_place(center, count_elements(function, data.shape, axes, mask, keepdims=True))
    total = squares(np.subtract(data, center, out=...), axes, mask, as_bool(keepdims, "keepdims"))
    return _divide_squares(function, total, count_elements(function, data.shape, axes, mask, keepdims), correction), node


def _divide_squares(function: str, total: Buffer, count: int | Buffer, correction: Any) -> Buffer:
    """Divide sums of squares by the degrees of freedom; NaN where there are none."""
    if type(correction) not in (int, float):
        try:
            correction = call_user_code(float, correction)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"{function}: correction (ddof) must be a real number, got {describe(correction)}") from None
    free = np.subtract(count, correction, dtype=total.dtype)
    np.divide(total, free, out=total)
    if free.ndim or not free > 0:
        np.copyto(total, np.nan, where=~(free > 0))
    return total


def _variance_nodes(name: str, x: Array, dtype: DTypeLike | None) -> tuple[Node, Node]:
    """Return the node that a variance is computed in and the node of its result."""
    settings = state()
    given = settings.truncate(x._node).strong
    if dtype is None:
        compute = to_inexact(given)
        return compute, compute.real
    wanted = requested(dtype, name, settings)
    if wanted.kind != "c" and given.kind == "c":
        raise ValueError(
            f"{name}: a real dtype ({wanted.dtype}) for a complex array is ambiguous; leave dtype out, or pass the array's own"
        )
    if wanted.kind not in "fc":
        error = ValueError if name == "std" else TypeError  # as in JAX
        raise error(f"{name}: dtype must be a floating-point dtype, got {wanted.dtype}")
    return wanted, wanted


# -- cumulative sums and products ---------------------------------------------------------------------------------------------


def accumulate(function: Any, x: ArrayLike, axis: int | None, dtype: DTypeLike | None, *, include_initial: bool) -> Array:
    """Accumulate along an axis, which may be left out for 1-d arrays only, as the standard has it."""
    rule = rule_of(function)
    name = rule.name
    a = operand(x, name)
    if not a.ndim:
        raise ValueError(f"{name} needs an array of at least 1 dimension, got a 0-d array")
    if axis is None and a.ndim > 1:
        raise ValueError(f"{name}: axis may be left out for 1-d arrays only, got shape {a.shape}; pass axis=")
    return _accumulate(rule, a, axis, dtype, include_initial=include_initial)


def accumulate_flat(function: Any, a: ArrayLike, axis: int | None, dtype: DTypeLike | None, out: object) -> Array:
    """Accumulate along an axis, or along the flattened array if there is none."""
    rule = rule_of(function)
    refuse_out(out, rule.name)
    x = operand(a, rule.name)
    if axis is None:
        x = wrap(x._data.reshape(-1), x._node)
    return _accumulate(rule, x, axis, dtype)


def _accumulate(
    rule: Reduction, a: Array, axis: int | None, dtype: DTypeLike | None, *, include_initial: bool = False
) -> Array:
    axis = normalize_axis(0 if axis is None else axis, a.ndim, rule.name)
    result = result_node(rule, a, dtype, state())
    # Running counts of truth values accumulate as integers even if the result is bool.
    fold = state().int_ if result.kind == "b" else accumulator(result)
    data = cast(operand_data(a, result if dtype is not None else None, fold), fold)
    if not include_initial:
        return wrap(cast(rule.ufunc.accumulate(data, axis, fold.dtype), result), result)
    whole = np.empty((*a.shape[:axis], a.shape[axis] + 1, *a.shape[axis + 1 :]), fold.dtype)
    before = (slice(None),) * axis
    whole[*before, :1] = rule.identity
    rule.ufunc.accumulate(data, axis, fold.dtype, out=whole[*before, 1:])
    return wrap(cast(whole, result), result)
