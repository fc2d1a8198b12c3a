"""Calls of creation functions: values, dtypes, weak types and errors of asarray, arange, linspace, full and others."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, function, name, weak

from ._common import COMMON, MOST, NARROW, Call, odd_arguments, sample, special

WANTED = [
    dt("bool"), dt("int8"), dt("uint64"), dt("int64"), dt("bfloat16"), dt("float16"), dt("float32"), dt("float64"),
    dt("complex64"), dt("complex128"), name("int16"), name("float8_e4m3fn"), name("int4"), int, float, bool, complex, "int32",
    "f8",
    np.float32, np.int64, "nonsense", None,
]  # fmt: skip


def converting() -> Iterator[Call]:
    """Yield calls: `asarray` and `array` of every kind of object."""
    values = [
        *odd_arguments(),
        [1, 2.5], [True, 2], [1, 1j], [True, False], [[1, 2], [3]], [[1], [2]], [None], ["a"], [weak(1), weak(2)],
        [weak(1), 2.5],
        [arr("int8", 1), arr("int8", 2)], [arr("int8", 1), 2], [arr("int8", 1), arr("float16", 2)], [np.float32(1), 2],
        [np.int8(1)],
        [arr("int8", [1, 2]), arr("int8", [3, 4])], [arr("int8", [1, 2]), [3, 4]], [np.arange(2), np.arange(2)],
        ((1, 2), (3, 4)),
        [2**40], [2**63], [2**64], [-(2**63)], -(2**63), 2**31 - 1, 2**32, 1e39, float("nan"), float("inf"), 1e-50, b"ab", {},
        {"a": 1},
        slice(1), Ellipsis, int, np.array(1.5), np.array(["a"]), np.arange(3, dtype=np.uint16), np.zeros((0, 2)),
        np.bool_(True), (),
        [[]], [[], []], weak([1, 2]), [float("nan"), 1], [-1], [300],
    ]  # fmt: skip
    for function_name in ("asarray", "array"):
        for value in values:
            yield call(f"jnp.{function_name}", value)
        for value in (
            2,
            2.5,
            True,
            1j,
            -1,
            300,
            [1, 2],
            [1.5, -2.5],
            weak(2),
            weak(1.5),
            sample("int32"),
            special("float32"),
            np.arange(3),
            [],
            2**40,
        ):
            for wanted in WANTED:
                yield call(f"jnp.{function_name}", value, dtype=wanted)
        for dtype in (*COMMON, *NARROW):
            yield call(f"jnp.{function_name}", special(dtype))
            yield call(f"jnp.{function_name}", sample(dtype, (2, 3)), dtype=dt("float32"))
        for options in (
            {"copy": True},
            {"copy": False},
            {"copy": None},
            {"order": "C"},
            {"order": "F"},
            {"order": "K"},
            {"order": "X"},
            {"device": None},
        ):
            yield call(f"jnp.{function_name}", sample("float32", (2, 3)), **options)
            yield call(f"jnp.{function_name}", [1, 2], **options)
    for ndmin in (0, 1, 2, 3):
        yield call("jnp.array", sample("int32", 3), ndmin=ndmin)
        yield call("jnp.array", 5, ndmin=ndmin)
    yield call("jnp.copy", sample("int8"))
    yield call("jnp.copy", weak(2))
    yield call("jnp.copy", 2)
    yield call("jnp.copy", [1, 2])
    yield call("jnp.copy", np.arange(3), order="C")


def filled() -> Iterator[Call]:
    """Yield calls: zeros, ones, empty, full and their `_like` functions."""
    shapes = [
        3,
        (2, 3),
        (),
        0,
        (0, 2),
        [2, 2],
        -1,
        (2, -1),
        2.5,
        "a",
        None,
        (2.0,),
        np.int32(2),
        arr("int32", 2),
        (np.int64(2), 1),
        (arr("int32", 2), 1),
    ]
    for function_name in ("zeros", "ones", "empty"):
        for shape in shapes:
            yield call(f"jnp.{function_name}", shape)
        for wanted in WANTED:
            yield call(f"jnp.{function_name}", 2, dtype=wanted)
            yield call(f"jnp.{function_name}", (2, 1), wanted)
    fills = [
        True,
        2,
        -1,
        2.5,
        1j,
        weak(3),
        weak(1.5),
        arr("int8", 4),
        arr("float16", [1, 2, 3]),
        np.float32(2),
        [1, 2, 3],
        300,
        2**40,
        2**63,
        float("nan"),
        None,
        "a",
        arr("int32", [[1], [2]]),
    ]
    for fill in fills:
        yield call("jnp.full", 3, fill)
        yield call("jnp.full", (2, 3), fill)
        for wanted in ("int8", "uint8", "float32", "bfloat16", "complex64", "bool", "int64", "float64"):
            yield call("jnp.full", (3,), fill, dtype=dt(wanted))
    for shape in shapes:
        yield call("jnp.full", shape, 2)
    prototypes = [
        sample("int8", (2, 3)),
        sample("bfloat16", 2),
        special("complex64"),
        weak(2),
        weak([1.5, 2]),
        2,
        2.5,
        True,
        [1, 2],
        np.arange(3),
        np.float64(1),
        None,
        "a",
    ]
    for prototype in prototypes:
        for function_name in ("zeros_like", "ones_like", "empty_like"):
            yield call(f"jnp.{function_name}", prototype)
            yield call(f"jnp.{function_name}", prototype, dtype=dt("float16"))
            yield call(f"jnp.{function_name}", prototype, shape=(2,))
            yield call(f"jnp.{function_name}", prototype, dtype=float, shape=3)
        for fill in (2, 2.5, True, weak(3), arr("int32", 4), 1j, 300, -1):
            yield call("jnp.full_like", prototype, fill)
        yield call("jnp.full_like", prototype, 2, dtype=dt("int64"))
        yield call("jnp.full_like", prototype, 2, shape=(2, 1))
        yield call("jnp.full_like", prototype, 2.5, dtype=int, shape=())
    for dtype in (*COMMON, *NARROW):
        for function_name in ("zeros_like", "ones_like"):
            yield call(f"jnp.{function_name}", sample(dtype, 2))
        yield call("jnp.full_like", sample(dtype, 2), 1)
        yield call("jnp.zeros", 2, dt(dtype))
        yield call("jnp.ones", 2, dt(dtype))
        yield call("jnp.full", 2, 1, dt(dtype))


def ranges() -> Iterator[Call]:
    """Yield calls: arange, linspace, logspace, geomspace."""
    arguments = [
        (5,), (0,), (-3,), (2.5,), (5.0,), (True,), (1j,), (2, 5), (5, 2), (1, 2.5), (0.5, 3), (0, 10, 3), (10, 0, -3),
        (0, 1, 0.25), (1, 0, 0.25),
        (0, 5, 0), (0, 5, 1.5), (weak(4),), (arr("int8", 4),), (arr("float16", 1), 4), (np.int64(3),), (np.float32(2.5),),
        (0, np.int8(4)),
        (arr("uint8", 1), arr("int16", 6), 2), (2**31, 2**31 + 3), (-(2**31) - 2, -(2**31) + 1), (1, None), (None,), ("a",),
        (arr("int32", [1, 2]),),
        (0, 3, None), (3, None, 2), (1, 2, 3, 4), (0.1, 0.7, 0.1), (-1.5, 1.5, 0.3), (float("nan"),), (0, 300, 100),
        (0, 5, weak(2)),
    ]  # fmt: skip
    for args in arguments:
        yield call("jnp.arange", *args)
    for args in ((5,), (0, 2.5, 0.5), (1, 6, 2), (-2, 3), (0, 1000, 250)):
        for wanted in WANTED:
            yield call("jnp.arange", *args, dtype=wanted)
    yield call("jnp.arange")
    yield call("jnp.arange", start=1, stop=4)
    yield call("jnp.arange", 1, 10, step=3)
    yield call("jnp.arange", 3, step=2)
    spans = [
        (0, 1),
        (0, 10),
        (1, 0),
        (-1.5, 2.5),
        (1, 1j),
        (arr("int8", 0), 5),
        (arr("float16", 1), 2),
        (weak(0), weak(3)),
        (sample("float32", 2), 4),
        (sample("int32", (2, 1)), sample("float32", 3)),
        (True, False),
        ([0, 1], 2),
        (np.float64(0), np.float64(2)),
        (0, float("inf")),
        (0, float("nan")),
    ]
    for function_name in ("linspace", "logspace", "geomspace"):
        target = f"jnp.{function_name}"
        for start, stop in (
            spans
            if function_name != "geomspace"
            else [
                (1, 1000),
                (1, 0.001),
                (-1, -8),
                (1, 2j),
                (arr("float16", 1), 16),
                (weak(1), 8),
                (positive_pair(), 4),
                (0, 1),
                (arr("int8", 1), 64),
            ]
        ):
            yield call(target, start, stop, 5)
            yield call(target, start, stop, num=4, endpoint=False)
            yield call(target, start, stop, 3, dtype=dt("float16"))
        for wanted in WANTED:
            yield call(target, 1, 5, 3, dtype=wanted)
        for num in (0, 1, 2, -1, 2.5, "a", None, arr("int32", 3), np.int64(3)):
            yield call(target, 1, 2, num)
            yield call(target, 1, 2, num, endpoint=False)
        yield call(target, sample("float32", 2) if function_name != "geomspace" else positive_pair(), 5, 3, axis=-1)
        yield call(target, sample("float32", 2) if function_name != "geomspace" else positive_pair(), 5, 3, axis=2)
        yield call(target, 1, 4)
    yield call("jnp.linspace", 0, 1, 5, retstep=True)
    yield call("jnp.linspace", 0, 1, 5, False, True)
    yield call("jnp.linspace", 0, 1, 1, retstep=True)
    yield call("jnp.linspace", 0, 1, 0, retstep=True)
    yield call("jnp.linspace", 0, 10, 4, dtype=int)
    yield call("jnp.linspace", -5, 0, 4, dtype=dt("int8"))
    yield call("jnp.logspace", 0, 3, 4, base=2)
    yield call("jnp.logspace", 0, 3, 4, base=2.5, dtype=dt("int32"))
    yield call("jnp.logspace", 0, 3, 4, base=sample("float32", 2))


def positive_pair() -> object:
    """Return two elements that a geometric sequence may start from."""
    return arr("float32", [1.0, 2.0])


def matrices() -> Iterator[Call]:
    """Yield calls: eye, identity, tri, tril, triu, diag, vander, indices, meshgrid."""
    for args in [
        (3,),
        (2, 3),
        (3, 2),
        (0,),
        (0, 2),
        (-1,),
        (2.0,),
        ("a",),
        (np.int64(2),),
        (arr("int32", 2),),
        (3, None),
        (2, -1),
    ]:
        for function_name in ("eye", "tri"):
            yield call(f"jnp.{function_name}", *args)
            for k in (1, -1, 5, -5):
                yield call(f"jnp.{function_name}", *args, k=k)
    for wanted in WANTED:
        yield call("jnp.eye", 2, dtype=wanted)
        yield call("jnp.tri", 2, dtype=wanted)
        yield call("jnp.identity", 2, dtype=wanted)
        yield call("jnp.indices", (2, 2), dtype=wanted)
    yield call("jnp.eye", 3, k=1.5)
    yield call("jnp.eye", 3, k=arr("int32", 1))
    yield call("jnp.identity", 3)
    yield call("jnp.identity", -1)
    yield call("jnp.indices", (2, 3), sparse=True)
    yield call("jnp.indices", ())
    yield call("jnp.indices", (0, 2))
    yield call("jnp.indices", 3)
    for dtype in (*MOST, *NARROW):
        for function_name in ("tril", "triu", "diag", "diagflat"):
            yield call(f"jnp.{function_name}", sample(dtype, (3, 3)))
            yield call(f"jnp.{function_name}", sample(dtype, (2, 3)), k=1)
            yield call(f"jnp.{function_name}", sample(dtype, 2), -1)
        yield call("jnp.vander", sample(dtype, 3))
        yield call("jnp.vander", sample(dtype, 3), 2, increasing=True)
        yield call("jnp.meshgrid", sample(dtype, 2), sample("int32", 3))
    for function_name in ("tril", "triu", "diag", "diagflat"):
        for value in (
            sample("int32", ()),
            sample("int32", 0),
            sample("int32", (2, 2, 3)),
            [[1, 2], [3, 4]],
            weak(2),
            weak([1, 2]),
            np.eye(2),
            2.5,
            None,
        ):
            yield call(f"jnp.{function_name}", value)
        yield call(f"jnp.{function_name}", sample("int32", (2, 3)), 7)
        yield call(f"jnp.{function_name}", sample("int32", (2, 3)), k=-2)
        yield call(f"jnp.{function_name}", sample("int32", (2, 3)), k="a")
    yield call("jnp.vander", sample("int32", (2, 2)))
    yield call("jnp.vander", sample("int32", 3), 0)
    yield call("jnp.vander", sample("int32", 3), -1)
    yield call("jnp.vander", [1, 2, 3])
    for options in (
        {"indexing": "ij"},
        {"sparse": True},
        {"indexing": "ij", "sparse": True},
        {"indexing": "zz"},
        {"copy": False},
    ):
        yield call("jnp.meshgrid", sample("int32", 2), sample("float32", 3), **options)
        yield call("jnp.meshgrid", sample("int32", 2), sample("float32", 3), weak(2), **options)
    yield call("jnp.meshgrid")
    yield call("jnp.meshgrid", sample("int32", 3))
    yield call("jnp.meshgrid", sample("int32", (2, 2)), sample("int32", 2))
    yield call("jnp.meshgrid", [1, 2], [3, 4])


def from_elsewhere() -> Iterator[Call]:
    """Yield calls: frombuffer, fromfunction, fromiter, fromstring, windows."""
    yield call("jnp.frombuffer", b"\x00\x00\x80?\x00\x00\x00@", dtype=dt("float32"))
    yield call("jnp.frombuffer", b"\x01\x02\x03\x04", dtype=dt("int8"), count=2, offset=1)
    yield call("jnp.frombuffer", b"\x01\x02\x03\x04", dtype=dt("int16"))
    yield call("jnp.frombuffer", b"\x80\x3f\x00\x40", dtype=dt("bfloat16"))
    yield call("jnp.frombuffer", b"\x01\x02\x03", dtype=dt("int16"))
    yield call("jnp.frombuffer", b"\x00" * 8)
    for wanted in (float, int, dt("int8"), dt("float16")):
        yield call("jnp.fromfunction", function("index_sum"), (2, 3), dtype=wanted)
        yield call("jnp.fromfunction", function("index_product"), (2, 2), dtype=wanted)
    yield call("jnp.fromfunction", function("greater"), (3, 3))
    yield call("jnp.fromstring", "1 2 3", sep=" ")
    yield call("jnp.fromstring", "1,2,3", dtype=int, sep=",")
    yield call("jnp.fromstring", "1.5,2.5", dtype=dt("float16"), sep=",")
    yield call("jnp.fromiter", [1, 2, 3], dtype=int)
    yield call("jnp.fromiter", [1.5, 2], dtype=dt("float32"), count=1)
    for window in ("bartlett", "blackman", "hamming", "hanning"):
        for size in (0, 1, 2, 5, 8, -1, 2.5, np.int64(4), arr("int32", 4)):
            yield call(f"jnp.{window}", size)
    for size in (0, 1, 2, 5, 8, -1):
        for beta in (0.0, 2, 8.6, -1.5, arr("float16", 3), arr("float64", 3), weak(14)):
            yield call("jnp.kaiser", size, beta)
    for constant in ("pi", "e", "inf", "nan", "euler_gamma", "newaxis"):
        yield call(f"jnp.{constant}")


def scalar_types() -> Iterator[Call]:
    """Yield calls of the scalar types."""
    for scalar in (
        "bool_",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "bfloat16",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "float8_e4m3fn",
        "float8_e5m2",
        "int4",
        "uint4",
        "int_",
        "float_",
        "complex_",
        "uint",
        "single",
        "double",
        "csingle",
        "cdouble",
    ):
        for value in (
            1,
            0,
            -1,
            2.7,
            True,
            1j,
            300,
            2**40,
            [1, 2],
            "3",
            "a",
            None,
            weak(2),
            sample("int32", 3),
            special("float32"),
            np.float64(1.5),
            float("nan"),
            [[1], [2]],
        ):
            yield call(f"jnp.{scalar}", value)
        yield call(f"jnp.{scalar}")


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (converting, filled, ranges, matrices, from_elsewhere, scalar_types):
        yield from part()
