"""How functions of `special` are made of their descriptions: elementwise functions of the engine, most by SciPy's ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from supremum._core.rules import Kernel, Result
from supremum._core.typing import ArrayLike
from supremum._functions.elementwise._calls import elementwise_of
from supremum.scipy._documents import documented
from supremum.scipy._library import Library

__all__ = ["INEXACT", "STRONG", "Array", "ArrayLike", "documented", "library", "special_function"]

from supremum._core.array import Array

_Definition = TypeVar("_Definition", bound=Callable[..., Any])

#: SciPy's functions.
library: Final = Library("scipy.special")
INEXACT: Final = Result.INEXACT
STRONG: Final = Result.STRONG


def special_function(
    result: Result, kernel: Kernel | None = None, accepts: str = "biuf", **row: Any
) -> Callable[[_Definition], _Definition]:
    """Make an elementwise function of its description: by SciPy's function of its name, if no kernel is given.

    Parameters
    ----------
    result, kernel, accepts, **row
        As for `elementwise_of`.
    """

    def decorate(definition: _Definition) -> _Definition:
        computes = kernel or library.kernel(definition.__name__)
        return elementwise_of(accepts, result, computes, **row)(documented(definition))

    return decorate
