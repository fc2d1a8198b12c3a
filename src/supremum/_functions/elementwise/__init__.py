"""Elementwise functions: the standard's and the further ones of jax.numpy, a module for each theme."""

# ruff: noqa: F403, F405, RUF022 - each module's __all__ is the list of what it gives; a test compares this one with them

from supremum._core.plans import COMPILED
from supremum._functions.elementwise import arithmetic, bits, complex_parts, exponential, floating, rounding, trigonometry

if not COMPILED:
    from supremum._core import interpreted as _interpreted

    _interpreted.hasten(
        *(arithmetic, bits, complex_parts, exponential, floating, rounding, trigonometry),
        without=("deg2rad", "isneginf", "isposinf", "rad2deg", "round", "sinc"),
    )

from supremum._functions.elementwise._ufunc import *
from supremum._functions.elementwise.angles import *
from supremum._functions.elementwise.arithmetic import *
from supremum._functions.elementwise.bits import *
from supremum._functions.elementwise.comparison import *
from supremum._functions.elementwise.complex_parts import *
from supremum._functions.elementwise.exponential import *
from supremum._functions.elementwise.floating import *
from supremum._functions.elementwise.rounding import *
from supremum._functions.elementwise.trigonometry import *

__all__ = [
    "abs", "absolute", "acos", "acosh", "add", "angle", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2",
    "arctanh", "around", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_count", "bitwise_invert",
    "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "cbrt", "ceil", "clip", "conj",
    "conjugate", "copysign", "cos", "cosh", "deg2rad", "degrees", "divide", "divmod", "equal", "exp", "exp2", "expm1", "fabs",
    "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frexp", "frompyfunc", "gcd", "greater", "greater_equal",
    "heaviside", "hypot", "i0", "imag", "invert", "iscomplex", "iscomplexobj", "isfinite", "isinf", "isnan", "isneginf",
    "isposinf", "isreal", "isrealobj", "lcm", "ldexp", "left_shift", "less", "less_equal", "log", "log10", "log1p", "log2",
    "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "mod", "modf",
    "multiply", "nan_to_num", "negative", "nextafter", "not_equal", "positive", "pow", "power", "rad2deg", "radians", "real",
    "reciprocal", "remainder", "right_shift", "rint", "round", "sign", "signbit", "sin", "sinc", "sinh", "spacing", "sqrt",
    "square", "subtract", "tan", "tanh", "true_divide", "trunc", "ufunc", "unwrap",
]  # fmt: skip
