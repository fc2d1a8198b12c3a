"""Scattering into copies, which does not change the arguments, and in place: NumPy's values, JAX's errors."""

import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

JAXS_RULE = xp.config.use(out_of_range="clip")

X = np.arange(12, dtype=np.int64).reshape(3, 4)
VALUES = hnp.arrays("int64", st.integers(1, 5), elements=st.integers(50, 60))


def written(function, *arguments):
    """Return the copy into which NumPy's function wrote."""
    copy = X.copy()
    function(copy, *arguments)
    return copy


@given(hnp.arrays("intp", st.integers(1, 5), elements=st.integers(-30, 30)), VALUES, st.sampled_from(["clip", "wrap"]))
def test_put(indices, values, mode):
    x = xp.asarray(X)
    ours = xp.put(x, xp.asarray(indices), xp.asarray(values), mode=mode, inplace=False)
    same_values(ours, written(np.put, indices, values, mode))
    same_values(x, X)


@JAXS_RULE
def test_put_without_a_mode():
    """As jnp.put of JAX 0.10.2: negative indices count from the end, others out of range are the first or last element."""
    assert xp.put(xp.zeros(3), xp.asarray([-1, 0]), 5, inplace=False).tolist() == [5, 0, 5]
    assert xp.put(xp.zeros(3), xp.asarray([9]), 5, inplace=False).tolist() == [0, 0, 5]
    assert xp.put(xp.zeros(3), xp.asarray([-9]), 5, inplace=False).tolist() == [5, 0, 0]
    assert xp.put(xp.zeros(3), xp.zeros(0, dtype="int32"), 5, inplace=False).tolist() == [0, 0, 0]


@given(hnp.arrays("bool", (3, 4)), VALUES)
def test_place(mask, values):
    x = xp.asarray(X)
    same_values(xp.place(x, xp.asarray(mask), xp.asarray(values), inplace=False), written(np.place, mask, values))
    same_values(x, X)


@given(hnp.arrays("int64", (3, 2), elements=st.integers(-4, 3)))
def test_put_along_axis(indices):
    x = xp.asarray(X)
    same_values(xp.put_along_axis(x, xp.asarray(indices), 99, 1, inplace=False), written(np.put_along_axis, indices, 99, 1))
    flat = indices[0]
    same_values(
        xp.put_along_axis(x, xp.asarray(flat), xp.asarray([7, 7]), None, inplace=False),
        written(np.put_along_axis, flat, 7, None),
    )


@JAXS_RULE
def test_modes_along_an_axis():
    x, far = xp.zeros((1, 2)), xp.asarray([[5]])
    assert xp.put_along_axis(x, far, 1, 1, inplace=False).tolist() == [[0, 0]]
    assert xp.put_along_axis(x, far, 1, 1, inplace=False, mode="clip").tolist() == [[0, 1]]


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (2, 2, 2)])
def test_fill_diagonal(shape):
    data = np.zeros(shape, np.int64)
    expected = data.copy()
    np.fill_diagonal(expected, [7, 8])
    same_values(xp.fill_diagonal(xp.asarray(data), xp.asarray([7, 8]), inplace=False), expected)
    np.fill_diagonal(expected, 5)
    same_values(xp.fill_diagonal(xp.asarray(data), 5, inplace=False), expected)


WRITERS = {
    "put": (([5, 0], [7, 8]), ValueError),
    "place": ((X > 8, [1, 2, 3]), ValueError),
    "put_along_axis": ((np.array([[0], [1], [2]]), 99, 1), ValueError),
    "fill_diagonal": (([7, 8, 9],), NotImplementedError),
}


@pytest.mark.parametrize("name", WRITERS)
def test_in_place(name):
    arguments, error = WRITERS[name]
    given = [xp.asarray(value) if isinstance(value, list | np.ndarray) else value for value in arguments]
    x = xp.asarray(X)
    view = x[:2]
    assert getattr(xp, name)(x, *given) is x
    same_values(x, written(getattr(np, name), *arguments))
    same_values(view, x[:2])
    # JAX 0.10.2 raises these exceptions.
    with xp.config.use(mutable=False), pytest.raises(error, match=f"{name}: .*inplace=False"):
        getattr(xp, name)(x, *given)
    with pytest.raises(error, match=f"{name}: .*inplace=False"):
        getattr(xp, name)(X, *given)


def test_in_place_changes_nothing_where_it_fails():
    x = xp.asarray(X)
    with pytest.raises(ValueError):
        xp.put_along_axis(x, xp.asarray([[0]]), 1, 2)
    with pytest.raises(xp.TypePromotionError):
        xp.place(y := xp.zeros(2, dtype="float8_e5m2"), xp.asarray([True, False]), xp.ones(1))
    same_values(x, X)
    assert y.tolist() == [0, 0]


def test_values_take_the_dtype_of_the_array():
    x = xp.zeros(2, dtype="int8")
    assert xp.put(x, 0, 5, inplace=False).dtype == "int8"
    with pytest.warns(FutureWarning):
        assert xp.put(x, 0, xp.asarray(2.7), inplace=False).tolist() == [2, 0]
    with pytest.raises(xp.TypePromotionError):
        xp.place(xp.zeros(2, dtype="float8_e5m2"), xp.asarray([True, False]), xp.ones(1), inplace=False)


@for_each(
    "call, error",
    [
        (lambda x: xp.fill_diagonal(x, 1, wrap=True, inplace=False), NotImplementedError),
        (lambda x: xp.fill_diagonal(x[0], 1, inplace=False), ValueError),
        (lambda x: xp.fill_diagonal(x[None], 1, inplace=False), ValueError),
        (lambda x: xp.put(x, 0, 1, mode="raise", inplace=False), NotImplementedError),
        (lambda x: xp.put(x, 0, 1, mode="strange", inplace=False), ValueError),
        (lambda x: xp.put(x, 0.5, 1, inplace=False), TypeError),
        (lambda x: xp.place(x, x[0], 1, inplace=False), ValueError),
        (lambda x: xp.place(x, x, xp.zeros(0), inplace=False), ValueError),
        (lambda x: xp.put_along_axis(x, xp.asarray([0]), 1, 1, inplace=False), ValueError),
        (lambda x: xp.put_along_axis(x, xp.asarray([[0]]), xp.ones(3), 1, inplace=False), ValueError),
        (lambda x: xp.put_along_axis(x, xp.asarray([[0]]), 1, 2, inplace=False), ValueError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call(xp.asarray(X))
