"""Errors of public functions name the function and its arguments (supremum._base.boundary)."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from common import for_each

import supremum as xp


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
