"""Measures of the source, each with a bound that it may not exceed: `python -m conformance measures`.

A change that lowers a measure lowers its bound with it; one that raises it states the reason where it raises the bound.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = ROOT / "src/supremum"
NATIVE: Final = ROOT / "native"
#: What each measure may be at most.
BOUNDS: Final = {
    "code lines of src": 40_151,  # optimizers, which NumPyro wants of example_libraries, and symbolic zeros within vmap
    "lines of C": 16_932,  # assignments by several arrays of indices, with updates by them
    "names of modules that occur twice": 0,
    "files in circles of C's includes": 0,
    "files of C in circles, with a header and its file as one": 0,
    "modules in circles of imports": 0,
    "files with lists of functions' names": 19,
    "steps from file to file: sum(x, axis=0)": 12,
    "steps from file to file: x.at[1].set(1)": 22,
    "steps from file to file: linalg.solve(x, y)": 8,
    "steps from file to file: asarray([1, 2.5])": 9,
}


def code_lines(source: str) -> int:
    """Return how many lines of Python have code: docstrings, comments and blank lines have none."""
    text = source.splitlines()
    lines = {number for number, line in enumerate(text, 1) if line.strip() and not line.lstrip().startswith("#")}
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant | ast.JoinedStr) and '"""' in text[node.lineno - 1]:
            lines.update(range(node.lineno, (node.end_lineno or 0) + 1))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return len(lines - docstrings)


def circles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the groups of more than one node that lead to each other."""
    reached = {node: _reached(graph, node) for node in graph}
    groups = {tuple(sorted(other for other in found if node in reached.get(other, ()))) for node, found in reached.items()}
    return sorted(list(group) for group in groups if len(group) > 1)


def _reached(graph: Mapping[str, Iterable[str]], start: str) -> set[str]:
    found: set[str] = set()
    rest = [start]
    while rest:
        new = set(graph.get(rest.pop(), ())) - found
        found |= new
        rest += new
    return found


def includes(folder: Path, *, pairs: bool = False) -> dict[str, set[str]]:
    """Return which files of C a file includes; with `pairs`, a header and the file of its name are one."""
    found: dict[str, set[str]] = {}
    for path in sorted([*folder.rglob("*.c"), *folder.rglob("*.h")]):
        names = re.findall(r'^\s*#\s*include "(?:.*/)?(\w+\.h)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        own, *given = (name.partition(".")[0] if pairs else name for name in (path.name, *names))
        found.setdefault(own, set()).update(set(given) - {own})
    return found


def repeated_names(paths: Iterable[Path]) -> list[str]:
    """Return the names that a module shares with another one, of modules that are no namespaces."""
    names = Counter(_parts(path)[-1] for path in paths)
    return sorted({_parts(path)[-1] for path in paths if names[_parts(path)[-1]] > 1 and not _is_namespace(path)})


def _parts(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def _is_namespace(path: Path) -> bool:
    """Return whether programs import a module by its name: also what they find as `jax` in processes of their own."""
    parts = _parts(path)
    return "children" in parts or not any(part.startswith("_") for part in parts)


def measured() -> dict[str, int]:
    """Return the measures of the source."""
    sys.path.insert(0, str(ROOT / "tests"))  # which know the graph of imports, and what a list of names is
    imports, lists = (import_module(f"test_{name}") for name in ("imports", "name_lists"))
    files = sorted(PACKAGE.rglob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    return {
        "code lines of src": sum(map(code_lines, sources.values())),
        "lines of C": sum(len(path.read_text("utf-8").splitlines()) for path in [*NATIVE.rglob("*.c"), *NATIVE.rglob("*.h")]),
        "names of modules that occur twice": len(repeated_names(files)),
        "files in circles of C's includes": sum(map(len, circles(includes(NATIVE)))),
        "files of C in circles, with a header and its file as one": sum(map(len, circles(includes(NATIVE, pairs=True)))),
        "modules in circles of imports": sum(map(len, circles(imports.graph()))),
        "files with lists of functions' names": sum(any(lists.lists_of(source)) for source in sources.values()),
        **{f"steps from file to file: {call}": count for call, count in _steps().items()},
    }


def _steps() -> dict[str, int]:
    """Return how often calls go on in another file, in the engine in Python."""
    environment = {**os.environ, "SUPREMUM_PURE": "1", "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, ROOT / "conformance/steps.py"], env=environment, capture_output=True, check=True)
    found: dict[str, int] = json.loads(done.stdout)
    return found


def main(argv: list[str]) -> int:  # noqa: ARG001 - scripts get their arguments
    """Print the measures; return 1 if one exceeds its bound."""
    found = measured()
    for name, value in found.items():
        print(f"{name:58} {value:7,}   at most {BOUNDS[name]:7,}{'' if value <= BOUNDS[name] else '   EXCEEDED'}")
    return int(any(value > BOUNDS[name] for name, value in found.items()))
