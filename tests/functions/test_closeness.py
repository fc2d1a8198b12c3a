"""Closeness functions, compared with JAX 0.10.2."""

import expressions
import numpy as np
import pytest
from behaviour import by_definition
from common import for_each
from hypothesis import given, settings, strategies as st

import supremum as xp


@for_each("case", expressions.cases("closeness"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


@settings(max_examples=200)
@given(
    a=st.floats(width=32) | st.sampled_from([0.0, 1.0, np.inf, -np.inf, np.nan]),
    b=st.floats(width=32) | st.sampled_from([0.0, 1.0, np.inf, -np.inf, np.nan]),
    rtol=st.sampled_from([0.0, 1e-5, 0.5]),
    atol=st.sampled_from([0.0, 1e-8, 1.0]),
    equal_nan=st.booleans(),
)
def test_isclose_as_numpy(a, b, rtol, atol, equal_nan):
    x, y = np.float64(a), np.float64(b)
    ours = xp.isclose(xp.asarray(x), xp.asarray(y), rtol=np.float64(rtol), atol=np.float64(atol), equal_nan=equal_nan)
    assert bool(ours) == np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)


def test_narrow_dtypes_are_rounded_before_they_are_compared():
    assert bool(xp.isclose(xp.float8_e5m2(1), 1.1))
    assert not bool(xp.isclose(xp.bfloat16(1), 1.004))


@pytest.mark.parametrize("dtype", ["int4", "uint64", "bfloat16", "float8_e4m3fn", "complex64", "bool"])
def test_arrays_equal_themselves(dtype):
    x = xp.asarray([1, 0, 1], dtype=dtype)
    assert bool(xp.array_equal(x, x))
    assert bool(xp.allclose(x, x))
    assert not bool(xp.array_equal(x, ~x if dtype == "bool" else x + x))


def test_shapes_that_do_not_fit():
    for function in (xp.isclose, xp.allclose):
        for kind in (TypeError, ValueError):
            with pytest.raises(kind, match=rf"{function.__name__}.*shape"):
                function(xp.ones(2), xp.ones(3))


@pytest.mark.parametrize("a, b", [([1, 2], [[1, 2, 1, 2]]), ([1, 2], [1, 2, 3]), ([[1, 2]], [[1], [2], [1.5]])])
def test_arrays_whose_shapes_do_not_fit_are_not_equivalent(a, b):
    equivalent = xp.array_equiv(a, b)
    assert (equivalent.dtype, equivalent.shape, bool(equivalent)) == ("bool", (), False)


# -- the fast paths, which answer as the definitions do


def same(function, *args, **kwargs):
    """Check that a function answers as its definition does."""
    ours, wanted = function(*args, **kwargs), by_definition(function)(*args, **kwargs)
    assert (ours._node, ours.shape, ours.tolist()) == (wanted._node, wanted.shape, wanted.tolist())
    return ours


SPECIAL = [0.0, -0.0, 1.0, 1.00001, 1.0001, -1.0, 1e-9, 3e38, -3e38, 1e-45, np.inf, -np.inf, np.nan]


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "float8_e4m3fn", "float8_e4m3fnuz", "int32"])
@pytest.mark.parametrize("equal_nan", [True, False])
def test_quick_closeness(dtype, equal_nan, level):
    with np.errstate(all="ignore"):
        a, b = (np.array(x).astype(xp.zeros(0, dtype=dtype)._data.dtype) for x in (np.repeat(SPECIAL, 13), SPECIAL * 13))
    x, y = xp.asarray(a), xp.asarray(b)
    for rtol, atol in ((1e-5, 1e-8), (0.0, 0.0), (0.5, 1.0), (float("inf"), 0.0), (float("nan"), 0.0), (-1.0, 2.0)):
        found = same(xp.isclose, x, y, rtol, atol, equal_nan)
        if dtype == "float64" and 0 <= rtol < np.inf:
            with np.errstate(all="ignore"):
                assert found.tolist() == np.isclose(a, b, rtol, atol, equal_nan).tolist()
        same(xp.allclose, x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
        close = np.flatnonzero(found._data)
        assert bool(same(xp.allclose, x[close], y[close], rtol, atol, equal_nan=equal_nan))
        for number in (1.0, 0, True, 1.00001, np.nan, np.inf):
            same(xp.isclose, x, number, rtol, atol, equal_nan)
            same(
                xp.allclose, xp.full((3,), number, dtype=dtype if number == number and abs(number) != np.inf else None), number
            )
    for left, right in ((x.reshape(13, 13).T, y.reshape(13, 13)), (x[::2], y[::2]), (x[:0], y[:0]), (x[3], y[3]), (x, y[5])):
        same(xp.isclose, left, right, equal_nan=equal_nan)
        same(xp.allclose, left, right, equal_nan=equal_nan)


@for_each("length", [1, 7, 1023, 1024, 1025, 5000])
def test_one_difference_anywhere(length, level):
    for dtype in (
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "bfloat16",
        "float16",
        "float8_e5m2",
    ):
        data = np.ones(length, xp.zeros(0, dtype=dtype)._data.dtype)
        x = xp.asarray(data)
        assert bool(same(xp.array_equal, x, xp.asarray(data.copy())))
        for place in {0, length // 2, length - 1}:
            other = data.copy()
            other[place] = 0
            assert not bool(same(xp.array_equal, x, xp.asarray(other)))
            assert not bool(same(xp.array_equal, xp.asarray(other), x))
            if "float" in dtype:
                assert same(xp.isclose, x, xp.asarray(other)).tolist() == (other == 1).tolist()
                assert not bool(same(xp.allclose, x, xp.asarray(other)))
                other[place] = np.nan
                y = xp.asarray(other)
                assert not bool(same(xp.array_equal, y, y))
                assert bool(same(xp.array_equal, y, xp.asarray(other.copy()), equal_nan=True))
                assert not bool(same(xp.array_equal, y, x, equal_nan=True))
                assert bool(same(xp.allclose, y, y, equal_nan=True))


def test_arrays_that_equal_each_other():
    zeros = xp.asarray([0.0, -0.0])
    assert bool(same(xp.array_equal, zeros, -zeros))
    assert bool(same(xp.array_equal, a1=zeros, a2=zeros))
    for a, b in (
        (xp.ones(3), xp.ones((3, 1))),
        (xp.ones(0), xp.ones((0, 1))),
        (xp.ones(2), xp.ones(2, dtype=xp.int32)),
        ([1], xp.ones(1)),
    ):
        same(xp.array_equal, a, b)
    x = xp.arange(12).reshape(3, 4)
    assert bool(same(xp.array_equal, x.T, xp.asarray(x.T._data.copy())))
    assert not bool(same(xp.array_equal, x, x[::-1]))


def test_observers_are_told_of_numbers_that_meet_arrays():
    with xp.trace_promotions() as trace:
        xp.allclose(xp.ones(3), 1)
        xp.ones(3).at[xp.asarray([0])].add(1)
    assert len(trace) >= 2
