"""Derivatives of samples by the parameters: near differences, with the samples themselves as values."""

import numpy as np
import pytest
from common import for_each
from slopes import check_slopes

import supremum as xp
from supremum import jax, random

KEY = random.key(3)
A, B = np.array([0.5, 1.5, 3.0]), np.array([2.0, 0.7, 1.2])
COV = np.array([[2.0, 0.3], [0.3, 1.0]])

SAMPLERS = {
    "uniform": (lambda a, b: random.uniform(KEY, (3,), "float64", -a, b), A, B),
    "lognormal": (lambda a: random.lognormal(KEY, a, dtype="float64"), A),
    "pareto": (lambda a: random.pareto(KEY, a, dtype="float64"), A),
    "rayleigh": (lambda a: random.rayleigh(KEY, a, dtype="float64"), A),
    "weibull_min": (lambda a, b: random.weibull_min(KEY, a, b, (3,), "float64"), A, B),
    "double_sided_maxwell": (lambda a, b: random.double_sided_maxwell(KEY, a, b, (2, 3), "float64"), A, B),
    "triangular": (lambda a, b: random.triangular(KEY, -a, 0.1, b, dtype="float64"), A, B),
    "truncated_normal": (lambda a, b: random.truncated_normal(KEY, -a, b, dtype="float64"), A, B),
    "wald": (lambda a: random.wald(KEY, a, dtype="float64"), A),
    "multivariate_normal": (lambda m, c: random.multivariate_normal(KEY, m, c @ c.mT, (3,)), A[:2], COV),
    "permutation": (lambda a: random.permutation(KEY, a), A),
    "choice": (lambda a: random.choice(KEY, a, (5,)), A),
}
#: Samplers by gamma numbers: those are found by rejection, so differences of the samples are no derivatives.
IMPLICIT = {
    "gamma": (lambda a: random.gamma(KEY, a, dtype="float64"), A),
    "loggamma": (lambda a: xp.exp(random.loggamma(KEY, a, dtype="float64")), A),
}


@for_each("name", SAMPLERS)
def test_derivatives(name):
    fun, *args = SAMPLERS[name]
    check_slopes(fun, args, order=1, tolerance=1e-3)


@pytest.mark.parametrize("name", IMPLICIT)
def test_gamma_numbers_keep_their_probability(name):
    fun, a = IMPLICIT[name]
    with xp.config.use(x64="on"):
        y, moved = jax.jvp(fun, (a,), (np.ones_like(a),))
        by_a = (xp.scipy.special.gammainc(a + 1e-5, y) - xp.scipy.special.gammainc(a - 1e-5, y)) / 2e-5
        density = xp.exp(-y) * y ** (a - 1) / xp.scipy.special.gamma(a)
    assert np.allclose(moved, -by_a / density, rtol=1e-3)


@pytest.mark.parametrize(
    "fun",
    [
        lambda a: random.beta(KEY, a, 2.0),
        lambda a: random.dirichlet(KEY, a)[..., :2],
        lambda a: random.chisquare(KEY, a),
        lambda a: random.f(KEY, a, 2 * a),
        lambda a: random.t(KEY, a),
        lambda a: random.generalized_normal(KEY, a[0], (3,)),
        lambda a: random.ball(KEY, 3, a[0], (2,)),
    ],
)
def test_samplers_by_gamma_numbers(fun):
    a = xp.asarray(A, dtype="float32")
    value, back = jax.vjp(fun, a)
    assert np.array_equal(value, fun(a))
    by_back = back(xp.ones_like(value))[0].sum()
    forward = jax.jvp(fun, (a,), (xp.ones_like(a),))[1].sum()
    assert np.isfinite(forward)
    assert forward != 0
    assert np.allclose(by_back, forward, rtol=1e-4)


def test_normal_numbers_that_are_cut_do_not_move():  # values of JAX
    found = jax.grad(lambda h: xp.random.truncated_normal(xp.random.key(1), -1, h).sum())(xp.asarray([0.5, -1.5, 0.2]))
    np.testing.assert_allclose(found, [0.40181, 0.0, 0.47266], rtol=1e-4)


def test_second_derivatives_of_gamma_samples_are_refused():
    for draw in (xp.random.gamma, xp.random.loggamma, xp.random.t, xp.random.chisquare):
        first = jax.grad(lambda a, draw=draw: draw(xp.random.key(0), a))
        assert np.isfinite(first(1.5))
        with pytest.raises(NotImplementedError):
            jax.jvp(first, (1.5,), (1.0,))
