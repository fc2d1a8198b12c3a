"""The trapezoidal rule: exact sums, dtypes, layouts and errors."""

import numpy as np
import pytest
from behaviour import check_dtypes, check_layouts, check_narrow

import supremum as xp
from supremum.scipy.integrate import trapezoid


def test_exact_sums():
    y = xp.asarray([1.0, 3.0, 2.0, 6.0])
    assert float(trapezoid(y)) == 2 + 2.5 + 4
    assert float(trapezoid(y, dx=0.5)) == 4.25
    assert float(trapezoid(y, xp.asarray([0.0, 1.0, 3.0, 4.0]))) == 2 + 5 + 4
    assert trapezoid(xp.asarray([[1.0, 3.0], [2.0, 6.0]]), axis=0).tolist() == [1.5, 4.5]
    assert complex(trapezoid(xp.asarray([0, 2j]))) == 1j
    assert np.isnan(float(trapezoid(xp.asarray([1.0, np.nan]))))
    assert float(trapezoid(xp.asarray([5.0]))) == 0
    assert trapezoid(xp.zeros((0, 3))).shape == (0,)


def test_dtypes_and_layouts():
    kinds = ("bfloat16", "float32", "complex64")
    table = {"weak": "float32", "bool": "float32", "int32": "float32", **{kind: kind for kind in kinds}}  # JAX 0.10.2
    check_dtypes(trapezoid, table, [1, 0, 1])
    check_layouts(trapezoid, np.array([[1, 5, 2], [3, 0, 4]], np.float32))
    check_narrow(trapezoid, [1.5, 2.25, 7.0])


def test_errors():
    with pytest.raises(TypeError, match="trapezoid"):
        trapezoid([1.0, 2.0])
    with pytest.raises(IndexError, match="trapezoid"):
        trapezoid(xp.zeros(0))
    with pytest.raises((ValueError, IndexError), match="trapezoid"):
        trapezoid(xp.zeros(3), axis=1)
    with pytest.raises(ValueError, match="trapezoid"):
        trapezoid(xp.zeros(3), xp.zeros(4))
