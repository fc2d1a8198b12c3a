"""Recorded programs made into programs of the engine, which run without Python between their equations.

The engine computes an equation by itself if it is elementwise, or if it only moves elements: which ones go where is found by
calling the function with the numbers of elements in place of them. All others are calls of functions. Values up to a size
have their elements in one block of memory, in which values that are not needed any longer make place for others.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.at import FAST, UPDATES
from supremum._array.operand import CALLS
from supremum._base.facts import facts_of, operands_of, original_of
from supremum._core import engine
from supremum._core.array import wrap
from supremum.jax._abstract import Slot, filled, has_slot, key_of
from supremum.jax._batch_rules import defaults_of
from supremum.jax._moves import REFUSE, Positions, kept, moved, of_one, windowed
from supremum.jax._program_folds import folded, multiplied, turning, zeros
from supremum.jax._program_steps import Memory, Step, copied, nested, one_result, with_chains, without_defaults
from supremum.jax._programs import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, Opaque, Var, program_of
from supremum.jax._structured import Choice, Scan, Structured, While
from supremum.jax._values import as_leaf
from supremum.promotion._nodes import NODES, PYTHON_SCALARS, Node

#: The most bytes of a value that the engine computes itself; for more, a call takes little of the time.
_LARGEST: Final = 1 << 16


def _update(name: str) -> Any:
    def call(x: Any, index: Any, values: Any, **options: Any) -> Any:
        return getattr(x.at[index], name)(values, **options)

    return call


#: What is quicker than the function that guests see.
_QUICK: Final[dict[Any, Any]] = {
    CALLS["getitem"]: operator.getitem,
    **{function: _update(name) for name, function in UPDATES.items()},
}
#: Updates that compute, and the functions that they compute by.
_COMBINING: Final = {UPDATES[name]: function for name, function in FAST.items()}
#: The function that changes no bits, as which a cast runs.
_POSITIVE: Final[Any] = xp.positive
_NOT_EQUAL: Final[Any] = xp.not_equal
#: The nodes of integers that the engine takes as positions.
_POSITIONS: Final = [NODES[name] for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")]
#: The types of what is in the index of one window.
_SINGLE: Final = {int, slice, type(None), type(Ellipsis), Slot}


def _spread(x: Any, shape: tuple[int, ...]) -> Any:
    return copied(xp.broadcast_to(x, shape), x._node)


class Compiler:
    """Slots and steps of a program that is being made.

    Parameters
    ----------
    loose : iterable of int
        The slots that are known to have elements in another order than C's.
    part : bool
        Whether the program is a step of another one.

    Attributes
    ----------
    constants : list of Array
        The arrays of the program, which are its first operands.
    loose : tuple of int
        The slots that were said to be so.
    """

    def __init__(self, loose: Iterable[int] = (), *, part: bool = False) -> None:
        self.constants: list[Array] = []
        self.loose = tuple(loose)
        self.part = part
        #: Whether a carry of a loop begins weak, and is strong after a step.
        self.weak = False
        self._constant_slots: list[int] = []
        self._nodes: list[Node] = []
        self._shapes: list[tuple[int, ...]] = []
        self._steps: list[Step] = []
        #: For slots whose elements are those of another slot, that slot and the first element.
        self._aliases: dict[int, tuple[int, int]] = {}
        #: Slots whose elements may lie in another order than C's.
        self._loose = set(loose)
        #: For those of rows of another array, slots with their elements in C's order.
        self._rows: dict[int, int] = {}
        #: Slots of constants, and the values of those that are known.
        self._fixed: set[int] = set()
        self._values: dict[int, Array] = {}
        #: For slots of transposed matrices, that of the matrix.
        self._turned: dict[int, int] = {}
        #: For slots of broadcast arrays, that of the array.
        self._broadcasts: dict[int, int] = {}
        self._numbers: dict[Any, int] = {}

    def slot(self, node: Node, shape: tuple[int, ...]) -> int:
        """Return a new slot."""
        self._nodes.append(node)
        self._shapes.append(shape)
        return len(self._nodes) - 1

    def bind(
        self,
        variables: Sequence[Any],
        loose: Sequence[bool] = (),
        constants: int = 0,
        slots: Sequence[int] | None = None,
        values: Sequence[Array] = (),
    ) -> list[int]:
        """Return new slots for variables, or have these slots be theirs.

        Of the first it is said whether their elements lie in another order than C's; some are constants, with values.
        """
        found = [self.slot(v.node, v.aval.shape) for v in variables] if slots is None else list(slots)
        self._loose.update([slot for slot, yes in zip(found, loose, strict=False) if yes])
        self._numbers.update(zip(variables, found, strict=True))
        self._fixed.update(found[:constants])
        self._values.update(zip(found, values, strict=False))
        return found

    def add(self, jaxpr: Jaxpr) -> list[int]:
        """Add the equations of a program whose arguments are bound, and return the slots of its results."""
        results = {x for x in jaxpr.outvars if type(x) is not Literal}
        first = len(self._steps)
        for equation in jaxpr.eqns:
            self._add(equation, results)
        found = [self._of(x) for x in jaxpr.outvars]
        self._drop(first, set(found))
        self._steps[first:] = with_chains(self, self._steps[first:], set(found))
        return found

    def _drop(self, first: int, used: set[int]) -> None:
        """Drop steps of which no result is used, and which raise no errors: the engine computes them, or they broadcast."""
        kept: list[Step] = []
        for step in reversed(self._steps[first:]):
            raises = not step.known and not getattr(step.function, "pure", False)
            if raises or not used.isdisjoint(step.outs):
                kept.append(step)
                used.update(step.reads)
        self._steps[first:] = reversed(kept)

    def _of(self, x: Any) -> int:
        """Return the slot of a variable or of a literal that is an array."""
        return self.constant(as_leaf(x.val)) if type(x) is Literal else self._numbers[x]

    def constant(self, array: Array) -> int:
        """Return the slot of an array of the program."""
        if 0 in array._data.strides:  # of one that is broadcast, each element has a place
            array = wrap(np.ascontiguousarray(array._data), array._node)
        self.constants.append(array)
        slot = self.slot(array._node, array.shape)
        self._constant_slots.append(slot)
        self._values[slot] = array
        self._fixed.add(slot)
        return slot

    def _add(self, equation: JaxprEqn, results: set[Any]) -> None:
        if isinstance(equation.function, Opaque):
            equation.function.check()
        given = [x.val if type(x) is Literal and type(x.val) in PYTHON_SCALARS else Slot(self._of(x)) for x in equation.invars]
        # Of integers, functions make the same in whichever order they lie.
        given = [Slot(self._rows.get(x, x)) if type(x) is Slot and self._nodes[x].kind in "iub" else x for x in given]
        slots = [x for x in given if type(x) is Slot]
        inner, facts = results.isdisjoint(equation.outvars), facts_of(equation.function)
        small, single = self._bytes(*slots) <= _LARGEST, len(equation.outvars) == 1
        if facts.constant == "shapes" and inner and small and single and self._fold(equation, given):
            return
        if facts.casts and inner and len(given) == len(slots) == 1 and self._is_like(slots[0], equation.outvars):
            self._numbers[equation.outvars[0]] = slots[0]  # arrays of a program are not written to
            return
        if self._parts(equation, given, results):
            return
        if equation.function in _COMBINING and self._combined(equation, given, results):
            return
        outs = tuple([self.slot(v.node, v.aval.shape) for v in equation.outvars])
        self._numbers.update(zip(equation.outvars, outs, strict=True))
        small = small and self._bytes(*outs) <= _LARGEST
        dtypes = {self._nodes[x].dtype for x in (*slots, *outs)}
        moves = facts.moving or equation.function is CALLS["at_get"]  # which may fill, as calls show
        moves = moves or (facts.casts and len(dtypes) == 1 and type(next(iter(equation.call[0]), None)) in (list, tuple))
        if moves and facts.casts:
            equation = self._whole(equation, given, outs[0])
            slots = [x for x in given if type(x) is Slot]
        if isinstance(equation.function, Structured) and small and self._inner(equation, given, outs):
            return
        elementwise = getattr(equation.function, "kind", "") == "elementwise" and single
        if equation.function is xp.broadcast_to and len(slots) == 1:
            self._broadcasts[outs[0]] = self._broadcasts.get(slots[0], slots[0])
        elif elementwise and small:
            given = self._narrowed([Slot(self._rows.get(x, x)) if type(x) is Slot else x for x in given], outs[0])
            slots = [x for x in given if type(x) is Slot]
        how: Any = None
        plan: Any = None
        if single and small and len(slots) == len(given) and self._folds(equation, slots, outs[0]):
            return
        if self._loose.intersection(slots):
            if facts.moving or elementwise:  # new arrays of one axis are contiguous, views may not be
                self._loose.update([out for out in outs if len(self._shapes[out]) > (not facts.moving)])
        elif small and moves:
            self._move(equation, given, outs, inner=inner)
            return
        elif small and single:
            how = self._plan(equation, given)
            if equation.function is xp.where and self._selection(given, outs[0]):
                how = True
            elif self._is_cast(facts, given, slots, outs[0]):
                how = engine.plan(_POSITIVE.operation, zeros(self._nodes[outs[0]], ()))  # which changes no bits
        elif single and not facts.moving:
            plan = self._plan(equation, given)
        step = self._step(equation, given, outs, how)
        step.plan = plan
        self._steps.append(step)

    def _move(self, equation: JaxprEqn, given: list[Any], outs: tuple[int, ...], *, inner: bool) -> None:
        """Add a call that moves elements, as moves where that is known and the results lie in C's order."""
        if self._window(equation, given, outs):
            return
        found = self._moves(equation, given, outs)
        moves = all(runs and layout == "C" for runs, layout in found)
        if not moves:
            step = self._step(equation, given, outs, None)
            step.known |= all(runs for runs, _ in found)
            self._steps.append(step)
            self._loose.update([out for out, (_, layout) in zip(outs, found, strict=True) if layout != "C"])
        for number, (out, (runs, layout)) in enumerate(zip(outs, found, strict=True)):
            if moves and inner and len(runs) == 1 and runs[0][2] == 1:
                self._aliases[out] = runs[0][:2]
            elif not moves and (not runs or layout not in ("rows", "strided" if self._nodes[out].kind in "iub" else "")):
                if layout == "turned" and self._shapes[runs[0][0]] == self._shapes[out][::-1]:
                    self._turned[out] = runs[0][0]
                continue
            elif not moves:
                self._rows[out] = self.slot(*self.described(out))
            step = self._step(equation, given, (self._rows.get(out, out),), (() if out in self._aliases else runs,))
            filler = tuple({run[0] for run in runs}.difference(step.reads))
            step.function = partial(one_result, step.function, number, len(filler))
            step.places = (*enumerate(filler), *[(i + len(filler), slot) for i, slot in step.places])
            step.args = (*(None for _ in filler), *step.args)
            self._steps.append(step)

    def _whole(self, equation: JaxprEqn, given: list[Any], out: int) -> JaxprEqn:
        """Return the call of a function of a list of operands and numbers, which become constants."""

        def found(x: Any) -> Any:
            if type(x) in (list, tuple):
                return [found(item) for item in x]
            if type(x) not in PYTHON_SCALARS:
                return x
            given.append(Slot(self.constant(xp.asarray(x, dtype=self._nodes[out].dtype))))
            return Slot(len(given) - 1)

        (first, *rest), options = equation.call
        return JaxprEqn(equation.function, equation.invars, equation.outvars, ((found(first), *rest), options))

    def _folds(self, equation: JaxprEqn, slots: list[Any], out: int) -> bool:
        """Add a reduction or a product that the engine computes itself; return whether it is one."""
        own = [int(x) for x in slots]
        steps = []
        if product := multiplied(self, equation, own, out, self._turned):
            how, own, turned = product
            steps = [self._step(equation, [*map(Slot, own)], (out,), how)]
            if any(turned):
                steps[0].function = partial(turning, steps[0].function, turned)
        if self._loose.intersection(own):
            return False
        if len(own) == 1:
            steps = folded(self, equation, own[0], out)
        self._steps += steps
        return bool(steps)

    def _window(self, equation: JaxprEqn, given: list[Any], outs: tuple[int, ...]) -> bool:
        """Add a call that reads a window at computed positions, or writes to one; return whether it is one."""
        call = dict(zip(defaults_of(equation.function), equation.call[0], strict=False)) | equation.call[1]
        arrays = [x for name in operands_of(equation.function) if type(x := call.get(name)) is Slot]
        if arrays[:1] != [0] or len(arrays) > 2 or type(given[0]) is not Slot:
            return False
        like: list[Any] = []
        for i, x in enumerate(given):
            if i in arrays:
                like.append(self._shapes[x] if type(x) is Slot else ())
                if type(x) is Slot and self._nodes[x].dtype != self._nodes[outs[0]].dtype:
                    return False
            elif type(x) is not Slot or x in self._values:
                like.append(self._values[x] if type(x) is Slot else x)
            elif self._nodes[x].strong not in _POSITIONS:
                return False
            else:
                like.append(Positions(*self.described(x)))
        writes = len(arrays) > 1
        several = {x.shape for x in like if type(x) is Positions and x.shape}
        if len(several) > (equation.function is not CALLS["getitem"]):  # which a call does as fast
            return False
        if Positions not in map(type, like) or (writes and self.described(given[0]) != self.described(outs[0])):
            return False
        found: Any = kept(equation, like, lambda: windowed(equation, like, writes, self._shapes[outs[0]]))
        if not found:
            return False
        runs, positions = found
        if writes:
            outs = (self._copy(given[0], self._nodes[given[0]]),)
            self._steps[-1].primitive = copied
            self._numbers[equation.outvars[0]] = outs[0]
            given = [Slot(outs[0]), *given[1:]]
            if type(given[arrays[1]]) is not Slot:
                values = [x if type(x) is not Positions else zeros(*x) for x in [zeros(*self.described(outs[0])), *like[1:]]]
                values[arrays[1]] = given[arrays[1]]
                out = equation.function(*filled(equation.call[0], values), **filled(equation.call[1], values))
                given[arrays[1]] = Slot(self.constant(wrap(out._data.reshape(-1)[runs[0][4]], out._node)))
        runs, positions = [tuple([(int(given[i]), *row) for i, *row in rows]) for rows in found]
        step = self._step(equation, given, outs, (runs, positions, writes))
        step.known = all(row[-1] != -REFUSE for row in positions)
        self._steps.append(step)
        return True

    def _selection(self, given: list[Any], out: int) -> bool:
        """Return whether the engine selects elements by a condition itself, with numbers made arrays."""
        node, shape = self.described(out)
        if (
            type(given[0]) is Slot
            and (of := self._nodes[given[0]]).kind in "iuf"
            and of.dtype is not None
            and of.dtype.isbuiltin
        ):
            holds, zero = Slot(self.slot(NODES["bool"], self._shapes[given[0]])), self.constant(zeros(of, ()))
            plan = engine.plan(_NOT_EQUAL.operation, zeros(of, ()), zeros(of, ()))
            places = (0, int(given[0])), (1, zero)
            self._steps.append(Step(_NOT_EQUAL, (None, None), None, places, (int(holds),), plan))
            given[0] = holds
        like = [self.described(x) if type(x) is Slot else (node, shape) for x in given]
        if len(like) != 3 or like[0][0] is not NODES["bool"] or node.dtype is None or not math.prod(shape):
            return False
        wide = [None if one == shape or math.prod(one) == 1 else np.arange(math.prod(one)).reshape(one) for _, one in like]
        rows = [x if x is None else of_one(np.broadcast_to(x, shape)) for x in wide]
        if () in rows or any(x.dtype != node.dtype for x, _ in like[1:]):
            return False
        for i, (x, runs) in enumerate(zip(given, rows, strict=True)):
            if type(x) is not Slot:
                given[i] = Slot(self.constant(wrap(xp.asarray(x, dtype=node.dtype)._data, node)))
            elif runs:  # each element has a place
                given[i] = Slot(self.slot(like[i][0], shape))
                moves = (tuple([(int(x), *run) for run in runs]),)
                self._steps.append(Step(_spread, (None, shape), None, ((0, int(x)),), (int(given[i]),), moves))
        return True

    def _fold(self, equation: JaxprEqn, given: list[Any]) -> bool:
        """Call a function whose result depends on shapes and dtypes alone, and keep what it returns; return whether it did."""
        like = [zeros(*self.described(x)) if type(x) is Slot else x for x in given]
        (variable,) = equation.outvars
        out = equation.function(*filled(equation.call[0], like), **filled(equation.call[1], like))
        if type(out) is not Array or out._node is not variable.node or out.shape != variable.aval.shape:
            return False
        if out._data.nbytes > _LARGEST or not out._data.flags.c_contiguous:
            return False
        self._numbers[variable] = self.constant(out)
        return True

    def _is_cast(self, facts: Any, given: list[Any], slots: list[Any], out: int) -> bool:
        """Return whether a call casts the values of its operand, not its bits, and does not make an array of a list of it."""
        one = len(given) == len(slots) == 1 and self._shapes[slots[0]] == self._shapes[out]
        return bool(facts.casts) and facts.own != "result" and one and self._nodes[out].kind in "iufc"

    def _is_like(self, slot: int, outs: Sequence[Any]) -> bool:
        """Return whether the only result of an equation has the node and the shape of a slot."""
        return len(outs) == 1 and self.described(slot) == (outs[0].node, outs[0].aval.shape)

    def _parts(self, equation: JaxprEqn, given: list[Any], results: set[Any]) -> bool:
        """Add the functions that a function is composed of, or its parts if they compute the same bits; return whether it is.

        That is so of floats; and of integers, of elementwise functions, with others of 32 bits.
        """
        function, (args, kwargs) = equation.function, equation.call
        kind, numbers = getattr(function, "kind", ""), [x for x in (*given, *args, *kwargs.values()) if type(x) is int]
        dtypes = {str(self._nodes[x].dtype) for x in given if type(x) is Slot}
        exact = dtypes in ({"float32"}, {"float64"}) or (
            kind == "elementwise" and dtypes in ({"int32"}, {"int64"}) and all(abs(x) < 1 << 31 for x in numbers)
        )
        parts: Any = facts_of(function).parts
        inside: Any = facts_of(function).exact and exact and partial(parts, xp)
        if not inside and kind == "composed" and function.fast is None and function.plain is None:
            inside = function.definition
        if not inside or (len(equation.outvars) != 1 and not exact):
            return False

        def call(_: Any, operands: list[Any]) -> list[Any]:
            rest = iter(operands)
            values = [next(rest) if type(x) is Slot else x for x in given]
            found = inside(*filled(args, values), **filled(kwargs, values))
            return list(found) if len(equation.outvars) > 1 else [found]

        return self._inline(equation, given, results, call)

    def _inner(self, equation: JaxprEqn, given: list[Any], outs: tuple[int, ...]) -> bool:
        """Add a loop or a choice as programs that are a step of this one; return whether they can be."""
        kind, params = equation.function, equation.call[1]
        given = [x if type(x) is Slot else Slot(self.constant(as_leaf(x))) for x in given]
        if self._loose.intersection(given) or not outs:  # which is called for what it does
            return False
        make = partial(compiled, part=True)
        if type(kind) is Scan:
            number, carried = params["num_consts"], params["num_carry"]
            found = [make(params["jaxpr"], (), (), number, carried, len(given) - number - carried)]
        elif type(kind) is While:
            found = [make(params["body_jaxpr"], (), (), params["body_nconsts"], len(outs), test=params["cond_jaxpr"])]
        else:
            found = [make(branch) for branch in params["branches"]]
        if None in found:
            return False
        choice = given[: type(kind) is Choice]
        slots = [*choice]
        for _, inner in found:
            slots += [*map(self.constant, inner.constants), *given[len(choice) :]]
        first = len(choice) + len(found[0][1].constants)

        def call(*operands: Any) -> Any:
            return kind(*operands[: len(choice)], *operands[first : first + len(given) - len(choice)], **params)

        how = params.get("length", -1), params.get("reverse", False), tuple([program for program, _ in found])
        step = Step(call, (None,) * len(slots), None, tuple(enumerate(map(int, slots))), outs, how, kind)
        step.known = False
        self._steps.append(step)
        return True

    def _combined(self, equation: JaxprEqn, given: list[Any], results: set[Any]) -> bool:
        """Add an update that computes as what reads a window, computes, and writes it; return whether it is of a window."""
        (_, index, *_), options = equation.call
        parts = index if type(index) is tuple else (index,)
        if not all(type(part) in _SINGLE and not (type(part) is Slot and self._shapes[given[part]]) for part in parts):
            return False

        def call(_: Any, operands: list[Any]) -> list[Any]:
            rest = iter(operands)
            values = [next(rest) if type(one) is Slot else one for one in given]
            x, index, y = filled(equation.call[0], values)
            wraps = {name: one for name, one in options.items() if name == "wrap_negative_indices"}
            new = getattr(xp, _COMBINING[equation.function])(x.at[index].get(**wraps), y)
            return [x.at[index].set(new, **options)]

        return self._inline(equation, given, results, call, quick=True)

    def _inline(
        self, equation: JaxprEqn, given: list[Any], results: set[Any], call: Callable[..., Any], *, quick: bool = False
    ) -> bool:
        """Add what a function calls in place of an equation; return whether it can be recorded, if `quick` without calls."""
        slots = [x for x in given if type(x) is Slot]
        try:
            found = program_of(call, [SimpleNamespace(shape=self._shapes[x], _node=self._nodes[x]) for x in slots])
        except Exception:  # noqa: BLE001 - of any kind: then it is called with elements
            return False
        if found is None or found.refs or any(type(x) is not Array for x in found.consts):
            return False
        inner, first = found.jaxpr.jaxpr, len(self._steps)
        pairs = list(zip(inner.outvars, equation.outvars, strict=True))
        if any(type(out) is not Var or (out.node, out.aval.shape) != (own.node, own.aval.shape) for out, own in pairs):
            return False
        self._numbers.update(zip(inner.invars, [*map(self.constant, found.consts), *slots], strict=True))
        for part in inner.eqns:
            self._add(part, {out for out, own in pairs if own in results})
        if quick and not all(step.known or step.primitive is xp.where for step in self._steps[first:]):
            del self._steps[first:]
            return False
        self._numbers.update({own: self._numbers[out] for out, own in pairs})
        return True

    def _narrowed(self, given: list[Any], out: int) -> list[Any]:
        """Return operands of an elementwise function with what was broadcast in place of broadcast ones, if one is not."""
        narrow = [Slot(self._broadcasts.get(x, x)) if type(x) is Slot else x for x in given]
        whole = any(type(x) is Slot and self._shapes[x] == self._shapes[out] for x in narrow)
        return narrow if whole else given

    def _step(self, equation: JaxprEqn, given: list[Any], outs: tuple[int, ...], how: Any) -> Step:
        args, kwargs = without_defaults(equation)
        function = _QUICK.get(equation.function, equation.function)
        flat = (*args, *kwargs.values())
        cast = getattr(how, "looped", False) and len(flat) > len(given)
        if cast or any(type(x) is not Slot and has_slot(x) for x in flat):
            numbers = tuple([None if type(x) is Slot else x for x in given])
            places = tuple([(i, int(x)) for i, x in enumerate(given) if type(x) is Slot])
            return Step(nested(function, args, kwargs), numbers, None, places, outs, how, equation.function)
        values = [given[x] if type(x) is Slot else x for x in flat]
        own = [type(x) is Slot and type(given[x]) is Slot for x in flat]
        places = tuple([(i, int(x)) for i, x in enumerate(values) if own[i]])
        fixed = tuple([None if own[i] else x for i, x in enumerate(values)])
        return Step(function, fixed, tuple(kwargs) or None, places, outs, how, equation.function)

    def _bytes(self, *slots: int) -> int:
        return max([math.prod(self._shapes[i]) * _itemsize(self._nodes[i]) for i in slots], default=0)

    def _plan(self, equation: JaxprEqn, given: list[Any]) -> Any:
        """Return the plan of an elementwise function, or None."""
        args, kwargs = without_defaults(equation)
        function = equation.function
        if all(type(x) is Slot for x in given):  # numbers promote otherwise in functions of lax
            function = original_of(function)
        if getattr(function, "fast", None) != "elementwise" or kwargs or len(args) != len(given):
            return None
        nodes = [self._nodes[x] if type(x) is Slot else None for x in given]
        return engine.plan(
            function.operation,
            *[x if node is None else wrap(np.empty((), node.dtype), node) for x, node in zip(given, nodes, strict=True)],
        )

    def _moves(self, equation: JaxprEqn, given: list[Any], outs: tuple[int, ...]) -> list[tuple[Any, str]]:
        """Return for each result the runs of elements of operands that a function moves, and how they lie: see `moved`."""
        unknown = [((), "C")] * len(outs)
        # Constants of integers are indices.
        like = [self._values.get(x, x) if type(x) is Slot and self._nodes[x].kind in "iu" else x for x in given]
        if any(type(x) is Slot and self._nodes[x].dtype != self._nodes[out].dtype for x in like for out in outs):
            return unknown
        like = [self._shapes[x] if type(x) is Slot else x for x in like]
        found = kept(equation, like, lambda: moved(equation, like, [self._shapes[out] for out in outs])) or unknown
        slots = [*given]
        if fills := [[run[0] == len(given) for run in runs] for runs, _ in found if (len(given), 0) in [x[:2] for x in runs]]:
            if len(found) > 1 or found[0][1] != "C":
                return unknown
            values = [self._values.get(x, zeros(*self.described(x))) if type(x) is Slot else x for x in given]
            out = equation.function(*filled(equation.call[0], values), **filled(equation.call[1], values))
            first = sum([run[-1] for run in found[0][0][: fills[0].index(True)]])
            slots.append(self.constant(wrap(out._data.reshape(-1)[first : first + 1], out._node)))
        return [(tuple([(int(slots[number]), *run) for number, *run in runs]), layout) for runs, layout in found]

    def described(self, slot: int) -> tuple[Node, tuple[int, ...]]:
        """Return the node and the shape of a slot."""
        return self._nodes[slot], self._shapes[slot]

    def itemsize(self, slot: int) -> int:
        """Return the bytes of an element of a slot."""
        return _itemsize(self._nodes[slot])

    def finish(
        self, inputs: list[int], outputs: list[int], carried: int = 0, columns: int = 0, test: int = -1, split: int = 0
    ) -> Any:
        """Return the program of the engine; None if carries change their shapes or dtypes."""
        first = len(inputs) - columns - carried
        carries = inputs[first : first + carried]
        self._write_in_place(
            ({*inputs} if carried + columns or test >= 0 else set()).difference(inputs[first:]) | {*outputs}, split
        )
        # A constant may have been made when the program was recorded: each run returns another array. Results of a loop's
        # steps lie in C's order.
        others = self._fixed | self._loose if carried + columns or test >= 0 else self._fixed
        outputs = [self._copy(slot, self._nodes[slot]) if slot in others else slot for slot in outputs]
        for i, (slot, own) in enumerate(zip(outputs[:carried], carries, strict=True)):
            before, after = self._nodes[own], self._nodes[slot]  # a carry may begin weak and be strong afterwards, or weak
            if after.strong is not before.strong or self._shapes[slot] != self._shapes[own]:
                return None
            self.weak |= after is not before
            if after is not before or self._base(slot) in {*carries} - {own}:  # it is overwritten while others are carried
                outputs[i] = self._copy(slot, before)
        inputs = [*self._constant_slots, *inputs]
        ends = {*inputs, *outputs, test} - {-1}
        places = self._places(ends, {*outputs, test} if carried + columns or test >= 0 else set())
        slots = tuple(zip(self._nodes, self._shapes, places, strict=True))
        last = self._last_uses(ends)
        steps = tuple(
            [
                (step.function, step.args, step.names, step.places, step.outs, tuple(last.get(i, ())), step.how)
                for i, step in enumerate(self._steps)
            ]
        )
        return engine.Program(slots, steps, tuple(inputs), tuple(outputs), carried, columns, test, split, self.part)

    def _write_in_place(self, kept: set[int], split: int) -> None:
        """Leave out copies of arrays that windows are written to, where nothing uses the arrays, or parts of them, afterwards.

        Some slots are kept, and constants. Steps before the body of a loop may be the last ones that run.
        """
        last = {self._base(slot): i for i, step in enumerate(self._steps) for slot in step.reads}
        bases = {self._base(slot) for slot in kept | self._fixed}
        for i in reversed(range(split, len(self._steps))):
            if self._steps[i].primitive is copied:
                ((_, slot),), (out,) = self._steps[i].places, self._steps[i].outs
                if last[self._base(slot)] == i and self._base(slot) not in bases:
                    self._aliases[out] = slot, 0
                    del self._steps[i]
                    update = next(step for step in self._steps[i:] if out in step.outs)
                    update.places = tuple([(place, slot if one == out else one) for place, one in update.places])

    def learnt(self, slot: int) -> tuple[int, ...]:
        """Return the slots that are known to be loose now that this one is: those of calls like its own too."""
        mine = next(self._like(step) for step in self._steps if slot in step.outs)
        return *self.loose, *[out for step in self._steps if self._like(step) == mine for out in step.outs]

    def _like(self, step: Step) -> Any:
        return step.primitive, key_of(step.args), [self.described(slot) for slot in step.reads]

    @property
    def length(self) -> int:
        """The number of steps."""
        return len(self._steps)

    def _copy(self, slot: int, node: Node) -> int:
        out = self.slot(node, self._shapes[slot])
        size = math.prod(self._shapes[slot])
        how = (((slot, 0, 1, size),),) if size and self._bytes(slot) <= _LARGEST and slot not in self._loose else None
        self._steps.append(Step(copied, (None, node), None, ((0, slot),), (out,), how))
        return out

    def _base(self, slot: int) -> int:
        while slot in self._aliases:
            slot = self._aliases[slot][0]
        return slot

    def _last_uses(self, kept: set[int]) -> dict[int, list[int]]:
        """Return for each step the slots that are not used after it."""
        last = {slot: i for i, step in enumerate(self._steps) for slot in (*step.outs, *step.reads)}
        found: dict[int, list[int]] = {}
        for slot, i in last.items():
            if slot not in kept:
                found.setdefault(i, []).append(slot)
        return found

    def _places(self, ends: set[int], placed: set[int]) -> list[int]:
        """Return for each slot where its elements are, in bytes, if steps compute with them or if they are placed."""
        last: dict[int, int] = {}
        for i, step in enumerate(self._steps):
            touched = [self._base(slot) for slot in (*step.outs, *step.reads)]
            last.update(dict.fromkeys(touched, i))
            if step.how is not None:
                placed.update(touched)
        kept = {self._base(slot) for slot in ends}
        memory = Memory()
        places = [0] * len(self._nodes)
        for slot in sorted(kept):
            places[slot] = memory.take(self._bytes(slot)) if self.part or slot in placed else 0
        for i, step in enumerate(self._steps):
            for slot in {*step.outs}.difference(step.reads):  # else it is written to once more
                if slot in placed and slot not in kept and slot not in self._aliases:
                    places[slot] = memory.take(self._bytes(slot))
            for slot in {self._base(slot) for slot in (*step.outs, *step.reads)}:
                if slot in placed and slot not in kept and last[slot] == i:
                    memory.give(places[slot], self._bytes(slot))
        for slot in sorted(self._aliases):  # bases have lower numbers
            base, first = self._aliases[slot]
            places[slot] = places[base] + first * _itemsize(self._nodes[slot])
        return places


def compiled(
    closed: ClosedJaxpr, loose: Sequence[bool] = (), known: Iterable[int] = (), constants: int = 0, carried: int = 0,
    columns: int = 0, values: Sequence[Array] = (), test: ClosedJaxpr | None = None, part: bool = False,
) -> Any:  # fmt: skip
    """Return the program of the engine of a recorded one, or of a loop, and what made it; None if there is none.

    Of the first operands it is said whether they are loose; some are constants. `known` are other slots that are loose. The
    operands of a loop's condition come first, and then those of its body.
    """
    compiler = Compiler(known, part=part)
    first: list[Var] = [] if test is None else test.jaxpr.invars[: len(test.jaxpr.invars) - carried]
    outer = compiler.bind(first, loose)
    inputs = compiler.bind(closed.jaxpr.invars, loose[len(first) :], constants, values=values)
    holds = -1
    if test is not None:
        compiler.bind(test.jaxpr.invars[len(first) :], slots=inputs[constants:])
        (holds,) = compiler.add(test.jaxpr)
    split = compiler.length
    program = compiler.finish([*outer, *inputs], compiler.add(closed.jaxpr), carried, columns, holds, split)
    return program and (program, compiler)


def _itemsize(node: Node) -> int:
    return 0 if node.dtype is None else node.dtype.itemsize
