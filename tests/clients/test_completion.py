"""Completion of names in IPython and Jupyter, by their defaults: jedi, of which IPython shows nothing if it fails."""

import json
import subprocess
import sys

import pytest

import supremum as xp

pytest.importorskip("IPython", reason="completion is tested where IPython is installed, by the extra clients")

CODE = """
import json, os, sys, tempfile
os.environ["IPYTHONDIR"] = tempfile.mkdtemp()
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import supremum as xp\\nx = xp.ones((2, 3))\\nupdate = x.at[0]\\nkey = xp.random.key(0)\\nc = xp.config")
with provisionalcompleter():
    found = {text: [one.text for one in shell.Completer.completions(text, len(text))] for text in json.load(sys.stdin)}
print(json.dumps({"jedi": shell.Completer.use_jedi, "found": found}))
"""
METHODS = {"T", "astype", "at", "device", "dtype", "reshape", "sum"}
SETTINGS = {"mutable", "out_of_range", "promotion", "update", "use", "x64"}
EXPECTED = {
    "x.": METHODS,
    "x.resh": {"reshape"},
    "x.T.": METHODS,
    "key.": METHODS,
    "xp.": {"Array", "asarray", "linalg", "random", "sin", "sum"},
    "xp.config.": SETTINGS,
    "c.": SETTINGS,
    "x.at[0].": {"add", "get", "max", "set"},
    "update.": {"add", "get", "max", "set"},
    "xp.linalg.": {"inv", "solve", "svd"},
    "xp.fft.": {"fft", "ifft"},
    "xp.random.": {"key", "normal"},
    "xp.scipy.": {"linalg", "special", "stats"},
    "xp.promotion.": {"compare", "explain", "systems"},
    "xp.finfo('float32').": {"bits", "eps", "max"},
    "xp.explain(x).": {"hazards", "result"},
    **dict.fromkeys(
        (
            "xp.sin(x).", "xp.sum(x).", "xp.ones(3).", "xp.asarray([1]).", "xp.maximum(x, 1).", "xp.add.reduce(x).",
            "xp.stack([x]).", "xp.tril(x).", "xp.linalg.inv(x).", "xp.fft.fft(x).", "xp.random.normal(key).", "xp.nn.relu(x).",
            "xp.scipy.special.erf(x).", "x.sum().", "x.reshape(6).", "x.astype('int8').", "x.clip(0, 1).", "x.at[0].set(1).",
            "x[0].", *(["(x + x)."] if xp.__engine__ == "native" else []),  # jedi does not follow operators in Python
        ),
        METHODS,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def completions():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        input=json.dumps(list(EXPECTED)),
        capture_output=True,
        text=True,
        check=True,
    )
    given = json.loads(done.stdout.splitlines()[-1])
    assert given["jedi"]
    return given["found"]


@pytest.mark.parametrize("text", EXPECTED)
def test_names_are_completed(completions, text):
    assert EXPECTED[text] <= {name.rpartition(".")[2] for name in completions[text]}
