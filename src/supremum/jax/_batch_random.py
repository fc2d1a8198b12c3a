"""Rules for batches of random keys: the numbers are those of each key."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum import Array, random as random
from supremum._base.buffers import Buffer
from supremum._base.silence import call_without_float_warnings
from supremum._core.array import wrap
from supremum._core.dtype_objects import finfo, requested
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum._kernels.threefry import block, older_bits, older_words
from supremum.jax._batch_rules import Arguments, Rule, is_batched, rank_of, rows, whole
from supremum.jax._batching import Batched, MappedAxis
from supremum.promotion._nodes import KEY, NODES, Node
from supremum.random.keys import keys_of, words_of
from supremum.random.samplers import floating_node, fractions_of, normal_from, smallest_above, stretched

#: The numbers of one key from which on its loop takes longer than the call.
_MANY: Final = 512


def _shape(given: Any) -> tuple[int, ...] | None:
    """Return a shape of few numbers; None for others."""
    shape = given if isinstance(given, tuple | list) else (given,)
    if not all(isinstance(n, int) and n >= 0 for n in shape) or math.prod(shape) > _MANY:
        return None
    return tuple(shape)


def _words(axis: MappedAxis, key: Any) -> Buffer | None:
    """Return the words of the keys of all positions, a row for each; None for keys that have no rule."""
    if not is_batched(axis, key) or type(key.value) is not Array:
        return None
    words = words_of(key.value, "random")
    return words if words.ndim == 2 else None


def _pairs(words: Buffer, count: int) -> tuple[Buffer, Buffer]:
    """Return the two random words of so many counters of each key."""
    high = np.zeros((len(words), count), np.uint32)
    low = np.broadcast_to(np.arange(count, dtype=np.uint32), high.shape).copy()
    block((words[:, :1], words[:, 1:]), high, low)  # type: ignore[arg-type]  # columns are computed with as two words are
    return high, low


def _bits(words: Buffer, bits: int, shape: tuple[int, ...]) -> Buffer:
    """Return unsigned integers of random bits."""
    if not state().partitionable:
        return older_bits((words[:, :1], words[:, 1:]), bits, shape)
    high, low = _pairs(words, math.prod(shape))
    wide = (high.astype(np.uint64) << np.uint64(32)) | low if bits == 64 else high ^ low
    found = wide.astype(f"u{bits // 8}", copy=False)
    return found.reshape(len(words), *shape)


def _uniform(words: Buffer, node: Node, shape: tuple[int, ...], low: Any, high: Any) -> Buffer:
    """Return uniform numbers, in the dtype that `node` is computed in."""
    info = finfo(node.dtype)
    numbers = fractions_of(_bits(words, 8 if info.nmant < 8 else info.bits, shape), info.nmant)
    return numbers if (low, high) == (0.0, 1.0) else stretched(numbers, low, high, node)


def _drawing(by: str = "shape", default: Any = ()) -> Callable[[Callable[[Arguments, Buffer, Any], Any]], Rule]:
    """Decorate a function of arguments, the words of the keys and a shape: a rule for calls of which the key is batched."""

    def decorate(draw: Callable[[Arguments, Buffer, Any], Any]) -> Rule:
        def rule(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            given = Arguments(axis, function, args, kwargs)
            words, shape = _words(axis, given.get("key")), _shape(given.get(by, default))
            return NotImplemented if words is None or shape is None or not given.only(["key"]) else draw(given, words, shape)

        return rule

    return decorate


@_drawing()
def bits(given: Arguments, words: Buffer, shape: tuple[int, ...]) -> Any:
    """Draw bits for each key."""
    dtype = given.get("dtype")
    node = NODES["uint64" if state().x64 == "on" else "uint32"] if dtype is None else requested(dtype, "bits", state())
    if node.kind != "u" or node.bits < 8:
        return NotImplemented
    return Batched(given.axis, wrap(_bits(words, node.bits, shape), node))


@_drawing()
def uniform(given: Arguments, words: Buffer, shape: tuple[int, ...]) -> Any:
    """Draw uniform numbers for each key."""
    low, high, node = given.get("minval", 0.0), given.get("maxval", 1.0), floating_node(given.get("dtype"), "uniform")
    if any(type(bound) not in (int, float) for bound in (low, high)) or finfo(node.dtype).bits not in (8, 16, 32, 64):
        return NotImplemented
    found = call_without_float_warnings(_uniform, words, node, shape, float(low), float(high))
    return Batched(given.axis, wrap(cast(found, node), node))


@_drawing()
def normal(given: Arguments, words: Buffer, shape: tuple[int, ...]) -> Any:
    """Draw normal numbers for each key."""
    node = floating_node(given.get("dtype"), "normal", "fc")
    if node.kind != "f" or finfo(node.dtype).bits not in (8, 16, 32, 64):
        return NotImplemented

    def numbers() -> Buffer:
        return cast(normal_from(_uniform(words, node, shape, smallest_above(node), 1.0), node), node)

    return Batched(given.axis, wrap(call_without_float_warnings(numbers), node))


def _like(key: Any, words: Buffer) -> Any:
    return keys_of(words) if key._node is KEY else wrap(words, NODES["uint32"])


@_drawing("num", 2)
def split(given: Arguments, words: Buffer, shape: tuple[int, ...]) -> Any:
    """Split each key."""
    count = math.prod(shape)
    if state().partitionable:
        made = np.stack(_pairs(words, count), axis=-1)
    else:
        made = older_words((words[:, :1], words[:, 1:]), 2 * count)
    return Batched(given.axis, _like(given.get("key"), made.reshape(len(words), *shape, 2)))


def fold_in(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Fold a number into each key."""
    if len(args) != 2 or kwargs or rank_of(args[1]):
        return NotImplemented
    key, data = args
    if isinstance(data, int):
        if not 0 <= data < 1 << 32:
            return NotImplemented
        data = np.uint32(data)
    keys, numbers = whole(axis, key), whole(axis, data)
    if type(keys) is not Array or type(numbers) is not Array or numbers._node.kind not in "iu":
        return NotImplemented
    words = words_of(keys, "fold_in")
    if words.ndim != 2:
        return NotImplemented
    high, low = np.zeros(len(words), np.uint32), np.array(cast(numbers._data, NODES["uint32"]))
    block((words[:, 0], words[:, 1]), high, low)  # type: ignore[arg-type]  # columns are computed with as two words are
    return Batched(axis, _like(keys, np.stack([high, low], axis=-1)))


def key(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make a key of each seed."""
    seed: Any = args[0] if len(args) == 1 and not kwargs else None
    if not is_batched(axis, seed) or type(seed.value) is not Array or seed.ndim or seed._node.kind not in "iu":
        return NotImplemented
    numbers = seed.value._data.astype(np.int64 if seed._node.kind == "i" else np.uint64).view(np.uint64)
    high = (numbers >> np.uint64(32)) if state().x64 == "on" and seed._node.bits == 64 else np.zeros_like(numbers)
    words = np.stack([high, numbers & np.uint64(0xFFFFFFFF)], axis=-1).astype(np.uint32)
    return Batched(axis, keys_of(words) if function.name == "random.key" else wrap(words, NODES["uint32"]))


rows(bits, "random.bits")
rows(uniform, "random.uniform")
rows(normal, "random.normal")
rows(split, "random.split")
rows(fold_in, "random.fold_in")
rows(key, "random.key random.PRNGKey")
