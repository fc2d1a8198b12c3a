"""Trigonometric and hyperbolic functions and their inverses, and conversions of angles."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

import numpy as np

from supremum._core.array import Array, ArrayLike
from supremum._core.rules import Result
from supremum._functions.elementwise._calls import elementwise, symmetric
from supremum._kernels import complex_numbers as z, pointwise as k

__all__ = [
    "acos", "acosh", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "asin", "asinh", "atan",
    "atan2", "atanh", "cos", "cosh", "deg2rad", "degrees", "hypot", "rad2deg", "radians", "sin", "sinc", "sinh", "tan",
    "tanh",
]  # fmt: skip
#: The slope of `sinc`; at 0 the first terms of its series, of which the slopes of higher orders are right too.
_SLOPE_OF_SINC = (
    "where(x == 0, x * (-(pi**2) / 3 + square(x) * (pi**4 / 30 - square(x) * (pi**6 / 840 - square(x) * (pi**8 / 45360)))),"
    " (cos(pi * x) - out) / where(x == 0, 1, x))"
)


@elementwise("biufc", Result.INEXACT, np.arccos, slope="-1 / sqrt(1 - square(x))")
def acos(x: ArrayLike, /) -> Array:
    """Compute the inverse cosine, in radians.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The angles, between 0 and π for real numbers; NaN beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.acos(xp.asarray([1.0, 0.0, -1.0])).round(4)
    Array([0.    , 1.5708, 3.1416], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.arccosh, slope="1 / sqrt(square(x) - 1)")
def acosh(x: ArrayLike, /) -> Array:
    """Compute the inverse hyperbolic cosine.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values; NaN for real numbers below 1.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.acosh(xp.asarray([1.0, 2.0])).round(4)
    Array([0.   , 1.317], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.arcsin, slope="1 / sqrt(1 - square(x))")
def asin(x: ArrayLike, /) -> Array:
    """Compute the inverse sine, in radians.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The angles, between −π/2 and π/2 for real numbers; NaN beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.asin(xp.asarray([0.0, 0.5, 1.0])).round(4)
    Array([0.    , 0.5236, 1.5708], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.arcsinh, slope="1 / sqrt(square(x) + 1)")
def asinh(x: ArrayLike, /) -> Array:
    """Compute the inverse hyperbolic sine.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.asinh(xp.asarray([0.0, 1.0])).round(4)
    Array([0.    , 0.8814], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.arctan, slope="1 / (1 + square(x))")
def atan(x: ArrayLike, /) -> Array:
    """Compute the inverse tangent, in radians.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The angles, between −π/2 and π/2 for real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atan(xp.asarray([0.0, 1.0, float("inf")])).round(4)
    Array([0.    , 0.7854, 1.5708], dtype=float32)
    """


@elementwise(
    "biufc",
    Result.INEXACT,
    np.arctan2,
    {"c": z.atan2},
    slope=("x2 / (square(x1) + square(x2))", "-x1 / (square(x1) + square(x2))"),
)
def atan2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the angle of the point (x2, x1), in radians, in the quadrant given by both signs.

    Parameters
    ----------
    x1, x2 : array_like
        The ordinates and the abscissas.

    Returns
    -------
    Array
        The angles, between −π and π.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atan2(xp.asarray([1.0, -1.0]), xp.asarray([-1.0, -1.0])).round(4)
    Array([ 2.3562, -2.3562], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.arctanh, {"c": z.atanh}, slope="1 / (1 + x) / (1 - x)")
def atanh(x: ArrayLike, /) -> Array:
    """Compute the inverse hyperbolic tangent.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values; NaN for real numbers beyond [−1, 1].

    Examples
    --------
    >>> import supremum as xp
    >>> xp.atanh(xp.asarray([0.0, 0.5, 1.0])).round(4)
    Array([0.    , 0.5493,    inf], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.cos, slope="-sin(x)")
def cos(x: ArrayLike, /) -> Array:
    """Compute the cosine.

    Parameters
    ----------
    x : array_like
        Angles in radians.

    Returns
    -------
    Array
        The cosines.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cos(xp.asarray([0.0, 1.0])).round(4)
    Array([1.    , 0.5403], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.cosh, slope="sinh(x)")
def cosh(x: ArrayLike, /) -> Array:
    """Compute the hyperbolic cosine.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cosh(xp.asarray([0.0, 1.0])).round(4)
    Array([1.    , 1.5431], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, k.deg2rad, strong_arrays="fc", slope="pi / 180")
def deg2rad(x: ArrayLike, /) -> Array:
    """Convert degrees to radians.

    Parameters
    ----------
    x : array_like
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


@elementwise(
    "biuf",
    Result.INEXACT,
    np.hypot,
    error=ValueError,
    strong_arrays="f",
    slope=symmetric("where(isinf(out), nan, where(out == 0, 0.5, x1 / where(out == 0, 1, out)))"),
)
def hypot(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute the length of the hypotenuse without intermediate overflow.

    Parameters
    ----------
    x1, x2 : array_like
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


@elementwise("biufc", Result.INEXACT, k.rad2deg, strong_arrays="fc", slope="180 / pi")
def rad2deg(x: ArrayLike, /) -> Array:
    """Convert radians to degrees.

    Parameters
    ----------
    x : array_like
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


@elementwise("biufc", Result.INEXACT, np.sin, slope="cos(x)")
def sin(x: ArrayLike, /) -> Array:
    """Compute the sine.

    Parameters
    ----------
    x : array_like
        Angles in radians.

    Returns
    -------
    Array
        The sines.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sin(xp.asarray([0.0, 1.0])).round(4)
    Array([0.    , 0.8415], dtype=float32)
    >>> xp.sin(2).round(4)
    Array(0.9093, dtype=float32, weak_type=True)
    """


@elementwise("biufc", Result.INEXACT, k.sinc, strong_arrays="fc", slope=_SLOPE_OF_SINC)
def sinc(x: ArrayLike, /) -> Array:
    """Compute the normalized sinc, ``sin(πx) / (πx)``, which is 1 at 0.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sinc(xp.asarray([0.0, 0.5])).round(4)
    Array([1.    , 0.6366], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.sinh, slope="cosh(x)")
def sinh(x: ArrayLike, /) -> Array:
    """Compute the hyperbolic sine.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.sinh(xp.asarray([0.0, 1.0])).round(4)
    Array([0.    , 1.1752], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.tan, {"c": z.tan}, slope="1 + square(out)")
def tan(x: ArrayLike, /) -> Array:
    """Compute the tangent.

    Parameters
    ----------
    x : array_like
        Angles in radians.

    Returns
    -------
    Array
        The tangents.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tan(xp.asarray([0.0, 1.0])).round(4)
    Array([0.    , 1.5574], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.tanh, {"c": z.tanh}, slope="(1 + out) * (1 - out)")
def tanh(x: ArrayLike, /) -> Array:
    """Compute the hyperbolic tangent.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.tanh(xp.asarray([0.0, 1.0])).round(4)
    Array([0.    , 0.7616], dtype=float32)
    """


# NumPy's and JAX's names of the same functions.
arccos = acos
arccosh = acosh
arcsin = asin
arcsinh = asinh
arctan2 = atan2
arctan = atan
arctanh = atanh
degrees = rad2deg
radians = deg2rad
