"""Angles along an axis."""

# mypy: no-implicit-reexport
# pyright: reportUnsupportedDunderAll=false
from __future__ import annotations

import math

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import normalize_axis, operand, promote_operands
from supremum._functions.elementwise._steps import wide_of
from supremum._kernels.casts import cast

__all__ = ["unwrap"]


@public(role="inexact", axis="axis")
def unwrap(p: ArrayLike, discont: ArrayLike | None = None, axis: int = -1, period: ArrayLike = 2 * math.pi) -> Array:
    """Remove jumps of more than half a period from angles, by adding whole periods.

    Parameters
    ----------
    p : array_like
        Real angles, or other numbers that repeat.
    discont : array_like, optional
        The least jump to remove; half a period by default.
    axis : int, optional
        The axis along which the angles follow each other.
    period : array_like, optional
        The period.

    Returns
    -------
    Array
        The angles, without jumps.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unwrap(xp.asarray([0, 3, 6, 1, 4]), period=8)
    Array([ 0,  3,  6,  9, 12], dtype=int32)
    """
    node, (data, full) = promote_operands("unwrap", p, period)
    if node.kind == "c":
        raise ValueError("unwrap: complex numbers have no jumps to remove; unwrap their xp.angle(...)")
    axis = normalize_axis(axis, data.ndim, "unwrap")
    if not data.shape[axis]:
        return wrap(data.copy(), node)
    wide = wide_of(node)
    data, full = data.astype(wide, copy=False), full.astype(wide, copy=False)
    half = full // 2 if node.kind in "iu" else full / 2
    least = full / 2 if discont is None else operand(discont, "unwrap", 1)._data
    jump = np.diff(data, axis=axis)
    within = np.remainder(jump + half, full) - half
    within = np.where((within == -half) & (jump > 0), half, within)
    correction = np.where(np.abs(jump) < least, 0, within - jump).astype(wide)
    first, rest = np.split(data, [1], axis=axis)
    result = np.concatenate([first, rest + np.cumsum(correction, axis=axis, dtype=wide)], axis=axis)
    return wrap(cast(result, node), node.strong)
