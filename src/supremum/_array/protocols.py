"""NumPy's protocols: what `np.sin(x)`, `ndarray + x`, `np.concatenate([x, y])` and `np.linalg.norm(x)` do with our arrays.

Where the namespace has the function, it does the work, with its own promotion. Otherwise NumPy does it on the buffers, and the
numeric arrays it gives are ours again. An `out=` takes the result in its own dtype, if that is of the same or a wider kind.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum import _names
from supremum._base.errors import ShapeError, named, shown
from supremum._base.silence import heard, silent
from supremum._core.array import Array
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._errors import TypePromotionError
from supremum.promotion._nodes import NODES, Node, node_of_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

__all__ = ["Protocols"]

Buffer = np.ndarray[Any, Any]

#: The modules of NumPy whose functions have namesakes, and where those are.
_HOMES: Final = {"numpy": "supremum._names", "numpy.linalg": "supremum.linalg", "numpy.fft": "supremum.fft"}
#: Functions that write into their first argument, which ours of the same name do not.
_WRITERS: Final = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
#: Arguments of NumPy's that ours need not have: results are stored in `out` here, the others choose algorithms and subclasses.
_MEANINGLESS: Final = frozenset({"out", "kind", "subok"})
_RANK: Final = {"b": 0, "u": 1, "i": 2, "f": 3, "c": 4}
_WIDE: Final = {"b": "bool", "u": "uint8", "i": "int8", "f": "float32", "c": "complex64"}
_ABSENT: Final = object()
#: PyBUF_WRITABLE, as `inspect.BufferFlags` has it from Python 3.12 on.
_WRITABLE: Final = 1


class Protocols:
    """Base of `Array`: the protocols through which NumPy hands its own functions over."""

    __slots__ = ()

    # What every array has; the slots are made by `Array`.
    _data: Buffer
    _node: Node

    def __buffer__(self, flags: int, /) -> memoryview:
        """Give the buffer to `memoryview` and the like, from Python 3.12 on; it knows no dtypes but NumPy's own."""
        data: Any = self._data  # whose type is no Buffer for Python 3.11
        if self._node.kind == "k":
            raise TypeError("memoryview: keys have no bytes to read; use random.key_data(keys)")
        if data.dtype.isbuiltin != 1:
            raise BufferError("memoryview: buffers have no elements of ml_dtypes' dtypes; use np.asarray(x)")
        if state().mutable:
            return memoryview(data)
        if flags & _WRITABLE:
            raise BufferError("memoryview: Array is immutable here (config.mutable is False), and cannot be written to")
        return memoryview(data).toreadonly()

    if sys.version_info < (3, 12):

        def __bytes__(self) -> bytes:
            """Give the bytes of the buffer; an integer without dimensions is a length to `bytes`, as in NumPy and JAX."""
            return bytes(self.__buffer__(0) if self._data.ndim or self._node.kind == "k" else self._data)

    def __array_namespace__(self, *, api_version: Any = None) -> ModuleType:
        supported = _names.API_VERSIONS
        if api_version is not None and (not isinstance(api_version, str) or api_version not in supported):
            raise ValueError(
                f"__array_namespace__: api_version {shown(api_version)} is not supported; supported are {', '.join(supported)}"
            )
        return sys.modules["supremum"]

    @silent
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        outs: tuple[Any, ...] = kwargs.get("out") or ()
        if any(_overrides(type(x), "__array_ufunc__") for x in (*inputs, *outs)):
            return NotImplemented
        if any(_is_date(x) for x in inputs):
            raise _no_loop(getattr(ufunc, method), inputs)
        own = getattr(_names, ufunc.__name__, None) if getattr(np, ufunc.__name__, None) is ufunc else None
        if method == "at":
            return _write(ufunc.at, inputs, kwargs)
        if own is None or not all(map(_numeric, inputs)) or (method == "__call__" and kwargs.keys() - {"out"}):
            return _ufunc_on_buffers(getattr(ufunc, method), inputs, kwargs)
        function = own if method == "__call__" else getattr(own, method, None)
        return _ours(function, getattr(ufunc, method), ufunc.__name__, inputs, kwargs)

    @silent
    def __array_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if any(_overrides(kind, "__array_function__") for kind in types):
            return NotImplemented
        name = func.__name__
        if name in _WRITERS:
            return _write(func, args, kwargs)
        return _ours(_namesake(func), func, name, args, kwargs)


def _overrides(kind: type, protocol: str) -> bool:
    """Whether a type has an answer of its own, neither NumPy's nor ours, so that we leave the call to it."""
    own = getattr(kind, protocol, _ABSENT)
    return own is not _ABSENT and own is not getattr(np.ndarray, protocol) and not issubclass(kind, Array)


def _namesake(func: Callable[..., Any]) -> Callable[..., Any] | None:
    """Give our function of the same public name, if there is one."""
    home = _HOMES.get(func.__module__)
    if home is None or getattr(sys.modules[func.__module__], func.__name__, None) is not func:
        return None
    return getattr(import_module(home), func.__name__, None)


def _numeric(x: object) -> bool:
    """Whether an operand is one that our functions take: of numbers, not of objects, strings or dates."""
    if isinstance(x, np.ndarray | np.generic):
        return node_of_dtype(x.dtype) is not None
    return isinstance(x, Array | bool | int | float | complex | list | tuple)


def _is_date(x: object) -> bool:
    """Whether an operand is a date or a time span of NumPy's, which would make dates of numbers."""
    return isinstance(x, np.ndarray | np.generic) and x.dtype.kind in "mM"


def _ours(
    function: Callable[..., Any] | None, theirs: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call our function, or NumPy's on the buffers where ours has no such argument."""
    given = {key: value for key, value in kwargs.items() if key not in _MEANINGLESS}
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
            named = {key: _without_lists(x) if isinstance(x, list) else x for key, x in given.items()}
            result = function(*map(_without_lists, args), **named)
        except TypePromotionError:
            raise
        except (TypeError, ValueError):  # NumPy knows what lists of strings, None, or arrays mean here, if anything
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
    """Turn the lists that NumPy takes for arrays, alone or among arrays, into Arrays."""
    if not isinstance(x, list | tuple):
        return x
    if any(isinstance(item, Array | np.ndarray) for item in x):
        return [_asarray(item) if isinstance(item, list | tuple) else item for item in x]
    return _asarray(x)


def _asarray(x: Any) -> Any:
    return _names.asarray(x)


# -- NumPy on the buffers -----------------------------------------------------------------------------------------------------


def _no_loop(function: Callable[..., Any], args: tuple[Any, ...]) -> TypeError:
    """Make the error for operands that NumPy has no loop for, such as dates and words."""
    name = getattr(function, "__name__", "ufunc")
    if isinstance(owner := getattr(function, "__self__", None), np.ufunc):
        name = owner.__name__ if name == "__call__" else f"{owner.__name__}.{name}"
    given = ", ".join(str(getattr(x, "dtype", type(x).__name__)) for x in args)
    return TypeError(f"{name} is not defined between operands of {given}; cast them to numbers first")


def _on_buffers(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy's on the buffers; where it has no loop for a narrow dtype, on wider ones, and round once."""
    out = kwargs.get("out")
    for item in out if isinstance(out, tuple) else (out,):
        if isinstance(item, Array):
            _check_mutable("out=")
    try:
        result = _called(function, _buffers(args), _buffers(kwargs))
    except TypeError as error:
        narrow = {x._node.family: x._node for x in _leaves((args, kwargs)) if not x._node.native}
        if not narrow or out is not None:
            if getattr(function, "__self__", function) in (np.equal, np.not_equal):
                raise  # the operators of NumPy know what that means: all are different
            if getattr(function, "__self__", None) in (np.equal, np.not_equal):
                raise  # which NumPy catches: unlike things are unequal
            if "UFunc" in type(error).__name__ or "not supported for the input types" in str(error):
                raise _no_loop(function, args) from None
            raise
        try:
            result = _called(function, _buffers(args, wide=True), _buffers(kwargs, wide=True))
        except TypeError:
            raise _no_loop(function, args) from None
        floats = [node for node in narrow.values() if node.kind == "f"]
        if len(floats) == 1:
            return _arrays(result, NODES[str(floats[0].dtype)])
    if isinstance(out, tuple):  # a ufunc's, and what it returns is them
        return out[0] if len(out) == 1 else out
    return _arrays(result) if out is None else out


def _called(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy's; it runs code of the user's where it computes with objects, and that is heard."""
    loops = getattr(getattr(function, "__self__", function), "types", ())
    of_objects = bool(loops) and all(set(loop) == set("O->") for loop in loops)  # as those of np.frompyfunc are
    if of_objects or any(getattr(getattr(x, "dtype", None), "kind", None) == "O" for x in args):
        return heard(function, *args, **kwargs)
    return function(*args, **kwargs)


def _ufunc_on_buffers(function: Callable[..., Any], inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a ufunc on the buffers; a weak number beside other arrays is given as a Python number, which is weak for NumPy."""
    if any(isinstance(x, Array) and not x._node.weak for x in inputs):
        inputs = tuple(
            x._data.astype(_WIDE[x._node.kind] if not x._node.native else x._data.dtype).item()
            if isinstance(x, Array) and x._node.weak and not x._data.ndim
            else x
            for x in inputs
        )
    ufunc = getattr(function, "__self__", function)
    try:
        return _on_buffers(function, inputs, kwargs)
    except (TypeError, ValueError) as error:
        if ufunc in (np.equal, np.not_equal) and isinstance(error, TypeError):
            raise  # which NumPy catches: unlike things are unequal
        if _refused(error):  # by the elements of an array of objects
            raise _no_loop(function, inputs) from error
        if "core dimension" in str(error):
            shapes = " and ".join(str(np.shape(x)) for x in inputs)
            raise ShapeError(f"{ufunc.__name__}: operands of shapes {shapes} do not fit") from error
        raise named(error, getattr(ufunc, "__name__", "ufunc")) from error
    except ZeroDivisionError as error:
        raise ZeroDivisionError(f"{getattr(ufunc, '__name__', 'ufunc')}: {error}") from error


def _refused(error: Exception) -> bool:
    return "unsupported operand" in str(error) or "not supported between" in str(error)


def _buffers(x: Any, *, wide: bool = False) -> Any:
    """Put buffers in the place of Arrays, however deep in sequences and dictionaries they are."""
    if isinstance(x, Array):
        return cast(x._data, NODES[_WIDE[x._node.kind]]) if wide and not x._node.native else x._data
    if isinstance(x, dict):
        return {key: _buffers(value, wide=wide) for key, value in x.items()}
    return type(x)([_buffers(item, wide=wide) for item in x]) if type(x) in (list, tuple) else x


def _leaves(x: Any) -> list[Any]:
    """Give the Arrays in nested arguments."""
    if isinstance(x, Array):
        return [x]
    items = x.values() if isinstance(x, dict) else x if isinstance(x, list | tuple) else ()
    return [leaf for item in items for leaf in _leaves(item)]


def _arrays(x: Any, narrow: Node | None = None) -> Any:
    """Make Arrays of the numeric arrays in a result; float32 becomes `narrow` where that was computed in float32."""
    if isinstance(x, np.ndarray | np.generic):
        if node_of_dtype(x.dtype) is None:
            return x
        return _asarray(cast(np.asarray(x), narrow) if narrow is not None and x.dtype == np.float32 else x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[_arrays(item, narrow) for item in x])
    return type(x)([_arrays(item, narrow) for item in x]) if type(x) in (list, tuple) else x


# -- results that go into given arrays ----------------------------------------------------------------------------------------


def _check_mutable(what: str) -> None:
    if not state().mutable:
        raise TypeError(
            f"{what}: Array is immutable here (config.mutable is False); use the result, or x.at[index].set(value)"
        )


def _write(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Call a function that writes into its first argument."""
    if args and isinstance(args[0], Array):
        _check_mutable(function.__name__)
    _called(function, _buffers(args), _buffers(kwargs))


def _stored(name: str, out: Any, result: Any) -> Any:
    """Store results in the arrays that were given for them, and give those."""
    if isinstance(out, tuple):
        results = result if isinstance(result, tuple) else (result,)
        stored = tuple(value if into is None else _store(name, into, value) for into, value in zip(out, results, strict=True))
        return stored[0] if len(stored) == 1 else stored
    return _store(name, out, result)


def _store(name: str, out: Any, result: Any) -> Any:
    if isinstance(out, Array):
        _check_mutable(f"{name}: out=")
    buffer = out._data if isinstance(out, Array) else out
    node = node_of_dtype(buffer.dtype)
    given = _asarray(result)
    if node is not None and _RANK[given._node.kind] > _RANK[node.kind]:
        raise TypeError(
            f"{name}: the result has dtype {given.dtype}, which cannot be stored in an array of dtype {buffer.dtype} without "
            f"losing its kind; cast an operand, or give out= an array of {given.dtype}"
        )
    try:
        np.copyto(buffer, given._data if node is None else cast(given._data, node), casting="unsafe")
    except ValueError as error:
        raise ValueError(f"{name}: cannot store a result of shape {given.shape} in {buffer.shape}: {error}") from None
    return out
