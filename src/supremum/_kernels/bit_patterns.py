"""The bits of elements: those that a dtype does not use, their order, and reinterpretation as another dtype."""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.buffers import Buffer
from supremum.promotion._nodes import Node

_BYTE: Final = np.dtype(np.uint8)


def canonical(data: Buffer, node: Node) -> Buffer:
    """Return foreign elements as loops expect them: `data` itself if possible, else a view or a copy.

    Their dtype becomes that of the node, if it is another object that is equal to it. A bool is true if its byte is not 0, and
    true becomes 1. The bits that an element of less than 8 bits does not use become 0, as in JAX. Loops of NumPy and ml_dtypes
    differ in what they take other bytes for.
    """
    if data.dtype is not node.dtype:
        data = data.view(node.dtype)
    if node.bits >= 8 and node.kind != "b":
        return data
    codes, highest = data.view(_BYTE), _mask(1 if node.kind == "b" else node.bits)
    if codes.max(initial=0) <= highest:
        return data
    return np.asarray(codes != 0) if node.kind == "b" else np.asarray(codes & highest).view(node.dtype)


def byteswapped(data: Buffer, node: Node) -> Buffer:
    """Return a copy with the bytes of each element reversed, of complex numbers and keys those of each part.

    The bytes are read as they are, whatever byte order the dtype of `data` has; that of the result is the node's. NumPy swaps
    the bytes of ml_dtypes' elements as a whole, and versions before 0.5.4 not at all.
    """
    size = 4 if node.kind == "k" else np.dtype(node.real.dtype).itemsize
    return np.ascontiguousarray(data).reshape(-1).view(f"u{size}").byteswap().view(node.dtype).reshape(data.shape)


def reinterpret(data: Buffer, source: Node, target: Node) -> Buffer:
    """Return the bits of `data` as elements of `target`, as a view if possible.

    Sub-byte integers and 4-bit floats count as densely packed, the first one in the low bits. A byte that becomes a bool is
    compared with zero.

    Raises
    ------
    ValueError
        If the last axis does not hold a whole number of the wider elements.
    """
    have, want = _width(source), _width(target)
    if have == want:
        return np.asarray(data.view(_BYTE) & _mask(want)).view(target.dtype) if want < 8 else _from_bytes(data, target)
    if not data.ndim:
        raise ValueError(f"view: a 0-d array of {have}-bit elements has no elements of {want} bits; reshape it to 1-d first")
    if data.shape[-1] * have % want:
        raise ValueError(
            f"view: a last axis of {data.shape[-1]} elements of {have} bits is no whole number of elements of {want} bits"
        )
    if data.strides[-1] != data.itemsize:
        data = np.ascontiguousarray(data)
    if want < 8:
        codes = data.view(_BYTE) & _mask(have) if have < 8 else data.view(_BYTE)
        return _regroup(codes, min(have, 8), want).view(target.dtype)
    return _from_bytes(_regroup(data.view(_BYTE) & _mask(have), have, 8) if have < 8 else data, target)


def _width(node: Node) -> int:
    """Return the number of bits of an element; 6-bit floats occupy a byte, as in memory."""
    return 8 if node.bits == 6 or node.kind == "b" else node.bits


def _mask(bits: int) -> np.uint8:
    return np.uint8((1 << bits) - 1)


def _regroup(codes: Buffer, have: int, want: int) -> Buffer:
    """Split or combine codes of `have` bits into codes of `want` bits along the last axis."""
    length = codes.shape[-1] * have // want
    if have > want:
        parts = (codes[..., None] >> np.arange(0, have, want, dtype=np.uint8)) & _mask(want)
        return parts.reshape(*codes.shape[:-1], length)
    parts = codes.reshape(*codes.shape[:-1], length, want // have) << np.arange(0, want, have, dtype=np.uint8)
    return np.asarray(np.bitwise_or.reduce(parts, axis=-1))


def _from_bytes(data: Buffer, target: Node) -> Buffer:
    return np.asarray(data.view(_BYTE) != 0) if target.kind == "b" else data.view(target.dtype)
