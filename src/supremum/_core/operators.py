"""Operators on operands of any type, in place too: what the engine needs where operands are not plain.

The engine in C computes what is plain by itself; these functions do the rest, and raise the errors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum._base.exceptions import shape_error
from supremum._base.functions import call_without_float_warnings
from supremum._base.python_operators import FUNCTIONS
from supremum._base.silence import call_user_code
from supremum._core import engine, settings
from supremum._core.array import Array
from supremum._core.conversion import to_array, use_asarray
from supremum._core.plans import MATMUL, Operation
from supremum._core.rules import Elementwise, Result
from supremum._kernels import extremes, pointwise as k
from supremum.promotion._nodes import PYTHON_SCALARS

#: Number of elements from which an in-place operator computes without a temporary.
_MANY: Final = 1 << 14
#: Python would use a 0-d integer array as the number of repetitions of a sequence.
_REPETITIONS: Final = (list.__rmul__, tuple.__rmul__, str.__rmul__, bytes.__rmul__)

_BUILTIN: Final = (list, tuple, range, set, dict)

#: What the operators compute: their functions' definitions read it here, for an operator may be the first thing that a program
#: uses, and the last one, while Python ends and nothing can be imported any more.
OPERATIONS: Final[dict[str, Operation]] = {
    rule.name: Operation(rule)
    for rule in (
        Elementwise("abs", 1, "biufc", Result.PART, np.absolute, {"b": k.unchanged, "u": k.unchanged}),
        Elementwise("add", 2, "biufc", Result.SAME, np.add),
        Elementwise("divide", 2, "biufc", Result.QUOTIENT, np.divide),
        Elementwise("floor_divide", 2, "biuf", Result.NUMBER, np.floor_divide, {"f": k.floor_divide}),
        Elementwise("multiply", 2, "biufc", Result.SAME, np.multiply),
        Elementwise("negative", 1, "iufc", Result.SAME, np.negative),
        Elementwise("positive", 1, "biufc", Result.SAME, np.positive, {"b": k.unchanged}),
        Elementwise("pow", 2, "biufc", Result.POWER, np.power, {"f": k.power, "i": k.integer_power, "u": k.integer_power}),
        Elementwise("remainder", 2, "biuf", Result.NUMBER, np.remainder),
        Elementwise("subtract", 2, "iufc", Result.SAME, np.subtract),
        Elementwise("equal", 2, "biufc", Result.COMPARISON, np.equal, {"k": k.equal_keys}),
        Elementwise("greater", 2, "biufc", Result.COMPARISON, np.greater),
        Elementwise("greater_equal", 2, "biufc", Result.COMPARISON, np.greater_equal),
        Elementwise("less", 2, "biufc", Result.COMPARISON, np.less),
        Elementwise("less_equal", 2, "biufc", Result.COMPARISON, np.less_equal),
        Elementwise("maximum", 2, "biufc", Result.SAME, np.maximum, {"f": extremes.maximum}),
        Elementwise("minimum", 2, "biufc", Result.SAME, np.minimum, {"f": extremes.minimum}),
        Elementwise("not_equal", 2, "biufc", Result.COMPARISON, np.not_equal, {"k": k.unequal_keys}),
        Elementwise("bitwise_and", 2, "biu", Result.SAME, np.bitwise_and),
        Elementwise("bitwise_invert", 1, "biu", Result.SAME, np.invert),
        Elementwise("bitwise_left_shift", 2, "biu", Result.NUMBER, np.left_shift),
        Elementwise("bitwise_or", 2, "biu", Result.SAME, np.bitwise_or),
        Elementwise("bitwise_right_shift", 2, "biu", Result.NUMBER, np.right_shift),
        Elementwise("bitwise_xor", 2, "biu", Result.SAME, np.bitwise_xor),
    )
}
#: The operations behind Python's operators, by the engine's names of them.
OPERATORS: Final = {slot: OPERATIONS[function].engine for slot, function in FUNCTIONS.items()} | {"matrix_multiply": MATMUL}


def row_of(function: Any) -> Any:
    """Return the operation that an elementwise function is."""
    return function.row


def unary(operation: Operation, x: Array) -> Array:
    """Apply a unary operation to an array."""
    result = engine.apply(operation.engine, x)
    if result is NotImplemented:
        raise TypeError(f"{operation.rule.name}: expected an Array, got {type(x).__name__}")
    return result


def binary(operation: Operation, x: Any, y: Any) -> Any:
    """Apply a binary operation to an Array and an operand of any type; return NotImplemented for an unknown type."""
    result = engine.apply(operation.engine, x, y)
    return foreign(operation.engine, x, y) if result is NotImplemented else result


def _is_scalar(x: object) -> bool:
    """Whether an operand is exactly a Python scalar; a class need not be hashable."""
    return any(type(x) is python for python in PYTHON_SCALARS)


def known(x: object) -> Any:
    """Return an operand as an Array or a Python scalar; None if it is neither and cannot be converted."""
    if type(x) is Array or _is_scalar(x):
        return x
    found = to_array(x)
    if found is not None:
        return found
    if type(x) is engine.DeletedArray:
        x._data  # noqa: B018 - refuses: perhaps the array was deleted after it became an operand
    # A subclass of a Python scalar, such as an IntEnum member, counts as what it derives from.
    return next((call_user_code(python, x) for python in PYTHON_SCALARS if isinstance(x, python)), None)


def foreign(operation: engine.Operation, x: Any, y: Any, apply: Callable[..., Any] = engine.apply) -> Any:
    """Apply an operation to an Array and an operand of any type; return NotImplemented for an unknown type."""
    first, second = known(x), known(y)
    if first is not None and second is not None:
        return apply(operation, first, second)
    refuse(operation.name, y if second is None else x)
    return NotImplemented


def refuse(name: str, other: object) -> None:
    """Raise TypeError for an operand of Python's that no operator takes; a class that derives from it may take arrays."""
    repeats = name == "multiply" and getattr(type(other), "__rmul__", None) in _REPETITIONS
    compared = name in ("equal", "not_equal") and isinstance(other, _BUILTIN)
    if repeats or compared or any(type(other) is kind for kind in _BUILTIN):
        raise TypeError(f"{name}: an operand is an array or a number, got {type(other).__name__}{use_asarray(other)}")


def mismatch(operation: engine.Operation, *operands: Any) -> Any:
    raise shape_error(operation.name, *[x.shape for x in operands if type(x) is Array])


def in_place(operation: engine.Operation, x: Array, y: Any) -> Any:
    """Apply a binary operation and store its result in `x`."""
    many = x.size >= _MANY and (type(y) is Array or _is_scalar(y))
    if many and settings.state().observer is None and _computed_into(operation, x, y):
        return x
    result = foreign(operation, x, y)
    return result if result is NotImplemented else store(operation.name, x, result)


def _computed_into(operation: engine.Operation, x: Array, y: Any) -> bool:
    """Compute into the buffer of `x` if NumPy's ufunc alone can; return whether it did."""
    plan = engine.plan(operation, x, y)
    if not isinstance(plan.call, np.ufunc) or plan.node.dtype != x._node.dtype:
        return False
    b = y._data if type(y) is Array else plan.convert(y)  # type: ignore[misc]  # plans of two operands convert scalars
    try:
        call_without_float_warnings(plan.call, x._data, b, out=x._data)
    except ValueError:  # shapes that do not fit, or a buffer that is read-only
        return False
    return True


def store(name: str, x: Array, result: Array) -> Array:
    """Write the result of an in-place operator into `x` and return `x`; raise if dtype or shape differ."""
    if result._node.dtype != x._node.dtype:
        msg = (
            f"in-place {name}: the result's dtype {result.dtype} is not the array's own dtype {x.dtype}, and an in-place "
            f"operator may not cast it; write x = {name}(x, y) or cast the other operand with asarray(y).astype('{x.dtype}')"
        )
        raise TypeError(msg)
    if result._data.shape != x._data.shape:
        raise ValueError(f"in-place {name}: the result's shape {result.shape} is not the array's own shape {x.shape}")
    try:
        x._data[...] = result._data
    except ValueError:
        raise ValueError(f"in-place {name}: the array's buffer is read-only; copy it first") from None
    return x
