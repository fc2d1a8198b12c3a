"""The functions of `promotion` that need arrays or the settings: `use`, `port`, `implicit_cast`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from supremum._base.boundary import public, traceless
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.config import config
from supremum._core.conversion import operands
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.promotion._system import PromotionSystem
from supremum.tracing import compare_runs

if TYPE_CHECKING:
    from supremum.promotion._port import PortReport


@traceless
@public(home="supremum.promotion", wrap=False)
def use(system: str | PromotionSystem) -> AbstractContextManager[None]:
    """Use a promotion system for all operators and functions within a ``with`` block, in this thread or task only.

    Parameters
    ----------
    system : str or PromotionSystem
        Promotion system, or its name in `systems`.

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


@public(home="supremum.promotion")
def port(source: str | PromotionSystem, target: str | PromotionSystem, fn: Callable[..., Any], /, *args: Any) -> PortReport:
    """Run a function under two promotion systems and list the lines whose dtypes, shapes or values differ.

    Parameters
    ----------
    source, target : str or PromotionSystem
        The system that the code was written for, and the one to port it to.
    fn : callable
        Function to run.
    *args
        Arguments of the function; arrays keep their dtypes.

    Returns
    -------
    PortReport
        The lines, what to write there, and the results of the function under both systems. It prints as a table, and
        ``to_html()`` is a page with the source next to it.

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


@public(home="supremum.promotion")
def implicit_cast(x: ArrayLike, y: ArrayLike, /, *, system: str | PromotionSystem = "jax") -> tuple[Array, Array]:
    """Cast two operands to the dtype that they promote to.

    Parameters
    ----------
    x, y : array_like
        Operands to cast.
    system : str or PromotionSystem
        Promotion system to use.

    Returns
    -------
    tuple of Array
        The operands with one dtype; those that have it are not copied.

    Raises
    ------
    TypePromotionError
        If they have no common dtype, or a dtype is not part of the system.

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
