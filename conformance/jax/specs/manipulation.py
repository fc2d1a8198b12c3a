"""Calls that manipulate shapes, join, split, repeat, pad, insert and delete."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, name, weak

from ._common import FEW, MOST, NARROW, Call, mask, odd_arguments, sample, special

ODD = odd_arguments()


def every_dtype() -> Iterator[Call]:
    """Yield calls: one ordinary call of each function with every dtype, and with every kind of argument."""
    forms = [
        ("reshape", (3, 2)), ("ravel",), ("transpose",), ("permute_dims", (1, 0)), ("matrix_transpose",), ("swapaxes", 0, 1),
        ("moveaxis", 0, 1), ("rollaxis", 1),
        ("expand_dims", 0), ("squeeze",), ("flip",), ("fliplr",), ("flipud",), ("rot90",), ("roll", 1), ("tile", 2),
        ("repeat", 2), ("broadcast_to", (2, 2, 3)),
        ("atleast_1d",), ("atleast_2d",), ("atleast_3d",), ("split", 1), ("array_split", 2), ("hsplit", 3), ("vsplit", 2),
        ("unstack",), ("resize", (2, 2)), ("pad", 1),
        ("insert", 1, 5), ("delete", 1), ("append", 5), ("trim_zeros",), ("diff",), ("ediff1d",), ("diagonal",), ("trace",),
        ("ndim",), ("shape",), ("size",), ("iterable",),
        ("isscalar",), ("iscomplexobj",), ("isrealobj",), ("broadcast_arrays",), ("block",), ("stack",), ("concatenate",),
        ("concat",), ("hstack",), ("vstack",), ("dstack",),
        ("column_stack",), ("gradient",), ("unwrap",),
    ]  # fmt: skip
    for function, *rest in forms:
        target = f"jnp.{function}"
        for dtype in (*MOST, *NARROW):
            yield call(target, sample(dtype, (2, 3)), *rest)
        for argument in ODD:
            yield call(target, argument, *rest)
        yield call(target)


def shapes() -> Iterator[Call]:
    """Yield calls: reshape, ravel, resize, squeeze, expand_dims, broadcast_to."""
    x = sample("int16", (2, 3, 2))
    for shape in (
        12,
        (12,),
        -1,
        (2, -1),
        (-1, 4),
        (3, 4),
        (5, -1),
        (-1, -1),
        (2, 2, 3),
        (),
        (0,),
        2.5,
        "a",
        [4, 3],
        np.int64(12),
        arr("int32", [3, 4]),
        (1, 12),
        (12, 1, 1),
    ):
        yield call("jnp.reshape", x, shape)
        yield call("jnp.resize", x, shape)
    for order in ("C", "F", "A", "K", "X"):
        yield call("jnp.reshape", x, (3, 4), order=order)
        yield call("jnp.reshape", x, (3, 4), order)
        yield call("jnp.ravel", x, order)
    yield call("jnp.reshape", x, (3, 4), copy=True)
    yield call("jnp.reshape", x, (3, 4), copy=False)
    yield call("jnp.reshape", sample("float32", 0), (0, 3))
    yield call("jnp.reshape", sample("float32", (0, 3)), (-1, 3))
    yield call("jnp.reshape", sample("float32", ()), (1, 1))
    yield call("jnp.reshape", weak(2), (1,))
    yield call("jnp.resize", sample("int8", 3), (2, 4))
    yield call("jnp.resize", sample("int8", 0), (2,))
    y = sample("float32", (1, 2, 1))
    for axis in (0, 2, -1, (0, 2), (0, -1), 1, 3, -4, (0, 0), (), 1.0, "a", None, [0], np.int64(0)):
        yield call("jnp.squeeze", y, axis)
        yield call("jnp.expand_dims", y, axis)
    for shape in [(2, 3), (4, 2, 3), 3, (3,), (2, 1), (2, 4), (), (-1, 3), (0, 3), [2, 3], "a"]:
        yield call("jnp.broadcast_to", sample("int8", 3), shape)
        yield call("jnp.broadcast_to", sample("int8", ()), shape)
        yield call("jnp.broadcast_to", 2, shape)
    yield call("jnp.broadcast_arrays", sample("int8", (2, 1)), sample("float32", 3), 2, weak(2.5))
    yield call("jnp.broadcast_arrays", sample("int8", 2), sample("float32", 3))
    yield call("jnp.broadcast_arrays")
    for shapes_ in [((2, 1), (3,)), ((2,), (3,)), ((), (1,)), (2, 3), ((0,), (1,)), ((2, 3), (2, 3), (1, 3)), ()]:
        yield call("jnp.broadcast_shapes", *shapes_)


def axes() -> Iterator[Call]:
    """Yield calls: transpose, moveaxis, swapaxes, flip, roll, rot90."""
    x = sample("int16", (2, 3, 2))
    for order in ((2, 0, 1), (0, 1, 2), (-1, 0, 1), (0, 1), (0, 0, 1), (0, 1, 3), None, [1, 0, 2], 0, "a", (0.0, 1, 2)):
        yield call("jnp.transpose", x, order)
        yield call("jnp.permute_dims", x, order)
    for pair in ((0, 1), (0, -1), (2, 0), (0, 3), (-4, 0), (1, 1), (0.5, 1)):
        yield call("jnp.swapaxes", x, *pair)
        yield call("jnp.moveaxis", x, *pair)
        yield call("jnp.rollaxis", x, *pair)
    for source, destination in [((0, 1), (1, 2)), ((0, 1), (1,)), ((0, 0), (1, 2)), ([0, 2], [2, 0]), ((0, -1), (-1, 0))]:
        yield call("jnp.moveaxis", x, source, destination)
    for axis in (0, 1, -1, (0, 2), (0, -1), None, 3, -4, (0, 0), "a", 1.0, ()):
        yield call("jnp.flip", x, axis)
        yield call("jnp.roll", x, 1, axis)
        yield call("jnp.roll", x, axis=axis, shift=-5)
    for shift, axis in [
        ((1, 2), (0, 1)),
        ((1, 2), 1),
        (1, (0, 2)),
        ((1, 2, 3), (0, 1)),
        (arr("int32", 2), 0),
        (0, 0),
        (100, 1),
        (1.5, 0),
        ((1, 1), (0, 0)),
        (arr("int32", [1, 2]), (0, 1)),
        (np.int64(1), None),
    ]:
        yield call("jnp.roll", x, shift, axis)
    yield call("jnp.roll", sample("int8", 0), 1)
    yield call("jnp.roll", sample("int8", ()), 1)
    for k in (0, 1, 2, 3, 4, -1, 5):
        yield call("jnp.rot90", x, k)
        yield call("jnp.rot90", x, k, axes=(1, 2))
    for pair in ((0, 0), (0, 3), (2, 0), (0,), (-1, 0)):
        yield call("jnp.rot90", x, axes=pair)
    yield call("jnp.fliplr", sample("int8", 3))
    yield call("jnp.flipud", sample("int8", ()))
    yield call("jnp.matrix_transpose", sample("int8", 3))
    yield call("jnp.matrix_transpose", x)
    for options in (
        {},
        {"offset": 1},
        {"offset": -1},
        {"offset": 9},
        {"axis1": 1, "axis2": 2},
        {"axis1": -1, "axis2": 0},
        {"axis1": 0, "axis2": 0},
        {"axis1": 0, "axis2": 5},
    ):
        yield call("jnp.diagonal", x, **options)
        for dtype in ("bool", "int8", "int64", "uint8", "float16", "float32", "complex64"):
            yield call("jnp.trace", sample(dtype, (2, 3, 2)), **options)
    for wanted in ("int8", "float32", "int64", "bool"):
        yield call("jnp.trace", sample("int16", (3, 3)), dtype=dt(wanted))
    yield call("jnp.trace", sample("int16", 3))


def joins() -> Iterator[Call]:
    """Yield calls: joining arrays of different dtypes and shapes."""
    for function in ("concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack"):
        target = f"jnp.{function}"
        for a in (*MOST, "int4", "float8_e5m2"):
            for b in ("bool", "int8", "uint32", "int64", "bfloat16", "float32", "complex64"):
                yield call(target, [sample(a, 2), sample(b, 2)])
        for items in (
            [weak([1, 2]), weak([3, 4])], [weak([1, 2]), sample("int8", 2)], [weak([1.5, 2]), sample("int8", 2)],
            (weak(1), weak(2)), [1, 2], [1, 2.5],
            [arr("int8", 1), 2], [[1, 2], [3, 4]], [np.arange(2), sample("int8", 2)], [np.arange(2.0), np.arange(2)],
            [sample("int8", 2), sample("int8", 3)],
            [sample("int8", (2, 2)), sample("int8", 2)], [sample("int8", (2, 2)), sample("int8", (2, 1))],
            [sample("int8", (2, 2)), sample("int8", (1, 2))],
            [sample("int8", (2, 2)), sample("float32", (2, 2))], [], [sample("int8", 0), sample("float32", 2)],
            [sample("int8", ()), sample("int8", ())],
            (sample("int8", 2),), sample("int32", (2, 3)), sample("int32", (2, 2, 2)), sample("int32", 3), sample("int32", ()),
            [None], "ab", 3, [sample("int8", 2), "a"],
            [sample("int8", 2), 5], [arr("bool", [1]), True], {"a": 1}, [sample("float32", 2), None],
        ):  # fmt: skip
            yield call(target, items)
        x, y = sample("int8", (2, 3)), sample("int16", (2, 3))
        if function in ("concatenate", "concat", "stack"):
            for axis in (0, 1, -1, -2, 2, 3, -3, -4, None, 1.0, "a", (0,)):
                yield call(target, [x, y], axis=axis)
                if function != "concat":
                    yield call(target, [x, y], axis)
        if function not in ("concat", "column_stack"):
            for wanted in ("float32", "int8", "bool", "int64", "complex64"):
                yield call(target, [x, y], dtype=dt(wanted))
            yield call(target, [x, y], dtype=name("bfloat16"))
    for nested_list in (
        [[sample("int8", (2, 2)), sample("int8", (2, 1))], [sample("float32", (1, 2)), sample("int8", (1, 1))]],
        [1, 2, 3],
        [[1, 2], [3, 4]],
        [sample("int8", 2), 3],
        [[sample("int8", 2)], [sample("int8", 3)]],
        [],
        5,
        (1, 2),
        [weak(1), weak(2)],
        [[weak(1.5)], [arr("int8", 2)]],
    ):
        yield call("jnp.block", nested_list)
    for a in MOST:
        for b in (5, 2.5, weak(3), [1, 2], sample("int16", 2), sample("float16", (1, 3)), np.arange(2)):
            yield call("jnp.append", sample(a, (2, 3)), b)
    for axis in (0, 1, -1, 2, None):
        yield call("jnp.append", sample("int8", (2, 3)), sample("int8", (1, 3)), axis=axis)
        yield call("jnp.append", sample("int8", (2, 3)), sample("int8", (2, 3)), axis)


def splits() -> Iterator[Call]:
    """Yield calls that split arrays."""
    for function in ("split", "array_split", "hsplit", "vsplit", "dsplit"):
        target = f"jnp.{function}"
        for x in (
            sample("int8", 6),
            sample("float32", (4, 6)),
            sample("bool", (2, 2, 4)),
            sample("int8", ()),
            sample("int8", 0),
            weak([1, 2, 3, 4]),
        ):
            for sections in (
                1,
                2,
                3,
                4,
                [2],
                (1, 3),
                [3, 1],
                [0, 10],
                [-1],
                [],
                0,
                -1,
                2.0,
                arr("int32", [1, 3]),
                np.array([2, 4]),
                "a",
            ):
                yield call(target, x, sections)
    for axis in (0, 1, -1, 2, -3):
        yield call("jnp.split", sample("int8", (4, 6)), 2, axis=axis)
        yield call("jnp.array_split", sample("int8", (5, 4)), 3, axis)
        yield call("jnp.unstack", sample("int8", (2, 3)), axis=axis)
    yield call("jnp.unstack", sample("int8", ()))
    yield call("jnp.unstack", sample("int8", (0, 2)))


def repetitions() -> Iterator[Call]:
    """Yield calls: `tile` and `repeat`."""
    x = sample("int16", (2, 3))
    for reps in (1, 2, 0, (2,), (2, 1), (1, 2), (2, 1, 2), (), -1, 1.5, [2, 2], arr("int32", 2), "a", np.int64(2)):
        yield call("jnp.tile", x, reps)
        yield call("jnp.tile", sample("float32", ()), reps)
        yield call("jnp.repeat", x, reps)
        yield call("jnp.repeat", x, reps, axis=0)
    for repeats in (3, [1, 2, 0], arr("int32", [2, 0, 1]), np.array([1, 1, 2]), [1, 2], [2], -1, [1, -1, 2]):
        yield call("jnp.repeat", x, repeats, axis=1)
        yield call("jnp.repeat", x, repeats, 1, total_repeat_length=3)
        yield call("jnp.repeat", x, repeats, axis=-1, total_repeat_length=6)
    yield call("jnp.repeat", x, 2, axis=2)
    yield call("jnp.repeat", x, [1, 2, 3, 0, 1, 2])
    yield call("jnp.repeat", 5, 3)
    yield call("jnp.repeat", sample("int8", 0), 3)


def padding() -> Iterator[Call]:
    """Yield calls that pad in every mode."""
    modes = [
        "constant",
        "edge",
        "linear_ramp",
        "maximum",
        "mean",
        "median",
        "minimum",
        "reflect",
        "symmetric",
        "wrap",
        "empty",
        "nonsense",
    ]
    for mode in modes:
        for dtype in (*MOST, *NARROW):
            if mode != "empty":
                yield call("jnp.pad", sample(dtype, 4), 2, mode)
        if mode == "empty":
            continue
        for width in (
            1,
            0,
            (1, 2),
            ((1, 2), (0, 1)),
            [(1, 1), (2, 0)],
            ((1,), (2,)),
            -1,
            1.5,
            ((1, 2), (3, 4), (5, 6)),
            ((2, 1),),
            arr("int32", 1),
            np.array([[1, 0], [0, 2]]),
            5,
            {0: 1},
        ):
            if not isinstance(width, dict):
                yield call("jnp.pad", sample("float32", (2, 3)), width, mode=mode)
                yield call("jnp.pad", sample("int32", (2, 3)), width, mode)
        yield call("jnp.pad", sample("float32", (0, 2)), ((0, 0), (1, 1)), mode)
        yield call("jnp.pad", sample("float32", (0, 2)), 1, mode)
        yield call("jnp.pad", sample("float32", ()), (), mode)
    for value in (0, 5, -1.5, (1, 2), ((1, 2), (3, 4)), weak(3), arr("float32", 2.5), 300, 1j, [[1], [2]], "a"):
        yield call("jnp.pad", sample("int8", (2, 2)), 1, constant_values=value)
        yield call("jnp.pad", sample("float32", (2, 2)), ((1, 2), (2, 1)), "constant", constant_values=value)
        yield call("jnp.pad", sample("float32", (2, 2)), ((1, 2), (2, 1)), "linear_ramp", end_values=value)
    for stat in ("maximum", "minimum", "mean", "median"):
        for length in (1, 2, 5, (1, 2), ((1, 2), (2, 1)), 0, None):
            yield call("jnp.pad", sample("float32", (3, 3)), 2, stat, stat_length=length)
            yield call("jnp.pad", sample("int32", (3, 3)), 2, stat, stat_length=length)
    for mode in ("reflect", "symmetric"):
        for kind in ("even", "odd", "nonsense"):
            yield call("jnp.pad", sample("float32", 3), 2, mode, reflect_type=kind)
            yield call("jnp.pad", sample("int32", (3, 2)), ((4, 5), (1, 0)), mode, reflect_type=kind)
    yield call("jnp.pad", sample("float32", 3), 1, "edge", constant_values=2)
    yield call("jnp.pad", [1, 2], 1)
    yield call("jnp.pad", weak([1, 2]), 1)


def insertions() -> Iterator[Call]:
    """Yield calls: insert, delete, trim_zeros, diff, ediff1d, gradient, unwrap."""
    x = sample("int16", (2, 3))
    for where in (
        0,
        1,
        3,
        -1,
        6,
        7,
        -8,
        [0, 2],
        [2, 0],
        [1, 1],
        arr("int32", [1, 2]),
        slice(0, 2),
        slice(None, None, 2),
        np.array([1]),
        [],
        True,
        mask(6),
        [True, False, True],
        1.5,
        "a",
        None,
    ):
        yield call("jnp.delete", x, where)
        yield call("jnp.insert", x, where, 9)
        yield call("jnp.delete", x, where, axis=1)
        yield call("jnp.insert", x, where, 9, axis=1)
        yield call("jnp.insert", x, where, 2.5, axis=0)
    yield call("jnp.insert", x, 1, sample("float32", 3), axis=0)
    yield call("jnp.insert", x, [0, 1], sample("int8", (2, 2)), axis=1)
    yield call("jnp.insert", x, [0, 1], sample("int8", 3))
    yield call("jnp.delete", x, arr("int32", [0, 2]), axis=1, assume_unique_indices=True)
    yield call("jnp.delete", x, 1, axis=2)
    for dtype in (*MOST, *NARROW):
        for trim in ("f", "b", "fb", "bf", "x"):
            yield call("jnp.trim_zeros", arr(dtype, [0, 0, 1, 2, 0, 3, 0]), trim)
        yield call("jnp.diff", sample(dtype, (2, 4)), n=2)
        yield call("jnp.diff", sample(dtype, (3, 2)), axis=0)
        yield call("jnp.ediff1d", sample(dtype, 5))
        yield call("jnp.ediff1d", sample(dtype, 5), to_end=1, to_begin=arr(dtype, [1, 0]))
        yield call("jnp.gradient", sample(dtype, 5))
        yield call("jnp.gradient", sample(dtype, (3, 4)), 0.5)
        yield call("jnp.unwrap", sample(dtype, 6))
        yield call("jnp.unwrap", arr(dtype, [0, 3, 7, 12, 1, 5]), period=4)
    yield call("jnp.trim_zeros", arr("int32", [0, 0]))
    yield call("jnp.trim_zeros", arr("int32", [[0, 0, 0], [0, 1, 2], [0, 0, 0]]))
    yield call("jnp.trim_zeros", [0, 1, 0])
    for options in (
        {"n": 0},
        {"n": 3},
        {"n": 9},
        {"n": -1},
        {"axis": 0},
        {"axis": 2},
        {"prepend": 1},
        {"append": sample("float32", (2, 1))},
        {"prepend": weak(1.5), "append": 2},
        {"prepend": sample("int8", (2, 2))},
    ):
        yield call("jnp.diff", sample("int16", (2, 3)), **options)
        yield call("jnp.diff", sample("float32", (2, 3)), **options)
    yield call("jnp.diff", sample("int16", ()))
    for spacing in (
        (2,),
        (sample("float32", 4),),
        (arr("float32", [0.0, 1, 3, 7]),),
        (0.5, 2.0),
        (arr("float32", [0, 1, 4]), 2.0),
        (1, 2, 3),
    ):
        yield call("jnp.gradient", sample("float32", (3, 4)), *spacing)
        yield call("jnp.gradient", sample("int32", (3, 4)), *spacing)
        yield call("jnp.gradient", sample("float32", (3, 4)), *spacing, axis=1)
    yield call("jnp.gradient", sample("float32", (3, 4)), axis=(0, 1))
    yield call("jnp.gradient", sample("float32", (3, 4)), edge_order=2)
    yield call("jnp.gradient", sample("float32", (3, 4)), axis=5)
    yield call("jnp.gradient", sample("float32", 1))
    for options in ({"discont": 2.0}, {"axis": 0}, {"period": 3}, {"discont": 5, "period": 6.28}, {"axis": 2}):
        yield call("jnp.unwrap", arr("float32", [[0, 3, 7, 12], [1, -5, 9, 2]]), **options)
        yield call("jnp.unwrap", arr("int32", [[0, 3, 7, 12], [1, -5, 9, 2]]), **options)
    yield call("jnp.size", sample("int8", (2, 3)), 1)
    yield call("jnp.size", sample("int8", (2, 3)), (0, 1))
    yield call("jnp.size", sample("int8", (2, 3)), 2)
    yield call("jnp.atleast_1d", 1, sample("int8", ()), [1, 2])
    yield call("jnp.atleast_2d", sample("int8", 3), 2.5)
    yield call("jnp.atleast_3d", sample("int8", 3), sample("int8", (2, 3)), weak(2))
    for dtype in FEW:
        yield call("jnp.packbits", arr(dtype, [1, 0, 1, 1, 0, 0, 0, 1, 1]))
        yield call("jnp.unpackbits", arr(dtype, [1, 7, 130 if dtype == "uint8" else 3]))
    for options in (
        {"axis": 0},
        {"axis": 1},
        {"bitorder": "little"},
        {"axis": -1, "bitorder": "big"},
        {"bitorder": "x"},
        {"axis": 3},
    ):
        yield call("jnp.packbits", mask((3, 10)), **options)
        yield call("jnp.unpackbits", arr("uint8", [[1, 2], [130, 255]]), **options)
    for count in (3, 16, 20, -2, None):
        yield call("jnp.unpackbits", arr("uint8", [1, 130]), count=count)
        yield call("jnp.unpackbits", arr("uint8", [[1, 130]]), axis=1, count=count)
    yield call("jnp.fill_diagonal", sample("int8", (3, 3)), 5, inplace=False)
    yield call("jnp.fill_diagonal", sample("float32", (2, 3)), arr("float32", [1, 2]), inplace=False)
    yield call("jnp.fill_diagonal", sample("float32", (4, 2)), 2, wrap=True, inplace=False)
    yield call("jnp.fill_diagonal", sample("float32", (2, 2, 2)), 2, inplace=False)
    yield call("jnp.fill_diagonal", sample("float32", (2, 2)), 2)
    yield call("jnp.fill_diagonal", sample("float32", 2), 2, inplace=False)
    yield call("jnp.ix_", sample("int32", 2), sample("int32", 3))
    yield call("jnp.ix_", [0, 1], [True, False, True])
    yield call("jnp.ix_", sample("int32", (2, 2)))
    yield call("jnp.ix_")
    yield call("jnp.ix_", special("bool"), sample("int8", 2))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (every_dtype, shapes, axes, joins, splits, repetitions, padding, insertions):
        yield from part()
