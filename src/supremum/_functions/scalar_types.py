"""The scalar types, which are callable and are accepted as dtypes, and NumPy's abstract types.

The module has no functions, because `bool` and others shadow Python's names.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from supremum._core.dtype_objects import scalar_types as _types
from supremum.promotion._nodes import ABSENT

__all__ = [
    "ComplexWarning", "bcomplex32", "bfloat16", "bool", "bool_", "cdouble", "character", "complex32", "complex64",
    "complex128", "complex_", "complexfloating", "csingle", "double", "dtype", "flexible", "float4_e2m1fn", "float6_e2m3fn",
    "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2",
    "float8_e5m2fnuz", "float8_e8m0fnu", "float16", "float32", "float64", "float_", "floating", "generic", "inexact", "int1",
    "int2", "int4", "int8", "int16", "int32", "int64", "int_", "integer", "number", "object_", "signedinteger", "single",
    "uint", "uint1", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64", "unsignedinteger",
]  # fmt: skip

bool: Final = _types["bool"]

int2: Final = _types["int2"]
int4: Final = _types["int4"]
int8: Final = _types["int8"]
int16: Final = _types["int16"]
int32: Final = _types["int32"]
int64: Final = _types["int64"]

uint2: Final = _types["uint2"]
uint4: Final = _types["uint4"]
uint8: Final = _types["uint8"]
uint16: Final = _types["uint16"]
uint32: Final = _types["uint32"]
uint64: Final = _types["uint64"]

float4_e2m1fn: Final = _types["float4_e2m1fn"]
float6_e2m3fn: Final = _types["float6_e2m3fn"]
float6_e3m2fn: Final = _types["float6_e3m2fn"]
float8_e3m4: Final = _types["float8_e3m4"]
float8_e4m3: Final = _types["float8_e4m3"]
float8_e4m3b11fnuz: Final = _types["float8_e4m3b11fnuz"]
float8_e4m3fn: Final = _types["float8_e4m3fn"]
float8_e4m3fnuz: Final = _types["float8_e4m3fnuz"]
float8_e5m2: Final = _types["float8_e5m2"]
float8_e5m2fnuz: Final = _types["float8_e5m2fnuz"]
float8_e8m0fnu: Final = _types["float8_e8m0fnu"]
bfloat16: Final = _types["bfloat16"]
float16: Final = _types["float16"]
float32: Final = _types["float32"]
float64: Final = _types["float64"]

complex64: Final = _types["complex64"]
complex128: Final = _types["complex128"]

if "int1" in _types:  # since ml_dtypes 0.6
    int1: Final = _types["int1"]
    uint1: Final = _types["uint1"]
if "complex32" in _types:  # since ml_dtypes 0.6
    bcomplex32: Final = _types["bcomplex32"]
    complex32: Final = _types["complex32"]

for _name in ABSENT.intersection(__all__):
    __all__.remove(_name)  # noqa: PYI056 - type checkers see all

# JAX's aliases, which have the same width in every mode.
bool_: Final = bool
int_: Final = int64
uint: Final = uint64
float_: Final = float64
complex_: Final = complex128
single: Final = float32
double: Final = float64
csingle: Final = complex64
cdouble: Final = complex128

# The class of `x.dtype` and the abstract types: NumPy's own, as in JAX.
dtype = np.dtype
generic: Final = np.generic
number: Final = np.number
integer: Final = np.integer
signedinteger: Final = np.signedinteger
unsignedinteger: Final = np.unsignedinteger
inexact: Final = np.inexact
floating: Final = np.floating
complexfloating: Final = np.complexfloating
flexible: Final = np.flexible
character: Final = np.character
object_: Final = np.object_
ComplexWarning = np.exceptions.ComplexWarning
