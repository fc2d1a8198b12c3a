"""JAX 0.10.2: ``jax.numpy`` with 64-bit types (`jax`), without (`jax_x32`), with strict promotion (`jax_strict`); ``jax.lax``.

JAX has no complex types of 32 bits. Where ml_dtypes has them they are treated as JAX treats its other narrow types: they
promote with bool, integers, Python scalars and themselves, and nothing else.
"""

from supremum.promotion._system import SystemData

_SIGNED = ["int1", "int2", "int4", "int8", "int16", "int32", "int64"]
_UNSIGNED = ["uint1", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64"]
_NARROW_FLOATS = [
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e8m0fnu",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
]
_FLOATS = ["bfloat16", "float16", "float32", "float64"]
_NARROW_COMPLEX = ["bcomplex32", "complex32"]
_COMPLEX = ["complex64", "complex128"]

_STANDARD = {
    "bool": ["int*"],
    "int*": ["uint1", "uint2", "uint4", "uint8", "int1", "int2", "int4", "int8"],
    "uint8": ["uint16", "int16"],
    "uint16": ["uint32", "int32"],
    "uint32": ["uint64", "int64"],
    "uint64": ["float*"],
    "int8": ["int16"],
    "int16": ["int32"],
    "int32": ["int64"],
    "int64": ["float*"],
    "float*": ["complex*", *_NARROW_FLOATS, "bfloat16", "float16"],
    "bfloat16": ["float32"],
    "float16": ["float32"],
    "float32": ["float64", "complex64"],
    "float64": ["complex128"],
    "complex*": [*_NARROW_COMPLEX, "complex64"],
    "complex64": ["complex128"],
}

_NOTES = (
    "When all operands are weak, JAX joins their strong counterparts and calls the result weak; the table joins the weak "
    "nodes, which has the same kind. JAX knows no bcomplex32 and complex32; they promote as its other narrow types do."
)
_JAX = SystemData(package="jax", version="0.10.2", date="2026-11-20", fold="join", partial=True, notes=_NOTES)
_INEXACT = {"*": "float32", "int*": "float*"}

SYSTEMS = {
    "jax": _JAX._replace(
        edges=_STANDARD,
        title="jax.numpy with 64-bit types (the default)",
        inexact={**_INEXACT, "int64": "float64", "uint64": "float64"},
    ),
    "jax_x32": _JAX._replace(
        # Without 64-bit types nothing may make one of narrower operands, so uint32 with int32 has to be int32.
        edges={**_STANDARD, "uint32": ["uint64", "int32"]},
        title="jax.numpy without 64-bit types (JAX's own default)",
        inexact=_INEXACT,
        notes=f"{_NOTES} One edge differs from jax: uint32 becomes int32, where jax has int64. The 64-bit types are in the "
        "table, but JAX truncates them to 32 bits before they get there.",
    ),
    "jax_x64": _JAX._replace(
        edges=_STANDARD,
        title="jax.numpy with jax_enable_x64: 64-bit types are the default",
        defaults={"i": "int64", "f": "float64", "c": "complex128"},
        inexact={**_INEXACT, "int64": "float64", "uint64": "float64"},
        # Norms of integers are sums of squares, which widen; the positions of searchsorted are as narrow as they can be.
        operands={"linalg.vector_norm": "biu: float64"},
        results={"searchsorted": "iu: int32"},
        notes=f"{_NOTES} The table is that of jax; what is made of Python scalars, counts and sums has 64 bits.",
    ),
    "jax_strict": _JAX._replace(
        edges={
            "bool": [],
            "int*": ["float*", *_UNSIGNED, *_SIGNED],
            "float*": ["complex*", *_NARROW_FLOATS, *_FLOATS],
            "complex*": [*_NARROW_COMPLEX, *_COMPLEX],
        },
        title="jax.numpy with jax_numpy_dtype_promotion=strict: only Python scalars promote, and only safely",
        inexact={**_INEXACT, "int64": "float64", "uint64": "float64"},
        notes="Bool promotes with nothing, a Python int included. JAX knows no bcomplex32 and complex32.",
        refusal=" when jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired output type, or set "
        "jax_numpy_dtype_promotion=standard.",
    ),
    "jax_lax": _JAX._replace(
        edges={
            "bool": [],
            **{name: [] for name in (*_UNSIGNED, *_SIGNED, *_NARROW_FLOATS, *_NARROW_COMPLEX)},
            **{f"{name}*": [name] for name in ("int32", "int64", "float32", "float64", "complex64", "complex128")},
            "bfloat16": [],
            "float16": [],
        },
        aliases={"int*": "int64*", "float*": "float64*", "complex*": "complex128*"},
        title="jax.lax: equal dtypes only",
        reason="jax.lax promotes nothing, and a Python scalar has its own default dtype",
        notes="A Python int is a weak int64 (int32 without 64-bit types) that promotes with int64 and nothing else, and so "
        "for float and complex: JAX 0.10.2 no longer lets scalars defer to any array of their kind in jax.lax, as JEP 9407 "
        "has it. Bool with bool is bool in this table; lax.add, which was measured, takes no bools.",
    ),
}
