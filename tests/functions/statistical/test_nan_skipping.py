import math

import numpy as np
import pytest
from common import for_each

import supremum as xp

NAN = float("nan")
FLOATS = ["float32", "float64", "bfloat16", "float16", "float8_e4m3fn", "complex64"]


@for_each("name", FLOATS)
@for_each(
    "function, expected, of_nan_alone",
    [
        ("nansum", 6, 0), ("nanprod", 8, 1), ("nanmax", 4, NAN), ("nanmin", 2, NAN), ("nanmean", 3, NAN), ("nanvar", 1, NAN),
        ("nanstd", 1, NAN),
    ],
)  # fmt: skip
def test_nan_is_left_out(function, expected, of_nan_alone, name):
    x = xp.asarray([[2, NAN, 4], [NAN, NAN, NAN]]).astype(name)
    first, second = getattr(xp, function)(x, axis=1).tolist()
    assert first == expected
    assert second == of_nan_alone or (second != second and of_nan_alone != of_nan_alone)


@for_each("function", ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nancumsum"])
@for_each("name", ["int8", "uint8", "bool", "int32"])
def test_integers_as_without_nan(function, name):
    x = xp.asarray([1, 0, 1]).astype(name)
    plain = getattr(xp, function.replace("nan", ""))(x)
    result = getattr(xp, function)(x)
    assert result.tolist() == plain.tolist()
    assert result.dtype == plain.dtype


def test_cumulations():
    x = xp.asarray([2.0, NAN, 3.0], dtype="bfloat16")
    assert xp.nancumsum(x).tolist() == [2, 2, 5]
    assert xp.nancumprod(x).tolist() == [2, 2, 6]
    assert xp.nancumsum(xp.reshape(x, (3, 1)), axis=1).tolist() == [[2], [0], [3]]


def test_where_and_initial():
    x, mask = xp.asarray([NAN, 5.0, 1.0]), xp.asarray([True, False, True])
    assert float(xp.nansum(x, where=mask)) == 1
    assert float(xp.nanmax(x, where=mask, initial=-1)) == 1
    assert float(xp.nanmax(xp.asarray([NAN]), initial=-1)) == -1
    assert float(xp.nanmean(x, where=mask)) == 1
    assert math.isnan(float(xp.nanvar(x, where=mask, ddof=1)))
    assert float(xp.nanvar(x, mean=xp.asarray(3.0))) == 4


def test_dtype():
    x = xp.asarray([1.5, NAN, 2.5])
    assert xp.nansum(x, dtype="int32").tolist() == 3
    assert xp.nanprod(x, dtype="int32").tolist() == 2
    assert xp.nanmean(x, dtype="float64").dtype == "float64"
    with pytest.raises(TypeError, match="nanvar"):
        xp.nanvar(x, dtype="int32")


def test_infinities_are_numbers():
    assert float(xp.nanmax(xp.asarray([-math.inf, NAN]))) == -math.inf
    assert xp.nanmax(xp.asarray(np.array([-448.0, np.nan]), dtype="float8_e4m3fn")).tolist() == -448
