# ruff: noqa: E501  # a matrix reads as one only where its rows stay on one line
"""NumPy 2.4 with ml_dtypes: ``np.promote_types``, and Python scalars as NEP 50 has them."""

from supremum.promotion._system import SystemData

_MATRIX = """
      b1    u1b   u2b   u4b   u1    u2    u4    u8    i1b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i*    f*    c*
b1    b1    u1b   u2b   u4b   u1    u2    u4    u8    i1b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i8    f8    c16
u1b   u1b   u1b   u2b   u4b   u1    u2    u4    u8    -     -     -     i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   u1    f2    c8
u2b   u2b   u2b   u2b   u4b   u1    u2    u4    u8    -     -     -     i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   u1    f2    c8
u4b   u4b   u4b   u4b   u4b   u1    u2    u4    u8    -     -     -     i1    i2    i4    i8    e2m1  -     e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   u1    f2    c8
u1    u1    u1    u1    u1    u1    u2    u4    u8    -     -     -     i2    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   u1    f8    c16
u2    u2    u2    u2    u2    u2    u2    u4    u8    -     -     -     i4    i4    i4    i8    -     -     -     -     -     -     -     -     -     f4    -     -     f4    f4    f8    f16   -     -     c8    c16   c32   u2    f8    c16
u4    u4    u4    u4    u4    u4    u4    u4    u8    -     -     -     i8    i8    i8    i8    -     -     -     -     -     -     -     -     -     f8    -     -     f8    f8    f8    f16   -     -     c16   c16   c32   u4    f8    c16
u8    u8    u8    u8    u8    u8    u8    u8    u8    -     -     -     f8    f8    f8    f8    -     -     -     -     -     -     -     -     -     f8    -     -     f8    f8    f8    f16   -     -     c16   c16   c32   u8    f8    c16
i1b   i1b   -     -     -     -     -     -     -     i1b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   i1    f2    c8
i2b   i2b   -     -     -     -     -     -     -     i2b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   i1    f2    c8
i4b   i4b   -     -     -     -     -     -     -     i4b   i4b   i4b   i1    i2    i4    i8    e2m1  -     e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     f2    f4    f8    f16   -     -     c8    c16   c32   i1    f2    c8
i1    i1    i1    i1    i1    i2    i4    i8    f8    i1    i1    i1    i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i1    f8    c16
i2    i2    i2    i2    i2    i2    i4    i8    f8    i2    i2    i2    i2    i2    i4    i8    -     -     -     -     -     -     -     -     -     f4    -     -     f4    f4    f8    f16   -     -     c8    c16   c32   i2    f8    c16
i4    i4    i4    i4    i4    i4    i4    i8    f8    i4    i4    i4    i4    i4    i4    i8    -     -     -     -     -     -     -     -     -     f8    -     -     f8    f8    f8    f16   -     -     c16   c16   c32   i4    f8    c16
i8    i8    i8    i8    i8    i8    i8    i8    f8    i8    i8    i8    i8    i8    i8    i8    -     -     -     -     -     -     -     -     -     f8    -     -     f8    f8    f8    f16   -     -     c16   c16   c32   i8    f8    c16
e2m1  e2m1  e2m1  e2m1  e2m1  e2m1  -     -     -     e2m1  e2m1  e2m1  e2m1  -     -     -     e2m1  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     -     f4    f8    f16   -     -     c8    c16   c32   e2m1  f8    c8
e2m3  e2m3  e2m3  e2m3  -     e2m3  -     -     -     e2m3  e2m3  -     e2m3  -     -     -     e2m3  e2m3  e2m3  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     -     f4    f8    f16   -     -     c8    c16   c32   e2m3  f8    c8
e3m2  e3m2  e3m2  e3m2  e3m2  e3m2  -     -     -     e3m2  e3m2  e3m2  e3m2  -     -     -     e3m2  e2m3  e3m2  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     -     f4    f8    f16   -     -     c8    c16   c32   e3m2  f8    c8
e3m4  e3m4  e3m4  e3m4  e3m4  e3m4  -     -     -     e3m4  e3m4  e3m4  e3m4  -     -     -     e3m4  e3m4  e3m4  e3m4  e3m4  -     e3m4  e3m4  e3m4  -     e3m4  -     -     f4    f8    f16   -     -     c8    c16   c32   e3m4  f8    c8
e4m3  e4m3  e4m3  e4m3  e4m3  e4m3  -     -     -     e4m3  e4m3  e4m3  e4m3  -     -     -     e4m3  e4m3  e4m3  e3m4  e4m3  -     e4m3  e4m3  e4m3  -     e4m3  -     -     f4    f8    f16   -     -     c8    c16   c32   e4m3  f8    c8
e8m0  e8m0  -     -     -     e8m0  -     -     -     -     -     -     e8m0  -     -     -     -     -     -     -     -     e8m0  -     -     -     -     -     -     -     f4    f8    f16   -     -     c8    c16   c32   e8m0  f8    c8
e4b11 e4b11 e4b11 e4b11 e4b11 e4b11 -     -     -     e4b11 e4b11 e4b11 e4b11 -     -     -     e4b11 e4b11 e4b11 e3m4  e4m3  -     e4b11 e4b11 e4b11 -     e4b11 -     -     f4    f8    f16   -     -     c8    c16   c32   e4b11 f8    c8
e4fn  e4fn  e4fn  e4fn  e4fn  e4fn  -     -     -     e4fn  e4fn  e4fn  e4fn  -     -     -     e4fn  e4fn  e4fn  e3m4  e4m3  -     e4b11 e4fn  e4fn  -     e4fn  -     -     f4    f8    f16   -     -     c8    c16   c32   e4fn  f8    c8
e4uz  e4uz  e4uz  e4uz  e4uz  e4uz  -     -     -     e4uz  e4uz  e4uz  e4uz  -     -     -     e4uz  e4uz  e4uz  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e4uz  -     -     f4    f8    f16   -     -     c8    c16   c32   e4uz  f8    c8
e5m2  e5m2  -     -     -     e5m2  f4    f8    f8    -     -     -     e5m2  f4    f8    f8    -     -     -     -     -     -     -     -     -     e5m2  -     -     f4    f4    f8    f16   -     -     c8    c16   c32   e5m2  f4    c8
e5uz  e5uz  e5uz  e5uz  e5uz  e5uz  -     -     -     e5uz  e5uz  e5uz  e5uz  -     -     -     e5uz  e5uz  e5uz  e3m4  e4m3  -     e4b11 e4fn  e4uz  -     e5uz  -     -     f4    f8    f16   -     -     c8    c16   c32   e5uz  f8    c8
bf    bf    -     -     -     bf    -     -     -     -     -     -     bf    -     -     -     -     -     -     -     -     -     -     -     -     -     -     bf    -     f4    f8    f16   -     -     c8    c16   c32   bf    f8    c8
f2    f2    f2    f2    f2    f2    f4    f8    f8    f2    f2    f2    f2    f4    f8    f8    -     -     -     -     -     -     -     -     -     f4    -     -     f2    f4    f8    f16   -     -     c8    c16   c32   f2    f2    c8
f4    f4    f4    f4    f4    f4    f4    f8    f8    f4    f4    f4    f4    f4    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f8    f16   -     -     c8    c16   c32   f4    f4    c8
f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   -     -     c16   c16   c32   f8    f8    c16
f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   -     -     c32   c32   c32   f16   f16   c32
bc4   bc4   -     -     -     bc4   -     -     -     -     -     -     bc4   -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     bc4   bc4   c8    c16   c32   bc4   -     c8
c4    c4    -     -     -     c4    -     -     -     -     -     -     c4    -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     -     bc4   c4    c8    c16   c32   c4    -     c8
c8    c8    c8    c8    c8    c8    c8    c16   c16   c8    c8    c8    c8    c8    c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   c8    c8    c8    c16   c32   c8    c8    c8
c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c32   c16   c16   c16   c16   c32   c16   c16   c16
c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32
i*    i8    u1    u1    u1    u1    u2    u4    u8    i1    i1    i1    i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i8    f8    c16
f*    f8    f2    f2    f2    f8    f8    f8    f8    f2    f2    f2    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f4    f8    f8    f2    f4    f8    f16   -     -     c8    c16   c32   f8    f8    c16
c*    c16   c8    c8    c8    c16   c16   c16   c16   c8    c8    c8    c16   c16   c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   c8    c8    c8    c16   c32   c16   c16   c16
"""

_UFUNC = """
      b1    u1b   u2b   u4b   u1    u2    u4    u8    i1b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i*    f*    c*
b1    b1    u1b   u2b   u4b   u1    u2    u4    u8    i1b   i2b   i4b   i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i8    f8    c16
u1b   u1b   u1b   u2b   u4b   u1    u2    u4    u8    i1    i1    i1    i1    i2    i4    i8    u1b   u1b   u1b   u1b   u1b   f4    u1b   u1b   u1b   f4    u1b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
u2b   u2b   u2b   u2b   u4b   u1    u2    u4    u8    i1    i1    i1    i1    i2    i4    i8    u2b   u2b   u2b   u2b   u2b   f4    u2b   u2b   u2b   f4    u2b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
u4b   u4b   u4b   u4b   u4b   u1    u2    u4    u8    i1    i1    i1    i1    i2    i4    i8    u4b   f4    u4b   u4b   u4b   f4    u4b   u4b   u4b   f4    u4b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
u1    u1    u1    u1    u1    u1    u2    u4    u8    i2    i2    i2    i2    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   u1    f8    c16
u2    u2    u2    u2    u2    u2    u2    u4    u8    i4    i4    i4    i4    i4    i4    i8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   u2    f8    c16
u4    u4    u4    u4    u4    u4    u4    u4    u8    i8    i8    i8    i8    i8    i8    i8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   c16   c16   c16   c16   c32   u4    f8    c16
u8    u8    u8    u8    u8    u8    u8    u8    u8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   c16   c16   c16   c16   c32   u8    f8    c16
i1b   i1b   i1    i1    i1    i2    i4    i8    f8    i1b   i2b   i4b   i1    i2    i4    i8    i1b   i1b   i1b   i1b   i1b   f4    i1b   i1b   i1b   f4    i1b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
i2b   i2b   i1    i1    i1    i2    i4    i8    f8    i2b   i2b   i4b   i1    i2    i4    i8    i2b   i2b   i2b   i2b   i2b   f4    i2b   i2b   i2b   f4    i2b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
i4b   i4b   i1    i1    i1    i2    i4    i8    f8    i4b   i4b   i4b   i1    i2    i4    i8    i4b   f4    i4b   i4b   i4b   f4    i4b   i4b   i4b   f4    i4b   f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   i1    f2    c8
i1    i1    i1    i1    i1    i2    i4    i8    f8    i1    i1    i1    i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i1    f8    c16
i2    i2    i2    i2    i2    i2    i4    i8    f8    i2    i2    i2    i2    i2    i4    i8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   i2    f8    c16
i4    i4    i4    i4    i4    i4    i4    i8    f8    i4    i4    i4    i4    i4    i4    i8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   c16   c16   c16   c16   c32   i4    f8    c16
i8    i8    i8    i8    i8    i8    i8    i8    f8    i8    i8    i8    i8    i8    i8    i8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   c16   c16   c16   c16   c32   i8    f8    c16
e2m1  e2m1  e2m1  e2m1  e2m1  e2m1  f4    f8    f8    e2m1  e2m1  e2m1  e2m1  f4    f8    f8    e2m1  e2m1  e2m1  e2m1  e2m1  f4    e2m1  e2m1  e2m1  f4    e2m1  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e2m1  f4    c8
e2m3  e2m3  e2m3  e2m3  f4    e2m3  f4    f8    f8    e2m3  e2m3  f4    e2m3  f4    f8    f8    e2m3  e2m3  e2m3  e2m3  e2m3  f4    e2m3  e2m3  e2m3  f4    e2m3  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e2m3  f4    c8
e3m2  e3m2  e3m2  e3m2  e3m2  e3m2  f4    f8    f8    e3m2  e3m2  e3m2  e3m2  f4    f8    f8    e3m2  e3m2  e3m2  e3m2  e3m2  f4    e3m2  e3m2  e3m2  f4    e3m2  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e3m2  f4    c8
e3m4  e3m4  e3m4  e3m4  e3m4  e3m4  f4    f8    f8    e3m4  e3m4  e3m4  e3m4  f4    f8    f8    e3m4  e3m4  e3m4  e3m4  e3m4  f4    e3m4  e3m4  e3m4  f4    e3m4  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e3m4  f4    c8
e4m3  e4m3  e4m3  e4m3  e4m3  e4m3  f4    f8    f8    e4m3  e4m3  e4m3  e4m3  f4    f8    f8    e4m3  e4m3  e4m3  e4m3  e4m3  f4    e4m3  e4m3  e4m3  f4    e4m3  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e4m3  f4    c8
e8m0  e8m0  f4    f4    f4    e8m0  f4    f8    f8    f4    f4    f4    e8m0  f4    f8    f8    f4    f4    f4    f4    f4    e8m0  f4    f4    f4    f4    f4    f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e8m0  f4    c8
e4b11 e4b11 e4b11 e4b11 e4b11 e4b11 f4    f8    f8    e4b11 e4b11 e4b11 e4b11 f4    f8    f8    e4b11 e4b11 e4b11 e4b11 e4b11 f4    e4b11 e4b11 e4b11 f4    e4b11 f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e4b11 f4    c8
e4fn  e4fn  e4fn  e4fn  e4fn  e4fn  f4    f8    f8    e4fn  e4fn  e4fn  e4fn  f4    f8    f8    e4fn  e4fn  e4fn  e4fn  e4fn  f4    e4fn  e4fn  e4fn  f4    e4fn  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e4fn  f4    c8
e4uz  e4uz  e4uz  e4uz  e4uz  e4uz  f4    f8    f8    e4uz  e4uz  e4uz  e4uz  f4    f8    f8    e4uz  e4uz  e4uz  e4uz  e4uz  f4    e4uz  e4uz  e4uz  f4    e4uz  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e4uz  f4    c8
e5m2  e5m2  f4    f4    f4    e5m2  f4    f8    f8    f4    f4    f4    e5m2  f4    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    e5m2  f4    f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e5m2  f4    c8
e5uz  e5uz  e5uz  e5uz  e5uz  e5uz  f4    f8    f8    e5uz  e5uz  e5uz  e5uz  f4    f8    f8    e5uz  e5uz  e5uz  e5uz  e5uz  f4    e5uz  e5uz  e5uz  f4    e5uz  f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   e5uz  f4    c8
bf    bf    f4    f4    f4    bf    f4    f8    f8    f4    f4    f4    bf    f4    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    bf    f4    f4    f8    f16   c8    c8    c8    c16   c32   bf    f4    c8
f2    f2    f2    f2    f2    f2    f4    f8    f8    f2    f2    f2    f2    f4    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   f2    f2    c8
f4    f4    f4    f4    f4    f4    f4    f8    f8    f4    f4    f4    f4    f4    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f8    f16   c8    c8    c8    c16   c32   f4    f4    c8
f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f8    f16   c16   c16   c16   c16   c32   f8    f8    c16
f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   f16   c32   c32   c32   c32   c32   f16   f16   c32
bc4   bc4   c8    c8    c8    bc4   c8    c16   c16   c8    c8    c8    bc4   c8    c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   bc4   bc4   c8    c16   c32   bc4   c8    c8
c4    c4    c8    c8    c8    c4    c8    c16   c16   c8    c8    c8    c4    c8    c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   c4    c4    c8    c16   c32   c4    c8    c8
c8    c8    c8    c8    c8    c8    c8    c16   c16   c8    c8    c8    c8    c8    c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   c8    c8    c8    c16   c32   c8    c8    c8
c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c16   c32   c16   c16   c16   c16   c32   c16   c16   c16
c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32   c32
i*    i8    i1    i1    i1    u1    u2    u4    u8    i1    i1    i1    i1    i2    i4    i8    e2m1  e2m3  e3m2  e3m4  e4m3  e8m0  e4b11 e4fn  e4uz  e5m2  e5uz  bf    f2    f4    f8    f16   bc4   c4    c8    c16   c32   i8    f8    c16
f*    f8    f2    f2    f2    f8    f8    f8    f8    f2    f2    f2    f8    f8    f8    f8    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f4    f2    f4    f8    f16   c8    c8    c8    c16   c32   f8    f8    c16
c*    c16   c8    c8    c8    c16   c16   c16   c16   c8    c8    c8    c16   c16   c16   c16   c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c8    c16   c32   c8    c8    c8    c16   c32   c16   c16   c16
"""

#: What functions make of one operand. By width, as ufuncs choose the first loop that holds it; else float64.
_BY_WIDTH = "b iu8: float16, iu16: float32, iu: float64"
_WIDE = "biu bfloat16: float64"
_OPERANDS = {
    "inexact": f"each {_BY_WIDTH}",
    "quotient": "biu: float64",
    "number": "b: int8",
    "total": "b i: int64, u: uint64",
    "mean": "biu: float64",
    "linalg": _WIDE,
    "transform": "biu: float64",
    "round": "b: float16",
    "reciprocal": "same b: int8",
    "conj": "b: int8",
    "angle": "b: float64, iu8: float16, iu16: float32, iu: float64",
    **dict.fromkeys(("cov", "corrcoef"), "biuf: float64, c: complex128"),
    "interp": "biuf: float64",
    **dict.fromkeys(("i0", "gradient"), _WIDE),
    **dict.fromkeys(("sinc", "quantile", "trapezoid"), "biu: float64, bfloat16: float32"),
    **dict.fromkeys(("fft.irfft", "fft.hfft"), _WIDE),
    # There are no loops for bfloat16; outer products are those of a ufunc, which has.
    **dict.fromkeys(("matmul", "vecdot", "linalg.matmul", "linalg.vecdot", "clip"), "bfloat16: float32"),
    "linalg.outer": "elementwise",
    # Integers are computed in float64 here and given as integers.
    **dict.fromkeys(("convolve", "correlate", "histogram"), "biu: float64"),
}
_RESULTS = {
    "position": "iu: int64",
    "histogram counts": "*: int64",
    "linalg.lstsq": "; ; iu: int32; ",
    **dict.fromkeys(("convolve", "correlate"), "of biu: own"),
    **dict.fromkeys(("fft.irfft", "fft.hfft"), "of float16: float16"),
}

SYSTEMS = {
    "numpy": SystemData(
        matrix=_MATRIX,
        title="NumPy with ml_dtypes; Python scalars by NEP 50",
        package="numpy, ml_dtypes",
        version="2.4.6, 0.6.0",
        date="2026-11-20",
        scalars="range",
        defaults={"i": "int64", "f": "float64", "c": "complex128"},
        fold="numpy",
        inexact={"*": "float64", **dict.fromkeys(("int1", "int2", "int4", "uint1", "uint2", "uint4"), "float16")},
        variants={"ufunc": _UFUNC},
        operands=_OPERANDS,
        results=_RESULTS,
        symbols=(("float128", "f16", 128, "f"), ("complex256", "c32", 256, "c")),
        notes="The table is np.promote_types, which concatenate, where and result_type follow. Ufuncs choose a loop instead, "
        "and for ml_dtypes' types the loop may have another dtype, even depend on the order of operands: that is the variant "
        "'ufunc', measured with np.add (bfloat16 with float16 is an error by promote_types and float32 by add). Python floats "
        "are not weak towards ml_dtypes' types. More than two operands are not folded from the left but reduced in an "
        "order of their types, so result_type(int8, uint8, float16) is float16 although (int8 + uint8) + float16 is float32; "
        "this system does the same, except for a few combinations of Python scalars with ml_dtypes' and other types. "
        "float128 and complex256 are x86's long double; other platforms have other ones or none. Document 002's table is of "
        "2021, before NEP 50 and without ml_dtypes: it has no bfloat16, and is the same for all else. CuPy and Dask follow "
        "NumPy (CuPy was not measured, for want of a GPU); of Dask, see the system `dask`.",
    ),
}
SYSTEMS["dask"] = SYSTEMS["numpy"]._replace(
    title="Dask's arrays of NumPy's: NumPy's table, and functions that widen more",
    package="dask",
    version="2026.8.0",
    operands={
        **_OPERANDS,
        # Products are summed by Dask's sum.
        **dict.fromkeys(("dot", "einsum", "tensordot", "vdot"), "join b i: int64, u: uint64"),
        "gradient": "biu bfloat16 float16: float64",
        "linalg.inv": "biuf: float64, c: complex128",
        "linalg.solve": "b iu16 float16: float32, iu: float64",
        "quantile": "biuf: float64",
    },
    results={**_RESULTS, "linalg.lstsq": "; ; iu: int64; "},
    notes="The table is NumPy's: no difference was measured. Functions differ where Dask computes by others of its own.",
)
