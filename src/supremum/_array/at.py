"""``x.at[index]``: updates of an array that return a new one, and reads that do not mind an index out of range, as in JAX.

What differs from JAX, whose compiled scatter computes in the promoted dtype of the whole array: elements that the index does
not name keep their values whatever the dtype of the update, and narrow dtypes accumulate in float32.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from supremum._base.errors import check_callable, shown, stack_level
from supremum._base.key_dtype import keys_of_word
from supremum._base.silence import heard, silent
from supremum._core.array import Array, wrap as wrap_buffer
from supremum._core.conversion import as_array, keep_float64_scalars
from supremum._core.indexing import native_key, select
from supremum._core.settings import state
from supremum._kernels import extremes
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

if TYPE_CHECKING:
    from collections.abc import Callable

    from supremum._kernels.extremes import Extreme

__all__ = ["At", "IndexedUpdate"]

Buffer = np.ndarray[Any, Any]
#: What each mode does with an index out of range, in updates and in reads.
_MODES: Final = {
    None: ("drop", "clip"),
    "clip": ("clip", "clip"),
    "drop": ("drop", "fill"),
    "fill": ("drop", "fill"),
    "promise_in_bounds": ("drop", "clip"),
}


class At:
    """What ``x.at`` gives; index it.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.arange(4)
    >>> x.at[1].set(9)
    Array([0, 9, 2, 3], dtype=int32)
    >>> x.at[xp.asarray([0, 0])].add(1)
    Array([2, 1, 2, 3], dtype=int32)
    """

    __slots__ = ("array",)

    def __init__(self, array: Array) -> None:
        self.array: Array = array

    def __getitem__(self, index: Any) -> IndexedUpdate:
        return IndexedUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"At({self.array!r})"


class IndexedUpdate:
    """What ``x.at[index]`` gives: the updates and reads of these elements.

    All methods take `mode`, which says what becomes of an index out of range: ``"drop"`` and ``"fill"`` ignore such updates
    and read `fill_value`, ``"clip"`` takes the nearest element. By default updates are dropped and reads clipped.
    `wrap_negative_indices` says whether -1 means the last element. `indices_are_sorted`, `unique_indices` and `out_sharding`
    are promises to a compiler, which is not there to use them.
    """

    __slots__ = ("array", "index")

    def __init__(self, array: Array, index: Any) -> None:
        self.array: Array = array
        self.index: Any = index

    def __repr__(self) -> str:
        return f"IndexedUpdate({self.array!r}, {self.index!r})"

    @silent
    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        fill_value: Any = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Read the elements.

        Parameters
        ----------
        indices_are_sorted, unique_indices, out_sharding : optional
            Accepted and of no effect.
        mode : {'clip', 'fill', 'drop', 'promise_in_bounds'}, optional
            What to read out of range: the nearest element by default, `fill_value` for ``'fill'`` and ``'drop'``.
        fill_value : scalar, optional
            By default NaN, the smallest signed integer, the largest unsigned one, or True.
        wrap_negative_indices : bool
            Whether negative indices count from the end.

        Returns
        -------
        Array
            A copy of the elements.

        Examples
        --------
        >>> import supremum as xp
        >>> x = xp.arange(3.0)
        >>> x.at[9].get(), x.at[9].get(mode="fill")
        (Array(2., dtype=float32), Array(nan, dtype=float32))
        """
        data, node = self.array._data, self.array._node
        key, outside = self._key("get", _MODES_OF_READS, mode, wrap=wrap_negative_indices)
        found = np.asarray(select(data, key)).copy()
        if outside is not None:
            found[np.broadcast_to(outside, found.shape)] = _fill(fill_value, node)
        elif fill_value is not None and _MODES_OF_READS[mode] == "fill":
            _fill(fill_value, node)  # one that cannot serve is refused where none is needed, too
        return wrap_buffer(found, node)

    def set(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with the elements replaced; of several values for one element the last one stays.

        Parameters
        ----------
        values : array_like
            What to put there; it is broadcast to the shape of the selection.
        indices_are_sorted, unique_indices, out_sharding : optional
            Accepted and of no effect.
        mode : {'drop', 'fill', 'clip', 'promise_in_bounds'}, optional
            What to do out of range: nothing by default, ``'clip'`` takes the nearest element.
        wrap_negative_indices : bool
            Whether negative indices count from the end.

        Returns
        -------
        Array
            The new array.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.zeros(3).at[1:].set([5, 6])
        Array([0., 5., 6.], dtype=float32)
        """
        return self._update("set", values, mode, wrap=wrap_negative_indices)

    @silent
    def apply(
        self,
        func: Callable[[Array], Any],
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with a function applied to the elements, as often as the index names them.

        Parameters
        ----------
        func : callable
            A function of an array, elementwise, that keeps the dtype.
        indices_are_sorted, unique_indices : optional
            Accepted and of no effect.
        mode, wrap_negative_indices : optional
            As for `set`.

        Returns
        -------
        Array
            The new array.

        Examples
        --------
        >>> import supremum as xp
        >>> xp.arange(3.0).at[1:].apply(xp.negative)
        Array([ 0., -1., -2.], dtype=float32)
        """
        x = self.array
        check_callable(func, "func", "at[...].apply")
        key, outside = self._key("apply", _MODES_OF_UPDATES, mode, wrap=wrap_negative_indices)
        places = np.asarray(np.arange(x.size).reshape(x.shape)[key])
        if outside is not None:
            places = places[~np.broadcast_to(outside, places.shape)]
        out = np.array(x._data, order="C")  # so that `flat` is a view
        flat = out.reshape(-1)
        named, times = np.unique(places, return_counts=True)
        for turn in range(int(times.max(initial=0))):
            again = named[times > turn]
            result = as_array(heard(func, wrap_buffer(flat[again], x._node)))
            if result._data.dtype != out.dtype:
                raise ValueError(f"at[...].apply: the function must keep the dtype {x.dtype}, it returned {result.dtype}")
            flat[again] = result._data
        return wrap_buffer(out, x._node)

    def add(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with values added, all of them where an element is named several times; parameters as for `set`."""
        return self._update("add", values, mode, wrap=wrap_negative_indices)

    def subtract(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with values subtracted; parameters as for `set`."""
        return self._update("subtract", values, mode, wrap=wrap_negative_indices)

    def multiply(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with elements multiplied; parameters as for `set`."""
        return self._update("multiply", values, mode, wrap=wrap_negative_indices)

    mul = multiply

    def divide(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with elements divided, integers as floats as always; parameters as for `set`."""
        from supremum._functions.elementwise.arithmetic import divide

        return divide(self.array, self._ones()._update("multiply", values, mode, wrap=wrap_negative_indices))

    def power(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with elements raised to powers; parameters as for `set`."""
        from supremum._functions.elementwise.arithmetic import power

        raised = power(self.array, self._ones()._update("multiply", values, mode, wrap=wrap_negative_indices))
        # An integer raised to an array of exponents is strong in JAX.
        return wrap_buffer(raised._data, NODES[raised.dtype.name]) if raised._node.kind in "iu" and raised.ndim else raised

    def min(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with elements replaced by smaller values; parameters as for `set`."""
        return self._update("min", values, mode, wrap=wrap_negative_indices)

    def max(
        self,
        values: Any,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: str | None = None,
        out_sharding: Any = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Give the array with elements replaced by larger values; parameters as for `set`."""
        return self._update("max", values, mode, wrap=wrap_negative_indices)

    def _ones(self) -> IndexedUpdate:
        x = self.array
        return IndexedUpdate(wrap_buffer(np.ones_like(x._data), x._node), self.index)

    def _key(self, name: str, modes: dict[Any, str], mode: str | None, *, wrap: bool) -> tuple[Any, Buffer | None]:
        """Give the key for the buffer, and where it was out of range unless such an index means the nearest element."""
        if mode not in modes:
            known = ", ".join(repr(known) for known in modes if known)
            raise ValueError(f"at[...].{name}: mode is one of {known}, got {shown(mode)}")
        key, outside = in_range(native_key(self.index, f"at[...].{name}"), self.array.shape, f"at[...].{name}", wrap=wrap)
        return key, None if modes[mode] == "clip" else outside

    @silent
    def _update(self, name: str, values: Any, mode: str | None, *, wrap: bool) -> Array:
        """Apply one of the updates that combine an element with a value."""
        x = self.array
        key, outside = self._key(name, _MODES_OF_UPDATES, mode, wrap=wrap)
        y = _as_value(values, x)
        compute = _node_of_update(name, x._node, y._node)
        if y.ndim:
            _check_fits(name, x.shape, key, y.shape)
        out = np.array(x._data, order="C")  # so that what is flat is a view
        if outside is not None:
            key, given = _drop(key, outside, out.shape, y._data)
            target = out.reshape(-1)
        else:
            given, target = y._data, out
        if name == "set":
            target[key] = cast(given, x._node)
        else:
            _combine(_UFUNCS[name], target, key, given, x._node, compute)
        return wrap_buffer(out, x._node)


_MODES_OF_UPDATES: Final = {mode: update for mode, (update, _) in _MODES.items()}
_MODES_OF_READS: Final = {mode: read for mode, (_, read) in _MODES.items()}
_UFUNCS: Final[dict[str, np.ufunc | Extreme]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "min": extremes.minimum,
    "max": extremes.maximum,
}


def in_range(key: Any, shape: tuple[int, ...], function: str, *, wrap: bool = True) -> tuple[Any, Buffer | None]:
    """Move the indices of a key into range.

    Parameters
    ----------
    key : object
        A key that `native_key` has passed.
    shape : tuple of int
        The shape of the array.
    function : str
        The name for messages.
    wrap : bool
        Whether negative indices count from the end.

    Returns
    -------
    key : tuple
        The key with every index moved to the nearest one in range.
    outside : numpy.ndarray of bool, or None
        Where an index was not in range, in a shape that broadcasts to that of the selection; None where all were.
    """
    if type(key) is int and shape and -shape[0] * wrap <= key < shape[0]:
        return key, None
    parts: list[Any] = []
    masks: list[Buffer] = []
    axis = 0
    for part in _expanded(key if isinstance(key, tuple) else (key,), shape, function):
        if _is_sliced(part):
            parts.append(part)
            axis += isinstance(part, slice)
        elif _is_mask(part):
            _check_mask(part, shape, axis, function)
            parts.extend(np.nonzero(part) if part.ndim else [bool(part)])
            masks.append(np.zeros(np.count_nonzero(part), np.bool_))
            axis += part.ndim
        else:
            index, beyond = _one_in_range(_index_of(part, function), shape, axis, function, wrap=wrap)
            parts.append(index)
            masks.append(beyond)
            axis += 1
    try:
        outside = np.asarray(np.logical_or.reduce(np.broadcast_arrays(*masks))) if masks else None
    except ValueError:
        shapes = [mask.shape for mask in masks]
        raise ValueError(f"{function}: index arrays of the shapes {shapes} cannot be broadcast together") from None
    return tuple(parts), _placed(outside, parts) if outside is not None and outside.any() else None


def _is_sliced(part: Any) -> bool:
    return part is None or part is ... or isinstance(part, slice)


def _is_mask(part: Any) -> bool:
    return isinstance(part, bool | np.bool_) or (isinstance(part, np.ndarray) and part.dtype == np.bool_)


def _expanded(key: tuple[Any, ...], shape: tuple[int, ...], function: str) -> list[Any]:
    """Replace the ellipsis of a key by slices, so that the parts stand for all axes.

    An ellipsis that stands for no axis stays, because index arrays on both sides of it do not stand together.
    """
    parts = [np.asarray(part) if _is_mask(part) else part for part in key]
    ellipses = [position for position, part in enumerate(parts) if part is ...]
    if len(ellipses) > 1:
        raise IndexError(f"{function}: an index has at most one ellipsis, got {len(ellipses)}")
    axes = sum(part.ndim if _is_mask(part) else part is not None and part is not ... for part in parts)
    if axes > len(shape):
        raise IndexError(f"{function}: {axes} indices are too many for an array of shape {shape}")
    missing = len(shape) - axes
    if ellipses and not missing:
        return parts
    here = ellipses[0] if ellipses else len(parts)
    return [*parts[:here], *[slice(None)] * missing, *parts[here + 1 :]]


def _check_mask(mask: Buffer, shape: tuple[int, ...], axis: int, function: str) -> None:
    if mask.shape != shape[axis : axis + mask.ndim]:
        raise IndexError(f"{function}: a mask of shape {mask.shape} does not fit the axes from {axis} on of shape {shape}")


def _index_of(part: Any, function: str) -> Any:
    """Give an index, or several, as 64-bit integers."""
    try:
        return np.asarray(part, np.int64)
    except OverflowError:
        raise IndexError(f"{function}: no array has an element {shown(part)}") from None


def _one_in_range(
    index: Buffer, shape: tuple[int, ...], axis: int, function: str, *, wrap: bool
) -> tuple[int | Buffer, Buffer]:
    """Give an index moved to the nearest one in range, and where it was not."""
    length = shape[axis]
    if not length and index.size:
        raise IndexError(f"{function}: axis {axis} of shape {shape} has no elements to index")
    if wrap:
        index = np.where(index < 0, index + length, index)
    nearest = np.clip(index, 0, max(length - 1, 0))
    return (nearest if index.ndim else int(nearest)), np.asarray(nearest != index)


def _placed(outside: Buffer, parts: list[Any]) -> Buffer:
    """Give a mask in the shape of the index arrays a shape that broadcasts to that of the selection."""
    sliced = [_is_sliced(part) for part in parts]
    first, last = sliced.index(False), len(sliced) - sliced[::-1].index(False)
    # Index arrays that stand together give their axes in their place, others in front. Integers alone give none.
    together = not any(sliced[first:last]) and any(isinstance(part, np.ndarray) for part in parts)
    axes = [part is not ... for part, is_sliced in zip(parts, sliced, strict=True) if is_sliced]
    behind = sum(axes[first:] if together else axes)
    return outside.reshape(outside.shape + (1,) * behind)


def _drop(key: Any, outside: Buffer, shape: tuple[int, ...], values: Buffer) -> tuple[Buffer, Buffer]:
    """Give the flat positions that are in range, and their values."""
    places = np.asarray(np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)[key])
    inside = ~np.broadcast_to(outside, places.shape)
    return places[inside], np.broadcast_to(values, places.shape)[inside]


def _check_fits(name: str, shape: tuple[int, ...], key: Any, given: tuple[int, ...]) -> None:
    """Refuse values that cannot be broadcast to the selection."""
    wanted = select(np.broadcast_to(np.zeros((), np.bool_), shape), key).shape
    tail = wanted[len(wanted) - len(given) :]
    if len(given) > len(wanted) or any(have not in (1, want) for have, want in zip(given, tail, strict=True)):
        raise ValueError(f"at[...].{name}: values of shape {given} cannot be broadcast to the selection's shape {wanted}")


def _node_of_update(name: str, own: Node, given: Node) -> Node:
    """Give the node to compute an update in; warn where the array cannot hold what values of `given` may make of it."""
    here = state()
    if "k" in (own.kind, given.kind):
        if name != "set":
            raise TypeError(f"at[...].{name}: keys have no arithmetic; use .set")
        return here.join(own, given, name)
    strong = NODES[own.dtype.name] if own.dtype is not None else own
    met = here.join(strong, given, name)
    if met.dtype != own.dtype:
        warnings.warn(
            f"scatter inputs have incompatible types: at[...].{name} cannot safely cast values of dtype {given.dtype} to the "
            f"array's dtype {own.dtype}; cast them first with .astype('{own.dtype}'), this will become an error",
            FutureWarning,
            stacklevel=stack_level(),
        )
    if given.kind == "c" and own.kind not in "cb":
        warnings.warn(
            f"at[...].{name}: complex values lose their imaginary part in an array of dtype {own.dtype}",
            np.exceptions.ComplexWarning,
            stacklevel=stack_level(),
        )
    if met.kind == "b" and name in ("add", "subtract", "multiply"):
        raise TypeError(f"at[...].{name}: bools have no arithmetic; use .set, .min or .max, or cast to an integer dtype")
    return met


def _combine(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, values: Buffer, own: Node, compute: Node) -> None:
    """Combine elements of `target` with values, in a dtype in which no term is lost."""
    wide = compute if compute.native else NODES[_WIDE[compute.kind]]
    # Integers wrap to the dtype of the update first: 300 is -4 to an int4, and no larger than its other values.
    operand = cast(cast(values, compute) if compute.kind in "iu" else values, wide)
    if wide.dtype == target.dtype:
        _apply(ufunc, target, key, operand)
        return
    work = cast(target, wide, copy=True)
    _apply(ufunc, work, key, operand)
    target[key] = cast(cast(np.asarray(work[key]), compute), own)


#: What narrow dtypes accumulate in.
_WIDE: Final = {"f": "float32", "c": "complex64", "i": "int8", "u": "uint8"}


def _apply(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, operand: Buffer) -> None:
    if isinstance(key, np.ndarray) or (isinstance(key, tuple) and any(isinstance(part, np.ndarray | bool) for part in key)):
        ufunc.at(target, key, operand)
    else:
        parts = key if isinstance(key, tuple) else (key,)
        view = target[parts if ... in parts else (*parts, ...)]  # a view, even of a single element
        ufunc(view, operand, out=view)


def _fill(value: Any, node: Node) -> Any:
    """Give what a read out of range gives."""
    if node.kind == "k" and not hasattr(value, "_node"):
        return keys_of_word(_fill(value, NODES["uint32"]))
    if value is None:
        value = {"b": True, "f": np.nan, "c": np.nan}.get(node.kind)
        if node.kind in "iu":
            value = -(1 << (node.bits - 1)) if node.kind == "i" else (1 << node.bits) - 1
            return np.asarray(value, np.int8 if node.bits < 8 else None).astype(node.dtype)
    if type(value) is int:
        return _fill_of_integer(value, node)
    fill = as_array(value)
    if fill.ndim:
        raise ValueError(f"at[...].get: fill_value must be a scalar, got shape {fill.shape}")
    if fill._node.kind == "c" and node.kind not in "cb":
        raise TypeError(f"at[...].get: the complex fill_value {value!r} cannot become {node.dtype}; take its real part")
    return cast(np.asarray(value) if type(value) in (float, complex) else fill._data, node)


def _fill_of_integer(value: int, node: Node) -> Buffer:
    """Give the fill value of a Python integer; of integer arrays, modulo the width, for 64-bit integers and no larger ones."""
    if -(1 << 63) <= value < 1 << 64:
        return cast(np.asarray(value), node)
    if node.kind in "iu":
        raise OverflowError(f"at[...].get: the fill_value {value} is too large for a 64-bit integer and for {node.dtype}")
    try:
        return cast(np.asarray(float(value)), node)
    except OverflowError:
        raise OverflowError(f"at[...].get: the fill_value {shown(value)} is too large for {node.dtype}") from None


def _as_value(values: Any, x: Array) -> Array:
    """Give the Array of the values of an update.

    A Python integer that the dtype of `x` holds is one of that dtype, whatever the default integer dtype holds.
    """
    node = x._node
    if isinstance(values, int) and node.kind in "iu":
        low = -(1 << (node.bits - 1)) if node.kind == "i" else 0
        if low <= values < low + (1 << node.bits):
            return wrap_buffer(
                np.asarray(int(values), np.int8 if node.bits < 8 else node.dtype).astype(node.dtype),
                NODES[node.name.rstrip("*")],
            )
    y = as_array(values)
    return _with_digits(values, y, x) if type(values) in (float, complex) else y


def _with_digits(values: Any, y: Array, x: Array) -> Array:
    return keep_float64_scalars((x, values), [x, y])[1]
