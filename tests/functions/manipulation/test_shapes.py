"""Shapes: NumPy's results, with views, orders and errors of the standard and JAX."""

import tracemalloc

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp


@given(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=4, max_side=4))
def test_broadcasting_follows_the_rules(found):
    assert xp.broadcast_shapes(*found.input_shapes) == found.result_shape
    arrays = [np.arange(np.prod(shape, dtype=int)).reshape(shape) for shape in found.input_shapes]
    for ours, theirs in zip(xp.broadcast_arrays(*map(xp.asarray, arrays)), np.broadcast_arrays(*arrays), strict=True):
        np.testing.assert_array_equal(np.asarray(ours), theirs)
    for array in arrays:
        np.testing.assert_array_equal(
            np.asarray(xp.broadcast_to(xp.asarray(array), found.result_shape)), np.broadcast_to(array, found.result_shape)
        )


def test_broadcast_arrays_keep_their_dtypes_and_come_as_a_tuple():
    found = xp.broadcast_arrays(xp.ones(2, dtype="int8"), 1.5)
    assert type(found) is tuple
    assert [(x.dtype, x.weak_type, x.shape) for x in found] == [("int8", False, (2,)), ("float32", True, (2,))]


@pytest.mark.parametrize(
    ("shape", "words"),
    [((3, -2), "must have no negative lengths"), ((2**40, 2**40), "would be too large"), ((2,), "cannot be broadcast")],
)
def test_what_a_row_cannot_be_broadcast_to(shape, words):
    x = xp.ones((1,) if len(shape) == 2 else (3,))
    with pytest.raises(ValueError, match=rf"^broadcast_to: .*{words}"):
        xp.broadcast_to(x, shape)


@pytest.mark.parametrize("shapes", [((2,), (3,)), ((2, 1), (3, 2)), ((-1,), (1,)), (("a",), (1,))])
def test_shapes_that_cannot_be_broadcast(shapes):
    with pytest.raises((ValueError, TypeError), match="broadcast_shapes"):
        xp.broadcast_shapes(*shapes)


def test_broadcast_views_are_not_written_to():
    x = xp.broadcast_to(xp.arange(2), (3, 2))
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = 5


@given(hnp.array_shapes(max_dims=4, max_side=3), st.sampled_from("CF"))
def test_reshape_keeps_the_order_of_the_elements(shape, order):
    data = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    x = xp.asarray(data)
    for new in ((-1,), (data.size,), (1, data.size), shape[::-1], (*shape, -1)):
        np.testing.assert_array_equal(np.asarray(xp.reshape(x, new, order=order)), data.reshape(new, order=order))
    np.testing.assert_array_equal(np.asarray(xp.ravel(x, order)), data.ravel(order))


def test_reshape_copies_as_it_is_told():
    x = xp.arange(6)
    assert np.shares_memory(np.asarray(xp.reshape(x, (2, 3))), np.asarray(x))
    assert np.shares_memory(np.asarray(xp.reshape(x, (2, 3), copy=False)), np.asarray(x))
    assert not np.shares_memory(np.asarray(xp.reshape(x, (2, 3), copy=True)), np.asarray(x))
    with pytest.raises(ValueError, match="without a copy"):
        xp.reshape(xp.permute_dims(xp.ones((2, 3)), (1, 0)), (6,), copy=False)


@for_each("shape", [(4,), (-1, 4), (-1, -1), (-2, 3), (2, 2.5), "a", None, (0, -1)])
def test_shapes_that_do_not_hold_the_elements(shape):
    """The error is a ValueError as in NumPy and a TypeError as in JAX."""
    for error in (ValueError, TypeError) if shape not in ((2, 2.5), "a", None) else (TypeError,):
        with pytest.raises(error, match="reshape"):
            xp.reshape(xp.arange(6), shape)


def test_arrays_of_numpy_become_ours():
    """JAX returns NumPy's arrays unchanged."""
    for found in (xp.reshape(np.arange(4), (2, 2)), xp.ravel(np.ones(2)), xp.squeeze(np.ones((1, 2)))):
        assert type(found) is xp.Array


def test_shapes_may_be_lists():
    """jnp.resize requires a hashable shape."""
    assert xp.resize(xp.arange(4), [2, 1]).shape == (2, 1)
    assert xp.reshape(xp.arange(4), [2, 2]).shape == (2, 2)


def test_orders_of_reshape():
    for order, error in (("A", NotImplementedError), ("K", ValueError), ("x", ValueError)):
        with pytest.raises(error, match="reshape"):
            xp.reshape(xp.arange(6), (2, 3), order=order)
    with pytest.raises(NotImplementedError, match="ravel"):
        xp.ravel(xp.arange(6), "K")


@given(hnp.array_shapes(min_dims=0, max_dims=3, max_side=2, min_side=1), st.data())
def test_axes_of_length_one(shape, data):
    x = np.zeros(shape)
    axes = data.draw(
        st.lists(st.integers(-x.ndim - 2, x.ndim + 1), min_size=2, max_size=2, unique_by=lambda i: i % (x.ndim + 2))
    )
    expanded = xp.expand_dims(xp.asarray(x), tuple(axes))
    assert expanded.shape == np.expand_dims(x, tuple(axes)).shape
    assert xp.squeeze(expanded, tuple(axes)).shape == shape
    assert xp.squeeze(expanded).shape == np.squeeze(x).shape


@pytest.mark.parametrize("axis", [3, -4, (0, 0), (0, 5)])
def test_positions_that_are_not_there(axis):
    """The standard requires IndexError, JAX raises ValueError: the error is both."""
    for error in (ValueError,) if axis == (0, 0) else (ValueError, IndexError):
        with pytest.raises(error, match="expand_dims"):
            xp.expand_dims(xp.ones((2, 3)), axis)


def test_only_axes_of_length_one_are_removed():
    with pytest.raises(ValueError, match=r"squeeze: .* axis 1 of shape \(1, 2\)"):
        xp.squeeze(xp.ones((1, 2)), 1)


def test_resize_repeats_and_cuts():
    x = xp.asarray([1, 2, 3], dtype="int8")
    assert xp.resize(x, (2, 4)).tolist() == [[1, 2, 3, 1], [2, 3, 1, 2]]
    assert xp.resize(x, 2).tolist() == [1, 2]
    assert xp.resize(x[:0], 2).tolist() == [0, 0]
    assert xp.resize(x, (2, 4)).dtype == "int8"
    with pytest.raises(ValueError, match="resize"):
        xp.resize(x, -1)


def test_resize_needs_memory_for_the_result_alone():
    x = xp.asarray([1, 2, 3], dtype="int8")
    tracemalloc.start()
    found = xp.resize(x, (1 << 20,))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found[-4:].tolist() == [1, 2, 3, 1]
    assert most < 2 << 20
    with pytest.raises(ValueError, match="resize: no array has the shape"):
        xp.resize(x, (1 << 62, 2))


@pytest.mark.parametrize("ndim", range(5))
def test_least_dimensions_are_numpys(ndim):
    data = np.zeros((2, 3, 4, 5)[:ndim])
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        assert getattr(xp, name)(xp.asarray(data)).shape == getattr(np, name)(data).shape
    assert [x.shape for x in xp.atleast_2d(1, xp.asarray(data))] == [(1, 1), np.atleast_2d(data).shape]


def test_weak_arrays_stay_weak():
    x = xp.full((2, 1), 3)
    for y in (
        xp.reshape(x, -1),
        xp.ravel(x),
        xp.squeeze(x),
        xp.expand_dims(x, 0),
        xp.broadcast_to(x, (2, 2)),
        xp.resize(x, 3),
    ):
        assert y.weak_type
        assert y.dtype == "int32"
