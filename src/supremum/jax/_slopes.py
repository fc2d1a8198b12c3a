"""Rules for derivatives: how each function carries tangents forward and cotangents back.

Most follow from the facts at the head of a function: its slopes, that it moves elements, is constant, is composed or has
parts. The tables have those that are code of their own. A rule says for an operand a *push*, which is linear in the tangent;
where it says no *pull*, the push is taped.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
import operator
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.facts import facts_of, operands_of, original_of
from supremum._base.functions import takes_over
from supremum._names import homes
from supremum.jax import _tree
from supremum.jax._batch_rules import names_of
from supremum.jax._batching import with_node
from supremum.jax._dual import (
    SEQUENCES,
    Dual,
    Level,
    Marks,
    Rule,
    Strong,
    as_node,
    differentiable,
    duals,
    find,
    like,
    rebuilt,
    replaced,
    strengthened,
    stripped,
    times,
)
from supremum.jax._values import places_in, taken
from supremum.jax.errors import NonlinearError
from supremum.promotion._nodes import Node

#: A name in a slope, which is no attribute.
_NAME: Final = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
#: The types of Python numbers that slopes take as they are, except zeros.
_NUMBERS: Final = frozenset({int, float, complex})
#: The rules of functions, by their names with those of their namespaces.
RULES: Final[dict[str, Rule]] = {}


def rows(rule: Rule, names: str) -> None:
    """Add the rule of functions to the table."""
    RULES.update(dict.fromkeys(names.split(), rule))


def rule_of(function: Any) -> Rule:
    """Return the rule of a function, which sees no weak operands together with strong ones in functions of `lax`."""
    rule = _rule_of(function)
    if not function.name.startswith("lax.") or rule in (constant, of_values):
        return rule
    return composed_in_lax if rule is composed else functools.partial(_unconverted, rule)


def _rule_of(function: Any) -> Rule:
    """Return the rule of a function: its own, as an attribute or in the table, or that which follows from its facts."""
    found = getattr(function, "derived", None) or RULES.get(function.name)
    if found is not None:
        return found
    facts = facts_of(function)
    if facts.slope:
        return slopes(function)
    if facts.constant:
        return constant
    if facts.moving:
        return moving
    if facts.same:
        return _rule_of(original_of(function))
    if function.kind == "composed":
        return composed
    if facts.parts is not None:
        return by_parts(facts.parts)
    return constant if function.kind == "conversion" else of_values


find.append(rule_of)


# -- kinds of rules -----------------------------------------------------------------------------------------------------------


def primal(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function with the values of operands."""
    return function(*stripped(level, args), **stripped(level, kwargs))


def constant(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of which no result changes with the operands; it is not linear in tangents."""
    found = primal(level, function, args, kwargs)
    if level.tape is None or not level.moves(found) or type(getattr(found, "level", None)) is not Marks:
        return found
    return level.refusing(
        found, NonlinearError(f"{function.name}: it is not linear in the tangents, and cannot be carried back")
    )


def of_values(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function without a rule, whose results are constants if they are not floating."""
    found = primal(level, function, args, kwargs)
    for y in _tree.flatten(found)[0]:
        if differentiable(y):
            raise NotImplementedError(
                f"{function.name}: there is no rule for its derivative; jax.custom_jvp gives it one, and "
                "jax.lax.stop_gradient makes its operand a constant"
            )
    return found


def composed(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Look through a function that is written in public functions, of which narrow values are rounded alike."""
    return function.definition(*args, **kwargs)


def _unconverted(rule: Rule, level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a rule with strong operands in place of weak ones, if others are: `lax` converts none, and so their cotangents."""
    if level.tape is not None and len(args) > 1:
        nodes = {x._node for x in args if isinstance(x, Array)}
        args = tuple([strengthened(x) if level.holds(x) and x._node.strong in nodes else x for x in args])
    return rule(level, function, args, kwargs)


composed_in_lax: Final = functools.partial(_unconverted, composed)


def by_parts(parts: Callable[..., Any]) -> Rule:
    """Return the rule of a function that has a second definition in public functions."""

    def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        found = parts(xp, *map(_own, args), **{key: _own(x) for key, x in kwargs.items()})
        if found is NotImplemented:
            return of_values(level, function, args, kwargs)
        return valued(level, found, function, args, kwargs)

    return rule


def _own(x: Any) -> Any:
    """Return an array of NumPy's as one of this package, as formulas take it."""
    return xp.asarray(x) if isinstance(x, np.ndarray) else x


def valued(level: Level, found: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return results with the tangents of one definition and the values of another one."""
    return grafted(level, primal(level, function, args, kwargs), found)


def grafted(level: Level, y: Any, x: Any) -> Any:
    """Return a value with the tangent of another one, in the dtype of the value; also of several."""
    if isinstance(x, SEQUENCES):
        return rebuilt(y, [grafted(level, *pair) for pair in zip(y, x, strict=True)])
    if not level.holds(x):
        return y
    if x.primal._node is y._node:
        return Dual(level, y, x.tangent)
    return Dual(level, y, like(x.tangent, y)) if level.tape is None else level.taped(y, [(x.tangent, 1)])


def jax() -> Any:
    """Return the namespace `jax`, which is not whole while this module is imported."""
    space: Any = xp
    return space.jax


def _named(name: str) -> Any:
    """Return what has a name in slopes; its module is imported only now."""
    if name in ("lax", "special"):
        return jax().lax if name == "lax" else jax().scipy.special
    if name == "strong":
        return functools.partial(Strong, operator.mul)
    return getattr(xp if name in homes() else builtins if hasattr(builtins, name) else jax().scipy.special, name)


def slopes(function: Any) -> Rule:
    """Return the rule of an elementwise function by the factors at its head."""
    given = facts_of(function).slope
    texts = (given,) if isinstance(given, str) else given
    names = operands_of(function)
    factors = tuple([_factor(text, ", ".join(["out", *names])) for text in texts])
    count = len(names)
    if function.fast == "elementwise" and None not in factors:  # the engine records what is plain
        square = (_factor("x1 + x1", "out, x1, x2"),) if texts == ("x2", "x1") else ()  # a cotangent times x, twice
        function.operation.factors = factors + square

    def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if kwargs or len(args) != count:
            bound = function.bound(args, kwargs)
            kwargs = {key: x for key, x in bound.items() if key not in names and x is not None}
            args = tuple([bound[name] for name in names])
        xs = [x.primal if type(x) is Dual and x.level is level else x for x in args]
        if all(map(operator.is_, xs, args)):  # they are in lists
            return function.definition(*args, **kwargs)
        y = function(*xs, **kwargs)
        if y._node.kind not in level.kinds:
            return y
        parents: list[Any] = []
        xs = [_in_slope(x, y._node) for x in xs]
        for x, factor in zip(args, factors, strict=False):
            if type(x) is Dual and x.level is level:
                if factor is None:
                    raise NotImplementedError(f"{function.name}: there is no derivative by {names[len(parents)]}")
                parents.append((x.tangent, factor(y, *xs) if callable(factor) else factor))
        return level.scaled(y, parents)

    return rule


def _in_slope(x: Any, node: Node) -> Any:
    """Return an operand as slopes take it, which divide by it: not a Python zero, no bool and nothing of NumPy's."""
    kind = type(x)
    if kind is not Array:
        if x if kind in _NUMBERS else takes_over(x):
            return x
        x = xp.asarray(x)
    return as_node(x, node) if x._node.kind == "b" else x


def _factor(text: str, arguments: str) -> Any:
    """Return a factor of its text: None, a number, or a function of the result and the operands."""
    if not text:
        return None
    if text.lstrip("-").isdigit():
        return int(text)
    code = compile(f"lambda {arguments}: {text}", __file__, "eval")  # calls in it are those of the user's line
    names = {*_NAME.findall(text)} - {*arguments.split(", ")}
    return eval(code, {**{name: _named(name) for name in names}, "__name__": __name__})  # noqa: S307 - text at the heads of our own functions


def by_name(rule: Callable[..., dict[str, Any]], names: str) -> None:
    """Add a rule of the result and of the arguments by name: for operands by name, a push, or a push and a pull."""

    def call(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = function.bound(args, kwargs)
        y = function(*stripped(level, args), **stripped(level, kwargs))
        maps = rule(function, y, stripped(level, given))
        parts = []
        for name, x in given.items():
            if type(x) is Dual and x.level is level:
                if name not in maps:
                    raise NotImplementedError(f"{function.name}: there is no derivative by {name}")
                how = maps[name]
                parts.append((x, *how) if isinstance(how, tuple) else (x, how, None))
        return level.result(y, parts)

    rows(call, names)


def pushes(names: str) -> Callable[[Callable[..., dict[str, Any]]], None]:
    """Decorate a rule as `by_name` takes it."""
    return lambda rule: by_name(rule, names)


class Shaped:
    """The shape and the node of an operand: a tape need not hold its elements."""

    __slots__ = ("_node", "ndim", "shape")

    def __init__(self, x: Array) -> None:
        self.shape, self.ndim, self._node = x.shape, x.ndim, x._node


def linear(names: str, pull: Callable[..., Any]) -> None:
    """Add functions that are linear in their first operand: `pull(cotangent, x, **arguments)` is the transposed function."""

    def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            found = _rest(function, *kwargs.items()) if len(args) == 1 and type(args[0]) is Dual else None
        except TypeError:  # of arrays among the others
            found = None
        if found is not None:
            (operand,), (name, rest) = args, found
            y = function(operand.primal, **kwargs)
        else:
            rest = function.bound(args, kwargs)
            name = next(iter(rest))
            operand = rest.pop(name)
            if duals(level, rest):
                if other := next((key for key, x in rest.items() if level.holds(x)), None):
                    raise NotImplementedError(f"{function.name}: there is no derivative by {other}")
                rest, args, kwargs = stripped(level, rest), stripped(level, args), stripped(level, kwargs)
            elif args:
                args = (stripped(level, operand), *args[1:])
            else:
                kwargs = kwargs | {name: stripped(level, operand)}
            y = function(*args, **kwargs)
        if type(operand) is not Dual or operand.level is not level or y._node.kind not in level.kinds:
            return y
        if level.tape is not None:
            x = Shaped(operand.primal) if type(operand.primal) is Array else operand.primal
            return level.taped(y, ((operand.tangent, lambda ct: pull(ct, x=x, **rest)),))
        tangent = called(function, {name: operand.tangent, **rest}) if found is None else function(operand.tangent, **kwargs)
        return Dual(level, y, like(tangent, y))

    rows(rule, names)


@functools.lru_cache(maxsize=1000)
def _rest(function: Any, *given: tuple[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the name of the first argument, and the others, of which some are given by name."""
    bound = function.bound((None,), dict(given))
    name = next(iter(bound))
    return name, {key: x for key, x in bound.items() if key != name}


def by_position(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], count: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:  # fmt: skip
    """Return the arguments of a call, at least `count` of them by position."""
    if len(args) >= count:
        return args, kwargs
    first = list(function.bound(args, kwargs).items())[:count]
    return tuple([x for _, x in first]), {key: x for key, x in kwargs.items() if key not in dict(first)}


def called(function: Any, given: dict[str, Any]) -> Any:
    """Call a function with its arguments by name."""
    first = names_of(function)
    return function(*[given[name] for name in first], **{key: x for key, x in given.items() if key not in first})


def moving(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Move tangents as elements are moved; back, add cotangents where the elements came from."""
    operands = duals(level, (args, kwargs))
    y = function(*stripped(level, args), **stripped(level, kwargs))
    if not any(map(level.moves, y if isinstance(y, SEQUENCES) else [y])):
        return y
    filled = {"fill_value": 0} if function.bound(args, kwargs).get("fill_value", 0) is None else {}

    def moved(values: dict[int, Any], other: Callable[[Any], Any]) -> Any:
        given, words = (replaced(x, values, other) for x in (args, kwargs | filled))
        return function(*given, **words)

    mixed = _has_integers(function, args, kwargs)

    def call(values: dict[int, Any], other: Callable[[Any], Any]) -> Any:
        found = moved(values, other)
        if not mixed:
            return found
        # Integers may be indices, or elements: those are subtracted again.
        fixed = moved({key: xp.zeros_like(x) for key, x in values.items()}, other)
        return rebuilt(found, list(map(xp.subtract, found, fixed))) if isinstance(found, SEQUENCES) else found - fixed

    if level.tape is None:
        return level.result(y, [(x, None, None) for x in operands], lambda: call({id(x): x.tangent for x in operands}, _still))
    # Positions, numbered from 1 over all operands; fillers are 0.
    ends = list(itertools.accumulate([x.size for x in operands], initial=1))
    places = {
        id(x): xp.reshape(xp.asarray(np.arange(a, b, dtype=np.int32)), x.shape)
        for x, a, b in zip(operands, ends, ends[1:], strict=False)
    }
    index = _flat(call(places, _nowhere))

    def pull(cotangent: Any, start: int, x: Any) -> Any:
        ct = _flat(cotangent)
        sources = sources_of()
        if sources is None:
            found = xp.zeros((ends[-1],), dtype=ct.dtype).at[index].add(ct)[start : start + x.size]
        else:
            found = taken(ct, sources[start : start + x.size])
        return xp.reshape(found, x.shape)

    sources_of = functools.cache(functools.partial(places_in, index, ends[-1]))
    parts = [(x, unused, lambda ct, a=a, x=x: pull(ct, a, x.primal)) for x, a in zip(operands, ends, strict=False)]
    return level.result(y, parts)


def _has_integers(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether integers are among the arguments that are arrays."""
    given = function.bound(args, kwargs)
    leaves = _tree.flatten([given.get(name) for name in operands_of(function)])[0]
    return any(x._node.kind in "biu" if isinstance(x, Array) else isinstance(x, int | np.integer | np.ndarray) for x in leaves)


def unused(_tangent: Any) -> Any:
    raise AssertionError("a tape pulls")


def _still(x: Any) -> Any:
    """Return zeros in place of floating arrays and numbers, which are constants."""
    return 0.0 if isinstance(x, float | complex) else xp.zeros_like(x) if _is_floating(x) else x


def _is_floating(x: Any) -> bool:
    """Return whether an argument is an array of floating-point numbers, also one of NumPy's."""
    if isinstance(x, np.ndarray | np.generic) and x.dtype.kind not in "biuOSU":
        x = xp.asarray(x)
    return differentiable(x)


def _nowhere(x: Any) -> Any:
    """Return the position of fillers, 0, in place of floating arrays and numbers, which are constants."""
    return xp.zeros(np.shape(x), dtype="int32") if isinstance(x, float | complex) or _is_floating(x) else x


def _flat(x: Any) -> Any:
    return xp.concatenate([xp.ravel(one) for one in x]) if isinstance(x, SEQUENCES) else xp.ravel(x)


# -- elementwise functions that are no factors --------------------------------------------------------------------------------


def where(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Select tangents."""
    if len(args) != 3:
        return constant(level, function, args, kwargs)
    condition, *xs = stripped(level, args)
    y = function(condition, *xs)
    parts = []
    for first, x in zip((True, False), args[1:], strict=True):
        if level.holds(x):

            def select(t: Any, first: bool = first) -> Any:
                return xp.where(condition, t, 0) if first else xp.where(condition, 0, t)

            parts.append((x, select, select))
    return level.result(y, parts)


rows(where, "where")
rows(constant, "lax.stop_gradient")


def _part(function: Any, _y: Any, given: dict[str, Any]) -> dict[str, Any]:
    ((name, x), *_) = given.items()
    how: Any = Strong if x._node.kind == "c" else functools.partial
    part, factor = (xp.real, 1) if function.name.endswith("real") else (xp.imag, -1j if how is Strong else 0)
    return {name: (part, how(lambda ct: as_node(times(ct, factor), x._node)))}


by_name(_part, "real imag lax.real lax.imag")


def _abs(_function: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
    ((name, x), *_) = given.items()
    how: Any = Strong if x._node.kind == "c" else functools.partial
    factor = xp.conj(x) / xp.where(y == 0, 1, y) if how is Strong else xp.where(x >= 0, 1, -1)
    return {name: (lambda t: xp.real(t * factor), how(lambda ct: ct * factor))}


by_name(_abs, "abs lax.abs")


def _by_exponent(y: Any, x: Any) -> Any:
    """Return the slope of a power by its exponent."""
    return y * xp.log(xp.where(x == 0, 1, x))


def _pow(function: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
    (first, x), (second, n), *_ = given.items()
    floating = isinstance(n, float | complex) or (isinstance(n, Array) and n._node.kind in "fc")
    strong = function.name == "lax.pow" or (y._node.weak and (floating or function.name == "float_power"))
    how: Any = Strong if strong else functools.partial
    power = with_node(xp.asarray(n), y._node.strong) if strong and (floating or isinstance(n, int)) else n
    if isinstance(n, int):
        by_base = 0 if n == 0 else n if n == 1 else n * (x if n == 2 else x ** (power - 1))
    elif floating:
        by_base = power * x ** (power - 1)
    else:
        by_base = xp.where(n == 0, 0, n * x ** xp.where(n == 0, 1, n - 1))
    found: dict[str, Any] = {first: (lambda t: t * by_base, how(lambda ct: ct * by_base))}
    if floating and isinstance(n, Array):
        by_power = _by_exponent(y, x)
        found[second] = (lambda t: t * with_node(by_power, y._node.strong), lambda ct: ct * by_power)
    return found


by_name(_pow, "pow float_power lax.pow lax.integer_pow")


def _by_base(out: Any, x: Any, n: Any) -> Any:
    """Return the factor of the base, where cotangents need no care: the engine's, which else calls the rule."""
    if type(n) is int:
        return NotImplemented if n == 1 else n * (x if n == 2 else x ** (n - 1))
    if out._node.weak or not (type(n) is float or n._node.kind in "fc"):
        return NotImplemented
    return n * x ** (n - 1)


def _by_power(out: Any, x: Any, n: Any) -> Any:
    """Return the factor of the exponent, likewise."""
    return NotImplemented if out._node.weak or n._node.kind not in "fc" else _by_exponent(out, x)


_power: Any = xp.pow
_power.operation.factors = (_by_base, _by_power)


linear("astype broadcast_to lax.convert_element_type", lambda ct, **_: ct)
linear("copy", lambda ct, **_: xp.copy(ct))

# -- reductions ---------------------------------------------------------------------------------------------------------------


def spread(ct: Any, x: Any, axis: Any, keepdims: Any = False) -> Any:
    """Broadcast what is left by a reduction back to the shape of its operand."""
    if axis is not None and not keepdims:
        kept = list(x.shape)
        for i in axis if isinstance(axis, SEQUENCES) else (axis,):
            kept[i] = 1
        ct = xp.reshape(ct, tuple(kept))
    return xp.broadcast_to(ct, x.shape)


def masked(x: Any, where: Any, other: int = 0) -> Any:
    return x if where is None else xp.where(where, x, other)


linear("sum", lambda ct, x, axis, keepdims, where, **_: masked(spread(ct, x, axis, keepdims), where))
_unstarted_sum: Final = RULES["sum"]


def _sum(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Add what a sum starts with, which does not move with the elements."""
    given = function.bound(args, kwargs) if len(args) > 5 else kwargs  # the sixth argument, or one by name
    if (start := given.get("initial")) is None:
        return _unstarted_sum(level, function, args, kwargs)
    rest = function.bound(args, kwargs) | {"initial": None}
    return valued(level, xp.sum(**rest) + start, function, args, kwargs)


rows(_sum, "sum")
linear("lax.reduce_sum", lambda ct, x, axes, **_: spread(ct, x, tuple(axes)))


def _mean_back(ct: Any, x: Any, axis: Any, keepdims: Any, where: Any, **_: Any) -> Any:
    if where is None:
        return spread(ct / (math.prod(x.shape) // max(ct.size, 1)), x, axis, keepdims)
    count = xp.sum(xp.broadcast_to(where, x.shape), axis=axis, keepdims=keepdims)
    return masked(spread(ct / count, x, axis, keepdims), where)


linear("mean", _mean_back)


def _extreme(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    axis, keep, x, where = g["axis"], g["keepdims"], g["a"], g["where"]
    most = spread(y, x, axis, keep)
    hit = xp.astype(masked(x == most, where), y.dtype)
    count = xp.sum(hit, axis=axis, keepdims=True)  # 0 where the extreme is NaN, as the slope is
    if g["initial"] is not None:  # an element more, of which the others count as one
        hit, count = hit * xp.where(most == g["initial"], 0.5, 1), xp.maximum(count, ~xp.isnan(most))
    hit = hit / count
    return {
        "initial": lambda t: t * (1 - xp.sum(hit, axis=axis, keepdims=keep)),
        "a": (lambda t: xp.sum(t * hit, axis=axis, keepdims=keep, where=where), lambda ct: spread(ct, x, axis, keep) * hit),
    }


by_name(_extreme, "max min")


@pushes("prod")
def _prod(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    axis, keep, where, x = g["axis"], g["keepdims"], g["where"], masked(g["a"], g["where"], 1)
    others = _others(x, axis) if g["initial"] is None else _others(x, axis) * g["initial"]
    others = masked(others, where)
    return {
        "initial": lambda t: t * xp.prod(x, axis=axis, keepdims=keep),
        "a": (
            lambda t: xp.sum(t * others, axis=axis, keepdims=keep, where=where),
            lambda ct: spread(ct, x, axis, keep) * others,
        ),
    }


def _others(x: Any, axis: Any) -> Any:
    """Return for each element the product of all others, also where there are zeros."""
    every = range(x.ndim)
    axes = every if axis is None else [every[i] for i in (axis if isinstance(axis, SEQUENCES) else (axis,))]
    rest = [i for i in every if i not in axes]
    moved = xp.permute_dims(x, (*rest, *axes))
    rows_ = xp.reshape(moved, (*[x.shape[i] for i in rest], math.prod([x.shape[i] for i in axes])))
    before = xp.cumprod(rows_[..., :-1], axis=-1)
    after = xp.flip(xp.cumprod(xp.flip(rows_, -1)[..., :-1], axis=-1), -1)
    found = xp.concatenate([after[..., :1], before[..., :-1] * after[..., 1:], before[..., -1:]], axis=-1)
    found = xp.ones_like(rows_) if rows_.shape[-1] < 2 else found
    return xp.permute_dims(xp.reshape(found, moved.shape), _inverse((*rest, *axes)))


def _cumsum_back(ct: Any, x: Any, axis: Any = None, **_: Any) -> Any:
    along = 0 if axis is None else axis
    return xp.reshape(xp.flip(xp.cumsum(xp.flip(ct, along), along), along), x.shape)


linear("cumsum", _cumsum_back)


@pushes("cumprod")
def _cumprod(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    x, axis = (xp.ravel(g["a"]), 0) if g["axis"] is None else (g["a"], g["axis"])
    x = as_node(x, y._node)

    def push(t: Any) -> Any:
        # c_k = c_(k-1) x_k, and its tangent, by an associative scan: also right where there are zeros.
        from supremum.jax import lax

        t = as_node(xp.reshape(t, x.shape), y._node)
        return lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + a[0] * b[1]), (x, t), axis=axis)[1]

    return {"a": push}


def _sorted(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    given = function.bound(args, kwargs)
    x, axis = next(iter(given.values())), given["axis"]
    flat, along = (xp.ravel(x), 0) if axis is None else (x, axis)
    options = {key: given[key] for key in ("descending", "stable") if key in given}
    return xp.take_along_axis(flat, xp.argsort(stripped(level, flat), axis=along, **options), axis=along)


rows(_sorted, "sort")


# -- positions ----------------------------------------------------------------------------------------------------------------

linear(
    "reshape ravel",
    lambda ct, x, order="C", **_: xp.reshape(ct, x.shape, order="F") if order == "F" else xp.reshape(ct, x.shape),
)
linear("expand_dims squeeze lax.squeeze lax.expand_dims", lambda ct, x, **_: xp.reshape(ct, x.shape))


def _unshaped(ct: Any, x: Any, dimensions: Any = None, **_: Any) -> Any:
    """Carry a cotangent back through a permutation of axes and another shape."""
    if dimensions is None:
        return xp.reshape(ct, x.shape)
    return xp.transpose(xp.reshape(ct, tuple([x.shape[i] for i in dimensions])), _inverse(dimensions))


def _rounded(ct: Any, *bits: int) -> Any:
    return import_module("supremum.jax.lax").reduce_precision(ct, *bits)  # which is above this module


linear("lax.reshape", _unshaped)
linear("lax.reduce_precision", lambda ct, exponent_bits, mantissa_bits, **_: _rounded(ct, exponent_bits, mantissa_bits))
linear("transpose permute_dims", lambda ct, axes=None, **_: xp.transpose(ct, None if axes is None else _inverse(axes)))
linear("conj lax.conj", lambda ct, **_: xp.conj(ct))
linear("matrix_transpose", lambda ct, **_: xp.matrix_transpose(ct))
linear("swapaxes", lambda ct, axis1, axis2, **_: xp.swapaxes(ct, axis1, axis2))
linear("moveaxis", lambda ct, source, destination, **_: xp.moveaxis(ct, destination, source))
linear("flip", lambda ct, axis, **_: xp.flip(ct, axis))
linear("tril", lambda ct, k, **_: xp.tril(ct, k))
linear("triu", lambda ct, k, **_: xp.triu(ct, k))


def _inverse(axes: Any) -> tuple[int, ...]:
    order = [axis % len(axes) for axis in axes]
    return tuple([order.index(i) for i in range(len(order))])


def as_array(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Convert an operand, or join those of a list, in which Python's numbers have no dtype of their own."""
    given = function.bound(args, kwargs)
    x, dtype = next(iter(given.values())), given.get("dtype")
    if not isinstance(x, SEQUENCES):
        found = x if dtype is None else xp.astype(x, dtype)
        return xp.copy(found) if given.get("copy") and found is x else found
    common = None if all(isinstance(one, Array) for one in x) else xp.result_type(*_tree.flatten(x)[0])
    found = xp.stack([one if isinstance(one, Array) else xp.asarray(one, dtype=common) for one in x])
    return with_node(found, found._node.strong) if dtype is None else xp.astype(found, dtype)


rows(as_array, "asarray array")


def in_place(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Compute the result of an in-place operator, which takes the place of its operand."""
    return getattr(xp, "matmul" if function.operation is None else function.operation.name)(*args)


for _name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]:
    rows(in_place, f"i{_name}")
