"""Derivatives of distributions: near differences, with the functions' own values."""

import inspect

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax.test_util import check_grads
from supremum.scipy import stats

#: Where to evaluate, and the parameters.
DERIVED = {
    "beta": (0.3, 2.0, 3.0, 0.1, 1.2), "cauchy": (0.3, 0.1, 1.2), "expon": (0.5, 0.1, 1.2), "gamma": (0.7, 2.2, 0.1, 1.2),
    "chi2": (0.7, 2.2, 0.1, 1.2), "gennorm": (0.5, 2.3), "gumbel_l": (0.5, 0.1, 1.2), "gumbel_r": (0.5, 0.1, 1.2),
    "laplace": (0.5, 0.1, 1.2), "logistic": (0.5, 0.1, 1.2), "norm": (0.5, 0.1, 1.2), "pareto": (2.5, 1.3, 0.1, 1.2),
    "t": (0.5, 3.2, 0.1, 1.2), "truncnorm": (0.5, -1.0, 2.0, 0.1, 1.2), "uniform": (0.5, 0.1, 1.2), "vonmises": (0.5, 2.0),
    "wrapcauchy": (0.5, 0.25), "bernoulli": (1, 0.3), "betabinom": (2, 4, 2.0, 3.0), "binom": (2, 4, 0.4), "geom": (2, 0.4),
    "nbinom": (2, 4.0, 0.4), "poisson": (2, 2.3),
}  # fmt: skip


@for_each("name", DERIVED)
def test_derivatives_are_near_differences(name):
    module = getattr(stats, name)
    for function in module.__all__:
        call = getattr(module, function)
        at = DERIVED[name][: len(inspect.signature(call).parameters)]
        at = (0.4, *at[1:]) if function in ("ppf", "isf") else (2.3,) if function == "entropy" else at
        # The incomplete beta function has no derivative by its parameters, in JAX neither.
        fixed = [isinstance(x, int) or (name == "beta" and "pdf" not in function and i in (1, 2)) for i, x in enumerate(at)]

        def program(*moving, call=call, at=at, fixed=fixed):
            rest = iter(moving)
            return call(*[x if still else next(rest) for x, still in zip(at, fixed, strict=True)])

        with xp.config.use(x64="on"):
            given = [xp.asarray(x) for x, still in zip(at, fixed, strict=True) if not still]
            check_grads(program, given, order=1, atol=1e-4, rtol=1e-4)
            assert np.array_equal(jax.vjp(program, *given)[0], program(*given))


@pytest.mark.parametrize(
    "program, args",
    [
        (lambda x, m, c: stats.multivariate_normal.logpdf(x, m, c @ c.mT), (np.ones(2), np.zeros(2), np.eye(2) + 0.3)),
        (lambda x, m, c: stats.multivariate_normal.pdf(x, m, c), (np.ones(2), np.zeros(2), 1.3)),
        (lambda a: stats.dirichlet.logpdf(xp.asarray([0.25, 0.75]), a), (np.array([2.0, 3.0]),)),
        (lambda p: stats.multinomial.logpmf(xp.asarray([1, 2]), 3, p), (np.array([0.25, 0.75]),)),
    ],
)
def test_derivatives_of_distributions_of_vectors(program, args):
    with xp.config.use(x64="on"):
        check_grads(program, [xp.asarray(x) for x in args], order=1, atol=1e-4, rtol=1e-4)


#: A distribution and a function, where it is evaluated, its shape parameters, and JAX's derivatives by `x`, `loc` and `scale`.
EDGES = [
    ("gamma.logcdf", [0.0, 1.0], [1.5], [[0, 0], [0, 0], [0, 0]]),
    ("beta.logcdf", [0.0, 4.0], [1.5, 2.5], [[0, 0], [0, 0], [0, 0]]),
    ("beta.logsf", [0.0, 4.0], [1.5, 2.5], [[0, 0], [0, 0], [0, 0]]),
    ("chi2.logcdf", [0.0, 1.0], [3.0], [[0, 0], [0, 0], [0, 0]]),
    ("chi2.logsf", [0.0, 1.0], [3.0], [[0, 0], [0, 0], [0, 0]]),
    ("expon.logpdf", [0.0, 2.0], [], [[0, -0.5], [0, 0.5], [0, -0.25]]),
    ("truncnorm.cdf", [-2.0, 4.0], [-1.0, 1.0], [[0, 0], [0, 0], [0, 0]]),
    ("truncnorm.logsf", [-2.0, 4.0], [-1.0, 1.0], [[0, 0], [0, 0], [0, 0]]),
    ("cauchy.cdf", [1.0], [], [[0.15915494], [-0.15915494], [0]]),
    ("cauchy.sf", [1.0], [], [[-0.15915494], [0.15915494], [0]]),
    ("laplace.cdf", [1.0], [], [[0.25], [-0.25], [0]]),
]


@pytest.mark.parametrize("name, x, shapes, expected", EDGES)
def test_derivatives_at_the_center_and_outside_of_the_support(name, x, shapes, expected):
    distribution, _, function = name.partition(".")
    call = getattr(getattr(stats, distribution), function)
    program = lambda x, loc, scale: call(x, *shapes, loc, scale)
    found = [jax.vmap(jax.grad(program, i), (0, None, None))(xp.asarray(x), 1.0, 2.0) for i in range(3)]
    assert np.allclose(found, expected, rtol=1e-6)


def test_densities_outside_of_the_support_are_constants():  # as in JAX
    programs = [
        lambda s: stats.gamma.logpdf(0.0, 1.5, 1.0, s),
        lambda s: stats.chi2.logpdf(0.0, 3.0, 1.0, s),
        lambda s: stats.expon.logpdf(0.0, 1.0, s),
        lambda s: stats.pareto.logcdf(1.0, 2.0, 0.0, s),
    ]
    assert [float(jax.jvp(program, (2.0,), (1.0,))[1]) for program in programs] == [0, 0, 0, 0]
    assert jax.grad(lambda a: stats.gamma.logpdf(-1.0, a))(1.5) == 0


DENSITIES = [  # by the data, the points and the weights; values of JAX
    (
        lambda x, p, w: stats.gaussian_kde(x, weights=w).logpdf(p).sum(),
        ([0.01144, -0.11049, -0.113, -0.22059], [0.65749, -0.22485], [0.14635, 0.09286, -0.13974, -0.2622]),
    ),
    (
        lambda x, p, w: (
            stats.gaussian_kde(x.reshape(2, 2).T @ xp.asarray([[1.0, 0, 2], [0, 1, 1]]), "silverman").pdf(p[:, None]) * 9
        ).sum(),
        ([-0.21463, 0.16054, 0.03851, -0.03201], [0.08531, -0.06498], [0] * 4),
    ),
    (
        lambda x, p, w: stats.gaussian_kde(x, bw_method=w[2], weights=w).integrate_box_1d(p[0], p[1]),
        ([0.11831, -0.04101, -0.03989, -0.05817], [-0.12911, 0.14986], [0.03409, 0.07451, -0.41417, -0.13521]),
    ),
    (
        lambda x, p, w: stats.gaussian_kde(x, weights=w).integrate_gaussian(p[0], p[1]),
        ([-0.0014, -0.01909, -0.00555, -0.01006], [0.0361, -0.0048], [0.01429, 0.00636, -0.0138, -0.02012]),
    ),
    (
        lambda x, p, w: stats.gaussian_kde(x).integrate_kde(stats.gaussian_kde(w * 2)),
        ([0.02148, 0.00417, -0.01927, -0.02084], [0] * 2, [0.01212, -0.02632, 0.03101, 0.01212]),
    ),
]


@for_each("case", DENSITIES)
def test_estimates_of_densities(case):
    fun, expected = case
    given = [xp.asarray(x) for x in ([1.0, 2.0, 4.0, 4.5], [0.5, 3.0], [1.0, 2.0, 0.5, 1.0])]
    gradient = jax.grad(fun, (0, 1, 2))
    mapped = jax.vmap(gradient)(*[xp.stack([x, x]) for x in given])
    for found in (gradient(*given), jax.jit(gradient)(*given), [x[1] for x in mapped]):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


def test_bounds_that_move_are_recorded():  # values of JAX
    x, y, z = (xp.asarray(one) for one in ([0.3, 0.5], [1.2, 2.0], [2.0, 1.5]))
    for transformed in (jax.grad, lambda *args: jax.jit(jax.grad(*args))):
        found = transformed(lambda x, y: stats.truncnorm.logpdf(x, -y, z).sum(), (0, 1))(x, y)
        np.testing.assert_allclose(found, [[-0.3, -0.5], [-0.2252267, -0.0593019]], rtol=1e-5)


def test_logistic_densities_of_complex_numbers():  # values of JAX
    x = xp.asarray([0.5 + 0.2j, 1 - 0.3j], dtype="complex64")
    for density, expected in (
        (stats.logistic.logpdf, [0.0942592 - 0.2472349j, -0.9407566 + 0.2365660j]),
        (stats.logistic.pdf, [0.0194530 - 0.0596781j, -0.1930237 + 0.0207128j]),
    ):
        pulled = jax.vjp(density, x)[1](xp.asarray([1j, 2.0], dtype="complex64"))[0]
        np.testing.assert_allclose(pulled, expected, rtol=1e-5)
