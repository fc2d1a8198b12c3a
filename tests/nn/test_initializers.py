"""Initializers; ``conformance/jax`` has JAX's weights."""

import numpy as np
import pytest

import supremum as xp
from supremum.nn import initializers


def test_they_are_initializers():
    assert isinstance(initializers.he_normal(), initializers.Initializer)
    assert isinstance(initializers.zeros, initializers.Initializer)
    assert initializers.xavier_normal is initializers.glorot_normal
    assert initializers.kaiming_uniform is initializers.he_uniform


def test_constants():
    key = xp.random.key(42)
    assert initializers.constant(-7)(key, (2, 3), "bfloat16").tolist() == [[-7.0] * 3] * 2
    assert initializers.zeros(key, (0, 2)).shape == (0, 2)
    assert initializers.ones(key, 2, "int8").tolist() == [1, 1]


@pytest.mark.parametrize(
    "make, shape, words",
    [
        (initializers.glorot_normal(), (3,), "at least 2 dimensions"),
        (initializers.orthogonal(), (3,), "at least 2 dimensions"),
        (initializers.delta_orthogonal(), (3, 3), "3 to 5 dimensions"),
        (initializers.delta_orthogonal(), (3, 4, 2), "must not be below"),
    ],
)
def test_shapes_that_do_not_fit(make, shape, words):
    with pytest.raises(ValueError, match=words):
        make(xp.random.key(0), shape)


def test_options_that_do_not_exist():
    with pytest.raises(ValueError, match="mode must be 'fan_in'"):
        initializers.variance_scaling(1.0, "fan", "normal")
    with pytest.raises(ValueError, match="distribution must be 'truncated_normal'"):
        initializers.variance_scaling(1.0, "fan_in", "gamma")


@pytest.mark.parametrize("kind", ["normal", "truncated_normal", "uniform"])
@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_the_variance_is_the_one_asked_for(kind, dtype):
    weights = initializers.variance_scaling(2.0, "fan_in", kind)(xp.random.key(3), (50, 4000), dtype)
    assert weights.dtype == dtype
    assert abs(np.asarray(weights).var() * 50 / 2 - 1) < 0.02
