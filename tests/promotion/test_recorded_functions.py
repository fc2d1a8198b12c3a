"""With a system in force, every function gives the dtypes that the functions of its package give.

The recordings are made by conformance/systems/record_functions.py from the live packages. Cells that differ are listed with
their reasons in conformance/systems/listed.txt; a line there that no longer differs fails.
"""

import re
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "conformance" / "systems"
sys.path.insert(0, str(FOLDER))

import replay_functions as replay  # noqa: E402 - its directory had to be made importable


@pytest.mark.parametrize("system", replay.RECORDINGS)
@pytest.mark.filterwarnings("ignore")  # parts of complex numbers are dropped, 64-bit dtypes are truncated
def test_functions_answer_as_their_package(system):
    entries = replay.listed(system)
    used, wrong = set(), []
    for cell in replay.cells(system):
        if cell.got == cell.expected:
            continue
        hits = {entry for entry in entries if entry.matches(cell)}
        used |= hits
        if not hits:
            wrong.append(f"{cell.call} of {cell.dtypes}: {cell.got} instead of {cell.expected}")
    assert not wrong, f"{len(wrong)} cells differ from {system}'s: {wrong[:20]}"
    unused = [entry for entry in entries if entry not in used]
    assert not unused, f"listed, but equal: {unused}"


def test_every_listed_difference_has_a_recording_and_a_reason():
    for line in (FOLDER / "listed.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            systems, _, _, reason = line.split(" | ")
            assert set(systems.split()) <= set(replay.RECORDINGS)
            assert len(reason) > 10


def test_the_counts_of_the_readme_are_of_these_recordings():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == set(replay.RECORDINGS)
