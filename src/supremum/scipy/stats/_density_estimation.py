"""Estimation of densities by Gaussian kernels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from supremum._base.boundary import method, public
from supremum._base.buffers import Buffer
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.conversion import operand, promote_operands
from supremum._core.dtype_objects import to_inexact
from supremum._functions.linear_algebra._matrices import raising, robust
from supremum._kernels import lapack
from supremum._kernels.casts import cast
from supremum._kernels.special_functions import ndtr
from supremum.promotion._nodes import Node
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
    >>> density(xp.asarray([2.0]))
    Array([0.21489537], dtype=float32)
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
        node, buffers = promote_operands("gaussian_kde", *((given,) if weights is None else (given, weights)))
        self._node = to_inexact(node).strong
        data = np.atleast_2d(self._wide(buffers[0]))
        points = data.shape[1]
        share = np.full(points, 1 / points) if weights is None else np.atleast_1d(self._wide(buffers[1]))
        if share.ndim != 1 or len(share) != points:
            raise ValueError(f"gaussian_kde: the weights must have shape ({points},), got {share.shape}")
        share = share / share.sum()
        effective = 1 / (share**2).sum()
        self.dataset, self.weights, self.neff = self._wrap(data), self._wrap(share), self._wrap(effective)
        factor = self._factor(bw_method, len(data), effective)
        covariance = np.atleast_2d(np.cov(data, aweights=share))
        self._whole = data, share, covariance * factor**2, raising(robust, lapack.inv, covariance) / factor**2
        self.covariance, self.inv_cov = self._wrap(self._whole[2]), self._wrap(self._whole[3])

    def __getattr__(self, name: str) -> Any:
        """Make what `__init__` sets, and `tree_unflatten` does not: the node and the numbers in float64."""
        # functools.cached_property has a lock on Python 3.11, which a child of os.fork may find held.
        if name == "_node":
            self._node = self.dataset._node
            return self._node
        if name == "_whole":
            data, share, covariance, inverse = [self._wide(x._data) for x in self.tree_flatten()[0][1:]]
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

    def _factor(self, method: Any, dimensions: int, effective: float) -> float:
        if method is None or (isinstance(method, str) and method == "scott"):
            return float(effective ** (-1 / (dimensions + 4)))
        if isinstance(method, str) and method == "silverman":
            return float((effective * (dimensions + 2) / 4) ** (-1 / (dimensions + 4)))
        if callable(method):
            factor: Any = method(self)
            return float(factor)
        if not isinstance(method, str) and np.ndim(method) == 0:
            return float(method)
        raise ValueError("gaussian_kde: bw_method must be 'scott', 'silverman', a number or a callable")

    def _wide(self, data: Buffer) -> Buffer:
        return cast(data, self._node).astype(np.float64)

    def _wrap(self, data: Any, node: Node | None = None) -> Array:
        node = node or self._node
        return wrap(cast(np.asarray(data, np.float64), node), node)

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return int(self.dataset.shape[0])

    @property
    def n(self) -> int:
        """The number of points."""
        return int(self.dataset.shape[1])

    def _points(self, points: ArrayLike, function: str) -> tuple[Node, Buffer]:
        x = operand(points, function)
        if x._node.kind == "c":
            raise NotImplementedError(f"{function}: complex coordinates are not supported")
        node, _ = promote_operands(function, self.dataset, x)
        found = np.atleast_2d(cast(cast(x._data, to_inexact(x._node)), node).astype(np.float64))
        if len(found) != self.d:
            if len(found) != 1 or found.shape[1] != self.d:
                raise ValueError(f"{function}: the points have {len(found)} dimensions, the data set has {self.d}")
            found = found.reshape(self.d, 1)
        return node.strong, found

    def _logarithms(self, points: Buffer) -> Buffer:
        """Return the logarithm of each kernel, without its weight, at each point."""
        data, _, _, precision = self._whole
        whitening = np.tril(raising(robust, lapack.cholesky, precision))
        size = np.log(np.diag(whitening)).sum() - self.d * LOG_TWO_PI / 2
        difference = (points.T @ whitening)[:, None] - (data.T @ whitening)[None]
        return np.asarray(size - (difference**2).sum(-1) / 2)

    @method("gaussian_kde.evaluate")
    def evaluate(self, points: ArrayLike) -> Array:
        """Compute the estimated density at points, one in each column."""
        node, found = self._points(points, "evaluate")
        return self._wrap(np.exp(self._logarithms(found)) @ self._whole[1], node)

    __call__ = evaluate
    pdf = evaluate

    @method("gaussian_kde.logpdf")
    def logpdf(self, x: ArrayLike) -> Array:
        """Compute the logarithm of the estimated density at points, one in each column."""
        node, found = self._points(x, "logpdf")
        terms = self._logarithms(found) + np.log(self._whole[1])
        largest = terms.max(-1, keepdims=True)
        return self._wrap(np.log(np.exp(terms - largest).sum(-1)) + largest[:, 0], node)

    def _product(self, covariance: Buffer, data: Buffer, weights: Buffer, mean: Buffer) -> float:
        """Return the integral of the product of the estimate's kernels, widened, and a Gaussian around a point."""
        lower = np.tril(raising(robust, lapack.cholesky, covariance))
        y = np.linalg.solve(lower, data - mean[:, None])
        size = math.sqrt(2 * math.pi) ** len(covariance) * np.prod(np.diag(lower))
        return float((np.exp(-(y**2).sum(0) / 2) * weights).sum() / size)

    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """Integrate the product of the estimate and a Gaussian function."""
        node, buffers = promote_operands("integrate_gaussian", self.dataset, mean, cov)
        center = np.atleast_1d(buffers[1].astype(np.float64).squeeze())
        covariance = np.atleast_2d(buffers[2].astype(np.float64))
        if center.shape != (self.d,) or covariance.shape != (self.d, self.d):
            shapes = f"{center.shape} and {covariance.shape}"
            raise ValueError(f"integrate_gaussian: mean and covariance must be of {self.d} dimensions, got shapes {shapes}")
        data, weights, own, _ = self._whole
        return self._wrap(self._product(own + covariance, data, weights, center), node.strong)

    def integrate_box_1d(self, low: Any, high: Any) -> Array:
        """Integrate the estimate between two bounds."""
        if self.d != 1:
            raise ValueError("integrate_box_1d: the data set must be of one dimension")
        if np.ndim(low) != 0 or np.ndim(high) != 0:
            raise ValueError("integrate_box_1d: the bounds must be scalars")
        data, weights, own, _ = self._whole
        below, above = [np.asarray((float(bound) - data[0]) / math.sqrt(own[0, 0])) for bound in (low, high)]
        return self._wrap((weights * (ndtr(above) - ndtr(below))).sum())

    def integrate_kde(self, other: gaussian_kde) -> Array:
        """Integrate the product of two estimates."""
        if other.d != self.d:
            raise ValueError("integrate_kde: the estimates must have the same number of dimensions")
        data, weights, own, _ = self._whole
        points, shares, theirs, _ = other._whole
        products = [self._product(own + theirs, data, weights, point) for point in points.T]
        return self._wrap((shares * products).sum())

    def resample(self, key: Array, shape: tuple[int, ...] = ()) -> Array:
        """Draw points from the estimate."""
        from supremum import random

        index_key, noise_key = random.split(key)
        indices = random.choice(index_key, self.n, shape=shape, p=self.weights)
        zeros = wrap(np.zeros(self.d, self.covariance._data.dtype), self._node)
        noise = random.multivariate_normal(noise_key, zeros, self.covariance, shape=shape, dtype=self.dataset.dtype)
        return self.dataset[:, indices] + noise.T

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Array:
        """Raise NotImplementedError, as in JAX."""
        raise NotImplementedError("integrate_box: only integrals of one dimension are supported; use integrate_box_1d")

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Raise NotImplementedError, as in JAX."""
        raise NotImplementedError("set_bandwidth: the width cannot be changed; make another estimate")
