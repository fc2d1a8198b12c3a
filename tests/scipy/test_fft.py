"""Cosine transforms: their definition, SciPy's results, dtypes, layouts and errors."""

import math

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow
from common import for_each

import supremum as xp
from supremum.scipy import fft

VALUES = [1.0, 2.0, -3.0, 4.0]
FUNCTIONS = ("dct", "idct", "dctn", "idctn")
# JAX 0.10.2: at least float32.
DTYPES = {
    "weak": "float32", "bool": "float32", "int32": "float32", "bfloat16": "float32", "float16": "float32",
    "float32": "float32", "complex64": "complex64",
}  # fmt: skip


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_definition(n):
    x = np.arange(1.0, n + 1) ** 2
    angles = math.pi * np.outer(np.arange(n), 2 * np.arange(n) + 1) / (2 * n)
    expected = 2 * np.cos(angles) @ x
    with xp.config.use(x64="on"):
        np.testing.assert_allclose(np.asarray(fft.dct(xp.asarray(x))), expected, rtol=1e-13, atol=1e-12)
        scale = np.where(np.arange(n) == 0, math.sqrt(1 / (4 * n)), math.sqrt(1 / (2 * n)))
        np.testing.assert_allclose(np.asarray(fft.dct(xp.asarray(x), norm="ortho")), expected * scale, rtol=1e-13, atol=1e-12)


def test_as_scipy():
    # SciPy 1.17.
    x = xp.asarray(VALUES)
    np.testing.assert_allclose(np.asarray(fft.dct(x)), [8, -1.716442871416823, 8.48528137423857, -11.534895919303406], 1e-6)
    expected = [0.4392931127308225, -0.07720773043883111, 1.3878679022186522, -1.2499532845106436]
    np.testing.assert_allclose(np.asarray(fft.idct(x)), expected, 2e-6)
    found = fft.dctn(xp.asarray([[1.0, 2.0], [3.0, 5.0]]))
    np.testing.assert_allclose(np.asarray(found), [[44, -8.48528137423857], [-14.14213562373095, 2]], 1e-6)


@pytest.mark.parametrize("norm", [None, "backward", "ortho"])
def test_inverses(norm):
    x = xp.asarray([VALUES, VALUES[::-1], [5.0, 0.0, 1.0, -2.0]])
    for forward, back in ((fft.dct, fft.idct), (fft.dctn, fft.idctn)):
        np.testing.assert_allclose(np.asarray(back(forward(x, norm=norm), norm=norm)), np.asarray(x), atol=2e-6)


def test_lengths_and_axes():
    x = xp.asarray([VALUES, VALUES])
    np.testing.assert_allclose(np.asarray(fft.dct(x, n=2)), np.asarray(fft.dct(x[:, :2])), rtol=1e-6)
    padded = xp.asarray([*VALUES, 0.0, 0.0])
    np.testing.assert_allclose(np.asarray(fft.dct(x, n=6))[0], np.asarray(fft.dct(padded)), rtol=1e-6)
    np.testing.assert_allclose(np.asarray(fft.dct(x.T, axis=0)), np.asarray(fft.dct(x)).T, rtol=1e-6)
    assert fft.dctn(x, s=[3, 5]).shape == (3, 5)
    np.testing.assert_allclose(np.asarray(fft.dctn(x, axes=1)), np.asarray(fft.dct(x)), rtol=1e-6)


@for_each("dtype", ["float32", "float64", "complex64", "complex128"])
@for_each("function", FUNCTIONS)
def test_results_are_scipys(function, dtype):
    theirs = pytest.importorskip("scipy.fft", reason="SciPy is not installed")
    data = (
        (np.arange(24.0).reshape(2, 3, 4) % 7 * (1 - 0.5j)).astype(dtype) if "complex" in dtype else np.eye(3, 4, dtype=dtype)
    )
    options = [{}, {"norm": "ortho"}]
    if function.endswith("n"):
        options += [{"s": (2, 6)}, {"axes": (-1, 0)}, {"s": (5, 2), "axes": (1, 0)}]
    else:
        options += [{"axis": 0}, {"n": 7}, {"n": 2, "axis": -2}]
    with xp.config.use(x64="on"):
        for keywords in options:
            found = getattr(fft, function)(xp.asarray(data), **keywords)
            np.testing.assert_array_equal(np.asarray(found), getattr(theirs, function)(data, **keywords))
            assert found.dtype == dtype


def test_empty_axes_and_lengths_that_are_left_out():
    assert fft.dct(xp.ones((2, 3)), n=0).shape == (2, 0)
    assert fft.dctn(xp.ones((2, 3)), s=(4, 0)).shape == (4, 0)
    assert fft.idctn(xp.ones((0, 3)), s=5).shape == (0, 5)
    x = xp.ones((2, 3, 4))
    assert fft.dctn(x, s=(5,), axes=(0, 2)).shape == (5, 3, 4)  # JAX cuts the first axes only
    assert fft.dctn(xp.asarray(2.0)) == 2


@pytest.mark.parametrize("function", FUNCTIONS)
def test_dtypes_and_layouts(function):
    compute = getattr(fft, function)
    check_dtypes(compute, DTYPES, VALUES)
    check_layouts(compute, np.array([VALUES, VALUES], np.float32))
    check_narrow(compute, VALUES)
    assert np.isnan(np.asarray(compute(xp.asarray([1.0, np.nan])))).all()
    assert compute(xp.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_errors(function):
    compute, x = getattr(fft, function), xp.asarray(VALUES)
    with pytest.raises(NotImplementedError, match=f"{function}: type"):
        compute(x, type=3)
    with pytest.raises(ValueError, match=f"{function}: norm"):
        compute(x, norm="nonsense")
    with pytest.raises(TypeError, match=function):
        compute(VALUES)
    with pytest.raises((ValueError, IndexError), match=function):
        compute(x, **({"axes": (2,)} if function.endswith("n") else {"axis": 2}))
