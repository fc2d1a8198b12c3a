"""The functions of ``jax.debug``: they run at once, as nothing is compiled."""

from __future__ import annotations

import logging
import pdb  # noqa: T100 - the debugger of `breakpoint`
import string
import sys
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum import Array
from supremum.jax import _modules
from supremum.jax._callbacks import debug_callback
from supremum.jax._traces import tracing

__all__ = ["DebugEffect", "OrderedDebugEffect", "breakpoint", "callback", "log", "print"]

_print: Final = print


class DebugEffect:
    """JAX's mark of functions that print."""


class OrderedDebugEffect(DebugEffect):
    """JAX's mark of functions that print in order."""


class _Formatter(string.Formatter):
    """A formatter that insists on its arguments, and formats arrays as NumPy's but for ``!r``, as JAX's does."""

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """Return a value as it is formatted; keys and trees stay."""
        plain = type(value) is Array and value._node.kind != "k" and conversion != "r"
        return super().convert_field(np.asarray(value) if plain else value, conversion)

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        """Raise ValueError for arguments that the text does not use."""
        unused = [arg for i, arg in enumerate(args) if i not in used_args]
        names = [name for name in kwargs if name not in used_args]
        if unused:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused}")
        if names:
            raise ValueError(
                f"Unused keyword arguments to `jax.debug.print`: {names}. You may be passing an f-string without its values."
            )


def _in_two_calls(name: str, call: Callable[..., None], first: Any, args: Any, kwargs: Any) -> Callable[..., None] | None:
    """Call a function, or return it if the first of its arguments is to come, after the options."""
    if first is not None:
        debug_callback(f"debug_{name}", call, first, args, kwargs)
        return None
    if kwargs:
        raise TypeError(f"debug_{name} received unexpected arguments in the two-call form: {list(kwargs)}")
    return lambda first, *args, **kwargs: debug_callback(f"debug_{name}", call, first, args, kwargs)


def _formatted(fmt: str, args: tuple[Any, ...], kwargs: dict[str, Any], np_printoptions: Any) -> str:
    with np.printoptions(**(np_printoptions or {})):
        return _Formatter().format(fmt, *args, **kwargs)


def print(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
    np_printoptions: Any = None, **kwargs: Any,
) -> Callable[..., None] | None:  # fmt: skip
    """Print a text with values, by the rules of `str.format`; ``print(ordered=True)("{}", x)`` has the options first."""

    def write(fmt: str, *args: Any, **kwargs: Any) -> None:
        _print(_formatted(fmt, args, kwargs, np_printoptions))

    if fmt is not None and tracing() and not skip_format_check:
        _Formatter().format(fmt, *args, **kwargs)  # which raises where the program is recorded
    return _in_two_calls("print", write, fmt, args, kwargs)


def log(
    fmt: str | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, logger: Any = None,
    level: int = logging.INFO, **kwargs: Any,
) -> Callable[..., None] | None:  # fmt: skip
    """Write a text with values to a log, as `print` prints it."""

    def write(fmt: str, *args: Any, **kwargs: Any) -> None:
        (logger or logging.getLogger("jax")).log(level, "%s", _formatted(fmt, args, kwargs, None))

    return _in_two_calls("log", write, fmt, args, kwargs)


def callback(
    callback: Callable[..., Any] | None = None, *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any
) -> Callable[..., None] | None:
    """Call a function for what it does; its result is not used."""

    def call(callback: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
        callback(*args, **kwargs)

    return _in_two_calls("callback", call, callback, args, kwargs)


def breakpoint(
    *, backend: str | None = None, filter_frames: bool = True, num_frames: int | None = None, ordered: bool = False,
    token: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Start Python's debugger where the function is called; of a program that is recorded, where that runs."""
    if tracing():
        callback(lambda: pdb.Pdb().set_trace())
    else:
        pdb.Pdb().set_trace(sys._getframe(1))
    return token


__getattr__ = _modules.finder("jax.debug")
