"""What a tape that is used later does about arrays that the program may write to meanwhile."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import CellType, FunctionType, MethodType
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum.jax._batching import Batched
from supremum.jax._dual import Rule


class Copies:
    """The memory of a tape that is used later: rules get copies of the arrays that the program may write to meanwhile.

    Functions of the program that are called again for the cotangents read the arrays themselves: a tape is refused if one of
    these was written to. Arrays are never written to if the setting `mutable` is off, those of NumPy always may be.
    """

    def __init__(self, *, arrays: bool) -> None:
        self.arrays = arrays
        self._made: dict[int, tuple[Any, Any]] = {}
        self._read: dict[int, tuple[str, Any, bytes]] = {}

    def __call__(self, rule: Rule) -> Rule:
        return lambda level, function, args, kwargs: rule(level, function, self.of(args), self.of(kwargs))

    def of(self, x: Any) -> Any:
        """Return a value, or a list, tuple or dictionary of some, with copies of the arrays."""
        kind = type(x)
        if kind is tuple or kind is list:
            return kind([self.of(item) for item in x])
        if kind is dict:
            return {key: self.of(item) for key, item in x.items()}
        if kind is Batched:
            return Batched(x.axis, self.of(x.value))
        if not self._may_change(x):
            return x
        if id(x) not in self._made:  # the array is kept too, so that no other one has its identity
            self._made[id(x)] = x, xp.copy(x) if kind is Array else x.copy()
        return self._made[id(x)][1]

    def _may_change(self, x: Any) -> bool:
        return type(x) is np.ndarray or (type(x) is Array and self.arrays)

    def called_again(self, name: str, *functions: Callable[..., Any] | None) -> None:
        """Remember the arrays that functions read, which will be called again for the cotangents."""
        for x in _reachable(functions):
            if self._may_change(x):
                self._read.setdefault(id(x), (name, x, np.asarray(x).tobytes()))

    def check(self) -> None:
        """Raise ValueError if one of those arrays was written to."""
        for name, x, before in self._read.values():
            if np.asarray(x).tobytes() != before:
                raise ValueError(
                    f"vjp: an array of shape {x.shape} and dtype {x.dtype} was written to, which {name} reads again for the "
                    "derivative; let the function have a copy of it, or write to it after the derivative is computed"
                )


def _reachable(functions: Any) -> Iterator[Any]:
    """Return the arrays that functions refer to: in closures, defaults, attributes of methods, and by names of the module."""
    seen: set[int] = set()
    left = [*functions]
    while left:
        x = left.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, np.ndarray | Array):
            yield x
        else:
            left += _inside(x)


def held_by(x: Any) -> list[Any] | None:
    """Return what a container, a function, or a part of one refers to; None for other objects."""
    kind = type(x)
    if kind in (list, tuple):
        return list(x)
    if kind is dict:
        return list(x.values())
    if kind is FunctionType:
        return [*(x.__closure__ or ()), *(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
    if kind is CellType:
        return [] if x == CellType() else [x.cell_contents]
    if kind is MethodType:
        return [x.__func__, x.__self__]
    return [x.func, x.args, x.keywords] if kind is functools.partial else None


def _inside(x: Any) -> list[Any]:
    kind, held = type(x), held_by(x)
    if held is not None:
        named = x.__code__.co_names if kind is FunctionType else ()
        return [*held, *[x.__globals__[name] for name in named if name in x.__globals__]]
    module = getattr(kind, "__module__", "").partition(".")[0]
    return [] if module in ("builtins", "supremum", "numpy") else [getattr(x, "__dict__", {})]
