"""Products, polynomials, interpolation and statistics, of floats."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum._kernels.order import put_in_place

_HALF: Final = np.float32(0.5)


def real(z: Buffer) -> Buffer:
    """Return a copy of the real part."""
    return z.real.copy()


def imag(z: Buffer) -> Buffer:
    """Return a copy of the imaginary part."""
    return z.imag.copy()


def angle(z: Buffer) -> Any:
    """Compute the angle of complex numbers."""
    return np.arctan2(z.imag, z.real)


# -- products -----------------------------------------------------------------------------------------------------------------


def inner(a: Buffer, b: Buffer) -> Any:
    """Sum the products of two vectors."""
    return a.dot(b) if a.ndim == b.ndim == 1 else NotImplemented


def matvec(a: Buffer, b: Buffer) -> Any:
    """Multiply a matrix with a vector."""
    return a.dot(b) if a.ndim == 2 and b.ndim == 1 and _are_whole(a, b) else NotImplemented


def vecmat(a: Buffer, b: Buffer) -> Any:
    """Multiply a vector with a matrix."""
    return a.dot(b) if a.ndim == 1 and b.ndim == 2 and _are_whole(a, b) else NotImplemented


def _are_whole(a: Buffer, b: Buffer) -> bool:
    """Return whether `dot` and `matmul` round alike: of other layouts, one of them copies what the other reads in place."""
    return a.flags.c_contiguous and b.flags.c_contiguous


def tensordot(a: Buffer, b: Buffer, axes: int = 2) -> Any:
    """Sum products over the last axes of one buffer and the first ones of another."""
    if type(axes) is not int or not 0 < axes <= min(a.ndim, b.ndim) or a.shape[a.ndim - axes :] != b.shape[:axes]:
        return NotImplemented
    length = math.prod(b.shape[:axes])
    product = np.matmul(a.reshape(-1, length), b.reshape(length, -1))
    return product.reshape(a.shape[: a.ndim - axes] + b.shape[axes:])


def cross(a: Buffer, b: Buffer) -> Any:
    """Compute the cross products of vectors with three elements along the last axis."""
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        return NotImplemented
    x, y = a.T, b.T
    parts = x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]
    out = np.empty((*parts[0].shape[::-1], 3), a.dtype)
    for i in range(3):
        out[..., i] = parts[i].T
    return out


# -- polynomials --------------------------------------------------------------------------------------------------------------


def polyadd(a: Buffer, b: Buffer) -> Any:
    """Add two polynomials of one length."""
    return a + b if a.shape == b.shape and a.ndim == 1 else NotImplemented


def polysub(a: Buffer, b: Buffer) -> Any:
    """Subtract a polynomial from another one of the same length."""
    return a - b if a.shape == b.shape and a.ndim == 1 else NotImplemented


def polyval(p: Buffer, x: Buffer) -> Buffer:
    """Evaluate a polynomial, or several whose coefficients are along the first axis."""
    value = np.zeros(x.shape if p.ndim == 1 else np.broadcast_shapes(p.shape[1:], x.shape), x.dtype)
    for coefficient in p if value.size else ():  # there may be any number that are empty
        value *= x
        value += coefficient
    return value


@lru_cache(maxsize=64)
def falling(count: int, times: int, dtype: np.dtype[Any]) -> Buffer:
    """Return the factors of the coefficients in the derivative of a polynomial with `count` coefficients."""
    powers = np.arange(count - 1, times - 1, -1)
    return np.asarray((powers[:, None] - np.arange(times)).astype(dtype).prod(1), dtype)


def polyder(p: Buffer, times: int = 1) -> Any:
    """Differentiate a polynomial a number of times."""
    if p.ndim != 1 or type(times) is not int or times < 1:
        return NotImplemented
    return p[: max(p.size - times, 0)] * falling(p.size, times, p.dtype)


@lru_cache(maxsize=64)
def rising(count: int, times: int, dtype: np.dtype[Any]) -> Buffer:
    """Return the divisors of the coefficients, and of the constants, in the integral of a polynomial."""
    # A constant of integration is multiplied by the integrals that come after it only; the factors before are taken as 1.
    grid = np.arange(count + times)[None] - np.arange(times)[:, None]
    return np.asarray(np.maximum(1, grid).astype(dtype).prod(0)[::-1])


def polyint(p: Buffer, times: int = 1, constants: Buffer | None = None) -> Any:
    """Integrate a polynomial a number of times; the constants of integration are 0 by default."""
    if p.ndim != 1 or type(times) is not int or times < 1:
        return NotImplemented
    out = np.zeros(p.size + times, p.dtype)
    out[: p.size] = p
    if constants is not None:
        out[p.size :] = constants
    out /= rising(p.size, times, p.dtype)
    return out


# -- samples ------------------------------------------------------------------------------------------------------------------


def convolve(a: Buffer, v: Buffer, mode: Any = "full") -> Any:
    """Convolve two sequences."""
    return np.convolve(a, v, mode) if mode in ("full", "same", "valid") else NotImplemented


def correlate(a: Buffer, v: Buffer, mode: Any = "valid") -> Any:
    """Compute the cross-correlation of two sequences of real numbers."""
    return np.correlate(a, v, mode) if mode in ("full", "same", "valid") else NotImplemented


def trapezoid(y: Buffer) -> Any:
    """Integrate samples at a distance of 1 along the last axis."""
    return y.sum(-1) - _HALF * (y[..., 0] + y[..., -1])


def gradient(y: Buffer) -> Any:
    """Return differences with the neighbours."""
    if y.ndim != 1 or y.size < 2:
        return NotImplemented
    out = np.empty(y.shape, y.dtype)
    np.subtract(y[2:], y[:-2], out=out[1:-1])
    out[1:-1] *= _HALF
    out[0], out[-1] = y[1] - y[0], y[-1] - y[-2]
    return out


# -- quantiles ----------------------------------------------------------------------------------------------------------------


def quantile(x: Buffer, q: Any, *, middle: bool = False) -> Any:
    """Return the quantile of all elements at a fraction: between two neighbours, or in the middle of them.

    The position is rounded to the dtype of the fraction. NaN is refused.
    """
    last, rows = x.size - 1, x.flatten()
    if not 0 <= q <= 1:
        return NotImplemented
    position = q * type(q)(last)
    below, above = math.floor(position), math.ceil(position)
    put_in_place(rows, below, above, last)
    if math.isnan(rows[-1]):
        return NotImplemented
    low, high = rows[below], rows[above]
    if middle:
        return (low + high) * x.dtype.type(0.5)
    weight = x.dtype.type(position - type(q)(below))
    return low * (1 - weight) + high * weight


# -- powers ------------------------------------------------------------------------------------------------------------------


def powers(x: Buffer, count: int) -> Buffer:
    """Return the matrix of powers of a vector, the highest first, in float64."""
    out = np.empty((x.size, count))
    ascending = out[:, ::-1]
    ascending[:, 0] = 1
    if count > 1:
        ascending[:, 1:] = x[:, None]
        np.multiply.accumulate(ascending[:, 1:], axis=1, out=ascending[:, 1:])
    return out
