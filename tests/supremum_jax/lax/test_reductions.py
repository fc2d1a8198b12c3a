"""Running extremes and the greatest elements, also where programs compute them by their parts."""

import numpy as np
import pytest

import supremum as xp
from supremum.jax import jit, lax, vjp


def rows(size):
    """Return numbers, many of them equal, with NaN and zeros of both signs among them."""
    found = np.random.default_rng(size).integers(-3, 4, size).astype(np.float32)
    found[1::7], found[2::9] = np.nan, -0.0
    return found


@pytest.mark.parametrize("size", [1, 2, 7, 64, 300])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_greatest_elements_are_the_first_of_a_stable_order(size, dtype):
    x = rows(size)
    x = xp.asarray(np.nan_to_num(x) if dtype == "int32" else x, dtype=dtype)
    items = [float(item) for item in np.asarray(x, np.float64)]
    order = sorted(range(size), key=lambda i: (items[i] == items[i], -items[i] if items[i] == items[i] else 0.0))
    for k in {0, 1, size // 2, size}:
        for values, places in (lax.top_k(x, k), jit(lambda x, k=k: lax.top_k(x, k))(x)):
            assert places.dtype == xp.int32
            assert places.tolist() == order[:k]
            assert np.asarray(values).tobytes() == np.asarray(x)[order[:k]].tobytes()


@pytest.mark.parametrize("shape", [(1,), (2,), (31,), (300,), (5, 4), (2, 9, 3)])
@pytest.mark.parametrize("reverse", [False, True])
def test_running_extremes_are_those_of_the_first_elements(shape, reverse):
    x = rows(int(np.prod(shape))).reshape(shape)
    for axis in range(len(shape)):
        for function, least in ((lax.cummin, True), (lax.cummax, False)):
            expected = np.flip(x, axis).copy() if reverse else x.copy()
            along = np.moveaxis(expected, axis, 0)
            for i in range(1, len(along)):
                pair = np.stack([along[i - 1], along[i]])
                zeros = np.copysign(0.0, np.min(np.copysign(1, pair), 0) if least else np.max(np.copysign(1, pair), 0))
                along[i] = np.where((pair == 0).all(0), zeros, (np.min if least else np.max)(pair, 0))
            expected = np.flip(expected, axis) if reverse else expected
            given = xp.asarray(x)
            call = lambda x, f=function, axis=axis: f(x, axis, reverse)
            for found in (np.asarray(call(given)), np.asarray(jit(call)(given))):
                np.testing.assert_array_equal(found, expected)
                known = ~np.isnan(expected)
                assert np.array_equal(np.signbit(found)[known], np.signbit(expected)[known])


def test_the_greatest_elements_of_a_step_are_those_of_a_call():
    x = xp.asarray(np.random.default_rng(0).normal(size=(20, 30)).astype(np.float32))

    def step(total, row):
        values, places = lax.top_k(row, 3)
        return total + values[0], (values, lax.cummin(row), places)

    total, found = lax.scan(step, xp.zeros((), dtype="float32"), x)
    each = np.asarray(x)
    assert np.array_equal(found[0], -np.sort(-each, axis=1)[:, :3])
    assert np.array_equal(found[1], np.minimum.accumulate(each, axis=1))
    assert np.array_equal(found[2], np.argsort(-each, axis=1, kind="stable")[:, :3])
    assert float(total) == pytest.approx(each.max(axis=1).sum(), rel=1e-5)


def test_logarithms_of_running_sums_of_complex_numbers():  # values of JAX
    x = xp.asarray([1 + 1j, 2 - 1j, 0.5j], dtype="complex64")
    np.testing.assert_allclose(lax.cumlogsumexp(x), [1 + 1j, 1.9063238 - 0.6238287j, 1.9764532 - 0.4985533j], rtol=1e-6)
    pulled = vjp(lax.cumlogsumexp, x)[1](x)[0]
    np.testing.assert_allclose(pulled, [1.172777 + 1.841886j, 1.885466 - 1.379402j, -0.058243 + 0.037516j], rtol=2e-5)


def test_a_start_that_changes_nothing_may_have_any_dtype():  # values of JAX
    x = xp.asarray([[0, 1, 2], [3, 4, 5]], dtype="uint32")
    for start, computation, expected in [
        (0, lax.bitwise_xor, [3, 2]), (0, lax.bitwise_or, [3, 7]), (xp.int32(0), lax.add, [3, 12]),
        (np.uint32(2**32 - 1), lax.bitwise_and, [0, 0]), (-1, lax.bitwise_and, [0, 0]),
    ]:  # fmt: skip
        found = jit(lambda x, start=start, computation=computation: lax.reduce(x, start, computation, (1,)))(x)
        assert (found.tolist(), found.dtype) == (expected, "uint32")
    with pytest.raises(TypeError, match="same dtypes"):
        lax.reduce(x, 1, lax.bitwise_xor, (0,))
