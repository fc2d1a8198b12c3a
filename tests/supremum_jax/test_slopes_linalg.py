"""Derivatives of linear algebra, next to JAX's values."""

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
