"""Examples that need clients, run with little data."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name, client", [("dask_out_of_memory", "dask"), ("cubed_backend", "cubed")])
def test_example(name, client):
    if importlib.util.find_spec(client) is None:
        pytest.skip(f"{client} is not installed")
    pytest.importorskip("resource", reason="the examples limit their memory, which needs Unix")
    run = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", "--gigabytes", "0.07", "--limit", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    assert "Array" in run.stdout
