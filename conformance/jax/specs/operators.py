"""Calls of every operator with every pair of types: arrays, Python scalars, weak arrays, NumPy's arrays and scalars."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import Coded, arr, array_data, call, shape_of, weak

from ._common import COMMON, Call, sample, special

ARITHMETIC = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
BITWISE = ["and_", "or_", "xor", "lshift", "rshift"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]
BINARY = [f"operator.{op}" for op in (*ARITHMETIC, *BITWISE, *COMPARISONS)] + ["builtins.divmod"]
UNARY = ["operator.neg", "operator.pos", "operator.invert", "builtins.abs"]

SCALARS = [True, 2, -3, 0, 2.5, -0.5, float("nan"), 1 + 2j]
WEAK = [weak(2), weak(-3), weak(2.5), weak(1 + 2j), weak([1, 0, -2, 3, 4, 5, -6, 7]), weak([0.5, -1.0, 0.0, 2, 3, 4, 5, 6])]
OVERFLOWS = [128, -1, 300, 1000, -1000, 2**31, -(2**31) - 1, 2**32 + 5, 2**40, 2**63, -(2**63), 2**64 - 1, 2**64, -(2**70)]
NUMPY = ["bool", "uint8", "int8", "int32", "int64", "uint64", "bfloat16", "float16", "float32", "float64", "complex64"]


def arrays() -> Iterator[Call]:
    """Yield calls: each pair of dtypes."""
    for op in BINARY:
        for a in COMMON:
            for b in COMMON:
                yield call(op, special(a), special(b, "right"))


def matmul() -> Iterator[Call]:
    """Yield calls: each pair of dtypes, and shapes that fit and that do not."""
    for a in COMMON:
        for b in COMMON:
            yield call("operator.matmul", sample(a, (2, 3)), sample(b, 3, start=1))
    for a, b in [
        (3, 3),
        ((2, 3), (3, 2)),
        ((4, 2, 3), (3,)),
        ((2, 2, 3), (2, 3, 1)),
        ((2, 3), (2, 3)),
        ((), 3),
        (0, 0),
        ((2, 0), (0, 3)),
    ]:
        yield call("operator.matmul", sample("float32", a), sample("int32", b))
    for other in (2, 2.5, [1, 2, 3], weak(2), weak([1, 2, 3])):
        yield call("operator.matmul", sample("int8", 3), other)
        yield call("operator.matmul", other, sample("int8", 3))


def scalars() -> Iterator[Call]:
    """Yield calls: Python scalars and weak arrays on either side."""
    for op in BINARY:
        for dtype in COMMON:
            for other in (*SCALARS, *WEAK):
                yield call(op, special(dtype), other)
                yield call(op, other, special(dtype, "right"))
        for a in WEAK:
            for b in (*SCALARS, *WEAK):
                yield call(op, a, b)
                yield call(op, b, a)
        for dtype in ("bool", "int8", "uint32", "float32", "complex64"):
            zero_d = sample(dtype, ())
            for other in (True, 2, -0.5, 1j, weak(2), sample("int16"), sample("bfloat16", ())):
                yield call(op, zero_d, other)
                yield call(op, other, zero_d)


def powers() -> Iterator[Call]:
    """Yield calls: integer exponents, which have rules of their own in JAX."""
    for dtype in COMMON:
        for exponent in (0, 1, 2, 3, 5, -1, -2, 0.5, True, 10, weak(3), arr("int32", 2), arr("uint8", [2]), arr("int64", -1)):
            yield call("operator.pow", special(dtype), exponent)
        for base in (0, 2, -1, -2, 0.0, 2.0, 1j):
            yield call("operator.pow", base, special(dtype, "right"))


def overflows() -> Iterator[Call]:
    """Yield calls: Python integers out of range for the other operand's dtype."""
    for op in ("add", "sub", "mul", "floordiv", "mod", "pow", "and_", "or_", "lshift", "rshift", *COMPARISONS):
        for dtype in (
            "bool",
            "uint8",
            "int8",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "float32",
            "complex64",
        ):
            for number in OVERFLOWS:
                yield call(f"operator.{op}", special(dtype), number)
        for dtype in ("uint8", "int32", "uint64", "float32"):
            for number in (300, -1000, 2**40, 2**64):
                yield call(f"operator.{op}", number, special(dtype))


def foreign() -> Iterator[Call]:
    """Yield calls: NumPy's arrays and scalars, and objects that no operator takes."""
    for op in ("add", "mul", "truediv", "pow", "floordiv", "and_", "eq", "lt", "matmul"):
        for dtype in ("bool", "uint8", "int32", "bfloat16", "float32", "complex64"):
            mine = special(dtype) if op != "matmul" else sample(dtype, 8)
            for other in NUMPY:
                theirs = _numpy(special(other, "right") if op != "matmul" else sample(other, 8))
                yield call(f"operator.{op}", mine, theirs)
                yield call(f"operator.{op}", theirs, mine)
                if op != "matmul":
                    yield call(f"operator.{op}", mine, theirs[3])
                    yield call(f"operator.{op}", theirs[3], mine)
    for op in ("add", "sub", "truediv", "and_", "eq", "lt", "matmul"):
        for other in ([1, 2, 3, 4], (1, 2, 3, 4), None, "a", {}, slice(1)):
            yield call(f"operator.{op}", sample("int32"), other)
            yield call(f"operator.{op}", other, sample("int32"))


def _numpy(coded: Coded) -> np.ndarray:
    return array_data(coded["a"], coded["v"], shape_of(coded))


def shapes() -> Iterator[Call]:
    """Yield calls: broadcasting and shapes that do not broadcast."""
    pairs = [
        ((2, 1), 3),
        ((2, 3), ()),
        ((), ()),
        (0, 1),
        ((2, 0), (2, 1)),
        (3, 4),
        ((2, 3), 2),
        ((1, 3), (2, 1)),
        ((3, 1, 2), (4, 1)),
    ]
    for op in ("add", "truediv", "floordiv", "pow", "lt", "eq", "and_"):
        for left, right in pairs:
            yield call(f"operator.{op}", sample("int16", left), sample("uint8", right))


def unary() -> Iterator[Call]:
    """Yield calls: unary operators and conversions to Python's types."""
    for dtype in COMMON:
        for op in UNARY:
            yield call(op, special(dtype))
            yield call(op, sample(dtype, ()))
        for conversion in ("bool", "int", "float", "complex"):
            for value in (sample(dtype, ()), sample(dtype, 1), sample(dtype, 2), sample(dtype, 0), arr(dtype, 0)):
                yield call(f"builtins.{conversion}", value)
        for conversion in ("operator.index", "builtins.hash", "builtins.len", "builtins.round", "builtins.oct"):
            yield call(conversion, arr(dtype, 3))
            yield call(conversion, sample(dtype, (2, 2)))
        yield call("builtins.round", sample(dtype, 3), 1)
        yield call("operator.contains", sample(dtype, 3), 2)
        yield call("operator.contains", sample(dtype, 3), sample(dtype, (), start=1))
    for value in WEAK:
        for op in (*UNARY, "builtins.bool", "builtins.int", "builtins.float", "builtins.complex", "operator.index"):
            yield call(op, value)
    for value in (float("nan"), float("inf"), -1.5, 3e9):
        for conversion in ("bool", "int", "float"):
            yield call(f"builtins.{conversion}", arr("float32", value))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (arrays, matmul, scalars, powers, overflows, foreign, shapes, unary):
        yield from part()
