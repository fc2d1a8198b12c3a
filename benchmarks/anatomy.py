"""Count the instructions of one addition of two arrays of four float32, for RESULTS.md.

valgrind counts the same instructions on every run, and attributes each one to a library and a function.

    python benchmarks/anatomy.py            # print the tables
    python benchmarks/anatomy.py --write    # also write the first to RESULTS.md
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from page import put

import supremum as xp

ROUNDS = 20_000
#: The number of functions in a table.
MOST = 16
PYTHON, NUMPY, ENGINE = "Python and the C library", "NumPy", "supremum's engine"
#: The names of libraries in the tables, by a part of their file names.
LIBRARIES = {"_multiarray_umath": NUMPY, "supremum/_native.": ENGINE}
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

#: Counts of instructions by library and function.
Costs = Counter[tuple[str, str]]


def instructions(*, ours: bool) -> Costs:
    """Count the instructions of one addition."""
    counts: Costs = Counter()
    for count, sign in ((ROUNDS, 1), (0, -1)):
        with tempfile.TemporaryDirectory() as folder:
            profile = Path(folder, "profile")
            program = PROGRAM.format(ours=ours, count=count)
            tool = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"]
            quiet = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
            subprocess.run([*tool, sys.executable, "-c", program], check=True, capture_output=True, env=quiet)
            for place, cost in read(profile.read_text()).items():
                counts[place] += sign * cost
    return Counter({place: round(cost / ROUNDS) for place, cost in counts.items() if round(cost / ROUNDS)})


def read(profile: str) -> Costs:
    """Sum the costs in a callgrind profile by library and function."""
    counts: Costs = Counter()
    names: dict[str, str] = {}  # callgrind writes a name in full where it first occurs, and its number after that
    library = function = ""
    inside = False
    for line in profile.splitlines():
        if match := re.match(r"(c?ob|c?fn)=(\(\d+\))(?: (.*))?", line):
            kind, number, name = match.groups()
            name = names.setdefault(kind[-2:] + number, name or "")
            if kind == "ob":
                library = next((what for part, what in LIBRARIES.items() if part in name), PYTHON)
            elif kind == "fn":
                function = re.sub(r"'\d+$|\.(?:constprop|isra|part)\.\d+|\.cold", "", name)
        elif line.startswith("calls="):
            inside = True  # the next line is the inclusive cost of the call; the costs inside it are counted where they arise
        elif re.match(r"[+\-*\d]", line):
            if not inside:
                counts[library, function] += int(line.split()[1])
            inside = False
    return counts


def tables() -> list[str]:
    """Count instructions and return three tables: by library, by function for ours, and by function for NumPy's."""
    theirs, ours = instructions(ours=False), instructions(ours=True)
    total, whole = sum(theirs.values()), sum(ours.values())

    def by_library(costs: Costs, library: str) -> int:
        return sum(cost for (place, _), cost in costs.items() if place == library)

    def by_function(heading: str, costs: Costs) -> list[str]:
        rows = [f"| `{function}` | {library} | {cost} |" for (library, function), cost in costs.most_common(MOST)]
        return ["", f"| {heading}, by function | library | instructions |", "|---|---|---|", *rows]

    return [
        "| where | NumPy's `a + b` | ours | the difference, of NumPy's whole |",
        "|---|---|---|---|",
        *(
            f"| {where} | {(n := by_library(theirs, where))} | {(o := by_library(ours, where))} | {(o - n) / total:+.2f} |"
            for where in (NUMPY, PYTHON, ENGINE)
        ),
        f"| **all** | {total} | {whole} | {whole / total - 1:+.2f} |",
        *by_function("ours", ours),
        *by_function("NumPy's", theirs),
    ]


def main() -> None:
    """Measure, print the tables, and write them to the page with --write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put the first table into RESULTS.md")
    write = parser.parse_args().write
    if not shutil.which("valgrind"):
        sys.exit("anatomy: valgrind is not installed")
    if xp.__engine__ != "native":
        sys.exit("anatomy: the native engine is not installed, or SUPREMUM_PURE is set")
    lines = tables()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}\n", *lines, sep="\n")
    if write:
        put("anatomy", lines[: lines.index("")])


if __name__ == "__main__":
    main()
