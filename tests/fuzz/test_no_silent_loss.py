"""Conversion of values that do not fit: a test for each row of a table in docs/guarantees.md, a row for each test."""

import re
from pathlib import Path

import numpy as np
import pytest

import supremum as xp

PAGE = Path(__file__).parents[2] / "docs" / "guarantees.md"
NAN, INF = float("nan"), float("inf")


def of(dtype):
    return lambda *values: xp.asarray(list(values), dtype=dtype)


i8, u8, i32, i64, u64 = map(of, ("int8", "uint8", "int32", "int64", "uint64"))
f32, f64, c64 = map(of, ("float32", "float64", "complex64"))


def assigned(x, value):
    x[0] = value
    return x


def added(x, value):
    x += value
    return x


#: Rows of the page: the call, and its outcome: a dtype and values, an error, or both a warning and a result.
ROWS = {
    "`+ - *`, `-x`, `abs` of integers beyond the width": [
        (lambda: i8(127) + i8(1), ("int8", [-128])),
        (lambda: u8(0) - u8(1), ("uint8", [255])),
        (lambda: i8(100) * i8(2), ("int8", [-56])),
        (lambda: -i8(-128), ("int8", [-128])),
        (lambda: -u8(1), ("uint8", [255])),
        (lambda: abs(i8(-128)), ("int8", [-128])),
        (lambda: i8(100, 100) @ i8(100, 100), ("int8", 32)),
    ],
    "`//` and `%` of integers by zero": [
        (lambda: i8(5, -5) // i8(0, 0), ("int8", [0, 0])),
        (lambda: i8(5, -5) % i8(0, 0), ("int8", [0, 0])),
        (lambda: i8(-128) // i8(-1), ("int8", [-128])),
    ],
    "`/` of integers": [
        (lambda: i8(1, -1, 0) / i8(0, 0, 0), ("float32", [INF, -INF, NAN])),
        (lambda: i32(1) / i32(4), ("float32", [0.25])),
    ],
    "`**` of integers": [
        (lambda: i8(2) ** i8(7), ("int8", [-128])),
        (lambda: i8(2, 1, -1) ** i8(-1, -2, -3), ("int8", [0, 1, -1])),
    ],
    "`<<` and `>>` by the width or more": [
        (lambda: i8(1) << i8(8), ("int8", [0])),
        (lambda: i8(-1) >> i8(9), ("int8", [-1])),
        (lambda: u8(255) >> u8(8), ("uint8", [0])),
    ],
    "`sum`, `prod`, `cumulative_sum`, `cumulative_prod` of integers": [
        (lambda: xp.sum(u8(200, 200)), ("uint32", 400)),
        (lambda: xp.prod(i8(100, 100)), ("int32", 10000)),
        (lambda: xp.cumulative_sum(i8(100, 100)), ("int32", [100, 200])),
        (lambda: xp.sum(i32(2**31 - 1, 1)), ("int32", -(2**31))),
    ],
    "`cumsum`, `cumprod`, `@` of integers": [
        (lambda: xp.cumsum(i8(100, 100)), ("int8", [100, -56])),
        (lambda: xp.cumprod(i8(100, 100)), ("int8", [100, 16])),
    ],
    "A Python integer as an operand, beyond the array's dtype": [
        (lambda: i8(1) + 300, ("int8", [45])),
        (lambda: u8(1) + -1, ("uint8", [0])),
        (lambda: i8(1) + 2**64, OverflowError),
        (lambda: xp.where(xp.asarray([False]), i8(1), 300), ("int8", [44])),
    ],
    "Comparisons, of integers of any width and sign": [
        (lambda: i8(1) < 300, ("bool", [True])),
        (lambda: u64(2**63) > i64(-1), ("bool", [True])),
        (lambda: i8(1) < 2**70, ("bool", [True])),
    ],
    "`uint64` with a signed integer": [(lambda: u64(2**63) + i64(1), ("float32", [2.0**63]))],
    "A Python float beside 64-bit floats": [
        (lambda: f64(1) + 0.1, ("float64", [1.1])),
        (lambda: xp.where(xp.asarray([False]), f64(1), 0.1), ("float64", [0.1])),
        (lambda: xp.stack([f64(1)[0], 0.1]), ("float64", [1, 0.1])),
    ],
    "`asarray` of Python integers beyond the default integer": [
        (lambda: xp.asarray([2**40]), OverflowError),
        (lambda: xp.asarray([2**63]), OverflowError),
        (lambda: xp.asarray([2**63, -1]), OverflowError),
        (lambda: xp.asarray(2**64), OverflowError),
    ],
    "`asarray(value, dtype)` of a Python integer beyond the dtype": [
        (lambda: xp.asarray(300, dtype="int8"), OverflowError),
        (lambda: xp.asarray([-1], dtype="uint8"), OverflowError),
        (lambda: xp.asarray(1e10, dtype="int32"), OverflowError),
        (lambda: xp.asarray(10**400, dtype="float32"), OverflowError),
    ],
    "`asarray(value, dtype)` of a Python float for an integer dtype": [
        (lambda: xp.asarray([2.7, -2.7], dtype="int8"), ("int8", [2, -2])),
        (lambda: xp.asarray(NAN, dtype="int32"), ValueError),
        (lambda: xp.asarray(INF, dtype="int32"), OverflowError),
    ],
    "`asarray(value, dtype)` of a complex number for a real dtype": [(lambda: xp.asarray(1j, dtype="float32"), TypeError)],
    "`asarray` of nested lists of mixed types": [
        (lambda: xp.asarray([1, 2.5, True]), ("float32", [1, 2.5, 1])),
        (lambda: xp.asarray([np.float64(1), 0.1]), ("float64", [1, 0.1])),
        (lambda: xp.asarray([np.bool_(True), 300]), ("int32", [1, 300])),
        (lambda: xp.asarray([np.int8(1), 300]), OverflowError),
        (lambda: xp.asarray([np.float32(1), 2**24 + 1, 0.1, 1e300]), ("float32", [1, 2**24, np.float32(0.1), INF])),
        (lambda: xp.asarray([[1, 2], [3.5, 2j]]), ("complex64", [[1, 2], [3.5, 2j]])),
    ],
    "`astype` of a float beyond an integer dtype": [
        (lambda: f32(1e10, NAN, -5.5, -INF).astype("int8"), ("int8", [127, 0, -5, -128])),
        (lambda: f32(1e10, NAN, -5.5).astype("uint8"), ("uint8", [255, 0, 0])),
    ],
    "`astype` of an integer to a narrower one": [(lambda: i32(300).astype("int8"), ("int8", [44]))],
    "`astype` of a complex array to a real dtype": [
        (lambda: c64(1 + 2j).astype("float32"), (DeprecationWarning, "float32", [1])),
    ],
    "`astype` to fewer digits": [
        (lambda: i64(2**53 + 1).astype("float32"), ("float32", [2.0**53])),
        (lambda: f64(1e10).astype("float16"), ("float16", [INF])),
        (lambda: f32(1e10).astype("float8_e4m3fn"), ("float8_e4m3fn", [NAN])),
        (lambda: f32(1e10).astype("float4_e2m1fn"), ("float4_e2m1fn", [6])),
    ],
    "`x[key] = value` of a Python number": [
        (lambda: assigned(i8(0), 300), OverflowError),
        (lambda: assigned(i8(0), 1.5), TypeError),
        (lambda: assigned(f32(0), 1j), TypeError),
    ],
    "`x[key] = array`": [
        (lambda: assigned(i8(0), xp.asarray(300)), ("int8", [44])),
        (lambda: assigned(i8(0), f32(1.5)), TypeError),
        (lambda: assigned(f32(0), f64(0.1)[0]), ("float32", [np.float32(0.1)])),
    ],
    "`x.at[key].set(value)` and other updates": [
        (lambda: i8(0).at[0].set(300), ("int8", [44])),
        (lambda: i8(0).at[0].set(1.5), (FutureWarning, "int8", [1])),
        (lambda: f32(0).at[0].set(1j), (xp.ComplexWarning, "float32", [0])),
    ],
    "`x += y` and other in-place operators, if the result has another dtype": [
        (lambda: added(i8(1), 1.5), TypeError),
        (lambda: added(i8(1), i32(1)), TypeError),
        (lambda: added(f32(1), 1j), TypeError),
        (lambda: added(f32(1), f64(1)), TypeError),
    ],
    "`full(shape, value, dtype)`, `arange` beyond the dtype": [
        (lambda: xp.full(1, 300, dtype="int8"), ("int8", [44])),
        (lambda: xp.arange(254, 258, dtype="uint8"), ("uint8", [254, 255, 0, 1])),
    ],
    "`int(x)` of NaN or infinity": [(lambda: int(xp.asarray(NAN)), ValueError), (lambda: int(xp.asarray(INF)), OverflowError)],
    '64-bit dtypes in the mode `x64="off"`': [
        (lambda: off(lambda: xp.asarray([1], dtype="int64")), (UserWarning, "int32", [1])),
        (lambda: off(lambda: xp.asarray(2**40)), OverflowError),
    ],
}  # fmt: skip


def off(call):
    with xp.config.use(x64="off"):
        return call()


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.filterwarnings("ignore")
def test_it_becomes_what_the_page_says(row):
    for call, expected in ROWS[row]:
        if isinstance(expected, type):
            with pytest.raises(expected):
                call()
            continue
        *warning, dtype, values = expected
        if warning:
            with pytest.warns(warning[0]):
                result = call()
        else:
            result = call()
        assert str(result.dtype) == dtype
        assert np.array_equal(np.asarray(result.tolist()), np.asarray(values), equal_nan=True), result


def test_every_row_of_the_page_has_a_test():
    table = PAGE.read_text(encoding="utf-8").split("## Conversion of values that do not fit")[1].split("\n## ")[0]
    assert re.findall(r"^\| (.*?) \| .* \|$", table, re.MULTILINE)[1:] == list(ROWS)
