"""Sums are compared with exact ones of Python; dtypes and special values are the standard's, the rest JAX's."""

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
import versions
from common import for_each

import supremum as xp
from supremum.promotion._nodes import NODES

NARROW = [name for name, node in NODES.items() if node.kind == "f" and node.bits <= 16]
NAN = float("nan")


def numbers(name, size=700, seed=0):
    """Return random numbers that a dtype represents exactly, and the array of them in the dtype."""
    with np.errstate(all="ignore"):
        data = np.random.default_rng(seed).normal(size=size).astype(np.float32).astype(NODES[name].dtype)
    return data.astype(np.float64), xp.asarray(data)


def rounded(value, name):
    with np.errstate(all="ignore"):
        return float(versions.rounded(value, NODES[name].dtype))


class TestNarrowFloats:
    def test_a_thousand_ones(self):
        ones = xp.ones(1000, dtype="bfloat16")
        assert float(xp.sum(ones)) == 1000
        assert float(xp.mean(ones)) == 1
        assert xp.cumulative_sum(ones).tolist() == [rounded(i + 1, "bfloat16") for i in range(1000)]
        assert xp.cumsum(ones)[-1].tolist() == 1000
        assert float(xp.vecdot(ones, ones)) == 1000
        assert float(xp.var(ones)) == 0

    @pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "float8_e3m4"])
    def test_sums_are_rounded_once(self, name):
        exact, x = numbers(name)
        total = math.fsum(exact)
        # The error of the float32 sum is far less than half a unit in the last place of the narrow dtype.
        assert abs(float(xp.sum(x)) - total) <= 2 * float(xp.finfo(name).eps) * abs(total)
        assert float(xp.max(x)) == max(exact)
        assert float(xp.min(x)) == min(exact)

    @pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"])
    def test_large_arrays_as_small_ones(self, name):
        size = 1 << 18
        x = xp.asarray((np.arange(size) % 2).astype(NODES[name].dtype))
        assert float(xp.mean(x)) == 0.5
        assert float(xp.std(x)) == 0.5
        assert float(xp.max(x)) == 1
        assert xp.max(xp.reshape(x, (2, -1)), axis=1).tolist() == [1, 1]
        assert xp.mean(xp.reshape(x, (2, -1)), axis=1, keepdims=True).tolist() == [[0.5], [0.5]]

    @pytest.mark.parametrize("name", NARROW)
    def test_every_narrow_float_is_summed(self, name):
        x = xp.ones(3, dtype=name)
        total = xp.sum(x)
        assert total.dtype == name
        assert float(total) == rounded(3, name)

    def test_nan_is_the_extreme(self):
        for name in NARROW:
            with np.errstate(all="ignore"):
                nan = np.float32(NAN).astype(NODES[name].dtype)
            if np.isnan(nan.astype(np.float32)):
                x = xp.asarray(np.array([1, nan, 2]).astype(NODES[name].dtype))
                assert math.isnan(float(xp.max(x)))
                assert math.isnan(float(xp.min(x)))


class TestIntegers:
    @pytest.mark.parametrize("name", ["int8", "uint8", "int16", "uint16", "int4", "uint4"])
    def test_sums_are_exact(self, name):
        node = NODES[name]
        low, high = (-(1 << (node.bits - 1)), (1 << (node.bits - 1)) - 1) if node.kind == "i" else (0, (1 << node.bits) - 1)
        data = np.random.default_rng(1).integers(low, high, 500, endpoint=True)
        x = xp.asarray(data.astype(node.dtype))
        assert int(xp.sum(x)) == int(data.sum())
        assert xp.cumulative_sum(x).tolist() == np.cumsum(data).tolist()
        assert int(xp.max(x)) == int(data.max())
        assert float(xp.mean(x)) == pytest.approx(int(data.sum()) / 500, rel=1e-6, abs=1e-4)

    def test_without_promotion_they_wrap(self):
        x = xp.asarray([100, 100], dtype="int8")
        assert xp.sum(x, promote_integers=False).tolist() == -56
        assert xp.sum(x, promote_integers=False).dtype == "int8"
        assert xp.sum(xp.asarray([True, True]), promote_integers=False).dtype == "int32"
        assert xp.cumsum(x).tolist() == [100, -56]

    def test_int64_keeps_every_bit(self):
        x = xp.asarray([2**62, 2**62 - 1], dtype="int64")
        assert int(xp.sum(x)) == 2**63 - 1
        assert xp.mean(x).dtype == "float64"

    def test_means_of_integers_that_float32_cannot_hold(self):
        data = np.where(np.arange(99_991) % 2, 2**25 + 3, -(2**25))  # as float32, the first is 1 more
        exact = np.float32(float(Fraction(int(data.sum()), len(data))))
        x = xp.asarray(data.astype("int32"))
        assert xp.mean(x).tolist() == exact
        assert xp.mean(xp.reshape(x, (-1, 1)), axis=0).tolist() == [exact]
        assert xp.average(x).tolist() == exact

    def test_complex_parts_are_independent_in_means(self):
        mean = complex(xp.mean(xp.asarray([complex(NAN, 1), complex(2, 3)])))
        assert math.isnan(mean.real)
        assert mean.imag == 2


class TestDtype:
    def test_elements_are_cast_before_they_are_summed(self):
        assert int(xp.sum(xp.asarray([1.9, 1.9]), dtype="int32")) == 2
        assert int(xp.sum(xp.asarray([200, 100]), dtype="int8")) == 44
        assert float(xp.sum(xp.asarray([1.00390625, 1.0]), dtype="bfloat16")) == 2
        assert xp.sum(xp.asarray([3, 0]), dtype="bool").tolist() is True
        assert xp.prod(xp.asarray([3, 0]), dtype="bool").tolist() is False
        assert xp.cumsum(xp.asarray([0, 3, 0]), dtype="bool").tolist() == [False, True, True]
        assert xp.cumulative_prod(xp.asarray([2.5, 2.0]), dtype="int64").tolist() == [2, 4]

    def test_means(self):
        assert xp.mean(xp.asarray([-1, 0, -4]), dtype="int8").tolist() == -1
        assert xp.mean(xp.asarray([1, 2], dtype="int8"), dtype="float16").dtype == "float16"
        with pytest.raises(TypeError, match="mean"):
            xp.mean(xp.ones(2), dtype="bool")

    def test_variances(self):
        assert xp.var(xp.asarray([1, 3], dtype="int8"), dtype="float64").dtype == "float64"
        assert xp.var(xp.asarray([1j, 3j])).dtype == "float32"
        with pytest.raises(TypeError, match="var"):
            xp.var(xp.ones(2), dtype="int8")
        with pytest.raises(ValueError, match="std"):
            xp.std(xp.ones(2), dtype="int8")
        with pytest.raises(ValueError, match="complex"):
            xp.var(xp.asarray([1j]), dtype="float32")

    @pytest.mark.parametrize("function", ["sum", "mean", "var", "cumsum", "cumulative_sum", "nansum"])
    def test_no_dtype(self, function):
        with pytest.raises(TypeError, match=function):
            getattr(xp, function)(xp.ones(2), dtype="nonsense")


class TestMoments:
    data = (1.0, 2.0, 4.0, 9.0)

    def moment(self, correction=0):
        mean = Fraction(16, 4)
        return sum((Fraction(x) - mean) ** 2 for x in self.data) / (4 - Fraction(correction))

    @pytest.mark.parametrize("correction", [0, 1, 2, 0.5, -1])
    @pytest.mark.parametrize("name", ["float32", "float64"])
    def test_variance(self, name, correction):
        x = xp.asarray(self.data, dtype=name)
        assert float(xp.var(x, correction=correction)) == pytest.approx(float(self.moment(correction)), rel=1e-6)
        assert float(xp.std(x, ddof=correction)) == pytest.approx(math.sqrt(self.moment(correction)), rel=1e-6)

    @pytest.mark.parametrize("correction", [4, 5])
    def test_no_degrees_of_freedom(self, correction):
        assert math.isnan(float(xp.var(xp.asarray(self.data), correction=correction)))
        assert math.isnan(float(xp.std(xp.asarray(self.data), correction=correction)))

    def test_two_names_of_one_thing(self):
        with pytest.raises(ValueError, match="ddof"):
            xp.var(xp.ones(3), ddof=1, correction=1)

    def test_known_means(self):
        x = xp.asarray([[1.0, 3.0], [5.0, 9.0]])
        means = xp.mean(x, axis=1, keepdims=True)
        assert xp.var(x, axis=1, mean=means).tolist() == [1, 4]
        assert float(xp.var(x, mean=xp.asarray(0.0))) == (1 + 9 + 25 + 81) / 4

    def test_complex_variance_is_of_magnitudes(self):
        assert float(xp.var(xp.asarray([1 + 1j, -1 - 1j]))) == 2

    def test_large_arrays_are_summed_in_blocks(self):
        data = np.random.default_rng(2).normal(1e3, 1, 300_000)
        for name, tolerance in (("float32", 1e-4), ("float64", 1e-12)):
            x = xp.asarray(data, dtype=name)
            exact = np.asarray(x).astype(np.float64)
            assert float(xp.var(x)) == pytest.approx(exact.var(), rel=tolerance)
            assert xp.std(x, keepdims=True).shape == (1,)
            assert float(xp.var(xp.reshape(x, (3, -1)), correction=1)) == pytest.approx(exact.var(ddof=1), rel=tolerance)

    def test_nothing(self):
        assert math.isnan(float(xp.mean(xp.zeros((0,)))))
        assert math.isnan(float(xp.var(xp.zeros((0,)))))
        assert xp.mean(xp.zeros((0, 2)), axis=1).shape == (0,)


class TestCumulations:
    def test_initial(self):
        x = xp.asarray([[1, 2], [3, 4]], dtype="int8")
        assert xp.cumulative_sum(x, axis=1, include_initial=True).tolist() == [[0, 1, 3], [0, 3, 7]]
        assert xp.cumulative_prod(x, axis=0, include_initial=True).tolist() == [[1, 1], [1, 2], [3, 8]]
        assert xp.cumulative_sum(xp.zeros((0,)), include_initial=True).tolist() == [0]

    def test_axes(self):
        x = xp.ones((2, 3))
        assert xp.cumulative_sum(x, axis=-2).tolist() == [[1, 1, 1], [2, 2, 2]]
        with pytest.raises(ValueError, match="axis"):
            xp.cumulative_sum(x)
        with pytest.raises(ValueError, match="0-d"):
            xp.cumulative_prod(xp.asarray(1.0))
        with pytest.raises(ValueError, match="cumulative_sum"):
            xp.cumulative_sum(x, axis=2)
        with pytest.raises(TypeError, match="cumulative_sum"):
            xp.cumulative_sum(x, axis=(0, 1))
        assert xp.cumsum(x).shape == (6,)
        assert xp.cumsum(xp.asarray(2)).tolist() == [2]
        for name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):  # as in JAX
            with pytest.raises(ValueError, match=rf"^{name}: axis 0 is out of bounds for array of dimension 0"):
                getattr(xp, name)(xp.asarray(2), axis=0)

    def test_truth_values_are_counted(self):
        assert xp.cumsum(xp.asarray([True, True])).tolist() == [1, 2]
        assert xp.cumsum(xp.asarray([True, True])).dtype == "int32"

    def test_products_as_successive_multiplication(self):
        assert xp.cumulative_prod(xp.asarray([2.0, float("inf"), -1.0, 0.0])).tolist()[:3] == [2, math.inf, -math.inf]
        assert math.isnan(xp.cumulative_prod(xp.asarray([float("inf"), 0.0])).tolist()[1])


def test_extremes_have_two_names():
    assert xp.amax is xp.max
    assert xp.amin is xp.min


@pytest.mark.parametrize("action", ["error", "default"])
def test_no_warnings_of_numpys(action):
    big = xp.full((4,), 3e38)
    with warnings.catch_warnings(record=True) as caught:
        if action == "error":
            warnings.simplefilter("error")
        for function in (xp.sum, xp.prod, xp.mean, xp.var, xp.std, xp.cumsum, xp.cumulative_prod, xp.nansum, xp.nanvar):
            function(big)
            function(xp.asarray([float("inf"), float("-inf"), 1.0]))
        assert math.isnan(float(xp.mean(xp.zeros((0,)))))
    assert not caught


@for_each("name", list(NODES))
def test_truth_is_being_other_than_zero(name):
    if name == "float8_e8m0fnu":
        return  # the dtype has no zero
    x = xp.asarray(np.array([[1, 1], [0, 1], [0, 0]]).astype(NODES[name].dtype))
    assert xp.all(x, axis=1).tolist() == [True, False, False]
    assert xp.any(x, axis=1).tolist() == [True, True, False]
    assert xp.any(x).dtype == "bool"


def test_special_truths():
    assert xp.all(xp.asarray([math.nan, math.inf, -math.inf])).tolist() is True
    assert xp.any(xp.asarray([0j, complex(0, 1)])).tolist() is True
    assert xp.any(xp.asarray([-0.0])).tolist() is False
    assert xp.all(xp.zeros((0,))).tolist() is True
    assert xp.any(xp.zeros((0,))).tolist() is False
    assert xp.all(xp.asarray([0, 1]), where=xp.asarray([False, True])).tolist() is True
    assert xp.any(xp.asarray([0, 1]), where=xp.asarray([True, False])).tolist() is False
