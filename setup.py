"""Declare the engine in C (`native/`), which pyproject.toml cannot.

Without a C compiler, the engine is left out and the package runs its specification in Python. `SUPREMUM_NATIVE=1` makes the
build fail instead, for people who build wheels, and `SUPREMUM_NATIVE=0` builds a pure Python package.
"""

import os
import sys
from pathlib import Path

import numpy as np
from setuptools import Extension, setup

wish = os.environ.get("SUPREMUM_NATIVE", "")
if wish not in ("", "0", "1"):
    raise SystemExit(f"SUPREMUM_NATIVE is 0, 1 or not set, got {wish!r}")
# Results do not depend on the machine: no -march=native, and no multiplication fused with an addition. Nobody asks for errno,
# which would keep compilers from vectorising square roots.
unix = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
engine = Extension(
    "supremum._native",
    sources=sorted(path.as_posix() for path in Path("native").rglob("*.c")),
    depends=sorted(path.as_posix() for path in Path("native").rglob("*.h")),
    include_dirs=[np.get_include()],
    extra_compile_args=["/std:c11", "/O2"] if sys.platform == "win32" else unix,
    extra_link_args=[] if sys.platform == "win32" else ["-pthread"],
    libraries=[] if sys.platform == "win32" else ["m"],
    optional=wish != "1",
)
setup(ext_modules=[] if wish == "0" else [engine])
