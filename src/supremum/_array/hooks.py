"""What the engine needs from the package for subscripts, products of matrices, conversions and the like that are not plain."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import numpy as np

from supremum import _names
from supremum._array.at import in_range
from supremum._base.facts import Facts
from supremum._base.frames import without_own_frames
from supremum._base.functions import parameters_of, takes_over
from supremum._base.python_operators import ARITHMETIC
from supremum._core import engine
from supremum._core.array import Array, wrap
from supremum._core.conversion import to_array
from supremum._core.index_keys import assign, native_key, select
from supremum._core.operators import OPERATIONS, OPERATORS, binary, foreign, in_place, known, mismatch, refuse, store
from supremum._core.roles import by_rules
from supremum._core.settings import state
from supremum.promotion._nodes import KEY, PYTHON_SCALARS


def _matmul(x: Any, y: Any, in_place: bool = False) -> Any:
    """Multiply matrices; NotImplemented if an operand is of another library."""
    first, second = (z if isinstance(z, Array) else to_array(z) for z in (x, y))
    if first is None or second is None:
        other = y if second is None else x
        if isinstance(other, bool | int | float | complex):
            raise ValueError(f"matmul: operands must have at least 1 dimension, got the Python scalar {other!r}")
        refuse("matmul", other)
        return NotImplemented
    result = _names.matmul(first, second)
    return store("matmul", x, result) if in_place else result


def _divmod(x: Any, y: Any) -> Any:
    quotient = binary(OPERATIONS["floor_divide"], x, y)
    return quotient if quotient is NotImplemented else (quotient, binary(OPERATIONS["remainder"], x, y))


def _getitem(x: Array, key: Any) -> Array:
    try:
        return wrap(select(x._data, key), x._node)
    except IndexError:
        if state().out_of_range == "raise":
            raise
    nearest, _ = in_range(native_key(key), x.shape, "indexing")
    return wrap(select(x._data, nearest), x._node)


def _setitem(x: Array, key: Any, value: Any) -> None:
    if not state().mutable:
        raise TypeError(
            "Array is immutable here (config.mutable is False); use x = x.at[index].set(value), which returns a new array"
        )
    assign(x, key, value)


def _delitem(_x: Array, _key: object) -> None:
    raise TypeError("Array.__delitem__: elements cannot be deleted; use x = delete(x, index), which returns a new array")


def _contains(x: Array, value: object) -> bool:
    if x.ndim != 1:
        raise ValueError(
            f"Array.__contains__: the array that is searched must be one-dimensional, got shape {x.shape}; use "
            "(x == value).any()"
        )
    found: Any = x.__eq__(value)
    return found is not NotImplemented and bool(_names.any(found)._data)


def _iterate(_x: Array) -> Any:
    raise TypeError("iter: iteration over a 0-d array")


def _to_bool(x: Array) -> bool:
    if x.size == 0:
        raise ValueError(
            "bool: The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
        )
    if x.size > 1:
        raise ValueError("bool: The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
    if x._node is KEY:
        raise TypeError("bool: a key has no truth value; compare it with another one")
    return bool(x._data.item())


def _to_index(x: Array) -> int:
    if x.ndim or x._node.kind not in "iu":
        raise TypeError(
            f"index: Only integer scalar arrays can be converted to a scalar index; got shape {x.shape} and dtype {x.dtype}"
        )
    return int(x._data.item())


def _scalar(x: Array, target: str) -> Any:
    """Return the element of a 0-d array as a Python scalar, for ``int()``, ``float()`` and ``complex()``."""
    if x.ndim:
        raise TypeError(
            f"{target}: Only scalar arrays can be converted to Python scalars; {target}() got an array of shape {x.shape}"
        )
    value: Any = x._data.item()
    if target != "complex" and isinstance(value, complex):
        raise TypeError(f"{target}() cannot convert a complex array; take its real or imag part first")
    # ml_dtypes' scalars have no __complex__.
    return value if isinstance(value, bool | int | float | complex) else float(value)


# -- the functions behind operators and special methods -----------------------------------------------------------------------


def _slot(definition: Callable[..., Any], name: str, kind: str, operation: Any = None, same: str = "") -> Any:
    """Return the function behind a special method of arrays, which guests see."""
    definition.__module__, definition.__name__, definition.__qualname__ = "supremum", name, f"Array.__{name}__"
    function: Any = engine.Function(definition, None, operation, name=name, kind=kind)
    if same:
        function.facts = Facts(same=same)
    return function


#: The functions behind item access and conversions.
SLOTS: Final = {
    "getitem": _slot(_getitem, "getitem", "index"),
    "setitem": _slot(_setitem, "setitem", "index"),
    "to_bool": _slot(_to_bool, "bool", "conversion"),
    "to_index": _slot(_to_index, "index", "conversion"),
    "to_int": _slot(lambda x: int(_scalar(x, "int")), "int", "conversion"),
    "to_float": _slot(lambda x: float(_scalar(x, "float")), "float", "conversion"),
    "to_complex": _slot(lambda x: complex(_scalar(x, "complex")), "complex", "conversion"),
}
SLOTS["getitem"].facts = Facts(operands="x", moving=True)


@cache
def _function(name: str) -> Any:
    """Return the public function that an operator is."""
    return getattr(_names, name)


#: The types of plain operands; a tuple, because not every class can be hashed.
_PLAIN: Final = (Array, *PYTHON_SCALARS)


#: What operands that take over are operands next to, besides each other.
_OPERANDS: Final = (Array, np.ndarray, np.generic, *PYTHON_SCALARS, list, tuple)


def is_operand(x: Any) -> bool:
    """Return whether operators of operands that take over accept an object, which else may have its own."""
    return type(x) in _PLAIN or takes_over(x) or isinstance(x, _OPERANDS) or hasattr(x, "__jax_array__")


def _operator(operation: engine.Operation, *operands: Any) -> Any:
    """Apply an operator to operands that are not plain, or that guests look at."""
    if type(operands[0]) in _PLAIN and type(operands[-1]) in _PLAIN:  # somebody watches
        operation.function = function = _function(operation.name)  # which the engine calls from now on
        return function(*operands)
    if any(map(takes_over, operands)):
        return _function(operation.name).offer(*operands) if all(map(is_operand, operands)) else NotImplemented
    apply = engine.apply if state().watcher is None else lambda op, *xs: _function(op.name)(*xs)
    return apply(operation, operands[0]) if len(operands) == 1 else foreign(operation, operands[0], operands[1], apply)


#: The function behind each in-place operator, by that of the operator.
IN_PLACE: Final = {
    function: _slot(
        partial(in_place, OPERATIONS[function].engine), f"i{name}", "in-place", OPERATIONS[function].engine, function
    )
    for name, (_, function) in ARITHMETIC.items()
}
MATMUL_IN_PLACE: Final = _slot(partial(_matmul, in_place=True), "imatmul", "in-place", same="matmul")


def _in_place_operator(operation: engine.Operation, x: Array, y: Any) -> Any:
    function = IN_PLACE[operation.name]
    return function.offer(x, y) if takes_over(y) else function(x, y)


def _matmul_operator(x: Any, y: Any, in_place: bool) -> Any:
    if takes_over(x) or takes_over(y):
        return (MATMUL_IN_PLACE if in_place else _function("matmul")).offer(x, y)
    return MATMUL_IN_PLACE(x, y) if in_place else _matmul(x, y)


def _divmod_operator(x: Any, y: Any) -> Any:
    if takes_over(x) or takes_over(y):
        return _function("divmod").offer(x, y)
    return _function("divmod")(x, y) if known(x) is not None and known(y) is not None else _divmod(x, y)


#: What the engine calls for what is not plain.
HOOKS: Final = dict(
    **SLOTS, mismatch=mismatch, foreign=_operator, in_place=_in_place_operator, delitem=_delitem, matmul=_matmul_operator,
    divmod=_divmod_operator, contains=_contains, iterate=_iterate, frames=without_own_frames, rules=by_rules,
    parameters=parameters_of,
)  # fmt: skip
engine.complete(**HOOKS, **OPERATORS)
