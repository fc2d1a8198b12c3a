"""Define what is timed, as data: a statement, the dtypes of its operands, and the different spellings of NumPy and torch.

An operand is written ``dtype`` (of the case's size, one axis), ``dtype:0d``, ``dtype:2d`` (square, of about that size),
``dtype:column`` and ``dtype:row`` (a side of that square), ``dtype:places`` (indices), ``dtype:element`` (a NumPy scalar, a
0-d array in other libraries), ``dtype:key`` (of random numbers) or is a plain Python value. ``xp`` is the namespace of the
library that is timed, ``np`` is always NumPy, ``jax`` is JAX itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

TINY = (1, 4, 100)
SIZES = (1, 4, 100, 10_000, 1_000_000)
FOUR, MILLION = 4, 1_000_000


@dataclass(frozen=True)
class Case:
    """A statement to time, with its operands and sizes."""

    name: str
    code: str
    operands: Mapping[str, Any]
    numpy: tuple[str, ...] = ()
    torch: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (FOUR, MILLION)
    #: Alternatives in NumPy that are timed beside the statement itself: report name → (statement, dtype).
    beside: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    tolerance: float = 1e-4
    #: Operands that every library gets as ndarrays.
    raw: tuple[str, ...] = ()
    #: What JAX spells otherwise.
    jax: tuple[str, ...] = ()


def operand(spec: Any, size: int, seed: int) -> Any:
    """Make an operand from its description in a case."""
    if not isinstance(spec, str):
        return spec
    name, _, layout = spec.partition(":")
    side = max(1, round(size**0.5))
    shapes: dict[str, tuple[int, ...]] = {"0d": (), "element": (), "2d": (side, side), "column": (side, 1), "row": (1, side)}
    shape = shapes.get(layout, (size,))
    draw = np.random.default_rng(seed)
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    if layout == "key":
        return np.array([0, 42], dtype)
    if dtype.kind == "b":
        return np.asarray(draw.random(shape) < 0.5)
    if dtype.kind in "iu":
        low, high = (0, size) if layout == "places" else (1, 8)
        return np.asarray(draw.integers(low, high, shape)).astype(dtype)
    if dtype.kind == "c":
        return np.asarray(draw.uniform(0.1, 1, shape) + 1j * draw.uniform(0.1, 1, shape)).astype(dtype)
    made = np.asarray(draw.uniform(0.1, 1, shape)).astype(dtype)
    return made[()] if layout == "element" else made


_F = "float32"
_A = {"a": _F}
_AB = {"a": _F, "b": _F}
_MIXED = {"a": "int32", "b": _F}
_SQUARE = {"a": "float32:2d"}

OPERATORS = [
    Case("a + b, float32", "a + b", _AB, sizes=SIZES),
    Case("a * b, float32", "a * b", _AB, sizes=SIZES),
    Case("a + b, int32", "a + b", {"a": "int32", "b": "int32"}, sizes=SIZES),
    Case("a / b, float32", "a / b", _AB, sizes=SIZES),
    Case("a + 2.0", "a + 2.0", _A, sizes=SIZES),
    Case("2 * a", "2 * a", _A, sizes=SIZES),
    Case("a > 0", "a > 0", _A, sizes=SIZES),
    Case("a < b", "a < b", _AB, sizes=SIZES),
    Case(
        "int32 + float32",
        "a + b",
        _MIXED,
        numpy=("np.add(a, b, dtype=np.float32)", "a.astype(np.float32) + b"),
        sizes=SIZES,
    ),
    Case(
        "float32 * float64",
        "a * b",
        {"a": _F, "b": "float64"},
        numpy=("np.multiply(a, b, dtype=np.float64)", "a.astype(np.float64) * b"),
        sizes=SIZES,
    ),
    Case("a += b", "a += b", {"a": _F, "b": _F}, sizes=SIZES),
    Case("-a", "-a", _A, sizes=SIZES),
    Case("0-d a + b", "a + b", {"a": "float32:0d", "b": "float32:0d"}, sizes=(1,)),
    Case("a[i]", "a[i]", {**_A, "i": 2}, sizes=(FOUR,)),
    Case("a[1:3]", "a[1:3]", _A, sizes=(FOUR,)),
    Case("a.reshape(2, 2)", "a.reshape(2, 2)", _A, sizes=(FOUR,)),
    Case("a.T", "a.T", _SQUARE, sizes=(FOUR,)),
]

FUNCTIONS = [
    # elementwise
    Case("add", "xp.add(a, b)", _AB),
    Case("abs", "xp.abs(a)", _A),
    Case("exp", "xp.exp(a)", _A),
    Case("sin", "xp.sin(a)", _A),
    Case("sqrt", "xp.sqrt(a)", _A),
    Case("maximum", "xp.maximum(a, b)", _AB),
    Case("isnan", "xp.isnan(a)", _A),
    Case("logical_and", "xp.logical_and(a, b)", {"a": "bool", "b": "bool"}),
    Case("clip", "xp.clip(a, 0.2, 0.8)", _A),
    # statistical and utility
    Case("sum", "xp.sum(a)", _A),
    Case("mean", "xp.mean(a)", _A),
    Case("max", "xp.max(a)", _A),
    Case("std", "xp.std(a)", _A),
    Case("all", "xp.all(a)", {"a": "bool"}),
    # manipulation
    Case("reshape", "xp.reshape(a, (2, -1))", _A),
    Case("concat", "xp.concat([a, b])", _AB),
    Case("stack", "xp.stack([a, b])", _AB),
    Case("flip", "xp.flip(a)", _A),
    Case("roll", "xp.roll(a, 1)", _A),
    Case("expand_dims", "xp.expand_dims(a, axis=0)", _A),
    Case("permute_dims", "xp.permute_dims(a, (1, 0))", _SQUARE),
    Case("broadcast_to", "xp.broadcast_to(a, (3, n))", _A),
    # searching, sorting, sets, indexing
    Case("where", "xp.where(c, a, b)", {**_AB, "c": "bool"}),
    Case("argmax", "xp.argmax(a)", _A),
    Case("take", "xp.take(a, i, axis=0)", {**_A, "i": "int32:places"}),
    Case("sort", "xp.sort(a)", _A),
    # Ours is stable, as the standard requires; only a stable order is comparable where elements are equal.
    Case("argsort", "xp.argsort(a)", _A, ('np.argsort(a, kind="stable")',), ("xp.argsort(a, stable=True)",)),
    # NumPy's unique_values returns another order; np.unique returns ours.
    Case("unique_values", "xp.unique_values(a)", {"a": "int32"}, numpy=("np.unique_values(a)", "np.unique(a)")),
    # linear algebra, Fourier
    Case("matmul", "xp.matmul(a, b)", {"a": "float32:2d", "b": "float32:2d"}, sizes=(FOUR, 65_536)),
    Case("vecdot", "xp.vecdot(a, b)", _AB),
    Case("linalg.inv", "xp.linalg.inv(a)", _SQUARE, sizes=(FOUR, 10_000), tolerance=0.1),
    Case("fft.fft", "xp.fft.fft(a)", {"a": "complex64"}, tolerance=0.1),
    # creation and dtypes
    Case("zeros", "xp.zeros(n)", {}, numpy=("np.zeros(n, dtype=np.float32)",)),
    Case("arange", "xp.arange(n)", {}, numpy=("np.arange(n, dtype=np.int32)",)),
    Case("asarray", "xp.asarray(a)", _A),
    Case("astype", "xp.astype(a, xp.float64)", _A),
]

#: Functions of narrow dtypes that have a bar in common.
ARITHMETIC = ("add", "multiply", "maximum", "less", "equal")
SIGNS = ("abs", "negative")
TRANSCENDENTAL = ("exp", "sin", "tanh", "log", "sqrt")
FOLDS = ("sum", "mean", "max", "min")
ORDERS = ("sort", "argsort", "argmax")

_ELEMENTWISE = {
    "add": "np.add(a, b)",
    "multiply": "np.multiply(a, b)",
    "maximum": "np.maximum(a, b)",
    "abs": "np.abs(a)",
    "negative": "np.negative(a)",
    "isnan": "np.isnan(a)",
    "less": "np.less(a, b)",
    "equal": "np.equal(a, b)",
    "exp": "np.exp(a)",
    "sin": "np.sin(a)",
    "tanh": "np.tanh(a)",
    "log": "np.log(a)",
    "sqrt": "np.sqrt(a)",
    "sum": "np.sum(a)",
    "mean": "np.mean(a)",
    "max": "np.max(a)",
    "min": "np.min(a)",
    "sort": "np.sort(a)",
    "argsort": "np.argsort(a)",
    "argmax": "np.argmax(a)",
    "pow": "np.power(a, b)",
    "isclose": "np.isclose(a, b)",
    "vecdot": "np.vecdot(a, b)",
}


def _narrow(dtype: str, function: str) -> Case:
    """Return a case of a function of a narrow dtype, compared with ml_dtypes' own loops and with float32."""
    code = _ELEMENTWISE[function]
    operands = {"a": dtype, "b": dtype} if "b" in code else {"a": dtype}
    return Case(
        f"{dtype} {function}",
        code.replace("np.", "xp."),
        operands,
        numpy=(code,),
        torch=("xp.eq(a, b)",) if function == "equal" else (),  # torch.equal gives one bool
        sizes=(FOUR, MILLION),
        beside={"float32": (code, "float32")},
        tolerance=float("inf"),  # NumPy's own results are wrong for these; the tests check ours
    )


def _matmul(dtype: str) -> Case:
    """Return a case of a product of matrices with a result of their dtype; NumPy returns float32 for bfloat16."""
    return Case(
        f"{dtype} matmul",
        "xp.matmul(a, b)",
        {"a": f"{dtype}:2d", "b": f"{dtype}:2d"},
        numpy=("np.matmul(a, b).astype(a.dtype, copy=False)",),
        sizes=(512 * 512,),
        beside={"float32": ("np.matmul(a, b)", "float32")},
        tolerance=float("inf"),
    )


def _cast(dtype: str) -> list[Case]:
    scalar = f"ml_dtypes.{dtype}" if hasattr(ml_dtypes, dtype) else f"np.{dtype}"
    to = (f"a.astype({scalar})",)
    back = ("a.astype(np.float32)",)
    copy, sizes = {"copy of float32": ("a.copy()", _F)}, (MILLION,)
    return [
        Case(f"float32 to {dtype}", f"xp.astype(a, xp.{dtype})", {"a": _F}, to, (f"a.to(xp.{dtype})",), sizes, copy),
        Case(f"{dtype} to float32", "xp.astype(a, xp.float32)", {"a": dtype}, back, ("a.to(xp.float32)",), sizes, copy),
    ]


NARROW = [
    *(_narrow("bfloat16", function) for function in _ELEMENTWISE),
    *_cast("bfloat16"),
    _matmul("bfloat16"),
    *(_narrow("float16", function) for function in (*ARITHMETIC, *SIGNS, *TRANSCENDENTAL, *FOLDS, *ORDERS)),
    *_cast("float16"),
    _matmul("float16"),
    *(
        case
        for dtype in ("float8_e4m3fn", "float8_e5m2")
        for case in (
            *(_narrow(dtype, function) for function in (*ARITHMETIC, *SIGNS, *TRANSCENDENTAL, *FOLDS, *ORDERS)),
            *_cast(dtype),
        )
    ),
    *(_matmul(dtype) for dtype in ("int8", "uint8", "int16", "int32")),
]

#: Operators on mixed dtypes whose peak memory is measured, at 10^7 elements.
MEMORY = [
    Case("int32 + float32", "a + b", _MIXED, numpy=("np.add(a, b, dtype=np.float32)",), sizes=(10_000_000,)),
    Case("float32 * float64", "a * b", {"a": _F, "b": "float64"}, sizes=(10_000_000,)),
    Case("bfloat16 + float32", "a + b", {"a": "bfloat16", "b": _F}, sizes=(10_000_000,)),
    Case("int8 + int32", "a + b", {"a": "int8", "b": "int32"}, sizes=(10_000_000,)),
    Case("uint8 < int32", "a < b", {"a": "uint8", "b": "int32"}, sizes=(10_000_000,)),
    Case("a + 2.0, bfloat16", "a + 2.0", {"a": "bfloat16"}, sizes=(10_000_000,)),
]
