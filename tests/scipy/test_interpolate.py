"""Interpolation on grids: exact values, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts

import supremum as xp
from supremum.scipy.interpolate import RegularGridInterpolator

AXES = (np.array([0.0, 1.0, 3.0]), np.array([0.0, 2.0]))
#: A function that linear interpolation has exactly.
VALUES = 1 + 2 * AXES[0][:, None] - 3 * AXES[1] + AXES[0][:, None] * AXES[1]
PLACES = [[0.5, 1.0], [2.0, 0.0], [3.0, 2.0], [1.0, 0.25]]


def interpolator(values=VALUES, **options):
    return RegularGridInterpolator(tuple(xp.asarray(x) for x in AXES), xp.asarray(values), **options)


def test_linear_interpolation_is_exact_for_products_of_lines():
    expected = [1 + 2 * a - 3 * b + a * b for a, b in PLACES]
    np.testing.assert_allclose(np.asarray(interpolator()(xp.asarray(PLACES))), expected, rtol=1e-6)
    parts = interpolator()((xp.asarray([0.5, 2.0]), xp.asarray([1.0, 0.0])))
    np.testing.assert_allclose(np.asarray(parts), expected[:2], rtol=1e-6)
    grid = interpolator(np.stack([VALUES, -VALUES], -1))(xp.asarray(PLACES))
    np.testing.assert_allclose(np.asarray(grid), np.stack([expected, np.negative(expected)], -1), rtol=1e-6)


def test_nearest_neighbours():
    found = interpolator(method="nearest")(xp.asarray([[0.4, 0.9], [2.5, 1.5]]))
    assert found.tolist() == [VALUES[0, 0], VALUES[2, 1]]


def test_places_and_axes_that_jax_misreads():
    nearest = interpolator(method="nearest")
    assert np.isnan(np.asarray(nearest(xp.asarray([[np.nan, 0.0], [0.0, np.nan]])))).all()
    falling = RegularGridInterpolator((xp.asarray([2.0, 1.0, 0.0]),), xp.asarray([1.0, 2.0, 4.0]))
    assert falling(xp.asarray([1.5, 0.5])).tolist() == [1.5, 3]


def test_places_beyond_the_grid():
    outside = xp.asarray([[-1.0, 1.0], [4.0, 1.0], [np.nan, 1.0], [1.0, 0.0]])
    assert np.isnan(np.asarray(interpolator()(outside))).tolist() == [True, True, True, False]
    assert interpolator(fill_value=7.0)(outside[:2]).tolist() == [7, 7]
    extended = interpolator(fill_value=None)(outside[:2])
    np.testing.assert_allclose(np.asarray(extended), [1 - 2 - 3 - 1, 1 + 8 - 3 + 4], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("method", ["linear", "nearest"])
def test_results_are_scipys(method, dtype):
    theirs = pytest.importorskip("scipy.interpolate", reason="SciPy is not installed")
    random = np.random.default_rng(4)
    axes = [np.cumsum(random.uniform(0.1, 1, n)) for n in (4, 5, 3)]
    values = (random.normal(size=(4, 5, 3, 2)) * (1 + 1j if "complex" in dtype else 1)).astype(dtype)
    places = random.uniform(0, 3, (6, 7, 3))
    with xp.config.use(x64="on"):
        for fill in (np.nan, 2.0, None):
            expected = theirs.RegularGridInterpolator(axes, values, method, False, fill)(places)
            found = RegularGridInterpolator([xp.asarray(x) for x in axes], xp.asarray(values), method, False, fill)(
                xp.asarray(places)
            )
            np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-6 if dtype == "float32" else 1e-13)
            assert found.dtype == (dtype if method == "nearest" else np.result_type(dtype, np.float64))


def test_overflow_is_silent():
    with xp.config.use(x64="on"):
        line = RegularGridInterpolator((xp.asarray([0.0, 1.0]),), xp.asarray([1.0, 1e10]), fill_value=None)
        assert line(xp.asarray([1e308, 0.5])).tolist() == [np.inf, 0.5 + 5e9]


def test_axes_ascend():
    with pytest.raises(ValueError, match=r"RegularGridInterpolator: .*strictly ascending"):
        RegularGridInterpolator((xp.asarray([0.0, 0.0, 1.0]),), xp.ones(3))


def test_dtypes_and_layouts():
    def along_a_line(values):
        return RegularGridInterpolator((xp.arange(4.0),), values)(xp.asarray([[0.5], [2.25]]))

    # JAX 0.10.2: the dtype of the values, the places and, between places of the grid, of that.
    table = dict.fromkeys(("weak", "bool", "int32", "bfloat16", "float32"), "float32")
    check_dtypes(along_a_line, {**table, "complex64": "complex64"}, [1, 0, 1, 1])
    check_layouts(along_a_line, np.array([1, 5, 2, 8], np.float32))
    narrow = xp.asarray([1, 5, 2, 8], dtype="bfloat16")
    for grid, expected in (("float32", "float32"), ("bfloat16", "bfloat16"), ("int32", "bfloat16")):
        evaluate = RegularGridInterpolator((xp.arange(4, dtype=grid),), narrow)
        assert evaluate(narrow[:1]).dtype == expected
        assert evaluate(narrow[:1], method="nearest").dtype == "bfloat16"
    assert along_a_line(xp.asarray([1, 5, 2, 8], dtype="bfloat16")).tolist() == [3, 3.5]
    check_layouts(lambda x: interpolator()(x), np.array(PLACES, np.float32))
    assert interpolator()(xp.zeros((0, 2))).shape == (0,)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"bounds_error": True}, NotImplementedError, "bounds_error must be False"),
        ({"method": "nonsense"}, ValueError, "method must be"),
        ({"fill_value": 1j}, ValueError, "fill_value"),
        ({"values": VALUES[:2]}, ValueError, "RegularGridInterpolator"),
    ],
)
def test_errors(options, error, words):
    with pytest.raises(error, match=words):
        interpolator(**options)(xp.asarray(PLACES))


def test_places_of_a_wrong_shape():
    with pytest.raises(ValueError, match="RegularGridInterpolator"):
        interpolator()(xp.zeros((2, 3)))


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"fill_value": None}, [[1.5, 0.5], [2.0625, 1.0625], [2.8125, 2.8125], [6, -4], [0, -7.5], [0.46875, 11.71875]]),
        ({"fill_value": 2.0}, [[1.5, 0.5], [3, 2], [0, 0], [6, -4], [0, -7.5], [0, 0]]),
        ({"method": "nearest", "fill_value": None}, [[2, 0], [8, 0], [1, 0], [0, 0], [0, 0], [0, 0]]),
    ],
)
def test_gradients_by_values_and_places(options, expected):  # values of JAX
    values, places = xp.asarray([[1.0, 2.0], [4.0, -1.0], [0.5, 3.0]]), xp.asarray([[0.5, 0.5], [1.0, 1.0], [4.0, 1.0]])
    gradients = xp.jax.grad(lambda values, places: (interpolator(values, **options)(places) ** 2).sum(), (0, 1))(
        values, places
    )
    np.testing.assert_allclose(np.concatenate(gradients), expected, rtol=1e-6)
