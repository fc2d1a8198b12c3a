"""`explain`: what operands promote to, and what any function of the namespace makes of them, under every system.

What a function returns is not written down a second time: it is called, with small arrays of the operands' dtypes, under each
system. What arguments it gets besides follows from the names of its parameters.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import describe, nearest
from supremum._base.facts import operands_of
from supremum._base.functions import without_float_warnings
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.config import config
from supremum._core.dtype_objects import ScalarType
from supremum._core.roles import role_of
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._compare import as_system
from supremum.promotion._explain import (
    OPERATIONS,
    Explanation,
    FunctionExplanation,
    Operand,
    explain as explain_operands,
    operand,
)
from supremum.promotion._nodes import NODES, Node
from supremum.promotion._system import PromotionSystem
from supremum.promotion._typing import NodeLike
from supremum.promotion.systems import SYSTEMS

__all__ = ["explain"]

#: The namespaces whose functions are known by a dotted name.
_NAMESPACES: Final = ("fft", "linalg", "nn", "scipy.special")
#: What required parameters that are no operands get, by their names: x and y are operands, of two axes; v and w are vectors of
#: theirs, s is without axes; k is a vector of positions, t one of truth values. Others that are integers get 3.
_ARGUMENTS: Final = {
    name: value
    for value, names in {
        "0": "axis axis1 obj source", "1": "axis2 deg destination kth repeats shift start val", "0.5": "beta q",
        "2": "indices_or_sections reps stop", "x.dtype": "dtype", "(2, 2)": "dimensions dims shape", "(4,)": "new_shape",
        "(1, 0)": "axes", "[x, y]": "arrays tup", "(v, w)": "keys", "[v, w]": "choices", "[t]": "condlist",
        "[v]": "choicelist", "[1]": "funclist", "k": "indices ind", "(k, k)": "multi_index", "t": "condition mask",
        "s": "default fill_value", "'ij,jk'": "subscripts", "lambda a: a": "func1d", "lambda a, axis: a": "func",
    }.items()
    for name in names.split()
}  # fmt: skip
#: The call of a function of one operand that is given several.
_STACKED: Final = "f(stack(a))"
#: An operand of four axes, of which two are its own.
_FOUR_AXES: Final = "x[None, ..., None]"
#: Where a call has a second operand.
_SECOND: Final = re.compile(r"\b[yw]\b")
#: What the roles of functions have in common, and JAX's rule for them.
_ROLES: Final = {
    "inexact": ("functions that need floats", "bools and integers become floats"),
    "quotient": ("divisions", "bools and integers become floats"),
    "number": ("arithmetic", "bools become int32"),
    "total": ("sums and products", "bools and integers become no narrower than the default integer"),
    "mean": ("means", "bools and integers become floats"),
    "average": ("means and what lies between elements", "bools and integers become floats"),
    "linalg": ("linear algebra", "bools and integers become floats"),
    "transform": ("Fourier transforms", "bools and integers become floats, and float16 and bfloat16 float32"),
    "position": ("positions and counts", "they are of the default integer dtype"),
}


@public(home="supremum")
def explain(
    *operands: ArrayLike | NodeLike, system: str | PromotionSystem | None = None, op: str | None = None
) -> Explanation:
    """Explain what operands promote to, or what a function makes of them: paths, hazards, and the results of other systems.

    Parameters
    ----------
    *operands : array_like or dtype
        The operands. The values of arrays and scalars are checked for hazards.
    system : str or PromotionSystem, optional
        The promotion system; the active one if omitted.
    op : str, optional
        A function of the namespace or an operator, such as ``"sin"``, ``"mean"``, ``"linalg.norm"`` or ``"/"``. Operands that
        it needs beyond those given are of the last one's dtype.

    Returns
    -------
    Explanation
        An explanation that prints as text, with the attributes ``result``, ``hazards`` and ``others``.

    Examples
    --------
    >>> import supremum as xp
    >>> why = xp.explain(xp.asarray([1, 300], dtype="int32"), "bfloat16")
    >>> str(why.result), [hazard.kind for hazard in why.hazards]
    ('bfloat16', ['precision'])
    >>> str(xp.explain("int8", op="sin", system="numpy").result)
    'float16'
    """
    rules = state().system if system is None else as_system(system)
    if op is None or op in OPERATIONS:
        return explain_operands(*operands, system=rules, op=op)
    given = tuple(operand(one) for one in operands)  # type: ignore[arg-type]  # it refuses what is none of its types
    function = _function(op)
    call = _call(op, tuple(_scalar_type(one.node) for one in given))
    results = _results(function, call, given, rules)
    others = {
        name: _result(_results(function, call, given, other))
        for name, other in SYSTEMS.items()
        if name == other.name != rules.name
    }
    counts = role_of(function) == "position"
    stacked = f"{op} has one operand: those given are stacked first, and promote\n" if call == _STACKED else ""
    return FunctionExplanation(rules, given, op, results, others, f"{stacked}{_rule(op, function, rules)}", counts=counts)


def _namespace() -> Any:
    """Return the namespace, a higher module, which is imported by the time of a call."""
    return import_module("supremum")


def _function(op: str) -> Callable[..., Any]:
    """Return the function of a name; raise ValueError for names that are none, with the nearest ones."""
    head, _, name = op.rpartition(".")
    found: Any = None
    if not head and name in _namespace().__all__:
        found = getattr(_namespace(), name, None)
    elif head in _NAMESPACES:
        module = import_module(f"supremum.{head}")
        found = getattr(module, name, None) if name in module.__all__ else None
    is_class = isinstance(found, type) and not isinstance(found, ScalarType)
    if not callable(found) or name.startswith("_") or (is_class and op not in _namespace().__all__):
        hint = nearest(op, known())
        raise ValueError(
            f"explain: op={describe(op)} is not known here{hint or '; it is the name of a function, or an operator'}"
        )
    if is_class or not _makes_arrays(found):
        raise ValueError(f"explain: {op} makes no array of others, so there is no dtype to explain")
    return found


def _makes_arrays(function: Any) -> bool:
    """Return whether a function returns arrays, and required parameters are arrays or known ones, as its annotations say."""
    if getattr(function, "row", None) is not None or isinstance(function, ScalarType):
        return True
    result = str(inspect.signature(function).return_annotation)
    fields = getattr(getattr(inspect.unwrap(function), "__globals__", {}).get(result), "__annotations__", {})
    known = bool(operands_of(function)) or all(_required(function).values())
    return known and (result == "Any" or any("Array" in str(one) for one in (result, *fields.values())))


@cache
def known() -> tuple[str, ...]:
    """Return the names of all functions that `explain` knows."""
    dotted = [f"{space}.{name}" for space in _NAMESPACES for name in import_module(f"supremum.{space}").__all__]
    return (*sorted(OPERATIONS), *(name for name in _namespace().__all__ if not name.startswith("_")), *dotted)


# -- calls --------------------------------------------------------------------------------------------------------------------

#: The dtypes for which a call is tried, to find one that fits the function.
_TRIED: Final = ("float32", "int32", "bool", "complex64", "uint8")


def _scalar_type(node: Node) -> type | None:
    """Return the Python type of an operand that is a Python scalar, or None for an array."""
    return {"i": int, "f": float, "c": complex}[node.kind] if node.dtype is None and node.weak else None


@cache
def _call(op: str, scalars: tuple[type | None, ...]) -> str:
    """Return the first call that fits a function with this many operands."""
    function = _function(op)
    own = list(_described(function))
    fits = own and len(scalars) <= (2 if _SECOND.search(own[0]) else 1)
    for call in (*own, *_candidates(len(scalars))) if fits else (*_candidates(len(scalars)), *own):
        for name in _TRIED:
            arrays = [_array(NODES[name]) if kind is None else kind(2) for kind in scalars]
            if _evaluated(call, function, arrays) is not None:
                return call
    return next(iter(_candidates(len(scalars))))  # which raises what the function has to say


def _described(function: Callable[..., Any]) -> Iterator[str]:
    """Yield calls of a function some of whose required parameters are no operands, with x or parts of it as the operands."""
    parameters = inspect.signature(function).parameters
    given = list(_required(function).values())
    own, row = operands_of(function), getattr(function, "row", None)
    given += ["", ""] * any(one.kind is one.VAR_POSITIONAL and name in own for name, one in parameters.items())
    if any(given) and (row is None or len(own) > getattr(row.rule, "nin", len(own))):
        for x, y in (("x", "y"), ("v", "w"), ("s", "s"), (_FOUR_AXES, _FOUR_AXES)):
            operands = iter((x, *[y] * len(given)))
            arguments = [one or next(operands) for one in given]
            yield f"f({', '.join(arguments + ['inplace=False'] * ('inplace' in parameters))})"


def _required(function: Callable[..., Any]) -> dict[str, str]:
    """Return the parameters that a call gives, with the arguments of those that are no operands."""
    found = {}
    own = operands_of(function)
    for name, one in inspect.signature(function).parameters.items():
        annotation = str(one.annotation)
        if one.kind >= one.VAR_POSITIONAL:
            continue
        if one.default is one.empty or (one.default == 0 and name in own and name in _ARGUMENTS):  # a number promotes, too
            positions = name not in own and "Array" in annotation
            found[name] = _ARGUMENTS.get(name, "3" if "int" in annotation else "k" if positions else "")
        elif name in own and getattr(function, "kind", "") == "elementwise":
            found[name] = ""
    return found


def _candidates(count: int) -> Iterator[str]:
    """Yield calls with a number of operands, those with all of the given ones first."""
    if not count:
        yield "f()"
        return
    given = [f"a[{i}]" for i in range(count)]
    for more in range(3):
        # With two axes, with one, without axes, and with vectors of three.
        for shape in ("", "[0]", "[0][0]", "[0][k[:3 - 1]]"):
            arguments = [f"c({one}, {shape!r})" for one in (*given, *[given[-1]] * more)]
            yield f"f({', '.join(arguments)})"
    if count > 1:
        yield _STACKED


@without_float_warnings
def _array(node: Node) -> Array:
    """Return a matrix of a dtype that most functions take: positive definite, of small numbers."""
    given = [[1, 0], [0, 1]] if node.bits < 8 or node.kind == "b" else [[2, 1], [1, 2]]
    return wrap(cast(np.asarray(given, np.float32), node), node)


def _cut(x: Any, shape: str) -> Any:
    """Return a part of a matrix; a Python scalar has none."""
    if type(x) is not Array:
        return x
    data = {"": x._data, "[0]": x._data[0], "[0][0]": x._data[0, 0], "[0][k[:3 - 1]]": np.resize(x._data, 3)}[shape]
    return wrap(np.asarray(data), x._node)


def _scope(arrays: list[Any], cut: Callable[[Any, str], Any] = _cut) -> dict[str, Any]:
    """Return the names that calls are made of, for operands."""
    x = arrays[0] if arrays else None
    y = arrays[1] if len(arrays) > 1 else x
    with config.use(promotion="jax", x64="explicit", watcher=None):
        k, t = wrap(np.asarray([1, 0], np.int32), NODES["int32"]), wrap(np.asarray([True, False]), NODES["bool"])
    return {
        "a": arrays, "c": cut, "x": x, "y": y, "k": k, "t": t, "v": cut(x, "[0]"), "w": cut(y, "[0]"), "s": cut(x, "[0][0]"),
        "stack": _namespace().stack, "__builtins__": {"__import__": __import__},
    }  # fmt: skip


def _evaluated(call: str, function: Callable[..., Any], arrays: list[Any], errors: list[Exception] | None = None) -> Any:
    """Return the result of a call, or None if it raises."""
    names = _scope(arrays)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(call, {**names, "f": function})  # noqa: S307 - a call of the tables above
    except Exception as error:  # noqa: BLE001 - the errors of functions are results here
        if errors is not None:
            errors.append(error)
        return None


# -- results ------------------------------------------------------------------------------------------------------------------


def _results(
    function: Callable[..., Any], call: str, given: tuple[Operand, ...], system: PromotionSystem
) -> tuple[Node, ...] | Exception:
    """Return the nodes of what a function gives under a system, or the exception that it raises."""
    arrays = []
    for one in given:
        if one.node.dtype is None and not one.node.weak:
            return TypeError(f"no array has dtype {one.node}")
        if one.node.dtype is None:
            scalar = _scalar_type(one.node)
            arrays.append(one.values if isinstance(one.values, int | float | complex) else (scalar or int)(2))
        elif one.node not in system:
            return system.error(one.node)
        else:
            arrays.append(_array(one.node))
    errors: list[Exception] = []
    with under(system):
        result = _evaluated(call, function, arrays, errors)
    return errors[0] if errors else tuple(_nodes(result))


def under(system: PromotionSystem) -> AbstractContextManager[None]:
    """Return the use of a system, in which nothing is watched."""
    return config.use(promotion=system, watcher=None, **{"x64": "off"} if system is SYSTEMS["jax_x32"] else {})


def _nodes(result: Any) -> Iterator[Node]:
    if type(result) is Array:
        yield result._node
    elif isinstance(result, tuple | list):
        for one in result:
            yield from _nodes(one)


def _result(results: tuple[Node, ...] | Exception) -> Node | None:
    return None if isinstance(results, Exception) or not results else results[0]


def _rule(op: str, function: Any, system: PromotionSystem) -> str:
    """Return a text of the rule that decided: that of the system for operands and results, or the function's own."""
    role = role_of(function)
    name, own = _ROLES.get(role, ("", ""))
    texts = []
    if system.roles is not None:
        rule = system.roles.operand_rule(op, role)
        if rule is not None and rule.words:
            texts.append(f"rule of {system.name!r} for {op if op in system.data.operands else name or op}: {rule.words}")
        results = [one.words for one in system.roles.result_rules(op, role) if one.words]
        if results:
            texts.append(f"rule of {system.name!r} for results of {op}: {'; '.join(dict.fromkeys(results))}")
    if not texts and own:
        texts.append(f"rule of JAX for {name}: {own}")
    return "\n".join(texts)
