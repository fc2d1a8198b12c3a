"""What `vjp` returns next to the value: with references, with other arguments, without cotangents that are not wanted."""

import pytest

import supremum as xp
from supremum import jax


def test_cotangents_that_are_not_wanted():
    ref = jax.new_ref(xp.zeros(2))
    _, back = jax.vjp(lambda x, y: x * y, xp.ones(2), xp.full(2, 3.0))
    kept = back.with_refs(ref, jax.ad.DontWant())(xp.ones(2))
    assert kept == (jax.ad.GradRef(), jax.ad.DidntWant())
    assert ref[...].tolist() == [3, 3]
    by_x, by_y = back.with_refs(jax.ad.GradValue(), jax.ad.DontWant())(xp.ones(2))
    assert (by_x.tolist(), by_y) == ([3, 3], jax.ad.DidntWant())


def test_arguments_may_be_given_back():
    calls = []

    def f(x, w):
        calls.append(x)
        return {"out": x["x"] @ w}

    x, w = {"x": xp.asarray([1.0, 2.0])}, xp.asarray([3.0, 4.0])
    _, back = jax.vjp(f, x, w)
    assert back.args_res == [x, w]
    back.args_res[1] = None
    with pytest.raises(ValueError, match="taken away"):
        back({"out": 1.0})
    back.args_res[1] = w
    by_x, by_w = back({"out": 1.0})
    assert (by_x["x"].tolist(), by_w.tolist(), len(calls)) == ([3, 4], [1, 2], 1)
    back.args_res[1] = 2 * w
    assert back({"out": 1.0})[0]["x"].tolist() == [6, 8]


def test_it_is_a_tree():
    _, back = jax.vjp(lambda x: x * x, 3.0)
    leaves, structure = jax.tree.flatten(back)
    assert structure.unflatten(leaves)(1.0)[0] == 6
    assert jax.jit(lambda x: jax.vjp(lambda y: y * y, x)[1](1.0))(3.0)[0] == 6


def test_cotangents_that_are_not_wanted_are_not_computed():
    """The number of equations of JAX 0.10.2."""
    x = xp.arange(3.0)
    value, back = jax.vjp(lambda x, y: x * y, x, x + 1)
    chosen = back.with_refs(jax.ad.DontWant(), jax.ad.GradValue())
    program = jax.make_jaxpr(lambda ct: chosen(ct)[1])(value)
    assert len(program.eqns) == 1
    for _ in range(2):
        unwanted, found = chosen(xp.ones_like(value))
        assert unwanted == jax.ad.DidntWant()
        assert found.tolist() == x.tolist()
    assert back(xp.ones_like(value))[0].tolist() == [1.0, 2.0, 3.0]


def test_residuals_are_what_is_held_besides_the_arguments():  # as in JAX
    assert jax.vjp(xp.sin, 3.0)[1].opaque_residuals == [xp.cos(3.0)]
    assert jax.vjp(lambda x, y: x * y, 2.0, 3.0)[1].opaque_residuals == []
    assert jax.vjp(lambda x: jax.lax.cond(x > 0, xp.sin, xp.cos, x), 3.0)[1].opaque_residuals
