"""Complex kernels against the same functions in higher precision."""

import cmath
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from supremum._kernels import complex_numbers as z

finite = st.floats(-50, 50, allow_subnormal=False)
small = st.floats(-1e-3, 1e-3, allow_subnormal=False)


def close(got, exact, eps):
    return abs(complex(got) - exact) <= 4 * eps * max(abs(exact), 1e-300)


@given(finite, finite)
def test_expm1_away_from_zero(a, b):
    number = complex(a, b)
    exact = cmath.exp(number) - 1
    assume(abs(exact) > 0.1)
    assert close(z.expm1(np.array(number)), exact, 1e-14)


@given(small, small)
def test_expm1_and_log1p_near_zero_are_inverse_to_each_other(a, b):
    number = np.array(complex(a, b))
    back = complex(z.log1p(z.expm1(number)))
    assert close(back, complex(a, b), 1e-15)


@given(small, small)
def test_expm1_near_zero_is_its_series(a, b):
    number = complex(a, b)
    series = number * (1 + number / 2 * (1 + number / 3 * (1 + number / 4 * (1 + number / 5 * (1 + number / 6)))))
    assert close(z.expm1(np.array(number)), series, 1e-15)


@given(finite, finite)
def test_log1p_away_from_zero(a, b):
    number = complex(a, b)
    assume(abs(1 + number) > 1e-3)
    assert abs(complex(z.log1p(np.array(number))) - cmath.log(1 + number)) < 1e-13


def test_log1p_where_its_terms_cancel():
    # For these, |1 + z|² - 1 = 2a + a² + b² is 1e-20, which double precision would lose.
    b = 1e-5
    a = np.sqrt(1 - b * b) - 1
    square = 2 * Fraction(float(a)) + Fraction(float(a)) ** 2 + Fraction(b) ** 2
    got = complex(z.log1p(np.array(complex(a, b))))
    assert got.real == pytest.approx(float(square) / 2, rel=1e-3)


def test_log1p_where_the_length_overflows():
    largest = np.finfo(np.float64).max
    for number in (complex(largest, largest), complex(-largest, largest)):
        got = complex(z.log1p(np.array(number)))
        # log|z| of z on a diagonal is log(a) + log(2)/2.
        assert close(got, complex(np.log(largest) + np.log(2) / 2, cmath.phase(number)), 1e-15)
    assert np.isinf(complex(z.log1p(np.array(complex(np.inf, largest)))).real)


@given(st.floats(min_value=-1e300, max_value=1e300), st.sampled_from([1, -1]))
def test_squares_on_the_diagonals_are_imaginary(a, sign):
    got = complex(z.square(np.array(complex(a, sign * a))))
    assert (got.real, str(got.real)) == (0.0, "0.0")
    with np.errstate(over="ignore"):
        assert got.imag == 2 * sign * np.square(a)


@given(st.complex_numbers(min_magnitude=1e-100, max_magnitude=1e100))
def test_squares_do_not_cancel(number):
    a, b = Fraction(number.real), Fraction(number.imag)
    got = complex(z.square(np.array(number)))
    assert got.real == pytest.approx(float(a * a - b * b), rel=1e-15, abs=1e-300)
    assert got.imag == pytest.approx(float(2 * a * b), rel=1e-15, abs=1e-300)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_squares_by_parts_are_the_same_bits(dtype):
    limits = np.finfo(dtype)
    parts = [0.0, -0.0, 1.0, -1.5, 3.25, float(limits.max), -float(limits.max), float(limits.tiny), np.inf, -np.inf]
    numbers = np.array([complex(a, b) for a in parts for b in parts], dtype)
    numbers = np.concatenate([numbers, np.random.default_rng(0).normal(size=(300, 2)).astype(limits.dtype).view(dtype)[:, 0]])
    for some in (numbers, numbers[::3], numbers[::-1]):
        with np.errstate(all="ignore"):
            found, expected = z.square(some), z.square_of_parts(some)
        # An invalid product is a NaN whose sign depends on the machine.
        both = [np.where(np.isnan(x.view(limits.dtype)), np.nan, x.view(limits.dtype)) for x in (found, expected)]
        assert both[0].tobytes() == both[1].tobytes()


def test_squares_of_large_and_infinite_numbers():
    # As JAX: the real part is infinite with the sign of |a| - |b|, also where a² - b² would be inf - inf.
    squared = z.square(np.array([3e38 + 1e30j, 1e30 - 3e38j, complex(np.inf, 2)], np.complex64))
    assert squared.dtype == np.complex64
    np.testing.assert_array_equal(squared.real, [np.inf, -np.inf, np.inf])
    np.testing.assert_array_equal(squared.imag, [np.inf, -np.inf, np.inf])
    assert np.isnan(complex(z.square(np.array(complex(np.nan, 1)))).real)


@given(finite, finite, st.sampled_from([1e-300, 1.0, 1e306]))
def test_sign_has_length_one(a, b, scale):
    number = np.array(complex(a * scale, b * scale))
    assume(number)
    got = complex(z.sign(number))
    assert abs(got) == pytest.approx(1, abs=1e-15)
    assert cmath.phase(got) == pytest.approx(cmath.phase(complex(a, b)), abs=1e-6)


def test_sign_of_zero_is_zero():
    assert complex(z.sign(np.array(0j))) == 0


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_dtypes_stay(dtype):
    x = np.array([0.5 - 0.25j, 2j], dtype)
    for function in (z.atanh, z.exp2, z.expm1, z.log1p, z.sign, z.square, z.tan, z.tanh):
        assert function(x).dtype == dtype, function
    for function in (z.atan2, z.logaddexp, z.logaddexp2):
        assert function(x, x).dtype == dtype, function


@given(finite, finite)
def test_atanh_and_tan_are_odd_to_the_last_bit(a, b):
    number = np.array([complex(a, b)])
    for function in (z.atanh, z.tan, z.tanh):
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(function(-number), -function(number))


@given(st.complex_numbers(max_magnitude=20), st.complex_numbers(max_magnitude=20))
def test_logaddexp(x, y):
    exact = cmath.exp(x) + cmath.exp(y)
    assume(abs(exact) > 1e-3 * abs(cmath.exp(x)))
    got = complex(z.logaddexp(np.array(x), np.array(y)))
    assert abs(cmath.exp(got) - exact) <= 1e-11 * abs(exact)
    assert -cmath.pi - 1e-12 <= got.imag <= cmath.pi + 1e-12


def test_atan2_is_that_of_real_numbers():
    y, x = np.array([1, -1, 0.5, 2]) + 0j, np.array([2, 3, -1, -2]) + 0j
    np.testing.assert_allclose(z.atan2(y, x), np.arctan2(y.real, x.real), atol=1e-15)
