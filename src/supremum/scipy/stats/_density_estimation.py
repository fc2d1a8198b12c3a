"""Estimation of densities by Gaussian kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from supremum._base.boundary import public
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import operand, operands
from supremum._core.dtype_objects import to_inexact
from supremum._core.reduction_rows import accumulator
from supremum._core.settings import state
from supremum._functions.creation.filled import full
from supremum._functions.elementwise.exponential import exp, log, sqrt
from supremum._functions.manipulation.shapes import atleast_1d, atleast_2d
from supremum._functions.statistical.averages import cov
from supremum.linalg import cholesky, diagonal, inv, solve
from supremum.promotion._nodes import Node
from supremum.scipy.special import logsumexp, ndtr
from supremum.scipy.stats._distributions import LOG_TWO_PI

__all__ = ["gaussian_kde"]


@public
class gaussian_kde:
    """An estimate of a density: the mean of Gaussian kernels around the points of a data set.

    Parameters
    ----------
    dataset : array_like
        The points, one in each column; one axis means points of one dimension.
    bw_method : {"scott", "silverman"}, float or callable, optional
        The factor of the kernels' width, or how to compute it.
    weights : array_like, optional
        The weights of the points.

    Examples
    --------
    >>> import supremum as xp
    >>> density = xp.scipy.stats.gaussian_kde(xp.asarray([1.0, 2.0, 4.0]))
    >>> density(xp.asarray([2.0])).round(4)
    Array([0.2149], dtype=float32)
    """

    dataset: Array
    weights: Array
    neff: Array
    covariance: Array
    inv_cov: Array

    def __init__(
        self, dataset: ArrayLike, bw_method: str | float | Array | Callable[[Any], Any] | None = None,
        weights: ArrayLike | None = None,
    ) -> None:  # fmt: skip
        given = operand(dataset, "gaussian_kde")
        if given._node.kind == "c":
            raise NotImplementedError("gaussian_kde: complex data are not supported")
        if given.size < 2:
            raise ValueError(f"gaussian_kde: the data set needs several elements, got shape {given.shape}")
        arrays = operands("gaussian_kde", given, *([] if weights is None else [weights]))
        self._node = to_inexact(state().join_all([x._node for x in arrays])).strong
        data, *shares = map(self._wide, arrays)
        data = atleast_2d(data)
        points = data.shape[1]
        share = atleast_1d(shares[0]) if shares else full(points, 1 / points, dtype=data.dtype)
        if share.shape != (points,):
            raise ValueError(f"gaussian_kde: the weights must have shape ({points},), got {share.shape}")
        share = share / share.sum()
        effective = 1 / (share**2).sum()
        self.dataset, self.weights, self.neff = map(self._narrow, (data, share, effective))
        factor = self._factor(bw_method, len(data), effective)
        covariance = atleast_2d(cov(data, aweights=share))
        self._whole = data, share, covariance * factor**2, inv(covariance) / factor**2
        self.covariance, self.inv_cov = map(self._narrow, self._whole[2:])

    def __getattr__(self, name: str) -> Any:
        """Make what `__init__` sets, and `tree_unflatten` does not: the node and the numbers that are computed with."""
        # functools.cached_property has a lock on Python 3.11, which a child of os.fork may find held.
        if name == "_node":
            self._node = self.dataset._node
            return self._node
        if name == "_whole":
            data, share, covariance, inverse = map(self._wide, self.tree_flatten()[0][1:])
            self._whole = data, share, covariance, inverse
            return self._whole
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        """Return the arrays of the estimate: `supremum.jax` takes it for a tree of them, as JAX does."""
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, aux_data: None, children: Sequence[Any]) -> gaussian_kde:  # noqa: ARG003 - as JAX calls it
        """Return the estimate of such arrays."""
        self = cls.__new__(cls)
        self.neff, self.dataset, self.weights, self.covariance, self.inv_cov = children
        return self

    def _factor(self, method: Any, dimensions: int, effective: Any) -> Any:
        if method is None or (isinstance(method, str) and method == "scott"):
            return effective ** (-1 / (dimensions + 4))
        if isinstance(method, str) and method == "silverman":
            return (effective * (dimensions + 2) / 4) ** (-1 / (dimensions + 4))
        if callable(method):
            return method(self)
        if not isinstance(method, str) and np.ndim(method) == 0:
            return method
        raise ValueError("gaussian_kde: bw_method must be 'scott', 'silverman', a number or a callable")

    def _wide(self, x: Array) -> Array:
        return x.astype(accumulator(self._node).dtype)

    def _narrow(self, x: Array, node: Node | None = None) -> Array:
        return x.astype((node or self._node).dtype)

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return int(self.dataset.shape[0])

    @property
    def n(self) -> int:
        """The number of points."""
        return int(self.dataset.shape[1])

    def _points(self, points: ArrayLike, function: str) -> tuple[Node, Array]:
        x = operand(points, function)
        if x._node.kind == "c":
            raise NotImplementedError(f"{function}: complex coordinates are not supported")
        found = atleast_2d(x)
        if len(found) != self.d:
            if len(found) != 1 or found.shape[1] != self.d:
                raise ValueError(f"{function}: the points have {len(found)} dimensions, the data set has {self.d}")
            found = found.reshape(self.d, 1)
        node = state().join(self.dataset._node, to_inexact(x._node)).strong
        return node, found.astype(accumulator(node).dtype)

    def _logarithms(self, points: Array) -> Array:
        """Return the logarithm of each kernel, without its weight, at each point."""
        data, _, _, precision = self._whole
        whitening = cholesky(precision)
        size = log(diagonal(whitening)).sum() - self.d * LOG_TWO_PI / 2
        difference = (points.T @ whitening)[:, None] - (data.T @ whitening)[None]
        return size - (difference**2).sum(-1) / 2

    def evaluate(self, points: ArrayLike) -> Array:
        """Compute the estimated density at points, one in each column."""
        node, found = self._points(points, "evaluate")
        return self._narrow(exp(self._logarithms(found)) @ self._whole[1], node)

    __call__ = evaluate
    pdf = evaluate

    def logpdf(self, x: ArrayLike) -> Array:
        """Compute the logarithm of the estimated density at points, one in each column."""
        node, found = self._points(x, "logpdf")
        return self._narrow(logsumexp(self._logarithms(found) + log(self._whole[1]), -1), node)

    def _products(self, covariance: Array, means: Array) -> Array:
        """Return the integrals of the products of the estimate's kernels, widened, and Gaussians around points."""
        data, weights, _, _ = self._whole
        lower = cholesky(covariance)
        apart = data[:, None] - means[..., None]
        y = solve(lower, apart.reshape(self.d, -1)).reshape(apart.shape)
        size = (2 * np.pi) ** (self.d / 2) * diagonal(lower).prod()
        return exp(-(y**2).sum(0) / 2) @ weights / size

    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """Integrate the product of the estimate and a Gaussian function."""
        arrays = operands("integrate_gaussian", self.dataset, mean, cov)
        node = state().join_all([x._node for x in arrays]).strong
        center, covariance = atleast_1d(self._wide(arrays[1]).squeeze()), atleast_2d(self._wide(arrays[2]))
        if center.shape != (self.d,) or covariance.shape != (self.d, self.d):
            shapes = f"{center.shape} and {covariance.shape}"
            raise ValueError(f"integrate_gaussian: mean and covariance must be of {self.d} dimensions, got shapes {shapes}")
        return self._narrow(self._products(self._whole[2] + covariance, center[:, None])[0], node)

    def integrate_box_1d(self, low: Any, high: Any) -> Array:
        """Integrate the estimate between two bounds."""
        if self.d != 1:
            raise ValueError("integrate_box_1d: the data set must be of one dimension")
        if np.ndim(low) != 0 or np.ndim(high) != 0:
            raise ValueError("integrate_box_1d: the bounds must be scalars")
        data, weights, own, _ = self._whole
        below, above = [ndtr((bound - data[0]) / sqrt(own[0, 0])) for bound in (low, high)]
        return self._narrow((weights * (above - below)).sum())

    def integrate_kde(self, other: gaussian_kde) -> Array:
        """Integrate the product of two estimates."""
        if other.d != self.d:
            raise ValueError("integrate_kde: the estimates must have the same number of dimensions")
        points, shares, theirs, _ = other._whole
        return self._narrow(self._products(self._whole[2] + theirs, points) @ shares)

    def resample(self, key: Array, shape: tuple[int, ...] = ()) -> Array:
        """Draw points from the estimate."""
        from supremum import random

        index_key, noise_key = random.split(key)
        indices = random.choice(index_key, self.n, shape=shape, p=self.weights)
        zeros = full(self.d, 0, dtype=self.covariance.dtype)
        noise = random.multivariate_normal(noise_key, zeros, self.covariance, shape=shape, dtype=self.dataset.dtype)
        return self.dataset[:, indices] + noise.T

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Array:
        """Raise NotImplementedError, as in JAX."""
        raise NotImplementedError("integrate_box: only integrals of one dimension are supported; use integrate_box_1d")

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Raise NotImplementedError, as in JAX."""
        raise NotImplementedError("set_bandwidth: the width cannot be changed; make another estimate")
