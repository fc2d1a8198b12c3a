"""Operators that compute into temporary operands: what they save, and the operands that they must leave alone."""

import functools
import itertools
import operator
import platform
import sys
import sysconfig
import tracemalloc
import weakref

import numpy as np
import pytest
from engines import LOOPS

import supremum as xp
from supremum._base.native import native

LENGTH = 1 << 20  # float32 numbers: 4 MiB, from which temporaries are used
BYTES = 4 * LENGTH
without_gil = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
knows = sys.version_info >= (3, 14) or ((platform.libc_ver()[0] == "glibc" or sys.platform == "darwin") and not without_gil)
#: Expressions of arrays a, b and c, of which each needs memory for one array.
EXPRESSIONS = [
    lambda a, b, c: a * b + c,
    lambda a, b, c: c + a * b,
    lambda a, b, c: c - a * b,
    lambda a, b, c: a * 2 + 1,
    lambda a, b, c: 1 - a * 2,
    lambda a, b, c: -1 / (a + 2),
    lambda a, b, c: (a + b) * (b - c) / 2 - a,
]

DTYPES = ["float32", "float64", "float16", "bfloat16", "float8_e4m3fn", "int32", "uint8", "complex64"]
#: Functions of Python's, which do not compute into an operand.
OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv, "%": operator.mod,
    "**": operator.pow,
}  # fmt: skip


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(0)
    return {name: xp.asarray(rng.random(LENGTH, np.float32)) for name in "abc"}


def peak(function):
    """Return the most bytes that a call had at a time, of those that tracemalloc sees."""
    function()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = function()
        return tracemalloc.get_traced_memory()[1] - before, result
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_values(arrays, expression):
    plain = {name: np.asarray(x).copy() for name, x in arrays.items()}
    found, wanted = expression(**arrays), expression(**plain)
    assert found.dtype == xp.float32
    np.testing.assert_array_equal(np.asarray(found), wanted)
    for name, x in arrays.items():
        np.testing.assert_array_equal(np.asarray(x), plain[name])


@pytest.mark.skipif(native is None or not LOOPS, reason="without the engine's loops, NumPy makes results")
@pytest.mark.skipif(not knows, reason="this Python does not tell temporaries from other operands")
@pytest.mark.parametrize("expression", EXPRESSIONS[:-1])
def test_memory(arrays, expression):
    most, result = peak(lambda: expression(**arrays))
    assert result.nbytes == BYTES
    assert most < 1.1 * BYTES


def test_other_dtypes_and_shapes(arrays):
    a, b = arrays["a"], arrays["b"]
    plain_a, plain_b = np.asarray(a), np.asarray(b)
    counted = (a > 0.5) + b
    np.testing.assert_array_equal(np.asarray(counted), (plain_a > 0.5) + plain_b)
    np.testing.assert_array_equal(np.asarray((a * b) > 0.25), (plain_a * plain_b) > np.float32(0.25))
    table = (a * b).reshape(1024, 1024) + b[:1024]
    np.testing.assert_array_equal(np.asarray(table), (plain_a * plain_b).reshape(1024, 1024) + plain_b[:1024])
    turned = (a.reshape(1024, 1024) * 2).T * 3 + 1
    np.testing.assert_array_equal(np.asarray(turned), (plain_a.reshape(1024, 1024) * 2).T * 3 + 1)
    weak = xp.asarray(plain_a) * 1 + 1j
    np.testing.assert_array_equal(np.asarray(weak), plain_a + np.complex64(1j))


@pytest.mark.parametrize("dtype", DTYPES)
def test_loops_write_where_they_read(dtype):
    """Each operator gives the same where its result takes the memory of its first or its second operand."""
    size = BYTES // np.dtype(dtype).itemsize
    numbers = np.random.default_rng(1).integers(0, 20, size) / (1 if "int" in dtype else 4)
    a, b = xp.asarray(numbers).astype(dtype), xp.asarray(np.roll(numbers, 3)).astype(dtype)
    for symbol, operate in OPERATORS.items():
        if dtype == "complex64" and symbol in ("//", "%"):
            continue
        results = {"a.copy() S b": operate(a, b), "a S b.copy()": operate(a, b), "3 S b.copy()": operate(3, b)}
        for form, wanted in results.items():
            found = eval(form.replace("S", symbol), {"a": a, "b": b})  # noqa: S307 - of the line above
            assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes(), (symbol, form)


# -- operands that somebody holds without another reference -------------------------------------------------------------------


def test_method_of_an_array(arrays):
    add = (arrays["a"] * arrays["b"]).__add__
    first, second = add(arrays["c"]), add(arrays["c"])
    np.testing.assert_array_equal(np.asarray(first), np.asarray(second))


def test_elements_of_object_arrays(arrays):
    holder, other = np.empty(1, object), np.empty(1, object)
    holder[0], other[0] = arrays["a"] * arrays["b"], arrays["c"]
    wanted = np.asarray(arrays["a"]) * np.asarray(arrays["b"])
    for _ in range(2):
        total = holder + other
        np.testing.assert_array_equal(np.asarray(holder[0]), wanted)
        np.testing.assert_array_equal(np.asarray(total[0]), wanted + np.asarray(arrays["c"]))


def test_functions_of_python(arrays):
    a, b, c = arrays.values()
    wanted = np.asarray(a) * np.asarray(b)
    made = [a * b, a * b]
    results = [*map(operator.add, made, [c, c]), functools.reduce(operator.add, made), sum(made)]
    for result, other in zip(results, [c, c, made[0], made[0]], strict=True):
        np.testing.assert_array_equal(np.asarray(result), wanted + np.asarray(other))
    np.testing.assert_array_equal(np.asarray(made[0]), wanted)
    steps = list(itertools.accumulate(a * b for _ in range(3)))
    np.testing.assert_array_equal(np.asarray(steps[0]), wanted)
    np.testing.assert_array_equal(np.asarray(steps[1]), wanted + wanted)


@pytest.mark.parametrize(
    "view", [np.asarray, lambda x: memoryview(np.asarray(x)), np.from_dlpack, lambda x: x[::2], lambda x: x.reshape(-1, 2)],
    ids=["asarray", "memoryview", "dlpack", "slice", "reshape"],
)  # fmt: skip
def test_views_of_a_temporary(arrays, view):
    kept = []

    def keep(x):
        kept.append(view(x))
        return x

    result = keep(arrays["a"] * arrays["b"]) + arrays["c"]
    wanted = np.asarray(arrays["a"]) * np.asarray(arrays["b"])
    plain = np.asarray(kept[0]).reshape(-1)
    np.testing.assert_array_equal(plain, wanted if plain.size == LENGTH else wanted[::2])
    np.testing.assert_array_equal(np.asarray(result), wanted + np.asarray(arrays["c"]))


def test_weak_references(arrays):
    seen = []

    def watch(x):
        seen.append(weakref.ref(x))
        return x

    result = watch(arrays["a"] * arrays["b"]) + arrays["c"]
    assert seen[0]() is None
    wanted = np.asarray(arrays["a"]) * np.asarray(arrays["b"]) + np.asarray(arrays["c"])
    np.testing.assert_array_equal(np.asarray(result), wanted)


def test_operand_that_a_generator_keeps(arrays):
    def running():
        total = arrays["a"] * arrays["b"]
        while True:
            yield total

    totals = running()
    first = next(totals) + arrays["c"]
    second = next(totals) + arrays["c"]
    np.testing.assert_array_equal(np.asarray(first), np.asarray(second))
