"""Which functions have rules for derivatives, and why others have none."""

from types import ModuleType

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum._core.engine import Function
from supremum.jax import _gradients, lax
from supremum.jax._slopes import of_values, rule_of

#: Functions without a rule for derivatives, by the reason. A call that would lose one raises NotImplementedError.
WITHOUT_RULE = {
    "results are no floating-point numbers": """
        __array_namespace_info__ all allclose any argmax argmin argpartition argsort argwhere array_equal array_equiv
        array_repr array_str bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_or
        bitwise_right_shift bitwise_xor broadcast_shapes can_cast count_nonzero diag_indices diag_indices_from
        digitize einsum_path equal explain flatnonzero gcd get_printoptions greater greater_equal indices io.load
        io.save io.savez io.savez_compressed isclose iscomplex isdtype isfinite isin isinf isnan isneginf isposinf
        isreal issubdtype iterable lax.after_all lax.argmax lax.argmin lax.bitwise_and lax.bitwise_not
        lax.bitwise_or lax.bitwise_xor lax.broadcasted_iota lax.clz lax.conv_general_permutations
        lax.conv_general_shape_tuple lax.conv_shape_tuple lax.conv_transpose_shape_tuple lax.create_token lax.eq
        lax.ge lax.gt lax.is_finite lax.le lax.linalg.lu_pivots_to_permutation lax.lt lax.mulhi lax.ne
        lax.population_count lax.reduce_window_shape_tuple
        lax.shape_as_value lax.shift_left lax.shift_right_arithmetic lax.shift_right_logical lcm less less_equal
        lexsort linalg.matrix_rank logical_and logical_not logical_or logical_xor mask_indices nanargmax nanargmin
        nn.get_scaled_dot_general_config nonzero not_equal packbits printoptions promote_types random.PRNGKey
        random.bits random.clone random.fold_in random.key random.key_data random.key_dtype
        random.key_impl random.randint random.split random.wrap_key_data ravel_multi_index result_type
        searchsorted set_printoptions signbit tril_indices tril_indices_from triu_indices
        triu_indices_from unpackbits
    """,
    "no operands are floating, or none matter": """
        arange bartlett blackman from_dlpack frombuffer fromfile fromfunction fromiter
        fromstring hamming hanning lax.empty lax.full lax.iota lax.rng_bit_generator lax.rng_uniform
        random.cauchy random.exponential random.laplace random.logistic random.maxwell random.normal
        random.rademacher scipy.linalg.dft scipy.linalg.hadamard scipy.linalg.helmert
        scipy.linalg.hilbert scipy.linalg.invhilbert scipy.linalg.invpascal scipy.linalg.pascal
        scipy.special.bernoulli
    """,
    "samples are counts": """
        random.bernoulli random.geometric random.poisson
    """,
    "results are counts, sets, steps, or bits of numbers": """
        lax.nextafter
        nextafter spacing
    """,
    "derivatives of derivatives of gamma functions by their parameters": """
        lax.igamma_grad_a lax.random_gamma_grad
    """,
    "JAX 0.10.2 has no rule": """
        lax.linalg.hessenberg lax.linalg.householder_product lax.linalg.ormqr lax.linalg.schur lax.linalg.tridiagonal
        lax.scaled_dot lax.scatter_apply nn.scaled_matmul scipy.linalg.funm scipy.linalg.hessenberg scipy.linalg.schur
        scipy.linalg.sqrtm
    """,
    "the result is a function, whose calls have rules": "vectorize",
}  # fmt: skip
SPACES = [
    xp, xp.linalg, xp.fft, xp.nn, xp.random, xp.scipy.special, xp.scipy.linalg, xp.scipy.signal, xp.scipy.ndimage,
    xp.scipy.fft, xp.scipy.stats, xp.scipy.integrate, xp.scipy.interpolate, xp.scipy.optimize, jax.lax, jax.lax.linalg,
    *[one for one in vars(xp.scipy.stats).values() if isinstance(one, ModuleType) and hasattr(one, "__all__")],
]  # fmt: skip


def test_functions_have_rules_or_a_reason():
    assert _gradients.grad is jax.grad  # all rules are loaded
    missing = set()
    for space in SPACES:
        for name in getattr(space, "__all__", dir(space)):
            function = getattr(space, name, None)
            if isinstance(function, Function) and function.name and rule_of(function) is of_values:
                missing.add(function.name)
    assert missing == set(" ".join(WITHOUT_RULE.values()).split())


@pytest.mark.parametrize("zero", [0, 0.0, False, 0j, np.float32(0), np.zeros(3, np.int32)], ids=repr)
def test_slopes_of_quotients_by_zero(zero):  # values of JAX
    x = xp.asarray([0.5, -1.0, 2.0])
    if isinstance(zero, complex):
        slopes = jax.jvp(lambda x: x / zero, (x,), (x,))[1]
        assert not np.isfinite(np.asarray(slopes)).any()
        return
    gradient = jax.grad(lambda x: (x / zero).sum())
    assert gradient(x).tolist() == [np.inf] * 3
    assert jax.grad(lambda x: gradient(x).sum())(x).tolist() == [0.0] * 3
    hidden = jax.grad(lambda x: xp.where(x > 0, 0.0, xp.where(x < 9, x, x / zero)).sum())
    assert np.array_equal(hidden(x), [np.nan, np.nan, np.nan], equal_nan=True)


def test_classes_of_numbers_have_no_slopes():
    with pytest.warns(DeprecationWarning, match="classes should be integers"):
        assert jax.grad(lambda x: jax.nn.one_hot(x, 3).sum())(xp.asarray([0.5, 1.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("sums", [xp.cumulative_sum, xp.cumulative_prod])
def test_sums_of_nothing_with_the_initial_one(sums):  # shapes of JAX
    value, tangent = jax.jvp(lambda x: sums(x, include_initial=True), (xp.zeros(0),), (xp.zeros(0),))
    assert value.shape == tangent.shape == (1,)
    assert jax.vmap(lambda x: sums(x, include_initial=True))(xp.zeros((2, 0))).shape == (2, 1)


@pytest.mark.parametrize("fun", [xp.prod, xp.nanprod, xp.median, xp.nanmedian, xp.multiply.reduce], ids=str)
def test_rows_of_no_array(fun):  # shapes of JAX
    x = xp.ones((0, 3))
    assert [y.shape for y in jax.jvp(lambda x: fun(x, axis=1), (x,), (x,))] == [(0,), (0,)]
    assert jax.jacfwd(jax.jacrev(lambda x: fun(x, axis=1)))(x).shape == (0, 0, 3, 0, 3)


def test_steps_of_ufuncs_over_nothing():  # values and shapes of JAX
    x = xp.ones((0, 3))
    values, tangents = jax.jvp(lambda x: xp.multiply.reduce(x), (x,), (x,))
    assert (values.tolist(), tangents.tolist()) == ([1, 1, 1], [0, 0, 0])
    assert jax.grad(lambda x: xp.logaddexp.reduce(x, axis=None, keepdims=True).sum())(x).shape == (0, 3)
    assert jax.jvp(xp.logaddexp.reduce, (x,), (x,))[0].tolist() == [-np.inf] * 3
    assert jax.jvp(xp.maximum.accumulate, (x,), (x,))[1].shape == (0, 3)
    with pytest.raises(ValueError, match="has no identity"):
        jax.jvp(xp.subtract.reduce, (x,), (x,))


@pytest.mark.parametrize("axis", [0, None])
def test_sums_of_exponentials_of_nothing(axis):  # values of JAX
    value, tangent = jax.jvp(lambda x: xp.nn.logsumexp(x, axis=axis), (xp.ones((0, 1)),), (xp.ones((0, 1)),))
    assert np.isneginf(value).all()
    assert np.isnan(tangent).all()


@pytest.mark.parametrize("convert", [jax.numpy.array, jax.numpy.asarray])
def test_numbers_in_nested_lists_have_no_dtype_of_their_own(convert):  # dtypes of JAX
    x = xp.asarray(1.5, dtype="bfloat16")
    for fun in (
        lambda x: convert([[x], [1.0]]),
        lambda x: convert([[[2]], [[x]]]),
        lambda x: convert([xp.stack([x, x]), [1.0, 2]]),
    ):
        assert {y.dtype for y in jax.jvp(fun, (x,), (x,))} == {xp.dtype("bfloat16")}
        assert jax.jvp(jax.vmap(fun), (x[None],), (x[None],))[1].dtype == "bfloat16"


def test_second_derivatives_at_infinity():  # values of JAX
    assert jax.hessian(xp.prod)(xp.asarray([np.inf, 1.0])).tolist() == [[0, 1], [1, 0]]
    assert jax.grad(jax.grad(xp.atanh))(np.inf) == 0


def test_extremes_of_nothing_with_an_initial_one():  # values of JAX
    assert [float(y) for y in jax.jvp(lambda x: xp.nanmax(x, initial=1.0), (xp.zeros(0),), (xp.zeros(0),))] == [1.0, 0.0]


def test_truth_values_that_move_by_floats_are_constants():  # values of JAX
    chosen, x = xp.asarray([True, False, True, True]), xp.asarray([1.0, 0.0, 1.0, 1.0])
    y, pullback = jax.vjp(lambda condition: xp.compress(condition, chosen), x)
    assert (y.tolist(), pullback(np.zeros(3, jax.dtypes.float0))[0].tolist()) == ([True] * 3, [0.0] * 4)


def test_products_with_numbers_and_buffers():  # values of JAX
    x, rows = xp.asarray([1.0, 2.0, 3.0]), np.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    for product, expected in (
        (lambda x: xp.dot(x, 2.0), [2, 2, 2]),
        (lambda x: xp.dot(3, x), [3, 3, 3]),
        (lambda x: xp.dot(rows, x), [5, 7, 9]),
        (lambda x: x @ np.ones((3, 2), np.float32), [2, 2, 2]),
    ):
        found = jax.grad(lambda x, product=product: product(x).sum())(x)
        assert found.tolist() == expected
        assert found.dtype == "float32"


def test_fillers_do_not_move():  # values of JAX
    x = xp.asarray([1.0, 2.0, 3.0])
    value, tangent = jax.jvp(lambda x: xp.take(x, xp.asarray([0, 9]), mode="fill"), (x,), (x,))
    assert (value[0].tolist(), bool(xp.isnan(value[1])), tangent.tolist()) == (1.0, True, [1.0, 0.0])
    assert jax.grad(lambda x: xp.nansum(xp.take(x, xp.asarray([0, 9]), mode="fill")))(x).tolist() == [1.0, 0.0, 0.0]


def test_sizes_of_complex_numbers_have_a_slope_at_zero():  # values of JAX
    z, t = xp.asarray([0j, 3 + 4j]), xp.asarray([1 + 1j, 1 + 1j])
    value, tangent = jax.jvp(xp.abs, (z,), (t,))
    assert (value.tolist(), tangent[0].tolist()) == ([0.0, 5.0], 0.0)
    np.testing.assert_allclose(tangent[1], 1.4, rtol=1e-6)
    assert jax.grad(xp.abs)(0j).tolist() == 0j


def test_weights_of_counts_have_gradients():  # values of JAX
    a, w = xp.asarray([0.1, 0.9, 0.5, 0.3]), xp.asarray([1.0, 2.0, 3.0, 4.0])
    bins = jax.grad(lambda w: (xp.histogram(a, 3, (0.0, 0.8), weights=w)[0] * xp.arange(1.0, 4)).sum())
    assert bins(w).tolist() == [1.0, 0.0, 2.0, 2.0]
    shares = jax.jacfwd(lambda w: xp.histogram(a, xp.asarray([0.0, 0.5, 1.0]), weights=w, density=True)[0])(w)
    np.testing.assert_allclose(shares, [[0.1, -0.1, -0.1, 0.1], [-0.1, 0.1, 0.1, -0.1]], rtol=1e-5)
    counts = jax.grad(lambda w: (xp.bincount(xp.asarray([0, 2, 5, 1]), w, length=3) * xp.asarray([1.0, 2.0, 3.0])).sum())
    assert counts(w).tolist() == [1.0, 3.0, 0.0, 2.0]
    assert jax.jit(jax.vmap(counts))(w[None]).tolist() == [[1.0, 3.0, 0.0, 2.0]]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: lax.bitcast_convert_type(x, "float32"),
        lambda x: xp.random.binomial(xp.random.key(1), 9.0, x),
        lambda x: xp.random.multinomial(xp.random.key(1), 9, x / xp.sum(x)),
    ],
)
def test_steps_have_zero_gradients(function):  # values of JAX
    x = xp.asarray([0.1, 0.9, 0.5])
    assert jax.grad(lambda x: function(x).sum())(x).tolist() == [0.0, 0.0, 0.0]


def test_masked_elements_move_no_shares():  # values of JAX
    x, mask = xp.asarray([1.0, np.nan, 2.0]), xp.asarray([True, False, True])
    _, moved = jax.jvp(lambda x: jax.nn.softmax(x, where=mask), (x,), (x,))
    np.testing.assert_allclose(moved, [-0.196612, 0.0, 0.196612], rtol=1e-4)


def test_rows_where_nothing_counts_have_gradients_of_zero():  # values of JAX
    x, mask = xp.asarray([[0.0, 3.0, 1.0], [1.0, 2.0, 3.0]]), xp.asarray([[False] * 3, [True, False, True]])

    def loss(x):
        return xp.sum(jax.nn.log_softmax(x, where=mask), where=mask)

    expected = [[0.0, 0.0, 0.0], [0.7615942, 0.0, -0.76159406]]
    for gradient in (jax.grad(loss), jax.jit(jax.grad(loss)), jax.jacfwd(loss)):
        np.testing.assert_allclose(gradient(x), expected, rtol=1e-6)
    assert jax.jvp(lambda x: jax.scipy.special.log_softmax(x, axis=1), (x,), (xp.ones_like(x),))[1].tolist() == [[0] * 3] * 2


def test_slopes_at_infinite_divisors_and_roots():  # values of JAX
    def by_divisor(x, y):
        return jax.grad(xp.remainder, 1)(xp.asarray(x), xp.asarray(y)).tolist()

    assert [by_divisor(*pair) for pair in [(1.0, -np.inf), (-2.0, np.inf), (1.0, np.inf), (-2.0, 3.0)]] == [1, 1, 0, 1]
    roots = jax.vmap(jax.grad(jax.grad(xp.cbrt)))(xp.asarray([0.0, np.inf, -np.inf]))
    assert roots.tolist() == [-np.inf, 0, 0]


@pytest.mark.parametrize(
    ("name", "expected", "by_start"),
    [("sum", [1.5, 5.5], 2.0), ("prod", [-4.2875, -12.25], -7.5), ("max", [2.0, 3.5], 0.0), ("min", [-1.5, -0.5], 0.0)],
)
def test_reductions_that_start_with_a_value(name, expected, by_start):  # values of JAX
    x, function = xp.asarray([[1.5, -2.0, 0.5], [2.0, 3.0, -1.0]]), getattr(xp, name)
    moved = jax.jvp(lambda x: function(x, axis=1, initial=0.7), (x,), (x + 0.5,))[1]
    np.testing.assert_allclose(moved, expected, rtol=1e-5)
    assert jax.grad(lambda start: function(x, axis=1, initial=start).sum())(0.7) == by_start


def test_second_derivatives_of_sums_that_start_with_a_value():  # values of JAX
    assert jax.hessian(lambda x: xp.sum(x, initial=2.0) ** 2)(xp.asarray([1.0, 3.0])).tolist() == [[2, 2], [2, 2]]


def test_tangents_behind_masks_of_reductions_are_dropped():  # values of JAX
    x, mask = xp.asarray([1.5, np.nan, -2.0]), xp.asarray([True, False, True])
    for name, expected in [("max", 0.0), ("min", -2.0), ("prod", -12.0)]:
        moved = jax.jvp(lambda x, name=name: getattr(xp, name)(x, where=mask, initial=2.0), (x,), (x,))[1]
        assert moved == expected
    assert np.isnan(jax.grad(lambda x: xp.max(x, initial=2.0))(x)).all()
