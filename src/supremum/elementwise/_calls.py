"""The ufuncs that are operations: what `xp.add(x, y)` does before anything could need more than a plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from supremum._array import COMPILED, Array, _asarray, binary, ndarray, unary, wrap
from supremum._dispatch import BINARY, PYTHON_SCALARS, UNARY, Operation, UnaryOperation
from supremum.elementwise import _folds
from supremum.elementwise._ufunc import ufunc

__all__ = ["binary_ufunc", "unary_ufunc"]


class UnaryUfunc(ufunc):
    """A ufunc that is an operation of one operand."""

    __slots__ = ("_operation",)

    _operation: UnaryOperation

    def __init__(self, func: Callable[..., Any]) -> None:
        super().__init__(func, 1, 1)
        self._operation = UNARY[self.__name__]

    def __call__(self, x: Any, /, *, out: Any = None, where: Any = None) -> Array:  # type: ignore[override]  # one argument
        """Apply the function."""
        if out is not None or where is not None:
            self._no_options(out, where)
        if type(x) is not Array:
            return self._func(x)
        plan = self._operation.plans[x._node.index]
        if plan is None:
            return unary(self._operation, x)
        try:
            # What `unary` does, without one more call.
            if COMPILED and plan.native:
                return Array(plan.kernel(x._data, out=...), plan.node)
            data = plan.call(x._data)
        except RuntimeWarning:
            return unary(self._operation, x)
        if COMPILED or type(data) is not ndarray:
            return wrap(data if type(data) is ndarray else _asarray(data), plan.node)
        result: Array = Array()
        result._data = data
        result._node = plan.node
        return result

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
            at=_folds.AT.get(name),
        )
        self._operation = BINARY[name]

    def __call__(self, x1: Any, x2: Any, /, *, out: Any = None, where: Any = None) -> Array:  # type: ignore[override]  # two
        """Apply the function."""
        if out is not None or where is not None:
            self._no_options(out, where)
        if type(x1) is not Array:
            return self._func(x1, x2)
        if type(x2) is not Array:
            return binary(self._operation, x1, x2) if type(x2) in PYTHON_SCALARS else self._func(x1, x2)
        plan = self._operation.plans[x1._node.index][x2._node.index]
        if plan is None:
            return binary(self._operation, x1, x2)
        try:
            # What `binary` does, without one more call.
            if COMPILED and plan.native:
                return Array(plan.kernel(x1._data, x2._data, out=...), plan.node)
            data = plan.call(x1._data, x2._data)
        except (ValueError, RuntimeWarning):
            return binary(self._operation, x1, x2)
        if COMPILED or type(data) is not ndarray:
            return wrap(data if type(data) is ndarray else _asarray(data), plan.node)
        result: Array = Array()
        result._data = data
        result._node = plan.node
        return result

    def __reduce__(self) -> str:
        return self.__name__


def binary_ufunc(identity: Any) -> Callable[[Callable[..., Any]], BinaryUfunc]:
    """Make a ufunc of the function that documents it and serves scalars."""
    return lambda func: BinaryUfunc(func, identity)


def unary_ufunc(func: Callable[..., Any]) -> UnaryUfunc:
    """Make a ufunc of the function that documents it and serves scalars."""
    return UnaryUfunc(func)
