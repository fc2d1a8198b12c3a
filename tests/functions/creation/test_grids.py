"""Grids and the objects that make them by indexing, against NumPy."""

import numpy as np
import pytest
from common import same_values

import supremum as xp
from supremum import TypePromotionError, config


@pytest.mark.parametrize("shape", [(2, 3), (4,), (2, 0, 1), ()])
def test_indices(shape):
    if shape:
        same_values(xp.indices(shape), np.indices(shape))
    assert xp.indices(shape).dtype == "int32"
    assert len(xp.indices(shape, sparse=True)) == len(shape)
    for ours, theirs in zip(xp.indices(shape, sparse=True), np.indices(shape, sparse=True), strict=True):
        same_values(ours, theirs)
    assert xp.indices((2,), dtype="float16").dtype == "float16"


def test_fromfunction_calls_once_or_for_each_element():
    calls = []

    def whole(i, j):
        calls.append(i.shape)
        return 10 * i + j

    same_values(xp.fromfunction(whole, (2, 3), dtype=int), np.fromfunction(whole, (2, 3), dtype=int))
    assert xp.fromfunction(lambda i: 1, (3,)).tolist() == [1, 1, 1]
    assert xp.fromfunction(lambda i: xp.stack([i, -i]), (2,)).tolist() == [[0, 0], [1, -1]]
    assert [x.tolist() for x in xp.fromfunction(lambda i: (i, 2 * i), (2,), dtype=int)] == [[0, 1], [0, 2]]
    assert xp.fromfunction(lambda i, scale: scale * i, (2,), scale=3).tolist() == [0.0, 3.0]


def test_open_meshes():
    for ours, theirs in zip(xp.ix_(xp.arange(2), xp.asarray([5, 7, 9])), np.ix_(np.arange(2), [5, 7, 9]), strict=True):
        same_values(ours, theirs)
    assert xp.ix_() == ()
    with pytest.raises(NotImplementedError, match="ix_"):
        xp.ix_(xp.asarray([True]))
    with pytest.raises(ValueError, match="ix_"):
        xp.ix_(xp.ones((2, 2)))


def test_meshes_by_slices():
    for key in (np.s_[0:3], np.s_[0:3, 1:2], np.s_[0:1:3j], np.s_[0:1:3j, 5:2:-1], np.s_[:4]):
        same_values(xp.mgrid[key], np.mgrid[key])
        theirs = np.ogrid[key]
        ours = xp.ogrid[key]
        if isinstance(theirs, tuple | list):
            assert type(ours) is list  # JAX's result; NumPy returns a tuple
            assert len(ours) == len(theirs)
            for x, y in zip(ours, theirs, strict=True):
                same_values(x, y)
        else:
            same_values(ours, theirs)
    assert xp.mgrid[0:2].dtype == "int32"
    assert xp.mgrid[0:2, 0:1:2j].dtype == "float32"
    with pytest.raises(TypeError, match="mgrid"):
        xp.mgrid[3]


@pytest.mark.parametrize(
    "key",
    [
        np.s_[0:3, 5, 6],
        np.s_[[1, 2], 0:1:3j],
        np.s_["0,2", [1, 2], [3, 4]],
        np.s_["-1", [1, 2], [3, 4]],
        np.s_["0,2,0", [1, 2], [3, 4]],
        np.s_["1,3,1", [1, 2], [3, 4]],
    ],
)
def test_joins_by_index(key):
    same_values(xp.r_[key], np.r_[key])


def test_columns_by_index():
    same_values(xp.c_[np.arange(3), np.ones((3, 2))], np.c_[np.arange(3), np.ones((3, 2))])
    assert xp.r_["r", [1, 2]].shape == (1, 2)
    assert xp.r_["c", [1, 2]].shape == (2, 1)
    assert xp.r_[1, 2].weak_type
    assert xp.c_[xp.ones(2, dtype="int8"), xp.ones(2, dtype="float16")].dtype == "float16"
    assert len(xp.r_) == 0
    for bad in (np.s_["x", 1], np.s_[1, "r"]):
        with pytest.raises(ValueError, match="r_"):
            xp.r_[bad]


def test_indices_as_they_are_written():
    assert xp.s_[1:2, ...] == (slice(1, 2), ...)
    assert xp.s_[3] == 3
    assert xp.index_exp[3] == (3,)


def test_strict_promotion_gives_the_axes_of_a_grid_one_dtype():
    # As JAX 0.10.2 under numpy_dtype_promotion("strict"); r_ and c_ stay strict.
    with config.use(promotion="jax_strict"):
        grid = xp.mgrid[1:6:8j, 2:4]
        assert (grid.dtype, grid.shape) == ("float32", (2, 8, 2))
        same_values(grid[1], np.mgrid[1:6:8j, 2:4][1])
        assert [x.dtype for x in xp.ogrid[0:1:0.5, 0:3]] == ["float32", "float32"]
        with pytest.raises(TypePromotionError):
            xp.r_[1:3, 1.0:3.0]
        assert config.promotion.name == "jax_strict"
