"""Reductions, places of extremes and products within programs: steps of the engine, with the bits of calls."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import _compiling, lax
from supremum.jax._programs import make_jaxpr

NATIVE = xp.__engine__ == "native"
DRAW = np.random.default_rng(0).normal
SPECIAL = [np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0]
REDUCTIONS = [xp.sum, xp.prod, xp.max, xp.min, xp.mean, xp.any, xp.all, xp.argmax, xp.argmin]
AXES = [None, 0, -1, 1, (0, 2), (), (2, 1, 0)]


def compiled(body, *args):
    """Return the program of a function that is called once, and its results."""
    jaxpr = make_jaxpr(body)(*args)
    program, compiler = _compiling.compiled(jaxpr, constants=0)
    return program, program.run((*compiler.constants, *jaxpr.consts, *args))


def drawn(dtype, *shape):
    """Return an array, of floats with some special ones."""
    x = DRAW(size=shape) * 4
    if np.dtype(dtype).kind == "f":
        x.flat[:: max(x.size // 6, 1)] = np.resize(SPECIAL, len(x.flat[:: max(x.size // 6, 1)]))
    return xp.asarray(x.astype(dtype) if dtype != "bool" else x > 0)


def same(out, expected):
    return (out._node, out.shape, np.asarray(out).tobytes()) == (
        expected._node,
        expected.shape,
        np.asarray(expected).tobytes(),
    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "int32", "bool", "complex64", "uint8", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 5, 17), (9, 1, 3), (3, 40, 40)])
def test_reductions(reduction, dtype, shape):
    x = drawn("float32", *shape).astype(dtype) if "float16" in dtype else drawn(dtype, *shape)
    places = reduction in (xp.argmax, xp.argmin)  # which complex numbers do not have
    for axis in AXES[: 4 * (dtype != "complex64")] if places else AXES:
        for keepdims in (False, True):
            function = lambda x: reduction(x, axis=axis, keepdims=keepdims)  # noqa: B023 - called here
            program, (out,) = compiled(function, x)
            assert same(out, function(x)), (axis, keepdims)
            if NATIVE and dtype == "float32" and x.size < 4096 and reduction not in (xp.any, xp.all):
                assert program.calls == 0


def test_reductions_of_steps():
    def step(carry, x):
        best = xp.max(carry[:, None] + x, axis=0)
        return best - xp.mean(best), (xp.argmax(carry[:, None] * x, axis=0), xp.any(x > best), xp.sum(x > 0, axis=1))

    first, rows = drawn("int32", 6).astype("float32"), drawn("int32", 7, 6, 6).astype("float32")
    with jax.disable_jit():
        expected = lax.scan(step, first, rows)
    for out, one in zip(jax.tree.leaves(lax.scan(step, first, rows)), jax.tree.leaves(expected), strict=True):
        assert same(out, one)


@pytest.mark.parametrize("options", [{"dtype": "float64"}, {"where": xp.asarray([True, False, True])}, {"initial": 2.0}])
def test_reductions_with_options_are_calls(options):
    function = lambda x: xp.sum(x, axis=-1, **options)
    x = drawn("float32", 2, 3)
    assert same(jax.jit(function)(x), function(x))


PRODUCTS = [
    lambda a, b: a @ b,
    lambda a, b: b.T @ a.T,
    lambda a, b: (a @ b).T @ a,
    lambda a, b: a @ a.T,
    lambda a, b: a[0] @ b,
    lambda a, b: a @ b[:, 0],
    lambda a, b: xp.dot(a[1], b.T[1]),
    lambda a, b: a.T[:2].T @ b[:2],
    lambda a, b: (a * 2).T @ (a + 1),
]


@pytest.mark.parametrize("function", PRODUCTS)
@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64", "float16", "bool"])
@pytest.mark.parametrize("sizes", [(3, 4, 5), (2, 2, 2), (17, 9, 33), (70, 70, 70)])
def test_products(function, dtype, sizes):
    a, b = drawn("int32", *sizes[:2]).astype(dtype), drawn("int32", *sizes[1:]).astype(dtype)
    program, (out,) = compiled(function, a, b)
    assert same(out, function(a, b))
    if NATIVE and dtype == "float32" and max(sizes) < 64 and function in PRODUCTS[:5]:
        assert program.calls <= 1  # which transposes


def test_products_with_transposed_operands_of_loops():
    w, x = drawn("int32", 4, 4).astype("float32") / 8, drawn("int32", 4).astype("float32")

    def body(w, x):
        step = lambda c, _: (xp.tanh(w.T @ c) + c @ w, c)
        return lax.scan(step, x, None, length=5)

    with jax.disable_jit():
        expected = body(w, x)
    for given in (w, xp.asarray(np.asfortranarray(w), copy=False)):
        for out, one in zip(jax.tree.leaves(jax.jit(body)(given, x)), jax.tree.leaves(expected), strict=True):
            assert np.allclose(out, one, rtol=1e-5) if given is not w else same(out, one)


def test_threads_run_one_program():
    def body(x):
        step = lambda c, _: (c / xp.sum(c) + xp.max(c @ c.T), xp.argmax(c))
        return lax.scan(step, x, None, length=300)

    run, x = jax.jit(body), xp.abs(drawn("int32", 5, 5).astype("float32")) + 1
    expected = [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(run(x))]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(run(x))], range(40)))
    assert found == [expected] * 40
