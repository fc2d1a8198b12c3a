"""The assertions fail when they should, and profiles apply their settings."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import supremum as xp
from supremum.promotion import TypePromotionError
from supremum.promotion._nodes import NODES
from supremum.testing import PROFILES, assert_allclose, assert_array_equal, assert_no_promotion, profile, tolerance

#: All dtypes except the one that represents powers of two only.
FLOATS = [name for name, node in NODES.items() if node.kind == "f" and node.bits >= 8 and name != "float8_e8m0fnu"]
NAN = float("nan")


@pytest.mark.parametrize("name", [name for name in NODES if not name.endswith("1")])
def test_an_array_equals_itself_and_no_other(name):
    x = xp.asarray([1, 0, 1]).astype(name)
    assert_array_equal(x, x, strict=True)
    assert_allclose(x, x, strict=True)
    y = xp.asarray([1, 1, 1]).astype(name)
    with pytest.raises(AssertionError):
        assert_array_equal(x, y)
    with pytest.raises(AssertionError):
        assert_allclose(x, y)


@pytest.mark.parametrize("name", FLOATS)
def test_the_tolerance_is_that_of_the_dtype(name):
    eps = xp.finfo(name).eps
    x = xp.ones(2, dtype=name)
    assert_allclose(x, [1 + eps, 1 - eps])
    assert_allclose(x, 1 + eps)
    with pytest.raises(AssertionError):
        assert_allclose(x, 1 + 40 * eps)
    with pytest.raises(AssertionError):
        assert_allclose(x, 1 + eps, rtol=0)
    with pytest.raises(AssertionError):
        assert_array_equal(x, 1 + eps)


def test_the_coarser_side_decides():
    assert tolerance("bfloat16", "float64") == tolerance("bfloat16") == 2.0**-6
    assert tolerance("complex64") == tolerance("float32")
    assert tolerance() == tolerance("int8", "bool") == 0


@pytest.mark.parametrize("name", ["bfloat16", "float8_e5m2", "float32"])
def test_nans(name):
    x = xp.asarray([1, NAN], dtype=name)
    assert_array_equal(x, [1, NAN])
    assert_allclose(x, x)
    for check in (
        lambda: assert_allclose(x, x, equal_nan=False),
        lambda: assert_array_equal(x, [NAN, 1]),
        lambda: assert_allclose(x, [1, 1]),
    ):
        with pytest.raises(AssertionError):
            check()


def test_large_integers_are_compared_exactly():
    x = xp.asarray([2**63 - 1], dtype="int64")
    assert_allclose(x, np.array([2**63 - 1], np.uint64))
    with pytest.raises(AssertionError):
        assert_allclose(x, np.array([2**63], np.uint64))


def test_integers_and_floats_are_compared_exactly():
    """2**63 - 1 is not a float64: NumPy, which compares in float64, finds it equal to 2.0**63."""
    x = xp.asarray([2**63 - 1, 1], dtype="int64")
    assert_array_equal(x[1:], 1.0)
    for other in ([2.0**63, 1.0], [2.0**63, NAN], np.array([2.0**63, 1.0], np.complex128)):
        with pytest.raises(AssertionError):
            assert_array_equal(x, other)


def test_strict():
    x = xp.ones(2, dtype="bfloat16")
    assert_array_equal(x, 1)
    for other in (x.astype("float32"), x[:1]):
        with pytest.raises(AssertionError, match=r"dtypes|shapes"):
            assert_array_equal(x, other, strict=True)
        with pytest.raises(AssertionError, match=r"dtypes|shapes"):
            assert_allclose(x, other, strict=True)


def test_no_promotion():
    x = xp.ones(2, dtype="bfloat16")
    with assert_no_promotion():
        x * 2 + 1.5
    with pytest.raises(AssertionError, match="float32"), assert_no_promotion():
        x + xp.ones(2)
    with assert_no_promotion("float64"):
        x + xp.ones(2)


# -- profiles -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_end(name):
    before = repr(xp.config)
    with profile(name) as namespace:
        assert (namespace is xp) == (name != "array_api")
        assert xp.ones(2).dtype in (np.float32, np.float64)
    assert repr(xp.config) == before
    with pytest.raises(ValueError, match="array_api"):
        profile("none").__enter__()


def test_what_profiles_change():
    def mixed():
        return (xp.ones(2, dtype="int32") + xp.ones(2, dtype="float32")).dtype.name

    found = {}
    for name in PROFILES:
        with profile(name):
            try:
                found[name] = mixed()
            except TypePromotionError:
                found[name] = None
    assert found == {"array_api": None, "jax": "float32", "torch": "float32", "numpy": "float64", "float32": "float32"}
    with profile("float32"), pytest.raises(TypePromotionError):
        xp.ones(2) + xp.ones(2, dtype="float64")
    with profile("jax"), pytest.raises(TypeError, match="immutable"):
        xp.ones(2)[0] = 1


def run(folder, *arguments):
    """Run pytest in a separate folder, and return the line with the counts."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={folder}", str(folder), *arguments]
    alone = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, env=alone, cwd=folder, capture_output=True, text=True, check=False)
    return done.stderr or re.sub(r" in .*", "", done.stdout.splitlines()[-1])


TESTS = """
import supremum

seen = []

def test_one(supremum_profile):
    xp = supremum_profile
    seen.append(supremum.config.promotion.name)
    x = xp.ones(3)
    assert (x + x).dtype == x.dtype

def test_all():
    assert seen == ['array_api', 'torch']
"""


def test_the_fixture(tmp_path):
    (tmp_path / "test_it.py").write_text(TESTS)
    plugin = ("-p", "supremum.pytest_plugin")
    assert run(tmp_path, *plugin, "--supremum-profiles=array_api,torch") == "3 passed"
    assert "there is no 'jaxx'" in run(tmp_path, *plugin, "--supremum-profiles=jaxx")


# -- the page docs/testing.md -------------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[1] / "docs/testing.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python\n# (\S+\.py)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def library(folder, *names):
    """Write the library of the page, with some of its files."""
    for name in ("mine.py", *names):
        (folder / Path(name).name).write_text(FILES[name])


def test_the_matrix_of_the_page(tmp_path):
    library(tmp_path, "conftest.py", "test_mine.py")
    assert run(tmp_path) == f"{2 * (1 + len(PROFILES))} passed"
    assert run(tmp_path, "-k", "supremum-jax") == "2 passed, 10 deselected"
    added = [line for line in FILES["conftest.py"].splitlines() if line.endswith("# +")]
    assert len(added) == 6


def test_the_matrix_of_the_page_finds_what_goes_wrong(tmp_path):
    library(tmp_path, "conftest.py", "test_mine.py")
    (tmp_path / "mine.py").write_text(FILES["mine.py"].replace("* 2.0", "* xp.asarray([2.0], dtype=xp.float64)"))
    assert "failed" in run(tmp_path, "-k", "float32")


def test_the_ready_fixture_of_the_page(tmp_path):
    library(tmp_path, "ready/conftest.py", "ready/test_mine.py")
    assert run(tmp_path) == f"{len(PROFILES)} passed"
    assert run(tmp_path, "--supremum-profiles=jax,torch") == "2 passed"
