"""Convolution, correlation, detrending and spectral estimation, of ``jax.scipy.signal``."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, check_choice, describe, warn
from supremum._base.silence import call_user_code
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import as_array, normalize_axes, normalize_axis, operand, operands
from supremum._core.dtype_objects import complex_of, to_inexact
from supremum._core.settings import state
from supremum._functions.creation.filled import zeros
from supremum._functions.creation.from_objects import asarray
from supremum._functions.data_types import astype
from supremum._functions.elementwise.arithmetic import square
from supremum._functions.elementwise.complex_parts import conj, imag, real
from supremum._functions.linear_algebra._matrices import inexact, rounded
from supremum._functions.manipulation.axes import moveaxis
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.padding import pad
from supremum._functions.manipulation.shapes import reshape
from supremum._functions.statistical.quantiles import median
from supremum._functions.statistical.reductions import mean
from supremum.promotion._nodes import NODES, Node
from supremum.scipy._evaluation import Library, in_double

__all__ = [
    "convolve", "convolve2d", "correlate", "correlate2d", "csd", "detrend", "fftconvolve", "istft", "stft", "welch",
]  # fmt: skip

_SIGNAL: Final = Library("scipy.signal")
_FFT: Final = Library("scipy.fft")


def _pair(function: str, in1: Any, in2: Any, mode: str) -> tuple[Node, Buffer, Buffer]:
    check_choice(mode, "mode", ("full", "same", "valid"), function)
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
    check_choice(method, "method", ("auto", "direct", "fft"), "convolve")
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
    check_choice(method, "method", ("auto", "direct", "fft"), "correlate")
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


#: What `pad` does at the ends of a signal, by what SciPy calls it.
_EXTENSIONS: Final[dict[str, Any]] = {"even": "reflect", "constant": "edge", "odd": "reflect"}


@functools.lru_cache(maxsize=32)
def _window(name: Any, length: int) -> Any:
    return _SIGNAL.get_window(name, length)


def _transform(name: str) -> Any:
    """Return a transform along the last axis by SciPy, which takes a part of the time of NumPy's, as what guests know."""

    def transform(a: Array, n: int | None = None, axis: int = -1, norm: str | None = None) -> Array:
        found = getattr(_FFT, name)(operand(a, name)._data, n, axis, norm)
        return wrap(found, NODES[found.dtype.name])

    transform.__name__ = transform.__qualname__ = name
    return public(same=f"fft.{name}")(transform)


_fft, _ifft = _transform("fft"), _transform("ifft")
_rfft, _irfft = _transform("rfft"), _transform("irfft")


def _floating(function: str, *xs: Any) -> tuple[Node, list[Array]]:
    """Return the node that operands promote to, made floating and strong, and them in the dtype that is computed in."""
    arrays, settings = operands(function, *xs), state()
    node = to_inexact(settings.join_all([settings.truncate(x._node) for x in arrays])).strong
    return node, [astype(x, node.wide.dtype, copy=False) for x in arrays]


def _frames(function: str, size: int, window: Any, nperseg: Any, noverlap: Any, nfft: Any) -> tuple[Buffer, int, int]:
    """Return the window of the segments of a signal, the step from one to the next, and the length of transforms."""
    length = None if nperseg is None else call_user_code(int, nperseg)
    if length is not None and length < 1:
        raise ValueError(f"{function}: nperseg must be a positive integer, got {length}")
    if isinstance(window, str | tuple):
        length = length or 256
        if length > size:
            warn(f"nperseg = {length} is greater than input length = {size}, using nperseg = {size}", UserWarning)
        taken = _window(window, min(length, size))
    else:
        taken = as_array(window)._data
        if taken.ndim != 1 or len(taken) > size:
            raise ShapeError(
                f"{function}: the window must have one axis, not longer than the signal, {size}, got shape {taken.shape}"
            )
        if length not in (None, len(taken)):
            raise ValueError(f"{function}: nperseg must be the length of the window, {len(taken)}, got {length}")
    length = len(taken)
    points = length if nfft is None else call_user_code(int, nfft)
    overlap = length // 2 if noverlap is None else call_user_code(int, noverlap)
    if points < length:
        raise ValueError(f"{function}: nfft must be greater than or equal to nperseg, got {points} and {length}")
    if overlap >= length:
        raise ValueError(f"{function}: noverlap must be less than nperseg, got {overlap} and {length}")
    return taken, length - overlap, points


def _with_length(x: Array, length: int) -> Array:
    """Cut the last axis, or append zeros."""
    missing = length - x.shape[-1]
    return concatenate([x, _zeros(x, missing)], -1) if missing > 0 else x[..., :length]


def _zeros(x: Array, length: int) -> Array:
    """Return zeros to join to an array along its last axis."""
    return zeros((*x.shape[:-1], length), x.dtype)


def _extended(x: Array, boundary: str | None, count: int) -> Array:
    """Continue a signal at both ends."""
    if boundary is None:
        return x
    check_choice(boundary, "boundary", ("zeros", "even", "constant", "odd"), "stft")
    if boundary == "zeros":
        return concatenate([_zeros(x, count), x, _zeros(x, count)], -1)
    found = pad(x, [(0, 0)] * (x.ndim - 1) + [(count, count)], _EXTENSIONS[boundary])
    if boundary != "odd" or not count:
        return found
    left, right = 2 * x[..., :1] - found[..., :count], 2 * x[..., -1:] - found[..., -count:]
    return concatenate([left, x, right], -1)


def _segments(x: Array, length: int, step: int) -> Array:
    """Return the segments of a signal, one after the other along the axis before the last."""
    count, pieces = (x.shape[-1] - length) // step + 1, -(-length // step)
    x = _with_length(x, (count + pieces - 1) * step)
    rows = [reshape(x[..., k * step : (k + count) * step], (*x.shape[:-1], count, step)) for k in range(pieces)]
    return concatenate(rows, -1)[..., :length]


def _spectra(
    function: str, x: Array, fs: Any, window: Any, nperseg: Any, noverlap: Any, nfft: Any, trend: Any, onesided: bool, *,
    density: bool = False, boundary: str | None = None, padded: bool = False,
) -> tuple[Buffer, Buffer, Array, int]:  # fmt: skip
    """Return the frequencies, the times of segments, their transforms, and the length of these."""
    window, step, points = _frames(function, x.shape[-1], window, nperseg, noverlap, nfft)
    length, rate = len(window), call_user_code(float, fs)
    x = _extended(x, boundary, length // 2)
    if padded:
        x = _with_length(x, x.shape[-1] + (-(x.shape[-1] - length) % step) % length)
    parts: Any = _segments(x, length, step)
    if trend == "constant":
        parts = parts - mean(parts, -1, keepdims=True)
    elif trend:
        parts = call_user_code(trend, parts) if callable(trend) else detrend(parts, type=trend)
    squares = rate * (window * window).sum() if density else window.sum() ** 2
    found: Array = (_rfft if onesided else _fft)(parts * asarray(window * squares**-0.5, x.dtype), points)
    times = np.arange(length / 2, x.shape[-1] - length / 2 + 1, step) - (0 if boundary is None else length / 2)
    return (np.fft.rfftfreq if onesided else np.fft.fftfreq)(points, 1 / rate), times / rate, found, points


def _is_onesided(wanted: bool, node: Node) -> bool:
    """Return whether half of the frequencies are enough, as for real signals."""
    if wanted and node.kind == "c":
        warn("Input data is complex, switching to return_onesided=False", UserWarning)
    return bool(wanted) and node.kind != "c"


@public(composed=True)
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
    node, (given,) = _floating("stft", x)
    along, kind = normalize_axis(axis, given.ndim, "stft"), complex_of(node)
    if not given.size:
        nothing = np.zeros(given.shape)
        return rounded(nothing, kind.real), rounded(nothing, kind.real), rounded(nothing, kind)
    last = along == given.ndim - 1
    own: Any = detrend
    trend = detrend if last or not callable(detrend) else lambda d: moveaxis(own(moveaxis(d, -1, along)), along, -1)
    frequencies, times, found, _ = _spectra(
        "stft", moveaxis(given, along, -1), fs, window, nperseg, noverlap, nfft, trend, _is_onesided(return_onesided, node),
        boundary=boundary, padded=padded,
    )  # fmt: skip
    found = astype(moveaxis(found, -1, -2 if last else along), kind.dtype, copy=False)
    return rounded(frequencies, kind.real), rounded(times, kind.real), found


@public(composed=True)
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
    check_choice(scaling, "scaling", ("density", "spectrum"), "csd")
    check_choice(average, "average", ("mean", "median"), "csd")
    node, signals = _floating("csd", *((x,) if y is None else (x, y)))
    if len({one.ndim for one in signals}) > 1:
        raise ShapeError(f"csd: the signals must have as many axes as each other, got {[one.shape for one in signals]}")
    along = normalize_axis(axis, signals[0].ndim, "csd")
    signals = [moveaxis(one, along, -1) for one in signals]
    if not all(one.size for one in signals):
        outer = np.broadcast_shapes(*[one.shape[:-1] for one in signals])
        nothing = np.zeros((*outer[:along], min(one.shape[-1] for one in signals), *outer[along:]))
        return rounded(nothing, node.real), rounded(nothing, complex_of(node))
    longest, onesided = max(one.shape[-1] for one in signals), _is_onesided(return_onesided, node)
    given = fs, window, nperseg, noverlap, nfft, detrend, onesided
    parts = [_spectra("csd", _with_length(one, longest), *given, density=scaling == "density") for one in signals]
    frequencies, _, first, points = parts[0]
    found = square(real(first)) + square(imag(first)) if y is None else conj(first) * parts[1][2]
    count = found.shape[-2]
    if average == "mean" or count == 1:
        result = mean(found, -2)
    else:
        even = 2.0 * np.arange(1, (count - 1) // 2 + 1)
        middle = median(real(found), -2) if y is None else median(real(found), -2) + 1j * median(imag(found), -2)
        result = middle / float(1 + np.sum(1 / (even + 1) - 1 / even))  # as the median of squares is less than their mean
    if onesided:  # with the negative frequencies, which the first one, and of an even number the last one, do not have
        sides = np.full(len(frequencies), 2.0)
        sides[[0, -1] if points % 2 == 0 else 0] = 1
        result = result * asarray(sides, result.dtype)
    kind = node.real if y is None else complex_of(node)
    return rounded(frequencies, kind.real), astype(moveaxis(result, -1, along), kind.dtype)


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
    given = fs, window, nperseg, noverlap, nfft, detrend, return_onesided, scaling, axis, average
    frequencies, density = csd(x, None, *given)
    return frequencies, real(density)  # those of no elements are complex


@public(composed=True)
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
    node, (given,) = _floating("istft", Zxx)
    node = complex_of(node)
    if given.ndim < 2:
        raise ShapeError(f"istft: the transforms must have at least 2 axes, got shape {given.shape}")
    rows, columns = normalize_axis(freq_axis, given.ndim, "istft"), normalize_axis(time_axis, given.ndim, "istft")
    if rows == columns:
        raise ValueError("istft: time_axis and freq_axis must differ")
    data = given.mT if rows + 2 == columns + 1 == given.ndim else moveaxis(given, (columns, rows), (-2, -1))
    data = astype(data, node.dtype, copy=False)
    default = 2 * (data.shape[-1] - 1) if input_onesided else data.shape[-1]
    length = call_user_code(int, nperseg or default)
    points = (default + (input_onesided and length == default + 1)) if nfft is None else call_user_code(int, nfft)
    if not 0 < length <= points:
        raise ValueError(f"istft: nperseg must be positive and at most nfft, got {length} and {points}")
    overlap = call_user_code(int, noverlap or length // 2)
    if overlap >= length:
        raise ValueError(f"istft: noverlap must be less than nperseg, got {overlap} and {length}")
    step = length - overlap
    parts = (_irfft if input_onesided else _ifft)(data, points)[..., :length]
    win = _window(window, length) if isinstance(window, str | tuple) else as_array(window)._data.astype(np.float64)
    if win.shape != (length,):
        raise ShapeError(f"istft: the window must have shape ({length},), got {win.shape}")
    dtype = node.real.dtype
    out = _overlapped(parts * asarray(win * win.sum(), parts.dtype), step)
    squares = np.zeros((parts.shape[-2] + (length - 1) // step, step), dtype)
    for k, start in enumerate(range(0, length, step)):  # as `_overlapped` adds segments
        piece = win[start : start + step]
        squares[k : k + parts.shape[-2], : len(piece)] += (piece * piece).astype(dtype)
    weights = squares.reshape(-1)[: out.shape[-1]]
    if boundary:
        inner = slice(length // 2, len(weights) - length // 2)
        out, weights = out[..., inner], weights[inner]
    known = weights > 1e-10
    if not known.all():
        warn("NOLA condition failed, STFT may not be invertible", UserWarning)
    out = out / asarray(np.where(known, weights, 1), out.dtype)
    if out.ndim > 1 and columns != given.ndim - 1:
        out = moveaxis(out, -1, columns - (rows < columns))
    times = np.arange(out.shape[0]) / call_user_code(float, fs)  # type: ignore[arg-type]  # a number, or an error of Python's
    return rounded(times, node.real), out


def _overlapped(parts: Array, step: int) -> Array:
    """Add segments, which are along the last axis, each a step after the one before it."""
    *batch, count, length = parts.shape
    pieces = -(-length // step)
    whole = _with_length(parts, pieces * step)
    placed = []
    for k in range(pieces):
        before, after = (zeros((*batch, n, step), parts.dtype) for n in (k, pieces - 1 - k))
        placed.append(concatenate([before, whole[..., k * step : (k + 1) * step], after], -2))
    return reshape(functools.reduce(operator.add, placed), (*batch, -1))[..., : step * (count - 1) + length]


__dir__ = __all__.copy  # which `dir` sorts
