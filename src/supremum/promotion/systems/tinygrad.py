"""tinygrad 0.14: ``least_upper_dtype``."""

from supremum.promotion._system import SystemData

_MATRIX = """
     b1   u1   u2   u4   u8   i1   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i*   f*
b1   b1   u1   u2   u4   u8   i1   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i*   f*
u1   u1   u1   u2   u4   u8   i2   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   u1   f*
u2   u2   u2   u2   u4   u8   i4   i4   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   u2   f*
u4   u4   u4   u4   u4   u8   i8   i8   i8   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   u4   f*
u8   u8   u8   u8   u8   u8   f*   f*   f*   f*   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   u8   f*
i1   i1   i2   i4   i8   f*   i1   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i1   f*
i2   i2   i2   i4   i8   f*   i2   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i2   f*
i4   i4   i4   i4   i8   f*   i4   i4   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i4   f*
i8   i8   i8   i8   i8   f*   i8   i8   i8   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i8   f*
e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn f2   f2   f2   bf   f2   f4   f8   e4fn e4fn
e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz f2   e4uz f2   f2   bf   f2   f4   f8   e4uz e4uz
e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 f2   f2   e5m2 f2   bf   f2   f4   f8   e5m2 e5m2
e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz f2   f2   f2   e5uz bf   f2   f4   f8   e5uz e5uz
bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   f4   f4   f8   bf   bf
f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f4   f2   f4   f8   f2   f2
f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f8   f4   f4
f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8
i*   i*   u1   u2   u4   u8   i1   i2   i4   i8   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   i*   f*
f*   f*   f*   f*   f*   f*   f*   f*   f*   f*   e4fn e4uz e5m2 e5uz bf   f2   f4   f8   f*   f*
"""

SYSTEMS = {
    "tinygrad": SystemData(
        matrix=_MATRIX,
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
