"""What a trace says of a function, against the dtypes that came out of it: every public function, in several dtypes.

The table of calls is ``narrow_expressions.txt``, as for test_narrow_functions.py.
"""

import ast
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config, nn, promotion
from supremum.scipy import special

TEXT = (Path(__file__).parent / "narrow_expressions.txt").read_text(encoding="utf-8")
EXPRESSIONS = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
#: Functions whose results are positions, counts or codes: their dtype has nothing to do with that of the elements.
POSITIONS = re.compile(
    r"(arg(max|min|sort|where|partition)|lexsort|(flat)?nonzero|searchsorted|digitize|bincount|unique_(all|counts|inverse)"
    r"|frexp|packbits|bitwise_count|matrix_rank|histogram(2d|dd)|count_nonzero)\("
)
#: A dtype that was asked for.
EXPLICIT = re.compile(r"dtype=|astype\(|quantized\(|\bxp\.(fft\.r?fftfreq)\(")
#: Functions that meet several dtypes inside before that of the result.
WITHIN = re.compile(
    r"xp\.(polyint|linalg\.lstsq|fft\.irfft[2n])\(|nn\.(squareplus|log1mexp)\("
    r"|special\.(expn|multigammaln|polygamma)\("  # a Python number meets integers before both become floats
)


def operands(dtype):
    def make(values):
        return xp.asarray(values, dtype=dtype)

    x, y = [1, 2, 4, 2], [2, 2, 1, 1]
    unit = [0.5, 1, 0.5, 0.5] if dtype.startswith(("float", "complex")) else x
    return {
        "x": make(x), "y": make(y), "s": make([1, 2, 4]), "m": make([x[:2], x[2:]]), "eye": make([[1, 0], [0, 1]]),
        "one": make(2), "u": make(unit), "c": xp.asarray([True, False, True, True]), "i": xp.asarray([1, 0]),
        "dtype": xp.dtype(dtype), "xp": xp, "np": np, "nn": nn, "special": special,
    }  # fmt: skip


def arrays(value):
    if isinstance(value, xp.Array):
        yield value
    elif isinstance(value, tuple | list):
        for one in value:
            yield from arrays(one)


def traced(expression, dtype):
    """Return the dtypes that came in and out, and those that the trace has; None for what is refused."""
    names = operands(dtype)
    used = {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
    given = {names[name].dtype.name for name in used if isinstance(names.get(name), xp.Array)}
    try:
        with warnings.catch_warnings(), xp.trace_promotions() as log:
            warnings.simplefilter("ignore")
            result = eval(expression, dict(names))  # noqa: S307 - a line of the table
    except (TypeError, ValueError, OverflowError, NotImplementedError):
        return None
    # Of truth values and keys there is nothing to tell.
    came = {one.dtype.name for one in arrays(result) if one.dtype != bool and not hasattr(one.dtype, "_rules")}
    return given, came, {record.result.rstrip("*") for record in log}


@pytest.mark.parametrize("x64", ["explicit", "on"])
@pytest.mark.parametrize("dtype", ["int8", "uint32", "float16", "float32", "complex64"])
def test_a_trace_says_what_came_out(dtype, x64):
    silent, beyond, changes = [], [], 0
    parts = {"float32"} if dtype.startswith("complex") else set()  # abs, real and imag take a number apart
    with config.use(x64=x64):
        for expression in EXPRESSIONS:
            found = traced(expression, dtype)
            if found is None or EXPLICIT.search(expression):
                continue
            given, came, told = found
            changed = came - given - parts
            if POSITIONS.search(expression):
                changed = {name for name in changed if not name.startswith(("int", "uint"))}
            changes += len(changed)
            silent += [(expression, name) for name in changed - told]
            if not WITHIN.search(expression) and not POSITIONS.search(expression):
                beyond += [(expression, name) for name in told - came]
    assert not silent, f"changes that the trace does not have: {silent}"
    assert not beyond, f"the trace has dtypes that did not come out: {beyond}"
    assert changes >= {"int8": 150, "uint32": 150}.get(dtype, 3)


@for_each(
    ("expression", "result"),
    [
        ("xp.mean(i)", "float64"), ("xp.var(i)", "float64"), ("xp.std(i)", "float64"), ("xp.median(i)", "float64"),
        ("xp.average(i)", "float64"), ("xp.cov(i)", "float64"), ("xp.linalg.norm(i)", "float64"),
        ("xp.linalg.inv(m)", "float64"), ("xp.linalg.solve(m, i)", "float64"), ("xp.fft.fft(i)", "complex128"),
        ("xp.interp(i, i, i)", "float64"), ("xp.histogram(i)", "float64"), ("special.logsumexp(i)", "float64"),
        ("xp.quantile(i, 0.5)", "float64"), ("xp.clip(i, f, f)", "float64"), ("xp.einsum('i,i', i, f)", "float64"),
        ("xp.where(i > 0, i, f)", "float64"), ("xp.concat([i, f])", "float64"), ("xp.asarray([i, f])", "float64"),
        ("i.mean()", "float64"), ("i / i", "float64"), ("i * 1.5", "float64"), ("xp.sum(b)", "int64"),
    ],
)  # fmt: skip
def test_forbid_sees_every_function(expression, result):
    with config.use(x64="on"):
        names = {
            "xp": xp, "special": special, "i": xp.asarray([2, 1]), "f": xp.asarray([0.5, 1.5]),
            "m": xp.asarray([[2, 1], [1, 2]]), "b": xp.asarray([1, 2], dtype="int8"),
        }  # fmt: skip
        with xp.trace_promotions() as log:
            eval(expression, names)  # noqa: S307 - of the table above
        assert result in {record.result.rstrip("*") for record in log}
        assert {record.line for record in log} == {1}
        assert {record.file for record in log} == {"<string>"}
        with xp.forbid("int16"):
            eval(expression, names)  # noqa: S307 - likewise
        with pytest.raises(xp.TypePromotionError, match=f"promotes to {result}"), xp.forbid(result):
            eval(expression, names)  # noqa: S307 - likewise


def test_what_is_asked_for_is_no_implicit_promotion():
    x = xp.asarray([1, 2], dtype="int8")
    with xp.forbid():
        xp.sum(x, dtype="int32")
        xp.mean(x, dtype="float32")
        xp.astype(x, "float32")
        x.astype("float32")
        xp.asarray(x, dtype="float16")


def test_positions_and_truth_are_no_promotions():
    x = xp.asarray([1, 2], dtype="int8")
    with xp.forbid():
        xp.argmax(x), xp.argsort(x), xp.nonzero(x), xp.count_nonzero(x), x == x, xp.any(x)


def test_a_trace_follows_what_the_system_makes_of_operands():
    x = xp.asarray([1, 2], dtype="int8")
    with promotion.use("numpy"), xp.trace_promotions() as log:
        xp.sin(x)
        xp.mean(x)
        x / x
    assert [(record.operation, record.result) for record in log] == [
        ("divide", "float64"), ("mean", "float64"), ("sin", "float16"),
    ]  # fmt: skip
