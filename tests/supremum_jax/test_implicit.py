"""Derivatives of solutions of equations, compared with those of formulas."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import lax, test_util

A, B = np.array([[3.0, 1.0], [0.5, 2.0]], np.float32), np.array([1.0, -2.0], np.float32)


def square_root(a, guess=1.0):
    def solve(f, x):
        for _ in range(20):
            x = x - f(x) / jax.grad(f)(x)
        return x

    return lax.custom_root(lambda x: x * x - a, guess, solve, lambda g, y: y / g(1.0))


def test_roots():
    assert np.allclose(square_root(2.0), np.sqrt(2.0))
    assert np.allclose(jax.grad(square_root)(2.0), 0.5 / np.sqrt(2.0))
    assert np.allclose(jax.jvp(square_root, (2.0,), (1.0,))[1], 0.5 / np.sqrt(2.0))
    assert np.allclose(jax.grad(jax.grad(square_root))(2.0), -0.25 * 2.0**-1.5)
    assert np.allclose(jax.grad(lambda a: square_root(a, a))(2.0), 0.5 / np.sqrt(2.0))
    a = xp.asarray([1.0, 2.0, 3.0])
    assert np.allclose(jax.vmap(jax.grad(square_root))(a), 0.5 / np.sqrt(a))


def test_solvers_of_tangents_take_operands():
    def program(a):  # the solver of tangents uses the linear function of an operand
        def tangent_solve(g, y):
            return (y + g(y) - g(y)) / g(1.0)

        return lax.custom_root(lambda x: a * x - 4, 0.0, lambda f, x: 4 / lax.stop_gradient(a), tangent_solve)

    assert float(jax.grad(program)(2.0)) == -1.0
    assert float(jax.grad(jax.grad(program))(2.0)) == 1.0


def test_roots_with_more_results():
    def program(a):
        x, steps = lax.custom_root(lambda x: x - a, 0.0, lambda f, x: (x - f(x), {"steps": 1}), lambda g, y: y, has_aux=True)
        assert steps == {"steps": 1}
        return x

    assert float(jax.grad(program)(3.0)) == 1.0


@pytest.mark.parametrize("symmetric", [False, True])
def test_linear_systems(symmetric):
    def program(a, b):
        m = (a + a.mT) / 2 if symmetric else a

        def solve(matvec, b):
            matrix = xp.stack([matvec(row) for row in xp.eye(2)], axis=-1)
            return np.linalg.solve(np.asarray(matrix), np.asarray(b))  # which cannot be differentiated

        return lax.custom_linear_solve(lambda x: m @ x, b, solve, None if symmetric else solve, symmetric)

    def direct(a, b):
        return xp.linalg.solve((a + a.mT) / 2 if symmetric else a, b)

    found = jax.grad(lambda a, b: (program(a, b) ** 2).sum(), (0, 1))(A, B)
    expected = jax.grad(lambda a, b: (direct(a, b) ** 2).sum(), (0, 1))(A, B)
    for x, y in zip(found, expected, strict=True):
        assert np.allclose(x, y, rtol=1e-5)
    t = (np.ones_like(A), np.ones_like(B))
    assert np.allclose(jax.jvp(program, (A, B), t)[1], jax.jvp(direct, (A, B), t)[1], rtol=1e-5)
    second = jax.grad(lambda b: jax.grad(lambda b: (program(A, b) ** 3).sum())(b).sum())(B)
    assert np.allclose(second, jax.grad(lambda b: jax.grad(lambda b: (direct(A, b) ** 3).sum())(b).sum())(B), rtol=1e-4)


def test_systems_that_are_not_symmetric_need_a_solver_of_the_transposed_one():
    with pytest.raises(TypeError, match="transpose_solve required"):
        jax.grad(lambda b: lax.custom_linear_solve(lambda x: 2 * x, b, lambda f, b: b / 2))(1.0)


def with_factors(a, b):
    """Solve a system by factors of the matrix, which solvers find in their closures."""
    factors, turned = xp.linalg.cholesky(a @ a.mT), xp.linalg.cholesky((a @ a.mT).mT)

    def solver(given):
        return lambda _, y: jax.scipy.linalg.cho_solve((given, True), y)

    def tangent_solve(g, y):
        return lax.custom_linear_solve(g, y, solver(factors), solver(turned))

    return lax.custom_root(lambda x: (a @ a.mT) @ x - b, b, solver(factors), tangent_solve)


def by_steps(a, b):
    """Solve a system step by step."""

    def solve(matvec, y):
        return lax.while_loop(lambda x: xp.linalg.norm(matvec(x) - y) > 1e-12, lambda x: x + 0.56 * (y - matvec(x)), y)

    return lax.custom_linear_solve(lambda x: a @ a.mT @ x, b, solve, solve)


@pytest.mark.parametrize("program", [with_factors, by_steps])
def test_second_derivatives_of_solutions(program):
    def direct(a, b):
        return xp.linalg.solve(a @ a.mT, b)

    with xp.config.use(x64="on"):
        a, b = xp.asarray(A, dtype="float64") / 2, xp.asarray(B, dtype="float64")
        test_util.check_grads(program, (a, b), 2)
        test_util.check_grads(jax.vmap(program), (xp.stack([a, a.mT]), xp.stack([b, -b])), 2)

        def moved(f):  # backward through forward
            return jax.grad(lambda a, b: (jax.jvp(f, (a, b), (b * a, b))[1] ** 2).sum(), (0, 1))(a, b)

        for x, y in zip(moved(program), moved(direct), strict=True):
            assert np.allclose(x, y, rtol=1e-8)
        mapped = [moved(lambda a, b, f=f: jax.vmap(f, (None, 0))(a, b[None])[0]) for f in (program, direct)]
        for x, y in zip(*mapped, strict=True):
            assert np.allclose(x, y, rtol=1e-8)


def test_systems_that_are_not_differentiated_are_solved_alone():
    calls = []
    jax.grad(lambda x: x)(1.0)
    assert lax.custom_linear_solve(lambda x: calls.append(x) or x, xp.ones(2), lambda f, b: f(b)).tolist() == [1, 1]
    assert len(calls) == 1


def test_while_loops_are_differentiated_forward():
    def power(x):
        return lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * x), (0, 1.0))[1]

    assert float(jax.jvp(power, (2.0,), (1.0,))[1]) == 12.0
    with pytest.raises(ValueError, match=r"Reverse-mode differentiation does not work for lax\.while_loop"):
        jax.grad(power)(2.0)
    assert float(jax.grad(lambda x: x * lax.stop_gradient(power(x)))(2.0)) == 8.0
    assert float(jax.grad(lambda x: lax.fori_loop(0, 3, lambda _, c: c * x, 1.0))(2.0)) == 12.0


@pytest.mark.parametrize("solver", ["cg", "bicgstab", "gmres"])
def test_derivatives_of_iterative_solvers(solver):
    """The matrix may be an operand, or in the closure of a function that multiplies by it; vectors may be trees."""
    solve = getattr(xp.scipy.sparse.linalg, solver)
    with xp.config.use(x64="on"):
        a, b = xp.asarray([[4.0, 1.0], [1.0, 3.0]], dtype="float64"), xp.asarray([1.0, 2.0], dtype="float64")

        def by_matrix(a, b):
            return solve(a, b, tol=1e-12)[0]

        def by_function(a, b):
            return solve(lambda x: {"x": a @ x["x"]}, {"x": b}, tol=1e-12)[0]["x"]

        def expected(a, b):
            return xp.linalg.solve(a, b)

        for program in (by_matrix, by_function):
            test_util.check_grads(program, (a, b), 2, ["fwd"])
            for f in (lambda g: jax.grad(lambda a, b: (g(a, b) ** 3).sum(), (0, 1)), jax.hessian):
                for x, y in zip(jax.tree.leaves(f(program)(a, b)), jax.tree.leaves(f(expected)(a, b)), strict=True):
                    if f is not jax.hessian or solver != "cg":  # whose matrix is symmetric, and so are its changes
                        assert np.allclose(x, y, rtol=1e-6, atol=1e-8)
        rows = xp.stack([b, 2 * b])
        assert np.allclose(jax.vmap(by_matrix, (None, 0))(a, rows), jax.vmap(expected, (None, 0))(a, rows))


def test_solutions_are_differentiated_within_vmap():  # values of JAX
    w, b = xp.eye(3) * 0.5 + 0.1, xp.reshape(xp.arange(6.0), (2, 3)) * 0.5 - 1

    def solution(w, b):
        solve, turned = (lambda _, b, a=a: xp.linalg.solve(a, b) for a in (w, w.T))
        return lax.custom_linear_solve(lambda x: w @ x, b, solve, turned)

    by_matrix = jax.vmap(jax.grad(lambda w, b: solution(w, b).sum()), (None, 0))(w, b)
    expected = np.array([[2.03125, 0.78125, -0.46875], [-0.3125, -1.5625, -2.8125]])
    assert np.allclose(by_matrix, np.broadcast_to(expected[:, None], (2, 3, 3)), atol=1e-5)
    assert np.allclose(jax.vmap(jax.grad(lambda b: solution(w, b).sum()))(b), 1.25)
    tangents = jax.vmap(lambda b: jax.jvp(lambda w: solution(w, b), (w,), (w,))[1])(b)
    assert np.allclose(tangents, [[1.625, 0.625, -0.375], [-0.25, -1.25, -2.25]], atol=1e-5)
