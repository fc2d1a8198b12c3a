"""Reductions, scans along an axis, sorting and searching of `lax`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.buffers import empty
from supremum._base.exceptions import ShapeError
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import wrap
from supremum._core.conversion import as_integers
from supremum._kernels import extremes
from supremum._kernels.casts import cast
from supremum._kernels.order import first_in_order, lexsort
from supremum.jax import _tree
from supremum.jax._batching import with_node
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax._modules import named
from supremum.jax._values import limit
from supremum.jax._vmap import vmap
from supremum.jax.errors import PaddingError
from supremum.jax.lax._elementwise import FUNCTIONS, mul
from supremum.jax.lax._operands import axes_of, axis_of, check_entries, check_kinds, check_same_dtypes, dtype_node, sizes_along
from supremum.jax.lax._shapes import pad, padded
from supremum.promotion._nodes import NODES

_MAX_INDEX: Final = np.iinfo(np.int32).max
#: The most elements of which functions are quicker by their parts.
_SOME: Final = 256
_FEW: Final = 1 << 14

# -- over axes ----------------------------------------------------------------------------------------------------------------


def _reduction(name: str, words: str, kinds: str, compute: Callable[[Array, tuple[int, ...]], Array]) -> Callable[..., Array]:
    def function(operand: Any, axes: Sequence[int], *, out_sharding: object = None) -> Array:
        x = as_operand(operand, name)
        check_kinds(name, (kinds,), (x,))
        over = axes_of(axes, x.ndim, name)
        return with_node(compute(x, over), x._node) if over else x

    named(function, "jax.lax", name, f"Return {words} over axes, in the dtype of the elements.")
    facts: dict[str, Any] = {"linear": "operand", "sums": True} if words == "sums" else {}
    return public(function, kind="composed", axis="axes", operands="operand", **facts)


def _extreme(fold: Callable[..., Array], sign: int) -> Callable[[Array, tuple[int, ...]], Array]:
    """Return a reduction whose result for no elements is the limit of the dtype."""
    return lambda x, over: fold(x, axis=over) if x.size else fold(x, axis=over, initial=limit(x, sign))


reduce_sum = _reduction("reduce_sum", "sums", "iufc", lambda x, over: xp.sum(x, axis=over, dtype=x.dtype))
reduce_prod = _reduction("reduce_prod", "products", "iufc", lambda x, over: xp.prod(x, axis=over, dtype=x.dtype))
reduce_max = _reduction("reduce_max", "maxima", "iufcb", _extreme(xp.max, -1))
reduce_min = _reduction("reduce_min", "minima", "iufcb", _extreme(xp.min, 1))
reduce_and = _reduction("reduce_and", "the bitwise and", "iub", lambda x, over: xp.bitwise_and.reduce(x, axis=over))
reduce_or = _reduction("reduce_or", "the bitwise or", "iub", lambda x, over: xp.bitwise_or.reduce(x, axis=over))
reduce_xor = _reduction("reduce_xor", "the bitwise exclusive or", "iub", lambda x, over: xp.bitwise_xor.reduce(x, axis=over))


def _arg(name: str, words: str, find: Callable[..., Array]) -> Callable[..., Array]:
    def function(operand: Any, axis: int, index_dtype: Any) -> Array:
        x = as_operand(operand, name)
        check_kinds(name, ("iufb",), (x,))
        node = dtype_node(index_dtype)
        if node.kind not in "iu":
            raise TypeError(f"index_dtype must be an integer type, but got {node.dtype}")
        if not 0 <= axis < x.ndim:
            raise ValueError(f"Invalid axis {axis} for operand shape {x.shape}")
        if not x.shape[axis]:
            raise ValueError(f"{name} require non-empty reduced dimension")
        return wrap(cast(find(x, axis=axis)._data, node), node)

    named(function, "jax.lax", name, f"Return the indices of {words} along an axis.")
    return public(function, axis="axis", operands="operand")


argmax = _arg("argmax", "maxima", xp.argmax)
argmin = _arg("argmin", "minima", xp.argmin)


# -- by any function ----------------------------------------------------------------------------------------------------------


def _elementwise(computation: Callable[..., Any], start: list[Array]) -> Callable[[list[Array], list[Array]], list[Array]]:
    """Return a function of lists of arrays that applies a computation of scalars to each of their elements."""

    def call(xs: list[Array], ys: list[Array]) -> list[Array]:
        found = vmap(lambda *parts: _flat(computation(*parts), start))(*[xp.reshape(x, (-1,)) for x in (*xs, *ys)])
        return [_as(xp.reshape(part, xs[0].shape), x) for part, x in zip(found, start, strict=True)]

    return call


def _flat(result: Any, start: list[Array]) -> list[Any]:
    leaves = _tree.flatten(result)[0]
    if len(leaves) != len(start):
        raise ValueError(f"reduce: the computation must return {len(start)} values, got {len(leaves)}")
    return leaves


def _as(x: Any, like: Array) -> Array:
    found = xp.asarray(x)
    if found._node.strong is not like._node.strong:
        raise TypeError(f"reduce: the computation returns {found.dtype} for operands of {like.dtype}")
    return with_node(found, like._node)


def _operands_and_starts(
    operands: Any, init_values: Any, computation: Callable[..., Any], name: str
) -> tuple[list[Array], list[Array], _tree.PyTreeDef]:
    leaves, structure, starts, other = [operands], _tree.LEAF, [init_values], _tree.LEAF
    if type(operands) is not Array or type(init_values) not in (Array, float):
        leaves, structure = _tree.flatten(operands)
        starts, other = _tree.flatten(init_values)
    if structure != other:
        raise ValueError(f"Operands must have the same tree structure as init_values: {structure} vs. {other}")
    arrays, inits = as_operands(name, *leaves), as_operands(name, *starts)
    if any(init.ndim for init in inits):
        shapes = [init.shape for init in inits]
        raise ShapeError(f"{name} expected init_values to be scalars but init_values have shapes {shapes}.")
    if not arrays:
        raise ValueError(f"{name} must have at least one operand.")
    if len({x.shape for x in arrays}) > 1:
        raise ValueError(f"{name}: operands must have the same shapes, got {[x.shape for x in arrays]}")
    (_, identity), node = _KNOWN.get(computation, (None, None)), arrays[0]._node
    if identity and type(inits[0]) is Array and len(inits) == 1 and inits[0] == identity(inits[0]):
        # A start that changes nothing may have any dtype.
        start = xp.asarray(identity(arrays[0]), dtype=node.dtype)
        inits = [with_node(start, node.weak_form if inits[0].weak_type else node.strong)]
    for i, (x, init) in enumerate(zip(arrays, inits, strict=True)):
        check_same_dtypes(name, (x, init))
        if x.weak_type != init.weak_type:
            arrays[i], inits[i] = with_node(x, x._node.strong), with_node(init, init._node.strong)
    return arrays, inits, structure


#: Functions with a reduction of their own, and what a start is that changes nothing.
_KNOWN: Final[dict[Callable[..., Any], tuple[Callable[..., Array], Callable[[Array], Any]]]] = {
    **dict.fromkeys((FUNCTIONS["add"], xp.add, operator.add), (reduce_sum, lambda _: 0)),
    **dict.fromkeys((mul, xp.multiply, operator.mul), (reduce_prod, lambda _: 1)),
    **dict.fromkeys((FUNCTIONS["max"], xp.maximum), (reduce_max, partial(limit, sign=-1))),
    **dict.fromkeys((FUNCTIONS["min"], xp.minimum), (reduce_min, partial(limit, sign=1))),
    FUNCTIONS["bitwise_and"]: (reduce_and, lambda x: limit(x, 1) if x._node.kind in "ub" else -1),
    FUNCTIONS["bitwise_or"]: (reduce_or, lambda _: 0),
    FUNCTIONS["bitwise_xor"]: (reduce_xor, lambda _: 0),
}


@public(kind="composed")
def reduce(
    operands: Any, init_values: Any, computation: Callable[..., Any], dimensions: Any, out_sharding: object = None
) -> Any:
    """Combine elements over axes by an associative function of two scalars, or of two trees of scalars."""
    xs, inits, structure = _operands_and_starts(operands, init_values, computation, "reduce")
    over = axes_of(dimensions, xs[0].ndim, "reduce")
    if not over:
        return operands
    if structure is _tree.LEAF and computation in _KNOWN:
        return _as(computation(inits[0], _KNOWN[computation][0](xs[0], over)), xs[0])
    rest = [axis for axis in range(xs[0].ndim) if axis not in over]
    kept = tuple([xs[0].shape[axis] for axis in rest])
    count = math.prod([xs[0].shape[axis] for axis in over])
    parts = [xp.reshape(xp.permute_dims(x, (*over, *rest)), (count, *kept)) for x in xs]
    combine = _elementwise(_with_trees(computation, structure), xs)
    while count > 1:  # in pairs
        half = count // 2
        both = combine([p[:half] for p in parts], [p[half : 2 * half] for p in parts])
        parts = [xp.concatenate([b, p[2 * half :]]) for b, p in zip(both, parts, strict=True)]
        count -= half
    begun = [xp.broadcast_to(init, kept) for init in inits]
    return structure.unflatten(combine(begun, [p[0] for p in parts]) if count else begun)


def _with_trees(computation: Callable[..., Any], structure: _tree.PyTreeDef) -> Callable[..., Any]:
    """Return a function of flat arguments for one of two trees."""

    def flat(*xs: Any) -> Any:
        half = len(xs) // 2
        result = computation(structure.unflatten(xs[:half]), structure.unflatten(xs[half:]))
        if (found := _tree.flatten(result)[1]) != structure:
            raise ValueError(f"output must have the same tree structure as the operands, got {found} for {structure}")
        return result

    return flat


def padtype_to_pads(
    in_shape: Sequence[int], window_shape: Sequence[int], window_strides: Sequence[int], padding: Any
) -> list[tuple[int, int]]:
    """Return the padding before and after each axis that a name of a padding means."""
    kind = padding.upper() if isinstance(padding, str) else getattr(padding, "name", None)
    if kind in ("SAME", "SAME_LOWER"):
        pads = []
        for n, window, stride in zip(in_shape, window_shape, window_strides, strict=True):
            total = max((-(-int(n) // int(stride)) - 1) * int(stride) + int(window) - int(n), 0)
            small, large = total // 2, total - total // 2
            pads.append((small, large) if kind == "SAME" else (large, small))
        return pads
    if kind == "VALID":
        return [(0, 0)] * len(in_shape)
    raise PaddingError(f"Unrecognized padding type: expected 'VALID', 'SAME' or 'SAME_LOWER', got {padding!r}.")


def dilated(length: int, dilation: int) -> int:
    """Return the length of an axis with what is between its elements."""
    return 0 if length == 0 else 1 + dilation * (length - 1)


def reduce_window_shape_tuple(
    operand_shape: Sequence[int],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Any,
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """Return the shape of the result of `reduce_window`."""
    ones = [1] * len(operand_shape)
    base, window = base_dilation or ones, window_dilation or ones
    full = [dilated(n, d) + low + high for n, d, (low, high) in zip(operand_shape, base, padding, strict=True)]
    reach = map(dilated, window_dimensions, window)
    return tuple([max((n - r) // s + 1, 0) for n, r, s in zip(full, reach, window_strides, strict=True)])


def _by_windows(xp: Any, operand: Any, init_value: Any, computation: Any, window: Any, *options: Any, **named: Any) -> Any:
    """Combine the places in windows one after another, where these are rows of elements."""
    case, start = _windows_of(operand.shape, window, *options, **named), xp.astype(xp.asarray(init_value), operand.dtype)
    if computation not in _KNOWN or operand.size > _FEW or any(case.padding[-1]) or any([row[2] for row in case.padding]):
        return NotImplemented
    x, found = pad(operand, start, case.padding), xp.broadcast_to(start, case.shape)
    for key in case.keys:
        found = computation(found, x[key])
    return found


@public(operands="operand", parts=_by_windows, exact=True)
def reduce_window(
    operand: Any,
    init_value: Any,
    computation: Callable[..., Any],
    window_dimensions: Any,
    window_strides: Any = None,
    padding: Any = "VALID",
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Combine the elements of each window of an array by an associative function."""
    xs, inits, structure = _operands_and_starts(operand, init_value, computation, "reduce_window")
    case = _windows_of(xs[0].shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    buffers = [padded(x._data, init._data, case.padding) for x, init in zip(xs, inits, strict=True)]
    known = structure is _tree.LEAF and computation in _KNOWN
    combine: Any = _elementwise(_with_trees(computation, structure), xs)
    combine = (lambda x, y: [_as(computation(*x, *y), xs[0])]) if known else combine
    starts = [np.broadcast_to(init._data, case.shape) if case.keys else empty(case.shape, init._data.dtype) for init in inits]
    out = [wrap(start, init._node) for start, init in zip(starts, inits, strict=True)]
    for key in case.keys:
        out = combine(out, [wrap(b[key], x._node) for b, x in zip(buffers, xs, strict=True)])
    return structure.unflatten(out)


class _Windows(NamedTuple):
    """What `reduce_window` does with an array: its padding, the shape of the result, and the elements of all windows."""

    padding: list[tuple[int, int, int]]
    shape: tuple[int, ...]
    keys: list[Any]


def _windows_of(
    shape: tuple[int, ...], window_dimensions: Any, window_strides: Any = None, padding: Any = "VALID",
    base_dilation: Any = None, window_dilation: Any = None,
) -> _Windows:  # fmt: skip
    """Return what the arguments of `reduce_window` mean; raise TypeError for those that do not fit."""
    ndim, name = len(shape), "reduce_window"
    window = as_integers(window_dimensions, "window_dimensions", name)
    options = {"window_strides": window_strides, "base_dilation": base_dilation, "window_dilation": window_dilation}
    strides, base, spread = (sizes_along(given, ndim, name, what) for what, given in options.items())
    for what, given in zip(("window_dimensions", *options), (window, strides, base, spread), strict=True):
        check_entries(name, what, given, ndim)
        if any(n < 1 for n in given):
            raise TypeError(f"reduce_window: {what} must have every element be positive, got {given}")
    pads = padding if isinstance(padding, str) else tuple([tuple(pair) for pair in padding])
    return _found_windows(shape, pads, window, strides, base, spread)


@lru_cache(1024)
def _found_windows(operand_shape: tuple[int, ...], padding: Any, *options: tuple[int, ...]) -> _Windows:
    window, strides, base, spread = options
    if isinstance(padding, str):
        # Of the axes before their dilation, as in JAX.
        padding = padtype_to_pads(operand_shape, list(map(dilated, window, spread)), strides, padding)
    pads = [(low, high, d - 1) for (low, high), d in zip(padding, base, strict=True)]
    shape = reduce_window_shape_tuple(operand_shape, window, strides, padding, base, spread)
    keys = [
        tuple([slice(o * d, o * d + (n - 1) * s + 1, s) for o, d, n, s in zip(place, spread, shape, strides, strict=True)])
        for place in np.ndindex(*window)
    ]
    return _Windows(pads, shape, keys if math.prod(shape) else [])


# -- scans along an axis ------------------------------------------------------------------------------------------------------


def _scan(name: str, words: str, kinds: str, compute: Callable[[Array, int], Array]) -> Callable[..., Array]:
    def function(operand: Any, axis: int = 0, reverse: bool = False) -> Array:
        x = as_operand(operand, name)
        check_kinds(name, (kinds,), (x,))
        if not 0 <= axis < x.ndim:
            raise ValueError(f"axis {axis} is out of bounds for array of shape {x.shape}")
        found = with_node(compute(xp.flip(x, axis=axis) if reverse else x, axis), x._node)
        return xp.flip(found, axis=axis) if reverse else found

    named(function, "jax.lax", name, f"Return the running {words} along an axis, in the dtype of the elements.")
    facts: dict[str, Any] = {"kind": "composed", "linear": "operand", "sums": True} if words == "sums" else {}
    if words in ("maxima", "minima"):
        facts = {"parts": partial(_by_doubling, "maximum" if words == "maxima" else "minimum"), "exact": True}
    return public(function, axis="axis", operands="operand", **facts)


def _by_doubling(name: str, xp: Any, operand: Any, axis: int = 0, reverse: bool = False) -> Any:
    """Return running extremes: in each step, of twice as many elements as before."""
    if operand.size > _SOME:
        return NotImplemented
    x, before, step = xp.flip(operand, axis) if reverse else operand, (slice(None),) * axis, 1
    while step < operand.shape[axis]:
        further = getattr(xp, name)(x[(*before, slice(step, None))], x[(*before, slice(-step))])
        x, step = xp.concatenate([x[(*before, slice(step))], further], axis), 2 * step
    return xp.flip(x, axis) if reverse else x


def _accumulated(ufunc: Any) -> Callable[[Array, int], Array]:
    def compute(x: Array, axis: int) -> Array:
        node = x._node
        narrow = node.kind in "iufc" and node.bits < 32 and node.kind != "c"
        via = (NODES["float32"] if node.kind == "f" else NODES["int32"]) if narrow else node
        return wrap(np.asarray(call_without_float_warnings(ufunc.accumulate, cast(x._data, via), axis=axis)), via)

    return compute


def _logarithms(x: Array, axis: int) -> Array:
    return xp.logaddexp.accumulate(x, axis=axis) if x._node.kind == "c" else _accumulated(np.logaddexp)(x, axis)


cumsum = _scan("cumsum", "sums", "iufc", lambda x, axis: xp.cumsum(x, axis=axis, dtype=x.dtype))
cumprod = _scan("cumprod", "products", "iufc", lambda x, axis: xp.cumprod(x, axis=axis, dtype=x.dtype))
cummax = _scan("cummax", "maxima", "iufcb", _accumulated(extremes.maximum))
cummin = _scan("cummin", "minima", "iufcb", _accumulated(extremes.minimum))
cumlogsumexp = _scan("cumlogsumexp", "logarithms of sums of exponentials", "fc", _logarithms)


# -- sorting ------------------------------------------------------------------------------------------------------------------


@public(operands="operand")
def sort(operand: Any, dimension: int = -1, is_stable: bool = True, num_keys: int = 1) -> Any:
    """Sort along an axis; of several arrays, the first `num_keys` are the keys by which all are sorted."""
    several = isinstance(operand, list | tuple)
    xs = as_operands("sort", *operand) if several else [as_operand(operand, "sort")]
    if not xs:
        raise TypeError("Sort requires at least one operand")
    if not 1 <= num_keys <= len(xs):
        raise ValueError(f"num_keys={num_keys} must be between 1 and len(operand)={len(xs)}")
    if len({x.shape for x in xs}) > 1:
        raise TypeError(f"Arguments to sort must have equal shapes, got: {' '.join(str(x.shape) for x in xs)}")
    axis = axis_of(dimension, xs[0].ndim, "sort")
    _ = is_stable  # every sort is
    order = lexsort([(x._data, x._node) for x in xs[:num_keys][::-1]], axis)
    out = [wrap(np.take_along_axis(x._data, order, axis), x._node) for x in xs]
    return tuple(out) if several else out[0]


@public(kind="composed")
def sort_key_val(keys: Any, values: Any, dimension: int = -1, is_stable: bool = True) -> tuple[Array, Array]:
    """Sort keys along an axis, and values with them."""
    first, second = sort((keys, values), dimension, is_stable)
    return first, second


def _top_k_parts(xp: Any, operand: Any, k: int, *, axis: int = -1) -> Any:
    if operand.ndim != 1 or operand.size > _SOME:
        return NotImplemented
    end = len(operand) - 1
    # Of equal elements, the first one comes first. What is turned has its elements in order in memory, which is faster.
    order = xp.astype(end - xp.argsort(operand[xp.arange(end, -1, -1)])[: -k - 1 : -1], "int32")
    return [operand[order], order]


@public(axis="axis", operands="operand", parts=_top_k_parts, exact=True)
def top_k(operand: Any, k: int, *, axis: int = -1) -> list[Array]:
    """Return the `k` greatest elements along an axis, from the greatest, and their indices; NaN counts as greatest."""
    x = as_operand(operand, "top_k")
    check_kinds("top_k", ("iufb",), (x,))
    if not x.ndim:
        raise TypeError(f"top_k operand must have >= 1 dimension, got {x.shape}")
    along = axis_of(axis, x.ndim, "top_k")
    length = x.shape[along]
    if k < 0:
        raise ValueError(f"k argument to top_k must be nonnegative, got {k}")
    if k > length:
        raise ValueError(f"k argument to top_k must be no larger than size along axis {axis}; got {k} with shape={x.shape}")
    if length > _MAX_INDEX:
        raise ValueError(f"top_k returns int32 indices, which will overflow for array dimensions larger than {_MAX_INDEX}")
    if (found := _top_k_parts(xp, x, k)) is not NotImplemented:
        return list(found)
    order = first_in_order(x._data, x._node, k, along, descending=True)
    values = x._data[order] if x.ndim == 1 else np.take_along_axis(x._data, order, along)
    return [wrap(values, x._node), wrap(order.astype(np.int32), NODES["int32"])]


def _approximate(name: str, words: str, turned: Callable[[Any], Array]) -> Callable[..., list[Array]]:
    def function(
        operand: Any,
        k: int,
        reduction_dimension: int = -1,
        recall_target: float = 0.95,
        reduction_input_size_override: int = -1,
        aggregate_to_topk: bool = True,
    ) -> list[Array]:
        values, indices = top_k(turned(as_operand(operand, name)), k, axis=reduction_dimension)
        return [turned(values), indices]

    named(function, "jax.lax", name, f"Return the `k` {words} elements and their indices; exactly.")
    return public(function, kind="composed")


approx_max_k = _approximate("approx_max_k", "greatest", xp.asarray)
approx_min_k = _approximate("approx_min_k", "least", xp.negative)
