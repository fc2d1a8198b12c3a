"""Products of the standard's main namespace: matmul, tensordot, vecdot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import ShapeError, describe
from supremum._base.key_dtype import refuse_keys
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import Buffer, in_dtype, normalize_axis, operands
from supremum._core.dtype_objects import requested
from supremum._core.plans import MATMUL, product_operation
from supremum._core.settings import state
from supremum._functions.data_types import astype, result_type
from supremum._functions.manipulation.axes import permute_dims
from supremum._functions.manipulation.shapes import reshape
from supremum._kernels import matmul as kernels
from supremum._kernels.casts import cast
from supremum._kernels.plain import numeric as plain
from supremum.promotion._nodes import Node

__all__ = ["matmul", "tensordot", "vecdot"]

#: JAX's names of algorithms, from the fastest to the most precise.
_PRECISIONS: Final = ("default", "fastest", "bfloat16", "high", "bfloat16_3x", "tensorfloat32", "highest", "float32")

#: The kinds of `preferred_element_type` that JAX's convolutions accept for operands of a kind.
_PREFERABLE: Final = {"b": "biufc", "i": "if", "u": "iuf", "f": "f", "c": "c"}


def check_precision(function: str, precision: Any) -> None:
    """Refuse a string that names none of XLA's algorithms; the choice among them has no effect."""
    if isinstance(precision, str) and precision.lower() not in _PRECISIONS:
        raise ValueError(f"{function}: precision must be one of {', '.join(_PRECISIONS)}, got {describe(precision)}")


def preferred_node(function: str, preferred: Any, *nodes: Node, convolved: bool = False) -> Node:
    """Return the node that `preferred_element_type` requests of a product of operands of some nodes, as far as JAX takes it.

    It has the bits of integers and of parts of complex numbers; of convolutions the bits of floats too, and a like kind.
    """
    wanted = requested(preferred, function)
    kind = max([x.kind for x in nodes], key="buifc".index)
    exact, widest = convolved or kind in "iuc", max(nodes, key=lambda x: x.bits)
    least = widest.bits if convolved or kind != "c" else widest.bits // 2
    kinds = _PREFERABLE[kind] if convolved else "iufc" if exact else "biufc"
    if wanted.kind not in kinds or (exact and wanted.bits < least):
        dtypes = f"preferred_element_type {wanted.dtype} cannot hold products of dtype {widest.dtype}"
        raise TypeError(f"{function}: {dtypes}; leave it out, or cast the operands")
    return wanted


def factors(function: str, a: Any, b: Any, preferred: Any, precision: object = None) -> tuple[Array, Array, Node]:
    """Return the operands of a product and its node: what they promote to, or what `preferred_element_type` requests.

    Operands are promoted before they are multiplied, as in `a * b`; with a preferred dtype only integers are.
    """
    settings = state()
    if type(a) is type(b) is Array and a._node is b._node and preferred is precision is None:
        node = a._node
        if not (node.weak or settings.ruled) and settings.remember and settings.truncate(node) is node:
            return a, b, node
    check_precision(function, precision)
    x, y = operands(function, a, b)
    node = settings.join(settings.truncate(x._node), settings.truncate(y._node), function)
    kinds = "biufc"
    if preferred is not None:
        node, kinds = preferred_node(function, preferred, x._node, y._node), "biu"
    if node.kind in "fc" and not x._node is y._node is node:
        x, y = (wrap(in_dtype(given, one, node), node) if one._node.kind in kinds else one for given, one in ((a, x), (b, y)))
    return x, y, node


def multiplied(a: Buffer, b: Buffer, node: Node) -> Array:
    """Multiply matrices and wrap the product."""
    return wrap(kernels.product(a, b, node), node)


@public(fast="matmul", operation=MATMUL, linear="a b", sums=True)
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Multiply matrices, stacks of them, or vectors.

    Narrow floats are multiplied in float32 and rounded once; integers exactly, modulo the width of the result.

    Parameters
    ----------
    a, b : array_like
        Arrays of one dimension or more; the last axis of `a` and the last but one of `b` (or its only one) are summed over.
    precision, preferred_element_type
    out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.

    Returns
    -------
    Array
        The product.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.matmul(xp.ones((2, 3)), xp.ones(3))
    Array([3., 3.], dtype=float32)
    >>> x = xp.full((1, 2), 100, dtype="int8")
    >>> xp.matmul(x, x.T, preferred_element_type="int32")
    Array([[20000]], dtype=int32)
    """
    x, y, node = factors("matmul", a, b, preferred_element_type, precision)
    try:
        return multiplied(x._data, y._data, node)
    except ValueError:
        raise _matmul_error(x, y) from None


def _matmul_error(a: Array, b: Array) -> ShapeError:
    for position, x in enumerate((a, b)):
        refuse_keys(x._node.kind)
        if not x.ndim:
            return ShapeError(f"matmul: operand {position} must have at least 1 dimension, got a 0-d array")
    return ShapeError(f"matmul: the shapes {a.shape} and {b.shape} do not match")


def _vecdot_parts(xp: Any, x1: Any, x2: Any, /, *, axis: int = -1, **options: Any) -> Any:
    if xp.ndim(x1) == xp.ndim(x2) == 1:
        return xp.matmul(xp.conj(x1), x2, **options)
    return xp.einsum("...i,...i->...", xp.conj(xp.moveaxis(x1, axis, -1)), xp.moveaxis(x2, axis, -1), **options)


@public(
    fast="vecdot", operation=product_operation(np.vecdot, "fc"), axis="axis", linear="x1 x2", sums=True, parts=_vecdot_parts
)
def vecdot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axis: int = -1,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Compute the dot products of vectors along an axis; the vectors of `x1` are conjugated.

    Parameters
    ----------
    x1, x2 : array_like
        Arrays of the same length along the axis; their other axes broadcast.
    axis : int
        The axis, in each of the two arrays.
    precision, preferred_element_type

    Returns
    -------
    Array
        The dot products.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.vecdot(xp.asarray([1.0, 2.0]), xp.asarray([[3.0, 4.0], [5.0, 6.0]]))
    Array([11., 17.], dtype=float32)
    """
    a, b, node = factors("vecdot", x1, x2, preferred_element_type, precision)
    first, second = normalize_axis(axis, a.ndim, "vecdot"), normalize_axis(axis, b.ndim, "vecdot")
    if a.shape[first] != b.shape[second]:
        raise ShapeError(f"vecdot: the vectors along axis {axis} differ in length, got shapes {a.shape} and {b.shape}")
    left = a._data if first == a.ndim - 1 else np.moveaxis(a._data, first, -1)
    right = b._data if second == b.ndim - 1 else np.moveaxis(b._data, second, -1)
    refuse_keys(node.kind)
    try:
        return wrap(_dots(left, right, node), node)
    except ValueError:
        raise ShapeError(f"vecdot: the shapes {a.shape} and {b.shape} cannot be broadcast except for axis {axis}") from None


def _dots(a: Buffer, b: Buffer, node: Node) -> Buffer:
    wide = kernels.wide_node(kernels.computed_in(node, a, b))
    return cast(np.vecdot(cast(a, wide), cast(b, wide), out=...), node)


@public(plain=Plain(plain.tensordot, arrays=2, kinds="f", keywords=("axes",)), linear="a b", sums=True, composed=True)
def tensordot(
    a: ArrayLike,
    b: ArrayLike,
    axes: int | Sequence[int | Sequence[int]] = 2,
    *,
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Sum products over axes of one array paired with axes of another.

    Parameters
    ----------
    a, b
    axes : int or (int, int) or (sequence of int, sequence of int)
        The number of last axes of `a` to pair with the first axes of `b`, or the paired axes of each.
    precision, preferred_element_type
    out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.

    Returns
    -------
    Array
        The contraction: the other axes of `a`, then those of `b`.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.reshape(xp.arange(6.0), (2, 3))
    >>> xp.tensordot(x, x, axes=((0,), (0,)))
    Array([[ 9., 12., 15.],
           [12., 17., 22.],
           [15., 22., 29.]], dtype=float32)
    """
    x, y = operands("tensordot", a, b)
    options = {"precision": precision, "preferred_element_type": preferred_element_type}
    return contract("tensordot", x, y, *_contracted_axes(axes, x, y), options)


def _contracted_axes(axes: Any, a: Array, b: Array) -> tuple[list[int], list[int]]:
    """Return the axes of each array that an `axes` argument pairs."""
    if hasattr(axes, "__index__") and not isinstance(axes, Array | np.ndarray):
        count = call_user_code(axes.__index__)
        if not 0 <= count <= min(a.ndim, b.ndim):
            msg = f"tensordot: axes={axes} is not between 0 and the ranks of arrays of shapes {a.shape} and {b.shape}"
            raise TypeError(msg)
        return list(range(a.ndim - count, a.ndim)), list(range(count))
    if not isinstance(axes, tuple | list) or len(axes) != 2:
        msg = (
            f"tensordot: axes must be an integer, a pair of integers, or a pair of sequences of integers, got {describe(axes)}"
        )
        raise TypeError(msg)
    pair = [[each] if hasattr(each, "__index__") else each for each in axes]
    if not all(isinstance(each, tuple | list) for each in pair) or len(pair[0]) != len(pair[1]):
        raise TypeError(f"tensordot: the two sequences of axes must be of equal length, got {describe(axes)}")
    first, second = ([normalize_axis(i, x.ndim, "tensordot") for i in each] for each, x in zip(pair, (a, b), strict=True))
    return first, second


def contract(function: str, a: Array, b: Array, first: list[int], second: list[int], options: dict[str, Any]) -> Array:
    """Sum products over paired axes, as one matrix product."""
    if [a.shape[i] for i in first] != [b.shape[i] for i in second]:
        axes = f"the axes {first} and {second} of shapes {a.shape} and {b.shape}"
        raise ShapeError(f"{function}: {axes} differ in length")
    if len(set(first)) != len(first) or len(set(second)) != len(second):
        raise TypeError(f"{function}: contracted axes must be unique, got {first} and {second}")
    rows = [i for i in range(a.ndim) if i not in first]
    columns = [i for i in range(b.ndim) if i not in second]
    outer = [a.shape[i] for i in rows], [b.shape[i] for i in columns]
    length = math.prod([a.shape[i] for i in first])
    left = reshape(permute_dims(a, (*rows, *first)), (math.prod(outer[0]), length))
    right = reshape(permute_dims(b, (*second, *columns)), (length, math.prod(outer[1])))
    given = {key: value for key, value in options.items() if value is not None}  # without any there is a fast path
    found = reshape(matmul(left, right, **given), (*outer[0], *outer[1]))
    if state().roles is None or options["preferred_element_type"] is not None:
        return found
    return astype(found, result_type(a, b))  # products of matrices may have another dtype
