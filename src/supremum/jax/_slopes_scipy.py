"""Rules for derivatives: functions of `scipy`, and of polynomials, with a second definition in public functions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

import supremum as xp
from supremum.jax._dual import SEQUENCES, Level, stripped
from supremum.jax._slopes import by_position, constant, jax, linear, masked, moving, of_values, pushes, rows, valued
from supremum.jax._slopes_linalg import exponentials
from supremum.jax._slopes_parts import parts_of, resized, still
from supremum.scipy.special import _gamma_functions

# -- matrices of linear algebra -----------------------------------------------------------------------------------------------


@parts_of("scipy.linalg.lu_factor")
def _lu_factor(xp: Any, a: Any, **_: Any) -> Any:
    return tuple(jax().lax.linalg.lu(a)[:2])


@parts_of("scipy.linalg.lu")
def _lu(xp: Any, a: Any, permute_l: bool, **_: Any) -> Any:
    factors, _, order = jax().lax.linalg.lu(a)
    m, k = a.shape[0], min(a.shape)
    lower = xp.tril(factors[:, :k], -1) + xp.eye(m, k, dtype=factors.dtype)
    upper = xp.triu(factors[:k])
    return (lower[xp.argsort(order)], upper) if permute_l else (None, lower, upper)


@parts_of("scipy.linalg.lu_solve")
def _lu_solve(xp: Any, lu_and_piv: Any, b: Any, trans: int, **_: Any) -> Any:
    factors, pivots = lu_and_piv
    solve = jax().lax.linalg.triangular_solve
    vectors = b.ndim == 1 or b.ndim == factors.ndim - 1
    x = b[..., None] if vectors else b
    order = jax().lax.linalg.lu_pivots_to_permutation(xp.astype(xp.asarray(pivots), "int32"), factors.shape[-1])
    batch = np.broadcast_shapes(factors.shape[:-2], order.shape[:-1], x.shape[:-2])
    factors, x = (xp.broadcast_to(one, (*batch, *one.shape[-2:])) for one in (factors, x))
    order = xp.broadcast_to(order, (*batch, order.shape[-1]))[..., None]
    triangles = [{"lower": True, "unit_diagonal": True}, {"lower": False}]
    turned = {"transpose_a": trans > 0, "conjugate_a": trans == 2, "left_side": True}
    if trans == 0:
        x = xp.take_along_axis(x, order, axis=-2)
    for triangle in triangles if trans == 0 else triangles[::-1]:
        x = solve(factors, x, **triangle, **turned)
    if trans:
        x = xp.take_along_axis(x, xp.argsort(order, axis=-2), axis=-2)
    return x[..., 0] if vectors else x


@parts_of("scipy.linalg.expm_frechet")
def _expm_frechet(xp: Any, A: Any, E: Any, compute_expm: bool, **_: Any) -> Any:
    found = exponentials(A, E)
    return found if compute_expm else found[1]


@parts_of("scipy.linalg.rsf2csf")
def _rsf2csf(xp: Any, T: Any, Z: Any, **_: Any) -> Any:
    if T.ndim > 2 or Z.ndim > 2:
        return NotImplemented
    t, z = T + 0j, Z + 0j
    epsilon = float(xp.finfo(t.dtype).eps)
    for m in range(t.shape[0] - 1, 0, -1):
        if xp.abs(t[m, m - 1]) > epsilon * (xp.abs(t[m - 1, m - 1]) + xp.abs(t[m, m])):
            shift = xp.linalg.eigvals(t[m - 1 : m + 1, m - 1 : m + 1])[0] - t[m, m]
            size = xp.sqrt(xp.abs(shift) ** 2 + xp.abs(t[m, m - 1]) ** 2)
            c, s = shift / size, t[m, m - 1] / size
            turn = xp.stack([xp.stack([xp.conj(c), s]), xp.stack([-s, c])])
            back = xp.conj(xp.matrix_transpose(turn))
            t = t.at[m - 1 : m + 1, m - 1 :].set(turn @ t[m - 1 : m + 1, m - 1 :])
            t = t.at[: m + 1, m - 1 : m + 1].set(t[: m + 1, m - 1 : m + 1] @ back)
            z = z.at[:, m - 1 : m + 1].set(z[:, m - 1 : m + 1] @ back)
        t = t.at[m, m - 1].set(0.0)
    return t, z


@parts_of("linalg.cond")
def _cond(xp: Any, x: Any, p: Any) -> Any:
    if p is None or p in (2, -2):
        values = xp.linalg.svdvals(x)
        ends = values[..., 0], values[..., -1]
        return ends[1] / ends[0] if p == -2 else ends[0] / ends[1]
    return xp.linalg.norm(x, ord=p, axis=(-2, -1)) * xp.linalg.norm(xp.linalg.inv(x), ord=p, axis=(-2, -1))


# -- matrices made of vectors -------------------------------------------------------------------------------------------------


def _toeplitz(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    c, r = function.bound(args, kwargs).values()
    return moving(level, function, (c, xp.conj(xp.asarray(c)) if r is None else r), {})


rows(_toeplitz, "scipy.linalg.toeplitz")


# -- polynomials --------------------------------------------------------------------------------------------------------------


@parts_of("poly")
def _poly(xp: Any, seq_of_zeros: Any) -> Any:
    zeros = xp.asarray(seq_of_zeros)
    zeros = xp.linalg.eigvals(zeros) if zeros.ndim == 2 else xp.atleast_1d(zeros)
    found = xp.ones((1,), dtype=zeros.dtype)
    none = xp.zeros((1,), dtype=zeros.dtype)
    for i in range(zeros.shape[0]):
        found = xp.concatenate([found, none]) - zeros[i] * xp.concatenate([none, found])
    return found if zeros.shape[0] else found[0]


@parts_of("polydiv")
def _polydiv(xp: Any, u: Any, v: Any, trim_leading_zeros: bool) -> Any:
    if trim_leading_zeros:
        return NotImplemented
    rest, divisor = xp.asarray(u), xp.asarray(v)
    if rest._node.kind in "biu":
        rest = xp.astype(rest, divisor.dtype)
    n, degree = rest.shape[0], divisor.shape[0] - 1
    quotient = []
    for k in range(n - degree):
        quotient.append(rest[k] / divisor[0])
        rest = rest.at[k : k + degree + 1].add(-quotient[-1] * divisor)
    return xp.stack(quotient) if quotient else xp.zeros((1,), dtype=rest.dtype), rest


@pushes("roots")
def _roots(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    p = g["p"]

    def push(t: Any) -> Any:
        # Each root is a simple one: along the tangent of the coefficients, the value there stays zero.
        return -xp.polyval(xp.astype(t, y.dtype), y) / xp.polyval(xp.astype(xp.polyder(p), y.dtype), y)

    return {"p": push}


# -- order, and functions of functions ----------------------------------------------------------------------------------------


@parts_of("partition")
def _partition(xp: Any, a: Any, kth: int, axis: int) -> Any:
    found = xp.partition(still(a), kth, axis)
    places = xp.take_along_axis(xp.argsort(a, axis=axis), xp.argsort(xp.argsort(found, axis=axis), axis=axis), axis=axis)
    return xp.take_along_axis(a, places, axis=axis)


@parts_of("sort_complex")
def _sort_complex(xp: Any, a: Any) -> Any:
    return xp.sort(a) + 0j


def _chosen(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return elements of operands, chosen by their values: the first ones of those that are equal."""
    args, kwargs = by_position(function, args, kwargs, 2)
    found = function(*stripped(level, args), **stripped(level, kwargs))
    if isinstance(found, SEQUENCES):
        return of_values(level, function, args, kwargs)
    flat = xp.concatenate([xp.ravel(xp.asarray(x)) for x in args[:2]])
    order = xp.argsort(flat, stable=True)
    places = xp.searchsorted(xp.take(still(flat), order), found)
    chosen = xp.take(flat, xp.take(order, xp.clip(places, 0, flat.size - 1)))
    same = (still(chosen) == found) | (xp.isnan(still(chosen)) & xp.isnan(found))
    return valued(level, xp.where(same, chosen, found), function, args, kwargs)


rows(_chosen, "intersect1d setdiff1d setxor1d union1d")


def _place(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    given = function.bound(args, kwargs)
    mask = xp.astype(xp.asarray(stripped(level, given["mask"])), "bool")
    return moving(level, function, (given["arr"], mask, given["vals"]), {"inplace": given["inplace"]})


rows(_place, "place")


@parts_of("scipy.stats.mode")
def _mode(xp: Any, a: Any, axis: Any, keepdims: bool, **_: Any) -> Any:
    x, along = (xp.ravel(a), 0) if axis is None else (xp.atleast_1d(a), axis)
    found, counts = xp.scipy.stats.mode(still(x), along, keepdims=True)
    if not x.shape[along]:
        return found, counts
    first = xp.argmax(still(x) == found, axis=along, keepdims=True)
    kept = [1] * xp.ndim(a) if axis is None else list(found.shape)
    if not keepdims:
        kept = [] if axis is None else kept[: along % x.ndim] + kept[along % x.ndim + 1 :]
    return xp.reshape(xp.take_along_axis(x, first, axis=along), kept), counts


rows(constant, "scipy.stats.rankdata")


@parts_of("nn.scaled_dot_general")
def _scaled_dot_general(
    xp: Any, lhs: Any, rhs: Any, dimension_numbers: Any, preferred_element_type: Any, configs: Any, **_: Any
) -> Any:  # fmt: skip
    if configs is not None:
        return NotImplemented
    return jax().lax.dot_general(lhs, rhs, dimension_numbers, None, preferred_element_type)


# -- cosine transforms --------------------------------------------------------------------------------------------------------


def _cosines(name: str) -> None:
    """Add a transform of one axis: the transposed one is the inverse of the other, but for scales."""
    inverse = xp.scipy.fft.idct if name == "dct" else xp.scipy.fft.dct

    def pull(ct: Any, x: Any, axis: int, norm: Any, **_: Any) -> Any:
        n = ct.shape[axis]
        scales = np.full(n, 2.0 * n)
        scales[:1] *= 2
        column = xp.asarray(scales.reshape([-1 if i == axis % ct.ndim else 1 for i in range(ct.ndim)]), dtype=ct.real.dtype)
        if norm == "ortho":
            found = inverse(ct, axis=axis, norm=norm)
        else:
            found = inverse(ct * column, axis=axis) if name == "dct" else inverse(ct, axis=axis) / column
        return resized(found, x.shape[axis], axis)

    linear(f"scipy.fft.{name}", pull)

    @parts_of(f"scipy.fft.{name}n")
    def _(xp: Any, x: Any, type: int, s: Any, axes: Any, norm: Any) -> Any:
        sizes = None if s is None else list(s) if isinstance(s, SEQUENCES) else [s]
        if axes is None:
            axes = range(x.ndim) if sizes is None else range(x.ndim - len(sizes), x.ndim)
        for axis, n in itertools.zip_longest(axes, sizes or ()):
            x = getattr(xp.scipy.fft, name)(x, type, n, axis, norm)
        return x


_cosines("dct")
_cosines("idct")


# -- signals ------------------------------------------------------------------------------------------------------------------


def _detrended(ct: Any, axis: int, bp: Any, **given: Any) -> Any:
    """Apply the projection, which is symmetric."""
    return xp.scipy.signal.detrend(ct, axis, given["type"], bp)


linear("scipy.signal.detrend", _detrended)


# -- interpolation ------------------------------------------------------------------------------------------------------------


def _mirrored(index: Any, size: int) -> Any:
    last = size - 1
    return xp.abs((index + last) % (2 * last) - last)


_INDICES: Final[dict[str, Any]] = {
    "constant": lambda index, size: xp.clip(index, 0, size - 1),  # what is outside is replaced
    "nearest": lambda index, size: xp.clip(index, 0, size - 1),
    "wrap": lambda index, size: index % size,
    "mirror": _mirrored,
    "reflect": lambda index, size: (_mirrored(2 * index + 1, 2 * size + 1) - 1) // 2,
}


@parts_of("scipy.ndimage.map_coordinates")
def _map_coordinates(xp: Any, input: Any, coordinates: Any, order: int, mode: str, cval: Any) -> Any:
    x, along = xp.asarray(input), []
    if not x.ndim:
        return x
    for axis, size in enumerate(x.shape):
        at = xp.asarray(coordinates[axis])
        low = xp.floor(at) if order else jax().lax.round(at)
        share, first = at - low, xp.astype(low, "int32")
        corners = [(first, 1 - share), (first + 1, share)] if order else [(first, 1)]
        along.append([(i, _INDICES[mode](i, size), (i >= 0) & (i < size), weight) for i, weight in corners])
    found = 0
    for corner in itertools.product(*along):
        value = x[tuple([fixed for _, fixed, _, _ in corner])]
        if mode == "constant":
            for _, _, inside, _ in corner:
                value = xp.where(inside, value, cval)
        for _, _, _, weight in corner:
            value = value * weight
        found = found + value
    return found


# -- special functions --------------------------------------------------------------------------------------------------------


@pushes("scipy.special.bessel_jn")
def _bessel_jn(function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
    higher = function(g["z"], v=g["v"] + 1, n_iter=g["n_iter"])
    lower = xp.concatenate([-higher[1:2], higher[:-2]], axis=0)
    return {"z": lambda t: t * (lower - higher[1:]) / 2}


def _both(name: str, factors: Any) -> None:
    @pushes(f"scipy.special.{name}")
    def _(_function: Any, _y: Any, g: dict[str, Any]) -> dict[str, Any]:
        slopes = factors(g["x"])
        return {"x": lambda t: tuple([t * slope for slope in slopes])}


_both("fresnel", lambda x: [f(x * x * (np.pi / 2)) for f in (xp.sin, xp.cos)])
_both("sici", lambda x: [xp.sinc(x / np.pi), xp.cos(x) / x])


#: Bernoulli's numbers of even order, divided by the factorials of their orders.
_BERNOULLI: Final = [
    number / math.factorial(order) for order, number in enumerate(_gamma_functions.bernoulli_numbers(32).tolist())
][2::2]


def _zeta_series(s: Any, q: Any) -> Any:
    """Return Hurwitz's zeta function by Euler's and Maclaurin's sum."""
    count = 8 if q._node.bits == 32 else 16
    far = q + count
    head = xp.sum((q[..., None] + np.arange(count)) ** -s[..., None], -1)
    products = xp.cumprod((s[..., None] + np.arange(2 * count - 1)) / far[..., None], -1)[..., ::2]
    products = xp.clip(products, max=xp.finfo(q.dtype).max)
    tail = xp.sum(products * xp.asarray(_BERNOULLI[:count], dtype=q.dtype), -1)
    return head + far ** (1 - s) / (s - 1) + far**-s * (0.5 + tail)


def _hypergeometric(*given: Any) -> Any:
    """Return the sum of the first terms of a hypergeometric series of an argument, the last one, and its parameters."""
    *tops, bottom, x = [one[..., None] for one in given]
    k = np.arange(250)
    return 1 + xp.sum(xp.cumprod(math.prod([top + k for top in tops]) / ((bottom + k) * (k + 1)) * x, -1), -1)


def _by_series(name: str, series: Callable[..., Any], known: dict[str, Callable[..., Any]]) -> None:
    """Add a function whose derivatives are those of a series, but for known factors."""

    @pushes(f"scipy.special.{name}")
    def _(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
        dtype = xp.promote_types(y.dtype, "float32")
        given = {key: xp.broadcast_to(xp.astype(xp.asarray(x), dtype), y.shape) for key, x in g.items()}

        def factor(key: str) -> Any:
            if key in known:
                return known[key](function, *given.values())
            x = given[key]
            return jax().jvp(lambda x: series(*(given | {key: x}).values()), (x,), (xp.ones_like(x),))[1]

        return {key: lambda t, key=key: t * factor(key) for key in given}


_by_series("zeta", _zeta_series, {"q": lambda zeta, x, q: -x * zeta(x + 1, q)})
_by_series("hyp1f1", _hypergeometric, {"x": lambda hyp1f1, a, b, x: a / b * hyp1f1(a + 1, b + 1, x)})
_by_series("hyp2f1", _hypergeometric, {"x": lambda hyp2f1, a, b, c, x: a * b / c * hyp2f1(a + 1, b + 1, c + 1, x)})


@pushes("scipy.special.sph_harm_y")
def _sph_harm_y(function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    n, m = xp.asarray(g["n"]), xp.asarray(g["m"])
    polar, azimuth, most = g["theta"], g["phi"], g["n_max"]
    degree = n if most is None else xp.minimum(n, most)

    def neighbour(step: int) -> Any:
        """Return the harmonics of the next order, by their factor; the factor of those that do not exist is zero."""
        size = xp.sqrt(xp.astype((degree - step * m) * (degree + step * m + 1), xp.real(y).dtype))
        order = xp.where(xp.abs(m + step) > degree, m, m + step)
        return size * xp.exp(-1j * step * azimuth) * function(n, order, polar, azimuth, n_max=most)

    def by_polar(t: Any) -> Any:
        return t * (neighbour(1) - neighbour(-1)) / 2

    return {"theta": by_polar, "phi": lambda t: t * (1j * m * y)}


# -- interpolation ------------------------------------------------------------------------------------------------------------


def _interpolation(table: Any, values: Any, xi: Any, method: str) -> Any:
    """Return the mean of the values at the corners of cells; a place on a border is in the cell before it, as in JAX."""
    count = len(table.grid)
    places = xp.stack(xp.broadcast_arrays(*xi), axis=-1) if isinstance(xi, tuple) else xp.asarray(xi)
    places = places.reshape(-1, count) if places.ndim == 1 else places
    cells, outside = [], xp.asarray(False)
    for axis, given in enumerate(table.grid):
        falls, x = given[0] > given[-1], places[..., axis]
        grid, values = (xp.flip(given), xp.flip(values, axis)) if falls else (given, values)
        low = xp.clip(xp.searchsorted(grid, x) - 1, 0, grid.size - 2)
        share = (x - grid[low]) / (grid[low + 1] - grid[low])
        share = xp.astype(share > 0.5, share.dtype) if method == "nearest" else share
        cells.append(((low, 1 - share), (low + 1, share)))
        outside = outside | (x < grid[0]) | (x > grid[-1])
    rest = (None,) * (values.ndim - count)
    found: Any = 0
    for corner in itertools.product(*cells):
        weight: Any = math.prod([share for _, share in corner])
        found = found + weight[(..., *rest)] * values[tuple([i for i, _ in corner])]
    return found if table.fill_value is None else xp.where(outside[(..., *rest)], table.fill_value, found)


def _interpolated(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return valued(level, _interpolation(*args), function, args, kwargs)


rows(_interpolated, "RegularGridInterpolator")


# -- shares -------------------------------------------------------------------------------------------------------------------


@pushes("nn.softmax")
def _softmax(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    def move(t: Any) -> Any:
        t = masked(t, g["where"])
        return y * (t - xp.sum(y * t, axis=g["axis"], keepdims=True))

    return {"x": (move, move)}  # a symmetric matrix


@pushes("nn.log_softmax scipy.special.log_softmax")
def _log_softmax(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    axis, where, shares = g["axis"], g.get("where"), xp.exp(y)  # 0 for what does not count, also where nothing does

    def push(t: Any) -> Any:
        return masked(t - xp.sum(shares * t, axis=axis, keepdims=True), where)

    def pull(ct: Any) -> Any:
        ct = masked(ct, where)
        return ct - shares * xp.sum(ct, axis=axis, keepdims=True)

    return {"x": (push, pull)}
