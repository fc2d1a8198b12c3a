"""Calls of jax.scipy.signal, ndimage, fft, integrate and cluster.vq."""

# mypy: disable-error-code="assignment, arg-type, misc, list-item, comparison-overlap, redundant-expr"
# The loops below run over arguments of every type.
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from conformance.jax.calls import arr, call, weak

from ._common import Call, sample

DTYPES = ("int32", "bfloat16", "float64", "complex64")
CONVOLUTIONS = ("convolve", "correlate", "fftconvolve")


def signals() -> Iterator[Call]:
    """Yield calls of jax.scipy.signal."""
    for function in (*CONVOLUTIONS, "convolve2d", "correlate2d"):
        target = f"jax.scipy.signal.{function}"
        shapes = [((4, 5), (2, 3)), ((2, 3), (4, 5)), ((4, 2), (2, 4))]
        shapes += [((6,), (3,)), ((3,), (6,))] if function in CONVOLUTIONS else []
        for left, right in shapes:
            for mode in ("full", "same", "valid"):
                yield call(target, sample("float32", left), sample("float32", right), mode)
        for dtype in DTYPES:
            yield call(target, sample(dtype, (4, 3)), sample(dtype, (2, 2)), "same")
            yield call(target, sample(dtype, (2, 2)), sample(dtype, (4, 3)), "valid")
        yield call(target, sample("float32", (3, 3)), sample("float32", 3))
        yield call(target, sample("float32", (3, 3)), sample("float32", (2, 2)), "x")
        yield call(target, sample("float32", (3, 3)), arr("float32", np.zeros((0, 2))))
    for axes in (0, (1,), (0, 1), 2):
        yield call("jax.scipy.signal.fftconvolve", sample("float32", (4, 4)), sample("float32", (4, 4)), axes=axes)
    for method in ("auto", "direct", "fft", "x"):
        yield call("jax.scipy.signal.convolve", sample("float32", 5), sample("float32", 2), method=method)
        yield call("jax.scipy.signal.correlate", sample("float32", 5), sample("float32", 2), method=method)
    for dtype in ("int32", "float32", "complex64"):
        for kind in ("linear", "constant", "x"):
            yield call("jax.scipy.signal.detrend", sample(dtype, (2, 8)), type=kind)
        yield call("jax.scipy.signal.detrend", sample(dtype, (8, 2)), axis=0, bp=3)
    for dtype in ("float32", "complex64"):
        x, y = sample(dtype, (2, 40)), sample(dtype, (2, 40), 5)
        for options in (
            {"nperseg": 8}, {"nperseg": 8, "noverlap": 2, "nfft": 16, "window": "hamming"},
            {"nperseg": 7, "return_onesided": False, "fs": 4.0}, {"nperseg": 0}, {"nperseg": 8, "noverlap": 8},
            {"nperseg": 8, "nfft": 4}, {"nperseg": 8, "detrend": "linear"},
        ):  # fmt: skip
            yield call("jax.scipy.signal.stft", x, **options)
            yield call("jax.scipy.signal.welch", x, **options)
            yield call("jax.scipy.signal.csd", x, y, **options)
        yield call("jax.scipy.signal.welch", x, nperseg=8, average="median", scaling="spectrum")
        yield call("jax.scipy.signal.csd", x, None, nperseg=8)
        yield call("jax.scipy.signal.stft", x, nperseg=8, boundary="odd", padded=False)
        yield call("jax.scipy.signal.istft", sample(dtype, (5, 6)))
        yield call("jax.scipy.signal.istft", sample(dtype, (2, 6, 5)), time_axis=1, freq_axis=2)
        yield call("jax.scipy.signal.istft", sample(dtype, (8, 6)), input_onesided=False)


def images() -> Iterator[Call]:
    """Yield calls of jax.scipy.ndimage."""
    target = "jax.scipy.ndimage.map_coordinates"
    places = [
        arr("float32", [-2.5, -0.5, 0.0, 0.5, 1.25, 2.5, 3.0, 7.5]),
        arr("float32", [0.0, 1.0, 1.5, 0.5, -1.0, 4.5, 2.0, 9.0]),
    ]
    for dtype in ("uint8", *DTYPES):
        for order in (0, 1):
            yield call(target, sample(dtype, (3, 4)), places, order)
    for mode in ("constant", "nearest", "wrap", "mirror", "reflect", "x"):
        for order in (0, 1, 2):
            yield call(target, sample("float32", (3, 4)), places, order, mode, 2.5)
    yield call(target, sample("float32", (3, 4)), places[:1], 1)
    yield call(target, sample("float32", 4), [arr("int32", [0, 2, 5])], 1)


def others() -> Iterator[Call]:
    """Yield calls of jax.scipy.fft, integrate and cluster.vq."""
    for function in ("dct", "idct", "dctn", "idctn"):
        target = f"jax.scipy.fft.{function}"
        for dtype in ("int32", "float32", "complex64"):
            yield call(target, sample(dtype, (3, 4)))
            yield call(target, sample(dtype, (3, 4)), norm="ortho")
        yield call(target, sample("float32", 5), 3)
        yield call(target, sample("float32", 5), norm="forward")
        yield call(target, sample("float32", (2, 2, 3)))
    for n in (2, 4, 7):
        yield call("jax.scipy.fft.dct", sample("float32", (3, 4)), n=n, axis=0)
        yield call("jax.scipy.fft.idctn", sample("float32", (3, 4)), s=[n, 3], axes=(0, 1))
    for dtype in DTYPES:
        yield call("jax.scipy.integrate.trapezoid", sample(dtype, (2, 4)))
        yield call("jax.scipy.integrate.trapezoid", sample(dtype, (2, 4)), sample(dtype, 4), axis=1)
        yield call("jax.scipy.cluster.vq.vq", sample(dtype, (4, 2)), sample(dtype, (3, 2), 2))
        yield call("jax.scipy.cluster.vq.vq", sample(dtype, 4), sample(dtype, 3, 2))
    yield call("jax.scipy.integrate.trapezoid", weak([1.0, 2.0]), dx=2)
    yield call("jax.scipy.cluster.vq.vq", sample("float32", (4, 2)), sample("float32", 3))
    yield call("jax.scipy.cluster.vq.vq", sample("float32", (4, 2, 1)), sample("float32", (4, 2, 1)))


def calls() -> Iterator[Call]:
    """Yield all calls of this module."""
    yield from signals()
    yield from images()
    yield from others()
