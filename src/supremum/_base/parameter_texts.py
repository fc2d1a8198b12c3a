"""What the docstrings of many functions say of a parameter: `parameter_texts.txt`, by packages.

In the source, a line of names alone has these texts: ``key, shape`` below "Parameters" is an entry for each.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from supremum._base.tables import read_table

_SECTION: Final = re.compile(r"^( *)Parameters\n\1-+\n((?:\1 *\S.*\n)+)", re.MULTILINE)


@cache
def _table() -> dict[str, list[list[str]]]:
    return read_table(Path(__file__).with_suffix(".txt"))


@cache
def _texts(module: str) -> dict[str, tuple[str, str]]:
    """Return what is said of parameters in a module, by their names."""
    inner = [package for package in _table() if f"{module}.".startswith(f"supremum.{package}.")]
    return {names: (kind, text) for package in inner for names, kind, text in _table()[package]}


def completed(doc: str, module: str) -> str:
    """Return the docstring of a function of a module with an entry for each parameter."""
    section = _SECTION.search(doc)
    if section is None:
        return doc
    margin, entries = section.groups()

    def entry(names: str) -> str:
        kind, text = _texts(module)[names]
        return f"{margin}{names} : {kind}\n{margin}    {text}"

    def expanded(line: re.Match[str]) -> str:
        names = line[1]
        return "\n".join(map(entry, [names] if names in _texts(module) else names.split(", ")))

    bare = re.compile(rf"^{margin}([\w*, ]*\w)$(?!\n{margin} )", re.MULTILINE)
    return doc[: section.start(2)] + bare.sub(expanded, entries) + doc[section.end(2) :]
