"""Declare the engine in C (`native/`), which pyproject.toml cannot.

Without a C compiler, the engine is left out and the package runs its specification in Python. `SUPREMUM_NATIVE=1` makes the
build fail instead, for people who build wheels, and `SUPREMUM_NATIVE=0` builds a pure Python package.
"""

import os
import platform
import sys
from pathlib import Path

import numpy as np
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

wish = os.environ.get("SUPREMUM_NATIVE", "")
if wish not in ("", "0", "1"):
    raise SystemExit(f"SUPREMUM_NATIVE is 0, 1 or not set, got {wish!r}")
# Results do not depend on the machine: no -march=native, and no multiplication fused with an addition. Nobody asks for errno,
# which would keep compilers from vectorising square roots.
unix = ["-std=c11", "-O3", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-pthread"]
if platform.machine() == "s390x":  # where GCC computes float32 in double, if it is not kept from it
    unix += ["-fexcess-precision=fast"]
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


class Wheel(bdist_wheel):
    """A wheel for any platform, if the engine in C was not built."""

    def run(self) -> None:
        """Build the engine first, to know what the wheel is for."""
        self.run_command("build_ext")
        built = self.get_finalized_command("build_ext").get_outputs()
        if not any(Path(path).exists() for path in built):
            sys.stderr.write("supremum: without a C compiler, the engine in Python is installed, which is slower\n")
            self.distribution.ext_modules = None
            self.root_is_pure = True
        super().run()


setup(ext_modules=[] if wish == "0" else [engine], cmdclass={"bdist_wheel": Wheel})
