"""The functions of `promotion` that need arrays or the settings: `use`, `port`, `implicit_cast`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from supremum._core.array import Array, wrap
from supremum._core.conversion import operands
from supremum._core.settings import config, state
from supremum._kernels.casts import cast
from supremum.promotion._system import PromotionSystem
from supremum.tracing import PortReport, compare_runs

__all__ = ["implicit_cast", "port", "use"]


def use(system: str | PromotionSystem) -> AbstractContextManager[None]:
    """Make every operator and function promote by a system within a ``with`` block, in this thread or task only.

    Parameters
    ----------
    system : str or PromotionSystem
        The system, or its name in `systems`.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.asarray([1, 2], dtype="int32") * xp.ones(2, dtype="float16")
    >>> x.dtype
    dtype('float16')
    >>> with xp.promotion.use("numpy"):
    ...     x = xp.asarray([1, 2], dtype="int32") * xp.ones(2, dtype="float16")
    >>> x.dtype
    dtype('float64')
    """
    return config.use(promotion=system)


def port(source: str | PromotionSystem, target: str | PromotionSystem, fn: Callable[..., Any], /, *args: Any) -> PortReport:
    """Run a function under two promotion systems and list each line of its code where a dtype changes.

    Parameters
    ----------
    source, target : str or PromotionSystem
        The system the code was written for, and the one it shall run under.
    fn : callable
        The function.
    *args
        Its arguments; arrays keep the dtypes that they have.

    Returns
    -------
    PortReport
        The lines, and what the function gave under either system.

    Examples
    --------
    >>> import supremum as xp
    >>> def halved(x):
    ...     return x + 0.5
    >>> report = xp.promotion.port("numpy", "jax", halved, xp.arange(3, dtype="int16"))
    >>> [(change.operation, change.first, change.second) for change in report]
    [('add', 'float64', 'float32*')]
    """
    return compare_runs(source, target, fn, args)


def implicit_cast(x: ArrayLike, y: ArrayLike, /, *, system: str | PromotionSystem = "jax") -> tuple[Array, Array]:
    """Cast two operands to the dtype that they promote to, each only where it has another.

    Parameters
    ----------
    x, y : array_like
        The operands.
    system : str or PromotionSystem
        Whose rules.

    Returns
    -------
    tuple of Array
        The operands, with one dtype.

    Raises
    ------
    TypePromotionError
        If they do not meet, or a dtype takes no part in the system.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.promotion.implicit_cast(xp.ones(1, dtype="int8"), xp.ones(1, dtype="uint8"))
    (Array([1], dtype=int16), Array([1], dtype=int16))
    """
    arrays = operands("implicit_cast", x, y)
    with config.use(promotion=system):
        node = state().join_arrays(arrays)
    first, second = (a if a._node is node else wrap(cast(a._data, node), node) for a in arrays)
    return first, second
