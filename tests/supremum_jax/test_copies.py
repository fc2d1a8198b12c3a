"""What is written between `vjp` and its pullback: the derivative is right all the same, or the pullback is refused."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax

X, W = (np.array(x, "float32") for x in ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]))


class Arrays:
    def __init__(self):
        self.x, self.w, self.n = xp.asarray(X, copy=True), xp.asarray(W, copy=True), W.copy()


def write_w(on, _y):
    on.w[:] = 100.0


def add_w(on, _y):
    on.w += 100


def write_n(on, _y):
    on.n[:] = 100.0


def write_x(on, _y):
    on.x[:] = 100.0


def write_y(_on, y):
    y[:] = 100.0


def with_residuals(on):
    fun = jax.custom_vjp(lambda x: x * on.w)
    fun.defvjp(lambda x: (x * on.w, on.w), lambda w, ct: (w * ct,))
    return fun


def with_a_closure(on):
    fun = jax.custom_vjp(lambda x: x * on.w)
    fun.defvjp(lambda x: (x * on.w, None), lambda _, ct: (on.w * ct,))
    return fun


def with_a_solver(on):
    w = on.w
    return lambda x: lax.custom_linear_solve(lambda v: w * v, x, lambda _, b: b / w, lambda _, b: b / w)


def computed_again(on):
    return jax.checkpoint(lambda x: xp.sin(x) * on.w)


CASES = {
    "an array of a closure": (lambda on: lambda x: x * on.w, write_w, W),
    "in place": (lambda on: lambda x, w=None: x * (on.w if w is None else w), add_w, W),
    "an array of NumPy": (lambda on: lambda x: x * on.n, write_n, W),
    "an array of NumPy that is converted": (lambda on: lambda x: xp.asarray(on.n) * x, write_n, W),
    "the argument": (lambda _: xp.sin, write_x, np.cos(X)),
    "the result": (lambda _: xp.exp, write_y, np.exp(X)),
    "a product": (lambda on: lambda x: xp.outer(on.w, x).sum(0), write_w, np.full(3, 15.0)),
    "a view": (lambda on: lambda x: x * on.w[::-1], write_w, W[::-1]),
    "a batch": (lambda on: lambda x: jax.vmap(lambda a, b: a * b)(x, on.w), write_w, W),
    "a scan": (lambda on: lambda x: lax.scan(lambda c, w: (c * w, c), x, on.w)[0], write_w, np.full(3, 120.0)),
    "a branch": (lambda on: lambda x: lax.cond(True, lambda x: x * on.w, lambda x: x, x), write_w, W),
    "of a rule": (with_residuals, write_w, W),
    "indices": (lambda on: lambda x: x[(on.w - 4).astype("int32")], write_w, np.ones(3)),
    "a condition": (lambda on: lambda x: xp.where(on.w > 4, x, 0), write_w, np.array([0, 1, 1])),
    "in a list": (lambda on: lambda x: xp.stack([x, on.w]).prod(0), write_w, W),
    "forward within": (lambda on: lambda x: jax.jvp(lambda t: t * on.w * x, (x,), (x,))[1], write_w, 2 * X * W),
    "backward within": (lambda on: lambda x: jax.grad(lambda t: (t * t * on.w).sum())(x), write_w, 2 * W),
}  # fmt: skip


@for_each("name", CASES)
def test_writes_do_not_change_the_derivative(name):
    make, write, expected = CASES[name]
    on = Arrays()
    y, back = jax.vjp(make(on), on.x)
    write(on, y)
    np.testing.assert_allclose(back(xp.ones(3))[0], expected, rtol=1e-5)


@pytest.mark.parametrize("make", [with_a_closure, with_a_solver, computed_again])
def test_pullbacks_that_read_what_was_written_are_refused(make):
    on = Arrays()
    _, back = jax.vjp(make(on), on.x)
    first = back(xp.ones(3))[0]
    write_w(on, None)
    with pytest.raises(ValueError, match=r"array of shape \(3,\) and dtype float32 was written to.*have a copy of it"):
        back(xp.ones(3))
    on.w[:] = xp.asarray(W)
    np.testing.assert_array_equal(back(xp.ones(3))[0], first)


def test_what_is_passed_on_may_be_written_to():
    def program(x):
        y = xp.exp(x)
        return y, {"y": y, "name": "a"}

    _, back, aux = jax.vjp(program, xp.asarray(X, copy=True), has_aux=True)
    aux["y"][:] = 0.0
    np.testing.assert_allclose(back(xp.ones(3))[0], np.exp(X), rtol=1e-6)
    assert aux["name"] == "a"


def test_rules_cannot_write():
    fun = jax.custom_vjp(lambda x: 2 * x)

    def backward(x, ct):
        x[:] = 0.0
        return (ct,)

    fun.defvjp(lambda x: (2 * x, x), backward)
    with pytest.raises(TypeError, match=r"immutable|mutable"):
        jax.grad(lambda x: fun(x).sum())(xp.asarray(X, copy=True))


def test_linear_functions_keep_what_they_need():
    on = Arrays()
    _, forward = jax.linearize(lambda x: xp.sin(x) * on.w, on.x)
    write_w(on, None)
    write_x(on, None)
    np.testing.assert_allclose(forward(xp.ones(3)), np.cos(X) * W, rtol=1e-5)
