"""Schur and tridiagonal forms: LAPACK's where the matrix determines them, and factors that give the matrix back."""

import json
from pathlib import Path

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.jax import lax
from supremum.scipy import linalg

pytestmark = pytest.mark.usefixtures("wide")

scipy_linalg = pytest.importorskip("scipy.linalg", reason="SciPy is not installed")

REFERENCES = json.loads((Path(__file__).parent / "schur_references.json").read_text())


def matrix(n, *, turned=False, dtype="float64"):
    """Return a matrix whose elements have no order, by a formula."""
    k = np.arange(n * n).reshape(n, n)
    a = ((k * 7919 + k * k * 104729) % 1009) / 100.0 - 5
    if turned:
        a = a + 1j * (((k * 6101 + k * k * 15485863) % 997) / 100.0 - 5)
    return a if turned else a.astype(dtype)


def decoded(values, shape=None):
    """Return a reference; complex numbers are pairs."""
    x = np.asarray(values)
    return x if shape is None else (x[..., 0] + 1j * x[..., 1]).reshape(shape)


def close(found, expected, tolerance):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


def check_factors(a, t, z, tolerance, *, below=0):
    """Check that t is triangular, z unitary, and their product the matrix."""
    a, t, z = (np.asarray(x).astype(np.complex128) for x in (a, t, z))
    size = max(1.0, np.abs(a).max())
    close(z @ t @ z.conj().T, a, tolerance * size)
    close(z @ z.conj().T, np.eye(len(a)), tolerance)
    assert not np.tril(t, below - 1).any()


def check_form(t, z, expected_t, expected_z, tolerance):
    """Compare Schur forms but for what rounding decides: the phases of columns, and the angles of real blocks of two rows."""
    t, z = np.asarray(t), np.asarray(z)
    turn = expected_z.conj().T @ z
    joined = np.eye(len(t), dtype=bool) | np.tril(expected_t != 0, -1) | np.tril(expected_t != 0, -1).T
    close(turn[~joined], 0, tolerance)
    close(turn @ turn.conj().T, np.eye(len(t)), tolerance)
    close(t, turn.conj().T @ expected_t @ turn, tolerance * np.abs(expected_t).max())


class TestAsLapack:
    @pytest.mark.combinations
    @pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
    @pytest.mark.parametrize("output", ["real", "complex"])
    def test_forms_are_scipys(self, output, dtype):
        for n in (2, 6, 80):
            a = matrix(n, turned="complex" in dtype).astype(dtype)
            for ours, theirs in zip(linalg.schur(xp.asarray(a), output), scipy_linalg.schur(a, output), strict=True):
                assert ours.dtype == theirs.dtype
                np.testing.assert_array_equal(np.asarray(ours), theirs)

    def test_real_form_of_single_precision(self):
        t, z = linalg.schur(xp.asarray(matrix(6, dtype="float32")))
        assert t.dtype == z.dtype == "float32"
        check_form(t, z, decoded(REFERENCES["t32"]), decoded(REFERENCES["z32"]), 1e-5)

    def test_isolated_eigenvalues(self):
        t, z = linalg.schur(xp.asarray(REFERENCES["isolated_matrix"], dtype="float64"))
        check_form(t, z, decoded(REFERENCES["isolated_t"]), decoded(REFERENCES["isolated_z"]), 1e-8)

    @pytest.mark.parametrize("n", [6, 15, 50])
    def test_order_of_eigenvalues(self, n):
        t, _ = linalg.schur(xp.asarray(matrix(n)))
        close(np.diag(np.asarray(t)), decoded(REFERENCES["real"][str(n)]), 1e-5)
        t, _ = linalg.schur(xp.asarray(matrix(n, turned=True)))
        close(np.diag(np.asarray(t)), decoded(REFERENCES["complex"][str(n)], n), 1e-5)

    def test_complex_form_of_a_real_one(self):
        t, z = linalg.rsf2csf(*[xp.asarray(decoded(REFERENCES[name])) for name in "tz"])
        close(t, decoded(REFERENCES["complex_t"], (6, 6)), 1e-8)
        close(z, decoded(REFERENCES["complex_z"], (6, 6)), 1e-8)

    def test_complex_form_of_what_is_no_schur_form(self):
        t, z = linalg.rsf2csf(xp.asarray(matrix(4)), xp.asarray(matrix(4) + 1))
        close(t, decoded(REFERENCES["full_t"], (4, 4)), 1e-8)
        close(z, decoded(REFERENCES["full_z"], (4, 4)), 1e-8)
        stack = xp.stack([xp.asarray(matrix(4)), xp.asarray(matrix(4)) * 2])
        batch, _ = linalg.rsf2csf(stack, xp.asarray(matrix(4) + 1))
        close(batch[0], t, 1e-12)
        close(linalg.rsf2csf(xp.asarray(matrix(4)), stack)[1].shape, (2, 4, 4), 0)

    @pytest.mark.parametrize("lower", [True, False])
    @pytest.mark.parametrize("name", ["dsytrd", "zhetrd"])
    def test_tridiagonal(self, name, lower):
        found = lax.linalg.tridiagonal(xp.asarray(matrix(4, turned=name == "zhetrd")), lower=lower)
        expected = REFERENCES[f"{name}_{'lower' if lower else 'upper'}"]
        for ours, theirs in zip(found, expected, strict=True):
            values = np.asarray(theirs)
            close(ours, decoded(theirs, ours.shape) if ours.dtype.kind == "c" else values.reshape(ours.shape), 1e-8)


def test_schur_forms_of_many_rows_give_the_matrix_back():
    for dtype in ("float64", "float32"):
        a, tolerance = matrix(90, dtype=dtype), 90 * float(np.finfo(dtype).eps)  # LAPACK's bound
        t, z = linalg.schur(xp.asarray(a))
        check_factors(a, t, z, tolerance, below=-1)
        found, expected = np.linalg.eigvals(np.asarray(t, np.float64)), np.linalg.eigvals(a.astype(np.float64))
        close(np.sort_complex(found.round(2)), np.sort_complex(expected.round(2)), 0.02)


@pytest.mark.parametrize("n", [1, 2, 3, 10, 40])
def test_schur_forms_whose_phases_rounding_decides(n):
    # The phases of columns of a complex form, and the angles of blocks of a real one, come from rounding errors.
    check_factors(matrix(n), *linalg.schur(xp.asarray(matrix(n))), 1e-13, below=-1)
    for a in (matrix(n, turned=True), matrix(n)):
        check_factors(a, *linalg.schur(xp.asarray(a), output="complex"), 1e-13)
        form, unitary = lax.linalg.schur(xp.asarray(a))
        check_factors(a, form, unitary, 1e-13, below=0 if np.iscomplexobj(a) else -1)


@for_each("n", [2, 4, 8])
@for_each("kind", ["shift", "zeros", "one", "diagonal", "companion", "stairs"])
def test_schur_forms_of_special_matrices(n, kind):
    # Steps with usual shifts do not change a cyclic shift: exceptional ones do. The others have isolated eigenvalues.
    a = {
        "shift": np.roll(np.eye(n), 1, 0), "zeros": np.zeros((n, n)), "one": np.ones((n, n)),
        "diagonal": np.diag(np.arange(n)), "companion": np.eye(n, k=-1) + np.eye(n)[:, -1:] * np.arange(n),
        "stairs": np.tril(matrix(n)),
    }[kind].astype(float)  # fmt: skip
    t, z = linalg.schur(xp.asarray(a))
    check_factors(a, t, z, 1e-13, below=-1)
    check_factors(a, *linalg.schur(xp.asarray(a), output="complex"), 1e-13)
    for i in np.flatnonzero(np.diag(np.asarray(t), -1)):
        assert t[i, i] == t[i + 1, i + 1]
        assert t[i, i + 1] * t[i + 1, i] < 0


def test_functions_of_real_matrices_take_real_eigenvalues_as_they_are():
    # With noise in the imaginary part of a negative eigenvalue, the power would have a random sign.
    a = np.diag([-1.0, -2.0, 3.0]) + np.triu(np.ones((3, 3)), 1)
    found = linalg.funm(xp.asarray(a), lambda x: x**0.5)
    assert (np.diag(np.asarray(found))[:2].imag > 0).all()
    close(found @ found, a, 1e-12)


def test_functions_of_single_precision():
    given = [
        xp.asarray([[4.0, 1.0, -0.5], [2.0, 5.0, 1.0], [0.0, -1.0, 3.0]], dtype="float32"),
        xp.asarray([[4.0, 1.0, -0.5], [1.0, 5.0, 1.0], [-0.5, 1.0, 3.0]], dtype="float32"),
    ]
    for ours, theirs in zip(linalg.expm_frechet(*given), REFERENCES["frechet"], strict=True):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=2e-7)
    a = matrix(40, dtype="float32")
    a = a @ a.T + 40 * np.eye(40, dtype="float32")
    values, vectors = np.linalg.eigh(a.astype(np.float64))
    np.testing.assert_allclose(np.asarray(linalg.sqrtm(xp.asarray(a))).real, vectors * np.sqrt(values) @ vectors.T, atol=2e-4)


class TestTridiagonalSystems:
    @pytest.mark.parametrize("turned", [False, True])
    def test_solutions(self, turned):
        lower, middle, upper = (matrix(5, turned=turned)[i : i + 2] for i in range(3))  # with exchanges of rows
        b = matrix(6, turned=turned)[:5, :2] * np.ones((2, 1, 1))
        x = lax.linalg.tridiagonal_solve(*map(xp.asarray, (lower, middle, upper, b)))
        for i in range(2):
            a = np.diag(middle[i]) + np.diag(lower[i, 1:], -1) + np.diag(upper[i, :-1], 1)
            close(a @ np.asarray(x[i]), b[i], 1e-11)

    @pytest.mark.parametrize(
        ("lower", "middle", "upper", "b", "expected"),
        [  # as JAX
            ([0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 1], [8.507059e37, 8.507059e37, 8.507059e37]),
            ([0, 0, 0], [0, 2, 3], [0, 0, 0], [1, 1, -1], [2796202.8, 0.5, -0.33333334]),
            ([0, 0, 0], [1e-30, 2, 3], [0, 0, 0], [1, 1, -1], [1e30, 0.5, -0.33333334]),
            ([0, 1], [1, 1], [1, 0], [1, 2], [-8388607.0, 8388608.0]),
            ([0, 0], [0, 0], [7, 0], [1, 1], [-1.0052677e13, 1198372.6]),
            ([0, 1, 1, 1], [1, 1, 0, 2], [1, 5, 3, 0], [1, 1, -1, 1], [3.5, -2.5, 0.0, 0.5]),
        ],
    )
    def test_perturbed_pivots(self, lower, middle, upper, b, expected):
        given = [xp.asarray(x, dtype="float32") for x in (lower, middle, upper, [[element] for element in b])]
        found = lax.linalg.tridiagonal_solve(*given, perturb_singular=True)
        np.testing.assert_allclose(np.asarray(found)[:, 0], expected, rtol=1e-6, atol=1e-6)

    def test_singular_matrices_give_nan(self):
        given = [xp.asarray(x) for x in ([[0.0, 1.0]] * 2, [[1.0, 1.0], [1.0, 2.0]], [[1.0, 0.0]] * 2, [[[1.0], [2.0]]] * 2)]
        found = np.asarray(lax.linalg.tridiagonal_solve(*given))
        assert np.isnan(found[0]).all()
        close(found[1, :, 0], [0.0, 1.0], 1e-12)

    def test_operands_have_one_dtype(self):
        with pytest.raises(TypeError, match="tridiagonal_solve"):
            lax.linalg.tridiagonal_solve(xp.ones(2, dtype="float32"), xp.ones(2), xp.ones(2), xp.ones((2, 1)))

    def test_few_equations(self):
        for n in (1, 2):
            x = lax.linalg.tridiagonal_solve(xp.ones(n), 3 * xp.ones(n), xp.ones(n), 4 * xp.ones((n, 1)))
            close(x, np.full((n, 1), 4 / (2 + n)), 1e-15)


def test_products_of_reflections():
    a = matrix(5)[:, :3]
    form, factors = np.linalg.qr(a, mode="raw")
    q = lax.linalg.householder_product(xp.stack([xp.asarray(form.T)] * 2), xp.stack([xp.asarray(factors)] * 2))
    for part in q:
        close(part @ np.linalg.qr(a)[1], a, 1e-12)
    for shape, count in (((2, 3), 2), ((3, 2), 3)):
        with pytest.raises(ValueError, match="householder_product: a has too few rows"):
            lax.linalg.householder_product(xp.ones(shape), xp.ones(count))
