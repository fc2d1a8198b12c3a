"""Bits of integers, and logic on truth values."""

from __future__ import annotations

from typing import Any, Final

from supremum._core.array import Array, binary, unary
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, UNARY
from supremum._functions.elementwise._calls import binary_ufunc
from supremum._functions.elementwise._operands import apply_binary, drop_weak_unless_scalar

__all__ = [
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or",
    "bitwise_right_shift", "bitwise_xor", "gcd", "invert", "lcm", "left_shift", "logical_and", "logical_not",
    "logical_or", "logical_xor", "right_shift",
]  # fmt: skip

_BITWISE_AND: Final = BINARY["bitwise_and"]
_BITWISE_COUNT: Final = UNARY["bitwise_count"]
_BITWISE_INVERT: Final = UNARY["bitwise_invert"]
_BITWISE_LEFT_SHIFT: Final = BINARY["bitwise_left_shift"]
_BITWISE_OR: Final = BINARY["bitwise_or"]
_BITWISE_RIGHT_SHIFT: Final = BINARY["bitwise_right_shift"]
_BITWISE_XOR: Final = BINARY["bitwise_xor"]
_GCD: Final = BINARY["gcd"]
_LCM: Final = BINARY["lcm"]
_LOGICAL_AND: Final = BINARY["logical_and"]
_LOGICAL_NOT: Final = UNARY["logical_not"]
_LOGICAL_OR: Final = BINARY["logical_or"]
_LOGICAL_XOR: Final = BINARY["logical_xor"]


@binary_ufunc(-1)
def bitwise_and(x1: Any, x2: Any, /) -> Array:
    """Bits that both operands have.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_BITWISE_AND, x1, x2)


def bitwise_count(x: Any, /) -> Array:
    """Number of bits that are set, of the absolute value.

    Parameters
    ----------
    x : Array or scalar
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
    return unary(_BITWISE_COUNT, x if type(x) is Array else operand(x, "bitwise_count"))


def bitwise_invert(x: Any, /) -> Array:
    """Inverted bits; the other truth value.

    Parameters
    ----------
    x : Array or scalar
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
    return unary(_BITWISE_INVERT, x if type(x) is Array else operand(x, "bitwise_invert"))


def bitwise_left_shift(x: Any, y: Any, /) -> Array:
    """Bits of `x` shifted to the left, zeros shifted in.

    Parameters
    ----------
    x, y : Array or scalar
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
    return (
        binary(_BITWISE_LEFT_SHIFT, x, y) if type(x) is Array and type(y) is Array else apply_binary(_BITWISE_LEFT_SHIFT, x, y)
    )


@binary_ufunc(0)
def bitwise_or(x1: Any, x2: Any, /) -> Array:
    """Bits that either operand has.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_BITWISE_OR, x1, x2)


def bitwise_right_shift(x1: Any, x2: Any, /) -> Array:
    """Bits of `x1` shifted to the right, copies of the sign bit shifted in.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return (
        binary(_BITWISE_RIGHT_SHIFT, x1, x2)
        if type(x1) is Array and type(x2) is Array
        else apply_binary(_BITWISE_RIGHT_SHIFT, x1, x2)
    )


@binary_ufunc(0)
def bitwise_xor(x1: Any, x2: Any, /) -> Array:
    """Bits that one operand has and the other has not.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_BITWISE_XOR, x1, x2)


def gcd(x1: Any, x2: Any) -> Array:
    """Greatest common divisor.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return drop_weak_unless_scalar(
        binary(_GCD, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_GCD, x1, x2)
    )


def lcm(x1: Any, x2: Any) -> Array:
    """Least common multiple.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return drop_weak_unless_scalar(
        binary(_LCM, x1, x2) if type(x1) is Array and type(x2) is Array else apply_binary(_LCM, x1, x2)
    )


@binary_ufunc(True)
def logical_and(x1: Any, x2: Any, /) -> Array:
    """Whether both operands are true.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_LOGICAL_AND, x1, x2)


def logical_not(x: Any, /) -> Array:
    """Whether the operand is not true.

    Parameters
    ----------
    x : Array or scalar
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
    return unary(_LOGICAL_NOT, x if type(x) is Array else operand(x, "logical_not"))


@binary_ufunc(False)
def logical_or(x1: Any, x2: Any, /) -> Array:
    """Whether either operand is true.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_LOGICAL_OR, x1, x2)


@binary_ufunc(False)
def logical_xor(x1: Any, x2: Any, /) -> Array:
    """Whether one operand is true and the other is not.

    Parameters
    ----------
    x1, x2 : Array or scalar
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
    return apply_binary(_LOGICAL_XOR, x1, x2)


# The names that NumPy and JAX have for the same functions.
bitwise_not: Final = bitwise_invert
invert: Final = bitwise_invert
left_shift: Final = bitwise_left_shift
right_shift: Final = bitwise_right_shift
