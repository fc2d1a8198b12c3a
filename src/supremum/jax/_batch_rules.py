"""The table of rules: how functions are applied to batches at once.

A rule is called with the mapped axis, the function and its arguments. It calls functions of arrays whose first axis is the
mapped one, and returns the result as a batch, or NotImplemented for arguments that it does not know; then the function is
called for each position.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

import supremum as xp
from supremum import Array
from supremum._core.guests import check_ranks
from supremum._core.settings import state
from supremum.jax._batching import RULES, Batched, MappedAxis, at_first

Rule: TypeAlias = Callable[[MappedAxis, Any, tuple[Any, ...], dict[str, Any]], Any]
__all__: list[str] = []


# -- arguments ----------------------------------------------------------------------------------------------------------------


@functools.cache
def _parameters(function: Any) -> tuple[str, ...]:
    """Return the names of the parameters that may be given by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(name for name, p in inspect.signature(function).parameters.items() if p.kind in kinds)


class _Arguments:
    """The arguments of a call by name."""

    __slots__ = ("args", "axis", "kwargs", "names")

    def __init__(self, axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.axis = axis
        self.names = _parameters(function)
        self.args = list(args)
        self.kwargs = dict(kwargs)

    def get(self, name: str, default: Any = None) -> Any:
        """Return an argument, or a default."""
        if name in self.kwargs:
            return self.kwargs[name]
        position = self.names.index(name) if name in self.names else len(self.args)
        return self.args[position] if position < len(self.args) else default

    def put(self, name: str, value: Any) -> None:
        """Set an argument."""
        position = self.names.index(name) if name in self.names else len(self.args)
        if name not in self.kwargs and position < len(self.args):
            self.args[position] = value
        else:
            self.kwargs[name] = value

    def only(self, names: Sequence[str]) -> bool:
        """Return whether no other arguments than these are batched."""
        axis = self.axis
        if len(self.args) > len(self.names):
            return False
        for name, x in (*zip(self.names, self.args, strict=False), *self.kwargs.items()):
            if type(x) is Batched:
                if x.axis is axis and name not in names:
                    return False
            elif type(x) in (list, tuple) and name not in names and any(is_batched(axis, item) for item in x):
                return False
        return True


def is_batched(axis: MappedAxis, x: Any) -> bool:
    """Return whether an argument has the mapped axis."""
    return type(x) is Batched and x.axis is axis


def as_batch(axis: MappedAxis, out: Any) -> Any:
    """Return a result, which may be several arrays, as batches."""
    if type(out) is Array or type(out) is Batched:
        return Batched(axis, out)
    if isinstance(out, tuple) and hasattr(out, "_fields"):
        return type(out)(*[as_batch(axis, x) for x in out])
    return type(out)([as_batch(axis, x) for x in out]) if isinstance(out, list | tuple) else out


def with_rank(x: Any, rank: int) -> Any:
    """Return the values of a batch, with axes of length 1 in front of those of a position until there are `rank`."""
    value = x.value
    missing = rank + 1 - value.ndim
    if missing <= 0:
        return value
    shape = value.shape
    return xp.reshape(value, shape[:1] + (1,) * missing + shape[1:])


def whole(axis: MappedAxis, x: Any) -> Any:
    """Return an argument with the mapped axis in front, along which one that has none is repeated."""
    if is_batched(axis, x):
        return x.value
    found = xp.asarray(x)
    return xp.broadcast_to(found, (axis.size, *found.shape))


def shifted(number: Any, ndim: int) -> Any:
    """Return an axis of one position as an axis of the batch; None for what is no axis."""
    if type(number) is not int:
        if isinstance(number, bool) or not hasattr(number, "__index__") or type(number) is Batched:
            return None
        number = number.__index__()
    if not -ndim <= number < ndim:
        return None
    return number + 1 if number >= 0 else number


# -- elementwise functions ----------------------------------------------------------------------------------------------------


def _ndim(x: Any) -> int:
    found = getattr(x, "ndim", 0)
    return found if type(found) is int else 0


def elementwise(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands, whose axes broadcast."""
    rank = max(map(_ndim, args), default=0)
    if state().ranks != "allow":
        given = (*args, *kwargs.values())
        check_ranks(state().ranks, function.name, *[x.shape for x in given if isinstance(x, Array | np.ndarray)])
        args = tuple([xp.expand_dims(x, 0) if _ndim(x) and not is_batched(axis, x) else x for x in args])
    if kwargs:
        rank = max(rank, *map(_ndim, kwargs.values()))
        kwargs = {name: with_rank(x, rank) if type(x) is Batched and x.axis is axis else x for name, x in kwargs.items()}
    aligned = [with_rank(x, rank) if type(x) is Batched and x.axis is axis else x for x in args]
    return as_batch(axis, function(*aligned, **kwargs))


def in_place(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute the result of an in-place operator, which takes the place of its operand."""
    return getattr(xp, "matmul" if function.operation is None else function.operation.name)(*args)


def setitem(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Refuse to write."""
    raise TypeError("an array within vmap does not hold the values of all positions; use x = x.at[index].set(value)")


def where(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands; the indices of true elements are those of one position."""
    return elementwise(axis, function, args, kwargs) if len(args) == 3 and not kwargs else NotImplemented


# -- functions along axes -----------------------------------------------------------------------------------------------------


def along(*operands: str, by: str = "axis", none: str = "", default: Any = None, aligned: tuple[str, ...] = ()) -> Rule:
    """Return the rule of functions along axes.

    Parameters
    ----------
    *operands : str
        The arrays, of equal numbers of axes.
    by : str
        The parameter that says the axes: one, or several.
    none : {"", "all", "flat"}
        What None means there: no rule, all axes, or the only axis of the flattened array.
    default : int, optional
        The default.
    aligned : tuple of str
        Arrays that broadcast to the shape of the operand.
    """

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = _Arguments(axis, function, args, kwargs)
        if not given.only((*operands, *aligned)):
            return NotImplemented
        xs = [given.get(name) for name in operands]
        if any(isinstance(x, list | tuple) for x in xs):
            return NotImplemented
        ndim, over = max(map(_ndim, xs)), given.get(by, default)
        values = [whole(axis, x) for x in xs] if len(xs) > 1 else [xs[0].value]
        if any(x.ndim != ndim + 1 for x in values):
            return NotImplemented
        for name in aligned:
            if is_batched(axis, mask := given.get(name)):
                if mask.ndim > ndim:
                    return NotImplemented
                given.put(name, with_rank(mask, ndim))
        if over is None and none == "all":
            moved: Any = tuple(range(1, ndim + 1))
            if not ndim:
                values, moved = [xp.reshape(x, (axis.size, 1)) for x in values], 1
                if given.get("keepdims"):
                    given.put("keepdims", False)
        elif over is None and none == "flat":
            if given.get("keepdims"):
                return NotImplemented
            values, moved = [xp.reshape(x, (axis.size, x.size // (axis.size or 1))) for x in values], 1
        elif isinstance(over, tuple | list):
            moved = tuple([shifted(one, ndim) for one in over])
            if None in moved:
                return NotImplemented
        else:
            moved = shifted(over, ndim)
            if moved is None:
                return NotImplemented
        for name, value in zip(operands, values, strict=True):
            given.put(name, value)
        given.put(by, moved)
        return as_batch(axis, function(*given.args, **given.kwargs))

    return rule


def over_all(name: str = "a", *aligned: str) -> Rule:
    """Return the rule of reductions over some axes, or all."""
    return along(name, none="all", aligned=aligned)


_REDUCTION: Final = over_all("a", "where")


def reduction(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Reduce over the axes of a position."""
    return over_all(_parameters(function)[0], "where")(axis, function, args, kwargs)


def unchanged(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the operand."""
    return args[0] if args and type(args[0]) is Batched else NotImplemented


def once(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of shapes and dtypes at one position; its result is the same at all."""
    given = _Arguments(axis, function, args, kwargs)
    if not given.only(_parameters(function)[:1]):
        return NotImplemented
    return at_first(axis, function, args, kwargs)


RULES.update({"in-place": in_place, "setitem": setitem, "elementwise": elementwise, "where": where, "reduction": reduction})
RULES.update(
    dict.fromkeys(
        ["shape", "ndim", "size", "zeros_like", "ones_like", "empty_like", "full_like", "iscomplexobj", "isrealobj"], once
    )
)
