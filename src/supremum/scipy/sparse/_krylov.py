"""The steps of iterative solvers, on vectors that are lists of Arrays.

Inner products, and what is made of them, are NumPy's scalars in double precision; the Arrays are multiplied by Python numbers,
so they keep their dtypes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.buffers import Buffer
from supremum._core.array import Array, wrap
from supremum._functions.data_types import finfo
from supremum._kernels import lapack
from supremum._kernels.casts import cast, vdot
from supremum.promotion._nodes import NODES

Vector = list[Array]
Operator = Callable[[Vector], Vector]


def _wide(x: Array) -> Buffer:
    return cast(x._data, NODES["complex128" if x._node.kind == "c" else "float64"]).ravel()


def _dot(x: Vector, y: Vector) -> Any:
    """Return the inner product, which is linear in `y`."""
    return sum([vdot(_wide(a), _wide(b)) for a, b in zip(x, y, strict=True)], start=np.float64(0))


def norm(x: Vector) -> Any:
    """Return the Euclidean norm."""
    return np.sqrt(_dot(x, x).real)


def _plus(x: Vector, factor: Any, y: Vector) -> Vector:
    """Return ``x + factor * y``."""
    number = factor.item()
    return [a + number * b for a, b in zip(x, y, strict=True)]


def _times(factor: Any, x: Vector) -> Vector:
    number = factor.item()
    return [number * part for part in x]


def _epsilon(x: Vector) -> float:
    """Return the distance from 1 to the next number of the widest dtype of a vector."""
    return min(float(finfo(part.dtype).eps) for part in x)


def _minus(x: Vector, y: Vector) -> Vector:
    return [a - b for a, b in zip(x, y, strict=True)]


def cg_steps(apply: Operator, b: Vector, x: Vector, limit: float, count: int, improve: Operator) -> Vector:
    """Make steps of the method of conjugate gradients (M. Hestenes, E. Stiefel); the result is never weak, as in JAX."""
    residual = _minus(b, apply(x))
    direction = improved = improve(residual)
    gamma = _dot(residual, improved).real
    for _ in range(count):
        if not norm(residual) > limit:
            break
        image = apply(direction)
        alpha = gamma / _dot(direction, image).real
        x = _plus(x, alpha, direction)
        residual = _plus(residual, -alpha, image)
        improved = improve(residual)
        gamma, before = _dot(residual, improved).real, gamma
        direction = _plus(improved, gamma / before, direction)
    return [wrap(part._data, part._node.strong) for part in x]


def bicgstab_steps(apply: Operator, b: Vector, x: Vector, limit: float, count: int, improve: Operator) -> Vector:
    """Make steps of the stabilized method of biconjugate gradients (H. van der Vorst)."""
    residual = shadow = direction = image = _minus(b, apply(x))
    alpha = omega = rho = np.float64(1)
    for _ in range(count):
        if not norm(residual) > limit:
            break
        rho, before = _dot(shadow, residual), rho
        beta = rho / before * alpha / omega
        direction = _plus(residual, beta, _plus(direction, -omega, image))
        improved = improve(direction)
        image = apply(improved)
        alpha = rho / _dot(shadow, image)
        half = _plus(residual, -alpha, image)
        x, small = _plus(x, alpha, improved), norm(half) < limit
        improved = improve(half)
        product = apply(improved)
        omega = _dot(product, half) / _dot(product, product)
        if small:
            residual = half
        else:
            x, residual = _plus(x, omega, improved), _plus(half, -omega, product)
        if rho == 0 or alpha == 0 or omega == 0:  # the method breaks down
            break
    return x


def gmres_restarts(
    apply: Operator, b: Vector, x: Vector, limit: float, count: int, improve: Operator, size: int, *, early: bool
) -> Vector:
    """Minimize residuals in spaces of `size` dimensions again and again (Y. Saad, M. Schultz).

    With `early`, a space is not enlarged further when the residual is small enough.
    """
    within = norm(improve(b)) * min(1.0, limit / norm(b)) if early else -1.0
    for _ in range(count):
        residual = improve(_minus(b, apply(x)))
        length = norm(residual)
        if not length > max(limit, _epsilon(residual)):
            break
        basis, coordinates = _minimize(lambda v: improve(apply(v)), _times(1 / length, residual), length, size, within)
        for coordinate, vector in zip(coordinates, basis, strict=True):
            x = _plus(x, coordinate, vector)
    return x


def _minimize(product: Operator, first: Vector, length: Any, size: int, within: float) -> tuple[list[Vector], Buffer]:
    """Return an orthonormal basis of the space of a vector and its products, and where the residual is least (W. Arnoldi)."""
    basis = [first]
    matrix = np.zeros((size + 1, size), np.complex128)  # of the product, in the basis
    while True:
        k = len(basis) - 1
        image = product(basis[k])
        least = _epsilon(image) * norm(image)
        overlaps = [_dot(vector, image) for vector in basis]
        for overlap, vector in zip(overlaps, basis, strict=True):
            image = _plus(image, -overlap, vector)
        rest = norm(image)
        exhausted = rest <= least
        matrix[: k + 1, k], matrix[k + 1, k] = overlaps, 0 if exhausted else rest
        whole = exhausted or k + 1 == size
        if whole or within >= 0:
            coordinates, error = _least_squares(matrix[: k + 2, : k + 1], length)
            if whole or error <= within:
                is_real = all(np.isrealobj(overlap) for overlap in overlaps)
                return basis, coordinates.real if is_real else coordinates
        basis.append(_times(1 / rest, image))


def _least_squares(matrix: Buffer, length: Any) -> tuple[Buffer, float]:
    """Return the x that minimizes ``matrix @ x - (length, 0, 0, ...)``, NaN if there are several, and the minimum."""
    q, upper = lapack.raising(lapack.qr, matrix)
    try:
        found: Buffer = lapack.raising(lapack.solve, upper, q[0].conj() * length)
    except np.linalg.LinAlgError:
        found = np.full(len(upper), np.nan + 0j)
    error = matrix @ found
    error[0] -= length
    return found, float(np.linalg.norm(error))
