"""Rules that programs give, in derivatives: compared with what they say, and with derivatives without them."""

import functools

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import custom_derivatives, lax

X = np.array([0.5, 1.0, 2.0], np.float32)


@jax.custom_jvp
def tenfold(x, y):
    return xp.sin(x) * y


@tenfold.defjvp
def _tenfold(primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    return tenfold(x, y), 10 * xp.cos(x) * dx * y + dy


@jax.custom_vjp
def threefold(x, y):
    return {"out": xp.sin(x) * y["y"]}


def _forward(x, y):
    return threefold(x, y), (xp.cos(x), y["y"])


def _backward(kept, ct):
    return 3 * ct["out"] * kept[0] * kept[1], None


threefold.defvjp(_forward, _backward)


def test_forward_rules_serve_both_modes():
    expected = 10 * np.cos(X) * 2
    assert np.allclose(jax.jvp(lambda x: tenfold(x, 2.0), (X,), (np.ones_like(X),))[1], expected, rtol=1e-6)
    assert np.allclose(jax.grad(lambda x: tenfold(x, 2.0).sum())(X), expected, rtol=1e-6)
    assert np.allclose(jax.grad(lambda x: tenfold(y=2.0, x=x).sum())(X), expected, rtol=1e-6)
    by_y = jax.grad(lambda y: tenfold(X, y).sum())(2.0)
    assert float(by_y) == 3.0
    twice = jax.grad(lambda x: jax.grad(lambda x: tenfold(x, 2.0))(x))(0.5)
    assert np.allclose(twice, -20 * np.sin(0.5), rtol=1e-6)
    assert np.allclose(jax.vmap(jax.grad(tenfold), (0, None))(X, 2.0), expected, rtol=1e-6)
    assert np.allclose(jax.grad(lambda x: jax.vmap(tenfold, (0, None))(x, 2.0).sum())(X), expected, rtol=1e-6)
    assert np.allclose(jax.hessian(lambda x: tenfold(x, 2.0).sum())(X), np.diag(-20 * np.sin(X)), rtol=1e-6)


def test_a_rule_that_applies_its_function_to_the_tangent():
    @jax.custom_jvp
    def identity(x):
        return x * 1.0

    @identity.defjvp
    def rule(primals, tangents):
        return identity(*primals), identity(*tangents)

    def cubed(x):
        return identity(x) ** 3

    x = jax.numpy.float32(2.0)
    assert float(jax.grad(cubed)(x)) == 12.0
    assert [float(y) for y in jax.jvp(cubed, (x,), (x,))] == [8.0, 24.0]
    assert float(jax.grad(jax.grad(cubed))(x)) == float(jax.jacfwd(jax.grad(cubed))(x)) == 12.0
    assert float(jax.grad(jax.jacfwd(cubed))(x)) == 12.0


def test_one_forward_rule_for_each_argument():
    product = jax.custom_jvp(lambda x, y, z: x * y * z)
    product.defjvps(lambda dx, out, x, y, z: 7 * dx, None, lambda dz, out, x, y, z: dz * out)
    assert [float(g) for g in jax.grad(product, (0, 1, 2))(2.0, 3.0, 5.0)] == [7.0, 0.0, 30.0]
    with pytest.raises(TypeError, match="nondiff_argnums"):
        jax.custom_jvp(lambda x, y: x, nondiff_argnums=(1,)).defjvps(None)


def test_arguments_that_are_not_differentiated():
    applied = jax.custom_jvp(lambda fun, x: fun(x), nondiff_argnums=(0,))
    applied.defjvp(lambda fun, primals, tangents: (fun(*primals), 7 * tangents[0]))
    assert float(jax.grad(lambda x: applied(xp.sin, x))(1.0)) == 7.0

    @functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
    def back(x, fun):
        return fun(x)

    back.defvjp(lambda x, fun: (fun(x), x), lambda fun, x, ct: (fun(x) * ct * 2,))
    assert float(jax.grad(lambda x: back(x, xp.square))(3.0)) == 18.0


def test_symbolic_zeros():
    seen = []
    product = jax.custom_jvp(lambda x, y: x * y)

    def rule(primals, tangents):
        seen.append([type(t) is custom_derivatives.SymbolicZero for t in tangents])
        return product(*primals), primals[1] * tangents[0]

    product.defjvp(rule, symbolic_zeros=True)
    assert float(jax.grad(product)(2.0, 5.0)) == 5.0
    assert seen == [[False, True]]

    back = jax.custom_vjp(lambda x, y: x * y)
    back.defvjp(
        lambda x, y: (x.value * y.value, (x.perturbed, y.perturbed, y.value)), lambda kept, ct: (kept[2] * ct, None), True
    )
    assert float(jax.grad(back)(2.0, 5.0)) == 5.0


def test_backward_rules():
    expected = 3 * np.cos(X) * 2
    assert np.allclose(jax.grad(lambda x: threefold(x, {"y": 2.0})["out"].sum())(X), expected, rtol=1e-6)
    assert float(jax.grad(lambda y: threefold(X[0], {"y": y})["out"])(2.0)) == 0.0
    assert np.allclose(jax.vmap(jax.grad(lambda x: threefold(x, {"y": 2.0})["out"]))(X), expected, rtol=1e-6)
    with pytest.raises(TypeError, match="can't apply forward-mode autodiff"):
        jax.jvp(lambda x: threefold(x, {"y": 2.0}), (X,), (X,))


def test_integers_have_cotangents_without_numbers():
    seen = []
    picked = jax.custom_vjp(lambda x, i: (x[i], i))

    def backward(kept, ct):
        seen.append(ct[1].dtype)
        return kept.at[1].set(ct[0]), None

    picked.defvjp(lambda x, i: ((x[i], i), xp.zeros_like(x)), backward)
    assert jax.grad(lambda x: picked(x, 1)[0])(X).tolist() == [0, 1, 0]
    assert seen == [jax.float0]


def test_custom_gradient():
    @jax.custom_gradient
    def squared(x):
        return x * x, lambda ct: 5 * ct * x

    assert float(jax.grad(squared)(3.0)) == 15.0


@pytest.mark.parametrize(
    "rule, error, message",
    [
        (lambda p, t: p[0], TypeError, "must produce a pair"),
        (lambda p, t: (p[0], (t[0],)), TypeError, r"equal container \(pytree\) structures"),
        (lambda p, t: (p[0], xp.stack([t[0], t[0]])), TypeError, "equal shapes and dtypes"),
    ],
)
def test_wrong_forward_rules(rule, error, message):
    wrong = jax.custom_jvp(lambda x: x * 1)
    with pytest.raises(AttributeError, match="No JVP defined for custom_jvp function"):
        jax.grad(wrong)(1.0)
    wrong.defjvp(rule)
    with pytest.raises(error, match=message):
        jax.grad(wrong)(1.0)


def test_wrong_backward_rules():
    wrong = jax.custom_vjp(lambda x, y: x * y)
    with pytest.raises(AttributeError, match="No VJP defined for custom_vjp function"):
        jax.grad(wrong)(1.0, 2.0)
    wrong.defvjp(lambda x, y: (x * y, None), lambda kept, ct: ct)
    with pytest.raises(TypeError, match="tuple of length equal to the number of arguments"):
        jax.grad(wrong)(1.0, 2.0)
    wrong.defvjp(lambda x, y: (x * y, None), lambda kept, ct: (xp.stack([ct, ct]), ct))
    with pytest.raises(ValueError, match="so the shapes do not match"):
        jax.grad(wrong)(1.0, 2.0)
    wrong.defvjp(lambda x, y: x * y, lambda kept, ct: (ct, ct))
    with pytest.raises(TypeError, match="must produce a pair"):
        jax.grad(wrong)(1.0, 2.0)


def test_cotangents_have_the_dtype_that_a_backward_rule_gives_them():
    for dtype in ("float32", "int32", "complex64"):  # as JAX's have, for a parameter of bfloat16
        given = jax.custom_vjp(lambda x: x * 1)
        given.defvjp(lambda x: (x * 1, None), lambda _, ct, dtype=dtype: (xp.ones(3, dtype=dtype),))
        found = jax.grad(lambda x, f=given: f(x).sum())(xp.ones(3, dtype="bfloat16"))
        assert found.dtype == dtype
        assert found.tolist() == [1, 1, 1]


def test_operands_in_closures_become_arguments():
    def program(a):
        fun, more = jax.closure_convert(lambda x: xp.sin(a) * x, X)
        assert len(more) == 1
        assert jax.closure_convert(xp.sin, a)[1] == []
        return solved(fun, X, *more)

    @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
    def solved(fun, x, *more):
        return fun(x, *more).sum()

    solved.defvjp(
        lambda fun, x, *more: (solved(fun, x, *more), more),
        lambda fun, more, ct: (None, *jax.vjp(lambda *a: fun(X, *a).sum(), *more)[1](ct)),
    )
    assert np.allclose(jax.grad(program)(0.5), np.cos(0.5) * X.sum(), rtol=1e-6)


def test_results_without_a_cotangent_have_symbolic_zeros():
    seen = []
    pair = jax.custom_vjp(lambda x: (x, 2 * x))

    def backward(_, cts):
        seen.append([type(ct).__name__ for ct in cts])
        return (cts[0],)

    pair.defvjp(lambda x: ((x.value, 2 * x.value), None), backward, symbolic_zeros=True)
    assert jax.grad(lambda x: 3 * pair(x)[0])(1.0).item() == 3
    assert seen == [["Array", "SymbolicZero"]]
    with pytest.raises(TypeError, match="stop_gradient: expected a tree of arrays"):
        jax.lax.stop_gradient(lambda x: x)


def test_rules_that_refer_to_an_operand_of_vmap_within_the_derivative():
    """The results are batches, though the operand that is differentiated is none."""
    xs = xp.asarray([0.5, 1.0, 3.0])

    def by_jvp(x, z):
        @jax.custom_jvp
        def g(y):
            return x * y * y, x

        g.defjvp(lambda primals, tangents: (g(*primals), (2 * x * primals[0] * tangents[0], 0 * x)))
        return g(z)[0]

    def by_vjp(x, z):
        @jax.custom_vjp
        def g(y):
            return x * y * y, y

        g.defvjp(lambda y: (g(y), (x, y)), lambda kept, ct: (2 * kept[0] * kept[1] * ct[0] + ct[1],))
        return g(z)[0]

    def mapped(rule):
        return lambda z: jax.vmap(lambda x: rule(x, z))(xs)

    for rule in (by_jvp, by_vjp):
        assert jax.grad(lambda z, rule=rule: mapped(rule)(z).sum())(2.0) == 18
        assert jax.jacrev(mapped(rule))(2.0).tolist() == [2, 4, 12]
    assert [one.tolist() for one in jax.jvp(mapped(by_jvp), (2.0,), (1.0,))] == [[2, 4, 12], [2, 4, 12]]
    assert jax.jacfwd(mapped(by_jvp))(2.0).tolist() == [2, 4, 12]


def test_options_by_name_alone_keep_their_defaults_and_are_refused():
    # As in JAX, whose messages these are.
    @jax.custom_jvp
    def f(x, *, scale=2.0):
        return x * scale

    f.defjvp(lambda primals, tangents: (f(*primals), 5 * tangents[0]))
    assert jax.grad(f)(1.0) == 5
    with pytest.raises(TypeError, match="keyword arguments could not be resolved to positions: scale"):
        jax.grad(lambda x: f(x, scale=3.0))(1.0)


def test_rules_know_the_axis_of_a_vmap_by_its_name():  # values of JAX
    x, y = xp.asarray([0.5, -1.0, 2.0]), xp.asarray([1.0, 2.0, 3.0])
    back = jax.custom_vjp(lambda x, y: x * y)
    back.defvjp(lambda x, y: (x * y, lax.psum(y, "i")), lambda total, ct: (ct * total, lax.psum(ct, "i")))
    found = jax.grad(lambda x, y: jax.vmap(back, axis_name="i")(x, y).sum(), (0, 1))(x, y)
    assert [g.tolist() for g in found] == [[6.0, 6.0, 6.0], [3.0, 3.0, 3.0]]
    forward = jax.custom_jvp(lambda x: x)
    forward.defjvp(lambda primals, tangents: (primals[0], tangents[0] * (1.0 + lax.axis_index("i"))))
    assert jax.grad(lambda x: jax.vmap(forward, axis_name="i")(x).sum())(x).tolist() == [1.0, 2.0, 3.0]
    assert jax.jvp(jax.vmap(forward, axis_name="i"), (x,), (x,))[1].tolist() == [0.5, -2.0, 6.0]


def _by_forward_rule(value, slope, b):
    function = jax.custom_jvp(lambda v: value(v, b))
    function.defjvp(lambda primals, tangents: (value(primals[0], b), slope(tangents[0], b)))
    return function


def _by_backward_rule(value, slope, b):
    function = jax.custom_vjp(lambda v: value(v, b))
    function.defvjp(lambda v: (value(v, b), None), lambda _, ct: (slope(ct, b),))
    return function


@pytest.mark.parametrize("made", [_by_forward_rule, _by_backward_rule])
@pytest.mark.parametrize(("in_value", "in_slope"), [(True, False), (False, True)])
def test_rules_do_not_refer_to_operands_of_transformations(made, in_value, in_slope):
    def of_both(a, b):
        return made(*[lambda v, b, uses=uses: v * b if uses else v * 3 for uses in (in_value, in_slope)], b)(a)

    def mapped(a, b):
        return jax.vmap(of_both)(a, b).sum()

    for program, operands in ((of_both, (2.0, 3.0)), (mapped, (X, X))):
        for gradient in (jax.grad(program, (0, 1)), jax.jit(jax.grad(program, (0, 1)))):
            with pytest.raises(jax.errors.UnexpectedTracerError, match="pass that as an argument too"):
                gradient(*operands)
    assert float(jax.grad(of_both)(2.0, 3.0)) == 3.0


OF_TANGENTS = [
    lambda x, t: t**2, lambda x, t: x / t, lambda x, t: xp.sin(t), lambda x, t: xp.maximum(t, 0.0),
    lambda x, t: t + xp.sign(t),
    lambda x, t: xp.where(t > 0, t, 0.0), lambda x, t: xp.sort(t[None])[0], lambda x, t: jax.grad(lambda y: y * t * t)(x),
    lambda x, t: jax.lax.scan(lambda c, _: (c * t, None), t, None, length=2)[0],
    lambda x, t: jax.lax.cond(x > 0, lambda x, t: x * t * t, lambda x, t: t, x, t),
]  # fmt: skip


@for_each("number", range(len(OF_TANGENTS)))
@for_each("transform", [lambda g: g, jax.jit, lambda g: lambda x: jax.vmap(g)(xp.stack([x, x]))])
def test_rules_that_are_not_linear_are_not_carried_back(number, transform):
    """JAX 0.10.2 raises NotImplementedError or AssertionError, and carries tangents forward, also in `linearize`."""
    tangent, x = OF_TANGENTS[number], xp.asarray(1.5)
    function = jax.custom_jvp(xp.sin)
    function.defjvp(lambda primals, tangents: (xp.sin(primals[0]), tangent(primals[0], tangents[0])))
    with pytest.raises(NotImplementedError, match="is not linear"):
        transform(jax.grad(function))(x)
    wanted = tangent(x, xp.asarray(2.0))
    assert jax.jvp(function, (x,), (xp.asarray(2.0),))[1] == jax.linearize(function, x)[1](xp.asarray(2.0)) == wanted


def along(x, t):
    """Return a tangent that is linear in the other one, by loops, choices, solutions, and functions with rules."""
    doubled = jax.custom_jvp(lambda x: x * 2)
    doubled.defjvp(lambda primals, tangents: (doubled(*primals), doubled(*tangents)))
    y, u = jax.lax.scan(lambda c, _: ((xp.sin(c[0]), c[1] * xp.cos(c[0])), None), (x, t), None, length=3)[0]
    y, u = jax.lax.cond(x > 0, lambda y, u: (xp.cos(y), -xp.sin(y) * u), lambda y, u: (y, u), y, u)
    u = jax.lax.custom_linear_solve(lambda v: v * x, u, lambda _, b: b / x, symmetric=True)
    return y * jax.checkpoint(lambda u: doubled(u) * x)(u) + xp.zeros_like(t) + xp.ones_like(t) * t


@pytest.mark.parametrize("transform", [lambda g: g, jax.jit, lambda g: lambda x: jax.vmap(g)(xp.stack([x, x]))[0]])
def test_rules_that_are_linear_are_carried_back(transform):
    function = jax.custom_jvp(xp.sin)
    function.defjvp(lambda primals, tangents: (xp.sin(primals[0]), along(*primals, *tangents)))
    x = xp.asarray(1.5)
    assert np.allclose(transform(jax.grad(function))(x), along(x, xp.asarray(1.0)), rtol=1e-6)
    assert np.allclose(jax.grad(lambda x: jax.vmap(function)(xp.stack([x, x])).sum())(x), 2 * jax.grad(function)(x), rtol=1e-6)
    assert str(jax.make_jaxpr(jax.grad(function))(x)).count("= scan[") == 2
    second = jax.grad(lambda x: along(x, 1.0))(x)
    assert np.allclose(jax.grad(jax.grad(function))(x), second, rtol=1e-5)


def test_custom_gradients_below_vmap():  # values of JAX
    one = jax.custom_gradient(lambda a: (a**2, lambda ct: (ct * 7 * a,)))
    two = jax.custom_gradient(lambda a, b: (xp.sin(a) * b, lambda ct: (ct * 3 * b, ct * a)))
    x = xp.asarray([1.0, 2.0, 3.0])
    for transformed in (jax.grad, lambda fun: jax.jit(jax.grad(fun))):
        assert transformed(lambda x: jax.vmap(one)(x).sum())(x).tolist() == [7.0, 14.0, 21.0]
        assert transformed(lambda x: jax.vmap(jax.vmap(one))(x[None]).sum())(x).tolist() == [7.0, 14.0, 21.0]
        assert transformed(lambda x: jax.vmap(two, (0, None))(x, 2.0).sum())(x).tolist() == [6.0, 6.0, 6.0]
        assert transformed(lambda b: jax.vmap(two, (0, None))(x, b).sum())(2.0) == 6.0
    assert jax.hessian(lambda x: jax.vmap(one)(x).sum())(x).tolist() == (7 * np.eye(3)).tolist()
