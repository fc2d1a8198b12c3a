"""Another thread writes to the operands of functions: results may be of any moment, but memory stays whole."""

import subprocess
import sys
from pathlib import Path

import pytest

WRITERS = Path(__file__).with_name("writers.py")


def run(seconds):
    done = subprocess.run([sys.executable, str(WRITERS), str(seconds)], capture_output=True, text=True, check=False)
    last = done.stdout.rpartition("\n")
    assert done.returncode == 0, f"status {done.returncode} in {last[2] or last[0]}\n{done.stderr[-3000:]}"
    assert "calls: " in done.stdout


def test_writers():
    run(0.0)


@pytest.mark.slow
def test_writers_for_long():
    run(2.0)
