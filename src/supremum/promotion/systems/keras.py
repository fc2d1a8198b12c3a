"""Keras 3.15: ``keras.backend.result_type`` on the JAX backend (`keras`) and on TensorFlow's (`keras_tf`)."""

from supremum.promotion._system import SystemData

_JAX = """
     b1   u1   u2   u4   u8   i1   i2   i4   i8   e4fn e5m2 bf   f2   f4   f8   c8   c16  i*   f*
b1   b1   u1   u2   u4   u4   i1   i2   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i4   f4
u1   u1   u1   u2   u4   u4   i2   i2   i4   i4   -    -    bf   f2   f4   f4   c8   c8   u1   f4
u2   u2   u2   u2   u4   u4   i4   i4   i4   i4   -    -    bf   f2   f4   f4   c8   c8   u2   f4
u4   u4   u4   u4   u4   u4   i4   i4   i4   i4   -    -    bf   f2   f4   f4   c8   c8   u4   f4
u8   u4   u4   u4   u4   u4   f4   f4   f4   f4   -    -    bf   f2   f4   f4   c8   c8   u4   f4
i1   i1   i2   i4   i4   f4   i1   i2   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i1   f4
i2   i2   i2   i4   i4   f4   i2   i2   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i2   f4
i4   i4   i4   i4   i4   f4   i4   i4   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i4   f4
i8   i4   i4   i4   i4   f4   i4   i4   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i4   f4
e4fn -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -
e5m2 -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -
bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   -    -    bf   f4   f4   f4   c8   c8   bf   bf
f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   -    -    f4   f2   f4   f4   c8   c8   f2   f2
f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    f4   f4   f4   f4   c8   c8   f4   f4
f8   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    f4   f4   f4   f4   c8   c8   f4   f4
c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    c8   c8   c8   c8   c8   c8   c8   c8
c16  c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    c8   c8   c8   c8   c8   c8   c8   c8
i*   i4   u1   u2   u4   u4   i1   i2   i4   i4   -    -    bf   f2   f4   f4   c8   c8   i4   f4
f*   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    bf   f2   f4   f4   c8   c8   f4   f4
"""

_TENSORFLOW = """
     b1   u1   u2   u4   u8   i1   i2   i4   i8   e4fn e5m2 bf   f2   f4   f8   c8   c16  i*   f*
b1   b1   u1   u2   u4   u4   i1   i2   i4   i8   -    -    bf   f2   f4   f8   c8   c8   i4   f4
u1   u1   u1   u2   u4   u4   i2   i2   i4   i8   -    -    bf   f2   f4   f8   c8   c8   u1   f4
u2   u2   u2   u2   u4   u4   i4   i4   i4   i8   -    -    bf   f2   f4   f8   c8   c8   u2   f4
u4   u4   u4   u4   u4   u4   i8   i8   i8   i8   -    -    bf   f2   f4   f8   c8   c8   u4   f4
u8   u4   u4   u4   u4   u4   f4   f4   f4   f4   -    -    bf   f2   f4   f8   c8   c8   u4   f4
i1   i1   i2   i4   i8   f4   i1   i2   i4   i8   -    -    bf   f2   f4   f8   c8   c8   i1   f4
i2   i2   i2   i4   i8   f4   i2   i2   i4   i8   -    -    bf   f2   f4   f8   c8   c8   i2   f4
i4   i4   i4   i4   i8   f4   i4   i4   i4   i8   -    -    bf   f2   f4   f8   c8   c8   i4   f4
i8   i8   i8   i8   i8   f4   i8   i8   i8   i8   -    -    bf   f2   f4   f8   c8   c8   i8   f4
e4fn -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -
e5m2 -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -    -
bf   bf   bf   bf   bf   bf   bf   bf   bf   bf   -    -    bf   f4   f4   f8   c8   c8   bf   bf
f2   f2   f2   f2   f2   f2   f2   f2   f2   f2   -    -    f4   f2   f4   f8   c8   c8   f2   f2
f4   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    f4   f4   f4   f8   c8   c8   f4   f4
f8   f8   f8   f8   f8   f8   f8   f8   f8   f8   -    -    f8   f8   f8   f8   c8   c8   f8   f8
c8   c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    c8   c8   c8   c8   c8   c8   c8   c8
c16  c8   c8   c8   c8   c8   c8   c8   c8   c8   -    -    c8   c8   c8   c8   c8   c8   c8   c8
i*   i4   u1   u2   u4   u4   i1   i2   i4   i8   -    -    bf   f2   f4   f8   c8   c8   i4   f4
f*   f4   f4   f4   f4   f4   f4   f4   f4   f4   -    -    bf   f2   f4   f8   c8   c8   f4   f4
"""

_KERAS = SystemData(
    package="keras",
    version="3.15.1",
    date="2026-11-20",
    notes="JAX's lattice, but then the result is mapped: 64 bits to 32 on the JAX backend, uint64 to uint32 and complex128 to "
    "complex64 on TensorFlow's. So a type may not even be its own result (int64 with int64 is int32), and grouping matters. "
    "There is no weak complex type. Float8 types promote with nothing, themselves included. With more than two operands "
    "Keras joins all before it maps the result; this system folds from the left.",
    inexact={"*": "float32"},
    defaults={"i": "int32", "f": "float32", "c": "complex64"},
    operands={
        **dict.fromkeys(("inexact", "quotient", "mean", "linalg", "transform", "ceil", "floor"), "biu: float32"),
        **dict.fromkeys(("cumulative_sum", "cumulative_prod"), "same b: int32"),
        "prod": "u: uint32",
        "linalg.solve": "join biu: float32",
        # The one dtype whose products are not computed in itself.
        **dict.fromkeys(("matmul", "linalg.matmul", "einsum"), "alike int8: int32"),
    },
    results={"full": "b iu: float32", "var": "of c: own"},
)

SYSTEMS = {
    "keras": _KERAS._replace(matrix=_JAX, title="Keras on its JAX backend, which has no 64-bit types"),
    "keras_tf": _KERAS._replace(
        matrix=_TENSORFLOW,
        title="Keras on its TensorFlow backend",
        operands={
            **_KERAS.operands,
            **dict.fromkeys(("cbrt", "corrcoef", "deg2rad", "hypot", "i0", "rad2deg"), "int64: float64, biu: float32"),
        },
        results={
            **_KERAS.results,
            "full_like": "uint64: uint32",
            "linalg.eigh": "of c: own",
        },
    ),
}
