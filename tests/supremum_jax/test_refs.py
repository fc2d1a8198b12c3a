"""References to arrays: expected values are those of JAX 0.10.2."""

import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax


def held(*refs):
    return [ref[...].tolist() for ref in refs]


@pytest.mark.parametrize("policy", [None, jax.checkpoint_policies.dots_saveable, jax.checkpoint_policies.everything_saveable])
def test_references_that_checkpointed_functions_set(policy):
    """The values of JAX 0.10.2."""
    x, ref = xp.arange(3.0) + 1, jax.new_ref(xp.zeros(3))

    def program(x):
        ref[...] = jax.lax.stop_gradient(x)
        return (xp.sin(x) * ref[...]).sum()

    assert xp.allclose(jax.grad(jax.checkpoint(program, policy=policy))(x), xp.cos(x) * x)
    assert ref[...].tolist() == [1, 2, 3]


def test_they_are_read_and_written_to_by_indices():
    ref = jax.new_ref(xp.arange(5))
    assert (ref.shape, ref.ndim, ref.size, ref.dtype, len(ref), repr(ref.aval)) == ((5,), 1, 5, "int32", 5, "Ref{int32[5]}")
    assert ref[1:3].tolist() == [1, 2]
    assert jax.ref.get(ref, slice(3, None)).tolist() == [3, 4]
    ref[1] = 10
    ref[2:4] = xp.ones(2, dtype="int32")
    assert (jax.ref.swap(ref, 4, 7), held(ref)) == (4, [[0, 10, 1, 1, 7]])
    ref.addupdate(5, 0)
    jax.ref.addupdate(ref, 1, 1)
    assert held(ref) == [[5, 11, 1, 1, 7]]
    assert repr(ref) == "Ref([ 5, 11,  1,  1,  7], dtype=int32)"
    assert jax.freeze(ref).tolist() == [5, 11, 1, 1, 7]
    assert isinstance(ref, jax.Ref)
    assert not isinstance(ref, jax.Array)


def test_they_hold_copies_and_give_copies():
    x = xp.zeros(2)
    ref = jax.new_ref(x)
    x[0] = 1.0
    given = ref[...]
    given[1] = 2.0
    ref[0] = 3.0
    assert (x.tolist(), given.tolist(), held(ref)) == ([1, 0], [0, 2], [[3, 0]])


@pytest.mark.parametrize(
    ("ref", "idx", "value", "message"),
    [
        (xp.zeros(5), ..., 1.0, r"Invalid shape for `swap`. Ref shape: \(5,\). Expected shape: \(5,\). Value shape: \(\)."),
        (xp.zeros(5), slice(1, 3), 1.0, r"Expected shape: \(2,\). Value shape: \(\)."),
        (xp.zeros(3, dtype="int32"), 0, 1.0, "Ref dtype: int32. Value dtype: float32."),
        (xp.zeros(3), 0, 1, "Ref dtype: float32. Value dtype: int32."),
        (xp.zeros(5), 7, 1.0, "Out of bound indexer: idx=7, dim=5."),
    ],
)
def test_values_have_the_shape_and_the_dtype_of_the_part(ref, idx, value, message):
    ref = jax.new_ref(ref)
    before = held(ref)
    with pytest.raises(ValueError, match=message):
        ref[idx] = value
    with pytest.raises(ValueError, match=message.replace("swap", "addupdate")):
        ref.addupdate(value, idx)
    assert held(ref) == before


def test_numbers_and_integers_are_cast():
    small, half = jax.new_ref(xp.zeros((), dtype="int8")), jax.new_ref(xp.zeros((), dtype="bfloat16"))
    small[...], half[...] = 300, 1.5
    assert held(small, half) == [44, 1.5]
    with pytest.raises(ValueError, match="Invalid dtype"):
        half[...] = xp.float32(1.5)


def test_they_are_no_arrays():
    ref = jax.new_ref(xp.arange(3.0))
    for call in (xp.sin, xp.asarray, float):
        with pytest.raises(TypeError):
            call(ref)
    with pytest.raises(TypeError):
        ref + 1
    with pytest.raises(ValueError, match="on a `Ref`"):
        jax.ref.get(xp.ones(1))


def test_jitted_functions_refer_to_them():
    ref, calls = jax.new_ref(xp.zeros(3)), []

    @jax.jit
    def step(x):
        calls.append(x)
        ref[1] += x
        return ref[...] * 2

    assert [step(1.0).tolist(), step(2.0).tolist()] == [[0, 2, 0], [0, 6, 0]]
    ref[1] = 10.0
    assert (step(1.0).tolist(), held(ref), len(calls)) == ([0, 22, 0], [[0, 11, 0]], 1)


def test_jitted_functions_take_them():
    calls = []

    @jax.jit
    def step(state, x):
        calls.append(x)
        state["w"][...] += x * state["b"]
        return state["w"][...]

    one = {"w": jax.new_ref(xp.zeros(2)), "b": xp.ones(2)}
    other = {"w": jax.new_ref(xp.ones(2)), "b": xp.ones(2)}
    assert [step(one, 2.0).tolist(), step(other, 3.0).tolist()] == [[2, 2], [4, 4]]
    assert (held(one["w"], other["w"]), len(calls)) == ([[2, 2], [4, 4]], 1)
    with jax.disable_jit():
        step(one, 1.0)
    assert held(one["w"]) == [[3, 3]]


def test_one_that_is_given_twice_or_returned_is_refused():
    ref = jax.new_ref(0.0)
    for call in (
        lambda: jax.jit(lambda a, b: a[...] + b[...])(ref, ref),
        lambda: jax.jit(lambda a: a[...] + ref[...])(ref),
        lambda: jax.vmap(lambda a, b: None)(*[jax.new_ref(xp.ones(2))] * 2),
        lambda: lax.cond(True, lambda a, b: 1, lambda a, b: 2, ref, ref),
    ):
        with pytest.raises(ValueError, match="only one reference"):
            call()
    for call in (
        lambda: jax.jit(lambda a: a)(ref),
        lambda: jax.jit(lambda: jax.new_ref(1.0))(),
        lambda: lax.scan(lambda c, x: (c, jax.new_ref(x)), 0, xp.arange(3)),
        lambda: lax.scan(lambda c, _: (c, None), ref, None, length=2),
        lambda: lax.cond(True, lambda: jax.new_ref(1.0), lambda: jax.new_ref(2.0)),
    ):
        with pytest.raises(ValueError, match="returned a mutable array reference"):
            call()


def scanned():
    ref, other = jax.new_ref(xp.zeros(2)), jax.new_ref(1)

    def body(c, x):
        ref[0] += x
        other[...] = other[...] * 2
        return c + ref[1] + x, other[...]

    last, ys = lax.scan(body, 0.0, xp.arange(5.0))
    return last, ys, ref[...], other[...]


def nested():
    ref = jax.new_ref(0)

    def inner(c, x):
        ref[...] += x
        return c + ref[...], None

    def body(c, x):
        c, _ = lax.scan(inner, c, xp.arange(3))
        ref[...] += 1
        return c, ref[...]

    return *lax.scan(body, 0, xp.arange(4)), ref[...]


def scanned_over():
    ref = jax.new_ref(xp.arange(5.0))

    def body(c, x):
        x[...] += c
        return c + 1.0, x[...]

    return *lax.scan(body, 0.0, ref, reverse=True), ref[...]


def counted():
    ref = jax.new_ref(xp.zeros(4))

    def body(i, c):
        ref[i] = c
        return c * 2.0

    return lax.fori_loop(0, 3, body, 1.0), ref[...]


def repeated():
    ref = jax.new_ref(0)

    def body(c):
        ref[...] += c
        return c + 1

    return lax.while_loop(lambda c: c < 4, body, 0), ref[...]


def read():
    ref = jax.new_ref(5)
    return (lax.while_loop(lambda c: c < ref[...], lambda c: c + 1, 0),)


def chosen():
    ref, other = jax.new_ref(0), jax.new_ref(0)

    def body(c, x):
        lax.cond(x % 2 == 0, lambda: ref.addupdate(x), lambda: other.addupdate(10 * x))
        return c, lax.switch(x, [lambda: ref[...], lambda: other[...], lambda: x])

    return *lax.scan(body, 0, xp.arange(5)), ref[...], other[...]


def given():
    ref = jax.new_ref(1.0)
    found = lax.cond(True, lambda r, x: r.addupdate(x) or r[...], lambda r, x: x, ref, 2.0)
    return found, ref[...]


LOOPS = {
    scanned: [10, [2, 4, 8, 16, 32], [10, 0], 32],
    nested: [88, [4, 8, 12, 16], 16],
    scanned_over: [5, [4, 4, 4, 4, 4], [4, 4, 4, 4, 4]],
    counted: [8, [1, 2, 4, 0]],
    repeated: [4, 6],
    read: [5],
    chosen: [0, [0, 10, 2, 3, 4], 6, 40],
    given: [3, 3],
}


@for_each("loop", LOOPS)
@for_each("how", [lambda f: f, jax.jit, jax.disable_jit()])
def test_loops_and_choices_write_to_them(loop, how):
    assert [x.tolist() for x in how(loop)()] == LOOPS[loop]


def test_a_loop_that_writes_to_one_is_recorded_once():
    ref, calls = jax.new_ref(xp.zeros(3)), []

    def body(c, x):
        calls.append(x)
        ref[x % 3] += 1.0
        return c, None

    lax.scan(body, 0.0, xp.arange(1000))
    assert (held(ref), len(calls)) == ([[334, 333, 333]], 1)


def test_programs_of_functions_that_use_them():
    ref = jax.new_ref(1.0)

    def f(x, other):
        ref[...] += x
        other[...] = ref[...]
        return ref[...]

    program = jax.make_jaxpr(f)(2.0, jax.new_ref(0.0))
    assert len(program.effects) == 2
    assert jax.core.eval_jaxpr(program.jaxpr, program.consts, 2.0, 0.0)[0] == 3
    assert jax.eval_shape(f, 1.0, jax.new_ref(0.0)).shape == ()
    assert held(ref) == [1]


def test_vmap_maps_over_them():
    def distance(x, y, out):
        out[...] = xp.sum((x - y) ** 2)

    rows = xp.reshape(xp.arange(12.0), (3, 4))
    ref = jax.new_ref(xp.zeros((3, 3)))
    jax.vmap(jax.vmap(distance, (0, None, 0)), (None, 0, 0))(rows, rows, ref)
    assert held(ref) == [[[0, 64, 256], [64, 0, 64], [256, 64, 0]]]

    def inside(x):
        own = jax.new_ref(1.0)
        own[...] += x
        return own[...] * shared[...]

    shared = jax.new_ref(2.0)
    for function in (jax.vmap(inside), jax.vmap(jax.jit(inside)), jax.jit(jax.vmap(inside))):
        assert function(xp.arange(3.0)).tolist() == [2, 4, 6]
    for value in (lambda x: x, lambda x: 1.0):
        with pytest.raises(ValueError, match="vmapped value on an unbatched array reference"):
            jax.vmap(lambda x, value=value: shared.addupdate(value(x)))(xp.arange(3.0))


def test_they_are_differentiated():
    def f(x):
        ref = jax.new_ref(xp.zeros(3))
        ref[1], ref[2] = x, x * x
        lax.scan(lambda c, i: (c, ref.addupdate(x * i, 0)), None, xp.arange(3.0))
        return ref[...].sum()

    for derivative in (jax.grad(f), jax.jit(jax.grad(f)), jax.grad(jax.jit(f)), jax.jacfwd(f)):
        assert derivative(2.0) == 8

    outside = jax.new_ref(0.0)

    def count(x):
        outside[...] += lax.stop_gradient(x)
        return x * outside[...]

    assert (jax.grad(count)(3.0), held(outside)) == (3, [3])
    with pytest.raises(ValueError, match="differentiated value on a non-differentiated array reference"):
        jax.grad(lambda x: outside.addupdate(x) or x)(1.0)


@pytest.mark.parametrize("how", [lambda f: f, jax.jit])
def test_backward_rules_write_to_them(how):
    @jax.custom_vjp
    def stash(ref, x):
        return x

    def backward(ref, ct):
        ref[...] = ct
        return None, ct

    stash.defvjp(lambda ref, x: (x, ref), backward)
    ref = jax.new_ref(0.0)
    assert how(jax.grad(lambda ref, x: stash(ref, x) * 3, 1))(ref, 1.0) == 3
    assert held(ref) == [3]


def test_cotangents_are_added_to_them():
    ref = jax.new_ref(xp.ones(2))
    _, back = jax.vjp(lambda x, y: x * y, xp.ones(2), xp.full(2, 3.0))
    assert back.with_refs(ref, None)(xp.ones(2))[1].tolist() == [1, 1]
    assert held(ref) == [[4, 4]]


def test_empty_and_freed_ones():
    @jax.jit
    def f(x):
        ref = jax.empty_ref(jax.ShapeDtypeStruct((2,), "float32"))
        ref[...] = x
        found = ref[...]
        jax.free_ref(ref)
        return found

    assert f(xp.ones(2)).tolist() == [1, 1]
    ref = jax.new_ref(1.0)
    jax.free_ref(ref)
    with pytest.raises(ValueError, match="was freed"):
        ref[...]
