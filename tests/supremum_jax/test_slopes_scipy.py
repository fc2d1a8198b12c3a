"""Derivatives of functions of `scipy` and of polynomials: near differences, with values of the functions themselves."""

import numpy as np
import pytest
from common import for_each
from slopes import check_slopes

import supremum as xp
from supremum import jax
from supremum.jax import lax

RNG = np.random.default_rng(3)
A, B = RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3)
TALL, WIDE = RNG.normal(size=(5, 3)), RNG.normal(size=(2, 4))
STACK = RNG.normal(size=(2, 3, 3)) + 2 * np.eye(3)
C = A + 1j * B
V, W, X = RNG.normal(size=3), RNG.normal(size=2), RNG.normal(size=6)
SIGNAL, OTHER = RNG.normal(size=(2, 20))
SPECTRUM = RNG.normal(size=(3, 6)) + 1j * RNG.normal(size=(3, 6))
PLACES = np.array([[0.3, 1.2, -0.4], [0.7, 1.9, 2.6]])
linalg, signal, special = xp.scipy.linalg, xp.scipy.signal, xp.scipy.special


def factors(a, trans=0, pivots=(2, 2, 2)):
    return lambda b: linalg.lu_solve((a, xp.asarray(pivots, dtype="int32")), b, trans=trans)


CASES = {
    "logsumexp of some": (lambda x: special.logsumexp(x, where=np.arange(6) < 4), X),
    "gammainc of other ranks": (lambda a, x: special.gammainc(xp.abs(a) + 1, xp.abs(x) + 1), W[:, None], WIDE[:, None]),
    "gammaincc of other ranks": (lambda a, x: special.gammaincc(xp.abs(a) + 1, xp.abs(x) + 1), W[:, None], WIDE[:, None]),
    "factorial": (lambda x: special.factorial(xp.abs(x)), X),
    "pinv of a tall one": (lambda a: xp.linalg.pinv(a), TALL),
    "pinv of a wide one": (lambda a: xp.linalg.pinv(a), WIDE),
    "pinv of a Hermitian one": (lambda a: xp.linalg.pinv((a + a.mT) / 2, hermitian=True), A),
    "lu": (lambda a: linalg.lu(a)[1:], A),
    "lu of a tall one": (lambda a: linalg.lu(a, permute_l=True), TALL),
    "lu of a wide one": (lambda a: linalg.lu(a)[1:], WIDE),
    "lu of a complex one": (lambda a: linalg.lu(a)[1:], C),
    "lu_factor": (lambda a: linalg.lu_factor(a)[0], STACK),
    "lu_solve": (lambda a, b: factors(a)(b), A, V),
    "lu_solve transposed": (lambda a, b: factors(a, 1)(b), A, B),
    "lu_solve conjugate": (lambda a, b: factors(a, 2)(b), C, C[:, :2]),
    "lu_solve of stacks": (lambda a, b: factors(a, 0, [[2, 1, 2], [0, 2, 2]])(b), STACK, STACK[..., :2]),
    "lax.lu": (lambda a: lax.linalg.lu(a)[0], np.stack([TALL, TALL[::-1]])),
    "qr": (lambda a: linalg.qr(a, mode="economic"), TALL),
    "qr of a complex one": (lambda a: linalg.qr(a, mode="economic"), C),
    "qr of a wide one": (lambda a: linalg.qr(a), WIDE),
    "qr complete": (lambda a: linalg.qr(a)[1], TALL),
    "qr, r alone": (lambda a: linalg.qr(a, mode="r")[0], TALL),
    "qr with pivoting": (lambda a: linalg.qr(a, mode="economic", pivoting=True)[:2], TALL),
    "qr with pivoting, r alone": (lambda a: linalg.qr(a, mode="r", pivoting=True)[0], WIDE),
    "lax.qr": (lambda a: lax.linalg.qr(a, full_matrices=False), STACK),
    "linalg.qr of r": (lambda a: xp.linalg.qr(a, mode="r"), TALL),
    "linalg.qr of a wide one": (lambda a: tuple(xp.linalg.qr(a)), WIDE),
    "qr_multiply": (lambda a, c: linalg.qr_multiply(a, c), TALL, WIDE @ TALL[:4] @ TALL.T),
    "qr_multiply on the left": (lambda a, c: linalg.qr_multiply(a, c, "left", pivoting=True)[:2], TALL, B),
    "lax.svd": (lambda a: lax.linalg.svd(a, full_matrices=False)[1], TALL),
    "svdvals": (lambda a: linalg.svd(a, compute_uv=False), WIDE),
    "lax.svd of values": (lambda a: lax.linalg.svd(a, compute_uv=False), STACK),
    "lax.eig of values": (
        lambda a: lax.linalg.eig(a, compute_left_eigenvectors=False, compute_right_eigenvectors=False)[0], A,
    ),
    "lax.eig": (lambda a: lax.linalg.eig(a, enable_eigvec_derivs=True), A),
    "lax.eig of stacks": (lambda a: lax.linalg.eig(a, enable_eigvec_derivs=True), STACK),
    "expm_frechet": (lambda a, e: linalg.expm_frechet(a, e), A / 3, B / 3),
    "expm_frechet alone": (lambda a, e: linalg.expm_frechet(a, e, compute_expm=False), A / 3, B / 3),
    "eigh_tridiagonal": (lambda d, e: linalg.eigh_tridiagonal(d, e), V, W),
    "eigh_tridiagonal of values": (lambda d, e: linalg.eigh_tridiagonal(d, e, eigvals_only=True), V, W),
    "eigh_tridiagonal in part": (lambda d, e: linalg.eigh_tridiagonal(d, e, select="i", select_range=(1, 2)), V, W),
    "eigh_tridiagonal complex": (lambda d, e: linalg.eigh_tridiagonal(d, e, eigvals_only=True), V + 0j, W + 1j * W[::-1]),
    "tridiagonal_solve": (lambda *given: lax.linalg.tridiagonal_solve(*given), V, V + 5, V[::-1].copy(), A),
    "polar": (lambda a: linalg.polar(a), TALL),
    "polar of equal values": (lambda a: linalg.polar(a), np.eye(3)),
    "polar of a complex one": (lambda a: linalg.polar(a, method="svd", side="left"), C),
    "polar of a wide one": (lambda a: linalg.polar(a, method="svd"), WIDE),
    "qdwh": (lambda a: lax.linalg.qdwh(a)[:2], A),
    "rsf2csf": (lambda t, z: linalg.rsf2csf(xp.triu(t), z), A, B),
    "rsf2csf of a block": (lambda t: linalg.rsf2csf(t, xp.eye(2)), np.array([[1.0, 2.0], [-3.0, 1.0]])),
    "cond": (lambda a: xp.linalg.cond(a), STACK),
    "cond -2": (lambda a: xp.linalg.cond(a, -2), A),
    "cond 1": (lambda a: xp.linalg.cond(a, 1), A),
    "cond fro": (lambda a: xp.linalg.cond(a, "fro"), A),
    "tensorinv": (lambda a: xp.linalg.tensorinv(a.reshape(3, 2, 6)), RNG.normal(size=(6, 6))),
    "tensorsolve": (lambda a, b: xp.linalg.tensorsolve(a.reshape(2, 3, 6), b), RNG.normal(size=(6, 6)), TALL[:2]),
    "tensorsolve with axes": (
        lambda a, b: xp.linalg.tensorsolve(a.reshape(6, 2, 3), b, axes=(0,)), RNG.normal(size=(6, 6)), TALL[:2],
    ),
    "circulant": (lambda c: linalg.circulant(c), V),
    "convolution_matrix": (lambda c: linalg.convolution_matrix(c, 4, "same"), V),
    "hankel": (lambda c: linalg.hankel(c), V),
    "hankel of two": (lambda c, r: linalg.hankel(c, r), V, X[:4]),
    "leslie": (lambda f, s: linalg.leslie(f, s), V, W),
    "toeplitz": (lambda c: linalg.toeplitz(c), C[0]),
    "toeplitz of two": (lambda c, r: linalg.toeplitz(c, r), V, X[:4]),
    "companion": (lambda a: linalg.companion(a), np.abs(STACK) + 1),
    "fiedler": (lambda a: linalg.fiedler(a), V),
    "fiedler_companion": (lambda a: linalg.fiedler_companion(a), X),
    "poly": (lambda x: xp.poly(x), V),
    "poly of a matrix": (lambda x: xp.poly(x), A),
    "polyder": (lambda p: xp.polyder(p, 2), X),
    "polyint": (lambda p, k: xp.polyint(p, 2, k), V, W),
    "polyint without constants": (lambda p: xp.polyint(p), V),
    "polydiv": (lambda u, v: xp.polydiv(u, v), X, V),
    "roots": (lambda p: xp.roots(p), X),
    "partition": (lambda x: xp.partition(x, 2), X),
    "partition along": (lambda x: xp.partition(x, 1, axis=0), TALL),
    "sort_complex": (lambda x: xp.sort_complex(x), X),
    "sort_complex of complex": (lambda x: xp.sort_complex(x), C[0]),
    "place": (lambda x, v: xp.place(x, xp.asarray(X > 0), v, inplace=False), X, W),
    "place by itself": (lambda x: xp.place(x, x > 0, 2.0, inplace=False), X),
    "union1d": (lambda x, y: xp.union1d(x, y) ** 2, X, V),
    "setdiff1d": (lambda x: xp.setdiff1d(x, V), X),
    "intersect1d": (lambda x: xp.intersect1d(x, x[::2]) ** 2, X),
    "histogram2d": (lambda x, y: xp.histogram2d(x, y, 3)[1:], X, X[::-1].copy()),
    "histogramdd": (lambda x: xp.histogramdd(x, (2, 3, 2))[1], TALL),
    "trace by einsum": (lambda x: xp.einsum("ii", x), A),
    "einsum by lists": (lambda x: xp.einsum(x, [0, ...], x, [1, ...], [..., 1, 0]), A),
    "einsum of a bag": (lambda x: xp.einsum("...i,...j", x, x[0]), A),
    "atan2 with bools": (lambda x: xp.atan2(x > 0, x), X),
    "interp between bools": (lambda x, y: xp.interp(x, xp.asarray([False, True]), y), np.abs(V) / 9, W),
    "hstack with bools": (lambda x: xp.hstack([x, xp.asarray([False, True])]), X),
    "nan_to_num": (lambda x: xp.nan_to_num(x), C),
    "cumprod to another dtype": (lambda x: xp.cumprod(x, dtype="complex128"), X),
    "entr": (lambda x: special.entr(x), np.array([0.3, 2.0, 1.0])),
    "zeta": (lambda x, q: special.zeta(xp.abs(x) + 1.5, xp.abs(q) + 0.1), V, V[::-1].copy()),
    "zeta of other ranks": (lambda x, q: special.zeta(x, q), np.array([[1.5], [3.0]]), np.array([0.25, 2.0])),
    "hyp1f1": (lambda a, b, x: special.hyp1f1(a, xp.abs(b) + 1, x), V, V[::-1].copy(), X[:3]),
    "hyp1f1 of negative integers": (lambda a, x: special.hyp1f1(a, 1.5, x), np.array([-2.0, 0.0, -1.0]), V),
    "hyp2f1": (
        lambda a, b, c, x: special.hyp2f1(a, b, xp.abs(c) + 1, xp.tanh(x) / 2), V, V[::-1].copy(), V**2, X[:3],
    ),
    "mode": (lambda x: xp.scipy.stats.mode(x * x).mode, TALL),
    "mode of all": (lambda x: xp.scipy.stats.mode(x.repeat(2), axis=None, keepdims=True).mode, X),
    "unravel_index": (lambda x: xp.unravel_index(x, (2, 3, 4))[-1], np.array([1.5, 22.25, -2.5])),
    "percentile of integers": (lambda q: xp.percentile(xp.asarray([-1, 6, 2], dtype="int64"), q), np.array([30.0, 70.0])),
    "hypot of equal legs": (lambda x, y: xp.hypot(x, y), V, -V),
    "nanvar of a column": (lambda x: xp.nanvar(x, axis=0, where=np.array([[True, False, True]] * 2 + [[True] * 3] * 3)), TALL),
    "apply_over_axes": (lambda x: xp.apply_over_axes(xp.sum, xp.sin(x), [0, -1]), STACK),
    "scaled_dot_general": (
        lambda x, y: xp.nn.scaled_dot_general(x, y, (((2,), (2,)), ((0,), (0,))), preferred_element_type="float64"),
        STACK, STACK[:, ::-1].copy(),
    ),
    "dct": (lambda x: xp.scipy.fft.dct(x, axis=0), TALL),
    "dct shorter": (lambda x: xp.scipy.fft.dct(x, n=3, norm="ortho"), X),
    "dct longer": (lambda x: xp.scipy.fft.dct(x, n=8), X),
    "idct": (lambda x: xp.scipy.fft.idct(x, n=4, axis=1), TALL),
    "idct ortho": (lambda x: xp.scipy.fft.idct(x, norm="ortho"), C),
    "dctn": (lambda x: xp.scipy.fft.dctn(x), TALL),
    "dctn in part": (lambda x: xp.scipy.fft.dctn(x, s=[4], axes=[0]), TALL),
    "idctn": (lambda x: xp.scipy.fft.idctn(x, s=(4,), norm="ortho"), TALL),
    "detrend": (lambda x: signal.detrend(x, bp=[3]), X),
    "detrend constant": (lambda x: signal.detrend(x, axis=0, type="constant"), TALL),
    "stft": (lambda x: signal.stft(x, nperseg=8)[2], SIGNAL),
    "stft odd": (lambda x: signal.stft(x, 2.0, "boxcar", 7, 3, 9, "linear", boundary="odd")[2], SIGNAL),
    "stft even": (lambda x: signal.stft(x, nperseg=6, boundary="even", padded=False)[2], SIGNAL),
    "stft of axes": (lambda x: signal.stft(x.reshape(2, 10, 2), nperseg=4, axis=1, boundary="constant")[2], OTHER.repeat(2)),
    "stft with a window": (lambda x: signal.stft(x, window=np.ones(5), nperseg=5, noverlap=1)[2], SIGNAL),
    "stft of two sides": (lambda x: signal.stft(x, nperseg=8, return_onesided=False)[2], SIGNAL + 1j * OTHER),
    "istft": (lambda x: signal.istft(x)[1], SPECTRUM),
    "istft of axes": (lambda x: signal.istft(x[:, None], time_axis=0, freq_axis=2, input_onesided=False)[1], SPECTRUM),
    "istft without boundary": (lambda x: signal.istft(x, window=np.ones(4), nperseg=4, boundary=False)[1], SPECTRUM),
    "csd": (lambda x, y: signal.csd(x, y, nperseg=8)[1], SIGNAL, OTHER),
    "csd of another length": (lambda x, y: signal.csd(x, y, nperseg=5, scaling="spectrum")[1], SIGNAL, OTHER[:17]),
    "csd median": (lambda x, y: signal.csd(x, y, nperseg=4, average="median")[1], SIGNAL, OTHER),
    "welch": (lambda x: signal.welch(x, 3.0, nperseg=6, nfft=9)[1], SIGNAL),
    "welch of axes": (lambda x: signal.welch(x.reshape(10, 2), nperseg=4, axis=0, average="median")[1], SIGNAL),
    "bessel_jn": (lambda z: special.bessel_jn(z, v=3), V),
    "bessel_jn 0": (lambda z: special.bessel_jn(z, v=0), V),
    "fresnel": (lambda x: special.fresnel(x), V),
    "sici": (lambda x: special.sici(x), np.abs(V)),
    "sph_harm_y": (
        lambda t, p: special.sph_harm_y(xp.asarray([0, 1, 3]), xp.asarray([0, -1, 2]), t, p, n_max=3),
        np.abs(V), V[::-1].copy(),
    ),
}  # fmt: skip
for _mode in ("constant", "nearest", "wrap", "mirror", "reflect"):
    for _order in (0, 1):

        def _mapped(x, c, mode=_mode, order=_order):
            return xp.scipy.ndimage.map_coordinates(x, c, order, mode, cval=2.0)

        CASES[f"map_coordinates {_mode} {_order}"] = _mapped, A, PLACES


#: Cases whose second derivatives are infinite, have no rule, or are those of factors that are not unique.
ONCE = {"polar of equal values", "gammainc of other ranks", "gammaincc of other ranks"}


@for_each("name", CASES)
def test_derivatives(name):
    fun, *args = CASES[name]
    check_slopes(fun, args, order=1 if name in ONCE else 2)


@for_each(
    "fun",
    [
        lambda a: xp.linalg.eig(a)[1],
        lambda a: lax.linalg.eig(a)[2],
        lambda a: linalg.eigh_tridiagonal(a[0] + 0j, a[1, :2] + 0j)[1],
        lambda a: xp.polydiv(a[0], a[1, :2], trim_leading_zeros=True)[0],
        lambda a: linalg.rsf2csf(a[None], a)[0],
        lambda a: xp.linalg.qr(a, mode="raw")[0],
    ],
)
def test_arguments_without_a_rule_are_refused(fun):
    with xp.config.use(x64="on"), pytest.raises(NotImplementedError, match="derivative"):
        jax.vjp(fun, xp.asarray(A))


def test_what_does_not_count_has_no_derivative():
    x = xp.asarray([0.0, 0.0, 0.0, 0.0, 100.0], dtype="float32")  # whose exponential is infinite
    found = jax.grad(lambda x: special.logsumexp(x, where=np.arange(5) < 4))(x)
    assert np.allclose(found, [0.25, 0.25, 0.25, 0.25, 0])
    eigenvalues = jax.grad(lambda a: xp.linalg.eigh(a)[0].sum())  # where eigenvectors have no derivative
    assert np.array_equal(eigenvalues(xp.eye(3)), np.eye(3))


def test_undefined_values_have_zero_slopes():
    assert jax.grad(lambda x: special.loggamma(x).sum())(xp.asarray([-2.5, 0.0])).tolist() == [0, 0]
    where = np.array([[True, False], [True, False]])
    _, tangent = jax.jvp(lambda x: xp.nanvar(x, axis=0, where=where), (xp.eye(2),), (xp.eye(2),))
    assert tangent.tolist() == [0.5, 0]
    slopes = jax.grad(lambda x: xp.nansum(xp.nanvar(x, axis=0, where=where)))(xp.asarray([[1.0, np.nan], [0.0, 1.0]]))
    np.testing.assert_array_equal(slopes, [[0.5, 0], [-0.5, np.nan]])  # as JAX's


def test_derivatives_of_entr_below_zero():
    x = xp.asarray(-0.5)
    assert np.isnan(jax.grad(special.entr)(x))
    assert np.isnan(jax.jvp(special.entr, (x,), (x,))[1])


def test_second_derivatives_of_hypot_where_legs_are_equal():
    with xp.config.use(x64="on"):
        found = jax.hessian(lambda x: xp.hypot(x[0], x[1]))(xp.asarray([1.5, 1.5]))
    assert np.allclose(found, np.array([[1, -1], [-1, 1]]) / (3 * np.sqrt(2)))


def test_edges_that_both_axes_share():
    x, edges = xp.asarray(X), xp.asarray([-2.0, 0.0, 1.0, 3.0])
    assert jax.jvp(lambda x: xp.histogram2d(x, x, edges)[0], (x,), (x,))[1].shape == (3, 3)


def test_a_hermitian_matrix_is_symmetrized():
    a = xp.asarray([[1.0, 2.0], [0.3, 1.0]])
    gradient = jax.grad(lambda a: (xp.linalg.pinv(a, hermitian=True) ** 2).sum())
    expected = jax.grad(lambda a: (xp.linalg.pinv((a + a.mT) / 2) ** 2).sum())
    assert np.allclose(gradient((a + a.mT) / 2), expected(a), rtol=1e-4)


def test_derivatives_of_sinc_at_0():
    with xp.config.use(x64="on"):
        found, derivative = [], xp.sinc
        for _ in range(6):
            derivative = jax.grad(derivative)
            found.append(float(derivative(0.0)))
    assert np.allclose(found, [0, -(np.pi**2) / 3, 0, np.pi**4 / 5, 0, -(np.pi**6) / 7], rtol=1e-12)


def test_rounded_tangents():
    _, back = jax.vjp(lambda x: lax.reduce_precision(x, 8, 7), np.float32(np.pi))
    assert back(np.float32(np.pi))[0].item() == float(xp.asarray(np.pi, dtype="bfloat16"))


def test_powers_with_exponents_that_are_integers():
    with xp.config.use(jax_numpy_dtype_promotion="strict"):
        x, two = xp.asarray([1.0, 2.0], dtype="float32"), xp.asarray(2, dtype="int32")
        assert jax.grad(lambda x: lax.pow(x, two).sum())(x).tolist() == [2, 4]


def test_tangents_have_the_dtype_of_the_value():
    x = xp.asarray([0.5], dtype="bfloat16")
    with xp.config.use(x64="on"):
        value, tangent = jax.jvp(xp.scipy.stats.cauchy.cdf, (x,), (x,))
        assert value.dtype == tangent.dtype == "bfloat16"
        assert jax.vjp(xp.scipy.stats.cauchy.cdf, x)[1](value)[0].dtype == "bfloat16"


@pytest.mark.parametrize("function", [xp.scipy.special.rel_entr, xp.scipy.special.kl_div])
@pytest.mark.parametrize("q", [0.0, -1.0])
def test_second_derivatives_of_entropies_where_they_are_infinite(function, q):  # values of JAX
    x = xp.asarray([0.5, -1.0, 2.0])
    gradient = jax.grad(lambda x: function(x, q).sum())
    assert jax.grad(lambda x: gradient(x).sum())(x).tolist() == [0.0, 0.0, 0.0]


def test_elements_that_are_nan_come_from_their_places():  # values of JAX
    x, y = xp.asarray([1.0, 3.0, np.nan]), xp.asarray([2.0, np.nan, 4.0])
    found = jax.grad(lambda x, y: xp.union1d(x, y, size=5).sum(), (0, 1))(x, y)
    assert [one.tolist() for one in found] == [[1, 1, 1], [1, 0, 1]]


def test_derivatives_of_quantiles_of_the_ends():  # values of JAX
    slope = jax.grad(lambda p: special.ndtri(p).sum())
    assert slope(xp.asarray([0.0, 1.0])).tolist() == [0, 0]
    assert jax.grad(lambda p: slope(p).sum())(xp.asarray([0.0, 1.0])).tolist() == [0, 0]


def test_derivatives_where_jax_selects_other_formulas():
    legs = xp.asarray(np.inf), xp.asarray(1.0)
    assert np.isnan(jax.jvp(xp.hypot, legs, legs)[1])  # JAX's backward, too
    assert jax.grad(special.i0)(0.0) == special.i1(0.0) == 0
    assert jax.grad(lambda x: xp.ldexp(x, 2))(0.0) == 4
    assert jax.grad(special.spence)(1.0) == -1
    assert jax.grad(jax.grad(special.i1))(0.0) == 0
    assert jax.jacfwd(lambda x: xp.vander(x, 2))(xp.zeros(1)).tolist() == [[[1], [0]]]
    assert jax.grad(lambda x: xp.partition(x, 1).sum())(xp.zeros(3)).tolist() == [1, 1, 1]
    assert np.isnan(jax.jvp(xp.nanmean, (xp.zeros(0),), (xp.zeros(0),))[1])


def test_logarithms_of_sums_that_are_negative_or_of_no_terms_have_no_slope():  # values of JAX
    x = xp.asarray([-0.75, 0.1875, -0.75])
    for factors in ([-1.0, -1.0, -1.0], [0.0, 0.0, 0.0]):
        assert jax.grad(lambda x, b=factors: special.logsumexp(x, b=xp.asarray(b)))(x).tolist() == [0, 0, 0]


def test_constants_and_orders_below_vmap():  # values of JAX
    special = xp.scipy.special
    for fun, expected in (
        (lambda n: special.comb(n, 2.0), [2.0, 0.0]),
        (lambda x: special.expn(xp.asarray([0, 1, 3]), x).sum(), [-0.0985993, -0.4697766]),
        (lambda x: xp.nn.dot_product_attention(*[x * xp.ones((1, 2, 2, 2))] * 3, return_residual=True)[1].sum(), [0.0, 0.0]),
    ):
        for transformed in (jax.grad, lambda fun: jax.jit(jax.grad(fun))):
            found = transformed(lambda x, fun=fun: jax.vmap(fun)(x).sum())(xp.asarray([2.5, 1.5]))
            np.testing.assert_allclose(found, expected, rtol=2e-6)


def test_derivatives_that_are_refused():
    refused = [
        lambda x: xp.real(special.gamma(x[0] + 1j)),
        lambda x: xp.sum(xp.real(xp.fft.fftfreq(4, x[0] + 1j))),
    ]
    for function in refused:
        with pytest.raises((TypeError, NotImplementedError)):
            jax.grad(function)(xp.asarray(X))
    x = xp.arange(4.0)
    both = lambda a, b: (a[0] + b[0], a[1] * b[1])
    with pytest.raises(NotImplementedError, match="no rule"):
        jax.jvp(lambda x: lax.reduce_window((x, x), (0.0, 0.0), both, (2,), (1,), "VALID")[0], (x,), (x,))
