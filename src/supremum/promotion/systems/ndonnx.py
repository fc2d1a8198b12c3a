"""ndonnx 0.23: arrays on ONNX graphs."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

SYSTEMS = {
    "ndonnx": SystemData(
        matrix=matrix("ndonnx"),
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
