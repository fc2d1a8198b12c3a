"""Packing truth values into bytes, and back."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np

from supremum._base.errors import shown, whole
from supremum._core.arguments import normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.boundary import publish
from supremum._core.conversion import operand
from supremum.promotion._nodes import NODES

__all__ = ["packbits", "unpackbits"]

_UINT8: Final = NODES["uint8"]
BitOrder = Literal["big", "little"]


def packbits(a: ArrayLike, axis: int | None = None, bitorder: BitOrder = "big") -> Array:
    """Pack truth values into bytes, eight into one; the last byte is filled up with zeros.

    Parameters
    ----------
    a : array_like
        Bools or integers, of which all but 0 count as 1.
    axis : int, optional
        The axis to pack along; the flattened array by default.
    bitorder : {'big', 'little'}
        Whether the first value goes into the highest or the lowest bit.

    Returns
    -------
    Array
        Bytes.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.packbits(xp.asarray([1, 0, 1]))
    Array([160], dtype=uint8)
    """
    x = operand(a, "packbits")
    if x._node.kind not in "biu":
        raise TypeError(f"packbits: bools or integers can be packed, got dtype {x.dtype}")
    _check_order(bitorder, "packbits")
    return wrap(np.packbits(x._data != 0, _axis(axis, x, "packbits"), bitorder), _UINT8)


def unpackbits(a: ArrayLike, axis: int | None = None, count: Any = None, bitorder: BitOrder = "big") -> Array:
    """Take bytes apart into their bits.

    Parameters
    ----------
    a : array_like
        Bytes: an array of dtype uint8.
    axis : int, optional
        The axis to unpack along; the flattened array by default.
    count : int, optional
        How many bits to give: zeros are added where there are fewer, and a negative number leaves so many out at the end.
    bitorder : {'big', 'little'}
        Whether the highest or the lowest bit comes first.

    Returns
    -------
    Array
        The bits, as uint8.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unpackbits(xp.asarray([160], dtype="uint8"), count=3)
    Array([1, 0, 1], dtype=uint8)
    """
    x = operand(a, "unpackbits")
    if x._node is not _UINT8:
        raise TypeError(f"unpackbits: bytes can be unpacked, that is dtype uint8, got {x.dtype}")
    _check_order(bitorder, "unpackbits")
    number = None if count is None else whole(count, "count")
    return wrap(np.unpackbits(x._data, _axis(axis, x, "unpackbits"), number, bitorder), _UINT8)


def _axis(axis: Axis, x: Array, function: str) -> int | None:
    return None if axis is None else normalize_axis(axis, x.ndim, function)


def _check_order(bitorder: object, function: str) -> None:
    if bitorder not in ("big", "little"):
        raise ValueError(f"{function}: bitorder is 'big' or 'little', got {shown(bitorder)}")


publish(__name__)
