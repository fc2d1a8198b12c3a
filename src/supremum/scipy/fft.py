"""Discrete cosine transforms, of ``jax.scipy.fft``."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe
from supremum._base.silence import call_user_code
from supremum._core.arguments import normalize_axes, normalize_axis
from supremum._core.array import Array
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import rounded
from supremum.scipy._matrices import in_double

__all__ = ["dct", "dctn", "idct", "idctn"]


def _check(function: str, kind: int, norm: str | None) -> None:
    if kind != 2:
        raise NotImplementedError(f"{function}: type must be 2, as in JAX")
    if norm not in (None, "backward", "ortho"):
        raise ValueError(f"{function}: norm must be None, 'backward' or 'ortho', got {describe(norm)}")


def _resized(x: Buffer, n: int | None, axis: int) -> Buffer:
    """Cut an array along an axis, or append zeros."""
    if n is None or n == x.shape[axis]:
        return x
    if n < x.shape[axis]:
        return x[(slice(None),) * axis + (slice(n),)]
    return np.pad(x, [(0, n - m if number == axis else 0) for number, m in enumerate(x.shape)])


def _transformed(x: Buffer, axis: int, norm: str | None, *, inverse: bool) -> Buffer:
    if x.dtype.kind == "c":
        parts = [_transformed(part, axis, norm, inverse=inverse) for part in (x.real, x.imag)]
        return parts[0] + 1j * parts[1]
    rows = np.moveaxis(x, axis, -1)
    n = rows.shape[-1]
    if not n:
        return x
    turns = np.exp(-0.5j * math.pi * np.arange(n) / n)
    scale = np.full(n, math.sqrt(1 / (2 * n)) if norm == "ortho" else 1.0)
    scale[0] = math.sqrt(1 / (4 * n)) if norm == "ortho" else 1.0
    order = np.concatenate([np.arange(0, n, 2), np.arange(1, n, 2)[::-1]])  # the even positions, then the odd ones backwards
    if not inverse:
        found = 2 * (np.fft.fft(rows[..., order]) * turns).real * scale
    else:
        spectrum = rows / scale / 2
        mirrored = np.concatenate([np.zeros((*rows.shape[:-1], 1)), spectrum[..., :0:-1]], -1)
        values = np.fft.ifft((spectrum - 1j * mirrored) / turns).real
        found = np.empty_like(rows)
        found[..., order] = values
    return np.moveaxis(found, -1, axis)


def _one(function: str, x: Any, kind: int, n: int | None, axis: int, norm: str | None, *, inverse: bool) -> Array:
    _check(function, kind, norm)
    node, (data,) = in_double(function, x)  # the result is float32 at least, as in JAX
    along = normalize_axis(axis, data.ndim, function)
    data = _resized(data, None if n is None else call_user_code(operator.index, n), along)
    return rounded(np.ascontiguousarray(_transformed(data, along, norm, inverse=inverse)), node.wide.strong)


def _many(function: str, x: Any, kind: int, s: Any, axes: Any, norm: str | None, *, inverse: bool) -> Array:
    _check(function, kind, norm)
    node, (data,) = in_double(function, x)
    given = s if s is None or isinstance(s, Sequence) else [s]
    lengths = None if given is None else [call_user_code(operator.index, n) for n in given]
    if lengths is not None and len(lengths) > data.ndim:
        raise ShapeError(f"{function}: s must have at most {data.ndim} elements, got {len(lengths)}")
    if axes is None and lengths is not None:
        along = tuple(range(data.ndim - len(lengths), data.ndim))
    else:
        along = normalize_axes(tuple(axes) if isinstance(axes, list) else axes, data.ndim, function)
    for axis, n in zip(along, lengths or [], strict=False):
        data = _resized(data, n, axis)
    for axis in along:
        data = _transformed(data, axis, norm, inverse=inverse)
    return rounded(np.ascontiguousarray(data), node.wide.strong)


def dct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the discrete cosine transform.

    Parameters
    ----------
    x : array_like
        The values.
    type : int
        Must be 2, as in JAX.
    n : int, optional
        The length, to which the values are cut or extended by zeros.
    axis : int
        The axis to transform.
    norm : {None, "backward", "ortho"}
        Whether to scale so that the transform is orthonormal (``"ortho"``).

    Returns
    -------
    Array
        The transform.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.fft.dct(xp.ones(2))
    Array([4., 0.], dtype=float32)
    """
    return _one("dct", x, type, n, axis, norm, inverse=False)


def idct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the inverse of `dct`.

    Parameters
    ----------
    x, type, n, axis, norm
        As for `dct`.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.fft.idct(xp.asarray([4.0, 0.0]))
    Array([1., 1.], dtype=float32)
    """
    return _one("idct", x, type, n, axis, norm, inverse=True)


def dctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Compute the discrete cosine transform along several axes.

    Parameters
    ----------
    x, type, norm
        As for `dct`.
    s : sequence of int, optional
        The lengths, to which the values are cut or extended by zeros.
    axes : sequence of int, optional
        The axes to transform; all of them by default, or the last ones if `s` is given.

    Returns
    -------
    Array
        The transform.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.fft.dctn(xp.ones((2, 2)))
    Array([[16.,  0.],
           [ 0.,  0.]], dtype=float32)
    """
    return _many("dctn", x, type, s, axes, norm, inverse=False)


def idctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Compute the inverse of `dctn`.

    Parameters
    ----------
    x, type, s, axes, norm
        As for `dctn`.

    Returns
    -------
    Array
        The values.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.fft.idctn(xp.asarray([[16.0, 0.0], [0.0, 0.0]]))
    Array([[1., 1.],
           [1., 1.]], dtype=float32)
    """
    return _many("idctn", x, type, s, axes, norm, inverse=True)


publish(__name__)
