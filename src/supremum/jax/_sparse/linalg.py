"""The solvers of ``jax.scipy.sparse.linalg``: the matrix is a function of trees of arrays, or an array.

Trees are joined to one vector, on which the methods work.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.errors import describe
from supremum._core.array import wrap
from supremum.jax._values import as_leaves

__all__ = ["bicgstab", "cg", "gmres"]

Operator = Callable[[Array], Array]


class _System:
    """A linear system on vectors: the operator, the preconditioner, the right-hand side and the first guess."""

    def __init__(self, name: str, A: Any, b: Any, x0: Any, M: Any) -> None:
        leaves, self.structure = as_leaves(b)
        self.shapes = [x.shape for x in leaves]
        self.nodes = [x._node for x in leaves]
        self.b = _joined(leaves)
        self.x0 = xp.zeros_like(self.b)
        if x0 is not None:
            first, structure = as_leaves(x0)
            if structure != self.structure:
                raise ValueError(f"{name}: x0 and b must have matching tree structure: {structure} vs {self.structure}")
            if [x.shape for x in first] != self.shapes:
                raise ValueError(f"{name}: arrays in x0 and b must have matching shapes: {first} vs {leaves}")
            self.x0 = _joined(first)
        self.A = self._operator(name, "A", A)
        self.M: Operator = (lambda r: r) if M is None else self._operator(name, "M", M)

    def _operator(self, name: str, what: str, given: Any) -> Operator:
        if callable(given):
            return lambda v: _joined(as_leaves(given(self.tree(v)))[0])
        matrix = xp.asarray(given)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"{name}: {what} is a function or a square matrix, got {describe(given)} of shape {matrix.shape}")
        return lambda v: _joined([xp.matmul(matrix, as_leaves(self.tree(v))[0][0])])

    def tree(self, vector: Array) -> Any:
        """Return a vector as a tree like the right-hand side."""
        parts, start = [], 0
        for shape, node in zip(self.shapes, self.nodes, strict=True):
            stop = start + math.prod(shape)
            part = vector[start:stop].reshape(shape)
            parts.append(part if part.dtype == node.dtype else part.astype(node.dtype))
            start = stop
        return self.structure.unflatten(parts)


def _joined(leaves: list[Array]) -> Array:
    flat = [x.ravel() for x in leaves]
    return flat[0] if len(flat) == 1 else xp.concatenate(flat)


def _norm2(x: Array) -> Array:
    """Return the square of the length of a vector, a real number."""
    return xp.real(xp.vdot(x, x))


def _limit(system: _System, tol: Any, atol: Any) -> float:
    """Return the square of the length of a residual that is small enough."""
    return max(float(tol) ** 2 * float(_norm2(system.b)), float(atol) ** 2)


def cg(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Any, None]:
    """Solve a linear system with a hermitian positive definite matrix by conjugate gradients.

    Parameters
    ----------
    A : callable or array
        The matrix: a function of trees like `b`, or a square array for one vector.
    b : tree of arrays
        The right-hand side.
    x0 : tree of arrays, optional
        Where to begin; zeros by default.
    tol, atol : float, optional
        The residual is at most ``max(tol * norm(b), atol)``.
    maxiter : int, optional
        The most steps; ten times the number of unknowns by default.
    M : callable or array, optional
        A preconditioner: about the inverse of `A`.

    Returns
    -------
    tuple
        The solution, and None.
    """
    system = _System("cg", A, b, x0, M)
    limit, x = _limit(system, tol, atol), system.x0
    r = system.b - system.A(x)
    p = z = system.M(r)
    gamma = xp.real(xp.vdot(r, z))
    for _ in range(10 * x.size if maxiter is None else maxiter):
        if not float(_norm2(r)) > limit:
            break
        Ap = system.A(p)
        alpha = gamma / xp.real(xp.vdot(p, Ap))
        x, r = x + alpha * p, r - alpha * Ap
        z = system.M(r)
        before, gamma = gamma, xp.real(xp.vdot(r, z))
        p = z + (gamma / before) * p
    return system.tree(x), None


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Any, None]:
    """Solve a linear system by the stabilized method of biconjugate gradients; the arguments are those of `cg`.

    Returns
    -------
    tuple
        The solution, and None.
    """
    system = _System("bicgstab", A, b, x0, M)
    limit, x = _limit(system, tol, atol), system.x0
    r = first = p = q = system.b - system.A(x)
    alpha = omega = rho = wrap(np.ones((), x._data.dtype), x._node)
    for _ in range(10 * x.size if maxiter is None else maxiter):
        if not float(_norm2(r)) > limit:
            break
        before, rho = rho, xp.vdot(first, r)
        beta = rho / before * alpha / omega
        p = r + beta * (p - omega * q)
        direction = system.M(p)
        q = system.A(direction)
        alpha = rho / xp.vdot(first, q)
        s = r - alpha * q
        if float(_norm2(s)) < limit:
            return system.tree(x + alpha * direction), None
        correction = system.M(s)
        t = system.A(correction)
        omega = xp.vdot(t, s) / xp.vdot(t, t)
        x, r = x + (alpha * direction + omega * correction), s - omega * t
        if 0 in (rho, omega, alpha):  # the method breaks down
            break
    return system.tree(x), None


def gmres(
    A: Any, b: Any, x0: Any = None, *, tol: float = 1e-5, atol: float = 0.0, restart: int = 20, maxiter: int | None = None,
    M: Any = None, solve_method: str = "batched",
) -> tuple[Any, Array]:  # fmt: skip
    """Solve a linear system by the generalized method of minimal residuals, which begins again after some steps.

    Parameters
    ----------
    A, b, x0, tol, atol, M : optional
        As for `cg`.
    restart : int, optional
        How many steps there are before the method begins again.
    maxiter : int, optional
        How often it begins again at most; ten times the number of unknowns by default.
    solve_method : {"batched", "incremental"}, optional
        How JAX solves the small least-squares problems; it makes no difference here.

    Returns
    -------
    tuple
        The solution, and 0, or -1 where it is not finite.
    """
    if solve_method not in ("batched", "incremental"):
        raise ValueError(f"gmres: solve_method must be 'incremental' or 'batched', got {describe(solve_method)}")
    system = _System("gmres", A, b, x0, M)
    limit, x = math.sqrt(_limit(system, tol, atol)), system.x0
    residual = system.M(system.b - system.A(x))
    for _ in range(10 * x.size if maxiter is None else maxiter):
        length = float(xp.sqrt(_norm2(residual)))
        if not length > limit:
            break
        x = x + _krylov_step(system, residual, length, min(restart, x.size))
        residual = system.M(system.b - system.A(x))
    failed = bool(xp.isnan(_norm2(x)))
    return system.tree(x), xp.asarray(-1 if failed else 0)


def _krylov_step(system: _System, residual: Array, length: float, count: int) -> Array:
    """Return the correction in a Krylov space that makes the residual least."""
    dtype = residual._data.dtype
    basis = np.zeros((count + 1, residual.size), dtype)
    hessenberg = np.zeros((count + 1, count), dtype)
    basis[0] = residual._data / length
    used = count
    for k in range(count):
        v = system.M(system.A(wrap(basis[k].copy(), residual._node)))._data
        before = float(np.linalg.norm(v))
        for _ in range(2):  # twice is enough for an orthogonal basis
            h = basis[: k + 1].conj() @ v
            v = v - h @ basis[: k + 1]
            hessenberg[: k + 1, k] += h
        after = float(np.linalg.norm(v))
        if after <= np.finfo(dtype).eps * before:
            used = k + 1
            break
        hessenberg[k + 1, k] = after
        basis[k + 1] = v / after
    right = np.zeros(used + 1, dtype)
    right[0] = length
    y = np.linalg.lstsq(hessenberg[: used + 1, :used], right, rcond=None)[0]
    return wrap(np.asarray(y @ basis[:used], dtype), residual._node)
