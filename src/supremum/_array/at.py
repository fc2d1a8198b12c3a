"""``x.at[index]``: updates that return a new array, and reads that accept indices out of range, as in JAX.

Unlike in JAX, whose compiled scatter computes in the promoted dtype of the whole array, elements that are not selected by the
index keep their values whatever the dtype of the update, and narrow dtypes accumulate in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from types import EllipsisType, FunctionType
from typing import TYPE_CHECKING, Any, Final, Literal, SupportsIndex, TypeAlias, TypeVar, cast as as_type

import numpy as np

from supremum import _names
from supremum._base.boundary import hinting, traceless
from supremum._base.buffers import Buffer
from supremum._base.exceptions import check_callable, describe, warn, with_function_name
from supremum._base.facts import Facts
from supremum._base.frames import as_it_is
from supremum._base.functions import takes_over, without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core import engine
from supremum._core.array import Array, ArrayLike, NestedArrayLike, SupportsArray, wrap as wrap_buffer
from supremum._core.conversion import as_array, convert, keep_float64_scalars
from supremum._core.index_keys import fill_for, native_key, select
from supremum._core.operators import OPERATIONS
from supremum._core.settings import state
from supremum._kernels import extremes
from supremum._kernels.bounds import update_at
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES, Node

if TYPE_CHECKING:
    from supremum._kernels.extremes import Extreme

Update = TypeVar("Update", bound=Callable[..., Array])
Mode: TypeAlias = Literal["clip", "drop", "fill", "promise_in_bounds"] | None
#: What selects elements of an array.
Index: TypeAlias = SupportsIndex | slice | EllipsisType | SupportsArray | np.ndarray[Any, Any] | tuple[Any, ...] | None
#: For each mode, what happens to indices out of range in updates and in reads.
_WRITES: Final[dict[Any, str]] = {None: "drop", "clip": "clip", "drop": "drop", "fill": "drop", "promise_in_bounds": "drop"}
_READS: Final[dict[Any, str]] = {None: "clip", "clip": "clip", "drop": "fill", "fill": "fill", "promise_in_bounds": "clip"}
#: The ufunc of each update that computes; a quotient or a power is computed from the product of the values for each element.
_UFUNCS: Final[dict[str, np.ufunc | Extreme]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.multiply, "power": np.multiply,
    "min": extremes.minimum, "max": extremes.maximum,
}  # fmt: skip
#: The updates that have a fast path, with the operator whose plans it uses.
FAST: Final = {"add": "add", "subtract": "subtract", "multiply": "multiply", "max": "maximum", "min": "minimum"}


def _like(update: Update, name: str, summary: str) -> Update:
    """Return the update of another name, with the signature and the parameters of `update`, which is `set`."""

    def _method(
        self: IndexedUpdate,
        values: NestedArrayLike,
        *,
        indices_are_sorted: bool = False,  # noqa: ARG001 - a promise to a compiler, as in JAX
        unique_indices: bool = False,
        mode: Mode = None,
        out_sharding: object = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        return self._update(name, values, mode, wrap=wrap_negative_indices, unique=unique_indices)

    sections = (update.__doc__ or "").partition("\n\n")[2].partition("        Examples\n")[0]
    _method.__name__, _method.__qualname__ = name, f"IndexedUpdate.{name}"
    _method.__doc__ = f"{summary}\n\n{sections}" if sections else None
    return as_type(Update, _method)


class IndexedUpdate:
    """The value of ``x.at[index]``: updates and reads of the selected elements.

    All methods take `mode`, the treatment of indices out of range: ``"drop"`` and ``"fill"`` ignore such updates and read
    `fill_value`, ``"clip"`` selects the nearest element. By default updates are dropped and reads clipped. If
    `wrap_negative_indices` is true, -1 means the last element. With `unique_indices`, products have derivatives by values for
    indices that are not known, too. `indices_are_sorted` and `out_sharding` are accepted for compatibility with JAX; they have
    no effect.
    """

    # The slots of the engine's class, which the methods are attached to.
    array: Array
    index: Index

    def __repr__(self) -> str:
        return f"IndexedUpdate({self.array!r}, {self.index!r})"

    def get(
        self,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Mode = None,
        fill_value: ArrayLike | None = None,
        out_sharding: object = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Read the elements.

        Parameters
        ----------
        indices_are_sorted, unique_indices, out_sharding : optional
            Accepted for compatibility with JAX; they have no effect.
        mode : {'clip', 'fill', 'drop', 'promise_in_bounds'}, optional
            What to read for indices out of range: the nearest element by default, `fill_value` for ``'fill'`` and ``'drop'``.
        fill_value : scalar, optional
            By default NaN, the least signed integer, the greatest unsigned one, or True.
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
        options = _given(mode=mode, fill_value=fill_value, wrap_negative_indices=wrap_negative_indices)
        return GET(self.array, self.index, **options)

    @without_float_warnings
    def _got(self, mode: Mode, fill_value: ArrayLike | None, *, wrap: bool) -> Array:
        data, node = self.array._data, self.array._node
        key, outside = self._key("get", _READS, mode, wrap=wrap)
        found = np.asarray(select(data, key)).copy()
        if outside is not None:
            found[np.broadcast_to(outside, found.shape)] = _fill(fill_value, node)
        elif fill_value is not None and _READS[mode] == "fill":
            _fill(fill_value, node)  # raises for a value that cannot be used, even if none is needed
        return wrap_buffer(found, node)

    def set(
        self,
        values: NestedArrayLike,
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Mode = None,
        out_sharding: object = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Return the array with elements replaced; of several values for one element, the last one is used.

        Parameters
        ----------
        values : array_like or nested sequence of array_like
            The values, broadcast to the shape of the selection.
        indices_are_sorted, unique_indices, out_sharding : optional
            Accepted for compatibility with JAX; they have no effect.
        mode : {'drop', 'fill', 'clip', 'promise_in_bounds'}, optional
            What to do for indices out of range: nothing by default, ``'clip'`` selects the nearest element.
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

    add = _like(set, "add", "Return the array with values added; elements selected several times get the sum of their values.")
    subtract = _like(set, "subtract", "Return the array with values subtracted.")
    multiply = _like(set, "multiply", "Return the array with elements multiplied by values.")
    mul = multiply
    divide = _like(set, "divide", "Return the array with elements divided by values; integers become floats.")
    power = _like(set, "power", "Return the array with elements raised to powers.")
    min = _like(set, "min", "Return the array with the minimum of elements and values.")
    max = _like(set, "max", "Return the array with the maximum of elements and values.")

    @without_float_warnings
    def apply(
        self,
        func: Callable[[Array], ArrayLike],
        *,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        mode: Mode = None,
        wrap_negative_indices: bool = True,
    ) -> Array:
        """Return the array with a function applied to the elements, once for each time that the index selects them.

        Parameters
        ----------
        func : callable
            A function of an array, elementwise, that keeps the dtype.
        indices_are_sorted, unique_indices : optional
            Accepted for compatibility with JAX; they have no effect.
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
        check_callable(func, "func", "at[...].apply")
        options = _given(mode=mode, wrap_negative_indices=wrap_negative_indices)
        return APPLY(self.array, self.index, func, **options)

    def _update(self, name: str, values: object, mode: object, *, wrap: bool, unique: bool = False) -> Array:
        """Apply an update of the table, as the function that guests see."""
        options = _given(mode=mode, wrap_negative_indices=wrap, unique_indices=unique or None)
        return UPDATES[name](self.array, self.index, values, **options)

    def _updated(self, name: str, values: object, mode: object, *, wrap: bool) -> Array:
        x = self.array
        if mode is None and wrap and name in _PLAIN_UPDATES:
            found = _plain_update(_PLAIN_UPDATES[name], x, self.index, values)
            if found is not None:
                return found
        if name not in ("divide", "power"):
            return self._scatter(name, values, mode, wrap=wrap)
        factors = wrap_buffer(np.ones_like(x._data), x._node).at[self.index]
        result: Array = getattr(_names, name)(x, factors._scatter(name, values, mode, wrap=wrap))
        # The power of an integer array is strong in JAX, unless it has no axes.
        if name == "power" and result._node.kind in "iu" and result.ndim:
            return wrap_buffer(result._data, result._node.strong)
        return result

    def _key(self, name: str, modes: dict[object, str], mode: object, *, wrap: bool) -> tuple[Any, Buffer | None]:
        """Return the key for the buffer, and a mask of what was out of range unless that means the nearest element."""
        if mode not in modes:
            known = ", ".join(repr(known) for known in modes if known)
            raise ValueError(f"at[...].{name}: mode must be one of {known}, got {describe(mode)}")
        function = f"at[...].{name}"
        key, outside = in_range(native_key(self.index, function), self.array._data.shape, function, wrap=wrap)
        return key, None if modes[mode] == "clip" else outside

    @without_float_warnings
    def _scatter(self, name: str, values: object, mode: object, *, wrap: bool) -> Array:
        """Replace elements by values, or combine them by the ufunc of an update."""
        x = self.array
        key, outside = self._key(name, _WRITES, mode, wrap=wrap)
        try:
            y = _as_value(values, x)
            compute = _node_of_update(name, x._node, y._node)
        except (TypeError, ValueError, OverflowError) as error:
            raise with_function_name(error, f"at[...].{name}") from None
        if y._data.ndim:
            _check_fits(name, x.shape, key, y.shape)
        out = np.array(x._data, order="C")  # so that a flat view is possible
        if outside is not None:
            key, given = _drop(key, outside, out.shape, y._data)
            target = out.reshape(-1)
        else:
            given, target = y._data, out
        try:
            if name == "set":
                target[key] = cast(given, x._node)
            else:
                _combine(_UFUNCS[name], target, key, given, x._node, compute)
        except ValueError as error:  # of a slice whose step is 0
            raise with_function_name(error, f"at[...].{name}") from None
        return wrap_buffer(out, x._node)


def _given(**options: Any) -> dict[str, Any]:
    """Return the options that are not their defaults."""
    return {name: value for name, value in options.items() if value is not (True if name.startswith("wrap") else None)}


def _update_function(name: str) -> engine.Function:
    """Return the function that an update is."""

    def update(
        x: Array, index: Index, values: object, mode: object = None, wrap_negative_indices: bool = True,
        unique_indices: bool = False,  # noqa: ARG001 - which derivatives read
    ) -> Array:  # fmt: skip
        return x.at[index]._updated(name, values, mode, wrap=wrap_negative_indices)

    update.__name__ = update.__qualname__ = f"at_{name}"
    update.__doc__ = f"What ``x.at[index].{name}(values)`` is."
    return engine.Function(update, name=f"at_{name}", kind="update")


def _get(
    x: Array, index: Index, mode: Mode = None, fill_value: ArrayLike | None = None, wrap_negative_indices: bool = True
) -> Array:
    """What ``x.at[index].get()`` is."""
    return x.at[index]._got(mode, fill_value, wrap=wrap_negative_indices)


def _applied(x: Any, index: Index, func: Callable[..., Any], mode: Mode = None, wrap_negative_indices: bool = True) -> Any:
    """What ``x.at[index].apply(func)`` is, in public functions: operands that take over may be in `x`, or come of `func`."""
    names: Any = _names
    places = wrap_buffer(np.arange(math.prod(x.shape)).reshape(x.shape), NODES["int64"])
    key, outside = places.at[index]._key("apply", _WRITES, mode, wrap=wrap_negative_indices)
    chosen = np.asarray(places._data[key])
    if outside is not None:
        chosen = chosen[~np.broadcast_to(outside, chosen.shape)]
    selected, counts = np.unique(chosen, return_counts=True)
    if not selected.size:
        return names.copy(x)
    flat = names.reshape(x, (-1,))
    for done in range(int(counts.max())):
        remaining = selected[counts > done]
        result = call_user_code(func, flat[remaining])
        found = result if takes_over(result) else as_array(result)
        if getattr(found, "dtype", x.dtype) != x.dtype:
            raise ValueError(f"at[...].apply: the function must keep the dtype {x.dtype}, it returned {found.dtype}")
        flat = flat.at[remaining].set(found)
    return names.reshape(flat, x.shape)


GET: Final = engine.Function(_get, name="at_get", kind="index")
#: The function of ``apply``, which guests look through.
APPLY: Final = engine.Function(_applied, name="at_apply", kind="composed", handler=as_it_is)
#: The function of each update, by its name.
UPDATES: Final[dict[str, Any]] = {name: _update_function(name) for name in ("set", *_UFUNCS)}
UPDATES["set"].facts = Facts(operands="x values", moving=True)
#: The updates by NumPy's ufuncs alone.
_PLAIN_UPDATES: Final = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply}


@without_float_warnings
def _plain_update(ufunc: np.ufunc, x: Array, index: Any, values: Any) -> Array | None:
    """Combine elements at a slice with values of one node, or a number; None if that is not so."""
    node, settings = x._node, state()
    if type(index) is not slice or not (
        node.native and node.kind in "iufc" and not node.weak and node.wide is node and settings.remember
    ):
        return None
    if type(values) is Array and values._node is node and settings.truncate(node) is node:
        operand: Any = values._data
    elif type(values) is float and node.kind == "f":
        operand = x._data.dtype.type(values)
    else:
        return None
    out = np.array(x._data, order="C")
    try:
        view = out[index]
        ufunc(view, operand, out=view)
    except ValueError:
        return None  # of shapes that do not fit
    return wrap_buffer(out, node)


def _without_index(_at: Any, name: str) -> Any:
    update = name if name in MEMBERS else "set"
    raise AttributeError(f"'Array.at' object has no attribute {name!r}: index it, as in x.at[index].{update}(...)")


def _assigned(_at: Any, _index: Any, _values: Any) -> None:
    raise TypeError("x.at[index] cannot be assigned to: write x = x.at[index].set(values), which returns a new array")


#: What the engine's class of ``x.at`` gets.
AT_MEMBERS: Final = {"__getattr__": traceless(_without_index), "__setitem__": traceless(_assigned)}
#: What the engine's class of ``x.at[index]`` gets.
MEMBERS: Final[dict[str, Any]] = {
    **{
        name: member if name[0] == "_" != name[1] else traceless(member)  # private ones run within public ones
        for name, member in vars(IndexedUpdate).items()
        if isinstance(member, FunctionType)
    },
    "set": engine.Function(IndexedUpdate.set, "set", handler=hinting(IndexedUpdate.set)),
    **{
        name: engine.Function(update, f"at.{name}", OPERATIONS[operator].engine, handler=hinting(update))
        for name, operator in FAST.items()
        for update in (getattr(IndexedUpdate, name),)
    },
    "__doc__": IndexedUpdate.__doc__,
}
MEMBERS["mul"] = MEMBERS["multiply"]
if not TYPE_CHECKING:
    IndexedUpdate = engine.IndexedUpdate


def in_range(key: Any, shape: tuple[int, ...], function: str, *, wrap: bool = True) -> tuple[Any, Buffer | None]:
    """Clip the indices of a key to their range.

    Parameters
    ----------
    key : object
        The result of `native_key`.
    shape : tuple of int
        The shape of the array.
    function : str
        The name for messages.
    wrap : bool
        Whether negative indices count from the end.

    Returns
    -------
    key : tuple
        The key with every index clipped.
    outside : numpy.ndarray of bool, or None
        A mask of indices that were out of range, in a shape that broadcasts to that of the selection; None if there are none.
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
            if part.shape != shape[axis : axis + part.ndim]:
                raise IndexError(
                    f"{function}: a mask of shape {part.shape} does not fit the axes from {axis} on of shape {shape}"
                )
            parts.extend(np.nonzero(part) if part.ndim else [bool(part)])
            masks.append(np.zeros(np.count_nonzero(part), np.bool_))
            axis += part.ndim
        else:
            index, beyond = _one_in_range(_index_of(part, function), shape, axis, function, wrap=wrap)
            parts.append(index)
            masks.append(beyond)
            axis += 1
    try:
        outside = np.asarray(reduce(np.logical_or, masks)) if masks else None
    except ValueError:
        shapes = [mask.shape for mask in masks]
        raise ValueError(f"{function}: index arrays of the shapes {shapes} cannot be broadcast together") from None
    return tuple(parts), _placed(outside, parts) if outside is not None and outside.any() else None


def _is_sliced(part: Any) -> bool:
    return part is None or part is ... or isinstance(part, slice)


def _is_mask(part: Any) -> bool:
    return isinstance(part, bool | np.bool_) or (isinstance(part, np.ndarray) and part.dtype == np.bool_)


def _expanded(key: tuple[Any, ...], shape: tuple[int, ...], function: str) -> list[Any]:
    """Replace the ellipsis of a key by slices, so that the key has a part for each axis.

    An ellipsis for no axis is kept, because it separates the index arrays on its sides.
    """
    parts = [np.array(part) if _is_mask(part) else part for part in key]  # masks are read twice: see `_kernels/bounds.py`
    ellipses = [position for position, part in enumerate(parts) if part is ...]
    if len(ellipses) > 1:
        raise IndexError(f"{function}: an index must have at most one ellipsis, got {len(ellipses)}")
    axes = sum(part.ndim if _is_mask(part) else part is not None and part is not ... for part in parts)
    if axes > len(shape):
        raise IndexError(f"{function}: {axes} indices are too many for an array of shape {shape}")
    missing = len(shape) - axes
    if ellipses and not missing:
        return parts
    end = ellipses[0] if ellipses else len(parts)
    return [*parts[:end], *[slice(None)] * missing, *parts[end + 1 :]]


def _index_of(part: object, function: str) -> Buffer:
    """Convert an index, or an array of them, to 64-bit integers."""
    try:
        return np.asarray(part, np.int64)
    except OverflowError:
        raise IndexError(f"{function}: no array has an element {describe(part)}") from None


def _one_in_range(
    index: Buffer, shape: tuple[int, ...], axis: int, function: str, *, wrap: bool
) -> tuple[int | Buffer, Buffer]:
    """Return an index clipped to its range, and a mask of what was out of range."""
    length = shape[axis]
    if not length and index.size:
        raise IndexError(f"{function}: axis {axis} of shape {shape} has no elements to index")
    if not index.ndim:
        place = int(index)
        place += length if wrap and place < 0 else 0
        return min(max(place, 0), max(length - 1, 0)), np.asarray(not 0 <= place < length)
    if wrap:
        index = np.where(index < 0, index + length, index)
    nearest = np.minimum(np.maximum(index, 0), max(length - 1, 0))
    return nearest, np.asarray(nearest != index)


def _placed(outside: Buffer, parts: list[Any]) -> Buffer:
    """Reshape a mask from the shape of the index arrays to one that broadcasts to the shape of the selection."""
    sliced = [_is_sliced(part) for part in parts]
    first, last = sliced.index(False), len(sliced) - sliced[::-1].index(False)
    # Adjacent index arrays put their axes in their place, separated ones in front; integers alone have no axes.
    adjacent = not any(sliced[first:last]) and any(isinstance(part, np.ndarray) for part in parts)
    axes = [part is not ... for part, is_sliced in zip(parts, sliced, strict=True) if is_sliced]
    return outside.reshape(outside.shape + (1,) * sum(axes[first:] if adjacent else axes))


def _drop(key: Any, outside: Buffer, shape: tuple[int, ...], values: Buffer) -> tuple[Buffer, Buffer]:
    """Return the flat positions that are in range, and their values."""
    positions = np.asarray(np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)[key])
    inside = ~np.broadcast_to(outside, positions.shape)
    return positions[inside], np.broadcast_to(values, positions.shape)[inside]


def _check_fits(name: str, shape: tuple[int, ...], key: Any, given: tuple[int, ...]) -> None:
    """Refuse values that cannot be broadcast to the selection."""
    wanted = select(np.broadcast_to(np.zeros((), np.bool_), shape), key).shape
    tail = wanted[len(wanted) - len(given) :]
    if len(given) > len(wanted) or any(have not in (1, want) for have, want in zip(given, tail, strict=True)):
        raise ValueError(f"at[...].{name}: values of shape {given} cannot be broadcast to the selection's shape {wanted}")


def _node_of_update(name: str, own: Node, given: Node) -> Node:
    """Return the node to compute an update in; warn if it is not the array's own."""
    settings = state()
    if "k" in (own.kind, given.kind):
        if name != "set":
            raise TypeError(f"at[...].{name}: keys have no arithmetic; use .set")
        return settings.join(own, given, name)
    joined = settings.join(own.strong, given, name)
    if joined.dtype != own.dtype:
        warn(
            f"scatter inputs have incompatible types: at[...].{name} cannot safely cast values of dtype {given.dtype} to the "
            f"array's dtype {own.dtype}; cast them first with asarray(values).astype('{own.dtype}'), this will become "
            "an error",
            FutureWarning,
        )
    if given.kind == "c" and own.kind not in "cb":
        warn(
            f"at[...].{name}: complex values lose their imaginary part in an array of dtype {own.dtype}",
            np.exceptions.ComplexWarning,
        )
    if joined.kind == "b" and name not in ("set", "min", "max"):
        raise TypeError(f"at[...].{name}: bools have no arithmetic; use .set, .min or .max, or cast to an integer dtype")
    return joined


def _combine(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, values: Buffer, own: Node, compute: Node) -> None:
    """Combine elements of `target` with values, in a dtype in which no term is lost."""
    wide = compute.wide
    # Integers wrap to the dtype of the update first: 300 becomes -4 as int4, and is compared as such.
    operand = cast(cast(values, compute) if compute.kind in "iu" else values, wide)
    if wide.dtype == target.dtype:
        _apply(ufunc, target, key, operand)
        return
    work = cast(target, wide, copy=True)
    _apply(ufunc, work, key, operand)
    target[key] = cast(cast(np.asarray(work[key]), compute), own)


def _apply(ufunc: np.ufunc | Extreme, target: Buffer, key: Any, operand: Buffer) -> None:
    """Apply a ufunc in place, once for each time that an index array selects an element."""
    if isinstance(key, tuple) and len(key) == 1:
        [key] = key
    if isinstance(key, np.ndarray | bool) or (
        isinstance(key, tuple) and any(isinstance(part, np.ndarray | bool) for part in key)
    ):
        update_at(ufunc, target, key, operand)
    else:
        parts = key if isinstance(key, tuple) else (key,)
        view = target[parts if ... in parts else (*parts, ...)]  # a view, even of a single element
        ufunc(view, operand, out=view)


def _fill(value: object, node: Node) -> Buffer:
    """Return the 0-d buffer of a fill value."""
    if value is not None and type(value) is not int:
        fill = as_array(value)
        if fill.ndim:
            raise ValueError(f"at[...].get: fill_value must be a scalar, got shape {fill.shape}")
        if fill._node.kind == "c" and node.kind not in "cb":
            raise TypeError(f"at[...].get: the complex fill_value {value!r} cannot become {node.dtype}; take its real part")
    return fill_for(node, value, "at[...].get")


def _as_value(values: Any, x: Array) -> Array:
    """Convert the values of an update to an Array.

    A Python integer that the dtype of `x` holds gets that dtype, even if the default integer dtype cannot hold it.
    """
    node = x._node
    if isinstance(values, int) and node.kind in "iu" and node.low <= values <= node.high:
        return wrap_buffer(np.asarray(int(values), node.wide.dtype).astype(node.dtype), node.strong)
    y = convert(values, None, state())
    return keep_float64_scalars((x, values), [x, y])[1] if type(values) in (float, complex) else y
