"""Exponentials, logarithms and roots."""

from __future__ import annotations

import math
from typing import Any, Final

from supremum._core.array import Array, unary
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, UNARY
from supremum._functions.elementwise._calls import binary_ufunc
from supremum._functions.elementwise._operands import apply_binary, drop_weak_unless_scalar

__all__ = [
    "cbrt",
    "exp",
    "exp2",
    "expm1",
    "i0",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "sqrt",
]  # fmt: skip

_CBRT: Final = UNARY["cbrt"]
_EXP: Final = UNARY["exp"]
_EXP2: Final = UNARY["exp2"]
_EXPM1: Final = UNARY["expm1"]
_I0: Final = UNARY["i0"]
_LOG: Final = UNARY["log"]
_LOG10: Final = UNARY["log10"]
_LOG1P: Final = UNARY["log1p"]
_LOG2: Final = UNARY["log2"]
_LOGADDEXP: Final = BINARY["logaddexp"]
_LOGADDEXP2: Final = BINARY["logaddexp2"]
_SQRT: Final = UNARY["sqrt"]


def cbrt(x: Any, /) -> Array:
    """Cube root.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The real roots, with the signs of the numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cbrt(xp.asarray([8.0, -27.0]))
    Array([ 2.       , -2.9999998], dtype=float32)
    """
    return unary(_CBRT, x if type(x) is Array else operand(x, "cbrt"))


def exp(x: Any, /) -> Array:
    """Powers of e.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The exponentials.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.exp(xp.asarray([0.0, 1.0]))
    Array([1.      , 2.718282], dtype=float32)
    """
    return unary(_EXP, x if type(x) is Array else operand(x, "exp"))


def exp2(x: Any, /) -> Array:
    """Powers of 2.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        ``2**x``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.exp2(xp.asarray([3.0, 0.5]))
    Array([8.       , 1.4142135], dtype=float32)
    """
    return unary(_EXP2, x if type(x) is Array else operand(x, "exp2"))


def expm1(x: Any, /) -> Array:
    """``exp(x) - 1``, accurate for small `x`.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.expm1(xp.asarray([1e-10, 1.0]))
    Array([1.0000000e-10, 1.7182819e+00], dtype=float32)
    """
    return unary(_EXPM1, x if type(x) is Array else operand(x, "expm1"))


def i0(x: Any) -> Array:
    """Modified Bessel function of the first kind, of order 0.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.i0(xp.asarray([0.0, 1.0]))
    Array([1.       , 1.2660658], dtype=float32)
    """
    return unary(_I0, x if type(x) is Array else operand(x, "i0"))


def log(x: Any, /) -> Array:
    """Natural logarithm.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The logarithms; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log(xp.asarray([1.0, 10.0]))
    Array([0.       , 2.3025851], dtype=float32)
    """
    return unary(_LOG, x if type(x) is Array else operand(x, "log"))


def log10(x: Any, /) -> Array:
    """Logarithm to base 10.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The logarithms; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log10(xp.asarray([1.0, 1000.0]))
    Array([0.       , 3.0000002], dtype=float32)
    """
    return unary(_LOG10, x if type(x) is Array else operand(x, "log10"))


def log1p(x: Any, /) -> Array:
    """``log(1 + x)``, accurate for small `x`.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The logarithms; NaN for real numbers below −1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log1p(xp.asarray([1e-10, 1.0]))
    Array([1.000000e-10, 6.931472e-01], dtype=float32)
    """
    return unary(_LOG1P, x if type(x) is Array else operand(x, "log1p"))


def log2(x: Any, /) -> Array:
    """Logarithm to base 2.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The logarithms; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log2(xp.asarray([1, 8]))
    Array([0., 3.], dtype=float32)
    """
    return unary(_LOG2, x if type(x) is Array else operand(x, "log2"))


@binary_ufunc(-math.inf)
def logaddexp(x1: Any, x2: Any, /) -> Array:
    """``log(exp(x1) + exp(x2))``, without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logaddexp(xp.asarray([1000.0]), xp.asarray([1000.0]))
    Array([1000.6932], dtype=float32)
    """
    result = apply_binary(_LOGADDEXP, x1, x2)
    return drop_weak_unless_scalar(result) if result._node.kind == "c" else result


@binary_ufunc(-math.inf)
def logaddexp2(x1: Any, x2: Any, /) -> Array:
    """``log2(2**x1 + 2**x2)``, without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logaddexp2(xp.asarray([1000.0]), xp.asarray([1000.0]))
    Array([1001.], dtype=float32)
    """
    return apply_binary(_LOGADDEXP2, x1, x2)


def sqrt(x: Any, /) -> Array:
    """Square root.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The roots; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sqrt(xp.asarray([4, 9]))
    Array([2., 3.], dtype=float32)
    """
    return unary(_SQRT, x if type(x) is Array else operand(x, "sqrt"))
