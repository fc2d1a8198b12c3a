"""PyTorch 2.13: ``torch.promote_types``, and the rule for tensors without dimensions and Python scalars."""

from supremum.promotion._system import SystemData

_MATRIX = """
     b1   u1   u2   u4   u8   i1   i2   i4   i8   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  i*   f*   c*
b1   b1   u1   -    -    -    i1   i2   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
u1   u1   u1   -    -    -    i2   i2   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  u1   f4   c8
u2   -    -    u2   -    -    -    -    -    -    -    -    -    -    -    bf   f2   f4   f8   -    -    -    u2   f4   c8
u4   -    -    -    u4   -    -    -    -    -    -    -    -    -    -    bf   f2   f4   f8   -    -    -    u4   f4   c8
u8   -    -    -    -    u8   -    -    -    -    -    -    -    -    -    bf   f2   f4   f8   -    -    -    u8   f4   c8
i1   i1   i2   -    -    -    i1   i2   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i1   f4   c8
i2   i2   i2   -    -    -    i2   i2   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i2   f4   c8
i4   i4   i4   -    -    -    i4   i4   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i4   f4   c8
i8   i8   i8   -    -    -    i8   i8   i8   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
e8m0 -    -    -    -    -    -    -    -    -    e8m0 -    -    -    -    -    -    -    -    -    -    -    e8m0 e8m0 -
e4fn -    -    -    -    -    -    -    -    -    -    e4fn -    -    -    -    -    -    -    -    -    -    e4fn e4fn -
e4uz -    -    -    -    -    -    -    -    -    -    -    e4uz -    -    -    -    -    -    -    -    -    e4uz e4uz -
e5m2 -    -    -    -    -    -    -    -    -    -    -    -    e5m2 -    -    -    -    -    -    -    -    e5m2 e5m2 -
e5uz -    -    -    -    -    -    -    -    -    -    -    -    -    e5uz -    -    -    -    -    -    -    e5uz e5uz -
bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   -    -    -    -    -    bf   f4   f4   f8   c8   c8   c16  bf   bf   c8
f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   -    -    -    -    -    f4   f2   f4   f8   c4   c8   c16  f2   f2   c4
f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    -    -    -    f4   f4   f4   f8   c8   c8   c16  f4   f4   c8
f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   -    -    -    -    -    f8   f8   f8   f8   c16  c16  c16  f8   f8   c16
c4   c4   c4   -    -    -    c4   c4   c4   c4   -    -    -    -    -    c8   c4   c8   c16  c4   c8   c16  c4   c4   c4
c8   c8   c8   -    -    -    c8   c8   c8   c8   -    -    -    -    -    c8   c8   c8   c16  c8   c8   c16  c8   c8   c8
c16  c16  c16  -    -    -    c16  c16  c16  c16  -    -    -    -    -    c16  c16  c16  c16  c16  c16  c16  c16  c16  c16
i*   i8   u1   u2   u4   u8   i1   i2   i4   i8   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
f*   f4   f4   f4   f4   f4   f4   f4   f4   f4   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  f4   f4   c8
c*   c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    -    -    -    c8   c4   c8   c16  c4   c8   c16  c8   c8   c8
"""

# Rows have dimensions, columns have none.
_ZERO_DIM = """
     b1   u1   u2   u4   u8   i1   i2   i4   i8   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  i*   f*   c*
b1   b1   u1   -    -    -    i1   i2   i4   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
u1   u1   u1   u1   u1   u1   u1   u1   u1   u1   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  u1   f4   c8
u2   u2   u2   u2   u2   u2   u2   u2   u2   u2   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  u2   f4   c8
u4   u4   u4   u4   u4   u4   u4   u4   u4   u4   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  u4   f4   c8
u8   u8   u8   u8   u8   u8   u8   u8   u8   u8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  u8   f4   c8
i1   i1   i1   i1   i1   i1   i1   i1   i1   i1   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i1   f4   c8
i2   i2   i2   i2   i2   i2   i2   i2   i2   i2   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i2   f4   c8
i4   i4   i4   i4   i4   i4   i4   i4   i4   i4   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i4   f4   c8
i8   i8   i8   i8   i8   i8   i8   i8   i8   i8   -    -    -    -    -    bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 e8m0 -    -    -    e8m0 e8m0 -
e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn e4fn -    -    -    e4fn e4fn -
e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz e4uz -    -    -    e4uz e4uz -
e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 e5m2 -    -    -    e5m2 e5m2 -
e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz e5uz -    -    -    e5uz e5uz -
bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   c8   c8   c8   bf   bf   c8
f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   c4   c4   c4   f2   f2   c4
f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   c8   c8   c8   f4   f4   c8
f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   c16  c16  c16  f8   f8   c16
c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4   c4
c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   c8
c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16  c16
i*   i8   u1   u2   u4   u8   i1   i2   i4   i8   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  i8   f4   c8
f*   f4   f4   f4   f4   f4   f4   f4   f4   f4   e8m0 e4fn e4uz e5m2 e5uz bf   f2   f4   f8   c4   c8   c16  f4   f4   c8
c*   c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    -    -    -    c8   c4   c8   c16  c4   c8   c16  c8   c8   c8
"""

SYSTEMS = {
    "torch": SystemData(
        matrix=_MATRIX,
        title="PyTorch, with its three tiers",
        package="torch",
        version="2.13.0",
        date="2026-11-20",
        defaults={"i": "int64", "f": "float32", "c": "complex64"},
        inexact={"*": "float32"},
        operands={
            **dict.fromkeys(("inexact", "quotient", "mean", "linalg", "transform"), "biu: float32"),
            "number": "b: int64",
            "total": "biu: int64",
        },
        # uint8 was torch's dtype of truth values before it had bool.
        results=dict.fromkeys(("all", "any"), "of uint8: own"),
        tiers=("dimensioned", "zero_dim", "scalar"),
        variants={"zero_dim": _ZERO_DIM},
        notes="Operands have three tiers: tensors with dimensions, tensors without, Python scalars. A lower tier counts only "
        "if its kind (bool < integer < float < complex) is higher; the variant 'zero_dim' has a tensor with dimensions in "
        "rows and one without in columns, and the weak nodes are the third tier. uint16, uint32 and uint64 promote only with "
        "themselves, real floats and Python scalars; for most of them add and other arithmetic is not implemented, which is "
        "no matter of promotion. Float8 types promote with themselves and Python scalars. float4_e2m1fn_x2 is left out: its "
        "cells are accidents. A Python complex makes float16 complex32, but bfloat16 complex64. Document 002's table is "
        "of 2021, before torch had uint16 to uint64; it also makes two Python scalars a float64 or complex128, as Python "
        "itself adds them. A Python scalar that does not fit wraps (int8 + 1000).",
    ),
}
