"""Splitting arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from supremum._base.boundary import Plain, public
from supremum._base.exceptions import check_count, describe
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, Shape, wrap
from supremum._core.conversion import as_integers, normalize_axis, operand
from supremum._kernels.plain import moving as plain

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]


@public(plain=Plain(plain.unstack, errors=None), axis="axis", moving=True)
def unstack(x: ArrayLike, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its elements along an axis.

    Parameters
    ----------
    x : array_like
        The array.
    axis : int
        The axis, which the results do not have.

    Returns
    -------
    tuple of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.unstack(xp.asarray([[1, 2], [3, 4]]), axis=1)
    (Array([1, 3], dtype=int32), Array([2, 4], dtype=int32))
    """
    given = operand(x, "unstack")
    if not given.ndim:
        raise ValueError("unstack: a 0-d array has no axis to be split along")
    parts = np.moveaxis(given._data, normalize_axis(axis, given.ndim, "unstack"), 0)
    return tuple([wrap(part, given._node) for part in plain.unstack(parts)])


def _split(x: Array, indices_or_sections: object, axis: object, function: str, *, even: bool = True) -> list[Array]:
    """Split an array into equal sections, or at indices, along an axis."""
    along = normalize_axis(axis, x.ndim, function)
    length = x.shape[along]
    positions = _positions(indices_or_sections, length, function, even=even)
    before = (slice(None),) * along
    return [wrap(x._data[(*before, slice(*pair))], x._node) for pair in pairwise([0, *positions, length])]


def _positions(given: Any, length: int, function: str, *, even: bool) -> list[int]:
    """Return the positions to split an axis at."""
    if isinstance(given, list | tuple) or (type(given) is not int and call_user_code(np.ndim, given)):
        positions = list(as_integers(given, "indices_or_sections", function))
        if any(low > high for low, high in pairwise([0, *positions, length])):
            raise ValueError(f"{function}: the indices ascend from 0 to {length}, the length of the axis, got {positions}")
        return positions
    try:
        sections = call_user_code(int, given)
    except (TypeError, ValueError, OverflowError) as error:
        kind = type(error)
        raise kind(f"{function}: indices_or_sections must be an integer or several of them, got {describe(given)}") from None
    if sections <= 0:
        negative = ZeroDivisionError if not sections else ValueError
        raise negative(f"{function}: the number of sections must be positive, got {sections}")
    check_count(function, sections, "sections")
    size, rest = divmod(length, sections)
    if rest and even:
        raise ValueError(f"{function}: an axis of length {length} has no {sections} equal sections; use array_split")
    return [i * size + min(i, rest) for i in range(1, sections)]


@public(axis="axis", moving=True, operands="ary")
def split(ary: ArrayLike, indices_or_sections: Shape | ArrayLike, axis: int = 0) -> list[Array]:
    """Split an array into equal sections along an axis, or at indices.

    Parameters
    ----------
    ary
    indices_or_sections : int or sequence of int
        The number of sections, or the indices to split at.
    axis : int
        The axis.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.split(xp.arange(4), 2)
    [Array([0, 1], dtype=int32), Array([2, 3], dtype=int32)]
    """
    return _split(operand(ary, "split"), indices_or_sections, axis, "split")


@public(axis="axis", moving=True, operands="ary")
def array_split(ary: ArrayLike, indices_or_sections: Shape | ArrayLike, axis: int = 0) -> list[Array]:
    """Split an array into sections along an axis, or at indices; the first sections may be longer by one.

    Parameters
    ----------
    ary
    indices_or_sections : int or sequence of int
        The number of sections, or the indices to split at.
    axis : int
        The axis.

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.array_split(xp.arange(5), 3)]
    [(2,), (2,), (1,)]
    """
    return _split(operand(ary, "array_split"), indices_or_sections, axis, "array_split", even=False)


@public(moving=True, operands="ary")
def hsplit(ary: ArrayLike, indices_or_sections: Shape | ArrayLike) -> list[Array]:
    """Split an array along the second axis; a vector along the first.

    Parameters
    ----------
    ary, indices_or_sections

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.hsplit(xp.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    x = operand(ary, "hsplit")
    return _split(x, indices_or_sections, 0 if x.ndim == 1 else 1, "hsplit")


@public(moving=True, operands="ary")
def vsplit(ary: ArrayLike, indices_or_sections: Shape | ArrayLike) -> list[Array]:
    """Split an array along the first axis.

    Parameters
    ----------
    ary, indices_or_sections

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.vsplit(xp.ones((2, 4)), 2)]
    [(1, 4), (1, 4)]
    """
    return _split(operand(ary, "vsplit"), indices_or_sections, 0, "vsplit")


@public(moving=True, operands="ary")
def dsplit(ary: ArrayLike, indices_or_sections: Shape | ArrayLike) -> list[Array]:
    """Split an array along the third axis.

    Parameters
    ----------
    ary, indices_or_sections

    Returns
    -------
    list of Array
        Views.

    Examples
    --------
    >>> import supremum as xp
    >>> [x.shape for x in xp.dsplit(xp.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return _split(operand(ary, "dsplit"), indices_or_sections, 2, "dsplit")
