"""NumPy's protocols: what `np.sin(x)`, `ndarray + x`, `np.concatenate([x, y])` and `np.linalg.norm(x)` do with an `Array`.

If the namespace has the function, that is called, with its own promotion. Otherwise NumPy computes on the buffers, and the
numeric arrays in its result become Arrays. An `out=` stores the result in its own dtype, which must be of the same or a wider
kind.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from supremum import _names
from supremum._array.conversions import Conversions
from supremum._base.exceptions import ShapeError, TypePromotionError, describe, with_function_name
from supremum._base.functions import without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core.array import Array
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

#: The modules of NumPy whose functions have counterparts of the same name, and the modules of those.
_HOMES: Final = {"numpy": "supremum._names", "numpy.linalg": "supremum.linalg", "numpy.fft": "supremum.fft"}
#: Functions of NumPy that write into their first argument, unlike those of the same name in the namespace.
_WRITERS: Final = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
#: Arguments that are not passed on: results are stored in `out` afterwards, the others choose algorithms and subclasses.
_NOT_PASSED_ON: Final = frozenset({"out", "kind", "subok"})
#: NumPy's operators catch the errors of these: operands of unlike types are unequal.
_COMPARISONS: Final = (np.equal, np.not_equal)
_ABSENT: Final = object()
_PLAIN_TYPES: Final = frozenset({Array, np.ndarray})
#: The functions of the namespace by those of NumPy that they replace; of NumPy's module, so there are not more and more.
_ufuncs: Final[dict[np.ufunc, Any]] = {}
_functions: Final[dict[Any, Any]] = {}


class Protocols(Conversions):
    """The protocols of `Array`, through which NumPy passes on calls of its own functions."""

    __slots__ = ()

    #: Higher than ndarray's, so that `ndarray + Array` calls `Array.__radd__`.
    __array_priority__: ClassVar[int] = 100

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        """Return the namespace, if it supports a version of the standard."""
        _check_version(api_version)
        watchers: Any = state().watchers
        own = (watcher.namespace for watcher in watchers if hasattr(watcher, "namespace"))
        return next(own, sys.modules["supremum"])

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        own = (_ufuncs.get(ufunc) or _own_ufunc(ufunc)) if method == "__call__" and not kwargs else None
        if own is not None and _are_plain(inputs):
            try:
                return own(*inputs)
            except (TypeError, NotImplementedError):
                pass  # NumPy may take the operands
        return self._apply_ufunc(ufunc, method, *inputs, **kwargs)

    @without_float_warnings
    def _apply_ufunc(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        outs: tuple[Any, ...] = kwargs.get("out") or ()
        if any(_overrides(type(x), "__array_ufunc__") for x in (*inputs, *outs)):
            return NotImplemented
        if any(isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "mM" for x in inputs):  # dates convert numbers
            raise _no_loop(getattr(ufunc, method), inputs)
        if method == "at":
            return _write(ufunc.at, inputs, kwargs)
        own = _own_ufunc(ufunc)
        if own is None or not all(map(_numeric, inputs)) or (method == "__call__" and kwargs.keys() - {"out"}):
            return _ufunc_on_buffers(ufunc, getattr(ufunc, method), inputs, kwargs)
        function = own if method == "__call__" else getattr(own, method, None)
        return _ours(function, getattr(ufunc, method), ufunc.__name__, inputs, kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        own = _functions.get(func)
        if own is not None and _PLAIN_TYPES.issuperset(types) and not (kwargs and _NOT_PASSED_ON & kwargs.keys()):
            try:
                return own(*args, **kwargs)
            except (TypeError, NotImplementedError):
                pass  # NumPy may take the arguments
        return self._apply_function(func, types, args, kwargs)

    @without_float_warnings
    def _apply_function(
        self, func: Callable[..., Any], types: Iterable[type], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if any(_overrides(kind, "__array_function__") for kind in types):
            return NotImplemented
        name = func.__name__
        if name in _WRITERS:
            return _write(func, args, kwargs)
        own = _namesake(func)
        if own is not None:
            _functions[func] = own
        return _ours(own, func, name, args, kwargs)


def leave_functions_to_numpy() -> None:
    """Have NumPy's functions convert arrays to its own, as they convert those of JAX; for the process.

    NumPy looks for the protocols in the class. Without them its operators still call ours, by `__array_priority__`.
    """
    for name in ("__array_ufunc__", "__array_function__"):
        if name in vars(Array):
            delattr(Array, name)


def _are_plain(inputs: tuple[Any, ...]) -> bool:
    """Whether a ufunc of the namespace takes operands as they are, and no one else has a say."""
    for x in inputs:
        kind = type(x)
        if (
            kind is not Array
            and kind is not int
            and kind is not float
            and (kind is not np.ndarray or x.dtype.kind not in "biufc")
        ):
            return False
    return True


def _own_ufunc(ufunc: np.ufunc) -> Any:
    """Return the function of the namespace that replaces a ufunc of NumPy's, or None."""
    if getattr(np, ufunc.__name__, None) is not ufunc:
        return None
    own = getattr(_names, ufunc.__name__, None)
    if own is not None:
        _ufuncs[ufunc] = own
    return own


def _check_version(api_version: object) -> None:
    """Refuse a version of the standard that the namespace does not support."""
    supported = _names.API_VERSIONS
    if api_version is not None and (not isinstance(api_version, str) or api_version not in supported):
        raise ValueError(
            f"__array_namespace__: api_version {describe(api_version)} is not supported; supported are {', '.join(supported)}"
        )


def _overrides(kind: type, protocol: str) -> bool:
    """Whether a type implements a protocol itself, other than NumPy's arrays and ours, so that the call is left to it."""
    own = getattr(kind, protocol, _ABSENT)
    return own is not _ABSENT and own is not getattr(np.ndarray, protocol) and not issubclass(kind, Array)


def _namesake(func: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the function of the namespace of the same name, if there is one."""
    home = _HOMES.get(func.__module__)
    if home is None or getattr(sys.modules[func.__module__], func.__name__, None) is not func:
        return None
    return getattr(import_module(home), func.__name__, None)


def _numeric(x: object) -> bool:
    """Whether functions of the namespace take an operand: numbers, but no objects, strings or dates."""
    if isinstance(x, np.ndarray | np.generic):
        return node_of_dtype(x.dtype) is not None
    return isinstance(x, Array | bool | int | float | complex | list | tuple)


def _not_numeric(x: object) -> bool:
    """Whether an argument is an array of objects, strings or dates."""
    return isinstance(x, np.ndarray | np.generic) and node_of_dtype(x.dtype) is None


def _of_objects(x: object) -> bool:
    """Whether an operand is an array of objects."""
    return getattr(getattr(x, "dtype", None), "kind", None) == "O"


def _ours(
    function: Callable[..., Any] | None, theirs: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call the function of the namespace, or NumPy's on the buffers if ours does not take such arguments."""
    given = {key: value for key, value in kwargs.items() if key not in _NOT_PASSED_ON}
    if function is None:
        return _on_buffers(theirs, args, kwargs)
    try:
        result = function(*args, **given)
    except NotImplementedError:
        return _on_buffers(theirs, args, kwargs)
    except TypePromotionError:
        raise
    except TypeError:
        if not _binds(function, args, given):
            return _on_buffers(theirs, args, kwargs)
        if not any(isinstance(x, list | tuple) for x in (*args, *given.values())):
            raise
        try:
            keywords = {key: _without_lists(x) if isinstance(x, list) else x for key, x in given.items()}
            result = function(*map(_without_lists, args), **keywords)
        except TypePromotionError:
            raise
        except (TypeError, ValueError):  # NumPy may take lists of strings, of None or of arrays
            return _on_buffers(theirs, args, kwargs)
    out = kwargs.get("out")
    return result if out is None else _stored(name, out, result)


def _binds(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a function has parameters for these arguments."""
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _without_lists(x: Any) -> Any:
    """Convert a list that NumPy would take for an array, or such lists among arrays, to Arrays."""
    if not isinstance(x, list | tuple):
        return x
    if any(isinstance(item, Array | np.ndarray) for item in x):
        return [_asarray(item) if isinstance(item, list | tuple) else item for item in x]
    return _asarray(x)


def _asarray(x: Any) -> Any:
    return _names.asarray(x)


# -- NumPy on the buffers -----------------------------------------------------------------------------------------------------


def _ufunc_of(function: Callable[..., Any]) -> np.ufunc | None:
    """Return the ufunc that a function is a method of, if it is one."""
    owner = getattr(function, "__self__", None)
    return owner if isinstance(owner, np.ufunc) else None


def _no_loop(function: Callable[..., Any], args: tuple[Any, ...]) -> TypeError:
    """Return the error for operands that NumPy has no loop for, such as dates and strings."""
    name, ufunc = function.__name__, _ufunc_of(function)
    if ufunc is not None:
        name = ufunc.__name__ if name == "__call__" else f"{ufunc.__name__}.{name}"
    given = ", ".join(str(getattr(x, "dtype", type(x).__name__)) for x in args)
    return TypeError(f"{name} is not defined between operands of {given}; cast them first")


def _result_dtype(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...]) -> np.dtype[Any] | None:
    """Return the dtype in which NumPy's loop of a ufunc computes a result, None if there is no loop for the operands."""
    operands = inputs[: ufunc.nin] if method in ("__call__", "outer") else (inputs[0],) * ufunc.nin
    dtypes = [type(x) if type(x) in (int, float, complex) else np.asarray(x).dtype for x in _buffers(operands)]
    try:
        return ufunc.resolve_dtypes((*dtypes, *(None,) * ufunc.nout))[-1]
    except TypeError:
        return None


def _type_error(function: Callable[..., Any], args: tuple[Any, ...], out: Any, error: TypeError) -> Exception:
    """Return the error to raise for a TypeError of NumPy's: about the operands or about `out`, if those are the reason."""
    ufunc = _ufunc_of(function)
    if ufunc is None:
        return _no_loop(function, args) if any(map(_not_numeric, args)) else with_function_name(error, function.__name__)
    if ufunc in _COMPARISONS or any(map(_of_objects, args)):
        return error
    dtype = _result_dtype(ufunc, function.__name__, args)
    if dtype is None:
        return _no_loop(function, args)
    for into in out if isinstance(out, tuple) else (out,):
        if into is not None and not np.can_cast(dtype, _buffers(into).dtype, "same_kind"):
            return _not_stored(ufunc.__name__, dtype, _buffers(into).dtype)
    return error


def _on_buffers(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy's on the buffers; without a loop for a narrow dtype, compute in a wide one and round once."""
    out = kwargs.get("out")
    for item in out if isinstance(out, tuple) else (out,):
        if isinstance(item, Array):
            _check_mutable("out=")
    try:
        result = _called(function, _buffers(args), _buffers(kwargs))
    except TypeError as error:
        narrow = {x._node.family: x._node for x in _leaves((args, kwargs)) if not x._node.native}
        if not narrow or out is not None:
            reason = _type_error(function, args, out, error)
            if reason is error:
                raise
            raise reason from error
        try:
            result = _called(function, _buffers(args, wide=True), _buffers(kwargs, wide=True))
        except TypeError:
            raise _no_loop(function, args) from None
        floats = [node for node in narrow.values() if node.kind == "f"]
        if len(floats) == 1:
            return _arrays(result, floats[0].strong)
    if isinstance(out, tuple):  # a ufunc returns the arrays that it was given
        return out[0] if len(out) == 1 else out
    return _arrays(result) if out is None else out


def _called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy's; with objects it may run code of the user's, which has the caller's error state."""
    loops = getattr(_ufunc_of(function), "types", ())
    calls_python = bool(loops) and all(set(loop) == set("O->") for loop in loops)  # as those of np.frompyfunc are
    if calls_python or any(map(_of_objects, args)):
        return call_user_code(function, *args, **kwargs)
    return function(*args, **kwargs)


def _ufunc_on_buffers(ufunc: np.ufunc, function: Callable[..., Any], inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a ufunc, or a method of it, on the buffers; a weak number next to other arrays is passed as a Python number."""
    if any(isinstance(x, Array) and not x._node.weak for x in inputs):
        inputs = tuple(
            x._data.astype(x._node.wide.dtype).item() if isinstance(x, Array) and x._node.weak and not x._data.ndim else x
            for x in inputs
        )
    try:
        return _on_buffers(function, inputs, kwargs)
    except TypeError as error:
        if ufunc in _COMPARISONS:
            raise
        if any(map(_of_objects, inputs)):  # the elements do not support the operation
            raise _no_loop(function, inputs) from error
        raise with_function_name(error, ufunc.__name__) from error
    except ValueError as error:
        if ufunc.signature is not None and type(error) is ValueError:
            shapes = " and ".join(str(np.shape(x)) for x in inputs)
            axes = "".join(f" with {key}={kwargs[key]}" for key in ("axes", "axis") if key in kwargs)
            raise ShapeError(f"{ufunc.__name__}: operands of shapes {shapes} do not fit{axes}") from error
        raise with_function_name(error, ufunc.__name__) from error
    except ZeroDivisionError as error:
        raise ZeroDivisionError(f"{ufunc.__name__}: {error}") from error


def _buffers(x: Any, *, wide: bool = False) -> Any:
    """Replace Arrays by their buffers, also in nested sequences and dictionaries."""
    if isinstance(x, Array):
        return cast(x._data, x._node.wide) if wide else x._data
    if isinstance(x, dict):
        return {key: _buffers(value, wide=wide) for key, value in x.items()}
    return type(x)([_buffers(item, wide=wide) for item in x]) if type(x) in (list, tuple) else x


def _leaves(x: Any) -> list[Any]:
    """Return the Arrays in nested arguments."""
    if isinstance(x, Array):
        return [x]
    items = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else ()
    return [leaf for item in items for leaf in _leaves(item)]


def _arrays(x: Any, narrow: Node | None = None) -> Any:
    """Convert the numeric arrays of a result to Arrays, and those of float32 to `narrow` if that was computed in float32."""
    if isinstance(x, np.ndarray | np.generic):
        if node_of_dtype(x.dtype) is None:
            return x
        return _asarray(cast(np.asarray(x), narrow) if narrow is not None and x.dtype == np.float32 else x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[_arrays(item, narrow) for item in x])
    return type(x)([_arrays(item, narrow) for item in x]) if type(x) in (list, tuple) else x


# -- results stored in given arrays -------------------------------------------------------------------------------------------


def _check_mutable(what: str) -> None:
    """Refuse to write if arrays are immutable."""
    if not state().mutable:
        raise TypeError(f"{what}: Array is immutable (config.mutable is False); use the result, or x.at[index].set(value)")


def _write(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Call a function that writes into its first argument."""
    if args and isinstance(args[0], Array):
        _check_mutable(function.__name__)
    _called(function, _buffers(args), _buffers(kwargs))


def _stored(name: str, out: Any, result: Any) -> Any:
    """Store results in the arrays given as `out`; return those."""
    if isinstance(out, tuple):
        results = result if isinstance(result, tuple) else (result,)
        stored = tuple(value if into is None else _store(name, into, value) for into, value in zip(out, results, strict=True))
        return stored[0] if len(stored) == 1 else stored
    return _store(name, out, result)


def _not_stored(name: str, dtype: np.dtype[Any], own: np.dtype[Any]) -> TypeError:
    """Return the error for a result whose kind an array given as `out` does not hold."""
    return TypeError(
        f"{name}: the result has dtype {dtype}, which cannot be stored in an array of dtype {own} without losing its kind; "
        f"cast an operand, or pass an array of {dtype} as out="
    )


def _store(name: str, out: Any, result: Any) -> Any:
    """Store a result in an array of the same or a wider kind."""
    if isinstance(out, Array):
        _check_mutable(f"{name}: out=")
    buffer = out._data if isinstance(out, Array) else out
    node = node_of_dtype(buffer.dtype)
    given = _asarray(result)
    if node is not None and given._node.rank > node.rank:
        raise _not_stored(name, given.dtype, buffer.dtype)
    try:
        np.copyto(buffer, given._data if node is None else cast(given._data, node), casting="unsafe")
    except ValueError as error:
        raise ValueError(f"{name}: cannot store a result of shape {given.shape} in {buffer.shape}: {error}") from None
    return out
