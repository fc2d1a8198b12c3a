"""Rotations of space as quaternions, of ``jax.scipy.spatial.transform``."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

import numpy as np

from supremum._base.boundary import method, public
from supremum._base.buffers import Buffer
from supremum._base.exceptions import ShapeError, describe
from supremum._base.functions import call_without_float_warnings
from supremum._core.array import Array, ArrayLike
from supremum._core.conversion import as_array
from supremum._functions.calculus import diff
from supremum._functions.creation.filled import ones
from supremum._functions.creation.from_objects import asarray
from supremum._functions.elementwise.comparison import maximum
from supremum._functions.linear_algebra._matrices import rounded
from supremum._functions.manipulation.axes import roll
from supremum._functions.manipulation.joining import concatenate
from supremum._functions.manipulation.shapes import atleast_1d
from supremum._functions.searching import searchsorted
from supremum._kernels.lapack import raising
from supremum.scipy._evaluation import in_double

__all__ = ["Rotation", "Slerp"]


# -- kernels on quaternions (x, y, z, w) along the last axis ------------------------------------------------------------------


def _kernel_parts(xp: Any, kernel: Callable[..., Array], *xs: ArrayLike) -> Array:
    """Apply a kernel to operands that take NumPy's functions over."""
    wide = xp.result_type("float32", *xs)
    return kernel(*[xp.asarray(x).astype(wide) for x in xs]).astype(xp.result_type(1.0, *xs))


@method("scipy.spatial.transform.Rotation", parts=_kernel_parts)
def _apply_kernel(kernel: Callable[..., Buffer], *xs: ArrayLike) -> Array:
    node, buffers = in_double("Rotation", *xs)
    return rounded(np.asarray(call_without_float_warnings(kernel, *buffers)), node.strong)


def _norm(x: Buffer) -> Buffer:
    return np.sqrt(np.vecdot(x, x))[..., None]


def _units() -> Buffer:
    """Return the products of the units x, y, z, w of quaternions."""
    table = np.zeros((4, 4, 4))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        table[i, j, k], table[j, i, k], table[i, i, 3] = 1, -1, -1
        table[i, 3, i] = table[3, i, i] = 1
    table[3, 3, 3] = 1
    return table


_UNITS: Final = _units()
#: The elements of the matrix of a quaternion q, which are those of ``q e q*`` for units e, from the products of its elements.
_MATRIX: Final = np.einsum("ack,kbr,b->abrc", _UNITS[:, :3], _UNITS[..., :3], [-1, -1, -1, 1]).reshape(16, 9)


def _times(p: Buffer, q: Buffer, table: Buffer) -> Buffer:
    """Return sums of the products of elements."""
    if p.shape != q.shape:
        p, q = np.broadcast_arrays(p, q)
    first, second = [x.reshape(-1, 4).T.copy() for x in (p, q)]  # long rows
    products = (first[:, None] * second).reshape(16, -1)
    return np.matmul(products.T, np.asarray(table, p.dtype)).reshape(*p.shape[:-1], table.shape[1])


def _hamilton(p: Buffer, q: Buffer) -> Buffer:
    return _times(p, q, _UNITS.reshape(16, 4))


def _unit(x: Buffer) -> Buffer:
    return x / _norm(x)


def _product(p: Buffer, q: Buffer) -> Buffer:
    return _unit(_hamilton(p, q))


def _matrices(q: Buffer) -> Buffer:
    return _times(q, q, _MATRIX).reshape(*q.shape[:-1], 3, 3)


def _from_matrices(m: Buffer) -> Buffer:
    if m.ndim < 2 or m.shape[-2:] != (3, 3):
        raise ShapeError(f"Rotation.from_matrix: the matrices must have shape (..., 3, 3), got {m.shape}")
    diagonal = m.diagonal(axis1=-2, axis2=-1)
    trace = diagonal.sum(-1)
    choice = np.concatenate([diagonal, trace[..., None]], -1).argmax(-1)
    twice, turn = m + m.mT, [m[..., k, j] - m[..., j, k] for j, k in ((1, 2), (2, 0), (0, 1))]
    rows = [*([*[twice[..., i, j] for j in range(3)], turn[i]] for i in range(3)), [*turn, 1 + trace]]
    for i in range(3):
        rows[i][i] = 1 - trace + rows[i][i]
    candidates = np.stack([np.stack(row, -1) for row in rows])
    return _unit(np.take_along_axis(candidates, choice[None, ..., None], 0)[0])


def _from_vectors(v: Buffer) -> Buffer:
    angle = _norm(v)
    scale = np.where(angle > 0, np.sin(angle / 2) / np.where(angle > 0, angle, 1.0), 0.5)
    return np.concatenate([scale * v, np.cos(angle / 2)], -1)


def _to_vectors(q: Buffer) -> Buffer:
    q = np.where(q[..., 3:] < 0, -q, q)
    half = np.arctan2(_norm(q[..., :3]), q[..., 3:])
    return np.where(half > 0, 2 * half / np.sin(np.where(half > 0, half, 1.0)), 2.0) * q[..., :3]


def _from_parameters(p: Buffer) -> Buffer:
    size = (p * p).sum(-1, keepdims=True) + 1
    return np.concatenate([2 * p, 2 - size], -1) / size


def _to_parameters(q: Buffer) -> Buffer:
    sign = np.where(q[..., 3:] < 0, -1.0, 1.0)
    return sign * q[..., :3] / (1 + sign * q[..., 3:])


def _canonical(q: Buffer) -> Buffer:
    x, y, z, w = np.moveaxis(q, -1, 0)
    negative = (w < 0) | ((w == 0) & ((x < 0) | ((x == 0) & ((y < 0) | ((y == 0) & (z < 0))))))
    return np.where(negative[..., None], -q, q)


def _to_angles(q: Buffer, axes: tuple[int, ...], extrinsic: bool) -> Buffer:
    i, j, k = axes if extrinsic else axes[::-1]
    symmetric = i == k
    k = 3 - i - j if symmetric else k
    sign = (i - j) * (j - k) * (k - i) // 2
    parts = [q[..., n] for n in range(4)]
    if symmetric:
        a, b, c, d = parts[3], parts[i], parts[j], parts[k] * sign
    else:
        a, b = parts[3] - parts[j], parts[i] + parts[k] * sign
        c, d = parts[j] + parts[3], parts[k] * sign - parts[i]
    middle, half_sum, half_difference = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b)), np.arctan2(b, a), np.arctan2(d, c)
    outer = [half_sum - half_difference, half_sum + half_difference]
    low, high = np.abs(middle) <= 1e-7, np.abs(middle - np.pi) <= 1e-7
    # Where only the sum or the difference of two angles is known, the last one is 0.
    known = np.where(low, 2 * half_sum, 2 * half_difference * (-1 if extrinsic else 1))
    first, last = outer if extrinsic else outer[::-1]
    first, last = np.where(low | high, known, first), np.where(low | high, 0.0, last)
    if not symmetric:
        first, middle, last = first * (1 if extrinsic else sign), middle - np.pi / 2, last * (sign if extrinsic else 1)
    return (np.stack([first, middle, last], -1) + np.pi) % (2 * np.pi) - np.pi


def _axes_of(seq: str, function: str, most: int = 3, least: int = 1) -> tuple[tuple[int, ...], bool]:
    """Return the positions of axes, and whether they turn with the rotation."""
    intrinsic = re.fullmatch("[XYZ]{1,3}", seq) is not None
    if not least <= len(seq) <= most or not (intrinsic or re.fullmatch("[xyz]{1,3}", seq)):
        raise ValueError(f"{function}: the axes must be {least} to {most} letters of 'xyz' or of 'XYZ', got {describe(seq)}")
    if any(a == b for a, b in itertools.pairwise(seq)):
        raise ValueError(f"{function}: consecutive axes must be different, got {describe(seq)}")
    return tuple(["xyz".index(letter) for letter in seq.lower()]), intrinsic


# -- classes ------------------------------------------------------------------------------------------------------------------


@public
class Rotation(NamedTuple):
    """A rotation, or a stack of them.

    Examples
    --------
    >>> import supremum as xp
    >>> turn = xp.scipy.spatial.transform.Rotation.from_euler("z", 90, degrees=True)
    >>> turn.apply(xp.asarray([1.0, 0.0, 0.0])).round(3)
    Array([0., 1., 0.], dtype=float32)
    """

    quat: Array

    @classmethod
    def concatenate(cls, rotations: Sequence[Rotation]) -> Rotation:
        """Join stacks of rotations."""
        return cls(concatenate([rotation.quat for rotation in rotations]))

    @classmethod
    def from_euler(cls, seq: str, angles: ArrayLike, degrees: bool = False) -> Rotation:
        """Make a rotation of angles about axes, which turn with it if the letters are capitals."""
        axes, intrinsic = _axes_of(seq, "Rotation.from_euler")

        def kernel(given: Buffer) -> Buffer:
            turns = np.atleast_1d(np.deg2rad(given) if degrees else given)
            if turns.shape[-1] != len(axes) and len(axes) > 1:
                raise ShapeError(f"Rotation.from_euler: there must be {len(axes)} angles, got shape {turns.shape}")
            sines, cosines, place = np.sin(turns / 2)[..., None], np.cos(turns / 2)[..., None], np.arange(4)
            parts = [
                np.where(place == axis, sines[..., i, :], np.where(place == 3, cosines[..., i, :], 0.0))
                for i, axis in enumerate(axes)
            ]
            out = reduce(_hamilton, parts if intrinsic else parts[::-1])
            return out if len(axes) == 1 else _unit(out)

        return cls(_apply_kernel(kernel, angles))

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Rotation:
        """Make a rotation of its matrix."""
        return cls(_apply_kernel(_from_matrices, matrix))

    @classmethod
    def from_mrp(cls, mrp: ArrayLike) -> Rotation:
        """Make a rotation of its modified Rodrigues parameters."""
        return cls(_apply_kernel(_from_parameters, mrp))

    @classmethod
    def from_quat(cls, quat: ArrayLike) -> Rotation:
        """Make a rotation of a quaternion, which is normalized."""
        return cls(_apply_kernel(_unit, quat))

    @classmethod
    def from_rotvec(cls, rotvec: ArrayLike, degrees: bool = False) -> Rotation:
        """Make a rotation of a vector along its axis, whose length is the angle."""
        return cls(_apply_kernel(lambda v: _from_vectors(np.deg2rad(v) if degrees else v), rotvec))

    @classmethod
    def identity(cls, num: int | None = None, dtype: Any = float) -> Rotation:
        """Return the rotation by nothing."""
        if num is not None:
            raise NotImplementedError("Rotation.identity: num must be None, as in JAX")
        return cls(asarray([0.0, 0.0, 0.0, 1.0], dtype=dtype))

    @classmethod
    def random(cls, random_key: Array, num: int | None = None) -> Rotation:
        """Raise NotImplementedError, as in JAX."""
        raise NotImplementedError("Rotation.random: not supported, as in JAX; pass random.normal(key, (4,)) to from_quat")

    def __getitem__(self, indexer: Any) -> Rotation:  # pyright: ignore[reportIncompatibleMethodOverride]  # of rotations
        if self.single:
            raise TypeError("Rotation: a single rotation cannot be indexed")
        return Rotation(self.quat[indexer])

    def __len__(self) -> int:
        if self.single:
            raise TypeError("Rotation: a single rotation has no length")
        return int(self.quat.shape[0])

    def __mul__(self, other: Any) -> Rotation:
        return Rotation(_apply_kernel(_product, self.quat, other.quat))

    def apply(self, vectors: ArrayLike, inverse: bool = False) -> Array:
        """Rotate vectors."""

        def kernel(q: Buffer, v: Buffer) -> Buffer:
            return np.einsum("...ji,...j->...i" if inverse else "...ij,...j->...i", _matrices(q), v)

        return _apply_kernel(kernel, self.quat, vectors)

    def as_euler(self, seq: str, degrees: bool = False) -> Array:
        """Return the angles about three axes, which turn with the rotation if the letters are capitals."""
        axes, intrinsic = _axes_of(seq, "Rotation.as_euler", least=3)

        def kernel(q: Buffer) -> Buffer:
            angles = _to_angles(q, axes, not intrinsic)
            return np.rad2deg(angles) if degrees else angles

        return _apply_kernel(kernel, self.quat)

    def as_matrix(self) -> Array:
        """Return the matrix."""
        return _apply_kernel(_matrices, self.quat)

    def as_mrp(self) -> Array:
        """Return the modified Rodrigues parameters."""
        return _apply_kernel(_to_parameters, self.quat)

    def as_rotvec(self, degrees: bool = False) -> Array:
        """Return the vector along the axis, whose length is the angle."""
        return _apply_kernel(lambda q: np.rad2deg(_to_vectors(q)) if degrees else _to_vectors(q), self.quat)

    def as_quat(self, canonical: bool = False, scalar_first: bool = False) -> Array:
        """Return the quaternion; of its two signs the one whose scalar is not negative, if `canonical` is true."""
        quat = _apply_kernel(_canonical, self.quat) if canonical else self.quat
        return roll(quat, shift=1, axis=-1) if scalar_first else quat

    def inv(self) -> Rotation:
        """Return the inverse rotation."""
        return Rotation(_apply_kernel(lambda q: q * np.array([-1.0, -1.0, -1.0, 1.0]), self.quat))

    def magnitude(self) -> Array:
        """Return the angle."""
        return _apply_kernel(lambda q: 2 * np.arctan2(_norm(q[..., :3])[..., 0], np.abs(q[..., 3])), self.quat)

    def mean(self, weights: ArrayLike | None = None) -> Rotation:
        """Return the mean of rotations."""
        given = ones(len(self), dtype=self.quat.dtype) if weights is None else as_array(weights)
        if given.ndim != 1 or given.shape[0] != len(self):
            raise ShapeError(f"Rotation.mean: the weights must have shape ({len(self)},), got {given.shape}")

        def kernel(q: Buffer, weights: Buffer) -> Any:
            return raising(np.linalg.eigh, (weights * q.T) @ q)[1][:, -1]

        return Rotation(_apply_kernel(kernel, self.quat, given))

    @property
    def single(self) -> bool:
        """Whether this is one rotation, and no stack."""
        return bool(self.quat.ndim == 1)


@public
class Slerp(NamedTuple):
    """Interpolation of rotations along the shortest arcs.

    Examples
    --------
    >>> import supremum as xp
    >>> turns = xp.scipy.spatial.transform.Rotation.from_rotvec(xp.asarray([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    >>> between = xp.scipy.spatial.transform.Slerp.init(xp.asarray([0.0, 1.0]), turns)
    >>> between(0.5).as_rotvec()
    Array([0. , 0. , 0.5], dtype=float32)
    """

    times: Array
    timedelta: Array
    rotations: Rotation
    rotvecs: Array

    @classmethod
    def init(cls, times: ArrayLike, rotations: Rotation) -> Slerp:
        """Interpolate between rotations at times."""
        if not isinstance(rotations, Rotation):
            raise TypeError(f"Slerp.init: rotations must be a Rotation, got {describe(rotations)}")
        if rotations.single or len(rotations) == 1:
            raise ValueError("Slerp.init: rotations must be a stack of at least 2 rotations")
        given = asarray(times, dtype=rotations.quat.dtype)
        if given.ndim != 1 or given.shape[0] != len(rotations):
            raise ShapeError(f"Slerp.init: the times must have shape ({len(rotations)},), got {given.shape}")
        first, second = Rotation(rotations.quat[:-1]), Rotation(rotations.quat[1:])
        return cls(given, diff(given), first, (first.inv() * second).as_rotvec())

    def __call__(self, times: ArrayLike) -> Rotation:
        """Return the rotations at times."""
        given = asarray(times, dtype=self.times.dtype)
        if given.ndim > 1:
            raise ShapeError(f"Slerp: the times must have at most 1 axis, got shape {given.shape}")
        wanted = atleast_1d(given)
        place = maximum(searchsorted(self.times, wanted) - 1, 0)
        share = (wanted - self.times[place]) / self.timedelta[place]
        turned = Rotation.from_rotvec(self.rotvecs[place] * share[:, None])
        found = Rotation(_apply_kernel(_product, self.rotations.quat[place], turned.quat))
        return Rotation(found.quat[0]) if given.ndim == 0 else found


__dir__ = __all__.copy  # which `dir` sorts
