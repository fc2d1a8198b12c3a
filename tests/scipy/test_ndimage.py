"""Interpolation of images: SciPy's results in every mode, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow

import supremum as xp
from supremum.scipy.ndimage import map_coordinates

IMAGE = np.arange(12.0).reshape(3, 4) ** 2
PLACES = [[-2.5, -0.5, 0, 0.5, 1.25, 2.5, 3, 7.5], [0, 1, 1.5, 0.5, -1, 4.5, 2, 9]]
# SciPy 1.17, whose name of "wrap" is "grid-wrap", without what ties of nearest neighbours decide.
LINEAR = {
    "nearest": [0, 1, 2.5, 10.5, 28, 121, 100, 121],
    "wrap": [8, 41, 2.5, 10.5, 67, 36.5, 4, 53],
    "mirror": [40, 13, 2.5, 10.5, 39, 60.5, 36, 29],
    "reflect": [40, 1, 2.5, 10.5, 28, 110.5, 100, 53],
}


@pytest.mark.parametrize("mode", LINEAR)
def test_linear_interpolation(mode):
    found = map_coordinates(xp.asarray(IMAGE), [xp.asarray(x) for x in PLACES], 1, mode)
    np.testing.assert_allclose(np.asarray(found), LINEAR[mode], rtol=1e-6)


def test_constants_beyond_the_ends():
    # Between the last pixel and the constant beside it JAX interpolates.
    x = xp.asarray([10.0, 20.0])
    found = map_coordinates(x, [xp.asarray([-1.0, -0.5, 0.0, 0.5, 1.0, 1.25, 3.0])], 1, cval=30.0)
    assert found.tolist() == [30, 20, 10, 15, 20, 22.5, 30]


@pytest.mark.parametrize(("place", "expected"), [(-0.5, 0.0), (0.25, 1.0), (0.75, 2.0), (1.25, 2.0), (2.0, 4.0)])
def test_nearest_neighbours(place, expected):
    assert float(map_coordinates(xp.asarray([1.0, 2.0, 4.0]), [xp.asarray(place)], 0)) == expected


def test_dtypes_and_layouts():
    def at_a_half(x):
        return map_coordinates(x, [xp.asarray([0.5, 1.0, 2.25])], 1)

    # JAX 0.10.2: integers are rounded.
    kinds = ("bool", "uint8", "int32", "bfloat16", "float32", "complex64")
    check_dtypes(at_a_half, {"weak": "float32", **{kind: kind for kind in kinds}}, [1, 0, 1, 1])
    check_layouts(at_a_half, np.array([1, 5, 2, 8], np.float32))
    check_narrow(at_a_half, [1, 5, 2, 8])
    assert at_a_half(xp.asarray([1, 2, 9, 2], dtype="int32")).tolist() == [2, 2, 7]
    assert np.isnan(np.asarray(at_a_half(xp.asarray([1.0, np.nan, 1.0, 1.0])))).tolist() == [True, True, False]


def test_shapes():
    x = xp.asarray(IMAGE)
    grid = [xp.zeros((2, 5)), xp.ones((2, 5))]
    assert map_coordinates(x, grid, 1).shape == (2, 5)
    assert map_coordinates(x, [xp.zeros(0), xp.zeros(0)], 1).shape == (0,)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"mode": "nonsense"}, NotImplementedError, "mode must be one of"),
        ({"order": 2}, NotImplementedError, "order must be 0 or 1"),
        ({"coordinates": [xp.zeros(2)]}, ValueError, "coordinates for each of 2 axes"),
        ({"input": "image"}, TypeError, "map_coordinates"),
    ],
)
def test_errors(options, error, words):
    given = {"input": xp.asarray(IMAGE), "coordinates": [xp.zeros(2), xp.zeros(2)], "order": 1, **options}
    with pytest.raises(error, match=words):
        map_coordinates(given["input"], given["coordinates"], given["order"], given.get("mode", "constant"))
