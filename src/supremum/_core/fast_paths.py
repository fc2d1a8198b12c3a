"""Put the fast paths of the engine before functions of a module, as its last statements."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from supremum._base.silence import SILENT
from supremum._core import engine
from supremum._core.reductions import FOLDS

__all__ = ["add_direct_calls", "add_fast_folds", "add_fast_paths", "fold"]


def add_fast_paths(module: str, *names: str, operation: engine.Operation | None = None, prefix: str = "") -> None:
    """Put the fast path of its name before each of some functions.

    Parameters
    ----------
    module : str
        The name of the module.
    *names : str
        The functions.
    operation : Operation, optional
        What the fast path asks for plans.
    prefix : str
        What the names of the fast paths have before those of the functions.
    """
    for name in names:
        _put(module, name, lambda function, name=name: engine.Function(function, prefix + name, operation))


def add_fast_folds(module: str, *names: str) -> None:
    """Put folds before reductions and cumulative functions."""
    for name in names:
        _put(module, name, lambda function, name=name: fold(name, function))


def add_direct_calls(module: str, calls: dict[str, Callable[..., Any]], errors: object = SILENT, **options: Any) -> None:
    """Put one call on buffers before each of some functions; the options are those of the engine's `Plain`.

    Parameters
    ----------
    module : str
        The name of the module.
    calls : dict
        The call by the name of the function.
    errors : object, optional
        NumPy's error state while the calls run; None if they meet no floating-point errors.
    **options
        What holds of all of them.
    """
    for name, call in calls.items():
        if isinstance(call, np.ufunc):  # whose results may be given by position too
            options = {"positional": call.nin, **options}
        _put(
            module,
            name,
            lambda function, call=call, options=options: engine.Function(
                function, plain=engine.Plain(call, errors=errors, **options)
            ),
        )


def fold(name: str, function: Callable[..., Any]) -> engine.Function:
    """Return a reduction or cumulative function, by its name, with the fast path before its definition."""
    how = {"mean": "mean", "prod": "total", "sum": "total"}.get(name, "accumulate" if name.startswith("cum") else "reduce")
    return engine.Function(function, how, FOLDS[name])


def _put(module: str, name: str, make: Any) -> None:
    """Replace a function under all of its names."""
    names = vars(sys.modules[module])
    function = names[name]
    replacement = make(function)
    for other in [other for other, value in names.items() if value is function]:
        names[other] = replacement
