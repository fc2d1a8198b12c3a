"""Optimizers and schedules of step sizes, of ``jax.example_libraries.optimizers``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import reduce, wraps
from typing import Any, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum.jax import _tree
from supremum.jax.tree_util import register_pytree_node, tree_map


class OptimizerState(NamedTuple):
    """The state of an optimizer: the leaves that belong to each parameter, and the trees that they are leaves of."""

    packed_state: Any
    tree_def: Any
    subtree_defs: Any


register_pytree_node(
    OptimizerState, lambda state: ((state[0],), state[1:]), lambda trees, children: OptimizerState(children[0], *trees)
)


class Optimizer(NamedTuple):
    """The functions of an optimizer: parameters to a state; step, gradients and state to a state; a state to parameters."""

    init_fn: Callable[[Any], Any]
    update_fn: Callable[[Any, Any, Any], Any]
    params_fn: Callable[[Any], Any]


class JoinPoint:
    """Where the state of one parameter is, in the tree that `unpack_optimizer_state` returns."""

    def __init__(self, subtree: Any) -> None:
        self.subtree = subtree

    def __iter__(self) -> Any:
        yield self.subtree


def _packed(states: list[Any], tree: Any) -> OptimizerState:
    flat = [_tree.flatten(state) for state in states]
    return OptimizerState([leaves for leaves, _ in flat], tree, tuple([structure for _, structure in flat]))


def _states(state: OptimizerState) -> list[Any]:
    return [tree.unflatten(leaves) for tree, leaves in zip(state.subtree_defs, state.packed_state, strict=True)]


def optimizer(opt_maker: Callable[..., Any]) -> Callable[..., Optimizer]:
    """Make an optimizer of trees of parameters from one of a single array."""

    @wraps(opt_maker)
    def made(*args: Any, **kwargs: Any) -> Optimizer:
        init, update, params = opt_maker(*args, **kwargs)

        def init_all(x0: Any) -> OptimizerState:
            leaves, tree = _tree.flatten(x0)
            return _packed(list(map(init, leaves)), tree)

        def update_all(i: Any, grads: Any, state: OptimizerState) -> OptimizerState:
            leaves, tree = _tree.flatten(grads)
            if tree != state.tree_def:
                raise TypeError(f"{made.__name__}: the gradients have tree structure {tree}, the parameters {state.tree_def}")
            found = _packed([update(i, g, own) for g, own in zip(leaves, _states(state), strict=True)], tree)
            if found.subtree_defs != state.subtree_defs:
                raise TypeError(
                    f"{made.__name__}: the state of a parameter changes from {state.subtree_defs} to {found.subtree_defs}"
                )
            return found

        return Optimizer(init_all, update_all, lambda state: state.tree_def.unflatten(map(params, _states(state))))

    return made


def _by_rule(begin: Callable[[Any], tuple[Any, ...]]) -> Callable[[Callable[..., Any]], Callable[..., Optimizer]]:
    """Make an optimizer of the rule of its steps: it gets the step, its size, the gradient, the parameter and more state.

    `begin` returns that state for a parameter. What the rule takes by keyword alone are options of the optimizer.
    """

    def decorate(rule: Callable[..., Any]) -> Callable[..., Optimizer]:
        def maker(step_size: Any, *args: Any, **kwargs: Any) -> Any:
            size_at = make_schedule(step_size)
            given = signature.bind(step_size, *args, **kwargs).arguments
            del given["step_size"]
            return (
                lambda x: (x, *begin(x)),
                lambda i, g, state: rule(i, size_at(i), g, *state, **given),
                lambda state: state[0],
            )

        either = inspect.Parameter.POSITIONAL_OR_KEYWORD
        options = [one for one in inspect.signature(rule).parameters.values() if one.kind is one.KEYWORD_ONLY]
        signature = inspect.Signature([inspect.Parameter("step_size", either), *[one.replace(kind=either) for one in options]])
        maker.__name__, maker.__doc__ = rule.__name__, rule.__doc__
        maker.__module__ = "supremum.jax.example_libraries.optimizers"
        made = optimizer(maker)
        made.__signature__ = signature  # type: ignore[attr-defined]  # of a function
        return made

    return decorate


def _zeros(count: int) -> Callable[[Any], tuple[Any, ...]]:
    return lambda x: (xp.zeros_like(x),) * count


def _inverse_root(x: Any) -> Array:
    return xp.where(x > 0, 1.0 / xp.sqrt(x), 0.0)


def _weight(rate: Any, i: Any, like: Any) -> Any:
    """Return the sum of the weights of a moving average that began with zero."""
    return 1 - xp.asarray(rate, dtype=like.dtype) ** (i + 1)


@_by_rule(_zeros(0))
def sgd(_i: Any, size: Any, g: Any, x: Any) -> Any:
    """Make an optimizer: stochastic gradient descent."""
    return (x - size * g,)


@_by_rule(_zeros(1))
def momentum(_i: Any, size: Any, g: Any, x: Any, v: Any, *, mass: Any) -> Any:
    """Make an optimizer: gradient descent with momentum."""
    v = mass * v + g
    return x - size * v, v


@_by_rule(_zeros(1))
def nesterov(_i: Any, size: Any, g: Any, x: Any, v: Any, *, mass: Any) -> Any:
    """Make an optimizer: gradient descent with Nesterov's momentum."""
    v = mass * v + g
    return x - size * (mass * v + g), v


@_by_rule(_zeros(2))
def adagrad(_i: Any, size: Any, g: Any, x: Any, squares: Any, m: Any, *, momentum: Any = 0.9) -> Any:
    """Make an optimizer: Adagrad."""
    squares = squares + xp.square(g)
    m = (1.0 - momentum) * (g * _inverse_root(squares)) + momentum * m
    return x - size * m, squares, m


@_by_rule(_zeros(1))
def rmsprop(_i: Any, size: Any, g: Any, x: Any, mean: Any, *, gamma: Any = 0.9, eps: Any = 1e-8) -> Any:
    """Make an optimizer: RMSProp."""
    mean = mean * gamma + xp.square(g) * (1.0 - gamma)
    return x - size * g / xp.sqrt(mean + eps), mean


@_by_rule(_zeros(2))
def rmsprop_momentum(
    _i: Any, size: Any, g: Any, x: Any, mean: Any, m: Any, *, gamma: Any = 0.9, eps: Any = 1e-8, momentum: Any = 0.9
) -> Any:
    """Make an optimizer: RMSProp with momentum."""
    mean = mean * gamma + xp.square(g) * (1.0 - gamma)
    m = momentum * m + size * g / xp.sqrt(mean + eps)
    return x - m, mean, m


@_by_rule(_zeros(2))
def adam(i: Any, size: Any, g: Any, x: Any, m: Any, v: Any, *, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8) -> Any:
    """Make an optimizer: Adam."""
    m = (1 - b1) * g + b1 * m
    v = (1 - b2) * xp.square(g) + b2 * v
    return x - size * (m / _weight(b1, i, m)) / (xp.sqrt(v / _weight(b2, i, m)) + eps), m, v


@_by_rule(_zeros(2))
def adamax(i: Any, size: Any, g: Any, x: Any, m: Any, u: Any, *, b1: Any = 0.9, b2: Any = 0.999, eps: Any = 1e-8) -> Any:
    """Make an optimizer: AdaMax, Adam by the greatest gradients."""
    m = (1 - b1) * g + b1 * m
    u = xp.maximum(b2 * u, xp.abs(g))
    return x - size / _weight(b1, i, m) * m / (u + eps), m, u


@_by_rule(lambda x: (xp.zeros(x.shape or 1, dtype=x.dtype), [xp.zeros(n, dtype=x.dtype) for n in x.shape or (1,)]))
def sm3(_i: Any, size: Any, g: Any, x: Any, m: Any, vs: Any, *, momentum: Any = 0.9) -> Any:
    """Make an optimizer: SM3, whose memory is one number for each position along each axis."""
    ndim = len(vs)  # of a scalar, 1
    spread = [xp.reshape(v, [-1 if i == axis else 1 for i in range(ndim)]) for axis, v in enumerate(vs)]
    g = xp.reshape(g, m.shape)
    squares = reduce(xp.minimum, spread) + xp.square(g)
    m = (1.0 - momentum) * (g * _inverse_root(squares)) + momentum * m
    greatest = [xp.max(squares, axis=tuple([i for i in range(ndim) if i != axis])) for axis in range(ndim)]
    return x - size * xp.reshape(m, x.shape), m, greatest


# -- schedules ----------------------------------------------------------------------------------------------------------------


def make_schedule(scalar_or_schedule: Any) -> Callable[[Any], Any]:
    """Return a schedule of step sizes: the one given, or one that returns a number."""
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if np.ndim(scalar_or_schedule):
        raise TypeError(f"make_schedule: expected a number or a function, got {type(scalar_or_schedule)}")
    return constant(scalar_or_schedule)


def constant(step_size: Any) -> Callable[[Any], Any]:
    """Return the schedule of one step size."""
    return lambda _: step_size


def exponential_decay(step_size: Any, decay_steps: Any, decay_rate: Any) -> Callable[[Any], Any]:
    """Return a schedule: the step size is multiplied by a rate each so many steps."""
    return lambda i: step_size * decay_rate ** (i / decay_steps)


def inverse_time_decay(step_size: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False) -> Callable[[Any], Any]:
    """Return a schedule: the step size is divided by a number that grows with the steps, or each so many steps."""
    if staircase:
        return lambda i: step_size / (1 + decay_rate * xp.floor(i / decay_steps))
    return lambda i: step_size / (1 + decay_rate * i / decay_steps)


def polynomial_decay(step_size: Any, decay_steps: Any, final_step_size: Any, power: Any = 1.0) -> Callable[[Any], Any]:
    """Return a schedule: from one step size to another, by a power of the share of the steps that is left."""
    return lambda i: (1 - xp.minimum(i, decay_steps) / decay_steps) ** power * (step_size - final_step_size) + final_step_size


def piecewise_constant(boundaries: Any, values: Any) -> Callable[[Any], Any]:
    """Return a schedule: one step size up to each boundary, and one after them."""
    ends, sizes = xp.asarray(boundaries), xp.asarray(values)
    if ends.ndim != 1 or sizes.ndim != 1:
        raise ValueError("boundaries and values must be sequences")
    if ends.size != sizes.size - 1:
        raise ValueError("boundaries length must be one shorter than values length")
    return lambda i: sizes[xp.sum(i > ends)]


# -- gradients, and states to be stored ---------------------------------------------------------------------------------------


def l2_norm(tree: Any) -> Any:
    """Return the norm of all elements of a tree of arrays."""
    return xp.sqrt(sum([xp.vdot(x, x) for x in _tree.flatten(tree)[0]]))


def clip_grads(grad_tree: Any, max_norm: Any) -> Any:
    """Return gradients scaled so that the norm of all is at most `max_norm`."""
    norm = l2_norm(grad_tree)
    return tree_map(lambda g: xp.where(norm < max_norm, g, g * (max_norm / norm)), grad_tree)


def unpack_optimizer_state(opt_state: OptimizerState) -> Any:
    """Return a state as a tree of the parameters' structure with a `JoinPoint` for each."""
    return opt_state.tree_def.unflatten(map(JoinPoint, _states(opt_state)))


def pack_optimizer_state(marked_pytree: Any) -> OptimizerState:
    """Return the state that `unpack_optimizer_state` made a tree of."""
    points, tree = _tree.flatten(marked_pytree)
    return _packed([point.subtree for point in points], tree)
