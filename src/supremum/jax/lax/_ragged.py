"""Products of arrays one of whose axes is divided into groups of different lengths: `ragged_dot_general` and `ragged_dot`."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum._base.buffers import Buffer
from supremum.jax.lax._operands import NODES, Array, Node, as_operands, wrap
from supremum.jax.lax._products import Axes, DotDimensionNumbers, axes_of_pairs, check_dims, dot_general, result_of_product


@dataclass(frozen=True, init=False)
class RaggedDotDimensionNumbers:
    """Which axes of the operands of `ragged_dot_general` mean what."""

    dot_dimension_numbers: DotDimensionNumbers
    lhs_ragged_dimensions: Axes
    rhs_group_dimensions: Axes

    def __init__(self, dot_dimension_numbers: Any, lhs_ragged_dimensions: Any, rhs_group_dimensions: Any) -> None:
        # The dataclass is frozen, as JAX's is.
        pairs = tuple([tuple([tuple(axes) for axes in tuple(pair)]) for pair in tuple(dot_dimension_numbers)])
        object.__setattr__(self, "dot_dimension_numbers", pairs)
        object.__setattr__(self, "lhs_ragged_dimensions", tuple(lhs_ragged_dimensions))
        object.__setattr__(self, "rhs_group_dimensions", tuple(rhs_group_dimensions))


_ROWS_AND_MATRICES: Final = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))


class _Mode(enum.Enum):
    """What the ragged axis is in the product."""

    ROWS = "a free axis of lhs"
    CONTRACTING = "a contracting axis"
    BATCH = "a batch axis"


@dataclass
class _Ragged:
    """The checked arguments of a product."""

    x: Array
    y: Array
    sizes: Array
    numbers: DotDimensionNumbers
    mode: _Mode
    axis: int  # the ragged axis of x
    outer: list[int]  # the axes of x that may have group sizes of their own
    group_axis: int  # the axis of y that counts groups; -1 if there is none


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
    node = result_of_product(name, x, y, preferred_element_type)
    if group_offset is not None:
        raise NotImplementedError(f"{name}: group_offset is not supported, nor is it by JAX; slice group_sizes and rhs")
    compute = {_Mode.ROWS: _of_rows, _Mode.CONTRACTING: _of_contractions, _Mode.BATCH: _of_batches}[case.mode]
    weak = all(z._node.weak for z in (x, y, sizes))
    return wrap(compute(case, node.strong), node.weak_form if weak else node.strong)


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


def _of_batches(case: _Ragged, node: Node) -> Buffer:
    """Return the product: groups of batches are the batches."""
    return dot_general(case.x, case.y, case.numbers, None, node.dtype)._data


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
    result: Array = x[(slice(None),) * axis + (slice(lower, upper),)]
    return result


def _only(x: Array, inside: Buffer, axes: Sequence[int]) -> Array:
    """Return an operand with zeros where a mask of the ragged axis, or of all `axes`, is False."""
    if inside.all():
        return x
    result: Array = xp.where(wrap(_along(inside, axes, x.ndim), NODES["bool"]), x, xp.zeros((), dtype=x.dtype))
    return result


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
    (xc, yc), (xb, yb) = numbers = axes_of_pairs(dimension_numbers.dot_dimension_numbers)
    mode = _Mode.CONTRACTING if axis in xc else _Mode.BATCH if axis in xb else _Mode.ROWS
    kin = {
        _Mode.ROWS: [*xb, *[other for other in range(x.ndim) if other not in (*xc, *xb)]],
        _Mode.CONTRACTING: [*xb, *xc],
        _Mode.BATCH: [*xb],
    }[mode]
    outer = kin[: kin.index(axis)]
    if sizes.ndim == 0:
        raise TypeError("expected rank of group_sizes to be >=1.")
    groups = sizes.shape[-1]
    expected = (*[x.shape[other] for other in outer if 0 <= other < x.ndim], groups)
    if sizes.ndim != 1 and sizes.shape != expected:
        raise TypeError(f"expected group_sizes to have shape {expected}, got {sizes.shape}.")
    group_axis = _group_axis(dimension_numbers.rhs_group_dimensions, mode, y, groups, (*yc, *yb))
    check_dims(x, y, xc, yc, xb, yb)
    return _Ragged(x, y, sizes, numbers, mode, axis, outer, group_axis)


def _group_axis(axes: Axes, mode: _Mode, y: Array, groups: int, taken: Axes) -> int:
    """Return the axis of `rhs` that counts groups, or -1: there is one if, and only if, the ragged axis is a free one."""
    if mode is not _Mode.ROWS:
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
