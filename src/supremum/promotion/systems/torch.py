"""PyTorch 2.13: ``torch.promote_types``, and the rule for tensors without dimensions and Python scalars."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

SYSTEMS = {
    "torch": SystemData(
        matrix=matrix("torch"),
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
        variants={"zero_dim": matrix("torch zero_dim")},
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
