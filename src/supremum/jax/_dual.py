"""Dual numbers: the operands of functions that are differentiated.

A `Dual` operand has a primal value, which is that of the function itself, and a tangent: an array in forward mode, a `Record`
of a tape in reverse mode. One rule serves both modes: for each operand of a call it has a factor, or a push, which carries a
tangent forward, and a pull, which carries a cotangent back. `_slopes` makes rules of the facts at the heads of functions.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial, reduce
from types import SimpleNamespace
from typing import Any, ClassVar, Final

import supremum as xp
from supremum import Array, config
from supremum._base.facts import facts_of
from supremum._core import engine
from supremum._core.engine import Record as Record, backward, hold_tapes, stripped as stripped
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum.jax import _batching as axes_of
from supremum.jax._batching import (
    Batched,
    MappedAxis,
    active,
    changed,
    each,
    in_batches,
    innermost_axis,
    with_arrays,
    with_node,
    without_objects,
)
from supremum.jax._traces import tracing
from supremum.jax._tree import ARRAYS
from supremum.jax._values import zeros_of
from supremum.jax.errors import ConcretizationTypeError, ReverseError, TracerArrayConversionError, escaped
from supremum.promotion._nodes import Node
from supremum.typing import Operand

#: A rule is called with the level, the function and its arguments.
Rule = Callable[["Level", Any, tuple[Any, ...], dict[str, Any]], Any]
#: How a result depends on an operand: the operand, a factor or a push, and a pull where that is not the factor.
Part = tuple["Dual", Any, Any]
SEQUENCES: Final = (list, tuple)
#: Finds the rule of a function: set by `_slopes`.
find: list[Callable[[Any], Rule]] = []


class _Hub(Record):
    """The record of a call with several results, whose cotangents are in a dictionary."""

    __slots__ = ("partial", "results")

    def __init__(self, parents: Sequence[tuple[Record, Any]], results: list[Any], *, partial: bool = False) -> None:
        super().__init__(parents)
        self.results = results
        #: Whether what carries back takes None for a result without a cotangent, in place of zeros.
        self.partial = partial

    def add(self, cotangent: Any, /) -> None:
        """Add cotangents of some of the results to those that it has: the first ones the engine sets."""
        self.cotangent.update(cotangent)

    def cotangents(self) -> list[Any]:
        """Return the cotangents of all results."""
        given = self.cotangent
        return [
            given[i] if i in given else None if y is None or self.partial else zeros_of(y) for i, y in enumerate(self.results)
        ]


class Still(Record):
    """The record of a value that does not move, which policies of `checkpoint` may keep."""

    __slots__ = ()

    def add(self, cotangent: Any, /) -> None:
        """Drop a cotangent."""


def start_of(x: Any) -> Record:
    """Return the record of a value that depends on no others."""
    return Record((), x.shape, x._node)


def moving_or_value(x: Any) -> Any:
    """Return the value of an operand that does not move, and others as they are."""
    return x.primal if type(x) is Dual and type(x.tangent) is Still else x


#: A context that changes nothing.
NOTHING: Final = nullcontext()


class Strong(partial[Any]):
    """A pull of which the cotangents are strong, those of weak operands too."""

    def __call__(self, /, *args: Any) -> Any:
        """Return the cotangent of the operand."""
        found = super().__call__(*map(strengthened, args))
        return with_node(found, found._node.strong)


def strengthened(x: Any) -> Any:
    """Return a weak operand of a derivative as a strong one, of which the cotangents stay strong."""
    if type(x) is not Dual or not x._node.weak:
        return x
    y = with_node(x.primal, x._node.strong)
    return x.level.result(y, [(x, lambda t: with_node(t, y._node), Strong(lambda ct: ct))])


class _Exact(partial[Any]):
    """A pull of which the cotangents have the shapes and nodes that it gives them."""


def is_differentiating() -> bool:
    """Return whether a function that is differentiated runs here."""
    return active.running > 0


def _escaped(_rule: Any) -> Rule:
    """Take the place of rules of a level whose derivative is computed."""

    def call(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise escaped(function.name, duals(level, (args, kwargs))[0])

    return call


@contextmanager
def swapping(swaps: dict[Any, Any]) -> Iterator[None]:
    """Have calls take other values in place of operands of levels."""
    before = active.swaps
    active.swaps = before | swaps
    hold_tapes(1)
    try:
        yield
    finally:
        active.swaps = before
        hold_tapes(-1)


class Level(engine.Level):
    """One derivative that is being computed; without a tape in forward mode.

    A level of `tangents` only records a linear function of them, to be carried back: rules of custom derivatives end there.
    The results that move with the operands are those of `kinds`: floating ones, or the integers of a linear function. The
    `memory` of results takes the place of rules: see `_checkpointing`. A function that is differentiated runs in a ``with``
    block of the level, after which its operands cannot be used. One in the `place` of another has its order among guests.
    """

    __slots__ = ()
    operand: ClassVar[type[Any]]

    def __init__(
        self, *, taped: bool, tangents: bool = False, kinds: str = "fc", memory: Any = None, place: Any = None
    ) -> None:
        self.memory, self.copies = memory, getattr(memory, "of", None)
        self.tangents = tangents
        self.kinds = kinds
        self.number = new_level()
        if place is not None:
            trace = tracing()  # of a program that is recorded later than the place, operands are within, if they can be
            if memory is not None or trace is None or trace.level < place.number:
                self.number = place.number
        self.tape = [] if taped else None

    def __enter__(self) -> None:
        active.running += 1

    def __exit__(self, *_: object) -> None:
        active.running -= 1
        self.memory, self.copies = _escaped, None

    def holds(self, x: Any) -> bool:
        """Return whether an operand is of this level."""
        return type(x) is Dual and x.level is self

    def moves(self, x: Any) -> bool:
        """Return whether a value may have a derivative."""
        return (type(x) in ARRAYS or isinstance(x, Array)) and x._node.kind in self.kinds

    def result(self, y: Any, parts: Sequence[Part], push: Callable[[], Any] | None = None) -> Any:
        """Return the result of a call that depends on operands; `push` computes the whole tangent, if it is given."""
        if not parts:
            return y
        if type(y) not in ARRAYS and isinstance(y, SEQUENCES):
            return self._results(y, parts, push)
        if not self.moves(y):
            return y
        if self.tape is None:
            tangent = push() if push else _total([pushed(x.tangent, how) for x, how, _ in parts])
            return Dual(self, y, like(tangent, y))
        return self.taped(y, [(x.tangent, pull or back(how, x.primal)) for x, how, pull in parts])

    def refusing(self, y: Any, error: Exception) -> Dual:
        """Return a result that carries no cotangents back, but raises an error."""

        def refuse(_cotangent: Any) -> Any:
            raise error

        return self.taped(y, [(Record(), refuse)])

    def scaled(self, y: Any, parents: Sequence[tuple[Any, Any]]) -> Dual:
        """Return a result of which the parents have factors, whole tangents in forward mode in place of records."""
        if self.tape is None:
            return Dual(self, y, like(_total([pushed(tangent, factor) for tangent, factor in parents]), y))
        return self.taped(y, parents)

    def joint(self, ys: Sequence[Any], operands: Sequence[Dual], pull: Callable[[list[Any]], Sequence[Any]]) -> list[Any]:
        """Return results of which the cotangents are carried back to all operands at once; None is for no cotangent.

        The cotangents of operands have the dtypes that `pull` gives them. It may call functions of the program, with what is
        swapped and mapped now. Results may be batches of an inner `vmap` that a closure refers to.
        """
        axis = innermost_axis(ys)
        if axis is not None and axis.level > self.number:
            return self._joint_of_batches(axis, ys, operands, pull)
        swaps, axes = active.swaps, axes_of.axes_in_force()
        moving = [y if self.moves(y) else None for y in ys]
        parents = [(x.tangent, _Exact(operator.itemgetter(i))) for i, x in enumerate(operands)]
        back = _Hub(parents, [x.primal for x in operands])
        self.tape.append(back)  # type: ignore[union-attr]  # in reverse mode

        def carried(cotangents: list[Any]) -> dict[int, Any]:
            for axis in axes:  # of mapped functions that are done
                axis.position = None if axis.position is axes_of.DONE else axis.position
            token = axes_of.enter(axes)
            try:
                with swapping(swaps) if swaps else NOTHING:
                    return {i: ct for i, ct in enumerate(pull(cotangents)) if ct is not None}
            finally:
                axes_of.leave(token)

        return self._shared(ys, _Hub([(back, carried)], moving, partial=True))

    def _joint_of_batches(
        self, axis: MappedAxis, ys: Sequence[Any], operands: Sequence[Dual], pull: Callable[[list[Any]], Sequence[Any]]
    ) -> list[Any]:  # fmt: skip
        batched = [type(y) is Batched and y.axis is axis for y in ys]

        def whole(cotangents: list[Any]) -> list[Any]:
            cts = [Batched(axis, ct) if flag and ct is not None else ct for ct, flag in zip(cotangents, batched, strict=True)]
            return [xp.sum(ct.value, 0) if type(ct) is Batched and ct.axis is axis else ct for ct in pull(cts)]

        found = self.joint([y.value if flag else y for y, flag in zip(ys, batched, strict=True)], operands, whole)
        return [Batched(axis, y) if flag else y for y, flag in zip(found, batched, strict=True)]

    def _shared(self, ys: Sequence[Any], hub: _Hub) -> list[Any]:
        """Return several results of one record."""
        self.tape.append(hub)  # type: ignore[union-attr]  # in reverse mode
        return [
            y if one is None else self.taped(y, [(hub, lambda cotangent, i=i: {i: cotangent})])
            for i, (y, one) in enumerate(zip(ys, hub.results, strict=True))
        ]

    def _results(self, ys: Any, parts: Sequence[Part], push: Callable[[], Any] | None) -> Any:
        """Return several results; those that are not floating are constants."""
        moving = [self.moves(y) for y in ys]
        if self.tape is None:
            tangents = push() if push else map(_total, zip(*[pushed(x.tangent, how) for x, how, _ in parts], strict=True))
            found = [Dual(self, y, like(t, y)) if yes else y for y, t, yes in zip(ys, tangents, moving, strict=True)]
        else:
            hub = _Hub(
                [(x.tangent, pull or back(how, x.primal)) for x, how, pull in parts],
                [y if yes else None for y, yes in zip(ys, moving, strict=True)],
                partial=all(pull is None and callable(how) for _, how, pull in parts),
            )
            found = self._shared(ys, hub)
        return rebuilt(ys, found)

    def backward(self, results: Iterable[Any], cotangents: Iterable[Any]) -> None:
        """Carry cotangents of results, which may be in batches, back to the records without parents; None is for none."""
        for result, seed in zip(results, cotangents, strict=True):
            y, ct = result, seed
            while type(y) is Batched:
                y, ct = y.value, ct.value if type(ct) is Batched and ct.axis is y.axis else ct
            if ct is not None and self.holds(y):
                y.tangent.add(like(ct, y.primal))
        backward(self.tape or [], _fit, times)


def _fit(found: Any, parent: Record, pull: Any, record: Record, cotangent: Any) -> Any:
    """Return what was carried back to a parent in its shape and its node."""
    kind = type(pull)
    if kind is _Exact or (found._node is parent.node and found.shape == parent.shape):
        return found
    if not parent.shape and found._node is parent.node.strong is parent.node:  # of a number
        return xp.sum(found)
    # Of a weak result no operand was converted, and strong cotangents stay strong.
    strong = kind is Strong or (record.node is not None and record.node.weak and not cotangent._node.weak)
    return fitted(found, parent.shape, parent.node, strong)


class Marks(Level):
    """Marks of what depends on the elements of operands, which have no derivatives."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(taped=True, tangents=True, memory=lambda _: Marks.call)

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Take the place of rules."""
        found = function(*stripped(self, args), **stripped(self, kwargs))
        return found if facts_of(function).constant == "shapes" else each(self.of, found)

    def of(self, x: Any) -> Any:
        """Return an array with the mark, and other values as they are."""
        return Dual(self, x, None) if isinstance(x, Array) and not self.holds(x) else x

    def on(self, x: Any) -> bool:
        """Return whether a value, which may be one of other derivatives and of `vmap`, has the mark."""
        while type(x) in (Dual, Batched) and not self.holds(x):
            x = x.primal if type(x) is Dual else x.value
        return self.holds(x)


def pushed(tangent: Any, how: Any) -> Any:
    """Carry a tangent forward by a factor or a push."""
    return how(tangent) if callable(how) else tangent if type(how) is int and how == 1 else times(tangent, how)


def times(tangent: Any, factor: Any) -> Any:
    """Return the product of a tangent and a factor: truth values and 0 select, as NaN and infinity do not pass there."""
    selects = not factor if type(factor) is int else isinstance(factor, Array) and factor._node.kind == "b"
    return xp.where(factor, tangent, 0) if selects else tangent * factor


def _total(tangents: Iterable[Any]) -> Any:
    """Add tangents."""
    return reduce(operator.add, tangents)


def back(how: Any, primal: Any) -> Any:
    """Return what carries a cotangent back where there is no pull: the factor, or the push transposed by taping it."""
    return transposed(how, primal) if callable(how) else how


def transposed(push: Callable[[Any], Any], primal: Any) -> Callable[[Any], Any]:
    """Return the pull of a push, which is linear."""

    def pull(cotangent: Any) -> Any:
        level, start = Level(taped=True), start_of(primal)
        found = push(Dual(level, zeros_of(primal), start))
        results = found if isinstance(found, SEQUENCES) else [found]
        cotangents = cotangent if isinstance(found, SEQUENCES) else [cotangent]
        level.backward(results, cotangents)
        return zeros_of(primal) if start.cotangent is None else start.cotangent

    return pull


def rebuilt(ys: Any, found: list[Any]) -> Any:
    """Return results as the list, tuple or named tuple that a function returns."""
    return type(ys)(*found) if hasattr(ys, "_fields") else type(ys)(found)


def differentiable(x: Any) -> bool:
    """Return whether a value is an array of floating-point numbers."""
    return (type(x) in ARRAYS or isinstance(x, Array)) and x._node.kind in "fc"


def like(tangent: Any, y: Any) -> Any:
    """Return a tangent, broadcast and cast as its primal value."""
    if type(tangent) not in ARRAYS and not isinstance(tangent, Array):
        tangent = xp.asarray(tangent)
    if tangent.shape != y.shape:
        tangent = xp.broadcast_to(tangent, y.shape)
    mine, node = tangent._node, y._node
    return tangent if mine is node or mine is node.strong else as_node(tangent, node)


def fitted(cotangent: Any, wanted: tuple[int, ...], node: Node, strong: bool) -> Any:
    """Return a cotangent, summed over the axes along which its operand was broadcast, and cast; it may be strong."""
    given = cotangent.shape
    if given != wanted:
        more = len(given) - len(wanted)
        axes = (*range(more), *[i for i, n in enumerate(wanted, more) if n == 1 != given[i]])
        cotangent = xp.sum(cotangent, axis=axes, keepdims=not more) if axes else xp.broadcast_to(cotangent, wanted)
        if more and cotangent.shape != wanted:
            cotangent = xp.reshape(cotangent, wanted)
    return cotangent if strong and cotangent._node is node.strong else as_node(cotangent, node)


def as_node(x: Any, node: Node) -> Any:
    """Cast to a node; of complex numbers, take the real part for a real one."""
    mine = x._node
    if mine is node:
        return x
    if mine.kind == "c" != node.kind:
        x = xp.real(x)
    return with_node(x, node)


class Instead:
    """What is called in place of a function, with the facts of that."""

    __slots__ = ("_call", "_function")

    def __init__(self, function: Any, call: Callable[..., Any]) -> None:
        self._function, self._call = function, call

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(*args, **kwargs)


def _with_settings(settings: dict[str, Any], function: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function as the program calls it: with the checks of its operands, without which rules compute."""
    with config.use(**settings):
        return function(*args, **kwargs)


def without_checks() -> AbstractContextManager[None]:
    """Return a context in which operands promote in dtype and rank, whatever JAX's settings refuse to the program."""
    current = state()
    if not current.strict:
        return NOTHING
    return config.use(
        jax_numpy_rank_promotion="allow", **({"promotion": "jax"} if current.promotion.name == "jax_strict" else {})
    )


class Dual(engine.Dual, Operand):  # type: ignore[misc]  # both have slots
    """An operand with a tangent.

    Attributes
    ----------
    level : Level
        The derivative.
    primal : Array or other operand
        The value.
    tangent : Array, other operand or Record
        In forward mode the tangent, in reverse mode the record of the value.
    """

    __slots__ = ()

    def __supremum_function__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        if active.swaps:
            if (taker := active.swaps.get(None)) is not None:
                found = taker(function, args, kwargs)
                if found is not NotImplemented:
                    return found
            given, words = changed(_exchanged, args), changed(_exchanged, kwargs)
            if given is not args or words is not kwargs:
                return function(*given, **words)
        level = self.level
        rule = _rules.get(function)
        if rule is None:
            rule = _rules[function] = find[0](function)
        if level.memory is not None:
            rule = level.memory(rule)
        current = state()
        if current.takes_lists and (arrays := with_arrays(function, args, kwargs)) is not None:
            return function(*arrays[0], **arrays[1])
        try:
            if not current.strict:
                return rule(level, function, args, kwargs)
            with without_checks():
                checks = {"jax_numpy_rank_promotion": current.ranks, "promotion": current.promotion}
                return rule(level, Instead(function, partial(_with_settings, checks, function)), args, kwargs)
        except TracerArrayConversionError:
            if (given := without_objects(self, args, kwargs)) is None:
                raise
            args, kwargs = given
        except (AttributeError, RecursionError, TypeError):
            if with_arrays(function, args, kwargs) is None:
                raise
            args, kwargs = stripped(level, args), stripped(level, kwargs)  # to be refused
        return function(*args, **kwargs)

    @property
    def _trace(self) -> Any:
        """What JAX's tracers have: libraries compare its attribute `main` with that of an interpreter."""
        return SimpleNamespace(main=self.level)

    def __repr__(self) -> str:
        return f"Dual({self.primal!r})"

    def concrete(self, need: str, error: type[Exception], /) -> Any:
        """Return the primal value: its truth or integer may decide what a program does, but its elements are not constants."""
        if error is TracerArrayConversionError or need.startswith(("float(", "complex(", "x.tolist", "x.tobytes", "a pickle")):
            raise (TracerArrayConversionError if error is TracerArrayConversionError else ConcretizationTypeError)(
                f"{need}, which would lose its derivative: {self.primal.dtype}{list(self.primal.shape)} is differentiated; "
                "use functions of jax.numpy, or jax.lax.stop_gradient(x) where no derivative is wanted"
            )
        if type(self.level) is Marks:
            raise error(f"{need}, but a rule that is carried back may not depend on the elements of tangents")
        return self.primal

    def __format__(self, spec: str) -> str:
        return format(self.primal, spec)


def forward_alone(x: Any, message: str) -> Any:
    """Return a value that can be differentiated forward, and backward raises ValueError."""
    if type(x) is Batched:
        return Batched(x.axis, forward_alone(x.value, message))
    if type(x) is not Dual:
        return x
    primal = forward_alone(x.primal, message)
    if x.level.tape is None:
        return Dual(x.level, primal, forward_alone(x.tangent, message))
    return x.level.refusing(primal, ReverseError(message))


Level.operand = Dual
ARRAYS.add(Dual)
_rules: Final[dict[Any, Rule]] = {}


# -- arguments ----------------------------------------------------------------------------------------------------------------


def duals(level: Level | None, x: Any) -> list[Dual]:
    """Return the operands of a level, or of all, among arguments, each once."""
    found: dict[int, Dual] = {}

    def visit(x: Any) -> None:
        if type(x) is Dual and (level is None or x.level is level):
            found.setdefault(id(x), x)

    each(visit, x)
    return list(found.values())


def _still(x: Any) -> Any:
    """Return the value of an operand, also of one in batches."""
    return in_batches(lambda y: _still(y.primal) if type(y) is Dual and type(y.level) is not Marks else y, x)


class _Guard:
    """What takes over the calls of a branch, of which operands of outside have cotangents only where it is taken.

    Slopes that are infinite elsewhere would make these NaN.
    """

    def __init__(self, taken: Any) -> None:
        self._taken = taken
        self._level = new_level()
        self._outer = active.swaps.get(None)
        self._ends: dict[Level, int] = {}
        self._inside: set[int] = set()
        self._found: dict[Any, tuple[Any, Any]] = {}

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function."""
        with swapping({None: self._outer}):
            return function(*changed(self.guarded, args), **changed(self.guarded, kwargs))

    def guarded(self, x: Any) -> Any:
        """Return an operand with cotangents where the branch is taken."""
        inner = x
        axes = []  # of which an operand has others within a `vmap` of the branch
        while type(inner) is Batched:
            axes.append(inner.axis)
            inner = inner.value
        if type(inner) is not Dual or inner.level.tape is None or inner.level.number > self._level:
            return x
        tape = inner.level.tape
        self._inside.update(map(id, tape[self._ends.setdefault(inner.level, len(tape)) :]))
        self._ends[inner.level] = len(tape)
        record = inner.tangent
        if id(record) in self._inside:
            return x
        key = (id(record), *axes)
        if key not in self._found:
            space: Any = xp  # tangents of rules have no rule for it
            still = _still if inner.level.tangents else space.jax.lax.stop_gradient
            self._found[key] = record, xp.where(self._taken, x, still(x))
        return self._found[key][1]


def guarded(taken: Callable[[], Any]) -> AbstractContextManager[None]:
    """Return a context for a branch, whose cotangents go back where it is taken."""
    return swapping({None: _Guard(taken())}) if active.running else NOTHING


def _exchanged(x: Any) -> Any:
    """Replace operands for which others are swapped, also in batches."""
    if type(x) is Batched:
        return in_batches(_exchanged, x)
    return active.swaps[x.level](x) if type(x) is Dual and x.level in active.swaps else x


def in_force(x: Any) -> Any:
    """Return an operand as calls take it here."""
    taker: Any = active.swaps.get(None)
    return _exchanged(taker.guarded(x) if type(taker) is _Guard else x)


def replaced(x: Any, values: dict[int, Any], other: Callable[[Any], Any]) -> Any:
    """Replace operands by other values, by their identities, and all other leaves by what a function makes of them."""
    return each(lambda one: values[id(one)] if type(one) is Dual and id(one) in values else other(one), x)
