"""Vector quantization, of ``jax.scipy.cluster.vq``."""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._base.boundary import public
from supremum._base.exceptions import ShapeError
from supremum._core.array import Array, ArrayLike, wrap
from supremum._core.settings import state
from supremum._functions.linear_algebra._matrices import rounded
from supremum._kernels.lapack import is_finite
from supremum.scipy._evaluation import Library, in_double

__all__ = ["vq"]

_VQ: Final = Library("scipy.cluster.vq")


@public
def vq(obs: ArrayLike, code_book: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Find the nearest of several points for each observation.

    Parameters
    ----------
    obs : array_like
        The observations as rows, or numbers.
    code_book : array_like
        The points, likewise.
    check_finite : bool
        Without effect.

    Returns
    -------
    tuple of Array
        The positions of the nearest points, and the distances to them.

    Examples
    --------
    >>> import supremum as xp
    >>> xp.scipy.cluster.vq.vq(xp.asarray([[1.0, 1.0], [4.0, 4.0]]), xp.asarray([[1.0, 2.0], [4.0, 3.0]]))
    (Array([0, 1], dtype=int32), Array([1., 1.], dtype=float32))
    """
    node, (points, centers) = in_double("vq", obs, code_book)
    if points.ndim != centers.ndim or points.ndim not in (1, 2):
        raise ShapeError(f"vq: both arguments must have 1 axis or 2 axes, got shapes {points.shape} and {centers.shape}")
    if points.ndim == 1:
        points, centers = points[:, None], centers[:, None]
    if points.shape[1] != centers.shape[1] or not len(centers):
        raise ShapeError(f"vq: both arguments must have the same number of columns, got {points.shape} and {centers.shape}")
    if points.size and node.kind != "c" and is_finite(points) and is_finite(centers):
        codes, nearest = _VQ.vq(points, centers, check_finite=False)
        if points.shape[1] > 4:  # SciPy's distances are differences of squares then, and lose half of the digits
            apart = centers.take(codes, 0)
            apart -= points
            nearest = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    else:
        distances = np.sqrt((np.abs(points[:, None] - centers) ** 2).sum(-1))
        codes = distances.argmin(-1)
        nearest = np.take_along_axis(distances, codes[:, None], -1)[:, 0]
    integer = state().int_
    return wrap(codes.astype(integer.dtype), integer), rounded(nearest, node.real.strong)


__dir__ = __all__.copy  # which `dir` sorts
