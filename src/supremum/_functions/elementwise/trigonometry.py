"""Trigonometric and hyperbolic functions and their inverses, and conversions of angles."""

from __future__ import annotations

from typing import Any, Final

from supremum._core.array import Array, binary, unary
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, UNARY
from supremum._functions.elementwise._operands import apply_binary, drop_weak_unless_scalar

__all__ = [
    "acos", "acosh", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin", "asinh",
    "atan", "atan2", "atanh", "cos", "cosh", "deg2rad", "degrees", "hypot", "rad2deg", "radians", "sin", "sinc",
    "sinh", "tan", "tanh",
]  # fmt: skip

_ACOS: Final = UNARY["acos"]
_ACOSH: Final = UNARY["acosh"]
_ASIN: Final = UNARY["asin"]
_ASINH: Final = UNARY["asinh"]
_ATAN: Final = UNARY["atan"]
_ATAN2: Final = BINARY["atan2"]
_ATANH: Final = UNARY["atanh"]
_COS: Final = UNARY["cos"]
_COSH: Final = UNARY["cosh"]
_DEG2RAD: Final = UNARY["deg2rad"]
_HYPOT: Final = BINARY["hypot"]
_RAD2DEG: Final = UNARY["rad2deg"]
_SIN: Final = UNARY["sin"]
_SINC: Final = UNARY["sinc"]
_SINH: Final = UNARY["sinh"]
_TAN: Final = UNARY["tan"]
_TANH: Final = UNARY["tanh"]


def acos(x: Any, /) -> Array:
    """Inverse cosine, in radians.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The angles, between 0 and π for real numbers; NaN beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.acos(xp.asarray([1.0, 0.0, -1.0]))
    Array([0.       , 1.5707964, 3.1415927], dtype=float32)
    """
    return unary(_ACOS, x if type(x) is Array else operand(x, "acos"))


def acosh(x: Any, /) -> Array:
    """Inverse hyperbolic cosine.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The values; NaN for real numbers below 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.acosh(xp.asarray([1.0, 2.0]))
    Array([0.      , 1.316958], dtype=float32)
    """
    return unary(_ACOSH, x if type(x) is Array else operand(x, "acosh"))


def asin(x: Any, /) -> Array:
    """Inverse sine, in radians.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The angles, between −π/2 and π/2 for real numbers; NaN beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.asin(xp.asarray([0.0, 0.5, 1.0]))
    Array([0.       , 0.5235988, 1.5707964], dtype=float32)
    """
    return unary(_ASIN, x if type(x) is Array else operand(x, "asin"))


def asinh(x: Any, /) -> Array:
    """Inverse hyperbolic sine.

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
    >>> xp.asinh(xp.asarray([0.0, 1.0]))
    Array([0.       , 0.8813736], dtype=float32)
    """
    return unary(_ASINH, x if type(x) is Array else operand(x, "asinh"))


def atan(x: Any, /) -> Array:
    """Inverse tangent, in radians.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The angles, between −π/2 and π/2 for real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atan(xp.asarray([0.0, 1.0, float("inf")]))
    Array([0.       , 0.7853982, 1.5707964], dtype=float32)
    """
    return unary(_ATAN, x if type(x) is Array else operand(x, "atan"))


def atan2(x1: Any, x2: Any, /) -> Array:
    """Angle of the point (x2, x1), in radians, in the quadrant that both signs tell.

    Parameters
    ----------
    x1, x2 : Array or scalar
        The ordinates and the abscissas.

    Returns
    -------
    Array
        The angles, between −π and π.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atan2(xp.asarray([1.0, -1.0]), xp.asarray([-1.0, -1.0]))
    Array([ 2.3561945, -2.3561945], dtype=float32)
    """
    return binary(_ATAN2, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_ATAN2, x1, x2)


def atanh(x: Any, /) -> Array:
    """Inverse hyperbolic tangent.

    Parameters
    ----------
    x : Array or scalar
        Numbers.

    Returns
    -------
    Array
        The values; NaN for real numbers beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atanh(xp.asarray([0.0, 0.5, 1.0]))
    Array([0.        , 0.54930615,        inf], dtype=float32)
    """
    return unary(_ATANH, x if type(x) is Array else operand(x, "atanh"))


def cos(x: Any, /) -> Array:
    """Cosine.

    Parameters
    ----------
    x : Array or scalar
        Angles in radians.

    Returns
    -------
    Array
        The cosines.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cos(xp.asarray([0.0, 1.0]))
    Array([1.       , 0.5403023], dtype=float32)
    """
    return unary(_COS, x if type(x) is Array else operand(x, "cos"))


def cosh(x: Any, /) -> Array:
    """Hyperbolic cosine.

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
    >>> xp.cosh(xp.asarray([0.0, 1.0]))
    Array([1.       , 1.5430807], dtype=float32)
    """
    return unary(_COSH, x if type(x) is Array else operand(x, "cosh"))


def deg2rad(x: Any, /) -> Array:
    """Degrees to radians.

    Parameters
    ----------
    x : Array or scalar
        Angles in degrees.

    Returns
    -------
    Array
        The angles in radians.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.deg2rad(xp.asarray([90.0, 180.0]))
    Array([1.5707964, 3.1415927], dtype=float32)
    """
    return drop_weak_unless_scalar(unary(_DEG2RAD, x if type(x) is Array else operand(x, "deg2rad")))


def hypot(x1: Any, x2: Any, /) -> Array:
    """Length of the hypotenuse, without overflow on the way.

    Parameters
    ----------
    x1, x2 : Array or scalar
        The legs, real.

    Returns
    -------
    Array
        The square root of ``x1**2 + x2**2``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.hypot(xp.asarray([3.0, 5.0]), xp.asarray([4.0, 12.0]))
    Array([ 5., 13.], dtype=float32)
    """
    return drop_weak_unless_scalar(
        binary(_HYPOT, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_HYPOT, x1, x2)
    )


def rad2deg(x: Any, /) -> Array:
    """Radians to degrees.

    Parameters
    ----------
    x : Array or scalar
        Angles in radians.

    Returns
    -------
    Array
        The angles in degrees.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.rad2deg(xp.asarray([0.0, 3.14159265]))
    Array([  0., 180.], dtype=float32)
    """
    return drop_weak_unless_scalar(unary(_RAD2DEG, x if type(x) is Array else operand(x, "rad2deg")))


def sin(x: Any, /) -> Array:
    """Sine.

    Parameters
    ----------
    x : Array or scalar
        Angles in radians.

    Returns
    -------
    Array
        The sines.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sin(xp.asarray([0.0, 1.0]))
    Array([0.      , 0.841471], dtype=float32)
    >>> xp.sin(2)
    Array(0.9092974, dtype=float32, weak_type=True)
    """
    return unary(_SIN, x if type(x) is Array else operand(x, "sin"))


def sinc(x: Any, /) -> Array:
    """Normalized sinc: ``sin(πx) / (πx)``, and 1 at 0.

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
    >>> xp.sinc(xp.asarray([0.0, 0.5]))
    Array([1.        , 0.63661975], dtype=float32)
    """
    return drop_weak_unless_scalar(unary(_SINC, x if type(x) is Array else operand(x, "sinc")))


def sinh(x: Any, /) -> Array:
    """Hyperbolic sine.

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
    >>> xp.sinh(xp.asarray([0.0, 1.0]))
    Array([0.       , 1.1752012], dtype=float32)
    """
    return unary(_SINH, x if type(x) is Array else operand(x, "sinh"))


def tan(x: Any, /) -> Array:
    """Tangent.

    Parameters
    ----------
    x : Array or scalar
        Angles in radians.

    Returns
    -------
    Array
        The tangents.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tan(xp.asarray([0.0, 1.0]))
    Array([0.       , 1.5574077], dtype=float32)
    """
    return unary(_TAN, x if type(x) is Array else operand(x, "tan"))


def tanh(x: Any, /) -> Array:
    """Hyperbolic tangent.

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
    >>> xp.tanh(xp.asarray([0.0, 1.0]))
    Array([0.       , 0.7615942], dtype=float32)
    """
    return unary(_TANH, x if type(x) is Array else operand(x, "tanh"))


# The names that NumPy and JAX have for the same functions.
arccos: Final = acos
arccosh: Final = acosh
arcsin: Final = asin
arcsinh: Final = asinh
arctan2: Final = atan2
arctan: Final = atan
arctanh: Final = atanh
degrees: Final = rad2deg
radians: Final = deg2rad
