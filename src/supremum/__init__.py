"""supremum: an array namespace on NumPy buffers whose dtypes promote the way JAX's do."""

from typing import TYPE_CHECKING

from supremum import fft, linalg, promotion
from supremum._array import Array
from supremum._config import config, enable_x64, numpy_dtype_promotion
from supremum._version import __version__
from supremum.calculus import *
from supremum.closeness import *
from supremum.constants import *
from supremum.creation import *
from supremum.data_types import *
from supremum.elementwise import *
from supremum.functional import *
from supremum.histograms import *
from supremum.indexing import *
from supremum.inspection import *
from supremum.linear_algebra import *
from supremum.linear_algebra_einsum import *
from supremum.linear_algebra_products import *
from supremum.manipulation import *
from supremum.packing import *
from supremum.polynomials import *
from supremum.printing import *
from supremum.promotion import TypePromotionError
from supremum.promotion._nodes import ABSENT
from supremum.scalar_types import *
from supremum.searching import *
from supremum.sets import *
from supremum.sorting import *
from supremum.statistical import *
from supremum.statistical_averages import *
from supremum.statistical_nan import *
from supremum.statistical_quantiles import *
from supremum.tracing import *
from supremum.transformations import *
from supremum.utility import *

__array_api_version__ = "2025.12"
__array_api_versions__ = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
ndarray = Array

__all__ = [
    "Array", "ComplexWarning", "TypePromotionError", "__array_api_version__", "__array_api_versions__",
    "__array_namespace_info__", "__version__", "abs", "absolute", "acos", "acosh", "add", "all", "allclose", "amax", "amin",
    "angle", "any", "append", "apply_along_axis", "apply_over_axes", "arange", "arccos", "arccosh", "arcsin", "arcsinh",
    "arctan", "arctan2", "arctanh", "argmax", "argmin", "argpartition", "argsort", "argwhere", "around", "array",
    "array_equal", "array_equiv", "array_repr", "array_split", "array_str", "asarray", "asin", "asinh", "astype", "atan",
    "atan2", "atanh", "atleast_1d", "atleast_2d", "atleast_3d", "average", "bartlett", "bcomplex32", "bfloat16", "bincount",
    "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "blackman", "block", "bool", "bool_", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "c_",
    "can_cast", "cbrt", "cdouble", "ceil", "character", "choose", "clip", "column_stack", "complex128", "complex32",
    "complex64", "complex_", "complexfloating", "compress", "concat", "concatenate", "config", "conj", "conjugate", "convolve",
    "copy", "copysign", "corrcoef", "correlate", "cos", "cosh", "count_nonzero", "cov", "cross", "csingle", "cumprod",
    "cumsum", "cumulative_prod", "cumulative_sum", "deg2rad", "degrees", "delete", "diag", "diag_indices", "diag_indices_from",
    "diagflat", "diagonal", "diff", "digitize", "divide", "divmod", "dot", "double", "dsplit", "dstack", "dtype", "e",
    "ediff1d", "einsum", "einsum_path", "empty", "empty_like", "enable_x64", "equal", "euler_gamma", "exp", "exp2",
    "expand_dims", "explain", "expm1", "extract", "eye", "fabs", "fft", "fill_diagonal", "finfo", "flatnonzero", "flexible",
    "flip", "fliplr", "flipud", "float16", "float32", "float4_e2m1fn", "float64", "float6_e2m3fn", "float6_e3m2fn",
    "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
    "float8_e8m0fnu", "float_", "float_power", "floating", "floor", "floor_divide", "fmax", "fmin", "fmod", "forbid", "frexp",
    "from_dlpack", "frombuffer", "fromfile", "fromfunction", "fromiter", "frompyfunc", "fromstring", "full", "full_like",
    "gcd", "generic", "geomspace", "get_printoptions", "gradient", "greater", "greater_equal", "hamming", "hanning",
    "heaviside", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hsplit", "hstack", "hypot", "i0",
    "identity", "iinfo", "imag", "index_exp", "indices", "inexact", "inf", "inner", "insert", "int1", "int16", "int2", "int32",
    "int4", "int64", "int8", "int_", "integer", "interp", "intersect1d", "invert", "isclose", "iscomplex", "iscomplexobj",
    "isdtype", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "isrealobj", "isscalar", "issubdtype",
    "iterable", "ix_", "jit", "kaiser", "kron", "lcm", "ldexp", "left_shift", "less", "less_equal", "lexsort", "linalg",
    "linspace", "load", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or",
    "logical_xor", "logspace", "mask_indices", "matmul", "matrix_transpose", "matvec", "max", "maximum", "mean", "median",
    "meshgrid", "mgrid", "min", "minimum", "mod", "modf", "moveaxis", "multiply", "nan", "nan_to_num", "nanargmax",
    "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile", "nanprod",
    "nanquantile", "nanstd", "nansum", "nanvar", "ndarray", "ndim", "negative", "newaxis", "nextafter", "nonzero", "not_equal",
    "number", "numpy_dtype_promotion", "object_", "ogrid", "ones", "ones_like", "outer", "packbits", "pad", "partition",
    "percentile", "permute_dims", "pi", "piecewise", "place", "poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint",
    "polymul", "polysub", "polyval", "positive", "pow", "power", "printoptions", "prod", "promote_types", "promotion", "ptp",
    "put", "put_along_axis", "quantile", "r_", "rad2deg", "radians", "ravel", "ravel_multi_index", "real", "reciprocal",
    "remainder", "repeat", "reshape", "resize", "result_type", "right_shift", "rint", "roll", "rollaxis", "roots", "rot90",
    "round", "s_", "save", "savez", "savez_compressed", "searchsorted", "select", "set_printoptions", "setdiff1d", "setxor1d",
    "shape", "sign", "signbit", "signedinteger", "sin", "sinc", "single", "sinh", "size", "sort", "sort_complex", "spacing",
    "split", "sqrt", "square", "squeeze", "stack", "std", "subtract", "sum", "swapaxes", "take", "take_along_axis", "tan",
    "tanh", "tensordot", "tile", "trace", "trace_promotions", "transpose", "trapezoid", "tri", "tril", "tril_indices",
    "tril_indices_from", "trim_zeros", "triu", "triu_indices", "triu_indices_from", "true_divide", "trunc", "ufunc", "uint",
    "uint1", "uint16", "uint2", "uint32", "uint4", "uint64", "uint8", "union1d", "unique", "unique_all", "unique_counts",
    "unique_inverse", "unique_values", "unpackbits", "unravel_index", "unsignedinteger", "unstack", "unwrap", "vander", "var",
    "vdot", "vecdot", "vecmat", "vectorize", "vsplit", "vstack", "where", "zeros", "zeros_like",
]  # fmt: skip
# An older ml_dtypes lacks some.
__all__ = [name for name in __all__ if name not in ABSENT]

if TYPE_CHECKING:  # at run time they are imported when first asked for
    from supremum import io as io, nn as nn, numpy as numpy, random as random, scipy as scipy, testing as testing
    from supremum.io import load, save, savez, savez_compressed
else:  # a type checker would take any name for granted
    from supremum.transformations import missing as __getattr__  # noqa: F401 - Python finds it by this name
