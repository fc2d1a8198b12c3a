"""The functions of ``jax.ops``: reductions over segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import supremum as xp
from supremum import Array
from supremum.jax._modules import named
from supremum.jax._values import limit

__all__ = ["segment_max", "segment_min", "segment_prod", "segment_sum"]


def _make(name: str, method: str, start: Callable[[Any], Any], words: str) -> Callable[..., Array]:
    def function(
        data: Any,
        segment_ids: Any,
        num_segments: int | None = None,
        indices_are_sorted: bool = False,
        unique_indices: bool = False,
        bucket_size: int | None = None,
        mode: Any = None,
    ) -> Array:
        x, ids = xp.asarray(data), xp.asarray(segment_ids)
        count = (int(ids.max()) + 1 if ids.size else 0) if num_segments is None else int(num_segments)
        if count < 0:
            raise ValueError("num_segments must be non-negative.")
        begun = xp.full((count, *x.shape[1:]), start(x), dtype=x.dtype)
        if not count:
            return begun
        # Negative identifiers are dropped, as those that are too large are.
        target = begun.at[xp.where(ids < 0, count, ids)]
        options = {"indices_are_sorted": indices_are_sorted, "unique_indices": unique_indices, "mode": mode}
        return getattr(target, method)(x, **options)

    return named(function, "jax.ops", name, f"Return the {words} of the elements of each segment, which `segment_ids` number.")


segment_sum = _make("segment_sum", "add", lambda _: 0, "sums")
segment_prod = _make("segment_prod", "multiply", lambda _: 1, "products")
segment_max = _make("segment_max", "max", lambda x: limit(x, -1), "maxima")
segment_min = _make("segment_min", "min", lambda x: limit(x, 1), "minima")
