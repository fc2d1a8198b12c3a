"""Printing options are NumPy's; text is JAX's, except that it always includes the dtype."""

import re

import numpy as np
import pytest
from common import for_each

import supremum as xp


@pytest.fixture(autouse=True)
def _options_stay():
    with np.printoptions():
        yield


def test_options_are_numpys():
    xp.set_printoptions(precision=3)
    assert xp.get_printoptions()["precision"] == np.get_printoptions()["precision"] == 3
    with xp.printoptions(precision=1):
        assert str(xp.asarray([1.25])) == "[1.2]"
    assert str(xp.asarray([1.2346])) == "[1.235]"


def test_array_repr_and_str():
    x = xp.asarray([1.23456789, 1e-12])
    assert xp.array_repr(x) == repr(x)
    assert xp.array_str(x) == str(x)
    assert xp.array_repr(x, precision=2, suppress_small=True) == "Array([1.23, 0.  ], dtype=float32)"
    assert xp.array_str(x, precision=2, suppress_small=True) == "[1.23 0.  ]"
    assert xp.array_str(xp.arange(10), max_line_width=12) == "[0 1 2 3 4\n 5 6 7 8 9]"
    assert xp.array_repr(xp.asarray(2)) == "Array(2, dtype=int32, weak_type=True)"
    assert xp.array_str(xp.asarray([1, 2], dtype="bfloat16")) == "[1 2]"


def test_numpy_arrays_print_too():
    assert xp.array_str(np.ones(2)) == "[1. 1.]"
    assert xp.array_repr(np.float32(1)) == "Array(1., dtype=float32)"


@pytest.mark.parametrize("function", [xp.array_repr, xp.array_str])
def test_lists_are_refused(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}: an array is required, got list"):
        function([1, 2])


@pytest.mark.parametrize(
    ("values", "dtype", "text"),
    [
        ([[0.041, 1.5], [100.3, 2]], "bfloat16", "[[0.041   1.5]\n [100.5     2]]"),
        ([1.005, 3e38, 1e-30], "bfloat16", "[ 1.01 3e+38 1e-30]"),
        ([-0.0, 28, 0.3125], "float6_e3m2fn", "[ -0  28 0.3]"),
        ([float("nan"), float("inf"), -float("inf"), 1], "float8_e5m2", "[ nan  inf -inf    1]"),
        ([[1, -7], [3, 2]], "int4", "[[ 1 -7]\n [ 3  2]]"),
        (0.041, "bfloat16", "0.041"),
    ],
)
def test_narrow_dtypes_in_columns(values, dtype, text):
    """The least digits that round to the number: 100.3 is 100.5 as bfloat16, whose neighbours are 100 and 101."""
    x = xp.asarray(values, dtype=dtype)
    assert str(x) == text
    read = np.asarray([float(word) for word in text.replace("[", " ").replace("]", " ").split()]).astype(x.dtype)
    assert read.tobytes() == np.asarray(x).tobytes()


def test_options_for_narrow_dtypes():
    x = xp.asarray([0.0412345, 1.5, 123456.0, float("nan")], dtype="bfloat16")
    with xp.printoptions(precision=3, nanstr="-"):
        assert str(x) == "[ 0.041    1.5 123392      -]"
    with xp.printoptions(precision=2):
        assert str(x[0]) == "0.04"
    with xp.printoptions(threshold=4, edgeitems=1):
        assert str(xp.full((3, 9), 0.125, dtype="bfloat16")) == "[[0.125 ... 0.125]\n ...\n [0.125 ... 0.125]]".replace(
            "...\n [", "...\n [", 1
        )
    with xp.printoptions(formatter={"all": lambda value: f"<{value}>"}):
        assert str(x[1:2]) == "[<1.5>]"


def test_the_last_line_has_room():
    assert repr(xp.arange(11.0) * 1.5).endswith("15. ],\n      dtype=float32)")


@for_each("dtype", ["bool", "int4", "int32", "uint64", "bfloat16", "float8_e4m3fn", "float16", "float64"])
def test_formats_of_arrays_without_axes(dtype):
    assert f"{xp.asarray(1, dtype=dtype):.2f}" == "1.00"


def cells(html):
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]


def test_html_of_small_arrays():
    html = xp.asarray([[0.041, 1.5], [100.3, 2]], dtype="bfloat16")._repr_html_()
    assert cells(html) == [["0.041", "1.5"], ["100.5", "2"]]
    assert "Array of bfloat16, shape (2, 2)" in html
    assert "background" not in html
    html = (xp.asarray(2) * xp.arange(3))._repr_html_()
    assert cells(html) == [["0", "2", "4"]]
    assert "weak" not in html
    assert "Array of float32, weak_type=True, shape (1,)" in xp.reshape(xp.asarray(1.5), (1,))._repr_html_()


def test_html_of_large_arrays():
    html = xp.reshape(xp.arange(900.0), (30, 30))._repr_html_()
    rows = cells(html)
    assert (len(rows), len(rows[0])) == (13, 13)
    assert rows[0][:2] + rows[0][6:8] == ["0.", "1.", "\u2026", "24."]
    assert rows[12][12] == "899."
    shades = [float(found) for found in re.findall(r"rgba\(66,133,244,([\d.]+)\)", html)]
    assert shades[0] == 0.0
    assert max(shades) == shades[-1] == 0.5
    assert "nan" in xp.full((8, 8), xp.nan)._repr_html_()


@pytest.mark.parametrize("x", [xp.asarray(1), xp.ones((2, 2, 2)), xp.zeros(0), xp.random.split(xp.random.key(0))])
def test_other_arrays_have_no_html(x):
    assert x._repr_html_() is None
