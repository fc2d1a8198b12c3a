"""Numbers that a program does not know: calls of the other groups with an operand in place of an integer, one at a time.

Of each function, and of each place among its arguments where a call has an integer, one call is taken.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import GROUPS
from ._common import Call

#: Where the outcomes of the other groups are.
DATA = Path(__file__).parents[1] / "data"
#: The groups whose calls are those of others, and targets that are no functions.
OTHERS = ("narrow", "narrow_mixed", "narrow_functions", "derivatives", "traced", "ufunc_methods", "operators")
NO_FUNCTIONS = ("builtins.", "np.", "index ", "operator.")


def places(coded: Any, before: str = "") -> Iterator[str]:
    """Yield the places of integers among encoded arguments."""
    if isinstance(coded, dict) and "u" in coded:
        coded = coded["u"]
    elif isinstance(coded, dict) and before:
        return
    if type(coded) is int:
        yield before
    for key, x in coded.items() if isinstance(coded, dict) else enumerate(coded) if isinstance(coded, list) else ():
        yield from places(x, f"{before}.{key}" if before else str(key))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    seen = set()
    for group in GROUPS:
        if group in OTHERS:
            continue
        for line in gzip.decompress((DATA / f"{group}.jsonl.gz").read_bytes()).decode().splitlines():
            (target, args, kwargs), on, *off = json.loads(line)
            outcome = off[0] if off else on
            if not outcome or "r" not in outcome or target.startswith(NO_FUNCTIONS):
                continue
            for place in [*places(args), *places(kwargs)]:
                if (target, place) not in seen:
                    seen.add((target, place))
                    yield [f"traced {target}", [place, *args], kwargs]
