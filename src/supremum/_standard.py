"""The array API standard 2025.12 and no more: the namespace without other names, and a watcher that refuses other dtypes.

It is what ``supremum.testing.profile("array_api")`` runs a block under. `docs/testing.md` compares it with array-api-strict.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

import numpy as np

import supremum
from supremum._base.boundary import traceless
from supremum._base.exceptions import NoAttributeError
from supremum._base.tables import read_table
from supremum._core.array import Array
from supremum._core.dtype_objects import ScalarType
from supremum._core.roles import arrays_in

#: The names that are no functions.
_OTHERS: Final = (
    "bool", "complex128", "complex64", "e", "float32", "float64", "inf", "int16", "int32", "int64", "int8", "nan", "newaxis",
    "pi", "uint16", "uint32", "uint64", "uint8", "__array_api_version__", "__array_namespace_info__",
)  # fmt: skip
_WORDS: Final = dict(
    zip("biufc", ("boolean", "signed integer", "unsigned integer", "real floating", "complex floating"), strict=True)
)
#: Functions that convert, and take arrays of other libraries.
_CONVERTING: Final = frozenset({"asarray", "from_dlpack"})
#: Functions whose shape is no integer.
_OF_TUPLES: Final = frozenset({"broadcast_to", "reshape"})
#: Modules whose frames are between a call and its watcher, on the engine in Python.
_CALLING: Final = ("supremum._base", "supremum._core._reference")
_METHODS: Final = "supremum._array.methods"


def _rows() -> Iterator[tuple[str, str, inspect.Signature]]:
    """Yield the name of each function, the kinds of dtypes, and its signature."""
    for kinds, rows in read_table(__name__, "_standard.txt").items():
        for row in rows[0][0].split("; "):
            name, _, parameters = row.rstrip(")").partition("(")
            yield name, kinds, _signature(parameters)


def _signature(text: str) -> inspect.Signature:
    found: list[inspect.Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for word in text.split(", "):
        if word == "/":
            found = [each.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for each in found]
        elif word == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
        elif word.startswith("*"):
            found.append(inspect.Parameter(word[1:], inspect.Parameter.VAR_POSITIONAL))
            kind = inspect.Parameter.KEYWORD_ONLY
        else:
            default = ... if word.endswith("=") else inspect.Parameter.empty
            found.append(inspect.Parameter(word.rstrip("="), kind, default=default))
    return inspect.Signature(found)


#: The kinds of dtypes by the name of the function.
_KINDS: Final = {name: kinds for name, kinds, _ in _rows()}


@functools.cache
def namespace() -> ModuleType:
    """Return the namespace with the names of the standard and no others."""
    made = _Namespace("supremum")
    for name in _OTHERS:
        setattr(made, name, getattr(supremum, name))
    for name in ("linalg", "fft"):
        setattr(made, name, _Namespace(f"supremum.{name}"))
    for name, _, signature in _rows():
        home, _, bare = name.rpartition(".")
        ours, target = (getattr(supremum, home), getattr(made, home)) if home else (supremum, made)
        setattr(target, bare, _strict(getattr(ours, bare), name, signature))
    return made


class _Namespace(ModuleType):
    @traceless
    def __getattr__(self, name: str) -> Any:
        known = getattr(sys.modules[self.__name__], name, None) is not None
        what = "is not in the array API standard" if known else "does not exist"
        raise AttributeError(f"{self.__name__}.{name} {what}", name=name)


def _strict(function: Callable[..., Any], name: str, signature: inspect.Signature) -> Callable[..., Any]:
    """Return a function that takes the arguments of the standard alone."""

    @traceless
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{name}: {error}; the standard has {name}{str(signature).replace('=Ellipsis', '=...')}") from None
        if isinstance(given.get("x"), bool | int | float | complex) and name not in _CONVERTING:
            raise TypeError(f"{name}: x is an array in the array API standard, got {type(given['x']).__name__}")
        dtype = given.get("dtype", given.get("type", given.get("to")))
        if isinstance(dtype, str) or (isinstance(dtype, type) and not isinstance(dtype, ScalarType)):
            raise TypeError(
                f"{name}: a dtype is an object of the namespace in the array API standard, such as xp.float32, got {dtype!r}"
            )
        if name in _OF_TUPLES and not isinstance(given["shape"], tuple):
            raise TypeError(f"{name}: shape is a tuple in the array API standard, got {given['shape']!r}")
        if name == "where" and not (isinstance(x := given["condition"], Array) and x._node.kind == "b"):
            raise TypeError("where: condition is an array of bools in the array API standard")
        return function(*args, **kwargs)

    return call


class Watcher:
    """The watcher that refuses what the standard does not specify."""

    @property
    def namespace(self) -> ModuleType:
        """What ``x.__array_namespace__()`` returns."""
        return namespace()

    def __call__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], /) -> Any:
        name = function.name[1:] if function.kind == "in-place" else function.name
        if name == "getitem":
            _check_key(args[0], args[1])
        elif name not in _CONVERTING and any(isinstance(x, np.ndarray) for x in (*args, *kwargs.values())):
            raise TypeError(f"{name}: an operand is an array of this namespace in the array API standard, got a NumPy array")
        if _by_method() or function.kind == "update":
            name = "at" if function.kind == "update" else name
            raise NoAttributeError(f"Array.{name} is not in the array API standard", name=name)
        kinds = _KINDS.get(name, "")
        for x in arrays_in((*args, *kwargs.values())) if kinds else ():
            if x._node.kind not in kinds:
                accepted = ", ".join(_WORDS[kind] for kind in kinds)
                raise TypeError(f"{name} accepts {accepted} dtypes in the array API standard, got {x.dtype}")
        return function(*args, **kwargs)


def _by_method() -> bool:
    """Whether a method of arrays makes the call; the standard has none of them."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(_CALLING):
        frame = frame.f_back
    return frame.f_globals.get("__name__") == _METHODS


def _check_key(x: Array, key: object) -> None:
    """Raise IndexError for an index that the standard leaves open."""
    parts = key if isinstance(key, tuple) else (key,)
    masks = [part for part in parts if isinstance(part, bool) or (isinstance(part, Array) and part._node.kind == "b")]
    if masks and len(parts) > 1:
        raise IndexError("indexing: a mask is the only index in the array API standard")
    axes = [part for part in parts if part is not None and part is not ...]
    if not masks and len(axes) < x.ndim and not any(part is ... for part in parts):
        raise IndexError(
            f"indexing: {len(axes)} of {x.ndim} axes have an index, in the array API standard all; write x[i, ...]"
        )
    for part, length in zip(axes, x.shape, strict=False) if parts == tuple(axes) else ():
        if isinstance(part, slice) and any(
            isinstance(end, int) and not -length <= end <= length for end in (part.start, part.stop)
        ):
            raise IndexError(f"indexing: a slice beyond the {length} elements of an axis is not in the array API standard")
