"""JAX's repository at the commit of 0.10.2, and the report that `run.py` and `cells.py` write into."""

from __future__ import annotations

from pathlib import Path

from conformance.checkouts import Checkout

__all__ = ["REPORT", "SUITE", "put"]

SUITE = Checkout(
    name="jax",
    url="https://github.com/jax-ml/jax",
    commit="310278eb46722c5678114d275b222d42f3cc9b71",
    variable="JAX_SUITE_DIR",
    holds="jax/_src",
)
REPORT = Path(__file__).resolve().parent / "README.md"


def put(text: str, start: str, end: str) -> None:
    """Put a text that has two marks into README.md, in place of what is between the marks."""
    before, _, rest = REPORT.read_text(encoding="utf-8").partition(start)
    REPORT.write_text(before + text + rest.partition(end)[2], encoding="utf-8")
