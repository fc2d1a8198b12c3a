"""Read the golden tables of documents and of measured packages, which are aligned matrices of short codes."""

from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
Table = dict[tuple[str, str], str]


def read(name: str) -> Table:
    """Return the cells of a golden table by the codes of row and column; ``-`` is an error."""
    lines = [line.split() for line in (GOLDEN / f"{name}.txt").read_text().splitlines() if not line.startswith("#")]
    columns, *rows = lines
    return {(row, column): cell for row, *cells in rows for column, cell in zip(columns, cells, strict=True)}


@pytest.fixture
def golden() -> Callable[[str], Table]:
    return read
