"""Calls that search, sort and count: sets and histograms included."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, weak

from ._common import COMMON, FEW, MOST, NARROW, Call, mask, odd_arguments, sample, special

TIES = [3, 1, 2, 3, 1, 0, 2, 3]


def sorting() -> Iterator[Call]:
    """Yield calls: sort, argsort, partition, argpartition, lexsort, sort_complex."""
    for function in ("sort", "argsort"):
        target = f"jnp.{function}"
        for dtype in (*COMMON, *NARROW):
            for options in ({}, {"descending": True}, {"stable": False}):
                yield call(target, special(dtype), **options)
                yield call(target, arr(dtype, TIES), **options)
            yield call(target, sample(dtype, (2, 4)), axis=0)
            yield call(target, sample(dtype, (2, 4)), axis=None)
        for options in (
            {"axis": 1},
            {"axis": -2},
            {"axis": 2},
            {"kind": "stable"},
            {"kind": "quicksort"},
            {"kind": "nonsense"},
            {"order": "a"},
            {"axis": "a"},
            {"axis": (0, 1)},
            {"stable": True, "descending": True, "axis": 0},
        ):
            yield call(target, sample("float32", (3, 4)), **options)
            yield call(target, sample("int32", (3, 4)), **options)
        for argument in odd_arguments():
            yield call(target, argument)
        nans = arr("float32", [[float("nan"), 1, -1], [0.0, float("nan"), float("nan")]])
        yield call(target, nans)
        yield call(target, nans, descending=True)
        yield call(target, arr("complex64", [1 + 2j, 1 - 1j, complex(float("nan"), 0), complex(0, float("nan")), -1j, 1 + 0j]))
        yield call(target, arr("float32", [0.0, -0.0, 0.0, -0.0]))
    for wanted in ("int8", "int32", "int64", "uint16", "float32"):
        yield call("jnp.argsort", arr("float32", TIES), dtype=dt(wanted))
    for function in ("partition", "argpartition"):
        for dtype in MOST:
            yield call(f"jnp.{function}", arr(dtype, [3, 1, 2, 0]), 0)
        for kth, axis in ((1, -1), (-1, 0), (5, -1), (0, 2), (1.5, -1), ((0, 1), -1)):
            yield call(f"jnp.{function}", arr("float32", [[2, 1], [0, 3]]), kth, axis)
    for keys in (
        (arr("int32", TIES), arr("int32", TIES[::-1])),
        arr("float32", [TIES, TIES[::-1]]),
        (arr("int32", TIES),),
        [arr("int32", TIES), arr("float32", TIES)],
        (),
        arr("int32", TIES),
        ([1, 2], [3, 4]),
    ):
        yield call("jnp.lexsort", keys)
        yield call("jnp.lexsort", keys, axis=0)
    yield call("jnp.lexsort", (sample("int32", (2, 3)), sample("int32", (2, 3))), axis=0)
    for dtype in MOST:
        yield call("jnp.sort_complex", sample(dtype, 5))


def searching() -> Iterator[Call]:
    """Yield calls: searchsorted, digitize, nonzero, argwhere, flatnonzero, count_nonzero."""
    for dtype in (*MOST, *NARROW):
        edges = arr(dtype, [0, 1, 1, 2, 3] if dtype != "bool" else [0, 0, 1, 1, 1])
        for side in ("left", "right", "middle"):
            yield call("jnp.searchsorted", edges, arr(dtype, [1, 0, 3, 2]), side=side)
        for value in (
            1,
            1.5,
            weak(2),
            arr("int8", [1, 5]),
            arr("float32", [0.5, float("nan")]),
            arr("int64", [[1], [2]]),
            np.array([1.5, 2]),
            300,
            -1,
            1j,
        ):
            yield call("jnp.searchsorted", edges, value)
        yield call("jnp.digitize", arr(dtype, [1, 0, 3, 2]), edges)
        yield call("jnp.digitize", arr(dtype, [1, 0, 3, 2]), edges, right=True)
        yield call("jnp.digitize", arr(dtype, [1, 0, 3, 2]), arr(dtype, [3, 2, 1, 0]))
        for function in ("nonzero", "argwhere", "flatnonzero", "count_nonzero"):
            yield call(f"jnp.{function}", special(dtype))
            yield call(f"jnp.{function}", sample(dtype, (2, 3)))
    for method in ("scan", "scan_unrolled", "sort", "compare_all", "nonsense"):
        yield call("jnp.searchsorted", arr("float32", [0, 1, 2, 2, 5]), arr("float32", [2, -1, 9, 1.5]), method=method)
        yield call("jnp.digitize", arr("float32", [2, -1, 9, 1.5]), arr("float32", [0, 1, 2, 2, 5]), method=method)
    yield call("jnp.searchsorted", arr("float32", [3, 1, 2]), arr("float32", [2, 0]), sorter=arr("int32", [1, 2, 0]))
    yield call("jnp.searchsorted", arr("float32", [[1, 2]]), 1)
    yield call("jnp.searchsorted", arr("float32", []), arr("float32", [1]))
    yield call("jnp.searchsorted", arr("float32", [0, 1, float("nan")]), arr("float32", [2, float("nan")]))
    yield call("jnp.searchsorted", [1, 2], 1)
    yield call("jnp.digitize", 1.5, arr("float32", [1, 2]))
    yield call("jnp.digitize", arr("float32", [1.5]), arr("float32", []))
    for function in ("nonzero", "argwhere", "flatnonzero"):
        for x in (mask((2, 3)), sample("float32", ()), arr("int32", 0), sample("int32", 0), weak([0, 1]), 5, [0, 1], mask(4)):
            yield call(f"jnp.{function}", x)
            for options in (
                {"size": 2},
                {"size": 5},
                {"size": 5, "fill_value": -1},
                {"size": 0},
                {"size": 4, "fill_value": 100},
                {"fill_value": 3},
            ):
                yield call(f"jnp.{function}", x, **options)
    yield call("jnp.nonzero", mask((2, 3)), size=5, fill_value=(7, 8))
    yield call("jnp.nonzero", mask((2, 3)), size=5, fill_value=(7, 8, 9))
    yield call("jnp.nonzero", mask((2, 3)), size=-1)
    for axis in (0, 1, None, (0, 1), 2):
        yield call("jnp.count_nonzero", sample("int32", (2, 3)), axis=axis)
        yield call("jnp.count_nonzero", sample("int32", (2, 3)), axis, keepdims=True)


def sets() -> Iterator[Call]:
    """Yield calls: unique elements, and the functions of two sets."""
    for dtype in (*MOST, *NARROW):
        for function in ("unique", "unique_values", "unique_counts", "unique_inverse", "unique_all"):
            yield call(f"jnp.{function}", special(dtype))
            yield call(f"jnp.{function}", arr(dtype, TIES))
            yield call(f"jnp.{function}", arr(dtype, TIES, (2, 4)))
            yield call(f"jnp.{function}", arr(dtype, TIES), size=3)
            yield call(f"jnp.{function}", arr(dtype, TIES), size=6, fill_value=1)
            yield call(f"jnp.{function}", arr(dtype, TIES), size=6)
        for function in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
            for b in (dtype, "int8", "float32", "int64"):
                yield call(f"jnp.{function}", arr(dtype, TIES), arr(b, [2, 5, 0, 2]))
            yield call(f"jnp.{function}", special(dtype), special(dtype, "right"))
    nans = arr("float32", [float("nan"), 1, float("nan"), -0.0, 0.0, 1])
    for function in ("unique", "unique_values", "unique_counts", "unique_inverse", "unique_all"):
        for argument in (*odd_arguments(), nans, sample("int32", 0), sample("int32", (0, 2))):
            yield call(f"jnp.{function}", argument)
    for options in (
        {"return_index": True}, {"return_inverse": True}, {"return_counts": True},
        {"return_index": True, "return_inverse": True, "return_counts": True},
        {"equal_nan": False}, {"equal_nan": False, "return_counts": True}, {"size": 2}, {"size": 7, "fill_value": 9},
        {"size": 7, "return_counts": True, "return_index": True, "return_inverse": True},
        {"size": 2, "return_counts": True, "return_inverse": True}, {"sorted": False}, {"axis": 0},
    ):  # fmt: skip
        for x in (nans, arr("int32", TIES), arr("int32", TIES, (4, 2)), arr("bool", [1, 0, 1]), arr("complex64", [1, 1j, 1])):
            yield call("jnp.unique", x, **options)
    rows = arr("int32", [[1, 2, 1], [0, 1, 0], [1, 2, 1]])
    for axis in (0, 1, -1, 2, None):
        yield call("jnp.unique", rows, axis=axis)
        yield call("jnp.unique", rows, axis=axis, return_index=True, return_inverse=True, return_counts=True)
        yield call("jnp.unique", rows, axis=axis, size=3)
    a, b = arr("int32", [3, 1, 2, 3, 7]), arr("int32", [2, 3, 9])
    for function in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
        for options in ({"size": 2}, {"size": 6}, {"size": 6, "fill_value": -1}):
            yield call(f"jnp.{function}", a, b, **options)
            yield call(f"jnp.{function}", arr("float32", [1, 2]), b, **options)
        if function != "union1d":
            yield call(f"jnp.{function}", arr("int32", [1, 2, 3]), b, assume_unique=True)
        for pair in (
            (sample("int32", 0), b),
            (b, sample("int32", 0)),
            (sample("int32", (2, 2)), b),
            (3, b),
            ([1, 2], b),
            (weak([1, 2]), b),
            (weak([1, 2]), weak([2.5, 1])),
            (nans, nans),
            (np.array([1, 2]), b),
        ):
            yield call(f"jnp.{function}", *pair)
    for options in (
        {"return_indices": True},
        {"return_indices": True, "assume_unique": True},
        {"return_indices": True, "size": 4},
        {"return_indices": True, "size": 4, "fill_value": -1},
    ):
        yield call("jnp.intersect1d", arr("int32", [3, 1, 2]), b, **options)
    for options in (
        {"invert": True},
        {"assume_unique": True},
        {"method": "auto"},
        {"method": "compare_all"},
        {"method": "binary_search"},
        {"method": "sort"},
        {"method": "nonsense"},
    ):
        yield call("jnp.isin", a, b, **options)
        yield call("jnp.isin", sample("float32", (2, 3)), nans, **options)
    yield call("jnp.isin", 3, b)
    yield call("jnp.isin", a, 3)
    yield call("jnp.isin", a, [1, 2])
    yield call("jnp.isin", a, sample("int32", 0))


def counting() -> Iterator[Call]:
    """Yield calls: counts and histograms."""
    x = arr("int32", [0, 1, 1, 3, 2, 1, 7])
    for dtype in (*MOST, *NARROW):
        yield call("jnp.bincount", arr(dtype, [0, 1, 1, 3, 2, 1]))
        yield call("jnp.bincount", arr("int32", [0, 1, 1, 3, 2, 1]), weights=sample(dtype, 6))
        yield call("jnp.histogram", arr(dtype, [0, 1, 1, 3, 2, 1]))
        yield call("jnp.histogram", arr(dtype, [0, 1, 1, 3, 2, 1]), bins=3, density=True)
        yield call("jnp.histogram_bin_edges", arr(dtype, [0, 1, 1, 3, 2, 1]), 4)
        yield call("jnp.histogram", arr("float32", [0, 1, 1, 3, 2, 1]), 3, weights=sample(dtype, 6))
    for options in (
        {"minlength": 10},
        {"length": 3},
        {"length": 10},
        {"minlength": 2},
        {"minlength": -1},
        {"weights": [1, 2, 3, 4, 5, 6, 7]},
        {"weights": sample("float16", 7), "minlength": 9},
        {"weights": sample("float32", 3)},
    ):
        yield call("jnp.bincount", x, **options)
    yield call("jnp.bincount", arr("int32", [-1, 2]))
    yield call("jnp.bincount", sample("int32", 0))
    yield call("jnp.bincount", sample("int32", (2, 2)))
    y = arr("float32", [0.1, 0.5, 2.5, 2.6, 3.0, -1.0, 0.1])
    for bins in (1, 4, arr("float32", [0, 1, 2, 3]), arr("int32", [0, 2, 5]), "auto", [0, 1, 3], 0, arr("float32", [1, 0])):
        for options in (
            {},
            {"range": (0, 3)},
            {"density": True},
            {"weights": sample("float32", 7)},
            {"range": (0.5, 0.5)},
            {"range": (2, 1)},
            {"range": (0, 3), "density": True, "weights": arr("int32", [1, 2, 0, 1, 1, 1, 3])},
        ):
            yield call("jnp.histogram", y, bins, **options)
        yield call("jnp.histogram_bin_edges", y, bins)
        yield call("jnp.histogram_bin_edges", y, bins, range=(0, 4))
        yield call("jnp.histogram2d", y, y, bins)
    yield call("jnp.histogram2d", y, sample("float32", 7), [2, 3])
    yield call("jnp.histogram2d", y, sample("int32", 7), [2, arr("float32", [-5, 0, 5])], density=True)
    yield call("jnp.histogram2d", y, sample("float32", 7), 2, range=[[0, 3], [-1, 1]], weights=sample("float32", 7))
    for options in (
        {},
        {"bins": 2},
        {"bins": [2, 3]},
        {"bins": (2, 2), "range": [[0, 2], [-1, 1]]},
        {"density": True, "bins": 2},
        {"bins": 2, "weights": sample("float32", 4)},
    ):
        yield call("jnp.histogramdd", sample("float32", (4, 2)), **options)
    yield call("jnp.histogramdd", sample("int32", (4, 2)), 2)
    yield call("jnp.histogram", sample("float32", 0))
    yield call("jnp.histogram", sample("float32", (2, 3)), 2)
    yield call("jnp.histogram", arr("float32", [1, 1, 1]), 2)
    for dtype in FEW:
        yield call("jnp.histogram", sample(dtype, 5), arr("float32", [-3, 0, 1, 9]))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (sorting, searching, sets, counting):
        yield from part()
