"""Apple's MLX 0.32."""

from supremum.promotion._recorded import matrix
from supremum.promotion._system import SystemData

SYSTEMS = {
    "mlx": SystemData(
        matrix=matrix("mlx"),
        title="MLX",
        package="mlx",
        version="0.32.4",
        date="2026-11-20",
        scalars="range",
        inexact={"*": "float32"},
        operands={
            **dict.fromkeys(("inexact", "quotient", "mean", "linalg"), "biu: float32"),
            "transform": "biuf: float32",
            **dict.fromkeys(("linalg.eig", "linalg.eigvals"), "biuf: float32"),
            "cumulative_sum": "same b: int32",
            **dict.fromkeys(("cumulative_prod", "cumprod"), "same"),
            # Products are summed by MLX's sum.
            **dict.fromkeys(("vecdot", "linalg.vecdot"), "join b i16: int32, u16: uint32"),
        },
        results={
            **dict.fromkeys(("argmax", "argmin", "argsort", "searchsorted"), "iu: uint32"),
            **dict.fromkeys(("square", "floor_divide", "remainder", "pow"), "of b: own"),
            **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), "of b: uint8"),
        },
        defaults={"i": "int32", "f": "float32", "c": "complex64"},
        notes="Written after JAX's table, but uint64 with a signed integer is float32 at once, where JAX keeps a weak float, "
        "which costs associativity; and float64 with complex64 is complex64, the only complex type. A Python int that "
        "does not fit the array's dtype is a ValueError.",
    ),
}
