"""Convolution, correlation, detrending and spectral estimation, of ``jax.scipy.signal``."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe, stack_level
from supremum._base.silence import call_user_code
from supremum._core.arguments import normalize_axes, normalize_axis
from supremum._core.array import Array, wrap
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import complex_of
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import inexact, rounded
from supremum.promotion._nodes import Node
from supremum.scipy._documents import described
from supremum.scipy._library import Library
from supremum.scipy._matrices import in_double

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]  # fmt: skip

_MODES = ("full", "same", "valid")
_SIGNAL: Final = Library("scipy.signal")
#: The number of elements from which a pass for each element of a kernel takes less time than SciPy's sums of products.
_FEW: Final = 4096


#: What docstrings say of parameters that several functions have.
_TEXTS: Final = {
    "average": '{"mean", "median"}: How the segments are averaged.',
    "axis": "int: The axis of time.",
    "boundary": 'str: Must be ``"fill"``, as in JAX.',
    "detrend": "str, callable or False: What to subtract from the segments: see `detrend`.",
    "fillvalue": "float: Must be 0, as in JAX.",
    "fs": "float: The number of samples in a unit of time.",
    "in1": "array_like: The arrays; one must be at least as large as the other along each axis.",
    "in2": "array_like: The arrays; one must be at least as large as the other along each axis.",
    "method": '{"auto", "direct", "fft"}: Whether to use sums or `fftconvolve`.',
    "mode": '{"full", "same", "valid"}: Whether to return all elements, the middle ones in the shape of `in1`, or those where '
    "the arrays overlap completely.",
    "nfft": "int, optional: The length of the transforms.",
    "noverlap": "int, optional: How many elements two segments share; half of a segment by default.",
    "nperseg": "int: The length of segments.",
    "precision": "object: Without effect.",
    "return_onesided": "bool: Whether to return the frequencies of real signals that are not negative alone.",
    "scaling": '{"density", "spectrum"}: Whether to return the density or the power.',
    "window": "str, tuple or array_like: The name of the window, with its parameters in a tuple, or its points.",
    "x": "array_like: The signals.",
    "returns": "Array: The convolution.",
}


# -- convolution --------------------------------------------------------------------------------------------------------------


def _pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    if mode not in _MODES:
        raise ValueError(f"{function}: mode must be 'full', 'same' or 'valid', got {describe(mode)}")
    node, (a, b) = inexact(function, in1, in2)
    if a.ndim != b.ndim:
        raise ShapeError(f"{function}: the arguments must have as many axes as each other, got shapes {a.shape} and {b.shape}")
    if not a.size or not b.size:
        raise ShapeError(f"{function}: the arguments must not be empty, got shapes {a.shape} and {b.shape}")
    return node, a, b


def _nested_pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    node, a, b = _pair(function, in1, in2, mode)
    if not (_contains(a.shape, b.shape) or _contains(b.shape, a.shape)):
        raise ShapeError(
            f"{function}: one argument must be at least as large as the other along each axis, got {a.shape} and {b.shape}"
        )
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


def _convolved(a: Buffer, b: Buffer, mode: str) -> Buffer:
    whole = _whole(a, b)
    if mode == "full":
        return whole
    shape = a.shape if mode == "same" else [abs(m - n) + 1 for m, n in zip(a.shape, b.shape, strict=True)]
    begins = [(n - m) // 2 for n, m in zip(whole.shape, shape, strict=True)]
    return whole[tuple([slice(begin, begin + m) for begin, m in zip(begins, shape, strict=True)])].copy()


def _whole(a: Buffer, b: Buffer) -> Buffer:
    """Return the full convolution."""
    if a.ndim == 1:
        return np.convolve(a, b)
    if a.size < b.size:
        a, b = b, a
    shape = [m + n - 1 for m, n in zip(a.shape, b.shape, strict=True)]
    out = np.zeros(shape, a.dtype)  # of copies of the larger array, moved and scaled by elements of the other
    for index in np.ndindex(b.shape):
        out[tuple([slice(i, i + m) for i, m in zip(index, a.shape, strict=True)])] += b[index] * a
    return out


@public
@described(_TEXTS)
def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Convolve arrays of as many axes as each other.

    >>> xp.scipy.signal.convolve(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([1.0, 1.0]))
    Array([1., 3., 5., 3.], dtype=float32)
    """
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("auto", "direct"):
        raise ValueError(f"convolve: method must be 'auto', 'direct' or 'fft', got {describe(method)}")
    node, a, b = _nested_pair("convolve", in1, in2, mode)
    return rounded(_convolved(a, b, mode), node)


@public
@described(_TEXTS)
def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Correlate arrays of as many axes as each other.

    returns : Array
        The correlation.

    >>> xp.scipy.signal.correlate(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([0.0, 1.0]))
    Array([1., 2., 3., 0.], dtype=float32)
    """
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"correlate: method must be 'auto', 'direct' or 'fft', got {describe(method)}")
    if method == "fft":
        given = operand(in2, "correlate", 1)
        return fftconvolve(in1, wrap(np.flip(given._data).conj(), given._node), mode=mode)
    node, a, b = _nested_pair("correlate", in1, in2, mode)
    return rounded(_convolved(a, np.flip(b).conj(), mode), node)


@public
@described(_TEXTS)
def convolve2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Convolve arrays of two axes.

    >>> xp.scipy.signal.convolve2d(xp.ones((2, 2)), xp.ones((1, 2)))
    Array([[1., 2., 1.],
           [1., 2., 1.]], dtype=float32)
    """
    node, a, b = _plane("convolve2d", in1, in2, mode, boundary, fillvalue)
    theirs = _SIGNAL.convolve2d
    if a.size + b.size < _FEW:
        return rounded(theirs(a, b, mode), node)
    return rounded(_convolved(a, b, mode), node)


@public
@described(_TEXTS)
def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Correlate arrays of two axes.

    returns : Array
        The correlation.

    >>> xp.scipy.signal.correlate2d(xp.ones((2, 2)), xp.ones((1, 2)))
    Array([[1., 2., 1.],
           [1., 2., 1.]], dtype=float32)
    """
    node, a, b = _plane("correlate2d", in1, in2, mode, boundary, fillvalue)
    theirs = _SIGNAL.correlate2d
    if a.size + b.size < _FEW:
        return rounded(theirs(a, b, mode), node)
    if mode == "same":  # the middle is that of the flipped arrays
        return rounded(np.flip(_convolved(a[::-1, ::-1], b.conj(), mode)), node)
    found = _convolved(a, b[::-1, ::-1].conj(), mode)
    if mode == "valid" and a.shape != b.shape and _contains(b.shape, a.shape):
        found = found.conj()  # SciPy exchanges the arguments, and conjugates the first
    return rounded(found, node)


@public
@described(_TEXTS)
def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: int | Sequence[int] | None = None) -> Array:
    """Convolve arrays by Fourier transforms, which is faster if both are large.

    axes : int or sequence of int, optional
        The axes to convolve along; all of them by default. Along the others both arrays must have the same length.

    >>> xp.scipy.signal.fftconvolve(xp.asarray([1.0, 2.0, 3.0]), xp.asarray([1.0, 1.0])).round(3)
    Array([1., 3., 5., 3.], dtype=float32)
    """
    node, a, b = _pair("fftconvolve", in1, in2, mode)
    along = None
    if axes is not None:
        along = normalize_axes(tuple(axes) if isinstance(axes, list) else axes, a.ndim, "fftconvolve")
        if any(m != n for axis, (m, n) in enumerate(zip(a.shape, b.shape, strict=True)) if axis not in along):
            raise ShapeError(
                f"fftconvolve: the lengths along the axes that are not convolved must be equal, got {a.shape}, {b.shape}"
            )
    if mode == "valid" and not (_contains(a.shape, b.shape) or _contains(b.shape, a.shape)):
        raise ShapeError(
            f"fftconvolve: mode='valid' needs one argument at least as large as the other, got {a.shape}, {b.shape}"
        )
    return rounded(a * b if along == () else _SIGNAL.fftconvolve(a, b, mode, along), node.strong)


# -- trends -------------------------------------------------------------------------------------------------------------------


@public
@described(_TEXTS)
def detrend(
    data: ArrayLike, axis: int = -1, type: str = "linear", bp: int | Sequence[int] | Buffer = 0, overwrite_data: None = None
) -> Array:
    """Subtract the mean or a line of least squares.

    data : array_like
        The signals.
    type : {"linear", "constant"}
        Whether to subtract lines or the mean.
    bp : int or sequence of int
        Where lines end and others begin.
    overwrite_data : None
        Must be None, as in JAX.
    returns : Array
        The rest.

    >>> xp.scipy.signal.detrend(xp.asarray([1.0, 3.0, 2.0]), type="constant")
    Array([-1.,  1.,  0.], dtype=float32)
    """
    if overwrite_data is not None:
        raise NotImplementedError("detrend: overwrite_data must be None, as in JAX")
    if type not in ("constant", "linear"):
        raise ValueError(f"detrend: type must be 'linear' or 'constant', got {describe(type)}")
    node, (x,) = in_double("detrend", data)
    along = normalize_axis(axis, x.ndim, "detrend")
    rows = np.moveaxis(x, along, -1)
    # JAX's result is weak for lines, and strong for constants.
    result = node if type == "linear" else node.strong
    return rounded(np.moveaxis(_without_trend(rows, type, bp), -1, along).copy(), result)


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


# -- spectra ------------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _named_window(name: str, length: int) -> Buffer:
    found: Buffer = _SIGNAL.get_window(name, length)
    return found


def _window(given: Any, length: int) -> Buffer:
    """Return a window by its name, or by a tuple of its name and parameters."""
    return _named_window(given, length) if isinstance(given, str) else np.asarray(_SIGNAL.get_window(given, length))


def _extended(x: Buffer, n: int, boundary: str | None, function: str) -> Buffer:
    if boundary is None or not n:
        return x
    if boundary == "zeros":
        nothing = np.zeros((*x.shape[:-1], n), x.dtype)
        return np.concatenate([nothing, x, nothing], -1)
    if boundary == "odd":
        if n > x.shape[-1] - 1:
            raise ValueError(f"{function}: the segments are too long to extend {x.shape[-1]} elements by {n} at each end")
        left = 2 * x[..., :1] - x[..., n:0:-1]
        return np.concatenate([left, x, 2 * x[..., -1:] - x[..., -2 : -n - 2 : -1]], -1)
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], "reflect" if boundary == "even" else "edge")


def _lengthened(x: Buffer, n: int) -> Buffer:
    return np.concatenate([x, np.zeros((*x.shape[:-1], n), x.dtype)], -1) if n else x


def _segments(x: Buffer, length: int, step: int) -> Buffer:
    """Return overlapping parts along the last axis, without a copy."""
    count = max((x.shape[-1] - length) // step + 1, 0)
    strides = (*x.strides[:-1], step * x.itemsize, x.itemsize)
    return np.ndarray((*x.shape[:-1], count, length), x.dtype, x, 0, strides)


def _transforms(x: Buffer, win: Buffer, detrend_by: Any, step: int, nfft: int, onesided: bool, node: Node) -> Buffer:
    parts = _segments(np.ascontiguousarray(x), len(win), step)
    if isinstance(detrend_by, str):
        parts = _without_trend(parts, detrend_by)
    elif callable(detrend_by):
        parts = as_array(call_user_code(detrend_by, rounded(parts.copy(), node)))._data
    elif detrend_by:
        raise ValueError(f"detrend must be a name, a function or False, got {describe(detrend_by)}")
    parts = parts * win
    return np.fft.rfft(np.real(parts), nfft) if onesided else np.fft.fft(parts, nfft)


def _window_of(function: str, given: Any, length: int | None, samples: int) -> tuple[Buffer, int]:
    """Return the window and the length of segments."""
    if isinstance(given, str | tuple):
        chosen = 256 if length is None else length
        if chosen > samples:
            warnings.warn(
                f"{function}: nperseg={chosen} is greater than the {samples} elements of the signal, whose length is used",
                UserWarning,
                stacklevel=stack_level(),
            )
            chosen = samples
        return _window(given, chosen), chosen
    points = as_array(given)._data
    if points.ndim != 1 or len(points) > samples:
        raise ShapeError(f"{function}: the window must have one axis and at most {samples} points, got shape {points.shape}")
    if length is not None and length != len(points):
        raise ValueError(f"{function}: nperseg is {length}, but the window has {len(points)} points")
    return points.astype(np.complex128 if points.dtype.kind == "c" else np.float64), len(points)


def _positive(function: str, name: str, value: Any) -> int:
    number = operator.index(int(value))
    if number < 1:
        raise ValueError(f"{function}: {name} must be a positive integer, got {describe(value)}")
    return number


def _spectra(
    function: str, x: Any, y: Any, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any,
    return_onesided: bool, scaling: str, axis: int, mode: str, boundary: str | None = None, padded: bool = False,
) -> tuple[Array, Array, Buffer, Node]:  # fmt: skip
    """Return the frequencies, the times, and the products of the transforms of segments, or the transforms."""
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(f"{function}: unknown boundary {describe(boundary)}")
    node, buffers = inexact(function, x) if y is None else inexact(function, x, y)
    node, first = node.strong, buffers[0]
    along = normalize_axis(axis, first.ndim, function)
    if len({data.ndim for data in buffers}) > 1:
        raise ShapeError(f"{function}: the signals must have as many axes as each other, got {[b.shape for b in buffers]}")
    segment = None if nperseg is None else _positive(function, "nperseg", nperseg)
    win, length = _window_of(function, window, segment, first.shape[along])
    overlap = length // 2 if noverlap is None else int(noverlap)
    points = length if nfft is None else int(nfft)
    wide = complex_of(node)
    if any(not data.size for data in buffers):
        outer = np.broadcast_shapes(*[data.shape[:along] + data.shape[along + 1 :] for data in buffers])
        shape = (*outer[:along], min(data.shape[along] for data in buffers), *outer[along:])
        nothing = rounded(np.zeros(shape), wide.real)
        return nothing, nothing, np.zeros(shape, wide.dtype), wide
    if points < length:
        raise ValueError(f"{function}: nfft must be at least nperseg, got {points} and {length}")
    if overlap >= length:
        raise ValueError(f"{function}: noverlap must be less than nperseg, got {overlap} and {length}")
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"{function}: scaling must be 'density' or 'spectrum', got {describe(scaling)}")
    last = along == first.ndim - 1
    signals = buffers if last else [np.moveaxis(data, along, -1) for data in buffers]
    longest = max(data.shape[-1] for data in signals)
    step = length - overlap
    signals = [_extended(_lengthened(data, longest - data.shape[-1]), length // 2, boundary, function) for data in signals]
    if padded:
        signals = [_lengthened(data, -(data.shape[-1] - length) % step % length) for data in signals]
    rate = float(fs)
    scale = 1 / (rate * (win * win).sum()) if scaling == "density" else 1 / win.sum() ** 2
    if mode == "stft":
        win = win * np.sqrt(scale)
    win = win.astype(wide.dtype if win.dtype.kind == "c" else wide.real.dtype)
    onesided = bool(return_onesided)
    if onesided and any(data.dtype.kind == "c" for data in signals):
        onesided = False
        warnings.warn("Input data is complex, switching to return_onesided=False", UserWarning, stacklevel=stack_level())
    frequencies = (np.fft.rfftfreq if onesided else np.fft.fftfreq)(points, 1 / rate)
    parts = [_transforms(data, win, detrend, step, points, onesided, node) for data in signals]
    found = parts[0]
    if mode != "stft":
        found = found.real**2 + found.imag**2 if y is None else found.conj() * parts[1]
        found *= scale
        if onesided:
            found[..., 1 : None if points % 2 else -1] *= 2
    times = np.arange(length / 2, signals[0].shape[-1] - length / 2 + 1, step) / rate
    if boundary is not None:
        times -= length / 2 / rate
    kind = wide if found.dtype.kind == "c" else wide.real
    found = found.swapaxes(-1, -2) if last else np.moveaxis(found, -1, along)
    return rounded(frequencies, wide.real), rounded(times, wide.real), found, kind


@public
@described(_TEXTS)
def stft(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int = 256, noverlap: int | None = None, nfft: int |
    None = None, detrend: Any = False, return_onesided: bool = True, boundary: str | None = "zeros", padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Compute the short-time Fourier transform.

    boundary : {"even", "odd", "constant", "zeros", None}
        How signals are extended at both ends.
    padded : bool
        Whether to append zeros so that the last segment is complete.
    returns : tuple of Array
        The frequencies, the times of segments, and the transforms.

    >>> frequencies, times, transforms = xp.scipy.signal.stft(xp.arange(8.0), nperseg=4)
    >>> transforms.shape
    (3, 5)
    """
    frequencies, times, found, node = _spectra(
        "stft", x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary,
        padded,
    )  # fmt: skip
    return frequencies, times, rounded(found, node)


@public
@described(_TEXTS)
def csd(
    x: ArrayLike, y: ArrayLike | None, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap:
    int | None = None, nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str =
    "density", axis: int = -1, average: str = "mean",
) -> tuple[Array, Array]:  # fmt: skip
    """Estimate the cross power spectral density of two signals by Welch's method.

    x, y : array_like
        The signals; None for `y` stands for `x`.
    returns : tuple of Array
        The frequencies and the estimates.

    >>> frequencies, density = xp.scipy.signal.csd(xp.arange(8.0), xp.arange(8.0), nperseg=4)
    >>> frequencies
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    frequencies, _, found, node = _spectra(
        "csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd"
    )
    if found.ndim < 2 or not found.size:
        return frequencies, rounded(found, node)
    if average not in ("mean", "median"):
        raise ValueError(f"csd: average must be 'median' or 'mean', got {describe(average)}")
    count = found.shape[-1]
    if average == "mean" or count == 1:
        return frequencies, rounded(found.mean(-1, dtype=np.complex128 if node.kind == "c" else np.float64), node)
    middle = np.median(found.real, -1) + (1j * np.median(found.imag, -1) if node.kind == "c" else 0)
    even = 2.0 * np.arange(1, (count - 1) // 2 + 1)
    # The median of squares is less than their mean.
    return frequencies, rounded(middle / (1 + np.sum(1 / (even + 1) - 1 / even)), node)


@public
@described(_TEXTS)
def welch(
    x: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, detrend: Any = "constant", return_onesided: bool = True, scaling: str = "density", axis: int
    = -1, average: str = "mean",
) -> tuple[Array, Array]:  # fmt: skip
    """Estimate the power spectral density by Welch's method.

    returns : tuple of Array
        The frequencies and the estimates.

    >>> frequencies, density = xp.scipy.signal.welch(xp.arange(8.0), nperseg=4)
    >>> frequencies
    Array([0.  , 0.25, 0.5 ], dtype=float32)
    """
    return csd(x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average)


@public
@described(_TEXTS)
def istft(
    Zxx: ArrayLike, fs: ArrayLike = 1.0, window: Any = "hann", nperseg: int | None = None, noverlap: int | None = None,
    nfft: int | None = None, input_onesided: bool = True, boundary: bool = True, time_axis: int = -1, freq_axis: int = -2,
) -> tuple[Array, Array]:  # fmt: skip
    """Compute the inverse short-time Fourier transform.

    Zxx : array_like
        The transforms of segments.
    input_onesided : bool
        Whether negative frequencies are left out.
    boundary : bool
        Whether the signals were extended at both ends.
    time_axis, freq_axis : int
        The axes of segments and of frequencies.
    returns : tuple of Array
        The times and the signals.

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
    data = np.moveaxis(data.astype(node.wide.dtype), (rows, columns), (-2, -1))
    default = 2 * (data.shape[-2] - 1) if input_onesided else data.shape[-2]
    length = _positive("istft", "nperseg", nperseg or default)
    points = (default + (input_onesided and length == default + 1)) if nfft is None else int(nfft)
    if points < length:
        raise ValueError(f"istft: nfft must be at least nperseg, got {points} and {length}")
    overlap = int(noverlap or length // 2)
    if overlap >= length:
        raise ValueError(f"istft: noverlap must be less than nperseg, got {overlap} and {length}")
    step = length - overlap
    parts = (np.fft.irfft if input_onesided else np.fft.ifft)(data, points, axis=-2)[..., :length, :]
    if isinstance(window, str | tuple):
        win = _window(window, length)
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
        warnings.warn("NOLA condition failed, STFT may not be invertible", UserWarning, stacklevel=stack_level())
    out = out / np.where(weights > 1e-10, weights, 1.0).astype(node.real.dtype)
    if out.ndim > 1 and columns != given.ndim - 1:
        out = np.moveaxis(out, -1, columns - (rows < columns))
    times = np.arange(out.shape[0]) / float(fs)  # type: ignore[arg-type]  # a number, or an error of Python's
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


def __dir__() -> list[str]:
    return sorted(__all__)
