"""Functions of functions: applied to every element, along axes, or where conditions hold."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError, check_callable, describe, shape_error
from supremum._base.functions import takes_over, without_float_warnings
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, NestedArrayLike, wrap
from supremum._core.conversion import Buffer, as_array, in_dtype, normalize_axis, operand, promote_arrays
from supremum._core.guests import check_ranks
from supremum._core.settings import copied, state
from supremum._functions.creation.from_objects import asarray
from supremum._functions.manipulation.shapes import expand_dims
from supremum._functions.searching import truth

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "vectorize"]


# -- stacking results ---------------------------------------------------------------------------------------------------------


def _over_positions(function: Callable[[tuple[int, ...]], Any], shape: tuple[int, ...], sample: Callable[[], Any]) -> Any:
    """Call a function of a position for all positions of a shape, and stack its results along leading axes.

    If the shape has no positions, the result of `sample` determines the dtype and the shape of the others.
    """
    positions = list(product(*map(range, shape)))
    results = [call_user_code(function, position) for position in positions] or [call_user_code(sample)]
    return _stacked(results, shape, len(positions))


@without_float_warnings
def _stacked(results: list[Any], shape: tuple[int, ...], count: int) -> Any:
    """Stack `count` results, which are arrays or nested tuples, lists and dicts of arrays."""
    first = results[0]
    if isinstance(first, tuple | list):
        return type(first)([_stacked(list(column), shape, count) for column in zip(*results, strict=True)])
    if isinstance(first, dict):
        return {key: _stacked([result[key] for result in results], shape, count) for key in first}
    if any(map(takes_over, results)):
        return np.stack(results).reshape(shape + first.shape)
    node, buffers = promote_arrays([as_array(result) for result in results])
    inner = buffers[0].shape
    if any(data.shape != inner for data in buffers):
        raise ShapeError("the function returns results of different shapes, which cannot be stacked")
    stack = np.stack(buffers)
    if state().watchers:
        for i, data in enumerate(buffers):
            copied(stack[i, ...], data)
    return wrap(stack[:count].reshape(shape + inner), node)


# -- vectorize ----------------------------------------------------------------------------------------------------------------

_NAMES: Final = r"\(\s*(?:\w+(?:\s*,\s*\w+)*)?\s*,?\s*\)"
_SIGNATURE: Final = re.compile(rf"^\s*(?:{_NAMES}(?:\s*,\s*{_NAMES})*)?\s*->\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*$")
#: The names of the core axes of an argument or a result.
CoreDims: TypeAlias = tuple[str, ...]


def _parsed(signature: str) -> tuple[list[CoreDims], list[CoreDims]]:
    """Parse a signature such as ``"(n,m),(m)->(n)"`` into the names of the core axes of arguments and of results."""
    if not _SIGNATURE.match(signature):
        raise ValueError(f"vectorize: the signature must be of the form '(n,m),(m)->(n)', got {describe(signature)}")
    sides = signature.split("->")
    inputs, outputs = ([tuple(re.findall(r"\w+", part)) for part in re.findall(_NAMES, side)] for side in sides)
    return inputs, outputs


@public
def vectorize(
    pyfunc: Callable[..., Any],
    *,
    excluded: Sequence[int | str] | frozenset[int | str] = frozenset(),
    signature: str | None = None,
) -> Callable[..., Any]:
    """Turn a function of elements into a function of arrays, with broadcasting.

    Parameters
    ----------
    pyfunc : callable
        Takes 0-d arrays, or arrays with the core axes that `signature` names.
    excluded : set of int or str
        Positions and names of arguments that are passed on as they are.
    signature : str, optional
        The core axes of arguments and results, as in ``"(n),(n)->()"``.

    Returns
    -------
    callable
        Calls `pyfunc` for every element and stacks the results.

    Examples
    --------
    >>> import supremum as xp
    >>> dot = xp.vectorize(lambda x, y: (x * y).sum(), signature="(n),(n)->()")
    >>> dot(xp.ones((2, 3)), xp.arange(3))
    Array([3., 3.], dtype=float32)
    """
    return vectorized_by(_each_position, pyfunc, excluded, signature)


def vectorized_by(
    mapped: Callable[..., Any],
    pyfunc: Callable[..., Any],
    excluded: Sequence[int | str] | frozenset[int | str],
    signature: str | None,
) -> Callable[..., Any]:
    """Return the function that `vectorize` makes, by what calls it with arrays of a common shape."""
    for entry in excluded:
        if not isinstance(entry, str | int):
            raise TypeError(f"vectorize: excluded must hold positions and names of arguments, got {describe(entry)}")
        if isinstance(entry, int) and entry < 0:
            raise ValueError(f"vectorize: positions of excluded arguments must not be negative, got {entry}")
    cores = None if signature is None else _parsed(signature)

    @functools.wraps(pyfunc)
    def vectorized(*args: Any, **kwargs: Any) -> Any:
        positions = [i for i, arg in enumerate(args) if i not in excluded and arg is not None]
        named = [name for name in kwargs if name not in excluded]
        inputs: list[CoreDims] = [()] * (len(positions) + len(named)) if cores is None else _cores_of(cores[0], args, excluded)
        given = [args[i] for i in positions] + [kwargs[name] for name in named]
        arrays = [x if takes_over(x) else as_array(x) for x in given]
        shape, sizes = _dimensions(arrays, inputs)
        looped = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, inputs, strict=True)]
        check_ranks(state().ranks, "vectorize", *looped)

        def call(parts: Sequence[Array]) -> Any:
            positional = list(args)
            for i, part in zip(positions, parts, strict=False):
                positional[i] = part
            keywords = {**kwargs, **dict(zip(named, parts[len(positions) :], strict=True))}
            result = pyfunc(*positional, **keywords)
            if cores is not None:
                _check_outputs(result, cores[1], sizes)
            return result

        return mapped(call, arrays, shape, inputs)

    return vectorized


def _each_position(
    call: Callable[[Sequence[Array]], Any], arrays: list[Array], shape: tuple[int, ...], inputs: list[CoreDims]
) -> Any:
    """Call a function for each position."""
    if any(map(takes_over, arrays)) and 0 not in shape:  # NumPy's functions of such operands are those of the namespace
        full: Any = [np.broadcast_to(x, shape + x.shape[x.ndim - len(core) :]) for x, core in zip(arrays, inputs, strict=True)]
        return _over_positions(lambda position: call([x[(*position, ...)] for x in full]), shape, lambda: None)
    buffers = [np.broadcast_to(x._data, shape + x.shape[x.ndim - len(core) :]) for x, core in zip(arrays, inputs, strict=True)]

    def at(position: tuple[int, ...]) -> Any:
        key: Any = (*position, ...)
        return call([wrap(data[key], x._node) for data, x in zip(buffers, arrays, strict=True)])

    def sample() -> Any:
        ones = [np.ones(data.shape[len(shape) :], data.dtype) for data in buffers]
        return call([wrap(data, x._node) for data, x in zip(ones, arrays, strict=True)])

    return _over_positions(at, shape, sample)


def _cores_of(
    inputs: list[CoreDims], args: tuple[Any, ...], excluded: Sequence[int | str] | frozenset[int | str]
) -> list[CoreDims]:
    """Return the core axes of the arguments that are arrays; `excluded` ones are not in the signature."""
    given = [(i, arg) for i, arg in enumerate(args) if i not in excluded]
    if len(given) != len(inputs):
        raise TypeError(f"vectorize: the signature has {len(inputs)} arguments, got {len(given)}")
    for (position, arg), core in zip(given, inputs, strict=True):
        if arg is None and core:
            raise ValueError(f"vectorize: argument {position} has the core axes {core} in the signature and cannot be None")
    return [core for (_, arg), core in zip(given, inputs, strict=True) if arg is not None]


def _dimensions(arrays: list[Array], inputs: list[CoreDims]) -> tuple[tuple[int, ...], dict[str, int]]:
    """Return the shape that the outer axes are broadcast to, and the lengths of the core axes."""
    sizes: dict[str, int] = {}
    outer = []
    for x, core in zip(arrays, inputs, strict=True):
        if x.ndim < len(core):
            raise ValueError(f"vectorize: an argument of shape {x.shape} does not have the core axes {core}")
        split = x.ndim - len(core)
        outer.append(x.shape[:split])
        _record_lengths(sizes, core, x.shape[split:])
    try:
        return np.broadcast_shapes(*outer), sizes
    except ValueError:
        raise shape_error("vectorize", *outer) from None


def _record_lengths(sizes: dict[str, int], core: CoreDims, shape: tuple[int, ...]) -> None:
    for name, length in zip(core, shape, strict=True):
        if sizes.setdefault(name, length) != length:
            raise ValueError(f"vectorize: core axis {name!r} has lengths {sizes[name]} and {length}")


def _check_outputs(result: Any, outputs: list[CoreDims], sizes: dict[str, int]) -> None:
    if len(outputs) > 1 and not isinstance(result, tuple):
        raise TypeError(f"vectorize: the signature has {len(outputs)} results, but the function returns no tuple")
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(outputs):
        raise TypeError(f"vectorize: the signature has {len(outputs)} results, but the function returns {len(results)}")
    known = dict(sizes)
    for part, core in zip(results, outputs, strict=True):
        shape = np.shape(part)
        if len(shape) != len(core):
            raise ValueError(f"vectorize: a result of shape {shape} does not have the core axes {core} of the signature")
        _record_lengths(known, core, shape)


# -- along axes ---------------------------------------------------------------------------------------------------------------


@public
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Any:
    """Apply a function to each 1-d slice of an array along an axis.

    Parameters
    ----------
    func1d : callable
        Takes a vector and returns an array of any shape.
    axis : int
        The axis.
    arr
    *args, **kwargs : object
        Passed on to `func1d`.

    Returns
    -------
    Array
        The results; their axes take the position of `axis`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.apply_along_axis(lambda x: x[0] + x[-1], 1, xp.asarray([[1, 2, 3], [4, 5, 6]]))
    Array([ 4, 10], dtype=int32)
    """
    check_callable(func1d, "func1d", "apply_along_axis")
    x = operand(arr, "apply_along_axis", 2)
    along = normalize_axis(axis, x.ndim, "apply_along_axis")
    slices = np.moveaxis(x._data, along, -1)
    outer = slices.shape[:-1]

    def call(data: Buffer) -> Any:
        return func1d(wrap(data, x._node), *args, **kwargs)

    out = _over_positions(lambda position: call(slices[position]), outer, lambda: call(np.ones(slices.shape[-1], x.dtype)))
    return _moved_back(out, along, len(outer))


def _moved_back(result: Any, along: int, outer: int) -> Any:
    """Move the axes of results, which are last, to the position of the axis that the slices lie along."""
    if isinstance(result, tuple | list):
        return type(result)([_moved_back(part, along, outer) for part in result])
    if isinstance(result, dict):
        return {key: _moved_back(part, along, outer) for key, part in result.items()}
    inner = tuple(range(outer, result.ndim))
    return wrap(result._data.transpose((*range(along), *inner, *range(along, outer))), result._node)


@public(composed=True)
def apply_over_axes(func: Callable[[Array, int], ArrayLike], a: ArrayLike, axes: Sequence[int]) -> Array:
    """Apply a function of an array and an axis over several axes, one after the other.

    Parameters
    ----------
    func : callable
        Takes an array and an axis, and returns an array with or without that axis.
    a : array_like
        The array.
    axes : sequence of int
        The axes.

    Returns
    -------
    Array
        The result, with as many dimensions as `a`.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.apply_over_axes(xp.sum, xp.ones((2, 3)), (0, 1))
    Array([[6.]], dtype=float32)
    """
    check_callable(func, "func", "apply_over_axes")
    x = operand(a, "apply_over_axes", 1)
    if not call_user_code(np.iterable, axes):
        raise TypeError(f"apply_over_axes: axes must be a sequence of integers, got {describe(axes)}")
    for axis in axes:
        result = asarray(call_user_code(func, x, axis))
        if result.ndim == x.ndim - 1:
            result = expand_dims(result, axis)
        if result.ndim != x.ndim:
            raise ValueError(f"apply_over_axes: the function returns shape {result.shape} for shape {x.shape} and axis {axis}")
        x = result
    return x


# -- by conditions ------------------------------------------------------------------------------------------------------------


@public
def piecewise(
    x: ArrayLike,
    condlist: Sequence[NestedArrayLike] | Array | np.ndarray[Any, Any],
    funclist: Sequence[Callable[..., Any] | ArrayLike],
    *args: Any,
    **kw: Any,
) -> Array:
    """Evaluate one of several functions at each element, chosen by conditions.

    Parameters
    ----------
    x : array_like
        The elements.
    condlist : sequence of array_like
        The conditions; where several hold, the last of them chooses.
    funclist : list of callable or scalar
        A function or a value for each condition, and optionally one more for elements at which none holds (0 by default).
    *args, **kw : object
        Passed on to the functions.

    Returns
    -------
    Array
        The values, in the dtype of `x`.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.asarray([-2, 3])
    >>> xp.piecewise(x, [x < 0], [lambda x: -x, lambda x: 10 * x])
    Array([ 2, 30], dtype=int32)
    """
    given = operand(x, "piecewise")
    if not (hasattr(condlist, "__len__") and hasattr(funclist, "__len__")):
        raise TypeError(f"piecewise: condlist and funclist must be lists, got {describe(condlist)} and {describe(funclist)}")
    count = len(condlist)
    if len(funclist) not in (count, count + 1):
        raise ValueError(f"piecewise: {count} conditions need {count} or {count + 1} functions, got {len(funclist)}")
    pieces = [*funclist[:count], funclist[count] if len(funclist) > count else 0]
    conditions = [truth(as_array(condition)) for condition in condlist]
    node = given._node.strong
    try:
        shape = np.broadcast_shapes(given.shape, *[condition.shape for condition in conditions])
    except ValueError:
        shapes = ", ".join(str(condition.shape) for condition in conditions)
        raise ValueError(
            f"piecewise: conditions of shapes {shapes} do not broadcast with elements of shape {given.shape}"
        ) from None
    elements = np.broadcast_to(given._data, shape)
    choice = np.full(shape, count)
    for i, condition in enumerate(conditions):
        choice[np.broadcast_to(condition, shape)] = i
    out = np.empty(shape, node.dtype)
    for i, piece in enumerate(pieces):
        mask = choice == i
        if mask.any():
            part = elements[mask]
            copied(part, elements, of=mask)
            value = call_user_code(piece, wrap(part, node), *args, **kw) if callable(piece) else piece
            result = as_array(value)
            out[mask] = in_dtype(value, result, node)
            copied(out, result._data, to=mask)
    return wrap(out, node)
