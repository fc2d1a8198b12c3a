"""TensorFlow 2.21: no promotion (the default), NumPy behaviour (legacy), and the modes "all" and "safe"."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

_QUOTIENT = "iu16: float32, biu: float64"
#: The module's NumPy makes floats of bools, integers and bfloat16 alike; logarithms of other bases are float64.
_LOGARITHMS = dict.fromkeys(("log10", "log2"), "biuf: float64, c: complex128")


def _operands(floating: str, integer: str) -> dict[str, str]:
    """Return what functions of tensorflow.experimental.numpy make of operands, by the defaults of a mode."""
    return {
        **dict.fromkeys(("inexact", "ceil", "floor", "average"), f"biu bfloat16: {floating}"),
        "quotient": _QUOTIENT,
        "number": f"b: {integer}",
        "mean": f"biu: {floating}",
        "total": f"i32 b: {integer}, u32: u{integer}" if integer == "int32" else "b i: int64, u: uint64",
        **dict.fromkeys(("cumsum", "cumprod"), f"same b iu32: {integer}, u: {floating}"),
        "trace": "same",
        "reciprocal": f"biu: {floating}",
        **_LOGICAL,
        "angle": "biuf: float32",
        **_LOGARITHMS,
    }


_COUNTS = "iu: int64"
_RESULTS = {"fabs": "of i bfloat16: own"}


#: Functions that convert their operands by NumPy's table in every mode, where operators follow the mode.
_BY_NUMPY = {
    **dict.fromkeys(("maximum", "minimum", "nextafter", "tensordot"), "elementwise"),
    "logaddexp": "elementwise biu bfloat16: float32",
}
_LOGICAL = dict.fromkeys(("logical_and", "logical_or", "logical_xor"), "first *: bool")

_TENSORFLOW = SystemData(
    package="tensorflow",
    version="2.21.0",
    date="2026-11-20",
    inexact={"*": "float64", "bool": "-", **dict.fromkeys(("int8", "int16", "uint8", "uint16"), "float32")},
)
_WEAK = _TENSORFLOW._replace(
    aliases={"int*": "int32*", "float*": "float32*", "complex*": "complex128*"},
    defaults={"i": "int32", "f": "float32", "c": "complex128"},
    operands={**_operands("float32", "int32"), "rad2deg": "iu: float64", **_BY_NUMPY},
    results={
        **dict.fromkeys(("argmax", "argmin", "argwhere", "count_nonzero", "nonzero", "flatnonzero"), _COUNTS),
        **_RESULTS,
        "rad2deg": "of b: own",
    },
)
_BOOLS = "bool with bool is bool in this table; TensorFlow has no kernel that adds them."

SYSTEMS = {
    "tensorflow": _TENSORFLOW._replace(
        matrix=matrix("tensorflow"),
        title="TensorFlow's default: no implicit promotion",
        defaults={"i": "int32", "f": "float32", "c": "complex128"},
        variants={"add": matrix("tensorflow add")},
        operands={"quotient": _QUOTIENT, **dict.fromkeys(("total", "mean"), "same")},
        results={
            **dict.fromkeys(("argmax", "argmin", "argwhere", "count_nonzero"), _COUNTS),
            # The parts of complex numbers keep their complex dtype.
            **dict.fromkeys(("linalg.eigh", "linalg.eigvalsh", "linalg.slogdet"), "of c: own"),
        },
        reason="TensorFlow promotes nothing but Python scalars of a kind no higher than the tensor's",
        notes="The table is that of operators: a Python scalar becomes the tensor's dtype from either side. The function "
        "tf.add(x, y) converts x first, then y to what x became, so tf.add(1, x) is an error unless x is int32: that is the "
        f"variant 'add', which is document 002's asymmetric table to the cell. {_BOOLS}",
    ),
    "tensorflow_legacy": _TENSORFLOW._replace(
        matrix=matrix("tensorflow_legacy"),
        title="TensorFlow with experimental_enable_numpy_behavior(): NumPy's rules",
        defaults={"i": "int64", "f": "float64", "c": "complex128"},
        operands=_operands("float64", "int64"),
        results=_RESULTS,
        notes=f"NumPy's table, cell by cell. {_BOOLS}",
    ),
    "tensorflow_all": _WEAK._replace(
        matrix=matrix("tensorflow_all"),
        variants={"function": matrix("tensorflow_legacy")},
        title='TensorFlow with dtype_conversion_mode="all"',
        notes="Weak tensors have widths. Any integer with a weak float32 is a weak float64, not a weak float32, as is uint64 "
        "with a signed integer; float64 with complex64 is complex128. More than two operands are folded from the left. A "
        "Python int beyond int32 is an OverflowError.",
    ),
    "tensorflow_safe": _WEAK._replace(
        matrix=matrix("tensorflow_safe"),
        variants={"function": matrix("tensorflow_legacy")},
        title='TensorFlow with dtype_conversion_mode="safe": only what loses nothing',
        reason="mode 'safe' allows only conversions that neither widen by surprise nor lose precision",
        notes="The table of mode 'all' without the cells that may widen or lose precision.",
    ),
}
