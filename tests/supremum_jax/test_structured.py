"""Loops and choices under derivatives and `vmap` while a program is recorded: each stays one equation.

The expected values are those of the same functions without a program, which recordings of JAX check elsewhere, or exact ones.
"""

import functools
from unittest import mock

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax.lax import _control

jnp = jax.numpy
X = xp.asarray([0.2, 0.65, 1.1])
XS = xp.asarray(np.random.default_rng(1).normal(size=(7, 3)).astype(np.float32))
W = xp.asarray(np.random.default_rng(0).normal(size=(3, 3)).astype(np.float32) / 2)


def equations(closed):
    """Return how many equations a program has, and those within it."""
    parts = [p for eqn in closed.eqns for x in eqn.params.values() for p in (x if isinstance(x, tuple) else [x])]
    return len(closed.eqns) + sum(equations(part) for part in parts if hasattr(part, "eqns"))


def recurrent(w):
    def step(h, x):
        h = jnp.tanh(w @ h + x)
        return h, h.sum()

    h, ys = lax.scan(step, X, XS)
    return (ys**2).sum() + h.sum()


def reverse(x):
    c, ys = lax.scan(lambda c, e: (c * jnp.cos(e) + x.sum(), c * e), x, XS, reverse=True)
    return (c * ys[0]).sum() + ys.sum()


def integers(x):
    def step(carry, _):
        i, y = carry
        return (i + 1, jnp.where(i % 2 == 0, jnp.sin(y), y * i)), (i, y)

    (i, y), (a, b) = lax.scan(step, (0, x), None, length=6)
    return (y * i).sum() + (a[:, None] * b).sum()


def of_elements(x):
    c, ys = lax.scan(lambda c, e: (c * e + 1, jnp.exp(-c)), jnp.ones(3), XS * x)
    return c.sum() + ys.sum()


def condition(x):
    def step(c, i):
        return lax.cond(i % 3 == 0, lambda c: jnp.sqrt(jnp.abs(c)) * x, lambda c: c * jnp.sin(x) + i, c), None

    return lax.scan(step, x, jnp.arange(6))[0].sum()


def condition_of_values(x):
    def step(c, _):
        return lax.cond(c.sum() > 1, lambda c: jnp.log(jnp.abs(c)) * x, lambda c: c * 2 + x, c), None

    return lax.scan(step, x, jnp.arange(6))[0].sum()


def three_branches(x):
    def step(c, i):
        branches = [lambda c: c * x, lambda c: jnp.sin(c) + (x**2).sum(), jnp.cumsum]
        return lax.switch(i % 3, branches, c), c[0]

    c, ys = lax.scan(step, x, jnp.arange(7))
    return c.sum() * ys.sum()


def loop_in_branch(x):
    def slow(a):
        return lax.scan(lambda c, _: (jnp.sin(c) * x, None), a, None, length=4)[0].sum()

    return lax.cond(x.sum() > 1, slow, lambda a: jnp.sqrt(a).sum(), x)


def nested(x):
    def inner(c, e):
        return lax.fori_loop(0, 3, lambda i, a: jnp.sin(a) * x + e * i, c), c.sum()

    c, ys = lax.scan(inner, x, XS)
    return c.sum() + ys.sum()


def gradient_within(x):
    def step(c, _):
        return c - jax.grad(lambda z: (jnp.sin(z) * jnp.cos(x) * z).sum())(c) / 8, None

    return (lax.scan(step, jnp.ones(3), None, length=4)[0] ** 2).sum()


def vmap_within(x):
    def step(c, e):
        return jax.vmap(lambda a, b: jnp.sin(a * b) * jnp.exp(x[0]))(c, x) + e, None

    return (lax.scan(step, jnp.ones(3), XS)[0] ** 2).sum()


def called_outside(x):
    def step(c, _):
        return c * jnp.sum(jnp.sin(x) ** 2) + jnp.asarray(x), None

    return lax.scan(step, jnp.ones(3), None, length=3)[0].sum()


def twice_carried(x):
    def step(carry, e):
        a, b = carry
        return (b, a * e), (a, a)

    (a, b), (y, z) = lax.scan(step, (x, x), XS)
    return (a * b).sum() + (y * z).sum()


def updated(x):
    return lax.fori_loop(0, 6, lambda i, c: c.at[i % 3].set(c[(i + 1) % 3] * x[i % 3] + jnp.sin(c[0])), x).sum()


def mapped_keys(x):
    def step(c, key):
        return c * 0.9 + x * jax.random.normal(key, (3,)), None

    return (lax.scan(step, x, jax.random.split(jax.random.key(0), 5))[0] ** 2).sum()


def weak(x):
    return lax.fori_loop(0, 4, lambda _, c: c * x[0] + 1.5, 1.0) + lax.scan(lambda c, e: (c + e, c * 2.0), 0.0, x)[1].sum()


def complex_numbers(x):
    return jnp.abs(lax.scan(lambda c, _: (c * jnp.exp(1j * x) + 0.1, None), jnp.ones(3, "complex64"), None, 5)[0]).sum()


def unused(x):
    _, (a, _) = lax.scan(lambda c, e: ((c[0] * x, c[1] + 1.0), (c[0] * e, c[1])), (x, x), XS)
    return a[2].sum()


@jax.custom_vjp
def scaled(a, b):
    return jnp.sin(a) * b


scaled.defvjp(lambda a, b: (scaled(a, b), (a, b)), lambda kept, ct: (2 * ct * kept[0], ct * kept[1]))


@jax.custom_jvp
def pushed(a, b):
    return jnp.sin(a) * b


pushed.defjvp(lambda xs, ts: (pushed(*xs), ts[0] * xs[1] / 3 + ts[1]))


def own_rule(x):
    return lax.scan(lambda c, e: (pushed(c, x) + e, None), x, XS)[0].sum()


def own_rule_backward(x):
    return lax.scan(lambda c, e: (scaled(c, x) + e, None), x, XS)[0].sum()


def computed_again(x):
    @jax.checkpoint
    def step(h, e):
        h = jnp.tanh(x * h + e)
        return h, h.sum()

    h, ys = lax.scan(step, X, XS)
    return (ys**2).sum() + h.sum()


def loop_computed_again(x):
    return jax.checkpoint(lambda a: lax.scan(lambda c, e: (jnp.sin(c * a) + e, None), x, XS)[0].sum())(x * 2)


def computed_again_by_policy(x):
    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def step(h, e):
        return jnp.tanh(W @ h * x + e), None

    return lax.scan(step, X, XS)[0].sum()


def counted(x):
    return lax.while_loop(lambda c: c[0] < 4, lambda c: (c[0] + 1, jnp.sin(c[1]) * x + c[0]), (0, x))[1].sum()


def until_small(x):
    return lax.while_loop(lambda c: (c**2).sum() > 0.1, lambda c: jnp.sin(c) * x * 0.9, x)[0].sum()


def stopped(x):
    n = lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 2), (0, lax.stop_gradient(x)))[1]
    return (n * x).sum()


LOOPS = [
    recurrent, reverse, integers, of_elements, condition, condition_of_values, three_branches, loop_in_branch, nested, stopped,
    gradient_within, vmap_within, called_outside, twice_carried, updated, mapped_keys, weak, complex_numbers, unused, own_rule,
    computed_again, loop_computed_again, computed_again_by_policy, own_rule_backward,
]  # fmt: skip
FORWARD = [counted, until_small, *[loop for loop in LOOPS if loop is not own_rule_backward]]


def check(fun, x, *, within=2e-5):
    """Compare what a program, and recorded loops, return with what the function returns step by step."""
    with mock.patch.object(_control, "SHORT", 1):
        kept = [fun(x) for _ in range(3)]
    wanted, *others = (jax.tree.flatten(y)[0] for y in (fun(x), jax.jit(fun)(x), with_recorded_loops(fun)(x), *kept))
    for found in others:
        for a, b in zip(found, wanted, strict=True):
            assert (a.dtype, a.shape) == (b.dtype, b.shape)
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=within, atol=within)


def with_recorded_loops(fun):
    """Return a function of which loops of any length are recorded, though their operands are those of transformations."""

    def call(x):
        with mock.patch.object(_control, "LONG", 1):
            return fun(x)

    return call


def argument(fun):
    return W if fun is recurrent else X


@for_each("fun", LOOPS, identity=lambda f: f.__name__)
def test_gradients(fun):
    x = argument(fun)
    check(jax.value_and_grad(fun), x)
    check(jax.jacrev(lambda x: jnp.stack([fun(x), fun(x / 2)])), x)
    check(lambda x: jax.grad(lambda xs: jax.vmap(fun)(xs).sum())(jnp.stack([x, x / 2])), x)
    check(lambda x: jax.vmap(jax.grad(fun))(jnp.stack([x, x / 2])), x)


@for_each("fun", FORWARD, identity=lambda f: f.__name__)
def test_derivatives_forward(fun):
    x = argument(fun)
    check(lambda x: jax.jvp(fun, (x,), (jnp.cos(x),)), x)
    check(jax.jacfwd(fun), x)
    check(lambda x: jax.jvp(jax.vmap(fun), (jnp.stack([x, x / 2]),), (jnp.stack([x, x]),)), x)
    check(lambda x: jax.vmap(fun)(jnp.stack([x, x / 2])), x)


@for_each(
    "fun", [recurrent, integers, condition_of_values, three_branches, nested, gradient_within, own_rule, computed_again, weak],
    identity=lambda f: f.__name__,
)  # fmt: skip
def test_second_order(fun):
    x = X if fun is not recurrent else W[0]
    g = fun if fun is not recurrent else lambda x: recurrent(W * x)
    check(jax.hessian(g), x, within=2e-4)
    check(jax.jacrev(jax.grad(g)), x, within=2e-4)
    check(jax.grad(lambda x: jax.jvp(g, (x,), (jnp.cos(x),))[1]), x, within=2e-4)


@pytest.mark.parametrize("transform", [jax.grad, lambda f: lambda x: jax.vmap(f)(xp.stack([x, x]))])
@pytest.mark.parametrize("loop", ["scan", "fori_loop", "while_loop"])
def test_bodies_of_long_loops_are_called_once(transform, loop):  # as JAX calls them
    called = []

    def body(c):
        called.append(1)
        return jnp.sin(c) * 1.01

    def program(x):
        if loop == "scan":
            return lax.scan(lambda c, _: (body(c), None), x, None, length=1000)[0]
        if loop == "fori_loop":
            return lax.fori_loop(0, 1000, lambda _, c: body(c), x)
        return lax.stop_gradient(lax.while_loop(lambda c: c[0] < 1000, lambda c: (c[0] + 1, body(c[1])), (0, x))[1]) + x

    transform(program)(xp.float32(0.5))
    assert len(called) <= (_control.LONG + 2 if loop == "while_loop" else 2)


@pytest.mark.parametrize("transform", [jax.grad, jax.jacfwd, lambda f: lambda x: jax.vmap(f)(xp.stack([x, x]))])
@pytest.mark.parametrize("length", [2, 30])
def test_bodies_that_are_called_again_are_kept(transform, length):
    called = []

    def body(c, _):
        called.append(1)
        return jnp.sin(c) * w, None

    program, w = transform(lambda x: lax.scan(body, x, None, length=length)[0]), xp.float32(1.01)
    first = program(xp.float32(0.5))
    counts = [len(called)]
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(program(xp.float32(0.5))), np.asarray(first), rtol=1e-6)
        counts.append(len(called))
    assert counts == [length * i for i in (1, 2, 3, 4)] if length < _control.SHORT else counts == [length, *[length + 1] * 3]


def test_bodies_that_refer_to_operands_are_not_kept():
    def of(weights):
        def body(c, _):
            return jnp.sin(c) * held["w"], None

        held = {}

        def program(w, x):
            held["w"] = w
            return lax.scan(body, x, None, length=length)[0]

        return [jax.grad(program, (0, 1))(w, xp.float32(0.5)) for w in weights]

    length = 30
    for w, found in zip(weights := [0.9, 1.1, 1.0, 0.8], of(weights), strict=True):
        wanted = jax.jit(jax.grad(lambda w, x: lax.fori_loop(0, length, lambda _, c: jnp.sin(c) * w, x), (0, 1)))(w, 0.5)
        np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=1e-5)


@pytest.mark.parametrize("fun", [counted, until_small], ids=lambda f: f.__name__)
def test_second_order_of_loops_with_conditions(fun):
    check(jax.jacfwd(jax.jacfwd(fun)), X)
    check(lambda t: jax.jvp(fun, (X,), (t,)), X)
    program = jax.make_jaxpr(lambda t: jax.jvp(fun, (X,), (t,))[1])(X)
    assert np.allclose(jax.core.eval_jaxpr(program.jaxpr, program.consts, X)[0], jax.jvp(fun, (X,), (X,))[1], rtol=1e-6)
    with pytest.raises(ValueError, match="Reverse-mode differentiation does not work"):
        jax.jit(jax.grad(fun))(X)


TRANSFORMATIONS = {
    "grad": jax.grad, "hessian": jax.hessian, "jacfwd": jax.jacfwd,
    "jvp": lambda f: lambda x: jax.jvp(f, (x,), (x,)),
    "vmap": lambda f: lambda x: jax.vmap(f)(jnp.stack([x, x])),
    "vmap of grad": lambda f: lambda x: jax.vmap(jax.grad(f))(jnp.stack([x, x])),
    "grad of vmap": lambda f: jax.grad(lambda x: jax.vmap(f)(jnp.stack([x, x])).sum()),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(f)),
}  # fmt: skip


@for_each("name", TRANSFORMATIONS)
def test_programs_do_not_grow_with_loops(name):
    def program(count, loop):
        return equations(jax.make_jaxpr(TRANSFORMATIONS[name](lambda x: loop(x, count).sum()))(X))

    def scanned(x, count):
        return lax.scan(lambda c, _: (lax.cond(c.sum() > 1, jnp.sin, jnp.cos, c) * x, c[0]), x, None, length=count)[0]

    def counted(x, count):
        return lax.fori_loop(0, count, lambda i, c: jnp.sin(c) * x + i, x)

    def twice(x, count):
        return lax.fori_loop(0, count, lambda _, c: lax.fori_loop(0, count, lambda _, c: jnp.sin(c) * x, c), x)

    for loop in (scanned, counted, twice):
        assert program(3, loop) == program(1000, loop)


def test_what_is_the_same_at_all_steps_is_kept_once():
    def narrow(w):
        def step(h, x):
            return jnp.tanh(jnp.exp(w).astype("bfloat16") @ h * x.astype("bfloat16")), None

        return lax.scan(step, X.astype("bfloat16"), XS)[0].astype("float32").sum()

    shapes = [v.aval.shape for eqn in jax.make_jaxpr(jax.grad(narrow))(W).eqns for v in eqn.outvars]
    assert (7, 3) in shapes
    assert (7, 3, 3) not in shapes
    check(jax.grad(narrow), W, within=2e-2)


def test_a_thousand_steps():
    n, half = 1000, jnp.float32(1.001)
    power = jax.jit(jax.value_and_grad(lambda x: lax.fori_loop(0, n, lambda _, c: c * x, 1.0)))
    value, slope = power(half)
    np.testing.assert_allclose([value, slope], [1.001**n, n * 1.001 ** (n - 1)], rtol=1e-3)


def test_a_carry_that_begins_weak_is_strong_backward():  # as JAX's gradient
    calls = []

    def step(c, x):
        calls.append(1)
        return c * x, c

    slope = jax.jit(jax.grad(lambda c: lax.scan(step, c, jnp.arange(1.0, 5.0))[0]))(1.0)
    assert (float(slope), slope.weak_type, len(calls)) == (24.0, False, 1)


def test_bodies_are_called_as_often_as_for_the_program_alone():
    def calls(transformed, n):
        count = []

        def f(x):
            def step(c, _):
                count.append(1)
                return jnp.sin(c) * x, None

            return lax.scan(step, x, None, length=n)[0].sum()

        jax.jit(transformed(f))(X)
        return len(count)

    assert calls(lambda f: f, 100) == calls(jax.grad, 100) == 1
    assert calls(jax.hessian, 100) == 1


def test_loops_that_are_not_recorded_are_taken_apart():
    shown = []

    def noted(x):
        def step(c, _):
            jax.debug.callback(shown.append, 1)
            return jnp.sin(c) * x, None

        return lax.scan(step, x, None, length=3)[0].sum()

    check(jax.grad(noted), X)
    assert len(shown) == 18
    named = jax.vmap(lambda x: lax.fori_loop(0, 3, lambda _, c: c + lax.psum(x, "i"), x), axis_name="i")
    check(named, XS)


def test_functions_with_rules_that_refer_to_elements_are_recorded():
    calls = []

    def closed_over(x):
        calls.append(1)

        def step(c, e):
            @jax.custom_jvp
            def f(a):
                return a * e

            f.defjvp(lambda xs, ts: (f(*xs), ts[0] * 2))
            return f(c), None

        return lax.scan(step, x, XS)[0].sum()

    program = jax.jit(jax.grad(closed_over))
    found = [program(X).tolist() for _ in range(3)]
    assert found == [[128.0] * 3] * 3
    assert len(calls) == 1


def test_branches_that_are_not_taken_have_no_infinite_slopes():
    def root(x):
        return lax.scan(lambda c, e: (lax.cond(e > 0, lambda: jnp.sqrt(e) * c, lambda: c), None), 1.0, x)[0]

    found = jax.jit(jax.grad(root))(xp.asarray([4.0, 0.0, -1.0]))
    assert found.tolist() == [0.25, 0.0, 0.0]
