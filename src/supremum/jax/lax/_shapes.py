"""Functions of `lax` that make, move, join and split arrays."""

from __future__ import annotations

import math
import operator as _operator
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import Buffer, empty as buffer
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import wrap
from supremum._core.conversion import as_integers
from supremum._kernels.casts import cast
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax.lax._operands import axes_of, axis_of, check_entries, check_same_dtypes, common_node, dtype_node, inverted


def dtype(x: Any) -> Any:
    """Return the dtype of an array, a number or a dtype."""
    if x is None:
        raise ValueError("dtype: None has no dtype; pass an array, a number or a dtype")
    given: Any = x
    return xp.zeros((), dtype=given).dtype if isinstance(x, str | type | np.dtype) else xp.asarray(x).dtype


# -- new arrays ---------------------------------------------------------------------------------------------------------------


def _shape(shape: Any, name: str) -> tuple[int, ...]:
    found = as_integers(shape, "shape", name)
    if any(length < 0 for length in found):
        raise TypeError(f"lax.{name}: shape must have non-negative lengths, got {found}")
    return found


def full(shape: Any, fill_value: Any, dtype: Any = None, *, sharding: object = None) -> Array:
    """Return an array filled with one value; without a dtype, a Python scalar makes it weak."""
    lengths = _shape(shape, "full")
    if np.shape(fill_value):
        raise TypeError(f"full must be called with scalar fill_value, got fill_value.shape {np.shape(fill_value)}.")
    value = xp.asarray(fill_value) if dtype is None else xp.asarray(fill_value).astype(dtype)
    return wrap(np.full(lengths, value._data), value._node)


@public(constant="shapes", operands="x")
def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None, sharding: object = None) -> Array:
    """Return an array filled with one value, by default of the shape and the dtype of another array."""
    like = x if hasattr(x, "shape") and hasattr(x, "dtype") else xp.asarray(x)
    lengths = tuple(like.shape) if shape is None else shape
    if dtype is not None:
        return full(lengths, fill_value, dtype, sharding=sharding)
    made = full(lengths, fill_value, like.dtype)
    return wrap(made._data, made._node.weak_form) if getattr(like, "weak_type", False) else made


@public(own="result")
def empty(shape: Any, dtype: Any, *, out_sharding: object = None) -> Array:
    """Return an array of zeros: no array has elements that are not set."""
    return xp.zeros(_shape(shape, "empty"), dtype=dtype)


def iota(dtype: Any, size: int) -> Array:
    """Return the integers from 0 on."""
    return broadcasted_iota(dtype, (size,), 0)


def broadcasted_iota(dtype: Any, shape: Any, dimension: int, *, out_sharding: object = None) -> Array:
    """Return an array whose elements are their positions along one axis."""
    lengths = _shape(shape, "broadcasted_iota")
    if not 0 <= dimension < len(lengths):
        raise ValueError(f"iota dimension must be between 0 and {len(lengths)}, got {dimension=} for shape={lengths}")
    node = dtype_node(dtype)
    if node.kind not in "iufc":
        raise TypeError(f"iota does not accept dtype {node.dtype}. Accepted dtypes are subtypes of number.")
    row = cast(np.arange(lengths[dimension]), node).reshape([-1 if i == dimension else 1 for i in range(len(lengths))])
    return wrap(np.broadcast_to(row, lengths).copy(), node)


def shape_as_value(shape: Any) -> Array:
    """Return a shape as an array of integers."""
    return xp.asarray(list(shape), dtype="int32") if len(shape) else xp.zeros((0,), dtype="int32")


# -- broadcasting -------------------------------------------------------------------------------------------------------------


def broadcast_shapes(*shapes: Any) -> tuple[int, ...]:
    """Return the shape that arrays of several shapes are broadcast to."""
    for shape in shapes:
        if isinstance(shape, str) or not all(hasattr(n, "__index__") for n in tuple(shape)):
            raise TypeError(f"Shapes must be 1D sequences of concrete values of integer type, got {describe(shape)}.")
        if any(n < 0 for n in shape):
            raise TypeError(f"Only non-negative indices are allowed when broadcasting static shapes, got {describe(shape)}.")
    try:
        return tuple(np.broadcast_shapes(*[tuple(shape) for shape in shapes]))
    except ValueError:
        raise ValueError(f"Incompatible shapes for broadcasting: shapes={[tuple(s) for s in shapes]}") from None


@public(kind="composed", moving=True, operands="operand")
def broadcast(operand: Any, sizes: Any, *, out_sharding: object = None) -> Array:
    """Add leading axes."""
    x = as_operand(operand, "broadcast")
    return xp.broadcast_to(x, (*_shape(sizes, "broadcast"), *x.shape))


@public(kind="composed", moving=True, operands="operand")
def broadcast_in_dim(operand: Any, shape: Any, broadcast_dimensions: Any, *, out_sharding: object = None) -> Array:
    """Place the axes of an array among those of a shape, and repeat it along the others."""
    x = as_operand(operand, "broadcast_in_dim")
    lengths, places = (
        _shape(shape, "broadcast_in_dim"),
        as_integers(broadcast_dimensions, "broadcast_dimensions", "broadcast_in_dim"),
    )
    check_entries("broadcast_in_dim", "broadcast_dimensions", places, x.ndim)
    if any(not 0 <= place < len(lengths) for place in places):
        raise TypeError(
            f"broadcast_in_dim broadcast_dimensions must be a subset of output dimensions, got {places} for {lengths}."
        )
    if len(set(places)) != len(places):
        raise TypeError(f"broadcast_in_dim broadcast_dimensions must be distinct, got broadcast_dimensions {places}")
    if any(x.shape[i] not in (1, lengths[place]) for i, place in enumerate(places)):
        raise TypeError(
            f"broadcast_in_dim operand of shape {x.shape} does not fit axes {places} of the target shape {lengths}."
        )
    between = [1] * len(lengths)
    for length, place in zip(x.shape, places, strict=True):
        between[place] = length
    moved = xp.permute_dims(x, tuple(inverted(places))) if places else x
    return xp.broadcast_to(xp.reshape(moved, tuple(between)), lengths)


@public(kind="composed", moving=True, operands="arr")
def broadcast_like(arr: Any, like_arr: Any) -> Array:
    """Broadcast an array to the shape of another."""
    return xp.broadcast_to(as_operand(arr, "broadcast_like"), np.shape(like_arr))


@public(kind="composed", moving=True, operands="x")
def broadcast_to_rank(x: Any, rank: int) -> Array:
    """Add leading axes of length 1 until there are `rank`."""
    operand = as_operand(x, "broadcast_to_rank")
    return operand.reshape((1,) * (rank - operand.ndim) + operand.shape)


@public(kind="composed", moving=True, operands="operand")
def tile(operand: Any, reps: Any) -> Array:
    """Repeat an array along each of its axes."""
    x, counts = as_operand(operand, "tile"), as_integers(reps, "reps", "tile")
    check_entries("tile", "reps", counts, x.ndim)
    return xp.tile(x, counts)


# -- axes ---------------------------------------------------------------------------------------------------------------------


@public(kind="composed", moving=True, operands="operand")
def reshape(operand: Any, new_sizes: Any, dimensions: Any = None, *, out_sharding: object = None) -> Array:
    """Give an array another shape with as many elements, after a permutation of its axes."""
    x = as_operand(operand, "reshape")
    lengths = as_integers(new_sizes, "new_sizes", "reshape")
    if dimensions is not None:
        x = transpose(x, dimensions)
    if math.prod(lengths) != x.size or any(length < 0 for length in lengths):
        raise ShapeError(f"cannot reshape array of shape {x.shape} (size {x.size}) into shape {lengths}")
    return xp.reshape(x, lengths)


@public(moving=True, operands="operand", same="permute_dims")
def transpose(operand: Any, permutation: Any) -> Array:
    """Permute the axes of an array."""
    x, order = as_operand(operand, "transpose"), tuple([_operator.index(axis) for axis in permutation])
    if sorted(order) != list(range(x.ndim)):
        raise TypeError(f"transpose permutation isn't a permutation of operand dimensions, got {order} for shape {x.shape}.")
    return wrap(x._data.transpose(order), x._node)


@public(moving=True, operands="operand", axis="dimensions")
def rev(operand: Any, dimensions: Sequence[int]) -> Array:
    """Reverse the order of elements along axes."""
    x = as_operand(operand, "rev")
    return wrap(np.flip(x._data, axes_of(dimensions, x.ndim, "rev")), x._node)


@public(moving=True, operands="array", axis="dimensions")
def squeeze(array: Any, dimensions: Sequence[int]) -> Array:
    """Remove axes of length 1."""
    x = as_operand(array, "squeeze")
    axes = tuple([axis_of(axis, x.ndim, "squeeze") for axis in dimensions])
    if len(set(axes)) != len(axes):
        raise ValueError(f"dimensions are not unique: {axes}")
    if any(x.shape[axis] != 1 for axis in axes):
        raise ValueError(
            f"cannot select an axis to squeeze out which has size not equal to one, got shape={x.shape} and {axes}"
        )
    return wrap(x._data.squeeze(axes), x._node)


@public(moving=True, operands="array", same="expand_dims")
def expand_dims(array: Any, dimensions: Any) -> Array:
    """Add axes of length 1."""
    x = as_operand(array, "expand_dims")
    axes = tuple([axis_of(axis, x.ndim + len(dimensions), "expand_dims") for axis in dimensions])
    if len(set(axes)) != len(axes):
        raise ValueError(f"repeated axis in lax.expand_dims: {tuple(dimensions)}")
    return wrap(np.expand_dims(x._data, axes), x._node)


@public(kind="composed", moving=True, operands="operand")
def collapse(operand: Any, start_dimension: int, stop_dimension: int | None = None) -> Array:
    """Join several neighbouring axes into one."""
    x = as_operand(operand, "collapse")
    stop = x.ndim if stop_dimension is None else stop_dimension
    low, high, _ = slice(start_dimension, stop).indices(x.ndim)
    if high < low:
        raise ValueError(f"Invalid dimension range passed to collapse: {x.shape}[{start_dimension}:{stop}]")
    return xp.reshape(x, (*x.shape[:low], math.prod(x.shape[low:high]), *x.shape[high:]))


# -- joining and splitting ----------------------------------------------------------------------------------------------------


def _all(operands: Any, name: str) -> list[Array]:
    arrays = list(operands) if isinstance(operands, Array | np.ndarray) else as_operands(name, *operands)
    if not arrays:
        raise ValueError(f"{name} requires a non-empty sequences of arrays.")
    check_same_dtypes(name, arrays)
    return arrays


@public(moving=True, operands="operands", same="concat")
def concatenate(operands: Any, dimension: int) -> Array:
    """Join arrays of one dtype along an axis."""
    arrays = _all(operands, "concatenate")
    shapes = ", ".join(str(x.shape) for x in arrays)
    if len({x.ndim for x in arrays}) > 1:
        raise TypeError(f"Cannot concatenate arrays with different numbers of dimensions: got {shapes}.")
    if not 0 <= dimension < arrays[0].ndim:
        raise TypeError(f"concatenate dimension out of bounds: dimension {dimension} for shapes {shapes}.")
    if len({x.shape[:dimension] + x.shape[dimension + 1 :] for x in arrays}) > 1:
        raise TypeError(f"Cannot concatenate arrays along dimension {dimension} whose other lengths differ: {shapes}.")
    return wrap(np.concatenate([x._data for x in arrays], dimension), common_node(arrays))


@public(moving=True, operands="operands", same="stack")
def stack(operands: Any, axis: int = 0) -> Array:
    """Join arrays of one shape and dtype along a new axis."""
    arrays = _all(operands, "stack")
    if len({x.shape for x in arrays}) > 1:
        raise ValueError(f"All input arrays must have the same shape, got {', '.join(str(x.shape) for x in arrays)}.")
    return wrap(np.stack([x._data for x in arrays], axis), common_node(arrays))


@public(moving=True, operands="x", axis="axis")
def unstack(x: Any, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its parts along an axis, without the axis."""
    operand = as_operand(x, "unstack")
    return xp.unstack(operand, axis=axis_of(axis, operand.ndim, "unstack"))


@public(moving=True, operands="operand", axis="axis")
def split(operand: Any, sizes: Sequence[int], axis: int = 0) -> list[Array]:
    """Split an array along an axis into parts of given lengths."""
    x = as_operand(operand, "split")
    along, lengths = axis_of(axis, x.ndim, "split"), as_integers(sizes, "sizes", "split")
    if any(length < 0 for length in lengths) or sum(lengths) != x.shape[along]:
        raise ValueError(f"split: the sizes {lengths} must not be negative, and add up to the length {x.shape[along]}")
    return [wrap(part, x._node) for part in np.split(x._data, np.cumsum(lengths)[:-1], along)]


@public(moving=True, operands="operand padding_value")
def pad(operand: Any, padding_value: Any, padding_config: Any) -> Array:
    """Put a value before, after and between the elements along each axis; negative amounts take elements away."""
    x, value = operands = as_operands("pad", operand, padding_value)
    check_same_dtypes("pad", operands)
    config = [tuple([_operator.index(n) for n in triple]) for triple in tuple(padding_config)]
    check_entries("pad", "padding_config", config, x.ndim)
    if value.ndim:
        raise ValueError(f"padding_value must be a scalar; got a shape of {value.shape}")
    if any(interior < 0 for *_, interior in config):
        raise ValueError(f"interior padding in padding_config must be nonnegative, got {config}")
    found = padded(x._data, value._data, config)
    return wrap(found.copy() if found is x._data else found, common_node(operands))


def padded(data: Buffer, value: Any, config: Sequence[tuple[int, ...]]) -> Buffer:
    """Return a buffer padded along each axis by a triple (low, high, interior); itself if these are zeros."""
    if not any(map(any, config)):
        return data
    lengths, target, source = _placed(data.shape, tuple(config))
    out = buffer(lengths, data.dtype)
    out[...] = value
    if target is not None:
        out[target] = data[source]
    return out


@lru_cache(1024)
def _placed(shape: tuple[int, ...], config: tuple[tuple[int, ...], ...]) -> tuple[list[int], Any, Any]:
    """Return the shape of a padded array, and where its elements are and come from, None if there are none."""
    wide = [n + max(n - 1, 0) * interior for n, (_, _, interior) in zip(shape, config, strict=True)]
    lengths = [max(n + low + high, 0) for n, (low, high, _) in zip(wide, config, strict=True)]
    if any(n + low + high < 0 for n, (low, high, _) in zip(wide, config, strict=True)):
        given = f"{lengths} for shape {shape} and padding_config {list(config)}"
        raise ValueError(f"Dimension size after padding is not at least 0, got {given}")
    target, source = [], []
    for n, length, (low, _, interior) in zip(shape, lengths, config, strict=True):
        step = interior + 1
        first = -(low // step) if low < 0 else 0  # the first element that is kept
        last = min(n, (length - 1 - low) // step + 1) if length else 0
        source.append(slice(first, max(last, first)))
        target.append(slice(low + first * step, max(low + last * step, 0), step))
    some = all(part.stop > part.start for part in source)
    return lengths, tuple(target) if some else None, tuple(source)
