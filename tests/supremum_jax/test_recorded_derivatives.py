"""JAX's derivatives, recorded in ``tests/jax_expressions``: of functions and programs, and where a slope is not defined."""

import re

import expressions
import ml_dtypes
import numpy as np
from common import for_each

import supremum.jax
import supremum.jax.numpy

FILES = ["derivatives", *[f"derivatives_{name}" for name in ("ode", "indexing", "singular", "weak")], "minimize"]
CASES = [case for name in FILES for case in expressions.cases(name)]
NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)(?![\w.])")
#: How far numbers may differ, by the dtype: the functions themselves are within a few units of JAX's.
TOLERANCES = {"float64": 1e-7, "complex128": 1e-7, "float16": 5e-3, "bfloat16": 4e-2}


def parts(text):
    """Return the text of arrays without numbers and spaces, their dtype, and the numbers."""
    dtype = re.search(r"dtype=(\w+)", text)
    return re.sub(r"\s|\.(?=[,\]])", "", NUMBER.sub("#", text)), dtype[1] if dtype else "float32", NUMBER.findall(text)


@for_each("case", CASES, expressions.identity)
def test_recorded(case):
    names = {"jnp": supremum.jax.numpy, "jax": supremum.jax, "np": np}
    with supremum.config.use(mutable=False, out_of_range="clip", x64=case.x64):
        for statement in case.statements:
            exec(statement, names)  # noqa: S102 - our own files
        given = expressions.outcome(case.expression, names)
    if isinstance(given, Exception):
        assert case.expected in [f"raises {kind.__name__}" for kind in type(given).__mro__], given
        return
    (shape, dtype, numbers), (expected_shape, expected_dtype, expected) = parts(given), parts(case.expected)
    assert (shape, dtype) == (expected_shape, expected_dtype), (given, case.expected)
    found, wanted = (np.array(list(map(float, one))) for one in (numbers, expected))
    assert hasattr(np, dtype) or hasattr(ml_dtypes, dtype)
    tolerance = TOLERANCES.get(dtype, 5e-4)
    scale = np.abs(wanted[np.isfinite(wanted)]).max(initial=0.0)
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance * max(scale, 1e-3), equal_nan=True), (
        given,
        case.expected,
    )
