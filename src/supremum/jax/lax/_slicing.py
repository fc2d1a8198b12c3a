"""Slices of arrays at fixed and at computed positions; `gather` and the `scatter` functions of `lax`."""

from __future__ import annotations

import enum
import math
import operator as _operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import Buffer
from supremum._core.array import wrap
from supremum._core.conversion import as_integers
from supremum._kernels.casts import cast
from supremum.jax._batching import with_node
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax._modules import named
from supremum.jax.lax._operands import axis_of, check_entries, check_same_dtypes, common_node, inverted
from supremum.promotion._nodes import NODES

_slice: Final = slice
_INT32: Final = NODES["int32"]

# -- at fixed positions -------------------------------------------------------------------------------------------------------


@public(kind="composed", moving=True, operands="operand")
def slice(operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> Array:
    """Return the part of an array between two corners."""
    x = as_operand(operand, "slice")
    starts, limits = (as_integers(given, "indices", "slice") for given in (start_indices, limit_indices))
    steps = (1,) * x.ndim if strides is None else as_integers(strides, "strides", "slice")
    for what, given in (("start_indices", starts), ("limit_indices", limits), ("strides", steps)):
        check_entries("slice", what, given, x.ndim)
    if any(stop > n for stop, n in zip(limits, x.shape, strict=True)):
        raise TypeError(f"slice limit_indices must be less than or equal to operand shape, got {limits} and {x.shape}.")
    if any(start < 0 for start in starts):
        raise TypeError(f"slice start_indices must be greater than or equal to zero, got start_indices of {starts}.")
    if any(start > stop for start, stop in zip(starts, limits, strict=True)):
        raise TypeError(f"slice limit_indices must be greater than or equal to start_indices, got {limits} and {starts}.")
    if any(step <= 0 for step in steps):
        raise TypeError(f"slice strides must be positive, got {steps}")
    return x[tuple([_slice(*key) for key in zip(starts, limits, steps, strict=True)])]


@public(moving=True, operands="operand", axis="axis")
def slice_in_dim(operand: Any, start_index: int | None, limit_index: int | None, stride: int = 1, axis: int = 0) -> Array:
    """Return the part of an array between two positions along one axis; negative positions count from the end."""
    x = as_operand(operand, "slice_in_dim")
    along = axis_of(axis, x.ndim, "slice_in_dim")
    n = x.shape[along]
    start = 0 if start_index is None else _operator.index(start_index) + (n if start_index < 0 else 0)
    stop = n if limit_index is None else _operator.index(limit_index) + (n if limit_index < 0 else 0)
    starts, stops, steps = [0] * x.ndim, list(x.shape), [1] * x.ndim
    starts[along], stops[along], steps[along] = start, stop, stride
    return slice(x, starts, stops, steps)


@public(moving=True, operands="operand", axis="axis")
def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Array:
    """Return the part of an array at one position along an axis."""
    x = as_operand(operand, "index_in_dim")
    along = axis_of(axis, x.ndim, "index_in_dim")
    n = x.shape[along]
    if not -n <= index < n:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {n}")
    position = _operator.index(index) % n
    out = slice_in_dim(x, position, position + 1, 1, along)
    return out if keepdims else wrap(out._data.squeeze(along), x._node)


# -- at computed positions ----------------------------------------------------------------------------------------------------


def _starts(x: Array, start_indices: Any, sizes: Sequence[int], allow: Any, name: str) -> list[int]:
    """Return where a window begins, moved so that it is inside the array."""
    if allow is True and type(start_indices) in (tuple, list) and len(start_indices) == x.ndim:
        numbers = [_plain_number(i) for i in start_indices]
        if None not in numbers:
            rows = zip(numbers, x.shape, sizes, strict=True)
            return [min(max(number + n if number < 0 else number, 0), n - size) for number, n, size in rows]
    given = list(start_indices) if not isinstance(start_indices, Array | np.ndarray) or start_indices.ndim else None
    if given is None or any(np.ndim(i) for i in given):
        raise (ValueError if given is None else TypeError)(f"{name}: Slice indices must be a 1D sequence of scalars")
    if len(given) != x.ndim:
        raise ValueError(f"Length of slice indices must match number of operand dimensions ({len(given)} vs {x.shape})")
    negative = [allow] * x.ndim if isinstance(allow, bool) else list(allow)
    kinds = {as_operand(i, name)._node.strong for i in given if not isinstance(i, int)}
    if len(kinds) > 1:
        raise TypeError(f"index arguments to {name} must be integers of the same type, got: {sorted(map(str, kinds))}")
    out = []
    for i, n, size, wraps in zip(given, x.shape, sizes, negative, strict=True):
        index = as_operand(i, name)
        if index._node.kind not in "iu":
            raise TypeError(f"index arguments to {name} must be integers of the same type, got: {index.dtype}")
        number = int(index)
        if number < 0 and not wraps and isinstance(i, int):
            raise ValueError(f"Index {number} is out of bounds for dimension {n} if allow_negative_indices=False")
        out.append(min(max(number + (n if number < 0 and wraps else 0), 0), n - size))
    return out


def _plain_number(i: Any) -> Any:
    """Return an int, or the value of a 0-d array of the default integer; None for what is to be looked at more closely."""
    if type(i) is int:
        return i
    return int(i) if type(i) is Array and i._node.strong is _INT32 and not i.ndim else None


@public(moving=True, operands="operand")
def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, *, allow_negative_indices: Any = True) -> Array:
    """Return a window of an array, moved so that it is inside."""
    x = as_operand(operand, "dynamic_slice")
    sizes = as_integers(slice_sizes, "slice_sizes", "dynamic_slice")
    check_entries("dynamic_slice", "slice_sizes", sizes, x.ndim)
    if any(size > n for size, n in zip(sizes, x.shape, strict=True)):
        raise TypeError(f"slice slice_sizes must be less than or equal to operand shape, got {sizes} and {x.shape}.")
    if any(size < 0 for size in sizes):
        raise TypeError(f"slice slice_sizes must be greater than or equal to zero, got slice_sizes of {sizes}.")
    starts = _starts(x, start_indices, sizes, allow_negative_indices, "dynamic_slice")
    return wrap(x._data[tuple([_slice(a, a + n) for a, n in zip(starts, sizes, strict=True)])], x._node)


@public(moving=True, operands="operand update")
def dynamic_update_slice(operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: Any = True) -> Array:
    """Return a copy of an array with a window, moved so that it is inside, replaced by another array."""
    x, new = operands = as_operands("dynamic_update_slice", operand, update)
    check_same_dtypes("dynamic_update_slice", operands)
    if x.ndim != new.ndim:
        raise TypeError(f"dynamic_update_slice update must have the same rank as operand, got {new.shape} for {x.shape}.")
    if any(size > n for size, n in zip(new.shape, x.shape, strict=True)):
        raise TypeError(
            f"dynamic_update_slice update shape must be smaller than operand shape, got {new.shape} for {x.shape}."
        )
    if not x.ndim and isinstance(start_indices, Array | np.ndarray) and start_indices.shape == (0,):
        start_indices = ()
    starts = _starts(x, start_indices, new.shape, allow_negative_indices, "dynamic_update_slice")
    out = x._data.copy()
    out[tuple([_slice(a, a + n) for a, n in zip(starts, new.shape, strict=True)])] = new._data
    return wrap(out, common_node(operands))


def _along(x: Array, axis: int, start: Any) -> list[Any]:
    starts: list[Any] = [0] * x.ndim
    starts[axis_of(axis, x.ndim, "dynamic_slice_in_dim")] = start
    return starts


@public(kind="composed")
def dynamic_slice_in_dim(
    operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: bool = True
) -> Array:
    """Return a window of an array along one axis, moved so that it is inside."""
    x = as_operand(operand, "dynamic_slice_in_dim")
    sizes = list(x.shape)
    sizes[axis_of(axis, x.ndim, "dynamic_slice_in_dim")] = _operator.index(slice_size)
    return dynamic_slice(x, _along(x, axis, start_index), sizes, allow_negative_indices=allow_negative_indices)


@public(kind="composed")
def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: bool = True
) -> Array:
    """Return the part of an array at one position along an axis, moved so that it is inside."""
    x = as_operand(operand, "dynamic_index_in_dim")
    out = dynamic_slice_in_dim(x, index, 1, axis, allow_negative_indices=allow_negative_indices)
    return out if keepdims else xp.squeeze(out, axis=axis)


@public(kind="composed")
def dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """Return a copy of an array with a window along one axis replaced."""
    x = as_operand(operand, "dynamic_update_slice_in_dim")
    return dynamic_update_slice(x, update, _along(x, axis, start_index), allow_negative_indices=allow_negative_indices)


@public(kind="composed")
def dynamic_update_index_in_dim(
    operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: bool = True
) -> Array:
    """Return a copy of an array with the part at one position along an axis replaced."""
    x, new = as_operands("dynamic_update_index_in_dim", operand, update)
    if new.ndim != x.ndim:
        new = xp.expand_dims(new, axis_of(axis, x.ndim, "dynamic_update_index_in_dim"))
    return dynamic_update_slice_in_dim(x, new, index, axis, allow_negative_indices=allow_negative_indices)


# -- gather and scatter -------------------------------------------------------------------------------------------------------


class GatherDimensionNumbers(NamedTuple):
    """Which axes of `gather`'s operands mean what."""

    offset_dims: tuple[int, ...]
    collapsed_slice_dims: tuple[int, ...]
    start_index_map: tuple[int, ...]
    operand_batching_dims: tuple[int, ...] = ()
    start_indices_batching_dims: tuple[int, ...] = ()


class ScatterDimensionNumbers(NamedTuple):
    """Which axes of the operands of the `scatter` functions mean what."""

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    operand_batching_dims: Sequence[int] = ()
    scatter_indices_batching_dims: Sequence[int] = ()


_Numbers = GatherDimensionNumbers | ScatterDimensionNumbers


class GatherScatterMode(enum.Enum):
    """What happens to windows that are not inside the array."""

    CLIP = enum.auto()
    FILL_OR_DROP = enum.auto()
    PROMISE_IN_BOUNDS = enum.auto()
    ONE_HOT = enum.auto()

    @staticmethod
    def from_any(s: Any) -> GatherScatterMode:
        """Return the mode of a name."""
        if isinstance(s, GatherScatterMode):
            return s
        if s not in _MODES:
            raise ValueError(f'Unknown gather mode "{s}"')
        return _MODES[s]


#: The modes by their names.
_MODES: Final[dict[Any, GatherScatterMode]] = {
    **{mode.name.lower(): mode for mode in GatherScatterMode if mode is not GatherScatterMode.FILL_OR_DROP},
    **dict.fromkeys((None, "fill", "drop"), GatherScatterMode.FILL_OR_DROP),
}


def _windows(
    shape: tuple[int, ...], indices: Array, sizes: Sequence[int], numbers: _Numbers, clip: bool
) -> tuple[tuple[Buffer, ...], Buffer]:
    """Return the indices of all windows' elements, and which windows are inside the array.

    The axes of the indices are those of the batch, and one for each axis of the array.
    """
    if indices._node.kind not in "iu":
        raise ValueError(f"gather and scatter indices must be integers, got {indices.dtype}")
    data = (
        indices._data.astype(np.int64)
        if indices._node.bits < 64 or indices._node.kind == "i"
        else np.minimum(indices._data, np.uint64(2**62)).astype(np.int64)
    )
    _, _, places, batching, index_batching = numbers
    batch = data.shape[:-1]
    starts = [np.zeros((1,) * len(batch), np.int64) for _ in shape]
    for number, axis in enumerate(places):
        starts[axis] = data[..., number]
    for axis, index_axis in zip(batching, index_batching, strict=True):
        along = [1] * len(batch)
        along[index_axis] = -1
        starts[axis] = np.arange(batch[index_axis]).reshape(along)
    inside = np.ones(batch, bool)
    keys = []
    for axis, (n, size, start) in enumerate(zip(shape, sizes, starts, strict=True)):
        inside &= (start >= 0) & (start <= n - size)
        first = np.minimum(np.maximum(start, 0), max(n - size, 0)) if clip else start  # faster than np.clip
        steps = np.arange(size).reshape([-1 if i == axis else 1 for i in range(len(shape))])
        keys.append(first.reshape(first.shape + (1,) * len(shape)) + steps)
    return tuple(keys), inside


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise TypeError(message)


def _check_axes(name: str, what: str, axes: Sequence[int], ndim: int, *, ascending: bool = True) -> None:
    _require(len(set(axes)) == len(axes), f"{name}: {what} are distinct, got {tuple(axes)}")
    _require(not ascending or sorted(axes) == list(axes), f"{name}: {what} are in ascending order, got {tuple(axes)}")
    _require(all(0 <= axis < ndim for axis in axes), f"{name}: {what} are in the range [0, {ndim}), got {tuple(axes)}")


def _check_numbers(name: str, x: Array, indices: Array, numbers: _Numbers, rank: int) -> None:
    """Raise TypeError for dimension numbers that contradict each other or the operands."""
    windows, gone, places, batching, index_batching = numbers
    windows_name, gone_name, places_name, *_ = numbers._fields
    _require(indices.ndim > 0, f"{name}: the indices have at least one axis, got shape ()")
    _check_axes(name, windows_name, windows, rank)
    _check_axes(name, gone_name, gone, x.ndim)
    _check_axes(name, places_name, places, x.ndim, ascending=False)
    _check_axes(name, "operand_batching_dims", batching, x.ndim)
    _check_axes(name, "batching dims of the indices", index_batching, indices.ndim - 1, ascending=False)
    _require(
        len(places) == indices.shape[-1],
        f"{name}: {places_name} has {len(places)} entries for indices of shape {indices.shape}",
    )
    _require(not {*gone, *places} & {*batching}, f"{name}: operand_batching_dims are not among {gone_name} or {places_name}")
    _require(len(batching) == len(index_batching), f"{name}: the operand and the indices have equal numbers of batching dims")
    same = [x.shape[i] for i in batching] == [indices.shape[i] for i in index_batching]
    _require(same, f"{name}: the batching dims of the operand and the indices have equal lengths")


@public(moving=True, operands="operand start_indices")
def gather(
    operand: Any,
    start_indices: Any,
    dimension_numbers: GatherDimensionNumbers,
    slice_sizes: Any,
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    mode: Any = None,
    fill_value: Any = None,
) -> Array:
    """Collect windows of an array at computed positions."""
    x, indices = as_operands("gather", operand, start_indices)
    numbers, how = dimension_numbers, GatherScatterMode.from_any(mode)
    sizes = as_integers(slice_sizes, "slice_sizes", "gather")
    gone = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    windows = x.ndim - len(gone)
    _check_numbers("gather", x, indices, numbers, len(numbers.offset_dims) + indices.ndim - 1)
    check_entries("gather", "slice_sizes", sizes, x.ndim)
    _require(len(numbers.offset_dims) == windows, f"gather: an axis is either an offset dimension or collapsed, got {numbers}")
    fits = not indices.size or all(0 <= size <= n for size, n in zip(sizes, x.shape, strict=True))
    _require(fits, f"gather: the slice sizes {sizes} are out of range for an operand of shape {x.shape}")
    single = all(sizes[axis] == 1 for axis in numbers.collapsed_slice_dims)
    _require(single, f"gather: collapsed axes have slice size 1, got {sizes} and {numbers.collapsed_slice_dims}")
    _require(
        all(sizes[axis] <= 1 for axis in numbers.operand_batching_dims),
        f"gather: batching axes have slice size 0 or 1, got {sizes}",
    )
    keys, inside = _windows(x.shape, indices, sizes, numbers, clip=True)
    batch = inside.shape
    found = np.broadcast_to(x._data[keys], batch + sizes)
    one_hot = how is GatherScatterMode.ONE_HOT
    if (one_hot or (mode is not None and how is GatherScatterMode.FILL_OR_DROP)) and not inside.all():
        filling = np.asarray(0 if one_hot else _fill(x, fill_value)).astype(x._data.dtype)
        found = np.where(inside.reshape(batch + (1,) * x.ndim), found, filling)
    found = found.reshape(batch + tuple([n for axis, n in enumerate(sizes) if axis not in gone]))
    where = [axis for axis in range(found.ndim) if axis not in numbers.offset_dims]
    return wrap(np.asarray(found).transpose(inverted((*where, *numbers.offset_dims))), x._node)


def _fill(x: Array, fill_value: Any) -> Any:
    node = x._node
    if fill_value is not None:
        return cast(np.asarray(fill_value), node)
    return np.nan if node.kind in "fc" else {"b": True, "i": node.low, "u": node.high}.get(node.kind, 0)


def _scatter(
    name: str, method: str, operand: Any, scatter_indices: Any, updates: Any, dimension_numbers: ScatterDimensionNumbers,
    mode: Any, unique: bool, func: Any = None,
) -> Array:  # fmt: skip
    x, indices, new = as_operands(name, operand, scatter_indices, updates)
    check_same_dtypes(name, (x, new))
    numbers, clip = dimension_numbers, GatherScatterMode.from_any(mode) is GatherScatterMode.CLIP
    windows = tuple(numbers.update_window_dims)
    gone = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    _check_numbers(name, x, indices, numbers, new.ndim)
    if len(windows) != x.ndim - len(gone):
        raise TypeError(f"Scatter op has window of size {len(windows)}; doesn't match operand of rank {x.ndim}.")
    lengths = iter([new.shape[axis] for axis in windows])
    sizes = [1 if axis in gone else next(lengths) for axis in range(x.ndim)]
    if any(size > n for size, n in zip(sizes, x.shape, strict=True)):
        raise TypeError(f"Bounds of the window dimensions of updates must not exceed those of operand: {sizes} and {x.shape}")
    rest = [axis for axis in range(new.ndim) if axis not in windows]
    batch = tuple([new.shape[axis] for axis in rest])
    if batch != indices.shape[:-1]:
        raise TypeError(f"Bounds of the scatter dimensions of updates and indices differ: {batch} and {indices.shape[:-1]}")
    # Counted from the end, as within `vmap` there are axes in front of those of the batch.
    batching = tuple([axis - (indices.ndim - 1) for axis in numbers.scatter_indices_batching_dims])
    places = _places(indices, x.shape, sizes, numbers._replace(scatter_indices_batching_dims=batching), clip)
    part = xp.reshape(x, (-1,)).at[xp.reshape(places, (-1,))]
    values = xp.reshape(xp.permute_dims(new, (*rest, *windows)), (-1,)) if func is None else func
    found = getattr(part, method)(values, **({"unique_indices": True} if unique else {}))  # what is out of range is dropped
    return with_node(xp.reshape(found, x.shape), common_node((x, new)))


@public(last=1, operands="indices")
def _places(indices: Any, lengths: Sequence[int], sizes: Sequence[int], numbers: Any, clip: bool) -> Array:
    """Return the places of windows' elements in a flattened array; its size for windows that are dropped."""
    keys, inside = _windows(tuple(lengths), indices, sizes, numbers, clip)
    found: Buffer = np.zeros(inside.shape + (1,) * len(sizes), np.int64)
    for axis, key in enumerate(keys):
        found = found + key * math.prod(lengths[axis + 1 :])
    if not clip and not inside.all():
        found = np.where(inside.reshape(inside.shape + (1,) * len(sizes)), found, math.prod(lengths))
    return wrap(found, NODES["int64"])


def _make(name: str, method: str, words: str) -> Callable[..., Array]:
    def function(
        operand: Any,
        scatter_indices: Any,
        updates: Any,
        dimension_numbers: ScatterDimensionNumbers,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Any = None,
    ) -> Array:
        return _scatter(name, method, operand, scatter_indices, updates, dimension_numbers, mode, unique_indices)

    named(function, "jax.lax", name, f"Return a copy of an array in which windows at computed positions {words}.")
    return public(function, kind="composed", operands="operand updates")


scatter = _make("scatter", "set", "are replaced")
scatter_add = _make("scatter_add", "add", "are added to")
scatter_sub = _make("scatter_sub", "subtract", "are subtracted from")
scatter_mul = _make("scatter_mul", "multiply", "are multiplied")
scatter_min = _make("scatter_min", "min", "are replaced by minima")
scatter_max = _make("scatter_max", "max", "are replaced by maxima")


def scatter_apply(
    operand: Any,
    scatter_indices: Any,
    func: Callable[[Any], Any],
    dimension_numbers: ScatterDimensionNumbers,
    *,
    update_shape: Any = (),
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Array:
    """Return a copy of an array in which a function was applied to windows at computed positions."""
    x = as_operand(operand, "scatter_apply")
    blank = xp.zeros(as_integers(update_shape, "update_shape", "scatter_apply"), dtype=x.dtype)
    return _scatter("scatter_apply", "apply", x, scatter_indices, blank, dimension_numbers, mode, unique_indices, func)


@public(moving=True, operands="src")
def index_take(src: Any, idxs: Sequence[Any], axes: Sequence[int]) -> Array:
    """Return the windows of an array at positions along some axes, which are as long as all others."""
    x = as_operand(src, "index_take")
    positions = xp.stack([as_operand(i, "index_take") for i in tuple(idxs)], axis=1) % xp.asarray(
        [[x.shape[axis] for axis in axes]]
    )
    numbers = GatherDimensionNumbers(tuple(range(1, x.ndim - len(axes) + 1)), tuple(axes), tuple(axes))
    return gather(x, positions, numbers, [1 if axis in axes else n for axis, n in enumerate(x.shape)])
