"""The names of ``jax.custom_batching``: functions with rules of their own for `vmap`, which are not used."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from supremum.jax import _absent

__all__ = ["custom_vmap", "sequential_vmap"]


class custom_vmap:
    """A function with a rule of its own for `vmap`; it is called as it is."""

    def __init__(self, fun: Callable[..., Any]) -> None:
        functools.update_wrapper(self, fun)
        self.fun = fun

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.fun(*args, **kwargs)

    def def_vmap(self, vmap_rule: Callable[..., Any]) -> Callable[..., Any]:
        """Take the rule, which is not used, and return it."""
        return vmap_rule


def sequential_vmap(f: Callable[..., Any]) -> custom_vmap:
    """Return a function that `vmap` calls for each position, as it calls every function."""
    return custom_vmap(f)


def __getattr__(name: str) -> Any:
    return _absent.find("jax.custom_batching", name)
