"""Loops whose bodies are recorded once, and what is called for each step."""

import gc
import threading
import weakref

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax

ROWS = np.arange(6.0, dtype=np.float32).reshape(3, 2)


def counted(body):
    """Return a body that counts its calls, and the list of them."""
    calls = []

    def counting(*args):
        calls.append(args)
        return body(*args)

    return counting, calls


LOOPS = {
    "scan": lambda body: lax.scan(lambda c, x: (body(c), x), xp.ones(2), xp.asarray(ROWS))[0],
    "fori_loop": lambda body: lax.fori_loop(0, 5, lambda _, c: body(c), xp.ones(2)),
    "while_loop": lambda body: lax.while_loop(lambda c: c[0] < 100, body, xp.ones(2)),
    "map": lambda body: lax.map(body, xp.asarray(ROWS)),
}


@pytest.mark.parametrize("how", [lambda f: f, jax.jit, jax.vmap, lambda f: jax.jit(jax.vmap(f))])
@pytest.mark.parametrize("name", LOOPS)
def test_results_are_as_weak_as_the_body_returns_them(name, how):
    carries = []

    def body(c):
        carries.append(c.weak_type)
        return xp.where(c > 0, 1000.0, 0.0)

    out = how(lambda _: LOOPS[name](body))(xp.ones(2))
    assert (out.weak_type, {*carries}) == (True, {False})  # as in JAX: steps take what the first one takes
    assert (out * xp.ones((), "bfloat16")).dtype == "bfloat16"


@pytest.mark.parametrize("name", LOOPS)
def test_a_body_is_called_once(name):
    body, calls = counted(lambda c: c * 2 + 1)
    out = LOOPS[name](body)
    assert len(calls) == 1
    with jax.disable_jit():
        assert LOOPS[name](body).tolist() == out.tolist()
    assert len(calls) > 3


@pytest.mark.parametrize("name", LOOPS)
def test_a_body_that_needs_values_is_called_for_each_step(name):
    def body(c):
        return c * 2 if c[0] >= 0 else c

    out = LOOPS[name](body)
    with jax.disable_jit():
        assert LOOPS[name](body).tolist() == out.tolist()


def test_carries_that_become_strong_are_recorded():
    body, calls = counted(lambda c, x: (c + x, c * xp.ones((), dtype="bfloat16")))
    last, ys = lax.scan(body, 0.0, xp.arange(3.0))
    assert (last, last.weak_type, ys.dtype, len(calls)) == (3, False, "bfloat16", 1)  # as with JAX
    out = lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + xp.int32(1), c[1]), (0, 0.0))
    assert [(x.item(), x.weak_type) for x in out] == [(5, False), (0, True)]


def test_what_cannot_be_recorded_is_called_for_each_step():
    def other(c, x):
        with xp.config.use(promotion="numpy"):
            return (c.astype("float32") + xp.asarray(1, dtype="int32") * x).astype("float32"), x

    assert lax.scan(other, 1.0, xp.arange(3))[0] == 4


def test_watchers_see_every_step():
    def body(i, c):
        return c + xp.asarray(1, dtype=xp.int8)

    with xp.trace_promotions() as seen:
        lax.fori_loop(0, 3, body, xp.ones(2))
    assert [(record.operation, record.count) for record in seen] == [("add", 3)]


def test_errors_of_a_body_are_its_own():
    def body(c, x):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        lax.scan(body, 1.0, xp.arange(3))
    with pytest.raises(TypeError, match="carry"):
        lax.scan(lambda c, x: ((c, c), x), 1.0, xp.arange(3))


def test_a_body_that_refers_to_other_arrays_is_recorded_again():
    factor = xp.asarray(2.0)

    def body(c, x):
        return c * factor, x

    assert lax.scan(body, 1.0, xp.arange(3))[0] == 8
    factor = xp.asarray(3.0)
    assert lax.scan(body, 1.0, xp.arange(3))[0] == 27
    factor[()] = 4.0
    assert lax.scan(body, 1.0, xp.arange(3))[0] == 64


def test_settings_have_programs_of_their_own():
    def body(c, x):
        return c + xp.ones(()), x

    with xp.enable_x64(True):
        assert lax.scan(body, xp.asarray(1.0, dtype=xp.float64), xp.arange(3))[0].dtype == xp.float64
    assert lax.scan(body, xp.asarray(1.0, dtype=xp.float32), xp.arange(3))[0].dtype == xp.float32


def test_what_is_recorded_goes_with_the_body():
    def make():
        array = xp.ones(1000)

        def body(c, x):
            return c + array[0], x

        lax.scan(body, 1.0, xp.arange(3))
        return weakref.ref(body), weakref.ref(array)

    found = make()
    gc.collect()
    assert [ref() for ref in found] == [None, None]


def test_loops_within_loops():
    def inner(c, x):
        return c + x, c * x

    def body(c, x):
        last, parts = lax.scan(inner, c, xp.arange(4.0))
        return lax.fori_loop(0, 3, lambda i, y: y + i, last), xp.sum(parts) + x

    def numbers(x):
        return [y.tolist() for y in jax.tree.leaves(x)]

    out = lax.scan(body, 1.0, xp.arange(3.0))
    with jax.disable_jit():
        assert numbers(lax.scan(body, 1.0, xp.arange(3.0))) == numbers(out)


def test_random_numbers_in_a_loop():
    def body(key, _):
        key, one = jax.random.split(key)
        return key, jax.random.normal(one, (3,))

    first = jax.random.key(7)
    out = lax.scan(body, first, None, length=4)[1]
    with jax.disable_jit():
        assert (lax.scan(body, first, None, length=4)[1] == out).all()


def test_transformations_and_loops():
    def f(x):
        return lax.fori_loop(0, 3, lambda i, c: xp.sin(c) * x, x)

    assert xp.allclose(jax.grad(f)(0.5), (f(0.5 + 1e-2) - f(0.5 - 1e-2)) / 2e-2, rtol=1e-2)
    assert xp.allclose(jax.vmap(f)(xp.arange(3.0)), xp.stack([f(x) for x in xp.arange(3.0)]))


def test_threads_record_and_run():
    def body(c, x):
        return c + x, c

    out = [None] * 8

    def run(i):
        out[i] = float(lax.scan(body, float(i), xp.arange(100.0))[0])

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(out))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == [4950 + i for i in range(len(out))]


@pytest.mark.parametrize("weak_first", [False, True])
def test_a_choice_in_a_program_has_the_dtype_of_its_first_branch(weak_first):
    """As in JAX, where ``cond`` has the false branch first."""
    branches = [lambda v: v, lambda _: xp.asarray(3, dtype=xp.int32)][:: 1 if weak_first else -1]
    assert jax.jit(lambda i: lax.switch(i, branches, 7))(0).weak_type is weak_first
    assert jax.jit(lambda p: lax.cond(p, *branches[::-1], 7))(True).weak_type is weak_first


def test_one_branch_of_a_recorded_choice_is_run():
    def body(c, x):
        return lax.cond(x < 2, lambda v: lax.while_loop(lambda w: w[0] < 100, lambda w: w * 2, v), lambda v: v * 0, c), x

    out = lax.scan(body, xp.asarray([3.0, 1]), xp.arange(4))[0]  # a loop over zeros would not end
    assert out.tolist() == [0, 0]
    assert lax.scan(lambda c, i: (lax.switch(i, [lambda v: v + 1, lambda v: v * 5], c), i), 1.0, xp.arange(4))[0] == 250


def loss(weights, x):
    for w, b in weights:
        x = xp.tanh(x @ w + b)
    return xp.mean(x * x)


def recurrent(w, xs):
    return xp.sum(lax.scan(lambda h, x: (xp.tanh(h @ w + x), h), xp.zeros(3), xs)[1])


DRAW = np.random.default_rng(0).normal
WEIGHTS = [(DRAW(size=(3, 3)).astype(np.float32), np.zeros(3, np.float32)) for _ in range(2)]
TRANSFORMED = {
    "grad": (jax.value_and_grad(loss), (WEIGHTS, DRAW(size=(4, 3)).astype(np.float32))),
    "grad of a scan": (jax.grad(recurrent), (WEIGHTS[0][0], DRAW(size=(5, 3)).astype(np.float32))),
    "hessian": (jax.hessian(lambda x: xp.sum(xp.sin(x) ** 2)), (np.arange(3, dtype=np.float32),)),
    "vmap": (jax.vmap(lambda x: xp.tanh(x @ WEIGHTS[0][0])), (np.ones((4, 3), np.float32),)),
    "vmap of grad": (jax.vmap(jax.grad(lambda x: xp.sum(xp.cos(x) * x))), (DRAW(size=(4, 3)).astype(np.float32),)),
    "jvp": (lambda x: jax.jvp(xp.exp, (x,), (x,)), (np.float32(0.5),)),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformed_functions_are_recorded(name):
    function, operands = TRANSFORMED[name]
    counting, calls = counted(function)
    jitted = jax.jit(counting)
    first, second = jitted(*operands), jitted(*operands)
    assert len(calls) == 1
    with jax.disable_jit():
        expected = jitted(*operands)
    for x, y, z in zip(*map(jax.tree.leaves, (first, second, expected)), strict=True):
        assert x._node is y._node is z._node
        assert (x == z).all()
        assert (y == z).all()


def test_signatures():
    calls = []

    def counting(x, n, *, scale=1):
        calls.append(x)
        return x * n * scale

    jitted = jax.jit(counting, static_argnums=1, static_argnames="scale")
    assert [float(jitted(x, n, scale=k)) for x, n, k in [(2.0, 3, 1), (3.0, 3, 1), (2.0, 4, 1), (2.0, 3, 5)]] == [6, 9, 8, 30]
    assert len(calls) == 3
    assert jitted(xp.ones(2), 2).tolist() == [2, 2]
    assert (len(calls), jitted._cache_size()) == (4, 4)
    jitted.clear_cache()
    assert (float(jitted(2.0, 3)), len(calls), jitted._cache_size()) == (6, 5, 1)


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: x * 2 if x > 0 else -x, "TracerBoolConversionError"),
        (lambda x: [1, 2, 3][x.astype("int32")], "TracerIntegerConversionError"),
        (lambda x: np.asarray(x), "TracerArrayConversionError"),
        (lambda x: float(x), "ConcretizationTypeError"),
        (lambda x: x.item(), "ConcretizationTypeError"),
        (lambda x: jax.grad(lambda y: y if y > 0 else -y)(x), "TracerBoolConversionError"),
        (lambda x: lax.scan(lambda c, y: (c if c > 0 else -c, y), x, xp.ones(3)), "TracerBoolConversionError"),
    ],
)
def test_jitted_functions_that_need_values_raise_jaxs_errors(function, error):
    jitted = jax.jit(function)
    for _ in range(2):
        with pytest.raises(getattr(jax.errors, error), match=r"call the function within jax\.disable_jit"):
            jitted(1.0)
    if error != "TracerArrayConversionError":
        with jax.disable_jit():
            jitted(xp.asarray(1.0))


_SET_FUNCTIONS = ("union1d", "intersect1d", "setdiff1d", "setxor1d")
_OF_ELEMENTS = ("nonzero", "flatnonzero", "argwhere", "where", "unique", "unique_values", "unique_counts", "trim_zeros")
_LENGTHS = {
    "arange": lambda i: jax.numpy.arange(i),
    "linspace": lambda i: jax.numpy.linspace(0, 1, i),
    "indices": lambda i: jax.numpy.indices((i, 2)),
    "repeat": lambda i: jax.numpy.repeat(jax.numpy.ones(3), i),
    "pad": lambda i: jax.numpy.pad(jax.numpy.ones(3), i),
    "one_hot": lambda i: jax.nn.one_hot(jax.numpy.arange(3), i),
    "permutation": lambda i: jax.random.permutation(jax.random.key(0), i),
    "segment_sum": lambda i: jax.ops.segment_sum(jax.numpy.ones(3), jax.numpy.arange(3), i),
    "expand_dims": lambda i: jax.numpy.expand_dims(jax.numpy.ones(3), i),
}


@for_each("name", [*_OF_ELEMENTS, *_SET_FUNCTIONS, "bincount", *_LENGTHS])
def test_jitted_functions_whose_shapes_depend_on_elements_raise_jaxs_error(name):
    """The class is that of JAX 0.10.2."""
    x = xp.asarray([0, 1, 0, 2])
    if name in _LENGTHS:
        function, x = _LENGTHS[name], x[1]
    elif name in _SET_FUNCTIONS:
        function = lambda x: getattr(jax.numpy, name)(x, x)
    else:
        function = getattr(jax.numpy, name)
    jitted = jax.jit(function)
    for _ in range(2):
        with pytest.raises(jax.errors.ConcretizationTypeError):
            jitted(x)
    with jax.disable_jit():
        jitted(x)


def test_jitted_functions_refuse_arrays_of_conditions_as_indices():
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
        jax.jit(lambda x: x[x > 0])(xp.asarray([0, 1]))


def test_jitted_functions_make_arrays_of_static_shapes():
    assert jax.jit(lambda: jax.numpy.arange(4))().tolist() == [0, 1, 2, 3]
    assert jax.jit(lambda x: jax.numpy.nonzero(x, size=3)[0])(xp.asarray([0, 1, 0, 2])).tolist() == [1, 3, 0]
    assert jax.jit(lambda x, n: x * jax.numpy.arange(n), static_argnums=1)(2, 3).tolist() == [0, 2, 4]


@pytest.mark.parametrize("reverse", [False, True])
def test_an_associative_scan_is_recorded_once(reverse):
    combine, calls = counted(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]))
    x = xp.linspace(-1, 1, 37, dtype="float32")
    given = [xp.stack([x, x + 1]), xp.stack([x - 1, x])]
    first = lax.associative_scan(combine, given, reverse, axis=1)
    number = len(calls)
    again = lax.associative_scan(combine, [g * 2 for g in given], reverse, axis=1)
    assert len(calls) == number == 10  # as with JAX: two for each halving
    with jax.disable_jit():
        for found, arrays in ((first, given), (again, [g * 2 for g in given])):
            expected = lax.associative_scan(combine, arrays, reverse, axis=1)
            assert all((f == e).all() for f, e in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", ["set", "add", "multiply", "min", "power"])
def test_updates_in_programs(name):
    def update(x, i, v):
        return getattr(x.at[i], name)(v, mode="drop") * 2

    x, v = xp.arange(1.0, 6), xp.asarray([2.0, 3.0])
    for i in (xp.asarray([1, 3]), xp.asarray([0, 9])):
        with jax.disable_jit():
            expected = update(x, i, v)
        assert jax.jit(update)(x, i, v).tolist() == expected.tolist()


def test_operands_that_outlive_their_function_are_refused():
    kept = []
    jax.jit(kept.append)(1.0)
    with pytest.raises(jax.errors.UnexpectedTracerError, match="used after the call"):
        kept[0] + 1


def test_arrays_in_another_order():
    jitted = jax.jit(lambda x: xp.sin(x) * 2 + xp.sum(x, axis=0))
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for layout in (x, np.asfortranarray(x), x[::-1], x.T.copy().T, np.repeat(x, 2, axis=1)[:, ::2]):
        with jax.disable_jit():
            expected = jitted(xp.asarray(layout, copy=False))
        assert (jitted(xp.asarray(layout, copy=False)) == expected).all()


@pytest.mark.parametrize("size", [3, 200])  # of what the engine's memory has, and of larger arrays
def test_carries_in_another_order_are_recorded(size):
    x = xp.asarray(np.arange(size * size, dtype=np.float32).reshape(size, size)).T
    body = lambda c, _: (xp.cos(c.T) + xp.sum(c), c.T)
    counts = []

    def counted(c, row):
        counts.append(1)
        return body(c, row)

    run = jax.jit(lambda x: lax.scan(counted, x, None, length=4))
    with jax.disable_jit():
        expected = lax.scan(body, x, None, length=4)
    for _ in range(3):
        found = run(x)
        assert all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in zip(found, expected, strict=True))
    assert len(counts) == 1


@pytest.mark.parametrize("number", [1, 2])
def test_operands_in_another_order_are_carried_as_they_are(number):
    given = [xp.asarray(x) for x in (ROWS[::-1], np.asfortranarray(ROWS + 1), ROWS[:, ::-1])]

    def body(i, c):
        x, y = c
        return (given[0], x) if i is None else (given[1], xp.negative(x) + y)

    for loop in (
        lambda: lax.fori_loop(0, number, body, (xp.ones((3, 2)), given[2])),
        lambda: lax.while_loop(
            lambda c: c[0] < number, lambda c: (c[0] + 1, body(None, c[1])), (0, (xp.ones((3, 2)), given[2]))
        ),
        lambda: lax.while_loop(
            lambda c: c[0] < number, lambda c: (c[0] + 1, (given[0], xp.negative(c[1][0]))), (0, (xp.ones((3, 2)),) * 2)
        ),
    ):
        found = [x.tolist() for x in jax.tree.leaves(loop())]
        with jax.disable_jit():
            assert [x.tolist() for x in jax.tree.leaves(loop())] == found


def test_calls_in_branches_that_are_not_taken_are_not_made():
    x, i = xp.asarray(ROWS), xp.asarray(7)

    def loop(choice):
        return lax.map(lambda _: lax.cond(choice, lambda: x[i, 0], lambda: x[0, 0]), xp.arange(2))

    def nested(choice):
        return jax.jit(lambda x, i: lax.cond(choice, lambda: x[i, 0], lambda: x[0, 0]))(x, i)

    recorded = jax.make_jaxpr(lambda x, i: lax.cond(i > 1, lambda: x[i, 0], lambda: x[1, 0]))(x, i)
    assert [eqn.primitive.name for eqn in recorded.eqns] == ["greater", "lax.convert_element_type", "cond"]
    for function in (loop, nested):
        assert xp.all(function(xp.asarray(False)) == 0)
        with pytest.raises(IndexError, match="out of bounds"):
            function(xp.asarray(True))


def test_loops_refer_to_operands_of_programs_around_them():
    def body(c, x):
        inner = lax.fori_loop(0, 2, lambda i, y: lax.cond(x > 1, lambda z: z + x, lambda z: z * c, y), c)
        return inner, lax.while_loop(lambda y: y < c, lambda y: y + x + 1, x)

    closed = jax.make_jaxpr(lambda xs: lax.scan(body, 1.0, xs))(xp.arange(3.0))
    assert "where" not in str(closed)
    found = [x.tolist() for x in lax.scan(body, 1.0, xp.arange(3.0))]
    with jax.disable_jit():
        assert [x.tolist() for x in lax.scan(body, 1.0, xp.arange(3.0))] == found


@pytest.mark.parametrize("shape", [(), (3,), (200_000,)])
def test_results_that_are_constants_are_new_arrays(shape):
    jitted = jax.jit(lambda x: (xp.ones(shape), x, xp.zeros_like(x)))
    loop = lambda: lax.scan(lambda c, _: (xp.ones(shape), xp.ones(shape)), xp.zeros(shape), None, length=2)
    for _ in range(3):
        ones, x, zeros = jitted(xp.asarray(2.0))
        last, rows = loop()
        assert [float(y.sum() / y.size) for y in (ones, last, rows)] == [1, 1, 1]
        assert (float(x), float(zeros)) == (2, 0)
        for y in (ones, last, rows, zeros):
            y[...] = 7


def test_static_arguments_are_compared():
    class Odd:
        def __hash__(self):
            return hash(1)

        def __eq__(self, other):
            raise NotImplementedError("odd")

    jitted = jax.jit(lambda x, _: x + 3, static_argnums=1)
    jitted(1, 1)
    with pytest.raises(ValueError, match="static arguments should be comparable"):
        jitted(1, Odd())
    with jax.disable_jit():
        assert jitted(1, Odd()) == 4  # as in JAX, which only calls the function


def test_static_arguments_of_other_types_are_others():
    jitted = jax.jit(lambda x, n: x if n is True else x + n, static_argnums=1)
    assert [jitted(1, n).item() for n in (1, True, 1.0)] == [2, 1, 2]


def test_programs_depend_on_the_axes_in_force():
    def body(c, _):
        return c + lax.psum(1, "i"), None

    def f(x):
        return lax.scan(body, x, None, length=1)[0]

    jitted = jax.jit(f)
    for size in (2, 3):
        for function in (f, jitted):
            out = jax.vmap(lambda x, function=function: function(0) + x, axis_name="i")(xp.zeros(size, dtype="int32"))
            assert out.tolist() == [size] * size


def test_functions_that_are_returned_may_be_called():
    linearized = jax.jit(lambda f, x: jax.linearize(f, x)[1], static_argnums=0)(lambda x: 2.0 * x, 1.0)
    assert jax.jit(lambda f, x: f(x))(linearized, 3.0) == 6


def test_recording_leaves_no_cycles():
    def double(x):
        return lambda: x * 2

    x = xp.ones(10)
    held = weakref.ref(x)
    jitted = jax.jit(double(x))
    gc.collect()
    gc.disable()
    try:
        jitted()
        del x, jitted
        assert held() is None
    finally:
        gc.enable()


def test_a_loop_that_is_not_recorded_widens_its_carry():
    ref = jax.new_ref(2)
    assert lax.while_loop(lambda c: c[0] < ref[...], lambda c: (c[0] + 1.0, c[1]), (0, 1))[0] == 2


def test_the_number_of_a_step_is_weak_where_the_lower_bound_is():
    """As in JAX 0.10.2, unless the bounds have different dtypes."""
    count = lambda n: lax.fori_loop(0, n, lambda i, total: total + i, xp.uint8(0))
    for n in (xp.int32(3), xp.asarray([1, 3], dtype="int32")):
        for transform in (jax.vmap,) if n.ndim else (jax.jit, lambda f: f):
            found = transform(count)(n)
            assert found.dtype == "uint8"
            assert found.tolist() == ([0, 3] if n.ndim else 3)


def test_ranks_are_checked_while_functions_are_recorded():
    calls = []

    @jax.jit
    def add(x, y):
        calls.append(x.shape)
        return x + y

    with xp.config.use(jax_numpy_rank_promotion="raise"):
        for _ in range(2):
            assert xp.array_equal(add(xp.ones(2), xp.ones(2)), xp.ones(2) * 2)
            with pytest.raises(ValueError, match="differ in their number of axes"):
                add(xp.ones((2, 2)), xp.ones(2))
        with pytest.raises(ValueError, match="differ in their number of axes"):
            lax.fori_loop(0, 3, lambda _, x: x + xp.ones(2), xp.ones((2, 2)))
    assert calls.count((2,)) == 1


def test_numbers_of_steps_are_known_and_empty_conditions_have_no_truth_value():
    for name in ("length", "unroll"):
        with pytest.raises(jax.errors.ConcretizationTypeError, match=f"The `{name}` argument to `scan` expects a concrete"):
            jax.jit(lambda n, x, name=name: lax.scan(lambda c, z: (c, z), x, (), **{"length": 3, name: n}))(2, 1.0)
    with pytest.raises(ValueError, match="The truth value of an empty array is ambiguous"):
        jax.jit(bool)(xp.arange(0))
    with pytest.raises(TypeError, match="Only scalar arrays can be converted to Python scalars"):
        jax.jit(int)(xp.arange(2))


def test_jitted_functions_of_operands_in_closures_are_called_once():
    """The values, and how often the body is called, are those of JAX."""
    calls = []

    @jax.custom_jvp
    def ruled(x):
        return xp.sin(x)

    ruled.defjvp(lambda primals, tangents: (ruled(*primals), 100.0 * tangents[0]))

    def program(x, hold=lambda x: [x]):
        held = hold(x)

        @jax.jit
        def inner(y):
            calls.append(None)
            return ruled(x) * y + xp.exp(held.pop()[...]).sum()

        return inner(xp.float32(2.0)).sum()

    def with_reference(x):
        return program(x, lambda x: [jax.new_ref(x)])

    x, e = xp.ones(2, dtype="float32"), np.exp(1)
    slope = 200 + 2 * e
    transformed = {
        "grad": (jax.grad(program)(x), np.full(2, slope)),
        "grad, of a reference": (jax.grad(with_reference)(x), np.full(2, slope)),
        "jvp": (jax.jvp(program, (x,), (x,))[1], 2 * slope),
        "hessian": (jax.hessian(program)(x), 2 * e * np.eye(2)),
        "vmap": (jax.vmap(program)(xp.ones((3, 2))), np.full(3, 4 * np.sin(1) + 4 * e)),
        "vmap of grad": (jax.vmap(jax.grad(program))(xp.ones((3, 2))), np.full((3, 2), slope)),
    }
    assert len(calls) == len(transformed)
    for name, (found, expected) in transformed.items():
        np.testing.assert_allclose(found, expected, rtol=1e-6, err_msg=name)
