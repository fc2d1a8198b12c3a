"""Tables that are files of the package: rows in sections, as ``[section]``, ``first column | second column | ...``.

A line that is indented belongs to the row before it; a line that begins with ``#`` is a comment.
"""

from __future__ import annotations

from pathlib import Path


def read_table(path: Path) -> dict[str, list[list[str]]]:
    """Return the rows of each section of a table; spaces in a column are single ones."""
    rows: list[list[str]] = []
    sections: dict[str, list[list[str]]] = {}
    text = path.read_text(encoding="utf-8")
    for line in text.replace("\n ", " ").splitlines():
        if line.startswith("["):
            rows = sections[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            rows.append([" ".join(column.split()) for column in line.split("|")])
    return sections
