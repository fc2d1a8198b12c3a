"""Docstrings in which a line of names stands for entries that many functions have."""

import inspect
import re
from operator import attrgetter
from pathlib import Path

import pytest

import supremum as xp
from supremum._base.parameter_texts import completed

SOURCE = """Draw.

    Parameters
    ----------
    key, shape
    scale : float
        The scale.

    Returns
    -------
    Array
"""


def test_names_alone_become_entries():
    lines = completed(SOURCE, "supremum.random.samplers").splitlines()
    assert lines[4:8] == [
        "    key : Array", "        A key.", "    shape : int or tuple of int", "        The shape of the result.",
    ]  # fmt: skip
    assert lines[8:] == SOURCE.splitlines()[5:]


def test_python_of_3_13_on_has_taken_the_indentation_away():
    doc = "Draw.\n\nParameters\n----------\nkey\nscale : float\n    The scale.\n"
    assert completed(doc, "supremum.random.samplers").splitlines()[4:6] == ["key : Array", "    A key."]


def test_names_with_a_text_below_are_as_they_are():
    doc = "Reduce.\n\n    Parameters\n    ----------\n    a, axis\n        As for `sum`.\n"
    assert completed(doc, "supremum._functions.statistical.reductions") == doc


def test_names_without_a_text_are_an_error():
    with pytest.raises(KeyError, match="unheard"):
        completed("Draw.\n\n    Parameters\n    ----------\n    unheard\n", "supremum.random.samplers")


@pytest.mark.parametrize(
    "name", ["random.normal", "sum", "linalg.eigh", "nn.relu", "scipy.signal.stft", "scipy.linalg.lu", "scipy.special.erf"]
)
def test_help_shows_the_entries_whole(name):
    entries = inspect.getdoc(attrgetter(name)(xp)).partition("Parameters\n----------\n")[2].partition("\n\n")[0].splitlines()
    assert all(" : " in line for line in entries if not line.startswith(" "))


def test_no_docstring_has_entries_of_one_line():
    short = re.compile(r"^ *(\w+(, \w+)* \([^)\n]+\)|returns): [A-Z].*", re.MULTILINE)
    found = []
    for path in Path(xp.__file__).parent.rglob("*.py"):
        docs = re.findall(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
        found += [(path.name, match[0]) for doc in docs for match in short.finditer(doc)]
    assert not found
