"""Functions that carry rules for their derivatives, as guests see them: the guest here is a dual number."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax._batching import MappedAxis, sequential
from supremum.typing import Operand, new_level

AXIS = MappedAxis(None, 3, new_level())
pytestmark = pytest.mark.usefixtures("as_in_jax")


class Dual(Operand):
    """A dual number, which knows the slopes of two functions, and the rules that functions carry."""

    node = property(lambda self: self.primal.node)
    shape = property(lambda self: self.primal.shape)

    def __init__(self, level, primal, tangent):
        self.__supremum_level__, self.primal, self.tangent = level, primal, tangent

    def parts(self, x):
        return (x.primal, x.tangent) if type(x) is Dual and x.__supremum_level__ == self.__supremum_level__ else (x, x * 0)

    def __supremum_function__(self, function, args, kwargs):
        custom = getattr(function, "custom", None)
        if isinstance(custom, jax.custom_jvp) and custom.jvp is not None:
            given, named = function.arguments(args)
            assert not named
            primals, tangents = zip(*map(self.parts, given), strict=True)
            return Dual(self.__supremum_level__, *custom.jvp(primals, tangents))
        if function.kind == "composed":
            return NotImplemented
        (x, dx), *more = [self.parts(x) for x in args if not isinstance(x, tuple | int)]
        if function is xp.sin:
            return Dual(self.__supremum_level__, xp.sin(x), dx * xp.cos(x))
        if function is xp.multiply:
            [(y, dy)] = more
            return Dual(self.__supremum_level__, x * y, dx * y + x * dy)
        if function in (xp.asarray, xp.broadcast_to, xp.copy, xp.moveaxis):
            return Dual(self.__supremum_level__, *[function(part, *args[1:]) for part in (x, dx)])
        raise NotImplementedError(function.name)


def derivative(fun, x, *, mapped=None):
    level = new_level()
    operand = Dual(level, x, xp.ones_like(x))
    found = fun(operand) if mapped is None else jax.vmap(fun, in_axes=mapped)(operand)
    assert type(found) is Dual
    return found.tangent


X = xp.asarray([0.5, 1.0, 2.0])


@jax.custom_jvp
def tenfold(x, y):
    return xp.sin(x) * y


@tenfold.defjvp
def _tenfold(primals, tangents):
    (x, y), (dx, _) = primals, tangents
    return tenfold(x, y), 10 * dx * y


def test_a_call_of_a_function_with_a_rule_carries_it():
    np.testing.assert_array_equal(derivative(lambda x: tenfold(x, X), X), 10 * X)
    plain = derivative(lambda x: tenfold.fun(x, X), X)
    np.testing.assert_allclose(plain, xp.cos(X) * X, rtol=1e-6)
    calls = []

    def watch(function, args, kwargs):
        calls.append((function.name, function.kind, function.custom.jvp if hasattr(function, "custom") else None))
        return function(*args, **kwargs)

    with xp.config.use(watcher=watch):
        tenfold(X, y=X)
    assert calls[0] == ("tenfold", "composed", _tenfold)


def test_vmap_keeps_the_rule_for_guests_outside():
    np.testing.assert_array_equal(derivative(lambda x: tenfold(x, 2.0), X, mapped=0), 20 * xp.ones(3))
    np.testing.assert_array_equal(derivative(lambda x: tenfold(2.0, x), X, mapped=0), xp.zeros(3))
    inner = derivative(lambda x: jax.vmap(lambda a: tenfold(a, x))(X), xp.asarray(2.0))
    np.testing.assert_array_equal(inner, xp.zeros(3))
    np.testing.assert_array_equal(
        derivative(lambda x: jax.vmap(lambda a, b: tenfold(a, b), (0, None))(X, x), X[0]), xp.zeros(3)
    )
    np.testing.assert_array_equal(jax.vmap(tenfold, (0, None))(X, 2.0), xp.sin(X) * 2)
    twice = jax.vmap(jax.vmap(lambda a: tenfold(a, 1.0)))
    np.testing.assert_array_equal(derivative(twice, xp.stack([X, X])), xp.full((2, 3), 10.0))


def test_vmap_within_the_derivative_and_around_it():
    around = jax.vmap(lambda a: derivative(lambda x: tenfold(x, a), a))(X)
    np.testing.assert_array_equal(around, 10 * X)


def test_arguments_that_are_not_differentiated():
    applied = jax.custom_jvp(lambda function, x: function(x), nondiff_argnums=(0,))
    applied.defjvp(lambda function, primals, tangents: (function(*primals), 7 * tangents[0]))

    mapped = applied.mapped(AXIS, (None, 0))
    primal, tangent = mapped.jvp(xp.sin, (X,), (X,))
    np.testing.assert_array_equal(primal, xp.sin(X))
    np.testing.assert_array_equal(tangent, 7 * X)
    np.testing.assert_array_equal(jax.vmap(lambda x: applied(xp.sin, x))(X), xp.sin(X))


def test_rules_for_the_way_back_are_kept_and_mapped():
    @jax.custom_vjp
    def doubled(x, y):
        return xp.sin(x) * y

    def forward(x, y):
        return doubled(x, y), (x, y)

    def backward(kept, cotangent):
        return 2 * cotangent * kept[1], cotangent

    assert doubled.mapped(AXIS, (0, 0)).fwd is None
    doubled.defvjp(forward, backward)
    assert (doubled.fwd, doubled.bwd) == (forward, backward)
    mapped = doubled.mapped(AXIS, (0, 0))
    out, kept = mapped.fwd(X, X)
    np.testing.assert_array_equal(out, xp.sin(X) * X)
    for found, expected in zip(mapped.bwd(kept, xp.ones(3)), (2 * X, xp.ones(3)), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_custom_gradient_has_the_rule_in_its_second_result():
    @jax.custom_gradient
    def squared(x):
        return x * x, lambda cotangent: 5 * cotangent * x

    np.testing.assert_array_equal(squared(X), X * X)
    out, rule = squared.fwd(X)
    np.testing.assert_array_equal(out, X * X)
    [found] = squared.bwd(rule, xp.ones(3))
    np.testing.assert_array_equal(found, 5 * X)
    np.testing.assert_array_equal(jax.vmap(squared)(X), X * X)
    assert type(derivative(squared, X)) is xp.Array


def test_trees_of_arguments_and_methods():
    class Model:
        @jax.custom_jvp
        def __call__(self, given):
            return xp.sin(given["x"]) * given["y"][0]

    model = Model()
    found = derivative(lambda x: model({"x": x, "y": (X, None)}), X)
    np.testing.assert_allclose(found, xp.cos(X) * X, rtol=1e-6)


def test_solvers_are_calls_whose_arguments_are_the_rules():
    calls = []

    def watch(function, args, kwargs):
        calls.append((function.name, function.kind, list(function.bound(args, kwargs))))
        return function(*args, **kwargs)

    with xp.config.use(watcher=watch):
        root = lax.custom_root(lambda x: x * x - 4, xp.asarray(1.0), lambda f, x: xp.asarray(2.0), lambda g, y: y / g(1.0))
        solution = lax.custom_linear_solve(lambda x: 2 * x, X, lambda f, b: b / 2, symmetric=True)
    assert float(root) == 2
    np.testing.assert_array_equal(solution, X / 2)
    named = {name: (kind, arguments) for name, kind, arguments in calls if name.startswith("lax.")}
    assert named == {
        "lax.custom_root": ("composed", ["f", "initial_guess", "solve", "tangent_solve", "has_aux"]),
        "lax.custom_linear_solve": ("composed", ["matvec", "b", "solve", "transpose_solve", "symmetric", "has_aux"]),
    }
    np.testing.assert_array_equal(
        jax.vmap(lambda b: lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2, symmetric=True))(X), X / 2
    )


def test_rules_of_trees_are_followed_within_vmap():
    @jax.custom_vjp
    def product(given, scale):
        return xp.sin(given["x"]) * given["y"] * scale

    product.defvjp(lambda given, scale: (product(given, scale), given), lambda _, ct: ({"x": 100 * ct, "y": 7 * ct}, 0 * ct))

    @jax.custom_jvp
    def pair(xs, scale=2.0):
        return xp.sin(xs[0]) * xs[1] * scale

    pair.defjvp(lambda primals, tangents: (pair(*primals), 100 * tangents[0][0] + 7 * tangents[0][1]))

    def first(a):
        return jax.vmap(lambda x: product({"x": a * x, "y": x}, scale=3.0))(X).sum()

    def second(a):
        return jax.vmap(lambda x: pair((a * x, x)))(X).sum()

    for fun in (first, second):
        assert float(jax.grad(fun)(1.0)) == 100 * float(X.sum())
    assert float(jax.jvp(second, (1.0,), (1.0,))[1]) == 100 * float(X.sum())


def test_derivatives_of_what_is_computed_for_each_position_are_refused():
    @sequential
    def applied(fun, y):
        return fun(y) if y > 0 else y

    def program(x, y):
        return applied(lambda y: x * y, y)

    with pytest.raises(NotImplementedError, match="called for each position alone takes operands of a derivative"):
        jax.vmap(jax.grad(program))(X, X)
    np.testing.assert_array_equal(jax.vmap(jax.grad(program), (0, None))(X, 2.0), [2, 2, 2])
    found = jax.vmap(jax.grad(lambda x: jax.custom_batching.sequential_vmap(xp.sin)(x)))(X)
    np.testing.assert_allclose(found, xp.cos(X), rtol=1e-6)


def test_extremes_leave_out_what_the_mask_leaves_out_also_where_they_are_the_initial_value():
    x, mask = xp.asarray([1.0, 5.0, 0.0]), xp.asarray([True, False, True])
    assert jax.grad(lambda x: xp.max(x, where=mask, initial=1.0))(x).tolist() == [0.5, 0.0, 0.0]  # as in JAX
    assert jax.grad(lambda x: xp.min(x, where=xp.asarray([False, True, False]), initial=5.0))(x).tolist() == [0.0, 0.5, 0.0]


def test_results_that_are_not_floating_are_constants():
    kinds = []

    def function(x):
        factors, *places = lax.linalg.lu(x)
        kinds.extend(map(type, places))
        return factors

    jax.jvp(function, (xp.eye(3) * 2,), (xp.ones((3, 3)),))
    assert kinds == [xp.Array] * 2


def test_rules_that_need_elements_raise_jaxs_error():
    function = jax.custom_jvp(xp.sin)
    function.defjvp(lambda primals, tangents: (xp.sin(primals[0]), np.cos(np.asarray(primals[0])) * tangents[0]))
    assert jax.grad(function)(0.0) == 1
    with pytest.raises(jax.errors.TracerArrayConversionError):
        jax.grad(jax.grad(function))(0.0)
