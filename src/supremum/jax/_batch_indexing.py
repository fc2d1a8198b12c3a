"""Rules for batches: item access, updates, and `take`."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.at import GET
from supremum._base.facts import facts_of
from supremum._core.settings import state
from supremum._kernels import bounds
from supremum.jax._batch_rules import Arguments, along, is_batched, rank_of, rows, whole, with_rank
from supremum.jax._batching import Batched, MappedAxis, is_batch
from supremum.jax.errors import NonConcreteBooleanIndexError

#: The types of parts of keys that select from each axis by itself, and of those that are along an axis.
_STATIC: Final = frozenset({int, slice, type(None), type(...)})
_ALONG: Final = frozenset({int, slice})
_ARRAYS: Final = (Array, np.ndarray)
_MODES: Final = (None, "clip", "fill", "wrap")
_NUMBERS: Final = (*_ARRAYS, np.generic, int)


class _Key(NamedTuple):
    """A key for the values of all positions, and where the axes of what it selects are."""

    parts: tuple[Any, ...]
    #: The number of axes of the index arrays, and where they are in the selection from one position; 0 of them are nowhere.
    arrays: int
    place: int
    #: The number of axes of the selection.
    ndim: int
    #: Where the mapped axis is in the selection from all.
    batch: int
    #: Whether the axes of the index arrays follow the mapped axis there.
    joined: bool = False


def is_index(part: Any) -> bool:
    """Return whether a part of a key selects along its axis by numbers."""
    return isinstance(part, _NUMBERS) and not isinstance(part, bool | np.bool_)


def parts_along(key: Any, shape: tuple[int, ...]) -> list[Any] | None:
    """Return the parts of a key, one for each axis and new axis; None for keys that have no rule, or do not fit the shape."""
    if type(key) is list:
        return None
    given = list(key) if isinstance(key, tuple) else [key]
    parts: list[Any] = []
    masks: list[tuple[int, tuple[int, ...]]] = []
    for part in given:  # of any types
        if isinstance(part, list | tuple):
            part = xp.asarray(part) if part else np.zeros(0, np.int32)  # noqa: PLW2901 - a sequence is an array
        if isinstance(part, _ARRAYS) and part.dtype == "bool":
            if is_batch(part):
                raise NonConcreteBooleanIndexError(
                    "vmap: an array of conditions selects a different number of elements at each position; use "
                    "jnp.where(mask, x, value) with three arguments"
                )
            if not part.ndim:
                return None
            masks.append((len(parts), part.shape))
            parts += [np.asarray(one) for one in bounds.nonzero(np.asarray(part))]
        elif part is None or part is ... or isinstance(part, slice) or is_index(part):
            parts.append(part)
        else:
            return None
    used = sum(part is not None and part is not ... for part in parts)
    ellipses = [i for i, part in enumerate(parts) if part is ...]
    missing = len(shape) - used
    if missing < 0 or len(ellipses) > 1:
        return None
    at = ellipses[0] if ellipses else len(parts)
    found = [*parts[:at], *[slice(None)] * missing, *parts[at + 1 :]]
    for place, lengths in masks:
        number = sum(part is not None for part in found[: place if place < at else place + missing - 1])
        if shape[number : number + len(lengths)] != lengths:
            return None
    return found


def _key(axis: MappedAxis, key: Any, shape: tuple[int, ...], *, batched: bool) -> _Key | None:
    """Return a key for an array that has the shape at a position, and the mapped axis in front if it is batched."""
    expanded = parts_along(key, shape)
    if expanded is None:
        return None
    indices = [i for i, part in enumerate(expanded) if is_index(part)]
    arrays = [expanded[i] for i in indices if rank_of(expanded[i])]
    mapped = any(is_batched(axis, expanded[i]) for i in indices)
    sliced = [part for part in expanded if not is_index(part)]
    count = max(map(rank_of, arrays), default=0)
    if not arrays and not mapped:  # slices and numbers
        return _Key((slice(None), *expanded), 0, 0, len(sliced), 0)
    adjacent = indices[-1] - indices[0] == len(indices) - 1
    place = indices[0] if adjacent else 0
    if not mapped:
        # The mapped axis is a slice in front, which separated index arrays put theirs before.
        return _Key((slice(None), *expanded), count, place, len(sliced) + count, 0 if adjacent else count)
    parts = [with_rank(x, count) if is_batched(axis, x) else x for x in expanded]
    if batched:
        positions = axis.positions.reshape((axis.size,) + (1,) * count)
        return _Key((positions, *parts), count, place, len(sliced) + count, 0, joined=True)
    return _Key(tuple(parts), count, place, len(sliced) + count, place)


def _ordered(key: _Key, found: Any) -> Any:
    """Move the axes of a selection from all positions to where they are in the selection from one, after the mapped one."""
    if key.batch:
        found = xp.moveaxis(found, key.batch, 0)
    if key.joined and key.arrays and key.place:
        found = xp.moveaxis(found, tuple(range(1, key.arrays + 1)), tuple(range(key.place + 1, key.place + key.arrays + 1)))
    return found


def _of_one_shape(axis: MappedAxis, key: _Key) -> tuple[Any, ...]:
    """Return the parts of a key with those of the first axes as arrays of one shape, of which updates have a fast path."""
    count = next((i for i, part in enumerate(key.parts[1:]) if not is_index(part)), len(key.parts) - 1)
    indices, others = key.parts[1 : count + 1], key.parts[count + 1 :]
    shapes = {x.shape for x in indices if getattr(x, "ndim", 0)}
    if len(shapes) != 1 or any(type(x) is not slice or x != slice(None) for x in others):
        return key.parts
    (shape,) = shapes
    if not key.joined:
        tiled = [xp.tile(x, (axis.size, *(1,) * x.ndim)) if getattr(x, "ndim", 0) else x for x in indices]
        shape, indices = (axis.size, *shape), tuple(tiled)
    elif shape[0] != axis.size:
        return key.parts
    places = np.broadcast_to(axis.positions.reshape((axis.size,) + (1,) * (len(shape) - 1)), shape)
    return (np.ascontiguousarray(places), *indices)


def getitem(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Select from all positions at once."""
    x, index = args[:2]
    batched = is_batched(axis, x)
    if batched and (type(index) in _STATIC or (type(index) is tuple and _STATIC.issuperset(map(type, index)))):
        parts = index if type(index) is tuple else (index,)
        if len(parts) <= (ndim := x.ndim) or sum(type(part) in _ALONG for part in parts) <= ndim:
            of_all = (slice(None), *parts)
            plain = function.name == "getitem"  # of which the operator is faster
            return Batched(axis, x.value[of_all] if plain else function(x.value, of_all, *args[2:], **kwargs))
    vector = index.value if type(index) is Batched and index.axis is axis and index._node.kind in "iu" else None
    if vector is not None and vector.ndim == 1 and batched and x.ndim and type(x.value) is Array:
        return Batched(axis, function(x.value, (axis.positions, vector), *args[2:], **kwargs))
    key = _key(axis, index, x.shape, batched=batched)
    if key is None:
        return NotImplemented
    of_numbers = not key.arrays and any(getattr(part, "ndim", 0) for part in key.parts)
    if of_numbers and kwargs.get("mode") is None and state().out_of_range == "clip":  # which matters to derivatives
        function, kwargs = GET, kwargs | {"mode": "clip"}
    found = function(x.value if batched else x, key.parts, *args[2:], **kwargs)
    return Batched(axis, _ordered(key, found))


def update(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Update all positions at once."""
    x, index, values = args[:3]
    key = _key(axis, index, x.shape, batched=True)
    rank = rank_of(values)
    if key is None or isinstance(values, list | tuple) or rank > key.ndim or len(args) > 3:
        return NotImplemented
    batched = is_batched(axis, values)
    if batched or (rank and (key.batch or key.joined)):
        values = with_rank(values, key.ndim) if batched else xp.reshape(values, (1,) * (key.ndim + 1 - rank) + values.shape)
        if key.joined and key.arrays and key.place:
            places = tuple(range(key.place + 1, key.place + key.arrays + 1))
            values = xp.moveaxis(values, places, tuple(range(1, key.arrays + 1)))
        if key.batch:
            values = xp.moveaxis(values, 0, key.batch)
    parts = key.parts if facts_of(function).moving else _of_one_shape(axis, key)
    method = getattr(whole(axis, x).at[parts], function.name.removeprefix("at_"))  # which has a fast path
    return Batched(axis, method(values, **kwargs))


_by_one: Final = along("a", none="flat", apart=("indices",))


def take(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Take by indices of each position."""
    given = Arguments(axis, function, args, kwargs)
    a, indices, by = given.get("a"), given.get("indices"), given.get("axis")
    if not given.only(["a", "indices"]):
        return NotImplemented
    if not is_batched(axis, indices):
        return _by_one(axis, function, args, kwargs)
    if by is None:
        a, by = xp.ravel(a), 0
    if type(by) is not int or not -a.ndim <= by < a.ndim:
        return NotImplemented
    by %= a.ndim
    if not is_batched(axis, a):
        return Batched(axis, xp.moveaxis(given.call(a=a, indices=indices.value, axis=by).value, by, 0))
    mode = given.get("mode")
    if indices._node.kind not in "iu" or mode not in _MODES:
        return NotImplemented
    if mode == "wrap":
        indices = xp.remainder(indices, a.shape[by])
    options = {"fill_value": given.get("fill_value")} if given.get("fill_value") is not None else {}
    key = (slice(None),) * by + (indices,)
    if mode is None and not options and state().out_of_range == "raise":
        return a[key]
    found = a.at[key]
    return found.get(mode=mode if mode in ("clip", "fill") else "fill", wrap_negative_indices=mode != "clip", **options)


rows(getitem, "index")
rows(update, "update")
rows(take, "take")
