"""Checks that are collected: expected values are those of JAX 0.10.2."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.jax.experimental import checkify
from supremum.jax.experimental.checkify import check

NAN = checkify.nan_checks
HOWS = pytest.mark.parametrize("how", [lambda f: f, jax.jit], ids=["called", "jitted"])


def found(f, *args, errors=checkify.user_checks, how=lambda f: f):
    """Return the message of the error, and the result."""
    error, out = how(checkify.checkify(f, errors=errors))(*args)
    return error.get(), out


def positive(x):
    check(x > 0, "{x} is not positive", x=x)
    return x * 2


@HOWS
def test_a_check_that_fails_is_an_error(how):
    for x, message in ((1.0, None), (-1.0, "-1.0 is not positive (`check` failed)")):
        assert found(positive, xp.float32(x), how=how) == (message, 2 * x)


@HOWS
def test_the_first_error_is_told(how):
    def f(x):
        check(x > 0, "first {}", x)
        check(x > 1, "second")
        return x

    messages = [found(f, xp.float32(x), how=how)[0] for x in (-1, 0.5, 2)]
    assert messages == ["first -1.0 (`check` failed)", "second (`check` failed)", None]


def test_an_error_is_thrown_as_a_valueerror():
    error, _ = checkify.checkify(positive)(xp.float32(-1))
    with pytest.raises(checkify.JaxRuntimeError, match=r"-1\.0 is not positive"):
        error.throw()
    with pytest.raises(ValueError, match=r"-1\.0 is not positive"):
        checkify.check_error(error)
    assert str(error) == "Error(-1.0 is not positive (`check` failed))"
    assert type(error.get_exception()).__name__ == "FailedCheckError"
    assert jax.jit(lambda e: e)(jax.tree.map(lambda x: x, error)).get() == error.get()
    none, _ = checkify.checkify(positive)(xp.float32(1))
    assert (none.get(), none.get_exception(), none.throw(), checkify.init_error.get()) == (None, None, None, None)


def test_outside_of_checkify_a_check_raises():
    check(True, "fine")
    for call in (lambda: positive(xp.float32(-1)), lambda: jax.vmap(positive)(xp.asarray([1.0, -1.0]))):
        with pytest.raises(checkify.JaxRuntimeError, match=r"-1\.0 is not positive"):
            call()
    with pytest.raises(ValueError, match=r"Cannot abstractly evaluate a checkify\.check"):
        jax.jit(positive)(1.0)
    assert jax.eval_shape(positive, 1.0).shape == ()
    assert "check[" in str(jax.make_jaxpr(positive)(1.0))


def test_wrong_arguments():
    for pred in (xp.ones(2) > 0, 1, xp.ones(())):
        with pytest.raises(TypeError, match="check takes a scalar pred as argument"):
            check(pred, "no")
    with pytest.raises(TypeError, match=r"Formatting arguments to checkify\.check need to be PyTrees of arrays, but got 3"):
        check(False, "no {}", 3)
    with pytest.raises(TypeError, match="check_error takes an Error as argument"):
        checkify.check_error(3)


def scanned(n):
    def body(c, x):
        check(x < 3, "{x} at {c}", x=x, c=c)
        return c + 1, x * 2

    return lax.scan(body, 0, xp.arange(n))


def repeated(n):
    def body(c):
        check(c < 3, "c is {}", c)
        return c + 1

    return lax.while_loop(lambda c: c < n, body, 0)


def watched(n):
    def holds(c):
        check(c < 3, "c is {}", c)
        return c < n

    return lax.while_loop(holds, lambda c: c + 1, 0)


def counted(n):
    return lax.fori_loop(0, n, lambda i, c: check(i < 3, "i is {}", i) or c + i, 0)


def mapped(n):
    return lax.map(lambda x: check(x < 3, "x is {}", x) or x, xp.arange(n))


@pytest.mark.parametrize(
    ("loop", "message"),
    [(scanned, "3 at 3"), (repeated, "c is 3"), (watched, "c is 3"), (counted, "i is 3"), (mapped, "x is 3")],
)
@HOWS
def test_loops_carry_errors(loop, message, how):
    assert found(lambda: loop(2), how=how)[0] is None
    assert found(lambda: loop(6), how=how)[0] == f"{message} (`check` failed)"


@HOWS
def test_of_choices_the_branch_that_is_taken_is_checked(how):
    def f(p, x):
        yes, no = (lambda x: check(x > 0, "yes {}", x) or x), (lambda x: check(x > 5, "no") or x)
        return lax.cond(p, yes, no, x), lax.switch(xp.int32(p), [no, yes], x)

    for p, x, message in ((True, 1, None), (True, -1, "yes -1.0 (`check` failed)"), (False, 1, "no (`check` failed)")):
        assert found(f, p, xp.float32(x), how=how)[0] == message


def test_vmap_of_checks_tells_where():
    rows = xp.asarray([1.0, -1.0, -2.0])
    for mapped_function in (jax.vmap(checkify.checkify(positive)), jax.jit(jax.vmap(checkify.checkify(positive)))):
        error, _ = mapped_function(rows)
        assert error.get() == (
            "at mapped index 1: -1.0 is not positive (`check` failed)\n"
            "at mapped index 2: -2.0 is not positive (`check` failed)"
        )
        with pytest.raises(ValueError, match=r"^-2\.0 is not positive"):
            error.throw()
    assert found(jax.vmap(positive), rows)[0] == "-2.0 is not positive (`check` failed)"
    nan, _ = jax.vmap(checkify.checkify(xp.log, errors=checkify.nan_checks))(rows)
    assert nan.get() == "\n".join([f"at mapped index {i}: nan generated by primitive: log." for i in (1, 2)])


def test_derivatives_of_checks_and_checks_of_derivatives():
    assert found(jax.grad(positive), xp.float32(-3)) == ("-3.0 is not positive (`check` failed)", 2)
    assert jax.grad(lambda x: checkify.checkify(positive, errors=checkify.all_checks)(x)[1])(3.0) == 2
    assert found(jax.grad(xp.sqrt), xp.float32(-1), errors=checkify.nan_checks)[0] == "nan generated by primitive: sqrt."

    @jax.custom_jvp
    def own(x):
        return xp.sin(x)

    own.defjvp(lambda primals, tangents: (own(*primals), 7 * tangents[0]))
    assert jax.grad(lambda x: checkify.checkify(own, errors=checkify.float_checks)(x)[1])(1.0) == 7


@pytest.mark.parametrize(
    ("f", "args", "errors", "message"),
    [
        (lambda x: xp.sin(x) + 1, (np.inf,), checkify.float_checks, "sin"),
        (lambda x: x * 0, (np.inf,), NAN, "mul"),
        (lambda x: x - x, (np.inf,), NAN, "sub"),
        (lambda x: x + 1, (np.nan,), NAN, "add"),
        (lambda x: x**0.5, (-1,), NAN, "pow"),
        (lambda x: x @ xp.ones(2, dtype="float32"), ([np.inf, -np.inf],), NAN, "dot_general"),
        (lambda x: xp.where(x > 0, x, 1), (np.nan,), NAN, None),
        (lambda x: xp.maximum(x, 0), (np.nan,), NAN, None),
        (lambda x: xp.reshape(x, (1,)), (np.nan,), NAN, None),
        (lambda x: lax.scan(lambda c, y: (c + xp.log(y), y), 0.0, x), ([1, -1],), NAN, "log"),
        (lambda x: lax.cond(x[0] > 0, xp.sin, xp.cos, x[1]), ([1, np.inf],), NAN, "sin"),
        (lambda x: lax.while_loop(lambda c: c > -3, lambda c: xp.where(c > -1, c - 1, xp.log(c)), x), (1,), NAN,
         "log"),
        (lambda x: lax.associative_scan(xp.multiply, x), ([1, np.inf, 0],), NAN, "mul"),
        (jax.vmap(xp.log), ([1, -1],), NAN, "log"),
        (jax.jit(lambda x: xp.sin(x) * 2), (np.inf,), NAN, "sin"),
        (lambda x, y: x / y, ([1, 2], [1, 0]), checkify.div_checks, "division by zero"),
        (lambda x: x / xp.linalg.norm(x), ([0, 0],), checkify.float_checks, "division by zero"),
        (lambda x: positive(x) / 0, (-1,), checkify.float_checks, "division by zero"),
        (lambda x: positive(x) / 0, (-1,), checkify.all_checks, "-1.0 is not positive (`check` failed)"),
    ],
)  # fmt: skip
@HOWS
def test_functions_are_checked(f, args, errors, message, how):
    assert found(f, *[xp.asarray(x, dtype="float32") for x in args], errors=errors, how=how)[0] == (
        f"nan generated by primitive: {message}." if message and " " not in message else message
    )


INDEXED = {
    "x[i]": (lambda x, i: x[i], (3,), [5], "index 5 is out of bounds for axis 0 with size 3"),
    "x[-i]": (lambda x, i: x[i], (3,), [-5], "index -2 is out of bounds for axis 0 with size 3"),
    "last": (lambda x, i: x[i], (3,), [-1, 2], None),
    "x[:, i]": (lambda x, i: x[:, i], (2, 3), [0, 4], "index 4 is out of bounds for axis 1 with size 3"),
    "x[..., i]": (lambda x, i: x[..., i], (2, 3), [0, 4], "index 4 is out of bounds for axis 1 with size 3"),
    "x[i, j]": (lambda x, i: x[i, i + 3], (2, 3), [0, 20], "index 3 is out of bounds for axis 1 with size 3"),
    "tuples": (lambda x, i: x[(i[0], i[1]), (0, 1)], (2, 3), [0, 4], "index 4 is out of bounds for axis 0 with size 2"),
    "set": (lambda x, i: x.at[i].set(1), (3,), [5], "index 5 is out of bounds for axis 0 with size 3"),
    "add": (lambda x, i: x.at[i].add(1), (3,), [0, 3], "index 3 is out of bounds for axis 0 with size 3"),
    "get": (lambda x, i: x.at[i].get(), (3,), [0, 3], "index 3 is out of bounds for axis 0 with size 3"),
    "take": (lambda x, i: xp.take(x, i, axis=1), (2, 3), [0, 3], "index 3 is out of bounds for axis 1 with size 3"),
    "slice": (lambda x, i: lax.dynamic_slice(x, (i[0],), (2,)), (3,), [2], "index 2 is out of bounds for axis 0 with size 3"),
    "update": (
        lambda x, i: lax.dynamic_update_slice(x, x[:2], (i[0],)), (3,), [2], "index 2 is out of bounds for axis 0 with size 3"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", INDEXED)
@HOWS
def test_indices_are_checked(case, how):
    f, shape, index, message = INDEXED[case]
    error, _ = found(f, xp.ones(shape), xp.asarray(index), errors=checkify.index_checks, how=how)
    assert error == (message and f"out-of-bounds indexing for array of shape {shape}: {message}. ")


def test_errors_are_raised_within_checkify_again():
    def f(x):
        error, out = jax.jit(checkify.checkify(positive))(x)
        checkify.check_error(error)
        return out

    assert f(xp.float32(1)) == 2
    for how in (lambda f: f, jax.jit):
        assert found(f, xp.float32(-1), how=how)[0] == "-1.0 is not positive (`check` failed)"
    outer, (inner, _) = checkify.checkify(checkify.checkify(positive))(xp.float32(-1))
    assert (outer.get(), inner.get()) == (None, "-1.0 is not positive (`check` failed)")


@HOWS
def test_debug_checks_are_made_within_checkify_alone(how):
    def f(x):
        checkify.debug_check(x != 0, "zero!")
        return x

    assert how(f)(0) == 0
    assert found(f, 0, how=how)[0] == "zero! (`check` failed)"


def test_a_jitted_function_is_checked_each_time_anew():
    f = jax.jit(lambda x: lax.fori_loop(0, 3, lambda i, c: check(c + i < 3, "c") or c + 1, x))
    for _ in range(2):
        assert [found(f, x)[0] for x in (-2, 1, -2)] == [None, "c (`check` failed)", None]


def test_the_body_of_a_loop_in_a_program_is_recorded_once():
    calls = []

    def body(c, x):
        calls.append(x)
        return c + xp.log(x), None

    program = jax.jit(checkify.checkify(lambda x: lax.scan(body, 0.0, x), errors=checkify.all_checks))
    assert program(xp.ones(500))[0].get() is None
    assert program(-xp.ones(500))[0].get() == "nan generated by primitive: log."
    assert len(calls) <= 2
