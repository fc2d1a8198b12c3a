"""tinygrad 0.14: ``least_upper_dtype``."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

SYSTEMS = {
    "tinygrad": SystemData(
        matrix=matrix("tinygrad"),
        title="tinygrad's least_upper_dtype",
        package="tinygrad",
        version="0.14.0",
        date="2026-11-20",
        defaults={"i": "int32", "f": "float32"},
        operands={
            **dict.fromkeys(("inexact", "quotient", "mean"), "biu: float32"),
            "round": "biu: float32",
            **dict.fromkeys(("prod", "cumulative_prod", "cumprod"), "same"),
            "cumsum": "b i32: int32, u32: uint32",
            # Products are summed by tinygrad's sum.
            "einsum": "join b i16: int32, u16: uint32",
        },
        results={
            **dict.fromkeys(("ceil", "floor"), "of b: int32"),
            **dict.fromkeys(("floor_divide", "remainder"), "of b: float32"),
            **dict.fromkeys(("pow", "square"), "of b: own"),
            "copysign": "of biu: own",
        },
        notes="Made from a graph much like JAX's, but no lattice: two different float8 types lie below float16 and bfloat16 "
        "alike, and a priority picks float16. That costs associativity: (float8_e4m3fn + float8_e5m2) + bfloat16 is float32, "
        "and bfloat16 if grouped from the right, which is also what tinygrad gives for all three at once. There are no "
        "complex types.",
    ),
}
