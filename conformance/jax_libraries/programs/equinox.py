"""equinox: modules that are trees, and filtered transformations."""

import io

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

PACKAGES = "equinox"
KEY = jax.random.key(0)
VECTOR = jnp.sin(jnp.arange(3.0))
SEQUENCE = jnp.sin(jnp.arange(40.0)).reshape(5, 8)


def mlp():
    model = eqx.nn.MLP(3, 2, 8, 2, key=KEY)
    return (
        model(VECTOR),
        eqx.filter_jit(model)(VECTOR),
        eqx.filter_vmap(model)(SEQUENCE[:, :3]),
        eqx.filter(model, eqx.is_array),
    )


def conv():
    image = jnp.cos(jnp.arange(3 * 64.0)).reshape(3, 8, 8)
    return (
        eqx.nn.Conv2d(3, 4, 3, key=KEY)(image),
        eqx.nn.ConvTranspose2d(3, 2, 3, stride=2, key=KEY)(image),
        eqx.nn.MaxPool2d(2, 2)(image),
        eqx.nn.AdaptiveAvgPool2d(2)(image),
    )


def recurrent():
    gru, lstm = eqx.nn.GRUCell(8, 4, key=KEY), eqx.nn.LSTMCell(8, 4, key=KEY)
    state = jnp.zeros(4)
    return jax.lax.scan(lambda c, x: (gru(x, c), None), state, SEQUENCE)[0], lstm(SEQUENCE[0], (state, state))


def attention():
    return eqx.nn.MultiheadAttention(2, 8, key=KEY)(SEQUENCE, SEQUENCE, SEQUENCE), eqx.nn.RotaryPositionalEmbedding(8)(
        SEQUENCE
    )


def norms():
    norm, state = eqx.nn.make_with_state(eqx.nn.BatchNorm)(4, axis_name="batch", mode="batch")
    mapped = jax.vmap(norm, axis_name="batch", in_axes=(0, None), out_axes=(0, None))
    return mapped(jnp.arange(12.0).reshape(3, 4), state)[0], eqx.nn.LayerNorm(8)(SEQUENCE[0]), eqx.nn.RMSNorm(8)(SEQUENCE[1])


def dropout_and_embedding():
    return eqx.nn.Dropout(0.5)(VECTOR, key=KEY), eqx.nn.Embedding(5, 3, key=KEY)(jnp.array(4))


def ensemble():
    models = eqx.filter_vmap(lambda key: eqx.nn.MLP(3, 2, 4, 1, key=key))(jax.random.split(KEY, 3))
    return eqx.filter_vmap(lambda m, x: m(x), in_axes=(eqx.if_array(0), None))(models, VECTOR)


def surgery():
    model = eqx.nn.Linear(3, 2, key=KEY)
    changed = eqx.tree_at(lambda m: m.bias, model, jnp.ones(2))
    params, static = eqx.partition(changed, eqx.is_inexact_array)
    return eqx.combine(jax.tree.map(lambda x: x * 2, params), static)(VECTOR)


def callbacks_and_shapes():
    called = eqx.filter_pure_callback(
        lambda x: np.asarray(x) * 2, VECTOR, result_shape_dtypes=jax.ShapeDtypeStruct((3,), "float32")
    )
    shape = eqx.filter_eval_shape(lambda x: x * 2, VECTOR)
    return called, jnp.zeros(shape.shape, shape.dtype)


def errors():
    try:
        eqx.error_if(VECTOR, jnp.array(True), "too small")
    except Exception as error:
        raised = "too small" in str(error)
    return eqx.error_if(VECTOR, jnp.array(False), "too small"), jnp.array(raised)


def further_layers():
    rows = SEQUENCE[:4, :6]
    spectral, state = eqx.nn.make_with_state(eqx.nn.SpectralNorm)(eqx.nn.Linear(3, 2, key=KEY), "weight", key=KEY)
    return [
        eqx.nn.GroupNorm(2, 6)(rows.T),
        eqx.nn.PReLU()(VECTOR),
        eqx.nn.WeightNorm(eqx.nn.Linear(3, 2, key=KEY))(VECTOR),
        eqx.nn.Conv1d(4, 2, 3, key=KEY)(rows),
        eqx.nn.AvgPool1d(2, 2)(rows),
        eqx.nn.Sequential([eqx.nn.Linear(3, 3, key=KEY), eqx.nn.Lambda(jax.nn.relu)])(VECTOR),
        eqx.nn.inference_mode(eqx.nn.Dropout(0.5))(VECTOR),
        spectral(VECTOR, state)[0],
    ]


def saved():
    file, model = io.BytesIO(), eqx.nn.Linear(3, 2, key=KEY)
    eqx.tree_serialise_leaves(file, model)
    file.seek(0)
    return eqx.tree_deserialise_leaves(file, model), eqx.tree_equal(model, model), jnp.array(len(eqx.tree_pformat(model)))


def transformed():
    return (
        eqx.filter_closure_convert(lambda x: x * 2, VECTOR)(VECTOR),
        eqx.filter_checkpoint(lambda x: x * 2)(VECTOR),
        eqx.filter_pmap(lambda x: x * 2)(VECTOR[None]),
        eqx.internal.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, VECTOR), kind="lax")[1],
    )


def training():
    model = eqx.nn.MLP(3, 2, 8, 2, key=KEY)

    @eqx.filter_jit
    @eqx.filter_value_and_grad
    def loss(model, x):
        return jnp.mean((jax.vmap(model)(x) - 1.0) ** 2)

    losses = []
    for _ in range(4):
        value, gradients = loss(model, SEQUENCE[:, :3])
        model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, gradients))
        losses.append(value)
    return losses, eqx.filter(model, eqx.is_array)


def gradients_of_layers():
    gru, attention = eqx.nn.GRUCell(8, 4, key=KEY), eqx.nn.MultiheadAttention(2, 8, key=KEY)

    def unrolled(cell):
        return jax.lax.scan(lambda c, x: (cell(x, c), None), jnp.zeros(4), SEQUENCE)[0].sum()

    return (
        eqx.filter_grad(unrolled)(gru),
        eqx.filter_grad(lambda m: jnp.sum(m(SEQUENCE, SEQUENCE, SEQUENCE) ** 2))(attention),
        eqx.filter_vjp(lambda m: m(VECTOR), eqx.nn.Linear(3, 2, key=KEY))[1](jnp.ones(2))[0].weight,
        eqx.filter_hessian(lambda x: jnp.sum(x**3))(VECTOR),
        eqx.filter_jacrev(jnp.sin)(VECTOR),
    )


def forward_derivatives():
    return eqx.filter_jacfwd(jnp.sin)(VECTOR), eqx.filter_jvp(lambda x, y: (jnp.sin(x) * y, 3), (VECTOR, 2.0), (VECTOR, None))


def recorded():
    program, out, _ = eqx.filter_make_jaxpr(lambda x: x * 2)(VECTOR)
    return jnp.zeros(out.shape, out.dtype), jax.core.eval_jaxpr(program.jaxpr, program.consts, VECTOR)


def checkpointed():
    return eqx.internal.while_loop(
        lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * VECTOR), (0, VECTOR), kind="checkpointed", max_steps=4
    )
