"""The promotion systems of this package, by name: data in `systems.txt` and `matrices.txt`; each is built on first access."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from supremum._base import html
from supremum._base.exceptions import describe, nearest
from supremum._base.tables import read_table
from supremum.promotion._nodes import ROWS
from supremum.promotion._system import PromotionSystem, SystemData

__all__ = ["SYSTEMS", "Systems"]

_MAPPINGS: Final = frozenset(("aliases", "defaults", "inexact", "operands", "results"))
#: The rows of each system.
_ROWS: Final = read_table(__name__, "systems.txt")
_NAMES: Final = [name for name in _ROWS if not name.startswith("_")]


@cache
def _matrices() -> dict[str, list[list[str]]]:
    return read_table(__name__, "matrices.txt")


def _matrix(name: str) -> str:
    return "\n".join([row for (row,) in _matrices()[name]]).removeprefix("+")


#: What the words for the narrow dtypes of a kind mean in edges and keys.
_NARROW: Final = {
    f"narrow-{kind}": [name for name, row in ROWS.items() if row.kind[0] == kind and not row.is_common] for kind in "uifc"
}


def _expanded(words: list[str]) -> list[str]:
    return [name for word in words for name in _NARROW.get(word, (word,))]


def _data(name: str) -> SystemData:
    """Return the definition of a system, as `systems.txt` says what its rows are."""
    data = SystemData()
    fields: dict[str, Any] = {}
    for head, text in _ROWS[name]:
        field, _, keys = head.partition(" ")
        before = fields.get(field, getattr(data, field, None))
        if field == "like":
            data = _data(text)
        elif field in ("edges", "variants", *_MAPPINGS):
            value: Any = _expanded(text.split()) if field == "edges" else _matrix(text) if field == "variants" else text
            fields[field] = {**(before or {}), **dict.fromkeys(_expanded(keys.split(", ")), value)}
        elif field == "matrix":
            fields[field] = _matrix(text)
        elif field == "symbols":
            symbol, code, bits, kind = text.split()
            fields[field] = (*fields.get(field, ()), (symbol, code, int(bits), kind))
        elif field == "tiers":
            fields[field] = tuple(text.split())
        elif field == "refusal":  # goes on in the middle of a sentence
            fields[field] = f" {text}"
        elif field not in SystemData._fields:
            raise ValueError(f"systems.txt: system {name!r}: there is no field {field!r}")
        else:
            fields[field] = text == "yes" if isinstance(before, bool) else text
    return data._replace(**fields)


class Systems(Mapping[str, PromotionSystem]):
    """A read-only mapping from names to promotion systems.

    Examples
    --------
    >>> from supremum.promotion import systems
    >>> systems["jax"]
    <promotion system 'jax': 3... types>
    """

    def __init__(self) -> None:
        self._built: dict[str, PromotionSystem] = {}

    def __getitem__(self, name: object) -> PromotionSystem:
        if not isinstance(name, str) or name not in _NAMES:
            hint = nearest(name, _NAMES) or f"; the systems are {', '.join(_NAMES)}"
            raise UnknownSystemError(f"systems: there is no promotion system {describe(name)}{hint}")
        (kind, other), *_ = _ROWS[name]
        if kind == "same":
            return self[other]
        if name not in self._built:
            self._built.setdefault(name, PromotionSystem(name, _data(name)))
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)

    def __repr__(self) -> str:
        return f"<promotion systems: {', '.join(_NAMES)}>"

    def _repr_html_(self) -> str:
        rows = [tuple(filter(None, re.split(r"\s{2,}", line))) for line in str(self).splitlines()]
        return html.table(rows, caption=f"{len(self)} promotion systems")

    def __str__(self) -> str:
        """Return a line for each system: its name, its types, its form, its source and its title."""
        from supremum.promotion._render import lines_of_systems

        return lines_of_systems(self)


class UnknownSystemError(KeyError, ValueError):
    """No promotion system has that name; a KeyError, as mappings raise, whose text is the message itself."""

    __module__ = "supremum.errors"

    def __str__(self) -> str:
        return str(self.args[0])


SYSTEMS: Final = Systems()
PromotionSystem.known = SYSTEMS
