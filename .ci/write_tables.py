"""Write the tables of absent names in `docs/from-numpy.md` and `docs/from-torch.md`, behind a marker.

They are those of `src/supremum/_base/absent.txt`.
"""

import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from supremum._base import absent  # noqa: E402 - the line above adds its folder

#: The tables of each page: the library, and by kind the heading and how names are written.
PAGES: Final = {
    "from-numpy": (
        "NumPy",
        {
            "numpy": ("Functions and classes", "np.{}"),
            "random": ("Random numbers", "np.random.{}"),
            "Array": ("Attributes of arrays", "x.{}"),
            "argument": ("Arguments", "{}="),
        },
    ),
    "from-torch": (
        "PyTorch",
        {
            "torch": ("Functions and classes", "torch.{}"),
            "nn": ("Networks", "torch.nn.{}"),
            "Tensor": ("Attributes of arrays", "x.{}"),
            "dtype": ("Dtypes", '"{}"'),
        },
    ),
}
MARKER: Final = "<!-- written by .ci/write_tables.py from src/supremum/_base/absent.txt -->\n"


def tables(page: str) -> str:
    """Return the tables of names that do not exist, with what to write instead, for a page of `PAGES`."""
    parts = []
    library, kinds = PAGES[page]
    for kind, (heading, form) in kinds.items():
        parts.append(f"### {heading}\n\n| {library} | write | |\n|---|---|---|")
        groups: dict[tuple[str, str], list[str]] = {}
        for name, row in absent.rows(kind).items():
            groups.setdefault(row, []).append(f"`{form.format(name)}`")
        parts += [f"| {', '.join(names)} | {code and f'`{code}`'} | {note} |" for (code, note), names in groups.items()]
        parts.append("")
    return MARKER + "\n" + "\n".join(parts)


if __name__ == "__main__":
    for name in PAGES:
        page = ROOT / f"docs/{name}.md"
        before, _, after = page.read_text(encoding="utf-8").partition(MARKER)
        rest = after[after.index("\n## ") :] if "\n## " in after else ""
        page.write_text(before + tables(name) + rest, encoding="utf-8")
