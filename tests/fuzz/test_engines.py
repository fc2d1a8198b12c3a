"""The two engines beside each other: the same generated calls have the same results, errors and warnings, and change the same.

One case is one call of a function, method, operator, index, update or conversion with arrays of any dtype, layout, byte order
and unused bits, under any promotion system and mode (`engine_calls`). Compared are dtypes, weak types, shapes and bytes of
results, classes and texts of errors and warnings, the arguments after the call, and which results share their memory.
"""

import importlib.util
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import arrays
import numpy as np
import pytest

PROGRAM = Path(__file__).with_name("engine_calls.py")
#: Calls in the plain run, and the most of one process.
CALLS, PART = 3_000, 25_000
#: Calls that a failure shows.
SHOWN = 5
#: The values of SUPREMUM_PURE for the engine in C and for its specification.
ENGINES = ("0", "1")

#: Why numbers may be rounded in two ways: of which dtypes, in calls of which labels, and by how many units in the last place
#: of the largest number (of 1, where all real ones are smaller). Each is a line of conformance/deviations.md.
REASONS = [
    ("complex", r"", 16),  # NumPy's loops fuse products of complex numbers in some layouts
    ("float", r"(^|\.)(angle|arctan2|atan2)$", 2),  # NumPy's loops of arctan2 round contiguous and strided parts differently
    ("float", r"(^|\.)(fmax|fmin)$", 0.5),  # NumPy's loops return either of two zeros, by position and layout
    # The loops of special functions call C's lgamma and log, the definitions Python's and NumPy's.
    ("float", r"scipy\.(special|stats)\.|\blax\.(lgamma|digamma|polygamma|igamma|random_gamma_grad)", 1000),
]


def run(*options):
    """Run the program on both engines at once, and return what each printed."""

    def one(pure):
        paths = os.pathsep.join([str(PROGRAM.parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "SUPREMUM_PURE": pure, "PYTHONHASHSEED": "0", "PYTHONPATH": paths}
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
    reasons = [(kind, units) for kind, label, units in REASONS if re.search(label, str(call[0]))]
    wrong = [name for name in came if not equal(came[name], other_came[name], reasons)]
    return (
        None
        if not wrong
        else f"{wrong}: " + " is not ".join(str([each[name] for name in wrong])[:400] for each in (came, other_came))
    )


def equal(one, other, reasons):
    """Whether two descriptions are equal, up to the rounding of numbers for which there is a reason."""
    if one == other:
        return True
    if not (isinstance(one, list) and isinstance(other, list) and len(one) == len(other)):
        return False
    if one[:1] == ["Array"] and one[1:4] == other[1:4] and one[5:] == other[5:]:
        units = max([units for kind, units in reasons if kind in one[1]], default=0)
        return units > 0 and near(*(np.frombuffer(bytes.fromhex(x[4]), arrays.dtype_of(one[1])) for x in (one, other)), units)
    return all(equal(*each, reasons) for each in zip(one, other, strict=True))


def near(x, y, units):
    """Whether numbers are equal up to some units in the last place of the largest."""
    complex_ = x.dtype.name in arrays.PARTS
    eps = float(arrays.xp.finfo(arrays.PARTS[x.dtype.name] if complex_ else x.dtype).eps)
    wide = np.dtype(np.complex128 if complex_ else np.float64)
    with np.errstate(all="ignore"):
        if complex_ and x.itemsize < 8:
            x, y = (arrays.cast(each, np.complex64) for each in (x, y))
        x, y = (arrays.cast(each, wide) for each in (x, y))
        sizes = np.abs(x)
        finite = np.isfinite(sizes)
        close = np.abs(x - y)[finite] <= units * eps * sizes[finite].max(initial=0 if complex_ else 1)
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


def described(x, *, weak=False):
    return ["Array", str(x.dtype), weak, [*x.shape], x.tobytes().hex(), "00" * x.size]


def test_numbers_may_be_rounded_in_two_ways_for_a_reason():
    def agree(label, x, y):
        one, other = ([[label], {"came": ["result", described(each)]}] for each in (x, y))
        return difference(one, other) is None

    x = np.array([1 + 2j, 1e-3j], np.complex64)
    assert [agree("exp", x, each) for each in (x, x + 1e-7, x + 1e-5, -x)] == [True, True, False, False]
    y = np.array([3.0, 1e-3, np.inf])
    for label, near_ones in (("exp", False), ("scipy.special.gammaln", True), ("supremum.jax.lax.lgamma", True)):
        given = (y, y + 1e-14, y + 1e-6, -y)
        assert [agree(label, y, each) for each in given] == [True, near_ones, False, False]
    one, other = described(y), described(y)
    other[-1] = "010000"
    assert not equal(one, other, [("float", 1000)])
