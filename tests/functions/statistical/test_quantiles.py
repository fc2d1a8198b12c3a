"""Quantiles; interpolated values are computed with fractions."""

import math
from fractions import Fraction

import numpy as np
import pytest

import supremum as xp

DATA = [9.0, 1.0, 4.0, 16.0, 25.0]
ORDERED = sorted(DATA)
NAN = float("nan")


def expected(q, method):
    position = Fraction(q) * (len(DATA) - 1)
    low, high = ORDERED[math.floor(position)], ORDERED[math.ceil(position)]
    part = position - math.floor(position)
    return {
        "linear": low * (1 - part) + high * part,
        "lower": low,
        "higher": high,
        "midpoint": (low + high) / 2,
        "nearest": low if part <= Fraction(1, 2) else high,
        "inverted_cdf": next(x for i, x in enumerate(ORDERED, 1) if Fraction(i, len(DATA)) >= Fraction(q)),
    }[method]


@pytest.mark.combinations
@pytest.mark.parametrize("q", [0.0, 0.25, 0.3125, 0.40625, 0.5, 0.875, 1.0])
@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"])
@pytest.mark.parametrize("name", ["float32", "float64", "int16"])
def test_methods(name, method, q):
    x = xp.asarray(DATA).astype(name)
    value = float(expected(q, method))
    for result in (
        xp.quantile(x, q, method=method),
        xp.percentile(x, 100 * q, method=method),
        xp.nanquantile(x, q, method=method),
        xp.nanpercentile(x, 100 * q, method=method),
    ):
        assert float(result) == pytest.approx(value, rel=1e-6)
        assert result.dtype == ("float32" if name == "int16" else name)


def test_shapes():
    x = xp.reshape(xp.arange(24.0), (2, 3, 4))
    q = xp.asarray([0.25, 0.5])
    assert xp.quantile(x, q).shape == (2,)
    assert xp.quantile(x, q, axis=1).shape == (2, 2, 4)
    assert xp.quantile(x, 0.5, axis=(0, 2)).shape == (3,)
    assert xp.quantile(x, q, axis=(0, 2), keepdims=True).shape == (2, 1, 3, 1)
    assert xp.median(x, axis=(0, 1), keepdims=True).tolist() == [[[10, 11, 12, 13]]]
    assert xp.nanquantile(x, q, axis=-1).shape == (2, 2, 3)
    assert xp.median(x, axis=()).tolist() == x.tolist()


def test_nan():
    x = xp.asarray([[1.0, NAN, 3.0, 2.0], [NAN, NAN, NAN, NAN]])
    assert all(math.isnan(v) for v in xp.median(x, axis=1).tolist())
    some, none = xp.nanmedian(x, axis=1).tolist()
    assert some == 2
    assert math.isnan(none)
    assert float(xp.nanquantile(x, 1.0, method="higher")) == 3
    assert math.isnan(float(xp.quantile(xp.asarray([1.0, NAN]), 0.0, method="lower")))


@pytest.mark.parametrize("name", ["bfloat16", "float16", "float8_e4m3fn", "int4", "uint8"])
def test_narrow_dtypes(name):
    x = xp.asarray([1, 2, 4]).astype(name)
    assert float(xp.median(x)) == 2
    assert float(xp.quantile(x, 0.75)) == 3
    assert xp.quantile(x, 0.75).dtype == (name if "float" in name else "float32")
    assert float(xp.quantile(x, 0.5, method="inverted_cdf")) == 2


def test_a_python_number_is_as_precise_as_the_array():
    x = xp.asarray([0.0, 1.0], dtype="float64")
    assert float(xp.quantile(x, 0.1)) == 0.1


def test_weights():
    x, weights = xp.asarray([3.0, 1.0, 2.0]), xp.asarray([2, 1, 1])
    assert float(xp.quantile(x, 0.5, weights=weights, method="inverted_cdf")) == 2
    assert float(xp.quantile(x, 0.75, weights=weights, method="inverted_cdf")) == 3
    assert math.isnan(float(xp.quantile(x, 0.5, weights=-weights, method="inverted_cdf")))
    both = xp.stack([x, x])
    assert xp.quantile(both, 0.5, axis=1, weights=weights, method="inverted_cdf").tolist() == [2, 2]
    with pytest.raises(NotImplementedError, match="inverted_cdf"):
        xp.quantile(x, 0.5, weights=weights)
    with pytest.raises(ValueError, match="weights"):
        xp.quantile(both, 0.5, weights=weights, method="inverted_cdf")
    with pytest.raises(ValueError, match="weights"):
        xp.quantile(both, 0.5, axis=0, weights=weights, method="inverted_cdf")


@pytest.mark.parametrize(
    "args, kwargs, error",
    [
        ((0.5,), {"method": "hazen"}, ValueError),
        ((0.5,), {"out": 1}, ValueError),
        ((0.5,), {"overwrite_input": True}, ValueError),
        ((xp.ones((1, 1)),), {}, ValueError),
        ((1,), {}, TypeError),
        (([0.5],), {}, TypeError),
        ((0.5,), {"axis": 1}, ValueError),
    ],
)
def test_errors(args, kwargs, error):
    with pytest.raises(error, match="quantile"):
        xp.quantile(xp.asarray(DATA), *args, **kwargs)


def test_no_order_of_complex_numbers_and_no_quantile_of_nothing():
    with pytest.raises(ValueError, match="complex"):
        xp.quantile(xp.asarray([1j]), 0.5)
    for function in (xp.median, xp.nanmedian):
        with pytest.raises(ValueError, match="median"):
            function(xp.zeros((0,)))


def test_many_elements():
    data = np.random.default_rng(0).permutation(10001)
    x = xp.asarray(data.astype(np.float32))
    assert xp.quantile(x, xp.asarray([0.0, 0.25, 0.5, 1.0])).tolist() == [0, 2500, 5000, 10000]


def test_python_numbers_have_the_precision_of_the_result():
    x = xp.asarray([1.0, 2.0, 4.0, 8.0], dtype="float64")
    assert float(xp.quantile(x, 0.1)).hex() == "0x1.4cccccccccccdp+0"  # JAX's
