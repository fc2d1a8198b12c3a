"""Iterative solvers of linear systems, of ``jax.scipy.sparse.linalg``.

A vector is an array of any shape, or a tree of arrays as in `supremum.jax.tree`. Its arithmetic is in its own dtypes; what is
made of inner products, in double precision.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, check_choice, describe
from supremum._base.functions import call_without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core.array import Array
from supremum._core.conversion import as_array
from supremum._functions.creation.filled import zeros_like
from supremum._functions.elementwise.floating import isnan
from supremum._functions.linear_algebra.products import dot
from supremum.jax import _tree
from supremum.scipy.sparse._krylov import Operator, Vector, bicgstab_steps, cg_steps, gmres_restarts, norm

__all__ = ["bicgstab", "cg", "gmres"]

Tree = TypeVar("Tree")
#: The modules of derivatives and of rules of solvers, which are above this one.
_GRADIENTS: Final = "supremum.jax._gradients"
_RULES: Final = "supremum.jax._implicit"


@public
def cg(
    A: Any, b: Tree, x0: Tree | None = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Tree, None]:
    """Solve ``A @ x = b`` by the method of conjugate gradients, for a positive definite A.

    Parameters
    ----------
    A, b, x0
    tol, atol
    maxiter, M

    Returns
    -------
    tuple
        The solution, and None.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.sparse.linalg.cg(xp.asarray([[4.0, 0.0], [0.0, 2.0]]), xp.asarray([4.0, 4.0]))[0].round(4)
    Array([1., 2.], dtype=float32)
    """
    return _solved("cg", cg_steps, A, b, x0, tol, atol, maxiter, M, symmetric=True), None


@public
def bicgstab(
    A: Any, b: Tree, x0: Tree | None = None, *, tol: Any = 1e-5, atol: Any = 0.0, maxiter: int | None = None, M: Any = None
) -> tuple[Tree, None]:
    """Solve ``A @ x = b`` by the stabilized method of biconjugate gradients.

    Parameters
    ----------
    A, b, x0
    tol, atol
    maxiter, M

    Returns
    -------
    tuple
        The solution, and None.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.sparse.linalg.bicgstab(xp.asarray([[4.0, 1.0], [0.0, 2.0]]), xp.asarray([6.0, 4.0]))[0].round(4)
    Array([1., 2.], dtype=float32)
    """
    return _solved("bicgstab", bicgstab_steps, A, b, x0, tol, atol, maxiter, M), None


@public
def gmres(
    A: Any, b: Tree, x0: Tree | None = None, *, tol: Any = 1e-5, atol: Any = 0.0, restart: int = 20, maxiter: int | None =
    None, M: Any = None, solve_method: str = "batched",
) -> tuple[Tree, Array]:  # fmt: skip
    """Solve ``A @ x = b`` by the generalized method of minimal residuals.

    Parameters
    ----------
    A, b, x0
    tol, atol
    restart : int
        The dimensions of the space in which a residual is minimized before the method starts again.
    maxiter : int, optional
        The number of restarts after which to stop; ten times the number of elements by default.
    M
    solve_method : {"batched", "incremental"}
        Whether to solve the problem in that space at its end, or to watch the residual and to stop early.

    Returns
    -------
    tuple
        The solution, and 0, or -1 if it is not finite.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.sparse.linalg.gmres(xp.asarray([[4.0, 1.0], [0.0, 2.0]]), xp.asarray([6.0, 4.0]))[0].round(4)
    Array([1., 2.], dtype=float32)
    """
    check_choice(solve_method, "solve_method", ("batched", "incremental"), "linalg.gmres")

    def steps(apply: Operator, b: Vector, x: Vector, limit: float, count: int, improve: Operator) -> Vector:
        size = min(call_user_code(int, restart), sum(part.size for part in b))
        return gmres_restarts(apply, b, x, limit, count, improve, size, early=solve_method == "incremental")

    x = _solved("gmres", steps, A, b, x0, tol, atol, maxiter, M)
    failed = any(bool(isnan(leaf).any()) for leaf in _tree.flatten(x)[0])
    return x, as_array(-1 if failed else 0)


# Their definitions know of derivatives.
for _solver in (cg, bicgstab, gmres):
    setattr(_solver, "derived", lambda _level, function, args, kwargs: function.definition(*args, **kwargs))  # noqa: B010 - type checkers know no such attribute


def _solved(name: str, steps: Callable[..., Vector], A: Any, b: Any, x0: Any, *options: Any, symmetric: bool = False) -> Any:
    """Return what a method finds; its derivative solves a system too, with operands that A may hold, as in JAX."""
    structure = _tree.flatten(b)[1]
    if x0 is not None and (given := _tree.flatten(x0)[1]) != structure:
        raise ValueError(f"linalg.{name}: x0 and b must have matching tree structure, got {given} and {structure}")

    def solve(matrix: Any, right: Any) -> Any:
        return call_without_float_warnings(_solve, name, steps, matrix, right, x0, *options)

    if _GRADIENTS not in sys.modules:  # nothing has been differentiated yet
        return solve(A, b)
    return import_module(_RULES).solved_by(A, b, solve, symmetric)


def _solve(
    name: str, steps: Callable[..., Vector], A: Any, b: Any, x0: Any, tol: Any, atol: Any, maxiter: int | None, M: Any
) -> Any:
    """Return what a method finds, as a tree."""
    name = f"linalg.{name}"
    leaves, structure = _tree.flatten(b)
    right = [as_array(leaf) for leaf in leaves]
    apply = _operator(name, A, structure)
    improve: Operator = (lambda x: x) if M is None else _operator(name, M, structure)
    begin = [zeros_like(part) for part in right]
    if x0 is not None:
        begin = [as_array(leaf) for leaf in _tree.flatten(x0)[0]]
    shapes = [[part.shape for part in vector] for vector in (begin, right)]
    if shapes[0] != shapes[1]:
        raise ShapeError(f"{name}: x0 and b must have matching shapes, got {shapes[0]} and {shapes[1]}")
    for part, image in zip(begin, apply(begin), strict=True):
        if image.shape != part.shape:
            raise ShapeError(f"{name}: A must keep the shape {part.shape} of a vector, it returned {image.shape}")
    limit = float(np.maximum(call_user_code(float, tol) * norm(right), call_user_code(float, atol)))
    count = 10 * sum(part.size for part in right) if maxiter is None else call_user_code(int, maxiter)
    found = steps(apply, right, begin, limit, count, improve)
    for part, start in zip(found, begin, strict=True):
        if part._node.kind not in "fc" or part.dtype != start.dtype:
            raise TypeError(
                f"{name}: A(x), b, x0 must have one floating dtype, got {part.dtype} and {start.dtype}; use astype"
            )
    return structure.unflatten(found)


def _operator(name: str, f: Any, structure: _tree.PyTreeDef) -> Operator:
    """Return a function of lists of leaves that multiplies by a matrix, which is given as one or as a function of trees."""
    if not callable(f):
        if not hasattr(f, "__matmul__"):
            raise TypeError(f"{name}: linear operator must be either a function or an array, got {describe(f)}")
        if len(f.shape) != 2 or f.shape[0] != f.shape[1]:
            raise ShapeError(f"{name}: linear operator must be a square matrix, but has shape: {tuple(f.shape)}")
    matrix = as_array(f) if isinstance(f, np.ndarray) else f

    def product(x: Any) -> Any:
        if isinstance(matrix, Array):
            return dot(matrix, x)
        return call_user_code(f, x) if callable(f) else call_user_code(operator.matmul, f, x)

    def apply(x: Vector) -> Vector:
        leaves, found = _tree.flatten(product(structure.unflatten(x)))
        if found != structure:
            raise ValueError(f"{name}: an operator must return the tree structure of b, {structure}, it returned {found}")
        return [as_array(leaf) for leaf in leaves]

    return apply


__dir__ = __all__.copy  # which `dir` sorts
