"""The golden tables of documents and of measured packages, aligned matrices of short codes; the page of the explorer."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from supremum._cli import exploring

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


@pytest.fixture(scope="session")
def page():
    """Return the page of the explorer, which takes some seconds to make."""
    return exploring.page()


@pytest.fixture(scope="session")
def data(page):
    """Return the data in the page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
