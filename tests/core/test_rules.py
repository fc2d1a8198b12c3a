"""The facts of elementwise functions: they are complete, and the functions follow them."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
from common import for_each
from rows import ROWS, RULES

import supremum as xp
from supremum._core import operators
from supremum._core.rules import Result
from supremum._names import homes
from supremum.promotion._nodes import as_node

ELEMENTWISE = [name for name, home in homes().items() if home.startswith("supremum._functions.elementwise.")]
#: Every elementwise function of the standard 2025.12.
STANDARD = [
    "abs",
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "divide",
    "equal",
    "exp",
    "expm1",
    "floor",
    "floor_divide",
    "greater",
    "greater_equal",
    "hypot",
    "imag",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "log10",
    "log1p",
    "log2",
    "logaddexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "pow",
    "positive",
    "real",
    "reciprocal",
    "remainder",
    "round",
    "sign",
    "signbit",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "trunc",
]
NAMES = json.loads((Path(__file__).parents[2] / "conformance/jax/names.json").read_text(encoding="utf-8"))["jax.numpy"]
SAMPLES = {"b": "bool", "i": "int32", "u": "uint8", "f": "float32", "c": "complex64"}


def call(name, dtype):
    rule = RULES[name]
    operand = xp.ones((2,), dtype=dtype)
    return getattr(xp, name)(*[operand] * rule.nin)


def test_the_standard_is_complete():
    assert set(STANDARD) <= set(ELEMENTWISE) <= set(xp.__all__)
    assert set(STANDARD) - {"clip"} <= set(RULES)


def test_every_row_is_an_operation_of_its_function():
    for name, row in ROWS.items():
        assert row.rule.name == row.engine.name == name
        assert row.rule.nin == row.engine.operands
        assert getattr(xp, name).operation in (row.engine, None)


def test_operators_have_the_operations_of_functions():
    for name, row in operators.OPERATIONS.items():
        assert ROWS[name] is row


@pytest.mark.combinations
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("kind", SAMPLES)
def test_kinds(name, kind):
    rule = RULES[name]
    if kind in rule.accepts:
        assert isinstance(call(name, SAMPLES[kind]), xp.Array)
    else:
        with pytest.raises(rule.error, match=f"^{name} does not accept dtype {SAMPLES[kind]}"):
            call(name, SAMPLES[kind])


# The dtypes of JAX 0.10.2's results, with 64-bit types: for bool, uint8, int32, int64, bfloat16, float32, complex64.
GIVEN = ["bool", "uint8", "int32", "int64", "bfloat16", "float32", "complex64"]
RETURNED = {
    Result.SAME: GIVEN,
    Result.INEXACT: ["float32", "float32", "float32", "float64", "bfloat16", "float32", "complex64"],
    Result.QUOTIENT: ["float32", "float32", "float32", "float64", "bfloat16", "float32", "complex64"],
    Result.STRONG: ["float32", "float32", "float32", "float64", "bfloat16", "float32", "complex64"],
    Result.NUMBER: ["int32", "uint8", "int32", "int64", "bfloat16", "float32", "complex64"],
    Result.POWER: ["int32", "uint8", "int32", "int64", "bfloat16", "float32", "complex64"],
    Result.PREDICATE: ["bool"] * 7,
    Result.COMPARISON: ["bool"] * 7,
    Result.PART: ["bool", "uint8", "int32", "int64", "bfloat16", "float32", "float32"],
    Result.COUNT: ["uint8"] * 7,
}


@for_each("x64", ["explicit", "on"])
@for_each("name", RULES)
def test_dtypes(name, x64):
    rule = RULES[name]
    with xp.config.use(x64=x64):
        for given, returned in zip(GIVEN, RETURNED[rule.result], strict=True):
            if as_node(given).kind in rule.accepts:
                assert call(name, given).dtype == returned


@for_each("name", RULES)
def test_weak_operands(name):
    rule = RULES[name]
    for value in (2, 0.5, 1j):
        kind = as_node(type(value)).kind
        if kind not in rule.accepts:
            continue
        result = getattr(xp, name)(*[value] * rule.nin)
        expected = rule.result not in (Result.STRONG, Result.COUNT) and result.dtype != "bool"
        assert result.weak_type == expected, value


@pytest.mark.combinations
@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("bad", [[1, 2], (1,), None, "a", object()])
def test_what_is_no_array_is_refused(name, bad):
    rule = RULES[name]
    with pytest.raises(TypeError, match=name):
        getattr(xp, name)(*[bad] * rule.nin)
    if rule.nin == 2:
        for pair in ((xp.ones(2, dtype="int32"), bad), (bad, xp.ones(2, dtype="int32")), (2, bad), (bad, 2)):
            with pytest.raises(TypeError, match=name):
                getattr(xp, name)(*pair)


@for_each("name", [name for name in RULES if RULES[name].nin == 2])
def test_shapes_that_do_not_fit(name):
    with pytest.raises(ValueError, match=rf"{name}: the shapes \(2,\) and \(3,\)"):
        getattr(xp, name)(xp.ones(2, dtype="int32"), xp.ones(3, dtype="int32"))


@for_each("name", RULES)
def test_results_are_arrays_of_their_own(name):
    rule = RULES[name]
    for dtype in [SAMPLES[kind] for kind in rule.accepts] + ["bfloat16"] * ("f" in rule.accepts):
        x = xp.ones((), dtype=dtype)
        result = getattr(xp, name)(*[x] * rule.nin)
        assert isinstance(result, xp.Array)
        assert result.shape == ()
        assert not np.shares_memory(np.asarray(result), np.asarray(x))
        assert getattr(xp, name)(*[xp.ones((0, 2), dtype=dtype)] * rule.nin).shape == (0, 2)


@for_each("name", [n for n in ELEMENTWISE if NAMES.get(n, {}).get("kind") == "function" and n != "frompyfunc"])
def test_signatures_are_those_of_jax(name):
    ours = list(inspect.signature(getattr(xp, name)).parameters.values())
    words = [word.strip() for word in NAMES[name]["signature"].strip("()").split(",")]
    jax = [word for word in words if word not in "/*"]
    assert len(ours) == len(jax)
    only_by_position = words.index("/") if "/" in words else 0
    for parameter, word in list(zip(ours, jax, strict=True))[only_by_position:]:
        called, _, default = word.partition("=")
        assert parameter.name == called
        assert parameter.kind is not inspect.Parameter.POSITIONAL_ONLY
        assert default == ("" if parameter.default is inspect.Parameter.empty else repr(parameter.default))


def test_everything_public_is_documented():
    for name in ELEMENTWISE:
        doc = inspect.getdoc(getattr(xp, name))
        for part in ("Parameters\n", "Returns\n" if name != "ufunc" else "Attributes\n", "Examples\n", ">>> "):
            assert part in doc, name
