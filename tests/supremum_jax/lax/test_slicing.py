"""The functions of `lax` that update windows at computed positions, beside loops."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum.jax import lax

ROWS = lax.ScatterDimensionNumbers((1,), (0,), (0,))
UPDATES = {
    lax.scatter: lambda old, new: new,
    lax.scatter_add: np.add,
    lax.scatter_sub: np.subtract,
    lax.scatter_mul: np.multiply,
    lax.scatter_min: np.minimum,
    lax.scatter_max: np.maximum,
}


@for_each("mode", ["clip", "drop"])
@for_each("dtype", ["int8", "float32", "bfloat16", "int4"])
def test_windows_are_updated_in_order(dtype, mode):
    x, rows = np.arange(12).reshape(4, 3) % 5, np.array([[1], [9], [1], [-2], [0]])
    new = np.arange(15).reshape(5, 3) % 4
    for function, update in UPDATES.items():
        wanted = x.copy()
        for (row,), values in zip(rows, new, strict=True):
            if mode == "clip" or 0 <= row < 4:
                place = np.clip(row, 0, 3)
                wanted[place] = update(wanted[place], values)
        given = [xp.asarray(part).astype(dtype) for part in (x, new)]
        found = function(given[0], xp.asarray(rows), given[1], ROWS, mode=mode)
        assert found.dtype == dtype
        np.testing.assert_array_equal(
            np.asarray(found.astype("int32")), np.asarray(xp.asarray(wanted).astype(dtype).astype("int32"))
        )


def test_an_array_without_axes_takes_every_update():
    numbers = lax.ScatterDimensionNumbers((), (), ())
    places, new = xp.zeros((3, 0), dtype="int32"), xp.asarray([1.0, 2.0, 4.0])
    assert lax.scatter_add(xp.asarray(1.0), places, new, numbers) == 8
    assert lax.scatter(xp.asarray(1.0), places, new, numbers) == 4


def test_bools_have_no_arithmetic():  # as in JAX
    bools = xp.asarray([True, False])
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    for function in (lax.scatter_add, lax.scatter_sub, lax.scatter_mul):
        with pytest.raises(TypeError, match="bools have no arithmetic"):
            function(bools, xp.asarray([[1]]), bools[:1], numbers)
    assert lax.scatter_max(bools, xp.asarray([[1]]), bools[:1], numbers).all()


def test_what_is_padded_by_nothing_is_a_copy():
    x = xp.arange(3.0)
    y = lax.pad(x, 0.0, [(0, 0, 0)])
    y[0] = 7
    assert x.tolist() == [0, 1, 2]


def test_windows_at_positions_in_arrays():  # values of JAX
    x = xp.reshape(xp.arange(20), (4, 5))
    for start, size, negative, expected in (
        ((3, 4), (2, 2), True, [[13, 14], [18, 19]]),
        ((-1, 0), (1, 2), True, [[15, 16]]),
        ((-1, 0), (1, 2), False, [[0, 1]]),
        ((-1, -2), (1, 2), (False, True), [[3, 4]]),
    ):
        for given in (xp.asarray(start), tuple(map(xp.asarray, start))):
            assert lax.dynamic_slice(x, given, size, allow_negative_indices=negative).tolist() == expected
    one = xp.asarray(1)
    for start, error, message in (
        ((xp.asarray(1.0), xp.asarray(0.0)), TypeError, "integers of the same type"),
        ((one, one.astype("int8")), TypeError, "integers of the same type"),
        ((one,), ValueError, "number of operand dimensions"),
        ((xp.asarray([1]), xp.asarray([1])), TypeError, "scalars"),
    ):
        with pytest.raises(error, match=message):
            lax.dynamic_slice(x, start, (1, 2))
    with pytest.raises(ValueError, match="Index -1 is out of bounds"):
        lax.dynamic_slice(x, (-1, 0), (1, 2), allow_negative_indices=False)
