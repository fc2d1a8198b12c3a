from fractions import Fraction

import numpy as np
import pytest

import supremum as xp


def test_average():
    x, weights = xp.asarray([[1.0, 3.0], [5.0, 7.0]]), xp.asarray([3, 1])
    assert float(xp.average(x)) == 4
    assert xp.average(x, axis=1, weights=weights).tolist() == [1.5, 5.5]
    mean, total = xp.average(x, axis=0, weights=weights, returned=True)
    assert mean.tolist() == [2, 4]
    assert total.tolist() == [4, 4]
    assert xp.average(x, axis=0, returned=True, keepdims=True)[1].tolist() == [[2, 2]]
    assert float(xp.average(x, axis=(1, 0), weights=xp.asarray([[1, 0], [0, 1]]))) == 4
    assert xp.average(xp.asarray([1, 2], dtype="int8")).dtype == "float32"
    assert float(xp.average(xp.ones(1000, dtype="bfloat16"), weights=xp.ones(1000, dtype="bfloat16"))) == 1


@pytest.mark.parametrize("kwargs", [{"weights": xp.ones(2)}, {"axis": 0, "weights": xp.ones(2)}])
def test_weights_that_do_not_fit(kwargs):
    with pytest.raises(ValueError, match="average"):
        xp.average(xp.ones((3, 2)), **kwargs)


def test_range():
    x = xp.asarray([[3, 9], [5, 1]], dtype="int8")
    assert xp.ptp(x).tolist() == 8
    assert xp.ptp(x, axis=1, keepdims=True).tolist() == [[6], [4]]
    assert xp.ptp(x).dtype == "int8"
    with pytest.raises(TypeError, match="bool"):
        xp.ptp(xp.asarray([True]))


ROWS = [[1.0, 2.0, 4.0, 5.0], [2.0, 1.0, 0.0, 5.0]]


def covariance(a, b, weights=None, free=None):
    weights = weights or [1] * len(a)
    total = sum(weights)
    mean = [sum(Fraction(x) * w for x, w in zip(row, weights, strict=True)) / total for row in (a, b)]
    products = zip(a, b, weights, strict=True)
    return float(sum((Fraction(x) - mean[0]) * (Fraction(y) - mean[1]) * w for x, y, w in products) / (free or total - 1))


def matrix(**kwargs):
    return [[pytest.approx(covariance(a, b, **kwargs), rel=1e-6) for b in ROWS] for a in ROWS]


def test_covariance():
    x = xp.asarray(ROWS)
    assert xp.cov(x).tolist() == matrix()
    assert xp.cov(x, bias=True).tolist() == matrix(free=4)
    assert xp.cov(x.T, rowvar=False).tolist() == matrix()
    assert xp.cov(x[0], x[1], ddof=2).tolist() == matrix(free=2)
    assert xp.cov(x, fweights=xp.asarray([1, 2, 0, 3])).tolist() == matrix(weights=[1, 2, 0, 3])
    weights = [1, 2, 0, 3]
    free = sum(weights) - Fraction(sum(w * w for w in weights), sum(weights))
    assert xp.cov(x, aweights=xp.asarray(weights)).tolist() == matrix(weights=weights, free=free)
    assert float(xp.cov(x[0])) == pytest.approx(covariance(ROWS[0], ROWS[0]))
    assert xp.cov(x, dtype="float16").dtype == "float16"


def test_correlation():
    x = xp.asarray(ROWS)
    both = covariance(*ROWS) / (covariance(ROWS[0], ROWS[0]) * covariance(ROWS[1], ROWS[1])) ** 0.5
    assert xp.corrcoef(x).tolist() == [[pytest.approx(1), pytest.approx(both)], [pytest.approx(both), pytest.approx(1)]]
    assert float(xp.corrcoef(x[0])) == 1
    assert xp.corrcoef(x.astype("bfloat16")).dtype == "bfloat16"


def test_nothing():
    assert xp.cov(xp.zeros((0, 3))).shape == (0, 0)
    assert xp.isnan(xp.cov(xp.zeros((2, 0)))).tolist() == [[True, True], [True, True]]


@pytest.mark.parametrize(
    "args, kwargs, error",
    [
        ((xp.ones((1, 2, 3)),), {}, ValueError),
        ((xp.ones(3), xp.ones(2)), {}, ValueError),
        ((xp.ones(3),), {"dtype": "int32"}, ValueError),
        ((xp.ones(3),), {"fweights": xp.ones(3)}, TypeError),
        ((xp.ones(3),), {"fweights": xp.ones(2, dtype="int32")}, ValueError),
        ((xp.ones(3),), {"aweights": xp.ones((1, 3))}, ValueError),
    ],
)
def test_errors(args, kwargs, error):
    with pytest.raises(error, match="cov"):
        xp.cov(*args, **kwargs)


@pytest.mark.parametrize("name", ["cov", "corrcoef"])
def test_samples_in_any_layout_have_the_same_moments_to_the_last_bit(name):
    data = np.random.default_rng(0).normal(size=(2, 9)).astype(np.float32)
    wanted = getattr(xp, name)(xp.asarray(data)).tolist()
    for other in (np.asfortranarray(data), np.repeat(data, 2, axis=1)[:, ::2], np.ascontiguousarray(data[:, ::-1])[:, ::-1]):
        assert getattr(xp, name)(xp.asarray(other)).tolist() == wanted
