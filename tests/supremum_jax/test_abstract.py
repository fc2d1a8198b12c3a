"""Abstract operands: functions are called with arrays without elements."""

import subprocess
import sys

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax.errors import (
    ConcretizationTypeError,
    StaticArgumentError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
)

X = jax.ShapeDtypeStruct((3, 4), "float32")
FLOAT = jax.ShapeDtypeStruct((), "float32")


def test_slices_have_bounds_that_are_known():
    """As in JAX 0.10.2: an IndexError, also where a jitted function would be called as it is."""
    x = xp.arange(5)
    for function in (lambda i: x[i:], lambda i: x[:i], lambda i: x[i : i + 2]):
        with pytest.raises(IndexError, match=r"^indexing with .*: a bound has no value here; use jax\.lax\.dynamic_slice"):
            jax.jit(function)(1)
    assert jax.jit(lambda i: x[i] + jax.lax.dynamic_slice(x, (i,), (2,))[1])(1) == 3


def test_lengths_and_axes_are_known():
    """JAX 0.10.2 raises one of these classes; the group `traced` of its recordings has every function."""
    x = xp.ones((2, 3))
    for function in (
        lambda n: xp.reshape(x, (n, 3)), lambda n: xp.split(x, n), lambda n: xp.cumsum(x, axis=n), lambda n: xp.fft.fft(x, n),
        lambda n: xp.tril(x, n), lambda n: jax.random.choice(jax.random.key(0), n), lambda n: jax.nn.softmax(x, axis=n),
    ):  # fmt: skip
        with pytest.raises(StaticArgumentError, match="has to be known where the program is recorded") as caught:
            jax.jit(function)(1)
        assert isinstance(caught.value, TracerIntegerConversionError)
        assert isinstance(caught.value, ConcretizationTypeError)
        assert isinstance(caught.value, ValueError)
    assert (jax.jit(lambda n: xp.roll(x, n, axis=1) + xp.eye(2, 3, k=n))(1) == x + xp.eye(2, 3, k=1)).all()


def test_nothing_is_computed():
    many = jax.ShapeDtypeStruct((1 << 20, 1 << 20), "float32")  # 4 TiB, of which the product would take months
    assert jax.eval_shape(lambda x: xp.tanh(x @ x).sum(0), many) == jax.ShapeDtypeStruct((1 << 20,), "float32")
    assert jax.eval_shape(xp.linalg.inv, many) == many
    layout = "NHWC", "HWIO", "CHWN"
    images, kernel = (jax.ShapeDtypeStruct(shape, "float32") for shape in ((1 << 20, 999, 999, 3), (3, 3, 3, 8)))
    convolved = jax.ShapeDtypeStruct((8, 500, 500, 1 << 20), "float32")
    conv = lambda x, k: lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=layout)
    assert (
        jax.eval_shape(conv, images, kernel) == jax.eval_shape(lambda x: conv(x, xp.ones((3, 3, 3, 8))), images) == convolved
    )
    ones = xp.broadcast_to(xp.ones((), dtype="float32"), images.shape)
    assert jax.eval_shape(lambda k: conv(ones, k), kernel) == convolved


def test_bodies_of_loops_and_branches_are_called_once():
    calls = []

    def counted(name, result):
        calls.append(name)
        return result

    def program(x):
        x = lax.fori_loop(0, 5, lambda i, y: counted("fori", y + i), x)
        x, _ = lax.scan(lambda c, _: (counted("scan", c * 2), c), x, length=7)
        x = lax.while_loop(lambda y: counted("test", y < 9), lambda y: counted("while", y + 1), x)
        x = lax.cond(x > 0, lambda y: counted("true", y), lambda y: counted("false", y), x)
        return lax.switch(1, [lambda y: counted("first", y), lambda y: counted("second", y)], x)

    assert jax.eval_shape(program, FLOAT) == FLOAT
    assert sorted(calls) == ["false", "first", "fori", "scan", "second", "test", "true", "while"]


def test_results_of_loops_have_no_elements_where_the_first_values_have():
    def program(x):
        n = lax.fori_loop(0, 3, lambda i, y: y + 1, 0)
        return x if n else -x

    with pytest.raises(TracerBoolConversionError, match=r"has no elements here; use jnp.where"):
        jax.eval_shape(program, FLOAT)


def test_carries_that_change_their_types_are_errors():
    with pytest.raises(TypeError, match="so the shapes do not match"):
        jax.eval_shape(lambda x: lax.scan(lambda c, y: (c.sum(), y), x, x), X)


@pytest.mark.parametrize(
    "function",
    [
        xp.nonzero,
        xp.unique_values,
        lambda x: xp.setdiff1d(x, x[0]),
        lambda x: xp.intersect1d(x[0], x[1]),
        lambda x: x[x > 0],
        lambda x: xp.repeat(xp.arange(2), x[0, 0].astype(int)),
    ],
)
def test_shapes_that_depend_on_elements_are_errors(function):
    with pytest.raises((ConcretizationTypeError, IndexError)):
        jax.eval_shape(function, X)


def test_examples_out_of_range_do_not_matter():
    found = jax.eval_shape(lambda i: xp.unravel_index(i, ()), jax.ShapeDtypeStruct((), "int32"))
    assert found == ()


def test_errors_of_shapes_are_those_of_arrays():
    for function in (lambda x: xp.reshape(x, (5,)), lambda x: lax.reshape(x, (5, 5)), lambda x: x + xp.ones(7)):
        errors = []
        for call in (lambda: function(xp.ones((3, 4))), lambda: jax.eval_shape(function, X)):  # noqa: B023 - called at once
            with pytest.raises(ValueError, match="shape") as caught:
                call()
            errors.append(str(caught.value))
        assert errors[0].replace("Array", "Abstract") == errors[1] or errors[0].split("(")[0] == errors[1].split("(")[0]


def test_callbacks_are_not_called():
    def refuse(*args):
        raise AssertionError(args)

    def program(x):
        jax.debug.print("{}", x)
        jax.debug.callback(refuse, x)
        return jax.pure_callback(refuse, jax.ShapeDtypeStruct((2,), "int8"), x)

    assert jax.eval_shape(program, X) == jax.ShapeDtypeStruct((2,), "int8")


def test_transformations_within_and_around():
    assert jax.eval_shape(jax.vmap(jax.grad(lambda x: xp.sin(x).sum())), X) == X
    assert jax.eval_shape(jax.vmap(lambda x: lax.while_loop(lambda y: y.sum() < 3, lambda y: y + x, x)), X) == X
    seen = []

    def outer(x):
        seen.append(jax.eval_shape(lambda y: x + y, jax.ShapeDtypeStruct((2, 1), "float64")))
        return x

    with xp.config.use(x64="on"):
        jax.vmap(outer)(xp.ones((5, 4), dtype="float32"))
        jax.grad(lambda x: outer(x).sum())(xp.ones(4, dtype="float32"))
    assert seen == [jax.ShapeDtypeStruct((2, 4), "float64")] * 2


def test_what_is_kept_depends_on_settings_and_types_of_numbers():
    n = jax.ShapeDtypeStruct((), "int32")
    assert [jax.eval_shape(lambda x, by=by: x * by, n).dtype for by in (True, 1, 1.0)] == ["int32", "int32", "float32"]
    for mode, wide in (("on", "int64"), ("off", "int32"), ("on", "int64")):
        with xp.config.use(x64=mode):
            assert jax.eval_shape(xp.sum, n).dtype == wide


def test_functions_of_buffers_get_zeros():
    pytest.importorskip("scipy", reason="SciPy is not installed")
    points = (xp.asarray([0.0, 1.0]),)
    grid = jax.scipy.interpolate.RegularGridInterpolator
    found = jax.eval_shape(lambda values: grid(points, values)(xp.asarray([[0.5]])), jax.ShapeDtypeStruct((2,), "float32"))
    assert found.shape == (1,)


def test_operands_are_arrays_to_python():
    def program(x):
        assert isinstance(x, xp.Array)
        assert (x.ndim, x.size, x.dtype, repr(x)) == (2, 12, np.float32, "Abstract(float32[3,4])")
        assert x.trace().shape == ()
        return x.T

    assert jax.eval_shape(program, X).shape == (4, 3)


def test_shapes_are_the_first_thing_that_a_process_asks_for():
    program = "from supremum import jax; print(jax.eval_shape(lambda x: x * 2, 1.0).shape)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "()\n"
