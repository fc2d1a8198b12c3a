"""Derivatives of linear algebra, next to JAX's values."""

import numpy as np
import pytest

import supremum as xp
from supremum import jax

SINGULAR = xp.diag(xp.asarray([1.0, 2.0, 3.0, 0.0]))
REGULAR = xp.diag(xp.asarray([1.0, 2.0, 3.0, 4.0]))


@pytest.mark.parametrize("wrapped", [lambda f: f, jax.jit])
def test_determinants_of_singular_matrices_have_slopes(wrapped):
    slope = wrapped(jax.grad(xp.linalg.det))
    assert slope(xp.zeros((4, 4))).tolist() == [[0] * 4] * 4
    assert slope(SINGULAR).tolist() == [[0] * 4] * 3 + [[0, 0, 0, 6]]
    assert jax.jvp(wrapped(xp.linalg.det), (SINGULAR,), (xp.ones((4, 4)),))[1] == 6
    found = wrapped(jax.vmap(slope))(xp.stack([REGULAR, SINGULAR]))
    assert xp.allclose(found, xp.stack([xp.diag(xp.asarray([24, 12, 8, 6])), xp.diag(xp.asarray([0, 0, 0, 6]))]))


def test_determinants_of_singular_matrices_by_exact_arithmetic():
    a = xp.asarray([[0, 3, -3, 4], [0, 1, 2, 0], [0, 0, 1, 1], [0, 2, 0, 1]], dtype=float)  # the first column is zero
    expected = xp.zeros((4, 4)).at[:, 0].set([5, 11, -7, -13])  # minors with three rows
    assert xp.allclose(jax.grad(xp.linalg.det)(a), expected, atol=1e-4)


def test_second_slopes_of_determinants():
    def both(a):
        return xp.linalg.det(a).sum()

    found = jax.jacrev(jax.grad(both))(xp.stack([SINGULAR, REGULAR]))
    assert xp.isnan(found[0, 0, 0, 0]).all()  # as JAX's
    assert xp.allclose(found[1, 0, 0, 1], xp.diag(xp.asarray([0, 12, 8, 6])))


def test_slopes_of_determinants_are_cofactors():
    for rows in (
        [[3]], [[0]], [[1, 2], [3, 4]], [[1, 2], [2, 4]], [[2, 0, 1], [3, 1, -1], [0, 5, 4]],
        [[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        [[2, 0, 1, 1], [3, 1, -1, 0], [0, 5, 4, 2], [1, 1, 1, 1]],
    ):  # fmt: skip
        a = np.asarray(rows, np.float64)
        minors = [
            [(-1) ** (i + j) * round(np.linalg.det(np.delete(np.delete(a, i, 0), j, 1))) for j in range(len(a))]
            for i in range(len(a))
        ]
        with xp.config.use(x64="on"):
            found = jax.grad(xp.linalg.det)(xp.asarray(a))
        np.testing.assert_allclose(found, minors, rtol=1e-12, atol=1e-12)


def test_signs_and_logarithms_of_complex_determinants():  # values of JAX
    with xp.config.use(x64="on"):
        a = xp.asarray([[1 + 2j, 0.5 - 1j], [2j, 3.0]])
        of_logarithm = jax.grad(lambda a: xp.linalg.slogdet(a)[1])(a)
        of_sign = jax.grad(lambda a: xp.real(sign := xp.linalg.slogdet(a)[0]) + 2 * xp.imag(sign))(a)
    expected = [[0.11538462 - 0.57692308j, -0.38461538 - 0.07692308j], [0.17307692 + 0.13461538j, 0.42307692 - 0.11538462j]]
    np.testing.assert_allclose(of_logarithm, expected, atol=1e-7)
    expected = [[0.33943177 + 0.06788635j, 0.04525757 - 0.22628785j], [-0.07920075 + 0.10182953j, 0.06788635 + 0.24891663j]]
    np.testing.assert_allclose(of_sign, expected, atol=1e-7)


def test_stacks_of_triangular_systems():  # values of JAX
    a = xp.asarray([[[2.0, 0, 0], [1, 3, 0], [4, 5, 6]], [[1, 0, 0], [2, 1, 0], [0, 1, 2]]])
    b = xp.asarray([[1.0, 2, 3], [4, 5, 6]])
    with pytest.warns(FutureWarning, match="taken for vectors"):
        by_a, by_b = jax.grad(lambda a, b: jax.scipy.linalg.solve_triangular(a, b, lower=True).sum(), (0, 1))(a, b)
    expected = [
        [[-5 / 72, 0, 0], [-1 / 36, -1 / 36, 0], [-1 / 12, -1 / 12, 1 / 24]],
        [[0, 0, 0], [-2, 1.5, 0], [-2, 1.5, -2.25]],
    ]
    np.testing.assert_allclose(by_a, expected, atol=1e-6)
    np.testing.assert_allclose(by_b, [[5 / 36, 1 / 18, 1 / 6], [0, 0.5, 0.5]], atol=1e-6)


def test_second_derivatives_along_tangents_that_are_not_symmetric():  # values of JAX, which reads such matrices alike
    a, t = xp.asarray([[3.0, 1.0, 0.5], [0.2, 4.0, 1.0], [0.7, -1.0, 5.0]]), xp.arange(9.0).reshape(3, 3)
    cases = [
        (
            lambda a: (xp.linalg.svd(a, full_matrices=False, hermitian=True)[1] ** 3).sum(), a,
            [[21.6, 60.0, 121.2], [60.0, 103.2, 172.8], [121.2, 172.8, 254.4]],
        ),
        (
            lambda a: (xp.scipy.linalg.solve(a, xp.asarray([1.0, 2, 3]), assume_a="pos") ** 2).sum(), a @ a.T,
            [[0.00012, -0.0018, -0.00182], [-0.00022, 0.00244, 0.00247], [-0.00012, 0.00163, 0.00164]],
        ),
    ]  # fmt: skip
    for fun, x, expected in cases:
        np.testing.assert_allclose(jax.jvp(jax.grad(fun), (x,), (t,))[1], expected, rtol=1e-4, atol=6e-6)
