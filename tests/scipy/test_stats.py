"""Distributions of vectors, statistics of samples, estimation of densities; dtypes and errors."""

import importlib
import importlib.util
import inspect
import math
import pickle
import pydoc
from types import ModuleType

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.scipy import stats

DISTRIBUTIONS = [name for name in stats.__all__ if isinstance(getattr(stats, name), ModuleType)]


@for_each("name", DISTRIBUTIONS)
def test_distributions_are_modules_with_complete_all(name):
    module = importlib.import_module(f"supremum.scipy.stats.{name}")
    assert module is getattr(stats, name)
    assert importlib.util.find_spec(module.__name__).name == module.__name__
    for function in module.__all__:
        assert getattr(module, function).__module__ == f"supremum.scipy.stats.{name}"
        assert ">>> " in getattr(module, function).__doc__


def test_signatures_and_docstrings_are_made_of_the_table():
    assert len(DISTRIBUTIONS) == 26
    first, *rest = inspect.signature(stats.gamma.cdf).parameters.values()
    assert (first.name, first.default) == ("x", inspect.Parameter.empty)
    assert [(one.name, one.default) for one in rest] == [("a", inspect.Parameter.empty), ("loc", 0), ("scale", 1)]
    text = pydoc.plain(pydoc.render_doc(stats.gamma.cdf))
    assert "cdf(x" in text.replace("(\n    x", "(x")  # as of Python 3.13, long signatures have a line for each parameter
    for part in ("distribution function of the gamma distribution", "a : array_like", "The scale.", "Returns"):
        assert part in text
    assert pickle.loads(pickle.dumps(stats.gamma.cdf)) is stats.gamma.cdf
    # All parameters may be given by name.
    assert stats.norm.pdf(scale=2.0, x=1.0, loc=0.5).tolist() == stats.norm.pdf(1.0, 0.5, 2.0).tolist()
    for call, message in (
        (lambda: stats.gamma.cdf(1.0), "gamma.cdf: missing a required argument: 'a'"),
        (lambda: stats.t.pdf(1, 2, 3, 4, 5), "t.pdf: too many positional arguments"),
        (lambda: stats.norm.pdf(1, z=2), "norm.pdf: got an unexpected keyword argument 'z'"),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == message


@pytest.mark.parametrize("x64", ["off", "on"])
def test_dtypes(x64):
    with xp.config.use(x64=x64):
        default = "float64" if x64 == "on" else "float32"
        for given, dtype, weak in (
            (1, default, True), (0.5, default, True), (xp.asarray([1, 2]), default, False),
            (xp.asarray([1.0], dtype="bfloat16"), "bfloat16", False),
            (xp.asarray(1, dtype="int8"), "float32", False),
        ):  # fmt: skip
            found = stats.norm.logpdf(given)
            assert (found.dtype, found.weak_type) == (dtype, weak), given


def test_arguments_broadcast_and_promote():
    found = stats.norm.cdf(xp.ones((3, 1), dtype="float16"), xp.zeros(2, dtype="bfloat16"), 1)
    assert (found.shape, found.dtype) == ((3, 2), "float32")
    assert stats.gamma.cdf(xp.ones((0, 3)), 2.0).shape == (0, 3)


def test_errors_name_the_function():
    for bad in ([1.0, 2.0], None, "a"):
        with pytest.raises(TypeError, match="logpdf"):
            stats.norm.logpdf(bad)
    with pytest.raises(TypeError, match="complex"):
        stats.norm.cdf(1j)
    with pytest.raises(ValueError, match="logpdf"):
        stats.norm.logpdf(xp.ones(3), xp.ones(2))
    with pytest.raises(ValueError, match="alpha"):
        stats.dirichlet.pdf(xp.ones(2), xp.ones((2, 2)))
    with pytest.raises(ValueError, match="integers"):
        stats.multinomial.pmf(xp.ones(2), 2, xp.ones(2))
    with pytest.raises(ValueError, match="covariance"):
        stats.multivariate_normal.pdf(xp.ones(2), xp.ones(2), xp.ones(2))
    with pytest.raises(NotImplementedError, match="allow_singular"):
        stats.multivariate_normal.logpdf(xp.ones(2), xp.ones(2), 1.0, allow_singular=True)


# The results of JAX 0.10.2 at 0.25 + 0.25j with the shift 0.5 and the scale 2.
COMPLEX = {
    "cauchy.logpdf": -1.838365077972412 + 0.031239833682775497j,
    "cauchy.pdf": 0.15899966657161713 + 0.004968739580363035j,
    "cauchy.cdf": 0.4598047435283661 + 0.039366673678159714j,
    "cauchy.logcdf": -0.7733016610145569 + 0.0854077935218811j,
    "cauchy.sf": 0.5401952862739563 - 0.039366673678159714j,
    "cauchy.logsf": -0.6131762266159058 - 0.07274629920721054j,
    "cauchy.ppf": -0.2970735430717468 + 1.834304690361023j,
    "cauchy.isf": 1.2970736026763916 - 1.834304690361023j,
    "expon.ppf": 0.970003604888916 + 0.6435011029243469j,
    "logistic.logpdf": -2.079451560974121 + 0.0078125j,
    "logistic.pdf": 0.12499493360519409 + 0.0009765427676029503j,
    "logistic.cdf": 0.4686689078807831 + 0.031168367713689804j,
    "logistic.sf": 0.5313311219215393 - 0.031168367713689804j,
    "logistic.ppf": -1.1094378232955933 + 2.2142975330352783j,
    "logistic.isf": 2.109437942504883 - 2.2142975330352783j,
    "norm.logpdf": -1.6120857000350952 + 0.015625j,
    "norm.pdf": 0.19944679737091064 + 0.003116609761491418j,
    "uniform.ppf": 1 + 0.5j,
}


@for_each("name", sorted(COMPLEX))
def test_complex_arguments(name):
    module, _, function = name.partition(".")
    compute = getattr(getattr(stats, module), function)
    found = compute(xp.asarray([0.25 + 0.25j], dtype="complex64"), 0.5, 2.0)
    assert (found.dtype, found.weak_type) == ("complex64", False)
    np.testing.assert_allclose(np.asarray(found)[0], COMPLEX[name], rtol=1e-6)
    assert compute(0.25, 0.5, xp.asarray(2, dtype="complex64")).dtype == "complex64"
    with xp.config.use(x64="on"):
        assert compute(0.25j, 0.5, 2.0).dtype == "complex128"


def test_further_complex_arguments():
    found = stats.norm.logpdf(0.25, 0.5, xp.asarray([2 + 0.25j], dtype="complex64"))
    np.testing.assert_allclose(np.asarray(found), [-1.6272934675216675 - 0.12246149778366089j], rtol=1e-6)
    found = stats.pareto.ppf(xp.asarray([0.25 + 0.25j], dtype="complex64"), 2.5, 0.5, 2.0)
    np.testing.assert_allclose(np.asarray(found), [2.678950071334839 + 0.2819899916648865j], rtol=1e-6)
    found = stats.multivariate_normal.logpdf(xp.asarray([0.25 + 0.25j, 0.5], dtype="complex64"), xp.zeros(2), xp.eye(2))
    np.testing.assert_allclose(np.asarray(found), -1.962877 - 0.0625j, rtol=1e-6)


@for_each(
    ("name", "shapes", "error"),
    [
        ("beta.cdf", (2.0, 3.5), ValueError),
        ("beta.pdf", (2.0, 3.5), TypeError),
        ("chi2.cdf", (3.0,), TypeError),
        ("expon.pdf", (), TypeError),
        ("gumbel_r.cdf", (), TypeError),
        ("laplace.pdf", (), TypeError),
        ("norm.cdf", (), TypeError),
        ("pareto.pdf", (2.5,), TypeError),
        ("truncnorm.pdf", (-1.0, 2.0), TypeError),
        ("uniform.pdf", (), TypeError),
        ("binom.pmf", (4, 0.25), TypeError),
        ("poisson.cdf", (2.5,), TypeError),
    ],
)
def test_complex_arguments_that_jax_refuses(name, shapes, error):
    module, _, function = name.partition(".")
    with pytest.raises(error, match=f"{function}: complex"):
        getattr(getattr(stats, module), function)(xp.asarray([0.25j]), *shapes)
    with pytest.raises(TypeError, match="ppf: complex"):
        stats.norm.ppf(0.25, 1j)


def test_strict_promotion():
    with xp.config.use(promotion="jax_strict"), pytest.raises(xp.TypePromotionError):
        stats.norm.pdf(xp.ones(2, dtype="float32"), xp.ones(2, dtype="float16"))


def test_vectors():
    # Exact: 2 pi is the square root of the determinant's factor, the exponent is -(1 + 4) / 2.
    found = stats.multivariate_normal.logpdf(xp.asarray([1.0, 2.0]), xp.zeros(2), xp.eye(2))
    assert float(found) == pytest.approx(-2.5 - math.log(2 * math.pi), rel=1e-6)
    assert np.isnan(float(stats.multivariate_normal.logpdf(xp.ones(2), xp.zeros(2), xp.asarray([[1.0, 2.0], [2.0, 1.0]]))))
    assert stats.multivariate_normal.pdf(xp.ones((4, 2)), xp.zeros((4, 2)), xp.eye(2)).shape == (4,)
    # gamma(5) / (gamma(2) gamma(3)) * 0.25 * 0.75**2
    assert float(stats.dirichlet.pdf(xp.asarray([0.25]), xp.asarray([2.0, 3.0]))) == pytest.approx(12 * 0.25 * 0.75**2)
    assert float(stats.dirichlet.pdf(xp.asarray([0.5, 0.75]), xp.asarray([2.0, 3.0]))) == 0
    assert float(stats.multinomial.pmf(xp.asarray([1, 2]), 3, xp.asarray([0.25, 0.75]))) == pytest.approx(3 * 0.25 * 0.75**2)
    assert float(stats.multinomial.logpmf(xp.asarray([1, 1]), 3, xp.asarray([0.25, 0.75]))) == -math.inf


def test_entropy_of_poisson():
    # By the sum of -p log(p) in SciPy 1.17.
    expected = [0.0, 0.9276374672, 2.5610, 3.72286, 4.178588]
    found = stats.poisson.entropy(xp.asarray([0.0, 0.5, 10.0, 100.0, 250.0]))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=3e-3)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("average", [1, 2.5, 4, 2.5]),
        ("min", [1, 2, 4, 2]),
        ("max", [1, 3, 4, 3]),
        ("dense", [1, 2, 3, 2]),
        ("ordinal", [1, 2, 4, 3]),
    ],
)
def test_ranks(method, expected):
    assert stats.rankdata(xp.asarray([0, 2, 3, 2]), method).tolist() == expected
    rows = stats.rankdata(xp.asarray([[0, 2, 3, 2], [0, 2, 3, 2]]), method, axis=1)
    assert rows.tolist() == [expected, expected]
    assert np.isnan(np.asarray(stats.rankdata(xp.asarray([1.0, np.nan]), method))).all()
    assert stats.rankdata(xp.ones((0, 2)), method, axis=0).shape == (0, 2)


def test_mode_and_standard_error():
    values, counts = stats.mode(xp.asarray([[2, 3, 1], [2, 1, 1]]))
    assert (values.tolist(), counts.tolist()) == ([2, 1, 1], [2, 1, 2])
    assert stats.mode(xp.asarray([[2, 3, 3]]), axis=None, keepdims=True).mode.shape == (1, 1)
    assert float(stats.sem(xp.asarray([1.0, 2.0, 3.0, 4.0]))) == pytest.approx(math.sqrt(5 / 12))
    assert float(stats.sem(xp.asarray([1.0, np.nan, 3.0]), nan_policy="omit")) == pytest.approx(1.0)
    with xp.numpy_dtype_promotion("strict"):  # as JAX's
        assert float(stats.sem(xp.asarray([1, 3]), nan_policy="omit")) == pytest.approx(1.0)
    for function in (stats.mode, stats.rankdata):
        with pytest.raises(NotImplementedError, match=f"{function.__name__}: nan_policy"):
            function(xp.ones(2), nan_policy="omit")
        with pytest.raises(ValueError, match="nan_policy"):
            function(xp.ones(2), nan_policy="nonsense")


class TestDensityEstimation:
    data = ([0.0, 1.0, 3.0, 4.5], [0.5, 1.0, 3.0, 6.5])

    def test_against_a_sum_of_kernels(self):
        points = [1.0, 3.5]
        found = stats.gaussian_kde(xp.asarray(self.data[0]), bw_method=0.5)(xp.asarray(points))
        width = 0.5 * np.std(self.data[0], ddof=1)
        expected = [
            np.mean(np.exp(-(((x - np.array(self.data[0])) / width) ** 2) / 2) / width) / math.sqrt(2 * math.pi)
            for x in points
        ]
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6)

    def test_is_a_density_with_weights(self):
        density = stats.gaussian_kde(xp.asarray(self.data[0]), "silverman", weights=xp.asarray([1.0, 2.0, 1.0, 1.0]))
        grid = xp.linspace(-20, 25, 2001)
        assert float(xp.trapezoid(density(grid), grid)) == pytest.approx(1, rel=1e-5)
        assert float(density.integrate_box_1d(-20, 25)) == pytest.approx(1, rel=1e-5)
        np.testing.assert_allclose(
            np.asarray(density.logpdf(grid[900:1100])), np.log(np.asarray(density.pdf(grid[900:1100]))), rtol=1e-4
        )
        assert (density.d, density.n) == (1, 4)

    def test_products(self):
        density = stats.gaussian_kde(xp.asarray(self.data))
        one = stats.gaussian_kde(xp.asarray(self.data[0]))
        grid = xp.linspace(-20, 25, 4001)
        assert float(one.integrate_kde(one)) == pytest.approx(float(xp.trapezoid(one(grid) ** 2, grid)), rel=1e-4)
        normal = stats.norm.pdf(grid, 1.0, 2.0)
        assert float(one.integrate_gaussian(1.0, 4.0)) == pytest.approx(
            float(xp.trapezoid(one(grid) * normal, grid)), rel=1e-4
        )
        assert density.evaluate(xp.asarray([1.0, 2.0])).shape == (1,)
        assert density.resample(xp.random.key(0), (5,)).shape == (2, 5)
        with pytest.raises(ValueError, match="dimensions"):
            one.integrate_kde(density)
        with pytest.raises(NotImplementedError):
            density.integrate_box([0, 0], [1, 1])

    def test_refuses(self):
        with pytest.raises(ValueError, match="several"):
            stats.gaussian_kde(xp.asarray([1.0]))
        with pytest.raises(ValueError, match="weights"):
            stats.gaussian_kde(xp.ones(3), weights=xp.ones(2))
        with pytest.raises(ValueError, match="bw_method"):
            stats.gaussian_kde(xp.arange(3.0), "nonsense")
        with pytest.raises(NotImplementedError, match="complex"):
            stats.gaussian_kde(xp.asarray([1j, 2]))


def test_densities_of_vectors_are_mapped_in_programs():  # values of JAX
    stats, x = xp.scipy.stats, xp.asarray([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])

    def mapped(function, *others):
        return xp.jax.jit(xp.jax.vmap(lambda x: function(x, *others)))(x)

    np.testing.assert_allclose(mapped(stats.dirichlet.logpdf, xp.asarray([2.0, 3.0, 1.5])), [0.7262411, 1.0201349], rtol=1e-5)
    two = xp.jax.jit(xp.jax.vmap(lambda x, y: stats.multivariate_normal.logpdf(x, y, xp.eye(3))))
    np.testing.assert_allclose(two(x, 2 * x), [-2.946816, -2.986816], rtol=1e-5)
