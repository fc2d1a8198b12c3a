# fmt: off
# ruff: noqa: I001, PLC0414 - the lines are short and the aliases export the names
"""The module of each name of the namespace; `.ci/write_names.py` writes this file from the `__all__` of the modules."""

from typing import TYPE_CHECKING, Final

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
    "_functions.linear_algebra.contractions": "matmul tensordot vecdot",
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
    "explaining": "explain",
    "io": "load save savez savez_compressed",
    "lens": "precision_lens",
    "tracing": "forbid trace_promotions",
}

if TYPE_CHECKING:  # the names for type checkers
    from supremum._functions.calculus import (
        convolve as convolve, correlate as correlate, ediff1d as ediff1d, gradient as gradient, interp as interp,
        trapezoid as trapezoid
    )
    from supremum._functions.closeness import (
        allclose as allclose, array_equal as array_equal, array_equiv as array_equiv, isclose as isclose
    )
    from supremum._functions.constants import (
        e as e, euler_gamma as euler_gamma, inf as inf, nan as nan, newaxis as newaxis, pi as pi
    )
    from supremum._functions.creation.conversion import (
        array as array, asarray as asarray, copy as copy, from_dlpack as from_dlpack, frombuffer as frombuffer,
        fromfile as fromfile, fromiter as fromiter, fromstring as fromstring
    )
    from supremum._functions.creation.filled import (
        empty as empty, empty_like as empty_like, full as full, full_like as full_like, ones as ones, ones_like as ones_like,
        zeros as zeros, zeros_like as zeros_like
    )
    from supremum._functions.creation.grids import (
        c_ as c_, fromfunction as fromfunction, index_exp as index_exp, indices as indices, ix_ as ix_, mgrid as mgrid,
        ogrid as ogrid, r_ as r_, s_ as s_
    )
    from supremum._functions.creation.matrices import (
        diag as diag, diagflat as diagflat, diagonal as diagonal, eye as eye, identity as identity, tri as tri, tril as tril,
        triu as triu, vander as vander
    )
    from supremum._functions.creation.ranges import (
        arange as arange, geomspace as geomspace, linspace as linspace, logspace as logspace, meshgrid as meshgrid
    )
    from supremum._functions.creation.windows import (
        bartlett as bartlett, blackman as blackman, hamming as hamming, hanning as hanning, kaiser as kaiser
    )
    from supremum._functions.data_types import (
        astype as astype, can_cast as can_cast, finfo as finfo, iinfo as iinfo, isdtype as isdtype, issubdtype as issubdtype,
        promote_types as promote_types, result_type as result_type
    )
    from supremum._functions.elementwise._ufunc import frompyfunc as frompyfunc, ufunc as ufunc
    from supremum._functions.elementwise.angles import unwrap as unwrap
    from supremum._functions.elementwise.arithmetic import (
        abs as abs, absolute as absolute, add as add, divide as divide, divmod as divmod, fabs as fabs,
        float_power as float_power, floor_divide as floor_divide, fmod as fmod, mod as mod, multiply as multiply,
        negative as negative, positive as positive, pow as pow, power as power, reciprocal as reciprocal,
        remainder as remainder, sign as sign, square as square, subtract as subtract, true_divide as true_divide
    )
    from supremum._functions.elementwise.bits import (
        bitwise_and as bitwise_and, bitwise_count as bitwise_count, bitwise_invert as bitwise_invert,
        bitwise_left_shift as bitwise_left_shift, bitwise_not as bitwise_not, bitwise_or as bitwise_or,
        bitwise_right_shift as bitwise_right_shift, bitwise_xor as bitwise_xor, gcd as gcd, invert as invert, lcm as lcm,
        left_shift as left_shift, logical_and as logical_and, logical_not as logical_not, logical_or as logical_or,
        logical_xor as logical_xor, right_shift as right_shift
    )
    from supremum._functions.elementwise.comparison import (
        clip as clip, equal as equal, fmax as fmax, fmin as fmin, greater as greater, greater_equal as greater_equal,
        less as less, less_equal as less_equal, maximum as maximum, minimum as minimum, not_equal as not_equal
    )
    from supremum._functions.elementwise.complex_parts import (
        angle as angle, conj as conj, conjugate as conjugate, imag as imag, iscomplex as iscomplex,
        iscomplexobj as iscomplexobj, isreal as isreal, isrealobj as isrealobj, real as real
    )
    from supremum._functions.elementwise.exponential import (
        cbrt as cbrt, exp as exp, exp2 as exp2, expm1 as expm1, i0 as i0, log as log, log10 as log10, log1p as log1p,
        log2 as log2, logaddexp as logaddexp, logaddexp2 as logaddexp2, sqrt as sqrt
    )
    from supremum._functions.elementwise.floating import (
        copysign as copysign, frexp as frexp, heaviside as heaviside, isfinite as isfinite, isinf as isinf, isnan as isnan,
        isneginf as isneginf, isposinf as isposinf, ldexp as ldexp, modf as modf, nan_to_num as nan_to_num,
        nextafter as nextafter, signbit as signbit, spacing as spacing
    )
    from supremum._functions.elementwise.rounding import (
        around as around, ceil as ceil, floor as floor, rint as rint, round as round, trunc as trunc
    )
    from supremum._functions.elementwise.trigonometry import (
        acos as acos, acosh as acosh, arccos as arccos, arccosh as arccosh, arcsin as arcsin, arcsinh as arcsinh,
        arctan as arctan, arctan2 as arctan2, arctanh as arctanh, asin as asin, asinh as asinh, atan as atan, atan2 as atan2,
        atanh as atanh, cos as cos, cosh as cosh, deg2rad as deg2rad, degrees as degrees, hypot as hypot, rad2deg as rad2deg,
        radians as radians, sin as sin, sinc as sinc, sinh as sinh, tan as tan, tanh as tanh
    )
    from supremum._functions.functional import (
        apply_along_axis as apply_along_axis, apply_over_axes as apply_over_axes, piecewise as piecewise,
        vectorize as vectorize
    )
    from supremum._functions.histograms import (
        bincount as bincount, digitize as digitize, histogram as histogram, histogram2d as histogram2d,
        histogram_bin_edges as histogram_bin_edges, histogramdd as histogramdd
    )
    from supremum._functions.indexing.gather import (
        choose as choose, compress as compress, extract as extract, select as select, take as take,
        take_along_axis as take_along_axis
    )
    from supremum._functions.indexing.positions import (
        diag_indices as diag_indices, diag_indices_from as diag_indices_from, mask_indices as mask_indices,
        ravel_multi_index as ravel_multi_index, tril_indices as tril_indices, tril_indices_from as tril_indices_from,
        triu_indices as triu_indices, triu_indices_from as triu_indices_from, unravel_index as unravel_index
    )
    from supremum._functions.indexing.scatter import (
        fill_diagonal as fill_diagonal, place as place, put as put, put_along_axis as put_along_axis
    )
    from supremum._functions.inspection import (
        __array_namespace_info__ as __array_namespace_info__, isscalar as isscalar, iterable as iterable, ndim as ndim,
        shape as shape, size as size
    )
    from supremum._functions.linear_algebra.contractions import matmul as matmul, tensordot as tensordot, vecdot as vecdot
    from supremum._functions.linear_algebra.einsums import einsum as einsum, einsum_path as einsum_path
    from supremum._functions.linear_algebra.products import (
        cross as cross, dot as dot, inner as inner, kron as kron, matvec as matvec, outer as outer, trace as trace,
        vdot as vdot, vecmat as vecmat
    )
    from supremum._functions.manipulation.axes import (
        flip as flip, fliplr as fliplr, flipud as flipud, matrix_transpose as matrix_transpose, moveaxis as moveaxis,
        permute_dims as permute_dims, roll as roll, rollaxis as rollaxis, rot90 as rot90, swapaxes as swapaxes,
        transpose as transpose
    )
    from supremum._functions.manipulation.editing import delete as delete, insert as insert, trim_zeros as trim_zeros
    from supremum._functions.manipulation.joining import (
        append as append, block as block, column_stack as column_stack, concat as concat, concatenate as concatenate,
        dstack as dstack, hstack as hstack, stack as stack, vstack as vstack
    )
    from supremum._functions.manipulation.padding import pad as pad
    from supremum._functions.manipulation.repeating import repeat as repeat, tile as tile
    from supremum._functions.manipulation.shapes import (
        atleast_1d as atleast_1d, atleast_2d as atleast_2d, atleast_3d as atleast_3d, broadcast_arrays as broadcast_arrays,
        broadcast_shapes as broadcast_shapes, broadcast_to as broadcast_to, expand_dims as expand_dims, ravel as ravel,
        reshape as reshape, resize as resize, squeeze as squeeze
    )
    from supremum._functions.manipulation.splitting import (
        array_split as array_split, dsplit as dsplit, hsplit as hsplit, split as split, unstack as unstack, vsplit as vsplit
    )
    from supremum._functions.packing import packbits as packbits, unpackbits as unpackbits
    from supremum._functions.polynomials import (
        poly as poly, polyadd as polyadd, polyder as polyder, polydiv as polydiv, polyfit as polyfit, polyint as polyint,
        polymul as polymul, polysub as polysub, polyval as polyval, roots as roots
    )
    from supremum._functions.printing import (
        array_repr as array_repr, array_str as array_str, get_printoptions as get_printoptions, printoptions as printoptions,
        set_printoptions as set_printoptions
    )
    from supremum._functions.scalar_types import (
        ComplexWarning as ComplexWarning, bcomplex32 as bcomplex32, bfloat16 as bfloat16, bool as bool, bool_ as bool_,
        cdouble as cdouble, character as character, complex128 as complex128, complex32 as complex32, complex64 as complex64,
        complex_ as complex_, complexfloating as complexfloating, csingle as csingle, double as double, dtype as dtype,
        flexible as flexible, float16 as float16, float32 as float32, float4_e2m1fn as float4_e2m1fn, float64 as float64,
        float6_e2m3fn as float6_e2m3fn, float6_e3m2fn as float6_e3m2fn, float8_e3m4 as float8_e3m4, float8_e4m3 as float8_e4m3,
        float8_e4m3b11fnuz as float8_e4m3b11fnuz, float8_e4m3fn as float8_e4m3fn, float8_e4m3fnuz as float8_e4m3fnuz,
        float8_e5m2 as float8_e5m2, float8_e5m2fnuz as float8_e5m2fnuz, float8_e8m0fnu as float8_e8m0fnu, float_ as float_,
        floating as floating, generic as generic, inexact as inexact, int1 as int1, int16 as int16, int2 as int2,
        int32 as int32, int4 as int4, int64 as int64, int8 as int8, int_ as int_, integer as integer, number as number,
        object_ as object_, signedinteger as signedinteger, single as single, uint as uint, uint1 as uint1, uint16 as uint16,
        uint2 as uint2, uint32 as uint32, uint4 as uint4, uint64 as uint64, uint8 as uint8, unsignedinteger as unsignedinteger
    )
    from supremum._functions.searching import (
        argmax as argmax, argmin as argmin, argwhere as argwhere, count_nonzero as count_nonzero, flatnonzero as flatnonzero,
        nanargmax as nanargmax, nanargmin as nanargmin, nonzero as nonzero, searchsorted as searchsorted
    )
    from supremum._functions.sets import (
        intersect1d as intersect1d, isin as isin, setdiff1d as setdiff1d, setxor1d as setxor1d, union1d as union1d,
        unique as unique, unique_all as unique_all, unique_counts as unique_counts, unique_inverse as unique_inverse,
        unique_values as unique_values
    )
    from supremum._functions.sorting import (
        argpartition as argpartition, argsort as argsort, lexsort as lexsort, partition as partition, sort as sort,
        sort_complex as sort_complex
    )
    from supremum._functions.statistical.averages import average as average, corrcoef as corrcoef, cov as cov, ptp as ptp
    from supremum._functions.statistical.nan_skipping import (
        nancumprod as nancumprod, nancumsum as nancumsum, nanmax as nanmax, nanmean as nanmean, nanmin as nanmin,
        nanprod as nanprod, nanstd as nanstd, nansum as nansum, nanvar as nanvar
    )
    from supremum._functions.statistical.quantiles import (
        median as median, nanmedian as nanmedian, nanpercentile as nanpercentile, nanquantile as nanquantile,
        percentile as percentile, quantile as quantile
    )
    from supremum._functions.statistical.reductions import (
        amax as amax, amin as amin, cumprod as cumprod, cumsum as cumsum, cumulative_prod as cumulative_prod,
        cumulative_sum as cumulative_sum, max as max, mean as mean, min as min, prod as prod, std as std, sum as sum,
        var as var
    )
    from supremum._functions.transformations import jit as jit
    from supremum._functions.utility import all as all, any as any, diff as diff
    from supremum._functions.where import where as where
    from supremum.explaining import explain as explain
    from supremum.io import load as load, save as save, savez as savez, savez_compressed as savez_compressed
    from supremum.lens import precision_lens as precision_lens
    from supremum.tracing import forbid as forbid, trace_promotions as trace_promotions
