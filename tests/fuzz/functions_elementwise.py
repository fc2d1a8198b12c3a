"""Tables of the elementwise functions, operators and ufuncs, compared with NumPy in wider arithmetic."""

import functools
import operator

import arrays
import numpy as np
from arrays import NODES, cast, dtype_of
from subjects import ANY, REAL, Subject, arguments, elementwise, meeting, moved, one, two

import supremum as xp


def _neighbours(name):
    """Return all numbers of a narrow dtype in ascending order, without NaN."""
    node = NODES[name]
    every = np.arange(1 << node.bits).astype(f"u{dtype_of(name).itemsize}").view(dtype_of(name))
    wide = cast(every, np.float64)
    return np.unique(wide[~np.isnan(wide)])


def _next(out, x, y):
    """Return the next number of the dtype after x in the direction of y."""
    dtype = meeting((x, y), out[0])
    x, y = np.broadcast_arrays(*(cast(cast(v, dtype), np.float64) for v in (x, y)))
    if dtype.name in {"float32", "float64"}:
        return np.nextafter(x.astype(dtype), y.astype(dtype)).astype(np.float64)
    order = _neighbours(dtype.name)
    at = np.searchsorted(order, np.where(np.isnan(x), 0, x))
    to = order[np.clip(at + np.sign(np.where(np.isnan(y), 0, y) - np.where(np.isnan(x), 0, x)).astype(int), 0, len(order) - 1)]
    return np.where(np.isnan(x) | np.isnan(y), np.nan, np.where(x == y, y, to))


def _nan_to_num(out, x):
    info = None if NODES[out[0]].kind not in "fc" else xp.finfo(out[0])
    x = arrays.wide(x)
    if info is None:
        return x
    largest = float(info.max)
    return np.nan_to_num(x, posinf=largest, neginf=-largest)


def _power(x, y):
    """Return integer powers modulo the width; those of a negative exponent are truncated to integers."""
    if x.dtype.kind not in "iu":
        return np.power(x, y)

    def each(a, b):
        if b < 0:
            return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
        return pow(a, b, 1 << 64)

    low = 0 if x.dtype.kind == "u" else -(1 << 63)
    exact = [(each(int(a), int(b)) - low) % (1 << 64) + low for a, b in np.broadcast(x, y)]
    return np.array(exact, x.dtype).reshape(np.broadcast_shapes(np.shape(x), np.shape(y)))


def _shift(function):
    """Shift Python integers: bits beyond the width are lost, and all bits if the shift is the width or more."""

    def reference(out, x, y):
        dtype = meeting((x, y), out[0])
        node = NODES[dtype.name]
        x, y = (arrays.numbers(cast(v, dtype)) for v in (x, y))
        low, modulus = arrays.limits(dtype.name)[0], 1 << node.bits

        def each(a, b):
            b = min(int(b), node.bits) if b >= 0 else node.bits
            return (function(int(a), b) - low) % modulus + low

        values = [each(a, b) for a, b in np.broadcast(x, y)]
        return np.array(values, object).reshape(np.broadcast_shapes(x.shape, y.shape))

    return reference


def _whole(function, at_zero):
    """Divide integers; the result for a zero divisor is NumPy's: `at_zero`."""

    def reference(x, y):
        if x.dtype.kind in "iu":
            return np.where(np.asarray(y) == 0, at_zero, function(x, np.where(np.asarray(y) == 0, 1, y))).astype(x.dtype)
        return function(x, y)

    return reference


def _frexp(out, x):
    x = arrays.wide(cast(x, dtype_of(out[0])))
    with np.errstate(all="ignore"):
        return np.frexp(x)


#: Names, kinds, units in the last place, and NumPy's function if it has another name.
UNARY = [
    ("abs absolute negative conj conjugate real imag square", ANY, 1, None),
    ("reciprocal sqrt", ANY, 2, None),
    ("floor ceil trunc rint round around sign", REAL, 1, None),
    ("fabs deg2rad radians degrees rad2deg", REAL, 2, None),
    ("isfinite isinf isnan iscomplex isreal logical_not", ANY, None, None),
    ("isneginf isposinf signbit", REAL, None, None),
    ("bitwise_count", "iu", None, None),
    ("bitwise_invert bitwise_not invert", "biu", None, None),
    ("acos arccos asin arcsin atan arctan acosh arccosh asinh arcsinh atanh arctanh", REAL, 4, None),
    ("cos sin tan cosh sinh tanh exp exp2 expm1 log log2 log10 log1p cbrt", REAL, 4, None),
]
COMPLEX = (
    "exp log sqrt sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh log10 log2 log1p expm1 square sign"
)
BINARY = [
    ("add subtract multiply", ANY, 2, None),
    ("divide true_divide", REAL, 2, None),
    ("maximum minimum fmax fmin", REAL, 1, None),
    ("hypot arctan2 atan2", REAL, 4, None),
    ("copysign heaviside", REAL, 1, None),
    ("logical_and logical_or logical_xor", ANY, None, None),
    ("bitwise_and bitwise_or bitwise_xor", "biu", None, None),
    ("gcd lcm", "iu", None, None),
]


def _comparison(function):
    """Compare integers by value, whatever dtype they promote to, and other numbers in the promoted dtype."""
    meet = elementwise(function)

    def reference(out, x, y):
        both = [np.asarray(v) for v in (x, y)]
        # Whether True becomes 0 or -1 is left to the cast.
        if all(NODES[v.dtype.name].kind in "biu" for v in both) and {v.dtype.name for v in both} != {"int1", "bool"}:
            return function(*map(arrays.numbers, both))
        return meet(out, x, y)

    return reference


def _rows(table, make):
    for names, kinds, units, function in table:
        for name in names.split():
            reference = elementwise(getattr(np, function or name))
            yield Subject(name, make(kinds), reference, units)


def ints_and_floats(d):
    x, y = d.array(arrays.named("f")), None
    y = d.array(("int8", "int32", "uint8"), d.one([x.shape, ()]), ["small"])
    return arguments(x, y)


def _summands(x, y):
    return np.maximum(1, np.abs(np.maximum(arrays.wide(np.asarray(x)), arrays.wide(np.asarray(y)))))


def integers(d):
    """Make two operands of one signedness, which promote to an integer."""
    names = arrays.named(d.one("iu"))
    x = d.array(names)
    return arguments(x, d.array(names, d.one([x.shape, (), x.shape[1:]])))


def _near(d):
    x = d.array(arrays.named("f", 8))
    return arguments(x, x.copy() if d.flag() else d.partner(x, (x.dtype.name,)), equal_nan=d.flag())


TABLE = [
    *_rows(UNARY, one),
    *_rows(BINARY, two),
    *(
        Subject(f"{name} complex", one("c", arrays.TAME), elementwise(getattr(np, name)), 16, lambda x: np.ones(x.shape))
        for name in COMPLEX.split()
    ),
    Subject("positive", one(ANY), moved(lambda x: x), None),
    Subject("angle", one(ANY), elementwise(np.angle), of_dtypes=False),  # a 0-d float has the default dtype, as in JAX
    Subject("i0", one(REAL, arrays.TAME), elementwise(np.i0), 8),
    Subject("sinc", one(REAL, arrays.TAME), elementwise(np.sinc), 4, lambda x: np.ones(x.shape)),
    Subject("nan_to_num", one(REAL), _nan_to_num, 1),
    Subject("spacing", one("f", bits=8)),
    Subject("nextafter", lambda d: arguments(x := d.array(arrays.named("f", 16)), d.partner(x, (x.dtype.name,))), _next, None),
    Subject("frexp", one(REAL), _frexp, 1),
    Subject("modf", one(REAL), elementwise(lambda x: (x - np.trunc(x), np.trunc(x))), 1),
    Subject(
        "ldexp", ints_and_floats, lambda out, x, n: np.ldexp(arrays.wide(cast(x, dtype_of(out[0]))), n.astype(np.int32)), 2
    ),
    Subject("divide complex", two("fc", arrays.TAME), elementwise(np.divide), 16),
    *(
        Subject(
            name, two(REAL), elementwise(getattr(np, name)), 4, _summands
        )  # near 0: the sum of the greater operand and a logarithm
        for name in ("logaddexp", "logaddexp2")
    ),
    Subject("floor_divide", integers, elementwise(_whole(np.floor_divide, 0)), None),
    Subject("remainder", integers, elementwise(_whole(np.remainder, 0)), None),
    Subject("mod", integers, elementwise(_whole(np.remainder, 0)), None),
    Subject("fmod", integers, elementwise(_whole(np.fmod, 0)), None),
    Subject(
        "divmod", integers, elementwise(lambda x, y: (_whole(np.floor_divide, 0)(x, y), _whole(np.remainder, 0)(x, y))), None
    ),
    Subject("floor_divide float", two("f", arrays.TAME)),
    Subject("remainder float", two("f", arrays.TAME), elementwise(np.remainder), 2, lambda x, y: np.abs(arrays.wide(y))),
    Subject("fmod float", two("f", arrays.TAME), elementwise(np.fmod), 2),
    Subject("power", two("iuf"), elementwise(_power), 4),
    Subject("pow", two("iuf"), elementwise(_power), 4),
    Subject("float_power", two(REAL), elementwise(np.power), 4),
    *(Subject(name, two(ANY), _comparison(getattr(np, name)), None) for name in ("equal", "not_equal")),
    *(
        Subject(name, two(REAL), _comparison(getattr(np, name)), None)
        for name in ("less", "less_equal", "greater", "greater_equal")
    ),
    *(Subject(name, two("iu"), _shift(operator.lshift), None) for name in ("left_shift", "bitwise_left_shift")),
    *(Subject(name, two("iu"), _shift(operator.rshift), None) for name in ("right_shift", "bitwise_right_shift")),
    Subject("isclose", _near, lambda _out, x, y, **kw: np.isclose(*(cast(v, np.longdouble) for v in (x, y)), **kw), None),
]

#: Operators that are the functions of these names.
OPERATORS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "and_": "bitwise_and",
    "or_": "bitwise_or",
    "xor": "bitwise_xor",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "power",
    "neg": "negative",
    "pos": "positive",
    "invert": "invert",
    "abs": "abs",
}


def operators(table):
    """Return the rows of operators and ufunc methods, made from the functions' rows."""
    by_name = {row.name: row for row in table}
    for name, function in OPERATORS.items():
        row = by_name[function]
        apply = functools.partial(_operate, getattr(operator, name))
        yield Subject(f"operator.{name}", row.arguments, row.reference, row.units, row.scale, function=apply)


def _operate(function, *operands):
    """Apply an operator, to Arrays on both sides if NumPy's operator would be called otherwise."""
    return function(*operands)


TABLE += operators(TABLE)
