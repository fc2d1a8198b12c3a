"""Functions that are computed again for their derivatives backward."""

import collections
import tracemalloc

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import ad_checkpoint, lax

X = np.array([0.5, 1.0, 2.0], np.float32)
POLICIES = jax.checkpoint_policies
NAMED = jax.ad_checkpoint.checkpoint_name
W = xp.asarray([[0.5, -0.25], [1.0, 0.75]])


def test_checkpoint_computes_again_what_the_tape_does_not_hold():
    calls = []

    def layer(w, x):
        calls.append(type(w).__name__)
        for _ in range(20):
            x = xp.tanh(w * x)
        return x

    def plain(w):
        return layer(w, layer(w, X)).sum()

    def saving(w):
        inner = jax.checkpoint(lambda x: layer(w, x))  # w is in a closure
        return jax.remat(layer)(w, inner(w * X)).sum()

    def reference(w):
        return layer(w, layer(w, w * X)).sum()

    assert np.allclose(jax.grad(saving)(0.9), jax.grad(reference)(0.9), rtol=1e-6)
    assert np.allclose(jax.hessian(saving)(0.9), jax.hessian(reference)(0.9), rtol=1e-5)
    assert np.allclose(jax.vmap(jax.grad(saving))(X), jax.vmap(jax.grad(reference))(X), rtol=1e-5)
    calls.clear()
    value, back = jax.vjp(saving, 0.9)
    before = len(calls)
    back(xp.ones_like(value))
    assert (before, len(calls)) == (2, 4)
    assert np.allclose(jax.grad(plain)(0.9), jax.grad(lambda w: jax.checkpoint(plain)(w))(0.9), rtol=1e-6)


class Counter:
    """A watcher that counts calls."""

    def __init__(self):
        self.calls = collections.Counter()

    def __call__(self, function, args, kwargs):
        self.calls[function.name] += 1
        return function(*args, **kwargs)


def layers(x):
    """Return a number by a product of matrices, one of stacks of them, and named sines."""
    a = NAMED(xp.sin(x @ W), "first")
    b = NAMED(xp.cos(xp.stack([a, x]) @ xp.stack([x, x])), "second")
    return xp.sum(b * jax.lax.stop_gradient(xp.tanh(a)))


@for_each(
    "policy, kept",
    [
        (None, ""),
        (POLICIES.nothing_saveable, ""),
        (POLICIES.everything_saveable, "matmul stacks sin cos tanh"),
        (lambda *_, **__: True, "matmul stacks sin cos tanh"),
        (POLICIES.save_anything_except_these_names("first"), "matmul stacks sin cos tanh"),
        (POLICIES.dots_saveable, "matmul stacks"),
        (POLICIES.checkpoint_dots, "matmul stacks"),
        (POLICIES.dots_with_no_batch_dims_saveable, "matmul"),
        (POLICIES.offload_dot_with_no_batch_dims("device", "pinned_host"), "matmul"),
        (POLICIES.save_only_these_names("first"), "sin"),
        (POLICIES.save_any_names_but_these("first"), "cos"),
        (
            POLICIES.save_from_both_policies(POLICIES.dots_saveable, POLICIES.save_only_these_names("first")),
            "matmul stacks sin",
        ),
        (
            POLICIES.save_and_offload_only_these_names(
                names_which_can_be_saved=["first"],
                names_which_can_be_offloaded=["second"],
                offload_src="device",
                offload_dst="pinned_host",
            ),
            "sin cos",
        ),
        (lambda operation, *_, **__: str(operation) == "tanh", "tanh"),
        (lambda operation, *_, **__: operation is jax.lax.dot_general_p, "matmul stacks"),
    ],
)
def test_what_a_policy_keeps_is_not_computed_again(policy, kept):
    x = xp.asarray([[1.0, 2.0], [-0.5, 0.25]])
    value, back = jax.vjp(layers, x)
    program = jax.checkpoint(layers, policy=policy)
    again, saving = jax.vjp(program, x)
    plain, counted = Counter(), Counter()
    with xp.config.use(watcher=plain):
        (expected,) = back(xp.ones_like(value))
    with xp.config.use(watcher=counted):
        (found,) = saving(xp.ones_like(value))
    assert again.item() == value.item()
    assert np.array_equal(found, expected)
    more = counted.calls - plain.calls  # slopes are computed forward, or again
    names = kept.split()
    everything = policy is POLICIES.everything_saveable
    assert more["matmul"] == 2 - len({"matmul", "stacks"} & {*names})
    assert more["tanh"] == 1 - ("tanh" in names)
    assert more["sin"] == (0 if everything else 2 - ("sin" in names))  # one is the slope of the cosine
    assert more["cos"] == (0 if everything else 2 - ("cos" in names))
    hessian = jax.hessian(lambda y: program(y) + 0.0)(x)
    assert np.allclose(hessian, jax.hessian(layers)(x), rtol=1e-5, atol=1e-6)
    assert np.allclose(jax.vmap(jax.grad(program))(xp.stack([x, W]))[0], expected, rtol=1e-5)


def test_policies_see_the_operations_of_jax():
    seen = []

    def policy(operation, *avals, **params):
        seen.append((operation.name, [str(one) for one in avals], params.get("dimension_numbers", ((), ((),)))[1][0]))
        return False

    def program(x):
        y = xp.einsum("bij,bjk->bik", x, x) - xp.negative(x)
        return xp.sum(NAMED(xp.vecdot(y, x) * xp.outer(y[0, 0], x[0, 0])[0], "end"))

    jax.vjp(jax.checkpoint(program, policy=policy), xp.ones((1, 2, 2)))
    assert seen[:4] == [
        ("dot_general", ["float32[1,2,2]", "float32[1,2,2]"], (0,)),
        ("neg", ["float32[1,2,2]"], ()),
        ("sub", ["float32[1,2,2]", "float32[1,2,2]"], ()),
        ("dot_general", ["float32[1,2,2]", "float32[1,2,2]"], (0, 1)),
    ]
    assert [name for name, _, _ in seen].count("dot_general") == 2
    assert "name" in [name for name, _, _ in seen]


def test_policies_of_all_kinds_of_programs():
    @jax.custom_vjp
    def doubled(x):
        return 2 * x

    doubled.defvjp(lambda x: (2 * x, None), lambda _, ct: (3 * ct,))

    def program(tree, n):
        a, b = tree["a"], tree["b"]
        inner = jax.checkpoint(lambda y: xp.sin(y) * a, policy=POLICIES.dots_saveable)  # a is in a closure
        values, vectors = xp.linalg.eigh(a + a.T)
        c = jax.nn.softmax(doubled(inner(b))) + values @ vectors
        d = jax.lax.scan(lambda carry, row: (carry + xp.dot(row, row), carry), xp.sum(c), a)[0]
        return {"c": jax.vmap(lambda row: row @ a)(a) * d, "n": xp.argmax(c) + n}

    tree, saving = {"a": W, "b": W[0]}, jax.checkpoint(program, policy=POLICIES.dots_saveable)
    for transform in (lambda f: jax.grad(lambda t: f(t, 2)["c"].sum())(tree), lambda f: f(tree, 2)):
        found, expected = jax.tree.leaves(transform(saving)), jax.tree.leaves(transform(program))
        assert all(np.allclose(x, y, rtol=1e-6) for x, y in zip(found, expected, strict=True))


def test_names_of_values():
    found = NAMED({"a": X, "b": 2.0}, "both")
    assert np.array_equal(found["a"], X)
    assert str(jax.make_jaxpr(lambda x: NAMED(x, "one"))(X)) == (
        "{ lambda ; a:f32[3]. let b:f32[3] = ad_checkpoint.name[name='one'] a in (b,) }"
    )
    assert np.array_equal(jax.vmap(lambda x: NAMED(x, "each"))(X), X)
    assert jax.jvp(lambda x: NAMED(x, "one"), (1.0,), (2.0,))[1].item() == 2


def test_wrong_policies():
    with pytest.raises(ValueError, match="policies return bools"):
        both = POLICIES.save_from_both_policies(POLICIES.dots_saveable, lambda *_, **__: jax.ad_checkpoint.Saveable)
        jax.vjp(jax.checkpoint(xp.sin, policy=both), 1.0)
    with pytest.raises(ValueError, match=r"\['a'\] in both"):
        POLICIES.save_and_offload_only_these_names(
            names_which_can_be_saved=["a", "b"], names_which_can_be_offloaded=["a"], offload_src="", offload_dst=""
        )
    assert not hasattr(POLICIES, "other")


def test_numbers_are_arrays_within():
    assert jax.checkpoint(lambda x: x.sum() * 2)(3.0).item() == 6
    assert jax.checkpoint(lambda x, n: x * n.bit_length(), static_argnums=1)(3.0, 4).item() == 9


def test_a_jitted_gradient_of_checkpointed_functions_holds_less():
    weights, x = xp.ones((128, 128)) / 128, xp.ones((128, 128))

    def block(x):
        for _ in range(8):
            x = xp.sin(x @ weights)
        return x

    def peak(block):
        def loss(x):
            for _ in range(6):
                x = block(x)
            return xp.sum(x)

        gradient = jax.jit(jax.grad(loss))
        found = gradient(x)
        tracemalloc.start()
        gradient(x)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most / x.nbytes, found

    (plain, expected), (least, found) = peak(block), peak(jax.checkpoint(block))
    assert 2.5 * least < plain
    assert (found == expected).all()


def test_closures_over_mapped_operands():  # values of JAX
    x, y = xp.asarray([0.5, -1.0, 2.0]), xp.asarray([1.0, 2.0, 3.0])

    def program(a, b, w):
        return jax.vmap(lambda a, b: jax.checkpoint(lambda v: v * v * b * w)(a))(a, b).sum()

    found = jax.grad(program, (0, 1, 2))(x, y, 1.5)
    assert [g.tolist() for g in found] == [[1.5, -6.0, 18.0], [0.375, 1.5, 6.0], 14.25]
    value, moved = jax.jvp(program, (x, y, 1.5), (x, y, 1.5))
    assert (float(value), float(moved)) == (21.375, 85.5)
    squares = jax.grad(lambda *xs: (jax.grad(program, 1)(*xs) ** 2).sum(), (0, 1, 2))(x, y, 1.5)
    assert [g.tolist() for g in squares] == [[1.125, -9.0, 72.0], [0.0, 0.0, 0.0], 51.1875]
    policy = {"policy": POLICIES.dots_saveable}
    outer = jax.grad(lambda w: jax.vmap(lambda a: jax.checkpoint(lambda w: w * w * a, **policy)(w))(x).sum())
    assert float(outer(3.0)) == 9.0


def test_closures_over_operands_of_an_inner_derivative():  # values of JAX
    inner = jax.grad(lambda a, b: jax.checkpoint(lambda v: v**3 * b**2)(a), 1)
    assert [float(g) for g in jax.grad(inner, (0, 1))(2.0, 3.0)] == [72.0, 16.0]


def test_collectives_within_what_is_computed_again():  # values of JAX
    x, y = xp.asarray([0.5, -1.0, 2.0]), xp.asarray([1.0, 2.0, 3.0])

    def program(a, b):
        return jax.vmap(lambda a, b: jax.checkpoint(lambda v: v * v * b * lax.psum(b, "i"))(a), axis_name="i")(a, b).sum()

    assert [g.tolist() for g in jax.grad(program, (0, 1))(x, y)] == [[6.0, -24.0, 72.0], [15.75, 20.25, 38.25]]


def test_a_recorded_derivative_computes_again_what_it_needs():  # as JAX's tests of checkpointed choices and loops
    def choice(x):
        return lax.cond(x > 0, lambda c: xp.sin(xp.sin(c)), lambda c: xp.cos(c) * 2, x)

    def loop(x):
        return lax.scan(lambda c, _: ((xp.sin(c[0]), xp.tan(c[1])), c[1] * 2), (x, x), None, length=3)[0][0]

    for fun, sines, tangents in ((choice, 2, 0), (loop, 1, 1)):
        _, derivative = jax.linearize(jax.checkpoint(fun), 4.0)
        program = jax.make_jaxpr(derivative)(1.0)
        assert (str(program).count(" sin "), str(program).count(" tan ")) == (sines, tangents)
        assert np.allclose(jax.core.eval_jaxpr(program.jaxpr, program.consts, 2.0)[0], 2 * jax.grad(fun)(4.0), rtol=1e-6)
        assert np.allclose(jax.vmap(derivative)(X), X * jax.grad(fun)(4.0), rtol=1e-6)
    calls = []

    def shown(x):
        jax.debug.callback(lambda: calls.append(1))
        return lax.cond(x > 0, lambda c: (jax.debug.callback(lambda: calls.append(2)), xp.sin(c))[1], lambda c: c, x)

    jax.jit(jax.linearize(jax.checkpoint(shown), 4.0)[1])(1.0)
    assert calls == [1, 2] * 2  # effects are not left out


def test_what_is_saved_is_called_once():  # which JAX refuses
    calls = []

    def program(x):
        return xp.sin(x) * jax.experimental.io_callback(
            lambda: calls.append(1) or np.float32(2), jax.ShapeDtypeStruct((), "float32")
        )

    found = jax.grad(jax.checkpoint(program, policy=jax.checkpoint_policies.everything_saveable))(0.0)
    assert (found, calls) == (2, [1])


WEIGHTS = xp.ones((3, 3))
POLICIES = jax.checkpoint_policies


def program(x, q, scale=2.0):
    """Return a number by a product of matrices and a named value."""
    y = xp.sin(x @ WEIGHTS)
    return xp.sum(ad_checkpoint.checkpoint_name(xp.exp(y), "e") * q["a"]) * scale


def printed(capsys, f, *args, **kwargs):
    """Return the lines that are printed, without paths of files and numbers of lines."""
    ad_checkpoint.print_saved_residuals(f, *args, **kwargs)
    lines = capsys.readouterr().out.splitlines()
    assert all(" from " not in line or line.endswith((" (program)", "x", "']", "scale", "constant")) for line in lines)
    return [line.partition(f" from {__file__}")[0] for line in lines]


def test_what_a_tape_holds(capsys):
    x, q = xp.ones(3), {"a": xp.ones(3)}
    arguments = ["f32[3] from the argument x", "f32[3] from the argument q['a']"]
    assert printed(capsys, jax.checkpoint(program), x, q) == arguments
    dots = jax.checkpoint(program, policy=POLICIES.dots_saveable)
    assert printed(capsys, dots, x, q=q) == [*arguments, "f32[3] output of matmul"]
    names = jax.checkpoint(program, policy=POLICIES.save_only_these_names("e"))
    assert printed(capsys, names, x, q) == [*arguments, "f32[3] named 'e'"]
    scaled = printed(capsys, jax.checkpoint(program), x, q, scale=3.0)
    assert scaled == [*arguments, "f32[] from the argument scale"]
    everything = printed(capsys, program, x, q)
    assert {*arguments, "f32[3,3] from a constant", "f32[3] output of cos", "f32[3] named 'e'"} <= {*everything}
    assert printed(capsys, lambda x: 2.0, x) == []


def test_a_tape_holds_what_slopes_need_alone(capsys):
    """As many lines as JAX prints, but for one for the literal of ``* 2``, and one for the operand of the square."""

    def program(x):
        return xp.sin(xp.sin(x)) * 2

    assert printed(capsys, program, xp.ones(3)) == ["f32[3] output of cos"] * 2

    def network(v, w, x):
        return xp.sum(xp.tanh(xp.tanh(x @ v) @ w) ** 2)

    ad_checkpoint.print_saved_residuals(network, xp.ones((3, 4)), xp.ones((4, 2)), xp.ones((5, 3)))
    lines = [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert sorted(lines) == ["f32[3,4]", "f32[4,2]", *["f32[5,2]"] * 2, "f32[5,3]", *["f32[5,4]"] * 2]


def test_second_derivatives_of_functions_with_a_rule_backward():  # values of JAX
    ruled = jax.custom_vjp(lambda x, y: x * y)
    ruled.defvjp(lambda x, y: (x * y, (x, y)), lambda kept, ct: (2 * ct * kept[1], ct * kept[0]))
    program = jax.checkpoint(lambda x: xp.sin(ruled(x, x)) * x)
    for second in (jax.hessian(program), jax.grad(jax.grad(program)), jax.jit(jax.hessian(program))):
        np.testing.assert_allclose(second(2.0), 25.868221, rtol=1e-5)
    with pytest.raises(TypeError, match="can't apply forward-mode"):
        jax.jvp(program, (2.0,), (1.0,))
