"""Declare the engine in C (`native/`), which pyproject.toml cannot.

Without a C compiler, the engine is left out and the package runs its specification in Python. `SUPREMUM_NATIVE=1` makes the
build fail instead, for people who build wheels, and `SUPREMUM_NATIVE=0` builds a pure Python package.
"""

import os
import platform
import sys
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import numpy as np
from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

wish = os.environ.get("SUPREMUM_NATIVE", "")
if wish not in ("", "0", "1"):
    raise SystemExit(f"SUPREMUM_NATIVE is 0, 1 or not set, got {wish!r}")
# Results do not depend on the machine: no -march=native, and no multiplication fused with an addition. errno is not read,
# which would keep compilers from vectorising square roots. Integers wrap, and memory may be read as another type than it was
# written as: buffers of bytes hold elements of every type. Python's own flags need not say so.
# A fifth of the time to compile went into symbols for debuggers, which native/sanitize.py has.
unix = [
    "-std=c11", "-O3", "-g0", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-fwrapv", "-fno-strict-aliasing",
    "-pthread",
]  # fmt: skip
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


class Build(build_ext):
    """Compile the files of the engine on all processors at the same time.

    Python's build tools compile the files of an extension one after the other. Threads around their compiler are a few lines,
    which leave everything else to them: compilers and flags of every platform, what is not built without a compiler, and pure
    wheels. Meson, with which NumPy, SciPy and pandas are built, would be a second build system and two more requirements.
    """

    def build_extension(self, ext: Extension) -> None:
        """Build an extension; say who required it where that fails."""
        compile_all = self.compiler.compile
        self.compiler.compile = lambda sources, **options: self._compiled(compile_all, sources, options)
        try:
            super().build_extension(ext)
        except (BaseError, CCompilerError) as error:
            if ext.optional:
                raise
            raise BaseError(f"SUPREMUM_NATIVE=1 requires the engine in C, which was not built: {error}") from error
        finally:
            self.compiler.compile = compile_all

    def _compiled(self, compile_all: Any, sources: list[str], options: dict[str, Any]) -> list[str]:
        """Compile files in parallel, and return the names of what they become, in order."""
        if not getattr(self.compiler, "initialized", True):
            self.compiler.initialize()  # of Microsoft's compiler, once and not by every thread
        available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        with ThreadPoolExecutor(self.parallel or available) as threads:
            # Loops take the longest, and come first, so that no processor waits for the last of them.
            order = sorted(sources, key=lambda path: "loops" not in path)
            tasks = {source: threads.submit(compile_all, [source], **options) for source in order}
            done, rest = wait(tasks.values(), return_when=FIRST_EXCEPTION)
            for task in rest:  # after an error, what has not begun is left out
                task.cancel()
            for task in done:
                task.result()
            return [name for source in sources for name in tasks[source].result()]


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


setup(ext_modules=[] if wish == "0" else [engine], cmdclass={"bdist_wheel": Wheel, "build_ext": Build})
