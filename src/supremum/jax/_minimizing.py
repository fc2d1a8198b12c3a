"""Minimization by the method of Broyden, Fletcher, Goldfarb and Shanno, with JAX's steps.

The algorithms are 6.1, 3.5 and 3.6 of Nocedal and Wright, Numerical Optimization (1999). As in JAX, they are loops of `lax`
over dictionaries, without branches, so that they can be recorded and mapped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum import Array
from supremum.jax import lax
from supremum.jax._gradients import value_and_grad

State = dict[str, Any]

#: Wolfe's conditions: the least decrease, and the greatest slope that is left, as shares of the first slope.
_DECREASE, _SLOPE = 1e-4, 0.9
#: How far within an interval the minima of a cubic and of a quadratic must be, as shares of it.
_CUBIC, _QUADRATIC = 0.2, 0.1
#: How often an interval is made smaller at most.
_ZOOMS: Final = 30
#: The step at which a float of less than 64 bits stops to change.
_SMALLEST: Final = 1e-8


def minimize_bfgs(
    fun: Callable[[Array], Any],
    x0: Array,
    maxiter: int | None = None,
    norm: float = np.inf,
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> State:
    """Return the last state of the minimization of a function of an array with one axis."""
    most = x0.size * 200 if maxiter is None else maxiter
    value, gradient = value_and_grad(fun)(x0)
    one = xp.eye(x0.shape[0], dtype=x0.dtype)

    def body(s: State) -> State:
        direction = -xp.dot(s["hess_inv"], s["jac"])
        found = _line_search(fun, s, direction, line_search_maxiter)
        step = found["a"] * direction
        change = found["jac"] - s["jac"]
        rho = xp.reciprocal(xp.dot(change, step))
        # Of the products of JAX's update of the inverse, which cancel, what is left.
        product = xp.dot(s["hess_inv"], change)
        mixed = product[:, None] * step[None, :]
        scale = rho * (1 + rho * xp.dot(change, product))
        inverse = s["hess_inv"] - rho * (mixed + mixed.T) + scale * step[:, None] * step[None, :]
        return {
            "x": s["x"] + step,
            "fun": found["fun"],
            "jac": found["jac"],
            "hess_inv": xp.where(xp.isfinite(rho), inverse, s["hess_inv"]),
            "before": s["fun"],
            "converged": xp.linalg.norm(found["jac"], ord=norm) < gtol,
            "failed": found["failed"],
            "reason": found["reason"],
            "calls": s["calls"] + found["calls"],
            "nit": s["nit"] + 1,
        }

    start = {
        "x": x0, "fun": value, "jac": gradient, "hess_inv": one, "before": value + xp.linalg.norm(gradient) / 2,
        "converged": xp.linalg.norm(gradient, ord=norm) < gtol, "failed": False, "reason": 0, "calls": 1, "nit": 0,
    }  # fmt: skip
    s: State = lax.while_loop(lambda s: ~s["converged"] & ~s["failed"] & (s["nit"] < most), body, start)
    failure = xp.where(s["nit"] == most, 1, xp.where(s["failed"], 2 + s["reason"], -1))
    return {**s, "status": xp.where(s["converged"], 0, failure), "success": s["converged"] & ~s["failed"]}


def _line_search(fun: Callable[[Array], Any], at: State, direction: Array, most: int) -> State:
    """Return the step along a direction that satisfies Wolfe's conditions, with what the function has there."""
    node = direction.dtype
    first, slope = at["fun"], xp.dot(at["jac"], direction)
    guess = 1.01 * 2 * (first - at["before"]) / slope
    guess = xp.where(guess > 1, 1.0, guess)

    def along(a: Array) -> State:
        value, gradient = value_and_grad(fun)(at["x"] + a * direction)
        return {"a": a, "fun": value, "dot": xp.dot(gradient, direction), "jac": gradient}

    def decreases_little(point: State) -> Array:
        return point["fun"] > first + _DECREASE * point["a"] * slope

    def is_flat(point: State) -> Array:
        return xp.abs(point["dot"]) <= -_SLOPE * slope

    start = {"a": xp.zeros((), dtype=node), "fun": first, "dot": slope, "jac": at["jac"]}

    def body(s: State) -> State:
        last = s["last"]
        point = along(xp.astype(xp.where(s["i"] == 1, guess, last["a"] * 2.0), node))
        beyond = decreases_little(point) | ((point["fun"] >= last["fun"]) & (s["i"] > 1))
        good = is_flat(point) & ~beyond
        uphill = (point["dot"] >= 0.0) & ~beyond & ~good
        forward = _zoom(along, decreases_little, is_flat, last, point, at["jac"], ~beyond)
        backward = _zoom(along, decreases_little, is_flat, point, last, at["jac"], ~uphill)
        best = s["best"]
        for flag, found in ((beyond, forward["best"]), (good, point), (uphill, backward["best"])):
            best = _chosen(flag, found, best)
        return {
            "done": s["done"] | beyond | good | uphill,
            "failed": s["failed"] | (beyond & forward["failed"]) | (uphill & backward["failed"]),
            "i": s["i"] + 1,
            "calls": s["calls"] + 1 + forward["j"] + backward["j"],
            "last": point,
            "best": best,
        }

    s: State = {"done": False, "failed": False, "i": 1, "calls": 0, "last": start, "best": start}
    s = lax.while_loop(lambda s: ~s["done"] & (s["i"] <= most) & ~s["failed"], body, s)
    a = s["best"]["a"]
    if xp.finfo(node).bits != 64:
        a = xp.where(xp.abs(a) < _SMALLEST, xp.sign(a) * _SMALLEST, a)
    reason = xp.where(s["failed"], 1, xp.where(s["i"] > most, 3, 0))
    return {**s["best"], "a": a, "failed": s["failed"] | ~s["done"], "reason": reason, "calls": s["calls"]}


def _zoom(
    along: Callable[[Array], State],
    decreases_little: Callable[[State], Array],
    is_flat: Callable[[State], Array],
    low: State,
    high: State,
    gradient: Array,
    skip: Array,
) -> State:
    """Return the state in which a step between two points satisfies Wolfe's conditions; the calls are its number `j`."""
    threshold = 1e-5 if xp.finfo(low["a"].dtype).bits < 64 else 1e-10

    def body(s: State) -> State:
        low, high, third = s["low"], s["high"], s["third"]
        length = high["a"] - low["a"]
        left, right = xp.minimum(high["a"], low["a"]), xp.maximum(high["a"], low["a"])
        cubic, quadratic = _least_of_cubic(low, high, third), _least_of_quadratic(low, high)
        by_cubic = (s["j"] > 0) & (cubic > left + _CUBIC * length) & (cubic < right - _CUBIC * length)
        inside = (quadratic > left + _QUADRATIC * length) & (quadratic < right - _QUADRATIC * length)
        by_quadratic = ~by_cubic & inside
        a = xp.where(by_cubic, cubic, xp.where(by_quadratic, quadratic, (low["a"] + high["a"]) / 2.0))
        point = along(a)
        to_high = decreases_little(point) | (point["fun"] >= low["fun"])
        good = is_flat(point) & ~to_high
        turned = (point["dot"] * length >= 0.0) & ~to_high & ~good
        to_low = ~to_high & ~good
        replaced = {key: xp.where(to_high | turned, high[key], low[key]) for key in third}
        return {
            "done": s["done"] | good,
            "failed": s["failed"] | (length <= threshold) | (s["j"] + 1 >= _ZOOMS),
            "j": s["j"] + 1,
            "low": _chosen(to_low, point, low),
            "high": _chosen(to_high, point, _chosen(turned, low, high)),
            "third": _chosen(to_high | to_low, replaced, third),
            "best": _chosen(good, point, s["best"]),
        }

    third = {key: (low[key] + high[key]) / 2.0 for key in ("a", "fun")}
    best = {**low, "a": xp.ones_like(low["a"]), "jac": gradient}
    start = {"done": False, "failed": False, "j": 0, "low": low, "high": high, "third": third, "best": best}
    return lax.while_loop(lambda s: ~s["done"] & ~skip & ~s["failed"], body, start)


def _chosen(flag: Array, found: State, other: State) -> State:
    """Return a point, or another one, by a condition."""
    return {key: xp.where(flag, found[key], x) for key, x in other.items()}


def _least_of_cubic(low: State, high: State, third: State) -> Array:
    """Return where the cubic of three values and the first one's slope is least; NaN if it has no minimum."""
    c = low["dot"]
    b, d = high["a"] - low["a"], third["a"] - low["a"]
    below = (b * d) ** 2 * (b - d)
    first, second = high["fun"] - low["fun"] - c * b, third["fun"] - low["fun"] - c * d
    cube = (d**2 * first - b**2 * second) / below
    square = (-(d**3) * first + b**3 * second) / below
    return low["a"] + (-square + xp.sqrt(square * square - 3.0 * cube * c)) / (3.0 * cube)


def _least_of_quadratic(low: State, high: State) -> Array:
    """Return where the quadratic of two values and the first one's slope is least."""
    length = high["a"] - low["a"]
    square = (high["fun"] - low["fun"] - low["dot"] * length) / length**2
    return low["a"] - low["dot"] / (2.0 * square)
