"""Statistics of samples: the most frequent element, ranks, the standard error of the mean."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import normalize_axis, operand
from supremum._core.settings import state
from supremum._functions._rounding import promoted_inexact, rounded_once
from supremum._functions.data_types import astype
from supremum._functions.elementwise.comparison import equal
from supremum._functions.inspection import size
from supremum._functions.searching import count_nonzero
from supremum._functions.statistical.nan_skipping import nanstd
from supremum._functions.statistical.reductions import std

__all__ = ["mode", "rankdata", "sem"]

_POLICIES = ("propagate", "omit", "raise")


@public
class ModeResult(NamedTuple):
    """The result of `mode`."""

    mode: Array
    count: Array  # type: ignore[assignment] # JAX's name, which is a method of tuples too


def _check_policy(function: str, nan_policy: str) -> None:
    check_choice(nan_policy, "nan_policy", _POLICIES, function)
    if nan_policy != "propagate":
        raise NotImplementedError(f"{function}: nan_policy={nan_policy!r} is not supported, as in JAX")


@public
def mode(a: ArrayLike, axis: int | None = 0, nan_policy: str = "propagate", keepdims: bool = False) -> ModeResult:
    """Find the most frequent element, the least of several.

    Parameters
    ----------
    a, axis, nan_policy, keepdims

    Returns
    -------
    ModeResult
        The elements as ``mode`` and how often they occur as ``count``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.stats.mode(xp.asarray([2, 3, 3, 2, 1]))
    ModeResult(mode=Array(2, dtype=int32), count=Array(2, dtype=int32))
    """
    x = operand(a, "mode")
    _check_policy("mode", nan_policy)
    data = np.atleast_1d(x._data)
    shape = data.shape
    if axis is None:
        kept: tuple[int, ...] = (1,) * data.ndim if keepdims else ()
        columns = data.reshape(data.size, 1)
    else:
        number = normalize_axis(axis, data.ndim, "mode")
        kept = shape[:number] + (1,) * bool(keepdims) + shape[number + 1 :]
        columns = np.moveaxis(data, number, 0).reshape(shape[number], math.prod(kept))
    if not len(columns):
        node = state().float_
        return ModeResult(wrap(np.full(kept, np.nan, node.dtype), node), wrap(np.zeros(kept, node.dtype), node))
    found = [np.unique(column, return_counts=True) for column in columns.T]
    values = np.asarray([values[counts.argmax()] for values, counts in found], data.dtype)
    counts = np.asarray([counts.max() for _, counts in found], state().int_.dtype)
    return ModeResult(wrap(values.reshape(kept), x._node), wrap(counts.reshape(kept), state().int_))


@public
def rankdata(a: ArrayLike, method: str = "average", *, axis: int | None = None, nan_policy: str = "propagate") -> Array:
    """Compute the ranks of elements, from 1 on; NaN for all of them if one is NaN.

    Parameters
    ----------
    a : array_like
        The elements.
    method : {"average", "min", "max", "dense", "ordinal"}
        The rank of equal elements: the mean, the least or the greatest of their ranks, that of the least without gaps
        after it, or ranks in the order of their positions.
    axis : int, optional
        The axis along which to rank; by default the array is flattened.
    nan_policy

    Returns
    -------
    Array
        The ranks.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.stats.rankdata(xp.asarray([0, 2, 3, 2]))
    Array([1. , 2.5, 4. , 2.5], dtype=float32)
    """
    x = operand(a, "rankdata")
    _check_policy("rankdata", nan_policy)
    check_choice(method, "method", ("average", "min", "max", "dense", "ordinal"), "rankdata")
    node = state().float_
    if axis is None:
        return wrap(_ranks(x._data.reshape(-1), method).astype(node.dtype), node)
    number = normalize_axis(axis, x.ndim, "rankdata")
    rows = np.moveaxis(x._data, number, -1)
    ranks = np.empty(rows.shape)
    for index in np.ndindex(rows.shape[:-1]):
        ranks[index] = _ranks(rows[index], method)
    return wrap(np.moveaxis(ranks, -1, number).astype(node.dtype), node)


def _ranks(x: Buffer, method: str) -> Buffer:
    x = x.copy()  # NumPy writes out of bounds where another thread changes what it sorts
    order = np.argsort(x, kind="stable")
    ordered, out = x[order], np.empty(len(x))
    if x.dtype.kind not in "biu" and np.isnan(ordered[-1:]).any():  # NaN comes last
        return np.full(x.shape, np.nan)
    if method == "ordinal":
        out[order] = np.arange(1, len(x) + 1)
        return out
    # Where runs of equal elements begin and end.
    differ = np.ones(len(x) + 1, bool)
    differ[1:-1] = ordered[1:] != ordered[:-1]
    begins = np.flatnonzero(differ[:-1])
    ends = np.append(begins, len(x))[1:]
    if method == "dense":
        ranks = np.arange(1, len(begins) + 1)
    else:
        ranks = {"min": begins + 1, "max": ends}.get(method, (begins + 1 + ends) / 2)
    out[order] = np.repeat(ranks, ends - begins)
    return out


@public(composed=True)
def sem(a: ArrayLike, axis: int | None = 0, ddof: int = 1, nan_policy: str = "propagate", *, keepdims: bool = False) -> Array:
    """Compute the standard error of the mean: the standard deviation over the square root of the number of elements.

    Parameters
    ----------
    a, axis
    ddof : int
        What is subtracted from the number of elements in the divisor of the variance.
    nan_policy : {"propagate", "omit"}
        Whether NaN make the result NaN or are left out.
    keepdims

    Returns
    -------
    Array
        The standard errors.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.stats.sem(xp.asarray([1.0, 2.0, 3.0, 4.0]))
    Array(0.6454972, dtype=float32)
    """
    check_choice(nan_policy, "nan_policy", ("propagate", "omit"), "sem")
    (x,) = promoted_inexact("sem", a)
    return astype(_standard_error(x, axis, ddof, nan_policy == "omit", keepdims), x.dtype, copy=False)


@rounded_once
def _standard_error(x: Array, axis: int | None, ddof: int, omit: bool, keepdims: bool) -> Array:
    spread = (nanstd if omit else std)(x, axis, ddof=ddof, keepdims=keepdims)
    count: Any = astype(count_nonzero(equal(x, x), axis, keepdims), spread.dtype) if omit else size(x, axis)
    return spread / count**0.5
