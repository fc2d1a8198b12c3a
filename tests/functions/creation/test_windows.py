"""Windows, against NumPy's, which are computed in float64."""

import numpy as np
import pytest
from common import for_each

import supremum as xp
from supremum import config

NAMES = ["bartlett", "blackman", "hamming", "hanning"]


@for_each("points", [0, 1, 2, 5, 64])
@for_each("name", NAMES)
def test_as_numpy(name, points):
    np.testing.assert_allclose(np.asarray(getattr(xp, name)(points)), getattr(np, name)(points), atol=5e-7)
    with config.use(x64="on"):
        ours = getattr(xp, name)(points)
        assert ours.dtype == "float64"
        np.testing.assert_allclose(np.asarray(ours), getattr(np, name)(points), atol=1e-15)


@pytest.mark.parametrize("beta", [0, 3.0, -2, 14])
def test_kaiser(beta):
    np.testing.assert_allclose(np.asarray(xp.kaiser(9, beta)), np.kaiser(9, beta), rtol=1e-6)
    assert xp.kaiser(9, xp.asarray(beta, dtype="float16")).dtype == "float32"
    assert xp.kaiser(1, beta).tolist() == [1.0]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_points(name):
    for bad, error in ((-1, ValueError), ("a", TypeError), (None, TypeError)):
        with pytest.raises(error, match=name):
            getattr(xp, name)(bad)
