"""Replay the recorded dtypes of functions under each package's system, and count the cells that are equal and those listed.

``python -m conformance systems.replay_functions`` prints the table of README.md. The cells that differ are in listed.txt, each
line with a reason.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import supremum as xp
from supremum.promotion._nodes import ABSENT, NODES

HERE = Path(__file__).parent
RECORDINGS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "functions").glob("*.json"))
}
#: The settings of a recording: JAX without 64-bit types is a mode of ours.
SETTINGS: dict[str, dict[str, str]] = {"jax": {"promotion": "jax", "x64": "off"}}
#: Names outside of the namespace.
ELSEWHERE = {"logsumexp": xp.scipy.special.logsumexp}


class Cell(NamedTuple):
    """A recorded cell and what is answered here."""

    call: str
    #: The dtype of the operand, or both of a pair.
    dtypes: str
    expected: str
    got: str


class Names(Mapping[str, Any]):
    """Variables, and the functions of the namespace."""

    def __init__(self, **variables: Any) -> None:
        self._variables = {"inf": inf, **variables}

    def __getitem__(self, name: str) -> Any:
        if name in self._variables:
            return self._variables[name]
        return ELSEWHERE[name] if name in ELSEWHERE else getattr(xp, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)


@cache
def _operands(dtype: str) -> tuple[Any, Any, Any]:
    """Return a matrix, a vector and a vector of three of a dtype."""
    small: tuple[Any, ...] = ([[1, 0], [0, 1]], [0, 1], [1, 0, 1])
    given = small if dtype == "bool" else ([[2, 1], [1, 2]], [1, 2], [1, 2, 3])
    x, v, u = (xp.asarray(np.asarray(values).astype(NODES[dtype].dtype)) for values in given)
    return x, v, u


def _dtypes_of(result: Any) -> str:
    if isinstance(result, tuple | list):
        return ",".join(map(_dtypes_of, result))
    return str(result.dtype.name)


def _answer(call: str, names: Names) -> str:
    """Return the dtypes of a call's result, or the error."""
    try:
        return _dtypes_of(eval(call, {"__builtins__": {"__import__": __import__}}, names))  # noqa: S307 - of calls.txt
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        return f"{type(error).__name__}: {error}"


def cells(system: str) -> Iterator[Cell]:
    """Yield every cell of a recording that claims something."""
    found = RECORDINGS[system]
    names = [name for name in found["dtypes"] if name not in ABSENT]
    with xp.config.use(promotion="jax"):
        arrays = {name: _operands(name) for name in names}
        positions = xp.asarray([1, 0], dtype="int32")
    with xp.config.use(**SETTINGS.get(system, {"promotion": system})):
        for call, line in found["functions"].items():
            for dtype, expected in zip(found["dtypes"], line.split(), strict=True):
                if expected != "-" and dtype in arrays:
                    x, v, u = arrays[dtype]
                    yield Cell(call, dtype, expected, _answer(call, Names(x=x, v=v, u=u, i=positions)))
        for call, rows in found["pairs"].items():
            for row, line in rows.items():
                for column, expected in zip(found["dtypes"], line.split(), strict=True):
                    if expected != "-" and row in arrays and column in arrays:
                        (x, v, _), (y, w, _) = arrays[row], arrays[column]
                        yield Cell(call, f"{row} {column}", expected, _answer(call, Names(x=x, v=v, y=y, w=w)))
        for call, expected in found["defaults"].items():
            yield Cell(call, "", expected, _answer(call, Names()))


class Listed(NamedTuple):
    """A call and patterns of dtypes for which another dtype is answered than recorded."""

    call: str
    dtypes: tuple[str, ...]
    reason: str

    def matching(self, cell: Cell) -> list[str]:
        """Return the patterns that a cell matches."""
        return [pattern for pattern in self.dtypes if fnmatchcase(cell.dtypes, pattern)] if cell.call == self.call else []


def listed(system: str) -> list[Listed]:
    """Return the listed differences of a system."""
    found = []
    for line in (HERE / "listed.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            systems, calls, dtypes, reason = (part.strip() for part in line.split(" | "))
            if system in systems.split():
                found += [Listed(call, tuple(dtypes.split(", ")), reason) for call in calls.split("; ")]
    return found


def answers(system: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what is recorded of a package: a call and dtypes, and the answer."""
    found = RECORDINGS[system]
    for call, line in found["functions"].items():
        yield from (((call, dtype), answer) for dtype, answer in zip(found["dtypes"], line.split(), strict=True))
    for call, rows in found["pairs"].items():
        for row, line in rows.items():
            columns = zip(found["dtypes"], line.split(), strict=True)
            yield from (((call, f"{row} {column}"), answer) for column, answer in columns)


def row_of(system: str, every: Sequence[Cell]) -> str:
    """Return the row of the table of README.md for the cells of a system."""
    found = RECORDINGS[system]
    equal = sum(cell.got == cell.expected for cell in every)
    calls = len({cell.call for cell in every})
    package = f"{found['package']} {found['version']}"
    return f"| `{system}` | {package} | {calls} | {len(every):,} | {equal:,} | {len(every) - equal:,} |"


def main(argv: list[str]) -> int:  # noqa: ARG001 - scripts get their arguments
    """Print the counts of every recording as a table."""
    warnings.simplefilter("ignore")
    print("| system | package | calls | recorded | equal | listed |")
    print("|---|---|---|---|---|---|")
    for system in RECORDINGS:
        print(row_of(system, list(cells(system))))
    return 0
