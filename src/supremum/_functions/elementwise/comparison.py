"""Comparisons and extremes of two operands."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import with_function_name
from supremum._base.key_dtype import refuse_keys
from supremum._core import engine
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._core.operators import OPERATIONS, binary
from supremum._core.plans import Operation
from supremum._core.rules import Result
from supremum._core.scalars import attainable
from supremum._core.settings import State
from supremum._functions.elementwise._calls import binary_ufunc, elementwise, symmetric
from supremum._kernels import extremes, narrow
from supremum.promotion._nodes import PYTHON_SCALARS, Node

__all__ = [
    "clip", "equal", "fmax", "fmin", "greater", "greater_equal", "less", "less_equal", "maximum", "minimum", "not_equal",
]  # fmt: skip

#: The slopes of the greater and of the lesser operand: equal operands share one.
_SHARED: Final = symmetric("where(x1 == out, where(x2 == out, 0.5, 1), 0)")


def _clip_plan(settings: State, node: Node, _shape: tuple[int, ...]) -> engine.Plan:
    """Return the plan of a ufunc of three operands, for the dtypes that it clips as the standard says."""
    kept = settings.remember and settings.truncate(node) is node
    plain = kept and node.kind in "iuf" and (node.native or settings.scalars[0] == "weak")
    plain = plain and settings.system.lookup(node, node) is node  # in Keras's, uint64 promotes with itself to uint32
    ufunc = (extremes.clip if node.native else narrow.clip(node)) if plain else None
    return engine.Plan(node, ufunc=ufunc, dtype=None if ufunc is None else node.dtype)


def _clip_parts(xp: Any, arr: Any = None, /, min: Any = None, max: Any = None) -> Any:
    found = arr if min is None else xp.maximum(min, arr)
    return found if max is None else xp.minimum(max, found)


@public(fast="clip", operation=engine.Operation("clip", 1, _clip_plan), kind="elementwise", parts=_clip_parts, exact=True)
def clip(arr: ArrayLike | None = None, /, min: ArrayLike | None = None, max: ArrayLike | None = None) -> Array:
    """Clip numbers to a range.

    Bounds are exact: one that the integer dtype of the result cannot hold clips to the dtype's own limit.

    Parameters
    ----------
    arr : array_like
        Real numbers.
    min, max : array_like, optional
        The bounds; None is no bound. If the lower one is the greater, the result is `max`.

    Returns
    -------
    Array
        The numbers within the bounds; NaN where a number or a bound is NaN.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.clip(xp.asarray([1, 5, 9]), 2, 7)
    Array([2, 5, 7], dtype=int32)
    >>> xp.clip(xp.asarray([0, 200], dtype="uint8"), -5, 300)
    Array([  0, 200], dtype=uint8)
    """
    if arr is None:
        raise ValueError("clip: there is no array to clip; pass it as the first argument")
    x = operand(arr, "clip", 0)
    refuse_keys(x._node.kind)
    _check_ordered(x)
    result = x
    for name, bound in (("maximum", min), ("minimum", max)):
        if bound is not None:
            result = _clip_at_bound(OPERATIONS[name], result, bound)
    return wrap(x._data.copy(), x._node) if result is x else result


@elementwise(OPERATIONS["equal"])
def equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements are equal.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.equal(xp.asarray([1, 2]), xp.asarray([1, 3]))
    Array([ True, False], dtype=bool)
    """


@elementwise("biufc", Result.SAME, np.fmax, slope=("(x1 > x2) | isnan(x2)", "~((x1 > x2) | isnan(x2))"))
def fmax(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the greater of two elements; if one is NaN, the other one.

    Parameters
    ----------
    x1, x2

    Returns
    -------
    Array
        The greater ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fmax(xp.asarray([1.0, float("nan")]), 0.5)
    Array([1. , 0.5], dtype=float32)
    """


@elementwise("biufc", Result.SAME, np.fmin, slope=("(x1 < x2) | isnan(x2)", "~((x1 < x2) | isnan(x2))"))
def fmin(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Return the lesser of two elements; if one is NaN, the other one.

    Parameters
    ----------
    x1, x2

    Returns
    -------
    Array
        The lesser ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fmin(xp.asarray([1.0, float("nan")]), 0.5)
    Array([0.5, 0.5], dtype=float32)
    """


@elementwise(OPERATIONS["greater"])
def greater(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements of the first operand are greater than those of the second.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.greater(xp.asarray([1, 4]), 3)
    Array([False,  True], dtype=bool)
    """


@elementwise(OPERATIONS["greater_equal"])
def greater_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements of the first operand are greater than or equal to those of the second.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.greater_equal(xp.asarray([1, 3]), 3)
    Array([False,  True], dtype=bool)
    """


@elementwise(OPERATIONS["less"])
def less(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements of the first operand are less than those of the second.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.less(xp.asarray([1, 4]), 3)
    Array([ True, False], dtype=bool)
    """


@elementwise(OPERATIONS["less_equal"])
def less_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements of the first operand are less than or equal to those of the second.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.less_equal(xp.asarray([1, 3]), 3)
    Array([ True,  True], dtype=bool)
    """


@binary_ufunc(OPERATIONS["maximum"], identity=None, slope=_SHARED)
def maximum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the greater of two elements; NaN if either is NaN.

    Parameters
    ----------
    x1, x2

    Returns
    -------
    Array
        The greater ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.maximum(xp.asarray([1, 5]), 3)
    Array([3, 5], dtype=int32)
    """


@binary_ufunc(OPERATIONS["minimum"], identity=None, slope=_SHARED)
def minimum(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the lesser of two elements; NaN if either is NaN.

    Parameters
    ----------
    x1, x2

    Returns
    -------
    Array
        The lesser ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.minimum(xp.asarray([1, 5]), 3)
    Array([1, 3], dtype=int32)
    """


@elementwise(OPERATIONS["not_equal"])
def not_equal(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Test whether elements differ.

    Parameters
    ----------
    x, y

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.not_equal(xp.asarray([1, 2]), xp.asarray([1, 3]))
    Array([False,  True], dtype=bool)
    """


def _clip_at_bound(operation: Operation, x: Array, bound: Any) -> Array:
    """Clip to one bound."""
    try:
        if type(bound) is int:
            return binary(operation, x, attainable(bound, x._node))
        _check_ordered(bound)
        return binary(operation, x, bound if type(bound) in PYTHON_SCALARS else operand(bound, "clip", 1))
    except TypeError as error:
        raise with_function_name(error, "clip") from None


def _check_ordered(x: Any) -> None:
    """Refuse complex numbers."""
    if isinstance(x, complex) or np.dtype(getattr(x, "dtype", bool)).kind == "c":
        raise ValueError("clip: complex numbers have no order and cannot be clipped; clip their real and imag parts")
