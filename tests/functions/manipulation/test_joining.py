"""Joining: NumPy's values and shapes, promoted dtypes."""

import numpy as np
import pytest
from common import for_each
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import supremum as xp

FUNCTIONS = ["concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack"]


@given(hnp.arrays("int16", hnp.array_shapes(min_dims=1, max_dims=3, max_side=3)), st.sampled_from(FUNCTIONS))
def test_as_numpy(data, name):
    ours = getattr(xp, name)([xp.asarray(data), xp.asarray(data) + 1, xp.asarray(data)])
    np.testing.assert_array_equal(np.asarray(ours), getattr(np, name)([data, data + 1, data]))


@for_each("name", FUNCTIONS)
@for_each(
    "first, second, met",
    [
        ("int8", "uint8", "int16"),
        ("int64", "float16", "float16"),
        ("bfloat16", "float16", "float32"),
        ("uint64", "int64", "float32"),
        ("bool", "int4", "int4"),
        ("float32", "complex64", "complex64"),
    ],
)
def test_dtypes_meet_on_jaxs_lattice(name, first, second, met):
    """By JAX's table, uint64 and int64 promote to float*, which is weak and float32 by default."""
    x = getattr(xp, name)([xp.ones(2, dtype=first), xp.zeros(2, dtype=second)])
    assert x.dtype == met
    assert x.weak_type == (first == "uint64")


def test_weak_arrays_defer_and_stay_weak_among_themselves():
    weak, strong = xp.full((2,), 3), xp.ones(2, dtype="int8")
    assert xp.concat([weak, weak]).weak_type
    assert xp.concat([weak, strong]).dtype == "int8"
    assert xp.stack([weak, xp.full((2,), 1.5)]).weak_type
    assert xp.stack([1, 2]).tolist() == [1, 2]


def test_dtype_and_axis():
    a, b = xp.ones((2, 1)), xp.zeros((2, 2), dtype="int8")
    assert xp.concatenate([a, b], axis=1, dtype="int16").tolist() == [[1, 0, 0], [1, 0, 0]]
    assert xp.concatenate([a, b], axis=-1).shape == (2, 3)
    assert xp.concat([a, b], axis=None).shape == (6,)
    assert xp.concat([xp.asarray(1), xp.ones((1, 1))], axis=None).tolist() == [1.0, 1.0]
    assert xp.stack([a, a], axis=-1).shape == (2, 1, 2)
    assert xp.stack([a, a], dtype="bfloat16").dtype == "bfloat16"
    assert xp.hstack([a, b], dtype="float64").dtype == "float64"


def test_an_array_is_taken_apart_along_its_first_axis():
    data = np.arange(12).reshape(2, 3, 2)
    for name in FUNCTIONS:
        np.testing.assert_array_equal(np.asarray(getattr(xp, name)(xp.asarray(data))), getattr(np, name)(data))


@for_each("name", FUNCTIONS)
@for_each("items", [[], 5, None, "ab", [[1, 2]], {"a": 1}, [xp.ones(2), "a"], xp.asarray(3)])
def test_what_cannot_be_joined(name, items):
    with pytest.raises((TypeError, ValueError), match=name):
        getattr(xp, name)(items)


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.concat([xp.ones((2, 2)), xp.ones((2, 3))]),
        lambda: xp.concat([xp.ones((2, 2)), xp.ones(2)]),
        lambda: xp.stack([xp.ones(2), xp.ones(3)]),
        lambda: xp.concat([xp.asarray(1)]),
        lambda: xp.concat([xp.ones(2)], axis=1),
        lambda: xp.stack([xp.ones(2)], axis=2),
        lambda: xp.vstack([xp.ones(2), xp.ones(3)]),
    ],
)
def test_shapes_that_do_not_fit(call):
    with pytest.raises(ValueError):
        call()


def test_dtypes_that_do_not_meet():
    with pytest.raises(xp.TypePromotionError):
        xp.concat([xp.ones(1, dtype="float8_e5m2"), xp.ones(1, dtype="float8_e4m3fn")])


def test_append():
    x = xp.asarray([[1, 2]], dtype="int8")
    assert xp.append(x, 7).tolist() == [1, 2, 7]
    assert xp.append(x, 7).dtype == "int8"
    assert xp.append(x, 1.5).dtype == "float32"
    assert xp.append(x, x, axis=0).tolist() == [[1, 2], [1, 2]]
    with pytest.raises(ValueError, match="append"):
        xp.append(x, xp.ones(2), axis=0)


def test_block():
    a, b = np.ones((2, 2)), np.zeros((2, 1))
    nested = [[a, b], [np.full((1, 3), 7.0)]]
    np.testing.assert_array_equal(np.asarray(xp.block([[xp.asarray(x) for x in row] for row in nested])), np.block(nested))
    assert xp.block(3).shape == ()
    assert xp.block([1, xp.ones(2, dtype="int8")]).dtype == "int8"
    for bad, error in ([(1, 2), ValueError], [[], ValueError], [[[1], 2], ValueError], [[[1, 2], [3]], ValueError]):
        with pytest.raises(error):
            xp.block(bad)


def test_stack_has_no_out():
    with pytest.raises(NotImplementedError, match="stack: out="):
        xp.stack([xp.ones(2)], out=xp.ones((1, 2)))


def test_a_block_alone_is_copied():
    for x in (xp.asarray(1.5), xp.ones(3)):
        for joined in (xp.block(x), xp.block([x])):
            assert not np.shares_memory(np.asarray(joined), np.asarray(x))
