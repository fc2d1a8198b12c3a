"""Calls of elementwise functions of one, two and three operands."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, dt, name, weak

from ._common import COMMON, FEW, INTEGERS, MOST, NARROW, Call, mask, odd_arguments, positive, sample, special

UNARY = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_not",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "frexp",
    "i0",
    "imag",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "log",
    "log10",
    "log1p",
    "log2",
    "logical_not",
    "modf",
    "negative",
    "positive",
    "rad2deg",
    "radians",
    "real",
    "reciprocal",
    "rint",
    "round",
    "around",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
    "iscomplex",
    "isreal",
    "angle",
    "nan_to_num",
]
BINARY = [
    "add",
    "arctan2",
    "atan2",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "copysign",
    "divide",
    "divmod",
    "equal",
    "float_power",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "nextafter",
    "not_equal",
    "pow",
    "power",
    "remainder",
    "right_shift",
    "subtract",
    "true_divide",
    "isclose",
]
#: Pairs that show each rule of promotion once.
PAIRS = [
    ("bool", "bool"), ("bool", "int8"), ("uint8", "uint8"), ("uint8", "int8"), ("int32", "int32"), ("int32", "uint32"),
    ("int8", "int32"), ("int64", "int64"), ("uint64", "int64"), ("uint64", "uint64"), ("uint16", "uint16"),
    ("int32", "float16"),
    ("bfloat16", "bfloat16"), ("bfloat16", "float16"), ("float16", "float16"), ("float32", "float32"), ("float32", "int64"),
    ("float64", "float64"), ("float32", "float64"), ("float32", "bool"), ("complex64", "complex64"), ("complex64", "float32"),
    ("complex128", "int32"), ("float8_e4m3fn", "float8_e4m3fn"), ("float8_e5m2", "float8_e5m2"), ("int4", "int4"),
    ("uint4", "uint4"), ("float8_e4m3fn", "float32"), ("int4", "int8"), ("float8_e5m2", "bool"), ("uint4", "float16"),
]  # fmt: skip


def unary() -> Iterator[Call]:
    """Yield calls: every dtype, ordinary and special elements, and arguments of every kind."""
    for function in UNARY:
        target = f"jnp.{function}"
        for dtype in (*COMMON, *NARROW):
            yield call(target, special(dtype))
            yield call(target, sample(dtype, 8))
            yield call(target, positive(dtype, 8))
        for dtype in ("float32", "int32", "complex64"):
            yield call(target, sample(dtype, ()))
            yield call(target, sample(dtype, (2, 3)))
        for argument in odd_arguments():
            yield call(target, argument)
        yield call(target)
        yield call(target, sample("float32"), x=1)


def ranges() -> Iterator[Call]:
    """Yield calls: elements at which functions of a real argument change their formula."""
    small = [1e-30, -1e-5, 1e-3, 0.1, 0.3, -0.49, 0.5, 0.75]
    middle = [-1.0, 0.999, 1.001, 1.2, -2.2, 3.3, 5.5, -9.0]
    large = [12.5, -15.0, 30.0, 50.0, -80.0, 88.0, 100.0, 1e4]
    for function in UNARY:
        for dtype in ("bfloat16", "float16", "float32", "float64"):
            for values in (small, middle, large):
                yield call(f"jnp.{function}", arr(dtype, values))
        for dtype in ("complex64", "complex128"):
            yield call(f"jnp.{function}", arr(dtype, np.array(small) + 1j * np.array(middle)))
            yield call(f"jnp.{function}", arr(dtype, np.array(middle) * (1 - 0.5j)))


def binary() -> Iterator[Call]:
    """Yield calls: pairs of dtypes, weak and Python scalars, shapes."""
    for function in BINARY:
        target = f"jnp.{function}"
        for a, b in PAIRS:
            yield call(target, special(a), special(b, "right"))
            yield call(target, sample(a, (2, 3)), positive(b, 3))
            if a != b:
                yield call(target, special(b), special(a, "right"))
        for dtype in MOST:
            for scalar in (True, 2, -1, 0.5, 1j, weak(3), weak(1.5), np.float32(2), np.int64(3), arr("int32", 2)):
                yield call(target, sample(dtype, 8), scalar)
                yield call(target, scalar, positive(dtype, 8))
        for dtype in NARROW:
            for scalar in (True, 2, 0.5, weak(3)):
                yield call(target, sample(dtype, 8), scalar)
        for pair in [
            (2, 3),
            (2, 0.5),
            (True, 2),
            (2.5, 1j),
            (weak(2), weak(3)),
            (weak(2), 0.5),
            (True, False),
            (0, 0),
            (-7, 2),
        ]:
            yield call(target, *pair)
        for bad in ([1, 2], None, "a"):
            yield call(target, sample("int32", 2), bad)
            yield call(target, bad, sample("int32", 2))
        yield call(target, sample("int32", 3), sample("int32", 4))
        yield call(target, sample("int32"))
        yield call(target, sample("int32", (0, 2)), sample("float32", 2))
        yield call(target, np.arange(3), np.arange(3.0))
        yield call(target, np.arange(3, dtype=np.int8), sample("int16", 3))


def clip() -> Iterator[Call]:
    """Yield calls of clip: bounds of every kind, None, keywords."""
    for dtype in (*MOST, *NARROW):
        for low, high in [
            (1, 3),
            (-1, None),
            (None, 2),
            (0.5, 2.5),
            (None, None),
            (300, 400),
            (-500, 2),
            (weak(1), weak(2.5)),
            (3, 1),
        ]:
            yield call("jnp.clip", sample(dtype, 8), low, high)
        yield call("jnp.clip", sample(dtype, 8), min=1, max=3)
        yield call("jnp.clip", sample(dtype, (2, 3)), sample(dtype, 3), None)
        for other in ("int8", "uint64", "float16", "float32", "complex64"):
            yield call("jnp.clip", sample(dtype, 8), sample(other, 8), arr(other, 5))
        yield call("jnp.clip", special(dtype), arr("float32", float("nan")), 5)
    yield call("jnp.clip", 5, 1, 3)
    yield call("jnp.clip", 5.5, 1, 3)
    yield call("jnp.clip", weak(5), 1, 3.5)
    yield call("jnp.clip", [1, 2], 1, 3)
    yield call("jnp.clip", sample("int32"), min=2**40)
    yield call("jnp.clip", sample("int32"), max=2**70)
    yield call("jnp.clip", sample("int32"), "a", 3)
    yield call("jnp.clip")


def options() -> Iterator[Call]:
    """Yield calls: options of single functions."""
    for dtype in (*MOST, *NARROW):
        for decimals in (0, 1, 2, -1, -2):
            yield call("jnp.round", special(dtype), decimals)
            yield call("jnp.around", sample(dtype, 8), decimals=decimals)
        yield call("jnp.round", arr(dtype, [0.5, 1.5, 2.5, -0.5, -1.5, 3.49, 26, 25]))
        yield call("jnp.round", arr(dtype, [15, 25, 35, -15, 7, 100, 120, 5]), -1)
        yield call("jnp.angle", sample(dtype, 8), deg=True)
        yield call("jnp.nan_to_num", special(dtype), nan=1.0)
        yield call("jnp.nan_to_num", special(dtype), posinf=5, neginf=-5)
        yield call("jnp.nan_to_num", special(dtype), True, arr("float32", 2.5))
        yield call("jnp.isclose", special(dtype), special(dtype), equal_nan=True)
        yield call("jnp.isclose", sample(dtype, 8), arr("float32", 1.0), rtol=0.5, atol=0.25)
        yield call("jnp.allclose", sample(dtype, 8), sample(dtype, 8))
        yield call("jnp.allclose", special(dtype), special(dtype), equal_nan=True)
        yield call("jnp.array_equal", special(dtype), special(dtype))
        yield call("jnp.array_equal", special(dtype), special(dtype), equal_nan=True)
        yield call("jnp.array_equal", sample(dtype, 3), sample("int32", 3))
        yield call("jnp.array_equiv", sample(dtype, (2, 3)), sample(dtype, 3))
    yield call("jnp.round", sample("float32"), 1.5)
    yield call("jnp.array_equal", sample("int32", 3), sample("int32", 4))
    yield call("jnp.array_equiv", sample("int32", 3), sample("int32", 4))
    yield call("jnp.array_equiv", arr("int32", 1), arr("float32", [1, 1]))
    yield call("jnp.allclose", 1.0, 1.0 + 1e-7)
    yield call("jnp.allclose", sample("float32"), [1, 2])
    for function in ("add", "multiply", "maximum", "logical_and", "bitwise_or", "logaddexp"):
        yield call(f"jnp.{function}", sample("int32"), sample("int32", start=2), where=mask())
        yield call(f"jnp.{function}", sample("int32"), sample("int32", start=2), out=sample("int32"))
        for attribute in ("nin", "nout", "nargs", "identity", "__name__"):
            yield call(f"jnp.{function}.{attribute}")
    for function in ("maximum", "minimum", "fmax", "fmin"):
        for dtype in ("bfloat16", "float16", "float32", "float64", "complex64", "float8_e5m2"):
            values = [float("nan"), 1.0, float("nan"), 2.0, -0.0, 0.0, float("inf"), -1.0]
            others = [1.0, float("nan"), float("nan"), 1.0, 0.0, -0.0, float("nan"), float("-inf")]
            yield call(f"jnp.{function}", arr(dtype, values), arr(dtype, others))
    for function in ("ldexp", "nextafter", "heaviside", "copysign"):
        for dtype in ("bfloat16", "float16", "float32", "float64"):
            yield call(f"jnp.{function}", special(dtype), special(dtype, "right"))
            yield call(f"jnp.{function}", special(dtype), arr("int32", [-3, 0, 1, 2, 20, -40, 5, 300]))
    for function in ("gcd", "lcm"):
        for dtype in INTEGERS:
            yield call(f"jnp.{function}", arr(dtype, [0, 12, 18, 7, 100, 1, 0, 64]), arr(dtype, [0, 18, 12, 5, 75, 0, 9, 48]))
    for dtype in (*INTEGERS, "float32", "float16", "complex64"):
        exponents = arr("int32", [0, 1, 2, 3, -1, -2, 7, 31])
        for function in ("power", "pow", "float_power"):
            yield call(f"jnp.{function}", special(dtype), exponents)
            for exponent in (0, 2, -1, 3, 0.5, arr("int8", 2), weak(2)):
                yield call(f"jnp.{function}", special(dtype), exponent)


def casts() -> Iterator[Call]:
    """Yield calls: casts between all dtypes, with elements out of range."""
    dtypes = (*COMMON, *NARROW, "int2", "uint2", "float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e3m4",
              "float8_e4m3", "float8_e8m0fnu", "float4_e2m1fn")  # fmt: skip
    for source in dtypes:
        for target in dtypes:
            yield call("jnp.astype", special(source), dt(target))
    for source in ("float16", "bfloat16", "float32", "float64"):
        for target in dtypes:
            yield call("jnp.astype", arr(source, [-1.5, 2.5, 127.5, 130, -200, 300, 70000, 5e9]), dt(target))
            yield call("jnp.astype", arr(source, [-1e20, 1e20, 3e38, -3e38, 1e-8, 448, 464, 61440]), name(target))
    for source in ("int64", "uint64", "int32"):
        for target in dtypes:
            yield call("jnp.astype", arr(source, np.array([127, 128, 255, 256, 65535, 2**31, 2**24 + 1, 65520])), dt(target))
    for spec in (
        "float32",
        "f4",
        "int",
        "bool",
        "i1",
        "complex",
        "bfloat16",
        "nonsense",
        "str",
        None,
        float,
        int,
        bool,
        complex,
    ):
        yield call("jnp.astype", sample("int16"), spec)
    yield call("jnp.astype", sample("int16"), name("float16"), copy=True)
    yield call("jnp.astype", 2, dt("int8"))
    yield call("jnp.astype", weak(2), dt("int32"))
    yield call("jnp.astype", weak(2), None)
    yield call("jnp.astype", [1, 2], dt("int32"))
    yield call("jnp.astype", sample("complex64"), dt("float32"))


def extra_combinations() -> Iterator[Call]:
    """Yield calls: every dtype with itself, for functions whose pairs above leave some out."""
    for function in ("add", "divide", "maximum", "power", "arctan2", "less", "logical_or", "hypot"):
        for dtype in (*COMMON, *NARROW):
            yield call(f"jnp.{function}", special(dtype), special(dtype, "right"))
        for a in FEW:
            for b in FEW:
                yield call(f"jnp.{function}", sample(a, (2, 1)), sample(b, (1, 2)))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for part in (unary, ranges, binary, clip, options, casts, extra_combinations):
        yield from part()
