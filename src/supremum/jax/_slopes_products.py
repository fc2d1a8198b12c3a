"""Rules for derivatives: products of matrices, and sums of products by subscripts."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._functions.linear_algebra.einsums import parsed, spelled
from supremum.jax._batching import as_own
from supremum.jax._dual import SEQUENCES, Dual, Level, Strong, stripped
from supremum.jax._slopes import by_position, composed, pushes, rows
from supremum.promotion._nodes import Node


def _matmul_back_a(ct: Any, a: Any, b: Any) -> Any:
    if a.ndim == b.ndim == 1 or not (a.ndim and b.ndim):
        return ct * b
    if b.ndim == 1:
        return xp.expand_dims(ct, -1) * b
    if a.ndim == 1:
        return xp.matmul(b, ct) if b.ndim == 2 else xp.matmul(b, xp.expand_dims(ct, -1))[..., 0]
    return xp.matmul(ct, xp.matrix_transpose(b))


def _matmul_back_b(ct: Any, a: Any, b: Any) -> Any:
    if a.ndim == b.ndim == 1 or not (a.ndim and b.ndim):
        return ct * a
    if a.ndim == 1:
        return xp.expand_dims(a, -1) * xp.expand_dims(ct, -2)
    if b.ndim == 1:
        turned = xp.matrix_transpose(a)
        return xp.matmul(turned, ct) if a.ndim == 2 else xp.matmul(turned, xp.expand_dims(ct, -1))[..., 0]
    return xp.matmul(xp.matrix_transpose(a), ct)


def _kind_of_pull(result: Node, operand: Node) -> type[partial[Any]]:
    """Return the class of the pulls of products, which convert no weak operands: their cotangents are strong if those are."""
    return Strong if operand.weak and not result.weak else partial


def _value(level: Level, x: Any) -> Any:
    """Return the value of an operand of other levels, as an array; lists are refused."""
    found = stripped(level, x)
    return found if isinstance(found, SEQUENCES) else as_own(found)


def matmul(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply matrices; what `dot` does with other arrays has parts."""
    if len(args) < 2:
        args, kwargs = by_position(function, args, kwargs, 2)
    x, z = args[:2]
    of_x, of_z = type(x), type(z)
    by_x, by_z = of_x is Dual and x.level is level, of_z is Dual and z.level is level
    a = x.primal if by_x else x if of_x is Array else _value(level, x)
    b = z.primal if by_z else z if of_z is Array else _value(level, z)
    if (a.ndim > 2 or b.ndim > 2) and function.name == "dot" and a.ndim * b.ndim:
        return composed(level, function, args, kwargs)
    y = function(a, b, **kwargs)
    node = y._node
    if node.kind not in level.kinds or not (by_x or by_z):
        return y
    parents: list[Any] = []
    if level.tape is None:
        if by_x:
            parents.append((function(x.tangent, b, **kwargs), 1))
        if by_z:
            parents.append((function(a, z.tangent, **kwargs), 1))
        return level.scaled(y, parents)
    if by_x:
        parents.append((x.tangent, _kind_of_pull(node, a._node)(_matmul_back_a, a=a, b=b)))
    if by_z:
        parents.append((z.tangent, _kind_of_pull(node, b._node)(_matmul_back_b, a=a, b=b)))
    return level.taped(y, parents)


rows(matmul, "matmul dot")


@pushes("outer")
def _outer(function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    a, b = g["a"], g["b"]
    return {
        "a": (lambda t: function(t, b), lambda ct: xp.reshape(xp.matmul(ct, xp.ravel(b)), a.shape)),
        "b": (lambda t: function(a, t), lambda ct: xp.reshape(xp.matmul(xp.ravel(a), ct), b.shape)),
    }


def einsum(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Sum products."""
    spec, xs = spelled(*args)
    plain = list(map(as_own, stripped(level, xs)))
    y = function(spec, *plain, **kwargs)
    terms, result = parsed(spec, tuple([x.shape for x in plain]))

    def pull(k: int, ct: Any) -> Any:
        mine, shape = terms[k], plain[k].shape
        others = [(term, x) for i, (term, x) in enumerate(zip(terms, plain, strict=True)) if i != k]
        known = set(result).union(*[term for term, _ in others])
        if len(set(mine)) < len(mine):  # a diagonal: of what the distinct letters give, the elements with equal indices
            once = "".join(dict.fromkeys(mine))
            kept = "".join([letter for letter in once if letter in known])
            inner = function(",".join([result, *[term for term, _ in others]]) + "->" + kept, ct, *[x for _, x in others])
            gone = tuple([i for i, letter in enumerate(once) if letter not in known])
            inner = xp.broadcast_to(xp.expand_dims(inner, gone), tuple([shape[mine.index(letter)] for letter in once]))
            places = [once.index(letter) for letter in mine]
            axes = range(len(once))
            index = tuple(
                [np.arange(n).reshape([-1 if i == at else 1 for i in axes]) for at, n in zip(places, shape, strict=True)]
            )
            return xp.zeros(shape, dtype=ct.dtype).at[index].add(inner)
        kept = "".join([letter for letter in mine if letter in known])
        found = function(",".join([result, *[term for term, _ in others]]) + "->" + kept, ct, *[x for _, x in others])
        gone = tuple([i for i, letter in enumerate(mine) if letter not in known])
        return xp.broadcast_to(xp.expand_dims(found, gone), plain[k].shape) if gone else found

    parts = [
        (x, lambda t, k=k: function(spec, *plain[:k], t, *plain[k + 1 :], **kwargs), partial(pull, k))
        for k, x in enumerate(xs)
        if level.holds(x)
    ]
    return level.result(y, [(x, push, _kind_of_pull(y._node, x._node)(back)) for x, push, back in parts])


rows(einsum, "einsum")
