"""Basic samplers: bits, uniform and normal numbers, integers and bools."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer, native
from supremum._base.exceptions import DtypeError, ShapeError, TypePromotionError, check_choice
from supremum._base.porting import warn
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.conversion import as_array, in_dtype, operand
from supremum._core.dtype_objects import finfo, requested
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._functions.creation.from_objects import asarray
from supremum._kernels.casts import cast
from supremum._kernels.special_functions import erfinv_by, log1p_as_xla
from supremum._kernels.threefry import Words, each, fractions, many
from supremum.promotion._nodes import NODES, Node
from supremum.random.keys import Key, check_key, one_key, random_bits, split_words

__all__ = ["bernoulli", "bits", "normal", "rademacher", "randint", "uniform"]

_BOOL: Final = NODES["bool"]
#: What `finfo` says of a dtype.
limits: Final = cache(finfo)


def floating_node(dtype: object, function: str, kinds: str = "f") -> Node:
    """Return the node of the `dtype` argument of a continuous sampler; the default floating-point node for None."""
    node = state().float_ if dtype is None else requested(dtype, function)
    if node.kind not in kinds:
        what = "floating" if kinds == "f" else "floating or complex"
        raise ValueError(f"{function}: dtype must be a {what} dtype, got {node.dtype}")
    return node


def integer_node(dtype: object, function: str) -> Node:
    """Return the node of the `dtype` argument of a sampler of integers; the default integer node for None."""
    node = state().int_ if dtype is None else requested(dtype, function)
    if node.kind not in "iu":
        raise DtypeError(f"{function}: dtype must be an integer dtype, got {node.dtype}")
    return node


def shape_with(shape: Shape | None, function: str, *parameters: ArrayLike) -> tuple[int, ...]:
    """Return the requested shape, or the broadcast shape of the parameters if none is requested."""
    if shape is not None:
        return shape_of(shape, function)
    shapes = [operand(value, function).shape for value in parameters]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ShapeError(f"{function}: the shapes {shapes} of the parameters do not broadcast") from None


def begin(
    function: str, key: Key, shape: Shape, dtype: DTypeLike | None, kinds: str = "f"
) -> tuple[Words, Node, tuple[int, ...]]:
    """Return a key's words, and the node and the shape of the result."""
    return one_key(key, function), floating_node(dtype, function, kinds), shape_of(shape, function)


def begin_composed(
    function: str, key: Key, shape: Shape | None, dtype: DTypeLike | None, *values: ArrayLike, kinds: str = "f"
) -> tuple[np.dtype[Any], tuple[int, ...], list[Array]]:
    """Return the dtype and the shape of the result of a sampler that is composed of others, and the parameters in the dtype.

    With a dtype, no parameter may lose digits in it, and without one no complex parameter.
    """
    check_key(key, function)
    node = floating_node(dtype, function, kinds)
    lengths = shape_with(shape, function, *values) if values else shape_of(shape, function)
    for value in values:
        x = operand(value, function)
        check_fits(lengths, x.shape, function)
        if (dtype is not None or x._node.kind == "c") and state().common(x._node, node.strong) is not node.strong:
            raise TypePromotionError(
                f"{function}: a parameter of dtype {x.dtype} would lose digits in dtype {node.dtype}; use astype"
            )
    return node.dtype, lengths, [asarray(value, node.dtype) for value in values]


def as_samples(data: Any, node: Node) -> Array:
    """Round samples to `node` and wrap them as an Array."""
    return wrap(cast(np.asarray(data), node), node)


def parameter(value: ArrayLike, node: Node, shape: tuple[int, ...], function: str) -> Buffer:
    """Return a parameter of a distribution, rounded to `node`, in the dtype computed in; it must broadcast to `shape`."""
    if type(value) is float and node.wide is node:
        return np.asarray(value, node.dtype)
    x = operand(value, function)
    check_fits(shape, x.shape, function)
    return cast(in_dtype(value, x, node), node.wide)


def check_fits(shape: tuple[int, ...], given: tuple[int, ...], function: str) -> None:
    """Raise ShapeError if a parameter does not broadcast to the shape of the result."""
    try:
        fits = np.broadcast_shapes(shape, given) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ShapeError(f"{function}: a parameter of shape {given} does not broadcast to the shape {shape}")


def uniform_buffer(words: Words, node: Node, shape: tuple[int, ...], low: Any = 0.0, high: Any = 1.0) -> Buffer:
    """Return uniform samples from [low, high) in the dtype that `node` is computed in; `node` holds the bounds exactly."""
    wide = node.wide
    partitionable = state().partitionable  # which the loops of the extension module rely on
    if node is wide and native is not None and partitionable and np.ndim(low) == np.ndim(high) == 0:
        numbers = np.empty(shape, wide.dtype)
        if all([native.random_uniform(first, second, low, high, own) for own, first, second in each(words, numbers)]):
            return numbers
    info = limits(node.dtype)
    if info.bits not in (8, 16, 32, 64):
        raise TypeError(f"uniform: dtype must have 8, 16, 32 or 64 bits, got {node.dtype}")
    bits = 8 if info.nmant < 8 else info.bits
    if bits == 64 or not partitionable:
        numbers = fractions_of(random_bits(words, bits, shape), info.nmant)
    else:
        numbers = fractions(words, bits, info.nmant, shape)
    plain = type(low) is type(high) is float
    usual = (low, high) == (0.0, 1.0) if plain else not np.any(low) and np.all(np.equal(high, 1))
    return numbers if usual else stretched(numbers, low, high, node)


def in_two(words: Words, shape: tuple[int, ...], draw: Callable[[tuple[int, ...]], Buffer]) -> tuple[Buffer, Buffer]:
    """Return two arrays of numbers that are one draw of each key."""
    place = len(many(words))
    both = draw((*shape[:place], 2, *shape[place:]))
    first, second = ((slice(None),) * place + (number,) for number in (0, 1))
    return both[first], both[second]


def fractions_of(bits: Buffer, mantissa: int) -> Buffer:
    """Return uniform numbers from [0, 1): the `mantissa` highest of random bits, which may be overwritten."""
    if bits.itemsize < 8:
        found = (bits >> bits.dtype.type(bits.itemsize * 8 - mantissa)).astype(np.float32)
        found *= np.float32(2.0**-mantissa)
        return found
    # The bits become the mantissa of a number in [1, 2), from which 1 is subtracted.
    bits >>= np.uint64(64 - mantissa)
    bits |= np.float64(1).view(np.uint64)
    numbers = bits.view(np.float64)
    numbers -= 1
    return numbers


def stretched(numbers: Buffer, low: Any, high: Any, node: Node) -> Buffer:
    """Return numbers from [0, 1) as numbers from [low, high), in the dtype that `node` is computed in."""
    wide = node.wide
    low, high = (np.asarray(bound, wide.dtype) for bound in (low, high))
    span = rounded(high - low, node)
    if node is wide:
        numbers = _multiply_add(numbers, span, low)
    else:
        numbers = rounded(np.asarray(rounded(numbers * span, node) + low), node)
    return np.asarray(np.maximum(low, numbers))


def _multiply_add(a: Buffer, b: Buffer, c: Buffer) -> Buffer:
    """Return ``a * b + c`` rounded once, like the fused multiply-add that XLA uses."""
    if a.dtype == np.float32:
        return (a.astype(np.float64) * b + c).astype(np.float32)
    product = a * b
    # The rounding errors of the product (Dekker) and of the sum (Knuth).
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    total = product + c
    part = total - product
    error += (product - (total - part)) + (c - part)
    return np.where(np.isfinite(error), total + error, total)


def _halves(x: Buffer) -> tuple[Buffer, Buffer]:
    """Return two numbers of 26 bits each whose sum is `x`."""
    scaled = x * 134217729.0
    high = scaled - (scaled - x)
    return high, x - high


def rounded(data: Any, node: Node) -> Buffer:
    """Round to `node`, but keep the dtype that it is computed in."""
    return np.asarray(data) if node is node.wide else cast(cast(np.asarray(data), node), node.wide)


def normal_buffer(words: Words, node: Node, shape: tuple[int, ...]) -> Buffer:
    """Return standard normal samples in the dtype that `node` is computed in."""
    wide = node.wide
    if node is wide and native is not None and state().partitionable:
        numbers = np.empty(shape, wide.dtype)
        if all([native.random_normal(first, second, own) for own, first, second in each(words, numbers)]):
            return numbers
    return normal_from(uniform_buffer(words, node, shape, smallest_above(node)), node)


def complex_normal_buffer(words: Words, node: Node, shape: tuple[int, ...]) -> Buffer:
    """Return complex normal samples of variance 1, in a complex node's dtype."""
    real, imaginary = (normal_buffer(part, node.real, shape) for part in split_words(words, 2))
    return np.asarray((real + 1j * imaginary) / np.sqrt(np.asarray(2.0, real.dtype)))


def smallest_above(node: Node) -> Any:
    """Return the smallest number above -1, in the dtype that `node` is computed in."""
    return cast(np.nextafter(cast(np.asarray(-1.0), node), cast(np.asarray(0.0), node)), node.wide)


def normal_from(numbers: Buffer, node: Node) -> Buffer:
    """Return standard normal samples made of uniform samples from (-1, 1), which may be overwritten."""
    numbers = rounded(inverse_error(numbers), node)
    numbers *= cast(cast(np.asarray(np.sqrt(2.0)), node), node.wide)
    return numbers


def inverse_error(numbers: Buffer) -> Buffer:
    """Return the inverse of the error function as XLA computes it, of numbers from [-1, 1], which may be overwritten."""
    if native is not None and numbers.flags.c_contiguous and native.inverse_error(numbers):
        return numbers
    return erfinv_by(numbers, log1p_as_xla)


@public(fast="random.bits", draws="shape")
def bits(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw random bits as unsigned integers.

    Parameters
    ----------
    key, shape
    dtype : dtype, optional
        An unsigned integer dtype; the default one if omitted.
    out_sharding

    Returns
    -------
    Array
        Unsigned integers with independent random bits.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.bits(xp.random.key(42), (2,))
    Array([2098992034, 2919706841], dtype=uint32)
    """
    words = one_key(key, "bits")
    settings = state()
    node = NODES["uint64" if settings.x64 == "on" else "uint32"] if dtype is None else requested(dtype, "bits", settings)
    if node.kind != "u" or node.bits < 8:
        raise ValueError(f"bits: dtype must be an unsigned integer dtype of 8 to 64 bits, got {node.dtype}")
    return wrap(random_bits(words, node.bits, shape_of(shape, "bits")), node)


@public(fast="random.uniform", draws="shape")
def uniform(
    key: Key,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    minval: ArrayLike = 0.0,
    maxval: ArrayLike = 1.0,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the uniform distribution on ``[minval, maxval)``.

    Parameters
    ----------
    key, shape, dtype
    minval, maxval : array_like
        The inclusive lower bound and the exclusive upper bound.
    out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.uniform(xp.random.key(42), (2,))
    Array([0.48870957, 0.6797972 ], dtype=float32)
    """
    words, node, lengths = begin("uniform", key, shape, dtype)
    if not lengths and set(kept := getattr(minval, "shape", ())) == {1}:
        lengths = kept  # one sample has the axes of the lower bound, as in JAX
    low, high = (parameter(bound, node, lengths, "uniform") for bound in (minval, maxval))
    return wrap(cast(uniform_buffer(words, node, lengths, low, high), node), node)


@public(fast="random.normal", draws="shape")
def normal(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the standard normal distribution.

    Parameters
    ----------
    key, shape
    dtype : dtype, optional
        A floating-point or complex dtype; the default floating-point dtype if omitted.
    out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.normal(xp.random.key(42), (3,)).shape
    (3,)
    """
    words, node, lengths = begin("normal", key, shape, dtype, "fc")
    if node.kind == "f":
        return wrap(cast(normal_buffer(words, node, lengths), node), node)
    return as_samples(complex_normal_buffer(words, node, lengths), node)


@public(fast="random.randint", draws="shape")
def randint(
    key: Key,
    shape: Shape,
    minval: ArrayLike,
    maxval: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Draw uniformly distributed integers from ``[minval, maxval)``.

    Parameters
    ----------
    key, shape
    minval, maxval : array_like of integers
        The inclusive lower bound and the exclusive upper bound.
    dtype : dtype, optional
        An integer dtype; the default one if omitted.
    out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.randint(xp.random.key(42), (3,), 0, 10)
    Array([4, 4, 1], dtype=int32)
    """
    words, node = one_key(key, "randint"), integer_node(dtype, "randint")
    if node.bits < 8:
        raise TypeError(f"randint: dtype must have 8 to 64 bits, got {node.dtype}")
    lengths = shape_of(shape, "randint")
    low, high = (_bound(value, lengths) for value in (minval, maxval))
    if isinstance(shape, int) and (low > high).any():
        warn(f"randint: minval {minval} is above maxval {maxval}; the arguments are randint(key, shape, minval, maxval)")
    return wrap(_integers(words, node, lengths, low, high), node)


def _bound(value: ArrayLike, shape: tuple[int, ...]) -> Buffer:
    """Return a bound as 64-bit integers."""
    x = operand(value, "randint")
    check_fits(shape, x.shape, "randint")
    return x._data if x.dtype == np.uint64 else cast(x._data, NODES["int64"])


def _integers(words: Words, node: Node, shape: tuple[int, ...], low: Buffer, high: Buffer) -> Buffer:
    """Draw twice as many bits as needed and take the remainder, which keeps the bias small."""
    assert node.dtype is not None  # noqa: S101 - integer nodes have one
    least, largest = node.low, node.high
    # Narrow integers are drawn in 32 bits, which hold the exclusive upper bound after their largest value too.
    wide = np.dtype(np.int32) if node.bits < 32 else node.dtype
    unsigned = np.dtype(f"u{wide.itemsize}")
    if node.bits < 32:
        low, high = low.astype(np.int32), high.astype(np.int32)
    beyond = np.asarray(high > largest)
    low, high = _clipped(low, least, largest, wide), _clipped(high, least, largest, wide)
    span = np.where(high <= low, unsigned.type(1), (high - low).astype(unsigned))
    # One past the largest value may wrap to 0, which then means the full range.
    span = np.asarray(np.where(beyond & (high > low), span + unsigned.type(1), span))
    if native is not None and state().partitionable and span.ndim == low.ndim == 0 and span:
        out = np.empty(shape, wide)
        for own, first, second in each(words, out):
            native.random_integers(first, second, int(low), int(span), own)
        return out.astype(node.dtype, copy=False)
    upper, lower = (random_bits(part, unsigned.itemsize * 8, shape) for part in split_words(words, 2))
    if span.ndim == 0 and span:
        half = unsigned.type(1 << unsigned.itemsize * 4) % span
        factor = np.asarray(half * half % span)
        offset = (upper % span * factor + lower % span) % span
    else:
        half = _remainder(np.full_like(span, 1 << unsigned.itemsize * 4), span)
        factor = _remainder(half * half, span)
        offset = _remainder(_remainder(upper, span) * factor + _remainder(lower, span), span)
    return np.asarray(low + offset.astype(wide)).astype(node.dtype)


def _clipped(bound: Buffer, least: int, largest: int, dtype: np.dtype[Any]) -> Buffer:
    """Clip a 64-bit bound; NumPy compares integers with Python's exactly."""
    return np.where(bound > largest, dtype.type(largest), np.where(bound < least, dtype.type(least), bound.astype(dtype)))


def _remainder(x: Buffer, divisor: Buffer) -> Buffer:
    """Return the remainder; a divisor of 0 means one past the largest integer and leaves `x` unchanged."""
    return np.where(divisor == 0, x, x % np.where(divisor == 0, divisor.dtype.type(1), divisor))


@public(draws="shape")
def bernoulli(
    key: Key,
    p: ArrayLike = 0.5,
    shape: Shape | None = None,
    mode: Literal["low", "high"] = "low",
    *,
    out_sharding: object = None,
) -> Array:
    """Draw samples from the Bernoulli distribution.

    Parameters
    ----------
    key
    p : array_like of floats
        The probability of True.
    shape : int or tuple of int, optional
        The shape of the result; the shape of `p` if omitted.
    mode : {'low', 'high'}
        ``'high'`` resolves small probabilities as finely as the dtype of `p` allows, at twice the cost.
    out_sharding

    Returns
    -------
    Array
        The samples, of dtype bool.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.bernoulli(xp.random.key(0), 0.5, (4,))
    Array([False, False,  True,  True], dtype=bool)
    """
    words = one_key(key, "bernoulli")
    check_choice(mode, "mode", ("low", "high"), "bernoulli")
    x = as_array(p)
    node = x._node
    if node.kind != "f":
        raise TypeError(f"bernoulli: the probability must have a floating dtype, got {x.dtype}")
    node = node.strong
    lengths = x.shape if shape is None else shape_of(shape, "bernoulli")
    chance = parameter(x, node, lengths, "bernoulli")
    if mode == "low":
        return wrap(np.asarray(uniform_buffer(words, node, lengths) < chance), _BOOL)
    wide = node.wide
    first, second = in_two(words, lengths, partial(uniform_buffer, words, node))
    fine = rounded(second * wide.dtype.type(2.0 ** -limits(node.dtype).nmant), node)
    return wrap(np.asarray(fine < rounded(np.asarray(chance - first), node)), _BOOL)


@public(draws="shape")
def rademacher(key: Key, shape: Shape = (), dtype: DTypeLike | None = None, *, out_sharding: object = None) -> Array:
    """Draw samples from the Rademacher distribution: 1 or -1 with equal probability.

    Parameters
    ----------
    key, shape
    dtype : dtype, optional
        The dtype of the result; the default integer dtype if omitted.
    out_sharding

    Returns
    -------
    Array
        The samples.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.random.rademacher(xp.random.key(0), (4,))
    Array([-1, -1,  1,  1], dtype=int32)
    """
    words = one_key(key, "rademacher")
    settings = state()
    node = settings.int_ if dtype is None else requested(dtype, "rademacher", settings)
    heads = uniform_buffer(words, settings.float_, shape_of(shape, "rademacher")) < 0.5
    return as_samples(np.where(heads, np.int8(1), np.int8(-1)), node)
