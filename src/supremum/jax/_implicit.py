"""Solutions of equations, which are differentiated by the equations: what solves them is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import supremum as xp
from supremum.jax import _tree
from supremum.jax._batching import Batched
from supremum.jax._custom_rules import level_of, mapped, value_of, without
from supremum.jax._dual import Dual, Level, like
from supremum.jax._gradients import linear_transpose, linearize
from supremum.jax._values import as_leaf

__all__ = ["linear_solution", "root"]


def root(f: Any, guess: Any, solve: Callable[..., Any], tangent_solve: Any, has_aux: bool) -> Any:
    """Return a root of a function; along its tangent, the function stays zero."""
    while (level := level_of(guess)) is not None:
        guess = value_of(level, guess)
    level = level_of(f(guess))
    if level is None:
        return solve(f, guess)
    still = without(level, f)
    found = root(still, guess, without(level, solve), tangent_solve, has_aux)
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
    found = linear_solution(still, value_of(level, b), solver, transpose, symmetric, has_aux)
    x, aux = found if has_aux else (found, None)
    left, structure = _tree.flatten(b)
    left = [one - product for one, product in zip(left, _tree.flatten(matvec(x))[0], strict=True)]

    def solved(leaves: list[Any]) -> Any:
        found = linear_solution(still, structure.unflatten(leaves), solver, transpose, symmetric, has_aux)
        return found[0] if has_aux else found

    def transposed(leaves: list[Any]) -> Any:
        if symmetric:
            return solved(leaves)
        if transpose is None:
            raise TypeError("transpose_solve required for backwards mode automatic differentiation of custom_linear_solve")

        def vecmat(v: Any) -> Any:
            return linear_transpose(still, x)(v)[0]

        given = structure.unflatten(leaves)
        found = linear_solution(vecmat, given, without(level, transpose), solver, False, has_aux)
        return found[0] if has_aux else found

    if any(type(one) is Batched for one in left):  # by the solver itself, which is linear
        result = _grafted_trees(level, x, solved(left))
    else:
        result = _with_rule(level, x, left, solved, transposed)
    return (result, aux) if has_aux else result


def _with_rule(level: Level, x: Any, left: list[Any], solved: Callable[..., Any], transposed: Callable[..., Any]) -> Any:
    ys, structure = _tree.flatten(x)
    ys = [as_leaf(y) for y in ys]
    if level.tape is None:
        tangents = [one.tangent if level.holds(one) else xp.zeros_like(one) for one in left]
        moved = _tree.flatten(solved(tangents))[0]
        return structure.unflatten([Dual(level, y, like(t, y)) for y, t in zip(ys, moved, strict=True)])

    def pull(cotangents: list[Any]) -> list[Any]:
        given = [xp.zeros_like(y) if ct is None else ct for y, ct in zip(ys, cotangents, strict=True)]
        found = _tree.flatten(transposed(given))[0]
        return [as_leaf(ct) for one, ct in zip(left, found, strict=True) if level.holds(one)]

    return structure.unflatten(level.joint(ys, [one for one in left if level.holds(one)], pull))


def _grafted_trees(level: Level, values: Any, moved: Any) -> Any:
    """Return a tree of values with the tangents of another one."""
    ys, structure = _tree.flatten(values)
    return structure.unflatten([_grafted(level, as_leaf(y), x) for y, x in zip(ys, _tree.flatten(moved)[0], strict=True)])


def _grafted(level: Level, y: Any, x: Any) -> Any:
    if level.holds(x):
        return Dual(level, y, x.tangent)
    return y + (x - value_of(level, x)) if type(x) is Batched else y
