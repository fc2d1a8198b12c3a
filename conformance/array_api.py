"""Run array-api-tests, at the commit pinned below, against supremum and optionally its peers; write REPORT.md.

    python -m pip install '.[conformance]'
    python -m conformance array_api                         # supremum, x64 "explicit" and "on", 20 examples a test
    python -m conformance array_api --x64 on --max-examples 500
    python -m conformance array_api --module numpy -k test_fft
    python -m conformance array_api --peers   # and numpy, array_api_compat.numpy, array_api_strict, jax.numpy

The suite comes from --suite DIR, else from $ARRAY_API_TESTS_DIR, else from a clone in the user's cache folder, which is made
at the first run. No skips file and no xfails file is used. The exit status is 0 if every test passed, 1 if one failed (an
expected failure and a whole extension that is skipped count as failures), and 77 if the suite is not available. With
SUPREMUM_PURE=1 in the environment, supremum runs on its reference engine.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from conformance.checkouts import NO_SUITE, Checkout, SuiteError, git

SUITE = Checkout(
    name="array-api-tests",
    url="https://github.com/data-apis/array-api-tests",
    commit="55fcc60179efa2680ddd6cd926ddf17b83530e2b",
    variable="ARRAY_API_TESTS_DIR",
    holds="array_api_tests",
    submodules={"array-api": "5f847a3858875c682ae901aa22b0413bf24be9da"},  # the standard's signatures
)
API_VERSION = "2025.12"
PEERS = ("numpy", "array_api_compat.numpy", "array_api_strict", "jax.numpy")
REQUIREMENTS = {name: name for name in ("pytest", "hypothesis", "ndindex")} | {"pytest-json-report": "pytest_jsonreport"}
VERSIONS = ("numpy", "ml_dtypes", "array-api-compat", "array-api-strict", "jax", "hypothesis", "pytest", "ndindex")
HERE = Path(__file__).resolve().parent


# ------------------------------------------------------------------------------------------------------------ the suite


def find_suite(given: str | None) -> Path:
    """Return the folder of the suite, which has the signatures of the standard in its submodule."""
    suite = SUITE.find(given)
    if not (suite / "array-api" / "spec" / API_VERSION).is_dir():
        raise SuiteError(f"{suite} lacks its submodule; run: git -C {suite} submodule update --init")
    return suite


# -------------------------------------------------------------------------------------------------------------- one run


@dataclass
class Run:
    """The result of one run of the suite: per section (test file) the counts of outcomes, and the tests that did not pass."""

    label: str
    sections: dict[str, Counter[str]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    skips: Counter[str] = field(default_factory=Counter)
    status: int = 0
    seconds: float = 0.0

    @property
    def counts(self) -> Counter[str]:
        """The outcomes of all sections, added up."""
        return sum(self.sections.values(), Counter())

    @property
    def ok(self) -> bool:
        """Whether pytest ended normally, some test ran, none failed or was expected to, and no extension is missing."""
        missing = any("not found in array module" in reason for reason in self.skips)
        return self.status == 0 and self.counts["passed"] > 0 and not self.failures and not missing

    def summary(self) -> str:
        """Return the counts in one line."""
        counts = self.counts
        named = ", ".join(f"{counts[name]} {name}" for name in ("passed", "failed", "error", "xfailed", "skipped"))
        return f"{self.label}: {named} of {counts.total()} in {self.seconds:.0f} s"


def run_suite(suite: Path, module: str, x64: str | None, args: argparse.Namespace, *, quiet: bool = False) -> Run:
    """Run the suite once, in its own process and folder, so that the checkout does not change."""
    result = Run(f"{module} (x64={x64})" if x64 else module)
    print(f"== {result.label}, {args.max_examples} examples a test", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        junit = Path(folder) / "junit.xml"
        command = [sys.executable, "-m", "pytest", str(suite / "array_api_tests"), "--rootdir", str(suite)]
        command += ["-c", str(suite / "pytest.ini"), "-p", "no:cacheprovider", "-q", "--no-header", "--disable-warnings"]
        # A whole run prints one line for each failure; -k prints tracebacks. Failures are also listed at the end.
        command += ["-rN", "--tb=short" if args.k else "--tb=line"]
        command += ["--skips-file", os.devnull, "--xfails-file", os.devnull, f"--junitxml={junit}"]
        # The duration of an example is not a matter of conformance.
        command += ["--hypothesis-disable-deadline", "--max-examples", str(args.max_examples)]
        if args.jobs > 1 and importlib.util.find_spec("xdist"):
            command += ["-n", str(args.jobs)]
        if args.k:
            command += ["-k", args.k]
        start = time.monotonic()
        done = subprocess.run(
            [*command, *args.pytest_args],
            cwd=folder,
            env=environment(module, x64, folder),
            stdout=subprocess.DEVNULL if quiet else None,
            check=False,
        )
        result.seconds = time.monotonic() - start
        # Status 1 means failed tests, which the counts show in detail; a higher one means that pytest could not run the tests.
        result.status = done.returncode if done.returncode > 1 else 0
        if junit.exists():
            read_junit(junit, result)
    print("== " + result.summary(), flush=True)
    return result


def environment(module: str, x64: str | None, folder: str) -> dict[str, str]:
    """Return the environment of a run: the module under test, its mode, and no other setting of ours."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SUPREMUM_", "ARRAY_API_", "PYTEST_"))}
    env |= {name: os.environ[name] for name in ("SUPREMUM_PURE",) if name in os.environ}  # selects the engine under test
    paths = [str(Path(entry).resolve()) for entry in env.get("PYTHONPATH", "").split(os.pathsep) if entry]
    env |= {
        "ARRAY_API_TESTS_MODULE": module,
        "ARRAY_API_TESTS_VERSION": API_VERSION,
        "HYPOTHESIS_STORAGE_DIRECTORY": str(Path(folder) / "hypothesis"),
        "JAX_ENABLE_X64": "1",  # JAX lacks dtypes that the suite requires without this
        "JAX_PLATFORMS": "cpu",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # parallel workers must collect the tests in the same order
        "PYTHONPATH": os.pathsep.join(paths),
    }
    if x64:
        env["SUPREMUM_X64"] = x64
    return env


def read_junit(path: Path, result: Run) -> None:
    """Add the outcomes of pytest's XML report to `result`."""
    for case in ET.parse(path).getroot().iter("testcase"):  # noqa: S314  # pytest wrote the file
        module, name = case.get("classname", ""), case.get("name", "")
        outcome = outcome_of(case)
        section = next((part for part in reversed(module.split(".")) if part.startswith("test_")), module or name)
        result.sections.setdefault(section, Counter())[outcome] += 1
        if outcome == "skipped":
            skip = case.find("skipped")
            result.skips[(skip.get("message") or "no reason given") if skip is not None else ""] += 1
        elif outcome != "passed":
            result.failures.append(f"{section}::{name} ({outcome})")


def outcome_of(case: ET.Element) -> str:
    """Return the outcome of a testcase as one word: error before failure before skip."""
    tags = {child.tag: child for child in case}
    if "error" in tags:
        return "error"
    if "failure" in tags:
        return "failed"
    if "skipped" in tags:
        return "xfailed" if tags["skipped"].get("type") == "pytest.xfail" else "skipped"
    return "passed"


# ----------------------------------------------------------------------------------------------------------- the report


def report(runs: list[Run], suite: Path, max_examples: int) -> str:
    """Return the results of the runs as Markdown."""
    sections = sorted({name for run in runs for name in run.sections})
    at = SUITE.commits(suite)
    suite_at = f"array-api-tests {at[0][:12] or 'of unknown commit'}"
    if at != SUITE.pinned:
        suite_at += " **(not the pinned commit)**"
    lines = [
        "# Conformance to the array API standard",
        "",
        f"{suite_at}, version {API_VERSION} of the standard, {max_examples} examples a test, no skips file, no xfails file.",
        "Written by `conformance/array_api.py`; do not edit.",
        "",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.system()} {platform.machine()}, {versions()}.",
        "",
        "A cell is the number of tests passed, and of those that failed (✗) or were skipped by the suite itself (–).",
        "",
        row("section", [run.label for run in runs]),
        "|---|" + "---:|" * len(runs),
        *(row(name.removeprefix("test_"), [cell(run.sections.get(name)) for run in runs]) for name in sections),
        row("**all**", [f"**{cell(run.counts)}**" for run in runs]),
        "",
    ]
    for run in runs:
        if run.skips:
            lines += [f"Skipped in {run.label}:", "", *(f"- {n} × {why}" for why, n in run.skips.most_common()), ""]
        if run.status:
            lines += [f"**pytest ended with status {run.status} in {run.label}: the counts are incomplete.**", ""]
    for run in runs:
        if run.failures:
            lines += [f"<details><summary>Not passed in {run.label}: {len(run.failures)}</summary>", ""]
            lines += [*(f"- `{test}`" for test in sorted(run.failures)), "", "</details>", ""]
    return "\n".join(lines)


def row(name: str, cells: list[str]) -> str:
    """Format one line of the table."""
    return " | ".join(["| " + name, *cells]) + " |"


def cell(counts: Counter[str] | None) -> str:
    """Return the counts of one section in one run, such as ``117 ✗3 –1``."""
    if not counts:
        return "not run"
    bad = counts["failed"] + counts["error"] + counts["xfailed"]
    return f"{counts['passed']}" + (f" ✗{bad}" if bad else "") + (f" –{counts['skipped']}" if counts["skipped"] else "")


def versions() -> str:
    """Return the versions of the package, the interpreter and the packages on which the results depend."""
    found = [package(), f"Python {platform.python_version()}"]
    for name in VERSIONS:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(filter(None, found))


def package() -> str:
    """Return the version, the commit and the engine of supremum; "" if it is not installed."""
    try:
        supremum = importlib.import_module("supremum")
    except ImportError:
        return ""
    commit = git("-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*", check=False)
    return f"supremum {supremum.__version__} ({f'commit {commit}, ' if commit else ''}{supremum.__engine__} engine)"


# ---------------------------------------------------------------------------------------------------------- the command


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--suite", metavar="DIR", help="a checkout of array-api-tests with its submodule")
    parser.add_argument("--max-examples", type=int, default=20, metavar="N", help="hypothesis examples a test (default 20)")
    parser.add_argument("--x64", choices=("explicit", "on"), help="one mode of supremum (default: both, one after the other)")
    parser.add_argument("--module", default="supremum", metavar="NAME", help="the namespace to test")
    parser.add_argument("-k", metavar="EXPR", help="run only the tests that match; write no report")
    parser.add_argument("--peers", action="store_true", help="also run the peers that are installed")
    jobs = min(2, os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help=f"processes, with pytest-xdist (default {jobs})")
    parser.add_argument("--report", type=Path, metavar="FILE", help="default: REPORT.md in this folder, for a whole run")
    parser.add_argument("pytest_args", nargs="*", metavar="-- ARGS", help="passed on to pytest")
    args = parser.parse_args(argv)
    if args.report is None and args.module == "supremum" and not args.k and not args.pytest_args:
        args.report = HERE / "REPORT.md"
    return args


def main(argv: list[str]) -> int:
    """Run the requested suites and return the exit status."""
    args = parse(argv)
    lacking = [name for name, module in REQUIREMENTS.items() if importlib.util.find_spec(module) is None]
    if lacking:
        print(f"conformance: {', '.join(lacking)} not installed; run: python -m pip install '.[conformance]'", file=sys.stderr)
        return 1
    try:
        suite = find_suite(args.suite)
    except SuiteError as error:
        print(f"\n*** CONFORMANCE NOT RUN: {error}\n*** status {NO_SUITE}: nothing was tested.\n", file=sys.stderr)
        return NO_SUITE
    if SUITE.commits(suite) != SUITE.pinned:
        print(f"*** {suite} is at {SUITE.commits(suite)}, not at the pinned {SUITE.pinned}", file=sys.stderr)
    modes = [None] if args.module != "supremum" else [args.x64] if args.x64 else ["explicit", "on"]
    ours = [run_suite(suite, args.module, mode, args) for mode in modes]
    peers = [name for name in PEERS if args.peers and name != args.module and installed(name)]
    runs = ours + [run_suite(suite, name, None, args, quiet=True) for name in peers]
    if args.report:
        args.report.write_text(report(runs, suite, args.max_examples), encoding="utf-8")
        print(f"wrote {args.report}")
    for run in ours:
        for test in run.failures:
            print(f"NOT PASSED in {run.label}: {test}")
    for run in runs:
        print(run.summary())
    return 0 if all(run.ok for run in ours) else 1


def installed(module: str) -> bool:
    """Whether a peer can be imported."""
    return importlib.util.find_spec(module.partition(".")[0]) is not None
