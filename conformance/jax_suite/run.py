"""Run JAX's own tests, at the commit of JAX 0.10.2, with `supremum.jax` in place of JAX; write README.md.

    python -m pip install '.[conformance]'
    python -m conformance jax_suite.run                          # the files of `FILES`, x64 off and on, 20 cases a test
    python -m conformance jax_suite.run lax_test --cases 5 --x64 off
    python -m conformance jax_suite.run lax_test -k testConv     # one file, the tests whose names match

The suite comes from --suite DIR, else from $JAX_SUITE_DIR, else from a clone in the user's cache folder, which is made at the
first run. JAX need not be installed, and is not imported. What is out of scope is listed in `out.toml`, each pattern with its
reason; `jit` is the identity, and errors are compared by their class, not by their words.
The exit status is 0 if at least 99.8 % of what is in scope passed, 1 if less did, and 77 if the suite is not available.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from conformance.checkouts import NO_SUITE, SuiteError, git
from conformance.jax_suite.reasons import files_left_out
from conformance.jax_suite.suite import REPORT, SUITE, put

ROOT = Path(__file__).resolve().parents[2]

#: The files, those that take longest first.
FILES = (
    "lax_numpy_test", "linalg_test", "lax_test", "random_lax_test", "lax_scipy_test", "lax_numpy_indexing_test",
    "lax_numpy_reducers_test", "lax_vmap_test", "lax_control_flow_test", "nn_test", "scipy_stats_test",
    "lax_scipy_special_functions_test", "lax_numpy_operators_test", "fft_test", "image_test", "dtypes_test",
    "lax_numpy_setops_test", "lax_numpy_ufuncs_test", "lax_numpy_einsum_test", "lax_numpy_vectorize_test", "tree_util_test",
    "lax_scipy_sparse_test", "array_test", "api_test", "pmap_test", "batching_test", "custom_api_test", "core_test",
    "scaled_dot_test", "shard_map_test", "python_callback_test", "debugging_primitives_test", "ann_test", "array_api_test",
    "array_interoperability_test", "cholesky_update_test", "custom_linear_solve_test", "custom_root_test",
    "debug_nans_test", "device_test", "eigh_test", "lax_vmap_op_test", "multibackend_test", "ode_test", "pickle_test",
    "polynomial_test", "random_impl_test", "scipy_fft_test", "scipy_interpolate_test", "scipy_ndimage_test",
    "scipy_optimize_test", "scipy_signal_test", "scipy_spatial_test", "typing_test", "x64_context_test", "lax_autodiff_test",
    "mutable_array_test", "checkify_test", "optimizers_test",
)  # fmt: skip
GOAL = 0.998
PROGRESS = "@progress "  # what begins a line of progress of a worker; other lines are printed by the tests
REQUIREMENTS = {"absl-py": "absl", "scipy": "scipy", "opt-einsum": "opt_einsum"}
START, END = "<!-- results: written by run.py -->", "<!-- end of results -->"


@dataclass
class Result:
    """The outcomes of one file in one mode."""

    file: str
    x64: str
    tests: dict[str, dict[str, str]] = field(default_factory=dict)
    error: str = ""
    seconds: float = 0.0

    @property
    def counts(self) -> Counter[str]:
        """How many tests had each outcome."""
        return Counter(entry["outcome"] for entry in self.tests.values())

    @property
    def failures(self) -> list[str]:
        """The failures, each with its line."""
        found = [
            f"{self.file}.py:{entry.get('line', '')} {name}: {' '.join(entry['text'].split())[:160]}"
            for name, entry in self.tests.items()
            if entry["outcome"] == "failed"
        ]
        return [f"{self.file}.py: {self.error}", *found] if self.error else found


def run_file(suite: Path, file: str, x64: str, args: argparse.Namespace, folder: str) -> Result:
    """Run a test file in a process of its own."""
    result = Result(file, x64)
    out = Path(folder) / f"{file}-{x64}.json"
    env = {name: value for name, value in os.environ.items() if not name.startswith(("SUPREMUM_", "JAX_"))}
    env |= {name: os.environ[name] for name in ("SUPREMUM_PURE",) if name in os.environ}
    paths = [str(ROOT), *(str(Path(entry).resolve()) for entry in env.get("PYTHONPATH", "").split(os.pathsep) if entry)]
    env |= {
        "JAX_ENABLE_X64": "1" if x64 == "on" else "0",
        "JAX_NUM_GENERATED_CASES": str(args.cases),
        "PYTHONDONTWRITEBYTECODE": "1",  # the checkout does not change
        "PYTHONPATH": os.pathsep.join(paths),
    }
    start = time.monotonic()
    with (Path(folder) / f"{file}-{x64}.log").open("w+", encoding="utf-8") as log:
        command = [sys.executable, "-m", "conformance", "jax_suite.worker", str(suite), file, str(out), args.k]
        done = subprocess.Popen(command, env=env, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True)
        for line in done.stdout or ():
            if line.startswith(PROGRESS):
                print(f"   x64 {x64}: {line.removeprefix(PROGRESS).strip()}", flush=True)
        done.wait()
        result.seconds = time.monotonic() - start
        if out.exists():
            result.tests = json.loads(out.read_text(encoding="utf-8"))
        if done.returncode:
            log.seek(0)
            result.error = f"the process ended with status {done.returncode}: {log.read()[-400:].strip()}"
    print(f"== {file}, x64 {x64}: {sentence(result.counts)} in {result.seconds:.0f} s", flush=True)
    return result


def unlisted(suite: Path) -> list[str]:
    """Return the test files of a checkout that are neither run nor left out with a reason, and names that are no files."""
    listed = [*FILES, *(file for files in files_left_out().values() for file in files)]
    return sorted({path.stem for path in (suite / "tests").glob("*_test.py")} ^ set(listed))


def sentence(counts: Counter[str]) -> str:
    """Return counts in one line."""
    scope = counts["passed"] + counts["failed"]
    share = f" ({100 * counts['passed'] / scope:.2f} % of {scope} in scope)" if scope else ""
    return f"{counts['passed']} passed, {counts['failed']} failed{share}, {counts['out']} out, {counts['skipped']} skipped"


# ----------------------------------------------------------------------------------------------------------- the report


def report(results: list[Result], suite: Path, cases: int) -> str:
    """Return the results as Markdown."""
    at = SUITE.commits(suite)[0]
    supremum = importlib.import_module("supremum")
    commit = git("-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*", check=False)
    modes = sorted({result.x64 for result in results})
    by = {(result.file, result.x64): result for result in results}
    names = list(dict.fromkeys(result.file for result in results))
    pinned = at[:12] if at == SUITE.commit else f"{at[:12] or 'unknown'} **(not the pinned commit)**"
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    ours = f"{datetime.now(UTC):%Y-%m-%d}, {system}, supremum {supremum.__version__} ({commit}, {supremum.__engine__} engine)"
    lines = [
        START,
        "",
        f"JAX at commit {pinned}, {cases} cases a test. {ours}.",
        "",
        "| file | " + " | ".join(f"x64 {mode}: passed | failed | out | skipped" for mode in modes) + " |",
        "|---|" + "---:|" * (4 * len(modes)),
    ]
    lines += [
        row(file, [by[file, mode].counts if (file, mode) in by else Counter() for mode in modes]) for file in sorted(names)
    ]
    totals = [sum((result.counts for result in results if result.x64 == mode), Counter()) for mode in modes]
    lines += [row("**all**", totals), ""]
    for mode, total in zip(modes, totals, strict=True):
        lines += [f"- x64 {mode}: {sentence(total)}."]
    lines += [
        "",
        "*Out* by reason, both modes; *skipped* are tests that skip themselves.",
        "",
        "| reason | tests |",
        "|---|---:|",
    ]
    entries = [entry for result in results for entry in result.tests.values()]
    reasons = Counter(entry["text"] for entry in entries if entry["outcome"] == "out")
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    left_out = files_left_out()
    lines += [
        "",
        f"{len(FILES)} files are run, {sum(map(len, left_out.values()))} are not:",
        "",
        "| reason | files | |",
        "|---|---:|---|",
    ]
    lines += [f"| {reason} | {len(files)} | {' '.join(files)} |" for reason, files in left_out.items()]
    for mode in modes:
        failures = [line for result in results if result.x64 == mode for line in result.failures]
        lines += ["", f"<details><summary>Failures, x64 {mode}: {len(failures)}</summary>", ""]
        lines += [*(f"- `{line.replace('`', '')}`" for line in sorted(failures)), "", "</details>"]
    return "\n".join([*lines, "", END])


def row(name: str, cells: list[Counter[str]]) -> str:
    """Return one line of the table."""
    shown = [str(counts[kind]) for counts in cells for kind in ("passed", "failed", "out", "skipped")]
    return " | ".join(["| " + name, *shown]) + " |"


# ---------------------------------------------------------------------------------------------------------- the command


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="test files (default: all that are in scope)")
    parser.add_argument("--suite", metavar="DIR", help="a checkout of JAX")
    parser.add_argument("--cases", type=int, default=20, metavar="N", help="cases of each parametrized test (default 20)")
    parser.add_argument("--x64", choices=("off", "on"), help="one mode (default: both)")
    parser.add_argument("-k", default="", metavar="REGEX", help="only the tests whose names match")
    jobs = min(2, os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help=f"processes (default {jobs})")
    parser.add_argument("--no-report", action="store_true", help="do not write README.md, as for a part of the files")
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    """Run the files and return the exit status."""
    args = parse(argv)
    lacking = [name for name, module in REQUIREMENTS.items() if importlib.util.find_spec(module) is None]
    if lacking:
        print(f"jax_suite: {', '.join(lacking)} not installed; run: python -m pip install '.[conformance]'", file=sys.stderr)
        return 1
    try:
        suite = SUITE.find(args.suite)
    except SuiteError as error:
        print(f"\n*** JAX'S TESTS NOT RUN: {error}\n*** status {NO_SUITE}: nothing was tested.\n", file=sys.stderr)
        return NO_SUITE
    if SUITE.commits(suite) != SUITE.pinned:
        print(f"*** {suite} is at {SUITE.commits(suite)}, not at the pinned {SUITE.pinned}", file=sys.stderr)
    if names := unlisted(suite):
        print(f"jax_suite: not in FILES or files.toml, or not among JAX's tests: {', '.join(names)}", file=sys.stderr)
        return 1
    files = [Path(name).stem for name in args.files] or list(FILES)
    modes = [args.x64] if args.x64 else ["off", "on"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        jobs = [pool.submit(run_file, suite, file, mode, args, folder) for file in files for mode in modes]
        results = [job.result() for job in jobs]
    if not (args.no_report or args.files or args.k or args.x64):
        put(report(results, suite, args.cases), START, END)
        print(f"wrote {REPORT}")
    for result in results:
        for line in result.failures:
            print(f"FAILED, x64 {result.x64}: {line}")
    total = sum((result.counts for result in results), Counter())
    print(sentence(total))
    whole = total["passed"] > 0 and not any(result.error for result in results)
    return 0 if whole and total["passed"] >= GOAL * (total["passed"] + total["failed"]) else 1
