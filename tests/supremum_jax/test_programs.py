"""Recorded programs: what `make_jaxpr` keeps, prints and replays."""

import enum
import functools

import pytest
from common import for_each

import supremum as xp
import supremum.jax.extend.core
from supremum import jax
from supremum.jax import lax
from supremum.jax.errors import TracerBoolConversionError, UnexpectedTracerError
from supremum.jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Var, jaxpr_as_fun

X = xp.asarray([0.5, 1.5, -2.0])
WEIGHTS = xp.asarray([1.0, 2.0, 3.0])


def test_programs_are_printed_as_jax_prints_them():
    # JAX's own text for the same function.
    assert str(jax.make_jaxpr(xp.sin)(X)) == "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }"
    assert str(jax.make_jaxpr(lambda a: a)(X)) == "{ lambda ; a:f32[3]. let  in (a,) }"
    assert str(jax.make_jaxpr(lambda: 1)()) == "{ lambda ; . let  in (1:i32[],) }"
    assert str(jax.make_jaxpr(lambda a: (a, a, 1.0, WEIGHTS))(X)) == (
        "{ lambda a:f32[3]; b:f32[3]. let  in (b, b, 1.0:f32[], a) }"
    )
    assert str(jax.make_jaxpr(lambda a: (xp.sin(a), xp.cos(a), xp.exp(a), xp.tan(a))[1])(X)) == (
        "{ lambda ; a:f32[3]. let\n    _:f32[3] = sin a\n    b:f32[3] = cos a\n    _:f32[3] = exp a\n    _:f32[3] = tan a\n"
        "  in (b,) }"
    )


def test_types_and_parameters():
    key = jax.random.key(0)
    assert str(jax.make_jaxpr(jax.random.split)(key)) == (
        "{ lambda ; a:key<fry>[]. let b:key<fry>[2] = random.split a in (b,) }"
    )
    text = str(jax.make_jaxpr(lambda a: xp.sum(a, axis=0).astype("bfloat16"))(xp.ones((2, 3), dtype="uint8")))
    assert text == (
        "{ lambda ; a:u8[2,3]. let\n    b:u32[3] = sum[axis=0] a\n    c:bf16[3] = astype[dtype='bfloat16'] b\n  in (c,) }"
    )


def test_parts_of_programs():
    closed = jax.make_jaxpr(lambda a, b: (xp.multiply(a, WEIGHTS) * 2.0, b["k"]))(X, {"k": 3})
    assert (type(closed), type(closed.jaxpr)) == (ClosedJaxpr, Jaxpr)
    assert [type(eqn) for eqn in closed.eqns] == [JaxprEqn, JaxprEqn]
    first, second = closed.eqns
    assert first.primitive == xp.multiply
    assert first.primitive.name == "multiply"
    assert first.invars == [closed.jaxpr.invars[0], closed.jaxpr.constvars[0]]
    assert second.invars[0] is first.outvars[0]
    assert type(second.invars[0]) is Var
    assert type(second.invars[1]) is Literal
    assert second.invars[1].val == 2.0
    assert closed.consts[0] is closed.literals[0] is WEIGHTS
    assert [(a.shape, a.dtype, a.weak_type) for a in closed.in_avals] == [((3,), "float32", False), ((), "int32", True)]
    assert [a.shape for a in closed.out_avals] == [(3,), ()]
    assert closed.jaxpr.outvars[1] is closed.jaxpr.invars[1]
    assert jax.make_jaxpr(lambda a: xp.sum(a, axis=0))(xp.ones((2, 2))).eqns[0].params == {"axis": 0}
    assert not closed.effects


def test_shapes_of_results_and_static_arguments():
    closed, shape = jax.make_jaxpr(lambda f, a: {"y": f(a)}, static_argnums=0, return_shape=True)(xp.sum, X)
    assert shape == {"y": jax.ShapeDtypeStruct((), "float32")}
    assert len(closed.in_avals) == 1


def test_functions_of_jit_have_programs():
    traced = jax.jit(lambda x, n, *, by: x * n + by, static_argnums=1, static_argnames="by").trace(X, 2, by=0.5)
    assert (
        str(traced.jaxpr)
        == "{ lambda ; a:f32[3]. let\n    b:f32[3] = multiply a 2.0:f32[]\n    c:f32[3] = add b 0.5:f32[]\n  in (c,) }"
    )
    assert (traced.out_info, traced.fun_name) == (jax.ShapeDtypeStruct((3,), "float32"), "<lambda>")


def _scan(x):
    return lax.scan(lambda carry, y: (carry * y, carry), 1.0, x)


@for_each(
    "function",
    [
        lambda x: xp.concat([x, WEIGHTS, x]),
        lambda x: x.at[0].set(1.0).at[1:].add(x[1:]),
        lambda x: lax.cond(x[0] > 0, lambda y: y, lambda y: y + 1, x),
        lambda x: lax.fori_loop(0, 3, lambda i, y: y * i + x, x),
        lambda x: lax.fori_loop(0, 2, lambda i, y: lax.fori_loop(0, 2, lambda j, z: z + x * i + WEIGHTS, y), x),
        lambda x: lax.while_loop(lambda y: xp.sum(y) < 9, lambda y: y * y + 1, x),
        lambda x: lax.fori_loop(0, (x[1] * 3).astype(int), lambda i, y: y + x, x),
        lambda x: lax.scan(lambda c, y: ((c[0] + y, c[1] + 1), {"y": c}), (0, 1), x, reverse=True),
        lambda x: lax.map(lambda y: y * x[0], x),
        lambda x: lax.scan(lambda c, y: (c, y), x, xp.ones((0, 2))),
        jax.grad(lambda x: _scan(x)[0]),
        jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, y: y * x[1], 1.0)),
        jax.vmap(lambda x: lax.fori_loop(0, 3, lambda i, y: y + x, 0.0)),
        lambda x: xp.linalg.svd(xp.linalg.outer(x, x))[1],
        lambda x: jax.nn.softmax(x) @ x,
        lambda x: divmod(x, 2),
        lambda x: jax.random.normal(jax.random.key(1), (3,)) + x,
        lambda x: (x * 2, 1.0, x.astype("int8"), xp.sum(x, keepdims=True)),
        jax.grad(lambda x: xp.sum(xp.sin(x) ** 2)),
        jax.vmap(lambda x: xp.where(x > 0, x, -x)),
        jax.jacfwd(lambda x: x * xp.sum(x)),
        _scan,
    ],
)
def test_replayed_programs_give_the_same_bits(function):
    closed = jax.make_jaxpr(function)(xp.ones_like(X))
    expected = jax.tree.leaves(function(X))
    for found in (jaxpr_as_fun(closed)(X), jax.core.eval_jaxpr(closed.jaxpr, closed.consts, X)):
        assert len(found) == len(expected)
        for one, other in zip(found, map(xp.asarray, expected), strict=True):
            assert one.node is other.node
            assert one.tobytes() == other.tobytes()


def test_loops_are_equations_with_programs():
    # JAX's text, but for `mul`, the dtype of literals, and parameters of the compiler's.
    assert str(jax.make_jaxpr(lambda a: lax.fori_loop(0, 3, lambda i, y: y * a, a))(X)) == (
        "{ lambda ; a:f32[3]. let\n"
        "    _:i32[] b:f32[3] = scan[\n"
        "      jaxpr={ lambda ; c:f32[3] d:i32[] e:f32[3]. let\n"
        "          f:i32[] = add d 1:i32[]\n"
        "          g:f32[3] = multiply e c\n"
        "        in (f, g) }\n"
        "      length=3\n"
        "      num_carry=2\n"
        "      num_consts=1\n"
        "      reverse=False\n"
        "    ] a 0:i32[] a\n"
        "  in (b,) }"
    )
    loop = jax.make_jaxpr(lambda a: lax.while_loop(lambda y: xp.sum(y) < 9, lambda y: y + a, a))(X).eqns[0]
    assert loop.primitive.name == "while"
    assert str(loop.params["cond_jaxpr"].eqns[0].primitive.name) == "sum"
    assert (loop.params["body_nconsts"], loop.params["cond_nconsts"]) == (1, 0)


def test_bodies_are_called_once():
    calls = []
    jax.make_jaxpr(lambda x: lax.fori_loop(0, 1000, lambda i, y: (calls.append(i), y * x)[1], x))(X)
    assert len(calls) == 1


def test_types_of_carries_are_jaxs():
    # With JAX: the carry is strong, the results are weak, as the first carry was.
    closed = jax.make_jaxpr(lambda x: lax.scan(lambda c, y: (c + y, c), 0.0, x))(X)
    assert [a.weak_type for a in closed.out_avals] == [False, True]
    assert jax.make_jaxpr(lambda x: lax.scan(lambda c, y: (c + y, c), 0, x))(X).out_avals[1].dtype == "float32"


def test_programs_of_loops_are_mapped_and_differentiated():
    program = jaxpr_as_fun(jax.make_jaxpr(lambda x: _scan(x)[0])(X))
    assert jax.grad(lambda x: program(x)[0])(X).tolist() == [-3.0, -1.0, 0.75]
    assert jax.vmap(lambda x: program(x)[0])(xp.stack([X, X])).tolist() == [-1.5, -1.5]
    assert jax.eval_shape(program, X)[0].shape == ()
    again = jax.make_jaxpr(program)(X)
    assert [eqn.primitive.name for eqn in again.eqns] == ["scan"]


def test_programs_are_mapped_and_differentiated():
    program = jaxpr_as_fun(jax.make_jaxpr(lambda x: xp.sum(xp.sin(x) * WEIGHTS))(X))
    assert xp.all(jax.grad(lambda x: program(x)[0])(X) == xp.cos(X) * WEIGHTS)
    assert jax.vmap(lambda x: program(x)[0])(xp.stack([X, X])).shape == (2,)


def test_operators_in_place_write_to_no_argument():
    def double(x):
        x *= 2
        return x

    with xp.config.use(mutable=True):
        given = xp.asarray([1.0, 2.0])
        program = jax.make_jaxpr(double)(given)
        assert jaxpr_as_fun(program)(given)[0].tolist() == [2.0, 4.0]
        assert given.tolist() == [1.0, 2.0]


def test_what_cannot_be_recorded_says_so():
    with pytest.raises(TracerBoolConversionError):
        jax.make_jaxpr(lambda x: x if x[0] > 0 else -x)(X)
    with pytest.raises(TypeError, match="so the shapes do not match"):
        jax.make_jaxpr(lambda x: lax.scan(lambda c, y: (x, y), x[0], x))(X)
    with pytest.raises(NotImplementedError, match="how often it runs depends on elements"):
        jax.make_jaxpr(jax.vmap(lambda x: lax.while_loop(lambda y: y < 9, lambda y: y + 1, x), axis_name="i"))(X)
    with pytest.raises(TypeError, match="expected a callable"):
        jax.make_jaxpr(1)
    closed = jax.make_jaxpr(xp.sin)(X)
    with pytest.raises(TypeError, match="takes 0 constants and 1 arguments, got 0 and 2"):
        jaxpr_as_fun(closed)(X, X)


def test_operands_end_with_their_program():
    kept = []
    closed = jax.make_jaxpr(lambda x: (kept.append(x), x)[1])(X)
    with pytest.raises(UnexpectedTracerError, match="is used after the call of the function for which it was made"):
        xp.sin(kept[0])
    assert not closed.eqns


class Status(enum.IntEnum):
    late = 3


class Rate(float):
    __slots__ = ()


def test_numbers_are_of_the_dtype_that_they_become():
    def literals(function, x):
        return [repr(atom.val) + str(atom.aval) for eqn in jax.make_jaxpr(function)(x).eqns for atom in eqn.invars[1:]]

    def program(x):
        return x * 2, x + 1j, x > 0, xp.maximum(x, 0), x + True

    with xp.config.use(x64="off"):
        assert literals(program, xp.asarray(1.0, dtype="bfloat16")) == [
            "2.0bfloat16[]", "1jcomplex64[]", "0.0bfloat16[]", "0.0bfloat16[]", "1.0bfloat16[]"
        ]  # fmt: skip
        assert literals(lambda x: (x * 2, x + 1.5, x == 1.5), xp.asarray(1, dtype="uint8")) == [
            "2uint8[]", "1.5~float32[]", "1.5~float32[]"
        ]  # fmt: skip
        assert literals(lambda x: x**2, xp.asarray(1.0)) == ["2~int32[]"]
        assert literals(lambda x: (x < Status.late, x * Rate(2)), xp.asarray(1)) == ["3~int32[]", "2.0~float32[]"]
    with xp.config.use(x64="on"):
        odd = (1 << 60) + 1  # which no float64 is
        assert literals(lambda x: x * odd, xp.asarray(1.0, dtype="float64")) == [f"{odd}~int64[]"]
    jaxpr = jax.make_jaxpr(program)(xp.asarray(1.5))
    for found, expected in zip(jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, 1.5), program(xp.asarray(1.5)), strict=True):
        assert repr(found) == repr(expected)


def test_axes_around_a_recorded_function():
    jaxpr = jax.make_jaxpr(lambda x: x - jax.lax.psum(x, "i"), axis_env=[("i", 4)])(2)
    assert jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, 2)[0].item() == 2 - 4 * 2
    with pytest.raises(NameError, match="unbound axis name: i"):
        jax.make_jaxpr(lambda x: jax.lax.psum(x, "i"))(2)


def test_recording_functions_have_names():
    def program(x):
        return x

    recorded = jax.make_jaxpr(program)
    names = recorded.__name__, recorded.__qualname__, recorded.__module__
    assert names == ("make_jaxpr(program)", f"make_jaxpr({program.__qualname__})", "jax")
    assert jax.make_jaxpr(functools.partial(program)).__name__ == "<unnamed function>"


def test_derivatives_of_integers_are_results():
    jaxpr = jax.make_jaxpr(jax.grad(lambda x: x + 0.0, allow_int=True))(1)
    assert str(jaxpr).endswith("in ((b'',):float0[],) }")
    assert jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, 1)[0].dtype == jax.float0


@pytest.mark.parametrize("system", ["jax", "numpy", "torch"])
def test_numbers_promote_in_replayed_programs_as_they_did(system):
    with xp.config.use(promotion=system):
        for dtype in ("bfloat16", "float16", "float32", "int8", "uint8"):
            x = xp.asarray([1, 2, 3], dtype=dtype)
            for number in (True, 1, *([2.0] if (system, dtype) != ("numpy", "bfloat16") else [])):  # they have no common dtype
                for function in (xp.remainder, xp.add, xp.less):
                    closed = jax.make_jaxpr(lambda x, f=function, n=number: f(x, n))(x)
                    assert jaxpr_as_fun(closed)(x)[0].node is function(x, number).node is closed.jaxpr.outvars[0].node


def test_functions_with_rules_keep_them_in_programs():
    @jax.custom_vjp
    def product(x, k):
        return x * k

    product.defvjp(lambda x, k: (x * k, None), lambda _, ct: (7 * ct, 11 * ct))

    @jax.custom_jvp
    def square(x):
        return x * x

    square.defjvp(lambda primals, tangents: (square(*primals), 5 * tangents[0]))

    def through(function, x):
        program = jax.make_jaxpr(function)(x)
        return lambda x: jax.core.eval_jaxpr(program.jaxpr, program.consts, x)[0]

    assert jax.grad(through(lambda x: product(x, 3.0) + square(x), 1.0))(1.0) == 12
    scanned = through(lambda x: lax.scan(lambda c, y: (square(c) + y, c), x, xp.ones(3))[0], 1.0)
    assert (scanned(1.0), jax.grad(scanned)(1.0)) == (26, 125)
    # A rule is for what is differentiated outside of the program, too.
    assert jax.grad(lambda k: through(lambda x: product(x, k), 2.0)(2.0))(3.0) == 11

    def closing(x):
        inner = jax.custom_jvp(lambda y: y * x)
        inner.defjvp(lambda primals, tangents: (inner(*primals), tangents[0] * x))
        return inner(x)

    assert through(closing, 2.0)(3.0) == 9
    assert jax.jit(lambda x: product(x, 3.0) + square(x)).lower(1.0).compile()(2.0) == 10


def test_calls_of_constants_are_recorded():
    """As in JAX 0.10.2, whose program has the same constants and operations."""
    c, n = xp.arange(3, dtype="float32"), xp.asarray(3)
    made = jax.make_jaxpr(lambda x: x + (xp.sin(c) * 2).sum() + xp.sin(c)[0])(1.0)
    names = [eqn.primitive.name for eqn in made.eqns]
    assert (len(made.consts), names) == (1, ["sin", "multiply", "sum", "add", "sin", "getitem", "add"])
    assert jax.core.eval_jaxpr(made.jaxpr, made.consts, 1.0)[0] == 1 + (xp.sin(c) * 2).sum() + xp.sin(c)[0]
    inner = jax.make_jaxpr(lambda x: jax.lax.scan(lambda s, _: (s + xp.cos(c).sum(), None), x, length=2)[0])(1.0)
    assert (len(inner.consts), [len(eqn.params["jaxpr"].eqns) for eqn in inner.eqns]) == (1, [3])
    # The elements of constants are known, those of what functions make of them are not.
    assert jax.make_jaxpr(lambda x: x + xp.arange(int(n)) + float(xp.asarray(n)))(1.0).out_avals[0].shape == (3,)
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.make_jaxpr(lambda x: x + int(n + 1))(1.0)


@pytest.mark.parametrize("transform", [jax.vmap, lambda f: jax.vmap(jax.grad(f)), lambda f: jax.vmap(jax.jacfwd(f))])
def test_calls_of_operands_of_transformations_around_a_program_are_recorded(transform):
    """As in JAX 0.10.2; the number of constants does not depend on what they are."""
    seen = []

    def function(y):
        def body(x):
            return x * xp.sin(y) + xp.cos(y) ** 2

        made = jax.make_jaxpr(body)(1.0)
        seen.append(len(made.consts))
        converted, consts = jax.closure_convert(body, 1.0)
        return jax.core.eval_jaxpr(made.jaxpr, made.consts, 2.0)[0] + converted(2.0, *consts)

    def expected(y):
        return 2 * (2 * xp.sin(y) + xp.cos(y) ** 2)

    x = xp.asarray([0.5, 1.5], dtype="float32")
    assert xp.allclose(transform(function)(x), transform(expected)(x), rtol=1e-6)
    assert seen == [1]


@pytest.mark.parametrize(
    "function, expected",
    [
        (lambda x: xp.sum(x, where=x > 2), 12),
        (lambda x: xp.max(x, initial=2 * x[5]), 10),
        (lambda x: xp.clip(x, max=x[1])[4], 1),
        (lambda x: xp.pad(x, 1, constant_values=x[3])[0], 3),
        (lambda x: xp.take(x, indices=xp.asarray(x, dtype="int32"))[4], 4),
    ],
)
def test_operands_by_name_are_those_of_the_call(function, expected):
    x, found = xp.arange(6.0), jax.make_jaxpr(function)(xp.zeros(6))
    assert jax.core.eval_jaxpr(found.jaxpr, found.consts, x)[0] == expected
    assert [jax.jit(function)(x).item() for _ in range(2)] == [expected] * 2
