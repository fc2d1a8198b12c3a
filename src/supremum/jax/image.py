"""The functions of ``jax.image``: arrays resized along any of their axes."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum._core.conversion import as_integers
from supremum._core.dtype_objects import to_inexact
from supremum._core.settings import state

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


_NAMES: Final = {kind.name.lower().replace("_", "-"): kind for kind in ResizeMethod} | {
    **dict.fromkeys(("bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
    **dict.fromkeys(("bicubic", "tricubic"), ResizeMethod.CUBIC),
    "bicubic-pytorch": ResizeMethod.CUBIC_PYTORCH,
}


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
    dtype = xp.result_type(scale)
    inverse = 1.0 / scale
    places = xp.arange(m, dtype=dtype)[None]
    edges = places * inverse - translation * inverse
    at = (places + 0.5) * inverse - translation * inverse - 0.5
    elements = xp.arange(n, dtype=dtype)[:, None]
    if kind is ResizeMethod.AREA:
        # The length of the overlap of the element's interval and that of the result's.
        overlap = xp.minimum(edges + inverse, elements + 1.0) - xp.maximum(edges, elements)
        return _inside(_normalized(xp.maximum(0.0, overlap)), at, n)
    if kind is ResizeMethod.CUBIC_PYTORCH and not antialias:  # the elements at the edges continue beyond them
        beyond = _KERNELS[kind](xp.abs(at - xp.arange(-2, n + 2, dtype=dtype)[:, None]))
        held = xp.clip(xp.arange(-2, n + 2), 0, n - 1)
        return _normalized(xp.zeros((n, m), dtype=dtype).at[held].add(beyond))
    kernel = _KERNELS[ResizeMethod.CUBIC if kind is ResizeMethod.CUBIC_PYTORCH else kind]
    width = xp.maximum(inverse, 1.0) if antialias else 1.0
    return _inside(_normalized(kernel(xp.abs(at - elements) / width)), at, n)


def _normalized(weights: Array) -> Array:
    """Divide the weights of each element by their sum; those of sums that are almost 0 become 0."""
    total = xp.sum(weights, axis=0, keepdims=True)
    enough = xp.abs(total) > 1000.0 * float(np.finfo(np.float32).eps)
    return xp.where(enough, weights / xp.where(total != 0, total, 1), 0)


def _inside(weights: Array, at: Array, n: int) -> Array:
    """Set the weights of elements whose place is outside of the array to 0."""
    return xp.where((at >= -0.5) & (at <= n - 0.5), weights, 0)


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
    lengths, kind = _checked(image, shape, method, "scale_and_translate")
    if kind is ResizeMethod.NEAREST:
        raise ValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    factors, moves = _inexact(scale, translation)
    return _resampled(image, lengths, spatial_dims, list(factors), list(moves), kind, antialias)


def _resampled(
    image: Any,
    lengths: tuple[int, ...],
    axes: Sequence[int],
    scales: Sequence[Any],
    translations: Sequence[Any],
    kind: ResizeMethod,
    antialias: bool,
) -> Array:
    """Multiply an array by a matrix of weights along each axis."""
    (x,) = _inexact(image)
    for axis, scale, translation in zip(axes, scales, translations, strict=True):
        position = axis % x.ndim
        weights = _weights(x.shape[position], lengths[position], scale, translation, kind, antialias)
        x = xp.moveaxis(xp.tensordot(x, xp.astype(weights, x.dtype), axes=((position,), (0,))), -1, position)
    return x


def _checked(image: Any, shape: Sequence[int], method: str | ResizeMethod, name: str) -> tuple[tuple[int, ...], ResizeMethod]:
    """Return the lengths of the axes of a result, and the method."""
    lengths = as_integers(shape, "shape", f"image.{name}")
    given = image.shape if hasattr(image, "shape") else xp.shape(image)
    if len(lengths) != len(given):
        raise ValueError(f"shape must have length equal to the number of dimensions of x; {lengths} vs {given}")
    return lengths, ResizeMethod.from_string(method) if isinstance(method, str) else method


def _inexact(*values: Any) -> list[Array]:
    """Return arrays in their common dtype; integers become floating-point numbers."""
    arrays = [xp.asarray(value) for value in values]
    dtype = to_inexact(state().join_arrays(arrays)).dtype
    return [xp.astype(array, dtype) for array in arrays]


def resize(
    image: Any, shape: Sequence[int], method: str | ResizeMethod, antialias: bool = True, precision: Any = None
) -> Array:
    """Stretch an array to a shape."""
    lengths, kind = _checked(image, shape, method, "resize")
    x = xp.asarray(image)
    axes = [axis for axis, n in enumerate(lengths) if n != x.shape[axis]]
    if kind is ResizeMethod.NEAREST:
        for axis in axes:
            n, m = x.shape[axis], lengths[axis]
            at = xp.floor((xp.arange(m, dtype="float32") + 0.5) * np.float32(n) / np.float32(m)).astype("int32")
            x = xp.take(x, at, axis=axis)
        return x
    scale = [1.0 if 0 in (lengths[axis], x.shape[axis]) else lengths[axis] / x.shape[axis] for axis in axes]
    return _resampled(x, lengths, axes, scale, [0.0] * len(axes), kind, antialias)
