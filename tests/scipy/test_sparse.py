"""Iterative solvers: solutions as by elimination, trees of arrays, errors.

JAX's answers are in ``tests/jax_expressions/sparse.txt``.
"""

import numpy as np
import pytest
from common import for_each
from generators import RNG

import supremum as xp
from supremum.jax import tree_util
from supremum.scipy.sparse.linalg import bicgstab, cg, gmres

pytestmark = pytest.mark.usefixtures("wide")

GENERAL = {
    "bicgstab": bicgstab,
    "gmres": gmres,
    "incremental": lambda *args, **options: gmres(*args, solve_method="incremental", **options),
}


def matrix(n, dtype):
    a = RNG.normal(size=(n, n))
    return a + 1j * RNG.normal(size=(n, n)) if "complex" in dtype else a


@for_each("dtype", ["float32", "float64", "complex64", "complex128"])
@for_each("solver", ["cg", *GENERAL])
@for_each("improved", [False, True])
def test_solutions(solver, dtype, improved):
    n = 12
    a = matrix(n, dtype)
    a = (a @ a.conj().T + np.eye(n) if solver == "cg" else a + 6 * np.eye(n)).astype(dtype)
    b = matrix(n, dtype)[0].astype(dtype)
    near = xp.asarray(np.linalg.inv(a) + 0.001 * np.eye(n, dtype=dtype)) if improved else None
    tolerance = 1e-6 if dtype in ("float32", "complex64") else 1e-12
    found, info = {"cg": cg, **GENERAL}[solver](xp.asarray(a), xp.asarray(b), tol=tolerance, maxiter=400, M=near)
    assert found.dtype == dtype
    np.testing.assert_allclose(np.asarray(found), np.linalg.solve(a, b), rtol=100 * tolerance, atol=100 * tolerance)
    assert (info == 0) if solver not in ("cg", "bicgstab") else info is None


@pytest.mark.parametrize("solver", [cg, *GENERAL.values()])
def test_narrow_floats(solver):
    found, _ = solver(lambda x: 2 * x, xp.asarray([1.0, 2.0, -3.0], dtype="bfloat16"))
    assert found.dtype == "bfloat16"
    assert found.tolist() == [0.5, 1.0, -1.5]


@pytest.mark.parametrize("solver", [cg, *GENERAL.values()])
def test_registered_classes_are_vectors(solver):
    class Pair:
        def __init__(self, first, second):
            self.first, self.second = first, second

    tree_util.register_pytree_node(Pair, lambda x: ((x.first, x.second), None), lambda _, children: Pair(*children))
    found, _ = solver(lambda x: Pair(2 * x.first + x.second, x.first + 3 * x.second), Pair(xp.ones((2, 2)), xp.zeros((2, 2))))
    assert type(found) is Pair
    np.testing.assert_allclose(np.asarray(found.first), np.full((2, 2), 0.6), atol=1e-5)
    np.testing.assert_allclose(np.asarray(found.second), np.full((2, 2), -0.2), atol=1e-5)


def test_singular_matrices():
    assert gmres(xp.zeros((2, 2)), xp.ones(2))[1] == -1
    assert not np.isfinite(np.asarray(cg(xp.zeros((2, 2)), xp.ones(2))[0])).any()


def test_errors_of_the_user_pass():
    def broken(x):
        raise KeyError("mine")

    for solver in (cg, bicgstab, gmres):
        with pytest.raises(KeyError, match="mine"):
            solver(broken, xp.ones(2))


def test_errors_name_the_function():
    b = xp.ones(3)
    for solver in (cg, bicgstab, gmres):
        name = f"linalg.{solver.__name__}"
        for a, right, start in (
            (xp.ones((3, 2)), b, None),
            (xp.ones(3), b, None),
            (lambda x: x, {"x": b}, {"y": b}),
            (lambda x: x, b, xp.ones(2)),
            (lambda x: x[:2], b, None),
            (lambda x: (x, x), b, None),
        ):
            with pytest.raises(ValueError, match=name):
                solver(a, right, start)
        for a, right in (([[1.0]], b), (lambda x: x, xp.arange(3)), (lambda x: x.astype("float64"), b.astype("float32"))):
            with pytest.raises(TypeError, match=name):
                solver(a, right, maxiter=3)
    with pytest.raises(ValueError, match=r"linalg\.gmres: solve_method"):
        gmres(lambda x: x, b, solve_method="other")


def test_a_start_of_another_structure_is_refused_before_the_operator_is_called():
    from supremum import jax

    jax.grad(lambda x: x)(1.0)  # from now on the solvers have rules
    with pytest.raises(ValueError, match=r"linalg\.cg: x0 and b must have matching tree structure"):
        xp.scipy.sparse.linalg.cg(lambda x: 2 * x, {"x": xp.ones(2)}, {"y": xp.ones(2)})
