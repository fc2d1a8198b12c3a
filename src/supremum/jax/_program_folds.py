"""Reductions, places of extremes and products of small arrays as steps of programs, which the engine computes itself.

Elements are combined in the order of the function's own fast path, by the same loop, so that the results have the same bits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._core import engine
from supremum._core.array import wrap
from supremum.jax._moves import of_one
from supremum.jax._program_steps import Step
from supremum.promotion._nodes import Node

#: The most multiplications of a product that is a step: of integers, for more of which there are other algorithms.
_MOST: Final = 1 << 18
_MOST_OF_INTEGERS: Final = 512
#: The elements from which reductions have loops of their own, and a call takes little of the time.
_MANY: Final = 4096
_DIVIDE: Final[Any] = xp.divide
_POSITIVE: Final[Any] = xp.positive
_OPTIONS: Final = {"axis", "keepdims"}


def zeros(node: Node, shape: tuple[int, ...]) -> Array:
    """Return an array of zeros."""
    return wrap(np.zeros(shape, node.dtype), node)


def _shaped(function: Any, shape: tuple[int, ...], *operands: Array) -> Array:
    """Return what a function of ndarrays returns, in C's order."""
    return wrap(np.ascontiguousarray(function(*[x._data for x in operands])).reshape(shape), operands[-1]._node)


def _called(function: Any, axis: Any, shape: tuple[int, ...], *operands: Array) -> Array:
    found = function(operands[-1], axis=axis)
    return wrap(found._data.reshape(shape), found._node)


def turning(function: Any, turned: Sequence[bool], *operands: Array) -> Any:
    """Return what a function makes of operands, of which these are transposed."""
    return function(*[wrap(x._data.T, x._node) if yes else x for x, yes in zip(operands, turned, strict=True)])


def folded(compiler: Any, equation: Any, x: int, out: int) -> list[Step]:
    """Return the steps of a reduction or of the search of an extreme, or none."""
    function, params = equation.function, equation.params
    if not params.keys() <= _OPTIONS or 0 in compiler.described(x)[1]:
        return []
    axis = params.get("axis")
    axes = [
        operator.index(i)
        for i in (axis if type(axis) is tuple else range(len(compiler.described(x)[1])) if axis is None else (axis,))
    ]
    if getattr(function, "fast", "") in ("argmax", "argmin"):
        return _found(compiler, function, x, out, None if axis is None else axes[0])
    reduces = getattr(function, "kind", "") == "reduction" and function.fast in ("reduce", "total", "mean")
    return _reduced(compiler, function, x, out, axes) if reduces else []


def _reduced(compiler: Any, function: Any, x: int, out: int, axes: list[int]) -> list[Step]:
    """Return the steps of a reduction: its first elements or its identity, the others, and the division of a mean."""
    (node, shape), (to, result) = compiler.described(x), compiler.described(out)
    plan, rule, mean = engine.plan(function.operation, zeros(node, ())), function.row.rule, function.fast == "mean"
    whole = node.kind in "biu" and to.kind in "iu"  # sums of integers are exact
    if not plan.looped or plan.node is not to or plan.dtype != to.dtype or not (whole or node.dtype == to.dtype):
        return []
    if (mean and to.kind == "c") or math.prod(shape) >= _MANY:
        return []
    steps = []
    if node.dtype != to.dtype:
        cast = compiler.slot(to, shape)
        how = engine.plan(_POSITIVE.operation, zeros(to, ()))  # which changes no bits
        steps = [Step(operator.methodcaller("astype", to.dtype), (None,), None, ((0, x),), (cast,), how)]
        x = cast
    axes = [i % len(shape) for i in axes]
    first = tuple([slice(1) if i in axes else slice(None) for i in range(len(shape))])
    if rule.has_identity:
        start: Any = compiler.constant(wrap(np.asarray(rule.identity, to.dtype), to))
        runs: Any = ((0, 0, math.prod(result)),)
        begin: Any = partial(np.broadcast_to, shape=result)
    else:
        start, runs, begin = x, of_one(np.arange(math.prod(shape)).reshape(shape)[first]), operator.itemgetter(first)
    if not runs:
        return []
    steps.append(
        Step(partial(_shaped, begin, result), (None,), None, ((0, start),), (out,), (tuple([(start, *run) for run in runs]),))
    )
    bits = sum([1 << i for i in axes]) if len(result) < len(shape) else 0  # axes that the result lacks
    combine = partial(_called, xp.sum if mean else function, tuple(axes), result)
    steps.append(Step(combine, (None, None), None, ((0, out), (1, x)), (out,), (plan, bits)))
    if mean:
        count = float(math.prod(shape) // max(math.prod(result), 1))
        how = engine.plan(_DIVIDE.operation, zeros(to, ()), count)
        steps.append(Step(xp.divide, (None, count), None, ((0, out),), (out,), how))
    return steps


def _found(compiler: Any, function: Any, x: int, out: int, axis: int | None) -> list[Step]:
    """Return the steps that find places of extremes, in rows that are made the last axis."""
    (node, shape), (to, result) = compiler.described(x), compiler.described(out)
    if not node.native or str(to.dtype) not in ("int32", "int64"):
        return []
    steps = []
    if axis is not None and axis % len(shape) != len(shape) - 1:
        rows = np.moveaxis(np.arange(math.prod(shape)).reshape(shape), axis, -1)
        runs, moved = of_one(rows), compiler.slot(node, rows.shape)
        if not runs:
            return []
        turn = partial(_shaped, partial(np.moveaxis, source=axis, destination=-1), rows.shape)
        steps.append(Step(turn, (None,), None, ((0, x),), (moved,), (tuple([(x, *run) for run in runs]),)))
        x = moved
    count, size = math.prod(result), node.dtype.itemsize
    length = math.prod(shape) // count
    how = function.fast, (count, length, 1), (length * size, size, 0, 0, to.dtype.itemsize, 0)
    find = partial(_called, function, None if axis is None else -1, result)
    steps.append(Step(find, (None,), None, ((0, x),), (out,), how))
    return steps


def multiplied(compiler: Any, equation: Any, given: Sequence[Any], out: int, turned: dict[int, int]) -> Any:
    """Return how the engine multiplies vectors or matrices, the slots of its operands, and which ones are transposed; or None.

    Of slots that are transposed, it is given whose.
    """
    function, (args, kwargs) = equation.function, equation.call
    if getattr(function, "fast", "") not in ("matmul", "dot") or kwargs or len(args) != len(given):
        return None
    own = [turned.get(x, x) for x in given]
    nodes, shapes = zip(*[compiler.described(x) for x in own], strict=True)
    plan, (to, _) = engine.plan(function.operation, *[zeros(node, (1,)) for node in nodes]), compiler.described(out)
    if not plan.looped or plan.node is not to or {plan.dtype, to.dtype, *[node.dtype for node in nodes]} != {to.dtype}:
        return None
    lies = [np.empty(shape, to.dtype) for shape in shapes]
    a: Any
    b: Any
    a, b = [x.T if y != z else x for x, y, z in zip(lies, own, given, strict=True)]
    if {*map(np.ndim, (a, b))} - {1, 2} or not a.size or not b.size:
        return None
    a, b = a if a.ndim > 1 else a[None], b if b.ndim > 1 else b[:, None]
    sizes = *a.shape, b.shape[1]
    if math.prod(sizes) >= (_MOST if to.kind in "fc" else _MOST_OF_INTEGERS):
        return None
    strides = *a.strides, *b.strides, b.shape[1] * to.dtype.itemsize, to.dtype.itemsize
    return (plan, sizes, strides), own, [y != z for y, z in zip(own, given, strict=True)]
