"""What equations call, as the interpreters of programs in JAX's documentation use it."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax

X = xp.asarray([0.2, 0.5, 0.8])
core = jax.extend.core


def interpreted(jaxpr, consts, *args):
    """Return the results of a program, whose equations are called one after the other."""
    values = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*consts, *args], strict=True))
    for eqn in jaxpr.eqns:
        given = [x.val if type(x) is core.Literal else values[x] for x in eqn.invars]
        found = eqn.primitive.bind(*given, **eqn.primitive.get_bind_params(eqn.params))
        values.update(zip(eqn.outvars, found if eqn.primitive.multiple_results else [found], strict=True))
    return [x.val if type(x) is core.Literal else values[x] for x in jaxpr.outvars]


def program(x, y):
    z = xp.concatenate([x, y])[1:4]
    total = xp.sum(xp.where(z > 0.4, z, 2 * z), keepdims=True)
    looped = lax.fori_loop(0, 3, lambda _, c: c * 1.5 + total[0], xp.float32(1))
    _, upper = xp.linalg.qr(xp.outer(z, z) + xp.eye(3))
    chosen = lax.cond(x[0] > 0, xp.sin, xp.cos, x)
    return (
        looped,
        upper,
        xp.reshape(xp.broadcast_to(x, (2, 3)), (3, 2)),
        chosen,
        xp.clip(x, 0.3, 0.6),
        lax.dynamic_slice(x, (1,), (2,)),
    )


@pytest.mark.parametrize("transformed", [lambda f: f, jax.jit])
def test_an_interpreter_calls_equations_one_after_the_other(transformed):
    made = jax.make_jaxpr(program)(X, X)
    found = transformed(lambda *args: interpreted(made.jaxpr, made.consts, *args))(X, X)
    for one, wanted in zip(found, program(X, X), strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(wanted))


def test_operations_equal_their_functions_and_those_of_lax():
    inverses = {lax.exp_p: xp.log, lax.tanh_p: xp.arctanh}
    for exp in (xp.exp, lax.exp):
        (eqn,) = jax.make_jaxpr(exp)(X).eqns
        assert eqn.primitive in inverses
        assert eqn.primitive == lax.exp_p
        assert eqn.primitive == xp.exp
        assert inverses[eqn.primitive] is xp.log
    (eqn,) = jax.make_jaxpr(xp.sin)(X).eqns
    assert eqn.primitive not in inverses
    assert (str(eqn.primitive), eqn.primitive.name, eqn.primitive.call_primitive) == ("sin", "sin", False)
    assert lax.exp_p != lax.log_p


def test_parameters_may_be_others():
    (eqn,) = jax.make_jaxpr(lambda x: xp.sum(x, 0))(xp.ones((2, 3))).eqns
    x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert eqn.primitive.bind(x, **eqn.params).tolist() == [5, 7, 9]
    assert eqn.primitive.bind(x, axis=1).tolist() == [6, 15]
    assert eqn.primitive.bind(x, axis=1, keepdims=True).tolist() == [[6], [15]]
