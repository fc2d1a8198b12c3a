"""The names of the table, and the modules that are made of them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Self, TypeVar

from supremum.jax import _table
from supremum.jax._table import FILES, MADE

Function = TypeVar("Function", bound=Callable[..., Any])
_HERE: Final = __name__.rpartition(".")[0]
#: Modules that are elsewhere in the package.
_ELSEWHERE: Final = {
    "jax.numpy.fft": "supremum.fft",
    "jax.numpy.linalg": "supremum.linalg",
    "jax.random": "supremum.random",
    "jax.nn": "supremum.nn",
    "jax.scipy": "supremum.scipy",
}
#: What makes the names of kinds that need no more than a name.
_MAKERS: Final[dict[str, Callable[[str, str], Any]]] = {
    _table.FIRST: lambda module, name: _function(module, name, "Return the first argument.", _first),
    _table.NOTHING: lambda module, name: _function(module, name, "Do nothing.", lambda *_args, **_kwargs: None),
    _table.TRUE: lambda module, name: _function(module, name, "Return True.", lambda *_args, **_kwargs: True),
    _table.CONTEXT: lambda module, name: type(name, (Context,), {"__module__": module_name(module)}),
    _table.DICT: lambda _module, _name: {},
    _table.LIST: lambda _module, _name: [],
    _table.CLASS: lambda module, name: _class(module, name, "A class without behaviour.", _accept),
    _table.PRIMITIVE: lambda _module, name: import_module(f"{_HERE}._inside").primitive(name),
}


class Context(contextlib.ContextDecorator):
    """A context without effect: what it sets or marks has no meaning here."""

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass


def _first(x: Any = None, *_args: object, **_kwargs: object) -> Any:
    return x


def _accept(cls: type, *_args: object, **_kwargs: object) -> Any:
    return object.__new__(cls)


def refusal(module: str, name: str, reason: str) -> Callable[..., Any]:
    """Return a function that raises NotImplementedError, with a reason."""

    def refuse(*_args: object, **_kwargs: object) -> Any:
        raise NotImplementedError(f"{module}.{name}: {reason}; JAX runs the same script")

    return refuse


def named(function: Function, module: str, name: str, doc: str) -> Function:
    """Return a function with the name that it has in a module of JAX, and a docstring."""
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = module_name(module), doc
    return function


def _function(module: str, name: str, doc: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs)

    return named(function, module, name, doc)


class _Refusing(type):
    """The classes whose functions cannot work: they raise when they are called."""

    reason: str

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}", name=name, obj=cls)
        return refusal(cls.__module__.removeprefix("supremum."), f"{cls.__name__}.{name}", cls.reason)


def _class(module: str, name: str, doc: str, new: Callable[..., Any], reason: str = "") -> type:
    def ignore(_self: object, *_args: object, **_kwargs: object) -> None:
        pass

    body = {"__new__": new, "__init__": ignore, "__module__": module_name(module), "__doc__": doc}
    return _Refusing(name, (), {**body, "reason": reason}) if reason else type(name, (), body)


def module_name(module: str) -> str:
    """Return the name under which this package has a module of ``jax`` or ``jaxlib``."""
    return _HERE + module.removeprefix("jax") if not module.startswith("jaxlib") else f"{_HERE}._{module}"


def names(module: str, kinds: str = "") -> list[str]:
    """Return the names that the table has of a module, those of other modules of JAX left out; of kinds that begin so."""
    rows = {**FILES, **MADE}.get(module, {})
    return [
        word.removesuffix("()").partition("=")[0]
        for kind, words in rows.items()
        if kind != _table.LIKE and kind.startswith(kinds)
        for word in words.split()
    ]


def find(module: str, name: str) -> Any:
    """Return what the table says of a name of a module; raise AttributeError for a name that is not in it."""
    rows = FILES.get(module) or MADE.get(module, {})
    for kind, words in rows.items():
        if kind == _table.LIKE:
            continue
        for word in words.split():
            new, _, old = word.partition("=")
            if new.removesuffix("()") == name:
                return _make(module, name, kind, old or name, is_class=word.endswith("()"))
    if not name.startswith("__"):
        for other in rows.get(_table.LIKE, "").split():
            with contextlib.suppress(AttributeError):
                return getattr(import_module(home_of(other)), name)
    if module == "jax.lax" and name.endswith("_p") and not name.startswith("_"):
        return _MAKERS[_table.PRIMITIVE](module, name)
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)


def home_of(name: str) -> str:
    """Return the name under which the package has a module of JAX."""
    for start, home in _ELSEWHERE.items():
        if name == start or name.startswith(f"{start}."):
            return home + name.removeprefix(start)
    return module_name(name)


def _make(module: str, name: str, kind: str, old: str, *, is_class: bool) -> Any:
    if make := _MAKERS.get(kind):
        return make(module, name)
    if " " not in kind:
        return getattr(import_module(kind, _HERE), old)
    refuse = refusal(module, name, kind)
    if is_class:
        return _class(module, name, f"A class without instances: {kind}.", refuse, kind)
    return _function(module, name, f"Raise NotImplementedError: {kind}.", refuse)


def make_modules() -> None:
    """Make the modules of the table."""
    for name in MADE:
        path = module_name(name)
        module: Any = ModuleType(path, "A module of JAX, made of a table of names.")
        module.__path__ = []
        module.__all__ = names(name)
        module.__getattr__ = finder(name, path)
        module.__dir__ = partial(names, name)
        sys.modules[path] = module


def finder(name: str, path: str = "") -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module, which gives what the table says of its names."""
    path = path or module_name(name)

    def find_in_module(attribute: str) -> Any:
        found = sys.modules.get(f"{path}.{attribute}") or find(name, attribute)
        setattr(sys.modules[path], attribute, found)
        return found

    return find_in_module
