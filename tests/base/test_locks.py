"""Children of `os.fork` use the package whatever other threads of their parent were doing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FORKS = Path(__file__).with_name("forks.py")

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


def run(*arguments):
    """Run the program, whose children end by a signal where they wait for a lock."""
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", str(FORKS), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert "0 children failed" in done.stdout


def test_forks_beside_busy_threads():
    run("25")


def test_forks_while_modules_are_imported():
    run("8", "again")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["500"], ["200", "again"]])
def test_many_forks(arguments):
    run(*arguments)
