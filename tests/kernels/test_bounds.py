"""Functions of NumPy that read or write out of bounds: here they do not."""

import itertools
import math

import numpy as np
import pytest
from generators import RNG

from supremum._kernels import extremes
from supremum._kernels.bounds import nonzero, update_at


def one_by_one(ufunc, target, key, values):
    """Apply a ufunc to each selected element in turn."""
    places = np.arange(target.size).reshape(target.shape)[key]
    out = target.copy()
    flat = out.reshape(-1)
    for place, value in zip(places.ravel(), np.broadcast_to(values, places.shape).ravel(), strict=True):
        flat[place : place + 1] = ufunc(flat[place : place + 1], value)
    return out


def shapes_to_broadcast(shape):
    """Return the shapes that broadcast to a shape: without its first axes, and with axes of length 1."""
    return {
        tuple([1 if one else n for one, n in zip(ones, shape[len(shape) - axes :], strict=True)])
        for axes in range(len(shape) + 1)
        for ones in itertools.product([False, True], repeat=axes)
    }


@pytest.mark.combinations
@pytest.mark.parametrize("ufunc", [np.add, np.subtract, np.multiply, extremes.maximum, extremes.minimum])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "float16", "float32", "float64"])
def test_updates_by_values_that_are_broadcast(ufunc, dtype):
    beyond = RNG.integers(1, 100, 64).astype(dtype)  # so that a read beyond the values finds other numbers
    for shape, index in [((3,), (2, 2)), ((5,), (2, 3)), ((5,), (2, 3, 2)), ((4, 3), (2, 3)), ((2, 3, 2), (3, 2))]:
        target = RNG.integers(0, 6, shape).astype(dtype)
        places = RNG.integers(-shape[0], shape[0], index)
        for key in (places, np.asfortranarray(places), places.astype(np.int8), (places, ...), (None, places)):
            for given in shapes_to_broadcast(target[key].shape):
                values = beyond[: math.prod(given)].reshape(given)
                found = target.copy()
                update_at(ufunc, found, key, values)
                np.testing.assert_array_equal(found, one_by_one(ufunc, target, key, values))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex128"])
def test_indices_of_elements_that_are_not_zero(dtype):
    for shape in [(0,), (7,), (600,), (30, 40), (3, 0), (2, 3, 200)]:
        x = (RNG.random(shape) < 0.3).astype(dtype)
        if np.dtype(dtype).kind in "fc":
            x[RNG.random(shape) < 0.1] = np.nan
            x[RNG.random(shape) < 0.1] = -0.0
        for data in (x, x.T, x[::-1]):
            expected = [place for place in np.ndindex(data.shape) if data[place] != 0]
            np.testing.assert_array_equal(np.transpose(nonzero(data)), np.reshape(expected, (-1, data.ndim)))
