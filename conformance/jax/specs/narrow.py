"""Calls of operators on narrow dtypes with each other, with wider ones, and with scalars."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

from conformance.jax.calls import call, weak

from ._common import Call, sample, special

OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "lshift", "rshift", "eq", "lt", "matmul"]
DTYPES = ["float8_e4m3fn", "float8_e5m2", "float8_e4m3b11fnuz", "float8_e3m4", "float4_e2m1fn", "int4", "uint4", "int2"]
PARTNERS = ["bool", "uint8", "int32", "bfloat16", "float16", "float32", "complex64", "int4", "float8_e5m2"]


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for op in OPERATORS:
        for dtype in DTYPES:
            mine = sample(dtype, 4) if op == "matmul" else special(dtype)
            yield call(f"operator.{op}", mine, mine)
            yield call(f"operator.{op}", sample(dtype, 4), sample(dtype, 4, start=2))
            for partner in PARTNERS:
                yield call(f"operator.{op}", sample(dtype, 4), sample(partner, 4, start=1))
                yield call(f"operator.{op}", sample(partner, 4), sample(dtype, 4, start=1))
            for scalar in (True, 2, -1, 100, 0.5, 1j, weak(3), weak(1.5)):
                yield call(f"operator.{op}", sample(dtype, 4), scalar)
                yield call(f"operator.{op}", scalar, sample(dtype, 4, start=1))
    for dtype in DTYPES:
        for op in ("operator.neg", "operator.pos", "operator.invert", "builtins.abs", "builtins.repr", "Array.tolist"):
            yield call(op, sample(dtype, 4))
            yield call(op, special(dtype) if dtype != "int2" else sample(dtype, 2))
        for conversion in ("bool", "int", "float", "complex"):
            yield call(f"builtins.{conversion}", sample(dtype, ()))
        for function in (
            "sum",
            "max",
            "mean",
            "cumsum",
            "sort",
            "argsort",
            "unique",
            "exp",
            "sin",
            "sqrt",
            "isnan",
            "sign",
            "zeros_like",
            "square",
        ):
            yield call(f"jnp.{function}", sample(dtype, 4))
