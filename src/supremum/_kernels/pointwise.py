"""Elementwise kernels that NumPy lacks, or for which it deviates from the standard's special values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import isfinite
from typing import Any, Final

import ml_dtypes
import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._kernels.casts import vdot

#: A dtype of powers of two and NaN only, without zero: a code of zero bits is the least power.
_WITHOUT_ZERO: Final = ml_dtypes.float8_e8m0fnu


def zeros(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> Buffer:
    """Return zeros; NaN in the dtype without zero."""
    return np.full(shape, np.nan, dtype) if dtype.type is _WITHOUT_ZERO else np.zeros(shape, dtype)


def unchanged(x: Buffer) -> Buffer:
    """Return a copy, for functions without effect on this kind."""
    return x.copy()


def always_false(x: Buffer) -> Buffer:
    """Return False for each element, for predicates that are never true for this kind."""
    return np.zeros(x.shape, np.bool_)


#: The kernels for integers and truth values of functions without effect on them, and of predicates that are false of them.
UNCHANGED: Final = dict.fromkeys("biu", unchanged)
FINITE: Final = dict.fromkeys("biu", always_false)


def is_below_zero(x: Buffer) -> Any:
    """Return the sign bit of signed integers."""
    return np.less(x, x.dtype.type(0))


def real(x: Buffer) -> Buffer:
    """Return a copy of the real part."""
    return x.real.copy()


def imag(x: Buffer) -> Buffer:
    """Return a copy of the imaginary part; zeros for real numbers."""
    return x.imag.copy() if x.dtype.kind == "c" else zeros(x.shape, x.dtype)


def floor_divide(a: Buffer, b: Buffer) -> Any:
    """Compute the floor of the quotient; with an infinite operand a signed zero or infinity instead of NumPy's -1 or NaN."""
    quotient = np.floor_divide(a, b)
    if _are_finite(a, b, quotient):
        return quotient
    return np.where(np.isinf(a) | np.isinf(b), np.floor(np.divide(a, b)), quotient)


def _are_finite(a: Buffer, b: Buffer, quotient: Buffer) -> bool:
    """Check with as few calls as possible whether all operands are finite, because small arrays pay for each one."""
    if a.shape == b.shape:
        return isfinite(vdot(a, b))
    if not b.ndim:
        return isfinite(b) and np.count_nonzero(np.isfinite(quotient)) == quotient.size
    return bool(np.count_nonzero(np.isfinite(a + b)) == quotient.size)


def _root(x: Buffer) -> Buffer:
    """Return the power of 0.5: of -0.0 it is 0.0, of -∞ it is ∞."""
    return np.sqrt(np.where(x == -np.inf, np.inf, x + x.dtype.type(0)))


#: Exponents whose powers are not left to NumPy's `power`.
_SHORT: Final[dict[float, Callable[[Buffer], Buffer]]] = {2: np.square, 1: np.positive, -1: np.reciprocal, 0.5: _root}
#: Exponents up to which numbers are multiplied.
_MULTIPLIED: Final = 64


def _powers_of_magnitudes(x: Buffer, b: Buffer) -> Buffer:
    """Return powers in float64; those of one whole number by multiplication."""
    size = abs(b.item()) if b.size == 1 else np.inf
    if not size <= _MULTIPLIED or size != int(size):
        return np.asarray(np.power(x, b.astype(np.float64)))
    result, rest = np.ones_like(x), int(size)
    while rest:
        if rest & 1:
            result = result * x
        x, rest = x * x, rest >> 1
    return np.asarray(1 / result if b.item() < 0 else result)


def powers_of_floats(a: Buffer, b: Buffer) -> Any:
    """Compute powers: squares, roots, reciprocals; of negative numbers powers of the magnitudes with a sign, in float64."""
    if not b.ndim and a.dtype == b.dtype and b.item() in _SHORT:
        return _SHORT[b.item()](a)
    if min(b.strides, default=0) < 0:
        b = b.copy()  # NumPy's loop rounds differently where elements lie backwards
    result = np.power(np.absolute(a), b)
    negative = np.signbit(a)
    if negative.any():
        if result.dtype == np.float32:
            wide = _powers_of_magnitudes(np.absolute(a).astype(np.float64), b)
            result = np.where(negative, wide.astype(np.float32), result)
        result = np.where(negative & (np.abs(np.fmod(b, 2)) == 1), -result, result)
        result = np.where((np.floor(b) != b) & (a < 0) & (a > -np.inf), np.nan, result)
    for exponent, function in _SHORT.items():
        chosen = b == exponent
        if chosen.any():
            result = np.where(chosen, function(np.asarray(a, result.dtype)), result)
    return result


def powers_of_integers(a: Buffer, b: Buffer) -> Any:
    """Compute integer powers with wrap-around; those of negative exponents are truncated towards zero."""
    if not b.ndim and b.item() == 2:
        return np.square(a)
    if b.dtype.kind == "i" and (b < 0).any():
        power = np.power(a, np.maximum(b, b.dtype.type(0)))
        odd = np.where(b % 2 == 0, a.dtype.type(1), a)
        return np.where(b >= 0, power, np.where(a == 1, a, np.where(a == -1, odd, a.dtype.type(0))))
    return np.power(a, b)


_native_power: Final[np.ufunc | None] = None if native is None else native.power
#: The same in one pass, if the extension module is there (and NumPy's loops of floats, which it calls).
integer_power: Final[Callable[[Buffer, Buffer], Any]] = _native_power or powers_of_integers
power: Final[Callable[[Buffer, Buffer], Any]] = (
    _native_power if _native_power is not None and "ff->f" in _native_power.types else powers_of_floats
)


def is_negative_infinity(x: Buffer) -> Any:
    """Return a mask of elements that are -∞."""
    return np.equal(x, _constant(-np.inf, x.dtype))


def is_positive_infinity(x: Buffer) -> Any:
    """Return a mask of elements that are +∞."""
    return np.equal(x, _constant(np.inf, x.dtype))


def nextafter(a: Buffer, b: Buffer) -> Any:
    """Return the neighbour of `a` towards `b`; NumPy's for float16 is wrong for zeros of different signs."""
    return np.where(a == b, b, np.nextafter(a, b))


def spacing(x: Buffer) -> Any:
    """Return the distance to the neighbour of greater magnitude, with the sign of `x` except in float16, as in JAX."""
    distance = np.spacing(x)
    # NumPy's has the sign of all but zeros, and those of ml_dtypes neither that of the largest number nor of NaN.
    return distance if x.itemsize == 2 or (x.itemsize > 2 and np.count_nonzero(x) == x.size) else np.copysign(distance, x)


@cache
def _constant(value: float, dtype: np.dtype[Any]) -> Buffer:
    """Return a number as NumPy multiplies by it fastest."""
    return np.array(value, dtype)


def deg2rad(x: Buffer) -> Any:
    """Convert degrees to radians."""
    return np.multiply(x, _constant(np.pi / 180, x.dtype))


def rad2deg(x: Buffer) -> Any:
    """Convert radians to degrees."""
    return np.multiply(x, _constant(180 / np.pi, x.dtype))


def sinc(x: Buffer) -> Any:
    """Compute sin(πx) / (πx), and 1 at 0."""
    angle = np.asarray(x * x.dtype.type(np.pi))
    found = np.asarray(np.sin(angle))
    found /= angle
    np.copyto(found, 1, where=x == 0)
    return found


def i0(x: Buffer) -> Any:
    """Compute the modified Bessel function of the first kind of order 0, in double precision."""
    block = 1 << 13  # so many that the polynomials' temporary arrays stay in the cache
    if x.size <= block or not x.flags.c_contiguous:
        return np.i0(x.astype(np.float64)).astype(x.dtype)
    found, flat = np.empty(x.shape, x.dtype), x.reshape(-1)
    parts = found.reshape(-1)
    for i in range(0, x.size, block):
        parts[i : i + block] = np.i0(flat[i : i + block].astype(np.float64))
    return found


def round_to_decimals(x: Buffer, decimals: int) -> Buffer:
    """Round to decimals; a number whose scaled value overflows has no decimals and is unchanged."""
    rounded = np.asarray(np.round(x, decimals))
    if decimals > 0 and not isfinite(vdot(rounded, rounded).real):
        np.copyto(rounded, x, where=np.isfinite(x) & ~np.isfinite(rounded))
    return rounded


def equal_keys(a: Buffer, b: Buffer) -> Buffer:
    """Compare keys for equality; NumPy's ufunc supports no structured dtypes."""
    return np.asarray((a["high"] == b["high"]) & (a["low"] == b["low"]))


def unequal_keys(a: Buffer, b: Buffer) -> Buffer:
    """Compare keys for inequality."""
    return np.asarray((a["high"] != b["high"]) | (a["low"] != b["low"]))
