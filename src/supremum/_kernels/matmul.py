"""Matrix products: narrow floats through the float32 BLAS, integers through a float BLAS wherever that is exact.

Why a float product of integers can be exact: all partial sums of ``sum(a[k] * b[k])`` are integers no larger than
``K * max|a| * max|b|``. Where that bound is at most 2**24 (float32) or 2**53 (float64), every one of them is representable, so
no order of summation rounds. Beyond the bound, operands are split into signed limbs whose products are within it; only the
limb products that count modulo 2**bits are computed, and they are added in wrapping integers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._kernels.casts import cast
from supremum._types import is_native
from supremum.promotion._nodes import Node

__all__ = ["integer_product", "product", "wide_dtype"]

Buffer = np.ndarray[Any, Any]

_FLOAT32: Final = np.dtype(np.float32)
_FLOAT64: Final = np.dtype(np.float64)
#: The largest integers up to which all integers are representable.
_EXACT32: Final = 1 << 24
_EXACT64: Final = 1 << 53
#: Multiplications from which a cast to floats and back costs less than NumPy's integer loop.
_WORTHWHILE: Final = 16384
#: Bits of a limb and how many cover the dtype: products of two signed limbs stay exact for 2**23 and 2**11 terms.
_LIMBS: Final = {32: (16, 2), 64: (22, 3)}
_SIGNED: Final[dict[int, np.dtype[Any]]] = {size: np.dtype(f"i{size}") for size in (1, 2, 4, 8)}


def wide_dtype(node: Node) -> np.dtype[Any]:
    """Give the dtype in which products of `node` are accumulated."""
    if is_native(node) and node.dtype is not None and not (node.kind == "c" and node.bits < 64):
        return node.dtype
    return np.dtype({"f": np.float32, "c": np.complex64, "i": np.int8, "u": np.uint8}[node.kind])


def product(a: Buffer, b: Buffer, node: Node) -> Buffer:
    """Multiply matrices, or stacks of them, of dtypes that meet at `node`, and give a buffer of `node`.

    Parameters
    ----------
    a, b : ndarray
        Operands as `numpy.matmul` takes them, with at least one dimension.
    node : Node
        The node of the result.
    """
    if node.kind in "iu":
        wide = wide_dtype(node)
        return cast(integer_product(_integers(a), _integers(b), wide), node)
    if node.kind == "b":
        return truth_product(a, b)
    wide = wide_dtype(node)
    result: Buffer = np.matmul(a.astype(wide, copy=False), b.astype(wide, copy=False), out=...)
    return cast(result, node)


def _integers(x: Buffer) -> Buffer:
    """Give truth values and sub-byte integers as bytes; other integers as they are."""
    return x if x.dtype.kind in "iu" else x.astype(np.int8)


def _terms(a: Buffer, b: Buffer) -> tuple[int, int]:
    """Give the length of the sums and the number of multiplications."""
    length = a.shape[-1] if a.ndim else 0
    rows = a.shape[-2] if a.ndim > 1 else 1
    columns = b.shape[-1] if b.ndim > 1 else 1
    stack = max(a[..., :1, :1].size if a.ndim > 2 else 1, b[..., :1, :1].size if b.ndim > 2 else 1)
    # A row or a column is bound by memory, not by arithmetic: casting it would gain nothing.
    return length, stack * rows * columns * length if min(rows, columns) > 2 else 0


def truth_product(a: Buffer, b: Buffer) -> Buffer:
    """Multiply truth values, where addition is `or`: a sum of zeros and ones is nonzero where one of them is."""
    work = _terms(a, b)[1]
    # NumPy's loop stops at the first pair of True: on average after as many pairs as one in which both are True takes.
    if work < _WORTHWHILE or np.count_nonzero(a) * np.count_nonzero(b) * 16 > a.size * b.size:
        return np.asarray(np.matmul(a, b, out=...))
    return np.asarray(np.matmul(a.astype(_FLOAT32), b.astype(_FLOAT32), out=...) != 0)


def integer_product(a: Buffer, b: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Multiply integer matrices modulo 2**bits of `dtype`, bit for bit as integer arithmetic does."""
    length, work = _terms(a, b)
    if work < _WORTHWHILE or length != b.shape[-2 if b.ndim > 1 else 0]:
        return np.asarray(np.matmul(a.astype(dtype, copy=False), b.astype(dtype, copy=False), out=...))
    a, b = _centred(a, dtype), _centred(b, dtype)
    bound = _largest(a) * _largest(b)
    if length * bound <= _EXACT32:
        return _exact(a, b, _FLOAT32, dtype)
    if bound * 64 <= _EXACT32:
        return _blocked(a, b, _EXACT32 // bound, _FLOAT32, dtype)
    if length * bound <= _EXACT64:
        return _exact(a, b, _FLOAT64, dtype)
    if dtype.itemsize < 4:
        return _blocked(a, b, _EXACT64 // bound, _FLOAT64, dtype)
    return _split(a, b, dtype)


def _centred(x: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Give the buffer with elements of least magnitude that are congruent modulo 2**bits of `dtype`."""
    if x.dtype.itemsize < dtype.itemsize:
        return x
    return x.view(_SIGNED[x.itemsize]).astype(_SIGNED[dtype.itemsize], copy=False)


def _largest(x: Buffer) -> int:
    """Give the largest magnitude."""
    return max(-int(x.min()), int(x.max()), 1)


def _exact(a: Buffer, b: Buffer, real: np.dtype[Any], dtype: np.dtype[Any]) -> Buffer:
    """Multiply in a float dtype where no sum can round, and give the integers modulo 2**bits of `dtype`."""
    exact: Buffer = np.matmul(a.astype(real, copy=False), b.astype(real, copy=False), out=...)
    whole = exact.astype(np.int32 if real == _FLOAT32 else np.int64)
    return whole.astype(dtype, copy=False)


def _blocked(a: Buffer, b: Buffer, terms: int, real: np.dtype[Any], dtype: np.dtype[Any]) -> Buffer:
    """Multiply in blocks of `terms` terms, each of which is exact, and add the blocks modulo 2**bits."""
    total = _exact(a[..., :terms], b[..., :terms, :], real, dtype)
    for start in range(terms, a.shape[-1], terms):
        total += _exact(a[..., start : start + terms], b[..., start : start + terms, :], real, dtype)
    return total


def _split(a: Buffer, b: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Multiply by limbs: of the products of limbs i and j, those with i + j beyond the dtype vanish modulo 2**bits.

    All products with one i + j are one matrix product, of limbs of `a` beside each other and limbs of `b` below each other.
    """
    width, count = _LIMBS[dtype.itemsize * 8]
    terms, length = _EXACT64 >> (2 * width - 2), a.shape[-1]
    left = np.empty((*a.shape[:-1], count * length), _FLOAT64)
    right = np.empty((*b.shape[:-2], count * length, b.shape[-1]), _FLOAT64)
    _store_limbs(a, dtype, width, [left[..., i * length : (i + 1) * length] for i in range(count)])
    # The limbs of `b` in the other order, so that those that meet stand opposite each other.
    _store_limbs(b, dtype, width, [right[..., i * length : (i + 1) * length, :] for i in reversed(range(count))])
    unsigned = np.dtype(f"u{dtype.itemsize}")
    total = None
    for place in range(count):
        end = (place + 1) * length
        part = _blocked(left[..., :end], right[..., -end:, :], terms, _FLOAT64, unsigned)
        if total is None:
            total = part
        else:
            total += np.left_shift(part, unsigned.type(width * place), out=part)
    assert total is not None  # noqa: S101 - there are limbs
    return total.view(dtype)


def _store_limbs(x: Buffer, dtype: np.dtype[Any], width: int, into: list[Buffer]) -> None:
    """Split into signed limbs, least first: ``x == sum(limb[i] << (width * i))`` modulo 2**(width * count)."""
    rest = x.astype(_SIGNED[dtype.itemsize])
    half, mask = rest.dtype.type(1 << (width - 1)), rest.dtype.type((1 << width) - 1)
    low = np.empty_like(rest)
    for limb in into:
        np.add(rest, half, out=low)
        np.bitwise_and(low, mask, out=low)
        np.subtract(low, half, out=low)
        np.copyto(limb, low)
        # Where this wraps, it does so by 2**bits, which the limbs shift out.
        np.subtract(rest, low, out=rest)
        np.right_shift(rest, rest.dtype.type(width), out=rest)
