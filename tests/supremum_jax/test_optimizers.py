"""`jax.example_libraries.optimizers`: five steps of each optimizer, with the values of JAX 0.10.2."""

import inspect

import numpy as np
import pytest

import supremum as xp
from supremum import jax

optimizers = jax.example_libraries.optimizers
STEPS = {
    "sgd": lambda: optimizers.sgd(0.1),
    "momentum": lambda: optimizers.momentum(0.1, 0.9),
    "nesterov": lambda: optimizers.nesterov(optimizers.constant(0.1), mass=0.9),
    "adagrad": lambda: optimizers.adagrad(0.1),
    "rmsprop": lambda: optimizers.rmsprop(0.1, 0.8, eps=1e-6),
    "rmsprop_momentum": lambda: optimizers.rmsprop_momentum(0.01),
    "adam": lambda: optimizers.adam(optimizers.exponential_decay(0.1, 3, 0.5)),
    "adamax": lambda: optimizers.adamax(0.1, b1=0.8),
    "sm3": lambda: optimizers.sm3(0.1),
    "polynomial": lambda: optimizers.sgd(optimizers.polynomial_decay(0.1, 3, 0.01, 2.0)),
    "inverse": lambda: optimizers.sgd(optimizers.inverse_time_decay(0.1, 2, 0.5)),
    "stairs": lambda: optimizers.sgd(optimizers.inverse_time_decay(0.1, 2, 0.5, True)),
    "pieces": lambda: optimizers.sgd(optimizers.piecewise_constant([1, 3], [0.1, 0.05, 0.01])),
}
EXPECTED = {
    "sgd": [2.274474, -1.67222, 2.211995, -1.268106, 0.2147977],
    "momentum": [3.686037, -1.515865, 1.883484, -2.427791, 0.3031253],
    "nesterov": [3.23571, -2.409706, 2.772355, -2.335013, 0.2985979],
    "adagrad": [1.094591, -1.906008, 2.906193, 0.00587292, 0.4065455],
    "rmsprop": [1.731341, -1.380906, 2.403086, -0.5751258, -0.03221686],
    "rmsprop_momentum": [1.305324, -1.700955, 2.70316, -0.2004933, 0.2073037],
    "adam": [1.331183, -1.671263, 2.672587, -0.2293206, 0.1754246],
    "adamax": [1.476372, -1.564674, 2.576059, -0.3462788, 0.0971585],
    "sm3": [1.094644, -1.925281, 2.906193, 0.005872842, 0.4066455],
    "polynomial": [1.656555, -1.695991, 2.333921, -0.6707467, 0.2450676],
    "inverse": [2.03489, -1.638468, 2.21046, -1.02971, 0.2188809],
    "stairs": [2.091538, -1.637313, 2.200739, -1.084515, 0.2166392],
    "pieces": [1.955287, -1.632492, 2.214387, -0.9531837, 0.2205452],
}
PARAMETERS = {"w": xp.asarray([[1.0, -2.0], [3.0, 0.1]]), "b": (xp.asarray(0.5),)}


def loss(tree):
    return xp.sum((xp.sum(tree["w"], axis=1) + tree["b"][0] - 1) ** 2) + xp.sum(xp.cos(tree["w"]))


def test_steps():
    for name, make in STEPS.items():
        init, update, parameters = make()
        state = init(PARAMETERS)
        for i in range(5):
            state = update(i, jax.grad(loss)(parameters(state)), state)
        found = parameters(state)
        values = [*found["w"].ravel().tolist(), float(found["b"][0])]
        np.testing.assert_allclose(values, EXPECTED[name], rtol=1e-5, atol=1e-6, err_msg=name)

        def step(state, i, update=update, parameters=parameters):
            return update(i, jax.grad(loss)(parameters(state)), state), i

        scanned, _ = jax.lax.scan(step, init(PARAMETERS), xp.arange(5))
        np.testing.assert_allclose(parameters(scanned)["w"], found["w"], rtol=1e-5, atol=1e-6, err_msg=name)


def test_states_are_trees_and_may_be_stored():
    init, _, parameters = optimizers.adam(0.1)
    state = init(PARAMETERS)
    points = optimizers.unpack_optimizer_state(state)
    assert type(points["b"][0]) is optimizers.JoinPoint
    assert [float(x) for x in next(iter(points["b"][0]))] == [0.5, 0, 0]
    again = optimizers.pack_optimizer_state(points)
    assert jax.tree_util.tree_structure(again) == jax.tree_util.tree_structure(state)
    assert parameters(again)["w"].tolist() == PARAMETERS["w"].tolist()


def test_norms_and_clipped_gradients():
    tree = {"a": xp.asarray([3.0]), "b": xp.asarray([[4.0]])}
    assert float(optimizers.l2_norm(tree)) == 5
    assert float(optimizers.clip_grads(tree, 10.0)["b"][0, 0]) == 4
    clipped = optimizers.clip_grads(tree, 1.0)
    np.testing.assert_allclose([float(clipped["a"][0]), float(clipped["b"][0, 0])], [0.6, 0.8], 1e-6)


def test_errors_and_signatures():
    state = optimizers.sgd(0.1).init_fn(PARAMETERS)
    for call, error, words in (
        (lambda: optimizers.sgd([1.0]), TypeError, "a number or a function"),
        (lambda: optimizers.piecewise_constant(1, [1, 2.0]), ValueError, "must be sequences"),
        (lambda: optimizers.piecewise_constant([1, 2], [1, 2.0]), ValueError, "one shorter"),
        (lambda: optimizers.sgd(0.1).update_fn(0, {"w": PARAMETERS["w"]}, state), TypeError, "tree structure"),
        (lambda: optimizers.momentum(0.1), TypeError, "mass"),
        (lambda: jax.example_libraries.stax.serial(), NotImplementedError, "missing"),
    ):
        with pytest.raises(error, match=words):
            call()
    assert list(inspect.signature(optimizers.adam).parameters) == ["step_size", "b1", "b2", "eps"]
