"""With a system in force, every function gives the dtypes that the functions of its package give.

The recordings are made by conformance/systems/record_functions.py from the live packages. Cells that differ are listed with
their reasons in conformance/systems/listed.txt; a line there that covers a cell that is equal fails.
"""

import re
import warnings
from functools import cache
from pathlib import Path

import pytest
from common import for_each

from conformance.systems import replay_functions as replay

FOLDER = Path(__file__).parents[2] / "conformance" / "systems"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
REFUSED = "JAX and this package refuse the dtype"


@cache
def cells(system):
    with warnings.catch_warnings():  # parts of complex numbers are dropped, 64-bit dtypes are truncated
        warnings.simplefilter("ignore")
        return tuple(replay.cells(system))


@pytest.mark.parametrize("system", replay.RECORDINGS)
def test_functions_answer_as_their_package(system):
    entries = replay.listed(system)
    used, wrong, stale = set(), [], []
    for cell in cells(system):
        hits = {(entry, pattern) for entry in entries for pattern in entry.matching(cell)}
        if cell.got == cell.expected:
            stale += [(cell.call, cell.dtypes, pattern) for _, pattern in hits]
        elif not hits:
            wrong.append(f"{cell.call} of {cell.dtypes}: {cell.got} instead of {cell.expected}")
        used |= hits
    assert not wrong, f"{len(wrong)} cells differ from {system}'s: {wrong[:20]}"
    assert not stale, f"listed, but equal: {stale[:20]}"
    unused = {(entry.call, pattern) for entry in entries for pattern in entry.dtypes if (entry, pattern) not in used}
    assert not unused, f"listed, but not recorded: {unused}"


@for_each("system", replay.RECORDINGS)
def test_the_readme_counts_these_cells(system):
    assert replay.row_of(system, cells(system)) in README.splitlines()


def test_every_listed_difference_has_a_recording_and_a_reason():
    for line in (FOLDER / "listed.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            systems, _, _, reason = line.split(" | ")
            assert set(systems.split()) <= set(replay.RECORDINGS)
            assert len(reason) > 10


@for_each("system", replay.RECORDINGS)
def test_what_is_listed_as_refused_is_refused_by_jax_and_here(system):
    jax = dict(replay.answers("jax_x64"))
    entries = [entry for entry in replay.listed(system) if entry.reason == REFUSED]
    for cell in cells(system):
        if any(entry.matching(cell) for entry in entries):
            assert "Error: " in cell.got
            assert jax.get((cell.call, cell.dtypes), "-") == "-", cell


def test_the_readme_has_no_other_systems():
    assert set(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == set(replay.RECORDINGS)
