import numpy as np
import pytest

import supremum as xp


def test_the_same_functions_under_other_signatures():
    x, y = xp.ones((2, 3)), xp.ones((3, 2))
    assert xp.linalg.matmul(x, y).tolist() == [[3, 3], [3, 3]]
    assert xp.linalg.tensordot(x, y, axes=1).tolist() == [[3, 3], [3, 3]]
    assert xp.linalg.vecdot is xp.vecdot
    assert xp.linalg.matrix_transpose is xp.matrix_transpose
    assert xp.linalg.matmul(x.astype("int8"), y.astype("int8"), preferred_element_type="int32").dtype == "int32"


def test_chains():
    shapes = [(10, 100), (100, 5), (5, 50), (50, 1)]
    arrays = [np.random.default_rng(i).integers(-2, 3, shape) for i, shape in enumerate(shapes)]
    expected = arrays[0] @ arrays[1] @ arrays[2] @ arrays[3]
    for name in ("float32", "int64", "int32"):
        result = xp.linalg.multi_dot([xp.asarray(x).astype(name) for x in arrays])
        assert result.dtype == name
        assert result.tolist() == expected.tolist()
    vectors = [xp.ones(2), xp.ones((2, 3)), xp.ones(3)]
    assert xp.linalg.multi_dot(vectors).tolist() == 6
    assert xp.linalg.multi_dot(vectors[:2]).tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    "arrays",
    [
        [xp.ones((2, 2))],
        [xp.ones((2, 2)), xp.ones((3, 2))],
        [xp.ones((2, 2)), xp.ones(2), xp.ones((2, 2))],
        [xp.ones((2, 2, 2))] * 2,
    ],
)
def test_chains_that_do_not_fit(arrays):
    with pytest.raises(ValueError, match="multi_dot"):
        xp.linalg.multi_dot(arrays)


def test_cross_needs_three_elements():
    x = xp.asarray([[1, 2, 3], [4, 5, 6]])
    assert xp.linalg.cross(x, x[::-1]).tolist() == np.cross(np.asarray(x), np.asarray(x)[::-1]).tolist()
    assert xp.linalg.cross(x.T, x[::-1].T, axis=-2).shape == (3, 2)
    for wrong in (xp.ones(2), xp.ones((3, 2))):
        with pytest.raises(ValueError, match="cross"):
            xp.linalg.cross(wrong, wrong)


def test_outer_needs_vectors():
    assert xp.linalg.outer(xp.asarray([1, 2]), xp.asarray([3.0, 4.0])).tolist() == [[3, 4], [6, 8]]
    with pytest.raises(ValueError, match="outer"):
        xp.linalg.outer(xp.ones((2, 2)), xp.ones(2))


def test_diagonals_and_traces():
    x = xp.reshape(xp.arange(12, dtype="int8"), (2, 2, 3))
    assert xp.linalg.diagonal(x).tolist() == [[0, 4], [6, 10]]
    assert xp.linalg.diagonal(x, offset=1).tolist() == [[1, 5], [7, 11]]
    assert xp.linalg.diagonal(x, offset=-5).shape == (2, 0)
    assert xp.linalg.trace(x, offset=-1).tolist() == [3, 9]
    assert xp.linalg.trace(x).dtype == "int32"
    assert xp.linalg.trace(x, dtype="float64").dtype == "float64"
    for function in (xp.linalg.diagonal, xp.linalg.trace):
        with pytest.raises(ValueError, match=f"{function.__name__}.*at least 2 dimensions"):
            function(xp.ones(3))


def test_a_diagonal_is_a_copy():
    x = xp.ones((2, 2))
    diagonal = xp.linalg.diagonal(x)
    diagonal[0] = 5
    assert x[0, 0].tolist() == 1
