"""SciPy, which is optional: its modules are imported when a function that computes by them is first called."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from supremum._base.errors import without_function_name

__all__ = ["Library"]


class Library:
    """A module of SciPy; the first use of an attribute imports the module.

    Parameters
    ----------
    name : str
        The module's name, such as "scipy.special".

    Raises
    ------
    ModuleNotFoundError
        When an attribute is used, if SciPy is not installed; the boundary puts the function's name in front.
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
        setattr(self, attribute, value)  # is found before `__getattr__` from now on
        return value
