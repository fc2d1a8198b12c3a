"""Rules for batches: products and solvers."""

from __future__ import annotations

import math
import string
from typing import Any

import supremum as xp
from supremum import Array
from supremum._functions.linear_algebra.einsums import parsed, spelled
from supremum.jax._batch_rules import Arguments, is_batched, rank_of, rows, whole, with_rank
from supremum.jax._batching import Batched, MappedAxis, as_batch

# -- products -----------------------------------------------------------------------------------------------------------------


def matmul(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Multiply stacks of matrices; where one matrix multiplies all positions, multiply by it once."""
    if len(args) == 2 and not kwargs and type(args[1]) is Array and args[1].ndim == 2 and args[0].ndim == 1:
        return Batched(axis, function(args[0].value, args[1]))
    if len(args) != 2 or any(is_batched(axis, x) for x in kwargs.values()):
        return NotImplemented
    a, b = args
    of_a, of_b = is_batched(axis, a), is_batched(axis, b)
    rank_a, rank_b = rank_of(a), rank_of(b)
    if function.name == "dot":
        if not (0 < rank_a < 3 and 0 < rank_b < 3):
            return function.definition(*args, **kwargs)
        function = xp.matmul  # which is the same of vectors and matrices
    if not rank_a or not rank_b:
        return NotImplemented
    if of_a and not of_b and rank_b <= 2:
        value = a.value
        rows = value.shape[:-1]
        if rank_a == 1:
            return Batched(axis, function(value, b, **kwargs))
        found = function(xp.reshape(value, (math.prod(rows), value.shape[-1])), b, **kwargs)
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


def einsum(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Give the mapped axis a letter."""
    text, xs = spelled(*args)
    if any(isinstance(x, list | tuple) for x in xs) or any(type(x) is Batched for x in kwargs.values()):
        return NotImplemented
    terms, result = parsed(text, tuple([getattr(x, "shape", ()) for x in xs]))
    letter = next(x for x in string.ascii_letters if x not in "".join(terms))
    flags = [is_batched(axis, x) for x in xs]
    words = ",".join(letter + term if flag else term for term, flag in zip(terms, flags, strict=True))
    values = [x.value if flag else x for x, flag in zip(xs, flags, strict=True)]
    return Batched(axis, function(f"{words}->{letter}{result}", *values, **kwargs))


def whole_vectors(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of the last axes of two arrays of equal numbers of axes."""
    if len(args) != 2 or kwargs or not rank_of(args[0]) or rank_of(args[0]) != rank_of(args[1]):
        return NotImplemented
    return as_batch(axis, function(*[whole(axis, x) for x in args]))


rows(matmul, "matmul dot")
rows(einsum, "einsum")
rows(whole_vectors, "cross")


# -- linear algebra -----------------------------------------------------------------------------------------------------------


def solve(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Solve a stack of systems; of one matrix, for all right sides at once."""
    if len(args) < 2 or not Arguments(axis, function, args, kwargs).only(["a", "b", "x1", "x2"]):
        return NotImplemented
    a, b, *options = args
    if rank_of(a) != 2 or rank_of(b) not in (1, 2):
        return NotImplemented
    vector = rank_of(b) == 1
    if is_batched(axis, a):
        return _with_columns(axis, lambda y: function(a.value, y, *options, **kwargs), b)
    if vector:
        return Batched(axis, xp.matrix_transpose(function(a, xp.matrix_transpose(b.value), *options, **kwargs)))
    return Batched(axis, function(whole(axis, a), b.value, *options, **kwargs))


def _with_columns(axis: MappedAxis, solve: Any, b: Any) -> Any:
    """Solve for right sides that are matrices, or vectors as matrices of one column."""
    vector, y = rank_of(b) == 1, whole(axis, b)
    found = solve(xp.expand_dims(y, -1) if vector else y)
    return Batched(axis, xp.squeeze(found, axis=-1) if vector else found)


def solve_factored(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Solve by factors, which are in a tuple."""
    if len(args) < 2 or kwargs or type(args[0]) is not tuple or rank_of(args[0][0]) != 2 or rank_of(args[1]) not in (1, 2):
        return NotImplemented
    factors = tuple([whole(axis, x) if rank_of(x) else x for x in args[0]])
    return _with_columns(axis, lambda y: function(factors, y, *args[2:]), args[1])


rows(solve, "linalg.solve scipy.linalg.solve scipy.linalg.solve_triangular")
rows(solve_factored, "scipy.linalg.cho_solve scipy.linalg.lu_solve")
