"""Rules for derivatives: functions with a second definition in public functions, of which the tangents are taken."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum import Array
from supremum._functions.statistical.averages import align_weights
from supremum.jax._batching import as_own
from supremum.jax._dual import SEQUENCES, Level, Rule, stripped
from supremum.jax._slopes import (
    as_array,
    by_parts,
    by_position,
    jax,
    linear,
    moving,
    of_values,
    pushes,
    rows,
    unused,
    valued,
)
from supremum.jax._values import items_of
from supremum.jax._vmap import vmap


def parts_of(names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate the parts of functions: they are called with the namespace, and then with all arguments by name."""

    def decorated(parts: Callable[..., Any]) -> Callable[..., Any]:
        def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            given = function.bound(args, kwargs)
            return by_parts(lambda xp, *_, **__: parts(xp, **given))(level, function, args, kwargs)

        rows(rule, names)
        return parts

    return decorated


# -- order --------------------------------------------------------------------------------------------------------------------


def still(x: Any) -> Any:
    """Return a value without tangents of any level."""
    return jax().lax.stop_gradient(x)


def _quantile(a: Any, q: Any, axis: Any, method: str, keepdims: bool, skip: bool, weights: Any) -> Any:
    """Interpolate between the sorted elements next to a position, or return that at which weights reach a share."""
    a, q = xp.asarray(a), xp.asarray(q)
    if a._node.kind in "biu" or a._node.bits < 16:
        a = xp.astype(a, float)  # which promotes with the fractions
    if a._node.kind != "f" or method not in ("linear", "lower", "higher", "midpoint", "nearest", "inverted_cdf"):
        return NotImplemented
    axes = range(a.ndim) if axis is None else [i % a.ndim for i in (axis if isinstance(axis, SEQUENCES) else (axis,))]
    rest, size = [i for i in range(a.ndim) if i not in axes], math.prod([a.shape[i] for i in axes])

    def in_rows(x: Any) -> Any:
        return xp.reshape(xp.permute_dims(x, (*rest, *axes)), (*[a.shape[i] for i in rest], size))

    x = in_rows(a)
    nan = xp.isnan(still(x))
    gone = nan if skip else xp.any(nan, axis=-1, keepdims=True)  # they have no derivative
    x = xp.where(gone, xp.nan, x)
    count = xp.sum(xp.logical_not(nan), axis=-1) if skip else x.shape[-1]
    qs = xp.reshape(q, (*q.shape, *([1] * len(rest))))
    reached: Any = None
    if weights is not None:
        weights = align_weights("quantile", still(weights), a.shape, tuple(axes), axis)
        shares = xp.where(nan, 0, in_rows(xp.broadcast_to(weights, a.shape)))
        reached = xp.cumsum(xp.take_along_axis(shares, xp.argsort(still(x), axis=-1), axis=-1), axis=-1)
    x = xp.sort(x, axis=-1)
    at = qs * (count - 1)
    low, high = xp.floor(still(at)), xp.ceil(still(at))
    share = at - low

    def element(i: Any) -> Any:
        index = xp.broadcast_to(xp.astype(xp.clip(i, 0, x.shape[-1] - 1), "int32"), (*q.shape, *x.shape[:-1]))
        values = xp.broadcast_to(x, (*q.shape, *x.shape))
        return xp.take_along_axis(values, index[..., None], axis=-1)[..., 0]

    lower, upper = element(low), element(high)
    choices: dict[str, Callable[[], Any]] = {
        "linear": lambda: lower * (1 - share) + upper * share,
        "lower": lambda: lower,
        "higher": lambda: upper,
        "midpoint": lambda: (lower + upper) * 0.5,
        "inverted_cdf": lambda: element(
            xp.ceil(still(qs) * count) - 1
            if reached is None
            else xp.sum(reached < still(qs)[..., None] * reached[..., -1:], axis=-1)
        ),
        "nearest": lambda: xp.where(still(share) <= 0.5, lower, upper),
    }
    found = choices[method]()
    if keepdims:
        kept = [1 if i in axes else n for i, n in enumerate(a.shape)]
        found = xp.reshape(found, (*q.shape, *kept))
    return found


def _quantiles(name: str, unit: int, skip: bool) -> None:
    @parts_of(name)
    def _(
        xp: Any, a: Any, axis: Any, keepdims: bool, q: Any = 0.5, method: str = "linear", weights: Any = None, **_: Any
    ) -> Any:
        return _quantile(a, xp.asarray(q) / unit if unit != 1 else q, axis, method, keepdims, skip, weights)


for _name, _unit in (("quantile", 1), ("percentile", 100), ("median", 1)):
    _quantiles(_name, _unit, skip=False)
    _quantiles(f"nan{_name}", _unit, skip=True)


# -- elements that move, or are kept ------------------------------------------------------------------------------------------

_MOVING = ("constant", "edge", "reflect", "symmetric", "wrap", "empty")


def _padded(array: Any, pad_width: Any, mode: Any, stat_length: Any = None, end_values: Any = None, **options: Any) -> Any:
    """Pad axis by axis: with statistics, or by the matrix of what is linear but for constants."""

    def pairs(value: Any) -> list[list[int]]:
        return np.broadcast_to(np.asarray(value), (array.ndim, 2)).tolist()

    for axis, widths in enumerate(pairs(pad_width)):
        n = array.shape[axis]
        if mode in (*_MOVING, "linear_ramp"):
            matrix = xp.pad(xp.eye(n, dtype=array.dtype), (widths, (0, 0)), mode, **options)
            array = xp.moveaxis(xp.tensordot(matrix, array, axes=((1,), (axis,))), 0, axis)
        else:
            statistic = getattr(xp, mode.removesuffix("imum"))
            first, last = pairs(n if stat_length is None else stat_length)[axis]
            ends = array.take(np.arange(n)[:first], axis), array.take(np.arange(n)[-last:], axis)
            before, after = [xp.repeat(statistic(x, axis, keepdims=True), k, axis) for x, k in zip(ends, widths, strict=True)]
            array = xp.concat([before, array, after], axis=axis)
    return array


def _pad(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args, kwargs = by_position(function, args, kwargs, 1)
    given = function.bound(args, kwargs)
    if callable(given["mode"]):
        return of_values(level, function, args, kwargs)
    options = given.pop("kwargs", {})
    if given["mode"] not in _MOVING or options.get("reflect_type") == "odd":
        return valued(level, _padded(**given, **options), function, args, kwargs)
    if "constant_values" in kwargs:  # integers are none of the positions that elements come from
        kwargs = kwargs | {"constant_values": as_array(level, xp.asarray, (kwargs["constant_values"], args[0].dtype), {})}
    return moving(level, function, args, kwargs)


rows(_pad, "pad")


def joined(new: bool) -> Rule:
    """Return the rule of functions that join arrays, of which cotangents are cut."""

    def rule(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = function.bound(args, kwargs)
        arrays, axis = given["arrays"], given.get("axis", 0)
        if isinstance(arrays, Array):
            return moving(level, function, args, kwargs)
        arrays = list(map(as_own, arrays))
        y = function(*stripped(level, args), **stripped(level, kwargs))
        shapes = [x.shape for x in arrays]
        sizes = [1 if new else math.prod(shape) if axis is None else shape[axis] for shape in shapes]
        starts = list(itertools.accumulate(sizes, initial=0))

        def cut(ct: Any, i: int, x: Any) -> Any:
            part = starts[i] if new else slice(starts[i], starts[i + 1])
            found = ct[(*(slice(None),) * ((axis or 0) % ct.ndim), part)]
            return xp.reshape(found, x.shape) if axis is None else found

        parts = [(x, unused, lambda ct, i=i, x=x: cut(ct, i, x.primal)) for i, x in enumerate(arrays) if level.holds(x)]

        def push() -> Any:
            tangents = [x.tangent if level.holds(x) else xp.zeros(np.shape(x), dtype=y.dtype) for x in arrays]
            return function(tangents, axis=axis)

        return level.result(y, parts, push)

    return rule


rows(joined(new=False), "concat concatenate")
rows(joined(new=True), "stack")


@pushes("unwrap")
def _unwrap(_function: Any, _y: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {next(iter(given)): (lambda t: t, lambda ct: ct)}


@parts_of("bincount")
def _sums(xp: Any, x: Any, weights: Any, minlength: int, length: Any, **_: Any) -> Any:
    count = max(minlength, int(xp.max(x)) + 1) if length is None else length
    return xp.zeros(count, dtype=weights.dtype).at[xp.maximum(x, 0)].add(weights, mode="drop")


def _in_bins(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return sums of weights in bins, and the bounds of bins along each axis, by which densities are divided."""
    given = function.bound(args, kwargs)
    points, bins, ranges, weights, density = given.values()
    one = function.name == "histogram"
    columns = [xp.ravel(points)] if one else list(xp.asarray(points).T)
    count = len(columns)
    each: Any = bins if isinstance(bins, SEQUENCES) and not one else [bins] * count
    edges = list(map(xp.histogram_bin_edges, columns, each, [ranges] * count if one or ranges is None else ranges))
    index: Any = 0
    shape = tuple([edge.size + 1 for edge in edges])
    for x, edge in zip(columns, edges, strict=True):
        index = index * (edge.size + 1) + xp.where(x == edge[-1], edge.size - 1, xp.searchsorted(edge, x, side="right"))
    terms = xp.ones_like(columns[0], dtype=edges[0].dtype) if weights is None else xp.ravel(xp.asarray(weights))
    sums = xp.zeros(math.prod(shape), dtype=terms.dtype).at[index].add(terms)
    sums = xp.reshape(sums, shape)[(slice(1, -1),) * count]
    if density:
        sums = sums / xp.sum(sums)
        for i, edge in enumerate(edges):
            sums = sums / xp.reshape(xp.diff(edge), (-1, *[1] * (count - 1 - i)))
    return valued(level, (sums, edges[0] if one else edges), function, args, kwargs)


rows(_in_bins, "histogram histogramdd")


@parts_of("histogram_bin_edges")
def _edges(xp: Any, a: Any, bins: Any, range: Any, **_: Any) -> Any:
    if not isinstance(bins, int):
        return xp.asarray(bins)
    low, high = (xp.min(a), xp.max(a)) if range is None else range
    return xp.linspace(low, high, bins + 1)


# -- Fourier transforms -------------------------------------------------------------------------------------------------------


def resized(x: Any, n: int, axis: int) -> Any:
    """Cut an axis, or add zeros at its end."""
    have = x.shape[axis]
    if have >= n:
        return x if have == n else x[(*(slice(None),) * (axis % x.ndim), slice(0, n))]
    widths = [(0, 0)] * x.ndim
    widths[axis] = (0, n - have)
    return xp.pad(x, widths)


def _complex(x: Any) -> Any:
    return x if x._node.kind == "c" else x + 0j


def _transform(kind: str) -> None:
    """Add a transform whose matrix is symmetric."""

    def pull(ct: Any, x: Any, n: Any, axis: int, norm: Any, **_: Any) -> Any:
        return resized(getattr(xp.fft, kind)(_complex(ct), None, axis, norm), x.shape[axis], axis)

    linear(f"fft.{kind}", pull)


_transform("fft")
_transform("ifft")


@parts_of("fft.rfft")
def _rfft(xp: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    n = a.shape[axis] if n is None else n
    return resized(xp.fft.fft(_complex(a), n, axis, norm), n // 2 + 1, axis)


@parts_of("fft.irfft")
def _irfft(xp: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    n = 2 * (a.shape[axis] - 1) if n is None else n
    half = xp.moveaxis(resized(_complex(a), n // 2 + 1, axis), axis, -1)
    rest = xp.conj(xp.flip(half[..., 1 : (n + 1) // 2], -1))
    # The middle frequency of an even length, like the first one, counts by its real part alone.
    whole = xp.concatenate([half, rest], axis=-1)
    return xp.moveaxis(xp.real(xp.fft.ifft(whole, n, -1, norm)), -1, axis)


_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


@parts_of("fft.hfft")
def _hfft(xp: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return xp.fft.irfft(xp.conj(a), n, axis, _SWAPPED[norm])


@parts_of("fft.ihfft")
def _ihfft(xp: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    return xp.conj(xp.fft.rfft(a, n, axis, _SWAPPED[norm]))


@pushes("fft.fftfreq fft.rfftfreq")
def _frequencies(_function: Any, y: Any, g: dict[str, Any]) -> dict[str, Any]:
    return {"d": lambda t: -y * (t / g["d"])}


# -- fits ---------------------------------------------------------------------------------------------------------------------


@parts_of("linalg.lstsq scipy.linalg.lstsq")
def _lstsq(xp: Any, a: Any, b: Any, rcond: Any = None, **_: Any) -> Any:
    columns = b if b.ndim > 1 else b[:, None]
    x = xp.matmul(xp.linalg.pinv(a), columns)
    left = columns - xp.matmul(a, x)
    residuals = xp.sum(xp.abs(left) ** 2, axis=0) if a.shape[0] > a.shape[1] else xp.zeros((0,), dtype=b.dtype)
    return x if b.ndim > 1 else x[:, 0], residuals, None, xp.linalg.svdvals(a)


def _powers(x: Any, n: int) -> Any:
    return xp.stack([x**i for i in range(n - 1, -1, -1)], axis=-1)


@parts_of("vander")
def _vander(xp: Any, x: Any, N: int | None, increasing: bool) -> Any:
    found = _powers(xp.asarray(x), len(x) if N is None else N)
    return xp.flip(found, -1) if increasing else found


@parts_of("polyfit")
def _polyfit(xp: Any, x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    powers, y = _powers(xp.asarray(x) * 1.0, deg + 1), xp.asarray(y) * 1.0
    if w is not None:
        powers, y = powers * xp.asarray(w)[:, None], y * (w if y.ndim == 1 else xp.asarray(w)[:, None])
    scale = xp.sqrt(xp.sum(powers * powers, axis=0))
    design = powers / scale
    found, residuals, *others = xp.linalg.lstsq(design, y)
    found = found / (scale if y.ndim == 1 else scale[:, None])
    if full or not cov:
        return (found, residuals, *others, None) if full else found
    base = xp.linalg.inv(design.mT @ design) / xp.outer(scale, scale)
    factor = 1.0 if cov == "unscaled" else residuals / (len(x) - deg - 1)
    return found, (base if y.ndim == 1 else base[:, :, None]) * factor


# -- functions of functions ---------------------------------------------------------------------------------------------------


def _apply_along_axis(xp: Any, func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    axis %= arr.ndim

    def call(row: Any) -> Any:
        return func1d(row, *args, **kwargs)

    for _ in range(arr.ndim - 1):
        call = vmap(call)
    found: Any = call(xp.moveaxis(arr, axis, -1))
    more = found.ndim - arr.ndim + 1
    front = tuple(range(arr.ndim - 1, arr.ndim - 1 + more))
    return xp.moveaxis(found, front, tuple(range(axis, axis + more)))


rows(by_parts(_apply_along_axis), "apply_along_axis")


@parts_of("piecewise")
def _piecewise(xp: Any, x: Any, condlist: Any, funclist: Any, args: Any = (), kw: Any = None, **more: Any) -> Any:
    values = [f(x, *args, **(kw or more)) if callable(f) else f for f in funclist]
    found = values.pop() if len(values) > len(condlist) else 0
    for condition, value in zip(condlist, values, strict=True):
        found = xp.where(condition, value, found)
    return found


rows(moving, "put put_along_axis fill_diagonal")


@parts_of("unravel_index")
def _unravel_index(xp: Any, indices: Any, shape: Any) -> Any:
    found, rest = [], indices
    for length in reversed(shape if isinstance(shape, SEQUENCES) else [shape]):
        rest, part = xp.divmod(rest, length)
        found.append(part)
    outside = (rest > 0) | (rest < -1)
    return tuple([xp.where(outside, 0, part) for part in reversed(found)])


# -- functions by others ------------------------------------------------------------------------------------------------------


@parts_of("frexp")
def _frexp(xp: Any, x: Any, **_: Any) -> Any:
    exponent = xp.frexp(still(x))[1]
    return xp.ldexp(x, -exponent), exponent


@parts_of("kaiser")
def _kaiser(xp: Any, M: Any, beta: Any) -> Any:
    places = np.linspace(-1, 1, int(M)) if int(M) > 1 else np.zeros(int(M))
    roots = xp.asarray(np.sqrt(1 - places**2), dtype=np.float32 if beta._node.bits < 64 else np.float64)
    return xp.i0(beta * roots) / xp.i0(beta)


@parts_of("logspace")
def _logspace(xp: Any, start: Any, stop: Any, num: int, endpoint: bool, base: Any, axis: int = 0, **_: Any) -> Any:
    return base ** xp.linspace(start, stop, num, endpoint=endpoint, axis=axis)


@parts_of("geomspace")
def _geomspace(xp: Any, start: Any, stop: Any, num: int, endpoint: bool, axis: int = 0, **_: Any) -> Any:
    return xp.exp(xp.linspace(xp.log(start), xp.log(stop), num, endpoint=endpoint, axis=axis))


@parts_of("scipy.special.multigammaln")
def _multigammaln(xp: Any, a: Any, d: Any) -> Any:
    d = int(d)
    steps = xp.asarray(a)[..., None] - xp.asarray(np.arange(d) / 2, dtype=xp.asarray(a).dtype)
    return xp.sum(xp.scipy.special.gammaln(steps), axis=-1)


def _products(name: str, correlated: bool, later: int = 0) -> None:
    @parts_of(f"scipy.signal.{name}")
    def _(xp: Any, in1: Any, in2: Any, mode: str, axes: Any = None, **options: Any) -> Any:
        dtype = xp.result_type(in1, in2)
        x, y = xp.asarray(in1, dtype=dtype), xp.asarray(in2, dtype=dtype)
        if options.get("boundary", "fill") != "fill" or options.get("fillvalue", 0) != 0:
            return NotImplemented
        along = range(x.ndim) if axes is None else [i % x.ndim for i in items_of(axes)]
        rest = [i for i in range(x.ndim) if i not in along]  # each position along them has a kernel of its own
        order, apart = [*rest, *along], [x.shape[i] for i in rest]
        groups = math.prod(apart)
        x, y = (xp.reshape(xp.transpose(z, order), (groups, *[z.shape[i] for i in along])) for z in (x, y))
        kernel = xp.conj(y) if correlated else xp.flip(y, axis=tuple(range(1, y.ndim)))
        pads = [(m - 1, m - 1) for m in y.shape[1:]]
        conv: Any = xp.jax.lax.conv_general_dilated
        found = conv(x[None], kernel[:, None], (1,) * len(pads), pads, feature_group_count=groups)[0]
        pairs = list(zip(x.shape, y.shape, strict=True))[1:]
        if mode == "same":  # the middle, or of two the first or the later one
            found = found[(..., *[slice((m - 1 + later) // 2, (m - 1 + later) // 2 + n) for n, m in pairs])]
        elif mode == "valid":
            found = found[(..., *[slice(min(pair) - 1, max(pair)) for pair in pairs])]
        return xp.transpose(xp.reshape(found, (*apart, *found.shape[1:])), np.argsort(order).tolist())


_products("convolve", False)
_products("convolve2d", False)
_products("fftconvolve", False)
_products("correlate", True)
_products("correlate2d", True, later=1)
rows(moving, "scipy.linalg.block_diag")


def _comb(n: Any, m: Any) -> Any:
    gammaln, some = xp.scipy.special.gammaln, (m <= n) & (n >= 0) & (m >= 0)
    n, m = xp.where(some, n, 0.0), xp.where(some, m, 0.0)
    return xp.where(some, xp.exp(gammaln(n + 1) - gammaln(m + 1) - gammaln(n + 1 - m)), 0.0)


parts_of("scipy.special._without_repetition")(lambda _, n, m: _comb(n, m))
parts_of("scipy.special._with_repetition")(lambda _, n, m: _comb(n + m - 1, m))


@parts_of("scipy.cluster.vq.vq")
def _vq(xp: Any, obs: Any, code_book: Any, **_: Any) -> Any:
    points, centers = [x[:, None] if x.ndim == 1 else x for x in map(xp.asarray, (obs, code_book))]
    apart = xp.linalg.norm(points[:, None] - centers[None], axis=-1)
    codes = xp.argmin(still(apart), axis=-1)
    return codes, xp.take_along_axis(apart, codes[:, None], axis=-1)[:, 0]
