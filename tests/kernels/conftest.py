"""Run the tests of kernels in the error state in which kernels are called."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _silence():
    with np.errstate(all="ignore"):
        yield
