"""Compare what a program of a library returned with what was recorded of real JAX."""

from __future__ import annotations

import math
from typing import Any

#: How far values may be apart, as a share of the largest of an array: results of several steps in float32.
SHARE = {"float64": 1e-9, "float32": 1e-4, "complex64": 1e-4, "bfloat16": 2e-2, "float16": 2e-3}  # others are equal


def differences(expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Return what differs between the leaves of two results, one line each."""
    if "error" in found or "error" in expected:
        return [] if found == expected else [f"expected {str(expected)[:200]}, found {str(found)[:300]}"]
    if expected.keys() != found.keys():
        return [f"the leaves are {sorted(found)}, expected {sorted(expected)}"]
    return [line for path in expected for line in _leaf(path, expected[path], found[path])]


def _leaf(path: str, expected: dict[str, Any], found: dict[str, Any]) -> list[str]:
    lines = [
        f"{path}: {fact} is {found.get(fact)}, expected {expected.get(fact)}"
        for fact in ("python", "shape", "dtype", "weak")
        if found.get(fact) != expected.get(fact)
    ]
    pairs = list(zip(expected.get("values", []), found.get("values", []), strict=False))
    largest = max((abs(a) for a, _ in pairs if math.isfinite(a)), default=0.0)
    allowed = (largest or 1.0) * SHARE.get(expected.get("dtype", ""), 0.0)
    wrong = [(a, b) for a, b in pairs if not (a == b or abs(a - b) <= allowed or (math.isnan(a) and math.isnan(b)))]
    if wrong:
        lines.append(f"{path}: {len(wrong)} of {len(pairs)} values differ, the first is {wrong[0][1]}, expected {wrong[0][0]}")
    return lines
