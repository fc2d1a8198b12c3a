"""Signal processing: SciPy's results, definitions, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow, weak
from common import for_each, same_bits

import supremum as xp
from supremum.scipy import signal

SIGNAL = [1, 2, -3, 4, 0.5, -1, 2, 3]
KERNEL = [1.0, -0.5, 2.0]
#: The sums of products, by hand.
FULL = [1, 1.5, -2, 9.5, -7.5, 6.75, 3.5, 0, 2.5, 6]
CONVOLUTIONS = ("convolve", "correlate", "fftconvolve")


@pytest.mark.parametrize("function", ["convolve", "fftconvolve"])
@pytest.mark.parametrize(("mode", "expected"), [("full", FULL), ("same", FULL[1:-1]), ("valid", FULL[2:-2])])
def test_convolutions(function, mode, expected):
    found = getattr(signal, function)(xp.asarray(SIGNAL), xp.asarray(KERNEL), mode)
    np.testing.assert_allclose(np.asarray(found), expected, atol=2e-6)
    if mode != "same":
        swapped = getattr(signal, function)(xp.asarray(KERNEL), xp.asarray(SIGNAL), mode)
        np.testing.assert_allclose(np.asarray(swapped), expected, atol=2e-6)


@pytest.mark.parametrize("method", ["auto", "direct", "fft"])
def test_correlations_are_convolutions_with_the_reversed_conjugate(method):
    z = np.array([1 + 1j, 2.0, -1j])
    found = signal.correlate(xp.asarray(SIGNAL), xp.asarray(z), method=method)
    expected = np.convolve(np.array(SIGNAL, complex), z[::-1].conj())
    np.testing.assert_allclose(np.asarray(found), expected, atol=3e-6)


def test_planes():
    # The corners are single products, the middle is a sum of four.
    x, kernel = xp.asarray([[1, 2], [3, 4]]), xp.asarray([[1, 10], [100, 1000]])
    assert signal.convolve2d(x, kernel).tolist() == [[1, 12, 20], [103, 1234, 2040], [300, 3400, 4000]]
    assert signal.correlate2d(x, kernel, "valid").tolist() == [[4321]]
    rows = signal.fftconvolve(x, kernel, axes=1)
    np.testing.assert_allclose(np.asarray(rows), [[1, 12, 20], [300, 3400, 4000]], rtol=1e-6)


@pytest.fixture
def theirs():
    return pytest.importorskip("scipy.signal", reason="SciPy is not installed")


def both(function, theirs, *arguments, tolerance=1e-12, **options):
    """Compare with SciPy's function, to a tolerance relative to the greatest element."""
    with xp.config.use(x64="on"):
        given = [xp.asarray(x) if isinstance(x, np.ndarray) else x for x in arguments]
        found, expected = getattr(signal, function)(*given, **options), getattr(theirs, function)(*arguments, **options)
    for x, y in zip(*[part if isinstance(part, tuple) else (part,) for part in (found, expected)], strict=True):
        np.testing.assert_allclose(np.asarray(x), y, rtol=tolerance, atol=tolerance * np.abs(y).max())


@for_each("dtype", ["float32", "float64", "complex128"])
@for_each("mode", ["full", "same", "valid"])
def test_convolutions_are_scipys(theirs, mode, dtype):
    random = np.random.default_rng(1)
    tolerance = 2e-6 if dtype == "float32" else 1e-12
    for left, right in (((9,), (4,)), ((4, 3), (2, 3)), ((70, 70), (3, 4)), ((5, 4, 3), (2, 2, 3))):
        a, b = [(random.normal(size=n) * (1 + 2j if "complex" in dtype else 1)).astype(dtype) for n in (left, right)]
        names = ["convolve", "correlate", "fftconvolve", *["convolve2d", "correlate2d"][: 2 * (len(left) == 2)]]
        for name in names:
            both(name, theirs, a, b, mode, tolerance=tolerance)
            both(name, theirs, b, a, mode, tolerance=tolerance)
    both("fftconvolve", theirs, a, np.repeat(b[:, :1], 4, 1), mode, axes=[0, 2], tolerance=tolerance)


@pytest.mark.parametrize("shape", [(50,), (2, 50)])
def test_spectra_are_scipys(theirs, shape):
    x = np.random.default_rng(2).normal(size=shape)
    for window in ("hann", "boxcar", "flattop", ("tukey", 0.25), ("kaiser", 4.0), ("gaussian", 3.0)):
        both("stft", theirs, x, nperseg=16, window=window)
        both("welch", theirs, x, nperseg=16, window=window)
        both("csd", theirs, x, x[..., ::-1].copy(), nperseg=12, window=window, noverlap=3, nfft=20)
    for boundary in ("even", "odd", "constant", "zeros", None):
        both("stft", theirs, x, nperseg=16, noverlap=5, boundary=boundary, padded=False)
    z = x * (1 + 1j)
    for options in ({"scaling": "spectrum"}, {"average": "median"}, {"detrend": "linear"}, {"fs": 8.0}, {"axis": 0}):
        if shape == (50,) or "axis" not in options:
            both("welch", theirs, z, nperseg=16, return_onesided=False, **options)
    both("csd", theirs, x.T.copy(), x.T[:40].copy(), nperseg=8, axis=0)
    for overlap in (2, 8, 11):
        spectrum = theirs.stft(x, nperseg=12, noverlap=overlap)[2]
        both("istft", theirs, spectrum, nperseg=12, noverlap=overlap)
        both("istft", theirs, spectrum.swapaxes(-1, -2).copy(), nperseg=12, noverlap=overlap, time_axis=-2, freq_axis=-1)


def test_spectra_need_no_promotion():
    x = xp.asarray(np.random.default_rng(3).normal(size=64).astype(np.float32))
    for call in (
        lambda: signal.csd(x, x[::-1], nperseg=16),
        lambda: signal.welch(x, nperseg=16),
        lambda: signal.istft(xp.fft.fft(x.reshape(8, 8)), nperseg=8, input_onesided=False),
        lambda: signal.istft(xp.fft.rfft(x.reshape(8, 8)).T, nperseg=8),
    ):
        expected = call()
        with xp.config.use(promotion="jax_strict"):  # as JAX's own tests of them
            for found, wanted in zip(call(), expected, strict=True):
                same_bits(found, wanted)


def test_windows_by_name_are_checked():
    pytest.importorskip("scipy.signal", reason="SciPy is not installed")
    with pytest.raises(ValueError, match="welch"):
        signal.welch(xp.asarray(SIGNAL), window="nonsense", nperseg=4)


@pytest.mark.parametrize("function", [signal.stft, signal.welch])
def test_segments_are_not_longer_than_signals(function):
    with pytest.warns(UserWarning, match="greater than input length = 8"):
        found = function(xp.asarray(SIGNAL), nperseg=9)
    for x, y in zip(found, function(xp.asarray(SIGNAL), nperseg=8), strict=True):
        assert x.tolist() == y.tolist()


def test_complex_signals_have_two_sides():
    z = xp.asarray(SIGNAL) + 1j
    with pytest.warns(UserWarning, match="return_onesided=False"):
        frequencies, _, found = signal.stft(z, nperseg=4)
    assert frequencies.tolist() == [0, 0.25, -0.5, -0.25]
    assert found.shape == (4, 5)


def test_trends():
    # SciPy 1.17.
    expected = [0.625, 10 / 7, -3.7678571428571432, 3.0357142857142856, -0.660714285714286, -2.3571428571428577]
    found = signal.detrend(xp.asarray(SIGNAL))
    np.testing.assert_allclose(np.asarray(found)[:6], expected, rtol=1e-6)
    pieces = [-1, 2, -1, 2.2, -1.25, -2.7, 0.35, 1.4]
    np.testing.assert_allclose(np.asarray(signal.detrend(xp.asarray(SIGNAL), bp=3)), pieces, rtol=2e-6)
    assert signal.detrend(xp.asarray([1.0, 3.0, 2.0]), type="constant").tolist() == [-1, 1, 0]
    columns = signal.detrend(xp.asarray([SIGNAL, SIGNAL]).T, axis=0)
    np.testing.assert_allclose(np.asarray(columns)[:, 1], np.asarray(found), atol=1e-6)
    line = signal.detrend(3 * xp.arange(50.0) - 7)
    np.testing.assert_allclose(np.asarray(line), 0, atol=1e-4)


def test_spectra():
    # SciPy 1.17.
    x = xp.asarray(SIGNAL)
    frequencies, times, transform = signal.stft(x, nperseg=4)
    assert (frequencies.tolist(), times.tolist()) == ([0, 0.25, 0.5], [0, 2, 4, 6, 8])
    expected = [
        [1, 0, 1, 1.5, 0.75], [-0.5 + 0.5j, 1.5 + 0.5j, -0.25 - 1.25j, -1 + 1j, -0.75j], [0, -3, -0.5, 0.5, -0.75]
    ]  # fmt: skip
    np.testing.assert_allclose(np.asarray(transform), expected, atol=1e-6)
    np.testing.assert_allclose(np.asarray(signal.istft(transform, nperseg=4)[1])[:8], SIGNAL, atol=2e-6)
    power = [1.6944444444444446, 12.513888888888891, 8.444444444444446]
    np.testing.assert_allclose(np.asarray(signal.welch(x, nperseg=4)[1]), power, rtol=1e-6)
    np.testing.assert_allclose(np.asarray(signal.csd(x, x, nperseg=4)[1]), power, rtol=1e-6)
    cross = [1.694444444444445, 8.20138888888889 - 6.180555555555557j, 2.5]
    np.testing.assert_allclose(np.asarray(signal.csd(x, x[::-1], nperseg=4)[1]), cross, rtol=1e-6)


# JAX 0.10.2.
REAL = {"bool": "float32", "int32": "float32", "float32": "float32", "complex64": "complex64"}
TRANSFORMS = dict.fromkeys(("weak", "bool", "int32", "float32", "complex64"), "complex64")
POWERS = dict.fromkeys(TRANSFORMS, "float32")
CALLS = {
    "convolve": (lambda x: signal.convolve(x, x), {**REAL, "weak": "float32*", "bfloat16": "bfloat16"}),
    "correlate": (lambda x: signal.correlate(x, x), {**REAL, "weak": "float32*", "bfloat16": "bfloat16"}),
    "convolve2d": (lambda x: signal.convolve2d(x[None], x[None]), {**REAL, "weak": "float32*"}),
    "fftconvolve": (lambda x: signal.fftconvolve(x, x), {**REAL, "weak": "float32"}),
    "detrend": (signal.detrend, {**REAL, "weak": "float32*"}),
    "detrend of a constant": (lambda x: signal.detrend(x, type="constant"), {**REAL, "weak": "float32"}),
    "stft": (lambda x: signal.stft(x, nperseg=4, return_onesided=False)[2], TRANSFORMS),
    "welch": (lambda x: signal.welch(x, nperseg=4, return_onesided=False)[1], POWERS),
    "istft": (lambda x: signal.istft(x.reshape(2, 4))[1], {**POWERS, "bfloat16": "float32"}),
}


@for_each("name", CALLS)
def test_dtypes(name):
    call, table = CALLS[name]
    check_dtypes(call, table, SIGNAL)


@for_each("name", CALLS)
def test_layouts(name):
    check_layouts(CALLS[name][0], np.array(SIGNAL, np.float32))


@for_each("name", CALLS)
def test_narrow_floats_are_rounded_once(name):
    check_narrow(CALLS[name][0], SIGNAL)


def test_weak_and_strong_operands():
    # JAX 0.10.2: integers leave a weak float weak.
    assert signal.convolve(weak(KERNEL), xp.asarray([1, 2])).weak_type
    assert not signal.convolve(weak(KERNEL), xp.asarray(KERNEL)).weak_type
    assert signal.convolve(weak(KERNEL), xp.asarray(KERNEL, dtype="bfloat16")).dtype == "bfloat16"


@for_each("name", CALLS)
def test_nan_spreads(name):
    found = np.asarray(CALLS[name][0](xp.asarray([*SIGNAL[:-1], np.nan])))
    assert np.isnan(found).any()


@pytest.mark.parametrize("function", [*CONVOLUTIONS, "convolve2d", "correlate2d"])
def test_refused_arguments(function):
    compute = getattr(signal, function)
    plane = function.endswith("2d")
    x = xp.ones((3, 3) if plane else 3)
    for bad, error in ((xp.ones((0, 3) if plane else 0), ValueError), (xp.ones((3, 3, 3)), ValueError), ("a", TypeError)):
        with pytest.raises(error, match=function):
            compute(x, bad)
    with pytest.raises(ValueError, match=f"{function}: mode"):
        compute(x, x, "nonsense")
    if not plane and function != "fftconvolve":
        with pytest.raises(ValueError, match=f"{function}: method"):
            compute(x, x, method="nonsense")
    if not plane:
        with pytest.raises(ValueError, match=function):
            compute(xp.ones((2, 3)), xp.ones((3, 2)), "valid")


@for_each(
    ("call", "error", "words"),
    [
        (lambda x: signal.detrend(x, type="nonsense"), ValueError, "type must be"),
        (lambda x: signal.detrend(x, bp=9), ValueError, "breakpoints"),
        (lambda x: signal.detrend(x, overwrite_data=True), NotImplementedError, "overwrite_data"),
        (lambda x: signal.stft(x, nperseg=0), ValueError, "nperseg must be a positive"),
        (lambda x: signal.stft(x, nperseg=4, noverlap=4), ValueError, "noverlap must be less"),
        (lambda x: signal.welch(x, nperseg=4, nfft=2), ValueError, "nfft must be greater than or equal"),
        (lambda x: signal.stft(x, nperseg=4, boundary="nonsense"), ValueError, "boundary must be"),
        (lambda x: signal.welch(x, window=xp.ones((2, 2))), ValueError, "one axis"),
        (lambda x: signal.welch(x, window=xp.ones(9)), ValueError, "not longer than the signal"),
        (lambda x: signal.welch(x, window=xp.ones(4), nperseg=3), ValueError, "the length of the window"),
        (lambda x: signal.welch(x, nperseg=4, scaling="nonsense"), ValueError, "scaling must be"),
        (lambda x: signal.welch(x, nperseg=4, average="nonsense"), ValueError, "average must be"),
        (lambda x: signal.csd(x, x[None], nperseg=4), ValueError, "as many axes"),
        (lambda x: signal.istft(x), ValueError, "at least 2 axes"),
        (lambda x: signal.istft(x[None], time_axis=0, freq_axis=0), ValueError, "must differ"),
        (lambda _: signal.detrend([1.0, 2.0]), TypeError, "detrend"),
    ],
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call(xp.asarray(SIGNAL))
