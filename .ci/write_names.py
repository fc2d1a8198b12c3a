"""Write `src/supremum/_homes.py`, which says in which module each name of the namespace is.

The names are those in the `__all__` of the modules below. Run this after a change of an `__all__`; `tests/test_namespace.py`
fails while the file is out of date.
"""

import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Final

_FUNCTIONS: Final = [
    "calculus", "closeness", "constants", "creation.conversion", "creation.filled", "creation.grids", "creation.matrices",
    "creation.ranges", "creation.windows", "data_types", "elementwise._ufunc", "elementwise.angles", "elementwise.arithmetic",
    "elementwise.bits", "elementwise.comparison", "elementwise.complex_parts", "elementwise.exponential",
    "elementwise.floating", "elementwise.rounding", "elementwise.trigonometry", "functional", "histograms", "indexing.gather",
    "indexing.positions", "indexing.scatter", "inspection", "linear_algebra.contractions", "linear_algebra.einsums",
    "linear_algebra.products", "manipulation.axes", "manipulation.editing", "manipulation.joining", "manipulation.padding",
    "manipulation.repeating", "manipulation.shapes", "manipulation.splitting", "packing", "polynomials", "printing",
    "scalar_types", "searching", "sets", "sorting", "statistical.averages", "statistical.nan_skipping",
    "statistical.quantiles", "statistical.reductions", "transformations", "utility", "where",
]  # fmt: skip
#: The modules, and those of their names that the namespace has, if not all.
MODULES: Final = {
    **dict.fromkeys(f"_functions.{module}" for module in _FUNCTIONS),
    "explaining": None,
    "io": ("load", "save", "savez", "savez_compressed"),
    "lens": ("precision_lens",),
    "tracing": None,
}
HEAD: Final = '''\
# fmt: off
# ruff: noqa: I001, PLC0414 - the lines are short and the aliases export the names
"""The module of each name of the namespace; `.ci/write_names.py` writes this file from the `__all__` of the modules."""

from typing import TYPE_CHECKING, Final

HOMES: Final = {
'''


def text() -> str:
    """Return what the file has to contain."""
    rows, imports = [], []
    for home, only in MODULES.items():
        names = sorted(only or import_module(f"supremum.{home}").__all__)
        rows.append(_wrapped(f'    "{home}": "', " ".join(names), '",', f'    "{home}": """', '    """,'))
        start, aliases = f"    from supremum.{home} import ", ", ".join(f"{name}~as~{name}" for name in names)
        imports.append(_wrapped(start, aliases, "", f"{start}(", "    )"))
    return "\n".join([HEAD + "\n".join(rows), "}", "", "if TYPE_CHECKING:  # the names for type checkers", *imports, ""])


def _wrapped(start: str, words: str, end: str, first: str, last: str) -> str:
    """Return words in one line, or in several if they are too long; a tilde becomes a space."""
    lines = [start + words + end]
    if len(lines[0]) > 127:
        lines = [first, textwrap.fill(words, 127, initial_indent=" " * 8, subsequent_indent=" " * 8), last]
    return "\n".join(lines).replace("~", " ")


if __name__ == "__main__":
    source = Path(sys.argv[1] if len(sys.argv) > 1 else "src/supremum").resolve()
    sys.path.insert(0, str(source.parent))
    content = text()
    (source / "_homes.py").write_text(content, encoding="utf-8")
