"""Calls of functions with abstract operands, while they run."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from supremum._core.guests import new_level
from supremum.jax import _tree


class Trace:
    """One call of a function with abstract operands, while it runs."""

    __slots__ = ("by_zeros", "ended", "level", "recorder", "refs")
    #: The class of abstract operands, called with this, a shape and a node: set by `_abstract`.
    operand: Any

    def __init__(self) -> None:
        self.level = new_level()
        #: Whether elements were needed by what knows no operands that take over, as classes of `supremum.scipy` do.
        self.by_zeros = False
        self.ended = False
        #: What keeps the calls, of programs that are recorded: see `_programs`.
        self.recorder: Any = None
        #: References from outside that are used, each with the operand that it holds first.
        self.refs: list[tuple[Any, Any]] = []


_TRACE: Final[ContextVar[Trace | None]] = ContextVar("supremum_jax_trace", default=None)


def tracing() -> Trace | None:
    """Return the innermost call with abstract operands that runs here; None if there is none."""
    return _TRACE.get()


def once() -> bool:
    """Return whether bodies of loops are called once: shapes are found, and no program is recorded."""
    trace = _TRACE.get()
    return trace is not None and trace.recorder is None


@contextmanager
def traced(trace: Trace | None) -> Iterator[None]:
    """Put a call with abstract operands in force for a ``with`` block; None for none."""
    token = _TRACE.set(trace)
    try:
        yield
    finally:
        _TRACE.reset(token)
        if trace is not None:
            trace.ended = True
            trace.recorder = None  # which has the trace: no cycle is left to the collector
            for ref, _ in trace.refs:
                ref.leave()


def of_program(error: Exception) -> Exception:
    """Mark an error as one that JAX raises too while it records a function: it is not called as it is in place of that."""
    error.__supremum_of_program__ = True  # type: ignore[attr-defined]  # read by `_bodies`
    return error


class Collector:
    """What collects the errors of functions that run: see `_checkify`."""

    #: Whether functions of the namespace are checked.
    looks: Any
    #: Returns a function that is called with checked operands; an operand with checks, and a value without.
    checked: Any
    wrap: Any
    strip: Any


COLLECTOR: Final[ContextVar[Collector | None]] = ContextVar("supremum_jax_checks", default=None)


def through_checks(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function of functions: these are called with checked operands, and it gets their values."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        collector = COLLECTOR.get()
        if collector is None or not collector.looks:
            return function(*args, **kwargs)
        leaves, structure = _tree.flatten((args, kwargs))
        values = [collector.strip(x) for x in leaves]
        given, words = structure.unflatten([collector.checked(x) if callable(x) else x for x in values])
        found, shape = _tree.flatten(function(*given, **words))
        return shape.unflatten(map(collector.wrap, found))

    return call
