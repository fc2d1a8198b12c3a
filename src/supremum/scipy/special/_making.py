"""How functions of `special` are made of their descriptions: elementwise functions of the engine, most by SciPy's ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from supremum._core.argument_types import ArrayLike as ArrayLike
from supremum._core.array import Array as Array
from supremum._core.rules import Kernel, Result
from supremum._functions.elementwise._calls import elementwise
from supremum.scipy._documents import described, documented as documented, example_of
from supremum.scipy._library import Library

_Definition = TypeVar("_Definition", bound=Callable[..., Any])

#: SciPy's functions.
library: Final = Library("scipy.special")
INEXACT: Final = Result.INEXACT
STRONG: Final = Result.STRONG


def special_function(
    result: Result, example: str, kernel: Kernel | None = None, accepts: str = "biuf", special: Any = None, **row: Any
) -> Callable[[_Definition], _Definition]:
    """Make an elementwise function of its description: by SciPy's function of its name, if no kernel is given.

    The example is its arguments, an arrow, and the elements of its result. The others are those of `elementwise`.
    """

    def decorate(definition: _Definition) -> _Definition:
        name = definition.__name__
        weak = "" if result is STRONG or "xp." in example else ", weak_type=True"
        shown = example_of(example, f"xp.scipy.special.{name}", "", f"Array({{}}, dtype=float32{weak})")
        made = elementwise(accepts, result, kernel or library.kernel(name), special or {}, variants=False, **row)
        return made(described(example=f">>> import supremum as xp\n{shown}")(definition))

    return decorate
