"""The matrices of promotion systems that are no lattices: `matrices.txt` has what was measured or documented."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from supremum._base.tables import read_table


@cache
def _matrices() -> dict[str, list[list[str]]]:
    return read_table(Path(__file__).with_name("matrices.txt"))


def matrix(name: str) -> str:
    """Return a matrix, as `PromotionSystem.from_matrix` takes it: types in the first line, then a row for each of them."""
    return "\n".join([row for (row,) in _matrices()[name]]).removeprefix("+")
