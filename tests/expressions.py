"""Replay expressions that were recorded with JAX; ``conformance/jax/expressions.py`` made the files and says what they hold."""

import re
import warnings
from pathlib import Path

import numpy as np

import supremum

FOLDER = Path(__file__).parent / "jax_expressions"


def cases(name):
    """Give (x64, statements before, expression, expected outcome) for every expression of a file and every mode."""
    statements, expression, found = [], None, {}
    out = []

    def finish():
        if expression is not None:
            for mode in ("off", "on"):
                out.append((mode, tuple(statements_then), expression, found.get(f"ours_{mode}", found.get("ours", found.get(mode, found.get("both"))))))

    statements_then = []
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == ">":
            finish()
            expression, found, statements_then = rest, {}, list(statements)
        elif word == "!":
            statements.append(rest)
        elif word in ("both", "off", "on", "ours", "ours_off", "ours_on"):
            found[word] = rest.partition("  # ")[0]
    finish()
    return out


def outcome(expression, names):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="supremum")  # as the package itself does
        try:
            text = " ".join(repr(eval(expression, names)).split())
        except Exception as error:  # noqa: BLE001 - the class is compared
            return error
    return text + "".join(f"  warns {name}" for name in sorted({warning.category.__name__ for warning in caught}))


def check(case):
    """Evaluate one expression and compare it with what was recorded."""
    mode, statements, expression, expected = case
    names = {"jnp": supremum, "jax": supremum, "np": np}
    with supremum.config.use(x64=mode), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in statements:
            exec(statement, names)
        given = outcome(expression, names)
    if isinstance(given, Exception):
        kinds = [kind.__name__ for kind in type(given).__mro__]
        assert expected.startswith("raises ") and expected[7:] in kinds, f"{expression}: raised {given!r}, JAX: {expected}"
    else:
        assert given == expected, f"{expression}: {given}, JAX: {expected}"


def identity(case):
    return f"{case[0]}: {re.sub(r'[^ -~]', '?', case[2])}"
