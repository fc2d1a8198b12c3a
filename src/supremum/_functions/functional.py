"""Functions of functions: applied to every element, along axes, or where conditions hold."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import ShapeError, check_callable, shown
from supremum._base.silence import heard, silent
from supremum._core.arguments import in_dtype, meet, normalize_axis, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._functions.searching import truth

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "vectorize"]


# -- putting results together -------------------------------------------------------------------------------------------------


def each(function: Callable[[tuple[int, ...]], Any], shape: tuple[int, ...], sample: Callable[[], Any]) -> Any:
    """Call a function of a position for all positions of a shape and put its results together along leading axes.

    Where there is no position, `sample` gives a result that shows the dtype and the shape of the others.
    """
    places = list(product(*map(range, shape)))
    results = [heard(function, place) for place in places] or [heard(sample)]
    return _together(results, shape, len(places))


@silent
def _together(results: list[Any], shape: tuple[int, ...], count: int) -> Any:
    first = results[0]
    if isinstance(first, tuple | list):
        return type(first)([_together(list(column), shape, count) for column in zip(*results, strict=True)])
    if isinstance(first, dict):
        return {key: _together([result[key] for result in results], shape, count) for key in first}
    node, buffers = meet([as_array(result) for result in results])
    inner = buffers[0].shape
    if any(data.shape != inner for data in buffers):
        raise ShapeError("the function gives results of different shapes, which cannot be put into one array")
    return wrap(np.stack(buffers)[:count].reshape(shape + inner), node)


# -- vectorize ----------------------------------------------------------------------------------------------------------------

_NAMES: Final = r"\(\s*(?:\w+(?:\s*,\s*\w+)*)?\s*,?\s*\)"
_SIGNATURE: Final = re.compile(rf"^\s*(?:{_NAMES}(?:\s*,\s*{_NAMES})*)?\s*->\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*$")
CoreDims = tuple[str, ...]


def _parsed(signature: str) -> tuple[list[CoreDims], list[CoreDims]]:
    """Read a signature such as ``"(n,m),(m)->(n)"``: the names of the core axes of arguments and of results."""
    if not _SIGNATURE.match(signature):
        raise ValueError(f"vectorize: the signature is of the form '(n,m),(m)->(n)', got {shown(signature)}")
    sides = signature.split("->")
    inputs, outputs = ([tuple(re.findall(r"\w+", part)) for part in re.findall(_NAMES, side)] for side in sides)
    return inputs, outputs


def vectorize(
    pyfunc: Callable[..., Any],
    *,
    excluded: Sequence[int | str] | frozenset[int | str] = frozenset(),
    signature: str | None = None,
) -> Callable[..., Any]:
    """Make a function of elements a function of arrays, with broadcasting.

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
        Calls `pyfunc` for every element and puts the results together.

    Examples
    --------
    >>> import supremum as xp
    >>> dot = xp.vectorize(lambda x, y: (x * y).sum(), signature="(n),(n)->()")
    >>> dot(xp.ones((2, 3)), xp.arange(3))
    Array([3., 3.], dtype=float32)
    """
    for entry in excluded:
        if not isinstance(entry, str | int):
            raise TypeError(f"vectorize: excluded holds positions and names of arguments, got {shown(entry)}")
        if isinstance(entry, int) and entry < 0:
            raise ValueError(f"vectorize: positions of excluded arguments are not negative, got {entry}")
    cores = None if signature is None else _parsed(signature)

    @functools.wraps(pyfunc)
    def vectorized(*args: Any, **kwargs: Any) -> Any:
        fixed = {i for i, arg in enumerate(args) if i in excluded or arg is None}
        moving = [i for i in range(len(args)) if i not in fixed]
        named = [name for name in kwargs if name not in excluded]
        inputs: list[CoreDims] = [()] * (len(moving) + len(named)) if cores is None else _cores_of(cores[0], args, excluded)
        arrays = [as_array(args[i]) for i in moving] + [as_array(kwargs[name]) for name in named]
        shape, sizes = _dimensions(arrays, inputs)
        whole = [
            np.broadcast_to(x._data, shape + x.shape[x.ndim - len(core) :]) for x, core in zip(arrays, inputs, strict=True)
        ]

        def call(parts: list[Array]) -> Any:
            positional = list(args)
            for i, part in zip(moving, parts, strict=False):
                positional[i] = part
            keywords = {**kwargs, **dict(zip(named, parts[len(moving) :], strict=True))}
            result = pyfunc(*positional, **keywords)
            if cores is not None:
                _check_outputs(result, cores[1], sizes)
            return result

        def at(place: tuple[int, ...]) -> Any:
            key: Any = (*place, ...)
            return call([wrap(data[key], x._node) for data, x in zip(whole, arrays, strict=True)])

        def sample() -> Any:
            ones = [np.ones(data.shape[len(shape) :], data.dtype) for data in whole]
            return call([wrap(data, x._node) for data, x in zip(ones, arrays, strict=True)])

        return each(at, shape, sample)

    return vectorized


def _cores_of(inputs: list[CoreDims], args: tuple[Any, ...], excluded: Any) -> list[CoreDims]:
    """Give the core axes of the arguments that are arrays: those left out of the signature have none."""
    given = [(i, arg) for i, arg in enumerate(args) if i not in excluded]
    if len(given) != len(inputs):
        raise TypeError(f"vectorize: the signature has {len(inputs)} arguments, got {len(given)}")
    for (position, arg), core in zip(given, inputs, strict=True):
        if arg is None and core:
            raise ValueError(f"vectorize: argument {position} has the core axes {core} in the signature and cannot be None")
    return [core for (_, arg), core in zip(given, inputs, strict=True) if arg is not None]


def _dimensions(arrays: list[Array], inputs: list[CoreDims]) -> tuple[tuple[int, ...], dict[str, int]]:
    """Give the shape that the outer axes are broadcast to, and the lengths of the core axes."""
    sizes: dict[str, int] = {}
    outer = []
    for x, core in zip(arrays, inputs, strict=True):
        if x.ndim < len(core):
            raise ValueError(f"vectorize: an argument of shape {x.shape} does not have the core axes {core}")
        split = x.ndim - len(core)
        outer.append(x.shape[:split])
        _note(sizes, core, x.shape[split:])
    try:
        return np.broadcast_shapes(*outer), sizes
    except ValueError:
        raise ValueError(f"vectorize: the shapes {', '.join(map(str, outer))} cannot be broadcast together") from None


def _note(sizes: dict[str, int], core: CoreDims, shape: tuple[int, ...]) -> None:
    for name, length in zip(core, shape, strict=True):
        if sizes.setdefault(name, length) != length:
            raise ValueError(f"vectorize: core axis {name!r} has lengths {sizes[name]} and {length}")


def _check_outputs(result: Any, outputs: list[CoreDims], sizes: dict[str, int]) -> None:
    if len(outputs) > 1 and not isinstance(result, tuple):
        raise TypeError(f"vectorize: the signature has {len(outputs)} results, and the function gives no tuple")
    results = result if isinstance(result, tuple) else (result,)
    if len(results) != len(outputs):
        raise TypeError(f"vectorize: the signature has {len(outputs)} results, and the function gives {len(results)}")
    known = dict(sizes)
    for part, core in zip(results, outputs, strict=True):
        shape = np.shape(part)
        if len(shape) != len(core):
            raise ValueError(f"vectorize: a result of shape {shape} does not have the core axes {core} of the signature")
        _note(known, core, shape)


# -- along axes ---------------------------------------------------------------------------------------------------------------


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply a function to each line of an array along an axis.

    Parameters
    ----------
    func1d : callable
        Takes a vector and gives an array of any shape.
    axis : int
        The axis.
    arr : Array
        The array.
    *args, **kwargs : object
        Passed on to `func1d`.

    Returns
    -------
    Array
        The results; their axes stand where `axis` stood.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.apply_along_axis(lambda x: x[0] + x[-1], 1, xp.asarray([[1, 2, 3], [4, 5, 6]]))
    Array([ 4, 10], dtype=int32)
    """
    check_callable(func1d, "func1d", "apply_along_axis")
    x = operand(arr, "apply_along_axis", 2)
    along = normalize_axis(axis, x.ndim, "apply_along_axis")
    lines = np.moveaxis(x._data, along, -1)
    outer = lines.shape[:-1]

    def sample() -> Any:
        return func1d(wrap(np.ones(lines.shape[-1], x.dtype), x._node), *args, **kwargs)

    out = each(lambda place: func1d(wrap(lines[place], x._node), *args, **kwargs), outer, sample)
    return _back(out, along, len(outer))


def _back(result: Any, along: int, outer: int) -> Any:
    """Put the axes of results, which stand last, where the axis of the lines was."""
    if isinstance(result, tuple | list):
        return type(result)([_back(part, along, outer) for part in result])
    if isinstance(result, dict):
        return {key: _back(part, along, outer) for key, part in result.items()}
    inner = tuple(range(outer, result.ndim))
    return wrap(result._data.transpose((*range(along), *inner, *range(along, outer))), result._node)


def apply_over_axes(func: Callable[[Any, int], Any], a: Any, axes: Any) -> Array:
    """Apply a function of an array and an axis over several axes, one after the other.

    Parameters
    ----------
    func : callable
        Takes an array and an axis, and gives an array with or without that axis.
    a : Array
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
    if not np.iterable(axes):
        raise TypeError(f"apply_over_axes: axes is a sequence of integers, got {shown(axes)}")
    for axis in axes:
        result = as_array(heard(func, x, axis))
        if result.ndim == x.ndim - 1:
            result = wrap(np.expand_dims(result._data, axis), result._node)
        if result.ndim != x.ndim:
            raise ValueError(f"apply_over_axes: the function gives shape {result.shape} for shape {x.shape} and axis {axis}")
        x = result
    return x


# -- by conditions ------------------------------------------------------------------------------------------------------------


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Array:
    """Evaluate one of several functions at each element, depending on which condition holds.

    Parameters
    ----------
    x : Array
        The elements.
    condlist : sequence of Array
        Conditions; where several hold, the last one counts.
    funclist : list of callable or scalar
        A function or a value for each condition, and one more for where none holds (0 if left out).
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
        raise TypeError(f"piecewise: condlist and funclist are lists, got {shown(condlist)} and {shown(funclist)}")
    count = len(condlist)
    if len(funclist) not in (count, count + 1):
        raise ValueError(f"piecewise: {count} conditions take {count} or {count + 1} functions, got {len(funclist)}")
    pieces = [*funclist[:count], funclist[count] if len(funclist) > count else 0]
    conditions = [truth(as_array(condition)) for condition in condlist]
    node = strong(given._node)
    try:
        shape = np.broadcast_shapes(given.shape, *[condition.shape for condition in conditions])
    except ValueError:
        shapes = ", ".join(str(condition.shape) for condition in conditions)
        raise ValueError(f"piecewise: conditions of shapes {shapes} do not fit the elements' shape {given.shape}") from None
    elements = np.broadcast_to(given._data, shape)
    which = np.full(shape, count)
    for i, condition in enumerate(conditions):
        which[np.broadcast_to(condition, shape)] = i
    out = np.empty(shape, node.dtype)
    for i, piece in enumerate(pieces):
        here = which == i
        if here.any():
            value = heard(piece, wrap(elements[here], node), *args, **kw) if callable(piece) else piece
            out[here] = in_dtype(value, as_array(value), node)
    return wrap(out, node)


publish(__name__)
