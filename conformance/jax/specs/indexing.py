"""Calls that index and update: plain indexing, ``.at[...]`` in all its modes, take, put, where and choose."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, function, weak

from ._common import FEW, MOST, NARROW, Call, mask, sample, special

#: Indices for an array of shape (3, 4).
INDICES = [
    0, -1, 2, (1, 2), (-1, -4), slice(None), slice(1, None), slice(None, None, -1), slice(0, 3, 2), slice(-2, 10), slice(5, 1),
    (slice(None), 1), (slice(None), slice(1, 3)),
    ..., (..., 0), (0, ...), None, (None, 0), (slice(None), None, 2), (..., None), (), (0, 1, ...), True, False,
    arr("bool", True),
    arr("int32", [0, 2]), arr("int32", [-1, 0, 0]), arr("int8", 1), arr("uint8", [1, 2]), arr("int64", [[0, 1], [2, 0]]),
    (arr("int32", [0, 1]), arr("int32", [1, 3])),
    (arr("int32", [[0], [1]]), arr("int32", [1, 3])), (slice(None), arr("int32", [0, 3])), (arr("int32", [0, 1]), slice(1, 3)),
    (arr("int32", [0, 2]), 1), (0, arr("int32", [1, 1])),
    (arr("int32", [0, 1]), None, arr("int32", [1, 2])), (np.array([0, 1]), 2), np.array([2, 0]), np.int64(1), weak(1),
    weak([0, 2]), (weak(1), 2),
    mask(3), mask((3, 4)), (mask(3), 0), (slice(None), mask(4)), np.array([True, False, True]),
    (mask(3), arr("int32", [0, 1])), (mask(3), slice(1, 3)), arr("int32", []),
]  # fmt: skip
#: Invalid indices, and indices out of range.
BAD = [
    [0, 1], [True, False, True], "a", 1.5, arr("float32", [0, 1]), (0, 0, 0), mask(4), mask((3, 3)), (..., ...), {}, 1j,
    arr("float32", 1), (1.0, 2), slice(1.5, 2), slice("a"),
    ([0, 1], [1, 2]), (arr("int32", [0, 1]), arr("int32", [0, 1, 2])), np.array([1.5]), slice(None, None, 0), object,
]  # fmt: skip
OUTSIDE = [
    3,
    -4,
    100,
    (0, 4),
    (-4, 0),
    arr("int32", [0, 5]),
    arr("int32", [-4, 0]),
    (arr("int32", [0, 7]), arr("int32", [1, -9])),
    (slice(None), arr("int32", [4, 0])),
]
UPDATES = ["set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max"]


def getitem() -> Iterator[Call]:
    """Yield calls: plain indexing."""
    for index in (*INDICES, *BAD, *OUTSIDE):
        for dtype in ("int16", "float32"):
            yield call("operator.getitem", sample(dtype, (3, 4)), index)
    for dtype in (*MOST, *NARROW):
        for index in (0, slice(None, None, 2), arr("int32", [2, 0]), mask(3), ..., (None, 1)):
            yield call("operator.getitem", sample(dtype, (3, 4)), index)
    for index in ((), ..., None, True, 0, slice(None), arr("bool", False), arr("int32", [])):
        yield call("operator.getitem", sample("float32", ()), index)
        yield call("operator.getitem", weak(2), index)
        yield call("operator.getitem", sample("float32", (0, 2)), index)
    yield call("operator.getitem", weak([1, 2, 3]), 1)
    yield call("operator.getitem", weak([1, 2, 3]), slice(1, None))
    yield call("operator.getitem", weak([1, 2, 3]), arr("int32", [0, 0]))
    x = sample("int16", (2, 3, 4))
    first, second = arr("int32", [0, 1]), arr("int32", [1, 2])
    for index in (
        (first, slice(None), second),
        (slice(None), first, second),
        (first, second),
        (slice(None), first, slice(1, 3)),
        (first, None, slice(None), second),
        (0, slice(None), second),
        (..., first, second),
        (first, 0, ...),
        (mask((2, 3)), slice(1)),
        (slice(None), mask((3, 4))),
        (None, first, None, second),
    ):
        yield call("operator.getitem", x, index)
    yield call("builtins.list", sample("int8", 3))
    yield call("builtins.list", sample("int8", (2, 2)))
    yield call("builtins.list", sample("int8", ()))


def updates() -> Iterator[Call]:
    """Yield calls of `.at[...]` methods: every method, index, value dtype."""
    for index in INDICES:
        for method in UPDATES:
            yield call(f"at.{method}", sample("float32", (3, 4)), index, 2)
        yield call("at.set", sample("int32", (3, 4)), index, arr("int32", 7))
        yield call("at.add", sample("int32", (3, 4)), index, 7)
        yield call("at.get", sample("int16", (3, 4)), index)
        yield call("at.apply", sample("float32", (3, 4)), index, function("double"))
    for index in BAD:
        for method in ("set", "add"):
            yield call(f"at.{method}", sample("float32", (3, 4)), index, 2)
        yield call("at.get", sample("float32", (3, 4)), index)
    for method in UPDATES:
        for dtype in (*MOST, *NARROW):
            for value in (2, 2.5, weak(0.5), arr(dtype, 3), arr("int8", 3), arr("float32", 1.5), arr("complex64", 1j), 300):
                yield call(f"at.{method}", sample(dtype, 4), arr("int32", [0, 2]), value)
        yield call(f"at.{method}", weak([1, 2, 3]), 1, 2)
        yield call(f"at.{method}", weak([1, 2, 3]), 1, 2.5)
        yield call(f"at.{method}", weak(2), (), 2)


def modes() -> Iterator[Call]:
    """Yield calls: modes, fill values, duplicates and out-of-range indices."""
    for index in (*OUTSIDE, (0, 1), arr("int32", [0, 2]), slice(0, 10)):
        for mode in (None, "drop", "fill", "clip", "promise_in_bounds", "wrap", "nonsense"):
            if mode == "promise_in_bounds" and index in OUTSIDE:
                continue  # JAX leaves these results undefined
            for dtype in ("float32", "int16", "uint8"):
                yield call("at.get", sample(dtype, (3, 4)), index, mode=mode)
                yield call("at.set", sample(dtype, (3, 4)), index, 9, mode=mode)
            yield call("at.add", sample("float32", (3, 4)), index, 9, mode=mode)
            yield call("at.max", sample("int32", (3, 4)), index, 9, mode=mode)
        for fill in (0, -1, 2.5, float("nan"), arr("float32", 3), weak(4), 1j, 300):
            yield call("at.get", sample("float32", (3, 4)), index, mode="fill", fill_value=fill)
            yield call("at.get", sample("int8", (3, 4)), index, mode="fill", fill_value=fill)
        yield call("at.get", sample("float32", (3, 4)), index, fill_value=7)
    for dtype in (*MOST, *NARROW):
        yield call("at.get", sample(dtype, 4), arr("int32", [0, 9]), mode="fill")
        yield call("at.get", sample(dtype, 4), arr("int32", [0, 9]))
        yield call("at.get", sample(dtype, 4), arr("int32", [0, -9, -1]), mode="clip")
    duplicates = arr("int32", [1, 1, 0, 1, 3, 3])
    for method in UPDATES:
        for dtype in ("int8", "uint8", "int32", "float32", "bfloat16", "complex64", "bool"):
            yield call(f"at.{method}", sample(dtype, 4), duplicates, 2)
            if method != "set":
                yield call(f"at.{method}", sample(dtype, 4), duplicates, sample(dtype, 6, start=2))
    yield call("at.apply", sample("float32", 4), duplicates, function("double"))
    yield call("at.apply", sample("int8", 4), slice(1, 3), function("negative"))
    yield call("at.apply", sample("int8", 4), arr("int32", [0, 1]), function("jnp.sin"))
    for options in (
        {"indices_are_sorted": True},
        {"unique_indices": True},
        {"wrap_negative_indices": False},
        {"indices_are_sorted": True, "unique_indices": True},
    ):
        for index in (arr("int32", [0, 2]), arr("int32", [-2, -1]), 1, -1):
            if "indices_are_sorted" in options and index == -1:
                continue
            yield call("at.get", sample("float32", (3, 4)), index, **options)
            yield call("at.set", sample("float32", (3, 4)), index, 5, **options)
            yield call("at.add", sample("int32", (3, 4)), index, 5, **options)
    for shape in (4, (1, 4), (2, 4), (2, 1), 3, (2, 3), (3, 4), (1, 2, 4)):
        for method in ("set", "add", "multiply"):
            yield call(f"at.{method}", sample("float32", (3, 4)), slice(0, 2), sample("float32", shape))
            yield call(f"at.{method}", sample("float32", (3, 4)), arr("int32", [0, 2]), sample("int32", shape))
    yield call("at.set", sample("float32", (3, 4)), slice(0, 2), [1, 2, 3, 4])
    yield call("at.set", sample("float32", (3, 4)), mask((3, 4)), 0)
    yield call("at.set", sample("float32", (3, 4)), mask((3, 4)), sample("float32", 8))
    yield call("at.set", sample("float32", 4), mask(4), arr("float32", [1, 2, 3]))
    yield call("at.add", sample("float32", 4), mask(4), 1)
    yield call("at.add", sample("int32", (0, 4)), slice(None), 1)
    yield call("at.set", sample("float32", 3), 0, "a")
    yield call("at.set", sample("float32", 3), 0, None)
    yield call("at.set", sample("float32", 3), 0)
    yield call("at.power", sample("int32", 3), 0, 0.5)
    yield call("at.divide", sample("int32", 3), 0, 2)
    yield call("at.add", arr("bfloat16", [256.0, 1.0]), arr("int32", [0] * 16), 1)


def take() -> Iterator[Call]:
    """Yield calls: take, take_along_axis, put, put_along_axis."""
    x = sample("float32", (3, 4))
    indices = [
        0,
        2,
        -1,
        arr("int32", [0, 2]),
        arr("int64", [[0, 1], [1, 2]]),
        arr("int8", [-1, 0]),
        arr("int32", [5, -7, 1]),
        [0, 1],
        np.array([1]),
        arr("float32", [0.0]),
        mask(3),
        weak(1),
        100,
        arr("int32", []),
        None,
    ]
    for index in indices:
        for axis in (None, 0, 1, -1, 2):
            yield call("jnp.take", x, index, axis=axis)
        for mode in ("fill", "clip", "wrap", "raise", "drop", "nonsense"):
            yield call("jnp.take", x, index, axis=0, mode=mode)
            yield call("jnp.take", sample("int8", (3, 4)), index, mode=mode)
        yield call("jnp.take", x, index, axis=1, fill_value=-5)
        yield call("jnp.take", x, index, 0, unique_indices=False, indices_are_sorted=False, mode="fill", fill_value=3)
    for dtype in (*MOST, *NARROW):
        yield call("jnp.take", sample(dtype, 5), arr("int32", [0, 4, 2]))
        yield call("jnp.take", sample(dtype, 5), arr("int32", [0, 9]))
        yield call("jnp.take_along_axis", sample(dtype, (2, 3)), arr("int32", [[0, 2], [1, 1]]), axis=1)
        yield call("jnp.put", sample(dtype, 5), arr("int32", [0, 2]), arr(dtype, [1, 0]), inplace=False)
        yield call("jnp.put_along_axis", sample(dtype, (2, 3)), arr("int32", [[0], [1]]), 1, axis=1, inplace=False)
    yield call("jnp.take", 5, 0)
    yield call("jnp.take", [1, 2, 3], 1)
    for axis in (0, 1, -1, None, 2):
        yield call("jnp.take_along_axis", x, arr("int32", [[0, 1, 1, 0]]), axis=axis)
        yield call("jnp.take_along_axis", x, arr("int32", [[0], [1], [2]]), axis)
    for mode in (None, "fill", "clip", "wrap", "promise_in_bounds"):
        index = arr("int32", [[0, 7, -1, -9]]) if mode != "promise_in_bounds" else arr("int32", [[0, 1, 2, 0]])
        yield call("jnp.take_along_axis", x, index, 0, mode=mode)
        yield call("jnp.take_along_axis", sample("int8", (3, 4)), index, 0, mode=mode, fill_value=5)
    yield call("jnp.take_along_axis", x, arr("int32", [-1, -2]), None, wrap_negative_indices=False)
    yield call("jnp.take_along_axis", x, arr("float32", [[0]]), 0)
    yield call("jnp.take_along_axis", x, arr("int32", [0]), 0)
    for mode in (None, "clip", "wrap", "nonsense", "raise"):
        yield call("jnp.put", x, arr("int32", [0, 13, -1]), 9, mode=mode, inplace=False)
        yield call("jnp.put", x, arr("int32", [0, 13, -1]), sample("float32", 2), mode, inplace=False)
        yield call("jnp.put_along_axis", x, arr("int32", [[0, 1, 5, 0]]), 9, 0, inplace=False, mode=mode)
    yield call("jnp.put", x, 0, 1)
    yield call("jnp.put_along_axis", x, arr("int32", [[0]]), 1, 0)
    yield call("jnp.put", x, arr("int32", [0]), arr("complex64", 1j), inplace=False)
    yield call("jnp.put", sample("int32", 3), arr("int32", [0]), 2.5, inplace=False)
    yield call("jnp.place", x, mask((3, 4)), arr("float32", [1, 2]), inplace=False)
    yield call("jnp.place", x, mask((3, 4)), 5, inplace=False)
    yield call("jnp.place", sample("int32", (3, 4)), mask((3, 4)), arr("float32", [1.5, 2]), inplace=False)
    yield call("jnp.place", x, mask((3, 4)), arr("float32", []), inplace=False)
    yield call("jnp.place", x, mask(3), 5, inplace=False)
    yield call("jnp.place", x, mask((3, 4)), 5)


def where() -> Iterator[Call]:
    """Yield calls: where, select, choose, piecewise, compress, extract."""
    condition = mask(4)
    others = [
        2,
        2.5,
        True,
        1j,
        weak(3),
        weak(1.5),
        np.float32(2),
        np.int64(1),
        arr("int8", 3),
        sample("float16", 4),
        -1,
        300,
        2**40,
    ]
    for dtype in (*MOST, *NARROW):
        for other in others:
            yield call("jnp.where", condition, sample(dtype), other)
            yield call("jnp.where", condition, other, sample(dtype))
        for b in ("bool", "int8", "uint32", "int64", "bfloat16", "float16", "float32", "complex64"):
            yield call("jnp.where", condition, sample(dtype), sample(b))
        yield call("jnp.where", special(dtype), 1, 2)
        yield call("jnp.where", special(dtype))
        for function_name in ("compress", "extract"):
            yield call(f"jnp.{function_name}", mask(4), sample(dtype, 4))
            yield call(f"jnp.{function_name}", special(dtype), sample("int8", 8))
    for pair in [
        (1, 2),
        (1, 2.5),
        (True, 2),
        (weak(1), 2),
        (weak(1), weak(2.5)),
        (1.5, 2j),
        (True, False),
        (arr("int8", 1), weak(2)),
        (1, None),
        (None, None),
        ([1], 2),
        ("a", 1),
        (2**40, 1),
        (2**64, 1),
    ]:
        yield call("jnp.where", condition, *pair)
        yield call("jnp.where", True, *pair)
        yield call("jnp.where", weak(0), *pair)
    for size in (0, 1, 3, 6):
        yield call("jnp.where", mask((2, 3)), size=size)
        yield call("jnp.where", mask((2, 3)), size=size, fill_value=-1)
        yield call("jnp.where", mask((2, 3)), size=size, fill_value=(7, 8))
        yield call("jnp.compress", mask(4), sample("float32", 4), size=size, fill_value=9)
        yield call("jnp.extract", mask(4), sample("float32", 4), size=size, fill_value=2.5)
    yield call("jnp.where", condition, sample("int8", (2, 4)), sample("int8", (2, 1)))
    yield call("jnp.where", condition, sample("int8", 3), 2)
    yield call("jnp.where", arr("bool", []), 1, 2)
    yield call("jnp.where", condition, 1, 2, size=3)
    yield call("jnp.where", [True, False], 1, 2)
    yield call("jnp.where", condition, [1, 2, 3, 4], 0)
    yield call("jnp.where")
    for axis in (None, 0, 1, -1, 2):
        yield call("jnp.compress", mask(2), sample("int8", (3, 4)), axis=axis)
        yield call("jnp.compress", [True, False, True], sample("int8", (3, 4)), axis)
    x = arr("float32", [-2, -1, 0, 1, 2, 3])
    conditions = [arr("bool", [1, 0, 0, 1, 0, 0]), arr("bool", [0, 1, 0, 1, 1, 0])]
    for choices in (
        [x, sample("int32", 6)],
        [1, 2],
        [sample("int8", 6), sample("uint8", 6)],
        [1.5, sample("float16", 6)],
        [weak(1), weak(2.5)],
    ):
        for default in (0, -1.5, weak(3), arr("int64", 4), True, 1j):
            yield call("jnp.select", conditions, choices, default)
        yield call("jnp.select", conditions, choices)
    yield call("jnp.select", conditions, [x])
    yield call("jnp.select", [], [])
    yield call("jnp.select", [arr("int32", [1, 0, 0, 1, 0, 0])], [x])
    yield call("jnp.select", [[True, False]], [[1, 2]])
    for functions in (
        [function("negative"), function("square")],
        [1, 2, 3],
        [function("negative"), 0.5, function("double")],
        [1.5],
        [],
    ):
        for dtype in ("float32", "int32", "bfloat16"):
            yield call("jnp.piecewise", arr(dtype, [1, 2, 0, 1, 2, 3]), conditions, functions)
    yield call("jnp.piecewise", x, conditions[0], [function("negative")])
    for mode in ("raise", "wrap", "clip", "nonsense"):
        for index in (
            arr("int32", [0, 1, 1, 0]),
            arr("int32", [0, 5, -1, 1]),
            arr("uint8", [0, 1, 1, 0]),
            arr("float32", [0, 1, 1, 0]),
            1,
        ):
            yield call("jnp.choose", index, [sample("float32", 4), sample("int8", 4)], mode=mode)
            yield call("jnp.choose", index, [1, 2], mode=mode)
    yield call("jnp.choose", arr("int32", [0, 1]), sample("float32", (2, 2)))


def positions() -> Iterator[Call]:
    """Yield calls: unravel_index, ravel_multi_index, triangles, diag_indices, mask_indices, r_, c_, s_, ogrid, mgrid."""
    for indices in (
        5,
        arr("int32", [0, 5, 11]),
        arr("int32", [-1, 12, 100]),
        arr("int8", 3),
        arr("uint8", [[1], [2]]),
        [1, 2],
        arr("float32", 1),
        weak(7),
        np.array([3, 4]),
    ):
        for shape in ((3, 4), (12,), 12, (2, 3, 2), [3, 4], (), (0, 3), 2.5):
            yield call("jnp.unravel_index", indices, shape)
    for mode in ("raise", "wrap", "clip", "nonsense"):
        for multi in (
            (arr("int32", [0, 1]), arr("int32", [2, 3])),
            (1, 2),
            (arr("int32", [0, 5]), arr("int32", [-1, 9])),
            (arr("int8", 1), arr("int64", 2)),
            [1, 2],
            (arr("float32", 1), 2),
            (1,),
            (1, 2, 3),
        ):
            yield call("jnp.ravel_multi_index", multi, (3, 4), mode=mode)
    yield call("jnp.ravel_multi_index", (1, 2), (3, 4), order="F")
    yield call("jnp.ravel_multi_index", (np.array([1, 0]), np.array([2, 3])), (3, 4), mode="clip")
    yield call("jnp.ravel_multi_index", (1, 2), (3, 4), dtype=dt("int8"), mode="clip")
    for function_name in ("tril_indices", "triu_indices"):
        for args in [(3,), (3, 1), (2, -1), (2, 0, 4), (4, 0, 2), (0,), (-1,), (2.5,)]:
            yield call(f"jnp.{function_name}", *args)
    for function_name in ("tril_indices_from", "triu_indices_from", "diag_indices_from"):
        for x in (
            sample("int8", (3, 3)),
            sample("float32", (2, 3)),
            sample("int8", 3),
            sample("int8", (2, 2, 2)),
            [[1, 2], [3, 4]],
            np.eye(2),
        ):
            yield call(f"jnp.{function_name}", x)
            if not function_name.startswith("diag"):
                yield call(f"jnp.{function_name}", x, k=1)
    for args in [(3,), (2, 3), (0,), (2, 0), (-1,), (2.0,)]:
        yield call("jnp.diag_indices", *args)
    yield call("jnp.mask_indices", 3, function("jnp.triu"))
    yield call("jnp.mask_indices", 3, function("jnp.tril"), -1)
    yield call("jnp.mask_indices", 3, function("jnp.triu"), 1, size=2)
    for item in (
        slice(0, 5),
        slice(0, 5, 2),
        slice(0, 1, 3j),
        (1, 2, 3),
        (sample("int8", 2), 5, slice(0, 3)),
        (slice(0, 2), 1.5),
        ("0,2", sample("int8", 2), sample("int8", 2)),
        ("r", 1, 2),
        ("c", 1, 2),
        5,
        sample("float32", 2),
        (sample("int8", (1, 2)), sample("float16", (1, 2))),
        slice(None, 3),
        (weak(1), 2),
        ("-1", sample("int8", 2), sample("int8", 2)),
        ("a", 1),
    ):
        for grid in ("r_", "c_"):
            yield call(f"index jnp.{grid}", item)
    for item in (
        slice(0, 5),
        slice(0, 5, 2),
        slice(0, 1, 3j),
        (slice(0, 2), slice(0, 3)),
        (slice(0, 2), slice(0, 1, 3j)),
        (slice(-1, 1, 0.5), slice(0, 2)),
        slice(None, 3),
        5,
        (slice(0, 2), 3),
        slice(2, 0, -1),
        (slice(0, 2.5), slice(1, 3)),
    ):
        for grid in ("ogrid", "mgrid"):
            yield call(f"index jnp.{grid}", item)
    for item in (slice(0, 5), (1, slice(None), 2), ..., 3):
        yield (
            call("index jnp.s_", item)
            if item is ... or isinstance(item, int)
            else call("operator.getitem", sample("int8", 6), item if isinstance(item, slice) else 1)
        )
        if isinstance(item, int):
            yield call("index jnp.index_exp", item)


def narrow_and_few() -> Iterator[Call]:
    """Yield calls: updates of every dtype with itself."""
    for dtype in (*FEW, *NARROW, "float16", "int64"):
        for method in UPDATES:
            yield call(f"at.{method}", special(dtype), slice(1, 5), arr(dtype, [2, 1, 0, 3]))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (getitem, updates, modes, take, where, positions, narrow_and_few):
        yield from part()
