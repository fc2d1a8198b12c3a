"""ndonnx 0.23: arrays on ONNX graphs."""

from supremum.promotion._system import SystemData

_MATRIX = """
   b1 u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8 i* f*
b1 b1 u1 u2 u4 u8 i1 i2 i4 i8 -  f4 f8 i8 f8
u1 u1 u1 u2 u4 u8 i2 i2 i4 i8 f4 f4 f8 u1 f8
u2 u2 u2 u2 u4 u8 i4 i4 i4 i8 f4 f4 f8 u2 f8
u4 u4 u4 u4 u4 u8 i8 i8 i8 i8 f8 f8 f8 u4 f8
u8 u8 u8 u8 u8 u8 f8 f8 f8 f8 f8 f8 f8 u8 f8
i1 i1 i2 i4 i8 f8 i1 i2 i4 i8 f4 f4 f8 i1 f8
i2 i2 i2 i4 i8 f8 i2 i2 i4 i8 f4 f4 f8 i2 f8
i4 i4 i4 i4 i8 f8 i4 i4 i4 i8 f8 f8 f8 i4 f8
i8 i8 i8 i8 i8 f8 i8 i8 i8 i8 f8 f8 f8 i8 f8
f2 -  f4 f4 f8 f8 f4 f4 f8 f8 f2 f4 f8 f2 f2
f4 f4 f4 f4 f8 f8 f4 f4 f8 f8 f4 f4 f8 f4 f4
f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8
i* i8 u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8 i8 f8
f* f8 f8 f8 f8 f8 f8 f8 f8 f8 f2 f4 f8 f8 f8
"""

SYSTEMS = {
    "ndonnx": SystemData(
        matrix=_MATRIX,
        title="ndonnx",
        package="ndonnx",
        version="0.23.0",
        date="2026-11-20",
        scalars="range",
        inexact={"*": "float64"},
        operands={"quotient": "biu: float64"},
        results={"sqrt": "of iu: own"},
        defaults={"i": "int64", "f": "float64"},
        notes="NumPy's table with three differences: bool with float16 is missing, 8-bit integers with float16 are float32, "
        "and there are no complex types. Two Python scalars promote as the arrays made of them do.",
    ),
}
