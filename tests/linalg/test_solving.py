import math

import numpy as np
import pytest

import supremum as xp

A = [[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]  # its determinant is 18
FLOATS = ["float32", "float64", "complex64", "bfloat16", "float16"]
INF = math.inf


def near(actual, expected, tolerance=2e-2):
    actual = np.asarray(actual)
    return np.allclose(actual.astype(np.complex128 if np.iscomplexobj(actual) else np.float64), expected, atol=tolerance)


@pytest.mark.parametrize("name", FLOATS)
class TestFloats:
    def test_determinants(self, name):
        x = xp.asarray(A).astype(name)
        for size, expected in ((1, 2), (2, 5), (3, 18)):
            found = xp.linalg.det(x[:size, :size])
            assert found.dtype == name
            assert found.tolist() == expected
        sign, logarithm = xp.linalg.slogdet(-x)
        assert sign.tolist() == -1
        assert near(logarithm, math.log(18), 0.05)
        assert near(xp.linalg.det(xp.stack([xp.eye(5), 2 * xp.eye(5)]).astype(name)), [1, 32], 1e-3)

    def test_inverses_and_solutions(self, name):
        x = xp.asarray(A).astype(name)
        inverse = xp.linalg.inv(x)
        assert inverse.dtype == name
        assert near(np.asarray(A) @ np.asarray(inverse).astype(complex), np.eye(3), 5e-2)
        b = xp.asarray([3.0, 5.0, 5.0]).astype(name)
        assert near(xp.linalg.solve(x, b), [1, 1, 1])
        assert near(xp.linalg.solve(x, xp.stack([b, 2 * b], axis=1)), [[1, 2]] * 3)
        assert near(xp.linalg.solve(xp.stack([x, 2 * x]), b), [[1, 1, 1], [0.5, 0.5, 0.5]])
        assert near(xp.linalg.pinv(x), np.linalg.inv(A), 5e-2)

    def test_powers(self, name):
        x = xp.asarray([[1, 1], [0, 1]]).astype(name)
        for power in (0, 1, 2, 3, 5, 8):
            assert xp.linalg.matrix_power(x, power).tolist() == [[1, power], [0, 1]]
        assert near(xp.linalg.matrix_power(x, -3), [[1, -3], [0, 1]])

    def test_ranks(self, name):
        x = xp.asarray([[1, 2], [2, 4]]).astype(name)
        assert xp.linalg.matrix_rank(x).tolist() == 1
        assert xp.linalg.matrix_rank(xp.stack([x, xp.eye(2).astype(name)])).tolist() == [1, 2]
        assert xp.linalg.matrix_rank(x).dtype == "int32"
        assert xp.linalg.matrix_rank(x, hermitian=True).tolist() == 1


def test_determinants_of_whole_numbers_are_whole():
    x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]])
    assert xp.linalg.det(x).tolist() == -3
    assert xp.linalg.det(xp.asarray([[1.0, 2.0], [3.0, 4.0]])).tolist() == -2
    assert xp.linalg.det(xp.zeros((2, 0, 0))).tolist() == [1, 1]


def test_singular_matrices_give_infinities_as_in_jax():
    ones = xp.ones((2, 2))
    assert xp.linalg.inv(ones).tolist() == [[INF, -INF], [-INF, INF]]
    assert xp.linalg.solve(ones, xp.asarray([1.0, 2.0])).tolist() == [-INF, INF]
    zero = np.asarray(xp.linalg.inv(xp.zeros((2, 2))))
    assert zero[1, 1] == INF
    assert np.isnan(zero).sum() == 3
    both = xp.linalg.inv(xp.stack([ones, xp.eye(2)]))
    assert both[1].tolist() == [[1, 0], [0, 1]]
    assert xp.linalg.slogdet(ones).sign.tolist() == 0
    assert xp.linalg.slogdet(ones).logabsdet.tolist() == -INF


def test_matrix_power_of_integers_wraps_and_of_narrow_floats_rounds_once():
    x = xp.asarray([[100, 1], [0, 1]], dtype="int8")
    assert xp.linalg.matrix_power(x, 2).tolist() == [[10000 % 256, 101], [0, 1]]
    assert xp.linalg.matrix_power(x, 0).dtype == "int8"
    assert xp.linalg.matrix_power(xp.asarray([[True, True], [False, True]]), 3).tolist() == [[True, True], [False, True]]


class TestTolerance:
    x = xp.asarray([[4.0, 0.0], [0.0, 1.0]])

    def test_rtol_is_relative_to_the_largest_singular_value(self):
        assert xp.linalg.matrix_rank(self.x, rtol=0.2).tolist() == 2
        assert xp.linalg.matrix_rank(self.x, rtol=0.25).tolist() == 1
        assert xp.linalg.matrix_rank(self.x, tol=0.5).tolist() == 2
        assert xp.linalg.matrix_rank(self.x, tol=1).tolist() == 1
        assert xp.linalg.matrix_rank(xp.stack([self.x, self.x]), rtol=xp.asarray([0.2, 0.5])).tolist() == [2, 1]
        assert xp.linalg.pinv(self.x, 0.3).tolist() == [[0.25, 0], [0, 0]]
        assert xp.linalg.pinv(self.x, rcond=0.2, hermitian=True).tolist() == [[0.25, 0], [0, 1]]

    def test_two_names_of_one_thing(self):
        with pytest.raises(ValueError, match="matrix_rank"):
            xp.linalg.matrix_rank(self.x, rtol=0.1, tol=0.1)
        with pytest.raises(ValueError, match="pinv"):
            xp.linalg.pinv(self.x, 0.1, rcond=0.1)

    def test_vectors_and_empty_matrices(self):
        assert xp.linalg.matrix_rank(xp.asarray([0.0, 2.0])).tolist() == 1
        assert xp.linalg.matrix_rank(xp.asarray(0.0)).tolist() == 0
        assert xp.linalg.matrix_rank(xp.zeros((0, 3))).tolist() == 0
        assert xp.linalg.pinv(xp.zeros((0, 3))).shape == (3, 0)


class TestLeastSquares:
    def test_solution(self):
        a, b = xp.asarray([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), xp.asarray([0.0, 1.0, 5.0])
        x, residuals, rank, values = xp.linalg.lstsq(a, b)
        assert x.tolist() == [pytest.approx(-0.5, abs=1e-5), pytest.approx(2.5)]
        assert residuals.tolist() == [pytest.approx(1.5)]
        assert rank.tolist() == 2
        assert values.tolist() == [pytest.approx(v) for v in np.linalg.svdvals(np.asarray(a))]
        x = xp.linalg.lstsq(a, xp.stack([b, 2 * b], axis=1))[0]
        assert x[:, 1].tolist() == [pytest.approx(-1, abs=1e-5), pytest.approx(5)]

    def test_rank(self):
        a = xp.ones((3, 2))
        x, residuals, rank, _ = xp.linalg.lstsq(a, xp.ones(3))
        assert x.tolist() == [pytest.approx(0.5), pytest.approx(0.5)]
        assert rank.tolist() == 1
        assert residuals.shape == (1,)
        assert xp.linalg.lstsq(a, xp.ones(3), numpy_resid=True)[1].shape == (0,)
        assert xp.linalg.lstsq(xp.asarray([[4.0, 0.0], [0.0, 1.0]]), xp.ones(2), rcond=0.5)[2].tolist() == 1
        assert xp.linalg.lstsq(xp.zeros((0, 2)), xp.zeros(0))[0].tolist() == [0, 0]

    def test_shapes(self):
        for args in ((xp.ones(2), xp.ones(2)), (xp.ones((2, 2)), xp.ones(3)), (xp.ones((2, 2)), xp.ones((2, 2, 2)))):
            with pytest.raises(ValueError, match="lstsq"):
                xp.linalg.lstsq(*args)


def test_tensors():
    a = xp.reshape(2 * xp.eye(6), (2, 3, 6))
    assert xp.linalg.tensorsolve(a, xp.ones((2, 3))).tolist() == [0.5] * 6
    assert xp.linalg.tensorsolve(xp.moveaxis(a, 2, 0), xp.ones((2, 3)), axes=(0,)).tolist() == [0.5] * 6
    assert xp.linalg.tensorinv(xp.reshape(a, (6, 2, 3)), ind=1).shape == (2, 3, 6)
    for call in (
        lambda: xp.linalg.tensorsolve(a, xp.ones(3)), lambda: xp.linalg.tensorsolve(a, xp.ones((2, 3)), axes=(9,)),
        lambda: xp.linalg.tensorinv(xp.ones((2, 3)), 1), lambda: xp.linalg.tensorinv(a, 0),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="tensor"):
            call()
    with pytest.raises(TypeError, match="tensorinv"):
        xp.linalg.tensorinv(a, 1.5)


@pytest.mark.parametrize(
    "shape, axes, split",
    [((2, 3, 6, 4), (0, 2), 2), ((2, 3, 6, 4), (2, 0), 2), ((2, 3, 6, 4), [-4, 2], 2), ((2, 6, 3), (1,), 2)],
)
def test_axes_of_tensorsolve_go_to_the_end_in_their_order(shape, axes, split):
    # As in JAX, whose `moveaxis` sorts the axes; the solution is checked by the definition.
    moved = sorted(axis % len(shape) for axis in axes)
    rng = np.random.default_rng(0)
    a = rng.standard_normal(shape)
    ordered = a.transpose([axis for axis in range(a.ndim) if axis not in moved] + moved)
    b = rng.standard_normal(ordered.shape[:split])
    x = xp.linalg.tensorsolve(xp.asarray(a), xp.asarray(b), axes=axes)
    assert x.shape == ordered.shape[split:]
    np.testing.assert_allclose(np.tensordot(ordered, np.asarray(x), x.ndim), b, atol=1e-12)


@pytest.mark.parametrize("axes", [(0, 0), (0, 9), 1.5, "a"])
def test_axes_of_tensorsolve_that_are_refused(axes):
    with pytest.raises(ValueError, match="tensorsolve: axes"):
        xp.linalg.tensorsolve(xp.reshape(xp.eye(6), (2, 3, 6)), xp.ones((2, 3)), axes=axes)


@pytest.mark.parametrize("function", ["det", "slogdet", "inv", "pinv"])
def test_shapes(function):
    for wrong in (xp.ones(3), xp.asarray(1.0), *([] if function == "pinv" else [xp.ones((2, 3))])):
        with pytest.raises(ValueError, match=function):
            getattr(xp.linalg, function)(wrong)
    with pytest.raises(TypeError, match=function):
        getattr(xp.linalg, function)([[1.0]])


@pytest.mark.parametrize("shapes", [((2, 3), (2,)), ((2, 2), (3,)), ((2, 2), ()), ((2, 2, 2), (3, 2, 1)), ((2,), (2,))])
def test_systems_that_do_not_fit(shapes):
    with pytest.raises(ValueError, match="solve"):
        xp.linalg.solve(xp.ones(shapes[0]), xp.ones(shapes[1]))


def test_wrong_options():
    x = xp.eye(2)
    for exponent in (1.5, "a"):
        with pytest.raises(TypeError, match="exponent"):
            xp.linalg.matrix_power(x, exponent)
    with pytest.raises(TypeError, match="square"):
        xp.linalg.matrix_power(xp.ones((2, 3)), 2)
    with pytest.raises(ValueError, match="method"):
        xp.linalg.slogdet(x, method="nonsense")
    with pytest.raises(NotImplementedError, match="qr"):
        xp.linalg.slogdet(x.astype("complex64"), method="qr")


def test_the_default_tolerance_is_the_standards():
    eps = float(xp.finfo("float32").eps)
    x = xp.asarray([[1.0, 0.0], [0.0, 4 * eps]])
    # Between max(M, N) * eps and ten times that: singular values above the standard's bound are inverted.
    assert xp.linalg.pinv(x)[1, 1].tolist() == 1 / (4 * eps)
    assert xp.linalg.pinv(x / xp.asarray([1.0, 4.0]))[1, 1].tolist() == 0


def test_exponents_may_be_arrays():
    assert xp.linalg.matrix_power(xp.asarray([[1, 1], [0, 1]]), xp.asarray(3)).tolist() == [[1, 3], [0, 1]]


@pytest.mark.parametrize("name", ["float32", "int32", "bfloat16"])
def test_the_first_power_is_a_copy(name):
    x = xp.eye(2, dtype=name)
    found = xp.linalg.matrix_power(x, 1)
    assert found.tolist() == x.tolist()
    assert not np.shares_memory(found._data, x._data)
