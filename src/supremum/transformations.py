"""`jit`, which does nothing, and what to use instead of JAX's other transformations, which are not here."""

from __future__ import annotations

import sys
from collections.abc import Callable
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


def missing(name: str, *, importing: bool = False) -> Exception:
    """Give the error about a name that the namespace does not have, which says what to use instead if it cannot exist."""
    instead = ABSENT.get(name)
    if instead is None:
        return AttributeError(f"module 'supremum' has no attribute {name!r}", name=name, obj=sys.modules.get("supremum"))
    message = f"supremum.{name} does not exist: {instead}"
    return ImportError(message, name="supremum") if importing else AttributeError(message, name=name)
