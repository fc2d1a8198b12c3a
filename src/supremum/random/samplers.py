"""The samplers that others are made of: bits, uniform and normal numbers, integers and truth values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, shown
from supremum._core.arguments import in_dtype
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import finfo, real_of, requested
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._kernels.casts import cast
from supremum._kernels.special import erfinv, log1p_as_xla
from supremum._kernels.threefry import random_bits
from supremum.promotion._nodes import NODES, Node
from supremum.random.keys import Words, one_key, split_words

__all__ = ["bernoulli", "bits", "normal", "rademacher", "randint", "uniform"]

Buffer = np.ndarray[Any, Any]
_BOOL: Final = NODES["bool"]


def floating_node(dtype: Any, function: str, kinds: str = "f") -> Node:
    """Give the node of a `dtype=` argument of a continuous sampler; the default floating one for None."""
    here = state()
    node = here.float_ if dtype is None else requested(dtype, function, here)
    if node.kind not in kinds:
        what = "floating" if kinds == "f" else "floating or complex"
        raise ValueError(f"{function}: dtype must be a {what} dtype, got {node.dtype}")
    return node


def wide_of(node: Node) -> Node:
    """Give the node that numbers of a floating node are computed in."""
    return node if node.native else NODES["float32"]


def shape_with(shape: Any, function: str, *parameters: Any) -> tuple[int, ...]:
    """Give the shape of the result: as asked for, or that of the parameters broadcast together."""
    if shape is not None:
        return shape_of(shape, function)
    shapes = [operand(value, function).shape for value in parameters]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(f"{function}: the shapes {shapes} of the parameters do not broadcast") from None


def drawn(data: Any, node: Node) -> Array:
    """Give the array of what was drawn."""
    return wrap(cast(np.asarray(data), node), node)


def parameter(value: Any, node: Node, shape: tuple[int, ...], function: str) -> Buffer:
    """Give a parameter of a distribution, rounded to `node` but in the dtype computed in; it must broadcast to `shape`."""
    x = operand(value, function)
    check_fits(shape, x.shape, function)
    return cast(in_dtype(value, x, node), wide_of(node))


def check_fits(shape: tuple[int, ...], given: tuple[int, ...], function: str) -> None:
    """Refuse a parameter that does not broadcast to the shape of the result."""
    try:
        fits = np.broadcast_shapes(shape, given) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(f"{function}: a parameter of shape {given} does not broadcast to the shape {shape}")


def uniform_buffer(words: Words, node: Node, shape: tuple[int, ...], low: Any = 0.0, high: Any = 1.0) -> Buffer:
    """Give uniform numbers in [low, high), in the dtype that `node` is computed in; `low` and `high` are exact in `node`."""
    info = finfo(node.dtype)
    if info.bits not in (8, 16, 32, 64):
        raise TypeError(f"uniform: numbers of 8, 16, 32 or 64 bits can be drawn, got {node.dtype}")
    width = 8 if info.nmant < 8 else info.bits
    # Random bits become the mantissa of a number in [1, 2).
    unsigned = np.dtype(f"u{info.bits // 8}")
    mantissa = random_bits(words, width, shape).astype(unsigned, copy=False)
    mantissa >>= unsigned.type(width - info.nmant)
    mantissa |= np.ones((), node.dtype).view(unsigned)
    wide = wide_of(node)
    numbers = cast(mantissa.view(node.dtype), wide)
    low, high = (np.asarray(bound, wide.dtype) for bound in (low, high))
    numbers -= wide.dtype.type(1)  # type: ignore[union-attr]  # wide nodes have a dtype
    if low.any() or (high != 1).any():
        span = rounded(high - low, node, wide)
        if node is wide:
            numbers = _multiply_add(numbers, span, low)
        else:
            numbers = rounded(np.asarray(rounded(numbers * span, node, wide) + low), node, wide)
        numbers = np.maximum(low, numbers)
    return np.asarray(numbers)


def _multiply_add(a: Buffer, b: Buffer, c: Buffer) -> Buffer:
    """Give ``a * b + c`` rounded once, as the fused instruction does that JAX's numbers come from."""
    if a.dtype == np.float32:
        return (a.astype(np.float64) * b + c).astype(np.float32)
    product = a * b
    # What the product's rounding left (Dekker), and the sum's (Knuth).
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    left = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = product + c
    part = total - product
    left += (product - (total - part)) + (c - part)
    return np.where(np.isfinite(left), total + left, total)


def _halves(x: Buffer) -> tuple[Buffer, Buffer]:
    """Give two numbers of 26 bits whose sum is `x`."""
    scaled = x * 134217729.0
    high = scaled - (scaled - x)
    return high, x - high


def rounded(data: Buffer, node: Node, wide: Node) -> Buffer:
    """Round to `node`, but stay in the dtype computed in."""
    return data if node is wide else cast(cast(data, node), wide)


def normal_buffer(words: Words, node: Node, shape: tuple[int, ...]) -> Buffer:
    """Give standard normal numbers, in the dtype that `node` is computed in."""
    wide = wide_of(node)
    least = cast(np.nextafter(cast(np.asarray(-1.0), node), cast(np.asarray(0.0), node)), wide)
    root = cast(cast(np.asarray(np.sqrt(2.0)), node), wide)
    numbers = rounded(erfinv(uniform_buffer(words, node, shape, least), log1p_as_xla), node, wide)
    numbers *= root
    return numbers


def bits(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Draw random bits.

    Parameters
    ----------
    key : Array
        A key.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        An unsigned integer dtype; the default one by default.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        Unsigned integers, every bit of which is random.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.bits(xp.random.key(42), (2,))
    Array([2098992034, 2919706841], dtype=uint32)
    """
    words = one_key(key, "bits")
    here = state()
    node = NODES["uint64" if here.x64 == "on" else "uint32"] if dtype is None else requested(dtype, "bits", here)
    if node.kind != "u" or node.bits < 8:
        raise ValueError(f"bits: dtype must be an unsigned integer dtype of 8 to 64 bits, got {node.dtype}")
    return wrap(random_bits(words, node.bits, shape_of(shape, "bits")), node)


def uniform(
    key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0, *, out_sharding: Any = None
) -> Array:
    """Draw uniform numbers.

    Parameters
    ----------
    key : Array
        A key.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        A floating dtype; the default one by default.
    minval, maxval : array or scalar
        The least number, and the bound that is not reached.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        The numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.uniform(xp.random.key(42), (2,))
    Array([0.48870957, 0.6797972 ], dtype=float32)
    """
    words = one_key(key, "uniform")
    node = floating_node(dtype, "uniform")
    lengths = shape_of(shape, "uniform")
    low, high = (parameter(bound, node, lengths, "uniform") for bound in (minval, maxval))
    return wrap(cast(uniform_buffer(words, node, lengths, low, high), node), node)


def normal(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Draw standard normal numbers.

    Parameters
    ----------
    key : Array
        A key.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        A floating or complex dtype; the default floating one by default.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        The numbers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.normal(xp.random.key(42), (3,)).shape
    (3,)
    """
    words = one_key(key, "normal")
    node = floating_node(dtype, "normal", "fc")
    lengths = shape_of(shape, "normal")
    if node.kind == "f":
        return wrap(cast(normal_buffer(words, node, lengths), node), node)
    parts = [normal_buffer(part, real_of(node), lengths) for part in split_words(words, 2)]
    root = np.sqrt(np.asarray(2.0, parts[0].dtype))
    return drawn((parts[0] + 1j * parts[1]) / root, node)


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Draw integers.

    Parameters
    ----------
    key : Array
        A key.
    shape : int or tuple of int
        The shape of the result.
    minval, maxval : array or scalar of integers
        The least integer, and the bound that is not reached.
    dtype : dtype, optional
        An integer dtype; the default one by default.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        The integers.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.randint(xp.random.key(42), (3,), 0, 10)
    Array([4, 4, 1], dtype=int32)
    """
    words = one_key(key, "randint")
    here = state()
    node = here.int_ if dtype is None else requested(dtype, "randint", here)
    if node.kind not in "iu":
        raise TypeError(f"randint: dtype must be an integer dtype, got {node.dtype}")
    if node.bits < 8:
        raise TypeError(f"randint: integers of 8 to 64 bits can be drawn, got {node.dtype}")
    lengths = shape_of(shape, "randint")
    low, high = (_bound(value, lengths) for value in (minval, maxval))
    numbers = _integers(words, node, lengths, low, high)
    return wrap(numbers, node)


def _bound(value: Any, shape: tuple[int, ...]) -> Buffer:
    """Give a bound as integers of 64 bits."""
    x = operand(value, "randint")
    check_fits(shape, x.shape, "randint")
    return x._data if x.dtype == np.uint64 else cast(x._data, NODES["int64"])


def _integers(words: Words, node: Node, shape: tuple[int, ...], low: Buffer, high: Buffer) -> Buffer:
    """Draw twice the bits that are needed and take the remainder, which leaves little bias."""
    assert node.dtype is not None  # noqa: S101 - integer nodes have one
    least, largest = -(1 << (node.bits - 1)) if node.kind == "i" else 0, (1 << (node.bits - (node.kind == "i"))) - 1
    # Narrow integers are drawn in 32 bits, where the bound after their largest has room.
    drawn = np.dtype(np.int32) if node.bits < 32 else node.dtype
    unsigned = np.dtype(f"u{drawn.itemsize}")
    if node.bits < 32:
        low, high = low.astype(np.int32), high.astype(np.int32)
    beyond = np.asarray(high > largest)
    low, high = _clipped(low, least, largest, drawn), _clipped(high, least, largest, drawn)
    span = np.where(high <= low, unsigned.type(1), (high - low).astype(unsigned))
    # One past the largest may wrap to 0, which then stands for all integers there are.
    span = np.asarray(np.where(beyond & (high > low), span + unsigned.type(1), span))
    upper, lower = (random_bits(part, unsigned.itemsize * 8, shape) for part in split_words(words, 2))
    if span.ndim == 0 and span:
        half = unsigned.type(1 << unsigned.itemsize * 4) % span
        factor = np.asarray(half * half % span)
        offset = (upper % span * factor + lower % span) % span
    else:
        half = _remainder(np.full_like(span, 1 << unsigned.itemsize * 4), span)
        factor = _remainder(half * half, span)
        offset = _remainder(_remainder(upper, span) * factor + _remainder(lower, span), span)
    return np.asarray(low + offset.astype(drawn)).astype(node.dtype)


def _clipped(bound: Buffer, least: int, largest: int, dtype: np.dtype[Any]) -> Buffer:
    """Limit a bound of 64 bits; NumPy compares integers with Python's exactly."""
    return np.where(bound > largest, dtype.type(largest), np.where(bound < least, dtype.type(least), bound.astype(dtype)))


def _remainder(x: Buffer, divisor: Buffer) -> Buffer:
    """Give the remainder; a divisor of 0 stands for one past the largest integer and changes nothing."""
    return np.where(divisor == 0, x, x % np.where(divisor == 0, divisor.dtype.type(1), divisor))


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, mode: str = "low", *, out_sharding: Any = None) -> Array:
    """Draw truth values.

    Parameters
    ----------
    key : Array
        A key.
    p : array or scalar of floats
        The probability of True.
    shape : int or tuple of int, optional
        The shape of the result; that of `p` by default.
    mode : {'low', 'high'}
        Whether small probabilities are resolved as finely as the dtype of `p` allows, at twice the cost.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        The truth values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.bernoulli(xp.random.key(0), 0.5, (4,))
    Array([False, False,  True,  True], dtype=bool)
    """
    words = one_key(key, "bernoulli")
    if mode not in ("low", "high"):
        raise ValueError(f"bernoulli: mode is 'low' or 'high', got {shown(mode)}")
    x = as_array(p)
    node = x._node
    if node.kind != "f":
        raise TypeError(f"bernoulli: the probability must have a floating dtype, got {x.dtype}")
    strong = NODES[x.dtype.name]
    lengths = x.shape if shape is None else shape_of(shape, "bernoulli")
    chance = parameter(x, strong, lengths, "bernoulli")
    if mode == "low":
        return wrap(np.asarray(uniform_buffer(words, strong, lengths) < chance), _BOOL)
    wide = wide_of(strong)
    first, second = uniform_buffer(words, strong, (2, *lengths))
    fine = rounded(second * wide.dtype.type(2.0 ** -finfo(strong.dtype).nmant), strong, wide)  # type: ignore[union-attr]  # floats
    return wrap(np.asarray(fine < rounded(np.asarray(chance - first), strong, wide)), _BOOL)


def rademacher(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Array:
    """Draw signs: 1 or -1.

    Parameters
    ----------
    key : Array
        A key.
    shape : int or tuple of int
        The shape of the result.
    dtype : dtype, optional
        The dtype of the result; the default integer one by default.
    out_sharding : optional
        Accepted and of no effect.

    Returns
    -------
    Array
        The signs.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.rademacher(xp.random.key(0), (4,))
    Array([-1, -1,  1,  1], dtype=int32)
    """
    words = one_key(key, "rademacher")
    here = state()
    node = here.int_ if dtype is None else requested(dtype, "rademacher", here)
    heads = uniform_buffer(words, here.float_, shape_of(shape, "rademacher")) < 0.5
    return drawn(np.where(heads, np.int8(1), np.int8(-1)), node)


publish(__name__)
