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


@pytest.mark.combinations
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("mode", ["constant", "nearest", "wrap", "mirror", "reflect"])
@pytest.mark.parametrize("order", [0, 1])
def test_results_are_scipys_but_for_ties(order, mode, dtype):
    theirs = pytest.importorskip("scipy.ndimage", reason="SciPy is not installed")
    random = np.random.default_rng(3)
    image = (random.integers(0, 200, (5, 6, 3)) * (1 - 2j if "complex" in dtype else 1)).astype(dtype)
    places = random.uniform(-9, 12, (3, 4, 100))
    name = {"constant": "grid-constant", "wrap": "grid-wrap"}.get(mode, mode)
    expected = theirs.map_coordinates(image, places, order=order, mode=name, cval=3.0)
    with xp.config.use(x64="on"):
        found = map_coordinates(xp.asarray(image), [xp.asarray(x) for x in places], order, mode, 3.0)
    assert found.dtype == dtype
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [  # JAX 0.10.2: ties are rounded away from zero, before indices beyond the ends are replaced
        ("constant", [7, 7, 1, 2, 4, 7, 7]), ("nearest", [1, 1, 1, 2, 4, 4, 4]), ("wrap", [2, 4, 1, 2, 4, 1, 2]),
        ("mirror", [4, 2, 1, 2, 4, 2, 1]), ("reflect", [2, 1, 1, 2, 4, 4, 2]),
    ],
)  # fmt: skip
def test_ties_of_nearest_neighbours(mode, expected):
    places = xp.asarray([-1.5, -0.5, 0.49999997, 0.5, 1.5, 2.5, 3.5])
    assert map_coordinates(xp.asarray([1.0, 2.0, 4.0]), [places], 0, mode, 7.0).tolist() == expected


def test_places_that_are_no_numbers():
    x, places = xp.asarray([1.0, 2.0, 4.0]), xp.asarray([np.nan, np.inf, -np.inf, 1e30, 1.0])
    for mode in ("constant", "nearest", "wrap", "mirror", "reflect"):
        found = np.asarray(map_coordinates(x, [places], 1, mode))
        assert np.isnan(found).tolist() == [True, True, True, False, False]
    assert map_coordinates(x, [places], 0, "nearest").tolist() == [1, 4, 1, 4, 2]
    assert map_coordinates(x, [places], 0, "constant", 9.0).tolist() == [1, 9, 9, 9, 2]


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
    assert map_coordinates(x, [xp.asarray(1.0), xp.zeros((2, 1))], 1).tolist() == [[16], [16]]
    assert map_coordinates(xp.asarray(3), [], 1) == 3


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
