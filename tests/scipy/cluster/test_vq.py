"""Nearest code vectors: exact distances, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow
from common import for_each

import supremum as xp
from supremum.scipy.cluster.vq import vq

POINTS, CODES = [[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]], [[0.0, 0.0], [6.0, 8.0]]


def test_exact_distances():
    codes, distances = vq(xp.asarray(POINTS), xp.asarray(CODES))
    # A tie goes to the first code.
    assert (codes.tolist(), distances.tolist()) == ([0, 0, 1], [0, 5, 0])
    assert (codes.dtype, distances.dtype) == ("int32", "float32")
    codes, distances = vq(xp.asarray([1.0, 7.0]), xp.asarray([0.0, 5.0]))
    assert (codes.tolist(), distances.tolist()) == ([0, 1], [1, 2])
    assert vq(xp.zeros((0, 2)), xp.asarray(CODES))[0].shape == (0,)
    assert np.isnan(np.asarray(vq(xp.asarray([[np.nan, 1.0]]), xp.asarray(CODES))[1])).all()


@for_each("columns", [1, 3, 4, 5, 7, 20])
@for_each("dtype", ["float32", "float64"])
def test_points_far_from_the_origin_have_all_digits(dtype, columns):
    random = np.random.default_rng(5)
    codes = (1000 + random.normal(size=(9, columns))).astype(dtype)
    points = (codes[random.integers(0, 9, 200)] + random.normal(size=(200, columns)) / 8).astype(dtype)
    apart = np.linalg.norm(points[:, None].astype(np.longdouble) - codes, axis=-1)
    with xp.config.use(x64="on"):
        found, distances = vq(xp.asarray(points), xp.asarray(codes))
    assert found.tolist() == apart.argmin(1).tolist()
    np.testing.assert_allclose(np.asarray(distances), apart.min(1).astype(float), rtol=2e-7 if dtype == "float32" else 1e-14)


def test_codes_that_are_not_finite():
    # JAX 0.10.2: the position of the first NaN.
    x = xp.asarray([[1.0, 2.0], [np.nan, 0.0], [np.inf, 0.0]])
    codes, distances = vq(x, xp.asarray([[1.0, 2.0], [3.0, 4.0]]))
    assert codes.tolist() == [0, 0, 0]
    np.testing.assert_array_equal(np.asarray(distances), [0, np.nan, np.inf])
    codes, distances = vq(x, xp.asarray([[1.0, 2.0], [np.nan, 4.0]]))
    assert codes.tolist()[0] == 1
    assert np.isnan(np.asarray(distances)[0])


def test_dtypes_and_layouts():
    def distances(x):
        return vq(x, xp.asarray(CODES, dtype=x.dtype))[1] if not x.weak_type else vq(x, x)[1]

    # JAX 0.10.2: the distances of complex numbers are real.
    table = dict.fromkeys(("weak", "bool", "int32", "float32", "complex64"), "float32")
    check_dtypes(distances, {**table, "bfloat16": "bfloat16"}, POINTS)
    check_layouts(lambda x: vq(x, xp.asarray(CODES))[1], np.array(POINTS, np.float32))
    check_narrow(distances, [[1.0, 2.0], [0.5, 7.0]])


def test_errors():
    for points, codes in ((xp.zeros((2, 2, 1)), xp.zeros((2, 2, 1))), (xp.zeros((4, 2)), xp.zeros(3)),
                          (xp.zeros((4, 2)), xp.zeros((4, 3))), (xp.zeros((4, 2)), xp.zeros((0, 2)))):  # fmt: skip
        with pytest.raises(ValueError, match="vq"):
            vq(points, codes)
    with pytest.raises(TypeError, match="vq"):
        vq(POINTS, CODES)
