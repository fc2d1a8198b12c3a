"""Functions that are lowered and compiled before they are called. Expected values are those of JAX 0.10.2."""

import functools

import numpy as np
import pytest

import supremum as xp
from supremum import jax

X, Y = xp.ones((2, 3)), xp.ones((3, 4))


def product(x, y):
    return xp.sin(x) @ y


def like(*shape):
    return jax.ShapeDtypeStruct(shape, "float32")


def test_what_was_compiled_is_called_without_the_function():
    calls = []

    @jax.jit
    def f(x, y):
        calls.append(x)
        return {"product": product(x, y), "sum": x.sum()}

    compiled = f.lower(like(2, 3), like(3, 4)).compile()
    for x in (X, np.zeros((2, 3), np.float32)):
        with jax.disable_jit():
            expected = product(xp.asarray(x), Y)
        assert (compiled(x, Y)["product"] == expected).all()
    assert len(calls) == 1


def test_static_arguments_are_those_of_the_recording():
    f = jax.jit(lambda x, n, *, mode: x * n if mode == "times" else x, static_argnums=1, static_argnames="mode")
    compiled = f.lower(X, 3, mode="times").compile()
    assert compiled(X)[0, 0] == 3

    class Model:
        @functools.partial(jax.jit, static_argnums=0)
        def apply(self, x):
            return x * 2

    model = Model()
    assert model.apply(X)[0, 0] == 2


def test_other_arguments_are_refused():
    compiled = jax.jit(product).lower(X, Y).compile()
    for args in ((Y, X), (X.astype("int32"), Y)):
        with pytest.raises(TypeError, match="Argument types differ from the types for which this computation was compiled"):
            compiled(*args)
    with pytest.raises(TypeError, match="does not match the input pytree it was called with"):
        compiled(X)
    sine = jax.jit(xp.sin).lower(1.0).compile()
    for call in (lambda: jax.grad(sine)(1.0), lambda: jax.vmap(sine)(xp.ones(2)), lambda: jax.jit(lambda x: sine(x))(1.0)):
        with pytest.raises(TypeError, match="Cannot apply JAX transformations to a function lowered and compiled"):
            call()
    with pytest.raises(TypeError, match=r"is not a valid JAX type|as an abstract array"):
        jax.jit(product).lower("a", Y)
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.jit(lambda x: x if x > 0 else -x).lower(1.0)


def test_weak_arguments_stay_weak():
    out = jax.jit(lambda x: x * 2).lower(1.0).compile()(xp.float32(3))
    assert (out, out.weak_type) == (6, True)


def test_what_is_known_of_each_stage():
    f = jax.jit(lambda d, k=1.0: {"a": d["x"] + k}, donate_argnums=0)
    traced = f.trace({"x": X}, k=2.0)
    lowered = traced.lower()
    for stage in (traced, lowered, lowered.compile()):
        assert stage.out_info == {"a": like(2, 3)}
        assert stage.in_tree == jax.tree.structure((({"x": 0},), {"k": 0}))
        assert stage.out_tree == jax.tree.structure({"a": 0})
        (first,), words = stage.args_info
        assert (first["x"].shape, first["x"].dtype, first["x"].donated, words["k"].donated) == ((2, 3), "float32", True, False)
        assert str(stage.in_avals) == "(({'x': ShapedArray(float32[2,3])},), {'k': ShapedArray(float32[], weak_type=True)})"
        assert stage.donate_argnums == (0,)
    assert (traced.fun_name, [eqn.primitive.name for eqn in traced.jaxpr.eqns]) == ("<lambda>", ["add"])
    assert "add" in lowered.as_text()
    assert isinstance(f, jax.stages.Wrapped)
    assert isinstance(traced, jax.stages.Traced)
    assert isinstance(lowered, jax.stages.Lowered)
    assert isinstance(lowered.compile(), jax.stages.Compiled)


@pytest.mark.parametrize(
    ("f", "args", "flops"),
    [
        (lambda a, b: a @ b, (like(64, 64), like(64, 64)), 2 * 64**3),
        (lambda a, b: a @ b, (like(5, 8, 9), like(5, 9, 7)), 2 * 5 * 8 * 9 * 7),
        (lambda a, b: a + b, (like(100), like(100)), 100),
        (lambda a: xp.reshape(a, (10, 10)), (like(100),), 0),
        (lambda a: jax.lax.scan(lambda c, x: (c + x, None), 0.0, a)[0], (like(100),), 100),
    ],
)
def test_costs_are_counts_of_elements(f, args, flops):
    compiled = jax.jit(f).lower(*args).compile()
    cost = compiled.cost_analysis()
    assert cost["flops"] == pytest.approx(flops)
    assert cost["bytes accessed"] > 0


def test_memory_is_that_of_arrays():
    memory = jax.jit(lambda x: xp.sum(xp.sin(xp.cos(x)))).lower(like(100)).compile().memory_analysis()
    assert (memory.argument_size_in_bytes, memory.output_size_in_bytes, memory.temp_size_in_bytes) == (400, 4, 800)


def test_references_are_written_to():
    ref, calls = jax.new_ref(xp.zeros(2)), []

    @jax.jit
    def f(r):
        calls.append(r)
        r[0] += 1.0

    compiled = f.lower(ref).compile()
    compiled(ref)
    compiled(ref)
    assert ref[...].tolist() == [2, 0]
    closed = jax.jit(lambda: ref.addupdate(1.0, 1)).lower().compile()
    closed()
    closed()
    assert ref[...].tolist() == [2, 2]


def test_sizes_of_caches():
    f = jax.jit(lambda x: x)
    for x in (1.0, 2.0, 1, xp.ones(2), np.ones(2, np.float32)):
        f(x)
    assert f._cache_size() == 4
    f.clear_cache()
    for x in (xp.ones(2), np.ones(2, np.float32)):
        f(x=x)
    assert f._cache_size() == 2  # as in JAX 0.10.2
    f.clear_cache()
    assert f._cache_size() == 0


def test_compiled_functions_know_where_arguments_and_results_are():
    """The trees are those of JAX 0.10.2."""
    x = xp.ones(3)
    compiled = jax.jit(lambda x, d, k=1: {"a": x * k, "b": d["z"]}).lower(x, {"z": 2}, k=3.0).compile()
    one = x.sharding
    assert compiled.input_shardings == ((one, {"z": one}), {"k": one})
    assert compiled.output_shardings == {"a": one, "b": one}
