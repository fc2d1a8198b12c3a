"""Fourier transforms: the standard's extension, and the further names of `jax.numpy.fft`.

Results are complex64 or float32 for dtypes of 32 bits and fewer, complex128 or float64 for 64-bit ones, as NumPy's transforms
compute them: narrow floats and integers go through float32.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from supremum._base.boundary import publish
from supremum._base.errors import shown
from supremum._core.arguments import as_integers, normalize_axis, strong
from supremum._core.array import Array, wrap
from supremum._core.conversion import operand
from supremum._core.dtypes import complex_of, real_of, requested, to_inexact
from supremum._core.reductions import accumulator, in_dtype
from supremum._core.settings import state
from supremum._functions.creation import check_device
from supremum._functions.manipulation.axes import roll
from supremum._kernels.casts import cast
from supremum.promotion._nodes import Node

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn", "ifftshift", "ihfft", "irfft", "irfft2",
    "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

#: What each kind of transform takes and gives: c complex, r real; and whether it halves or restores its last axis.
_KINDS: Final = {
    "fft": "cc", "ifft": "cc", "fftn": "cc", "ifftn": "cc", "rfft": "rc", "rfftn": "rc", "irfft": "cr", "irfftn": "cr",
    "hfft": "cr", "ihfft": "rc",
}  # fmt: skip


def _input(name: str, function: str, x: Array) -> tuple[np.ndarray[Any, Any], Node]:
    """Give the buffer to transform and the node of the result."""
    takes, gives = _KINDS[function][0], _KINDS[function][1]
    inexact = to_inexact(strong(state().truncate(x._node)))
    if takes == "r" and inexact.kind == "c":
        msg = f"fft.{name} needs real numbers, got dtype {x.dtype}; take the .real part, or use fft.fft"
        raise ValueError(msg)
    wide = accumulator(inexact)
    data = cast(x._data, complex_of(wide) if takes == "c" else wide)
    return data, complex_of(wide) if gives == "c" else real_of(wide)


def _check_norm(name: str, norm: Any) -> None:
    if norm is not None and (not isinstance(norm, str) or norm not in ("backward", "ortho", "forward")):
        msg = f"fft.{name}: norm must be 'backward', 'ortho' or 'forward', got {shown(norm)}"
        raise ValueError(msg)


def _length(name: str, length: Any) -> int:
    if not hasattr(length, "__index__"):
        msg = f"fft.{name}: the length of a transform must be an integer, got {shown(length)}"
        raise TypeError(msg)
    if length.__index__() <= 0:
        msg = f"fft.{name}: the length of a transform must be positive, got {length}"
        raise ValueError(msg)
    return int(length)


def _along(name: str, a: Any, n: Any, axis: Any, norm: Any) -> Array:
    """Transform along one axis."""
    x = operand(a, f"fft.{name}")
    if isinstance(axis, tuple | list):
        msg = f"fft.{name} transforms along one axis, got axis={shown(axis)}; use fft.fftn and the like for several"
        raise ValueError(msg)  # noqa: TRY004 - JAX's class
    _check_norm(name, norm)
    position = normalize_axis(-1 if axis is None else axis, x.ndim, f"fft.{name}")
    length = None if n is None else _length(name, n)
    data, node = _input(name, name, x)
    count = _output_length(name, x.shape[position], length)
    if not data.size or not count:
        return wrap(np.zeros((*x.shape[:position], count, *x.shape[position + 1 :]), node.dtype), node)
    return wrap(cast(getattr(np.fft, name)(data, length, position, norm), node), node)


def _output_length(name: str, given: int, length: int | None) -> int:
    """Give the length of the transformed axis."""
    if _KINDS[name] == "rc":
        if not given and not length:
            msg = f"fft.{name} needs at least one element along the axis to transform"
            raise ValueError(msg)
        return (given if length is None else length) // 2 + 1
    if _KINDS[name] == "cr" and length is None:
        return max(0, 2 * (given - 1))
    return given if length is None else length


def _over(name: str, function: str, a: Any, s: Any, axes: Any, norm: Any) -> Array:
    """Transform over several axes."""
    x = operand(a, f"fft.{name}")
    _check_norm(name, norm)
    lengths = None if s is None else as_integers(s, "s", f"fft.{name}")
    if axes is None:
        positions = tuple(range(x.ndim)) if lengths is None else tuple(range(x.ndim - len(lengths), x.ndim))
    else:
        positions = tuple(axes)
    if lengths is not None and len(lengths) != len(positions):
        msg = f"fft.{name}: s and axes must be of equal length, got s={shown(s)} and axes={shown(axes)}"
        raise ValueError(msg)
    positions = tuple([normalize_axis(i, x.ndim, f"fft.{name}") for i in positions])
    if len(set(positions)) != len(positions):
        msg = f"fft.{name}: axes must differ, got axes={shown(axes)}"
        raise ValueError(msg)
    data, node = _input(name, function, x)
    if lengths is not None:
        # The standard lets -1 stand for the whole axis.
        lengths = tuple([x.shape[i] if n == -1 else _length(name, n) for i, n in zip(positions, lengths, strict=True)])
    if not positions:
        return wrap(cast(data, node, copy=True), node)
    shape = _output_shape(function, x.shape, positions, lengths)
    if not data.size or 0 in shape:
        return wrap(np.zeros(shape, node.dtype), node)
    if lengths is None and _KINDS[function] == "cr":
        lengths = tuple([shape[i] for i in positions])
    return wrap(cast(getattr(np.fft, function)(data, lengths, positions, norm), node), node)


def _output_shape(function: str, shape: Any, positions: Any, lengths: Any) -> tuple[int, ...]:
    """Give the shape of a transform over several axes."""
    result = list(shape)
    for i, axis in enumerate(positions):
        result[axis] = shape[axis] if lengths is None else lengths[i]
    last = positions[-1]
    if function in ("rfftn", "irfftn"):
        result[last] = _output_length(function, shape[last], None if lengths is None else lengths[-1])
    return tuple(result)


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Discrete Fourier transform.

    Parameters
    ----------
    a : Array
        The array.
    n : int, optional
        The length to trim or zero-pad the axis to first; its own by default.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _along("fft", a, n, axis, norm)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform.

    Parameters
    ----------
    a : Array
        The array.
    n : int, optional
        The length to trim or zero-pad the axis to first; its own by default.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _along("ifft", a, n, axis, norm)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Discrete Fourier transform of real numbers: the half that determines the other.

    Parameters
    ----------
    a : Array
        The array of real numbers.
    n : int, optional
        The length to trim or zero-pad the axis to first; its own by default.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex, with n // 2 + 1 elements along the axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfft(xp.asarray([1.0, 0.0, 0.0, 0.0]))
    Array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _along("rfft", a, n, axis, norm)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform of real numbers.

    Parameters
    ----------
    a : Array
        The array.
    n : int, optional
        The length of the result along the axis; by default 2 * (m - 1) for m elements.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfft(xp.asarray([4.0, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float32)
    """
    return _along("irfft", a, n, axis, norm)


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Discrete Fourier transform of a signal with Hermitian symmetry, given by half of it.

    Parameters
    ----------
    a : Array
        The array.
    n : int, optional
        The length of the result along the axis; by default 2 * (m - 1) for m elements.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.hfft(xp.asarray([1.0, 0.0, 0.0]))
    Array([1., 1., 1., 1.], dtype=float32)
    """
    return _along("hfft", a, n, axis, norm)


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform of a signal with Hermitian symmetry.

    Parameters
    ----------
    a : Array
        The array of real numbers.
    n : int, optional
        The length to trim or zero-pad the axis to first; its own by default.
    axis : int
        The axis to transform along.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, complex, with n // 2 + 1 elements along the axis.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ihfft(xp.asarray([4.0, 0.0, 0.0, 0.0]))
    Array([1.-0.j, 1.-0.j, 1.-0.j], dtype=complex64)
    """
    return _along("ihfft", a, n, axis, norm)


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Array:
    """Discrete Fourier transform over several axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int, optional
        The axes; all by default, or as many of the last ones as `s` is long.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _over("fftn", "fftn", a, s, axes, norm)


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform over several axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int, optional
        The axes; all by default, or as many of the last ones as `s` is long.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifftn(xp.ones((2, 2)))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _over("ifftn", "ifftn", a, s, axes, norm)


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Array:
    """Discrete Fourier transform of real numbers over several axes.

    Parameters
    ----------
    a : Array
        The array of real numbers.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int, optional
        The axes; all by default, or as many of the last ones as `s` is long.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex, the last axis halved.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfftn(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    return _over("rfftn", "rfftn", a, s, axes, norm)


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform of real numbers over several axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths of the result along the axes; by default those of the array, and 2 * (m - 1) for m elements of the last.
    axes : sequence of int, optional
        The axes; all by default, or as many of the last ones as `s` is long.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfftn(xp.ones((2, 2)))
    Array([[1., 0.],
           [0., 0.]], dtype=float32)
    """
    return _over("irfftn", "irfftn", a, s, axes, norm)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Array:
    """Discrete Fourier transform over two axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int
        The two axes.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fft2(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    _two_axes("fft2", axes)
    return _over("fft2", "fftn", a, s, axes, norm)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform over two axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int
        The two axes.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, complex.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifft2(xp.ones((2, 2)))
    Array([[1.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    _two_axes("ifft2", axes)
    return _over("ifft2", "ifftn", a, s, axes, norm)


def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Array:
    """Discrete Fourier transform of real numbers over two axes.

    Parameters
    ----------
    a : Array
        The array of real numbers.
    s : sequence of int, optional
        The lengths to trim or zero-pad the axes to first; -1 for the axis as it is.
    axes : sequence of int
        The two axes.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: not at all (the default), by its root, or by itself.

    Returns
    -------
    Array
        The transform, complex, the last axis halved.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfft2(xp.ones((2, 2)))
    Array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)
    """
    _two_axes("rfft2", axes)
    return _over("rfft2", "rfftn", a, s, axes, norm)


def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Array:
    """Inverse of the discrete Fourier transform of real numbers over two axes.

    Parameters
    ----------
    a : Array
        The array.
    s : sequence of int, optional
        The lengths of the result along the axes; by default those of the array, and 2 * (m - 1) for m elements of the last.
    axes : sequence of int
        The two axes.
    norm : {"backward", "ortho", "forward"}, optional
        Whether to divide by the number of elements: by itself (the default), by its root, or not at all.

    Returns
    -------
    Array
        The transform, real.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.irfft2(xp.ones((2, 2)))
    Array([[1., 0.],
           [0., 0.]], dtype=float32)
    """
    _two_axes("irfft2", axes)
    return _over("irfft2", "irfftn", a, s, axes, norm)


def _two_axes(name: str, axes: Any) -> None:
    if not isinstance(axes, list | tuple) or len(axes) != 2:
        msg = f"fft.{name} transforms over two axes, got axes={shown(axes)}"
        raise TypeError(msg) if axes is None else ValueError(msg)


def fftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the elements of a discrete Fourier transform.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float
        The distance between samples.
    dtype : dtype, optional
        A real floating-point dtype; the default one if left out.
    device : "cpu", optional
        The only device.

    Returns
    -------
    Array
        The frequencies: 0 and the positive ones, then the negative ones.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftfreq(4)
    Array([ 0.  ,  0.25, -0.5 , -0.25], dtype=float32)
    """
    node, length = _frequencies("fftfreq", n, d, dtype, device)
    steps = np.arange(length)
    return _spaced((steps + length // 2) % length - length // 2 if len(steps) else steps, length, d, node)


def rfftfreq(n: int, d: Any = 1.0, *, dtype: Any = None, device: Any = None) -> Array:
    """Frequencies of the elements of a discrete Fourier transform of real numbers.

    Parameters
    ----------
    n : int
        The length of the transform.
    d : float
        The distance between samples.
    dtype : dtype, optional
        A real floating-point dtype; the default one if left out.
    device : "cpu", optional
        The only device.

    Returns
    -------
    Array
        The frequencies, none of them negative.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.rfftfreq(4)
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    node, length = _frequencies("rfftfreq", n, d, dtype, device)
    last = (length if length % 2 == 0 else length - 1) // 2
    return _spaced(np.arange(last + 1), length, d, node)


def _frequencies(name: str, n: Any, d: Any, dtype: Any, device: Any) -> tuple[Node, Any]:
    """Check what the two functions of frequencies are given; give the node of the result and the length."""
    check_device(device, f"fft.{name}")
    for word, value in (("n", n), ("d", d)):
        if isinstance(value, list | tuple):
            msg = f"fft.{name}: {word} must be one number, got {shown(value)}"
            raise ValueError(msg)  # noqa: TRY004 - JAX's class
        number = operand(value, f"fft.{name}")
        if number.ndim or number._node.kind == "c":
            msg = f"fft.{name}: {word} must be one real number, got {shown(value)}"
            raise TypeError(msg)
    here = state()
    length = operand(n, f"fft.{name}")._data.item()
    return here.float_ if dtype is None else requested(dtype, f"fft.{name}", here), length


def _spaced(steps: np.ndarray[Any, Any], n: Any, d: Any, node: Node) -> Array:
    wide = accumulator(to_inexact(node))
    span = in_dtype(d * n, operand(d * n, "fft.fftfreq", 1), wide)
    return wrap(cast(np.asarray(steps.astype(wide.dtype) / span), node), node)


def fftshift(x: Any, axes: Any = None) -> Array:
    """Shift the zero frequency to the middle.

    Parameters
    ----------
    x : Array
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all of them by default.

    Returns
    -------
    Array
        The shifted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.fftshift(xp.asarray([0, 1, 2, -2, -1]))
    Array([-2, -1,  0,  1,  2], dtype=int32)
    """
    return _shifted("fftshift", x, axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Array:
    """Undo `fftshift`.

    Parameters
    ----------
    x : Array
        The array.
    axes : int or sequence of int, optional
        The axes to shift along; all of them by default.

    Returns
    -------
    Array
        The shifted array.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.fft.ifftshift(xp.asarray([-2, -1, 0, 1, 2]))
    Array([ 0,  1,  2, -2, -1], dtype=int32)
    """
    return _shifted("ifftshift", x, axes, -1)


def _shifted(name: str, x: Any, axes: Any, sign: int) -> Array:
    a = operand(x, f"fft.{name}")
    numbers = range(a.ndim) if axes is None else as_integers(axes, "axes", f"fft.{name}")
    positions = tuple([normalize_axis(i, a.ndim, f"fft.{name}") for i in numbers])
    if not positions:
        return a
    return roll(a, tuple([sign * (a.shape[i] // 2) for i in positions]), positions)


publish(__name__)
