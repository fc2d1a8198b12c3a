"""Where the time of `a + b` goes, for two arrays of four float32: writes ANATOMY.md.

The interpreted operator is cut off after each of its steps: its own source, with a `return` put in, so that what is timed
cannot drift from what runs. The compiled one cannot be cut; its instructions are counted by valgrind, which gives the same
count on every run, and are attributed to the library they belong to.

    python benchmarks/anatomy.py            # print what can be measured here
    python benchmarks/anatomy.py --write    # and write it into ANATOMY.md
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from timing import race, timer

import supremum as xp
from supremum._core import interpreted as _interpreted

PAGE = Path(__file__).with_name("ANATOMY.md")
ROUNDS = 20_000
#: What each library in a callgrind profile is to the reader.
OBJECTS = {"_multiarray_umath": "NumPy", "supremum__mypyc": "supremum's compiled core"}
STEPS = [
    "Python finds and calls `Array.__add__`",
    "`type(other) is Array`",
    "the result's node: two lists by two nodes",
    "whether there is one, so that NumPy's own function is all there is to do",
    "a new `Array`",
    "its buffer: NumPy adds the two",
    "its node",
]


def cut(steps: int) -> types.FunctionType:
    """Return `Array.__add__` with a return after some of its statements."""
    tree = ast.parse(inspect.getsource(_interpreted._of_two))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    places = list(_places(function.body))
    body, position = places[steps]
    body.insert(position, ast.parse("def f():\n return self").body[0].body[0])  # type: ignore[attr-defined]  # a function has a body
    names: dict[str, Any] = {}
    operator: Any = xp.Array.__add__
    exec(compile(ast.fix_missing_locations(tree), "<cut>", "exec"), operator.__globals__, names)  # noqa: S102 - our own source
    made: types.FunctionType = names["_of_two"]
    return made


def _places(body: list[ast.stmt]) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield where the steps of the operator end, in the order in which they run."""
    yield body, 0
    outer = body[0]
    assert isinstance(outer, ast.If)
    yield outer.body, 0
    yield outer.body, 1
    inner = outer.body[1]
    assert isinstance(inner, ast.If)
    yield inner.body, 0
    attempt = inner.body[0]
    assert isinstance(attempt, ast.Try)
    for position in range(1, len(attempt.body)):
        yield attempt.body, position


def interpreted() -> list[str]:
    """Time the steps and give the rows of their table."""
    a, b = (np.arange(4, dtype=np.float32) for _ in range(2))
    timers = {"numpy": timer("a + b", {"a": a, "b": b})}
    for steps in range(len(STEPS) - 1):
        # An Array of another class would fail the operator's own test, so that the method itself is what changes.
        kind = type("Array", (xp.Array,), {"__slots__": (), "__add__": cut(steps)})
        names = {"a": _as(kind, a), "b": xp.asarray(b)}
        timers[str(steps)] = timer("a + b", names)
    timers["whole"] = timer("a + b", {"a": xp.asarray(a), "b": xp.asarray(b)})
    best = race(timers, 1.0)
    own = best["numpy"]
    rows = ["| step | of NumPy's time | so far |", "|---|---|---|"]
    before = 0.0
    for what, key in zip(STEPS, [*map(str, range(len(STEPS) - 1)), "whole"], strict=True):
        rows.append(f"| {what} | {(best[key] - before) / own:.2f} | {best[key] / own:.2f} |")
        before = best[key]
    return rows


def _as(kind: type, data: np.ndarray[Any, Any]) -> Any:
    """Make an array of a subclass."""
    made: Any = object.__new__(kind)
    made._data, made._node = data, xp.asarray(data)._node
    return made


PROGRAM = """
import numpy as np, supremum as xp
a, b = np.arange(4, dtype=np.float32), np.arange(4, dtype=np.float32)
if {ours}:
    a, b = xp.asarray(a), xp.asarray(b)
def run(count):
    for _ in range(count):
        a + b
run(100 + {count})
"""


def instructions(*, ours: bool) -> Counter[str]:
    """Count the instructions of one addition, by library."""
    counts = Counter[str]()
    for count, sign in ((ROUNDS, 1), (0, -1)):
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder, "profile")
            program = PROGRAM.format(ours=ours, count=count)
            tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
            quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
            subprocess.run([*tool, sys.executable, "-c", program], check=True, capture_output=True, env=quiet)
            for where, cost in _by_object(profile.read_text()).items():
                counts[where] += sign * cost
    return Counter({where: round(cost / ROUNDS) for where, cost in counts.items()})


def _by_object(profile: str) -> Counter[str]:
    """Add up the costs of a callgrind profile by the object file they arise in."""
    counts, names, current, skip = Counter[str](), dict[str, str](), "", False
    for line in profile.splitlines():
        if match := re.match(r"ob=(\(\d+\))(?: (.*))?", line):
            name = names.setdefault(match[1], match[2] or "")
            current = next((library for part, library in OBJECTS.items() if part in name), "Python and the C library")
        elif match := re.match(r"cob=(\(\d+\)) (.*)", line):
            names.setdefault(match[1], match[2])
        elif line.startswith("calls="):
            skip = True  # the next line is the cost inside the call, which is counted where it arises
        elif re.match(r"[+\-*\d]", line):
            if not skip:
                counts[current] += int(line.split()[1])
            skip = False
    return counts


def compiled() -> list[str]:
    """Count instructions and give the rows of their table."""
    numpy, ours = instructions(ours=False), instructions(ours=True)
    total = sum(numpy.values())
    whole = sum(ours.values())
    return [
        "| where | NumPy's `a + b` | ours | the difference, of NumPy's whole |",
        "|---|---|---|---|",
        *(
            f"| {where} | {numpy[where]} | {ours[where]} | {(ours[where] - numpy[where]) / total:+.2f} |"
            for where in ("NumPy", "Python and the C library", "supremum's compiled core")
        ),
        f"| **all** | {total} | {whole} | {whole / total - 1:+.2f} |",
    ]


def main() -> None:
    """Measure and print, and write if asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put the table into ANATOMY.md")
    write = parser.parse_args().write
    mode = "compiled" if xp.__compiled__ else "interpreted"
    if xp.__compiled__ and not shutil.which("valgrind"):
        sys.exit("the compiled operator is measured with valgrind, which is not here")
    table = "\n".join(compiled() if xp.__compiled__ else interpreted())
    print(f"{mode}, Python {sys.version.split()[0]}, NumPy {np.__version__}\n\n{table}")
    if write:
        start, end = f"<!-- {mode} -->\n", f"<!-- end of {mode} -->"
        head, rest = PAGE.read_text().split(start)
        PAGE.write_text(f"{head}{start}\n{table}\n\n{end}{rest.split(end)[1]}")


if __name__ == "__main__":
    main()
