"""Define conditions for narrow dtypes: our results are those of a wider dtype, which are compared with JAX's elsewhere."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from conformance.jax import calls
from conformance.jax.compare import Mismatch, close
from conformance.jax.conditions import Data, is_kind, operands, words
from conformance.jax.supremum_backend import SupremumBackend

#: Keys of the call language that name a dtype: of an array, or a requested one.
_NAMES = ("a", "d", "t")


def is_narrow_float(dtype: str) -> bool:
    """Whether a dtype is a float of at most 16 bits, by its name."""
    return dtype in ("bfloat16", "float16") or dtype.startswith(("float8_", "float6_", "float4_"))


def is_narrow_integer(dtype: str) -> bool:
    """Whether a dtype is an integer of less than a byte, by its name."""
    return dtype in ("int4", "uint4", "int2", "uint2", "int1", "uint1")


def as_in_float32(mismatch: Mismatch) -> bool:
    """Whether our elements for narrow floats are ours for the same numbers in float32, up to one rounding."""
    return _as_in("float32", is_narrow_float, mismatch)


def as_in_int32(mismatch: Mismatch) -> bool:
    """Whether our elements for integers of less than a byte are ours for the same numbers in int32, modulo the width."""
    return _as_in("int32", is_narrow_integer, mismatch)


def _as_in(wide: str, is_narrow: Callable[[str], bool], mismatch: Mismatch) -> bool:
    if not any(is_narrow(str(word.get(key))) for word in words(mismatch.call[1:]) for key in _NAMES):
        return False
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = calls.run(_with_arrays_of(wide, is_narrow, mismatch.call), SupremumBackend())
        return all(_rounded(ours, exact) for ours, exact in zip(_arrays(mismatch.actual), _arrays(found), strict=True))


def _arrays(value: Any) -> list[Data]:
    """Return all arrays in a result."""
    return [x for one in value for x in _arrays(one)] if isinstance(value, tuple | list) else [np.asarray(value)]


def _with_arrays_of(wide: str, is_narrow: Callable[[str], bool], coded: Any) -> Any:
    """Return a call with its narrow dtypes replaced by another one."""
    if isinstance(coded, list):
        return [_with_arrays_of(wide, is_narrow, value) for value in coded]
    if not isinstance(coded, dict):
        return coded
    return {
        key: wide if key in _NAMES and is_narrow(value) else _with_arrays_of(wide, is_narrow, value)
        for key, value in coded.items()
    }


def _rounded(ours: Data, exact: Data) -> bool:
    """Return whether elements are others rounded to their dtype; a sum in another order may round to a neighbour."""
    if not is_kind(ours, "fc"):
        bits = 1 if ours.dtype == np.bool_ else ml_dtypes.iinfo(ours.dtype).bits
        return bool(np.all((ours.astype(object) - exact.astype(object)) % (1 << bits) == 0))
    wide = np.complex128 if is_kind(ours, "c") else np.float64
    step = float(ml_dtypes.finfo(ours.dtype).eps)
    return bool(close(ours.astype(wide), exact.astype(ours.dtype).astype(wide), step, 0.0).all())


def evenly_spaced(mismatch: Mismatch) -> bool:
    """Whether the edges of our bins are those of exact arithmetic, rounded once."""
    edges = [x for x in _arrays(mismatch.actual)[1:] if is_narrow_float(x.dtype.name)]
    exact = [np.linspace(float(x[0]), float(x[-1]), len(x)).astype(x.dtype) for x in edges]
    return bool(edges) and all(bool((x == y).all()) for x, y in zip(edges, exact, strict=True))


def exact_length(mismatch: Mismatch) -> bool:
    """Whether our range has the length of exact arithmetic."""
    start, stop, step = (float(x) for x in [*operands(mismatch), 1][:3])
    return len(mismatch.actual) == max(0, math.ceil((stop - start) / step))


def positions_in_narrow_integers(mismatch: Mismatch) -> bool:
    """Whether integers of less than a byte are indices, which JAX does not support."""
    said = "only integer scalar arrays can be converted" in mismatch.expected["m"]
    return said and any(is_narrow_integer(word.get("a", "")) for word in words(mismatch.call[1:]))


def without_promotion(mismatch: Mismatch) -> bool:
    """Whether one of us raises because dtypes have no promotion, and the other for a different reason."""
    return "TypePromotionError" in (type(mismatch.error).__name__, mismatch.expected["y"])


def refused_without_promotion(mismatch: Mismatch) -> bool:
    """Whether we raise because dtypes have no promotion, and JAX returns a result."""
    return type(mismatch.error).__name__ == "TypePromotionError" and "r" in mismatch.expected


def of_narrow_integers(mismatch: Mismatch) -> bool:
    """Whether JAX lacks a promotion for integers of less than a byte, and we return a result."""
    narrow = is_narrow_integer(mismatch.call[1][0]["a"])
    return narrow and mismatch.error is None and mismatch.expected["y"] == "TypePromotionError"


def by_our_promotion(mismatch: Mismatch) -> bool:
    """Whether a function of NumPy returned an array of ours."""
    return type(mismatch.actual).__module__.startswith("supremum")
