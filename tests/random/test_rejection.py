"""Samplers that propose and reject; ``conformance/jax`` has more of JAX's numbers."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.random import xla_logarithms as rounding

SIZE = 50_000


@for_each(
    "name, parameters, mean, variance",
    [
        ("gamma", (0.25,), 0.25, 0.25),
        ("gamma", (7.5,), 7.5, 7.5),
        ("beta", (2.0, 3.0), 0.4, 0.04),
        ("chisquare", (5.0,), 5.0, 10.0),
        ("t", (10.0,), 0.0, 1.25),
        ("f", (6.0, 20.0), 20 / 18, 2 * 400 * 24 / (6 * 18**2 * 16)),
        ("generalized_normal", (2.0,), 0.0, 0.5),
        ("poisson", (4.0,), 4.0, 4.0),
        ("poisson", (400.0,), 400.0, 400.0),
        ("binomial", (20.0, 0.25), 5.0, 3.75),
        ("binomial", (400.0, 0.75), 300.0, 75.0),
    ],
)
def test_moments(name, parameters, mean, variance):
    numbers = np.asarray(getattr(xp.random, name)(xp.random.key(5), *parameters, shape=(SIZE,)), np.float64)
    assert abs(numbers.mean() - mean) < 5 * np.sqrt(variance / SIZE)
    assert abs(numbers.var() / variance - 1) < 0.1


@pytest.mark.parametrize(
    "name, parameters, recorded",
    [
        ("gamma", (2.0,), [3.6725166, 1.0923854, 3.5018392, 1.1462076]),
        ("loggamma", (2.0,), [1.3008772, 0.0883638, 1.2532883, 0.13645872]),
    ],
)
def test_as_recorded(name, parameters, recorded):
    numbers = getattr(xp.random, name)(xp.random.key(42), *parameters, shape=(4,))
    np.testing.assert_allclose(numbers, np.array(recorded, np.float32), rtol=2e-6)


# JAX 0.10.2's numbers of bfloat16, in which each step is rounded; they are exact.
@for_each(
    "name, parameters, recorded",
    [
        ("lognormal", (0.7,), [0.98828125, 1.671875, 2.1875]),
        ("pareto", (2.0,), [1.3984375, 2.0625, 2.734375]),
        ("rayleigh", (1.5,), [1.78125, 1.09375, 0.8046875]),
        ("triangular", (-1.0, 0.25, 2.0), [0.3671875, 0.890625, 1.171875]),
        ("wald", (1.7,), [0.71875, 0.578125, 0.28125]),
        ("weibull_min", (1.5, 2.5), [1.28125, 1.75, 1.984375]),
        ("double_sided_maxwell", (0.5, 1.5), [3.34375, -1.4453125, 3.4375]),
        ("chisquare", (3.5,), [1.8984375, 2.359375, 3.765625]),
        ("t", (4.5,), [1.0859375, -0.640625, 1.1796875]),
        ("beta", (0.7, 2.5), [0.318359375, 0.125, 0.1669921875]),
    ],
)
def test_narrow_numbers_are_rounded_as_jax_rounds_them(name, parameters, recorded):
    numbers = getattr(xp.random, name)(xp.random.key(3), *parameters, shape=(3,), dtype="bfloat16")
    assert numbers.tolist() == recorded


def test_vectors():
    key = xp.random.key(1)
    vectors = np.asarray(xp.random.dirichlet(key, xp.asarray([1.0, 2.0, 5.0]), (SIZE,)), np.float64)
    np.testing.assert_allclose(vectors.sum(axis=-1), 1, rtol=1e-6)
    np.testing.assert_allclose(vectors.mean(axis=0), [1 / 8, 2 / 8, 5 / 8], atol=0.005)
    counts = np.asarray(xp.random.multinomial(key, 100, xp.asarray([0.2, 0.3, 0.5]), shape=(5000, 3)))
    assert (counts.sum(axis=-1) == 100).all()
    np.testing.assert_allclose(counts.mean(axis=0), [20, 30, 50], atol=0.5)
    points = np.asarray(xp.random.ball(key, 3, shape=(SIZE,)), np.float64)
    # The volume within a radius grows with its third power.
    np.testing.assert_allclose(np.mean((points**2).sum(axis=-1) < 0.25), 1 / 8, atol=0.01)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_logarithms_are_those_of_the_numbers(dtype):
    key, alpha = xp.random.key(2), xp.asarray(np.linspace(0.5, 9, 500), dtype=dtype)
    numbers, logarithms = xp.random.gamma(key, alpha, dtype=dtype), xp.random.loggamma(key, alpha, dtype=dtype)
    assert numbers.dtype == logarithms.dtype == dtype
    unit = float(xp.finfo(dtype).eps)
    np.testing.assert_allclose(
        np.log(np.asarray(numbers, np.float64)), np.asarray(logarithms, np.float64), rtol=8 * unit, atol=8 * unit
    )


def test_an_element_depends_on_its_position_alone():
    """Whatever the size of the blocks in which the elements are drawn."""
    key = xp.random.key(9)
    assert (xp.random.gamma(key, 1.5, (20_000,))[:100] == xp.random.gamma(key, 1.5, (100,))).all()


def test_infinitely_many_trials():
    out = xp.random.binomial(xp.random.key(0), xp.asarray([np.inf, np.inf, np.nan, -1.0]), xp.asarray([0.0, 0.5, 0.5, 0.5]))
    assert np.asarray(out).tolist()[:2] == [np.inf, np.inf]
    assert np.isnan(np.asarray(out)[2:]).all()


def test_shapes_of_f():
    found = xp.random.f(xp.random.key(0), xp.asarray([1.0, 2.0]), 3.0, shape=(4, 3, 2))
    assert (found.shape, found.dtype) == ((4, 3, 2), "float32")


@pytest.mark.parametrize("length", [4, 16, 17, 40])
def test_multinomial_of_many_outcomes(length):
    counts = np.asarray(xp.random.multinomial(xp.random.key(0), 100, xp.full(length, 1 / length)))
    assert (counts.sum(), counts.min() >= 0) == (100, True)


def test_multinomial_at_the_bound_between_two_methods():
    # JAX 0.10.2 with x64: 100 * 0.1 / 1.0 is where another sampler begins, so the sum of the probabilities must be JAX's.
    with xp.config.use(x64="on"):
        chances = xp.asarray([0.1, 0.2, 0.3, 0.4])
        found = [xp.random.multinomial(xp.random.key(seed), 100.0, chances).tolist() for seed in (0, 1, 2, 3)]
    assert found == [[9, 22, 31, 38], [8, 19, 33, 40], [8, 22, 33, 37], [13, 12, 36, 39]]


@for_each("name", ["beta", "chisquare", "t", "f", "pareto", "rayleigh", "wald", "lognormal", "triangular"])
def test_parameters_that_would_lose_digits(name):
    wide = [xp.asarray([1.0, 2.0], dtype="float64")] * {"beta": 2, "f": 2, "triangular": 3}.get(name, 1)
    with pytest.raises(
        xp.TypePromotionError, match=f"{name}: a parameter of dtype float64 would lose digits in dtype float32"
    ):
        getattr(xp.random, name)(xp.random.key(0), *wide, dtype="float32")
    assert getattr(xp.random, name)(xp.random.key(0), *wide, dtype="float64").dtype == "float64"


@pytest.mark.parametrize("name", ["pareto", "rayleigh", "wald", "lognormal"])
def test_safe_parameters(name):
    # JAX 0.10.2 accepts what promotes to the dtype asked for, and without one every real parameter.
    key = xp.random.key(0)
    for parameter, dtype in ((2, "bfloat16"), (xp.asarray([1, 2]), "float16"), (xp.ones(2, dtype="bfloat16"), "float32")):
        assert getattr(xp.random, name)(key, parameter, dtype=dtype).dtype == dtype
    assert getattr(xp.random, name)(key, xp.ones(2, dtype="float64")).dtype == "float32"
    with pytest.raises(xp.TypePromotionError, match=name):
        getattr(xp.random, name)(key, xp.asarray([1j]))


def test_complex_lognormal_numbers():
    # JAX 0.10.2, whose exponent is a complex normal number.
    found = xp.random.lognormal(xp.random.key(3), 1.0, (2,), "complex64")
    exponents = xp.random.normal(xp.random.key(3), (2,), "complex64")
    assert found.dtype == "complex64"
    np.testing.assert_allclose(np.asarray(found), np.exp(np.asarray(exponents)), rtol=1e-6)


# The dtypes of JAX 0.10.2 for a dtype asked for, and parameters of a dtype.
@for_each(
    ("dtype", "given", "expected"),
    [
        ("bfloat16", "float32", "float32"), ("bfloat16", "bfloat16", "bfloat16"), ("bfloat16", "float16", "float32"),
        ("float32", "float64", "float64"), ("float32", "int32", "float32"), ("float64", "float32", "float64"),
        (None, "bfloat16", "float32"), (None, "complex64", "complex64"),
    ],
)  # fmt: skip
def test_samples_promote_with_parameters(dtype, given, expected):
    parameter, key = xp.asarray([1, 2], dtype=given), xp.random.key(0)
    for found in (
        xp.random.weibull_min(key, parameter, 1.5, (2,), dtype), xp.random.weibull_min(key, 1.5, parameter, (2,), dtype),
        xp.random.double_sided_maxwell(key, parameter, 1.5, (), dtype),
        xp.random.double_sided_maxwell(key, 1.5, parameter, (), dtype),
    ):  # fmt: skip
        assert (found.dtype, found.weak_type) == (expected, False)


@pytest.mark.parametrize(
    "name, parameters, options, words",
    [
        ("gamma", (1.0,), {"dtype": "int32"}, "gamma: dtype must be a floating dtype"),
        ("poisson", (1.0,), {"dtype": "float32"}, "poisson: dtype must be an integer dtype"),
        ("binomial", (1.0, 0.5), {"dtype": "int32"}, "binomial: dtype must be a floating dtype"),
        ("dirichlet", (1.0,), {}, "dirichlet: alpha must have at least 1 dimension"),
        ("multinomial", (1.0, 0.5), {}, "multinomial: p must have at least 1 dimension"),
        ("gamma", (xp.ones(2),), {"shape": (3,)}, "gamma: a parameter of shape"),
        ("beta", (xp.ones(2), xp.ones(3)), {}, "beta: the shapes"),
    ],
)
def test_what_is_refused(name, parameters, options, words):
    with pytest.raises(ValueError, match=words):
        getattr(xp.random, name)(xp.random.key(0), *parameters, **options)


def test_logarithms_are_accurate():
    x = np.concatenate([np.linspace(1e-6, 3, 10_001), 10.0 ** np.linspace(-30, 30, 1001)]).astype(np.float32)
    np.testing.assert_allclose(rounding.log_as_xla(x), np.log(x.astype(np.float64)), rtol=3e-7, atol=1e-7)
    special = np.array([0.0, np.inf, np.nan, -1.0], np.float32)
    with np.errstate(all="ignore"):
        assert np.array_equal(rounding.log_as_xla(special), np.log(special), equal_nan=True)
    # log(k!) for k from 0 to 20.
    factorials = np.cumsum(np.log(np.maximum(np.arange(21.0), 1)))
    np.testing.assert_allclose(rounding.log_gamma_as_xla(np.arange(1, 22, dtype=np.float32)), factorials, rtol=2e-6, atol=2e-6)


def test_logarithms_are_rounded_as_xla_rounds_them():
    # JAX 0.10.2 on a processor with fused multiply-add.
    x = np.array([0.66370255, 0.62051386, 0.35875848, 0.18553527, 0.091353595], np.float32)
    expected = np.array([-0.40992117, -0.47720733, -1.0251058, -1.6845102, -2.3930175], np.float32)
    assert rounding.log_as_xla(x).tolist() == expected.tolist()
    x = np.array([1234, 5000, 10007, 54321, 99999, 777777], np.float32)
    expected = [7546.99169921875, 37582.62890625, 82164.1796875, 537918.25, 1051276.125, 9772136.0]
    assert rounding.log_gamma_as_xla(x).tolist() == expected


def test_binomial_numbers_of_wide_floats():
    # JAX 0.10.2: the last comparison of these elements depends on the tails of Stirling's approximation as JAX has them.
    with xp.config.use(x64="on"):
        found = np.asarray(xp.random.binomial(xp.random.key(0), 400.0, 0.75, (100_000,)))
    places = [5084, 22294, 27642, 31974, 33405, 46267, 55997, 95471]
    assert found[places].tolist() == [293, 285, 307, 309, 311, 315, 299, 319]


def test_no_success_of_negative_zero():
    key = xp.random.key(0)
    assert xp.random.binomial(key, 20.0, xp.asarray([-0.0, 0.0])).tolist() == [0.0, 0.0]
    assert xp.random.multinomial(key, 20, xp.asarray([1.0, -0.0, 0.0])).tolist() == [20.0, 0.0, 0.0]
