"""Kernels for complex functions for which NumPy loses digits or deviates from the standard's special values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native


def _from_parts(real: Any, imag: Any, dtype: np.dtype[Any]) -> Buffer:
    """Return complex numbers of parts; ``real + 1j * imag`` would turn infinities into NaN."""
    out = np.empty(np.shape(real), dtype)
    out.real = real
    out.imag = imag
    return out


def _in_double(kernel: Callable[[Buffer], Buffer]) -> Callable[[Buffer], Buffer]:
    """Wrap a kernel to compute complex64 in complex128."""

    def computed(z: Buffer) -> Buffer:
        return kernel(z.astype(np.complex128, copy=False)).astype(z.dtype, copy=False)

    return computed


@_in_double
def expm1(z: Buffer) -> Buffer:
    """Compute exp(z) - 1, which near 0 is expm1(a) cos(b) - 2 sin²(b/2) + i exp(a) sin(b)."""
    a, b = z.real, z.imag
    power: Buffer = np.asarray(np.exp(z))
    # Adding 0.0 turns -0.0 into 0.0, as the standard requires.
    near = np.expm1(a) * np.cos(b) - 2 * np.square(np.sin(b / 2)) + 0.0
    return _from_parts(np.where((a < 1) & np.isfinite(a) & np.isfinite(b), near, power.real - 1), power.imag, z.dtype)


@_in_double
def log1p(z: Buffer) -> Buffer:
    """Compute log(1 + z); near 0 its real part is log1p(2a + a² + b²) / 2, in extended precision as terms may cancel."""
    a, b = z.real, z.imag
    length = np.hypot(1 + a, b)
    x, y = a.astype(np.longdouble), b.astype(np.longdouble)
    near = np.log1p((x * (x + 2) + y * y).astype(np.float64)) / 2
    # Of numbers near the largest, the length overflows, and its logarithm does not.
    far = np.where(np.isinf(length), np.log(np.hypot(0.5 * a, 0.5 * b)) + math.log(2), np.log(length))
    real = np.where((length > 0.5) & (length < 2), near, far)
    return _from_parts(real, np.arctan2(b, 1 + a), z.dtype)


def square_of_parts(z: Buffer) -> Buffer:
    """Compute z² with the real part (a - b)(a + b), as JAX; a² - b² loses all digits near the diagonals, and overflows."""
    a, b = z.real, z.imag
    diagonal = (np.abs(a) == np.abs(b)) & np.isfinite(a)  # where one factor is 0, and the other one may overflow
    return _from_parts(np.where(diagonal, 0.0, (a - b) * (a + b)), 2 * (a * b), z.dtype)


#: The same in one pass, if the extension module is there.
square: Final[Callable[[Buffer], Buffer]] = native.complex_square if native is not None else square_of_parts


@_in_double
def sign(z: Buffer) -> Buffer:
    """Compute z / abs(z), and 0 for 0; scaled, so that abs(z) neither overflows nor loses digits."""
    a, b = z.real, z.imag
    exponent = -np.frexp(np.maximum(np.abs(a), np.abs(b)))[1]
    a, b = np.ldexp(a, exponent), np.ldexp(b, exponent)
    length = np.hypot(a, b)
    unknown = np.isnan(a) | np.isnan(b)
    real, imag = [np.where(unknown, np.nan, np.where(length == 0, 0.0, part / length)) for part in (a, b)]
    return _from_parts(real, imag, z.dtype)


def atanh(z: Buffer) -> Buffer:
    """Compute the inverse hyperbolic tangent in one quadrant, so that it is exactly odd and commutes with conjugation."""
    quadrant: Buffer = np.asarray(np.arctanh(_from_parts(np.abs(z.real), np.abs(z.imag), z.dtype)))
    return _from_parts(np.copysign(quadrant.real, z.real), np.copysign(quadrant.imag, z.imag), z.dtype)


def atan2(y: Buffer, x: Buffer) -> Any:
    """Compute -i log((x + iy) / sqrt(x² + y²)), as JAX does for complex operands."""
    direction = (x + _from_parts(-y.imag, y.real, y.dtype)) / np.sqrt(x * x + y * y)
    logarithm: Buffer = np.asarray(np.log(direction))
    return _from_parts(logarithm.imag, -logarithm.real, y.dtype)


def exp2(z: Buffer) -> Any:
    """Compute 2 to the power of z."""
    return np.exp(z * z.dtype.type(np.log(2)))


def logaddexp(x: Buffer, y: Buffer) -> Buffer:
    """Compute log(exp(x) + exp(y)): the operand of greater real part plus log1p of a small number; angle in [-π, π]."""
    swap = (x.real < y.real) | np.isnan(y.real)
    high, low = np.where(swap, y, x), np.where(swap, x, y)
    # Equal operands, infinite ones among them, differ by 0.
    total: Buffer = np.asarray(high + log1p(np.asarray(np.exp(np.where(high == low, 0, low - high)))))
    turns = np.round(total.imag / (2 * np.pi)) * (2 * np.pi)
    return _from_parts(total.real, total.imag - np.where(np.isfinite(turns), turns, 0), x.dtype)


def logaddexp2(x: Buffer, y: Buffer) -> Any:
    """Compute log2(2**x + 2**y)."""
    base = x.dtype.type(np.log(2))
    return logaddexp(x * base, y * base) / base


def tanh(z: Buffer) -> Buffer:
    """Compute the hyperbolic tangent; at an infinite real part it is ±1 with a zero that has the imaginary part's sign."""
    out: Buffer = np.asarray(np.tanh(z))
    limit = np.isinf(z.real) & np.isfinite(z.imag)
    out.imag[limit] = np.copysign(0, z.imag)[limit]
    return out


def tan(z: Buffer) -> Buffer:
    """Compute the tangent as -1j tanh(1j z)."""
    turned = tanh(_from_parts(-z.imag, z.real, z.dtype))
    return _from_parts(turned.imag, -turned.real, z.dtype)
