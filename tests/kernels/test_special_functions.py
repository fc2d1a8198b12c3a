"""Special functions without SciPy: against Python's math module, and the compiled loops against their definitions."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from supremum._base.buffers import native
from supremum._kernels import special_functions as special

INF, NAN = math.inf, math.nan
NUMBERS = np.concatenate([np.linspace(-6, 6, 4001), np.logspace(-300, 1.4, 500), -np.logspace(-300, 1.4, 500)])
WIDE = np.concatenate([NUMBERS, np.linspace(-60, 200, 3001) + 1e-3, [0.0, -0.0, 1.0, -1.0, -2.0, INF, -INF, NAN]])
PROBABILITIES = np.concatenate(
    [np.linspace(0, 1, 2001), np.logspace(-300, -1, 600), 1 - np.logspace(-16, -1, 300), [-1.0, 2.0, NAN]]
)
#: By function, numbers and how many units in the last place the compiled loop and the definition may differ: C's functions
#: differ between platforms, as NumPy's do. Units are those of the result, or of 1 where it is a difference of larger numbers.
UNITS = {
    "erf": (WIDE, 0, 0.0),
    "erfc": (WIDE, 0, 0.0),
    "erfinv": (np.concatenate([np.linspace(-1, 1, 4001), 1 - np.logspace(-16, -1, 300), [2.0, INF, NAN]]), 0, 0.0),
    "gammaln": (WIDE, 8, 1.0),
    "gammasgn": (WIDE, 0, 0.0),
    "digamma": (WIDE[(np.floor(WIDE) != WIDE) | (WIDE >= 0)], 8, 1.0),
    "ndtr": (WIDE, 0, 0.0),
    "ndtri": (PROBABILITIES, 4, 0.0),
    "log_ndtr": (WIDE, 4, 0.0),
    "entr": (WIDE, 2, 0.0),
}
PAIRS = {"xlogy": 2, "xlog1py": 4, "rel_entr": 4, "kl_div": 4}


def errors_in_units(ours, theirs, least=0.0):
    with np.errstate(all="ignore"):
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
        return np.where(same, 0, np.abs(ours - theirs) / np.spacing(np.maximum(np.abs(theirs), theirs.dtype.type(least))))


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions(name):
    theirs = np.array([getattr(math, name)(x) for x in NUMBERS])
    assert errors_in_units(getattr(special, name)(NUMBERS), theirs).max() <= 2
    single = NUMBERS.astype(np.float32)
    theirs = np.array([getattr(math, name)(x) for x in single.tolist()]).astype(np.float32)
    found = getattr(special, name)(single)
    assert found.dtype == np.float32
    assert errors_in_units(found, theirs).max() <= 1


@pytest.mark.parametrize("dtype, bound", [(np.float64, 4e-16), (np.float32, 2e-7)])
def test_erfinv(dtype, bound):
    x = np.concatenate([np.linspace(-1, 1, 4001)[1:-1], 1 - np.logspace(-7, -1, 200)]).astype(dtype)
    with np.errstate(all="ignore"):
        back = np.array([math.erf(y) for y in special.erfinv(x).astype(np.float64)])
        edges = special.erfinv(np.array([1, -1, 0, -0.0, 2, np.nan], dtype))
    assert np.abs(back - x).max() <= bound
    assert edges[:2].tolist() == [INF, -INF]
    assert np.signbit(edges[2:4]).tolist() == [False, True]
    assert np.isnan(edges[4:]).all()


def test_log1p_as_xla_is_near_the_truth():
    x = np.linspace(-0.9, 10, 5001)
    assert errors_in_units(special.log1p_as_xla(x), np.log1p(x)).max() < 150


def test_gamma_functions():
    x = np.concatenate([np.linspace(0.1, 170, 1000), np.linspace(-5.9, -0.1, 30)])
    x = x[x != np.floor(x)]
    assert errors_in_units(special.gammaln(x), np.array([math.lgamma(v) for v in x]), 1.0).max() <= 8
    with np.errstate(all="ignore"):
        assert special.gammaln(np.array([0.0, -0.0, -1.0, -7.0, INF, -INF])).tolist() == [INF] * 6
        signs = special.gammasgn(np.array([0.0, -0.0, 2.5, -0.5, -1.5, -2.5, INF, -1.0, -INF, NAN]))
    assert signs[:7].tolist() == [1, -1, 1, -1, 1, -1, 1]
    assert np.isnan(signs[7:]).all()


def test_digamma_by_its_recurrence_and_reflection():
    x = np.linspace(0.05, 30, 700)
    with np.errstate(all="ignore"):
        step = special.digamma(x + 1) - special.digamma(x)
        assert np.abs(step * x - 1).max() < 1e-13
        z = x[(x < 5) & (np.abs(x - np.round(x)) > 0.01)]
        assert np.abs(special.digamma(1 - z) - special.digamma(z) - math.pi / np.tan(math.pi * z)).max() < 1e-10
        assert np.isnan(special.digamma(np.array([0.0, -0.0, -3.0, -INF, NAN]))).all()
    assert abs(special.digamma(np.array([1.0]))[0] + np.euler_gamma) < 1e-15


def test_normal_distribution():
    x = np.linspace(-25, 8, 500)
    with np.errstate(all="ignore"):
        tails = [math.erfc(abs(v) / math.sqrt(2)) / 2 for v in x]
        plain = np.array([math.log1p(-tail) if v > 0 else math.log(tail) for v, tail in zip(x, tails, strict=True)])
        assert np.abs(special.log_ndtr(x) / plain - 1).max() < 2e-14
        # The two formulas agree at the point of transition.
        low, high = special.log_ndtr(np.array([-35 * (1 + 1e-15), -35]))
        assert abs(high / low - 1) < 1e-14
        p = PROBABILITIES[(PROBABILITIES > 0) & (PROBABILITIES < 1)]
        assert errors_in_units(special.ndtri(p), np.array([NormalDist().inv_cdf(q) for q in p])).max() <= 4
        assert special.ndtri(np.array([0.0, 0.5, 1.0])).tolist() == [-INF, 0, INF]
        assert np.isnan(special.ndtri(np.array([-0.1, 1.5, NAN]))).all()


def test_products_with_logarithms_are_zero_for_zero_but_not_for_nan():
    # As in SciPy and JAX 0.10.2: only NaN itself makes the product NaN.
    y = np.array([0.0, -3.0, INF, NAN])
    with np.errstate(all="ignore"):
        for function in (special.xlogy, special.xlog1py):
            assert function(np.zeros(4), y)[:3].tolist() == [0, 0, 0]
            assert np.isnan(function(np.zeros(4), y)[3])
            assert np.isnan(function(np.ones(4), y)[1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_logarithm_of_one_has_the_sign_of_the_zero(dtype):
    found = special.xlog1py(np.array([-1, 2, -1, 2], dtype), np.array([-0.0, -0.0, 0.0, 0.0], dtype))
    assert found.tolist() == [0] * 4
    assert np.signbit(found).tolist() == [False, True, True, False]
    tiny = np.array([1e-30, -1e-45, 1e-17], dtype)
    assert special.xlog1py(np.ones(3, dtype), tiny).tolist() == tiny.tolist()


def test_entropies_of_numbers_that_are_none():
    p, q = np.array([0.0, 0.0, -1.0, 1.0, 1.0, NAN]), np.array([0.0, 2.0, 1.0, 0.0, -1.0, 1.0])
    with np.errstate(all="ignore"):
        assert special.rel_entr(p, q)[:5].tolist() == [0, 0, INF, INF, INF]
        assert special.kl_div(p, q)[:5].tolist() == [0, 2, INF, INF, INF]
        assert np.isnan(special.rel_entr(p, q)[5])
        # Quotients that overflow, and that lose digits.
        assert special.rel_entr(np.array([1e300]), np.array([1e-300]))[0] == pytest.approx(
            1e300 * 600 * math.log(10), rel=1e-15
        )
        near = special.rel_entr(np.array([1.0]), np.array([1 + 1e-9]))[0]
    assert near == pytest.approx(-math.log1p(1e-9 + 8.274037e-17), rel=1e-14)
    assert np.signbit(special.entr(np.array([0.0]))).all()  # as JAX's


@pytest.mark.skipif(native is None, reason="compares the compiled loops with the definitions")
class TestLoops:
    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    @pytest.mark.parametrize("name", sorted(UNITS))
    def test_functions_of_one(self, name, dtype):
        numbers, units, least = UNITS[name]
        x = numbers.astype(dtype)
        with np.errstate(all="ignore"):
            found, expected = getattr(native, name)(x), special.DEFINITIONS[name](x)
        assert found.dtype == expected.dtype == dtype
        # float32 is computed in float64 and rounded: at most one unit where the other side of a tie is taken.
        assert errors_in_units(found, expected, least).max() <= (units if dtype == "float64" else min(units, 1))
        np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))

    @pytest.mark.parametrize("dtype", ["float64", "float32"])
    @pytest.mark.parametrize("name", sorted(PAIRS))
    def test_functions_of_two(self, name, dtype):
        numbers = np.concatenate([NUMBERS[::40], WIDE[-8:]]).astype(dtype)
        x, y = (part.copy() for part in np.broadcast_arrays(numbers[:, None], numbers))
        with np.errstate(all="ignore"):
            found, expected = getattr(native, name)(x, y), special.DEFINITIONS[name](x, y)
            size = np.fmax(np.fmax(np.abs(x), np.abs(y)), np.abs(expected)) if name == "kl_div" else np.abs(expected)
            same = (found == expected) | (np.isnan(found) & np.isnan(expected))
            off = np.where(same, 0, np.abs(found - expected) / np.spacing(size))
        assert found.dtype == expected.dtype == dtype
        assert off.max() <= PAIRS[name]

    def test_loops_take_any_strides(self):
        for name in UNITS:
            x = np.linspace(0.05, 0.95, 2400).reshape(60, 40)
            found = getattr(native, name)(x[::2, ::-3].T)
            np.testing.assert_array_equal(found, getattr(native, name)(x)[::2, ::-3].T)

    def test_every_definition_has_a_loop(self):
        assert all(isinstance(getattr(native, name), np.ufunc) for name in special.DEFINITIONS)
        assert set(UNITS) | set(PAIRS) == set(special.DEFINITIONS)
