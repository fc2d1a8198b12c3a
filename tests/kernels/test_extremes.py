"""Maximum and minimum of signed zeros, as in JAX 0.10.2: -0.0 is less than 0.0, in any order of the operands."""

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._kernels import extremes

NAN = float("nan")
A = [0.0, -0.0, 0.0, -0.0, 1.0, -1.0, -1.0, NAN, 0.0]
B = [-0.0, 0.0, 0.0, -0.0, -0.0, 0.0, -0.0, -0.0, NAN]
GREATER = [0.0, 0.0, 0.0, -0.0, 1.0, 0.0, -0.0, NAN, NAN]
LESSER = [-0.0, -0.0, 0.0, -0.0, -0.0, -1.0, -1.0, NAN, NAN]
#: The floats that have a -0.0 and a NaN.
DTYPES = ["float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "bfloat16", "float16", "float32", "float64"]
#: Small arrays, several blocks, and a number of elements that is no multiple of a vector length.
TIMES = [1, 111, 2777]


def make(values, dtype, times=1):
    return xp.asarray(np.tile(values, times).astype(getattr(ml_dtypes, dtype, dtype)))


def same(result, expected):
    found = np.asarray(result).astype(np.float64).ravel()
    expected = np.resize(np.asarray(expected, np.float64), found.shape)
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("dtype", DTYPES)
class TestSignedZeros:
    def test_two_arrays(self, dtype, times):
        a, b = make(A, dtype, times), make(B, dtype, times)
        same(xp.maximum(a, b), GREATER)
        same(xp.maximum(b, a), GREATER)
        same(xp.minimum(a, b), LESSER)
        same(xp.minimum(b, a), LESSER)
        same(xp.maximum(a[::2], b[::2]), np.tile(GREATER, times)[::2])
        same(xp.minimum(xp.stack([a, b]), b), np.concatenate([np.tile(LESSER, times), np.tile(B, times)]))

    def test_scalars(self, dtype, times):
        x = make([0.0, -0.0, 1.0, -1.0, NAN], dtype, times)
        for zero in (0.0, -0.0):
            greater, lesser = [0.0, zero, 1.0, zero, NAN], [zero, -0.0, zero, -1.0, NAN]
            same(xp.maximum(x, zero), greater)
            same(xp.maximum(zero, x), greater)
            same(xp.minimum(x, zero), lesser)
            same(xp.minimum(zero, x), lesser)
        same(xp.maximum(x, -2.0), [0.0, -0.0, 1.0, -1.0, NAN])
        same(xp.nn.relu(x), [0.0, 0.0, 1.0, 0.0, NAN])

    def test_sign_of_either_is_positive_zero_as_the_standard_says(self, dtype, times):
        same(xp.sign(make([0.0, -0.0, 2.0, -2.0, NAN], dtype, times)), [0.0, 0.0, 1.0, -1.0, NAN])

    def test_reductions(self, dtype, times):
        for values in ([0.0, -0.0], [-0.0, 0.0]):
            x = make(values, dtype, times)
            for highest, lowest in ((xp.max, xp.min), (xp.nanmax, xp.nanmin)):
                same(highest(x), [0.0])
                same(lowest(x), [-0.0])
                same(highest(xp.reshape(x, (times, 2)), axis=1), [0.0])
                same(lowest(xp.reshape(x, (times, 2)), axis=0, keepdims=True), values)
        zeros = make([-0.0], dtype, times)
        same(xp.max(zeros), [-0.0])
        same(xp.max(zeros, initial=0.0), [0.0])
        same(xp.min(-zeros, initial=-0.0), [-0.0])

    def test_updates(self, dtype, times):
        a, b = make(A, dtype, times), make(B, dtype, times)
        every = xp.arange(a.size)
        same(a.at[:].max(b), GREATER)
        same(a.at[every].max(b), GREATER)
        same(a.at[:].min(b), LESSER)
        same(a.at[every].min(b), LESSER)
        same(a.at[xp.asarray([1])].max(0.0)[:2], [0.0, 0.0])

    def test_clip(self, dtype, times):
        x = make([0.0, -0.0, 3.0, -3.0, NAN], dtype, times)
        same(xp.clip(x, 0.0, 1.0), [0.0, 0.0, 1.0, 0.0, NAN])
        same(xp.clip(x, -0.0, 1.0), [0.0, -0.0, 1.0, -0.0, NAN])
        same(xp.clip(x, -1.0, -0.0), [-0.0, -0.0, -0.0, -1.0, NAN])
        same(xp.clip(x, -1.0, 1.0), [0.0, -0.0, 1.0, -1.0, NAN])
        same(xp.clip(x, make([0.0], dtype), make([1.0], dtype)), [0.0, 0.0, 1.0, 0.0, NAN])


@for_each("dtype", DTYPES)
def test_methods_of_the_ufuncs(dtype):
    x = make([-0.0, 0.0, -0.0, -1.0, -0.0, 1.0], dtype)
    same(xp.maximum.accumulate(x), [-0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    same(xp.minimum.accumulate(-x), [0.0, -0.0, -0.0, -0.0, -0.0, -1.0])
    same(xp.maximum.reduceat(x, xp.asarray([0, 2])), [0.0, 1.0])
    same(xp.maximum.reduce(x[:3]), [0.0])
    same(xp.maximum.at(x, xp.asarray([0]), 0.0, inplace=False), [0.0, 0.0, -0.0, -1.0, -0.0, 1.0])


def test_operands_are_left_alone():
    a, b = make(A, "float32"), make(B, "float32")
    xp.maximum(a, b), xp.minimum(a, b), xp.sign(a), xp.max(a), a.at[:].max(b)
    same(a, A)
    same(b, B)


def test_padding_takes_the_greater_zero():
    same(xp.pad(make([-0.0, 0.0], "float32"), 1, mode="maximum"), [0.0, -0.0, 0.0, 0.0])
    same(xp.pad(make([0.0, -0.0], "float32"), 1, mode="minimum"), [-0.0, 0.0, -0.0, -0.0])


def test_integers_are_as_before():
    x = xp.asarray([0, 3, -2])
    assert np.asarray(xp.maximum(x, 1)).tolist() == [1, 3, 1]
    assert int(xp.max(x)) == 3
    assert np.asarray(x.at[:].min(0)).tolist() == [0, 0, -2]


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_reductions_take_a_dtype(name):
    data = np.array([[1.5, -0.0], [0.0, 2.5]])
    for dtype in (np.float32, np.float16, np.float64):
        found = getattr(extremes, name).reduce(data, 0, dtype)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, getattr(np, name).reduce(data, 0))
