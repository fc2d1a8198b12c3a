"""Special functions: dtypes, weak types, special values and errors, compared with JAX."""

import math

import expressions
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.scipy import special


@for_each("case", expressions.cases("special"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


def test_gamma_of_complex_numbers():
    # The results of SciPy 1.17 and JAX 0.10.2.
    z = xp.asarray([3 + 4j, -3 - 4j, 1j], dtype="complex64")
    expected = [0.00522553847 - 0.17254707929j, 1.460997305874e-05 - 2.07607331509e-05j, -0.15494982830 - 0.49801566811j]
    np.testing.assert_allclose(np.asarray(special.gamma(z)), expected, rtol=1e-6)
    expected = [-1.75662678460 + 4.74266443803j, -10.5813046757 + 5.32561463152j, -0.65092319930 - 1.87243664726j]
    np.testing.assert_allclose(np.asarray(special.loggamma(z)), expected, rtol=1e-6)
    for function in (special.gamma, special.loggamma):
        assert function(z).dtype == "complex64"
        assert (function(1j).dtype, function(1j).weak_type) == ("complex64", False)
        assert function(xp.asarray(1j, dtype="complex128")).dtype == "complex128"
    with pytest.raises(TypeError, match="gammaln"):
        special.gammaln(1j)


def test_loggamma_has_the_side_of_its_cut_that_the_sign_of_zero_says():
    with xp.config.use(x64="on"):
        found = special.loggamma(xp.asarray(np.array([complex(-1.5, 0.0), complex(-1.5, -0.0)])))
    expected = [complex(math.lgamma(-1.5), -2 * math.pi), complex(math.lgamma(-1.5), 2 * math.pi)]
    np.testing.assert_allclose(np.asarray(found), expected)


@pytest.mark.parametrize("function", [special.gamma, special.loggamma])
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_gamma_has_no_value_at_complex_poles_and_infinities(function, dtype):
    nan, inf = math.nan, math.inf
    points = np.array([0, -1, -7, complex(inf, 0), complex(-inf, 0), complex(1, inf), complex(nan, 1), complex(1, nan)], dtype)
    with xp.config.use(x64="on"):
        values = np.asarray(function(xp.asarray(points)))
    assert values.dtype == dtype
    assert np.isnan(values.real).all()
    assert np.isnan(values.imag).all()


def test_loggamma_of_real_numbers():
    # JAX 0.10.2: NaN if the logarithm would be complex.
    values = special.loggamma(xp.asarray([-0.5, 0.0, -1.0, np.inf, -np.inf, np.nan, 1.0, 5.0]))
    nan, inf = math.nan, math.inf
    np.testing.assert_allclose(np.asarray(values), [nan, nan, nan, inf, nan, nan, 0, math.log(24)], rtol=1e-7)
    assert (special.loggamma(2).dtype, special.loggamma(2).weak_type) == ("float32", True)
    assert special.loggamma(xp.ones(2, dtype="bfloat16")).dtype == "bfloat16"


@pytest.mark.parametrize("call", ["zeta(2.0, nan)", "zeta(nan, 2.0)", "polygamma(1, nan)", "polygamma(2, nan)"])
def test_nan_stays_nan_in_sums_of_powers(call):
    function, _, rest = call.partition("(")
    values = [int(word) if word.isdigit() else xp.asarray(float(word)) for word in rest.rstrip(")").split(", ")]
    assert xp.isnan(getattr(xp.scipy.special, function)(*values))


def test_every_function_is_found_in_the_public_module():
    assert len(set(special.__all__)) == len(special.__all__) == 53
    assert {getattr(special, name).__module__ for name in special.__all__} == {"supremum.scipy.special"}


def test_bernoulli_numbers_are_exact():
    with xp.config.use(x64="on"):
        found = np.asarray(special.bernoulli(264))
    exact = {1: -1 / 2, 2: 1 / 6, 4: -1 / 30, 6: 1 / 42, 8: -1 / 30, 10: 5 / 66, 12: -691 / 2730, 14: 7 / 6, 20: -174611 / 330}
    for order, number in exact.items():
        assert found[order] == number
    assert (found[3:258:2] == 0).all()
    # Beyond order 258 they are larger than every float64.
    assert found[256:].tolist() == [-7.950212504588525e302, 0, 1.3352784187354634e306, 0, -math.inf, 0, math.inf, 0, -math.inf]
    assert [special.bernoulli(n).tolist() for n in (0, 1)] == [[1.0], [1.0, -0.5]]
    for bad, error in ((-1, ValueError), (2.5, TypeError)):
        with pytest.raises(error, match="bernoulli"):
            special.bernoulli(bad)


# Weak arguments of JAX 0.10.2's functions, and whether its results are weak.
@for_each(
    ("call", "weak"),
    [
        (lambda: special.hyp1f1(0.5, 1.5, 0.25), False),
        (lambda: special.hyp2f1(0.5, 1.5, 2.25, 0.25), False),
        (lambda: special.poch(1.5, 0.25), False),
        (lambda: special.owens_t(0.5, 0.25), False),
        (lambda: special.bessel_jn(1.5, v=1), False),
        (lambda: special.multigammaln(3.0, 2), False),
        (lambda: special.gamma(1.5), False),
        (lambda: special.zeta(2.5, 1.0), True),
        (lambda: special.zeta(2.5, xp.asarray([1, 2])), True),
        (lambda: special.gammainc(1.5, 0.25), True),
        (lambda: special.loggamma(1.5), True),
    ],
)
def test_weak_types_are_those_of_jax(call, weak):
    for x64 in ("off", "on"):
        with xp.config.use(x64=x64):
            found = call()
            assert (found.dtype, found.weak_type) == ("float64" if x64 == "on" else "float32", weak)


@pytest.mark.parametrize("x64", ["off", "on"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_formulas_with_constants_have_at_least_the_default_dtype(dtype, x64):
    # JAX 0.10.2 promotes with the default float dtype here.
    with xp.config.use(x64=x64):
        default = "float64" if x64 == "on" else "float32"
        slopes = xp.asarray([0.0, 1.0, -1.0], dtype=dtype)
        found = special.owens_t(0.0, slopes)
        assert (found.dtype, found.weak_type) == (default, False)
        # The exact values are those of arctan(a) / (2 pi).
        np.testing.assert_allclose(np.asarray(found), [0, 1 / 8, -1 / 8], rtol=1e-7)
        assert special.owens_t(0.5, slopes[:0]).dtype == default
        with pytest.raises(xp.TypePromotionError, match="owens_t"):
            special.owens_t(0.5, slopes.astype("float8_e5m2"))  # which promotes with no other dtype
        angles = xp.asarray([0.5], dtype=dtype)
        assert special.sph_harm_y(xp.asarray([1]), xp.asarray([0]), angles, angles).dtype == f"complex{2 * int(default[5:])}"


def test_spherical_harmonics_broadcast():
    theta, phi = np.array([0.5, 1.0, 2.0], np.float32), np.array([0.25, -1.0, 3.0], np.float32)
    exact = -math.sqrt(15 / (8 * math.pi)) * np.sin(theta) * np.cos(theta) * np.exp(1j * phi)
    for options in ({}, {"n_max": 4}):
        found = special.sph_harm_y(xp.asarray([2]), xp.asarray([1]), xp.asarray(theta), xp.asarray(phi), **options)
        np.testing.assert_allclose(np.asarray(found), exact, atol=2e-7)


def test_bessel_functions_of_small_arguments():
    # The sums of the power series; JAX's recurrence overflows here in float32.
    found = np.asarray(special.bessel_jn(xp.asarray([0.5, 1.0, -2.0, 0.0]), v=1))
    expected = [0.938469807240813, 0.7651976865579666, 0.22389077914123567, 1.0]
    np.testing.assert_allclose(found[0], expected, rtol=3e-7)
    np.testing.assert_allclose(found[1], [0.2422684576748739, 0.4400505857449335, -0.5767248077568734, 0], rtol=3e-7)


def test_limits_and_poles():
    inf = xp.asarray(np.inf)
    assert [float(special.polygamma(1, inf)), float(special.zeta(2.5, inf)), float(special.exp1(inf))] == [0, 0, 0]
    # The upper function is 0 where the parameter is; both sum to 1.
    assert [float(f(xp.asarray(0.0), 0.75)) for f in (special.gammainc, special.gammaincc)] == [1, 0]
    assert np.isnan(float(special.gammainc(xp.asarray(0.0), 0.0)))
    # At poles of even exponents all terms are positive; JAX returns NaN at others.
    found = [float(special.zeta(x, xp.asarray(q))) for x, q in ((2.0, 0.0), (4.0, -3.0), (2.5, 0.0), (3.0, -1.0))]
    assert found[:2] == [math.inf] * 2
    assert np.isnan(found[2:]).all()
    assert [float(special.expn(n, xp.asarray(0.0))) for n in (2, 3, 5)] == [1, 1 / 2, 1 / 4]
    # Orders that are not whole, as in JAX 0.10.2; SciPy cuts off their fractions with a warning.
    assert np.isnan(np.asarray(special.expn(xp.asarray([0.5, 1e30, np.nan]), xp.asarray(1.0)))).all()


def test_beta_functions_and_poch_at_poles():
    # B(-1, 1) is gamma(-1) gamma(1) / gamma(0), of which the poles cancel, and B(1.5, -2.5) is 0 by that of gamma(-1).
    a, b = xp.asarray([-1.0, 0.0, 1.5, 1.5, 1.5]), xp.asarray([1.0, 0.0, -2.5, np.inf, 0.0])
    np.testing.assert_array_equal(np.asarray(special.beta(a, b)), [-1, np.inf, 0, 0, np.inf])
    np.testing.assert_array_equal(np.asarray(special.betaln(a, b))[:2], [0, np.inf])
    # gamma(-1) is a pole, and gamma(-0.25) / gamma(-1) is 0.
    np.testing.assert_array_equal(np.asarray(special.poch(xp.asarray([1.5, -1.0]), xp.asarray([-2.5, 0.75]))), [np.inf, 0])


def test_large_arguments_of_kummers_function():
    # SciPy's own function takes time in proportion to them, and does not return for infinity.
    x = np.array([np.inf, 1e300, 1e12, -np.inf, -1e300])
    for dtype in ("float32", "float64"):
        with xp.config.use(x64="on"), np.errstate(all="ignore"):
            found = np.asarray(special.hyp1f1(0.5, 1.5, xp.asarray(x.astype(dtype))))
            polynomial = np.asarray(special.hyp1f1(-1.0, 2.0, xp.asarray(np.array([1e12, -1e12], dtype))))
        assert found[:3].tolist() == [math.inf] * 3
        assert (found[3:] < 1e-30).all()
        np.testing.assert_allclose(polynomial, [-5e11, 5e11], rtol=1e-6)
    assert [float(special.wofz(value).real) for value in (xp.asarray(np.inf), xp.asarray(-np.inf))] == [0, 0]
    assert float(special.hyp1f1(xp.asarray(0.5), xp.asarray(-1.0), xp.asarray(0.75))) == math.inf


def test_hypergeometric_functions():
    with xp.config.use(x64="on"):
        x = np.array([-40.0, -2.75, -0.9, 0.25, 0.875])
        # 2F1(1, 1; 2; x) is -log(1 - x) / x, and 2F1(a, b; b; x) a power; 1F1(a; a; x) is an exponential.
        np.testing.assert_allclose(np.asarray(special.hyp2f1(1.0, 1.0, 2.0, xp.asarray(x))), -np.log1p(-x) / x, rtol=1e-11)
        np.testing.assert_allclose(np.asarray(special.hyp2f1(0.5, 2.0, 2.0, xp.asarray(x))), (1 - x) ** -0.5, rtol=1e-12)
        np.testing.assert_allclose(np.asarray(special.hyp1f1(1.5, 1.5, xp.asarray(x))), np.exp(x), rtol=1e-13)
        # The exact sum of the series, in fractions.
        assert float(special.hyp2f1(0.5, 30.0, 2.25, 0.25)) == pytest.approx(78.54663362525092, rel=1e-14)
    nan = math.nan
    for arguments in ((nan, 1.5, 0.5), (0.5, nan, 0.5), (0.5, 1.5, nan)):
        assert np.isnan(float(special.hyp1f1(*arguments)))
        assert np.isnan(float(special.hyp2f1(0.5, *arguments)))
    assert float(special.hyp2f1(0.5, 1.5, 2.25, -math.inf)) == 0


def test_lists_where_jax_takes_them():
    assert special.expn(2, [0.5]).shape == special.hyp1f1(0.5, 1.5, [0.5]).shape == (1,)
    assert special.hyp2f1(0.5, 1.5, 2.25, [0.5, 0.25]).shape == (2,)
    assert float(special.multigammaln(3.0, 2.5)) == float(special.multigammaln(3.0, 2))


@for_each(
    ("function", "arguments", "error"),
    [
        ("hyp1f1", (0.5, 1.5, 1j), ValueError),
        ("hyp2f1", (0.5, 1.5, 2.5, 1j), TypeError),
        ("owens_t", (0.5, 1j), ValueError),
        ("poch", (1j, 0.5), ValueError),
        ("betainc", (0.5, 0.5, 1j), ValueError),
        ("gammainc", (0.5, 1j), TypeError),
        ("zeta", (2.5, 1j), TypeError),
        ("multigammaln", (3.0, "2"), TypeError),
        ("multigammaln", (3.0, 2**63), ValueError),
        ("polygamma", (1.0, 2.0), ValueError),
        ("gammainc", ([0.5], 1.0), TypeError),
    ],
)
def test_refused_arguments(function, arguments, error):
    with pytest.raises(error, match=function):
        getattr(special, function)(*arguments)
    with pytest.raises(TypeError, match="bessel_jn"):
        special.bessel_jn(1j, v=1)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e5m2"])
def test_combinations_of_narrow_floats(dtype):
    n = xp.asarray([2, 3], dtype=dtype)
    for repetition, expected in ((False, [1, 3]), (True, [3, 6]), (False, [1, 3])):
        result = xp.scipy.special.comb(n, 2, repetition=repetition)
        assert (str(result.dtype), result.tolist()) == (dtype, expected)


def test_logsumexp_of_complex_numbers_promotes_nothing():
    x = xp.asarray([1.0 + 1.0j, 2.0])
    with xp.numpy_dtype_promotion("strict"):
        found = special.logsumexp(x)
    assert complex(found) == pytest.approx(np.log(np.exp(1.0 + 1.0j) + np.exp(2.0)), rel=1e-6)
