"""Steps of programs: what calls are to the engine, chains of them, places of values in memory, and what steps call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import supremum as xp
from supremum._core import engine
from supremum._core.array import wrap
from supremum.jax._abstract import filled, has_slot
from supremum.jax._batch_rules import defaults_of
from supremum.jax._programs import JaxprEqn, Opaque
from supremum.promotion._nodes import Node

_ALIGNMENT: Final = 64


class Step:
    """A call: its function and arguments, its operands and results as slots, and how the engine computes it itself.

    `plan` is that of an elementwise call of large arrays, which may become part of a chain. A call that is `known` raises no
    errors.
    """

    __slots__ = ("args", "function", "how", "known", "names", "outs", "places", "plan", "primitive")

    def __init__(
        self, function: Any, args: Any, names: Any, places: Any, outs: tuple[int, ...], how: Any, primitive: Any = None
    ) -> None:
        self.plan: Any = None
        self.primitive = primitive
        self.known = type(how) is tuple or how is True or function is xp.broadcast_to or getattr(how, "looped", False)
        self.function = function
        self.args = args
        self.names = names
        self.places = places
        self.outs = outs
        self.how = how

    @property
    def reads(self) -> list[int]:
        """The slots of its operands."""
        return [slot for _, slot in self.places]


def with_chains(compiler: Any, steps: list[Step], results: set[int]) -> list[Step]:
    """Return steps with chains of the elementwise calls of large arrays of one shape; calls that do not wait come before."""
    found: list[Step] = []
    group: list[Step] = []

    def flush(rest: list[Step]) -> None:
        later = {slot for step in rest for slot in step.reads} | results
        found.extend([_chained(compiler, [*group], later)] if len(group) > 1 else group)
        group.clear()

    for number, step in enumerate(steps):
        made = {slot for link in group for slot in link.outs}
        if not _is_link(compiler, step, group) and made.isdisjoint(step.reads):
            found.append(step)
            continue
        if not _is_link(compiler, step, group):
            flush(steps[number:])
        (group if _is_link(compiler, step, group) else found).append(step)
    flush([])
    return found


def _is_link(compiler: Any, step: Step, group: list[Step]) -> bool:
    """Return whether a step can go on with a chain, or begin one."""
    if step.plan is None or not step.plan.looped or step.plan.node is not compiler.described(step.outs[0])[0]:
        return False
    _, shape = compiler.described((group or [step])[0].outs[0])
    operands = [compiler.described(slot)[1] for slot in step.reads]
    return compiler.described(step.outs[0])[1] == shape and all(
        one == shape or (math.prod(one) == 1 and len(one) <= len(shape)) for one in operands
    )


def _chained(compiler: Any, steps: list[Step], later: set[int]) -> Step:
    """Return one step for elementwise calls of arrays of one shape, of which these slots are used later."""
    _, shape = compiler.described(steps[0].outs[0])
    made = [step.outs[0] for step in steps]
    inputs = list(dict.fromkeys([slot for step in steps for slot in step.reads if slot not in made]))
    outputs = [slot for slot in made if slot in later]
    last = {slot: i for i, step in enumerate(steps) for slot in step.reads}
    blocks: dict[int, int] = {}
    free: list[int] = []
    links, most = [], 0
    values = {slot: number for number, slot in enumerate([*inputs, *made])}
    for i, step in enumerate(steps):
        places = dict(step.places)
        out = step.outs[0]
        operands = tuple([values[places[j]] if j in places else (x,) for j, x in enumerate(step.args)])
        links.append((step.plan, operands, values[out]))
        ended = [slot for slot in dict.fromkeys(places.values()) if slot in blocks and last[slot] == i]
        # A result is written over an operand that ends here, if their elements have one size: its block stays cached.
        over = [slot for slot in ended if compiler.itemsize(slot) == compiler.itemsize(out)]
        free += [blocks[slot] for slot in over]
        if out not in later:
            block = free.pop() if free else most
            most = max(most, block + 1)
            blocks[out] = block
        free += [blocks[slot] for slot in [*ended, out] if slot in blocks and slot not in over and last.get(slot, i) == i]

    def fallback(*arrays: Any) -> list[Any]:
        known = dict(zip(inputs, arrays, strict=True))
        for step in steps:
            places = dict(step.places)
            given = [known[places[j]] if j in places else x for j, x in enumerate(step.args)]
            known[step.outs[0]] = step.function(*given)
        return [known[slot] for slot in outputs]

    described = [(*compiler.described(slot), blocks.get(slot, -1)) for slot in values]
    rows = tuple([(node, one != shape, block) for node, one, block in described])
    function: Any = fallback
    with suppress(ValueError):  # of a number or a dtype that the engine does not convert
        function = engine.Chain(
            shape, rows, tuple(links), tuple([values[x] for x in inputs]), tuple([values[x] for x in outputs]), fallback
        )
    return Step(function, (None,) * len(inputs), None, tuple(enumerate(inputs)), tuple(outputs), None)


class Memory:
    """Places in a block of memory, of which those that were given back are taken first."""

    def __init__(self) -> None:
        self.end = 0
        self.free: dict[int, list[int]] = {}

    def take(self, size: int) -> int:
        size = max(-(-size // _ALIGNMENT), 1) * _ALIGNMENT
        if self.free.get(size):
            return self.free[size].pop()
        self.end += size
        return self.end - size

    def give(self, place: int, size: int) -> None:
        self.free.setdefault(max(-(-size // _ALIGNMENT), 1) * _ALIGNMENT, []).append(place)


def copied(x: Any, node: Node) -> Any:
    return wrap(x._data.copy(), node)


def one_result(function: Any, number: int, fillers: int, *args: Any, **kwargs: Any) -> Any:
    """Return one result of a function, in C's order; its arguments follow fillers."""
    found = function(*args[fillers:], **kwargs)
    x = found[number] if type(found) in (tuple, list) else found
    return x if x._data.flags.c_contiguous else copied(x, x._node)


def nested(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Return a function of operands that calls one with them in tuples and lists, or among named arguments."""
    places = [i for i, x in enumerate(args) if has_slot(x)]

    def call(*operands: Any) -> Any:
        given = list(args)
        for i in places:
            given[i] = filled(args[i], operands)
        return function(*given, **filled(kwargs, operands)) if kwargs else function(*given)

    return call


def without_defaults(equation: JaxprEqn) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call without the last ones that are the defaults, which fast paths need not know."""
    args, kwargs = equation.call
    if isinstance(equation.function, Opaque):
        return args, kwargs
    defaults = defaults_of(equation.function)
    kwargs = {name: x for name, x in kwargs.items() if x is not defaults.get(name, has_slot)}
    values = list(defaults.values())
    while args and len(args) <= len(values) and args[-1] is values[len(args) - 1]:
        args = args[:-1]
    return args, kwargs
