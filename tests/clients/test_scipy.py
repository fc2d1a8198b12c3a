"""SciPy with SCIPY_ARRAY_API=1: values are NumPy's, arrays stay ours, float32 stays float32."""

import numpy as np
import pytest
from client_checks import ours

import supremum as xp

# Not "scipy" alone, which would be the folder of tests of that name.
pytest.importorskip("scipy.special", reason="scipy is not installed")
from scipy import cluster, differentiate, fft, integrate, interpolate, ndimage, optimize, signal, spatial, special, stats
from scipy.optimize import elementwise

RNG = np.random.default_rng(0)
X = RNG.standard_normal(64).astype(np.float32)
Y = RNG.standard_normal(64).astype(np.float32)
M = RNG.standard_normal((8, 8)).astype(np.float32)
P = RNG.uniform(0.1, 0.9, 64).astype(np.float32)

CALLS = {
    "special.erf": lambda m: special.erf(m(X)),
    "special.expit": lambda m: special.expit(m(X)),
    "special.logit": lambda m: special.logit(m(P)),
    "special.gammaln": lambda m: special.gammaln(m(P)),
    "special.logsumexp": lambda m: special.logsumexp(m(M), axis=1),
    "special.softmax": lambda m: special.softmax(m(M), axis=1),
    "special.xlogy": lambda m: special.xlogy(m(P), m(P)),
    "special.betainc": lambda m: special.betainc(m(P), m(P), m(P)),
    "stats.zscore": lambda m: stats.zscore(m(X)),
    "stats.skew": lambda m: stats.skew(m(X)),
    "stats.kurtosis": lambda m: stats.kurtosis(m(X)),
    "stats.variation": lambda m: stats.variation(m(P)),
    "stats.gmean": lambda m: stats.gmean(m(P)),
    "stats.sem": lambda m: stats.sem(m(X)),
    "stats.entropy": lambda m: stats.entropy(m(P)),
    "stats.moment": lambda m: stats.moment(m(X), 3),
    "stats.circmean": lambda m: stats.circmean(m(P)),
    "stats.tmean": lambda m: stats.tmean(m(X)),
    "signal.detrend": lambda m: signal.detrend(m(X)),
    "signal.hilbert": lambda m: abs(signal.hilbert(m(X))),
    "signal.fftconvolve": lambda m: signal.fftconvolve(m(X), m(Y)),
    "signal.oaconvolve": lambda m: signal.oaconvolve(m(X), m(Y[:7])),
    "signal.convolve": lambda m: signal.convolve(m(X), m(Y), method="direct"),
    "signal.lfilter": lambda m: signal.lfilter(m(Y[:3]), m(np.ones(1, np.float32)), m(X)),
    "signal.windows.hann": lambda m: signal.windows.hann(8, xp=None if m is np.asarray else xp) * m(X[:8]),
    "fft.fft": lambda m: abs(fft.fft(m(X))),
    "fft.rfft": lambda m: abs(fft.rfft(m(X))),
    "fft.dct": lambda m: fft.dct(m(X)),
    "fft.fftshift": lambda m: fft.fftshift(m(X)),
    "ndimage.gaussian_filter": lambda m: ndimage.gaussian_filter(m(M), 1.0),
    "ndimage.uniform_filter": lambda m: ndimage.uniform_filter(m(M), 3),
    "cluster.vq.whiten": lambda m: cluster.vq.whiten(m(M)),
    "cluster.hierarchy.linkage": lambda m: cluster.hierarchy.linkage(m(M.astype(np.float64))),
    "integrate.trapezoid": lambda m: integrate.trapezoid(m(X)),
    "integrate.cumulative_trapezoid": lambda m: integrate.cumulative_trapezoid(m(X)),
    "optimize.rosen": lambda m: optimize.rosen(m(X)),
}
#: Functions that return a dtype other than float32 for NumPy's float32 as well.
WIDER = {"cluster.hierarchy.linkage", "signal.windows.hann"}


@pytest.mark.parametrize("name", CALLS)
def test_function(name):
    expected = CALLS[name](np.asarray)
    ours(CALLS[name](xp.asarray), expected, expected.dtype, rtol=2e-4, atol=1e-5)
    assert (expected.dtype == np.float32) is (name not in WIDER)


def test_tests_of_hypotheses():
    a, b = stats.ttest_ind(X, Y), stats.ttest_ind(xp.asarray(X), xp.asarray(Y))
    ours((b.statistic, b.pvalue), (a.statistic, a.pvalue), np.float32, rtol=1e-3)
    a, b = stats.pearsonr(X, Y), stats.pearsonr(xp.asarray(X), xp.asarray(Y))
    ours((b.statistic, b.pvalue), (a.statistic, a.pvalue), np.float32, rtol=1e-3)


def test_optimize_elementwise():
    roots = elementwise.find_root(lambda x, c: x**2 - c, (xp.asarray([0.0, 0.0]), xp.asarray([4.0, 4.0])),
                                           args=(xp.asarray([2.0, 9.0]),))  # fmt: skip
    ours(roots.x, np.sqrt([2.0, 9.0]), np.float32, rtol=1e-4)


def test_rotations_and_derivatives():
    rng = np.random.default_rng(1)
    quaternions = rng.standard_normal((4, 4)).astype(np.float32)
    vectors = rng.standard_normal((4, 3)).astype(np.float32)
    a, b = [spatial.transform.Rotation.from_quat(m(quaternions)) for m in (np.asarray, xp.asarray)]
    ours(b.apply(xp.asarray(vectors)), a.apply(vectors), np.float32, rtol=1e-3, atol=1e-4)
    found = differentiate.derivative(lambda x: xp.sin(x), xp.asarray(X.astype(np.float64)))
    ours(found.df, np.cos(X.astype(np.float64)), np.float64)


def test_minimize_with_our_arithmetic():
    found = optimize.minimize(lambda x: float(xp.sum((xp.asarray(x) - 3) ** 2)), np.zeros(2))
    np.testing.assert_allclose(found.x, [3, 3], atol=1e-4)


def test_interpolation():
    t = np.linspace(0, 1, 8)
    y = t**2
    found = interpolate.make_interp_spline(xp.asarray(t), xp.asarray(y))(xp.asarray(t + 0.01))
    ours(found, interpolate.make_interp_spline(t, y)(t + 0.01), np.float64)
