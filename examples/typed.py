"""Show what a type checker in strict mode infers about arrays, dtypes, settings and promotion.

python -m mypy --strict examples/typed.py
pyright examples/typed.py
python examples/typed.py
"""
# pyright: strict

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import supremum as xp
from supremum import Array, linalg, nn, random
from supremum.promotion import Explanation, Node, PromotionSystem, systems
from supremum.scipy import special
from supremum.testing import assert_allclose, assert_no_promotion, profile

Loss = Callable[[Array, Array], Array]


@dataclass
class Linear:
    """A linear model in the dtype of its data."""

    weights: Array
    bias: Array

    def __call__(self, x: Array) -> Array:
        """Return the predictions."""
        return x @ self.weights + self.bias

    @classmethod
    def fit(cls, x: Array, y: Array) -> Linear:
        """Solve the least-squares problem; decompositions of narrow dtypes are computed in float32 and rounded once."""
        columns = xp.concat([x, xp.ones((x.shape[0], 1), dtype=x.dtype)], axis=1)
        solution = linalg.solve(columns.T @ columns, columns.T @ y)
        return cls(solution[:-1], solution[-1])


def squared(predicted: Array, y: Array) -> Array:
    """Return the mean of the squared errors."""
    return ((predicted - y) ** 2).mean()


def describe(a: str | Array, b: str | Array) -> str:
    """Return the dtype that two operands promote to, and the hazards of the promotion."""
    why: Explanation = xp.explain(a, b)
    result: Node | None = why.result
    return f"{result}: {', '.join(hazard.text for hazard in why.hazards)}" if result is not None else str(why.error)


def arguments(x: Array) -> list[Array]:
    """Pass arguments of every type that their annotations allow: dtypes by name or type, shapes, axes, and literals."""
    key: Array = random.key(0)
    return [
        xp.asarray([[1, 2], [3, 4]], dtype="bfloat16"),  # nested lists, and a dtype by its name
        xp.zeros((2, 3), dtype=xp.int4),  # a shape, and a scalar type as a dtype
        xp.ones(3, dtype=np.float32),  # one length, and NumPy's scalar type
        xp.sum(x, axis=(0, 1)),  # one axis or several
        nn.softmax(x, axis=-1),
        nn.standardize(x, algorithm="stable"),  # a literal: a checker rejects "stabel"
        random.permutation(key, 5),
        random.gumbel(key, (2,), mode="high"),
    ]


def returns(x: Array) -> tuple[Array, ...]:
    """Unpack results that are tuples or named tuples of arrays."""
    decomposition = linalg.svd(x)
    logs, signs = special.logsumexp(x, return_sign=True)
    first, second = random.split(random.key(1))
    values: Array = decomposition.S
    return values, logs, signs, random.normal(first), random.fold_in(second, 3)


def main(loss: Loss = squared) -> float:
    """Fit a line to noisy points in float32, and print the dtypes of intermediate results."""
    key, noise = random.split(random.key(0))
    x = random.uniform(key, (64, 2))
    y = x @ xp.asarray([2.0, -1.0]) + 0.5 + 0.01 * random.normal(noise, (64,))
    with assert_no_promotion():  # Python scalars are weak: they do not widen arrays
        model = Linear.fit(x, y)
    assert_allclose(model.weights, [2.0, -1.0], atol=0.02)

    narrow: Array = model.weights.astype(xp.bfloat16)
    system: PromotionSystem = systems["jax"]
    print((2 * narrow).dtype, narrow.weak_type, system.promote("bfloat16", "float16"))
    print(describe(narrow, "int32"))
    print([str(array.dtype) for array in (*arguments(x), *returns(x))])
    with xp.config.use(x64="on"), xp.promotion.use("numpy"):
        print(xp.promote_types("int32", "float32"), xp.finfo(xp.float8_e4m3fn).max)
    with profile("jax"):
        print(xp.arange(3).at[0].set(7).tolist(), np.asarray(narrow).nbytes)
    return float(loss(model(x), y))


if __name__ == "__main__":
    print(f"{main():.1e}")
