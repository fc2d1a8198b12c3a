"""Comparison of arrays within tolerances, and as a whole."""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import shape_error
from supremum._core.array import Array, ArrayLike, NestedArrayLike, wrap
from supremum._core.conversion import Buffer, as_array, in_dtype, keep_float64_scalars, operand, promote_operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.operators import OPERATIONS, binary
from supremum._core.reduction_rows import accumulator, nan_mask
from supremum._kernels.casts import cast
from supremum._kernels.pointwise import equal_keys
from supremum.promotion._nodes import NODES

__all__ = ["allclose", "array_equal", "array_equiv", "isclose"]

_BOOL: Final = NODES["bool"]


@public(fast="isclose", operation=OPERATIONS["equal"].engine, kind="elementwise")
def isclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False) -> Array:
    """Test elementwise whether arrays are equal within a tolerance: ``|a - b| <= atol + rtol * |b|``.

    Integers are compared as floats of the dtype that they promote to. An infinity is close to itself only.

    Parameters
    ----------
    a, b : array_like
        Arrays to compare; the relative tolerance refers to `b`.
    rtol, atol : array_like
        Relative and absolute tolerance.
    equal_nan : bool
        Whether NaN is close to NaN.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isclose(xp.asarray([1.0, 2.0]), xp.asarray([1.000001, 2.1]))
    Array([ True, False], dtype=bool)
    """
    return wrap(_close("isclose", a, b, rtol, atol, equal_nan), _BOOL)


@public(fast="allclose", operation=OPERATIONS["equal"].engine)
def allclose(a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False) -> Array:
    """Test whether all elements of two arrays are equal within a tolerance.

    Parameters
    ----------
    a, b, rtol, atol, equal_nan
        As for `isclose`.

    Returns
    -------
    Array
        The truth value, 0-d.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.allclose(xp.asarray([1.0, 2.0]), xp.asarray([1.000001, 2.000001]))
    Array(True, dtype=bool)
    """
    return _truth(_close("allclose", a, b, rtol, atol, equal_nan).all())


def _close(function: str, a: ArrayLike, b: ArrayLike, rtol: ArrayLike, atol: ArrayLike, equal_nan: bool) -> Buffer:
    node, (x, y) = promote_operands(function, a, b)
    if node.kind == "k":  # as in JAX, close keys are equal keys
        return equal_keys(x, y)
    inexact = to_inexact(node)
    compute = accumulator(inexact)
    # First to the common dtype, in which operands may become equal, then to the wider one for the computation.
    x, y = (cast(cast(data, inexact), compute) for data in (x, y))
    relative, absolute = (in_dtype(tolerance, operand(tolerance, function), compute) for tolerance in (rtol, atol))
    try:
        within = np.abs(x - y) <= np.abs(absolute + relative * np.abs(y))
    except ValueError:
        raise shape_error(function, x.shape, y.shape) from None
    close = (x == y) | (within & np.isfinite(x) & np.isfinite(y))
    return np.asarray(close | (np.isnan(x) & np.isnan(y)) if equal_nan else close)


def _truth(value: object) -> Array:
    return wrap(np.asarray(value, np.bool_), _BOOL)


@public(fast="array_equal", operation=OPERATIONS["equal"].engine)
def array_equal(a1: NestedArrayLike, a2: NestedArrayLike, equal_nan: bool = False) -> Array:
    """Test whether two arrays have the same shape and equal elements.

    Parameters
    ----------
    a1, a2 : array_like
        Arrays to compare; nested sequences are converted.
    equal_nan : bool
        Whether NaN is equal to NaN.

    Returns
    -------
    Array
        The truth value, 0-d.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.array_equal([1, 2], xp.asarray([1.0, 2.0])), xp.array_equal([1, 2], [1])
    (Array(True, dtype=bool), Array(False, dtype=bool))
    """
    x, y = keep_float64_scalars((a1, a2), [as_array(a1), as_array(a2)])
    return _truth(False) if x.shape != y.shape else _all_equal(x, y, equal_nan=equal_nan)


@public
def array_equiv(a1: NestedArrayLike, a2: NestedArrayLike) -> Array:
    """Test whether two arrays are equal after broadcasting.

    Parameters
    ----------
    a1, a2 : array_like
        Arrays to compare; nested sequences are converted. False if the shapes do not broadcast.

    Returns
    -------
    Array
        The truth value, 0-d.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.array_equiv([1, 2], [[1, 2], [1, 2]])
    Array(True, dtype=bool)
    """
    x, y = keep_float64_scalars((a1, a2), [as_array(a1), as_array(a2)])
    if x.shape != y.shape:
        try:
            np.broadcast_shapes(x.shape, y.shape)
        except ValueError:
            return _truth(False)
    return _all_equal(x, y)


def _all_equal(x: Array, y: Array, *, equal_nan: bool = False) -> Array:
    equal = binary(OPERATIONS["equal"], x, y)._data
    if equal_nan and x._node.kind in "fc" and y._node.kind in "fc":
        equal = equal | (nan_mask(x) & nan_mask(y))
    return _truth(equal.all())
