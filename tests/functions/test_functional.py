"""Higher-order functions: they call a function for each element, line or condition, and combine the results."""

import numpy as np
import pytest
from common import for_each, same_values
from hypothesis import given, strategies as st

import supremum as xp

# -- vectorize ---------------------------------------------------------------------------------------------------------------


def test_elements_are_broadcast():
    larger = xp.vectorize(max)
    same_values(larger(xp.asarray([[1], [3]]), xp.asarray([2, 0])), [[2, 1], [3, 3]])
    same_values(larger(1, 2), 2)


@pytest.mark.parametrize(
    "signature, shapes, result",
    [
        ("(n),(n)->()", [(2, 3), (3,)], (2,)),
        ("(n,m),(m)->(n)", [(4, 2, 3), (3,)], (4, 2)),
        ("(),(n)->(n)", [(2, 1), (5, 3)], (2, 5, 3)),
        ("(n),(m)->(m,n)", [(2,), (3,)], (3, 2)),
        (" ( n ) , () -> ( n ) ", [(2,), (4,)], (4, 2)),
    ],
)
def test_core_axes(signature, shapes, result):
    functions = {
        "(n),(n)->()": lambda x, y: (x * y).sum(),
        "(n,m),(m)->(n)": lambda x, y: (x * y).sum(axis=1),
        "(n),(m)->(m,n)": lambda x, y: y[:, None] * x,
    }
    function = functions.get(signature, lambda x, y: x * y)
    arguments = [np.arange(np.prod(shape, dtype=int)).reshape(shape) for shape in shapes]
    ours = xp.vectorize(function, signature=signature)(*map(xp.asarray, arguments))
    assert ours.shape == result
    same_values(ours, np.vectorize(function, signature=signature.replace(" ", ""))(*arguments))


def test_several_results_and_containers():
    first, second = xp.vectorize(lambda x: (x, 2.5))(xp.asarray([1, 2]))
    same_values(first, [1, 2])
    assert (second.dtype, second.weak_type) == ("float32", True)
    assert xp.vectorize(lambda x: {"double": 2 * x})(xp.asarray([1, 2]))["double"].tolist() == [2, 4]
    quotient, rest = xp.vectorize(lambda x, y: (x // y, x % y), signature="(),()->(),()")(xp.asarray([7, 9]), 4)
    assert (quotient.tolist(), rest.tolist()) == ([1, 2], [3, 1])


def test_arguments_that_are_passed_on():
    power = xp.vectorize(lambda x, n, *, offset=0: x**n + offset, excluded={1, "offset"})
    same_values(power(xp.asarray([1, 2, 3]), 2, offset=10), [11, 14, 19])
    same_values(xp.vectorize(lambda x, y: x if y is None else y)(xp.asarray([1, 2]), None), [1, 2])
    # Other keyword arguments are vectorized as well, as in NumPy.
    same_values(xp.vectorize(lambda x, y=0: x + y)(xp.asarray([1, 2]), y=xp.asarray([10, 20])), [11, 22])


def test_no_elements():
    x = xp.vectorize(lambda x: x.astype("int8"))(xp.zeros((0, 3)))
    assert (x.shape, x.dtype) == ((0, 3), "int8")
    assert xp.vectorize(lambda x: x[:1], signature="(n)->(m)")(xp.zeros((0, 3))).shape == (0, 1)


def test_its_name_is_that_of_the_function():
    def halved(x):
        """Half of it."""
        return x / 2

    assert (xp.vectorize(halved).__name__, xp.vectorize(halved).__doc__) == ("halved", "Half of it.")


@for_each(
    "call, error",
    [
        (lambda: xp.vectorize(abs, signature="(n"), ValueError),
        (lambda: xp.vectorize(abs, signature="(n)->"), ValueError),
        (lambda: xp.vectorize(abs, excluded={1.5}), TypeError),
        (lambda: xp.vectorize(abs, excluded={-1}), ValueError),
        (lambda: xp.vectorize(abs, signature="(n),(n)->()")(xp.ones(2)), TypeError),
        (lambda: xp.vectorize(abs, signature="(n,m)->()")(xp.ones(2)), ValueError),
        (lambda: xp.vectorize(abs, signature="(n,n)->()")(xp.ones((2, 3))), ValueError),
        (lambda: xp.vectorize(abs, signature="(n)->()")(xp.ones(2)), ValueError),
        (lambda: xp.vectorize(abs, signature="(n)->(n),(n)")(xp.ones(2)), TypeError),
        (lambda: xp.vectorize(lambda x: (x,), signature="(n)->(n),(n)")(xp.ones(2)), TypeError),
        (lambda: xp.vectorize(abs, signature="(n)->()")(None), ValueError),
        (lambda: xp.vectorize(lambda x, y: x)(xp.ones(2), xp.ones(3)), ValueError),
        (lambda: xp.vectorize(lambda x: xp.ones(int(x)))(xp.asarray([1, 2])), ValueError),
    ],
)
def test_vectorize_refuses(call, error):
    with pytest.raises(error):
        call()


# -- along axes --------------------------------------------------------------------------------------------------------------

X = np.arange(24).reshape(2, 3, 4)


@given(st.integers(-3, 2))
def test_lines(axis):
    for function in (lambda x: x.sum(), lambda x: x[:2], lambda x: x[:, None] * x[None, :2]):
        same_values(xp.apply_along_axis(function, axis, xp.asarray(X)), np.apply_along_axis(function, axis, X))
    same_values(xp.apply_along_axis(lambda x, y, z=1: x.sum() * y + z, axis, xp.asarray(X), 2, z=3), 2 * X.sum(axis=axis) + 3)


def test_lines_without_elements_or_with_several_results():
    assert xp.apply_along_axis(lambda x: x.sum(), 1, xp.zeros((0, 3))).shape == (0,)
    first, last = xp.apply_along_axis(lambda x: (x[0], x[-1]), 1, xp.asarray([[1, 2], [3, 4]]))
    assert (first.tolist(), last.tolist()) == ([1, 3], [2, 4])


def test_axes_one_after_the_other():
    same_values(xp.apply_over_axes(xp.sum, xp.asarray(X), (0, 2)), np.apply_over_axes(np.sum, X, (0, 2)))
    same_values(
        xp.apply_over_axes(lambda x, axis: xp.max(x, axis=axis, keepdims=True), xp.asarray(X), [1]),
        X.max(axis=1, keepdims=True),
    )


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: xp.apply_along_axis(abs, 0, 3), ValueError),
        (lambda: xp.apply_along_axis(abs, 1, xp.ones(2)), ValueError),
        (lambda: xp.apply_along_axis(3, 0, xp.ones(2)), TypeError),
        (lambda: xp.apply_along_axis(abs, 0, [1, 2]), TypeError),
        (lambda: xp.apply_over_axes(lambda x, axis: x.sum(), xp.ones((2, 2, 2)), (0,)), ValueError),
        (lambda: xp.apply_over_axes(xp.sum, xp.ones(2), 0), TypeError),
    ],
)
def test_axes_refuse(call, error):
    with pytest.raises(error):
        call()


# -- by conditions -----------------------------------------------------------------------------------------------------------


def test_pieces():
    x = np.arange(-3, 4)
    pieces = [lambda x: -x, lambda x: x * x, 7]
    ours = xp.piecewise(xp.asarray(x), [xp.asarray(x < 0), xp.asarray(x > 1)], pieces)
    same_values(ours, np.piecewise(x, [x < 0, x > 1], pieces))
    same_values(
        xp.piecewise(xp.asarray(x), [xp.asarray(x > 0)], [lambda x, y, z=0: x * y + z], 2, z=1), np.where(x > 0, 2 * x + 1, 0)
    )


def test_the_last_condition_that_holds_counts():
    x = xp.asarray([1, 2])
    assert xp.piecewise(x, [xp.asarray([True, True]), xp.asarray([True, False])], [10, 20]).tolist() == [20, 10]


def test_pieces_have_the_dtype_of_the_elements_and_are_strong():
    assert xp.piecewise(xp.asarray([1, 2], dtype="int8"), [xp.asarray([True, False])], [1.7, 2.9]).tolist() == [1, 2]
    assert not xp.piecewise(xp.full((2,), 3), [xp.asarray([True, False])], [1]).weak_type
    assert xp.piecewise(3, [True], [5]).tolist() == 5
    assert xp.piecewise(xp.asarray([1, 2]), xp.asarray([True, False]), [1, 2]).tolist() == [1, 1]


@pytest.mark.parametrize("functions", [[], [1, 2, 3]])
def test_numbers_of_functions(functions):
    with pytest.raises(ValueError, match="piecewise"):
        xp.piecewise(xp.ones(2), [xp.asarray([True, False])], functions)


def test_conditions_that_do_not_fit():
    with pytest.raises(ValueError, match="piecewise"):
        xp.piecewise(xp.ones(2), [xp.asarray([True] * 3)], [1])
