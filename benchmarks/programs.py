"""Define whole programs, each for any namespace of the standard: ``program(xp, **arrays)`` returns its result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from programs_small import SMALL_PROGRAMS


def mlp_step(xp: Any, x: Any, y: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
    """Do one step of gradient descent of a two-layer perceptron with a squared error."""
    hidden = x @ w1 + b1
    active = hidden > 0
    hidden = xp.where(active, hidden, xp.zeros_like(hidden))
    error = (hidden @ w2 + b2 - y) * (2 / 64)
    back = xp.where(active, error @ w2.T, xp.zeros_like(hidden))
    rate = 0.1
    w1 = w1 - rate * (x.T @ back)
    b1 = b1 - rate * xp.sum(back, axis=0)
    w2 = w2 - rate * (hidden.T @ error)
    b2 = b2 - rate * xp.sum(error, axis=0)
    return xp.sum(w1) + xp.sum(b1) + xp.sum(w2) + xp.sum(b2)


def lotka_volterra(xp: Any, prey: Any, predators: Any) -> Any:  # noqa: ARG001  # all programs have one signature
    """Integrate four populations by Heun's method: thousands of operations on four elements each."""
    step = 0.01
    for _ in range(100):
        d_prey = prey * (1.1 - 0.4 * predators)
        d_predators = predators * (0.1 * prey - 0.4)
        prey_ahead = prey + step * d_prey
        predators_ahead = predators + step * d_predators
        prey = prey + step / 2 * (d_prey + prey_ahead * (1.1 - 0.4 * predators_ahead))
        predators = predators + step / 2 * (d_predators + predators_ahead * (0.1 * prey_ahead - 0.4))
    return prey + predators


def k_means(xp: Any, points: Any, centres: Any) -> Any:
    """Do three rounds of Lloyd's algorithm."""
    labels = xp.arange(centres.shape[0])
    for _ in range(3):
        distance = xp.sum(centres * centres, axis=1) - 2 * (points @ centres.T)
        nearest = xp.argmin(distance, axis=1)
        member = xp.where(nearest[:, None] == labels, xp.ones_like(distance), xp.zeros_like(distance))
        centres = (member.T @ points) / (xp.sum(member, axis=0)[:, None] + 1e-6)
    return centres


def heat(xp: Any, grid: Any) -> Any:
    """Do twenty steps of heat flow on a plate, with a five-point stencil made of slices."""
    grid = xp.asarray(grid, copy=True)
    inside = (slice(1, -1), slice(1, -1))
    for _ in range(20):
        flow = grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:] - 4 * grid[inside]
        if xp.__name__.startswith("jax"):  # JAX's arrays are immutable
            grid = grid.at[inside].add(0.2 * flow)
        else:
            grid[inside] += 0.2 * flow
    return grid


def mandelbrot(xp: Any, plane: Any) -> Any:
    """Do twenty rounds of z*z + c on a complex plane; points that have escaped no longer change."""
    z = xp.zeros_like(plane)
    rounds = xp.zeros_like(xp.real(plane))
    for _ in range(20):
        inside = xp.real(z) * xp.real(z) + xp.imag(z) * xp.imag(z) < 4
        z = xp.where(inside, z * z + plane, z)
        rounds = rounds + xp.where(inside, xp.ones_like(rounds), xp.zeros_like(rounds))
    return rounds


def _mlp(dtype: Any) -> dict[str, Any]:
    draw = np.random.default_rng(0).standard_normal
    shapes = {"x": (64, 64), "y": (64, 8), "w1": (64, 128), "b1": (128,), "w2": (128, 8), "b2": (8,)}
    return {name: (0.1 * draw(shape)).astype(dtype) for name, shape in shapes.items()}


def _populations() -> dict[str, Any]:
    return {name: np.linspace(1, 3, 4, dtype=np.float32) for name in ("prey", "predators")}


def _clusters() -> dict[str, Any]:
    points = np.random.default_rng(0).standard_normal((2000, 8)).astype(np.float32)
    return {"points": points, "centres": points[:16].copy()}


def _plate() -> dict[str, Any]:
    return {"grid": np.random.default_rng(0).random((128, 128)).astype(np.float32)}


def _plane() -> dict[str, Any]:
    x, y = np.linspace(-2, 0.5, 128), np.linspace(-1.25, 1.25, 128)
    return {"plane": (x + 1j * y[:, None]).astype(np.complex64)}


#: name → the program, the function that makes its arrays, and the tolerance of the comparison with NumPy.
PROGRAMS: dict[str, tuple[Callable[..., Any], Callable[[], dict[str, Any]], float]] = {
    "MLP step, float32": (mlp_step, lambda: _mlp(np.float32), 1e-3),
    "MLP step, bfloat16": (mlp_step, lambda: _mlp(ml_dtypes.bfloat16), 0.3),
    "Lotka-Volterra": (lotka_volterra, _populations, 1e-3),
    "k-means": (k_means, _clusters, 1e-2),
    "heat stencil": (heat, _plate, 1e-3),
    "Mandelbrot, complex64": (mandelbrot, _plane, 1),
    **SMALL_PROGRAMS,
}
