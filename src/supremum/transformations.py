"""`jit`, which does nothing, and what to use instead of JAX's other transformations, which are not here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar, overload

__all__ = ["jit"]

Function = TypeVar("Function", bound=Callable[..., Any])

_DIFFERENTIATE: Final = "supremum does not differentiate; use JAX's, or write the derivative or a finite difference by hand"
_MAP: Final = "supremum runs eagerly; use broadcasting, supremum.vectorize or a loop"
_CONTROL: Final = "supremum runs eagerly; use Python's own if, for and while, and the functions of the namespace"
_PLACE: Final = "supremum has one device, the CPU; use asarray(x) to make an array and numpy.asarray(x) to get at its buffer"
_TRACE: Final = "supremum traces nothing; call the function with real arrays"

#: Names of JAX that cannot exist here, with what to use instead.
ABSENT: Final[dict[str, str]] = {
    **dict.fromkeys(("grad", "value_and_grad", "jacobian", "jacfwd", "jacrev", "hessian"), _DIFFERENTIATE),
    **dict.fromkeys(("jvp", "vjp", "linearize", "custom_jvp", "custom_vjp"), _DIFFERENTIATE),
    **dict.fromkeys(("vmap", "pmap", "shard_map"), _MAP),
    **dict.fromkeys(("lax", "checkpoint", "remat", "pure_callback"), _CONTROL),
    **dict.fromkeys(("device_put", "device_get", "devices", "local_devices"), _PLACE),
    **dict.fromkeys(("make_jaxpr", "eval_shape", "ShapeDtypeStruct", "core", "tree_util", "tree"), _TRACE),
}


@overload
def jit(fun: Function, /, **options: Any) -> Function: ...
@overload
def jit(fun: None = None, /, **options: Any) -> Callable[[Function], Function]: ...
def jit(fun: Any = None, /, **options: Any) -> Any:  # noqa: ARG001 - options of a compiler that is not there
    """Give the function back: it runs eagerly, as all functions here do. For scripts that decorate with ``jax.jit``.

    Parameters
    ----------
    fun : callable, optional
        The function; without it, a decorator is given.
    **options
        JAX's options, such as ``static_argnums``; they have no effect.

    Returns
    -------
    callable
        `fun` itself.

    Examples
    --------
    >>> import supremum as xp
    >>> @xp.jit
    ... def double(x):
    ...     return 2 * x
    >>> double(xp.arange(3))
    Array([0, 2, 4], dtype=int32)
    """
    return fun if fun is not None else lambda function: function


#: What is imported when it is first asked for, so that `import supremum` stays fast: modules, and functions with their module.
LATER: Final[dict[str, str]] = {
    **dict.fromkeys(("io", "lib", "nn", "numpy", "random", "scipy", "testing"), ""),
    **dict.fromkeys(("load", "save", "savez", "savez_compressed"), "io"),
}


def missing(name: str) -> Any:
    """Import what is asked for as ``supremum.name`` for the first time, or say what to use instead of what cannot exist.

    It is the namespace's ``__getattr__``.
    """
    home = LATER.get(name)
    if home is not None:
        found: Any = import_module(f"supremum.{home or name}")
        return getattr(found, name) if home else found
    instead = ABSENT.get(name)
    if instead is None:
        raise AttributeError(f"module 'supremum' has no attribute {name!r}", name=name, obj=sys.modules.get("supremum"))
    message = f"supremum.{name} does not exist: {instead}"
    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    if sys._getframe(1).f_globals.get("__name__") in ("importlib._bootstrap", "_frozen_importlib"):
        raise ImportError(message, name="supremum")
    raise AttributeError(message, name=name)
