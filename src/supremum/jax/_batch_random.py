"""The rule for batches of random keys: the numbers are those of each key.

A sampler draws from many keys at once, by `of_many`: its bits are one call of the generator, and the rest of it is
elementwise, or goes on for the keys that are not done. Samplers that are written in others are looked through.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from supremum._base.facts import facts_of, operands_of
from supremum.jax._batch_rules import defaults_of, is_batched, rank_of, rows, whole, with_rank
from supremum.jax._batching import MappedAxis, as_batch
from supremum.promotion._nodes import KEY
from supremum.random import keys


def draw(axis: MappedAxis, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Draw from the keys of all positions, with the parameters of each."""
    given, facts = function.bound(args, kwargs), facts_of(function)
    name, by = next(iter(given)), facts.draws
    words = whole(axis, given.pop(name))
    parameters = {name: given[name] for name in operands_of(function) if given.get(name) is not None}
    before = words.shape[1 : words.ndim - (name == "key" and words._node is not KEY)]
    shape = given[by] if by else before
    if shape is None and defaults_of(function)[by] is None:
        shape = np.broadcast_shapes(*[np.shape(x) for x in parameters.values()])
    shape = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if (
        (before and function is not keys.of_many(function))
        or words._node.kind not in "iuk"
        or not all(isinstance(n, int) and n >= 0 for n in shape)
    ):
        return NotImplemented
    if any(is_batched(axis, x) for name, x in given.items() if name not in parameters):
        return NotImplemented
    behind: Any = facts.last or (0,) * len(parameters)
    for (name, x), last in zip(parameters.items(), behind, strict=True):
        rank = len(shape) - max(behind) + last
        if rank_of(x) > rank:
            return NotImplemented
        given[name] = with_rank(x, rank) if is_batched(axis, x) else x
    if by:
        given[by] = (axis.size, *shape)
    return as_batch(axis, keys.of_many(function)(words, **given))


rows(draw, "draws random.fold_in random.key random.PRNGKey")
