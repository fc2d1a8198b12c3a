"""References are those of what memory holds, whoever wrote to it."""

import numpy as np
import pytest

import supremum as xp
from supremum._base.buffers import native


def _unseen(x, data, view):
    """Write to an array in ways that no lens sees, one after the other."""
    with xp.config.use(watcher=None):
        x[3] = 7
    yield
    with xp.config.use(watcher=None):
        x += 1
    yield
    np.asarray(x)[5:9] *= 3
    yield
    view[11] = 0.25
    yield
    data[13] = 0.125
    yield
    xp.asarray(x, copy=False)._data[2] = 9
    yield


def test_writes_that_no_lens_sees_are_of_their_time():
    x = xp.linspace(0.1, 1, 5000, dtype="float32") * 1
    view = memoryview(np.asarray(x) if native is None else x)  # of the engine in Python, from Python 3.12 on
    with xp.precision_lens() as lens:
        for _ in range(3):
            writes = _unseen(x, np.asarray(x), view)
            for _ in range(6):
                for _ in range(7):  # of these, some are measured
                    before, y = np.array(x, "float64"), x * 0.1
                    total = xp.sum(y)
                next(writes)
                np.testing.assert_array_equal(np.asarray(lens.value(y)), before * 0.1)
                np.testing.assert_allclose(lens.value(total).item(), np.sum(before * 0.1), 1e-14)
                np.asarray(y)[4] = 5
                assert lens.value(y * 1)[4] == 5
    assert lens.unfollowed == {}


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "float8_e5m2", "float8_e4m3fn", "complex64"])
@pytest.mark.parametrize("place", [0, 4099, 4100])
def test_what_is_not_finite_is_found_in_calls_that_are_not_measured(name, place):
    finite = xp.full(4101, 0.5, dtype=name)
    greatest = finite.at[place].set(xp.finfo(name).max)
    with xp.precision_lens() as lens:
        for number in range(1, 12):
            (greatest if number == 11 else finite) * 3.0
    (row,) = [row for row in lens.rows if row.function == "multiply"]
    assert max(row.nan, row.infinity) == 11
    assert row.count == 11
