"""Batches: the operands of functions that `vmap` maps, each of which holds the values of all positions.

A `Batched` operand has the shape and the dtype of one position, and takes over the functions that it is an argument of. A
function with a rule in `_batch_rules` is called once, with arrays whose first axis is the mapped one. Others are called for
each position. While that lasts, the operands have the values at the position, also those that callbacks refer to.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.hooks import HOOKS
from supremum._array.operand import Operand, binary, described as described
from supremum._base.facts import operands_of, signature_of
from supremum._base.functions import takes_over
from supremum._core import engine
from supremum._core.array import wrap
from supremum._core.conversion import jax_array
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.jax import _tree
from supremum.jax._casting import convert_element_type
from supremum.jax.errors import ConcretizationTypeError, JAXIndexError, JAXTypeError, TracerArrayConversionError, escaped
from supremum.promotion._nodes import Node

_getitem: Final[Any] = HOOKS["getitem"]


class MappedAxis(engine.BatchAxis):
    """The axis that a `vmap` maps over, while the mapped function runs.

    Attributes
    ----------
    name : hashable
        The name, or None.
    size : int
        The length.
    level : int
        The level of operands: those of inner axes are called first.
    position : int or None
        The position whose values all operands have; None if it is all of them.
    in_rule : bool
        Whether a rule of the program's runs for all positions: what it computes with is the same at all of them.
    one_by_one : bool
        Whether the elements were needed at one position by what knows no batches, as classes of `supremum.scipy` do.
    examples : int
        The number of examples that were made in place of no positions.
    """

    __slots__ = ("_positions",)

    @property
    def positions(self) -> np.ndarray[Any, Any]:
        """The numbers of all positions."""
        try:
            return self._positions
        except AttributeError:
            self._positions: np.ndarray[Any, Any] = np.arange(self.size)
            return self._positions


#: The module of the base class, whose conversions need elements.
_OPERAND: Final = binary.__module__
#: Bytes from which on an example is one element in memory.
_LARGE: Final = 1 << 30
#: The position of an axis whose `vmap` is done.
DONE: Final[Any] = object()
#: The class of values that represent others, in JAX.
Tracer: Final = Operand
_AXES: Final[ContextVar[tuple[MappedAxis, ...]]] = ContextVar("supremum_jax_axes", default=())


#: Return the axes of all `vmap`s that run here, those of the outermost one first; put others in force until `leave`.
axes_in_force, enter, leave = _AXES.get, _AXES.set, _AXES.reset


def axes_key() -> tuple[Any, ...]:
    """Return what recorded programs depend on of the axes in force: their names and lengths."""
    axes = _AXES.get()
    return tuple([(axis.name, axis.size) for axis in axes]) if axes else axes


@contextmanager
def within(axis: MappedAxis, outside: MappedAxis | None = None) -> Iterator[None]:
    """Put an axis in force for a ``with`` block; with `outside`, in place of that axis and of those within it."""
    here = _AXES.get()
    token = _AXES.set((*(here[: here.index(outside)] if outside in here else here), axis))
    try:
        yield
    finally:
        _AXES.reset(token)


def mapped_axis(name: Any) -> MappedAxis:
    """Return the axis of a name."""
    for axis in reversed(_AXES.get()):
        if axis.name is not None and axis.name == name:
            return axis
    raise unbound(name)


def unbound(name: Any) -> NameError:
    """Return the error for a name that no axis has."""
    return NameError(f"Found an unbound axis name: {name}. To fix this, please call within vmap with axis_name={name!r}.")


class _Active(threading.local):
    """What takes the place of operands of levels of derivatives, while functions compute without these."""

    #: By level; that of None is offered all calls first. "checkpoint" is one where a function runs that will run again.
    swaps: dict[Any, Callable[..., Any]] = {}  # noqa: RUF012 - it is replaced, not changed
    #: How many functions run that are differentiated.
    running = 0


active: Final = _Active()


# -- operands -----------------------------------------------------------------------------------------------------------------


class Batched(engine.Batch, Operand):  # type: ignore[misc]  # both have slots
    """An operand of a mapped function: an array of one position, for all positions.

    Attributes
    ----------
    axis : MappedAxis
        The axis.
    value : Array or other operand
        The values of all positions, along the first axis; those of an outer `vmap` are in a batch themselves, and those of
        other transformations in operands of theirs.
    """

    __slots__ = ()

    def __supremum_function__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        axis = self.axis
        if active.swaps and (taker := active.swaps.get(None)) is not None:
            found = taker(function, args, kwargs)
            if found is not NotImplemented:
                return found
        if axis.position is None and len(args) == 1 and args[0] is self and not kwargs and function.kind == "elementwise":
            found = function(self.value) if function.operation is not None or not is_weak(self.value) else ()
            if type(found) is not tuple:  # which `where` returns; weak results of some functions depend on the number of axes
                return as_batch(axis, found)
        if axis.position is DONE:
            raise escaped(function.name, self)
        if axis.position is not None:
            return function(*_at(axis, args), **_at(axis, kwargs))
        if state().takes_lists and (given := with_arrays(function, args, kwargs)) is not None:
            return function(*given[0], **given[1])
        rule = _rule_of(function)
        try:
            result = NotImplemented if rule is None else rule(axis, function, args, kwargs)
        except TracerArrayConversionError:
            if (given := without_objects(self, args, kwargs)) is None:
                raise
            return function(*given[0], **given[1])
        except (JAXTypeError, JAXIndexError):
            raise
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            result = NotImplemented  # the error, if it is one, is that of a position
        return call_each(axis, function, args, kwargs) if result is NotImplemented else result

    def part(self) -> Any:
        """Return the values at the position that the axis is at."""
        axis, value = self.axis, self.value
        if not axis.size:
            axis.examples += 1
            firsts = (0, 1, axis.examples)  # those of all operands are equal, or differ
            return _example(value.shape[1:], value._node, firsts[axis.position or 0])
        if type(value) is not Array or state().watchers:
            return _getitem(value, axis.position)
        data = value._data[axis.position, ...]
        return wrap(data.copy() if state().mutable else data, value._node)

    # -- what is known of it ---

    @property
    def _data(self) -> Any:  # type: ignore[override]  # an attribute of Methods
        self.axis.one_by_one |= self.axis.position is None
        return self.concrete("its elements are used in a function that knows no batches", TracerArrayConversionError)._data

    ndim: Any = property(lambda self: self.value.ndim - 1, doc="The number of axes of one position.")

    def __repr__(self) -> str:
        return f"Batched({described(self)}, {self.axis.size} positions)"

    def __format__(self, spec: str) -> str:
        return repr(self) if self.axis.position in (None, DONE) else format(self.part(), spec)

    def concrete(self, need: str, error: type[Exception]) -> Any:
        """Return the values at the position, if the axis is at one."""
        if self.axis.position is DONE or (self.axis.position is None and not self.axis.size):
            return super().concrete(need, error)
        if self.axis.position is not None:
            return self.part()
        # Where a line of this package needs the value, no batches are known.
        caller = sys._getframe(2).f_globals.get("__name__", "")
        own = caller.startswith("supremum.jax.") or caller == _OPERAND
        self.axis.one_by_one |= caller.startswith("supremum.") and not own
        failed: Any = error(
            f"vmap: {need}, but an operand of the mapped function, {described(self)}, has {self.axis.size} of them at once; "
            "use jnp.where, lax.cond or lax.while_loop in place of Python's control flow, functions of jax.numpy in place of "
            "NumPy's, or jax.pure_callback"
        )
        failed.axis = self.axis
        raise failed


_tree.ARRAYS.add(Batched)


def _example(shape: tuple[int, ...], node: Node, first: int) -> Any:
    """Return zeros with another first element, for the shapes of results, which do not depend on it."""
    one = np.zeros((), node.dtype)
    if math.prod(shape) * one.itemsize >= _LARGE:
        return wrap(np.broadcast_to(one, shape), node)
    values = np.zeros(shape, one.dtype)
    if first and values.size and node.kind != "k":
        values[(0,) * len(shape)] = first
    return wrap(values, node)


def as_batch(axis: MappedAxis, out: Any) -> Any:
    """Return the result of a function of the values of all positions, which may be several arrays, as batches."""
    if type(out) is Array:
        return Batched(axis, out)
    return each(lambda x: Batched(axis, x) if type(x) is Array or takes_over(x) else x, out)


def innermost(x: Any) -> Any:
    """Return the value of an operand that may be in batches."""
    while type(x) is Batched:
        x = x.value
    return x


def in_batches(fun: Callable[[Any], Any], x: Any) -> Any:
    """Return what a function makes of an operand; one in batches stays in them."""
    if type(x) is not Batched:
        return fun(x)
    value = in_batches(fun, x.value)
    return x if value is x.value else Batched(x.axis, value)


def is_weak(x: Any) -> bool:
    """Return whether an operand has a node that is weak."""
    return getattr(getattr(x, "_node", None), "weak", False) is True


def _matmul(self: Batched, other: Any) -> Any:
    if type(other) is Array and self.axis.position is None and other.ndim == 2:
        value = self.value
        if value.ndim == 2:  # a vector by a matrix
            return Batched(self.axis, value @ other)
    return _general_matmul(self, other)


_general_matmul: Final = binary(xp.matmul)


setattr(Batched, "__matmul__", _matmul)  # noqa: B010 - a type checker knows no operators of it


# -- functions of them --------------------------------------------------------------------------------------------------------

#: What the attributes are that functions take from others; those of callable objects may be anything.
_KINDS_OF_ATTRIBUTES: Final = {"__name__": str, "__qualname__": str, "__annotations__": dict}


def wraps(fun: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return what `functools.wraps` returns, also for callable objects whose name is no string."""
    names = [
        name
        for name in functools.WRAPPER_ASSIGNMENTS
        if isinstance(getattr(fun, name, None), _KINDS_OF_ATTRIBUTES.get(name, object))
    ]
    return functools.wraps(fun, assigned=names)


#: The rules of functions that are code of their own, by their names, and of kinds of functions; `_batch_rules` is the table.
#: A rule is called as ``rule(axis, function, args, kwargs)``, and returns NotImplemented for arguments that it does not know.
RULES: Final[dict[str, Callable[..., Any]]] = {}
#: Returns the rule of a function, which may follow from its facts; `_batch_rules` appends it.
find: Final[list[Callable[[Any], Any]]] = []
_found: Final[dict[Any, Any]] = {}


def _rule_of(function: Any) -> Any:
    """Return the rule of a function, which it may have as the attribute `batched`, or of its kind; None if there is none."""
    if function.kind == "composed" and "batched" in vars(function):
        return function.batched
    if function not in _found:
        _found[function] = find[0](function)
    return _found[function]


def innermost_axis(args: Any) -> MappedAxis | None:
    """Return the axis of the innermost `vmap` that operands are of, which may be in lists, tuples and dictionaries."""
    found: list[MappedAxis] = []
    each(lambda x: found.append(x.axis) if type(x) is Batched else None, list(args))
    return max(found, key=lambda axis: axis.level, default=None)


def each(change: Callable[[Any], Any], x: Any) -> Any:
    """Return arguments or results with what a function makes of each, also of those in lists, tuples and dictionaries."""
    kind = type(x)
    if kind is tuple or kind is list:
        return kind([each(change, item) for item in x])
    if kind is dict:
        return {key: each(change, item) for key, item in x.items()}
    return kind(*[each(change, item) for item in x]) if isinstance(x, tuple) and hasattr(x, "_fields") else change(x)


def with_arrays(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return the arguments of a call with arrays in place of lists, where a function takes arrays; None without such lists."""
    places = _places_of_arrays(function)
    given = [xp.asarray(x) if type(x) in _LISTS and i in places else x for i, x in enumerate(args)]
    words = {name: xp.asarray(x) if type(x) in _LISTS and name in places else x for name, x in kwargs.items()}
    if all(map(operator.is_, given, args)) and all(map(operator.is_, words.values(), kwargs.values())):
        return None
    return tuple(given), words


def changed(change: Callable[[Any], Any], x: Any) -> Any:
    """Return an argument with what a function makes of the leaves of lists, tuples and dictionaries; else `x` itself."""
    kind = type(x)
    if kind is tuple or kind is list:
        items = [changed(change, item) for item in x]
        return x if all(map(operator.is_, items, x)) else kind(items)
    if kind is dict:
        found = {key: changed(change, item) for key, item in x.items()}
        return x if all(found[key] is item for key, item in x.items()) else found
    return change(x)


def _of_object(x: Any) -> Any:
    given = None if isinstance(x, Array | Operand) else jax_array(x)
    return x if given is None else given


def without_objects(operand: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return arguments with the arrays that objects of JAX's protocol give; None without such objects.

    What takes over before an operand does belongs to the program that called this function, which is to be called with it.
    """
    given = changed(_of_object, args), changed(_of_object, kwargs)
    if given[0] is args and given[1] is kwargs:
        return None
    levels: list[int] = []
    each(lambda x: levels.append(getattr(x, "__supremum_level__", 0)), given)
    if max(levels) > operand.__supremum_level__:
        raise TracerArrayConversionError
    return given


def as_own(x: Any) -> Any:
    """Return an argument as an array; what JAX's protocol gives may belong to the program, not to a rule."""
    found = x if isinstance(x, Array) else xp.asarray(x)
    if found is not x and takes_over(found) and hasattr(x, "__jax_array__"):
        raise TracerArrayConversionError
    return found


@functools.cache
def _places_of_arrays(function: Any) -> set[int | str]:
    """Return the places and the names of the parameters that are one array."""
    places: set[int | str] = set()
    elements = operands_of(function) if function.kind == "elementwise" else ()
    for i, parameter in enumerate(signature_of(function).values()):
        if parameter.name in elements or parameter.annotation in {"ArrayLike", "ArrayLike | None"}:
            places |= {parameter.name, *range(i, _MOST if parameter.kind is parameter.VAR_POSITIONAL else i + 1)}
    return places


#: The types that are arrays where settings say so, and the most of them in a call.
_LISTS: Final = frozenset([list, tuple])
_MOST: Final = 100


def _at(axis: MappedAxis, x: Any) -> Any:
    """Replace operands by their values at the position."""
    return each(lambda one: one.part() if type(one) is Batched and one.axis is axis else one, x)


def call_each(axis: MappedAxis, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a function for each position, and join the results."""
    results = []
    try:
        for position in range(axis.size or 3):  # with three examples in place of no positions
            axis.position = position
            results.append(function(*_at(axis, args), **_at(axis, kwargs)))
    except (ArithmeticError, LookupError, ValueError):
        if axis.size or not results:  # else one of the examples is out of range
            raise
    finally:
        axis.position = None
    columns = [_tree.flatten(result) for result in results]
    structure = columns[0][1]
    if any(other is not structure and other != structure for _, other in columns):
        raise TypeError("vmap: a function returns trees of different structures for different positions")
    return structure.unflatten([_joined(axis, list(parts)) for parts in zip(*[leaves for leaves, _ in columns], strict=True)])


def at_first(axis: MappedAxis, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a function for the first position alone."""
    try:
        axis.position = 0
        return function(*_at(axis, args), **_at(axis, kwargs))
    finally:
        axis.position = None


def sequential(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function of trees: it is called for each position of the operands that are batches.

    These may be among the arguments, or what functions among the arguments refer to.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, structure = _tree.flatten((args, kwargs))
        axis = innermost_axis(leaves)
        if axis is None:
            try:
                return function(*args, **kwargs)
            except JAXTypeError as error:
                axis = getattr(error, "axis", None)
                if axis is None or axis not in _AXES.get() or not any(map(callable, leaves)):
                    raise

        def of_leaves(*parts: Any) -> Any:
            given, words = structure.unflatten(parts)
            return call(*given, **words)

        if axis.position is not None:
            return of_leaves(*_at(axis, tuple(leaves)))
        return call_each(axis, of_leaves, tuple(leaves), {})

    return call


def _joined(axis: MappedAxis, parts: list[Any]) -> Any:
    first = parts[0]
    if not isinstance(first, Array | np.ndarray | np.generic) and all(type(x) is type(first) and x == first for x in parts):
        return first  # a dtype, a length
    if any(type(x) is not Batched and getattr(x, "__supremum_level__", 0) > axis.level for x in parts):
        raise NotImplementedError(
            "vmap: a function that is called for each position alone takes operands of a derivative from its closure, by "
            "which the mapped function is differentiated; pass them as arguments, or differentiate the mapped function"
        )
    return Batched(axis, stacked(parts, axis.size))


def stacked(parts: list[Any], size: int) -> Any:
    """Join the results of all positions along a new first axis."""
    arrays = [part if type(part) in (Array, Batched) else xp.asarray(part) for part in parts]
    shapes = {x.shape for x in arrays}
    if len(shapes) > 1 and not size:
        raise ConcretizationTypeError(
            f"the shape of a result depends on elements of arrays that have none here: it may be one of {sorted(shapes)}; "
            "give the function the shape of its result, as by size=..."
        )
    if len(shapes) > 1:
        raise ConcretizationTypeError(
            f"vmap: a function returns arrays of different shapes for different positions: {sorted(shapes)}; "
            "give it the shape of its result, as by size=..."
        )
    node = arrays[0]._node
    if not size:
        return with_node(xp.zeros((0, *arrays[0].shape), dtype=arrays[0].dtype), node)
    if state().watchers or any(type(x) is not Array or x._node is not node for x in arrays):
        found = xp.stack(arrays)
        return with_node(found, node) if all(x._node is node for x in arrays) else found
    return wrap(np.array([x._data for x in arrays], arrays[0]._data.dtype), node)


def with_node(x: Any, node: Node) -> Any:
    """Return an array, or another operand, cast to a node."""
    if x._node is node:
        return x
    if type(x) is Batched:
        return Batched(x.axis, with_node(x.value, node))
    return wrap(cast(x._data, node), node) if type(x) is Array else convert_element_type(x, node.public, node.weak)


def alike(x: Any, y: Any) -> bool:
    """Return whether two arrays, or two batches, have one node and one shape."""
    if type(x) is Batched and type(y) is Batched and x.axis is y.axis:
        x, y = x.value, y.value
    return x._node is y._node and x.shape == y.shape


def is_batch(x: Any) -> bool:
    """Return whether an operand has the values of several positions, between which control flow cannot choose."""
    return type(x) is Batched and x.axis.position is None


def any_true(x: Any) -> bool:
    """Return whether a condition holds at any position."""
    while type(x) is Batched:
        x = x.part() if x.axis.position is not None else x.value
    return bool(x._data.any()) if type(x) is Array else truth(xp.any(x) if x.ndim else x)


def truth(x: Any) -> bool:
    """Return whether a condition holds; raise TypeError for an operand that cannot say so."""
    if not isinstance(x, Array) and not hasattr(type(x), "__bool__"):
        raise TypeError(
            f"a condition is one truth value, but {type(x).__name__} has no __bool__; define it, or derive the class from "
            "supremum.typing.Operand"
        )
    return bool(x)
