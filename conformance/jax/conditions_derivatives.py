"""Conditions of the reasons why derivatives differ from JAX's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.jax import calls
from conformance.jax.calls import words
from conformance.jax.compare import Mismatch, tolerance
from conformance.jax.supremum_backend import SupremumBackend


def has_one(mismatch: Mismatch) -> bool:
    """Whether JAX raises where supremum has a derivative."""
    return "x" in mismatch.expected and mismatch.error is None


def both_raise(mismatch: Mismatch) -> bool:
    """Whether both raise."""
    return "x" in mismatch.expected and mismatch.error is not None


def is_refused(mismatch: Mismatch) -> bool:
    """Whether supremum says that it has no such derivative, or does not promote the operands."""
    return isinstance(mismatch.error, NotImplementedError | TypeError)


def _wide(arrays: Any) -> list[Any]:
    return [np.asarray(x).astype(np.complex128) for x in arrays]


def _pairs(mismatch: Mismatch) -> Iterator[tuple[Any, Any]]:
    """Yield our arrays, and the recorded ones, in complex128."""
    recorded = mismatch.expected["r"]
    parts = recorded if isinstance(recorded, list) else recorded.get("u", [recorded])
    theirs = [calls.array_data(x["a"], x["v"], calls.shape_of(x)) for x in parts]
    return zip(_wide(mismatch.actual), _wide(theirs), strict=True)


def is_not_finite_in_jax(mismatch: Mismatch) -> bool:
    """Whether our elements differ only where JAX's are not finite."""
    return all(bool((np.isclose(ours, theirs, 1e-3, 1e-3) | ~np.isfinite(theirs)).all()) for ours, theirs in _pairs(mismatch))


def _share(mismatch: Mismatch) -> float:
    """Return some roundings of the narrowest floats of the call."""
    names = [str(word["a"]) for word in words(mismatch.call[1]) if "a" in word]
    kinds = [calls.dtype_named(name) for name in names if calls.ml_dtypes_kind(calls.dtype_named(name)) in "fc"]
    return 4 * max(tolerance(kind, mismatch.target) for kind in kinds)


def _greatest(x: Any) -> float:
    return float(np.abs(x[np.isfinite(x)]).max(initial=0))


def within_narrowest(mismatch: Mismatch) -> bool:
    """Whether results are within some roundings of the narrowest floats of the call where JAX's are finite."""
    share = _share(mismatch)
    return all(
        bool(((np.abs(ours - theirs) <= share * max(_greatest(theirs), 1e-3)) | ~np.isfinite(theirs)).all())
        for ours, theirs in _pairs(mismatch)
    )


def within_the_first(mismatch: Mismatch) -> bool:
    """Whether second derivatives are within some roundings of the narrowest floats from JAX's, as shares of the gradients."""
    gradients = _wide(calls.run([mismatch.target.replace("second", "gradient"), *mismatch.call[1:]], SupremumBackend()))
    share = _share(mismatch)
    return all(
        bool((np.abs(ours - theirs) <= share * _greatest(gradient)).all())
        for (ours, theirs), gradient in zip(_pairs(mismatch), gradients, strict=True)
    )


def is_nearer(mismatch: Mismatch) -> bool:
    """Whether our elements are nearer than JAX's to those of the same call in float64."""
    text = calls.dumps(mismatch.call)
    for name in ("bfloat16", "float16", "float32"):
        text = text.replace(f'"{name}"', '"float64"')
    exact = _wide(calls.run(json.loads(text), SupremumBackend()))
    return all(
        _greatest(ours - right) <= _greatest(theirs - right)
        for (ours, theirs), right in zip(_pairs(mismatch), exact, strict=True)
    )


def of_equal_legs(mismatch: Mismatch) -> bool:
    """Whether some legs are equal, and our elements are nearer to those in float64."""
    x, y = (calls.array_data(w.get("a", "float64"), w["v"], calls.shape_of(w)) for w in mismatch.call[1])
    return bool((np.abs(x) == np.abs(y)).any()) and is_nearer(mismatch)


def of_negative_numbers(mismatch: Mismatch) -> bool:
    """Whether our elements are NaN where the first operand is negative, and JAX's zero; others agree."""
    x = calls.array_data(mismatch.call[1][0]["a"], mismatch.call[1][0]["v"], calls.shape_of(mismatch.call[1][0]))
    return all(
        bool(np.where(x < 0, np.isnan(ours) & (theirs == 0), np.isclose(ours, theirs)).all())
        for ours, theirs in _pairs(mismatch)
    )


def _operand(mismatch: Mismatch, number: int) -> Any:
    word = mismatch.call[1][number]
    return calls.array_data(word["a"], word["v"], calls.shape_of(word)).astype(np.float64)


def of_a_singular_matrix(mismatch: Mismatch) -> bool:
    """Whether the first operand is a singular matrix."""
    return bool(np.linalg.cond(_operand(mismatch, 0)) > 1e7)


def differences_of_eigenvalues(mismatch: Mismatch) -> bool:
    """Whether our tangents of the eigenvalues of a tridiagonal matrix are those that differences give."""
    d, e = _operand(mismatch, 0), _operand(mismatch, 1)
    by_d, by_e = (np.cos(np.arange(x.size) + 2) for x in (d, e))  # see `derivatives`

    def values(h: float) -> Any:
        above = np.diag(e + h * by_e, 1)
        return np.linalg.eigvalsh(np.diag(d + h * by_d) + above + above.T)

    first, last = mismatch.call[2].get("select_range", {"u": [0, d.size - 1]})["u"]
    right = (values(1e-6) - values(-1e-6))[first : last + 1] / 2e-6
    ((ours, _),) = _pairs(mismatch)
    return bool(np.allclose(ours, right, rtol=1e-2, atol=1e-3))


def of_more_angles(mismatch: Mismatch) -> bool:
    """Whether there are more angles than degrees."""
    return _operand(mismatch, 0).size < _operand(mismatch, 2).size
