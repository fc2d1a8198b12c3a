"""The boundary: what every public function does around its work.

`@public` gives a function the name of the module in which users find it, and wraps it: it runs in silence, and an error whose
message does not begin with the function's name gets it in front, with what the function got. Functions check their arguments
where they use them and need not know their own names for that. Fast paths of the engine come before the wrapper.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, Final, TypeVar, overload

import numpy as np

from supremum._base.exceptions import (
    NAMES,
    DeletedArrayError,
    TypePromotionError,
    begins_with_name,
    describe,
    is_nameless,
    placed,
    with_function_name,
    without_names,
)
from supremum._base.facts import Facts
from supremum._base.frames import as_it_is, to_raise
from supremum._base.functions import Function, Plain as Plain, with_translated_errors
from supremum._base.silence import is_from_user
from supremum._base.tables import read_table

#: Namespaces whose functions are known by the name of the namespace too: "linalg.solve", "norm.cdf".
_PREFIXED: Final = re.compile(r".*\.(fft|linalg)|supremum\.scipy\.stats\.\w+")
#: What Python says of a call whose arguments are too many or too few.
_BINDING: Final = re.compile(r"\w+\(\) (missing \d|takes (from )?\d)[^;]*")
#: What an error of NumPy's or Python's means to somebody who called a function.
_MEANING: Final[tuple[tuple[type[Exception], str], ...]] = (
    (OverflowError, "an argument is out of range"),
    (IndexError, "an index or an axis is out of range"),
    (ValueError, "the values or the shapes of the arguments do not fit"),
    (Exception, "an argument is of a type that it does not take"),
)
_MEANINGS: Final = tuple(what for _, what in _MEANING)
#: The fast paths of reductions.
_FOLDING: Final = frozenset({"accumulate", "mean", "reduce", "total"})
C = TypeVar("C")


def public_module(module: str) -> str:
    """Return the name of the module in which users find what a module of this package defines.

    Examples
    --------
    >>> public_module("supremum._functions.sorting"), public_module("supremum.random.keys")
    ('supremum', 'supremum.random')
    >>> public_module("supremum.scipy.stats._samples")
    'supremum.scipy.stats'
    """
    package, _, rest = module.partition(".")
    namespace, _, inner = rest.partition(".")
    if not rest or rest.startswith("_"):
        return package
    # The submodules of `scipy` and `lib` are namespaces of their own.
    public = inner.partition("._")[0] if namespace in ("scipy", "lib") else ""
    return f"{package}.{namespace}.{public}" if public else f"{package}.{namespace}"


@overload
def public(definition: C, /) -> C: ...
@overload
def public(**facts: Any) -> Callable[[C], C]: ...
def public(definition: Any = None, /, **facts: Any) -> Any:
    """Decorate a public function or class with what is known of it; see `supremum._base.functions.Function`.

    A function runs in silence, and an error whose message does not begin with its name gets that in front, with what it got.

    Parameters
    ----------
    definition : callable
        The function or class.
    home : str
        The name of the module in which users find it, where it is not `public_module`'s.
    fast : str, optional
        The name of the engine's fast path for it.
    operation : Operation, optional
        What the fast path finds plans by.
    plain : Plain, optional
        The function as one call on buffers.
    composed : bool
        Whether the definition is written in public functions, so that guests can look through it.
    kind : str
        What else guests know of it; see `Function`.
    role : str
        The name by which promotion systems say what its operands become: see `supremum.promotion._roles`.
    row : Operation, optional
        The operation by which an elementwise function computes, if its definition does more.
    silent : bool
        False for functions that compute nothing, which need no silence.
    wrap : bool
        False for functions whose errors pass as they are, such as context managers.
    axis, none, moving, linear, parts, ...
        What the function is: see `supremum._base.facts.Facts`.
    """
    return functools.partial(_public, **facts) if definition is None else _public(definition)


def _public(
    definition: Any,
    *,
    home: str = "",
    fast: str | None = None,
    operation: Any = None,
    plain: Plain | None = None,
    composed: bool = False,
    kind: str = "opaque",
    role: str = "",
    row: Any = None,
    silent: bool = True,
    wrap: bool = True,
    **facts: Any,
) -> Any:
    module = definition.__module__
    definition.__module__ = home = home or public_module(module)
    name = definition.__name__
    NAMES.add(name)
    if isinstance(definition, type):
        return definition
    definition.__doc__ = definition.__doc__ and completed(definition.__doc__, module)
    path = f"{home}.{name}".removeprefix("supremum.")
    if not wrap:
        if fast is None:
            return definition
        return _knowing(Function(definition, fast, operation, handler=as_it_is, name=path, kind=kind), role, row, facts)
    label = f"{home.rpartition('.')[2]}.{name}" if _PREFIXED.fullmatch(home) else name
    translate = functools.partial(translated, label, definition=definition)
    kind = "composed" if composed else "reduction" if fast in _FOLDING else kind
    found = Function(definition, fast, operation, plain, handler=translate, name=path, kind=kind, silent=silent)
    if fast in _FOLDING:
        facts = {"axis": "axis", "none": "flat" if fast == "accumulate" else "all", **facts}
    # jedi, which completes names in IPython, looks for a definition of this name, and reads its file as the public module,
    # where imports of the package fail. Without such a definition it uses the annotations of the function.
    definition.__name__ = f"{label} (definition)"
    return _knowing(found, role, row, facts, label)


def _knowing(function: Any, role: str, row: Any, facts: dict[str, Any], label: str = "") -> Any:
    """Return a function with what is known of it as its attributes."""
    function.role = role
    if label and label != function.name:
        function.label = label
    if row is not None:
        function.row = row
    if facts:
        function.facts = Facts(**facts)
    return function


def traceless(function: C) -> C:
    """Decorate a function or method: errors pass as they are (see `hinting`), without frames of the package in tracebacks."""
    return Function(function, handler=hinting(function))  # type: ignore[return-value,arg-type]  # callable as the function is


def method(name: str, **facts: Any) -> Callable[[C], C]:
    """Decorate a method of a public class, which operands that take over may have as they have functions."""
    return lambda own: _knowing(Function(own, name=name, handler=as_it_is), "", None, facts)  # type: ignore[arg-type]  # as above


def hinting(definition: Callable[..., Any]) -> Callable[..., Exception]:
    """Return a handler for a method: errors pass as they are, with a hint for a keyword that the method does not have."""

    def handler(error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
        if kwargs and type(error) is TypeError:
            from supremum._base.absent import unknown_argument

            if instead := unknown_argument(definition.__name__, str(error), definition):
                return to_raise(TypeError(instead), error)
        return as_it_is(error, args, kwargs)

    return handler


def missing_from(module: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module: names of NumPy and JAX that it does not have raise what to write instead."""

    @traceless
    def look_up(name: str) -> Any:
        from supremum._base.absent import missing

        raise missing(module, name)

    return look_up


def name_errors(kind: type[C]) -> type[C]:
    """Decorate a class: its public methods put their name in front of errors of the functions that they call."""
    for name, method in list(vars(kind).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(kind, name, with_translated_errors(method, functools.partial(_with_name_if_called, name)))
        elif isinstance(method, classmethod) and not name.startswith("_"):
            translate = functools.partial(_with_name_if_called, name)
            setattr(kind, name, classmethod(with_translated_errors(method.__func__, translate)))
    return kind


def _with_name_if_called(name: str, error: Exception, _args: tuple[Any, ...], _kwargs: dict[str, Any]) -> Exception:
    """Return the error to raise in place of `error`: `error` itself unless a public function raised it."""
    named = begins_with_name(str(error)) or is_nameless(error)
    return to_raise(with_function_name(error, name) if named else error, error)


def translated(
    name: str, error: Exception, args: tuple[Any, ...], kwargs: dict[str, Any], *, definition: Callable[..., Any] | None = None
) -> Exception:
    """Return the error to raise in place of `error`: `error` itself if its message names the function."""
    changed = _with_name(name, error, args, kwargs, definition)
    if type(changed) is TypeError and definition is not None and definition.__module__ == "supremum.random":
        from supremum._base.absent import of_numpys_sampler

        changed = TypeError(of_numpys_sampler(str(changed), name))
    return to_raise(changed, error)


def _with_name(name: str, error: Exception, args: Any, kwargs: Any, definition: Callable[..., Any] | None) -> Exception:
    if is_from_user(error) or isinstance(error, DeletedArrayError):
        return error
    error = placed(error, args, kwargs)
    message, bare = str(error), name.rpartition(".")[2]
    if isinstance(error, SystemError):  # NumPy's reductions raise no error where they get no memory, and Python this one
        lacking = message.endswith(("returned NULL without setting an exception", "error return without exception set"))
        return MemoryError(f"{name}: there is not enough memory") if lacking else error
    if is_nameless(error) or isinstance(error, TypePromotionError):
        return with_function_name(error, name)
    if definition is not None and kwargs and " got an unexpected keyword argument " in message:
        from supremum._base.absent import unknown_argument

        if instead := unknown_argument(name, message, definition):
            return TypeError(instead)
    if definition is not None and len(args) > 1 and (message.startswith(f"{bare}() takes ") or _is_array(args[1])):
        first = next(iter(inspect.signature(definition).parameters), "")
        if first in ("arrays", "tup") and _is_array(args[0]):
            return TypeError(f"{name}: the arrays are one list, as in {name}([x, y]), got {len(args)} arguments")
    if definition is not None and _BINDING.fullmatch(message) and message.startswith(f"{bare}() "):
        from supremum._base.absent import parameters_of

        return TypeError(f"{message}; the arguments are {parameters_of(definition)}")
    if message.startswith((f"{name} ", f"{name}:", f"{bare} ", f"{bare}:", f"{bare},", f"{bare}()")):
        return error
    if begins_with_name(message) and not without_names(message).startswith(_MEANINGS):  # of a function that this one calls
        return with_function_name(error, name)
    if isinstance(error, ImportError):
        return error
    # Found by NumPy or Python, in words about the inside of the function; they are in the error's cause.
    what = next(what for kind, what in _MEANING if isinstance(error, kind))
    given = ", ".join([*(_described(value) for value in args), *(f"{key}={_described(x)}" for key, x in kwargs.items())])
    return with_function_name(error, name, message=f"{what}; got {given}")


def _is_array(value: object) -> bool:
    return hasattr(type(value), "__array_namespace__") or isinstance(value, np.ndarray)


def _described(value: Any) -> str:
    """Return a short text for an argument: the dtype and the shape of an array rather than its elements."""
    return f"{type(value).__name__} of {value.dtype}, shape {value.shape}" if _is_array(value) else describe(value)


# -- docstrings: a line of names alone below "Parameters" is an entry for each, with the text of `parameter_texts.txt` --------

_SECTION: Final = re.compile(r"^( *)Parameters\n\1-+\n((?:\1 *\S.*\n)+)", re.MULTILINE)


@cache
def _table() -> dict[str, list[list[str]]]:
    return read_table(__name__, "parameter_texts.txt")


@cache
def _texts(module: str) -> dict[str, tuple[str, str]]:
    """Return what is said of parameters in a module, by their names."""
    inner = [package for package in _table() if f"{module}.".startswith(f"supremum.{package}.")]
    return {names: (kind, text) for package in inner for names, kind, text in _table()[package]}


def completed(doc: str, module: str) -> str:
    """Return the docstring of a function of a module with an entry for each parameter."""
    section = _SECTION.search(doc)
    if section is None:
        return doc
    margin, entries = section.groups()

    def entry(names: str) -> str:
        kind, text = _texts(module)[names]
        return f"{margin}{names} : {kind}\n{margin}    {text}"

    def expanded(line: re.Match[str]) -> str:
        names = line[1]
        return "\n".join(map(entry, [names] if names in _texts(module) else names.split(", ")))

    bare = re.compile(rf"^{margin}([\w*, ]*\w)$(?!\n{margin} )", re.MULTILINE)
    return doc[: section.start(2)] + bare.sub(expanded, entries) + doc[section.end(2) :]
