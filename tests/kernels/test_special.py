"""Special functions against those of Python's math module."""

import math

import numpy as np
import pytest

from supremum._kernels import special

NUMBERS = np.concatenate([np.linspace(-6, 6, 4001), np.logspace(-300, 1.4, 500), -np.logspace(-300, 1.4, 500)])


def error_in_units(ours, theirs):
    with np.errstate(all="ignore"):
        return np.where(ours == theirs, 0, np.abs(ours - theirs) / np.spacing(np.abs(theirs))).max()


@pytest.mark.parametrize("name, bound", [("erf", 2), ("erfc", 5)])
def test_error_functions(name, bound):
    theirs = np.array([getattr(math, name)(x) for x in NUMBERS])
    assert error_in_units(getattr(special, name)(NUMBERS), theirs) <= bound
    single = getattr(special, name)(NUMBERS.astype(np.float32))
    assert single.dtype == np.float32


@pytest.mark.parametrize("dtype, bound", [(np.float64, 4e-16), (np.float32, 2e-7)])
def test_erfinv(dtype, bound):
    x = np.concatenate([np.linspace(-1, 1, 4001)[1:-1], 1 - np.logspace(-7, -1, 200)]).astype(dtype)
    back = np.array([math.erf(y) for y in special.erfinv(x).astype(np.float64)])
    assert np.abs(back - x).max() <= bound
    edges = special.erfinv(np.array([1, -1, 0, -0.0, 2, np.nan], dtype))
    assert edges[:2].tolist() == [math.inf, -math.inf]
    assert np.signbit(edges[2:4]).tolist() == [False, True]
    assert np.isnan(edges[4:]).all()


def test_log1p_as_xla_is_near_the_truth():
    x = np.linspace(-0.9, 10, 5001)
    assert error_in_units(special.log1p_as_xla(x), np.log1p(x)) < 150


def test_gamma_functions():
    x = np.concatenate([np.linspace(0.1, 170, 1000), np.linspace(-5.9, -0.1, 30)])
    x = x[x != np.floor(x)]
    assert error_in_units(special.gamma(x), np.array([math.gamma(v) for v in x])) == 0
    assert error_in_units(special.log_gamma(x), np.array([math.lgamma(v) for v in x])) == 0
    with np.errstate(all="ignore"):
        assert special.gamma(np.array([0.0, -0.0, np.inf, 180.0])).tolist() == [math.inf, -math.inf, math.inf, math.inf]
        assert np.isnan(special.gamma(np.array([-1.0, -np.inf, np.nan]))).all()


def test_digamma_by_its_recurrence_and_reflection():
    x = np.linspace(0.05, 30, 700)
    with np.errstate(all="ignore"):
        step = special.digamma(x + 1) - special.digamma(x)
        assert np.abs(step * x - 1).max() < 1e-13
        z = x[(x < 5) & (np.abs(x - np.round(x)) > 0.01)]
        assert np.abs(special.digamma(1 - z) - special.digamma(z) - math.pi / np.tan(math.pi * z)).max() < 1e-10
    assert abs(special.digamma(np.array([1.0]))[0] + np.euler_gamma) < 1e-15


def test_log_ndtr():
    x = np.linspace(-25, 8, 500)
    with np.errstate(all="ignore"):
        tails = [math.erfc(abs(v) / math.sqrt(2)) / 2 for v in x]
        plain = np.array([math.log1p(-tail) if v > 0 else math.log(tail) for v, tail in zip(x, tails, strict=True)])
        assert np.abs(special.log_ndtr(x) / plain - 1).max() < 1e-11
        # The two formulas agree at the point of transition.
        low, high = special.log_ndtr(np.array([-30.0000001, -29.9999999]))
    assert abs(high - low) < 1e-5


def test_bessel_functions_do_not_overflow():
    with np.errstate(all="ignore"):
        near, far = special.i0e(np.array([699.9, 700.1]))
    assert abs(near / far - math.sqrt(700.1 / 699.9)) < 1e-6
