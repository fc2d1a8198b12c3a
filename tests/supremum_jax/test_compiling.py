"""Recorded programs as programs of the engine: the results are those of calling the functions one after the other."""

import itertools

import numpy as np
import pytest
from common import for_each, levels

import supremum as xp
from supremum import jax
from supremum._base.buffers import native
from supremum.jax import _compiling, lax, nn
from supremum.jax._programs import make_jaxpr

NATIVE = xp.__engine__ == "native"


def compiled(body, *args):
    """Return the program of a function that is called once, and its results."""
    jaxpr = make_jaxpr(body)(*args)
    compiler = _compiling.Compiler()
    inputs = compiler.bind([*jaxpr.jaxpr.constvars, *jaxpr.jaxpr.invars])
    program = compiler.finish(inputs, compiler.add(jaxpr.jaxpr))
    return program, program.run((*compiler.constants, *jaxpr.consts, *[xp.asarray(x) for x in args]))


X = xp.asarray(np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4))
#: Functions of one array, and how many of their calls are calls in a program.
BODIES = {
    "elementwise": (lambda x: xp.sin(x) * 2 + x / 3, 0),
    "numbers": (lambda x: (2 - x) * True + 1.5, 0),
    "broadcast": (lambda x: x - x[:, :1] + x[0], 3),  # a column is strided, and what it is added to may be
    "rows": (lambda x: x[0] * x[1] + x[-1], 0),
    "elements": (lambda x: x[0, 1] * x[2, 3] + 1, 0),
    "slices": (lambda x: xp.concatenate([x[1:], x[:1]]) * 2, 0),
    "turned": (lambda x: xp.flip(x, axis=1) + 1, 2),
    "transposed": (lambda x: x.T + xp.ones((4, 3), dtype=x.dtype), 2),
    "reshaped": (lambda x: xp.reshape(x, (2, 6))[1] + 1, 0),
    "stacked": (lambda x: xp.stack([x[0], x[1] * 2]) + 1, 0),
    "rolled": (lambda x: xp.roll(x, 1, axis=0) - x, 0),
    "reduced": (lambda x: (x + 1) / xp.sum(x + 1, axis=1, keepdims=True), 0),
    "product": (lambda x: xp.tanh(x @ x.T) * 2, 0),
    "mixed": (lambda x: x + xp.asarray(np.arange(4, dtype=np.int32)) * xp.asarray(True), 1),
    "compared": (lambda x: xp.where(x > 0, x, 2 * x), 0),
    "selected": (lambda x: xp.where(x[0, 0] > 0, x, 1.5) + xp.where(x < 1, 0, x[1, 2]) + xp.where(x[:1] > 0, x, x), 0),
    "selected by numbers": (lambda x: xp.where(x[:1].astype("int32") & 1, x, 1.5) + xp.where(x - 1, x, 0), 0),
    "cast": (lambda x: xp.astype(xp.astype(x > 0, xp.int32) * 3, xp.float32) + x, 0),
    "complex": (lambda x: (x + 1j) * x, 0),
    "narrow": (lambda x: x.astype(xp.bfloat16) * 2 + x.astype(xp.float16), 0),
    "several": (lambda x: xp.divmod(x, 3)[1] + xp.frexp(x)[0], 2),
    "updated": (lambda x: x.at[1].set(0) + x, 0),
    "put": (lambda x: x.at[1, 2:].set(x[0, 1:3]) * x.at[-1].set(x[0]), 0),
    "parts": (lambda x: xp.add(*xp.split(x, 2, axis=1)) * xp.unstack(x)[1][:2], 0),
    "rows of a part": (lambda x: xp.sin(x[:, 1:3]) - x[1:, :2].sum(), 2),  # what is summed lies as it is
    "constant indices": (lambda x: x[np.asarray([2, 0])] * x[1], 0),
    "derivatives of parts": (jax.grad(lambda x: xp.prod(xp.stack(xp.split(x, 2, axis=1)) + 1, axis=0).sum()), None),
    "derivatives of what is rolled": (jax.grad(lambda x: (xp.roll(x, 1, axis=0) * xp.flip(x, axis=0)).sum()), None),
    "derivatives of elements": (jax.grad(lambda x: x[0, 1] * x[2, 3] + xp.cos(x[1, -1])), 0),
    "wide": (lambda x: xp.broadcast_to(xp.sum(x), (3, 4)) * x + xp.ones_like(x), 0),
    "row and column": (lambda x: xp.broadcast_to(x[0], (3, 4)) * xp.broadcast_to(x[:, :1], (3, 4)), 4),
    "same": (lambda x: x, 0),
    "constant": (lambda x: xp.ones(3), 0),
    "empty": (lambda x: x[:0] + 1, 2),
    "casts that change nothing": (lambda x: xp.asarray(xp.astype(x * 2, x.dtype)) + 1, 0),
    "functions of lax": (lambda x: lax.add(lax.square(x), x) - lax.neg(x), 0),
    "defaults": (lambda x: xp.mean(x, (1,), None, None, False, where=None) + 1, 0),
}


@for_each("name", BODIES)
def test_results_are_those_of_calls(name):
    body, calls = BODIES[name]
    program, (out,) = compiled(body, X)
    expected = body(X)
    assert out._node is expected._node
    assert np.array_equal(np.asarray(out), np.asarray(expected), equal_nan=True)
    assert not NATIVE or calls is None or program.calls == calls


M = np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32)
#: Composed functions, which are recorded by their parts, and how many of the parts are calls.
COMPOSED = {
    "relu": (lambda x: nn.relu(x) * nn.relu6(x), 0),
    "softmax": (lambda x: nn.softmax(x * 2) + nn.log_softmax(x, axis=0), 0),
    "masked": (lambda x: nn.softmax(x, where=x > 0), None),
    "norms": (lambda x: nn.standardize(x) + nn.logsumexp(x), None),
    "activations": (lambda x: nn.silu(x) + nn.elu(x) + nn.softplus(x) + nn.glu(x, 2)[..., :1], None),
    "product": (lambda x: lax.dot_general(x, x, (((2,), (2,)), ((0,), (0,)))), 2),
    "product of rows": (lambda x: lax.dot_general(x, x[0, 0] + 1, (((2,), (0,)), ((), ()))) * 2, 0),
    "product of columns": (lambda x: lax.dot_general(x + 1, x, (((0, 1), (0, 1)), ((), ()))), 3),
    "narrow": (lambda x: nn.softmax(x.astype(xp.bfloat16)), None),
    "narrow product": (lambda x: lax.batch_matmul(x.astype(xp.float16), xp.ones((2, 4, 5), dtype=xp.float16)), None),
    "windows": (lambda x: lax.reduce_window(x, -xp.inf, lax.max, (2, 2, 1), (1, 1, 1), "SAME") * 2, 0),
    "sums of windows": (lambda x: lax.reduce_window(-abs(x) * 0, 0.0, lax.add, (2, 2, 2), (1, 1, 1), "VALID"), 0),
    "products of windows": (
        lambda x: lax.reduce_window(x, 2.0, lax.mul, (1, 2, 2), None, "VALID", (1, 2, 1), (1, 1, 2)),
        None,
    ),
    "other windows": (lambda x: lax.reduce_window(x, 0.0, lambda a, b: a + b * b, (1, 2, 2)), 1),
    "within a product": (lambda x: xp.einsum("abc,adc->bad", x + 1, x) * 2, None),
}


@for_each("name", COMPOSED)
@for_each("turned", [False, True])
def test_composed_functions_are_recorded_by_their_parts(name, turned):
    body, calls = COMPOSED[name]
    x = xp.asarray(np.asfortranarray(M) if turned else M, copy=False)
    run, expected = jax.jit(body), body(x)
    for _ in range(4):
        out = run(x)
        assert out._node is expected._node
        assert np.asarray(out).tobytes() == np.asarray(expected).tobytes()
    program, _ = compiled(body, xp.asarray(M))
    assert not NATIVE or calls is None or program.calls == calls


def test_what_comes_in_another_order_is_learnt():
    counts = []

    @jax.jit
    def run(x):
        counts.append(1)
        return xp.einsum("ab,cb->ca", x, x + 1) * 2 + 1

    body, x = run.__wrapped__, xp.asarray(M[0])
    for _ in range(3):
        assert np.asarray(run(x)).tobytes() == np.asarray(body(x)).tobytes()

    @jax.jit
    def chain(x):
        counts.append(2)
        for _ in range(9):  # of which each turns the array
            x = xp.gradient(x)[0] * 2
        return x

    expected = chain.__wrapped__(x)
    for _ in range(3):  # recorded once, as in JAX, and known from the first call on
        assert np.asarray(chain(x)).tobytes() == np.asarray(expected).tobytes()
    assert counts.count(2) == 2
    steps = xp.zeros((3, 4)), xp.asarray(M)
    body = lambda c, x: (c + x, xp.moveaxis(xp.fft.fft(x, axis=0).real, 0, 1) * 2)
    with jax.disable_jit():
        expected = lax.scan(body, *steps)
    for _ in range(3):
        assert jax.tree.map(xp.array_equal, lax.scan(body, *steps), expected) == (True, True)


@pytest.mark.parametrize(("branches", "calls"), [
    ([lambda x: x * 2, lambda x: x - 1, lambda x: xp.ones_like(x)], None),
    ([lambda x: -x, lambda x: x], 0),
    ([lambda x: lax.cond(x[0] > 0, xp.sin, xp.cos, x), lambda x: x[::-1] * 1], None),
    ([lambda x: xp.sort(x), lambda x: x], 1),  # one branch alone is called
    ([lambda x: xp.broadcast_to(x, (200, 3)).sum(axis=0), lambda x: x], 1),
    ([lambda x: xp.full(3, xp.nan, dtype=x.dtype), lambda x: x / 0], None),
])  # fmt: skip
def test_choices_are_steps(branches, calls):
    x = xp.asarray([1.0, -2.0, 3.0])
    for index in range(-1, 4):
        i = xp.asarray(index, dtype=xp.int32)
        program, (out,) = compiled(lambda i, x: lax.switch(i, branches, x), i, x)
        expected = lax.switch(i, branches, x)
        assert out._node is expected._node
        assert np.asarray(out).tobytes() == np.asarray(expected).tobytes()
        assert not NATIVE or calls is None or program.calls == calls


def nested(step, first, **options):
    """Return a scan over rows, of which each is scanned."""
    return lambda x: lax.scan(lambda c, row: lax.scan(step, c, row, **options), first(x), x)


def sums(x):
    return lax.scan(lambda c, y: (c + y, c * 2), x[0], x)


def counted(x):
    return lax.fori_loop(0, 2, lambda i, c: lax.fori_loop(0, 3, lambda j, d: d.at[j, i].add(c[i, j] * i), c), x)


def halved(x):
    body = lambda c, y: (lax.while_loop(lambda d: d < 9, lambda d: d * 1.5 + y[0] ** 2 + 1, c) % 5, c)
    return lax.scan(body, x[0, 0], x)


def chosen(x):
    branches = [lambda y: y * 2, lambda y: y - 1, xp.ones_like]
    return lax.while_loop(lambda c: c[0] < 7, lambda c: (c[0] + 1, lax.switch(c[0] % 4 - 1, branches, c[1])), (0, x))


#: Loops and choices within loops and choices, and how many steps of their programs are calls.
NESTED = {
    "scan": (nested(lambda c, y: (c * 0.5 + y, c), lambda x: x[0, 0]), 0),
    "backwards": (nested(lambda c, y: (c - y, c), lambda x: x[0, 0], reverse=True), 0),
    "begins weak": (nested(lambda c, y: (c + y, c), lambda _: 1.5), 0),
    "swaps": (nested(lambda c, y: ((c[1], c[0] + y), y), lambda x: (x, x * 2)), 0),
    "unchanged": (nested(lambda c, y: ((c[0], c[1] + y), c[0]), lambda x: (x, x)), 0),
    "calls": (nested(lambda c, y: (c @ c.T @ c * 0.01, y + c.sum()), lambda x: x), 0),
    "another order": (nested(lambda c, y: (c + y, xp.fft.fft(xp.moveaxis(c, 0, 1), axis=0).real), lambda x: x), 1),
    "another order, carried": (
        lambda x: lax.fori_loop(
            0,
            3,
            lambda _, c: lax.fori_loop(0, 2, lambda _, c: xp.fft.fft(xp.moveaxis(c + 1, 0, 1), axis=0).real * 0.5, c),
            x[:, :3],
        ),
        None,
    ),
    "counts": (counted, 0),
    "while": (halved, 0),
    "switch": (chosen, None),  # of a remainder
    "cond": (lambda x: lax.scan(lambda c, y: (lax.cond(y[0] > 0, lambda c: sums(x)[0] + c, xp.sin, c), y), x[0], x), 0),
    "not used": (lambda x: (sums(x), lax.cond(x[0, 0] > 0, lambda: 1, lambda: 2), x)[2], None),
    "jitted": (lambda x: lax.map(lambda y: jax.jit(lambda z: lax.map(lambda e: e * 2, z))(y), x), 0),
    "derivatives": (jax.grad(lambda x: nested(lambda c, y: (xp.sin(c) * y, c), lambda _: 1.0)(x)[0]), None),
}


@for_each("name", NESTED)
def test_loops_and_choices_are_steps(name):
    body, calls = NESTED[name]
    with jax.disable_jit():
        expected, tree = jax.tree.flatten(body(X))
    program, _ = compiled(lambda x: jax.tree.leaves(body(x)), X)
    assert not NATIVE or calls is None or program.calls == calls
    jitted = jax.jit(body)
    for _ in range(3):  # recorded, maybe called as arrays lie in another order, and run
        out, found = jax.tree.flatten(jitted(X))
        assert found == tree
        for a, b in zip(out, expected, strict=True):
            assert (a.dtype, a.weak_type, a.shape) == (b.dtype, b.weak_type, b.shape)
            assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_calls_of_python_are_made_once_before_loops_in_another_order(capsys):
    @jax.jit
    def f(x):
        jax.debug.print("{}", x[0, 0])
        return lax.scan(lambda c, y: (xp.fft.fft(xp.moveaxis(c, 0, 1), axis=0).real, y), x, x)

    x = xp.asarray(np.arange(9, dtype=np.float32).reshape(3, 3))
    for _ in range(3):
        f(x)
    assert capsys.readouterr().out == "0.0\n" * 3


def test_trees_without_derivatives():
    function = lambda x: lax.stop_gradient((x * 2, None))[0] + lax.stop_gradient(x)
    assert np.array_equal(jax.jit(function)(X), function(X))


def test_operands_are_not_written_to():
    x = xp.asarray(np.arange(3, dtype=np.float32))
    _, (same, more) = compiled(lambda x: (x, x * 2), x)
    same[0] = 7
    assert x[1] == 1
    assert more.tolist() == [0, 2, 4]


@for_each("body", [
    lambda c, x: ((c[1], c[0] + x), c[0]),
    lambda c, x: ((c[1], c[0]), x),
    lambda c, x: ((c[0], c[0] * 2), (c[1], x)),
    lambda c, x: ((c[1][::-1], c[0] * x), c[1]),
    lambda c, x: ((xp.reshape(c[1], (3,)), c[0]), xp.sum(c[0])),
    lambda c, x: ((c[0] + 1, xp.ones(3)), (1, True, c[0])),
    lambda c, x: ((xp.sort(c[1]), c[0] - x), xp.max(c[1])),
])  # fmt: skip
@for_each("reverse", [False, True])
def test_carries(body, reverse):
    first = xp.arange(3.0), xp.asarray([3.0, 1, 2])
    rows = xp.arange(12.0).reshape(4, 3)
    out = lax.scan(body, first, rows, reverse=reverse)
    with jax.disable_jit():
        expected = lax.scan(body, first, rows, reverse=reverse)
    leaves, wanted = (jax.tree.leaves(x) for x in (out, expected))
    assert [(x.tolist(), x.dtype, x.weak_type) for x in leaves] == [(x.tolist(), x.dtype, x.weak_type) for x in wanted]


def test_columns_in_another_order_are_computed_step_by_step():
    rows = xp.asarray(np.asfortranarray(np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)))
    total, parts = lax.scan(lambda c, x: (c + xp.sum(x), xp.sin(x)), 0.0, rows)
    assert np.allclose(total, np.asarray(rows).sum(), rtol=1e-5)
    assert (np.asarray(parts) == np.asarray(xp.sin(rows))).all()


BIG = np.linspace(-2, 2, 3 * 10**5, dtype=np.float32).reshape(3, -1)


@for_each("body, calls", [
    (lambda x: x * 2 + 1, 1),  # one chain
    (lambda x: xp.sin(x) * x[0, 0] - xp.exp(x) / 3, 2),
    (lambda x: (x > 0) & (x * x < 2), 1),
    (lambda x: x.astype(xp.bfloat16) * 2 + 1, 2),
    (lambda x: (x + 1).astype(xp.int32) * 3 + x, 3),
    (lambda x: x * 2 + xp.sum(x * 2), 3),
    (lambda x: xp.sin(x.T) * 2, 3),  # in another order
    (lambda x: (x[1:] * 2 + 1) * x[0], 4),
])  # fmt: skip
def test_large_arrays_are_computed_block_by_block(body, calls):
    x = xp.asarray(BIG)
    program, (out,) = compiled(body, x)
    expected = body(x)
    assert out._node is expected._node
    assert (out == expected).all()
    assert not NATIVE or program.calls <= calls


@pytest.mark.parametrize("change", [np.asfortranarray, lambda a: a[::-1], lambda a: np.repeat(a, 2, axis=1)[:, ::2]])
def test_chains_of_arrays_that_lie_otherwise(change):
    def body(x):
        return xp.sin(x) * 2 + x, x * x

    x = xp.asarray(BIG)
    program, _ = compiled(body, x)
    other = xp.asarray(change(BIG), copy=False)
    assert [(a == b).all() for a, b in zip(program.run((other,)), body(other), strict=True)] == [True, True]


def test_a_chain_is_the_same_for_any_number_of_threads():
    @jax.jit
    def body(x):
        return xp.tanh(xp.sin(x) * 3 + x) / 7

    x, found = xp.asarray(np.linspace(-9, 9, 10**6 + 7, dtype=np.float32)), []
    before = xp.config.threads
    try:
        for threads in (1, 2, 3):
            xp.config.update("threads", threads)
            found.append(np.asarray(body(x)).tobytes())
    finally:
        xp.config.update("threads", before)
    with jax.disable_jit():
        assert found == [np.asarray(body(x)).tobytes()] * 3


def _of_arithmetic(x, y, number):
    """Return arithmetic of what was computed last, of what is used later, and of numbers on both sides."""
    first = (3 - x * 2) / y
    second = 0.5 / (number - first) * first
    third = second * second - (x - y) - xp.square(x)
    fourth = (third + third) / (third - 7) * number
    return first, xp.abs(fourth) + x * y * third, (x + second) - (x + second), xp.sin(fourth) * 2 - y + first * 3


@for_each("dtype", [np.float32, np.float64])
@for_each("size", [33_000, 50_003, 300_001])
@for_each("first", [0, 1])
@for_each("level", levels())
def test_arithmetic_in_registers_has_the_bits_of_calls(level, first, size, dtype):
    """First bytes of arrays may be anywhere in a line of the cache, and special numbers in vectors and behind them."""
    draw = np.random.default_rng(size)
    arrays = [draw.normal(size=size + 1).astype(dtype) for _ in range(2)]
    for array in arrays:
        array[draw.integers(0, size, 40)] = np.resize(np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-40], dtype), 40)
        array[-3:] = [np.inf, np.nan, -0.0]
    with jax.enable_x64(True):
        given = [*[xp.asarray(array[first : size + first], copy=False) for array in arrays], xp.asarray(dtype(1.7))]
        for body in (_of_arithmetic, lambda *args: _of_arithmetic(*args)[0], lambda *args: _of_arithmetic(*args)[2]):
            before = native.set_level(level)
            try:
                found = jax.jit(body)(*given)
            finally:
                native.set_level(before)
            for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(body(*given)), strict=True):
                x, y = np.asarray(a), np.asarray(b)
                assert x.dtype == y.dtype == dtype
                assert np.array_equal(x, y, equal_nan=True)
                assert np.array_equal(np.signbit(x[x == 0]), np.signbit(y[y == 0]))


def test_calls_share_the_array_of_a_value():
    x = np.random.default_rng(0).normal(size=(33, 7)) * (1 + 0.3j)

    def of_one(y):
        return y @ y.T

    square = jax.jit(lambda x: of_one(xp.positive(x)))
    with xp.config.use(x64="on"):
        found = square(x).tobytes()
        with jax.disable_jit():
            assert square(x).tobytes() == found


@for_each("test", [True, False, [True, False, True]])
@for_each(
    "x", [0.1, 7, True, 1 + 2j, 1e30, -0.0, "weak", "float32", "bfloat16", "int8", "uint32", "int4", "complex64", "bool"]
)
@for_each("y", [0.1, 300, False, 2j, "float32", "float16", "int32", "uint8", "weak"])
def test_selections_are_those_of_calls(test, x, y):
    def operand(z):
        if type(z) is not str:
            return z
        return xp.asarray(0.3) if z == "weak" else xp.asarray([0, 1.6, -3]).astype(z)

    def body(test, z):
        return xp.where(test, *[operand(one) if type(one) is not str or one == "weak" else z[one] for one in (x, y)])

    arrays = {one: operand(one) for one in (x, y) if type(one) is str and one != "weak"}
    run = jax.jit(body)
    for function in (run, run, lambda test, z: lax.fori_loop(0, 2, lambda i, _: body(test, z), body(test, z))):
        with jax.disable_jit():
            expected = outcome(function, xp.asarray(test), arrays)
        assert outcome(function, xp.asarray(test), arrays) == expected


def outcome(function, *args):
    """Return the dtype, shape and elements of a result, or the type of the error."""
    try:
        out = function(*args)
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)
    return out.node.name, out.shape, out.tobytes()


@for_each(
    ("function", "wanted"),
    [
        (lambda x: xp.array([1, x]), [1.0, 3.0]),
        (lambda x: xp.array([x, 0]), [3.0, 0.0]),
        (lambda x: xp.asarray([[x], [2]]), [[3.0], [2.0]]),
        (lambda x: xp.asarray([x, x]), [3.0, 3.0]),
        (lambda x: xp.asarray(x), 3.0),
        (lambda x: (x + 0.75).astype("int32"), 3),
        (lambda x: (x * 1e9).astype("int8"), 127),
        (lambda x: x.astype("bool"), True),
        (lambda x: x.view("int32"), 0x40400000),
        (lambda x: jax.lax.bitcast_convert_type(x, "int32"), 0x40400000),
    ],
)
def test_what_casts_bits_or_lists_is_no_cast_of_values(function, wanted):
    x = xp.asarray(3.0, dtype="float32")
    for call in (function, lambda x: function(x * 1), lambda x: function(x) * 1):  # as inner and last step
        assert jax.jit(call)(x).tolist() == wanted


@for_each("shape", [(2, 3), (300, 300)], identity=str)
def test_results_of_casts_that_change_nothing_are_arrays_of_their_own(shape):
    @jax.jit
    def casts(x):
        y = xp.tanh(x)
        copies = xp.astype(y, x.dtype), xp.astype(y, x.dtype), xp.astype(x, x.dtype), y, xp.astype(xp.sin(x), x.dtype)
        return *copies, xp.astype(x[1:], x.dtype), xp.astype(x.T, x.dtype)

    x = xp.ones(shape, dtype="float32")
    wanted = [*[float(xp.tanh(x[0, 0]))] * 2, 1.0, float(xp.tanh(x[0, 0])), float(xp.sin(x[0, 0])), 1.0, 1.0]
    for _ in range(2):
        found = casts(x)
        assert [float(one[0, 1]) for one in found] == wanted
        pairs = itertools.combinations((x, *found), 2)
        assert not any(np.shares_memory(np.asarray(a), np.asarray(b)) for a, b in pairs)
