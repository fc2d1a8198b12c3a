"""Names of JAX's insides on real values, as libraries use them. Expected values are those of JAX 0.10.2."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import core, extend, interpreters
from supremum.jax.api_util import argnums_partial, debug_info, flatten_axes, flatten_fun, flatten_fun_nokwargs
from supremum.jax.extend import linear_util as lu
from supremum.jax.interpreters import ad, partial_eval as pe


def test_functions_are_transformed():
    @lu.transformation2
    def doubled(f, factor, *args):
        return [factor * x for x in f(*args)]

    @lu.transformation
    def with_one(*args):
        result = yield (*args, 1), {}
        yield [*result, "end"]

    @lu.transformation_with_aux
    def counted(*args):
        result = yield args, {}
        yield result, len(result)

    @lu.transformation_with_aux2
    def stored(f, store, *args):
        store.store("seen")
        return f(*args)

    f = lu.wrap_init(lambda *args: list(args), debug_info=debug_info("test", abs))
    assert doubled(f, 2).call_wrapped(1, 2) == [2, 4]
    assert with_one(f).call_wrapped(5) == [5, 1, "end"]
    made, count = counted(f)
    with pytest.raises(lu.StoreException):
        count()
    assert (made.call_wrapped(1, 2, 3), count()) == ([1, 2, 3], 3)
    made, seen = stored(f)
    assert (made.call_wrapped(1), seen(), lu.merge_linear_aux(seen, count)) == ([1], "seen", (True, "seen"))


def test_functions_of_leaves():
    leaves, tree = jax.tree.flatten((({"a": 1, "b": 2},), {"c": 3}))
    flat, out_tree = flatten_fun(lu.wrap_init(lambda x, c: {"sum": x["a"] + x["b"], "c": c}), tree)
    assert flat.call_wrapped(*leaves) == [3, 3]
    assert jax.tree.unflatten(out_tree(), [1, 2]) == {"c": 1, "sum": 2}
    flat, out_tree = flatten_fun_nokwargs(lu.wrap_init(lambda x, y: (x, y)), jax.tree.structure((1, (2, 3))))
    assert (flat.call_wrapped(1, 2, 3), out_tree()) == ([1, 2, 3], jax.tree.structure((1, (2, 3))))
    some, dynamic = argnums_partial(lu.wrap_init(lambda x, y: x - y), (1,), (10, 3))
    assert (dynamic, some.call_wrapped(4)) == ((3,), 6)
    assert flatten_axes("axes", jax.tree.structure({"a": 1, "b": (2, 3)}), {"a": None, "b": 1}) == [None, 1, 1]


def test_what_is_known_before_a_call():
    def body(x, y):
        return xp.ones(3) + y, x + y, y, xp.argmax(x), xp.log(y - 2)

    flat, _ = flatten_fun_nokwargs(lu.wrap_init(body), jax.tree.structure((1, 2)))
    values = [pe.PartialVal.unknown(core.ShapedArray((2,), "float32")), pe.PartialVal.known(xp.asarray(1.0))]
    program, (twos, total, same, place, nan), consts = pe.trace_to_jaxpr_nounits(flat, values)
    assert [x.is_known() for x in (twos, total, same, place, nan)] == [True, False, True, False, True]
    np.testing.assert_array_equal(twos.get_known(), np.full(3, 2))
    assert np.isnan(nan.get_known())
    assert total.get_aval() == core.ShapedArray((2,), "float32", weak_type=False)
    results = core.eval_jaxpr(program, (), *consts, xp.asarray([1.0, 4.0]))
    assert [x.tolist() for x in results] == [[2.0, 5.0], 1]
    _, made, _ = pe.trace_to_jaxpr_nounits(flat, values, instantiate=True)
    assert not any(x.is_known() for x in made)


def test_traces():
    assert core.get_opaque_trace_state(convention="x") == core.get_opaque_trace_state()
    with extend.core.take_current_trace() as trace, extend.core.set_current_trace(trace):
        assert trace is core.find_top_trace(())
    with pytest.raises(NotImplementedError, match="needs tracing"), extend.core.set_current_trace(core.Trace()):
        pass


def test_descriptions_of_arrays():
    x = xp.ones((2, 3))
    assert isinstance(x.aval, core.ShapedArray)
    assert isinstance(x.aval, core.AbstractValue)
    assert x.aval == jax.typeof(x) == core.ShapedArray((2, 3), "float32")
    assert (str(x.aval), repr(jax.typeof(1.0))) == ("float32[2,3]", "ShapedArray(float32[], weak_type=True)")
    assert (len(x.aval), x.aval.ndim, x.aval.size, x.aval.vma) == (2, 2, 6, frozenset())
    assert x.aval.update(shape=(4,)).shape == (4,)
    assert x.aval.sharding.spec == jax.P(None, None)
    assert x.aval.sharding.mesh.empty
    assert extend.core.mapped_aval(2, 0, x.aval).shape == (3,)
    assert extend.core.unmapped_aval(5, 1, x.aval).shape == (2, 5, 3)


def test_derivatives_that_are_zero():
    zero = ad.Zero(jax.typeof(xp.ones(2)))
    np.testing.assert_array_equal(ad.instantiate_zeros(zero), np.zeros(2))
    assert ad.instantiate_zeros(3) == 3
    assert ad.is_undefined_primal(ad.UndefinedPrimal(None))
    assert not ad.is_undefined_primal(1)


def test_small_helpers():
    core_ = extend.core
    assert core_.valid_jaxtype(1.0)
    assert not core_.valid_jaxtype("a")
    assert core_.concrete_or_error(int, 2.0) == 2
    assert core_.primal_dtype_to_tangent_dtype("int32") == jax.dtypes.float0
    assert jax.dtypes.to_complex_dtype("float32") == "complex64"
    assert jax.dtypes.to_inexact_dtype("int32") == "float32"
    assert [jax.dtypes.supports_inf(dtype) for dtype in ("float32", "float8_e4m3fn")] == [True, False]
    assert extend.backend.get_backend().platform == "cpu"
    with pytest.raises(RuntimeError, match="Unknown backend 'gpu'"):
        extend.backend.get_backend("gpu")
    registry = jax._src.tree_util._registry
    assert dict in registry
    children, data = registry[dict].to_iter({"a": 1})
    assert (list(children), registry[dict].from_iter(data, [2])) == ([1], {"a": 2})
    assert interpreters.xla.canonicalize_dtype_handlers[np.ndarray] is not None
