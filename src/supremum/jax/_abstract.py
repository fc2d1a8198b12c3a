"""Abstract operands: arrays without elements, and `eval_shape`, which calls a function with them.

An `Abstract` operand has a shape and a node. What functions make of it is found by `vmap`'s rules for a mapped axis of length
0: they call functions of arrays without elements. A function without a rule is called with zeros, and with other numbers, as
results whose shapes differ between the two cannot be known without elements.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from supremum import Array
from supremum._array.operand import Operand, described
from supremum._base.facts import facts_of, operands_of, signature_of
from supremum._base.functions import takes_over
from supremum._core.array import wrap
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum.jax import _tree, _vmap as _vmap  # which loads the rules
from supremum.jax._batching import Batched, MappedAxis, active, axes_key, call_each, each, without_objects
from supremum.jax._traces import Trace, of_program, traced, tracing
from supremum.jax._values import ShapeDtypeStruct, as_leaf, is_ref, is_value, zeros_of
from supremum.jax.errors import ConcretizationTypeError, JAXTypeError, StaticArgumentError, TracerArrayConversionError, escaped
from supremum.promotion._nodes import PYTHON_SCALARS, Node

#: The most results of calls that are kept.
_KEPT: Final = 4096
#: What calls return: by the function, the state, and the arguments, with shapes and nodes in place of operands.
_found: Final[dict[Any, Any]] = {}
#: Parameters that are numbers which no shape depends on, of all functions or of one: they may be traced.
_FREE: Final = [
    "constant_values", "correction", "ddof", "dx", "fill_value", "index", "key", "rcond", "scale", "shift", "values", "y",
    "eye.k", "histogram.range", "histogram2d.bins", "histogram_bin_edges.range", "insert.obj", "linalg.trace.offset",
    "trace.offset", "tri.k", "unravel_index.shape",
]  # fmt: skip
#: The module of the base class, whose conversions need elements.
_OPERAND: Final = described.__module__


class Abstract(Operand):
    """An array without elements.

    Attributes
    ----------
    within : Trace
        The call of a function that it belongs to.
    shape : tuple of int
        The lengths of the axes.
    node : Node
        The dtype and whether it is weak.
    """

    __slots__ = ("__supremum_level__", "node", "shape", "within")
    node: Node
    shape: Any

    def __init__(self, trace: Trace, shape: tuple[int, ...], node: Node) -> None:
        self.within = trace
        self.shape = shape
        self.node = node  # pyright: ignore[reportIncompatibleMethodOverride]  # a slot
        self.__supremum_level__ = trace.level

    def __supremum_function__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self.within.ended:
            raise escaped(function.name, self)
        if hasattr(function, "custom"):
            recorder = (tracing() or self.within).recorder
            outside = any(takes_over(x) and type(x) is not Abstract for x in args)  # which the rules may be for
            if recorder is not None and (outside or recorder.keeps_rules):
                return recorder.whole_call(function, args)
            return function.definition(*[unknown_of(x) if is_value(x) else x for x in args]) if outside else NotImplemented
        if function.kind == "composed" and (_has_callable(args) or _has_callable(tuple(kwargs.values()))):
            return NotImplemented  # what is called may refer to other operands
        here = state()
        key = None if here.watchers not in ((), (staged,)) else key_of((args, tuple(kwargs.items())))
        key = None if key is None else (function, here, key)
        if key is None and (given := without_objects(self, args, kwargs)) is not None:
            return function(*given[0], **given[1])
        found = None if key is None else _found.get(key)
        if found is None:
            found = _results(function, args, kwargs)
            if key is not None:
                if len(_found) >= _KEPT:
                    _found.clear()
                _found[key] = found
        trace = tracing() or self.within  # a part of a program may call functions of what is outside of it alone
        out = each(lambda x: Abstract(trace, *x) if type(x) is _Found else x, found)
        if trace.recorder is not None:
            trace.recorder.add(function, args, kwargs, out)
        return out

    def __repr__(self) -> str:
        return f"Abstract({described(self)})"

    def concrete(self, need: str, error: type[Exception], /) -> Any:
        """Raise an error: one of JAX's, if a line of the program's needs the elements."""
        frame = sys._getframe(1)
        while frame.f_back is not None and frame.f_globals.get("__name__") == _OPERAND:
            frame = frame.f_back
        found = error(
            f"{need}, but {self!r} has no elements here; use jnp.where, lax.cond or lax.while_loop in place of Python's "
            "control flow, and functions of jax.numpy in place of NumPy's, name an argument in static_argnums, or call the "
            "function within jax.disable_jit()"
        )
        raise found if frame.f_globals.get("__name__", "").startswith("supremum.") else of_program(found)

    @property
    def _data(self) -> Any:  # type: ignore[override]  # an attribute of Methods
        caller = sys._getframe(1).f_globals.get("__name__", "")
        self.within.by_zeros |= caller.startswith("supremum.") and not caller.startswith("supremum.jax.")
        raise TracerArrayConversionError(f"{self!r} has no elements here, which a function that knows no operands needs")


_tree.ARRAYS.add(Abstract)
Trace.operand = Abstract


class _Found(tuple[tuple[int, ...], Node]):
    """The shape and the node of a result."""

    __slots__ = ()


def _has_callable(given: tuple[Any, ...]) -> bool:
    return any(callable(x) and not isinstance(x, type | Operand) for x in given)


class Slot(int):
    """In the recorded arguments of a call, the number of the operand that is there."""


def has_slot(x: Any) -> bool:
    """Return whether a recorded argument is an operand, or has some."""
    return type(x) is Slot or (type(x) in (list, tuple) and any(map(has_slot, x)))


def filled(x: Any, values: Sequence[Any]) -> Any:
    """Return recorded arguments of a call with values for the operands."""
    if type(x) is Slot:
        return values[x]
    if type(x) is dict:
        return {name: filled(item, values) for name, item in x.items()}
    return type(x)([filled(item, values) for item in x]) if type(x) in (list, tuple) else x


def key_of(x: Any) -> Any:
    """Return what a result's shape and node depend on; None if that is not known without a call."""
    kind = type(x)
    if kind is Abstract:
        return x.shape, x.node
    if kind in PYTHON_SCALARS or kind is Slot:
        return kind, x
    if x is None or kind is str or kind is np.dtype:
        return kind, x
    if kind is tuple or kind is list:
        parts = tuple([key_of(item) for item in x])
        return None if None in parts else (kind, parts)
    if kind is slice:
        parts = key_of((x.start, x.stop, x.step))
        return None if parts is None else (kind, parts)
    return (kind,) if x is Ellipsis else None


def _results(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return what a call returns, with shapes and nodes in place of arrays."""
    if facts_of(function).constant != "shapes":
        _check_static(function, args, kwargs)
    axis = MappedAxis(None, 0, new_level())

    def batch(x: Any) -> Any:
        """Replace operands that take over by batches of no positions."""
        return Batched(axis, wrap(np.empty((0, *x.shape), x._node.dtype), x._node)) if takes_over(x) else x

    given, words = each(batch, args), each(batch, kwargs)
    with traced(None):
        try:
            out = function(*given, **words)
        except (ConcretizationTypeError, TracerArrayConversionError):
            if not axis.one_by_one:
                raise
            out = call_each(axis, function, given, words)
    return each(_shape, out)


def _check_static(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Raise an error if integers among the arguments that shapes may depend on, as lengths and axes, are operands."""
    for name, x in (function.bound(args, kwargs) | kwargs).items():
        length = name == "a" and function.name == "random.choice" and np.shape(x) == ()
        if (length or name not in _free_parameters(function)) and any(
            takes_over(leaf) and leaf._node.kind in "biu" for leaf in _tree.flatten(x)[0]
        ):
            raise StaticArgumentError(
                f"{function.name}: {name} has to be known where the program is recorded, but it is, or has, an operand of it; "
                "name it in static_argnums, or take it from a shape"
            )


@cache
def _free_parameters(function: Any) -> set[str]:
    """Return the parameters that may be traced: operands, those of any type, and those that the table names."""
    parameters = signature_of(function).values()
    free = {one.name for one in parameters if "Any" in str(one.annotation) or f"{function.name}.{one.name}" in _FREE}
    return free.union(_FREE, operands_of(function))


def _shape(x: Any) -> Any:
    return _Found((x.shape, x._node)) if type(x) is Array or takes_over(x) else x


def staged(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function with operands of the program in place of arrays: the watcher of `make_jaxpr`."""
    found = lifted(function, args, kwargs)
    return function(*args, **kwargs) if found is NotImplemented else found


def lifted(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Record the call of a function of constants of a program: arrays, and operands of transformations around it.

    NotImplemented is for one that needs their elements, which are known, or returns what it gets; and for operands within.
    """
    recorder = getattr(tracing(), "recorder", None)
    if recorder is None or function.kind == "conversion" or facts_of(function).casts:
        return NotImplemented
    if recorder.around != (active.running, axes_key()):
        return NotImplemented
    try:
        return function(*each(recorder.constant, args), **each(recorder.constant, kwargs))
    except JAXTypeError:
        return NotImplemented


def unknown(x: Any) -> Any:
    """Return an operand like an array, without elements; batches have values like that, other operands stay."""
    trace: Any = tracing()
    if type(x) is Batched:
        return Batched(x.axis, unknown(x.value))
    return Abstract(trace, x.shape, x._node) if type(x) is Array else x


def unknown_of(x: Any) -> Any:
    """Return an abstract operand with the shape and the dtype of a leaf; other leaves as they are."""
    trace: Any = tracing()
    if is_ref(x):
        with traced(None):
            held = x.held
        return x.like(Abstract(trace, held.shape, held._node))
    if takes_over(x) or type(x) is Array:
        return Abstract(trace, x.shape, x._node)
    if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, np.ndarray | np.generic):
        node = zeros_of(ShapeDtypeStruct((), x.dtype, weak_type=bool(getattr(x, "weak_type", False))))._node
        return Abstract(trace, tuple(x.shape), node)
    found = as_leaf(x)
    return Abstract(trace, found.shape, found._node)


def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return the shapes and dtypes of the results of a function, as a tree of `ShapeDtypeStruct`.

    The function is called with arrays that have no elements.
    """
    trace = Trace()
    try:
        with traced(trace):
            given, keywords = _tree.mapped(unknown_of, (args, kwargs))
            out = fun(*given, **keywords)
    except TracerArrayConversionError:
        if not trace.by_zeros:
            raise
        given, keywords = _tree.mapped(zeros_of, (args, kwargs))
        out = fun(*given, **keywords)
    return _tree.mapped(lambda x: ShapeDtypeStruct.like(x if isinstance(x, ShapeDtypeStruct) else as_leaf(x)), out)
