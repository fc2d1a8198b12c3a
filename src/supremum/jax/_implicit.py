"""Solutions of equations, which are differentiated by the equations: what solves them is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum.jax import _tree
from supremum.jax._batch_rules import whole
from supremum.jax._batching import Batched
from supremum.jax._copies import Copies
from supremum.jax._custom_rules import level_of, value_of, without
from supremum.jax._dual import Dual, Level, is_differentiating, like
from supremum.jax._gradients import linear_transpose, linearize
from supremum.jax._tree import mapped
from supremum.jax._values import as_leaf


def root(f: Any, guess: Any, solve: Callable[..., Any], tangent_solve: Any, has_aux: bool) -> Any:
    """Return a root of a function; along its tangent, the function stays zero."""
    while (level := level_of(guess)) is not None:
        guess = value_of(level, guess)
    level = level_of(f(guess))
    if level is None:
        return solve(f, guess)
    still = without(level, f)
    found = root(still, guess, without(level, solve), without(level, tangent_solve), has_aux)
    solution, aux = found if has_aux else (found, None)
    moved = tangent_solve(linearize(still, solution)[1], f(solution))
    solution = _grafted_trees(level, solution, mapped(xp.negative, moved))
    return (solution, aux) if has_aux else solution


def linear_solution(matvec: Any, b: Any, solve: Callable[..., Any], transpose: Any, symmetric: bool, has_aux: bool) -> Any:
    """Return the solution of a linear system; its tangent solves the system for what is left of the others."""
    values = b
    while (level := level_of(values)) is not None:
        values = value_of(level, values)
    level = level_of((b, matvec(mapped(xp.zeros_like, values))))
    if level is None:
        return solve(matvec, b)
    still, solver = without(level, matvec), without(level, solve)
    turned = None if transpose is None else without(level, transpose)
    found = linear_solution(still, value_of(level, b), solver, turned, symmetric, has_aux)
    x, aux = found if has_aux else (found, None)
    left, structure = _tree.flatten(b)
    left = [one - product for one, product in zip(left, _tree.flatten(matvec(x))[0], strict=True)]

    def solved(leaves: list[Any]) -> Any:
        found = linear_solution(still, structure.unflatten(leaves), solver, turned, symmetric, has_aux)
        return found[0] if has_aux else found

    def transposed(leaves: list[Any]) -> Any:
        if symmetric:
            return solved(leaves)
        if turned is None:
            raise TypeError("transpose_solve required for backwards mode automatic differentiation of custom_linear_solve")

        def vecmat(v: Any) -> Any:
            return linear_transpose(still, x)(v)[0]

        found = linear_solution(vecmat, structure.unflatten(leaves), turned, solver, False, has_aux)
        return found[0] if has_aux else found

    result = _with_rule(level, x, left, solved, transposed)
    return (result, aux) if has_aux else result


def solved_by(a: Any, b: Any, solve: Callable[[Any, Any], Any], symmetric: bool) -> Any:
    """Return the solution that a solver finds for a matrix, or for a function that multiplies by it."""
    if not is_differentiating() or (not callable(a) and level_of((a, b)) is None):
        return solve(a, b)
    matrix = as_leaf(a) if isinstance(a, np.ndarray) else a
    real = not any(as_leaf(x)._node.kind == "c" for x in _tree.flatten(b)[0])
    product = a if callable(a) else lambda x: matrix @ x
    return linear_solution(product, mapped(as_leaf, b), solve, solve, symmetric and real, False)


def _with_rule(level: Level, x: Any, left: list[Any], solved: Callable[..., Any], transposed: Callable[..., Any]) -> Any:
    """Return a solution with its derivative, which is the solution for the derivatives of the right side.

    Within a `vmap`, operands of the derivative are in batches: rules carry what they have for all positions.
    """
    ys, structure = _tree.flatten(x)
    ys = [as_leaf(y) for y in ys]
    axes = _axes_of(level, [*left, *ys])
    ys, operands = ([_peeled(axes, one) for one in xs] for xs in (ys, left))
    if level.tape is None:
        tangents = [one.tangent if level.holds(one) else xp.zeros_like(one) for one in operands]
        moved = [_peeled(axes, as_leaf(t)) for t in _tree.flatten(solved([_batched(axes, t) for t in tangents]))[0]]
        results: list[Any] = [Dual(level, y, like(t, y)) for y, t in zip(ys, moved, strict=True)]
        return structure.unflatten([_batched(axes, one) for one in results])

    if isinstance(level.memory, Copies):
        level.memory.called_again("lax.custom_linear_solve", solved, transposed)

    def pull(cotangents: list[Any]) -> list[Any]:
        given = [_batched(axes, xp.zeros_like(y) if ct is None else ct) for y, ct in zip(ys, cotangents, strict=True)]
        found = [_peeled(axes, as_leaf(ct)) for ct in _tree.flatten(transposed(given))[0]]
        return [ct for one, ct in zip(operands, found, strict=True) if level.holds(one)]

    results = level.joint(ys, [one for one in operands if level.holds(one)], pull)
    return structure.unflatten([_batched(axes, one) for one in results])


def _axes_of(level: Level, xs: list[Any]) -> list[Any]:
    """Return the axes of batches within a derivative, those of the innermost `vmap` first."""
    found = set()
    for one in xs:
        x: Any = one
        while type(x) is Batched and x.axis.level > level.number:
            found.add(x.axis)
            x = x.value
    return sorted(found, key=lambda axis: -axis.level)


def _peeled(axes: list[Any], x: Any) -> Any:
    """Return the values of all positions along axes."""
    for axis in axes:
        x = whole(axis, x)
    return x


def _batched(axes: list[Any], x: Any) -> Any:
    """Return values of all positions along axes as a batch."""
    for axis in reversed(axes):
        x = Batched(axis, x)
    return x


def _grafted_trees(level: Level, values: Any, moved: Any) -> Any:
    """Return a tree of values with the tangents of another one."""
    ys, structure = _tree.flatten(values)
    return structure.unflatten([_grafted(level, as_leaf(y), x) for y, x in zip(ys, _tree.flatten(moved)[0], strict=True)])


def _grafted(level: Level, y: Any, x: Any) -> Any:
    if level.holds(x):
        return Dual(level, y, x.tangent) if x.primal._node is y._node else level.result(y, [(x, 1, None)])
    return y + (x - value_of(level, x)) if type(x) is Batched else y
