"""Mistakes of new users: each is one sentence of docs/from-numpy.md, and its traceback ends in the user's line."""

import doctest
import os
import subprocess
import sys
import traceback
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp

PAGE = Path(__file__).parents[1] / "docs/from-numpy.md"
SECTION = PAGE.read_text(encoding="utf-8").partition("\n## Thirty mistakes\n")[2].partition("\n## ")[0]
EXAMPLES = doctest.DocTestParser().get_examples(SECTION)
SETUP = [example.source for example in EXAMPLES[:3]]
MISTAKES = [example.source.strip() for example in EXAMPLES[3:]] + [
    "xp.concat(x, x)",
    "x + None",
    "xp.load('no file')",
    "4 in m",
]


def names():
    given = {"__name__": "user"}
    exec("".join(SETUP), given)  # noqa: S102 - the page's own lines
    return given


def test_there_are_thirty():
    assert len(MISTAKES) > 30


@for_each("code", MISTAKES)
def test_the_traceback_ends_in_the_users_line(code):
    with pytest.raises(Exception) as caught:
        exec(compile(code, "user.py", "exec"), names())  # noqa: S102 - the page's lines
    error = caught.value
    frames = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    assert len(frames[frames.index("user.py") + 1 :]) <= 1, frames
    shown = "".join(traceback.format_exception(error))
    assert "During handling" not in shown
    assert "direct cause" not in shown
    assert "supremum._" not in str(error)
    assert str(error).count("\n") == 0


def test_frames_of_callbacks_stay():
    code = "def f(row):\n    return xp.sum(row, axis=7)\nxp.apply_along_axis(f, 1, m)"
    with pytest.raises(np.exceptions.AxisError) as caught:
        exec(compile(code, "user.py", "exec"), names())  # noqa: S102 - as above
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert [line for file, line in frames if file == "user.py"] == [3, 2]
    assert len(frames) - frames.index(("user.py", 3)) <= 4


@pytest.mark.parametrize(
    ("environment", "setting", "whole"),
    [({}, "", False), ({}, "xp.config.tracebacks = 'full'", True), ({"SUPREMUM_TRACEBACKS": "full"}, "", True)],
)
def test_a_setting_shows_all_frames(environment, setting, whole):
    code = f"import supremum as xp\n{setting}\nxp.ones(2).sum(axis=2)"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert ("normalize_axis" in done.stderr) is whole
    assert done.stderr.endswith("AxisError: sum: axis 2 is out of bounds for array of dimension 1\n")


def test_the_setting_is_checked():
    assert xp.config.tracebacks == "short"
    with pytest.raises(ValueError, match="config: tracebacks must be 'short' or 'full', got True"):
        xp.config.tracebacks = True
