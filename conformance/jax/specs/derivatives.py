"""Derivatives of functions, of first and second order: calls of the other groups with floating-point arrays, in each dtype.

Of each target a few calls are taken, one of each form, with arrays of float32 or complex64 of finite elements, and with other
dtypes in their place. Where a slope is not defined, the expressions in ``tests/jax_expressions`` have JAX's values.
"""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

import fnmatch
import functools
import gzip
import importlib
import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.jax.calls import dumps, words
from conformance.jax.derivatives import KINDS

from ._common import Call
from .narrow_functions import dtypes_in, form, replaced, spread

GROUPS = [
    "operators",
    "elementwise",
    "reductions",
    "manipulation",
    "indexing",
    "searching",
    "linear_algebra",
    "fourier",
    "methods",
    "remainder",
    "neural",
    "scipy_stats",
    "scipy_linalg",
    "scipy_special",
    "scipy_others",
]
#: The dtypes in place of one, and how many calls of a target with each.
DTYPES = {
    "float32": {"float32": 2, "float64": 1, "bfloat16": 1, "float16": 1},
    "complex64": {"complex64": 1, "complex128": 1},
}
#: Where the outcomes of those calls are.
DATA = Path(__file__).parents[1] / "data"
#: Methods, and the targets whose results are no arrays that have derivatives.
RESULTS = ('"a":"float', '"a":"complex')
OTHERS = (
    "Array.*",
    "builtins.*",
    "np.*",
    "index *",
    "operator.i*",
    "jnp.frexp",
    "jnp.nextafter",
    "jnp.spacing",
    "jnp.unique*",
)


def is_finite(coded: Any) -> bool:
    """Return whether all elements of floating-point arrays, and the numbers, are finite and not zero."""
    for word in words(coded):
        if str(word.get("a", "")).startswith(("float", "complex")) and not all(x and math.isfinite(x) for x in word["v"]):
            return False
    return not any(isinstance(x, float) and not math.isfinite(x) for x in (coded if isinstance(coded, list) else ()))


def with_derivatives(group: str) -> set[str]:
    """Return the calls of a group, as texts, whose results are arrays of floating-point numbers."""
    lines = gzip.decompress((DATA / f"{group}.jsonl.gz").read_bytes()).decode().splitlines()
    records = [json.loads(line) for line in lines]
    return {dumps(call) for call, on, *_ in records if on and any(text in dumps(on.get("r")) for text in RESULTS)}


@functools.cache
def models(group: str) -> dict[tuple[str, str], list[Call]]:
    """Return the calls of a group with each of the dtypes that others take the place of, one of each form for each target."""
    forms: dict[tuple[str, str], dict[str, Call]] = defaultdict(dict)
    useful = with_derivatives(group)
    for one in importlib.import_module(f"conformance.jax.specs.{group}").calls():
        plain = json.loads(dumps(one))
        if dumps(plain) not in useful or any(fnmatch.fnmatch(plain[0], pattern) for pattern in OTHERS):
            continue
        found = dtypes_in(plain[1:])
        wide = next((dtype for dtype in DTYPES if any(word.get("a") == dtype for word in words(plain[1:]))), None)
        if wide and len(found & {"float16", "bfloat16", "float64", "complex128"}) == 0 and is_finite(plain[1:]):
            forms[plain[0], wide].setdefault(dumps(form(plain)), plain)
    return {key: list(of.values()) for key, of in forms.items()}


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    for group in GROUPS:
        for (target, wide), several in models(group).items():
            for dtype, count in DTYPES[wide].items():
                for one in spread(several, count):
                    _, *arguments = replaced(one, wide, dtype)
                    for kind in KINDS:
                        yield [f"{kind} {target}", *arguments]
