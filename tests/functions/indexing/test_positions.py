"""Arrays of indices, against NumPy."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import supremum as xp
from supremum import config

SIDE = st.integers(0, 5)


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for x, y in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(np.asarray(x), y)
        assert x.dtype == "int32"


@given(SIDE, st.integers(-6, 6), SIDE | st.none())
def test_triangles(n, k, m):
    same(xp.tril_indices(n, k, m), np.tril_indices(n, k, m))
    same(xp.triu_indices(n, k, m), np.triu_indices(n, k, m))
    x = np.zeros((n, n if m is None else m))
    same(xp.tril_indices_from(xp.asarray(x), k), np.tril_indices_from(x, k))
    same(xp.triu_indices_from(x, k), np.triu_indices_from(x, k))


def test_masks():
    same(xp.mask_indices(3, xp.triu), np.mask_indices(3, np.triu))
    same(xp.mask_indices(3, xp.tril, -1), np.mask_indices(3, np.tril, -1))
    same(xp.mask_indices(3, xp.triu, size=2), ([0, 0], [0, 1]))


def test_diagonals():
    same(xp.diag_indices(3, 4), np.diag_indices(3, 4))
    same(xp.diag_indices_from(xp.ones((2, 2, 2))), np.diag_indices(2, 3))
    for call in (
        lambda: xp.diag_indices(-1),
        lambda: xp.diag_indices(2, -1),
        lambda: xp.diag_indices_from(xp.ones(2)),
        lambda: xp.diag_indices_from(xp.ones((2, 3))),
        lambda: xp.tril_indices_from(xp.ones(2)),
        lambda: xp.tril_indices(-1),
    ):
        with pytest.raises(ValueError):
            call()


def test_indices_are_default_integers():
    with config.use(x64="on"):
        assert {x.dtype.name for x in (*xp.tril_indices(2), *xp.diag_indices(2))} == {"int64"}


DIMS = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)


@given(DIMS, st.data())
def test_there_and_back(dims, data):
    size = int(np.prod(dims))
    flat = np.array(data.draw(st.lists(st.integers(0, size - 1), max_size=4)), np.int32)
    same(xp.unravel_index(xp.asarray(flat), dims), np.unravel_index(flat, dims))
    parts = np.unravel_index(flat, dims)
    for order in "CF":
        ours = xp.ravel_multi_index([xp.asarray(part) for part in parts], dims, order=order)
        np.testing.assert_array_equal(np.asarray(ours), np.ravel_multi_index(parts, dims, order=order))


@given(DIMS, st.data(), st.sampled_from(["wrap", "clip"]))
def test_modes(dims, data, mode):
    parts = [np.array(data.draw(st.lists(st.integers(-9, 9), min_size=2, max_size=2))) for _ in dims]
    ours = xp.ravel_multi_index([xp.asarray(part) for part in parts], dims, mode=mode)
    np.testing.assert_array_equal(np.asarray(ours), np.ravel_multi_index(parts, dims, mode=mode))


def test_negative_lengths_are_no_shape():
    for shape in ((-1, -2), -1):
        with pytest.raises(xp.errors.ShapeError, match="unravel_index: a shape must have no negative lengths"):
            xp.unravel_index(xp.asarray([0, 1]), shape)


@xp.config.use(out_of_range="clip")
def test_flat_indices_out_of_range_give_the_ends():
    """The result of jnp.unravel_index of JAX 0.10.2."""
    first, second = xp.unravel_index(xp.asarray([6, -1, -7]), (2, 3))
    assert (first.tolist(), second.tolist()) == ([1, 1, 0], [2, 2, 0])
    assert xp.unravel_index(4, 5)[0].weak_type
    assert xp.unravel_index(xp.asarray([True]), (2,))[0].weak_type
    assert xp.unravel_index(xp.asarray([4.0]), (2, 3))[1].tolist() == [1.0]


def test_dtypes_of_flat_indices():
    small = xp.asarray([1], dtype="int8")
    assert xp.ravel_multi_index((small, small), (3, 4)).dtype == "int8"
    assert xp.ravel_multi_index((small, 1), (3, 4), dtype="uint16").dtype == "uint16"
    with pytest.raises(ValueError, match="int8 cannot hold"):
        xp.ravel_multi_index((small, small), (30, 40))


@pytest.mark.parametrize(
    "arguments, options, error",
    [
        (((1, 5), (2, 3)), {}, ValueError),
        (((1,), (2, 3)), {}, ValueError),
        (((1.5, 1), (2, 3)), {}, ValueError),
        (((1.5, 1), (2, 3)), {"dtype": "int8"}, TypeError),
        (((1, 1), (2, 3)), {"mode": "strange"}, ValueError),
        (((1, 1), (2, 3)), {"order": "A"}, ValueError),
        (((1, 1), (2, 3)), {"dtype": "float32"}, ValueError),
    ],
)
def test_what_is_refused(arguments, options, error):
    with pytest.raises(error, match="ravel_multi_index"):
        xp.ravel_multi_index(*arguments, **options)


def test_indices_promote_with_each_other_alone():
    with xp.promotion.use("max_graph"):
        found = xp.ravel_multi_index((xp.asarray(np.array([1, 0], np.int32)), xp.asarray(np.array([2, 1], np.int32))), [2, 3])
    assert found.tolist() == [5, 1]
    assert found.dtype == "int32"
