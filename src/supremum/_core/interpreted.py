"""Fast paths of the operators for the uncompiled build.

Frequent operators are replaced by versions with one call less; all others use `unary` and `binary`. The compiled core does not
need them.

The versions are copies of two templates: for two operands, and for indexing. Each copy has its own globals, which hold
the operation: a lookup of a global is faster than that of a closure variable or an attribute.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from supremum._base.silence import SILENT
from supremum._core.array import Array, _asarray, _new, _reset_errors, _set_errors, binary, ndarray
from supremum._core.plans import BINARY

__all__ = ["hasten_operators"]

# Set in the globals of each copy.
_operation: Any = None
_natives: Any = None
_kernel: Any = None
_general: Any = None


def _of_two(self: Array, other: Any, /) -> Any:
    if type(other) is Array:
        node = _natives[self._node.index][other._node.index]
        if node is not None:
            token = _set_errors(SILENT)
            try:
                out: Array = _new(Array)
                out._node = node
                out._data = _kernel(self._data, other._data, out=...)  # an array for 0-d operands too
            except ValueError:
                pass  # shapes do not broadcast; the general path raises
            else:
                return out
            finally:
                _reset_errors(token)
    else:
        try:
            plan = _operation.scalars[self._node.index].get(type(other))
        except TypeError:
            plan = None  # a metaclass can make a class unhashable
        if plan is not None:
            scalar = plan.memo.get(other)
            if scalar is not None:
                token = _set_errors(SILENT)
                try:
                    data = plan.call(self._data, scalar)
                finally:
                    _reset_errors(token)
                result: Array = _new(Array)
                result._data = data if type(data) is ndarray else _asarray(data)
                result._node = plan.node
                return result
    return binary(_operation, self, other)


def _item(self: Array, key: Any, /) -> Any:
    if type(key) is int or type(key) is slice:
        try:
            data = self._data[key]
            out: Array = _new(Array)
            out._data = data if type(data) is ndarray else _asarray(data)
            out._node = self._node
        except (IndexError, OverflowError, ValueError):
            pass  # the general path raises with a better message
        else:
            return out
    return _general(self, key)


def _copy(template: Callable[..., Any], function: Any, **values: Any) -> Any:
    """Return a copy of a template with the name and docstring of a function, and with values for its globals."""
    code = template.__code__.replace(co_name=function.__name__, co_qualname=function.__qualname__)
    return functools.update_wrapper(FunctionType(code, {**globals(), **values}), function)


#: The operators that are a single ufunc.
_OPERATORS: Final = {
    "__add__": "add",
    "__sub__": "subtract",
    "__mul__": "multiply",
    "__truediv__": "divide",
    "__and__": "bitwise_and",
    "__or__": "bitwise_or",
    "__xor__": "bitwise_xor",
    "__eq__": "equal",
    "__ne__": "not_equal",
    "__lt__": "less",
    "__le__": "less_equal",
    "__gt__": "greater",
    "__ge__": "greater_equal",
}


def hasten_operators() -> None:
    """Replace the operators of `Array` by fast paths."""
    for name, ufunc in _OPERATORS.items():
        one = BINARY[ufunc]
        copy = _copy(_of_two, getattr(Array, name), _operation=one, _natives=one.natives, _kernel=one.rule.kernel)
        setattr(Array, name, copy)
    Array.__getitem__ = _copy(_item, Array.__getitem__, _general=Array.__getitem__)  # type: ignore[method-assign]  # replaces a method
