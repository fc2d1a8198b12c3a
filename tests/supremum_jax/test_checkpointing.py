"""Functions that are computed again for their derivatives backward."""

import numpy as np

import supremum as xp
from supremum import jax

X = np.array([0.5, 1.0, 2.0], np.float32)


def test_checkpoint_computes_again_what_the_tape_does_not_hold():
    calls = []

    def layer(w, x):
        calls.append(type(w).__name__)
        for _ in range(20):
            x = xp.tanh(w * x)
        return x

    def plain(w):
        return layer(w, layer(w, X)).sum()

    def saving(w):
        inner = jax.checkpoint(lambda x: layer(w, x))  # w is in a closure
        return jax.remat(layer)(w, inner(w * X)).sum()

    def reference(w):
        return layer(w, layer(w, w * X)).sum()

    assert np.allclose(jax.grad(saving)(0.9), jax.grad(reference)(0.9), rtol=1e-6)
    assert np.allclose(jax.hessian(saving)(0.9), jax.hessian(reference)(0.9), rtol=1e-5)
    assert np.allclose(jax.vmap(jax.grad(saving))(X), jax.vmap(jax.grad(reference))(X), rtol=1e-5)
    calls.clear()
    value, back = jax.vjp(saving, 0.9)
    before = len(calls)
    back(xp.ones_like(value))
    assert (before, len(calls)) == (2, 4)
    assert np.allclose(jax.grad(plain)(0.9), jax.grad(lambda w: jax.checkpoint(plain)(w))(0.9), rtol=1e-6)
