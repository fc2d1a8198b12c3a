"""What the methods of ufuncs compute: `reduce`, `accumulate`, `reduceat` and `at`, of any function and of particular ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, reduce
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, describe, shape_error
from supremum._base.functions import takes_over, without_float_warnings
from supremum._core import engine
from supremum._core.array import Array, ArrayLike, Axis, DTypeLike, wrap
from supremum._core.conversion import normalize_axes, normalize_axis, operand
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.index_keys import refuse_outside, wrapped
from supremum._core.operators import binary, row_of
from supremum._core.plans import ufunc_of
from supremum._core.reduction_rows import Reduced, Reduction, reduction
from supremum._core.settings import state
from supremum._functions.elementwise._steps import wide_of
from supremum._kernels.casts import cast
from supremum._kernels.extremes import Extreme
from supremum.promotion._nodes import NODES, Node


class Function(Protocol):
    """The part of a ufunc that its methods need."""

    @property
    def __name__(self) -> str:  # pyright: ignore[reportReturnType]  # a protocol's member has no body
        """The name in messages."""

    @property
    def identity(self) -> Any:
        """The value that leaves the other operand as it is, or None."""

    def __call__(self, *args: Any) -> Any:
        """Apply the function."""


class Options(NamedTuple):
    """The arguments of `reduce` behind the array."""

    axis: Axis
    dtype: DTypeLike | None
    keepdims: bool
    initial: ArrayLike | None
    where: Array | None


@cache
def one(node: Node) -> Array:
    """Return the 0-d array 1 of a node, which is not written to."""
    return wrap(np.ones((), node.dtype), node)


def broadcast_shape(function: str, shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the shape that shapes broadcast to."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise shape_error(function, *shapes) from None


def _broadcast_mask(mask: Array, shape: tuple[int, ...], function: str) -> Buffer:
    """Broadcast a mask to the shape of what it masks."""
    try:
        return np.broadcast_to(mask._data, shape)
    except ValueError:
        raise ShapeError(f"{function}: where of shape {mask.shape} does not fit an array of shape {shape}") from None


class Fold:
    """The methods of any ufunc: they apply the function step by step, or NumPy's loop if there is one."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.name = function.__name__

    def _node(self, *arrays: Array) -> Node:
        """Return the node of the function's results for arrays of these nodes."""
        return self.function(*[one(x._node) for x in arrays])._node.strong

    def _check_closed(self, node: Node, method: str) -> None:
        """Refuse a dtype that the function does not take, and integers if its results are floating-point numbers."""
        if self._node(one(node), one(node)).kind in "fc" and node.kind in "biu":
            raise TypeError(
                f"{self.name}.{method}: {self.name} returns no {node.dtype} that could be reduced further;"
                " pass a floating-point dtype="
            )

    def _loop(self, node: Node) -> tuple[np.ufunc | Extreme, Node] | None:
        """Return the ufunc, or the like, that computes the function in a dtype; None if there is none.

        The second item is the node of its operands: of logical functions that of bool, in every dtype.
        """
        row: Any = getattr(self.function, "row", None)
        if row is None:
            return None
        plan = engine.plan(row.engine, *[one(node)] * row.rule.nin)
        if plan.dtype != node.dtype or plan.node not in (node, NODES["bool"]):
            return None  # the system in force computes in another dtype, or returns one
        taken: Node = plan.node
        kernel = row.rule.kernel_for(taken) if taken.native else ufunc_of(row.rule, taken, taken)
        return (kernel, taken) if isinstance(kernel, np.ufunc | Extreme) else None

    def _prepare(self, a: Array, axis: Axis, dtype: DTypeLike | None, method: str) -> tuple[Node, Buffer]:
        """Return the node to compute in and the buffer in its dtype, with the axis moved to the front."""
        node = self._node(a, a) if dtype is None else requested(dtype, f"{self.name}.{method}")
        data, along = cast(a._data, node), normalize_axis(axis, a.ndim, f"{self.name}.{method}")
        return node, np.moveaxis(data, along, 0) if along else data

    @staticmethod
    def _elements(a: Any, axis: int, dtype: DTypeLike | None) -> list[Array]:
        """Return the elements along an axis of what takes over."""
        a = a if dtype is None else a.astype(dtype)
        return [a.take(i, axis) for i in range(a.shape[axis])]

    def _step(self, x: Buffer, y: Buffer, node: Node) -> Buffer:
        return cast(self.function(wrap(np.asarray(x), node), wrap(np.asarray(y), node))._data, node)

    @without_float_warnings
    def reduce(self, a: Array, **options: Any) -> Array:
        """Fold from the first element, or from `initial`, to the last."""
        axis, dtype, keepdims, initial, where = Options(**options)
        if isinstance(axis, tuple):
            raise NotImplementedError(f"{self.name}.reduce: one axis or None, got {axis}; reduce one axis after the other")
        shape = tuple(1 for _ in a.shape) if axis is None else None
        mask = None if where is None else _broadcast_mask(where, a.shape, f"{self.name}.reduce")
        if axis is None:
            mask = None if mask is None else mask.ravel()
            a, axis = a.ravel(), 0
        axis, start = normalize_axis(axis, a.ndim, self.name), self.function.identity if initial is None else initial
        if start is None and not a.shape[axis]:
            raise ValueError(f"{self.name}.reduce: no elements, and {self.name} has no identity; pass `initial`")
        if takes_over(a) and mask is None:
            from supremum._functions.manipulation.shapes import broadcast_to

            begun = [] if start is None else [broadcast_to(operand(start, self.name), (*a.shape[:axis], *a.shape[axis + 1 :]))]
            found: Any = reduce(self.function, [*begun, *self._elements(a, axis, dtype)])
            return found.reshape(shape or (*found.shape[:axis], 1, *found.shape[axis:])) if keepdims else found
        node, data = self._prepare(a, axis, dtype, "reduce")
        mask = None if mask is None else np.moveaxis(mask, axis, 0)
        if start is None:
            value, first = data[0], 1
        else:
            value, first = np.broadcast_to(cast(operand(start, self.name)._data, node), data.shape[1:]), 0
        loop = self._loop(node) if mask is None else None
        if loop is not None and data.shape[0] > first:
            value = loop[0].reduce(cast(np.concatenate([np.asarray(value)[None], data[first:]]), loop[1]), 0)
        else:
            for i in range(first, data.shape[0]):
                step = self._step(value, data[i], node)
                value = step if mask is None else np.where(mask[i], step, value)
        result = np.array(value, node.dtype)
        if keepdims:
            result = result.reshape(shape) if shape is not None else np.expand_dims(result, axis)
        return wrap(result, node)

    @without_float_warnings
    def accumulate(self, a: Array, *, axis: Axis, dtype: DTypeLike | None) -> Array:
        """Fold and keep every step."""
        self._check_closed(self._node(a, a) if dtype is None else requested(dtype, f"{self.name}.accumulate"), "accumulate")
        if axis is None or isinstance(axis, tuple):
            raise ValueError(f"{self.name}.accumulate: the axis must be one integer, got axis={axis}")
        if takes_over(a):
            from supremum._functions.manipulation.joining import stack

            along = normalize_axis(axis, a.ndim, f"{self.name}.accumulate")
            steps = list(itertools.accumulate(self._elements(a, along, dtype), self.function))
            return stack(steps, along) if steps else a if dtype is None else a.astype(dtype)
        node, data = self._prepare(a, axis, dtype, "accumulate")
        loop = self._loop(node)
        out = np.empty(data.shape, node.dtype)
        if loop is not None:
            out[...] = loop[0].accumulate(cast(data, loop[1]), 0)
            out[:1] = data[:1]  # of a logical function, the first element as it is
        else:
            for i in range(data.shape[0]):
                out[i] = data[i] if i == 0 else self._step(out[i - 1], data[i], node)
        return wrap(np.moveaxis(out, 0, axis) if axis else out, node)

    @without_float_warnings
    def reduceat(self, a: Array, starts: Array, *, axis: Axis, dtype: DTypeLike | None) -> Array:
        """Fold from each index to the next."""
        name = f"{self.name}.reduceat"
        if not a.ndim:
            raise ValueError(f"{name}: the array needs at least 1 dimension, got a 0-d array")
        if starts.ndim != 1:
            raise ValueError(f"{name}: the indices must be one-dimensional, got shape {starts.shape}")
        if axis is None or isinstance(axis, tuple | list):
            raise ValueError(f"{name}: takes a single integer axis, got {describe(axis)}")
        if starts._node.kind not in "iu":
            raise TypeError(f"{name}: the indices must be integers, got dtype {starts.dtype}")
        node = a._node.strong if dtype is None else requested(dtype, name)
        axis = normalize_axis(axis, a.ndim, name)
        self._check_closed(node, "reduceat")
        if not (takes_over(a) or takes_over(starts)):
            data, begins = np.moveaxis(cast(a._data, node), axis, 0), starts._data.astype(np.int64)
            strange = wrapped(begins, data.shape[0])[1] | (begins < 0)  # NumPy counts none from the end
            refuse_outside(name, begins, strange, data.shape[0])
            loop = self._loop(node)
            if loop is not None and begins.size and not strange.any():
                folded = np.asarray(loop[0].reduceat(cast(data, loop[1]), begins, 0)).astype(node.dtype, copy=False)
                single = np.diff(begins, append=data.shape[0]) <= 1
                folded[single] = data[begins[single]]  # of a logical function, the elements as they are
                return wrap(np.moveaxis(folded, 0, axis), node)
        from supremum._functions.manipulation.joining import append
        from supremum._functions.where import where

        a, count = a.astype(node.dtype), a.shape[axis]
        every, found = (slice(None),) * axis, a.take(starts, axis, mode="fill")
        bounds = append(starts.astype(int), count).reshape((-1, *[1] * (a.ndim - 1 - axis)))
        for i in range(count):
            step = self.function(found, a[(*every, slice(i, i + 1))]).astype(node.dtype)
            found = where((bounds[:-1] < i) & (i < bounds[1:]), step, found)
        return found

    @without_float_warnings
    def at(self, a: Array, indices: Any, *operands_: Array) -> Array:
        """Update elements; one whose index is repeated is updated as often, in the order of the indices."""
        node = self._node(a, *operands_)
        numbered = wrap(np.arange(a.size).reshape(a.shape), NODES["int64"])
        places = numbered.at[indices].get(mode="fill", fill_value=-1)._data
        loop = self._loop(node)
        if loop is not None and loop[1] is node and not any(map(takes_over, (a, *operands_))):
            values = [np.broadcast_to(cast(b._data, node), places.shape) for b in operands_]
            kept, data = places >= 0, cast(a._data, node, copy=True).ravel()
            loop[0].at(data, places[kept], *[value[kept] for value in values])
            return wrap(data.reshape(a.shape), node)
        from supremum._functions.manipulation.shapes import broadcast_to

        others = [broadcast_to(b.astype(node.dtype), places.shape).ravel() for b in operands_]
        places, out = places.ravel(), a.astype(node.dtype).ravel()
        # In rounds: the first occurrence of each index, then the second one, and so on.
        order = np.argsort(places, kind="stable")
        rounds = np.empty(places.size, np.int64)
        first = np.searchsorted(places[order], places[order])
        rounds[order] = np.arange(places.size) - first
        for number in range(int(rounds.max(initial=-1)) + 1):
            chosen = np.flatnonzero((rounds == number) & (places >= 0))
            index = places[chosen]
            out = out.at[index].set(self.function(out[index], *[x[chosen] for x in others]))
        return out.reshape(a.shape)


# -- methods of particular functions ------------------------------------------------------------------------------------------


def _reduction(name: str, *, casts: bool = False) -> Callable[..., Array]:
    """Return a method that is the reduction of a name; one without `dtype` has the elements cast."""

    @without_float_warnings
    def method(_function: Function, a: Array, *, dtype: DTypeLike | None, **options: Any) -> Array:
        # Imported when called: programs that use no methods of ufuncs need no reductions.
        from supremum._functions.statistical import reductions

        x, given = (a if dtype is None else a.astype(dtype), {}) if casts else (a, {"dtype": dtype})
        return getattr(reductions, name)(x, **given, **options)

    return method


def _update(name: str) -> Callable[..., Array]:
    """Return a method that is the update of a name of ``a.at[indices]``, which keeps the dtype of `a` and refuses bools."""

    def at(function: Function, a: Array, indices: Any, b: Array) -> Array:
        if a._node.kind == b._node.kind == "b":
            return Fold(function).at(a, indices, b)
        return getattr(a.at[indices], name)(b)

    return at


def _bits(ufunc: np.ufunc, identity: int) -> Callable[..., Array]:
    """Return a reduction of bits."""
    name = f"{ufunc.__name__}.reduce"
    rule = Reduction(name, "biu", Reduced.SAME, ufunc, identity)

    @without_float_warnings
    def reduce(_function: Function, a: Array, **options: Any) -> Array:
        axis, dtype, keepdims, initial, where = Options(**options)
        if a._node.kind not in "biu":
            raise ValueError(f"{name}: the elements must be integers or bools, got dtype {a.dtype}")
        node = a._node.strong if dtype is None else requested(dtype, name)
        if node.kind not in "biu":
            raise TypeError(f"{name}: the dtype must be an integer one or bool, got dtype={node.dtype}")
        data = cast(a._data, node)
        if where is not None:
            data = np.where(_broadcast_mask(where, a.shape, name), data, np.asarray(identity).astype(node.dtype))
        return reduction(rule, wrap(data, node), axis, keepdims, initial=initial)

    return reduce


def _truth(ufunc: np.ufunc) -> Callable[..., Array]:
    """Return a reduction of truth values."""
    name = f"{ufunc.__name__}.reduce"
    rule = Reduction(name, "biufc", Reduced.TRUTH, ufunc, ufunc.identity)

    @without_float_warnings
    def reduce(_function: Function, a: Array, **options: Any) -> Array:
        axis, dtype, keepdims, initial, where = Options(**options)
        node = state().bool_ if dtype is None else requested(dtype, name)
        if node.kind not in "biu":
            raise TypeError(f"{name}: the dtype must be bool or an integer one, got dtype={node.dtype}")
        folded = reduction(rule, a, axis, keepdims, where=where)._data
        if initial is not None:
            folded = ufunc(folded, cast(operand(initial, name)._data, state().bool_))
        return wrap(cast(np.asarray(folded), node), node)

    return reduce


def _log_of_sum(name: str, base: float) -> Callable[..., Array]:
    """Return a reduction to the logarithm of the sum of exponentials, to a base."""
    scale = float(np.log(base))

    @without_float_warnings
    def reduce(function: Function, a: Array, **options: Any) -> Array:
        axis, dtype, keepdims, initial, where = Options(**options)
        if dtype is not None:
            requested(dtype, f"{name}.reduce")  # checked, but without effect, as in JAX
        node = to_inexact(a._node).strong
        axes = normalize_axes(axis, a.ndim, f"{name}.reduce")
        if takes_over(a):
            from supremum._functions.where import where as chosen

            found = (a if where is None else chosen(where, a, -np.inf)).astype(wide_of(node))
            for one in axes:
                found = Fold(function).reduce(found, axis=one, dtype=None, keepdims=True, initial=None, where=None)
            result = (found if keepdims else found.squeeze(axes)).astype(node.dtype)
            return result if initial is None else function(result, initial)
        data = a._data.astype(wide_of(node))
        mask = True if where is None else _broadcast_mask(where, a.shape, f"{name}.reduce")
        data = data * data.dtype.type(scale)
        top = np.max(data.real, axes, keepdims=True, initial=-np.inf, where=mask)
        top = np.where(np.isfinite(top), top, top.dtype.type(0))
        total = np.log(np.sum(np.exp(data - top), axes, keepdims=True, where=mask)) + top
        total = (total if keepdims else total.squeeze(axes)) / data.dtype.type(scale)
        result = wrap(cast(np.asarray(total), node), node)
        return result if initial is None else binary(row_of(function), result, initial)

    return reduce


REDUCE: Final[dict[str, Callable[..., Array]]] = {
    "add": _reduction("sum"),
    "bitwise_and": _bits(np.bitwise_and, -1),
    "bitwise_or": _bits(np.bitwise_or, 0),
    "bitwise_xor": _bits(np.bitwise_xor, 0),
    "logaddexp": _log_of_sum("logaddexp", np.e),
    "logaddexp2": _log_of_sum("logaddexp2", 2),
    "logical_and": _truth(np.logical_and),
    "logical_or": _truth(np.logical_or),
    "logical_xor": _truth(np.logical_xor),
    "maximum": _reduction("max", casts=True),
    "minimum": _reduction("min", casts=True),
    "multiply": _reduction("prod"),
}
ACCUMULATE: Final[dict[str, Callable[..., Array]]] = {"add": _reduction("cumsum"), "multiply": _reduction("cumprod")}
AT: Final[dict[str, Callable[..., Array]]] = {name: _update(name) for name in ("add", "multiply", "subtract")}
