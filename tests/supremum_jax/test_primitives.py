"""Operations that programs define. Expected values are those of JAX 0.10.2."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import core, extend
from supremum.jax.extend.core import Primitive
from supremum.jax.interpreters import ad, batching, mlir, xla


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

    mlir.register_lowering(scale, mlir.lower_fun(impl, multiple_results=False))
    assert scale.impl is impl
    with pytest.raises(NotImplementedError, match="Batching rule for 'scale' not implemented"):
        jax.vmap(lambda x: scale.bind(x, by=3))(xp.arange(3))
    batching.defvectorized(scale)
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
    batching.defbroadcasting(product)
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
    assert core.ShapedArray((2,), "int32").at_least_vspace().dtype == jax.dtypes.float0


def test_primitives_of_lax():
    assert jax.lax.add_p is extend.core.primitives.add_p
    assert float(jax.lax.add_p.bind(xp.asarray(1.0), xp.asarray(2.0))) == 3
    assert repr(jax.lax.sort_p) == "sort"
    with pytest.raises(NotImplementedError, match="'sort'"):
        jax.lax.sort_p.bind(1)


def test_primitives_of_loops_are_those_of_programs():
    def f(x):
        y = jax.lax.scan(lambda c, _: (c * x, None), x, None, length=3)[0]
        return jax.lax.cond(y > 0, jax.lax.neg, jax.lax.exp, jax.lax.while_loop(lambda y: y < 100, lambda y: y * 2, y))

    closed = jax.make_jaxpr(f)(2.0)
    names = {"scan": jax.lax.scan_p, "while": jax.lax.while_p, "cond": jax.lax.cond_p}
    found = [eqn for eqn in closed.eqns if eqn.primitive in names.values()]
    assert all(eqn.primitive is names[str(eqn.primitive)] for eqn in found)
    assert len(found) == 3
    scanned = found[0].primitive.bind(xp.asarray(2.0), xp.asarray(2.0), **found[0].params)
    assert [x.tolist() for x in scanned] == [16.0]


def product_plus(*, impl=True, shapes=True, compiled=True, forward=True, back=True, rows=True):
    """Return ``x * x + y`` by an operation of three operands that has some of its rules, as in JAX's page on primitives."""
    primitive = Primitive("multiply_add")
    if impl:
        primitive.def_impl(lambda x, y, z: np.add(np.multiply(x, y), z))
    if shapes:
        primitive.def_abstract_eval(lambda x, y, z: core.ShapedArray(x.shape, x.dtype))
    if compiled:
        mlir.register_lowering(primitive, lambda ctx, x, y, z: [z], platform="cpu")

    def jvp(values, tangents):
        x, y, z = values
        dx, dy, dz = [xp.zeros_like(x) if type(t) is ad.Zero else t for t in tangents]
        return primitive.bind(x, y, z), primitive.bind(dx, y, primitive.bind(x, dy, dz))

    def transpose(ct, x, y, z):
        if ad.is_undefined_primal(x):
            return primitive.bind(ct, y, xp.zeros_like(y)), None, ct
        return None, primitive.bind(x, ct, xp.zeros_like(x)), ct

    def batch(values, dims):
        return primitive.bind(*values), max(dim for dim in dims if dim is not None)

    if forward:
        ad.primitive_jvps[primitive] = jvp
    if back:
        ad.primitive_transposes[primitive] = transpose
    if rows:
        batching.primitive_batchers[primitive] = batch
    return lambda x, y: primitive.bind(x, x, y)


ROWS = np.asarray([2, 3], np.float32), np.asarray([10, 20], np.float32)


@pytest.mark.parametrize(
    ("missing", "call", "message"),
    [
        ("impl", lambda f: f(2.0, 10.0), "Evaluation rule for 'multiply_add'"),
        ("shapes", lambda f: jax.jit(f)(2.0, 10.0), "Abstract evaluation for 'multiply_add'"),
        ("compiled", lambda f: jax.jit(f)(2.0, 10.0), "MLIR translation rule for primitive 'multiply_add' not found"),
        ("forward", lambda f: jax.jvp(f, (2.0, 10.0), (1.0, 1.0)), "Differentiation rule for 'multiply_add'"),
        ("back", lambda f: jax.grad(f)(2.0, 10.0), r"Transpose rule \(for reverse-mode differentiation\) for 'multiply_add'"),
        ("rows", lambda f: jax.vmap(f)(*ROWS), "Batching rule for 'multiply_add'"),
    ],
)
def test_what_a_primitive_has_no_rule_for_is_refused(missing, call, message):
    with pytest.raises(NotImplementedError, match=message):
        call(product_plus(**{missing: False}))


@for_each(
    ("call", "expected"),
    [
        (lambda f: f(2.0, 10.0), 14),
        (lambda f: jax.jit(f)(2.0, 10.0), 14),
        (lambda f: jax.jit(f, static_argnums=1)(2.0, 10.0), 14),
        (lambda f: jax.jvp(f, (2.0, 10.0), (1.0, 1.0)), [14, 5]),
        (lambda f: jax.jit(lambda x, t: jax.jvp(f, x, t))((2.0, 10.0), (1.0, 1.0)), [14, 5]),
        (lambda f: jax.grad(f)(2.0, 10.0), 4),
        (lambda f: jax.jit(jax.grad(f))(2.0, 10.0), 4),
        (lambda f: jax.vmap(f)(*ROWS), [14, 29]),
        (lambda f: jax.jit(jax.vmap(f))(*ROWS), [14, 29]),
        (lambda f: jax.vmap(jax.jit(f))(*ROWS), [14, 29]),
        (lambda f: jax.vmap(jax.grad(f))(*ROWS), [4, 6]),
        (lambda f: jax.lax.scan(lambda c, x: (f(c, x), c), xp.float32(1), xp.arange(3.0))[1], [1, 1, 2]),
        (lambda f: jax.eval_shape(f, *ROWS).shape, [2]),
    ],
)
def test_a_primitive_with_all_rules_is_transformed(call, expected):
    assert np.asarray(call(product_plus())).tolist() == expected


def test_programs_have_primitives_with_their_parameters():
    both = Primitive("both")
    both.multiple_results = True
    both.def_abstract_eval(lambda x, *, by: [core.ShapedArray(x.shape, x.dtype)] * 2)
    mlir.register_lowering(both, mlir.lower_fun(lambda x, *, by: [x * by, x], multiple_results=True))
    program = jax.make_jaxpr(lambda x: both.bind(x, by=2))(3.0)
    (equation,) = program.eqns
    assert (equation.primitive, equation.params) == (both, {"by": 2})
    assert [x.item() for x in jax.jit(lambda x: both.bind(x, by=2))(3.0)] == [6, 3]
    with pytest.raises(NotImplementedError, match="Evaluation rule"):
        both.bind(3.0, by=2)
    both.def_impl(lambda x, **params: xla.apply_primitive(both, x, **params))
    assert [x.item() for x in both.bind(xp.float32(3), by=2)] == [6, 3]
    assert [x.item() for x in core.eval_jaxpr(program.jaxpr, program.consts, xp.float32(4))] == [8, 4]


def test_rules_for_shapes_return_effects_too():
    class Same(Primitive):
        def abstract_eval(self, x):
            return x, core.no_effects

    same = Same("same")
    assert jax.eval_shape(same.bind, 3.0).dtype == "float32"
    same.def_abstract_eval(lambda x: core.ShapedArray((2,), x.dtype))
    found, effects = same.abstract_eval(core.ShapedArray((), "float32"))
    assert (found.shape, effects) == ((2,), core.no_effects)


def linear(define):
    times = Primitive("times")
    times.def_impl(lambda x, *, by: x * by)
    define(times)
    return lambda x: times.bind(x, by=3.0) ** 2


def bilinear(define):
    product = Primitive("product")
    product.def_impl(lambda x, y: x * y)
    define(product)
    return lambda x: product.bind(x, xp.sin(x) * 0 + x)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (linear(lambda p: ad.deflinear(p, lambda ct, *, by: [p.bind(ct, by=by)])), 36),
        (linear(lambda p: ad.deflinear2(p, lambda ct, x, *, by: [ct * by])), 36),
        (linear(lambda p: ad.defjvp(p, lambda t, x, *, by: t * by)), 36),
        (linear(lambda p: ad.defjvp2(p, lambda t, out, x, *, by: t * out / x)), 36),
        (bilinear(lambda p: ad.defjvp(p, lambda t, x, y: t * y, lambda t, x, y: x * t)), 4),
        (bilinear(lambda p: ad.defjvp(p, None, lambda t, x, y: x * t)), 2),
        (bilinear(lambda p: ad.defbilinear(p, lambda ct, x, y: p.bind(ct, y), lambda ct, x, y: p.bind(x, ct))), 4),
    ],
)
def test_rules_of_common_forms(function, expected):
    assert jax.grad(function)(2.0) == expected
    assert jax.jvp(function, (2.0,), (1.0,))[1] == expected


def test_rules_of_vmap_may_move_the_axis():
    turned = Primitive("turned")
    turned.def_impl(lambda x, y: x + y)
    seen = []

    def rule(values, dims):
        seen.append(dims)
        return xp.moveaxis(values[0], dims[0], -1) + values[1], values[0].ndim - 1

    batching.primitive_batchers[turned] = rule
    assert jax.vmap(lambda x: turned.bind(x, 1.0))(xp.ones((3, 2))).tolist() == [[2, 2]] * 3
    assert seen == [(0, None)]
    batching.defbroadcasting(turned)
    assert jax.vmap(lambda x: turned.bind(x, xp.ones(2)))(xp.arange(3.0)).tolist() == [[1, 1], [2, 2], [3, 3]]
