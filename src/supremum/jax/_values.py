"""Trees of arrays: conversion of their leaves, and their shapes and dtypes without elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from itertools import accumulate
from typing import Any, Final, TypeAlias

import numpy as np

import supremum as xp
from supremum import Array
from supremum._array.sharding import Shaped
from supremum._base.exceptions import describe
from supremum._base.functions import takes_over
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum.dtypes import prng_key
from supremum.jax import _tree
from supremum.jax._batching import Batched, with_node, wraps as wraps
from supremum.promotion._nodes import as_node

#: What JAX calls so: objects of other libraries are none, and libraries have arguments checked by it as the program runs.
ArrayLike: TypeAlias = Array | np.ndarray | np.bool_ | np.number | bool | int | float | complex
#: The dtype of derivatives of integers: no elements.
float0: Final = np.dtype([("float0", np.void, 0)])
#: Bytes from which on `eval_shape` does not allocate zeros.
_LARGE: Final = 1 << 30


class finfo(xp.finfo):
    """Limits of a floating-point dtype, as in JAX scalars of NumPy's of the dtype, which are not weak."""

    __slots__ = ()

    def _number(self, value: Any) -> Any:
        return value


class ShapeDtypeStruct(Shaped):
    """The shape and the dtype of an array, without elements."""

    __slots__ = ("dtype", "is_ref", "shape", "sharding", "weak_type")

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        *,
        sharding: Any = None,
        weak_type: bool = False,
        vma: object = None,
        is_ref: bool = False,
    ) -> None:
        if dtype is None:
            raise ValueError("ShapeDtypeStruct: dtype must be specified.")
        self.shape = tuple(shape)
        self.dtype = xp.dtype(dtype) if not hasattr(dtype, "itemsize") or isinstance(dtype, type) else dtype
        self.sharding = sharding
        self.weak_type = weak_type
        self.is_ref = is_ref

    @classmethod
    def like(cls, x: Any) -> ShapeDtypeStruct:
        """Return the shape and the dtype of an array."""
        x = x if hasattr(x, "shape") and hasattr(x, "dtype") else xp.asarray(x)
        return cls(x.shape, x.dtype, weak_type=bool(getattr(x, "weak_type", False)))

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """Return a copy with some attributes changed."""
        kept = {"shape": self.shape, "dtype": self.dtype, "sharding": self.sharding, "weak_type": self.weak_type}
        return ShapeDtypeStruct(**{**kept, **changes})

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={getattr(self.dtype, 'name', self.dtype)}{weak})"

    def __eq__(self, other: object) -> bool:
        mine = (self.shape, self.dtype, self.weak_type)
        return isinstance(other, ShapeDtypeStruct) and mine == (other.shape, other.dtype, other.weak_type)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.weak_type))


def is_float0(x: Any) -> bool:
    """Return whether a value is a derivative of integers: an array of NumPy's without elements."""
    return isinstance(x, np.ndarray) and x.dtype == float0


def is_ref(x: Any) -> bool:
    """Return whether a value is a reference to an array: see `_refs`."""
    return getattr(type(x), "is_ref", False) is True


def as_leaf(x: Any) -> Array:
    """Return a leaf as an Array, references and derivatives of integers as they are; raise TypeError for what is no array."""
    if type(x) is Array or type(x) is Batched or takes_over(x):
        return x  # pyright: ignore[reportReturnType]  # a batch is as an array
    if is_ref(x):
        return x  # where no reference is meant, functions raise TypeError
    if isinstance(x, str | bytes | list | tuple | dict) or x is None:
        raise TypeError(f"Value {describe(x)} with type {type(x)} is not a valid JAX type")
    try:
        return xp.asarray(x)
    except (TypeError, ValueError):
        if is_float0(x):
            return x
        raise TypeError(f"Value {describe(x)} with type {type(x)} is not a valid JAX type") from None


def is_value(x: Any) -> bool:
    """Return whether a leaf is an array or a number."""
    try:
        as_leaf(x)
    except TypeError:
        return False
    return True


def items_of(given: Any) -> tuple[Any, ...]:
    """Return one item, such as a name, or those of a sequence, as a tuple; None has none."""
    return () if given is None else (given,) if isinstance(given, str) or not np.iterable(given) else tuple(given)


def as_leaves(tree: Any) -> tuple[list[Array], _tree.PyTreeDef]:
    """Return the leaves of a tree as Arrays, and its structure."""
    if type(tree) is Array or type(tree) is Batched:
        return [tree], _tree.LEAF  # type: ignore[list-item]  # a batch is as an array
    leaves, structure = _tree.flatten(tree)
    return [leaf if type(leaf) is Array else as_leaf(leaf) for leaf in leaves], structure


def zeros_of(x: Any) -> Any:
    """Return an array of zeros of the shape and the dtype of a leaf; other leaves as they are."""
    if takes_over(x):
        return with_node(xp.zeros(x.shape, dtype=x.dtype), x._node)
    if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, Array | np.ndarray | np.generic):
        made = _zeros(tuple(x.shape), x.dtype) if "key<" not in str(x.dtype) else _keys(tuple(x.shape))
        return wrap(made._data, made._node.weak_form) if getattr(x, "weak_type", False) else made
    try:
        found = xp.asarray(x)
    except (TypeError, ValueError):
        return x
    return wrap(np.zeros(found.shape, found._data.dtype), found._node)


def _zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """Return zeros; if there are very many of them, all are one element in memory, so that a sum of them can have a shape."""
    one = xp.zeros((), dtype=dtype)
    if math.prod(shape) * one._data.itemsize < _LARGE:
        return xp.zeros(shape, dtype=dtype)
    return wrap(np.broadcast_to(one._data, shape), one._node)


def limit(x: Array, sign: int) -> Any:
    """Return the greatest value of the dtype of an array, or the least."""
    node = x._node
    if node.kind == "b":
        return sign > 0
    if node.kind in "iu":
        return node.high if sign > 0 else node.low
    return sign * math.inf


def places_in(index: Any, count: int) -> np.ndarray[Any, Any] | None:
    """Return where the numbers up to `count` are in an index, from 1 on, and 0 for others; None if one is there twice."""
    if type(index) is not Array:
        return None
    numbers = index._data
    found = np.zeros(count, np.int32)
    found[numbers] = np.arange(1, numbers.size + 1)
    return found if np.count_nonzero(found[1:]) == np.count_nonzero(numbers) else None


def taken(x: Any, places: np.ndarray[Any, Any]) -> Any:
    """Return elements of an array of one axis at places, numbered from 1 on, and zeros for 0."""
    if places.size and places[0] and (np.diff(places) == 1).all():
        return x[int(places[0]) - 1 : int(places[-1])]
    return x[places - 1] if places.all() else xp.concatenate([xp.zeros((1,), dtype=x.dtype), x])[places]


def _keys(shape: tuple[int, ...]) -> Array:
    from supremum import random

    return random.wrap_key_data(xp.zeros((*shape, 2), dtype="uint32"))


def ds(start: Any, size: Any = None, stride: int | None = None) -> slice:
    """Return the slice of a start and a length: ``ds(i, n)`` is ``i:i+n``, ``ds(n)`` is ``:n``, ``ds(None)`` is ``:``.

    Parameters
    ----------
    start, size : int or Array
        The first position, and how many elements the slice has. It ends with the axis, where JAX moves it back.
    stride : int, optional
        The step.

    Returns
    -------
    slice
        The slice.

    Examples
    --------
    >>> from supremum import jax
    >>> jax.numpy.arange(10)[jax.ds(4, 2)]
    Array([4, 5], dtype=int32)
    """
    if start is None:
        return slice(None)
    step = 1 if stride is None else operator.index(stride)
    if step < 0:
        raise ValueError(f"ds: stride is not negative, got {stride}")
    first, length = (0, start) if size is None else (start, size)
    begin, count = operator.index(first), operator.index(length)
    stop = begin + (count - 1) * step + 1 if count else begin
    return slice(begin, None if begin < 0 <= stop else stop, step)


# -- dtypes ---


def canonicalize_dtype(dtype: Any, allow_extended_dtype: bool = False) -> Any:
    """Return the dtype of arrays for which a dtype is requested."""
    if (allow_extended_dtype and isinstance(dtype, type(prng_key))) or dtype == float0:
        return dtype
    if any(dtype is kind for kind in (bool, int, float, complex)):
        return xp.asarray(dtype()).dtype
    return state().truncate(as_node(dtype)).dtype


def itemsize_bits(dtype: Any) -> int:
    """Return the width of a dtype in bits."""
    if dtype is None:
        raise ValueError("itemsize_bits: dtype cannot be None.")
    node = as_node(dtype)
    return 8 if node.kind == "b" else node.bits


def scalar_type_of(x: Any) -> type:
    """Return the Python type of the elements of an array or scalar."""
    return {"b": bool, "i": int, "u": int, "f": float, "c": complex}[xp.asarray(x)._node.kind]


# -- trees as vectors ---


def ravel_pytree(pytree: Any) -> tuple[Array, Callable[[Array], Any]]:
    """Return the elements of all leaves of a tree as one vector, and the function that makes a tree of such a vector."""
    leaves, structure = _tree.flatten(pytree)
    arrays = [xp.asarray(leaf) for leaf in leaves]
    if not arrays:
        return xp.zeros(0, dtype="float32"), lambda _: structure.unflatten([])
    flat = xp.concatenate([xp.ravel(x) for x in arrays])
    same = all(x.dtype == flat.dtype for x in arrays)
    flat = flat if same else xp.astype(flat, flat.dtype)
    ends = [*accumulate([x.size for x in arrays], initial=0)]

    def parts_of(vector: Array) -> list[Any]:
        return [xp.reshape(vector[a:b], x.shape) for a, b, x in zip(ends, ends[1:], arrays, strict=False)]

    def unravel(vector: Array) -> Any:
        if xp.shape(vector) != flat.shape:
            raise ValueError(f"unravel_pytree: expected an array of shape {flat.shape}, got one of shape {xp.shape(vector)}")
        if same:
            return structure.unflatten(parts_of(vector))
        if vector.dtype != flat.dtype:
            raise TypeError(f"unravel function given array of dtype {vector.dtype}, but expected dtype {flat.dtype}")
        pairs = zip(parts_of(vector), arrays, strict=True)
        real = [xp.real(part) if x._node.kind != "c" == part._node.kind else part for part, x in pairs]
        return structure.unflatten([xp.astype(part, x.dtype) for part, x in zip(real, arrays, strict=True)])

    return flat, unravel
