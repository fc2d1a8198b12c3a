"""Special values of elementwise functions, transcribed from the array API standard 2025.12; its suite parses half of them."""

import cmath
import math
from fractions import Fraction

import numpy as np
import pytest
from common import for_each

import supremum as xp

inf, nan, pi = math.inf, math.nan, math.pi


class AnySign(float):
    """A number whose sign the standard does not specify."""


class Direction:
    """An infinity or a zero times ``cis(b)``: the signs are those of cos(b) and sin(b), the magnitudes those of the factor."""

    def __init__(self, factor, minus=0.0):
        self.factor = factor
        self.minus = minus

    def at(self, b):
        return self.factor * math.cos(b) - self.minus, self.factor * math.sin(b)


FINITE = (-2.5, -1.0, 0.0, 1.0, 2.5)
NONZERO = (-2.5, -1.0, 1.0, 2.5)
POSITIVE = (0.5, 1.0, 2.5, 1e5)
ZEROS = (0.0, -0.0)
INFINITIES = (inf, -inf)
NOT_ZERO = (1.0, -3.0, inf, -inf, nan)
ANY = (-inf, -1.5, -0.0, 0.0, 2.0, inf, nan)
ANY_SIGN_INF = AnySign(inf)
ZERO = AnySign(0.0)

# function: (real parts, imaginary parts, real part of the result, imaginary part of the result)
COMPLEX = {
    "acos": [
        (ZEROS, 0.0, pi / 2, -0.0), (ZEROS, nan, pi / 2, nan), (FINITE, inf, pi / 2, -inf), (NONZERO, nan, nan, nan),
        (-inf, POSITIVE, pi, -inf), (inf, POSITIVE, 0.0, -inf), (-inf, inf, 3 * pi / 4, -inf),
        (inf, inf, pi / 4, -inf),
        (INFINITIES, nan, nan, ANY_SIGN_INF), (nan, FINITE, nan, nan), (nan, inf, nan, -inf), (nan, nan, nan, nan),
    ],
    "acosh": [
        (ZEROS, 0.0, 0.0, pi / 2), (FINITE, inf, inf, pi / 2), (NONZERO, nan, nan, nan),
        (0.0, nan, nan, AnySign(pi / 2)),
        (-inf, POSITIVE, inf, pi), (inf, POSITIVE, inf, 0.0), (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4),
        (INFINITIES, nan, inf, nan), (nan, FINITE, nan, nan), (nan, inf, inf, nan), (nan, nan, nan, nan),
    ],
    "asinh": [
        (0.0, 0.0, 0.0, 0.0), (POSITIVE, inf, inf, pi / 2), (FINITE, nan, nan, nan), (inf, POSITIVE, inf, 0.0),
        (inf, inf, inf, pi / 4), (inf, nan, inf, nan), (nan, 0.0, nan, 0.0), (nan, NONZERO, nan, nan),
        (nan, inf, ANY_SIGN_INF, nan), (nan, nan, nan, nan),
    ],
    "atanh": [
        (0.0, 0.0, 0.0, 0.0), (0.0, nan, 0.0, nan), (1.0, 0.0, inf, 0.0), (POSITIVE, inf, 0.0, pi / 2),
        (NONZERO, nan, nan, nan),
        (inf, POSITIVE, 0.0, pi / 2), (inf, inf, 0.0, pi / 2), (inf, nan, 0.0, nan), (nan, FINITE, nan, nan),
        (nan, inf, ZERO, pi / 2), (nan, nan, nan, nan),
    ],
    "cosh": [
        (0.0, 0.0, 1.0, 0.0), (0.0, inf, nan, ZERO), (0.0, nan, nan, ZERO), (NONZERO, inf, nan, nan),
        (NONZERO, nan, nan, nan),
        (inf, 0.0, inf, 0.0), (inf, NONZERO, Direction(inf), None), (inf, inf, ANY_SIGN_INF, nan),
        (inf, nan, inf, nan),
        (nan, ZEROS, nan, ZERO), (nan, NONZERO, nan, nan), (nan, nan, nan, nan),
    ],
    "exp": [
        (ZEROS, 0.0, 1.0, 0.0), (FINITE, inf, nan, nan), (FINITE, nan, nan, nan), (inf, 0.0, inf, 0.0),
        (-inf, FINITE, Direction(0.0), None), (inf, NONZERO, Direction(inf), None), (-inf, inf, ZERO, ZERO),
        (inf, inf, ANY_SIGN_INF, nan), (-inf, nan, ZERO, ZERO), (inf, nan, ANY_SIGN_INF, nan), (nan, 0.0, nan, 0.0),
        (nan, NOT_ZERO, nan, nan), (nan, nan, nan, nan),
    ],
    "expm1": [
        (ZEROS, 0.0, 0.0, 0.0), (FINITE, inf, nan, nan), (FINITE, nan, nan, nan), (inf, 0.0, inf, 0.0),
        (-inf, FINITE, Direction(0.0, minus=1.0), None), (inf, NONZERO, Direction(inf, minus=1.0), None),
        (-inf, inf, -1.0, ZERO),
        (inf, inf, ANY_SIGN_INF, nan), (-inf, nan, -1.0, ZERO), (inf, nan, ANY_SIGN_INF, nan), (nan, 0.0, nan, 0.0),
        (nan, NOT_ZERO, nan, nan), (nan, nan, nan, nan),
    ],
    "log": [
        (-0.0, 0.0, -inf, pi), (0.0, 0.0, -inf, 0.0), (FINITE, inf, inf, pi / 2), (FINITE, nan, nan, nan),
        (-inf, POSITIVE, inf, pi),
        (inf, POSITIVE, inf, 0.0), (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4), (INFINITIES, nan, inf, nan),
        (nan, FINITE, nan, nan), (nan, inf, inf, nan), (nan, nan, nan, nan),
    ],
    "log1p": [
        (-1.0, 0.0, -inf, 0.0), (FINITE, inf, inf, pi / 2), (FINITE, nan, nan, nan), (-inf, POSITIVE, inf, pi),
        (inf, POSITIVE, inf, 0.0), (-inf, inf, inf, 3 * pi / 4), (inf, inf, inf, pi / 4), (INFINITIES, nan, inf, nan),
        (nan, FINITE, nan, nan), (nan, inf, inf, nan), (nan, nan, nan, nan),
    ],
    "sign": [
        (ZEROS, ZEROS, 0.0, 0.0), (nan, ANY, nan, nan), (ANY, nan, nan, nan), (3.0, 4.0, 0.6, 0.8),
        (-5.0, 0.0, -1.0, 0.0),
        (0.0, -1e-300, 0.0, -1.0), (1e308, 1e308, math.sqrt(0.5), math.sqrt(0.5)),
        (-5e-324, -5e-324, -math.sqrt(0.5), -math.sqrt(0.5)),
    ],
    "sinh": [
        (0.0, 0.0, 0.0, 0.0), (0.0, inf, ZERO, nan), (0.0, nan, ZERO, nan), (POSITIVE, inf, nan, nan),
        (POSITIVE, nan, nan, nan),
        (inf, 0.0, inf, 0.0), (inf, POSITIVE, Direction(inf), None), (inf, inf, ANY_SIGN_INF, nan),
        (inf, nan, ANY_SIGN_INF, nan),
        (nan, 0.0, nan, 0.0), (nan, NONZERO, nan, nan), (nan, nan, nan, nan),
    ],
    "sqrt": [
        (ZEROS, 0.0, 0.0, 0.0), (ANY, inf, inf, inf), (FINITE, nan, nan, nan), (-inf, POSITIVE, 0.0, inf),
        (inf, POSITIVE, inf, 0.0),
        (-inf, nan, nan, ANY_SIGN_INF), (inf, nan, inf, nan), (nan, FINITE, nan, nan), (nan, nan, nan, nan),
    ],
    "tanh": [
        (0.0, 0.0, 0.0, 0.0), (NONZERO, inf, nan, nan), (0.0, inf, 0.0, nan), (NONZERO, nan, nan, nan),
        (0.0, nan, 0.0, nan),
        (inf, POSITIVE, 1.0, 0.0), (inf, inf, 1.0, ZERO), (inf, nan, 1.0, ZERO), (nan, 0.0, nan, 0.0),
        (nan, NONZERO, nan, nan),
        (nan, nan, nan, nan),
    ],
}  # fmt: skip
#: Functions that commute with conjugation, and odd or even ones: the standard extends its cases to other quadrants by these.
CONJUGATE = ("acos", "acosh", "asinh", "atanh", "cosh", "exp", "expm1", "log", "log1p", "sinh", "sqrt", "tanh")
ODD = ("asinh", "atanh", "sinh", "tanh")
#: Functions that the standard defines by others, after multiplication by 1j.
TURNED = {
    "asin": lambda z: back(xp.asinh(turn(z))),
    "atan": lambda z: back(xp.atanh(turn(z))),
    "sin": lambda z: back(xp.sinh(turn(z))),
    "tan": lambda z: back(xp.tanh(turn(z))),
    "cos": lambda z: xp.cosh(turn(z)),
}
DTYPES = [xp.complex64, xp.complex128]
PARTS = [-inf, -1e30, -2.5, -1.0, -1e-20, -0.0, 0.0, 1e-20, 0.5, 1.0, 3.0, 1e30, inf, nan]


def turn(z):
    """Return 1j * z by exchange of parts; arithmetic would turn infinities into NaN."""
    data = np.asarray(z)
    out = np.empty_like(data)
    out.real, out.imag = -data.imag, data.real
    return xp.asarray(out)


def back(z):
    """Return -1j * z."""
    data = np.asarray(z)
    out = np.empty_like(data)
    out.real, out.imag = data.imag, -data.real
    return xp.asarray(out)


def many(value):
    return value if isinstance(value, tuple) else (value,)


def same(got, expected, rel):
    if math.isnan(expected):
        return math.isnan(got)
    if isinstance(expected, AnySign):
        got, expected = abs(got), abs(float(expected))
    if expected == 0 or math.isinf(expected):
        return got == expected and math.copysign(1, got) == math.copysign(1, expected)
    return math.isclose(got, expected, rel_tol=rel)


def rows(name):
    for reals, imags, real, imag in COMPLEX[name]:
        for a in many(reals):
            for b in many(imags):
                expected = real.at(b) if isinstance(real, Direction) else (real, imag)
                yield complex(a, b), expected


@for_each("dtype", DTYPES)
@for_each("name", COMPLEX)
def test_complex_cases(name, dtype):
    rel = 1e-5 if dtype == xp.complex64 else 1e-14
    for z, (real, imag) in rows(name):
        with np.errstate(all="ignore"):
            x = xp.asarray(np.array([z], dtype.dtype))
        if np.isfinite(z) != np.isfinite(np.asarray(x)[0]) or (z != 0 and np.asarray(x)[0] == 0):
            continue  # a number that only complex128 represents
        got = complex(np.asarray(getattr(xp, name)(x))[0])
        assert same(got.real, real, rel), (z, got, real, imag)
        assert same(got.imag, imag, rel), (z, got, real, imag)


@for_each("dtype", DTYPES)
@for_each("name", CONJUGATE)
def test_conjugation(name, dtype):
    z = every_complex(dtype)
    function = getattr(xp, name)
    assert_same(function(xp.conj(z)), xp.conj(function(z)))


@for_each("dtype", DTYPES)
@for_each("name", ODD)
def test_odd(name, dtype):
    z = every_complex(dtype)
    function = getattr(xp, name)
    assert_same(function(xp.negative(z)), xp.negative(function(z)))


@pytest.mark.parametrize("dtype", DTYPES)
def test_even(dtype):
    z = every_complex(dtype)
    assert_same(xp.cosh(xp.negative(z)), xp.cosh(z))


@for_each("dtype", DTYPES)
@for_each("name", TURNED)
def test_turned(name, dtype):
    z = every_complex(dtype)
    assert_same(getattr(xp, name)(z), TURNED[name](z), rtol=1e-5 if dtype == xp.complex64 else 1e-13)


def every_complex(dtype):
    grid = np.empty((len(PARTS), len(PARTS)), dtype.dtype)
    grid.real = np.array(PARTS)[:, None]
    grid.imag = np.array(PARTS)
    return xp.asarray(grid)


def assert_same(x, y, rtol=0.0):
    """Assert equality with signs of zeros; a NaN part equals NaN, and the other part's sign may be unspecified."""
    a, b = np.asarray(x).ravel(), np.asarray(y).ravel()
    open_sign = np.isnan(a.real) | np.isnan(a.imag) | np.isinf(a.real) | np.isinf(a.imag)
    for left, right in ((a.real, b.real), (a.imag, b.imag)):
        np.testing.assert_allclose(np.where(open_sign, abs(left), left), np.where(open_sign, abs(right), right), rtol=rtol)
        decided = ~open_sign & (left == 0)
        np.testing.assert_array_equal(np.signbit(left[decided]), np.signbit(right[decided]))


REAL_ONE = {
    "abs": [(nan, nan), (-0.0, 0.0), (-inf, inf)],
    "acos": [(nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (1.0, 0.0), (inf, inf)],
    "asin": [(nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)],
    "atanh": [(nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)],
    "ceil": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "cos": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)],
    "exp": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)],
    "floor": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan)],
    "log": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log1p": [(nan, nan), (-1.5, nan), (-1.0, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)],
    "log2": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "reciprocal": [(nan, nan), (0.0, inf), (-0.0, -inf), (inf, 0.0), (-inf, -0.0), (4.0, 0.25)],
    "round": [
        (inf, inf),
        (-inf, -inf),
        (0.0, 0.0),
        (-0.0, -0.0),
        (nan, nan),
        (0.5, 0.0),
        (1.5, 2.0),
        (-0.5, -0.0),
        (-2.5, -2.0),
    ],
    "sign": [(-2.0, -1.0), (-0.0, ZERO), (0.0, ZERO), (3.0, 1.0), (nan, nan), (inf, 1.0), (-inf, -1.0)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "square": [(nan, nan), (-0.0, 0.0), (-inf, inf), (-3.0, 9.0)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)],
    "trunc": [(3.0, 3.0), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (nan, nan), (-0.5, -0.0)],
}  # fmt: skip
ABOVE, BELOW = (0.5, 3.0), (-0.5, -3.0)
# function: (first operands, second operands, result)
REAL_TWO = {
    "add": [
        (nan, ANY, nan), (ANY, nan, nan), (inf, -inf, nan), (-inf, inf, nan), (inf, inf, inf), (-inf, -inf, -inf),
        (inf, FINITE, inf), (-inf, FINITE, -inf), (FINITE, inf, inf), (FINITE, -inf, -inf), (-0.0, -0.0, -0.0),
        (-0.0, 0.0, 0.0),
        (0.0, -0.0, 0.0), (0.0, 0.0, 0.0), (ZEROS, 3.0, 3.0), (3.0, ZEROS, 3.0), (3.0, -3.0, 0.0),
    ],
    "atan2": [
        (nan, ANY, nan), (ANY, nan, nan), (ABOVE, ZEROS, pi / 2), (0.0, ABOVE, 0.0), (0.0, 0.0, 0.0), (0.0, -0.0, pi),
        (0.0, BELOW, pi),
        (-0.0, ABOVE, -0.0), (-0.0, 0.0, -0.0), (-0.0, -0.0, -pi), (-0.0, BELOW, -pi), (BELOW, ZEROS, -pi / 2),
        (ABOVE, inf, 0.0),
        (ABOVE, -inf, pi), (BELOW, inf, -0.0), (BELOW, -inf, -pi), (inf, FINITE, pi / 2), (-inf, FINITE, -pi / 2),
        (inf, inf, pi / 4), (inf, -inf, 3 * pi / 4), (-inf, inf, -pi / 4), (-inf, -inf, -3 * pi / 4),
    ],
    "copysign": [
        (ABOVE[0], BELOW, -ABOVE[0]), (-3.0, -0.0, -3.0), (-3.0, 0.0, 3.0), (-3.0, ABOVE, 3.0),
        (3.0, math.copysign(nan, -1), -3.0),
        (-3.0, math.copysign(nan, 1), 3.0), (0.0, -1.0, -0.0), (inf, -0.0, -inf), (nan, 1.0, nan),
    ],
    "divide": [
        (nan, ANY, nan), (ANY, nan, nan), (INFINITIES, INFINITIES, nan), (ZEROS, ZEROS, nan), (0.0, ABOVE, 0.0),
        (-0.0, ABOVE, -0.0),
        (0.0, BELOW, -0.0), (-0.0, BELOW, 0.0), (ABOVE, 0.0, inf), (ABOVE, -0.0, -inf), (BELOW, 0.0, -inf),
        (BELOW, -0.0, inf),
        (inf, ABOVE, inf), (inf, BELOW, -inf), (-inf, ABOVE, -inf), (-inf, BELOW, inf), (ABOVE, inf, 0.0),
        (ABOVE, -inf, -0.0),
        (BELOW, inf, -0.0), (BELOW, -inf, 0.0),
    ],
    "floor_divide": [
        (nan, ANY, nan), (ANY, nan, nan), (INFINITIES, INFINITIES, nan), (ZEROS, ZEROS, nan), (0.0, ABOVE, 0.0),
        (-0.0, ABOVE, -0.0),
        (0.0, BELOW, -0.0), (-0.0, BELOW, 0.0), (ABOVE, 0.0, inf), (ABOVE, -0.0, -inf), (BELOW, 0.0, -inf),
        (BELOW, -0.0, inf),
        (inf, ABOVE, inf), (inf, BELOW, -inf), (-inf, ABOVE, -inf), (-inf, BELOW, inf), (ABOVE, inf, 0.0),
        (ABOVE, -inf, -0.0),
        (BELOW, inf, -0.0), (BELOW, -inf, 0.0), (7.0, 2.0, 3.0), (-7.0, 2.0, -4.0), (7.0, -2.0, -4.0),
        (-7.0, -2.0, 3.0),
        (0.5, 2.0, 0.0), (-0.5, 2.0, -1.0),
    ],
    "hypot": [
        (INFINITIES, ANY, inf), (ANY, INFINITIES, inf), (ZEROS, -3.0, 3.0), (-3.0, ZEROS, 3.0), (FINITE, nan, nan),
        (nan, nan, nan),
        (nan, FINITE, nan), (3.0, 4.0, 5.0), (ZEROS, ZEROS, 0.0),
    ],
    "logaddexp": [
        (nan, ANY, nan), (ANY, nan, nan), (inf, ANY[:-1], inf), (ANY[:-1], inf, inf), (-inf, -inf, -inf),
        (-inf, 2.0, 2.0),
        (1e4, 1e4, 1e4 + math.log(2)),
    ],
    "maximum": [(nan, ANY, nan), (ANY, nan, nan), (inf, FINITE, inf), (-inf, 2.0, 2.0)],
    "minimum": [(nan, ANY, nan), (ANY, nan, nan), (-inf, FINITE, -inf), (inf, 2.0, 2.0)],
    "multiply": [
        (nan, ANY, nan), (ANY, nan, nan), (INFINITIES, ZEROS, nan), (ZEROS, INFINITIES, nan), (inf, ABOVE, inf),
        (inf, BELOW, -inf),
        (-inf, BELOW, inf), (-inf, -inf, inf), (inf, -inf, -inf), (-0.0, 3.0, -0.0), (-0.0, -3.0, 0.0),
    ],
    "nextafter": [
        (nan, ANY, nan), (ANY, nan, nan), (-0.0, 0.0, 0.0), (0.0, -0.0, -0.0), (inf, inf, inf), (3.0, 3.0, 3.0),
    ],
    "pow": [
        ((-3.0, 0.0, -0.0, 2.0, inf, -inf), nan, nan), (ANY, ZEROS, 1.0), (nan, (1.0, -3.0, inf), nan),
        ((-3.0, 1.5), inf, inf),
        ((-3.0, 1.5), -inf, 0.0), ((1.0, -1.0), INFINITIES, 1.0), (1.0, ANY[:-1], 1.0), ((-0.5, 0.0, 0.5), inf, 0.0),
        ((-0.5, 0.0, 0.5), -inf, inf), (inf, ABOVE, inf), (inf, BELOW, 0.0), (-inf, (1.0, 3.0), -inf),
        (-inf, (0.5, 2.0), inf),
        (-inf, (-1.0, -3.0), -0.0), (-inf, (-0.5, -2.0), 0.0), (0.0, ABOVE, 0.0), (0.0, BELOW, inf),
        (-0.0, (1.0, 3.0), -0.0),
        (-0.0, (0.5, 2.0), 0.0), (-0.0, (-1.0, -3.0), -inf), (-0.0, (-0.5, -2.0), inf), (BELOW, (0.5, -1.5), nan),
    ],
    "remainder": [
        (nan, ANY, nan), (ANY, nan, nan), (INFINITIES, INFINITIES, nan), (ZEROS, ZEROS, nan), (0.0, ABOVE, 0.0),
        (-0.0, ABOVE, 0.0),
        (0.0, BELOW, -0.0), (-0.0, BELOW, -0.0), (ABOVE, ZEROS, nan), (BELOW, ZEROS, nan), (INFINITIES, ABOVE, nan),
        (INFINITIES, BELOW, nan), (3.0, inf, 3.0), (3.0, -inf, -inf), (-3.0, inf, inf), (-3.0, -inf, -3.0),
        (7.5, 2.0, 1.5),
        (-7.5, 2.0, 0.5), (7.5, -2.0, -0.5),
    ],
    "subtract": [
        (nan, ANY, nan), (inf, inf, nan), (-inf, -inf, nan), (inf, -inf, inf), (-0.0, 0.0, -0.0), (0.0, 0.0, 0.0),
        (3.0, 3.0, 0.0),
    ],
}  # fmt: skip
FLOATS = [xp.bfloat16, xp.float16, xp.float32, xp.float64]
TOLERANCE = {"bfloat16": 8e-3, "float16": 1e-3, "float32": 1e-6, "float64": 1e-15}


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", FLOATS, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", REAL_ONE)
def test_real_cases_of_one_operand(name, dtype):
    for x, expected in REAL_ONE[name]:
        got = getattr(xp, name)(xp.asarray([x], dtype=dtype))
        assert got.dtype == dtype
        assert same(float(got[0]), expected, TOLERANCE[dtype.name]), (x, got)


@for_each("dtype", FLOATS, identity=lambda dtype: dtype.name)
@for_each("name", REAL_TWO)
def test_real_cases_of_two_operands(name, dtype):
    for firsts, seconds, expected in REAL_TWO[name]:
        for a in many(firsts):
            for b in many(seconds):
                got = getattr(xp, name)(xp.asarray([a], dtype=dtype), xp.asarray([b], dtype=dtype))
                assert got.dtype == dtype
                assert same(float(got[0]), expected, TOLERANCE[dtype.name]), (a, b, got)


@pytest.mark.parametrize("dtype", DTYPES)
def test_abs_of_complex_numbers(dtype):
    cases = [
        (inf, nan, inf),
        (-inf, 3, inf),
        (nan, inf, inf),
        (nan, -inf, inf),
        (0.0, -3, 3),
        (-4, 0.0, 4),
        (nan, 1, nan),
        (1, nan, nan),
        (nan, nan, nan),
    ]
    for a, b, expected in cases:
        assert same(float(xp.abs(xp.asarray(complex(a, b), dtype=dtype))), expected, 1e-6)


@pytest.mark.parametrize("name, base", [("log2", 2.0), ("log10", 10.0)])
def test_logarithms_of_complex_numbers_by_change_of_base(name, base):
    z = every_complex(xp.complex128)
    expected = np.asarray(xp.log(z))
    got = np.asarray(getattr(xp, name)(z))
    np.testing.assert_allclose(got.real, expected.real / math.log(base), rtol=1e-14)
    np.testing.assert_allclose(got.imag, expected.imag / math.log(base), rtol=1e-14)


@pytest.mark.parametrize("values", [(1e-12, 1e-9), (-1e-9, 1e-7), (0.3, -0.7), (-0.9, 0.1), (1e-6, -1e-6)])
def test_small_complex_arguments_keep_their_digits(values):
    z = complex(*values)
    # Twenty terms of the series, in a higher precision than the functions have.
    a, b = Fraction(z.real), Fraction(z.imag)
    power, total, factorial = (Fraction(1), Fraction(0)), [Fraction(0), Fraction(0)], 1
    for n in range(1, 30):
        power = (power[0] * a - power[1] * b, power[0] * b + power[1] * a)
        factorial *= n
        total[0] += power[0] / factorial
        total[1] += power[1] / factorial
    got = complex(np.asarray(xp.expm1(xp.asarray(z, dtype=xp.complex128))))
    assert math.isclose(got.real, float(total[0]), rel_tol=1e-13, abs_tol=1e-300)
    assert math.isclose(got.imag, float(total[1]), rel_tol=1e-13, abs_tol=1e-300)
    back = complex(np.asarray(xp.log1p(xp.asarray(complex(got), dtype=xp.complex128))))
    assert cmath.isclose(back, z, rel_tol=1e-13)


@pytest.mark.parametrize("value", [1.5, float("nan")])
def test_nan_to_num_broadcasts_whether_or_not_there_is_a_nan(value):
    fills = xp.asarray([1.0, 2.0])
    for name in ("nan", "posinf", "neginf"):
        assert xp.nan_to_num(xp.asarray(value), **{name: fills}).shape == (2,)
        assert xp.nan_to_num(xp.asarray(value + 0j), **{name: fills}).shape == (2,)
        with pytest.raises(ValueError, match="nan_to_num"):
            xp.nan_to_num(xp.full(3, value), **{name: fills})
    expected = [1.0, 2.0] if value != value else [value] * 2
    assert np.asarray(xp.nan_to_num(xp.asarray(value), nan=fills)).tolist() == expected
    assert xp.nan_to_num(xp.asarray(1), nan=fills).shape == ()  # integers have no NaN, and JAX ignores the fill values
