"""Calls that move elements, as moves of the engine: the results are those of the calls."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import _compiling, lax
from supremum.scipy import linalg


@for_each("body", [
    lambda x, i: x[i], lambda x, i: i[x], lambda x, i: x[::-1][i], lambda x, i: xp.take(x, i),
    lambda x, i: xp.repeat(x, 2)[:3] + i,
    lambda x, i: xp.where(x > i, x, i), lambda x, i: lax.dynamic_slice(x, (i[0],), (2,)),
    lambda x, i: xp.take_along_axis(x, i, axis=0), lambda x, i: x.at[i].set(7), lambda x, i: xp.roll(x, i[0]),
])  # fmt: skip
def test_integers_that_say_what_is_moved(body):
    jitted, x = jax.jit(body), xp.asarray([5, 0, 1])
    with xp.config.use(out_of_range="clip"):
        for numbers in ([0, 1, 2], [2, 0, 1], [1, 1, 1]):
            i = xp.asarray(numbers)
            assert jitted(x, i).tolist() == body(x, i).tolist()


@pytest.mark.filterwarnings("ignore")  # of values that are not of the array's dtype
@for_each("body", [
    lambda x: x.at[0].set(0.0), lambda x: x.at[:, -1].set(1.5).at[1:].set(7), lambda x: xp.tril(x), lambda x: xp.diag(x[0]),
    lambda x: x.at[1].set(xp.nan), lambda x: x.at[1].set(-xp.inf), lambda x: x.at[0].set(16777217.0), lambda x: x.at[1].set(2),
    lambda x: x.at[xp.asarray([1, 9])].get(mode="fill"), lambda x: x.at[:1].get(mode="fill", fill_value=3),
    lambda x: x.at[xp.asarray([[0, 5]])].get(mode="fill", fill_value=2), lambda x: x.at[5].get(), lambda x: x[:, ::2],
    lambda x: x.at[:, xp.asarray([0, 2])].set(4, mode="drop"),
    lambda x: x.at[1:].add(1).at[0, 1:].multiply(x[1, 1:]), lambda x: x.at[1].min(2).at[0, 0].max(5),
])  # fmt: skip
@for_each("dtype", ["float32", "int32", "int8", "bool", "bfloat16", "complex64"])
def test_fillers_are_moved_too(body, dtype):
    x = xp.asarray(X).astype(dtype)
    with xp.config.use(out_of_range="clip"):
        run = jax.jit(lambda x: (body(x), body(x)[0]))
        with jax.disable_jit():
            expected = [described(lambda x, i=i: run(x)[i], x) for i in (0, 1)]
        for _ in range(2):
            assert [described(lambda x, i=i: run(x)[i], x) for i in (0, 1)] == expected


def test_conditions_and_parts_of_numbers_are_not_moved():
    a, b = xp.asarray([True, False, True]), xp.asarray([False, False, True])
    c = xp.asarray([1 + 2j, 3j, 4])
    for function, given in (
        (lambda x, m: xp.select(choicelist=[x], condlist=[m]), (a, b)),
        (lambda x, m: xp.select([m], [x], m), (a, b)),
        (lambda x, m: xp.where(m, x, m), (a, b)),
        (linalg.toeplitz, (c,)),
        (lambda x: linalg.toeplitz(c=x)[::-1], (c,)),
        (lambda x: (x[True], x[1], x[1:]), (c,)),
    ):
        found = jax.tree.map(lambda x: x.tolist(), jax.jit(function)(*given))
        with jax.disable_jit():
            assert jax.tree.map(lambda x: x.tolist(), jax.jit(function)(*given)) == found


X = np.arange(12, dtype=np.float32).reshape(3, 4)
#: Functions of an array and integers, and how many calls are left in the body of a loop.
WINDOWS = {
    "elements": (lambda x, i, j: x[i, j], 0),
    "rows": (lambda x, i, _: x[i] * 2, 0),
    "columns": (lambda x, i, _: x[1:, i], 0),
    "elements of rows": (lambda x, i, j: x[i][j] + x[0, i], 0),
    "new axes": (lambda x, i, j: x[None, i, ..., j], 0),
    "steps": (lambda x, i, _: x[::-2, i] + x[i, ::3][0], 0),
    "clipped": (lambda x, i, j: x.at[i, j].get(), 0),
    "filled": (lambda x, i, j: x.at[i, j].get(mode="fill"), 1),
    "parts": (lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), 0),
    "parts without negative ones": (lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3), allow_negative_indices=False), 0),
    "whole axes": (lambda x, i, j: lax.dynamic_slice(x, (i, j), (3, 1)), 0),
    "along an axis": (lambda x, i, _: lax.dynamic_slice_in_dim(x, i, 2, axis=1), 0),
    "index along an axis": (lambda x, i, _: lax.dynamic_index_in_dim(x, i, 1, keepdims=False), 0),
    "set": (lambda x, i, j: x.at[i, j].set(7), 0),
    "set rows": (lambda x, i, j: x.at[i].set(x[j]).at[j].set(5.5), 0),
    "set columns": (lambda x, i, _: x.at[:, i].set(x[0, 0]).at[::2, i].set(x[:2, 1] * 2), 2),
    "set clipped": (lambda x, i, j: x.at[i, j].set(-1, mode="clip", wrap_negative_indices=False), 0),
    "sums": (lambda x, i, j: x.at[i, j].add(1).at[i].multiply(x[0] + 1).at[:, j].subtract(2), 0),
    "extremes": (lambda x, i, j: x.at[i].max(3).at[j].min(x[1]), 0),
    "update": (lambda x, i, j: lax.dynamic_update_slice(x, x[:2, :2] * 3, (i, j)), 0),
    "update along an axis": (lambda x, i, _: lax.dynamic_update_index_in_dim(x, x[:, 0], i, 1), 3),
    "other dtypes": (lambda x, i, j: x.at[i, j].set(i), 1),
    "several of one": (lambda x, i, _: x.at[xp.stack([i, i])].add(1), None),
    "several": (lambda x, i, j: x.at[xp.stack([i, j, i])].get(mode="clip"), None),
    "several along an axis": (lambda x, i, j: x.at[:, xp.stack([xp.stack([i, j]), xp.stack([j, i])])].get(mode="clip"), None),
    "elements of several rows": (lambda x, i, j: x.at[xp.asarray([2, 0]), xp.stack([i, j])].get(mode="clip"), None),
    "several pairs": (lambda x, i, j: x.at[xp.stack([i, j, i]), xp.stack([j, j, i])].get(mode="clip"), None),
    "set elements of rows": (lambda x, i, j: x.at[xp.asarray([2, 0]), xp.stack([i, j])].set(x[:2, 1] * 2), None),
    "set several": (lambda x, i, j: x.at[:, xp.stack([i, j])].set(x[0, 1], mode="clip"), None),
    "set several rows": (lambda x, i, j: x.at[xp.stack([i, j])].set(x[:2] * 2), None),
    "a column of several": (lambda x, i, j: x.at[xp.stack([xp.stack([i, j]), xp.stack([j, i])])[:, 0]].get(mode="clip"), 0),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")  # of values that are not of the array's dtype
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64, "int4", None])
@pytest.mark.parametrize("values", ["float32", "int32", "bfloat16", "complex64", "int4"])
@for_each("name", WINDOWS)
def test_windows_at_computed_positions(name, dtype, values):
    body, _ = WINDOWS[name]
    if name == "extremes" and values == "complex64":
        body = WINDOWS["set"][0]
    numbers = [0, 1, 2, 3, 4, 9, 127, *(() if dtype in (np.uint8, np.uint32, np.uint64) else (-1, -2, -3, -4, -5, -9, -128))]
    x, run = xp.asarray(X).astype(values), jax.jit(body)
    before = x.tobytes()
    with xp.config.use(x64="on"):
        for i in numbers:
            j = numbers[(i + 1) % len(numbers)]
            given = [k if dtype is None else xp.asarray(k).astype(dtype) for k in (i, j)]
            with jax.disable_jit():
                expected = described(body, x, *map(xp.asarray, given))
            assert described(run, x, *given) == expected
    assert x.tobytes() == before


def described(function, *given):
    """Return the dtype, the shape and the elements of a result, or the error."""
    try:
        out = function(*given)
    except (IndexError, TypeError, ValueError) as error:
        return type(error), str(error)
    return out.node.name, out.shape, out.tobytes()


@pytest.mark.skipif(xp.__engine__ != "native", reason="every step is a call in the reference engine")
@for_each("name", WINDOWS)
def test_windows_are_no_calls(name):
    body, calls = WINDOWS[name]
    jaxpr = jax.make_jaxpr(body)(xp.asarray(X), 1, 2)
    compiler = _compiling.Compiler()
    inputs = compiler.bind([*jaxpr.jaxpr.constvars, *jaxpr.jaxpr.invars])
    assert calls in (None, compiler.finish(inputs, compiler.add(jaxpr.jaxpr)).calls)


#: Steps of a loop of two arrays and an integer, in which updates may write in place, or may not.
STEPS = {
    "in place": lambda x, y, i: (x.at[i].set(y[i] + 1), y.at[i].add(x[i - 1])),
    "exchanged": lambda x, y, i: (y.at[i].set(7), x.at[i].add(1)),
    "of one": lambda x, _, i: (x.at[i].set(1), x.at[i - 1].set(2)),
    "the old one is used": lambda x, y, i: (x.at[i].set(y[0]), y + x),
    "a part is used": lambda x, y, i: (x.at[i].set(y[0]), y.at[:3].set(x[1:]).at[i].set(x[2:][0])),
    "the old one is a result": lambda x, y, i: (x, x.at[i].set(y[i])),
    "twice": lambda x, y, i: (x.at[i].set(y[i]), x.at[i].set(y[i])),
    "one after the other": lambda x, y, i: (x.at[i].set(5).at[i - 1].multiply(2).at[i - 2].set(y[i]), y),
    "of its own row": lambda x, y, i: (x.at[i].set(x[i - 1]).at[:2].set(x[1:3]), y.at[i].set(y[0])),
    "with calls": lambda x, y, i: (x.at[i].set(xp.sum(x)), y.at[i].set(xp.sum(x.at[i].set(2)) + xp.sum(y))),
}


@for_each("name", STEPS)
@for_each("kind", ["for", "while", "scan", "jit", "constant"])
def test_updates_in_place(name, kind):
    body = STEPS[name]
    one, other = xp.asarray(X[0]), xp.asarray(X[1])

    def run(x, y):
        if kind == "for":
            return lax.fori_loop(0, 4, lambda i, c: body(*c, i), (x, y))
        if kind == "while":
            return lax.while_loop(
                lambda c: (c[1].at[c[0]].set(3)[0] < 1e9) & (c[0] < 4), lambda c: (c[0] + 1, *body(*c[1:], c[0])), (0, x, y)
            )
        if kind == "scan":
            return lax.scan(lambda c, i: (body(*c, i), c[0].at[i].set(-1)), (x, y), xp.arange(4))
        if kind == "jit":
            return jax.jit(body)(x, y, 2)
        return lax.fori_loop(0, 4, lambda i, c: (xp.add(*body(x, c, i)), body(x, c, i)[1])[0], y)

    found = jax.tree.map(lambda a: a.tolist(), run(one, other))
    again = jax.tree.map(lambda a: a.tolist(), run(one, other))
    with jax.disable_jit():
        expected = jax.tree.map(lambda a: a.tolist(), run(one, other))
    assert found == again == expected
    assert (one.tolist(), other.tolist()) == (X[0].tolist(), X[1].tolist())


@for_each("body", [
    lambda x, i: x.at[i].get(mode="fill"), lambda x, i: x.at[9, i].set(1), lambda x, i: x.at[9, i].add(1),
    lambda x, i: x[i, :0], lambda x, i: x[xp.asarray([0, 1]), i], lambda x, i: x.at[i, :0].set(3),
    lambda x, i: lax.dynamic_slice(x, (0, i), (2, 0)), lambda x, i: xp.take(x, i, axis=0), lambda x, i: xp.roll(x, i),
    lambda x, i: x.at[xp.stack([i, i])].set(2), lambda x, i: xp.broadcast_to(x[0], (300, 4)).at[i].set(1),
    lambda x, i: xp.broadcast_to(x[0], (300, 4)).at[i, 2].get(mode="clip"), lambda x, i: x.at[i].power(2),
    lambda x, i: x[i] + xp.arange(12).reshape(3, 4)[i], lambda x, i: x.at[i].divide(2),
])  # fmt: skip
@for_each("dtype", [np.int8, np.int32])
def test_what_is_no_window_is_called(body, dtype):
    x, run = xp.asarray(X), jax.jit(body)
    for number in (0, 1, -1, 2, -3, 100):
        i = xp.asarray(number).astype(dtype)
        with jax.disable_jit():
            expected = described(body, x, i)
        assert described(run, x, i) == expected
