"""The measures of the source: what counts as code, circles and names that occur twice; and that no bound is exceeded."""

import pytest

from conformance import measures

SOURCE = '''"""A module.

Of two lines."""

# a comment
x = [
    1,
]


def f():
    """Return a text."""
    return """

"""
'''


def test_code_lines_are_those_without_docstrings_comments_and_blanks():
    assert measures.code_lines(SOURCE) == 3 + 1 + 3


def test_circles_of_a_graph():
    graph = {"a": ["b"], "b": ["c"], "c": ["b", "d"], "d": [], "e": ["a"]}
    assert measures.circles(graph) == [["b", "c"]]


def test_circles_of_includes(tmp_path):
    (tmp_path / "low.h").write_text("#include <stdio.h>\n")
    (tmp_path / "low.c").write_text('#include "high.h"\n')
    (tmp_path / "high.h").write_text('#include "low.h"\n')
    assert measures.circles(measures.includes(tmp_path)) == []
    assert measures.circles(measures.includes(tmp_path, pairs=True)) == [["high", "low"]]
    (tmp_path / "low.h").write_text('#include "high.h"\n')
    assert measures.circles(measures.includes(tmp_path)) == [["high.h", "low.h"]]


@pytest.mark.parametrize(("names", "expected"), [
    ("linalg/__init__ scipy/linalg/__init__", []),
    ("errors _base/errors", ["errors"]),
    ("_kernels/bits _functions/bits", ["bits"]),
    ("random/__init__ _kernels/random", ["random"]),
    ("jax/__init__ _cli/children/jax/__init__", []),
])  # fmt: skip
def test_names_that_occur_twice(names, expected):
    assert measures.repeated_names([measures.PACKAGE / f"{name}.py" for name in names.split()]) == expected


def test_no_measure_exceeds_its_bound(capsys):
    assert measures.main([]) == 0, capsys.readouterr().out


def test_a_measure_that_exceeds_its_bound_fails(monkeypatch, capsys):
    monkeypatch.setattr(measures, "measured", lambda: {"lines of C": 10**6})
    assert measures.main([]) == 1
    assert "EXCEEDED" in capsys.readouterr().out
