"""Numerical integration, of ``jax.scipy.integrate``."""

from __future__ import annotations

from supremum._base.boundary import Plain, public
from supremum._core.array import Array, ArrayLike
from supremum._functions import calculus
from supremum._kernels.plain import numeric as plain

__all__ = ["trapezoid"]


@public(role="mean", composed=True, plain=Plain(plain.trapezoid, kinds="f"))
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1) -> Array:
    """Integrate by the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        The values of the function.
    x : array_like, optional
        Where they are.
    dx : array_like
        The distance between two values, if `x` is omitted.
    axis : int
        The axis to integrate along.

    Returns
    -------
    Array
        The integrals.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.integrate.trapezoid(xp.asarray([1.0, 2.0, 4.0]))
    Array(4.5, dtype=float32)
    """
    return calculus.trapezoid(y, x, dx, axis)


__dir__ = __all__.copy  # which `dir` sorts
