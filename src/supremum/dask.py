"""Arrays as chunks of dask arrays: call `register` once, then ``dask.array.from_array(x, asarray=False)``."""

from __future__ import annotations

import math
import multiprocessing
import os
from typing import Any

from supremum._core.array import Array
from supremum._core.config import config
from supremum._functions.creation.filled import full
from supremum._functions.creation.from_objects import asarray
from supremum._functions.elementwise.arithmetic import divide
from supremum._functions.indexing.gather import take
from supremum._functions.linear_algebra.contractions import tensordot
from supremum._functions.manipulation.joining import concatenate

__all__ = ["register"]


def register() -> None:
    """Register Array as a chunk type of dask, with the functions that dask calls on chunks.

    Notes
    -----
    Without it, ``dask_array + Array`` raises an error, and dask converts chunks to NumPy arrays where it concatenates them.
    In a worker, a process that another one started, each operation has one thread from then on, because other workers have the
    other processors; `SUPREMUM_THREADS` sets another number.
    """
    import dask.array as da
    from dask.array import dispatch

    if multiprocessing.parent_process() is not None and "SUPREMUM_THREADS" not in os.environ:
        config.threads = 1
    da.register_chunk_type(Array)
    for lookup, function in (
        (dispatch.concatenate_lookup, lambda arrays, axis=0: concatenate(arrays, axis=axis)),
        (dispatch.tensordot_lookup, tensordot),
        (dispatch.take_lookup, lambda x, indices, axis=None: take(x, asarray(indices), axis=axis)),
        (dispatch.numel_lookup, _numel),
        (dispatch.divide_lookup, _divide),
        (dispatch.to_numpy_dispatch, lambda x, **_: x._data),
    ):
        lookup.register(Array, function)


def _divide(a: Any, b: Any, dtype: Any = None, **_: Any) -> Array:
    quotient = divide(a, b)
    return quotient if dtype is None else quotient.astype(dtype)


def _numel(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Array:
    """Return the number of reduced elements in the shape of the reduction's result."""
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    reduced = {axis % x.ndim for axis in axes}
    shape = tuple(1 if i in reduced else n for i, n in enumerate(x.shape) if keepdims or i not in reduced)
    return full(shape, math.prod(x.shape[i] for i in reduced), dtype=dtype)
