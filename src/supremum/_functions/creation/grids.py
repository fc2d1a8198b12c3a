"""Grids and index objects: coordinates of every element, and objects that make arrays when they are indexed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final, Literal, overload

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import check_callable, describe
from supremum._base.functions import without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.config import config
from supremum._core.conversion import index_node, keep_float64_scalars, operands, promote_arrays
from supremum._core.dtype_objects import requested
from supremum._core.settings import state
from supremum._functions.creation.filled import shape_of
from supremum._functions.creation.from_objects import array
from supremum._functions.creation.ranges import arange, linspace, meshgrid

__all__ = ["c_", "fromfunction", "index_exp", "indices", "ix_", "mgrid", "ogrid", "r_", "s_"]


@overload
def indices(dimensions: Shape, dtype: DTypeLike | None = None, sparse: Literal[False] = False) -> Array: ...
@overload
def indices(dimensions: Shape, dtype: DTypeLike | None = None, *, sparse: Literal[True]) -> tuple[Array, ...]: ...
@overload
def indices(dimensions: Shape, dtype: DTypeLike | None = None, sparse: bool = False) -> Array | tuple[Array, ...]: ...
@public
def indices(dimensions: Shape, dtype: DTypeLike | None = None, sparse: bool = False) -> Array | tuple[Array, ...]:
    """Return the indices of every element of an array of a shape.

    Parameters
    ----------
    dimensions : sequence of int
        The shape.
    dtype : dtype, optional
        The dtype; by default the default integer dtype.
    sparse : bool
        Whether to return a tuple of arrays whose other axes have length 1, for broadcasting, instead of one array.

    Returns
    -------
    Array or tuple of Array
        The indices, along a new first axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.indices((2, 2))
    Array([[[0, 0],
            [1, 1]],
    <BLANKLINE>
           [[0, 1],
            [0, 1]]], dtype=int32)
    """
    settings = state()
    node = settings.int_ if dtype is None else requested(dtype, "indices", settings)
    if node.kind == "b":
        raise TypeError("indices: indices must have an integer or floating dtype, got bool")
    if type(dimensions) is not tuple and not call_user_code(np.iterable, dimensions):
        raise TypeError(f"indices: dimensions must be a sequence of integers, got {describe(dimensions)}")
    shape = shape_of(dimensions, "indices")
    last, counter = len(shape) - 1, node.dtype if node is settings.int_ else np.int64
    thin = [
        np.arange(length, dtype=counter).reshape((1,) * i + (length,) + (1,) * (last - i)) for i, length in enumerate(shape)
    ]
    if sparse:
        return tuple([wrap(index.astype(node.dtype), node) for index in thin])
    out = np.empty((len(shape), *shape) if shape else 0, node.dtype)
    for i, index in enumerate(thin):
        out[i] = index
    return wrap(out, node)


@public(own="result")
def fromfunction(function: Callable[..., Any], shape: Shape, *, dtype: DTypeLike = float, **kwargs: Any) -> Any:
    """Make an array by calling a function with the indices of every element.

    Parameters
    ----------
    function : callable
        Takes an array of indices for each axis. It is called once if its result has the shape, else once for each element.
    shape : tuple of int
        The shape.
    dtype : dtype
        The dtype of the indices.
    **kwargs : object
        Passed on to `function`.

    Returns
    -------
    Array
        The result of `function`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fromfunction(lambda i, j: 10 * i + j, (2, 2), dtype=int)
    Array([[ 0,  1],
           [10, 11]], dtype=int32)
    """
    from supremum._functions.functional import vectorize

    check_callable(function, "function", "fromfunction")
    lengths = shape_of(shape, "fromfunction")
    grids = indices(lengths, dtype) if lengths else ()
    return vectorize(lambda *index: function(*index, **kwargs))(*grids)


@public(moving=True)
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Return an open mesh of vectors, which indexes every combination of their elements.

    Parameters
    ----------
    *args : array_like
        Vectors of integers.

    Returns
    -------
    tuple of Array
        The vectors, each along an axis of its own.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.ix_(xp.arange(2), xp.arange(3))]
    [(2, 1), (1, 3)]
    """
    vectors = operands("ix_", *args)
    out = []
    for position, x in enumerate(vectors):
        if x.ndim != 1:
            raise ValueError(f"ix_: the arguments must be vectors, got one of shape {x.shape}")
        if x._node.kind == "b":
            raise NotImplementedError("ix_: truth values are not supported; use nonzero on them first")
        shape = [1] * len(vectors)
        shape[position] = x.size
        node = x._node if x.size else index_node(0)
        out.append(wrap(x._data.reshape(shape).astype(node.dtype), node))
    return tuple(out)


# -- objects that are indexed -------------------------------------------------------------------------------------------------


def _range(part: slice) -> Array:
    """Return the values of a slice: as many as an imaginary step says, or a range."""
    start, step = part.start or 0, part.step or 1
    return linspace(start, part.stop, int(abs(step))) if np.iscomplexobj(step) else arange(start, part.stop, step)


class _Mesh:
    """An object that makes coordinate grids when it is indexed with slices."""

    __slots__ = ("_name", "_sparse")

    def __init__(self, name: str, *, sparse: bool) -> None:
        self._name = name
        self._sparse = sparse

    def __repr__(self) -> str:
        return f"<supremum.{self._name}>"

    @without_float_warnings
    def __getitem__(self, key: slice | tuple[slice, ...]) -> Array | list[Array]:
        if isinstance(key, slice):
            return _range(key)
        axes = self._ranges(key)
        if not axes:
            return [] if self._sparse else arange(0)
        # The axes of a grid have one dtype, even if a strict system promotes nothing: as in JAX.
        with config.use(promotion="jax") if state().promotion.name == "jax_strict" else nullcontext():
            node, buffers = promote_arrays(axes)
        grids = meshgrid(*[wrap(data, node) for data in buffers], indexing="ij", sparse=self._sparse)
        return list(grids) if self._sparse else wrap(np.stack([grid._data for grid in grids]), node)

    def _ranges(self, key: object) -> list[Array]:
        if not isinstance(key, tuple) or not all(isinstance(part, slice) for part in key):
            raise TypeError(f"{self._name}: the index must be a slice or several of them, got {describe(key)}")
        return [_range(part) for part in key]


mgrid: Final = _Mesh("mgrid", sparse=False)
ogrid: Final = _Mesh("ogrid", sparse=True)


class _Joiner:
    """An object that joins what it is indexed with along an axis; slices are ranges."""

    __slots__ = ("_defaults", "_name")

    def __init__(self, name: str, axis: int, ndmin: int, trans1d: int) -> None:
        self._name = name
        self._defaults = (axis, ndmin, trans1d)

    def __repr__(self) -> str:
        return f"<supremum.{self._name}>"

    def __len__(self) -> int:
        return 0

    @without_float_warnings
    def __getitem__(self, key: Any) -> Array:
        from supremum._functions.manipulation.axes import transpose
        from supremum._functions.manipulation.joining import concatenate
        from supremum._functions.manipulation.shapes import expand_dims

        parts = key if isinstance(key, tuple) else (key,)
        (axis, ndmin, trans1d), matrix = self._defaults, -1
        if parts and isinstance(parts[0], str):
            (axis, ndmin, trans1d), matrix = self._directive(parts[0])
            parts = parts[1:]
        for part in parts:
            if isinstance(part, str):
                raise ValueError(f"{self._name}: a directive such as {part!r} comes first")  # noqa: TRY004 - its place is wrong
        pieces = []
        given = keep_float64_scalars(
            parts, [_range(part) if isinstance(part, slice) else array(part, copy=False) for part in parts]
        )
        for part, x in zip(parts, given, strict=True):
            missing = ndmin - (0 if isinstance(part, slice) else x.ndim)
            piece = array(x, copy=False, ndmin=ndmin)
            if trans1d != -1 and missing > 0:
                shift = ndmin - abs(ndmin + trans1d + 1) % ndmin
                order = list(range(ndmin))
                piece = transpose(piece, order[shift:] + order[:shift])
            pieces.append(piece)
        joined = concatenate(pieces, axis)
        return expand_dims(joined, matrix) if matrix != -1 and joined.ndim == 1 else joined

    def _directive(self, text: str) -> tuple[tuple[int, int, int], int]:
        """Read a directive such as ``"0,2"`` or ``"c"``: axis, ndmin and trans1d, and the axis to add to a vector, or -1."""
        if text in ("r", "c"):
            return self._defaults, "rc".index(text)
        try:
            numbers = [int(word) for word in text.split(",")[:3]]
        except ValueError:
            raise ValueError(f"{self._name}: could not understand directive {text!r}; use e.g. '0,2' or 'r'") from None
        axis, ndmin, trans1d = (*numbers, *self._defaults[len(numbers) :])
        return (axis, ndmin, trans1d), -1


r_: Final = _Joiner("r_", 0, 1, -1)
c_: Final = _Joiner("c_", -1, 2, 0)


class _Index:
    """An object that returns what it is indexed with."""

    __slots__ = ("_always_tuple",)

    def __init__(self, *, always_tuple: bool) -> None:
        self._always_tuple = always_tuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self._always_tuple and not isinstance(key, tuple) else key


s_: Final = _Index(always_tuple=False)
index_exp: Final = _Index(always_tuple=True)
