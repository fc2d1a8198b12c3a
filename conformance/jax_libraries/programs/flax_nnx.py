"""flax.nnx: modules with state, split, merged, mapped and scanned."""

import jax
import jax.numpy as jnp
from flax import nnx

PACKAGES = "flax"
ROWS = jnp.sin(jnp.arange(12.0)).reshape(4, 3)
SEQUENCE = jnp.sin(jnp.arange(2 * 5 * 8.0)).reshape(2, 5, 8)


class _Model(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(3, 8, rngs=rngs)
        self.norm = nnx.BatchNorm(8, rngs=rngs)
        self.drop = nnx.Dropout(0.5, rngs=rngs)
        self.last = nnx.Linear(8, 2, rngs=rngs)

    def __call__(self, x):
        return self.last(self.drop(nnx.relu(self.norm(self.first(x)))))


class _Block(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(3, 3, rngs=rngs)

    def __call__(self, x):
        return nnx.relu(self.linear(x))


def model():
    made = _Model(nnx.Rngs(0))
    first = made(ROWS)
    made.eval()
    return first, made(ROWS), nnx.state(made, nnx.Param).to_pure_dict(), nnx.state(made, nnx.BatchStat).to_pure_dict()


def jitted():
    made = _Model(nnx.Rngs(1))
    made.eval()
    return nnx.jit(lambda m, x: m(x))(made, ROWS)


def split_and_merged():
    graph, state = nnx.split(_Block(nnx.Rngs(2)))
    return nnx.merge(graph, jax.tree.map(lambda x: 2 * x, state))(ROWS)


def mapped_and_scanned():
    @nnx.split_rngs(splits=4)
    @nnx.vmap(in_axes=(0,), out_axes=0)
    def make(rngs):
        return _Block(rngs)

    @nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
    def forward(x, layer):
        return layer(x)

    return forward(ROWS, make(nnx.Rngs(0)))


def layers():
    rngs = nnx.Rngs(0)
    return [
        nnx.MultiHeadAttention(2, 8, decode=False, rngs=rngs)(SEQUENCE),
        nnx.Conv(8, 4, (3,), rngs=rngs)(SEQUENCE),
        nnx.RNN(nnx.GRUCell(8, 4, rngs=rngs))(SEQUENCE),
        nnx.RNN(nnx.LSTMCell(8, 4, rngs=rngs))(SEQUENCE),
        nnx.LayerNorm(8, rngs=rngs)(SEQUENCE),
        nnx.Embed(5, 3, rngs=rngs)(jnp.array([0, 4])),
        nnx.LoRA(8, 2, 3, rngs=rngs)(SEQUENCE),
    ]
