"""The engine in C lists narrow dtypes in one table, whose rows are all that it needs to know of them."""

import os
import re
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest
from common import for_each

from supremum.promotion._nodes import NODES

ROOT = Path(__file__).parents[1] / "native"
TABLE = ROOT / "types.h"
#: The files that are made of the table.
MADE = ("types.c", "scalars.c", "cast.c", *(f"loops/{name}.c" for name in (
    "narrow", "halves", "halves_arithmetic", "narrow_kernels", "narrow_extremes", "narrow_loops",
)))  # fmt: skip
NARROW = [node.name for node in NODES.values() if not node.native and node.kind in "iuf"]
#: Dtypes that ml_dtypes lacks, as rows of the table: one of each kind of conversion.
ADDED = (
    "X(float8_e2m5, FLOAT8_E2M5, 8, 8, 5, 1, WITH_INFINITY, UPPER_HALF)",
    "X(float8_e6m1, FLOAT8_E6M1, 8, 8, 1, 32, ONE_NAN, ROUNDED)",
    "X(float7_e3m3, FLOAT7_E3M3, 8, 7, 3, 3, NUMBERS, PLAIN_BITS)",
)
COMPILER = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")


@for_each("name", NARROW)
def test_a_narrow_dtype_is_one_line(name):
    rows = [
        (path.name, line)
        for path in sorted(ROOT.rglob("*.[ch]"))
        for line in re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL).splitlines()
        if re.search(rf"X\({name}, {name.upper()}\b|\"{name}\"", line)
    ]
    assert [path for path, _ in rows] == ["types.h"]


@pytest.mark.skipif(
    os.name == "nt" or shutil.which(COMPILER[-1]) is None, reason="compiles tables of the engine with cc or gcc"
)
def test_another_dtype_is_one_line_more(tmp_path):
    shutil.copytree(ROOT, tmp_path / "native")
    text = TABLE.read_text("utf-8")
    first = "    X(float8_e3m4,"
    assert text.count(first) == 1
    rows = "".join(f"    {row} \\\n" for row in ADDED)
    (tmp_path / "native" / "types.h").write_text(text.replace(first, rows + first), "utf-8")
    options = ["-std=c11", "-Wall", "-Werror", "-fsyntax-only", f"-I{np.get_include()}", f"-I{sysconfig.get_path('include')}"]
    files = [str(tmp_path / "native" / name) for name in MADE]
    done = subprocess.run([*COMPILER, *options, *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
