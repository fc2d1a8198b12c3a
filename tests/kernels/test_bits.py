"""Reinterpretation of bits: every pair of dtypes, in both directions."""

import itertools

import numpy as np
import pytest

from supremum._kernels.bits import reinterpret
from supremum.promotion._nodes import NODES

NUMBERS = [node for name, node in NODES.items() if name != "bool"]
BYTES = np.random.default_rng(0).integers(0, 256, (2, 48), dtype=np.uint8)
UINT8 = NODES["uint8"]


def width(node):
    return 8 if node.bits == 6 else node.bits


@pytest.mark.parametrize("a, b", list(itertools.product(NUMBERS, NUMBERS)), ids=str)
def test_there_and_back(a, b):
    data = reinterpret(BYTES, UINT8, a)
    assert data.shape == (2, 48 * 8 // width(a))
    other = reinterpret(data, a, b)
    assert other.shape == (2, 48 * 8 // width(b))
    assert other.dtype == b.dtype
    assert (reinterpret(other, b, UINT8) == BYTES).all()


def test_bytes_become_bools_by_their_truth():
    out = reinterpret(np.array([0, 1, 2], np.uint8), UINT8, NODES["bool"])
    assert out.tolist() == [False, True, True]
    assert out.view(np.uint8).tolist() == [0, 1, 1]


def test_the_last_axis_must_hold_whole_elements():
    with pytest.raises(ValueError, match="is no whole number of elements of 16 bits"):
        reinterpret(np.zeros((4, 3), np.uint8), UINT8, NODES["int16"])
    with pytest.raises(ValueError, match="0-d"):
        reinterpret(np.zeros((), np.uint8), UINT8, NODES["int4"])


def test_strided_input():
    strided = BYTES[:, ::2]
    assert (reinterpret(strided, UINT8, NODES["int32"]) == np.ascontiguousarray(strided).view(np.int32)).all()
    assert reinterpret(BYTES.T, UINT8, NODES["int8"]).shape == (48, 2)
