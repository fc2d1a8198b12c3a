"""Check results of client libraries: our array, its dtype, and NumPy's values."""

import numpy as np

import supremum as xp


def ours(found, expected, dtype=None, rtol=1e-5, atol=1e-6):
    """Check that `found` is an Array (or a tuple of them) of `dtype`, with the values of `expected`."""
    if isinstance(expected, tuple):
        for one, other in zip(found, expected, strict=True):
            ours(one, other, dtype, rtol, atol)
        return
    assert type(found) is xp.Array, type(found)
    assert dtype is None or found.dtype == dtype, found.dtype
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=rtol, atol=atol)
