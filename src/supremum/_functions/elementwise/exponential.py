"""Exponentials, logarithms and roots."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

import math

import numpy as np

from supremum._core.array import Array, ArrayLike
from supremum._core.rules import Result
from supremum._functions.elementwise._calls import binary_ufunc, elementwise, symmetric
from supremum._kernels import complex_numbers as z, pointwise as k

__all__ = ["cbrt", "exp", "exp2", "expm1", "i0", "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "sqrt"]


@elementwise("biuf", Result.INEXACT, np.cbrt, slope="out**-2 / 3")
def cbrt(x: ArrayLike, /) -> Array:
    """Compute the cube root.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    Array
        The real roots, with the signs of the numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.cbrt(xp.asarray([8.0, -27.0])).round(4)
    Array([ 2., -3.], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.exp, slope="out")
def exp(x: ArrayLike, /) -> Array:
    """Compute the power of e.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The exponentials.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.exp(xp.asarray([0.0, 1.0])).round(4)
    Array([1.    , 2.7183], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.exp2, {"c": z.exp2}, slope="0.6931471805599453 * out")
def exp2(x: ArrayLike, /) -> Array:
    """Compute the power of 2.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        ``2**x``.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.exp2(xp.asarray([3.0, 0.5])).round(4)
    Array([8.    , 1.4142], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.expm1, {"c": z.expm1}, slope="out + 1")
def expm1(x: ArrayLike, /) -> Array:
    """Compute ``exp(x) - 1``, accurately for small `x`.

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
    >>> with xp.printoptions(precision=4):
    ...     print(xp.expm1(xp.asarray([1e-10, 1.0])))
    [1.0000e-10 1.7183e+00]
    """


@elementwise("biuf", Result.INEXACT, k.i0, error=ValueError, slope="special.i1(x)")
def i0(x: ArrayLike) -> Array:
    """Compute the modified Bessel function of the first kind, of order 0.

    Parameters
    ----------
    x : array_like
        Real numbers.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.i0(xp.asarray([0.0, 1.0])).round(4)
    Array([1.    , 1.2661], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.log, slope="1 / x")
def log(x: ArrayLike, /) -> Array:
    """Compute the natural logarithm.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The logarithms; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log(xp.asarray([1.0, 10.0])).round(4)
    Array([0.    , 2.3026], dtype=float32)
    """


@elementwise("biufc", Result.STRONG, np.log10, slope="strong(1 / (x * 2.302585092994046))")
def log10(x: ArrayLike, /) -> Array:
    """Compute the logarithm to base 10.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The logarithms; NaN for negative real numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.log10(xp.asarray([1.0, 1000.0])).round(4)
    Array([0., 3.], dtype=float32)
    """


@elementwise("biufc", Result.INEXACT, np.log1p, {"c": z.log1p}, slope="1 / (1 + x)")
def log1p(x: ArrayLike, /) -> Array:
    """Compute ``log(1 + x)``, accurately for small `x`.

    Parameters
    ----------
    x

    Returns
    -------
    Array
        The logarithms; NaN for real numbers below −1.

    Examples
    --------
    >>> import supremum as xp
    >>> with xp.printoptions(precision=4):
    ...     print(xp.log1p(xp.asarray([1e-10, 1.0])))
    [1.0000e-10 6.9315e-01]
    """


@elementwise("biufc", Result.STRONG, np.log2, slope="strong(1 / (x * 0.6931471805599453))")
def log2(x: ArrayLike, /) -> Array:
    """Compute the logarithm to base 2.

    Parameters
    ----------
    x

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


@binary_ufunc(
    "biufc",
    Result.INEXACT,
    np.logaddexp,
    {"c": z.logaddexp},
    strong_arrays="c",
    identity=-math.inf,
    slope=symmetric("exp(where(x1 == inf, 0, x1) - where(out == inf, 0, out))"),
)
def logaddexp(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute ``log(exp(x1) + exp(x2))`` without intermediate overflow.

    Parameters
    ----------
    x1, x2

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logaddexp(xp.asarray([1000.0]), xp.asarray([1000.0])).round(2)
    Array([1000.69], dtype=float32)
    """


@binary_ufunc(
    "biufc",
    Result.STRONG,
    np.logaddexp2,
    {"c": z.logaddexp2},
    identity=-math.inf,
    slope=symmetric("exp2(where(x1 == inf, 0, x1) - where(out == inf, 0, out))"),
)
def logaddexp2(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Compute ``log2(2**x1 + 2**x2)`` without intermediate overflow.

    Parameters
    ----------
    x1, x2

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


@elementwise("biufc", Result.INEXACT, np.sqrt, slope="0.5 / out")
def sqrt(x: ArrayLike, /) -> Array:
    """Compute the square root.

    Parameters
    ----------
    x

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
