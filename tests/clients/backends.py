"""A plugin of pytest: this namespace becomes a backend of the own tests of SciPy and scikit-learn, which their wheels hold.

    PYTHONPATH=tests/clients python -m pytest -p backends --pyargs scipy.stats -m array_api_backends -k supremum
    PYTHONPATH=tests/clients python -m pytest -p backends --pyargs sklearn -k supremum

SUPREMUM_X64=on makes the default dtypes those of 64 bits, which most of the tests expect. What came of it is in
docs/ecosystem.md.
"""

import dataclasses
import os
from types import SimpleNamespace

os.environ["SCIPY_ARRAY_API"] = "1"  # both look for it when they are imported

import pytest
import scipy.conftest as scipy_tests

import supremum

given_info = supremum.__array_namespace_info__


def info_with_lists():
    """Return the information, devices in a list; SciPy adds a list to what the standard has made a tuple in 2025."""
    info = given_info()
    names = ("capabilities", "default_device", "default_dtypes", "dtypes")
    return SimpleNamespace(devices=lambda: list(info.devices()), **{name: getattr(info, name) for name in names})


supremum.__array_namespace_info__ = info_with_lists
scipy_tests.xp_known_backends.add("supremum")
marker = scipy_tests.xp._fixture_function_marker  # the parameters of a fixture are set when it is defined
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
