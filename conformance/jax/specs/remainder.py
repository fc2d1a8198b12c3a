"""Calls that no other module has: interpolation, integration, printing, DLPack."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, weak

from ._common import COMMON, MOST, NARROW, Call, sample, special


def interpolation() -> Iterator[Call]:
    """Yield calls: interpolation and integration."""
    points, heights = arr("float32", [0.0, 1.0, 2.5, 4.0]), arr("float32", [1.0, 3.0, -2.0, 0.5])
    for dtype in (*MOST, *NARROW):
        yield call("jnp.interp", sample(dtype, 5), points, heights)
        yield call(
            "jnp.interp",
            arr("float32", [0.5, 2]),
            arr(dtype, [0, 1, 2, 3] if dtype != "bool" else [0, 1]),
            arr("float32", [1, 3, 2, 0] if dtype != "bool" else [1, 2]),
        )
        yield call("jnp.interp", arr("float32", [0.5, 2]), points, sample(dtype, 4))
        yield call("jnp.trapezoid", sample(dtype, 5))
        yield call("jnp.trapezoid", sample(dtype, (2, 4)), arr("float32", [0, 1, 3, 4]))
        yield call("jnp.trapezoid", sample(dtype, (2, 4)), dx=0.5, axis=0)
    x = arr("float32", [-1.0, 0.0, 0.25, 1.0, 3.0, 4.0, 9.0, float("nan")])
    for options in (
        {"left": -5},
        {"right": 2.5},
        {"left": 0, "right": 1},
        {"period": 3.0},
        {"left": "extrapolate"},
        {"right": "extrapolate"},
        {"period": 0},
        {"left": "nonsense"},
        {"left": 1j},
        {"period": -2.0},
    ):
        yield call("jnp.interp", x, points, heights, **options)
    for first in (1.5, 2, weak(1), [1.0, 2.0], np.array([0.5]), sample("float32", (2, 2)), 1j, sample("float32", 0)):
        yield call("jnp.interp", first, points, heights)
    yield call("jnp.interp", x, points, sample("float32", 3))
    yield call("jnp.interp", x, sample("float32", (2, 2)), heights)
    yield call("jnp.interp", x, arr("float32", [2, 1, 3, 0]), heights)
    yield call("jnp.interp", x, arr("float32", [1.0]), arr("float32", [2.0]))
    yield call("jnp.interp", x, sample("float32", 0), sample("float32", 0))
    for options in (
        {"dx": 2},
        {"axis": 0},
        {"x": sample("float32", (2, 3))},
        {"x": sample("int32", 3)},
        {"axis": 5},
        {"dx": weak(0.5)},
        {"dx": 1j},
    ):
        yield call("jnp.trapezoid", sample("float32", (2, 3)), **options)
    yield call("jnp.trapezoid", sample("float32", ()))
    yield call("jnp.trapezoid", sample("float32", 1))
    yield call("jnp.trapezoid", [1, 2])
    yield call("jnp.trapezoid", weak([1, 2, 4]))


def printing() -> Iterator[Call]:
    """Yield calls: array_repr, array_str, array2string and their options."""
    for dtype in (*COMMON, *NARROW):
        yield call("jnp.array_repr", special(dtype))
        yield call("jnp.array_str", special(dtype))
        yield call("jnp.array_repr", sample(dtype, (2, 3)))
    for options in ({"precision": 2}, {"max_line_width": 20}, {"suppress_small": True}):
        yield call("jnp.array_repr", arr("float32", [1 / 3, 1e-7, 123.456]), **options)
        yield call("jnp.array_str", arr("float32", [1 / 3, 1e-7, 123.456]), **options)
    yield call("jnp.array_repr", weak(2))
    yield call("jnp.array_repr", sample("float32", (0, 2)))


def exchange() -> Iterator[Call]:
    """Yield calls: from_dlpack."""
    for value in (
        np.arange(3, dtype=np.int32),
        np.ones((2, 2), np.float32),
        sample("float32", 3),
        sample("int8", (2, 2)),
        [1, 2],
        np.arange(2.0),
    ):
        yield call("jnp.from_dlpack", value)
    yield call("jnp.from_dlpack", np.ones(2, np.float32), copy=True)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from interpolation()
    yield from printing()
    yield from exchange()
