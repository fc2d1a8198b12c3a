"""Derivatives of functions of `lax`: near differences, with values of the functions themselves."""

import numpy as np
import pytest
from common import for_each
from slopes import check_slopes

import supremum as xp
from supremum import jax
from supremum.jax import lax

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=6), RNG.normal(size=6)
M = RNG.normal(size=(4, 5))
IMAGE, KERNEL = RNG.normal(size=(2, 4, 5, 6)), RNG.normal(size=(4, 2, 2, 3))
INDICES = np.array([[1], [3], [9]])
ROWS = lax.ScatterDimensionNumbers((1,), (0,), (0,))
RAGGED = lax.RaggedDotDimensionNumbers
SCATTER = {"dimension_numbers": ROWS, "mode": "drop"}

CASES = {
    "reduce_max": (lambda x: lax.reduce_max(x, (0,)), M),
    "reduce_min": (lambda x: lax.reduce_min(x, (0, 1)), M),
    "reduce_prod": (lambda x: lax.reduce_prod(x, (1,)), M),
    "cumsum": (lambda x: lax.cumsum(x, 1, reverse=True), M),
    "cumprod": (lambda x: lax.cumprod(x, 0), M),
    "cummax": (lambda x: lax.cummax(x, 1), M),
    "cummin": (lambda x: lax.cummin(x, 1, reverse=True), M),
    "cumlogsumexp": (lambda x: lax.cumlogsumexp(x, 1), M),
    "sort": (lambda x: lax.sort(x, 0), M),
    "sort of several": (lambda x, y: lax.sort((x, y), num_keys=1), X, Y),
    "top_k": (lambda x: lax.top_k(x, 2)[0], M),
    "top_k along": (lambda x: lax.top_k(x, 2, axis=0)[0], M),
    "approx_min_k": (lambda x: lax.approx_min_k(x, 2)[0], M),
    "reshape of permuted axes": (lambda x: lax.reshape(x, (20,), (1, 0)) * np.arange(20.0), M),
    "pad by a number of NumPy's": (lambda x: lax.pad(x, np.float64(3.0), [(1, 2, 1), (0, -1, 0)]), M),
    "dynamic_update_slice of NumPy's": (lambda x: lax.dynamic_update_slice(x, np.ones((2, 2)), (1, 0)), M),
    "dot": (lambda x, y: lax.dot(x, y), M, M.T),
    "dot_general": (lambda x, y: lax.dot_general(x, y, (((1,), (1,)), ((0,), (0,)))), IMAGE[0], IMAGE[1]),
    "dot_general of one": (lambda x: lax.dot_general(x, x, (((0, 1), (0, 1)), ((), ()))), M),
    "conv": (lambda x, k: lax.conv(x, k, (1, 2), "SAME"), IMAGE, RNG.normal(size=(3, 4, 2, 3))),
    "conv of groups": (
        lambda x, k: lax.conv_general_dilated(x, k, (1, 1), [(1, 0), (2, 1)], (2, 1), (1, 2), feature_group_count=2),
        IMAGE, KERNEL,
    ),
    "conv of batches": (
        lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "VALID", batch_group_count=2), IMAGE, KERNEL.reshape(2, 4, 2, 3),
    ),
    "conv of channels last": (
        lambda x, k: lax.conv_general_dilated(x, k, (2, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "HWNC")),
        IMAGE, RNG.normal(size=(2, 3, 6, 2)),
    ),
    "reduce_window sum": (lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 3), (1, 2), "SAME"), M),
    "reduce_window max": (
        lambda x: lax.reduce_window(x, -np.inf, lax.max, (2, 2), None, "VALID", window_dilation=(1, 2)), M,
    ),
    "reduce_window product": (lambda x: lax.reduce_window(x, 1.0, lax.mul, (2, 2), (1, 1), "VALID", base_dilation=(1, 2)), M),
    "reduce": (lambda x: lax.reduce(x, 2.0, lax.add, (0,)), M),
    "reduce by products": (lambda x: lax.reduce(x, 2.0, lax.mul, (1,)), M),
    "reduce by a function": (lambda x: lax.reduce(x, 0.0, lambda a, b: xp.sin(a) * b + a, (0,)), M),
    "reduce of a pair": (
        lambda x, y: lax.reduce((x, y), (0.0, 1.0), lambda p, q: (p[0] + q[0] * q[1], p[1] * q[1]), (0,)), M, M + 1,
    ),
    "reduce of no elements": (lambda x: lax.reduce((x[:0], x[:0] * 2), (1.0, x[0, 0]), lambda p, q: p, (0,)), M),
    "reduce from a start": (lambda x, start: lax.reduce(x, start, lax.max, (0, 1)), M, np.array(0.5)),
    "reduce several": (
        lambda x, y: lax.reduce((x, y), (0.0, 1.0), lambda a, b: (a[0] + b[0] * a[1], a[1] * b[1]), (1,)), M, M[::-1].copy(),
    ),
    "reduce nothing": (lambda x: lax.reduce(x, 0.0, lax.add, ()), M),
    "ragged_dot": (lambda x, y: lax.ragged_dot(x, y, xp.asarray([2, 1])), M, IMAGE[0, :2, :, :3]),
    "ragged_dot_general of sums": (
        lambda x, y: lax.ragged_dot_general(x, y, xp.asarray([1, 3]), RAGGED((((0,), (0,)), ((), ())), [0], [])), M, M[:, :2],
    ),
    "ragged_dot_general of batches": (
        lambda x, y: lax.ragged_dot_general(x, y, xp.asarray([1, 3]), RAGGED((((2,), (1,)), ((0,), (0,))), [0], [])),
        IMAGE[0], IMAGE[1, :, :, :2].repeat(2, 1)[:, :6],
    ),
    "ragged_dot_general with sizes for each batch": (
        lambda x, y: lax.ragged_dot_general(
            x, y, xp.asarray([[1, 3], [2, 2], [5, 0], [0, 0]]), RAGGED((((2,), (2,)), ((0,), (0,))), [1], [1])
        ),
        IMAGE[0], RNG.normal(size=(4, 2, 6, 3)),
    ),
    "ragged_dot_general of sums in batches": (
        lambda x, y: lax.ragged_dot_general(
            x, y, xp.asarray([[1, 3], [2, 2], [5, 0], [0, 0]]), RAGGED((((1,), (1,)), ((0,), (0,))), [1], [])
        ),
        IMAGE[0], IMAGE[1],
    ),
    "fft": (lambda x: lax.fft(x, "RFFT", (4, 5)), M),
    "irfft": (lambda x: lax.fft(x + 1j * x, "IRFFT", (4, 8)), M),
    "conv_transpose": (
        lambda x, k: lax.conv_transpose(x, k, (2, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")),
        IMAGE, RNG.normal(size=(3, 4, 2, 3)),
    ),
    "conv_general_dilated_patches": (lambda x: lax.conv_general_dilated_patches(x, (2, 2), (1, 2), "SAME"), IMAGE),
    "conv_general_dilated_local": (
        lambda x, k: lax.conv_general_dilated_local(x, k, (1, 1), "VALID", (2, 2)), IMAGE, RNG.normal(size=(3, 16, 4, 5)),
    ),
    "complex": (lambda x, y: lax.complex(x, y), X, Y),
    "sort_key_val": (lambda x, y: lax.sort_key_val(x, y), X, Y),
    "triangular_solve": (
        lambda a, b: lax.linalg.triangular_solve(a, b, left_side=False, lower=True, transpose_a=True),
        np.eye(5) + M.T @ M / 9, M,
    ),
    "triangular_solve of ones": (
        lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, unit_diagonal=True), np.eye(5) + M.T @ M / 9, M.T,
    ),
    "some singular values": (lambda a: lax.linalg.svd(a, subset_by_index=(1, 3), compute_uv=False), M),
    "some factors": (lambda a: lax.linalg.svd(a, full_matrices=False, subset_by_index=(0, 2))[1], M),
    "some eigenvalues": (lambda a: lax.linalg.eigh(a @ a.T, subset_by_index=(0, 2))[1], M),
    "cholesky_update": (lax.linalg.cholesky_update, np.triu(np.eye(4) * 3 + M[:, :4] / 9), X[:4]),
    "symmetric_product": (lambda a, c: lax.linalg.symmetric_product(a, c, alpha=2.0, beta=0.5), M, M @ M.T),
    "scatter": (lambda x, u: lax.scatter(x, INDICES, u, **SCATTER), M, M[:3]),
    "scatter_add": (lambda x, u: lax.scatter_add(x, INDICES, u, **SCATTER), M, M[:3]),
    "scatter_sub": (lambda x, u: lax.scatter_sub(x, INDICES % 2, u, **SCATTER), M, M[:3]),
    "scatter_mul": (lambda x, u: lax.scatter_mul(x, INDICES, u, unique_indices=True, **SCATTER), M, M[1:]),
    "scatter_max": (lambda x, u: lax.scatter_max(x, INDICES % 2, u, **SCATTER), M, M[:3] + 0.1),
    "scatter_min": (lambda x, u: lax.scatter_min(x, INDICES, u, **SCATTER), M, M[:3] + 0.1),
}  # fmt: skip


@for_each("name", CASES)
def test_derivatives(name):
    fun, *args = CASES[name]
    check_slopes(fun, args)


def test_of_equal_elements_in_a_window_the_first_one_counts():
    pooled = jax.grad(lambda x: lax.reduce_window(x, -np.inf, lax.max, (2,), (2,), "VALID").sum())
    assert pooled(xp.asarray([1.0, 1.0, 0.0, 2.0])).tolist() == [1, 0, 0, 1]


def test_products_at_positions_need_to_be_unique():
    twice = np.array([[1], [1]])
    with pytest.raises(NotImplementedError, match="several go to one element"):
        jax.vjp(lambda u: lax.scatter_mul(xp.asarray(M), twice, u, **SCATTER), xp.asarray(M[:2]))


def test_composite_functions_have_the_derivatives_of_their_definitions():
    square = lax.composite(lambda x: x**2, name="my.square")
    assert float(jax.grad(square)(3.0)) == float(jax.jvp(square, (3.0,), (1.0,))[1]) == 6


def test_cotangents_of_another_dtype():
    @jax.custom_vjp
    def f(x):
        return x

    f.defvjp(lambda x: (x, None), lambda _, ct: (xp.astype(ct, "bfloat16"),))
    x = xp.arange(8, dtype="float8_e4m3fn")
    assert jax.vjp(f, x)[1](x)[0].dtype == "bfloat16"
    assert jax.vjp(lambda x: f(x[::2]), x)[1](x[::2])[0].dtype == "float8_e4m3fn"


def test_copies_of_cotangents_are_others():
    x, tangent = xp.ones(2), xp.ones(2)
    for fun in (xp.copy, lambda x: xp.array(x, copy=True), lambda x: xp.asarray(x, copy=True), lambda x: x.copy()):
        _, back = jax.vjp(fun, x)
        assert jax.jvp(fun, (x,), (tangent,))[1] is not tangent
        assert back(tangent)[0] is not tangent


def test_convolutions_of_no_elements_have_derivatives():
    x, kernel = xp.zeros((4, 2, 0)), xp.ones((4, 2, 1))

    def f(x, kernel):
        return lax.conv_general_dilated(x, kernel, (1,), [(0, 0)], batch_group_count=2).sum()

    found = jax.grad(f, (0, 1))(x, kernel)
    assert [one.shape for one in found] == [x.shape, kernel.shape]
    assert not found[1].any()


@pytest.mark.parametrize(("start", "function"), [(-np.inf, lax.max), (0.0, lax.add)])
def test_windows_that_fit_nowhere_have_derivatives(start, function):  # shapes of JAX
    def program(x):
        return lax.reduce_window(x, start, function, (2, 2), (1, 1), "VALID")

    value, tangent = jax.jvp(program, (xp.zeros((3, 1)),), (xp.ones((3, 1)),))
    assert value.shape == tangent.shape == (2, 0)
    assert jax.grad(lambda x: program(x).sum())(xp.zeros((3, 1))).tolist() == [[0.0]] * 3


def test_weak_operands_beside_strong_ones_have_strong_cotangents():  # as in JAX, whose `lax` converts no operands
    three, ones = xp.asarray(3.0, dtype="float32"), xp.ones(3)
    for name in ("add", "sub", "mul", "div", "rem", "pow", "max", "min", "atan2"):
        function = getattr(lax, name)
        for back in (jax.vjp(function, 2.0, three)[1](three)[0], jax.vjp(function, three, 2.0)[1](three)[1]):
            assert not back.weak_type, name
        assert jax.vjp(function, 2.0, 3.0)[1](1.0)[0].weak_type == (name != "pow"), name
    for fun in (
        lambda x: lax.dot(xp.broadcast_to(x, (3,)), ones),
        lambda x: lax.dot_general(ones, xp.broadcast_to(x, (3,)), (((0,), (0,)), ((), ()))),
        lambda x: xp.dot(xp.broadcast_to(x, (3,)), ones),
        lambda x: lax.dynamic_update_slice(ones, xp.broadcast_to(x, (1,)), (0,)).sum(),
    ):
        for gradient in (jax.grad(fun), jax.jit(jax.grad(fun)), jax.grad(jax.checkpoint(fun))):
            assert not gradient(2.0).weak_type


def test_linear_functions_of_weak_operands():  # as in JAX: powers by floats have strong slopes
    weak = [jax.linearize(fun, 2.0)[1](1.0).weak_type for fun in (lambda x: x**2.5, lambda x: x**x, xp.sin, lambda x: x**2)]
    assert weak == [False, False, True, True]


def test_values_where_jax_has_others():
    hermitian = xp.asarray([[3, 1j], [-1j, 2]], dtype="complex64")
    along, values = xp.asarray([[1, 2j], [0.5, 1 + 1j]], dtype="complex64"), xp.asarray([1 + 1j, 2.0])
    definite, general = (
        (jax.jvp(fun, (hermitian,), (along,))[1], (jax.vjp(fun, hermitian)[1](values)[0] * along).sum().real)
        for fun in (lambda a: xp.scipy.linalg.solve(a, values, assume_a="pos"), lambda a: xp.linalg.solve(a, values))
    )
    for found, wanted in zip(definite, general, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    ruled = jax.custom_jvp(xp.sin)
    ruled.defjvp(lambda p, t: (ruled(*p), 3 * xp.cos(p[0]) * t[0]))
    loop = jax.grad(jax.grad(lambda x: lax.fori_loop(0, 2, lambda _, c: ruled(c), x)))
    np.testing.assert_allclose(loop(0.5), jax.grad(jax.grad(lambda x: ruled(ruled(x))))(0.5), rtol=1e-6)
    x, u, one = xp.asarray([1.0, 2.0, 9.0]), xp.asarray([5.0, 5.0]), lax.ScatterDimensionNumbers((), (0,), (0,))
    back = jax.vjp(lambda u: lax.scatter_max(x[:2], xp.asarray([[1], [9]]), u, one, mode="clip"), u)[1]
    assert back(xp.ones(2))[0].tolist() == [0.5, 0.5]  # of the only element that changes
    numbers = lax.GatherDimensionNumbers((), (0,), (0,))
    assert jax.grad(lambda x: lax.gather(x, xp.asarray([[0], [9]]), numbers, (1,)).sum())(x).tolist() == [1, 0, 1]
    diagonal, beside, t = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.0])
    matrices = [np.diag(diagonal + step * t) + np.diag(beside, 1) + np.diag(beside, -1) for step in (-1e-3, 1e-3)]
    expected = np.diff([np.linalg.eigvalsh(m) for m in matrices], axis=0)[0] / 2e-3
    solve = xp.scipy.linalg.eigh_tridiagonal
    values = jax.jvp(lambda d: solve(d, xp.asarray(beside), eigvals_only=True), (xp.asarray(diagonal),), (xp.asarray(t),))
    np.testing.assert_allclose(values[1], expected, rtol=1e-4)
    entropy, rates = xp.scipy.stats.poisson.entropy, xp.asarray([1.99, 2.01], dtype="float64")
    slope = jax.grad(lambda x: entropy(x))(2.0)
    np.testing.assert_allclose(slope, float(xp.diff(entropy(rates))[0]) / 0.02, rtol=1e-3)
