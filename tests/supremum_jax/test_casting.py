"""Casts to weak types, and loops and branches over operands that take over, which cast what they carry."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.jax import lax
from supremum.typing import Operand

pytestmark = pytest.mark.usefixtures("as_in_jax")


class Seen(Operand):
    """An operand around an array, which keeps the functions that it was an argument of."""

    node = property(lambda self: self.array.node)
    shape = property(lambda self: self.array.shape)

    def __init__(self, array):
        self.array = array

    def concrete(self, need, error):
        return self.array

    def __supremum_function__(self, function, args, kwargs):
        def plain(x):
            return x.array if type(x) is Seen else type(x)(map(plain, x)) if type(x) in (list, tuple) else x

        CALLS.append(function)
        result = function(*map(plain, args), **{name: plain(x) for name, x in kwargs.items()})
        return tuple(map(Seen, result)) if isinstance(result, tuple) else Seen(result)


CALLS = []
X = xp.asarray([1.0, 2.0, 3.0])


def same(found, expected):
    found, expected = (jax.tree.leaves(tree) for tree in (found, expected))
    for one, other in zip(found, expected, strict=True):
        array = one.array if type(one) is Seen else one
        assert (array.node, array.shape) == (other.node, other.shape)
        np.testing.assert_array_equal(array, other)


def test_casts_may_be_weak():
    for x in (X, 2, 2.5, np.arange(3)):
        for dtype in ("float32", "int32", "bfloat16", "complex64"):
            weak, strong = lax.convert_element_type(x, dtype, True), lax.convert_element_type(x, dtype)
            assert (weak.weak_type, strong.weak_type, weak.dtype) == (True, False, strong.dtype)
            np.testing.assert_array_equal(weak, strong)
    assert (lax.convert_element_type(X, "float32", weak_type=True) + xp.ones(3, dtype="bfloat16")).dtype == "bfloat16"
    assert not lax.convert_element_type(True, "bool", True).weak_type
    mapped = jax.vmap(lambda x: lax.convert_element_type(x, "float32", True))(X)
    assert mapped.weak_type
    with pytest.raises(ValueError, match="dtype must be specified"):
        lax.convert_element_type(X, None, True)


@for_each(
    "loop",
    [
        lambda x: lax.scan(lambda c, a: (c + a, c * a), 0.0, x),
        lambda x: lax.scan(lambda c, a: (c * a, a), x[0], X),
        lambda x: lax.scan(lambda c, a: (c * x[1], c), 1.0, X),
        lambda x: lax.scan(lambda c, a: (c + a, a), xp.zeros(3), xp.stack([x, x, x]), reverse=True),
        lambda x: lax.scan(lambda c, a: (c, a), 0.0, x[:0]),
        lambda x: lax.scan(lambda c, a: (c * a, c), x[0], X[:0]),
        lambda x: lax.map(lambda a: a * 2, x),
        lambda x: lax.map(lambda a: a * 2, x, batch_size=2),
        lambda x: lax.fori_loop(0, 3, lambda i, c: c * x, x),
        lambda x: lax.fori_loop(0, 3, lambda i, c: c * X[0], lax.convert_element_type(x[1], "float32", True)),
        lambda x: lax.fori_loop(0, x[2].astype("int32"), lambda i, c: c + 1, 0),
        lambda x: lax.while_loop(lambda c: c < 10, lambda c: c * c, x[1]),
        lambda x: lax.cond(x[0] > 0, xp.sin, xp.cos, x),
        lambda x: lax.cond(x[0] < 0, xp.sin, xp.cos, x),
        lambda x: lax.switch(x[1].astype("int32"), [xp.sin, xp.cos, xp.tan], x),
        lambda x: lax.associative_scan(xp.add, x),
        lambda x: jax.ops.segment_sum(x, xp.asarray([0, 0, 1]), 2),
        lambda x: jax.ops.segment_max(x, xp.asarray([0, 0, 1]), 2),
        lambda x: jax.flatten_util.ravel_pytree({"a": x, "b": X})[0],
        lambda x: jax.flatten_util.ravel_pytree({"a": X, "b": xp.ones(2)})[1](xp.concat([x, x[:2]])),
        lambda x: jax.image.resize(x, (6,), "linear"),
        lambda x: jax.experimental.ode.odeint(lambda y, t: -y * x[0], x[0], X),
    ],
)
def test_loops_and_branches_over_operands(loop):
    CALLS.clear()
    found = loop(Seen(X))
    same(found, loop(X))
    assert CALLS
    mapped = jax.vmap(loop)(Seen(xp.stack([X, X])))
    same(mapped, jax.vmap(loop)(xp.stack([X, X])))


def test_shapes_of_functions_of_operands():
    found = jax.eval_shape(lambda x: x * 2, Seen(X))
    assert (found.shape, found.dtype) == ((3,), "float32")


def test_a_condition_without_a_truth_value():
    class Bare:
        shape, ndim = (), 0
        _node = xp.asarray(True).node
        dtype = _node.dtype

        def __supremum_function__(self, function, args, kwargs):
            return self

    for call in (lambda: lax.cond(Bare(), xp.sin, xp.cos, X), lambda: lax.while_loop(lambda c: Bare(), lambda c: c, X)):
        with pytest.raises(TypeError, match="a condition is one truth value, but Bare has no __bool__"):
            call()


def test_stop_gradient_is_a_call_for_each_leaf():
    CALLS.clear()
    tree = {"a": Seen(X), "b": [X, 2, Seen(X)], "c": None}
    found = lax.stop_gradient(tree)
    assert [lax.stop_gradient] * 2 == CALLS
    assert type(found["a"]) is type(found["b"][2]) is Seen
    assert found["b"][0] is X
    assert (found["b"][1], found["c"], lax.stop_gradient("text"), lax.stop_gradient(X) is X) == (2, None, "text", True)
    CALLS.clear()
    same(jax.vmap(lambda x: lax.stop_gradient([x, {"a": x}])[1]["a"])(Seen(X)), X)
    assert lax.stop_gradient in CALLS
    assert lax.stop_gradient.kind == "elementwise"
