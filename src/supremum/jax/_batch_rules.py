"""The table of rules: how functions are applied to batches at once.

A rule is called with the mapped axis, the function and its arguments. It calls functions of arrays whose first axis is the
mapped one, and returns the result as a batch, or NotImplemented for arguments that it does not know; then the function is
called for each position. The same happens after an error, so that the error is that of one position. A rule returns
NotImplemented for arguments that the function refuses at one position, and would take with the mapped axis in front.
"""

from __future__ import annotations

import functools
import inspect
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.facts import facts_of, label_of, operands_of, original_of, signature_of
from supremum._core.array import wrap
from supremum._core.guests import check_ranks
from supremum._core.settings import state
from supremum._functions.creation.from_objects import lengths_of_nested
from supremum.jax._batching import RULES, Batched, MappedAxis, as_batch, as_own, at_first, find, is_weak, with_node
from supremum.jax.errors import ConcretizationTypeError, JAXTypeError
from supremum.promotion._nodes import Node

Rule: TypeAlias = Callable[[MappedAxis, Any, tuple[Any, ...], dict[str, Any]], Any]
_SEQUENCES: Final = (list, tuple)
_FLOATS: Final[Any] = ("real floating", "complex floating")
_ARRAYS: Final = (Array, Batched)

# -- arguments ----------------------------------------------------------------------------------------------------------------


@functools.cache
def names_of(function: Any) -> tuple[str, ...]:
    """Return the names of the parameters that may be given by position."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(name for name, p in signature_of(function).items() if p.kind in kinds)


@functools.cache
def defaults_of(function: Any) -> dict[str, Any]:
    """Return the defaults of parameters by their names, in order; those that have none have `inspect.Parameter.empty`."""
    return {name: p.default for name, p in signature_of(function).items()}


class Arguments:
    """The arguments of a call by name."""

    __slots__ = ("args", "axis", "function", "kwargs", "names")

    def __init__(self, axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.axis = axis
        self.function = function
        self.names = names_of(function)
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

    def call(self, *leading: Any, **changes: Any) -> Any:
        """Call the function with other arguments, the first ones in order; NotImplemented if one by name is None."""
        self.args[: len(leading)] = leading
        for name, value in changes.items():
            if value is None:
                return NotImplemented
            self.put(name, value)
        return as_batch(self.axis, self.function(*self.args, **self.kwargs))

    def options(self, count: int) -> Iterator[tuple[str, Any]]:
        """Yield the arguments after the first ones that are not their defaults, which fast paths do not know."""
        defaults = defaults_of(self.function)
        for name, x in (*zip(self.names, self.args, strict=False), *self.kwargs.items()):
            if name not in self.names[:count] and x is not defaults.get(name, inspect.Parameter.empty):
                yield name, x

    def only(self, names: Sequence[str]) -> bool:
        """Return whether no other arguments than these are batched."""
        axis = self.axis
        for name, x in (*zip(self.names, self.args, strict=False), *self.kwargs.items()):
            if name in names:
                continue
            items = x if type(x) in _SEQUENCES else (x,)
            if Batched in map(type, items) and any(is_batched(axis, item) for item in items):
                return False
        return True


def is_batched(axis: MappedAxis, x: Any) -> bool:
    """Return whether an argument has the mapped axis."""
    return type(x) is Batched and x.axis is axis


def of_operand(rule: Callable[[Arguments, Any], Any]) -> Rule:
    """Return a rule for calls of which the first argument alone is batched, of a function of the arguments and that one."""

    def of_operand(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = Arguments(axis, function, args, kwargs)
        if not args or not is_batched(axis, args[0]) or not given.only(given.names[:1]):
            return NotImplemented
        return rule(given, args[0])

    return of_operand


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
    found = x if is_batched(axis, x) else as_own(x)
    return found.value if is_batched(axis, found) else xp.broadcast_to(found, (axis.size, *found.shape))


def shifted(number: Any, ndim: int, *, several: bool = True) -> Any:
    """Return an axis of one position, or several, as those of the batch; None for what is no axis."""
    if type(number) in _SEQUENCES:
        moved = tuple([shifted(one, ndim, several=False) for one in number]) if several else (None,)
        return None if None in moved else moved
    if type(number) is not int:
        if isinstance(number, bool) or not hasattr(number, "__index__") or type(number) is Batched:
            return None
        number = number.__index__()
    if not -ndim <= number < ndim:
        return None
    return number + 1 if number >= 0 else number


def flattened(axis: MappedAxis, x: Any) -> Any:
    """Return the values of all positions, those of each in one axis."""
    return xp.reshape(x, (axis.size, math.prod(x.shape[1:])))


# -- elementwise functions ----------------------------------------------------------------------------------------------------


def rank_of(x: Any) -> int:
    if type(x) is Array:
        return x.ndim
    found = getattr(x, "ndim", 0)
    return found if type(found) is int else 0


def elementwise(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands, whose axes broadcast."""
    if list in (kinds := {*map(type, args)}) or tuple in kinds:
        return NotImplemented  # which the function refuses
    rank = max(map(rank_of, args), default=0)
    if state().ranks != "allow":
        given = (*args, *kwargs.values())
        check_ranks(state().ranks, label_of(function), *[x.shape for x in given if isinstance(x, Array | np.ndarray)])
        args = tuple([xp.expand_dims(x, 0) if rank_of(x) and not is_batched(axis, x) else x for x in args])
    if kwargs:
        rank = max(rank, *map(rank_of, kwargs.values()))
    aligned = [with_rank(x, rank) if type(x) is Batched and x.axis is axis else x for x in args]
    named = {name: with_rank(x, rank) if type(x) is Batched and x.axis is axis else x for name, x in kwargs.items()}
    found = function(*aligned, **named)
    if type(found) in _ARRAYS and found.ndim != rank + 1:
        return NotImplemented  # the result is not of all operands
    if function.operation is None and _has_weak_numbers(axis, (*args, *kwargs.values())):
        found = _with_nodes(found, function(*map(_example, args), **{name: _example(x) for name, x in kwargs.items()}))
    return as_batch(axis, found)


def strict(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands of a function that broadcasts only operands of equal numbers of axes."""
    if any(type(x) is Batched for x in kwargs.values()):
        return NotImplemented
    ranks = {rank for rank in map(rank_of, args) if rank}
    if len(ranks) > 1:
        return NotImplemented
    rank = max(ranks, default=0)
    aligned = [with_rank(x, rank) if is_batched(axis, x) else xp.expand_dims(x, 0) if rank_of(x) else x for x in args]
    return as_batch(axis, function(*aligned, **kwargs))


def _has_weak_numbers(axis: MappedAxis, operands: tuple[Any, ...]) -> bool:
    """Return whether a result may be weak because an operand is a number, or not weak: there are such functions in JAX."""
    for x in operands:
        if type(x) is Batched and x.axis is axis and x.value.ndim == 1:
            return any(type(x) in (int, float, complex) or is_weak(x) for x in operands)
    return False


def _example(x: Any) -> Any:
    """Return an array of one element of the rank and the node of an operand; other arguments as they are."""
    return _one(x.ndim, x._node) if type(x) in _ARRAYS else x


@functools.cache
def _one(rank: int, node: Node) -> Array:
    return wrap(np.ones((1,) * rank, node.dtype), node)


def _with_nodes(found: Any, like: Any) -> Any:
    if isinstance(found, tuple):
        return tuple([_with_nodes(x, one) for x, one in zip(found, like, strict=True)])
    return with_node(found, like._node)


def nan_to_num(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands, of which only floats broadcast."""
    alone = len(args) == 1 and not kwargs
    return elementwise(axis, function, args, kwargs) if alone or xp.isdtype(args[0].dtype, _FLOATS) else NotImplemented


def in_place(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute the result of an in-place operator, which takes the place of its operand."""
    return getattr(xp, "matmul" if function.operation is None else function.operation.name)(*args)


def setitem(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Refuse to write."""
    raise JAXTypeError("an array within vmap does not hold the values of all positions; use x = x.at[index].set(value)")


def where(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands; the indices of true elements are those of one position."""
    return elementwise(axis, function, args, kwargs) if len(args) == 3 and not kwargs else NotImplemented


# -- functions along axes -----------------------------------------------------------------------------------------------------


def along(
    *operands: str,
    by: str = "axis",
    none: str = "",
    default: Any = None,
    several: bool = False,
    aligned: tuple[str, ...] = (),
    apart: tuple[str, ...] = (),
) -> Rule:
    """Return the rule of functions along axes.

    Parameters
    ----------
    *operands : str
        The arrays, of equal numbers of axes.
    by : str
        The parameter that says the axis.
    none : str
        What None means there: see `supremum._base.facts.Facts`.
    default : int, optional
        The default.
    several : bool
        Whether it may say several axes.
    aligned : tuple of str
        Arrays that broadcast to the shape of the operand.
    apart : tuple of str
        Arrays whose axes are not those of the operand, and the same for all positions.
    """

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = Arguments(axis, function, args, kwargs)
        if not given.only((*operands, *aligned)):
            return NotImplemented
        xs = [given.get(name) for name in operands]
        if any(type(x) in _SEQUENCES for x in xs):  # faster than isinstance, which reads the class of batches
            return NotImplemented
        ndim = max(map(rank_of, xs))
        over: Any = given.get(by, default)
        values = [whole(axis, x) for x in xs]
        if any(x.ndim != ndim + 1 for x in values):
            return NotImplemented
        options: dict[str, Any] = {}
        for name, x in given.options(len(operands)):
            if rank_of(x) > (ndim if name in aligned else name in apart and not is_batched(axis, x)):
                return NotImplemented
            options[name] = with_rank(x, ndim if over is not None else max(ndim, 1)) if is_batched(axis, x) else x
        if over is None and (none == "every" or (none == "all" and ndim)):
            moved: Any = tuple(range(1, ndim + 1))
        elif over is None and none == "only":
            if ndim != 1:
                return NotImplemented
            moved = 1
        elif over is None and none == "last":
            lengths = given.get("s")
            number = ndim if lengths is None else len(lengths) if type(lengths) in _SEQUENCES else 1
            moved = shifted(tuple(range(-number, 0)), ndim)
            if moved is None:
                return NotImplemented
        elif over is None and none:
            if (options.pop("keepdims", False) and none == "flat") or any(x.ndim != 2 for x in values[1:]):
                return NotImplemented
            values, moved = [flattened(axis, x) for x in values], 1
        else:
            moved = shifted(over, ndim, several=several)
            if moved is None:
                return NotImplemented
        options[by] = moved[0] if type(moved) is tuple and len(moved) == 1 and by == "axis" else moved
        return as_batch(axis, function(*values, **options))

    return rule


@functools.cache
def _in_order(function: Any) -> tuple[Any, ...]:
    """Return the defaults of the parameters in order."""
    return tuple(defaults_of(function).values())


def reduction(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Reduce over the axes of a position."""
    count, x = len(args), args[0] if args else None
    if count > 1:  # methods give all arguments
        defaults = _in_order(function)
        while count > 1 and count <= len(defaults) and args[count - 1] is defaults[count - 1]:
            count -= 1
    if count == 1 and not kwargs and type(x) is Batched and x.axis is axis and x.value.ndim > 1:
        ndim = x.value.ndim
        return as_batch(axis, function(x.value, axis=1 if ndim == 2 else tuple(range(1, ndim))))
    return over_axes(function)(axis, function, args, kwargs)


@functools.cache
def over_axes(function: Any) -> Rule:
    """Return the rule of a function by the axes that its head names."""
    facts, parameters = facts_of(function), signature_of(function)
    names = facts.axis.split()
    defaults = [None if (default := parameters[name].default) is inspect.Parameter.empty else default for name in names]
    if len(names) > 1:
        return moved_axes(dict(zip(names, defaults, strict=True)))
    own, aligned = operands_of(function), ("where", *facts.aligned.split())
    operands = [name for name in own if name not in aligned and parameters[name].default is inspect.Parameter.empty]
    apart = [name for name, one in parameters.items() if "Array" in str(one.annotation) and name not in own]
    several = any(word in str(parameters[names[0]].annotation) for word in ("Axis", "Sequence", "tuple"))
    return along(
        *operands, by=names[0], none=facts.none, default=defaults[0], several=several, aligned=aligned, apart=tuple(apart)
    )


_over_all: Final = along("a", none="all", several=True, apart=("q",))


def quantiles(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute quantiles; those of several probabilities have an axis for them in front."""
    count = rank_of(Arguments(axis, function, args, kwargs).get("q"))
    found = _over_all(axis, function, args, kwargs)
    return found if found is NotImplemented or not count else Batched(axis, xp.moveaxis(found.value, count, 0))


def searchsorted(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Find the places of all elements in an array that is the same at all positions."""
    given = Arguments(axis, function, args, kwargs)
    return given.call(v=given.get("v").value) if given.only(["v"]) else NotImplemented


# -- functions of stacks ------------------------------------------------------------------------------------------------------


def stacks(*least: int) -> Rule:
    """Return the rule of functions of the last axes of arrays, of at least so many each."""
    count = len(least)

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = Arguments(axis, function, args, kwargs)
        if len(args) < count or not given.only(given.names[:count]):
            return NotImplemented
        above = {rank_of(x) - rank for x, rank in zip(args, least, strict=False)}
        apart = any(rank_of(option) for _, option in given.options(count))  # which would be one for each array of the stack
        if len(above) > 1 or min(above) < 0 or apart:
            return NotImplemented
        return given.call(*[whole(axis, x) for x in args[:count]])

    return rule


@of_operand
def one_hot(given: Arguments, x: Any) -> Any:
    """Add the axis of the classes at the end."""
    return given.call(x.value) if given.kwargs.get("axis", -1) == -1 else NotImplemented


def of_lengths(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Refuse lengths that differ between positions; the number of a diagonal is none."""
    if Arguments(axis, function, args, kwargs).only(("k",)):
        return NotImplemented
    raise ConcretizationTypeError(
        f"vmap: {label_of(function)} needs lengths that are numbers, but got an operand of the mapped function, which has one "
        "for each position; use x.shape, or pass the length as it is"
    )


def once(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of shapes and dtypes at one position; its result is the same at all."""
    alone = Arguments(axis, function, args, kwargs).only(names_of(function)[:1])
    return at_first(axis, function, args, kwargs) if alone else NotImplemented


def composed(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call the definition, which is in public functions."""
    return function.definition(*args, **kwargs)


def by_parts(parts: Callable[..., Any]) -> Rule:
    """Return the rule of functions that have a second definition in public functions.

    The function itself is called for one position: errors, shapes and nodes are its own. So are narrow floats, which functions
    that are not linear round once, and their parts more often.
    """

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        found, facts = parts(xp, *args, **kwargs), facts_of(function)
        if found is NotImplemented:
            return found
        return _fitted(found, at_first(axis, function, args, kwargs), exact=facts.moving or bool(facts.linear))

    return rule


def _fitted(found: Any, like: Any, *, exact: bool) -> Any:
    """Return results with the nodes of those of one position; NotImplemented if the shapes differ, or the rounding may."""
    if type(like) in _SEQUENCES:
        every = [_fitted(x, one, exact=exact) for x, one in zip(found, like, strict=True)]
        return NotImplemented if any(x is NotImplemented for x in every) else type(like)(every)
    node = like._node
    narrow = node.kind == "f" and node.bits < 32 and not exact
    return NotImplemented if narrow or found.shape != like.shape else with_node(found, node)


# -- shapes -------------------------------------------------------------------------------------------------------------------


@of_operand
def reshape(given: Arguments, x: Any) -> Any:
    """Keep the mapped axis in front."""
    if given.get("order", "C") != "C" or len(given.args) < 2 or given.get("dimensions") is not None:
        return NotImplemented
    sizes = given.args[1]
    shape = [operator.index(n) for n in (sizes if isinstance(sizes, tuple | list) else (sizes,))]
    if shape.count(-1) == 1:  # of one position, as there may be none
        rest = math.prod([n for n in shape if n != -1])
        if not rest or x.size % rest:
            return NotImplemented
        shape[shape.index(-1)] = x.size // rest
    if not given.axis.size and math.prod(shape) != x.size:  # which shows at no positions in no size
        return NotImplemented
    return given.call(x.value, (given.axis.size, *shape))


@of_operand
def ravel(given: Arguments, x: Any) -> Any:
    """Flatten the axes of a position."""
    return Batched(given.axis, flattened(given.axis, x.value)) if given.get("order", "C") == "C" else NotImplemented


@of_operand
def transpose(given: Arguments, x: Any) -> Any:
    """Permute the axes of a position."""
    name, ndim = given.names[1], x.ndim
    order = given.get(name)
    if order is None and defaults_of(given.function)[name] is not None:
        return NotImplemented
    moved = range(ndim, 0, -1) if order is None else shifted(tuple(order), ndim)
    return NotImplemented if moved is None or len(moved) != ndim else given.call(x.value, **{name: (0, *moved)})


def moved_axes(defaults: dict[str, Any]) -> Rule:
    """Return the rule of functions with several parameters that are axes."""
    return of_operand(
        lambda given, x: given.call(x.value, **{name: shifted(given.get(name, one), x.ndim) for name, one in defaults.items()})
    )


@of_operand
def expand_dims(given: Arguments, x: Any) -> Any:
    """Add axes after the mapped one."""
    name = given.names[1]
    number = given.get(name, 0)
    return given.call(x.value, **{name: shifted(number, x.ndim + (len(number) if type(number) in _SEQUENCES else 1))})


@of_operand
def squeeze(given: Arguments, x: Any) -> Any:
    """Remove axes of a position."""
    axes = given.get("axis")
    return given.call(x.value, axis=shifted([i for i, n in enumerate(x.shape) if n == 1] if axes is None else axes, x.ndim))


@of_operand
def broadcast_to(given: Arguments, x: Any) -> Any:
    """Broadcast the axes of a position."""
    shape = given.get(given.names[1])
    shape = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    if x.ndim > len(shape):
        return NotImplemented
    return Batched(given.axis, xp.broadcast_to(with_rank(x, len(shape)), (given.axis.size, *shape)))


@of_operand
def tile(given: Arguments, x: Any) -> Any:
    """Repeat along the axes of a position."""
    counts = given.get("reps")
    if isinstance(counts, np.ndarray | Array):
        return NotImplemented
    counts = tuple(counts) if isinstance(counts, list | tuple) else (counts,)
    rank = max(x.ndim, len(counts))
    return given.call(with_rank(x, rank), reps=(1,) * (rank + 1 - len(counts)) + counts)


@of_operand
def pad(given: Arguments, x: Any) -> Any:
    """Pad the axes of a position."""
    if callable(given.get("mode")) or any(
        rank_of(x) or isinstance(x, list | tuple | dict) for x in (*given.args[3:], *given.kwargs.values())
    ):
        return NotImplemented
    try:
        widths = np.broadcast_to(np.asarray(given.get("pad_width")), (x.ndim, 2)).tolist()
    except (TypeError, ValueError):
        return NotImplemented
    return given.call(x.value, pad_width=((0, 0), *map(tuple, widths)))


@of_operand
def roll(given: Arguments, x: Any) -> Any:
    """Roll along axes of a position; without axes, the elements in one line."""
    axes = given.get("axis")
    if axes is None:
        return xp.reshape(xp.roll(xp.ravel(x), given.get("shift"), axis=0), x.shape)
    return given.call(x.value, axis=shifted(axes, x.ndim))


# -- several arrays in a list -------------------------------------------------------------------------------------------------


def joining(*, new: bool) -> Rule:
    """Return the rule of functions that join arrays along an axis, a new one or one that they have."""

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = Arguments(axis, function, args, kwargs)
        name, by, *_ = defaults_of(function)
        arrays, number = given.get(name), given.get(by, 0)
        if not isinstance(arrays, list | tuple | Array) or not given.only([name]):
            return NotImplemented
        values = [whole(axis, x) for x in arrays]
        if number is None and facts_of(function).none == "flat":
            values, number = [flattened(axis, x) for x in values], 0
        if len({x.ndim for x in values}) > 1:
            return NotImplemented
        given.put(name, values)
        return given.call(**{by: shifted(number, values[0].ndim - 1 + new, several=False)})

    return rule


def as_array(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Convert the values, or join those of a list."""
    given = Arguments(axis, function, args, kwargs)
    name = given.names[0]
    x = given.get(name)
    if not given.only([name]) or given.get("ndmin"):
        return NotImplemented
    if is_batched(axis, x):
        return given.call(**{name: x.value})
    leaves: list[Any] = []
    shape = lengths_of_nested(x, leaves)
    inner = {leaf.shape if hasattr(leaf, "shape") else () for leaf in leaves}
    if shape is None or len(inner) > 1:
        return NotImplemented
    found = xp.stack([whole(axis, leaf) for leaf in leaves], axis=1)
    found = xp.reshape(found, (axis.size, *shape, *inner.pop()))
    return given.call(**{name: with_node(found, found._node.strong)})


# -- the table ----------------------------------------------------------------------------------------------------------------


def rows(rule: Rule, names: str) -> None:
    """Add the rule of functions, or of a kind of them, to the table."""
    RULES.update(dict.fromkeys(names.split(), rule))


rows(in_place, "in-place")
rows(setitem, "setitem")
rows(where, "where")
rows(nan_to_num, "nan_to_num")
rows(quantiles, "quantile percentile nanquantile nanpercentile")
rows(searchsorted, "searchsorted")
rows(one_hot, "nn.one_hot")
rows(of_lengths, "arange")
rows(reshape, "reshape")
rows(ravel, "ravel")
rows(transpose, "transpose permute_dims")
rows(expand_dims, "expand_dims")
rows(squeeze, "squeeze")
rows(broadcast_to, "broadcast_to")
rows(tile, "tile")
rows(pad, "pad")
rows(roll, "roll")
rows(joining(new=False), "concat concatenate")
rows(joining(new=True), "stack")
rows(as_array, "asarray array")


def rule_of(function: Any) -> Rule | None:
    """Return the rule of a function: its own, that of its kind, or what follows from its facts; None if there is none."""
    found = RULES.get(function.name) or RULES.get(function.kind)
    if found is not None:
        return found
    facts = facts_of(function)
    if facts.draws:
        return RULES["draws"]
    if function.kind == "elementwise" or facts.slope:  # the parts of composed ones have other slopes
        return strict if facts.strict else elementwise
    if facts.same:
        return rule_of(original_of(function))
    if facts.axis:
        return reduction if function.kind == "reduction" and facts.none == "all" else over_axes(function)
    if facts.last is not None:
        last: Any = facts.last
        return stacks(*(last if type(last) is tuple else (last,)))
    if facts.constant in _CONSTANT:
        return _CONSTANT[facts.constant]
    if facts.parts is not None:
        return by_parts(facts.parts)
    return composed if function.kind == "composed" else None


_CONSTANT: Final[dict[str, Rule]] = {"shapes": once, "lengths": of_lengths}
find.append(rule_of)
