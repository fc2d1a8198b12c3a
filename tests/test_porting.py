"""The tables of docs/from-numpy.md, evaluated with both libraries."""

import numpy as np
import pytest
from common import for_each

import supremum as xp

#: An expression, NumPy's dtype or exception, and ours.
DTYPES = [
    ("xp.arange(3)", "int64", "int32"),
    ("xp.ones(3)", "float64", "float32"),
    ("xp.zeros(1, dtype=int)", "int64", "int32"),
    ("xp.zeros(1, dtype=float)", "float64", "float32"),
    ("xp.asarray(np.ones(3))", "float64", "float64"),
    ("i + f", "float64", "float32"),
    ("i * 1.5", "float64", "float32"),
    ("i * np.float64(1.5)", "float64", "float64"),
    ("f * 1.5", "float32", "float32"),
    ("f * np.float64(1.5)", "float64", "float64"),
    ("xp.asarray([1], dtype='uint8') + 300", OverflowError, "uint8"),
    ("xp.asarray([1], dtype='uint8') + xp.int32(300)", "int32", "int32"),
    ("xp.ones(2, dtype='int8').sum()", "int64", "int32"),
    ("xp.ones(2, dtype='bfloat16') * 1.5", "float32", "bfloat16"),
    ("i[[0, 1]]", "int32", TypeError),
    ("i[xp.asarray([0, 1])]", "int32", "int32"),
    ("i + [1, 2]", "int64", TypeError),
    ("xp.sum([1, 2])", "int64", TypeError),
    ("xp.concatenate([[1], [2]])", "int64", TypeError),
    ("i ** -1", ValueError, TypeError),
    ("i ** -1.0", "float64", "float32"),
    ("xp.linalg.inv(xp.zeros((2, 2)))", np.linalg.LinAlgError, "float32"),
    ("xp.add(f, f, out=f)", "float32", NotImplementedError),
    ("xp.asarray(['a'])", "str32", TypeError),
]


def outcome(expression, namespace):
    names = {
        "xp": namespace, "np": np, "i": namespace.asarray([1, 2], dtype="int32"),
        "f": namespace.asarray([1, 2], dtype="float32"),
    }  # fmt: skip
    try:
        with np.errstate(all="ignore"):
            return eval(expression, names).dtype.name  # noqa: S307 - an expression of the table above
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        return type(error)


@for_each(("expression", "numpys", "ours"), DTYPES)
def test_dtypes_and_refusals(expression, numpys, ours):
    for namespace, expected in ((np, numpys), (xp, ours)):
        found = outcome(expression, namespace)
        assert found == expected or (isinstance(expected, type) and issubclass(found, expected))


def test_casts_beyond_the_limits_saturate():
    assert xp.asarray([300.0, -1.0, xp.nan]).astype("uint8").tolist() == [255, 0, 0]


def test_views_write_through():
    x = xp.zeros(3)
    x[1:][0] = 9
    x[...] = x + 1
    assert x.tolist() == [1, 10, 1]


def test_what_writing_refuses():
    x = xp.arange(3)
    with pytest.raises(TypeError, match="would lose its kind"):
        x[0] = 1.9
    with pytest.raises(TypeError, match="in-place"):
        x += 1.5
    assert x.tolist() == [0, 1, 2]


def test_elements_are_arrays():
    x = xp.arange(3)
    assert isinstance(x[0], xp.Array)
    assert float(x[1]) == x[1].item() == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(x[0])
    assert [x.sort()[-1].item(), x[0].item()] == [2, 0]


@pytest.mark.parametrize("name", ["fill", "flat", "nditer", "copyto", "errstate", "ma", "datetime64"])
def test_what_is_not_there(name):
    assert not hasattr(xp, name)
    with pytest.raises((AttributeError, NotImplementedError)):
        getattr(xp.ones(2), name)
