"""The table of the namespace: the module of each name, which is imported on first access to the name.

So `import supremum` costs little more than NumPy does, and a program loads only what it uses.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from supremum.promotion._nodes import ABSENT

__all__ = ["ALL", "API_VERSIONS", "HOMES", "LATER", "look_up", "names"]

#: The versions of the array API standard that the namespace follows.
API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

#: What each module gives to the namespace.
HOMES: Final = {
    "_functions.calculus": "convolve correlate ediff1d gradient interp trapezoid",
    "_functions.where": "where",
    "_functions.closeness": "allclose array_equal array_equiv isclose",
    "_functions.constants": "e euler_gamma inf nan newaxis pi",
    "_functions.creation": """
        arange array asarray bartlett blackman c_ copy diag diagflat diagonal empty empty_like eye from_dlpack frombuffer
        fromfile fromfunction fromiter fromstring full full_like geomspace hamming hanning identity index_exp indices ix_
        kaiser linspace logspace meshgrid mgrid ogrid ones ones_like r_ s_ tri tril triu vander zeros zeros_like
    """,
    "_functions.data_types": "astype can_cast finfo iinfo isdtype issubdtype promote_types result_type",
    "_functions.elementwise": """
        abs absolute acos acosh add angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh around asin asinh atan atan2
        atanh bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift
        bitwise_xor cbrt ceil clip conj conjugate copysign cos cosh deg2rad degrees divide divmod equal exp exp2 expm1 fabs
        float_power floor floor_divide fmax fmin fmod frexp frompyfunc gcd greater greater_equal heaviside hypot i0 imag
        invert iscomplex iscomplexobj isfinite isinf isnan isneginf isposinf isreal isrealobj lcm ldexp left_shift less
        less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor maximum minimum
        mod modf multiply nan_to_num negative nextafter not_equal positive pow power rad2deg radians real reciprocal
        remainder right_shift rint round sign signbit sin sinc sinh spacing sqrt square subtract tan tanh true_divide trunc
        ufunc unwrap
    """,
    "_functions.functional": "apply_along_axis apply_over_axes piecewise vectorize",
    "_functions.histograms": "bincount digitize histogram histogram2d histogram_bin_edges histogramdd",
    "_functions.indexing": """
        choose compress diag_indices diag_indices_from extract fill_diagonal mask_indices place put put_along_axis
        ravel_multi_index select take take_along_axis tril_indices tril_indices_from triu_indices triu_indices_from
        unravel_index
    """,
    "_functions.inspection": "__array_namespace_info__ isscalar iterable ndim shape size",
    "_functions.linear_algebra.contractions": "matmul tensordot vecdot",
    "_functions.linear_algebra.einsums": "einsum einsum_path",
    "_functions.linear_algebra.products": "cross dot inner kron matvec outer trace vdot vecmat",
    "_functions.manipulation": """
        append array_split atleast_1d atleast_2d atleast_3d block broadcast_arrays broadcast_shapes broadcast_to
        column_stack concat concatenate delete dsplit dstack expand_dims flip fliplr flipud hsplit hstack insert
        matrix_transpose moveaxis pad permute_dims ravel repeat reshape resize roll rollaxis rot90 split squeeze stack
        swapaxes tile transpose trim_zeros unstack vsplit vstack
    """,
    "_functions.packing": "packbits unpackbits",
    "_functions.polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
    "_functions.printing": "array_repr array_str get_printoptions printoptions set_printoptions",
    "_functions.scalar_types": """
        ComplexWarning bcomplex32 bfloat16 bool bool_ cdouble character complex128 complex32 complex64 complex_
        complexfloating csingle double dtype flexible float16 float32 float4_e2m1fn float64 float6_e2m3fn float6_e3m2fn
        float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu
        float_ floating generic inexact int1 int16 int2 int32 int4 int64 int8 int_ integer number object_ signedinteger
        single uint uint1 uint16 uint2 uint32 uint4 uint64 uint8 unsignedinteger
    """,
    "_functions.searching": "argmax argmin argwhere count_nonzero flatnonzero nanargmax nanargmin nonzero searchsorted",
    "_functions.sets": """
        intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse unique_values
    """,
    "_functions.sorting": "argpartition argsort lexsort partition sort sort_complex",
    "_functions.statistical.reductions": """
        amax amin cumprod cumsum cumulative_prod cumulative_sum max mean min prod std sum var
    """,
    "_functions.statistical.averages": "average corrcoef cov ptp",
    "_functions.statistical.nan_skipping": "nancumprod nancumsum nanmax nanmean nanmin nanprod nanstd nansum nanvar",
    "_functions.statistical.quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "explaining": "explain",
    "tracing": "forbid trace_promotions",
    "_functions.transformations": "jit",
    "_functions.utility": "all any diff",
    "io": "load save savez savez_compressed",
}

#: What the namespace has from the start, or as its modules.
_OTHERS: Final = (
    "Array", "TypePromotionError", "__array_api_version__", "__array_api_versions__", "__version__", "config", "enable_x64",
    "fft", "linalg", "ndarray", "numpy_dtype_promotion", "promotion",
)  # fmt: skip
#: Modules that are imported when they are first asked for.
LATER: Final = frozenset({"dtypes", "fft", "io", "lib", "linalg", "nn", "numpy", "random", "scipy", "testing"})

# An older ml_dtypes lacks some.
_HOME_OF: Final = {name: home for home, given in HOMES.items() for name in given.split() if name not in ABSENT}
#: The namespace's ``__all__``.
ALL: Final[list[str]] = sorted([*_HOME_OF, *_OTHERS])


def _imported(home: str) -> ModuleType:
    """Import a module of this package; retry if Python reports a deadlock.

    A thread that imports a package and another one that imports a module of it may wait for each other. Python sees that, and
    ends it by an error in one of them. (A lock of ours it would not see.)
    """
    while True:
        try:
            return import_module(f"supremum.{home}")
        except RuntimeError as error:
            if type(error).__name__ != "_DeadlockError":
                raise


def __getattr__(name: str) -> Any:
    """Import what is asked for as ``_names.name``: for modules that call functions of the namespace by name."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    found = globals()[name] = getattr(_imported(_HOME_OF[name]), name)
    return found


def look_up(name: str) -> Any:
    """Import what is asked for as ``supremum.name`` for the first time; it is the namespace's ``__getattr__``."""
    if name in _HOME_OF:
        found = vars(sys.modules["supremum"])[name] = __getattr__(name)
        return found
    if name in LATER:
        return _imported(name)
    from supremum._functions.transformations import missing

    # `from supremum import vmap` would hide the message of an AttributeError behind one of its own.
    importing = sys._getframe(1).f_globals.get("__name__") in ("importlib._bootstrap", "_frozen_importlib")
    raise missing(name, importing=importing)


def names() -> list[str]:
    """Return the public names of the namespace; it is the namespace's ``__dir__``."""
    return sorted({*ALL, *LATER})
