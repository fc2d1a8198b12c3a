"""The functions of ``jax.image``: arrays resized along any of their axes."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array

__all__ = ["ResizeMethod", "resize", "scale_and_translate"]


class ResizeMethod(enum.Enum):
    """How elements are made of those of an array of another shape."""

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """Return the method of a name."""
        if s not in _NAMES:
            raise ValueError(f'Unknown resize method "{s}"')
        return _NAMES[s]


_NAMES: Final = {
    "nearest": ResizeMethod.NEAREST, "linear": ResizeMethod.LINEAR, "bilinear": ResizeMethod.LINEAR,
    "trilinear": ResizeMethod.LINEAR, "triangle": ResizeMethod.LINEAR, "lanczos3": ResizeMethod.LANCZOS3,
    "lanczos5": ResizeMethod.LANCZOS5, "cubic": ResizeMethod.CUBIC, "bicubic": ResizeMethod.CUBIC,
    "tricubic": ResizeMethod.CUBIC, "cubic-pytorch": ResizeMethod.CUBIC_PYTORCH,
    "bicubic-pytorch": ResizeMethod.CUBIC_PYTORCH, "area": ResizeMethod.AREA,
}  # fmt: skip


def _cubic(a: float) -> Callable[[Array], Array]:
    def kernel(x: Array) -> Array:
        near = ((a + 2) * x - (a + 3)) * x * x + 1
        far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
        return xp.where(x >= 2, 0.0, xp.where(x >= 1, far, near))

    return kernel


def _lanczos(radius: float) -> Callable[[Array], Array]:
    def kernel(x: Array) -> Array:
        y = radius * xp.sin(xp.pi * x) * xp.sin(xp.pi * x / radius)
        inside = xp.where(x > 1e-3, y / xp.where(x != 0, xp.pi**2 * x**2, 1), 1)
        return xp.where(x > radius, 0.0, inside)

    return kernel


_KERNELS: Final[dict[ResizeMethod, Callable[[Array], Array]]] = {
    ResizeMethod.LINEAR: lambda x: xp.maximum(0, 1 - x),
    ResizeMethod.LANCZOS3: _lanczos(3.0),
    ResizeMethod.LANCZOS5: _lanczos(5.0),
    ResizeMethod.CUBIC: _cubic(-0.5),
    ResizeMethod.CUBIC_PYTORCH: _cubic(-0.75),
}


def _weights(n: int, m: int, scale: Any, translation: Any, kind: ResizeMethod, antialias: bool) -> Array:
    """Return the matrix that makes `m` elements of `n`."""
    if kind is ResizeMethod.AREA:
        raise NotImplementedError("jax.image: the method 'area' is not available; JAX runs the same script")
    extended = kind is ResizeMethod.CUBIC_PYTORCH and not antialias
    kernel = _KERNELS[ResizeMethod.CUBIC if kind is ResizeMethod.CUBIC_PYTORCH and antialias else kind]
    inverse = 1.0 / scale
    width = xp.maximum(inverse, 1.0) if antialias else 1.0
    at = (xp.arange(m, dtype="float32") + 0.5) * inverse - translation * inverse - 0.5
    if extended:  # the elements at the edges continue beyond them
        beyond = kernel(xp.abs(at[None, :] - xp.arange(-3, n + 3, dtype="float32")[:, None]))
        inner = beyond[3:-3]
        return inner.at[0].add(beyond[:3].sum(axis=0)).at[-1].add(beyond[-3:].sum(axis=0))
    distance = xp.abs(at[None, :] - xp.arange(n, dtype="float32")[:, None]) / width
    weights = kernel(distance)
    total = xp.sum(weights, axis=0, keepdims=True)
    enough = xp.abs(total) > 1000.0 * float(np.finfo(np.float32).eps)
    weights = xp.where(enough, weights / xp.where(total != 0, total, 1), 0)
    return xp.where(((at >= -0.5) & (at <= n - 0.5))[None, :], weights, 0)


def scale_and_translate(
    image: Any,
    shape: Sequence[int],
    spatial_dims: Sequence[int],
    scale: Any,
    translation: Any,
    method: str | ResizeMethod,
    antialias: bool = True,
    precision: Any = None,
) -> Array:
    """Stretch an array by factors, move it, and cut it out at a shape."""
    lengths = tuple(shape)
    if len(lengths) != xp.ndim(image):
        raise ValueError(f"shape must have length equal to the number of dimensions of x; {lengths} vs {xp.shape(image)}")
    kind = ResizeMethod.from_string(method) if isinstance(method, str) else method
    if kind is ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    x = xp.asarray(image)
    out = x if x._node.kind in "fc" else x.astype(xp.result_type(x, float))
    axes = [axis + x.ndim if axis < 0 else axis for axis in spatial_dims]
    factors, moves = (xp.asarray(given, dtype="float32") for given in (scale, translation))
    for i, axis in enumerate(axes):
        weights = _weights(x.shape[axis], lengths[axis], factors[i], moves[i], kind, antialias)
        out = xp.moveaxis(xp.tensordot(out, weights.astype(out.dtype), axes=((axis,), (0,))), -1, axis)
    return out


def resize(
    image: Any, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True, precision: Any = None
) -> Array:
    """Stretch an array to a shape."""
    lengths = tuple(shape)
    if len(lengths) != xp.ndim(image):
        raise ValueError(f"shape must have length equal to the number of dimensions of x; {lengths} vs {xp.shape(image)}")
    kind = ResizeMethod.from_string(method) if isinstance(method, str) else method
    x = xp.asarray(image)
    axes = [axis for axis, n in enumerate(lengths) if n != x.shape[axis]]
    if kind is ResizeMethod.NEAREST:
        for axis in axes:
            n, m = x.shape[axis], lengths[axis]
            at = xp.floor((xp.arange(m, dtype="float32") + 0.5) * np.float32(n) / np.float32(m)).astype("int32")
            x = xp.take(x, at, axis=axis)
        return x
    scale = [1.0 if x.shape[axis] == 0 else lengths[axis] / x.shape[axis] for axis in axes]
    return scale_and_translate(x, lengths, axes, scale, [0.0] * len(axes), kind, antialias)
