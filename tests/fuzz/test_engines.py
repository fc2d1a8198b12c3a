"""The two engines beside each other: the same generated calls have the same results, errors and warnings, and change the same.

One case is one call of a function, method, operator, index, update or conversion with arrays of any dtype, layout, byte order
and unused bits, under any promotion system and mode (`engine_calls`). Compared are dtypes, weak types, shapes and bytes of
results, classes and texts of errors and warnings, the arguments after the call, and which results share their memory.
"""

import importlib.util
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import arrays
import numpy as np
import pytest

from supremum._kernels import special

PROGRAM = Path(__file__).with_name("engine_calls.py")
#: Calls in the plain run, and the most of one process.
CALLS, PART = 3_000, 25_000
#: Calls that a failure shows.
SHOWN = 5
#: Functions that compute by loops in C, or by the formulas that specify them, which differ by a few roundings: see
#: `tests/kernels/test_special.py`.
ROUNDED = {*special.DEFINITIONS, "lgamma", "loggamma"}
#: The values of SUPREMUM_PURE for the engine in C and for its specification.
ENGINES = ("0", "1")


def run(*options):
    """Run the program on both engines at once, and return what each printed."""

    def one(pure):
        environment = {**os.environ, "SUPREMUM_PURE": pure, "PYTHONHASHSEED": "0"}
        command = [sys.executable, "-W", "ignore", PROGRAM, *map(str, options)]
        done = subprocess.run(command, env=environment, cwd=PROGRAM.parent, capture_output=True, text=True, check=False)
        last = done.stdout.splitlines()[-1:]
        assert done.returncode == 0, f"the process with SUPREMUM_PURE={pure} ended in call {last}: {done.stderr[-2000:]}"
        return done.stdout

    with ThreadPoolExecutor(2) as pool:
        return [*pool.map(one, ENGINES)]


def difference(one, other):
    """Return what differs between two descriptions of a call and what came of it; None if there is a reason for it."""
    (call, came), (other_call, other_came) = one, other
    if call != other_call:
        return "the processes made different calls"
    ends = {came["came"][0], other_came["came"][0]}
    if "hangs" in ends or any(each["came"][1:2] == ["MemoryError"] for each in (came, other_came)):
        return None  # the limits of time and memory depend on how the engine computes
    rounded = call[0].rpartition(".")[2] in ROUNDED
    wrong = [name for name in came if not equal(came[name], other_came[name], rounded)]
    return (
        None
        if not wrong
        else f"{wrong}: " + " is not ".join(str([each[name] for name in wrong])[:400] for each in (came, other_came))
    )


def equal(one, other, rounded=False):
    """Whether two descriptions are equal, up to the rounding of complex products, which NumPy's loops fuse in some layouts.

    Other inexact numbers may differ as much if they are `rounded`.
    """
    if one == other:
        return True
    if not (isinstance(one, list) and isinstance(other, list) and len(one) == len(other)):
        return False
    inexact = one[:1] == ["Array"] and (one[1] in arrays.PARTS or (rounded and arrays.NODES[one[1]].kind == "f"))
    if inexact and one[1:4] == other[1:4] and one[5:] == other[5:]:
        return near(*(np.frombuffer(bytes.fromhex(each[4]), arrays.dtype_of(one[1])) for each in (one, other)))
    return all(equal(each, other_each, rounded) for each, other_each in zip(one, other, strict=True))


def near(x, y):
    """Whether numbers are equal up to some units in the last place of the largest."""
    eps = float(arrays.xp.finfo(arrays.PARTS.get(x.dtype.name, x.dtype)).eps)
    x, y = (
        arrays.cast(arrays.cast(each, np.complex64) if each.dtype.itemsize < 8 else each, np.complex128) for each in (x, y)
    )
    with np.errstate(all="ignore"):
        sizes = np.abs(x)
        finite = np.isfinite(sizes)
        close = np.abs(x - y)[finite] <= 16 * eps * sizes[finite].max(initial=0)
        return bool(close.all() and np.array_equal(finite, np.isfinite(np.abs(y))))


@pytest.mark.skipif(importlib.util.find_spec("supremum._native") is None, reason="the engine in C is not compiled")
def test_the_engines_agree(budget, seed, count):
    total, wrong = CALLS * budget, []
    for first in range(0, total, PART):
        number = min(PART, total - first)
        lines = [text.splitlines() for text in run("--seed", seed, "--first", first, "--count", number)]
        assert [len(each) for each in lines] == [number, number]
        suspects = [one.partition(" ")[0] for one, other in zip(*lines, strict=True) if one != other]
        if suspects:
            full = [map(json.loads, text.splitlines()) for text in run("--seed", seed, "--full", *suspects)]
            for (which, *one), (_, *other) in zip(*full, strict=True):
                problem = difference(one, other)
                if problem is not None:
                    wrong.append(f"call {which}, {str(one[0])[:600]}\n    {problem}")
        count("calls on both engines", number)
    assert not wrong, f"{len(wrong)} of {total} calls differ, among them\n" + "\n".join(wrong[:SHOWN])


def test_differences_are_seen():
    def of(**came):
        return [["add"], {"came": ["result", ["Array", "float32", False, [1], "0000803f", "00"]], "warnings": [], **came}]

    assert difference(of(), of()) is None
    for name, value in {
        "came": ["result", ["Array", "float32", False, [1], "0100803f", "00"]],
        "warnings": [["UserWarning", "text"]],
    }.items():
        assert difference(of(), of(**{name: value})).startswith(f"['{name}']")
    assert difference(of(), of(came=["hangs"])) is None
    assert difference(of(), of(came=["error", "ValueError", "text"])) is not None
    assert difference([["add"], {}], [["subtract"], {}]) is not None


def test_complex_numbers_may_be_rounded_in_two_ways():
    x = np.array([1 + 2j, 1e-3j], np.complex64)
    described = [["Array", "complex64", False, [2], each.tobytes().hex(), "00000000"] for each in (x, x + 1e-7, x + 1e-5, -x)]
    assert [equal(described[0], each) for each in described] == [True, True, False, False]
    nan = [*described[1][:5], "01000000"]
    assert not equal(described[0], nan)


def test_functions_with_two_definitions_may_round_in_two_ways():
    x = np.array([1.5, -1e-3], np.float32)
    described = [["Array", "float32", False, [2], each.tobytes().hex(), "0000"] for each in (x, x + 1e-7, x + 1e-5, -x)]
    for name, seen in (("supremum.scipy.special.gammaln", [False, False, True, True]), ("sin", [False, True, True, True])):
        assert [
            difference([[name], {"came": described[0]}], [[name], {"came": each}]) is not None for each in described
        ] == seen
