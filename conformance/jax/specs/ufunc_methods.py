"""Calls of the ufunc methods reduce, accumulate, reduceat, outer and at, of frompyfunc and of vectorize."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, function, nested, weak

from ._common import FEW, Call, mask, sample

UFUNCS = [
    "add",
    "multiply",
    "maximum",
    "minimum",
    "subtract",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logaddexp",
    "logaddexp2",
]
DTYPES = ["bool", "uint8", "int8", "int64", "bfloat16", "float16", "float32", "complex64"]


def reductions() -> Iterator[Call]:
    """Yield calls: the methods reduce and accumulate."""
    for ufunc in UFUNCS:
        for dtype in DTYPES:
            for method in ("reduce", "accumulate"):
                target = f"jnp.{ufunc}.{method}"
                yield call(target, sample(dtype, (2, 3)))
                yield call(target, sample(dtype, (2, 3)), axis=1)
                yield call(target, sample(dtype, 4))
        for dtype in ("int8", "float32"):
            x = sample(dtype, (2, 3))
            target = f"jnp.{ufunc}.reduce"
            for options in (
                {"axis": None}, {"axis": -1, "keepdims": True}, {"initial": 2}, {"where": mask((2, 3)), "initial": 1},
                {"where": mask((2, 3))}, {"axis": (0, 1)},
                {"axis": 2}, {"dtype": dt("float16")}, {"dtype": dt("int32")}, {"axis": 1, "initial": 2.5}, {"out": x},
            ):  # fmt: skip
                yield call(target, x, **options)
            yield call(target, sample(dtype, 0))
            yield call(target, sample(dtype, ()))
            yield call(target, sample(dtype, (0, 3)), axis=0)
            yield call(target, sample(dtype, (0, 3)), axis=0, initial=3)
            target = f"jnp.{ufunc}.accumulate"
            for options in (
                {"axis": None},
                {"axis": -1},
                {"axis": 2},
                {"dtype": dt("float16")},
                {"dtype": dt("int32")},
                {"axis": (0, 1)},
            ):
                yield call(target, x, **options)
            yield call(target, sample(dtype, 0))
            yield call(target, sample(dtype, ()))
        for value in (weak([1, 2]), weak(2), [1, 2], 3, np.arange(3), None):
            yield call(f"jnp.{ufunc}.reduce", value)
            yield call(f"jnp.{ufunc}.accumulate", value)


def others() -> Iterator[Call]:
    """Yield calls: reduceat, outer and at."""
    for ufunc in UFUNCS:
        for dtype in DTYPES:
            yield call(f"jnp.{ufunc}.reduceat", sample(dtype, 6), arr("int32", [0, 2, 4]))
            yield call(f"jnp.{ufunc}.reduceat", sample(dtype, (2, 4)), arr("int32", [0, 3, 1]), axis=1)
            for other in ("int8", "float32"):
                yield call(f"jnp.{ufunc}.outer", sample(dtype, 2), sample(other, 3))
            yield call(f"jnp.{ufunc}.outer", sample(dtype, 2), 2)
            yield call(f"jnp.{ufunc}.at", sample(dtype, 4), arr("int32", [0, 2, 0]), sample(dtype, 3, start=1), inplace=False)
            yield call(f"jnp.{ufunc}.at", sample(dtype, 4), 1, 2, inplace=False)
        x = sample("float32", 6)
        for indices in (
            [0, 2, 4],
            arr("int32", [4, 2, 0]),
            arr("int32", [0, 0, 5]),
            np.array([1, 3]),
            arr("int32", [0, 6]),
            arr("int32", [-1]),
            arr("float32", [0.0]),
            arr("int32", []),
            0,
        ):
            yield call(f"jnp.{ufunc}.reduceat", x, indices)
        yield call(f"jnp.{ufunc}.reduceat", x, arr("int32", [0, 2]), dtype=dt("float16"))
        yield call(f"jnp.{ufunc}.reduceat", x, arr("int32", [0, 2]), axis=1)
        for pair in (
            (sample("int8", (2, 2)), sample("int8", 2)),
            (2, 3),
            (weak(2), sample("int8", 2)),
            (weak([1, 2]), weak([0.5, 1])),
            ([1, 2], sample("int8", 2)),
            (sample("int8", ()), sample("int8", 0)),
        ):
            yield call(f"jnp.{ufunc}.outer", *pair)
        for index in (slice(0, 2), arr("int32", [9, 0]), mask(6), -1, arr("int32", [1, 1, 1])):
            yield call(f"jnp.{ufunc}.at", x, index, 2.0, inplace=False)
        yield call(f"jnp.{ufunc}.at", x, 0, 2.0)
        yield call(f"jnp.{ufunc}.at", x, 0, inplace=False)
        yield call(f"jnp.{ufunc}.at", sample("int8", 3), 0, 2.5, inplace=False)
        yield call(f"jnp.{ufunc}", sample("int8", 3))
    for method in ("reduce", "accumulate", "outer", "at", "reduceat"):
        yield call(f"jnp.negative.{method}", sample("float32", 3), *((0,) if method in ("at", "reduceat", "outer") else ()))
    yield call("jnp.negative.at", sample("float32", 3), arr("int32", [0, 2]), inplace=False)


def lifted() -> Iterator[Call]:
    """Yield calls: frompyfunc, vectorize, apply_along_axis, apply_over_axes."""
    made = nested("jnp.frompyfunc", function("add"), 2, 1)
    for dtype in FEW:
        yield call("operator.call", made, sample(dtype, 3), sample("int8", 3))
        yield call("operator.call", nested("jnp.vectorize", function("square")), sample(dtype, (2, 2)))
        yield call("operator.call", nested("jnp.vectorize", function("add")), sample(dtype, (2, 1)), sample("int8", 2))
        yield call("operator.call", nested("jnp.vectorize", function("sum"), signature="(n)->()"), sample(dtype, (2, 3)))
        yield call("jnp.apply_along_axis", function("sum"), 0, sample(dtype, (2, 3)))
        yield call("jnp.apply_along_axis", function("double"), 1, sample(dtype, (2, 3)))
        yield call("jnp.apply_along_axis", function("first_two"), -1, sample(dtype, (2, 3)))
        yield call("jnp.apply_over_axes", function("jnp.sum"), sample(dtype, (2, 3, 2)), [0, 2])
    for signature in ("(n),(m)->(n,m)", "(n),(n)->()", "nonsense", "(n)->(n)"):
        yield call(
            "operator.call",
            nested("jnp.vectorize", function("outer"), signature=signature),
            sample("float32", (2, 3)),
            sample("float32", (2, 2)),
        )
    yield call("operator.call", nested("jnp.vectorize", function("tuple")), sample("float32", 3))
    yield call("operator.call", nested("jnp.vectorize", function("add"), excluded={"x": 1}), sample("float32", 3), 2)
    yield call("operator.call", nested("jnp.vectorize", function("add"), excluded=(1,)), sample("float32", 3), 2)
    yield call("operator.call", nested("jnp.vectorize", function("add")), sample("float32", 3), sample("float32", 2))
    yield call("jnp.apply_along_axis", function("sum"), 2, sample("float32", (2, 3)))
    yield call("jnp.apply_along_axis", function("add"), 0, sample("float32", (2, 3)), 5)
    yield call("jnp.apply_over_axes", function("jnp.max"), sample("float32", (2, 3)), 1)
    yield call("jnp.apply_over_axes", function("jnp.max"), sample("float32", (2, 3)), (0, 5))
    for method, *args in (
        ("reduce", sample("int32", 4)),
        ("accumulate", sample("int32", 4)),
        ("outer", sample("int32", 2), sample("int32", 3)),
        ("reduceat", sample("int32", 4), arr("int32", [0, 2])),
    ):
        yield call("operator.call", nested("builtins.getattr", made, method), *args)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from reductions()
    yield from others()
    yield from lifted()
