"""Run the tests of kernels in the error state in which kernels are called."""

import numpy as np
import pytest

from supremum._base.native import native


def _levels():
    """Return the levels of instructions that this processor has; without the extension module one, for NumPy's loops."""
    if native is None:
        return [0]
    highest = native.set_level(0)
    native.set_level(highest)
    return list(range(highest + 1))


@pytest.fixture(params=_levels(), ids="level {}".format)
def level(request):
    """Run a test of loops at every level of the processor."""
    if native is None:
        yield 0
        return
    before = native.set_level(request.param)
    yield request.param
    native.set_level(before)


@pytest.fixture(autouse=True)
def _silence():
    with np.errstate(all="ignore"):
        yield
