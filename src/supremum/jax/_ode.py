"""`odeint`: ordinary differential equations by the method of Dormand and Prince, with steps chosen as JAX chooses them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np

import supremum as xp
from supremum import Array
from supremum._base.exceptions import describe
from supremum.jax import _tree
from supremum.jax._custom_rules import zero_of
from supremum.jax._derivatives import closure_convert, custom_vjp
from supremum.jax._dual import differentiable, is_differentiating
from supremum.jax._gradients import vjp
from supremum.jax._loops import recorded_once
from supremum.jax._values import as_leaf, as_leaves, ravel_pytree
from supremum.jax._vmap import vmap
from supremum.jax.lax import scan, while_loop

#: The tableau: where a stage is, what it takes of the stages before it, the solution, and the estimate of its error.
_NODES: Final = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES: Final = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_SOLUTION: Final = (*_STAGES[-1], 0)
_LOWER_ORDER: Final = (1951 / 21600, 0, 22642 / 50085, 451 / 720, -12231 / 42400, 649 / 6300, 1 / 60)
_ERROR: Final = tuple(a - b for a, b in zip(_SOLUTION, _LOWER_ORDER, strict=True))
#: The solution in the middle of a step.
_MIDDLE: Final = tuple(
    c / 2
    for c in (
        6025192743 / 30085553152, 0, 51252292925 / 65400821598, -2691868925 / 45128329728, 187940372067 / 1594534317056,
        -1776094331 / 19743644256, 11237099 / 235043384,
    )
)  # fmt: skip
#: The least and the largest factor by which a step changes, and the share of the step that the error would allow.
_SHRINK, _GROW, _SAFETY = 0.2, 10.0, 0.9


def odeint(
    func: Callable[..., Any],
    y0: Any,
    t: Any,
    *args: Any,
    rtol: float = 1.4e-8,
    atol: float = 1.4e-8,
    mxstep: float = np.inf,
    hmax: float = np.inf,
) -> Any:
    """Solve an ordinary differential equation from an initial value.

    Parameters
    ----------
    func : callable
        The derivative ``func(y, t, *args)``, a tree like `y0`.
    y0 : tree of arrays
        The value at ``t[0]``.
    t : array of floats
        Times, in increasing order.
    *args : trees of arrays
        Further arguments of the function.
    rtol, atol : float
        The error of a step, relative and absolute.
    mxstep : int
        How many steps there are between two times at most.
    hmax : float
        The length of a step at most.

    Returns
    -------
    tree of arrays
        The values at all times, along the first axis.

    Examples
    --------
    >>> import supremum as xp
    >>> from supremum.jax.experimental.ode import odeint
    >>> odeint(lambda y, t: -y, 1.0, xp.asarray([0.0, 1.0, 2.0])).round(4)
    Array([1.    , 0.3679, 0.1353], dtype=float32)
    """
    for arg in _tree.flatten(args)[0]:
        try:
            as_leaf(arg)
        except TypeError:
            raise TypeError(f"The contents of odeint *args must be arrays or scalars, but got {arg}.") from None
    times = as_leaf(t)
    if times._node.kind != "f":
        raise TypeError(f"odeint: t is an array of floats, got {describe(t)}")
    leaves, structure = as_leaves(y0)
    flat, unravel = ravel_pytree(structure.unflatten(leaves))
    limits, converted = (rtol, atol, mxstep, hmax), func
    closed: Any = ()
    if is_differentiating():
        converted, closed = closure_convert(func, unravel(flat), times[0], *args)

    def derivative(y: Array, time: Array, *args: Any) -> Array:
        return ravel_pytree(converted(unravel(y), time, *args))[0]

    f = _Derivative(derivative, func, (structure, *[(x.shape, x._node) for x in leaves]))
    return vmap(unravel)((_solution if is_differentiating() else _solution_of)(f, limits, flat, times, *args, *closed))


class _Derivative(NamedTuple):
    """The derivative of flat values, the user's function that it calls, and what else it depends on."""

    call: Callable[..., Array]
    of: Callable[..., Any]
    key: tuple[Any, ...]


def _once(name: str, f: _Derivative, limits: tuple[Any, ...], call: Callable[..., list[Any]], *operands: Any) -> list[Any]:
    """Return the results of a call, of which the program is kept with the user's function."""
    leaves, structure = as_leaves(operands)

    def flat(xs: list[Any]) -> list[Any]:
        return call(*structure.unflatten(xs))

    known = all(isinstance(x, int | float) for x in limits)
    return recorded_once(f.of, (name, limits, f.key, structure), flat, leaves) if known else flat(leaves)


def _solution_of(f: _Derivative, limits: tuple[Any, ...], y: Array, times: Array, *args: Any) -> Array:
    def solved(y: Array, times: Array, *args: Any) -> list[Any]:
        return [_solve(lambda y, time: f.call(y, time, *args), y, times, *limits)]

    return _once("odeint", f, limits, solved, y, times, *args)[0]


def _forward(f: _Derivative, limits: tuple[Any, ...], y: Array, times: Array, *args: Any) -> Any:
    ys = _solution(f, limits, y, times, *args)  # with its rule: there may be derivatives outside
    return ys, (ys, times, args)


def _backward(f: _Derivative, limits: tuple[Any, ...], kept: Any, cotangent: Array) -> Any:
    ys, times, args = kept
    y_bar, by_times, *bars = _once("adjoint", f, limits, partial(_adjoint, f, limits), ys, times, cotangent, *args)
    leaves, structure = as_leaves(args)
    given = iter(bars)
    return (y_bar, by_times, *structure.unflatten([next(given) if differentiable(x) else zero_of(x) for x in leaves]))


def _adjoint(f: _Derivative, limits: tuple[Any, ...], ys: Array, times: Array, cotangent: Array, *args: Any) -> list[Any]:
    """Solve the adjoint equation, from the last time to the first one."""
    leaves, structure = _tree.flatten(args)
    places = [i for i, x in enumerate(leaves) if differentiable(x)]

    def of_floats(y: Array, time: Array, *floats: Any) -> Array:
        full = list(leaves)
        for i, x in zip(places, floats, strict=True):
            full[i] = x
        return f.call(y, time, *structure.unflatten(full))

    def adjoint(state: Any, time: Array, *floats: Any) -> Any:
        y, y_bar, *_ = state
        slope, back = vjp(of_floats, y, -time, *floats)
        y_bar, time_bar, *bars = back(y_bar)
        return (-slope, y_bar, time_bar, bars)

    floats = [leaves[i] for i in places]
    rtol, atol, mxstep, hmax = limits

    def earlier(carry: Any, at: Any) -> Any:
        (y_bar, first, bars), (y, late, early, own, before) = carry, at
        # By the time of this value, and by the first one, before which nothing is.
        by_time = xp.real(xp.dot(of_floats(y, late, *floats), own))
        state = (y, y_bar, first - by_time, bars)
        found = odeint(adjoint, state, xp.stack([-late, -early]), *floats, rtol=rtol, atol=atol, mxstep=mxstep, hmax=hmax)
        _, y_bar, first, bars = _tree.flatten(found)[1].unflatten([x[1] for x in _tree.flatten(found)[0]])
        return (y_bar + before, first, bars), by_time

    carry: Any = cotangent[-1], xp.zeros((), dtype=times.dtype), [xp.zeros_like(x) for x in floats]
    columns = ys[1:], times[1:], times[:-1], cotangent[1:], cotangent[:-1]
    (y_bar, first, bars), by_time = scan(earlier, carry, columns, reverse=True)
    return [y_bar, xp.astype(xp.concatenate([first[None], by_time]), times.dtype), *bars]


_solution: Final = custom_vjp(_solution_of, nondiff_argnums=(0, 1))
_solution.defvjp(_forward, _backward)


def _solve(f: Callable[[Array, Array], Array], y: Array, times: Array, rtol: Any, atol: Any, mxstep: Any, hmax: Any) -> Array:
    slope = f(y, times[0])
    step = xp.clip(_first_step(f, times[0], y, rtol, atol, slope), min=0.0, max=hmax)
    first, y = y, xp.astype(y, xp.result_type(y.dtype, slope.dtype))
    time = xp.astype(times[0], xp.result_type(times.dtype, step.dtype))

    def advance(state: Any) -> Any:
        count, step, *found = state
        y, slope, time, _, _ = found
        stages = _stages(f, y, slope, time, step)
        length = step.astype(y.dtype)
        next_y = length * _combined(_SOLUTION, stages) + y
        scale = atol + rtol * xp.maximum(xp.abs(y), xp.abs(next_y))
        error = length * _combined(_ERROR, stages)
        ratio = xp.sqrt(xp.mean(_squared(error / scale.astype(error.dtype))))
        new = (next_y, stages[-1], time + step, time, _interpolant(y, next_y, stages, length))
        taken = [xp.where(ratio <= 1.0, after, before) for after, before in zip(new, found, strict=True)]
        return count + 1, xp.clip(_next_step(step, ratio), min=0.0, max=hmax), *taken

    def reach(carry: Any, target: Array) -> Any:
        def falls_short(state: Any) -> Any:
            return (state[4] < target) & (state[0] < mxstep) & (state[1] > 0)

        _, *carry = while_loop(falls_short, advance, (xp.asarray(0), *carry))
        _, _, _, time, last, polynomial = carry
        share = (target - last) / (time - last)
        return carry, xp.polyval(polynomial, share.astype(polynomial.dtype))

    carry = [step, y, slope, time, time, xp.stack([y] * 5)]
    _, values = scan(reach, carry, times[1:])
    return xp.concatenate([first[None], values])


def _squared(x: Array) -> Array:
    return x.real**2 + x.imag**2 if x._node.kind == "c" else x**2


def _combined(weights: tuple[float, ...], stages: Array) -> Array:
    return xp.dot(xp.asarray(weights, dtype=stages.dtype), stages)


def _stages(f: Callable[[Array, Array], Array], y: Array, slope: Array, time: Array, step: Array) -> Array:
    """Return the derivatives that a step takes, along the first axis."""
    found = [slope]
    for node, weights in zip(_NODES, _STAGES, strict=True):
        at = y + step.astype(slope.dtype) * _combined(weights, xp.stack(found))
        found.append(f(at, time + step * xp.asarray(node, dtype=step.dtype)).astype(slope.dtype))
    return xp.stack(found)


def _interpolant(y0: Array, y1: Array, stages: Array, step: Array) -> Array:
    """Return the coefficients of the polynomial of degree 4 through a step, the highest first."""
    middle = y0 + step * _combined(_MIDDLE, stages)
    d0, d1 = stages[0], stages[-1]
    return xp.stack([
        -2.0 * step * d0 + 2.0 * step * d1 - 8.0 * y0 - 8.0 * y1 + 16.0 * middle,
        5.0 * step * d0 - 3.0 * step * d1 + 18.0 * y0 + 14.0 * y1 - 32.0 * middle,
        -4.0 * step * d0 + step * d1 - 11.0 * y0 - 5.0 * y1 + 16.0 * middle,
        step * d0,
        y0,
    ])  # fmt: skip


def _first_step(f: Callable[[Array, Array], Array], time: Array, y: Array, rtol: Any, atol: Any, slope: Array) -> Array:
    """Return the length of the first step, as Hairer, Norsett and Wanner choose it (Solving ODEs I, section II.4)."""
    scale = (atol + xp.abs(y) * rtol).astype(y.dtype)
    size, speed = xp.linalg.norm(y / scale), xp.linalg.norm(slope / scale)
    guess = xp.where((size < 1e-5) | (speed < 1e-5), 1e-6, 0.01 * size / speed)
    next_slope = f(y + guess.astype(y.dtype) * slope, time + guess)
    bend = xp.linalg.norm((next_slope - slope) / scale) / guess
    step = xp.where(
        (speed <= 1e-15) & (bend <= 1e-15), xp.maximum(1e-6, guess * 1e-3), (0.01 / xp.maximum(speed, bend)) ** (1.0 / 5.0)
    )
    return xp.minimum(100.0 * guess, step)


def _next_step(step: Array, ratio: Array) -> Array:
    """Return the length of the next step, given the error of one as a multiple of what is allowed."""
    factor = xp.minimum(_GROW, xp.maximum(ratio ** (-1.0 / 5.0) * _SAFETY, xp.where(ratio < 1, 1.0, _SHRINK)))
    return xp.where(ratio == 0, step * _GROW, step * factor)
