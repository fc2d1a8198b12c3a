"""Sums of products by subscripts: einsum and einsum_path.

A contraction of two operands becomes a stack of matrix products, so that it runs in the BLAS, batches included, and has the
exact integer products and the float32 accumulation of `matmul`.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, describe
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import Buffer, in_accumulator, operands, refuse_out
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions.linear_algebra.contractions import check_precision, preferred_node
from supremum._kernels.casts import cast
from supremum._kernels.matmul import computed_in, product
from supremum.promotion._nodes import Node

__all__ = ["einsum", "einsum_path"]

#: The order to contract in: a strategy, or the pairs of operands.
Optimize: TypeAlias = bool | str | Sequence[Any]
#: The strategies of opt_einsum; "optimal" or "greedy" of NumPy is used for each.
_OPTIMIZERS: Final = (
    True, False, "auto", "auto-hq", "optimal", "greedy", "eager", "dp", "branch-all", "branch-2", "random-greedy",
)  # fmt: skip
#: The number of elements of an operand up to which finding a path takes longer than any path.
_SMALL: Final = 64
#: The number of expressions, of operands of some shapes, whose labels, paths and plans are kept.
_KEPT: Final = 256
Shapes: TypeAlias = tuple[tuple[int, ...], ...]
#: The positions of the operands that are contracted, step by step.
Path: TypeAlias = tuple[tuple[int, ...], ...]


class PathInfo:
    """A description of a path, as text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


@public(sums=True)
def einsum(
    subscripts: str | ArrayLike,
    /,
    *operands: ArrayLike | Sequence[Any],
    out: None = None,
    optimize: Optimize = "auto",
    precision: object = None,
    preferred_element_type: DTypeLike | None = None,
    _dot_general: object = None,
    out_sharding: object = None,
) -> Array:
    """Sum products over the axes whose subscripts the result does not have.

    Parameters
    ----------
    subscripts : str
        A letter for each axis of each operand, and of the result after ``->``; ``...`` for axes without a letter. Operands may
        also come first, each followed by a list of integers, with that of the result at the end.
    *operands : array_like
        The operands.
    out
    optimize : bool or str or list
        The order to contract in: ``"optimal"``, ``"greedy"``, or the pairs themselves.
    precision, out_sharding : object, optional
        Accepted for compatibility with JAX, and without effect.
    preferred_element_type

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
        found = _of_one_dtype(subscripts, operands)
        if found is not None:
            return found
    refuse_out(out, "einsum")
    check_precision("einsum", precision)
    text, arrays = _read(subscripts, operands)
    shapes = tuple([x.shape for x in arrays])
    terms, result = parsed(text, shapes)
    settings = state()
    node = settings.join_all([settings.truncate(x._node) for x in arrays])
    if preferred_element_type is not None:
        node = preferred_node("einsum", preferred_element_type, *[x._node for x in arrays])
    wide = accumulator(computed_in(node, *[x._data for x in arrays]))
    _check_sizes(terms, shapes)
    plan = _planned(terms, result, shapes, _path(terms, result, shapes, optimize))
    given = operands if isinstance(subscripts, str) else arrays
    # Operands are promoted before they are multiplied; with a preferred dtype only integers are.
    kinds = "biufc" if preferred_element_type is None else "biu"
    buffers = [
        in_accumulator(each, x, node if x._node.kind in kinds else wide, wide) for each, x in zip(given, arrays, strict=True)
    ]
    return wrap(cast(_contracted(buffers, plan, wide), node), node)


def _of_one_dtype(subscripts: Any, arrays: tuple[Any, ...]) -> Array | None:
    """Contract Arrays of one native float dtype, between which nothing is promoted; return None for others.

    NumPy's loop starts at once, and so has contracted a few elements before a product of matrices begins.
    """
    node, settings = getattr(arrays[0], "_node", None) if arrays else None, state()
    if type(subscripts) is not str or node is None or node.weak or not node.native or node.kind not in "fc":
        return None
    if settings.ruled or not settings.remember or settings.truncate(node) is not node:
        return None
    few = True
    for x in arrays:
        if type(x) is not Array or x._node is not node:
            return None
        few = few and x._data.size <= _SMALL
    buffers = [x._data for x in arrays]
    if not few:
        return wrap(_contracted(buffers, _planned_at_once(subscripts, tuple([x.shape for x in buffers])), node), node)
    try:
        return wrap(np.asarray(np.einsum(subscripts, *buffers)), node)
    except ValueError:
        return None  # the subscripts do not match, which the general path reports


@public
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
    given, arrays = _read(subscripts, operands)
    shapes = tuple([x.shape for x in arrays])
    terms, result = parsed(given, shapes)
    _check_sizes(terms, shapes)
    path = list(_path(terms, result, shapes, optimize))
    return path, PathInfo(f"{','.join(terms)}->{result}: " + ", ".join(map(str, path)))


# -- subscripts ---------------------------------------------------------------------------------------------------------------


def spelled(first: Any, *rest: Any) -> tuple[str, list[Any]]:
    """Return the subscripts as text, and the operands."""
    return (first.replace(" ", ""), list(rest)) if isinstance(first, str) else _from_lists([first, *rest])


def _read(first: Any, rest: tuple[Any, ...]) -> tuple[str, list[Array]]:
    """Return the subscripts as text, and the operands as Arrays."""
    text, given = spelled(first, *rest)
    return text, operands("einsum", *given)


@lru_cache(maxsize=_KEPT)
def parsed(text: str, shapes: Shapes) -> tuple[tuple[str, ...], str]:
    """Return the labels of each operand and of the result, without ellipses."""
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(shapes):
        raise ValueError(f"einsum: the subscripts {text!r} are for {len(terms)} operands, got {len(shapes)}")
    _check_labels(text, [*terms, output])
    free = [letter for letter in string.ascii_letters if letter not in text]
    widths = [_ellipsis_width(text, term, shape) for term, shape in zip(terms, shapes, strict=True)]
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
    return tuple([term.translate(letters) for term in whole]), result.translate(letters)


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
        msg = f"einsum: a list of subscripts holds integers from 0 to 51 and at most one Ellipsis, got {describe(labels)}"
        raise TypeError(msg) from None


def _check_labels(text: str, terms: list[str]) -> None:
    for term in terms:
        if set(term.replace("...", "", 1)) & set("->.,"):
            raise ValueError(f"einsum: subscripts are letters, one '...', ',' and one '->', got {describe(text)}")


def _ellipsis_width(text: str, term: str, shape: tuple[int, ...]) -> int:
    """Return the number of axes under the ellipsis of an operand."""
    width = len(shape) - len(term.replace("...", ""))
    if width < 0 or (width > 0 and "..." not in term):
        raise ValueError(f"einsum: the subscripts {term!r} in {text!r} do not fit an operand of shape {shape}")
    return width


@lru_cache(maxsize=_KEPT)
def _check_sizes(terms: tuple[str, ...], shapes: Shapes) -> None:
    """Check that each label has one length; a length of 1 broadcasts."""
    sizes: dict[str, int] = {}
    for term, shape in zip(terms, shapes, strict=True):
        for label, length in zip(term, shape, strict=True):
            known = sizes.get(label, 1)
            if known != length and 1 not in (known, length):
                raise ShapeError(f"einsum: {label!r} has lengths {known} and {length} in operands of shapes {list(shapes)}")
            sizes[label] = length if known == 1 else known


def _path(terms: tuple[str, ...], result: str, shapes: Shapes, optimize: Any) -> Path:
    """Return the positions of the operands to contract at each step."""
    count = len(shapes)
    if isinstance(optimize, list | tuple):
        return _given_path(optimize, count)
    if optimize not in _OPTIMIZERS:
        raise ValueError(f"einsum: optimize must be a bool, 'auto', 'optimal', 'greedy' or a path, got {describe(optimize)}")
    if count <= 2 or optimize is False:
        return (tuple(range(count)),) if count <= 2 else ((0, 1),) * (count - 1)
    kind = "optimal" if optimize in (True, "optimal") or (optimize != "greedy" and count < 5) else "greedy"
    return _found_path(",".join(terms) + "->" + result, shapes, kind)


@lru_cache(maxsize=_KEPT)
def _found_path(subscripts: str, shapes: Shapes, kind: Any) -> Path:
    """Have NumPy find a path; the arrays that it is given have these shapes and share one element."""
    arrays = [np.broadcast_to(np.zeros(()), shape) for shape in shapes]
    return tuple([tuple(pair) for pair in np.einsum_path(subscripts, *arrays, optimize=kind)[0][1:]])


def _given_path(path: Any, count: int) -> Path:
    """Return a path that the caller chose, after checks."""
    pairs = tuple([tuple(pair) for pair in path if not isinstance(pair, str)])
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
    """An operand or an intermediate result: the labels and lengths of its axes, each label once, and how its buffer is made.

    `changes` are made to a buffer first, each a function of a buffer and the dtype of sums.
    """

    def __init__(self, labels: str, shape: tuple[int, ...], changes: tuple[_Change, ...] = ()) -> None:
        self.labels = labels
        self.shape = shape
        self.changes = changes

    @classmethod
    def of_operand(cls, labels: str, shape: tuple[int, ...]) -> _Factor:
        """Return the factor of an operand; a label that comes twice means a diagonal."""
        distinct = "".join(dict.fromkeys(labels))
        lengths = tuple([shape[labels.index(label)] for label in distinct])
        return cls(
            distinct,
            lengths,
            () if distinct == labels else (lambda data, _: np.asarray(np.einsum(f"{labels}->{distinct}", data)),),
        )

    def _without(self, gone: str, change: Callable[[Buffer, tuple[int, ...], Any], Buffer]) -> _Factor:
        """Remove axes."""
        if not gone:
            return self
        axes = tuple([self.labels.index(label) for label in gone])
        kept = [(label, length) for label, length in zip(self.labels, self.shape, strict=True) if label not in gone]
        labels, shape = "".join([label for label, _ in kept]), tuple([length for _, length in kept])
        return _Factor(labels, shape, (*self.changes, lambda data, dtype: change(data, axes, dtype)))

    def summed(self, gone: str) -> _Factor:
        """Sum over labels."""
        return self._without(gone, lambda data, axes, dtype: np.asarray(np.add.reduce(data, axes, dtype, out=...)))

    def ordered(self, labels: str) -> _Factor:
        """Bring the axes into another order."""
        if labels == self.labels:
            return self
        axes = tuple([self.labels.index(label) for label in labels])
        shape = tuple([self.shape[axis] for axis in axes])
        return _Factor(labels, shape, (*self.changes, lambda data, _: data.transpose(axes)))

    def length(self, label: str) -> int:
        """Return the length of an axis."""
        return self.shape[self.labels.index(label)]

    def without_broadcast(self, other: _Factor) -> _Factor:
        """Drop axes of length 1 that have another length in the other factor."""
        alone = [x for x in self.labels if x in other.labels and self.length(x) == 1 != other.length(x)]
        return self._without("".join(alone), lambda data, axes, _: data.squeeze(axes))

    def matrices(self, batch: str, rows: str, columns: str) -> tuple[_Change, ...]:
        """Return the changes to a stack of matrices."""
        found = self.ordered(batch + rows + columns)
        shape = (*map(self.length, batch), math.prod(map(self.length, rows)), math.prod(map(self.length, columns)))
        return found.changes if shape == found.shape else (*found.changes, lambda data, _: data.reshape(shape))


#: A change of a buffer.
_Change: TypeAlias = "Callable[[Buffer, Any], Buffer]"


class _Product(NamedTuple):
    """A product of two stacks of matrices: what is done to the buffers, and the shape of the result."""

    left: tuple[_Change, ...]
    right: tuple[_Change, ...]
    shape: tuple[int, ...]


class _Plan(NamedTuple):
    """The steps of a contraction: the operands that are taken out, last first, and their products; then the last changes."""

    steps: tuple[tuple[tuple[int, ...], tuple[_Product, ...]], ...]
    last: tuple[_Change, ...]


@lru_cache(maxsize=_KEPT)
def _planned(terms: tuple[str, ...], result: str, shapes: Shapes, path: Path) -> _Plan:
    """Plan a contraction along a path."""
    factors = [_Factor.of_operand(term, shape) for term, shape in zip(terms, shapes, strict=True)]
    steps = []
    for pair in path:
        places = tuple(sorted(pair, reverse=True))
        chosen = [factors.pop(i) for i in places][::-1]
        needed = set(result).union(*[factor.labels for factor in factors])
        combined, products = chosen[0], []
        for position, other in enumerate(chosen[1:], 1):
            still_needed = needed.union(*[later.labels for later in chosen[position + 1 :]])
            step, combined = _product(combined, other, still_needed)
            products.append(step)
        factors.append(combined)
        steps.append((places, tuple(products)))
    whole = factors[0].summed("".join([label for label in factors[0].labels if label not in result])).ordered(result)
    return _Plan(tuple(steps), whole.changes)


@lru_cache(maxsize=_KEPT)
def _planned_at_once(subscripts: str, shapes: Shapes) -> _Plan:
    """Plan a contraction along the path of `optimize="auto"`."""
    terms, result = parsed(subscripts.replace(" ", ""), shapes)
    _check_sizes(terms, shapes)
    return _planned(terms, result, shapes, _path(terms, result, shapes, "auto"))


def _product(a: _Factor, b: _Factor, needed: set[str]) -> tuple[_Product, _Factor]:
    """Plan the product of two factors; `needed` labels stay."""
    a, b = a.without_broadcast(b), b.without_broadcast(a)
    a = a.summed("".join([x for x in a.labels if x not in needed and x not in b.labels]))
    b = b.summed("".join([x for x in b.labels if x not in needed and x not in a.labels]))
    shared = [x for x in a.labels if x in b.labels]
    batch = "".join([x for x in shared if x in needed])
    inner = "".join([x for x in shared if x not in needed])
    rows = "".join([x for x in a.labels if x not in shared])
    columns = "".join([x for x in b.labels if x not in shared])
    shape = (*map(a.length, batch + rows), *map(b.length, columns))
    step = _Product(a.matrices(batch, rows, inner), b.matrices(batch, inner, columns), shape)
    return step, _Factor(batch + rows + columns, shape)


def _contracted(buffers: list[Buffer], plan: _Plan, node: Node) -> Buffer:
    """Carry out a plan, with sums in the dtype of `node`."""
    for places, products in plan.steps:
        chosen = [buffers.pop(i) for i in places][::-1]
        combined = chosen[0]
        for step, other in zip(products, chosen[1:], strict=True):
            left, right = _changed(combined, step.left, node), _changed(other, step.right, node)
            combined = product(left, right, node).reshape(step.shape)
        buffers.append(combined)
    return _changed(buffers[0], plan.last, node)


def _changed(data: Buffer, changes: tuple[_Change, ...], node: Node) -> Buffer:
    for change in changes:
        data = change(data, node.dtype)
    return data
