"""Angles along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._core.arguments import normalize_axis, promoted, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._functions.elementwise._operands import wide_of
from supremum._kernels.casts import cast

__all__ = ["unwrap"]


def unwrap(p: Any, discont: Any = None, axis: int = -1, period: Any = 2 * math.pi) -> Array:
    """Angles with the jumps of more than half a period taken out, by adding whole periods.

    Parameters
    ----------
    p : Array
        Real angles, or other numbers that repeat.
    discont : float, optional
        The least jump to take out; half a period if absent.
    axis : int, optional
        The axis along which to go.
    period : float, optional
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
    node, (data, full) = promoted("unwrap", p, period)
    if node.kind == "c":
        raise ValueError("unwrap: complex numbers have no jumps to take out; unwrap their xp.angle(...)")
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
    return wrap(cast(result, node), strong(node))


publish(__name__)
