"""Convolutions of `lax`: sums of products of matrices, one for each position in the window."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import Buffer, empty
from supremum._core.array import wrap
from supremum._core.conversion import as_integers
from supremum._functions.linear_algebra.contractions import preferred_node
from supremum._kernels.casts import cast
from supremum.jax._casting import as_operands, public
from supremum.jax.lax._dot_products import dot_general
from supremum.jax.lax._operands import check_same_dtypes, common_node, inverted, sizes_along
from supremum.jax.lax._reductions import dilated, padtype_to_pads, reduce_window_shape_tuple
from supremum.jax.lax._shapes import padded
from supremum.promotion._nodes import NODES, Node


class ConvDimensionNumbers(NamedTuple):
    """Which axes are the batch, the features and those of space: of the array, of the kernel and of the result."""

    lhs_spec: Sequence[int]
    rhs_spec: Sequence[int]
    out_spec: Sequence[int]


#: How many bytes of windows are copied at a time.
_BYTES: Final = 1 << 22
#: How many multiplications the BLAS makes by one thread; of how many rows or columns, and sums of how many terms, they are
#: worth it.
_ALONE: Final = 1 << 18
_FEW: Final = 5
_LONG: Final = 32
_kept: Final = lru_cache(1024)


def conv_general_permutations(dimension_numbers: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Return the order of axes that three strings such as "NCHW", "OIHW" and "NCHW" mean."""
    lhs, rhs, out = dimension_numbers
    for number, (text, pair) in enumerate(zip((lhs, rhs, out), ("NC", "OI", "NC"), strict=True)):
        if any(text.count(letter) != 1 for letter in pair):
            raise TypeError(f"convolution dimension_numbers[{number}] must have '{pair[0]}' and '{pair[1]}' once, got {text}.")
        if len(set(text)) != len(text):
            raise TypeError(f"convolution dimension_numbers[{number}] cannot have duplicate characters, got {text}.")
    space = [letter for letter in rhs if letter not in "OI"]
    if not set(lhs) - set("NC") == set(space) == set(out) - set("NC"):
        raise TypeError(f"convolution dimension_numbers must have the same spatial characters, got {dimension_numbers}.")
    rows = zip((lhs, rhs, out), ("NC", "OI", "NC"), strict=True)
    return tuple([tuple([text.index(letter) for letter in (*pair, *space)]) for text, pair in rows])


_permutations: Final = _kept(conv_general_permutations)


def conv_dimension_numbers(lhs_shape: Sequence[int], rhs_shape: Sequence[int], dimension_numbers: Any) -> ConvDimensionNumbers:
    """Return dimension numbers, given as such or as strings, as `ConvDimensionNumbers`."""
    if isinstance(dimension_numbers, ConvDimensionNumbers):
        return dimension_numbers
    if len(lhs_shape) != len(rhs_shape):
        raise TypeError(f"convolution requires lhs and rhs ndim to be equal, got {len(lhs_shape)} and {len(rhs_shape)}.")
    if dimension_numbers is None:
        plain = tuple(range(len(lhs_shape)))
        return ConvDimensionNumbers(plain, plain, plain)
    if not isinstance(dimension_numbers, list | tuple):
        raise TypeError(f"convolution dimension_numbers must be tuple/list or None, got {type(dimension_numbers)}.")
    if len(dimension_numbers) != 3:
        raise TypeError(f"convolution dimension_numbers list/tuple must be length 3, got {len(dimension_numbers)}.")
    if not all(isinstance(text, str) for text in dimension_numbers):
        raise TypeError(f"convolution dimension_numbers elements must be strings, got {tuple(map(type, dimension_numbers))}.")
    for number, text in enumerate(dimension_numbers):
        if len(text) != len(lhs_shape):
            raise TypeError(
                f"convolution dimension_numbers[{number}] has a character for each axis of {lhs_shape}, got {text}"
            )
    return ConvDimensionNumbers(*_permutations(tuple(dimension_numbers)))


class _Geometry(NamedTuple):
    """Lengths along the axes of space of a convolution."""

    strides: Sequence[int]
    #: How many elements are added before and after the array; and before, after and between them along all of its axes.
    padding: list[tuple[int, int]]
    steps: list[tuple[int, int, int]]
    #: The distances between elements of the array, and of the kernel.
    base: Sequence[int]
    spread: Sequence[int]
    #: The lengths of the array and of the kernel with what is between their elements, and of the result.
    wide: list[int]
    window: list[int]
    shape: tuple[int, ...]


def _geometry(
    lhs: Sequence[int], rhs: Sequence[int], window_strides: Any, padding: Any, lhs_dilation: Any, rhs_dilation: Any
) -> _Geometry:
    """Return the lengths of a convolution of shapes with the axes of space last."""
    ndim = len(lhs) - 2
    strides = as_integers(window_strides, "window_strides", "conv_general_dilated")
    base = sizes_along(lhs_dilation, ndim, "conv_general_dilated", "lhs_dilation")
    spread = sizes_along(rhs_dilation, ndim, "conv_general_dilated", "rhs_dilation")
    if np.iterable(padding) and not isinstance(padding, str):
        padding = tuple([tuple(pair) if np.iterable(pair) else pair for pair in padding])
    return _found_geometry(lhs, rhs, strides, padding, base, spread)


@_kept
def _found_geometry(
    lhs: Sequence[int], rhs: Sequence[int], strides: Sequence[int], padding: Any, base: Sequence[int], spread: Sequence[int]
) -> _Geometry:
    ndim = len(lhs) - 2
    if len(strides) != ndim:
        raise ValueError(
            f"conv_general_dilated window and window_strides must have the same number of dimensions, but "
            f"got {len(rhs) - 2} and {len(strides)}"
        )
    if min(strides, default=1) < 1:
        raise ValueError(f"conv_general_dilated window_strides must be positive, got {tuple(strides)}")
    wide = [dilated(n, d) for n, d in zip(lhs[2:], base, strict=True)]
    window = [dilated(n, d) for n, d in zip(rhs[2:], spread, strict=True)]
    if isinstance(padding, str) or hasattr(padding, "name"):
        if set(base) - {1}:
            raise ValueError(
                "String padding is not implemented for transposed convolution; pass pairs, or call conv_transpose"
            )
        padding = padtype_to_pads(wide, window, strides, padding)
    if min((*base, *spread), default=1) < 1:
        raise TypeError(f"All dilations must be positive, got {tuple(base)} and {tuple(spread)}.")
    lengths = [len(tuple(pair)) if np.iterable(pair) else 0 for pair in padding] if np.iterable(padding) else None
    if lengths != [2] * ndim:
        raise ValueError(
            f"padding argument to conv_general_dilated must be a string or a (low, high) for each axis, got {padding}"
        )
    pairs = [(low, high) for low, high in padding]
    if any(n + low + high < 0 for n, (low, high) in zip(wide, pairs, strict=True)):
        raise ValueError(
            f"Negative padding is larger than the size of the corresponding dimension: got {pairs} for {tuple(wide)}"
        )
    shape = reduce_window_shape_tuple(lhs[2:], rhs[2:], strides, pairs, base, spread)
    steps = [(0, 0, 0), (0, 0, 0), *[(low, high, d - 1) for (low, high), d in zip(pairs, base, strict=True)]]
    return _Geometry(strides, pairs, steps, base, spread, wide, window, shape)


@public(operands="lhs rhs", linear="lhs rhs", sums=True)
def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: object = None,
) -> Array:
    """Convolve an array with a kernel over any number of axes."""
    x, kernel = operands = as_operands("conv_general_dilated", lhs, rhs)
    check_same_dtypes("conv_general_dilated", operands)
    numbers = conv_dimension_numbers(x.shape, kernel.shape, dimension_numbers)
    a = x._data.transpose(tuple(numbers.lhs_spec))
    k = kernel._data.transpose(tuple(numbers.rhs_spec))
    case = _geometry(a.shape, k.shape, window_strides, padding, lhs_dilation, rhs_dilation)
    _check_groups(a.shape, k.shape, feature_group_count, batch_group_count)
    node = common_node(operands)
    if preferred_element_type is not None:
        node = preferred_node("conv_general_dilated", preferred_element_type, node, convolved=True)
    via = node.strong if node.kind in "iuc" or node.bits >= 32 else NODES["float32"] if node.kind == "f" else NODES["int32"]
    a, k = cast(a, via), cast(k, via)
    ndim, count = a.ndim - 2, feature_group_count * batch_group_count
    single = 1 < count == len(k) == feature_group_count and k.shape[1] == 1 and ndim > 0 and k.size > 0
    last = numbers.lhs_spec[1] == ndim + 1 and (k.shape[1] > 1 or single)  # rows of windows are then short
    order = (0, *range(2, ndim + 2), 1) if last else range(ndim + 2)
    data = padded(a.transpose(order), 0, [case.steps[axis] for axis in order]).transpose(inverted(order))
    if single:
        out = _by_features(data, k[:, 0], case, last)
    else:
        axis, out_last = int(batch_group_count == 1), numbers.out_spec[1] == ndim + 1
        parts = np.split(data, count, axis) if count > 1 else [data]
        pairs = zip(parts, np.split(k, count, 0) if count > 1 else [k], strict=True)
        found = [_convolved(part, kernel, via, case, last, out_last) for part, kernel in pairs]
        out = found[0] if count == 1 else np.concatenate(found, 1)
    result = out > 0 if node.kind == "b" else cast(out, node)
    return wrap(result.transpose(inverted(numbers.out_spec)), node)


def _check_groups(lhs: tuple[int, ...], rhs: tuple[int, ...], features: int, batches: int) -> None:
    for what, count in (("feature_group_count", features), ("batch_group_count", batches)):
        if count < 1:
            raise ValueError(f"conv_general_dilated {what} must be a positive integer, got {count}.")
    if lhs[1] % features or lhs[1] // features != rhs[1]:
        raise ValueError(
            f"conv_general_dilated lhs features must be feature_group_count times rhs input features, got {lhs} and {rhs}."
        )
    if rhs[0] % features:
        raise ValueError(
            f"conv_general_dilated rhs output features must be a multiple of feature_group_count {features}, got {rhs[0]}."
        )
    if lhs[0] % batches or rhs[0] % batches:
        raise ValueError(f"conv_general_dilated lhs batch and rhs output features are no multiples of {batches}: {lhs}, {rhs}")
    if features > 1 and batches > 1:
        raise ValueError(f"At most one of batch_group_count and feature_group_count may be > 1, got {batches} and {features}")


def _by_features(data: Buffer, kernel: Buffer, case: _Geometry, last: bool) -> Buffer:
    """Return the convolution of each feature with a kernel of its own: a sum of products, one for each place in the window."""
    shape, space = case.shape, range(1, data.ndim - 1)
    out = empty((len(data), *shape, len(kernel)) if last else (len(data), len(kernel), *shape), data.dtype)
    out = out.transpose(0, data.ndim - 1, *space) if last else out
    product = np.empty_like(out)
    for images, rows in _blocks(len(data), shape, len(kernel) * data.itemsize * 4):
        part = out[images, :, rows]
        begins, lengths = (rows.start, *[0] * (len(shape) - 1)), part.shape[2:]
        for place in np.ndindex(kernel.shape[1:]):
            firsts = [i * d + b * s for i, d, b, s in zip(place, case.spread, begins, case.strides, strict=True)]
            window = [slice(i, i + (n - 1) * s + 1, s) for i, n, s in zip(firsts, lengths, case.strides, strict=True)]
            weights = kernel[(..., *place, *[None] * len(shape))]
            if not any(place):
                np.multiply(data[(images, slice(None), *window)], weights, out=part)
                continue
            scratch = product[: len(part), :, : lengths[0]]
            part += np.multiply(data[(images, slice(None), *window)], weights, out=scratch)
    return out


def _convolved(data: Buffer, kernel: Buffer, node: Node, case: _Geometry, last: bool, out_last: bool) -> Buffer:
    """Return the products of all windows with the kernel: of matrices of windows, which are copied block by block.

    `last` says that the features are the last axis in memory of `data`, `out_last` that they should be in the result. Windows
    are rows of a matrix where their rows are longer than those of the result, else its columns: the longer ones are copied
    faster.
    """
    if not (shape := case.shape):
        return np.matmul(data, kernel.T)
    ndim, length, columns = len(shape), math.prod(kernel.shape[1:]), not last and kernel.shape[-1] <= shape[-1]
    out_last = out_last or not columns
    memory = np.ascontiguousarray(data.transpose((0, *range(2, ndim + 2), 1)) if last else data)
    ahead, steps = memory.strides[1:-1] if last else memory.strides[2:], (memory.strides[0], memory.strides[-1 if last else 1])
    steps += *map(operator.mul, ahead, case.spread), *map(operator.mul, ahead, case.strides)
    every = np.ndarray((*data.shape[:2], *kernel.shape[2:], *shape), data.dtype, memory, 0, steps)
    window, space = range(2, 2 + ndim), range(2 + ndim, 2 + 2 * ndim)
    if last:
        kernel = kernel.transpose(0, *window, 1)
    if not columns:
        every = every.transpose(0, *space, *((*window, 1) if last else (1, *window)))
    weights = kernel.reshape(len(kernel), length)
    weights = np.ascontiguousarray(weights.T if out_last else weights)
    out = empty((len(data), *shape, len(kernel)) if out_last else (len(data), len(kernel), *shape), data.dtype)
    before = [slice(None)] * (1 + ndim if columns else 0)  # the axes between the batch and space
    copies: Buffer | None = None
    for images, rows in _blocks(len(data), shape, length * data.itemsize):
        block, part = every[(images, *before, rows)], out[(images, *[slice(None)] * (not out_last), rows)]
        if not block.flags.c_contiguous:
            copies = empty((block.size,), data.dtype) if copies is None else copies  # the first block is the largest
            copied = copies[: block.size].reshape(block.shape)
            copied[...] = block
            block = copied
        # Axes that are joined lie one after another, so that `part` is not copied.
        if not columns:
            windows = math.prod(part.shape[:-1])
            _multiply_rows(block.reshape(windows, length), weights, part.reshape(windows, len(kernel)), node)
            continue
        windows = math.prod(block.shape[2 + ndim :])
        part = part.reshape(len(part), windows, -1) if out_last else part.reshape(len(part), -1, windows)
        _multiply_columns(block.reshape(len(block), length, windows), weights, part, node, out_last)
    return out.transpose(0, 1 + ndim, *range(1, 1 + ndim)) if out_last else out


def _multiply(a: Buffer, b: Buffer, out: Buffer, node: Node) -> None:
    """Multiply a stack of matrices by a matrix, or a matrix by a stack: by threads, if sums are so long that a copy pays."""
    if a.shape[-1] < _LONG:
        np.matmul(a, b, out=out)
    else:
        out[...] = (wrap(a, node) @ wrap(b, node))._data


def _multiply_rows(rows: Buffer, weights: Buffer, out: Buffer, node: Node) -> None:
    """Multiply matrices as a stack of products that the BLAS computes by one thread each.

    Its threads wait for each other many times in a product: for milliseconds, where another process uses a core.
    """
    (count, length), columns = rows.shape, weights.shape[1]
    high, deep = _ALONE // max(weights.size, 1), _ALONE // max(out.size, 1)
    if high < min(count, _FEW) and deep >= _LONG:  # sums of parts of long rows
        whole = length // deep * deep
        parts = rows[:, :whole].reshape(count, -1, deep).swapaxes(0, 1), weights[:whole].reshape(-1, deep, columns)
        np.sum(np.matmul(*parts), 0, out=out)
        out += np.matmul(rows[:, whole:], weights[whole:])
        return
    high = max(high if high >= _FEW else count, 1)
    stack = count // high
    whole = stack * high
    _multiply(rows[:whole].reshape(stack, high, length), weights, out[:whole].reshape(stack, high, columns), node)
    _multiply(rows[whole:], weights, out[whole:], node)


def _multiply_columns(stack: Buffer, weights: Buffer, out: Buffer, node: Node, out_last: bool) -> None:
    """Do the same to the columns of matrices; `out_last` says that the products have them as rows."""
    wide, columns = _ALONE // max(weights.size, 1), stack.shape[2]
    if not _FEW <= wide < columns:
        _multiply(*((stack.swapaxes(1, 2), weights) if out_last else (weights, stack)), out, node)
        return
    whole = columns // wide * wide
    for matrix, product in zip(stack, out, strict=True):
        if out_last:
            _multiply_rows(matrix.T, weights, product, node)
            continue
        parts, into = (x[:, :whole].reshape(len(x), -1, wide).swapaxes(0, 1) for x in (matrix, product))
        _multiply(weights, parts, into, node)
        _multiply(weights, matrix[:, whole:], product[:, whole:], node)


def _blocks(batch: int, shape: Sequence[int], size: int) -> Iterator[tuple[slice, slice]]:
    """Yield slices of the batch and of the first axis of space, of whose windows of so many bytes `_BYTES` are copied."""
    row = max(size * math.prod(shape[1:]), 1)
    rows, images = max(1, _BYTES // row), max(1, _BYTES // (row * max(shape[0], 1)))
    for i in range(0, batch, images):
        for r in range(0, shape[0], rows):
            yield slice(i, i + images), slice(r, r + rows)


@public(kind="composed")
def conv(
    lhs: Any, rhs: Any, window_strides: Sequence[int], padding: Any, precision: Any = None, preferred_element_type: Any = None
) -> Array:
    """Convolve an array with a kernel, both with the axes of space last."""
    options = {"precision": precision, "preferred_element_type": preferred_element_type}
    return conv_general_dilated(lhs, rhs, window_strides, padding, **options)


@public(kind="composed")
def conv_with_general_padding(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Convolve an array with a kernel, both with the axes of space last, with padding and dilation."""
    options = {"precision": precision, "preferred_element_type": preferred_element_type}
    return conv_general_dilated(lhs, rhs, window_strides, padding, lhs_dilation, rhs_dilation, **options)


def _transposed_padding(k: int, s: int, padding: Any) -> tuple[int, int]:
    if padding == "SAME":
        total = k + s - 2
        before = k - 1 if s > k - 1 else math.ceil(total / 2)
    elif padding == "VALID":
        total = k + s - 2 + max(k - s, 0)
        before = k - 1
    elif isinstance(padding, tuple):
        before = k - 1 - padding[0]
        total = before + k - 1 - padding[1]
    else:
        raise ValueError(f"Padding mode must be `SAME`, `VALID`, or tuple of ints, got {padding}")
    return before, total - before


_LAYOUTS = {2: ("NC", "IO", "NC"), 3: ("NHC", "HIO", "NHC"), 4: ("NHWC", "HWIO", "NHWC"), 5: ("NHWDC", "HWDIO", "NHWDC")}


@public(kind="composed")
def conv_transpose(
    lhs: Any,
    rhs: Any,
    strides: Sequence[int],
    padding: Any,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    transpose_kernel: bool = False,
    precision: Any = None,
    preferred_element_type: Any = None,
    use_consistent_padding: bool = False,
) -> Array:
    """Compute the transpose of a convolution, which widens the array by the strides."""
    x, kernel = as_operands("conv_transpose", lhs, rhs)
    if dimension_numbers is None:
        if x.ndim not in _LAYOUTS:
            raise ValueError("No 4+ dimensional dimension_number defaults.")
        dimension_numbers = _LAYOUTS[x.ndim]
    numbers = conv_dimension_numbers(x.shape, kernel.shape, dimension_numbers)
    spread = (1,) * (x.ndim - 2) if rhs_dilation is None else tuple(rhs_dilation)
    pads = padding
    if use_consistent_padding or (isinstance(padding, str) and padding in ("SAME", "VALID")):
        window = [dilated(kernel.shape[axis], d) for axis, d in zip(numbers.rhs_spec[2:], spread, strict=True)]
        given = [padding] * len(strides) if isinstance(padding, str) else padding
        pads = [_transposed_padding(*row) for row in zip(window, strides, given, strict=True)]
    if transpose_kernel:
        kernel = xp.swapaxes(xp.flip(kernel, axis=tuple(numbers.rhs_spec[2:])), numbers.rhs_spec[0], numbers.rhs_spec[1])
    options = {"precision": precision, "preferred_element_type": preferred_element_type}
    return conv_general_dilated(x, kernel, (1,) * (x.ndim - 2), pads, strides, spread, numbers, **options)


@public(kind="composed")
def conv_general_dilated_patches(
    lhs: Any,
    filter_shape: Sequence[int],
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Return the elements of each window as features."""
    x = xp.asarray(lhs)
    window = tuple(filter_shape)
    numbers = conv_dimension_numbers(x.shape, (1, 1, *window), dimension_numbers)
    count, channels = math.prod(window), x.shape[numbers.lhs_spec[1]]
    unit = xp.tile(xp.eye(count, dtype=x.dtype)[None], (channels, 1, 1)).reshape(channels * count, 1, *window)
    kernel = xp.moveaxis(unit, (0, 1), (numbers.rhs_spec[0], numbers.rhs_spec[1]))
    return conv_general_dilated(
        x, kernel, window_strides, padding, lhs_dilation, rhs_dilation, numbers, feature_group_count=channels,
        precision=precision, preferred_element_type=preferred_element_type,
    )  # fmt: skip


@public(kind="composed")
def conv_general_dilated_local(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    filter_shape: Sequence[int],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    precision: Any = None,
) -> Array:
    """Convolve with a kernel of its own at each position."""
    x = xp.asarray(lhs)
    patches = conv_general_dilated_patches(
        x, filter_shape, window_strides, padding, lhs_dilation, rhs_dilation, dimension_numbers, precision
    )
    _, kernel, out = conv_dimension_numbers(x.shape, (1, 1, *filter_shape), dimension_numbers)
    space = sorted(range(len(out) - 2), key=lambda i: out[2:][i])
    batch = ([out[2:][i] for i in space], [kernel[2:][i] for i in space])
    return xp.moveaxis(dot_general(patches, rhs, (([out[1]], [kernel[1]]), batch)), (-2, -1), (out[0], out[1]))


# -- shapes -------------------------------------------------------------------------------------------------------------------


def conv_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], strides: Sequence[int], pads: Any, batch_group_count: int = 1
) -> tuple[int, ...]:
    """Return the shape of a convolution of arrays with the axes of space last."""
    if isinstance(pads, str):
        pads = padtype_to_pads(lhs_shape[2:], rhs_shape[2:], strides, pads)
    if len(pads) != len(lhs_shape) - 2:
        raise TypeError(f"Wrong number of explicit pads for convolution: expected {len(lhs_shape) - 2}, got {len(pads)}.")
    space = reduce_window_shape_tuple(lhs_shape[2:], rhs_shape[2:], strides, pads)
    return (lhs_shape[0] // batch_group_count, rhs_shape[0], *space)


def conv_general_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any, dimension_numbers: Any
) -> tuple[int, ...]:
    """Return the shape of a convolution."""
    lhs, rhs, order = _shapes_in_order(lhs_shape, rhs_shape, dimension_numbers)
    shape = conv_shape_tuple(lhs, rhs, window_strides, padding)
    return tuple([shape[i] for i in order])


def _shapes_in_order(lhs: Sequence[int], rhs: Sequence[int], dimension_numbers: Any) -> tuple[list[int], list[int], list[int]]:
    """Return two shapes with the axes of space last, and the order of the axes of the result."""
    orders = conv_general_permutations(dimension_numbers)
    return [lhs[axis] for axis in orders[0]], [rhs[axis] for axis in orders[1]], inverted(orders[2])


def conv_transpose_shape_tuple(
    lhs_shape: Sequence[int], rhs_shape: Sequence[int], window_strides: Sequence[int], padding: Any, dimension_numbers: Any
) -> tuple[int, ...]:
    """Return the shape of a transposed convolution."""
    lhs, rhs, order = _shapes_in_order(lhs_shape, rhs_shape, dimension_numbers)
    if isinstance(padding, str):
        padding = [_transposed_padding(k, s, padding) for k, s in zip(rhs[2:], window_strides, strict=True)]
    space = [dilated(n, s) + sum(pad) - k + 1 for n, s, k, pad in zip(lhs[2:], window_strides, rhs[2:], padding, strict=True)]
    shape = (lhs[0], rhs[0], *space)
    return tuple([shape[i] for i in order])
