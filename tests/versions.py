"""Define features that older versions of dependencies lack, for tests whose authority is the installed package."""

import ml_dtypes
import numpy as np

#: Before 0.5.4, ml_dtypes had no casts between its integers and its floats. Our casts use other dtypes in between, with the
#: results of newer versions; NumPy raises an error.
LACKS_CASTS = not np.can_cast(ml_dtypes.int4, ml_dtypes.bfloat16, "unsafe")


def beyond_numpy(nodes):
    """Whether NumPy cannot promote these dtypes with the installed ml_dtypes, which lacks a cast between them."""
    integers = any(node.kind in "iu" and 0 < node.bits < 8 for node in nodes)
    floats = any(node.kind == "f" and 0 < node.bits <= 16 and node.name != "float16" for node in nodes)
    return LACKS_CASTS and integers and floats


#: ml_dtypes 0.5.0 rounds midpoints between powers of two to the even exponent; later versions, JAX and ours round up.
EVEN_POWERS = np.float32(3).astype(ml_dtypes.float8_e8m0fnu) != 4


def rounded(numbers, dtype):
    """Round float32 numbers to a narrow dtype as newer versions of ml_dtypes do."""
    single = np.asarray(numbers, np.float32)
    if EVEN_POWERS and dtype == ml_dtypes.float8_e8m0fnu:
        fraction, _ = np.frexp(single)
        single = np.where(fraction == 0.75, np.nextafter(single, np.float32(np.inf)), single)
    return single.astype(dtype)
