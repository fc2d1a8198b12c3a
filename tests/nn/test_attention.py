"""Attention; ``conformance/jax`` has JAX's results."""

import numpy as np
import pytest

import supremum as xp


def operands(heads=2, groups=2, dtype="float32"):
    shapes = ((2, 3, heads, 4), (2, 5, groups, 4), (2, 5, groups, 4))
    return [
        xp.asarray((((np.arange(np.prod(shape)) + start) * 7 % 11 - 5) / 4).reshape(shape), dtype=dtype)
        for start, shape in enumerate(shapes)
    ]


def by_definition(q, k, v, scores=0.0, allowed=True):
    """Return the weighted sums, in float64."""
    q, k, v = (np.asarray(x, np.float64) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[2] // x.shape[2], axis=2) for x in (k, v))
    logits = np.where(allowed, np.einsum("btnh,bsnh->bnts", q, k) / 2 + scores, -1e30)
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.einsum("bnts,bsnh->btnh", weights / weights.sum(axis=-1, keepdims=True), v)


@pytest.mark.parametrize("heads, groups", [(2, 2), (4, 2), (4, 1)])
def test_heads_in_groups(heads, groups):
    given = operands(heads, groups)
    np.testing.assert_allclose(xp.nn.dot_product_attention(*given), by_definition(*given), rtol=2e-6, atol=2e-6)


def test_masks_and_biases():
    given = operands(4, 2)
    mask, bias = np.arange(2 * 4 * 3 * 5).reshape(2, 4, 3, 5) % 3 > 0, np.arange(15.0).reshape(3, 5) / 5
    allowed = mask & (np.arange(5) <= np.arange(3)[:, None])
    allowed[..., 0] = True
    out = xp.nn.dot_product_attention(*given, xp.asarray(bias, dtype="float32"), xp.asarray(allowed))
    np.testing.assert_allclose(out, by_definition(*given, bias, allowed), rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"implementation": "nonsense"}, "implementation must be None or 'xla'"),
        ({"mask": xp.ones((1, 1, 3, 5))}, "mask must have dtype bool"),
        ({"bias": xp.ones((1, 3, 3, 5))}, "bias must have 1 or 2 heads"),
        ({"query_seq_lengths": xp.asarray([1], dtype="int32")}, "query_seq_lengths must have shape"),
    ],
)
def test_what_is_refused(options, words):
    with pytest.raises(ValueError, match=f"dot_product_attention: {words}"):
        xp.nn.dot_product_attention(*operands(), **options)


def test_there_is_no_gpu():
    with pytest.raises(NotImplementedError, match="needs a GPU"):
        xp.nn.dot_product_attention(*operands(), implementation="cudnn")
    with pytest.raises(ValueError, match="must be a multiple"):
        xp.nn.dot_product_attention(*operands(3, 2))
