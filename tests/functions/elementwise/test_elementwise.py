"""Elementwise functions with more code than a row of the table; expected values are JAX 0.10.2's, the standard's, or exact."""

import math

import numpy as np
import pytest

import supremum as xp

nan, inf = math.nan, math.inf


def same(array, values, dtype, *, weak=False, rtol=1e-6):
    assert array.dtype == dtype
    assert array.weak_type is weak
    np.testing.assert_allclose(np.asarray(array), np.asarray(values), rtol=rtol)


class TestClip:
    @pytest.mark.parametrize(
        "dtype, values, low, high, expected",
        [
            ("uint8", [0, 7, 200, 255], -5, 300, [0, 7, 200, 255]),
            ("uint8", [0, 7], -5, -3, [0, 0]),
            ("uint8", [0, 7], 300, 400, [255, 255]),
            ("int8", [-128, 0, 127], -500, 2, [-128, 0, 2]),
            ("int8", [-128, 0, 127], 200, None, [127, 127, 127]),
            ("int32", [-5, 5], 2**40, None, [2**31 - 1] * 2),
            ("int64", [-5, 5], None, 2**70, [-5, 5]),
            ("uint64", [0, 2**64 - 1], -1, 2**64, [0, 2**64 - 1]),
            ("int4", [-8, 7], -100, 3, [-8, 3]),
            ("float32", [-1.5, nan, inf], -(2**2000), 2**2000, [-1.5, nan, inf]),
            ("bfloat16", [-1.5, nan, 4.0], 0, 2.5, [0, nan, 2.5]),
        ],
    )
    def test_bounds_are_exact(self, dtype, values, low, high, expected):
        got = xp.clip(xp.asarray(values, dtype=dtype), low, high)
        assert got.dtype == dtype
        np.testing.assert_array_equal(np.asarray(got).astype(object).astype(float), np.asarray(expected, float))

    @pytest.mark.parametrize("x64", ["explicit", "on", "off"])
    def test_dtypes(self, x64):
        with xp.config.use(x64=x64):
            small = xp.asarray([1, 5, 9], dtype="uint8")
            assert xp.clip(small, 0.5, 2).weak_type
            assert xp.clip(small, 0.5, 2).dtype == xp.asarray(0.5).dtype
            same(xp.clip(small, xp.asarray(2, dtype="int32"), xp.asarray(7, dtype="int16")), [2, 5, 7], "int32")
            same(xp.clip(small, 2.5, xp.asarray(7, dtype="float16")), [2.5, 5, 7], "float16")
            assert xp.clip(5, 1, 3).weak_type
            assert xp.clip(xp.asarray([True, False]), 1, 3).weak_type

    def test_missing_bounds(self):
        x = xp.asarray([1, 5, 9])
        copy = xp.clip(x)
        same(copy, [1, 5, 9], "int32")
        assert not np.shares_memory(np.asarray(copy), np.asarray(x))
        same(xp.clip(x, min=3), [3, 5, 9], "int32")
        same(xp.clip(x, max=3), [1, 3, 3], "int32")

    def test_crossed_bounds_and_nan(self):
        x = xp.asarray([0.5, nan, 7.0])
        same(xp.clip(x, 5, 3), [3, nan, 3], "float32")
        same(xp.clip(x, nan, 3), [nan, nan, nan], "float32")

    def test_broadcasting(self):
        same(xp.clip(xp.arange(3), xp.asarray([[1], [2]])), [[1, 1, 2], [2, 2, 2]], "int32")
        with pytest.raises(ValueError, match="broadcast"):
            xp.clip(xp.arange(3), xp.arange(4))

    @pytest.mark.parametrize(
        "arguments, error",
        [
            ((), ValueError),
            (([1, 2], 1, 3), TypeError),
            ((xp.asarray([1, 2]), "a"), TypeError),
            ((xp.asarray([1, 2]), [1, 2]), TypeError),
            ((xp.asarray([1j]), 1, 3), ValueError),
            ((xp.asarray([1.0]), 1j), ValueError),
            ((xp.asarray([1.0]), None, xp.asarray(1j)), ValueError),
        ],
    )
    def test_refusals(self, arguments, error):
        with pytest.raises(error, match="clip"):
            xp.clip(*arguments)


class TestRound:
    @pytest.mark.parametrize(
        "values, decimals, expected",
        [
            ([0.5, 1.5, -2.5, -0.4], 0, [0, 2, -2, -0.0]),
            ([3.14159, -2.71828], 2, [3.14, -2.72]),
            ([15.0, 25.0, 1234.5], -1, [20, 20, 1230]),
            ([nan, inf, -inf, 1e30], 3, [nan, inf, -inf, 1e30]),
            ([3e38], 30, [3e38]),
            ([1 + 2.456j], 1, [1 + 2.5j]),
        ],
    )
    def test_decimals(self, values, decimals, expected):
        for function in (xp.round, xp.around):
            same(
                function(xp.asarray(values), decimals), expected, "complex64" if isinstance(values[0], complex) else "float32"
            )

    def test_integers(self):
        same(xp.round(xp.asarray([15, 25]), 2), [15, 25], "int32")
        with pytest.raises(NotImplementedError, match="round"):
            xp.round(xp.asarray([15, 25]), -1)

    def test_narrow(self):
        assert float(xp.round(xp.asarray(2.71828, dtype="bfloat16"), 1)) == 2.703125  # the bfloat16 number nearest to 2.7

    @pytest.mark.parametrize("decimals", [1.5, 0.0, "a", None])
    def test_decimals_are_integers(self, decimals):
        with pytest.raises(TypeError):
            xp.round(xp.asarray(2.5), decimals)

    def test_refusals(self):
        with pytest.raises(NotImplementedError, match="round"):
            xp.round(xp.asarray(2.5), out=xp.asarray(2.5))
        with pytest.raises(ValueError, match="round"):
            xp.round(xp.asarray(True))

    @pytest.mark.parametrize("x64, dtype", [("explicit", "float32"), ("on", "float64"), ("off", "float32")])
    def test_rint_of_integers_is_the_default_float(self, x64, dtype):
        with xp.config.use(x64=x64):
            same(xp.rint(xp.asarray([1, 2], dtype="int8")), [1, 2], dtype)
            same(xp.rint(xp.asarray([0.5, 1.5], dtype="float32")), [0, 2], "float32")
            same(xp.rint(2), 2, dtype)
            assert xp.rint(2.5).weak_type


class TestParts:
    def test_divmod(self):
        quotient, rest = xp.divmod(xp.asarray([7, -7]), 4)
        same(quotient, [1, -2], "int32")
        same(rest, [3, 1], "int32")
        with pytest.raises(TypeError, match="divmod"):
            xp.divmod([1], 2)

    @pytest.mark.parametrize("dtype", ["float8_e4m3fn", "bfloat16", "float16", "float32", "float64"])
    def test_frexp_and_ldexp(self, dtype):
        values = xp.asarray([8.0, -0.3, 0.0, -0.0, 0.015625, 448.0], dtype=dtype)
        mantissa, exponent = xp.frexp(values)
        assert (mantissa.dtype, exponent.dtype) == (dtype, "int32")
        assert np.asarray(exponent).tolist() == [4, -1, 0, 0, -5, 9]
        back = xp.ldexp(mantissa, exponent)
        assert back.dtype == dtype
        np.testing.assert_array_equal(np.asarray(back), np.asarray(values))

    def test_frexp_of_what_has_no_exponent(self):
        mantissa, exponent = xp.frexp(xp.asarray([inf, -inf, nan]))
        same(mantissa, [inf, -inf, nan], "float32")
        same(exponent, [0, 0, 0], "int32")

    def test_ldexp_of_any_exponent(self):
        same(xp.ldexp(1.0, xp.asarray([2**63, 0], dtype="uint64")), [inf, 1], "float32")
        same(xp.ldexp(xp.asarray([1.0, 3.0]), xp.asarray([-(2**31), -149])), [0, 3 * 2.0**-149], "float32")
        same(xp.ldexp(xp.asarray([1, 2]), 3), [8, 16], "float32")

    @pytest.mark.parametrize("arguments", [(1.0, 2.0), (1j, 2), (xp.asarray([1.0]), xp.asarray([1.0]))])
    def test_ldexp_refuses(self, arguments):
        with pytest.raises(ValueError, match="ldexp"):
            xp.ldexp(*arguments)

    def test_modf(self):
        fraction, whole = xp.modf(xp.asarray([1.75, -2.5, 3.0]))
        same(fraction, [0.75, -0.5, 0], "float32")
        same(whole, [1, -2, 3], "float32")
        assert all(part.dtype == "bfloat16" for part in xp.modf(xp.asarray(1.5, dtype="bfloat16")))
        for function in (xp.modf, xp.frexp):
            with pytest.raises(TypeError, match=function.__name__):
                function(xp.asarray(1j))
        with pytest.raises(NotImplementedError, match="modf"):
            xp.modf(1.5, xp.asarray(1.0))


class TestNanToNum:
    @pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "float64", "float8_e5m2"])
    def test_limits(self, dtype):
        got = xp.nan_to_num(xp.asarray([nan, inf, -inf, 1.5], dtype=dtype))
        assert got.dtype == dtype
        info = xp.finfo(dtype)
        assert [float(x) for x in got] == [0.0, info.max, info.min, 1.5]

    def test_replacements(self):
        x = xp.asarray([nan, inf, -inf, 1.5])
        same(xp.nan_to_num(x, nan=7, posinf=xp.asarray(8.0), neginf=-9.0), [7, 8, -9, 1.5], "float32")
        same(xp.nan_to_num(x, True, xp.asarray([1, 2, 3, 4]), 0, 0), [1, 0, 0, 1.5], "float32")
        same(xp.nan_to_num(xp.asarray([complex(nan, inf)]), posinf=3), [3j], "complex64")
        same(xp.nan_to_num(xp.asarray([1, 2])), [1, 2], "int32")
        same(xp.nan_to_num(2), 2, "int32", weak=True)
        same(xp.nan_to_num(2.5), 2.5, "float32")


class TestComplexParts:
    def test_angle(self):
        same(xp.angle(xp.asarray([1j, -1 + 0j])), [math.pi / 2, math.pi], "float32")
        same(xp.angle(xp.asarray([1j]), True), [90], "float32")
        same(xp.angle(xp.asarray([-2, 2], dtype="int8")), [math.pi, 0], "float32")
        assert xp.angle(1j).weak_type
        assert xp.angle(xp.asarray([-1.0], dtype="bfloat16")).dtype == "bfloat16"
        assert xp.angle(xp.asarray(-1.0, dtype="bfloat16")).dtype == "float32"

    def test_predicates(self):
        same(xp.iscomplex(xp.asarray([1 + 2j, 3])), [True, False], "bool")
        same(xp.isreal(xp.asarray([1 + 2j, 3])), [False, True], "bool")
        same(xp.isreal(xp.asarray([1, 2])), [True, True], "bool")

    @pytest.mark.parametrize("x", [1j, np.complex64(1), xp.asarray(1j), np.array([1j]), [1, 2j], xp.complex64])
    def test_complex_objects(self, x):
        assert xp.iscomplexobj(x) is True
        assert xp.isrealobj(x) is False

    @pytest.mark.parametrize("x", [1, 2.5, True, None, "a", [1, 2.5], xp.asarray(1), np.float32(1)])
    def test_real_objects(self, x):
        assert xp.iscomplexobj(x) is False
        assert xp.isrealobj(x) is True


class TestUnwrap:
    def test_radians(self):
        expected = np.unwrap(np.array([0, 3, 6.2, 0.1, -3.0]))
        same(xp.unwrap(xp.asarray([0, 3, 6.2, 0.1, -3.0])), expected, "float32", rtol=1e-4)

    def test_integers_with_a_period(self):
        same(xp.unwrap(xp.asarray([0, 3, 6, 1, 4]), period=8), [0, 3, 6, 9, 12], "int32")

    def test_axis_and_discontinuity(self):
        x = np.array([[0.0, 4.0], [5.0, 0.0]])
        same(xp.unwrap(xp.asarray(x), axis=0), np.unwrap(x, axis=0), "float64")
        same(xp.unwrap(xp.asarray(x), 6), np.unwrap(x, 6), "float64")
        assert xp.unwrap(xp.asarray(np.zeros((0, 2)))).shape == (0, 2)

    @pytest.mark.parametrize("x, axis, error", [([1.0], 1, IndexError), (1.0, -1, IndexError), ([1j], -1, ValueError)])
    def test_refusals(self, x, axis, error):
        with pytest.raises(error, match="unwrap"):
            xp.unwrap(xp.asarray(x), axis=axis)


class TestOperands:
    @pytest.mark.parametrize("x64", ["explicit", "on", "off"])
    def test_scalars_on_either_side(self, x64):
        with xp.config.use(x64=x64):
            x = xp.asarray([1, 2], dtype="int8")
            same(xp.atan2(1, x), np.arctan2(1, [1, 2]), "float32")
            same(
                xp.maximum(1.5, xp.asarray([1, 2], dtype="bfloat16")),
                np.array([1.5, 2], "float32").astype(xp.bfloat16.dtype),
                "bfloat16",
            )
            same(xp.bitwise_and(6, x), [0, 2], "int8")
            same(xp.less(1.5, x), [False, True], "bool")
            assert xp.hypot(3, 4).weak_type

    def test_python_integers_wrap_as_in_jax(self):
        same(xp.add(300, xp.asarray([1, 2], dtype="uint8")), [45, 46], "uint8")
        same(xp.add(xp.asarray([1, 2], dtype="uint8"), 300), [45, 46], "uint8")
        with xp.config.use(x64="off"), pytest.raises(OverflowError):
            xp.add(2**40, xp.asarray([1, 2]))

    def test_arrays_of_numpy(self):
        x = xp.asarray([1, 2], dtype="int8")
        same(xp.hypot(np.array([3.0, 4.0], np.float32), x), np.hypot([3, 4], [1, 2]), "float32")
        same(xp.add(np.int16(1), x), [2, 3], "int16")

    def test_nothing_warns(self):
        x = xp.asarray([0.0, -1.0, inf, nan, 3e38])
        for name in ("log", "sqrt", "reciprocal", "exp", "sin", "acosh", "square", "expm1", "sinc", "i0", "exp2", "spacing"):
            getattr(xp, name)(x)
        for name in ("divide", "remainder", "floor_divide", "pow", "logaddexp2", "fmod", "multiply", "nextafter"):
            getattr(xp, name)(x, 0)
            getattr(xp, name)(xp.asarray([1, 0]), xp.asarray([0, 0]))

    def test_integer_division_by_zero_is_that_of_numpy(self):
        x, zero = xp.asarray([7, -7, 0]), xp.asarray(0)
        with np.errstate(all="ignore"):
            for name in ("floor_divide", "remainder", "fmod"):
                same(getattr(xp, name)(x, zero), getattr(np, name)(np.asarray(x), 0), "int32")

    def test_shifts_beyond_the_width(self):
        x = xp.asarray([1, -8, 7], dtype="int8")
        same(xp.bitwise_left_shift(x, 8), [0, 0, 0], "int8")
        same(xp.bitwise_right_shift(x, 9), [0, -1, 0], "int8")
        same(xp.bitwise_right_shift(xp.asarray([255], dtype="uint8"), 9), [0], "uint8")
        same(xp.bitwise_left_shift(True, xp.asarray([1, 2])), [2, 4], "int32")


@pytest.mark.parametrize("decimals", [1, -1])
def test_rounding_to_decimals_leaves_scalars_weak_only(decimals):
    x = xp.asarray(1.5)
    assert xp.round(x, decimals).weak_type
    assert not xp.round(xp.broadcast_to(x, (2,)), decimals).weak_type
    assert xp.round(xp.broadcast_to(x, (2,))).weak_type
