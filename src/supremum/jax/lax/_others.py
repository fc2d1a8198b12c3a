"""Functions of `lax` that are for compilers and derivatives, and random bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import wrap
from supremum._core.conversion import as_integers
from supremum.jax import _tree
from supremum.jax._casting import as_operand, as_operands, public
from supremum.jax.lax._dot_products import RandomAlgorithm
from supremum.jax.lax._operands import check_same_dtypes
from supremum.promotion._nodes import NODES, PYTHON_SCALARS


def _stop_gradient(x: Any) -> Any:
    """Return a tree of arrays as it is; derivatives see a constant in it, for every leaf is a call of this function."""
    if type(x) is Array or type(x) in PYTHON_SCALARS:
        return x
    leaves, structure = _tree.flatten(x)
    if structure is not _tree.LEAF:
        return structure.unflatten([stop_gradient(leaf) for leaf in leaves])
    if callable(x):
        raise TypeError(f"stop_gradient: expected a tree of arrays, got {describe(x)}")
    return x


_stop_gradient.__name__ = _stop_gradient.__qualname__ = "stop_gradient"
stop_gradient = public(_stop_gradient, kind="elementwise", operands="x", moving=True)


@public(kind="elementwise", moving=True, operands="x")
def stage(x: Any, /) -> Array:
    """Return the argument as an Array."""
    return as_operand(x, "stage")


def create_token(_: Any = None) -> Array:
    """Return a value for an order of effects, which is always that of the calls."""
    return xp.zeros((0,), dtype=bool)


def after_all(*operands: Any) -> Array:
    """Return a value for an order of effects."""
    return create_token()


def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Callable[..., Any]:
    """Return the function itself: a compiler could replace it by another."""
    return decomposition


@public(own="result")
def rng_uniform(a: Any, b: Any, shape: Any) -> Array:
    """Return random numbers between two bounds; they differ from call to call."""
    low, high = operands = as_operands("rng_uniform", a, b)
    check_same_dtypes("rng_uniform", operands)
    if low.ndim or high.ndim:
        raise ValueError(f"Arguments to rng_uniform must be scalars; got shapes {low.shape} and {high.shape}.")
    lengths = as_integers(shape, "shape", "rng_uniform")
    generator, bounds = np.random.default_rng(), (low.item(), high.item())
    draw = generator.integers if low._node.kind in "iu" else generator.uniform
    return xp.asarray(draw(*bounds, lengths)).astype(low.dtype)


_MASK32 = np.uint64(0xFFFFFFFF)


def _philox(key: np.ndarray[Any, Any], c: list[Any]) -> np.ndarray[Any, Any]:
    """Return the words of philox4x32 with ten rounds for counters, of which the four words are given."""
    k0, k1 = np.uint64(key[0]), np.uint64(key[1])
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(p1 >> np.uint64(32)) ^ c[1] ^ k0, p1 & _MASK32, (p0 >> np.uint64(32)) ^ c[3] ^ k1, p0 & _MASK32]
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & _MASK32, (k1 + np.uint64(0xBB67AE85)) & _MASK32
    return np.stack(c, -1).astype(np.uint32)


@public(own="result")
def rng_bit_generator(
    key: Any, shape: Any, dtype: Any = np.uint32, algorithm: Any = RandomAlgorithm.RNG_DEFAULT, *, out_sharding: object = None
) -> tuple[Array, Array]:
    """Return the next state of a generator of random bits, and bits."""
    state = as_operand(key, "rng_bit_generator")
    words = np.ascontiguousarray(state._data).reshape(-1).view(np.uint32)
    lengths = as_integers(shape, "shape", "rng_bit_generator")
    if words.size != 4:
        raise TypeError(f"rng_bit_generator: the state has four words of 32 bits, got {state.dtype} of shape {state.shape}")
    node = NODES[np.dtype(dtype).name]
    count = int(np.prod(lengths, dtype=np.int64)) * max(node.bits, 32) // 32
    blocks = -(-count // 4)
    start = int(words[2]) | int(words[3]) << 32
    numbers = np.arange(blocks, dtype=np.uint64) + np.uint64(start)
    counters = [numbers & _MASK32, numbers >> np.uint64(32), *words[:2].astype(np.uint64)]
    bits = call_without_float_warnings(_philox, words[:2], counters).reshape(-1)[:count]
    dtype = f"u{node.bits // 8}"
    data = bits.view(dtype) if node.bits > 32 else bits.astype(dtype)
    after = words.copy()
    end = (start + blocks) & (2**64 - 1)
    after[2], after[3] = end & 0xFFFFFFFF, end >> 32
    return wrap(after.view(state._data.dtype).reshape(state.shape), state._node), wrap(data.reshape(lengths), node)
