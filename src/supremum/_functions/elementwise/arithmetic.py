"""Arithmetic: sums, products, quotients, powers, signs."""

from __future__ import annotations

from typing import Any, Final

from supremum._core.array import Array, binary, unary
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, UNARY
from supremum._functions.elementwise._calls import binary_ufunc, unary_ufunc
from supremum._functions.elementwise._operands import apply_binary

__all__ = [
    "abs", "absolute", "add", "divide", "divmod", "fabs", "float_power", "floor_divide", "fmod", "mod", "multiply",
    "negative", "positive", "pow", "power", "reciprocal", "remainder", "sign", "square", "subtract", "true_divide",
]  # fmt: skip

_ABS: Final = UNARY["abs"]
_ADD: Final = BINARY["add"]
_DIVIDE: Final = BINARY["divide"]
_FABS: Final = UNARY["fabs"]
_FLOAT_POWER: Final = BINARY["float_power"]
_FLOOR_DIVIDE: Final = BINARY["floor_divide"]
_FMOD: Final = BINARY["fmod"]
_MULTIPLY: Final = BINARY["multiply"]
_NEGATIVE: Final = UNARY["negative"]
_POSITIVE: Final = UNARY["positive"]
_POW: Final = BINARY["pow"]
_RECIPROCAL: Final = UNARY["reciprocal"]
_REMAINDER: Final = BINARY["remainder"]
_SIGN: Final = UNARY["sign"]
_SQUARE: Final = UNARY["square"]
_SUBTRACT: Final = BINARY["subtract"]


def abs(x: Any, /) -> Array:
    """Absolute value; the magnitude of a complex number.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_ABS, x if type(x) is Array else operand(x, "abs"))


@binary_ufunc(0)
def add(x1: Any, x2: Any, /) -> Array:
    """Sum.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_ADD, x1, x2)


def divide(x1: Any, x2: Any, /) -> Array:
    """Quotient, floating.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return binary(_DIVIDE, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_DIVIDE, x1, x2)


def divmod(x1: Any, x2: Any, /) -> tuple[Array, Array]:
    """Quotient, rounded towards negative infinity, and remainder.

    Parameters
    ----------
    x1, x2 : Array or scalar
        The dividends and the divisors, real.

    Returns
    -------
    tuple of Array
        What `floor_divide` and `remainder` give.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.divmod(xp.asarray([7, -7]), 4)
    (Array([ 1, -2], dtype=int32), Array([3, 1], dtype=int32))
    """
    return apply_binary(_FLOOR_DIVIDE, x1, x2, "divmod"), apply_binary(_REMAINDER, x1, x2, "divmod")


def fabs(x: Any, /) -> Array:
    """Absolute value, floating.

    Parameters
    ----------
    x : Array or scalar
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
    return unary(_FABS, x if type(x) is Array else operand(x, "fabs"))


def float_power(x: Any, y: Any, /) -> Array:
    """Power, floating.

    Parameters
    ----------
    x, y : Array or scalar
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
    return binary(_FLOAT_POWER, x, y) if type(x) is Array and type(y) is Array else apply_binary(_FLOAT_POWER, x, y)


def floor_divide(x1: Any, x2: Any, /) -> Array:
    """Quotient, rounded towards negative infinity.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return binary(_FLOOR_DIVIDE, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_FLOOR_DIVIDE, x1, x2)


def fmod(x1: Any, x2: Any, /) -> Array:
    """Remainder of the quotient rounded towards zero, with the sign of the dividend.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return binary(_FMOD, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_FMOD, x1, x2)


@binary_ufunc(1)
def multiply(x1: Any, x2: Any, /) -> Array:
    """Product.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_MULTIPLY, x1, x2)


@unary_ufunc
def negative(x: Any, /) -> Array:
    """Negative of a number.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_NEGATIVE, operand(x, "negative"))


def positive(x: Any, /) -> Array:
    """The number itself.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_POSITIVE, x if type(x) is Array else operand(x, "positive"))


def pow(x1: Any, x2: Any, /) -> Array:
    """Power.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return binary(_POW, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_POW, x1, x2)


def reciprocal(x: Any, /) -> Array:
    """``1 / x``, floating.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_RECIPROCAL, x if type(x) is Array else operand(x, "reciprocal"))


def remainder(x1: Any, x2: Any, /) -> Array:
    """Remainder of `floor_divide`, with the sign of the divisor.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return binary(_REMAINDER, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_REMAINDER, x1, x2)


def sign(x: Any, /) -> Array:
    """Sign: −1, 0 or 1; the direction ``x / abs(x)`` of a complex number.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_SIGN, x if type(x) is Array else operand(x, "sign"))


def square(x: Any, /) -> Array:
    """Square.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

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
    return unary(_SQUARE, x if type(x) is Array else operand(x, "square"))


@binary_ufunc(None)
def subtract(x1: Any, x2: Any, /) -> Array:
    """Difference.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_SUBTRACT, x1, x2)


# The names that NumPy and JAX have for the same functions.
absolute: Final = abs
mod: Final = remainder
power: Final = pow
true_divide: Final = divide
