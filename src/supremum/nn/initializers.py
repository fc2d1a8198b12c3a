"""Initial weights of neural networks: each function returns an initializer, a function of a key, a shape and a dtype."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np

from supremum import random
from supremum._base.boundary import public
from supremum._base.exceptions import check_choice
from supremum._core.array import Array, ArrayLike, DTypeLike, Shape, wrap
from supremum._core.conversion import operand
from supremum._core.dtype_objects import requested
from supremum._core.settings import state
from supremum._functions.creation import filled
from supremum._functions.creation.from_objects import asarray
from supremum._functions.elementwise.exponential import exp, log, sqrt
from supremum._functions.manipulation.axes import moveaxis
from supremum.promotion._nodes import Node

__all__ = [
    "Initializer", "constant", "delta_orthogonal", "glorot_normal", "glorot_uniform", "he_normal", "he_uniform",
    "kaiming_normal", "kaiming_uniform", "lecun_normal", "lecun_uniform", "normal", "ones", "orthogonal", "truncated_normal",
    "uniform", "variance_scaling", "xavier_normal", "xavier_uniform", "zeros",
]  # fmt: skip

#: The standard deviation of a standard normal number truncated to [-2, 2], and of a complex one of modulus below 2.
_DEVIATION: Final = 0.87962566103423978
_COMPLEX_DEVIATION: Final = 0.95311164380491208
_Mode = Literal["fan_in", "fan_out", "fan_avg", "fan_geo_avg"]
_Distribution = Literal["truncated_normal", "normal", "uniform"]


@public(home="supremum.nn.initializers")
@runtime_checkable
class Initializer(Protocol):
    """The type of initializers: functions that make weights."""

    def __call__(self, key: Any, shape: Shape, dtype: DTypeLike | None = None, out_sharding: Any = None) -> Array:
        """Return weights."""
        ...


def _node(dtype: DTypeLike | None, function: str) -> Node:
    return state().float_ if dtype is None else requested(dtype, f"initializers.{function}")


def _scalar(value: ArrayLike, node: Node) -> Array:
    return asarray(value, dtype=node.dtype)


@public(home="supremum.nn.initializers")
def zeros(
    key: object,  # noqa: ARG001 - as all initializers
    shape: Shape,
    dtype: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Return weights that are 0.

    Parameters
    ----------
    key : Array
        Not used.
    shape : tuple of int
        The shape.
    dtype : dtype, optional
        The dtype; the default floating-point dtype if omitted.
    out_sharding : optional
        Accepted for compatibility with JAX; ignored.

    Returns
    -------
    Array
        The weights.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.zeros(xp.random.key(0), (2,))
    Array([0., 0.], dtype=float32)
    """
    return filled.zeros(shape, dtype=dtype)


@public(home="supremum.nn.initializers")
def ones(
    key: object,  # noqa: ARG001 - as all initializers
    shape: Shape,
    dtype: DTypeLike | None = None,
    out_sharding: object = None,
) -> Array:
    """Return weights that are 1.

    Parameters
    ----------
    key, shape, dtype, out_sharding
        As for `zeros`.

    Returns
    -------
    Array
        The weights.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.ones(xp.random.key(0), (2,), "bfloat16")
    Array([1, 1], dtype=bfloat16)
    """
    return filled.ones(shape, dtype=dtype)


def _initializer(draw: Callable[[Any, tuple[int, ...], Node], Array], function: str, default: DTypeLike | None) -> Initializer:
    """Return an initializer made of a function of a key, a shape and a node."""

    def init(key: Any, shape: Shape, dtype: DTypeLike | None = default, out_sharding: object = None) -> Array:
        return draw(key, filled.shape_of(shape, f"initializers.{function}"), _node(dtype, function))

    init.__qualname__ = f"{function}.<locals>.init"
    return init


@public(home="supremum.nn.initializers")
def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Initializer:
    """Make an initializer whose weights all have one value.

    Parameters
    ----------
    value : array_like
        The value.
    dtype

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.constant(-7)(xp.random.key(0), (2,))
    Array([-7., -7.], dtype=float32)
    """
    return _initializer(lambda _key, shape, node: filled.full(shape, value, dtype=node.dtype), "constant", dtype)


@public(home="supremum.nn.initializers")
def uniform(scale: ArrayLike = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Make an initializer of uniformly distributed weights from ``[0, scale)``.

    Parameters
    ----------
    scale : array_like
        The upper bound.
    dtype

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.uniform(10.0)(xp.random.key(42), (2,)).round(3)
    Array([4.887, 6.798], dtype=float32)
    """
    return _initializer(
        lambda key, shape, node: random.uniform(key, shape, node.dtype) * _scalar(scale, node), "uniform", dtype
    )


@public(home="supremum.nn.initializers")
def normal(stddev: ArrayLike = 1e-2, dtype: DTypeLike | None = None) -> Initializer:
    """Make an initializer of normally distributed weights of mean 0.

    Parameters
    ----------
    stddev : array_like
        The standard deviation.
    dtype

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.normal(0.1)(xp.random.key(0), (2, 3)).shape
    (2, 3)
    """
    return _initializer(
        lambda key, shape, node: random.normal(key, shape, node.dtype) * _scalar(stddev, node), "normal", dtype
    )


@public(home="supremum.nn.initializers")
def truncated_normal(
    stddev: ArrayLike = 1e-2, dtype: DTypeLike | None = None, lower: ArrayLike = -2.0, upper: ArrayLike = 2.0
) -> Initializer:
    """Make an initializer of normally distributed weights of mean 0, truncated to an interval.

    Parameters
    ----------
    stddev : array_like
        The standard deviation before truncation.
    dtype
    lower, upper : array_like
        The bounds, in standard deviations.

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> weights = xp.nn.initializers.truncated_normal(0.5)(xp.random.key(0), (100,))
    >>> bool(abs(weights).max() < 1)
    True
    """
    return _initializer(
        lambda key, shape, node: random.truncated_normal(key, lower, upper, shape, node.dtype) * _scalar(stddev, node),
        "truncated_normal",
        dtype,
    )


@public(home="supremum.nn.initializers")
def variance_scaling(
    scale: ArrayLike,
    mode: _Mode,
    distribution: _Distribution,
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Initializer:
    """Make an initializer of weights whose variance is `scale` divided by the number of inputs or outputs of a layer.

    Parameters
    ----------
    scale : float
        The factor.
    mode : {'fan_in', 'fan_out', 'fan_avg', 'fan_geo_avg'}
        What the variance is divided by: the inputs, the outputs, or their arithmetic or geometric mean.
    distribution : {'truncated_normal', 'normal', 'uniform'}
        The distribution of the weights. Complex weights are uniform or truncated by their modulus.
    in_axis, out_axis : int or sequence of int
        The axes of the inputs and of the outputs; other axes, but those of the batch, are summed over as well.
    batch_axis : int or sequence of int
        The axes that do not count.
    dtype

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> init = xp.nn.initializers.variance_scaling(1.0, "fan_in", "uniform")
    >>> bool(abs(init(xp.random.key(0), (300, 2))).max() <= 0.1)
    True
    """
    check_choice(mode, "mode", ("fan_in", "fan_out", "fan_avg", "fan_geo_avg"), "variance_scaling")
    check_choice(distribution, "distribution", ("truncated_normal", "normal", "uniform"), "variance_scaling")

    def draw(key: Any, shape: tuple[int, ...], node: Node) -> Array:
        inputs, outputs = _fans(shape, in_axis, out_axis, batch_axis)
        fan = {
            "fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2, "fan_geo_avg": (inputs * outputs) ** 0.5
        }[mode]  # fmt: skip
        variance = _scalar(operand(scale, "variance_scaling") / fan, node)
        if distribution == "normal":
            return random.normal(key, shape, node.dtype) * sqrt(variance)
        if distribution == "uniform" and node.kind == "c":
            return _in_disk(key, shape, node) * sqrt(variance)
        if distribution == "uniform":
            return random.uniform(key, shape, node.dtype, -1) * sqrt(3 * variance)
        if node.kind == "c":
            return _truncated_in_disk(key, shape, node) * (sqrt(variance) / _scalar(_COMPLEX_DEVIATION, node))
        return random.truncated_normal(key, -2, 2, shape, node.dtype) * (sqrt(variance) / _scalar(_DEVIATION, node))

    return _initializer(draw, "variance_scaling", dtype)


def _fans(
    shape: tuple[int, ...], in_axis: int | Sequence[int], out_axis: int | Sequence[int], batch_axis: int | Sequence[int]
) -> tuple[float, float]:
    """Return the numbers of inputs and of outputs that one weight of a layer connects."""
    if in_axis == -2 and len(shape) <= 1:
        raise ValueError(
            f"variance_scaling: weights of {len(shape)} dimensions have no inputs and outputs by default; pass in_axis, or a "
            "shape of at least 2 dimensions"
        )
    inputs, outputs, batch = (
        shape[axes] if isinstance(axes, int) else math.prod([shape[axis] for axis in axes])
        for axes in (in_axis, out_axis, batch_axis)
    )
    field = math.prod(shape) / inputs / outputs / batch
    return inputs * field, outputs * field


def _in_disk(key: Any, shape: tuple[int, ...], node: Node) -> Array:
    """Draw uniformly from a disk of the complex plane, with variance 1."""
    radius, angle = random.split(key)
    lengths = sqrt(2 * random.uniform(radius, shape, node.real.dtype)).astype(node.dtype)
    return lengths * exp(1j * (2 * np.pi * random.uniform(angle, shape, node.real.dtype).astype(node.dtype)))


def _truncated_in_disk(key: Any, shape: tuple[int, ...], node: Node) -> Array:
    """Draw complex normal numbers of a modulus below 2."""
    radius, angle = random.split(key)
    inside = (1 - exp(_scalar(-4.0, node))) * random.uniform(radius, shape, node.real.dtype).astype(node.dtype)
    angles = 2 * np.pi * random.uniform(angle, shape, node.real.dtype).astype(node.dtype)
    return sqrt(-log(1 - inside)) * exp(1j * angles)


def _scaled(name: str, scale: float, mode: _Mode, distribution: _Distribution, summary: str) -> Callable[..., Initializer]:
    """Return a function that makes initializers by `variance_scaling` with fixed options."""

    def function(
        in_axis: int | Sequence[int] = -2,
        out_axis: int | Sequence[int] = -1,
        batch_axis: int | Sequence[int] = (),
        dtype: DTypeLike | None = None,
    ) -> Initializer:
        return variance_scaling(scale, mode, distribution, in_axis, out_axis, batch_axis, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Make {summary}.

    It is ``variance_scaling({scale}, "{mode}", "{distribution}")``.

    Parameters
    ----------
    in_axis, out_axis, batch_axis, dtype
        As for `variance_scaling`.

    Returns
    -------
    Initializer
        A function of a key, a shape and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.nn.initializers.{name}()(xp.random.key(0), (2, 3)).shape
    (2, 3)
    """
    return function


glorot_uniform = xavier_uniform = _scaled(
    "glorot_uniform", 1.0, "fan_avg", "uniform", "an initializer of Glorot's uniform weights"
)
glorot_normal = xavier_normal = _scaled(
    "glorot_normal", 1.0, "fan_avg", "truncated_normal", "an initializer of Glorot's normal weights"
)
lecun_uniform = _scaled("lecun_uniform", 1.0, "fan_in", "uniform", "an initializer of Lecun's uniform weights")
lecun_normal = _scaled("lecun_normal", 1.0, "fan_in", "truncated_normal", "an initializer of Lecun's normal weights")
he_uniform = kaiming_uniform = _scaled("he_uniform", 2.0, "fan_in", "uniform", "an initializer of He's uniform weights")
he_normal = kaiming_normal = _scaled("he_normal", 2.0, "fan_in", "truncated_normal", "an initializer of He's normal weights")


@public(home="supremum.nn.initializers")
def orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Make an initializer of orthogonal matrices; those that are not square have orthonormal rows or columns.

    Parameters
    ----------
    scale : array_like
        The factor of the matrices.
    column_axis : int
        The axis of the columns; the other axes are taken as one.
    dtype

    Returns
    -------
    Initializer
        A function of a key, a shape of at least 2 dimensions and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> q = xp.nn.initializers.orthogonal()(xp.random.key(0), (3, 3))
    >>> bool(xp.allclose(q @ q.T, xp.eye(3), atol=1e-6))
    True
    """

    def draw(key: Any, shape: tuple[int, ...], node: Node) -> Array:
        if len(shape) < 2:
            raise ValueError(f"orthogonal: the shape must have at least 2 dimensions, got {shape}")
        if 0 in shape:
            return filled.zeros(shape, dtype=node.dtype)
        columns = shape[column_axis]
        matrix = random.orthogonal(key, math.prod(shape) // columns, (), node.dtype, columns)
        rest = list(shape)
        del rest[column_axis]
        return _scalar(scale, node) * moveaxis(matrix.reshape(*rest, columns), -1, column_axis)

    return _initializer(draw, "orthogonal", dtype)


@public(home="supremum.nn.initializers")
def delta_orthogonal(scale: ArrayLike = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Initializer:
    """Make an initializer of kernels of convolutions: an orthogonal matrix at the center, zeros elsewhere.

    Parameters
    ----------
    scale, column_axis, dtype
        As for `orthogonal`.

    Returns
    -------
    Initializer
        A function of a key, a shape of 3 to 5 dimensions and a dtype.

    Examples
    --------
    >>> import supremum as xp
    >>> weights = xp.nn.initializers.delta_orthogonal()(xp.random.key(0), (3, 2, 2))
    >>> (weights != 0).any(axis=(1, 2))
    Array([False,  True, False], dtype=bool)
    """
    square = orthogonal(scale, column_axis, dtype)

    def draw(key: Any, shape: tuple[int, ...], node: Node) -> Array:
        if not 3 <= len(shape) <= 5:
            raise ValueError(f"delta_orthogonal: the shape must have 3 to 5 dimensions, got {shape}")
        if shape[-1] < shape[-2]:
            raise ValueError(f"delta_orthogonal: the last length must not be below the one before it, got {shape}")
        matrix = square(key, shape[-2:])._data
        weights = np.zeros(shape, node.dtype)
        weights[tuple([(length - 1) // 2 for length in shape[:-2]])] = matrix
        return wrap(weights, node)

    return _initializer(draw, "delta_orthogonal", dtype)


__dir__ = __all__.copy  # which `dir` sorts
