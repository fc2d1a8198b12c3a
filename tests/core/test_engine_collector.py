"""Callbacks of the garbage collector change settings and arrays while calls run: see `tests/hostile_collector.py`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from engines import MODULES, engine_or_skip

pytestmark = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(),
    reason="without its lock, Python counts allocations by 512, whatever the threshold: the collector runs in no call",
)
PROGRAM = Path(__file__).parents[1] / "hostile_collector.py"


def run(engine, *arguments):
    engine_or_skip(engine)
    environment = {**os.environ, "SUPREMUM_PURE": "1" if engine == "reference" else "0", "MALLOC_PERTURB_": "165"}
    environment.setdefault("PYTHONMALLOC", "debug")  # fills what is freed, so that its use is noticed
    command = [sys.executable, str(PROGRAM), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-2000:]}"
    return int(done.stdout.split()[-4])


@pytest.mark.parametrize("engine", MODULES)
def test_some_allocations(engine):
    assert run(engine, "short") > 1000


@pytest.mark.slow
@pytest.mark.parametrize("engine", MODULES)
def test_all_allocations(engine):
    assert run(engine, "long") > 100_000
