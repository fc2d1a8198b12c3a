"""Types in users' checkers: `examples/typed.py` in mypy's strict mode, and mistakes that mypy must find."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import supremum

ROOT = Path(__file__).parents[1]
PACKAGE = Path(supremum.__file__).parent
#: Lines that a checker must refuse, with the code of mypy's error.
WRONG = {
    "xp.sin()": "call-arg",
    "xp.nonsense": "attr-defined",
    "x.nonsense": "attr-defined",
    "x.shape.nonsense": "attr-defined",
    "xp.reshape(x)": "call-arg",
    "xp.linalg.nonsense": "attr-defined",
    "xp.vmap(abs)": "attr-defined",
    "y: str = x + 1": "assignment",
    "z: int = x.sum()": "assignment",
}
#: Calls whose type must not be Any, because a checker refuses a function that returns Any.
ARRAYS = (
    "xp.add(x, 1)", "xp.negative(x)", "xp.where(x > 0, x, 0)", "xp.linspace(0, 1, 3)", "xp.average(x)", "xp.linalg.svd(x).S",
    "xp.linalg.qr(x).R", "x[0]", "x.at[0].set(1)", "2 * x", "xp.random.normal(xp.random.key(0))", "xp.nn.relu(x)",
)  # fmt: skip


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """Run mypy with its defaults and --strict, as a user of the installed package does."""
    pytest.importorskip("mypy", reason="mypy (the extra 'dev') is not installed")
    cache = tmp_path_factory.mktemp("mypy")
    # mypy finds an installed package by its interpreter; a folder of sources must be named.
    environment = dict(os.environ) if "site-packages" in PACKAGE.parts else {**os.environ, "MYPYPATH": str(PACKAGE.parent)}

    def check(program):
        command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-error-summary"]
        run = subprocess.run(
            [*command, "--cache-dir", str(cache), str(program)],
            env=environment, cwd=program.parent, check=False, capture_output=True, text=True,
        )  # fmt: skip
        return run.stdout + run.stderr

    return check


def test_the_example_runs():
    subprocess.run([sys.executable, ROOT / "examples/typed.py"], check=True, capture_output=True)


def test_the_example_is_well_typed(strict):
    assert strict(ROOT / "examples/typed.py") == ""


def test_arrays_are_known_to_be_arrays(strict, tmp_path):
    program = tmp_path / "arrays.py"
    functions = [f"def f{i}(x: xp.Array) -> xp.Array:\n    return {call}" for i, call in enumerate(ARRAYS)]
    program.write_text("\n".join(["import supremum as xp", *functions]))
    assert strict(program) == ""


def test_mistakes_are_found(strict, tmp_path):
    program = tmp_path / "wrong.py"
    program.write_text("\n".join(["import supremum as xp", "x = xp.ones(3)", *WRONG]))
    errors = {
        int(line.split(":")[1]): line.rpartition("[")[2].rstrip("]")
        for line in strict(program).splitlines()
        if ": error: " in line
    }  # fmt: skip
    assert errors == dict(enumerate(WRONG.values(), start=3))
