"""Rules that programs give: `custom_jvp` and `custom_vjp`; operands of derivatives in closures."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

import supremum as xp
from supremum._array.sharding import ShapedArray
from supremum.jax import _tree
from supremum.jax._batch_rules import whole
from supremum.jax._batching import Batched, active, in_batches, innermost, innermost_axis
from supremum.jax._copies import Copies
from supremum.jax._dual import Dual, Level, Marks, Record, differentiable, like, start_of, stripped, swapping
from supremum.jax._tree import mapped
from supremum.jax._values import as_leaf, float0
from supremum.jax.errors import NonlinearError, UnexpectedTracerError

# -- zeros --------------------------------------------------------------------------------------------------------------------


class SymbolicZero:
    """A tangent or cotangent that is known to be zero; it has a shape and a dtype."""

    def __init__(self, aval: ShapedArray) -> None:
        self.aval = aval

    def __getattr__(self, name: str) -> Any:
        if name == "aval":
            raise AttributeError(name)
        return getattr(self.aval, name)

    def __repr__(self) -> str:
        return "SymbolicZero"

    @staticmethod
    def from_primal_value(val: Any) -> SymbolicZero:
        """Return the zero tangent of a value."""
        x = as_leaf(val)
        return SymbolicZero(ShapedArray(x.shape, x.dtype if differentiable(x) else float0))


@dataclasses.dataclass(slots=True)
class CustomVJPPrimal:
    """An argument of a forward rule that knows of zeros: its value, and whether the derivative by it is wanted."""

    value: Any
    perturbed: bool


def custom_vjp_primal_tree_values(tree: Any) -> Any:
    """Return a tree of `CustomVJPPrimal` with the values of its leaves."""
    if wrong := [leaf for leaf in _tree.flatten(tree)[0] if type(leaf) is not CustomVJPPrimal]:
        raise TypeError(f"unexpected leaf type {type(wrong[0])}")
    return mapped(lambda leaf: leaf.value, tree)


def zero_from_primal(val: Any, symbolic_zeros: bool = False) -> Any:
    """Return a tree of the zero tangents of the leaves of a tree."""
    return mapped(lambda x: _zero(x, symbolic_zeros), val)


def zero_of(x: Any) -> Any:
    """Return the zero tangent of a value: that of what is not floating is of `float0`."""
    return xp.zeros_like(x) if differentiable(x) else np.zeros(np.shape(x), float0)


def _zero(x: Any, symbolic: bool) -> Any:
    return SymbolicZero.from_primal_value(x) if symbolic else zero_of(as_leaf(x))


# -- rules of programs --------------------------------------------------------------------------------------------------------


class _Call(NamedTuple):
    """A call of a function with a rule: its arguments, those that are not differentiated, and the positions of the others."""

    custom: Any
    level: Level
    name: str
    args: list[Any]
    constant: list[Any]
    others: list[int]

    def rule(self, kind: str, attribute: str) -> Callable[..., Any]:
        """Return a rule, which the program must have given."""
        found: Callable[..., Any] | None = getattr(self.custom, attribute)
        if found is None:
            wanted = "JVP" if kind == "custom_jvp" else "VJP"
            raise AttributeError(f"No {wanted} defined for {kind} function {self.name} using def{wanted.lower()}.")
        return found

    def stripped(self, i: int) -> Any:
        """Return an argument without tangents."""
        return mapped(lambda x: stripped(self.level, x), self.args[i])

    def refuse(self, _operand: object) -> NoReturn:
        """Raise because a rule refers to an operand of the level, which may only be an argument."""
        raise closed_over(self.name)

    def check(self, results: list[Any]) -> None:
        """Raise if results are operands of the level, or of those within it."""
        if (inside := level_of(results)) is not None and inside.number >= self.level.number:
            self.refuse(inside)


def closed_over(name: str) -> UnexpectedTracerError:
    """Return the error of a function with a rule that refers to an operand of a transformation."""
    return UnexpectedTracerError(f"{name}: its rule refers to an operand of vmap or grad; pass that as an argument too")


def constant_arguments(custom: Any, count: int) -> tuple[tuple[int, ...], list[int]]:
    """Return the positions of arguments that are not differentiated, and of the others."""
    given = custom.nondiff_argnums
    numbers = tuple([i % count for i in ((given,) if isinstance(given, int) else given)])
    return numbers, [i for i in range(count) if i not in numbers]


def _call_of(level: Level, function: Any, leaves: tuple[Any, ...], kind: str) -> _Call:
    custom = function.custom
    args, kwargs = function.arguments(leaves)
    args = positional(custom.fun, args, kwargs, function.name, kind)
    numbers, others = constant_arguments(custom, len(args))
    call = _Call(custom, level, function.name, list(args), [], others)
    call.constant.extend([call.stripped(i) for i in numbers])
    return call


def parameters_of(fun: Any) -> list[inspect.Parameter] | None:
    """Return the parameters of a function; None for one that has no signature, as some that are written in C."""
    try:
        return list(inspect.signature(fun).parameters.values())
    except (TypeError, ValueError):
        return None


def positional(fun: Any, args: Any, kwargs: dict[str, Any], name: str, kind: str) -> tuple[Any, ...]:
    """Return the arguments of a call of a function with a rule, all by position."""
    if not kwargs and (isinstance(fun, functools.partial) or all(p.default is p.empty for p in parameters_of(fun) or ())):
        return tuple(args)

    def unresolved(why: object) -> TypeError:
        return TypeError(
            f"The input arguments to the {kind}-decorated function {name} could not be resolved to positional-only "
            f"arguments. Binding failed with the error:\n{why}"
        )

    try:
        bound = inspect.signature(fun).bind(*args, **kwargs)
    except TypeError as error:
        raise unresolved(error) from error
    bound.apply_defaults()
    if by_name := [name for name in bound.kwargs if name in kwargs]:
        raise unresolved(f"The following keyword arguments could not be resolved to positions: {', '.join(by_name)}")
    return bound.args


def by_jvp(level: Level, function: Any, leaves: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a `custom_jvp` function: its rule carries tangents forward, and back by taping it.

    A rule may apply the function to a tangent: there the function is as it is written, or the rule would call itself forever.
    """
    if level.tangents:
        args, given = function.arguments(leaves)
        return function.custom.fun(*args, **given)
    call = _call_of(level, function, leaves, "custom_jvp")
    rule = call.rule("custom_jvp", "jvp")
    given, symbolic = Tangents(level), call.custom.symbolic_zeros

    def tangent(x: Any) -> Any:
        return given.of(x) if level.holds(x) else _zero(x, symbolic)

    primals = tuple([call.stripped(i) for i in call.others])
    tangents = tuple([mapped(tangent, call.args[i]) for i in call.others])
    with swapping({level: call.refuse}):
        ys, ts, structure = pair_of(call.name, rule, rule(*call.constant, primals, tangents))
        call.check(ys if level.tape is not None else [*ys, *ts])
        return structure.unflatten(given.results(ys, ts))


class Tangents:
    """The tangents that a rule is given for the operands of a level; where they are to be carried back, they are recorded."""

    def __init__(self, level: Level) -> None:
        self.level = level
        #: What cotangents may not depend on: the tangents, in which a rule is linear.
        self._marks = Marks()
        self._inner = level if level.tape is None else Level(taped=True, tangents=True)
        self._starts: dict[int, tuple[Dual, Record]] = {}

    def of(self, x: Dual) -> Any:
        """Return the tangent of an operand."""
        if self.level.tape is None:
            return x.tangent
        _, start = self._starts.setdefault(id(x), (x, start_of(x.primal)))
        return Dual(self._inner, self._marks.of(xp.zeros_like(x.primal)), start)

    def results(self, ys: list[Any], ts: list[Any]) -> list[Any]:
        """Return the values of a rule with its tangents."""
        level, inner = self.level, self._inner
        if level.tape is None:
            return [_with_tangent(level, y, t) if differentiable(y) else y for y, t in zip(ys, ts, strict=True)]

        def pull(cotangents: list[Any]) -> list[Any]:
            inner.backward(ts, cotangents)
            found = taken([start for _, start in self._starts.values()])
            if any(map(self._marks.on, found)):
                raise NonlinearError("custom_jvp: a rule is not linear in the tangents, and cannot be carried back")
            return found

        return level.joint(ys, [x for x, _ in self._starts.values()], pull)


def _with_tangent(level: Level, y: Any, t: Any) -> Any:
    """Return a result with its tangent, which may be batches of an inner `vmap` that the closure of a rule refers to."""
    axis = innermost_axis([y, t])
    if axis is None or axis.level < level.number:
        return Dual(level, y, like(t, y))
    return Batched(axis, _with_tangent(level, whole(axis, y), whole(axis, t)))


def taken(starts: list[Record]) -> list[Any]:
    """Return the cotangents of records, and remove them."""
    found = [start.cotangent for start in starts]
    for start in starts:
        start.cotangent = None
    return found


def pair_of(name: str, rule: Any, pair: Any) -> tuple[list[Any], list[Any], _tree.PyTreeDef]:
    """Return the leaves of the values and the tangents that a rule returns."""
    named = getattr(rule, "__name__", str(rule))
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise TypeError(
            f"Custom JVP rule {named} for function {name} must produce a pair (list or tuple of length two) representing "
            f"primal and tangent outputs, but got {pair}."
        )
    ys, structure = _tree.flatten(pair[0])
    ts, other = _tree.flatten(pair[1])
    if structure != other:
        raise TypeError(
            f"Custom JVP rule {named} for function {name} must produce primal and tangent outputs with equal container "
            f"(pytree) structures, but got {structure} and {other} respectively."
        )
    ys = [as_leaf(y) for y in ys]
    ts = [zero_of(y) if type(t) is SymbolicZero else t for y, t in zip(ys, ts, strict=True)]
    for y, t in zip(ys, ts, strict=True):
        found = as_leaf(t) if differentiable(y) else y
        if found.shape != y.shape or found.dtype != y.dtype:
            raise TypeError(
                "Custom JVP rule must produce primal and tangent outputs with equal shapes and dtypes, but got "
                f"{y.dtype}{list(y.shape)} and {found.dtype}{list(found.shape)} respectively."
            )
    return ys, ts, structure


def forward_pair(name: str, forward: Any, pair: Any) -> Any:
    """Return the pair of the value and what is kept that a forward rule returns."""
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise TypeError(
            f"Custom VJP fwd rule {getattr(forward, '__name__', forward)} for function {name} must produce a pair (list "
            "or tuple of length two) where the first element represents the primal output (equal to those of the "
            f"custom_vjp-decorated function {name}) and the second element represents residuals (i.e. values stored "
            f"from the forward pass for use on the backward pass), but instead of a pair the fwd rule output {pair}."
        )
    return pair


def by_vjp(level: Level, function: Any, leaves: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a `custom_vjp` function, whose rules compute the value and carry cotangents back."""
    if level.tape is None and "checkpoint" not in active.swaps:
        raise TypeError("can't apply forward-mode autodiff (jvp) to a custom_vjp function.")
    call = _call_of(level, function, leaves, "custom_vjp")
    forward, backward = call.rule("custom_vjp", "fwd"), call.rule("custom_vjp", "bwd")
    if level.tape is None:  # what is carried back is computed by a tape around it
        return forward(*call.args)[0]
    symbolic = call.custom.symbolic_zeros
    given = [call.stripped(i) for i in range(len(call.args))]
    if symbolic:
        for i in call.others:
            given[i] = mapped(lambda x: CustomVJPPrimal(stripped(level, x), level.holds(x)), call.args[i])
    with swapping({level: call.refuse}):
        out, kept = forward_pair(call.name, forward, forward(*given))
    if isinstance(level.memory, Copies):
        kept = mapped(level.memory.of, kept)
        level.memory.called_again(call.name, backward)
    ys, structure = _tree.flatten(out)
    ys = [as_leaf(y) for y in ys]
    call.check(ys)
    trees = tuple([call.args[i] for i in call.others])
    operands = list(filter(level.holds, _tree.flatten(trees)[0]))

    def pull(cotangents: list[Any]) -> list[Any]:
        cts = [_zero(y, symbolic) if ct is None else ct for y, ct in zip(ys, cotangents, strict=True)]
        found = backward(*call.constant, kept, structure.unflatten(cts))
        pairs = zip(*_matched(trees, found), strict=True)
        return [_cotangent(call.name, x, ct) for x, ct in pairs if level.holds(x)]

    with swapping({level: call.refuse}):
        return structure.unflatten(level.joint(ys, operands, pull))


def _matched(args: tuple[Any, ...], found: Any) -> tuple[list[Any], list[Any]]:
    """Return the leaves of arguments, and for each what a backward rule returns; its None is for all leaves below it."""
    leaves, structure = _tree.flatten(args)
    try:
        given, shape = _tree.flatten(tuple(found) if isinstance(found, list) else found, is_leaf=lambda x: x is None)
        rows = list(map(_spread, shape.flatten_up_to(args), given))
    except ValueError:
        raise TypeError(
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the "
            "primal function, and in particular must produce a tuple of length equal to the number of arguments to the primal "
            f"function, but got bwd output structure {_tree.flatten(found)[1]} for primal input structure {structure}."
        ) from None
    return leaves, [ct for row in rows for ct in row]


def _spread(arg: Any, ct: Any) -> list[Any]:
    """Return the cotangents of the leaves of an argument, or of a part of it."""
    structure = _tree.flatten(arg)[1]
    if ct is not None and structure != _tree.LEAF:
        raise ValueError
    return [ct] * structure.num_leaves


def _cotangent(name: str, x: Dual, given: Any) -> Any:
    """Return a cotangent after a check of its shape, None for zeros; its dtype is the rule's."""
    if given is None or type(given) is SymbolicZero:
        return None
    ct = as_leaf(given)
    if ct.shape != x.shape:
        raise ValueError(
            "Custom VJP bwd rule must produce an output with the same type as the args tuple of the primal function, "
            f"but the bwd rule of {name} produced an output of type {ct.dtype}{list(ct.shape)} corresponding to an "
            f"input of type {x.primal.dtype}{list(x.shape)}, so the shapes do not match."
        )
    return ct


# -- operands in closures -----------------------------------------------------------------------------------------------------


class Captured:
    """The operands of a level that a function takes from its closure, in the order of their first use."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.operands: list[Dual] = []
        self._places: dict[int, int] = {}

    def found(self, taken: Callable[[Dual], Any] = lambda x: x.primal) -> AbstractContextManager[None]:
        """Find them, and have calls take their values, or what a function makes of them."""

        def value(x: Dual) -> Any:
            if id(x) not in self._places:
                self._places[id(x)] = len(self.operands)
                self.operands.append(x)
            return taken(x)

        return swapping({self.level: value})

    def replaced_by(self, values: Any) -> AbstractContextManager[None]:
        """Have calls take other values in place of them."""

        def value(x: Dual) -> Any:
            return values[self._places[id(x)]] if id(x) in self._places else x.primal

        return swapping({self.level: value})

    def leaf(self, x: Any) -> Any:
        """Return what takes the place of a leaf of a result that is one of them, also in batches."""
        swap = active.swaps.get(self.level)
        return x if swap is None else in_batches(lambda x: swap(x) if self.level.holds(x) else x, x)


def without(level: Level, fun: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that computes with values in place of the operands of a level, also of those in its closure."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with swapping({level: lambda x: x.primal}):
            found = fun(*value_of(level, args), **value_of(level, kwargs))
        return value_of(level, found)

    return call


def value_of(level: Level, tree: Any) -> Any:
    """Return a tree without the tangents of a level, which may be in batches."""
    return mapped(partial(in_batches, partial(stripped, level)), tree)


def level_of(tree: Any) -> Level | None:
    """Return the innermost level of the leaves of a tree, which may be in batches."""
    levels = [x.level for x in map(innermost, _tree.flatten(tree)[0]) if type(x) is Dual and type(x.level) is not Marks]
    return max(levels, key=lambda level: level.number, default=None)
