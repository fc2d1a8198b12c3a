"""Slices of a start and a length."""

from __future__ import annotations

import operator
from typing import Any


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
