"""The ufuncs that are operations: what `xp.add(x, y)` does before anything could need more than a plan.

`out` and `where` may come by position, as NumPy's `out` may: Python looks the defaults of keyword-only arguments up by name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from supremum._base.silence import SILENT
from supremum._core.array import Array, _new, _reset_errors, _set_errors, binary, ndarray, unary
from supremum._core.plans import BINARY, COMPILED, PYTHON_SCALARS, UNARY, Operation, UnaryOperation
from supremum._functions.elementwise import _folds
from supremum._functions.elementwise._ufunc import ufunc

__all__ = ["binary_ufunc", "unary_ufunc"]


class UnaryUfunc(ufunc):
    """A ufunc that is an operation of one operand."""

    __slots__ = ("_operation",)

    _operation: UnaryOperation

    def __init__(self, func: Callable[..., Any]) -> None:
        super().__init__(func, 1, 1)
        self._operation = UNARY[self.__name__]

    def __call__(self, x: Any, /, out: Any = None, where: Any = None) -> Array:  # type: ignore[override]  # one argument
        """Apply the function."""
        if out is None and where is None:
            if COMPILED and type(x) is Array:
                return unary(self._operation, x)
            token = _set_errors(SILENT)
            try:
                # What `unary` does, without one more call.
                plan: Any = self._operation.plans[x._node.index]
                data = plan.call(x._data)
                if type(data) is ndarray:
                    result: Array = _new(Array)
                    result._data = data
                    result._node = plan.node
                    return result
            except AttributeError:
                pass  # no Array, or no plan yet
            finally:
                _reset_errors(token)
        if out is not None or where is not None:
            self._no_options(out, where)
        return unary(self._operation, x) if type(x) is Array else self._function(x)

    def __reduce__(self) -> str:
        return self.__name__


class BinaryUfunc(ufunc):
    """A ufunc that is an operation of two operands."""

    __slots__ = ("_operation",)

    _operation: Operation

    def __init__(self, func: Callable[..., Any], identity: Any) -> None:
        name = func.__name__
        super().__init__(
            func,
            2,
            1,
            identity=identity,
            reduce=_folds.REDUCE.get(name),
            accumulate=_folds.ACCUMULATE.get(name),
            at=partial(_folds.AT[name], self) if name in _folds.AT else None,
        )
        self._operation = BINARY[name]

    def __call__(self, x1: Any, x2: Any, /, out: Any = None, where: Any = None) -> Array:  # type: ignore[override]  # two
        """Apply the function."""
        if type(x2) is Array and out is None and where is None:  # a Python scalar must not cost an exception
            if COMPILED and type(x1) is Array:
                return binary(self._operation, x1, x2)
            token = _set_errors(SILENT)
            try:
                # What `binary` does, without one more call.
                plan: Any = self._operation.plans[x1._node.index][x2._node.index]
                data = plan.call(x1._data, x2._data)
                if type(data) is ndarray:
                    result: Array = _new(Array)
                    result._data = data
                    result._node = plan.node
                    return result
            except (AttributeError, ValueError):
                pass  # no Array, no plan yet, or shapes that do not fit
            finally:
                _reset_errors(token)
        if out is not None or where is not None:
            self._no_options(out, where)
        if type(x1) is Array and (type(x2) is Array or type(x2) in PYTHON_SCALARS):
            return binary(self._operation, x1, x2)
        return self._function(x1, x2)

    def __reduce__(self) -> str:
        return self.__name__


def binary_ufunc(identity: Any) -> Callable[[Callable[..., Any]], BinaryUfunc]:
    """Make a ufunc of the function that documents it and serves scalars."""
    return lambda func: BinaryUfunc(func, identity)


def unary_ufunc(func: Callable[..., Any]) -> UnaryUfunc:
    """Make a ufunc of the function that documents it and serves scalars."""
    return UnaryUfunc(func)
