# What type checkers know of the names of dtypes: those of `promotion/dtypes.txt`, as tests/test_typing.py checks, and others.
from typing import Literal, TypeAlias

DTypeName: TypeAlias = Literal[
    "bool", "int1", "int2", "int4", "int8", "int16", "int32", "int64", "uint1", "uint2", "uint4", "uint8", "uint16", "uint32",
    "uint64", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz",
    "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "bfloat16", "float16", "float32",
    "float64", "bcomplex32", "complex32", "complex64", "complex128", "int", "float", "complex", "half", "single", "double",
    "b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16",
]  # fmt: skip
