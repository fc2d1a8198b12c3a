"""Calls of methods and properties of arrays."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, name, weak

from ._common import COMMON, FEW, MOST, NARROW, Call, mask, sample, special

PROPERTIES = [
    "T",
    "mT",
    "dtype",
    "flat",
    "imag",
    "itemsize",
    "nbytes",
    "ndim",
    "real",
    "shape",
    "size",
    "weak_type",
    "is_fully_addressable",
    "is_fully_replicated",
]
PLAIN = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "block_until_ready",
    "conj",
    "conjugate",
    "copy",
    "cumprod",
    "cumsum",
    "flatten",
    "item",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ptp",
    "ravel",
    "round",
    "sort",
    "squeeze",
    "std",
    "sum",
    "tolist",
    "transpose",
    "var",
    "tobytes",
    "byteswap",
    "is_deleted",
    "is_ready",
    "__array__",
    "__len__",
    "__abs__",
    "__neg__",
    "__bool__",
    "__hash__",
    "__repr__",
    "__str__",
    "diagonal",
    "trace",
    "swapaxes",
    "clone",
]
AXES = ["all", "any", "argmax", "argmin", "cumprod", "cumsum", "max", "mean", "min", "prod", "ptp", "std", "sum", "var"]


def plain() -> Iterator[Call]:
    """Yield calls: every method without arguments, every property."""
    values = [
        sample("float32", (2, 3)),
        sample("float32", ()),
        sample("float32", 1),
        sample("int32", 0),
        weak(2),
        weak(1.5),
        weak([1, 2]),
        mask((2, 2)),
    ]
    for member in (*PROPERTIES, *PLAIN):
        if member == "flat":
            continue
        target = f"Array.{member}"
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, (2, 3)))
        for dtype in FEW:
            yield call(target, special(dtype))
            yield call(target, sample(dtype, ()))
        for value in values:
            yield call(target, value)
    for dtype in (*COMMON, *NARROW):
        for value in (sample(dtype, 3), sample(dtype, ()), sample(dtype, (2, 2)), special(dtype)):
            yield call("builtins.repr", value)
            yield call("builtins.str", value)
        yield call("builtins.format", sample(dtype, ()))
        yield call("builtins.format", sample(dtype, 2), "")
        yield call("builtins.format", sample(dtype, ()), ".3f")
    for value in (
        *values,
        sample("float32", (0, 3)),
        arr("float32", np.arange(2000)),
        arr("float32", [1e10, 1e-10, 1.0]),
        arr("int8", np.arange(24).reshape(2, 3, 4)),
    ):
        yield call("builtins.repr", value)
        yield call("builtins.str", value)


def reductions() -> Iterator[Call]:
    """Yield calls: reductions as methods."""
    for method in AXES:
        target = f"Array.{method}"
        for dtype in FEW:
            x = sample(dtype, (2, 3))
            for args, options in [
                ((0,), {}),
                ((), {"axis": -1}),
                ((1,), {"keepdims": True}),
                ((), {"axis": (0, 1)}),
                ((), {"axis": 2}),
                ((None,), {}),
            ]:
                if options == {"keepdims": True} and method.startswith("cum"):
                    continue
                yield call(target, x, *args, **options)
        if method not in ("argmax", "argmin", "cumsum", "cumprod", "ptp"):
            yield call(
                target, sample("float32", (2, 3)), where=mask((2, 3)), **({"initial": 1.0} if method in ("max", "min") else {})
            )
        if method in ("sum", "prod", "mean", "std", "var", "cumsum", "cumprod"):
            yield call(target, sample("int8", (2, 3)), dtype=dt("float16"))
            yield call(target, sample("int8", (2, 3)), 0, "int32")
        yield call(target, sample("float32", 3), out=sample("float32", ()))
    for method in ("sum", "prod"):
        yield call(f"Array.{method}", sample("int8", 3), promote_integers=False)
        yield call(f"Array.{method}", sample("int8", 3), initial=5)
    for options in ({"ddof": 1}, {"correction": 1}, {"axis": 0, "ddof": 0.5}):
        yield call("Array.var", sample("float32", (2, 3)), **options)
        yield call("Array.std", sample("float32", (2, 3)), **options)


def shapes() -> Iterator[Call]:
    """Yield calls: shape methods."""
    x = sample("int16", (2, 3, 2))
    for args in [(12,), (-1,), ((3, 4),), (3, 4), (2, -1), (5, 5), (), ([3, 4],), (2.0, 6)]:
        yield call("Array.reshape", x, *args)
    for order in ("C", "F", "A"):
        yield call("Array.reshape", x, (3, 4), order=order)
        yield call("Array.flatten", x, order)
        yield call("Array.ravel", x, order=order)
    for args in [(), (0, 2, 1), ((2, 0, 1),), (None,), (0, 1), (-1, 0, 1)]:
        yield call("Array.transpose", x, *args)
    for args in [(0, 1), (0, -1), (0, 3)]:
        yield call("Array.swapaxes", x, *args)
        yield call("Array.diagonal", x, 0, *args)
        yield call("Array.trace", x, 0, *args)
    for axis in (None, 0, 1, (0,), -1, 5):
        yield call("Array.squeeze", sample("int8", (1, 3, 1)), axis)
        yield call("Array.squeeze", sample("int8", (1, 3, 1)), axis=axis)
    for options in (
        {"axis": 0},
        {"axis": 1},
        {"axis": -1},
        {"descending": True},
        {"stable": False},
        {"kind": "stable"},
        {"axis": None},
        {"axis": 3},
    ):
        yield call("Array.sort", sample("float32", (2, 4)), **options)
        yield call("Array.argsort", sample("float32", (2, 4)), **options)
    yield call("Array.argpartition", sample("float32", 4), 0)
    for repeats in (2, [1, 2], arr("int32", [2, 1])):
        yield call("Array.repeat", sample("int8", 2), repeats)
        yield call("Array.repeat", sample("int8", (2, 2)), repeats, axis=0)
        yield call("Array.repeat", sample("int8", (2, 2)), repeats, 1, total_repeat_length=4)
    for args in [(), (0,), (1, 2), (-1, -1), (5,), ((0, 1),), (7, 0)]:
        yield call("Array.item", sample("float32", (2, 3)), *args)
        yield call("Array.item", sample("int64", 1), *args)


def values() -> Iterator[Call]:
    """Yield calls: casts, views, choices, searches."""
    for a in (*MOST, *NARROW):
        for b in ("bool", "int8", "uint16", "int64", "bfloat16", "float16", "float64", "complex64", "float8_e5m2"):
            yield call("Array.astype", special(a), dt(b))
        yield call("Array.astype", sample(a), None)
        for b in ("int8", "uint16", "float32", "int64", "bool", "bfloat16", "complex64"):
            yield call("Array.view", sample(a, (2, 4)), dt(b))
        yield call("Array.view", sample(a, (2, 4)))
        for bounds in ((1, 3), (None, 2), (-1, None), (0.5, 2.5)):
            yield call("Array.clip", sample(a, 6), *bounds)
        yield call("Array.clip", sample(a, 6), min=1)
        yield call("Array.round", sample(a, 6), 1)
        yield call("Array.dot", sample(a, 3), sample("int8", 3))
        yield call("Array.take", sample(a, 4), arr("int32", [0, 2]))
        yield call("Array.searchsorted", arr(a, [0, 1, 1, 1]), 1)
        yield call("Array.compress", mask(4), sample(a, 4))
        yield call("Array.__mul__", sample(a, 3), 2)
        yield call("Array.__rsub__", sample(a, 3), 2)
        yield call("Array.__contains__", sample(a, 3), 2)
    for spec in (int, float, bool, complex, "int16", name("float32"), "nonsense", np.float32):
        yield call("Array.astype", sample("int16"), spec)
        yield call("Array.view", sample("int16"), spec)
    yield call("Array.astype", weak(2), dt("int32"))
    yield call("Array.astype", weak(2), dt("float32"))
    yield call("Array.astype", sample("int16"), dt("float32"), copy=True)
    yield call("Array.astype", sample("complex64"), dt("float32"))
    yield call("Array.view", sample("float32", ()), dt("int32"))
    yield call("Array.view", sample("float32", ()), dt("int8"))
    yield call("Array.view", sample("int8", 3), dt("int16"))
    for index, options in [
        (5, {}),
        (5, {"mode": "clip"}),
        (-1, {}),
        (arr("int32", [[0, 1]]), {}),
        ([0, 1], {}),
        (arr("int32", [0, 1]), {"axis": 1}),
        (arr("int32", 9), {"mode": "fill", "fill_value": 7}),
    ]:
        yield call("Array.take", sample("int8", (2, 3)), index, **options)
    for size in (None, 2, 6):
        yield call("Array.nonzero", mask(5), size=size)
        yield call("Array.nonzero", mask(5), size=size, fill_value=9)
    for mode in ("raise", "clip", "wrap"):
        yield call("Array.choose", arr("int32", [0, 1, 1]), [sample("int8", 3), 7], mode=mode)
    yield call("Array.compress", mask(2), sample("int8", (2, 3)), axis=1)
    yield call("Array.compress", mask(4), sample("int8", 4), size=2, fill_value=9)
    yield call("Array.searchsorted", arr("float32", [0, 1, 2]), arr("float32", [0.5, 2]), side="right")
    yield call("Array.searchsorted", arr("float32", [0, 1, 2]), arr("float32", [0.5, 2]), "right")
    for size in (1, 3):
        yield (
            call("Array.__iter__.__class__", sample("int8", size)) if size < 0 else call("builtins.sum", sample("int8", size))
        )
    for dtype in FEW:
        yield call("builtins.sum", sample(dtype, 3))
        yield call("builtins.max", sample(dtype, 3))
        yield call("builtins.sorted", sample(dtype, 3))
        yield call("builtins.tuple", sample(dtype, 2))
        yield call("builtins.pow", sample(dtype, 3), 2)
        yield call("np.asarray", sample(dtype, 3))
        yield call("np.add", sample(dtype, 3), 1)
        yield call("np.asarray", sample(dtype, 3), np.dtype("float64"))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (plain, reductions, shapes, values):
        yield from part()
