"""Arithmetic: sums, products, quotients, powers, signs."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike
from supremum._core.operators import OPERATIONS
from supremum._core.rules import Result
from supremum._functions.elementwise._calls import binary_ufunc, elementwise, unary_ufunc
from supremum._kernels import complex_numbers as z, pointwise as k

__all__ = [
    "abs", "absolute", "add", "divide", "divmod", "fabs", "float_power", "floor_divide", "fmod", "mod", "multiply",
    "negative", "positive", "pow", "power", "reciprocal", "remainder", "sign", "square", "subtract", "true_divide",
]  # fmt: skip


@elementwise(OPERATIONS["abs"], slope="where(x >= 0, 1, -1)")
def abs(x: ArrayLike, /) -> Array:
    """Compute the absolute value; of a complex number, the magnitude.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The magnitudes, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.abs(xp.asarray([-2, 1]))
    Array([2, 1], dtype=int32)
    >>> xp.abs(3 + 4j)
    Array(5., dtype=float32, weak_type=True)
    """


@binary_ufunc(OPERATIONS["add"], identity=0, slope=("1", "1"))
def add(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the sum.

    Parameters
    ----------
    x1, x2 : array_like
        The summands.

    Returns
    -------
    Array
        The sums; logical or for truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.add(xp.asarray([1, 2], dtype="int8"), 3)
    Array([4, 5], dtype=int8)
    >>> xp.add.reduce(xp.asarray([1, 2, 3]))
    Array(6, dtype=int32)
    """


@elementwise(OPERATIONS["divide"], slope=("1 / x2", "-out / x2"))
def divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the quotient, in floating point.

    Parameters
    ----------
    x1, x2 : array_like
        The dividends and the divisors.

    Returns
    -------
    Array
        The quotients.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.divide(xp.asarray([1, 2]), xp.asarray([2, 4]))
    Array([0.5, 0.5], dtype=float32)
    """


@public(composed=True)
def divmod(x1: ArrayLike, x2: ArrayLike, /) -> tuple[Array, Array]:
    """Compute the quotient, rounded towards negative infinity, and the remainder.

    Parameters
    ----------
    x1, x2 : array_like
        The dividends and the divisors, real.

    Returns
    -------
    tuple of Array
        The results of `floor_divide` and `remainder`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.divmod(xp.asarray([7, -7]), 4)
    (Array([ 1, -2], dtype=int32), Array([3, 1], dtype=int32))
    """
    return floor_divide(x1, x2), remainder(x1, x2)


@elementwise("biuf", Result.INEXACT, np.absolute, slope="where(x >= 0, 1, -1)")
def fabs(x: ArrayLike, /) -> Array:
    """Compute the absolute value, in floating point.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    Array
        The magnitudes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fabs(xp.asarray([-2, 1]))
    Array([2., 1.], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.power, {"f": k.power})
def float_power(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Compute the power, in floating point.

    Parameters
    ----------
    x, y : array_like
        The bases and the exponents.

    Returns
    -------
    Array
        ``x**y``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.float_power(xp.asarray([2, 3]), -1)
    Array([0.5       , 0.33333334], dtype=float32)
    """


@elementwise(OPERATIONS["floor_divide"], constant="steps")
def floor_divide(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the quotient, rounded towards negative infinity.

    Parameters
    ----------
    x1, x2 : array_like
        The dividends and the divisors, real.

    Returns
    -------
    Array
        The quotients.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.floor_divide(xp.asarray([7, -7]), 2)
    Array([ 3, -4], dtype=int32)
    """


@elementwise("biuf", Result.NUMBER, np.fmod, slope=("1", "-trunc(x1 / x2)"))
def fmod(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the remainder of the quotient rounded towards zero, which has the sign of the dividend.

    Parameters
    ----------
    x1, x2 : array_like
        The dividends and the divisors, real.

    Returns
    -------
    Array
        The remainders.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fmod(xp.asarray([7, -7]), 4)
    Array([ 3, -3], dtype=int32)
    """


@binary_ufunc(OPERATIONS["multiply"], identity=1, slope=("x2", "x1"))
def multiply(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the product.

    Parameters
    ----------
    x1, x2 : array_like
        The factors.

    Returns
    -------
    Array
        The products; logical and for truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.multiply(xp.asarray([1, 2]), 2.5)
    Array([2.5, 5. ], dtype=float32, weak_type=True)
    >>> xp.multiply.outer(xp.asarray([1, 2]), xp.asarray([3, 4]))
    Array([[3, 4],
           [6, 8]], dtype=int32)
    """


@unary_ufunc(OPERATIONS["negative"], slope="-1")
def negative(x: ArrayLike, /) -> Array:
    """Compute the negative.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        ``-x``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.negative(xp.asarray([1, -2]))
    Array([-1,  2], dtype=int32)
    """


@elementwise(OPERATIONS["positive"], slope="1")
def positive(x: ArrayLike, /) -> Array:
    """Return a copy of the numbers.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        ``+x``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.positive(xp.asarray([1, -2]))
    Array([ 1, -2], dtype=int32)
    """


@elementwise(OPERATIONS["pow"])
def pow(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the power.

    Parameters
    ----------
    x1, x2 : array_like
        The bases and the exponents.

    Returns
    -------
    Array
        ``x1**x2``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.pow(xp.asarray([2, 3]), 2)
    Array([4, 9], dtype=int32)
    """


@elementwise("biufc", Result.INEXACT, np.reciprocal, slope="-square(out)")
def reciprocal(x: ArrayLike, /) -> Array:
    """Compute ``1 / x``, in floating point.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The reciprocals.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.reciprocal(xp.asarray([1, 4]))
    Array([1.  , 0.25], dtype=float32)
    """


@elementwise(OPERATIONS["remainder"], slope=("1", "where(out == x2, 1, -floor(x1 / x2))"))
def remainder(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the remainder of `floor_divide`, which has the sign of the divisor.

    Parameters
    ----------
    x1, x2 : array_like
        The dividends and the divisors, real.

    Returns
    -------
    Array
        The remainders.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.remainder(xp.asarray([7, -7]), 4)
    Array([3, 1], dtype=int32)
    """


@elementwise("iufc", Result.SAME, np.sign, {"c": z.sign}, constant="steps")
def sign(x: ArrayLike, /) -> Array:
    """Compute the sign: −1, 0 or 1; of a complex number, the direction ``x / abs(x)``.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The signs.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sign(xp.asarray([-3, 0, 5]))
    Array([-1,  0,  1], dtype=int32)
    >>> xp.sign(3 + 4j)
    Array(0.6+0.8j, dtype=complex64, weak_type=True)
    """


@elementwise("biufc", Result.NUMBER, np.square, {"c": z.square}, slope="2 * x")
def square(x: ArrayLike, /) -> Array:
    """Compute the square.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        ``x * x``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.square(xp.asarray([2, -3]))
    Array([4, 9], dtype=int32)
    """


@binary_ufunc(OPERATIONS["subtract"], identity=None, slope=("1", "-1"))
def subtract(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the difference.

    Parameters
    ----------
    x1, x2 : array_like
        The minuends and the subtrahends.

    Returns
    -------
    Array
        The differences.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.subtract(xp.asarray([3, 2]), xp.asarray([1, 1]))
    Array([2, 1], dtype=int32)
    """


# NumPy's and JAX's names of the same functions.
absolute = abs
mod = remainder
power = pow
true_divide = divide
