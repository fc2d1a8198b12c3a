"""Matrix products: narrow floats with the float32 BLAS, integers with a float BLAS if that is exact.

Those of 8- and 16-bit integers are the extension module's, where it is (`native/loops/products.c`).

A float product of integers can be exact: all partial sums of ``sum(a[k] * b[k])`` are integers no larger than ``K * max|a| *
max|b|``. If that bound is at most 2**24 (float32) or 2**53 (float64), all of them are representable, so no order of summation
rounds. Beyond the bound, operands are split into signed limbs whose products are within it; only the limb products that are
nonzero modulo 2**bits are computed, and they are added in wrapping integers.
"""

from __future__ import annotations

import math
import threading
from typing import Any, Final

import numpy as np

from supremum._base.buffers import Buffer, native
from supremum._base.key_dtype import refuse_keys
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node, node_of_dtype

_FLOAT32: Final = np.dtype(np.float32)
_FLOAT64: Final = np.dtype(np.float64)
_INT32: Final = np.dtype(np.int32)
_INT64: Final = np.dtype(np.int64)
#: Size in bytes up to which scratch memory is kept for the next product.
_MAX_SCRATCH: Final = 8 << 20
#: The integers up to which all integers are representable, in float32 and float64.
_EXACT32: Final = 1 << 24
_EXACT64: Final = 1 << 53
#: Number of multiplications from which casts to floats and back cost less than NumPy's integer loop.
_WORTHWHILE: Final = 16384
#: Number of multiplications from which the loops of the extension module are faster.
_FEW: Final = 512
#: Number of elements from which it is worth finding out whether there is memory for copies.
_MANY: Final = 1 << 30
#: Bits of a limb and number of limbs by width: products of two signed limbs stay exact for 2**23 and 2**11 terms.
_LIMBS: Final = {32: (16, 2), 64: (22, 3)}
_SIGNED: Final[dict[int, np.dtype[Any]]] = {size: np.dtype(f"i{size}") for size in (1, 2, 4, 8)}


def wide_node(node: Node) -> Node:
    """Return the strong node in which products of `node` are accumulated."""
    refuse_keys(node.kind)
    return node.strong.wide


def product(a: Buffer, b: Buffer, node: Node) -> Buffer:
    """Multiply matrices, or stacks of them, of dtypes with the common node `node`.

    Parameters
    ----------
    a, b : ndarray
        Operands as `numpy.matmul` takes them, with at least one dimension.
    node : Node
        The node of the result.

    Returns
    -------
    ndarray
        A buffer of `node`.
    """
    wide = wide_node(node)
    through = computed_in(node, a, b)
    if through is not node:
        return cast(product(a, b, through), node)
    if node.kind in "biu":
        if node.kind == "b":
            return truth_product(a, b)
        return cast(integer_product(_integers(a), _integers(b), wide.dtype), node)
    result: Buffer = np.matmul(cast(a, wide), cast(b, wide), out=...)
    return cast(result, node)


def computed_in(node: Node, *operands: Buffer) -> Node:
    """Return the node that a product is computed in: `node`, or the floating one of operands that have more bits or digits."""
    if all(x.dtype == node.dtype for x in operands):
        return node
    given = [node_of_dtype(x.dtype) for x in operands]
    inexact = [one for one in given if one is not None and one.kind in "fc"]
    double = any(one.real.bits == 64 for one in inexact)
    if not inexact or (node.kind in "fc" and (not double or node.real.bits == 64)):
        return node
    kind = "complex" if any(one.kind == "c" for one in (node, *inexact)) else "float"
    bits = 64 if double else 32
    return NODES[f"{kind}{bits * 2 if kind == 'complex' else bits}"]


def _integers(x: Buffer) -> Buffer:
    """Cast bools and sub-byte integers to int8; return other integers unchanged."""
    return x if x.dtype.kind in "iu" else x.astype(np.int8)


def _terms(a: Buffer, b: Buffer) -> tuple[int, int]:
    """Return the length of the sums, and the number of multiplications or 0 if floats would not be faster."""
    length = a.shape[-1] if a.ndim else 0
    rows = a.shape[-2] if a.ndim > 1 else 1
    columns = b.shape[-1] if b.ndim > 1 else 1
    stack = max(a[..., :1, :1].size if a.ndim > 2 else 1, b[..., :1, :1].size if b.ndim > 2 else 1)
    # Products with a row or a column are bound by memory, not by arithmetic.
    return length, stack * rows * columns * length if min(rows, columns) > 2 else 0


def truth_product(a: Buffer, b: Buffer) -> Buffer:
    """Multiply matrices of bools, where addition is `or`: a sum of zeros and ones is nonzero if one of them is."""
    work = _terms(a, b)[1]
    _check_memory(a, b)
    # NumPy's loop stops at the first pair of True, which is fast if pairs of True are frequent.
    if work < _WORTHWHILE or np.count_nonzero(a) * np.count_nonzero(b) * 16 > a.size * b.size:
        return np.asarray(np.matmul(a, b, out=...))
    return np.asarray(np.matmul(a.astype(_FLOAT32), b.astype(_FLOAT32), out=...) != 0)


def integer_product(a: Buffer, b: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Multiply integer matrices modulo 2**bits of `dtype`, bit for bit as integer arithmetic does."""
    length, work = _terms(a, b)
    small = native is not None and a.itemsize <= 2 >= b.itemsize and min(a.ndim, b.ndim) > 1
    if work < (_FEW if small else _WORTHWHILE) or length != b.shape[-2 if b.ndim > 1 else 0]:
        return np.asarray(np.matmul(a.astype(dtype, copy=False), b.astype(dtype, copy=False), out=...))
    _check_memory(a, b)
    if small and (dtype.itemsize <= 2 or (dtype.itemsize == 4 and np.uint16 not in (a.dtype, b.dtype))):
        return _in_32_bits(a, b, dtype)
    a, b = _centred(a, dtype), _centred(b, dtype)
    bound = _largest(a) * _largest(b)
    if length * bound <= _EXACT32:
        return _exact(a, b, _FLOAT32, dtype)
    if bound * 64 <= _EXACT32:
        return _blocked(a, b, _EXACT32 // bound, _FLOAT32, dtype)
    if length * bound <= _EXACT64:
        return _exact(a, b, _FLOAT64, dtype)
    return _blocked(a, b, _EXACT64 // bound, _FLOAT64, dtype) if dtype.itemsize < 4 else _split(a, b, dtype)


def _check_memory(a: Buffer, b: Buffer) -> None:
    """Refuse operands that no memory holds: strides of 0 make any length, and all products below copy their operands."""
    if a.size + b.size <= _MANY:
        return
    try:
        np.empty(a.size + b.size, np.int16)
    except (MemoryError, ValueError):
        raise MemoryError(f"matmul: no memory for copies of matrices of the shapes {a.shape} and {b.shape}") from None


def _in_32_bits(a: Buffer, b: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Multiply by the loops of the extension module (`native/loops/products.c`)."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (np.broadcast_to(np.require(x, requirements="A"), batch + x.shape[-2:]) for x in (a, b))
    return np.asarray(native.multiply_integers(a, b, dtype))


def _centred(x: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Return elements of least magnitude that are congruent modulo 2**bits of `dtype`."""
    if x.dtype.itemsize < dtype.itemsize:
        return x
    return x.view(_SIGNED[x.itemsize]).astype(_SIGNED[dtype.itemsize], copy=False)


def _largest(x: Buffer) -> int:
    """Return the largest magnitude."""
    return max(-int(x.min()), int(x.max()), 1)


class _Scratch(threading.local):
    """Scratch memory of each thread for products: allocating pages would cost more than filling them."""

    def __init__(self) -> None:
        self.held: dict[str, Buffer] = {}

    def empty(self, purpose: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Buffer:
        """Return an uninitialised array, valid until the next one for the same purpose."""
        size = math.prod(shape) * dtype.itemsize
        if size > _MAX_SCRATCH:
            return np.empty(shape, dtype)
        held = self.held.get(purpose)
        if held is None or held.size < size:
            held = self.held[purpose] = np.empty(size, np.uint8)
        return held[:size].view(dtype).reshape(shape)

    def copy(self, purpose: str, x: Buffer, dtype: np.dtype[Any]) -> Buffer:
        """Cast a buffer into scratch memory; return the buffer itself if it has the dtype."""
        if x.dtype == dtype:
            return x
        copied = self.empty(purpose, x.shape, dtype)
        np.copyto(copied, x, casting="unsafe")
        return copied


_scratch: Final = _Scratch()


def _exact(a: Buffer, b: Buffer, real: np.dtype[Any], dtype: np.dtype[Any]) -> Buffer:
    """Multiply in a float dtype in which no sum is rounded, and return the integers modulo 2**bits of `dtype`."""
    left, right = _scratch.copy("left", a, real), _scratch.copy("right", b, real)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    exact = np.matmul(left, right, out=_scratch.empty("product", (*batch, a.shape[-2], b.shape[-1]), real))
    return _scratch.copy("whole", exact, _INT32 if real == _FLOAT32 else _INT64).astype(dtype)


def _blocked(a: Buffer, b: Buffer, terms: int, real: np.dtype[Any], dtype: np.dtype[Any]) -> Buffer:
    """Multiply in blocks of `terms` terms, each of which is exact, and add the blocks modulo 2**bits."""
    total = _exact(a[..., :terms], b[..., :terms, :], real, dtype)
    for start in range(terms, a.shape[-1], terms):
        total += _exact(a[..., start : start + terms], b[..., start : start + terms, :], real, dtype)
    return total


def _split(a: Buffer, b: Buffer, dtype: np.dtype[Any]) -> Buffer:
    """Multiply by limbs; products of limbs i and j vanish modulo 2**bits if i + j is beyond the dtype.

    All products with the same i + j are one matrix product, of limbs of `a` side by side and limbs of `b` stacked.
    """
    width, count = _LIMBS[dtype.itemsize * 8]
    terms, length = _EXACT64 >> (2 * width - 2), a.shape[-1]
    left = _scratch.empty("left", (*a.shape[:-1], count * length), _FLOAT64)
    right = _scratch.empty("right", (*b.shape[:-2], count * length, b.shape[-1]), _FLOAT64)
    _store_limbs(a, dtype, width, [left[..., i * length : (i + 1) * length] for i in range(count)])
    # The limbs of `b` are in reverse order, so that limbs to be multiplied have the same positions.
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
    assert total is not None  # noqa: S101 - the loop runs at least once
    return total.view(dtype)


def _store_limbs(x: Buffer, dtype: np.dtype[Any], width: int, into: list[Buffer]) -> None:
    """Split into signed limbs, least first: ``x == sum(limb[i] << (width * i))`` modulo 2**(width * count)."""
    rest = _scratch.empty("rest", x.shape, _SIGNED[dtype.itemsize])
    np.copyto(rest, x, casting="unsafe")
    half, mask = rest.dtype.type(1 << (width - 1)), rest.dtype.type((1 << width) - 1)
    low = _scratch.empty("low", x.shape, rest.dtype)
    for limb in into:
        np.add(rest, half, out=low)
        np.bitwise_and(low, mask, out=low)
        np.subtract(low, half, out=low)
        np.copyto(limb, low)
        # Wrapping changes the rest by 2**bits, which the result is independent of.
        np.subtract(rest, low, out=rest)
        np.right_shift(rest, rest.dtype.type(width), out=rest)
