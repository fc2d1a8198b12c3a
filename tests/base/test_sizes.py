"""Sizes beyond those of any array: arrays with strides of 0 have any length, and no product or sum of lengths wraps around."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.exceptions import ShapeError
from supremum._base.sizes import check_shape, is_too_large, shape_error


def test_sizes():
    assert not is_too_large((2**62 - 1, 2), 1)
    assert is_too_large((2**62, 2), 1)
    assert is_too_large((2**62, 0, 2), 1)  # as NumPy has it
    assert not is_too_large((), 16)
    check_shape("f", (2**62,), 1)
    with pytest.raises(ValueError, match=r"^f: no array has the shape \(4611686018427387904,\): it would be too large$"):
        check_shape("f", (2**62,), 2)


def test_shapes_that_do_not_fit():
    error = shape_error("f", (3,), (4, 1), (2,))
    assert isinstance(error, ShapeError)
    assert str(error) == "f: the shapes (3,), (4, 1) and (2,) cannot be broadcast together"
    error = shape_error("f", (2**40, 1), (0, 1, 2**40))
    assert type(error) is ValueError
    assert str(error) == "f: no array has the shape (0, 1099511627776, 1099511627776): it would be too large"


def huge(dtype, *shape):
    """Return an array of ones, or of zeros if they are indices, that takes the memory of one element."""
    return xp.broadcast_to(xp.asarray(0 if dtype == "int64" else 1, dtype=dtype), shape)


ROWS, INNER = 2**21 - 36, 2**42 - 2  # (ROWS + 36) * (INNER + 2) * 2 is 2**64
TOO_LARGE = {
    "multiply": lambda: huge("int8", 2**62) * 1.5,
    "subtract": lambda: 1.5 - huge("int8", 2**62),
    "add": lambda: huge("int8", 2**40, 1) + huge("int8", 2**40),
    "divide": lambda: huge("float32", 2**40, 1) / huge("float32", 1, 2**40),
    "less": lambda: huge("int8", 2**40, 1) < huge("int16", 2**40),
    "sin": lambda: xp.sin(huge("int8", 2**62)),
    "sqrt": lambda: xp.sqrt(huge("int8", 2**60, 2, 2)[:, ::-1]),
    "where": lambda: xp.where(huge("bool", 2**62), 1, 2),
    "isclose": lambda: xp.isclose(huge("float32", 2**40, 1), huge("float32", 2**40)),
    "select": lambda: xp.select([huge("bool", 2**40, 1)], [huge("int8", 2**40)]),
    "repeat": lambda: xp.repeat(xp.ones(4), 2**62),
    "repeat by an array of one number": lambda: xp.repeat(xp.ones(4), xp.asarray([2**62], dtype="int64")),
    "repeat by an array": lambda: xp.repeat(xp.ones(4), xp.asarray([2**62] * 4, dtype="int64")),
    "repeat to a length": lambda: xp.repeat(xp.ones(4), 2**62, total_repeat_length=4),
    "repeat rows": lambda: xp.repeat(xp.ones((4, 3)), 2**62, axis=0),
    "tile": lambda: xp.tile(xp.ones((4, 3)), (1, 2**62)),
    "concat": lambda: xp.concat([huge("int8", 2**62)] * 4),
    "concatenate": lambda: xp.concatenate([huge("int8", 2**62)] * 5),
    "concatenate flat arrays": lambda: xp.concatenate([huge("int8", 2**61, 2)] * 4, axis=None),
    "hstack": lambda: xp.hstack([huge("int8", 2**62)] * 4),
    "vstack": lambda: xp.vstack([huge("int8", 2**62)] * 4),
    "stack": lambda: xp.stack([huge("int8", 2**62)] * 4),
    "block": lambda: xp.block([huge("int8", 2**62)] * 4),
    "append": lambda: xp.append(huge("int8", 2**62), huge("int8", 2**62)),
    "ediff1d": lambda: xp.ediff1d(xp.asarray([1, 2, 4], dtype="int8"), huge("int8", 2**63 - 1), huge("int8", 2**63 - 1)),
    "diff": lambda: xp.diff(xp.ones(3, dtype="int8"), prepend=huge("int8", 2**63 - 1), append=huge("int8", 2**63 - 1)),
    "unpackbits": lambda: xp.unpackbits(huge("uint8", 2**61)),
    "zeros": lambda: xp.zeros((0, 2**62, 2**10)),
    "full": lambda: xp.full((2**62, 2), 1),
    "matmul": lambda: huge("float32", 2**40, 1) @ huge("float32", 1, 2**40),
    "sum": lambda: xp.sum(huge("uint8", 0, 2**61), axis=0),
}


@for_each("name", TOO_LARGE)
def test_results_larger_than_any_array(name):
    with pytest.raises(ValueError, match=f"^{name.split()[0]}: "):
        TOO_LARGE[name]()


NO_MEMORY = {
    "matmul": lambda: xp.matmul(huge("int8", ROWS, INNER), huge("int8", INNER, 3)),
    "matmul operator": lambda: huge("uint8", ROWS, INNER) @ huge("uint8", INNER, 3),
    "matmul int16": lambda: huge("int16", ROWS // 2, INNER) @ huge("int16", INNER, 3),
    "matmul int32": lambda: huge("int32", 2**20, 2**40) @ huge("int32", 2**40, 4),
    "matmul bool": lambda: huge("bool", 4, 2**50) @ huge("bool", 2**50, 4),
    "matmul stacks": lambda: huge("int8", 2, 2**40, 4) @ huge("int8", 2, 4, 2**20),
    "matmul dot": lambda: xp.dot(huge("int8", 2**31, 2**31), huge("int8", 2**31, 3)),
    "Unable bincount": lambda: xp.bincount(xp.asarray([2**40], dtype="int64")),
    "Unable add": lambda: huge("int8", 2**61) + huge("int8", 2**61),
    "Unable sort": lambda: xp.sort(huge("int8", 2**60)),
}


@for_each("name", NO_MEMORY)
def test_memory_that_there_is_not(name):
    with pytest.raises(MemoryError, match=f"^{name.split()[0]}"):
        NO_MEMORY[name]()


def test_empty_operands_of_any_length():
    for dtype in ("int8", "bfloat16", "float32"):
        rows = xp.zeros((0, 2**59), dtype=dtype)
        assert xp.vecdot(rows, rows).shape == (0,)
        assert xp.matmul(rows, xp.zeros((2**59, 0), dtype=dtype)).shape == (0, 0)
        assert xp.concat([rows, rows]).shape == (0, 2**59)
        assert xp.argsort(xp.zeros((2**40, 0), dtype=dtype)).shape == (2**40, 0)
    assert xp.repeat(xp.ones((0, 3)), 2**62, axis=0).shape == (0, 3)
    assert xp.tile(xp.ones((2, 0)), (3, 1)).shape == (6, 0)
    assert np.asarray(xp.repeat(xp.ones(3), 0)).shape == (0,)
