"""Gathering: NumPy's values for indices in range, JAX's modes for others."""

import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

X = np.arange(12).reshape(3, 4)
SHAPES = hnp.array_shapes(min_dims=0, max_dims=2, max_side=3)


@given(hnp.arrays("int64", SHAPES, elements=st.integers(-3, 2)), st.sampled_from([None, 0, -2]))
def test_take_in_range(indices, axis):
    same_values(xp.take(xp.asarray(X), xp.asarray(indices), axis=axis), np.take(X, indices, axis=axis))


@given(hnp.arrays("int64", SHAPES, elements=st.integers(-30, 30)), st.sampled_from(["clip", "wrap"]))
def test_take_by_numpys_modes(indices, mode):
    same_values(xp.take(xp.asarray(X), xp.asarray(indices), mode=mode), np.take(X, indices, mode=mode))
    same_values(xp.take(xp.asarray(X), xp.asarray(indices), 1, mode=mode), np.take(X, indices, 1, mode=mode))


@pytest.mark.parametrize(
    "dtype, fill",
    [("float32", np.nan), ("int8", -128), ("int4", -8), ("uint8", 255), ("uint4", 15), ("bool", True), ("complex64", np.nan)],
)
@xp.config.use(out_of_range="clip")
def test_out_of_range_gives_a_fill_value(dtype, fill):
    """The results of jnp.take and jnp.take_along_axis of JAX 0.10.2; negative indices in range count from the end."""
    x = xp.asarray([0, 1], dtype=dtype)
    index = xp.asarray([1, 2, -1, -2, -3])
    same_values(xp.take(x, index).astype("complex64"), np.array([1, fill, 1, 0, fill], "complex64"))
    same_values(xp.take_along_axis(x, index, 0).astype("complex64"), np.array([1, fill, 1, 0, fill], "complex64"))
    assert xp.take(x, index, fill_value=1).tolist()[1] == 1
    assert xp.take_along_axis(x, index, 0, fill_value=1).tolist()[4] == 1
    assert xp.take(x, index).dtype == dtype


def test_indices_of_every_integer_dtype():
    x = xp.asarray([5, 6, 7])
    for dtype in ("uint8", "uint64", "int4", "bool"):
        assert xp.take(x, xp.asarray([1, 0], dtype=dtype)).tolist() == [6, 5]
    assert xp.take(x, xp.asarray(2**63, dtype="uint64"), fill_value=-1).tolist() == -1
    assert xp.take(x, 1).shape == ()
    assert xp.take(x, xp.zeros(0)).shape == (0,)


def test_weak_arrays_stay_weak():
    x = xp.full((3,), 7)
    assert xp.take(x, 1).weak_type
    assert xp.take(x, 9, mode="fill").weak_type
    assert xp.take_along_axis(x, xp.asarray([0]), 0).weak_type


@given(hnp.arrays("int64", (3, 2), elements=st.integers(-4, 3)))
def test_take_along_axis(indices):
    same_values(xp.take_along_axis(xp.asarray(X), xp.asarray(indices), axis=1), np.take_along_axis(X, indices, axis=1))
    same_values(
        xp.take_along_axis(xp.asarray(X), xp.asarray(indices[0]), axis=None), np.take_along_axis(X, indices[0], axis=None)
    )
    same_values(xp.take_along_axis(xp.asarray(X), xp.asarray(indices[:1]), axis=1), np.take_along_axis(X, indices[:1], axis=1))
    same_values(xp.take_along_axis(xp.asarray(X[:1]), xp.asarray(indices), axis=1), np.take_along_axis(X[:1], indices, axis=1))


def test_modes_along_an_axis():
    x, index = xp.asarray([1, 2, 3]), xp.asarray([0, 5, -1, -9])
    assert xp.take_along_axis(x, index, 0, mode="clip").tolist() == [1, 3, 3, 1]
    assert xp.take_along_axis(x, index, 0, mode="promise_in_bounds").tolist() == [1, 3, 1, 1]
    assert xp.take_along_axis(x, index, 0, mode="one_hot").tolist() == [1, 0, 3, 0]
    assert xp.take_along_axis(x, index, 0, wrap_negative_indices=False, fill_value=0).tolist() == [1, 0, 0, 0]
    with xp.config.use(out_of_range="clip"):
        assert xp.take_along_axis(xp.ones((2, 0)), xp.asarray([[1], [1]]), 1).tolist() == [[0.0], [0.0]]


@for_each(
    "call, error",
    [
        (lambda x: xp.take(x, 1.5), (TypeError, ValueError)),
        (lambda x: xp.take(x, "a"), TypeError),
        (lambda x: xp.take(x, [1]), TypeError),
        (lambda x: xp.take(x, 0, axis=2), ValueError),
        (lambda x: xp.take(x, 0, mode="raise"), NotImplementedError),
        (lambda x: xp.take(x, 0, mode="strange"), ValueError),
        (lambda x: xp.take(x, 0, out=x), NotImplementedError),
        (lambda x: xp.take(x[:, :0], 0, axis=1), IndexError),
        (lambda x: xp.take_along_axis(x, xp.asarray([0]), 1), ValueError),
        (lambda x: xp.take_along_axis(x, xp.asarray([[0.5]]), 1), TypeError),
        (lambda x: xp.take_along_axis(x, xp.asarray([[0]] * 2), 1), ValueError),
        (lambda x: xp.take_along_axis(x, xp.asarray([[0]]), None), ValueError),
        (lambda x: xp.take_along_axis(x, xp.asarray([[0]]), 1, mode="strange"), ValueError),
    ],
)
def test_what_is_refused(call, error):
    for kind in error if isinstance(error, tuple) else (error,):
        with pytest.raises(kind, match="take"):
            call(xp.asarray(X))


# -- choosing ----------------------------------------------------------------------------------------------------------------


@given(hnp.arrays("intp", (3,), elements=st.integers(-5, 5)), st.sampled_from(["wrap", "clip"]))
def test_choose(which, mode):
    choices = [np.arange(3), 10 + np.arange(3), 20 + np.arange(3)]
    same_values(xp.choose(xp.asarray(which), list(map(xp.asarray, choices)), mode=mode), np.choose(which, choices, mode=mode))


def test_choices_meet_and_are_strong():
    assert xp.choose(xp.asarray([1, 0]), [1, xp.int8(2)]).dtype == "int8"
    assert not xp.choose(xp.asarray([1, 0]), [1, 2]).weak_type
    for bad, error in ((xp.asarray([2]), ValueError), (xp.asarray([0.5]), ValueError), (xp.asarray([True]), ValueError)):
        with pytest.raises(error, match="choose"):
            xp.choose(bad, [1, 2])
    with pytest.raises(ValueError, match="choose"):
        xp.choose(xp.asarray([0]), [1], mode="strange")


@given(hnp.arrays("bool", (3,)), st.sampled_from([None, 0, 1]))
def test_compress(mask, axis):
    same_values(xp.compress(xp.asarray(mask), xp.asarray(X), axis=axis), np.compress(mask, X, axis=axis))
    if axis is None:
        same_values(xp.extract(xp.asarray(mask), xp.asarray(X[:, 0])), np.extract(mask, X[:, 0]))


def test_sizes_that_are_given():
    mask, x = xp.asarray([True, False, True]), xp.asarray([5, 6, 7])
    assert xp.compress(mask, x, size=1).tolist() == [5]
    assert xp.compress(mask, x, size=3, fill_value=-1).tolist() == [5, 7, -1]
    assert xp.extract(mask, x, size=3).tolist() == [5, 7, 0]
    for options in ({"size": 4}, {"size": -1}):
        with pytest.raises(ValueError, match="compress"):
            xp.compress(mask, x, **options)
    with pytest.raises(ValueError, match="compress"):
        xp.compress(xp.asarray([False, False, False, True]), x)
    with pytest.raises(ValueError, match="compress"):
        xp.compress(xp.ones((1, 1)), x)


def test_select_takes_the_first_condition_that_holds():
    x = np.arange(6)
    conditions, choices = [x < 2, x < 4], [x, 10 * x]
    ours = xp.select([xp.asarray(c) for c in conditions], [xp.asarray(c) for c in choices], 99)
    same_values(ours, np.select(conditions, choices, 99))
    assert xp.select([xp.asarray([1.5, 0.0])], [xp.asarray([1, 2], dtype="int8")]).dtype == "int8"
    assert xp.select([xp.asarray(True)], [1], 2.5).weak_type
    assert xp.select([xp.asarray([[True], [False]])], [xp.arange(3)], 7).tolist() == [[0, 1, 2], [7, 7, 7]]
    for bad in (([], []), ([xp.asarray(True)], []), ([xp.ones(2)], [xp.ones(3)])):
        with pytest.raises(ValueError, match="select"):
            xp.select(*bad)
