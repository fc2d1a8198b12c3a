"""Functions that are called back, with the results and the refusals of JAX 0.10.2."""

import io
from functools import partial

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax.experimental import io_callback

FLOAT = jax.ShapeDtypeStruct((), "float32")


def sine(x):
    return np.sin(x)


def test_results_have_the_declared_types():
    declared = {"a": jax.ShapeDtypeStruct((2,), "float32"), "b": (FLOAT,)}

    def callback(x, *, y):
        return {"a": np.asarray(x) * y, "b": (2.0,)}

    for how in (lambda f: f, jax.jit):
        found = how(lambda x: jax.pure_callback(callback, declared, x, y=2.0))(xp.ones(2))
        assert (found["a"].tolist(), found["a"].dtype, found["b"][0], found["b"][0].weak_type) == ([2, 2], "float32", 2, False)


def test_breakpoints_are_where_a_program_runs(monkeypatch, capsys):
    """As in JAX: not in the branch that is not taken, and in each call."""

    @jax.jit
    def program(x):
        jax.lax.cond(xp.isfinite(x), lambda: None, jax.debug.breakpoint)
        return 2 * x

    monkeypatch.setattr("sys.stdin", io.StringIO("c\n" * 9))
    stops = []
    for x in (1.0, np.inf, np.inf, 2.0):
        assert program(x) == 2 * x
        stops.append(capsys.readouterr().out.count("(Pdb)"))
    assert stops == [0, 1, 1, 0]


@pytest.mark.parametrize("policy", [None, jax.checkpoint_policies.dots_saveable])
def test_callbacks_of_checkpointed_functions(policy):
    """As in JAX 0.10.2: effects are refused where the function is called again, and constants are passed on."""
    calls = []

    def program(callback, x):
        return xp.sin(x) * callback(lambda v: calls.append(1) or 2 * np.asarray(v), FLOAT, jax.lax.stop_gradient(x))

    for callback in (io_callback, partial(io_callback, ordered=True)):
        checkpointed = jax.checkpoint(partial(program, callback), policy=policy)
        for gradient in (jax.grad(checkpointed), jax.jit(jax.grad(checkpointed))):
            with pytest.raises(NotImplementedError, match="Effects not supported in partial-eval of `checkpoint`"):
                gradient(1.5)
        assert not calls
        assert np.isclose(checkpointed(1.5), 3 * np.sin(1.5))
        assert np.isclose(jax.grad(partial(program, callback))(1.5), 3 * np.cos(1.5))
        calls.clear()
    gradient = jax.grad(jax.checkpoint(partial(program, jax.pure_callback), policy=policy))
    assert np.isclose(gradient(1.5), 3 * np.cos(1.5))
    assert len(calls) == 2


@for_each("call", [jax.pure_callback, io_callback])
@for_each("how", [lambda f: f, jax.jit])
@for_each(
    ("callback", "message"),
    [
        (lambda x: np.ones(3, np.float32), r"returns float32\[3\], expected float32\[\]"),
        (lambda x: np.ones((), np.int32), r"returns int32\[\], expected float32\[\]"),
        (lambda x: 2, r"returns int32\[\], expected float32\[\]"),
        (lambda x: (x, x), r"returns PyTreeDef\(\(\*, \*\)\)"),
        (lambda x: "text", "is not a valid JAX type"),
        (lambda x: {}[0], "raised KeyError: 0"),
    ],
)
def test_wrong_results_and_errors_are_errors_of_the_program(call, how, callback, message):
    with pytest.raises(jax.errors.JaxRuntimeError, match=message):
        how(lambda x: call(callback, FLOAT, x))(1.0)


def test_the_error_has_that_of_the_function_as_its_cause():
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.jit(lambda x: jax.pure_callback(lambda x: {}[0], FLOAT, x))(1.0)
    assert isinstance(caught.value.__cause__, KeyError)


def test_programs_call_them_each_time():
    traces, calls = [], []

    @jax.jit
    def f(x):
        traces.append(x)
        y = io_callback(lambda v: calls.append(float(v)) or np.float32(v + 1), FLOAT, x)
        jax.pure_callback(lambda v: calls.append("unused") or v, FLOAT, x)
        io_callback(lambda v: calls.append("effect"), None, x, ordered=True)
        return jax.pure_callback(sine, FLOAT, y) * 2

    assert [round(float(f(x)), 4) for x in (1.0, 2.0)] == [1.8186, 0.2822]
    assert (len(traces), calls) == (1, [1.0, "effect", 2.0, "effect"])
    text = str(jax.make_jaxpr(f)(1.0))
    assert [text.count(f"{name}_callback[") for name in ("pure", "io")] == [2, 2]


def test_loops_and_choices_call_them():
    calls = []

    def note(x):
        io_callback(lambda v: calls.append(int(v)), None, x, ordered=True)

    def body(c, x):
        note(x)
        return lax.cond(x > 1, lambda: jax.pure_callback(lambda v: v * 2, FLOAT, c), lambda: c + 1), c

    for how in (lambda f: f, jax.jit):
        last, ys = how(lambda: lax.scan(body, 1.0, xp.arange(4)))()
        assert (last, ys.tolist(), calls) == (12, [1, 2, 3, 6], [0, 1, 2, 3])
        calls.clear()
    boolean = jax.ShapeDtypeStruct((), "bool")
    loop = jax.jit(
        lambda n: lax.while_loop(lambda c: jax.pure_callback(lambda v: np.bool_(v < 5), boolean, c), lambda c: c + 1, n)
    )
    assert loop(0) == 5


@pytest.mark.parametrize("how", [lambda f: f, jax.jit])
def test_they_have_no_derivatives(how):
    for call, message in ((jax.pure_callback, "Pure callbacks do not support JVP"), (io_callback, "IO callbacks do not")):
        for derivative in (jax.grad, lambda f: lambda x: jax.jvp(f, (x,), (x,))):
            with pytest.raises(ValueError, match=message):
                how(derivative(lambda x, call=call: call(sine, FLOAT, x)))(1.0)
    assert round(float(how(jax.grad(lambda x: x * jax.pure_callback(sine, FLOAT, lax.stop_gradient(x))))(1.0)), 4) == 0.8415


@for_each(
    ("method", "shapes"),
    [
        ("sequential", [((), ())] * 3),
        ("sequential_unrolled", [((), ())] * 3),
        ("expand_dims", [((3,), (1,))]),
        ("broadcast_all", [((3,), (3,))]),
        ("legacy_vectorized", [((3,), ())]),
    ],
)
@for_each("how", [lambda f: f, jax.jit])
def test_vmap_calls_them_as_the_method_says(method, shapes, how):
    seen = []

    def callback(x, y):
        seen.append((np.shape(x), np.shape(y)))
        return np.asarray(x) + np.asarray(y)

    mapped = jax.vmap(lambda x: jax.pure_callback(callback, FLOAT, x, 2.0, vmap_method=method))
    assert how(mapped)(xp.arange(3.0)).tolist() == [2, 3, 4]
    assert seen == shapes
    nested = jax.vmap(mapped)(xp.ones((2, 3)))
    assert nested.tolist() == [[3, 3, 3]] * 2


def test_vmap_refuses_what_jax_refuses():
    with pytest.raises(NotImplementedError, match="vmap is only supported for the pure_callback primitive when vmap_method"):
        jax.vmap(lambda x: jax.pure_callback(sine, FLOAT, x))(xp.arange(3.0))
    with pytest.raises(ValueError, match="vmap_method must be on of the allowed methods"):
        jax.pure_callback(sine, FLOAT, 1.0, vmap_method="nope")
    with pytest.raises(ValueError, match="Cannot `vmap` ordered IO callback"):
        jax.vmap(lambda x: io_callback(lambda v: None, None, x, ordered=True))(xp.arange(3))


def printing(x):
    jax.debug.print("{} {y}", x, y=xp.sin(x) * 0)
    return x * x


@pytest.mark.parametrize(
    ("call", "printed"),
    [
        (lambda: jax.grad(printing)(3.0), "3.0 0.0\n"),
        (lambda: jax.jit(jax.grad(printing))(3.0), "3.0 0.0\n"),
        (lambda: jax.vmap(printing)(xp.arange(2.0)), "0.0 0.0\n1.0 0.0\n"),
        (lambda: jax.jit(jax.vmap(printing))(xp.arange(2.0)), "0.0 0.0\n1.0 0.0\n"),
        (lambda: jax.grad(jax.checkpoint(printing))(3.0), "3.0 0.0\n3.0 0.0\n"),
        (lambda: jax.linearize(printing, 3.0)[1](1.0), "3.0 0.0\n"),
        (lambda: jax.eval_shape(printing, 3.0), ""),
        (lambda: jax.jit(lambda x: jax.debug.print("{:.2f} {}", x, "s"))(1.234), "1.23 s\n"),
        (lambda: jax.jit(lambda: jax.debug.print("no operands"))(), "no operands\n"),
        (
            lambda: jax.debug.print("{!r} {!s} {x!r:>1}", xp.arange(2), xp.ones(1), x=xp.int8(3)),
            "Array([0, 1], dtype=int32) [1.] Array(3, dtype=int8)\n",
        ),
    ],
)
def test_debug_prints_values_once(call, printed, capsys):
    call()
    assert capsys.readouterr().out == printed


def test_debug_prints_of_programs_are_in_order(capsys):
    traces = []

    @jax.jit
    def f(x):
        traces.append(x)
        y = xp.sin(x)
        jax.debug.print("a {}", y[0], ordered=True)
        z = xp.cos(y)
        jax.debug.print("b {}", z[0], ordered=True)
        lax.fori_loop(0, 2, lambda i, c: jax.debug.print("c {}", i), None)
        return z * 2

    for _ in range(2):
        f(xp.zeros(100_000))
    assert capsys.readouterr().out == "a 0.0\nb 1.0\nc 0\nc 1\n" * 2
    assert len(traces) == 1


@pytest.mark.parametrize("how", [lambda f: f, jax.jit, jax.vmap])
def test_choices_without_results_print_in_loops(how, capsys):
    def body(i, x):
        lax.cond(i % 2 == 0, lambda: jax.debug.print("{i}: {}", x, i=i), lambda: None)
        lax.switch(i, [lambda x: None, lambda x: jax.debug.callback(print, x)], x)
        return x + 1

    run = how(lambda x: lax.fori_loop(0, 4, body, x))
    assert run(xp.ones(1) if how is jax.vmap else 1.0) == 5
    assert capsys.readouterr().out == "0: 1.0\n2.0\n2: 3.0\n3.0\n4.0\n"


def test_debug_callbacks_get_arrays():
    seen = []
    f = jax.jit(lambda x: jax.debug.callback(lambda a, k, s: seen.append((float(a), int(k), s)), x, k=3, s="t"))
    f(1.0)
    f(2.0)
    assert seen == [(1.0, 3, "t"), (2.0, 3, "t")]

    def refuse(x):
        raise KeyError(x)

    with pytest.raises(KeyError):
        jax.debug.callback(refuse, 1.0)
    with pytest.raises(jax.errors.JaxRuntimeError, match="refuse raised KeyError"):
        jax.jit(lambda x: jax.debug.callback(refuse, x))(1.0)


def test_texts_that_do_not_fit_their_values_are_refused_where_the_program_is_recorded():
    for how in (lambda f: f, jax.jit):
        for call, error in (
            (lambda x: jax.debug.print("{y}", x=x), KeyError),
            (lambda x: jax.debug.print("{}", x, x), ValueError),
            (lambda x: jax.debug.print("{} {}", x), IndexError),
        ):
            with pytest.raises(error):
                how(call)(1.0)
