"""Tables in text: files of the package, and those that are shown.

Files have rows in sections, as ``[section]``, ``first column | second column | ...``. A line that is indented
belongs to the row before it; a line that begins with ``#`` is a comment.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pkgutil import get_data


def read_table(module: str, name: str) -> dict[str, list[list[str]]]:
    """Return the rows of each section of a table in a module's folder; spaces in a column are single ones."""
    rows: list[list[str]] = []
    sections: dict[str, list[list[str]]] = {}
    text = (get_data(module.rpartition(".")[0], name) or b"").decode()
    for line in text.replace("\n ", " ").splitlines():
        if line.startswith("["):
            rows = sections[line.strip("[]")] = []
        elif line and not line.startswith("#"):
            rows.append([" ".join(column.split()) for column in line.split("|")])
    return sections


def aligned(rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return rows of cells as lines with the columns below each other; those at the indices `right` end below each other."""
    columns = []
    for i, column in enumerate(zip(*rows, strict=True)):
        width = max(map(len, column))
        columns.append([cell.rjust(width) if i in right else cell.ljust(width) for cell in column])
    return ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
