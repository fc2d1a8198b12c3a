"""Selection of elements from two arrays by a condition."""

from __future__ import annotations

from typing import Final, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import shape_error
from supremum._base.functions import without_float_warnings
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import keep_float64_scalars, operand
from supremum._core.plans import Operation
from supremum._core.rules import Elementwise, Result
from supremum._core.settings import state
from supremum._functions.searching import FillValue, nonzero, truth
from supremum._kernels.blocks import choose
from supremum.promotion._nodes import PYTHON_SCALARS, Node

__all__ = ["where"]


#: Plans by which `x` and `y` promote, for Python scalars too.
_SELECT: Final = Operation(Elementwise("where", 2, "biufc", Result.SAME, np.where, widen=False, variants=False))


@overload
def where(condition: ArrayLike, /, *, size: int | None = None, fill_value: FillValue = None) -> tuple[Array, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, size: None = None, fill_value: None = None) -> Array: ...
@public(fast="where", operation=_SELECT.engine, kind="elementwise", operands="condition x y", wrap=False, row=_SELECT)
@without_float_warnings
def where(
    condition: ArrayLike,
    x: ArrayLike | None = None,
    y: ArrayLike | None = None,
    /,
    *,
    size: int | None = None,
    fill_value: FillValue = None,
) -> Array | tuple[Array, ...]:
    """Select elements of `x` where a condition is true and of `y` elsewhere; without them, find where it is true.

    Parameters
    ----------
    condition : array_like
        Truth values; elements of other dtypes are true if they are not zero.
    x, y : array_like, optional
        Arrays to select from, which promote to a common dtype. Without them the result is ``nonzero(condition)``.
    size, fill_value
        As for `nonzero`; only without `x` and `y`.

    Returns
    -------
    Array or tuple of Array
        The selected elements, or the indices along each axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.where(xp.asarray([True, False]), xp.ones(2), 0)
    Array([1., 0.], dtype=float32)
    """
    if x is None or y is None:
        if x is None and y is None:
            return nonzero(condition, size=size, fill_value=fill_value)
        raise TypeError("where: pass both x and y, or neither of them")
    if size is not None or fill_value is not None:
        raise ValueError("where: size and fill_value have no meaning if x and y are given; leave them out")
    holds = truth(operand(condition, "where", 0))
    node, first, second = _promoted(x, y)
    try:
        chosen = choose(holds, first, second, node)
    except ValueError:
        raise shape_error("where", holds.shape, first.shape, second.shape) from None
    return wrap(chosen, node)


def _promoted(x: ArrayLike, y: ArrayLike) -> tuple[Node, Buffer, Buffer]:
    """Return the node that `x` and `y` promote to and their buffers, which the kernel casts if their dtypes differ."""
    if (type(y) in PYTHON_SCALARS and type(x) is Array) or (type(x) in PYTHON_SCALARS and type(y) is Array):
        plan = _SELECT.plan(x, y)
        assert plan.convert is not None  # noqa: S101 - plans of two operands convert scalars
        a, b = [one._data if type(one) is Array else plan.convert(one) for one in (x, y)]
        return plan.node, a, b
    arrays = keep_float64_scalars((x, y), [operand(x, "where", 1), operand(y, "where", 2)])
    first, second = arrays
    if first._node is not second._node:
        node = state().join_arrays(arrays, "where")
    else:  # in some systems a dtype does not promote with itself to itself
        node = first._node if first._node.weak else state().system.lookup(first._node, first._node) or first._node
    return node, first._data, second._data
