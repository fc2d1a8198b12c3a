"""Write the table of ``docs/jax-programs.md`` from the recordings: ``python -m conformance jax_libraries.page``."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "jax-programs.md"
START, END = "<!-- libraries: written by conformance/jax_libraries/page.py -->", "<!-- end of libraries -->"


def table() -> str:
    """Return the table, as Markdown."""
    rows = [
        row(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "", json.loads(data_of(path)))
        for path in sorted((HERE / "programs").glob("*.py"))
    ]
    return "\n".join(
        ["| library | version | runs, with JAX's values | raises `NotImplementedError` |", "|---|---|---|---|", *rows]
    )


def data_of(path: Path) -> str:
    """Return what was recorded of a program."""
    return (HERE / "data" / f"{path.stem}.json").read_text(encoding="utf-8")


def row(doc: str, record: dict[str, Any]) -> str:
    """Return the line of a library: its program's docstring, its versions, what the program calls, and what it lacks."""
    name, _, about = doc.partition(": ")
    versions = ", ".join(f"{package} {version}" for package, version in record["versions"].items())
    runs = f"{about.rstrip('.')}: {', '.join(case.replace('_', ' ') for case in record['results'])}"
    lacks = "; ".join(f"{', '.join(names)} ({word})" for word, names in record["lacks"].items())
    return f"| {name} | {versions} | {runs} | {lacks} |"


def page() -> str:
    """Return the page with the table of now."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    return f"{before}{START}\n\n{table()}\n\n{END}{rest.partition(END)[2]}"


def main(argv: list[str]) -> None:  # noqa: ARG001 - scripts get their arguments
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
