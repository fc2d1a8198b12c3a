"""The rows of reductions, which their definitions state, and their common implementation.

A row consists of: *name*, the kinds it accepts (``b`` bool, ``i`` signed, ``u`` unsigned, ``f`` floating, ``c`` complex), the
dtype rule, the NumPy ufunc that folds two elements into one, and the identity of that ufunc. Narrow dtypes accumulate in a
wider one (floats in float32) and are rounded once, at the end.
"""

from __future__ import annotations

import math
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import as_bool
from supremum._base.key_dtype import refuse_keys
from supremum._core import engine
from supremum._core.array import Array, Axis, DTypeLike, wrap
from supremum._core.conversion import Buffer, in_dtype as in_dtype, normalize_axes, operand, refuse_out
from supremum._core.dtype_objects import requested, to_inexact
from supremum._core.settings import State, state
from supremum._kernels import extremes, narrow
from supremum._kernels.blocked_reductions import LARGE, fold_all
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

if TYPE_CHECKING:
    from collections.abc import Callable

_Definition = TypeVar("_Definition", bound="Callable[..., Any]")

#: The dtype in which truth values are folded.
_BOOL: Final = np.dtype(np.bool_)
#: The dtypes of narrow floats.
_NARROW: Final = frozenset(node.dtype for node in NODES.values() if node.kind == "f" and not node.native)
_BFLOAT16: Final = NODES["bfloat16"].dtype
_UINT: Final = {32: NODES["uint32"], 64: NODES["uint64"]}


def accumulator(node: Node) -> Node:
    """Return the node that sums of `node` are accumulated in: ``node.wide``; refuse keys."""
    if node.kind == "k":
        refuse_keys(node.kind)
    return node.wide


def mean_accumulator(node: Node, result: Node) -> Node:
    """Return the node that means are accumulated in: float64 for integers, whose sums may not be representable in float32."""
    refuse_keys(node.kind)
    return NODES["float64"] if node.kind in "iu" and result.kind == "f" else accumulator(result)


def _widened(node: Node, current: State) -> Node:
    if node.kind not in "iub" or (node.bits >= current.int_.bits and node.kind != "b"):
        return node
    return _UINT[current.int_.bits] if node.kind == "u" else current.int_


class Reduced(Enum):
    """The rule for the result dtype of a reduction."""

    SAME = (lambda node, _: node,)
    #: bool and integers narrower than the default integer widen to its width and keep their signedness.
    WIDENED = (_widened, "total")
    #: bool widens to the default integer.
    COUNTED = (lambda node, current: current.int_ if node.kind == "b" else node, "total")
    #: bool becomes int32: what WIDENED is with ``promote_integers=False``.
    NUMBER = (lambda node, _: NODES["int32"] if node.kind == "b" else node,)
    #: bool and integers become floating.
    INEXACT = (lambda node, _: to_inexact(node), "mean")
    #: As INEXACT, and real.
    SPREAD = (lambda node, _: to_inexact(node).real, "mean")
    #: A truth value.
    TRUTH = (lambda _, current: current.bool_,)

    def __init__(self, follow: Callable[[Node, State], Node], role: str = "") -> None:
        self.follow = follow
        #: The name by which promotion systems say what an operand becomes.
        self.role = role


class Reduction(NamedTuple):
    """The row of a reduction."""

    #: The function.
    name: str
    #: The kinds of dtypes that it takes.
    accepts: str
    result: Reduced
    #: Folds two elements into one.
    ufunc: np.ufunc | extremes.Extreme
    #: The value in place of elements that `where` excludes.
    identity: float
    #: Whether the identity is the result for no elements.
    has_identity: bool = True


def plan_reduction(
    rule: Reduction, current: State, given: Node, _shape: tuple[int, ...], make: Callable[..., engine.Plan] = engine.Plan
) -> engine.Plan:
    """Return the engine's plan of a reduction without options; it has no ufunc where NumPy's own is not all there is to do."""
    # The Python function raises the error, or its boundary reports to the observer.
    if given.kind not in rule.accepts or current.observer is not None:
        return make(given)
    node = current.truncate(given).strong
    chosen = None if current.roles is None else current.roles.operand_rule(rule.name, rule.result.role)
    if chosen is not None:
        node = chosen.follow(node)
    result = node if chosen is not None and chosen.same else rule.result.follow(node, current)
    known = given.native or given.kind in "iuf" if chosen is None else given.native and result.native
    if current.roles is not None and current.roles.result_rules(rule.name, rule.result.role):
        known = False  # the boundary of the Python function follows them
    if not known or not isinstance(rule.ufunc, np.ufunc):
        return make(result)
    if rule.result is Reduced.TRUTH:
        dtype: np.dtype[Any] | None = _BOOL
    else:
        dtype = (mean_accumulator(node, result) if rule.result is Reduced.INEXACT else accumulator(result)).dtype
    return make(result, ufunc=rule.ufunc, dtype=dtype, fold=True)


class Fold:
    """A reduction as its row and as an operation of the engine, which has fast paths for it."""

    __slots__ = ("engine", "rule")

    def __init__(self, rule: Reduction) -> None:
        self.rule: Final = rule
        self.engine: Final = engine.Operation(rule.name, 1, partial(plan_reduction, rule))


#: The reductions behind methods, whose definitions name their rows: a method may be the first thing that a program uses.
FOLDS: Final = {
    row.name: Fold(row)
    for row in (
        Reduction("sum", "biufc", Reduced.WIDENED, np.add, 0),
        Reduction("prod", "biufc", Reduced.WIDENED, np.multiply, 1),
        Reduction("max", "biufc", Reduced.SAME, extremes.maximum, -np.inf, has_identity=False),
        Reduction("min", "biufc", Reduced.SAME, extremes.minimum, np.inf, has_identity=False),
        Reduction("mean", "biufc", Reduced.INEXACT, np.add, 0),
        Reduction("all", "biufc", Reduced.TRUTH, np.logical_and, True),
        Reduction("any", "biufc", Reduced.TRUTH, np.logical_or, False),
    )
}


def reducing(*row: Any, fast: str | None = None, **more: Any) -> Callable[[_Definition], _Definition]:
    """Decorate the definition of a reduction with its row, which `reduction` and the like read.

    Parameters
    ----------
    *row
        What `Reduction` has from `accepts` on; or the row of a method.
    fast : str, optional
        The engine's fast path.
    **more
        Further parts of the row, by name, and what `public` gets of the function.
    """

    def decorate(definition: _Definition) -> _Definition:
        fold = row[0] if isinstance(row[0], Fold) else Fold(Reduction(definition.__name__, *row))
        return public(fast=fast, operation=fold.engine if fast else None, row=fold, **more)(definition)

    return decorate


def rule_of(function: Any) -> Reduction:
    """Return the row of a function that `reducing` decorates."""
    return function.row.rule


# -- arguments ----------------------------------------------------------------------------------------------------------------


def where_mask(where: object, function: str) -> Buffer | None:
    """Convert a `where` argument to a boolean buffer; None stays None."""
    if where is None:
        return None
    mask = operand(where, function)
    if mask._node.kind != "b":
        msg = f"{function}: where must be None or a boolean array, got dtype {mask.dtype}; compare it, e.g. where != 0"
        raise ValueError(msg)
    return mask._data


def check_kind(rule: Reduction, node: Node) -> None:
    """Raise TypeError for a dtype that the row does not accept."""
    if node.kind not in rule.accepts:
        refuse_keys(node.kind)
        raise TypeError(f"{rule.name} does not accept dtype {node.public}")


# -- the general path ---------------------------------------------------------------------------------------------------------


def reduction(
    function: Any,
    a: object,
    axis: Axis,
    keepdims: bool,
    *,
    dtype: DTypeLike | None = None,
    out: object = None,
    initial: object = None,
    where: object = None,
    promote: bool = True,
) -> Array:
    """Reduce with all options.

    Parameters
    ----------
    function : callable
        The public function, which has the row; or the row itself.
    a, axis, keepdims, dtype, out, initial, where : object
        The arguments of the public function.
    promote : bool, optional
        Whether NaN is skipped if the row says so.

    Returns
    -------
    Array
        The result.
    """
    rule = function if isinstance(function, Reduction) else rule_of(function)
    name = rule.name
    keepdims, promote = as_bool(keepdims, "keepdims", name), as_bool(promote, "promote_integers", name)
    refuse_out(out, name)
    x = operand(a, name)
    check_kind(rule, x._node)
    mask = where_mask(where, name)
    axes = normalize_axes(axis, x._data.ndim, name)
    if initial is None and not rule.has_identity:
        _check_something(rule, x, axes, mask)
    result = result_node(rule, x, dtype, state(), promote=promote)
    fold = accumulator(x._node if rule.result is Reduced.TRUTH else result)
    data = operand_data(x, result if dtype is not None else None, fold)
    if mask is not None:
        data = masked(data, mask, rule, fold)
        axes = axes if data.ndim == x.ndim else tuple(range(data.ndim))
    if rule.result is Reduced.TRUTH:
        return wrap(rule.ufunc.reduce(cast(data, fold), axes, out=..., keepdims=keepdims), result)
    start = {} if initial is None else {"initial": _initial(initial, fold, name)[()]}
    return wrap(cast(fold_axes(rule.ufunc, data, axes, fold, keepdims, **start), result), result)


def fold_axes(
    ufunc: np.ufunc | extremes.Extreme, data: Buffer, axes: tuple[int, ...], fold: Node, keepdims: bool, **start: Any
) -> Buffer:
    """Fold over axes in the dtype of `fold`."""
    if fold.kind == "f" and data.dtype in _NARROW:
        shape = [1 if i in axes else length for i, length in enumerate(data.shape) if keepdims or i not in axes]
        if math.prod(shape) == 1 and data.flags.forc:
            flat = data.reshape(-1, order="A")
            if data.size <= LARGE or data.dtype == _BFLOAT16:
                return np.asarray(ufunc.reduce(flat, None, fold.dtype, out=..., **start)).reshape(shape)
            return fold_all(ufunc, flat, fold, **start).reshape(shape)
        data = cast(data, fold)
    return ufunc.reduce(data, axes, fold.dtype, out=..., keepdims=keepdims, **start)


def _check_something(rule: Reduction, x: Array, axes: tuple[int, ...], mask: Buffer | None) -> None:
    if mask is not None:
        raise ValueError(f"{rule.name} has no identity: pass `initial` together with a `where` mask")
    if not all(x.shape[i] for i in axes):
        msg = f"{rule.name}: zero-size array of shape {x.shape} has no {rule.name}; pass `initial`, or check array.size first"
        raise ValueError(msg)


def result_node(rule: Reduction, x: Array, dtype: DTypeLike | None, current: State, *, promote: bool = True) -> Node:
    """Return the node of a reduction's result."""
    if dtype is not None:
        return requested(dtype, rule.name, current)
    node = current.truncate(x._node).strong
    chosen = None if current.roles is None else current.roles.operand_rule(rule.name, rule.result.role)
    if chosen is not None and chosen.same:
        return chosen.follow(node)
    follow = Reduced.NUMBER if rule.result is Reduced.WIDENED and not promote else rule.result
    return follow.follow(node, current)


def operand_data(x: Array, wanted: Node | None, fold: Node) -> Buffer:
    """Return the buffer to fold in `fold`, cast to `wanted` first if the cast of the fold itself would have other values."""
    node = x._node
    if wanted is None or wanted.dtype == node.dtype:
        return x._data
    lossy = (node.kind in "fc" and wanted.kind in "biu") or (node.kind == "c" and wanted.kind == "f")
    plain = fold is wanted and not lossy and (node.native or node.kind == wanted.kind)
    return x._data if plain else cast(x._data, wanted)


def masked(data: Buffer, mask: Buffer, rule: Reduction, fold: Node) -> Buffer:
    """Replace elements by the identity of the fold where the mask is False."""
    try:
        return np.where(mask, data.astype(fold.dtype, copy=False), least_identity(rule.identity, fold))
    except ValueError:
        msg = f"{rule.name}: where of shape {mask.shape} does not broadcast with an array of shape {data.shape}"
        raise ValueError(msg) from None


def nan_mask(x: Array) -> Buffer:
    """Return a mask of the NaN elements, of floating-point numbers."""
    native, data = x._node.native, x._data
    return np.asarray(np.isnan(data) if native else narrow.kernel("isnan", np.isnan, 1, x._node, NODES["bool"])(data))


def least_identity(identity: float, node: Node) -> Buffer:
    """Return the identity in a node's dtype; for integers, an infinity means the limit."""
    if node.kind in "iu" and np.isinf(identity):
        return np.asarray(node.low if identity < 0 else node.high, node.dtype)
    return np.asarray(identity > 0 if node.kind == "b" else identity, node.dtype)


def _initial(initial: object, fold: Node, function: str) -> Buffer:
    value = operand(initial, function)
    if value.ndim:
        raise ValueError(f"{function}: initial must be a scalar, got shape {value.shape}")
    return in_dtype(initial, value, fold)
