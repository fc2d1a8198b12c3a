"""Elementwise kernels against exact arithmetic on the same numbers."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from supremum._kernels import pointwise as k

FLOATS = [np.float32, np.float64]
numbers = st.floats(-1e6, 1e6, width=32).filter(lambda x: x == 0 or abs(x) > 1e-6)


@given(numbers, numbers.filter(bool))
def test_floor_divide_is_the_floor_of_the_exact_quotient(a, b):
    exact = Fraction(a) / Fraction(b)
    got = float(k.floor_divide(np.array([a]), np.array([b]))[0])
    assert got == math.floor(exact)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floor_divide_by_an_infinity_leaves_the_finite_elements_alone(dtype):
    a = np.array([7.5, -7.5, np.inf, 7.5, -0.0], dtype)
    b = np.array([2.0, np.inf, -2.0, -np.inf, np.inf], dtype)
    with np.errstate(all="ignore"):
        got = k.floor_divide(a, b)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, np.array([3, -0.0, -np.inf, -0.0, -0.0], dtype))
    np.testing.assert_array_equal(np.signbit(got), [False, True, True, True, True])


@for_each("dtype", FLOATS)
@for_each("b", [2.0, -np.inf, np.inf, 0.0, np.nan])
def test_floor_divide_by_one_number_is_that_by_an_array_of_it(dtype, b):
    a = np.array([7.5, -7.5, np.inf, -np.inf, np.nan, 0.0, -0.0], dtype)
    divisor = np.array(b, dtype)
    with np.errstate(all="ignore"):
        for x, y in ((a, divisor), (divisor, a), (a[:, None], a[None, 1:3])):
            expected = k.floor_divide(*[each.copy() for each in np.broadcast_arrays(x, y)])
            got = k.floor_divide(x, y)
            np.testing.assert_array_equal(got, expected)
            np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))


def power_of_c(x, y):
    """Compute a power as C's pow does; Python's raises errors for poles and invalid operands."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.copysign(math.inf, x) if y % 2 == 1 else math.inf
    except ValueError:
        if x == 0:
            return math.copysign(math.inf, x) if y % 2 == 1 else math.inf
        return math.nan


BASES = [-math.inf, -7.5, -3.0, -1.0, -0.25, -0.0, 0.0, 0.25, 1.0, 4.0, 7.5, math.inf, math.nan]
EXPONENTS = [0.5, 2.0, -0.5, 3.0, 0.0, 1.0, -1.0, 1.5, -3.0, 7.0, 2.0**24, 2.0**24 - 1, math.inf, -math.inf, math.nan]


@pytest.mark.combinations
@pytest.mark.parametrize("power", dict.fromkeys([k.power, k.powers_of_floats]))
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("spread", ["0-d", "one", "broadcast", "mixed"])
def test_power_does_not_depend_on_how_the_exponent_is_stored(power, dtype, exponent, spread):
    a = np.array(BASES, dtype)
    b = {
        "0-d": np.array(exponent, dtype),
        "one": np.array([exponent], dtype),
        "broadcast": np.broadcast_to(np.array(exponent, dtype), a.shape),
        "mixed": np.full((len(a), 1), exponent, dtype),
    }[spread]
    with np.errstate(all="ignore"):
        got = power(a[:, None] if spread == "mixed" else a, b).ravel()
        wanted = np.array([power_of_c(x, float(b.flat[0])) for x in a.tolist()]).astype(dtype)
    np.testing.assert_allclose(got, wanted, rtol=8 * np.finfo(dtype).eps)
    np.testing.assert_array_equal(np.signbit(got)[~np.isnan(wanted)], np.signbit(wanted)[~np.isnan(wanted)])


@pytest.mark.skipif(
    k.power is k.powers_of_floats, reason="the ufunc is in the extension module, which is not built or not wanted"
)
@pytest.mark.parametrize("dtype", FLOATS)
def test_both_definitions_of_powers_have_the_same_bits(dtype):
    draw = np.random.default_rng(0)
    a = np.concatenate([BASES, draw.standard_normal(2000) * 3]).astype(dtype)
    b = draw.choice([*EXPONENTS, *draw.integers(-9, 9, 20), *draw.standard_normal(20)], a.size).astype(dtype)
    with np.errstate(all="ignore"):
        for x, y in ((a, b), (a[::-3], b[::-3]), (a[:, None], b[:9]), (a, b[0]), (a[:1000], b[1000:2000]), (a[:0], b[:0])):
            wanted = k.powers_of_floats(np.ascontiguousarray(x).reshape(x.shape), np.ascontiguousarray(y).reshape(y.shape))
            np.testing.assert_array_equal(k.power(x, y), wanted)
            np.testing.assert_array_equal(k.powers_of_floats(x, y), wanted)
        in_place = a.copy()
        k.power(in_place, b, out=in_place) if isinstance(k.power, np.ufunc) else np.copyto(in_place, k.power(a, b))
        np.testing.assert_array_equal(in_place, k.powers_of_floats(a, b))
    few = np.array([1.5, 2, 0.5, 3, -1, 1, 2], dtype)  # whose results are operands
    np.testing.assert_allclose(k.power.accumulate(few), list(itertools.accumulate(few.tolist(), math.pow)), rtol=1e-6)
    np.testing.assert_allclose(k.power.reduce(few), functools.reduce(math.pow, few.tolist()), rtol=1e-6)


@for_each("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_both_definitions_of_integer_powers_are_the_same(dtype, level):
    draw, info = np.random.default_rng(1), np.iinfo(dtype)
    a = np.concatenate([[0, 1, info.min, info.max, info.max // 2], draw.integers(0, 100, 2500)]).astype(dtype)
    a[5::2] = (0 - a[5::2]).astype(dtype)
    for low in {0, max(info.min, -9)}:
        b = draw.integers(low, 70, a.size).astype(dtype)
        for x, y in ((a, b), (a[::-3], b[::-3]), (a[:, None], b[:9]), (a, b[0]), (a, np.array(2, dtype)), (a[:0], b[:0])):
            got, wanted = k.integer_power(x, y), k.powers_of_integers(x, y)
            assert got.dtype == wanted.dtype
            np.testing.assert_array_equal(got, wanted)
        if isinstance(k.integer_power, np.ufunc):
            over = a.copy()
            np.testing.assert_array_equal(k.integer_power(over, b, out=over), k.powers_of_integers(a, b))
            assert k.integer_power.accumulate(np.array([2, 3, 2], dtype)).tolist() == [2, 8, 64]


@pytest.mark.parametrize("dtype", FLOATS)
def test_roots_of_numbers_without_a_negative_one(dtype):
    a = np.array([4.0, -0.0, np.inf], dtype)
    for x in (a, a[1]):
        got = k.power(np.asarray(x), np.array(0.5, dtype))
        assert got.dtype == dtype
        np.testing.assert_array_equal(got, [2, 0, np.inf] if np.ndim(x) else 0)
        assert not np.signbit(got).any()


@given(hnp.arrays(np.int32, 4, elements=st.integers(-9, 9)), hnp.arrays(np.int32, 4, elements=st.integers(-5, 40)))
def test_integer_power_wraps_and_truncates(a, b):
    def exact(x, n):
        if n >= 0:
            return (x**n + 2**31) % 2**32 - 2**31
        return {1: 1, -1: (-1) ** n}.get(x, 0)

    got = k.integer_power(a, b)
    expected = [exact(x, n) for x, n in zip(a.tolist(), b.tolist(), strict=True) if x or n >= 0]
    assert [g for g, x, n in zip(got.tolist(), a.tolist(), b.tolist(), strict=True) if x or n >= 0] == expected


@pytest.mark.parametrize("dtype", [np.float16, *FLOATS])
def test_nextafter_of_equal_zeros_is_the_second(dtype):
    zeros = np.array([0.0, -0.0], dtype)
    np.testing.assert_array_equal(np.signbit(k.nextafter(zeros, zeros[::-1])), [True, False])
    assert k.nextafter(np.array(1, dtype), np.array(2, dtype)) == 1 + np.finfo(dtype).eps


@pytest.mark.parametrize("dtype", FLOATS)
def test_spacing_points_away_from_zero(dtype):
    x = np.array([1.0, -1.0, 0.0, -0.0, 3.5], dtype)
    np.testing.assert_array_equal(k.spacing(x), np.nextafter(x, np.copysign(np.array(np.inf, dtype), x)) - x)


def test_sinc():
    x = np.array([0.0, 0.5, -0.5, 1.5])
    np.testing.assert_allclose(k.sinc(x), [1, 2 / np.pi, 2 / np.pi, -2 / (3 * np.pi)], rtol=1e-15)
    assert k.sinc(x.astype(np.complex64)).dtype == np.complex64


def test_angles():
    np.testing.assert_allclose(k.deg2rad(np.array([180.0, 90.0])), [np.pi, np.pi / 2], rtol=1e-15)
    np.testing.assert_allclose(k.rad2deg(np.array([np.pi], np.float32)), [180], rtol=1e-6)


@given(st.floats(0.01, 30))
def test_i0_is_its_series(x):
    series = math.fsum(math.exp(2 * (n * math.log(x / 2) - math.lgamma(n + 1))) for n in range(80))
    assert float(k.i0(np.array([x]))[0]) == pytest.approx(series, rel=1e-12)


@pytest.mark.parametrize(
    "x, decimals, expected", [(1e300, 20, 1e300), (12345.678, -2, 12300.0), (2.675, 2, 2.68), (np.nan, 3, np.nan)]
)
def test_round_to_decimals(x, decimals, expected):
    np.testing.assert_array_equal(k.round_to_decimals(np.array([x]), decimals), [expected])


def test_parts_do_not_share_memory():
    z = np.array([1 + 2j])
    for function in (k.real, k.imag):
        assert not np.shares_memory(function(z), z)
    assert k.imag(np.array([1.5])).tolist() == [0.0]
    assert not np.shares_memory(k.unchanged(z), z)


def test_answers_for_kinds_that_have_only_one():
    assert k.always_false(np.array([1, 2])).tolist() == [False, False]
    assert k.is_below_zero(np.array([-1, 0, 1])).tolist() == [True, False, False]
    x = np.array([np.inf, -np.inf, np.nan])
    assert k.is_positive_infinity(x).tolist() == [True, False, False]
    assert k.is_negative_infinity(x).tolist() == [False, True, False]
