"""Batches of `vmap` in the engines: their making, elementwise operations on them, and the memory of results."""

import operator

import numpy as np
import pytest

import supremum as xp
from supremum.jax import lax, vmap
from supremum.jax._batching import Batched, MappedAxis


@pytest.fixture
def made(engine):
    axis = engine.BatchAxis("i", 3, 7)
    return axis, engine.array(np.arange(1, 7, dtype=np.float32).reshape(3, 2))


def test_axes_and_batches(engine, made):
    axis, x = made
    assert (axis.name, axis.size, axis.level, axis.position) == ("i", 3, 7, None)
    assert (axis.in_rule, axis.one_by_one, axis.examples) == (False, False, 0)
    axis.position, axis.in_rule, axis.examples = 1, True, 2
    assert (axis.position, axis.in_rule, axis.one_by_one, axis.examples) == (1, True, False, 2)
    batch = engine.Batch(axis, x)
    assert batch.axis is axis
    assert batch.value is x
    assert batch.__supremum_level__ == 7
    with pytest.raises(TypeError):
        engine.Batch()


def test_arguments_that_are_arrays_become_batches(engine, made):
    _, x = made
    y = engine.array(np.ones(3, np.int32))

    def mapped(axes, *args):
        return engine.map_arrays(engine.BatchAxis, engine.Batch, "i", 9, axes, args)

    axis, (first, second) = mapped(0, x, y)
    assert (axis.name, axis.size, axis.level) == ("i", 3, 9)
    assert first.value is x
    assert second.value is y
    assert first.axis is second.axis is axis
    axis, (first, second) = mapped((None, 0), engine.array(np.ones(())), x)
    assert second.value is x
    assert first.shape == ()
    for axes, args in (
        (0, ()), (0, (x, 1.0)), (0, (x._data,)), (1, (x,)), (None, (x,)), ((0,), (x, x)), (0, (x, engine.array(np.ones(2)))),
        (0, (engine.array(np.ones(())),)), ((0, True), (x, x)), (0, ([x],)),
    ):  # fmt: skip
        assert mapped(axes, *args) is None, (axes, args)


def test_results_share_no_memory_with_arguments(engine, made):
    axis, x = made
    y = engine.array(np.ones((3, 2), np.float32))
    batch, view = engine.Batch(axis, y), engine.Batch(axis, engine.wrap(y._data[:, ::-1], y._node))
    assert engine.own_values(batch, axis, (x,)) is y
    assert engine.own_values(batch, axis, (x, y)) is None
    assert engine.own_values(batch, axis, (x, engine.wrap(y._data, y._node))) is None
    assert engine.own_values(view, axis, (x,)) is None
    for other in (y, engine.Batch(engine.BatchAxis(None, 3, 8), y), engine.Batch(axis, 1), (batch,)):
        assert engine.own_values(other, axis, ()) is None
    with engine.immutable():
        assert engine.own_values(batch, axis, (y,)) is y
        assert engine.own_values(view, axis, (y,)) is view.value


def test_operators_of_batches_in_c(engine, made):
    if engine.name == "reference":
        pytest.skip("the specification leaves operators of batches to the class that the package derives")
    axis, x = made
    batch, data = engine.Batch(axis, x), x._data
    row, other = engine.array(np.ones(2, np.float32)), engine.Batch(axis, engine.array(np.full((3, 2), 2, np.int32)))
    for name in ("add", "sub", "mul", "truediv", "lt", "eq"):
        op = getattr(operator, name)
        for left, right, expected in (
            (batch, 2.0, op(data, np.float32(2))), (2, batch, op(np.float32(2), data)), (batch, batch, op(data, data)),
            (batch, row, op(data, row._data)), (row, batch, op(row._data, data)), (batch, other, op(data, np.float32(2))),
        ):  # fmt: skip
            found = op(left, right)
            assert type(found) is engine.Batch
            assert found.axis is axis
            assert (found.value._data == expected).all()
            assert found.value._data.dtype == expected.dtype
    assert ((-batch).value._data == -data).all()
    with pytest.raises(TypeError, match="unhashable"):
        hash(batch)


def test_what_engines_leave_to_rules(made, engine):
    if engine.name == "reference":
        pytest.skip("the specification leaves operators of batches to the class that the package derives")
    axis, x = made
    batch, left = engine.Batch(axis, x), []
    others = (
        engine.Batch(engine.BatchAxis(None, 3, 8), x),  # of another axis
        engine.Batch(axis, engine.array(np.ones(3, np.float32))),  # of another number of axes
        engine.Batch(axis, "text"),
        x,  # which has as many axes as the values
        np.ones(2, np.float32),
        engine.array(np.ones(5, np.float32)),  # of a shape that does not fit
        [1.0, 2.0],
    )
    with engine.hooked(foreign=lambda *args: left.append(args) or "rule"):
        assert [batch + other for other in others] == ["rule"] * len(others)
        axis.position = 0
        assert -batch == "rule"
    assert [args[1:] for args in left] == [*((batch, other) for other in others), (batch,)]


# -- of the package -----------------------------------------------------------------------------------------------------------


def test_a_mapped_function_is_called_with_batches():
    seen = []
    x = xp.ones((3, 2))
    found = vmap(lambda a: seen.append(a) or a + 1.0)(x)
    assert type(seen[0]) is Batched
    assert type(seen[0].axis) is MappedAxis
    assert seen[0].value is x
    assert found.tolist() == [[2.0, 2.0]] * 3


@pytest.mark.parametrize("mutable", [True, False])
def test_results_can_be_written_to_without_changing_arguments(mutable):
    x, y = xp.arange(6.0).reshape(3, 2), xp.ones(3)
    with xp.config.use(mutable=mutable):
        for function in (
            lambda a: a, lambda a: a.T, lambda a: a[::-1], lambda a: xp.asarray(a), lambda a: (a, a), lambda a: a.reshape(2),
            lambda a: a + 0.0, lambda a: a.real, lambda a: xp.squeeze(a), lambda a: xp.astype(a, "float32", copy=False),
        ):  # fmt: skip
            for found in xp.jax.tree_util.tree_leaves(vmap(function)(x)):
                assert not mutable or not np.shares_memory(found._data, x._data)
        found = vmap(lambda a, b: b, (0, 0))(x, y)
        assert not mutable or not np.shares_memory(found._data, y._data)


def test_errors_of_operations_are_those_of_one_position():
    x = xp.ones((3, 2))
    for function in (lambda a: a + xp.ones(5), lambda a: xp.ones(5) * a):
        with pytest.raises(ValueError, match=r"\(2,\)"):
            vmap(function)(x)
    with pytest.raises(TypeError, match="bitwise_and"):
        vmap(lambda a: a & a)(x)


def test_nested_batches():
    x, y = xp.arange(3.0), xp.asarray([10.0, 20.0])
    both = lambda a, b: xp.maximum(a * 1.0, b * 1.0) + xp.minimum(b, a)
    for function in (xp.add, lambda a, b: a + b, lambda a, b: -(-a - b), both):
        expected = xp.asarray([[float(function(a, b)) for b in y] for a in x])
        assert vmap(vmap(function, (None, 0)), (0, None))(x, y).tolist() == expected.tolist()
        assert vmap(vmap(function, (0, None)), (None, 0))(x, y).tolist() == expected.T.tolist()


def test_watchers_see_operations_of_batches():
    seen = []

    def watch(function, args, kwargs):
        seen.append((function.name, [getattr(x, "shape", x) for x in args]))
        return function(*args, **kwargs)

    with xp.config.use(watcher=watch):
        vmap(lambda a: xp.sin(a) * 2.0)(xp.ones((3, 2)))
    assert [one for one in seen if one[0] in ("sin", "multiply")] == [("sin", [(3, 2)]), ("multiply", [(3, 2), 2.0])]


def test_axes_of_ranks_that_differ():
    x = xp.ones((3, 2, 2))
    with xp.config.use(jax_numpy_rank_promotion="raise"), pytest.raises(ValueError, match="rank"):
        vmap(lambda a: a + xp.ones(2))(x)
    with xp.config.use(jax_numpy_rank_promotion="raise"):
        assert vmap(lambda a: a + xp.ones((2, 2)))(x).shape == x.shape


def test_names_are_those_of_the_axis():
    assert vmap(lambda a: a + lax.psum(a, "i"), axis_name="i")(xp.arange(3.0)).tolist() == [3.0, 4.0, 5.0]
    with pytest.raises(NameError, match="unbound axis name"):
        vmap(lambda a: lax.psum(a, "i"))(xp.arange(3.0))
