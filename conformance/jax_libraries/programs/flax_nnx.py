"""flax.nnx: modules with state, split, merged, mapped and scanned."""

import flax.linen
import jax
import jax.numpy as jnp
import optax
from flax import nnx

PACKAGES = "flax optax"
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


def further_layers():
    rngs = nnx.Rngs(0)
    cached = nnx.MultiHeadAttention(2, 8, decode=True, rngs=rngs)
    cached.init_cache((2, 5, 8))
    both = nnx.Bidirectional(nnx.RNN(nnx.GRUCell(8, 4, rngs=rngs)), nnx.RNN(nnx.GRUCell(8, 4, rngs=rngs)))
    return [
        cached(SEQUENCE[:, :1]),
        both(SEQUENCE),
        nnx.GroupNorm(8, 2, rngs=rngs)(SEQUENCE),
        nnx.RMSNorm(8, rngs=rngs)(SEQUENCE),
        nnx.ConvTranspose(8, 2, (3,), rngs=rngs)(SEQUENCE),
        nnx.Einsum("ab,bc->ac", (8, 3), rngs=rngs)(SEQUENCE[0]),
        nnx.LinearGeneral(8, (2, 3), rngs=rngs)(SEQUENCE),
        nnx.WeightNorm(nnx.Linear(8, 3, rngs=rngs), rngs=rngs)(SEQUENCE),
        nnx.SpectralNorm(nnx.Linear(8, 3, rngs=rngs), rngs=rngs)(SEQUENCE),
    ]


def optimizer_and_metrics():
    model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    optimizer.update(model, jax.tree.map(jnp.cos, nnx.state(model, nnx.Param)))
    metrics = nnx.MultiMetric(accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss"))
    metrics.update(logits=ROWS, labels=jnp.array([0, 1, 2, 2]), loss=jnp.array(2.0))
    return model(ROWS), metrics.compute()


def control_flow():
    model = nnx.Linear(3, 3, rngs=nnx.Rngs(0))
    return (
        nnx.fori_loop(0, 3, lambda _, c: (c[0], c[0](c[1])), (model, ROWS))[1],
        nnx.cond(True, lambda m, x: m(x), lambda _, x: x, model, ROWS),
        nnx.while_loop(lambda c: c[2] < 3, lambda c: (c[0], c[0](c[1]), c[2] + 1), (model, ROWS, 0))[1],
        nnx.remat(lambda m, x: m(x))(model, ROWS),
        nnx.pmap(lambda m, x: m(x), in_axes=(None, 0), out_axes=0)(model, ROWS[None]),
        nnx.vmap(lambda m, x: m(x), in_axes=(nnx.StateAxes({nnx.Param: None, ...: 0}), 0))(model, ROWS),
    )


def state_in_jit():
    class Counter(nnx.Module):
        def __init__(self):
            self.count = nnx.Variable(jnp.array(0))

    @nnx.jit
    def count(counter):
        counter.count[...] += 1

    counter = Counter()
    count(counter)
    count(counter)
    return counter.count[...]


def bridge_to_linen():
    return nnx.bridge.ToNNX(flax.linen.Dense(3), rngs=nnx.Rngs(0)).lazy_init(ROWS)(ROWS)


def training():
    model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-1), wrt=nnx.Param)

    @nnx.jit
    def step(model, optimizer):
        value, gradients = nnx.value_and_grad(lambda m: jnp.mean((m(ROWS) - 1.0) ** 2))(model)
        optimizer.update(model, gradients)
        return value

    return [step(model, optimizer) for _ in range(3)], model(ROWS)


def gradients():
    made, cell = _Model(nnx.Rngs(0)), nnx.RNN(nnx.GRUCell(8, 4, rngs=nnx.Rngs(0)))
    found = nnx.grad(lambda m: (m(ROWS) ** 2).sum())(made).to_pure_dict()
    del found["first"]["bias"]  # zero but for the rounding
    return (
        found,
        nnx.state(made, nnx.BatchStat).to_pure_dict(),
        nnx.grad(lambda m: m(SEQUENCE).sum())(cell).to_pure_dict(),
    )
