"""Libraries of JAX run without JAX, and return what was recorded of JAX 0.10.2 (``conformance/jax_libraries``)."""

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from conformance.jax_libraries import compare, page

FOLDER = Path(__file__).parents[2] / "conformance" / "jax_libraries"
RECORDS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((FOLDER / "data").glob("*.json"))}


def test_programs_are_recorded_without_errors():
    assert set(RECORDS) == {path.stem for path in (FOLDER / "programs").glob("*.py")}
    assert [name for name, record in RECORDS.items() if any("error" in result for result in record["results"].values())] == []


def test_the_table_of_the_documentation_is_that_of_the_recordings():
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run python -m conformance jax_libraries.page"


def test_the_requirements_are_what_was_recorded():
    lines = (FOLDER / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = {f"{name}=={version}" for record in RECORDS.values() for name, version in record["versions"].items()}
    assert wanted <= set(lines)
    assert not any(line.startswith(("jax==", "jaxlib")) for line in lines)


@pytest.mark.parametrize("name", RECORDS)
def test_library(name, tmp_path):
    record = RECORDS[name]
    for package, recorded in record["versions"].items():
        try:
            found = version(package)
        except PackageNotFoundError:
            pytest.skip(f"{package} is not installed; see conformance/jax_libraries/requirements.txt")
        if found != recorded:
            pytest.skip(f"{package} {found} is installed, and JAX's results were recorded with {recorded}")
    out = tmp_path / "out.json"
    done = subprocess.run(
        [sys.executable, "-m", "supremum", "run", "-m", "conformance", "jax_libraries.run", name, str(out)],
        cwd=FOLDER.parents[1], env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    written = json.loads(out.read_text(encoding="utf-8"))
    # What a library lacks here says so: the word by which the table names it is in each error.
    lacks = written["lacks"]
    assert {word: list(errors) for word, errors in lacks.items()} == {
        word: list(names) for word, names in record["lacks"].items()
    }
    assert [error for word, errors in lacks.items() for error in errors.values() if word not in error] == []
    found = written["results"]
    assert found.keys() == record["results"].keys()
    differences = compare.differences
    assert {case: lines for case, result in record["results"].items() if (lines := differences(result, found[case]))} == {}
