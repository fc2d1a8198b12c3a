"""Minimization, of ``jax.scipy.optimize``, which needs derivatives: its names are there and raise when they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from supremum._base.boundary import public

__all__ = ["OptimizeResults", "minimize"]


@public
class OptimizeResults(NamedTuple):
    """The result of `minimize` in JAX."""

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


@public
def minimize(
    fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None, options:
    Mapping[str, Any] | None = None,
) -> OptimizeResults:  # fmt: skip
    """Raise NotImplementedError: JAX's algorithms need derivatives.

    Parameters
    ----------
    fun, x0, args, method, tol, options
        As in JAX.
    """
    raise NotImplementedError("scipy.optimize.minimize: it needs derivatives, which supremum does not compute; use JAX")


__dir__ = __all__.copy  # which `dir` sorts
