"""Floating-point representation: neighbours, signs, exponents, infinities and NaN."""

from __future__ import annotations

from typing import Any, Final

from supremum._array import Array, binary, unary
from supremum._conversion import operand
from supremum._dispatch import BINARY, UNARY, Operation, UnaryOperation
from supremum.elementwise._operands import mixed

__all__ = [
    "copysign", "isfinite", "isinf", "isnan", "nextafter", "signbit",
]  # fmt: skip

_COPYSIGN: Final[Operation] = BINARY["copysign"]
_ISFINITE: Final[UnaryOperation] = UNARY["isfinite"]
_ISINF: Final[UnaryOperation] = UNARY["isinf"]
_ISNAN: Final[UnaryOperation] = UNARY["isnan"]
_NEXTAFTER: Final[Operation] = BINARY["nextafter"]
_SIGNBIT: Final[UnaryOperation] = UNARY["signbit"]


def copysign(x1: Any, x2: Any, /) -> Array:
    """Magnitude of `x1` with the sign of `x2`.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Where the magnitudes and the signs come from, real.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.copysign(xp.asarray([1.0, 2.0]), xp.asarray([-0.0, 3.0]))
    Array([-1.,  2.], dtype=float32)
    """
    return binary(_COPYSIGN, x1, x2) if type(x1) is Array and type(x2) is Array else mixed(_COPYSIGN, x1, x2)


def isfinite(x: Any, /) -> Array:
    """Whether elements are neither infinite nor NaN.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isfinite(xp.asarray([1.0, float("inf"), float("nan")]))
    Array([ True, False, False], dtype=bool)
    """
    return unary(_ISFINITE, x if type(x) is Array else operand(x, "isfinite"))


def isinf(x: Any, /) -> Array:
    """Whether elements are infinite, of either sign.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isinf(xp.asarray([1.0, -float("inf"), float("nan")]))
    Array([False,  True, False], dtype=bool)
    """
    return unary(_ISINF, x if type(x) is Array else operand(x, "isinf"))


def isnan(x: Any, /) -> Array:
    """Whether elements are NaN.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.isnan(xp.asarray([1.0, float("inf"), float("nan")]))
    Array([False, False,  True], dtype=bool)
    """
    return unary(_ISNAN, x if type(x) is Array else operand(x, "isnan"))


def nextafter(x1: Any, x2: Any, /) -> Array:
    """Next number of the dtype after `x1` in the direction of `x2`.

    Parameters
    ----------
    x1, x2 : Array or scalar
        Where to start and where to go, real.

    Returns
    -------
    Array
        The neighbours.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nextafter(xp.asarray(1, dtype="bfloat16"), xp.asarray(2, dtype="bfloat16"))
    Array(1.00781, dtype=bfloat16)
    """
    return binary(_NEXTAFTER, x1, x2) if type(x1) is Array and type(x2) is Array else mixed(_NEXTAFTER, x1, x2)


def signbit(x: Any, /) -> Array:
    """Whether the sign bit is set: true for negative numbers and −0.0.

    Parameters
    ----------
    x : Array or scalar
        Real numbers.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.signbit(xp.asarray([-1.0, -0.0, 0.0]))
    Array([ True,  True, False], dtype=bool)
    """
    return unary(_SIGNBIT, x if type(x) is Array else operand(x, "signbit"))
