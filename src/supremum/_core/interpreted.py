"""Fast paths of the operators for the uncompiled build.

The compiled core does not need them. Operators without one work the same, by `unary` and `binary`.

There are two functions to copy from: for two operands, and for indexing. Every copy has globals of its own that say which
operation it is: the interpreter finds a global sooner than what a closure or an object holds.
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

# What the globals of a copy say.
_operation: Any = None
_natives: Any = None
_kernel: Any = None
_thorough: Any = None


def _of_two(self: Array, other: Any, /) -> Any:
    if type(other) is Array:
        node = _natives[self._node.index][other._node.index]
        if node is not None:
            token = _set_errors(SILENT)
            try:
                out: Array = _new(Array)
                out._node = node
                out._data = _kernel(self._data, other._data, out=...)  # which is an array even without dimensions
            except ValueError:
                pass  # shapes that do not fit
            else:
                return out
            finally:
                _reset_errors(token)
    else:
        try:
            plan = _operation.scalars[self._node.index].get(type(other))
        except TypeError:
            plan = None  # a class that cannot be hashed, which its metaclass decides
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
            pass  # which the long way puts into words
        else:
            return out
    return _thorough(self, key)


def _copy(template: Callable[..., Any], of: Any, **known: Any) -> Any:
    code = template.__code__.replace(co_name=of.__name__, co_qualname=of.__qualname__)
    return functools.update_wrapper(FunctionType(code, {**globals(), **known}), of)


#: The operators of arrays that are one function of NumPy's.
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
    """Have the operators of arrays take the short way first."""
    for name, of in _OPERATORS.items():
        one = BINARY[of]
        short = _copy(_of_two, getattr(Array, name), _operation=one, _natives=one.natives, _kernel=one.rule.kernel)
        setattr(Array, name, short)
    Array.__getitem__ = _copy(_item, Array.__getitem__, _thorough=Array.__getitem__)  # type: ignore[method-assign]  # it is a method
