"""Convolution, correlation, detrending and spectral estimation, of ``jax.scipy.signal``."""

from __future__ import annotations

import itertools
import operator
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from supremum._base.boundary import publish
from supremum._base.buffers import Buffer
from supremum._base.errors import ShapeError, describe, stack_level
from supremum._base.silence import call_user_code
from supremum._core.arguments import normalize_axes, normalize_axis
from supremum._core.array import Array
from supremum._core.conversion import as_array, operand
from supremum._core.dtypes import complex_of
from supremum._core.typing import ArrayLike
from supremum._functions.linear_algebra._matrices import rounded
from supremum.promotion._nodes import Node
from supremum.scipy._matrices import in_double
from supremum.scipy._windows import window as make_window

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]  # fmt: skip

_MODES = ("full", "same", "valid")


# -- convolution --------------------------------------------------------------------------------------------------------------


def _pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    if mode not in _MODES:
        raise ValueError(f"{function}: mode must be 'full', 'same' or 'valid', got {describe(mode)}")
    node, (a, b) = in_double(function, in1, in2)
    if a.ndim != b.ndim:
        raise ShapeError(f"{function}: the arguments must have as many axes as each other, got shapes {a.shape} and {b.shape}")
    return node, a, b


def _contains(a: Buffer, b: Buffer) -> bool:
    return all(m >= n for m, n in zip(a.shape, b.shape, strict=True))


def _whole(a: Buffer, b: Buffer) -> Buffer:
    """Return the full convolution: the sum of copies of the larger array, moved and scaled by elements of the other."""
    if a.size < b.size:
        a, b = b, a
    out = np.zeros([m + n - 1 for m, n in zip(a.shape, b.shape, strict=True)], a.dtype)
    for index in itertools.product(*map(range, b.shape)):
        out[tuple([slice(i, i + m) for i, m in zip(index, a.shape, strict=True)])] += b[index] * a
    return out


def _cut(whole: Buffer, shape: Sequence[int]) -> Buffer:
    """Return the middle of an array."""
    begins = [(n - m) // 2 for n, m in zip(whole.shape, shape, strict=True)]
    return whole[tuple([slice(begin, begin + m) for begin, m in zip(begins, shape, strict=True)])]


def _convolved(function: str, in1: Any, in2: Any, mode: str, *, conjugate: bool = False) -> Array:
    node, a, b = _pair(function, in1, in2, mode)
    if not a.size or not b.size:
        raise ShapeError(f"{function}: the arguments must not be empty, got shapes {a.shape} and {b.shape}")
    if not (_contains(a, b) or _contains(b, a)):
        raise ShapeError(
            f"{function}: one argument must be at least as large as the other along each axis, got {a.shape} and {b.shape}"
        )
    if conjugate:
        b = np.flip(b).conj()
    whole = _whole(a, b)
    shapes = {"full": whole.shape, "same": a.shape}
    valid = tuple([abs(m - n) + 1 for m, n in zip(a.shape, b.shape, strict=True)])
    return rounded(np.ascontiguousarray(_cut(whole, shapes.get(mode, valid))), node)


def convolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Convolve arrays of as many axes as each other.

    Parameters
    ----------
    in1, in2 : array_like
        The arrays; one must be at least as large as the other along each axis.
    mode : {"full", "same", "valid"}
        Whether to return all elements, the middle ones in the shape of `in1`, or those where the arrays overlap completely.
    method : {"auto", "direct", "fft"}
        Whether to use sums or `fftconvolve`.
    precision
        Without effect.

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
    if method == "fft":
        return fftconvolve(in1, in2, mode=mode)
    if method not in ("auto", "direct"):
        raise ValueError(f"convolve: method must be 'auto', 'direct' or 'fft', got {describe(method)}")
    return _convolved("convolve", in1, in2, mode)


def correlate(in1: ArrayLike, in2: ArrayLike, mode: str = "full", method: str = "auto", precision: Any = None) -> Array:
    """Correlate arrays of as many axes as each other.

    Parameters
    ----------
    in1, in2, mode, method, precision
        As for `convolve`.

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
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"correlate: method must be 'auto', 'direct' or 'fft', got {describe(method)}")
    if method == "fft":
        b = operand(in2, "correlate", 1)
        return fftconvolve(in1, _flipped(b), mode=mode)
    return _convolved("correlate", in1, in2, mode, conjugate=True)


def _flipped(x: Array) -> Array:
    data = np.flip(x._data)
    return rounded(np.conj(data) if x._node.kind == "c" else data, x._node)


def _check_plane(function: str, in1: Any, in2: Any, boundary: str, fillvalue: float) -> None:
    if boundary != "fill" or fillvalue != 0:
        raise NotImplementedError(f"{function}: boundary must be 'fill' and fillvalue must be 0, as in JAX")
    axes = [call_user_code(np.ndim, x) for x in (in1, in2)]
    if axes != [2, 2]:
        raise ShapeError(f"{function}: the arguments must have 2 axes, got {axes[0]} and {axes[1]}")


def convolve2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Convolve arrays of two axes.

    Parameters
    ----------
    in1, in2, mode, precision
        As for `convolve`.
    boundary : str
        Must be ``"fill"``, as in JAX.
    fillvalue : float
        Must be 0, as in JAX.

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
    _check_plane("convolve2d", in1, in2, boundary, fillvalue)
    return _convolved("convolve2d", in1, in2, mode)


def correlate2d(
    in1: ArrayLike, in2: ArrayLike, mode: str = "full", boundary: str = "fill", fillvalue: float = 0, precision: Any = None
) -> Array:
    """Correlate arrays of two axes.

    Parameters
    ----------
    in1, in2, mode, boundary, fillvalue, precision
        As for `convolve2d`.

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
    _check_plane("correlate2d", in1, in2, boundary, fillvalue)
    if mode == "same":  # the middle is that of the flipped arrays
        a, b = operand(in1, "correlate2d"), operand(in2, "correlate2d", 1)
        conjugate = rounded(np.conj(b._data) if b._node.kind == "c" else b._data, b._node)
        found = _convolved("correlate2d", rounded(np.flip(a._data), a._node), conjugate, mode)
        return rounded(np.flip(found._data), found._node)
    found = _convolved("correlate2d", in1, in2, mode, conjugate=True)
    smaller = np.shape(in1) != np.shape(in2) and all(m <= n for m, n in zip(np.shape(in1), np.shape(in2), strict=True))
    if mode == "valid" and smaller and found._node.kind == "c":  # SciPy exchanges the arguments, and conjugates the first
        return rounded(np.conj(found._data), found._node)
    return found


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: str = "full", axes: int | Sequence[int] | None = None) -> Array:
    """Convolve arrays by Fourier transforms, which is faster if both are large.

    Parameters
    ----------
    in1, in2, mode
        As for `convolve`.
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
    node, a, b = _pair("fftconvolve", in1, in2, mode)
    along = normalize_axes(tuple(axes) if isinstance(axes, list) else axes, a.ndim, "fftconvolve")
    if any(m != n for axis, (m, n) in enumerate(zip(a.shape, b.shape, strict=True)) if axis not in along):
        raise ShapeError(
            f"fftconvolve: the lengths along the axes that are not convolved must be equal, got {a.shape}, {b.shape}"
        )
    if mode == "valid":
        pairs = [(a.shape[axis], b.shape[axis]) for axis in along]
        if all(m <= n for m, n in pairs):
            a, b = b, a
        elif not all(m >= n for m, n in pairs):
            raise ShapeError(
                f"fftconvolve: mode='valid' needs one argument at least as large as the other, got {a.shape}, {b.shape}"
            )
    whole = [a.shape[axis] + b.shape[axis] - 1 for axis in along]
    if 0 in a.shape or 0 in b.shape:
        raise ShapeError(f"fftconvolve: the arguments must not be empty, got shapes {a.shape} and {b.shape}")
    if along:
        forward, back = (np.fft.fftn, np.fft.ifftn) if node.kind == "c" else (np.fft.rfftn, np.fft.irfftn)
        found = back(forward(a, whole, along) * forward(b, whole, along), whole, along)
    else:
        found = a * b
    shape = list(found.shape)
    if mode != "full":
        for axis in along:
            shape[axis] = a.shape[axis] if mode == "same" else a.shape[axis] - b.shape[axis] + 1
    return rounded(np.ascontiguousarray(_cut(found, shape)), node.strong)


# -- trends -------------------------------------------------------------------------------------------------------------------


def detrend(
    data: ArrayLike, axis: int = -1, type: str = "linear", bp: int | Sequence[int] | Buffer = 0, overwrite_data: None = None
) -> Array:
    """Subtract the mean or a line of least squares.

    Parameters
    ----------
    data : array_like
        The signals.
    axis : int
        The axis of time.
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


def _extended(x: Buffer, n: int, boundary: str | None, function: str) -> Buffer:
    if boundary is None or not n:
        return x
    if boundary == "odd":
        if n > x.shape[-1] - 1:
            raise ValueError(f"{function}: the segments are too long to extend {x.shape[-1]} elements by {n} at each end")
        left = 2 * x[..., :1] - x[..., n:0:-1]
        return np.concatenate([left, x, 2 * x[..., -1:] - x[..., -2 : -n - 2 : -1]], -1)
    kind = {"even": "reflect", "constant": "edge", "zeros": "constant"}[boundary]
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(n, n)], kind)  # type: ignore[call-overload]


def _lengthened(x: Buffer, n: int) -> Buffer:
    return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, n)])


def _segments(
    x: Buffer, win: Buffer, detrend_by: Any, length: int, overlap: int, nfft: int, onesided: bool, node: Node
) -> Buffer:
    step = length - overlap
    starts = np.arange(0, x.shape[-1] - length + 1, step)
    parts = x[..., starts[:, None] + np.arange(length)]
    if isinstance(detrend_by, str):
        parts = _without_trend(parts, detrend_by)
    elif callable(detrend_by):
        parts = as_array(call_user_code(detrend_by, rounded(parts, node)))._data
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
        return make_window(given, chosen, function), chosen
    points = as_array(given)._data
    if points.ndim != 1 or len(points) > samples:
        raise ShapeError(f"{function}: the window must have one axis and at most {samples} points, got shape {points.shape}")
    if length is not None and length != len(points):
        raise ValueError(f"{function}: nperseg is {length}, but the window has {len(points)} points")
    return points.astype(np.complex128 if points.dtype.kind == "c" else np.float64), len(points)


def _positive(function: str, name: str, value: Any) -> int:
    number = operator.index(call_user_code(int, value))
    if number < 1:
        raise ValueError(f"{function}: {name} must be a positive integer, got {describe(value)}")
    return number


def _spectra(
    function: str, x: Any, y: Any, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, detrend: Any,
    return_onesided: bool, scaling: str, axis: int, mode: str, boundary: str | None = None, padded: bool = False,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return the frequencies, the times, and the products of the transforms of segments, or the transforms."""
    if boundary not in ("even", "odd", "constant", "zeros", None):
        raise ValueError(f"{function}: unknown boundary {describe(boundary)}")
    node, buffers = in_double(function, x) if y is None else in_double(function, x, y)
    node, first = node.strong, buffers[0]
    along = normalize_axis(axis, first.ndim, function)
    if len({data.ndim for data in buffers}) > 1:
        raise ShapeError(f"{function}: the signals must have as many axes as each other, got {[b.shape for b in buffers]}")
    segment = None if nperseg is None else _positive(function, "nperseg", nperseg)
    win, length = _window_of(function, window, segment, first.shape[along])
    overlap = length // 2 if noverlap is None else call_user_code(int, noverlap)
    points = length if nfft is None else call_user_code(int, nfft)
    wide = complex_of(node)
    if any(not data.size for data in buffers):
        outer = np.broadcast_shapes(*[data.shape[:along] + data.shape[along + 1 :] for data in buffers])
        shape = (*outer[:along], min(data.shape[along] for data in buffers), *outer[along:])
        return tuple([rounded(np.zeros(shape), kind) for kind in (wide.real, wide.real, wide)])  # type: ignore[return-value]
    if points < length:
        raise ValueError(f"{function}: nfft must be at least nperseg, got {points} and {length}")
    if overlap >= length:
        raise ValueError(f"{function}: noverlap must be less than nperseg, got {overlap} and {length}")
    if scaling not in ("density", "spectrum"):
        raise ValueError(f"{function}: scaling must be 'density' or 'spectrum', got {describe(scaling)}")
    signals = [np.moveaxis(data, along, -1) for data in buffers]
    longest = max(data.shape[-1] for data in signals)
    step = length - overlap
    signals = [_extended(_lengthened(data, longest - data.shape[-1]), length // 2, boundary, function) for data in signals]
    if padded:
        signals = [_lengthened(data, -(data.shape[-1] - length) % step % length) for data in signals]
    rate = call_user_code(float, fs)
    scale = 1 / (rate * (win * win).sum()) if scaling == "density" else 1 / win.sum() ** 2
    onesided = bool(return_onesided)
    if onesided and any(data.dtype.kind == "c" for data in signals):
        onesided = False
        warnings.warn("Input data is complex, switching to return_onesided=False", UserWarning, stacklevel=stack_level())
    frequencies = (np.fft.rfftfreq if onesided else np.fft.fftfreq)(points, 1 / rate)
    parts = [_segments(data, win, detrend, length, overlap, points, onesided, node) for data in signals]
    if mode == "stft":
        found = parts[0] * np.sqrt(scale)
    else:
        found = parts[0].conj() * parts[-1] * scale
        if onesided:
            found[..., 1 : None if points % 2 else -1] *= 2
    total = signals[0].shape[-1]
    times = np.arange(length / 2, total - length / 2 + 1, step) / rate
    if boundary is not None:
        times = times - length / 2 / rate
    found = np.moveaxis(found, -1, along)
    result = rounded(found.real.copy(), wide.real) if y is None and mode != "stft" else rounded(found.copy(), wide)
    return rounded(frequencies, wide.real), rounded(times, wide.real), result


def stft(
    x: ArrayLike,
    fs: ArrayLike = 1.0,
    window: Any = "hann",
    nperseg: int = 256,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = False,
    return_onesided: bool = True,
    boundary: str | None = "zeros",
    padded: bool = True,
    axis: int = -1,
) -> tuple[Array, Array, Array]:
    """Compute the short-time Fourier transform.

    Parameters
    ----------
    x : array_like
        The signals.
    fs : float
        The number of samples in a unit of time.
    window : str, tuple or array_like
        The name of the window, with its parameters in a tuple, or its points.
    nperseg : int
        The length of segments.
    noverlap : int, optional
        How many elements two segments share; half of a segment by default.
    nfft : int, optional
        The length of the transforms.
    detrend : str, callable or False
        What to subtract from the segments: see `detrend`.
    return_onesided : bool
        Whether to return the frequencies of real signals that are not negative alone.
    boundary : {"even", "odd", "constant", "zeros", None}
        How signals are extended at both ends.
    padded : bool
        Whether to append zeros so that the last segment is complete.
    axis : int
        The axis of time.

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
    return _spectra(
        "stft", x, None, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, "spectrum", axis, "stft", boundary,
        padded,
    )  # fmt: skip


def csd(
    x: ArrayLike,
    y: ArrayLike | None,
    fs: ArrayLike = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Estimate the cross power spectral density of two signals by Welch's method.

    Parameters
    ----------
    x, y : array_like
        The signals; None for `y` stands for `x`.
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided, axis
        As for `stft`.
    scaling : {"density", "spectrum"}
        Whether to return the density or the power.
    average : {"mean", "median"}
        How the segments are averaged.

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
    frequencies, _, found = _spectra(
        "csd", x, y, fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, "psd"
    )
    if found.ndim >= 2 and found.size:
        data, node = found._data, found._node
        if average not in ("mean", "median"):
            raise ValueError(f"csd: average must be 'median' or 'mean', got {describe(average)}")
        wide = data.astype(np.complex128 if node.kind == "c" else np.float64)
        count = data.shape[-1]
        if average == "mean" or count == 1:
            wide = wide.mean(-1)
        else:
            middle = np.median(wide.real, -1) + (1j * np.median(wide.imag, -1) if node.kind == "c" else 0)
            even = 2.0 * np.arange(1, (count - 1) // 2 + 1)
            wide = middle / (1 + np.sum(1 / (even + 1) - 1 / even))  # the median of squares is less than their mean
        found = rounded(np.asarray(wide), node)
    return frequencies, found


def welch(
    x: ArrayLike,
    fs: ArrayLike = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    detrend: Any = "constant",
    return_onesided: bool = True,
    scaling: str = "density",
    axis: int = -1,
    average: str = "mean",
) -> tuple[Array, Array]:
    """Estimate the power spectral density by Welch's method.

    Parameters
    ----------
    x : array_like
        The signals.
    fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
        As for `csd`.

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


def istft(
    Zxx: ArrayLike,
    fs: ArrayLike = 1.0,
    window: Any = "hann",
    nperseg: int | None = None,
    noverlap: int | None = None,
    nfft: int | None = None,
    input_onesided: bool = True,
    boundary: bool = True,
    time_axis: int = -1,
    freq_axis: int = -2,
) -> tuple[Array, Array]:
    """Compute the inverse short-time Fourier transform.

    Parameters
    ----------
    Zxx : array_like
        The transforms of segments.
    fs, window, nperseg, noverlap, nfft
        As for `stft`.
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
    node, (data,) = in_double("istft", given)
    node = complex_of(node.strong)
    if data.ndim < 2:
        raise ShapeError(f"istft: the transforms must have at least 2 axes, got shape {data.shape}")
    rows, columns = normalize_axis(freq_axis, data.ndim, "istft"), normalize_axis(time_axis, data.ndim, "istft")
    if rows == columns:
        raise ValueError("istft: time_axis and freq_axis must differ")
    data = np.moveaxis(data.astype(np.complex128), (rows, columns), (-2, -1))
    default = 2 * (data.shape[-2] - 1) if input_onesided else data.shape[-2]
    length = _positive("istft", "nperseg", nperseg or default)
    points = (default + (input_onesided and length == default + 1)) if nfft is None else call_user_code(int, nfft)
    if points < length:
        raise ValueError(f"istft: nfft must be at least nperseg, got {points} and {length}")
    overlap = call_user_code(int, noverlap or length // 2)
    if overlap >= length:
        raise ValueError(f"istft: noverlap must be less than nperseg, got {overlap} and {length}")
    step = length - overlap
    parts = (np.fft.irfft if input_onesided else np.fft.ifft)(data, points, axis=-2)[..., :length, :]
    if isinstance(window, str | tuple):
        win = make_window(window, length, "istft")
    else:
        win = as_array(window)._data.astype(np.float64)
        if win.shape != (length,):
            raise ShapeError(f"istft: the window must have shape ({length},), got {win.shape}")
    count = parts.shape[-1]
    out = np.zeros((*parts.shape[:-2], step * (count - 1) + length), parts.dtype)
    weights = np.zeros(out.shape[-1])
    for number in range(count):
        place = slice(number * step, number * step + length)
        out[..., place] += parts[..., number] * (win * win.sum())
        weights[place] += win * win
    if boundary:
        inner = slice(length // 2, out.shape[-1] - length // 2)
        out, weights = out[..., inner], weights[inner]
    if (weights <= 1e-10).any():
        warnings.warn("NOLA condition failed, STFT may not be invertible", UserWarning, stacklevel=stack_level())
    out = out / np.where(weights > 1e-10, weights, 1.0)
    if out.ndim > 1 and columns != given.ndim - 1:
        out = np.moveaxis(out, -1, columns - (rows < columns))
    times = np.arange(out.shape[0]) / call_user_code(float, fs)  # type: ignore[arg-type]  # a number, or an error of Python's
    return rounded(times, node.real), rounded(np.ascontiguousarray(out), node.real if input_onesided else node)


publish(__name__)
