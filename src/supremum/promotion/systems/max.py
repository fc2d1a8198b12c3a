"""Modular's MAX: the lattice that its graph API documented (`max_graph`), and MAX 26.7 as measured (`max`)."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

SYSTEMS = {
    "max_graph": SystemData(
        edges={
            "bool": ["int8", "uint8"],
            "int8": ["int16"],
            "int16": ["int32"],
            "int32": ["int64"],
            "int64": ["float16"],
            "uint8": ["uint16", "int16"],
            "uint16": ["uint32", "int32"],
            "uint32": ["uint64", "int64"],
            "index": ["uint64"],
            "address": ["uint64"],
            "uint64": ["float16"],
            "float16": ["bfloat16"],
            "bfloat16": ["float32"],
            "float32": ["tensor_float32"],
            "tensor_float32": ["float64"],
        },
        symbols=(("index", "idx", 64, "u"), ("address", "adr", 64, "u"), ("tensor_float32", "tf4", 32, "f")),
        title="the documented lattice of MAX's Mojo graph API",
        package="max/graph/type_promotion.mojo",
        version="24",
        date="2024",
        fold="join",
        notes="index, address and tensor_float32 are symbolic: no buffer holds them. The page's table contradicts the lattice "
        "it says it is made of in four cells: bool with index or address is int64 and int8 with them is index or address, but "
        "uint64 and float16 if the operands are swapped, as the lattice has it. The page also says that nothing promotes to "
        "index and address and that they behave as uint64, which the lattice keeps and those cells break. No weak types.",
    ),
    "max": SystemData(
        matrix=matrix("max"),
        title="MAX as measured: the operand of higher kind and width, if it can hold the other",
        package="max",
        version="26.7.0",
        date="2026-11-20",
        scalars="exact",
        inexact={"*": "float64"},
        reason="MAX promotes to one of the operands, and only where it represents the other exactly",
        notes="Measured by building graphs with ops.add. 8-bit integers with any float of 8 bits or fewer, and two different "
        "ones of these, are float16, which is neither operand. Division of integers is float64. A Python scalar takes the "
        "other operand's dtype, but must be exactly representable in it: the column i* is for a value that is (1), and 300 "
        "with uint8 or 16777217 with float32 is an error. Two Python scalars do not promote. There are no complex types.",
    ),
}
