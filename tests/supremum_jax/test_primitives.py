"""Operations that programs define. Expected values are those of JAX 0.10.2."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import core, extend
from supremum.jax.extend.core import Primitive
from supremum.jax.interpreters import ad, batching, mlir


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
