"""Solve linear systems on buffers: inverses, one system at a time, least squares."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from supremum._core.conversion import Buffer
from supremum._functions.linear_algebra._matrices import adjoint, robust
from supremum._kernels import lapack


def epsilon(data: Buffer) -> float:
    """Return the machine epsilon of the dtype of a buffer."""
    return _epsilon(data.dtype)


@lru_cache(maxsize=8)
def _epsilon(dtype: np.dtype[Any]) -> float:
    return float(np.finfo(dtype).eps)


def solve_each(left: Buffer, columns: Buffer) -> Buffer:
    """Solve by LAPACK; systems with singular matrices, which it refuses, by an elimination that divides by zero."""
    try:
        return lapack.raising(lapack.solve, left, columns)
    except np.linalg.LinAlgError:
        pass
    batch = np.broadcast_shapes(left.shape[:-2], columns.shape[:-2])
    lefts, rights = np.broadcast_to(left, batch + left.shape[-2:]), np.broadcast_to(columns, batch + columns.shape[-2:])
    out = np.empty(rights.shape, rights.dtype)
    for index in np.ndindex(batch):
        try:
            out[index] = lapack.raising(lapack.solve, lefts[index], rights[index])
        except np.linalg.LinAlgError:
            out[index] = _eliminated(lefts[index].copy(), rights[index].copy())
    return out


def _eliminated(a: Buffer, b: Buffer) -> Buffer:
    """Solve one system by Gaussian elimination with partial pivoting, in place."""
    n = len(a)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if pivot != k:
            a[[k, pivot]], b[[k, pivot]] = a[[pivot, k]], b[[pivot, k]]
        if a[k, k] != 0:
            factors = a[k + 1 :, k] / a[k, k]
            a[k + 1 :] -= np.outer(factors, a[k])
            b[k + 1 :] -= np.outer(factors, b[k])
    for k in reversed(range(n)):
        b[k] /= a[k, k]
        b[:k] -= np.outer(a[:k, k], b[k])
    return b


def inverse(data: Buffer) -> Buffer:
    """Return the inverses of square matrices."""
    try:
        return lapack.raising(lapack.inv, data)
    except np.linalg.LinAlgError:
        return solve_each(data, np.eye(data.shape[-1], dtype=data.dtype))


def least_squares(left: Buffer, columns: Buffer, rcond: Any) -> tuple[Buffer, Buffer, int]:
    """Return the solutions of least squares, the singular values and the rank."""
    if not left.size:
        return np.zeros((left.shape[1], columns.shape[1]), left.dtype), np.zeros(0, left.real.dtype), 0
    if rcond is None:
        rcond = epsilon(left) * max(left.shape)
    elif rcond < 0:
        rcond = epsilon(left)
    if lapack.is_finite(left) and lapack.is_finite(columns) and columns.size:
        try:
            x, _, found, s = np.linalg.lstsq(left, columns, rcond)
        except np.linalg.LinAlgError:  # the singular values have no such error
            pass
        else:
            return x, s, int(found)
    u, s, vh = robust(lapack.thin_svd, left)
    least = s.dtype.type(rcond) * s[0]
    if s[-1] > 0 and s[-1] >= least:
        inverse_values, rank = 1 / s, len(s)
    else:
        kept = (s > 0) & (s >= least)
        inverse_values, rank = np.where(kept, 1 / np.where(kept, s, 1), 0).astype(s.dtype), int(kept.sum())
    x = adjoint(vh) @ (inverse_values[:, None] * (adjoint(u) @ columns))
    return x, s, rank
