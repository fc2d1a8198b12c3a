"""SciPy is imported when a function first needs it; without it, the error says what to install (supremum.scipy._library)."""

import subprocess
import sys

import pytest

from supremum._base.boundary import _inside
from supremum.scipy._library import Library

SENTENCE = "needs SciPy; install it with: python -m pip install 'supremum[scipy]'"


def test_nothing_is_imported_before_an_attribute_is_used():
    code = "import sys; from supremum.scipy._library import Library; Library('scipy.fft'); assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_attribute_is_the_modules_own():
    fft = pytest.importorskip("scipy.fft", reason="SciPy is not installed")
    library = Library("scipy.fft")
    assert library.dct is fft.dct
    assert library.dct is fft.dct
    with pytest.raises(AttributeError, match="no_such_function"):
        _ = library.no_such_function


def test_the_error_names_the_function_and_what_to_install(monkeypatch):
    for name in ("scipy", "scipy.special"):  # as if neither was installed
        monkeypatch.setitem(sys.modules, name, None)
    library = Library("scipy.special")
    function = _inside(lambda: library.gammainc, "gammainc", silence=True)
    with pytest.raises(ModuleNotFoundError) as caught:
        function()
    assert str(caught.value) == f"gammainc: {SENTENCE}"


def test_other_import_errors_pass_as_they_are():
    missing = Library("supremum_has_no_such_module")
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'supremum_has_no_such_module'$"):
        _inside(lambda: missing.name, "gammainc", silence=True)()
