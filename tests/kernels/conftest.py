"""Kernels are tested in the silence that they are called in."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _silence():
    with np.errstate(all="ignore"):
        yield
