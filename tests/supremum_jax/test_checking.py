"""Derivatives compared with differences."""

import functools
import importlib

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax.test_util import check_grads, check_jvp, check_vjp


@pytest.mark.parametrize("modes", [("fwd",), ("rev",), ("lin",), ("fwd", "rev")])
def test_right_derivatives_pass(modes):
    with xp.config.use(x64="on"):
        check_grads(lambda x, y: {"a": xp.sin(x) * y}, (np.array([0.5, 1.0]), 2.0), order=2, modes=modes)
        check_grads(lambda x: {"a": xp.sin(x), "b": xp.argmax(x)}, (np.array([0.5, 1.0]),), order=1, modes=modes)
        check_grads(lambda z: z * z, (0.5 + 1j,), order=2, modes=modes)
        check_grads(lambda x, i: x[i], (np.array([0.5, 1.0]), np.array(1)), order=1, modes=modes)


def test_wrong_derivatives_fail():
    wrong = jax.custom_jvp(xp.sin)
    wrong.defjvp(lambda primals, tangents: (xp.sin(*primals), 1.5 * xp.cos(*primals) * tangents[0]))
    with pytest.raises(AssertionError, match="JVP tangent"):
        check_grads(wrong, (0.5,), order=1)
    with pytest.raises(AssertionError, match="tangent"):
        check_jvp(wrong, functools.partial(jax.jvp, wrong), (0.5,))
    with pytest.raises(AssertionError, match="cotangent projection"):
        check_vjp(wrong, functools.partial(jax.vjp, wrong), (0.5,))
    with pytest.raises(AssertionError, match="primal"):
        check_jvp(xp.sin, functools.partial(jax.jvp, xp.cos), (0.5,))
    check_grads(wrong, (0.5,), order=1, atol=10.0)
    check_grads(wrong, (np.float32(0.5),), order=1, atol={np.float32: 10.0})


def test_values_that_are_close():
    """The values of JAX 0.10.2: the errors that are allowed are multiplied by the size."""
    check_close = importlib.import_module("supremum.jax._src.public_test_util").check_close
    for moved, allowed in ((2e-6, {}), (1e-3, {"atol": 1e-2}), (1e-5, {"rtol": {np.float32: 1e-4, "float64": 1e-9}})):
        check_close({"a": xp.ones(3)}, {"a": xp.ones(3) + moved}, **allowed)
    for moved, allowed in ((1e-5, {}), (1e-3, {"rtol": {np.float32: 1e-4}})):
        with pytest.raises(AssertionError, match="some words"):
            check_close({"a": xp.ones(3)}, {"a": xp.ones(3) + moved}, **allowed, err_msg="some words")
