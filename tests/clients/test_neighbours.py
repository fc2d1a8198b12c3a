"""The table of neighbours in docs/ecosystem.md: each row works, or ends in one sentence, and what it says to write runs."""

import builtins
import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import supremum as xp

PAGE = (Path(__file__).parents[2] / "docs/ecosystem.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Neighbours\n")[2].partition("\n## ")[0]
ROWS = [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in SECTION.splitlines() if line.startswith("| ")][
    1:
]
#: What else an expression needs.
MODULES = {
    "PIL": ["PIL.Image"],
    "jax": ["jax.numpy"],
    "matplotlib": ["matplotlib.figure"],
    "netCDF4": ["xarray"],
    "sklearn": [f"sklearn.{name}" for name in ("cluster", "decomposition", "ensemble", "linear_model", "mixture")]
    + ["sklearn.preprocessing", "sklearn.svm"],
}


def names(library):
    given = {"xp": xp, "np": np, "x": xp.asarray([3.0, 1.0, 2.0]), "x0": xp.asarray(2.0), "i0": xp.asarray(3)}
    given |= {
        "b": given["x"].astype("bfloat16"),
        "m": xp.reshape(xp.arange(12, dtype="uint8"), (3, 4)),
        "mask": given["x"] > 1.5,
    }
    given |= {"M": xp.random.normal(xp.random.key(0), (40, 3)), "y": xp.arange(40) % 2}
    for name in [library, *MODULES.get(library, ())]:
        pytest.importorskip(name, reason=f"{name} is not installed; the extra clients has most of the neighbours")
        top = name.partition(".")[0]
        given[top] = importlib.import_module(top)
    return given


@pytest.fixture(autouse=True)
def _dispatch(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    if request.node.callspec.params["row"][0] == "sklearn":
        sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")
        monkeypatch.setenv("SCIPY_ARRAY_API", "1")
        try:
            with sklearn.config_context(array_api_dispatch=True):
                yield
        except RuntimeError:  # SciPy was imported without the variable
            pytest.skip("SciPy was imported before SCIPY_ARRAY_API=1 was set")
    else:
        yield


@pytest.mark.parametrize("row", [("", "")])
def test_the_table_is_there(row):
    assert len(ROWS) > 30


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", ROWS, ids=[row[1] for row in ROWS])
def test_row(row):
    library, expression, result, instead = row
    given = names(library)
    kind, _, words = result.partition(": ")
    python = xp.__engine__ == "reference" and sys.version_info < (3, 12)  # a class in Python has no buffer there
    if kind == "works" or (python and words == "could not retrieve buffer"):
        eval(expression, given)  # noqa: S307 - the page's rows
        return
    if python and library == "sklearn" and words != "Multiple namespaces for array inputs":
        kind, words = "TypeError", "a bytes-like object is required"
    with pytest.raises(Exception, match=re.escape(words.strip("`"))) as caught:
        eval(expression, given)  # noqa: S307 - the page's rows
    assert kind in [one.__name__ for one in type(caught.value).__mro__]
    assert hasattr(builtins, kind) or kind == "ArrowInvalid"
    eval(instead, names(library))  # noqa: S307 - the page's rows
