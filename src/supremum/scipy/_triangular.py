"""Kernels for triangular matrices and for the factors of Gaussian elimination; stacks of them, in the dtype given."""

from __future__ import annotations

import numpy as np

from supremum._base.buffers import Buffer

__all__ = ["eliminate", "permutation", "substitute"]


def substitute(a: Buffer, b: Buffer, *, lower: bool, unit: bool = False) -> Buffer:
    """Solve ``a @ x = b`` for triangular matrices and columns; the other triangle is not read."""
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    y = np.broadcast_to(b, (*batch, *b.shape[-2:])).copy()
    n = a.shape[-1]
    for i in range(n) if lower else range(n - 1, -1, -1):
        done = slice(0, i) if lower else slice(i + 1, n)
        y[..., i, :] -= np.matmul(a[..., i : i + 1, done], y[..., done, :])[..., 0, :]
        if not unit:
            y[..., i, :] /= a[..., i, i, None]
    return y


def eliminate(a: Buffer) -> tuple[Buffer, Buffer, Buffer]:
    """Factor matrices with exchanges of rows.

    Return both factors in one matrix, the row that each step exchanged, and the resulting order of the rows.
    """
    rows, columns = a.shape[-2:]
    factors = a.copy()
    steps = min(rows, columns)
    flat = factors.reshape(-1, rows, columns)
    exchanged = np.zeros((len(flat), steps), np.int32)
    order = np.broadcast_to(np.arange(rows, dtype=np.int32), (len(flat), rows)).copy()
    for matrix, pivots, places in zip(flat, exchanged, order, strict=True):
        _eliminate_one(matrix, pivots, places)
    batch = a.shape[:-2]
    return flat.reshape(a.shape), exchanged.reshape(*batch, steps), order.reshape(*batch, rows)


def _eliminate_one(a: Buffer, pivots: Buffer, order: Buffer) -> None:
    for k in range(len(pivots)):
        p = k + int(np.argmax(np.abs(a[k:, k].real) + np.abs(a[k:, k].imag)))
        pivots[k] = p
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[[k, p]] = order[[p, k]]
        if a[k, k] != 0:
            a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])


def permutation(pivots: Buffer, size: int) -> Buffer:
    """Return the order of rows that exchanges of rows lead to."""
    flat = pivots.reshape(-1, pivots.shape[-1])
    order = np.broadcast_to(np.arange(size, dtype=pivots.dtype), (len(flat), size)).copy()
    for places, row in zip(order, flat, strict=True):
        for k, p in enumerate(row):
            places[[k, p]] = places[[p, k]]
    return order.reshape(*pivots.shape[:-1], size)
