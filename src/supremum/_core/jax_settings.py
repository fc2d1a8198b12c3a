"""The names of JAX's settings that are ignored."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from supremum._base.tables import read_table

MEANINGLESS: Final = frozenset(read_table(Path(__file__).with_suffix(".txt"))["ignored"][0][0].split())
