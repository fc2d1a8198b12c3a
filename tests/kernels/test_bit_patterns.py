"""Reinterpretation of bits: every pair of dtypes, in both directions."""

import itertools

import numpy as np
import pytest
from common import for_each

from supremum._kernels.bit_patterns import byteswapped, canonical, reinterpret
from supremum.promotion._nodes import KEY, NODES

NUMBERS = [node for name, node in NODES.items() if name != "bool"]
BYTES = np.random.default_rng(0).integers(0, 256, (2, 48), dtype=np.uint8)
UINT8 = NODES["uint8"]


def width(node):
    return 8 if node.bits == 6 else node.bits


@pytest.mark.combinations
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


@for_each("name", ["bool", "int1", "uint2", "int4", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn"])
@for_each("step", [1, -1, 2])
def test_unused_bits_are_cleared_in_a_copy(name, step):
    if name not in NODES:
        pytest.skip(f"the installed ml_dtypes has no {name}")
    node, every = NODES[name], np.arange(256, dtype=np.uint8)[::step]
    used = (every != 0) if name == "bool" else every & ((1 << node.bits) - 1)
    given = every.view(node.dtype)
    assert canonical(given, node).view(np.uint8).tolist() == used.tolist()
    assert every.tolist() == np.arange(256)[::step].tolist()
    clean = used.astype(np.uint8).view(node.dtype)
    assert canonical(clean, node) is clean


def test_the_dtype_is_the_nodes_own_object():
    data = np.arange(3).astype(np.dtype(np.int64).newbyteorder()).astype(np.dtype(np.int64).newbyteorder().newbyteorder())
    found = canonical(data, NODES["int64"])
    assert data.dtype is not NODES["int64"].dtype
    assert found.dtype is NODES["int64"].dtype
    assert np.shares_memory(found, data)


@for_each("node", [*NODES.values(), KEY], identity=str)
def test_bytes_are_reversed_in_each_part(node):
    size = node.dtype.itemsize // (2 if node.kind in "ck" else 1)  # complex numbers and keys have two parts
    data = np.resize(BYTES, (3, 2 * node.dtype.itemsize)).view(node.dtype)
    expected = np.frombuffer(data.tobytes(), np.uint8).reshape(-1, size)[:, ::-1].tobytes()
    for given in (data, np.asfortranarray(data), data.astype(data.dtype, copy=True)):
        found = byteswapped(given, node)
        assert (found.shape, found.dtype) == (data.shape, node.dtype)
        assert found.tobytes() == expected
        assert byteswapped(found, node).tobytes() == data.tobytes()
    assert byteswapped(data[0, 0, ...], node).shape == ()
