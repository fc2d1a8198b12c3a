"""Derivatives of functions with second definitions: near differences, with values of the functions themselves."""

import numpy as np
import pytest
from common import for_each
from slopes import check_slopes

import supremum as xp
from supremum import jax

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=6), RNG.normal(size=6)
M = RNG.normal(size=(4, 5))
Z = RNG.normal(size=(3, 4)) + 1j * RNG.normal(size=(3, 4))
NAN = np.where(np.arange(6) == 2, np.nan, X)

CASES = {
    "quantile": (lambda x: xp.quantile(x, xp.asarray([0.1, 0.5, 0.93])), X),
    "quantile by q": (lambda q: xp.quantile(X, q), np.array([0.13, 0.57])),
    "quantile over axes": (lambda x: xp.quantile(x.reshape(2, 2, 5), 0.3, axis=(0, 2), keepdims=True), M),
    "quantile higher": (lambda x: xp.quantile(x, 0.3, axis=1, method="higher"), M),
    "quantile lower": (lambda x: xp.quantile(x, 0.3, axis=0, method="lower"), M),
    "quantile midpoint": (lambda x: xp.quantile(x, 0.3, method="midpoint"), M),
    "quantile nearest": (lambda x: xp.quantile(x, 0.3, method="nearest"), M),
    "percentile": (lambda x: xp.percentile(x, 40.0, axis=1), M),
    "median": (lambda x: xp.median(x, axis=1, keepdims=True), M),
    "pad": (lambda x: xp.pad(x, ((1, 2), (0, 3)), mode="reflect"), M),
    "pad constant": (lambda x, c: xp.pad(x, 2, constant_values=c), X, 2.0),
    "pad with a number": (lambda x: xp.pad(x, 2, constant_values=3), X),
    "pad with numbers": (lambda x: xp.pad(x, ((1, 0), (2, 1)), constant_values=(3, 4.0)), M),
    "append": (lambda x: xp.append(x, 2), X),
    "insert": (lambda x: xp.insert(x, 1, 5), X),
    "insert several": (lambda x: xp.insert(x, xp.asarray([1, 2]), 3.0), X),
    "concatenate": (lambda x: xp.concatenate([x, xp.asarray([1, 2]), xp.asarray([3.0])]), X),
    "stack": (lambda x: xp.stack([x, xp.ones(6, dtype="int32")]), X),
    "hstack": (lambda x: xp.hstack([x, 3, 2.0]), X),
    "select": (lambda x: xp.select([x > 0, x > -1], [x, 3], 7), X),
    "piecewise": (lambda x: xp.piecewise(x, [x < 0, x >= 0], [2, lambda x: x * x]), X),
    "put": (lambda x: xp.put(x, xp.asarray([1, 2]), 3, inplace=False), X),
    "fill_diagonal": (lambda x: xp.fill_diagonal(x, 3, inplace=False), M),
    "full_like": (lambda x: xp.full((2, 3), x[0]), X),
    "take": (lambda x: xp.take(x, xp.asarray([0, 2, 2])), X),
    "choose": (lambda x: xp.choose(xp.asarray([0, 1, 0, 1, 1, 0]), [x, 2]), X),
    "roll": (lambda x: xp.roll(x, 2), M),
    "tile": (lambda x: xp.tile(x, (2, 3)), X),
    "repeat": (lambda x: xp.repeat(x, 3, axis=1), M),
    "rot90": (lambda x: xp.rot90(x), M),
    "compress": (lambda x: xp.compress(xp.asarray([True, False, True]), x, axis=1), M),
    "delete": (lambda x: xp.delete(x, 2), X),
    "block": (lambda x: xp.block([[x, xp.ones((4, 1))], [xp.zeros((1, 6))]]), M),
    "unwrap": (lambda x: xp.unwrap(5 * x), X),
    "histogram_bin_edges": (lambda x: xp.histogram_bin_edges(x, 3), X),
    "kaiser": (lambda beta: xp.kaiser(4, beta), 1.5),
    "fftfreq": (lambda d: xp.fft.fftfreq(5, d), 0.5),
    "rfftfreq": (lambda d: xp.fft.rfftfreq(5, d=d), 0.5),
    "fft": (lambda z: xp.fft.fft(z, 3, axis=0), Z),
    "fft longer": (lambda z: xp.fft.fft(z, 7, norm="ortho"), Z),
    "ifft": (lambda x: xp.fft.ifft(x, 7), M),
    "rfft": (lambda x: xp.fft.rfft(x, 4, norm="forward"), M),
    "rfft odd": (lambda x: xp.fft.rfft(x, axis=0, norm="ortho"), M[:3]),
    "irfft": (lambda z: xp.fft.irfft(z), Z),
    "irfft odd": (lambda z: xp.fft.irfft(z, 7, axis=0), Z),
    "hfft": (lambda z: xp.fft.hfft(z, norm="ortho"), Z),
    "ihfft": (lambda x: xp.fft.ihfft(x), M),
    "fftn": (lambda z: xp.fft.fftn(z), Z),
    "fft2": (lambda z: xp.fft.fft2(z, (2, 5)), Z),
    "ifft2": (lambda z: xp.fft.ifft2(z), Z),
    "rfftn": (lambda x: xp.fft.rfftn(x, (4, 4)), M),
    "rfft2": (lambda x: xp.fft.rfft2(x), M),
    "irfftn": (lambda z: xp.fft.irfftn(z), Z),
    "irfft2": (lambda z: xp.fft.irfft2(z, (2, 6)), Z),
    "lstsq": (lambda a, b: xp.linalg.lstsq(a, b)[:2], M.T, Y[:5]),
    "lstsq of columns": (lambda a, b: xp.linalg.lstsq(a, b)[0], M, M),
    "polyfit": (lambda x, y: xp.polyfit(x, y, 2), X, Y),
    "polyfit full": (lambda x, y: xp.concat([y.ravel() for y in xp.polyfit(x, y, 1, full=True)]), X, np.stack([Y, X * Y], 1)),
    "polyfit with covariances": (lambda x, y: xp.polyfit(x, y, 1, cov=True)[1], X, np.stack([Y, X * Y], 1)),
    "polyfit with a covariance": (lambda x, y, w: xp.polyfit(x, y, 2, w=w, cov="unscaled")[1], X, Y, np.arange(1.0, 7.0)),
    "polyfit weighted": (lambda y, w: xp.polyfit(X, y, 1, w=w), np.stack([Y, X], 1), np.arange(1.0, 7.0)),
    "apply_along_axis": (lambda x: xp.apply_along_axis(lambda row: xp.outer(row, row[:2]), 0, x), M),
    "scipy.integrate.trapezoid": (lambda y, x: xp.scipy.integrate.trapezoid(y, x), X, Y),
    "reshape by columns": (lambda x: xp.reshape(x, (5, 4), order="F") * np.arange(20.0).reshape(5, 4), M),
    "ravel by columns": (lambda x: xp.ravel(x, order="F") * np.arange(20.0), M),
    "modf": (lambda x: xp.modf(x)[0], X),
    "frexp": (lambda x: xp.frexp(x)[0], X),
    "divmod": (lambda x, y: xp.divmod(x, y)[1], X, Y),
    "logspace": (lambda x: xp.logspace(x[0], x[1], 4), X),
    "geomspace": (lambda x: xp.geomspace(x[0] ** 2, x[1] ** 2, 4), X),
    "multigammaln": (lambda x: xp.scipy.special.multigammaln(x + 4, 2), X),
    "sem": (lambda x: xp.scipy.stats.sem(x, axis=1), M),
    "signal.convolve": (lambda x, y: xp.scipy.signal.convolve(x, y), X, Y[:4]),
    "signal.convolve same": (lambda x, y: xp.scipy.signal.convolve(x, y, mode="same"), X, Y[:4]),
    "signal.fftconvolve": (lambda x, y: xp.scipy.signal.fftconvolve(x, y), X, Y[:4]),
    "signal.correlate": (lambda x, y: xp.scipy.signal.correlate(x, y, mode="same"), X, Y[:4]),
    "signal.convolve2d": (lambda x, y: xp.scipy.signal.convolve2d(x, y), M, M[:2, :2]),
    "signal.correlate2d": (lambda x, y: xp.scipy.signal.correlate2d(x, y), M, M[:2, :2]),
    "cho_factor": (lambda x: xp.scipy.linalg.cho_factor(x @ x.mT + xp.eye(4))[0], M),
    "block_diag": (lambda x, y: xp.scipy.linalg.block_diag(x, xp.ones((1, 2)), y), M, M[:2]),
    "vectorize": (lambda x, y: xp.vectorize(lambda a, b: a * xp.sin(b))(x, y), M, X[:5]),
    "vectorize with axes": (lambda x: xp.vectorize(lambda row: (row @ row, row), signature="(n)->(),(n)")(x), M),
    "convolve": (lambda x, y: xp.convolve(x, y), X, Y),
}


@for_each("name", CASES)
def test_derivatives(name):
    fun, *args = CASES[name]
    check_slopes(fun, args)


@pytest.mark.parametrize(
    "fun", [lambda x: xp.nanmedian(x), lambda x: xp.nanquantile(x, 0.3), lambda x: xp.nanpercentile(x, 70)]
)
def test_nan_is_skipped(fun):
    with xp.config.use(x64="on"):
        kept = np.delete(NAN, 2)
        assert np.allclose(jax.grad(fun)(NAN), np.insert(jax.grad(fun)(kept), 2, 0))


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"])
def test_quantiles_that_are_nan_have_no_derivative(method):  # values of JAX
    x = xp.asarray([[1.0, np.nan, 2.0], [2.0, 3.0, 4.0], [np.nan, np.nan, np.nan]])
    found = jax.grad(lambda x: xp.quantile(x, 0.5, axis=1, method=method).sum())(x)
    assert found.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]
    skipping = jax.grad(lambda x: xp.nanquantile(x, 0.5, axis=1, method=method).sum())(x)
    assert skipping[1:].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert jax.jvp(lambda x: xp.median(x, axis=1), (x,), (xp.ones_like(x),))[1].tolist() == [0, 1, 0]


def test_quantiles_of_nan_by_their_fraction():  # values of JAX
    assert np.isnan(jax.grad(lambda q: xp.quantile(xp.asarray([1.0, np.nan]), q))(0.5))
    assert jax.grad(lambda q: xp.quantile(xp.asarray([1.0, 4.0]), q))(0.5) == 3


def test_gradients_by_coordinates():  # values of JAX
    a, c = xp.arange(1.0, 4.0), xp.asarray([1.0, 3.0, 4.0])
    found = [jax.grad(lambda c, i=i: xp.gradient(a, c)[i])(c) for i in range(3)]
    assert np.allclose(found, [[0.25, -0.25, 0], [0.0277778, 0.75, -0.7777778], [0, 1, -1]], rtol=1e-5)
    b, d = xp.reshape(xp.arange(12.0), (3, 4)) ** 2, xp.asarray([1.0, 3.0, 4.0, 6.0])
    both = jax.grad(lambda b, c, d: sum(g.sum() for g in xp.gradient(b, c, d)), (0, 1, 2))(b, c, d)
    assert np.allclose(both[1], [16.888891, 424.0, -440.88892], rtol=1e-5)
    assert np.allclose(both[2], [6.8333311, 44.5, -39.8333321, -11.5], rtol=1e-4)
    assert np.allclose(
        both[0], [[-4 / 3, -4 / 3, 0, 0], [-5 / 3, -5 / 3, -1 / 3, -1 / 3], [1, 1, 7 / 3, 7 / 3]], rtol=1e-5, atol=1e-6
    )


def test_histograms_count_and_have_bounds():
    with xp.config.use(x64="on"):
        counts, edges = jax.jvp(lambda x: xp.histogram(x, 3), (X,), (np.ones_like(X),))[1]
    assert not counts.any()
    assert np.allclose(edges, 1)


def test_arguments_without_a_rule_are_refused():
    with pytest.raises(NotImplementedError, match="no rule for its derivative"):
        jax.vjp(lambda x: xp.pad(x, 1, mode=lambda vector, *_: vector), xp.asarray([1.0, 2.0, 4.0]))


def test_the_lens_counts_slopes_for_the_line_of_the_function():
    with xp.precision_lens() as lens:
        jax.grad(lambda x: xp.tanh(x).sum())(xp.asarray([0.5, 1.0]))
    assert {row.file for row in lens.rows} == {__file__}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"mode": "mean", "stat_length": 2}, [[8.25, -1.875, -0.125], [14.75, 15.375, -1.375]]),
        ({"mode": "maximum", "stat_length": ((1, 2), (2, 1))}, [[18.0, -8.0, 6.0], [8.0, 36.0, -4.0]]),
        ({"mode": "median"}, [[6.5, 0.0, 3.5], [19.5, 10.0, -2.5]]),
        ({"mode": "linear_ramp", "end_values": 4.0}, [[5.75, -4.0, 1.0], [7.0, 6.0, -2.0]]),
        ({"mode": "reflect", "reflect_type": "odd"}, [[86.0, -176.0, 176.0], [36.0, 164.0, -224.0]]),
    ],
)
def test_gradients_of_paddings(options, expected):  # values of JAX
    x = xp.asarray([[1.5, -2.0, 0.5], [2.0, 3.0, -1.0]])
    gradient = jax.grad(lambda x: (xp.pad(x, ((1, 1), (2, 1)), **options) ** 2).sum())(x)
    np.testing.assert_allclose(gradient, expected, rtol=1e-5)


def test_weights_of_the_last_bin():  # values of JAX
    def counted(weights):
        counts, _ = xp.histogram(xp.asarray([0.0, 1, 2, 2, 3]), bins=3, range=(0, 3), weights=weights)
        return xp.vecdot(counts, xp.asarray([1.0, 10, 100]))

    assert jax.grad(counted)(xp.ones(5)).tolist() == [1, 10, 100, 100, 100]


def test_numbers_of_combinations_by_exact_arithmetic():
    comb = jax.grad(xp.scipy.special.comb)
    for n in (3.0, 5.5, 8.25):  # n (n - 1) / 2 and, with repetition, n (n + 1) / 2
        assert abs(float(comb(n, 2.0)) - (n - 0.5)) < 1e-4
        assert abs(float(comb(n, 2.0, repetition=True)) - (n + 0.5)) < 1e-4


W = xp.asarray([1.0, 2.0, 0.5, 0.25])
OF_JAX = [  # the gradient at [3, 1, 2, 5], and the sums of the columns of the Hessian there
    (lambda x: xp.quantile(x, 0.6, weights=W, method="inverted_cdf"), [0, 0, 1, 0], [0] * 4),
    (lambda x: xp.nanpercentile(x, xp.asarray([10.0, 95.0]), weights=W, method="inverted_cdf").sum(), [0, 1, 0, 1], [0] * 4),
    (
        lambda x: xp.quantile(x.reshape(2, 2), 0.6, 1, keepdims=True, weights=W[:2], method="inverted_cdf").sum(),
        [0, 1, 0, 1], [0] * 4,
    ),
    (lambda w: xp.quantile(w[::-1] * 0 + W, 0.6, weights=w, method="inverted_cdf"), [0] * 4, [0] * 4),
    (
        lambda w: (xp.histogram2d(X4, -X4, [2, 3], weights=w, density=True)[0] ** 2).sum(),
        [-0.00211, -0.00211, -0.00211, 0.00254], [0.0012, 0.0036, 0.0036, -0.0021],
    ),
    (lambda x: (xp.histogramdd(x.reshape(2, 2), 2, weights=x[:2])[0] ** 2).sum(), [6, 2, 0, 0], [2, 2, 0, 0]),
    (lambda x: (xp.histogram(x, 3, density=True)[0] ** 2).sum(), [0, 0.10547, 0, -0.10547], [0] * 4),
    (lambda x: xp.max(x, initial=6.0), [0] * 4, [0] * 4),
    (lambda x: xp.min(x.reshape(2, 2), axis=0, initial=1.5).sum(), [0, 1, 0, 0], [0] * 4),
    (lambda x: (xp.multiply.reduceat(x, xp.asarray([0, 3, 1])) ** 2).sum(), [24, 272, 136, 50], [80, 672, 404, 130]),
    (
        lambda x: xp.logaddexp.reduce(x.reshape(2, 2), (0, 1)) ** 2,
        [1.16622, 0.15783, 0.42903, 8.61728], [0.2249, 0.0304, 0.0827, 1.6619],
    ),
    (lambda x: xp.logaddexp2.reduce(x, where=x > 1.5), [0.18182, 0, 0.09091, 0.72727], [0] * 4),
    (
        lambda x: (xp.minimum.at(x, xp.asarray([0, 2, 0]), xp.asarray([4.0, 1, 2]), inplace=False) ** 2).sum(),
        [0, 2, 0, 10], [0, 2, 0, 2],
    ),
    (lambda x: xp.frompyfunc(lambda a, b: a * b - 1, 2, 1).reduce(x, initial=2.0), [20, 50, 20, 7], [34, 55, 39, 18]),
]  # fmt: skip
X4 = xp.asarray([3.0, 1.0, 2.0, 5.0])


@for_each("case", OF_JAX)
def test_values_of_jax(case):
    fun, gradient, second = case
    for transformed in (jax.grad(fun), jax.jit(jax.grad(fun)), lambda x: jax.vmap(jax.grad(fun))(x[None])[0]):
        np.testing.assert_allclose(transformed(X4), gradient, rtol=1e-5, atol=6e-6)
    np.testing.assert_allclose(jax.hessian(fun)(X4).sum(0), second, rtol=1e-4, atol=6e-5)


def test_trimmed_arrays():  # values of JAX 0.10.2
    x, t = xp.asarray([0.0, 0, 3, 0, 4, 0]), xp.asarray([1.0, 2, 0, 0, 5, 6])
    assert jax.grad(lambda x: xp.sum(xp.trim_zeros(x) ** 2))(x).tolist() == [0, 0, 6, 0, 8, 0]
    assert [y.tolist() for y in jax.jvp(lambda x: xp.trim_zeros(x, "f"), (x,), (t,))] == [[3, 0, 4, 0], [0, 0, 5, 6]]
    assert jax.linearize(xp.trim_zeros, x)[1](t).tolist() == [0, 0, 5]
    assert jax.grad(lambda x: xp.sum(xp.trim_zeros(x)))(xp.zeros(3)).tolist() == [0, 0, 0]
