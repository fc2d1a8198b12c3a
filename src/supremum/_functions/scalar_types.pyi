# What type checkers know of the scalar types: those of `promotion/dtypes.txt`, as tests/test_typing.py checks, and aliases.
from typing import Final

import numpy as np

from supremum._core.dtype_objects import ScalarType

bool: ScalarType
uint1 = uint2 = uint4 = uint8 = uint16 = uint32 = uint64 = int1 = int2 = int4 = int8 = int16 = int32 = int64 = bool
float4_e2m1fn = float6_e2m3fn = float6_e3m2fn = float8_e3m4 = float8_e4m3 = float8_e8m0fnu = float8_e4m3b11fnuz = bool
float8_e4m3fn = float8_e4m3fnuz = float8_e5m2 = float8_e5m2fnuz = bfloat16 = float16 = float32 = float64 = bool
bcomplex32 = complex32 = complex64 = complex128 = bool
bool_ = int_ = uint = float_ = complex_ = single = double = csingle = cdouble = bool

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
