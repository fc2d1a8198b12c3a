"""References to arrays, which may be written to.

A `Ref` holds an array, or another operand. In a program that is recorded, a reference from outside of it holds an operand of
the program: what it held before is an argument of the program, and what it holds at the end is a result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.operand import CALLS
from supremum._array.sharding import ShapedArray
from supremum._core.guests import new_level
from supremum._core.settings import state
from supremum.jax import _tree
from supremum.jax._batching import Batched, axes_in_force, with_node
from supremum.jax._dual import Dual, moving_or_value
from supremum.jax._traces import Trace, traced, tracing
from supremum.jax._values import as_leaf, is_ref, zeros_of
from supremum.promotion._nodes import Node

_getitem: Any = CALLS["getitem"]


class AbstractRef:
    """The shape and the dtype of what a reference holds.

    Attributes
    ----------
    inner_aval : ShapedArray
        Both.
    """

    def __init__(self, inner_aval: ShapedArray) -> None:
        self.inner_aval = inner_aval

    def __getattr__(self, name: str) -> Any:
        if name == "inner_aval":
            raise AttributeError(name)
        return getattr(self.inner_aval, name)

    def __repr__(self) -> str:
        return f"Ref{{{self.inner_aval.str_short()}}}"


class RefEffect:
    """What the effects of a program have of a reference that it reads or writes to."""

    def __init__(self, ref: Ref) -> None:
        self.ref = ref


class Ref:
    """A reference to an array: ``ref[...]`` is the array, and ``ref[...] = x`` writes to it.

    Attributes
    ----------
    value : Array or other operand
        What it holds now.
    shape, ndim, size, dtype, aval
        What follows from it.
    """

    is_ref = True
    __slots__ = ("__weakref__", "_cells")

    def __init__(self, value: Any, level: int | None = None, trace: Trace | None = None) -> None:
        #: Where it holds a value: the program that is recorded there, the level above which none is held, and the value.
        here = (tracing(), new_level()) if level is None else (trace, level)
        self._cells: list[list[Any]] = [[*here, value]]

    def _cell(self) -> list[Any]:
        here, cell = tracing(), self._cells[-1]
        if here is not None and cell[0] is not here:
            value = cell[2]
            cell = [here, here.level, here.operand(here, value.shape, value._node.strong)]
            self._cells.append(cell)
            here.refs.append((self, cell[2]))
        if cell[2] is None:
            raise ValueError("`get` must be called on a reference that holds an array; this one was freed")
        return cell

    def like(self, value: Any) -> Ref:
        """Return a reference that holds a value."""
        return Ref(value)

    def leave(self) -> None:
        """Hold what it held before the program that was recorded."""
        self._cells.pop()

    @property
    def value(self) -> Any:
        """What it holds now."""
        return self._cell()[2]

    @property
    def held(self) -> Any:
        """What it holds now, as programs take it: not weak."""
        value = self.value
        return with_node(value, value._node.strong)

    @property
    def level(self) -> int:
        """The level above which operands belong to transformations within that of the reference."""
        return self._cell()[1]

    def store(self, value: Any) -> None:
        """Hold a value of the same shape and dtype."""
        self._cell()[2] = value

    shape: Any = property(lambda self: self.value.shape, doc="The lengths of the axes.")
    ndim: Any = property(lambda self: len(self.value.shape), doc="The number of axes.")
    size: Any = property(lambda self: self.value.size, doc="The number of elements.")
    dtype: Any = property(lambda self: self.value.dtype, doc="The dtype.")
    aval: Any = property(lambda self: AbstractRef(ShapedArray(self.shape, self.dtype)), doc="The shape and the dtype.")

    @property
    def at(self) -> Any:
        """``ref.at[index]`` is a reference to the part."""
        return _At(self)

    def __repr__(self) -> str:
        value = self.value
        return f"Ref{repr(value)[5:]}" if type(value) is Array else f"{self.aval!r}"

    def __len__(self) -> int:
        return len(self.value)

    def __array__(self, *_args: object, **_kwargs: object) -> Any:
        raise TypeError(f"{self!r} is a reference to an array: use ref[...]")

    def __getitem__(self, idx: Any) -> Any:
        return get(self, idx)

    def __setitem__(self, idx: Any, value: Any) -> None:
        set(self, idx, value)

    def addupdate(self, x: Any, idx: Any = ()) -> None:
        """Add to what it holds, or to the part at an index."""
        addupdate(self, idx, x)


class _View(Ref):
    """A reference to a part of what another one holds, or to that in another form."""

    __slots__ = ("_parent", "_read", "_write", "own_level")

    def __init__(self, parent: Ref, read: Callable[[Any], Any], write: Callable[[Any, Any], Any], level: int = 0) -> None:
        self._parent = parent
        self._read = read
        self._write = write
        self.own_level = level

    @property
    def value(self) -> Any:
        """What it refers to now."""
        return self._read(self._parent.value)

    @property
    def level(self) -> int:
        """The level of the other reference, or that of what makes the form."""
        return max(self._parent.level, self.own_level)

    def store(self, value: Any) -> None:
        """Write to what the other reference holds."""
        self._parent.store(self._write(self._parent.value, value))


class _At:
    def __init__(self, ref: Ref) -> None:
        self.ref = ref

    def __getitem__(self, idx: Any) -> Ref:
        return part_of(self.ref, idx)


def part_of(ref: Ref, idx: Any) -> Ref:
    """Return a reference to a part of what a reference holds."""
    level = getattr(idx, "__supremum_level__", 0)
    return _View(ref, lambda x: _getitem(x, idx), lambda x, y: x.at[idx].set(y), level)


def batched(ref: Ref, axis: Any, number: int) -> Ref:
    """Return a reference to one position along an axis, for all positions."""

    def read(x: Any) -> Any:
        return Batched(axis, xp.moveaxis(x, number, 0))

    def write(x: Any, y: Any) -> Any:
        whole = y.value if type(y) is Batched and y.axis is axis else xp.broadcast_to(y, (axis.size, *y.shape))
        return xp.moveaxis(whole, 0, number)

    return _View(ref, read, write, axis.level)


def new_ref(init_val: Any, *, memory_space: object = None, kind: object = None) -> Ref:
    """Return a reference to a copy of an array.

    Parameters
    ----------
    init_val : ArrayLike
        The array.
    memory_space, kind : optional
        Ignored.

    Returns
    -------
    Ref
        The reference: ``ref[...]`` reads, ``ref[index] = x`` and ``ref.addupdate(x, index)`` write. Functions that read and
        write may be jitted, mapped and differentiated, and called in loops.

    Examples
    --------
    >>> from supremum import jax
    >>> ref = jax.new_ref(jax.numpy.zeros(3))
    >>> step = jax.jit(lambda x: ref.addupdate(x, 1))
    >>> step(1.0), step(2.0)
    (None, None)
    >>> ref
    Ref([0., 3., 0.], dtype=float32)
    """
    value = as_leaf(init_val)
    if is_ref(value):
        raise TypeError(f"new_ref: expected an array, got {value!r}")
    return Ref(xp.copy(value) if type(value) is Array and state().mutable else value)


def empty_ref(ty: Any, memory_space: object = None) -> Ref:
    """Return a reference to an array of a shape and a dtype, of which the elements are zeros."""
    return Ref(zeros_of(ty))


def free_ref(ref: Ref) -> None:
    """Have a reference hold nothing: it cannot be used any longer."""
    ref.store(None)


def freeze(ref: Ref) -> Any:
    """Return what a reference holds; the reference is not to be used afterwards."""
    return _checked(ref, "freeze").value


def get(ref: Ref, idx: Any = None) -> Any:
    """Return what a reference holds, or the part at an index.

    Parameters
    ----------
    ref : Ref
        The reference.
    idx : optional
        The index, as of arrays.

    Returns
    -------
    Array
        The array.
    """
    value = _checked(ref, "ref_get").value
    if _is_whole(idx):
        return xp.copy(value) if type(value) is Array and state().mutable else value
    _check_bounds(idx, value.shape)
    return _getitem(value, idx)


def set(ref: Ref, idx: Any, value: Any) -> None:
    """Write to what a reference holds, or to the part at an index.

    Parameters
    ----------
    ref : Ref
        The reference.
    idx : index or None
        The index, as of arrays.
    value : ArrayLike
        An array of the shape and the dtype of the part; numbers and integers of other widths are cast.
    """
    _update(ref, idx, value, "swap", lambda old, x: x if _is_whole(idx) else old.at[idx].set(x))


def swap(ref: Ref, idx: Any, value: Any) -> Any:
    """Write to what a reference holds, or to the part at an index, and return what was there before."""
    before = get(ref, idx)
    set(ref, idx, value)
    return before


def addupdate(ref: Ref, idx: Any, x: Any) -> None:
    """Add to what a reference holds, or to the part at an index."""
    _update(ref, idx, x, "addupdate", lambda old, x: old + x if _is_whole(idx) else old.at[idx].add(x))


def _update(ref: Ref, idx: Any, value: Any, name: str, write: Callable[[Any, Any], Any]) -> None:
    old, x = _checked(ref, f"ref_{name}").value, moving_or_value(as_leaf(value))
    shape, node, mine = old.shape, old._node, x._node
    if not _is_whole(idx):
        _check_bounds(idx, shape)
        shape = _shape_of_part(shape, node, idx)
    integers = mine.kind in "iu" and node.kind in "iu"
    if mine.strong is not node.strong and not integers and not (mine.weak and mine.kind == "f" == node.kind):
        raise ValueError(f"Invalid dtype for `{name}`. Ref dtype: {old.dtype}. Value dtype: {x.dtype}.")
    if x.shape != shape:
        raise ValueError(
            f"Invalid shape for `{name}`. Ref shape: {old.shape}. Expected shape: {shape}. Value shape: {x.shape}."
        )
    new = with_node(write(old, with_node(x, node.strong)), node.strong)
    level = ref.level
    if getattr(new, "__supremum_level__", 0) > level or any(axis.level > level for axis in axes_in_force()):
        kinds = ("differentiated", "a non-differentiated") if type(new) is Dual else ("vmapped", "an unbatched")
        raise ValueError(
            f"performing {'an addupdate' if name == 'addupdate' else 'a set/swap'} operation with {kinds[0]} value on "
            f"{kinds[1]} array reference of type {ref.aval!r}. Move the array reference to be an argument to the function "
            "that is transformed, or make it there."
        )
    ref.store(new)


def _checked(ref: Any, name: str) -> Any:
    if not is_ref(ref):
        raise ValueError(f"Can only call `{name}` on a `Ref`: {ref!r}.")
    return ref


def _is_whole(idx: Any) -> bool:
    return idx is None or idx is Ellipsis or (type(idx) is tuple and not idx)


def _check_bounds(idx: Any, shape: tuple[int, ...]) -> None:
    """Raise ValueError for integers that are no indices."""
    for i, size in zip(idx if type(idx) is tuple else (idx,), shape, strict=False):
        if i is Ellipsis or i is None:
            return
        if isinstance(i, int | np.integer) and not -size <= operator.index(i) < size:
            raise ValueError(f"Out of bound indexer: idx={i}, dim={size}.")


def _shape_of_part(shape: tuple[int, ...], node: Node, idx: Any) -> tuple[int, ...]:
    trace = Trace()
    with traced(trace):
        found: tuple[int, ...] = _getitem(trace.operand(trace, shape, node), idx).shape
    return found


def check_distinct(refs: Sequence[Any], what: str) -> None:
    """Raise ValueError if a reference is given twice."""
    if len({id(ref) for ref in refs}) < len(refs):
        raise ValueError(
            f"only one reference to a mutable array may be passed as an argument to a function, but {what} gets one twice"
        )


def check_no_refs(leaves: Sequence[Any], what: str) -> None:
    """Raise ValueError if a function returns a reference."""
    for x in leaves:
        if type(x) is not Array and is_ref(x):
            raise ValueError(
                f"{what} returned a mutable array reference of type {x.aval!r}, but mutable array references cannot be "
                "returned"
            )


def closed_over(function: Callable[..., Any], operands: Any) -> Callable[..., Any]:
    """Return a function of the leaves of operands that are no references; it refers to these."""
    leaves, structure = _tree.flatten(operands)
    check_distinct([x for x in leaves if is_ref(x)], getattr(function, "__name__", "a function"))

    def call(*others: Any) -> Any:
        rest = iter(others)
        return function(*structure.unflatten([x if is_ref(x) else next(rest) for x in leaves]))

    return call


def plain(operands: Any) -> list[Any]:
    """Return the leaves of operands that are no references."""
    return [x for x in _tree.flatten(operands)[0] if not is_ref(x)]
