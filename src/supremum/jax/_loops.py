"""Bodies of loops, and jitted functions, that are recorded once and run by programs of the engine.

A body is called once with abstract operands, and what it called is run for each step. One that cannot be recorded, as it
needs elements or calls Python for each step, is called for each step. What is recorded is kept with the body, for operands of
the same structure, shapes and dtypes, as long as it refers to the same objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from supremum import Array
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum.jax import _tree
from supremum.jax._abstract import Abstract
from supremum.jax._batching import active, axes_key, with_node
from supremum.jax._bodies import keep, kept_with, recorded_or_none
from supremum.jax._compiling import compiled
from supremum.jax._programs import ClosedJaxpr, Recorder, Var, eval_jaxpr, program_of
from supremum.jax._refs import check_distinct
from supremum.jax._structured import is_followed
from supremum.jax._traces import COLLECTOR, tracing
from supremum.jax._values import as_leaf, as_leaves

_MISSING: Final = object()
#: The types of operands that programs run with.
PLAIN: Final = frozenset({Array})


class Recorded(NamedTuple):
    """The program of a step of a loop.

    Attributes
    ----------
    jaxpr : ClosedJaxpr
        The program; its first arguments are the operands that it refers to, the others the carry and the elements.
    consts : list
        The operands that it refers to.
    refs : list of Ref
        The references that it uses: what they hold is carried too, before the others.
    nodes : list of Node
        Those of the first carry.
    tree : PyTreeDef or None
        The structure of the results that are not carried.
    """

    jaxpr: ClosedJaxpr
    consts: list[Any]
    refs: list[Any]
    nodes: list[Any]
    tree: Any = None

    def first(self, init: Sequence[Any]) -> list[Any]:
        """Return the first carry, with the dtypes that the steps give it."""
        carried = [with_node(x, node) for x, node in zip(init, self.nodes, strict=True)]
        return [*[ref.held for ref in self.refs], *carried] if self.refs else carried

    def last(self, carried: Sequence[Any]) -> list[Any]:
        """Have references hold what they hold after the last step, and return the other results."""
        if not self.refs:
            return carried  # type: ignore[return-value]  # a list
        for ref, x in zip(self.refs, carried, strict=False):
            ref.store(x)
        return list(carried[len(self.refs) :])


def recorded_step(
    carry: Any, elements: Sequence[Any], step: Callable[[Any, Any], tuple[Any, list[Any]]], *, part: bool = False
) -> Recorded | None:  # fmt: skip
    """Record a step of a loop; None for steps that refer to operands of transformations, except of a `part`.

    A step that changes the dtype of a carry that begins weak is called again with that dtype.
    """
    init = carry.given
    wider: list[Any] = []

    def body(recorder: Recorder, operands: list[Any]) -> list[Any]:
        carry.begin(operands[: len(init)])
        new, ys = step(carry.tree, operands[len(init) :])
        before, changed = len(recorder.eqns), carry.widen(new)
        del recorder.eqns[before:]  # conversions of the first carry
        if changed:
            wider[:] = [x._node for x in carry.leaves]
            return []
        carry.take(new)
        return [*carry.leaves, *ys]

    first = init
    try:
        found = program_of(body, [*init, *elements], part=part)
        if wider:
            first = [with_node(x, node) for x, node in zip(init, wider, strict=True)]
            found = program_of(body, [*first, *elements], part=part)
    finally:
        carry.begin(init)
    return found and Recorded(*found, [x._node for x in first])


def runs_programs(*operands: Any) -> bool:
    """Return whether programs run for these operands: without watchers, transformations, or ``jax_disable_jit``."""
    return state().programs and PLAIN.issuperset(map(type, operands))


def _run(closed: ClosedJaxpr, key: Any, make: Callable[[Any], Any], operands: Sequence[Any], *args: Any) -> Any:
    """Run the program of the engine that is kept with a recorded one; NotImplemented if there is none for these operands.

    `make` makes it, if it is known which slots have elements in another order than C's.
    """
    key = (state(), key)
    found = closed.programs.get(key, _MISSING)
    new = found is _MISSING
    if new:
        found = keep(closed.programs, key, make(()))
    if found is None:
        return NotImplemented
    program, compiler = found
    out = program.run((*compiler.constants, *operands), *args)
    if type(out) is int:
        closed.programs[key] = make(compiler.learnt(out))
        return NotImplemented
    if out is NotImplemented and new:  # else other arrays lay as it expects
        closed.programs[key] = None
    if compiler.weak and out is not NotImplemented:  # a carry that begins weak is so for all steps, and not afterwards
        nodes = [v.node if type(v) is Var else as_leaf(v.val)._node for v in closed.jaxpr.outvars]
        return [x if x._node is node else wrap(x._data, node) for x, node in zip(out, nodes, strict=True)]
    return out


def _are_loose(arrays: Sequence[Any]) -> list[bool]:
    """Return of which arrays elements lie in another order than C's."""
    return [not x._data.flags.c_contiguous for x in arrays]


def run_scan(
    closed: ClosedJaxpr, consts: Sequence[Any], carry: Sequence[Any], xs: Sequence[Any], length: int, reverse: bool = False
) -> Any:
    """Run the recorded step of a scan, and return the last carry and the stacked results; or NotImplemented."""
    sizes, operands = (len(consts), len(carry), len(xs)), (*consts, *carry, *xs)
    return _run(closed, sizes, lambda known: compiled(closed, _are_loose(consts), known, *sizes), operands, length, reverse)


def run_while(
    test: ClosedJaxpr, of_test: Sequence[Any], body: ClosedJaxpr, of_body: Sequence[Any], carry: Sequence[Any]
) -> Any:
    """Run a recorded loop with a condition, and return the last carry; or NotImplemented."""
    sizes, loose = (len(of_body), len(carry)), _are_loose([*of_test, *of_body])
    return _run(body, test, lambda known: compiled(body, loose, known, *sizes, test=test), (*of_test, *of_body, *carry))


class Signatures:
    """What was recorded of a jitted function, for each signature: the structures, shapes and dtypes of its arguments."""

    __slots__ = ("_recorded", "seen")

    def __init__(self) -> None:
        self._recorded: dict[Any, Any] = {}
        #: The signatures themselves.
        self.seen: set[Any] = set()

    def clear(self) -> None:
        """Forget all of them."""
        self._recorded.clear()
        self.seen.clear()

    def call(
        self, signature: Any, function: Callable[[Sequence[Any]], Any], arrays: list[Any], given: Iterable[Any] = (),
        converted: bool = False,
    ) -> Any:  # fmt: skip
        """Return what a function makes of arrays; it is recorded for each signature, or else called as it is.

        These references are given to it. Calls with what is converted to arrays are counted apart, as JAX does.
        """
        here = state()
        key = (here, axes_key(), signature)
        try:
            found = self._recorded.get(key, _MISSING)
            counted = (signature, True) if converted else signature
            seen = (found is not _MISSING and not converted) or counted in self.seen
        except Exception as error:  # of the program's classes
            raise ValueError(
                "static arguments should be comparable using __eq__: the comparison of two of them raised "
                f"{type(error).__name__}: {error}"
            ) from error
        if here.programs and tracing() is None and COLLECTOR.get() is None and PLAIN.issuperset(map(type, arrays)):
            new = found is _MISSING
            if new:
                found = self._recorded[key] = recorded_or_none(lambda: _record(function, arrays), jitted=True)
            if not seen:
                self.seen.add(counted)
            if type(found) is _Called:  # which is for these operands alone
                self._recorded[key] = None
                return found.results(arrays)
            for _ in range(2 * (found is not None)):  # once more, if it learns in which order elements lie
                program, first, tree, refs, again = found
                held: Sequence[Any] = ()
                if refs:
                    check_distinct([*refs, *given], "a function that refers to one")
                    held = [ref.held for ref in refs]
                out = program.run((*first, *held, *arrays)) if not refs or runs_programs(*held) else NotImplemented
                if type(out) is list:
                    if not refs:
                        return out[0] if tree is _tree.LEAF else tree.unflatten(out)
                    for ref, x in zip(refs, out, strict=False):
                        ref.store(x)
                    return tree.unflatten(out[len(refs) :])
                if type(out) is not int:
                    if new and not refs:  # else other arrays lay as it expects
                        self._recorded[key] = None
                    break
                found = self._recorded[key] = again(out)
        result = function(arrays)
        if not seen:
            self.seen.add(counted)
        return result


class _Called(NamedTuple):
    """A call that was recorded, of which the equations are bound to operands of transformations.

    Attributes
    ----------
    jaxpr : ClosedJaxpr
        The program, whose first arguments are these operands, and what the references hold.
    first : list
        The operands.
    refs : list of Ref
        The references that it uses.
    tree : PyTreeDef
        The structure of the results.
    """

    jaxpr: ClosedJaxpr
    first: list[Any]
    refs: list[Any]
    tree: Any

    def results(self, arrays: Sequence[Any]) -> Any:
        """Call the functions of the program, and return its results."""
        out = eval_jaxpr(self.jaxpr.jaxpr, self.jaxpr.consts, *self.first, *[ref.held for ref in self.refs], *arrays)
        for ref, x in zip(self.refs, out, strict=False):
            ref.store(x)
        return self.tree.unflatten(out[len(self.refs) :])


def recorded_once(function: Any, key: Any, call: Callable[[list[Any]], list[Any]], operands: list[Any]) -> list[Any]:
    """Return the results of a call, whose program is kept with the function that it is of, if there is one.

    For operands of transformations, the functions of the program are called.
    """
    plain = runs_programs(*operands)
    found: Any = NotImplemented
    if tracing() is None and (plain or is_followed(*operands)):
        key = (key, plain, tuple([(x.shape, x._node) for x in operands]))
        part = kept_with(function, key, lambda: program_of(lambda _, xs: call(xs), operands, part=not plain), again=not plain)
        if part is not None and not part.refs:
            given = (*part.consts, *operands)
            found = run_once(part.jaxpr, given) if plain else eval_jaxpr(part.jaxpr.jaxpr, [], *given)
    return call(operands) if found is NotImplemented else found


def _record(function: Callable[[Sequence[Any]], Any], arrays: Sequence[Any]) -> Any:
    """Record a function of arrays: the program of the engine, its first operands, the tree of the results, and references.

    The last item makes another one, after a call returned elements in another order than C's.
    """
    trees: list[Any] = []

    def body(_: Recorder, operands: list[Any]) -> list[Any]:
        out = function(operands)
        held = () if type(out) is Abstract else _tree.flatten(out, is_leaf=lambda x: isinstance(x, partial))[0]
        if any(isinstance(x, partial) for x in held):
            raise NotImplementedError("jit: a function that is returned may hold operands of the program")
        results, tree = as_leaves(out)
        trees.append(tree)
        return list(results)

    others: list[Any] = []
    found = program_of(body, arrays, keeps_rules=active.running > 0, others=others)
    if found is None:
        return _Called(others[0], [], others[1], trees[0]) if others else None
    closed, consts, refs = found
    if not PLAIN.issuperset([type(ref.held) for ref in refs]):
        return _Called(closed, consts, refs, trees[0])
    return _jitted(closed, _are_loose([*consts, *[ref.held for ref in refs], *arrays]), consts, trees[0], refs)


def _jitted(
    closed: ClosedJaxpr, loose: Sequence[bool], consts: Sequence[Any], tree: Any, refs: Any, known: Iterable[int] = ()
) -> Any:
    """Return what is kept of a jitted function: see `_record`."""
    program, compiler = compiled(closed, loose, known, len(consts), values=consts)

    def again(slot: int) -> Any:
        return _jitted(closed, loose, consts, tree, refs, compiler.learnt(slot))

    return program, (*compiler.constants, *consts), tree, refs, again


def run_once(closed: ClosedJaxpr, operands: Sequence[Any]) -> Any:
    """Run a recorded program, and return its results; or NotImplemented."""
    return _run(closed, "once", lambda known: compiled(closed, _are_loose(operands), known), operands)
