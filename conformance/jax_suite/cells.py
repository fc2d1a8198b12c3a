"""Run the code cells of JAX's documentation with `supremum.jax` in place of JAX, as ``python -m supremum run`` does.

    python -m conformance jax_suite.cells                        # the pages of `PAGES`; writes their table into README.md
    python -m conformance jax_suite.cells control-flow --show    # one page, with the errors
    python -m conformance jax_suite.cells --jax                  # with the real JAX, if it is installed

The checkout is that of `run.py`. A cell passes if it runs to its end, or raises where the page says that it does. With
the real JAX installed, what the cells print and show is compared as well. What is out of scope, and why outputs differ, is in
cells.toml.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from conformance.checkouts import NO_SUITE, SuiteError
from conformance.jax_suite.suite import SUITE, put

HERE = Path(__file__).resolve().parent

#: The pages that need little or no differentiation, no several devices and no other packages.
PAGES = (
    "automatic-vectorization", "control-flow", "custom_pytrees", "debugging", "external-callbacks", "jit-compilation",
    "key-concepts", "pytrees", "random-numbers", "stateful-computations", "tracing", "notebooks/Common_Gotchas_in_JAX",
    "notebooks/convolutions", "notebooks/thinking_in_jax", "notebooks/vmapped_log_probs",
)  # fmt: skip
START, END = "<!-- cells: written by cells.py -->", "<!-- end of cells -->"
#: What a cell that asks for a debugger reads: the command to continue.
ANSWERS = "c\n" * 100


@dataclass
class Known:
    """What cells.toml knows: why cells are out by the errors that they raise, and why outputs differ."""

    out: list[tuple[re.Pattern[str], str]]
    explained: dict[str, str]

    @classmethod
    def read(cls, path: Path = HERE / "cells.toml") -> Known:
        """Read the reviewed list."""
        with path.open("rb") as file:
            data = tomllib.load(file)
        out = [(re.compile(pattern), entry["reason"]) for entry in data["out"] for pattern in entry["raises"]]
        return cls(out, {cell: entry["reason"] for entry in data["explained"] for cell in entry["cells"]})

    def why_out(self, error: str) -> str:
        """Return why a cell that raises an error is out; an empty text if it is not."""
        return next((reason for pattern, reason in self.out if pattern.match(error)), "")


KNOWN = Known.read()


def cells_of(page: Path) -> list[tuple[str, str]]:
    """Return the code of each cell of a page, and its tags."""
    found = re.findall(r"^```\{code-cell\}[^\n]*\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    made = []
    for text in found:
        options = re.match(r"(---\n.*?\n---\n|(:[^\n]*\n)*)", text, re.DOTALL)
        head = options[0] if options else ""
        made.append((plain(text[len(head) :]), head))
    return made


def plain(code: str) -> str:
    """Return a cell as Python: what is timed is called once, other commands of the notebook are left out."""
    lines = []
    for line in code.splitlines():
        if found := re.match(r"(\s*)%%?(?:timeit|time)\b(?:\s+-\S+(?:\s+\d+)?)*\s*(.*)", line):
            lines.append(found[1] + found[2])
        elif not re.match(r"\s*[%!]", line):
            lines.append(line)
    return "\n".join(lines)


def run_page(page: Path, real: bool) -> list[dict[str, str]]:
    """Run the cells of a page in this process; return the output and the error of each."""
    if not real:
        from supremum.jax import install

        install()
    importlib.import_module("jax")  # before the seed: imports may draw numbers
    sys.modules["scipy.datasets"] = datasets()
    sys.stdin = io.StringIO(ANSWERS)
    np.random.seed(0)  # noqa: NPY002 - pages draw numbers from NumPy's global generator
    names: dict[str, Any] = {"__name__": "__main__"}
    results = []
    for number, (code, options) in enumerate(cells_of(page)):
        out = io.StringIO()
        error = ""
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            try:
                run_cell(code, f"cell {number}", names)
            except (Exception, SystemExit) as raised:  # noqa: BLE001 - whatever a cell raises is its result
                error = f"{type(raised).__name__}: {raised}"
        names_set = sorted({node.id for node in ast.walk(parse(code)) if isinstance(node, ast.Name)} | defined(code))
        results.append(
            {"code": code, "options": options, "output": out.getvalue(), "error": error, "names": " ".join(names_set)}
        )
    return results


def datasets() -> ModuleType:
    """Return a stand-in for `scipy.datasets`, which would download its pictures."""
    rows, columns, channels = np.ogrid[:768, :1024, :3]
    made: Any = ModuleType("scipy.datasets")
    made.face = lambda: ((rows * columns // 64 + 40 * channels) % 256).astype(np.uint8)
    found: ModuleType = made
    return found


def parse(code: str) -> ast.Module:
    """Return the syntax tree of a cell; an empty one where it is not Python."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def defined(code: str) -> set[str]:
    """Return the names of functions and classes that a cell defines."""
    return {node.name for node in ast.walk(parse(code)) if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def run_cell(code: str, name: str, names: dict[str, Any]) -> None:
    """Run a cell; show the value of an expression at its end."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)  # noqa: S102 - a cell of the documentation
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307 - likewise
        if value is not None:
            print(repr(value))


def judge(results: list[dict[str, str]]) -> list[str]:
    """Return the verdict on each cell: "passed", a reason why it is out, or the error."""
    verdicts: list[str] = []
    lost: set[str] = set()  # names that a cell before would have defined
    for cell in results:
        raises = "raises-exception" in cell["options"]
        error = cell["error"]
        verdict = "passed"
        if raises and not error:
            verdict = "out: an error of traced values"
        elif error and not raises:
            reason = KNOWN.why_out(error)
            verdict = f"out: {reason}" if reason else f"FAILED {error}"
            missing = re.match(r"NameError: name '(\w+)'", error)
            if missing and missing[1] in lost:
                verdict = "out: a name of a cell that is out"
        elif error and (reason := KNOWN.why_out(error)):
            verdict = f"out: {reason}"
        if verdict != "passed":
            lost |= set(cell["names"].split())
        verdicts.append(verdict)
    return verdicts


def same_output(ours: str, theirs: str) -> bool:
    """Return whether two outputs are equal but for spaces, addresses, times, and digits beyond the fifth."""

    def normal(text: str) -> list[object]:
        text = re.sub(r"0x[0-9a-f]+|\d+(\.\d+)? ?(ms|µs|ns|s)\b", "", text)
        parts = re.findall(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|[^\s\d]+", text)
        return [float(part) if re.match(r"[-+]?\d", part) else part for part in parts]

    first, second = normal(ours), normal(theirs)
    return len(first) == len(second) and all(
        abs(a - b) <= 1e-5 * max(abs(a), abs(b), 1e-2) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(first, second, strict=True)
    )


def in_process(suite: Path, page: str, real: bool) -> list[dict[str, str]]:
    """Run a page in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "cells.json"
        command = [sys.executable, "-m", "conformance", "jax_suite.cells", "--worker", str(out), "--suite", str(suite), page]
        paths = os.pathsep.join(filter(None, (str(HERE.parents[1]), os.environ.get("PYTHONPATH"))))
        env = {**os.environ, "JAX_PLATFORMS": "cpu", "MPLBACKEND": "Agg", "PYTHONPATH": paths}
        done = subprocess.run(
            command + ["--jax"] * real, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=600, check=False,
        )  # fmt: skip
        if not out.exists():
            raise RuntimeError(f"{page}: {done.stderr[-500:]}")
        found: list[dict[str, str]] = json.loads(out.read_text(encoding="utf-8"))
        return found


def report(pages: dict[str, tuple[list[dict[str, str]], list[dict[str, str]]]]) -> str:
    """Return the table of the pages as Markdown."""
    compared = any(theirs for _, theirs in pages.values())
    lines = [START, "", "| page | cells | passed | out | failed |" + (" JAX | same output | explained |" if compared else "")]
    lines += ["|---|---:|---:|---:|---:|" + ("---:|---:|---:|" if compared else "")]
    total: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    notes: list[str] = []
    explained: dict[str, list[str]] = {}
    for page, (ours, theirs) in pages.items():
        verdicts = judge(ours)
        counts: Counter[str] = Counter(verdict.split(":")[0].split(" ")[0] for verdict in verdicts)
        counts["cells"] = len(ours)
        reasons.update(verdict.removeprefix("out: ") for verdict in verdicts if verdict.startswith("out"))
        tail = ""
        if theirs:
            both = [
                i
                for i, verdict in enumerate(verdicts)
                if verdict == "passed" and not ours[i]["error"] and not theirs[i]["error"]
            ]
            different = [i for i in both if not same_output(ours[i]["output"], theirs[i]["output"])]
            counts["JAX"] = sum(not cell["error"] or "raises-exception" in cell["options"] for cell in theirs)
            names = {f"{page} {i + 1}" for i in different}
            for name in names & set(KNOWN.explained):
                explained.setdefault(KNOWN.explained[name], []).append(name)
            unknown = names - set(KNOWN.explained)
            counts["both"], counts["same"] = len(both), len(both) - len(different)
            counts["explained"] = len(different) - len(unknown)
            tail = f" {counts['JAX']} | {counts['same']} of {counts['both']} | {counts['explained']} |"
            notes += [f"- {page}, cell {i + 1}: another output" for i in different if f"{page} {i + 1}" in unknown]
            stale = {name for name in KNOWN.explained if name.rpartition(" ")[0] == page} - names
            notes += [f"- {name}: explained in cells.toml, but the outputs do not differ" for name in sorted(stale)]
        notes += [
            f"- {page}, cell {i + 1}: `{verdict[7:160]}`" for i, verdict in enumerate(verdicts) if verdict.startswith("FAILED")
        ]
        total += counts
        lines.append(f"| {page} | {len(ours)} | {counts['passed']} | {counts['out']} | {counts['FAILED']} |{tail}")
    tail = f" {total['JAX']} | {total['same']} of {total['both']} | {total['explained']} |" if compared else ""
    lines.append(f"| **all** | {total['cells']} | {total['passed']} | {total['out']} | {total['FAILED']} |{tail}")
    lines += [
        "",
        "Out by reason: " + ", ".join(f"{reason} {count}" for reason, count in reasons.most_common()) + ".",
        "",
        *notes,
    ]
    if explained:
        order = {cell: number for number, cell in enumerate(KNOWN.explained)}
        lines += ["", "Other outputs, explained (cells.toml):", ""]
        lines += [
            f"- {reason} {', '.join(sorted(cells, key=order.__getitem__))}."
            for reason, cells in sorted(explained.items(), key=lambda item: min(order[cell] for cell in item[1]))
        ]
    return "\n".join([*lines, "", END])


def main(argv: list[str]) -> int:
    """Run the pages and return the exit status: 1 if a cell failed, 77 without a checkout."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="pages of docs/ (default: those that need no derivatives)")
    parser.add_argument("--suite", metavar="DIR", help="a checkout of JAX")
    parser.add_argument("--show", action="store_true", help="print the errors and different outputs")
    parser.add_argument("--jax", action="store_true", help="run the cells with the real JAX only")
    parser.add_argument("--worker", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    try:
        suite = SUITE.find(args.suite)
    except SuiteError as error:
        print(f"\n*** JAX'S CELLS NOT RUN: {error}\n*** status {NO_SUITE}: nothing was tested.\n", file=sys.stderr)
        return NO_SUITE
    if args.worker:
        found = run_page(suite / "docs" / f"{args.pages[0]}.md", args.jax)
        Path(args.worker).write_text(json.dumps(found), encoding="utf-8")
        return 0
    names = [name.removesuffix(".md") for name in args.pages] or list(PAGES)
    has_jax = importlib.util.find_spec("jax") is not None

    def both(page: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
        ours = in_process(suite, page, args.jax)
        theirs = in_process(suite, page, True) if has_jax and not args.jax else []
        print(f"== {page}: {sum(verdict == 'passed' for verdict in judge(ours))} of {len(ours)} passed", flush=True)
        return ours, theirs

    with ThreadPoolExecutor(2) as pool:
        pages = dict(zip(names, pool.map(both, names), strict=True))
    text = report(pages)
    print(text)
    if args.show:
        for page, (ours, theirs) in pages.items():
            show(page, ours, theirs)
    if not args.pages and not args.jax:
        put(text, START, END)
    return int(any(verdict.startswith("FAILED") for ours, _ in pages.values() for verdict in judge(ours)))


def show(page: str, ours: list[dict[str, str]], theirs: list[dict[str, str]]) -> None:
    """Print the cells that did not pass, and those whose outputs differ."""
    for i, (cell, verdict) in enumerate(zip(ours, judge(ours), strict=True)):
        other = theirs[i] if theirs else None
        differs = other and verdict == "passed" and not other["error"] and not same_output(cell["output"], other["output"])
        if verdict != "passed" or differs:
            print(f"\n######## {page}, cell {i + 1}: {verdict}\n{cell['code']}")
        if differs and other:
            print(f"-------- ours\n{cell['output']}-------- JAX\n{other['output']}")
