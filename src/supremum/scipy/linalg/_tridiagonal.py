"""Kernel of linear systems whose matrices have three diagonals: elimination with exchanges of rows, for stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.buffers import Buffer

__all__ = ["solve_tridiagonal"]


def solve_tridiagonal(lower: Buffer, middle: Buffer, upper: Buffer, columns: Buffer, perturb: Any = None) -> Buffer:
    """Return the solutions, NaN for singular matrices.

    With `perturb`, the limits of a dtype, pivots below its smallest number are replaced by its epsilon times the greatest
    element of the eliminated matrix, so that all solutions are finite.
    """
    n = middle.shape[-1]
    # Row k of the eliminated matrix has the elements (main[k], beside[k], after[k]) from its pivot on.
    main, beside = np.moveaxis(middle, -1, 0).copy(), np.moveaxis(upper, -1, 0).copy()
    below, right = np.moveaxis(lower, -1, 0), np.moveaxis(columns, -2, 0).copy()
    after = np.zeros_like(main)
    if n:
        beside[-1] = 0
    for k in range(n - 1):
        pivot, under = main[k].copy(), below[k + 1]
        exchange = abs(under) > abs(pivot)
        factor = np.where(exchange, pivot, under) / np.where(exchange, under, pivot)
        factor = np.where((pivot == 0) & ~exchange, 0, factor)  # the column is zero
        upper_row = beside[k].copy(), right[k].copy()
        main[k] = np.where(exchange, under, pivot)
        beside[k] = np.where(exchange, main[k + 1], upper_row[0])
        after[k] = np.where(exchange, beside[k + 1], 0)
        main[k + 1] = np.where(exchange, upper_row[0] - factor * main[k + 1], main[k + 1] - factor * upper_row[0])
        beside[k + 1] = np.where(exchange, -factor * beside[k + 1], beside[k + 1])
        moved, scale = exchange[..., None], factor[..., None]
        right[k] = np.where(moved, right[k + 1], upper_row[1])
        right[k + 1] = np.where(moved, upper_row[1] - scale * right[k + 1], right[k + 1] - scale * upper_row[1])
    singular = (main == 0).any(0)
    if perturb is not None:
        greatest = np.maximum(np.maximum(abs(main), abs(beside)), abs(after)).max(0, initial=0.0)
        least = np.where(greatest == 0, perturb.smallest_normal, perturb.eps * greatest)
        main = np.where(abs(main) < perturb.smallest_normal, np.where(main.real < 0, -least, least), main)
    for k in range(n - 1, -1, -1):
        if k + 1 < n:
            right[k] -= beside[k, ..., None] * right[k + 1]
        if k + 2 < n:
            right[k] -= after[k, ..., None] * right[k + 2]
        right[k] /= main[k, ..., None]
    if perturb is None:
        right[..., singular, :] = np.nan
    return np.moveaxis(right, 0, -2)
