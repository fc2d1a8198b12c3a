"""The elementwise functions of `lax`, as two tables: name, accepted kinds of dtypes, what computes it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from supremum.jax.lax._gamma_slopes import gamma_lower_slope, gamma_sample_slope
from supremum.jax.lax._operands import (
    NODES,
    Array,
    Buffer,
    Node,
    as_operand,
    as_operands,
    broadcast_shape,
    call_without_float_warnings,
    cast,
    check_kinds,
    check_same_dtypes,
    common_node,
    on_buffers,
    public,
    wrap,
    xp,
)  # fmt: skip
from supremum.scipy import special
from supremum.scipy.special._gamma_functions import derivative_of_digamma

__all__ = [
    "BINARY",
    "UNARY",
    "RoundingMethod",
    "betainc",
    "bitcast_convert_type",
    "clamp",
    "convert_element_type",
    "igamma_grad_a",
    "integer_pow",
    "mul",
    "polygamma",
    "random_gamma_grad",
    "reciprocal",
    "reduce_precision",
    "round",
    "select",
    "select_n",
]  # fmt: skip

Compute = Callable[..., Array]
_FLOAT, _REAL, _NUMBER, _ANY, _INT = "f", "iuf", "iufc", "iufcb", "iu"


class RoundingMethod(enum.IntEnum):
    """How `round` rounds numbers that are halfway between two integers."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


def _xp(name: str) -> Compute:
    """Return a function of the namespace by name, which is imported at its first call."""

    def compute(*xs: Array) -> Array:
        result: Array = getattr(xp, name)(*xs)
        return result

    return compute


def _special(name: str) -> Compute:
    def compute(*xs: Array) -> Array:
        if not hasattr(special, name):
            raise NotImplementedError(f"lax: scipy.special.{name} is not available")
        result: Array = getattr(special, name)(*xs)
        return wrap(cast(result._data, common_node(xs)), common_node(xs))

    return compute


# -- kernels ------------------------------------------------------------------------------------------------------------------


def _in_float32(function: Callable[[Buffer], Buffer]) -> Compute:
    """Return a function of Arrays that computes narrow floats in float32 and rounds once."""

    def compute(x: Array) -> Array:
        wide = cast(x._data, NODES["float32"]) if x._node.kind == "f" and x._node.bits < 32 else x._data
        node = NODES[wide.dtype.name]
        result = on_buffers(function, node, wrap(wide, node))
        return wrap(cast(result._data, x._node), x._node)

    return compute


def _half_away(x: Buffer) -> Buffer:
    whole = np.trunc(x)
    return np.copysign(whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), np.zeros((), x.dtype)), x).astype(x.dtype)


def _logistic(x: Buffer) -> Buffer:
    one = np.ones((), x.dtype)
    return np.asarray(one / (one + np.exp(-x)))


def _unsigned(x: Buffer) -> Buffer:
    """Return the bits of integers as unsigned integers of the same width, or of 8 bits for narrower ones."""
    if x.dtype.kind not in "iu":  # of ml_dtypes
        bits = NODES[x.dtype.name].bits
        return np.asarray(x.astype(np.int8).view(np.uint8) & np.uint8((1 << bits) - 1))
    return x.view(f"u{x.dtype.itemsize}")


def _count_ones(x: Array) -> Array:
    return wrap(np.bitwise_count(_unsigned(x._data)).astype(x._data.dtype), x._node)


def _leading_zeros(x: Array) -> Array:
    bits = _unsigned(x._data)
    if bits.itemsize == 8:
        high = np.frexp((bits >> np.uint64(32)).astype(np.float64))[1]
        low = np.frexp((bits & np.uint64(0xFFFFFFFF)).astype(np.float64))[1]
        length = np.where(high > 0, high + 32, low)
    else:
        length = np.frexp(bits.astype(np.float64))[1]
    return wrap((x._node.bits - length).astype(x._data.dtype), x._node)


def _wide(*xs: Array) -> list[Buffer]:
    """Return the buffers of integers in a dtype in which their quotients fit."""
    return [x._data if x._node.bits == 64 else x._data.astype(np.int64) for x in xs]


def _quotient(x: Buffer, y: Buffer) -> tuple[Buffer, Buffer]:
    """Return the quotient of integers, rounded towards zero, and the remainder; by 0 it is -1 and the dividend."""
    zero = y == 0
    safe = np.where(zero, np.ones((), y.dtype), y)
    remainder = np.where(zero, x, np.fmod(x, safe))
    quotient = np.where(zero, np.array(0, y.dtype) - np.array(1, y.dtype), (x - np.fmod(x, safe)) // safe)
    return quotient, remainder


def _by_parts(part: int, floats: str) -> Compute:
    def compute(x: Array, y: Array) -> Array:
        if x._node.kind in "iu":
            with np.errstate(all="ignore"):
                found = _quotient(*_wide(x, y))[part]
            return wrap(np.asarray(found.astype(x._data.dtype)), common_node((x, y)))
        result: Array = getattr(xp, floats)(x, y)
        return result

    return compute


def _shifted(how: str) -> Compute:
    """Return a shift of all bits; shifting by the width or more leaves zeros, or copies of the sign."""

    def compute(x: Array, y: Array) -> Array:
        node, dtype = common_node((x, y)), x._data.dtype
        bits = node.bits
        amount = np.broadcast_to(_unsigned(y._data), np.broadcast_shapes(x.shape, y.shape)).astype(np.uint64)
        inside = amount < bits
        by = np.where(inside, amount, np.uint64(0)).astype(np.int64)
        if how == "arithmetic":
            signed = (
                (_unsigned(x._data).astype(np.int64) << (64 - bits)) >> (64 - bits) if bits < 64 else x._data.view(np.int64)
            )
            found = signed >> np.where(inside, by, bits - 1)
        else:
            word = _unsigned(x._data).astype(np.uint64)
            moved = word << by.astype(np.uint64) if how == "left" else word >> by.astype(np.uint64)
            found = np.where(inside, moved, np.uint64(0))
        if bits < 8:
            found = found.astype(np.int8)
            found = (found << (8 - bits)) >> (8 - bits) if node.kind == "i" else found & ((1 << bits) - 1)
        return wrap(np.asarray(found.astype(dtype)), node)

    return compute


def _high_product(x: Array, y: Array) -> Array:
    bits = x._node.bits
    wide: Any = object if bits > 32 else np.int64 if x._node.kind == "i" else np.uint64
    product = x._data.astype(wide) * y._data.astype(wide)
    return wrap(
        np.asarray((product >> (np.array(bits, wide) if wide is not object else bits)).astype(x._data.dtype)),
        common_node((x, y)),
    )


def _power(x: Array, y: Array) -> Array:
    return xp.pow(x, wrap(y._data, y._node.strong)) if y._node.kind in "iu" and not x._node.weak else _weak_power(x, y)


def _weak_power(x: Array, y: Array) -> Array:
    result = xp.pow(wrap(x._data, x._node.strong), wrap(y._data, y._node.strong))
    return wrap(cast(result._data, x._node), common_node((x, y)))


def _complex(x: Array, y: Array) -> Array:
    if x._node.bits < 32:
        raise TypeError(f"complex does not accept dtype {x.dtype} at position 0. Accepted dtypes are float32 and float64.")
    node = common_node((x, y))
    wide = NODES["complex64" if node.bits == 32 else "complex128"]
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), wide.dtype)
    out.real, out.imag = x._data, y._data
    return wrap(out, wide.weak_form if node.weak else wide)


def _conjugate(x: Array) -> Array:
    return xp.conj(x) if x._node.kind == "c" else _complex(x, wrap(np.zeros_like(x._data), x._node))


def _sign(x: Array) -> Array:
    found = xp.sign(x)  # by the standard, 0 for both zeros
    if x._node.kind != "f":
        return found
    return wrap(np.where(x._data == 0, x._data, found._data), x._node)


def _arctan2(x: Array, y: Array) -> Array:
    if x._node.kind == "c":  # log((y + i x) / |...|), as for real numbers
        return xp.multiply(xp.log((y + 1j * x) / xp.sqrt(x * x + y * y)), -1j)
    return xp.atan2(x, y)


# -- tables -------------------------------------------------------------------------------------------------------------------

_FC: Final = "fc"
#: Functions of one operand: the name in messages, the accepted kinds, what computes.
_UNARY: Final[dict[str, tuple[str, str, Compute]]] = {
    **{name: (name, _FC, _xp(name)) for name in (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp2", "expm1", "log", "log1p", "sin",
        "sinh", "sqrt", "tan", "tanh",
    )},
    "abs": ("abs", "ifc", _xp("abs")),
    "neg": ("neg", _NUMBER, _xp("negative")),
    "sign": ("sign", _NUMBER, _sign),
    "square": ("square", _NUMBER, _xp("square")),
    "floor": ("floor", _FLOAT, _xp("floor")),
    "ceil": ("ceil", _FLOAT, _xp("ceil")),
    "cbrt": ("cbrt", _FLOAT, _xp("cbrt")),
    "is_finite": ("is_finite", _FLOAT, _xp("isfinite")),
    "real": ("real", "c", _xp("real")),
    "imag": ("imag", "c", _xp("imag")),
    "conj": ("conj", _FC, _conjugate),
    "rsqrt": ("rsqrt", _FC, _in_float32(lambda x: np.asarray(np.ones((), x.dtype) / np.sqrt(x)))),
    "logistic": ("logistic", _FC, _in_float32(_logistic)),
    "bitwise_not": ("not", "iub", _xp("bitwise_invert")),
    "population_count": ("population_count", _INT, _count_ones),
    "clz": ("clz", _INT, _leading_zeros),
    "erf": ("erf", _FLOAT, _special("erf")),
    "erfc": ("erfc", _FLOAT, _special("erfc")),
    "erf_inv": ("erf_inv", _FLOAT, _special("erfinv")),
    "lgamma": ("lgamma", _FLOAT, _special("gammaln")),
    "digamma": ("digamma", _FLOAT, _special("digamma")),
    "bessel_i0e": ("bessel_i0e", _FLOAT, _special("i0e")),
    "bessel_i1e": ("bessel_i1e", _FLOAT, _special("i1e")),
}  # fmt: skip

#: Functions of two operands.
_BINARY: Final[dict[str, tuple[str, tuple[str, str], Compute]]] = {
    "add": ("add", (_NUMBER, _NUMBER), _xp("add")),
    "sub": ("sub", (_NUMBER, _NUMBER), _xp("subtract")),
    "div": ("div", (_NUMBER, _NUMBER), _by_parts(0, "divide")),
    "rem": ("rem", (_REAL, _REAL), _by_parts(1, "fmod")),
    "max": ("max", (_ANY, _ANY), _xp("maximum")),
    "min": ("min", (_ANY, _ANY), _xp("minimum")),
    "pow": ("pow", (_FC, _NUMBER), _power),
    "atan2": ("atan2", (_FC, _FC), _arctan2),
    "nextafter": ("nextafter", (_FLOAT, _FLOAT), _xp("nextafter")),
    "complex": ("complex", (_FLOAT, _FLOAT), _complex),
    "bitwise_and": ("and", ("iub", "iub"), _xp("bitwise_and")),
    "bitwise_or": ("or", ("iub", "iub"), _xp("bitwise_or")),
    "bitwise_xor": ("xor", ("iub", "iub"), _xp("bitwise_xor")),
    "shift_left": ("shift_left", (_INT, _INT), _shifted("left")),
    "shift_right_arithmetic": ("shift_right_arithmetic", (_INT, _INT), _shifted("arithmetic")),
    "shift_right_logical": ("shift_right_logical", (_INT, _INT), _shifted("logical")),
    "mulhi": ("mulhi", (_INT, _INT), _high_product),
    "eq": ("eq", (_ANY + "k", _ANY + "k"), _xp("equal")),
    "ne": ("ne", (_ANY + "k", _ANY + "k"), _xp("not_equal")),
    "lt": ("lt", (_REAL + "b", _REAL + "b"), _xp("less")),
    "le": ("le", (_REAL + "b", _REAL + "b"), _xp("less_equal")),
    "gt": ("gt", (_REAL + "b", _REAL + "b"), _xp("greater")),
    "ge": ("ge", (_REAL + "b", _REAL + "b"), _xp("greater_equal")),
    "igamma": ("igamma", (_FLOAT, _FLOAT), _special("gammainc")),
    "igammac": ("igammac", (_FLOAT, _FLOAT), _special("gammaincc")),
    "zeta": ("zeta", (_FLOAT, _FLOAT), _special("zeta")),
}  # fmt: skip


def _named(function: Callable[..., Array], name: str, words: str) -> Callable[..., Array]:
    function.__name__ = function.__qualname__ = name
    function.__module__ = "supremum.jax.lax"
    function.__doc__ = f"Compute `jax.lax.{name}` {words}."
    return public(function)


def _unary(name: str, label: str, kinds: str, compute: Compute) -> Callable[..., Array]:
    def function(x: Any, *, accuracy: object = None) -> Array:
        operand = as_operand(x, label)
        if operand._node.kind not in kinds:
            check_kinds(label, (kinds,), (operand,))
        return compute(operand)

    return _named(function, name, "of each element")


def _binary(name: str, label: str, kinds: tuple[str, str], compute: Compute) -> Callable[..., Array]:
    first, second = kinds

    def function(x: Any, y: Any) -> Array:
        if type(x) is Array and type(y) is Array:  # operands of one dtype and shape
            node = x._node
            if node is y._node and node.kind in first and node.kind in second and x.shape == y.shape:
                return compute(x, y)
        a, b = operands = as_operands(label, x, y)
        check_kinds(label, kinds, operands)
        if name != "pow" or b._node.kind not in "iu":
            check_same_dtypes(label, operands)
        broadcast_shape(label, operands)
        return compute(a, b)

    return _named(function, name, "of pairs of elements of one dtype")


UNARY: Final = {name: _unary(name, *row) for name, row in _UNARY.items()}
BINARY: Final = {name: _binary(name, *row) for name, row in _BINARY.items()}


# -- functions with options ---------------------------------------------------------------------------------------------------


@public
def mul(x: Any, y: Any, *, out_dtype: Any = None) -> Array:
    """Multiply elements of one dtype."""
    if out_dtype is None and type(x) is Array and type(y) is Array:  # operands of one dtype and shape
        node = x._node
        if node is y._node and node.kind in _NUMBER and x.shape == y.shape:
            return xp.multiply(x, y)
    operands = as_operands("mul", x, y)
    check_kinds("mul", (_NUMBER, _NUMBER), operands)
    if out_dtype is not None:
        operands = [z.astype(out_dtype) for z in operands]
    check_same_dtypes("mul", operands)
    broadcast_shape("mul", operands)
    a, b = operands
    return xp.multiply(a, b)


def round(x: Any, rounding_method: RoundingMethod = RoundingMethod.AWAY_FROM_ZERO) -> Array:
    """Round floats to integers."""
    operand = as_operand(x, "round")
    check_kinds("round", (_FLOAT,), (operand,))
    even = RoundingMethod(rounding_method) is RoundingMethod.TO_NEAREST_EVEN
    return xp.round(operand) if even else _in_float32(_half_away)(operand)


def integer_pow(x: Any, y: int) -> Array:
    """Raise elements to the power of one Python integer."""
    operand = as_operand(x, "integer_pow")
    check_kinds("integer_pow", (_NUMBER,), (operand,))
    if operand._node.kind in "iu" and y < 0:
        raise TypeError(f"Integers cannot be raised to negative powers, got integer_pow({operand.dtype}, {y})")
    if y == 0:
        return xp.ones_like(operand)
    result, square, rest = None, operand, abs(y)
    while rest:
        if rest & 1:
            result = square if result is None else result * square
        rest >>= 1
        square = square * square if rest else square
    assert result is not None  # noqa: S101 - y is not 0
    return result if y > 0 else xp.divide(xp.ones_like(result), result)


def reciprocal(x: Any) -> Array:
    """Divide 1 by elements."""
    return integer_pow(x, -1)


def clamp(min: Any, x: Any, max: Any) -> Array:
    """Limit elements to a range."""
    low, operand, high = operands = as_operands("clamp", min, x, max)
    check_same_dtypes("clamp", operands)
    check_kinds("clamp", (_ANY,) * 3, operands)
    for what, bound in (("min", low), ("max", high)):
        if bound.ndim and bound.shape != operand.shape:
            raise TypeError(
                f"clamp requires {what}.shape == operand.shape or {what}.shape == (), got {bound.shape}, {operand.shape}."
            )
    return xp.minimum(xp.maximum(operand, low), high)


def select_n(which: Any, *cases: Any) -> Array:
    """Choose elements from several arrays of one shape and dtype by integers, or from two by a condition."""
    if not cases:
        raise ValueError("select_n() must have at least one case")
    choice = as_operand(which, "select_n")
    arrays = as_operands("select_n", *cases)
    if len({x.shape for x in arrays}) > 1:
        raise TypeError(f"select cases must have the same shapes, got [{', '.join(str(x.shape) for x in arrays)}].")
    check_same_dtypes("select", arrays)
    if choice._node.kind not in "bi":
        raise TypeError(f"select `which` must have boolean or int32 type, got {choice.dtype}.")
    if choice._node.kind == "b" and len(arrays) > 2:
        raise TypeError(f"select with boolean `which` cannot have > 2 cases, got {len(arrays)}.")
    if choice.ndim and choice.shape != arrays[0].shape:
        raise TypeError(
            f"select `which` must be scalar or have the same shape as cases, got {choice.shape} but {arrays[0].shape}."
        )
    if choice._node.kind == "b" and len(arrays) == 2:
        return wrap(np.where(choice._data, arrays[1]._data, arrays[0]._data), common_node(arrays))
    picks = np.broadcast_to(np.clip(choice._data.astype(np.intp), 0, len(arrays) - 1), arrays[0].shape)
    out = arrays[0]._data.copy()
    for number, x in enumerate(arrays[1:], 1):
        np.copyto(out, x._data, where=picks == number)
    return wrap(out, common_node(arrays))


def select(pred: Any, on_true: Any, on_false: Any) -> Array:
    """Choose elements from two arrays of one shape and dtype by a condition."""
    return select_n(pred, on_false, on_true)


def polygamma(m: Any, x: Any) -> Array:
    """Compute derivatives of the digamma function."""
    return _incomplete("polygamma", derivative_of_digamma, m, x)


def betainc(a: Any, b: Any, x: Any) -> Array:
    """Compute the regularized incomplete beta function."""
    return _checked_special("betainc", a, b, x)


def _checked_special(name: str, *xs: Any) -> Array:
    operands = as_operands(name, *xs)
    check_kinds(name, (_FLOAT,) * len(operands), operands)
    check_same_dtypes(name, operands)
    broadcast_shape(name, operands)
    return _special(name)(*operands)


def igamma_grad_a(a: Any, x: Any) -> Array:
    """Compute the derivative of the lower incomplete gamma function by its parameter."""
    return _incomplete("igamma_grad_a", gamma_lower_slope, a, x)


def random_gamma_grad(a: Any, x: Any, *, dtype: Any = None) -> Array:
    """Compute the derivative of samples of the gamma distribution by its parameter."""
    return _incomplete("random_gamma_grad", gamma_sample_slope, a, x)


def _incomplete(name: str, kernel: Callable[..., Buffer], *xs: Any) -> Array:
    operands = as_operands(name, *xs)
    check_kinds(name, (_FLOAT,) * len(operands), operands)
    check_same_dtypes(name, operands)
    broadcast_shape(name, operands)
    double, node = NODES["float64"], common_node(operands)
    found = call_without_float_warnings(kernel, *[cast(x._data, double) for x in operands])
    return wrap(cast(found, node), node)


# -- dtypes -------------------------------------------------------------------------------------------------------------------


def convert_element_type(operand: Any, new_dtype: Any) -> Array:
    """Convert elements to a dtype."""
    if new_dtype is None:
        raise ValueError("dtype must be specified.")
    if type(operand) is int and not -(2**31) <= operand < 2**31:
        node = xp.zeros((), dtype=new_dtype)._node
        if node.kind in "iu":  # the lowest bits of a number that the default integer does not hold
            return wrap(cast(np.asarray(operand & (2**64 - 1), np.uint64), node), node.strong)
        operand = float(operand)
    return as_operand(operand, "convert_element_type").astype(new_dtype)


def bitcast_convert_type(operand: Any, new_dtype: Any) -> Array:
    """Return the bits of elements as elements of another dtype.

    A dtype of another width adds or takes away a last axis.
    """
    x = as_operand(operand, "bitcast_convert_type")
    node = xp.zeros((), dtype=new_dtype)._node.strong
    if "b" in (x._node.kind, node.kind) and x._node.kind != node.kind:
        raise TypeError(f"bitcast_convert_type does not support bool and other dtypes, got {x.dtype} and {node.dtype}")
    if ("c" in (x._node.kind, node.kind)) and x._node.strong is not node:
        raise TypeError(f"lax.bitcast_convert_type does not support complex dtypes, got {x.dtype} and {node.dtype}")
    if min(x._node.bits, node.bits) < 8 and x._node.bits != node.bits:
        return _repacked(x, node)
    assert node.dtype is not None  # noqa: S101 - nodes of arrays have dtypes
    old, new = x._data.dtype.itemsize, node.dtype.itemsize
    data = np.ascontiguousarray(x._data).reshape(x.shape)
    if old == new:
        return wrap(data.view(node.dtype), node)
    if old > new:
        flat = data.reshape(-1).view(node.dtype)
        return wrap(flat.reshape(*x.shape, old // new), node)
    if not x.ndim or x.shape[-1] != new // old:
        raise ValueError(
            f"Attempting to convert array of shape {x.shape} from {x.dtype} of size {old} to {node.dtype} "
            f"of size {new} in bytes: "
            f"the last dimension must be {new // old}"
        )
    return wrap(data.reshape(-1).view(node.dtype).reshape(x.shape[:-1]), node)


def _repacked(x: Array, node: Node) -> Array:
    """Change the width of elements of less than 8 bits, the lowest bits first."""
    bits = x._node.bits
    assert node.dtype is not None  # noqa: S101 - nodes of arrays have dtypes
    if bits > node.bits:
        octets = np.ascontiguousarray(x._data).reshape(-1).view(np.uint8).reshape(*x.shape, -1)
        per = 8 // node.bits
        parts = (octets[..., None] >> (np.arange(per, dtype=np.uint8) * node.bits)) & ((1 << node.bits) - 1)
        return wrap(parts.reshape(*x.shape, -1).view(node.dtype), node)
    kept = _unsigned(x._data) if x._node.kind in "iu" else np.ascontiguousarray(x._data).view(np.uint8)
    joined = (kept.astype(np.uint64) << (np.arange(x.shape[-1], dtype=np.uint64) * np.uint64(bits))).sum(-1, dtype=np.uint64)
    return wrap(joined.astype(f"u{node.dtype.itemsize}").view(node.dtype), node)


def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int) -> Array:
    """Round floats to fewer bits of exponent and mantissa, to nearest even, in their own dtype."""
    x = as_operand(operand, "reduce_precision")
    check_kinds("reduce_precision", (_FLOAT,), (x,))
    if exponent_bits < 1 or mantissa_bits < 0:
        raise ValueError("reduce_precision: exponent_bits is positive and mantissa_bits is not negative")
    data = cast(x._data, NODES["float64"])
    limit = 2 ** (exponent_bits - 1) - 1
    with np.errstate(all="ignore"):
        fraction, exponent = np.frexp(data)
        scaled = np.ldexp(np.rint(np.ldexp(fraction, mantissa_bits + 1)), exponent - mantissa_bits - 1)
        out = np.where(np.isfinite(data), scaled, data)
        out = np.where(np.abs(out) >= 2.0 ** min(limit + 1, 1023), np.copysign(np.inf, data), out) if limit < 1023 else out
        out = np.where(np.abs(out) < 2.0 ** (1 - limit), np.copysign(0.0, data), out) if limit < 1023 else out
    return wrap(cast(np.asarray(out), x._node), x._node)
