"""Comparisons and extremes of two operands."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import named
from supremum._base.key_dtype import refuse_keys
from supremum._core.array import Array, binary, ndarray, wrap
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, PYTHON_SCALARS, Operation
from supremum._core.scalars import attainable
from supremum._functions.elementwise._calls import binary_ufunc
from supremum._functions.elementwise._operands import apply_binary

__all__ = [
    "clip", "equal", "fmax", "fmin", "greater", "greater_equal", "less", "less_equal",
    "maximum", "minimum", "not_equal",
]  # fmt: skip

_EQUAL: Final = BINARY["equal"]
_FMAX: Final = BINARY["fmax"]
_FMIN: Final = BINARY["fmin"]
_GREATER: Final = BINARY["greater"]
_GREATER_EQUAL: Final = BINARY["greater_equal"]
_LESS: Final = BINARY["less"]
_LESS_EQUAL: Final = BINARY["less_equal"]
_MAXIMUM: Final = BINARY["maximum"]
_MINIMUM: Final = BINARY["minimum"]
_NOT_EQUAL: Final = BINARY["not_equal"]


def clip(arr: Any = None, /, min: Any = None, max: Any = None) -> Array:
    """Numbers clamped to a range.

    Bounds are compared with exactly: one that the integer dtype of the result cannot hold clamps to the dtype's own limit.

    Parameters
    ----------
    arr : Array or scalar
        Real numbers.
    min, max : Array or scalar, optional
        The bounds; None is no bound. Where they cross, `max` wins.

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
    x = arr if type(arr) is Array else operand(arr, "clip", 0)
    refuse_keys(x._node.kind)
    quick = _in_one_pass(x, min, max)
    if quick is not None:
        return quick
    _check_ordered(x)
    result = x
    for operation, bound in ((_MAXIMUM, min), (_MINIMUM, max)):
        if bound is not None:
            result = _clamp(operation, result, bound)
    return wrap(x._data.copy(), x._node) if result is x else result


def equal(x: Any, y: Any, /) -> Array:
    """Whether elements are equal.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_EQUAL, x, y) if type(x) is Array and type(y) is Array else apply_binary(_EQUAL, x, y)


def fmax(x1: Any, x2: Any) -> Array:
    """Greater of two elements; the other one where one is NaN.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

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
    return binary(_FMAX, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_FMAX, x1, x2)


def fmin(x1: Any, x2: Any) -> Array:
    """Lesser of two elements; the other one where one is NaN.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

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
    return binary(_FMIN, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_FMIN, x1, x2)


def greater(x: Any, y: Any, /) -> Array:
    """Whether elements of the first operand are the greater ones.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_GREATER, x, y) if type(x) is Array and type(y) is Array else apply_binary(_GREATER, x, y)


def greater_equal(x: Any, y: Any, /) -> Array:
    """Whether elements of the first operand are greater or equal.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_GREATER_EQUAL, x, y) if type(x) is Array and type(y) is Array else apply_binary(_GREATER_EQUAL, x, y)


def less(x: Any, y: Any, /) -> Array:
    """Whether elements of the first operand are the lesser ones.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_LESS, x, y) if type(x) is Array and type(y) is Array else apply_binary(_LESS, x, y)


def less_equal(x: Any, y: Any, /) -> Array:
    """Whether elements of the first operand are less or equal.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_LESS_EQUAL, x, y) if type(x) is Array and type(y) is Array else apply_binary(_LESS_EQUAL, x, y)


@binary_ufunc(None)
def maximum(x1: Any, x2: Any, /) -> Array:
    """Greater of two elements; NaN where either is NaN.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

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
    return apply_binary(_MAXIMUM, x1, x2)


@binary_ufunc(None)
def minimum(x1: Any, x2: Any, /) -> Array:
    """Lesser of two elements; NaN where either is NaN.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

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
    return apply_binary(_MINIMUM, x1, x2)


def not_equal(x: Any, y: Any, /) -> Array:
    """Whether elements differ.

    Parameters
    ----------
    x, y : Array or scalar
        What to compare.

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
    return binary(_NOT_EQUAL, x, y) if type(x) is Array and type(y) is Array else apply_binary(_NOT_EQUAL, x, y)


def _in_one_pass(x: Array, low: Any, high: Any) -> Array | None:
    """Clamp by NumPy's own clip, where both bounds have the dtype of `x` and NumPy computes in it; None elsewhere."""
    node = x._node
    if node.kind not in "iuf" or (low is None and high is None):
        return None
    bounds: list[Any] = []
    for operation, bound in ((_MAXIMUM, low), (_MINIMUM, high)):
        if bound is None:
            bounds.append(None)
            continue
        plan = operation.known(node, bound._node if type(bound) is Array else type(bound))
        if plan is None or plan.node is not node or plan.call is not operation.rule.kernel_for(node):
            return None
        value = bound._data if type(bound) is Array else plan.scalar(attainable(bound, node) if type(bound) is int else bound)
        if node.kind == "f" and np.count_nonzero(value) != value.size:
            return None  # zeros of two signs may meet, which NumPy's clip does not order
        bounds.append(value)
    try:
        data = x._data.clip(*bounds)
    except ValueError:
        return None  # shapes that do not fit: the long path says so
    return wrap(data if type(data) is ndarray else np.asarray(data), node)


def _clamp(operation: Operation, x: Array, bound: Any) -> Array:
    """Apply one bound."""
    try:
        if type(bound) is int:
            return binary(operation, x, attainable(bound, x._node))
        _check_ordered(bound)
        return binary(operation, x, bound if type(bound) in PYTHON_SCALARS else operand(bound, "clip", 1))
    except TypeError as error:
        raise named(error, "clip", operation.rule.name) from None


def _check_ordered(x: Any) -> None:
    """Refuse complex numbers."""
    if isinstance(x, complex) or np.dtype(getattr(x, "dtype", bool)).kind == "c":
        raise ValueError("clip: complex numbers have no order and cannot be clipped; clip their real and imag parts")


publish(__name__, only=("clip",))
