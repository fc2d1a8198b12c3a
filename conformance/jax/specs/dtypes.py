"""Calls of dtype utilities: promotion, casting rules, kinds, limits."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, name, weak

from ._common import COMMON, NARROW, Call, sample

EXTENDED = [
    *COMMON,
    *NARROW,
    "int2",
    "uint2",
    "float8_e4m3b11fnuz",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e8m0fnu",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "int1",
    "uint1",
]
ABSTRACT = ["number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating", "generic"]
KINDS = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric", "nonsense"]
PYTHON = [int, float, bool, complex]


def promotion() -> Iterator[Call]:
    """Yield calls: promote_types and result_type of every pair."""
    for a in EXTENDED:
        for b in EXTENDED:
            yield call("jnp.promote_types", dt(a), dt(b))
    for a in COMMON:
        for b in (int, float, complex, bool, name("int8"), "float16", "nonsense", None):
            yield call("jnp.promote_types", dt(a), b)
            yield call("jnp.promote_types", b, a)
            yield call("jnp.result_type", dt(a), b)
        for b in (
            2,
            2.5,
            True,
            1j,
            weak(2),
            weak(1.5),
            weak([1, 2]),
            sample("int8", 2),
            np.float64(1),
            np.array([1]),
            np.int8(1),
            300,
            2**40,
            [1, 2],
        ):
            yield call("jnp.result_type", sample(a, 2), b)
            yield call("jnp.result_type", b, dt(a))
        for b in COMMON:
            yield call("jnp.result_type", sample(a, 2), dt(b))
            yield call("jnp.result_type", dt(a), sample(b, ()), 2.5)
    for args in (
        (int, float),
        (int,),
        (float,),
        (complex,),
        (bool,),
        (2,),
        (2.5,),
        (weak(2),),
        (weak(2), 2.5),
        (weak(2), weak(1j)),
        (),
        (None,),
        ("a",),
        (2, True),
        (int, bool),
        (dt("int8"), dt("uint8"), 1.5),
        (sample("int8", 1), sample("int16", 1), weak(2)),
        ("int8", "float32"),
        (dt("bfloat16"), dt("float16"), 1),
        (dt("float8_e4m3fn"), 1.5),
        (dt("int4"), dt("int8")),
        (2, 2**40),
    ):
        yield call("jnp.result_type", *args)


def casting() -> Iterator[Call]:
    """Yield calls: can_cast, isdtype, issubdtype."""
    for a in EXTENDED:
        for b in COMMON:
            yield call("jnp.can_cast", dt(a), dt(b))
        for casting_rule in ("no", "equiv", "safe", "same_kind", "unsafe", "nonsense"):
            for b in ("bool", "int8", "int32", "float32", "complex64", "bfloat16"):
                yield call("jnp.can_cast", dt(a), dt(b), casting_rule)
        for kind in KINDS:
            yield call("jnp.isdtype", dt(a), kind)
        yield call("jnp.isdtype", dt(a), ("bool", "integral"))
        yield call("jnp.isdtype", dt(a), dt("int8"))
        yield call("jnp.isdtype", dt(a), (dt("bfloat16"), "complex floating"))
        yield call("jnp.isdtype", name(a if a != "bool" else "bool_"), "integral")
        yield call("jnp.isdtype", a, "real floating")
        for abstract in ABSTRACT:
            yield call("jnp.issubdtype", dt(a), name(abstract))
        for b in ("int8", "float32", "bool", "bfloat16"):
            yield call("jnp.issubdtype", dt(a), dt(b))
        for b in (*PYTHON, np.integer, np.floating, np.generic, np.float64, np.bool_):
            yield call("jnp.issubdtype", dt(a), b)
    for a in ABSTRACT:
        for b in ABSTRACT:
            yield call("jnp.issubdtype", name(a), name(b))
    for value in (sample("int8", 2), 2, weak(2), np.int8(1), "int16", int, None):
        yield call("jnp.can_cast", value, dt("float32"))
        yield call("jnp.isdtype", value, "integral")
        yield call("jnp.issubdtype", value, name("integer"))


def limits() -> Iterator[Call]:
    """Yield calls: finfo, iinfo and dtype."""
    for dtype in EXTENDED:
        for function in ("finfo", "iinfo"):
            yield call(f"jnp.{function}", dt(dtype))
            yield call(f"jnp.{function}", dtype)
            yield call(f"jnp.{function}", sample(dtype, 2) if dtype in (*COMMON, *NARROW) else dt(dtype))
        yield call("jnp.dtype", dtype)
        yield call("jnp.dtype", name(dtype if dtype != "bool" else "bool_"))
    for value in (
        int,
        float,
        complex,
        bool,
        2,
        2.5,
        weak(2),
        weak(1.5),
        "nonsense",
        None,
        np.float64,
        np.int8,
        arr("float32", 1),
    ):
        yield call("jnp.finfo", value)
        yield call("jnp.iinfo", value)
        yield call("jnp.dtype", value)
    for function in ("iscomplexobj", "isrealobj", "isscalar", "ndim", "shape", "size", "iterable"):
        for value in (
            2,
            1j,
            True,
            None,
            "a",
            [1, 2],
            [1j],
            np.float32(1),
            np.array([1j]),
            np.array(1),
            sample("complex64", ()),
            sample("int8", 3),
            weak(1),
            (1, 2),
            {},
        ):
            yield call(f"jnp.{function}", value)
    for spec in ("float8_e4m3fn", "int4", "f4", ">f4", "i8", "?", "bfloat16", "c8", "U3", "O", "M8[s]", object):
        yield call("jnp.dtype", spec)
        yield call("jnp.zeros", 1, dtype=spec)


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (promotion, casting, limits):
        yield from part()
