"""Convolutions: blocks of windows, memory, and arguments that JAX refuses."""

import itertools
import tracemalloc

import numpy as np
import pytest

import supremum as xp
from supremum.jax import lax
from supremum.jax.lax import _convolution

LAYOUTS = [("NCHW", "OIHW", "NCHW"), ("NHWC", "HWIO", "NHWC"), ("HWCN", "HWIO", "CNHW")]


def convolved(x, kernel, strides, pads, spread):
    """Return the convolution by its definition; the axes of space are last."""
    x = np.pad(x, [(0, 0), (0, 0), *pads])
    shape = [(n - (w - 1) * d - 1) // s + 1 for n, w, d, s in zip(x.shape[2:], kernel.shape[2:], spread, strides, strict=True)]
    out = np.zeros((len(x), len(kernel), *shape), x.dtype)
    for at, offset in itertools.product(np.ndindex(*shape), np.ndindex(*kernel.shape[2:])):
        place = [i * s + o * d for i, o, s, d in zip(at, offset, strides, spread, strict=True)]
        out[(..., *at)] += x[(..., *place)] @ kernel[(..., *offset)].T
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("limit", [1, 500, 4000, 1 << 22])
@pytest.mark.parametrize("channels", [1, 3])
def test_blocks_of_windows_are_exact(monkeypatch, layout, limit, channels):
    monkeypatch.setattr(_convolution, "_BYTES", limit)
    rng = np.random.default_rng(0)
    x, kernel = rng.integers(-9, 9, (3, channels, 7, 6)), rng.integers(-9, 9, (4, channels, 3, 2))
    given = ((2, 1), ((1, 2), (0, 3)), (1, 2))
    a, k = (xp.einsum(f"{one}->{order}", x) for one, order, x in zip(("NCHW", "OIHW"), layout, (x, kernel), strict=False))
    found = lax.conv_general_dilated(xp.astype(a, "float32"), xp.astype(k, "float32"), *given[:2], None, given[2], layout)
    expected = np.einsum(f"NCHW->{layout[2]}", convolved(x, kernel, *given))
    assert np.array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("sizes", [(3, 40), (40, 4)])
@pytest.mark.parametrize(("alone", "long"), [(1 << 13, 1), (1 << 13, 1 << 9), (1 << 11, 1), (1 << 15, 32)])
def test_stacks_of_small_products_are_exact(monkeypatch, layout, sizes, alone, long):
    monkeypatch.setattr(_convolution, "_ALONE", alone)
    monkeypatch.setattr(_convolution, "_LONG", long)
    rng, (window, length) = np.random.default_rng(0), sizes
    x, kernel = rng.integers(-4, 5, (2, 9, length + window, window + 3)), rng.integers(-4, 5, (7, 9, window, window))
    a, k = (xp.einsum(f"{one}->{order}", z) for one, order, z in zip(("NCHW", "OIHW"), layout, (x, kernel), strict=False))
    found = lax.conv_general_dilated(xp.astype(a, "float64"), xp.astype(k, "float64"), (1, 1), "VALID", None, None, layout)
    expected = np.einsum(f"NCHW->{layout[2]}", convolved(x, kernel, (1, 1), [(0, 0)] * 2, (1, 1)))
    assert np.array_equal(np.asarray(found), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("limit", [1, 500, 1 << 22])
def test_kernels_of_single_features_are_exact(monkeypatch, layout, limit):
    monkeypatch.setattr(_convolution, "_BYTES", limit)
    rng = np.random.default_rng(0)
    x, kernel = rng.integers(-9, 9, (3, 4, 7, 6)), rng.integers(-9, 9, (4, 1, 3, 2))
    given = ((2, 1), ((1, 2), (0, 3)), (1, 2))
    a, k = (xp.einsum(f"{one}->{order}", x) for one, order, x in zip(("NCHW", "OIHW"), layout, (x, kernel), strict=False))
    for dtype in ("float32", "bfloat16", "int8", "complex64"):
        x_k = xp.astype(a, dtype), xp.astype(k, dtype)
        found = lax.conv_general_dilated(*x_k, *given[:2], None, given[2], layout, feature_group_count=4)
        expected = [convolved(x[:, i : i + 1], kernel[i : i + 1], *given) for i in range(4)]
        expected = np.einsum(f"NCHW->{layout[2]}", np.concatenate(expected, 1))
        assert np.array_equal(np.asarray(found), expected.astype(found.dtype)), dtype
    empty = lax.conv_general_dilated(
        xp.ones((1, 2, 5)), xp.ones((2, 1, 0)), (1,), [(0, 0)], rhs_dilation=(3,), feature_group_count=2
    )
    assert np.array_equal(np.asarray(empty), np.zeros((1, 2, 6)))


def test_lengths_are_integers_each_time():
    x, kernel = xp.ones((1, 1, 4)), xp.ones((1, 1, 2))
    assert lax.conv_general_dilated(x, kernel, (1,), [(0, 0)]).shape == (1, 1, 3)
    with pytest.raises(TypeError, match="window_strides"):
        lax.conv_general_dilated(x, kernel, (1.0,), [(0, 0)])


def test_memory_of_windows_is_bounded():
    x, kernel = xp.ones((4, 128, 128, 8), dtype="float32"), xp.ones((5, 5, 8, 2), dtype="float32")
    tracemalloc.start()
    try:
        found = lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=LAYOUTS[1])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < x.nbytes + found.nbytes + 3 * _convolution._BYTES  # all windows have 25 times the bytes of the array
    assert float(found[0, 0, 0, 0]) == 200


def test_padding_that_jax_refuses():
    x, kernel = xp.ones((1, 1, 4)), xp.ones((1, 1, 2))
    with pytest.raises(ValueError, match="String padding is not implemented for transposed convolution"):
        lax.conv_general_dilated(x, kernel, (1,), "SAME", (2,))
    with pytest.raises(ValueError, match="Negative padding is larger than the size of the corresponding dimension"):
        lax.conv_general_dilated(x, kernel, (1,), [(-3, -2)])


def test_windows_without_elements_have_no_length_whatever_their_dilation():
    assert lax.reduce_window_shape_tuple((5,), (0,), (1,), [(0, 0)], (1,), (3,)) == (6,)  # as in JAX
    found = lax.conv_general_dilated(xp.ones((1, 1, 5)), xp.ones((1, 1, 0)), (1,), [(0, 0)], rhs_dilation=(3,))
    assert np.array_equal(np.asarray(found), np.zeros((1, 1, 6)))
