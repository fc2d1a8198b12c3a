"""Exponentials, logarithms and roots."""

from __future__ import annotations

import math
from typing import Any, Final

from supremum._array import Array, unary
from supremum._conversion import operand
from supremum._dispatch import BINARY, UNARY, Operation, UnaryOperation
from supremum.elementwise._operands import mixed
from supremum.elementwise._ufunc import binary_ufunc

__all__ = [
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "sqrt",
]  # fmt: skip

_EXP: Final[UnaryOperation] = UNARY["exp"]
_EXPM1: Final[UnaryOperation] = UNARY["expm1"]
_LOG: Final[UnaryOperation] = UNARY["log"]
_LOG10: Final[UnaryOperation] = UNARY["log10"]
_LOG1P: Final[UnaryOperation] = UNARY["log1p"]
_LOG2: Final[UnaryOperation] = UNARY["log2"]
_LOGADDEXP: Final[Operation] = BINARY["logaddexp"]
_SQRT: Final[UnaryOperation] = UNARY["sqrt"]


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
    return mixed(_LOGADDEXP, x1, x2)


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
