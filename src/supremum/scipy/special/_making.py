"""How functions of `special` are made of their descriptions: elementwise functions of the engine, most by SciPy's ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from supremum._core.array import Array as Array, ArrayLike as ArrayLike
from supremum._core.rules import Kernel, Result
from supremum._functions.elementwise._calls import elementwise
from supremum.scipy._evaluation import Library

_Definition = TypeVar("_Definition", bound=Callable[..., Any])

#: SciPy's functions.
library: Final = Library("scipy.special")
INEXACT: Final = Result.INEXACT
STRONG: Final = Result.STRONG


def special_function(
    result: Result, kernel: Kernel | None = None, accepts: str = "biuf", special: Any = None, **row: Any
) -> Callable[[_Definition], _Definition]:
    """Make an elementwise function of its description, as `elementwise` does: by SciPy's function if no kernel is given."""

    def decorate(definition: _Definition) -> _Definition:
        own = kernel or library.kernel(definition.__name__)
        made: _Definition = elementwise(accepts, result, own, special or {}, variants=False, **row)(definition)
        return made

    return decorate
