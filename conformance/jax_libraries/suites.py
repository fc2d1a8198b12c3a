"""Run the tests that packages of JAX's libraries have in their wheels, without JAX: ``jax_libraries.suites [LIBRARY ...]``.

Each test file is run by ``python -m supremum run -m pytest``. A failure is *out* if its error says what supremum lacks, or by
`REASONS`.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree as ET

TIME_LIMIT = 240  # seconds for one file
#: The packages with tests, the folders of these, and the name of the distribution.
SUITES = {
    "chex": ("chex/_src", "chex"),
    "distrax": ("distrax/_src", "distrax"),
    "einops": ("einops/tests", "einops"),
    "haiku": ("haiku/_src", "dm-haiku"),
    "optax": ("optax", "optax"),
}
#: Why tests are out of scope: patterns of their names, or of their errors.
REASONS = {
    r"it needs derivatives": "derivatives",
    r"it needs a compiler": "a compiler",
    r"it needs tracing|^test_(is_traceable|assert_jitted|api)": "a compiler: tracing",
    r"it needs several devices|No \d CPUs available": "several devices",
    r"(\w+(?:\.\w+)*): it is missing": "missing: checkify, make_jaxpr, example_libraries",
    r"No module named '(tensorflow|torch|optax\._src\.\w+|sklearn)": "another package",
    r"not an instance of <class 'supremum.jax.core.Tracer'>|is traced > |2 not less than 2": "a compiler: how often is traced",
}


def reason_of(text: str) -> str:
    """Return why a test is out of scope; "" for a failure."""
    return next((reason for pattern, reason in REASONS.items() if re.search(pattern, text)), "")


def run_file(path: Path, folder: Path) -> tuple[Counter[str], list[str]]:
    """Run a test file; return the outcomes, and the failures."""
    out = folder / f"{path.stem}.xml"
    command = [
        sys.executable, "-W", "ignore", "-m", "supremum", "run", "-m", "pytest", "-q", "-W", "ignore", "-p",
        "no:cacheprovider", "-p", "no:xdist", "-o", "junit_family=xunit1", f"--junitxml={out}", f"--rootdir={folder}",
        "--import-mode=importlib", str(path),
    ]  # fmt: skip
    try:
        environment = {**os.environ, "EINOPS_TEST_BACKENDS": "numpy,jax"}
        subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return Counter({f"no end after {TIME_LIMIT} s": 1}), [f"{path.name}: no end after {TIME_LIMIT} s"]
    counts: Counter[str] = Counter()
    failures = []
    for case in ET.parse(out).iter("testcase"):  # noqa: S314 - pytest wrote it
        bad = case.find("failure") if case.find("failure") is not None else case.find("error")
        if case.find("skipped") is not None:
            counts["skipped"] += 1
        elif bad is None:
            counts["passed"] += 1
        elif reason := reason_of(f"{case.get('name')}\n{bad.get('message')}\n{bad.text}"):
            counts[f"out: {reason}"] += 1
        else:
            counts["failed"] += 1
            failures.append(f"{path.name} {case.get('name')}: {' '.join(str(bad.get('message')).split())[:160]}")
    return counts, failures


def run(library: str) -> tuple[Counter[str], list[str]]:
    """Run the tests of a library."""
    spec = importlib.util.find_spec(library)
    if spec is None or spec.origin is None:
        raise ImportError(f"{library} is not installed; see requirements.txt")
    counts: Counter[str] = Counter()
    failures: list[str] = []
    where = Path(spec.origin).parents[1] / SUITES[library][0]
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted({*where.rglob("*_test.py"), *where.rglob("test_*.py")}):
            found, failed = run_file(path, Path(folder))
            print(path.name, dict(found), flush=True)
            counts += found
            failures += failed
    return counts, failures


def main(argv: list[str]) -> None:
    """Run the tests, and print the table."""
    lines = ["| library | passed | failed | out | skipped | out, by reason |", "|---|---:|---:|---:|---:|---|"]
    for name in argv or SUITES:
        counts, failures = run(name)
        out = {kind.removeprefix("out: "): count for kind, count in counts.most_common() if kind.startswith("out: ")}
        shown = [counts["passed"], counts["failed"], sum(out.values()), counts["skipped"]]
        reasons = ", ".join(f"{reason} {number}" for reason, number in out.items())
        lines.append(f"| {name} {version(SUITES[name][1])} | {' | '.join(map(str, shown))} | {reasons} |")
        print(*(f"FAILED {line}" for line in failures), sep="\n")
    print(*lines, sep="\n")
