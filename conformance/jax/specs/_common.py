"""Dtypes and sample operands that the specifications share."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.jax.calls import Coded, arr, dtype_named, ml_dtypes_kind, weak

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
INTEGERS = [*UNSIGNED, *SIGNED]
FLOATS = ["bfloat16", "float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
COMMON = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
NARROW = ["float8_e4m3fn", "float8_e5m2", "int4", "uint4"]
#: One dtype of each kind, for functions whose other options matter more.
FEW = ["bool", "uint8", "int32", "bfloat16", "float32", "complex64"]
MOST = ["bool", "uint8", "int8", "int32", "int64", "uint64", "bfloat16", "float16", "float32", "float64", "complex64"]

_SPECIAL = [0.0, -0.0, 1.5, -2.75, float("nan"), float("inf"), float("-inf"), 3.0]
_SPECIAL_RIGHT = [2.0, -1.5, 0.0, -0.0, 1.0, 3.0, -2.0, 0.5]


def kind(dtype: str) -> str:
    """Return the kind of a dtype: b, u, i, f or c."""
    return ml_dtypes_kind(dtype_named(dtype))


def _integer_limits(dtype: str) -> tuple[int, int]:
    bits = int(dtype.lstrip("uint"))
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def special(dtype: str, side: str = "left") -> Coded:
    """Return eight elements with every special value of the dtype, for the left or the right operand of an operator."""
    left = side == "left"
    sort = kind(dtype)
    if sort == "b":
        return arr(dtype, [0, 1, 0, 1, 1, 0, 1, 1] if left else [1, 1, 0, 0, 1, 0, 1, 0])
    if sort in "iu":
        low, high = _integer_limits(dtype)
        sign = -1 if sort == "i" else 1
        values = [0, 1, sign, 3, 7 * sign, 7, low, high] if left else [3, sign, 0, 2, 3 * sign, 7, 1, high]
        return arr(dtype, np.array(values, dtype=object))
    if sort == "f":
        return arr(dtype, _SPECIAL if left else _SPECIAL_RIGHT)
    inf, nan = float("inf"), float("nan")
    numbers = [0j, 1 + 2j, -1.5 - 0.5j, 2j, -3 + 0j, complex(inf, 0), complex(nan, 1), 0.5 + 1j]
    others = [2 + 1j, 1j, 1 - 1j, -2 + 0j, 0.5 + 0.5j, 1 + 0j, 2 + 0j, -1 + 3j]
    return arr(dtype, numbers if left else others)


def sample(dtype: str, shape: tuple[int, ...] | int = 4, start: int = 0) -> Coded:
    """Return ordinary elements: small, of both signs if the dtype is signed, and distinct if it has enough values."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = int(np.prod(shape))
    steps = np.arange(start, start + size)
    scattered = (steps * 7 + 3) % 11
    sort = kind(dtype)
    if sort == "b":
        return arr(dtype, scattered % 3 != 0, shape)
    if sort == "u":
        return arr(dtype, scattered, shape)
    if sort == "i":
        return arr(dtype, scattered - 4, shape)
    real = (scattered - 4) / 2 + 0.25
    if sort == "f":
        return arr(dtype, real, shape)
    return arr(dtype, real + 1j * ((steps * 5 + 1) % 7 - 3) / 2, shape)


def positive(dtype: str, shape: tuple[int, ...] | int = 4) -> Coded:
    """Return positive elements."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = int(np.prod(shape))
    return arr(dtype, (np.arange(size) * 5 % 7 + 1) * (1 if kind(dtype) in "biu" else 0.5), shape)


def mask(shape: tuple[int, ...] | int = 4) -> Coded:
    """Return a boolean array with True and False."""
    shape = (shape,) if isinstance(shape, int) else shape
    return arr("bool", np.arange(int(np.prod(shape))) % 3 != 1, shape)


Call = list[Any]


#: Arguments other than arrays: Python scalars, weak and 0-d arrays, NumPy's arrays and scalars, and objects to refuse.
def odd_arguments() -> list[Any]:
    """Return one argument of each of these kinds."""
    return [
        True, 2, -3, 0, 2.5, -0.5, 1 + 2j, 2**31, 2**63, 2**64,
        weak(2), weak(-0.5), weak(1 + 2j), weak([1, 2, 3]), weak([0.5, 1.5]),
        arr("int8", 3), arr("float32", 0.25), arr("bool", True), arr("float32", []), arr("int32", np.zeros((0, 3))),
        np.array([1.0, 2.0]), np.array([1, 2]), np.float32(0.5), np.int64(2), np.float64(0.5), np.array([True, False]),
        [1.0, 2.0], (1, 2), [], None, "a", [[1, 2], [3, 4]],
    ]  # fmt: skip
