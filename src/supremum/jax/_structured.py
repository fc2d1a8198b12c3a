"""Loops and choices as equations of programs, and what derivatives and `vmap` make of them.

The program of a step is transformed, so that a transformed loop is one equation too, whose length does not matter. Backward, a
loop stacks what the tape of a step needs, and a second loop carries cotangents through the steps in the other order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import compress
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

import supremum as xp
from supremum import Array
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum.jax._abstract import Abstract, Slot
from supremum.jax._batch_rules import is_batched, whole
from supremum.jax._batching import Batched, MappedAxis, axes_in_force, is_batch, with_node, within
from supremum.jax._bodies import made_of
from supremum.jax._copies import Copies
from supremum.jax._dual import NOTHING, Dual, Level, Marks, in_force, like, start_of, stripped, without_checks
from supremum.jax._programs import (
    ClosedJaxpr,
    Jaxpr,
    JaxprEqn,
    Literal,
    Opaque,
    Part,
    Ruled,
    Var,
    eval_jaxpr,
    program_of,
    refers,
)
from supremum.jax._traces import tracing
from supremum.jax._values import as_leaf, zeros_of
from supremum.jax.errors import ReverseError

_Call: TypeAlias = Callable[..., list[Any]]
#: What an operand or a result of a loop is: the same at all steps, carried from step to step, or one of the elements.
_CONSTANT, _CARRIED, _ELEMENT = range(3)
WHILE: Final = (
    "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with dynamic start/stop values. Try using "
    "lax.scan, or using fori_loop with static start/stop."
)


def is_recordable(*operands: Any) -> bool:
    """Return whether a loop or a choice of these operands can be one equation of the program that is recorded here."""
    trace = tracing()
    if trace is None or trace.recorder is None:
        return False
    inside = [x for x in operands if _is_inside(x, trace.level)]
    named = inside and any(axis.name is not None and axis.level > trace.level for axis in axes_in_force())
    return not named and all(type(x) is not Abstract or not x.within.ended for x in operands) and all(map(_is_known, inside))


def is_followed(*operands: Any) -> bool:
    """Return whether a loop of these operands, which no program has, can be transformed as they were, and run by programs."""
    inside = [x for x in operands if _is_inside(x, 0)]
    plain = state().programs and tracing() is None and all(axis.name is None for axis in axes_in_force())
    return bool(inside) and plain and all(map(_is_known, operands))


def _is_inside(x: Any, level: int) -> bool:
    """Return whether an operand is of a transformation within the program of a level."""
    return type(x) in (Dual, Batched) and x.__supremum_level__ > level


def _is_known(x: Any) -> bool:
    """Return whether programs can be transformed as an operand was."""
    if type(x) is Batched:
        return is_batch(x) and _is_known(x.value)
    if type(x) is not Dual:
        return type(x) is Array or (type(x) is Abstract and not x.within.ended)
    plain = x.level.memory is None or type(x.level) is Marks or isinstance(x.level.memory, Copies)
    return plain and _is_known(x.primal) and (x.level.tape is not None or _is_known(x.tangent))


# -- transformations of programs ----------------------------------------------------------------------------------------------


class _Same:
    """What changes nothing, except that functions with rules of their own are looked through.

    Attributes
    ----------
    keeps_rules : bool
        Whether calls of those stay what they are.
    doubles : bool
        Whether operands and results that move have tangents, which follow the others.
    key : object
        What programs that are transformed so depend on.
    """

    keeps_rules = False
    doubles = False
    key: Any = None

    def holds(self, _x: Any) -> bool:
        """Return whether an operand, or a result, is one of the transformation."""
        return False

    def inner(self) -> tuple[Any, Any]:
        """Return the transformation for the operands of a program, and a context for calls with them."""
        return self, NOTHING

    def lowered(self, x: Any, _moves: bool, _kind: int = _CARRIED) -> Any:
        """Return an operand of the transformed loop, or a result."""
        return x

    def like(self, x: Any, _moves: bool) -> Any:
        """Return what has the shape and the node of an operand of the transformed program."""
        return x

    def raised(self, found: list[Any], _moved: list[bool], _kinds: Sequence[int]) -> list[Any]:
        """Return operands of the transformation, given those of the transformed loop."""
        return found


class _Pushed(_Same):
    """A derivative forward."""

    keeps_rules = doubles = True

    def __init__(self, level: Level) -> None:
        self.level, self.key = level, ("pushed", level.tangents, level.kinds)

    def holds(self, x: Any) -> bool:
        return self.level.holds(x)

    def inner(self) -> tuple[Any, Any]:
        level = _within(self.level)
        return _Pushed(level), level

    def lowered(self, x: Any, _moves: bool, _kind: int = _CARRIED) -> Any:
        return stripped(self.level, x)

    def raised(self, found: list[Any], moved: list[bool], _kinds: Sequence[int]) -> list[Any]:
        tangents = iter(found[len(moved) :])
        return [Dual(self.level, x, like(next(tangents), x)) if yes else x for x, yes in zip(found, moved, strict=False)]


class _Mapped(_Same):
    """A `vmap`."""

    keeps_rules = True

    def __init__(self, axis: MappedAxis) -> None:
        self.axis, self.key = axis, ("mapped", axis.size)

    def inner(self) -> tuple[Any, Any]:
        axis = MappedAxis(None, self.axis.size, new_level())
        return _Mapped(axis), within(axis)

    def holds(self, x: Any) -> bool:
        return is_batched(self.axis, x)

    def lowered(self, x: Any, moves: bool, kind: int = _CARRIED) -> Any:
        found = whole(self.axis, x) if moves else x
        return xp.moveaxis(found, 1, 0) if moves and kind == _ELEMENT else found

    def like(self, x: Any, moves: bool) -> Any:
        return SimpleNamespace(shape=(self.axis.size, *x.shape), _node=x._node) if moves else x

    def raised(self, found: list[Any], moved: list[bool], kinds: Sequence[int]) -> list[Any]:
        values = [xp.moveaxis(x, 0, 1) if yes and k == _ELEMENT else x for x, yes, k in zip(found, moved, kinds, strict=True)]
        return [Batched(self.axis, x) if yes else x for x, yes in zip(values, moved, strict=True)]


def _within(level: Level) -> Level:
    """Return a level like another one, for the operands of a program."""
    return Level(taped=level.tape is not None, tangents=level.tangents, kinds=level.kinds)


def _doubled(how: Any, given: Sequence[Any], moving: Sequence[bool]) -> list[Any]:
    """Return what is given for each operand, followed by the same for its tangent."""
    return [*given, *(compress(given, moving) if how.doubles else ())]


def _with_tangents(how: Any, found: Sequence[Any], moved: Sequence[bool], kinds: Sequence[int] | None = None) -> list[Any]:
    """Return the operands of the transformed loop, given those of the transformation."""
    lowered = [how.lowered(x, yes, kind) for x, yes, kind in zip(found, moved, kinds or [_CARRIED] * len(moved), strict=True)]
    tangents = compress(found, moved) if how.doubles else ()
    return [*lowered, *[x.tangent if how.holds(x) else zeros_of(x) for x in tangents]]


def _transformed(how: Any, call: _Call, likes: Any, _kinds: Any, moving: list[bool], wanted: list[bool]) -> Any:
    """Return a transformed program, and which of its results move, the wanted ones at least; None if it is not recorded."""
    moved: list[bool] = []

    def body(_: Any, operands: list[Any]) -> list[Any]:
        inner, context = how.inner()
        with context:
            out = call(inner, *inner.raised(operands, moving, [_CARRIED] * len(moving)))
        moved[:] = [inner.holds(y) or yes for y, yes in zip(out, wanted, strict=True)]
        return _with_tangents(inner, out, moved)

    given = [how.like(x, yes) for x, yes in zip(likes, moving, strict=True)]
    part = program_of(body, _doubled(how, given, moving), keeps_rules=how.keeps_rules, part=True)
    return None if part is None else (part, moved)


class _Taped(NamedTuple):
    """The program of a step with a tape, and that which carries cotangents of its results back.

    Attributes
    ----------
    forward : Part
        Its results are followed by what `backward` needs.
    backward : ClosedJaxpr
        What it needs, sums to which it adds cotangents of constants, and cotangents of results that move are its arguments.
    needs : list of tuple
        Each of the first arguments: an operand from outside and -1, or None and the number of an operand, or of a result.
    """

    forward: Part
    backward: Any
    needs: list[tuple[Any, int]]

    @property
    def consts(self) -> list[Any]:
        """The operands from outside."""
        return [*self.forward.consts, *[x for x, place in self.needs if place < 0]]


def _taped(
    level: Level, call: _Call, likes: Any, kinds: list[int], moving: list[bool], wanted: list[bool], *, pulls: bool = True
) -> Any:
    """Return the programs forward and backward, and which results move, the wanted ones at least; None if not recorded.

    There is no program backward if no cotangents can be carried back, or if more is carried than is wanted. Results are
    numbered on from the operands.
    """
    moved: list[bool] = []
    needs: list[tuple[Any, int]] = []
    backward: list[Any] = [None]

    def forward(recorder: Any, operands: list[Any]) -> list[Any]:
        inner, starts = _within(level), list(map(start_of, operands))
        given = [Dual(inner, x, start) if yes else x for x, start, yes in zip(operands, starts, moving, strict=True)]
        with inner:
            out = call(*given)
        values = stripped(inner, out)
        moved[:] = [inner.holds(y) or yes for y, yes in zip(out, wanted, strict=True)]
        carried = iter(values)  # a carry that begins weak may be strong from the first step on, and so its cotangents
        own = [next(carried) if kind == _CARRIED else x for x, kind in zip(operands, kinds, strict=True)]
        ends = list(compress(zip(own, starts, kinds, strict=True), moving))

        def pulled(_: Any, cotangents: list[Any]) -> list[Any]:
            rest = iter(cotangents)
            for _x, start, kind in ends:
                start.cotangent = next(rest) if kind == _CONSTANT else None
            with without_checks():
                inner.backward(compress(out, moved), rest)
            return [zeros_of(x) if start.cotangent is None else like(start.cotangent, x) for x, start, _ in ends]

        first = [x for x, _, kind in ends if kind == _CONSTANT]
        if not pulls:
            return values
        try:
            part = program_of(pulled, [*first, *compress(values, moved)], keeps_rules=True)
        except ReverseError:
            return values
        if part is None or any(
            type(x) is not Abstract and refers(x, recorder.trace.level, recorder.trace) for x in part.consts
        ):
            recorder.fails = True
            return []
        places = {id(x): i for i, (x, kind) in enumerate(zip(operands, kinds, strict=True)) if kind != _CARRIED}
        for x in part.consts:
            if type(x) is not Abstract or x.within is not recorder.trace:
                needs.append((x, -1))
            elif id(x) in places:
                needs.append((None, places[id(x)]))
            else:
                needs.append((None, len(operands) + len(values)))
                values.append(x)
        backward[0] = part.jaxpr
        return values

    part = program_of(forward, likes, keeps_rules=True, part=True)
    return None if part is None else (_Taped(part, backward[0], needs), moved)


def _stable(closed: ClosedJaxpr, key: Any, make: Callable[..., Any], kinds: Sequence[int], count: int, own: list[bool]) -> Any:
    """Return what `make` makes of a program, and which operands and results move: what is carried does from the first step on.

    The results that are carried are the first ones. The items are None if it makes nothing.
    """
    carried = [i for i, kind in enumerate(kinds) if kind == _CARRIED]

    def made(moving: list[bool]) -> Any:
        found: Any = make(moving, [*[moving[i] for i in carried], *[False] * (count - len(carried))]) or (None, [])
        more = [i for i, yes in zip(carried, found[1], strict=False) if yes and not moving[i]]
        return made([yes or i in more for i, yes in enumerate(moving)]) if more else (found[0], moving, found[1])

    return made_of(closed, (key, *kinds, *own), lambda: made(own))


def _runs(closed: ClosedJaxpr) -> _Call:
    """Return the function that calls a program."""
    return partial(eval_jaxpr, closed.jaxpr, [])


def _likes(closed: ClosedJaxpr) -> list[Any]:
    """Return what has the shapes and nodes of the arguments of a program."""
    return [SimpleNamespace(shape=v.aval.shape, _node=v.node) for v in closed.jaxpr.invars]


def _described(x: Any) -> tuple[Any, Any]:
    """Return the shape and the node of a result of a program."""
    return x.aval.shape, as_leaf(x.val)._node if type(x) is Literal else x.node


def _ordered(closed: ClosedJaxpr, kinds: Sequence[int], outs: Sequence[int]) -> tuple[ClosedJaxpr, list[int], list[int]]:
    """Return a program with its arguments and results ordered by their kinds, and the orders."""

    def make() -> Any:
        first, last = (sorted(range(len(x)), key=x.__getitem__) for x in (kinds, outs))
        own = closed.jaxpr
        made = Jaxpr([], [own.invars[i] for i in first], [own.outvars[i] for i in last], own.eqns)
        return ClosedJaxpr(made, []), first, last

    return made_of(closed, ("ordered", *kinds, None, *outs), make)


def _steady(closed: ClosedJaxpr, kinds: Sequence[int], count: int) -> tuple[ClosedJaxpr, ClosedJaxpr, list[int]]:
    """Return a program of a step without results that constants alone make, the program of these, and where each result is.

    The first results stay.
    """
    own = closed.jaxpr
    moves = own.reached([kind != _CONSTANT for kind in kinds])
    flags = [i >= count and not yes for i, yes in enumerate(moves)]
    outvars = list(compress(own.outvars, flags))
    used, eqns = {*outvars}, []
    for eqn in reversed(own.eqns):  # but none for its effects alone, which each step has
        if not used.isdisjoint(eqn.outvars):
            eqns.append(eqn)
            used.update(eqn.invars)
    rest = [x for x, yes in zip(own.outvars, flags, strict=True) if not yes]
    first = [v for v, kind in zip(own.invars, kinds, strict=True) if kind == _CONSTANT]
    places = sorted(range(len(flags)), key=flags.__getitem__)
    return (
        ClosedJaxpr(Jaxpr([], own.invars, rest, own.eqns), []),
        ClosedJaxpr(Jaxpr([], first, outvars, eqns[::-1]), []),
        [places.index(i) for i in range(len(flags))],
    )


def _calls_in(params: dict[str, Any]) -> list[JaxprEqn]:
    """Return the calls of what is no function of the package in programs among parameters, and in programs within these."""
    programs = [p for x in params.values() for p in (x if type(x) is tuple else [x]) if type(p) is ClosedJaxpr]
    found = [eqn for closed in programs for eqn in closed.eqns if not hasattr(eqn.function, "kind")]
    return [*found, *[inner for eqn in found for inner in _calls_in(eqn.call[1])]]


# -- equations ----------------------------------------------------------------------------------------------------------------


class Structured(Opaque):
    """A primitive whose parameters are programs: a loop or a choice."""

    __slots__ = ()
    has_rules = multiple_results = True

    def __call__(self, *operands: Any, **params: Any) -> Any:
        """Record it where a program is recorded, or run it."""
        found = self.bound(operands, params)
        return self.function(*operands, **params) if found is NotImplemented else found

    bind: Any = __call__

    def bound(self, given: Sequence[Any], params: dict[str, Any]) -> Any:
        """Record or run it, transformed as its operands are, and return the results; NotImplemented if that cannot be."""
        operands = list(map(in_force, given))
        trace: Any = tracing()
        if not (is_recordable(*operands) if trace else is_followed(*operands)):
            return NotImplemented
        inside = [x for x in operands if _is_inside(x, trace.level if trace else 0)]
        calls = _calls_in(params)
        if not inside:
            if not trace.recorder.keeps_rules and any(type(eqn.function) is Ruled for eqn in calls):
                return self.transformed(_Same(), operands, params)
            return trace.recorder.call(self, operands, params, self.shapes(params))
        if not all(eqn.function.has_rules for eqn in calls):
            return NotImplemented  # a call of Python is shown, or its result is collected
        first = max(inside, key=lambda x: x.__supremum_level__)
        if type(first) is Batched:
            return self.transformed(_Mapped(first.axis), operands, params)
        if type(first.level) is Marks:
            flags = self.reached(params, list(map(first.level.holds, operands)))
            found = self(*stripped(first.level, operands), **params)
            return [first.level.of(y) if yes else y for y, yes in zip(found, flags, strict=True)]
        if first.level.tape is None:
            return self.transformed(_Pushed(first.level), operands, params)
        copies = first.level.copies  # of what is written to before cotangents are carried back
        return self.taped(first.level, copies(operands) if copies else operands, params)

    def trimmed(self, eqn: JaxprEqn, wanted: list[bool]) -> JaxprEqn | None:
        if not all(one.function.pure for one in _calls_in(eqn.params) if not isinstance(one.function, Structured)):
            return eqn
        if not any(wanted):
            return None
        invars, wanted, params = self.reduced(eqn.invars, wanted, eqn.params)
        return JaxprEqn(self, invars, list(compress(eqn.outvars, wanted)), (tuple(map(Slot, range(len(invars)))), params))

    def reduced(self, invars: list[Any], wanted: list[bool], params: Any) -> tuple[list[Any], list[bool], Any]:
        """Return the operands and parameters for some of the results, and which results there are."""
        return invars, [True] * len(wanted), params

    def reached(self, params: Any, flags: list[bool]) -> list[bool]:
        """Return which results depend on some of the operands."""
        return [any(flags)] * len(self.shapes(params))

    def shapes(self, params: Any) -> list[Any]:
        """Return the shapes and nodes of the results."""
        raise NotImplementedError

    def transformed(self, how: Any, operands: list[Any], params: Any) -> Any:
        """Return the results for operands of a transformation."""
        raise NotImplementedError

    def taped(self, level: Level, operands: list[Any], params: Any) -> Any:
        """Return the results for operands of a tape."""
        raise NotImplementedError


class Scan(Structured):
    """A loop with a number of steps."""

    __slots__ = ()

    def shapes(self, params: Any) -> list[Any]:
        found = list(map(_described, params["jaxpr"].jaxpr.outvars))
        number, length = params["num_carry"], params["length"]
        return [*found[:number], *[((length, *shape), node) for shape, node in found[number:]]]

    def reached(self, params: Any, flags: list[bool]) -> list[bool]:
        first, last = params["num_consts"], params["num_consts"] + params["num_carry"]
        while True:
            found = params["jaxpr"].jaxpr.reached(flags)
            carried = [a or b for a, b in zip(flags[first:last], found, strict=False)]
            if carried == flags[first:last]:
                return found
            flags[first:last] = carried

    def _kinds(self, params: Any) -> tuple[list[int], list[int]]:
        """Return the kinds of operands and results."""
        consts, carry, jaxpr = params["num_consts"], params["num_carry"], params["jaxpr"].jaxpr
        kinds = [_CONSTANT] * consts + [_CARRIED] * carry + [_ELEMENT] * (len(jaxpr.invars) - consts - carry)
        return kinds, [_CARRIED] * carry + [_ELEMENT] * (len(jaxpr.outvars) - carry)

    def _call(self, closed: Any, operands: Any, kinds: Any, outs: Any, length: int, reverse: bool) -> list[Any]:
        """Call a loop with operands and results of these kinds."""
        ordered, first, last = _ordered(closed, kinds, outs)
        sizes = {"num_carry": kinds.count(_CARRIED), "num_consts": kinds.count(_CONSTANT)}
        found = self(*[operands[i] for i in first], jaxpr=ordered, length=length, reverse=reverse, **sizes)
        places = dict(zip(last, found, strict=True))
        return [places[i] for i in range(len(outs))]

    def transformed(self, how: Any, operands: list[Any], params: Any) -> Any:
        closed, (kinds, outs) = params["jaxpr"], self._kinds(params)
        make = partial(_transformed, how, lambda _, *xs: _runs(closed)(*xs), _likes(closed), kinds)
        part, moving, moved = _stable(closed, how.key, make, kinds, len(outs), list(map(how.holds, operands)))
        if part is None:
            return NotImplemented
        given = [*part.consts, *_with_tangents(how, operands, moving, kinds)]
        kinds = [*[_CONSTANT] * len(part.consts), *_doubled(how, kinds, moving)]
        found = self._call(part.jaxpr, given, kinds, _doubled(how, outs, moved), params["length"], params["reverse"])
        return how.raised(found, moved, outs)

    def taped(self, level: Level, operands: list[Any], params: Any) -> Any:
        closed, (kinds, outs) = params["jaxpr"], self._kinds(params)
        length, reverse, own = params["length"], params["reverse"], list(map(level.holds, operands))
        make = partial(_taped, level, _runs(closed), _likes(closed), kinds)
        made, moving, moved = _stable(closed, (level.tangents, level.kinds), make, kinds, len(outs), own)
        if made is None:
            return NotImplemented
        forward, backward, needs = made
        values, count = stripped(level, operands), len(outs)
        kinds_of, given = [*[_CONSTANT] * len(forward.consts), *kinds], [*forward.consts, *values]
        program, steady, places = made_of(
            forward.jaxpr, ("steady", *kinds_of, count), lambda: _steady(forward.jaxpr, kinds_of, count)
        )
        fixed = _runs(steady)(*[x for x, kind in zip(given, kinds_of, strict=True) if kind == _CONSTANT])
        outs_of = [*outs, *[_ELEMENT] * (len(program.jaxpr.outvars) - count)]
        found = self._call(program, given, kinds_of, outs_of, length, reverse)
        results = [*zip(found, outs_of, strict=True), *[(x, _CONSTANT) for x in fixed]]
        known = [*zip(values, kinds, strict=True), *[results[i] for i in places]]

        def pull(cotangents: list[Any]) -> list[Any]:
            given = [(x, _CONSTANT) if place < 0 else known[place] for x, place in needs]
            given += [(zeros_of(x), _CARRIED) for x, kind in compress(known, moving) if kind == _CONSTANT]
            for (y, kind), ct in zip(compress(known[len(values) :], moved), cotangents, strict=True):
                if ct is None and kind == _ELEMENT:
                    given.append((with_node(xp.zeros(y.shape[1:], dtype=y.dtype), y._node), _CONSTANT))
                else:
                    given.append((zeros_of(y) if ct is None else like(ct, y), kind))
            back = [max(kind, _CARRIED) for kind in compress(kinds, moving)]
            cts = self._call(backward, [x for x, _ in given], [kind for _, kind in given], back, length, not reverse)
            return list(compress(cts, compress(own, moving)))

        return _joined(level, found[:count], moved, compress(operands, own), None if backward is None else pull)


def _joined(level: Level, ys: list[Any], moved: list[bool], operands: Iterable[Any], pull: Any) -> list[Any]:
    """Return results, of which those that move have cotangents; None carries none back."""
    if pull is None:
        return [level.refusing(y, ReverseError(WHILE)) if yes else y for y, yes in zip(ys, moved, strict=True)]
    found = iter(level.joint(list(compress(ys, moved)), list(operands), pull) if any(moved) else ())
    return [next(found) if yes else y for y, yes in zip(ys, moved, strict=True)]


class While(Structured):
    """A loop with a condition."""

    __slots__ = ()

    def shapes(self, params: Any) -> list[Any]:
        return list(map(_described, params["body_jaxpr"].jaxpr.outvars))

    def transformed(self, how: Any, operands: list[Any], params: Any) -> Any:
        test, body, first = params["cond_jaxpr"], params["body_jaxpr"], params["cond_nconsts"]
        last = first + params["body_nconsts"]
        kinds = [_CONSTANT] * last + [_CARRIED] * (len(operands) - last)

        def holds(xs: Sequence[Any]) -> Any:
            return _runs(test)(*xs[:first], *xs[last : len(operands)])[0]  # without tangents

        def step(inner: Any, *xs: Any) -> list[Any]:
            new = _runs(body)(*xs[first:])
            if type(how) is not _Mapped or not inner.holds(condition := holds(xs)):
                return new
            # Positions that are done keep their values.
            return [x if x is old else xp.where(condition, x, old) for x, old in zip(new, xs[last:], strict=True)]

        def any_holds(_: Any, xs: list[Any]) -> list[Any]:
            inner, context = how.inner()
            with context:
                found = holds(xs if how.doubles else inner.raised(xs, moving, [_CARRIED] * len(xs)))
            return [xp.any(found.value) if inner.holds(found) else found]

        likes = [*_likes(test)[:first], *_likes(body)]
        own = [how.holds(x) and not (how.doubles and i < first) for i, x in enumerate(operands)]
        make = partial(_transformed, how, step, likes, kinds)
        part, moving, moved = _stable(body, (how.key, test, first), make, kinds, len(body.jaxpr.outvars), own)
        if part is None:
            return NotImplemented
        given = _doubled(how, list(map(how.like, likes, moving)), moving)
        [again] = made_of(part.jaxpr, "test", lambda: [program_of(any_holds, given, keeps_rules=how.keeps_rules, part=True)])
        if again is None:
            return NotImplemented
        kinds_of = _doubled(how, kinds, moving)
        given = list(zip(_with_tangents(how, operands, moving), kinds_of, strict=True))
        consts, carry = ([x for x, kind in given if kind == wanted] for wanted in (_CONSTANT, _CARRIED))
        programs = [
            _ordered(one.jaxpr, [*[_CONSTANT] * len(one.consts), *kinds_of], [0] * len(one.jaxpr.out_avals))[0]
            for one in (again, part)
        ]
        found = self(
            *again.consts, *consts, *part.consts, *consts, *carry, cond_jaxpr=programs[0], body_jaxpr=programs[1],
            cond_nconsts=len(again.consts) + len(consts), body_nconsts=len(part.consts) + len(consts),
        )  # fmt: skip
        return how.raised(found, moved, [_CARRIED] * len(moved))

    def taped(self, level: Level, operands: list[Any], params: Any) -> Any:
        body, first = params["body_jaxpr"], params["cond_nconsts"]
        last = first + params["body_nconsts"]
        kinds = [_CONSTANT] * params["body_nconsts"] + [_CARRIED] * (len(operands) - last)
        make = partial(_taped, level, _runs(body), _likes(body), kinds, pulls=False)
        moving = list(map(level.holds, operands[first:]))
        made, _, moved = _stable(body, (level.tangents, level.kinds), make, kinds, len(body.jaxpr.outvars), moving)
        if made is None:
            return NotImplemented
        ys = _joined(level, self(*stripped(level, operands), **params), moved, (), None)
        own = zip(body.jaxpr.outvars, body.jaxpr.invars[params["body_nconsts"] :], strict=True)
        return [x if after is before else y for y, x, (after, before) in zip(ys, operands[last:], own, strict=True)]


class Choice(Structured):
    """A choice between programs."""

    __slots__ = ()

    def shapes(self, params: Any) -> list[Any]:
        return list(map(_described, params["branches"][0].jaxpr.outvars))

    def reduced(self, invars: list[Any], wanted: list[bool], params: Any) -> tuple[list[Any], list[bool], Any]:
        found = [one.jaxpr.trimmed(wanted) for one in params["branches"]]
        used = list(map(any, zip(*[flags for _, flags in found], strict=True)))
        for own, _ in found:
            own.invars = list(compress(own.invars, used))
        return list(compress(invars, [True, *used])), wanted, {"branches": tuple([ClosedJaxpr(own, []) for own, _ in found])}

    def reached(self, params: Any, flags: list[bool]) -> list[bool]:
        found = [one.jaxpr.reached(flags[1:]) for one in params["branches"]]
        return [flags[0] or any(column) for column in zip(*found, strict=True)]

    def _made(self, make: Callable[..., Any], branches: Sequence[ClosedJaxpr]) -> Any:
        """Return what is made of each branch, and which results move in any of them; None if one cannot be recorded."""
        wanted = [False] * len(branches[0].jaxpr.outvars)
        while True:
            found = [make(_runs(one), _likes(one), wanted) for one in branches]
            if None in found:
                return None
            moved = [any(column) for column in zip(*[each for _, each in found], strict=True)]
            if all(each == moved for _, each in found):
                return [one for one, _ in found], moved
            wanted = moved

    def transformed(self, how: Any, operands: list[Any], params: Any) -> Any:
        index, *values = operands
        moving = list(map(how.holds, values))
        if type(how) is _Mapped and how.holds(index):
            return NotImplemented
        made = self._made(
            lambda call, likes, wanted: _transformed(how, lambda _, *xs: call(*xs), likes, (), moving, wanted),
            params["branches"],
        )
        if made is None:
            return NotImplemented
        parts, moved = made
        consts = [x for part in parts for x in part.consts]
        branches = tuple([part.jaxpr.taking(consts, part.consts) for part in parts])
        found = self(how.lowered(index, False), *consts, *_with_tangents(how, values, moving), branches=branches)
        return how.raised(found, moved, [_CARRIED] * len(moved))

    def taped(self, level: Level, operands: list[Any], params: Any) -> Any:
        index, *values = stripped(level, operands)
        moving, kinds = list(map(level.holds, operands[1:])), [_ELEMENT] * len(values)
        made = self._made(lambda call, likes, wanted: _taped(level, call, likes, kinds, moving, wanted), params["branches"])
        if made is None:
            return NotImplemented
        parts, moved = made
        count = len(moved)
        slots: list[Any] = []  # what is kept: results of one type are in one place, whichever branch makes them
        taken = [_slots_of(slots, list(map(_described, part.forward.jaxpr.jaxpr.outvars[count:]))) for part in parts]
        zeros = [with_node(xp.zeros(shape, dtype=node.dtype), node) for shape, node in slots]
        consts = [*zeros, *[x for part in parts for x in part.forward.consts]]
        branches = []
        for part, places in zip(parts, taken, strict=True):
            own = part.forward.jaxpr.jaxpr
            fillers = [Var(x.aval, x._node) for x in zeros]
            kept = [own.outvars[count + places.index(i)] if i in places else x for i, x in enumerate(fillers)]
            whole = ClosedJaxpr(Jaxpr([], [*fillers, *own.invars], [*own.outvars[:count], *kept], own.eqns), [])
            branches.append(whole.taking(consts, [*zeros, *part.forward.consts]))
        found = self(index, *consts, *values, branches=tuple(branches))
        outside = [x for part in parts for x, place in part.needs if place < 0]
        number, tables = itertools.count(), []
        for part, places in zip(parts, taken, strict=True):
            own = [*range(len(values) + count), *[len(values) + count + i for i in places]]
            tables.append([next(number) if place < 0 else len(outside) + own[place] for _, place in part.needs])
        used = sorted({*itertools.chain(*tables)})
        known = [[*outside, *values, *found][i] for i in used]
        ys = list(compress(found, moved))

        def pull(cotangents: list[Any]) -> list[Any]:
            given = [*known, *[zeros_of(y) if ct is None else like(ct, y) for y, ct in zip(ys, cotangents, strict=True)]]
            backward = []
            for part, needs in zip(parts, tables, strict=True):
                invars, own = [Var(x.aval, x._node) for x in given], part.backward.jaxpr
                for at, variable in zip([*map(used.index, needs), *range(len(known), len(given))], own.invars, strict=True):
                    invars[at] = variable
                backward.append(ClosedJaxpr(Jaxpr([], invars, own.outvars, own.eqns), []))
            return self(index, *given, branches=tuple(backward))

        back = None if any(part.backward is None for part in parts) else pull
        return _joined(level, found[:count], moved, compress(operands[1:], moving), back)


def _slots_of(slots: list[Any], described: list[Any]) -> list[int]:
    """Return places for values of these shapes and nodes, of which some are added where there are too few."""
    found: list[int] = []
    for one in described:
        place = next((i for i, x in enumerate(slots) if x == one and i not in found), len(slots))
        slots[place : place + 1] = [one]
        found.append(place)
    return found
