"""optax: every transformation on given gradients and on those of a function, losses, schedules, projections."""

import jax
import jax.numpy as jnp
import optax

PACKAGES = "optax"
PARAMS = {"w": jnp.sin(jnp.arange(6.0)).reshape(3, 2), "b": jnp.array([0.5, -1.0])}
GRADIENTS = [jax.tree.map(lambda x, i=i: jnp.cos(x * (i + 2)), PARAMS) for i in range(3)]


def _steps(transformation, **words):
    params, state = PARAMS, transformation.init(PARAMS)
    for gradients in GRADIENTS:
        updates, state = transformation.update(gradients, state, params, **words)
        params = optax.apply_updates(params, updates)
    return params


def optimizers():
    names = (
        "adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad fromage lamb lars lion nadam nadamw novograd "
        "optimistic_adam_v2 optimistic_gradient_descent radam rmsprop rprop sgd sign_sgd sm3 yogi"
    )
    return {name: _steps(getattr(optax, name)(1e-2)) for name in names.split() if hasattr(optax, name)}


def optimizers_with_options():
    return [
        _steps(optax.noisy_sgd(1e-2)),
        _steps(optax.sgd(1e-2, momentum=0.9, nesterov=True)),
        _steps(optax.contrib.schedule_free_adamw(1e-2)),
        _steps(optax.contrib.prodigy(1.0)),
        _steps(optax.contrib.muon(1e-2)),
        _steps(optax.contrib.ademamix(1e-2)),
        _steps(optax.polyak_sgd(1.0), value=jnp.array(2.0)),
    ]


def transformations():
    made = [
        optax.chain(optax.clip_by_global_norm(0.5), optax.scale(-0.1)),
        optax.clip(0.2), optax.clip_by_block_rms(0.5), optax.adaptive_grad_clip(0.1), optax.add_decayed_weights(0.1), optax.add_noise(0.1, 0.5, 3),
        optax.centralize(), optax.ema(0.9), optax.trace(0.9), optax.normalize_by_update_norm(), optax.keep_params_nonnegative(),
        optax.scale_by_adam(), optax.scale_by_belief(), optax.scale_by_factored_rms(), optax.scale_by_lion(), optax.scale_by_novograd(),
        optax.scale_by_param_block_norm(), optax.scale_by_param_block_rms(), optax.scale_by_radam(), optax.scale_by_rms(), optax.scale_by_rss(),
        optax.scale_by_schedule(lambda n: 0.1 * n), optax.scale_by_sign(), optax.scale_by_sm3(), optax.scale_by_stddev(),
        optax.scale_by_trust_ratio(), optax.scale_by_yogi(), optax.stateless(lambda g, p: g), optax.zero_nans(), optax.set_to_zero(),
        optax.apply_if_finite(optax.sgd(0.1), 2), optax.MultiSteps(optax.sgd(0.1), 2),
        optax.masked(optax.sgd(0.1), {"w": True, "b": False}),
        optax.multi_transform({"a": optax.sgd(0.1), "b": optax.adam(0.1)}, {"w": "a", "b": "b"}),
        optax.inject_hyperparams(optax.sgd)(learning_rate=optax.linear_schedule(0.1, 0.0, 5)),

    ]  # fmt: skip
    return [_steps(one) for one in made]


def losses():
    x, labels = jnp.sin(jnp.arange(12.0)).reshape(4, 3), jnp.array([0, 2, 1, 1])
    one_hot = jax.nn.one_hot(labels, 3)
    return [
        optax.softmax_cross_entropy_with_integer_labels(x, labels), optax.softmax_cross_entropy(x, one_hot), optax.sigmoid_binary_cross_entropy(x, one_hot),
        optax.huber_loss(x, one_hot), optax.l2_loss(x), optax.log_cosh(x), optax.cosine_similarity(x, one_hot), optax.hinge_loss(x, one_hot),
        optax.kl_divergence(jax.nn.log_softmax(x), one_hot), optax.sigmoid_focal_loss(x, one_hot), optax.losses.poly_loss_cross_entropy(x, one_hot),
        optax.ctc_loss(jnp.sin(jnp.arange(24.0)).reshape(1, 8, 3), jnp.zeros((1, 8)), jnp.array([[1, 2, 1]]), jnp.zeros((1, 3))),
        optax.losses.ntxent(x, labels), optax.losses.triplet_margin_loss(x, x * 2, x + 1), optax.losses.ranking_softmax_loss(x, one_hot),
    ]  # fmt: skip


def schedules():
    made = [
        optax.constant_schedule(0.1), optax.cosine_decay_schedule(0.1, 10), optax.exponential_decay(0.1, 5, 0.9), optax.linear_schedule(0.1, 0.0, 7),
        optax.piecewise_constant_schedule(0.1, {3: 0.5}), optax.polynomial_schedule(0.1, 0.0, 2, 8), optax.warmup_cosine_decay_schedule(0.0, 0.1, 3, 10),
        optax.sgdr_schedule([{"init_value": 0.0, "peak_value": 0.1, "decay_steps": 5, "warmup_steps": 2}]), optax.cosine_onecycle_schedule(10, 0.1),
        optax.join_schedules([optax.constant_schedule(1.0), optax.linear_schedule(1.0, 0.0, 3)], [4]),
    ]  # fmt: skip
    return [[jnp.asarray(schedule(jnp.array(n))) for n in (0, 4, 9)] for schedule in made]


def projections_and_assignment():
    x = jnp.array([0.4, -1.0, 2.0])
    p = optax.projections
    return [
        p.projection_simplex(x), p.projection_non_negative(x), p.projection_box(x, -0.5, 0.5), p.projection_l1_ball(x), p.projection_l2_ball(x), p.projection_linf_ball(x),
        optax.assignment.hungarian_algorithm(jnp.cos(jnp.arange(9.0)).reshape(3, 3)),
        optax.global_norm(PARAMS), optax.tree.add(PARAMS, PARAMS), optax.incremental_update(PARAMS, GRADIENTS[0], 0.1),
    ]  # fmt: skip


def contributed():
    contrib, vector, value = optax.contrib, jnp.sin(jnp.arange(3.0)), {"value": jnp.array(1.0)}
    words = {"momo": value, "momo_adam": value}
    names = "acprop adopt ademamix simplified_ademamix cocob dadapt_adamw dog dowg momo momo_adam muon prodigy schedule_free_sgd galore".split()
    found = {}
    for name in names:
        transformation = getattr(contrib, name)(1e-2)
        found[name] = transformation.update(jnp.cos(vector), transformation.init(vector), vector, **words.get(name, {}))[0]
    plateau = contrib.reduce_on_plateau()
    return found, plateau.update(jnp.cos(vector), plateau.init(vector), vector, **value)[0]


def perturbed():
    return optax.perturbations.make_perturbed_fun(lambda x: x * 2, 3, 0.1)(jax.random.key(0), PARAMS["b"])


def _quadratic(params):
    return sum(jnp.sum((x - 1.0) ** 4) for x in jax.tree.leaves(params))


def training():
    found = {}
    for name in ("sgd", "adam", "adamw", "lamb", "lion", "rmsprop"):
        optimizer, params = getattr(optax, name)(1e-2), PARAMS
        state = optimizer.init(params)
        for _ in range(3):
            updates, state = optimizer.update(jax.grad(_quadratic)(params), state, params)
            params = optax.apply_updates(params, updates)
        found[name] = params
    return found


def line_searches():
    optimizer, params = optax.lbfgs(), PARAMS
    state, evaluate = optimizer.init(params), optax.value_and_grad_from_state(_quadratic)
    values = []
    for _ in range(3):
        value, gradients = evaluate(params, state=state)
        updates, state = optimizer.update(gradients, state, params, value=value, grad=gradients, value_fn=_quadratic)
        params = optax.apply_updates(params, updates)
        values.append(value)
    back = optax.chain(optax.sgd(1.0), optax.scale_by_backtracking_linesearch(max_backtracking_steps=10))
    value, gradients = jax.value_and_grad(_quadratic)(PARAMS)
    updates, _ = back.update(gradients, back.init(PARAMS), PARAMS, value=value, grad=gradients, value_fn=_quadratic)
    return values, params, updates


def second_order():
    def loss(params, inputs, targets):
        return jnp.sum((jnp.tanh(params * inputs) - targets) ** 2)

    args = PARAMS["b"], jnp.array([1.0, 2.0]), jnp.ones(2)
    sophia = optax.contrib.sophia(1e-2)
    return (
        optax.second_order.hessian_diag(loss, *args),
        optax.second_order.hvp(loss, jnp.ones(2), *args),
        sophia.update(PARAMS, sophia.init(PARAMS), PARAMS, obj_fn=_quadratic)[0],
    )


def gradients_of_losses():
    x, labels = jnp.sin(jnp.arange(12.0)).reshape(4, 3), jnp.array([0, 2, 1, 1])
    one_hot = jax.nn.one_hot(labels, 3)
    made = {
        "cross_entropy": lambda x: optax.softmax_cross_entropy_with_integer_labels(x, labels),
        "binary": lambda x: optax.sigmoid_binary_cross_entropy(x, one_hot),
        "huber": lambda x: optax.huber_loss(x, one_hot),
        "cosine": lambda x: optax.cosine_similarity(x, one_hot),
        "focal": lambda x: optax.sigmoid_focal_loss(x, one_hot),
        "ctc": lambda x: optax.ctc_loss(x[None], jnp.zeros((1, 4)), jnp.array([[1, 2]]), jnp.zeros((1, 2))),
    }
    return {name: jax.grad(lambda x, loss=loss: loss(x).sum())(x) for name, loss in made.items()}
