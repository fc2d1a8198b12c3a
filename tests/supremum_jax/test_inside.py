"""Names of JAX's insides on real values, as libraries use them. Expected values are those of JAX 0.10.2."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import core, extend, interpreters
from supremum.jax.api_util import argnums_partial, debug_info, flatten_axes, flatten_fun, flatten_fun_nokwargs
from supremum.jax.extend import linear_util as lu
from supremum.jax.extend.core import Primitive
from supremum.jax.interpreters import ad, batching, mlir, partial_eval as pe


def test_a_primitive_works_once_it_has_an_implementation():
    scale = Primitive("scale")
    assert (repr(scale), scale.multiple_results) == ("scale", False)
    with pytest.raises(NotImplementedError, match="Evaluation rule for 'scale' not implemented"):
        scale.bind(1)
    assert scale.def_impl(abs) is abs

    @scale.def_impl
    def impl(x, *, by):
        return x * by

    @scale.def_abstract_eval
    def shape(x, *, by):
        return x

    batching.primitive_batchers[scale] = ad.primitive_jvps[scale] = None
    mlir.register_lowering(scale, mlir.lower_fun(impl, multiple_results=False))
    assert scale.impl is impl
    np.testing.assert_array_equal(scale.bind(xp.arange(3), by=2), [0, 2, 4])
    np.testing.assert_array_equal(jax.vmap(lambda x: scale.bind(x, by=3))(xp.arange(3)), [0, 3, 6])


def test_rules_of_primitives_carry_derivatives():
    product = Primitive("product")

    @product.def_impl
    def impl(x, y):
        return jax.lax.stop_gradient(x) * y

    def jvp(primals, tangents):
        (x, y), (t, s) = primals, map(ad.instantiate_zeros, tangents)
        return product.bind(x, y), product.bind(x, s) + t * y

    def transpose(cotangent, x, y):
        assert ad.is_undefined_primal(y)
        assert not ad.is_undefined_primal(x)
        return None, product.bind(x, cotangent)

    ad.primitive_jvps[product], ad.primitive_transposes[product] = jvp, transpose
    x = xp.asarray([1.0, 2.0])

    def of_both(x):
        return product.bind(x, xp.sin(x)).sum()

    slope, bend = np.sin(x) + x * np.cos(x), 2 * np.cos(x) - x * np.sin(x)
    np.testing.assert_allclose(jax.grad(of_both)(x), slope, rtol=1e-6)
    np.testing.assert_allclose(jax.jvp(of_both, (x,), (x,))[1], (slope * x).sum(), rtol=1e-6)
    np.testing.assert_allclose(jax.hessian(of_both)(x), np.diag(bend), rtol=1e-5)
    np.testing.assert_allclose(jax.vmap(jax.grad(of_both))(x), slope, rtol=1e-6)
    np.testing.assert_allclose(jax.grad(lambda x: jax.vmap(of_both)(x).sum())(x), slope, rtol=1e-6)


def test_rules_of_primitives_with_several_results():
    both = Primitive("both")
    both.multiple_results = True
    both.def_impl(lambda x, y: [x * y, y.astype("int32")])

    def transpose(cotangents, x, y):
        assert [type(ct) is ad.Zero for ct in cotangents] == [False, True]
        return None, x * cotangents[0]

    def jvp(primals, tangents):
        (x, y), (t, s) = primals, tangents
        moved = both.bind(x, ad.instantiate_zeros(s))[0]
        return both.bind(x, y), [moved if type(t) is ad.Zero else moved + t * y, ad.Zero(core.ShapedArray((), "int32"))]

    ad.primitive_jvps[both], ad.primitive_transposes[both] = jvp, transpose
    one = xp.asarray(3.0)
    assert float(jax.grad(lambda y: both.bind(one, y)[0])(one)) == 3
    assert float(jax.grad(lambda x: both.bind(x, one)[0])(one)) == 3
    assert jax.jvp(lambda y: both.bind(one, y), (one,), (one,))[1][1].dtype == jax.dtypes.float0


def test_the_trace_of_derivatives_is_that_of_their_operands():
    found = []

    def program(x):
        main = extend.core.find_top_trace([x]).main
        found.extend(isinstance(y, ad.JVPTracer) and y._trace.main is main for y in (x, xp.sin(x), xp.ones(2)))
        return x

    jax.jvp(program, (1.0,), (1.0,))
    assert found == [True, True, False]
    assert core.ShapedArray((2,), "int32").to_tangent_aval().dtype == jax.dtypes.float0


def test_primitives_of_lax():
    assert jax.lax.add_p is extend.core.primitives.add_p
    assert float(jax.lax.add_p.bind(xp.asarray(1.0), xp.asarray(2.0))) == 3
    assert repr(jax.lax.scan_p) == "scan"
    with pytest.raises(NotImplementedError, match="'scan'"):
        jax.lax.scan_p.bind(1)


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
        return xp.ones(3), x + y, y

    flat, _ = flatten_fun_nokwargs(lu.wrap_init(body), jax.tree.structure((1, 2)))
    values = [pe.PartialVal.unknown(core.ShapedArray((2,), "float32")), pe.PartialVal.known(xp.asarray(1.0))]
    _, (ones, total, same), _ = pe.trace_to_jaxpr_nounits(flat, values)
    assert [ones.is_known(), total.is_known(), same.is_known()] == [True, False, True]
    np.testing.assert_array_equal(ones.get_known(), np.ones(3))
    assert total.get_aval() == core.ShapedArray((2,), "float32")


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
