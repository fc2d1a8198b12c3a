"""Discrete cosine transforms, of ``jax.scipy.fft``."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, check_choice
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import normalize_axes, normalize_axis
from supremum._functions.linear_algebra._matrices import inexact, rounded
from supremum.scipy._evaluation import Library

__all__ = ["dct", "dctn", "idct", "idctn"]

_FFT: Final = Library("scipy.fft")


def _check(function: str, kind: int, norm: str | None) -> None:
    if kind != 2:
        raise NotImplementedError(f"{function}: type must be 2, as in JAX")
    check_choice(norm, "norm", (None, "backward", "ortho"), function)


def _one(name: str, x: Any, kind: int, n: int | None, axis: int, norm: str | None) -> Array:
    _check(name, kind, norm)
    node, (data,) = inexact(name, x)
    along = normalize_axis(axis, data.ndim, name)
    length = None if n is None else call_user_code(operator.index, n)
    if (data.shape[along] if length is None else length) == 0:
        return rounded(_resized(data, [along], [0]), node.wide.strong)
    return rounded(getattr(_FFT, name)(data, 2, length, along, norm), node.wide.strong)


def _many(name: str, x: Any, kind: int, s: Any, axes: Any, norm: str | None) -> Array:
    _check(name, kind, norm)
    node, (data,) = inexact(name, x)
    lengths = None if s is None else [call_user_code(operator.index, n) for n in (s if isinstance(s, Sequence) else (s,))]
    if lengths is not None and len(lengths) > data.ndim:
        raise ShapeError(f"{name}: s must have at most {data.ndim} elements, got {len(lengths)}")
    if axes is None and lengths is not None:
        axes = range(data.ndim - len(lengths), data.ndim)
    along = None if axes is None else normalize_axes(tuple(axes) if isinstance(axes, list | range) else axes, data.ndim, name)
    if lengths is not None and along is not None:
        lengths = [*lengths, *[data.shape[axis] for axis in along[len(lengths) :]]][: len(along)]
    if not data.ndim or 0 in (data.shape if along is None else [data.shape[axis] for axis in along]) or 0 in (lengths or ()):
        found = _resized(data, along or (), lengths or ())
    else:
        found = getattr(_FFT, name)(data, 2, lengths, along, norm)
    return rounded(found, node.wide.strong)


def _resized(data: Buffer, axes: Sequence[int], lengths: Sequence[int]) -> Buffer:
    """Return the transform where an axis is empty."""
    shape = dict(enumerate(data.shape)) | dict(zip(axes, lengths, strict=False))
    return data if not data.ndim else np.zeros(tuple(shape.values()), data.dtype)


@public
def dct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the discrete cosine transform.

    Parameters
    ----------
    x, type, n, axis, norm

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
    return _one("dct", x, type, n, axis, norm)


@public
def idct(x: ArrayLike, type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Compute the inverse of `dct`.

    Parameters
    ----------
    x, type, n, axis, norm

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
    return _one("idct", x, type, n, axis, norm)


@public
def dctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Compute the discrete cosine transform along several axes.

    Parameters
    ----------
    x, type, s, axes, norm

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
    return _many("dctn", x, type, s, axes, norm)


@public
def idctn(
    x: ArrayLike, type: int = 2, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str | None = None
) -> Array:
    """Compute the inverse of `dctn`.

    Parameters
    ----------
    x, type, s, axes, norm

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
    return _many("idctn", x, type, s, axes, norm)


__dir__ = __all__.copy  # which `dir` sorts
