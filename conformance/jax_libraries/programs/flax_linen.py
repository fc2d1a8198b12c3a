"""flax.linen: layers, their states, and transformations of modules."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import jax_utils, serialization, traverse_util
from flax.training import dynamic_scale, train_state
import optax

PACKAGES = "flax optax"
KEY = jax.random.key(0)
ROWS = jnp.sin(jnp.arange(24.0)).reshape(4, 6)
IMAGE = jnp.cos(jnp.arange(2 * 8 * 8 * 3.0)).reshape(2, 8, 8, 3)
SEQUENCE = jnp.sin(jnp.arange(2 * 5 * 8.0)).reshape(2, 5, 8)


def _with_given(module, *args):
    """Return the result for given parameters: initial values are others where a body is called more than once."""
    shapes = jax.tree.map(jnp.shape, module.init(KEY, *args), is_leaf=lambda x: hasattr(x, "shape"))
    variables = jax.tree.map(
        lambda shape: jnp.cos(jnp.arange(float(np.prod(shape)))).reshape(shape), shapes, is_leaf=lambda x: isinstance(x, tuple)
    )
    return variables, module.apply(variables, *args)


def _both(module, *args, **kwargs):
    variables = module.init(KEY, *args, **kwargs)
    return variables, module.apply(variables, *args, **kwargs)


class _MLP(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.gelu(nn.Dense(8)(x))
        x = nn.LayerNorm()(x)
        return nn.log_softmax(nn.Dense(3, kernel_init=nn.initializers.orthogonal())(x))


class _CNN(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Conv(4, (3, 3))(x))
        x = nn.avg_pool(x, (2, 2), strides=(2, 2))
        x = nn.ConvTranspose(2, (2, 2))(nn.max_pool(x, (2, 2)))
        return nn.Dense(3)(x.reshape(x.shape[0], -1))


def mlp():
    return _both(_MLP(), ROWS)


def mlp_bfloat16():
    return _both(nn.Dense(4, dtype=jnp.bfloat16), ROWS)


def cnn():
    return _both(_CNN(), IMAGE)


def lstm():
    return _both(nn.RNN(nn.LSTMCell(4)), SEQUENCE)


def gru_bidirectional():
    return _both(nn.Bidirectional(nn.RNN(nn.GRUCell(4)), nn.RNN(nn.GRUCell(4))), SEQUENCE)


def attention():
    return _both(
        nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=8), SEQUENCE, mask=nn.make_causal_mask(SEQUENCE[..., 0])
    )


def batch_norm():
    norm = nn.BatchNorm(use_running_average=False, momentum=0.9)
    variables = norm.init(KEY, ROWS)
    y, state = norm.apply(variables, ROWS, mutable=["batch_stats"])
    return y, state


def norms():
    return [_both(kind, SEQUENCE)[1] for kind in (nn.LayerNorm(), nn.RMSNorm(), nn.GroupNorm(2), nn.InstanceNorm())]


def dropout():
    return nn.Dropout(0.5, deterministic=False).apply({}, ROWS, rngs={"dropout": KEY})


def embed():
    return _both(nn.Embed(7, 3), jnp.array([[1, 2], [6, 0]]))


def lifted_vmap():
    mapped = nn.vmap(nn.Dense, in_axes=0, variable_axes={"params": 0}, split_rngs={"params": True})
    return _with_given(mapped(3), SEQUENCE)


def lifted_scan():
    class Layer(nn.Module):
        @nn.compact
        def __call__(self, x, _):
            return nn.tanh(nn.Dense(6)(x)), None

    return _with_given(nn.scan(Layer, variable_axes={"params": 0}, split_rngs={"params": True}, length=3)(), ROWS, None)


def lifted_jit_and_remat():
    return _both(nn.jit(_MLP)(), ROWS)[1], _both(nn.remat(_MLP)(), ROWS)[1]


def further_recurrent():
    cells = nn.OptimizedLSTMCell(4), nn.SimpleCell(4), nn.MGUCell(4)
    return [_both(nn.RNN(cell), SEQUENCE)[1] for cell in cells], _both(nn.RNN(nn.ConvLSTMCell(3, (3, 3))), IMAGE[None])[1]


def further_layers():
    spectral = nn.SpectralNorm(nn.Dense(3))
    variables = spectral.init(KEY, ROWS, update_stats=False)
    return (
        _both(nn.WeightNorm(nn.Dense(3)), ROWS),
        spectral.apply(variables, ROWS, update_stats=False),
        _both(nn.ConvLocal(2, (3, 3)), IMAGE),
        _both(nn.Einsum((6, 3), "ab,bc->ac"), ROWS),
        _both(nn.DenseGeneral((3, 2), axis=(-2, -1)), SEQUENCE),
    )


def decoding():
    attention = nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=8, decode=True)
    return attention.apply(attention.init(KEY, SEQUENCE), SEQUENCE[:, :1], mutable=["cache"])


class _Controlled(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.Dense(6)
        self.sow("intermediates", "first", layer(x))
        x = nn.cond(True, lambda m, y: m(y), lambda _, y: y, layer, x)
        return nn.while_loop(
            lambda _, c: c[0] < 3,
            lambda m, c: (c[0] + 1, m(c[1])),
            layer,
            (0, x),
            carry_variables=[],
            broadcast_variables="params",
        )[1]


def control_flow():
    return _both(_Controlled(), ROWS)


def partitioned():
    layer = nn.Dense(3, kernel_init=nn.with_partitioning(nn.initializers.lecun_normal(), (None, "model")))
    variables = layer.init(KEY, ROWS)
    return nn.get_partition_spec(variables)["params"]["kernel"] == jax.sharding.PartitionSpec(None, "model"), layer.apply(
        variables, ROWS
    )


def one_device():
    mapped = jax.pmap(lambda x: jax.lax.pmean(nn.Dense(3).apply(nn.Dense(3).init(KEY, x), x), "batch"), axis_name="batch")
    return jax_utils.unreplicate(jax_utils.replicate({"a": ROWS})), mapped(ROWS[None])


def training_state():
    model = _MLP()
    params = model.init(KEY, ROWS)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    gradients = jax.tree.map(jnp.cos, params)
    return state.apply_gradients(grads=gradients).params


def saved():
    variables = _MLP().init(KEY, ROWS)
    again = serialization.from_bytes(variables, serialization.to_bytes(variables))
    return again, traverse_util.flatten_dict(variables["params"], sep="/")


def _loss(variables):
    return jnp.sum(nn.Dense(3).apply(variables, ROWS))


def _loss(module):
    def loss(params, x, labels):
        return optax.softmax_cross_entropy_with_integer_labels(module.apply({"params": params}, x), labels).mean()

    return loss


def training():
    results = []
    for module, x in ((_MLP(), ROWS), (_CNN(), IMAGE)):
        state = train_state.TrainState.create(apply_fn=module.apply, params=module.init(KEY, x)["params"], tx=optax.adam(1e-2))
        step, losses = jax.jit(jax.value_and_grad(_loss(module))), []
        for _ in range(3):
            value, gradients = step(state.params, x, jnp.arange(len(x)) % 3)
            state = state.apply_gradients(grads=gradients)
            losses.append(value)
        results.append((losses, gradients))
    return results


def gradients_of_layers():
    layers = (
        nn.RNN(nn.LSTMCell(4)), nn.Bidirectional(nn.RNN(nn.GRUCell(4)), nn.RNN(nn.GRUCell(4))), nn.LayerNorm(),
        nn.MultiHeadDotProductAttention(num_heads=2, qkv_features=8),
    )  # fmt: skip
    found = []
    for layer in layers:
        variables = layer.init(KEY, SEQUENCE)
        found.append(
            jax.grad(lambda v, x, layer=layer: jnp.sum(jnp.cos(layer.apply(v, x))), argnums=(0, 1))(variables, SEQUENCE)
        )
    del found[-1][0]["params"]["key"]["bias"]  # zero but for the rounding
    norm = nn.BatchNorm(use_running_average=False, momentum=0.9)
    variables = norm.init(KEY, ROWS)
    found.append(jax.grad(lambda v: jnp.sum(norm.apply(v, ROWS, mutable=["batch_stats"])[0] ** 3))(variables)["params"])
    return found


def scaled_gradients():
    return dynamic_scale.DynamicScale().value_and_grad(lambda x: jnp.sum(x**2))(ROWS)[1:]


def lifted_derivatives():
    class Lifted(nn.Module):
        @nn.compact
        def __call__(self, x):
            value, pullback = nn.vjp(lambda m, y: m(y), nn.Dense(3), x)
            return value, pullback(jnp.ones_like(value))

    return _both(Lifted(), ROWS)[1], jax.grad(lambda v: nn.remat(_MLP)().apply(v, ROWS)[:, 0].sum())(_MLP().init(KEY, ROWS))
