"""Nearest code vectors: exact distances, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow

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
