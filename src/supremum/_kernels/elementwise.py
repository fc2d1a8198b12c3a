"""Elementwise kernels where NumPy has none or deviates from the standard's special values."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "always_false", "expm1_complex", "floor_divide", "floor_divide_complex", "imag", "integer_power", "is_below_zero", "real",
    "remainder", "round_to_decimals", "sign_complex", "unchanged",
]  # fmt: skip

Buffer = np.ndarray[Any, Any]


def unchanged(x: Buffer) -> Buffer:
    """Give a copy, for functions that mean nothing for this kind."""
    return x.copy()


def always_false(x: Buffer) -> Buffer:
    """Answer a question that is never true for this kind."""
    return np.zeros(x.shape, np.bool_)


def is_below_zero(x: Buffer) -> Any:
    """Sign bit of a signed integer."""
    return np.less(x, x.dtype.type(0))


def real(x: Buffer) -> Buffer:
    """Real part, as a copy."""
    return x.real.copy()


def imag(x: Buffer) -> Buffer:
    """Imaginary part, as a copy; zero for real numbers."""
    return x.imag.copy() if x.dtype.kind == "c" else np.zeros(x.shape, x.dtype)


def floor_divide(a: Buffer, b: Buffer) -> Any:
    """Floor of the quotient, with the standard's infinities and signed zeros where NumPy gives NaN."""
    quotient = np.floor_divide(a, b)
    # NumPy gives NaN for a finite number over an infinity of the other sign ... and for infinity over a finite number.
    exact = np.divide(a, b)
    plain = np.isfinite(a) & np.isfinite(b) & (b != 0)
    return np.where(plain, quotient, np.floor(exact))


def floor_divide_complex(a: Buffer, b: Buffer) -> Any:
    """Floor of the quotient's real part, which is what JAX answers."""
    quotient = np.divide(a, b)
    return np.floor(quotient.real) + 0j


def remainder(a: Buffer, b: Buffer) -> Any:
    """Remainder with the divisor's sign."""
    return np.remainder(a, b)


def integer_power(a: Buffer, b: Buffer) -> Any:
    """Integer power with wrap-around; a negative exponent gives the inverse truncated towards zero."""
    if b.dtype.kind == "i" and (b < 0).any():
        power = np.power(a, np.maximum(b, b.dtype.type(0)))
        odd = np.where(b % 2 == 0, a.dtype.type(1), a)
        return np.where(b >= 0, power, np.where(a == 1, a, np.where(a == -1, odd, a.dtype.type(0))))
    return np.power(a, b)


def sign_complex(z: Buffer) -> Any:
    """Direction of a complex number, 0 for 0."""
    return np.sign(z)


def expm1_complex(z: Buffer) -> Any:
    """Exponential minus one."""
    return np.expm1(z)


def round_to_decimals(x: Buffer, decimals: int) -> Buffer:
    """Round to decimals; a number whose scaled value overflows has none and stays."""
    with np.errstate(all="ignore"):
        rounded = np.asarray(np.round(x, decimals))
    return np.where(np.isfinite(x) & ~np.isfinite(rounded), x, rounded) if decimals > 0 else rounded
