"""Reductions that leave NaN out."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._core.arguments import Buffer, normalize_axes, refuse_out
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.reductions import (
    REDUCTIONS,
    Plans,
    Reduction,
    accumulator,
    in_dtype,
    nan_mask,
    quick,
    reduction,
    where_of,
    without_nan,
)
from supremum._functions.statistical.reductions import (
    divide_in_place,
    flat_cumulation,
    integer_quotient,
    mean as plain_mean,
    mean_node,
    variance_nodes,
)
from supremum._kernels.casts import cast

__all__ = [
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar",
]  # fmt: skip


_SUM, _PROD, _MAX, _MIN = (Plans(REDUCTIONS[name]) for name in ("sum", "prod", "max", "min"))


def _as_if_none(plans: Plans, a: Any, axis: Any, keepdims: Any) -> Array | None:
    """Reduce as if no element were NaN; None where the answer says that one is, or where the long path must judge."""
    found = quick(plans, a, axis, keepdims)
    return None if found is None or _has_nan(found) else found


def _has_nan(x: Array) -> bool:
    return x._node.kind in "fc" and bool(nan_mask(x).any())


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Array:
    """Sum of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to reduce over; everything by default.
    dtype : dtype, optional
        The result's dtype. By default bool and integers narrower than the default integer widen to its width.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        A number to add.
    where : Array of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The sums; 0 of NaN alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nansum(xp.asarray([2.0, xp.nan, 3.0]))
    Array(5., dtype=float32)
    """
    if dtype is None and where is None and initial is None and out is None:
        found = _as_if_none(_SUM, a, axis, keepdims)
        if found is not None:
            return found
    return reduction(REDUCTIONS["nansum"], a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = None,
) -> Array:
    """Product of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to reduce over; everything by default.
    dtype : dtype, optional
        The result's dtype. By default bool and integers narrower than the default integer widen to its width.
    out : None
        Not supported.
    keepdims : bool
        Whether the axes stay, with length 1.
    initial : scalar, optional
        A number to multiply with.
    where : Array of bool, optional
        Which elements to include.

    Returns
    -------
    Array
        The products; 1 of NaN alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanprod(xp.asarray([2.0, xp.nan, 3.0]))
    Array(6., dtype=float32)
    """
    if dtype is None and where is None and initial is None and out is None:
        found = _as_if_none(_PROD, a, axis, keepdims)
        if found is not None:
            return found
    return reduction(REDUCTIONS["nanprod"], a, axis, keepdims, dtype=dtype, out=out, initial=initial, where=where)


def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Array:
    """Largest of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to reduce over; everything by default.
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
        The largest elements; NaN of NaN alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmax(xp.asarray([2.0, xp.nan, 3.0]))
    Array(3., dtype=float32)
    """
    if where is None and initial is None and out is None:
        found = _as_if_none(_MAX, a, axis, keepdims)
        if found is not None:
            return found
    return _extreme(REDUCTIONS["nanmax"], a, axis, out, keepdims, initial, where)


def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, where: Any = None) -> Array:
    """Smallest of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to reduce over; everything by default.
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
        The smallest elements; NaN of NaN alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmin(xp.asarray([2.0, xp.nan, 3.0]))
    Array(2., dtype=float32)
    """
    if where is None and initial is None and out is None:
        found = _as_if_none(_MIN, a, axis, keepdims)
        if found is not None:
            return found
    return _extreme(REDUCTIONS["nanmin"], a, axis, out, keepdims, initial, where)


def _extreme(rule: Reduction, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> Array:
    """Reduce, and give NaN where there is nothing else."""
    found = reduction(rule, a, axis, keepdims, out=out, initial=initial, where=where)
    if initial is not None or found._node.kind not in "fc":
        return found
    x = operand(a, rule.name)
    nothing = np.logical_and.reduce(nan_mask(x), normalize_axes(axis, x.ndim, rule.name), out=..., keepdims=bool(keepdims))
    return wrap(np.where(nothing, cast(np.asarray(np.nan), found._node), found._data), found._node)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, where: Any = None) -> Array:
    """Arithmetic mean of the elements that are not NaN.

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
        The means; NaN of NaN alone.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanmean(xp.asarray([2.0, xp.nan, 3.0]))
    Array(2.5, dtype=float32)
    """
    refuse_out(out, "nanmean")
    x = operand(a, "nanmean")
    if x._node.kind not in "fc":
        return plain_mean(x, axis, dtype, None, keepdims, where=where)
    mask, axes = where_of(where, "nanmean"), normalize_axes(axis, x.ndim, "nanmean")
    if dtype is None and mask is None:
        found = plain_mean(x, axes, None, None, keepdims)
        if not _has_nan(found):
            return found
    rule = REDUCTIONS["nanmean"]
    node = mean_node(rule, x, dtype)
    fold = accumulator(node)
    included = _included(x, mask)
    count = np.add.reduce(included, axes, np.int64, out=..., keepdims=bool(keepdims))
    data = cast(cast(without_nan(x, rule)._data, node), fold)
    total = np.add.reduce(
        np.where(included, data, np.zeros((), data.dtype)), axes, fold.dtype, out=..., keepdims=bool(keepdims)
    )
    if node.kind not in "fc":
        return wrap(integer_quotient(total, count, node), node)
    divide_in_place(total, count)
    return wrap(cast(total, node), node)


def _included(x: Array, mask: Buffer | None) -> Buffer:
    """Say which elements count."""
    numbers = ~nan_mask(x)
    return numbers if mask is None else numbers & mask


def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: Any = None,
    mean: Any = None,
) -> Array:
    """Variance of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to take it over; everything by default.
    dtype : dtype, optional
        The dtype to compute in and to return.
    out : None
        Not supported.
    ddof : int
        What to subtract from the number of elements before the division by it.
    keepdims : bool
        Whether the axes stay, with length 1.
    where : Array of bool, optional
        Which elements to include.
    mean : Array, optional
        The means, where they are known already, with the axes kept.

    Returns
    -------
    Array
        The variances; NaN where no more elements are included than `ddof` says.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanvar(xp.asarray([1.0, xp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    spread, node = _nan_variance("nanvar", a, axis, dtype, out, ddof, keepdims, where, mean)
    return wrap(cast(spread, node), node)


def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    where: Any = None,
    mean: Any = None,
) -> Array:
    """Standard deviation of the elements that are not NaN.

    Parameters
    ----------
    a : Array
        The array.
    axis : int or tuple of int, optional
        What to take it over; everything by default.
    dtype : dtype, optional
        The dtype to compute in and to return.
    out : None
        Not supported.
    ddof : int
        What to subtract from the number of elements before the division by it.
    keepdims : bool
        Whether the axes stay, with length 1.
    where : Array of bool, optional
        Which elements to include.
    mean : Array, optional
        The means, where they are known already, with the axes kept.

    Returns
    -------
    Array
        The standard deviations; NaN where no more elements are included than `ddof` says.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nanstd(xp.asarray([1.0, xp.nan, 3.0]))
    Array(1., dtype=float32)
    """
    spread, node = _nan_variance("nanstd", a, axis, dtype, out, ddof, keepdims, where, mean)
    return wrap(cast(np.sqrt(spread, out=...), node), node)


def _nan_variance(
    name: str, a: Any, axis: Any, dtype: Any, out: Any, ddof: Any, keepdims: Any, where: Any, mean: Any
) -> tuple[Buffer, Any]:
    """Give the variances in the dtype that they accumulate in, and the node of the result."""
    refuse_out(out, name)
    x = operand(a, name)
    mask, axes = where_of(where, name), normalize_axes(axis, x.ndim, name)
    compute, node = variance_nodes(name, x, dtype)
    fold = accumulator(compute)
    data = cast(cast(x._data, compute), fold)
    included = _included(wrap(data, fold), mask)
    zero = np.zeros((), data.dtype)
    if mean is None:
        center = np.add.reduce(np.where(included, data, zero), axes, out=..., keepdims=True)
        divide_in_place(center, np.add.reduce(included, axes, np.int64, out=..., keepdims=True))
    else:
        center = in_dtype(mean, operand(mean, name), fold)
    centered = np.where(included, data - center, zero)
    squares = np.square(centered.real)
    if centered.dtype.kind == "c":
        squares += np.square(centered.imag)
    spread = np.add.reduce(squares, axes, out=..., keepdims=bool(keepdims))
    free = np.subtract(np.add.reduce(included, axes, np.int64, out=..., keepdims=bool(keepdims)), ddof)
    return np.where(free > 0, np.divide(spread, free, dtype=spread.dtype, casting="unsafe"), spread.dtype.type(np.nan)), node


def nancumsum(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Array:
    """Sums of the elements up to each one, with NaN as 0.

    Parameters
    ----------
    a : Array
        The array; flattened where no axis is given.
    axis : int, optional
        The axis to go along.
    dtype : dtype, optional
        The result's dtype. By default bool becomes the default integer.
    out : None
        Not supported.

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
    return flat_cumulation(REDUCTIONS["nancumsum"], a, axis, dtype, out)


def nancumprod(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Array:
    """Products of the elements up to each one, with NaN as 1.

    Parameters
    ----------
    a : Array
        The array; flattened where no axis is given.
    axis : int, optional
        The axis to go along.
    dtype : dtype, optional
        The result's dtype. By default bool becomes the default integer.
    out : None
        Not supported.

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
    return flat_cumulation(REDUCTIONS["nancumprod"], a, axis, dtype, out)


publish(__name__)
