"""Polynomials with integer roots and coefficients, whose arithmetic is exact."""

import math

import pytest

import supremum as xp
from supremum import config


@pytest.mark.parametrize("name", ["float32", "float64", "bfloat16", "int8", "complex64"])
def test_from_roots_and_back(name):
    coefficients = xp.poly(xp.asarray([1, 2, -3]).astype(name))
    assert coefficients.tolist() == [1, 0, -7, 6]
    assert coefficients.dtype == ("float32" if name == "int8" else name)
    found = sorted(xp.roots(coefficients).tolist(), key=lambda z: z.real)
    assert found == [pytest.approx(-3, abs=1e-4), pytest.approx(1, abs=1e-4), pytest.approx(2, abs=1e-4)]


def test_special_roots():
    assert xp.poly(xp.zeros((0,))).tolist() == 1
    assert xp.poly(xp.eye(2)).tolist() == [1, -2, 1]
    assert xp.poly(xp.asarray(2.0)).tolist() == [1, -2]
    assert sorted(xp.roots(xp.asarray([0.0, 1.0, -2.0, 0.0])).tolist(), key=abs) == [0, 2]
    assert xp.roots(xp.zeros(3)).shape == (0,)
    kept = xp.roots(xp.asarray([0.0, 1.0, -2.0]), strip_zeros=False)
    assert kept.tolist()[0] == 2
    assert math.isnan(kept.tolist()[1].real)
    with pytest.raises(ValueError, match="roots"):
        xp.roots(xp.ones((2, 2)))
    with pytest.raises(ValueError, match="poly"):
        xp.poly(xp.ones((2, 3)))


def test_sums():
    a, b = xp.asarray([1, 2, 3], dtype="int8"), xp.asarray([4, 5], dtype="int8")
    assert xp.polyadd(a, b).tolist() == [1, 6, 8]
    assert xp.polyadd(b, a).tolist() == [1, 6, 8]
    assert xp.polysub(a, b).tolist() == [1, -2, -2]
    assert xp.polysub(b, a).tolist() == [-1, 2, 2]
    assert xp.polysub(b.astype("uint8"), a.astype("uint8")).tolist() == [255, 2, 2]
    assert xp.polyadd(a, xp.asarray([0.5])).dtype == "float32"
    for function in (xp.polyadd, xp.polysub):
        with pytest.raises(TypeError, match="bool"):
            function(xp.asarray([True]), xp.asarray([True]))
        with pytest.raises(ValueError, match="1-d"):
            function(a, xp.ones((2, 2)))


def test_products_and_quotients():
    a, b = xp.asarray([1.0, 3.0, 5.0, 8.0]), xp.asarray([1.0, 1.0])
    quotient, remainder = xp.polydiv(a, b)
    assert quotient.tolist() == [1, 2, 3]
    assert remainder.tolist() == [0, 0, 0, 5]
    assert xp.polydiv(a, b, trim_leading_zeros=True)[1].tolist() == [5]
    assert xp.polyadd(xp.polymul(quotient, b), remainder).tolist() == a.tolist()
    assert xp.polydiv(b, a)[0].tolist() == [0]
    assert xp.polymul(xp.asarray([0.0, 1.0]), xp.asarray([0.0, 2.0]), trim_leading_zeros=True).tolist() == [2]
    assert xp.polymul(a, xp.zeros((0,))).tolist() == [0, 0, 0, 0]
    assert xp.polymul(xp.asarray([1, 2]), xp.asarray([3])).dtype == "float32"
    with pytest.raises(IndexError, match="polydiv"):
        xp.polydiv(a, xp.zeros((0,)))


def test_a_remainder_that_begins_with_nan_keeps_it():
    # As JAX 0.10.2: NaN is not a leading zero.
    nan = float("nan")
    a, b = xp.asarray([1.0, 2.0, nan, 4.0]), xp.asarray([1.0, nan])
    assert xp.isnan(xp.polydiv(a, b, trim_leading_zeros=True)[1]).tolist() == [True, True, True]
    assert xp.polydiv(xp.asarray([1.0, 2.0, 1.0]), xp.asarray([1.0, 1.0]), trim_leading_zeros=True)[1].shape == (0,)


def test_derivatives_and_integrals():
    p = xp.asarray([4.0, 3.0, 2.0, 1.0])
    assert xp.polyder(p).tolist() == [12, 6, 2]
    assert xp.polyder(p, 2).tolist() == [24, 6]
    assert xp.polyder(p, 5).shape == (0,)
    assert xp.polyder(p, 0).tolist() == p.tolist()
    assert xp.polyint(xp.asarray([12.0, 6.0, 2.0]), k=1).tolist() == p.tolist()
    assert xp.polyint(xp.asarray([24.0, 6.0]), 2, k=xp.asarray([2.0, 1.0])).tolist() == p.tolist()
    assert xp.polyint(xp.asarray([24, 6]), 2, k=3).tolist() == [4, 3, 3, 3]
    for function in (xp.polyder, xp.polyint):
        with pytest.raises(ValueError, match="negative"):
            function(p, -1)
        with pytest.raises(TypeError, match="integer"):
            function(p, 1.5)
    with pytest.raises(ValueError, match="polyint"):
        xp.polyint(p, 2, k=xp.ones(3))


def test_values():
    assert xp.polyval(xp.asarray([1, 2, 3]), xp.asarray([[0, 1], [2, 10]])).tolist() == [[3, 6], [11, 123]]
    assert xp.polyval(xp.asarray([[1, 2], [3, 4]]), 10).tolist() == [13, 24]
    assert xp.polyval(xp.asarray([1, 0, 0], dtype="int8"), xp.asarray(20, dtype="int8")).tolist() == 400 % 256 - 256
    assert xp.polyval(xp.asarray([1.0, 0.0], dtype="float64"), 0.1).tolist() == 0.1
    assert xp.polyval(xp.zeros((0,)), 2.0).tolist() == 0
    for args in ((xp.asarray(1.0), 2.0), (xp.ones((2, 3)), xp.ones(2))):
        with pytest.raises(ValueError, match="polyval"):
            xp.polyval(*args)


class TestFit:
    x = (0.0, 1.0, 2.0, 3.0)

    def test_a_parabola(self):
        x = xp.asarray(self.x)
        assert xp.polyfit(x, x * x - 1, 2).tolist() == [pytest.approx(v, abs=1e-5) for v in (1, 0, -1)]
        both = xp.polyfit(x, xp.stack([x, 2 * x + 1], axis=1), 1)
        assert both.tolist() == [[pytest.approx(1), pytest.approx(2)], [pytest.approx(0, abs=1e-5), pytest.approx(1)]]

    def test_everything_there_is(self):
        x = xp.asarray(self.x)
        fit, residuals, rank, singular, rcond = xp.polyfit(x, x * x, 1, full=True)
        assert fit.tolist() == [pytest.approx(3), pytest.approx(-1)]
        assert residuals.tolist() == [pytest.approx(4)]
        assert int(rank) == 2
        assert singular.shape == (2,)
        assert float(rcond) == pytest.approx(4 * float(xp.finfo("float32").eps))
        covariance = xp.polyfit(x, x * x, 1, cov=True)[1]
        # (X^T X)^-1 of the points, times the variance of the residuals 4 / (4 - 2).
        assert covariance.tolist() == [[pytest.approx(0.4), pytest.approx(-0.6)], [pytest.approx(-0.6), pytest.approx(1.4)]]
        assert xp.polyfit(x, x * x, 1, cov="unscaled")[1].tolist()[0][0] == pytest.approx(0.2)

    def test_weights(self):
        x, y = xp.asarray(self.x), xp.asarray([0.0, 1.0, 2.0, 100.0])
        assert xp.polyfit(x, y, 1, w=xp.asarray([1, 1, 1, 0])).tolist() == [pytest.approx(1), pytest.approx(0, abs=1e-5)]

    def test_narrow(self):
        x = xp.asarray(self.x, dtype="bfloat16")
        assert xp.polyfit(x, x, 1).dtype == "bfloat16"

    @pytest.mark.parametrize(
        "args, kwargs, error",
        [
            ((xp.ones(3), xp.ones(3), -1), {}, ValueError), ((xp.ones((2, 2)), xp.ones(2), 1), {}, TypeError),
            ((xp.zeros((0,)), xp.zeros((0,)), 1), {}, TypeError), ((xp.ones(3), xp.ones(2), 1), {}, TypeError),
            ((xp.ones(3), xp.ones(3), 1), {"w": xp.ones(2)}, TypeError), ((xp.arange(3), xp.ones(3), 1), {}, ValueError),
            ((xp.arange(3.0), xp.ones(3), 2), {"cov": True}, ValueError),
        ],
    )  # fmt: skip
    def test_errors(self, args, kwargs, error):
        with pytest.raises(error, match="polyfit"):
            xp.polyfit(*args, **kwargs)


def test_nothing_is_the_zero_polynomial():
    p, nothing = xp.asarray([1, 2]), xp.asarray([], dtype="int32")
    assert xp.polyadd(p, nothing).tolist() == xp.polysub(p, nothing).tolist() == [1, 2]
    assert xp.polysub(nothing, p).tolist() == [-1, -2]


def test_polyfit_of_weak_places_has_their_width():
    with config.use(x64="on"):
        weak = xp.broadcast_to(xp.asarray(1.5), (4,))
        y = xp.asarray([1, 2, 3, 4], dtype="float32")
        assert weak.weak_type
        assert xp.polyfit(weak, y, 1).dtype == "float64"
        assert xp.polyfit(y, weak, 1).dtype == "float32"
        assert not xp.polyfit(weak, weak, 1).weak_type


def test_integrals_promote_no_python_number_that_is_not_given():
    x = xp.asarray([2.0, 3.0])
    with config.use(promotion="jax_lax"):
        assert xp.polyint(x).tolist() == [1, 3, 0]
        with pytest.raises(xp.TypePromotionError):
            xp.polyint(x, k=1)
    assert xp.polyint(xp.asarray([True, True])).dtype == "float32"
