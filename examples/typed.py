"""A small program with types: what a checker in strict mode knows of arrays, dtypes, settings and promotion.

python -m mypy --strict examples/typed.py
python examples/typed.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import supremum as xp
from supremum import Array, linalg, random
from supremum.promotion import Explanation, Node, PromotionSystem, systems
from supremum.testing import assert_allclose, assert_no_promotion, profile

Loss = Callable[[Array, Array], Array]


@dataclass
class Linear:
    """A line through points, in whatever dtype it is given."""

    weights: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """Give the line's values."""
        return x @ self.weights + self.bias

    @classmethod
    def fit(cls, x: Array, y: Array) -> Linear:
        """Solve for the least squares; decompositions of narrow dtypes are computed in float32 and rounded once."""
        columns = xp.concat([x, xp.ones((x.shape[0], 1), dtype=x.dtype)], axis=1)
        solution = linalg.solve(columns.T @ columns, columns.T @ y)
        return cls(solution[:-1], solution[-1])


def squared(predicted: Array, y: Array) -> Array:
    """Give the mean of the squared errors."""
    return ((predicted - y) ** 2).mean()


def describe(a: object, b: object) -> str:
    """Say where two operands meet, and what is at risk there."""
    why: Explanation = xp.explain(a, b)
    met: Node | None = why.result
    return f"{met}: {', '.join(hazard.text for hazard in why.hazards)}" if met is not None else str(why.error)


def main(loss: Loss = squared) -> float:
    """Fit a line to noisy points in float32, and look at the dtypes on the way."""
    key, noise = random.split(random.key(0))
    x = random.uniform(key, (64, 2))
    y = x @ xp.asarray([2.0, -1.0]) + 0.5 + 0.01 * random.normal(noise, (64,))
    with assert_no_promotion():  # Python's scalars are weak: nothing above widened anything
        model = Linear.fit(x, y)
    assert_allclose(model.weights, [2.0, -1.0], atol=0.02)

    narrow: Array = model.weights.astype(xp.bfloat16)
    dtype: np.dtype[np.generic] = (2 * narrow).dtype
    system: PromotionSystem = systems["jax"]
    print(dtype, narrow.weak_type, system.promote("bfloat16", "float16"))
    print(describe(narrow, "int32"))
    with xp.config.use(x64="on"), xp.promotion.use("numpy"):
        print(xp.promote_types("int32", "float32"), xp.finfo(xp.float8_e4m3fn).max)
    with profile("jax"):
        print(xp.arange(3).at[0].set(7).tolist(), np.asarray(narrow).itemsize)
    return float(loss(model(x), y))


if __name__ == "__main__":
    print(f"{main():.1e}")
