"""Minimization: what `tests/jax_expressions/minimize.txt`, with JAX's results, does not say."""

import numpy as np
import pytest

import supremum as xp
from supremum.scipy.optimize import minimize


def quartic(x, shift=0.0):
    return ((x - shift) ** 4).sum() + (x * x).sum()


def test_the_minimum_of_a_quartic():
    found = minimize(quartic, np.array([2.0, -3.0], np.float32), method="BFGS")
    assert bool(found.success)
    assert np.allclose(found.x, 0, atol=1e-4)
    assert np.allclose(found.hess_inv, np.eye(2) / 2, atol=0.1)
    assert int(found.nfev) == int(found.njev) > int(found.nit) > 0


@pytest.mark.parametrize(
    "error, message, x, options",
    [
        (TypeError, "x0 must be an array of floats, got dtype int32", xp.arange(2), {}),
        (ValueError, r"x0 must have one axis, got shape \(\)", xp.asarray(1.0), {}),
        (ValueError, r"x0 must have one axis, got shape \(1, 2\)", xp.ones((1, 2)), {}),
        (TypeError, "the options of BFGS are maxiter, .*, got tol", xp.ones(2), {"options": {"tol": 1}}),
        (TypeError, r"args must be a tuple, got 2", xp.ones(2), {"args": 2.0}),
        (ValueError, "method", xp.ones(2), {"method": "CG"}),
    ],
)
def test_wrong_arguments(error, message, x, options):
    with pytest.raises(error, match=f"^minimize: .*{message}|^minimize: Method"):
        minimize(quartic, x, **{"method": "BFGS", **options})


def test_errors_of_the_function_pass():
    with pytest.raises(KeyError, match="own"):
        minimize(lambda x: {}["own"], xp.ones(2), method="BFGS")
