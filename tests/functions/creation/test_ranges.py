"""Ranges and spaces: exact values, dtypes of the arguments, and errors of the standard and JAX."""

import math
from fractions import Fraction

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st

import supremum as xp
from supremum import config

SMALL = st.integers(-1000, 1000)


@given(SMALL, SMALL, SMALL.filter(bool), st.sampled_from(["int16", "int64", "float32", "float64", "complex64"]))
def test_whole_ranges_are_pythons(start, stop, step, dtype):
    assert np.asarray(xp.arange(start, stop, step, dtype=dtype)).tolist() == list(range(start, stop, step))


@given(st.integers(0, 2000), st.sampled_from(["int8", "uint8", "int4", "uint2"]))
def test_whole_ranges_wrap(count, dtype):
    info = xp.iinfo(dtype)
    expected = [(i - info.min) % (1 << info.bits) + info.min for i in range(count)]
    assert xp.arange(count, dtype=dtype).tolist() == expected


@pytest.mark.parametrize("arguments", [(1.5,), (0, 1, 0.25), (1.0, -1.0, -0.5), (0.5, 3), (3, 0.5), (5.0, 5)])
def test_ranges_of_floats(arguments):
    x = xp.arange(*arguments)
    assert x.dtype == "float32"
    np.testing.assert_array_equal(np.asarray(x), np.arange(*arguments))


def test_dtypes_of_ranges():
    assert xp.arange(3).dtype == "int32"
    assert not xp.arange(3).weak_type
    assert xp.arange(2**40, 2**40 + 1).dtype == "int64"
    assert xp.arange(xp.int8(3)).dtype == "int8"
    assert xp.arange(xp.asarray(3, dtype="bfloat16"), 5).dtype == "bfloat16"
    assert xp.arange(0, 1, xp.asarray(0.5, dtype="float16")).dtype == "float16"
    with config.use(x64="on"):
        assert xp.arange(3).dtype == "int64"
        assert xp.arange(3.0).dtype == "float64"


def test_numbers_keep_their_value_on_the_way_to_a_wider_dtype():
    """The default dtype is float32, which represents neither of the numbers."""
    assert float(xp.arange(5e-76, 1.0, dtype="float64")[0]) == 5e-76
    assert xp.linspace(0.1, 0.3, 3, dtype="float64").tolist()[0] == 0.1
    assert float(xp.full((), 0.1, dtype="float64")) == 0.1


def test_integers_with_a_broken_step_are_truncated_first():
    """As in NumPy and JAX: start and step are cast to the dtype, the length is that of the range of real numbers."""
    assert xp.arange(0, 2.5, 0.5, dtype="int8").tolist() == [0, 0, 0, 0, 0]
    assert xp.arange(-2, 1, dtype="uint64").tolist() == [2**64 - 2, 2**64 - 1, 0]


@pytest.mark.parametrize(
    "arguments, dtype, expected",
    [
        ((2**31, 2**31 + 512, 256), "float32", [2.0**31, 2.0**31 + 256]),
        ((0, 2**32, 2**31), "uint32", [0, 2**31]),
        ((2**31, 2**31 + 2), "int32", [-(2**31), -(2**31) + 1]),
        ((0, 2**31, 2**30), "int32", [0, 2**30]),
        ((2**31, 2**31 + 4, 2), "int8", [0, 2]),
        ((0, 2**32, 2.0**31), "uint32", [0, 2**31]),
        ((0, 2**32, np.float32(2**31)), "uint32", [0, 2**31]),
    ],
)
def test_integers_beyond_32_bits_with_a_dtype(arguments, dtype, expected):
    """As in JAX 0.10.2: Python integers are converted to the dtype, not to the default integer first."""
    with config.use(x64="off"):
        x = xp.arange(*arguments, dtype=dtype)
    assert (x.dtype, x.tolist()) == (dtype, expected)


def test_integers_that_no_default_holds_are_refused():
    """JAX wraps them."""
    with config.use(x64="off"), pytest.raises(OverflowError, match="arange"):
        xp.arange(2**31, 2**31 + 2)
    with pytest.raises(OverflowError, match="full"):
        xp.full(2, 2**64)


@for_each(
    "arguments, options, error",
    [
        ((0, 1, 0), {}, ZeroDivisionError),
        ((1j,), {}, ValueError),
        ((xp.ones(2),), {}, ValueError),
        (([3],), {}, TypeError),
        ((None,), {}, TypeError),
        (("a",), {}, TypeError),
        ((3,), {"dtype": "bool"}, TypeError),
        ((True,), {}, TypeError),
        ((3,), {"dtype": "S1"}, TypeError),
        ((3,), {"device": "gpu"}, ValueError),
    ],
)
def test_ranges_that_are_refused(arguments, options, error):
    with pytest.raises(error, match="arange"):
        xp.arange(*arguments, **options)


# -- spaces ------------------------------------------------------------------------------------------------------------------


@given(SMALL, SMALL, st.integers(1, 40), st.booleans())
def test_spaces_are_the_rounded_exact_quotients(start, stop, num, endpoint):
    divisor = num - 1 if endpoint else num
    exact = [start + Fraction(i * (stop - start), divisor) if divisor else Fraction(start) for i in range(num)]
    x = xp.linspace(start, stop, num, endpoint=endpoint, dtype="float64")
    np.testing.assert_allclose(np.asarray(x), [float(value) for value in exact], rtol=4e-16, atol=1e-13)
    whole = xp.linspace(start, stop, num, endpoint=endpoint, dtype="int64")
    # Whole numbers are exact; others are rounded down unless they are within a rounding error of a whole number.
    for ours, value in zip(whole.tolist(), exact, strict=True):
        assert ours == math.floor(value) or abs(value - round(value)) < Fraction(1, 10**9)
    for ours, value in zip(whole.tolist(), exact, strict=True):
        assert value.denominator > 1 or ours == value


def test_spaces_of_python_numbers_and_of_arrays_agree():
    for start, stop, num in ((0, 1, 5), (-1.5, 2.5, 9), (0.0, math.inf, 3), (3, 3, 2), (0, 1, 0), (2, 5, 1)):
        for endpoint in (True, False):
            short = xp.linspace(start, stop, num, endpoint=endpoint)
            long = xp.linspace(xp.asarray(float(start)), stop, num, endpoint=endpoint)
            np.testing.assert_array_equal(np.asarray(short), np.asarray(long))
            assert (short.dtype, short.weak_type) == (long.dtype, long.weak_type) == ("float32", False)


def test_ends_of_spaces_are_exact():
    x = xp.linspace(0.1, 0.7, 7, dtype="float64")
    assert (float(x[0]), float(x[-1])) == (0.1, 0.7)


def test_spaces_of_arrays_and_axes():
    start, stop = np.array([0.0, 1.0]), np.array([[2.0], [4.0]])
    for axis in (0, 1, -1, -3):
        ours = xp.linspace(xp.asarray(start), xp.asarray(stop), 5, axis=axis)
        np.testing.assert_allclose(np.asarray(ours), np.linspace(start, stop, 5, axis=axis))
    with pytest.raises(ValueError, match="linspace"):
        xp.linspace(xp.ones(2), xp.ones(3))
    with pytest.raises(ValueError, match="linspace"):
        xp.linspace(0, 1, axis=1)


def test_steps():
    assert math.copysign(1, float(xp.linspace(0, -1, 3)[0])) == 1  # 0 is no -0
    assert float(xp.linspace(0, 1, 5, retstep=True)[1]) == 0.25
    assert float(xp.linspace(0, 1, 5, endpoint=False, retstep=True)[1]) == float(np.float32(0.2))
    assert math.isnan(float(xp.linspace(0, 1, 1, retstep=True)[1]))
    assert xp.linspace(0, 1, 3, dtype="int8", retstep=True)[1].dtype == "float32"


@pytest.mark.parametrize("num, error", [(-1, ValueError), (2.5, TypeError), (None, TypeError)])
def test_numbers_of_points(num, error):
    for function in (xp.linspace, xp.logspace, xp.geomspace):
        with pytest.raises(error):
            function(1, 2, num)


def test_dtypes_of_spaces():
    """Integers and bool become float32, 64-bit integers float64, as in every function that computes in floats."""
    for dtype, expected in (("int8", "float32"), ("bool", "float32"), ("int64", "float64"), ("bfloat16", "bfloat16")):
        for function in (xp.linspace, xp.logspace, xp.geomspace):
            x = function(xp.asarray(1, dtype=dtype), xp.asarray(1, dtype=dtype), 3)
            assert (x.dtype, x.weak_type) == (expected, False)


def test_powers_of_a_base():
    np.testing.assert_allclose(np.asarray(xp.logspace(-2, 3, 11)), np.logspace(-2, 3, 11), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(xp.logspace(0, 3, 4, base=2)), [1, 2, 4, 8])
    np.testing.assert_allclose(np.asarray(xp.logspace(0, 2, 3, base=xp.asarray([2, 3, 4]))), [1, 3, 16])
    assert xp.logspace(0, 2, 3, dtype="int16").tolist() == [1, 10, 100]
    with pytest.raises(ValueError, match="logspace"):
        xp.logspace(0, 2, 3, base=xp.ones(2))


def test_geometric_progressions():
    np.testing.assert_allclose(np.asarray(xp.geomspace(1, 1000, 4)), [1, 10, 100, 1000], rtol=1e-6)
    np.testing.assert_allclose(np.asarray(xp.geomspace(-1, -8, 4)), [-1, -2, -4, -8], rtol=1e-6)
    np.testing.assert_allclose(np.asarray(xp.geomspace(1j, 8j, 4)), [1j, 2j, 4j, 8j], rtol=1e-6)
    assert np.isnan(np.asarray(xp.geomspace(1, -8, 4))).all()
    x = xp.geomspace(3, 7, 5, dtype="float64")
    assert (float(x[0]), float(x[-1])) == (3.0, 7.0)
    # JAX, which does not set the ends, truncates 4.999... to 4.
    assert xp.geomspace(1, 5, 3, dtype="int64").tolist() == [1, 2, 5]
    assert xp.geomspace(xp.ones(2), 8, 4, axis=1).shape == (2, 4)


def test_meshgrid():
    for indexing in ("xy", "ij"):
        for sparse in (False, True):
            vectors = np.arange(2), np.arange(3.0), np.arange(4)
            ours = xp.meshgrid(*map(xp.asarray, vectors), indexing=indexing, sparse=sparse)
            assert type(ours) is tuple
            for x, y in zip(ours, np.meshgrid(*vectors, indexing=indexing, sparse=sparse), strict=True):
                np.testing.assert_array_equal(np.asarray(x), y)
                assert x.dtype == y.dtype
    assert xp.meshgrid() == ()
    for call in (lambda: xp.meshgrid(1), lambda: xp.meshgrid(indexing="x"), lambda: xp.meshgrid(copy=False)):
        with pytest.raises(ValueError, match="meshgrid"):
            call()
