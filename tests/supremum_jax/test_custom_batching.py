"""`custom_vmap`, where an expression and its repr do not say enough."""

import threading

import numpy as np
import pytest

import supremum as xp
from supremum import jax

pytestmark = pytest.mark.usefixtures("as_in_jax")

lax, vmap = jax.lax, jax.vmap


def with_rule(rule, fun=lambda x: x):
    made = jax.custom_batching.custom_vmap(fun)
    made.def_vmap(rule)
    return made


def test_the_rule_of_a_function_that_is_mapped_itself_needs_no_threads():
    f = with_rule(lambda n, batched, x: (seen.append(threading.active_count()), (x + n, True))[1])
    seen, before = [], threading.active_count()
    assert vmap(f)(xp.arange(100)).tolist() == list(range(100, 200))
    assert vmap(vmap(f))(xp.ones((2, 3))).tolist() == [[4, 4, 4]] * 2
    assert set(seen) == {before}


def test_threads_end_with_the_call():
    f = with_rule(lambda n, batched, x: (x * n, True))
    before = threading.active_count()
    assert vmap(lambda x: f(x + 1) - f(x))(xp.arange(20)).tolist() == [20] * 20
    assert threading.active_count() == before


def test_errors_of_rules_are_raised_where_the_function_is_called():
    def rule(n, batched, x):
        raise KeyError("own")

    f = with_rule(rule)

    def caught(x):
        try:
            return f(x * 2)
        except KeyError:
            return -x

    for mapped in (vmap(f), vmap(lambda x: f(x * 2))):
        with pytest.raises(KeyError, match="own"):
            mapped(xp.arange(3))
    assert vmap(caught)(xp.arange(3)).tolist() == [0, -1, -2]


def test_branches_that_differ_between_positions():
    sizes = []

    def rule(n, batched, x):
        sizes.append(n)
        return x * 10, True

    f = with_rule(rule)
    x = xp.arange(5)
    assert vmap(lambda v: lax.cond(v > 2, f, lambda w: -w, v))(x).tolist() == [0, -1, -2, 30, 40]
    assert vmap(lambda v: lax.while_loop(lambda w: w < 25, lambda w: f(w + 1), v))(x).tolist() == [110, 210, 30, 40, 50]
    assert set(sizes) == {5}  # as in JAX, both branches are computed for all positions, and as many steps as one needs


def test_the_settings_at_the_call_are_in_force_in_the_rule():
    f = with_rule(lambda n, batched, x: (x + xp.arange(n), True))

    def mapped(x):
        with xp.config.use(x64="on"):
            return f(x * 1)

    assert vmap(mapped)(xp.arange(3)).dtype == "int64"


def test_nothing_is_shared_between_positions_where_arrays_are_mutable():
    def rule(n, batched, x):
        x += 1
        return {"x": x, "same": xp.zeros(2)}, {"x": True, "same": False}

    def mapped(x):
        out = f(x)
        out["same"] += x[0]
        return out

    f = with_rule(rule)
    with xp.config.use(mutable=True):
        x = xp.arange(6.0).reshape(3, 2)
        for function in (f, mapped):
            out = vmap(function)(x)
            assert out["x"].tolist() == [[1, 2], [3, 4], [5, 6]]
            assert x.tolist() == [[0, 1], [2, 3], [4, 5]]
        assert out["same"].tolist() == [[0, 0], [2, 2], [4, 4]]


def test_an_operand_that_only_the_outer_vmap_maps_is_left_to_it():
    seen = []

    def rule(n, batched, x, y):
        seen.append((n, tuple(batched)))
        return (x + y[:, None], True) if all(batched) else (f(x, y), True)

    f = with_rule(rule, lambda x, y: x + y)
    # Inner: x alone is batched, then both at the outer vmap.
    out = vmap(lambda y: vmap(lambda x: f(x, y * 2))(xp.arange(3) + y))(xp.arange(2))
    assert out.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert seen == [(3, (True, False)), (2, (True, True))]
    del seen[:]
    # The inner vmap maps no operand.
    out = vmap(lambda y: vmap(lambda x: x + f(y, 1))(xp.arange(3)))(xp.arange(2))
    assert out.tolist() == [[1, 2, 3], [2, 3, 4]]
    assert seen == [(2, (True, False))]


def test_rules_reduce_along_a_named_axis():
    f = with_rule(lambda n, batched, x: (x / lax.psum(1, "i") + lax.axis_size("i"), True))
    for function in (f, lambda x: f(x * 1.0)):
        assert vmap(function, axis_name="i")(xp.arange(4.0)).tolist() == [4, 4.25, 4.5, 4.75]


def test_keys_are_operands():
    f = with_rule(lambda n, batched, k: (vmap(jax.random.bits)(k), True), lambda k: jax.random.bits(k))
    keys = jax.random.split(jax.random.key(0), 3)
    expected = [int(jax.random.bits(key)) for key in keys]
    assert vmap(f)(keys).tolist() == expected
    assert vmap(lambda k: f(jax.random.clone(k)))(keys).tolist() == expected


def test_sequential_functions_are_called_in_order():
    seen = []

    @jax.custom_batching.sequential_vmap
    def f(x, y=2):
        seen.append(int(x))
        return x * y

    assert vmap(f)(xp.arange(3)).tolist() == vmap(lambda x: f(x, y=2))(xp.arange(3)).tolist() == [0, 2, 4]
    assert seen == [0, 1, 2] * 2


def test_arguments_of_partial_functions():
    from functools import partial

    f = with_rule(lambda n, batched, x: (x * 2, True), partial(np.add, 1))
    assert int(f(1)) == 2
    assert vmap(f)(xp.arange(2)).tolist() == [0, 2]


@pytest.mark.parametrize("differentiate", [jax.grad, jax.jacfwd, jax.jacrev, lambda f: lambda x: jax.jvp(f, (x,), (1.0,))[1]])
def test_derivatives_within_vmap_are_those_of_the_rule(differentiate):
    """As in JAX forward; backward JAX raises an error."""
    seen = []

    def rule(size, batched, x, y):
        seen.append((size, batched))
        return {"a": 10 * xp.sin(x) * y, "n": xp.asarray(3)}, {"a": True, "n": False}

    f = with_rule(rule, lambda x, y: {"a": xp.sin(x) * y, "n": xp.asarray(3)})
    x = xp.asarray([-1.0, 0.0, 2.0])
    found = vmap(differentiate(lambda x: f(x * 1.0, 2.0)["a"]))(x)
    assert np.allclose(found, 20 * np.cos(x))
    assert seen
    outside = differentiate(lambda c: vmap(lambda x: f(x * c, 2.0)["a"])(x).sum())(1.0)
    assert np.allclose(outside, (20 * np.cos(x) * x).sum())


def test_derivatives_by_operands_that_are_not_batched():
    f = with_rule(lambda n, batched, x, y: (10 * x * y, any(batched)), lambda x, y: x * y)
    by_x, by_y = vmap(jax.grad(f, (0, 1)), (0, None))(xp.arange(3.0), 2.0)
    assert (by_x.tolist(), by_y.tolist()) == ([20] * 3, [0, 10, 20])
    assert vmap(jax.hessian(lambda x: f(x, f(x, x))))(xp.ones(3)).tolist() == [600] * 3
