"""The rules of `lax` for batches: see `supremum.jax._batch_rules`."""

from __future__ import annotations

from typing import Any

import numpy as np

import supremum as xp
from supremum._base.facts import label_of
from supremum.jax._batch_rules import Arguments, composed, is_batched, of_operand, rank_of, rows, shifted, whole
from supremum.jax._batching import Batched, MappedAxis, as_batch
from supremum.jax.lax._convolution import conv_dimension_numbers
from supremum.jax.lax._slicing import scatter as scatter_set, scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub

# -- functions ----------------------------------------------------------------------------------------------------------------


def with_entries(**own: Any) -> Any:
    """Return the rule of functions with parameters that have an entry for each axis.

    What is given of them is that of an axis along which nothing is done.
    """

    @of_operand
    def rule(given: Arguments, x: Any) -> Any:
        for name, entry in own.items():
            entries = given.get(name)
            if isinstance(entries, list | tuple):
                given.put(name, (entry, *entries))
            elif entries is not None and not isinstance(entries, str):
                return NotImplemented
        return given.call(x.value)

    return rule


def convolution(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Join the mapped axis and the batch of the images."""
    given = Arguments(axis, function, args, kwargs)
    x, kernel = given.get("lhs"), given.get("rhs")
    if not axis.size and is_batched(axis, kernel):  # a shape is looked for, which is that of no images and any kernel
        x = x if is_batched(axis, x) else Batched(axis, xp.broadcast_to(x, (0, *x.shape)))
        given.put("rhs", kernel := kernel.part())
    if not given.only(["lhs"]) or not is_batched(axis, x) or given.get("batch_group_count", 1) != 1:
        return NotImplemented
    numbers = conv_dimension_numbers(x.shape, kernel.shape, given.get("dimension_numbers"))
    place = numbers.lhs_spec[0]
    images = xp.moveaxis(x.value, 0, place)
    shape = list(x.shape)
    shape[place] *= axis.size
    found = given.call(lhs=xp.reshape(images, tuple(shape)), dimension_numbers=numbers).value
    at = numbers.out_spec[0]
    split = (*found.shape[:at], axis.size, x.shape[place], *found.shape[at + 1 :])
    return Batched(axis, xp.moveaxis(xp.reshape(found, split), at, 0))


def _lax_sort(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Sort along an axis of a position."""
    given = Arguments(axis, function, args, kwargs)
    operand = given.get("operand")
    several = isinstance(operand, list | tuple)
    values = [whole(axis, x) for x in (operand if several else [operand])]
    if not given.only(["operand"]):
        return NotImplemented
    moved = shifted(given.get("dimension", -1), values[0].ndim - 1)
    return given.call(operand=type(operand)(values) if several else values[0], dimension=moved)


# -- positions ----------------------------------------------------------------------------------------------------------------


def _window(x: Any, starts: Any, sizes: Any) -> tuple[Any, ...]:
    """Return the key of a window, moved so that it is inside the array."""
    key: list[Any] = []
    for i, (n, size) in enumerate(zip(x.shape, sizes, strict=True)):
        along = np.arange(size).reshape([-1 if j == i else 1 for j in range(x.ndim)])
        key.append(along if size == n else xp.clip(xp.where(starts[i] < 0, starts[i] + n, starts[i]), 0, n - size) + along)
    return tuple(key)  # of index arrays alone, which keep their place


def dynamic_slice(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Select a window at each position."""
    if len(args) != 3 or kwargs.get("allow_negative_indices", True) is not True:
        return NotImplemented
    x, starts, sizes = args
    sizes = tuple(sizes) if isinstance(sizes, list | tuple) else None
    if sizes is None or len(sizes) != x.ndim or rank_of(starts) > 1 or len(starts) != x.ndim or not _fits(sizes, x.shape):
        return NotImplemented
    if not is_batched(axis, starts) and not any(is_batched(axis, one) for one in starts):
        return Batched(axis, function(x.value, [0, *starts], (axis.size, *sizes)))
    return x[_window(x, starts, sizes)]


def _fits(sizes: Any, shape: Any) -> bool:
    return all(isinstance(size, int) and 0 <= size <= n for size, n in zip(sizes, shape, strict=True))


def dynamic_update_slice(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Replace a window at each position."""
    if len(args) != 3 or kwargs.get("allow_negative_indices", True) is not True:
        return NotImplemented
    x, new, starts = args
    if rank_of(x) != rank_of(new) or not x.ndim or rank_of(starts) > 1 or len(starts) != x.ndim or x.dtype != new.dtype:
        return NotImplemented
    if not _fits(new.shape, x.shape):
        return NotImplemented
    if not is_batched(axis, starts) and not any(is_batched(axis, one) for one in starts):
        return Batched(axis, function(whole(axis, x), whole(axis, new), [0, *starts]))
    return x.at[_window(x, starts, new.shape)].set(new)


def _shifted_numbers(numbers: Any, operand: bool, indices: bool) -> Any:
    """Return the dimension numbers of `gather` or `scatter` for operands with the mapped axis in front."""
    both = (0,) if operand and indices else ()
    by = (1, operand, operand, operand, indices)
    moved = [tuple([i + step for i in axes]) for axes, step in zip(numbers, by, strict=True)]
    return type(numbers)(*moved[:3], (*both, *moved[3]), (*both, *moved[4]))


def gather(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make the mapped axis an axis of the batch, or of the windows."""
    given = Arguments(axis, function, args, kwargs)
    if len(args) < 3 or not given.only(["operand", "start_indices"]):
        return NotImplemented
    x, indices, numbers = args[:3]
    of_x, of_indices = is_batched(axis, x), is_batched(axis, indices)
    made = _shifted_numbers(numbers, of_x, of_indices)
    sizes = tuple(given.get("slice_sizes"))
    if of_x:
        sizes = (1 if of_indices else axis.size, *sizes)
        if not of_indices:
            made = made._replace(offset_dims=(0, *made.offset_dims))
    return given.call(x.value if of_x else x, indices.value if of_indices else indices, made, slice_sizes=sizes)


def scatter(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make the mapped axis an axis of the batch."""
    given = Arguments(axis, function, args, kwargs)
    if len(args) < 4 or not given.only(given.names[:3]):
        return NotImplemented
    made = _shifted_numbers(args[3], True, True)
    return as_batch(axis, function(*[whole(axis, x) for x in args[:3]], made, *args[4:], **kwargs))


rows(convolution, "lax.conv_general_dilated")
rows(_lax_sort, "lax.sort")
rows(with_entries(padding_config=(0, 0, 0)), "lax.pad")
rows(
    with_entries(window_dimensions=1, window_strides=1, padding=(0, 0), base_dilation=1, window_dilation=1),
    "lax.reduce_window",
)
rows(composed, "lax.stop_gradient")
rows(dynamic_slice, "lax.dynamic_slice")
rows(dynamic_update_slice, "lax.dynamic_update_slice")
rows(gather, "lax.gather")
for _function in (scatter_add, scatter_max, scatter_min, scatter_mul, scatter_sub, scatter_set):
    rows(scatter, label_of(_function))
