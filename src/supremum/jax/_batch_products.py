"""Rules for batches: products, solvers, the functions of `lax` and those that choose elements."""

from __future__ import annotations

import math
import string
from typing import Any, Final

import supremum as xp
from supremum.jax._batch_rules import (
    _Arguments,
    _ndim,
    _rows,
    along,
    along_one,
    as_batch,
    broadcast_to,
    elementwise,
    expand_dims,
    first,
    is_batched,
    joining,
    moved_axes,
    once,
    parts,
    reshape,
    shifted,
    stacks,
    transpose,
    unchanged,
    whole,
    with_batch,
    with_rank,
)
from supremum.jax._batching import Batched, MappedAxis

__all__: list[str] = []

# -- products -----------------------------------------------------------------------------------------------------------------


def matmul(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply stacks of matrices; where one matrix multiplies all positions, multiply by it once."""
    given = _Arguments(axis, function, args, kwargs)
    if len(args) != 2 or not given.only(given.names[:2]):
        return NotImplemented
    a, b = args
    of_a, of_b = is_batched(axis, a), is_batched(axis, b)
    rank_a, rank_b = _ndim(a), _ndim(b)
    if not rank_a or not rank_b:
        return NotImplemented
    if of_a and not of_b and rank_b <= 2:
        value = a.value
        rows = value.shape[:-1]
        if rank_a == 1 or rank_b == 1 and rank_a == 1:
            return Batched(axis, function(value, b, **kwargs))
        flat = xp.reshape(value, (math.prod(rows), value.shape[-1]))
        found = function(flat, b, **kwargs)
        return Batched(axis, xp.reshape(found, rows + found.shape[1:]))
    if of_b and not of_a and rank_b == 1 and rank_a <= 2:
        return Batched(axis, function(b.value, a if rank_a == 1 else xp.matrix_transpose(a), **kwargs))
    rank = max(rank_a, rank_b, 2)
    x = with_rank(a, rank if rank_a > 1 else 1) if of_a else a
    y = with_rank(b, rank if rank_b > 1 else 1) if of_b else b
    if rank_a == 1:
        x = xp.reshape(x, (*x.shape[:-1], *(1,) * (rank - 1 if of_a else 1), x.shape[-1]))
    if rank_b == 1:
        y = xp.reshape(y, (*y.shape[:-1], *(1,) * (rank - 2 if of_b else 0), y.shape[-1], 1))
    found = function(x, y, **kwargs)
    gone = tuple([place for place, rank_of in ((-1, rank_b), (-2, rank_a)) if rank_of == 1])
    return Batched(axis, xp.squeeze(found, axis=gone) if gone else found)


def dot(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply numbers, vectors and matrices as `multiply` and `matmul` do, others as `tensordot` does."""
    if len(args) != 2:
        return NotImplemented
    rank_a, rank_b = map(_ndim, args)
    if not rank_a or not rank_b:
        return NotImplemented if kwargs else xp.multiply(*args)
    if max(rank_a, rank_b) <= 2:
        return xp.matmul(*args, **kwargs)
    return xp.tensordot(*args, axes=((rank_a - 1,), (max(rank_b - 2, 0),)), **kwargs)


def tensordot(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply by `einsum`."""
    given = _Arguments(axis, function, args, kwargs)
    a, b, axes = given.get("a"), given.get("b"), given.get("axes", 2)
    rank_a, rank_b = _ndim(a), _ndim(b)
    if isinstance(axes, int):
        axes = (range(rank_a - axes, rank_a), range(axes))
    if not isinstance(axes, list | tuple) or len(axes) != 2 or set(kwargs) - {"a", "b", "axes"} or not given.only(["a", "b"]):
        return NotImplemented
    first_axes, second = ([one] if isinstance(one, int) else list(one) for one in axes)
    if len(first_axes) != len(second) or any(not -rank_a <= i < rank_a for i in first_axes):
        return NotImplemented
    if any(not -rank_b <= i < rank_b for i in second):
        return NotImplemented
    of_a, of_b = list(string.ascii_lowercase[:rank_a]), list(string.ascii_uppercase[:rank_b])
    for i, j in zip(first_axes, second, strict=True):
        of_b[j] = of_a[i]
    result = [x for x in of_a if x not in of_b] + [x for x in of_b if x not in of_a]
    return xp.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(result)}", a, b)


def einsum(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Give the mapped axis a letter."""
    if not args or not isinstance(args[0], str) or any(type(x) is Batched for x in kwargs.values()):
        return NotImplemented
    inputs, arrow, result = args[0].replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != len(args) - 1 or any(isinstance(x, list | tuple) for x in args[1:]):
        return NotImplemented
    letter = next(x for x in string.ascii_letters if x not in inputs)
    if not arrow:
        letters = sorted(set(inputs) - set(",."))
        result = ("..." if "..." in inputs else "") + "".join(x for x in letters if inputs.count(x) == 1)
    flags = [is_batched(axis, x) for x in args[1:]]
    words = ",".join(letter + term if flag else term for term, flag in zip(terms, flags, strict=True))
    values = [x.value if flag else x for x, flag in zip(args[1:], flags, strict=True)]
    return Batched(axis, function(f"{words}->{letter}{result}", *values, **kwargs))


def whole_vectors(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of the last axes of two arrays of equal numbers of axes."""
    if len(args) != 2 or kwargs or _ndim(args[0]) != _ndim(args[1]):
        return NotImplemented
    return as_batch(axis, function(*[whole(axis, x) for x in args]))


def _outer(a: Any, b: Any) -> Any:
    return xp.multiply(xp.reshape(xp.ravel(a), (-1, 1)), xp.reshape(xp.ravel(b), (1, -1)))


def _inner(a: Any, b: Any) -> Any:
    if not _ndim(a) or not _ndim(b):
        return xp.multiply(a, b)
    return xp.matmul(a, b) if _ndim(b) == 1 else xp.tensordot(a, b, axes=((_ndim(a) - 1,), (_ndim(b) - 1,)))


def _matvec(x1: Any, x2: Any) -> Any:
    return xp.matmul(x1, x2) if _ndim(x2) == 1 else NotImplemented


def _vecmat(x1: Any, x2: Any) -> Any:
    return xp.matmul(xp.conj(x1), x2) if _ndim(x1) == 1 else NotImplemented


_rows(matmul, "matmul")
_rows(dot, "dot")
_rows(tensordot, "tensordot")
_rows(einsum, "einsum")
_rows(whole_vectors, "cross")
_rows(along("x1", "x2", default=-1), "vecdot")
_rows(parts(_outer), "outer")
_rows(parts(_inner), "inner")
_rows(parts(lambda a, b: xp.matmul(xp.conj(xp.ravel(a)), xp.ravel(b))), "vdot")
_rows(parts(_matvec), "matvec")
_rows(parts(_vecmat), "vecmat")


# -- linear algebra -----------------------------------------------------------------------------------------------------------


def solve(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Solve a stack of systems; of one matrix, for all right sides at once."""
    if len(args) != 2 or kwargs or _ndim(args[0]) != 2 or _ndim(args[1]) not in (1, 2):
        return NotImplemented
    a, b = args
    vector = _ndim(b) == 1
    if is_batched(axis, a):
        b = whole(axis, b)
        found = function(a.value, xp.expand_dims(b, -1) if vector else b)
        return Batched(axis, xp.squeeze(found, axis=-1) if vector else found)
    if vector:
        return Batched(axis, xp.matrix_transpose(function(a, xp.matrix_transpose(b.value))))
    return Batched(axis, function(whole(axis, a), b.value))


def of_stacks(count: int) -> Any:
    """Return the rule of functions of `lax.linalg`, whose operands are stacks of equal lengths."""

    def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = _Arguments(axis, function, args, kwargs)
        if len(args) < count or not given.only(given.names[:count]):
            return NotImplemented
        return as_batch(axis, function(*[whole(axis, x) for x in args[:count]], *args[count:], **kwargs))

    return rule


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Compute the norm of vectors."""
    if isinstance(axis, tuple | list) or (axis is None and (_ndim(x) > 1 and ord is not None)):
        return NotImplemented
    return xp.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=2 if ord is None else ord)


_rows(solve, "linalg.solve")
_rows(parts(_norm), "linalg.norm")
_rows(
    stacks(2),
    """
    jax.lax.linalg.cholesky jax.lax.linalg.eig jax.lax.linalg.eigh jax.lax.linalg.qr jax.lax.linalg.svd jax.lax.linalg.lu jax.lax.linalg.hessenberg
    jax.lax.linalg.schur jax.lax.linalg.tridiagonal
""",
)
_rows(
    of_stacks(2),
    """
    jax.lax.linalg.triangular_solve jax.lax.linalg.householder_product jax.lax.linalg.cholesky_update jax.lax.linalg.symmetric_product
""",
)
_rows(of_stacks(4), "jax.lax.linalg.tridiagonal_solve")
_rows(stacks(1), "jax.lax.linalg.lu_pivots_to_permutation")


# -- lax ----------------------------------------------------------------------------------------------------------------------


def strict(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Align the operands of a function that broadcasts only operands of equal numbers of axes."""
    if any(type(x) is Batched for x in kwargs.values()):
        return NotImplemented
    ranks = {rank for rank in map(_ndim, args) if rank}
    if len(ranks) > 1:
        return NotImplemented
    rank = max(ranks, default=0)
    aligned = [with_rank(x, rank) if is_batched(axis, x) else xp.expand_dims(x, 0) if _ndim(x) else x for x in args]
    return as_batch(axis, function(*aligned, **kwargs))


def chosen(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Give all operands the same shape, those that are numbers included."""
    if kwargs or len({x for x in map(_ndim, args) if x}) > 1:
        return NotImplemented
    rank = max(map(_ndim, args))
    shape = next((x.shape for x in args if _ndim(x) == rank), ()) if rank else ()
    if any(x.shape != shape for x in args if _ndim(x)):
        return NotImplemented
    full = (axis.size, *shape)
    values = [with_rank(x, rank) if is_batched(axis, x) else xp.asarray(x) for x in args]
    return Batched(axis, function(*[xp.broadcast_to(x, full) for x in values]))


def dot_general(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make the mapped axis an axis of the batch, or a free one of the operand that has it."""
    given = _Arguments(axis, function, args, kwargs)
    if len(args) < 3 or not given.only(given.names[:2]):
        return NotImplemented
    (xc, yc), (xb, yb) = args[2]
    of_x, of_y = is_batched(axis, args[0]), is_batched(axis, args[1])
    x_axes, y_axes = ([tuple([i + flag for i in one]) for one in axes] for axes, flag in (((xc, xb), of_x), ((yc, yb), of_y)))
    values = [x.value if flag else x for x, flag in ((args[0], of_x), (args[1], of_y))]
    if of_x and of_y:
        numbers = (x_axes[0], y_axes[0]), ((0, *x_axes[1]), (0, *y_axes[1]))
        return Batched(axis, function(*values, numbers, *args[3:], **kwargs))
    found = function(*values, ((x_axes[0], y_axes[0]), (x_axes[1], y_axes[1])), *args[3:], **kwargs)
    place = len(xb) if of_x else len(xb) + args[0].ndim - len(xb) - len(xc)
    return Batched(axis, xp.moveaxis(found, place, 0))


def _lax_dot(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply as `dot_general` does."""
    from supremum.jax import lax

    if len(args) != 2 or kwargs.get("dimension_numbers") is not None or not all(1 <= _ndim(x) <= 2 for x in args):
        return NotImplemented
    words = {name: x for name, x in kwargs.items() if name in ("precision", "preferred_element_type")}
    return lax.dot_general(*args, (((args[0].ndim - 1,), (0,)), ((), ())), **words)


def convolution(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Join the mapped axis and the batch of the images."""
    from supremum.jax import lax

    given = _Arguments(axis, function, args, kwargs)
    x, kernel = given.get("lhs"), given.get("rhs")
    if not given.only(["lhs"]) or not is_batched(axis, x) or given.get("batch_group_count", 1) != 1:
        return NotImplemented
    numbers = lax.conv_dimension_numbers(x.shape, kernel.shape, given.get("dimension_numbers"))
    place = numbers.lhs_spec[0]
    images = xp.moveaxis(x.value, 0, place)
    shape = list(x.shape)
    shape[place] *= axis.size
    given.put("lhs", xp.reshape(images, tuple(shape)))
    given.put("dimension_numbers", numbers)
    found = function(*given.args, **given.kwargs)
    at = numbers.out_spec[0]
    split = (*found.shape[:at], axis.size, found.shape[at] // (axis.size or 1), *found.shape[at + 1 :])
    return Batched(axis, xp.moveaxis(xp.reshape(found, split), at, 0))


def _lax_sort(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Sort along an axis of a position."""
    given = _Arguments(axis, function, args, kwargs)
    operand = given.get("operand")
    several = isinstance(operand, list | tuple)
    values = [whole(axis, x) for x in (operand if several else [operand])]
    moved = shifted(given.get("dimension", -1), values[0].ndim - 1)
    if moved is None or not given.only(["operand"]):
        return NotImplemented
    given.put("operand", type(operand)(values) if several else values[0])
    given.put("dimension", moved)
    return as_batch(axis, function(*given.args, **given.kwargs))


def _lax_broadcast(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Broadcast the axes of a position."""
    if len(args) != 2 or kwargs or not isinstance(args[1], list | tuple):
        return NotImplemented
    return xp.broadcast_to(args[0], (*args[1], *args[0].shape))


def _broadcast_in_dim(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Broadcast the axes of a position to those that are named."""
    if len(args) != 3 or kwargs or not is_batched(axis, args[0]):
        return NotImplemented
    x, shape, places = args
    return Batched(axis, function(x.value, (axis.size, *shape), (0, *[i + 1 for i in places])))


def _lax_pad(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Pad the axes of a position."""
    if len(args) != 3 or kwargs or not is_batched(axis, args[0]) or type(args[1]) is Batched:
        return NotImplemented
    return Batched(axis, function(args[0].value, args[1], ((0, 0, 0), *args[2])))


def _corners(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Cut the axes of a position."""
    if kwargs or not is_batched(axis, args[0]):
        return NotImplemented
    x, starts, stops = args[:3]
    steps = args[3] if len(args) > 3 else None
    return Batched(axis, function(x.value, (0, *starts), (axis.size, *stops), None if steps is None else (1, *steps)))


def _reduce_window(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Let windows have length 1 along the mapped axis."""
    given = _Arguments(axis, function, args, kwargs)
    x, padding = given.get("operand"), given.get("padding", "VALID")
    if not is_batched(axis, x) or not given.only(["operand"]):
        return NotImplemented
    for name in ("window_dimensions", "window_strides", "base_dilation", "window_dilation"):
        if (sizes := given.get(name)) is not None:
            if not isinstance(sizes, list | tuple):
                return NotImplemented
            given.put(name, (1, *sizes))
    given.put("operand", x.value)
    given.put("padding", padding if isinstance(padding, str) else ((0, 0), *padding))
    return as_batch(axis, function(*given.args, **given.kwargs))


def _lax(rule: Any, names: str) -> None:
    _rows(rule, " ".join(f"jax.lax.{name}" for name in names.split()))


_lax(
    strict,
    """
    abs neg sign square floor ceil cbrt is_finite real imag conj rsqrt logistic bitwise_not population_count clz erf erfc
    erf_inv lgamma digamma bessel_i0e bessel_i1e acos acosh asin asinh atan atanh cos cosh exp exp2 expm1 log log1p sin sinh
    sqrt tan tanh add sub div rem max min pow atan2 nextafter complex bitwise_and bitwise_or bitwise_xor shift_left
    shift_right_arithmetic shift_right_logical mulhi eq ne lt le gt ge igamma igammac zeta
    mul round integer_pow reciprocal polygamma betainc igamma_grad_a random_gamma_grad convert_element_type reduce_precision
""",
)
_lax(chosen, "select select_n clamp")
_lax(dot_general, "dot_general")
_lax(_lax_dot, "dot")
_lax(convolution, "conv_general_dilated")
_lax(parts(), "conv conv_with_general_padding batch_matmul")
_lax(
    first(lambda name: along(name, by="axes")), "reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or reduce_xor"
)
_lax(along_one(None), "argmax argmin")
_lax(along_one(0), "cumsum cumprod cummax cummin cumlogsumexp split unstack slice_in_dim index_in_dim")
_lax(along_one(-1), "top_k")
_lax(along_one(-1, by="reduction_dimension"), "approx_max_k approx_min_k")
_lax(along_one(None, by="dimensions"), "rev squeeze")
_lax(joining("dimension"), "concatenate")
_lax(joining("axis", new=True), "stack")
_lax(_lax_sort, "sort")
_lax(reshape, "reshape")
_lax(transpose, "transpose")
_lax(expand_dims, "expand_dims")
_lax(_lax_broadcast, "broadcast")
_lax(_broadcast_in_dim, "broadcast_in_dim")
_lax(_lax_pad, "pad")
_lax(_corners, "slice")
_lax(_reduce_window, "reduce_window")
_lax(unchanged, "stage")
_lax(once, "full_like")
_lax(stacks(1), "fft")
