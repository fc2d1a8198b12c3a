import math

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.promotion._nodes import NODES


@for_each("name", list(NODES))
def test_truth_is_being_other_than_zero(name):
    if name == "float8_e8m0fnu":
        return  # the dtype has no zero
    x = xp.asarray(np.array([[1, 1], [0, 1], [0, 0]]).astype(NODES[name].dtype))
    assert xp.all(x, axis=1).tolist() == [True, False, False]
    assert xp.any(x, axis=1).tolist() == [True, True, False]
    assert xp.any(x).dtype == "bool"


def test_special_truths():
    assert xp.all(xp.asarray([math.nan, math.inf, -math.inf])).tolist() is True
    assert xp.any(xp.asarray([0j, complex(0, 1)])).tolist() is True
    assert xp.any(xp.asarray([-0.0])).tolist() is False
    assert xp.all(xp.zeros((0,))).tolist() is True
    assert xp.any(xp.zeros((0,))).tolist() is False
    assert xp.all(xp.asarray([0, 1]), where=xp.asarray([False, True])).tolist() is True
    assert xp.any(xp.asarray([0, 1]), where=xp.asarray([True, False])).tolist() is False


def test_differences():
    x = xp.asarray([[1, 4, 9], [16, 25, 36]])
    assert xp.diff(x).tolist() == [[3, 5], [9, 11]]
    assert xp.diff(x, axis=0).tolist() == [[15, 21, 27]]
    assert xp.diff(x, n=2).tolist() == [[2], [2]]
    assert xp.diff(x, 0) is x
    assert xp.diff(x, n=9).shape == (2, 0)
    assert xp.diff(x, prepend=0).tolist() == [[1, 3, 5], [16, 9, 11]]
    assert xp.diff(x, axis=0, append=xp.zeros((2, 3), dtype="int32")).tolist() == [[15, 21, 27], [-16, -25, -36], [0, 0, 0]]
    assert xp.diff(xp.asarray([True, False, False])).tolist() == [True, False]
    assert xp.diff(xp.asarray([1, 0], dtype="uint8")).tolist() == [255]
    assert xp.diff(xp.asarray([1, 2], dtype="int8"), prepend=xp.asarray([0], dtype="int16")).dtype == "int16"


@pytest.mark.parametrize(
    "args, kwargs, error",
    [
        ((xp.asarray(1),), {}, ValueError),
        ((xp.ones(2),), {"n": -1}, ValueError),
        ((xp.ones(2),), {"n": 1.5}, TypeError),
        ((xp.ones(2),), {"axis": 1}, ValueError),
        (([1, 2],), {}, TypeError),
        ((xp.ones((2, 2)),), {"prepend": xp.ones(2)}, ValueError),
        ((xp.ones((2, 2)),), {"append": xp.ones((3, 1))}, ValueError),
    ],
)
def test_errors(args, kwargs, error):
    with pytest.raises(error, match="diff"):
        xp.diff(*args, **kwargs)
