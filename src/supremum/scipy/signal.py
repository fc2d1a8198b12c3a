"""Convolution, correlation, detrending and spectral estimation, of ``jax.scipy.signal``."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, describe, warn, without_function_name
from supremum._base.silence import call_user_code, is_from_user
from supremum._core.argument_types import ArrayLike
from supremum._core.arguments import normalize_axes, normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtype_objects import complex_of
from supremum._functions.linear_algebra._matrices import inexact, rounded
from supremum.promotion._nodes import Node
from supremum.scipy._evaluation import check_word
from supremum.scipy._library import Library
from supremum.scipy._matrix_arguments import in_double

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]  # fmt: skip

_SIGNAL: Final = Library("scipy.signal")


def _pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    check_word(function, "mode", mode, "full same valid")
    node, (a, b) = inexact(function, in1, in2)
    if a.ndim != b.ndim:
        raise ShapeError(f"{function}: the arguments must have as many axes as each other, got shapes {a.shape} and {b.shape}")
    if not a.size or not b.size:
        raise ShapeError(f"{function}: the arguments must not be empty, got shapes {a.shape} and {b.shape}")
    return node, a, b


def _nested_pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    node, a, b = _pair(function, in1, in2, mode)
    if not (_contains(a.shape, b.shape) or _contains(b.shape, a.shape)):
        raise ShapeError(f"{function}: one argument must be at least as large as the other on each axis: {a.shape}, {b.shape}")
    return node, a, b


def _contains(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(map(operator.ge, a, b))


def _plane(function: str, in1: Any, in2: Any, mode: str, boundary: str, fillvalue: float) -> tuple[Node, Buffer, Buffer]:
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{function}: boundary must be 'fill' and fillvalue must be 0, as in JAX")
    node, a, b = _nested_pair(function, in1, in2, mode)
    if a.ndim != 2:
        raise ShapeError(f"{function}: the arguments must have 2 axes, got {a.ndim}")
    return node, a, b


def _convolved(a: Buffer, b: Buffer, mode: str) -> Any:
    return np.convolve(a, b) if a.ndim == 1 and mode == "full" else _SIGNAL.convolve(a, b, mode, "direct")


@public(sums=True)
def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Convolve arrays of as many axes as each other.

    Parameters
    ----------
    in1, in2
    mode, method, precision

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.convolve(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([1.0, 1.0]))
    Array([1., 3., 5., 3.], dtype=float32)
    """
    check_word("convolve", "method", method, "auto direct fft")
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    node, a, b = _nested_pair("convolve", in1, in2, mode)
    return rounded(_convolved(a, b, mode), node)


@public(sums=True)
def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Correlate arrays of as many axes as each other.

    Parameters
    ----------
    in1, in2
    mode, method, precision

    Returns
    -------
    Array
        The correlation.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.correlate(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([0.0, 1.0]))
    Array([1., 2., 3., 0.], dtype=float32)
    """
    check_word("correlate", "method", method, "auto direct fft")
    if method == "fft":
        given = operand(in2, "correlate", 1)
        return fftconvolve(in1, wrap(np.flip(given._data).conj(), given._node), mode=mode)
    node, a, b = _nested_pair("correlate", in1, in2, mode)
    return rounded(_convolved(a, np.flip(b).conj(), mode), node)


@public
def convolve2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Convolve arrays of two axes.

    Parameters
    ----------
    in1, in2
    mode, boundary, fillvalue, precision

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.convolve2d(xp.ones((2, 2)), xp.ones((1, 2)))
    Array([[1., 2., 1.],
           [1., 2., 1.]], dtype=float32)
    """
    node, a, b = _plane("convolve2d", in1, in2, mode, boundary, fillvalue)
    return rounded(_SIGNAL.convolve2d(a, b, mode), node)


@public
def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Correlate arrays of two axes.

    Parameters
    ----------
    in1, in2
    mode, boundary, fillvalue, precision

    Returns
    -------
    Array
        The correlation.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.correlate2d(xp.ones((2, 2)), xp.ones((1, 2)))
    Array([[1., 2., 1.],
           [1., 2., 1.]], dtype=float32)
    """
    node, a, b = _plane("correlate2d", in1, in2, mode, boundary, fillvalue)
    return rounded(_SIGNAL.correlate2d(a, b, mode), node)


@public
def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: int | Sequence[int] | None = None) -> Array:
    """Convolve arrays by Fourier transforms, which is faster if both are large.

    Parameters
    ----------
    in1, in2
    mode
    axes : int or sequence of int, optional
        The axes to convolve along; all of them by default. Along the others both arrays must have the same length.

    Returns
    -------
    Array
        The convolution.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.fftconvolve(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([1.0, 1.0])).round(3)
    Array([1., 3., 5., 3.], dtype=float32)
    """
    node, a, b = (_nested_pair if mode == "valid" else _pair)("fftconvolve", in1, in2, mode)
    along = None
    if axes is not None:
        along = normalize_axes(tuple(axes) if isinstance(axes, list) else axes, a.ndim, "fftconvolve")
        if any(m != n for axis, (m, n) in enumerate(zip(a.shape, b.shape, strict=True)) if axis not in along):
            raise ShapeError(f"fftconvolve: lengths along axes that are not convolved must be equal, got {a.shape}, {b.shape}")
    return rounded(a * b if along == () else _SIGNAL.fftconvolve(a, b, mode, along), node.strong)


@public
def detrend(
    data: ArrayLike, axis: int = -1, type: str = "linear", bp: int | Sequence[int] | Buffer = 0, overwrite_data: None = None
) -> Array:
    """Subtract the mean or a line of least squares.

    Parameters
    ----------
    data : array_like
        The signals.
    axis
    type : {"linear", "constant"}
        Whether to subtract lines or the mean.
    bp : int or sequence of int
        Where lines end and others begin.
    overwrite_data : None
        Must be None, as in JAX.

    Returns
    -------
    Array
        The rest.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.signal.detrend(xp.asarray([1.0, 3.0, 2.0]), type="constant")
    Array([-1.,  1.,  0.], dtype=float32)
    """
    if overwrite_data is not None:
        raise NotImplementedError("detrend: overwrite_data must be None, as in JAX")
    node, (x,) = in_double("detrend", data)
    along = normalize_axis(axis, x.ndim, "detrend")
    found = _without_trend(np.moveaxis(x, along, -1), type, bp)
    # JAX's result is weak for lines, and strong for constants.
    return rounded(np.moveaxis(found, -1, along).copy(), node if type == "linear" else node.strong)


def _without_trend(x: Buffer, kind: str, bp: Any = 0) -> Buffer:
    if kind == "constant":
        return x - x.mean(-1, keepdims=True)
    if kind != "linear":
        raise ValueError(f"detrend: type must be 'linear' or 'constant', got {describe(kind)}")
    n = x.shape[-1]
    ends = np.unique(np.r_[0, bp, n])
    if ends[0] < 0 or ends[-1] > n:
        raise ValueError(f"detrend: the breakpoints must be from 0 to {n}, the length of the data, got {describe(bp)}")
    out = x.copy()
    for begin, end in itertools.pairwise(ends):
        time = np.arange(end - begin) - (end - begin - 1) / 2
        part = out[..., begin:end]
        part -= part.mean(-1, keepdims=True)
        if end - begin > 1:
            part -= (part @ time)[..., None] / (time @ time) * time
    return out


@lru_cache(maxsize=32)
def _window(name: str, length: int) -> Any:
    return _SIGNAL.get_window(name, length)


def _transforms(
    x: Buffer, node: Node, fs: Any, window: Any, nperseg: Any, *parameters: Any, detrend: Any, axis: int = -1, **options: Any
) -> tuple[Array, Array, Any]:
    """Return the frequencies, the times and the transforms of segments, which are along the last axis."""

    def trend(parts: Buffer) -> Buffer:
        if callable(detrend):
            return as_array(call_user_code(detrend, rounded(parts.copy(), node)))._data
        return np.moveaxis(_without_trend(np.moveaxis(parts, axis, -1), detrend), -1, axis)

    try:
        if isinstance(window, str) and isinstance(nperseg, int) and 0 < nperseg <= x.shape[axis]:
            window = _window(window, nperseg)
        elif not isinstance(window, str | tuple):
            window = as_array(window)._data
        given = window, nperseg, *parameters, trend if detrend else False
        frequencies, times, found = _SIGNAL.stft(x, call_user_code(float, fs), *given, axis=axis, **options)
    except ValueError as error:
        raise error if is_from_user(error) else without_function_name(ValueError(str(error))) from None
    real = complex_of(node).real
    return rounded(frequencies, real), rounded(times, real), found


@public
def stft(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int = 256, noverlap: int | None = None, nfft: int |
    None = None, detrend: Any = False, return_onesided: bool = True, boundary: str | None = "zeros", padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Compute the short-time Fourier transform.

    Parameters
    ----------
    x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided
    boundary : {"even", "odd", "constant", "zeros", None}
        How signals are extended at both ends.
    padded : bool
        Whether to append zeros so that the last segment is complete.
    axis

    Returns
    -------
    tuple of Array
        The frequencies, the times of segments, and the transforms.

    Examples
    --------
    >>> import supremum as xp
    >>> frequencies, times, transforms = xp.scipy.signal.stft(xp.arange(8.0), nperseg=4)
    >>> transforms.shape
    (3, 5)
    """
    node, (data,) = inexact("stft", x)
    along, node = normalize_axis(axis, data.ndim, "stft"), node.strong
    frequencies, times, found = _transforms(
        data, node, fs, window, nperseg, noverlap, nfft, detrend=detrend, axis=-1 if along == data.ndim - 1 else along,
        return_onesided=return_onesided, boundary=boundary, padded=padded,
    )  # fmt: skip
    return frequencies, times, rounded(found, complex_of(node))


@public
def csd(
    x: ArrayLike, y: ArrayLike | None, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap:
    int | None = None, nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str =
    "density", axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:  # fmt: skip
    """Estimate the cross power spectral density of two signals by Welch's method.

    Parameters
    ----------
    x, y : array_like
        The signals; None for `y` means `x`.
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average

    Returns
    -------
    tuple of Array
        The frequencies and the estimates.

    Examples
    --------
    >>> import supremum as xp
    >>> frequencies, density = xp.scipy.signal.csd(xp.arange(8.0), xp.arange(8.0), nperseg=4)
    >>> frequencies
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    check_word("csd", "scaling", scaling, "density spectrum")
    check_word("csd", "average", average, "mean median")
    node, signals = inexact("csd", *((x,) if y is None else (x, y)))
    if len({data.ndim for data in signals}) > 1:
        raise ShapeError(f"csd: the signals must have as many axes as each other, got {[data.shape for data in signals]}")
    along, node = normalize_axis(axis, signals[0].ndim, "csd"), node.strong
    kind = node.real if y is None else complex_of(node)
    signals = [np.moveaxis(data, along, -1) for data in signals]
    longest = max(data.shape[-1] for data in signals)
    if not all(data.size for data in signals):
        outer = np.broadcast_shapes(*[data.shape[:-1] for data in signals])
        nothing = np.zeros((*outer[:along], min(data.shape[-1] for data in signals), *outer[along:]))
        return rounded(nothing, node.real), rounded(nothing, complex_of(node))
    parts = [
        _transforms(
            np.concatenate([data, np.zeros((*data.shape[:-1], longest - data.shape[-1]), data.dtype)], -1), node, fs,
            window, nperseg, noverlap, nfft, detrend=detrend, return_onesided=return_onesided, boundary=None, padded=False,
            scaling="psd" if scaling == "density" else scaling,
        )
        for data in signals
    ]  # fmt: skip
    frequencies, _, first = parts[0]
    found = first.real**2 + first.imag**2 if y is None else first.conj() * parts[1][2]
    if return_onesided and node.kind != "c":
        points = nfft or (min(nperseg or 256, longest) if isinstance(window, str | tuple) else len(window))
        found[..., 1 : None if points % 2 else -1, :] *= 2
    found = np.moveaxis(found, -2, along)
    count = found.shape[-1]
    if average == "mean" or count == 1:
        return frequencies, rounded(found.mean(-1, dtype=np.complex128 if kind.kind == "c" else np.float64), kind)
    middle = np.median(found.real, -1) + (1j * np.median(found.imag, -1) if kind.kind == "c" else 0)
    even = 2.0 * np.arange(1, (count - 1) // 2 + 1)
    # The median of squares is less than their mean.
    return frequencies, rounded(middle / (1 + np.sum(1 / (even + 1) - 1 / even)), kind)


@public(composed=True)
def welch(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int
    = -1, average: str = "mean",
) -> tuple[Array, Array]:  # fmt: skip
    """Estimate the power spectral density by Welch's method.

    Parameters
    ----------
    x, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average

    Returns
    -------
    tuple of Array
        The frequencies and the estimates.

    Examples
    --------
    >>> import supremum as xp
    >>> frequencies, density = xp.scipy.signal.welch(xp.arange(8.0), nperseg=4)
    >>> frequencies
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    return csd(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@public
def istft(
    Zxx: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1, freq_axis: int = -2,
) -> tuple[Array, Array]:  # fmt: skip
    """Compute the inverse short-time Fourier transform.

    Parameters
    ----------
    Zxx : array_like
        The transforms of segments.
    fs, window, nperseg, noverlap, nfft
    input_onesided : bool
        Whether negative frequencies are left out.
    boundary : bool
        Whether the signals were extended at both ends.
    time_axis, freq_axis : int
        The axes of segments and of frequencies.

    Returns
    -------
    tuple of Array
        The times and the signals.

    Examples
    --------
    >>> import supremum as xp
    >>> _, _, transforms = xp.scipy.signal.stft(xp.asarray([1.0, 2.0, 3.0, 4.0]), nperseg=2)
    >>> xp.scipy.signal.istft(transforms)[1].round(3)
    Array([1., 2., 3., 4.], dtype=float32)
    """
    given = operand(Zxx, "istft")
    node, (data,) = inexact("istft", given)
    node = complex_of(node.strong)
    if data.ndim < 2:
        raise ShapeError(f"istft: the transforms must have at least 2 axes, got shape {data.shape}")
    rows, columns = normalize_axis(freq_axis, data.ndim, "istft"), normalize_axis(time_axis, data.ndim, "istft")
    if rows == columns:
        raise ValueError("istft: time_axis and freq_axis must differ")
    data = data.astype(node.wide.dtype, copy=False)
    if (rows, columns) != (data.ndim - 2, data.ndim - 1):
        data = np.moveaxis(data, (rows, columns), (-2, -1))
    default = 2 * (data.shape[-2] - 1) if input_onesided else data.shape[-2]
    length = call_user_code(int, nperseg or default)
    points = (default + (input_onesided and length == default + 1)) if nfft is None else call_user_code(int, nfft)
    if not 0 < length <= points:
        raise ValueError(f"istft: nperseg must be positive and at most nfft, got {length} and {points}")
    overlap = call_user_code(int, noverlap or length // 2)
    if overlap >= length:
        raise ValueError(f"istft: noverlap must be less than nperseg, got {overlap} and {length}")
    step = length - overlap
    parts = (np.fft.irfft if input_onesided else np.fft.ifft)(data, points, axis=-2)[..., :length, :]
    if isinstance(window, str | tuple):
        win = (_window if isinstance(window, str) else _SIGNAL.get_window)(window, length)
    else:
        win = as_array(window)._data.astype(np.float64)
        if win.shape != (length,):
            raise ShapeError(f"istft: the window must have shape ({length},), got {win.shape}")
    win = win[:, None]
    out = _overlapped(parts * (win * win.sum()).astype(node.real.dtype), step)
    weights = _overlapped(np.broadcast_to(win * win, parts.shape[-2:]), step)
    if boundary:
        inner = slice(length // 2, out.shape[-1] - length // 2)
        out, weights = out[..., inner], weights[inner]
    if (weights <= 1e-10).any():
        warn("NOLA condition failed, STFT may not be invertible", UserWarning)
    out = out / np.where(weights > 1e-10, weights, 1.0).astype(node.real.dtype)
    if out.ndim > 1 and columns != given.ndim - 1:
        out = np.moveaxis(out, -1, columns - (rows < columns))
    times = np.arange(out.shape[0]) / call_user_code(float, fs)  # type: ignore[arg-type]  # a number, or an error of Python's
    return rounded(times, node.real), rounded(np.ascontiguousarray(out), node.real if input_onesided else node)


def _overlapped(parts: Buffer, step: int) -> Buffer:
    """Return the sums of columns, of which each begins `step` elements after the one before."""
    *batch, length, count = parts.shape
    pieces = -(-length // step)
    out = np.zeros((*batch, step, count + pieces - 1), parts.dtype)
    for k in range(pieces):
        piece = parts[..., k * step : (k + 1) * step, :]
        out[..., : piece.shape[-2], k : k + count] += piece
    return out.swapaxes(-1, -2).reshape(*batch, -1)[..., : step * (count - 1) + length]


__dir__ = __all__.copy  # which `dir` sorts
