"""Replay expressions recorded with JAX; ``conformance/jax/record_expressions.py`` makes the files and describes them."""

import re
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

import supremum

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance" / "jax"))

from conformance.jax.conditions import same_text

FOLDER = Path(__file__).parent / "jax_expressions"


class Case(NamedTuple):
    x64: str
    statements: tuple
    expression: str
    expected: str


def cases(name):
    """Return a case for every expression of a file and each mode."""
    statements, found = [], []
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "!":
            statements.append(rest)
        elif word == ">":
            found.append((tuple(statements), rest, {}))
        else:
            found[-1][2][word] = rest.partition("  # ")[0]
    if sys.byteorder == "big":
        found = [each for each in found if "little" not in each[2]]
    return [
        Case(mode, before, expression, next(filter(None, map(answers.get, (f"ours_{mode}", "ours", mode, "both")))))
        for before, expression, answers in found
        for mode in ("off", "on")
    ]


def outcome(expression, names):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            text = " ".join(repr(eval(expression, names)).split())  # noqa: S307 - our own files
        except Exception as error:  # noqa: BLE001 - the class is compared
            return error
    return text + "".join(f"  warns {name}" for name in sorted({warning.category.__name__ for warning in caught}))


def check(case, jax=supremum, jnp=supremum):
    """Evaluate one expression and compare it with the recorded result."""
    names = {"jnp": jnp, "jax": jax, "np": np}
    with supremum.config.use(x64=case.x64, out_of_range="clip"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in case.statements:
            exec(statement, names)  # noqa: S102 - our own files
        given = outcome(case.expression, names)
    said = f"{case.expression}: {given!r}, JAX: {case.expected}"
    if isinstance(given, Exception):
        kinds = [f"raises {kind.__name__}" for kind in type(given).__mro__]
        assert case.expected in kinds, said
    else:
        assert given == case.expected or same_text(given, case.expected), said


def identity(case):
    return f"{case.x64}: {re.sub(r'[^ -~]', '?', case.expression)}"
