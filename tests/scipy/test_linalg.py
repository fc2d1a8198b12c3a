"""Matrices: factors and solutions put back together, matrices of integers exactly, functions by their definitions."""

import math

import numpy as np
import pytest
from common import for_each
from generators import RNG

import supremum as xp
from supremum.scipy import linalg

pytestmark = pytest.mark.usefixtures("wide")


def sample(*shape, dtype="float64"):
    real = RNG.normal(size=shape)
    return xp.asarray(real + 1j * RNG.normal(size=shape) if "complex" in dtype else real, dtype=dtype)


def adjoint(x):
    return np.asarray(x).conj().swapaxes(-1, -2)


def close(found, expected, tolerance=1e-10):
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=tolerance, atol=tolerance)


both = pytest.mark.parametrize("dtype", ["float64", "complex128"])


@pytest.fixture
def theirs():
    return pytest.importorskip("scipy.linalg", reason="SciPy is not installed")


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_results_are_scipys_to_rounding(theirs, dtype):
    a, b = np.asarray(sample(7, 7, dtype=dtype)), np.asarray(sample(7, 2, dtype=dtype))
    p = (a @ adjoint(a) + 7 * np.eye(7)).astype(dtype)
    t = (np.triu(a) + 3 * np.eye(7)).astype(dtype)
    a = (a / 3).astype(dtype)
    factors, pivots = theirs.lu_factor(a)
    calls = {
        "cholesky": (p,), "solve_triangular": (t, b), "lu": (a,),
        "lu_factor": (a,), "lu_solve": ((factors, pivots), b), "cho_solve": ((theirs.cholesky(p), False), b),
        "hessenberg": (a,), "expm": (a,), "expm_frechet": (a, p / 20), "sqrtm": (p,), "solve_sylvester": (p, p, a),
        "schur": (a,), "polar": (a, "right"), "rsf2csf": theirs.schur(a),
    }  # fmt: skip
    for name, arguments in calls.items():
        found, expected = getattr(linalg, name)(*arguments), getattr(theirs, name)(*arguments)
        for x, y in zip(*[part if isinstance(part, tuple) else (part,) for part in (found, expected)], strict=True):
            eps = np.finfo(dtype).eps
            np.testing.assert_allclose(np.asarray(x), y, rtol=200 * eps, atol=200 * eps * np.abs(y).max(), err_msg=name)
            assert name == "expm_frechet" or x.dtype == (np.result_type(y, np.complex64) if name == "sqrtm" else y.dtype)


@both
def test_stacks_are_computed_matrix_by_matrix(dtype):
    a, b = sample(2, 3, 5, 5, dtype=dtype), sample(3, 5, 2, dtype=dtype)
    calls = {
        "hessenberg": (a,), "schur": (a,), "lu_factor": (a,), "solve_triangular": (a, b), "expm": (a,), "polar": (a,),
        "cholesky": (a @ xp.conj(a.mT),), "solve_sylvester": (a, a[0], b @ xp.ones((2, 5))),
    }  # fmt: skip
    for name, arguments in calls.items():
        function = getattr(linalg, name)
        found = function(*arguments)
        for i in range(2):
            for j in range(3):
                one = function(*[x[i, j] if x.ndim == 4 else x[j] for x in arguments])
                for x, y in zip(*[part if isinstance(part, tuple) else (part,) for part in (found, one)], strict=True):
                    np.testing.assert_array_equal(np.asarray(x[i, j]), np.asarray(y), err_msg=name)
        empty = function(*[x[:0] if x.ndim == 4 else x[:1] for x in arguments])
        for x, y in zip(*[part if isinstance(part, tuple) else (part,) for part in (empty, found)], strict=True):
            assert (x.shape, x.dtype) == ((0, *y.shape[1:]), y.dtype), name


def test_systems_that_have_no_solution_are_not_finite():
    b = xp.ones(2)
    for found in (
        linalg.solve(xp.stack([-xp.eye(2), xp.eye(2)]), xp.ones((2, 2, 1)), assume_a="pos")[0],
        linalg.solve_triangular(xp.zeros((2, 2)), b),
        linalg.lu_solve((xp.zeros((2, 2)), xp.asarray([0, 1])), b),
        linalg.sqrtm(xp.asarray([[0.0, 1.0], [0.0, 0.0]])),
        linalg.expm_frechet(xp.asarray([[np.nan]]), xp.ones((1, 1)))[1],
        linalg.eigh_tridiagonal(xp.asarray([1.0, np.inf]), xp.ones(1))[0],
        linalg.eigh_tridiagonal(xp.asarray([1.0, np.nan]), xp.ones(1))[1],
        linalg.expm(xp.asarray([[[np.nan, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]))[0],
    ):
        assert not np.isfinite(np.asarray(found)).any()
    assert linalg.sqrtm(xp.zeros((20, 20))).tolist() == [[0j] * 20] * 20


def test_pivots_are_checked():
    a, b = xp.eye(2), xp.ones(2)
    for pivots, error in (([0, 2], ValueError), ([0, -1], ValueError), ([0], ValueError), ([0.0, 1.0], TypeError)):
        with pytest.raises(error, match=r"linalg\.lu_solve: the pivots"):
            linalg.lu_solve((a, xp.asarray(pivots)), b)


@both
@pytest.mark.parametrize("lower", [False, True])
def test_cholesky(dtype, lower):
    a = np.asarray(sample(2, 5, 5, dtype=dtype))
    p = xp.asarray(a @ adjoint(a) + np.eye(5))
    factor, is_lower = linalg.cho_factor(p, lower=lower)
    assert is_lower is lower
    close(factor @ adjoint(factor) if lower else adjoint(factor) @ np.asarray(factor), p)
    b = sample(2, 5, 3, dtype=dtype)
    close(p @ linalg.cho_solve((factor, lower), b), b)
    close(p @ linalg.solve(p, b, lower=lower, assume_a="pos"), b)


@pytest.mark.combinations
@both
@pytest.mark.parametrize("trans", [0, 1, 2, "N", "T", "C"])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_triangular(dtype, trans, lower, unit):
    a = np.asarray(sample(4, 4, dtype=dtype)) + 3 * np.eye(4)
    triangle = np.tril(a) if lower else np.triu(a)
    if unit:
        np.fill_diagonal(triangle, 1)
    op = {0: triangle, 1: triangle.T, 2: adjoint(triangle)}[{"N": 0, "T": 1, "C": 2}.get(trans, trans)]
    for b in (sample(4, dtype=dtype), sample(4, 2, dtype=dtype), sample(3, 4, 2, dtype=dtype)):
        close(op @ np.asarray(linalg.solve_triangular(xp.asarray(a), b, trans, lower, unit)), b)


@both
@for_each("shape", [(4, 4), (4, 2), (2, 4), (0, 0)])
def test_elimination(dtype, shape):
    a = sample(*shape, dtype=dtype)
    p, lower, upper = linalg.lu(a)
    close(p @ np.asarray(lower) @ np.asarray(upper), a)
    permuted, upper = linalg.lu(a, permute_l=True)
    close(permuted @ upper, a)
    if shape == (4, 4):
        for trans, op in ((0, a), (1, a.T), (2, adjoint(a))):
            b = sample(4, 3, dtype=dtype)
            close(np.asarray(op) @ np.asarray(linalg.lu_solve(linalg.lu_factor(a), b, trans)), b)


def test_stacks_of_vectors_warn():
    a, b = xp.asarray(np.stack([np.eye(2), 2 * np.eye(2)])), xp.ones((2, 2))
    for solve in (
        lambda: linalg.solve_triangular(a, b),
        lambda: linalg.cho_solve((a, True), b),
        lambda: linalg.lu_solve((a, xp.asarray([[0, 1], [0, 1]])), b),
    ):
        with pytest.warns(FutureWarning, match=r"b\[..., None\]"):
            solve()


@both
@for_each("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_qr(dtype, shape):
    a = sample(*shape, dtype=dtype)
    for mode in ("full", "economic"):
        q, r = linalg.qr(a, mode=mode)
        close(q @ r, a)
        q, r, order = linalg.qr(a, mode=mode, pivoting=True)
        close(q @ r, np.take_along_axis(np.asarray(a), np.asarray(order)[..., None, :], -1))
        diagonal = np.abs(np.asarray(r).diagonal(axis1=-2, axis2=-1))
        assert (np.diff(diagonal) <= 1e-12).all()
        close(adjoint(q) @ np.asarray(q), np.broadcast_to(np.eye(q.shape[-1]), (*a.shape[:-2], q.shape[-1], q.shape[-1])))
    if a.ndim == 2:
        q, r = linalg.qr(a, mode="economic")
        left, right = sample(min(shape), 2, dtype=dtype), sample(2, shape[0], dtype=dtype)
        for conjugate in (False, True):
            factor = xp.conj(q) if conjugate else q
            product, r = linalg.qr_multiply(a, left, "left", conjugate=conjugate)
            close(product, factor @ left)
            close(linalg.qr_multiply(a, right, conjugate=conjugate)[0], right @ factor)


@for_each("n", [0, 1, 2, 3, 8, 25])
@for_each("kind", ["general", "symmetric", "triangular", "permutation", "integers", "defective"])
def test_schur(n, kind):
    a = RNG.normal(size=(n, n))
    a = {
        "general": a, "symmetric": a + a.T, "triangular": np.triu(a), "permutation": np.roll(np.eye(n), 1, 0),
        "integers": RNG.integers(-2, 3, (n, n)).astype(float),
        "defective": np.eye(n) + np.diag(np.ones(max(n - 1, 0)), 1)[:n, :n],
    }[kind]  # fmt: skip
    t, z = map(np.asarray, linalg.schur(xp.asarray(a)))
    close(z @ t @ z.T, a)
    close(z.T @ z, np.eye(n))
    below = np.diag(t, -1)
    assert not (np.tril(t, -2)).any()
    for i in np.flatnonzero(below):  # blocks of two rows have complex eigenvalues, and equal diagonal elements
        assert t[i, i] == t[i + 1, i + 1]
        assert t[i, i + 1] * t[i + 1, i] < 0
    assert not (below[:-1] * below[1:]).any()
    for upper, unitary in (linalg.schur(xp.asarray(a), output="complex"), linalg.rsf2csf(xp.asarray(t), xp.asarray(z))):
        close(unitary @ upper @ adjoint(unitary), a)
        assert not np.tril(np.asarray(upper), -1).any()


def test_schur_of_what_is_not_finite_is_nan():
    for output in ("real", "complex"):
        assert np.isnan(np.asarray(linalg.schur(xp.asarray([[np.nan, 1.0], [2.0, 3.0]]), output)[0])).all()


@both
def test_hessenberg_and_polar(dtype):
    a = sample(2, 6, 6, dtype=dtype)
    h, q = linalg.hessenberg(a, calc_q=True)
    close(np.asarray(q) @ np.asarray(h) @ adjoint(q), a)
    assert not np.tril(np.asarray(h), -2).any()
    for method in ("qdwh", "svd"):
        u, p = linalg.polar(a, method=method)
        close(u @ p, a)
        assert (np.linalg.eigvalsh(np.asarray(p)) > 0).all()
    u, p = linalg.polar(a, "left", method="svd")
    close(p @ u, a)


def test_tridiagonal():
    d, e = sample(6), sample(5)
    values, vectors = linalg.eigh_tridiagonal(d, e)
    matrix = np.diag(np.asarray(d)) + np.diag(np.asarray(e), 1) + np.diag(np.asarray(e), -1)
    close(matrix @ np.asarray(vectors), np.asarray(vectors) * np.asarray(values))
    part = linalg.eigh_tridiagonal(d, e, eigvals_only=True, select="i", select_range=(1, 3))
    close(part, np.asarray(values)[1:4])
    e = sample(5, dtype="complex128")
    values, vectors = linalg.eigh_tridiagonal(d.astype("complex128"), e)
    matrix = np.diag(np.asarray(d)) + np.diag(np.asarray(e), 1) + np.diag(np.asarray(xp.conj(e)), -1)
    close(matrix @ np.asarray(vectors), np.asarray(vectors) * np.asarray(values))
    with pytest.raises(ValueError, match=r"eigh_tridiagonal.*from 0 to 5"):
        linalg.eigh_tridiagonal(d, d[1:], select="i", select_range=(1, 6))
    with pytest.raises(ValueError, match=r"eigh_tridiagonal: e must have shape \(5,\)"):
        linalg.eigh_tridiagonal(d, d)
    assert linalg.eigh_tridiagonal(d[:1], d)[1].tolist() == [[1]]


class TestFunctionsOfMatrices:
    def test_exponential(self):
        # Of a nilpotent matrix the series ends; a rotation has an angle.
        close(
            linalg.expm(xp.asarray([[0.0, 1.0, 2.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]])),
            [[1, 1, 3.5], [0, 1, 3], [0, 0, 1]],
            1e-14,
        )
        turn = linalg.expm(xp.asarray([[0.0, -100.5], [100.5, 0.0]]))
        close(turn, [[math.cos(100.5), -math.sin(100.5)], [math.sin(100.5), math.cos(100.5)]], 1e-11)
        assert np.isnan(np.asarray(linalg.expm(xp.asarray([[1e6, 0.0], [0.0, 0.0]])))).all()
        assert linalg.expm(xp.zeros((0, 3, 3))).shape == (0, 3, 3)
        assert linalg.expm(xp.ones((2, 2), dtype="bfloat16")).dtype == "bfloat16"

    @both
    def test_derivative_of_the_exponential(self, dtype):
        a, e = sample(4, 4, dtype=dtype), sample(4, 4, dtype=dtype)
        value, derivative = linalg.expm_frechet(a, e)
        close(value, linalg.expm(a))
        h = 1e-6
        close(derivative, (linalg.expm(a + h * e) - linalg.expm(a - h * e)) / (2 * h), 1e-6)

    @both
    def test_square_root_and_functions(self, dtype):
        a = sample(5, 5, dtype=dtype)
        root = linalg.sqrtm(a)
        assert root.dtype == "complex128"
        close(root @ root, a)
        close(linalg.funm(a, lambda x: x**3), a @ a @ a, 1e-8)
        matrix, error = linalg.funm(a, xp.exp, disp=False)
        assert float(error) < 1e-9
        close(matrix, linalg.expm(a), 1e-8)

    @both
    def test_sylvester(self, dtype):
        a, b, c = sample(2, 4, 4, dtype=dtype), sample(2, 3, 3, dtype=dtype), sample(2, 4, 3, dtype=dtype)
        x = linalg.solve_sylvester(a, b, c)
        close(a @ x + x @ b, c, 1e-9)
        zeros = xp.zeros((2, 2))
        assert np.isnan(np.asarray(linalg.solve_sylvester(zeros, zeros, zeros))).all()


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_matrices_of_integers(n):
    exact = [[math.comb(i + j, i) for j in range(n)] for i in range(n)]
    assert linalg.pascal(n).astype("float64").tolist() == exact
    close(linalg.pascal(n).astype("float64") @ linalg.invpascal(n), np.eye(n), 0)
    close(linalg.hilbert(n) @ linalg.invhilbert(n), np.eye(n), 1e-4)
    close(linalg.helmert(n, full=True) @ linalg.helmert(n, full=True).T, np.eye(n), 1e-14)
    close(linalg.dft(n, "sqrtn") @ xp.conj(linalg.dft(n, "sqrtn")).T, np.eye(n), 1e-14)
    close(linalg.dft(n, "n") * n, linalg.dft(n), 1e-14)
    for kind in ("lower", "upper"):
        exact = [[math.comb(i, j) for j in range(n)] for i in range(n)]
        assert linalg.pascal(n, kind).tolist() == (exact if kind == "lower" else np.transpose(exact).tolist())
        close(linalg.pascal(n, kind).astype("float64") @ linalg.invpascal(n, kind), np.eye(n), 0)
    close(linalg.dft(n) @ xp.arange(1.0, n + 1), np.fft.fft(np.arange(1.0, n + 1)), 1e-12)


def test_matrices_of_vectors():
    assert linalg.toeplitz(xp.asarray([1, 2, 3]), xp.asarray([9, 4])).tolist() == [[1, 4], [2, 1], [3, 2]]
    assert linalg.toeplitz(xp.ones((4, 0, 3))).shape == (4, 0, 3, 3)
    assert linalg.toeplitz(xp.asarray([1, 2j])).tolist() == [[1, -2j], [2j, 1]]
    assert linalg.hankel(xp.asarray([1, 2]), xp.asarray([9, 3, 4])).tolist() == [[1, 2, 3], [2, 3, 4]]
    assert linalg.circulant(xp.asarray([1, 2, 3])).tolist() == [[1, 3, 2], [2, 1, 3], [3, 2, 1]]
    assert linalg.leslie(xp.asarray([1, 2, 3]), xp.asarray([4, 5])).tolist() == [[1, 2, 3], [4, 0, 0], [0, 5, 0]]
    assert linalg.block_diag(xp.asarray([1, 2]), 3.0).tolist() == [[1, 2, 0], [0, 0, 3]]
    assert linalg.hadamard(4).tolist() == [[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]]
    for n in range(2, 9):
        coefficients = xp.asarray([2.0, -3.0, 5.0, 1.0, 4.0, 0.5, -1.5, 7.0][:n])
        for matrix in (linalg.companion(coefficients), linalg.fiedler_companion(coefficients)):
            close(np.poly(np.asarray(matrix)), np.asarray(coefficients) / 2, 1e-9)
    assert linalg.toeplitz(xp.asarray([[1, 2], [3, 4]]), xp.asarray([[0, 5, 6]])).tolist() == [
        [[1, 5, 6], [2, 1, 5]],
        [[3, 5, 6], [4, 3, 5]],
    ]
    assert linalg.hankel(xp.asarray([1.0, 2.0], dtype="bfloat16")).tolist() == [[1, 2], [2, 0]]
    a, b = np.array([1.0, 2.0, 4.0]), np.arange(5.0)
    for mode in ("full", "valid", "same"):
        close(linalg.convolution_matrix(xp.asarray(a), 5, mode) @ xp.asarray(b), np.convolve(a, b, mode), 1e-12)


def test_errors_name_the_function():
    cases = {
        "cholesky": (xp.ones(2),), "lu": (xp.ones((2, 2, 2)),), "solve_triangular": (xp.ones((2, 3)), xp.ones(2)),
        "expm": (xp.ones((2, 3)),), "sqrtm": (xp.ones((2, 3)),), "schur": (xp.ones((2, 2)), "x"),
        "qr": (xp.ones((2, 2)), False, None, "x"),
        "polar": (xp.ones((2, 2)), "x"), "hadamard": (3,), "pascal": (2, "x"), "dft": (2, "x"), "hankel": (1,),
        "helmert": (0,),
        "leslie": (xp.ones(3), xp.ones(3)), "companion": (xp.ones(1),), "convolution_matrix": (xp.ones(2), 0),
        "block_diag": (xp.ones((1, 1, 1)),), "solve": (xp.ones((2, 2)), xp.ones(2), False, False, False, False, True, "x"),
        "solve_sylvester": (xp.ones((2, 2)), xp.ones((2, 2)), xp.ones((3, 2))),
    }  # fmt: skip
    for name, arguments in cases.items():
        with pytest.raises(ValueError, match=name):
            getattr(linalg, name)(*arguments)
    with pytest.raises(TypeError, match="eigh_tridiagonal"):
        linalg.eigh_tridiagonal(xp.ones(3, dtype="float16"), xp.ones(2, dtype="float16"))
    for call in (lambda: linalg.eigh(xp.eye(2), xp.eye(2)), lambda: linalg.sqrtm(xp.eye(2), 2)):
        with pytest.raises(NotImplementedError, match="linalg"):
            call()
