"""Minimization, of ``jax.scipy.optimize``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array
from supremum._core.conversion import operand

__all__ = ["OptimizeResults", "minimize"]

#: The module of the algorithm, which needs derivatives and is above this one.
_ALGORITHM: Final = "supremum.jax._minimizing"
_OPTIONS: Final = ("maxiter", "norm", "gtol", "line_search_maxiter")


@public
class OptimizeResults(NamedTuple):
    """The result of `minimize`.

    Attributes
    ----------
    x : Array
        The place of the minimum.
    success : Array
        Whether the algorithm converged.
    status : Array
        0 if it did, 1 if there were too many steps, 3 or 5 if no step was found along a direction.
    fun, jac : Array
        The value of the function there, and the gradient.
    hess_inv : Array
        What the inverse of the Hessian is taken to be.
    nfev, njev, nit : Array
        The numbers of values, gradients and steps.
    """

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


@public(wrap=False)
def minimize(
    fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), *, method: str, tol: float | None = None, options:
    Mapping[str, Any] | None = None,
) -> OptimizeResults:  # fmt: skip
    """Minimize a function of an array, by its gradient.

    Parameters
    ----------
    fun : callable
        The function ``fun(x, *args)`` of an array with one axis; it returns a number, and can be differentiated.
    x0 : array_like
        Where to start.
    args : tuple
        Further arguments of the function.
    method : {"BFGS"}
        The algorithm: by Broyden, Fletcher, Goldfarb and Shanno.
    tol : float, optional
        Ignored, as in JAX: see ``gtol`` among the options.
    options : dict, optional
        ``maxiter``, the number of steps at most; ``gtol``, the norm of the gradient at which to stop, and ``norm``, its order;
        ``line_search_maxiter``, the number of steps along a direction at most.

    Returns
    -------
    OptimizeResults
        The minimum, and how it was found.

    Examples
    --------
    >>> import supremum as xp
    >>> found = xp.scipy.optimize.minimize(lambda x: ((x - 3) ** 2).sum(), xp.zeros(2), method="BFGS")
    >>> found.x, bool(found.success)
    (Array([3., 3.], dtype=float32), True)
    """
    if not isinstance(args, tuple):
        raise TypeError(f"minimize: args must be a tuple, got {describe(args)}")
    if method.lower() != "bfgs":
        raise ValueError(f"minimize: Method {method} not recognized; it must be 'BFGS'")
    if unknown := [name for name in options or {} if name not in _OPTIONS]:
        raise TypeError(f"minimize: the options of BFGS are {', '.join(_OPTIONS)}, got {', '.join(map(str, unknown))}")
    x: Array = operand(x0, "minimize", 1)
    if x._node.kind != "f":
        raise TypeError(f"minimize: x0 must be an array of floats, got dtype {x.dtype}")
    if x.ndim != 1:
        raise ShapeError(f"minimize: x0 must have one axis, got shape {x.shape}")
    found = import_module(_ALGORITHM).minimize_bfgs(lambda x: fun(x, *args), x, **(options or {}))
    names = {"nfev": "calls", "njev": "calls"}
    return OptimizeResults(*[found[names.get(name, name)] for name in OptimizeResults._fields])


__dir__ = __all__.copy  # which `dir` sorts
