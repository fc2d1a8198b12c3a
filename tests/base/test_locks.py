"""Children of `os.fork` use the package whatever other threads of their parent were doing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from supremum._base.buffers import native

FORKS = Path(__file__).with_name("forks.py")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
HAS_GIL = getattr(sys, "_is_gil_enabled", lambda: True)()
#: Plain Python does the same: children hang in `d[key] = 1` if threads of the parent write to the dict, and in imports.
locked = pytest.mark.skipif(
    not HAS_GIL,
    reason="without its lock, Python 3.13 forks while threads hold locks of dicts and of modules: children wait for them",
)


def run(*arguments):
    """Run the program, whose children end by a signal where they wait for a lock."""
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", str(FORKS), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "0 children failed" in done.stdout


@locked
def test_forks_beside_busy_threads():
    run("25")


@locked
def test_forks_while_modules_are_imported():
    run("8", "again")


@pytest.mark.skipif(native is None, reason="the list is that of the engine in C")
def test_forks_while_loops_are_made():
    run("8" if HAS_GIL else "40", "loops")  # with Python's lock, the list has none of its own


@locked
@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["500"], ["200", "again"]])
def test_many_forks(arguments):
    run(*arguments)
