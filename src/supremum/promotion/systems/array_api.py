"""The array API standard 2025.12: the least that every conforming library promotes."""

from supremum.promotion._system import SystemData

SYSTEMS = {
    "array_api": SystemData(
        edges={
            "bool": [],
            "int*": ["uint8", "int8", "float*"],
            "uint8": ["uint16", "int16"],
            "uint16": ["uint32", "int32"],
            "uint32": ["uint64", "int64"],
            "uint64": [],
            "int8": ["int16"],
            "int16": ["int32"],
            "int32": ["int64"],
            "int64": [],
            "float*": ["float32", "complex*"],
            "float32": ["float64", "complex64"],
            "float64": ["complex128"],
            "complex*": ["complex64"],
            "complex64": ["complex128"],
        },
        partial=True,
        title="the array API standard's minimum",
        package="array-api-strict",
        version="2.6.1 (array API 2025.12)",
        date="2026-11-20",
        scalars="range",
        fold="join",
        inexact={"*": "-"},
        defaults={"i": "int64", "f": "float64", "c": "complex128"},
        reason="the standard leaves promotion between kinds, and of uint64 with signed integers, to libraries",
        notes="Everything the standard does not define is an error, as in array-api-strict. A Python scalar must be of the "
        "array's kind or a lower one (bool only with bool), an int within the dtype's bounds. Document 003, the proposal of "
        "2020, has float16 and no complex types; the standard has complex types and no float16. Two Python scalars together "
        "are not specified by the standard; in this system they promote as Python's own types do.",
    ),
}
