"""Logarithms of float32 numbers with the roundings of XLA, on which it depends which proposals a sampler accepts."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum.promotion._nodes import NODES, Node
from supremum.random.samplers import rounded

__all__ = ["log_as_xla", "log_gamma_as_xla", "multiply_add"]

_FLOAT32: Final = NODES["float32"]
#: The polynomial of Cephes for the logarithm of a number from [sqrt(1/2), sqrt(2)), in three parts.
_LOG: Final = (
    (7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1),
    (-1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1),
    (2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1),
)
#: The logarithm of 2, as a sum.
_LOG_2: Final = (np.float32(-2.12194440e-4), np.float32(0.693359375))
#: The rational approximation of log(1 + x) near 0: numerator and denominator, highest power first.
_LOG1P: Final = (
    (4.5270000862445199635215e-5, 4.9854102823193375972212e-1, 6.5787325942061044846969e0, 2.9911919328553073277375e1,
     6.0949667980987787057556e1, 5.7112963590585538103336e1, 2.0039553499201281259648e1),
    (1.0, 1.5062909083469192043167e1, 8.3047565967967209469434e1, 2.2176239823732856465394e2, 3.0909872225312059774938e2,
     2.1642788614495947685003e2, 6.0118660497603843919306e1),
)  # fmt: skip
#: Lanczos' approximation of the gamma function, with g = 7.
_LANCZOS: Final = (
    676.520368121885098567009190444019, -1259.13921672240287047156078755283, 771.3234287776530788486528258894,
    -176.61502916214059906584551354, 12.507343278686904814458936853, -0.13857109526572011689554707,
    9.984369578019570859563e-6, 1.50563273514931155834e-7,
)  # fmt: skip


def multiply_add(a: Buffer, b: Any, c: Any, node: Node = _FLOAT32) -> Buffer:
    """Return ``a * b + c`` as XLA rounds it to `node`: once for float16 and float32, where processors have an instruction."""
    if node is not node.wide:
        product = a * b if node.name == "float16" else rounded(a * b, node)
        return rounded(np.asarray(product + c), node)
    if a.dtype != np.float32:
        return np.asarray(a * b + c)
    return np.asarray((a.astype(np.float64) * b + c).astype(np.float32))


def _polynomial(coefficients: tuple[float, ...], x: Buffer) -> Buffer:
    total = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        total = multiply_add(total, x, np.float32(coefficient))
    return total


def log_as_xla(x: Buffer) -> Buffer:
    """Return the logarithm, of float32 numbers as XLA computes it."""
    if x.dtype != np.float32:
        return np.log(x)
    words = np.maximum(x, np.finfo(np.float32).tiny).view(np.int32)
    exponent = ((words >> 23) - 126).astype(np.float32)
    # The mantissa as a number from [1/2, 1), then as its distance from 1 after doubling the small ones.
    mantissa = ((words & ~np.int32(0x7F800000)) | np.int32(0x3F000000)).view(np.float32)
    small = mantissa < np.float32(0.707106781186547524)
    y = np.where(small, mantissa + (mantissa - 1), mantissa - 1)
    exponent -= small
    square = y * y
    cube = square * y
    parts = [multiply_add(multiply_add(y, np.float32(a), np.float32(b)), y, np.float32(c)) for a, b, c in _LOG]
    total = parts[0]
    for part in (*parts[1:], exponent * _LOG_2[0]):
        total = multiply_add(total, cube, part)
    result = multiply_add(exponent, _LOG_2[1], multiply_add(square, np.float32(-0.5), y) + total)
    usual = (x > 0) & (x < np.inf)
    return np.where(usual, result, np.log(np.where(usual, np.float32(1), x)))


def _log1p(x: Buffer) -> Buffer:
    """Return log(1 + x) of float32 numbers."""
    square = x * x
    ratio = square * (_polynomial(_LOG1P[0], x) / _polynomial(_LOG1P[1], x))
    near = multiply_add(x, ratio, multiply_add(square, np.float32(-0.5), x))
    return np.where(np.abs(x) < np.float32(2**0.5 - 1), near, log_as_xla(1 + x))


def log_gamma_as_xla(x: Buffer) -> Buffer:
    """Return the logarithm of the gamma function of float32 numbers from 1 on."""
    z = x - 1
    total = np.full_like(x, 0.99999999999980993227684700473478)
    for number, coefficient in enumerate(_LANCZOS, 1):
        total += np.float32(coefficient) / (z + np.float32(number))
    shifted = z + np.float32(7.5)
    logarithm = np.float32(np.log(7.5)) + _log1p(z * np.float32(1 / 7.5))  # XLA multiplies by reciprocals
    half = np.float32(np.log(2 * np.pi) / 2)
    return multiply_add((z + np.float32(0.5)) - shifted / logarithm, logarithm, half) + log_as_xla(total)
