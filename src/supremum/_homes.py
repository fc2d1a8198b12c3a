"""The module of each name of the namespace; `.ci/write_names.py` writes it from the `__all__` of the modules."""

from typing import Final

HOMES: Final = {
    "_functions.calculus": "convolve correlate ediff1d gradient interp trapezoid",
    "_functions.closeness": "allclose array_equal array_equiv isclose",
    "_functions.constants": "e euler_gamma inf nan newaxis pi",
    "_functions.creation.conversion": "array asarray copy from_dlpack frombuffer fromfile fromiter fromstring",
    "_functions.creation.filled": "empty empty_like full full_like ones ones_like zeros zeros_like",
    "_functions.creation.grids": "c_ fromfunction index_exp indices ix_ mgrid ogrid r_ s_",
    "_functions.creation.matrices": "diag diagflat diagonal eye identity tri tril triu vander",
    "_functions.creation.ranges": "arange geomspace linspace logspace meshgrid",
    "_functions.creation.windows": "bartlett blackman hamming hanning kaiser",
    "_functions.data_types": "astype can_cast finfo iinfo isdtype issubdtype promote_types result_type",
    "_functions.elementwise._ufunc": "frompyfunc ufunc",
    "_functions.elementwise.angles": "unwrap",
    "_functions.elementwise.arithmetic": """
        abs absolute add divide divmod fabs float_power floor_divide fmod mod multiply negative positive pow power reciprocal
        remainder sign square subtract true_divide
    """,
    "_functions.elementwise.bits": """
        bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor gcd
        invert lcm left_shift logical_and logical_not logical_or logical_xor right_shift
    """,
    "_functions.elementwise.comparison": """
        clip equal fmax fmin greater greater_equal less less_equal maximum minimum not_equal
    """,
    "_functions.elementwise.complex_parts": "angle conj conjugate imag iscomplex iscomplexobj isreal isrealobj real",
    "_functions.elementwise.exponential": "cbrt exp exp2 expm1 i0 log log10 log1p log2 logaddexp logaddexp2 sqrt",
    "_functions.elementwise.floating": """
        copysign frexp heaviside isfinite isinf isnan isneginf isposinf ldexp modf nan_to_num nextafter signbit spacing
    """,
    "_functions.elementwise.rounding": "around ceil floor rint round trunc",
    "_functions.elementwise.trigonometry": """
        acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh cos cosh deg2rad degrees
        hypot rad2deg radians sin sinc sinh tan tanh
    """,
    "_functions.functional": "apply_along_axis apply_over_axes piecewise vectorize",
    "_functions.histograms": "bincount digitize histogram histogram2d histogram_bin_edges histogramdd",
    "_functions.indexing.gather": "choose compress extract select take take_along_axis",
    "_functions.indexing.positions": """
        diag_indices diag_indices_from mask_indices ravel_multi_index tril_indices tril_indices_from triu_indices
        triu_indices_from unravel_index
    """,
    "_functions.indexing.scatter": "fill_diagonal place put put_along_axis",
    "_functions.inspection": "__array_namespace_info__ isscalar iterable ndim shape size",
    "_functions.linear_algebra.contractions": "matmul matrix_transpose tensordot vecdot",
    "_functions.linear_algebra.einsums": "einsum einsum_path",
    "_functions.linear_algebra.products": "cross dot inner kron matvec outer trace vdot vecmat",
    "_functions.manipulation.axes": """
        flip fliplr flipud matrix_transpose moveaxis permute_dims roll rollaxis rot90 swapaxes transpose
    """,
    "_functions.manipulation.editing": "delete insert trim_zeros",
    "_functions.manipulation.joining": "append block column_stack concat concatenate dstack hstack stack vstack",
    "_functions.manipulation.padding": "pad",
    "_functions.manipulation.repeating": "repeat tile",
    "_functions.manipulation.shapes": """
        atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to expand_dims ravel reshape resize
        squeeze
    """,
    "_functions.manipulation.splitting": "array_split dsplit hsplit split unstack vsplit",
    "_functions.packing": "packbits unpackbits",
    "_functions.polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    "_functions.printing": "array_repr array_str get_printoptions printoptions set_printoptions",
    "_functions.scalar_types": """
        ComplexWarning bcomplex32 bfloat16 bool bool_ cdouble character complex128 complex32 complex64 complex_ complexfloating
        csingle double dtype flexible float16 float32 float4_e2m1fn float64 float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3
        float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float_ floating generic
        inexact int1 int16 int2 int32 int4 int64 int8 int_ integer number object_ signedinteger single uint uint1 uint16 uint2
        uint32 uint4 uint64 uint8 unsignedinteger
    """,
    "_functions.searching": "argmax argmin argwhere count_nonzero flatnonzero nanargmax nanargmin nonzero searchsorted",
    "_functions.sets": """
        intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse unique_values
    """,
    "_functions.sorting": "argpartition argsort lexsort partition sort sort_complex",
    "_functions.statistical.averages": "average corrcoef cov ptp",
    "_functions.statistical.nan_skipping": "nancumprod nancumsum nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    "_functions.statistical.quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "_functions.statistical.reductions": """
        amax amin cumprod cumsum cumulative_prod cumulative_sum max mean min prod std sum var
    """,
    "_functions.transformations": "jit",
    "_functions.utility": "all any diff",
    "_functions.where": "where",
    "io": "load save savez savez_compressed",
    "tracing": "explain forbid trace_promotions",
}
