"""Build the package: its hot core compiled by mypyc where that can be done, the same source interpreted where it cannot.

`pip install` calls this as its build backend, which is setuptools' with two additions: it asks for mypyc only where something
may come of it, and it goes on without the compiled core where building that fails. The environment variable SUPREMUM_COMPILE
forces either: 1 makes the build fail where the core cannot be compiled, 0 leaves the compiler alone.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - a backend is all of setuptools' hooks and those below
from setuptools.command.build_ext import build_ext

#: The modules of the core, below src/supremum: nodes, plans, `Array` with its operators, and the functions people call most.
CORE = [
    "promotion/_nodes", "_dispatch", "_protocols", "_methods", "_array", "_arguments", "_conversion", "_indexing",
    "elementwise/_calls", "elementwise/_operands", "elementwise/arithmetic", "elementwise/comparison",
    "elementwise/exponential", "elementwise/trigonometry", "linear_algebra", "manipulation/joining", "manipulation/shapes",
    "searching",
]  # fmt: skip
MYPYC = "mypy[mypyc]~=2.4"
#: The commands of setup.py that make what is installed.
_BUILDING = {"bdist_wheel", "build", "build_ext", "editable_wheel", "install"}

_wish = os.environ.get("SUPREMUM_COMPILE", "")
if _wish not in ("", "0", "1"):
    raise SystemExit(f"SUPREMUM_COMPILE is 0, 1 or not set, got {_wish!r}")
FORCED = _wish == "1"


def may_compile() -> bool:
    """Say whether trying has a point."""
    if _wish:
        return FORCED
    if platform.python_implementation() != "CPython" or sys.platform in ("emscripten", "wasi"):
        return False
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    # Microsoft's compiler is found by setuptools, not on the PATH.
    return sys.platform == "win32" or shutil.which(str(compiler).split()[0]) is not None


def say(what: str) -> None:
    """Tell who builds with `pip install -v`."""
    print(f"supremum: {what}", file=sys.stderr, flush=True)  # noqa: T201 - a build tells what it does


def extensions() -> list[object]:
    """Give what is to be compiled: nothing where it cannot be, or where setup.py is run for the metadata alone."""
    if not _BUILDING.intersection(sys.argv):
        return []
    if not may_compile():
        say("without the compiled core" + (", as SUPREMUM_COMPILE asks" if _wish else ": no C compiler"))
        return []
    try:
        from mypyc.build import mypycify

        sources = [f"src/supremum/{module}.py" for module in CORE]
        options = ["--config-file=build_core.ini"]
        return list(mypycify([*options, *sources], group_name="supremum", opt_level="3", debug_level="0"))
    except (Exception, SystemExit) as error:  # mypyc exits where it finds fault with the source or the machine
        if FORCED:
            raise
        say(f"without the compiled core: {error!r}")
        return []


class build_core(build_ext):
    """Compile the core, or leave no trace of having tried."""

    def run(self) -> None:
        """Compile."""
        if self.editable_mode and not FORCED:
            self.extensions = []
        try:
            super().run()
        except Exception as error:  # whatever a compiler or its absence may raise
            if FORCED:
                raise
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions = []
            say(f"without the compiled core: {error}")
        else:
            if self.extensions:
                say("with the compiled core")


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """Give what building a wheel needs."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *([MYPYC] if may_compile() else [])]


def get_requires_for_build_editable(config_settings: dict[str, object] | None = None) -> list[str]:
    """Give what an editable install needs: it is for changing the source, so it is interpreted unless SUPREMUM_COMPILE=1."""
    return [*build_meta.get_requires_for_build_editable(config_settings), *([MYPYC] if FORCED else [])]
