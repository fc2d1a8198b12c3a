"""Products of arrays: `dot_general`, `dot` and their kin, `ragged_dot_general`, and Fourier transforms."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import Buffer
from supremum._core.array import wrap
from supremum._functions.linear_algebra.contractions import preferred_node
from supremum.jax._batching import with_node
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax._values import items_of
from supremum.jax.lax._operands import common_node
from supremum.promotion._nodes import NODES, Node

RandomAlgorithm = enum.IntEnum("RandomAlgorithm", {"RNG_DEFAULT": 0, "RNG_THREE_FRY": 1, "RNG_PHILOX": 2})
RandomAlgorithm.__doc__ = "The algorithms of `rng_bit_generator`."
FftType = enum.IntEnum("FftType", {"FFT": 0, "IFFT": 1, "RFFT": 2, "IRFFT": 3})
FftType.__doc__ = "The kinds of Fourier transforms."
_Axes: TypeAlias = Sequence[int]
_Numbers: TypeAlias = tuple[tuple[_Axes, _Axes], tuple[_Axes, _Axes]]


def _result_of_product(name: str, x: Array, y: Array, preferred: Any) -> Node:
    """Return the node of a product: that of the wider operand, or the preferred one."""

    def rank(node: Node) -> tuple[Any, ...]:
        finfo = xp.finfo(node.strong.dtype) if node.kind in "fc" else None
        return (
            node.kind == "c", finfo.maxexp if finfo else -1, finfo.nmant if finfo else -1,
            1 if node.kind == "b" else node.bits // (2 if node.kind == "c" else 1), node.kind != "u",
        )  # fmt: skip

    first, second = x._node.strong, y._node.strong
    if first is not second and rank(first) == rank(second):
        raise TypeError(f"{name} argument type error: {x.dtype}, {y.dtype}")
    node = common_node((x, y)) if first is second else first if rank(first) > rank(second) else second
    return node if preferred is None else preferred_node(name, preferred, first, second)


@public(kind="composed", operands="lhs rhs", linear="lhs rhs", sums=True)
def dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    *,
    out_sharding: object = None,
) -> Array:
    """Multiply arrays and sum over pairs of axes; other pairs of axes are batches.

    The result has the axes of the batch, then the other ones of `lhs`, then those of `rhs`.
    """
    x, y = as_operands("dot_general", lhs, rhs)
    (xc, yc), (xb, yb) = _axes_of_pairs(dimension_numbers)
    _check_dims(x, y, xc, yc, xb, yb)
    node = _result_of_product("lax.dot_general", x, y, preferred_element_type)
    wide = node if node.kind != "f" or node.bits >= max(x._node.bits, y._node.bits) else x._node.strong
    xf = [axis for axis in range(x.ndim) if axis not in (*xc, *xb)]
    yf = [axis for axis in range(y.ndim) if axis not in (*yc, *yb)]
    batch = tuple([x.shape[axis] for axis in xb])
    rows, columns = ([z.shape[axis] for axis in free] for z, free in ((x, xf), (y, yf)))
    inner = math.prod([x.shape[axis] for axis in xc])
    a = _stack(x, (*xb, *xf, *xc), (*batch, math.prod(rows), inner), wide.strong)
    b = _stack(y, (*yb, *yc, *yf), (*batch, inner, math.prod(columns)), wide.strong)
    return with_node(xp.reshape(xp.matmul(a, b), (*batch, *rows, *columns)), node)


def _stack(x: Array, order: _Axes, shape: _Axes, node: Node) -> Array:
    """Return an array as a stack of matrices: of a node, with its axes in an order, and then of a shape."""
    x = with_node(x, node)
    if order != tuple(range(x.ndim)):
        x = xp.permute_dims(x, order)
    return x if x.shape == shape else xp.reshape(x, shape)


def _axes_of_pairs(dimension_numbers: Any) -> _Numbers:
    """Return dimension numbers as tuples: the contracting axes of both operands, and their batch axes."""
    (xc, yc), (xb, yb) = dimension_numbers
    return (items_of(xc), items_of(yc)), (items_of(xb), items_of(yb))


def _check_dims(x: Array, y: Array, xc: _Axes, yc: _Axes, xb: _Axes, yb: _Axes) -> None:
    """Raise TypeError unless the operands of a product have the axes, and their lengths are those of their partners."""
    for z, given, what in ((x, (*xc, *xb), "lhs"), (y, (*yc, *yb), "rhs")):
        if any(not 0 <= axis < z.ndim for axis in given):
            raise TypeError(
                f"dot_general requires {what} dimension numbers to be nonnegative and less than the number "
                f"of axes of the {what} value, got {given} for {what} of rank {z.ndim}"
            )
        if len(set(given)) != len(given):
            raise TypeError(f"dot_general requires {what} batch and contracting dimensions to be disjoint, got {given}")
    for first, second, what in ((xc, yc, "contracting"), (xb, yb, "batch")):
        if len(first) != len(second) or [x.shape[i] for i in first] != [y.shape[i] for i in second]:
            raise TypeError(
                f"dot_general requires {what} dimensions to have the same shape, got "
                f"{tuple(x.shape[i] for i in first)} and {tuple(y.shape[i] for i in second)}."
            )


@public(kind="composed", sums=True)
def dot(
    lhs: Any,
    rhs: Any,
    *args: Any,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: Any = None,
    out_sharding: object = None,
) -> Array:
    """Multiply vectors and matrices, or, with dimension numbers, arrays as `dot_general` does."""
    if args:
        raise TypeError(f"dot() takes 2 positional arguments but {2 + len(args)} were given")
    x, y = as_operands("dot", lhs, rhs)
    if dimension_numbers is None:
        if not (1 <= x.ndim <= 2 and 1 <= y.ndim <= 2 and x.shape[-1] == y.shape[0]):
            raise ValueError(f"lax.dot: dimension_numbers must be specified for operands of shapes {x.shape} and {y.shape}")
        dimension_numbers = (((x.ndim - 1,), (0,)), ((), ()))
    return dot_general(x, y, dimension_numbers, precision, preferred_element_type, out_sharding=out_sharding)


@public(kind="composed")
def batch_matmul(lhs: Any, rhs: Any, precision: Any = None) -> Array:
    """Multiply stacks of matrices of equal numbers of axes."""
    x, y = as_operands("batch_matmul", lhs, rhs)
    if min(x.ndim, y.ndim) < 2:
        raise ValueError(f"Arguments to batch_matmul must be at least 2D, got {x.ndim}, {y.ndim}")
    if x.ndim != y.ndim:
        raise ValueError(f"Arguments to batch_matmul must have same ndim, got {x.ndim}, {y.ndim}")
    batch = tuple(range(x.ndim - 2))
    return dot_general(x, y, (((x.ndim - 1,), (y.ndim - 2,)), (batch, batch)), precision)


def scaled_dot(
    lhs: Any,
    rhs: Any,
    *,
    lhs_scale: Any = None,
    rhs_scale: Any = None,
    dimension_numbers: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """Multiply arrays whose blocks have scales along the axis that is summed over.

    Without `dimension_numbers`, the arrays are matrices, or stacks of matrices.
    """
    x, y = as_operands("scaled_dot", lhs, rhs)
    batch = tuple(range(x.ndim - 2))
    numbers = dimension_numbers or (((x.ndim - 1,), (len(batch),)), (batch, batch))
    wanted: Any = preferred_element_type or "bfloat16"
    if x.ndim != y.ndim:
        raise TypeError(f"scaled_dot requires both operands to have the same rank, got shapes {x.shape} and {y.shape}")
    parts = []
    for side, z, scale, summed in (("LHS", x, lhs_scale, numbers[0][0]), ("RHS", y, rhs_scale, numbers[0][1])):
        wide = z.astype("float32")
        if scale is not None:
            factors = as_operand(scale, "scaled_dot").astype("float32")
            if factors.ndim != z.ndim:
                raise TypeError(f"scaled_dot: {side} and its scale differ in rank, got shapes {z.shape} and {factors.shape}")
            for axis, (n, m) in enumerate(zip(z.shape, factors.shape, strict=True)):
                if axis in summed and (n % m or n < 2 * m):
                    raise TypeError(
                        f"scaled_dot: {side} dim {axis} of size {n} must be a multiple, at least twice, of its scale's {m}"
                    )
                if axis not in summed and n != m:
                    raise TypeError(f"scaled_dot: {side} dim {axis} of size {n} does not match scale dim size {m}")
                factors = xp.repeat(factors, n // m, axis=axis) if m != n else factors
            wide = wide * factors
        parts.append(wide)
    return dot_general(parts[0], parts[1], numbers, None, "float32").astype(wanted)


@public(kind="composed", last=1, operands="x", linear="x")
def fft(x: Any, fft_type: Any, fft_lengths: Any) -> Array:
    """Compute a Fourier transform over the last axes."""
    operand = as_operand(x, "fft")
    lengths = items_of(fft_lengths)
    kind = FftType[fft_type.upper()] if isinstance(fft_type, str) else FftType(fft_type)
    axes = tuple(range(-len(lengths), 0))
    shape, dtype = operand.shape, operand.dtype
    if len(lengths) > len(shape):
        raise ValueError(f"FFT input shape {shape} must have at least as many input dimensions as fft_lengths {lengths}.")
    if kind is FftType.RFFT and operand._node.kind in "fc" and dtype not in ("float32", "float64"):
        raise ValueError(f"RFFT input must be float32 or float64, got {dtype}")
    minor = shape[len(shape) - len(lengths) :]
    if kind is FftType.IRFFT and minor[:-1] != lengths[:-1]:
        raise ValueError(f"IRFFT input shape {shape} minor dimensions must be equal to all but the last of {lengths}")
    if kind is not FftType.IRFFT and minor != lengths:
        raise ValueError(f"{kind.name} input shape {shape} minor dimensions must be equal to fft_lengths {lengths}")
    return getattr(xp.fft, f"{kind.name.lower()}n")(operand, s=lengths, axes=axes)


# -- products of groups: one axis is divided into groups of different lengths ---


@dataclass(frozen=True)
class RaggedDotDimensionNumbers:
    """Which axes of the operands of `ragged_dot_general` mean what."""

    dot_dimension_numbers: _Numbers
    lhs_ragged_dimensions: _Axes
    rhs_group_dimensions: _Axes

    def __post_init__(self) -> None:
        # The dataclass is frozen, as JAX's is.
        pairs = [tuple(map(tuple, pair)) for pair in tuple(self.dot_dimension_numbers)]
        object.__setattr__(self, "dot_dimension_numbers", tuple(pairs))
        object.__setattr__(self, "lhs_ragged_dimensions", tuple(self.lhs_ragged_dimensions))
        object.__setattr__(self, "rhs_group_dimensions", tuple(self.rhs_group_dimensions))


_ROWS_AND_MATRICES: Final = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))


@dataclass
class _Ragged:
    """The checked arguments of a product."""

    x: Array
    y: Array
    sizes: Array
    numbers: _Numbers
    mode: str  # what the ragged axis is: one of "rows" that is not summed over, one of "contracting" axes, or of a "batch"
    axis: int  # the ragged axis of x
    outer: list[int]  # the axes of x that may have group sizes of their own
    group_axis: int  # the axis of y that counts groups; -1 if there is none


@public
def ragged_dot_general(
    lhs: Any,
    rhs: Any,
    group_sizes: Any,
    ragged_dot_dimension_numbers: RaggedDotDimensionNumbers,
    precision: Any = None,
    preferred_element_type: Any = None,
    group_offset: Any = None,
    out_sharding: object = None,
) -> Array:
    """Multiply arrays as `dot_general` does, group by group along the ragged axis of `lhs`.

    - If the ragged axis is a free one, each group of its elements is multiplied by the element of `rhs` along the group axis.
      Elements after the last group give zeros.
    - If it is summed over, each group gives a product; they are stacked along a new first axis.
    - If it is a batch axis, the groups change nothing.

    `group_sizes` has the sizes along its last axis. Other axes of it are the batch axes and the axes of the same kind before
    the ragged one.
    """
    x, y, sizes = as_operands("ragged_dot_general", lhs, rhs, group_sizes)
    case = _checked(x, y, sizes, ragged_dot_dimension_numbers)
    name = "lax.ragged_dot_general"
    if sizes._node.kind not in "iu":
        raise TypeError(f"ragged_dot_general requires that group_sizes.dtype is subtype of np.integer, got {sizes.dtype}.")
    node = _result_of_product(name, x, y, preferred_element_type)
    if group_offset is not None:
        raise NotImplementedError(f"{name}: group_offset is not supported, nor is it by JAX; slice group_sizes and rhs")
    if case.mode == "batch":  # groups of batches are the batches
        found = dot_general(x, y, case.numbers, None, node.strong.dtype)._data
    else:
        found = (_of_rows if case.mode == "rows" else _of_contractions)(case, node.strong)
    return wrap(found, node.weak_form if all(z._node.weak for z in (x, y, sizes)) else node.strong)


@public(kind="composed")
def ragged_dot(
    lhs: Any,
    rhs: Any,
    group_sizes: Any,
    precision: Any = None,
    preferred_element_type: Any = None,
    group_offset: Any = None,
    out_sharding: object = None,
) -> Array:
    """Multiply groups of rows by one matrix each; rows after the last group give zeros."""
    return ragged_dot_general(
        lhs, rhs, group_sizes, _ROWS_AND_MATRICES, precision, preferred_element_type, group_offset, out_sharding
    )


# ------------------------------------------------------------------------------------------------------------- the three modes


def _of_rows(case: _Ragged, node: Node) -> Buffer:
    """Return the products of the groups of a free axis, each in its place."""
    (xc, yc), (xb, yb) = case.numbers
    free = [axis for axis in range(case.x.ndim) if axis not in (*xc, *xb)]
    place = len(xb) + free.index(case.axis)  # the axis of the result
    placed = [xb.index(axis) if axis in xb else len(xb) + free.index(axis) for axis in case.outer]
    kept = [tuple([axis - (axis > case.group_axis) for axis in axes]) for axes in (yc, yb)]  # in one matrix
    result = np.zeros(_result_shape(case), dtype=node.dtype)
    for group, lower, upper, inside in _groups(case):
        matrix = xp.take(case.y, group, axis=case.group_axis)
        product = dot_general(_cut(case.x, case.axis, lower, upper), matrix, ((xc, kept[0]), (xb, kept[1])), None, node.dtype)
        where = result[(slice(None),) * place + (slice(lower, upper),)]
        np.copyto(where, product._data, where=_along(inside, (*placed, place), where.ndim))
    return result


def _of_contractions(case: _Ragged, node: Node) -> Buffer:
    """Return a stack of the products of the groups of an axis that is summed over."""
    (xc, yc), (xb, yb) = case.numbers
    partner = dict(zip((*xc, *xb), (*yc, *yb), strict=True))
    products = np.zeros((case.sizes.shape[-1], *_result_shape(case)), dtype=node.dtype)
    ragged = [*case.outer, case.axis]
    partners = [partner[axis] for axis in ragged]
    for group, lower, upper, inside in _groups(case):
        # Both operands are masked: no element of another group may be multiplied, by an infinity for example.
        x, y = (_only(_cut(z, axes[-1], lower, upper), inside, axes) for z, axes in ((case.x, ragged), (case.y, partners)))
        products[group] = dot_general(x, y, case.numbers, None, node.dtype)._data
    return products


def _groups(case: _Ragged) -> Iterator[tuple[int, int, int, Buffer]]:
    """Yield each group that has elements: its number, the least range of the axis that holds it, and where in it it is."""
    length = case.x.shape[case.axis]
    ends = np.minimum(np.cumsum(np.asarray(case.sizes._data, dtype=np.int64), axis=-1), length)
    starts = np.concatenate([np.zeros_like(ends[..., :1]), ends[..., :-1]], axis=-1)
    for group in range(ends.shape[-1]):
        start, end = starts[..., group], ends[..., group]
        lower, upper = int(start.min(initial=length)), int(end.max(initial=0))
        if lower < upper:
            positions = np.arange(lower, upper)
            yield group, lower, upper, (start[..., None] <= positions) & (positions < end[..., None])


def _cut(x: Array, axis: int, lower: int, upper: int) -> Array:
    return x[(slice(None),) * axis + (slice(lower, upper),)]


def _only(x: Array, inside: Buffer, axes: Sequence[int]) -> Array:
    """Return an operand with zeros where a mask of the ragged axis, or of all `axes`, is False."""
    if inside.all():
        return x
    return xp.where(wrap(_along(inside, axes, x.ndim), NODES["bool"]), x, xp.zeros((), dtype=x.dtype))


def _along(inside: Buffer, axes: Sequence[int], ndim: int) -> Buffer:
    """Return a mask of the ragged axis, or of all `axes`, with the axes of an array of `ndim`."""
    axes = axes[len(axes) - inside.ndim :]
    order = np.argsort(axes)
    shape = [1] * ndim
    for axis, length in zip(axes, inside.shape, strict=True):
        shape[axis] = length
    return inside.transpose(order).reshape(shape)


def _result_shape(case: _Ragged) -> tuple[int, ...]:
    (xc, yc), (xb, yb) = case.numbers
    batch = [case.x.shape[axis] for axis in xb]
    rows = [n for axis, n in enumerate(case.x.shape) if axis not in (*xc, *xb)]
    columns = [n for axis, n in enumerate(case.y.shape) if axis not in (*yc, *yb) and axis != case.group_axis]
    return (*batch, *rows, *columns)


# ------------------------------------------------------------------------------------------------------------------ the checks


def _checked(x: Array, y: Array, sizes: Array, dimension_numbers: RaggedDotDimensionNumbers) -> _Ragged:
    """Return what the arguments mean; raise TypeError for those that do not fit, in JAX's words."""
    if len(dimension_numbers.lhs_ragged_dimensions) != 1:
        raise TypeError("ragged_dot_general expects exactly one lhs ragged dimension.")
    axis = dimension_numbers.lhs_ragged_dimensions[0]
    _check_range(axis, x.ndim, "lhs ragged dimension", "lhs")
    (xc, yc), (xb, yb) = numbers = _axes_of_pairs(dimension_numbers.dot_dimension_numbers)
    mode = "contracting" if axis in xc else "batch" if axis in xb else "rows"
    kin = {
        "rows": [*xb, *[other for other in range(x.ndim) if other not in (*xc, *xb)]],
        "contracting": [*xb, *xc],
        "batch": [*xb],
    }[mode]
    outer = kin[: kin.index(axis)]
    if sizes.ndim == 0:
        raise TypeError("expected rank of group_sizes to be >=1.")
    groups = sizes.shape[-1]
    expected = (*[x.shape[other] for other in outer if 0 <= other < x.ndim], groups)
    if sizes.ndim != 1 and sizes.shape != expected:
        raise TypeError(f"expected group_sizes to have shape {expected}, got {sizes.shape}.")
    group_axis = _group_axis(dimension_numbers.rhs_group_dimensions, mode, y, groups, (*yc, *yb))
    _check_dims(x, y, xc, yc, xb, yb)
    return _Ragged(x, y, sizes, numbers, mode, axis, outer, group_axis)


def _group_axis(axes: _Axes, mode: str, y: Array, groups: int, taken: _Axes) -> int:
    """Return the axis of `rhs` that counts groups, or -1: there is one if, and only if, the ragged axis is a free one."""
    if mode != "rows":
        if len(axes):
            raise TypeError(
                "ragged_dot_general requires zero group dimensions in the rhs when lhs ragged dimension is contracting or "
                "batch."
            )
        return -1
    if len(axes) != 1:
        raise TypeError(
            "ragged_dot_general requires exactly one rhs group dimension when lhs ragged dimension is noncontracting."
        )
    (axis,) = axes
    _check_range(axis, y.ndim, "rhs group dimension", "rhs")
    if axis in taken:
        raise TypeError(
            "ragged_dot_general requires rhs group dimension numbers to be distinct from contracting and batch dimensions."
        )
    if y.shape[axis] != groups:
        raise TypeError(f"expected rhs group dimension size to be {groups}, got {y.shape[axis]}.")
    return axis


def _check_range(axis: int, ndim: int, what: str, operand: str) -> None:
    if not 0 <= axis < ndim:
        raise TypeError(
            f"ragged_dot_general requires {what} numbers to be nonnegative and less than the number of axes of the {operand} "
            f"value, got {axis} for {operand} of rank {ndim}."
        )
