"""haiku: transformed functions of modules."""

import haiku as hk
import jax
import jax.numpy as jnp

PACKAGES = "dm-haiku"
KEY = jax.random.PRNGKey(42)
ROWS = jnp.sin(jnp.arange(24.0)).reshape(4, 6)
IMAGE = jnp.cos(jnp.arange(2 * 8 * 8 * 3.0)).reshape(2, 8, 8, 3)
SEQUENCE = jnp.sin(jnp.arange(5 * 2 * 8.0)).reshape(5, 2, 8)


def _both(function, *args):
    transformed = hk.transform_with_state(function)
    params, state = transformed.init(KEY, *args)
    out, state = transformed.apply(params, state, KEY, *args)
    return params, state, out


def mlp():
    return _both(lambda x: hk.nets.MLP([8, 3])(x), ROWS)


def conv():
    return _both(lambda x: hk.MaxPool(2, 2, "SAME")(jax.nn.relu(hk.Conv2D(4, 3)(x))), IMAGE)


def conv_transpose():
    return _both(lambda x: hk.Conv2DTranspose(2, 3, stride=2)(x), IMAGE)[2]


def lstm():
    def run(x):
        core = hk.LSTM(4)
        return hk.dynamic_unroll(core, x, core.initial_state(2))

    return _both(run, SEQUENCE)


def gru():
    def run(x):
        core = hk.GRU(4)
        return hk.static_unroll(core, x, core.initial_state(2))

    return _both(run, SEQUENCE)[2]


def batch_norm():
    return _both(lambda x: hk.BatchNorm(True, True, 0.9)(x, is_training=True), IMAGE)


def layer_norm_and_dropout():
    return _both(lambda x: hk.dropout(hk.next_rng_key(), 0.5, hk.LayerNorm(-1, True, True)(x)), ROWS)


def attention():
    def run(x):
        return hk.MultiHeadAttention(2, 4, w_init=hk.initializers.VarianceScaling(2.0))(x, x, x)

    return _both(run, SEQUENCE)


def vmap_and_scan():
    def run(x):
        linear = hk.Linear(6)
        carried, _ = hk.scan(lambda c, _: (jnp.tanh(linear(c)), None), x, None, length=3)
        return hk.vmap(linear, split_rng=False)(carried)

    return _both(run, ROWS)


def embed_and_vq():
    return _both(lambda i: hk.Embed(7, 3)(i), jnp.array([1, 6]))[2], _both(
        lambda x: hk.nets.VectorQuantizer(6, 4, 0.25)(x, True), ROWS
    )[2]["quantize"]


def loops_and_stacks():
    def run(x):
        repeated = hk.fori_loop(0, 3, lambda _, y: y * 2, x)
        return hk.experimental.layer_stack(1)(lambda y: hk.Linear(6)(y))(hk.remat(hk.Linear(6))(repeated))

    return _both(run, ROWS)[2]


def further_recurrent():
    def run(x):
        image = hk.Conv2DLSTM((8, 8), 3, (3, 3))
        plain = hk.VanillaRNN(3)
        return plain(x, plain.initial_state(4))[0], image(IMAGE, image.initial_state(2))[0]

    return _both(run, ROWS)[2]


def further_layers():
    return _both(
        lambda x: (hk.GroupNorm(2)(x), hk.RMSNorm(-1)(x), hk.Bias()(x), hk.avg_pool(x[None, :, :, None], 2, 2, "SAME")), ROWS
    )[2]


def training():
    model = hk.without_apply_rng(hk.transform(lambda x: hk.nets.MLP([8, 1])(x)))
    params = model.init(KEY, ROWS)
    step = jax.jit(jax.value_and_grad(lambda params: jnp.mean((model.apply(params, ROWS) - 1.0) ** 2)))
    losses = []
    for _ in range(4):
        value, gradients = step(params)
        params = jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)
        losses.append(value)
    return losses, params


def gradients():
    def recurrent(x):
        core = hk.LSTM(4)
        return hk.dynamic_unroll(core, x, core.initial_state(2))[0].sum()

    def convolved(x):
        return jnp.sum(hk.BatchNorm(True, True, 0.9)(hk.Conv2D(2, 3, with_bias=False)(x), is_training=True) ** 3)

    found = [_both(lambda x: hk.grad(lambda y: hk.Linear(1)(y).sum())(x), ROWS)[2]]
    for function, x in ((recurrent, SEQUENCE), (convolved, IMAGE)):
        model = hk.transform_with_state(function)
        params, state = model.init(KEY, x)
        found.append(jax.grad(lambda p, model=model, state=state, x=x: model.apply(p, state, KEY, x)[0])(params))
    return found
