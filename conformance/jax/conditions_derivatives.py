"""Conditions of the reasons why derivatives differ from JAX's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import calls
import numpy as np
from calls import words
from compare import Mismatch, tolerance


def has_one(mismatch: Mismatch) -> bool:
    """Whether JAX raises where supremum has a derivative."""
    return "x" in mismatch.expected and mismatch.error is None


def both_raise(mismatch: Mismatch) -> bool:
    """Whether both raise."""
    return "x" in mismatch.expected and mismatch.error is not None


def is_refused(mismatch: Mismatch) -> bool:
    """Whether supremum says that it has no such derivative, or does not promote the operands."""
    return isinstance(mismatch.error, NotImplementedError | TypeError)


def _pairs(mismatch: Mismatch) -> Iterator[tuple[Any, Any]]:
    """Yield our arrays, and the recorded ones, in complex128."""
    recorded = mismatch.expected["r"]
    parts = recorded if isinstance(recorded, list) else recorded.get("u", [recorded])
    for ours, theirs in zip(mismatch.actual, parts, strict=True):
        data = calls.array_data(theirs["a"], theirs["v"], calls.shape_of(theirs))
        yield np.asarray(ours).astype(np.complex128), data.astype(np.complex128)


def is_not_finite_in_jax(mismatch: Mismatch) -> bool:
    """Whether our elements differ only where JAX's are not finite."""
    return all(bool((np.isclose(ours, theirs, 1e-3, 1e-3) | ~np.isfinite(theirs)).all()) for ours, theirs in _pairs(mismatch))


def within_narrowest(mismatch: Mismatch) -> bool:
    """Whether results are within some roundings of the narrowest floats of the call."""
    names = [str(word["a"]) for word in words(mismatch.call[1]) if "a" in word]
    kinds = [calls.dtype_named(name) for name in names if calls.ml_dtypes_kind(calls.dtype_named(name)) in "fc"]
    share = 4 * max(tolerance(kind, mismatch.target) for kind in kinds)
    return all(
        bool((np.abs(ours - theirs) <= share * max(np.abs(theirs).max(initial=0), 1e-3)).all())
        for ours, theirs in _pairs(mismatch)
    )
