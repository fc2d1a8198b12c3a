"""Elementwise functions of narrow dtypes for every value, and every pair of 8-bit values, against float64 rounded once."""

import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp

EIGHT = [
    "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
    "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
]  # fmt: skip
BITS = {"float4_e2m1fn": 4, "float6_e2m3fn": 6, "float6_e3m2fn": 6}


def maximum(a, b):
    """Return the greater number, where 0.0 is greater than -0.0 as in JAX: a sum of two zeros is 0.0 if either is."""
    return np.where((a == 0) & (b == 0), a + b, np.maximum(a, b))


def minimum(a, b):
    return -maximum(-a, -b)


ONE = {
    "abs": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "deg2rad": np.deg2rad,
    "exp": np.exp,
    "exp2": np.exp2, "expm1": np.expm1, "fabs": np.fabs, "floor": np.floor, "isfinite": np.isfinite, "isinf": np.isinf,
    "isnan": np.isnan, "isneginf": np.isneginf, "isposinf": np.isposinf, "log": np.log, "log10": np.log10, "log1p": np.log1p,
    "log2": np.log2, "logical_not": np.logical_not, "negative": np.negative, "positive": np.positive, "rad2deg": np.rad2deg,
    "reciprocal": np.reciprocal, "rint": np.rint, "round": np.rint, "sign": np.sign, "signbit": np.signbit, "sin": np.sin,
    "sinh": np.sinh, "sqrt": np.sqrt, "square": np.square, "tan": np.tan, "tanh": np.tanh, "trunc": np.trunc,
}  # fmt: skip
TWO = {
    "add": np.add, "atan2": np.arctan2, "copysign": np.copysign, "divide": np.divide, "equal": np.equal, "fmax": np.fmax,
    "fmin": np.fmin, "fmod": np.fmod, "greater": np.greater, "heaviside": np.heaviside, "hypot": np.hypot, "less": np.less,
    "less_equal": np.less_equal, "logaddexp": np.logaddexp, "logical_xor": np.logical_xor, "maximum": maximum,
    "minimum": minimum, "multiply": np.multiply, "not_equal": np.not_equal, "pow": np.power, "remainder": np.remainder,
    "subtract": np.subtract,
}  # fmt: skip


def every_value(name):
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    count = 1 << BITS.get(name, dtype.itemsize * 8)
    return np.arange(count, dtype=f"uint{8 * dtype.itemsize}").view(dtype)


@np.errstate(all="ignore")
def check(got, function, *operands):
    """Check that the result is the exact one rounded once; near a tie, both neighbours are accepted."""
    got = np.asarray(got)
    exact = function(*[x.astype(np.float64) for x in operands])
    if exact.dtype == bool:
        np.testing.assert_array_equal(got, exact)
        return
    assert got.dtype == operands[0].dtype
    fits = np.any([same(got, (exact * slightly).astype(got.dtype)) for slightly in (1, 1 - 5e-7, 1 + 5e-7)], axis=0)
    if "float4" in got.dtype.name or "float6" in got.dtype.name:
        fits |= np.isnan(exact)  # dtypes without NaN
    if function is np.sign:
        fits |= (got == 0) & (exact == 0)  # a zero of either sign
    wrong = np.flatnonzero(~fits)
    assert not wrong.size, [(*[x.ravel()[i] for x in operands], got.ravel()[i], exact.ravel()[i]) for i in wrong[:3]]


def same(x, y):
    x, y = x.astype(np.float64), y.astype(np.float64)
    return ((x == y) & (np.signbit(x) == np.signbit(y))) | (np.isnan(x) & np.isnan(y))


@pytest.mark.combinations
@pytest.mark.parametrize("name", [*EIGHT, "bfloat16", "float16"])
@pytest.mark.parametrize("function", ONE)
def test_every_value(function, name):
    values = every_value(name)
    check(getattr(xp, function)(xp.asarray(values)), ONE[function], values)


@pytest.mark.combinations
@pytest.mark.parametrize("name", EIGHT)
@pytest.mark.parametrize("function", TWO)
def test_every_pair(function, name):
    values = every_value(name)
    pairs = [np.ascontiguousarray(side) for side in np.meshgrid(values, values)]
    check(getattr(xp, function)(*map(xp.asarray, pairs)), TWO[function], *pairs)


@np.errstate(all="ignore")
@for_each("name", EIGHT)
def test_every_neighbour(name):
    values = every_value(name)
    numbers = values.astype(np.float64)
    line = np.unique(numbers[~np.isnan(numbers)])
    x, y = (side.ravel() for side in np.meshgrid(values, values))
    a, b = x.astype(np.float64), y.astype(np.float64)
    unknown = np.isnan(a) | np.isnan(b)
    place = np.searchsorted(line, a) + np.where(b > a, 1, -1)
    expected = np.where(unknown, np.nan, np.where(a == b, b, line[place.clip(0, line.size - 1)]))
    got = np.asarray(xp.nextafter(xp.asarray(x), xp.asarray(y)))
    assert got.dtype == values.dtype
    np.testing.assert_array_equal(got.astype(np.float64), expected)
    zeros = (a == b) & (b == 0)
    np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(y[zeros]))


@for_each("name", [*EIGHT, "bfloat16"])
def test_spacing_is_the_way_to_the_next_number(name):
    values = every_value(name)
    x = xp.asarray(values[np.isfinite(values.astype(np.float32))])
    away = xp.nextafter(x, xp.copysign(xp.asarray(np.inf, dtype=x.dtype), x)) if name != "float8_e8m0fnu" else None
    if away is None or bool(xp.any(xp.isnan(away))):
        return  # the dtype has no infinity, and its greatest number no upper neighbour
    step = np.asarray(away).astype(np.float64) - np.asarray(x).astype(np.float64)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.asarray(xp.spacing(x)), step.astype(values.dtype))


@pytest.mark.parametrize("name", ["int2", "uint2", "int4", "uint4"])
def test_small_integers_wrap(name):
    bits, signed = int(name[-1]), name[0] == "i"
    low = -(1 << (bits - 1)) if signed else 0
    numbers = np.arange(low, low + (1 << bits))
    x, y = (side.ravel() for side in np.meshgrid(numbers, numbers))
    a, b = xp.asarray(x, dtype=name), xp.asarray(y, dtype=name)

    def wrapped(values):
        return (values - low) % (1 << bits) + low

    for function, exact in {
        "add": x + y,
        "subtract": x - y,
        "multiply": x * y,
        "bitwise_and": x & y,
        "bitwise_xor": x ^ y,
    }.items():
        got = getattr(xp, function)(a, b)
        assert got.dtype == name
        np.testing.assert_array_equal(np.asarray(got).astype(int), wrapped(exact), err_msg=function)
    np.testing.assert_array_equal(np.asarray(xp.bitwise_invert(a)).astype(int), wrapped(~x))
    np.testing.assert_array_equal(np.asarray(xp.negative(a)).astype(int), wrapped(-x))
    some = y != 0
    for function, exact in {"floor_divide": x[some] // y[some], "remainder": x[some] % y[some]}.items():
        got = getattr(xp, function)(a[xp.asarray(some)], b[xp.asarray(some)])
        np.testing.assert_array_equal(np.asarray(got).astype(int), wrapped(exact), err_msg=function)


@for_each("name", ["float16", "bfloat16"])
@for_each("function", ["fmax", "fmin"])
@for_each("size", [1, 3, 40])
def test_signalling_nan_is_missing_as_quiet_nan_is(name, function, size):
    code = {"float16": 0x7D01, "bfloat16": 0x7FA0}[name]
    nan = xp.asarray(np.full(size, code, np.uint16)).view(name)
    assert xp.isnan(nan).all()
    one = xp.ones(size, dtype=name)
    for x, y in ((nan, one), (one, nan), (nan[::-1], one)):
        assert getattr(xp, function)(x, y).tolist() == [1] * size
    assert xp.isnan(getattr(xp, function)(nan, nan)).all()


@pytest.mark.parametrize("shape", [(3,), (33, 130), (4, 1)])
def test_a_dtype_without_zero_refuses_it_in_every_shape_and_layout(shape):
    x = xp.ones(shape, dtype="float8_e8m0fnu")
    for given in (x, x.T, xp.asarray(np.repeat(x._data, 2, axis=-1)[..., ::2])):
        with (
            xp.promotion.use("max"),
            pytest.raises(ValueError, match=r"^less: the Python number .* is not representable in float8_e8m0fnu"),
        ):
            given < False


@for_each("name", EIGHT)
def test_spacing_does_not_depend_on_other_elements(name):
    codes = np.arange(1 << BITS.get(name, 8), dtype=np.uint8).view(name)
    together = np.asarray(xp.spacing(xp.asarray(codes)))
    alone = np.concatenate([np.asarray(xp.spacing(xp.asarray(codes[i : i + 1]))) for i in range(codes.size)])
    assert together.tobytes() == alone.tobytes()
