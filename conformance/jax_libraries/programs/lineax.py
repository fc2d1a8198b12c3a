"""lineax: linear solves."""

import equinox as eqx
import jax
import jax.numpy as jnp
import lineax as lx

PACKAGES = "lineax equinox"
MATRIX = jnp.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
RHS = jnp.array([1.0, 2.0, 3.0])


def dense_solvers():
    spd = lx.MatrixLinearOperator(MATRIX, lx.positive_semidefinite_tag)
    solvers = {
        "auto": lx.AutoLinearSolver(well_posed=True), "lu": lx.LU(), "qr": lx.QR(), "svd": lx.SVD(), "cholesky": lx.Cholesky(), "cg": lx.CG(1e-6, 1e-6),
        "gmres": lx.GMRES(1e-6, 1e-6), "bicgstab": lx.BiCGStab(1e-6, 1e-6),
    }  # fmt: skip
    return {name: lx.linear_solve(spd, RHS, solver=solver).value for name, solver in solvers.items()}


def structured_operators():
    return [
        lx.linear_solve(lx.DiagonalLinearOperator(RHS), RHS).value,
        lx.linear_solve(lx.TridiagonalLinearOperator(RHS, RHS[:2] * 0.1, RHS[:2] * 0.2), RHS).value,
        lx.linear_solve(lx.MatrixLinearOperator(jnp.triu(MATRIX), lx.upper_triangular_tag), RHS).value,
        lx.linear_solve(lx.IdentityLinearOperator(jax.ShapeDtypeStruct((3,), jnp.float32)) * 2.0, RHS).value,
    ]


def least_squares():
    tall = lx.MatrixLinearOperator(jnp.sin(jnp.arange(12.0) ** 2).reshape(4, 3))
    return [
        lx.linear_solve(tall, jnp.arange(4.0), solver=solver).value
        for solver in (lx.QR(), lx.SVD(), lx.AutoLinearSolver(well_posed=None))
    ]


def operators():
    one, two = lx.MatrixLinearOperator(MATRIX), lx.DiagonalLinearOperator(RHS)
    return (one + two).mv(RHS), (one @ two).as_matrix(), one.T.mv(RHS), lx.diagonal(one), lx.tridiagonal(one)


def mapped():
    stack = jnp.stack([MATRIX, 2 * MATRIX])
    return jax.vmap(lambda a, b: lx.linear_solve(lx.MatrixLinearOperator(a), b).value)(stack, jnp.stack([RHS, RHS]))


def jitted():
    return eqx.filter_jit(lx.linear_solve)(lx.MatrixLinearOperator(MATRIX), RHS).value


def functions():
    operator = lx.FunctionLinearOperator(lambda x: 2.0 * x + x[::-1] / 3, jax.ShapeDtypeStruct((3,), jnp.float32))
    return (
        lx.linear_solve(operator, RHS).value,
        operator.as_matrix(),
        lx.linear_solve(operator, RHS, lx.GMRES(1e-6, 1e-6)).value,
    )


def iterative_least_squares():
    tall = lx.MatrixLinearOperator(jnp.sin(jnp.arange(12.0) ** 2).reshape(4, 3))
    return [lx.linear_solve(tall, jnp.arange(4.0), solver).value for solver in (lx.NormalCG(1e-6, 1e-6), lx.LSMR(1e-6, 1e-6))]


def jacobians():
    operator = lx.JacobianLinearOperator(lambda x, _: x**2 + x[::-1] / 3, RHS)
    return operator.as_matrix(), operator.mv(RHS), operator.T.mv(RHS), lx.linear_solve(operator, RHS).value


def closures_and_transposes():
    closed = lx.FunctionLinearOperator(lambda x: MATRIX.T @ jnp.tanh(MATRIX) @ x, jax.ShapeDtypeStruct((3,), jnp.float32))
    return closed.as_matrix(), closed.T.as_matrix(), lx.linear_solve(closed, RHS, lx.GMRES(1e-6, 1e-6)).value


def gradients():
    spd = lx.positive_semidefinite_tag
    solvers = {
        "lu": (lx.LU(), ()), "qr": (lx.QR(), ()), "cg": (lx.CG(1e-6, 1e-6), spd), "cholesky": (lx.Cholesky(), spd),
        "svd": (lx.SVD(), ()),
    }  # fmt: skip

    def loss(a, b, solver, tags):
        return jnp.sum(jnp.sin(lx.linear_solve(lx.MatrixLinearOperator(a, tags), b, solver).value))

    return {name: jax.grad(loss, (0, 1))(MATRIX, RHS, *given) for name, given in solvers.items()}


def second_derivatives():
    def loss(a, b):
        return jnp.sum(jnp.sin(lx.linear_solve(lx.MatrixLinearOperator(a), b).value))

    stacks = jnp.stack([MATRIX, 2 * MATRIX]), jnp.stack([RHS, RHS])
    return jax.hessian(loss, 1)(MATRIX, RHS), jax.vmap(jax.grad(loss))(*stacks), jax.jvp(loss, (MATRIX, RHS), (jnp.sin(MATRIX), RHS))
