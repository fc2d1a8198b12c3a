"""Run one of JAX's test files with supremum in place of JAX, in this process: ``jax_suite.worker CHECKOUT FILE OUT``.

`run.py` starts it. Standard output has a line of progress now and then; OUT is a JSON list of the outcome of each test.
"""

from __future__ import annotations

import importlib.util
import json
import re
import resource
import signal
import sys
import time
import traceback
import unittest
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from conformance.jax_suite import standins
from conformance.jax_suite.reasons import Reasons

TIME_LIMIT = 60  # seconds for one test
MEMORY_LIMIT = 6 << 30  # bytes: some tests only ask for the shape of what no memory holds


class TookTooLongError(Exception):
    """A test did not end in time."""


def on_alarm(_signal: int, _frame: FrameType | None) -> None:
    """End a test."""
    raise TookTooLongError(f"no end after {TIME_LIMIT} s")


class Outcomes(unittest.TestResult):
    """The outcome of every test: passed, skipped, or the exception with its line in the test file."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.found: dict[str, dict[str, str]] = {}

    def record(self, test: Any, outcome: str, error: Any = None) -> None:
        """Record an outcome; the first failure of a test with parts stays."""
        name = name_of(test)
        entry = {"outcome": outcome, "text": str(error or "")}
        if isinstance(error, tuple):
            entry["text"] = f"{error[0].__name__}: {error[1]}"[:2000]
            lines = [frame.lineno for frame in traceback.extract_tb(error[2]) if Path(frame.filename).stem == self.file]
            entry["line"] = str(lines[-1]) if lines else ""
            where = traceback.extract_tb(error[2])[-1]
            entry["where"] = f"{Path(where.filename).name}:{where.lineno}"
        if self.found.get(name, {}).get("outcome") != "failed":
            self.found[name] = entry

    def addSuccess(self, test: Any) -> None:
        """Record a test that passed."""
        self.record(test, "passed")

    def addFailure(self, test: Any, err: Any) -> None:
        """Record a failure."""
        self.record(test, "failed", err)

    addError = addFailure

    def addSkip(self, test: Any, reason: str) -> None:
        """Record a test that skips itself."""
        self.record(test, "skipped", reason)

    def addSubTest(self, test: Any, _part: Any, err: Any) -> None:
        """Record a failure of a part."""
        if err is not None:
            self.record(test, "failed", err)


def name_of(test: Any) -> str:
    """Return a test's name: its class and its method."""
    return ".".join(re.sub(r" .*", "", str(test.id())).split(".")[-2:])


def tests_in(suite: Any) -> Iterator[unittest.TestCase]:
    """Yield the tests of a suite."""
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from tests_in(item)
        else:
            yield item


def load(path: Path) -> Any:
    """Import a test file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def main(argv: list[str]) -> None:
    """Run a file and write the outcomes."""
    from absl import flags  # which JAX's tests need

    checkout, file, out, pattern = [*argv, ""][:4]
    flags.FLAGS(["tests"])
    standins.install(Path(checkout))
    module = load(Path(checkout) / "tests" / f"{file}.py")
    reasons = Reasons.read()
    tests = [
        test for test in tests_in(unittest.defaultTestLoader.loadTestsFromModule(module)) if re.search(pattern, name_of(test))
    ]
    standins.Inside.importing = False
    signal.signal(signal.SIGALRM, on_alarm)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, resource.RLIM_INFINITY))
    outcomes = Outcomes(file)
    shown = time.monotonic()
    for done, test in enumerate(tests):
        name = name_of(test)
        if reason := reasons.of_test(file, name):
            outcomes.found[name] = {"outcome": "out", "text": reason}
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            signal.alarm(TIME_LIMIT)
            test.run(outcomes)
            signal.alarm(0)
        entry = outcomes.found.get(name, {})
        if entry.get("outcome") == "failed" and (reason := reasons.of_error(file, name, entry["text"])):
            entry |= {"outcome": "out", "text": reason, "error": entry["text"]}
        if time.monotonic() - shown > 15:
            shown = time.monotonic()
            print(f"@progress {file}, {done + 1} of {len(tests)}", flush=True)
    Path(out).write_text(json.dumps(outcomes.found), encoding="utf-8")
