"""`ufunc`: a function that is applied to each element, with the methods that come with that."""

from __future__ import annotations

import operator
from collections.abc import Callable
from inspect import Parameter, Signature, cleandoc
from typing import Any

from supremum._array import Array, binary, ndarray, unary
from supremum._dispatch import BINARY, UNARY, BinaryPlan, Operation, UnaryOperation

__all__ = ["binary_ufunc", "ufunc", "unary_ufunc"]

_new = object.__new__


class ufunc:
    """A function of elements, applied to arrays."""

    def __init__(
        self, func: Callable[..., Any], /, nin: int, nout: int, *, name: str | None = None, identity: Any = None
    ) -> None:
        self._func = func
        self.nin = operator.index(nin)
        self.nout = operator.index(nout)
        self.nargs = self.nin
        self.identity = identity
        self.__name__ = self.__qualname__ = name or func.__name__
        self.__module__ = func.__module__
        names = ("x",) if self.nin == 1 else tuple(f"x{i + 1}" for i in range(self.nin))
        self.__signature__ = Signature(
            [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
            + [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in ("out", "where")]
        )
        self.__doc__ = f"{self.__name__}{self.__signature__}\n\n{cleandoc(func.__doc__ or '')}"

    def __repr__(self) -> str:
        return f"<supremum.ufunc '{self.__name__}'>"

    def _refuse(self, out: object, where: object) -> None:
        for name, value in (("out", out), ("where", where)):
            if value is not None:
                raise NotImplementedError(f"{self.__name__}: {name}= is not supported; use supremum.where on the result")


class _Unary(ufunc):
    """A ufunc that is an operation of one operand."""

    __slots__ = ("_operation",)

    def __init__(self, func: Callable[..., Any]) -> None:
        super().__init__(func, 1, 1)
        self._operation: UnaryOperation = UNARY[self.__name__]

    def __call__(self, x: Any, /, *, out: None = None, where: None = None) -> Array:
        if out is not None or where is not None:
            self._refuse(out, where)
        result: Array = unary(self._operation, x) if type(x) is Array else self._func(x)
        return result


class _Binary(ufunc):
    """A ufunc that is an operation of two operands."""

    __slots__ = ("_operation",)

    def __init__(self, func: Callable[..., Any], identity: Any) -> None:
        super().__init__(func, 2, 1, identity=identity)
        self._operation: Operation = BINARY[self.__name__]

    def __call__(self, x1: Any, x2: Any, /, *, out: None = None, where: None = None) -> Array:
        if type(x1) is Array and type(x2) is Array and out is where:
            try:
                plan: BinaryPlan = self._operation.plans[x1._node][x2._node]
                if not plan.mixed:
                    data = plan.kernel(x1._data, x2._data)
                    if type(data) is ndarray:
                        result: Array = _new(Array)
                        result._data = data
                        result._node = plan.node
                        return result
            except (KeyError, ValueError, RuntimeWarning):
                pass  # no plan yet, shapes that do not fit, or a warning that a filter made an error
        if out is not None or where is not None:
            self._refuse(out, where)
        if type(x1) is Array and type(x2) is Array:
            return binary(self._operation, x1, x2)
        return self._func(x1, x2)  # type: ignore[no-any-return]  # it is one of ours


def binary_ufunc(identity: Any) -> Callable[[Callable[..., Any]], ufunc]:
    """Make a ufunc of the function that documents it and serves scalars."""
    return lambda func: _Binary(func, identity)


def unary_ufunc(func: Callable[..., Any]) -> ufunc:
    """Make a ufunc of the function that documents it and serves scalars."""
    return _Unary(func)
