"""Time supremum against NumPy and the peers that are installed, in one process, and report ratios.

    python benchmarks/run.py                   # all cases, under ten minutes
    python benchmarks/run.py --smoke           # a few cases of each section, in 20 seconds
    python benchmarks/run.py -k 'sum|mean'     # the cases whose section/case/size matches
    python benchmarks/run.py -k ^engine        # the engine's bars, in two minutes
    python benchmarks/run.py --write           # write results.json, results.svg and their block of RESULTS.md

A ratio is our time divided by the other's, each the minimum of many turns. Ratios with a bar are flagged ``ok`` or ``MISS``.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
from cases import FUNCTIONS, MEMORY, NARROW, OPERATORS, Case, operand
from engine import ROWS
from libraries import LIGHT_PEERS, ONE_THREAD, PEERS, Library, load
from page import put
from picture import draw
from programs import PROGRAMS
from report import OURS, Measurement, as_json, bars_line, block, missed, table
from timing import race, timer
from whole_arrays import COUNTING, RANDOM

HERE = Path(__file__).resolve().parent
PACKAGES = {"jax.numpy": "jax", "array_api_compat.numpy": "array-api-compat", "array_api_strict": "array-api-strict"}
TITLES = {
    "engine": "The engine, beside NumPy",
    "operators": "Operators",
    "functions": "Functions",
    "narrow": "Narrow floats and small integers, beside float32 and beside ml_dtypes in NumPy",
    "counting": "Counts, bins, bits, updates by indices, comparisons and casts of whole arrays",
    "random": "Random numbers, beside JAX and NumPy's own generator",
    "programs": "Whole programs",
    "memory": "Peak of memory, in units of the result",
    "import": "Import",
    "size": "Size on disk of the package and all it needs",
}


class Bench:
    """The libraries that are compared, the time for each in a case, and the selected cases."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.smoke: bool = args.smoke
        self.budget = 0.004 if args.smoke else args.budget
        self.wanted = re.compile(args.k or "")
        self.libraries = load([OURS, *(LIGHT_PEERS if args.smoke else PEERS)])
        self.numpy = next(library for library in self.libraries if library.name == "numpy")

    def asks(self, section: str, case: str, size: int) -> bool:
        """Whether the case is selected."""
        return bool(self.wanted.search(f"{section}/{case}/{size}"))

    def takers(self, section: str) -> list[Library]:
        """Return the libraries that are compared in a section, NumPy first; results are checked against NumPy's."""
        others = [library for library in self.libraries if library is not self.numpy]
        if section == "engine":
            others = [library for library in others if library.name == OURS]
        if section in ("narrow", "random"):  # the others have no narrow floats, and NumPy other generators
            others = [library for library in others if library.name in (OURS, "jax.numpy", "torch")]
        return [self.numpy, *others]

    # ---------------------------------------------------------------------------------------------- statements

    def statements(self, section: str, cases: list[Case]) -> Iterator[Measurement]:
        """Time cases that are one statement, at each of their sizes."""
        for case in cases:
            for size in self.sizes(case):
                if self.asks(section, case.name, size):
                    yield self.statement(section, case, size)

    def sizes(self, case: Case) -> tuple[int, ...]:
        """Return the sizes of a case; a smoke test uses few of them."""
        if not self.smoke:
            return case.sizes
        few = [size for size in case.sizes if size in (4, case.sizes[-1])]
        return tuple({min(size, 10_000): None for size in few})

    def statement(self, section: str, case: Case, size: int) -> Measurement:
        """Time one statement on every library that can run it."""
        operands = {name: operand(spec, size, seed) for seed, (name, spec) in enumerate(case.operands.items())}
        measurement = Measurement(section, case.name, size)
        ways: dict[str, tuple[str, dict[str, Any]]] = {}
        expected = None
        for library in self.takers(section):
            codes = {"numpy": case.numpy, "torch": case.torch, "jax.numpy": case.jax}.get(library.name) or (case.code,)
            for code in codes:
                try:
                    names = {**library.names(operands), "xp": library.native, "np": np, "ml_dtypes": ml_dtypes, "n": size}
                    names["jax"] = sys.modules.get("jax")
                    names |= {name: operands[name] for name in case.raw}
                    result = _evaluate(code, names)
                except Exception as error:  # noqa: BLE001  # any exception means that the library lacks this
                    if library.name == OURS:
                        measurement.note = f"{type(error).__name__}: {error}"[:80]
                    continue
                if library is self.numpy:
                    expected = result
                elif library.name == OURS and not _agree(result, expected, case.tolerance):
                    measurement.note = "WRONG: not NumPy's values"
                names["_wait"] = _wait
                ways[f"{library.name} {len(ways)}"] = library.waiting(code, result), names
        for name, (code, dtype) in case.beside.items():
            others = {key: value.astype(dtype) if isinstance(value, np.ndarray) else value for key, value in operands.items()}
            ways[f"{name} {len(ways)}"] = code, {**others, "np": np, "n": size}
        seconds = race({name: timer(code, names) for name, (code, names) in ways.items()}, self.budget)
        for name, cost in seconds.items():  # if a library has several alternatives, the fastest one counts
            library_name = name.rpartition(" ")[0]
            measurement.costs[library_name] = min(cost, measurement.costs.get(library_name, cost))
        return measurement

    # ------------------------------------------------------------------------------------------------ programs

    def programs(self) -> Iterator[Measurement]:
        """Time whole programs."""
        for name, (program, make, tolerance) in PROGRAMS.items():
            if not self.asks("programs", name, 0):
                continue
            measurement = Measurement("programs", name, 0)
            runs: dict[str, Any] = {}
            expected: Any = None
            for library in self.takers("programs"):
                arrays = make()
                code = f"_run({', '.join(f'{key}={key}' for key in arrays)})"
                try:
                    names = {"_run": _runner(program, library), **library.names(arrays)}
                    result = _evaluate(code, names)
                except Exception as error:  # noqa: BLE001  # any exception means that the library cannot run this
                    if library.name == OURS:
                        measurement.note = f"{type(error).__name__}: {error}"[:80]
                    continue
                if library is self.numpy:
                    expected = result
                elif library.name == OURS and not _agree(result, expected, tolerance):
                    measurement.note = "WRONG: not NumPy's values"
                runs[library.name] = timer(library.waiting(code, result), names)
            measurement.costs = race(runs, self.budget)
            yield measurement

    # ------------------------------------------------------------------------------------------ memory and disk

    def memory(self) -> Iterator[Measurement]:
        """Measure the peak memory of operators on mixed dtypes, as a multiple of the size of their result."""
        for case in MEMORY:
            size = 100_000 if self.smoke else case.sizes[0]
            if not self.asks("memory", case.name, size):
                continue
            operands = {name: operand(spec, size, seed) for seed, (name, spec) in enumerate(case.operands.items())}
            measurement = Measurement("memory", case.name, size)
            for library in self.libraries:
                if library.name not in (OURS, "numpy"):
                    continue
                code = case.numpy[0] if case.numpy and library is self.numpy else case.code
                try:
                    peak, result = _peak(code, {**library.names(operands), "np": np})
                except Exception as error:  # noqa: BLE001  # as above
                    measurement.note = f"{type(error).__name__}: {error}"[:80]
                    continue
                measurement.costs[library.name] = peak
                if library.name == OURS:
                    measurement.costs["result"] = result
            yield measurement

    def imports(self) -> Iterator[Measurement]:
        """Time imports, each in new interpreters, in processor time."""
        others = [
            "import numpy, ml_dtypes",
            *(f"import {each.name}" for each in self.libraries if each.name not in ("numpy", OURS)),
        ]
        ours = [each for each in ("import supremum", "from supremum import *") if self.asks("import", each, 0)]
        if not ours:
            return
        # Keep compiled bytecode, as every installation does.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        costs: dict[str, float] = {}
        for _ in range(2 if self.smoke else 10):
            for statement in (*others, *ours):
                code = f"import time; start = time.process_time(); {statement}; print(time.process_time() - start)"
                done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
                if done.returncode == 0:
                    costs[statement] = min(float(done.stdout), costs.get(statement, float("inf")))
        for statement in ours:
            if statement in costs:
                found = {other: costs[other] for other in others if other in costs}
                yield Measurement("import", statement, 0, {**found, OURS: costs[statement]})

    def disk(self) -> Iterator[Measurement]:
        """Compare the disk space of installations."""
        if self.asks("size", "installed", 0):
            sizes = {library.name: _installed_bytes(PACKAGES.get(library.name, library.name)) for library in self.libraries}
            yield Measurement("size", "installed", 0, {name: size for name, size in sizes.items() if size})

    def all(self) -> Iterator[Measurement]:
        """Measure every section."""
        yield from self.statements("engine", [case for case, _ in ROWS])
        yield from self.statements("operators", OPERATORS)
        yield from self.statements("functions", FUNCTIONS)
        yield from self.statements("narrow", NARROW)
        yield from self.statements("counting", COUNTING)
        yield from self.statements("random", RANDOM)
        yield from self.programs()
        yield from self.memory()
        yield from self.imports()
        yield from self.disk()


def _evaluate(code: str, names: dict[str, Any]) -> Any:
    """Run a statement once and return its value, or None if it has none."""
    try:
        program = compile(code, "<case>", "eval")
    except SyntaxError:
        exec(code, dict(names))  # noqa: S102  # the statements are those of cases.py
        return None
    return eval(program, dict(names))  # noqa: S307  # likewise


def _wait(result: Any) -> Any:
    """Wait until JAX has computed results that are not a single array."""
    return [each.block_until_ready() for each in result]


def _runner(program: Callable[..., Any], library: Library) -> Callable[..., Any]:
    return lambda **arrays: program(library.xp, **arrays)


def _agree(result: Any, expected: Any, tolerance: float) -> bool:
    """Whether our result has NumPy's values; results that are not arrays are not compared."""
    if tolerance == float("inf") or expected is None or not hasattr(result, "shape"):
        return True
    ours, theirs = np.asarray(result), np.asarray(expected)
    if ours.shape != theirs.shape:
        return False
    kind = np.complex128 if "c" in (ours.dtype.kind, theirs.dtype.kind) else np.float64
    return bool(np.allclose(ours.astype(kind), theirs.astype(kind), rtol=tolerance, atol=tolerance, equal_nan=True))


def _peak(code: str, names: dict[str, Any]) -> tuple[float, float]:
    """Return the peak bytes that a statement allocates, and the bytes of its result."""
    _evaluate(code, names)  # fill caches, which are not memory of the operator
    tracemalloc.start()
    result = _evaluate(code, names)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(peak), float(result.nbytes)


def _installed_bytes(package: str, seen: set[str] | None = None) -> float:
    """Return the bytes on disk of a distribution and its requirements; 0 if it is not installed."""
    seen = set() if seen is None else seen
    name = re.sub(r"[-_.]+", "-", package).lower()
    if name in seen:
        return 0
    seen.add(name)
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return 0
    paths = [Path(str(distribution.locate_file(file))) for file in distribution.files or []]
    total = sum(path.stat().st_size for path in paths if path.suffix != ".pyc" and path.is_file())
    needs = [need for need in distribution.requires or [] if "extra ==" not in need]
    return total + sum(_installed_bytes(re.split(r"[^\w.-]", need, maxsplit=1)[0], seen) for need in needs)


def about(bench: Bench) -> dict[str, Any]:
    """Return the versions, the machine and the engine, on which ratios depend."""
    found = {"Python": platform.python_version()}
    for name in ("ml_dtypes", *(library.name for library in bench.libraries)):
        package = PACKAGES.get(name, name)
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "(not installed, from its sources)"
    ours = next((library.xp for library in bench.libraries if library.name == OURS), SimpleNamespace())
    return {"versions": found, "machine": platform.machine(), "engine": str(getattr(ours, "__engine__", "native"))}


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--smoke", action="store_true", help="a few cases of each section, without JAX and torch")
    parser.add_argument("-k", metavar="REGEX", help="only the cases whose section/case/size matches")
    parser.add_argument("--budget", type=float, default=0.15, metavar="SECONDS", help="time for each library in each case")
    parser.add_argument("--json", nargs="?", const=HERE / "results.json", type=Path, help="write the ratios as JSON")
    parser.add_argument("--svg", nargs="?", const=HERE / "results.svg", type=Path, help="draw the picture")
    parser.add_argument("--write", action="store_true", help="write both beside this file, and the block of RESULTS.md")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 if a bar is missed")
    args = parser.parse_args(argv)
    if args.write:
        args.json, args.svg = HERE / "results.json", HERE / "results.svg"
    return args


def main(argv: list[str] | None = None) -> int:
    """Measure, print the tables, and write the requested files."""
    args = parse(argv)
    start = time.monotonic()
    warnings.simplefilter("ignore")  # NumPy's own loops warn on narrow dtypes
    bench = Bench(args)
    measurements: list[Measurement] = []
    for measurement in bench.all():
        measurements.append(measurement)
        shown = ", ".join(f"{name} {ratio:.3g}" for name, ratio in measurement.ratios.items()) or "absent"
        place = f"{measurement.section}/{measurement.case}/{measurement.size}"
        print(f"[{time.monotonic() - start:5.0f} s] {place}: {shown}", flush=True)
    facts = about(bench)
    engine = facts["engine"]
    for section, title in TITLES.items():
        rows = [row for row in measurements if row.section == section]
        if rows:
            print("", title, "", *table(rows, engine=engine), sep="\n")
    if args.write:
        put("run", block(measurements, facts, TITLES))
    for path, text in ((args.json, as_json(measurements, facts)), (args.svg, draw(measurements))):
        if path:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path}")
    misses = missed(measurements, engine=engine)
    print(f"\n{bars_line(measurements, engine=engine)} {time.monotonic() - start:.0f} s")
    for row, other in misses:
        print(f"MISS {row.section}/{row.case}/{row.size} against {other}: {row.ratios.get(other, float('nan')):.3g}")
    return 1 if misses and args.strict else 0


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):
        # The libraries read these variables when they are imported, and they have been imported.
        again = subprocess.run([sys.executable, *sys.argv], env={**os.environ, **ONE_THREAD}, check=False)
        sys.exit(again.returncode)
    sys.exit(main())
