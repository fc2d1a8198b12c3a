"""Calls of every function with narrow dtypes: the calls of the other groups, with a narrow dtype in place of float32 or int32.

A few calls of each target are taken, one of each form: the number of dimensions of the arrays, the options that are passed and
the numbers. Calls that another group makes itself are left out.
"""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

import functools
import importlib
import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.jax.calls import arr, array_data, dumps, shape_of, words

from ._common import Call

FLOATS = ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"]
INTEGERS = ["int4", "uint4"]
DTYPES = [*FLOATS, *INTEGERS]
#: The groups whose calls are taken; the groups of operators and random numbers name their dtypes themselves.
GROUPS = [
    "creation",
    "reductions",
    "manipulation",
    "indexing",
    "searching",
    "linear_algebra",
    "fourier",
    "methods",
    "ufunc_methods",
    "remainder",
    "neural",
    "elementwise",
    "dtypes",
]
#: How many calls of one target for one dtype; fewer of elementwise functions, whose own group has each dtype.
MOST, FEWER = 7, 2


# Substitution ---------------------------------------------------------------------------------------------------------------


def dtypes_in(coded: Any) -> set[str]:
    """Return the dtypes of the arrays, and those that are named, in encoded arguments."""
    return {word[code] for word in words(coded) for code in ("a", "d", "t") if code in word}


def replaced(coded: Any, wide: str, narrow: str) -> Any:
    """Return encoded arguments with one dtype replaced by another."""
    if isinstance(coded, list):
        return [replaced(value, wide, narrow) for value in coded]
    if not isinstance(coded, dict):
        return coded
    if coded.get("a") == wide:
        data = array_data(wide, coded["v"], shape_of(coded))
        if narrow in INTEGERS:
            data = np.nan_to_num(data, posinf=7, neginf=-8).astype(np.int64) % 16
            data -= 16 * (data > 7) if narrow == "int4" else 0
        return arr(narrow, data)
    for code in ("d", "t"):
        if coded.get(code) == wide:
            return {code: narrow}
    return {key: replaced(value, wide, narrow) for key, value in coded.items()}


def form(coded: Any) -> Any:
    """Return the form of a call: all of it except the elements of arrays and the length of their axes."""
    if isinstance(coded, list):
        return [form(value) for value in coded]
    if not isinstance(coded, dict) or not isinstance(coded.get("v"), list):
        return {key: form(value) for key, value in coded.items()} if isinstance(coded, dict) else coded
    return {code: coded[code] for code in "anwg" if code in coded} | {"s": min(len(shape_of(coded)), 3)}


def spread(several: list[Call], count: int) -> list[Call]:
    """Return at most `count` items of a list, evenly spaced."""
    return several if len(several) <= count else [several[i * len(several) // count] for i in range(count)]


@functools.cache
def models(group: str) -> dict[tuple[str, str], list[Call]]:
    """Return the calls of a group with float32, or with int32 and not float32, one of each form for each target."""
    forms: dict[tuple[str, str], dict[str, Call]] = defaultdict(dict)
    for one in importlib.import_module(f"conformance.jax.specs.{group}").calls():
        plain = json.loads(dumps(one))
        found = dtypes_in(plain[1:])
        wide = next((dtype for dtype in ("float32", "int32") if dtype in found), None)
        if wide:
            forms[plain[0], wide].setdefault(dumps(form(plain)), plain)
    return {key: list(of.values()) for key, of in forms.items()}


def substituted() -> Iterator[Call]:
    """Yield the calls of the other groups with narrow dtypes."""
    for group in GROUPS:
        own = {dumps(one) for one in importlib.import_module(f"conformance.jax.specs.{group}").calls()}
        count = FEWER if group in ("elementwise", "dtypes", "ufunc_methods") else MOST
        for (target, wide), several in models(group).items():
            if target in ("jnp.promote_types", "jnp.can_cast", "jnp.astype"):
                continue
            for narrow in DTYPES if wide == "float32" else INTEGERS:
                for one in spread(several, count):
                    made = replaced(one, wide, narrow)
                    if dumps(made) not in own:
                        yield made


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from substituted()
