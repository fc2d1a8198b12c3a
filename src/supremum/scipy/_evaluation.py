"""Evaluation of the functions of `special` and `stats`: arguments promote, a kernel computes, the result is rounded once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from supremum._base.buffers import Buffer
from supremum._base.exceptions import describe
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand, promote_operands
from supremum._core.dtype_objects import to_inexact
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node


def check_word(function: str, parameter: str, given: Any, words: str) -> None:
    """Raise ValueError unless an argument is one of some words."""
    *names, last = words.split()
    if given not in (*names, last):
        choices = ", ".join(map(repr, names))
        raise ValueError(f"{function}: {parameter} must be {choices} or {last!r}, got {describe(given)}")


def promoted(
    function: str, *xs: ArrayLike, kinds: str = "f", refusal: type[Exception] = TypeError, double: bool = True
) -> tuple[Node, list[Buffer]]:
    """Return the inexact node that arguments promote to, and their buffers in the dtype to compute in.

    That is float64 or complex128; else, without `double`, the dtype of the result, or float32 if that is narrow. For kinds
    of dtypes other than `kinds`, `refusal` is raised: as in JAX, TypeError for what its compiler refuses, ValueError for what
    it checks itself.
    """
    node, buffers = promote_operands(function, *xs)
    node = to_inexact(node)
    if node.kind not in kinds:
        raise refusal(f"{function}: complex numbers are not accepted, got dtype {node.dtype}")
    if node.native:
        data = [buffer.astype(node.dtype, copy=False) for buffer in buffers]
    else:
        data = [cast(cast(buffer, node), node.wide) for buffer in buffers]
    wide = np.complex128 if node.kind == "c" else np.float64
    return node, [part.astype(wide, copy=False) for part in data] if double else data


def evaluate(
    function: str,
    kernel: Callable[..., Buffer],
    *xs: ArrayLike,
    weak: Literal["promoted", "shared", "never"] = "promoted",
    least_bits: int = 0,
    kinds: str = "f",
    refusal: type[Exception] = TypeError,
    double: bool = True,
) -> Array:
    """Return what a kernel makes of the promoted arguments, rounded once to their inexact dtype, of at least `least_bits`.

    The result is weak if the promoted dtype is, only if all arguments are, or never. The first two differ for integers next to
    Python floats. The other options are those of `promoted`.
    """
    node, data = promoted(function, *xs, kinds=kinds, refusal=refusal, double=double)
    if node.bits < least_bits:
        raise TypeError(f"{function}: the dtype must be float32 or float64, got {node.dtype}; cast the arguments first")
    shared = weak == "shared" and node.weak
    if weak == "never" or (shared and not all(operand(x, function, i)._node.weak for i, x in enumerate(xs))):
        node = node.strong
    found: Any = kernel(*data)
    return wrap(cast(np.asarray(found), node), node)
