"""The sources have no private dialect: these words occur in their ordinary meanings only, each in a table."""

import re
from pathlib import Path

import pytest
from common import for_each

import supremum

PACKAGE = Path(supremum.__file__).parent
NATIVE = PACKAGE.parents[1] / "native"
#: The words, of which identifiers are made too: `_met_at` and `answerCell` have one.
WORDS = re.findall(
    r"\w+",
    "room rooms way ways meet meets meeting met beside behaved answer answers answered answering ask asks asked asking "
    "tell tells told telling stand stands stood nobody",
)
FOUND = re.compile(
    rf"(?<![a-zA-Z])({'|'.join(WORDS)})(?![a-z])"
    rf"|({'|'.join(word.title() for word in WORDS)})(?![a-z])"
    rf"|(?<![A-Z])({'|'.join(word.upper() for word in WORDS)})(?![A-Za-z])"
)
#: Ordinary uses: the file, the word, and what it is there.
ORDINARY = {
    ("io.py", "tell"): "a method of Python's files",
    ("promotion/_explain.py", "met"): "an attribute of `Explanation` that users know",
    ("promotion/_explore.css", "answer"): "the page has questions and their answers",
    ("promotion/_explore.html", "answer"): "the page has questions and their answers",
    ("promotion/_explore_model.js", "answer"): "the page has questions and their answers",
    ("promotion/_explore_views.js", "answer"): "the page has questions and their answers",
    ("promotion/_explore_views.js", "answers"): "the page has questions and their answers",
    ("scipy/special/_gamma_functions.py", "ways"): "ways to choose some of several things",
}
SUFFIXES = (".py", ".pyi", ".js", ".html", ".css", ".c", ".h")
SOURCES = [(root, path) for root in (PACKAGE, NATIVE) for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES]


def test_words_have_their_ordinary_meanings():
    found = {}
    for root, path in SOURCES:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            for word in FOUND.finditer(line):
                found.setdefault((path.relative_to(root).as_posix(), word.group().lower()), number)
    new = {key: f"line {number}" for key, number in found.items() if key not in ORDINARY}
    assert not new, "a plain word is needed here, or a line in the table"
    assert found.keys() == ORDINARY.keys(), "the table has lines that are not needed"


@pytest.mark.parametrize(
    "text", ["_met_at(y)", "answerCell()", "It stands for None.", "# Nobody asks", "HAS_ROOM", "class AWay:"]
)
def test_words_are_found(text):
    assert FOUND.search(text)


@for_each("text", ["always", "method", "PyMethodDef", "understands", "task", "METH_NOARGS", "standard", "bedroom"])
def test_other_words_are_not(text):
    assert not FOUND.search(text)
