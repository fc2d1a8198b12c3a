"""supremum: an array namespace on NumPy buffers whose dtypes promote the way JAX's do."""

from supremum import fft, linalg, promotion
from supremum._array import Array
from supremum._config import config, enable_x64, numpy_dtype_promotion
from supremum._version import __version__
from supremum.closeness import *
from supremum.constants import *
from supremum.creation import *
from supremum.data_types import *
from supremum.elementwise import *
from supremum.indexing import *
from supremum.inspection import *
from supremum.linear_algebra import *
from supremum.linear_algebra_products import *
from supremum.manipulation import *
from supremum.printing import *
from supremum.promotion import TypePromotionError
from supremum.promotion._nodes import ABSENT
from supremum.scalar_types import *
from supremum.searching import *
from supremum.sets import *
from supremum.sorting import *
from supremum.statistical import *
from supremum.tracing import *
from supremum.transformations import *
from supremum.utility import *

__array_api_version__ = "2025.12"
__array_api_versions__ = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

__all__ = [
    "Array", "ComplexWarning", "TypePromotionError", "__array_api_version__", "__array_api_versions__",
    "__array_namespace_info__", "__version__", "abs", "absolute", "acos", "acosh", "add", "all", "any", "arange", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "around", "array", "asarray", "asin", "asinh", "astype",
    "atan", "atan2", "atanh", "bcomplex32", "bfloat16", "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_not",
    "bitwise_or", "bitwise_right_shift", "bitwise_xor", "bool", "bool_", "can_cast", "cdouble", "ceil", "character", "clip",
    "complex128", "complex32", "complex64", "complex_", "complexfloating", "config", "conj", "conjugate", "copysign", "cos",
    "cosh", "cross", "csingle", "cumulative_prod", "cumulative_sum", "diff", "divide", "dot", "double", "dtype", "e", "empty",
    "empty_like", "enable_x64", "equal", "euler_gamma", "exp", "expm1", "eye", "fft", "finfo", "flexible", "float16",
    "float32", "float4_e2m1fn", "float64", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3",
    "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float_",
    "floating", "floor", "floor_divide", "forbid", "from_dlpack", "full", "full_like", "generic", "greater", "greater_equal",
    "hypot", "iinfo", "imag", "inexact", "inf", "inner", "int1", "int16", "int2", "int32", "int4", "int64", "int8", "int_",
    "integer", "invert", "isdtype", "isfinite", "isinf", "isnan", "issubdtype", "kron", "left_shift", "less", "less_equal",
    "linalg", "linspace", "log", "log10", "log1p", "log2", "logaddexp", "logical_and", "logical_not", "logical_or",
    "logical_xor", "matmul", "matrix_transpose", "matvec", "max", "maximum", "mean", "meshgrid", "min", "minimum", "mod",
    "multiply", "nan", "negative", "newaxis", "nextafter", "not_equal", "number", "numpy_dtype_promotion", "object_", "ones",
    "ones_like", "outer", "pi", "positive", "pow", "power", "prod", "promote_types", "promotion", "real", "reciprocal",
    "remainder", "result_type", "right_shift", "round", "sign", "signbit", "signedinteger", "sin", "single", "sinh", "sqrt",
    "square", "std", "subtract", "sum", "tan", "tanh", "tensordot", "trace", "trace_promotions", "tril", "triu", "true_divide",
    "trunc", "uint", "uint1", "uint16", "uint2", "uint32", "uint4", "uint64", "uint8", "unsignedinteger", "var", "vdot",
    "vecdot", "vecmat", "zeros", "zeros_like",
]  # fmt: skip
# An older ml_dtypes lacks some.
__all__ = [name for name in __all__ if name not in ABSENT]
