"""Define a pytest plugin that adds this namespace as a backend to the test suites of SciPy and scikit-learn in their wheels.

    PYTHONPATH=tests/clients python -m pytest -p backends --pyargs scipy.stats -m array_api_backends -k supremum
    PYTHONPATH=tests/clients python -m pytest -p backends --pyargs sklearn -k supremum

SUPREMUM_X64=on selects 64-bit default dtypes, which most of the tests expect. The results are in docs/ecosystem.md.
"""

import dataclasses
import os
from types import SimpleNamespace

os.environ["SCIPY_ARRAY_API"] = "1"  # SciPy and scikit-learn read these variables when they are imported

import pytest
import scipy.conftest as scipy_tests

import supremum

given_info = supremum.__array_namespace_info__


def info_with_lists():
    """Return the info object with a list of devices: SciPy adds a list to it, and since 2025 the standard has a tuple."""
    info = given_info()
    names = ("capabilities", "default_device", "default_dtypes", "dtypes")
    return SimpleNamespace(devices=lambda: list(info.devices()), **{name: getattr(info, name) for name in names})


supremum.__array_namespace_info__ = info_with_lists
scipy_tests.xp_known_backends.add("supremum")
marker = scipy_tests.xp._fixture_function_marker  # parameters of a fixture are fixed when it is defined
ours = pytest.param(supremum, id="supremum", marks=pytest.mark.array_api_backends)
scipy_tests.xp._fixture_function_marker = dataclasses.replace(marker, params=(*marker.params, ours))

try:
    import sklearn.utils._array_api as sklearn_tests
except ImportError:
    pass
else:
    combinations = sklearn_tests.yield_namespace_device_dtype_combinations

    def combinations_with_ours(*args, **kwargs):
        yield from combinations(*args, **kwargs)
        yield "supremum", None, "float64"
        yield "supremum", None, "float32"

    sklearn_tests.yield_namespace_device_dtype_combinations = combinations_with_ours
