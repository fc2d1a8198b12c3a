"""Sums of products by subscripts: einsum and einsum_path.

A contraction of two operands becomes a stack of matrix products, so that it runs in the BLAS, batches included, and has the
exact integer products and the float32 accumulation of `matmul`.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError
from supremum._core.arguments import Buffer, in_accumulator, refuse_out
from supremum._core.array import Array, wrap
from supremum._core.conversion import operands
from supremum._core.dtypes import requested
from supremum._core.reductions import accumulator
from supremum._core.settings import state
from supremum._core.typing import ArrayLike, DTypeLike
from supremum._functions.linear_algebra.contractions import check_precision
from supremum._kernels.casts import cast
from supremum._kernels.matmul import computed_in, product
from supremum.promotion._nodes import Node

__all__ = ["einsum", "einsum_path"]

#: The order to contract in: a strategy, or the pairs of operands.
Optimize: TypeAlias = bool | str | Sequence[Any]
#: The strategies of opt_einsum; "optimal" or "greedy" of NumPy stands in for each.
_OPTIMIZERS: Final = (
    True, False, "auto", "auto-hq", "optimal", "greedy", "eager", "dp", "branch-all", "branch-2", "random-greedy",
)  # fmt: skip
#: The number of elements of an operand up to which finding a path takes longer than any path.
_SMALL: Final = 64


class PathInfo:
    """A description of a path, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def einsum(
    subscripts: str | ArrayLike,
    /,
    *operands: ArrayLike | Sequence[Any],
    out: None = None,
    optimize: Optimize = "auto",
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    _dot_general: object = None,
    out_sharding: object = None,  # noqa: ARG001 - there is one device
) -> Array:
    """Sum products over the axes whose subscripts the result does not have.

    Parameters
    ----------
    subscripts : str
        A letter for each axis of each operand, and of the result after ``->``; ``...`` for axes without a letter. Operands may
        also come first, each followed by a list of integers, with that of the result at the end.
    *operands : array_like
        The operands.
    out : None
        Not supported.
    optimize : bool or str or list
        The order to contract in: ``"optimal"``, ``"greedy"``, or the pairs themselves.
    precision, out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.
    preferred_element_type : dtype, optional
        The dtype to accumulate in and to return.

    Returns
    -------
    Array
        The result.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.einsum("ij,jk->ki", xp.ones((2, 3)), xp.ones((3, 2)))
    Array([[3., 3.],
           [3., 3.]], dtype=float32)
    >>> xp.einsum("ii", xp.asarray([[1, 2], [3, 4]]))
    Array(5, dtype=int32)
    """
    if preferred_element_type is precision is out is None and optimize == "auto":
        found = _small(subscripts, operands)
        if found is not None:
            return found
    refuse_out(out, "einsum")
    check_precision("einsum", precision)
    terms, result, arrays = _parsed(subscripts, operands)
    settings = state()
    node = settings.join_all([settings.truncate(x._node) for x in arrays])
    if preferred_element_type is not None:
        node = requested(preferred_element_type, "einsum", settings)
    wide = accumulator(computed_in(node, *[x._data for x in arrays]))
    _check_sizes(terms, arrays)
    path = _path(terms, result, arrays, optimize)
    given = operands if isinstance(subscripts, str) else arrays
    # Operands are promoted before they are multiplied; with a preferred dtype only integers are.
    kinds = "biufc" if preferred_element_type is None else "biu"
    buffers = [
        in_accumulator(each, x, node if x._node.kind in kinds else wide, wide) for each, x in zip(given, arrays, strict=True)
    ]
    factors = [_Factor(data, term) for data, term in zip(buffers, terms, strict=True)]
    return wrap(cast(_contracted(factors, path, result, wide), node), node)


def _contracted(factors: list[_Factor], path: list[tuple[int, ...]], result: str, node: Node) -> Buffer:
    """Contract factors along a path and return the buffer of the result."""
    for pair in path:
        chosen = [factors.pop(i) for i in sorted(pair, reverse=True)][::-1]
        needed = set(result).union(*[factor.labels for factor in factors])
        combined = chosen[0]
        for position, other in enumerate(chosen[1:], 1):
            still_needed = needed.union(*[later.labels for later in chosen[position + 1 :]])
            combined = combined.times(other, still_needed, node)
        factors.append(combined)
    return factors[0].arranged(result, node)


def _small(subscripts: Any, arrays: tuple[Any, ...]) -> Array | None:
    """Leave small Arrays of floats to NumPy's loop, which starts at once; return None if the general path is needed."""
    node, settings = getattr(arrays[0], "_node", None) if arrays else None, state()
    if type(subscripts) is not str or node is None or node.weak or not node.native or node.kind not in "fc":
        return None
    if any(type(x) is not Array or x._node is not node or x._data.size > _SMALL for x in arrays):
        return None
    if settings.watched or not settings.remember or settings.truncate(node) is not node:
        return None
    try:
        return wrap(np.asarray(np.einsum(subscripts, *[x._data for x in arrays])), node)
    except ValueError:
        return None  # the subscripts do not match, which the general path reports


def einsum_path(
    subscripts: str | ArrayLike, /, *operands: ArrayLike | Sequence[Any], optimize: Optimize = "auto"
) -> tuple[list[tuple[int, ...]], PathInfo]:
    """Return the order in which `einsum` contracts its operands.

    Parameters
    ----------
    subscripts : str
        As `einsum` takes them.
    *operands : array_like
        The operands.
    optimize : bool or str or list
        As `einsum` takes it.

    Returns
    -------
    list of tuple of int
        The positions of the operands to contract at each step among those that remain; the product is appended to them.
    PathInfo
        The path as text.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.einsum_path("ij,jk->ik", xp.ones((2, 3)), xp.ones((3, 4)))[0]
    [(0, 1)]
    """
    terms, result, arrays = _parsed(subscripts, operands)
    _check_sizes(terms, arrays)
    path = _path(terms, result, arrays, optimize)
    text = f"{','.join(terms)}->{result}: " + ", ".join(map(str, path))
    return path, PathInfo(text)


# -- subscripts ---------------------------------------------------------------------------------------------------------------


def _parsed(first: Any, rest: tuple[Any, ...]) -> tuple[list[str], str, list[Array]]:
    """Return the labels of each operand and of the result, without ellipses, and the operands."""
    if isinstance(first, str):
        text, given = first.replace(" ", ""), list(rest)
    else:
        text, given = _from_lists([first, *rest])
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    arrays = operands("einsum", *given)
    if len(terms) != len(arrays):
        raise ValueError(f"einsum: the subscripts {text!r} are for {len(terms)} operands, got {len(arrays)}")
    _check_labels(text, [*terms, output])
    free = [letter for letter in string.ascii_letters if letter not in text]
    widths = [_ellipsis_width(text, term, x) for term, x in zip(terms, arrays, strict=True)]
    widest = max(widths, default=0)
    spread = "".join(free[:widest])
    # Axes under an ellipsis align at the right, as in broadcasting.
    whole = [term.replace("...", spread[widest - width :]) for term, width in zip(terms, widths, strict=True)]
    labels = "".join(whole)
    if arrow:
        result = output.replace("...", spread)
    else:
        result = spread + "".join(sorted(c for c in set(labels) - set(spread) if labels.count(c) == 1))
    if set(result) - set(labels) or len(set(result)) != len(result):
        raise ValueError(f"einsum: the result's subscripts {output!r} must be distinct ones of the operands'")
    # NumPy, which finds diagonals and paths, knows letters only; JAX takes any character.
    letters = str.maketrans(dict(zip(sorted(set(labels) - set(string.ascii_letters)), free[widest:], strict=False)))
    return [term.translate(letters) for term in whole], result.translate(letters), arrays


def _from_lists(items: list[Any]) -> tuple[str, list[Any]]:
    """Translate operands that alternate with lists of integers to subscripts."""
    if len(items) < 2:
        raise TypeError(f"einsum: the first argument must be a string of subscripts, got {type(items[0]).__name__}")
    given, lists = items[: len(items) // 2 * 2 : 2], items[1::2]
    terms = [_letters(labels) for labels in lists]
    return ",".join(terms) + ("->" + _letters(items[-1]) if len(items) % 2 else ""), given


def _letters(labels: Any) -> str:
    try:
        return "".join(["..." if label is ... else string.ascii_letters[label.__index__()] for label in labels])
    except (TypeError, AttributeError, IndexError):
        msg = f"einsum: a list of subscripts holds integers from 0 to 51 and at most one Ellipsis, got {labels!r}"
        raise TypeError(msg) from None


def _check_labels(text: str, terms: list[str]) -> None:
    for term in terms:
        if set(term.replace("...", "", 1)) & set("->.,"):
            raise ValueError(f"einsum: subscripts are letters, one '...', ',' and one '->', got {text!r}")


def _ellipsis_width(text: str, term: str, x: Array) -> int:
    """Return the number of axes under the ellipsis of an operand."""
    width = x.ndim - len(term.replace("...", ""))
    if width < 0 or (width > 0 and "..." not in term):
        raise ValueError(f"einsum: the subscripts {term!r} in {text!r} do not fit an operand of shape {x.shape}")
    return width


def _check_sizes(terms: list[str], arrays: list[Array]) -> None:
    """Check that each label stands for one length; a length of 1 broadcasts."""
    sizes: dict[str, int] = {}
    for term, x in zip(terms, arrays, strict=True):
        for label, length in zip(term, x.shape, strict=True):
            known = sizes.get(label, 1)
            if known != length and 1 not in (known, length):
                shapes = [x.shape for x in arrays]
                raise ShapeError(f"einsum: {label!r} stands for lengths {known} and {length} in operands of shapes {shapes}")
            sizes[label] = length if known == 1 else known


def _path(terms: list[str], result: str, arrays: list[Array], optimize: Any) -> list[tuple[int, ...]]:
    """Return the positions of the operands to contract at each step."""
    count = len(arrays)
    if isinstance(optimize, list | tuple):
        return _given_path(optimize, count)
    if optimize not in _OPTIMIZERS:
        raise ValueError(f"einsum: optimize must be a bool, 'auto', 'optimal', 'greedy' or a path, got {optimize!r}")
    if count <= 2 or optimize is False:
        return [tuple(range(count))] if count <= 2 else [(0, 1)] * (count - 1)
    # NumPy finds the path; the arrays that it is given have these shapes and share one element.
    shapes = [np.broadcast_to(np.zeros(()), x.shape) for x in arrays]
    kind: Any = "optimal" if optimize in (True, "optimal") or (optimize != "greedy" and count < 5) else "greedy"
    found = np.einsum_path(",".join(terms) + "->" + result, *shapes, optimize=kind)[0]
    return [tuple(pair) for pair in found[1:]]


def _given_path(path: Any, count: int) -> list[tuple[int, ...]]:
    """Return a path that the caller chose, after checks."""
    pairs = [tuple(pair) for pair in path if not isinstance(pair, str)]
    left = count
    for pair in pairs:
        if not pair or len(set(pair)) != len(pair) or not all(0 <= i < left for i in pair):
            break
        left -= len(pair) - 1
    else:
        if left == 1:
            return pairs
    raise ValueError(f"einsum: the path {path!r} does not contract {count} operands to one")


# -- contractions -------------------------------------------------------------------------------------------------------------


class _Factor:
    """A buffer whose axes have labels, each label once."""

    def __init__(self, data: Buffer, labels: str) -> None:
        if len(set(labels)) != len(labels):
            distinct = "".join(dict.fromkeys(labels))
            data, labels = np.einsum(f"{labels}->{distinct}", data), distinct
        self.data = data
        self.labels = labels

    def summed(self, gone: str, node: Node) -> _Factor:
        """Sum over labels."""
        if not gone:
            return self
        axes = tuple([self.labels.index(label) for label in gone])
        data = np.add.reduce(self.data, axes, node.dtype, out=...)
        return _Factor(data, "".join([label for label in self.labels if label not in gone]))

    def squeezed(self, labels: str) -> _Factor:
        """Drop axes of length 1."""
        axes = tuple([self.labels.index(label) for label in labels])
        return _Factor(self.data.squeeze(axes), "".join([label for label in self.labels if label not in labels]))

    def ordered(self, labels: str) -> Buffer:
        """Return the buffer with its axes in another order."""
        return self.data.transpose([self.labels.index(label) for label in labels])

    def length(self, label: str) -> int:
        """Return the length of an axis."""
        return int(self.data.shape[self.labels.index(label)])

    def times(self, other: _Factor, needed: set[str], node: Node) -> _Factor:
        """Contract with another factor; `needed` labels stay."""
        a, b = self._without_broadcast(other), other._without_broadcast(self)
        a = a.summed("".join([x for x in a.labels if x not in needed and x not in b.labels]), node)
        b = b.summed("".join([x for x in b.labels if x not in needed and x not in a.labels]), node)
        shared = [x for x in a.labels if x in b.labels]
        batch = "".join([x for x in shared if x in needed])
        inner = "".join([x for x in shared if x not in needed])
        rows = "".join([x for x in a.labels if x not in shared])
        columns = "".join([x for x in b.labels if x not in shared])
        left, right = a._matrices(batch, rows, inner), b._matrices(batch, inner, columns)
        shape = [a.length(x) for x in batch + rows] + [b.length(x) for x in columns]
        return _Factor(product(left, right, node).reshape(shape), batch + rows + columns)

    def _without_broadcast(self, other: _Factor) -> _Factor:
        """Drop axes of length 1 that have another length in the other factor."""
        alone = [x for x in self.labels if x in other.labels and self.length(x) == 1 != other.length(x)]
        return self.squeezed("".join(alone)) if alone else self

    def _matrices(self, batch: str, rows: str, columns: str) -> Buffer:
        """Return the buffer as a stack of matrices."""
        sizes = [int(np.prod([self.length(x) for x in part], dtype=np.int64)) for part in (rows, columns)]
        return self.ordered(batch + rows + columns).reshape([*[self.length(x) for x in batch], *sizes])

    def arranged(self, result: str, node: Node) -> Buffer:
        """Return the buffer of the result: sum over all other labels, and bring the rest into order."""
        return self.summed("".join([label for label in self.labels if label not in result]), node).ordered(result)


publish(__name__)
