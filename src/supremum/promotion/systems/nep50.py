"""NumPy 2.4 with ml_dtypes: ``np.promote_types``, and Python scalars as NEP 50 has them."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

#: What functions make of one operand. By width, as ufuncs choose the first loop that holds it; else float64.
_BY_WIDTH = "b iu8: float16, iu16: float32, iu: float64"
_WIDE = "biu bfloat16: float64"
_OPERANDS = {
    "inexact": f"each {_BY_WIDTH}",
    "quotient": "biu: float64",
    "number": "b: int8",
    "total": "b i: int64, u: uint64",
    "mean": "biu: float64",
    "linalg": _WIDE,
    "transform": "biu: float64",
    "round": "b: float16",
    "reciprocal": "same b: int8",
    "conj": "b: int8",
    "angle": "b: float64, iu8: float16, iu16: float32, iu: float64",
    **dict.fromkeys(("cov", "corrcoef"), "biuf: float64, c: complex128"),
    "interp": "biuf: float64",
    **dict.fromkeys(("i0", "gradient"), _WIDE),
    **dict.fromkeys(("sinc", "quantile", "trapezoid"), "biu: float64, bfloat16: float32"),
    **dict.fromkeys(("fft.irfft", "fft.hfft"), _WIDE),
    # There are no loops for bfloat16; outer products are those of a ufunc, which has.
    **dict.fromkeys(("matmul", "vecdot", "linalg.matmul", "linalg.vecdot", "clip"), "bfloat16: float32"),
    "linalg.outer": "elementwise",
    # Integers are computed in float64 here and given as integers.
    **dict.fromkeys(("convolve", "correlate", "histogram"), "biu: float64"),
}
_RESULTS = {
    "position": "iu: int64",
    "histogram counts": "*: int64",
    "linalg.lstsq": "; ; iu: int32; ",
    **dict.fromkeys(("convolve", "correlate"), "of biu: own"),
    **dict.fromkeys(("fft.irfft", "fft.hfft"), "of float16: float16"),
}

SYSTEMS = {
    "numpy": SystemData(
        matrix=matrix("numpy"),
        title="NumPy with ml_dtypes; Python scalars by NEP 50",
        package="numpy, ml_dtypes",
        version="2.4.6, 0.6.0",
        date="2026-11-20",
        scalars="range",
        defaults={"i": "int64", "f": "float64", "c": "complex128"},
        fold="numpy",
        inexact={"*": "float64", **dict.fromkeys(("int1", "int2", "int4", "uint1", "uint2", "uint4"), "float16")},
        variants={"ufunc": matrix("numpy ufunc")},
        operands=_OPERANDS,
        results=_RESULTS,
        symbols=(("float128", "f16", 128, "f"), ("complex256", "c32", 256, "c")),
        notes="The table is np.promote_types, which concatenate, where and result_type follow. Ufuncs choose a loop instead, "
        "and for ml_dtypes' types the loop may have another dtype, even depend on the order of operands: that is the variant "
        "'ufunc', measured with np.add (bfloat16 with float16 is an error by promote_types and float32 by add). Python floats "
        "are not weak towards ml_dtypes' types. More than two operands are not folded from the left but reduced in an "
        "order of their types, so result_type(int8, uint8, float16) is float16 although (int8 + uint8) + float16 is float32; "
        "this system does the same, except for a few combinations of Python scalars with ml_dtypes' and other types. "
        "float128 and complex256 are x86's long double; other platforms have other ones or none. Document 002's table is of "
        "2021, before NEP 50 and without ml_dtypes: it has no bfloat16, and is the same for all else. CuPy and Dask follow "
        "NumPy (CuPy was not measured, for want of a GPU); of Dask, see the system `dask`.",
    ),
}
SYSTEMS["dask"] = SYSTEMS["numpy"]._replace(
    title="Dask's arrays of NumPy's: NumPy's table, and functions that widen more",
    package="dask",
    version="2026.8.0",
    operands={
        **_OPERANDS,
        # Products are summed by Dask's sum.
        **dict.fromkeys(("dot", "einsum", "tensordot", "vdot"), "join b i: int64, u: uint64"),
        "gradient": "biu bfloat16 float16: float64",
        "linalg.inv": "biuf: float64, c: complex128",
        "linalg.solve": "b iu16 float16: float32, iu: float64",
        "quantile": "biuf: float64",
    },
    results={**_RESULTS, "linalg.lstsq": "; ; iu: int64; "},
    notes="The table is NumPy's: no difference was measured. Functions differ where Dask computes by others of its own.",
)
