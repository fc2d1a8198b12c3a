"""The names of JAX that `names.txt` lists, and the modules that are made of them."""

from __future__ import annotations

import collections
import contextlib
import enum
import sys
from ast import literal_eval
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Self, TypeVar

from supremum import config
from supremum._base.tables import read_table

Function = TypeVar("Function", bound=Callable[..., Any])
_HERE: Final = __name__.rpartition(".")[0]
_SECTIONS: Final = read_table(__name__, "names.txt")
#: What the kinds of names that cannot work need.
REASONS: Final = dict(_SECTIONS.pop("reasons"))
#: The modules that are files of this package.
FILES: Final = frozenset(_SECTIONS.pop("files")[0][0].split())
#: Modules that are elsewhere in the package.
_ELSEWHERE: Final = dict(_SECTIONS.pop("elsewhere"))
#: The names of each module, by their kinds.
TABLE: Final = {module: {kind: words.replace(", ", ",").split() for kind, words in rows} for module, rows in _SECTIONS.items()}
#: The modules that are made of their names alone, and the packages that they are in.
MADE: Final = sorted({
    ".".join(parts[:count]) for parts in (name.split(".") for name in TABLE) for count in range(1, len(parts) + 1)
} - FILES)  # fmt: skip
#: What makes the names of kinds that need no more than a name of a module, and what is after its equals sign.
_MAKERS: Final[dict[str, Callable[[str, str, str], Any]]] = {
    "first": lambda module, name, _: _function(module, name, "Return the first argument.", lambda x=None, *_, **__: x),
    "returns": lambda module, name, value: _function(module, name, f"Return {value}.", lambda *_, **__: literal_eval(value)),
    "nothing": lambda module, name, _: _function(module, name, "Do nothing.", lambda *_, **__: None),
    "setting": lambda module, name, setting: _function(module, name, f"Set ``{setting}``.", partial(_set, setting)),
    "context": lambda module, name, _: type(name, (Context,), {"__module__": module_name(module)}),
    "dict": lambda *_: {},
    "list": lambda *_: [],
    "class": lambda module, name, _: _class(
        module, name, "A class without behaviour.", lambda cls, *_, **__: object.__new__(cls)
    ),
    "enum": lambda module, name, text: enum.Enum(
        name, {member: literal_eval(x) for member, x in _fields(text).items()}, module=module_name(module)
    ),
    "record": lambda module, name, text: collections.namedtuple(  # noqa: PYI024 - of a table
        name, _fields(text), defaults=map(literal_eval, filter(None, _fields(text).values())), module=module_name(module)
    ),
    "primitive": lambda _, name, __: import_module(f"{_HERE}._primitives").primitive(name),
}


class Context(contextlib.ContextDecorator):
    """A context without effect: what it sets or marks has no meaning here."""

    def __init__(self, *_args: object, **_kwargs: object) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass


def _set(setting: str, /, *value: Any, **by_name: Any) -> contextlib.AbstractContextManager[None]:
    """Set a setting within a ``with`` block, to True if no value is given."""
    return config.use(**{setting: next(iter((*value, *by_name.values())), True)})


def _fields(text: str) -> dict[str, str]:
    """Return the values of members, or the defaults of fields, by their names."""
    return {name: value for name, _, value in [field.partition(":") for field in text.split(",")]}


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


def names(module: str, kinds: str | tuple[str, ...] = "") -> list[str]:
    """Return the names that the table has of a module, those of other modules of JAX left out; of kinds that begin so."""
    rows = TABLE.get(module, {}).items()
    return [_split(word)[0] for kind, words in rows if kind != "like" and kind.startswith(kinds) for word in words]


def _split(word: str) -> tuple[str, str, bool]:
    """Return a name, what it is called where it is defined, and whether it is one of a class that cannot work."""
    new, _, old = word.removesuffix("()").partition("=")
    return new, old or new, word.endswith("()")


def find(module: str, name: str) -> Any:
    """Return what the table says of a name of a module; raise AttributeError for a name that is not in it."""
    rows = TABLE.get(module, {})
    for kind, words in rows.items():
        for new, old, is_class in map(_split, words):
            if new == name and kind != "like":
                return _make(module, name, kind, old, is_class=is_class)
    if not name.startswith("__"):
        for other in rows.get("like", ()):
            with contextlib.suppress(AttributeError):
                return getattr(import_module(home_of(other)), name)
    if module.startswith("jax.lax") and name.endswith("_p") and not name.startswith("_"):
        return _MAKERS["primitive"](module, name, name)
    raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)


def home_of(name: str) -> str:
    """Return the name under which the package has a module of JAX."""
    for start, home in _ELSEWHERE.items():
        if name == start or name.startswith(f"{start}."):
            return home + name.removeprefix(start)
    return module_name(name)


def _make(module: str, name: str, kind: str, old: str, *, is_class: bool) -> Any:
    if make := _MAKERS.get(kind):
        return make(module, name, old)
    if kind not in REASONS:
        return getattr(import_module(kind, _HERE), old)
    reason = REASONS[kind]
    refuse = refusal(module, name, reason)
    if is_class:
        return _class(module, name, f"A class without instances: {reason}.", refuse, reason)
    return _function(module, name, f"Raise NotImplementedError: {reason}.", refuse)


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
