"""SciPy, which is optional: its modules are imported when a function that computes by them is first called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from supremum._base.exceptions import with_function_name, without_function_name


class Library:
    """A module of SciPy; the first use of an attribute imports the module.

    Functions of ``scipy.special`` are silent whatever `scipy.special.seterr` says.

    Without SciPy, that raises ModuleNotFoundError; the boundary puts the function's name in front.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # copy, pickle and inspect look for these
            raise AttributeError(attribute)
        try:
            module = import_module(self._name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] != "scipy":
                raise
            message = "needs SciPy; install it with: python -m pip install 'supremum[scipy]'"
            raise without_function_name(ModuleNotFoundError(message, name="scipy")) from None
        value = getattr(module, attribute)
        if self._name == "scipy.special" and callable(value):
            value = _silent(module, value)
        setattr(self, attribute, value)  # is found before `__getattr__` from now on
        return value

    def kernel(self, name: str) -> Callable[..., Any]:
        """Return what calls a function of the module, for the public function of its name, which has no boundary."""

        def call(*xs: Any) -> Any:
            try:
                function = getattr(self, name)
            except ModuleNotFoundError as error:
                raise with_function_name(error, name) from None
            return function(*xs)

        return call


def _silent(special: ModuleType, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of ``scipy.special`` that reports no floating-point errors, as by SciPy's own default."""
    state, errstate = special.geterr, special.errstate
    silent = {name: "raise" if name == "memory" else "ignore" for name in state()}

    def call(*args: Any, **kwargs: Any) -> Any:
        if state() == silent:
            return function(*args, **kwargs)
        with errstate(**silent):  # of this thread
            return function(*args, **kwargs)

    return call
