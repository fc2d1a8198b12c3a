"""Attention: sums of values weighted by how well keys match queries."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import finfo
from supremum._core.settings import state
from supremum._functions import _softmaxes
from supremum._functions.creation.from_objects import asarray
from supremum._functions.data_types import astype
from supremum._functions.linear_algebra.einsums import einsum
from supremum._functions.where import where
from supremum.promotion._nodes import NODES, as_node
from supremum.scipy.special import logsumexp

__all__ = ["dot_product_attention"]


@public(kind="composed")
def dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    bias: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: ArrayLike | None = None,
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: int | tuple[int, int] | None = None,
    implementation: Literal["xla", "cudnn"] | None = None,
    return_residual: bool = False,
) -> Array | tuple[Array, Array]:
    """Compute attention by scaled products: ``softmax(query @ key.T * scale + bias) @ value`` for each head.

    Parameters
    ----------
    query : array_like
        The queries, of shape (batch, T, heads, width), or without the batch.
    key, value : array_like
        The keys and the values, of shape (batch, S, groups, width). The number of heads is a multiple of the number of groups.
    bias : array_like, optional
        Added to the scaled products, of shape (batch, heads, T, S); lengths may be 1.
    mask : array_like of bool, optional
        Which products count, of a shape like that of `bias`.
    scale : float, optional
        The factor of the products; ``1 / sqrt(width)`` if omitted.
    is_causal : bool
        Whether position t uses the keys up to position t alone.
    query_seq_lengths, key_value_seq_lengths : array_like of int32, optional
        How many positions of each element of the batch are used; the results of the other queries are 0.
    local_window_size : int or tuple of int, optional
        How far each position looks to the left and to the right.
    implementation : {'xla'}, optional
        Accepted for compatibility with JAX; ``'cudnn'`` is not available.
    return_residual : bool
        Whether to return the logarithms of the sums of exponentials too, of shape (batch, T, heads).

    Returns
    -------
    Array or tuple of Array
        The weighted sums, of the shape of `query`.

    Examples
    --------
    >>> import supremum as xp
    >>> q, k = xp.ones((2, 1, 4)), xp.ones((3, 1, 4))
    >>> v = xp.arange(12.0).reshape(3, 1, 4)
    >>> xp.nn.dot_product_attention(q, k, v)[0, 0]
    Array([4., 5., 6., 7.], dtype=float32)
    """
    if implementation == "cudnn":
        raise NotImplementedError("dot_product_attention: implementation='cudnn' needs a GPU; leave it out")
    check_choice(implementation, "implementation", (None, "xla"), "dot_product_attention")
    shape = operand(query, "dot_product_attention").shape
    q, k, v = (_four_axes(x) for x in (query, key, value))
    b, m = (None if x is None else _four_axes(x) for x in (bias, mask))
    lengths = [None if x is None else asarray(x) for x in (query_seq_lengths, key_value_seq_lengths)]
    batch, _, groups, width = k.shape
    _check("value", v, k.shape, k.dtype)
    _check("query", q, (batch, None, None, width), k.dtype)
    _check("mask", m, (None,) * 4, np.dtype(bool))
    _check("bias", b, (None,) * 4, None)
    for name, given in zip(("query_seq_lengths", "key_value_seq_lengths"), lengths, strict=True):
        _check(name, given, (batch,), np.dtype(np.int32))
    rows, heads = q.shape[1:3]
    if heads % groups:
        raise ValueError(
            f"dot_product_attention: the number of heads of query must be a multiple of that of key, got {heads} and {groups}"
        )
    factor = 1.0 / np.sqrt(width) if scale is None else scale
    window = (local_window_size, local_window_size) if isinstance(local_window_size, int) else local_window_size

    exact = state().join(as_node(q.dtype), NODES["float32"])
    grouped = q.reshape(batch, rows, groups, heads // groups, width)
    scores = einsum("btkgh,bskh->bkgts", grouped, k, preferred_element_type=exact.dtype) * asarray(factor, dtype=exact.dtype)
    if b is not None:
        scores = astype(scores + _grouped(b, "bias", groups, heads), exact.dtype)
    allowed = _allowed(m, lengths, is_causal, window, scores.shape, heads)
    if allowed is not None:
        # Finite in float32, in which the exponentials are computed, so that no row is all NaN.
        least = -0.7 * min(float(finfo(exact.dtype).max), float(np.finfo(np.float32).max))
        scores = where(wrap(allowed, NODES["bool"]), scores, asarray(least, dtype=exact.dtype))
    scores = astype(scores, "float32")
    weights = astype(_softmaxes.softmax(scores, -1), k.dtype)
    sums = einsum("bkgts,bskh->btkgh", weights, v).reshape(batch, rows, heads, width)
    if lengths[0] is not None:
        used = np.arange(rows) < lengths[0]._data[:, None]
        sums = sums * wrap(used[:, :, None, None], NODES["bool"]).astype(sums.dtype)
    if not return_residual:
        return sums.reshape(shape)
    residual = astype(_residual(scores), k.dtype).reshape(batch, heads, rows)
    return sums.reshape(shape), residual.mT.reshape(shape[:-1])


@public(constant="steps", last=1)
def _residual(scores: ArrayLike) -> Array:
    """Return the logarithms of the sums of exponentials, which have no derivative, as in JAX."""
    return logsumexp(scores, axis=-1)


def _four_axes(x: ArrayLike) -> Array:
    array = asarray(x)
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def _check(name: str, x: Array | None, shape: tuple[int | None, ...], dtype: Any) -> None:
    """Check the shape and the dtype of an argument; None means any length."""
    if x is None:
        return
    if x.ndim != len(shape):
        raise ValueError(f"dot_product_attention: {name} must have {len(shape)} dimensions, got {x.ndim}")
    if dtype is not None and x.dtype != dtype:
        raise ValueError(f"dot_product_attention: {name} must have dtype {dtype}, got {x.dtype}")
    if any(wanted not in (None, length) for wanted, length in zip(shape, x.shape, strict=True)):
        wanted_shape = tuple(["any" if length is None else length for length in shape])
        raise ValueError(f"dot_product_attention: {name} must have shape {wanted_shape}, got {x.shape}")


def _grouped(x: Array, name: str, groups: int, heads: int) -> Array:
    """Split the axis of the heads into groups."""
    batch, given, rows, columns = x.shape
    if given == 1:
        return x.reshape(batch, 1, 1, rows, columns)
    if given != heads:
        raise ValueError(f"dot_product_attention: {name} must have 1 or {heads} heads, got {given}")
    return x.reshape(batch, groups, heads // groups, rows, columns)


def _allowed(
    mask: Array | None,
    lengths: list[Array | None],
    causal: bool,
    window: tuple[int, int] | None,
    shape: tuple[int, ...],
    heads: int,
) -> np.ndarray[Any, Any] | None:
    """Return which scores count, of a shape that broadcasts to that of the scores; None for all."""
    rows, columns = np.arange(shape[-2])[:, None], np.arange(shape[-1])
    parts = []
    if mask is not None:
        parts.append(_grouped(mask, "mask", shape[1], heads)._data)
    if causal:
        parts.append(columns <= rows)
    if window is not None:
        parts.append((rows <= columns + window[0]) & (rows >= columns - window[1]))
    for given, positions in zip(lengths, (rows, columns), strict=True):
        if given is not None:
            parts.append(positions < given._data.reshape(-1, 1, 1, 1, 1))
    allowed = None
    for part in parts:
        allowed = part if allowed is None else allowed & part
    return allowed
