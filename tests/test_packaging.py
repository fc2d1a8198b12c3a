"""The versions in pyproject.toml, in CI and in the steps of a release agree."""

import json
import re
import runpy
import tomllib
from pathlib import Path

import pytest

import supremum as xp

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WORKFLOWS = {path.name: path.read_text() for path in (ROOT / ".github/workflows").glob("*.yml")}
NIGHTLY = WORKFLOWS["nightly.yml"]
#: The Python versions of the classifiers, oldest first.
PYTHONS = re.findall(r"Programming Language :: Python :: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))
#: Free-threaded Pythons.
THREADED = ["3.13t", "3.14t"]


def lowest(*names):
    """Return the lowest versions that requirements allow, by name."""
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = PROJECT["project"]["dependencies"] + [one for name in names for one in extras[name]]
    inner = [one.removeprefix("supremum[").removesuffix("]") for one in requirements if one.startswith("supremum[")]
    own = [one for one in requirements if not one.startswith("supremum[")]
    found = dict(re.fullmatch(r"([\w-]+)>=([\d.]+)", one).groups() for one in own)
    return found | (lowest(*inner) if inner else {})


def matrix(name):
    """Return the versions in the only matrix over `name` of the nightly run."""
    (found,) = re.findall(rf"^ +{name}: (\[.+\])", NIGHTLY, re.MULTILINE)
    return json.loads(found)


def test_python_versions_are_those_of_ci():
    assert f">={PYTHONS[0]}" == PROJECT["project"]["requires-python"]
    assert matrix("python") == sorted([*PYTHONS, *THREADED])


def test_tools_look_for_the_oldest_python():
    assert PROJECT["tool"]["mypy"]["python_version"] == PYTHONS[0]
    assert PROJECT["tool"]["pyright"]["pythonVersion"] == PYTHONS[0]
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py{PYTHONS[0].replace('.', '')}"


def test_wheels_are_built_for_every_python():
    tags = [python.replace(".", "") for python in sorted([*PYTHONS, *THREADED])]
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == [f"cp{tag}-*" for tag in tags]
    assert settings["environment"] == {"SUPREMUM_NATIVE": "1"}


def test_the_build_asks_for_the_numpy_that_the_package_needs():
    assert f"numpy>={lowest()['numpy']}" in PROJECT["build-system"]["requires"]


def test_the_sanitizers_are_told_what_the_build_says():
    """Both build the same sources with the same flags; -fwrapv would hide integers that overflow from the sanitizers."""
    setup, sanitize = ((ROOT / name).read_text() for name in ("setup.py", "native/sanitize.py"))
    flags = {flag for flag in re.findall(r'"(-[\w=-]+)"', setup) if not flag.startswith(("-O", "-g", "-fwrapv"))}
    assert "-std=c11" in flags
    assert flags <= set(re.findall(r'"(-[\w=-]+)"', sanitize))


def test_the_sanitizers_run_tests_that_exist():
    tests = runpy.run_path(str(ROOT / "native" / "sanitize.py"), run_name="sanitize")["TESTS"]
    assert [path.name for path in tests if not path.exists()] == []


@pytest.mark.parametrize("name", ["numpy", "ml_dtypes"])
def test_ci_starts_at_the_oldest_version(name):
    versions = matrix(name)
    assert versions[0] == lowest()[name]
    assert versions == sorted(versions, key=lambda version: [int(part) for part in version.split(".")])


def test_the_oldest_versions_are_the_lowest_allowed_ones():
    lines = (ROOT / ".github/oldest.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    wanted = {name: version + ".0" * (2 - version.count(".")) for name, version in lowest("test").items()}
    assert pins == wanted
    (job,) = re.findall(r"^  oldest:\n(?:    .*\n|\n)+", NIGHTLY, re.MULTILINE)
    assert f'python-version: "{PYTHONS[0]}"' in job
    assert "--constraint .github/oldest.txt" in job


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_may_read_and_are_pinned(name):
    text = WORKFLOWS[name]
    assert "\npermissions:\n  contents: read\n" in text
    assert "\nconcurrency:\n" in text
    actions = re.findall(r"uses: (\S+)", text)
    assert actions
    assert [action for action in actions if not re.fullmatch(r"[\w/-]+@([0-9a-f]{40}|v\d+\.\d+\.\d+)", action)] == []
    assert text.count("runs-on:") == text.count("timeout-minutes:")


def test_dependabot_keeps_the_pins_fresh():
    assert "package-ecosystem: github-actions\n" in (ROOT / ".github/dependabot.yml").read_text()


def test_what_the_default_run_leaves_out_runs_weekly():
    settings = PROJECT["tool"]["pytest"]["ini_options"]
    left_out = re.findall(r"not (\w+)", settings["addopts"][-1])
    assert left_out
    assert all(f"- run: python -m pytest -m {marker}\n" in NIGHTLY for marker in left_out)


def test_a_change_runs_the_whole_suite_once_on_each_platform():
    assert WORKFLOWS["ci.yml"].count("- run: python -m pytest\n") == 1
    (job,) = re.findall(r"^  tests:\n(?:    .*\n|\n)+", WORKFLOWS["ci.yml"], re.MULTILINE)
    assert re.findall(r"- \{ os: (\w+), python: ", job) == ["ubuntu", "macos", "windows"]
    assert [name for name, text in WORKFLOWS.items() if "\n  pull_request:" in text and "pytest" in text] == ["ci.yml"]


def test_the_jax_of_ci_is_the_one_that_was_recorded():
    recorded = set(re.findall(r"JAX (\d+\.\d+\.\d+)", (ROOT / "ARCHITECTURE.md").read_text()))
    assert set(re.findall(r"jax==([\d.]+)", WORKFLOWS["ci.yml"])) == recorded


def test_the_version_is_written_once():
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "supremum._version.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+|rc\d+)?", xp.__version__)


def test_the_types_are_shipped():
    assert (Path(xp.__file__).parent / "py.typed").exists()
