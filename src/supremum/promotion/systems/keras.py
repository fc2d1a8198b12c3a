"""Keras 3.15: ``keras.backend.result_type`` on the JAX backend (`keras`) and on TensorFlow's (`keras_tf`)."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

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
    "keras": _KERAS._replace(matrix=matrix("keras"), title="Keras on its JAX backend, which has no 64-bit types"),
    "keras_tf": _KERAS._replace(
        matrix=matrix("keras_tf"),
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
