"""chex: assertions and dataclasses."""

import chex
import jax
import jax.numpy as jnp

PACKAGES = "chex"
X = jnp.arange(6.0).reshape(2, 3)


@chex.dataclass
class _State:
    position: chex.Array
    step: int


def dataclasses():
    state = _State(position=X, step=jnp.array(1))
    return (
        jax.tree.map(lambda x: x + 1, state),
        state.replace(step=jnp.array(3)).step,
        jax.vmap(lambda s: s.position.sum(), in_axes=(_State(position=0, step=None),))(state),
    )


def assertions():
    calls = [
        (chex.assert_shape, X, (2, 3)), (chex.assert_shape, X, (3, 2)), (chex.assert_rank, X, 2), (chex.assert_rank, X, {1, 3}), (chex.assert_type, X, float), (chex.assert_type, X, int),
        (chex.assert_equal_shape, [X, X]), (chex.assert_equal_shape, [X, X.T]), (chex.assert_trees_all_close, {"a": X}, {"a": X}), (chex.assert_trees_all_close, {"a": X}, {"a": X + 1}),
        (chex.assert_trees_all_equal, (X,), (X,)), (chex.assert_trees_all_equal_shapes_and_dtypes, X, X.astype(int)), (chex.assert_tree_all_finite, X), (chex.assert_tree_all_finite, X / 0),
        (chex.assert_scalar_in, 0.5, 0, 1), (chex.assert_scalar_positive, -1.0), (chex.assert_axis_dimension, X, 1, 3), (chex.assert_is_broadcastable, (3,), (2, 3)),
    ]  # fmt: skip
    found = []
    for function, *args in calls:
        try:
            function(*args)
            found.append(1)
        except AssertionError:
            found.append(0)
    return jnp.array(found)


def traces_are_counted():
    @chex.assert_max_traces(n=5)
    def double(x):
        return 2 * x

    return double(X), double(X)


def numerical_gradients():
    chex.assert_numerical_grads(lambda x: x**2, (X,), 1)
    try:
        chex.assert_numerical_grads(lambda x: jax.lax.stop_gradient(x) * x, (X,), 1)
    except AssertionError:
        return jnp.array(True)
    return jnp.array(False)


def checks_are_collected():
    def halve(x):
        chex.assert_tree_all_finite(x)
        return x / 2

    checked = chex.chexify(jax.jit(halve), async_check=False)
    try:
        checked(X / 0)
    except Exception as error:
        return checked(X), jnp.array("finite" in str(error))
    return checked(X), jnp.array(False)
