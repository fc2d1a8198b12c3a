"""What runs around public functions where a promotion system or an observer requires it; nowhere else.

Elementwise functions and operators need nothing of this: what a system makes of their operands is part of their plans. Other
functions have their operands cast to what the system makes of them before they begin, and report to the observer what became
of their dtypes when they are done.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final

import numpy as np

from supremum._base.facts import label_of
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array
from supremum._core.settings import State, reported, state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, node_of_dtype
from supremum.promotion._roles import Rule

#: The roles of the functions of whole namespaces.
_NAMESPACES: Final = {"linalg": "linalg", "fft": "transform"}
#: Kinds of functions without rules: they compute nothing, or what plans know.
_UNRULED: Final = frozenset({"conversion", "in-place", "index", "update"})
#: Conversions that are requested by name.
_EXPLICIT: Final = frozenset({"astype", "asarray", "array", "view", "load"})


def role_of(function: Any) -> str:
    """Return the role of a public function, by which systems say what an operand becomes; empty if it has none."""
    row = getattr(function, "row", None)
    if row is not None:
        return str(row.rule.result.role)
    space, dot, _ = label_of(function).partition(".")
    return getattr(function, "role", "") or (_NAMESPACES.get(space, "") if dot else "")


def by_rules(public: Any, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the definition of a public function as the state in force requires it."""
    if public.kind in _UNRULED or (public.kind == "elementwise" and hasattr(public, "row")):
        return function(*args, **kwargs)
    current = state()
    call = _by_roles if current.observer is None or reported.get() is not None else _observed
    return call(current, function, label_of(public), role_of(public), args, kwargs)


# -- the rules of a system ----------------------------------------------------------------------------------------------------


def _by_roles(
    current: State, function: Callable[..., Any], name: str, role: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function with operands of the dtypes that the system makes of them."""
    if current.roles is None:
        return function(*args, **kwargs)
    rule, rules = current.roles.operand_rule(name, role), current.roles.result_rules(name, role)
    if (rule is None and not rules) or _has_dtype(function, args, kwargs):
        return function(*args, **kwargs)
    looks = (rule is not None and rule.join) or any(one.of for one in rules)
    nodes = [current.truncate(x._node) for x in arrays_in((*args, *kwargs.values()))] if looks else []
    common = _common(current, nodes, elementwise=rule is not None and rule.elementwise)
    if rule is not None:
        becomes = _one_for_all(rule, common, nodes) if rule.join else rule.follow
        args = tuple(_becomes(x, becomes, current) for x in args)
        kwargs = {key: x if key == "where" else _becomes(x, becomes, current) for key, x in kwargs.items()}  # a mask stays
    result = function(*args, **kwargs)
    return _given_as(result, rules, common, current, kept=1 if name.startswith("unique") else 0) if rules else result


def _common(current: State, nodes: list[Node], *, elementwise: bool) -> Node | None:
    """Return the node to which the operands promote; None if they do not."""
    try:
        if elementwise and len(nodes) == 2:
            return current.common(nodes[0], nodes[1], current.functions)
        return current.common_of_all(nodes) if nodes else None
    except TypeError:  # which the function raises
        return None


def _one_for_all(rule: Rule, common: Node | None, nodes: list[Node]) -> Callable[[Node], Node]:
    """Return what makes of every operand's node what a rule makes of that to which they promote."""
    differ = rule.alike and len({node.strong for node in nodes}) > 1
    if common is None or differ or (rule.case(common) is None and not rule.elementwise):
        return lambda node: node
    target = rule.follow(common)
    return lambda _: target


def _given_as(result: Any, rules: tuple[Rule, ...], common: Node | None, current: State, kept: int) -> Any:
    """Return the results of a function in the dtypes that rules make of theirs; the first ones may be kept as they are."""
    if not isinstance(result, tuple | list):
        return result if kept else _becomes(result, lambda node: rules[0].result(node, common), current)
    # The values of sets come before their positions and counts.
    several = rules if len(rules) > 1 else rules * (len(result) + 1)
    given = [
        one if i < kept else _becomes(one, partial(several[min(i, len(several) - 1)].result, common=common), current)
        for i, one in enumerate(result)
    ]
    return type(result)(*given) if hasattr(result, "_fields") else type(result)(given)


def _has_dtype(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether a call names the dtype of its result."""
    if kwargs.get("dtype") is not None:
        return True
    position = _position_of_dtype(function)
    return position is not None and position < len(args) and args[position] is not None


@cache
def _position_of_dtype(function: Callable[..., Any]) -> int | None:
    """Return the position of the argument `dtype`; None if it has none, or is given by name only."""
    parameters = inspect.signature(function).parameters
    if "dtype" not in parameters or parameters["dtype"].kind is inspect.Parameter.KEYWORD_ONLY:
        return None
    return list(parameters).index("dtype")


def _becomes(x: Any, becomes: Callable[[Node], Node], current: State) -> Any:
    """Return an array in the dtype that a rule makes of its own, those of a sequence likewise; other objects as they are."""
    if isinstance(x, tuple | list) and len(x) <= 64 and any(type(one) is Array for one in x) and not hasattr(x, "_fields"):
        return type(x)(_becomes(one, becomes, current) for one in x)
    if isinstance(x, np.ndarray) and node_of_dtype(x.dtype) is not None:
        x = as_array(x)
    if type(x) is not Array or x._node.kind == "k":
        return x
    node = becomes(current.truncate(x._node))
    return x if node is x._node else wrap(cast(x._data, node), node)


# -- observers ----------------------------------------------------------------------------------------------------------------


def _observed(
    current: State, function: Callable[..., Any], name: str, role: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function, and report to the observer what became of the dtypes of its operands if nothing inside did."""
    seen: list[Node] = []
    token = reported.set(seen)
    try:
        result = _by_roles(current, function, name, role, args, kwargs)
    finally:
        reported.reset(token)
    everything = getattr(current.observer, "everything", False)
    if not everything and (name in _EXPLICIT or kwargs.get("dtype") is not None):
        return result
    given = tuple(arrays_in(args)) + tuple(arrays_in(tuple(kwargs.values())))
    nodes = tuple(x._node for x in given)
    dtypes = {node.dtype for node in nodes}
    results = list(arrays_in((result,)))
    # The rank of a floating solution is a count as well.
    fixed = role == "position" or any(made._node.kind in "fc" for made in results)
    for made in results:
        node = made._node
        kept = node.dtype in dtypes and not everything
        if node.kind in "bk" or kept or (not everything and (not nodes or (fixed and node.kind in "iu"))):
            continue
        if node.dtype not in {one.dtype for one in seen}:
            current.report(name, nodes, node, made.size)
    return result


def arrays_in(values: Any) -> Iterator[Array]:
    """Yield the arrays among arguments or results, those in sequences included."""
    for value in values:
        if type(value) is Array:
            if value._node.kind != "k":
                yield value
        elif isinstance(value, np.ndarray) and node_of_dtype(value.dtype) is not None:
            yield as_array(value)
        elif isinstance(value, tuple | list) and len(value) <= 64:
            yield from arrays_in(value)
