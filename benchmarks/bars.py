"""Define the bars: upper bounds of the ratios of our time to another's. A ratio is flagged ``ok`` or ``MISS`` by this table.

A bar of 0.05 against ml_dtypes means "at least twenty times as fast". The bars of the engine are in `engine.py`, with their
cases. The reference engine has separate bars where they differ; None means no bar.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cases import ARITHMETIC, FOLDS, FOUR, ORDERS, SIGNS, TRANSCENDENTAL, Case
from engine import REFERENCE, ROWS
from programs_small import SMALL_PROGRAMS
from whole_arrays import COUNTING

MILLION, MATRIX = 1_000_000, 512 * 512
TINY = (1, 4, 100)


@dataclass(frozen=True)
class Bar:
    """The highest ratio allowed for some cases of a section, at some sizes, against one library."""

    section: str
    cases: Iterable[str]
    sizes: Iterable[int]
    against: str
    native: float | None
    reference: float | None


def _both(section: str, cases: Iterable[str], sizes: Iterable[int], against: str, ratio: float) -> Bar:
    return Bar(section, cases, sizes, against, ratio, ratio)


_OPERATORS = ("a + b, float32", "a * b, float32", "a + b, int32", "a < b", "a + 2.0", "2 * a", "a > 0")
#: Functions whose work is proportional to the number of elements.
_LINEAR = (
    *("add", "abs", "exp", "sin", "sqrt", "maximum", "isnan", "logical_and", "clip", "sum", "mean", "max", "std", "all"),
    *("concat", "stack", "roll", "where", "argmax", "take", "sort", "argsort", "unique_values", "vecdot", "fft.fft"),
)


def _reference(case: Case, size: int) -> float | None:
    """Return the bar of the reference engine."""
    return REFERENCE.get(case.name) if size == 4 else None


def _narrow(dtype: str, functions: Iterable[str], float32: float | None, ml_dtypes: float | None) -> list[Bar]:
    """Bars of narrow floats: at most `float32` times float32's time, at least `ml_dtypes` times faster than ml_dtypes."""
    cases = [f"{dtype} {function}" for function in functions]
    sizes = (MATRIX,) if functions == ("matmul",) else (MILLION,)
    bars = [Bar("narrow", cases, sizes, "float32", float32, None)] if float32 else []
    return bars + ([Bar("narrow", cases, sizes, "numpy", 1 / ml_dtypes, None)] if ml_dtypes else [])


def _loops(dtype: str, arithmetic: float, signs: float, transcendental: float, torch: float | None) -> list[Bar]:
    """Bars of the loops of one narrow float, against float32's and torch's own."""
    bars = [*_narrow(dtype, ARITHMETIC, arithmetic, None), *_narrow(dtype, SIGNS, signs, None)]
    bars += _narrow(dtype, TRANSCENDENTAL, transcendental, None)
    cases = [f"{dtype} {function}" for function in (*ARITHMETIC, *SIGNS, *TRANSCENDENTAL)]
    bars.append(Bar("narrow", cases, (FOUR,), "float32", 0.5, None))
    if torch:
        bars.append(Bar("narrow", [f"{dtype} {function}" for function in ARITHMETIC], (MILLION,), "torch", torch, None))
    return bars


BARS: list[Bar] = [
    # section, cases, sizes, against, native, reference
    *(
        Bar("engine", (case.name,), (size,), "numpy", bar, _reference(case, size))
        for case, bars in ROWS
        for size, bar in bars.items()
    ),
    Bar("operators", _OPERATORS, TINY, "torch", 0.6, None),
    Bar("operators", _OPERATORS, TINY, "jax.numpy", 0.15, None),
    Bar("operators", _OPERATORS, TINY, "array_api_strict", 0.15, None),
    _both("functions", _LINEAR, (MILLION,), "numpy", 1.02),
    Bar("programs", tuple(SMALL_PROGRAMS), (0,), "numpy", 1.1, None),
    Bar("programs", ("Lotka-Volterra",), (0,), "numpy", 1.5, None),
    *_loops("bfloat16", 1.0, 0.55, 1.25, 1.1),
    *_loops("float16", 1.0, 0.55, 1.25, 1.1),
    *_loops("float8_e4m3fn", 1.1, 1.1, 1.1, None),
    *_loops("float8_e5m2", 1.1, 1.1, 1.1, None),
    *(
        bar
        for dtype, cast in (("bfloat16", 0.7), ("float16", 0.7), ("float8_e4m3fn", 1.0), ("float8_e5m2", 1.0))
        for bar in (
            *_narrow(dtype, FOLDS, 0.7, None),
            *_narrow(dtype, ORDERS, 1.0, None),
            Bar("narrow", [f"{dtype} {function}" for function in FOLDS], (FOUR,), "float32", 0.5, None),
            Bar("narrow", (f"float32 to {dtype}", f"{dtype} to float32"), (MILLION,), "copy of float32", cast, None),
        )
    ),
    *_narrow("bfloat16", ("matmul",), 1.1, 1),
    *_narrow("float16", ("matmul",), 1.1, 100),
    Bar("narrow", ("int8 matmul", "uint8 matmul"), (MATRIX,), "float32", 1.0, None),
    _both("narrow", ("int8 matmul", "uint8 matmul"), (MATRIX,), "numpy", 1 / 50),
    _both("narrow", ("int16 matmul",), (MATRIX,), "numpy", 1 / 20),
    _both("narrow", ("int32 matmul",), (MATRIX,), "numpy", 1 / 8),
    Bar("random", ("uniform()", "normal()", "split()"), (1,), "jax.numpy", 0.3, None),
    Bar("random", ("uniform", "normal"), (MILLION,), "jax.numpy", 0.9, None),
    Bar("counting", ("histogram", "bincount", "packbits"), (MILLION,), "numpy", 0.8, None),
    Bar("counting", ("unpackbits",), (MILLION // 8,), "numpy", 0.8, None),
    Bar("counting", ("at[...].add", "at[...].multiply", "at[...].max"), (4, MILLION), "numpy", 1.0, None),
    Bar("counting", ("allclose",), (4, MILLION), "numpy", 0.5, None),
    Bar("counting", [case.name for case in COUNTING if " to " in case.name], (MILLION,), "numpy", 1.0, None),
    # The peak, result included, in units of the result: no full-size temporary.
    Bar(
        "memory",
        ("int32 + float32", "float32 * float64", "bfloat16 + float32", "int8 + int32", "uint8 < int32"),
        (10_000_000,),
        "result",
        1.02,
        None,
    ),
    _both("import", ("import supremum",), (0,), "import numpy, ml_dtypes", 1.3),
    _both("import", ("import supremum",), (0,), "import jax.numpy", 0.25),
]


def bar_for(section: str, case: str, size: int, against: str, *, engine: str) -> float | None:
    """Return the bar of one ratio, or None."""
    for bar in BARS:
        if bar.section == section and bar.against == against and case in bar.cases and size in bar.sizes:
            return bar.native if engine == "native" else bar.reference
    return None
