"""The solvers of jax.scipy.sparse.linalg, against solutions by LAPACK."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax

linalg = jax.scipy.sparse.linalg
RNG = np.random.default_rng(0)
ANY = RNG.normal(size=(12, 12)).astype(np.float32)
GENERAL = ANY + 8 * np.eye(12, dtype=np.float32)
POSITIVE = ANY @ ANY.T + 12 * np.eye(12, dtype=np.float32)
SIDE = RNG.normal(size=12).astype(np.float32)

CASES = [
    (linalg.cg, POSITIVE),
    (linalg.bicgstab, POSITIVE),
    (linalg.bicgstab, GENERAL),
    (linalg.gmres, GENERAL),
    (linalg.bicgstab, GENERAL + 1j * ANY),
    (linalg.gmres, GENERAL + 1j * ANY),
]


@pytest.mark.parametrize(("solve", "matrix"), CASES)
def test_solutions(solve, matrix):
    A, b = xp.asarray(matrix), xp.asarray(SIDE.astype(matrix.dtype))
    expected = np.linalg.solve(matrix.astype(np.complex128), SIDE)
    for options in ({}, {"M": lambda r: r / 20}, {"M": xp.eye(12, dtype=b.dtype) / 20}, {"x0": xp.ones_like(b)}):
        for given in (A, lambda v: A @ v):
            x, _ = solve(given, b, tol=1e-6, **options)
            assert x.dtype == b.dtype
            np.testing.assert_allclose(np.asarray(x), expected, atol=2e-5)


def test_tolerances_and_steps():
    A, b = xp.asarray(POSITIVE), xp.asarray(SIDE)
    for solve in (linalg.cg, linalg.bicgstab, linalg.gmres):
        loose, _ = solve(A, b, tol=0.1)
        assert float(xp.linalg.norm(A @ loose - b)) <= 0.1 * np.linalg.norm(SIDE)
        loose, _ = solve(A, b, tol=0, atol=0.2)
        assert float(xp.linalg.norm(A @ loose - b)) <= 0.2
        assert solve(A, b, maxiter=0)[0].tolist() == [0.0] * 12
    x, info = linalg.gmres(A, b, restart=3, solve_method="incremental")
    np.testing.assert_allclose(np.asarray(A @ x), SIDE, atol=1e-4)
    assert int(info) == 0


def test_trees():
    A = xp.asarray(POSITIVE)

    def apply(tree):
        v = A @ xp.concatenate([tree["a"], tree["b"].ravel()])
        return {"a": v[:6], "b": v[6:].reshape((2, 3))}

    b = {"a": xp.asarray(SIDE[:6]), "b": xp.asarray(SIDE[6:].reshape(2, 3))}
    x, info = linalg.cg(apply, b)
    assert info is None
    assert x["b"].shape == (2, 3)
    np.testing.assert_allclose(np.asarray(apply(x)["b"]), SIDE[6:].reshape(2, 3), atol=1e-4)
    with pytest.raises(ValueError, match="cg: x0 and b must have matching tree structure"):
        linalg.cg(apply, b, x0=xp.ones(12))
    with pytest.raises(ValueError, match="matching shapes"):
        linalg.cg(A, xp.asarray(SIDE), x0=xp.ones(11))


def test_bad_arguments():
    with pytest.raises(ValueError, match="gmres: solve_method must be"):
        linalg.gmres(xp.eye(2), xp.ones(2), solve_method="other")
    with pytest.raises(ValueError, match="cg: A is a function or a square matrix"):
        linalg.cg(xp.ones((2, 3)), xp.ones(2))
