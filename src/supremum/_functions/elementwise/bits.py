"""Bits of integers, and logic on truth values."""

# Decorated definitions have no body, and a module exports nothing that it imports.
# mypy: disable-error-code="empty-body", no-implicit-reexport
# pyright: reportReturnType=false, reportUnsupportedDunderAll=false
from __future__ import annotations

import numpy as np

from supremum._core.array import Array, ArrayLike
from supremum._core.operators import OPERATIONS
from supremum._core.rules import Result
from supremum._functions.elementwise._calls import binary_ufunc, elementwise

__all__ = [
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "gcd", "invert", "lcm", "left_shift", "logical_and", "logical_not", "logical_or",
    "logical_xor", "right_shift",
]  # fmt: skip


@binary_ufunc(OPERATIONS["bitwise_and"], identity=-1)
def bitwise_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in both operands.

    Parameters
    ----------
    x1, x2 : array_like
        Integers or truth values.

    Returns
    -------
    Array
        The bits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_and(xp.asarray([12, 10]), 6)
    Array([4, 2], dtype=int32)
    """


@elementwise("biu", Result.COUNT, np.bitwise_count)
def bitwise_count(x: ArrayLike, /) -> Array:
    """Count the bits that are set in the absolute value.

    Parameters
    ----------
    x : array_like
        Integers or truth values.

    Returns
    -------
    Array
        The counts, uint8.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_count(xp.asarray([7, 8, -1]))
    Array([3, 1, 1], dtype=uint8)
    """


@elementwise(OPERATIONS["bitwise_invert"])
def bitwise_invert(x: ArrayLike, /) -> Array:
    """Invert all bits; for truth values, return the other one.

    Parameters
    ----------
    x : array_like
        Integers or truth values.

    Returns
    -------
    Array
        The bits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_invert(xp.asarray([0, 5], dtype="uint8"))
    Array([255, 250], dtype=uint8)
    """


@elementwise(OPERATIONS["bitwise_left_shift"])
def bitwise_left_shift(x: ArrayLike, y: ArrayLike, /) -> Array:
    """Shift the bits of `x` to the left, filling with zeros.

    Parameters
    ----------
    x, y : array_like
        The integers and by how many bits to shift them.

    Returns
    -------
    Array
        The shifted integers; 0 where all bits are shifted out.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_left_shift(xp.asarray([1, 3]), 2)
    Array([ 4, 12], dtype=int32)
    """


@binary_ufunc(OPERATIONS["bitwise_or"], identity=0)
def bitwise_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in either operand.

    Parameters
    ----------
    x1, x2 : array_like
        Integers or truth values.

    Returns
    -------
    Array
        The bits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_or(xp.asarray([12, 10]), 6)
    Array([14, 14], dtype=int32)
    """


@elementwise(OPERATIONS["bitwise_right_shift"])
def bitwise_right_shift(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Shift the bits of `x1` to the right, filling with copies of the sign bit.

    Parameters
    ----------
    x1, x2 : array_like
        The integers and by how many bits to shift them.

    Returns
    -------
    Array
        The shifted integers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_right_shift(xp.asarray([8, -8]), 2)
    Array([ 2, -2], dtype=int32)
    """


@binary_ufunc(OPERATIONS["bitwise_xor"], identity=0)
def bitwise_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Return the bits that are set in exactly one operand.

    Parameters
    ----------
    x1, x2 : array_like
        Integers or truth values.

    Returns
    -------
    Array
        The bits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.bitwise_xor(xp.asarray([12, 10]), 6)
    Array([10, 12], dtype=int32)
    """


@elementwise("iu", Result.SAME, np.gcd, error=ValueError, strong_arrays="iu")
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Compute the greatest common divisor.

    Parameters
    ----------
    x1, x2 : array_like
        Integers.

    Returns
    -------
    Array
        The divisors, not negative.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.gcd(xp.asarray([12, 18]), 8)
    Array([4, 2], dtype=int32)
    """


@elementwise("iu", Result.SAME, np.lcm, error=ValueError, strong_arrays="iu")
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """Compute the least common multiple.

    Parameters
    ----------
    x1, x2 : array_like
        Integers.

    Returns
    -------
    Array
        The multiples, not negative.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.lcm(xp.asarray([4, 6]), 10)
    Array([20, 30], dtype=int32)
    """


@binary_ufunc("biufc", Result.PREDICATE, np.logical_and, identity=True)
def logical_and(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Test whether both operands are true.

    Parameters
    ----------
    x1, x2 : array_like
        Numbers; whatever is not zero is true, NaN too.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logical_and(xp.asarray([True, False]), xp.asarray([True, True]))
    Array([ True, False], dtype=bool)
    """


@elementwise("biufc", Result.PREDICATE, np.logical_not)
def logical_not(x: ArrayLike, /) -> Array:
    """Test whether the operand is not true.

    Parameters
    ----------
    x : array_like
        Numbers; whatever is not zero is true, NaN too.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logical_not(xp.asarray([True, False]))
    Array([False,  True], dtype=bool)
    """


@binary_ufunc("biufc", Result.PREDICATE, np.logical_or, identity=False)
def logical_or(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Test whether either operand is true.

    Parameters
    ----------
    x1, x2 : array_like
        Numbers; whatever is not zero is true, NaN too.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logical_or(xp.asarray([True, False]), xp.asarray([False, False]))
    Array([ True, False], dtype=bool)
    """


@binary_ufunc("biufc", Result.PREDICATE, np.logical_xor, identity=False)
def logical_xor(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Test whether exactly one operand is true.

    Parameters
    ----------
    x1, x2 : array_like
        Numbers; whatever is not zero is true, NaN too.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.logical_xor(xp.asarray([True, False]), xp.asarray([True, True]))
    Array([False,  True], dtype=bool)
    """


# NumPy's and JAX's names of the same functions.
bitwise_not = bitwise_invert
invert = bitwise_invert
left_shift = bitwise_left_shift
right_shift = bitwise_right_shift
