"""`vmap`: a function is called once for each position along the mapped axes, and the results are stacked.

With ``axis_name``, each call has a thread, of which one at a time runs, so that collective functions such as `lax.psum` can
exchange values.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from contextvars import ContextVar, copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.errors import describe
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum.jax import _tree
from supremum.jax.tree_util import broadcast_prefix

__all__ = ["Lane", "lane_of", "vmap"]


def _is_none(x: object) -> bool:
    return x is None


def vmap(
    fun: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Any = None,
    axis_size: int | None = None,
    spmd_axis_name: Any = None,
    sum_match: bool = False,
) -> Callable[..., Any]:
    """Return a function that maps `fun` over an axis of its arguments.

    Parameters
    ----------
    fun : callable
        The function; it takes and returns trees of arrays.
    in_axes : int, None, or tree of those
        The axis of each argument to map over; None for arguments that are passed whole. Keyword arguments are mapped over
        axis 0.
    out_axes : int, None, or tree of those
        Where the mapped axis is in the results; None for results that do not depend on the position.
    axis_name : hashable, optional
        A name by which collective functions of `lax` refer to the axis.
    axis_size : int, optional
        The length of the axis; needed if nothing is mapped.
    spmd_axis_name, sum_match : optional
        Ignored.

    Returns
    -------
    callable
        The mapped function.
    """
    if not callable(fun):
        raise TypeError(f"Expected a callable value, got {describe(fun)}")
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or type(in_axes) in (int, tuple, *_tree.REGISTRY) or hasattr(in_axes, "__index__")):
        raise TypeError(
            f"vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
            f"arguments, got {describe(in_axes)}."
        )
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        if not all(_is_axis(leaf) for leaf in _tree.flatten(axes)[0]):
            raise TypeError(
                f"vmap {name} must be an int, None, or (nested) container with those types as leaves, "
                f"but got {describe(axes)}."
            )

    @functools.wraps(fun)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise ValueError(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional "
                "arguments passed to the "
                f"function, but got {len(in_axes)=}, {len(args)=}"
            )
        leaves, structure = _tree.flatten(args)
        count = len(leaves)
        words, structure_of_words = _tree.flatten(kwargs)
        leaves += words
        axes = _axes_of_arguments(in_axes, args, kwargs, structure) + [0] * len(words)
        if not leaves and axis_size is None:
            raise ValueError(
                "vmap wrapped function must be passed at least one argument containing an array, got empty *args and **kwargs"
            )
        size = _size(leaves, axes, axis_size)
        split = [(_split(leaf, axis), axis is not None) for leaf, axis in zip(leaves, axes, strict=True)]

        def call(position: int) -> tuple[list[Any], _tree.PyTreeDef]:
            parts = [part(position) if is_mapped else part for part, is_mapped in split]
            if not kwargs:
                return _tree.flatten(fun(*structure.unflatten(parts)))
            return _tree.flatten(fun(*structure.unflatten(parts[:count]), **structure_of_words.unflatten(parts[count:])))

        results = [call(0)] if not size else _run(call, size, axis_name)
        return _joined(results, size, out_axes)

    return mapped


def _axes_of_arguments(in_axes: Any, args: tuple[Any, ...], kwargs: Any, structure: _tree.PyTreeDef) -> list[Any]:
    """Return the axis of each leaf of the positional arguments."""
    if type(in_axes) is int:
        return [in_axes] * structure.num_leaves
    if type(in_axes) is tuple and structure.num_leaves == len(args) == structure.num_nodes - 1:
        axes = list(in_axes)  # one for each argument, which are leaves
        if all(axis is None or type(axis) is int for axis in axes):
            return axes
    try:
        return broadcast_prefix((in_axes, 0), (args, kwargs), is_leaf=_is_none)[: structure.num_leaves]
    except ValueError as error:
        raise ValueError(f"vmap in_axes specification must be a tree prefix of the corresponding value: {error}") from None


def _is_axis(x: object) -> bool:
    return x is None or hasattr(type(x), "__index__")


def _size(leaves: list[Any], axes: list[Any], axis_size: int | None) -> int:
    """Return the length of the mapped axis."""
    sizes = set() if axis_size is None else {operator.index(axis_size)}
    for leaf, axis in zip(leaves, axes, strict=True):
        if axis is None:
            continue
        shape = np.shape(leaf) if not hasattr(leaf, "shape") else leaf.shape
        if not -len(shape) <= axis < len(shape):
            raise ValueError(
                f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
                f"{axis + 1 if axis >= 0 else -axis}, but is only {len(shape)} (its shape is {tuple(shape)})"
            )
        sizes.add(shape[axis])
    if not sizes:
        raise ValueError("vmap must have at least one non-None value in in_axes")
    if len(sizes) > 1:
        raise ValueError(f"vmap got inconsistent sizes for array axes to be mapped: {sorted(sizes)}")
    return int(sizes.pop())


def _split(leaf: Any, axis: Any) -> Any:
    """Return a function from positions to the parts of a leaf; for an axis of None, the leaf as an Array if it is one."""
    if axis is None:
        return leaf
    x = xp.asarray(leaf)
    first = np.moveaxis(x._data, operator.index(axis), 0) if axis else x._data
    if not len(first):  # the shape of the results is that for zeros
        return lambda _: wrap(np.zeros(first.shape[1:], first.dtype), x._node)
    copied = state().mutable
    return lambda position: wrap(first[position, ...].copy() if copied else first[position, ...], x._node)


def _joined(results: list[tuple[list[Any], _tree.PyTreeDef]], size: int, out_axes: Any) -> Any:
    structure = results[0][1]
    if any(other is not structure and other != structure for _, other in results):
        raise TypeError("vmap: the function returns trees of different structures for different positions")
    if type(out_axes) is int and structure is _tree.LEAF:
        return _stacked([leaves[0] for leaves, _ in results], size, out_axes)
    try:
        axes = broadcast_prefix(out_axes, structure.unflatten([0] * structure.num_leaves), is_leaf=_is_none)
    except ValueError as error:
        raise ValueError(f"vmap out_axes specification must be a tree prefix of the corresponding value: {error}") from None
    columns = zip(*[leaves for leaves, _ in results], strict=True)
    return structure.unflatten([_stacked(list(parts), size, axis) for parts, axis in zip(columns, axes, strict=True)])


def _stacked(parts: list[Any], size: int, axis: Any) -> Any:
    """Join the results of all positions."""
    arrays = [part if type(part) is Array else _result(part) for part in parts]
    shapes = {x.shape for x in arrays}
    if len(shapes) > 1:
        raise ValueError(f"vmap: the function returns arrays of different shapes for different positions: {sorted(shapes)}")
    node = arrays[0]._node
    if axis is None:
        if any(x._node is not node or x._data.tobytes() != arrays[0]._data.tobytes() for x in arrays):
            raise ValueError("vmap has mapped output but out_axes is None")
        return parts[0] if isinstance(parts[0], int | float | complex) else arrays[0]
    ndim = arrays[0].ndim + 1
    if not -ndim <= axis < ndim:
        raise ValueError(f"vmap: out_axes {axis} is out of bounds for a result of {ndim} dimensions")
    if any(x._node is not node for x in arrays):
        return xp.stack(arrays, axis=operator.index(axis))
    if not size:
        shape = list(arrays[0].shape)
        shape.insert(axis % ndim, 0)
        return wrap(np.zeros(shape, arrays[0]._data.dtype), node)
    buffers = [x._data for x in arrays]
    return wrap(np.stack(buffers, operator.index(axis)) if axis else np.array(buffers, buffers[0].dtype), node)


def _result(part: Any) -> Array:
    try:
        return xp.asarray(part)
    except (TypeError, ValueError):
        raise TypeError(
            f"Output from batched function {describe(part)} with type {type(part)} is not a valid JAX type"
        ) from None


# -- positions that exchange values -------------------------------------------------------------------------------------------


class _EndedError(BaseException):
    """Ends a position after another one failed; functions of users that catch every `Exception` do not catch it."""


class Lane:
    """One position along a named axis: a call in a thread of its own, which runs while all others wait."""

    def __init__(self, axis_name: Any, size: int, position: int, call: Callable[[int], Any]) -> None:
        self.axis_name: Final = axis_name
        self.size: Final = size
        self.position: Final = position
        self.value: Any = None
        self.result: Any = None
        self.error: BaseException | None = None
        self.ended = False
        self._runs = False
        self._call: Final = call
        self._thread: Thread | None = None
        #: What lets the thread go on: the values of all positions, or None to end it. And what says that it waits or ended.
        self._resumed: SimpleQueue[list[Any] | None] = SimpleQueue()
        self._stopped: SimpleQueue[None] = SimpleQueue()

    def _run(self) -> None:
        if self._resumed.get() is not None:
            _LANES.set({**_LANES.get({}), self.axis_name: self})
            try:
                self.result = self._call(self.position)
            except BaseException as error:  # noqa: BLE001 - `resume` raises it, in the caller's thread
                self.error = error
        self.ended = True
        self._stopped.put(None)

    def exchange(self, value: Any) -> list[Any]:
        """Give a value to the other positions, and return the values of all."""
        self.value = value
        self._stopped.put(None)
        values = self._resumed.get()
        if values is None:
            self._resumed.put(None)  # for collective functions in a `finally` of the user's
            raise _EndedError
        return values

    def resume(self, values: list[Any]) -> None:
        """Let the call go on until it exchanges a value or ends; raise what it raised."""
        if self._thread is None:
            self._thread = Thread(target=copy_context().run, args=(self._run,), daemon=True)
            try:
                self._thread.start()
            except RuntimeError as error:
                raise RuntimeError(
                    f"vmap: the {self.size} positions along the axis {self.axis_name!r} need a thread each, and thread "
                    f"{self.position + 1} could not be started ({error}); map over fewer positions at a time"
                ) from error
        self._runs = True
        self._resumed.put(values)
        while not self._has_stopped():
            pass
        self._runs = False
        if self.error is not None:
            try:
                raise self.error
            finally:
                self.error = None  # it refers to this frame

    def _has_stopped(self) -> bool:
        try:
            self._stopped.get(timeout=0.1)  # by intervals, between which an outer axis can interrupt it
        except Empty:
            return False
        return True

    def end(self) -> None:
        """Have the call end where it exchanges values; or where it is, if an interruption has ended `resume`."""
        self._resumed.put(None)
        if self._runs and self._thread is not None:
            import ctypes

            thread = ctypes.c_ulong(self._thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(_EndedError))

    def join(self) -> None:
        """Wait for the end of the thread, if it was started."""
        if self._thread is not None and self._thread.ident is not None:
            self._thread.join()


_LANES: Final[ContextVar[dict[Any, Lane]]] = ContextVar("supremum_jax_lanes")


def lane_of(axis_name: Any) -> Lane:
    """Return the position that runs along a named axis."""
    lanes = _LANES.get({})
    if axis_name not in lanes:
        raise NameError(
            f"Found an unbound axis name: {axis_name}. To fix this, please call within vmap with axis_name={axis_name!r}."
        )
    return lanes[axis_name]


def _run(call: Callable[[int], Any], size: int, axis_name: Any) -> list[Any]:
    if axis_name is None:
        return [call(position) for position in range(size)]
    lanes = [Lane(axis_name, size, position, call) for position in range(size)]
    try:
        return _in_turns(lanes)  # a function: Python 3.13 does not execute `finally` for an interruption at the end of a loop
    finally:  # no thread is left, whatever happened
        for lane in lanes:
            lane.end()
        for lane in lanes:
            lane.join()


def _in_turns(lanes: list[Lane]) -> list[Any]:
    """Run each call until it exchanges a value, one after the other; then again; until they end."""
    values: list[Any] = []
    while not lanes[0].ended:
        for lane in lanes:
            lane.resume(values)
        if any(lane.ended != lanes[0].ended for lane in lanes):
            raise ValueError(
                f"vmap: some positions along the axis {lanes[0].axis_name!r} have ended, and others wait for them in a "
                "collective function such as lax.psum; all positions must call the same ones"
            )
        values = [lane.value for lane in lanes]
    return [lane.result for lane in lanes]
