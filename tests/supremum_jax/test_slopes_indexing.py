"""Derivatives of updates at indices: near differences, also where an element is updated twice, or not at all."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax.test_util import check_grads

X, V = np.array([0.5, 1.5, 2.5, 3.5]), np.array([2.0, 0.75, 1.25])
ONCE, TWICE, OUTSIDE = np.array([2, 0, 3]), np.array([1, 1, 2]), np.array([1, 9, 2])
METHODS = ["set", "add", "subtract", "multiply", "divide", "power", "min", "max"]


@for_each("method", METHODS)
@for_each("options", [{}, {"mode": "drop"}, {"mode": "clip"}], identity=str)
@for_each("index", [ONCE, TWICE, OUTSIDE, slice(0, 3), np.array([True, False, True, True])], identity=str)
def test_updates(method, options, index):
    if index is OUTSIDE and not options:
        return

    def program(x, v):
        return getattr(xp.asarray(x).at[index], method)(v, **options)

    with xp.config.use(x64="on"):
        x, v = xp.asarray(X), xp.asarray(V)
        twice = index is TWICE and method in ("multiply", "divide", "power")
        if twice:
            with pytest.raises(NotImplementedError, match="several go to one element"):
                jax.vjp(program, x, v)
            check_grads(lambda x: program(x, v), (x,), order=2, atol=1e-4, rtol=1e-4)
            return
        check_grads(program, (x, v), order=2, atol=1e-4, rtol=1e-4)
        check_grads(lambda x: program(x, 2.0), (x,), order=1, atol=1e-4, rtol=1e-4)
        assert np.array_equal(jax.vjp(program, x, v)[0], program(x, v))


@pytest.mark.parametrize("mode", ["fill", "clip"])
def test_reads_out_of_range(mode):
    with xp.config.use(x64="on"):
        check_grads(lambda x: xp.asarray(x).at[OUTSIDE].get(mode=mode, fill_value=7.0), (xp.asarray(X),), order=2)


def test_reads_that_are_filled_with_nan():
    value, back = jax.vjp(lambda x: x.at[OUTSIDE].get(mode="fill"), xp.asarray(X, dtype="float32"))
    assert np.array_equal(value, [1.5, np.nan, 2.5], equal_nan=True)
    assert back(xp.ones_like(value))[0].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("transform", [jax.grad, lambda f: jax.jit(jax.grad(f))], ids=["called", "recorded"])
def test_items_out_of_range_have_the_derivatives_of_what_is_read(transform):
    """The values of JAX 0.10.2, which clamps numbers, and adds nothing back for those of arrays."""
    x = xp.reshape(xp.arange(6.0), (2, 3))
    at = xp.int32
    cases = [
        (lambda x: x[at(5), at(-7)], (1, 0)),
        (lambda x: x[..., at(9)][0], (0, 2)),
        (lambda x: x[None, at(-8), 1, None].sum(), (0, 1)),
        (lambda x: x[0][at(8)] + x[xp.asarray([5])].sum(), (0, 2)),
    ]
    with xp.config.use(out_of_range="clip"):
        for f, place in cases:
            assert (transform(f)(x) == xp.zeros((2, 3)).at[place].set(1)).all()
        assert transform(lambda x: x[7].sum())(x).tolist() == [[0, 0, 0], [1, 1, 1]]


@pytest.mark.parametrize("key", [0, slice(0, 1), (None, 0), (Ellipsis, slice(None, None, 2))])
def test_second_derivatives_of_items_keep_the_signs_of_zeros(key):
    # as in JAX
    found = np.asarray(jax.hessian(lambda x: xp.sum(x[key] ** 2 * -0.0))(xp.ones(3)))
    rows = np.isin(np.arange(3), np.arange(3)[key])
    np.testing.assert_array_equal(np.signbit(found), np.broadcast_to(rows[:, None], (3, 3)))


def test_elements_that_indices_out_of_range_are_clipped_to():
    x, v, index = xp.asarray([1.0, 5.0]), xp.asarray([7.0]), np.array([9])
    maximum = lambda x, v: x.at[index].max(v, mode="clip").sum()
    minimum = lambda x, v: x.at[index].min(v, mode="clip").sum()
    assert [one.tolist() for one in jax.grad(maximum, (0, 1))(x, v)] == [[1, 0], [1]]
    assert [one.tolist() for one in jax.grad(minimum, (0, 1))(x, v)] == [[1, 1], [0]]
    numbers = jax.lax.GatherDimensionNumbers((), (0,), (0,))
    assert jax.grad(lambda x: jax.lax.gather(x, index[:, None], numbers, (1,)).sum())(x).tolist() == [0, 1]


def test_products_of_distinct_elements():
    x, v = xp.asarray([1.0, 5.0]), xp.asarray([2.0])
    for method, slope in [("multiply", 5.0), ("divide", -5 / 4), ("power", 25 * np.log(5))]:
        found = jax.grad(lambda v, method=method: getattr(x.at[np.array([1])], method)(v)[1])(v)
        assert np.allclose(found, [slope], rtol=1e-6)


@for_each("index", [2, -3, np.int64(2), (Ellipsis, 2), jax.numpy.asarray(2)], identity=repr)
@for_each("name", ["set", "add", "subtract", "multiply", "max", "divide"])
def test_values_that_are_dropped_have_no_gradient(name, index):  # values of JAX
    def program(x, value):
        return (getattr(x.at[index], name)(value) * 2).sum()

    with xp.config.use(out_of_range="clip"):
        found = jax.grad(program, (0, 1))(xp.ones(1), 3.0)
        mapped = jax.grad(lambda x, value: jax.vmap(program, (0, None))(x, value).sum(), (0, 1))(xp.ones((2, 1)), 3.0)
    assert (found[0].tolist(), abs(float(found[1]))) == ([2.0], 0.0)
    assert (mapped[0].tolist(), abs(float(mapped[1]))) == ([[2.0], [2.0]], 0.0)


def test_linear_functions_read_the_nearest_elements_again():  # values of JAX
    index, ones = np.array([0, 5, -1, -7, 2]), xp.ones(3)
    for mode, expected in [(None, [1, 1, 1, 1, 1]), ("clip", [1, 1, 1, 1, 1]), ("fill", [1, 0, 1, 0, 1])]:
        assert jax.linearize(lambda x, mode=mode: x.at[index].get(mode=mode), ones)[1](ones).tolist() == expected
    with xp.config.use(out_of_range="clip"):
        assert jax.linearize(lambda x: x[index], ones)[1](ones).tolist() == [1, 1, 1, 1, 1]
        assert jax.vmap(jax.linearize(lambda x: x[index], ones)[1])(xp.eye(3)).sum(0).tolist() == [1, 1, 1, 1, 1]


def test_views_of_complex_numbers_have_derivatives():  # values of JAX
    x, z = xp.arange(1.0, 5.0), xp.asarray([1 + 3j, 2 + 4j])
    assert jax.jvp(lambda x: x.view("complex64"), (x,), (x,))[1].tolist() == [1 + 2j, 3 + 4j]
    assert jax.vjp(lambda x: x.view("complex64"), x)[1](z)[0].tolist() == [1, -3, 2, -4]
    assert jax.vjp(lambda z: z.view("float32"), z)[1](x)[0].tolist() == [1 - 2j, 3 - 4j]
    assert jax.linear_transpose(lambda x: x.view("float32"), x)(x)[0].tolist() == [1, 2, 3, 4]
    hessian = jax.hessian(lambda x: (x.view("complex64") ** 2).real.sum())(x)
    assert hessian.tolist() == [[2, 0, 0, 0], [0, -2, 0, 0], [0, 0, 2, 0], [0, 0, 0, -2]]


@pytest.mark.parametrize("dtype", ["float16", "int32", "bfloat16", "complex128"])
def test_views_of_other_bits_are_constants(dtype):  # as in JAX
    with xp.config.use(x64="on"):
        x = xp.arange(1, 5, dtype="float32")
        assert jax.grad(lambda x: x.view(dtype).real.sum().astype("float32"))(x).tolist() == [0, 0, 0, 0]


def test_open_meshes_have_derivatives():  # values of JAX
    gradient = jax.grad(lambda x: (xp.ix_(x, x)[0] * xp.ix_(x, x)[1]).sum())
    assert gradient(xp.arange(1.0, 4.0)).tolist() == [12, 12, 12]
    assert jax.vmap(gradient)(xp.asarray([[1.0, 2.0], [3.0, 5.0]])).tolist() == [[6, 6], [16, 16]]
