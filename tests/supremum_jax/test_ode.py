"""`odeint`. Expected values are those of JAX 0.10.2, whose steps it takes, and of exact solutions."""

from unittest import mock

import numpy as np
import pytest

import supremum as xp
from supremum import jax
from supremum.jax import _ode
from supremum.jax.experimental.ode import odeint

pytestmark = pytest.mark.usefixtures("as_in_jax")

#: The values of JAX with 64 bits.
EXPECTED = [
    [1.0, 3.0],
    [12.327041011753725, 36.98112303543254],
    [104.02632471683548, 312.07897414176165],
    [-221.04616105919823, -663.1384832691136],
]


def test_decay():
    found = odeint(lambda y, t: -y, 1.0, xp.asarray([0.0, 1.0, 2.0]))
    assert (found.dtype, found.weak_type) == ("float32", False)
    np.testing.assert_allclose(found, np.exp([0.0, -1.0, -2.0]), rtol=1e-6)


def test_trees_and_arguments():
    start = {"x": xp.asarray([1.0, 2.0]), "v": xp.asarray([0.0, 1.0])}
    times = xp.linspace(0, 5, 7)
    found = odeint(lambda y, t, w: {"x": y["v"], "v": -w * y["x"]}, start, times, xp.asarray(2.0), rtol=1e-5, atol=1e-5)
    assert (found["x"].shape, sorted(found)) == ((7, 2), ["v", "x"])
    np.testing.assert_allclose(xp.abs(found["x"][-3::2].reshape(-1)), [0.001676846, 0.7037436, 0.7053103, 1.911864], atol=2e-5)
    np.testing.assert_allclose(found["x"][:, 0], np.cos(np.sqrt(2) * np.asarray(times)), atol=1e-4)


def test_steps_are_those_of_jax():
    with xp.config.use(x64="on"):  # where rounding does not choose other steps: five of them do not suffice
        found = odeint(lambda y, t: y * xp.sin(t), xp.asarray([1.0, 3.0]), xp.linspace(0, 9, 4), mxstep=5, hmax=0.5)
    np.testing.assert_allclose(found, EXPECTED, rtol=1e-9)


def test_complex_and_constant():
    times = xp.linspace(0, 2, 4)
    found = odeint(lambda y, t: 1j * y * t, xp.asarray([1 + 0j]), times, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(found[:, 0], np.exp(0.5j * np.asarray(times) ** 2), atol=1e-5)
    np.testing.assert_array_equal(odeint(lambda y, t: y * 0, xp.zeros(2), times), np.zeros((4, 2)))


def test_errors():
    with pytest.raises(TypeError, match="t is an array of floats"):
        odeint(lambda y, t: y, 1.0, xp.asarray([0, 1]))
    with pytest.raises(TypeError, match="args must be arrays or scalars"):
        odeint(lambda y, t, a: y, 1.0, xp.asarray([0.0, 1.0]), "a")


def test_programs_and_batches_take_the_same_steps():
    def swing(start, stiffness, times):
        return odeint(lambda y, t, w: xp.stack([y[1], -w * y[0]]), start, times, stiffness, rtol=1e-5, atol=1e-5)

    given = xp.asarray([1.0, 0.0]), xp.asarray(4.0), xp.linspace(0, 3, 5)
    found = jax.jit(swing)(*given)
    assert (found == swing(*given)).all()
    np.testing.assert_allclose(found[:, 0], np.cos(2 * np.asarray(given[2])), atol=1e-4)
    many = xp.asarray([1.0, 4.0, 9.0])
    of_all = jax.jit(jax.vmap(swing, (None, 0, None)))(given[0], many, given[2])
    exact = np.cos(np.sqrt(np.asarray(many))[:, None] * np.asarray(given[2]))
    np.testing.assert_allclose(of_all[..., 0], exact, atol=1e-4)
    np.testing.assert_allclose(of_all, jax.vmap(swing, (None, 0, None))(given[0], many, given[2]), atol=1e-4)
    slope = jax.grad(lambda w: swing(given[0], w, given[2])[-1, 0])
    assert jax.jit(slope)(given[1]) == slope(given[1])
    np.testing.assert_allclose(slope(given[1]), -np.sin(6) * 3 / 4, atol=1e-4)


def test_the_derivative_is_called_once_for_the_same_shapes():  # as JAX calls it
    called = []

    def slope(y, t, k):
        called.append(1)
        return -k * y

    times = xp.asarray([0.0, 1.0, 2.0])
    first = odeint(slope, 1.0, times, 0.5)
    count = len(called)
    assert odeint(slope, 1.0, times, 0.5).tolist() == first.tolist()
    np.testing.assert_allclose(np.asarray(odeint(slope, 2.0, times, 1.5)), 2 * np.exp(-1.5 * np.asarray(times)), rtol=1e-5)
    assert len(called) == count
    exact = odeint(slope, 1.0, times, 0.5, rtol=xp.asarray(1e-6))  # which no program is kept with
    np.testing.assert_allclose(np.asarray(exact), np.asarray(first), rtol=1e-4)


def test_batches_call_the_derivative_for_the_first_ones_alone():
    called = []

    def slope(y, t, k):
        called.append(1)
        return -k * y

    times, rates = xp.asarray([0.0, 1.0, 2.0]), xp.asarray([0.5, 1.0])
    of_all = jax.vmap(lambda k: odeint(slope, 1.0, times, k, rtol=1e-6))
    of_all(rates), of_all(rates)
    count = len(called)
    np.testing.assert_allclose(of_all(2 * rates), np.exp(-2 * np.outer(rates, times)), rtol=1e-4)
    assert len(called) == count


def test_values_of_other_shapes_have_programs_of_their_own():
    def slope(y, t):
        return -y[0], 2 * y[1]

    times = xp.asarray([0.0, 1.0])
    for shapes in ((2, 1), (1, 2)):  # as many numbers
        decayed, grown = odeint(slope, tuple(map(xp.ones, shapes)), times)
        np.testing.assert_allclose(decayed[-1], np.full(shapes[0], np.exp(-1)), rtol=1e-5)
        np.testing.assert_allclose(grown[-1], np.full(shapes[1], np.exp(2)), rtol=1e-5)


def test_gradients_keep_their_programs():
    def slope(y, t, k):
        return -k * y

    times = xp.asarray([0.0, 0.5, 2.0])
    gradient = jax.grad(lambda y, t, k: odeint(slope, y, t, k, rtol=1e-6)[-1], (0, 1, 2))
    gradient(1.0, times, 0.5)
    with mock.patch.object(_ode, "_solve", side_effect=AssertionError):
        by_y, by_times, by_k = gradient(2.0, times, 1.5)
    decayed = np.exp(-3.0)
    np.testing.assert_allclose(by_y, decayed, rtol=1e-4)
    np.testing.assert_allclose(by_times, [3 * decayed, 0, -3 * decayed], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(by_k, -4 * decayed, rtol=1e-4)
