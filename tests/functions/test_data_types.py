"""Data type functions, compared with JAX 0.10.2, and limits by exact arithmetic."""

import itertools
from fractions import Fraction
from pathlib import Path

import expressions
import ml_dtypes
import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import jax
from supremum.promotion._nodes import ABSENT, NODES


@for_each("case", expressions.cases("data_types"), expressions.identity)
def test_as_jax(case):
    expressions.check(case)


LINES = (Path(__file__).parents[1] / "golden/can_cast.txt").read_text().splitlines()
CAN_CAST = dict(line.split() for line in LINES if not line.startswith("#"))
RULES = {"no": "n", "equiv": "n", "safe": "ns", "same_kind": "nsk", "unsafe": "nsku"}


@for_each("source", CAN_CAST)
def test_can_cast_of_every_pair(source):
    for (target, weakest), (rule, allowed) in itertools.product(zip(CAN_CAST, CAN_CAST[source], strict=True), RULES.items()):
        if not {source, target} & ABSENT:
            assert xp.can_cast(source, target, rule) == (weakest in allowed), (target, rule)
            assert xp.can_cast(getattr(xp, source), getattr(xp, target), casting=rule) == (weakest in allowed)


def test_can_cast_of_python_scalars_goes_by_promotion():
    assert xp.can_cast(1000, "int8")
    assert xp.can_cast(1, "float8_e5m2")
    assert xp.can_cast(1.5, "bfloat16")
    assert not xp.can_cast(1.5, "int32")
    assert not xp.can_cast(1j, "float64")
    assert not xp.can_cast(1, "bool")


# exponent bits, mantissa bits, bias, whether it has infinities, and the largest mantissa of the largest exponent
FORMATS = {
    "float4_e2m1fn": (2, 1, 1, 6.0),
    "float6_e2m3fn": (2, 3, 1, 7.5),
    "float6_e3m2fn": (3, 2, 3, 28.0),
    "float8_e3m4": (3, 4, 3, 15.5),
    "float8_e4m3": (4, 3, 7, 240.0),
    "float8_e4m3b11fnuz": (4, 3, 11, 30.0),
    "float8_e4m3fn": (4, 3, 7, 448.0),
    "float8_e4m3fnuz": (4, 3, 8, 240.0),
    "float8_e5m2": (5, 2, 15, 57344.0),
    "float8_e5m2fnuz": (5, 2, 16, 57344.0),
    "bfloat16": (8, 7, 127, float(Fraction(2) ** 127 * (2 - Fraction(1, 2**7)))),
    "float16": (5, 10, 15, 65504.0),
    "float32": (8, 23, 127, float(Fraction(2) ** 127 * (2 - Fraction(1, 2**23)))),
    "float64": (11, 52, 1023, float(Fraction(2) ** 1023 * (2 - Fraction(1, 2**52)))),
}


@for_each("name", FORMATS)
def test_finfo_by_exact_arithmetic(name):
    exponent, mantissa, bias, largest = FORMATS[name]
    info = xp.finfo(name)
    assert info.bits == exponent + mantissa + 1
    assert info.dtype == np.dtype(getattr(ml_dtypes, name, name))
    assert Fraction(info.eps) == Fraction(1, 2**mantissa)
    assert info.max == -info.min == largest
    assert Fraction(info.smallest_normal) == Fraction(2) ** (1 - bias)
    assert Fraction(info.smallest_subnormal) == Fraction(2) ** (1 - bias - mantissa)
    assert (info.nexp, info.nmant, info.minexp) == (exponent, mantissa, 1 - bias)
    floats = (info.eps, info.max, info.min, info.smallest_normal, info.tiny, info.resolution)
    assert {type(value) for value in floats} == {float}
    assert repr(info) == repr(ml_dtypes.finfo(name))


def test_finfo_of_other_things():
    for spec in (xp.ones(2), np.float32(1), xp.float32, "float32", np.dtype("float32"), xp.complex64, xp.ones(2) * 1j):
        assert xp.finfo(spec) == xp.finfo("float32")
        assert hash(xp.finfo(spec)) == hash(xp.finfo("float32"))
    with xp.config.use(x64="off"):
        assert xp.finfo("float64").bits == xp.finfo(float).bits == 64
    for bad in ("int32", "nonsense", None, xp.floating):
        with pytest.raises((ValueError, TypeError), match="finfo"):
            xp.finfo(bad)


@for_each("name", [name for name, node in NODES.items() if node.kind in "iu"])
def test_iinfo(name):
    bits = int(name.lstrip("uint"))
    info = xp.iinfo(name)
    signed = not name.startswith("u")
    assert (info.bits, info.kind) == (bits, "i" if signed else "u")
    assert (info.min, info.max) == ((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1))
    assert {type(info.min), type(info.max)} == {int}


def test_iinfo_of_other_things():
    assert xp.iinfo(3) == xp.iinfo(int) == xp.iinfo("int64")
    assert xp.iinfo(xp.arange(2)) == xp.iinfo("int32")
    for bad in ("float32", "bool", "nonsense"):
        with pytest.raises((ValueError, TypeError), match="iinfo"):
            xp.iinfo(bad)


def test_result_type_tells_weakness():
    assert xp.result_type(1, return_weak_type_flag=True) == (np.dtype("int32"), True)
    assert xp.result_type(1, "int8", return_weak_type_flag=True) == (np.dtype("int8"), False)
    assert xp.result_type(True, return_weak_type_flag=True) == (np.dtype("bool"), False)
    assert xp.result_type(xp.asarray(1), 1.5, return_weak_type_flag=True) == (np.dtype("float32"), True)
    assert xp.result_type("uint64", "int64", return_weak_type_flag=True) == (np.dtype("float32"), True)


def test_the_two_answers_for_uint64_with_int64():
    """Without an array that determines the width, one returns the widest float and the other the default one."""
    assert xp.promote_types("uint64", "int64") == "float64"
    assert xp.result_type("uint64", "int64") == "float32"
    with xp.config.use(x64="on"):
        assert xp.result_type("uint64", "int64") == "float64"


@pytest.mark.parametrize("function", [xp.promote_types, xp.result_type])
def test_other_systems(function):
    with xp.config.use(promotion="numpy"):
        assert function("uint8", "int8") == np.dtype("int16")
        assert function("int64", "float32") == np.dtype("float64")


def test_astype_of_every_pair_keeps_small_integers():
    small = [1, 0, 1]
    for a, b in itertools.product(NODES, NODES):
        if {"float8_e8m0fnu", "int1"} & {a, b} or (NODES[a].kind == "c" and NODES[b].kind not in "cb"):
            continue  # float8_e8m0fnu has no zero, int1 no one; the cast from complex to real warns
        x = xp.astype(xp.asarray(small, dtype=a), b)
        assert x.dtype == xp.dtype(b)
        assert x.tolist() == small


def test_astype_copies_by_default_and_gives_the_same_array_otherwise():
    x = xp.arange(2)
    assert xp.astype(x, "int32") is not x
    assert xp.astype(x, "int32", copy=False) is x
    weak = xp.full((2,), 1)
    strong = xp.astype(weak, "int32", copy=False)
    assert not strong.weak_type
    assert np.shares_memory(strong._data, weak._data)


@pytest.mark.parametrize("kind", [3, 1.5, True, 1j, (3,)], ids=str)
def test_a_number_is_no_kind(kind):
    with pytest.raises(TypeError, match="isdtype: a kind must be"):
        xp.isdtype(xp.float32, kind)


@pytest.mark.parametrize("call", [lambda x: xp.isdtype(x, "bool"), lambda x: xp.issubdtype(xp.int8, x)])
def test_deep_lists_are_no_dtypes(call):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(TypeError, match="names no dtype"):
        call(deep)


def test_quantized_is_astype():
    x = xp.asarray([0.1, 300.0, -1e9, xp.nan])
    for dtype in ("float8_e4m3fn", "bfloat16", "int8", "float32", None):
        found = xp.quantized(x, dtype)
        assert np.asarray(found).tobytes() == np.asarray(xp.astype(x, dtype)).tobytes()
        assert (found.dtype, found.weak_type) == (xp.astype(x, dtype).dtype, False)
    rows = jax.vmap(lambda row: xp.quantized(row, "float8_e4m3fn"))(xp.ones((2, 3)))
    assert (rows.shape, rows.dtype) == ((2, 3), xp.float8_e4m3fn)
    assert xp.quantized(0.1, "bfloat16").dtype == xp.bfloat16
    with xp.trace_promotions() as log:
        xp.quantized(x, "bfloat16")
    assert len(log) == 0
    with pytest.raises(TypeError, match="flaot8"):
        xp.quantized(x, "flaot8")
