"""Products of matrices of narrow numbers with a scale for each block."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final, Literal

import ml_dtypes
import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import describe, warn
from supremum._core.array import Array, ArrayLike, DTypeLike, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import finfo, requested
from supremum._core.settings import state
from supremum._functions.creation.filled import ones
from supremum._functions.creation.from_objects import asarray
from supremum._functions.linear_algebra.contractions import matmul
from supremum._kernels.casts import cast
from supremum.promotion._nodes import NODES

__all__ = ["get_scaled_dot_general_config", "scaled_dot_general", "scaled_matmul"]

_FLOAT32: Final = NODES["float32"]


@dataclasses.dataclass(slots=True)
class BlockScaleConfig:
    """How `scaled_dot_general` quantizes an operand."""

    mode: str
    block_size: int
    data_type: DTypeLike
    scale_type: DTypeLike
    global_scale: Array | None
    infer_only: bool


@public(own="result")
def scaled_matmul(
    lhs: ArrayLike,
    rhs: ArrayLike,
    lhs_scales: ArrayLike,
    rhs_scales: ArrayLike,
    preferred_element_type: DTypeLike = np.float32,
) -> Array:
    """Multiply stacks of matrices whose blocks along the last axis have scales: ``(lhs * scales) @ (rhs * scales).mT``.

    The scales and the products are computed in float32. JAX has the function for GPUs alone.

    Parameters
    ----------
    lhs, rhs : array_like
        Arrays of shapes (B, M, K) and (B, N, K).
    lhs_scales, rhs_scales : array_like
        The scales, of shapes (B, M, K / block) and (B, N, K / block).
    preferred_element_type : dtype
        The dtype of the result.

    Returns
    -------
    Array
        An array of shape (B, M, N).

    Examples
    --------
    >>> import supremum as xp
    >>> a, b = xp.asarray([[[1, 2, 3]]]), xp.asarray([[[4, 5, 6]]])
    >>> scale = xp.asarray([[[0.5]]])
    >>> xp.nn.scaled_matmul(a, b, scale, scale)
    Array([[[8.]]], dtype=float32)
    """
    node = requested(preferred_element_type, "scaled_matmul", state())
    a, b, a_scales, b_scales = (operand(x, "scaled_matmul") for x in (lhs, rhs, lhs_scales, rhs_scales))
    shapes = tuple([x.shape for x in (a, b, a_scales, b_scales)])
    if any(len(shape) != 3 for shape in shapes):
        raise ValueError(f"scaled_matmul: all arguments must have 3 dimensions, got the shapes {shapes}")
    for what, first, second in (("lhs and rhs", a, b), ("lhs_scales and rhs_scales", a_scales, b_scales)):
        if first.shape[::2] != second.shape[::2]:
            raise ValueError(
                f"scaled_matmul: {what} must have the same first and last lengths, got {first.shape} and {second.shape}"
            )
    if a_scales.shape[:2] != a.shape[:2] or b_scales.shape[:2] != b.shape[:2]:
        raise ValueError(f"scaled_matmul: scales must have the first two lengths of what they scale, got the shapes {shapes}")
    blocks = a_scales.shape[2]
    if not blocks or a.shape[2] % blocks:
        raise ValueError(f"scaled_matmul: {a.shape[2]} columns cannot be divided into {blocks} blocks")
    left, right = (
        cast(x._data, _FLOAT32) * np.repeat(cast(scales._data, _FLOAT32), a.shape[2] // blocks, axis=2)
        for x, scales in ((a, a_scales), (b, b_scales))
    )
    return matmul(wrap(left, _FLOAT32), wrap(right, _FLOAT32).mT).astype(node.dtype)


@public
def get_scaled_dot_general_config(mode: Literal["nvfp4", "mxfp8"], global_scale: Array | None = None) -> BlockScaleConfig:
    """Return how `scaled_dot_general` quantizes an operand.

    Parameters
    ----------
    mode : {'nvfp4', 'mxfp8'}
        Blocks of 16 numbers of float4_e2m1fn with scales of float8_e4m3fn, or of 32 numbers of float8_e4m3fn with scales of
        float8_e8m0fnu.
    global_scale : Array, optional
        A scale of all numbers, for ``'nvfp4'``; 1 if omitted.

    Returns
    -------
    BlockScaleConfig
        The configuration.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.get_scaled_dot_general_config("mxfp8").block_size
    32
    """
    if mode == "nvfp4":
        scale = ones((1,), dtype=np.float32) if global_scale is None else global_scale
        return BlockScaleConfig("nvfp4", 16, ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e4m3fn, scale, False)
    if mode == "mxfp8":
        return BlockScaleConfig("mxfp8", 32, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu, None, False)
    raise ValueError(f"get_scaled_dot_general_config: mode is 'nvfp4' or 'mxfp8', got {describe(mode)}")


@public(own="result")
def scaled_dot_general(
    lhs: ArrayLike,
    rhs: ArrayLike,
    dimension_numbers: Any,
    preferred_element_type: DTypeLike = np.float32,
    configs: Sequence[BlockScaleConfig] | None = None,
    implementation: Literal["cudnn"] | None = None,
) -> Array:
    """Multiply arrays and sum over pairs of axes, as `jax.lax.dot_general` does, with operands that are quantized first.

    Parameters
    ----------
    lhs, rhs : array_like
        The operands.
    dimension_numbers : tuple
        ``((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))``: pairs of tuples of axes.
    preferred_element_type : dtype
        The dtype of the result.
    configs : list of BlockScaleConfig, optional
        How `lhs` and `rhs` are quantized, and a third one, which is not used; they are not quantized if omitted.
    implementation : optional
        Deprecated, and ignored.

    Returns
    -------
    Array
        The products; the axes of the batch come first, then the other ones of `lhs` and of `rhs`.

    Examples
    --------
    >>> import supremum as xp
    >>> x = xp.ones((2, 32))
    >>> configs = [xp.nn.get_scaled_dot_general_config("mxfp8")] * 3
    >>> xp.nn.scaled_dot_general(x, x, (((1,), (1,)), ((), ())), configs=configs)
    Array([[32., 32.],
           [32., 32.]], dtype=float32)
    """
    if implementation is not None:
        warn("scaled_dot_general: implementation is ignored", DeprecationWarning)
    settings = state()
    x, y = operand(lhs, "scaled_dot_general"), operand(rhs, "scaled_dot_general")
    node = settings.join(x._node, y._node).strong
    if preferred_element_type is not None:
        node = requested(preferred_element_type, "scaled_dot_general", settings)
    (x_sums, y_sums), (x_batch, y_batch) = dimension_numbers
    a, a_free = _three_axes(x, tuple(x_sums), tuple(x_batch))
    b, b_free = _three_axes(y, tuple(y_sums), tuple(y_batch))
    shape = (*[x.shape[axis] for axis in sorted(x_batch)], *a_free, *b_free)
    if configs is None:
        return matmul(a, b.mT, preferred_element_type=node.dtype).reshape(shape)
    (a_narrow, a_scales), (b_narrow, b_scales) = (_quantized(*pair) for pair in zip((a, b), configs, strict=False))
    if configs[0].mode != "nvfp4":
        return scaled_matmul(a_narrow, b_narrow, a_scales, b_scales, np.dtype(node.dtype)).reshape(shape)
    out = scaled_matmul(a_narrow, b_narrow, a_scales, b_scales)
    return (out * (configs[0].global_scale * configs[1].global_scale)).astype(node.dtype).reshape(shape)  # type: ignore[operator,arg-type]  # nvfp4 has one


def _three_axes(x: Array, sums: tuple[int, ...], batch: tuple[int, ...]) -> tuple[Array, list[int]]:
    """Return an array of shape (batch, free, summed), and the lengths of the free axes."""
    free = [axis for axis in range(x.ndim) if axis not in (*sums, *batch)]
    lengths = [int(np.prod([x.shape[axis] for axis in axes], dtype=int)) for axes in (batch, free, sums)]
    order = (*sorted(batch), *free, *sorted(sums))
    return x.transpose(order).reshape(lengths), [x.shape[axis] for axis in free]


def _quantized(x: Array, config: BlockScaleConfig) -> tuple[Array, Array]:
    """Return an array in a narrow dtype, and the scales of its blocks."""
    columns, block = x.shape[-1], config.block_size
    if columns < block or columns % block:
        raise ValueError(f"scaled_dot_general: the number of summed elements must be a multiple of {block}, got {columns}")
    blocks = x.reshape(*x.shape[:-1], columns // block, block)
    largest = asarray(float(finfo(config.data_type).max), dtype=x.dtype)
    if config.mode == "nvfp4":
        blocks = blocks / config.global_scale  # type: ignore[arg-type,operator]  # which this mode has
    scales = abs(blocks).max(axis=-1, keepdims=True) / largest
    if config.mode == "nvfp4":
        scales = scales.clip(0, float(finfo(config.scale_type).max)).astype(config.scale_type)
        scaled = blocks / scales.astype("float32")
    else:
        codes = _powers_above(cast(scales._data, _FLOAT32))
        scales = wrap(codes.view(ml_dtypes.float8_e8m0fnu), NODES["float8_e8m0fnu"])
        powers = (codes.astype(np.uint32) << 23).view(np.float32)
        powers = np.where(powers == 0, np.float32(2**-15 if x.dtype == np.float16 else 2**-127), powers)
        scaled = blocks / wrap(powers, _FLOAT32).astype(x.dtype)
    return scaled.clip(-largest, largest).astype(config.data_type).reshape(x.shape), scales.reshape(scales.shape[:-1])


def _powers_above(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the exponents of the powers of two that are at least `x`, as bits of float8_e8m0fnu."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    exponent, mantissa = bits >> 23, bits & 0x7FFFFF
    up = (mantissa > 0) & (exponent != 0xFE) & ~((exponent == 0) & (mantissa <= 0x400000))
    return (exponent + up).astype(np.uint8)
