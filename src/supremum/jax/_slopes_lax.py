"""Rules for derivatives: functions of `lax` that are not those of the namespace by another name."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import supremum as xp
from supremum.jax._dual import SEQUENCES, Level, Strong, like, stripped
from supremum.jax._slopes import called, jax, primal, pushes, rows
from supremum.jax._slopes_parts import parts_of

# -- reductions and scans -----------------------------------------------------------------------------------------------------


def _scan(name: str, combine: Callable[[Any], Callable[..., Any]]) -> None:
    @parts_of(f"lax.{name}")
    def _(xp: Any, operand: Any, axis: int, reverse: bool) -> Any:
        return jax().lax.associative_scan(combine(xp), operand, reverse, axis)


_scan("cumprod", lambda xp: xp.multiply)
_scan("cummax", lambda xp: xp.maximum)
_scan("cummin", lambda xp: xp.minimum)
_scan("cumlogsumexp", lambda xp: xp.logaddexp)


@parts_of("lax.reduce_window")
def _reduce_window(
    xp: Any, operand: Any, init_value: Any, computation: Any, window_dimensions: Any, window_strides: Any, padding: Any,
    base_dilation: Any, window_dilation: Any,
) -> Any:  # fmt: skip
    if isinstance(operand, list | tuple | dict):
        return NotImplemented
    from supremum.jax.lax import _reductions as own

    lax, start = jax().lax, xp.astype(xp.asarray(init_value), operand.dtype)
    case = own._windows_of(operand.shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    wide = lax.pad(operand, start, case.padding)
    if 0 in case.shape:
        return xp.reshape(wide[(slice(0),) * wide.ndim], case.shape)
    parts = xp.stack([wide[key] for key in case.keys])
    if computation in (lax.add, xp.add, operator.add):
        return xp.sum(parts, axis=0)
    if computation in (lax.max, xp.maximum, lax.min, xp.minimum):  # the first one of several
        first = (xp.argmax if computation in (lax.max, xp.maximum) else xp.argmin)(parts, axis=0, keepdims=True)
        return xp.take_along_axis(parts, first, axis=0)[0]
    found = xp.broadcast_to(start, case.shape)
    for part in parts:
        found = computation(found, part)
    return found


# -- order --------------------------------------------------------------------------------------------------------------------


def _sort(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    given = function.bound(args, kwargs)
    operands, axis = given["operand"], given["dimension"]
    several = isinstance(operands, SEQUENCES)
    xs = list(operands) if several else [operands]
    plain = [stripped(level, x) for x in xs]
    places = jax().lax.broadcasted_iota("int32", plain[0].shape, axis % plain[0].ndim)
    order = function((*plain, places), axis, given["is_stable"], given["num_keys"])[-1]
    found = tuple([xp.take_along_axis(x, order, axis=axis) for x in xs])
    return found if several else found[0]


rows(_sort, "lax.sort")


def _greatest(level: Level, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    given = function.bound(args, kwargs)
    _, indices = primal(level, function, args, kwargs)
    return [xp.take_along_axis(given["operand"], indices, axis=given["axis"]), indices]


rows(_greatest, "lax.top_k")

# -- products -----------------------------------------------------------------------------------------------------------------


@parts_of("lax.ragged_dot_general")
def _ragged(
    xp: Any, lhs: Any, rhs: Any, group_sizes: Any, ragged_dot_dimension_numbers: Any, preferred_element_type: Any, **_: Any
) -> Any:  # fmt: skip
    from supremum.jax.lax import _dot_products as own

    sizes = xp.asarray(group_sizes)
    case = own._checked(lhs, rhs, sizes, ragged_dot_dimension_numbers)
    ((xc, yc), (xb, yb)), lax = case.numbers, jax().lax
    if case.mode == "batch":
        return lax.dot_general(lhs, rhs, case.numbers, None, preferred_element_type)
    # An axis of groups before those of lhs, with zeros for what is in other groups.
    ends = xp.cumsum(sizes, axis=-1)
    place = xp.asarray(np.arange(lhs.shape[case.axis]))
    inside = (place >= (ends - sizes)[..., None]) & (place < ends[..., None])
    axes = [*(case.outer if sizes.ndim > 1 else []), case.axis]
    inside = xp.moveaxis(inside, -2, 0)
    shape = [lhs.shape[i] if i in axes else 1 for i in range(lhs.ndim)]
    order = [1 + axes.index(i) for i in sorted(axes)]
    mask = xp.reshape(xp.permute_dims(inside, (0, *order)), (sizes.shape[-1], *shape))
    wide = xp.where(mask, lhs, xp.zeros((), dtype=lhs.dtype))
    xc, xb = (tuple([1 + i for i in given]) for given in (xc, xb))
    if case.mode == "rows":
        return lax.dot_general(wide, rhs, (((0, *xc), (case.group_axis, *yc)), (xb, yb)), None, preferred_element_type)
    found = lax.dot_general(wide, rhs, ((xc, yc), (xb, yb)), None, preferred_element_type)
    return xp.moveaxis(found, len(xb), 0)


@pushes("lax.conv_general_dilated")
def _conv(function: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
    from supremum.jax.lax import _convolution as own
    from supremum.jax.lax._operands import inverted
    from supremum.jax.lax._reductions import dilated

    lhs, rhs, groups, batches = (given[name] for name in ("lhs", "rhs", "feature_group_count", "batch_group_count"))
    numbers = own.conv_dimension_numbers(lhs.shape, rhs.shape, given["dimension_numbers"])
    (left, right, out), lax = (tuple(given) for given in numbers), jax().lax
    a, k = xp.permute_dims(lhs, left), xp.permute_dims(rhs, right)
    words = [given[name] for name in ("window_strides", "padding", "lhs_dilation", "rhs_dilation")]
    case = own._geometry(a.shape, k.shape, *words)

    def conv(a: Any, k: Any, specs: Any, strides: Any, ends: Any, base: Any, spread: Any, *groups: int) -> Any:
        of_a, of_k = ([x.shape[i] for i in spec[2:]] for x, spec in ((a, specs[0]), (k, specs[1])))
        lengths = zip(ends, of_a, base, of_k, spread, strict=True)
        # What is added before is given, and what is added after follows from the length of the result.
        pads = [(low, n + dilated(w, d) - 1 - dilated(m, b) - low) for (low, n), m, b, w, d in lengths]
        return lax.conv_general_dilated(a, k, strides, pads, base, spread, own.ConvDimensionNumbers(*specs), *groups)

    def to_lhs(ct: Any) -> Any:
        count, plain = max(groups, batches), tuple(range(lhs.ndim))
        # The features of the kernel are exchanged, within each group.
        turned = xp.reshape(xp.astype(k, ct.dtype), (count, k.shape[0] // count, *k.shape[1:]))
        turned = xp.flip(xp.swapaxes(turned, 1, 2), axis=tuple(range(3, turned.ndim)))
        turned = xp.reshape(turned, (count * turned.shape[1], *turned.shape[2:]))
        ends = [(w - 1 - low, n) for w, (low, _), n in zip(case.window, case.padding, case.wide, strict=True)]
        specs = out, plain, left if batches == 1 else plain
        found = conv(ct, turned, specs, case.base, ends, case.strides, case.spread, count)
        if batches > 1:
            shape = (found.shape[0], batches, found.shape[1] // batches, *found.shape[2:])
            found = xp.reshape(xp.moveaxis(xp.reshape(found, shape), 1, 0), (batches * shape[0], *shape[2:]))
            found = xp.permute_dims(found, inverted(left))
        return like(found, lhs)

    def to_rhs(ct: Any) -> Any:
        ends = [(low, w) for (low, _), w in zip(case.padding, case.window, strict=True)]
        # The batch and the features change places.
        specs = [(spec[1], spec[0], *spec[2:]) for spec in (left, out, right)]
        found = conv(xp.astype(lhs, ct.dtype), ct, specs, case.spread, ends, case.base, case.strides, batches, groups)
        return like(found, rhs)

    return {
        "lhs": (lambda t: called(function, {**given, "lhs": t}), to_lhs),
        "rhs": (lambda t: called(function, {**given, "rhs": t}), to_rhs),
    }


# -- functions by others ------------------------------------------------------------------------------------------------------


@pushes("lax.complex")
def _complex(function: Any, _y: Any, given: dict[str, Any]) -> dict[str, Any]:
    return {
        "x": (lambda t: function(t, xp.zeros_like(t)), Strong(xp.real)),
        "y": (lambda t: function(xp.zeros_like(t), t), Strong(lambda ct: -xp.imag(ct))),
    }
