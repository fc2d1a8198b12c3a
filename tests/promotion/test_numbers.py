"""Lossy casts, checked number by number for narrow dtypes."""

from fractions import Fraction
from itertools import product

import ml_dtypes
import numpy as np
import pytest
from common import for_each

from supremum.promotion import as_node
from supremum.promotion._nodes import NODES
from supremum.promotion._numbers import component, first_lost, limits, significant_bits

REAL = [node for node in NODES.values() if node.kind != "c"]
NARROW = [node for node in REAL if node.bits <= 8]


def numbers(node):
    """Return every finite number of a narrow type, exactly."""
    if node.kind in "biu":
        low, high = limits(node)
        return {Fraction(i) for i in range(low, high + 1)}
    every = np.arange(2**node.bits, dtype=np.uint8).view(node.dtype).astype(np.float64)
    return {Fraction(float(one)) for one in every[np.isfinite(every)]}


@pytest.mark.combinations
@pytest.mark.parametrize("source, target", list(product(NARROW, repeat=2)), ids=lambda node: node.name)
def test_narrow_types_number_by_number(source, target):
    low, high = limits(target)
    held = numbers(target)
    assert (min(held), max(held)) == (Fraction(low), Fraction(high))
    lost = {one for one in numbers(source) if one > 0 and low <= one <= high and one not in held}
    integers = {one for one in lost if one.denominator == 1}
    expected = min(integers or lost, default=None)
    found = first_lost(source, target)
    assert (found if found is None else Fraction(found)) == expected


@for_each(
    "source, target, lost",
    [
        ("int32", "float32", 2**24 + 1),
        ("uint32", "float64", None),
        ("int64", "float64", 2**53 + 1),
        ("uint64", "float32", 2**24 + 1),
        ("int64", "float16", 2049),
        ("int32", "bfloat16", 257),
        ("uint16", "float16", 2049),
        ("int16", "float32", None),
        ("float16", "bfloat16", 257),
        ("bfloat16", "float16", 2.0**-133),
        ("float16", "float32", None),
        ("float64", "float32", 2**24 + 1),
        ("complex128", "complex64", 2**24 + 1),
        ("complex64", "complex128", None),
        ("float64", "complex64", 2**24 + 1),
        ("int64", "uint64", None),
        ("int64", "float4_e2m1fn", 5),
        ("int8", "float8_e8m0fnu", 3),
        ("bool", "int8", None),
    ],
)
def test_first_number_that_is_lost(source, target, lost):
    assert first_lost(as_node(source), as_node(target)) == lost
    if lost is not None:
        target_dtype = component(as_node(target)).dtype
        source_dtype = component(as_node(source)).dtype
        assert np.asarray(lost).astype(source_dtype).astype(object) == lost
        assert float(np.asarray(lost).astype(target_dtype)) != Fraction(lost)
        if lost > 1:
            below = np.arange(1, min(lost, 5000))
            assert (below.astype(target_dtype).astype(np.float64) == below).all()


def test_limits_and_bits():
    assert limits(as_node("bool")) == (0, 1)
    assert limits(as_node("int4")) == (-8, 7)
    assert limits(as_node("uint64")) == (0, 2**64 - 1)
    assert limits(as_node("complex64")) == limits(as_node("float32"))
    assert limits(as_node("float8_e8m0fnu"))[0] > 0
    assert significant_bits(as_node("bfloat16")) == 8
    assert significant_bits(as_node("int16")) == 15
    assert significant_bits(as_node("uint16")) == 16
    for node in REAL:
        if node.kind == "f":
            assert significant_bits(node) == ml_dtypes.finfo(node.dtype).nmant + 1


def test_component():
    assert component(as_node("complex128")) is as_node("float64")
    assert component(as_node("complex64*")) is as_node("float32")
    assert component(as_node("int8*")) is as_node("int8")
    assert component(as_node("float*")) is as_node("float*")
