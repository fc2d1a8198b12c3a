"""Choosing between arrays by truth values."""

from __future__ import annotations

import math
from typing import Any, Final, overload

import numpy as np

from supremum._base.silence import silent
from supremum._core.array import Array, wrap
from supremum._core.conversion import keep_float64_scalars, operand
from supremum._core.plans import PYTHON_SCALARS, Operation
from supremum._core.rules import Result, Rule
from supremum._core.settings import state
from supremum._functions.searching import nonzero, truth
from supremum._kernels.choose import FEW, choose
from supremum._kernels.direct import copyto
from supremum.promotion._nodes import NODES, Node

__all__ = ["where"]

Buffer = np.ndarray[Any, Any]

_BOOL: Final = NODES["bool"]
_FEW: Final[int] = FEW
_copyto: Final = copyto


@overload
def where(condition: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> tuple[Array, ...]: ...
@overload
def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /, *, size: None = None, fill_value: ArrayLike | None = None) -> Array: ...
def where(condition: ArrayLike, x: ArrayLike = None, y: ArrayLike | None = None, /, *, size: int | None = None, fill_value: ArrayLike | None = None) -> Any:
    """Choose elements of `x` where a condition holds and of `y` where it does not; alone, find where it holds.

    Parameters
    ----------
    condition : array_like
        Truth values; other dtypes are compared with zero.
    x, y : array_like, optional
        What to choose from; their dtypes meet. Without them the result is ``nonzero(condition)``.
    size, fill_value : optional
        As in `nonzero`, where `x` and `y` are left out.

    Returns
    -------
    Array or tuple of Array
        The choice.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.where(xp.asarray([True, False]), xp.ones(2), 0)
    Array([1., 0.], dtype=float32)
    """
    if type(x) is Array and type(y) is Array and type(condition) is Array and size is None and fill_value is None:
        common, mask, a, b = x._node, condition._data, x._data, y._data
        if common is y._node and condition._node is _BOOL:
            try:
                if b.size > _FEW or a.shape != b.shape:
                    return wrap(choose(mask, a, b, common), common)
                data = b.copy()
                _copyto(data, a, "same_kind", mask)
                return wrap(data, common)
            except ValueError:
                pass  # shapes that do not fit, or the mask is the largest
    return _where(condition, x, y, size, fill_value)


@silent
def _where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, size: int | None, fill_value: ArrayLike | None) -> Any:
    """Choose where there is anything to judge."""
    if x is None or y is None:
        if x is None and y is None:
            return nonzero(condition, size=size, fill_value=fill_value)
        raise TypeError("where: give both x and y, or neither of them")
    if size is not None or fill_value is not None:
        raise ValueError("where: size and fill_value have no meaning where x and y are given")
    holds = truth(operand(condition, "where", 0))
    node, first, second = _choices(x, y)
    try:
        return wrap(choose(holds, first, second, node), node)
    except ValueError:
        shapes = f"{holds.shape}, {first.shape} and {second.shape}"
        raise ValueError(f"where: the shapes {shapes} cannot be broadcast together") from None


#: How the dtypes of choices meet, with the plans for Python scalars that operators have.
_CHOICE: Final = Operation(Rule("where", 2, "biufc", Result.SAME, np.where, widen=False))


def _choices(x: ArrayLike, y: ArrayLike) -> tuple[Node, Buffer, Buffer]:
    """Return the node that two choices meet at and their buffers, which are to be cast to its dtype if theirs differ."""
    if type(y) in PYTHON_SCALARS and type(x) is Array:
        return _beside(x, y)
    if type(x) in PYTHON_SCALARS and type(y) is Array:
        node, other, chosen = _beside(y, x)
        return node, chosen, other
    arrays = keep_float64_scalars((x, y), [operand(x, "where", 1), operand(y, "where", 2)])
    first, second = arrays
    node = first._node if first._node is second._node else state().join_arrays(arrays, "where")
    return node, first._data, second._data


def _beside(x: Array, scalar: Any) -> tuple[Node, Buffer, Buffer]:
    """Return the node that an array and a Python scalar meet at, the array's buffer, and the scalar's in the node's dtype."""
    plan = _CHOICE.scalars[x._node.index].get(type(scalar))
    if plan is None:
        plan = _CHOICE.binary_plan(x._node, type(scalar), x.shape, ())
        assert plan is not None  # noqa: S101 - the type is one of Python's scalars
    value = plan.memo.get(scalar)
    if value is None:
        # Plans remember no zero, for there are two of them that are equal.
        positive = scalar == 0 and type(scalar) is float and math.copysign(1, scalar) > 0
        value = np.zeros((), plan.compute.dtype) if positive else plan.scalar(scalar)
    return plan.node, x._data, value
