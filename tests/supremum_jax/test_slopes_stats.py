"""Derivatives of distributions: near differences, with the functions' own values."""

import inspect

import numpy as np
import pytest

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


@pytest.mark.parametrize("name", DERIVED)
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
