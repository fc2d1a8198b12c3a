"""The profile of the standard: other names, arguments and dtypes are refused, as array-api-strict refuses them."""

import importlib.util
import inspect
from pathlib import Path

import pytest
from common import for_each

import supremum
from conformance import strictness
from supremum._standard import _rows, namespace
from supremum.testing import profile

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8")


@pytest.fixture
def xp():
    with profile("array_api") as found:
        yield found


@for_each("line", strictness.LINES)
def test_the_table_of_the_page_has_what_each_line_does(line):
    [row] = [row for row in PAGE.splitlines() if row.startswith(f"| `{line}` |".replace("f | f", "f \\| f"))]
    theirs, ours = (cell.strip() for cell in row.split(" | ")[-2:])
    assert ours.rstrip(" |") == strictness.of_profile(line)
    if importlib.util.find_spec("array_api_strict"):
        assert theirs == strictness.of_strict(line)


ROWS = [(name, kinds, signature) for name, kinds, signature in _rows()]


@for_each(("name", "signature"), [(name, signature) for name, _, signature in ROWS])
def test_functions_take_the_parameters_of_the_standard(name, signature):
    home, _, bare = name.rpartition(".")
    ours = inspect.signature(getattr(getattr(supremum, home) if home else supremum, bare)).parameters
    wanted = [each for each in signature.parameters.values() if each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD)]
    assert {each.name for each in wanted} <= ours.keys()
    required = [
        each for each in signature.parameters.values() if each.default is each.empty and each.kind is not each.KEYWORD_ONLY
    ]
    assert len([each for each in ours.values() if each.default is each.empty]) <= len(required)


def test_the_namespace_has_the_names_of_the_standard():
    assert len(ROWS) == len({name for name, _, _ in ROWS}) > 170
    found = namespace()
    for name in ("median", "concatenate", "random", "bfloat16", "config"):
        assert hasattr(supremum, name)
        assert not hasattr(found, name)
    with pytest.raises(AttributeError, match=r"^supremum\.linalg\.norm is not in the array API standard$"):
        found.linalg.norm
    with pytest.raises(AttributeError, match=r"^supremum\.meen does not exist$"):
        found.meen


def test_calls_of_the_standard_compute(xp):
    x = xp.asarray([3.0, 4.0], dtype=xp.float32)
    assert x.__array_namespace__() is xp
    assert (x.dtype, xp.asarray(1.0).dtype) == (xp.float32, xp.float64)
    assert float(xp.sqrt(xp.sum(x**2, axis=-1))) == 5
    assert xp.sum(xp.asarray([1, 2], dtype=xp.int8)).dtype == xp.int64
    assert float(xp.linalg.vector_norm(x)) == 5
    assert xp.where(x > 3, x, 0.0)[0] == 0
    x[0] = 1.0
    x += 1
    assert bool(xp.all(x == xp.asarray([2.0, 5.0], dtype=xp.float32)))


def test_what_the_standard_leaves_out_is_refused_with_a_reason(xp):
    i, x = xp.asarray([1, 2]), xp.ones((2, 2))
    for call, message in {
        lambda: xp.sin(i): r"^sin accepts real floating, complex floating dtypes in the array API standard, got int64",
        lambda: i / i: r"^divide accepts real floating",
        lambda: xp.sum(x, 0): r"^sum: too many positional arguments; the standard has sum\(x, /, \*, axis=\.\.\., ",
        lambda: xp.ones(3, dtype="float32"): r"^ones: a dtype is an object of the namespace",
        lambda: xp.sin(1.0): r"^sin: x is an array",
        lambda: xp.reshape(x, -1): r"^reshape: shape is a tuple",
        lambda: xp.where(i, x, x): r"^where: condition is an array of bools",
    }.items():
        with pytest.raises(TypeError, match=message):
            call()
    for method in (lambda: x.sum(), lambda: x.reshape(4), lambda: x.at[0].set(1)):
        with pytest.raises(AttributeError, match=r"is not in the array API standard$"):
            method()
    for index in (lambda: x[0], lambda: x[0:9, 0], lambda: x[x[:, 0] > 0, 0]):
        with pytest.raises(IndexError, match="array API standard"):
            index()


def test_the_profile_ends():
    with profile("array_api"):
        pass
    assert supremum.ones(2).__array_namespace__() is supremum
    assert supremum.sin(supremum.asarray([1, 2])).dtype == "float32"
