"""Rules for batches of random keys: the numbers are those of each key."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from supremum import Array, random as random
from supremum._base.facts import facts_of
from supremum._base.silence import call_without_float_warnings
from supremum._core.array import wrap
from supremum._core.settings import state
from supremum._kernels.casts import cast
from supremum.jax._batch_rules import Arguments, defaults_of, is_batched, rank_of, rows, whole
from supremum.jax._batching import Batched, MappedAxis
from supremum.promotion._nodes import KEY, NODES
from supremum.random.keys import ManyKeys, folded, keys_of, words_of

#: The numbers of one key from which on its loop takes longer than the call.
_MANY: Final = 512


def draw(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Draw few numbers of each key at once."""
    given = Arguments(axis, function, args, kwargs)
    key, by = given.get("key"), facts_of(function).draws
    shape = given.get(by, defaults_of(function)[by])
    shape = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if not is_batched(axis, key) or type(key.value) is not Array or key.ndim != (key._node is not KEY):
        return NotImplemented
    if not given.only(["key"]) or not all(isinstance(n, int) and n >= 0 for n in shape) or math.prod(shape) > _MANY:
        return NotImplemented
    given.put("key", ManyKeys(key.value))
    given.put(by, (axis.size, *shape))
    return Batched(axis, call_without_float_warnings(function.definition, *given.args, **given.kwargs))


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
    made = folded((words[:, 0], words[:, 1]), cast(numbers._data, NODES["uint32"]))
    return Batched(axis, keys_of(made) if keys._node is KEY else wrap(made, NODES["uint32"]))


def key(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make a key of each seed."""
    seed: Any = args[0] if len(args) == 1 and not kwargs else None
    if not is_batched(axis, seed) or type(seed.value) is not Array or seed.ndim or seed._node.kind not in "iu":
        return NotImplemented
    numbers = seed.value._data.astype(np.int64 if seed._node.kind == "i" else np.uint64).view(np.uint64)
    high = (numbers >> np.uint64(32)) if state().x64 == "on" and seed._node.bits == 64 else np.zeros_like(numbers)
    words = np.stack([high, numbers & np.uint64(0xFFFFFFFF)], axis=-1).astype(np.uint32)
    return Batched(axis, keys_of(words) if function.name == "random.key" else wrap(words, NODES["uint32"]))


rows(fold_in, "random.fold_in")
rows(key, "random.key random.PRNGKey")
rows(draw, "draws")
