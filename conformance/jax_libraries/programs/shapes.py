"""einops, jaxtyping with beartype: axes by name, and annotations of shapes."""

import einops
import jax
import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Float, Int, PRNGKeyArray, PyTree, jaxtyped

PACKAGES = "einops jaxtyping beartype"
X = jnp.arange(24.0).reshape(2, 3, 4)


def rearranged():
    return [
        einops.rearrange(X, "a b c -> c (a b)"), einops.rearrange(X, "a b (c d) -> a d b c", d=2), einops.reduce(X, "a b (c d) -> a c", "mean", d=2), einops.reduce(X, "a b c -> b", "max"),
        einops.repeat(X, "a b c -> a b r c", r=2), einops.einsum(X, X, "a b c, a d c -> a b d"), *einops.pack([X, X], "a * c")[0], *einops.unpack(X, [[1], [2]], "a * c"),
    ]  # fmt: skip


def _product(x, y):
    return x @ y


def checked():
    def product(x, y):
        return x @ y

    product.__annotations__ = {"x": Float[Array, "a b"], "y": Float[Array, "b"], "return": Float[Array, "a"]}
    product = jaxtyped(typechecker=beartype)(product)
    outcomes = []
    for y in (jnp.ones(4), jnp.ones(3), jnp.ones(4, int)):
        try:
            product(X[0], y)
            outcomes.append("accepted")
        except Exception as error:  # noqa: BLE001 - its class is the result
            outcomes.append(type(error).__name__)
    return product(X[0], jnp.ones(4)), jnp.array([ord(word[0]) for word in outcomes])


def kinds():
    key = jax.random.key(0)
    return jnp.array([
        isinstance(X, Float[Array, "a b c"]), isinstance(X, Int[Array, "..."]), isinstance(X.astype(int), Int[Array, "2 3 4"]), isinstance(key, PRNGKeyArray),
        isinstance({"a": X}, PyTree[Float[Array, "..."]]),
    ])  # fmt: skip
