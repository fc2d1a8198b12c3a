"""The names of ``jax.profiler``; nothing is recorded."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from supremum.jax import _modules

__all__ = ["StepTraceAnnotation", "TraceAnnotation", "annotate_function", "start_trace", "stop_trace", "trace"]


class TraceAnnotation(contextlib.ContextDecorator):
    """A context without effect."""

    def __init__(self, name: str, **kwargs: Any) -> None:
        self.name = name

    def __enter__(self) -> TraceAnnotation:  # noqa: PYI034 - as in JAX
        return self

    def __exit__(self, *_error: object) -> None:
        pass


class StepTraceAnnotation(TraceAnnotation):
    """A context without effect."""


def annotate_function(func: Callable[..., Any], name: str | None = None, **_options: Any) -> Callable[..., Any]:
    """Return the function as it is."""
    return func


def start_trace(log_dir: Any, *_args: Any, **_options: Any) -> None:
    """Do nothing."""


def stop_trace() -> None:
    """Do nothing."""


@contextlib.contextmanager
def trace(log_dir: Any, *_args: Any, **_options: Any) -> Iterator[None]:
    """Do nothing within a ``with`` block."""
    yield


def __getattr__(name: str) -> Any:
    return _modules.find("jax.profiler", name)
