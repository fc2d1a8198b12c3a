"""How an elementwise function is made of its row in `_core.rules` and its definition, which is a docstring.

`@elementwise` makes a function, `@unary_ufunc` and `@binary_ufunc` make a ufunc. What they make computes by the operation that
bears the function's name. If its operands are arrays whose plan is known, it computes at once: the fast path, which is written
out for one and for two operands because a call costs as much as the rest of it. The compiled core has its own.

`export(__name__)` ends a module of such definitions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, update_wrapper
from types import FunctionType
from typing import Any, Final, TypeAlias, TypeVar

from supremum._base.boundary import publish
from supremum._base.silence import SILENT
from supremum._core.arguments import refuse_out
from supremum._core.array import Array, _asarray, _new, _reset_errors, _set_errors, binary, ndarray, unary
from supremum._core.conversion import operand
from supremum._core.plans import BINARY, COMPILED, PYTHON_SCALARS, UNARY, Operation, UnaryOperation
from supremum._core.typing import ArrayLike
from supremum._functions.elementwise import _folds
from supremum._functions.elementwise._operands import apply_binary, drop_weak_unless_scalar
from supremum._functions.elementwise._ufunc import ufunc

__all__ = ["BinaryUfunc", "UnaryUfunc", "binary_ufunc", "elementwise", "export", "unary_ufunc", "unwrapped"]

_Definition = TypeVar("_Definition", bound=Callable[..., Array])
_OfOne: TypeAlias = Callable[[ArrayLike], Array]
_OfTwo: TypeAlias = Callable[[ArrayLike, ArrayLike], Array]
_Function = TypeVar("_Function", bound=Callable[..., Any])
#: Types of second operands that `binary` takes without a conversion.
_PLAIN: Final = frozenset({Array, *PYTHON_SCALARS})
#: Functions that `export` leaves without the boundary's wrapper.
_unwrapped: Final[set[Any]] = set()


def elementwise(definition: _Definition) -> _Definition:
    """Make the function that the row of a definition's name describes.

    Parameters
    ----------
    definition : function
        The signature and the docstring; a body is not looked at. A parameter `out` beside the operands is refused.

    Returns
    -------
    function
        The function, with the definition as its ``__wrapped__``.
    """
    name = definition.__name__
    call: Any
    if name in UNARY:
        call = _call_of_one(UNARY[name], name)
        if "out" in definition.__code__.co_varnames:
            call = _refuse_out(call, name)
    elif name in BINARY:
        call = _call_of_two(BINARY[name])
    else:
        raise LookupError(f"{name} is defined in {definition.__module__} and has no row in supremum/_core/rules.py")
    _name_like(call, definition)
    return unwrapped(call)


def unwrapped(function: _Function) -> _Function:
    """Leave a function without the boundary's wrapper, which costs a call: it runs in silence, and its errors name it."""
    _unwrapped.add(function)
    return function


def _name_like(function: Any, definition: Any) -> None:
    """Copy the name, parameters and docstring of a definition to a function, also for tracebacks and Python's own errors."""
    own, code = function.__code__, definition.__code__
    function.__code__ = own.replace(
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_posonlyargcount=code.co_posonlyargcount,
        co_varnames=(*code.co_varnames[: own.co_argcount], *own.co_varnames[own.co_argcount :]),
    )
    update_wrapper(function, definition)


# -- functions ----------------------------------------------------------------------------------------------------------------


def _call_of_one(operation: UnaryOperation, name: str) -> _OfOne:
    """Return the function of an operation of one operand."""
    kinds = operation.rule.strong_arrays

    def _call(x: Any, /) -> Array:
        return unary(operation, x if type(x) is Array else operand(x, name))

    def _strong_call(x: Any, /) -> Array:
        return drop_weak_unless_scalar(unary(operation, x if type(x) is Array else operand(x, name)), kinds)

    def _fast_call(x: Any, /) -> Array:
        if type(x) is Array:
            plan = operation.plans[x._node.index]
            if plan is not None:
                token = _set_errors(SILENT)
                try:
                    data = plan.call(x._data)
                finally:
                    _reset_errors(token)
                out: Array = _new(Array)
                out._data = data if type(data) is ndarray else _asarray(data)
                out._node = plan.node
                return out
        return unary(operation, x if type(x) is Array else operand(x, name))

    return _strong_call if kinds else _call if COMPILED else _fast_call


def _call_of_two(operation: Operation) -> _OfTwo:
    """Return the function of an operation of two operands."""
    kinds = operation.rule.strong_arrays

    def _call(x1: Any, x2: Any, /) -> Array:
        plain = type(x1) is Array and type(x2) in _PLAIN
        return binary(operation, x1, x2) if plain else apply_binary(operation, x1, x2)

    def _strong_call(x1: Any, x2: Any, /) -> Array:
        plain = type(x1) is Array and type(x2) in _PLAIN
        return drop_weak_unless_scalar(binary(operation, x1, x2) if plain else apply_binary(operation, x1, x2), kinds)

    def _fast_call(x1: Any, x2: Any, /) -> Array:
        if type(x1) is Array and type(x2) is Array:
            plan = operation.plans[x1._node.index][x2._node.index]
            if plan is not None:
                token = _set_errors(SILENT)
                try:
                    data = plan.call(x1._data, x2._data)
                except ValueError:
                    pass  # the shapes do not fit, and `binary` raises the error that says so
                else:
                    out: Array = _new(Array)
                    out._data = data if type(data) is ndarray else _asarray(data)
                    out._node = plan.node
                    return out
                finally:
                    _reset_errors(token)
        plain = type(x1) is Array and type(x2) in _PLAIN
        return binary(operation, x1, x2) if plain else apply_binary(operation, x1, x2)

    return _strong_call if kinds else _call if COMPILED else _fast_call


def _refuse_out(call: _OfOne, name: str) -> Callable[..., Array]:
    """Return a function of one operand with a second parameter `out`, which is not supported."""

    def _call(x: Any, /, out: Any = None) -> Array:
        if out is not None:
            refuse_out(out, name)
        return call(x)

    return _call


# -- ufuncs -------------------------------------------------------------------------------------------------------------------


class UnaryUfunc(ufunc):
    """A ufunc that is an operation of one operand.

    `out` and `where` may come by position, as NumPy's `out` may: Python looks up the defaults of keyword-only parameters by
    name, which takes longer.
    """

    __slots__ = ("_operation",)

    _operation: UnaryOperation

    def __init__(self, func: _OfOne) -> None:
        super().__init__(func, 1, 1)
        self._operation = UNARY[self.__name__]

    def __call__(self, x: ArrayLike, /, out: Any = None, where: Any = None) -> Array:  # type: ignore[override]  # one operand
        """Apply the function."""
        if out is None and where is None:
            if COMPILED and type(x) is Array:
                return unary(self._operation, x)
            token = _set_errors(SILENT)
            try:
                # What `unary` does, without one more call.
                plan: Any = self._operation.plans[x._node.index]  # type: ignore[union-attr]  # the error is caught
                data = plan.call(x._data)  # type: ignore[union-attr]
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
    """A ufunc that is an operation of two operands; `out` and `where` as in `UnaryUfunc`."""

    __slots__ = ("_operation",)

    _operation: Operation

    def __init__(self, func: _OfTwo, identity: object) -> None:
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

    def __call__(  # type: ignore[override]  # two operands
        self, x1: ArrayLike, x2: ArrayLike, /, out: Any = None, where: Any = None
    ) -> Array:
        """Apply the function."""
        if type(x2) is Array and out is None and where is None:  # a Python scalar would raise, which is slow
            if COMPILED and type(x1) is Array:
                return binary(self._operation, x1, x2)
            token = _set_errors(SILENT)
            try:
                # What `binary` does, without one more call.
                plan: Any = self._operation.plans[x1._node.index][x2._node.index]  # type: ignore[union-attr]  # caught
                data = plan.call(x1._data, x2._data)  # type: ignore[union-attr]
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
        if type(x1) is Array and type(x2) in _PLAIN:
            return binary(self._operation, x1, x2)
        return self._function(x1, x2)

    def __reduce__(self) -> str:
        return self.__name__


def unary_ufunc(definition: _OfOne) -> UnaryUfunc:
    """Make a ufunc of one operand, as `elementwise` makes a function."""
    return UnaryUfunc(elementwise(definition))


def binary_ufunc(*, identity: object) -> Callable[[_OfTwo], BinaryUfunc]:
    """Make a ufunc of two operands, as `elementwise` makes a function; `identity` leaves the other operand as it is."""
    return lambda definition: BinaryUfunc(elementwise(definition), identity)


# -- modules ------------------------------------------------------------------------------------------------------------------


def export(module: str) -> None:
    """Set ``__all__`` of a module to what it defines, and publish that; see `supremum._base.boundary`.

    Parameters
    ----------
    module : str
        The name of the module, whose last statement this is.
    """
    names = vars(sys.modules[module])
    names["__all__"] = [
        name
        for name, value in names.items()
        if not name.startswith("_") and isinstance(value, FunctionType | ufunc) and value.__module__ == module
    ]
    publish(module, without=tuple(name for name in names["__all__"] if names[name] in _unwrapped))
