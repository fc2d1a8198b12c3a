"""Write the tables of absent names in `docs/from-numpy.md`, behind a marker, from `src/supremum/_base/absent.py`."""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from supremum._base import absent  # noqa: E402 - the line above adds its folder

#: The heading of each table of absent names, and what the names begin with.
HEADINGS: Final = {
    "numpy": ("Functions and classes", "np."),
    "random": ("Random numbers", "np.random."),
    "Array": ("Attributes of arrays", "x."),
    "argument": ("Arguments", ""),
}
MARKER: Final = "<!-- written by .ci/write_tables.py from src/supremum/_base/absent.py -->\n"


def tables() -> str:
    """Return the tables of names that do not exist, with what to write instead, for `docs/from-numpy.md`."""
    parts = []
    for kind, (heading, prefix) in HEADINGS.items():
        parts.append(f"### {heading}\n\n| NumPy | write | |\n|---|---|---|")
        groups: dict[tuple[str, str], list[str]] = {}
        for name, row in absent.rows(kind).items():
            groups.setdefault(row, []).append(f"`{prefix}{name}{'=' * (kind == 'argument')}`")
        parts += [f"| {', '.join(names)} | {code and f'`{code}`'} | {note} |" for (code, note), names in groups.items()]
        parts.append("")
    return MARKER + "\n" + "\n".join(parts)


if __name__ == "__main__":
    page = ROOT / "docs/from-numpy.md"
    before, _, after = page.read_text(encoding="utf-8").partition(MARKER)
    page.write_text(before + tables() + after[after.index("\n## ") :], encoding="utf-8")
