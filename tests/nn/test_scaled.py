"""Products of narrow numbers with scales: by the definition in JAX's documentation, as JAX computes them on GPUs alone."""

import ml_dtypes
import numpy as np
import pytest

import supremum as xp
from supremum.nn import scaled


def numbers(shape, start=0):
    return (((np.arange(start, start + np.prod(shape)) * 7 + 3) % 11 - 5) / 4).reshape(shape).astype(np.float32)


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2", "float32", "bfloat16", "int8"])
def test_scales_multiply_blocks(dtype):
    a, b = (xp.asarray(numbers((2, n, 8), n)).astype(dtype) for n in (3, 5))
    a_scales, b_scales = (xp.asarray(2.0 ** (np.arange(2 * n * 4) % 5 - 2)).reshape(2, n, 4) for n in (3, 5))
    out = xp.nn.scaled_matmul(a, b, a_scales.astype("float8_e8m0fnu"), b_scales.astype("float8_e8m0fnu"))
    assert (out.dtype, out.shape) == ("float32", (2, 3, 5))
    left, right = (np.asarray(x, np.float64) * np.repeat(np.asarray(s), 2, axis=-1) for x, s in ((a, a_scales), (b, b_scales)))
    np.testing.assert_allclose(np.asarray(out), np.einsum("bmk,bnk->bmn", left, right), rtol=1e-6, atol=1e-6)
    assert xp.nn.scaled_matmul(a, b, a_scales, b_scales, "bfloat16").dtype == "bfloat16"


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 8), (1, 5, 8), (1, 3, 4), (1, 5, 4)),
        ((1, 3, 8), (1, 5, 6), (1, 3, 4), (1, 5, 4)),
        ((2, 3, 8), (1, 5, 8), (2, 3, 4), (1, 5, 4)),
        ((1, 3, 8), (1, 5, 8), (1, 3, 4), (1, 5, 2)),
        ((1, 3, 8), (1, 5, 8), (1, 2, 4), (1, 5, 4)),
        ((1, 3, 8), (1, 5, 8), (1, 3, 3), (1, 5, 3)),
    ],
)
def test_shapes_that_do_not_fit(shapes):
    with pytest.raises(ValueError, match="scaled_matmul: "):
        xp.nn.scaled_matmul(*[xp.ones(shape) for shape in shapes])


def test_configurations():
    narrow, half = xp.nn.get_scaled_dot_general_config("nvfp4"), xp.nn.get_scaled_dot_general_config("mxfp8")
    assert (narrow.block_size, narrow.data_type, narrow.scale_type) == (16, ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn)
    assert (half.block_size, half.data_type, half.scale_type) == (32, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu)
    assert (narrow.global_scale.tolist(), half.global_scale) == ([1.0], None)
    with pytest.raises(ValueError, match="get_scaled_dot_general_config: mode is 'nvfp4' or 'mxfp8', got 'fp8'"):
        xp.nn.get_scaled_dot_general_config("fp8")


def test_without_configurations_nothing_is_quantized():
    x, y = numbers((4, 2, 3)), numbers((5, 3, 2), 1)
    out = xp.nn.scaled_dot_general(xp.asarray(x), xp.asarray(y), (((0 + 2,), (1,)), ((1,), (2,))))
    np.testing.assert_allclose(np.asarray(out), np.einsum("abk,ckb->bac", x, y), rtol=1e-6)
    with pytest.warns(DeprecationWarning, match="implementation is ignored"):
        xp.nn.scaled_dot_general(xp.ones((2, 2)), xp.ones((2, 2)), (((1,), (1,)), ((), ())), implementation="cudnn")


@pytest.mark.parametrize("mode, error", [("mxfp8", 2**-4), ("nvfp4", 0.2)])
def test_quantized_products_are_near(mode, error):
    x, y = numbers((2, 3, 64)), numbers((2, 5, 64), 4)
    configs = [xp.nn.get_scaled_dot_general_config(mode)] * 3
    out = xp.nn.scaled_dot_general(xp.asarray(x), xp.asarray(y), (((2,), (2,)), ((0,), (0,))), configs=configs)
    exact, size = np.einsum("bmk,bnk->bmn", x, y), np.einsum("bmk,bnk->bmn", abs(x), abs(y))
    assert (abs(np.asarray(out) - exact) <= error * size).all()
    with pytest.raises(ValueError, match="multiple of"):
        xp.nn.scaled_dot_general(xp.ones((2, 40)), xp.ones((2, 40)), (((1,), (1,)), ((), ())), configs=configs)


def test_scales_are_powers_of_two_not_below_the_quotient():
    """The largest of each block of 32 divided by 448, the largest of float8_e4m3fn, rounded up to a power of two."""
    x = xp.asarray(np.array([[[448.0] + [1.0] * 31 + [449.0] + [2.0] * 31]], np.float32))
    narrow, scales = scaled._quantized(x, xp.nn.get_scaled_dot_general_config("mxfp8"))
    assert np.asarray(scales, np.float64).tolist() == [[[1.0, 2.0]]]
    assert np.asarray(narrow, np.float64)[0, 0, [0, 1, 32, 33]].tolist() == [448.0, 1.0, 224.0, 1.0]
