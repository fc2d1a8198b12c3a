"""Whole programs on small arrays, each written once for any namespace: ``program(xp, **arrays)`` gives its result.

They are of many kinds, and short: what counts is how long a step on a few elements takes, not the arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np


def kalman_filter(xp: Any, measured: Any, transition: Any, noise: Any, observe: Any) -> Any:
    """Track a point in the plane from noisy positions: matrices of 4 × 4 and 2 × 2."""
    identity = xp.eye(4, dtype=transition.dtype)
    state, spread, error = xp.zeros_like(transition[0]), identity, 0.1 * identity[:2, :2]
    for i in range(measured.shape[0]):
        state = transition @ state
        spread = transition @ spread @ transition.T + noise
        innovation = observe @ spread @ observe.T + error
        gain = spread @ observe.T @ xp.linalg.inv(innovation)
        state = state + gain @ (measured[i] - observe @ state)
        spread = (identity - gain @ observe) @ spread
    return state


def conjugate_gradient(xp: Any, matrix: Any, target: Any) -> Any:
    """Solve 64 equations by conjugate gradients."""
    x = xp.zeros_like(target)
    residual = target - matrix @ x
    direction, squared = residual, xp.vecdot(residual, residual)
    for _ in range(30):
        image = matrix @ direction
        step = squared / xp.vecdot(direction, image)
        x = x + step * direction
        residual = residual - step * image
        before, squared = squared, xp.vecdot(residual, residual)
        direction = residual + (squared / before) * direction
    return x


def edit_distance(xp: Any, first: Any, second: Any) -> Any:
    """Levenshtein's distance of two words, by rows that hold one number for each letter."""
    rows = xp.arange(second.shape[0] + 1, dtype=xp.float32)
    offsets = xp.arange(second.shape[0] + 1, dtype=xp.float32)
    for i in range(first.shape[0]):
        changed = rows[:-1] + xp.astype(second != first[i], xp.float32)
        kept = xp.minimum(changed, rows[1:] + 1)
        line = xp.concat([rows[:1] + 1, kept])
        best = line - offsets
        for shift in (1, 2, 4, 8):
            best = xp.concat([best[:shift], xp.minimum(best[shift:], best[:-shift])])
        rows = best + offsets
    return rows[-1]


def edit_distance_by_elements(xp: Any, first: Any, second: Any, table: Any) -> Any:
    """The same by single elements, which are read and written one by one."""
    table = xp.asarray(table, copy=True)
    for i in range(first.shape[0]):
        for j in range(second.shape[0]):
            cost = 0 if int(first[i]) == int(second[j]) else 1
            best = min(float(table[i, j + 1]) + 1, float(table[i + 1, j]) + 1, float(table[i, j]) + cost)
            if xp.__name__.startswith("jax"):  # its arrays do not change
                table = table.at[i + 1, j + 1].set(best)
            else:
                table[i + 1, j + 1] = best
    return table[-1, -1]


def polynomial_fits(xp: Any, x: Any, y: Any) -> Any:
    """Fit curves of growing degree by least squares, and evaluate them by Horner's rule."""
    total = xp.zeros_like(x)
    for degree in (1, 2, 3):
        design = xp.stack([x**k for k in range(degree, -1, -1)], axis=-1)
        weights = xp.linalg.solve(design.T @ design, design.T @ y)
        value = xp.zeros_like(x)
        for k in range(degree + 1):
            value = value * x + weights[k]
        total = total + (value - y) ** 2
    return xp.sum(total)


def monte_carlo(xp: Any, points: Any) -> Any:
    """Estimate π from points in a square, in batches with running errors."""
    inside = xp.zeros_like(points[0, 0, 0])
    squares = inside
    for i in range(points.shape[0]):
        x, y = points[i, 0], points[i, 1]
        share = xp.mean(xp.where(x * x + y * y < 1, xp.ones_like(x), xp.zeros_like(x)))
        inside = inside + share
        squares = squares + share * share
    mean = inside / points.shape[0]
    return 4 * mean + xp.sqrt(xp.abs(squares / points.shape[0] - mean * mean))


def rigid_bodies(xp: Any, spin: Any, inertia: Any) -> Any:
    """Euler's equations of free tops, with cross products."""
    step = 0.01
    for _ in range(30):
        momentum = inertia * spin
        torque = xp.linalg.cross(momentum, spin)
        middle = spin + 0.5 * step * torque / inertia
        spin = spin + step * xp.linalg.cross(inertia * middle, middle) / inertia
    return spin


def transformer_step(xp: Any, tokens: Any, query: Any, key: Any, value: Any, out: Any, up: Any, down: Any) -> Any:
    """Decode tokens one by one with one layer of GPT-2's kind and a cache of keys and values."""
    width = tokens.shape[1]
    keys, values = tokens[:1] @ key, tokens[:1] @ value
    x = tokens[0]
    for i in range(1, tokens.shape[0]):
        centred = tokens[i] - xp.mean(tokens[i])
        x = centred / xp.sqrt(xp.mean(centred * centred) + 1e-5)
        keys = xp.concat([keys, (x @ key)[None, :]])
        values = xp.concat([values, (x @ value)[None, :]])
        scores = (keys @ (x @ query)) * (1 / width**0.5)
        weights = xp.exp(scores - xp.max(scores))
        x = x + ((weights / xp.sum(weights)) @ values) @ out
        hidden = x @ up
        x = x + (hidden / (1 + xp.exp(-1.7 * hidden))) @ down
    return x


def gaussian_process(xp: Any, x: Any, y: Any, z: Any) -> Any:
    """Predict values and their spread, by the Cholesky factor of a matrix of covariances."""
    total = xp.zeros_like(z)
    for scale in (0.5, 1.0, 2.0):
        near = xp.exp(-0.5 * ((x[:, None] - x[None, :]) / scale) ** 2) + 0.1 * xp.eye(x.shape[0], dtype=x.dtype)
        cross = xp.exp(-0.5 * ((z[:, None] - x[None, :]) / scale) ** 2)
        factor = xp.linalg.cholesky(near)
        weights = xp.linalg.solve(factor.T, xp.linalg.solve(factor, y))
        part = xp.linalg.solve(factor, cross.T)
        total = total + cross @ weights + xp.sqrt(xp.abs(1 - xp.sum(part * part, axis=0)))
    return total


def quantile_analytics(xp: Any, prices: Any) -> Any:
    """Summarize windows of a series: order statistics, spread, and how often the median is passed."""
    window = 24
    total = xp.zeros_like(prices[0])
    for start in range(0, prices.shape[0] - window, window):
        part = xp.sort(prices[start : start + window])
        middle = (part[window // 2 - 1] + part[window // 2]) / 2
        spread = part[3 * window // 4] - part[window // 4]
        above = xp.sum(xp.astype(prices[start : start + window] > middle, prices.dtype))
        total = total + middle + spread / (1 + above) + xp.std(part) + xp.astype(xp.argmax(part), prices.dtype)
    return total


def fourier_filter(xp: Any, signal: Any, window: Any) -> Any:
    """Filter overlapping pieces of a signal in the frequency domain."""
    length = window.shape[0]
    pieces = []
    for start in range(0, signal.shape[0] - length + 1, length // 2):
        spectrum = xp.fft.rfft(signal[start : start + length] * window)
        power = xp.abs(spectrum)
        kept = xp.where(power > xp.mean(power), spectrum, xp.zeros_like(spectrum))
        pieces.append(xp.sum(xp.fft.irfft(kept) * window))
    return xp.stack(pieces)


def tensor_network(xp: Any, tensors: Any, vector: Any) -> Any:
    """The norm of a matrix product state, contracted site by site."""
    left = vector[:, None] * vector[None, :]
    for i in range(tensors.shape[0]):
        site = tensors[i]
        half = xp.tensordot(left, site, axes=1)
        left = xp.tensordot(xp.permute_dims(site, (2, 0, 1)), xp.permute_dims(half, (0, 1, 2)), axes=2)
        left = left / xp.linalg.vector_norm(left)
    return left


def hidden_markov_model(xp: Any, start: Any, move: Any, emit: Any) -> Any:
    """The likelihood of a sequence and its most likely states."""
    forward, best, total = start, xp.log(start), xp.zeros_like(start[0])
    logarithms = xp.log(move)
    for i in range(emit.shape[0]):
        forward = (forward @ move) * emit[i]
        scale = xp.sum(forward)
        forward = forward / scale
        total = total + xp.log(scale)
        best = xp.max(best[:, None] + logarithms, axis=0) + xp.log(emit[i])
    return total + xp.max(best)


def runge_kutta(xp: Any, state: Any) -> Any:
    """Lorenz' equations by the classical method of fourth order."""

    def slope(x: Any) -> Any:
        return xp.stack([10 * (x[1] - x[0]), x[0] * (28 - x[2]) - x[1], x[0] * x[1] - (8 / 3) * x[2]])

    step = 0.01
    for _ in range(25):
        first = slope(state)
        second = slope(state + step / 2 * first)
        third = slope(state + step / 2 * second)
        fourth = slope(state + step * third)
        state = state + step / 6 * (first + 2 * second + 2 * third + fourth)
    return state


def lstm(xp: Any, inputs: Any, weights: Any, recurrent: Any, bias: Any) -> Any:
    """Run a cell of 16 units over a sequence."""
    size = recurrent.shape[0]
    hidden = cell = xp.zeros_like(bias[:size])
    for i in range(inputs.shape[0]):
        gates = inputs[i] @ weights + hidden @ recurrent + bias
        enter, forget, leave = (1 / (1 + xp.exp(-gates[k * size : (k + 1) * size])) for k in range(3))
        cell = forget * cell + enter * xp.tanh(gates[3 * size :])
        hidden = leave * xp.tanh(cell)
    return hidden


def n_body(xp: Any, place: Any, speed: Any, mass: Any) -> Any:
    """Eight bodies under gravity, by leapfrog steps."""
    step = 0.01
    for _ in range(15):
        apart = place[None, :, :] - place[:, None, :]
        squared = xp.sum(apart * apart, axis=-1) + 0.01
        pull = mass / (squared * xp.sqrt(squared))
        speed = speed + step * xp.sum(pull[:, :, None] * apart, axis=1)
        place = place + step * speed
    return place


def few_means(xp: Any, points: Any, centres: Any) -> Any:
    """Lloyd's algorithm on few points."""
    labels = xp.arange(centres.shape[0])
    for _ in range(8):
        apart = points[:, None, :] - centres[None, :, :]
        nearest = xp.argmin(xp.sum(apart * apart, axis=-1), axis=1)
        member = xp.astype(nearest[:, None] == labels, points.dtype)
        centres = (member.T @ points) / (xp.sum(member, axis=0)[:, None] + 1e-6)
    return centres


def principal_components(xp: Any, samples: Any) -> Any:
    """Variances along principal axes, of leaving one sample out at a time."""
    total = xp.zeros_like(samples[0])
    for i in range(8):
        rest = xp.concat([samples[:i], samples[i + 1 :]])
        centred = rest - xp.mean(rest, axis=0)
        values = xp.linalg.svdvals(centred)
        spread = xp.linalg.eigvalsh(centred.T @ centred)
        total = total + values * values / rest.shape[0] + spread / rest.shape[0]
    return total


def game_of_life(xp: Any, board: Any) -> Any:
    """Conway's game on a torus, by slices."""
    for _ in range(12):
        wide = xp.concat([board[-1:], board, board[:1]])
        wide = xp.concat([wide[:, -1:], wide, wide[:, :1]], axis=1)
        rows = wide[:-2] + wide[1:-1] + wide[2:]
        around = rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - board
        board = xp.astype((around == 3) | ((board == 1) & (around == 2)), board.dtype)
    return board


def lattice_boltzmann(xp: Any, flow: Any, weights: Any, speeds: Any) -> Any:
    """Flow on a small lattice with nine velocities: collide, then stream by rolling."""
    shifts = ((0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
    for _ in range(3):
        density = xp.sum(flow, axis=0)
        drift = xp.tensordot(speeds.T, flow, axes=1) / density
        along = xp.tensordot(speeds, drift, axes=1)
        rest = weights[:, None, None] * density * (1 + 3 * along + 4.5 * along * along - 1.5 * xp.sum(drift * drift, axis=0))
        flow = flow + 0.6 * (rest - flow)
        flow = xp.stack([xp.roll(flow[k], shift, axis=(0, 1)) for k, shift in enumerate(shifts)])
    return flow


def option_prices(xp: Any, spot: Any, strike: Any) -> Any:
    """American put options on a binomial tree."""
    steps, rate, factor = 24, 1.0004, 1.02
    up = (rate - 1 / factor) / (factor - 1 / factor)
    powers = factor ** (2.0 * xp.arange(steps + 1, dtype=spot.dtype) - steps)
    value = xp.maximum(strike[:, None] - spot[:, None] * powers, xp.zeros_like(spot[:, None]))
    for level in range(steps - 1, -1, -1):
        held = (up * value[:, 1:] + (1 - up) * value[:, :-1]) / rate
        now = strike[:, None] - spot[:, None] * powers[: level + 1] * factor ** (steps - level)
        value = xp.maximum(held, now)
    return value[:, 0]


def newton_roots(xp: Any, starts: Any) -> Any:
    """Newton's method for the roots of z³ - 1, from points of the complex plane."""
    z = starts
    for _ in range(25):
        z = z - (z * z * z - 1) / (3 * z * z)
    return xp.abs(z)


def _draw(*shape: int, dtype: Any = np.float32, scale: float = 1.0) -> Any:
    return (scale * np.random.default_rng(sum(shape)).standard_normal(shape)).astype(dtype)


def _kalman() -> dict[str, Any]:
    transition = np.eye(4, dtype=np.float32)
    transition[0, 2] = transition[1, 3] = 0.1
    return {
        "measured": _draw(20, 2),
        "transition": transition,
        "noise": 0.01 * np.eye(4, dtype=np.float32),
        "observe": np.eye(4, dtype=np.float32)[:2].copy(),
    }


def _equations() -> dict[str, Any]:
    root = _draw(64, 64, scale=0.1)
    return {"matrix": root @ root.T + np.eye(64, dtype=np.float32), "target": _draw(64)}


def _words() -> dict[str, Any]:
    draw = np.random.default_rng(0).integers(0, 4, (2, 12)).astype(np.int32)
    return {"first": draw[0], "second": draw[1]}


def _table() -> dict[str, Any]:
    table = np.zeros((13, 13), np.float32)
    table[0] = table[:, 0] = np.arange(13)
    return {**_words(), "table": table}


def _layer() -> dict[str, Any]:
    shapes = {"tokens": (12, 32), "query": (32, 32), "key": (32, 32), "value": (32, 32), "out": (32, 32), "up": (32, 64)}
    made = {name: _draw(*shape, scale=0.2) for name, shape in (*shapes.items(), ("down", (64, 32)))}
    return {name: array.astype(ml_dtypes.bfloat16) for name, array in made.items()}


def _layer_in_float32() -> dict[str, Any]:
    return {name: array.astype(np.float32) for name, array in _layer().items()}


def _chain() -> dict[str, Any]:
    draw = np.random.default_rng(0).random
    move = draw((5, 5)).astype(np.float32)
    return {
        "start": np.full(5, 0.2, np.float32),
        "move": move / move.sum(1, keepdims=True),
        "emit": draw((30, 5)).astype(np.float32),
    }


def _lattice() -> dict[str, Any]:
    weights = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, np.float32)
    speeds = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)], np.float32)
    flow = weights[:, None, None] * (1 + 0.1 * np.random.default_rng(0).random((9, 8, 8))).astype(np.float32)
    return {"flow": flow, "weights": weights, "speeds": speeds}


def _orbits() -> dict[str, Any]:
    return {"place": _draw(8, 3), "speed": _draw(3, 8).T.copy(), "mass": np.abs(_draw(8))}


def _network() -> dict[str, Any]:
    return {"tensors": _draw(12, 6, 2, 6), "vector": _draw(6)}


def _starts() -> dict[str, Any]:
    return {"starts": (_draw(16) + 1j * _draw(4, 4).reshape(-1)).astype(np.complex64)}


#: name → the program, what makes its arrays, and how far results may differ from NumPy's.
SMALL_PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], dict[str, Any]], float]] = {
    "Kalman filter, 4 × 4": (kalman_filter, _kalman, 1e-3),
    "conjugate gradient, 64": (conjugate_gradient, _equations, 1e-3),
    "edit distance, by rows": (edit_distance, _words, 0),
    "edit distance, by elements": (edit_distance_by_elements, _table, 0),
    "polynomial fits": (polynomial_fits, lambda: {"x": np.linspace(-1, 1, 16, dtype=np.float32), "y": _draw(16)}, 1e-2),
    "Monte Carlo": (monte_carlo, lambda: {"points": np.random.default_rng(0).random((20, 2, 64)).astype(np.float32)}, 1e-3),
    "rigid bodies": (rigid_bodies, lambda: {"spin": _draw(4, 3), "inertia": 1 + np.abs(_draw(3, 4).T.copy())}, 1e-3),
    "decoder with a cache, bfloat16": (transformer_step, _layer, 0.3),
    "decoder with a cache, float32": (transformer_step, _layer_in_float32, 1e-2),
    "Gaussian process": (
        gaussian_process,
        lambda: {"x": np.linspace(0, 4, 16, dtype=np.float32), "y": _draw(16), "z": np.linspace(0, 4, 8, dtype=np.float32)},
        1e-2,
    ),
    "quantile analytics": (quantile_analytics, lambda: {"prices": np.cumsum(_draw(240))}, 1e-1),
    "Fourier filter": (fourier_filter, lambda: {"signal": _draw(512), "window": np.hanning(64).astype(np.float32)}, 1e-3),
    "tensor network": (tensor_network, _network, 1e-3),
    "hidden Markov model": (hidden_markov_model, _chain, 1e-2),
    "Runge-Kutta": (runge_kutta, lambda: {"state": np.array([1, 2, 3], np.float32)}, 1e-2),
    "LSTM": (
        lstm,
        lambda: {"inputs": _draw(12, 8), "weights": _draw(8, 64), "recurrent": _draw(16, 64, scale=0.2), "bias": _draw(64)},
        1e-3,
    ),
    "n-body": (n_body, _orbits, 1e-2),
    "k-means, 64 points": (few_means, lambda: {"points": _draw(64, 2), "centres": _draw(64, 2)[:4].copy()}, 1e-2),
    "principal components": (principal_components, lambda: {"samples": _draw(24, 4)}, 1e-2),
    "game of life": (
        game_of_life,
        lambda: {"board": (np.random.default_rng(0).random((16, 16)) < 0.4).astype(np.int32)},
        0,
    ),
    "lattice Boltzmann": (lattice_boltzmann, _lattice, 1e-3),
    "option prices": (
        option_prices,
        lambda: {"spot": np.full(4, 100, np.float32), "strike": np.array([90, 95, 100, 110], np.float32)},
        1e-1,
    ),
    "Newton's method, complex": (newton_roots, _starts, 1e-1),
}
