"""How a call is made once more in the reference dtype: its arguments widened, in settings that round nothing down."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from types import EllipsisType, NoneType
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._base.boundary import translated
from supremum._base.buffers import Buffer
from supremum._base.exceptions import QUIET
from supremum._base.facts import facts_of, label_of, operands_of, original_of
from supremum._base.functions import with_translated_errors, without_float_warnings
from supremum._base.silence import ERRORS, SILENT
from supremum._core import dtype_objects as dtypes, engine
from supremum._core.array import Array, wrap
from supremum._core.config import config
from supremum._core.conversion import as_array
from supremum._core.setting_rows import DEFAULTS
from supremum._core.settings import scope_with
from supremum._kernels.casts import cast
from supremum.lens._losses import Operand
from supremum.promotion._nodes import Node, node_of_dtype

#: Parameters that say the dtype of a result.
_DTYPES: Final = frozenset({"dtype", "preferred_element_type", "new_dtype", "type", "param_dtype", "accumulation_dtype"})
#: How deep arrays in arguments and results are looked for; lists may contain themselves.
_DEEP: Final = 6
#: Types of arguments that have no parts, and of those that are no functions.
_SIMPLE: Final = frozenset({Array, NoneType, bool, int, float, complex, str, slice, EllipsisType})
_LEAVES: Final = _SIMPLE - {Array}
_NUMBERS: Final = frozenset({bool, int, float, complex})
_PLAIN: Final = _SIMPLE | {np.ndarray}


class Traits(NamedTuple):
    """How calls of a function are followed."""

    name: str
    #: "call", "own" (the result is its own reference), "in-place" or "setitem".
    kind: str
    #: The positions of parameters that say a dtype.
    dtypes: tuple[int, ...] = ()
    #: Whether errors are relative to the largest element of a result.
    whole: bool = False
    #: Whether numbers and integers among the arguments become elements of the result's dtype.
    mixes: bool = False
    #: Whether the reference takes the rounded results over.
    meant: bool = False
    #: Whether the function changes a dtype on request.
    casts: bool = False
    #: How errors come about: "adds" two operands, "sums" many terms, has "steps"; or otherwise.
    loss: str = ""
    #: Whether a call writes to its first argument.
    writes: bool = False
    #: Whether the reference of a result may be computed later: its shape depends on no elements.
    delays: bool = False
    #: Whether each element of a result depends on one element of each operand.
    places: bool = False


def _loss(function: Any) -> str:
    """Return how errors of results come about, by what the function says of itself."""
    facts = facts_of(original_of(function))
    slopes = (facts.slope,) if isinstance(facts.slope, str) else facts.slope
    if len(slopes) == 2 and all(slope in ("1", "-1") for slope in slopes):
        return "adds"
    return "sums" if facts.sums else "steps" if facts.constant == "steps" or slopes[0] == "0" else ""


@cache
def traits_of(function: Any) -> Traits:
    """Return how calls of a public function are followed."""
    name = label_of(function) or "function"
    facts = facts_of(function)
    home = str(getattr(function, "__module__", ""))
    kind = str(getattr(function, "kind", ""))
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        parameters = []
    positions = tuple(i for i, parameter in enumerate(parameters) if parameter in _DTYPES)
    whole = ".linalg" in home or ".fft" in home or name.startswith(("linalg.", "fft."))
    if name == "setitem":
        return Traits("setitem", "setitem", writes=True)
    mixes = kind in ("elementwise", "reduction", "in-place") or facts.casts
    mixes = mixes or function.operation is not None or "fill_value" in operands_of(function)
    if kind == "in-place":
        return Traits(facts.same, "in-place", mixes=True, loss=_loss(function), writes=True)
    own = facts.own == "result" or (home == "supremum.random" and not facts.moving) or home == "supremum.io"
    meant = facts.own == "rounding"
    delays = (mixes or facts.moving) and not (own or meant)
    places = kind == "elementwise" or facts.casts
    return Traits(
        name, "own" if own else "call", positions, whole, mixes, meant, facts.casts, _loss(function),
        delays=delays, places=places,
    )  # fmt: skip


@dataclass(slots=True)
class Call:
    """A call of the program that is followed."""

    function: Any
    traits: Traits
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    #: The arrays among the arguments, and those that are floating.
    arrays: list[Array]
    operands: list[Operand] = field(default_factory=list)
    #: The file and the line.
    place: tuple[str, int] = ("", 0)


def arrays_among(arguments: tuple[Any, ...]) -> list[Array] | None:
    """Return the arrays among arguments; None if functions, which must not be called twice, or iterators are among them."""
    if _SIMPLE.issuperset(map(type, arguments)) or all(map(_is_simple, arguments)):
        return [x for x in arguments if type(x) is Array and x._node.kind != "k"]
    return None if any(map(_calls_back, arguments)) else list(arrays_in(arguments))


def _is_simple(x: Any) -> bool:
    """Whether an argument is a simple one, or a shape."""
    return type(x) in _SIMPLE or (type(x) is tuple and _NUMBERS.issuperset(map(type, x)))


def has_no_parts(x: Any) -> bool:
    """Whether an argument, and all others of its type, have no parts."""
    return type(x) in _SIMPLE or isinstance(x, type | np.dtype)


def _calls_back(x: Any, depth: int = 0) -> bool:
    kind = type(x)
    if kind in (list, tuple) and len(x) <= 64 and depth < 2:
        return any(_calls_back(one, depth + 1) for one in x)
    return kind not in _PLAIN and ((callable(x) and not isinstance(x, type | np.dtype)) or hasattr(kind, "__next__"))


def look_into(watcher: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function that calls others, and watch what those do."""
    definition = function.definition
    if function.kind != "composed":  # its definition runs without watchers
        handler = partial(translated, label_of(function))
        definition = with_translated_errors(without_float_warnings(function.__wrapped__), handler)
    with config.use(watcher=watcher):
        return definition(*args, **kwargs)


class Wide:
    """The reference dtype, and calls in it."""

    def __init__(self, dtype: Node) -> None:
        #: Returns the node in which arrays of a node are followed; None for those that are not floating.
        self.node: Final = cache(partial(_wider, {"f": dtype, "c": dtypes.complex_of(dtype)}))
        self._requests: dict[Any, Any] = {}
        #: Functions that could not be called, with the error.
        self.unfollowed: dict[str, str] = {}
        # In this scope nothing is watched, and nothing is rounded to less than the reference dtype.
        x64 = "on" if dtype.bits == 64 else "explicit"
        self._scope: Final = scope_with(**{**DEFAULTS, "x64": x64, "out_of_range": "clip"})

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function in the settings of the reference, without warnings."""
        if engine.scope.get(None) is self._scope:
            return function(*args)
        token, quiet, errors = engine.scope.set(self._scope), QUIET.set(True), ERRORS.set(SILENT)
        try:
            return function(*args)
        finally:
            ERRORS.reset(errors)
            QUIET.reset(quiet)
            engine.scope.reset(token)

    def widened(self, value: Any, operand: Callable[[Array, Wide], Any], depth: int = 0) -> Any:
        """Return an argument with each array as `operand` widens it, those in tuples, lists and dicts included."""
        kind = type(value)
        if kind in _LEAVES:
            return value
        if kind is Later:
            return value.array()
        if kind is not Array and isinstance(value, np.ndarray | np.generic) and node_of_dtype(value.dtype) is not None:
            value = as_array(np.array(value))  # a view may be of memory with other references
        if type(value) is Array:
            return value if value._node.kind == "k" else operand(value, self)
        if depth < _DEEP and isinstance(value, tuple | list) and value:
            parts = [self.widened(one, operand, depth + 1) for one in value]
            if type(value) is not list and all(new is old for new, old in zip(parts, value, strict=True)):
                return value
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if depth < _DEEP and type(value) is dict:
            return {key: self.widened(one, operand, depth + 1) for key, one in value.items()}
        return value

    def request(self, value: Any) -> Any:
        """Return the reference dtype in place of a requested one, if that is floating and narrower."""
        if value is None or isinstance(value, Array):
            return value
        try:
            if value not in self._requests:
                wide = self.node(dtypes.requested(value, "lens"))
                self._requests[value] = value if wide is None else wide.public
            return self._requests[value]
        except TypeError:  # it is no dtype
            return value

    def arguments(
        self, traits: Traits, known: Sequence[Any], kwargs: dict[str, Any], operand: Callable[[Array, Wide], Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of a call in the reference dtype."""
        args = [operand(x, self) if type(x) is Array and x._node.kind != "k" else self.widened(x, operand) for x in known]
        for i in traits.dtypes:
            args[i : i + 1] = map(self.request, known[i : i + 1])
        return args, {
            key: self.request(x) if key in _DTYPES else self.widened(x, operand) for key, x in kwargs.items()
        } if kwargs else {}

    def again(self, call: Call, known: Mapping[int, Buffer]) -> Any:
        """Return the result of a call in the reference dtype, of item assignment the array that it writes to.

        The reference values of some buffers are `known`.
        """

        def operand(x: Array, wide: Wide) -> Array:
            found = known.get(id(x._data))
            return widened(x, wide) if found is None else wrap(found, wide.node(x._node) or x._node.wide)

        args, kwargs = self.arguments(call.traits, call.args, call.kwargs, operand)
        if call.traits.writes:
            args[0] = wrap(args[0]._data.copy(), args[0]._node)
        result = call.function(*args, **kwargs)
        return args[0] if call.traits.kind == "setitem" else result


def widened(x: Array, wide: Wide) -> Array:
    """Return an array in the reference dtype."""
    node = wide.node(x._node) or x._node.wide  # narrow integers do not promote
    return wrap(cast(x._data, node), node)


class Later(list[Any]):
    """A reference that is computed where something needs it: a call of operands as they were, or of others of these.

    native/losses.c makes it, of what is known of the call, its arguments, those by name, and the reference if it is computed;
    the number of calls that follow each other, about how many bytes these have in memory, the number of elements, and whether
    each of them depends on one element of each operand.
    """

    __slots__ = ()

    @property
    def held(self) -> int:
        """About how many bytes it keeps in memory."""
        return self[5]

    @property
    def waits(self) -> bool:
        """Whether it is not computed yet."""
        return self[1] is not None

    @property
    def is_placed(self) -> bool:
        """Whether it is not computed yet, and each element depends on one element of each operand."""
        return self[7] and self[1] is not None

    def array(self) -> Array | None:
        """Return the reference; None if it cannot be computed. Those that it needs are computed before, not within, it."""
        waiting = [self]
        while waiting:
            last: Any = waiting[-1]
            needed = [part for part in last[1] or () if type(part) is Later and part.waits]
            waiting += needed
            if not needed and waiting.pop().waits:
                last[0][0].call(last._compute, *last[:2])
        return self[3]

    def _compute(self, call: Any, known: list[Any]) -> None:
        wide, traits, _, node, _ = call
        result = None
        try:
            made = np.asarray(buffer(self.made(wide.arguments(traits, known, {}, widened)[0])))
            result = wrap(np.ascontiguousarray(cast(made, node)).reshape(made.shape), node)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in the reference is no error of the program
            wide.unfollowed.setdefault(traits.name, f"{type(error).__name__}: {error}")
        self[1:6] = None, None, result, 0, 0 if result is None else result._data.nbytes

    def made(self, known: list[Any]) -> Any:
        """Return the result of the call of other arguments, in the reference dtype."""
        wide, traits, function, *_ = self[0]
        if not (self[2] or traits.dtypes):
            return function(*known)
        args, kwargs = wide.arguments(traits, known, self[2], widened)
        return function(*args, **kwargs)

    def sample(self, places: slice, found: dict[int, Any]) -> Any:
        """Return elements at some places, computed for these alone where each depends on one element of each operand.

        Those of other references are in `found`, and are put there.
        """
        waiting: list[Any] = [self]
        wide = self[0][0]
        while waiting:
            last, args = waiting[-1], []
            for x in last[1] if last.is_placed else ():
                if type(x) is Later and id(x) not in found:
                    waiting.append(x)
                    break
                args.append(found[id(x)] if type(x) is Later else picked(x, places, wide))
            else:
                found[id(waiting.pop())] = last.made(args) if last.is_placed else picked(last.array(), places, wide)
        return found[id(self)]


def picked(x: Any, places: slice, wide: Wide) -> Any:
    """Return an argument in the reference dtype: of an array with more elements than one, those at some places."""
    if type(x) is not Array:
        return x
    data = x._data if x._data.size == 1 else x._data.reshape(-1)[places]
    node = wide.node(x._node) or x._node.wide
    return wrap(cast(data, node, copy=True), node)


def _wider(real: dict[str, Node], node: Node) -> Node | None:
    wide = real.get(node.kind)
    return node.strong if wide is not None and wide.bits < node.bits else wide


def arrays_in(value: Any, depth: int = 0) -> Iterator[Array]:
    """Yield the arrays in an argument or a result, those in tuples, lists and dicts included."""
    if type(value) is Array:
        if value._node.kind != "k":
            yield value
    elif isinstance(value, tuple | list | dict) and depth < _DEEP:
        for one in value.values() if isinstance(value, dict) else value:
            yield from arrays_in(one, depth + 1)


def numbers_in(result: Any) -> list[Any]:
    """Return the arrays of a result, or the number that it is."""
    return [result] if type(result) in (bool, int, float, complex) else list(arrays_in(result))


def buffer(x: Any) -> Any:
    """Return the buffer of an array, and other objects as they are."""
    return x._data if type(x) is Array else x


def node_of(x: Any, call: Call) -> Node | None:
    """Return the node of a floating result; that of the operand if it is a Python number. None for others."""
    if type(x) is Array:
        return x._node
    if type(x) not in (float, complex):
        return None
    return next((one._node for one in call.arrays if one._node.kind in "fc"), None)
