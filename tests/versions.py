"""What older versions of our dependencies lack, for tests whose authority is the package that is installed."""

import ml_dtypes
import numpy as np

#: Before 0.5.4, ml_dtypes had no casts between its integers and its floats. Our casts go by way of other dtypes, and our
#: answers are those of newer versions; NumPy, asked itself, has none.
LACKS_CASTS = not np.can_cast(ml_dtypes.int4, ml_dtypes.bfloat16, "unsafe")


def beyond_numpy(nodes):
    """Whether NumPy with the installed ml_dtypes cannot say how these meet, because it cannot cast one to another."""
    integers = any(node.kind in "iu" and 0 < node.bits < 8 for node in nodes)
    floats = any(node.kind == "f" and 0 < node.bits <= 16 and node.name != "float16" for node in nodes)
    return LACKS_CASTS and integers and floats


#: ml_dtypes 0.5.0 rounds what lies halfway between powers of two to the even exponent; later ones, JAX and ours round up.
EVEN_POWERS = np.float32(3).astype(ml_dtypes.float8_e8m0fnu) != 4


def rounded(numbers, dtype):
    """Round float32 numbers to a narrow dtype as newer versions of ml_dtypes do."""
    single = np.asarray(numbers, np.float32)
    if EVEN_POWERS and dtype == ml_dtypes.float8_e8m0fnu:
        fraction, _ = np.frexp(single)
        single = np.where(fraction == 0.75, np.nextafter(single, np.float32(np.inf)), single)
    return single.astype(dtype)
