"""What is attached to `Array`: methods, indexing updates, protocols."""

from typing import Any


def __getattr__(name: str) -> Any:
    if name == "_rebuild":  # by this name pickles of version 0.1 find it
        from supremum._core.array import _rebuild

        return _rebuild
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
