"""Rules for derivatives: item access, and updates at indices."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum.jax._batching import Batched, active
from supremum.jax._dual import Dual, Level, Rule, Strong, stripped
from supremum.jax._slopes import called, constant, grafted, moving, primal, rows, unused, valued

#: The types of the parts of indices that select no element twice, and the part that selects all.
_BASIC: Final = (type(None), type(Ellipsis), int, slice, np.integer)
_USUAL: Final = frozenset(_BASIC)
_ALL: Final = slice(None)


def _placed(x: Any, key: Any, shape: tuple[int, ...]) -> Any:
    """Add the elements of what an index selects into zeros."""
    if _is_basic(key) and not active.swaps:  # without a function that operands take over, which takes long
        if type(x) is Array and not state().watchers:
            out = np.zeros(shape, x._data.dtype)
            try:
                out[key] = x._data
            except IndexError:  # of what is out of range
                pass
            else:
                return wrap(out, x._node)
        if type(x) is Dual:
            y = _placed(x.primal, key, shape)
            return x.level.result(y, [(x, lambda t: _placed(t, key, shape), lambda ct: ct[key])])
        if type(x) is Batched and x.axis.position is None:
            parts = key if type(key) is tuple else (key,)
            return Batched(x.axis, _placed(x.value, (slice(None), *parts), (x.axis.size, *shape)))
    zeros = xp.zeros(shape, dtype=x.dtype).at[_as_read(key, shape)]
    return zeros.set(x) if _is_basic(key) else zeros.add(x)  # which programs move, without a call


def getitem(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Select tangents; back, add them into zeros."""
    if len(args) == 2 and not kwargs and level.kinds == "fc":  # which are no indices
        key, rest = args[1], []
    else:
        (_, key, *rest), kwargs = stripped(level, args), stripped(level, kwargs)
    operand = args[0]
    x = operand.primal if type(operand) is Dual and operand.level is level else operand
    y = x[key] if function.name == "getitem" else function(x, key, *rest, **kwargs)  # the operator is faster
    if x is operand:
        return y
    if rest or kwargs or level.tape is None or y._node.kind not in level.kinds or not _is_basic(key):
        return _selected(level, function, operand, y, key, *rest, **kwargs)
    if _selects_all(key):
        return level.taped(y, ((operand.tangent, partial(xp.reshape, shape=x.shape)),))
    pull = partial(_placed, key=key, shape=x.shape)
    return level.taped(y, ((operand.tangent, Strong(pull) if x._node.weak else pull),))


def _selected(level: Level, function: Any, operand: Dual, y: Any, key: Any, *rest: Any, **kwargs: Any) -> Any:
    shape = operand.shape
    filled = kwargs | {"fill_value": 0} if "fill_value" in kwargs or kwargs.get("mode") else kwargs

    def read(t: Any) -> Any:
        return t[key] if function.name == "getitem" else function(t, key, *rest, **filled)

    def pull(ct: Any) -> Any:
        if type(ct) is Dual and not _is_basic(key):  # the nearest elements are read again, which updates drop
            return ct.level.result(pull(ct.primal), [(ct, pull, read)])
        if not rest and kwargs.keys() <= {"fill_value"}:
            return _placed(ct, key, shape)
        places = _places(shape, key, *rest, **kwargs)
        return xp.reshape(xp.zeros((math.prod(shape) + 1,), dtype=ct.dtype).at[places].add(ct)[1:], shape)

    return level.result(y, [(operand, read, Strong(pull) if operand._node.weak else pull)])


rows(getitem, "getitem at_get")


def _view(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Take the tangents of the same elements; the bits of others are constants."""
    x, y = next(iter(function.bound(args, kwargs).values())), primal(level, function, args, kwargs)
    if x.dtype == y.dtype:
        return x
    if x._node.real.strong is not y._node.real:
        return constant(level, function, args, kwargs)
    if y._node.kind == "c":
        return grafted(level, y, x[..., ::2] + 1j * x[..., 1::2])
    return grafted(level, y, xp.reshape(xp.stack([xp.real(x), xp.imag(x)], axis=-1), y.shape))


rows(_view, "view")


def unique(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Take the tangents of the first of equal elements; fillers are constants, or that of the least element."""
    given = function.bound(args, kwargs)
    x, axis, fill = given["ar"], given["axis"], stripped(level, given["fill_value"])
    every = stripped(level, given) | {"return_index": True, "return_inverse": False, "return_counts": True}
    _, index, counts = called(function, every)
    found = xp.take(xp.ravel(x) if axis is None else x, index, axis=axis or 0)
    if fill is not None:
        found = xp.where(xp.expand_dims(counts > 0, tuple(range(1, found.ndim))), found, fill)
    y = primal(level, function, args, kwargs)
    return grafted(level, y, (found, *y[1:]) if isinstance(y, tuple) else found)


rows(unique, "unique")

# -- updates ------------------------------------------------------------------------------------------------------------------


def _updated(x: Any, index: Any, mode: Any = None, wrap_negative_indices: bool = True, **_: Any) -> Any:
    """Return the elements at an index that an update changes, and 0 for those that it drops."""
    mode = "fill" if mode in (None, "promise_in_bounds") else mode
    return x.at[index].get(mode=mode, fill_value=0, wrap_negative_indices=wrap_negative_indices)


def _places(shape: tuple[int, ...], index: Any, *rest: Any, **options: Any) -> Any:
    """Return where elements at an index are in the flattened array, from 1 on, and 0 for those that are dropped."""
    places = np.arange(1, math.prod(shape) + 1, dtype=np.int32).reshape(shape)
    return _updated(xp.asarray(places), index, *rest, **options)


def _is_basic(index: Any) -> bool:
    """Return whether an index selects no element twice, whatever its values."""
    parts = index if type(index) is tuple else (index,)
    return _USUAL.issuperset(map(type, parts)) or all(isinstance(part, _BASIC) for part in parts)


def _selects_all(index: Any) -> bool:
    """Return whether an index adds axes alone."""
    for part in index if type(index) is tuple else (index,):
        if not (part is None or part is Ellipsis or (type(part) is slice and part == _ALL)):
            return False
    return True


def _nearest(part: Any, size: int) -> Any:
    return max(-size, min(part, size - 1)) if type(part) is int else xp.clip(part, -size, size - 1)


def _as_read(index: Any, shape: tuple[int, ...]) -> Any:
    """Return an index of numbers and slices with the numbers in range, as items are read; updates drop them."""
    parts: tuple[Any, ...] = index if type(index) is tuple else (index,)
    if any(np.ndim(part) or isinstance(part, bool) or getattr(part, "dtype", None) == xp.bool for part in parts):
        return index
    axis, found = 0, []
    for part in parts:
        size = shape[axis] if axis < len(shape) else 0
        found.append(part if part is None or part is Ellipsis or isinstance(part, slice) else _nearest(part, size))
        axis += part is not None
        axis += part is Ellipsis and len(shape) - sum(part is not None for part in parts)
    return tuple(found) if len(found) > 1 else found[0]


def _once(index: Any, places: Any, unique_indices: bool = False, **_: Any) -> bool:
    """Return whether no element is updated twice, as far as that is known."""
    if _is_basic(index):
        return True
    if type(places) is not Array:
        return unique_indices
    found = np.asarray(places)
    found = found[found > 0]
    return bool(np.unique(found).size == found.size)


def at_set(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Put the tangents of values in the place of others."""
    x, index, values = args
    values = xp.astype(values if isinstance(values, Array) else xp.asarray(values), x.dtype)
    args = x, index, values
    if kwargs or not _is_basic(index):
        return moving(level, function, args, kwargs)
    return _added(level, function, args, kwargs, lambda ct: ct.at[index].set(0), 1)


def _added(
    level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], kept: Callable[[Any], Any], sign: int
) -> Any:
    """Return the result of an update that is linear in the array and in the values."""
    x, index, values = args
    index, shape = stripped(level, index), np.shape(x)
    y = function(stripped(level, x), index, stripped(level, values), **kwargs)

    def pull(ct: Any) -> Any:
        found = None
        if not kwargs and type(ct) is Array and _is_basic(index):
            with suppress(IndexError):  # of what is dropped
                found = None if ct._data[index] is None else ct[index]
        found = _updated(ct, index, **kwargs) if found is None else found
        return found if sign == 1 else -found

    parts = [(v, unused, how) for v, how in ((x, kept), (values, pull)) if level.holds(v)]

    def push() -> Any:
        moved, added = (v.tangent if level.holds(v) else None for v in (x, values))
        moved = xp.zeros(shape, dtype=y.dtype) if moved is None else moved
        return function(moved, index, 0 if added is None else added, **kwargs)

    return level.result(y, parts, push)


def at_add(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Add tangents, or subtract them."""
    sign = -1 if function.name.endswith("subtract") else 1
    return _added(level, function, args, kwargs, lambda ct: ct, sign)


rows(at_set, "at_set")
rows(at_add, "at_add at_subtract")


def _by_elements(name: str) -> Rule:
    """Return the rule of updates that combine elements and values by a function of the namespace."""

    def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        x, index, values = args
        index = stripped(level, index)
        plain = stripped(level, x)
        places = _places(plain.shape, index, **kwargs)
        if _once(index, places, **kwargs):
            before = xp.concatenate([xp.ones((1,), dtype=x.dtype), xp.ravel(x)])[places]
            found = x.at[index].set(getattr(xp, name)(before, values), **kwargs)
        elif name in ("maximum", "minimum"):
            return _extreme_at(level, function, args, kwargs)
        elif level.holds(values):
            raise NotImplementedError(
                f"{function.name}: there is no derivative by values of which several go to one element; use the sum of "
                "logarithms, or elements that are updated once"
            )
        else:
            factors = xp.ones_like(plain).at[index].multiply(values, **kwargs)
            found = getattr(xp, name)(x, factors)
        return valued(level, found, function, args, kwargs)

    return rule


def _extreme_at(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Share tangents between all elements and values that are the result."""
    x, index, values = stripped(level, args)
    y = function(x, index, values, **kwargs)
    kept, hit = xp.astype(x == y, y.dtype), xp.astype(values == _updated(y, index, **kwargs), y.dtype)
    count = kept.at[index].add(hit, **kwargs)
    kept, hit = kept / count, hit / xp.maximum(_updated(count, index, **kwargs), 1)
    maps = [
        (lambda t: t * kept, lambda ct: ct * kept),
        (lambda t: xp.zeros_like(y).at[index].add(t * hit, **kwargs), lambda ct: _updated(ct, index, **kwargs) * hit),
    ]
    return level.result(y, [(v, *how) for v, how in zip((args[0], args[2]), maps, strict=True) if level.holds(v)])


for _name in ("multiply", "divide", "power", "min", "max"):
    rows(_by_elements({"power": "pow", "min": "minimum", "max": "maximum"}.get(_name, _name)), f"at_{_name}")
