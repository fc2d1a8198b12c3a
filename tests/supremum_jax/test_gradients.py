"""Derivatives of programs, compared with exact values and with each other."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax.errors import NonlinearError

X = np.array([0.5, -1.0, 2.0], np.float32)


def test_powers():
    assert float(jax.grad(lambda x: x**3)(2.0)) == 12.0
    assert float(jax.grad(jax.grad(lambda x: x**3))(2.0)) == 12.0
    value, gradient = jax.value_and_grad(lambda p: (p["a"] * p["b"]).sum())({"a": X, "b": 2 * X})
    assert float(value) == 2 * (X * X).sum()
    assert np.array_equal(gradient["a"], 2 * X)
    assert np.array_equal(gradient["b"], X)


def test_cotangents_of_broadcast_operands_are_sums():
    weights = np.arange(12, dtype=np.float32).reshape(4, 3)
    for shape, axes in (((), (0, 1)), ((1,), (0, 1)), ((3,), 0), ((1, 1), (0, 1)), ((1, 3), 0), ((4, 1), 1), ((1, 4, 1), 1)):
        found = jax.grad(lambda x: (x * weights).sum())(xp.full(shape, 2.0, dtype="float32"))
        assert np.array_equal(found, weights.sum(axes).reshape(shape)), shape
        assert found.shape == shape


def test_forward_and_back_are_transposes():
    def program(x):
        return xp.stack([xp.sum(x * x), x[0] * xp.exp(x[1]), xp.max(x)])

    forward, back = jax.jacfwd(program)(X), jax.jacrev(program)(X)
    expected = np.array([2 * X, [np.exp(-1), 0.5 * np.exp(-1), 0], [0, 0, 1]], np.float32)
    assert np.allclose(forward, expected, rtol=1e-6)
    assert np.allclose(back, expected, rtol=1e-6)


def test_hessian():
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]], np.float32)
    found = jax.hessian(lambda x: 0.5 * x @ matrix @ x)(xp.asarray([1.0, -1.0]))
    assert np.array_equal(found, matrix)


def test_with_vmap_on_either_side():
    def loss(w, x):
        return xp.tanh(w @ x).sum()

    w, xs = xp.asarray(np.eye(3, dtype=np.float32)), xp.asarray(np.stack([X, 2 * X]))
    each = xp.stack([jax.grad(loss)(w, x) for x in xs])
    assert np.allclose(jax.vmap(jax.grad(loss), (None, 0))(w, xs), each, rtol=1e-6)
    total = jax.grad(lambda w: jax.vmap(lambda x: loss(w, x))(xs).sum())(w)
    assert np.allclose(total, each.sum(0), rtol=1e-6)


def test_stop_gradient_makes_a_constant():
    assert float(jax.grad(lambda x: x * lax.stop_gradient(x))(3.0)) == 3.0


def test_narrow_parameters_have_narrow_gradients():
    x = xp.asarray(X, dtype="bfloat16")
    assert jax.grad(lambda x: (x * xp.asarray(X)).sum())(x).dtype == "bfloat16"


@pytest.mark.parametrize(
    "argument, function, message",
    [
        (3, lambda x: x * 2.0, "requires real- or complex-valued inputs"),
        (X, lambda x: x, "only defined for scalar-output functions"),
        (1.0, lambda x: x * 1j, "requires real-valued outputs"),
        (1.0, lambda x: xp.sign(x).astype(int), "requires real-valued outputs"),
    ],
)
def test_errors(argument, function, message):
    with pytest.raises(TypeError, match=message):
        jax.grad(function)(argument)


def test_control_flow_of_python_follows_values():
    assert float(jax.grad(lambda x: x**2 if x > 0 else -x)(3.0)) == 6.0
    with pytest.raises(jax.errors.ConcretizationTypeError, match="lose its derivative"):
        jax.grad(lambda x: x * float(x))(3.0)
    with pytest.raises(jax.errors.TracerArrayConversionError, match="lose its derivative"):
        jax.grad(lambda x: x * np.asarray(x))(3.0)


def test_functions_without_a_rule_say_so():
    with pytest.raises(NotImplementedError, match=r"sqrtm: there is no rule for its derivative"):
        jax.grad(lambda x: xp.real(xp.scipy.linalg.sqrtm(x)).sum())(xp.asarray([[1.0, 0.0], [0.0, 2.0]]))


def test_linearize_calls_the_function_once():
    calls = []

    def program(x):
        calls.append(x)
        return xp.sin(x)

    value, forward = jax.linearize(program, X)
    assert np.allclose(forward(X), np.cos(X) * X, rtol=1e-6)
    assert np.allclose(value, np.sin(X), rtol=1e-6)
    assert len(calls) == 1


def test_linear_transpose():
    matrix = np.arange(6, dtype=np.float32).reshape(2, 3)
    (found,) = jax.linear_transpose(lambda x: matrix @ x, X)(xp.asarray([1.0, 2.0]))
    assert np.array_equal(found, matrix.T @ np.array([1, 2], np.float32))


def test_arrays_that_a_derivative_needs_are_not_written_to():
    w = xp.asarray([1.0, 2.0])

    def program(x):
        y = x * w
        w[0] = 50.0
        return y.sum()

    with xp.config.use(mutable=True):
        for derivative in (jax.grad(program), lambda x: jax.jvp(program, (x,), (x,)), jax.hessian(program)):
            with pytest.raises(TypeError, match="Array is immutable here"):
                derivative(xp.asarray([1.0, 1.0]))
        x = xp.asarray([3.0, 4.0])
        value, back = jax.vjp(lambda x: (x * x).sum(), x)
        x[0] = 50.0
        assert back(xp.ones_like(value))[0].tolist() == [6, 8]
    assert w.tolist() == [1, 2]


def test_collectives_within_vmap_carry_derivatives():
    x, around = xp.asarray([1.0, 2.0, 3.0]), [(0, 1), (1, 2), (2, 0)]

    def each(function):
        return jax.vmap(jax.grad(function), axis_name="i")(x).tolist()

    assert each(lambda a: lax.psum(a**2, "i")) == [6, 12, 18]
    assert each(lambda a: lax.pmean(a**2, "i")) == [2, 4, 6]
    assert each(lambda a: lax.ppermute(a**2, "i", around)) == [2, 4, 6]
    assert each(lambda a: lax.all_gather(a**2, "i").sum()) == [6, 12, 18]
    forward = jax.vmap(lambda a: jax.jvp(lambda b: lax.ppermute(b**2, "i", around), (a,), (1.0,))[1], axis_name="i")
    assert forward(x).tolist() == [6, 2, 4]


def test_rules_compute_without_the_checks_of_the_program():
    with xp.config.use(jax_numpy_rank_promotion="raise", jax_numpy_dtype_promotion="strict"):
        gradient = jax.grad(lambda w: xp.tanh(xp.asarray([[1.0, 2.0]]) @ w).sum())(xp.ones(2))
        assert gradient.shape == (2,)
        with pytest.raises(ValueError, match="differ in their number of axes"):
            jax.grad(lambda w: (w + xp.ones((2, 2))).sum())(xp.ones(2))


def test_a_loop_of_unknown_length_is_linearized_forward():
    def program(x):
        return lax.while_loop(lambda c: c < 10, lambda c: c * c, x)

    value, forward = jax.linearize(program, 2.0)
    assert (float(value), float(forward(1.0))) == (16.0, 32.0)
    with pytest.raises(ValueError, match="Reverse-mode differentiation"):
        jax.grad(program)(2.0)


@pytest.mark.parametrize("compiled", [False, True])
def test_what_a_loop_of_unknown_length_returns_as_it_is_has_a_gradient(compiled):  # as in JAX
    def program(x, y):
        found = lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2, c[2]), (0, x, y))
        return found[2] * 5 + lax.stop_gradient(found[1])

    gradient = jax.grad(program, 1)
    assert float((jax.jit(gradient) if compiled else gradient)(1.0, 2.0)) == 5
    rows = jax.grad(lambda y: jax.vmap(program, (None, 0))(1.0, y).sum())
    assert rows(xp.asarray([1.0, 2.0])).tolist() == [5, 5]


def test_derivatives_of_integers_are_of_float0():
    zero = np.zeros((), jax.float0)
    _, back = jax.vjp(lambda i, j: i + j, 2, 1)
    assert jax.jit(back)(zero) == (zero, zero)
    _, back = jax.vjp(lambda x: (x, x > 0, xp.asarray(2)), 1.0)
    assert back((1.0, True, np.int8(3)))[0].item() == 1  # cotangents of integers are of any dtype, as in JAX
    with pytest.raises(ValueError, match=r"expected float0\[\]"):
        back((1.0, True, xp.ones(2)))
    found, index = jax.jit(jax.grad(lambda x, i: x[i], (0, 1), allow_int=True))(xp.ones(2), 1)
    assert found.tolist() == [0, 1]
    assert index == zero
    zeros = jax.vmap(jax.grad(lambda i: i * 1.0, allow_int=True))(xp.arange(3))
    assert zeros.dtype == jax.float0
    assert jax.vmap(lambda i, ct: jax.vjp(lambda j: j * 2, i)[1](ct))(xp.arange(3), zeros)[0].shape == (3,)
    assert jax.dtypes.canonicalize_dtype(jax.float0) == jax.float0
    assert repr(jax.typeof(zeros)) == "ShapedArray(float0[3])"
    with pytest.raises(TypeError, match="inputs"):
        jax.grad(lambda x: 1.0)(zeros)


def test_linear_functions_of_integers_are_transposed():
    assert jax.linear_transpose(lambda x: 2 * x, 1)(3)[0].tolist() == 6
    (found,) = jax.linear_transpose(lambda x: x[1:] - x[:-1], xp.arange(4))(xp.asarray([1, 10, 100]))
    assert found.tolist() == [-1, -9, -90, 100]
    assert found.dtype == xp.arange(4).dtype


@pytest.mark.parametrize(
    "function, primal, cotangent, message",
    [
        (lambda x: 2.0 * x, 1, None, "linear_transpose only supports"),
        (lambda x: [x, x], 1.0, 1.0, "cotangent tree does not match"),
        (lambda x: xp.stack([x, x]), 1.0, 1.0, "cotangent type does not match"),
        (lambda x: 1j * x, 1.0, 1.0, "cotangent type does not match"),
    ],
)
def test_wrong_linear_functions_and_cotangents(function, primal, cotangent, message):
    with pytest.raises(TypeError, match=message):
        jax.linear_transpose(function, primal)(cotangent)


def test_linearized_functions_take_tangents_like_their_operands():
    _, linear = jax.linearize(xp.sum, xp.arange(3))
    assert linear(np.zeros(3, jax.float0)) == np.zeros((), jax.float0)
    for tangent in (xp.ones(3), np.zeros(2, jax.float0)):
        with pytest.raises(ValueError, match="inconsistent with the original primal values"):
            linear(tangent)


def test_loops_with_bounds_that_are_floats():
    assert lax.fori_loop(0.5, 2.7, lambda i, c: c + i, 0.0).item() == 1  # the bounds are cut, as those of JAX's are
    sums = jax.vmap(lambda n: lax.fori_loop(0.5, n, lambda i, c: c + i, 0.0))(xp.asarray([2.7, 1.0]))
    assert sums.tolist() == [4.5, 0.5]
    assert jax.grad(lambda x: lax.fori_loop(x, x + 2.0, lambda _, c: c * x, x))(3.0).item() == 27


def test_derivatives_of_quotients_do_not_overflow():
    for quotient in (lambda x: 1 / x, xp.reciprocal, lax.reciprocal):
        derivative = quotient
        for _ in range(6):
            derivative = jax.grad(derivative)
        assert derivative(xp.asarray(4.0, dtype="float32")).item() == 720 / 4**7


def test_jacobians_by_integers():
    found = jax.jacrev(lambda x, i: x * i, (0, 1), allow_int=True)(xp.asarray([1.0, 2.0]), 3)
    assert found[0].tolist() == [[3, 0], [0, 3]]
    assert (found[1].shape, found[1].dtype) == ((2,), jax.float0)


def test_operands_of_a_branch_that_it_maps_and_uses_whole():
    x = xp.asarray([[1.0, 2.0], [3.0, 5.0]])
    squares = lambda x: jax.vmap(xp.dot)(x, x)[:, None]
    wanted = 2 * x * xp.sum(x, axis=1, keepdims=True) + squares(x)

    def f(index, x):
        return lax.switch(index, [lambda x: x, lambda x: squares(x) * x, lambda x: x * squares(x)], x).sum()

    for index, expected in enumerate((xp.ones((2, 2)), wanted, wanted)):
        assert (jax.jit(jax.grad(f, 1))(index, x) == expected).all()
    assert (jax.vmap(jax.grad(f, 1), (0, None))(xp.arange(3), x)[1:] == wanted).all()


def test_branches_that_are_not_taken_have_no_cotangents():
    """Slopes of a branch may be infinite where another one is taken, as in JAX, whose values these are."""
    x, p = xp.asarray([-1.0, 0.0, 2.0]), xp.asarray([2.0, 3.0])

    def of_one(p, v):
        return lax.cond(v > 0, lambda: xp.log(v * p).sum() + xp.log(v), lambda: v * p[0])

    def of_all(p, x):
        return jax.vmap(of_one, (None, 0))(p, x).sum()

    for gradient in (jax.grad(of_all, (0, 1)), jax.jit(jax.grad(of_all, (0, 1)))):
        assert [one.tolist() for one in gradient(p, x)] == [[-0.5, np.float32(1 / 3)], [2, 2, 1.5]]
    assert jax.vmap(jax.grad(of_one, 1), (None, 0))(p, x).tolist() == [2, 2, 1.5]
    assert jax.vmap(jax.hessian(of_one, 1), (None, 0))(p, x).tolist() == [0, 0, -0.75]
    assert np.array_equal(jax.hessian(of_all)(p, x), np.diag(np.float32([-1 / 4, -1 / 9])))


def test_choices_within_choices():
    def nested(v):
        return lax.cond(v >= 0, lambda: lax.cond(v > 0, xp.log, lambda w: w * 3, v), lambda: v * v)

    def switched(v):
        return lax.switch(xp.where(v > 0, 0, 7), [xp.sqrt, xp.exp, lambda w: w], v)

    x = xp.asarray([-1.0, 0.0, 4.0])
    for fun, expected in ((nested, [-2, 3, 0.25]), (switched, [1, 1, 0.25])):
        assert jax.vmap(jax.grad(fun))(x).tolist() == expected
        assert jax.grad(lambda x, fun=fun: jax.vmap(fun)(x).sum())(x).tolist() == expected


class Quantity:
    def __init__(self, value):
        self.value = value

    def __jax_array__(self):
        return self.value


@pytest.mark.parametrize(
    "fun",
    [
        lambda x: x * Quantity(x),
        lambda x: Quantity(x) * x,
        lambda x: xp.asarray(Quantity(x)) * x,
        lambda x: xp.stack([Quantity(x), x]).prod(),
        lambda x: xp.multiply(Quantity(x), x),
        lambda x: xp.concatenate([Quantity(x[None]), x[None]]).prod(),
        lambda x: xp.einsum(",", Quantity(x), x),
        lambda x: jax.jit(lambda x: xp.einsum(",", Quantity(x), x))(x),
    ],
)
def test_objects_of_jaxs_protocol_stand_for_their_arrays(fun):
    assert jax.grad(fun)(3.0).tolist() == jax.jvp(fun, (3.0,), (1.0,))[1].tolist() == 6
    assert jax.vmap(jax.grad(fun))(xp.arange(2.0)).tolist() == [0, 2]
    assert jax.grad(lambda x: jax.vmap(fun)(x).sum())(xp.arange(2.0)).tolist() == [0, 2]
    assert jax.jit(jax.hessian(fun))(3.0) == 2


def test_objects_of_jaxs_protocol_are_joined_to_operands():
    x = xp.arange(2.0)
    assert jax.grad(lambda x: xp.concatenate([Quantity(xp.ones(2)), x]).sum())(x).tolist() == [1, 1]
    assert jax.vmap(lambda y: xp.concatenate([Quantity(x), y]))(xp.ones((1, 2))).tolist() == [[0, 1, 1, 1]]


def test_indices_cast_from_operands_are_not_linear():
    with pytest.raises(NonlinearError, match="not linear"):  # where JAX has an assertion
        jax.linear_transpose(lambda x: xp.arange(3.0)[x.astype(int)], xp.asarray(1.0))


@for_each(
    "transformed",
    [
        lambda f: jax.grad(f)(X),
        lambda f: jax.vjp(f, X),
        lambda f: jax.jvp(f, (X,), (X,)),
        lambda f: jax.linearize(f, X),
        lambda f: jax.jacfwd(f)(X),
        lambda f: jax.hessian(f)(X),
        lambda f: jax.jit(f)(X),
        lambda f: jax.vmap(f)(np.stack([X, X])),
        lambda f: jax.vmap(jax.grad(f))(np.stack([X, X])),
        lambda f: jax.grad(lambda x: jax.vmap(f)(x).sum())(np.stack([X, X])),
        lambda f: jax.grad(jax.jit(f))(X),
    ],
)
def test_operands_that_a_function_keeps_cannot_be_used_afterwards(transformed):
    kept = []

    def function(x):
        kept.extend([x, 2 * x])
        return (3 * x).sum()

    transformed(function)
    for x in kept:
        for use in [
            lambda x: x + 1,
            lambda x: X - x,
            xp.sin,
            xp.sum,
            lambda x: x[0],
            lambda x: jax.jit(lambda y: y + 1)(x),
            lambda x: jax.jit(lambda: x + 1)(),
            lambda x: jax.grad(lambda y: (x * y).sum())(X),
            lambda x: jax.vmap(lambda y: x * y)(np.stack([X, X])),
        ]:
            with pytest.raises(jax.errors.UnexpectedTracerError, match="return what is needed, and do not keep operands"):
                use(x)
        with pytest.raises(jax.errors.TracerArrayConversionError):
            np.asarray(x)
        assert x.shape == (3,)
        assert repr(x)


def test_operands_that_a_failing_function_keeps_cannot_be_used_afterwards():
    kept = []

    def function(x):
        kept.append(x)
        raise KeyError("a reason")

    for transformed in (jax.grad, jax.vmap):
        with pytest.raises(KeyError, match="a reason"):
            transformed(function)(X)
        with pytest.raises(jax.errors.UnexpectedTracerError):
            _ = kept.pop() + 1


@pytest.mark.parametrize(
    ("function", "slopes"),
    [
        (jax.nn.relu, [0.0, 0.0, 1.0, 1.0]),
        (jax.nn.relu6, [0.0, 0.0, 1.0, 0.0]),
        (lambda x: lax.clamp(0.0, x, 6.0), [0.0, 0.0, 1.0, 0.0]),
        (lambda x: lax.clamp(x, 0.0, 6.0), [0.0, 0.0, 1.0, 0.0]),
    ],
)
def test_slopes_at_corners_are_the_same_within_vmap(function, slopes):  # values of JAX
    x = xp.asarray([-1.0, 0.0, 0.5, 6.0])
    assert jax.vmap(jax.grad(function))(x).tolist() == slopes
    assert jax.grad(lambda x: jax.vmap(function)(x).sum())(x).tolist() == slopes
    assert jax.jvp(jax.vmap(function), (x,), (xp.ones(4),))[1].tolist() == slopes
    assert jax.jit(jax.grad(lambda x: jax.vmap(jax.checkpoint(function))(x).sum()))(x).tolist() == slopes


@for_each(
    ("function", "passes"),
    [
        (jax.nn.relu, [0, 0, 1, 1]),
        (jax.nn.relu6, [0, 0, 1, 0]),
        (lambda x: lax.clamp(0.0, x, 6.0), [0, 0, 1, 0]),
        (lambda x: xp.fmax(x, 0.5), [0, 0, 0, 1]),
        (lambda x: xp.fmin(x, 0.5), [1, 1, 0, 0]),
        (lambda x: xp.copysign(0.5, x), [0, 0, 0, 0]),
        (lambda x: xp.heaviside(x, 0.5), [0, 0, 0, 0]),
        (lambda x: xp.heaviside(0.0, x), [1, 1, 1, 1]),
        (xp.imag, [0, 0, 0, 0]),
        (xp.abs, [1, 1, 1, 1]),
        (lambda x: xp.maximum(x, 0.5), [1, 1, 1, 1]),
    ],
)
def test_nan_passes_slopes_that_are_products_and_not_those_that_select(function, passes):  # values of JAX
    x, nan = xp.asarray([-1.0, 0.0, 0.5, 6.0]), xp.full(4, xp.nan)
    wanted = [bool(one) for one in passes]
    for found in (
        jax.vjp(function, x)[1](nan)[0],
        jax.jvp(function, (x,), (nan,))[1],
        jax.jit(lambda x: jax.vjp(function, x)[1](nan)[0])(x),
        jax.vjp(jax.vmap(function), x)[1](nan)[0],
    ):
        assert xp.isnan(found).tolist() == wanted
        assert xp.all(xp.isnan(found) | (found == 0))


def test_the_slope_of_a_norm_of_nothing_does_not_pass_relu():  # values of JAX
    def length(x):
        return xp.linalg.vector_norm(jax.nn.relu(-xp.abs(x)))

    for gradient in (jax.grad(length), jax.jit(jax.grad(length)), lambda x: jax.vmap(jax.grad(length))(x[None])[0]):
        assert gradient(xp.asarray([-1.0, 0.0, 6.0])).tolist() == [0, 0, 0]


def test_the_slope_of_an_extreme_that_is_nan_is_nan():  # JAX's
    assert xp.all(xp.isnan(jax.grad(xp.max)(xp.asarray([1.0, xp.nan]))))


@for_each(
    "function",
    [
        lambda x: x * x,
        xp.sin,
        lambda x: 1 / x,
        lambda x: x @ x,
        lambda x: xp.where(x > 0, x, 2 * x),
        lambda x: xp.maximum(x, 0),
        xp.sort,
        xp.max,
        xp.prod,
        jax.nn.relu,
        xp.linalg.vector_norm,
        jax.jit(xp.cos),
        jax.checkpoint(xp.cos),
        jax.vmap(xp.cos),
        lambda x: lax.scan(lambda c, _: (c * c, None), x, None, length=2)[0],
    ],
)
def test_functions_that_are_not_linear_are_not_transposed(function):
    """JAX raises NotImplementedError, and AssertionError for what is linear in each operand."""
    back = jax.linear_transpose(function, X)
    with pytest.raises(NotImplementedError, match="the function is not linear"):
        back(xp.ones_like(function(xp.asarray(X))))


def test_transposes_of_linear_functions_need_no_elements():
    """The values are those of JAX 0.10.2."""
    calls = []

    def function(x):
        calls.append(x)
        return lax.fori_loop(0, 3, lambda _, c: 2 * c, x)

    assert float(jax.linear_transpose(function, 2.0)(1.0)[0]) == 8
    assert len(calls) == 1
    assert float(jax.linear_transpose(jax.checkpoint(lambda x: 3 * x), 2.0)(1.0)[0]) == 3
    sums = lambda x: lax.scan(lambda c, y: (c + y, c * 3), 0.0, x)
    assert jax.linear_transpose(sums, X)((1.0, xp.ones(3)))[0].tolist() == [7, 4, 1]
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.linear_transpose(lambda x: x if x > 0 else -x, 2.0)
    product = lambda m: jax.linear_transpose(lambda x: m @ x, X)(xp.ones(3))[0]
    matrix = xp.reshape(xp.arange(9.0), (3, 3))
    for transformed in (product, jax.jit(product)):
        assert transformed(matrix).tolist() == [9, 12, 15]
    assert jax.grad(lambda m: product(m)[0])(matrix).tolist() == [[1, 0, 0]] * 3
    assert jax.vmap(product)(xp.stack([matrix, -matrix])).tolist() == [[9, 12, 15], [-9, -12, -15]]


ONES = np.ones(3, "float32")


@pytest.mark.parametrize(
    "fun, gradient",
    [
        (xp.log2, False),
        (xp.log10, False),
        (xp.log, True),
        (lambda x: xp.dot(xp.broadcast_to(x, (3,)), ONES), False),
        (lambda x: xp.dot(x, ONES).sum(), False),
        (lambda x: xp.dot(ONES[0], x), False),
        (lambda x: xp.dot(x, x), True),
        (lambda x: xp.vdot(xp.broadcast_to(x, (3,)), ONES), False),
        (lambda x: xp.tensordot(xp.broadcast_to(x, (3,)), ONES, 1), False),
        (lambda x: xp.einsum("i,i", xp.broadcast_to(x, (3,)), ONES), False),
        (lambda x: xp.dot(xp.broadcast_to(x, (3,)), xp.broadcast_to(x, (3,))), True),
        (lambda x: xp.kron(xp.broadcast_to(x, (3,)), ONES).sum(), True),
        (lambda x: xp.nn.glu(xp.broadcast_to(x, (4,))).sum(), True),
        (lambda x: xp.polyval(xp.broadcast_to(x, (3,)), ONES).sum(), True),
    ],
)
def test_gradients_by_weak_numbers(fun, gradient):  # weak as JAX's are
    assert jax.grad(fun)(2.0).weak_type is gradient


@pytest.mark.parametrize("fun", [lambda x: x**2.5, lambda x: 2.5**x, lambda x: x**x, lambda x: x**3, xp.sin])
def test_jacobians_are_as_weak_as_results_and_arguments(fun):  # as JAX's
    assert jax.jacfwd(fun)(2.0).weak_type
    assert jax.jacrev(fun)(2.0).weak_type
    assert jax.hessian(fun)(2.0).weak_type
    assert not jax.jacfwd(fun)(ONES).weak_type
    assert not jax.jacrev(lambda x: fun(x) * ONES)(ONES).weak_type
    assert jax.jacrev(lambda x: fun(x) * ONES)(2.0).weak_type
    assert not jax.jacfwd(lambda x: fun(x) * ONES)(2.0).weak_type


def test_tangents_of_exponents_are_strong():  # as JAX's
    assert not jax.jvp(lambda x: 2.5**x, (2.0,), (1.0,))[1].weak_type


def test_settings_that_a_function_leaves_in_force_stay():
    kept = []

    def program(x):
        kept.append(xp.config.use(x64="on"))
        kept[-1].__enter__()
        return x * x

    for _ in range(2):
        assert float(jax.grad(program)(3.0)) == 6
        assert (xp.config.x64, xp.config.mutable) == ("on", True)
        kept.pop().__exit__(None, None, None)
        assert (xp.config.x64, xp.config.mutable) == ("explicit", True)
