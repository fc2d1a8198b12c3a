"""Packing of bits into bytes, and unpacking."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from supremum._base.boundary import public
from supremum._base.exceptions import as_integer, check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import normalize_axis, operand
from supremum._kernels.counting import packed, unpacked
from supremum.promotion._nodes import NODES

__all__ = ["packbits", "unpackbits"]

_UINT8: Final = NODES["uint8"]
BitOrder: TypeAlias = Literal["big", "little"]


@public(role="position")
def packbits(a: ArrayLike, axis: int | None = None, bitorder: BitOrder = "big") -> Array:
    """Pack truth values into the bits of bytes; the last byte is padded with zeros.

    Parameters
    ----------
    a : array_like
        Input array of bools or integers; all but 0 are set bits.
    axis : int, optional
        Axis to pack along; the flattened array by default.
    bitorder : {'big', 'little'}
        Whether the first value is the most or the least significant bit.

    Returns
    -------
    Array
        The bytes, as uint8.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.packbits(xp.asarray([1, 0, 1]))
    Array([160], dtype=uint8)
    """
    x = operand(a, "packbits")
    if x._node.kind not in "biu":
        raise TypeError(f"packbits: a must be an array of bools or integers, got dtype {x.dtype}")
    check_choice(bitorder, "bitorder", get_args(BitOrder), "packbits")
    return wrap(packed(x._data, _axis(axis, x, "packbits"), bitorder), _UINT8)


@public(role="position")
def unpackbits(a: ArrayLike, axis: int | None = None, count: int | None = None, bitorder: BitOrder = "big") -> Array:
    """Unpack bytes into their bits.

    Parameters
    ----------
    a : array_like
        Input array of dtype uint8.
    axis : int, optional
        Axis to unpack along; the flattened array by default.
    count : int, optional
        Number of bits to return: missing ones are 0. A negative number of bits is cut off at the end.
    bitorder : {'big', 'little'}
        Whether the most or the least significant bit is first.

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
        raise TypeError(f"unpackbits: a must be an array of dtype uint8, got {x.dtype}")
    check_choice(bitorder, "bitorder", get_args(BitOrder), "unpackbits")
    number = None if count is None else as_integer(count, "count")
    return wrap(unpacked(x._data, _axis(axis, x, "unpackbits"), number, bitorder), _UINT8)


def _axis(axis: int | None, x: Array, function: str) -> int | None:
    return None if axis is None else normalize_axis(axis, x.ndim, function)
