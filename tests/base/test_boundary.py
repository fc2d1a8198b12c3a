"""Errors of public functions name the function and its arguments (supremum._base.boundary)."""

import inspect
import pickle
import re
import warnings
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum._base.boundary import completed


class Refusing:
    """A foreign object whose methods raise errors of their own."""

    def __array__(self, dtype=None, copy=None):
        raise ValueError("this is mine")


@for_each(
    ("call", "error", "message"),
    [
        (lambda: xp.scipy.stats.t.pdf(xp.ones(3), xp.ones(2)), ValueError, r"^t.pdf: .* shapes .* \(3,\), .* \(2,\)$"),
        (lambda: xp.linalg.matrix_norm(xp.ones((2, 2)), ord=[1]), ValueError, r"^linalg.matrix_norm: ord .* got \[1\]$"),
        (lambda: xp.unique(xp.ones(2), np.ones(2)), ValueError, r"^unique: .*; got Array"),
        (lambda: xp.tril_indices(10**400), (ValueError, OverflowError), r"^tril_indices: .*; got 1000"),
        (lambda: xp.sum(xp.ones(2), keepdims=np.ones(2)), TypeError, r"^sum: keepdims must be True or False"),
        (lambda: xp.ones(2).argmax(keepdims=np.ones(2)), ValueError, r"^argmax: "),
        (lambda: xp.ones(3)[10**400], IndexError, r"^indexing an array of shape \(3,\)"),
        (lambda: xp.ones(3)[::0], ValueError, r"^indexing an array of shape \(3,\)"),
        (lambda: xp.ones(2) + np.array(["a", 1], object), TypeError, r"^add is not defined between"),
        (lambda: xp.ufunc(abs, xp.ones(2), 1), TypeError, r"^ufunc: nin must be an integer"),
        (
            lambda: xp.nn.elu(xp.ones(2), np.array(["2020-01-01"] * 2, "M8[D]")),
            TypeError,
            r"^elu is not defined between operands of ",
        ),
    ],
)
def test_messages_name_the_function_and_what_it_got(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_an_error_of_the_callers_own_is_left_as_it_is():
    def mine(_x):
        raise ValueError("this is mine")

    for call in (
        lambda: xp.apply_along_axis(mine, 0, xp.ones((2, 2))),
        lambda: xp.vectorize(mine)(xp.ones(2)),
        lambda: xp.piecewise(xp.ones(2), [xp.asarray([True, False])], [mine, mine]),
    ):
        with pytest.raises(ValueError, match=r"^this is mine$"):
            call()


def test_functions_stay_what_they_are():
    assert xp.around is xp.round
    assert inspect.signature(xp.sort).parameters.keys() >= {"a", "axis", "stable"}
    assert xp.sort.__name__ == "sort"
    assert pickle.loads(pickle.dumps(xp.linalg.solve)) is xp.linalg.solve


def test_more_differences_than_elements_leave_nothing_and_take_no_time():
    assert xp.diff(xp.ones(3), 10**12).shape == (0,)


def test_huge_indices_give_no_warning_and_take_no_time():
    x = xp.asarray([1.0, 2.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(float(xp.take(x, 2**63, mode="fill")))
        assert float(xp.take(x, 2**63, mode="clip")) == 3
        assert float(xp.take(x, 2**62, mode="wrap")) == 1 + 2**62 % 3
        assert float(xp.take(x, -(2**62) - 1, mode="wrap")) == 1 + (-(2**62) - 1) % 3


def test_rules_of_systems_reach_every_function_with_their_errors_named():
    x = xp.asarray([1, 2], dtype="int8")
    with xp.promotion.use("numpy"):
        # NumPy's dtypes of these functions, which take keywords and positional arguments.
        assert xp.median(a=x).dtype == np.float64
        assert xp.interp(x, x, fp=x).dtype == np.float64
        with pytest.raises(ValueError, match=r"^linalg.inv needs square matrices"):
            xp.linalg.inv(xp.ones((2, 3)))
        with pytest.raises(TypeError, match=r"^median.*nonsense"):
            xp.median(x, nonsense=1)
    assert xp.median(a=x).dtype == np.float32


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
