"""Collective functions of `lax`, along axes that `vmap` has named."""

import threading

import numpy as np
import pytest

import supremum as xp
from supremum import jax

lax, vmap = jax.lax, jax.vmap


def test_no_thread_is_started():
    before = threading.active_count()
    seen = vmap(lambda x: lax.psum(x, "i") + lax.axis_index("i") + threading.active_count(), axis_name="i")(xp.arange(3))
    assert (seen - before).tolist() == [3, 4, 5]


def test_errors_and_interrupts_are_those_of_the_function():
    for kind in (KeyError, KeyboardInterrupt, SystemExit):

        def failing(x, kind=kind):
            lax.psum(x, "i")
            raise kind("own")

        with pytest.raises(kind, match="own"):
            vmap(failing, axis_name="i")(xp.arange(3))
    with pytest.raises(NameError, match="unbound axis name: i"):
        lax.psum(xp.ones(3), "i")


def test_nested_names():
    x = xp.arange(6).reshape(2, 3)
    both = vmap(vmap(lambda v: lax.psum(v, ("i", "j")), axis_name="j"), axis_name="i")(x)
    rows = vmap(vmap(lambda v: lax.psum(v, "i") - lax.psum(v, "j"), axis_name="j"), axis_name="i")(x)
    assert both.tolist() == [[15] * 3] * 2
    assert rows.tolist() == [[0, 2, 4], [-9, -7, -5]]


def test_an_axis_between_others():
    x = xp.arange(24).reshape(2, 3, 4)
    outer = vmap(vmap(lambda v: lax.all_gather(v, "i", axis=1), axis_name="j"), axis_name="i")(x)
    np.testing.assert_array_equal(outer, np.broadcast_to(np.moveaxis(np.asarray(x), 0, -1), (2, 3, 4, 2)))
    sent = vmap(vmap(lambda v: lax.ppermute(v, "i", [(0, 1)]), axis_name="j"), axis_name="i")(x)
    np.testing.assert_array_equal(sent, np.stack([np.zeros((3, 4)), x[0]]))


def test_groups_of_positions():
    x, groups = xp.arange(4.0), [[0, 2], [3, 1]]
    assert vmap(lambda v: lax.psum(v, "i", axis_index_groups=groups), axis_name="i")(x).tolist() == [2, 4, 2, 4]
    gathered = vmap(lambda v: lax.all_gather(v, "i", axis_index_groups=groups), axis_name="i")(x)
    assert gathered.tolist() == [[0, 2], [3, 1], [0, 2], [3, 1]]
    with pytest.raises(ValueError, match="axis_index_groups"):
        vmap(lambda v: lax.psum(v, "i", axis_index_groups=[[0, 1]]), axis_name="i")(x)


def test_functions_that_are_called_for_each_position_exchange_nothing():
    def callback(x):
        return np.asarray(lax.psum(x, "i"))

    def mapped(x):
        return jax.pure_callback(callback, jax.ShapeDtypeStruct((), "float32"), x, vmap_method="sequential")

    with pytest.raises(RuntimeError, match="axis 'i'"):
        vmap(mapped, axis_name="i")(xp.arange(3.0))


def test_no_name_is_not_a_name():
    with pytest.raises(NameError, match="unbound axis name"):
        vmap(lambda x: lax.psum(x, None))(xp.arange(3))


def test_gradients_of_sums_are_the_same_at_all_positions():
    x = xp.asarray([1.0, 2.0, 3.0])
    assert vmap(jax.grad(lambda a: -lax.psum(a, "i")), out_axes=None, axis_name="i")(x).tolist() == -3
    assert vmap(jax.grad(lambda a: lax.psum(a, "i") ** 2), out_axes=None, axis_name="i")(x).tolist() == 36
    with pytest.raises(ValueError, match="out_axes is None"):
        vmap(jax.grad(lambda a: lax.pmean(a**2, "i")), out_axes=None, axis_name="i")(x)
